//! What handlers say in an agent's own JSON, to that agent and to others.

use serde_json::{Value, json};
use symposium_testkit::{Output, TestContext};

use crate::with_fixture;

/// Plugins of a user's, each with one of these hooks: name, event, format or nothing, and the script.
fn with_hooks(hooks: &[(&str, &str, &str, &str)]) -> TestContext {
    let context = with_fixture(&["workspace0"]);
    for (name, event, format, script) in hooks {
        let format = if format.is_empty() { String::new() } else { format!("format = \"{format}\"\n") };
        let hook = format!("[[hooks]]\nname = \"h\"\nevent = \"{event}\"\n{format}command = \"sh h.sh\"\n");
        context.write_config(&format!("plugins/{name}/SYMPOSIUM.toml"), format!("name = \"{name}\"\n{hook}"));
        context.write_config(&format!("plugins/{name}/h.sh"), format!("{script}\n"));
    }
    context
}

fn raise(context: &TestContext, agent: &str, event: &str) -> Output {
    let tool = match agent {
        "gemini" => json!({"tool_name": "run_shell_command", "tool_response": {"llmContent": "old"}}),
        _ => {
            json!({"tool_name": "Bash", "tool_response": {"stdout": "old"}, "transcript_path": "/t", "permission_mode": "default"})
        }
    };
    let mut payload = json!({"session_id": "s", "cwd": context.workspace(), "hook_event_name": event, "tool_input": {"command": "ls"}, "prompt": "p"});
    payload.as_object_mut().unwrap().extend(tool.as_object().unwrap().clone());
    context.invoke_hook(agent, event, &payload.to_string())
}

#[track_caller]
fn answer(output: &Output) -> Value {
    assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{}", output.transcript());
    serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error} in {}", output.stdout))
}

fn trail(context: &TestContext) -> String {
    std::fs::read_to_string(context.config_dir().join("logs/hooks.jsonl")).unwrap_or_default()
}

const GUARD: (&str, &str, &str, &str) = ("guard", "PreToolUse", "", "echo NO >&2; exit 2");

#[test]
fn whoever_ends_the_session_does_not_keep_a_guard_from_being_asked() {
    for (event, format) in [("claude:PreToolUse", ""), ("PreToolUse", "claude")] {
        let halt = r#"echo '{"continue":false,"stopReason":"halt"}'"#;
        let context = with_hooks(&[("a", event, format, halt), ("guard", "PreToolUse", "", GUARD.3)]);
        let own =
            json!({"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "NO"});
        let said = answer(&raise(&context, "claude", "PreToolUse"));
        assert_eq!(said, json!({"continue": false, "stopReason": "halt", "hookSpecificOutput": own}), "{event}");
    }
}

#[test]
fn what_an_agent_does_not_know_takes_no_deny_with_it() {
    for unknown in [
        r#"{"unknown":1}"#,
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","foo":1}}"#,
        r#"{"systemMessage":5,"suppressOutput":"y"}"#,
        r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":null}}"#,
    ] {
        let context = with_hooks(&[("a", "codex:PreToolUse", "", &format!("echo '{unknown}'")), GUARD]);
        let own =
            json!({"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "NO"});
        let said = answer(&raise(&context, "codex", "PreToolUse"));
        assert_eq!(said, json!({"hookSpecificOutput": own}), "{unknown}");
    }
    let context = with_hooks(&[("a", "codex:PreToolUse", "", r#"echo '{"unknown":1,"systemMessage":"m"}'"#), GUARD]);
    let said = answer(&raise(&context, "codex", "PreToolUse"));
    assert_eq!(said["systemMessage"], json!("m"));
    assert!(trail(&context).contains("because of unknown"), "{}", trail(&context));
}

#[test]
fn what_is_said_to_the_agent_it_is_meant_for_arrives_whole() {
    let said = r#"echo '{"systemMessage":"sm","suppressOutput":true,"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":"NEW OUT","additionalContext":"B"}}'"#;
    let context = with_hooks(&[
        ("a", "PostToolUse", "claude", said),
        ("b", "PostToolUse", "", r#"echo '{"additionalContext":"C"}'"#),
    ]);
    let expected = json!({"systemMessage": "sm", "suppressOutput": true, "hookSpecificOutput":
        {"hookEventName": "PostToolUse", "updatedToolOutput": "NEW OUT", "additionalContext": "B\n\nC"}});
    assert_eq!(answer(&raise(&context, "claude", "PostToolUse")), expected);
    assert!(!trail(&context).contains("no effect"), "{}", trail(&context));
    // Elsewhere the rest cannot be said, and the trail says so.
    let elsewhere = answer(&raise(&context, "gemini", "AfterTool"));
    assert_eq!(elsewhere["hookSpecificOutput"]["additionalContext"], json!("B\n\nC"));
    let trail = trail(&context);
    assert!(
        trail.contains("no effect here") && trail.contains("updatedToolOutput") && !trail.contains("NEW OUT"),
        "{trail}"
    );
}

#[test]
fn a_decision_counts_wherever_it_stands_and_a_word_nobody_knows_is_no_answer() {
    let beside = r#"echo '{"PreToolUse":{"additionalContext":"x"},"decision":"deny","reason":"NO"}'"#;
    let context = with_hooks(&[("a", "PreToolUse", "", beside)]);
    let said = answer(&raise(&context, "claude", "PreToolUse"));
    assert_eq!(said["hookSpecificOutput"]["permissionDecision"], json!("deny"));
    let context = with_hooks(&[("a", "PreToolUse", "", r#"echo '{"PreToolUse":{"decision":"denied"}}'"#)]);
    assert_eq!(raise(&context, "claude", "PreToolUse").stdout, "");
    assert!(trail(&context).contains("not a valid answer"), "{}", trail(&context));
}

const DEFER: &str = r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"defer","permissionDecisionReason":"later"}}'"#;

/// What Claude Code is told before a tool: decision and reason.
fn decided(context: &TestContext) -> (Value, Value) {
    let said = answer(&raise(context, "claude", "PreToolUse"));
    let own = &said["hookSpecificOutput"];
    assert_eq!(own["hookEventName"], "PreToolUse");
    (own["permissionDecision"].clone(), own["permissionDecisionReason"].clone())
}

#[test]
fn a_decision_that_is_put_off_reaches_the_agent_that_knows_it() {
    for (event, format) in [("claude:PreToolUse", ""), ("PreToolUse", "claude")] {
        let context = with_hooks(&[("a", event, format, DEFER)]);
        assert_eq!(decided(&context), (json!("defer"), json!("later")), "{event}");
        assert!(trail(&context).contains(r#""decision":"defer""#), "{}", trail(&context));
    }
}

#[test]
fn deny_beats_ask_beats_defer_beats_allow() {
    let own = |word: &str| {
        format!(
            r#"echo '{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"{word}","permissionDecisionReason":"{word}!"}}}}'"#
        )
    };
    let canonical = |word: &str| format!(r#"echo '{{"PreToolUse":{{"decision":"{word}","reason":"{word}!"}}}}'"#);
    for (other, wins) in [("deny", "deny"), ("ask", "ask"), ("allow", "defer")] {
        for (format, said) in [("claude", own(other)), ("", canonical(other))] {
            let one = ("PreToolUse", "claude", DEFER);
            let two = ("PreToolUse", format, said.as_str());
            for (first, second) in [(one, two), (two, one)] {
                let context = with_hooks(&[("a", first.0, first.1, first.2), ("b", second.0, second.1, second.2)]);
                let reason = if wins == "defer" { "later".to_owned() } else { format!("{other}!") };
                assert_eq!(decided(&context), (json!(wins), json!(reason)), "{other} in `{format}`, {first:?} first");
            }
        }
    }
}

#[test]
fn an_agent_that_cannot_put_a_decision_off_is_not_told_to() {
    // Codex would throw away everything that stands beside the word.
    let more = r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"defer","additionalContext":"C"}}'"#;
    for (agent, event, format) in [
        ("codex", "PreToolUse", "claude"),
        ("codex", "PreToolUse", "codex"),
        ("codex", "codex:PreToolUse", ""),
        ("cursor", "PreToolUse", "claude"),
    ] {
        let context = with_hooks(&[("a", event, format, more)]);
        let output = raise(&context, agent, "PreToolUse");
        assert!(output.stdout.contains('C') && !output.stdout.contains("defer"), "{agent} {event}: {output:?}");
    }
    let context = with_hooks(&[("a", "PreToolUse", "claude", more)]);
    assert!(raise(&context, "codex", "PreToolUse").stdout.contains('C'));
    assert!(trail(&context).contains("no effect here: permissionDecision"), "{}", trail(&context));
}

/// A handler that names an agent's own event means what that agent makes of exit code 2.
#[test]
fn exit_code_2_at_an_agents_own_event_is_the_refusal_that_agent_reads() {
    let no = "echo NO >&2; exit 2";
    let context = with_hooks(&[("a", "gemini:AfterTool", "", no)]);
    assert_eq!(answer(&raise(&context, "gemini", "AfterTool")), json!({"decision": "deny", "reason": "NO"}));
    assert!(trail(&context).contains(r#""decision":"deny""#), "{}", trail(&context));
    let context = with_hooks(&[("a", "codex:PostToolUse", "", no)]);
    let output = raise(&context, "codex", "PostToolUse");
    assert_eq!((output.code, output.stderr.as_str(), output.stdout.as_str()), (2, "NO", ""), "{output:?}");
    // By the name all agents share it is the same everywhere: the reason reaches the model.
    let context = with_hooks(&[("a", "PostToolUse", "gemini", no)]);
    let said = answer(&raise(&context, "gemini", "AfterTool"));
    assert_eq!(said["hookSpecificOutput"]["additionalContext"], json!("NO"), "{said}");
}

/// The secret scanner that Gemini CLI's own guide prints its refusal with.
#[test]
fn a_refusal_in_json_on_standard_error_is_understood() {
    let scanner = |code: u8| format!(r#"echo '{{"decision":"deny","reason":"Potential secret"}}' >&2; exit {code}"#);
    for (event, format) in [("PreToolUse", "gemini"), ("gemini:BeforeTool", "")] {
        for code in [0, 1, 2] {
            let context = with_hooks(&[("a", event, format, &scanner(code))]);
            let said = answer(&raise(&context, "gemini", "BeforeTool"));
            assert_eq!(said, json!({"decision": "deny", "reason": "Potential secret"}), "{event} exit {code}");
        }
    }
    // Whatever the language, the reason of a refusal by exit code is not a piece of JSON.
    let canonical = r#"echo '{"PreToolUse":{"decision":"deny","reason":"Because"}}' >&2; exit 2"#;
    let context = with_hooks(&[("a", "PreToolUse", "", canonical)]);
    assert_eq!(decided(&context), (json!("deny"), json!("Because")));
    // With exit code 0 only Gemini CLI looks there.
    let context = with_hooks(&[("a", "PreToolUse", "claude", &scanner(0))]);
    assert_eq!(raise(&context, "claude", "PreToolUse").stdout, "");
    // What is no JSON stays the reason, wherever the language has it.
    let context = with_hooks(&[("a", "gemini:BeforeTool", "", "echo out; echo log >&2; exit 2")]);
    assert_eq!(answer(&raise(&context, "gemini", "BeforeTool"))["reason"], json!("out"));
    let context = with_hooks(&[("a", "PreToolUse", "", "echo out; echo why >&2; exit 2")]);
    assert_eq!(decided(&context), (json!("deny"), json!("why")));
}

#[test]
fn text_that_gemini_cli_would_show_to_the_person_is_shown() {
    for (event, own) in [
        ("gemini:BeforeTool", "BeforeTool"),
        ("gemini:AfterTool", "AfterTool"),
        ("gemini:BeforeAgent", "BeforeAgent"),
        ("gemini:AfterAgent", "AfterAgent"),
        ("gemini:SessionStart", "SessionStart"),
        ("gemini:BeforeModel", "BeforeModel"),
    ] {
        let context = with_hooks(&[("a", event, "", "echo Formatted two files")]);
        let said = answer(&raise(&context, "gemini", own));
        // At the start of a session it stands behind the notes of ours.
        let shown = said["systemMessage"].as_str().unwrap_or_default();
        assert!(shown.ends_with("Formatted two files"), "{event}: {said}");
        // A program that fails speaks to its author.
        let context = with_hooks(&[("a", event, "", "echo Formatted two files; exit 1")]);
        assert!(!raise(&context, "gemini", own).stdout.contains("Formatted"), "{event}");
    }
    // Beside the answers of others, in JSON.
    let other = r#"echo '{"PostToolUse":{"additionalContext":"C"}}'"#;
    let context = with_hooks(&[("a", "PostToolUse", "gemini", "echo Note"), ("b", "PostToolUse", "", other)]);
    let said = answer(&raise(&context, "gemini", "AfterTool"));
    assert_eq!(
        (&said["systemMessage"], &said["hookSpecificOutput"]["additionalContext"]),
        (&json!("Note"), &json!("C"))
    );
    // Other agents have no use for it, and are not told.
    assert!(!raise(&context, "claude", "PostToolUse").stdout.contains("Note"));
}

#[test]
fn opencodes_own_names_for_the_shared_events_work() {
    let context =
        with_hooks(&[("a", "opencode:tool.execute.before", "", r#"grep -q '"args"' && echo NO >&2; exit 2"#)]);
    let payload = json!({"event": "pre-tool-use", "session_id": "s", "cwd": context.workspace(), "tool": "bash",
        "args": {"command": "ls"}});
    let said = context.invoke_hook("opencode", "pre-tool-use", &payload.to_string());
    assert_eq!(serde_json::from_str::<Value>(&said.stdout).unwrap(), json!({"deny": "NO"}), "{said:?}");
}
