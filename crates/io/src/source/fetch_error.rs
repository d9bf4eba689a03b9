//! Errors and time limits of fetching a source.

use std::time::Duration;

use super::contents::{ContentRefusal, WriteError};
use crate::file_lock::LockError;
use crate::fs;
use crate::http::HttpFailure;

#[derive(Debug, Clone, Copy)]
pub struct FetchLimits {
    /// For the first answer of the server.
    pub answer: Duration,
    pub stall: Duration,
    pub whole: Duration,
}

impl FetchLimits {
    pub fn lasting(whole: Duration) -> Self {
        Self { answer: Duration::from_secs(10), stall: Duration::from_secs(15), whole }
    }
}

impl Default for FetchLimits {
    fn default() -> Self {
        Self::lasting(Duration::from_mins(1))
    }
}

#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// There is no git, and the server is not known to offer archives.
    #[error("the program `git` was not found; install it")]
    GitIsMissing,
    #[error("the request to the server timed out")]
    NoAnswer,
    #[error("the fetch took longer than {} s{}; increase `[fetch] timeout` in your configuration", limit.as_secs(), received_part(*received))]
    TooSlow { limit: Duration, received: u64 },
    #[error("the server stopped sending: nothing was received for {} s, after {}", silence.as_secs(), shown_size(*received))]
    Stalled {
        silence: Duration,
        /// Bytes before that.
        received: u64,
    },
    #[error("another run of Symposium is fetching it and does not finish")]
    Busy,
    #[error("the repository is empty")]
    Empty,
    #[error("`{0}` does not begin with a branch, tag or commit")]
    NoSuchReference(String),
    #[error("it has no directory `{0}`")]
    NoSuchDirectory(String),
    #[error("it no longer has the commit {0}")]
    CommitIsGone(String),
    #[error("the content of commit {0} does not match the lockfile")]
    OtherContent(String),
    #[error("{0}")]
    Git(String),
    #[error("{0}")]
    Http(String),
    #[error("{0}")]
    Proxy(String),
    /// More than a workspace gets from one index.
    #[error("{0}; its publisher can divide the index into several")]
    BeyondLimit(String),
    /// A part of an index, each with the reason; the rest was fetched.
    #[error("{}", shown_faults(.0))]
    Partial(Vec<String>),
    #[error("refused: {0}")]
    Refused(#[from] ContentRefusal),
    #[error(transparent)]
    File(#[from] fs::FsError),
}

impl FetchError {
    /// Returns the end of a message about it, which says what to do unless the error does.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::GitIsMissing | Self::TooSlow { .. } | Self::Proxy(_) | Self::BeyondLimit(_) => "",
            Self::Partial(_) => "; try again later",
            Self::NoAnswer
            | Self::Stalled { .. }
            | Self::Busy
            | Self::Empty
            | Self::NoSuchReference(_)
            | Self::NoSuchDirectory(_)
            | Self::CommitIsGone(_)
            | Self::OtherContent(_)
            | Self::Git(_)
            | Self::Http(_)
            | Self::Refused(_)
            | Self::File(_) => "; check its address in the configuration, or try again later",
        }
    }
}

/// Faults that are named; further ones are counted.
const MOST_FAULTS: usize = 3;

fn shown_faults(faults: &[String]) -> String {
    let named: Vec<&str> = faults.iter().take(MOST_FAULTS).map(String::as_str).collect();
    let more = match faults.len().saturating_sub(MOST_FAULTS) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!("{}{more}", named.join("; "))
}

/// Tells how much was received, if any of it was counted before the end.
fn received_part(bytes: u64) -> String {
    if bytes == 0 { String::new() } else { format!(", and {} were received", shown_size(bytes)) }
}

pub fn shown_size(bytes: u64) -> String {
    let tenths = |unit: u64| format!("{}.{}", bytes / unit, bytes % unit * 10 / unit);
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} kB", tenths(1_000)),
        _ => format!("{} MB", tenths(1_000_000)),
    }
}

impl From<LockError> for FetchError {
    fn from(error: LockError) -> Self {
        match error {
            LockError::Held { .. } => Self::Busy,
            LockError::File(error) => Self::File(error),
        }
    }
}

impl From<HttpFailure> for FetchError {
    fn from(failure: HttpFailure) -> Self {
        match failure {
            HttpFailure::Proxy(reason) => Self::Proxy(reason),
            HttpFailure::Disconnected => Self::Http("the server closed the connection instead of an answer".to_owned()),
            HttpFailure::NoAnswer(reason) | HttpFailure::Answer(reason) => Self::Http(reason),
        }
    }
}

impl From<WriteError> for FetchError {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Refused(refusal) => Self::Refused(refusal),
            WriteError::File(error) => Self::File(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_only_given_where_one_is_known() {
        let said = |received| FetchError::TooSlow { limit: Duration::from_secs(5), received }.to_string();
        assert!(said(0).starts_with("the fetch took longer than 5 s; increase"), "{}", said(0));
        assert!(said(331_700).starts_with("the fetch took longer than 5 s, and 331.7 kB were received; "));
    }

    #[test]
    fn amounts_are_short() {
        for (bytes, expected) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1_000, "1.0 kB"),
            (999_999, "999.9 kB"),
            (2_150_000, "2.1 MB"),
            (1_234_000_000, "1234.0 MB"),
        ] {
            assert_eq!(shown_size(bytes), expected);
        }
    }
}
