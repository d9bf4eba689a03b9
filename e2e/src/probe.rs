//! The MCP server of somebody else: one tool, `ping`, so that a scenario can see whether it still works beside ours.

use std::io::{BufRead, Write};

use serde_json::{Value, json};

/// The argument that turns this program into the server.
pub(crate) const ARGUMENT: &str = "probe-server";

pub(crate) const PONG: &str = "pong from the probe";

/// Serves on standard input and output until the input ends.
pub(crate) fn serve() {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        // Notifications have no identifier and want no answer.
        let Some(id) = message.get("id") else { continue };
        let mut answer = answer(&message);
        if let Some(fields) = answer.as_object_mut() {
            fields.insert("jsonrpc".to_owned(), json!("2.0"));
            fields.insert("id".to_owned(), id.clone());
        }
        if writeln!(out, "{answer}").and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

fn answer(message: &Value) -> Value {
    let parameter = |name: &str| message.get("params").and_then(|params| params.get(name)).cloned();
    match message.get("method").and_then(Value::as_str) {
        Some("initialize") => json!({"result": {
            "protocolVersion": parameter("protocolVersion"), "capabilities": {"tools": {}},
            "serverInfo": {"name": "probe", "version": "1"},
        }}),
        Some("tools/list") => json!({"result": {"tools": [{
            "name": "ping", "description": "Answers", "inputSchema": {"type": "object", "properties": {}},
        }]}}),
        Some("tools/call") => json!({"result": {"content": [{"type": "text", "text": PONG}]}}),
        Some("ping") => json!({"result": {}}),
        Some(_) | None => json!({"error": {"code": -32601, "message": "Method not found"}}),
    }
}
