//! Lists the files in Symposium's own directories, and those that uninstalling removes.

use std::path::{Path, PathBuf};

use symposium_io::{env, fs, state_file};
use symposium_model::config::AppDirectories;

use crate::logging;

/// Removes what is ours in our own directories, by name; gives back what is the user's and stays.
pub(crate) fn remove(directories: &AppDirectories) -> Vec<PathBuf> {
    let plugins = directories.user_plugins();
    let kept: Vec<PathBuf> =
        [directories.config_file(), plugins.clone()].into_iter().filter(|path| fs::has_content(path)).collect();
    for ours in ["ledger.json", "ledger.json.broken", "lock", "trust.json.broken"] {
        let _ = fs::remove_file(&directories.config.join(ours));
    }
    let records = [directories.usage_file(), directories.usage_lock(), directories.plans_lock()];
    for ours in [directories.trust_file(), directories.executables()].into_iter().chain(records) {
        let _ = fs::remove_file(&ours);
    }
    for written in [&directories.config, &directories.cache] {
        state_file::sweep_all(written);
    }
    for made in [
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
    ] {
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
