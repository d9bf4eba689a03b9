//! Notice about a newer version of Symposium, read from a small file that a separate process updates.

use std::path::Path;
use std::time::Duration;

use symposium_model::config::AppDirectories;
use symposium_model::update::{self, NEWEST_FILE, NEWEST_LOCK};

use crate::edge::{disk, environment};
use crate::plan_loader::{self, SlowPathTarget};

/// The minimum time between two checks, also after a failure.
const DAY: Duration = Duration::from_hours(24);

pub(crate) fn notice(sessions: &Path) -> Option<String> {
    let newest = disk::read(&sessions.join(NEWEST_FILE), 100)?;
    update::notice(env!("CARGO_PKG_VERSION"), std::str::from_utf8(&newest).ok()?)
}

/// Starts the process that checks, unless one ran today, is running, or the network is disabled.
pub(crate) fn look_later(directories: &AppDirectories, place: &SlowPathTarget) {
    let sessions = directories.config.join("sessions");
    if environment::is_offline() || disk::is_younger(&sessions.join(NEWEST_FILE), DAY) {
        return;
    }
    if let Some(lock) = disk::try_lock(&sessions.join(NEWEST_LOCK)) {
        let _ = plan_loader::detached(&["self-update", "--check", "--quiet"], &sessions, place, lock);
    }
}
