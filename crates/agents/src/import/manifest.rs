//! The manifest of an imported plugin.

use symposium_model::agent::AgentId;
use symposium_model::hook::OnFailure;
use symposium_model::transport::Transport;

use super::{CarriedHook, CarriedServer};
use crate::spec;

/// The text of a manifest. `skills` tells whether there is a directory of skills beside it.
pub fn manifest(agent: AgentId, hooks: &[CarriedHook], servers: &[CarriedServer], skills: Skills) -> String {
    let title = spec(agent).title;
    let mut text = format!(
        "# What was set up in {title}, for every agent. Made by `symposium import --from {agent}`.\n\
         # Importing again keeps what you change here. While {title} has a hook or server of its own, what was made of\n\
         # it stands down there; once you remove it there, it runs from here.\n\
         name = \"imported-{agent}\"\n\
         imported-from = \"{agent}\"\n"
    );
    if skills == Skills::Some {
        text.push_str("\n[[skills]]\nsource.path = \"skills\"\n");
    }
    for hook in hooks {
        text.push_str(&hook_text(hook));
    }
    for server in servers {
        text.push_str(&server_text(server));
    }
    text
}

/// Whether a plugin has skills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skills {
    /// It has.
    Some,
    /// It has none.
    None,
}

fn hook_text(hook: &CarriedHook) -> String {
    let mut text = String::from("\n[[hooks]]\n");
    let mut add = |key: &str, value: String| text.push_str(&format!("{key} = {value}\n"));
    add("name", string(&hook.name));
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
    match hook.on_failure {
        OnFailure::Allow => {}
        OnFailure::Block => add("on-failure", string("block")),
    }
    if hook.was.command != hook.command {
        add("imported-command", string(&hook.was.command));
    }
    text
}

fn server_text(server: &CarriedServer) -> String {
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

/// A TOML string: as it is between single quotes where that is possible, else with escapes.
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
