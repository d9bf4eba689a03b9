//! Why a source was not fetched.

use std::time::Duration;

use super::contents::{Refusal, WriteError};
use crate::fs;

/// How long a fetch may take.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// Until the server has answered at all.
    pub answer: Duration,
    /// For everything.
    pub whole: Duration,
    /// For an archive, when there is no git.
    pub archive: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { answer: Duration::from_secs(10), whole: Duration::from_mins(1), archive: Duration::from_secs(20) }
    }
}

/// Why a source was not fetched.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// There is no git, and the server is not known to pack archives.
    #[error("the program `git` was not found; install it")]
    GitIsMissing,
    /// The server does not answer.
    #[error("the server did not answer in time")]
    NoAnswer,
    /// It takes too long.
    #[error("it took too long")]
    TooSlow,
    /// Another run is at it.
    #[error("another run of Symposium is fetching it and does not come to an end")]
    Busy,
    /// There is nothing in the repository.
    #[error("the repository is empty")]
    Empty,
    /// Nothing of the address is a branch, tag or commit.
    #[error("there is no branch, tag or commit at the start of `{0}`")]
    NoSuchReference(String),
    /// The directory is not in the repository.
    #[error("there is no directory `{0}` in it")]
    NoSuchDirectory(String),
    /// The commit that is asked for by its own name is not to be had.
    #[error("the commit {0} is not in it any more")]
    CommitIsGone(String),
    /// The commit is there, but is not what is known of it.
    #[error("the commit {0} does not hold what the lock says")]
    OtherContent(String),
    /// Git says why.
    #[error("{0}")]
    Git(String),
    /// The server of archives says why.
    #[error("{0}")]
    Http(String),
    /// What was fetched is not safe to use.
    #[error("refused: {0}")]
    Refused(#[from] Refusal),
    /// The cache cannot be written.
    #[error(transparent)]
    File(#[from] fs::FsError),
}

impl From<WriteError> for FetchError {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Refused(refusal) => Self::Refused(refusal),
            WriteError::File(error) => Self::File(error),
        }
    }
}
