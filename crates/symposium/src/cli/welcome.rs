//! `symposium` without a command, on a terminal in a workspace: the guidance for its dependencies, and the set-up.

use std::io::IsTerminal;

use anstream::ColorChoice;
use symposium_agents::spec;
use symposium_model::agent::AgentId;
use symposium_model::crates::CargoLockState;

use super::args::{ColorMode, GlobalArgs};
use super::init;
use super::session::CliSession;
use crate::error::{CliError, CommandExit};
use crate::ops::agent_detection;
use crate::ops::environment::shell_agent;
use crate::ops::query::overview::{SetupState, WorkspaceOverview};
use crate::ops::resolve::{LedgerDetail, ResolutionDetail};
use crate::ui::printer::{OutputFormat, OutputPrinter, VerbosityLevel};
use crate::ui::response::CommandResponse;
use crate::ui::text::{StyledText, join_names, pad};

/// The maximum number of dependencies without a skill that are listed by name.
const MAX_UNGUIDED: usize = 6;

const PRINTER: OutputPrinter =
    OutputPrinter { verbosity: VerbosityLevel::Normal, answer: OutputFormat::Human, color: ColorChoice::Auto };

/// Returns `None` where the short help is the answer: without a terminal, and outside a cargo workspace.
pub(super) fn run() -> Option<CommandExit> {
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return None;
    }
    let global = GlobalArgs {
        quiet: false,
        verbose: 0,
        directory: None,
        json: false,
        offline: false,
        color: ColorMode::Auto,
        source: Vec::new(),
    };
    let mut session = CliSession::logged(OutputPrinter::silent(), &global).ok()?;
    let detail = ResolutionDetail { ledger: LedgerDetail::Read, ..ResolutionDetail::RELEVANT };
    let resolution = session.resolve(detail);
    let overview = WorkspaceOverview::new(&session.context, &resolution)?;
    PRINTER.text(&overview_text(&overview));
    let state = SetupState::new(&session.context, &resolution);
    let done = close(&session, &state, &global);
    Some(done.unwrap_or_else(|error| CommandResponse::from(error).print(PRINTER)))
}

/// Names the next command, or offers the set-up where there is none.
fn close(session: &CliSession, state: &SetupState, global: &GlobalArgs) -> Result<CommandExit, CliError> {
    let context = &session.context;
    if let Some(line) = state_line(state, &context.agents()) {
        PRINTER.text(&StyledText::default().line(line));
        return Ok(CommandExit::Ok);
    }
    let agents =
        if context.user_chose_agents() { context.agents() } else { agent_detection::agents(context.home.as_deref()) };
    let titles = titles(&agents);
    if agents.is_empty() {
        let text = if context.user_chose_agents() {
            "Your configuration names no agent; run `symposium init --agent NAME` to add one."
        } else {
            "No agent was found on this machine. Run `symposium init` to choose one."
        };
        PRINTER.text(&StyledText::default().line(text));
        return Ok(CommandExit::Ok);
    }
    if shell_agent().is_some() {
        PRINTER.text(&StyledText::default().line("Not set up. Only the user may run `symposium init`."));
        return Ok(CommandExit::Ok);
    }
    init::offer(&format!("Set up {titles} for this project?"), global, PRINTER)
}

/// Says in one line how far the workspace is set up; `None` if it is not.
fn state_line(state: &SetupState, agents: &[AgentId]) -> Option<String> {
    let titles_here = titles(agents);
    Some(match state {
        SetupState::Absent => return None,
        SetupState::BrokenConfig(path) => {
            format!("`{path}` has an error, so its settings are unknown. Run `symposium status` to see the error.")
        }
        SetupState::OldProgram(message) => format!("{message}. Run `symposium self-update` to update."),
        SetupState::NoAgent => "No agent is set up. Run `symposium init --agent NAME` to add one.".to_owned(),
        SetupState::Unserved(unserved) => {
            let names: Vec<&str> = unserved.iter().map(|agent| agent.name()).collect();
            let verb = if names.len() == 1 { "gets" } else { "get" };
            format!(
                "This project is set up for {titles_here}, so {} {verb} no skills here. Run `symposium init --project \
                 --agent {}` to change that.",
                titles(unserved),
                names.join(",")
            )
        }
        SetupState::Missing(1) => {
            format!("Set up for {titles_here}, but 1 skill is not installed yet. Run `symposium sync` to install it.")
        }
        SetupState::Missing(number) => {
            format!(
                "Set up for {titles_here}, but {number} skills are not installed yet. Run `symposium sync` to install \
                 them."
            )
        }
        SetupState::Ready => format!("Set up for {titles_here}. Run `symposium status` for details."),
    })
}

fn titles(agents: &[AgentId]) -> String {
    join_names(&agents.iter().map(|agent| spec(*agent).title).collect::<Vec<_>>())
}

fn overview_text(WorkspaceOverview { name, guided, unguided, lock, is_broken }: &WorkspaceOverview) -> StyledText {
    let begun = StyledText::default().strong(name).plain(": ");
    let is_locked = *lock == CargoLockState::Present;
    let direct = match guided.len() + unguided.len() {
        0 if *is_broken => {
            return begun.line("the dependencies could not be read. Run `symposium status` to see the error.").end();
        }
        0 => return begun.line("no dependencies yet").end(),
        1 => "1 direct dependency".to_owned(),
        number => format!("{number} direct dependencies"),
    };
    let versions = match (guided.len(), is_locked) {
        (1, true) => "its locked version",
        (_, true) => "their locked versions",
        (1, false) => "the version that Cargo.toml allows",
        (_, false) => "the versions that Cargo.toml allows",
    };
    let has = match (guided.len(), unguided.len()) {
        (0, 1) => "without a skill yet".to_owned(),
        (0, _) => "no skills for them yet".to_owned(),
        (1, 0) => format!("with a skill for {versions}"),
        (number, _) => format!("skills for {number} of them, for {versions}"),
    };
    let mut text = begun.line(format!("{direct}, {has}"));
    let title = |name: &str, version: &str| format!("{name} {version}");
    let width = guided.iter().map(|line| title(&line.name, &line.version).chars().count()).max().unwrap_or_default();
    for line in guided {
        text = text.plain("  ").strong(pad(&title(&line.name, &line.version), width)).plain("  ").line(&line.digest);
    }
    let shown: Vec<&str> = unguided.iter().map(String::as_str).take(MAX_UNGUIDED).collect();
    let more = unguided.len() - shown.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    if let Some(first) = shown.first() {
        let names = shown.join(", ");
        text = text.dim(format!("  Without a skill: {names}{more}. ")).plain(format!("`symposium api {first}` "));
        text = text.line(if is_locked { "shows the API of the locked version." } else { "shows its API." });
    }
    text.end()
}

#[cfg(test)]
mod tests {
    use symposium_model::hook::hook_plan::GuidanceLine;

    use super::*;

    fn overview(guided: &[(&str, &str, &str)], unguided: usize) -> WorkspaceOverview {
        let line = |(name, version, digest): &(&str, &str, &str)| GuidanceLine {
            name: (*name).to_owned(),
            version: (*version).to_owned(),
            digest: (*digest).to_owned(),
            skill: String::new(),
        };
        WorkspaceOverview {
            name: "shop".to_owned(),
            guided: guided.iter().map(line).collect(),
            unguided: (0..unguided).map(|at| format!("c{at}")).collect(),
            lock: CargoLockState::Present,
            is_broken: false,
        }
    }

    #[test]
    fn the_overview_names_each_trap_and_what_works_anyway() {
        let cases = [
            (
                overview(&[("rand", "0.10.3", "`thread_rng` is `rng`."), ("axum", "0.8.9", "Paths: `/{id}`.")], 1),
                "shop: 3 direct dependencies, skills for 2 of them, for their locked versions\n  \
                 rand 0.10.3  `thread_rng` is `rng`.\n  axum 0.8.9   Paths: `/{id}`.\n  Without a skill: c0. \
                 `symposium api c0` shows the API of the locked version.\n\n",
            ),
            (
                overview(&[], 8),
                "shop: 8 direct dependencies, no skills for them yet\n  Without a skill: c0, c1, c2, c3, c4, c5 and \
                 2 more. `symposium api c0` shows the API of the locked version.\n\n",
            ),
            (
                overview(&[], 1),
                "shop: 1 direct dependency, without a skill yet\n  Without a skill: c0. `symposium api c0` shows the API \
                 of the locked version.\n\n",
            ),
            (
                overview(&[("rand", "0.10.3", "`thread_rng` is `rng`.")], 0),
                "shop: 1 direct dependency, with a skill for its locked version\n  rand 0.10.3  `thread_rng` is \
                 `rng`.\n\n",
            ),
            (overview(&[], 0), "shop: no dependencies yet\n\n"),
            (
                WorkspaceOverview { is_broken: true, ..overview(&[], 0) },
                "shop: the dependencies could not be read. Run `symposium status` to see the error.\n\n",
            ),
            (
                WorkspaceOverview {
                    lock: CargoLockState::Absent,
                    ..overview(&[("rand", "0.10.3", "`thread_rng` is `rng`.")], 1)
                },
                "shop: 2 direct dependencies, skills for 1 of them, for the version that Cargo.toml allows\n  \
                 rand 0.10.3  `thread_rng` is `rng`.\n  Without a skill: c0. `symposium api c0` shows its API.\n\n",
            ),
        ];
        for (overview, expected) in cases {
            assert_eq!(overview_text(&overview).bare(), expected);
        }
    }

    #[test]
    fn agents_are_listed_as_in_a_sentence() {
        assert_eq!(titles(&[AgentId::Claude]), "Claude Code");
        assert_eq!(
            titles(&[AgentId::Claude, AgentId::Codex, AgentId::Gemini]),
            "Claude Code, Codex CLI and Gemini CLI"
        );
    }
}
