//! Events of one agent alone: its own JSON in and out.

use serde_json::{Value, json};
use symposium_testkit::{Output, TestContext};

use crate::hook::executable;
use crate::with_fixture;

/// A payload as the real program sent it, in this workspace.
fn recorded(context: &TestContext, agent: &str, name: &str) -> Value {
    let file = format!("{}/../agents/tests/native/{agent}/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut payload: Value = serde_json::from_str(&text).unwrap();
    payload["cwd"] = json!(context.workspace());
    payload
}

/// A user's plugin of these hooks: name, event, what else the manifest says, and the script.
fn plugin(context: &TestContext, hooks: &[(&str, &str, &str, &str)]) {
    let mut manifest = String::from("name = \"mine\"\n");
    for (name, event, more, script) in hooks {
        manifest.push_str(&format!(
            "[[hooks]]\nname = \"{name}\"\nevent = \"{event}\"\ncommand = \"./{name}.sh\"\n{more}\n"
        ));
        executable(context, &format!("plugins/mine/{name}.sh"), &format!("#!/bin/sh\n{script}\n"));
    }
    context.write_config("plugins/mine/SYMPOSIUM.toml", manifest);
}

fn with_hooks(hooks: &[(&str, &str, &str, &str)]) -> TestContext {
    let context = with_fixture(&["workspace0"]);
    plugin(&context, hooks);
    context
}

#[track_caller]
fn answer(output: &Output) -> Value {
    assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{}", output.transcript());
    serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error} in {}", output.stdout))
}

fn trail(context: &TestContext) -> String {
    std::fs::read_to_string(context.config_dir().join("logs/hooks.jsonl")).unwrap_or_default()
}

#[test]
fn every_event_of_gemini_reaches_its_handler_as_it_was_sent() {
    let own = ["SessionEnd", "BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress", "Notification"];
    let script = "cat > \"$SYMPOSIUM_PLUGIN_DIR/seen\"; printf '%s %s' \"$SYMPOSIUM_EVENT\" \"$SYMPOSIUM_AGENT\" > \"$SYMPOSIUM_PLUGIN_DIR/told\"";
    let events: Vec<String> = own.iter().map(|event| format!("gemini:{event}")).collect();
    let hooks: Vec<_> = own.iter().zip(&events).map(|(name, event)| (*name, event.as_str(), "", script)).collect();
    let context = with_hooks(&hooks);
    for event in own {
        let payload = recorded(&context, "gemini", event);
        let output = context.invoke_hook("gemini", event, &payload.to_string());
        let neutral = if event == "BeforeToolSelection" { "" } else { "{}" };
        assert_eq!((output.stdout.as_str(), output.code), (neutral, 0), "{event}");
        let seen = |file: &str| std::fs::read_to_string(context.config_dir().join("plugins/mine").join(file)).unwrap();
        assert_eq!(seen("seen"), payload.to_string(), "{event}: not a byte differs");
        assert_eq!(seen("told"), format!("gemini:{event} gemini"));
    }
}

#[test]
fn what_is_no_character_keeps_no_handler_out_of_play() {
    let context = with_hooks(&[("no", "claude:PreCompact", "", "echo 'not now' >&2; exit 2")]);
    let payload = recorded(&context, "claude", "PreCompact.manual").to_string();
    let half = payload.replacen('{', "{\"half\":\"\\ud83d\",", 1);
    assert!(serde_json::from_str::<Value>(&half).is_err());
    let output = context.invoke_hook("claude", "PreCompact", &half);
    assert!(output.code == 2 && output.stderr.contains("not now"), "{output:?}");
}

#[test]
fn a_request_is_changed_by_one_handler_after_the_other() {
    let context = with_hooks(&[
        (
            "cool",
            "gemini:BeforeModel",
            "order = \"policy\"",
            r#"echo '{"hookSpecificOutput":{"hookEventName":"BeforeModel","llm_request":{"config":{"temperature":0,"topP":0.95,"topK":64}}}}'"#,
        ),
        (
            "route",
            "gemini:BeforeModel",
            "",
            r#"case "$(cat)" in *'"temperature":0,'*) echo '{"hookSpecificOutput":{"llm_request":{"model":"gemini-2.5-flash"}}}' ;; *) echo 'not seen' >&2; exit 2 ;; esac"#,
        ),
    ]);
    let payload = recorded(&context, "gemini", "BeforeModel");
    let output = context.invoke_hook("gemini", "BeforeModel", &payload.to_string());
    let expected = json!({"hookSpecificOutput": {"hookEventName": "BeforeModel", "llm_request": {
        "model": "gemini-2.5-flash", "config": {"temperature": 0, "topP": 0.95, "topK": 64}}}});
    assert_eq!(answer(&output), expected);
}

#[test]
fn a_synthetic_answer_ends_the_chain_and_needs_a_deny() {
    let response = r#"{"candidates":[{"content":{"role":"model","parts":["from the cache"]},"finishReason":"STOP"}]}"#;
    let with_deny =
        format!(r#"echo '{{"decision":"deny","reason":"cached","hookSpecificOutput":{{"llm_response":{response}}}}}'"#);
    let context = with_hooks(&[
        ("cache", "gemini:BeforeModel", "", &with_deny),
        ("later", "gemini:BeforeModel", "order = \"rewrite\"", "touch \"$SYMPOSIUM_PLUGIN_DIR/asked\""),
    ]);
    let payload = recorded(&context, "gemini", "BeforeModel.later_turn");
    let output = context.invoke_hook("gemini", "BeforeModel", &payload.to_string());
    let response: Value = serde_json::from_str(response).unwrap();
    let expected = json!({"decision": "deny", "reason": "cached", "hookSpecificOutput": {"llm_response": response}});
    assert_eq!(answer(&output), expected);
    assert!(!context.config_dir().join("plugins/mine/asked").exists(), "nobody else is asked");
    assert!(trail(&context).contains(r#""decision":"deny""#));

    plugin(
        &context,
        &[("cache", "gemini:BeforeModel", "", r#"echo '{"hookSpecificOutput":{"llm_response":{"candidates":[]}}}'"#)],
    );
    let output = context.invoke_hook("gemini", "BeforeModel", &payload.to_string());
    assert_eq!(answer(&output), json!({"hookSpecificOutput": {"llm_response": {"candidates": []}}}));
    assert!(trail(&context).contains("has an effect only with"), "{}", trail(&context));
}

#[test]
fn a_response_is_redacted() {
    let redact = r#"sed -e 's/FINAL/[redacted]/g' | sed -e 's/.*"llm_response":/{"hookSpecificOutput":{"hookEventName":"AfterModel","llm_response":/' -e 's/}$/}}/' -e 's/,"session_id".*/}}/'"#;
    let context = with_hooks(&[("redact", "gemini:AfterModel", "", redact)]);
    let payload = recorded(&context, "gemini", "AfterModel.final");
    // The response last, so that a line of `sed` can cut it out.
    let mut fields: Vec<(String, Value)> = payload.as_object().unwrap().clone().into_iter().collect();
    fields.sort_by_key(|(key, _)| key == "llm_response");
    let text: Vec<String> = fields.iter().map(|(key, value)| format!("{}:{value}", json!(key))).collect();
    let output = context.invoke_hook("gemini", "AfterModel", &format!("{{{}}}", text.join(",")));
    let answer = answer(&output);
    let mut expected = payload["llm_response"].clone();
    expected["text"] = json!("[redacted]");
    expected["candidates"][0]["content"]["parts"] = json!(["[redacted]"]);
    assert_eq!(answer, json!({"hookSpecificOutput": {"hookEventName": "AfterModel", "llm_response": expected}}));
}

#[test]
fn tools_are_narrowed() {
    let tools = |mode: &str, names: &str| {
        format!(
            r#"echo '{{"hookSpecificOutput":{{"hookEventName":"BeforeToolSelection","toolConfig":{{"mode":"{mode}","allowedFunctionNames":[{names}]}}}}}}'"#
        )
    };
    let context = with_hooks(&[
        ("read", "gemini:BeforeToolSelection", "", &tools("ANY", r#""read_file","glob""#)),
        ("search", "gemini:BeforeToolSelection", "", &tools("AUTO", r#""grep_search","glob""#)),
    ]);
    let payload = recorded(&context, "gemini", "BeforeToolSelection").to_string();
    let output = context.invoke_hook("gemini", "BeforeToolSelection", &payload);
    let config = json!({"mode": "ANY", "allowedFunctionNames": ["read_file", "glob", "grep_search"]});
    let expected = json!({"hookSpecificOutput": {"hookEventName": "BeforeToolSelection", "toolConfig": config}});
    assert_eq!(answer(&output), expected);
}

#[test]
fn matchers_go_by_what_the_event_is_about() {
    let context = with_hooks(&[
        ("clear", "gemini:SessionEnd", "matcher = \"clear\"", "echo '{\"systemMessage\":\"cleared\"}'"),
        ("compact", "claude:PreCompact", "matcher = \"auto\"", "exit 2"),
    ]);
    let send = |agent: &str, event: &str, name: &str| {
        context.invoke_hook(agent, event, &recorded(&context, agent, name).to_string())
    };
    assert_eq!(answer(&send("gemini", "SessionEnd", "SessionEnd")), json!({}));
    assert_eq!(answer(&send("gemini", "SessionEnd", "SessionEnd.clear")), json!({"systemMessage": "cleared"}));
    assert_eq!(send("claude", "PreCompact", "PreCompact.manual").code, 0);
}

#[test]
fn a_refusal_reaches_each_agent_as_it_reads_one() {
    let context = with_hooks(&[
        ("model", "gemini:BeforeModel", "", "echo 'not now' >&2; exit 2"),
        ("compact", "claude:PreCompact", "", "echo 'not now' >&2; exit 2"),
        ("permission", "claude:PermissionRequest", "matcher = \"Bash\"", "kill -9 $$"),
        ("hang", "claude:SubagentStop", "timeout = 1\non-failure = \"block\"", "sleep 30"),
    ]);
    let send = |agent: &str, event: &str, name: &str| {
        context.invoke_hook(agent, event, &recorded(&context, agent, name).to_string())
    };
    let deny = json!({"decision": "deny", "reason": "not now"});
    assert_eq!(answer(&send("gemini", "BeforeModel", "BeforeModel")), deny);
    let output = send("claude", "PreCompact", "PreCompact.manual");
    assert_eq!((output.stdout.as_str(), output.stderr.as_str(), output.code), ("", "not now", 2));
    let output = send("claude", "PermissionRequest", "PermissionRequest.Bash");
    assert_eq!((output.stderr.as_str(), output.code), ("Blocked by mine/permission", 2));
    let output = send("claude", "SubagentStop", "SubagentStop");
    assert_eq!(output.code, 2);
    assert!(output.stderr.contains("timed out"), "{}", output.stderr);
}

#[test]
fn whatever_else_goes_wrong_is_no_answer() {
    let context = with_hooks(&[
        ("text", "gemini:BeforeToolSelection", "", "echo 'any object would change the request'"),
        ("odd", "gemini:AfterModel", "", "echo '[1]'"),
        ("broken", "gemini:BeforeModel", "", "echo oops; exit 3"),
        ("gone", "gemini:Notification", "", "exit 0"),
    ]);
    std::fs::remove_file(context.config_dir().join("plugins/mine/gone.sh")).unwrap();
    for (event, name, neutral) in [
        ("BeforeToolSelection", "BeforeToolSelection", ""),
        ("AfterModel", "AfterModel", "{}"),
        ("BeforeModel", "BeforeModel", "{}"),
        ("Notification", "Notification", "{}"),
        ("PreCompress", "PreCompress", "{}"),
    ] {
        let output = context.invoke_hook("gemini", event, &recorded(&context, "gemini", name).to_string());
        assert_eq!((output.stdout.as_str(), output.stderr.as_str(), output.code), (neutral, "", 0), "{event}");
        for nonsense in ["", "[]", "{", "\u{0}", "null"] {
            let output = context.invoke_hook("gemini", event, nonsense);
            assert_eq!((output.stdout.as_str(), output.code), (neutral, 0), "{event} {nonsense}");
        }
    }
}

#[test]
fn an_event_nobody_handles_compiles_nothing() {
    let context = with_hooks(&[("model", "gemini:BeforeModel", "", "true")]);
    let payload = recorded(&context, "gemini", "AfterModel").to_string();
    context.settle();
    context.invoke_hook("gemini", "AfterModel", &payload).expect(0);
    let plans = context.config_dir().join("cache/plans");
    let plan = std::fs::read_dir(&plans).unwrap().next().unwrap().unwrap().path().join("stop.json");
    let written = || std::fs::metadata(&plan).unwrap().modified().unwrap();
    // What is compiled after this is newer.
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(1000);
    std::fs::File::options().write(true).open(&plan).unwrap().set_modified(old).unwrap();
    let before = written();
    assert_eq!(context.invoke_hook("gemini", "AfterModel", &payload).stdout, "{}");
    assert_eq!(written(), before, "the plans are there, and none is for this event");
}

#[test]
fn an_agents_own_name_for_an_event_runs_beside_the_canonical_one() {
    let context = with_hooks(&[
        (
            "own",
            "gemini:AfterTool",
            "",
            r#"echo '{"systemMessage":"hi","hookSpecificOutput":{"additionalContext":"own","tailToolCallRequest":{"name":"ls","args":{}}}}'"#,
        ),
        ("shared", "PostToolUse", "", r#"echo '{"additionalContext":"shared"}'"#),
        (
            "pre",
            "claude:PreToolUse",
            "",
            r#"echo '{"systemMessage":"hi","hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"own"}}'"#,
        ),
    ]);
    let cwd = context.workspace();
    let payload = json!({"session_id": "s", "cwd": cwd, "hook_event_name": "AfterTool", "timestamp": "t", "transcript_path": "/t",
        "tool_name": "glob", "tool_input": {"pattern": "*"}, "tool_response": {"llmContent": "x"}});
    let output = context.invoke_hook("gemini", "AfterTool", &payload.to_string());
    let own = json!({"additionalContext": "own\n\nshared", "hookEventName": "AfterTool",
        "tailToolCallRequest": {"name": "ls", "args": {}}});
    assert_eq!(answer(&output), json!({"systemMessage": "hi", "hookSpecificOutput": own}));

    let payload = json!({"session_id": "s", "transcript_path": "/t", "cwd": cwd, "hook_event_name": "PreToolUse",
        "permission_mode": "default", "tool_name": "Bash", "tool_input": {"command": "ls"}});
    let output = context.invoke_hook("claude", "PreToolUse", &payload.to_string());
    let own = json!({"hookEventName": "PreToolUse", "additionalContext": "own"});
    assert_eq!(answer(&output), json!({"systemMessage": "hi", "hookSpecificOutput": own}));
    let output = context.invoke_hook("codex", "PreToolUse", &payload.to_string());
    assert_eq!(output.stdout, "", "it is for Claude Code alone");
}

#[test]
fn authors_can_try_them() {
    let context = with_hooks(&[("model", "gemini:BeforeModel", "", "echo 'not now' >&2; exit 2")]);
    let manifest = context.config_dir().join("plugins/mine/SYMPOSIUM.toml");
    let cases = "[[hooks.tests]]\ninput = { llm_request = { model = \"m\" } }\ndecision = \"deny\"\nreason = \"not now\"\n\
        [[hooks.tests]]\ninput = { llm_request = { model = \"m\" } }\ndecision = \"none\"\n";
    std::fs::write(&manifest, std::fs::read_to_string(&manifest).unwrap() + cases).unwrap();
    let output = context.invoke(&["hook", "test", manifest.to_str().unwrap(), "--agent", "gemini"]);
    let found: Vec<&str> = output.stdout.lines().filter(|line| line.starts_with("case ")).collect();
    assert_eq!(found, ["case 1  ok", "case 2  FAILED"], "{}", output.transcript());
    assert!(output.stdout.contains("expected the decision `none`, got `deny` (not now)"), "{}", output.transcript());
}

#[test]
fn events_of_opencode_reach_their_handlers() {
    let context =
        with_hooks(&[("idle", "opencode:session.idle", "", "cat > \"$SYMPOSIUM_PLUGIN_DIR/seen\"; echo text; exit 2")]);
    let mut command = json!({"type": "session.idle", "properties": {"sessionID": "s"}});
    command["cwd"] = json!(context.workspace());
    let output = context.invoke_hook("opencode", "session.idle", &command.to_string());
    assert_eq!((output.stdout.as_str(), output.stderr.as_str(), output.code), ("{}", "", 0));
    let seen = std::fs::read_to_string(context.config_dir().join("plugins/mine/seen")).unwrap();
    assert_eq!(seen, command.to_string());
    assert!(trail(&context).contains("does not let a hook deny"));
}
