//! The ways several agents share of writing down an MCP server.

use serde_json::{Map, Value};

use symposium_model::transport::Transport;

use crate::situation::McpServer;

/// With a `type`: what Claude Code writes, and what every reader of `.mcp.json` takes.
pub(crate) fn typed(server: &McpServer) -> Value {
    let kind = match &server.transport {
        Transport::Stdio { .. } => "stdio",
        Transport::Http { .. } => "http",
        Transport::Sse { .. } => "sse",
    };
    let mut value = fields(server);
    value.insert("type".to_owned(), Value::from(kind));
    Value::Object(value)
}

/// Without a `type`: `command` or `url` tells the transport.
pub(crate) fn untyped(server: &McpServer) -> Value {
    Value::Object(fields(server))
}

/// `command`, `args`, `env`, or `url`, `headers`; without what is empty.
pub(crate) fn fields(server: &McpServer) -> Map<String, Value> {
    let mut value = Map::new();
    match &server.transport {
        Transport::Stdio { command, args, env } => {
            value.insert("command".to_owned(), Value::from(command.as_str()));
            value.insert("args".to_owned(), Value::from(args.as_slice()));
            insert_pairs(&mut value, "env", env);
        }
        Transport::Http { url, headers } | Transport::Sse { url, headers } => {
            value.insert("url".to_owned(), Value::from(url.as_str()));
            insert_pairs(&mut value, "headers", headers);
        }
    }
    value
}

/// Adds pairs as an object, unless there are none.
pub(crate) fn insert_pairs(value: &mut Map<String, Value>, key: &str, pairs: &[(String, String)]) {
    if !pairs.is_empty() {
        let pairs = pairs.iter().map(|(name, content)| (name.clone(), Value::from(content.as_str())));
        value.insert(key.to_owned(), Value::Object(pairs.collect()));
    }
}
