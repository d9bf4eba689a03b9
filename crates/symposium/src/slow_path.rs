//! The slow path, called by the hook in its own process: compiles plans and updates skills.
//!
//! It prints and fetches nothing, and writes only skills and Symposium's own files. The only process that it starts is the
//! one that indexes dependencies in the background.

use semver::Version;
use symposium_hook::{CompiledPlans, GuidanceDraft, ItemQuery, SlowPathTarget};
use symposium_model::crates::dependency_tables::CrateRequest;
use symposium_model::crates::{CrateName, DependencyScope, VersionRequirement};
use symposium_model::hook::guidance_plan::GUIDANCE_FILE;
use symposium_model::sync::SyncScope;

use crate::error::CliError;
use crate::ops::catalog::CacheMode;
use crate::ops::context::Context;
use crate::ops::fetch_report::FetchReport;
use crate::ops::hook_plan::{self, GuidanceFile, NotWritten};
use crate::ops::ledger_store;
use crate::ops::query::api;
use crate::ops::reconcile::committed_files::CommittedFiles;
use crate::ops::reconcile::{ChangeStep, PlannedChange};
use crate::ops::resolve::{LedgerDetail, Resolution, ResolutionDetail, read_workspace};
use crate::ops::sync::{SyncOptions, SyncSources, WriteMode, run_sync};
use crate::ops::trust::TrustDetail;
use crate::run_report::RunReport;
use crate::ui::response::CommandResponse;

/// The identity of this program in its plans. Plans of another program are compiled again.
pub(crate) const PROGRAM: u64 = hook_plan::PROGRAM;

/// Compiles the plans of a workspace, or those for work outside any, from what is on disk.
///
/// They are found under the workspace's path as it is given. After an error the plans that are there stay as they are.
pub(crate) fn compile(place: &SlowPathTarget) -> Result<CompiledPlans, String> {
    compile_after(place, InstalledFreshness::Unknown)
}

/// Whether the installed files are known to match a plan.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InstalledFreshness {
    /// They match, or a sync has just done all it could.
    Current,
    Unknown,
}

fn compile_after(place: &SlowPathTarget, installed: InstalledFreshness) -> Result<CompiledPlans, String> {
    let workspace = place.workspace.as_deref();
    let context = Context::load_in_background(workspace, place.ours.clone()).map_err(message)?;
    let detail = ResolutionDetail::relevant(CacheMode::Renew).with_trust(TrustDetail::Granted);
    let resolution = Resolution::load(&context, detail.with_ledger(LedgerDetail::Read));
    let mut plans = hook_plan::compile(&context, &resolution);
    if installed == InstalledFreshness::Unknown {
        plans = plans.without_installing();
    }
    if let Some(workspace) = workspace {
        plans = plans.known_as(workspace.display().to_string());
    }
    let not_kept = match hook_plan::write(&context, &plans, &mut RunReport::default()) {
        Ok(()) => None,
        Err(refused @ NotWritten::BrokenConfiguration(_)) => return Err(refused.to_string()),
        Err(failed @ (NotWritten::File(_) | NotWritten::ReleasedGuard(_))) => Some(failed.to_string()),
    };
    Ok(CompiledPlans { files: plans.files, not_kept })
}

/// Updates the skills of a workspace and compiles its plans, if `sync` ran there before and automatic sync is on.
/// Returns whether a skill was written or removed.
///
/// While another run writes, or if the update is not wanted, only the plans are compiled.
pub(crate) fn synchronize(place: &SlowPathTarget) -> Result<bool, String> {
    let workspace = place.workspace.as_deref();
    let context = Context::load_in_background(workspace, place.ours.clone()).map_err(message)?;
    let asked = context.root().is_some_and(|root| ledger_store::has_run_in(&context.directories, root));
    let wanted = asked && context.settings.auto_sync.value;
    let Some(_held) = wanted.then(|| ledger_store::lock_if_free(&context.directories)).flatten() else {
        return compile(place).map(|_| false);
    };
    // What is read now stays as it is until it is written.
    let context = Context::load_in_background(workspace, place.ours.clone()).map_err(message)?;
    let extent = SyncOptions {
        // No project's own files change because an agent was started in it: what it says nothing about is as usual.
        workspace: false,
        committed: CommittedFiles::LeftAlone,
        // How the user's settings call us depends on the environment, and an agent's is not the person's.
        sweep: SyncScope::Workspace,
        ..SyncOptions::everything(WriteMode::Write)
    };
    let is_elsewhere = context.root() != workspace;
    let mut report = RunReport::default();
    context.report(&mut report);
    let sources = SyncSources::Unread(FetchReport::default());
    let done = run_sync(context, extent, Vec::new(), sources, &mut report).map_err(message);
    // After a failure the next event must not try again: what stands in the way is for a person to see.
    if done.is_err() || is_elsewhere {
        compile_after(place, InstalledFreshness::Current)?;
    }
    let done = done?;
    api::index_later(&done.context, done.cargo_root.as_deref());
    Ok(done.comparison.actions.iter().any(is_about_skill))
}

/// Makes the indexes of public items that the direct dependencies of a workspace lack.
pub(crate) fn index_crates(place: &SlowPathTarget) {
    if let Ok(context) = Context::load_in_background(place.workspace.as_deref(), place.ours.clone()) {
        api::index_direct(&context);
    }
}

/// Finds the public items of a dependency with the nearest names, from its source on this machine.
pub(crate) fn nearest_items(place: &SlowPathTarget, query: &ItemQuery) -> Vec<String> {
    let context = Context::load_in_background(place.workspace.as_deref(), place.ours.clone());
    context.map(|context| api::nearest_items(&context, query)).unwrap_or_default()
}

/// Compiles the files for guidance as if the workspace had these dependencies too.
pub(crate) fn draft_guidance(place: &SlowPathTarget, new: &[CrateRequest]) -> Option<GuidanceDraft> {
    let context = Context::load_in_background(place.workspace.as_deref(), place.ours.clone()).ok()?;
    let mut workspace = read_workspace(&context)?;
    for request in new {
        let Some(name) = CrateName::parse(&request.package) else { continue };
        let requirement = request.requirement.as_deref().and_then(|text| VersionRequirement::parse(text).ok());
        let requirement = requirement.unwrap_or_else(VersionRequirement::any);
        let locked = workspace.crates.versions(&name, DependencyScope::Transitive);
        let fitting: Option<Version> =
            locked.map(|krate| krate.version.clone()).filter(|version| requirement.allows(version)).last();
        workspace.crates = workspace.crates.assuming(&name, fitting.unwrap_or_else(|| requirement.lowest()));
    }
    let detail = ResolutionDetail::RELEVANT.with_trust(TrustDetail::Granted).with_ledger(LedgerDetail::Read);
    let resolution = Resolution::load_for(&context, Some(workspace), detail, FetchReport::default());
    let mut draft = GuidanceDraft::default();
    for GuidanceFile { name, text } in hook_plan::compile(&context, &resolution).guidance {
        match name {
            GUIDANCE_FILE => draft.guidance = text,
            _ => draft.digests = text,
        }
    }
    Some(draft)
}

fn is_about_skill(action: &PlannedChange) -> bool {
    match action.step {
        ChangeStep::Install { .. } | ChangeStep::Uninstall { .. } => action.extension.is_some(),
        ChangeStep::Edit { .. }
        | ChangeStep::Restore { .. }
        | ChangeStep::GiveBack { .. }
        | ChangeStep::Configure { .. }
        | ChangeStep::Write { .. }
        | ChangeStep::Delete { .. } => false,
    }
}

fn message(error: CliError) -> String {
    CommandResponse::from(error).bare()
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests set up their own files")]
#[path = "slow_path_tests.rs"]
mod tests;
