//! Periodic fetching of sources in a separate process: never in the hook itself, and never a source that a project
//! names.

use std::time::Duration;

use symposium_model::config::AppDirectories;
use symposium_model::update::{SOURCES_FILE, SOURCES_LOCK};

use crate::edge::{disk, environment};
use crate::plan_loader::{self, SlowPathTarget};

/// The minimum time between two attempts, also after a failure.
const HOURS: Duration = Duration::from_hours(4);

/// Starts the process that fetches the sources, unless one ran lately, is running, or the network is disabled.
pub(crate) fn fetch_later(directories: &AppDirectories, place: &SlowPathTarget) {
    let sessions = directories.config.join("sessions");
    if environment::is_offline() || disk::is_younger(&sessions.join(SOURCES_FILE), HOURS) {
        return;
    }
    if let Some(lock) = disk::try_lock(&sessions.join(SOURCES_LOCK)) {
        // The process starts outside every project, so no project can name a source.
        let _ = plan_loader::detached(&["plugin", "sync", "--due", "--quiet"], &sessions, place, lock);
    }
}
