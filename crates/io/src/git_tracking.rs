//! Detection of files that git tracks, by reading git's index without starting git.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use symposium_model::git_index::{GitPath, SubmoduleEntry, TrackedPaths};

use crate::fs::{self, FsErrorKind};

pub use symposium_model::git_index::GitTracking;

const MAX_INDEX: u64 = 256 * 1024 * 1024;
/// Bytes. A `.git` file that points to a repository contains one path.
const MAX_POINTER: u64 = 64 * 1024;

#[derive(Debug, Default)]
pub struct TrackedFiles {
    repositories: BTreeMap<PathBuf, Option<TrackedPaths>>,
}

impl TrackedFiles {
    pub fn tracking(&mut self, path: &Path) -> GitTracking {
        let Some(top) = work_tree(path) else { return GitTracking::Untracked };
        let below = path.strip_prefix(top).ok().and_then(|below| below.to_str());
        let tracked = self.repositories.entry(top.to_owned()).or_insert_with(|| read(&top.join(".git")));
        match (tracked, below) {
            (Some(tracked), Some(below)) if tracked.contain(&below.replace('\\', "/")) => GitTracking::Tracked,
            (Some(_), Some(_)) => GitTracking::Untracked,
            (None, _) | (_, None) => GitTracking::Unknown,
        }
    }
}

impl TrackedFiles {
    /// Lists the files and links of a work tree; `None` if its index cannot be read.
    pub fn files(&mut self, top: &Path) -> Option<Vec<GitPath>> {
        self.paths(top).and_then(TrackedPaths::files)
    }

    /// Lists the submodules of a work tree with the commits in its index.
    pub fn submodules(&mut self, top: &Path) -> Vec<SubmoduleEntry> {
        self.paths(top).map(|tracked| tracked.submodules().to_vec()).unwrap_or_default()
    }

    /// Returns the name of the object of each file, link and submodule in the index of a work tree.
    pub fn objects(&mut self, top: &Path) -> BTreeMap<GitPath, String> {
        self.paths(top).map(TrackedPaths::objects).unwrap_or_default()
    }

    fn paths(&mut self, top: &Path) -> Option<&TrackedPaths> {
        self.repositories.entry(top.to_owned()).or_insert_with(|| read(&top.join(".git"))).as_ref()
    }
}

/// Tells whether a path lies in a work tree of git.
pub fn is_in_work_tree(path: &Path) -> bool {
    work_tree(path).is_some()
}

fn work_tree(path: &Path) -> Option<&Path> {
    path.ancestors().skip(1).find(|directory| fs::exists(&directory.join(".git")))
}

/// Reads the index of a repository; a repository without an index tracks nothing yet.
fn read(git: &Path) -> Option<TrackedPaths> {
    let directory = if fs::is_dir(git) { git.to_owned() } else { pointed_to(git)? };
    match fs::read(&directory.join("index"), MAX_INDEX) {
        Ok(bytes) => TrackedPaths::from_index(&bytes),
        Err(error) if matches!(error.kind, FsErrorKind::NotFound) => Some(TrackedPaths::default()),
        Err(_) => None,
    }
}

/// Returns the repository of a linked work tree.
fn pointed_to(git: &Path) -> Option<PathBuf> {
    let text = fs::read_text(git, MAX_POINTER).ok()?;
    let path = text.strip_prefix("gitdir:")?.trim();
    Some(git.parent()?.join(path))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn git(directory: &Path, args: &[&str]) {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"];
        let output = Command::new("git").current_dir(directory).args(identity).args(args).output().unwrap();
        assert!(output.status.success(), "{args:?} {}", String::from_utf8_lossy(&output.stderr));
    }

    #[test]
    fn it_says_what_git_says() {
        let directory = tempfile::tempdir().unwrap();
        let top = directory.path().join("repository");
        std::fs::create_dir_all(top.join("a/b")).unwrap();
        let asked = |path: &str| TrackedFiles::default().tracking(&directory.path().join(path));
        assert_eq!(asked("repository/a/b/c"), GitTracking::Untracked, "no repository");
        git(&top, &["init", "-q"]);
        assert_eq!(asked("repository/a/b/c"), GitTracking::Untracked, "nothing is in it");
        for file in ["a/b/c", "a/d", "e"] {
            std::fs::write(top.join(file), "x").unwrap();
        }
        for version in ["2", "4"] {
            git(&top, &["add", "a/b", "e"]);
            git(&top, &["update-index", "--index-version", version]);
            for (path, tracking) in
                [("a/b/c", GitTracking::Tracked), ("a/b", GitTracking::Tracked), ("a/d", GitTracking::Untracked)]
            {
                assert_eq!(asked(&format!("repository/{path}")), tracking, "{path} {version}");
            }
            let listed = TrackedFiles::default().files(&top);
            assert_eq!(listed, Some(vec![GitPath::new("a/b/c"), GitPath::new("e")]), "{version}");
        }
        git(&top, &["commit", "-qm", "x"]);
        git(&top, &["worktree", "add", "-q", "../other"]);
        assert_eq!(asked("other/a/b/c"), GitTracking::Tracked);
        assert_eq!(asked("other/a/d"), GitTracking::Untracked);
        git(&top, &["update-index", "--split-index"]);
        assert_eq!(asked("repository/e"), GitTracking::Unknown, "most of it is elsewhere");
        assert_eq!(TrackedFiles::default().files(&top), None);
        std::fs::write(top.join(".git/index"), "nothing of git's").unwrap();
        assert_eq!(asked("repository/e"), GitTracking::Unknown);
    }
}
