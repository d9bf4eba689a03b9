//! Detection of skills that a tool call loaded.

use serde_json::Value;
use symposium_model::hook::ToolUse;

use crate::byte_search::contains;
use crate::session::SessionFact;

/// Returns true if the raw event may be about loading a skill. Most are not, and need not be decoded.
pub(crate) fn may_load(event: &[u8]) -> bool {
    // `Skill`, `skill`, `activate_skill`, `load_skill`; `SKILL.md`; Symposium's own commands and tools.
    [&b"kill"[..], b"KILL.md", b"symposium", b"cargo agents"].iter().any(|sign| contains(event, sign))
}

pub(crate) fn by_tool(tool: &ToolUse) -> Vec<SessionFact> {
    let text = |key: &str| tool.input.get(key).and_then(Value::as_str);
    match tool.name.as_str() {
        "Skill" => text("skill").or_else(|| text("name")).map(|name| vec![skill(name)]).unwrap_or_default(),
        "Read" => text("file_path").and_then(of_path).map(|name| vec![skill(name)]).unwrap_or_default(),
        "Bash" => text("command").map(by_command).unwrap_or_default(),
        "mcp__symposium__crate" => {
            text("name").map(|name| vec![SessionFact::Crate(name.to_owned())]).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// Removes the plugin name that may precede the name of a skill.
fn skill(name: &str) -> SessionFact {
    SessionFact::Skill(name.rsplit(':').next().unwrap_or(name).to_owned())
}

fn of_path(path: &str) -> Option<&str> {
    let directory = path.strip_suffix("SKILL.md")?.strip_suffix(['/', '\\'])?;
    directory.rsplit(['/', '\\']).next().filter(|name| !name.is_empty())
}

fn by_command(command: &str) -> Vec<SessionFact> {
    let words: Vec<&str> =
        command.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';' | '|' | '&' | '(' | ')')).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let mut facts: Vec<SessionFact> = words.iter().filter_map(|word| of_path(word)).map(skill).collect();
    for at in words.windows(3) {
        let named = match at {
            [program, "crate", name] if is_ours(program) => Some(*name),
            ["agents", "crate", name] => Some(*name),
            _ => None,
        };
        facts.extend(named.filter(|name| !name.starts_with('-')).map(|name| SessionFact::Crate(name.to_owned())));
    }
    facts
}

fn is_ours(program: &str) -> bool {
    matches!(program.rsplit('/').next(), Some("symposium" | "cargo-agents"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn loaded(name: &str, input: Value) -> Vec<SessionFact> {
        let Value::Object(input) = input else { panic!("an object") };
        by_tool(&ToolUse { name: name.to_owned(), input, native: None })
    }

    #[test]
    fn skills_are_loaded_in_many_ways() {
        let skill = |name: &str| vec![SessionFact::Skill(name.to_owned())];
        let krate = |name: &str| vec![SessionFact::Crate(name.to_owned())];
        for (tool, input, expected) in [
            ("Skill", json!({"skill": "tokio-basics"}), skill("tokio-basics")),
            ("Skill", json!({"skill": "plugin:tokio-basics"}), skill("tokio-basics")),
            ("Read", json!({"file_path": "/w/.claude/skills/serde/SKILL.md"}), skill("serde")),
            ("Read", json!({"file_path": "/w/README.md"}), vec![]),
            ("Bash", json!({"command": "cat .agents/skills/serde/SKILL.md | head"}), skill("serde")),
            ("Bash", json!({"command": "symposium crate tokio"}), krate("tokio")),
            ("Bash", json!({"command": "cd x && cargo agents crate tokio --version 1"}), krate("tokio")),
            ("Bash", json!({"command": "symposium crate --list"}), vec![]),
            ("Bash", json!({"command": "kill 1"}), vec![]),
            ("mcp__symposium__crate", json!({"name": "tokio"}), krate("tokio")),
            ("mcp__other__crate", json!({"name": "tokio"}), vec![]),
        ] {
            assert_eq!(loaded(tool, input.clone()), expected, "{tool} {input}");
        }
    }

    #[test]
    fn most_events_are_about_something_else() {
        assert!(!may_load(br#"{"tool_name":"Bash","tool_input":{"command":"cargo test"}}"#));
        for about in ["Skill", "activate_skill", "x/SKILL.md", "symposium crate x", "cargo agents crate x"] {
            assert!(may_load(about.as_bytes()), "{about}");
        }
    }
}
