//! `symposium import`: what somebody has in one agent, for every agent.

use std::path::{Path, PathBuf};

use expect_test::expect;
use serde_json::{Value, json};
use symposium_testkit::{Output, TestContext};

use crate::{check, json as document, with_fixture};

/// A file below the home of the test.
pub(crate) fn home(context: &TestContext, path: &str) -> PathBuf {
    context.root().join("home").join(path)
}

pub(crate) fn write_home(context: &TestContext, path: &str, text: &str) {
    let path = home(context, path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), &target).unwrap();
        }
    }
}

/// Somebody who uses Claude Code with six hooks, two MCP servers and a skill.
pub(crate) fn with_six_hooks() -> TestContext {
    let context = with_fixture(&["workspace0"]);
    let fixture = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/claude-six-hooks"));
    copy(&fixture.join("dot-claude"), &home(&context, ".claude"));
    std::fs::copy(fixture.join("dot-claude.json"), home(&context, ".claude.json")).unwrap();
    context
}

pub(crate) fn manifest(context: &TestContext, agent: &str) -> String {
    let path = context.config_dir().join(format!("plugins/imported-{agent}/SYMPOSIUM.toml"));
    context.normalize_paths(&std::fs::read_to_string(path).unwrap())
}

/// A payload as the real program sent it, in this workspace, with some of it changed.
pub(crate) fn recorded(context: &TestContext, agent: &str, name: &str, changes: &[(&str, Value)]) -> String {
    let file = format!("{}/../agents/tests/payloads/{agent}/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut payload: Value = serde_json::from_str(&text).unwrap();
    for key in ["cwd", "working_dir"] {
        if payload.get(key).is_some() {
            payload[key] = json!(context.workspace());
        }
    }
    for (pointer, value) in changes {
        *payload.pointer_mut(pointer).unwrap_or_else(|| panic!("{file} has no {pointer}")) = value.clone();
    }
    payload.to_string()
}

#[test]
#[expect(clippy::too_many_lines, reason = "what is expected is long, not the code")]
fn what_is_there_is_reported_written_and_valid() {
    let context = with_six_hooks();
    check(
        context.invoke(&["import", "--from", "claude", "--dry-run"]),
        expect![[r#"
        Would import 6 hooks, 2 MCP servers, 1 skill from Claude Code into
        ~/.symposium/plugins/imported-claude

        ~/.claude/settings.json
          hook   remind-tests   PostToolUse Write|Edit
          hook   no-force-push  PreToolUse Bash
          hook   pre-tool-use   PreToolUse Bash
          hook   protect-lock   PreToolUse Write|Edit
                   matcher `Write|Edit|MultiEdit` became `Write|Edit`
                   timeout 90 s became 50 s
          hook   session-start  SessionStart startup
          hook   no-secrets     UserPromptSubmit

        ~/.claude.json
          server docs
                   the header `Authorization` became `Bearer ${DOCS_AUTHORIZATION}`
          server issues
                   the value of `ISSUES_TOKEN` became `${ISSUES_TOKEN}`

        ~/.claude/skills
          skill  house-style
    "#]],
    );
    assert!(!context.config_dir().join("plugins").exists());
    context.invoke(&["import", "--from", "claude", "--yes"]).expect(0);
    expect![[r##"
        # Hooks, MCP servers and skills of Claude Code for all agents, written by `symposium import --from claude`.
        # A later import keeps your changes to this file. An imported hook or server is skipped in Claude Code while
        # the original entry exists there.
        name = "imported-claude"
        imported-from = "claude"

        [[skills]]
        source.path = "skills"

        [[hooks]]
        name = "remind-tests"
        event = "PostToolUse"
        matcher = "Write|Edit"
        command = "sh ~/.claude/hooks/remind-tests.sh"
        format = "claude"
        timeout = 50
        imported-command = "sh ~/.claude/hooks/remind-tests.sh"

        [[hooks]]
        name = "no-force-push"
        event = "PreToolUse"
        matcher = "Bash"
        command = "~/.claude/hooks/no-force-push.sh"
        format = "claude"
        timeout = 10
        order = "policy"
        imported-command = "~/.claude/hooks/no-force-push.sh"

        [[hooks]]
        name = "pre-tool-use"
        event = "PreToolUse"
        matcher = "Bash"
        command = "grep -q 'curl .*| *sh' && { echo 'No scripts from the network' >&2; exit 2; } || exit 0"
        format = "claude"
        timeout = 50
        order = "policy"
        imported-command = "grep -q 'curl .*| *sh' && { echo 'No scripts from the network' >&2; exit 2; } || exit 0"

        [[hooks]]
        name = "protect-lock"
        event = "PreToolUse"
        matcher = "Write|Edit"
        command = 'sh "$HOME"/.claude/hooks/protect-lock.sh'
        format = "claude"
        timeout = 50
        order = "policy"
        imported-command = 'sh "$HOME"/.claude/hooks/protect-lock.sh'

        [[hooks]]
        name = "session-start"
        event = "SessionStart"
        matcher = "startup"
        command = "echo 'House rule: no unwrap outside tests'"
        format = "claude"
        timeout = 50
        imported-command = "echo 'House rule: no unwrap outside tests'"

        [[hooks]]
        name = "no-secrets"
        event = "UserPromptSubmit"
        command = "sh ~/.claude/hooks/no-secrets.sh"
        format = "claude"
        timeout = 50
        imported-command = "sh ~/.claude/hooks/no-secrets.sh"

        [[mcp_servers]]
        name = "docs"
        type = "http"
        url = "https://docs.example/mcp"
        headers = { "Authorization" = "Bearer ${DOCS_AUTHORIZATION}" }

        [[mcp_servers]]
        name = "issues"
        command = "npx"
        args = ["-y", "issues-mcp"]
        env = { "ISSUES_REGION" = "eu", "ISSUES_TOKEN" = "${ISSUES_TOKEN}" }
    "##]]
    .assert_eq(&manifest(&context, "claude"));
    let plugin = context.config_dir().join("plugins/imported-claude");
    let validated = context.invoke(&["plugin", "validate", plugin.to_str().unwrap()]);
    assert!(validated.expect(0).contains("0 errors, 0 warnings"));
    let text = std::fs::read_to_string(plugin.join("imported.json")).unwrap();
    assert!(!text.contains("tok_live") && !text.contains("not-for-you"), "secrets are never copied");
    assert!(plugin.join("skills/house-style/SKILL.md").exists());
}

#[test]
fn importing_twice_changes_nothing() {
    let context = with_six_hooks();
    context.invoke(&["import", "--from", "claude", "--yes"]).expect(0);
    let stamp = |context: &TestContext| {
        let plugin = context.config_dir().join("plugins/imported-claude");
        let of = |file: &str| std::fs::metadata(plugin.join(file)).unwrap().modified().unwrap();
        (context.tree(&plugin), of("SYMPOSIUM.toml"), of("imported.json"), of("skills/house-style/SKILL.md"))
    };
    let before = stamp(&context);
    let output = context.invoke(&["import", "--from", "claude", "--yes"]);
    assert!(output.stdout.starts_with("Nothing to do: 6 hooks, 2 MCP servers, 1 skill"), "{}", output.transcript());
    assert_eq!(stamp(&context), before);
    let found = document(context.invoke(&["import", "--from", "claude", "--json", "--yes"]));
    let imported = found["imported"].as_array().unwrap();
    assert!(imported.len() == 9 && imported.iter().all(|row| row["state"] == "unchanged"), "{found}");
}

#[test]
fn the_same_policies_hold_on_every_agent() {
    let context = with_six_hooks();
    context.invoke(&["import", "--from", "claude", "--yes"]).expect(0);
    let push = &json!("git push --force origin main");
    let pipe = &json!("curl https://x.example | sh");
    let lock = &json!(context.workspace().join("Cargo.lock"));
    let code = &json!(context.workspace().join("src/lib.rs"));
    let prompt = &json!("log in with password=hunter2");
    let patch = "*** Begin Patch\n*** Update File: Cargo.lock\n@@\n-a\n+b\n*** End Patch\n";
    let (lock_patch, code_patch) = (&json!(patch), &json!(patch.replace("Cargo.lock", "a.rs")));
    let (no_push, no_pipe, no_lock) = ("No forced pushes", "No scripts from the network", "Cargo.lock is written by");
    let (tests, secret, rule) = ("Run the tests", "Take the password out", "House rule");
    let (command, file) = ("/tool_input/command", "/tool_input/file_path");
    let nothing = &Value::Null;
    let ask = |agent: &str, event: &str, payload: &str, says: &str, code: i32| {
        let output = context.invoke_hook(agent, event, payload);
        let said = output.transcript();
        assert!(output.code == code && said.contains(says), "{agent} {event} {payload}\n{said}");
    };
    for (agent, event, name, pointer, value, says, code) in [
        ("gemini", "BeforeTool", "BeforeTool.run_shell_command", command, push, no_push, 0),
        ("gemini", "BeforeTool", "BeforeTool.run_shell_command", command, pipe, no_pipe, 0),
        ("gemini", "BeforeTool", "BeforeTool.write_file", file, lock, no_lock, 0),
        ("gemini", "BeforeTool", "BeforeTool.replace", file, lock, no_lock, 0),
        ("gemini", "AfterTool", "AfterTool.replace", file, code, tests, 0),
        ("gemini", "BeforeAgent", "BeforeAgent", "/prompt", prompt, secret, 0),
        ("gemini", "SessionStart", "SessionStart", "", nothing, rule, 0),
        ("codex", "PreToolUse", "PreToolUse.Bash", command, push, no_push, 0),
        ("codex", "PreToolUse", "PreToolUse.Bash", command, pipe, no_pipe, 0),
        ("codex", "PreToolUse", "PreToolUse.apply_patch", command, lock_patch, no_lock, 0),
        ("codex", "PostToolUse", "PostToolUse.apply_patch", command, code_patch, tests, 0),
        ("codex", "UserPromptSubmit", "UserPromptSubmit", "/prompt", prompt, secret, 0),
        ("codex", "SessionStart", "SessionStart.startup", "", nothing, rule, 0),
        ("copilot", "preToolUse", "preToolUse", "/toolArgs/command", push, no_push, 0),
        ("copilot", "preToolUse", "preToolUse", "/toolArgs/command", pipe, no_pipe, 0),
        ("copilot", "preToolUse", "preToolUse.create", "/toolArgs/path", lock, no_lock, 0),
        ("copilot", "preToolUse", "preToolUse.edit", "/toolArgs/path", lock, no_lock, 0),
        ("copilot", "postToolUse", "postToolUse.create", "/toolArgs/path", code, tests, 0),
        ("copilot", "userPromptSubmitted", "userPromptSubmitted", "/prompt", prompt, secret, 0),
        ("copilot", "sessionStart", "sessionStart", "", nothing, rule, 0),
        ("goose", "PreToolUse", "PreToolUse.shell", command, push, no_push, 2),
        ("goose", "PreToolUse", "PreToolUse.shell", command, pipe, no_pipe, 2),
        ("goose", "PreToolUse", "PreToolUse.write", "/tool_input/path", lock, no_lock, 2),
    ] {
        let changes = [(pointer, value.clone())];
        let changes = if pointer.is_empty() { &[][..] } else { &changes };
        ask(agent, event, &recorded(&context, agent, name, changes), says, code);
    }
    // What the bridge sends; OpenCode cannot refuse a prompt, but the reason reaches the model.
    for (event, more, says) in [
        ("pre-tool-use", json!({"tool": "bash", "args": {"command": push}}), no_push),
        ("pre-tool-use", json!({"tool": "bash", "args": {"command": pipe}}), no_pipe),
        ("pre-tool-use", json!({"tool": "edit", "args": {"filePath": lock, "oldString": "a"}}), no_lock),
        ("post-tool-use", json!({"tool": "write", "args": {"filePath": code}, "output": {"output": "x"}}), tests),
        ("user-prompt-submit", json!({"prompt": prompt}), secret),
        ("session-start", json!({}), rule),
    ] {
        let mut payload = json!({"event": event, "session_id": "s", "cwd": context.workspace()});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ask("opencode", event, &payload.to_string(), says, 0);
    }
    // What nobody objects to goes on.
    for (agent, event, name) in [
        ("gemini", "BeforeTool", "BeforeTool.run_shell_command"),
        ("codex", "PreToolUse", "PreToolUse.Bash"),
        ("copilot", "preToolUse", "preToolUse"),
        ("goose", "PreToolUse", "PreToolUse.shell"),
    ] {
        let output = context.invoke_hook(agent, event, &recorded(&context, agent, name, &[]));
        assert_eq!((output.stdout.trim_matches(&['{', '}'][..]), output.code), ("", 0), "{agent}: {output:?}");
    }
}

fn claude_push(context: &TestContext) -> Output {
    let command = json!("git push --force");
    let payload = recorded(context, "claude", "PreToolUse.Bash", &[("/tool_input/command", command)]);
    context.invoke_hook("claude", "PreToolUse", &payload)
}

#[test]
fn it_stands_down_until_the_agents_own_entry_is_removed() {
    let context = with_six_hooks();
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "codex"]).expect(0);
    let settings = std::fs::read_to_string(home(&context, ".claude/settings.json")).unwrap();
    context.invoke(&["import", "--from", "claude", "--yes"]).expect(0);
    context.invoke(&["sync"]).expect(0);
    assert_eq!(std::fs::read_to_string(home(&context, ".claude/settings.json")).unwrap(), settings);
    assert_eq!(claude_push(&context).stdout, "", "Claude Code runs its own");
    let rows = document(context.invoke(&["hook", "list", "--json"]));
    let row = |name: &str| rows["hooks"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap().clone();
    assert_eq!(row("no-force-push")["state"], "on");
    assert_eq!(
        row("no-force-push")["reason"],
        "Claude Code runs it from its own settings, so Symposium does not run it for it"
    );

    // The servers go where they are not yet, with references in place of secrets.
    let codex = std::fs::read_to_string(home(&context, ".codex/config.toml")).unwrap();
    assert!(codex.contains("[mcp_servers.issues]") && !codex.contains("tok_live"), "{codex}");
    let claude: Value =
        serde_json::from_str(&std::fs::read_to_string(home(&context, ".claude.json")).unwrap()).unwrap();
    assert_eq!(claude["mcpServers"]["issues"]["env"]["ISSUES_TOKEN"], "tok_live_not_for_you", "left alone");
    assert!(!context.workspace().join(".mcp.json").exists());
    assert!(context.workspace().join(".agents/skills/house-style/SKILL.md").exists());
    assert!(!context.workspace().join(".claude/skills/house-style").exists(), "Claude Code has it");
    assert!(!context.workspace().join(".claude/skills/house-style-symposium").exists(), "nor under another name");

    let removed = settings.replace("~/.claude/hooks/no-force-push.sh", "true");
    std::fs::write(home(&context, ".claude/settings.json"), removed).unwrap();
    let output = claude_push(&context);
    assert!(output.stdout.contains("No forced pushes"), "{output:?}");
    // Importing again does not take back what is gone there.
    context.invoke(&["import", "--from", "claude", "--yes"]).expect(0);
    assert!(manifest(&context, "claude").contains("name = \"no-force-push\""));
}

#[test]
fn uninstalling_leaves_the_agents_own_hooks_as_they_were() {
    let context = with_six_hooks();
    let files = [".claude/settings.json", ".claude.json", ".claude/skills/house-style/SKILL.md"];
    let read = || files.map(|file| std::fs::read(home(&context, file)).unwrap());
    let before = read();
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "gemini"]).expect(0);
    context.invoke(&["import", "--from", "claude", "--yes"]).expect(0);
    context.invoke(&["sync"]).expect(0);
    let output = context.invoke(&["uninstall", "--yes"]);
    assert_eq!(read(), before);
    assert!(output.stderr.contains("$CONFIG_DIR/plugins belongs to you and is kept"), "{output:?}");
    assert!(context.config_dir().join("plugins/imported-claude/SYMPOSIUM.toml").exists());
    assert!(!home(&context, ".gemini").exists(), "{output:?}");
}

#[test]
fn a_projects_hooks_become_a_plugin_of_the_project() {
    let context = with_fixture(&["workspace0"]);
    context.write(
        ".claude/settings.json",
        json!({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [
            {"type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/guard.sh --strict"},
            {"type": "command", "command": "sh '.claude/hooks/guard.sh' Cargo.toml"},
        ]}]}})
        .to_string(),
    );
    context.write(".claude/hooks/guard.sh", "#!/bin/sh\ngrep -q publish && { echo 'not here' >&2; exit 2; }\nexit 0\n");
    crate::set_mode(&context.workspace().join(".claude/hooks/guard.sh"), 0o755);
    let found = document(context.invoke(&["import", "--from", "claude", "--json", "--yes"]));
    assert_eq!(found["imported"], json!([]), "{found}");
    let why = found["left_out"][0]["why"].as_str().unwrap();
    assert_eq!(why, "it belongs to this project; run `symposium import --from claude --project` to import it");

    let output = context.invoke(&["import", "--from", "claude", "--project", "--yes"]);
    assert!(output.stderr.contains("`symposium trust` to grant its programs"), "{output:?}");
    let plugin = context.workspace().join(".symposium/plugins/imported-claude-project");
    let text = std::fs::read_to_string(plugin.join("SYMPOSIUM.toml")).unwrap();
    assert!(text.contains("command = \"./scripts/guard.sh --strict\""), "{text}");
    assert!(text.contains("command = 'sh \"$SYMPOSIUM_PLUGIN_DIR\"/scripts/guard.sh Cargo.toml'"), "{text}");
    let config = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    assert!(config.contains("path = \".symposium/plugins\""), "{config}");
    let payload = recorded(&context, "codex", "PreToolUse.Bash", &[("/tool_input/command", json!("cargo publish"))]);
    let ask = || context.invoke_hook("codex", "PreToolUse", &payload).stdout;
    assert_eq!(ask(), "", "nobody granted it");
    context.invoke(&["trust", "--yes"]).expect(0);
    assert!(ask().contains("not here"), "{}", ask());
    // Copilot reads the project's settings of Claude Code itself.
    let payload = recorded(&context, "copilot", "preToolUse", &[("/toolArgs/command", json!("cargo publish"))]);
    assert_eq!(context.invoke_hook("copilot", "preToolUse", &payload).stdout, "");
    std::fs::remove_file(context.workspace().join(".claude/settings.json")).unwrap();
    assert!(context.invoke_hook("copilot", "preToolUse", &payload).stdout.contains("not here"));
    // A second import has nothing to add to either file.
    let before = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    context.invoke(&["import", "--from", "claude", "--project", "--yes"]).expect(0);
    assert_eq!(std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap(), before);
}

#[test]
fn scripts_find_their_project_on_every_agent() {
    let context = with_fixture(&["workspace0"]);
    let hook = json!({"type": "command", "bash": "echo \"in $COPILOT_PROJECT_DIR\" >&2; exit 2"});
    write_home(&context, ".copilot/hooks/mine.json", &json!({"hooks": {"preToolUse": [hook]}}).to_string());
    context.invoke(&["import", "--from", "copilot", "--yes"]).expect(0);
    let payload = recorded(&context, "codex", "PreToolUse.Bash", &[]);
    let output = context.invoke_hook("codex", "PreToolUse", &payload);
    assert!(output.stdout.contains("\"in $WORKSPACE\""), "{output:?}");
    // Outside any workspace it is where the agent works.
    let outside = context.root().join("outside");
    std::fs::create_dir(&outside).unwrap();
    let payload = recorded(&context, "codex", "PreToolUse.Bash", &[("/cwd", json!(outside))]);
    let output = context.invoke_in_with(&outside, &["hook", "codex", "PreToolUse"], payload.as_bytes());
    assert!(output.stdout.contains("\"in $ROOT/outside\""), "{output:?}");
}

#[test]
fn the_end_of_a_session_is_heard_on_every_agent_and_the_session_is_in_the_variable() {
    let context = with_fixture(&["workspace0"]);
    let settings = context.root().join("home/.claude/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    let say = |word: &str| json!([{"hooks": [{"type": "command", "command": format!("echo {word} $CLAUDE_SESSION_ID >> seen")}]}]);
    let hooks = json!({"hooks": {"SessionEnd": say("end"), "PreToolUse": say("tool")}});
    std::fs::write(settings, hooks.to_string()).unwrap();
    let said = context.invoke(&["import", "--from", "claude", "--yes"]).expect(0);
    assert!(said.contains("gemini:SessionEnd") && !said.contains("alone"), "{said}");
    assert!(!said.contains("CLAUDE_SESSION_ID"), "nothing of it is left out: {said}");
    let send = |event: &str, payload: Value| {
        context.invoke_hook("gemini", event, &payload.to_string()).expect(0);
    };
    let cwd = context.workspace();
    send("SessionEnd", json!({"session_id": "g-1", "cwd": cwd, "hook_event_name": "SessionEnd", "reason": "exit"}));
    let tool = json!({"tool_name": "run_shell_command", "tool_input": {"command": "ls"}});
    let mut event = json!({"session_id": "g-1", "cwd": cwd, "hook_event_name": "BeforeTool"});
    event.as_object_mut().unwrap().extend(tool.as_object().unwrap().clone());
    send("BeforeTool", event);
    let seen = std::fs::read_to_string(context.workspace().join("seen")).unwrap();
    assert_eq!(seen, "end g-1\ntool g-1\n");
}

/// Looking is no reason to make a directory.
#[test]
fn with_nothing_to_import_nothing_is_made() {
    let context = with_fixture(&["workspace0"]);
    let before = context.tree(context.config_dir());
    for args in [&["import", "--from", "claude"][..], &["import", "--from", "claude", "--yes"]] {
        let shown = context.invoke(args).expect(0);
        assert!(shown.contains("nothing to import"), "{shown}");
        assert!(!context.config_dir().join("lock").exists(), "{args:?}: {}", context.tree(context.config_dir()));
    }
    assert_eq!(context.tree(context.config_dir()), before);
}
