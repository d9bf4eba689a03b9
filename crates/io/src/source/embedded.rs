//! The source that ships inside the program.

use std::path::{Path, PathBuf};

use super::tree::{Listing, Tree, TreeEntry, TreeEntryKind, TreeError};
use crate::fs;

/// A file inside the program.
#[derive(Debug, Clone, Copy)]
pub struct EmbeddedFile {
    /// Its path in the source.
    pub path: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

/// The embedded files as a tree.
#[derive(Debug, Clone)]
pub struct EmbeddedTree {
    files: Vec<EmbeddedFile>,
}

impl EmbeddedTree {
    /// Wraps a table of files.
    pub fn new(mut files: Vec<EmbeddedFile>) -> Self {
        files.sort_by_key(|file| file.path);
        Self { files }
    }

    fn find(&self, path: &str) -> Option<&EmbeddedFile> {
        let at = self.files.binary_search_by_key(&path, |file| file.path).ok()?;
        self.files.get(at)
    }

    fn below<'t>(&'t self, directory: &'t str) -> impl Iterator<Item = (&'static str, &'t EmbeddedFile)> {
        self.files.iter().filter_map(move |file| {
            let rest = file.path.strip_prefix(directory)?;
            let rest = if directory.is_empty() { rest } else { rest.strip_prefix('/')? };
            Some((rest, file))
        })
    }
}

impl Tree for EmbeddedTree {
    fn list(&self, directory: &str) -> Result<Listing, TreeError> {
        let mut listing = Listing::default();
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

    fn exists(&self, path: &str) -> bool {
        self.find(path).is_some() || self.below(path).next().is_some()
    }

    fn leads_out(&self, _base: &str, _path: &str) -> bool {
        false
    }

    fn shown(&self, path: &str) -> String {
        if path.is_empty() { "embedded in the program".to_owned() } else { format!("builtin:{path}") }
    }
}

/// Writes the embedded files below `parent`, in a directory named by their fingerprint, unless they are there already;
/// returns that directory. Agents can only read what is on disk.
pub fn unpack(tree: &EmbeddedTree, fingerprint: &str, parent: &Path) -> fs::Result<PathBuf> {
    let target = parent.join(format!("builtin-{fingerprint}"));
    if fs::is_dir(&target) {
        return Ok(target);
    }
    fs::create_private_dir(parent)?;
    let staging = fs::staging_dir(parent)?;
    for file in &tree.files {
        fs::write_new(&staging.path().join(file.path), file.bytes)?;
    }
    fs::publish_dir(staging, &target)?;
    Ok(target)
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
        let target = unpack(&tree(), "f00", &home.path().join("cache")).unwrap();
        assert_eq!(fs::read_text(&target.join("a/r/x.md"), 10).unwrap(), "x");
        let written = std::fs::metadata(&target).unwrap().modified().unwrap();
        assert_eq!(unpack(&tree(), "f00", &home.path().join("cache")).unwrap(), target);
        assert_eq!(std::fs::metadata(&target).unwrap().modified().unwrap(), written);
        assert_eq!(fs::list(&home.path().join("cache")).unwrap().len(), 1, "no staging directory stays behind");
    }
}
