//! What is said when a session starts.

use std::path::Path;

use symposium_model::hook::plan::{SessionPlan, hash};

use crate::edge::disk;
use crate::session;

/// So many names are listed; of the rest only the number.
const LISTED: usize = 12;
/// The list of versions is ours and small.
const MAX_SEEN: u64 = 1024 * 1024;

/// How a session starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// With an empty memory: everything is said.
    Anew,
    /// With its memory: only what changed is said.
    Resumed,
}

impl Start {
    /// From the word agents use for it.
    pub(crate) fn from_source(source: Option<&str>) -> Self {
        if source == Some("resume") { Self::Resumed } else { Self::Anew }
    }
}

/// Everything to be said, in paragraphs. `moved` is what became of the lock file since the last session.
pub(crate) fn texts(plan: &SessionPlan, start: Start, workspace: Option<&Path>, moved: &[String]) -> Vec<String> {
    let mut texts = Vec::new();
    if start == Start::Anew {
        texts.extend(plan.texts.iter().cloned());
        if workspace.is_some() {
            texts.push(pointer(&plan.skills));
        }
        texts.extend(plan.notices.iter().cloned());
    }
    if !moved.is_empty() {
        texts.push(format!("Since the last session Cargo.lock changed for crates with skills: {}.", moved.join(", ")));
    }
    texts
}

/// The line that says where the guidance is.
fn pointer(skills: &[String]) -> String {
    if skills.is_empty() {
        return "This is a Rust workspace: run `symposium start` for guidance before you write code.".to_owned();
    }
    let mut names: Vec<String> = skills.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    if let Some(more) = skills.len().checked_sub(LISTED).filter(|more| *more > 0) {
        names.push(format!("{more} more"));
    }
    format!(
        "This is a Rust workspace: run `symposium start` for guidance before you write code. Skills that match its \
         dependencies: {}.",
        names.join(", ")
    )
}

/// What became of the crates with skills since this was asked last, and remembers them for the next time.
pub(crate) fn moved_since(sessions: &Path, workspace: &Path, now: &[(String, String)]) -> Vec<String> {
    let name = format!("{}{:016x}", session::WORKSPACE, hash(workspace.as_os_str().as_encoded_bytes()));
    let file = sessions.join(name);
    let seen = disk::read(&file, MAX_SEEN).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let text = now.iter().flat_map(|(name, version)| [name, " ", version, "\n"]).collect::<String>();
    if seen.as_deref() == Some(&text) {
        return Vec::new();
    }
    let _ = disk::replace(&file, text.as_bytes());
    seen.map(|seen| differences(&seen, now)).unwrap_or_default()
}

fn differences(seen: &str, now: &[(String, String)]) -> Vec<String> {
    let before: Vec<(&str, &str)> = seen.lines().filter_map(|line| line.split_once(' ')).collect();
    let versions = |list: &[(&str, &str)], name: &str| {
        let found: Vec<&str> = list.iter().filter(|(known, _)| *known == name).map(|(_, version)| *version).collect();
        found.join(" and ")
    };
    let now: Vec<(&str, &str)> = now.iter().map(|(name, version)| (name.as_str(), version.as_str())).collect();
    let mut names: Vec<&str> = before.iter().chain(&now).map(|(name, _)| *name).collect();
    names.sort_unstable();
    names.dedup();
    let changes = names.into_iter().filter_map(|name| match (versions(&before, name), versions(&now, name)) {
        (old, new) if old == new => None,
        (old, new) if old.is_empty() => Some(format!("`{name}` {new} is new")),
        (old, new) if new.is_empty() => Some(format!("`{name}` {old} is gone")),
        (old, new) => Some(format!("`{name}` moved from {old} to {new}")),
    });
    changes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(name, version)| ((*name).to_owned(), (*version).to_owned())).collect()
    }

    #[test]
    fn changes_of_versions_are_named() {
        let now = pairs(&[("anyhow", "1.0.1"), ("rand", "0.8.5"), ("rand", "0.9.0"), ("tokio", "1.40.0")]);
        assert_eq!(
            differences("anyhow 1.0.1\nrand 0.8.5\nserde 1.0.0\ntokio 1.38.0\n", &now),
            [
                "`rand` moved from 0.8.5 to 0.8.5 and 0.9.0",
                "`serde` 1.0.0 is gone",
                "`tokio` moved from 1.38.0 to 1.40.0",
            ]
        );
        assert_eq!(differences("", &pairs(&[("a", "1.0.0")])), ["`a` 1.0.0 is new"]);
    }

    #[test]
    fn the_first_session_has_nothing_to_compare_with() {
        let sessions = tempfile::tempdir().unwrap();
        let workspace = Path::new("/w");
        let first = pairs(&[("a", "1.0.0")]);
        assert!(moved_since(sessions.path(), workspace, &first).is_empty());
        assert!(moved_since(sessions.path(), workspace, &first).is_empty());
        assert_eq!(moved_since(sessions.path(), workspace, &pairs(&[("a", "2.0.0")])).len(), 1);
        assert!(moved_since(sessions.path(), Path::new("/v"), &first).is_empty());
    }

    #[test]
    fn a_resumed_session_hears_only_what_changed() {
        let plan = SessionPlan {
            texts: vec!["T".to_owned()],
            skills: (0..14).map(|number| format!("s{number}")).collect(),
            notices: vec!["N".to_owned()],
            ..SessionPlan::default()
        };
        let moved = ["`a` moved".to_owned()];
        let workspace = Some(Path::new("/w"));
        assert_eq!(texts(&plan, Start::Resumed, workspace, &[]), Vec::<String>::new());
        assert_eq!(texts(&plan, Start::Resumed, workspace, &moved).len(), 1);
        let all = texts(&plan, Start::Anew, workspace, &moved);
        assert_eq!((all.len(), all[0].as_str(), all[2].as_str()), (4, "T", "N"));
        assert!(all[1].contains("`symposium start`") && all[1].contains("`s11`, 2 more"), "{}", all[1]);
        assert_eq!(texts(&plan, Start::Anew, None, &[]), ["T", "N"]);
    }
}
