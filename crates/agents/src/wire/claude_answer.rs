//! The nested answer that Claude Code introduced and others adopted: decisions about tools stand in
//! `hookSpecificOutput`, decisions about everything else beside it.

use serde_json::{Map, Value};
use symposium_model::hook::{Event, HookDecision, HookOutput};

use super::answer::{decision_of, fields_of, object_of, refusal_of, stops, text_of};
use crate::wire_format::{LoweredDecision, LoweredOutcome};

/// Writes an answer. No value is `null`, and the event is always named: either fault would void the answer.
pub(crate) fn write_nested(reply: &LoweredOutcome<'_>) -> Map<String, Value> {
    let (decision, reason) = match &reply.verdict {
        LoweredDecision::Nothing => (None, None),
        LoweredDecision::Allow(reason) => (Some("allow"), reason.as_deref()),
        LoweredDecision::Ask(reason) => (Some("ask"), reason.as_deref()),
        LoweredDecision::Block(reason) => (Some("deny"), Some(reason.as_str())),
    };
    let event = ("hookEventName", Some(reply.native_event.into()));
    let context = ("additionalContext", reply.context.as_deref().map(Value::from));
    let (mut answer, own) = match reply.event {
        Event::PreToolUse => {
            let own = fields_of([
                event,
                ("permissionDecision", decision.map(Value::from)),
                ("permissionDecisionReason", reason.map(Value::from)),
                ("updatedInput", reply.rewrite.clone()),
                context,
            ]);
            (Map::new(), own)
        }
        Event::PostToolUse | Event::UserPromptSubmit | Event::SessionStart | Event::Stop => {
            let answer =
                fields_of([("decision", decision.map(|_| Value::from("block"))), ("reason", reason.map(Value::from))]);
            (answer, fields_of([event, context]))
        }
    };
    if own.len() > 1 {
        answer.insert("hookSpecificOutput".to_owned(), Value::Object(own));
    }
    answer.extend(system_message(reply));
    answer
}

pub(crate) fn system_message(reply: &LoweredOutcome<'_>) -> Option<(String, Value)> {
    reply.message.as_deref().map(|message| ("systemMessage".to_owned(), message.into()))
}

/// Reads an answer, including the older form for tools (`decision` beside the object).
pub(crate) fn read_nested(event: Event, answer: &mut Map<String, Value>) -> HookOutput {
    let mut own = object_of(answer, "hookSpecificOutput").unwrap_or_default();
    own.retain(|_, value| !value.is_null());
    // At this event a stop keeps the prompt from being sent; at the others the tool runs all the same.
    let stopped = match event {
        Event::UserPromptSubmit => stops(answer),
        Event::PreToolUse | Event::PostToolUse | Event::SessionStart | Event::Stop => None,
    };
    let stricter = refusal_of(answer, "decision").or(stopped.as_ref().map(|_| HookDecision::Deny));
    // A value that is no canonical decision stays for agents that know it.
    let decides = own.get("permissionDecision").and_then(Value::as_str).and_then(HookDecision::parse).is_some();
    let decision = if decides { decision_of(&mut own, "permissionDecision") } else { None };
    let output = HookOutput {
        decision: decision.max(stricter),
        reason: text_of(&mut own, "permissionDecisionReason")
            .or_else(|| text_of(answer, "reason"))
            .or_else(|| stopped?.reason),
        additional_context: text_of(&mut own, "additionalContext"),
        updated_input: object_of(&mut own, "updatedInput"),
        ..HookOutput::default()
    };
    // The remaining keys stay for the merge of native answers.
    own.remove("hookEventName");
    answer.extend(own);
    output
}
