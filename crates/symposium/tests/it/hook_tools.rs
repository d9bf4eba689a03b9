//! Which tool is which: whatever an agent calls the tool that runs a command or changes a file, the guard is asked.

use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::hook::executable;
use crate::with_fixture;

const PATCH: &str =
    "*** Begin Patch\n*** Add File: a.rs\n+secret\n*** Update File: b.rs\n@@\n-old\n+new\n*** End Patch\n";

/// A guard for commands and one for files; each denies whatever it is asked about and says what that was.
fn with_guards() -> TestContext {
    let context = with_fixture(&["workspace0"]);
    let manifest = "name = \"policy\"\n\
        [[hooks]]\nname = \"command\"\nevent = \"PreToolUse\"\nmatcher = \"Bash\"\norder = \"policy\"\ncommand = \"./command.sh\"\n\
        [[hooks]]\nname = \"files\"\nevent = \"PreToolUse\"\nmatcher = \"Edit|Write\"\norder = \"policy\"\ncommand = \"./files.sh\"\n";
    context.write_config("plugins/policy/SYMPOSIUM.toml", manifest);
    executable(&context, "plugins/policy/command.sh", "#!/bin/sh\necho NO-COMMAND >&2\nexit 2\n");
    executable(&context, "plugins/policy/files.sh", "#!/bin/sh\necho NO-FILES >&2\nexit 2\n");
    context
}

/// An event before a tool, as the agent sends it.
pub(crate) fn before_tool(agent: &str, context: &TestContext, tool: &str, input: &Value) -> Value {
    let cwd = context.workspace().display().to_string();
    match agent {
        "copilot" => json!({"sessionId": "s", "timestamp": 1, "cwd": cwd, "toolName": tool, "toolArgs": input}),
        "opencode" => {
            json!({"event": "pre-tool-use", "session_id": "s", "cwd": cwd, "tool": tool, "args": input})
        }
        "goose" => {
            json!({"event": "PreToolUse", "session_id": "s", "tool_name": tool, "tool_input": input, "working_dir": cwd})
        }
        "gemini" => {
            json!({"session_id": "s", "transcript_path": "/t", "cwd": cwd, "hook_event_name": "BeforeTool",
                "timestamp": "t", "tool_name": tool, "tool_input": input})
        }
        "cursor" => {
            json!({"session_id": "s", "hook_event_name": "preToolUse", "cursor_version": "1", "cwd": cwd,
                "tool_name": tool, "tool_input": input})
        }
        _ => {
            json!({"session_id": "s", "transcript_path": "/t", "cwd": cwd, "hook_event_name": "PreToolUse",
                "permission_mode": "default", "tool_name": tool, "tool_input": input})
        }
    }
}

/// What an event is answered, in whichever form.
fn answer(context: &TestContext, agent: &str, tool: &str, input: &Value) -> String {
    let event = before_tool(agent, context, tool, input).to_string();
    let output = context.invoke_hook(agent, "pre-tool-use", &event);
    format!("{}{}", output.stdout, output.stderr)
}

#[test]
fn guards_are_asked_about_every_tool_that_runs_a_command_or_changes_a_file() {
    let context = with_guards();
    let patch = json!({ "patchText": PATCH });
    let path = json!({"path": "a.rs"});
    for (agent, tool, input, expected) in [
        ("opencode", "apply_patch", &patch, "NO-FILES"),
        ("opencode", "patch", &patch, "NO-FILES"),
        ("opencode", "multiedit", &json!({"filePath": "a.rs", "edits": []}), "NO-FILES"),
        ("copilot", "apply_patch", &json!(PATCH), "NO-FILES"),
        ("copilot", "str_replace_editor", &json!({"command": "create", "path": "a.rs"}), "NO-FILES"),
        ("copilot", "str_replace_editor", &json!({"command": "insert", "path": "a.rs"}), "NO-FILES"),
        ("copilot", "powershell", &json!({"command": "ls"}), "NO-COMMAND"),
        ("copilot", "write_bash", &json!({"shellId": "0", "input": "ls\n"}), "NO-COMMAND"),
        ("copilot", "write_powershell", &json!({"shellId": "0", "input": "ls\n"}), "NO-COMMAND"),
        ("claude", "Monitor", &json!({"command": "ls", "description": "d"}), "NO-COMMAND"),
        ("claude", "PowerShell", &json!({"command": "ls"}), "NO-COMMAND"),
        ("claude", "NotebookEdit", &json!({"notebook_path": "a.ipynb", "new_source": "1"}), "NO-FILES"),
        ("claude", "MultiEdit", &json!({"file_path": "a.rs", "edits": []}), "NO-FILES"),
        ("codex", "write_stdin", &json!({"session_id": 1, "chars": "ls\n"}), "NO-COMMAND"),
        ("cursor", "Delete", &json!({"file_path": "a.rs"}), "NO-FILES"),
        ("cursor", "StrReplace", &path, "NO-FILES"),
        ("cursor", "EditNotebook", &path, "NO-FILES"),
        ("cursor", "WriteShellStdin", &json!({"shell_id": "1", "chars_length": 3}), "NO-COMMAND"),
        ("goose", "developer__shell", &json!({"command": "ls"}), "NO-COMMAND"),
        ("goose", "execute_typescript", &json!({"code": "Developer.shell({command: 'ls'})"}), "NO-COMMAND"),
        ("goose", "developer__text_editor", &json!({"command": "write", "path": "a.rs"}), "NO-FILES"),
        ("goose", "developer__text_editor", &json!({"command": "str_replace", "path": "a.rs"}), "NO-FILES"),
        ("goose", "computercontroller__docx_tool", &json!({"operation": "update_doc", "path": "a"}), "NO-FILES"),
        ("kiro", "execute_cmd", &json!({"command": "dir"}), "NO-COMMAND"),
        ("kiro", "fs_write", &json!({"command": "create", "path": "a.rs"}), "NO-FILES"),
    ] {
        let said = answer(&context, agent, tool, input);
        assert!(said.contains(expected), "{agent} {tool}: {said:?}");
    }
    for (agent, tool, input) in [
        ("goose", "developer__text_editor", &json!({"command": "view", "path": "a.rs"})),
        ("copilot", "str_replace_editor", &json!({"command": "view", "path": "a.rs"})),
        ("goose", "computercontroller__docx_tool", &json!({"operation": "extract_text", "path": "a"})),
        ("claude", "Read", &json!({"file_path": "a.rs"})),
    ] {
        let said = answer(&context, agent, tool, input);
        assert!(!said.contains("NO-"), "{agent} {tool} only reads: {said:?}");
    }
}

/// A patch in the settings of Copilot that are in Claude's spelling has the name of another tool.
#[test]
fn a_patch_of_copilot_is_known_in_either_spelling() {
    let context = with_guards();
    let event = json!({"hook_event_name": "PreToolUse", "session_id": "s", "timestamp": "2026-01-01T00:00:00Z",
        "cwd": context.workspace(), "tool_name": "Edit", "tool_input": PATCH});
    let said = context.invoke_hook("claude", "pre-tool-use", &event.to_string()).stdout;
    assert!(said.contains("NO-FILES"), "{said}");
}

/// A handler in Claude's format is asked once for each file a patch touches, whichever agent made the patch.
#[test]
fn a_handler_in_claudes_format_sees_each_file_of_a_patch() {
    let context = with_fixture(&["workspace0"]);
    let manifest = "name = \"c\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\nmatcher = \"Edit|Write\"\nformat = \"claude\"\ncommand = \"./h.sh\"\n";
    context.write_config("plugins/c/SYMPOSIUM.toml", manifest);
    let seen = context.root().join("seen");
    executable(&context, "plugins/c/h.sh", &format!("#!/bin/sh\ncat >> {0}\necho >> {0}\n", seen.display()));
    for (agent, tool, input) in [
        ("opencode", "apply_patch", json!({ "patchText": PATCH })),
        ("copilot", "apply_patch", json!(PATCH)),
        ("codex", "apply_patch", json!({ "command": PATCH })),
    ] {
        let _ = std::fs::remove_file(&seen);
        answer(&context, agent, tool, &input);
        let text = std::fs::read_to_string(&seen).unwrap_or_default();
        let calls: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let told: Vec<(&Value, &Value)> =
            calls.iter().map(|call| (&call["tool_name"], &call["tool_input"]["file_path"])).collect();
        assert_eq!(told, [(&json!("Write"), &json!("a.rs")), (&json!("Edit"), &json!("b.rs"))], "{agent}: {text}");
    }
}

/// What a handler changes goes back under the agent's own keys, and nothing else is lost.
#[test]
fn a_changed_input_goes_back_as_the_agent_wrote_it() {
    let context = with_fixture(&["workspace0"]);
    let manifest = "name = \"c\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"./h.sh\"\n";
    context.write_config("plugins/c/SYMPOSIUM.toml", manifest);
    let script = r#"#!/bin/sh
case "$(cat)" in
  *'"tool_name":"Patch"'*) echo '{"decision": "allow", "updatedInput": {"patch": "NEW"}}' ;;
  *'"tool_name":"Bash"'*) echo '{"decision": "allow", "updatedInput": {"command": "NEW"}}' ;;
  *) echo '{"decision": "allow", "updatedInput": {"file_path": "NEW"}}' ;;
esac
"#;
    executable(&context, "plugins/c/h.sh", script);
    for (agent, tool, input, key, expected) in [
        ("opencode", "apply_patch", json!({"patchText": PATCH, "x": 1}), "/args", json!({"patchText": "NEW", "x": 1})),
        ("copilot", "apply_patch", json!(PATCH), "/modifiedArgs", json!("NEW")),
        (
            "copilot",
            "write_bash",
            json!({"shellId": "0", "input": "ls"}),
            "/modifiedArgs",
            json!({"shellId": "0", "input": "NEW"}),
        ),
        (
            "claude",
            "NotebookEdit",
            json!({"notebook_path": "a", "new_source": "1", "cell_id": "c"}),
            "/hookSpecificOutput/updatedInput",
            json!({"notebook_path": "NEW", "new_source": "1", "cell_id": "c"}),
        ),
        (
            "claude",
            "Monitor",
            json!({"command": "ls", "timeout_ms": 1}),
            "/hookSpecificOutput/updatedInput",
            json!({"command": "NEW", "timeout_ms": 1}),
        ),
        ("cursor", "Delete", json!({"file_path": "a"}), "/updated_input", json!({"file_path": "NEW"})),
    ] {
        let said = answer(&context, agent, tool, &input);
        let said: Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("{agent} {tool}: {said}"));
        assert_eq!(said.pointer(key), Some(&expected), "{agent} {tool}: {said}");
    }
}

/// A tool this version does not know is no reason to be silent about it.
#[test]
fn an_unknown_tool_with_a_command_or_a_path_leaves_a_line_while_a_guard_exists() {
    let context = with_guards();
    let log = || context.invoke(&["hook", "log", "--json"]).stdout;
    for (tool, input, is_noted) in [
        ("BrandNewShell", json!({"command": "ls"}), true),
        ("BrandNewEditor", json!({"filePath": "a.rs", "text": "x"}), true),
        ("BrandNewClock", json!({"zone": "utc"}), false),
        ("mcp__files__read", json!({"path": "a.rs"}), false),
        ("Glob", json!({"pattern": "*", "path": "."}), false),
    ] {
        assert_eq!(answer(&context, "claude", tool, &input), "", "{tool}");
        assert_eq!(log().contains(&format!("`{tool}`")), is_noted, "{tool}: {}", log());
    }
    assert!(!log().contains("a.rs"), "what a tool is given is not for logs");
    let context = with_fixture(&["workspace0"]);
    let manifest =
        "name = \"c\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\nmatcher = \"Glob\"\ncommand = \"true\"\n";
    context.write_config("plugins/c/SYMPOSIUM.toml", manifest);
    answer(&context, "claude", "BrandNewShell", &json!({"command": "ls"}));
    assert!(!context.invoke(&["hook", "log", "--json"]).stdout.contains("BrandNewShell"), "there is no guard");
}

/// VS Code reads the entries of Claude Code and of Copilot, and speaks with words of its own.
#[test]
fn a_deny_holds_in_vs_code_through_either_entry() {
    let context = with_guards();
    let cwd = context.workspace().display().to_string();
    let forms = [
        // As its documents have it, and as its source has it now, with and without a transcript.
        json!({"timestamp": "2026-02-09T10:30:00.000Z", "cwd": cwd, "sessionId": "s", "hookEventName": "PreToolUse",
            "transcript_path": "/t.json", "tool_use_id": "1"}),
        json!({"timestamp": "2026-02-09T10:30:00.000Z", "cwd": cwd, "session_id": "s", "hook_event_name": "PreToolUse",
            "transcript_path": "/t.json", "tool_use_id": "1"}),
        json!({"timestamp": "2026-02-09T10:30:00.000Z", "cwd": cwd, "session_id": "s", "hook_event_name": "PreToolUse",
            "tool_use_id": "1"}),
    ];
    let replacements = json!([{"filePath": "a.rs", "oldString": "a", "newString": "b"}]);
    for (tool, input, expected) in [
        ("run_in_terminal", json!({"command": "ls", "explanation": "e"}), "NO-COMMAND"),
        ("runTerminalCommand", json!({"command": "ls"}), "NO-COMMAND"),
        ("send_to_terminal", json!({"id": "1", "command": "ls"}), "NO-COMMAND"),
        ("create_and_run_task", json!({"task": {"label": "l", "command": "ls", "args": ["-a"]}}), "NO-COMMAND"),
        ("create_file", json!({"filePath": "a.rs", "content": "x"}), "NO-FILES"),
        ("replace_string_in_file", json!({"filePath": "a.rs", "oldString": "a", "newString": "b"}), "NO-FILES"),
        ("multi_replace_string_in_file", json!({ "replacements": replacements }), "NO-FILES"),
        ("insert_edit_into_file", json!({"filePath": "a.rs", "code": "x"}), "NO-FILES"),
        ("edit_notebook_file", json!({"filePath": "a.ipynb", "newCode": "x"}), "NO-FILES"),
        ("apply_patch", json!({"input": PATCH, "explanation": "e"}), "NO-FILES"),
    ] {
        for (form, host) in forms.iter().flat_map(|form| ["claude", "copilot"].map(|host| (form, host))) {
            let mut event = form.clone();
            event["tool_name"] = json!(tool);
            event["tool_input"] = input.clone();
            let said = context.invoke_hook(host, "pre-tool-use", &event.to_string()).expect(0);
            let said: Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("{host} {event}: {said:?}"));
            let own = &said["hookSpecificOutput"];
            assert_eq!(own["hookEventName"], "PreToolUse", "{host} {event}: {said}");
            assert_eq!(own["permissionDecision"], "deny", "{host} {event}: {said}");
            assert!(own["permissionDecisionReason"].as_str().unwrap().contains(expected), "{host} {event}: {said}");
        }
    }
}

/// A handler in Claude's format is told of VS Code's tools as of Claude's, and what it changes goes back.
#[test]
fn handlers_in_claudes_format_understand_vs_code() {
    let context = with_fixture(&["workspace0"]);
    let manifest =
        "name = \"c\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\nformat = \"claude\"\ncommand = \"./h.sh\"\n";
    context.write_config("plugins/c/SYMPOSIUM.toml", manifest);
    let seen = context.root().join("seen");
    let script = format!(
        "#!/bin/sh\ncat > {}\necho '{{\"hookSpecificOutput\": {{\"hookEventName\": \"PreToolUse\", \"updatedInput\": {{\"file_path\": \"NEW\"}}}}}}'\n",
        seen.display()
    );
    executable(&context, "plugins/c/h.sh", &script);
    let event = json!({"timestamp": "2026-02-09T10:30:00.000Z", "cwd": context.workspace(), "sessionId": "s",
        "hookEventName": "PreToolUse", "transcript_path": "/t.json", "tool_use_id": "1", "tool_name": "create_file",
        "tool_input": {"filePath": "a.rs", "content": "x", "y": 1}});
    let said = context.invoke_hook("claude", "pre-tool-use", &event.to_string()).expect(0);
    let told: Value = serde_json::from_str(&std::fs::read_to_string(&seen).unwrap()).unwrap();
    assert_eq!((&told["tool_name"], &told["tool_input"]["file_path"]), (&json!("Write"), &json!("a.rs")), "{told}");
    let said: Value = serde_json::from_str(&said).unwrap();
    let expected = json!({"filePath": "NEW", "content": "x", "y": 1});
    assert_eq!(said["hookSpecificOutput"]["updatedInput"], expected, "{said}");
}

/// What reads Claude's settings and is nobody we know is answered in Claude's form.
#[test]
fn an_unknown_guest_in_claudes_settings_reads_claudes_form() {
    let context = with_guards();
    let plain = json!({"timestamp": "t", "cwd": context.workspace(), "hook_event_name": "PreToolUse", "session_id": "s",
        "tool_name": "Bash", "tool_input": {"command": "ls"}});
    for extra in [json!({}), json!({"transcript_path": "/t"}), json!({"tool_call_id": "1"})] {
        let mut event = plain.clone();
        event.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let said = context.invoke_hook("claude", "pre-tool-use", &event.to_string()).expect(0);
        let said: Value = serde_json::from_str(&said).unwrap();
        assert_eq!(said["hookSpecificOutput"]["permissionDecision"], "deny", "{event}: {said}");
    }
}

/// A server in a clone's settings must not make the name of another server's tool ambiguous.
#[test]
fn a_guard_for_a_server_is_asked_when_the_name_fits_two() {
    let context = with_fixture(&["workspace0"]);
    let manifest = "name = \"c\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\nmatcher = \"mcp__hub__create-issue\"\ncommand = \"sh -c 'echo NO-SERVER >&2; exit 2'\"\n";
    context.write_config("plugins/c/SYMPOSIUM.toml", manifest);
    let server = |name: &str| json!({"mcpServers": {name: {"command": "true"}}}).to_string();
    std::fs::create_dir_all(context.root().join("home/.copilot")).unwrap();
    std::fs::write(context.root().join("home/.copilot/mcp-config.json"), server("hub")).unwrap();
    context.invoke(&["init", "--yes", "--agent", "copilot"]).expect(0);
    let ask = || answer(&context, "copilot", "hub-create-issue", &json!({}));
    assert!(ask().contains("NO-SERVER"), "{}", ask());
    std::fs::write(context.workspace().join(".mcp.json"), server("hub-create")).unwrap();
    context.invoke(&["sync"]).expect(0);
    assert!(ask().contains("NO-SERVER"), "{}", ask());
}
