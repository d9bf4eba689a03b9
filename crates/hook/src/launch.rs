//! Starts the command of one handler, and tells what its end means.

use std::env::{join_paths, split_paths};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Instant;

use symposium_agents::dialect;
use symposium_agents::wire::{Mended, Nesting};
use symposium_model::agent::AgentId;
use symposium_model::hook::plan::{Handler, Run};
use symposium_model::hook::{Decision, Format, OnFailure};

use crate::edge::child::{self, Ended, Finished, Job};
use crate::edge::{disk, environment};
use crate::plan::holds;
use crate::trail::{Entry, KILLED, NOT_STARTED, Ran, SIGNAL};

/// An event to be handled.
pub(crate) struct Task<'a> {
    /// The agent that raised it; `None` for the canonical form.
    pub(crate) agent: Option<AgentId>,
    /// Its bytes, as they came in, or mended where no reader would have taken them.
    pub(crate) raw: &'a [u8],
    /// Whether something in it is not what it was.
    pub(crate) nesting: Nesting,
    /// The workspace.
    pub(crate) workspace: Option<&'a Path>,
    /// When the call began.
    pub(crate) start: Instant,
}

impl<'a> Task<'a> {
    /// An event in its bytes, and as it is when it had to be mended.
    pub(crate) fn new(
        agent: Option<AgentId>,
        (raw, mended): (&'a [u8], Option<&'a Mended>),
        workspace: Option<&'a Path>,
        start: Instant,
    ) -> Self {
        let nesting = mended.map_or(Nesting::Kept, |mended| mended.nesting);
        let raw = mended.map_or(raw, |mended| mended.text.as_bytes());
        Self { agent, raw, nesting, workspace, start }
    }
}

/// What is started for a handler; `None` when it is not what somebody agreed to any more, or runs in this process.
pub(crate) fn runnable<'h>(handler: &'h Handler, entry: &mut Entry) -> Option<child::Run<'h>> {
    let run = match &handler.run {
        Run::Direct { program, args } => child::Run::Direct { program: Path::new(program), args },
        Run::Shell { line, args } => child::Run::Shell { line, args },
        Run::Rtk { .. } | Run::Autofmt(_) => return None,
    };
    if handler.granted.iter().all(holds) {
        return Some(run);
    }
    entry.note(format!("{}: changed since it was granted, so it is not run", handler.title()));
    None
}

/// What a handler is asked.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) handler: &'a Handler,
    pub(crate) run: child::Run<'a>,
    /// The event, in the handler's language.
    pub(crate) text: &'a [u8],
    /// The canonical name of the event.
    pub(crate) event: &'a str,
    /// Where the agent works.
    pub(crate) cwd: Option<&'a str>,
}

/// Runs the command.
pub(crate) fn start(task: &Task<'_>, asked: Asked<'_>, until: Instant) -> Finished {
    let Asked { handler, run, text, event, cwd } = asked;
    let workspace = task.workspace.map(Path::as_os_str);
    let depth = environment::depth().saturating_add(1).to_string();
    let agent = task.agent.map_or("symposium", AgentId::name);
    // As the manifest writes it.
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
    // Scripts written for these agents find their project everywhere; outside a workspace it is where the agent works,
    // unless it says otherwise itself.
    for name in project_variables(handler) {
        let told = || environment::variable(name).is_some();
        let project = workspace.or_else(|| cwd.map(OsStr::new).filter(|_| !told()));
        set.extend(project.map(|project| (name, project)));
    }
    for (name, value) in &handler.variables {
        set.push((name, value.as_ref()));
    }
    let path = path_with(&handler.path);
    if let Some(path) = &path {
        set.push(("PATH", path));
    }
    let cwd = cwd.map(Path::new).filter(|cwd| cwd.is_absolute() && disk::is_dir(cwd));
    child::run(&Job { run, directory: cwd.or(task.workspace), set: &set, input: text, deadline: until })
}

/// The variables in which a handler may look for its project: those many scripts know, and that of the agent it was
/// written for.
fn project_variables(handler: &Handler) -> impl Iterator<Item = &'static str> {
    const KNOWN: [&str; 2] = ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR"];
    let own = match handler.format {
        Format::Agent(agent) => dialect(agent).project_variable,
        Format::Symposium => None,
    };
    KNOWN.into_iter().chain(own.filter(|own| !KNOWN.contains(own)))
}

/// PATH with the directories of installations in front. One that it cannot hold, as with a `:` in it, would be taken for
/// others, so it is left out.
fn path_with(first: &[String]) -> Option<OsString> {
    let first: Vec<&String> = first.iter().filter(|directory| join_paths([directory]).is_ok()).collect();
    if first.is_empty() {
        return None;
    }
    let rest = environment::variable("PATH").unwrap_or_default();
    let rest: Vec<PathBuf> = if rest.is_empty() { Vec::new() } else { split_paths(&rest).collect() };
    join_paths(first.into_iter().map(PathBuf::from).chain(rest)).ok()
}

/// What a handler can have said, in whichever language.
pub(crate) trait Speech: Sized {
    /// A no, with what was printed beside it.
    fn refusal(reason: String, stdout: &str) -> Self;
    /// What it decides.
    fn decision(&self) -> Option<Decision>;
}

/// What a handler's end means; `None` when that is nothing. `understand` reads what it printed, given its exit code.
pub(crate) fn judge<S: Speech>(
    handler: &Handler,
    finished: &Finished,
    understand: impl FnOnce(&str, i32) -> Option<S>,
    entry: &mut Entry,
) -> Option<S> {
    let stdout = String::from_utf8_lossy(&finished.stdout);
    let complaint = || String::from_utf8_lossy(&finished.stderr).trim().to_owned();
    let failed = |why: &str| match handler.on_failure {
        OnFailure::Allow => None,
        OnFailure::Block => Some(S::refusal(format!("{} {why}, and it must not be passed over", handler.title()), "")),
    };
    let (end, said) = match &finished.ended {
        Ended::Exited(2) => ("2".to_owned(), Some(S::refusal(complaint(), &stdout))),
        Ended::Signalled(signal) => (format!("{SIGNAL}{signal}"), Some(S::refusal(complaint(), ""))),
        Ended::Exited(code) => {
            // Most handlers say nothing, and a JSON reader takes long to find out what is wrong with that.
            let silent = stdout.trim().is_empty();
            let said = if silent || finished.stdout_cut { None } else { understand(&stdout, *code) };
            if said.is_none() && (!silent || finished.stdout_cut) {
                entry.note(format!("{}: what it printed is not an answer, so it is ignored", handler.title()));
            }
            let usable = said.is_some() || silent;
            let denied = said.as_ref().is_some_and(|said| said.decision() == Some(Decision::Deny));
            let said = match code {
                _ if denied => said,
                0 if usable => said,
                0 => failed("gave an answer nobody understands"),
                _ => failed(&format!("ended with exit code {code}")).or(said),
            };
            (code.to_string(), said)
        }
        Ended::DeadlineKilled => (KILLED.to_owned(), failed("did not answer in time")),
        Ended::NotStarted(error) => {
            entry.note(format!("{}: {error}", handler.title()));
            (NOT_STARTED.to_owned(), failed("could not be started"))
        }
    };
    entry.handlers.push(Ran {
        name: handler.title(),
        end,
        decision: said.as_ref().and_then(Speech::decision).map(|decision| decision.name().to_owned()),
        ms: u64::try_from(finished.took.as_millis()).unwrap_or_default(),
    });
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_that_path_cannot_hold_is_left_out() {
        let path = path_with(&["/one".to_owned(), "/two:three".to_owned(), "/four".to_owned()]).unwrap();
        let parts: Vec<_> = std::env::split_paths(&path).collect();
        let (added, others) = parts.split_at(2);
        assert_eq!(added, [Path::new("/one"), Path::new("/four")]);
        let rest: Vec<_> = std::env::split_paths(&environment::variable("PATH").unwrap()).collect();
        assert_eq!(others, rest);
        assert_eq!(path_with(&[]), None);
        assert_eq!(path_with(&["/two:three".to_owned()]), None);
    }
}
