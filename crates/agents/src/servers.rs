//! The notations of an MCP server that several agents share.

use serde_json::{Map, Value};

use symposium_model::transport::ServerTransport;

use crate::registration_input::RegisteredServer;

/// The notation of a value taken from an environment variable. Manifests write `${NAME}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceSyntax {
    Braces,
    /// No notation inside a value: the agent's file lists variables that are passed on by name. Any other reference
    /// would reach the server literally, so such a server is skipped and reported.
    ByName,
    /// `${env:NAME}`.
    EnvInBraces,
    /// `{env:NAME}`.
    EnvInCurlies,
    /// As in [`Braces`](Self::Braces), by a shell that also runs what stands in `$(…)`. A server with another `$` or
    /// backtick is skipped and reported.
    Expanded,
    /// A server with a reference is skipped and reported.
    Unknown,
}

/// Returns the server with references in the agent's notation.
pub(crate) fn spelled(server: &RegisteredServer, references: ReferenceSyntax) -> RegisteredServer {
    let spell = |text: &String| {
        let start = match references {
            ReferenceSyntax::Braces
            | ReferenceSyntax::ByName
            | ReferenceSyntax::Expanded
            | ReferenceSyntax::Unknown => return text.clone(),
            ReferenceSyntax::EnvInBraces => "${env:",
            ReferenceSyntax::EnvInCurlies => "{env:",
        };
        let mut done = String::new();
        let mut rest = text.as_str();
        while let Some((before, behind)) = rest.split_once("${") {
            let Some((name, after)) = behind.split_once('}').filter(|(name, _)| is_variable(name)) else {
                done.push_str(before);
                done.push_str("${");
                rest = behind;
                continue;
            };
            done.push_str(&format!("{before}{start}{name}}}"));
            rest = after;
        }
        done + rest
    };
    let pairs = |pairs: &[(String, String)]| pairs.iter().map(|(name, value)| (name.clone(), spell(value))).collect();
    let transport = match &server.transport {
        ServerTransport::Stdio { command, args, env } => {
            ServerTransport::Stdio { command: spell(command), args: args.iter().map(spell).collect(), env: pairs(env) }
        }
        ServerTransport::Http { url, headers } => ServerTransport::Http { url: spell(url), headers: pairs(headers) },
        ServerTransport::Sse { url, headers } => ServerTransport::Sse { url: spell(url), headers: pairs(headers) },
    };
    RegisteredServer { name: server.name.clone(), transport }
}

/// Returns a server without the line it passes to a shell, which expands references itself.
pub(crate) fn without_shell_line(server: &RegisteredServer) -> RegisteredServer {
    const SHELLS: [&str; 5] = ["sh", "bash", "dash", "ksh", "zsh"];
    let mut server = server.clone();
    if let ServerTransport::Stdio { command, args, .. } = &mut server.transport
        && SHELLS.contains(&command.rsplit('/').next().unwrap_or(command))
        && let Some(flag) = args.iter().position(|arg| arg.starts_with('-') && arg.ends_with('c'))
        && flag + 1 < args.len()
    {
        args.remove(flag + 1);
    }
    server
}

pub(crate) fn referenced(value: &str) -> Option<&str> {
    value.strip_prefix("${")?.strip_suffix('}').filter(|name| is_variable(name))
}

/// Finds the first reference to a variable anywhere in the written form of a server, for an agent that would take it
/// literally.
pub(crate) fn left_over(written: &Value) -> Option<&str> {
    match written {
        Value::String(text) => text.split("${").skip(1).find_map(|rest| {
            let (name, _) = rest.split_once('}')?;
            is_variable(name).then_some(name)
        }),
        Value::Array(items) => items.iter().find_map(left_over),
        Value::Object(fields) => fields.values().find_map(left_over),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// Finds the first text in which a shell would replace or run more than references to variables.
pub(crate) fn expanded(written: &Value) -> Option<&str> {
    match written {
        Value::String(text) => {
            let is_reference = |rest: &str| {
                let name = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
                name.is_some_and(|(name, _)| is_variable(name))
            };
            let more = text.contains(['`', '\\']) || !text.split('$').skip(1).all(is_reference);
            more.then_some(text)
        }
        Value::Array(items) => items.iter().find_map(expanded),
        Value::Object(fields) => fields.values().find_map(expanded),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Splits variables into those that are set and the names of those that are passed on unchanged.
pub(crate) fn without_handed_on(env: &[(String, String)]) -> (Vec<(String, String)>, Vec<String>) {
    let (handed_on, set): (Vec<_>, Vec<_>) =
        env.iter().cloned().partition(|(name, value)| referenced(value) == Some(name.as_str()));
    (set, handed_on.into_iter().map(|(name, _)| name).collect())
}

/// Writes a server with a `type`, as Claude Code does and every reader of `.mcp.json` accepts.
pub(crate) fn typed(server: &RegisteredServer) -> Value {
    let kind = match &server.transport {
        ServerTransport::Stdio { .. } => "stdio",
        ServerTransport::Http { .. } => "http",
        ServerTransport::Sse { .. } => "sse",
    };
    let mut value = fields(server);
    value.insert("type".to_owned(), Value::from(kind));
    Value::Object(value)
}

/// Writes a server without a `type`: `command` or `url` tells the transport.
pub(crate) fn untyped(server: &RegisteredServer) -> Value {
    Value::Object(fields(server))
}

/// Returns `command`, `args` and `env`, or `url` and `headers`, without empty objects.
pub(crate) fn fields(server: &RegisteredServer) -> Map<String, Value> {
    let mut value = Map::new();
    match &server.transport {
        ServerTransport::Stdio { command, args, env } => {
            value.insert("command".to_owned(), Value::from(command.as_str()));
            value.insert("args".to_owned(), Value::from(args.as_slice()));
            insert_pairs(&mut value, "env", env);
        }
        ServerTransport::Http { url, headers } | ServerTransport::Sse { url, headers } => {
            value.insert("url".to_owned(), Value::from(url.as_str()));
            insert_pairs(&mut value, "headers", headers);
        }
    }
    value
}

pub(crate) fn insert_pairs(value: &mut Map<String, Value>, key: &str, pairs: &[(String, String)]) {
    if !pairs.is_empty() {
        let pairs = pairs.iter().map(|(name, content)| (name.clone(), Value::from(content.as_str())));
        value.insert(key.to_owned(), Value::Object(pairs.collect()));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use symposium_model::agent::AgentId;

    use super::*;
    use crate::spec;

    #[test]
    fn every_agent_is_told_in_its_own_way_to_look_into_the_environment() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let env = vec![pair("TOKEN", "${TOKEN}"), pair("MODE", "fast"), pair("MIX", "x-${TOKEN}")];
        let started = RegisteredServer {
            name: "s".to_owned(),
            transport: ServerTransport::Stdio { command: "srv".to_owned(), args: vec!["--k=${KEY}".to_owned()], env },
        };
        let headers = vec![pair("Authorization", "Bearer ${TOKEN}"), pair("X-Key", "${KEY}"), pair("Accept", "a")];
        let reached = RegisteredServer {
            name: "s".to_owned(),
            transport: ServerTransport::Http { url: "https://h".to_owned(), headers },
        };
        let written = |agent, server: &RegisteredServer| {
            let mcp = &spec(agent).mcp;
            (mcp.server)(&spelled(server, mcp.references))
        };
        let braces = json!({"TOKEN": "${TOKEN}", "MODE": "fast", "MIX": "x-${TOKEN}"});
        for agent in [AgentId::Claude, AgentId::Copilot, AgentId::Gemini, AgentId::Kiro] {
            assert_eq!(written(agent, &started)["env"], braces, "{agent}");
        }
        let cursor = written(AgentId::Cursor, &started);
        assert_eq!((&cursor["env"]["MIX"], &cursor["args"][0]), (&json!("x-${env:TOKEN}"), &json!("--k=${env:KEY}")));
        let opencode = written(AgentId::OpenCode, &started);
        assert_eq!(opencode["environment"]["TOKEN"], "{env:TOKEN}");
        assert_eq!(opencode["command"], json!(["srv", "--k={env:KEY}"]));
        let codex = written(AgentId::Codex, &started);
        assert_eq!((&codex["env_vars"], codex["env"].get("TOKEN")), (&json!(["TOKEN"]), None));
        assert_eq!(left_over(&codex), Some("KEY"));
        let codex = written(AgentId::Codex, &reached);
        assert_eq!(left_over(&codex), None);
        assert_eq!(
            codex,
            json!({"url": "https://h", "bearer_token_env_var": "TOKEN", "env_http_headers": {"X-Key": "KEY"},
                "http_headers": {"Accept": "a"}})
        );
        let goose = written(AgentId::Goose, &started);
        assert_eq!(goose["env"], json!({"MODE": "fast", "MIX": "x-${TOKEN}"}));
    }
}
