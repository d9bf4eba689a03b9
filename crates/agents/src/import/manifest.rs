//! The manifest of an imported plugin.

use serde::{Deserialize, Serialize};
use symposium_model::agent::AgentId;
use symposium_model::hook::{Event, OnFailure};
use symposium_model::transport::Transport;

use super::{ConvertedHook, ConvertedServer};
use crate::spec;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestPart {
    /// Derived from the original entry, and the same at every import.
    pub id: String,
    pub text: String,
}

pub fn header(agent: AgentId, name: &str) -> String {
    let title = spec(agent).title;
    format!(
        "# Hooks, MCP servers and skills of {title} for all agents, written by `symposium import --from {agent}`.\n\
         # A later import keeps your changes to this file. An imported hook or server is skipped in {title} while\n\
         # the original entry exists there.\n\
         name = \"{name}\"\n\
         imported-from = \"{agent}\"\n"
    )
}

pub fn parts(hooks: &[ConvertedHook], servers: &[ConvertedServer], skills: SkillPresence) -> Vec<ManifestPart> {
    let mut parts: Vec<ManifestPart> = Vec::new();
    if skills == SkillPresence::Some {
        parts.push(ManifestPart { id: SKILLS.to_owned(), text: "\n[[skills]]\nsource.path = \"skills\"\n".to_owned() });
    }
    for hook in hooks {
        let id = hook_id(hook, &parts);
        parts.push(ManifestPart { id, text: hook_text(hook) });
    }
    parts.extend(servers.iter().map(|server| ManifestPart { id: server_id(&server.name), text: server_text(server) }));
    parts
}

const SKILLS: &str = "skills";

/// Identifies a hook by its event and command; several with the same ones by their number.
fn hook_id(hook: &ConvertedHook, before: &[ManifestPart]) -> String {
    let twin = hook.twin_on.map(|agent| format!(" on {agent}")).unwrap_or_default();
    let id = format!("hook{twin} {} {}", hook.was.event, hook.was.command);
    let same = before.iter().filter(|part| part.id == id || part.id.starts_with(&format!("{id} #"))).count();
    if same == 0 { id } else { format!("{id} #{}", same + 1) }
}

pub fn server_id(name: &str) -> String {
    format!("server {name}")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkillPresence {
    Some,
    None,
}

fn hook_text(hook: &ConvertedHook) -> String {
    let mut text = String::from("\n[[hooks]]\n");
    let mut add = |key: &str, value: String| text.push_str(&format!("{key} = {value}\n"));
    add("name", string(&hook.name));
    if let Some(description) = &hook.description {
        add("description", string(description));
    }
    add("event", string(&hook.event));
    if let Some(matcher) = &hook.matcher {
        add("matcher", string(matcher));
    }
    add("command", string(&hook.command));
    if !hook.args.is_empty() {
        add("args", list(&hook.args));
    }
    if let Some(format) = hook.format {
        add("format", string(format.name()));
    }
    add("timeout", hook.timeout.to_string());
    // A project must not be able to disable a guard that the user relies on.
    if hook.event == Event::PreToolUse.name() {
        add("order", string("policy"));
    }
    match hook.on_failure {
        OnFailure::Allow => {}
        OnFailure::Block => add("on-failure", string("block")),
    }
    // Written even where it repeats `command`, so that the user can change the command.
    add("imported-command", string(&hook.was.command));
    text
}

fn server_text(server: &ConvertedServer) -> String {
    let mut text = format!("\n[[mcp_servers]]\nname = {}\n", string(&server.name));
    match &server.transport {
        Transport::Stdio { command, args, env } => {
            text.push_str(&format!("command = {}\n", string(command)));
            if !args.is_empty() {
                text.push_str(&format!("args = {}\n", list(args)));
            }
            text.push_str(&pairs("env", env));
        }
        Transport::Http { url, headers } => {
            text.push_str(&format!("type = \"http\"\nurl = {}\n", string(url)));
            text.push_str(&pairs("headers", headers));
        }
        Transport::Sse { url, headers } => {
            text.push_str(&format!("type = \"sse\"\nurl = {}\n", string(url)));
            text.push_str(&pairs("headers", headers));
        }
    }
    text
}

fn list(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| string(item)).collect();
    format!("[{}]", items.join(", "))
}

fn pairs(key: &str, pairs: &[(String, String)]) -> String {
    if pairs.is_empty() {
        return String::new();
    }
    let pairs: Vec<String> =
        pairs.iter().map(|(name, value)| format!("{} = {}", string(name), string(value))).collect();
    format!("{key} = {{ {} }}\n", pairs.join(", "))
}

/// Formats a TOML string: literal where that is possible, else with escapes.
fn string(text: &str) -> String {
    let is_plain = |c: char| !c.is_control();
    if text.contains(['"', '\\']) && !text.contains('\'') && text.chars().all(is_plain) {
        return format!("'{text}'");
    }
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            control if control.is_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(control))),
            plain => quoted.push(plain),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_is_a_string() {
        for (text, toml) in [
            ("a", "\"a\""),
            ("a \"b\"", "'a \"b\"'"),
            ("it's \"b\"", "\"it's \\\"b\\\"\""),
            ("a\nb\u{1}\\'", "\"a\\nb\\u0001\\\\'\""),
        ] {
            assert_eq!(string(text), toml);
        }
    }
}
