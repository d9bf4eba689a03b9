//! The bridge to agents that have no command hooks: a module in JavaScript that Symposium writes and the agent loads.
//!
//! It sends `{event, session_id, cwd, tool, args, output?, prompt?}` and accepts `{deny?, args?, context?, output?}`,
//! where the first `output` is the whole result as the agent passes it, and `args` are all of the tool's arguments.

use serde_json::{Map, Value};
use symposium_model::hook::{Event, HookDecision, HookOutput};

use crate::dialect::{
    AgentDialect, AgentEvent, DialectOwner, EventAbilities, EventNames, HookAbilities, NeutralAnswer, OutputEffect,
    RewriteEffect,
};
use crate::settings_layout::SettingsLayout;
use crate::spec::RegisteredCalls;
use crate::usual;
use crate::wire::{fields_of, object_of, text_of};
use crate::wire_format::{
    FieldNames, HookAnswer, LoweredDecision, LoweredOutcome, NativeForm, PlainText, RefusalFormat, WireFormat,
};

pub(crate) const ABILITIES: HookAbilities = HookAbilities {
    // A prompt is refused by an error that tells the user nothing, or not at all.
    user_prompt_submit: Some(EventAbilities::TELL_WHY),
    pre_tool_use: Some(EventAbilities { rewrite: RewriteEffect::Works, ..EventAbilities::TELL_OR_BLOCK }),
    post_tool_use: Some(EventAbilities { output: OutputEffect::Works, ..EventAbilities::TELL_WHY }),
    stop: None,
    ..usual::ABILITIES
};

pub(crate) const EVENTS: EventNames = EventNames {
    session_start: Some("session-start"),
    user_prompt_submit: Some("user-prompt-submit"),
    pre_tool_use: Some("pre-tool-use"),
    // For a failed tool too.
    post_tool_use: Some("post-tool-use"),
    // Nothing fires before a turn ends.
    stop: None,
    ..usual::EVENTS
};

/// Native events arrive afterwards, and a function that throws ends the whole request.
pub(crate) const NATIVE: NativeForm =
    NativeForm { refusal: RefusalFormat::Unheard, plain_text: PlainText::Harmful, ..usual::NATIVE };

pub(crate) const FIELDS: FieldNames = FieldNames {
    event: "event",
    tool_name: &["tool"],
    tool_input: &["args"],
    tool_response: &["output"],
    stop_hook_active: &[],
    ..FieldNames::USUAL
};

/// Only servers: the hooks are modules, which cannot be imported.
pub(crate) static LAYOUT: SettingsLayout =
    SettingsLayout { command_keys: &[], timeouts: &[], default_timeout: 0, ..usual::LAYOUT };

pub(crate) const WIRE: WireFormat = WireFormat { fields: FIELDS, write, read, ..usual::WIRE };

pub(crate) const fn dialect(owner: DialectOwner) -> AgentDialect {
    AgentDialect {
        events: EVENTS,
        own: NATIVE,
        can: ABILITIES,
        neutral: NeutralAnswer { stdout: "{}", silent_on: &[] },
        wire: WIRE,
        ..usual::dialect(owner)
    }
}

fn write(reply: &LoweredOutcome<'_>) -> HookAnswer {
    let deny = match &reply.verdict {
        LoweredDecision::Block(reason) => Some(reason.as_str().into()),
        LoweredDecision::Nothing | LoweredDecision::Allow(_) | LoweredDecision::Ask(_) => None,
    };
    HookAnswer::json(fields_of([
        ("deny", deny),
        ("args", reply.rewrite.clone()),
        ("context", reply.context.as_deref().map(Value::from)),
        ("output", reply.output.clone()),
    ]))
}

fn read(_: Event, answer: &mut Map<String, Value>) -> HookOutput {
    let reason = text_of(answer, "deny");
    HookOutput {
        decision: reason.is_some().then_some(HookDecision::Deny),
        reason,
        additional_context: text_of(answer, "context"),
        updated_input: object_of(answer, "args"),
        ..HookOutput::default()
    }
}

/// Returns the module that an agent loads: the part that calls Symposium, and the agent's functions. The values are
/// inserted as JSON, which JavaScript reads as the same value.
pub(crate) fn module(functions: &str, calls: &RegisteredCalls<'_>) -> String {
    let agent = calls.caller.agent;
    // The events that are not always registered.
    let native = calls.events.iter().filter_map(|(name, event)| match event {
        AgentEvent::Native(_) | AgentEvent::Canonical(Event::Stop) => Some(*name),
        AgentEvent::Canonical(_) | AgentEvent::ToolFailed => None,
    });
    // Last placeholder first, so that no inserted text is taken for a placeholder.
    [include_str!("bridge_head.js"), functions]
        .concat()
        .replace("OpenCode", crate::spec(agent).title)
        .replacen("\"opencode\"", &Value::from(agent.name()).to_string(), 1)
        .replacen("[\"@NATIVE@\"]", &native.collect::<Value>().to_string(), 1)
        .replacen("\"@SHIM@\"", &Value::from(calls.shim.unwrap_or_default()).to_string(), 1)
        .replacen("[\"@OPTIONS@\"]", &Value::from(calls.caller.options()).to_string(), 1)
        .replacen("\"@PROGRAM@\"", &Value::from(calls.caller.executable()).to_string(), 1)
}

/// Returns the facts of the agent that another one comes from, and then those of its own.
#[expect(clippy::indexing_slicing, reason = "it runs while the program is compiled")]
pub(crate) const fn extended<T: Copy, const N: usize>(origin: &[T], own: &[T]) -> [T; N] {
    let mut all = [own[0]; N];
    let mut at = 0;
    while at < N {
        all[at] = if at < origin.len() { origin[at] } else { own[at - origin.len()] };
        at += 1;
    }
    all
}
