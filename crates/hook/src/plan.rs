//! Finds the plan of an event, and tells whether it still holds.

use std::path::{Path, PathBuf};

use symposium_model::agent::AgentId;
use symposium_model::config::Directories;
use symposium_model::hook::Event;
use symposium_model::hook::plan::{self, Plan, Presence, Stamp, VERSION};

use crate::edge::{disk, stamp};

/// A plan larger than this was not written by us.
const MAX_PLAN: u64 = 64 * 1024 * 1024;

/// How a plan relates to the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// Nothing changed since it was compiled.
    Fresh,
    /// What it says about handlers holds; what is installed may not be in step, since the lock file changed or it was
    /// compiled in haste.
    Behind,
    /// Something else changed.
    Stale,
}

/// Whose plan is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    /// That of an event every agent is translated to.
    Canonical(Event),
    /// That of an event of one agent alone.
    Native(AgentId, &'static str),
}

impl Slot {
    /// The file of that plan.
    pub(crate) fn file_name(self) -> String {
        match self {
            Self::Canonical(event) => plan::file_name(event).to_owned(),
            Self::Native(agent, event) => plan::native_file_name(agent, event),
        }
    }
}

/// Reads the plan; `None` when there is none, or one of another version or configuration, or one that cannot be read.
pub(crate) fn load(directories: &Directories, workspace: Option<&Path>, slot: Slot) -> Option<Plan> {
    let workspace = workspace.map(Path::to_str);
    // A path that is not text has no plan of its own.
    let workspace = match workspace {
        Some(None) => return None,
        Some(Some(workspace)) => Some(workspace),
        None => None,
    };
    let directory = plan::directory(&directories.cache, workspace);
    let file = directory.join(slot.file_name());
    let plan: Plan = serde_json::from_slice(&disk::read(&file, MAX_PLAN)?).ok()?;
    let is_ours = || plan.home == directories.config.to_string_lossy() && plan.workspace.as_deref() == workspace;
    (plan.version == VERSION && is_ours()).then_some(plan)
}

/// Compares everything the plan was compiled from with what is there now; `program` is the one that would compile it.
pub(crate) fn freshness(plan: &Plan, program: u64) -> Freshness {
    let variables = plan.variables.iter().all(|variable| stamp::take_variable(&variable.name) == variable.hash);
    let is_there = |presence: &Presence| stamp::take(Path::new(&presence.path)).is_some();
    let presences = plan.presences.iter().all(|presence| is_there(presence) == presence.there);
    if plan.program != program || !variables || !presences || !plan.stamps.iter().all(holds) {
        return Freshness::Stale;
    }
    let in_step = !plan.behind && plan.cargo_lock.as_ref().is_none_or(holds);
    if in_step { Freshness::Fresh } else { Freshness::Behind }
}

/// Takes out what needs a grant, where that is in doubt.
pub(crate) fn without_doubtful_grants(mut plan: Plan, directories: &Directories) -> Plan {
    if !has_certain_grants(&plan, directories) {
        plan.drop_granted();
    }
    plan
}

/// Whether the record of grants and the user's configuration are as they were.
pub(crate) fn has_certain_grants(plan: &Plan, directories: &Directories) -> bool {
    let decisive = [directories.trust_file(), directories.config_file()];
    let is_as_it_was = |file: &PathBuf| plan.stamps.iter().any(|stamp| Path::new(&stamp.path) == file && holds(stamp));
    decisive.iter().all(is_as_it_was)
}

/// Whether a file is as it was.
pub(crate) fn holds(stamp: &Stamp) -> bool {
    stamp::take(Path::new(&stamp.path)) == stamp.state
}
