//! The built-in workflows, which run inside the hook process.

pub(crate) mod autofmt;
pub(crate) mod cargo_output;
pub(crate) mod deps;
pub(crate) mod finish;
pub(crate) mod rtk;

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Map, Value};
use symposium_agents::{RewriteEffect, dialect};
use symposium_model::agent::AgentId;
use symposium_model::hook::hook_plan::{FormattingSettings, HandlerAction};
use symposium_model::hook::{CommandRule, Event, HookInput, HookOutput, rule_about, rule_passed_by};

use self::autofmt::{FormatResult, RustFormatter};
use self::rtk::{RtkCall, RtkExceptions};
use crate::byte_search::contains_any;
use crate::edge::environment;
use crate::handler_environment::EventPlaces;
use crate::hook_log::REWRITTEN;

#[derive(Debug, Default)]
pub(crate) struct WorkflowResult {
    pub(crate) said: Option<HookOutput>,
    pub(crate) end: &'static str,
    pub(crate) note: Option<&'static str>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct WorkflowSetting<'a> {
    pub(crate) agent: Option<AgentId>,
    pub(crate) places: EventPlaces<'a>,
    pub(crate) rules: &'a [CommandRule],
    /// The file with the facts of the session.
    pub(crate) session: Option<&'a Path>,
    pub(crate) deadline: Instant,
}

pub(crate) const UNCHANGED: &str = "unchanged";

impl WorkflowResult {
    fn unchanged() -> Self {
        Self { end: UNCHANGED, ..Self::default() }
    }
}

/// Returns true for a program, which gets the whole event.
pub(crate) fn is_program(action: &HandlerAction) -> bool {
    match action {
        HandlerAction::Direct { .. } | HandlerAction::Shell { .. } => true,
        HandlerAction::Rtk { .. }
        | HandlerAction::Autofmt(_)
        | HandlerAction::Cargo
        | HandlerAction::Deps
        | HandlerAction::Finish => false,
    }
}

/// Returns true for a handler that may have something to do at any event.
pub(crate) fn is_always_concerned(action: &HandlerAction) -> bool {
    match action {
        HandlerAction::Direct { .. }
        | HandlerAction::Shell { .. }
        | HandlerAction::Rtk { .. }
        | HandlerAction::Autofmt(_) => true,
        HandlerAction::Cargo | HandlerAction::Deps | HandlerAction::Finish => false,
    }
}

/// Returns true if a handler may have something to do at an event, judged by the event's bytes. Most events are about
/// something else than cargo, and need not be decoded.
pub(crate) fn may_concern(action: &HandlerAction, event: Event, raw: &[u8]) -> bool {
    match action {
        HandlerAction::Direct { .. }
        | HandlerAction::Shell { .. }
        | HandlerAction::Rtk { .. }
        | HandlerAction::Autofmt(_) => true,
        HandlerAction::Cargo => contains_any(raw, &["cargo"]),
        HandlerAction::Deps => {
            contains_any(raw, &["Cargo.toml"]) || (contains_any(raw, &["cargo"]) && contains_any(raw, &[" add"]))
        }
        HandlerAction::Finish => event == Event::Stop || contains_any(raw, &["cargo", ".rs", "Cargo.toml"]),
    }
}

const RTK: &str = "rtk";
const RUSTFMT: &str = "rustfmt";

/// Replaces a shell command by one with shorter output. A command that a rule of the user matches stays: the agent
/// applies its rules to the new command, which that rule may not match.
pub(crate) fn shorten(input: &HookInput, exclude: &[String], setting: WorkflowSetting<'_>) -> WorkflowResult {
    let unchanged = WorkflowResult::unchanged();
    let takes_it =
        |agent| dialect(agent).can.at(Event::PreToolUse).is_some_and(|can| can.rewrite == RewriteEffect::Works);
    let command = input.tool().filter(|tool| tool.name == "Bash").and_then(|tool| tool.input.get("command")?.as_str());
    let Some(command) = command.filter(|_| setting.agent.is_none_or(takes_it)) else { return unchanged };
    if rule_about(setting.rules, setting.agent, command).is_some() {
        return unchanged;
    }
    let disabled = environment::variable("RTK_DISABLED");
    let exceptions = RtkExceptions { exclude, disabled: disabled.as_deref() };
    let asking = RtkCall { program: Path::new(RTK), places: setting.places, deadline: setting.deadline };
    let Some(shorter) = rtk::rewrite(command, &exceptions, &asking) else { return unchanged };
    if rule_passed_by(setting.rules, setting.agent, command, &shorter).is_some() {
        return unchanged;
    }
    let updated = Map::from_iter([("command".to_owned(), Value::from(shorter))]);
    WorkflowResult {
        said: Some(HookOutput { updated_input: Some(updated), ..HookOutput::default() }),
        end: REWRITTEN,
        note: None,
    }
}

pub(crate) fn rtk_hint(places: EventPlaces<'_>, deadline: Instant) -> Option<&'static str> {
    rtk::state(&RtkCall { program: Path::new(RTK), places, deadline }).hint()
}

pub(crate) fn tidy(input: &HookInput, formatting: &FormattingSettings, setting: WorkflowSetting<'_>) -> WorkflowResult {
    let mut done = WorkflowResult::unchanged();
    let Some(workspace) = setting.places.workspace else { return done };
    let formatter = RustFormatter {
        rustfmt: Path::new(RUSTFMT),
        workspace,
        places: setting.places,
        editions: &formatting.editions,
        toolchain: formatting.toolchain.as_deref(),
        deadline: setting.deadline,
    };
    let mut told = Vec::new();
    for file in written_files(input, workspace).into_iter().filter(|file| autofmt::is_rust(file)) {
        match autofmt::format(&file, &formatter) {
            FormatResult::Done => {
                done.end = "formatted";
                told.push(format!("`{}` was formatted with rustfmt after you wrote it.", file.display()));
            }
            FormatResult::Same => {}
            FormatResult::LeftAlone(reason) => done.note = Some(reason),
            FormatResult::Failed(text) => told.push(text),
        }
    }
    if !told.is_empty() {
        done.said = Some(HookOutput { additional_context: Some(told.join("\n")), ..HookOutput::default() });
    }
    done
}

/// Lists the files that a tool wrote; a relative path starts at the agent's working directory.
fn written_files(input: &HookInput, workspace: &Path) -> Vec<PathBuf> {
    let Some(tool) = input.tool() else { return Vec::new() };
    let base = input.cwd.as_deref().map_or(workspace, Path::new);
    let one = tool.input.get("file_path").and_then(Value::as_str);
    let several = tool.input.get("files").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    one.into_iter().chain(several).map(|file| base.join(file)).collect()
}
