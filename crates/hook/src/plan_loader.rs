//! Loading of the hook plan of an event, which is compiled again first if it is stale.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use symposium_model::config::{AppDirectories, NamedDirectories};
use symposium_model::crates::dependency_tables::CrateRequest;
use symposium_model::hook::Event;
use symposium_model::hook::hook_plan::{self, HookPlan};
use symposium_model::ownership::UNATTENDED;

use crate::edge::{disk, environment};
use crate::handler_environment;
use crate::hook_log::LogEntry;
use crate::hook_plan::{PlanFreshness, PlanSlot, freshness, has_certain_grants, load, without_doubtful_grants};
use crate::workspace_root;

const COMPILE: Duration = Duration::from_secs(2);
const SYNCHRONIZE: Duration = Duration::from_secs(3);
const NEAREST: Duration = Duration::from_millis(500);

/// The operations that the hot path leaves to the rest of the program, which it does not link.
#[derive(Debug, Clone, Copy)]
pub struct SlowPath {
    /// Identifies this program in the plans that it compiles.
    pub program: u64,
    /// Compiles the plans of a workspace and stores them for the next event.
    pub compile: fn(&SlowPathTarget) -> Result<CompiledPlans, String>,
    /// Installs the skills of a workspace and compiles its plans. Returns true if skills were written.
    pub synchronize: fn(&SlowPathTarget) -> Result<bool, String>,
    /// Finds the public items of a dependency whose names are nearest to one that does not exist, the nearest first.
    pub nearest_items: fn(&SlowPathTarget, &ItemQuery) -> Vec<String>,
    /// Makes the indexes of public items that the direct dependencies of a workspace lack.
    pub index_crates: fn(&SlowPathTarget),
    /// Compiles the files for guidance as if the workspace had these dependencies too, and stores nothing.
    pub draft_guidance: fn(&SlowPathTarget, &[CrateRequest]) -> Option<GuidanceDraft>,
}

/// The texts of the files for guidance, as they would be with other dependencies.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GuidanceDraft {
    pub guidance: String,
    pub digests: String,
}

/// Gives the guidance as it would be with these dependencies.
pub(crate) type DraftLookup<'l> = &'l dyn Fn(&[CrateRequest]) -> Option<GuidanceDraft>;

/// A name that a dependency does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemQuery {
    pub krate: String,
    pub version: String,
    pub name: String,
}

impl SlowPath {
    /// Finds the nearest items within the time that an agent waits for them.
    pub(crate) fn find_nearest(&self, place: &SlowPathTarget, query: &ItemQuery) -> Vec<String> {
        let (find, query) = (self.nearest_items, query.clone());
        within(NEAREST, move |place| Ok(find(place, &query)), place).ok().unwrap_or_default()
    }

    /// Compiles guidance for new dependencies within the time that an agent waits for it.
    pub(crate) fn draft(&self, place: &SlowPathTarget, new: &[CrateRequest]) -> Option<GuidanceDraft> {
        let (draft, new) = (self.draft_guidance, new.to_vec());
        within(COMPILE, move |place| Ok(draft(place, &new)), place).ok().flatten()
    }
}

#[derive(Debug)]
pub struct CompiledPlans {
    pub files: Vec<(String, HookPlan)>,
    /// The error if the plans could not be stored; they are valid all the same.
    pub not_kept: Option<String>,
}

#[derive(Debug, Clone)]
pub struct SlowPathTarget {
    /// `None` outside any workspace.
    pub workspace: Option<PathBuf>,
    /// Symposium's directories, regardless of the environment.
    pub ours: NamedDirectories,
}

pub(crate) struct LoadedPlan {
    pub(crate) plan: HookPlan,
    pub(crate) skills_written: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct PlanRequest<'r> {
    pub(crate) slow: &'r SlowPath,
    pub(crate) directories: &'r AppDirectories,
    /// The directories as another call would have to name them; computed on demand, since few events need them.
    pub(crate) named: &'r dyn Fn() -> NamedDirectories,
    pub(crate) slot: PlanSlot,
    /// The text of the event.
    pub(crate) event: &'r [u8],
    pub(crate) may_install: bool,
}

/// Loads the plan of an event, or compiles it if it is stale. `None` when there is none.
///
/// There is never a plan for Symposium's own directory. So only before a plan is compiled is it necessary to check if
/// the workspace is that directory under another name; `again` then finds the right workspace.
pub(crate) fn ready(
    request: &PlanRequest<'_>,
    found: &mut Option<PathBuf>,
    again: &dyn Fn() -> Option<PathBuf>,
    entry: &mut LogEntry,
) -> Option<LoadedPlan> {
    const START: PlanSlot = PlanSlot::Canonical(Event::SessionStart);
    let PlanRequest { slow, directories, slot, may_install, .. } = *request;
    let workspace = found.as_deref();
    let known = load(directories, workspace, slot);
    if known.is_none() && matches!(slot, PlanSlot::Native(..)) && is_up_to_date(slow, directories, workspace) {
        // The plans are up to date and none is for this event, so no handler exists.
        return None;
    }
    let state = known.as_ref().map(|plan| freshness(plan, slot, slow.program, directories, request.event));
    let is_ours = |workspace: &Path| workspace_root::is_ours(workspace, &directories.config);
    if state != Some(PlanFreshness::Fresh) && workspace.is_some_and(is_ours) {
        *found = again().filter(|workspace| !is_ours(workspace));
        entry.describe_workspace(found.as_deref());
        return ready(request, found, again, entry);
    }
    if state == Some(PlanFreshness::Fresh) {
        return known.map(|plan| LoadedPlan { plan, skills_written: false });
    }
    let place = &SlowPathTarget { workspace: found.clone(), ours: (request.named)() };
    let known = match state {
        Some(PlanFreshness::Stale) => known.map(|plan| without_doubtful_grants(plan, directories)),
        Some(PlanFreshness::Fresh | PlanFreshness::Behind) | None => known,
    };
    let may_install = may_install && known.as_ref().is_none_or(|plan| plan.auto_sync) && workspace.is_some();
    let mut skills_written = false;
    let mut is_missing = true;
    match (state, slot) {
        (Some(PlanFreshness::Behind | PlanFreshness::Stale) | None, START) if may_install => {
            match within(SYNCHRONIZE, slow.synchronize, place) {
                Ok(written) => {
                    skills_written = written;
                    // A concurrent run that read the files before a change may have written its plans after this one.
                    let now = load(directories, workspace, slot);
                    is_missing = now.is_none_or(|plan| is_stale(&plan, slot, slow, directories));
                }
                Err(failure) => entry.note(format!("The installed files could not be updated: {}", failure.reason)),
            }
        }
        (Some(PlanFreshness::Behind), START) | (Some(PlanFreshness::Stale | PlanFreshness::Fresh) | None, _) => {}
        (Some(PlanFreshness::Behind), _) => {
            if may_install {
                start_later(SYNCHRONIZE_WORD, place, directories, "sync.lock");
            }
            return known.map(|plan| LoadedPlan { plan, skills_written: false });
        }
    }
    let done = if is_missing { compile(request, place, entry) } else { Ok(load(directories, workspace, slot)) };
    let plan = match done {
        Ok(plan) => plan.or(known)?,
        Err(reason) => without_project(request, place, known, &reason, entry)?,
    };
    if slot != START && plan.behind && request.may_install {
        start_later(SYNCHRONIZE_WORD, place, directories, "sync.lock");
    }
    Some(LoadedPlan { plan, skills_written })
}

/// Compiles the plans of a workspace within the time that an agent waits, and returns the plan of the event. If it
/// takes longer, a background process continues, and other events do not wait for it meanwhile.
fn compile(
    request: &PlanRequest<'_>,
    place: &SlowPathTarget,
    entry: &mut LogEntry,
) -> Result<Option<HookPlan>, String> {
    let PlanRequest { slow, directories, slot, .. } = *request;
    let background = lock_file(place, directories, "compile.lock");
    if background.as_deref().is_some_and(disk::is_locked) {
        return Err("it takes longer, and continues in the background".to_owned());
    }
    match within(COMPILE, slow.compile, place) {
        Ok(CompiledPlans { files, not_kept }) => {
            if let Some(reason) = not_kept {
                entry.note(format!("Failed to write the hook plan: {reason}"));
            }
            // Plans that were just compiled are valid even if they could not be written.
            let name = slot.file_name();
            let compiled = files.into_iter().find(|(file, _)| *file == name).map(|(_, plan)| plan);
            let on_disk = || load(directories, place.workspace.as_deref(), slot);
            Ok(compiled.or_else(|| Some(without_doubtful_grants(on_disk()?, directories))))
        }
        Err(failure) => {
            if failure.in_time == InTime::No {
                start_later(SYNCHRONIZE_WORD, place, directories, "compile.lock");
            }
            Err(failure.reason)
        }
    }
}

/// Compiles the plans again because of a change that makes no plan stale. The plan in use stays as it is; the files for
/// guidance are new.
pub(crate) fn renew(request: &PlanRequest<'_>, place: &SlowPathTarget, entry: &mut LogEntry) {
    if let Err(reason) = compile(request, place, entry) {
        entry.note(format!("The plan could not be compiled: {reason}"));
    }
}

/// Returns the substitute for an unavailable plan of a workspace: the user's own handlers, which no project can
/// influence, and the handlers of an older plan of the workspace.
fn without_project(
    request: &PlanRequest<'_>,
    place: &SlowPathTarget,
    before: Option<HookPlan>,
    reason: &str,
    entry: &mut LogEntry,
) -> Option<HookPlan> {
    let PlanRequest { slow, directories, slot, .. } = *request;
    entry.note(format!("Failed to compile the hook plan: {reason}"));
    if place.workspace.is_none() {
        return before;
    }
    entry.note("Only the user's own hooks and the hooks of an older plan are called here");
    let nowhere = SlowPathTarget { workspace: None, ours: place.ours.clone() };
    let known = load(directories, None, slot);
    let own = match known {
        Some(plan) if !is_stale(&plan, slot, slow, directories) => Some(plan),
        known => {
            let compiled = within(COMPILE, slow.compile, &nowhere).map_err(|failure| entry.note(failure.reason));
            let name = slot.file_name();
            let files = compiled.map(|compiled| compiled.files).unwrap_or_default();
            let compiled = files.into_iter().find(|(file, _)| *file == name).map(|(_, plan)| plan);
            compiled.or_else(|| Some(without_doubtful_grants(known?, directories)))
        }
    };
    let in_force = match &before {
        None => "Until this is fixed, only your own hooks run here",
        Some(before) if has_certain_grants(before, directories) => {
            "Until this is fixed, earlier hook plans stay active"
        }
        Some(_) => {
            "Until this is fixed, earlier hook plans stay active, except for granted hooks, which run only if your \
             configuration is readable and unchanged"
        }
    };
    let mut plan = match own {
        Some(own) => own.in_place_of(before),
        None => before?,
    };
    if let Some(said) = &mut plan.session {
        let what = format!("The hooks of this project could not be compiled ({})", reason.trim_end());
        said.notes.push(format!("{what}. {in_force}; run `symposium sync` for details"));
    }
    Some(plan)
}

fn is_up_to_date(slow: &SlowPath, directories: &AppDirectories, workspace: Option<&Path>) -> bool {
    let slot = PlanSlot::Canonical(Event::Stop);
    load(directories, workspace, slot).is_some_and(|smallest| !is_stale(&smallest, slot, slow, directories))
}

fn is_stale(plan: &HookPlan, slot: PlanSlot, slow: &SlowPath, directories: &AppDirectories) -> bool {
    freshness(plan, slot, slow.program, directories, b"") == PlanFreshness::Stale
}

struct SlowPathFailure {
    reason: String,
    in_time: InTime,
}

#[derive(PartialEq, Eq)]
enum InTime {
    Yes,
    No,
}

/// Runs `work` in a thread. After `limit` the answer goes out without its result.
fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce(&SlowPathTarget) -> Result<T, String> + Send + 'static,
    place: &SlowPathTarget,
) -> Result<T, SlowPathFailure> {
    let (sender, receiver) = mpsc::channel();
    let place = place.clone();
    let spawned = std::thread::Builder::new().spawn(move || {
        let _ = sender.send(work(&place));
    });
    let failed = |reason| SlowPathFailure { reason, in_time: InTime::Yes };
    spawned.map_err(|error| failed(error.to_string()))?;
    match receiver.recv_timeout(limit) {
        Ok(done) => done.map_err(failed),
        Err(_) => {
            Err(SlowPathFailure { reason: format!("it took longer than {} s", limit.as_secs()), in_time: InTime::No })
        }
    }
}

/// The argument after `hook` that Symposium itself uses to synchronize a workspace in the background.
pub(crate) const SYNCHRONIZE_WORD: &str = "synchronize";

/// The argument after `hook` that Symposium itself uses to index dependencies in the background.
pub(crate) const INDEX_WORD: &str = "index";

/// The file beside the plans of a workspace that the process holds locked which indexes its dependencies.
pub const INDEX_LOCK: &str = "index.lock";

/// The time for a background synchronization. After it the process ends with all its work.
const ALONE: Duration = Duration::from_secs(30);

/// Synchronizes a workspace in a background process. Errors are dropped, since no user is there to read them.
pub(crate) fn synchronize_alone(slow: &SlowPath, place: &SlowPathTarget) {
    let _ = within(ALONE, slow.synchronize, place);
}

/// The time for indexing in the background. The work stops by itself before, unless the file system is slow or it panics.
pub(crate) const INDEX_ALONE: Duration = Duration::from_secs(90);

/// Indexes the direct dependencies of a workspace in a background process, which ends after `limit` in any case.
pub(crate) fn index_alone(slow: &SlowPath, place: &SlowPathTarget, limit: Duration) {
    let index = slow.index_crates;
    let work = move |place: &SlowPathTarget| {
        index(place);
        Ok(())
    };
    let _ = within(limit, work, place);
}

/// Starts a process that indexes the direct dependencies of a workspace, unless one is running for it.
pub fn index_later(place: &SlowPathTarget, directories: &AppDirectories) {
    start_later(INDEX_WORD, place, directories, INDEX_LOCK);
}

/// Starts a process that does background work for the workspace, unless one is running for it. That process holds the
/// lock: the locked file is its standard input.
fn start_later(word: &str, place: &SlowPathTarget, directories: &AppDirectories, name: &str) {
    let start = || -> Option<()> {
        let workspace = place.workspace.as_deref()?;
        let lock = disk::try_lock(&lock_file(place, directories, name)?)?;
        detached(&["hook", word], workspace, place, lock)
    };
    let _ = start();
}

fn lock_file(place: &SlowPathTarget, directories: &AppDirectories, name: &str) -> Option<PathBuf> {
    let workspace = place.workspace.as_deref()?;
    Some(hook_plan::directory(&directories.cache, workspace.to_str()).join(name))
}

/// Starts this program again for background work. The new process holds the lock and is told the directories of the
/// project, so that the programs it starts do not depend on them.
#[expect(clippy::disallowed_methods, reason = "outlives the hook, so it is not one of its bounded children")]
pub(crate) fn detached(args: &[&str], directory: &Path, place: &SlowPathTarget, lock: std::fs::File) -> Option<()> {
    let mut command = Command::new(environment::current_program()?);
    command.args(args).current_dir(directory);
    command.stdin(lock).stdout(Stdio::null()).stderr(Stdio::null());
    for (option, directory) in place.ours.options() {
        command.arg(option).arg(directory);
    }
    let project = place.workspace.clone().into_iter().chain(environment::current_dir());
    command.env(UNATTENDED, std::env::join_paths(project).unwrap_or_default());
    if let Some(home) = place.ours.user_home() {
        command.env(handler_environment::HOME, home);
    }
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        // A separate process group, so that a kill of the agent's processes does not reach it.
        command.process_group(0);
    }
    command.spawn().ok().map(|_| ())
}
