//! The source that is embedded in the program.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use flate2::read::DeflateDecoder;

use super::tree::{DirectoryListing, SourceTree, TreeEntry, TreeEntryKind, TreeError, TreeState};
use crate::fs;

#[derive(Debug, Clone, Copy)]
pub struct EmbeddedFile {
    path: &'static str,
    content: EmbeddedContent,
}

#[derive(Debug, Clone, Copy)]
enum EmbeddedContent {
    Plain(&'static [u8]),
    Deflated(&'static [u8]),
}

impl EmbeddedFile {
    pub fn plain(path: &'static str, bytes: &'static [u8]) -> Self {
        Self { path, content: EmbeddedContent::Plain(bytes) }
    }

    pub fn deflated(path: &'static str, bytes: &'static [u8]) -> Self {
        Self { path, content: EmbeddedContent::Deflated(bytes) }
    }

    fn bytes(&self) -> io::Result<Vec<u8>> {
        let deflated = match self.content {
            EmbeddedContent::Plain(bytes) => return Ok(bytes.to_vec()),
            EmbeddedContent::Deflated(bytes) => bytes,
        };
        let mut bytes = Vec::new();
        DeflateDecoder::new(deflated).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
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
        self.files.iter().filter_map(move |file| {
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

    fn read_text(&self, path: &str, limit: u64) -> Result<String, TreeError> {
        let (bytes, _) = self.read_file(path, limit)?;
        String::from_utf8(bytes).map_err(|error| TreeError::Unusable(error.to_string()))
    }

    fn read_file(&self, path: &str, _limit: u64) -> Result<(Vec<u8>, bool), TreeError> {
        let file = self.find(path).ok_or(TreeError::Absent)?;
        Ok((file.bytes().map_err(|error| TreeError::Unusable(error.to_string()))?, false))
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
    let bytes_of = |embedded: &EmbeddedFile| embedded.bytes().map_err(|error| fs::FsError::new(&file, error));
    let wanted = tree.find(wanted).map(bytes_of).transpose()?;
    let is_good = wanted.is_none_or(|wanted| fs::read(&file, wanted.len() as u64).is_ok_and(|bytes| bytes == wanted));
    if is_good {
        return Ok(file);
    }
    fs::create_private_dir(parent)?;
    if fs::is_dir(&target) {
        fs::remove_tree(&target)?;
    }
    let staging = fs::staging_dir(parent)?;
    for embedded in &tree.files {
        fs::write_new(&staging.path().join(embedded.path), &bytes_of(embedded)?)?;
    }
    fs::publish_dir(staging, &target)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> EmbeddedTree {
        let file = |path| EmbeddedFile::plain(path, b"x");
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
    fn compressed_files_are_read_as_they_were() {
        // One block of three stored bytes.
        let tree = EmbeddedTree::new(vec![
            EmbeddedFile::deflated("a", b"\x01\x03\x00\xfc\xffabc"),
            EmbeddedFile::deflated("torn", b"\x01\x03\x00\xfc\xffab"),
        ]);
        assert_eq!(tree.read_text("a", 10).unwrap(), "abc");
        assert!(matches!(tree.read_text("torn", 10), Err(TreeError::Unusable(_))));
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
