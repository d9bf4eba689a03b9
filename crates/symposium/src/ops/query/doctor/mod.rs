//! Looks at each agent the way it will look at us: installed, registered, readable, trusted, answering.

mod instructions;
mod npm_wait;
mod registration_files;
mod search_path;
mod self_test;
mod trust;

use std::path::{Path, PathBuf};
use std::time::Duration;

use symposium_agents::spec::RootRequirement;
use symposium_agents::{AgentSpec, RewriteEffect, spec};
use symposium_io::{env, fs, process};
use symposium_model::agent::AgentId;
use symposium_model::config::Scope;
use symposium_model::hook::hook_plan::{HandlerAction, HookPlan};
use symposium_model::hook::{CommandRule, Event};
use symposium_model::sync::{DesiredFile, DesiredState};

use crate::ops::agent_detection::{self, AgentPresence};
use crate::ops::agent_paths::AgentRoots;
use crate::ops::catalog::with_facts;
use crate::ops::context::Context;
use crate::ops::hook_plan;
use crate::ops::import::read;
use crate::ops::reconcile::registrations::registrations;
use crate::ops::reconcile::servers::plugin_servers;
use crate::ops::resolve::Resolution;
use crate::ops::rtk;
use crate::ops::skill_listing::SkillListing;

pub(crate) use npm_wait::MeasureMode;
pub(crate) use search_path::ByName;

/// The time that an agent gets to report its version.
const VERSION_LIMIT: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FindingWeight {
    Error,
    /// It may not work, or something waits for the person.
    Warning,
}

/// Something about an agent, and what to do.
#[derive(Debug, Clone)]
pub(crate) struct DoctorFinding {
    pub(crate) weight: FindingWeight,
    pub(crate) message: String,
    pub(crate) fix: String,
}

#[derive(Debug)]
pub(crate) struct AgentReport {
    pub(crate) agent: AgentId,
    pub(crate) presence: AgentPresence,
    pub(crate) version: Option<String>,
    pub(crate) findings: Vec<DoctorFinding>,
    pub(crate) answered_in: Option<Duration>,
    /// The time that the agent took to load a plugin, if it was measured.
    pub(crate) loaded_in: Option<Duration>,
    /// Instruction files it reads here. They are the person's, and never written.
    pub(crate) instructions: Vec<PathBuf>,
    /// The person's rules because of which `rtk` leaves commands alone.
    pub(crate) rules: Vec<String>,
}

/// The parts of the hook plans that matter to single agents.
#[derive(Debug)]
pub(crate) struct PlanReport {
    /// The programs that hooks and MCP servers of plugins start by name.
    called: Vec<ByName>,
    /// The person's rules about commands, if `rtk` would change some.
    rules: Vec<CommandRule>,
}

/// Compiles the hook plans, and picks what matters to single agents.
pub(crate) fn plan_report(context: &Context, resolution: &Resolution) -> PlanReport {
    let Resolution { catalog, selection, trust, ledger, .. } = resolution;
    let servers = with_facts(context, catalog, resolution.crates(), |facts| {
        plugin_servers(context, catalog, selection, facts, trust, ledger)
    });
    let plans = hook_plan::compile(context, resolution);
    let handlers = plans.files.iter().flat_map(|(_, plan)| &plan.handlers);
    let mut called: Vec<ByName> = handlers.filter_map(ByName::of_handler).collect();
    called.extend(servers.permitted.iter().filter_map(|server| ByName::of_server(&server.server)));
    let shortens =
        |plan: &&HookPlan| plan.handlers.iter().any(|handler| matches!(handler.run, HandlerAction::Rtk { .. }));
    let plan = plans.files.iter().map(|(_, plan)| plan).find(shortens).filter(|_| rtk::absence().is_none());
    PlanReport { called, rules: plan.map(|plan| plan.rules.clone()).unwrap_or_default() }
}

/// The rules of one agent that keep a command as it is.
fn rules_of(agent: AgentId, rules: &[CommandRule]) -> Vec<String> {
    let can = spec(agent).dialect.can.at(Event::PreToolUse);
    let takes_changes = can.is_some_and(|can| can.rewrite == RewriteEffect::Works);
    let own = rules.iter().filter(|rule| takes_changes && rule.agent == agent);
    own.map(|rule| rule.text.clone()).collect()
}

pub(crate) fn examine(
    context: &Context,
    resolution: &Resolution,
    agent: AgentId,
    measure: MeasureMode<'_>,
    plans: &PlanReport,
) -> AgentReport {
    let facts = spec(agent);
    let ledger = &resolution.ledger;
    let mut desired = DesiredState::default();
    registrations(context, ledger, &[], &mut desired);
    let wanted: Vec<&DesiredFile> = desired.files.iter().filter(|file| file.agents.contains(&agent)).collect();
    let ours: Vec<&Path> = wanted.iter().map(|file| file.path.as_path()).collect();
    let presence = agent_detection::presence(facts, context.home.as_deref(), &ours);
    let version = match &presence {
        AgentPresence::Program(program) => version_of(program),
        AgentPresence::Directory(_) | AgentPresence::Nowhere => None,
    };
    let mut examination = AgentReport {
        agent,
        presence,
        version,
        findings: Vec::new(),
        answered_in: None,
        loaded_in: None,
        instructions: Vec::new(),
        rules: rules_of(agent, &plans.rules),
    };
    instructions::examine_instructions(context.roots(), facts, &mut examination);
    let in_project = context.project_agents().contains(&agent);
    let is_configured = in_project || context.user_agents().contains(&agent);
    examine_presence(facts, is_configured, &mut examination);
    if wanted.is_empty() && (context.is_broken(Scope::User) || context.is_broken(Scope::Project)) {
        let broken: Vec<String> = context.broken_configs.iter().map(|(_, path)| context.roots().shown(path)).collect();
        let message = format!("Cannot tell whether {} is configured: {} is invalid", facts.title, broken.join(", "));
        examination.add(FindingWeight::Error, message, "fix the file, and run the command again");
    } else if wanted.is_empty() && !is_configured {
        let message = format!("{} is not configured", facts.title);
        examination.add(FindingWeight::Warning, message, format!("run `symposium init --agent {agent}` to set it up"));
    }
    examine_moved(context.roots(), facts, &ours, &mut examination);
    for file in &wanted {
        registration_files::examine_file(facts, file, ledger, &mut examination);
    }
    for reason in read::read(context.roots(), agent).switched_off(ledger) {
        let message = format!("{} does not run Symposium's hooks: {reason}", facts.title);
        examination.add(FindingWeight::Error, message, "remove that setting to run the hooks");
    }
    if !in_project && !wanted.is_empty() {
        registration_files::examine_hiding(context.roots(), facts, &mut examination);
    }
    let mut called = if wanted.is_empty() { Vec::new() } else { plans.called.clone() };
    if in_project {
        examine_project(context.root(), facts, &mut examination);
        called.push(ByName::of_project());
    }
    search_path::examine_search_path(facts, &called, &mut examination);
    match examination.presence {
        AgentPresence::Program(_) | AgentPresence::Directory(_) => {
            trust::examine_trust(context.roots(), facts, &wanted, &mut examination);
        }
        AgentPresence::Nowhere => {}
    }
    if let Some(warning) = SkillListing::new(resolution, &context.agents(), agent).warning() {
        examination.add(FindingWeight::Warning, warning.message, warning.fix);
    }
    npm_wait::examine_wait(context.roots(), facts, &wanted, measure, &mut examination);
    if !facts.hooks.is_empty() {
        self_test::answer(context, agent, &mut examination);
    }
    examination
}

impl AgentReport {
    fn add(&mut self, weight: FindingWeight, message: impl Into<String>, fix: impl Into<String>) {
        self.findings.push(DoctorFinding { weight, message: message.into(), fix: fix.into() });
    }
}

fn examine_presence(facts: &AgentSpec, is_configured: bool, examination: &mut AgentReport) {
    let programs = facts.programs.join("` or `");
    // What is not there cannot be left out.
    let or = |fix: &str, leaving: &str| if is_configured { format!("{fix}, or {leaving}") } else { fix.to_owned() };
    match &examination.presence {
        AgentPresence::Program(_) => {}
        AgentPresence::Directory(at) => {
            let message = format!(
                "{} seems to be in use, because {} exists, but `{programs}` is not on PATH",
                facts.title,
                at.display()
            );
            let fix = or("add its directory to PATH", "remove it from `[agent] name` if you no longer use it");
            examination.add(FindingWeight::Warning, message, fix);
        }
        AgentPresence::Nowhere if facts.programs.is_empty() => {}
        AgentPresence::Nowhere => {
            let message = format!("{} was not found: `{programs}` is not on PATH", facts.title);
            examination.add(FindingWeight::Warning, message, or("install it", "remove it from `[agent] name`"));
        }
    }
}

/// Whether a variable makes the agent look where our files are not. It is not followed: it may be set in one terminal
/// and missing in the next, and our files would come and go with it.
fn examine_moved(roots: AgentRoots<'_>, facts: &AgentSpec, ours: &[&Path], examination: &mut AgentReport) {
    let Some(home) = roots.home else { return };
    for moved in facts.moved_by {
        let usual = home.join(moved.directory);
        let resolved = |path: &Path| fs::canonical(path).unwrap_or_else(|_| path.to_owned());
        let now = env::directory(moved.variable).filter(|now| resolved(now) != resolved(&usual));
        let Some(now) = now else { continue };
        let in_project = |path: &Path| roots.project.is_some_and(|root| path.starts_with(root));
        let Some(missed) = ours.iter().find(|path| path.starts_with(&usual) && !in_project(path)) else { continue };
        let message = format!(
            "`{}` is set, so {} reads {}, but Symposium is registered in {}",
            moved.variable,
            facts.title,
            now.display(),
            missed.display()
        );
        let fix = format!("unset it, or register in the project: `symposium init --project --agent {}`", facts.id);
        examination.add(FindingWeight::Error, message, fix);
    }
}

fn version_of(program: &Path) -> Option<String> {
    let home = env::home().unwrap_or_else(|| PathBuf::from("/"));
    let finished = process::run(program, &["--version"], &home, "", VERSION_LIMIT).ok()??;
    let line = finished.stdout.lines().find(|line| !line.trim().is_empty())?;
    finished.status.success().then(|| number_in(line).to_owned())
}

/// The version in what a program says about itself, which may name the program before or after it.
fn number_in(line: &str) -> &str {
    let is_number = |word: &&str| word.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
    line.split_whitespace().find(is_number).unwrap_or(line.trim())
}

/// Some agents find a project's files only from the root.
fn examine_project(root: Option<&Path>, facts: &AgentSpec, examination: &mut AgentReport) {
    let here = env::current_dir().ok().and_then(|here| fs::canonical(&here).ok());
    if facts.root_only != RootRequirement::Nothing && here.as_deref() != root {
        let message =
            format!("{} finds the project's registration only if you start it in the workspace root", facts.title);
        let root = root.map(|root| root.display().to_string()).unwrap_or_default();
        examination.add(FindingWeight::Warning, message, format!("start it in {root}"));
    }
}
