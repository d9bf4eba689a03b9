//! Whether what an agent was told at a trial is what the case expects, and whose fault it is when not.

use symposium_agents::wire::{UnsupportedEffect, read_answer};
use symposium_agents::{AskEffect, DenyEffect, EventAbilities, dialect};
use symposium_hook::{DryRun, HandlerEnd, HandlerOutput, HandlerRun, NativeTrial};
use symposium_model::agent::AgentId;
use symposium_model::hook::{Event, EventDetail, HookDecision, HookInput, HookOutput, Outcome, ToolMatcher, shortened};
use symposium_model::manifest::{ExpectedDecision, ExpectedOutcome};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CaseVerdict {
    Met,
    /// The hook did what was expected, and the agent has no way to take it.
    Cannot(String),
    Failed(String),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct CaseExpectation<'q> {
    pub(crate) expected: &'q ExpectedOutcome,
    /// The event as the case has it, before it became the agent's.
    pub(crate) asked: Option<&'q HookInput>,
    pub(crate) matcher: &'q ToolMatcher,
}

pub(crate) fn judge(question: CaseExpectation<'_>, agent: AgentId, trial: &DryRun) -> CaseVerdict {
    let CaseExpectation { expected, asked, matcher } = question;
    let differences = expected.differences(&trial.outcome);
    let refused = expected.decision == Some(ExpectedDecision::Is(HookDecision::Deny)) && differences.is_empty();
    let told = TrialRecord { handlers: &trial.handlers, outputs: &trial.outputs, notes: &trial.notes };
    if !differences.is_empty()
        && let Some(lost) = asked.and_then(|asked| lost_on_the_way(asked, &trial.input))
    {
        return CaseVerdict::Cannot(lost);
    }
    // A handler that had no say meets every expectation that it says nothing. Failing may be how it refuses, but one that
    // never began shows nothing of it.
    let never_began = trial.handlers.iter().any(|ran| ran.ended() == HandlerEnd::NotStarted);
    if (!refused || never_began)
        && let Some(failure) = told.failure(&trial.outcome)
    {
        return CaseVerdict::Failed(told.with_notes(&failure));
    }
    if !differences.is_empty() {
        let mut text = differences.join("; ");
        if trial.handlers.is_empty() {
            text.push_str(&format!(", and the hook was not called{}", mismatch(matcher, &trial.input)));
        }
        return CaseVerdict::Failed(told.with_notes(&text));
    }
    let lost = shortcomings(agent, trial);
    if !lost.is_empty() {
        return CaseVerdict::Cannot(lost.join("; "));
    }
    match missing(expected, agent, trial) {
        Some(what) => {
            CaseVerdict::Failed(format!("{what} does not reach the agent, whose answer is `{}`", answer(trial)))
        }
        None => CaseVerdict::Met,
    }
}

/// Judges a trial of an event that one agent alone has: what its handler says is what the agent hears.
pub(crate) fn judge_native(expected: &ExpectedOutcome, trial: &NativeTrial) -> CaseVerdict {
    let told = TrialRecord { handlers: &trial.handlers, outputs: &trial.outputs, notes: &trial.notes };
    if let Some(failure) = told.failure(&trial.outcome) {
        return CaseVerdict::Failed(told.with_notes(&failure));
    }
    let mut differences = expected.differences(&trial.outcome);
    if differences.is_empty() {
        return CaseVerdict::Met;
    }
    if trial.handlers.is_empty() {
        differences.push("the hook was not called".to_owned());
    }
    CaseVerdict::Failed(told.with_notes(&differences.join("; ")))
}

struct TrialRecord<'t> {
    handlers: &'t [HandlerRun],
    outputs: &'t [HandlerOutput],
    notes: &'t [String],
}

impl TrialRecord<'_> {
    /// Describes the first failure of a handler that left the outcome unchanged.
    fn failure(&self, outcome: &Outcome) -> Option<String> {
        let unusable = self.outputs.iter().any(|output| output.is_unusable);
        self.handlers.iter().find_map(|ran| match ran.ended() {
            HandlerEnd::NotStarted => Some("the handler could not be started".to_owned()),
            HandlerEnd::Killed => Some("the handler timed out".to_owned()),
            HandlerEnd::Exit(0) if unusable && outcome.is_neutral() => {
                Some("the handler printed invalid output".to_owned())
            }
            HandlerEnd::Exit(0 | 2) => None,
            HandlerEnd::Exit(code) if outcome.is_neutral() => Some(format!("the handler ended with exit code {code}")),
            HandlerEnd::Exit(_) | HandlerEnd::Signal(_) | HandlerEnd::Rewritten | HandlerEnd::Other => None,
        })
    }

    /// Appends the notes of the hook log and the output of the handler to a text.
    fn with_notes(&self, text: &str) -> String {
        let mut text = self.notes.iter().fold(text.to_owned(), |text, note| format!("{text}; {note}"));
        for output in self.outputs {
            for (printed, stream) in [(&output.stderr, "error"), (&output.stdout, "output")] {
                let printed = excerpt(printed);
                let is_told = stream == "error" || output.is_unusable;
                if is_told && !printed.is_empty() && !text.contains(&printed) {
                    text.push_str(&format!("; standard {stream}: `{printed}`"));
                }
            }
        }
        text
    }
}

/// As much of what a handler printed as fits on a line.
fn excerpt(printed: &str) -> String {
    const LONGEST: usize = 200;
    let line = printed.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.len() > LONGEST { format!("{}…", shortened(&line, LONGEST)) } else { line }
}

/// Explains that a hook was not called because of its matcher; empty if the matcher is not the reason.
fn mismatch(matcher: &ToolMatcher, input: &HookInput) -> String {
    let Some(tool) = input.tool() else { return String::new() };
    let native = tool.native.as_ref().map(|native| native.name.as_str());
    let names: Vec<&str> = std::iter::once(tool.name.as_str()).chain(native).collect();
    if matcher.matches(&names) {
        return String::new();
    }
    format!(": its matcher `{}` does not match `{}`", matcher, tool.name)
}

/// Describes a part of the event that the agent cannot express, so that the hook got another input.
fn lost_on_the_way(asked: &HookInput, seen: &HookInput) -> Option<String> {
    if has_failed(asked) && !has_failed(seen) {
        return Some("this agent has no separate event for a failed tool".to_owned());
    }
    let (asked, seen) = (asked.tool()?, seen.tool()?);
    (asked.name != seen.name).then(|| format!("this agent calls the tool `{}`", seen.name))
}

fn has_failed(input: &HookInput) -> bool {
    matches!(&input.detail, EventDetail::PostToolUse(_, result) if result.failed)
}

fn abilities_at(agent: AgentId, input: &HookInput) -> EventAbilities {
    let abilities = &dialect(agent).can;
    let can = if has_failed(input) { abilities.after_failure() } else { abilities.at(input.event()) };
    can.copied().unwrap_or(EventAbilities::ONLY_WATCH)
}

fn shortcomings(agent: AgentId, trial: &DryRun) -> Vec<&'static str> {
    let mut lost: Vec<&'static str> = trial.losses.iter().copied().map(UnsupportedEffect::text).collect();
    let can = abilities_at(agent, &trial.input);
    let at_tool = trial.input.event() == Event::PreToolUse;
    match trial.outcome.decision {
        Some(HookDecision::Deny) if can.deny == DenyEffect::BecomesContext => {
            lost.push("this agent cannot deny at this event, so it only reads the reason as text");
        }
        Some(HookDecision::Ask) if at_tool && can.ask == AskEffect::Denies => {
            lost.push("this agent cannot ask from a hook, so it is denied");
        }
        Some(HookDecision::Allow) if at_tool && read_agent_answer(agent, trial).decision.is_none() => {
            lost.push("this agent ignores `allow`");
        }
        Some(HookDecision::Deny | HookDecision::Ask | HookDecision::Allow) | None => {}
    }
    lost
}

/// Names an expected effect that the agent supports and its answer lacks, which is a fault of Symposium.
fn missing(expected: &ExpectedOutcome, agent: AgentId, trial: &DryRun) -> Option<&'static str> {
    let heard = read_agent_answer(agent, trial);
    let decided = match trial.outcome.decision {
        Some(HookDecision::Deny) => heard.decision == Some(HookDecision::Deny),
        Some(HookDecision::Ask) => heard.decision == Some(HookDecision::Ask),
        // Some agents take a changed output as the reason of a deny.
        Some(HookDecision::Allow) | None => {
            heard.decision != Some(HookDecision::Deny) || trial.outcome.updated_output.is_some()
        }
    };
    if !decided {
        return Some("the decision");
    }
    if expected.context.is_some() && heard.additional_context.is_none() {
        return Some("the context");
    }
    let changed = heard.updated_input.unwrap_or_default();
    let denied = trial.outcome.decision == Some(HookDecision::Deny);
    let is_there = |(key, value)| changed.get(key) == Some(value);
    if !denied && !expected.rewrite.iter().flatten().all(is_there) {
        return Some("the changed input");
    }
    None
}

fn read_agent_answer(agent: AgentId, trial: &DryRun) -> HookOutput {
    if trial.emission.exit == 2 {
        let reason = Some(trial.emission.stderr.to_string());
        return HookOutput { decision: Some(HookDecision::Deny), reason, ..HookOutput::default() };
    }
    read_answer(dialect(agent), &trial.input, &trial.emission.stdout).unwrap_or_default()
}

fn answer(trial: &DryRun) -> String {
    format!("{}{}", trial.emission.stdout.trim(), trial.emission.stderr.trim())
}

#[cfg(test)]
#[path = "hook_expect_tests.rs"]
mod tests;
