//! Start of a handler's command, and interpretation of its exit.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::Instant;

use symposium_agents::dialect;
use symposium_agents::native::AnswerStream;
use symposium_agents::settings_layout::SESSION_VARIABLES;
use symposium_agents::wire::{NestingRepair, RepairedJson};
use symposium_model::agent::AgentId;
use symposium_model::hook::hook_plan::{Handler, HandlerAction, HandlerIsolation};
use symposium_model::hook::{HookDecision, OnFailure, PayloadFormat};

use crate::edge::child::{self, ChildEnd, ChildJob, ChildResult};
use crate::edge::{disk, environment};
use crate::handler_environment::{self, EventPlaces, HandlerEnvironment, UserPlaces};
use crate::hook_log::{HandlerOutput, HandlerRun, KILLED, LogEntry, NOT_STARTED, SIGNAL};
use crate::hook_plan::holds;
use crate::plan_loader::DraftLookup;

pub(crate) struct EventContext<'a> {
    /// `None` for the canonical format.
    pub(crate) agent: Option<AgentId>,
    /// The payload as received, or repaired where no JSON reader would accept it.
    pub(crate) raw: &'a [u8],
    pub(crate) nesting: NestingRepair,
    pub(crate) workspace: Option<&'a Path>,
    pub(crate) start: Instant,
    pub(crate) user: UserPlaces,
    /// Gives the guidance for dependencies that are about to come; `None` where nothing is refused.
    pub(crate) draft: Option<DraftLookup<'a>>,
}

impl<'a> EventContext<'a> {
    /// Uses the repaired JSON instead of `raw` if there is one.
    pub(crate) fn new(
        agent: Option<AgentId>,
        raw: &'a [u8],
        mended: Option<&'a RepairedJson>,
        workspace: Option<&'a Path>,
        start: Instant,
        user: UserPlaces,
    ) -> Self {
        let nesting = mended.map_or(NestingRepair::Kept, |mended| mended.nesting);
        let raw = mended.map_or(raw, |mended| mended.text.as_bytes());
        Self { agent, raw, nesting, workspace, start, user, draft: None }
    }

    pub(crate) fn places(&'a self, cwd: Option<&'a str>) -> EventPlaces<'a> {
        let cwd = cwd.map(Path::new).filter(|cwd| cwd.is_absolute() && disk::is_dir(cwd));
        EventPlaces { workspace: self.workspace, cwd, user: &self.user }
    }
}

/// Returns the command of a handler; `None` when its files changed since the user granted it, or when it runs in this
/// process.
pub(crate) fn runnable<'h>(handler: &'h Handler, entry: &mut LogEntry) -> Option<child::ChildCommand<'h>> {
    let run = match &handler.run {
        HandlerAction::Direct { program, args } => child::ChildCommand::Direct { program: Path::new(program), args },
        HandlerAction::Shell { line, args } => child::ChildCommand::Shell { line, args },
        HandlerAction::Rtk { .. }
        | HandlerAction::Autofmt(_)
        | HandlerAction::Cargo
        | HandlerAction::Deps
        | HandlerAction::Finish => return None,
    };
    if handler.granted.iter().all(holds) {
        return Some(run);
    }
    entry.note(format!("{}: changed since it was granted, so it is not run", handler.title()));
    None
}

/// The directory and the session that an event came from.
#[derive(Clone, Copy)]
pub(crate) struct EventOrigin<'e> {
    pub(crate) cwd: Option<&'e str>,
    pub(crate) session: Option<&'e str>,
}

#[derive(Clone, Copy)]
pub(crate) struct HandlerInvocation<'a> {
    pub(crate) handler: &'a Handler,
    pub(crate) run: child::ChildCommand<'a>,
    pub(crate) text: &'a [u8],
    /// The canonical name of the event.
    pub(crate) event: &'a str,
    pub(crate) origin: EventOrigin<'a>,
}

pub(crate) fn start(task: &EventContext<'_>, asked: HandlerInvocation<'_>, until: Instant) -> ChildResult {
    let HandlerInvocation { handler, run, text, event, origin: EventOrigin { cwd, session } } = asked;
    let workspace = task.workspace.map(Path::as_os_str);
    let depth = environment::depth().saturating_add(1).to_string();
    let agent = task.agent.map_or("symposium", AgentId::name);
    // The spelling of the manifest.
    let native = handler.native.as_ref().map(|native| format!("{agent}:{native}"));
    let event = native.as_deref().unwrap_or(event);
    let mut set: Vec<(&str, &OsStr)> = vec![
        ("SYMPOSIUM_PLUGIN_DIR", handler.directory.as_ref()),
        ("SYMPOSIUM_AGENT", agent.as_ref()),
        ("SYMPOSIUM_EVENT", event.as_ref()),
        (environment::SYMPOSIUM_DEPTH, depth.as_ref()),
    ];
    if let Some(workspace) = workspace {
        set.push(("SYMPOSIUM_WORKSPACE", workspace));
    }
    // Scripts written for these agents find their project everywhere. Outside a workspace it is the agent's working
    // directory, unless the agent sets the variable itself.
    for name in project_variables(handler) {
        let told = || environment::variable(name).is_some();
        let project = workspace.or_else(|| cwd.map(OsStr::new).filter(|_| !told()));
        set.extend(project.map(|project| (name, project)));
    }
    // The agent chooses the id, and not every text fits into a variable.
    if let Some(session) = session.filter(|id| id.len() <= MAX_SESSION_ID && !id.contains('\0')) {
        set.extend(SESSION_VARIABLES.map(|name| (name, OsStr::new(session))));
    }
    for (name, value) in &handler.variables {
        // A plugin may give an installation the name of one of these variables.
        if !set.iter().any(|(ours, _)| ours == name) {
            set.push((name, value.as_ref()));
        }
    }
    let places = task.places(cwd);
    let directory = match handler.isolation {
        HandlerIsolation::None | HandlerIsolation::Environment => places.cwd.or(task.workspace),
        // Outside every workspace only the plugin's own directory is safe.
        HandlerIsolation::Workspace => {
            task.workspace.or_else(|| Some(Path::new(&handler.directory)).filter(|own| own.is_absolute()))
        }
    };
    let around = match handler.isolation {
        HandlerIsolation::None => HandlerEnvironment::default(),
        HandlerIsolation::Environment | HandlerIsolation::Workspace => {
            let kept: Vec<&str> = project_variables(handler).collect();
            HandlerEnvironment::apart(&places, directory, &kept)
        }
    };
    if handler.isolation != HandlerIsolation::None {
        // Version managers search for their version file from here instead of from the agent's working directory.
        set.extend(VERSIONS_FROM.map(|name| (name, OsStr::new(&handler.directory))));
    }
    set.extend(around.variables());
    set.extend(UNLOADING.iter().map(|(name, value)| (*name, OsStr::new(value))));
    let own = SearchPaths::for_handler(handler, &around);
    set.extend(own.variables());
    child::run(&ChildJob { run, directory, unset: &around.unset, set: &set, input: text, deadline: until })
}

const MAX_SESSION_ID: usize = 256;

/// Variables that tell pyenv, rbenv and nodenv the directory whose files choose a version.
const VERSIONS_FROM: [&str; 3] = ["PYENV_DIR", "RBENV_DIR", "NODENV_DIR"];

/// Stops Python from importing modules from the working directory and from writing bytecode files.
const UNLOADING: [(&str, &str); 2] = [("PYTHONSAFEPATH", "1"), ("PYTHONDONTWRITEBYTECODE", "1")];

/// The search paths for a handler's programs and modules, with the directories of its plugin first.
struct SearchPaths(Vec<(&'static str, OsString)>);

impl SearchPaths {
    fn for_handler(handler: &Handler, around: &HandlerEnvironment) -> Self {
        let mut lists = Vec::new();
        if !handler.path.is_empty() {
            lists.push(("PATH", handler_environment::with_first(&handler.path, around.path().as_deref())));
        }
        // The caller's own path is only for handlers that get its whole environment.
        let is_apart = handler.isolation != HandlerIsolation::None;
        let others = if is_apart { None } else { environment::variable("PYTHONPATH") };
        if !handler.modules.is_empty() {
            lists.push(("PYTHONPATH", handler_environment::with_first(&handler.modules, others.as_deref())));
        }
        if is_apart {
            // Without it Java loads classes from the working directory.
            lists.push(("CLASSPATH", handler.directory.clone().into()));
        }
        Self(lists)
    }

    fn variables(&self) -> impl Iterator<Item = (&str, &OsStr)> {
        self.0.iter().map(|(name, value)| (*name, value.as_os_str()))
    }
}

/// Lists the variables in which a handler may look for its project: those that many scripts know, and the one of the
/// agent it was written for.
fn project_variables(handler: &Handler) -> impl Iterator<Item = &'static str> {
    const KNOWN: [&str; 2] = ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR"];
    let own = match handler.format {
        PayloadFormat::Agent(agent) => dialect(agent).project_variable,
        PayloadFormat::Symposium => None,
    };
    KNOWN.into_iter().chain(own.filter(|own| !KNOWN.contains(own)))
}

pub(crate) trait HandlerReply: Sized {
    fn decision(&self) -> Option<HookDecision>;
    fn reason(&self) -> Option<String>;
}

pub(crate) struct ReplyReader<U, R> {
    /// Parses the output, given the exit code; `None` when it is no answer.
    pub(crate) understand: U,
    /// Builds a refusal from a reason and the output printed beside it.
    pub(crate) refuse: R,
}

/// Interprets the exit of a handler; `None` when it has no effect.
pub(crate) fn judge<S: HandlerReply>(
    handler: &Handler,
    finished: &ChildResult,
    listener: &ReplyReader<impl Fn(&str, i32) -> Option<S>, impl Fn(String, &str) -> S>,
    entry: &mut LogEntry,
) -> Option<S> {
    let ReplyReader { understand, refuse } = listener;
    let stdout = String::from_utf8_lossy(&finished.stdout);
    let stderr = String::from_utf8_lossy(&finished.stderr);
    let failed = |why: &str| match handler.on_failure {
        OnFailure::Allow => None,
        OnFailure::Block => Some(refuse(format!("{} {why}, and its `on-failure` is `block`", handler.title()), "")),
    };
    let mut is_unusable = false;
    let (end, said) = match &finished.ended {
        ChildEnd::Exited(2) => {
            let reason = refusal_text(handler, stdout.trim(), stderr.trim(), understand);
            ("2".to_owned(), Some(refuse(reason, &stdout)))
        }
        ChildEnd::Signalled(signal) => (format!("{SIGNAL}{signal}"), Some(refuse(stderr.trim().to_owned(), ""))),
        ChildEnd::Exited(code) => {
            // Most handlers print nothing, and a JSON parser takes long to reject that.
            let silent = stdout.trim().is_empty();
            let printed =
                if silent && answers_on(handler) == AnswerStream::StdoutElseStderr { &stderr } else { &stdout };
            let unreadable = printed.trim().is_empty() || finished.stdout_cut;
            let said = if unreadable { None } else { understand(printed, *code) };
            if said.is_none() && (!silent || finished.stdout_cut) {
                entry.note(format!("{}: its output is not a valid answer, so it is ignored", handler.title()));
            }
            let is_passed_over = said.is_none() && *code != 0 && handler.on_failure == OnFailure::Allow;
            if is_passed_over && handler.isolation == HandlerIsolation::Environment {
                entry.note(format!("{}: it ended with exit code {code}, so it is ignored", handler.title()));
            }
            let usable = said.is_some() || silent;
            is_unusable = !usable;
            let denied = said.as_ref().is_some_and(|said| said.decision() == Some(HookDecision::Deny));
            let said = match code {
                _ if denied => said,
                0 if usable => said,
                0 => failed("returned an invalid answer"),
                _ => failed(&format!("ended with exit code {code}")).or(said),
            };
            (code.to_string(), said)
        }
        ChildEnd::DeadlineKilled => (KILLED.to_owned(), failed("timed out")),
        ChildEnd::NotStarted(error) => {
            entry.note(format!("{}: {error}", handler.title()));
            (NOT_STARTED.to_owned(), failed("could not be started"))
        }
    };
    if let Some(outputs) = &mut entry.outputs {
        let (stdout, stderr) = (stdout.trim().to_owned(), stderr.trim().to_owned());
        outputs.push(HandlerOutput { stdout, stderr, is_unusable });
    }
    entry.handlers.push(HandlerRun {
        name: handler.title(),
        end,
        decision: said.as_ref().and_then(HandlerReply::decision).map(|decision| decision.name().to_owned()),
        ms: u64::try_from(finished.took.as_millis()).unwrap_or_default(),
    });
    said
}

fn answers_on(handler: &Handler) -> AnswerStream {
    match handler.format {
        PayloadFormat::Agent(agent) => dialect(agent).own.answers_on,
        PayloadFormat::Symposium => AnswerStream::Stdout,
    }
}

/// Returns the reason of a handler that refuses by its exit code: the text on standard error, or the reason in an
/// answer that it printed there or on standard output.
fn refusal_text<S: HandlerReply>(
    handler: &Handler,
    stdout: &str,
    stderr: &str,
    understand: &impl Fn(&str, i32) -> Option<S>,
) -> String {
    let reads_both = answers_on(handler) == AnswerStream::StdoutElseStderr;
    let texts = if reads_both { [stdout, stderr] } else { [stderr, stdout] };
    for text in texts {
        let answer = if text.starts_with('{') { understand(text, 0) } else { None };
        match answer {
            Some(answer) => {
                if let Some(reason) = answer.reason().filter(|reason| !reason.trim().is_empty()) {
                    return reason;
                }
            }
            None if !text.is_empty() && (reads_both || text == stderr) => return text.to_owned(),
            None => {}
        }
    }
    String::new()
}
