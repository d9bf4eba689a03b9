//! What is remembered of a session: prompts counted, skills loaded, reminders given.
//!
//! A file of short lines that only grows: hooks of one session run at the same time, and an added line is never lost.

use std::path::{Path, PathBuf};
use std::time::Duration;

use symposium_model::hook::hook_plan::{REMEMBERED, hash};

use crate::edge::disk::{self, RetentionRule};

/// A session with more to it than this is no longer followed.
const MAX_SESSION: u64 = 1024 * 1024;
/// Sessions nobody came back to.
const OLD: Duration = Duration::from_hours(14 * 24);
/// So many sessions are remembered: ids are the agent's to choose.
const MOST: usize = 200;
/// The length of the two hashes that end the name of a session's file.
const HASHES: usize = 32;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SessionState {
    /// How many prompts there were.
    pub(crate) prompts: u32,
    pub(crate) skills: Vec<String>,
    /// Crates whose skills were loaded together.
    pub(crate) crates: Vec<String>,
    /// Skills that were named, each with the number of prompts there were by then.
    pub(crate) named: Vec<(String, u32)>,
    /// What was told and is told once.
    pub(crate) told: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SessionFact {
    /// The person sent a prompt.
    Prompt,
    Skill(String),
    /// The skills of a crate were loaded.
    Crate(String),
    /// A skill was named in a reminder.
    Named(String),
    /// Something was told that is told once.
    Told(String),
    /// The model lost what it had read.
    Forgotten,
}

impl SessionFact {
    fn line(&self) -> Option<String> {
        let (letter, name) = match self {
            Self::Prompt => return Some("p\n".to_owned()),
            Self::Forgotten => return Some("f\n".to_owned()),
            Self::Skill(name) => ('s', name),
            Self::Crate(name) => ('c', name),
            Self::Named(name) => ('n', name),
            Self::Told(name) => ('t', name),
        };
        // Names come from agents: what is not a name is not remembered.
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let usable = !name.is_empty() && name.len() <= 128 && name.chars().all(plain);
        usable.then(|| format!("{letter} {name}\n"))
    }
}

impl SessionState {
    fn from_text(text: &str) -> Self {
        let mut session = Self::default();
        for line in text.lines() {
            match line.split_once(' ') {
                None if line == "p" => session.prompts += 1,
                None if line == "f" => {
                    session.skills.clear();
                    session.crates.clear();
                    session.named.clear();
                }
                Some(("s", name)) => session.skills.push(name.to_owned()),
                Some(("c", name)) => session.crates.push(name.to_owned()),
                Some(("t", name)) => session.told.push(name.to_owned()),
                Some(("n", name)) => {
                    session.named.retain(|(known, _)| known != name);
                    session.named.push((name.to_owned(), session.prompts));
                }
                Some(_) | None => {}
            }
        }
        session
    }
}

/// Where a session is remembered. The id is the agent's to choose, so only a hash of it becomes part of a path.
pub(crate) fn file(sessions: &Path, agent: &str, id: &str) -> PathBuf {
    let turned: Vec<u8> = id.bytes().rev().collect();
    sessions.join(format!("{agent}-{:016x}{:016x}", hash(id.as_bytes()), hash(&turned)))
}

/// What is remembered so far; `None` of a session that is no longer followed.
pub(crate) fn read(file: &Path) -> Option<SessionState> {
    match disk::read(file, MAX_SESSION) {
        Some(bytes) => Some(SessionState::from_text(&String::from_utf8_lossy(&bytes))),
        None => (!disk::is_file(file)).then(SessionState::default),
    }
}

/// Remembers more. That it cannot be written is no reason to fail.
pub(crate) fn remember(file: &Path, facts: &[SessionFact]) {
    let lines: String = facts.iter().filter_map(SessionFact::line).collect();
    if lines.is_empty() {
        return;
    }
    let is_new = !disk::is_file(file);
    let _ = disk::append(file, lines.as_bytes());
    if let Some(sessions) = file.parent().filter(|_| is_new) {
        prune(sessions);
    }
}

/// Forgets everything about a session.
pub(crate) fn forget(file: &Path) {
    if disk::is_file(file) {
        let _ = disk::replace(file, b"");
    }
}

/// Whether something was not said for a while.
pub(crate) fn is_due(sessions: &Path, what: &str) -> bool {
    !disk::is_file(&sessions.join(format!("told-{what}")))
}

/// Remembers that something was said. It is forgotten as sessions are.
pub(crate) fn mark(sessions: &Path, what: &str) {
    let _ = disk::append(&sessions.join(format!("told-{what}")), b"");
}

/// Forgets sessions nobody came back to, and the oldest of very many.
pub(crate) fn prune(sessions: &Path) {
    disk::prune(sessions, &RetentionRule { age: OLD, kept: REMEMBERED, most: MOST, is_counted: is_session });
}

/// Tells the file of a session from what else is remembered beside it.
fn is_session(name: &str) -> bool {
    let is_hash = |hash: &str| hash.len() == HASHES && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    name.rsplit_once('-').is_some_and(|(_, hash)| is_hash(hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_add_up() {
        let session =
            SessionState::from_text("p\ns tokio-basics\nn serde\np\nn serde\nc anyhow\nwhat is this\nx\np\nn to");
        assert_eq!(session.prompts, 3);
        assert_eq!(session.skills, ["tokio-basics"]);
        assert_eq!(session.crates, ["anyhow"]);
        assert_eq!(session.named, [("serde".to_owned(), 2), ("to".to_owned(), 3)]);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a session larger than any we would write")]
    fn a_session_too_long_to_be_followed_is_not_a_new_one() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("s");
        assert_eq!(read(&file), Some(SessionState::default()), "nothing was remembered yet");
        remember(&file, &[SessionFact::Prompt]);
        assert_eq!(read(&file).map(|session| session.prompts), Some(1));
        std::fs::write(&file, "p\n".repeat(usize::try_from(MAX_SESSION).unwrap())).unwrap();
        assert_eq!(read(&file), None);
    }

    #[test]
    fn hostile_names_and_ids_leave_no_trace() {
        for name in ["", "a b", "a\np", "../x/y", &"x".repeat(200)] {
            assert_eq!(SessionFact::Skill(name.to_owned()).line(), None, "{name}");
        }
        let sessions = Path::new("/s");
        for id in ["", "../../etc/passwd", "a/b", "\0", &"x".repeat(100_000)] {
            let file = file(sessions, "claude", id);
            assert_eq!(file.parent(), Some(sessions));
            assert_eq!(file.file_name().unwrap().len(), "claude-".len() + 32);
        }
    }
}
