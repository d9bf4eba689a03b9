//! The files and submodules of a work tree, as its index lists them.

use std::path::{Path, PathBuf};

use symposium_io::fs::{self, FileKind};
use symposium_io::git_path::{self, GitPath};
use symposium_io::git_revision::RevisionReader;
use symposium_io::git_tracking::TrackedFiles;
use symposium_model::git_index::SubmoduleEntry;

/// The number of entries of a work tree whose index cannot be read.
const MAX_ENTRIES: usize = 200_000;

/// The number of directories in directories there.
const MAX_DEPTH: usize = 64;

/// Lists the files and links that git tracks; without an index that can be read, everything.
pub(super) fn tracked_paths(index: &mut TrackedFiles, top: &Path) -> Vec<GitPath> {
    index.files(top).unwrap_or_else(|| {
        let mut paths = Vec::new();
        list_below(top, &PathBuf::new(), MAX_DEPTH, &mut paths);
        paths
    })
}

/// Lists the submodules that are there, at the commits that are checked out.
pub(super) fn tracked_submodules(index: &mut TrackedFiles, top: &Path) -> Vec<SubmoduleEntry> {
    let at_hand = |submodule: SubmoduleEntry| {
        let directory = top.join(git_path::to_system(&submodule.path)?);
        if !fs::is_dir(&directory) || fs::is_link(&directory) {
            return None;
        }
        // One that is not checked out is as the index has it.
        let repository = fs::exists(&directory.join(".git")).then(|| RevisionReader::open(&directory).ok()).flatten();
        let commit = repository.and_then(|reader| reader.find("HEAD").ok()).map(|commit| commit.text());
        Some(SubmoduleEntry { commit: commit.unwrap_or(submodule.commit), ..submodule })
    };
    index.submodules(top).into_iter().filter_map(at_hand).collect()
}

/// Lists the files and links below a directory; no link is followed.
fn list_below(top: &Path, below: &Path, depth: usize, paths: &mut Vec<GitPath>) {
    for (name, kind) in fs::list_every_name(&top.join(below)).unwrap_or_default() {
        if depth == 0 || paths.len() >= MAX_ENTRIES || name == ".git" {
            continue;
        }
        let path = below.join(name);
        match kind {
            FileKind::Directory => list_below(top, &path, depth - 1, paths),
            FileKind::File | FileKind::Link => paths.push(git_path::from_system(&path)),
            FileKind::Other => {}
        }
    }
}
