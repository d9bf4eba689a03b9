//! Loading of an event's hook plan, and the check that it is still fresh.

use std::path::{Path, PathBuf};

use symposium_model::config::AppDirectories;
pub(crate) use symposium_model::hook::hook_plan::PlanSlot;
use symposium_model::hook::hook_plan::{self, HookPlan, PathPresence, PathStamp, VERSION};

use crate::byte_search::contains_any;
use crate::edge::turns::TurnRecord;
use crate::edge::{disk, stamp};

/// A larger file was not written by Symposium.
const MAX_PLAN: u64 = 64 * 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlanFreshness {
    Fresh,
    /// The handlers are valid, but installed skills may be outdated: Cargo.lock changed, or the plan was compiled in a
    /// hurry.
    Behind,
    Stale,
}

/// Reads the plan; `None` when it is missing, unreadable, or belongs to another version or configuration.
pub(crate) fn load(directories: &AppDirectories, workspace: Option<&Path>, slot: PlanSlot) -> Option<HookPlan> {
    let workspace = workspace.map(Path::to_str);
    // A workspace whose path is not UTF-8 has no plan.
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

/// Compares the inputs of the plan of an event with their present state; `program` identifies the program that would
/// compile it, and `event` is the text of the event.
pub(crate) fn freshness(
    plan: &HookPlan,
    slot: PlanSlot,
    program: u64,
    directories: &AppDirectories,
    event: &[u8],
) -> PlanFreshness {
    let variables = plan.variables.iter().all(|variable| stamp::take_variable(&variable.name) == variable.hash);
    let is_there = |presence: &PathPresence| stamp::take(Path::new(&presence.path)).is_some();
    let presences = plan.presences.iter().all(|presence| is_there(presence) == presence.there);
    let is_unchanged = || {
        plan.stamps.iter().all(holds)
            && plan.folders.iter().all(stamp::folder_holds)
            && (plan.others.is_empty() || others_hold(plan, slot, directories, event))
    };
    if plan.program != program || !variables || !presences || !is_unchanged() {
        return PlanFreshness::Stale;
    }
    let in_step = !plan.behind && plan.cargo_lock.as_ref().is_none_or(holds);
    if in_step { PlanFreshness::Fresh } else { PlanFreshness::Behind }
}

/// Looks at the group of files whose turn it is; at all of them where a person may wait for a change, if the event may be
/// about one of them, or if the turn cannot be recorded.
fn others_hold(plan: &HookPlan, slot: PlanSlot, directories: &AppDirectories, event: &[u8]) -> bool {
    if !hook_plan::is_begun_by_person(slot) && !names_others(plan, event) {
        let directory = hook_plan::directory(&directories.cache, plan.workspace.as_deref());
        if let Some(record) = TurnRecord::open(&directory.join(hook_plan::TURN)) {
            let group = record.turn_among(plan.others.len()).and_then(|turn| plan.others.get(turn));
            // Looked at before it is recorded: an event that is killed meanwhile leaves the group to the next.
            let holds = group.map(stamp::folder_holds);
            if let (true, Some(holds)) = (record.advance(), holds) {
                return holds;
            }
        }
    }
    plan.others.iter().all(stamp::folder_holds)
}

/// Whether an event names a directory of these files: then its tool may have changed one.
fn names_others(plan: &HookPlan, event: &[u8]) -> bool {
    let mut directories: Vec<&str> = plan.others.iter().map(|folder| folder.directory.as_str()).collect();
    directories.dedup();
    contains_any(event, &directories)
}

/// Drops the handlers that need a grant if the grants may have changed.
pub(crate) fn without_doubtful_grants(mut plan: HookPlan, directories: &AppDirectories) -> HookPlan {
    if !has_certain_grants(&plan, directories) {
        plan.drop_granted();
    }
    plan
}

/// Returns true if the trust file and the user's configuration are unchanged.
pub(crate) fn has_certain_grants(plan: &HookPlan, directories: &AppDirectories) -> bool {
    let decisive = [directories.trust_file(), directories.config_file()];
    let is_as_it_was = |file: &PathBuf| plan.stamps.iter().any(|stamp| Path::new(&stamp.path) == file && holds(stamp));
    decisive.iter().all(is_as_it_was)
}

pub(crate) fn holds(stamp: &PathStamp) -> bool {
    stamp::take(Path::new(&stamp.path)) == stamp.state
}
