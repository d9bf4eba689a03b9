//! The `cargo` workflow: replaces the output of a cargo command by a shorter one that says the same.

use std::borrow::Cow;
use std::path::Path;

use serde_json::Value;
use symposium_agents::wire::shell_output;
use symposium_agents::{AgentDialect, OutputEffect, OutputExtent, ShellOutput, dialect};
use symposium_cargo_output::{RunOutcome, judge_run, recognise_cargo_call, shorten_output};
use symposium_model::agent::AgentId;
use symposium_model::hook::{EventDetail, HookInput, HookOutput};

use super::WorkflowResult;
use crate::edge::disk;

/// Bytes. A file with a longer output is not read.
const LARGEST: u64 = 16 << 20;

/// Replaces the output of a tool that called cargo, if the agent takes a replacement.
pub(crate) fn replace(input: &HookInput, agent: Option<AgentId>) -> WorkflowResult {
    let Some(short) = short_output(input, agent.map(dialect)) else { return WorkflowResult::unchanged() };
    let said = HookOutput { updated_output: Some(short), ..HookOutput::default() };
    WorkflowResult { said: Some(said), end: "shortened", note: None }
}

fn short_output(input: &HookInput, dialect: Option<&AgentDialect>) -> Option<String> {
    let command = input.tool()?.input.get("command").and_then(Value::as_str)?;
    let call = recognise_cargo_call(command)?;
    let shell = shell_output(dialect, input)?;
    if !dialect.is_none_or(|dialect| takes_output(dialect, input, &shell)) {
        return None;
    }
    let text = match shell.extent {
        OutputExtent::Whole => Cow::Borrowed(shell.text.as_ref()),
        OutputExtent::Cut => return None,
        OutputExtent::CutBeside(file) => Cow::Owned(read_whole(Path::new(file))?),
    };
    // A replaced output may hide the agent's own words about the exit code, so the text has to tell how it ended.
    let is_clear = || judge_run(command, &text, None).is_some_and(|verdict| verdict.outcome != RunOutcome::Unclear);
    if shell.exit_code.is_none() && !is_clear() {
        return None;
    }
    let Cow::Owned(short) = shorten_output(&call.arguments, &text, shell.exit_code) else { return None };
    let framed = shell.frame(&short);
    let shown = shell.before.len() + shell.text.len() + shell.after.len();
    let limit = dialect.and_then(|dialect| dialect.output_limit).unwrap_or(usize::MAX);
    (framed.len() < shown && framed.len() <= limit).then_some(framed)
}

fn takes_output(dialect: &AgentDialect, input: &HookInput, shell: &ShellOutput<'_>) -> bool {
    let can = match &input.detail {
        EventDetail::PostToolUse(_, result) if result.failed => dialect.can.after_failure(),
        _ => dialect.can.at(input.event()),
    };
    match can.map(|can| can.output) {
        Some(OutputEffect::Works) => true,
        Some(OutputEffect::OfFailures) => shell.has_failed(),
        Some(OutputEffect::Impossible) | None => false,
    }
}

/// Reads the file in which an agent keeps a long output.
pub(super) fn read_whole(file: &Path) -> Option<String> {
    let bytes = disk::read(file, LARGEST).filter(|_| file.is_absolute())?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
