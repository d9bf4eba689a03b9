//! Execution of the handlers of a native event, in the agent's own JSON.

use serde_json::Value;
use symposium_agents::native::{IgnoredOutput, NativeAnswer, NativeOutput, chained};
use symposium_agents::wire::object;
use symposium_agents::{AgentDialect, HookAnswer};
use symposium_model::hook::hook_plan::Handler;
use symposium_model::hook::{HandlerFlow, HookDecision, ToolMatcher, refusal_reason};

use crate::answer::clean;
use crate::budget::EventBudget;
use crate::hook_log::LogEntry;
use crate::launch::{self, EventContext, EventOrigin, HandlerInvocation, HandlerReply, ReplyReader};
use crate::matcher_eval;

#[derive(Clone, Copy)]
pub(crate) struct NativeEvent {
    pub(crate) dialect: &'static AgentDialect,
    pub(crate) name: &'static str,
}

/// Runs the handlers and merges their outputs; `None` when all are silent. Each handler sees the changes of the
/// previous ones.
pub(crate) fn run_handlers(
    task: &EventContext<'_>,
    event: NativeEvent,
    all: &[Handler],
    entry: &mut LogEntry,
) -> Option<NativeAnswer> {
    let (mut payload, mended) = match object(task.raw) {
        Ok(read) => read,
        Err(error) => {
            let place = format!("line {}, column {}", error.line(), error.column());
            entry.note(format!("The event is not the JSON of an agent: {place}"));
            return None;
        }
    };
    let handlers = match event.dialect.matched_at(event.name, &payload) {
        Some(target) => {
            let matchers: Vec<&ToolMatcher> = all.iter().map(|handler| &handler.matcher).collect();
            let answers = matcher_eval::meant(&matchers, &[target]);
            all.iter().zip(answers).filter_map(|(handler, is_meant)| is_meant.then_some(handler)).collect()
        }
        None => all.iter().collect::<Vec<&Handler>>(),
    };
    let budget = EventBudget::new(task.start, &handlers);
    let keys = event.dialect.wire.fields.cwd.iter();
    let cwd = keys.filter_map(|key| payload.get(*key)).find_map(Value::as_str).map(str::to_owned);
    let keys = event.dialect.wire.fields.session_id.iter();
    let session = keys.filter_map(|key| payload.get(*key)).find_map(Value::as_str).map(str::to_owned);
    let origin = EventOrigin { cwd: cwd.as_deref(), session: session.as_deref() };
    let mut merged = NativeAnswer::default();
    // The payload as received, until a handler changes it.
    let mut text = mended.map_or_else(|| task.raw.to_vec(), |mended| mended.text.into_bytes());
    for (position, handler) in handlers.iter().enumerate() {
        let until = budget.until(handler, handlers.get(position + 1..).unwrap_or_default());
        let Some(said) = run_handler(task, event, origin, handler, &text, until, entry) else { continue };
        if let NativeOutput::Answer(answer) = &said
            && let Some(changed) = chained(event.name, &payload, answer)
        {
            payload = changed;
            text = serde_json::to_vec(&payload).unwrap_or(text);
            entry.rewritten = true;
        }
        if merged.absorb(named(said, handler)) == HandlerFlow::Stop {
            break;
        }
    }
    if merged.is_silent() {
        return None;
    }
    merged.clean(&clean);
    entry.decision = merged.refuses().then(|| HookDecision::Deny.name().to_owned());
    entry.context = merged.context_bytes();
    Some(merged)
}

pub(crate) fn render_answer(event: NativeEvent, heard: NativeAnswer, entry: &mut LogEntry) -> HookAnswer {
    let (emission, unheeded) = heard.emission(event.dialect, event.name);
    note_all(unheeded, entry);
    emission
}

/// Renders the answer of the handlers together with the text for a new sub-agent.
pub(crate) fn render_with_sub_agent_text(
    event: NativeEvent,
    heard: Option<NativeAnswer>,
    mut text: String,
    entry: &mut LogEntry,
) -> Option<HookAnswer> {
    clean(&mut text);
    entry.context += text.len();
    let told = event.dialect.tell_sub_agent(text)?;
    let (emission, unheeded) = heard.unwrap_or_default().beside(event.dialect, event.name, told);
    note_all(unheeded, entry);
    Some(emission)
}

fn note_all(unheeded: Vec<IgnoredOutput>, entry: &mut LogEntry) {
    for unheeded in unheeded {
        entry.note(unheeded.text());
    }
}

fn run_handler(
    task: &EventContext<'_>,
    event: NativeEvent,
    origin: EventOrigin<'_>,
    handler: &Handler,
    text: &[u8],
    until: std::time::Instant,
    entry: &mut LogEntry,
) -> Option<NativeOutput> {
    // Builtin workflows work on tools, not on the JSON of one agent.
    let run = launch::runnable(handler, entry)?;
    let finished = launch::start(task, HandlerInvocation { handler, run, text, event: event.name, origin }, until);
    let understand = |stdout: &str, code: i32| match NativeOutput::printed(event.dialect, event.name, stdout) {
        // The text of a program that fails is meant for its author.
        Some(NativeOutput::Text(_)) if code != 0 => None,
        said => said,
    };
    launch::judge(handler, &finished, &ReplyReader { understand, refuse: refused }, entry)
}

/// Adds a reason to a refusal without one: some agents ignore a refusal without a reason.
pub(crate) fn named(said: NativeOutput, handler: &Handler) -> NativeOutput {
    match said {
        NativeOutput::Refused { reason, answer } => {
            NativeOutput::Refused { reason: refusal_reason(&reason, &handler.title()), answer }
        }
        said @ (NativeOutput::Answer(_) | NativeOutput::Text(_)) => said,
    }
}

pub(crate) fn refused(reason: String, stdout: &str) -> NativeOutput {
    NativeOutput::Refused { reason, answer: serde_json::from_str(stdout.trim()).unwrap_or_default() }
}

impl HandlerReply for NativeOutput {
    fn decision(&self) -> Option<HookDecision> {
        self.refuses().then_some(HookDecision::Deny)
    }

    fn reason(&self) -> Option<String> {
        NativeOutput::reason(self)
    }
}
