//! Runs the handlers of an event one after the other and merges their outputs into one outcome.

use std::borrow::Cow;
use std::path::Path;
use std::time::Instant;

use serde_json::{Map, Value};
use symposium_agents::native::{NativeAnswer, NativeOutput, PlainText, RefusalFormat};
use symposium_agents::wire::{NestingRepair, object, per_file, read_answer, render};
use symposium_agents::{AgentDialect, AgentEvent, DenyEffect, dialect};
use symposium_model::hook::hook_plan::{Handler, HandlerAction};
use symposium_model::hook::{
    CommandRule, Event, EventDetail, HandlerFlow, HookDecision, HookInput, HookOutput, Outcome, PayloadFormat,
    rule_passed_by,
};
use symposium_model::scan;

use crate::budget::EventBudget;
use crate::edge::child;
use crate::hook_log::{HandlerRun, LogEntry};
use crate::launch::{self, EventContext, EventOrigin, HandlerInvocation, HandlerReply, ReplyReader};
use crate::native_events::{self, named};
use crate::workflow::{self, WorkflowResult, WorkflowSetting};

/// The merged output of all handlers of an event.
#[derive(Debug, Default)]
pub(crate) struct EventOutcome {
    pub(crate) outcome: Outcome,
    /// The output in the agent's own JSON of handlers for its native events.
    pub(crate) native: NativeAnswer,
}

/// The facts that handlers need besides the event.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DispatchFacts<'f> {
    pub(crate) rules: &'f [CommandRule],
    /// The file with the facts of the session.
    pub(crate) session: Option<&'f Path>,
}

/// Runs every handler. The input changes as handlers rewrite it, so each handler sees the changes of the previous one.
pub(crate) fn run(
    task: &EventContext<'_>,
    handlers: &[&Handler],
    facts: DispatchFacts<'_>,
    input: &mut HookInput,
    entry: &mut LogEntry,
) -> EventOutcome {
    let mut heard = EventOutcome::default();
    let mut budget = EventBudget::new(task.start, handlers);
    for (position, handler) in handlers.iter().enumerate() {
        let behind = handlers.get(position + 1..).unwrap_or_default();
        let turn = HandlerTurn { handler, behind, facts };
        let Some(HandlerAnswer { mut output, native }) = run_handler(task, turn, input, &mut budget, entry) else {
            continue;
        };
        if task.nesting == NestingRepair::Flattened && output.updated_input.take().is_some() {
            // The agent replaces the whole input with the changed one, so a value flattened to a string would stay a
            // string.
            entry.note(format!("{}: the event is nested too deeply to be changed", handler.title()));
        }
        if let Some(rule) = passed_rule(task, facts.rules, input, &output) {
            let (title, rule) = (handler.title(), scan::one_line(&rule.text));
            entry.note(format!(
                "{title}: it changes a command that matches the rule `{rule}`, but the agent checks only the new \
                 command"
            ));
        }
        if let (Some(changed), Some(tool)) = (&output.updated_input, input.tool_mut()) {
            tool.input.extend(changed.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        if let (Some(changed), EventDetail::PostToolUse(_, result)) = (&output.updated_output, &mut input.detail) {
            result.output = Some(changed.clone());
        }
        let mut flow = heard.outcome.absorb(output, &handler.title());
        if let Some(native) = native
            && heard.native.absorb(named(native, handler)) == HandlerFlow::Stop
        {
            flow = HandlerFlow::Stop;
        }
        if flow == HandlerFlow::Stop {
            break;
        }
    }
    heard
}

/// Returns the user's command rule that no longer matches because a handler changed the command.
fn passed_rule<'r>(
    task: &EventContext<'_>,
    rules: &'r [CommandRule],
    input: &HookInput,
    output: &HookOutput,
) -> Option<&'r CommandRule> {
    let changed = output.updated_input.as_ref()?.get("command")?.as_str()?;
    let original = input.tool()?.input.get("command")?.as_str()?;
    rule_passed_by(rules, task.agent, original, changed)
}

#[derive(Debug, Default)]
struct HandlerAnswer {
    output: HookOutput,
    native: Option<NativeOutput>,
}

impl HandlerAnswer {
    fn to_all(output: HookOutput) -> Self {
        Self { output, native: None }
    }

    fn to_agent(native: NativeOutput) -> Self {
        Self { output: HookOutput::default(), native: Some(native) }
    }
}

impl HandlerReply for HandlerAnswer {
    fn decision(&self) -> Option<HookDecision> {
        let refuses = || self.native.as_ref().is_some_and(NativeOutput::refuses);
        self.output.decision.or_else(|| refuses().then_some(HookDecision::Deny))
    }

    fn reason(&self) -> Option<String> {
        self.output.reason.clone().or_else(|| self.native.as_ref().and_then(NativeOutput::reason))
    }
}

#[derive(Clone, Copy)]
struct HandlerTurn<'h> {
    handler: &'h Handler,
    behind: &'h [&'h Handler],
    facts: DispatchFacts<'h>,
}

/// Runs one handler; `None` when it has no output.
///
/// Its time starts when it is started: it is not charged for the preparation of its input.
fn run_handler(
    task: &EventContext<'_>,
    turn: HandlerTurn<'_>,
    input: &HookInput,
    budget: &mut EventBudget,
    entry: &mut LogEntry,
) -> Option<HandlerAnswer> {
    let HandlerTurn { handler, behind, facts } = turn;
    if !workflow::may_concern(&handler.run, input.event(), task.raw) {
        return None;
    }
    let deadline = budget.until(handler, behind);
    let places = task.places(input.cwd.as_deref());
    let DispatchFacts { rules, session } = facts;
    let setting = WorkflowSetting { agent: task.agent, places, rules, session, deadline };
    match &handler.run {
        HandlerAction::Direct { .. } | HandlerAction::Shell { .. } => {}
        HandlerAction::Rtk { exclude } => return worked(handler, || workflow::shorten(input, exclude, setting), entry),
        HandlerAction::Autofmt(formatting) => {
            return worked(handler, || workflow::tidy(input, formatting, setting), entry);
        }
        HandlerAction::Cargo => return worked(handler, || workflow::cargo_output::replace(input, task.agent), entry),
        HandlerAction::Deps => return worked(handler, || workflow::deps::check(input, setting), entry),
        HandlerAction::Finish => return worked(handler, || workflow::finish::follow(input, setting), entry),
    }
    let run = launch::runnable(handler, entry)?;
    let begun = Instant::now();
    let questions = questions(task, handler, input);
    budget.give_back(begun.elapsed());
    let several = questions.len() > 1;
    let mut merged: Option<Outcome> = None;
    for question in questions {
        let until = budget.until(handler, behind);
        let Some(mut said) = ask_once(task, handler, run, &question, until, entry) else { continue };
        if several {
            // One file of a patch cannot be changed by itself.
            said.output.updated_input = None;
        } else if merged.is_none() {
            return Some(said);
        }
        if merged.get_or_insert_default().absorb(said.output, &handler.title()) == HandlerFlow::Stop {
            break;
        }
    }
    merged.map(|merged| {
        let output = HookOutput {
            decision: merged.decision,
            reason: merged.reason,
            additional_context: merged.context,
            updated_input: None,
            updated_output: merged.updated_output,
            other: merged.other,
        };
        HandlerAnswer::to_all(output)
    })
}

fn worked(handler: &Handler, work: impl FnOnce() -> WorkflowResult, entry: &mut LogEntry) -> Option<HandlerAnswer> {
    let begun = Instant::now();
    let WorkflowResult { said, end, note } = work();
    if let Some(note) = note {
        entry.note(format!("{}: {note}", handler.title()));
    }
    // A workflow that looks at every command and changes few would fill the hook log with empty entries.
    if end != workflow::UNCHANGED {
        entry.handlers.push(HandlerRun {
            name: handler.title(),
            end: end.to_owned(),
            decision: said.as_ref().and_then(|said| said.decision).map(|decision| decision.name().to_owned()),
            ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or_default(),
        });
    }
    said.map(HandlerAnswer::to_all)
}

/// The input of a handler, as an event and as the bytes in the format of the handler.
struct HandlerInput<'i> {
    input: Cow<'i, HookInput>,
    text: Cow<'i, [u8]>,
}

fn questions<'i>(task: &EventContext<'i>, handler: &Handler, input: &'i HookInput) -> Vec<HandlerInput<'i>> {
    match handler.format {
        PayloadFormat::Symposium => {
            vec![HandlerInput { input: Cow::Borrowed(input), text: Cow::Owned(input.to_bytes()) }]
        }
        PayloadFormat::Agent(format) if Some(format) == task.agent => {
            vec![HandlerInput { input: Cow::Borrowed(input), text: native_text(task, input) }]
        }
        PayloadFormat::Agent(format) => {
            let dialect = dialect(format);
            let event = match &input.detail {
                EventDetail::PostToolUse(_, result) if result.failed && dialect.events.tool_failed.is_some() => {
                    AgentEvent::ToolFailed
                }
                _ => AgentEvent::Canonical(input.event()),
            };
            let each = per_file(dialect, input).into_iter();
            let text = |input: &HookInput| Cow::Owned(render(dialect, event, input).to_string().into_bytes());
            each.map(|input| HandlerInput { text: text(&input), input: Cow::Owned(input) }).collect()
        }
    }
}

fn native_text<'i>(task: &EventContext<'i>, input: &HookInput) -> Cow<'i, [u8]> {
    let changed = || -> Option<Vec<u8>> {
        let agent = task.agent?;
        let tool = input.tool()?;
        let native = tool.native.as_ref()?;
        let mut payload: Map<String, Value> = serde_json::from_slice(task.raw).ok()?;
        let changed = symposium_agents::wire::native_input(dialect(agent), native, &tool.input);
        if native.input == changed {
            return None;
        }
        let keys = dialect(agent).wire.fields.tool_input;
        let key = keys.iter().find(|key| payload.contains_key(**key)).or(keys.first())?;
        payload.insert((*key).to_owned(), changed);
        Some(Value::Object(payload).to_string().into_bytes())
    };
    changed().map_or(Cow::Borrowed(task.raw), Cow::Owned)
}

fn ask_once(
    task: &EventContext<'_>,
    handler: &Handler,
    run: child::ChildCommand<'_>,
    question: &HandlerInput<'_>,
    until: Instant,
    entry: &mut LogEntry,
) -> Option<HandlerAnswer> {
    let HandlerInput { input, text } = question;
    let event = input.event().name();
    let origin = EventOrigin { cwd: input.cwd.as_deref(), session: input.session_id.as_deref() };
    let finished = launch::start(task, HandlerInvocation { handler, run, text, event, origin }, until);
    let understand = |printed: &str, code| understood(task, handler, input, printed, code);
    let refuse = |reason, stdout: &str| refused(task, handler, input, reason, stdout);
    launch::judge(handler, &finished, &ReplyReader { understand, refuse }, entry)
}

/// Returns the dialect of the calling agent, if the handler uses that agent's format.
fn own_dialect(task: &EventContext<'_>, handler: &Handler) -> Option<&'static AgentDialect> {
    match handler.format {
        PayloadFormat::Agent(format) if task.agent == Some(format) => Some(dialect(format)),
        PayloadFormat::Agent(_) | PayloadFormat::Symposium => None,
    }
}

fn understood(
    task: &EventContext<'_>,
    handler: &Handler,
    input: &HookInput,
    printed: &str,
    code: i32,
) -> Option<HandlerAnswer> {
    let output = match handler.format {
        PayloadFormat::Symposium => {
            let (answer, _) = object(printed.trim().as_bytes()).ok()?;
            HookOutput::from_json(input.event(), answer)
        }
        PayloadFormat::Agent(format) => read_answer(dialect(format), input, printed),
    };
    let Some(dialect) = own_dialect(task, handler) else { return output.map(HandlerAnswer::to_all) };
    match (NativeOutput::printed(dialect, "", printed), output) {
        // All handlers may see the decision about a tool; the rest is between this handler and the agent.
        (Some(NativeOutput::Answer(answer)), Some(mut output))
            if handler.native.is_none() || input.event() == Event::PreToolUse =>
        {
            output.other = Map::new();
            let rest = dialect.remainder(input.event(), answer);
            Some(HandlerAnswer { output, native: (!rest.is_empty()).then_some(NativeOutput::Answer(rest)) })
        }
        (Some(said @ NativeOutput::Answer(_)), Some(_)) => Some(HandlerAnswer::to_agent(said)),
        (Some(said @ NativeOutput::Text(_)), None) if code == 0 && dialect.own.plain_text == PlainText::Message => {
            Some(HandlerAnswer::to_agent(said))
        }
        (_, output) => output.map(HandlerAnswer::to_all),
    }
}

/// Builds the output of a handler that refused by exit code. If the agent would only pass the reason to its model, a
/// handler for the agent's native event gets that agent's own way of refusing.
fn refused(
    task: &EventContext<'_>,
    handler: &Handler,
    input: &HookInput,
    reason: String,
    stdout: &str,
) -> HandlerAnswer {
    let is_softened = |dialect: &AgentDialect| {
        let can = dialect.can.at(input.event());
        can.is_some_and(|can| can.deny == DenyEffect::BecomesContext) && dialect.own.refusal != RefusalFormat::Unheard
    };
    if handler.native.is_some() && own_dialect(task, handler).is_some_and(is_softened) {
        return HandlerAnswer::to_agent(native_events::refused(reason, stdout));
    }
    HandlerAnswer::to_all(HookOutput {
        decision: Some(HookDecision::Deny),
        reason: Some(reason),
        ..HookOutput::default()
    })
}

#[cfg(test)]
#[path = "dispatch_tests.rs"]
mod tests;
