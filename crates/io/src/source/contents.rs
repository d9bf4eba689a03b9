//! The files of a fetched source, which are all checked before any is written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use symposium_model::sync::{ContentFingerprint, SkillFile, SkillTree};

use crate::fs::{self, FileKind};

pub(super) const MAX_BYTES: u64 = 64 * 1024 * 1024;

pub(super) const MAX_ENTRIES: usize = 10_000;

/// More than the plugins of an index have that fill all other limits.
pub(super) const MAX_DIRECTORIES: usize = 20_000;

/// The number of directories around a file.
pub(super) const MAX_DEPTH: usize = 32;

/// The bytes of a name, which no usual file system exceeds.
const MAX_NAME: usize = 255;

/// The bytes of a path, less than systems allow for one with the place of the cache before it.
const MAX_PATH: usize = 768;

/// The letters of a path in a message.
const SHOWN_LETTERS: usize = 120;

/// Further notes are only counted.
const MAX_NOTES: usize = 20;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContentRefusal {
    #[error("it has more than {MAX_ENTRIES} files; name a directory inside it, as in `…/tree/main/plugins`")]
    TooManyFiles,
    #[error("it has more than {MAX_DIRECTORIES} directories; name a directory inside it, as in `…/tree/main/plugins`")]
    TooManyDirectories,
    #[error("it has more than {} MB of files; name a directory inside it, as in `…/tree/main/plugins`", MAX_BYTES / 1024 / 1024)]
    TooLarge,
    #[error("it unpacks to more than 100 times its size")]
    Bomb,
    #[error("it contains the path `{}`, which {reason}", shown_path(.path))]
    Path { path: String, reason: &'static str },
    #[error("it contains `{}` twice", .0.escape_debug())]
    Twice(String),
    #[error("it contains `{}`, which is {kind}", .path.escape_debug())]
    Kind { path: String, kind: &'static str },
    #[error("it is damaged: {0}")]
    Damaged(String),
}

#[derive(Debug, Default)]
pub(super) struct FetchedContents {
    files: BTreeMap<String, FetchedEntry>,
    directories: BTreeSet<String>,
    bytes: u64,
    notes: FetchNotes,
    /// The first file that was skipped because its path is too long or too deep.
    skipped: Option<ContentRefusal>,
}

/// The room that contents take.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContentSize {
    /// Files and links.
    pub(super) files: usize,
    pub(super) directories: usize,
    pub(super) bytes: u64,
}

impl ContentSize {
    pub(super) const LIMIT: Self = Self { files: MAX_ENTRIES, directories: MAX_DIRECTORIES, bytes: MAX_BYTES };

    /// Returns the room that is left; `None` if it is too small.
    pub(super) fn checked_sub(self, taken: Self) -> Option<Self> {
        Some(Self {
            files: self.files.checked_sub(taken.files)?,
            directories: self.directories.checked_sub(taken.directories)?,
            bytes: self.bytes.checked_sub(taken.bytes)?,
        })
    }
}

#[derive(Debug)]
enum FetchedEntry {
    File { bytes: Vec<u8>, executable: bool },
    Link(String),
}

#[derive(Debug, Default)]
struct FetchNotes {
    shown: Vec<String>,
    more: usize,
}

impl FetchNotes {
    fn push(&mut self, note: String) {
        if self.shown.len() < MAX_NOTES {
            self.shown.push(note);
        } else {
            self.more += 1;
        }
    }
}

/// The beginning of a git LFS pointer file.
const LARGE_FILE_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

impl FetchedContents {
    pub(super) fn add_file(&mut self, path: &str, bytes: Vec<u8>, executable: bool) -> Result<(), ContentRefusal> {
        self.bytes += bytes.len() as u64;
        if self.bytes > MAX_BYTES {
            return Err(ContentRefusal::TooLarge);
        }
        if bytes.len() < 1024 && bytes.starts_with(LARGE_FILE_POINTER) {
            self.note(format!("`{path}` is a pointer to a large file (git LFS), which is not fetched"));
        }
        // The copy on disk has no such mode on other systems, and must have the fingerprint of what was fetched.
        self.add(path, FetchedEntry::File { bytes, executable: executable && cfg!(unix) })
    }

    /// Adds a link. Its target is checked when everything is written. Without links on the system, a note takes its place.
    pub(super) fn add_link(&mut self, path: &str, target: String) -> Result<(), ContentRefusal> {
        if !cfg!(unix) {
            self.note(format!("`{path}` is a link, which this system has not, and is skipped"));
            return check_path(path);
        }
        self.add(path, FetchedEntry::Link(target))
    }

    pub(super) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    fn add(&mut self, path: &str, content: FetchedEntry) -> Result<(), ContentRefusal> {
        check_path(path)?;
        if let Some(reason) = path_excess(path) {
            self.note(format!("`{}` {reason}, and is skipped", shown_path(path)));
            self.skipped.get_or_insert_with(|| ContentRefusal::Path { path: path.to_owned(), reason });
            return Ok(());
        }
        if self.files.len() == MAX_ENTRIES {
            return Err(ContentRefusal::TooManyFiles);
        }
        // The outer ones of a known directory are known too.
        for directory in path.rmatch_indices('/').filter_map(|(at, _)| path.get(..at)) {
            if !self.directories.insert(directory.to_owned()) {
                break;
            }
        }
        if self.directories.len() > MAX_DIRECTORIES {
            return Err(ContentRefusal::TooManyDirectories);
        }
        match self.files.insert(path.to_owned(), content) {
            None => Ok(()),
            Some(_) => Err(ContentRefusal::Twice(path.to_owned())),
        }
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Returns an error if a file was skipped because of its path.
    pub(super) fn require_all(&mut self) -> Result<(), ContentRefusal> {
        self.skipped.take().map_or(Ok(()), Err)
    }

    pub(super) fn size(&self) -> ContentSize {
        ContentSize { files: self.files.len(), directories: self.directories.len(), bytes: self.bytes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns a hash over all paths, modes and bytes.
    pub(super) fn fingerprint(&self) -> ContentFingerprint {
        fingerprint(self.files.iter().map(|(path, content)| match content {
            FetchedEntry::File { bytes, executable } => {
                SkillFile { path: path.clone(), bytes: bytes.clone(), executable: *executable }
            }
            FetchedEntry::Link(target) => link_entry(path.clone(), target),
        }))
    }

    /// Writes everything into an empty directory: files first, so that nothing is written through a link of the source.
    /// A link that leads out of the source is removed.
    pub(super) fn write(mut self, directory: &Path) -> Result<WrittenContents, WriteError> {
        self.check_collisions()?;
        for (path, content) in &self.files {
            if let FetchedEntry::File { bytes, executable } = content {
                let write = if *executable { fs::write_new_program } else { fs::write_new };
                write(&directory.join(path), bytes)?;
            }
        }
        let mut left_out = Vec::new();
        for (path, content) in &self.files {
            if let FetchedEntry::Link(target) = content {
                fs::make_link(target, &directory.join(path))?;
            }
        }
        // Only now all targets exist, also through other links.
        let root = fs::canonical(directory)?;
        for (path, content) in &self.files {
            if matches!(content, FetchedEntry::Link(_)) {
                let link = directory.join(path);
                if !fs::canonical(&link).is_ok_and(|target| target.starts_with(&root)) {
                    left_out.push((path.clone(), link));
                }
            }
        }
        for (path, link) in left_out {
            fs::remove_file(&link)?;
            self.files.remove(&path);
            self.notes.push(format!("`{path}` is a link to a place outside the source, and is skipped"));
        }
        let more = (self.notes.more > 0).then(|| format!("{} more such notes", self.notes.more));
        let tree = self.fingerprint();
        self.notes.shown.extend(more);
        Ok(WrittenContents { tree, notes: self.notes.shown })
    }

    /// Rejects a path that is both file and directory, and notes names that are equal on case-insensitive systems.
    pub(super) fn check_collisions(&mut self) -> Result<(), ContentRefusal> {
        let mut lowered: BTreeMap<String, &str> = BTreeMap::new();
        let mut collisions = Vec::new();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        for path in self.files.keys() {
            for directory in ancestors(path) {
                if self.files.contains_key(directory) {
                    return Err(ContentRefusal::Twice(directory.to_owned()));
                }
            }
            for part in ancestors(path).chain([path.as_str()]).filter(|part| seen.insert(part)) {
                if let Some(other) = lowered.insert(part.to_lowercase(), part) {
                    collisions
                        .push(format!("`{other}` and `{part}` are the same name on systems that ignore letter case"));
                }
            }
        }
        for note in collisions {
            self.notes.push(note);
        }
        Ok(())
    }
}

#[derive(Debug)]
pub(super) struct WrittenContents {
    pub(super) tree: ContentFingerprint,
    pub(super) notes: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum WriteError {
    #[error(transparent)]
    Refused(#[from] ContentRefusal),
    #[error(transparent)]
    File(#[from] fs::FsError),
}

/// Returns the parent directories of a path, outermost first.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').filter_map(|(at, _)| path.get(..at))
}

/// Returns the beginning of a path for a message.
fn shown_path(path: &str) -> String {
    let mut letters = path.chars();
    let shown: String = letters.by_ref().take(SHOWN_LETTERS).flat_map(char::escape_debug).collect();
    if letters.next().is_some() { shown + "…" } else { shown }
}

/// Checks that a path means the same on every system: relative, without `..`, no drive and no repository.
fn check_path(path: &str) -> Result<(), ContentRefusal> {
    let reason = if path.is_empty() || path.starts_with('/') || path.ends_with('/') {
        Some("is not relative")
    } else if path.contains(['\\', '\0']) || path.chars().any(char::is_control) {
        Some("has characters that are not allowed in a path")
    } else if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        Some("leads elsewhere")
    } else if path.split('/').any(|part| part.eq_ignore_ascii_case(".git")) {
        Some("is part of a git repository; remove it from the source")
    } else if path.split('/').next().is_some_and(|first| first.as_bytes().get(1) == Some(&b':')) {
        Some("names a drive")
    } else {
        None
    };
    match reason {
        None => Ok(()),
        Some(reason) => Err(ContentRefusal::Path { path: path.to_owned(), reason }),
    }
}

/// Returns the limit that a path exceeds. Such a file is harmless, and cannot be written everywhere.
fn path_excess(path: &str) -> Option<&'static str> {
    if path.split('/').any(|part| part.len() > MAX_NAME) {
        Some("has a name of more than 255 bytes")
    } else if path.matches('/').count() > MAX_DEPTH {
        Some("is more than 32 directories deep")
    } else if path.len() > MAX_PATH {
        Some("has more than 768 bytes")
    } else {
        None
    }
}

fn link_entry(path: String, target: &str) -> SkillFile {
    SkillFile { path, bytes: format!("-> {target}").into_bytes(), executable: false }
}

fn fingerprint(files: impl Iterator<Item = SkillFile>) -> ContentFingerprint {
    SkillTree::new(files.collect()).fingerprint()
}

/// Returns the fingerprint of a directory; `None` when a part cannot be read, or cannot come from a source.
pub(super) fn fingerprint_of(directory: &Path) -> Option<ContentFingerprint> {
    let mut files = Vec::new();
    collect(directory, "", &mut files)?;
    Some(fingerprint(files.into_iter()))
}

fn collect(root: &Path, below: &str, files: &mut Vec<SkillFile>) -> Option<()> {
    for entry in fs::list(&root.join(below)).ok()? {
        let path = super::tree::join(below, &entry.name);
        let file = root.join(&path);
        match entry.kind {
            FileKind::Directory => collect(root, &path, files)?,
            FileKind::File => {
                let bytes = fs::read(&file, MAX_BYTES).ok()?;
                files.push(SkillFile { path, bytes, executable: fs::is_executable(&file) });
            }
            FileKind::Link => files.push(link_entry(path, &fs::link_target(&file)?)),
            FileKind::Other => return None,
        }
        if files.len() > MAX_ENTRIES {
            return None;
        }
    }
    Some(())
}

#[cfg(test)]
#[path = "contents_tests.rs"]
mod tests;
