//! Asks the handlers, one after the other, and makes one outcome of what they say.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use symposium_agents::wire::{per_file, read_answer, render};
use symposium_agents::{AgentEvent, dialect};
use symposium_model::agent::AgentId;
use symposium_model::hook::plan::{Handler, Run};
use symposium_model::hook::{Decision, Detail, Flow, Format, HookInput, HookOutput, OnFailure, Outcome};

use crate::edge::child::{self, Ended, Finished, Job};
use crate::edge::{disk, environment};
use crate::plan::holds;
use crate::trail::{Entry, Ran};
use crate::workflow::{self, Done, Setting};

/// What all handlers of one event may take together, unless one asks for more.
const SHARED: Duration = Duration::from_millis(8_500);
/// The most a handler can ask for: agents are told 60 s, and our own answer needs some of them.
const MOST: Duration = Duration::from_secs(50);

/// An event to be handled.
pub(crate) struct Task<'a> {
    /// The agent that raised it; `None` for the canonical form.
    pub(crate) agent: Option<AgentId>,
    /// Its bytes, as they came in.
    pub(crate) raw: &'a [u8],
    /// The workspace.
    pub(crate) workspace: Option<&'a Path>,
    /// When the call began.
    pub(crate) start: Instant,
}

/// Asks every handler. The input changes as handlers rewrite it, so that each sees what the one before made of it.
pub(crate) fn run(task: &Task<'_>, handlers: &[&Handler], input: &mut HookInput, entry: &mut Entry) -> Outcome {
    let mut outcome = Outcome::default();
    let asked = handlers.iter().filter_map(|handler| handler.timeout).map(Duration::from_secs).max();
    let deadline = task.start + asked.map_or(SHARED, |asked| asked.clamp(SHARED, MOST));
    for (position, handler) in handlers.iter().enumerate() {
        let left = deadline.saturating_duration_since(Instant::now());
        // While others wait nobody may use up everything: a guard further back must have its say.
        let share = if position + 1 < handlers.len() { left / 2 } else { left };
        let own = handler.timeout.map_or(share, |seconds| share.min(Duration::from_secs(seconds)));
        let until = Instant::now() + own;
        let said = ask(task, handler, input, until, entry);
        let Some(said) = said else { continue };
        if let (Some(changed), Some(tool)) = (&said.updated_input, input.tool_mut()) {
            tool.input.extend(changed.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        if outcome.absorb(said, &handler.title()) == Flow::Stop {
            break;
        }
    }
    outcome
}

/// What one handler says; `None` when that is nothing.
fn ask(task: &Task<'_>, handler: &Handler, input: &HookInput, until: Instant, entry: &mut Entry) -> Option<HookOutput> {
    let setting = Setting { agent: task.agent, workspace: task.workspace, deadline: until };
    let run = match &handler.run {
        Run::Direct { program, args } => child::Run::Direct { program: Path::new(program), args },
        Run::Shell { line, args } => child::Run::Shell { line, args },
        Run::Rtk { exclude } => return worked(handler, || workflow::shorten(input, exclude, setting), entry),
        Run::Autofmt(formatting) => return worked(handler, || workflow::tidy(input, formatting, setting), entry),
    };
    if !handler.granted.iter().all(holds) {
        entry.note(format!("{}: changed since it was granted, so it is not run", handler.title()));
        return None;
    }
    let questions = questions(task, handler, input);
    let several = questions.len() > 1;
    let mut merged: Option<Outcome> = None;
    for question in questions {
        let Some(mut said) = ask_once(task, handler, run, &question, until, entry) else { continue };
        if several {
            // One file of a patch cannot be changed by itself.
            said.updated_input = None;
        } else if merged.is_none() {
            return Some(said);
        }
        if merged.get_or_insert_default().absorb(said, &handler.title()) == Flow::Stop {
            break;
        }
    }
    merged.map(|merged| HookOutput {
        decision: merged.decision,
        reason: merged.reason,
        additional_context: merged.context,
        updated_input: None,
        other: merged.other,
    })
}

/// What a workflow of ours says, which runs in this process.
fn worked(handler: &Handler, work: impl FnOnce() -> Done, entry: &mut Entry) -> Option<HookOutput> {
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
    said
}

/// What a handler is asked: in its own language.
struct Question {
    input: HookInput,
    text: Vec<u8>,
}

fn questions(task: &Task<'_>, handler: &Handler, input: &HookInput) -> Vec<Question> {
    let text = |value: &Value| value.to_string().into_bytes();
    match handler.format {
        Format::Symposium => vec![Question { input: input.clone(), text: text(&input.to_json()) }],
        Format::Agent(format) if Some(format) == task.agent => {
            vec![Question { input: input.clone(), text: native_text(task, input) }]
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
            each.map(|input| Question { text: text(&render(dialect, event, &input)), input }).collect()
        }
    }
}

/// The agent's own JSON, with what handlers changed so far.
fn native_text(task: &Task<'_>, input: &HookInput) -> Vec<u8> {
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
    changed().unwrap_or_else(|| task.raw.to_vec())
}

fn ask_once(
    task: &Task<'_>,
    handler: &Handler,
    run: child::Run<'_>,
    question: &Question,
    until: Instant,
    entry: &mut Entry,
) -> Option<HookOutput> {
    let finished = start(task, handler, run, question, until);
    let stdout = String::from_utf8_lossy(&finished.stdout);
    let complaint = || String::from_utf8_lossy(&finished.stderr).trim().to_owned();
    let deny =
        |reason: String| HookOutput { decision: Some(Decision::Deny), reason: Some(reason), ..HookOutput::default() };
    let failed = |why: &str| match handler.on_failure {
        OnFailure::Allow => None,
        OnFailure::Block => Some(deny(format!("{} {why}, and it must not be passed over", handler.title()))),
    };
    let (end, said) = match &finished.ended {
        Ended::Exited(2) => ("2".to_owned(), Some(deny(complaint()))),
        Ended::Signalled(signal) => (format!("signal {signal}"), Some(deny(complaint()))),
        Ended::Exited(code) => {
            let said = if finished.stdout_cut { None } else { understood(handler, &question.input, &stdout) };
            if said.is_none() && (!stdout.trim().is_empty() || finished.stdout_cut) {
                entry.note(format!("{}: what it printed is not an answer, so it is ignored", handler.title()));
            }
            let usable = said.is_some() || stdout.trim().is_empty();
            let denied = said.as_ref().is_some_and(|said| said.decision == Some(Decision::Deny));
            let said = match code {
                _ if denied => said,
                0 if usable => said,
                0 => failed("gave an answer nobody understands"),
                _ => failed(&format!("ended with exit code {code}")).or(said),
            };
            (code.to_string(), said)
        }
        Ended::DeadlineKilled => ("killed".to_owned(), failed("did not answer in time")),
        Ended::NotStarted(error) => {
            entry.note(format!("{}: {error}", handler.title()));
            ("not started".to_owned(), failed("could not be started"))
        }
    };
    entry.handlers.push(Ran {
        name: handler.title(),
        end,
        decision: said.as_ref().and_then(|said| said.decision).map(|decision| decision.name().to_owned()),
        ms: u64::try_from(finished.took.as_millis()).unwrap_or_default(),
    });
    said
}

/// What a handler printed, in its own language; `None` when it is not an answer.
fn understood(handler: &Handler, input: &HookInput, stdout: &str) -> Option<HookOutput> {
    match handler.format {
        Format::Symposium => {
            let Ok(Value::Object(answer)) = serde_json::from_str(stdout.trim()) else { return None };
            HookOutput::from_json(input.event(), answer)
        }
        Format::Agent(format) => read_answer(dialect(format), input, stdout),
    }
}

fn start(task: &Task<'_>, handler: &Handler, run: child::Run<'_>, question: &Question, until: Instant) -> Finished {
    let workspace = task.workspace.map(Path::as_os_str);
    let depth = (environment::depth() + 1).to_string();
    let agent = task.agent.map_or("symposium", AgentId::name);
    let event = question.input.event().name();
    let mut set: Vec<(&str, &OsStr)> = vec![
        ("SYMPOSIUM_PLUGIN_DIR", handler.directory.as_ref()),
        ("SYMPOSIUM_AGENT", agent.as_ref()),
        ("SYMPOSIUM_EVENT", event.as_ref()),
        (environment::SYMPOSIUM_DEPTH, depth.as_ref()),
    ];
    if let Some(workspace) = workspace {
        set.push(("SYMPOSIUM_WORKSPACE", workspace));
        // Scripts written for these agents find their project everywhere.
        set.push(("CLAUDE_PROJECT_DIR", workspace));
        set.push(("GEMINI_PROJECT_DIR", workspace));
    }
    for (name, value) in &handler.variables {
        set.push((name, value.as_ref()));
    }
    let path = path_with(&handler.path);
    if let Some(path) = &path {
        set.push(("PATH", path));
    }
    let cwd = question.input.cwd.as_deref().map(Path::new).filter(|cwd| cwd.is_absolute() && disk::is_dir(cwd));
    child::run(&Job { run, directory: cwd.or(task.workspace), set: &set, input: &question.text, deadline: until })
}

/// PATH with the directories of installations in front.
fn path_with(first: &[String]) -> Option<OsString> {
    if first.is_empty() {
        return None;
    }
    let mut path = OsString::from(first.join(":"));
    if let Some(rest) = environment::variable("PATH") {
        path.push(":");
        path.push(rest);
    }
    Some(path)
}

#[cfg(test)]
#[path = "dispatch_tests.rs"]
mod tests;
