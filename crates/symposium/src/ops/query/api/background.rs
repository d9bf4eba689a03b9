//! Indexes made in the background, before the first question.

use std::path::Path;
use std::time::{Duration, Instant};

use symposium_hook::SlowPathTarget;
use symposium_io::api_cache::{IndexedStamp, is_started, mark_start};
use symposium_io::{env, process};
use symposium_model::config::NamedDirectories;

use super::workspace::ApiWorkspace;
use crate::ops::context::Context;
use crate::ops::resolve::read_workspace;

/// The most crates and time of one run. The first question about another crate makes its index.
const MOST_CRATES: usize = 200;
const MOST_TIME: Duration = Duration::from_mins(1);

/// Starts a process that indexes the direct dependencies, unless that was done for the present Cargo.lock in cargo's root.
/// A continuous integration run and a user without automatic sync get none.
pub(crate) fn index_later(context: &Context, cargo_root: Option<&Path>) {
    let Some(root) = context.root().filter(|_| context.settings.auto_sync.value && !env::is_set("CI")) else { return };
    let directory = context.directories.api();
    if !IndexedStamp::take(root, cargo_root.unwrap_or(root)).is_kept(&directory) {
        mark_start(&directory);
        let ours = NamedDirectories::to_find(&context.directories, context.home.as_deref());
        let place = SlowPathTarget { workspace: Some(root.to_owned()), ours };
        symposium_hook::index_later(&place, &context.directories);
    }
}

/// Makes the indexes that direct dependencies lack. Stops early when the cache is removed, and never makes its directory.
pub(crate) fn index_direct(context: &Context) {
    process::lower_priority();
    let started = Instant::now();
    let directory = context.directories.api();
    let (Some(root), true) = (context.root(), is_started(&directory)) else { return };
    let Some(locked) = read_workspace(context) else { return };
    let stamp = IndexedStamp::take(root, locked.cargo_root.as_deref().unwrap_or(root));
    let Some(workspace) = ApiWorkspace::load_in_place(context, &locked) else { return };
    let store = workspace.open_store(&|_| {});
    for position in workspace.positions(false).into_iter().take(MOST_CRATES) {
        if started.elapsed() > MOST_TIME || !is_started(&directory) {
            return;
        }
        // A crate that cannot be indexed is reported to the user who asks for it.
        let _ = store.load(position);
    }
    stamp.keep(&directory);
}
