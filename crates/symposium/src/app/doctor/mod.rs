//! Looks at each agent the way it will look at us: installed, registered, readable, trusted, answering.

mod answer;
mod files;
mod trust;

use std::path::{Path, PathBuf};
use std::time::Duration;

use symposium_agents::spec::RootOnly;
use symposium_agents::{AgentSpec, spec};
use symposium_io::{env, fs, process};
use symposium_model::agent::AgentId;

use super::context::Context;
use super::sync::desired::{Desired, DesiredFile, registrations};

/// How long an agent may take to say its version.
const VERSION_LIMIT: Duration = Duration::from_secs(10);

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// It does not work.
    Error,
    /// It may not work, or something waits for the person.
    Warning,
}

/// Something about an agent, and what to do.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    /// How much it matters.
    pub(crate) weight: Weight,
    /// What is so.
    pub(crate) message: String,
    /// What to do.
    pub(crate) fix: String,
}

/// What was found out about one agent.
#[derive(Debug)]
pub(crate) struct Examination {
    /// The agent.
    pub(crate) agent: AgentId,
    /// Its program, if it is on PATH.
    pub(crate) program: Option<PathBuf>,
    /// What it says its version is.
    pub(crate) version: Option<String>,
    /// What is not as it should be.
    pub(crate) findings: Vec<Finding>,
    /// How long our answer to an event took.
    pub(crate) answered_in: Option<Duration>,
    /// Instruction files it reads here. They are the person's, and never written.
    pub(crate) instructions: Vec<PathBuf>,
}

/// Examines an agent.
pub(crate) fn examine(context: &Context, agent: AgentId) -> Examination {
    let facts = spec(agent);
    let program = find_program(facts);
    let version = program.as_deref().and_then(version_of);
    let mut examination = Examination {
        agent,
        program,
        version,
        findings: Vec::new(),
        answered_in: None,
        instructions: instructions(context, facts),
    };
    if examination.program.is_none() {
        let message = format!("{} is not on PATH", facts.title);
        examination.add(Weight::Warning, message, "install it, or leave it out of `[agent] name`");
    }
    let mut desired = Desired::default();
    registrations(context, &[], &mut desired);
    let wanted: Vec<&DesiredFile> = desired.files.iter().filter(|file| file.agents.contains(&agent)).collect();
    if wanted.is_empty() {
        let message = format!("{} is not configured", facts.title);
        examination.add(Weight::Warning, message, format!("`symposium init --agent {agent}` sets it up"));
    }
    for file in &wanted {
        files::examine_file(facts, file, &mut examination);
    }
    let in_project = context.project_agents().contains(&agent);
    if in_project {
        examine_project(context, facts, &mut examination);
    }
    trust::examine_trust(context, facts, &wanted, &mut examination);
    answer::answer(context, agent, &mut examination);
    examination
}

impl Examination {
    fn add(&mut self, weight: Weight, message: impl Into<String>, fix: impl Into<String>) {
        self.findings.push(Finding { weight, message: message.into(), fix: fix.into() });
    }
}

/// The instruction files that are there.
fn instructions(context: &Context, facts: &AgentSpec) -> Vec<PathBuf> {
    let project =
        context.root().into_iter().flat_map(|root| facts.instructions.project.iter().map(|file| root.join(file)));
    let home = context.home.iter().flat_map(|home| facts.instructions.global.iter().map(|file| home.join(file)));
    project.chain(home).filter(|path| fs::is_file(path)).collect()
}

fn find_program(facts: &AgentSpec) -> Option<PathBuf> {
    let directories = env::program_directories();
    let candidates = facts.programs.iter().flat_map(|name| directories.iter().map(move |at| at.join(name)));
    candidates.into_iter().find(|path| fs::is_file(path) && fs::is_executable(path))
}

fn version_of(program: &Path) -> Option<String> {
    let home = env::home().unwrap_or_else(|| PathBuf::from("/"));
    let finished = process::run(program, &["--version"], &home, "", VERSION_LIMIT).ok()??;
    let line = finished.stdout.lines().find(|line| !line.trim().is_empty())?.trim().to_owned();
    finished.status.success().then_some(line)
}

/// A project's files call us by name, and some agents find them only from the root.
fn examine_project(context: &Context, facts: &AgentSpec, examination: &mut Examination) {
    let on_path = env::program_directories().iter().any(|directory| fs::is_file(&directory.join("symposium")));
    if !on_path {
        let message = "The project's registration calls `symposium`, which is not on PATH";
        examination.add(
            Weight::Error,
            message,
            "install it where PATH finds it: `cargo install --path crates/symposium`",
        );
    }
    let here = env::current_dir().ok().and_then(|here| fs::canonical(&here).ok());
    if facts.root_only != RootOnly::Nothing && here.as_deref() != context.root() {
        let message = format!("{} finds the project's registration only when it is started in the root", facts.title);
        let root = context.root().map(|root| root.display().to_string()).unwrap_or_default();
        examination.add(Weight::Warning, message, format!("start it in {root}"));
    }
}
