//! Asks the handlers, one after the other, and makes one outcome of what they say.

use std::borrow::Cow;
use std::time::Instant;

use serde_json::{Map, Value};
use symposium_agents::native::{Merged, PlainText, Refusal, Said};
use symposium_agents::wire::{Nesting, object, per_file, read_answer, render};
use symposium_agents::{AgentEvent, Deny, Dialect, dialect};
use symposium_model::hook::plan::{Handler, Run};
use symposium_model::hook::{
    CommandRule, Decision, Detail, Event, Flow, Format, HookInput, HookOutput, Outcome, rule_passed_by,
};
use symposium_model::scan;

use crate::budget::Budget;
use crate::edge::child;
use crate::launch::{self, Asked, Listener, Speech, Task};
use crate::native::{self, named};
use crate::trail::{Entry, Ran};
use crate::workflow::{self, Done, Setting};

/// What all handlers of an event said.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    /// What can be said to every agent.
    pub(crate) outcome: Outcome,
    /// What handlers that name this agent's own event said besides, in its JSON.
    pub(crate) native: Merged,
}

/// Asks every handler. The input changes as handlers rewrite it, so that each sees what the one before made of it.
pub(crate) fn run(
    task: &Task<'_>,
    handlers: &[&Handler],
    rules: &[CommandRule],
    input: &mut HookInput,
    entry: &mut Entry,
) -> Heard {
    let mut heard = Heard::default();
    let mut budget = Budget::new(task.start, handlers);
    for (position, handler) in handlers.iter().enumerate() {
        let behind = handlers.get(position + 1..).unwrap_or_default();
        let turn = Turn { handler, behind, rules };
        let Some(Spoken { mut output, native }) = ask(task, turn, input, &mut budget, entry) else { continue };
        if task.nesting == Nesting::Flattened && output.updated_input.take().is_some() {
            // The agent takes a changed input whole, and what became a text would stay one.
            entry.note(format!("{}: the event is nested too deeply to be changed", handler.title()));
        }
        if let Some(rule) = passed_rule(task, rules, input, &output) {
            let (title, rule) = (handler.title(), scan::one_line(&rule.text));
            entry.note(format!(
                "{title}: it changes a command that the rule `{rule}` is about, and the agent judges the new one"
            ));
        }
        if let (Some(changed), Some(tool)) = (&output.updated_input, input.tool_mut()) {
            tool.input.extend(changed.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        let mut flow = heard.outcome.absorb(output, &handler.title());
        if let Some(native) = native
            && heard.native.absorb(named(native, handler)) == Flow::Stop
        {
            flow = Flow::Stop;
        }
        if flow == Flow::Stop {
            break;
        }
    }
    heard
}

/// The rule of the user that a changed command gets past.
fn passed_rule<'r>(
    task: &Task<'_>,
    rules: &'r [CommandRule],
    input: &HookInput,
    output: &HookOutput,
) -> Option<&'r CommandRule> {
    let changed = output.updated_input.as_ref()?.get("command")?.as_str()?;
    let original = input.tool()?.input.get("command")?.as_str()?;
    rule_passed_by(rules, task.agent, original, changed)
}

/// What one handler says.
#[derive(Debug, Default)]
struct Spoken {
    /// What can be said to every agent.
    output: HookOutput,
    /// What only this agent understands, in its words.
    native: Option<Said>,
}

impl Spoken {
    fn to_all(output: HookOutput) -> Self {
        Self { output, native: None }
    }

    fn to_agent(native: Said) -> Self {
        Self { output: HookOutput::default(), native: Some(native) }
    }
}

impl Speech for Spoken {
    fn decision(&self) -> Option<Decision> {
        let refuses = || self.native.as_ref().is_some_and(Said::refuses);
        self.output.decision.or_else(|| refuses().then_some(Decision::Deny))
    }

    fn reason(&self) -> Option<String> {
        self.output.reason.clone().or_else(|| self.native.as_ref().and_then(Said::reason))
    }
}

/// A handler whose turn it is.
#[derive(Clone, Copy)]
struct Turn<'h> {
    handler: &'h Handler,
    /// Those that wait.
    behind: &'h [&'h Handler],
    /// The user's own rules about commands.
    rules: &'h [CommandRule],
}

/// What one handler says; `None` when that is nothing.
///
/// Its time begins when it is asked: what it takes us to put the question is not its fault.
fn ask(task: &Task<'_>, turn: Turn<'_>, input: &HookInput, budget: &mut Budget, entry: &mut Entry) -> Option<Spoken> {
    let Turn { handler, behind, rules } = turn;
    let deadline = budget.until(handler, behind);
    let places = task.places(input.cwd.as_deref());
    let setting = Setting { agent: task.agent, places, rules, deadline };
    match &handler.run {
        Run::Direct { .. } | Run::Shell { .. } => {}
        Run::Rtk { exclude } => return worked(handler, || workflow::shorten(input, exclude, setting), entry),
        Run::Autofmt(formatting) => return worked(handler, || workflow::tidy(input, formatting, setting), entry),
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
        if merged.get_or_insert_default().absorb(said.output, &handler.title()) == Flow::Stop {
            break;
        }
    }
    merged.map(|merged| {
        let output = HookOutput {
            decision: merged.decision,
            reason: merged.reason,
            additional_context: merged.context,
            updated_input: None,
            other: merged.other,
        };
        Spoken::to_all(output)
    })
}

/// What a workflow of ours says, which runs in this process.
fn worked(handler: &Handler, work: impl FnOnce() -> Done, entry: &mut Entry) -> Option<Spoken> {
    let begun = Instant::now();
    let Done { said, end, note } = work();
    if let Some(note) = note {
        entry.note(format!("{}: {note}", handler.title()));
    }
    // What looks at every command and changes few would fill the trail with nothing.
    if end != workflow::UNCHANGED {
        entry.handlers.push(Ran {
            name: handler.title(),
            end: end.to_owned(),
            decision: None,
            ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or_default(),
        });
    }
    said.map(Spoken::to_all)
}

/// What a handler is asked: in its own language.
struct Question<'i> {
    input: Cow<'i, HookInput>,
    text: Cow<'i, [u8]>,
}

fn questions<'i>(task: &Task<'i>, handler: &Handler, input: &'i HookInput) -> Vec<Question<'i>> {
    match handler.format {
        Format::Symposium => vec![Question { input: Cow::Borrowed(input), text: Cow::Owned(input.to_bytes()) }],
        Format::Agent(format) if Some(format) == task.agent => {
            vec![Question { input: Cow::Borrowed(input), text: native_text(task, input) }]
        }
        Format::Agent(format) => {
            let dialect = dialect(format);
            let event = match &input.detail {
                Detail::PostToolUse(_, result) if result.failed && dialect.events.tool_failed.is_some() => {
                    AgentEvent::ToolFailed
                }
                _ => AgentEvent::Canonical(input.event()),
            };
            let each = per_file(dialect, input).into_iter();
            let text = |input: &HookInput| Cow::Owned(render(dialect, event, input).to_string().into_bytes());
            each.map(|input| Question { text: text(&input), input: Cow::Owned(input) }).collect()
        }
    }
}

/// The agent's own JSON, with what handlers changed so far.
fn native_text<'i>(task: &Task<'i>, input: &HookInput) -> Cow<'i, [u8]> {
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
    task: &Task<'_>,
    handler: &Handler,
    run: child::Run<'_>,
    question: &Question<'_>,
    until: Instant,
    entry: &mut Entry,
) -> Option<Spoken> {
    let Question { input, text } = question;
    let event = input.event().name();
    let (cwd, session) = (input.cwd.as_deref(), input.session_id.as_deref());
    let finished = launch::start(task, Asked { handler, run, text, event, cwd, session }, until);
    let understand = |printed: &str, code| understood(task, handler, input, printed, code);
    let refuse = |reason, stdout: &str| refused(task, handler, input, reason, stdout);
    launch::judge(handler, &finished, &Listener { understand, refuse }, entry)
}

/// The agent a handler speaks to in its own language.
fn own_dialect(task: &Task<'_>, handler: &Handler) -> Option<&'static Dialect> {
    match handler.format {
        Format::Agent(format) if task.agent == Some(format) => Some(dialect(format)),
        Format::Agent(_) | Format::Symposium => None,
    }
}

/// What a handler printed, in its own language; `None` when it is not an answer.
fn understood(task: &Task<'_>, handler: &Handler, input: &HookInput, printed: &str, code: i32) -> Option<Spoken> {
    let output = match handler.format {
        Format::Symposium => {
            let (answer, _) = object(printed.trim().as_bytes()).ok()?;
            HookOutput::from_json(input.event(), answer)
        }
        Format::Agent(format) => read_answer(dialect(format), input, printed),
    };
    let Some(dialect) = own_dialect(task, handler) else { return output.map(Spoken::to_all) };
    match (Said::printed(dialect, "", printed), output) {
        // What is done with a tool is for every handler to see; the rest is between this one and the agent.
        (Some(Said::Answer(answer)), Some(mut output))
            if handler.native.is_none() || input.event() == Event::PreToolUse =>
        {
            output.other = Map::new();
            let rest = dialect.remainder(input.event(), answer);
            Some(Spoken { output, native: (!rest.is_empty()).then_some(Said::Answer(rest)) })
        }
        (Some(said @ Said::Answer(_)), Some(_)) => Some(Spoken::to_agent(said)),
        (Some(said @ Said::Text(_)), None) if code == 0 && dialect.own.plain_text == PlainText::Message => {
            Some(Spoken::to_agent(said))
        }
        (_, output) => output.map(Spoken::to_all),
    }
}

/// A no by exit code. Where every agent alike only tells the reason to its model, a handler that names the agent's own
/// event means what that agent makes of it.
fn refused(task: &Task<'_>, handler: &Handler, input: &HookInput, reason: String, stdout: &str) -> Spoken {
    let is_softened = |dialect: &Dialect| {
        let can = dialect.can.at(input.event());
        can.is_some_and(|can| can.deny == Deny::BecomesContext) && dialect.own.refusal != Refusal::Unheard
    };
    if handler.native.is_some() && own_dialect(task, handler).is_some_and(is_softened) {
        return Spoken::to_agent(native::refused(reason, stdout));
    }
    Spoken::to_all(HookOutput { decision: Some(Decision::Deny), reason: Some(reason), ..HookOutput::default() })
}

#[cfg(test)]
#[path = "dispatch_tests.rs"]
mod tests;
