//! Summarizes what Symposium has for the dependencies of a workspace.

use symposium_model::agent::AgentId;
use symposium_model::crates::{CargoLockState, DependencyScope};
use symposium_model::diagnostic::Severity;
use symposium_model::hook::hook_plan::GuidanceLine;

use crate::ops::context::Context;
use crate::ops::reconcile::missing_skills::{MissingCause, missing};
use crate::ops::resolve::Resolution;
use crate::ops::{guidance, hook_plan, required_version};

pub(crate) struct WorkspaceOverview {
    pub(crate) name: String,
    /// The direct dependencies with a skill, those that most members use first.
    pub(crate) guided: Vec<GuidanceLine>,
    /// The names of the other direct dependencies.
    pub(crate) unguided: Vec<String>,
    pub(crate) lock: CargoLockState,
    /// Whether a Cargo.toml or Cargo.lock has errors, so that dependencies may be unknown.
    pub(crate) is_broken: bool,
}

impl WorkspaceOverview {
    /// Returns `None` outside a cargo workspace.
    pub(crate) fn new(context: &Context, resolution: &Resolution) -> Option<Self> {
        let lock = resolution.crates()?.lock();
        let name = context.root()?.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let rows = guidance::skills_by_crate(resolution, DependencyScope::Direct);
        let guided = hook_plan::index_lines(context.root(), resolution, &rows);
        let is_guided = |name: &str| guided.iter().any(|line| line.name == name);
        let mut unguided: Vec<String> =
            rows.into_iter().filter(|row| row.version.is_some() && !is_guided(&row.name)).map(|row| row.name).collect();
        unguided.sort_unstable();
        unguided.dedup();
        let findings = resolution.workspace.iter().flat_map(|workspace| &workspace.findings);
        let is_broken = findings.into_iter().any(|found| found.severity == Severity::Error);
        Some(Self { name, guided, unguided, lock, is_broken })
    }
}

/// Tells how far a workspace is set up: the first obstacle, if there is one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SetupState {
    /// A configuration file, whose settings are unknown.
    BrokenConfig(String),
    /// The sentence about the version that the project requires.
    OldProgram(String),
    Absent,
    NoAgent,
    /// The user's agents that the project does not name.
    Unserved(Vec<AgentId>),
    /// The number of skills that the next sync installs.
    Missing(usize),
    Ready,
}

impl SetupState {
    pub(crate) fn new(context: &Context, resolution: &Resolution) -> Self {
        if let Some((_, path)) = context.broken_configs.first() {
            return Self::BrokenConfig(context.roots().shown(path));
        }
        if let Some(message) = required_version::unmet(&context.settings) {
            return Self::OldProgram(message);
        }
        if !context.user_chose_agents() || context.project_config.is_none() {
            return Self::Absent;
        }
        if context.agents().is_empty() {
            return Self::NoAgent;
        }
        let unserved = context.unserved_agents();
        if !unserved.is_empty() {
            return Self::Unserved(unserved);
        }
        let mut waiting = missing(context, resolution);
        waiting.retain(|skill| skill.cause == MissingCause::NotYet);
        if waiting.is_empty() { Self::Ready } else { Self::Missing(waiting.len()) }
    }
}
