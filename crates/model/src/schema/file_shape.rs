//! Generation of a schema from a parser: it is run on small files, and the keys it queries are recorded.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::key_docs::{self, join};
use crate::toml_table::{ANY_NAME, KeyQuery, ValueKind};

const DEEPEST: usize = 6;

const VALUES: [&str; 4] = ["true", "1", "\"text\"", "[\"text\"]"];

/// The queried kinds of values, by table and key.
pub(super) type FileShape = BTreeMap<String, BTreeMap<&'static str, BTreeSet<ValueKind>>>;

#[derive(Clone, PartialEq)]
struct TableStep {
    key: &'static str,
    in_array: bool,
}

pub(super) fn schema(read: &dyn Fn(&str) -> Vec<KeyQuery>) -> Value {
    table("", &explore(read))
}

/// Runs the parser until every table it accepts is explored.
pub(super) fn explore(read: &dyn Fn(&str) -> Vec<KeyQuery>) -> FileShape {
    let mut shape = FileShape::new();
    let mut open: Vec<Vec<TableStep>> = vec![Vec::new()];
    let mut seen: Vec<Vec<TableStep>> = Vec::new();
    while let Some(steps) = open.pop() {
        let here = path(&steps);
        let mut questions = read(&text(&steps, "{}"));
        // A parser may inspect a value before it queries the key.
        let keys: BTreeSet<&str> =
            questions.iter().filter(|asked| asked.table == here).map(|asked| asked.key).collect();
        for key in keys.into_iter().filter(|key| *key != ANY_NAME) {
            for value in VALUES {
                let inner = format!("{key} = {value}");
                let document =
                    if steps.is_empty() { format!("{inner}\n") } else { text(&steps, &format!("{{ {inner} }}")) };
                questions.extend(read(&document));
            }
        }
        for asked in questions {
            let is_container = match asked.kind {
                ValueKind::Table | ValueKind::TextOrTable | ValueKind::TextsOrTables | ValueKind::Tables => true,
                ValueKind::Text
                | ValueKind::Truth
                | ValueKind::Number
                | ValueKind::Texts
                | ValueKind::Object
                | ValueKind::Anything => false,
            };
            if is_container && asked.table == here && steps.len() < DEEPEST {
                for in_array in [false, true] {
                    let mut below = steps.clone();
                    below.push(TableStep { key: asked.key, in_array });
                    if !seen.contains(&below) {
                        seen.push(below.clone());
                        open.push(below);
                    }
                }
            }
            shape.entry(asked.table).or_default().entry(asked.key).or_default().insert(asked.kind);
        }
    }
    shape
}

/// Writes a file with the tables of `steps`, the innermost being `table`.
fn text(steps: &[TableStep], table: &str) -> String {
    let mut value = table.to_owned();
    for (depth, step) in steps.iter().enumerate().rev() {
        let table = if step.in_array { format!("[{value}]") } else { value };
        value = if depth == 0 { format!("{} = {table}\n", step.key) } else { format!("{{ {} = {table} }}", step.key) };
    }
    if steps.is_empty() { String::new() } else { value }
}

fn path(steps: &[TableStep]) -> String {
    let parts: Vec<String> =
        steps.iter().map(|step| format!("{}{}", step.key, if step.in_array { "[]" } else { "" })).collect();
    parts.join(".")
}

fn table(at: &str, shape: &FileShape) -> Value {
    let Some(keys) = shape.get(at) else { return json!({"type": "object"}) };
    if let Some(kinds) = keys.get(ANY_NAME) {
        return json!({"type": "object", "additionalProperties": any_of(kinds, at, ANY_NAME, shape)});
    }
    let mut properties = Map::new();
    for (key, kinds) in keys {
        properties.insert((*key).to_owned(), property(kinds, at, key, shape));
    }
    let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    let required = key_docs::required(at);
    if let Value::Object(schema) = &mut schema
        && !required.is_empty()
    {
        schema.insert("required".to_owned(), json!(required));
    }
    schema
}

fn property(kinds: &BTreeSet<ValueKind>, at: &str, key: &str, shape: &FileShape) -> Value {
    let place = join(at, key);
    let mut schema = key_docs::values(&place).unwrap_or_else(|| any_of(kinds, at, key, shape));
    if let Value::Object(schema) = &mut schema
        && let Some(description) = key_docs::description(at, key)
    {
        schema.insert("description".to_owned(), description.into());
    }
    schema
}

fn any_of(kinds: &BTreeSet<ValueKind>, at: &str, key: &str, shape: &FileShape) -> Value {
    let mut found: Vec<Value> = Vec::new();
    for form in kinds.iter().flat_map(|kind| forms(*kind, at, key, shape)) {
        if !found.contains(&form) {
            found.push(form);
        }
    }
    match found.pop() {
        Some(only) if found.is_empty() => only,
        Some(last) => {
            found.push(last);
            json!({"anyOf": found})
        }
        None => json!({}),
    }
}

fn forms(kind: ValueKind, at: &str, key: &str, shape: &FileShape) -> Vec<Value> {
    let text = json!({"type": "string"});
    let inner = || table(&join(at, key), shape);
    let item = || table(&format!("{}[]", join(at, key)), shape);
    match kind {
        ValueKind::Text => vec![text],
        ValueKind::Truth => vec![json!({"type": "boolean"})],
        ValueKind::Number => vec![json!({"type": "integer", "minimum": 0})],
        ValueKind::Texts => vec![text.clone(), json!({"type": "array", "items": text})],
        ValueKind::Table => vec![inner()],
        ValueKind::TextOrTable => vec![text, inner()],
        ValueKind::TextsOrTables => {
            let items = json!({"anyOf": [text.clone(), item()]});
            vec![text, json!({"type": "array", "items": items})]
        }
        ValueKind::Tables => vec![json!({"type": "array", "items": item()})],
        ValueKind::Object => vec![json!({"type": "object"})],
        ValueKind::Anything => vec![json!({})],
    }
}
