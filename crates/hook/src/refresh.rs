//! Makes sure there is a plan that holds, before anything is decided by it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use symposium_model::config::Directories;
use symposium_model::hook::Event;
use symposium_model::hook::plan::{self, Plan};

use crate::edge::{disk, environment};
use crate::plan::{Freshness, freshness, load};
use crate::trail::Entry;

/// How long compiling may take while an agent waits.
const COMPILE: Duration = Duration::from_secs(2);
/// How long a session may wait for its skills.
const SYNCHRONIZE: Duration = Duration::from_secs(3);

/// What the hot path leaves to the rest of the program, which it does not link.
#[derive(Debug, Clone, Copy)]
pub struct SlowPath {
    /// What plans of this program name it.
    pub program: u64,
    /// Compiles the plans of a workspace from what is on disk.
    pub compile: fn(&Place) -> Result<(), String>,
    /// Installs what a workspace should have, and compiles its plans. Tells whether skills were written.
    pub synchronize: fn(&Place) -> Result<bool, String>,
}

/// Where the slow path works.
#[derive(Debug, Clone)]
pub struct Place {
    /// The workspace; `None` outside any.
    pub workspace: Option<PathBuf>,
    /// Our directory, when it is not where the environment says.
    pub ours: Option<PathBuf>,
}

/// A plan, and what happened on the way to it.
pub(crate) struct Ready {
    pub(crate) plan: Plan,
    /// Whether skills were written just now.
    pub(crate) skills_written: bool,
}

/// The plan of an event, compiled anew when it does not hold any more. `None` when there is none to be had.
pub(crate) fn ready(
    slow: &SlowPath,
    place: &Place,
    directories: &Directories,
    event: Event,
    entry: &mut Entry,
) -> Option<Ready> {
    let workspace = place.workspace.as_deref();
    let known = load(&directories.cache, workspace, event);
    let state = known.as_ref().map(|plan| freshness(plan, slow.program));
    let may_install = known.as_ref().is_none_or(|plan| plan.auto_sync) && workspace.is_some();
    let (work, limit): (Work, _) = match (state, event) {
        (Some(Freshness::Fresh), _) => return known.map(|plan| Ready { plan, skills_written: false }),
        (Some(Freshness::LockChanged | Freshness::Stale) | None, Event::SessionStart) if may_install => {
            (Box::new(slow.synchronize), SYNCHRONIZE)
        }
        (Some(Freshness::LockChanged), Event::SessionStart) | (Some(Freshness::Stale) | None, _) => {
            let compile = slow.compile;
            (Box::new(move |place: &Place| compile(place).map(|()| false)), COMPILE)
        }
        (Some(Freshness::LockChanged), _) => {
            if may_install {
                synchronize_later(place, directories);
            }
            return known.map(|plan| Ready { plan, skills_written: false });
        }
    };
    let done = within(limit, work, place.clone());
    let skills_written = match &done {
        Ok(written) => *written,
        Err(reason) => {
            entry.note(format!("The plan could not be compiled: {reason}"));
            false
        }
    };
    let plan = load(&directories.cache, workspace, event).or(known)?;
    if event != Event::SessionStart && state == Some(Freshness::Stale) && plan.auto_sync {
        synchronize_later(place, directories);
    }
    Some(Ready { plan, skills_written })
}

type Work = Box<dyn FnOnce(&Place) -> Result<bool, String> + Send>;

/// Runs something that may take too long: then the answer goes out without it.
fn within(limit: Duration, work: Work, place: Place) -> Result<bool, String> {
    let (sender, receiver) = mpsc::channel();
    let spawned = std::thread::Builder::new().spawn(move || {
        let _ = sender.send(work(&place));
    });
    spawned.map_err(|error| error.to_string())?;
    receiver.recv_timeout(limit).unwrap_or_else(|_| Err(format!("it took longer than {} s", limit.as_secs())))
}

/// The word after `hook` that only we use: it does what a changed lock file asks for, by itself.
pub(crate) const SYNCHRONIZE_WORD: &str = "synchronize";

/// Starts a process that keeps the workspace in step, unless one is under way for this workspace. The lock is held by the child: it has
/// the locked file for its standard input.
fn synchronize_later(place: &Place, directories: &Directories) {
    let start = || -> Option<()> {
        let workspace = place.workspace.as_deref()?;
        let plans = plan::directory(&directories.cache, workspace.to_str());
        let lock = disk::try_lock(&plans.join("sync.lock"))?;
        detached(&environment::current_program()?, workspace, place.ours.as_deref(), lock)
    };
    let _ = start();
}

#[expect(clippy::disallowed_methods, reason = "outlives the hook, so it is not one of its bounded children")]
fn detached(program: &Path, workspace: &Path, ours: Option<&Path>, lock: std::fs::File) -> Option<()> {
    let mut command = Command::new(program);
    command.args(["hook", SYNCHRONIZE_WORD]).current_dir(workspace);
    command.stdin(lock).stdout(Stdio::null()).stderr(Stdio::null());
    if let Some(ours) = ours {
        command.arg("--home").arg(ours);
    }
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        // In a group of its own, so that what ends the agent's processes does not end it.
        command.process_group(0);
    }
    command.spawn().ok().map(|_| ())
}
