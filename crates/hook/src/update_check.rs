//! Whether a newer version of this program is out: a small file says so, which a process of its own keeps up to date.

use std::path::Path;
use std::time::Duration;

use symposium_model::config::AppDirectories;
use symposium_model::update::{self, NEWEST_FILE};

use crate::edge::{disk, environment};
use crate::plan_loader::{self, SlowPathTarget};

/// It is looked up once in this time, and asked for no more often when that fails.
const DAY: Duration = Duration::from_hours(24);

/// What is said about it when a session starts.
pub(crate) fn notice(sessions: &Path) -> Option<String> {
    let newest = disk::read(&sessions.join(NEWEST_FILE), 100)?;
    update::notice(env!("CARGO_PKG_VERSION"), std::str::from_utf8(&newest).ok()?)
}

/// Starts the process that looks, unless that was done today, is under way, or the network is off limits.
pub(crate) fn look_later(directories: &AppDirectories, place: &SlowPathTarget) {
    let sessions = directories.config.join("sessions");
    if environment::is_offline() || disk::is_younger(&sessions.join(NEWEST_FILE), DAY) {
        return;
    }
    if let Some(lock) = disk::try_lock(&sessions.join("newest-version.lock")) {
        let _ = plan_loader::detached(&["self-update", "--check", "--quiet"], &sessions, place, lock);
    }
}
