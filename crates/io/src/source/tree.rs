//! A read-only view of a source's files.

use std::fmt;

/// What an entry of a tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeEntryKind {
    File,
    Directory,
    /// A link to a directory of the same source.
    LinkedDirectory,
}

/// One entry of a directory of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry {
    pub name: String,
    pub kind: TreeEntryKind,
}

/// What a directory of a tree holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DirectoryListing {
    /// Files and directories, sorted by name.
    pub entries: Vec<TreeEntry>,
    /// Entries that were passed over, each with the reason.
    pub left_out: Vec<(String, String)>,
}

/// Why a file or directory of a tree cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeError {
    /// There is nothing at the path.
    Absent,
    /// There is something, and this is wrong with it.
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

/// How something in a tree is at a moment: equal as long as nobody changes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeState {
    /// Nothing is there, or nothing that can be looked at.
    Absent,
    /// A link, which says nothing about what it leads to.
    Link,
    Known {
        size: u64,
        /// When its content changed, in nanoseconds since 1970.
        modified: i64,
        /// When anything about it changed.
        changed: i64,
        inode: u64,
    },
}

/// The files of a source. Paths are relative to its root, with `/` between their parts; the root is the empty path.
pub trait SourceTree {
    fn list(&self, directory: &str) -> Result<DirectoryListing, TreeError>;

    /// Reads a text file of at most `limit` bytes. A link is followed only while it stays in the source.
    fn read_text(&self, path: &str, limit: u64) -> Result<String, TreeError>;

    /// Reads a file of at most `limit` bytes, and whether it is meant to be run.
    fn read_file(&self, path: &str, limit: u64) -> Result<(Vec<u8>, bool), TreeError>;

    /// Whether there is a file or directory at the path.
    fn exists(&self, path: &str) -> bool;

    /// Whether a link on the way from the root down to `path` leads out of the source.
    fn leads_out(&self, path: &str) -> bool;

    /// How a file or directory is now. For a directory that is about its entries, not about what is in them.
    fn state(&self, path: &str) -> TreeState;

    /// The path as a person should see it.
    fn shown(&self, path: &str) -> String;
}

pub(super) fn join(directory: &str, name: &str) -> String {
    match (directory, name) {
        ("", name) => name.to_owned(),
        (directory, "") => directory.to_owned(),
        (directory, name) => format!("{directory}/{name}"),
    }
}
