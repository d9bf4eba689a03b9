use std::path::Path;

use super::super::tests::{ledger, options, record, show, skill, tree};
use super::*;
use crate::sync::ledger::Ledger;
use crate::sync::observed::Observed;
use crate::sync::observed::ReadFailure;

const PLACE: &str = "/w/skills/s";
const SUFFIXED: &str = "/w/skills/s-symposium";

fn failure(is_transient: bool) -> ReadFailure {
    ReadFailure { path: "/w/skills/s/file".into(), reason: "no".to_owned(), is_transient }
}

fn installed(body: &str) -> InstalledState {
    InstalledState::Directory(tree(body, "s"))
}

fn written(body: &str, name: &str) -> WrittenContent {
    WrittenContent::skill(tree(body, name).fingerprint())
}

/// Two places, with nothing at the second.
fn disk(state: Result<InstalledState, ReadFailure>) -> Observed {
    let skills = [(PLACE.into(), state), (SUFFIXED.into(), Ok(InstalledState::Absent))].into();
    Observed { skills, ..Observed::default() }
}

#[track_caller]
fn check(
    skill: &DesiredSkill,
    records: &[LedgerRecord],
    observed: &Observed,
    restore: &str,
    wanted: Option<&str>,
    line: &[&str],
) {
    let (ledger, restore) = (ledger(records), [restore.to_owned()]);
    let mut builder = ChangeBuilder::new(&ledger, observed, options(&restore));
    let place = builder.diff_skill(skill, &["/w/skills/other-symposium".into()]);
    assert_eq!(show(&builder.changes), line);
    assert_eq!(place.as_deref(), wanted.map(Path::new));
}

#[test]
#[cfg_attr(windows, ignore = "the expected paths are those of Unix")]
fn a_skill_is_compared_with_what_is_there_and_what_is_known() {
    let known = [record(PLACE, written("old", "s"))];
    let place = Some(PLACE);
    let install = &["install /w/skills/s edits=None"][..];
    let suffixed = &["install /w/skills/s-symposium edits=None"][..];
    let drifted = &["drifted /w/skills/s"][..];
    for (records, found, restore, wanted, expected) in [
        (&[][..], Ok(InstalledState::Absent), "", place, install),
        (&known, Ok(InstalledState::Absent), "", place, install),
        // The record was lost, or is of an older content.
        (&[], Ok(installed("new")), "", place, &["settled /w/skills/s at 9"][..]),
        (&known, Ok(installed("new")), "", place, &["settled /w/skills/s at 9"]),
        (&known, Ok(installed("old")), "", place, install),
        // The user edited it.
        (&known, Ok(installed("mine")), "", place, drifted),
        (&known, Ok(installed("mine")), "x", place, drifted),
        (&known, Ok(installed("mine")), "s", place, &["install /w/skills/s edits=Discarded"]),
        (&known, Ok(InstalledState::Other), "", place, drifted),
        (&known, Ok(InstalledState::Other), "s", place, &["install /w/skills/s edits=Discarded"]),
        (&known, Err(failure(true)), "", place, &["unusable /w/skills/s: no"]),
        // Something of the user's has the name.
        (&[], Ok(installed("mine")), "", Some(SUFFIXED), suffixed),
        (&[], Ok(InstalledState::Other), "", Some(SUFFIXED), suffixed),
        (&[], Err(failure(false)), "", Some(SUFFIXED), suffixed),
    ] {
        check(&skill("new"), records, &disk(found), restore, wanted, expected);
    }
}

#[test]
#[cfg_attr(windows, ignore = "the expected paths are those of Unix")]
fn a_record_keeps_its_time_and_its_other_workspaces() {
    let same = LedgerRecord {
        extension: Some("s".to_owned()),
        source: Some("src".to_owned()),
        ..record(PLACE, written("new", "s"))
    };
    let observed = disk(Ok(installed("new")));
    check(&skill("new"), std::slice::from_ref(&same), &observed, "", Some(PLACE), &["settled /w/skills/s at 7"]);
    let ledger = ledger(&[LedgerRecord { workspace: Some("/v".into()), ..same }]);
    let mut builder = ChangeBuilder::new(&ledger, &observed, options(&[]));
    builder.diff_skill(&skill("new"), &[]);
    let workspaces: Vec<&Path> = builder.changes.settled[0].workspaces().collect();
    assert_eq!((workspaces, builder.changes.settled[0].time), (vec![Path::new("/v"), Path::new("/w")], 9));
}

#[test]
fn a_skill_that_is_held_stays_as_it_is() {
    let held = || DesiredSkill { hold: InstallPolicy::AsInstalled, ..skill("new") };
    let known = [record(PLACE, written("old", "s"))];
    for state in [InstalledState::Absent, installed("mine"), InstalledState::Other] {
        check(&held(), &known, &disk(Ok(state)), "s", Some(PLACE), &["settled /w/skills/s at 7"]);
    }
    check(&held(), &[], &disk(Ok(InstalledState::Absent)), "", Some(PLACE), &[]);
}

#[test]
#[cfg_attr(windows, ignore = "the expected paths are those of Unix")]
fn names_of_the_user_and_of_other_skills_are_not_taken() {
    let taken = |names: &[&str]| Observed {
        existing: names.iter().map(|name| Path::new("/u/skills").join(name)).collect(),
        ..disk(Ok(InstalledState::Absent))
    };
    let suffixed = ["install /w/skills/s-symposium edits=None"];
    check(&skill("a"), &[], &taken(&["s"]), "", Some(SUFFIXED), &suffixed);
    let foreign =
        ["foreign /w/skills/s: a file or directory of yours has the name of this skill; it is kept unchanged"];
    check(&skill("a"), &[], &taken(&["s", "s-symposium"]), "", None, &foreign);
    let ledger = Ledger::default();
    let observed = disk(Ok(InstalledState::Other));
    let mut builder = ChangeBuilder::new(&ledger, &observed, options(&[]));
    assert_eq!(builder.diff_skill(&skill("a"), &[PLACE.into(), SUFFIXED.into()]), None);
    assert_eq!(show(&builder.changes), foreign);
    let blocked = Observed {
        skills: [(PLACE.into(), Err(failure(true))), (SUFFIXED.into(), Err(failure(true)))].into(),
        blocked: [("/w/skills".into(), "`/w/skills` is not a directory".to_owned())].into(),
        ..Observed::default()
    };
    let line = ["unusable /w/skills/s: Not written: `/w/skills` is not a directory"];
    check(&skill("a"), &[], &blocked, "", Some(PLACE), &line);
}

#[test]
fn a_skill_goes_if_it_is_as_it_was_written() {
    for (state, expected) in [
        (Ok(InstalledState::Absent), "gone /w/skills/s"),
        (Ok(installed("old")), "uninstall /w/skills/s"),
        (Ok(installed("mine")), "drifted /w/skills/s"),
        (Ok(InstalledState::Other), "drifted /w/skills/s"),
        (Err(failure(true)), "unusable /w/skills/s/file: Skipped: no"),
        (Err(failure(false)), "drifted /w/skills/s"),
    ] {
        let (ledger, observed) = (Ledger::default(), disk(state));
        let mut builder = ChangeBuilder::new(&ledger, &observed, options(&[]));
        builder.revert(&record(PLACE, written("old", "s")));
        assert_eq!(show(&builder.changes), [expected]);
    }
    let (ledger, observed) = (Ledger::default(), Observed::default());
    let mut builder = ChangeBuilder::new(&ledger, &observed, options(&[]));
    builder.revert(&record(PLACE, written("old", "s")));
    assert_eq!(show(&builder.changes), ["unusable /w/skills/s: Skipped: it was not observed"]);
}
