//! A plugin that may not run here, or is for another agent, takes its name from none that works.

use serde_json::json;
use symposium_testkit::TestContext;

use crate::{set_mode, with_fixture};

fn hook(plugin: &str, says: &str, more: &str) -> String {
    format!(
        "name = \"{plugin}\"\n{more}\n[[hooks]]\nname = \"{says}\"\nevent = \"PreToolUse\"\ncommand = \"./{says}.sh\"\n"
    )
}

/// A project whose plugin has the name of one of the user's source that was fetched for everybody.
fn project(agents: &str, more: &str) -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", format!("[agent]\nname = {agents}\n"));
    context.write_config("plugins/helper/symposium.toml", format!("{}order = \"normal\"\n", hook("other", "mine", "")));
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"own\"\npath = \"plugins\"\n");
    context.write("plugins/rtk/symposium.toml", hook("rtk", "theirs", "") + more);
    context.write("plugins/rtk/theirs.sh", "#!/bin/sh\necho theirs >&2\nexit 2\n");
    set_mode(&context.workspace().join("plugins/rtk/theirs.sh"), 0o755);
    context
}

fn states(context: &TestContext) -> Vec<(String, String)> {
    let listed = context.invoke(&["hook", "list", "--json"]).expect(0);
    let document: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let hooks = document["hooks"].as_array().unwrap().iter();
    let rtk = hooks.filter(|hook| hook["plugin"] == "rtk");
    rtk.map(|hook| (hook["name"].as_str().unwrap().to_owned(), hook["state"].as_str().unwrap().to_owned())).collect()
}

fn state(context: &TestContext, name: &str) -> String {
    states(context).into_iter().find(|(hook, _)| hook == name).map(|(_, state)| state).unwrap_or_default()
}

fn handlers(context: &TestContext, agent: &str) -> bool {
    let event = json!({"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}, "cwd": context.workspace(),
        "hook_event_name": "PreToolUse"});
    let output = context.invoke_hook(agent, "pre-tool-use", &event.to_string());
    (output.stdout + &output.stderr).contains("theirs")
}

#[test]
fn what_nobody_granted_takes_no_name() {
    let context = project("\"claude\"", "");
    let synced = context.invoke(&["sync"]);
    assert!(!synced.stderr.contains("not used"), "{synced:?}");
    assert_eq!(state(&context, "theirs"), "untrusted");
    assert_ne!(state(&context, "shorten"), "conflict", "the built-in one works");
    let lock = || {
        context.invoke(&["sync", "--lock"]).expect(0);
        std::fs::read_to_string(context.workspace().join(".symposium/symposium.lock")).unwrap()
    };
    let before = lock();
    context.invoke(&["trust", "--yes"]).expect(0);
    assert_eq!(state(&context, "theirs"), "on");
    assert_eq!(state(&context, "shorten"), "conflict", "now it gives way");
    assert!(handlers(&context, "claude"));
    let synced = context.invoke(&["sync"]);
    assert!(synced.stderr.contains("he plugin `rtk` of source `builtin` is not used"), "{synced:?}");
    assert!(!context.invoke(&["sync"]).stderr.contains("not used"), "it was said");
    assert_eq!(lock(), before, "what a person granted is in no lock");
}

#[test]
fn what_is_for_another_agent_takes_no_name() {
    let context = project("[\"claude\", \"gemini\"]", "agent = \"claude\"\n");
    context.invoke(&["sync"]).expect(0);
    context.invoke(&["trust", "--yes"]).expect(0);
    assert!(handlers(&context, "claude") && !handlers(&context, "gemini"));
    assert_ne!(state(&context, "shorten"), "conflict", "it works for Gemini CLI");
    let plan = std::fs::read_dir(context.config_dir().join("cache/plans")).unwrap();
    let plan = plan.map(|entry| entry.unwrap().path().join("pre-tool-use.json"));
    let plan = plan.filter_map(|file| std::fs::read_to_string(file).ok()).find(|text| text.contains("\"workspace\""));
    let plan: serde_json::Value = serde_json::from_str(&plan.unwrap()).unwrap();
    let shorten = plan["handlers"].as_array().unwrap().iter().find(|handler| handler["name"] == "shorten").unwrap();
    let not_for = shorten["not_for"].to_string();
    assert!(not_for.contains("claude") && !not_for.contains("gemini"), "{not_for}");
    context.write_config("config.toml", "[agent]\nname = \"gemini\"\n");
    context.invoke(&["sync"]).expect(0);
    assert_ne!(state(&context, "shorten"), "conflict");
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.invoke(&["sync"]).expect(0);
    assert_eq!(state(&context, "shorten"), "conflict", "nobody is left for it");
}

#[test]
fn what_waits_for_an_installation_takes_no_name() {
    let needs =
        "requirements = [\"tool\"]\n[[installations]]\nname = \"tool\"\nsource = \"cargo\"\ncrate = \"no-such-tool\"\n";
    let context = project("\"claude\"", needs);
    let _ = context.invoke(&["sync"]);
    let _ = context.invoke(&["trust", "--yes", "--offline"]);
    assert_ne!(state(&context, "shorten"), "conflict", "{:?}", states(&context));
}
