//! The version of a crate that was locked before.

use symposium_io::api_cache::previous_version;
use symposium_io::git_history::past_versions_of;
use symposium_model::crates::CrateName;
use symposium_model::crates::cargo_lock::parse_lock;

use super::workspace::ApiWorkspace;

/// Commits that are looked through.
const MOST_COMMITS: usize = 500;

/// Finds the last version that is not the present one: in the history of Cargo.lock, else in what the cache remembers.
pub(super) fn find(workspace: &ApiWorkspace<'_>, name: &str, version: &str) -> Option<String> {
    let directory = workspace.context.directories.api();
    let remembered = || workspace.search(|search| previous_version(&directory, search, name));
    in_history(workspace, name, version).or_else(remembered).filter(|found| found != version)
}

fn in_history(workspace: &ApiWorkspace<'_>, name: &str, version: &str) -> Option<String> {
    let root = workspace.locked.cargo_root.as_deref().unwrap_or(workspace.root);
    let name = CrateName::parse(name)?;
    past_versions_of(&root.join("Cargo.lock"), MOST_COMMITS, |text| {
        let lockfile = parse_lock("Cargo.lock", text).ok()?;
        let packages =
            lockfile.packages.iter().filter(|package| CrateName::parse(&package.name).as_ref() == Some(&name));
        let versions: Vec<String> = packages.map(|package| package.version.to_string()).collect();
        if versions.iter().any(|locked| locked == version) {
            return None;
        }
        versions.into_iter().next_back()
    })
}
