//! A read-only view of a source's files.

use std::fmt;

use symposium_model::hook::hook_plan::FileState;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeEntryKind {
    File,
    Directory,
    /// A link to a directory of the same source.
    LinkedDirectory,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry {
    pub name: String,
    pub kind: TreeEntryKind,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DirectoryListing {
    /// Sorted by name.
    pub entries: Vec<TreeEntry>,
    /// Skipped entries, each with the reason.
    pub left_out: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeError {
    Absent,
    Unusable(String),
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("no such file or directory"),
            Self::Unusable(reason) => f.write_str(reason),
        }
    }
}

/// The state of a file or directory, which is equal as long as nothing changes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeState {
    /// Also for a path that cannot be examined.
    Absent,
    /// A link, which says nothing about its target.
    Link,
    Known {
        size: u64,
        /// The time of the last change of the content, in nanoseconds since 1970.
        modified: i64,
        /// The time of the last change of content or metadata, in nanoseconds since 1970.
        changed: i64,
        inode: u64,
    },
}

impl TreeState {
    /// Returns the state of a file, as plans record it; `None` if that would not show all changes.
    pub(super) fn file_state(self) -> Option<FileState> {
        match self {
            Self::Known { size, modified, changed, inode } => Some(FileState { size, modified, changed, inode }),
            Self::Absent | Self::Link => None,
        }
    }
}

/// The files of a source. Paths are relative to its root and separated by `/`; the root is the empty path.
pub trait SourceTree {
    fn list(&self, directory: &str) -> Result<DirectoryListing, TreeError>;

    /// Lists a directory in which plugins are searched, and which may have very many.
    fn list_plugins(&self, directory: &str) -> Result<DirectoryListing, TreeError> {
        self.list(directory)
    }

    /// Reads a text file of at most `limit` bytes. A link is followed only while it stays in the source.
    fn read_text(&self, path: &str, limit: u64) -> Result<String, TreeError>;

    /// Reads a text file like [`Self::read_text`], with the state that it had before.
    fn read_text_with_state(&self, path: &str, limit: u64) -> Result<(String, TreeState), TreeError> {
        let state = self.state(path);
        Ok((self.read_text(path, limit)?, state))
    }

    /// Reads a file of at most `limit` bytes; the flag says if it is executable.
    fn read_file(&self, path: &str, limit: u64) -> Result<(Vec<u8>, bool), TreeError>;

    fn exists(&self, path: &str) -> bool;

    /// Returns true if a link on the way from the root down to `path` leads out of the source.
    fn leads_out(&self, path: &str) -> bool;

    /// Returns the present state. That of a directory covers its list of entries, not their content.
    fn state(&self, path: &str) -> TreeState;

    fn shown(&self, path: &str) -> String;
}

pub(super) fn join(directory: &str, name: &str) -> String {
    match (directory, name) {
        ("", name) => name.to_owned(),
        (directory, "") => directory.to_owned(),
        (directory, name) => [directory, "/", name].concat(),
    }
}
