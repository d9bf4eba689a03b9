//! The events of one block: four agents at once, each with the events of a working day.

use std::path::Path;
use std::time::{Duration, Instant};

use super::BLOCK;
use super::machine::Machine;

const AGENTS: [&str; 4] = ["claude", "gemini", "codex", "copilot"];

/// No event may take longer.
const LIMIT: Duration = Duration::from_secs(9);

/// Raises all events of a block; how many of them failed.
pub(super) fn raise(machine: &Machine, round: usize) -> usize {
    std::thread::scope(|scope| {
        let workers: Vec<_> = AGENTS.iter().map(|agent| scope.spawn(move || of_agent(machine, agent, round))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap_or(BLOCK)).sum()
    })
}

fn of_agent(machine: &Machine, agent: &str, round: usize) -> usize {
    let mut failures = 0;
    let workspace = machine.path("workspace");
    for number in 0..BLOCK / AGENTS.len() {
        let (event, tool) = match number % 25 {
            0 if number % 125 == 0 => ("session-start", ""),
            0 => ("stop", ""),
            1 | 13 => ("user-prompt-submit", ""),
            n if n % 2 == 0 => ("pre-tool-use", if n == 6 { "Bash" } else { "Read" }),
            _ => ("post-tool-use", "Read"),
        };
        let session = format!("{agent}-{round}-{}", number / 125);
        let payload = about(agent, tool, &session, &workspace);
        let started = Instant::now();
        let ended = machine
            .start(&["hook", agent, event], &payload)
            .and_then(|mut child| child.wait().map_err(|e| e.to_string()));
        let good = ended.is_ok_and(|status| status.success()) && started.elapsed() < LIMIT;
        failures += usize::from(!good);
    }
    failures
}

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
