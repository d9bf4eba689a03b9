use serde_json::json;

use super::super::tests::{disk, entry, file, ledger, options, record, show, skill, tree};
use super::*;
use crate::edit::EditFormat;
use crate::ownership::{GENERATED_MARK, Marker};
use crate::sync::ledger::WrittenContent;
use crate::sync::observed::Observed;

#[test]
fn a_file_is_reverted_by_what_it_says() {
    let server = json!({"command": "symposium", "args": ["mcp"]});
    let entries = vec![entry(&["m", "s"], server.clone(), Marker::OwnServer)];
    let entries = FileContent::Entries { format: EditFormat::Json, entries };
    let whole = FileContent::Whole("x".to_owned());
    let ours = json!({"m": {"s": server, "t": 1}}).to_string();
    let generated = format!("// {GENERATED_MARK}");
    for (content, text, expected) in [
        (&entries, Some(ours.as_str()), Some("restore /w/f 1 Nothing")),
        (&entries, Some(r#"{"m":{"s":1}}"#), None),
        (&entries, Some("{"), None),
        (&entries, None, None),
        (&whole, Some(generated.as_str()), Some("delete /w/f")),
        (&whole, Some("x"), None),
    ] {
        let (ledger, observed) = (ledger(&[]), disk("/w/f", text));
        let mut builder = ChangeBuilder::new(&ledger, &observed, options(&[]));
        builder.revert_unrecorded_file(&file(content.clone()));
        assert_eq!(show(&builder.changes), Vec::from_iter(expected), "{text:?}");
    }
}

#[test]
#[cfg_attr(windows, ignore = "the expected paths are those of Unix")]
fn a_skill_is_reverted_when_it_is_exactly_as_installed() {
    let known = record("/w/skills/s", WrittenContent::skill(tree("a", "s").fingerprint()));
    for (records, state, expected) in [
        (&[][..], InstalledState::Directory(tree("a", "s")), Some("uninstall /w/skills/s")),
        (&[known], InstalledState::Directory(tree("a", "s")), None),
        (&[], InstalledState::Directory(tree("b", "s")), None),
        (&[], InstalledState::Other, None),
        (&[], InstalledState::Absent, None),
    ] {
        let observed = Observed { skills: [("/w/skills/s".into(), Ok(state))].into(), ..Observed::default() };
        let ledger = ledger(records);
        let mut builder = ChangeBuilder::new(&ledger, &observed, options(&[]));
        builder.revert_unrecorded_skill(&skill("a"));
        assert_eq!(show(&builder.changes), Vec::from_iter(expected));
    }
}

#[test]
fn containers_on_the_way_to_an_entry_go_outermost_first() {
    let key = entry(&["a", "b", "c"], json!(1), Marker::OwnServer);
    let element = SettingsEntry { slot: EntrySlot::Element, ..entry(&["a", "x"], json!(1), Marker::OwnServer) };
    let found: Vec<String> = containers(&[&key, &element]).iter().map(|path| path.join(".")).collect();
    assert_eq!(found, ["a", "a.b", "a.x"]);
}

#[test]
fn an_agent_is_dropped_when_no_file_of_the_scope_is_for_it() {
    let file_of =
        |agents: &[AgentId]| LedgerRecord { agents: agents.to_vec(), ..record("/w/f", WrittenContent::file("x")) };
    let of_user = LedgerRecord { workspace: None, ..file_of(&[AgentId::Droid]) };
    let skill = LedgerRecord {
        agents: vec![AgentId::Droid],
        ..record("/w/s", WrittenContent::skill(tree("a", "s").fingerprint()))
    };
    let for_claude = DesiredState { files: vec![file(FileContent::Whole(String::new()))], ..DesiredState::default() };
    let nothing = DesiredState::default();
    let both = file_of(&[AgentId::Droid, AgentId::Claude]);
    for (desired, removable, scope, expected) in [
        (&for_claude, &[&both, &both][..], Scope::Project, &[AgentId::Droid][..]),
        (&nothing, &[&both], Scope::Project, &[AgentId::Claude, AgentId::Droid]),
        (&nothing, &[&both], Scope::User, &[]),
        (&for_claude, &[&of_user], Scope::User, &[AgentId::Droid]),
        (&nothing, &[&skill], Scope::Project, &[]),
        (&nothing, &[], Scope::Project, &[]),
    ] {
        assert_eq!(dropped_agents(desired, removable, scope), expected);
    }
}
