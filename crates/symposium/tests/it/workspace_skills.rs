//! The workspace's own skills: each reaches every agent once, by the directories that the agent reads.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;
use symposium_agents::spec;
use symposium_model::agent::AgentId;
use symposium_testkit::TestContext;

use crate::crate_plugins::put;
use crate::with_fixture;

fn skill(name: &str, more: &str) -> String {
    format!("---\nname: {name}\ndescription: About {name}\n{more}---\nBody of {name}\n")
}

/// A workspace with three skills in `.agents/skills` and one in `skills` of a member, for these agents.
fn machine(agents: &[AgentId]) -> TestContext {
    let context = with_fixture(&[]);
    let names: Vec<String> = agents.iter().map(|agent| format!("\"{}\"", agent.name())).collect();
    let names = names.join(", ");
    let defaults = "[defaults]\nbuiltin = false\nsymposium-recommendations = false\n";
    context.write_config("config.toml", format!("[agent]\nname = [{names}]\n{defaults}"));
    context.write_config("plugins/outside/SKILL.md", skill("outside", ""));
    context.write("Cargo.toml", "[workspace]\nmembers = [\"member\"]\n");
    context.write("Cargo.lock", "version = 4\n\n[[package]]\nname = \"member\"\nversion = \"0.1.0\"\n");
    context.write("member/Cargo.toml", "[package]\nname = \"member\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    context.write("member/src/lib.rs", "");
    for name in ["one", "two", "three"] {
        context.write(&format!(".agents/skills/{name}/SKILL.md"), skill(name, ""));
    }
    context.write("member/skills/four/SKILL.md", skill("four", ""));
    context
}

const OWN: [&str; 4] = ["four", "one", "three", "two"];

/// The names of the skills in the directories of the workspace that an agent reads, each as often as it is there.
fn listed(context: &TestContext, agent: AgentId) -> Vec<String> {
    let facts = &spec(agent).skills;
    let mut names = Vec::new();
    for parent in std::iter::once(&facts.project).chain(facts.also_in_project) {
        for entry in std::fs::read_dir(context.workspace().join(parent)).into_iter().flatten() {
            let text = std::fs::read_to_string(entry.unwrap().path().join("SKILL.md")).unwrap();
            names.push(text.lines().find_map(|line| line.strip_prefix("name: ")).unwrap().to_owned());
        }
    }
    names.sort();
    names
}

fn files(root: &Path) -> BTreeSet<(PathBuf, Vec<u8>)> {
    let mut files = BTreeSet::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                open.push(path);
            } else {
                files.insert((path.clone(), std::fs::read(&path).unwrap_or_default()));
            }
        }
    }
    files
}

fn statuses(context: &TestContext) -> Vec<(String, String, String)> {
    let output = context.invoke(&["status", "--json"]).expect(0);
    let document: Value = serde_json::from_str(&output).unwrap();
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    let rows = document["extensions"].as_array().unwrap().iter();
    let mut rows: Vec<_> = rows.map(|row| (text(row, "name"), text(row, "source"), text(row, "state"))).collect();
    rows.sort();
    rows
}

#[test]
fn each_agent_finds_each_skill_once_and_uninstall_leaves_only_what_was_there() {
    for agent in AgentId::ALL {
        let context = machine(&[agent]);
        let before = files(context.workspace());
        context.invoke(&["sync"]).expect(0);
        let mut expected: Vec<&str> = OWN.to_vec();
        expected.push("outside");
        expected.sort_unstable();
        assert_eq!(listed(&context, agent), expected, "{agent:?}");
        // A second run, which sees what the first one installed, changes nothing.
        assert_eq!(context.invoke(&["sync", "--check"]).code, 0, "{agent:?}");
        let sources: Vec<(String, String)> =
            statuses(&context).into_iter().filter(|row| row.2 == "on").map(|row| (row.0, row.1)).collect();
        let own = OWN.iter().map(|name| ((*name).to_owned(), "workspace".to_owned()));
        let all: Vec<(String, String)> = own
            .chain([("outside".to_owned(), "user-plugins".to_owned())])
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let rtk: Vec<&(String, String)> = sources.iter().filter(|row| row.1 != "builtin").collect();
        assert_eq!(rtk, all.iter().collect::<Vec<_>>(), "{agent:?}: what was installed is no source");
        context.invoke(&["uninstall", "--yes"]).expect(0);
        assert_eq!(files(context.workspace()), before, "{agent:?}");
    }
}

#[test]
fn with_all_agents_each_name_is_there_for_each_of_them() {
    let context = machine(&AgentId::ALL);
    context.invoke(&["sync"]).expect(0);
    for agent in AgentId::ALL {
        let names: BTreeSet<String> = listed(&context, agent).into_iter().collect();
        let names: Vec<&str> = names.iter().map(String::as_str).filter(|name| *name != "outside").collect();
        assert_eq!(names, OWN, "{agent:?}");
    }
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);
    let git_ignores = context.workspace().join(".agents/skills/one/.gitignore");
    assert!(!git_ignores.exists(), "a skill of the workspace is not touched");
}

#[test]
fn a_skill_that_the_user_gave_an_agent_is_not_doubled() {
    let context = machine(&[AgentId::Claude]);
    context.write(".claude/skills/one/SKILL.md", skill("one", ""));
    #[cfg(unix)]
    std::os::unix::fs::symlink("../../.agents/skills/two", context.workspace().join(".claude/skills/two")).unwrap();
    context.invoke(&["sync"]).expect(0);
    let there: BTreeSet<String> = std::fs::read_dir(context.workspace().join(".claude/skills"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let there: Vec<&str> = there.iter().map(String::as_str).collect();
    assert_eq!(there, ["four", "one", "outside", "three", "two"]);
    assert!(!context.workspace().join(".claude/skills/one/.gitignore").exists());
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);
}

#[test]
fn changes_are_followed_and_what_goes_is_removed() {
    let context = machine(&[AgentId::Claude]);
    context.invoke(&["sync"]).expect(0);
    let installed = context.workspace().join(".claude/skills/one/SKILL.md");
    assert!(std::fs::read_to_string(&installed).unwrap().contains("Body of one"));
    context.write(".agents/skills/one/SKILL.md", skill("one", "").replace("Body", "New body"));
    assert_eq!(context.invoke(&["sync", "--check"]).code, 1);
    context.invoke(&["sync"]).expect(0);
    assert!(std::fs::read_to_string(&installed).unwrap().contains("New body of one"));
    std::fs::remove_dir_all(context.workspace().join(".agents")).unwrap();
    std::fs::remove_dir_all(context.workspace().join("member/skills")).unwrap();
    context.invoke(&["sync"]).expect(0);
    assert_eq!(listed(&context, AgentId::Claude), ["outside"]);
}

#[test]
fn a_session_start_notices_a_new_skill() {
    let context = machine(&[AgentId::Claude]);
    context.invoke(&["sync"]).expect(0);
    context.settle();
    context.write(".agents/skills/five/SKILL.md", skill("five", ""));
    let event = format!(
        r#"{{"session_id":"s","cwd":{:?},"hook_event_name":"SessionStart","source":"startup"}}"#,
        context.workspace()
    );
    context.invoke_hook("claude", "session-start", &event).expect(0);
    assert!(listed(&context, AgentId::Claude).contains(&"five".to_owned()), "{:?}", listed(&context, AgentId::Claude));
}

#[test]
fn it_can_be_switched_off_by_either_and_one_skill_by_name() {
    let context = machine(&[AgentId::Claude]);
    context.invoke(&["sync"]).expect(0);
    context.invoke(&["off", "two"]).expect(0);
    assert_eq!(listed(&context, AgentId::Claude), ["four", "one", "outside", "three"]);
    let why = context.invoke(&["why", "three"]).expect(0);
    assert!(why.contains("workspace"), "{why}");
    let config = context.workspace().join(".symposium/config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{text}\n[defaults]\nworkspace = false\n")).unwrap();
    context.invoke(&["sync"]).expect(0);
    assert_eq!(listed(&context, AgentId::Claude), ["outside"]);
    let shown = context.invoke(&["config", "show"]).expect(0);
    assert!(shown.contains("workspace = false"), "{shown}");
}

#[test]
fn only_text_is_used_and_a_bad_skill_harms_no_other() {
    let context = machine(&[AgentId::Claude]);
    context.write(".agents/skills/plugin/SKILL.md", skill("plugin", ""));
    context.write(
        ".agents/skills/plugin/symposium.toml",
        "[[hooks]]\nname = \"evil\"\nevent = \"SessionStart\"\ncommand = \"touch /tmp/never\"\n",
    );
    context.write(".agents/skills/broken/SKILL.md", "---\nname: [\n---\n");
    let output = context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(output.stderr.contains("broken"), "{}", output.stderr);
    assert_eq!(listed(&context, AgentId::Claude), ["four", "one", "outside", "three", "two"]);
    let hooks = context.invoke(&["hook", "list"]).expect(0);
    assert!(!hooks.contains("evil"), "{hooks}");
}

#[test]
fn conditions_hold_and_the_manifest_of_a_member_decides_about_its_skills() {
    let context = machine(&[AgentId::Claude]);
    context.write(".agents/skills/conditional/SKILL.md", skill("conditional", "crates: absent-crate\n"));
    put(
        &context.workspace().join("member/SYMPOSIUM.toml"),
        "[[skills]]\nsource.path = \"skills\"\ncrates = [\"absent-crate\"]\n",
    );
    context.invoke(&["sync"]).expect(0);
    assert_eq!(listed(&context, AgentId::Claude), ["one", "outside", "three", "two"]);
}

#[test]
fn a_lockfile_does_not_pin_them_and_locked_still_holds_after_an_edit() {
    let context = machine(&[AgentId::Claude]);
    context.invoke(&["sync", "--lock"]).expect(0);
    let lock = std::fs::read_to_string(context.workspace().join(".symposium/symposium.lock")).unwrap();
    assert!(!lock.contains("workspace") && !lock.contains("four"), "{lock}");
    context.write(".agents/skills/one/SKILL.md", skill("one", "").replace("Body", "New body"));
    context.invoke(&["sync", "--locked"]).expect(0);
    let installed = std::fs::read_to_string(context.workspace().join(".claude/skills/one/SKILL.md")).unwrap();
    assert!(installed.contains("New body"));
}

#[test]
fn committed_copies_of_other_sources_are_no_sources_even_without_records() {
    let context = machine(&[AgentId::Codex, AgentId::Claude]);
    context.write("plugins/shared/SKILL.md", skill("shared", ""));
    context.write(
        ".symposium/config.toml",
        "[install]\ncommit = true\n[[plugin-source]]\nname = \"ours\"\npath = \"plugins\"\n",
    );
    context.invoke(&["sync"]).expect(0);
    assert!(context.workspace().join(".agents/skills/shared/SKILL.md").exists());
    let is_ours = |rows: Vec<(String, String, String)>| {
        let of_shared: Vec<String> = rows.into_iter().filter(|row| row.0 == "shared").map(|row| row.1).collect();
        assert_eq!(of_shared, ["ours"]);
    };
    is_ours(statuses(&context));
    // A colleague's clone, where nothing is recorded.
    std::fs::remove_file(context.config_dir().join("ledger.json")).unwrap();
    is_ours(statuses(&context));
}
