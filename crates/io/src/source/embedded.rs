//! The source that is embedded in the program.

use std::path::{Path, PathBuf};

use super::tree::{DirectoryListing, SourceTree, TreeEntry, TreeEntryKind, TreeError, TreeState};
use crate::fs;

#[derive(Debug, Clone, Copy)]
pub struct EmbeddedFile {
    pub path: &'static str,
    pub bytes: &'static [u8],
}

#[derive(Debug, Clone)]
pub struct EmbeddedTree {
    files: Vec<EmbeddedFile>,
}

impl EmbeddedTree {
    pub fn new(mut files: Vec<EmbeddedFile>) -> Self {
        files.sort_by_key(|file| file.path);
        Self { files }
    }

    fn find(&self, path: &str) -> Option<&EmbeddedFile> {
        let at = self.files.binary_search_by_key(&path, |file| file.path).ok()?;
        self.files.get(at)
    }

    fn below<'t>(&'t self, directory: &'t str) -> impl Iterator<Item = (&'static str, &'t EmbeddedFile)> {
        // The files are sorted, so these are one after the other.
        let start = self.files.partition_point(|file| file.path < directory);
        let near = self.files.iter().skip(start).take_while(move |file| file.path.starts_with(directory));
        near.filter_map(move |file| {
            let rest = file.path.strip_prefix(directory)?;
            let rest = if directory.is_empty() { rest } else { rest.strip_prefix('/')? };
            Some((rest, file))
        })
    }
}

impl SourceTree for EmbeddedTree {
    fn list(&self, directory: &str) -> Result<DirectoryListing, TreeError> {
        let mut listing = DirectoryListing::default();
        for (rest, _) in self.below(directory) {
            let (name, kind) = match rest.split_once('/') {
                Some((name, _)) => (name, TreeEntryKind::Directory),
                None => (rest, TreeEntryKind::File),
            };
            if listing.entries.last().is_none_or(|last| last.name != name) {
                listing.entries.push(TreeEntry { name: name.to_owned(), kind });
            }
        }
        if listing.entries.is_empty() { Err(TreeError::Absent) } else { Ok(listing) }
    }

    fn read_text(&self, path: &str, _limit: u64) -> Result<String, TreeError> {
        let file = self.find(path).ok_or(TreeError::Absent)?;
        String::from_utf8(file.bytes.to_vec()).map_err(|error| TreeError::Unusable(error.to_string()))
    }

    fn read_file(&self, path: &str, _limit: u64) -> Result<(Vec<u8>, bool), TreeError> {
        let file = self.find(path).ok_or(TreeError::Absent)?;
        Ok((file.bytes.to_vec(), false))
    }

    fn exists(&self, path: &str) -> bool {
        self.find(path).is_some() || self.below(path).next().is_some()
    }

    fn leads_out(&self, _path: &str) -> bool {
        false
    }

    /// Returns a constant: embedded files never change.
    fn state(&self, path: &str) -> TreeState {
        if self.exists(path) {
            TreeState::Known { size: 0, modified: 0, changed: 0, inode: 0 }
        } else {
            TreeState::Absent
        }
    }

    fn shown(&self, path: &str) -> String {
        if path.is_empty() { "embedded in the program".to_owned() } else { format!("builtin:{path}") }
    }
}

/// Writes the embedded files to a directory below `parent`, named by their fingerprint, and returns the path of one of
/// them: agents can only read files on disk. If that file is missing or differs, the directory is written again.
pub fn unpack(tree: &EmbeddedTree, fingerprint: &str, parent: &Path, wanted: &str) -> fs::FsResult<PathBuf> {
    let target = parent.join(format!("builtin-{fingerprint}"));
    let file = target.join(wanted);
    let is_good = tree
        .find(wanted)
        .is_none_or(|embedded| fs::read(&file, embedded.bytes.len() as u64).is_ok_and(|bytes| bytes == embedded.bytes));
    if is_good {
        return Ok(file);
    }
    fs::create_private_dir(parent)?;
    if fs::is_dir(&target) {
        fs::remove_tree(&target)?;
    }
    let staging = fs::staging_dir(parent)?;
    for file in &tree.files {
        fs::write_new(&staging.path().join(file.path), file.bytes)?;
    }
    fs::publish_dir(staging, &target)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> EmbeddedTree {
        let file = |path| EmbeddedFile { path, bytes: b"x" };
        EmbeddedTree::new(vec![file("b.toml"), file("a/SKILL.md"), file("a/r/x.md"), file("ab/SKILL.md")])
    }

    #[test]
    fn files_are_listed_by_directory() {
        let names = |directory| -> Vec<String> {
            tree().list(directory).unwrap().entries.into_iter().map(|entry| entry.name).collect()
        };
        assert_eq!(names(""), ["a", "ab", "b.toml"]);
        assert_eq!(names("a"), ["SKILL.md", "r"]);
        assert!(tree().exists("a/r") && tree().exists("b.toml") && !tree().exists("a/z") && !tree().exists("a/"));
    }

    #[test]
    fn unpacking_twice_writes_once() {
        let home = tempfile::tempdir().unwrap();
        let cache = home.path().join("cache");
        let file = unpack(&tree(), "f00", &cache, "a/r/x.md").unwrap();
        assert_eq!(fs::read_text(&file, 10).unwrap(), "x");
        let written = std::fs::metadata(&file).unwrap().modified().unwrap();
        assert_eq!(unpack(&tree(), "f00", &cache, "a/r/x.md").unwrap(), file);
        assert_eq!(std::fs::metadata(&file).unwrap().modified().unwrap(), written);
        assert_eq!(fs::list(&cache).unwrap().len(), 1, "no staging directory stays behind");
    }

    #[test]
    fn a_copy_somebody_changed_is_made_anew() {
        let home = tempfile::tempdir().unwrap();
        let file = unpack(&tree(), "f00", home.path(), "a/SKILL.md").unwrap();
        std::fs::write(&file, "changed").unwrap();
        assert_eq!(unpack(&tree(), "f00", home.path(), "a/SKILL.md").unwrap(), file);
        assert_eq!(fs::read_text(&file, 10).unwrap(), "x");
        std::fs::remove_dir_all(home.path().join("builtin-f00/a")).unwrap();
        unpack(&tree(), "f00", home.path(), "a/SKILL.md").unwrap();
        assert_eq!(fs::read_text(&file, 10).unwrap(), "x");
    }
}
