//! The built-in workflows, through `symposium hook`.

use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::with_fixture;

/// An `rtk` that rewrites what begins with `cargo` or `git`.
pub(crate) fn with_rtk(script: &str) -> TestContext {
    use std::os::unix::fs::PermissionsExt;
    let mut context = with_fixture(&["workspace0"]);
    let bin = context.root().join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::write(bin.join("rtk"), script).unwrap();
    std::fs::set_permissions(bin.join("rtk"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    context.set("PATH", &path);
    context
}

pub(crate) const RTK: &str = "#!/bin/sh\n[ \"$1\" = rewrite ] || exit 2\ncase \"$2\" in cargo*|git*) printf 'rtk %s' \"$2\"; exit 3 ;; esac\nexit 1\n";

fn bash(context: &TestContext, command: &str) -> String {
    let event = json!({"session_id": "s", "transcript_path": "/t", "permission_mode": "default", "cwd": context.workspace(),
        "tool_name": "Bash", "tool_input": {"command": command, "timeout": 7}});
    context.invoke_hook("claude", "pre-tool-use", &event.to_string()).expect(0)
}

fn trail(context: &TestContext) -> String {
    std::fs::read_to_string(context.config_dir().join("logs/hooks.jsonl")).unwrap_or_default()
}

#[test]
fn rtk_shortens_what_it_can_and_never_allows() {
    let context = with_rtk(RTK);
    let said: Value = serde_json::from_str(&bash(&context, "git status")).unwrap();
    assert_eq!(
        said["hookSpecificOutput"],
        json!({"hookEventName": "PreToolUse", "updatedInput": {"command": "rtk git status", "timeout": 7}})
    );
    assert!(trail(&context).contains("\"end\":\"rewritten\""));
    let lines = trail(&context).lines().count();
    for command in ["ls", "git log | grep x", "RTK_DISABLED=1 git status", "git status --porcelain"] {
        assert_eq!(bash(&context, command), "", "{command}");
    }
    assert_eq!(trail(&context).lines().count(), lines, "nothing happened");
    context.write_config("config.toml", "[rtk]\nexclude = [\"git status\"]\n");
    assert_eq!(bash(&context, "git status"), "");
    assert_ne!(bash(&context, "git log"), "");
    context.write(".symposium/config.toml", "[workflows]\nrtk = false\n");
    assert_eq!(bash(&context, "git log"), "");
}

#[test]
fn rtk_keeps_what_is_not_cargo() {
    let context = with_rtk(RTK);
    for command in ["cargo test", "cd x && cargo build", "A=1 cargo clippy", "git add . && cargo test"] {
        assert_eq!(bash(&context, command), "", "the `cargo` workflow shortens the output: {command}");
    }
    context.write(".symposium/config.toml", "[workflows]\ncargo = false\n");
    assert!(bash(&context, "cargo test").contains("rtk cargo test"));
}

#[test]
fn guards_see_what_the_model_wrote() {
    let context = with_rtk(RTK);
    let manifest =
        "name = \"guard\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"sh -c 'cat > seen'\"\n";
    context.write_config("plugins/guard/SYMPOSIUM.toml", manifest);
    assert!(bash(&context, "git status").contains("rtk git status"));
    let seen = std::fs::read_to_string(context.workspace().join("seen")).unwrap();
    assert!(seen.contains("\"command\":\"git status\""), "{seen}");
}

#[test]
fn an_rtk_that_cannot_be_used_is_mentioned_once() {
    let context = with_rtk("#!/bin/sh\necho 'error: unrecognized subcommand' >&2; exit 2\n");
    let start = |context: &TestContext| {
        let event =
            json!({"session_id": "s", "transcript_path": "/t", "cwd": context.workspace(), "source": "startup"});
        context.invoke_hook("claude", "session-start", &event.to_string()).expect(0)
    };
    assert!(start(&context).contains("rtk"), "the first time");
    assert!(!start(&context).contains("rtk"), "the second time");
    assert_eq!(bash(&context, "cargo test"), "");
}

#[test]
fn autofmt_formats_what_was_written_once_it_is_on() {
    let mut context = with_fixture(&["workspace0"]);
    for name in ["HOME", "RUSTUP_HOME", "CARGO_HOME"] {
        if let Ok(value) = std::env::var(name)
            && name != "HOME"
        {
            context.set(name, &value);
        }
    }
    if std::env::var_os("RUSTUP_HOME").is_none() {
        let home = std::env::var("HOME").unwrap();
        context.set("RUSTUP_HOME", &format!("{home}/.rustup"));
    }
    let wrote = |context: &TestContext| {
        let event = json!({"session_id": "s", "transcript_path": "/t", "permission_mode": "default", "cwd": context.workspace(),
            "tool_name": "Write", "tool_input": {"file_path": context.workspace().join("src/lib.rs"), "content": "x"}, "tool_response": {}});
        context.invoke_hook("claude", "post-tool-use", &event.to_string()).expect(0)
    };
    context.write("src/lib.rs", "fn   a( ){ }\n");
    assert_eq!(wrote(&context), "", "it is off until somebody asks for it");
    assert_eq!(std::fs::read_to_string(context.workspace().join("src/lib.rs")).unwrap(), "fn   a( ){ }\n");
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.invoke(&["sync"]).expect(0);
    context.invoke(&["on", "autofmt"]).expect(0);
    let said = wrote(&context);
    assert_eq!(std::fs::read_to_string(context.workspace().join("src/lib.rs")).unwrap(), "fn a() {}\n", "{said}");
    assert!(said.contains("formatted"), "{said}");
    context.write("src/lib.rs", "fn a( {\n");
    let said = wrote(&context);
    assert!(said.contains("src/lib.rs") && !said.contains("deny") && !said.contains("block"), "{said}");
    assert_eq!(std::fs::read_to_string(context.workspace().join("src/lib.rs")).unwrap(), "fn a( {\n");
}
