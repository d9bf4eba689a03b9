//! JSON that strict readers refuse, and that a model can make an agent or a guard write: no guard is out of play for it.

use serde_json::{Value, json};
use symposium_agents::dialect;
use symposium_model::agent::AgentId;
use symposium_testkit::TestContext;

use crate::hook::{executable, shell, with_guard};
use crate::with_fixture;

/// Values in the place of a description, each valid or nearly so.
fn odd_values() -> Vec<(&'static str, String)> {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(300), close.repeat(300));
    vec![
        ("half a character", "\"\\ud83d x\"".to_owned()),
        ("300 levels of lists", deep("[", "]")),
        ("300 levels of objects", deep("{\"a\":", "}")),
        ("a number beyond all bounds", "1e999".to_owned()),
        ("a line break in a text", "\"a\nb\"".to_owned()),
    ]
}

#[test]
fn no_odd_value_switches_a_guard_off() {
    let context = with_guard();
    for agent in AgentId::ALL.into_iter().filter(|agent| dialect(*agent).has_events()).map(AgentId::name) {
        let event = shell(agent, &context, "deny by exit").to_string();
        for (what, value) in odd_values() {
            let odd = event.replace("\"d\"", &value);
            assert_ne!(event, odd);
            let output = context.invoke_hook(agent, "pre-tool-use", &odd);
            assert!(output.transcript().contains("not this one"), "{agent}, {what}: {output:?}");
        }
    }
}

#[test]
fn half_a_megabyte_of_brackets_switches_no_guard_off() {
    let context = with_guard();
    let event = shell("claude", &context, "deny by exit").to_string();
    // As deep as would end every reader that goes down one call for each level.
    let depth = 256 * 1024;
    let output = context.invoke_hook(
        "claude",
        "pre-tool-use",
        &event.replace("\"d\"", &format!("{}{}", "[".repeat(depth), "]".repeat(depth))),
    );
    assert!(output.stdout.contains("not this one"), "{output:?}");
}

#[test]
fn arguments_that_come_as_a_text_may_be_odd_too() {
    let context = with_guard();
    for (what, value) in odd_values() {
        let inner = format!("{{\"command\":\"deny by exit\",\"description\":{value}}}");
        let event = json!({"sessionId": "s", "timestamp": 1, "cwd": context.workspace(), "toolName": "bash",
            "toolArgs": inner});
        let output = context.invoke_hook("copilot", "pre-tool-use", &event.to_string());
        assert!(output.transcript().contains("not this one"), "{what}: {output:?}");
    }
}

/// A plugin of the user with one script, in a format of its own.
fn with_script(hook: &str, script: &str) -> TestContext {
    let context = with_fixture(&["workspace0"]);
    let manifest = format!("name = \"odd\"\n[[hooks]]\nname = \"h\"\n{hook}\ncommand = \"./h.sh\"\n");
    context.write_config("plugins/odd/SYMPOSIUM.toml", manifest);
    executable(&context, "plugins/odd/h.sh", &format!("#!/bin/sh\n{script}\n"));
    context
}

#[test]
fn an_answer_with_an_odd_value_is_heard() {
    for (what, value) in odd_values() {
        for (hook, open, close) in [
            ("event = \"PreToolUse\"", r#"{"PreToolUse":{"decision":"deny","reason":"odd no","x":"#, "}}"),
            (
                "event = \"PreToolUse\"\nformat = \"claude\"",
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"odd no","x":"#,
                "}}",
            ),
            (
                "event = \"claude:PreToolUse\"",
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"odd no","x":"#,
                "}}",
            ),
            ("event = \"claude:PermissionRequest\"", r#"{"continue":false,"stopReason":"odd no","x":"#, "}"),
        ] {
            let context = with_script(hook, "cat \"$SYMPOSIUM_PLUGIN_DIR/answer\"");
            context.write_config("plugins/odd/answer", format!("{open}{value}{close}"));
            let event = if hook.contains("PermissionRequest") { "PermissionRequest" } else { "pre-tool-use" };
            let output = context.invoke_hook("claude", event, &shell("claude", &context, "ls").to_string());
            assert!(output.stdout.contains("odd no"), "{what}, {hook}: {output:?}");
        }
    }
}

#[test]
fn events_of_one_agent_alone_may_be_odd_too() {
    let context = with_script("event = \"claude:PermissionRequest\"", "cat >/dev/null; echo odd no >&2; exit 2");
    let event = shell("claude", &context, "ls").to_string();
    for (what, value) in odd_values() {
        let output = context.invoke_hook("claude", "PermissionRequest", &event.replace("\"d\"", &value));
        assert!(output.transcript().contains("odd no"), "{what}: {output:?}");
    }
}

/// A guard in the agent's own language that answers what it was asked must see what an earlier handler changed.
#[test]
fn what_was_changed_is_what_the_next_guard_sees() {
    let context = with_script(
        "event = \"PreToolUse\"\norder = \"policy\"",
        r#"cat >/dev/null; echo '{"PreToolUse":{"updatedInput":{"command":"changed"}}}'"#,
    );
    let manifest =
        "name = \"then\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\nformat = \"claude\"\ncommand = \"./h.sh\"\n";
    context.write_config("plugins/then/SYMPOSIUM.toml", manifest);
    let script = "#!/bin/sh\ncase \"$(cat)\" in *'\"command\":\"changed\"'*) echo seen >&2; exit 2 ;; esac\n";
    executable(&context, "plugins/then/h.sh", script);
    let event = shell("claude", &context, "ls").to_string();
    for (what, value) in odd_values() {
        let output = context.invoke_hook("claude", "pre-tool-use", &event.replace("\"d\"", &value));
        // What is nested too deeply is not changed at all, so that nothing of it is lost.
        let changed = !what.contains("levels");
        assert_eq!(output.stdout.contains("seen"), changed, "{what}: {output:?}");
    }
    let trail = std::fs::read_to_string(context.config_dir().join("logs/hooks.jsonl")).unwrap();
    assert!(trail.contains("odd/h: the event is nested too deeply to be changed"), "{trail}");
    let deep = event.replace("\"d\"", &format!("{}{}", "[".repeat(200), "]".repeat(200)));
    let output = context.invoke_hook("claude", "pre-tool-use", &deep);
    assert!(!output.stdout.contains("updatedInput"), "{output:?}");
    assert!(serde_json::from_str::<Value>(&deep).is_err(), "deeper than our reader goes");
}
