//! The state of files and variables at the time a plan was compiled.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathStamp {
    pub path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<FileState>,
}

/// Metadata that tells one state of a file from another. Serialized as four numbers without keys: a plan has hundreds
/// of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "(u64, i64, i64, u64)", from = "(u64, i64, i64, u64)")]
pub struct FileState {
    /// In bytes.
    pub size: u64,
    /// The modification time in nanoseconds since 1970.
    pub modified: i64,
    /// The time of the last metadata change, which no program can set back; in nanoseconds since 1970.
    pub changed: i64,
    pub inode: u64,
}

impl From<FileState> for (u64, i64, i64, u64) {
    fn from(FileState { size, modified, changed, inode }: FileState) -> Self {
        (size, modified, changed, inode)
    }
}

impl From<(u64, i64, i64, u64)> for FileState {
    fn from(numbers: (u64, i64, i64, u64)) -> Self {
        let (size, modified, changed, inode) = numbers;
        Self { size, modified, changed, inode }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathPresence {
    pub path: String,
    pub there: bool,
}

/// The state of an environment variable at compile time. Its value may be a secret, so only a hash is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariableStamp {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<u64>,
}
