//! An event in the JSON of an agent.

use std::path::Path;

/// An event as an agent sends it, with every field any event of it has.
pub(super) fn about(agent: &str, tool: &str, session: &str, workspace: &Path) -> String {
    let cwd = workspace.display().to_string();
    let event = match agent {
        "copilot" => serde_json::json!({"sessionId": session, "timestamp": 1, "cwd": cwd, "prompt": "use serde here",
            "source": "new", "toolName": tool, "toolArgs": {"command": "ls", "path": "src/lib.rs"},
            "toolResult": {"resultType": "success", "textResultForLlm": "x"}}),
        _ => {
            serde_json::json!({"session_id": session, "transcript_path": "/t", "cwd": cwd, "permission_mode": "default",
            "timestamp": "t", "source": "startup", "prompt": "use serde here", "tool_name": tool,
            "tool_input": {"command": "ls", "file_path": "src/lib.rs"}, "tool_response": {"output": "x".repeat(2_000)}})
        }
    };
    event.to_string()
}
