//! Parser of `[[hooks.tests]]`, the test cases of a hook. An error invalidates only the case it is in.

use serde_json::{Map, Value};

use super::expected::{ExpectedDecision, ExpectedOutcome, TestCase, TestInput};
use super::named_agent;
use crate::hook::{Decision, Event, HookEvent, HookInput};
use crate::suggest::advice;
use crate::toml_table::{ParseReport, SpannedValue, TomlTable};

const OF_ALL: [&str; 2] = ["session_id", "cwd"];

/// Parses the cases of a hook; if its event is unknown they are only checked.
pub(super) fn read(hook: &mut TomlTable<'_>, event: Option<&HookEvent>, report: &mut ParseReport<'_>) -> Vec<TestCase> {
    let cases = hook.tables_called("tests", "hooks.tests", report).into_iter().enumerate();
    cases.filter_map(|(position, case)| read_case(case, position + 1, event, report)).collect()
}

fn read_case(
    mut table: TomlTable<'_>,
    number: usize,
    event: Option<&HookEvent>,
    report: &mut ParseReport<'_>,
) -> Option<TestCase> {
    let errors = report.errors();
    let place = table.span();
    let name = table.string("name", report).map(|name| name.value).filter(|name| !name.trim().is_empty());
    let agent = named_agent::read(&mut table, report);
    let before = report.errors();
    let written = table.json("input", report);
    // A value that is there and not a table was reported.
    let is_absent = written.is_none() && report.errors() == before;
    let input = if is_absent { Some(SpannedValue { value: Map::new(), span: place.clone() }) } else { written };
    let input = event.zip(input).and_then(|(event, input)| read_input(event, input, report));
    let expected = ExpectedOutcome {
        decision: read_decision(&mut table, report),
        reason: table.string("reason", report).map(|reason| reason.value),
        context: table.string("context", report).map(|context| context.value),
        rewrite: table.json("rewrite", report).map(|rewrite| rewrite.value),
    };
    if expected.is_empty() && report.errors() == errors {
        let help = "add `decision`, `reason`, `context` or `rewrite`";
        report.warning(place.clone(), "This case expects nothing, so it fails only if the hook cannot run", help);
    }
    table.finish(report);
    if report.errors() > errors {
        return None;
    }
    let name = name.unwrap_or_else(|| format!("case {number}"));
    Some(TestCase { name, agent, input: input?, expected, place })
}

fn read_input(
    event: &HookEvent,
    input: SpannedValue<Map<String, Value>>,
    report: &mut ParseReport<'_>,
) -> Option<TestInput> {
    let event = match event {
        HookEvent::Canonical(event) => *event,
        // Only the agent knows the fields of its event.
        HookEvent::Native { .. } => return Some(TestInput::Native(input.value)),
    };
    let known: Vec<&str> = fields_of(event).iter().chain(&OF_ALL).copied().collect();
    for key in input.value.keys().filter(|key| !known.contains(&key.as_str())) {
        let help = advice(key, &known, || format!("known there: {}", known.join(", ")));
        report.warning(input.span.clone(), format!("{event} has no field `{key}`"), help);
    }
    if input.value.contains_key("cwd") {
        let help = "remove it; each case runs in its own empty directory";
        report.warning(input.span.clone(), "`cwd` of a case is not used", help);
    }
    let example = match event {
        Event::PreToolUse | Event::PostToolUse => r#"tool_name = "Bash", tool_input = { command = "ls" }"#,
        Event::UserPromptSubmit => r#"prompt = "…""#,
        Event::SessionStart => r#"source = "startup""#,
        Event::Stop => "stop_hook_active = false",
    };
    let whole = Map::from_iter([(event.name().to_owned(), Value::Object(input.value))]);
    match HookInput::from_json(event, whole) {
        Ok(read) => Some(TestInput::Canonical(Box::new(read))),
        Err(fault) => {
            let message = format!("This is not a valid {event}: {fault}");
            report.error(input.span, message, format!("write `input = {{ {example} }}`"));
            None
        }
    }
}

/// Returns the fields that a case may set.
fn fields_of(event: Event) -> &'static [&'static str] {
    match event {
        Event::PreToolUse => &["tool_name", "tool_input"],
        Event::PostToolUse => &["tool_name", "tool_input", "tool_response", "tool_failed", "output"],
        Event::UserPromptSubmit => &["prompt"],
        Event::SessionStart => &["source"],
        Event::Stop => &["stop_hook_active", "last_assistant_message"],
    }
}

fn read_decision(table: &mut TomlTable<'_>, report: &mut ParseReport<'_>) -> Option<ExpectedDecision> {
    let written = table.string("decision", report)?;
    let words = [Decision::Deny, Decision::Ask, Decision::Allow].map(ExpectedDecision::Is);
    let found = words.into_iter().chain([ExpectedDecision::Nothing]).find(|word| word.name() == written.value);
    if found.is_none() {
        let message = format!("`decision` cannot be `{}`", written.value);
        report.error(written.span, message, "use deny, ask, allow, or none for no opinion");
    }
    found
}

#[cfg(test)]
#[path = "cases_tests.rs"]
mod tests;
