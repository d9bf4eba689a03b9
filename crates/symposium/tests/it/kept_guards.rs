//! A policy hook whose manifest breaks or disappears stays active until a person says otherwise.

use serde_json::json;
use symposium_testkit::TestContext;

use crate::{set_mode, with_fixture};

const MANIFEST: &str = "name = \"guard\"\n\n[[hooks]]\nname = \"push\"\nevent = \"PreToolUse\"\nmatcher = \"Bash\"\n\
     order = \"policy\"\ncommand = \"./deny.sh\"\n";
const DENY: &str = "#!/bin/sh\necho 'not by force' >&2\nexit 2\n";

/// A machine whose user has the guard.
fn with_guard() -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/guard/symposium.toml", MANIFEST);
    context.write_config("plugins/guard/deny.sh", DENY);
    set_mode(&context.config_dir().join("plugins/guard/deny.sh"), 0o755);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    assert!(is_denied(&context));
    context
}

/// A project that has the guard, which was granted.
fn with_granted_guard() -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"own\"\npath = \"plugins\"\n");
    context.write("plugins/guard/symposium.toml", MANIFEST);
    context.write("plugins/guard/deny.sh", DENY);
    set_mode(&context.workspace().join("plugins/guard/deny.sh"), 0o755);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["trust", "--yes"]).expect(0);
    assert!(is_denied(&context));
    context
}

fn is_denied(context: &TestContext) -> bool {
    context.settle();
    let event = json!({"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "git push --force"},
        "cwd": context.workspace()});
    context.invoke_hook("claude", "pre-tool-use", &event.to_string()).expect(0).contains("not by force")
}

fn said(context: &TestContext) -> String {
    context.settle();
    let event = json!({"session_id": "s", "source": "startup", "cwd": context.workspace()});
    context.invoke_hook("claude", "session-start", &event.to_string()).expect(0)
}

fn remove_manifest(context: &TestContext) {
    std::fs::remove_file(context.config_dir().join("plugins/guard/symposium.toml")).unwrap();
}

#[test]
fn a_broken_manifest_ends_no_guard() {
    let context = with_guard();
    for broken in [
        format!("{MANIFEST}[[hooks\n"),
        MANIFEST.replace("PreToolUse", "PreToolUs"),
        MANIFEST.replace("name = \"push\"", "name = 3"),
        String::new(),
    ] {
        context.write_config("plugins/guard/symposium.toml", &broken);
        assert!(is_denied(&context), "{broken}");
        let told = said(&context);
        assert!(told.contains("Policy hook `guard/push` stays active with its last content"), "{broken} {told}");
        assert!(told.contains("cannot be read") && told.contains("`symposium off guard/push`"), "{told}");
        assert!(is_denied(&context), "{broken}");
        let synced = context.invoke(&["sync"]);
        assert!(synced.stderr.contains("olicy hook `guard/push` stays active with its last content"), "{synced:?}");
        assert!(is_denied(&context), "after a sync: {broken}");
        let listed = context.invoke(&["hook", "list"]).stdout;
        assert!(listed.contains("guard/push") && listed.contains("stays active"), "{listed}");
        context.write_config("plugins/guard/symposium.toml", MANIFEST);
        assert!(is_denied(&context));
        assert!(!said(&context).contains("stays active"));
    }
}

#[test]
fn a_manifest_that_is_gone_ends_no_guard_until_a_person_was_told() {
    let context = with_guard();
    remove_manifest(&context);
    for _ in 0..2 {
        assert!(is_denied(&context));
        let told = said(&context);
        assert!(told.contains("because its manifest") && told.contains("guard/symposium.toml"), "{told}");
    }
    // It comes back, and counts at once.
    context.write_config("plugins/guard/symposium.toml", MANIFEST.replace("Bash", "Read"));
    assert!(!is_denied(&context), "what a manifest says counts");
    context.write_config("plugins/guard/symposium.toml", MANIFEST);
    assert!(is_denied(&context));
    remove_manifest(&context);
    let synced = context.invoke(&["sync"]);
    assert!(synced.stderr.contains("olicy hook `guard/push` is no longer active"), "{synced:?}");
    assert!(!is_denied(&context));
    assert!(!said(&context).contains("guard/push"));
    assert!(!context.invoke(&["sync"]).stderr.contains("guard/push"));
}

/// One who can remove the file may not decide.
#[test]
fn an_agent_that_removes_the_manifest_gets_rid_of_nothing() {
    let mut context = with_guard();
    remove_manifest(&context);
    context.set("CLAUDECODE", "1");
    let _ = context.invoke(&["sync"]);
    assert!(is_denied(&context));
    assert_eq!(context.invoke(&["off", "guard/push"]).code, 2);
    assert!(is_denied(&context));
}

#[test]
fn a_guard_without_manifest_can_be_switched_off() {
    for name in ["guard", "guard/push"] {
        let context = with_guard();
        context.write_config("plugins/guard/symposium.toml", "[[hooks\n");
        assert!(is_denied(&context));
        assert!(matches!(context.invoke(&["off", name]).code, 0 | 3));
        assert!(!is_denied(&context), "{name}");
        assert!(
            !std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap().contains("guard")
        );
    }
}

/// In a workspace that was never seen before, too.
#[test]
fn a_guard_of_the_user_stays_in_force_everywhere() {
    let context = with_guard();
    let elsewhere = context.root().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let event = |directory: &std::path::Path| {
        context.settle();
        let home = context.config_dir().display().to_string();
        let event = json!({"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "x"}, "cwd": directory});
        let args = ["hook", "claude", "pre-tool-use", "--home", &home];
        context.invoke_in_with(directory, &args, event.to_string().as_bytes()).expect(0).contains("not by force")
    };
    assert!(event(&elsewhere));
    remove_manifest(&context);
    let another = context.root().join("another");
    std::fs::create_dir_all(another.join("src")).unwrap();
    for file in ["Cargo.toml", "Cargo.lock", "src/lib.rs"] {
        std::fs::copy(context.workspace().join(file), another.join(file)).unwrap();
    }
    assert!(event(&another) && event(&elsewhere));
    let _ = context.invoke(&["sync"]);
    assert!(!event(&elsewhere), "a person was told");
}

#[test]
fn a_granted_guard_of_a_project_stays_until_the_grant_goes() {
    for end in [&["trust", "--revoke", "--yes"][..], &["sync"]] {
        let context = with_granted_guard();
        context.write("plugins/guard/symposium.toml", "[[hooks\n");
        assert!(is_denied(&context), "broken");
        assert!(said(&context).contains("stays active"));
        std::fs::remove_file(context.workspace().join("plugins/guard/symposium.toml")).unwrap();
        assert!(is_denied(&context), "gone");
        // Its script has to be the one that was granted.
        context.write("plugins/guard/deny.sh", format!("{DENY}# changed\n"));
        assert!(!is_denied(&context), "nobody agreed to that");
        context.write("plugins/guard/deny.sh", DENY);
        let _ = context.invoke(end);
        assert!(!is_denied(&context), "{end:?}");
        assert!(!said(&context).contains("stays active"), "{end:?}");
    }
}

#[test]
fn a_guard_of_the_user_stays_in_force_where_nothing_happened_before() {
    let context = with_guard();
    let second = context.root().join("second");
    std::fs::create_dir_all(second.join("src")).unwrap();
    for file in ["Cargo.toml", "Cargo.lock"] {
        std::fs::copy(context.workspace().join(file), second.join(file)).unwrap();
    }
    let is_denied_in = |directory: &std::path::Path| {
        let event = json!({"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "git push --force"},
            "cwd": directory});
        context.invoke_hook("claude", "pre-tool-use", &event.to_string()).expect(0).contains("not by force")
    };
    context.write_config("plugins/guard/symposium.toml", format!("{MANIFEST}<<<<<<< HEAD\n"));
    context.settle();
    assert!(is_denied_in(&second), "a workspace that is new");
    assert!(is_denied_in(context.root()), "outside any workspace");
    let event = json!({"session_id": "s", "source": "startup", "cwd": second});
    let told = context.invoke_hook("claude", "session-start", &event.to_string()).expect(0);
    assert!(told.contains("Policy hook `guard/push` stays active"), "{told}");
}

const ENDED: &str = "olicy hook `guard/push` is no longer active, because its script";

/// Asserts that everyone is told the one thing that is true of a guard without its script.
fn assert_ended_is_said(context: &TestContext) {
    assert!(!is_denied(context));
    let told = said(context);
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let [person, model] =
        [&told["systemMessage"], &told["hookSpecificOutput"]["additionalContext"]].map(ToString::to_string);
    for told in [&person, &model] {
        assert!(told.contains(ENDED) && told.contains("`symposium off guard`"), "{told}");
        assert!(!told.contains("stays active") && !told.contains("changed since"), "{told}");
    }
    let listed = context.invoke(&["hook", "list", "--json"]).stdout;
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let row = listed["hooks"].as_array().unwrap().iter().find(|row| row["plugin"] == "guard").unwrap();
    assert_eq!(row["state"], "blocked", "{row}");
    assert!(row["reason"].as_str().unwrap().contains(ENDED), "{row}");
}

#[test]
fn a_guard_whose_script_is_gone_is_not_said_to_be_in_force() {
    let context = with_guard();
    let plugin = context.config_dir().join("plugins/guard");
    let aside = context.root().join("aside");
    std::fs::rename(&plugin, &aside).unwrap();
    assert_ended_is_said(&context);
    std::fs::rename(&aside, &plugin).unwrap();
    assert!(is_denied(&context), "it counts at once");
    assert!(!said(&context).contains("guard/push"));
    // A program that is there starts a script that is not.
    context.write_config("plugins/guard/symposium.toml", MANIFEST.replace("./deny.sh", "sh ./deny.sh"));
    assert!(is_denied(&context));
    std::fs::remove_dir_all(&plugin).unwrap();
    assert_ended_is_said(&context);
    let synced = context.invoke(&["sync"]);
    assert_eq!(synced.stderr.matches(ENDED).count(), 1, "{synced:?}");
    assert!(!synced.stderr.contains("stays active"), "{synced:?}");
    assert!(!said(&context).contains("guard/push"), "a person was told");
}

/// The script goes first, and is looked for before the manifest goes.
#[test]
fn a_guard_that_loses_its_script_before_its_manifest_is_not_said_to_be_in_force() {
    let context = with_guard();
    context.write_config("plugins/guard/symposium.toml", MANIFEST.replace("./deny.sh", "sh ./deny.sh"));
    assert!(is_denied(&context));
    std::fs::remove_file(context.config_dir().join("plugins/guard/deny.sh")).unwrap();
    for _ in 0..2 {
        assert!(!is_denied(&context));
    }
    remove_manifest(&context);
    assert_ended_is_said(&context);
}

/// With a manifest that cannot be read, too.
#[test]
fn a_guard_without_script_and_with_a_broken_manifest_is_blocked() {
    let context = with_guard();
    context.write_config("plugins/guard/symposium.toml", "[[hooks\n");
    std::fs::remove_file(context.config_dir().join("plugins/guard/deny.sh")).unwrap();
    assert_ended_is_said(&context);
    for _ in 0..2 {
        assert!(context.invoke(&["sync"]).stderr.contains(ENDED), "as long as nobody switches it off");
    }
    assert!(matches!(context.invoke(&["off", "guard"]).code, 0 | 3));
    assert!(!said(&context).contains("guard/push"));
}

/// It is not what it says of one that lets everything pass.
#[test]
fn a_guard_that_blocks_on_failure_blocks_without_its_script() {
    let context = with_guard();
    context.write_config("plugins/guard/symposium.toml", format!("{MANIFEST}on-failure = \"block\"\n"));
    assert!(is_denied(&context));
    std::fs::remove_dir_all(context.config_dir().join("plugins/guard")).unwrap();
    let event =
        json!({"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "x"}, "cwd": context.workspace()});
    let answer = context.invoke_hook("claude", "pre-tool-use", &event.to_string()).expect(0);
    assert!(answer.contains("\"deny\""), "{answer}");
    let told = said(&context);
    assert!(told.contains("`guard/push` blocks every matching call, because its script is missing"), "{told}");
    assert!(!told.contains(ENDED), "{told}");
}

#[test]
fn a_granted_guard_whose_directory_is_gone_is_named_once() {
    let context = with_granted_guard();
    let aside = context.root().join("aside");
    std::fs::rename(context.workspace().join("plugins"), &aside).unwrap();
    assert_ended_is_said(&context);
    std::fs::rename(&aside, context.workspace().join("plugins")).unwrap();
    assert!(is_denied(&context));
    // One that is there and is another one only changed.
    std::fs::remove_file(context.workspace().join("plugins/guard/symposium.toml")).unwrap();
    context.write("plugins/guard/deny.sh", format!("{DENY}# changed\n"));
    assert!(!is_denied(&context));
    let told = said(&context);
    assert!(told.contains("changed after you granted") && !told.contains("stays active"), "{told}");
    let listed = context.invoke(&["hook", "list"]).stdout;
    assert!(listed.contains("untrusted") && !listed.contains("stays active"), "{listed}");
}

/// The last good plan serves, and that is what everyone is told.
#[test]
fn with_a_conflict_in_the_configuration_the_plans_made_before_are_said_to_stay() {
    const STAY: &str = "earlier hook plans stay active";
    for file in [".symposium/config.toml", ".symposium/symposium.lock"] {
        let context = with_granted_guard();
        context.invoke(&["sync", "--lock"]).expect(0);
        assert!(is_denied(&context));
        let sound = std::fs::read_to_string(context.workspace().join(file)).unwrap();
        context.write(file, format!("<<<<<<< HEAD\n{sound}=======\n{sound}>>>>>>> other\n"));
        assert!(is_denied(&context), "{file}");
        let told = said(&context);
        assert!(told.contains(STAY) && told.contains(file), "{file}: {told}");
        assert!(!told.contains("only your own hooks"), "{file}: {told}");
        for args in [&["hook", "list"][..], &["trust", "--show"]] {
            let shown = context.invoke(args);
            assert_eq!(shown.stderr.matches(STAY).count(), 1, "{args:?} {shown:?}");
            assert!(!shown.stdout.contains("No plugin here"), "{args:?} {shown:?}");
        }
        context.write(file, &sound);
        assert!(is_denied(&context), "{file}");
        assert!(!said(&context).contains(STAY));
        assert!(!context.invoke(&["hook", "list"]).stderr.contains(STAY));
    }
}

/// The agent of a running session removes it; its next call is where that can be said.
#[test]
fn a_guard_that_goes_in_the_middle_of_a_session_is_named_there_once() {
    for context in [with_guard(), with_granted_guard()] {
        assert!(!said(&context).contains("guard/push"));
        for plugin in [context.config_dir().join("plugins/guard"), context.workspace().join("plugins/guard")] {
            let _ = std::fs::remove_dir_all(plugin);
        }
        let call = |tool: &str| {
            context.settle();
            let event = json!({"session_id": "s", "tool_name": tool, "tool_input": {"command": "ls"},
                "tool_response": {"stdout": ""}, "cwd": context.workspace()});
            context.invoke_hook("claude", "post-tool-use", &event.to_string()).expect(0)
        };
        let told = call("Bash");
        assert!(told.contains(ENDED) && told.contains("Tell the user"), "{told}");
        assert!(!call("Bash").contains("guard/push"), "once");
    }
}

#[test]
fn a_guard_whose_source_no_configuration_names_stays_until_a_person_was_told() {
    for config in [None, Some("auto-sync = true\n")] {
        let context = with_granted_guard();
        match config {
            None => std::fs::remove_file(context.workspace().join(".symposium/config.toml")).unwrap(),
            Some(text) => context.write(".symposium/config.toml", text),
        }
        assert!(is_denied(&context), "{config:?}");
        let told = said(&context);
        assert!(told.contains("no configuration names its source `own`"), "{told}");
        assert!(told.contains("`symposium off guard/push` in your own terminal to remove it"), "{told}");
        assert!(context.invoke(&["hook", "list"]).stdout.contains("guard/push"));
        let status = context.invoke(&["status"]).stdout;
        assert!(status.lines().any(|line| line.starts_with("guard/push ") && line.contains(" on ")), "{status}");
        for name in ["guard", "push", "guard/push"] {
            let why = context.invoke(&["why", name]).expect(0);
            assert!(why.contains("no configuration names its source `own`"), "{name}: {why}");
        }
        let synced = context.invoke(&["sync"]);
        assert!(synced.stderr.contains("olicy hook `guard/push` is no longer active"), "{synced:?}");
        assert!(!is_denied(&context), "{config:?}");
        assert!(!said(&context).contains("guard/push"));
    }
}

#[test]
fn a_source_that_is_not_fetched_ends_no_guard() {
    let context = with_granted_guard();
    let config = "[[plugin-source]]\nname = \"own\"\ngit = \"https://example.invalid/x.git\"\n";
    context.write(".symposium/config.toml", config);
    assert!(is_denied(&context));
    let _ = context.invoke(&["sync"]);
    assert!(is_denied(&context), "a person did not remove it");
}

#[test]
fn a_configuration_that_cannot_be_read_releases_no_guard() {
    let context = with_guard();
    context.write_config("more/guard2/symposium.toml", MANIFEST.replace("guard", "guard2"));
    context.write_config("more/guard2/deny.sh", DENY);
    set_mode(&context.config_dir().join("more/guard2/deny.sh"), 0o755);
    let config = std::fs::read_to_string(context.config_dir().join("config.toml")).unwrap();
    let named =
        format!("{config}\n[[plugin-source]]\nname = \"more\"\npath = \"{}/more\"\n", context.config_dir().display());
    context.write_config("config.toml", &named);
    context.invoke(&["sync"]).expect(0);
    assert!(is_denied(&context));
    context.write_config("config.toml", format!("{named}[[broken"));
    let synced = context.invoke(&["sync"]);
    assert!(!synced.stderr.contains("no longer active"), "{synced:?}");
    assert!(is_denied(&context));
}

#[test]
fn a_guard_that_its_manifest_withdrew_does_not_return() {
    let context = with_guard();
    context.write_config("plugins/guard/symposium.toml", MANIFEST.replace("push", "other").replace("Bash", "Read"));
    assert!(!is_denied(&context));
    context.invoke(&["sync"]).expect(0);
    remove_manifest(&context);
    assert!(!is_denied(&context), "it was withdrawn before");
}

#[test]
fn a_guard_that_moved_is_not_said_to_have_ended() {
    let context = with_guard();
    let plugins = context.config_dir().join("plugins");
    std::fs::rename(plugins.join("guard"), plugins.join("moved")).unwrap();
    let synced = context.invoke(&["sync"]);
    assert!(!synced.stderr.contains("no longer"), "{synced:?}");
    assert!(is_denied(&context));
}

/// As when its files are read while they are being removed: for a moment no grant covers what is there.
#[test]
fn a_guard_that_was_withheld_for_a_moment_is_not_forgotten() {
    let context = with_granted_guard();
    let (grants, aside) = (context.config_dir().join("trust.json"), context.root().join("aside.json"));
    std::fs::rename(&grants, &aside).unwrap();
    assert!(!is_denied(&context), "without a grant it does not run");
    said(&context);
    std::fs::rename(&aside, &grants).unwrap();
    std::fs::remove_file(context.workspace().join("plugins/guard/symposium.toml")).unwrap();
    assert!(is_denied(&context));
    assert!(said(&context).contains("Policy hook `guard/push` stays active with its last content"));
    // What a person withdraws does not come back.
    let _ = context.invoke(&["trust", "--revoke", "--yes"]);
    assert!(!is_denied(&context));
}

#[test]
fn a_guard_for_a_locked_version_counts_while_cargo_lock_cannot_be_read() {
    let context = with_fixture(&["workspace0"]);
    let manifest = MANIFEST.replace("name = \"guard\"\n", "name = \"guard\"\ncrates = [\"serde>=1.0.219\"]\n");
    context.write_config("plugins/guard/symposium.toml", manifest);
    context.write_config("plugins/guard/deny.sh", DENY);
    set_mode(&context.config_dir().join("plugins/guard/deny.sh"), 0o755);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    assert!(is_denied(&context));
    let lock = std::fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap();
    context.write("Cargo.lock", format!("<<<<<<< HEAD\n{lock}"));
    assert!(is_denied(&context), "at the next event");
    assert_eq!(context.invoke(&["sync"]).code, 3);
    assert!(is_denied(&context), "after a sync");
    let listed = context.invoke(&["hook", "list"]);
    let row = listed.stdout.lines().find(|line| line.contains("guard/push")).unwrap();
    assert!(row.contains("unknown") && listed.stderr.contains("unresolved merge conflict"), "{listed:?}");
    context.write("Cargo.lock", lock.replace("1.0.219", "1.0.218"));
    context.invoke(&["sync"]).expect(0);
    assert!(!is_denied(&context), "once the versions are known again");
}
