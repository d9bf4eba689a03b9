//! Files that a grant covers, as they are: their hashes, their texts, and stamps that tell when they change.

use std::path::{Path, PathBuf};
use std::time::Duration;

use symposium_hook::stamp;
use symposium_io::{clock, fs, git_path};
use symposium_model::hook::hook_plan::{FileState, PathStamp};
use symposium_model::sync::fingerprint;
use symposium_model::trust::{CoveredFile, GrantContent, is_everyday};

/// The maximum size of a file that a user can be expected to review.
pub(super) const MAX_FILE: u64 = 8 * 1024 * 1024;
/// All files of a plugin together.
const MAX_TOTAL: usize = 16 * 1024 * 1024;
/// More files than this are not covered: each is looked at before a handler starts.
const MAX_FILES: usize = 512;
/// Only texts up to this size are kept to show what changed.
const MAX_TEXT: usize = 256 * 1024;
/// The time to wait, for one plugin, until the stamp of a file that was just written differs from that of a later
/// change.
const PATIENCE: Duration = Duration::from_millis(60);

#[derive(Debug, Clone)]
pub(crate) struct CoveredText {
    /// The path, as in [`CoveredFile`].
    pub(crate) path: String,
    pub(crate) hash: String,
    pub(crate) said: String,
}

#[derive(Debug, Clone)]
pub(crate) struct OpaqueFile {
    /// The path, as in [`CoveredFile`].
    pub(crate) path: String,
    pub(crate) size: usize,
    pub(crate) cause: OpaqueCause,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OpaqueCause {
    NoText,
    TooLarge,
}

#[derive(Debug)]
pub(crate) struct ExecutableContent {
    pub(crate) content: GrantContent,
    /// The files as they were before they were read, and places where one could appear.
    pub(crate) stamps: Vec<PathStamp>,
    pub(crate) texts: Vec<CoveredText>,
    pub(crate) opaque: Vec<OpaqueFile>,
    /// Whether a file of the workspace is among them, so that it is the same in no other workspace.
    pub(crate) is_of_workspace: bool,
}

pub(super) struct CoveredWalk<'w> {
    pub(super) within: &'w Path,
    /// Whether what people are there to change is left out.
    pub(super) leaves_everyday: bool,
}

/// Reads files one by one.
pub(super) struct FileReader {
    /// The time that it may still wait.
    patience: Duration,
    total: usize,
    files: Vec<CoveredFile>,
    stamps: Vec<PathStamp>,
    texts: Vec<CoveredText>,
    opaque: Vec<OpaqueFile>,
}

impl FileReader {
    /// A reader of nothing yet. `waits` when stamps decide whether something runs.
    pub(super) fn new(waits: bool) -> Self {
        let patience = if waits { PATIENCE } else { Duration::ZERO };
        Self { patience, total: 0, files: Vec::new(), stamps: Vec::new(), texts: Vec::new(), opaque: Vec::new() }
    }

    /// Remembers a path as it is now. What was written a moment ago could be written again and look the same: that moment
    /// is waited for, and what still cannot be told apart gets a stamp that fits nothing, so that it is read again before
    /// anything runs.
    pub(super) fn stamp(&mut self, path: &Path) {
        let Some(text) = path.to_str() else { return };
        if self.stamps.iter().any(|stamp| stamp.path == text) {
            return;
        }
        let time = |state: &FileState| state.modified.max(state.changed);
        let mut state = stamp::take(path);
        if let Some(written) = state.as_ref().map(time) {
            self.patience = clock::wait_for_next_tick(written, self.patience);
            state = stamp::take(path);
        }
        let now = clock::precisely();
        if let Some(state) = state.as_mut().filter(|state| clock::may_be_since(now, time(state))) {
            state.modified = 0;
        }
        self.stamps.push(PathStamp { path: text.to_owned(), state });
    }

    /// Covers a file. Its stamp is older than what is read.
    pub(super) fn file(&mut self, label: &str, path: &Path) -> Result<(), String> {
        if path.to_str().is_none() {
            return Err(format!("the name of `{label}` is not UTF-8"));
        }
        if self.files.iter().any(|file| file.path == label) {
            return Ok(());
        }
        self.stamp(path);
        let bytes = fs::read(path, MAX_FILE).map_err(|error| format!("`{label}` cannot be read: {}", error.kind))?;
        self.add(label, bytes)
    }

    /// Covers something that is read already.
    pub(super) fn add(&mut self, label: &str, bytes: Vec<u8>) -> Result<(), String> {
        if self.files.iter().any(|file| file.path == label) {
            return Ok(());
        }
        self.total += bytes.len();
        if self.files.len() >= MAX_FILES || self.total > MAX_TOTAL {
            return Err(too_much());
        }
        let hash = fingerprint(&bytes);
        let (path, size) = (label.to_owned(), bytes.len());
        match String::from_utf8(bytes) {
            Ok(said) if size <= MAX_TEXT => {
                self.texts.push(CoveredText { path, hash: hash.as_str().to_owned(), said });
            }
            Ok(_) => self.opaque.push(OpaqueFile { path, size, cause: OpaqueCause::TooLarge }),
            Err(_) => self.opaque.push(OpaqueFile { path, size, cause: OpaqueCause::NoText }),
        }
        self.files.push(CoveredFile { path: label.to_owned(), hash });
        Ok(())
    }

    /// Covers everything in a directory but what git keeps and cargo builds there.
    pub(super) fn directory(&mut self, label: &str, path: &Path, walk: &CoveredWalk<'_>) -> Result<(), String> {
        let mut waiting: Vec<(String, PathBuf)> = vec![(label.to_owned(), path.to_owned())];
        let mut seen: Vec<PathBuf> = Vec::new();
        while let Some((label, path)) = waiting.pop() {
            if seen.contains(&path) {
                continue;
            }
            if seen.len() >= MAX_FILES {
                return Err(too_much());
            }
            self.stamp(&path);
            let entries =
                fs::list_every_name(&path).map_err(|error| format!("`{label}` cannot be read: {}", error.kind))?;
            let is_built = |name: &str| name == "target" && entries.iter().any(|(other, _)| other == "Cargo.toml");
            for (name, _) in &entries {
                // A program of the plugin may read such a file like any other.
                let name = name.to_str().ok_or_else(|| {
                    format!("the name of `{}` is not UTF-8", git_path::from_system(Path::new(name)).shown())
                })?;
                if is_ignored(name) || is_built(name) {
                    continue;
                }
                let label = if label.is_empty() { name.to_owned() } else { format!("{label}/{name}") };
                // Files of the workspace are called so.
                if label.starts_with('$') {
                    return Err(format!("the name of `{label}` begins with a `$`"));
                }
                let place = path.join(name);
                let Ok(found) = fs::canonical(&place) else {
                    self.stamp(&place);
                    continue;
                };
                if !found.starts_with(walk.within) {
                    return Err(format!("`{label}` is a link to a place outside the plugin's directory"));
                }
                if fs::is_dir(&found) {
                    waiting.push((label, found));
                } else if fs::is_file(&found) && !(walk.leaves_everyday && is_everyday(&label)) {
                    self.stamp(&place);
                    self.file(&label, &found)?;
                }
            }
            seen.push(path);
        }
        Ok(())
    }

    pub(super) fn finish(self) -> ExecutableContent {
        let Self { files, stamps, texts, opaque, .. } = self;
        ExecutableContent { content: files.into(), stamps, texts, opaque, is_of_workspace: false }
    }
}

/// Whether a file is written by other programs and never run by a command of a plugin.
fn is_ignored(name: &str) -> bool {
    matches!(name, ".git" | ".DS_Store")
}

fn too_much() -> String {
    format!(
        "its directory is larger than a grant covers ({MAX_FILES} files, {} MiB); keep its programs in a separate \
         directory",
        MAX_TOTAL / 1024 / 1024
    )
}
