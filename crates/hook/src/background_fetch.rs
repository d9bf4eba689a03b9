//! Sources are fetched now and then, by a process of its own: never by the hook, and never what a project names.

use std::time::Duration;

use symposium_model::config::AppDirectories;
use symposium_model::update::SOURCES_FILE;

use crate::edge::{disk, environment};
use crate::plan_loader::{self, SlowPathTarget};

/// They are asked once in this time, and no more often when that fails.
const HOURS: Duration = Duration::from_hours(4);

/// Starts the process that fetches them, unless that was done lately, is under way, or the network is off limits.
pub(crate) fn fetch_later(directories: &AppDirectories, place: &SlowPathTarget) {
    let sessions = directories.config.join("sessions");
    if environment::is_offline() || disk::is_younger(&sessions.join(SOURCES_FILE), HOURS) {
        return;
    }
    if let Some(lock) = disk::try_lock(&sessions.join("sources.lock")) {
        // Where no project is, none can name a source.
        let _ = plan_loader::detached(&["plugin", "sync", "--due", "--quiet"], &sessions, place, lock);
    }
}
