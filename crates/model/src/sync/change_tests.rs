use super::*;

fn change(path: &str, workspace: Option<&str>, step: ChangeStep) -> PlannedChange {
    PlannedChange {
        path: path.into(),
        agents: vec![AgentId::Claude],
        extension: None,
        workspace: workspace.map(PathBuf::from),
        step,
    }
}

#[test]
fn each_step_has_a_word_and_says_whether_it_takes_away_or_creates() {
    let state = || InstalledState::Absent;
    let (text, source) = (String::new, Some("src".to_owned()));
    let (format, edits, rest) = (EditFormat::Json, UserEdits::None, RemainingEntries::Nothing);
    let (intended, tree) = (WrittenContent::file(""), SkillTree::new(Vec::new()));
    for (step, word, takes_away, creates, from) in [
        (
            ChangeStep::Edit { format, entries: vec![], starts_as: "", is_new: true, intended },
            "edit",
            false,
            true,
            None,
        ),
        (ChangeStep::Write { text: text(), expected: None }, "write", false, true, None),
        (ChangeStep::Configure { text: text(), expected: Some(text()) }, "write", false, false, None),
        (ChangeStep::Install { tree, expected: state(), edits, source }, "install", false, false, Some("src")),
        (ChangeStep::GiveBack { text: text(), expected: text() }, "restore", true, false, None),
        (
            ChangeStep::Restore { format, entries: vec![], created: vec![], new_file: true, rest },
            "restore",
            true,
            false,
            None,
        ),
        (ChangeStep::Delete { expected: text() }, "delete", true, false, None),
        (ChangeStep::Uninstall { expected: state() }, "uninstall", true, false, None),
    ] {
        let change = change("/w/f", Some("/w"), step);
        assert_eq!((change.kind(), change.takes_away(), change.creates_file()), (word, takes_away, creates));
        let record = change.record(WrittenContent::file("x"), 9);
        assert_eq!((record.source.as_deref(), record.time, record.agents), (from, 9, change.agents));
    }
}

#[test]
fn tracked_files_of_workspaces_are_spared() {
    let delete = || ChangeStep::Delete { expected: String::new() };
    let mut changes = ChangeSet {
        actions: vec![
            change("/w/tracked", Some("/w"), delete()),
            change("/w/free", Some("/w"), delete()),
            change("/w/odd", Some("/w"), delete()),
            change("/u/tracked", None, delete()),
        ],
        ..ChangeSet::default()
    };
    changes.spare_tracked(|path| match path.file_name().and_then(|name| name.to_str()) {
        Some("tracked") => GitTracking::Tracked,
        Some("free") => GitTracking::Untracked,
        _ => GitTracking::Unknown,
    });
    let left: Vec<&Path> = changes.actions.iter().map(|change| change.path.as_path()).collect();
    assert_eq!(left, [Path::new("/w/free"), Path::new("/u/tracked")]);
    let notice = |path: &str, tracking| SyncNotice::Committed { path: path.into(), tracking };
    assert_eq!(changes.notices, [notice("/w/tracked", GitTracking::Tracked), notice("/w/odd", GitTracking::Unknown)]);
}

#[test]
fn change_sets_are_added_up() {
    let set = |path: &str| ChangeSet {
        actions: vec![change(path, None, ChangeStep::Delete { expected: String::new() })],
        settled: vec![LedgerRecord::new(path.into(), None, WrittenContent::file(""), 0)],
        gone: vec![path.into()],
        released: vec![(path.into(), "/w".into())],
        notices: vec![SyncNotice::Drifted(path.into())],
    };
    let mut changes = set("/a");
    changes.extend(set("/b"));
    assert_eq!((changes.actions.len(), changes.settled.len(), changes.gone.len()), (2, 2, 2));
    assert_eq!((changes.released.len(), changes.notices.len()), (2, 2));
    changes.failed(vec![Diagnostic::error("/f", "broken")]);
    assert_eq!(changes.unusable().map(|found| found.path.as_str()).collect::<Vec<_>>(), ["/f"]);
}
