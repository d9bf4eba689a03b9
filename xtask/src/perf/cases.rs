//! The events that are measured: each agent's, with what that agent really sends where that was recorded.

use std::fs;
use std::path::Path;

/// One event of one agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Case {
    /// The agent on the command line.
    pub(super) agent: &'static str,
    /// The event on the command line.
    pub(super) event: &'static str,
    /// The file with what it sends.
    payload: String,
}

/// What the real programs sent.
const RECORDED: &str = "crates/agents/tests/payloads";
/// What the documents of the others say they send, and what our own bridge sends.
const WRITTEN: &str = "xtask/perf/events";
/// The project in these files.
const PROJECT: &str = "/home/user/project";

const EVENTS: [&str; 4] = ["pre-tool-use", "post-tool-use", "user-prompt-submit", "stop"];

/// The recorded files for [`EVENTS`].
const AGENTS_RECORDED: [(&str, [&str; 4]); 5] = [
    ("claude", ["PreToolUse.Bash", "PostToolUse.Bash", "UserPromptSubmit", "Stop"]),
    ("copilot", ["preToolUse", "postToolUse", "userPromptSubmitted", "agentStop"]),
    ("gemini", ["BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent"]),
    ("codex", ["PreToolUse.Bash", "PostToolUse.Bash", "UserPromptSubmit", "Stop"]),
    ("goose", ["PreToolUse.shell", "PostToolUse.shell", "UserPromptSubmit", "Stop"]),
];
const AGENTS_WRITTEN: [&str; 3] = ["kiro", "opencode", "cursor"];

/// Every case. Session starts are left out: they always have something to say.
pub(super) fn all() -> Vec<Case> {
    let recorded = AGENTS_RECORDED.into_iter().flat_map(|(agent, files)| {
        let payload = move |file| format!("{RECORDED}/{agent}/{file}.json");
        EVENTS.into_iter().zip(files).map(move |(event, file)| Case { agent, event, payload: payload(file) })
    });
    let written = AGENTS_WRITTEN.into_iter().flat_map(|agent| {
        // OpenCode's bridge is not asked when a turn ends.
        let events = EVENTS.into_iter().filter(move |event| (agent, *event) != ("opencode", "stop"));
        events.map(move |event| Case { agent, event, payload: format!("{WRITTEN}/{agent}.{event}.json") })
    });
    recorded.chain(written).collect()
}

impl Case {
    /// How it is called in tables and in the baseline.
    pub(super) fn title(&self) -> String {
        format!("{} {}", self.agent, self.event)
    }

    /// What the agent takes for "nothing to say".
    pub(super) fn neutral(&self) -> &'static str {
        if matches!(self.agent, "gemini" | "opencode") { "{}" } else { "" }
    }

    /// What comes in on standard input, for a project in `project`.
    pub(super) fn input(&self, repository: &Path, project: &str) -> Result<String, String> {
        let text = fs::read_to_string(repository.join(&self.payload));
        Ok(text.map_err(|error| format!("`{}`: {error}", self.payload))?.replace(PROJECT, project))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_has_an_input_in_its_project() {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let cases = all();
        assert_eq!(cases.len(), 31);
        for case in cases {
            let input = case.input(repository, "/p").unwrap();
            let parsed: serde_json::Value = serde_json::from_str(&input).unwrap();
            // Goose says where it works in none but tool events; then the directory it runs us in counts.
            let says_where = input.contains("\"/p") || case.agent == "goose";
            assert!(parsed.is_object() && says_where && !input.contains(PROJECT), "{}", case.title());
        }
    }
}
