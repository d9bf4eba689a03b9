//! Reading of an event: its bytes, the few fields needed first, and the whole.

use symposium_agents::wire::{EventPeek, RepairedJson, decode, is_of_user, mended, object};
use symposium_agents::{AgentDialect, AgentEvent};
use symposium_model::hook::hook_plan::HookPlan;
use symposium_model::hook::{Event, HookInput};

use crate::edge::stdin;
use crate::hook_log::LogEntry;

pub(crate) fn complete_bytes(input: stdin::RawEvent, entry: &mut LogEntry) -> Option<Vec<u8>> {
    match input {
        stdin::RawEvent::Complete(raw) => return Some(raw),
        stdin::RawEvent::TooLarge => entry.note("The event is larger than 16 MiB, so it is ignored"),
        stdin::RawEvent::Unfinished => entry.note("The event was not complete in time, so it is ignored"),
    }
    None
}

/// Parses the few fields that are needed first. `space` holds the repaired JSON if the event had to be repaired.
pub(crate) fn peeked<'r>(
    raw: &'r [u8],
    space: &'r mut Option<RepairedJson>,
    entry: &mut LogEntry,
) -> Option<EventPeek<'r>> {
    serde_json::from_slice(raw)
        .or_else(|_| serde_json::from_str(&space.insert(mended(raw)).text))
        .map_err(|error| entry.note(format!("The event is not the JSON of an agent: {}", about(&error))))
        .ok()
}

pub(crate) fn canonical_input(event: Event, raw: &[u8], entry: &mut LogEntry) -> Option<HookInput> {
    object(raw)
        .map_err(|error| about(&error))
        .and_then(|(whole, _)| HookInput::from_json(event, whole))
        .map_err(|fault| entry.note(format!("The event is not in the canonical form: {fault}")))
        .ok()
}

pub(crate) struct DecodedEvent {
    pub(crate) input: HookInput,
    pub(crate) mended: Option<RepairedJson>,
}

pub(crate) fn agent_input(
    speaker: &AgentDialect,
    event: AgentEvent,
    raw: &[u8],
    plan: &HookPlan,
    entry: &mut LogEntry,
) -> Option<DecodedEvent> {
    let read = object(raw).map_err(|error| about(&error)).and_then(|(payload, mended)| {
        if !is_of_user(speaker, event, &payload) {
            return Ok(None);
        }
        let input = decode(speaker, event, payload, &plan.servers)?;
        Ok(Some(DecodedEvent { input, mended }))
    });
    read.unwrap_or_else(|fault| {
        entry.note(format!("The event could not be understood: {fault}"));
        None
    })
}

/// Returns the position of an error without the text there: the content of events is not logged.
fn about(error: &serde_json::Error) -> String {
    format!("line {}, column {}", error.line(), error.column())
}
