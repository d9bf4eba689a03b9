//! How long a hook takes at most, and how much it keeps.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::policy::{POLICY, forced_push, is_denied, with_policy};
use crate::with_fixture;

/// What handlers of one event may take together, and what the program itself needs on a busy machine.
const SHARED: Duration = Duration::from_millis(8_500);
const OURS: Duration = Duration::from_millis(1_500);

#[test]
fn sixty_slow_handlers_end_in_time_and_the_policy_is_asked() {
    let context = with_policy();
    let mut manifest = "name = \"slow\"\n".to_owned();
    for number in 0..60 {
        manifest += &format!("[[hooks]]\nname = \"s{number}\"\nevent = \"PreToolUse\"\ncommand = \"sleep 30\"\n");
    }
    context.write_config("plugins/slow/symposium.toml", manifest);
    // The plan is compiled before the clock is looked at.
    context.invoke(&["sync"]).expect(0);
    let output = context.invoke_hook("claude", "pre-tool-use", &forced_push(&context));
    assert!(is_denied(&output), "{output:?}");
    // A machine that is busy with something else may be late, but not every time.
    let harmless = crate::hook::shell("claude", &context, "git status").to_string();
    let takes = |_| {
        let start = Instant::now();
        context.invoke_hook("claude", "pre-tool-use", &harmless).expect(0);
        start.elapsed()
    };
    let in_time = (0..3).map(takes).find(|took| *took < SHARED + OURS / 3);
    assert!(in_time.is_some(), "late three times");
}

/// However many others wait with it, a policy of the user has time to answer.
#[test]
fn no_number_of_handlers_leaves_a_policy_without_time() {
    let context = with_policy();
    let slow = "#!/bin/sh\nsleep 0.6\ncase \"$(cat)\" in *'push --force'*) echo NO-FORCE >&2; exit 2 ;; esac\n";
    crate::hook::executable(&context, "plugins/policy/check.sh", slow);
    let mut manifest = "name = \"after\"\n".to_owned();
    for number in 0..100 {
        manifest += &format!("[[hooks]]\nname = \"s{number}\"\nevent = \"PreToolUse\"\ncommand = \"true\"\n");
    }
    context.write_config("plugins/after/symposium.toml", manifest);
    context.invoke(&["sync"]).expect(0);
    let output = context.invoke_hook("claude", "pre-tool-use", &forced_push(&context));
    assert!(is_denied(&output), "{output:?}");
}

/// A guard in its agent's own format is asked about each file of a patch, and may hang at each.
#[test]
fn a_guard_that_hangs_at_every_file_of_a_patch_ends_in_time() {
    let context = with_fixture(&["workspace0"]);
    let manifest = "name = \"slow\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\nformat = \"claude\"\n\
                    matcher = \"Edit|Write\"\ncommand = \"sleep 30\"\n";
    context.write_config("plugins/slow/symposium.toml", manifest);
    context.invoke(&["sync"]).expect(0);
    let files: Vec<String> = (0..40).map(|n| format!("*** Add File: f{n}.txt\n+x\n")).collect();
    let patch = format!("*** Begin Patch\n{}*** End Patch", files.concat());
    let event = json!({"session_id": "s", "cwd": context.workspace(), "hook_event_name": "PreToolUse",
        "tool_name": "apply_patch", "tool_input": {"command": patch}});
    let start = Instant::now();
    context.invoke_hook("codex", "pre-tool-use", &event.to_string()).expect(0);
    assert!(start.elapsed() < SHARED + OURS, "{:?}", start.elapsed());
}

/// A pattern may take long on a long text; what is not known in time is asked.
#[test]
fn a_pattern_on_a_long_command_takes_no_time_from_the_guard() {
    let context = with_fixture(&["workspace0"]);
    let manifest = "name = \"guard\"\n[[hooks]]\nname = \"h\"\nevent = \"cursor:beforeShellExecution\"\n\
                    matcher = \"(git|hg) +(push|fetch) +--for(ce|get)\"\norder = \"policy\"\n\
                    command = \"sh -c 'cat >/dev/null; echo NO-FORCE >&2; exit 2'\"\n";
    context.write_config("plugins/guard/symposium.toml", manifest);
    context.invoke(&["sync"]).expect(0);
    let command = format!("{} ; git push --force", "x ".repeat(7 * 1024 * 1024));
    let event = json!({"conversation_id": "s", "hook_event_name": "beforeShellExecution", "cursor_version": "1",
        "cwd": context.workspace(), "command": command});
    let start = Instant::now();
    let output = context.invoke_hook("cursor", "beforeShellExecution", &event.to_string());
    assert_eq!((output.code, output.stderr.as_str()), (2, "NO-FORCE"), "{output:?}");
    assert!(start.elapsed() < SHARED + 4 * OURS, "{:?}", start.elapsed());
    // A name as long as that is no tool's, but an agent can say so.
    let context = with_policy();
    context.write_config("plugins/policy/symposium.toml", POLICY.replace("\"Bash\"", "\"^(x|y)*[a-z]+Bash$\""));
    let event = json!({"session_id": "s", "cwd": context.workspace(), "hook_event_name": "PreToolUse",
        "tool_name": format!("{}Bash", "x".repeat(14 * 1024 * 1024)), "tool_input": {"command": "git push --force"}});
    let start = Instant::now();
    let output = context.invoke_hook("claude", "pre-tool-use", &event.to_string());
    assert!(is_denied(&output), "{output:?}");
    assert!(start.elapsed() < SHARED + 4 * OURS, "{:?}", start.elapsed());
}

#[test]
fn the_newest_two_hundred_sessions_are_kept() {
    let context = with_policy();
    let sessions = context.config_dir().join("sessions");
    let names = || -> Vec<String> {
        let names = std::fs::read_dir(&sessions).unwrap().map(|entry| entry.unwrap().file_name());
        names.map(|name| name.into_string().unwrap()).collect()
    };
    let prompt = |session: &str| {
        let event =
            json!({"session_id": session, "cwd": context.workspace(), "prompt": "use serde", "transcript_path": "/t"});
        context.invoke_hook("claude", "user-prompt-submit", &event.to_string()).expect(0);
    };
    prompt("first");
    let first = names();
    assert_eq!(first.len(), 1, "{first:?}");
    let old = std::time::SystemTime::now() - Duration::from_hours(24);
    for number in 0..1500 {
        let file = std::fs::File::create(sessions.join(format!("claude-{number:032x}"))).unwrap();
        file.set_modified(old + Duration::from_secs(number)).unwrap();
    }
    for kept in ["told-rtk", "newest-version", "sources-fetched", "workspace-0123456789abcdef"] {
        let file = std::fs::File::create(sessions.join(kept)).unwrap();
        file.set_modified(old - Duration::from_hours(24)).unwrap();
    }
    // A new session makes room for itself, whether it began with a start or not.
    prompt("second");
    let left = names();
    let of_sessions = left.iter().filter(|name| name.starts_with("claude-")).count();
    assert_eq!((of_sessions, left.len()), (200, 204), "{left:?}");
    assert!(left.contains(&first[0]) && left.contains(&format!("claude-{:032x}", 1499)), "the newest stay");
    assert!(!left.contains(&format!("claude-{:032x}", 0)), "the oldest go");
    for number in 0..1500 {
        std::fs::File::create(sessions.join(format!("gemini-{number:032x}"))).unwrap();
    }
    let event = json!({"session_id": "third", "cwd": context.workspace(), "source": "startup"});
    context.invoke_hook("claude", "session-start", &event.to_string()).expect(0);
    assert!(names().len() <= 210, "{}", names().len());
}
