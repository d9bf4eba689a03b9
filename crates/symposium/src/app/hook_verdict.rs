//! Whether what an agent was told at a trial is what the case expects, and whose fault it is when not.

use symposium_agents::wire::{Loss, read_answer};
use symposium_agents::{Ask, Can, Deny, dialect};
use symposium_hook::{End, NativeTrial, Trial};
use symposium_model::agent::AgentId;
use symposium_model::hook::{Decision, Detail, Event, HookInput, HookOutput};
use symposium_model::manifest::{Expected, ExpectedDecision};

/// What came of one case with one agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// What was expected.
    Met,
    /// The hook did what was expected, and the agent has no way to take it.
    Cannot(String),
    /// Something else.
    Failed(String),
}

/// Judges a trial. `asked` is the event as the case has it, before it became the agent's.
pub(crate) fn judge(expected: &Expected, asked: Option<&HookInput>, agent: AgentId, trial: &Trial) -> Verdict {
    let differences = expected.differences(&trial.outcome);
    let refused = expected.decision == Some(ExpectedDecision::Is(Decision::Deny)) && differences.is_empty();
    for ran in &trial.handlers {
        // A handler that had no say meets every expectation that it says nothing.
        match ran.end.as_str() {
            "not started" => return Verdict::Failed(with_notes("the handler could not be started", trial)),
            "killed" if !refused => return Verdict::Failed(with_notes("the handler did not end in time", trial)),
            _ => {}
        }
    }
    if !differences.is_empty() {
        if let Some(lost) = asked.and_then(|asked| lost_on_the_way(asked, &trial.input)) {
            return Verdict::Cannot(lost);
        }
        let mut text = differences.join("; ");
        if trial.handlers.is_empty() {
            text.push_str(", and the hook was not called at all");
        }
        return Verdict::Failed(with_notes(&text, trial));
    }
    let lost = shortcomings(agent, trial);
    if !lost.is_empty() {
        return Verdict::Cannot(lost.join("; "));
    }
    match missing(expected, agent, trial) {
        Some(what) => Verdict::Failed(format!("{what} does not reach the agent, whose answer is `{}`", answer(trial))),
        None => Verdict::Met,
    }
}

/// Judges a trial of an event that one agent alone has: what its handler says is what the agent hears.
pub(crate) fn judge_native(expected: &Expected, trial: &NativeTrial) -> Verdict {
    let notes = |text: &str| trial.notes.iter().fold(text.to_owned(), |text, note| format!("{text}; {note}"));
    if trial.handlers.iter().any(|ran| ran.ended() == End::NotStarted) {
        return Verdict::Failed(notes("the handler could not be started"));
    }
    let mut differences = expected.differences(&trial.outcome);
    if differences.is_empty() {
        return Verdict::Met;
    }
    if trial.handlers.is_empty() {
        differences.push("the hook was not called at all".to_owned());
    }
    Verdict::Failed(notes(&differences.join("; ")))
}

/// What of an event the agent has no words for, so that the hook was asked something else.
fn lost_on_the_way(asked: &HookInput, seen: &HookInput) -> Option<String> {
    if has_failed(asked) && !has_failed(seen) {
        return Some("this agent has no event of its own for a tool that failed".to_owned());
    }
    let (asked, seen) = (asked.tool()?, seen.tool()?);
    (asked.name != seen.name).then(|| format!("this agent calls the tool `{}`", seen.name))
}

fn with_notes(text: &str, trial: &Trial) -> String {
    trial.notes.iter().fold(text.to_owned(), |text, note| format!("{text}; {note}"))
}

fn has_failed(input: &HookInput) -> bool {
    matches!(&input.detail, Detail::PostToolUse(_, result) if result.failed)
}

fn ability(agent: AgentId, input: &HookInput) -> Can {
    let abilities = &dialect(agent).can;
    let can = if has_failed(input) { abilities.after_failure() } else { abilities.at(input.event()) };
    can.copied().unwrap_or(Can::ONLY_WATCH)
}

/// What of the outcome the agent cannot do.
fn shortcomings(agent: AgentId, trial: &Trial) -> Vec<&'static str> {
    let mut lost: Vec<&'static str> = trial.losses.iter().copied().map(Loss::text).collect();
    let can = ability(agent, &trial.input);
    let at_tool = trial.input.event() == Event::PreToolUse;
    match trial.outcome.decision {
        Some(Decision::Deny) if can.deny == Deny::BecomesContext => {
            lost.push("this agent cannot refuse here, so the reason becomes context");
        }
        Some(Decision::Ask) if at_tool && can.ask == Ask::Denies => {
            lost.push("this agent cannot ask from a hook, so it is denied");
        }
        Some(Decision::Allow) if at_tool && heard(agent, trial).decision.is_none() => {
            lost.push("an `allow` changes nothing on this agent");
        }
        Some(Decision::Deny | Decision::Ask | Decision::Allow) | None => {}
    }
    lost
}

/// What the agent can take and yet does not find in the answer: that would be a fault of ours.
fn missing(expected: &Expected, agent: AgentId, trial: &Trial) -> Option<&'static str> {
    let heard = heard(agent, trial);
    let decided = match trial.outcome.decision {
        Some(Decision::Deny) => heard.decision == Some(Decision::Deny),
        Some(Decision::Ask) => heard.decision == Some(Decision::Ask),
        Some(Decision::Allow) | None => heard.decision != Some(Decision::Deny),
    };
    if !decided {
        return Some("the decision");
    }
    if expected.context.is_some() && heard.additional_context.is_none() {
        return Some("the context");
    }
    let changed = heard.updated_input.unwrap_or_default();
    let denied = trial.outcome.decision == Some(Decision::Deny);
    let is_there = |(key, value)| changed.get(key) == Some(value);
    if !denied && !expected.rewrite.iter().flatten().all(is_there) {
        return Some("the changed input");
    }
    None
}

/// The answer as the agent reads it.
fn heard(agent: AgentId, trial: &Trial) -> HookOutput {
    if trial.emission.exit == 2 {
        let reason = Some(trial.emission.stderr.to_string());
        return HookOutput { decision: Some(Decision::Deny), reason, ..HookOutput::default() };
    }
    read_answer(dialect(agent), &trial.input, &trial.emission.stdout).unwrap_or_default()
}

fn answer(trial: &Trial) -> String {
    format!("{}{}", trial.emission.stdout.trim(), trial.emission.stderr.trim())
}

#[cfg(test)]
#[path = "hook_verdict_tests.rs"]
mod tests;
