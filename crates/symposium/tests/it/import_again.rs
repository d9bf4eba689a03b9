//! `symposium import`: what keeps a policy from being lost between an agent's own settings and the plugin made of them.

use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::import::{home, manifest, recorded, write_home};
use crate::{json as document, set_mode, with_fixture};

const SETTINGS: &str = ".claude/settings.json";

fn claude_hooks(context: &TestContext, groups: &Value) {
    write_home(context, SETTINGS, &json!({"hooks": {"PreToolUse": groups}}).to_string());
}

fn group(matcher: &str, command: &str) -> Value {
    json!({"matcher": matcher, "hooks": [{"type": "command", "command": command}]})
}

/// What a hook of Claude Code's is answered before a tool.
fn ask_claude(context: &TestContext, tool: &str) -> String {
    let name = format!("PreToolUse.{tool}");
    context.invoke_hook("claude", "PreToolUse", &recorded(context, "claude", &name, &[])).stdout
}

#[test]
fn a_hook_stands_down_only_for_what_the_agent_still_asks_itself() {
    let context = with_fixture(&["workspace0"]);
    let no = "echo 'not here' >&2; exit 2";
    claude_hooks(&context, &json!([group("Bash", no), group("Write", no)]));
    context.invoke(&["import", "--from", "claude", "--yes"]).expect(0);
    assert_eq!((ask_claude(&context, "Bash"), ask_claude(&context, "Write")), (String::new(), String::new()));
    // The same command is still there, but not for both tools.
    claude_hooks(&context, &json!([group("Bash", no)]));
    assert_eq!(ask_claude(&context, "Bash"), "");
    assert!(ask_claude(&context, "Write").contains("not here"), "nobody asks about it in Claude Code any more");
    // It is there, and switched off.
    let off = json!({"disableAllHooks": true, "hooks": {"PreToolUse": [group("Bash", no), group("Write", no)]}});
    write_home(&context, SETTINGS, &off.to_string());
    assert!(ask_claude(&context, "Bash").contains("not here"));
}

#[test]
fn the_arguments_of_a_command_tell_it_from_others() {
    let context = with_fixture(&["workspace0"]);
    let hook = |word: &str| {
        let line = format!("echo 'no {word}' >&2; exit 2");
        json!({"matcher": "*", "hooks": [{"type": "command", "command": "sh", "args": ["-c", line]}]})
    };
    claude_hooks(&context, &json!([hook("a"), hook("b")]));
    let found = document(context.invoke(&["import", "--from", "claude", "--json", "--yes"]));
    assert_eq!(found["imported"].as_array().map(Vec::len), Some(2), "{found}");
    claude_hooks(&context, &json!([hook("a")]));
    assert!(ask_claude(&context, "Bash").contains("no b"), "only the one that is left stands down");
}

#[test]
fn what_is_yours_and_what_is_the_projects_both_count() {
    let context = with_fixture(&["workspace0"]);
    claude_hooks(&context, &json!([group("Bash", "grep -q mine && { echo 'mine says no' >&2; exit 2; } || exit 0")]));
    let project = group("Bash", "grep -q ours && { echo 'ours says no' >&2; exit 2; } || exit 0");
    context.write(SETTINGS, json!({"hooks": {"PreToolUse": [project]}}).to_string());
    context.invoke(&["import", "--from", "claude", "--yes"]).expect(0);
    context.invoke(&["import", "--from", "claude", "--project", "--yes"]).expect(0);
    context.invoke(&["trust", "--yes"]).expect(0);
    for word in ["mine", "ours"] {
        let payload = recorded(&context, "codex", "PreToolUse.Bash", &[("/tool_input/command", json!(word))]);
        let said = context.invoke_hook("codex", "PreToolUse", &payload).stdout;
        assert!(said.contains(&format!("{word} says no")), "{word}: {said}");
    }
}

#[test]
fn hooks_of_two_languages_all_count() {
    let context = with_fixture(&["workspace0"]);
    let line = |word: &str| format!("grep -q {word} && {{ echo 'no {word}' >&2; exit 2; }} || exit 0");
    let hooks = json!({"hooks": {
        "preToolUse": [{"type": "command", "bash": line("one")}],
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": line("two")}]}],
    }});
    write_home(&context, ".copilot/hooks/mine.json", &hooks.to_string());
    context.invoke(&["import", "--from", "copilot", "--yes"]).expect(0);
    std::fs::remove_file(home(&context, ".copilot/hooks/mine.json")).unwrap();
    for word in ["one", "two"] {
        for (agent, event, name, pointer) in [
            ("copilot", "preToolUse", "preToolUse", "/toolArgs/command"),
            ("claude", "PreToolUse", "PreToolUse.Bash", "/tool_input/command"),
            ("gemini", "BeforeTool", "BeforeTool.run_shell_command", "/tool_input/command"),
        ] {
            let payload = recorded(&context, agent, name, &[(pointer, json!(word))]);
            let said = context.invoke_hook(agent, event, &payload).stdout;
            assert!(said.contains(&format!("no {word}")), "{agent} {word}: {said}");
        }
    }
}

#[test]
fn plugins_of_claude_code_and_its_organisation_are_read() {
    let mut context = with_fixture(&["workspace0"]);
    let plugin = home(&context, ".claude/plugins/cache/market/guard/1.0.0");
    write_home(&context, SETTINGS, &json!({"enabledPlugins": {"guard@market": true}}).to_string());
    let installed = json!({"version": 2, "plugins": {"guard@market": [{"scope": "user", "installPath": plugin}]}});
    write_home(&context, ".claude/plugins/installed_plugins.json", &installed.to_string());
    let inside = |path: &str, text: &str| {
        write_home(&context, &format!(".claude/plugins/cache/market/guard/1.0.0/{path}"), text);
    };
    inside("hooks/no.sh", "#!/bin/sh\necho 'the plugin says no' >&2\nexit 2\n");
    set_mode(&plugin.join("hooks/no.sh"), 0o755);
    let hook = json!({"hooks": {"PreToolUse": [group("Write", "${CLAUDE_PLUGIN_ROOT}/hooks/no.sh")]}});
    inside("hooks/hooks.json", &hook.to_string());
    inside(".mcp.json", &json!({"mcpServers": {"guarded": {"command": "${CLAUDE_PLUGIN_ROOT}/srv"}}}).to_string());
    inside("skills/guarding/SKILL.md", "---\nname: guarding\ndescription: Guards.\n---\nGuard.\n");
    inside(".claude-plugin/plugin.json", &json!({"name": "guard", "hooks": "./more.json"}).to_string());
    let managed = context.root().join("managed");
    std::fs::create_dir_all(managed.join("managed-settings.d")).unwrap();
    let rule = json!({"hooks": {"PreToolUse": [group("Bash", "echo 'the organisation says no' >&2; exit 2")]}});
    std::fs::write(managed.join("managed-settings.d/10-rules.json"), rule.to_string()).unwrap();
    context.set("CLAUDE_CODE_MANAGED_SETTINGS_PATH", managed.to_str().unwrap());

    let found = document(context.invoke(&["import", "--from", "claude", "--json", "--yes"]));
    let names: Vec<&str> =
        found["imported"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["pre-tool-use", "no", "guarded", "guarding"], "{found}");
    let left: Vec<&str> =
        found["left_out"].as_array().unwrap().iter().map(|row| row["what"].as_str().unwrap()).collect();
    assert_eq!(left, ["`hooks`"], "{found}");
    let text = manifest(&context, "claude");
    assert!(text.contains("command = \"$ROOT/home/.claude/plugins/cache/market/guard/1.0.0/srv\""), "{text}");
    let ask = |name: &str| {
        let payload = recorded(&context, "gemini", name, &[]);
        context.invoke_hook("gemini", "BeforeTool", &payload).stdout
    };
    assert!(ask("BeforeTool.run_shell_command").contains("the organisation says no"));
    assert!(ask("BeforeTool.write_file").contains("the plugin says no"));
    assert_eq!(ask_claude(&context, "Write"), "", "Claude Code asks its plugin itself");

    // A newer version of the plugin is the same hook, and so is its script.
    let newer = home(&context, ".claude/plugins/cache/market/guard/1.1.0");
    std::fs::rename(&plugin, &newer).unwrap();
    let installed = json!({"version": 2, "plugins": {"guard@market": [{"scope": "user", "installPath": newer}]}});
    write_home(&context, ".claude/plugins/installed_plugins.json", &installed.to_string());
    assert_eq!(ask_claude(&context, "Write"), "", "it is still that plugin's");
    context.invoke(&["import", "--from", "claude", "--yes"]).expect(0);
    let text = manifest(&context, "claude");
    assert!(text.contains("guard/1.1.0/hooks/no.sh") && !text.contains("guard/1.0.0"), "{text}");

    // Switched off there, it is the plugin's turn here.
    write_home(&context, SETTINGS, &json!({"enabledPlugins": {"guard@market": false}}).to_string());
    assert!(ask_claude(&context, "Write").contains("the plugin says no"));
}

#[test]
fn a_script_that_needs_its_neighbours_stays_among_them() {
    let context = with_fixture(&["workspace0"]);
    let line = "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/guard.sh";
    context.write(SETTINGS, json!({"hooks": {"PreToolUse": [group("Bash", line)]}}).to_string());
    context.write(".claude/hooks/guard.sh", "#!/bin/sh\n. \"${0%/*}/words.inc\"\necho \"$WORD\" >&2\nexit 2\n");
    context.write(".claude/hooks/words.inc", "WORD='not here'\n");
    set_mode(&context.workspace().join(".claude/hooks/guard.sh"), 0o755);
    let found = document(context.invoke(&["import", "--from", "claude", "--project", "--json", "--yes"]));
    let changes = found["imported"][0]["changes"].to_string();
    assert!(changes.contains("its script is not copied, because it needs files next to it"), "{found}");
    context.invoke(&["trust", "--yes"]).expect(0);
    let ask = || {
        let payload = recorded(&context, "codex", "PreToolUse.Bash", &[]);
        context.invoke_hook("codex", "PreToolUse", &payload).stdout
    };
    assert!(ask().contains("not here"), "{}", ask());
    // A grant is for what it says now.
    context.write(".claude/hooks/guard.sh", "#!/bin/sh\necho changed >&2\nexit 2\n");
    let said = ask();
    assert!(!said.contains("deny") && said.contains("changed after the user granted them"), "{said}");
}

#[test]
fn a_plugin_of_goose_that_is_off_is_not_taken_along() {
    let context = with_fixture(&["workspace0"]);
    let plugin = ".agents/plugins/mine";
    let hooks = json!({"hooks": {"PreToolUse": [{"hooks": [{"command": "${PLUGIN_ROOT}/x.sh"}]}]}});
    write_home(&context, &format!("{plugin}/hooks/hooks.json"), &hooks.to_string());
    write_home(&context, &format!("{plugin}/.mcp.json"), &json!({"mcpServers": {"s": {"command": "x"}}}).to_string());
    write_home(&context, &format!("{plugin}/skills/k/SKILL.md"), "---\nname: k\ndescription: K.\n---\nK\n");
    write_home(&context, ".config/goose/settings.json", &json!({"disabledPlugins": ["mine"]}).to_string());
    let found = document(context.invoke(&["import", "--from", "goose", "--json", "--yes"]));
    assert_eq!(found["imported"], json!([]), "{found}");
    assert_eq!(found["left_out"].as_array().map(Vec::len), Some(3), "{found}");
    write_home(&context, ".config/goose/settings.json", "{}");
    let found = document(context.invoke(&["import", "--from", "goose", "--json", "--yes"]));
    assert_eq!(found["imported"].as_array().map(Vec::len), Some(3), "{found}");
}

#[test]
fn a_relative_script_is_found_from_where_the_agent_would_start_it() {
    let context = with_fixture(&["workspace0"]);
    context.write("tools/no.sh", "#!/bin/sh\necho 'not here' >&2\nexit 2\n");
    set_mode(&context.workspace().join("tools/no.sh"), 0o755);
    let hook = json!({"hooks": {"preToolUse": [{"type": "command", "bash": "./tools/no.sh"}]}});
    write_home(&context, ".copilot/hooks/mine.json", &hook.to_string());
    context.invoke(&["import", "--from", "copilot", "--yes"]).expect(0);
    // Copilot CLI starts hooks in the project's root, and says where it works.
    let below = json!(context.workspace().join("src"));
    let payload = recorded(&context, "codex", "PreToolUse.Bash", &[("/cwd", below)]);
    assert!(context.invoke_hook("codex", "PreToolUse", &payload).stdout.contains("not here"));
}

#[test]
fn what_another_import_brings_for_other_tools_is_brought_too() {
    let context = with_fixture(&["workspace0"]);
    let no = "echo 'not here' >&2; exit 2";
    claude_hooks(&context, &json!([group("Write", no)]));
    context.invoke(&["import", "--from", "claude", "--yes"]).expect(0);
    let gemini = |matcher: &str| json!({"hooks": {"BeforeTool": [group(matcher, no)]}}).to_string();
    write_home(&context, ".gemini/settings.json", &gemini("write_file"));
    let imported = || document(context.invoke(&["import", "--from", "gemini", "--json", "--yes"]))["imported"].clone();
    assert_eq!(imported(), json!([]));
    write_home(&context, ".gemini/settings.json", &gemini("run_shell_command"));
    assert_eq!(imported().as_array().map(Vec::len), Some(1), "{}", imported());
}

#[test]
fn a_skill_of_a_plugin_is_not_given_to_its_agent_twice() {
    let context = with_fixture(&["workspace0"]);
    let plugin = ".agents/plugins/mine";
    write_home(&context, &format!("{plugin}/skills/own-way/SKILL.md"), "---\nname: own-way\ndescription: K.\n---\nK\n");
    context.invoke(&["init", "--yes", "--agent", "goose"]).expect(0);
    context.invoke(&["import", "--from", "goose", "--yes"]).expect(0);
    context.invoke(&["sync"]).expect(0);
    let installed = context.workspace().join(".agents/skills/own-way");
    assert!(!installed.exists(), "Goose has it from its plugin");
    write_home(&context, ".config/goose/settings.json", &json!({"disabledPlugins": ["mine"]}).to_string());
    context.invoke(&["sync"]).expect(0);
    assert!(installed.exists());
}

#[test]
fn settings_that_were_moved_are_found() {
    let mut context = with_fixture(&["workspace0"]);
    let moved = context.root().join("moved");
    std::fs::create_dir_all(&moved).unwrap();
    let settings = json!({"hooks": {"PreToolUse": [group("Bash", "lint")]}});
    std::fs::write(moved.join("settings.json"), settings.to_string()).unwrap();
    // This one moves along, though it is beside the directory otherwise.
    std::fs::write(moved.join(".claude.json"), json!({"mcpServers": {"s": {"command": "x"}}}).to_string()).unwrap();
    context.set("CLAUDE_CONFIG_DIR", moved.to_str().unwrap());
    let found = document(context.invoke(&["import", "--from", "claude", "--json", "--yes"]));
    let names: Vec<&str> =
        found["imported"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["lint", "s"], "{found}");
}

#[test]
fn copilot_reads_one_of_two_files_for_servers() {
    let context = with_fixture(&["workspace0"]);
    let servers = |name: &str| json!({"mcpServers": {name: {"command": "x"}}}).to_string();
    context.write(".github/mcp.json", servers("other"));
    let import = || document(context.invoke(&["import", "--from", "copilot", "--project", "--json", "--dry-run"]));
    assert_eq!(import()["imported"][0]["name"], "other");
    context.write(".mcp.json", servers("mine"));
    let found = import();
    assert_eq!((&found["imported"][0]["name"], found["imported"].as_array().map(Vec::len)), (&json!("mine"), Some(1)));
    assert_eq!(found["left_out"][0]["why"], "Copilot CLI does not read this file if .mcp.json exists", "{found}");
}

/// Whether a hook of ours objects when Cursor asks about a shell command.
fn objects_on_cursor(context: &TestContext) -> bool {
    let payload = json!({"hook_event_name": "preToolUse", "session_id": "s", "conversation_id": "s",
        "cursor_version": "2", "workspace_roots": [context.workspace()], "cwd": context.workspace(),
        "tool_name": "Shell", "tool_input": {"command": "ls"}});
    context.invoke_hook("cursor", "preToolUse", &payload.to_string()).stdout.contains("not here")
}

#[test]
fn cursor_is_left_to_claudes_file_only_when_it_reads_that() {
    let context = with_fixture(&["workspace0"]);
    let hook = json!({"type": "command", "command": "echo 'not here' >&2; exit 2"});
    let without = json!([{"hooks": [hook]}]);
    claude_hooks(&context, &without);
    context.invoke(&["import", "--from", "claude", "--yes"]).expect(0);
    assert_eq!(ask_claude(&context, "Bash"), "", "Claude Code runs its own");
    assert!(objects_on_cursor(&context), "no group has a matcher, so Cursor does not take the file for Claude Code's");

    for matcher in ["*", ""] {
        claude_hooks(&context, &json!([{"matcher": matcher, "hooks": [hook]}]));
        assert!(!objects_on_cursor(&context), "Cursor runs it from there");
    }
    // One matcher is enough, at an event whose name it knows.
    let other = |event: &str| json!({"hooks": {"PreToolUse": without, event: [{"matcher": "", "hooks": []}]}});
    write_home(&context, SETTINGS, &other("Notification").to_string());
    assert!(!objects_on_cursor(&context));
    write_home(&context, SETTINGS, &other("PostToolUseFailure").to_string());
    assert!(objects_on_cursor(&context));

    // It parses strictly, as Claude Code does.
    let text = json!({"hooks": {"PreToolUse": [{"matcher": "", "hooks": [hook]}]}}).to_string();
    write_home(&context, SETTINGS, &format!("// mine\n{text}"));
    assert!(objects_on_cursor(&context));
    assert!(ask_claude(&context, "Bash").contains("not here"), "nor does Claude Code read it then");
    write_home(&context, SETTINGS, &text);
    // A file that decided nothing is looked at when a session starts.
    context.invoke(&["sync"]).expect(0);
    assert!(!objects_on_cursor(&context));
    assert_eq!(ask_claude(&context, "Bash"), "");

    // What only a project has, behind a link or not, is not what the person imported.
    write_home(&context, SETTINGS, "{}");
    context.write("shared/settings.json", &text);
    std::os::unix::fs::symlink(context.workspace().join("shared"), context.workspace().join(".claude")).unwrap();
    context.invoke(&["sync"]).expect(0);
    assert!(objects_on_cursor(&context));
    assert!(ask_claude(&context, "Bash").contains("not here"));
}

#[test]
fn of_claudes_hooks_cursor_runs_those_it_can_translate() {
    let context = with_fixture(&["workspace0"]);
    let failed = json!({"matcher": "Bash", "hooks": [{"type": "command", "command": "true"}]});
    let glob = json!({"matcher": "Glob", "hooks": [{"type": "command", "command": "false"}]});
    let both = json!({"hooks": {"PreToolUse": [glob, failed], "PostToolUseFailure": [failed]}});
    write_home(&context, SETTINGS, &both.to_string());
    context.invoke(&["import", "--from", "claude", "--yes"]).expect(0);
    context.invoke(&["init", "--yes", "--agent", "cursor"]).expect(0);
    let rows = document(context.invoke(&["hook", "list", "--json"]));
    let rows: Vec<&Value> =
        rows["hooks"].as_array().unwrap().iter().filter(|row| row["plugin"] == "imported-claude").collect();
    let waiting = |row: &&&Value| row["reason"].as_str().unwrap().contains("runs it from its own settings");
    let matchers: Vec<&str> = rows.iter().filter(waiting).map(|row| row["matcher"].as_str().unwrap()).collect();
    assert_eq!((rows.len(), matchers), (3, vec!["Bash"]), "{rows:#?}");
}
