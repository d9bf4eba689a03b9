//! What becomes of an outcome at one agent: what it can do is said, what it cannot is named instead of lost.

use std::borrow::Cow;

use serde_json::Value;
use symposium_model::hook::{Decision, Detail, Event, HookInput, Outcome};

use super::vocabulary::to_native;
use crate::dialect::{AgentEvent, Ask, Can, Context, Deny, Dialect, MessageChannel, Rewrite};
use crate::form::{Reply, Verdict};

/// Something an agent could not be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// A deny at an event that cannot be stopped.
    Deny,
    /// A deny of a turn's end by a hook that had its turn already.
    AnotherTurn,
    /// Text for the model.
    Context,
    /// A changed input.
    Rewrite,
    /// A changed input that would need a permission nobody gave.
    RewriteWithoutAllow,
    /// A wish to ask at an event where there is nothing to ask.
    Ask,
}

impl Loss {
    /// In words, for the trail and for people.
    pub fn text(self) -> &'static str {
        match self {
            Self::Deny => "nothing can be denied at this event",
            Self::AnotherTurn => "a hook already asked for this turn",
            Self::Context => "this agent takes no context at this event",
            Self::Rewrite => "this agent takes no changed input at this event",
            Self::RewriteWithoutAllow => "this agent takes a changed input only from a handler that allows it",
            Self::Ask => "there is nothing to ask at this event",
        }
    }
}

/// What an agent is told of an outcome, and what it cannot be told.
pub fn settle<'a>(
    dialect: &'a Dialect,
    event: AgentEvent,
    input: &HookInput,
    outcome: &Outcome,
) -> (Reply<'a>, Vec<Loss>) {
    let mut losses = Vec::new();
    let canonical = input.event();
    let can = match &input.detail {
        Detail::PostToolUse(_, result) if result.failed => dialect.can.after_failure(),
        Detail::PreToolUse(_)
        | Detail::PostToolUse(..)
        | Detail::UserPromptSubmit { .. }
        | Detail::SessionStart { .. }
        | Detail::Stop { .. } => dialect.can.at(canonical),
    };
    let can = can.copied().unwrap_or(Can::ONLY_WATCH);
    let said = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let mut context: Vec<Cow<'_, str>> = said(&outcome.context).map(Cow::Owned).into_iter().collect();
    let reason = said(&outcome.reason);
    let verdict = match outcome.decision {
        Some(Decision::Deny) => {
            // Codex takes a deny without a reason for none.
            let reason = reason.unwrap_or_else(|| "Blocked by a hook".to_owned());
            denied(can, input, reason, &mut context, &mut losses)
        }
        Some(Decision::Ask) if canonical != Event::PreToolUse => {
            losses.push(Loss::Ask);
            Verdict::Nothing
        }
        Some(Decision::Ask) => match can.ask {
            Ask::Works => Verdict::Ask(reason),
            Ask::Denies => {
                let wish = reason.unwrap_or_else(|| "A hook wants you to be asked".to_owned());
                let text = format!("{wish} ({} cannot ask from a hook, so it is denied)", dialect.owner.name());
                denied(can, input, text, &mut context, &mut losses)
            }
        },
        Some(Decision::Allow) if canonical == Event::PreToolUse => Verdict::Allow(reason),
        None | Some(Decision::Allow) => Verdict::Nothing,
    };
    let rewrite = rewrite(dialect, can, input, outcome, &verdict, &mut losses);
    let context = match can.context {
        _ if context.is_empty() => None,
        Context::Reaches => Some(context.join("\n\n")),
        Context::Impossible => {
            losses.push(Loss::Context);
            None
        }
    };
    let message = match dialect.message {
        MessageChannel::Shown => said(&outcome.message),
        MessageChannel::Impossible => None,
    };
    let native_event = dialect.name_of(event).unwrap_or(canonical.name());
    (Reply { event: canonical, native_event, verdict, context, message, rewrite, reload_skills: false }, losses)
}

fn denied(
    can: Can,
    input: &HookInput,
    reason: String,
    context: &mut Vec<Cow<'_, str>>,
    losses: &mut Vec<Loss>,
) -> Verdict {
    match can.deny {
        Deny::Blocks => Verdict::Block(reason),
        Deny::AnotherTurn => {
            if matches!(input.detail, Detail::Stop { stop_hook_active: true, .. }) {
                losses.push(Loss::AnotherTurn);
                return Verdict::Nothing;
            }
            Verdict::Block(reason)
        }
        Deny::BecomesContext => {
            context.insert(0, Cow::Owned(reason));
            Verdict::Nothing
        }
        Deny::TrailOnly => {
            losses.push(Loss::Deny);
            Verdict::Nothing
        }
    }
}

fn rewrite(
    dialect: &Dialect,
    can: Can,
    input: &HookInput,
    outcome: &Outcome,
    verdict: &Verdict,
    losses: &mut Vec<Loss>,
) -> Option<Value> {
    let changed = outcome.updated_input.as_ref()?;
    // What does not run is not changed.
    if matches!(verdict, Verdict::Block(_)) {
        return None;
    }
    match can.rewrite {
        Rewrite::Works => {}
        Rewrite::NeedsAllow if matches!(verdict, Verdict::Allow(_)) => {}
        Rewrite::NeedsAllow => {
            losses.push(Loss::RewriteWithoutAllow);
            return None;
        }
        Rewrite::Impossible => {
            losses.push(Loss::Rewrite);
            return None;
        }
    }
    let native = input.tool()?.native.as_ref()?;
    let Some(input) = to_native(&dialect.wire, &native.name, &native.input, changed) else {
        losses.push(Loss::Rewrite);
        return None;
    };
    // Gemini tells the model of every change, so that one is not made up.
    (native.input != input).then_some(input)
}

#[cfg(test)]
#[path = "settle_tests.rs"]
mod tests;
