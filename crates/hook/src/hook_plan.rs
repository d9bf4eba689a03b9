//! Finds the plan of an event, and tells whether it still holds.

use std::path::{Path, PathBuf};

use symposium_model::agent::AgentId;
use symposium_model::config::AppDirectories;
use symposium_model::hook::Event;
use symposium_model::hook::hook_plan::{self, HookPlan, PathPresence, PathStamp, VERSION};

use crate::edge::{disk, stamp};

/// A plan larger than this was not written by us.
const MAX_PLAN: u64 = 64 * 1024 * 1024;

/// How a plan relates to the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlanFreshness {
    /// Nothing changed since it was compiled.
    Fresh,
    /// What it says about handlers holds; what is installed may not be in step, since the lock file changed or it was
    /// compiled in haste.
    Behind,
    Stale,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlanSlot {
    /// That of an event every agent is translated to.
    Canonical(Event),
    /// That of an event of one agent alone.
    Native(AgentId, &'static str),
}

impl PlanSlot {
    /// The file of that plan.
    pub(crate) fn file_name(self) -> String {
        match self {
            Self::Canonical(event) => hook_plan::file_name(event).to_owned(),
            Self::Native(agent, event) => hook_plan::native_file_name(agent, event),
        }
    }
}

/// Reads the plan; `None` when there is none, or one of another version or configuration, or one that cannot be read.
pub(crate) fn load(directories: &AppDirectories, workspace: Option<&Path>, slot: PlanSlot) -> Option<HookPlan> {
    let workspace = workspace.map(Path::to_str);
    // A path that is not text has no plan of its own.
    let workspace = match workspace {
        Some(None) => return None,
        Some(Some(workspace)) => Some(workspace),
        None => None,
    };
    let directory = hook_plan::directory(&directories.cache, workspace);
    let file = directory.join(slot.file_name());
    let plan: HookPlan = serde_json::from_slice(&disk::read(&file, MAX_PLAN)?).ok()?;
    let is_ours = || plan.home == directories.config.to_string_lossy() && plan.workspace.as_deref() == workspace;
    (plan.version == VERSION && is_ours()).then_some(plan)
}

/// Compares everything the plan was compiled from with what is there now; `program` is the one that would compile it.
pub(crate) fn freshness(plan: &HookPlan, program: u64) -> PlanFreshness {
    let variables = plan.variables.iter().all(|variable| stamp::take_variable(&variable.name) == variable.hash);
    let is_there = |presence: &PathPresence| stamp::take(Path::new(&presence.path)).is_some();
    let presences = plan.presences.iter().all(|presence| is_there(presence) == presence.there);
    if plan.program != program || !variables || !presences || !plan.stamps.iter().all(holds) {
        return PlanFreshness::Stale;
    }
    let in_step = !plan.behind && plan.cargo_lock.as_ref().is_none_or(holds);
    if in_step { PlanFreshness::Fresh } else { PlanFreshness::Behind }
}

/// Takes out what needs a grant, where that is in doubt.
pub(crate) fn without_doubtful_grants(mut plan: HookPlan, directories: &AppDirectories) -> HookPlan {
    if !has_certain_grants(&plan, directories) {
        plan.drop_granted();
    }
    plan
}

/// Whether the record of grants and the user's configuration are as they were.
pub(crate) fn has_certain_grants(plan: &HookPlan, directories: &AppDirectories) -> bool {
    let decisive = [directories.trust_file(), directories.config_file()];
    let is_as_it_was = |file: &PathBuf| plan.stamps.iter().any(|stamp| Path::new(&stamp.path) == file && holds(stamp));
    decisive.iter().all(is_as_it_was)
}

/// Whether a file is as it was.
pub(crate) fn holds(stamp: &PathStamp) -> bool {
    stamp::take(Path::new(&stamp.path)) == stamp.state
}
