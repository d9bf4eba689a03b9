//! Programs that are found by their name: whether an agent finds them, also one that was started from a desktop.

use std::path::{Path, PathBuf};

use symposium_agents::import::line_words;
use symposium_agents::{AgentSpec, RegisteredServer};
use symposium_io::{env, fs};
use symposium_model::agent::AgentId;
use symposium_model::hook::hook_plan::{Handler, HandlerAction};
use symposium_model::transport::Transport;

use super::{AgentReport, FindingWeight};

/// Where a desktop has programs looked for.
const DESKTOP: &[&str] =
    if cfg!(target_os = "macos") { &["/usr/bin", "/bin", "/usr/sbin", "/sbin"] } else { &["/usr/bin", "/bin"] };

/// Words a shell knows itself.
const OF_SHELL: &[&str] = &[
    "!", ".", ":", "[", "[[", "case", "cd", "command", "echo", "eval", "exec", "exit", "export", "false", "for", "if",
    "printf", "read", "set", "shift", "source", "test", "trap", "true", "umask", "unset", "until", "while", "{",
];

/// A program that somebody starts by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ByName {
    program: String,
    /// What starts it, for people.
    by: String,
    /// Directories that are looked in first.
    before: Vec<PathBuf>,
    only: Option<AgentId>,
    /// Agents it is not for.
    not_for: Vec<AgentId>,
}

impl ByName {
    /// What a handler starts; `None` when that is not told by a name.
    pub(crate) fn of_handler(handler: &Handler) -> Option<Self> {
        let program = match &handler.run {
            HandlerAction::Direct { program, .. } => program.clone(),
            HandlerAction::Shell { line, .. } => first_program(line)?,
            HandlerAction::Rtk { .. } | HandlerAction::Autofmt(_) => return None,
        };
        is_name(&program).then(|| Self {
            program,
            by: format!("hook `{}`", handler.title()),
            before: handler.path.iter().map(PathBuf::from).collect(),
            only: handler.agent,
            not_for: handler.not_for.clone(),
        })
    }

    /// What starts a server; `None` when that is not told by a name.
    pub(crate) fn of_server(server: &RegisteredServer) -> Option<Self> {
        let Transport::Stdio { command, .. } = &server.transport else { return None };
        let by = format!("MCP server `{}`", server.name);
        is_name(command).then(|| Self {
            program: command.clone(),
            by,
            before: Vec::new(),
            only: None,
            not_for: Vec::new(),
        })
    }

    /// Our own program, where a project's registration calls it.
    pub(super) fn of_project() -> Self {
        let by = "the project's registration".to_owned();
        Self { program: "symposium".to_owned(), by, before: Vec::new(), only: None, not_for: Vec::new() }
    }

    fn is_for(&self, agent: AgentId) -> bool {
        self.only.is_none_or(|only| only == agent) && !self.not_for.contains(&agent)
    }
}

fn is_name(program: &str) -> bool {
    !program.is_empty() && !program.contains(std::path::is_separator)
}

/// The program a line for a shell begins with, as far as that can be told without running it.
fn first_program(line: &str) -> Option<String> {
    let is_assignment =
        |word: &str| word.split_once('=').is_some_and(|(name, _)| !name.is_empty() && !name.contains('/'));
    let first =
        line_words(line).into_iter().map(|word| word.text).find(|text| !text.as_deref().is_some_and(is_assignment));
    first.flatten().filter(|word| !OF_SHELL.contains(&word.as_str()))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProgramReach {
    /// Also by an agent that a desktop started.
    Everywhere,
    /// With the PATH of this terminal.
    Here,
    Nowhere,
}

fn find(called: &ByName, path: &[PathBuf], is_program: &dyn Fn(&Path) -> bool) -> ProgramReach {
    let is_in = |directory: &Path| is_program(&directory.join(&called.program));
    if called.before.iter().any(|at| is_in(at)) || DESKTOP.iter().any(|at| is_in(Path::new(at))) {
        ProgramReach::Everywhere
    } else if path.iter().any(|at| is_in(at)) {
        ProgramReach::Here
    } else {
        ProgramReach::Nowhere
    }
}

/// Adds findings for programs that an agent will not find.
pub(super) fn examine_search_path(facts: &AgentSpec, called: &[ByName], examination: &mut AgentReport) {
    let path = env::program_directories();
    let wanted: Vec<(&ByName, ProgramReach)> = called
        .iter()
        .filter(|called| called.is_for(facts.id))
        .map(|called| (called, find(called, &path, &fs::is_executable)))
        .collect();
    for (called, _) in wanted.iter().filter(|(_, found)| *found == ProgramReach::Nowhere) {
        // What is registered for everybody is of no use at all then.
        let weight = if **called == ByName::of_project() { FindingWeight::Error } else { FindingWeight::Warning };
        let message = format!("{} calls `{}`, which is not on PATH", capitalised(&called.by), called.program);
        let fix = if weight == FindingWeight::Error {
            "install it in a directory on PATH; `cargo install` uses `~/.cargo/bin`"
        } else {
            "install it in a directory on PATH, or switch off the plugin that calls it"
        };
        examination.add(weight, message, fix);
    }
    let here: Vec<&ByName> =
        wanted.iter().filter(|(_, found)| *found == ProgramReach::Here).map(|(called, _)| *called).collect();
    if cfg!(windows) || here.is_empty() {
        return;
    }
    let message = format!(
        "{} started from a desktop searches for programs only in {}, and does not find {}",
        facts.title,
        DESKTOP.join(", "),
        grouped(&here).join(", ")
    );
    let own = if here.contains(&&ByName::of_project()) {
        format!("; a user registration calls Symposium by its path: run `symposium init --user --agent {}`", facts.id)
    } else {
        String::new()
    };
    let fix = format!("start it from a terminal, or set a PATH that contains them{own}");
    examination.add(FindingWeight::Warning, message, fix);
}

/// Each program once, with everything that calls it.
fn grouped(called: &[&ByName]) -> Vec<String> {
    let mut programs: Vec<&str> = called.iter().map(|called| called.program.as_str()).collect();
    programs.sort_unstable();
    programs.dedup();
    let by = |program: &str| {
        let mut by: Vec<&str> =
            called.iter().filter(|called| called.program == program).map(|called| called.by.as_str()).collect();
        by.sort_unstable();
        by.dedup();
        by.join(", ")
    };
    programs.into_iter().map(|program| format!("`{program}` ({})", by(program))).collect()
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_begins_with_a_program_or_that_cannot_be_told() {
        for (line, program) in [
            ("jq . < x", Some("jq")),
            ("A=1 B=2 node x.js | tee log", Some("node")),
            ("cd x && make", None),
            ("$TOOL x", None),
            ("'/p/check.sh' | cat", Some("/p/check.sh")),
            ("", None),
        ] {
            assert_eq!(first_program(line).as_deref(), program, "{line}");
        }
    }

    #[test]
    fn a_program_is_found_everywhere_here_or_nowhere() {
        let called = |before: &[&str]| ByName {
            program: "tool".to_owned(),
            before: before.iter().map(PathBuf::from).collect(),
            ..ByName::of_project()
        };
        let check = |at: &str, before: &[&str], wanted: ProgramReach| {
            let is_program = |path: &Path| path == Path::new(at);
            assert_eq!(find(&called(before), &["/home/user".into()], &is_program), wanted, "{at}");
        };
        check("/usr/bin/tool", &[], ProgramReach::Everywhere);
        check("/made/tool", &["/made"], ProgramReach::Everywhere);
        check("/home/user/tool", &[], ProgramReach::Here);
        check("/elsewhere/tool", &[], ProgramReach::Nowhere);
    }
}
