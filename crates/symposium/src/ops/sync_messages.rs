//! The sentences of a sync: its changes, notices and warnings.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::path::Path;

use symposium_io::git_tracking::GitTracking;
use symposium_io::skill_directory::InstalledState;
use symposium_model::catalog::LoadedSource;
use symposium_model::edit::SettingsEntry;
use symposium_model::sync::{ChangeStep, PlannedChange, SyncNotice, UserEdits, text_changes};

/// Compares the text of a skill that is installed already with the one that comes, in at most so many lines.
pub(crate) fn difference(action: &PlannedChange, most: usize) -> Vec<String> {
    match &action.step {
        ChangeStep::Install { tree, expected: InstalledState::Directory(before), edits: UserEdits::None, .. }
            if action.extension.is_some() =>
        {
            text_changes(before, tree, most)
        }
        ChangeStep::Install { .. }
        | ChangeStep::Edit { .. }
        | ChangeStep::Restore { .. }
        | ChangeStep::GiveBack { .. }
        | ChangeStep::Configure { .. }
        | ChangeStep::Write { .. }
        | ChangeStep::Delete { .. }
        | ChangeStep::Uninstall { .. } => Vec::new(),
    }
}

/// The maximum number of lines of one file of a skill.
const MAX_TEXT: usize = 400;

/// Returns the lines that a change puts into a file; for a skill, those of each file. A file of a skill that is in `seen`
/// was shown before.
pub(crate) fn written_text(action: &PlannedChange, seen: &mut BTreeSet<Vec<u8>>) -> Vec<String> {
    match &action.step {
        ChangeStep::Edit { entries, .. } => {
            let entry = |entry: &SettingsEntry| {
                let value = serde_json::to_string_pretty(&entry.value).unwrap_or_default();
                let text = format!("{}: {value}", entry.path.join("."));
                text.lines().map(str::to_owned).collect::<Vec<_>>()
            };
            entries.iter().flat_map(entry).collect()
        }
        ChangeStep::Configure { text, expected } | ChangeStep::Write { text, expected } => {
            let before: Vec<&str> = expected.as_deref().unwrap_or_default().lines().collect();
            text.lines().filter(|line| !before.contains(line)).map(str::to_owned).collect()
        }
        ChangeStep::Install { tree, .. } => {
            let mut lines = Vec::new();
            for file in tree.files() {
                let is_new = seen.insert(file.bytes.clone());
                let shown = if is_new { "" } else { ", shown above" };
                lines.push(format!("{} ({} bytes){shown}", file.path, file.bytes.len()));
                let text = std::str::from_utf8(&file.bytes).ok().filter(|_| is_new).unwrap_or_default();
                lines.extend(text.lines().take(MAX_TEXT).map(|line| format!("| {line}")));
                let more = text.lines().count().saturating_sub(MAX_TEXT);
                if more > 0 {
                    lines.push(format!("… {more} more lines"));
                }
            }
            lines
        }
        ChangeStep::Restore { .. }
        | ChangeStep::GiveBack { .. }
        | ChangeStep::Delete { .. }
        | ChangeStep::Uninstall { .. } => Vec::new(),
    }
}

/// Says that rules which the user deleted stay deleted.
pub(crate) fn removed_rules(path: &Path, rules: &[String]) -> String {
    let names: Vec<String> = rules.iter().map(|rule| format!("`{rule}`")).collect();
    let (noun, them) = if names.len() == 1 { ("rule", "it") } else { ("rules", "them") };
    format!(
        "You removed the {noun} {} from {}, so Symposium does not write {them} again; run `symposium init --allow` to \
         add {them} again",
        names.join(", "),
        path.display()
    )
}

/// Says what was left alone, and why; faults are told otherwise.
pub(crate) fn notice(notice: &SyncNotice) -> Option<String> {
    match notice {
        SyncNotice::Drifted(path) => {
            Some(format!("{} was edited after Symposium wrote it; it is kept unchanged", path.display()))
        }
        SyncNotice::Foreign { path, what } => Some(format!("{}: {what}", path.display())),
        SyncNotice::RemovedRules { path, rules } => Some(removed_rules(path, rules)),
        SyncNotice::Shared { path, with } => {
            Some(format!("{} is kept: {} uses it too", path.display(), with.display()))
        }
        SyncNotice::Committed { path, tracking: GitTracking::Tracked } => {
            let path = path.display();
            Some(format!("{path} is tracked by git and is kept; run `git rm -r {path}` to remove it"))
        }
        SyncNotice::Committed { path, tracking: GitTracking::Unknown | GitTracking::Untracked } => Some(format!(
            "{} is kept: the index of the git repository cannot be read, so git may track it",
            path.display()
        )),
        SyncNotice::Unusable(_) => None,
    }
}

pub(crate) fn warn_of_build_directory(shown: &str) -> String {
    format!("Agents will call `{shown}`, which is in a build directory; install the program in a permanent place")
}

pub(crate) fn warn_of_passing_place(shown: &str, command: &[&str]) -> String {
    format!(
        "Agents will call `{shown}`, which is not permanent; install the program with `{}`, and run this again",
        command.join(" ")
    )
}

pub(crate) fn warn_of_other_name(shown: &str) -> String {
    format!(
        "Agents will call `{shown}`, which is not named `symposium`; rename it to `symposium`, so that Symposium \
         recognises its entries even without its ledger"
    )
}

pub(crate) fn warn_of_machine_path(file: &str, program: &str) -> String {
    format!(
        "`{file}` contains a path of this machine (`{program}`); do not commit it: add it to `.git/info/exclude` or \
         `.gitignore`"
    )
}

pub(crate) fn warn_of_missing_name(shown: &str, name: &str) -> String {
    format!("{shown}: the skill has no name, so the directory name `{name}` is used; add the line `name: {name}`")
}

/// A file of a source that has a name.
#[derive(Clone, Copy)]
pub(crate) struct NamedPlace<'n> {
    pub(crate) shown: &'n str,
    pub(crate) source: &'n LoadedSource,
}

/// Returns nothing about one file that two sources lead to.
pub(crate) fn warn_of_hidden_name(
    what: &str,
    name: &str,
    loser: NamedPlace<'_>,
    winner: NamedPlace<'_>,
) -> Option<String> {
    if loser.shown == winner.shown {
        return None;
    }
    let (of, other) = (&loser.source.spec, &winner.source.spec);
    if of.name == other.name {
        let help = if loser.source.spec.kind.is_editable() { "; rename one of them" } else { "" };
        let (loser, winner) = (loser.shown, winner.shown);
        return Some(format!("{loser}: not used, because the {what} {winner} has the same name, `{name}`{help}"));
    }
    let rule = match of.rank.cmp(&other.rank) {
        Ordering::Equal => "comes first",
        Ordering::Less => "takes precedence",
        Ordering::Greater => "takes precedence, because it is yours and has hooks",
    };
    let (of, other) = (&of.name, &other.name);
    Some(format!("The {what} `{name}` of source `{of}` is not used: source `{other}` has one of that name and {rule}"))
}
