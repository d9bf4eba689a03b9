//! Asks the handlers, one after the other, and makes one outcome of what they say.

use std::borrow::Cow;
use std::time::Instant;

use serde_json::{Map, Value};
use symposium_agents::native::{Merged, Said, refuses};
use symposium_agents::wire::{Nesting, object, per_file, read_answer, render};
use symposium_agents::{AgentEvent, dialect};
use symposium_model::hook::plan::{Handler, Run};
use symposium_model::hook::{Decision, Detail, Event, Flow, Format, HookInput, HookOutput, Outcome};

use crate::budget::Budget;
use crate::edge::child;
use crate::launch::{self, Asked, Speech, Task};
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
pub(crate) fn run(task: &Task<'_>, handlers: &[&Handler], input: &mut HookInput, entry: &mut Entry) -> Heard {
    let mut heard = Heard::default();
    let mut budget = Budget::new(task.start, handlers);
    for (position, handler) in handlers.iter().enumerate() {
        let behind = handlers.get(position + 1..).unwrap_or_default();
        let turn = Turn { handler, behind };
        let Some(Spoken { mut output, native }) = ask(task, turn, input, &mut budget, entry) else { continue };
        if task.nesting == Nesting::Flattened && output.updated_input.take().is_some() {
            // The agent takes a changed input whole, and what became a text would stay one.
            entry.note(format!("{}: the event is nested too deeply to be changed", handler.title()));
        }
        if let (Some(changed), Some(tool)) = (&output.updated_input, input.tool_mut()) {
            tool.input.extend(changed.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        let mut flow = heard.outcome.absorb(output, &handler.title());
        if !native.is_empty() && heard.native.absorb(Said::Answer(native)) == Flow::Stop {
            flow = Flow::Stop;
        }
        if flow == Flow::Stop {
            break;
        }
    }
    heard
}

/// What one handler says.
#[derive(Debug, Default)]
struct Spoken {
    /// What can be said to every agent.
    output: HookOutput,
    /// What only this agent understands, in its JSON.
    native: Map<String, Value>,
}

impl Speech for Spoken {
    fn refusal(reason: String, _: &str) -> Self {
        let output = HookOutput { decision: Some(Decision::Deny), reason: Some(reason), ..HookOutput::default() };
        Self { output, native: Map::new() }
    }

    fn decision(&self) -> Option<Decision> {
        self.output.decision.or_else(|| refuses(&self.native).then_some(Decision::Deny))
    }
}

/// A handler whose turn it is.
#[derive(Clone, Copy)]
struct Turn<'h> {
    handler: &'h Handler,
    /// Those that wait.
    behind: &'h [&'h Handler],
}

/// What one handler says; `None` when that is nothing.
///
/// Its time begins when it is asked: what it takes us to put the question is not its fault.
fn ask(task: &Task<'_>, turn: Turn<'_>, input: &HookInput, budget: &mut Budget, entry: &mut Entry) -> Option<Spoken> {
    let Turn { handler, behind } = turn;
    let setting = Setting { agent: task.agent, workspace: task.workspace, deadline: budget.until(handler, behind) };
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
        Spoken { output, native: Map::new() }
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
    said.map(|output| Spoken { output, native: Map::new() })
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
        let fields = symposium_agents::wire::native_input(dialect(agent), native, &tool.input);
        if native.input.as_object() == Some(&fields) {
            return None;
        }
        let keys = dialect(agent).wire.fields.tool_input;
        let key = keys.iter().find(|key| payload.contains_key(**key)).or(keys.first())?;
        payload.insert((*key).to_owned(), Value::Object(fields));
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
    let finished = launch::start(task, Asked { handler, run, text, event, cwd: input.cwd.as_deref() }, until);
    launch::judge(handler, &finished, |stdout, _| understood(task, handler, input, stdout), entry)
}

/// What a handler printed, in its own language; `None` when it is not an answer.
fn understood(task: &Task<'_>, handler: &Handler, input: &HookInput, stdout: &str) -> Option<Spoken> {
    let mut output = match handler.format {
        Format::Symposium => {
            let (answer, _) = object(stdout.trim().as_bytes()).ok()?;
            HookOutput::from_json(input.event(), answer)
        }
        Format::Agent(format) => read_answer(dialect(format), input, stdout),
    }?;
    let agent = match handler.format {
        Format::Agent(format) if task.agent == Some(format) => format,
        Format::Agent(_) | Format::Symposium => return Some(Spoken { output, native: Map::new() }),
    };
    let dialect = dialect(agent);
    Some(match Said::printed(dialect, "", stdout) {
        // What is done with a tool is for every handler to see; the rest is between this one and the agent.
        Some(Said::Answer(answer)) if handler.native.is_none() || input.event() == Event::PreToolUse => {
            output.other = Map::new();
            Spoken { output, native: dialect.remainder(input.event(), answer) }
        }
        Some(Said::Answer(native)) => Spoken { output: HookOutput::default(), native },
        Some(Said::Text(_) | Said::Refused { .. }) | None => Spoken { output, native: Map::new() },
    })
}

#[cfg(test)]
#[path = "dispatch_tests.rs"]
mod tests;
