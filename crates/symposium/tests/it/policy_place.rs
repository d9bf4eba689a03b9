//! Where the user's own word counts: in the workspace the user said it for, and as long as it stands.

use std::fs::File;
use std::path::PathBuf;

use serde_json::json;
use symposium_testkit::{Output, TestContext};

use crate::policy::{forced_push, is_denied, with_policy};
use crate::set_mode;

/// Another workspace beside the first.
fn other_workspace(context: &TestContext, name: &str) -> PathBuf {
    let other = context.root().join(name);
    std::fs::create_dir_all(other.join("src")).unwrap();
    for file in ["Cargo.toml", "Cargo.lock", "src/lib.rs"] {
        std::fs::copy(context.workspace().join(file), other.join(file)).unwrap();
    }
    other
}

/// The event the policy denies, happening in a directory.
fn push_in(context: &TestContext, directory: &std::path::Path, agent: &str) -> Output {
    let event = json!({"session_id": "s", "transcript_path": "/t", "hook_event_name": "PreToolUse", "cwd": directory,
        "tool_name": "Bash", "tool_input": {"command": "git push --force"}});
    context.invoke_in_with(directory, &["hook", agent, "pre-tool-use"], event.to_string().as_bytes())
}

#[test]
fn an_off_for_one_workspace_is_not_lent_to_another_by_a_variable() {
    let mut context = with_policy();
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let other = other_workspace(&context, "other");
    let own = context.workspace().to_owned();
    context.invoke(&["off", "policy"]).expect(0);
    assert!(!is_denied(&push_in(&context, &own, "claude")), "the user said so here");
    assert!(is_denied(&push_in(&context, &other, "claude")));
    for (agent, variable) in [("claude", "CLAUDE_PROJECT_DIR"), ("gemini", "GEMINI_PROJECT_DIR")] {
        context.set(variable, own.to_str().unwrap());
        assert!(!push_in(&context, &own, agent).stdout.contains("NO-FORCE"), "{agent}");
        for place in [&other, &other.join("src"), &context.root().to_owned()] {
            let output = push_in(&context, place, agent);
            assert!(output.stdout.contains("NO-FORCE"), "{agent} in {}: {output:?}", place.display());
        }
        // A repository inside the one that was meant is another one.
        let inner = other_workspace(&context, own.join("vendor/inner").to_str().unwrap());
        std::fs::create_dir(inner.join(".git")).unwrap();
        assert!(push_in(&context, &inner, agent).stdout.contains("NO-FORCE"), "{agent}");
        std::fs::remove_dir_all(inner).unwrap();
    }
}

/// Holds up whatever would compile the plans of a workspace, as a process in the background does.
fn hold_up_compiling(context: &TestContext) -> Vec<File> {
    let plans = context.config_dir().join("cache/plans");
    let directories = std::fs::read_dir(plans).unwrap().map(|entry| entry.unwrap().path());
    let lock = |directory: PathBuf| {
        let file = File::create(directory.join("compile.lock")).unwrap();
        file.lock().unwrap();
        file
    };
    directories.filter(|directory| !directory.ends_with("outside")).map(lock).collect()
}

#[test]
fn a_grant_that_is_withdrawn_ends_at_once_also_where_no_plan_can_be_compiled() {
    for withdrawn in ["revoked", "store gone", "store broken", "configured away"] {
        let context = with_policy();
        context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"own\"\npath = \"plugins\"\n");
        let manifest = "name = \"p\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"./x.sh\"\n";
        context.write("plugins/p/symposium.toml", manifest);
        context.write("plugins/p/x.sh", "#!/bin/sh\ntouch \"$HOME/ran\"\n");
        set_mode(&context.workspace().join("plugins/p/x.sh"), 0o755);
        context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
        context.invoke(&["trust", "--yes"]).expect(0);
        let ran = || std::fs::remove_file(context.root().join("home/ran")).is_ok();
        let quiet = crate::hook::shell("claude", &context, "ls").to_string();
        context.invoke_hook("claude", "pre-tool-use", &quiet).expect(0);
        assert!(ran(), "{withdrawn}");
        let _held = hold_up_compiling(&context);
        // Only what a project contains changes: what was agreed to still is.
        context.write("plugins/q/symposium.toml", "name = \"q\"\n");
        context.invoke_hook("claude", "pre-tool-use", &quiet).expect(0);
        assert!(ran(), "{withdrawn}: another plugin came");
        let store = context.config_dir().join("trust.json");
        match withdrawn {
            // As another machine's copy of the plan would see it: the plan is not renewed by the command.
            "revoked" => std::fs::write(&store, r#"{"version":1,"grants":[]}"#).unwrap(),
            "store gone" => std::fs::remove_file(&store).unwrap(),
            "store broken" => std::fs::write(&store, "{").unwrap(),
            _ => context.write_config("config.toml", "[agent]\nname = [\"claude\"]\n[trust]\nproject = \"never\"\n"),
        }
        for _ in 0..2 {
            context.invoke_hook("claude", "pre-tool-use", &quiet).expect(0);
            assert!(!ran(), "{withdrawn}");
            let output = context.invoke_hook("claude", "pre-tool-use", &forced_push(&context));
            assert!(is_denied(&output), "{withdrawn}: the user's policy answers: {output:?}");
            assert!(!ran(), "{withdrawn}");
        }
    }
}
