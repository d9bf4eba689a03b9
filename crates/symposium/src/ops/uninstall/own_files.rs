//! Lists the files in Symposium's own directories, and those that uninstalling removes.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use symposium_hook::INDEX_LOCK;
use symposium_io::{api_cache, env, file_lock, fs, state_file};
use symposium_model::config::AppDirectories;
use symposium_model::update::BACKGROUND_LOCKS;

use crate::logging;

/// The longest wait for background processes. The lookup of the newest version ends within 20 seconds.
const PATIENCE: Duration = Duration::from_secs(25);

/// Waits for the processes that Symposium started in the background: what they write now would be left behind.
fn await_background(directories: &AppDirectories) {
    api_cache::revoke_start(&directories.api());
    let sessions = directories.sessions();
    let mut locks: Vec<PathBuf> = BACKGROUND_LOCKS.iter().map(|name| sessions.join(name)).collect();
    let workspaces = fs::list(&directories.plans()).unwrap_or_default().into_iter();
    locks.extend(workspaces.map(|entry| directories.plans().join(entry.name).join(INDEX_LOCK)));
    let until = Instant::now() + PATIENCE;
    for lock in locks.iter().filter(|lock| fs::is_file(lock)) {
        // One that does not end must not keep the user from uninstalling.
        let _ = file_lock::acquire(lock, until.saturating_duration_since(Instant::now()));
    }
}

/// Lists the directories of which something would be removed. Logs and locks do not count: this run may have written them.
pub(super) fn directories_with_content(directories: &AppDirectories) -> Vec<PathBuf> {
    let is_lock =
        |path: &PathBuf| path.ends_with("lock") || path.extension().is_some_and(|extension| extension == "lock");
    let files = records(directories).into_iter().filter(|path| !is_lock(path) && fs::exists(path));
    let trees = trees(directories).into_iter().filter(|path| fs::has_content(path));
    let mut found: Vec<PathBuf> = files
        .chain(trees)
        .map(|path| if path.starts_with(&directories.cache) { &directories.cache } else { &directories.config }.clone())
        .collect();
    found.sort();
    found.dedup();
    found
}

fn records(directories: &AppDirectories) -> Vec<PathBuf> {
    let of_config =
        ["ledger.json", "ledger.json.broken", "trust.json.broken"].map(|name| directories.config.join(name));
    let others = [directories.trust_file(), directories.executables(), directories.usage_file()];
    let locks = [directories.config.join("lock"), directories.usage_lock(), directories.plans_lock()];
    of_config.into_iter().chain(others).chain(locks).collect()
}

fn trees(directories: &AppDirectories) -> [PathBuf; 12] {
    [
        directories.plugin_sources(),
        directories.plans(),
        directories.index(),
        directories.api(),
        directories.contexts(),
        directories.cargo_outputs(),
        directories.skill_tests(),
        directories.update_lookup(),
        directories.sessions(),
        directories.workspaces(),
        directories.trusted_texts(),
        directories.installations(),
    ]
}

/// Removes what is ours in our own directories, by name; gives back what is the user's and stays.
pub(super) fn remove(directories: &AppDirectories) -> Vec<PathBuf> {
    await_background(directories);
    let plugins = directories.user_plugins();
    let kept: Vec<PathBuf> =
        [directories.config_file(), plugins.clone()].into_iter().filter(|path| fs::has_content(path)).collect();
    for record in records(directories) {
        let _ = fs::remove_file(&record);
    }
    for written in [&directories.config, &directories.cache] {
        state_file::sweep_all(written);
    }
    for made in trees(directories) {
        let _ = fs::remove_tree(&made);
    }
    logging::remove_all(&directories.logs);
    fs::remove_empty_dirs(&[directories.cache.clone(), directories.logs.clone(), plugins]);
    // A directory the user chose by our own variable is the user's. Those of XDG are only where ours are made.
    if !env::symposium_home_is_set() {
        let around_logs = directories.logs.parent().map(Path::to_owned);
        fs::remove_empty_dirs(&around_logs.into_iter().chain([directories.config.clone()]).collect::<Vec<_>>());
    }
    kept
}
