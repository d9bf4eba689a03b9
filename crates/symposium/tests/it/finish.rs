//! The `finish` workflow, through `symposium hook`.

use serde_json::Value;
use symposium_testkit::TestContext;

use crate::cargo::payload;
use crate::with_fixture;

fn switched_on() -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.write("src/lib.rs", "pub fn a() {}\n");
    context.invoke(&["sync"]).expect(0);
    context.invoke(&["on", "finish"]).expect(0);
    context
}

fn edit(context: &TestContext, file: &str) {
    let mut event = payload(context, "claude/PostToolUse.Edit.json");
    event["tool_input"]["file_path"] = context.workspace().join(file).to_str().unwrap().into();
    context.invoke_hook("claude", "post-tool-use", &event.to_string()).expect(0);
}

fn ran(context: &TestContext, command: &str, output: &str) -> String {
    let mut event = payload(context, "claude/PostToolUse.Bash.json");
    event["tool_input"]["command"] = command.into();
    event["tool_response"]["stdout"] = output.into();
    context.invoke_hook("claude", "post-tool-use", &event.to_string()).expect(0)
}

fn failed(context: &TestContext, command: &str) {
    let mut event = payload(context, "claude/PostToolUseFailure.Bash.json");
    event["tool_input"]["command"] = command.into();
    event["error"] = "Exit code 101\nerror[E0308]: mismatched types\n".into();
    context.invoke_hook("claude", "post-tool-use-failure", &event.to_string()).expect(0);
}

fn stop(context: &TestContext, active: bool) -> String {
    let mut event = payload(context, "claude/Stop.json");
    event["stop_hook_active"] = active.into();
    let text = context.invoke_hook("claude", "stop", &event.to_string()).expect(0);
    if text.is_empty() {
        return String::new();
    }
    let said: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(said["decision"], "block", "{said}");
    said["reason"].as_str().unwrap().to_owned()
}

const FINISHED: &str = "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.10s\n";

#[test]
fn a_change_without_a_run_costs_one_turn() {
    let context = switched_on();
    assert_eq!(stop(&context, false), "", "nothing was changed");
    edit(&context, "src/lib.rs");
    let said = stop(&context, false);
    assert!(said.contains("`src/lib.rs`") && said.contains("`cargo check --workspace --all-targets`"), "{said}");
    assert_eq!(stop(&context, true), "", "never twice in a row");
    assert!(stop(&context, false).contains("src/lib.rs"), "the next turn is another one");
    assert_eq!(stop(&context, false), "", "also without the agent's own mark");
    ran(&context, "cargo check", FINISHED);
    assert_eq!(stop(&context, false), "", "it was checked");
}

#[test]
fn only_a_success_counts() {
    for (command, output, counts) in [
        ("cargo check", FINISHED, true),
        ("cargo clippy --workspace 2>&1", FINISHED, true),
        ("cargo check 2>&1 | tail -3", FINISHED, true),
        ("cargo build || true", "error: could not compile `a`\n", false),
        ("cargo test | grep -c x", "0\n", false),
        ("cargo fmt", "", false),
        ("echo cargo check", FINISHED, false),
        ("ls", "", false),
    ] {
        let context = switched_on();
        edit(&context, "src/lib.rs");
        ran(&context, command, output);
        assert_eq!(stop(&context, false).is_empty(), counts, "{command}");
    }
    let context = switched_on();
    edit(&context, "src/lib.rs");
    ran(&context, "cargo check", FINISHED);
    failed(&context, "cargo test");
    assert_eq!(stop(&context, false), "", "a failure without a change between");
    edit(&context, "src/lib.rs");
    failed(&context, "cargo test");
    assert_ne!(stop(&context, false), "");
}

#[test]
fn only_rust_of_the_workspace_counts() {
    let context = switched_on();
    context.write("README.md", "x");
    std::fs::write(context.root().join("elsewhere.rs"), "x").unwrap();
    edit(&context, "README.md");
    edit(&context, "../elsewhere.rs");
    assert_eq!(stop(&context, false), "");
    edit(&context, "Cargo.toml");
    assert!(stop(&context, false).contains("`Cargo.toml`"));
    let sessions = std::fs::read_dir(context.config_dir().join("sessions")).unwrap();
    let files = sessions.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap_or_default());
    assert!(files.into_iter().any(|text| text.contains("e Cargo.toml\n")));
}

#[test]
fn a_test_command_without_tests_is_mentioned() {
    let context = switched_on();
    let none = format!(
        "{FINISHED}\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 7 filtered out; finished in 0.00s\n"
    );
    assert!(ran(&context, "cargo test nothing_like_it", &none).contains("ran no test"));
    let some = none.replace("running 0 tests", "running 1 test").replace("0 passed", "1 passed");
    assert!(!ran(&context, "cargo test something", &some).contains("ran no test"));
}

#[test]
fn it_is_off_and_records_nothing_until_it_is_on() {
    let context = with_fixture(&["workspace0"]);
    context.write("src/lib.rs", "pub fn a() {}\n");
    edit(&context, "src/lib.rs");
    assert_eq!(stop(&context, false), "");
    let sessions = context.config_dir().join("sessions");
    let files = std::fs::read_dir(sessions).map(Iterator::count).unwrap_or_default();
    assert_eq!(files, 0);
}

#[test]
fn agents_with_a_stop_are_asked_in_their_own_words() {
    let context = switched_on();
    for (agent, edited, path, stopped) in [
        ("codex", "codex/PostToolUse.apply_patch.json", None, "codex/Stop.json"),
        ("gemini", "gemini/AfterTool.replace.json", Some("/tool_input/file_path"), "gemini/AfterAgent.json"),
        ("copilot", "copilot/postToolUse.create.json", Some("/toolArgs/path"), "copilot/agentStop.json"),
        ("goose", "goose/PostToolUse.write.json", Some("/tool_input/path"), "goose/Stop.json"),
        ("cursor", "cursor/preToolUse.Write.json", Some("/tool_input/file_path"), "cursor/stop.json"),
    ] {
        let mut event = payload(&context, edited);
        let file = context.workspace().join("src/lib.rs");
        match path {
            Some(path) => {
                *event.pointer_mut(path).unwrap_or_else(|| panic!("{edited}")) = file.to_str().unwrap().into();
            }
            None => {
                event["tool_input"]["command"] =
                    "*** Begin Patch\n*** Update File: src/lib.rs\n@@\n-a\n+b\n*** End Patch\n".into();
            }
        }
        let stop = payload(&context, stopped);
        for key in ["session_id", "sessionId", "agentId", "conversation_id"] {
            match stop.get(key) {
                Some(id) if event.get(key).is_some() => event[key] = id.clone(),
                _ => {}
            }
        }
        event.as_object_mut().unwrap().remove("agentId");
        let recorded = context.invoke_hook(agent, "post-tool-use", &event.to_string());
        assert_eq!(recorded.code, 0, "{agent}");
        let output = context.invoke_hook(agent, "stop", &stop.to_string());
        let said = format!("{}{}", output.stdout, output.stderr);
        assert!(said.contains("src/lib.rs"), "{agent}: {said}");
    }
}
