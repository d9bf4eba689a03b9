//! The lowering of an outcome to what one agent supports; the rest is reported instead of lost.

use std::borrow::Cow;

use serde_json::Value;
use symposium_model::hook::{Event, EventDetail, HookDecision, HookInput, Outcome};

use super::shell::shell_output;
use super::vocabulary::to_native;
use crate::dialect::{
    AgentDialect, AgentEvent, AskEffect, ContextEffect, DenyEffect, EventAbilities, MessageChannel, OutputEffect,
    RewriteEffect,
};
use crate::wire_format::{LoweredDecision, LoweredOutcome};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnsupportedEffect {
    /// A deny at an event that cannot be stopped.
    Deny,
    /// A deny at the end of a turn that a hook already asked for.
    AnotherTurn,
    Context,
    Rewrite,
    RewriteWithoutAllow,
    Ask,
    Output,
}

impl UnsupportedEffect {
    pub fn text(self) -> &'static str {
        match self {
            Self::Deny => "nothing can be denied at this event",
            Self::AnotherTurn => "a hook already asked for this turn",
            Self::Context => "this agent takes no context at this event",
            Self::Rewrite => "this agent takes no changed input at this event",
            Self::RewriteWithoutAllow => "this agent takes a changed input only from a handler that allows it",
            Self::Ask => "there is nothing to ask at this event",
            Self::Output => "this agent takes no changed output here",
        }
    }
}

/// Lowers an outcome to what the agent supports, and returns the parts that it does not support.
pub fn lower_outcome<'a>(
    dialect: &'a AgentDialect,
    event: AgentEvent,
    input: &HookInput,
    outcome: &Outcome,
) -> (LoweredOutcome<'a>, Vec<UnsupportedEffect>) {
    let mut losses = Vec::new();
    let canonical = input.event();
    let can = match &input.detail {
        EventDetail::PostToolUse(_, result) if result.failed => dialect.can.after_failure(),
        EventDetail::PreToolUse(_)
        | EventDetail::PostToolUse(..)
        | EventDetail::UserPromptSubmit { .. }
        | EventDetail::SessionStart { .. }
        | EventDetail::Stop { .. } => dialect.can.at(canonical),
    };
    let can = can.copied().unwrap_or(EventAbilities::ONLY_WATCH);
    let said = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let mut context: Vec<Cow<'_, str>> = said(&outcome.context).map(Cow::Owned).into_iter().collect();
    let reason = said(&outcome.reason);
    let verdict = match outcome.decision {
        Some(HookDecision::Deny) => {
            // Codex ignores a deny without a reason.
            let reason = reason.unwrap_or_else(|| "Blocked by a hook".to_owned());
            denied(can, input, reason, &mut context, &mut losses)
        }
        Some(HookDecision::Ask) if canonical != Event::PreToolUse => {
            losses.push(UnsupportedEffect::Ask);
            LoweredDecision::Nothing
        }
        Some(HookDecision::Ask) => match can.ask {
            AskEffect::Works => LoweredDecision::Ask(reason),
            AskEffect::Denies => {
                let wish = reason.unwrap_or_else(|| "A hook wants you to be asked".to_owned());
                let text = format!("{wish} ({} cannot ask from a hook, so it is denied)", dialect.owner.name());
                denied(can, input, text, &mut context, &mut losses)
            }
        },
        Some(HookDecision::Allow) if canonical == Event::PreToolUse => LoweredDecision::Allow(reason),
        None | Some(HookDecision::Allow) => LoweredDecision::Nothing,
    };
    let rewrite = rewrite(dialect, can, input, outcome, &verdict, &mut losses);
    let output = outcome.updated_output.as_deref().and_then(|text| {
        let replaced = replaced_output(dialect, can, input, text);
        losses.extend(replaced.is_none().then_some(UnsupportedEffect::Output));
        replaced
    });
    let context = match can.context {
        _ if context.is_empty() => None,
        ContextEffect::Reaches => Some(context.join("\n\n")),
        ContextEffect::Impossible => {
            losses.push(UnsupportedEffect::Context);
            None
        }
    };
    let message = match dialect.message {
        MessageChannel::Shown => said(&outcome.message),
        MessageChannel::Impossible => None,
    };
    let native_event = dialect.name_of(event).unwrap_or(canonical.name());
    (
        LoweredOutcome {
            event: canonical,
            native_event,
            verdict,
            context,
            message,
            rewrite,
            output,
            reload_skills: false,
        },
        losses,
    )
}

fn denied(
    can: EventAbilities,
    input: &HookInput,
    reason: String,
    context: &mut Vec<Cow<'_, str>>,
    losses: &mut Vec<UnsupportedEffect>,
) -> LoweredDecision {
    match can.deny {
        DenyEffect::Blocks => LoweredDecision::Block(reason),
        DenyEffect::AnotherTurn => {
            if matches!(input.detail, EventDetail::Stop { stop_hook_active: true, .. }) {
                losses.push(UnsupportedEffect::AnotherTurn);
                return LoweredDecision::Nothing;
            }
            LoweredDecision::Block(reason)
        }
        DenyEffect::BecomesContext => {
            context.insert(0, Cow::Owned(reason));
            LoweredDecision::Nothing
        }
        DenyEffect::TrailOnly => {
            losses.push(UnsupportedEffect::Deny);
            LoweredDecision::Nothing
        }
    }
}

fn rewrite(
    dialect: &AgentDialect,
    can: EventAbilities,
    input: &HookInput,
    outcome: &Outcome,
    verdict: &LoweredDecision,
    losses: &mut Vec<UnsupportedEffect>,
) -> Option<Value> {
    let changed = outcome.updated_input.as_ref()?;
    // A blocked tool does not run, so its input does not matter.
    if matches!(verdict, LoweredDecision::Block(_)) {
        return None;
    }
    match can.rewrite {
        RewriteEffect::Works => {}
        RewriteEffect::NeedsAllow if matches!(verdict, LoweredDecision::Allow(_)) => {}
        RewriteEffect::NeedsAllow => {
            losses.push(UnsupportedEffect::RewriteWithoutAllow);
            return None;
        }
        RewriteEffect::Impossible => {
            losses.push(UnsupportedEffect::Rewrite);
            return None;
        }
    }
    let native = input.tool()?.native.as_ref()?;
    let Some(input) = to_native(&dialect.wire, &native.name, &native.input, changed) else {
        losses.push(UnsupportedEffect::Rewrite);
        return None;
    };
    // Gemini reports every change to the model, so an unchanged input is not sent.
    (native.input != input).then_some(input)
}

fn replaced_output(dialect: &AgentDialect, can: EventAbilities, input: &HookInput, text: &str) -> Option<Value> {
    let EventDetail::PostToolUse(tool, result) = &input.detail else { return None };
    let has_failed = || result.failed || shell_output(Some(dialect), input).is_some_and(|shell| shell.has_failed());
    let is_heard = match can.output {
        OutputEffect::Works => true,
        OutputEffect::OfFailures => has_failed(),
        OutputEffect::Impossible => false,
    };
    let native = tool.native.as_ref().filter(|_| is_heard)?;
    (dialect.wire.fields.replaced_output)(native, result, text)
}

#[cfg(test)]
#[path = "lower_tests.rs"]
mod tests;
