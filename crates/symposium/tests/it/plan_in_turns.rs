//! Changes of very many plugins, of which an event looks only at some.

use std::fs;
use std::path::PathBuf;

use symposium_testkit::TestContext;

use crate::plan::plan;
use crate::plugin_sync::{configure, machine};
use crate::repository::Repository;
use crate::with_fixture;

/// Three groups, of at most 64 files each.
const PLUGINS: usize = 130;
const GROUPS: usize = 3;

const LATE: &str = "[[hooks]]\nname = \"late\"\nevent = \"Stop\"\ncommand = \"true\"\n";
const GUARD: &str = "[[hooks]]\nname = \"late\"\nevent = \"PreToolUse\"\nmatcher = \"Bash\"\ncommand = \"exit 2\"\n";

struct ManyPlugins {
    context: TestContext,
    event: String,
}

impl ManyPlugins {
    fn new() -> Self {
        let context = with_fixture(&["workspace0"]);
        for number in 0..PLUGINS {
            context.write_config(&format!("plugins/p{number:03}/symposium.toml"), LATE);
        }
        // One has a handler for the event before a tool.
        context.write_config("plugins/p007/symposium.toml", GUARD.replace("Bash", "Read"));
        context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
        let event = crate::hook::shell("claude", &context, "ls").to_string();
        let it = Self { context, event };
        it.synchronize();
        it
    }

    /// Every file is older than the plans, and all were looked at once.
    fn synchronize(&self) {
        self.context.settle();
        self.context.invoke(&["sync"]).expect(0);
        assert!(!self.is_denied());
        self.context.settle();
    }

    fn manifest(&self, number: usize) -> PathBuf {
        self.context.config_dir().join(format!("plugins/p{number:03}/symposium.toml"))
    }

    fn is_denied(&self) -> bool {
        self.context.invoke_hook("claude", "pre-tool-use", &self.event).expect(0).contains("deny")
    }

    /// The number of events until one is denied.
    fn denied_after(&self) -> usize {
        (1..=GROUPS + 1).find(|_| self.is_denied()).unwrap_or(usize::MAX)
    }

    /// Undoes a change, and lets the plans know.
    fn restore(&self, number: usize) {
        fs::write(self.manifest(number), LATE).unwrap();
        self.synchronize();
    }
}

#[test]
fn an_event_looks_at_its_own_manifests_and_at_one_group_of_the_others() {
    let many = ManyPlugins::new();
    let plan = plan(&many.context, "pre-tool-use");
    let others = plan["others"].as_array().unwrap();
    let files = |group: &serde_json::Value| group["files"].as_str().unwrap().split('|').count();
    let sizes: Vec<usize> = others.iter().map(files).collect();
    assert_eq!((sizes.len(), sizes.iter().sum::<usize>()), (GROUPS, PLUGINS));
    assert!(sizes.iter().all(|size| *size <= 64), "{sizes:?}");
    let stamps: Vec<&str> = plan["stamps"].as_array().unwrap().iter().map(|it| it["path"].as_str().unwrap()).collect();
    let own: Vec<&&str> = stamps.iter().filter(|path| path.contains("plugins/p")).collect();
    assert!(own.len() == 1 && own[0].ends_with("p007/symposium.toml"), "{own:?}");
}

#[test]
fn a_manifest_edited_in_place_among_very_many_counts_when_its_turn_comes() {
    let many = ManyPlugins::new();
    for number in [0, 64, 129] {
        fs::write(many.manifest(number), GUARD).unwrap();
        let after = many.denied_after();
        assert!(after <= GROUPS, "p{number:03}: {after}");
        assert!(many.is_denied(), "it stays");
        many.restore(number);
    }
    // An editor may write a new file and rename it, which no directory above the plugin's shows.
    let new = many.manifest(100).with_extension("new");
    fs::write(&new, GUARD).unwrap();
    fs::rename(new, many.manifest(100)).unwrap();
    let after = many.denied_after();
    assert!(after <= GROUPS, "{after}");
    // So does a hook that is gone, and a manifest that is.
    many.context.settle();
    fs::write(many.manifest(100), LATE).unwrap();
    assert!((0..GROUPS).any(|_| !many.is_denied()));
    fs::write(many.manifest(64), GUARD).unwrap();
    assert!(many.denied_after() <= GROUPS);
    many.context.settle();
    fs::remove_file(many.manifest(64)).unwrap();
    assert!((0..GROUPS).any(|_| !many.is_denied()));
}

#[test]
fn what_an_event_needs_and_what_comes_or_goes_counts_at_the_next_event() {
    let many = ManyPlugins::new();
    // A manifest with a hook for this event.
    fs::write(many.manifest(7), GUARD).unwrap();
    assert!(many.is_denied());
    many.restore(7);
    // A new plugin, and one that goes.
    many.context.write_config("plugins/new/symposium.toml", GUARD);
    assert!(many.is_denied());
    many.context.settle();
    fs::remove_dir_all(many.context.config_dir().join("plugins/new")).unwrap();
    assert!(!many.is_denied());
}

#[test]
fn an_event_about_a_file_in_their_directory_looks_at_every_manifest() {
    let many = ManyPlugins::new();
    for number in [3, 64, 129] {
        fs::write(many.manifest(number), GUARD).unwrap();
        let path = many.manifest(number).display().to_string();
        let input = serde_json::json!({
            "session_id": "s", "transcript_path": "/t", "cwd": many.context.workspace(), "hook_event_name": "PostToolUse",
            "tool_name": "Write", "tool_input": {"file_path": path, "content": GUARD}, "tool_response": {},
        });
        many.context.invoke_hook("claude", "post-tool-use", &input.to_string()).expect(0);
        assert!(many.is_denied(), "p{number:03}");
        many.restore(number);
    }
}

#[test]
fn plugins_of_a_fetched_copy_take_no_turns_from_those_in_directories_of_the_user() {
    let context = machine(&[]);
    let repository = Repository::create(context.root().join("repository"));
    for number in 0..PLUGINS {
        repository.write(&format!("p{number:03}/symposium.toml"), LATE);
    }
    repository.write("p007/symposium.toml", GUARD.replace("Bash", "Read")).commit();
    configure(&context, &[("team", &repository.url())], "");
    context.write_config("plugins/own/symposium.toml", LATE);
    let event = crate::hook::shell("claude", &context, "ls").to_string();
    let many = ManyPlugins { context, event };
    many.synchronize();

    let plan_of = |event: &str| plan(&many.context, event);
    let text = plan_of("pre-tool-use").to_string();
    assert!(text.contains("p007/symposium.toml") && !text.contains("p008/symposium.toml"), "{text}");
    assert_eq!(plan_of("pre-tool-use")["others"], serde_json::Value::Null);
    assert!(plan_of("session-start").to_string().contains("p008/symposium.toml"));
    many.context.write_config("plugins/own/symposium.toml", GUARD);
    assert!(many.is_denied());
    many.context.write_config("plugins/own/symposium.toml", LATE);
    many.synchronize();
    // A new commit counts at the next event, whatever plugin it changes.
    repository.write("p100/symposium.toml", GUARD).commit();
    many.context.invoke(&["plugin", "sync", "team"]).expect(0);
    assert!(many.is_denied());
}

#[test]
fn a_prompt_and_a_session_start_look_at_every_manifest() {
    let many = ManyPlugins::new();
    let home = many.context.workspace().display().to_string();
    for (event, number) in [("user-prompt-submit", 3), ("session-start", 64), ("user-prompt-submit", 129)] {
        fs::write(many.manifest(number), GUARD).unwrap();
        let input = serde_json::json!({
            "session_id": "s", "transcript_path": "/t", "cwd": home, "prompt": "hello", "source": "startup",
            "hook_event_name": if event == "session-start" { "SessionStart" } else { "UserPromptSubmit" },
        });
        many.context.invoke_hook("claude", event, &input.to_string()).expect(0);
        let handlers = plan(&many.context, "pre-tool-use")["handlers"].to_string();
        assert!(handlers.contains(&format!("\"p{number:03}\"")), "{event}: {handlers}");
        assert!(many.is_denied(), "{event}");
        many.restore(number);
    }
}

#[test]
fn where_turns_cannot_be_recorded_every_event_looks_at_every_manifest() {
    let many = ManyPlugins::new();
    let plans = many.context.config_dir().join("cache/plans");
    let directories = fs::read_dir(plans).unwrap().map(|entry| entry.unwrap().path());
    for directory in directories.filter(|directory| directory.join("turn").exists()) {
        fs::remove_file(directory.join("turn")).unwrap();
        fs::create_dir(directory.join("turn")).unwrap();
    }
    for number in [0, 64, 129] {
        fs::write(many.manifest(number), GUARD).unwrap();
        assert!(many.is_denied(), "p{number:03}");
        many.restore(number);
    }
}
