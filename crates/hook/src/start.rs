//! What is said when a session starts.

use std::collections::BTreeMap;
use std::path::Path;

use symposium_model::hook::plan::{LockedVersion, Pointer, REMEMBERED, SessionPlan, hash};

use crate::edge::disk;

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
        if workspace.is_some() && plan.pointer == Pointer::Shown {
            texts.push(pointer(&plan.skills));
        }
        texts.extend(plan.notices.iter().cloned());
    }
    texts.extend(moved_text(moved));
    texts
}

/// What became of the lock file, as it is said.
fn moved_text(moved: &[String]) -> Option<String> {
    let told = || format!("Since the last session Cargo.lock changed for crates with skills: {}.", moved.join("; "));
    (!moved.is_empty()).then(told)
}

/// What became of the lock file since the last session in a workspace, for whoever hears of it in another way than through
/// a hook. It is said once, whoever asks.
pub fn moved_crates(sessions: &Path, workspace: &Path, now: &[LockedVersion]) -> Option<String> {
    moved_text(&moved_since(sessions, workspace, now))
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
pub(crate) fn moved_since(sessions: &Path, workspace: &Path, now: &[LockedVersion]) -> Vec<String> {
    let name = format!("{REMEMBERED}{:016x}", hash(workspace.as_os_str().as_encoded_bytes()));
    let file = sessions.join(name);
    let seen = disk::read(&file, MAX_SEEN).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let mut text = String::new();
    for LockedVersion { name, version, skills } in now {
        text.extend([name, " ", version]);
        text.extend(skills.iter().flat_map(|skill| [" ", skill]));
        text.push('\n');
    }
    if seen.as_deref() == Some(&text) {
        return Vec::new();
    }
    let _ = disk::replace(&file, text.as_bytes());
    seen.map(|seen| differences(&seen, &text)).unwrap_or_default()
}

/// What is known of a crate: its versions, and the skills that apply to them.
#[derive(Default)]
struct Known<'t> {
    versions: Vec<&'t str>,
    skills: Vec<&'t str>,
}

fn known(text: &str) -> BTreeMap<&str, Known<'_>> {
    let mut crates: BTreeMap<&str, Known<'_>> = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.split(' ');
        let (Some(name), Some(version)) = (words.next(), words.next()) else { continue };
        let known = crates.entry(name).or_default();
        known.versions.push(version);
        known.skills.extend(words);
    }
    crates
}

fn differences(seen: &str, now: &str) -> Vec<String> {
    let (mut before, now) = (known(seen), known(now));
    let mut changes = Vec::new();
    for (name, after) in &now {
        let old = before.remove(name).unwrap_or_default();
        if old.versions == after.versions || (old.skills.is_empty() && after.skills.is_empty()) {
            continue;
        }
        let new = after.versions.join(" and ");
        let moved = match old.versions.join(" and ") {
            nothing if nothing.is_empty() => format!("`{name}` {new} is new"),
            old => format!("`{name}` moved from {old} to {new}"),
        };
        changes.push(format!("{moved}{}", skills_moved(&old.skills, &after.skills)));
    }
    let gone = before.iter().filter(|(_, old)| !old.skills.is_empty());
    changes.extend(gone.map(|(name, old)| format!("`{name}` {} is gone", old.versions.join(" and "))));
    changes
}

/// What a change of versions means for skills.
fn skills_moved(before: &[&str], after: &[&str]) -> String {
    let only_in = |these: &[&str], others: &[&str]| {
        let mut names: Vec<String> = Vec::new();
        for name in these.iter().filter(|name| !others.contains(name)).map(|name| format!("`{name}`")) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join(" and ")
    };
    match (only_in(after, before), only_in(before, after)) {
        (new, old) if new.is_empty() && old.is_empty() => String::new(),
        (new, old) if old.is_empty() => format!(", where skill {new} applies"),
        (new, old) if new.is_empty() => format!(", where skill {old} no longer applies"),
        (new, old) => format!(", where skill {new} applies instead of {old}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crates(list: &[(&str, &str)]) -> Vec<LockedVersion> {
        let krate = |(name, version): &(&str, &str)| {
            let skills = vec![format!("about-{name}")];
            LockedVersion { name: (*name).to_owned(), version: (*version).to_owned(), skills }
        };
        list.iter().map(krate).collect()
    }

    #[test]
    fn changes_of_versions_are_named_with_what_they_mean_for_skills() {
        let before = "anyhow 1.0.1 anyhow\nrand 0.8.5 rand-0-8\nserde 1.0.0 serde\nsqlx 0.8.0 sqlx-0-8 sql\n\
                      tokio 1.38.0 tokio\nlog 0.4.1\naxum 0.7.0 axum-0-7\nquiet 1.0.0\n";
        let now = "anyhow 1.0.1 anyhow\nrand 0.8.5 rand-0-8\nrand 0.9.0 rand-0-9\nsqlx 0.9.0 sql\n\
                   tokio 1.40.0 tokio\nlog 0.4.2\naxum 0.8.0 axum-0-8\nclap 4.0.0 clap\nquiet 2.0.0 loud\n";
        assert_eq!(
            differences(before, now),
            [
                "`axum` moved from 0.7.0 to 0.8.0, where skill `axum-0-8` applies instead of `axum-0-7`",
                "`clap` 4.0.0 is new, where skill `clap` applies",
                "`quiet` moved from 1.0.0 to 2.0.0, where skill `loud` applies",
                "`rand` moved from 0.8.5 to 0.8.5 and 0.9.0, where skill `rand-0-9` applies",
                "`sqlx` moved from 0.8.0 to 0.9.0, where skill `sqlx-0-8` no longer applies",
                "`tokio` moved from 1.38.0 to 1.40.0",
                "`serde` 1.0.0 is gone",
            ]
        );
    }

    #[test]
    fn a_skill_of_several_versions_is_named_once() {
        let before = "sqlx 0.7.0 b a\n";
        let now = "sqlx 0.8.0 sql pool\nsqlx 0.9.0 pool sql\n";
        assert_eq!(
            differences(before, now),
            ["`sqlx` moved from 0.7.0 to 0.8.0 and 0.9.0, where skill `sql` and `pool` applies instead of `b` and `a`"]
        );
    }

    #[test]
    fn the_first_session_has_nothing_to_compare_with() {
        let sessions = tempfile::tempdir().unwrap();
        let workspace = Path::new("/w");
        let first = crates(&[("a", "1.0.0")]);
        assert!(moved_since(sessions.path(), workspace, &first).is_empty());
        assert!(moved_since(sessions.path(), workspace, &first).is_empty());
        assert_eq!(moved_since(sessions.path(), workspace, &crates(&[("a", "2.0.0")])).len(), 1);
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
