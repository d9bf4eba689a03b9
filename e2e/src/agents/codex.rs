//! Codex CLI.

use serde_json::json;

use super::{Act, Agent, Existing, Launch, Packaging, Review, Scope, Start, file, strings, tool};
use crate::model::ToolCall;

pub(super) const AGENT: Agent = Agent {
    name: "codex",
    title: "Codex CLI",
    package: "@openai/codex",
    version: "0.166.0",
    packaging: Packaging::Installed,
    program: "@openai/codex/bin/codex.js",
    kept: None,
    defaults: "",
    variants: &["gpt-5.5", "gpt-5", "gpt-6-sol"],
    launch,
    call,
    existing,
};

fn launch(launch: &Launch) -> Start {
    let provider = format!(
        "model_providers.scripted={{name=\"scripted\",base_url=\"{}/v1\",env_key=\"SCRIPTED_KEY\",\
         wire_api=\"responses\",request_max_retries=0,stream_max_retries=0}}",
        launch.model
    );
    let directory = launch.directory.display().to_string();
    let trusted = format!("projects={{\"{}\"={{trust_level=\"trusted\"}}}}", launch.project.display());
    let mut arguments = strings(&["exec", "--json", "--skip-git-repo-check", "-C", &directory, "-m", launch.variant]);
    arguments.extend(strings(&["--dangerously-bypass-approvals-and-sandbox"]));
    match launch.review {
        // Trust in hooks is a question for a person; here it is answered on the command line.
        Review::Done => arguments.push("--dangerously-bypass-hook-trust".to_owned()),
        Review::Open => {}
    }
    for setting in [
        "model_provider=\"scripted\"",
        &provider,
        &trusted,
        "check_for_update_on_startup=false",
        "analytics.enabled=false",
    ] {
        arguments.extend(strings(&["-c", setting]));
    }
    arguments.extend(strings(&["--", launch.prompt]));
    Start { arguments, environment: vec![("SCRIPTED_KEY", "dummy".to_owned())] }
}

fn call(act: &Act) -> ToolCall {
    match act {
        // Its model would read the output of a slow command later; this is the longest time it waits.
        Act::Shell(command) => tool("exec_command", json!({"cmd": command, "yield_time_ms": 30_000})),
        Act::Write { path, text } => {
            let text = text.lines().map(|line| format!("+{line}\n")).collect::<Vec<_>>().concat();
            // A text of its own, not JSON.
            tool("apply_patch", format!("*** Begin Patch\n*** Add File: {path}\n{text}*** End Patch").into())
        }
        Act::Edit { path, old, new } => {
            let hunk = format!("*** Update File: {path}\n@@\n-{old}\n+{new}\n");
            tool("apply_patch", format!("*** Begin Patch\n{hunk}*** End Patch").into())
        }
        Act::Delegate(task) => {
            let namespace = Some("multi_agent_v1".to_owned());
            ToolCall { namespace, ..tool("spawn_agent", json!({ "message": task })) }
        }
        Act::Patch(patch) => tool("apply_patch", (*patch).into()),
        // Codex has no tools for this: its model reads files with the shell, and skills are files.
        Act::Read(path) | Act::Skill { file: path, .. } => {
            tool("exec_command", json!({"cmd": format!("cat '{path}'")}))
        }
        Act::Mcp { server, tool: name } => {
            ToolCall { namespace: Some(format!("mcp__{server}")), ..tool(*name, json!({})) }
        }
    }
}

fn existing(scope: Scope, existing: &Existing) -> Vec<(String, String)> {
    let hooks = json!({"hooks": {"PreToolUse": [
        {"matcher": "Bash", "hooks": [{"type": "command", "command": existing.hook}]},
    ]}});
    let config = format!(
        "# My own settings\nmodel_reasoning_effort = \"low\"\n\n[mcp_servers.probe]\ncommand = \"{}\"\n\
         args = [\"probe-server\"]\n",
        existing.server
    );
    let folder = match scope {
        Scope::User => ".codex",
        Scope::Project => "project/.codex",
    };
    vec![file(&format!("{folder}/hooks.json"), &hooks), (format!("{folder}/config.toml"), config)]
}
