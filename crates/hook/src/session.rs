//! The stored state of a session: number of prompts, loaded skills, given reminders.
//!
//! The file consists of short lines and only grows: hooks of one session run concurrently, and an appended line is
//! never lost.

use std::path::{Path, PathBuf};
use std::time::Duration;

use symposium_model::agent::AgentId;
use symposium_model::hook::HookInput;
use symposium_model::hook::hook_plan::{ASKED, REMEMBERED, hash};
use symposium_model::hook::shortened;

use crate::edge::disk::{self, RetentionRule};

/// Bytes. A session with a larger file is no longer followed.
const MAX_SESSION: u64 = 1024 * 1024;
const OLD: Duration = Duration::from_hours(14 * 24);
/// The number of sessions that are kept: agents choose the ids, so there may be any number.
const MOST: usize = 200;
/// The length of the two hashes at the end of the name of a session's file.
const HASHES: usize = 32;
/// Bytes of a path that is remembered.
const MAX_PATH: usize = 200;

/// The beginning of the keys of crates for which an edit was refused.
pub(crate) const GATE_KEY: &str = "gate.";

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SessionState {
    pub(crate) prompts: u32,
    pub(crate) skills: Vec<String>,
    /// Crates of which all skills were loaded together.
    pub(crate) crates: Vec<String>,
    /// Skills named in a reminder, each with the number of prompts at that time.
    pub(crate) named: Vec<(String, u32)>,
    /// Keys of notices that are given once per session.
    pub(crate) told: Vec<String>,
    /// Skills whose digest was told.
    pub(crate) digests: Vec<String>,
    /// Rust files that were changed since the last successful run of cargo.
    pub(crate) changed: Vec<String>,
    /// Whether the last turn was asked for by the `finish` workflow.
    pub(crate) asked: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SessionFact {
    Prompt,
    Skill(String),
    Crate(String),
    /// A reminder named the skill.
    Named(String),
    /// The digest of a skill was told.
    Digest(String),
    Told(String),
    /// The agent changed a Rust file.
    Changed(String),
    /// A run of cargo succeeded.
    Checked,
    /// The `finish` workflow asked for another turn.
    Asked,
    /// The turn after that ended.
    Answered,
    /// The model's context was cleared or compacted.
    Forgotten,
}

impl SessionFact {
    fn line(&self) -> Option<String> {
        let (letter, name) = match self {
            Self::Prompt => return Some("p\n".to_owned()),
            Self::Forgotten => return Some("f\n".to_owned()),
            Self::Checked => return Some("k\n".to_owned()),
            Self::Asked => return Some("q\n".to_owned()),
            Self::Answered => return Some("u\n".to_owned()),
            Self::Changed(path) => return Some(format!("e {}\n", shown_path(path))),
            Self::Skill(name) => ('s', name),
            Self::Crate(name) => ('c', name),
            Self::Named(name) => ('n', name),
            Self::Told(name) => ('t', name),
            Self::Digest(name) => ('d', name),
        };
        // Names come from agents: a text that is no name is not stored.
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let usable = !name.is_empty() && name.len() <= 128 && name.chars().all(plain);
        usable.then(|| format!("{letter} {name}\n"))
    }
}

/// Returns a path with only those characters that a line and a message may have.
fn shown_path(path: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/') { c } else { '?' };
    shortened(path, MAX_PATH).chars().map(plain).collect()
}

impl SessionState {
    fn from_text(text: &str) -> Self {
        let mut session = Self::default();
        for line in text.lines() {
            match line.split_once(' ') {
                None if line == "p" => session.prompts += 1,
                None if line == "k" => session.changed.clear(),
                None if line == "q" => session.asked = true,
                None if line == "u" => session.asked = false,
                Some(("e", path)) if session.changed.iter().any(|known| known == path) => {}
                Some(("e", path)) => session.changed.push(path.to_owned()),
                None if line == "f" => {
                    session.skills.clear();
                    session.crates.clear();
                    session.named.clear();
                    session.digests.clear();
                    session.told.retain(|key| !key.starts_with(GATE_KEY));
                }
                Some(("s", name)) => session.skills.push(name.to_owned()),
                Some(("c", name)) => session.crates.push(name.to_owned()),
                Some(("d", name)) => session.digests.push(name.to_owned()),
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

/// Returns the file of a session. The agent chooses the id, so only a hash of it becomes part of the path.
pub(crate) fn file(sessions: &Path, agent: &str, id: &str) -> PathBuf {
    let turned: Vec<u8> = id.bytes().rev().collect();
    sessions.join(format!("{agent}-{:016x}{:016x}", hash(id.as_bytes()), hash(&turned)))
}

/// Returns the file of the session that an event belongs to, or of the sub-agent in it.
pub(crate) fn file_of(
    sessions: &Path,
    agent: Option<AgentId>,
    workspace: Option<&Path>,
    input: &HookInput,
) -> Option<PathBuf> {
    match (&input.session_id, &input.sub_agent) {
        (Some(id), Some(sub_agent)) => {
            Some(file(sessions, agent.map_or("symposium", AgentId::name), &format!("{id}\n{sub_agent}")))
        }
        (Some(_) | None, _) => main_file_of(sessions, agent, workspace, input),
    }
}

/// Returns the file of the whole session. An agent without session ids has one session per workspace.
pub(crate) fn main_file_of(
    sessions: &Path,
    agent: Option<AgentId>,
    workspace: Option<&Path>,
    input: &HookInput,
) -> Option<PathBuf> {
    let name = agent.map_or("symposium", AgentId::name);
    match (&input.session_id, agent, workspace) {
        (Some(id), _, _) => Some(file(sessions, name, id)),
        (None, Some(_), Some(workspace)) => {
            Some(file(sessions, name, &format!("the session in {}", workspace.display())))
        }
        (None, _, _) => None,
    }
}

/// Reads the state of a session; `None` for one that is no longer followed.
pub(crate) fn read(file: &Path) -> Option<SessionState> {
    match disk::read(file, MAX_SESSION) {
        Some(bytes) => Some(SessionState::from_text(&String::from_utf8_lossy(&bytes))),
        None => (!disk::is_file(file)).then(SessionState::default),
    }
}

/// Appends facts, and returns true if all of them were written. For most callers a missing fact is no reason to fail.
pub(crate) fn remember(file: &Path, facts: &[SessionFact]) -> bool {
    let lines: Vec<String> = facts.iter().filter_map(SessionFact::line).collect();
    if lines.is_empty() {
        return facts.is_empty();
    }
    let is_new = !disk::is_file(file);
    let is_written = disk::append(file, lines.concat().as_bytes()).is_ok();
    if let Some(sessions) = file.parent().filter(|_| is_new) {
        prune(sessions);
    }
    is_written && lines.len() == facts.len()
}

pub(crate) fn forget(file: &Path) {
    if disk::is_file(file) {
        let _ = disk::replace(file, b"");
    }
}

/// Returns true if the notice `what` was not given lately.
pub(crate) fn is_due(sessions: &Path, what: &str) -> bool {
    !disk::is_file(&sessions.join(format!("told-{what}")))
}

/// Records that the notice `what` was given. The record expires like a session.
pub(crate) fn mark(sessions: &Path, what: &str) {
    let _ = disk::append(&sessions.join(format!("told-{what}")), b"");
}

pub(crate) fn prune(sessions: &Path) {
    disk::prune(sessions, &RetentionRule { age: OLD, kept: &[REMEMBERED, ASKED], most: MOST, is_counted: is_session });
}

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
    fn changes_count_until_cargo_succeeds() {
        for (text, changed, asked) in [
            ("e a.rs\ne b.rs\ne a.rs\n", &["a.rs", "b.rs"][..], false),
            ("e a.rs\nk\ne b.rs\n", &["b.rs"], false),
            ("e a.rs\nk\n", &[], false),
            ("e a.rs\nq\n", &["a.rs"], true),
            ("e a.rs\nq\nu\n", &["a.rs"], false),
            ("e a.rs\nf\n", &["a.rs"], false),
        ] {
            let session = SessionState::from_text(text);
            assert_eq!(session.changed, changed, "{text:?}");
            assert_eq!(session.asked, asked, "{text:?}");
        }
        assert_eq!(SessionFact::Changed("src/a b\n`.rs".to_owned()).line().as_deref(), Some("e src/a?b??.rs\n"));
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
