//! The schema of lockfiles. Their parser accepts only the output of their printer, so the schema is written by hand.

use serde_json::{Map, Value, json};

pub(super) fn lock() -> Value {
    let sources = [
        entry("builtin", &[("version", json!({"type": "string", "description": "The version of the program."}))]),
        entry("git", &[("url", json!({"type": "string"})), ("commit", object_id()), ("tree", digits(64))]),
        entry("path", &[("tree", digits(64))]),
        entry("index", &[("url", json!({"type": "string"})), ("tree", digits(64)), ("plugins", plugins())]),
    ];
    json!({
        "type": "object",
        "required": ["version"],
        "additionalProperties": false,
        "properties": {
            "version": {"enum": [1], "description": "The version of the file format."},
            "source": {
                "type": "array",
                "description": "All sources, with their pinned content.",
                "items": {"anyOf": sources},
            },
            "extension": {
                "type": "array",
                "description": "All extensions in use.",
                "items": {
                    "type": "object",
                    "required": ["name", "kind", "source", "path", "sha256"],
                    "additionalProperties": false,
                    "properties": {
                        "name": {"type": "string"},
                        "kind": {"enum": ["skill", "workflow"]},
                        "source": {"type": "string", "description": "The name of its source."},
                        "path": {"type": "string", "description": "Its SKILL.md or manifest, relative to the source."},
                        "crates": {
                            "type": "array",
                            "items": {"type": "string"},
                            "description": "The crates it matched, each as `name version`.",
                        },
                        "sha256": digits(64),
                    },
                },
            },
        },
    })
}

fn entry(kind: &str, fields: &[(&str, Value)]) -> Value {
    let mut properties = Map::new();
    properties.insert("name".to_owned(), json!({"type": "string"}));
    properties.insert("kind".to_owned(), json!({"enum": [kind]}));
    properties.extend(fields.iter().map(|(key, schema)| ((*key).to_owned(), schema.clone())));
    let required: Vec<&str> = ["name", "kind"].into_iter().chain(fields.iter().map(|(key, _)| *key)).collect();
    json!({"type": "object", "required": required, "additionalProperties": false, "properties": properties})
}

/// The lines of an index.
fn plugins() -> Value {
    let description = "The plugins in use, each as its line in the index.";
    json!({"type": "array", "items": {"type": "string"}, "description": description})
}

fn digits(count: usize) -> Value {
    json!({"type": "string", "pattern": format!("^[0-9a-f]{{{count}}}$")})
}

/// The name of a git object, which is longer in a SHA-256 repository.
fn object_id() -> Value {
    json!({"type": "string", "pattern": "^([0-9a-f]{40}|[0-9a-f]{64})$"})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_has_40_or_64_digits() {
        let schema = lock();
        let pattern = schema["properties"]["source"]["items"]["anyOf"][1]["properties"]["commit"]["pattern"].as_str();
        let pattern = regex_lite::Regex::new(pattern.unwrap()).unwrap();
        for (length, expected) in [(39, false), (40, true), (41, false), (63, false), (64, true), (65, false)] {
            assert_eq!(pattern.is_match(&"a".repeat(length)), expected, "{length}");
        }
    }
}
