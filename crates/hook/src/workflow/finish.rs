//! The `finish` workflow: before the agent stops, it is to run cargo after its last change of a Rust file.
//!
//! The session's file records the changes and the runs. The workflow starts nothing itself.

use std::borrow::Cow;
use std::path::Path;

use serde_json::Value;
use symposium_agents::wire::shell_output;
use symposium_agents::{OutputExtent, dialect};
use symposium_cargo_output::{RunOutcome, RunVerdict, TestPresence, judge_run};
use symposium_model::hook::{EventDetail, HookDecision, HookInput, HookOutput};

use super::{WorkflowResult, WorkflowSetting, cargo_output, written_files};
use crate::edge::disk;
use crate::session::{self, SessionFact};

/// The most files that are named.
const MOST_NAMED: usize = 10;

const COMMAND: &str = "cargo check --workspace --all-targets";

/// Records what a tool did, or judges whether the agent may stop.
pub(crate) fn follow(input: &HookInput, setting: WorkflowSetting<'_>) -> WorkflowResult {
    let Some(file) = setting.session else { return WorkflowResult::unchanged() };
    match &input.detail {
        EventDetail::PostToolUse(tool, result) if tool.name != "Bash" => {
            if !result.failed {
                session::remember(file, &changed_files(input, setting.places.workspace));
            }
            WorkflowResult::unchanged()
        }
        EventDetail::PostToolUse(..) => {
            let Some(verdict) = judge_command(input, setting) else { return WorkflowResult::unchanged() };
            if verdict.outcome == RunOutcome::Succeeded {
                session::remember(file, &[SessionFact::Checked]);
            }
            if verdict.tests == TestPresence::NoneRan {
                say(NO_TESTS, None, "noted")
            } else {
                WorkflowResult::unchanged()
            }
        }
        EventDetail::Stop { stop_hook_active, .. } => stop(file, *stop_hook_active),
        EventDetail::PreToolUse(_) | EventDetail::UserPromptSubmit { .. } | EventDetail::SessionStart { .. } => {
            WorkflowResult::unchanged()
        }
    }
}

const NO_TESTS: &str = "This test command ran no test, so it shows nothing about the change.";

fn say(text: &str, decision: Option<HookDecision>, end: &'static str) -> WorkflowResult {
    let text = Some(text.to_owned());
    let (reason, context) = if decision.is_some() { (text, None) } else { (None, text) };
    let said = HookOutput { decision, reason, additional_context: context, ..HookOutput::default() };
    WorkflowResult { said: Some(said), end, note: None }
}

/// Asks for one more turn, never for two in a row.
fn stop(file: &Path, is_another_turn: bool) -> WorkflowResult {
    let Some(session) = session::read(file) else { return WorkflowResult::unchanged() };
    if is_another_turn || session.asked {
        if session.asked {
            session::remember(file, &[SessionFact::Answered]);
        }
        return WorkflowResult::unchanged();
    }
    // A request that is not recorded would be repeated at every stop.
    if session.changed.is_empty() || !session::remember(file, &[SessionFact::Asked]) {
        return WorkflowResult::unchanged();
    }
    say(&request(&session.changed), Some(HookDecision::Deny), "asked")
}

fn request(changed: &[String]) -> String {
    let named: Vec<String> = changed.iter().take(MOST_NAMED).map(|file| format!("`{file}`")).collect();
    let more = changed.len().saturating_sub(MOST_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!(
        "No cargo check, clippy, build or test has succeeded since these files were changed: {}{more}. \
         Run `{COMMAND}`, or the tests, and fix what it reports before you finish.",
        named.join(", ")
    )
}

/// Lists the Rust files and manifests that a tool changed in the workspace.
fn changed_files(input: &HookInput, workspace: Option<&Path>) -> Vec<SessionFact> {
    let is_writing = input.tool().is_some_and(|tool| matches!(tool.name.as_str(), "Write" | "Edit" | "Patch"));
    let Some(workspace) = workspace.filter(|_| is_writing) else { return Vec::new() };
    let files = written_files(input, workspace)
        .into_iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "rs") || file.ends_with("Cargo.toml"));
    let inside = files.filter_map(|file| {
        let resolved = disk::canonical(&file)?;
        let root = disk::canonical(workspace)?;
        resolved.strip_prefix(&root).ok().map(Path::to_owned)
    });
    inside.map(|file| SessionFact::Changed(file.display().to_string())).collect()
}

fn judge_command(input: &HookInput, setting: WorkflowSetting<'_>) -> Option<RunVerdict> {
    let command = input.tool()?.input.get("command").and_then(Value::as_str)?;
    let shell = shell_output(setting.agent.map(dialect), input)?;
    let text = match shell.extent {
        OutputExtent::Whole | OutputExtent::Cut => Cow::Borrowed(shell.text.as_ref()),
        OutputExtent::CutBeside(file) => cargo_output::read_whole(Path::new(file)).map_or(shell.text, Cow::Owned),
    };
    judge_run(command, &text, shell.exit_code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_files_are_counted() {
        let files: Vec<String> = (0..12).map(|number| format!("src/f{number}.rs")).collect();
        let text = request(&files);
        assert!(text.contains("`src/f9.rs` and 2 more. Run `cargo check"), "{text}");
        assert!(!text.contains("f10"), "{text}");
    }
}
