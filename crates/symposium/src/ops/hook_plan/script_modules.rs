//! Decides where an interpreter may look for the modules of a hook's script: in the part of the plugin that a grant
//! covers.

use std::path::{Path, PathBuf};

use symposium_model::manifest::{Hook, Plugin};
use symposium_model::trust::{FileRole, GrantCoverage, NamedFile, PathRoot, ReachableFiles, hook_reach};

use crate::ops::trust::command_paths::OF_PACKAGES;

/// The directories of the files that a command names, the plugin's own last.
pub(super) fn of_plugin(directory: &Path, files: &[PathBuf]) -> Vec<String> {
    let beside = files.iter().filter_map(|file| file.parent()).filter(|parent| parent.starts_with(directory));
    listed(beside.chain([directory]))
}

/// The same for a plugin that needs a grant. Where the grant covers only what commands name, modules beside a script
/// count only in a directory that is covered with it.
pub(super) fn of_granted(
    directory: &Path,
    files: &[PathBuf],
    coverage: GrantCoverage,
    plugin: &Plugin,
    hook: &Hook,
) -> Vec<String> {
    match coverage {
        GrantCoverage::Whole => of_plugin(directory, files),
        GrantCoverage::Named => match hook_reach(plugin, hook, coverage) {
            ReachableFiles::Files(named) => {
                let beside: Vec<PathBuf> = named.iter().filter_map(|file| covered_beside(directory, file)).collect();
                listed(beside.iter().map(PathBuf::as_path))
            }
            ReachableFiles::Unknown(_) => Vec::new(),
        },
    }
}

/// The directory of a script, when all that lies beside it is covered.
fn covered_beside(directory: &Path, file: &NamedFile) -> Option<PathBuf> {
    let is_script = matches!(file.role, FileRole::Script | FileRole::Program);
    let is_plugins = matches!(file.base, PathRoot::Plugin | PathRoot::Either);
    let beside = Path::new(&file.path).parent().filter(|beside| !beside.as_os_str().is_empty())?;
    let is_worked_on = beside.iter().next().is_some_and(|top| OF_PACKAGES.iter().any(|of| top == *of));
    (is_script && is_plugins && !is_worked_on).then(|| directory.join(beside))
}

/// Each once, in their order.
fn listed<'p>(directories: impl Iterator<Item = &'p Path>) -> Vec<String> {
    let mut listed: Vec<String> = Vec::new();
    for directory in directories.filter_map(Path::to_str) {
        if !listed.iter().any(|known| known == directory) {
            listed.push(directory.to_owned());
        }
    }
    listed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_lie_beside_what_is_named_and_in_the_plugin() {
        let files = ["/p/scripts/a.py", "/p/scripts/b.py", "/p/c.py", "/elsewhere/d.py"].map(PathBuf::from);
        assert_eq!(of_plugin(Path::new("/p"), &files), ["/p/scripts", "/p"]);
        assert_eq!(of_plugin(Path::new("/p"), &[]), ["/p"]);
    }

    #[test]
    fn only_scripts_make_what_lies_beside_them_count() {
        let file = |base, path: &str, role| NamedFile { base, path: path.to_owned(), role };
        for (named, wanted) in [
            (file(PathRoot::Plugin, "tools/a.py", FileRole::Script), Some("/p/tools")),
            (file(PathRoot::Either, "tools/a.py", FileRole::Program), Some("/p/tools")),
            (file(PathRoot::Plugin, "data/a.json", FileRole::Word), None),
            (file(PathRoot::Workspace, "tools/a.py", FileRole::Script), None),
            (file(PathRoot::Machine, "/x/a.py", FileRole::Script), None),
            (file(PathRoot::Plugin, "a.py", FileRole::Script), None),
            (file(PathRoot::Plugin, "tests/a.py", FileRole::Script), None),
        ] {
            let found = covered_beside(Path::new("/p"), &named);
            assert_eq!(found.as_deref(), wanted.map(Path::new), "{named:?}");
        }
    }
}
