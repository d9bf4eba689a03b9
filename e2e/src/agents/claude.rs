//! Claude Code.

use serde_json::json;

use super::{Act, Agent, Existing, Launch, Packaging, Scope, Start, file, strings, tool};
use crate::model::ToolCall;

pub(super) const AGENT: Agent = Agent {
    name: "claude",
    title: "Claude Code",
    package: "@anthropic-ai/claude-code",
    version: "2.1.325",
    packaging: Packaging::Installed,
    // The package's own entry is a stub until its install script ran; the program is in the platform's package.
    program: "@anthropic-ai/claude-code-linux-x64/claude",
    kept: None,
    defaults: "",
    variants: &["usual", "every tool at once"],
    launch,
    call,
    existing,
};

fn launch(launch: &Launch) -> Start {
    let mut arguments = strings(&["-p", launch.prompt, "--output-format", "stream-json", "--verbose"]);
    arguments.extend(strings(&["--permission-mode", "bypassPermissions"]));
    let mut environment = vec![
        ("ANTHROPIC_API_KEY", "dummy".to_owned()),
        ("ANTHROPIC_BASE_URL", launch.model.to_owned()),
        ("DISABLE_TELEMETRY", "1".to_owned()),
        ("DISABLE_AUTOUPDATER", "1".to_owned()),
        ("DISABLE_ERROR_REPORTING", "1".to_owned()),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".to_owned()),
        // On a busy machine it would ask its model before its servers are connected.
        ("MCP_CONNECTION_NONBLOCKING", "false".to_owned()),
        ("MCP_TIMEOUT", "120000".to_owned()),
        ("MCP_CONNECT_TIMEOUT_MS", "120000".to_owned()),
        // Lets root skip permissions, which a run without a person needs.
        ("IS_SANDBOX", "1".to_owned()),
    ];
    if launch.variant != "usual" {
        // Else the model is told of many tools by their names only.
        environment.push(("ENABLE_TOOL_SEARCH", "false".to_owned()));
    }
    Start { arguments, environment }
}

fn call(act: &Act) -> ToolCall {
    match act {
        Act::Shell(command) => tool("Bash", json!({"command": command, "description": "Run it"})),
        Act::Read(path) => tool("Read", json!({"file_path": path})),
        Act::Write { path, text } => tool("Write", json!({"file_path": path, "content": text})),
        Act::Edit { path, old, new } => tool("Edit", json!({"file_path": path, "old_string": old, "new_string": new})),
        Act::Delegate(task) => {
            let arguments = json!({"description": "A task", "prompt": task, "subagent_type": "general-purpose"});
            tool("Agent", arguments)
        }
        Act::Patch(_) => tool("Bash", json!({"command": "true", "description": "There are no patches"})),
        Act::Skill { name, .. } => tool("Skill", json!({"skill": name})),
        Act::Mcp { server, tool: name } => tool(format!("mcp__{server}__{name}"), json!({})),
    }
}

fn existing(scope: Scope, existing: &Existing) -> Vec<(String, String)> {
    let hooks = json!({"hooks": {"PreToolUse": [
        {"matcher": "Bash", "hooks": [{"type": "command", "command": existing.hook}]},
    ]}});
    let servers = json!({"mcpServers": {"probe": {"command": existing.server, "args": ["probe-server"]}}});
    match scope {
        Scope::User => vec![file(".claude/settings.json", &hooks), file(".claude.json", &servers)],
        Scope::Project => vec![file("project/.claude/settings.json", &hooks), file("project/.mcp.json", &servers)],
    }
}
