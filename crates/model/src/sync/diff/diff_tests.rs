use serde_json::{Map, Value, json};

use super::*;
use crate::agent::AgentId;
use crate::catalog::{Catalog, LoadedSource, SourceDiagnostics};
use crate::config::{SourceKind, SourceRank, SourceSpec};
use crate::edit::{EditFormat, EditResult, EntryOutcome, EntryRemoval, EntrySlot, SettingsEntry};
use crate::ownership::{Marker, OwnedPart};
use crate::skill::SkillName;
use crate::sync::desired::{DesiredFile, InstallPolicy, SkillContent, SkillSource};
use crate::sync::observed::{InstalledState, ObservedText};
use crate::sync::tree::{CommitPolicy, SkillTree};
use crate::sync::written_entry::WrittenEntry;

/// Edits JSON objects by keys of any depth, and TOML tables line by line: enough to follow every branch.
pub(super) const EDITOR: SettingsEditor = SettingsEditor {
    insert: |path, text, _, entries| insert(text, entries).ok_or_else(|| Box::new(broken(path))),
    remove: |path, text, format, removals, created| match format {
        EditFormat::Json => remove(text, removals, created).ok_or_else(|| Box::new(broken(path))),
        EditFormat::Toml | EditFormat::Marked => remove_lines(text, removals).ok_or_else(|| Box::new(broken(path))),
    },
    value: |text, _| toml::from_str(text).ok(),
    is_as_new: |text| matches!(text.trim(), "" | "{}"),
};

fn broken(path: &Path) -> Diagnostic {
    Diagnostic::error(path.display().to_string(), "broken")
}

/// Goes down to the object that holds the last key; notes the objects that had to be made.
fn holder<'v>(value: &'v mut Value, keys: &[String], created: &mut Vec<Vec<String>>) -> &'v mut Map<String, Value> {
    let mut object = value.as_object_mut().unwrap();
    for (depth, key) in keys[..keys.len() - 1].iter().enumerate() {
        if !object.contains_key(key) {
            created.push(keys[..=depth].to_vec());
        }
        object = object.entry(key).or_insert_with(|| json!({})).as_object_mut().unwrap();
    }
    object
}

fn insert(text: &str, entries: &[SettingsEntry]) -> Option<EditResult> {
    let mut value: Value = serde_json::from_str(text).ok()?;
    let (before, mut outcomes, mut created) = (value.clone(), Vec::new(), Vec::new());
    for entry in entries {
        let object = holder(&mut value, &entry.path, &mut created);
        let key = entry.path.last()?;
        let outcome = match object.get(key) {
            None => EntryOutcome::Inserted,
            Some(found) if *found == entry.value => EntryOutcome::Unchanged,
            Some(found) if entry.mark.share(found) == OwnedPart::All => EntryOutcome::Updated,
            Some(_) => EntryOutcome::Foreign,
        };
        if outcome != EntryOutcome::Foreign {
            object.insert(key.clone(), entry.value.clone());
        }
        outcomes.push(outcome);
    }
    Some(EditResult { changed: value != before, text: value.to_string(), outcomes, created })
}

fn remove(text: &str, removals: &[EntryRemoval], created: &[Vec<String>]) -> Option<EditResult> {
    let mut value: Value = serde_json::from_str(text).ok()?;
    let (before, mut outcomes) = (value.clone(), Vec::new());
    for removal in removals {
        let object = holder(&mut value, &removal.path, &mut Vec::new());
        let key = removal.path.last()?;
        let is_ours = object.get(key).is_some_and(|found| removal.mark.share(found) == OwnedPart::All);
        outcomes.push(if is_ours { EntryOutcome::Removed } else { EntryOutcome::Unchanged });
        if is_ours {
            object.remove(key);
        }
    }
    for container in created.iter().rev() {
        let object = holder(&mut value, container, &mut Vec::new());
        if object.get(container.last()?).is_some_and(|found| *found == json!({})) {
            object.remove(container.last()?);
        }
    }
    Some(EditResult { changed: value != before, text: value.to_string(), outcomes, created: Vec::new() })
}

fn remove_lines(text: &str, removals: &[EntryRemoval]) -> Option<EditResult> {
    let value: Value = toml::from_str(text).ok()?;
    let goes = |line: &&str| {
        removals.iter().any(|removal| {
            let found = &value[&removal.path[0]][&removal.path[1]];
            line.starts_with(&format!("{} =", removal.path[1])) && removal.mark.share(found) == OwnedPart::All
        })
    };
    let left: String = text.split_inclusive('\n').filter(|line| !goes(line)).collect();
    Some(EditResult { changed: left != text, text: left, outcomes: Vec::new(), created: Vec::new() })
}

pub(super) fn options(restore: &[String]) -> DiffOptions<'_> {
    DiffOptions {
        workspace: Some(Path::new("/w")),
        restore,
        removed_rules: RemovedRulePolicy::StayRemoved,
        editor: EDITOR,
        now: 9,
    }
}

pub(super) fn record(path: &str, written: WrittenContent) -> LedgerRecord {
    LedgerRecord { agents: vec![AgentId::Claude], ..LedgerRecord::new(path.into(), Some("/w".into()), written, 7) }
}

pub(super) fn ledger(records: &[LedgerRecord]) -> Ledger {
    let mut ledger = Ledger::default();
    ledger.records = records.to_vec().into();
    ledger
}

/// A disk with one file, or without it.
pub(super) fn disk(path: &str, text: Option<&str>) -> Observed {
    let found = text.map(|text| ObservedText { text: text.to_owned(), is_link: false });
    Observed { texts: [(path.into(), Ok(found))].into(), ..Observed::default() }
}

pub(super) fn entry(path: &[&str], value: Value, mark: Marker) -> SettingsEntry {
    let path = path.iter().map(|key| (*key).to_owned()).collect();
    SettingsEntry { path, slot: EntrySlot::Key, value, mark }
}

/// Entries that are ours as long as they have these values.
pub(super) fn written(entries: &[(&[&str], i64)], created: &[&str], new_file: bool) -> WrittenContent {
    let entry = |(path, value): &(&[&str], i64)| {
        let path = path.iter().map(|key| (*key).to_owned()).collect();
        WrittenEntry::new(path, EntrySlot::Key, Marker::Exactly(json!(value)))
    };
    let created = created.iter().map(|key| vec![(*key).to_owned()]).collect();
    let entries = entries.iter().map(entry).collect();
    WrittenContent::Entries {
        format: EditFormat::Json,
        entries,
        created,
        new_file,
        removed_by_user: Vec::new(),
        unconfirmed: Vec::new(),
    }
}

pub(super) fn file(content: FileContent) -> DesiredFile {
    let (path, workspace) = ("/w/f".into(), Some("/w".into()));
    DesiredFile { path, workspace, agents: vec![AgentId::Claude], content, starts_as: "{}" }
}

/// A skill called `s` for `/w/skills`, with this body.
pub(super) fn skill(body: &str) -> DesiredSkill {
    let text = format!("---\nname: s\ndescription: d\n---\n{body}\n");
    let document = crate::skill::parse("SKILL.md", "s", &text).document.unwrap();
    let name = document.name.clone();
    let content = SkillContent { files: Vec::new(), text };
    let source = SkillSource { content, document, commit: CommitPolicy::Yes };
    DesiredSkill {
        parent: "/w/skills".into(),
        name,
        agents: vec![AgentId::Claude],
        source,
        brought_by: "src".to_owned(),
        hold: InstallPolicy::None,
        user_directories: vec!["/u/skills".into()],
    }
}

/// The files of that skill under a name.
pub(super) fn tree(body: &str, name: &str) -> SkillTree {
    skill(body).source.tree(&SkillName::parse(name).unwrap())
}

/// Shows each part of a change set as a line.
pub(super) fn show(changes: &ChangeSet) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for change in &changes.actions {
        let detail = match &change.step {
            ChangeStep::Edit { is_new, intended, .. } => format!(" new={is_new}{}", show_written(intended)),
            ChangeStep::Restore { entries, rest, .. } => format!(" {} {rest:?}", entries.len()),
            ChangeStep::GiveBack { text, .. } => format!(" {text:?}"),
            ChangeStep::Configure { expected, .. } | ChangeStep::Write { expected, .. } => {
                format!(" over {expected:?}")
            }
            ChangeStep::Install { edits, .. } => format!(" edits={edits:?}"),
            ChangeStep::Delete { .. } | ChangeStep::Uninstall { .. } => String::new(),
        };
        lines.push(format!("{} {}{detail}", change.kind(), change.path.display()));
    }
    for record in &changes.settled {
        lines.push(format!("settled {} at {}{}", record.path.display(), record.time, show_written(&record.written)));
    }
    lines.extend(changes.gone.iter().map(|path| format!("gone {}", path.display())));
    lines.extend(changes.released.iter().map(|(path, by)| format!("released {} by {}", path.display(), by.display())));
    lines.extend(changes.notices.iter().map(|notice| match notice {
        SyncNotice::Drifted(path) => format!("drifted {}", path.display()),
        SyncNotice::Foreign { path, what } => format!("foreign {}: {what}", path.display()),
        SyncNotice::RemovedRules { path, rules } => format!("removed {}: {}", path.display(), rules.join(" ")),
        SyncNotice::Shared { path, with } => format!("shared {} with {}", path.display(), with.display()),
        SyncNotice::Committed { path, tracking } => format!("committed {}: {tracking:?}", path.display()),
        SyncNotice::Unusable(found) => format!("unusable {}: {}", found.path, found.message),
    }));
    lines
}

fn show_written(written: &WrittenContent) -> String {
    let WrittenContent::Entries { entries, created, new_file, .. } = written else { return String::new() };
    let paths: Vec<String> = entries.iter().map(|entry| entry.path.join(".")).collect();
    let created: Vec<String> = created.iter().map(|path| path.join(".")).collect();
    format!(" [{}] made [{}] new_file={new_file}", paths.join(" "), created.join(" "))
}

/// A source that was read, or not, in a catalog of its own.
fn catalog(is_read: bool) -> Catalog {
    let faults = if is_read { Vec::new() } else { vec![Diagnostic::error("x", "broken")] };
    let findings = SourceDiagnostics { faults, ..SourceDiagnostics::default() };
    let spec = SourceSpec::whole("src", SourceKind::Embedded, SourceRank::User);
    Catalog { sources: vec![LoadedSource::without_plugins(spec, String::new(), findings)] }
}

fn skill_record() -> LedgerRecord {
    let written = WrittenContent::skill(tree("a", "s").fingerprint());
    let (extension, source) = (Some("s".to_owned()), Some("src".to_owned()));
    LedgerRecord { extension, source, ..record("/w/skills/s", written) }
}

#[test]
fn records_go_when_nothing_that_may_be_unread_asks_for_them() {
    let own = LedgerRecord { workspace: None, ..record("/u/f", WrittenContent::file("")) };
    let other = LedgerRecord { workspace: Some("/v".into()), ..record("/v/f", WrittenContent::file("")) };
    let vendored = record("/w/.symposium/vendor/x", WrittenContent::skill(tree("a", "s").fingerprint()));
    let nameless = LedgerRecord { extension: None, ..skill_record() };
    let ledger = ledger(&[record("/w/f", WrittenContent::file("")), own, other, vendored, nameless]);
    let read = catalog(true);
    let check = |scope, is_unread: bool, knows: (bool, bool), configuration: &str, expected: &[&str]| {
        let guard = PruneGuard::new(is_unread, &read, None);
        let prune = PruneOptions {
            scope,
            guard: &guard,
            configurations: vec![configuration.into()],
            knows_user_agents: knows.0,
            knows_project_agents: knows.1,
        };
        let desired = DesiredState::default();
        let found: Vec<String> = removable(&desired, &ledger, Some(Path::new("/w")), &prune)
            .map(|record| record.path.display().to_string())
            .collect();
        assert_eq!(found, expected);
    };
    let (both, known) = (SyncScope::UserAndWorkspace, (true, true));
    check(both, false, known, "", &["/w/f", "/u/f", "/w/skills/s"]);
    check(SyncScope::User, false, known, "", &["/u/f"]);
    check(SyncScope::Workspace, false, known, "", &["/w/f", "/w/skills/s"]);
    check(both, true, known, "", &["/w/f", "/u/f"]);
    check(both, false, (false, true), "", &[]);
    check(both, false, (true, false), "", &["/u/f"]);
    check(both, false, known, "/w/f", &["/u/f", "/w/skills/s"]);
}

#[test]
#[cfg_attr(windows, ignore = "the expected paths are those of Unix")]
fn everything_desired_is_compared_and_the_rest_goes() {
    let desired = DesiredState {
        files: vec![file(FileContent::Whole("new".to_owned()))],
        skills: vec![skill("a")],
        ..DesiredState::default()
    };
    let other_skill = LedgerRecord { path: "/w/skills/t".into(), ..skill_record() };
    let ledger = ledger(&[record("/w/f", WrittenContent::file("old")), skill_record(), other_skill]);
    let mut observed = disk("/w/f", Some("old"));
    for place in ["/w/skills/s", "/w/skills/t"] {
        observed.skills.insert(place.into(), Ok(InstalledState::Directory(tree("a", "s"))));
    }
    for (is_read, expected) in [
        (true, &["write /w/f over Some(\"old\")", "uninstall /w/skills/t", "settled /w/skills/s at 7"][..]),
        (false, &["write /w/f over Some(\"old\")", "settled /w/skills/s at 7"]),
    ] {
        let catalog = catalog(is_read);
        let prune = PruneOptions {
            scope: SyncScope::UserAndWorkspace,
            guard: &PruneGuard::new(false, &catalog, None),
            configurations: Vec::new(),
            knows_user_agents: true,
            knows_project_agents: true,
        };
        assert_eq!(show(&diff(&desired, &ledger, &observed, options(&[]), &prune)), expected);
    }
}

#[test]
fn what_another_workspace_wants_stays() {
    let shared = |others: &[&str]| LedgerRecord {
        also_for: others.iter().map(PathBuf::from).collect(),
        ..record("/w/f", WrittenContent::file("x"))
    };
    let mut observed = disk("/w/f", Some("x"));
    observed.gone.insert("/gone".into());
    for (workspace, others, expected) in [
        (Some("/w"), &[][..], &["delete /w/f"][..]),
        (Some("/w"), &["/gone"], &["delete /w/f"]),
        (Some("/w"), &["/gone", "/v"], &["released /w/f by /w", "shared /w/f with /v"]),
        (None, &["/v"], &["delete /w/f"]),
    ] {
        let ledger = Ledger::default();
        let options = DiffOptions { workspace: workspace.map(Path::new), ..options(&[]) };
        let mut builder = ChangeBuilder::new(&ledger, &observed, options);
        builder.release(&shared(others));
        assert_eq!(show(&builder.changes), expected, "{workspace:?} {others:?}");
    }
}

#[test]
fn only_what_is_as_it_was_written_is_reverted() {
    let unreadable: Observed =
        Observed { texts: [("/w/f".into(), Err(Box::new(broken(Path::new("/w/f")))))].into(), ..Observed::default() };
    for (observed, expected) in [
        (disk("/w/f", None), "gone /w/f"),
        (disk("/w/f", Some("x")), "delete /w/f"),
        (disk("/w/f", Some("y")), "drifted /w/f"),
        (unreadable, "unusable /w/f: broken"),
        (Observed::default(), "unusable /w/f: Skipped: it was not observed"),
    ] {
        let ledger = Ledger::default();
        let mut builder = ChangeBuilder::new(&ledger, &observed, options(&[]));
        builder.revert(&record("/w/f", WrittenContent::file("x")));
        assert_eq!(show(&builder.changes), [expected]);
    }
}
