use super::super::tree::SkillFile;
use super::*;
use crate::edit::EntrySlot;
use crate::ownership::Marker;

fn record(path: &str, workspace: Option<&str>) -> LedgerRecord {
    LedgerRecord {
        path: path.into(),
        workspace: workspace.map(PathBuf::from),
        also_for: Vec::new(),
        agents: vec![AgentId::Claude],
        source: None,
        extension: None,
        written: WrittenContent::Entries {
            format: EditFormat::Json,
            entries: vec![WrittenEntry::new(
                vec!["hooks".to_owned(), "Stop".to_owned()],
                EntrySlot::Element,
                Marker::HookOf(AgentId::Claude),
            )],
            created: vec![vec!["hooks".to_owned()]],
            new_file: true,
            removed_by_user: Vec::new(),
            unconfirmed: Vec::new(),
        },
        time: 7,
    }
}

#[test]
fn a_ledger_reads_back_and_other_versions_do_not() {
    let mut ledger = Ledger::default();
    ledger.put(record("/a", Some("/w")));
    ledger.put(record("/b", None));
    let text = ledger.to_text().unwrap();
    assert_eq!(Ledger::parse(&text), Some(ledger.clone()));
    assert_eq!(Ledger::parse(&text.replace("\"version\": 1", "\"version\": 2")), None);
    assert_eq!(Ledger::parse("{"), None);
    assert_eq!(ledger.workspaces(), [Path::new("/w")]);
}

#[test]
fn records_are_found_after_others_went() {
    let mut ledger = Ledger::default();
    for path in ["/a", "/b", "/c", "/d"] {
        ledger.put(record(path, Some("/w")));
    }
    ledger.forget(Path::new("/b"));
    ledger.forget(Path::new("/gone"));
    ledger.put(record("/e", None));
    let reread = Ledger::parse(&ledger.to_text().unwrap()).unwrap();
    for ledger in [&ledger, &reread] {
        let paths: Vec<&str> = ledger.records.iter().filter_map(|record| record.path.to_str()).collect();
        assert_eq!(paths, ["/a", "/c", "/d", "/e"]);
        for path in paths {
            assert_eq!(ledger.record(Path::new(path)).unwrap().path, Path::new(path));
        }
        assert_eq!(ledger.record(Path::new("/b")), None);
    }
    ledger.put(record("/b", None));
    ledger.forget_original(Path::new("/"));
    assert_eq!((ledger.records.len(), ledger.record(Path::new("/b"))), (0, None));
}

#[test]
fn one_record_for_each_path() {
    let mut ledger = Ledger::default();
    ledger.put(record("/a", None));
    let written = WrittenContent::file("x");
    ledger.put(LedgerRecord { written: written.clone(), ..record("/a", None) });
    assert_eq!(ledger.records.len(), 1);
    assert_eq!(ledger.record(Path::new("/a")).unwrap().written, written);
    ledger.forget(Path::new("/a"));
    assert_eq!(ledger, Ledger::default());
}

#[test]
fn events_stay_as_long_as_their_registration() {
    let mut ledger = Ledger::default();
    let event = |agent, workspace: Option<&str>| RegisteredEvent {
        agent,
        workspace: workspace.map(PathBuf::from),
        event: "stop".to_owned(),
    };
    ledger.put(record("/a", None));
    for event in [
        event(AgentId::Claude, None),
        event(AgentId::Claude, None),
        event(AgentId::Claude, Some("/w")),
        event(AgentId::Codex, None),
    ] {
        ledger.registered(event);
    }
    assert_eq!(ledger.events.len(), 3);
    assert_eq!(ledger.events_of(AgentId::Claude, Some(Path::new("/w"))).collect::<Vec<_>>(), ["stop"]);
    assert_eq!(ledger.events_of(AgentId::Codex, Some(Path::new("/w"))).count(), 0);
    ledger.forget_events_without_records();
    assert_eq!(ledger.events, [event(AgentId::Claude, None)]);
}

#[test]
fn a_workspace_is_known_by_being_named_or_written_to() {
    let mut ledger = Ledger::default();
    assert!(!ledger.has_run_in(Path::new("/w")));
    ledger.put(record("/a", Some("/w")));
    assert!(ledger.has_run_in(Path::new("/w")));
    ledger.ran_in(Path::new("/v"));
    ledger.ran_in(Path::new("/v"));
    assert_eq!(ledger.synchronised, [PathBuf::from("/v")]);
    assert_eq!(ledger.workspaces(), [Path::new("/w")]);
}

#[test]
fn a_record_is_wanted_until_the_last_workspace_lets_go() {
    let path = Path::new("/a");
    let mut ledger = Ledger::default();
    ledger.put(record("/a", Some("/one")));
    let old = ledger.to_text().unwrap();
    assert!(!old.contains("also_for"), "as it was written when there was only one");
    ledger.put(record("/a", Some("/two")));
    ledger.put(record("/a", Some("/one")));
    assert_eq!(ledger.workspaces(), [Path::new("/one"), Path::new("/two")]);
    assert_eq!(Ledger::parse(&ledger.to_text().unwrap()), Some(ledger.clone()));
    ledger.release(path, Path::new("/one"));
    let left = ledger.record(path).unwrap();
    assert!(left.is_for(Some(Path::new("/two"))) && !left.is_for(Some(Path::new("/one"))) && !left.is_for(None));
    assert_eq!((left.workspace.as_deref(), left.also_for.len()), (Some(Path::new("/two")), 0));
    ledger.put(record("/a", None));
    assert_eq!(ledger.workspaces(), Vec::<&Path>::new(), "what is the user's is no workspace's");
}

#[test]
fn what_may_still_be_in_a_file_stays_known() {
    let entry = |name: &str, value: u64| {
        WrittenEntry::new(vec!["servers".to_owned(), name.to_owned()], EntrySlot::Key, Marker::Exactly(value.into()))
    };
    let written = |entries: Vec<WrittenEntry>| WrittenContent::Entries {
        format: EditFormat::Json,
        entries,
        created: Vec::new(),
        new_file: false,
        removed_by_user: Vec::new(),
        unconfirmed: Vec::new(),
    };
    let old = written(vec![entry("same", 1), entry("updated", 1), entry("gone", 1)]);
    let new = || written(vec![entry("same", 1), entry("updated", 2)]);
    let either = vec![entry("same", 1), entry("updated", 2), entry("updated", 1), entry("gone", 1)];
    assert_eq!(new().or_still(&old), written(either));
    assert_eq!(new().beside(&old), written(vec![entry("same", 1), entry("updated", 2), entry("gone", 1)]));
    assert_eq!(new().or_still(&WrittenContent::file("")), new());
}

#[test]
fn a_skill_may_be_as_it_was_or_as_it_was_to_become() {
    let tree = |text: &str| {
        SkillTree::new(vec![SkillFile { path: "SKILL.md".to_owned(), bytes: text.into(), executable: false }])
    };
    let print = |text: &str| tree(text).fingerprint();
    let old = WrittenContent::skill(print("1"));
    assert!(old.is_skill(&tree("1")) && !old.is_skill(&tree("2")));
    let either = old.clone().or_next(Some(print("1")), print("2"));
    assert!(either.is_skill(&tree("1")) && either.is_skill(&tree("2")) && !either.is_skill(&tree("3")));
    // That run was killed after the directory was replaced, and so may be the next one.
    let later = either.clone().or_next(Some(print("2")), print("3"));
    assert!(later.is_skill(&tree("2")) && later.is_skill(&tree("3")) && !later.is_skill(&tree("1")));
    let discarded = old.clone().or_next(Some(print("edited")), print("2"));
    assert!(!discarded.is_skill(&tree("edited")), "what the user wrote is not ours until it is replaced");
    assert!(discarded.is_skill(&tree("1")) && discarded.is_skill(&tree("2")));
    assert_eq!(old.clone().or_next(None, print("2")), old.clone().or_next(Some(print("edited")), print("2")));
    assert_eq!(WrittenContent::file("x").or_next(None, print("2")), WrittenContent::file("x"));
    assert!(!WrittenContent::file("1").is_skill(&tree("1")));

    let mut ledger = Ledger::default();
    ledger.put(LedgerRecord { written: old, ..record("/a", None) });
    let text = ledger.to_text().unwrap();
    assert!(!text.contains("next"), "as it was written before there was any such thing: {text}");
    assert_eq!(Ledger::parse(&text), Some(ledger.clone()));
    ledger.put(LedgerRecord { written: either, ..record("/a", None) });
    assert_eq!(Ledger::parse(&ledger.to_text().unwrap()), Some(ledger));
}

#[test]
fn what_was_said_is_known_until_it_is_no_longer_so() {
    let mut ledger = Ledger::default();
    let (one, other) = (Path::new("/one"), Path::new("/other"));
    ledger.ran_in(one);
    ledger.ran_in(other);
    ledger.say(Some(one), vec!["a".to_owned(), "b".to_owned()]);
    ledger.say(Some(other), vec!["a".to_owned()]);
    ledger.say(None, vec!["c".to_owned()]);
    ledger.say(Some(one), vec!["b".to_owned()]);
    for (workspace, sentence, said) in [
        (Some(one), "a", false),
        (Some(one), "b", true),
        (Some(other), "a", true),
        (None, "a", false),
        (None, "c", true),
    ] {
        assert_eq!(ledger.has_said(workspace, sentence), said, "{workspace:?} {sentence}");
    }
    ledger.synchronised.retain(|workspace| workspace == one);
    ledger.say(Some(one), Vec::new());
    assert!(!ledger.has_said(Some(other), "a"), "nobody asks there any more");
}

#[test]
fn a_copy_forgets_what_belongs_to_the_original_home() {
    let written = || WrittenContent::file("x");
    let record = |path: &str, workspace: Option<&str>| {
        LedgerRecord::new(PathBuf::from(path), workspace.map(PathBuf::from), written(), 0)
    };
    let mut ledger = Ledger::default();
    ledger.put(record("/home/user/.claude/settings.json", None));
    ledger.put(record("/home/user/project/.claude/x", Some("/home/user/project")));
    ledger.put(record("/project/.claude/x", Some("/project")));
    ledger.made(vec![PathBuf::from("/home/user/.claude"), PathBuf::from("/project/.claude")]);
    ledger.ran_in(Path::new("/project"));
    ledger.ran_in(Path::new("/home/user/project"));
    let mut copy = ledger.written_in(Path::new("/home/user/.symposium"));
    assert_eq!(Ledger::parse(&copy.to_text().unwrap()), Some(copy.clone()));
    copy.forget_original(Path::new("/home/user"));
    let left: Vec<&Path> = copy.records.iter().map(|record| record.path.as_path()).collect();
    assert_eq!(left, [Path::new("/project/.claude/x")]);
    assert_eq!(copy.directories, [Path::new("/project/.claude")]);
    assert!(copy.has_run_in(Path::new("/project")) && !copy.has_run_in(Path::new("/home/user/project")));
}
