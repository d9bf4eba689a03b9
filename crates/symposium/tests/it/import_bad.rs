//! `symposium import` where something is in the way: entries of ours, features of one agent, broken files, edits.

use expect_test::expect;
use serde_json::json;
use symposium_model::agent::AgentId;

use crate::import::{home, manifest, recorded, with_six_hooks, write_home};
use crate::{check, json as document, with_fixture};

#[test]
fn our_own_entries_are_never_imported() {
    let context = with_fixture(&["workspace0"]);
    let agents = AgentId::names();
    let mut args = vec!["init", "--yes"];
    for agent in agents {
        args.extend(["--agent", agent]);
    }
    context.invoke(&args).expect(0);
    for agent in agents {
        for scope in [&[][..], &["--project"]] {
            let args = [&["import", "--from", agent, "--json", "--yes"], scope].concat();
            let found = document(context.invoke(&args));
            assert_eq!(found["imported"], json!([]), "{agent} {found}");
            assert_eq!(found["left_out"], json!([]), "{agent} {found}");
        }
    }
    assert!(!context.config_dir().join("plugins").exists());
}

#[test]
fn what_only_one_agent_can_do_is_listed() {
    let context = with_fixture(&["workspace0"]);
    write_home(
        &context,
        ".claude/settings.json",
        &json!({"hooks": {
            "PreToolUse": [{"matcher": "Bash", "hooks": [
                {"type": "command", "command": "a", "if": "Bash(touch *)"},
                {"type": "command", "command": "b", "async": true},
                {"type": "command", "command": "c", "once": true},
                {"type": "http", "url": "https://x"},
                {"type": "prompt", "prompt": "Is it good?"},
                {"type": "agent", "prompt": "x"},
                {"type": "command"},
                {"type": "command", "command": "/opt/guard", "args": ["--strict", "a b"]},
                "what?",
            ]}],
            "NoSuchEvent": [{"hooks": [{"type": "command", "command": "d"}]}],
            "PreCompact": [{"matcher": "manual", "hooks": [{"type": "command", "command": "e"}]}],
            "PostToolUseFailure": [{"hooks": [{"type": "command", "command": "f", "timeout": 0.5}]}],
        }})
        .to_string(),
    );
    check(
        context.invoke(&["import", "--from", "claude", "--yes"]),
        expect![[r#"
            Imported 3 hooks from Claude Code into
            ~/.symposium/plugins/imported-claude

            ~/.claude/settings.json
              hook   f      claude:PostToolUseFailure
                       it runs only for Claude Code, because this is a native event
                       timeout 0.5 s became 1 s
              hook   e      claude:PreCompact manual
                       it runs only for Claude Code, because this is a native event
              hook   guard  PreToolUse Bash

            Not imported from ~/.claude/settings.json
              an entry of `PreToolUse`
                  it is not a hook
              NoSuchEvent hook `d`
                  the event `NoSuchEvent` of Claude Code is unknown
              PreToolUse hook `a` for `Bash`
                  only Claude Code supports the condition `if`; check it in the script, and
                  import again without it
              PreToolUse hook `b` for `Bash`
                  Claude Code runs it in the background and ignores its answer; Symposium
                  waits for every handler
              PreToolUse hook `c` for `Bash`
                  only Claude Code limits how often a hook runs in a session
              PreToolUse hook for `Bash`
                  only Claude Code supports hooks of type `http`; only commands can be
                  imported
              PreToolUse hook for `Bash`
                  only Claude Code supports hooks of type `prompt`; only commands can be
                  imported
              PreToolUse hook for `Bash`
                  only Claude Code supports hooks of type `agent`; only commands can be
                  imported
              PreToolUse hook for `Bash`
                  it has no command
            --- stderr
            note: run `symposium sync` to install it for your agents
            note: Claude Code keeps its original entries; the imported copies are skipped there until you remove the originals
        "#]],
    );
    expect![[r##"
        # Hooks, MCP servers and skills of Claude Code for all agents, written by `symposium import --from claude`.
        # A later import keeps your changes to this file. An imported hook or server is skipped in Claude Code while
        # the original entry exists there.
        name = "imported-claude"
        imported-from = "claude"

        [[hooks]]
        name = "f"
        event = "claude:PostToolUseFailure"
        command = "f"
        timeout = 1
        imported-command = "f"

        [[hooks]]
        name = "e"
        event = "claude:PreCompact"
        matcher = "manual"
        command = "e"
        timeout = 50
        imported-command = "e"

        [[hooks]]
        name = "guard"
        event = "PreToolUse"
        matcher = "Bash"
        command = "env /opt/guard"
        args = ["--strict", "a b"]
        format = "claude"
        timeout = 50
        order = "policy"
        imported-command = "/opt/guard --strict 'a b'"
    "##]]
    .assert_eq(&manifest(&context, "claude"));
}

#[test]
fn broken_settings_cost_only_themselves() {
    let context = with_fixture(&["workspace0"]);
    write_home(&context, ".gemini/settings.json", "{\"hooks\": {\"BeforeTool\": [");
    write_home(
        &context,
        ".gemini/extensions/mine/hooks/hooks.json",
        r#"{"hooks": {"BeforeTool": [{"matcher": "run_shell_command", "hooks": [{"type": "command", "command": "${extensionPath}/x.sh"}]}]}}"#,
    );
    let output = context.invoke(&["import", "--from", "gemini", "--yes"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("~/.gemini/settings.json"), "{output:?}");
    assert!(manifest(&context, "gemini").contains("command = \"env $ROOT/home/.gemini/extensions/mine/x.sh\""));
    for broken in ["[]", "\"x\"", "{\"hooks\": []}", "{\"hooks\": {\"BeforeTool\": {}}}", "{\"hooks\": null}", ""] {
        write_home(&context, ".gemini/settings.json", broken);
        let output = context.invoke(&["import", "--from", "gemini", "--dry-run"]);
        assert!(matches!(output.code, 0 | 3) && !output.stderr.contains("panic"), "{broken}: {output:?}");
    }
}

#[test]
fn what_was_edited_since_is_kept_and_named() {
    let context = with_six_hooks();
    context.invoke(&["import", "--from", "claude", "--yes"]).expect(0);
    let path = context.config_dir().join("plugins/imported-claude/SYMPOSIUM.toml");
    let edited = std::fs::read_to_string(&path).unwrap().replace("timeout = 10\n", "timeout = 7 # mine\n");
    std::fs::write(&path, &edited).unwrap();
    let skill = context.config_dir().join("plugins/imported-claude/skills/house-style/SKILL.md");
    std::fs::write(&skill, "mine").unwrap();
    let settings = home(&context, ".claude/settings.json");
    let text = std::fs::read_to_string(&settings).unwrap();
    std::fs::write(
        &settings,
        text.replace("\"timeout\": 10", "\"timeout\": 20").replace("\"timeout\": 90", "\"timeout\": 30"),
    )
    .unwrap();
    let output = context.invoke(&["import", "--from", "claude", "--yes"]);
    assert_eq!(output.code, 0);
    let kept = "~/.symposium/plugins/imported-claude was edited after the import; your changes are kept: \
                no-force-push, house-style";
    assert!(output.stderr.contains(kept), "{output:?}");
    let now = std::fs::read_to_string(&path).unwrap();
    assert!(now.contains("timeout = 7 # mine\n") && now.contains("timeout = 30\n"), "{now}");
    assert_eq!(std::fs::read_to_string(&skill).unwrap(), "mine");
    // A directory no import made is left alone.
    std::fs::remove_file(path.with_file_name("imported.json")).unwrap();
    let output = context.invoke(&["import", "--from", "claude", "--yes"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), now);
}

#[test]
fn two_agents_with_the_same_bring_it_once() {
    let context = with_six_hooks();
    context.invoke(&["import", "--from", "claude", "--yes"]).expect(0);
    write_home(
        &context,
        ".gemini/settings.json",
        &json!({"mcpServers": {"issues": {"command": "x"}, "other": {"command": "y"}}, "hooks": {"BeforeTool": [
            {"matcher": "run_shell_command", "hooks": [{"type": "command", "command": "~/.claude/hooks/no-force-push.sh"}]}
        ]}})
        .to_string(),
    );
    let found = document(context.invoke(&["import", "--from", "gemini", "--json", "--yes"]));
    let left: Vec<&str> =
        found["left_out"].as_array().unwrap().iter().map(|left| left["what"].as_str().unwrap()).collect();
    assert_eq!(left, ["BeforeTool hook `no-force-push`", "MCP server `issues`"], "{found}");
    assert_eq!(found["left_out"][0]["why"], "`imported-claude` has it already");
    assert_eq!(found["left_out"][1]["why"], "`imported-claude` has another one of that name");
    assert_eq!(found["imported"].as_array().unwrap().len(), 1);
    // And what both have stands down on both.
    let payload =
        recorded(&context, "gemini", "BeforeTool.run_shell_command", &[("/tool_input/command", json!("push --force"))]);
    assert_eq!(context.invoke_hook("gemini", "BeforeTool", &payload).stdout, "{}");
}

#[test]
fn the_same_command_for_other_tools_is_another_hook() {
    let context = with_fixture(&["workspace0"]);
    let hooks = |matcher: &str| {
        let hook = json!({"type": "command", "command": "~/bin/guard.sh"});
        json!({"hooks": {"PreToolUse": [{"matcher": matcher, "hooks": [hook]}]}}).to_string()
    };
    write_home(&context, ".codex/hooks.json", &hooks("Edit"));
    write_home(&context, ".claude/settings.json", &hooks("Bash"));
    context.invoke(&["import", "--from", "codex", "--yes"]).expect(0);
    let found = document(context.invoke(&["import", "--from", "claude", "--json", "--yes"]));
    assert_eq!(found["left_out"], json!([]), "{found}");
    assert_eq!(found["imported"][0]["as"], "PreToolUse Bash", "{found}");
}

#[test]
fn a_projects_configuration_keeps_its_bytes() {
    let context = with_fixture(&["workspace0"]);
    let hook = json!({"type": "command", "command": "true"});
    let settings = json!({"hooks": {"Stop": [{"hooks": [hook]}]}}).to_string();
    context.write(".claude/settings.json", &settings);
    let before = "# ours\r\n[logging]\r\nlevel = \"debug\"\r\n\r\n\r\n";
    context.write(".symposium/config.toml", before);
    let output = context.invoke(&["import", "--from", "claude", "--project", "--yes"]);
    let said = format!("{}{}", output.stdout, output.stderr);
    let now = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    let added = now.strip_prefix(before).unwrap_or_else(|| panic!("{now:?}"));
    assert!(added.contains("[[plugin-source]]\r\nname = ") && !added.replace("\r\n", "").contains('\n'), "{now:?}");
    assert!(said.contains(".symposium/config.toml"), "{said}");
}

#[test]
fn the_agent_must_be_one() {
    let context = with_fixture(&["workspace0"]);
    check(
        context.invoke(&["import", "--from", "claud", "--yes"]),
        expect![[r#"
            --- stderr
            error: invalid value 'claud' for '--from <AGENT>'
              [possible values: claude, copilot, gemini, codex, kiro, opencode, goose, cursor, qwen, kilo, cline, pi, droid, crush, antigravity, agents]

              help: a similar value exists: 'claude'

            For more information, try '--help'.
            --- exit 2
        "#]],
    );
    assert_eq!(context.invoke(&["import"]).code, 2);
    let output = context.invoke_in(context.root(), &["import", "--from", "claude", "--project", "--yes"]);
    assert!(output.code == 3 && output.stderr.contains("not part of a cargo workspace"), "{output:?}");
}
