//! What authors are told about their hooks: where the fault stands, what never matches, how a command really ended.

use expect_test::expect;
use symposium_testkit::TestContext;

use crate::{check, set_mode, with_fixture};

/// A plugin with one hook and its script.
fn plugin(context: &TestContext, keys: &str, script: &str) {
    let manifest = format!("name = \"p\"\n[[hooks]]\n{keys}command = \"./h.sh\"\n");
    context.write("p/symposium.toml", manifest);
    context.write("p/h.sh", format!("#!/bin/sh\n{script}\n"));
    set_mode(&context.workspace().join("p/h.sh"), 0o755);
}

#[test]
fn a_fault_is_shown_where_it_stands_and_not_where_the_word_comes_first() {
    let context = with_fixture(&["plugins0"]);
    let manifest = "name = \"p\"\n[[hooks]]\nname = \"./h.sh\"\nevent = \"PreToolUse\"\ncommand = \"./h.sh\"\n\
                    [[hooks]]\nname = \"Nothing\"\nevent = \"claude:Nothing\"\ncommand = \"true\"\n";
    context.write("p/symposium.toml", manifest);
    context.write("p/h.sh", "#!/bin/sh\n");
    check(
        context.invoke(&["plugin", "validate", "p"]),
        expect![[r#"
            error: Claude Code has no hook event `Nothing`
             --> p/symposium.toml:8:17
              |
            8 | event = "claude:Nothing"
              |                 ^^^^^^^
              |
              = help: use one of PreToolUse, PostToolUse, UserPromptSubmit, SessionStart, Stop, PostToolUseFailure, SessionEnd, PermissionRequest, PermissionDenied, Notification, StopFailure, SubagentStart, SubagentStop, PreCompact, PostCompact, InstructionsLoaded, TaskCreated, TaskCompleted, TeammateIdle, ConfigChange, CwdChanged, FileChanged, WorktreeRemove, Elicitation, ElicitationResult

            error: hook `./h.sh` never runs: `./h.sh` is not executable
             --> p/symposium.toml:5:12
              |
            5 | command = "./h.sh"
              |            ^^^^^^
              |
              = help: run `chmod +x` on it, or write `sh ./h.sh`

            note: p/symposium.toml:2: Hook `./h.sh` at PreToolUse: no context on gemini, kiro, goose, qwen, droid; no changed input on kiro, goose, qwen; a changed input only with `allow` on codex, droid; `ask` denies on gemini, codex, kiro, opencode, goose, qwen, kilo, cline, pi, crush

            1 file checked: 2 errors, 0 warnings, 1 note
            --- exit 1
        "#]],
    );
}

#[test]
fn a_missing_script_is_an_error_for_its_author() {
    let context = with_fixture(&["plugins0"]);
    context.write("p/symposium.toml", "name = \"p\"\n[[hooks]]\nname = \"h\"\nevent = \"Stop\"\ncommand = \"./gone.sh\"\n[[mcp_servers]]\nname = \"s\"\ncommand = \"./gone-too\"\n");
    check(
        context.invoke(&["plugin", "validate", "p"]),
        expect![[r#"
            error: hook `h` runs `./gone.sh`, which does not exist
             --> p/symposium.toml:5:11
              |
            5 | command = "./gone.sh"
              |           ^^^^^^^^^^^
              |
              = help: create `p/gone.sh`, or correct `command`

            error: MCP server `s` runs `./gone-too`, which does not exist
             --> p/symposium.toml:8:11
              |
            8 | command = "./gone-too"
              |           ^^^^^^^^^^^^
              |
              = help: create the file, or correct `command`

            note: p/symposium.toml:2: Hook `h` at Stop: never runs on opencode, kilo, cline, crush; a deny has no effect on kiro

            1 file checked: 2 errors, 0 warnings, 1 note
            --- exit 1
        "#]],
    );
    context.write("p/gone-too", "#!/bin/sh\n");
    let shown = context.invoke(&["plugin", "validate", "p"]).stdout;
    assert!(shown.contains("MCP server `s` runs `./gone-too`, which is not executable"), "{shown}");
    assert!(shown.contains("--> p/symposium.toml:8:11") && shown.contains("run `chmod +x` on it"), "{shown}");
    crate::set_mode(&context.workspace().join("p/gone-too"), 0o755);
    assert!(!context.invoke(&["plugin", "validate", "p"]).stdout.contains("MCP server"));
    // Whoever uses it can do nothing about it.
    context.write_config(
        "plugins/p/symposium.toml",
        "name = \"p\"\n[[hooks]]\nname = \"h\"\nevent = \"Stop\"\ncommand = \"./gone.sh\"\n",
    );
    context.invoke(&["plugin", "list"]).expect(0);
}

#[test]
fn a_matcher_for_tools_nobody_has_is_named() {
    let context = with_fixture(&["plugins0"]);
    plugin(&context, "name = \"h\"\nevent = \"PreToolUse\"\nmatcher = \"bash|Shel|Read\"\n", "");
    check(
        context.invoke(&["plugin", "validate", "p"]),
        expect![[r#"
            warning: hook `h`: `bash` is the name of `Bash` in copilot, opencode, kilo, pi, crush, so the hook runs on no other agent
             --> p/symposium.toml:5:12
              |
            5 | matcher = "bash|Shel|Read"
              |            ^^^^
              |
              = help: write `Bash`, the canonical name for every agent

            warning: hook `h`: no agent has a tool `Shel`
             --> p/symposium.toml:5:17
              |
            5 | matcher = "bash|Shel|Read"
              |                 ^^^^
              |
              = help: did you mean `Bash`?

            note: p/symposium.toml:2: Hook `h` at PreToolUse: no context on gemini, kiro, goose, qwen, droid; no changed input on kiro, goose, qwen; a changed input only with `allow` on codex, droid; `ask` denies on gemini, codex, kiro, opencode, goose, qwen, kilo, cline, pi, crush

            1 file checked: 0 errors, 2 warnings, 1 note
        "#]],
    );
    context.invoke(&["plugin", "validate", "p", "--strict"]).expect(1);
}

#[test]
fn what_an_agent_has_and_is_not_offered_is_said_with_the_reason() {
    let context = with_fixture(&["plugins0"]);
    plugin(&context, "name = \"h\"\nevent = \"claude:WorktreeCreate\"\n", "");
    check(
        context.invoke(&["plugin", "validate", "p"]),
        expect![[r#"
            error: `claude:WorktreeCreate` is not supported: a hook for this event must create the worktree itself
             --> p/symposium.toml:4:17
              |
            4 | event = "claude:WorktreeCreate"
              |                 ^^^^^^^^^^^^^^
              |
              = help: write it into the settings of Claude Code

            1 file checked: 1 error, 0 warnings
            --- exit 1
        "#]],
    );
    plugin(&context, "name = \"h\"\nevent = \"opencode:tool.execute.before\"\n", "");
    context.invoke(&["plugin", "validate", "p"]).expect(0);
}

const CASE: &str = "[[hooks.tests]]\nname = \"goes on\"\ninput = { tool_name = \"Bash\", tool_input = { command = \"ls\" } }\ndecision = \"none\"\n";

#[test]
fn a_command_that_dies_or_prints_nonsense_passes_no_case() {
    for (script, said) in [
        ("echo oops >&2; exit 1", "FAILED: the handler ended with exit code 1; standard error: `oops`"),
        ("echo what is this", "FAILED: the handler printed invalid output"),
        ("exec /nowhere/at-all", "exit code 127"),
    ] {
        let context = with_fixture(&["plugins0"]);
        plugin(&context, "name = \"h\"\nevent = \"PreToolUse\"\n", script);
        let manifest = std::fs::read_to_string(context.workspace().join("p/symposium.toml")).unwrap();
        context.write("p/symposium.toml", manifest + CASE);
        let shown = context.invoke(&["hook", "test", "p", "--agent", "claude"]).expect(1);
        let line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(line.contains(said), "{script}: {shown}");
    }
    let context = with_fixture(&["plugins0"]);
    plugin(&context, "name = \"h\"\nevent = \"PreToolUse\"\nmatcher = \"bash\"\n", "exit 2");
    let manifest = std::fs::read_to_string(context.workspace().join("p/symposium.toml")).unwrap();
    context.write("p/symposium.toml", manifest + &CASE.replace("none", "deny"));
    let shown = context.invoke(&["hook", "test", "p", "--agent", "claude"]).expect(1);
    let line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(line.contains("not called: its matcher `bash` does not match `Bash`"), "{shown}");
}

#[test]
fn without_test_cases_the_answer_is_no_unless_that_is_asked_for() {
    let context = with_fixture(&["plugins0"]);
    plugin(&context, "name = \"h\"\nevent = \"PreToolUse\"\n", "");
    let shown = context.invoke(&["hook", "test", "p"]).expect(1);
    assert!(shown.contains("No hook has test cases"), "{shown}");
    context.invoke(&["hook", "test", "p", "--allow-empty"]).expect(0);
    context.invoke(&["hook", "test", "rtk"]).expect(1);
}

#[test]
fn what_hooks_alike_cannot_do_is_said_once_and_only_if_they_do_it() {
    let context = with_fixture(&["plugins0"]);
    let hook = |name: &str| format!("[[hooks]]\nname = \"{name}\"\nevent = \"PreToolUse\"\ncommand = \"true\"\n");
    context.write("p/symposium.toml", format!("name = \"p\"\n{}{}", hook("a"), hook("b")));
    let shown = context.invoke(&["plugin", "validate", "p"]).expect(0);
    assert_eq!(shown.matches("note: ").count(), 1, "{shown}");
    assert!(shown.contains("Hooks `a`, `b` at PreToolUse"), "{shown}");
    let deny = CASE.replace("none", "deny");
    context.write("p/symposium.toml", format!("name = \"p\"\n{}{deny}", hook("a")));
    let shown = context.invoke(&["plugin", "validate", "p"]).expect(0);
    assert!(!shown.contains("note: "), "every agent can be denied a tool: {shown}");
}

#[test]
fn a_hook_may_say_what_it_is_for() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let manifest = "name = \"p\"\n[[hooks]]\nname = \"h\"\ndescription = \"Keeps secrets out\"\nevent = \"Stop\"\ncommand = \"true\"\n";
    context.write_config("plugins/p/symposium.toml", manifest);
    let validated = context.invoke(&["plugin", "validate", &format!("{}/plugins/p", context.config_dir().display())]);
    assert!(!validated.stdout.contains("description"), "{}", validated.transcript());
    let list = context.invoke(&["hook", "list"]).expect(0);
    assert!(list.contains("    Keeps secrets out\n"), "{list}");
    let document = crate::json(context.invoke(&["hook", "list", "--json"]));
    let rows = document["hooks"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["description"] == "Keeps secrets out"), "{document}");
    let shown = context.invoke(&["plugin", "show", "p"]).expect(0);
    assert!(shown.contains("Keeps secrets out"), "{shown}");
}

#[test]
fn what_gemini_cli_says_about_a_hook_is_imported_with_it() {
    let context = with_fixture(&["workspace0"]);
    let home = context.root().join("home/.gemini/settings.json");
    std::fs::create_dir_all(home.parent().unwrap()).unwrap();
    let hook = r#"{"type": "command", "name": "scan", "description": "Looks for secrets", "command": "true"}"#;
    std::fs::write(home, format!(r#"{{"hooks": {{"BeforeTool": [{{"matcher": "write_file", "hooks": [{hook}]}}]}}}}"#))
        .unwrap();
    context.invoke(&["import", "--from", "gemini", "--yes"]).expect(0);
    let list = context.invoke(&["hook", "list"]).expect(0);
    assert!(list.contains("Looks for secrets"), "{list}");
}

#[test]
fn a_manifest_without_a_name_is_called_the_same_everywhere() {
    let context = with_fixture(&["plugins0"]);
    let text = "session-start-context = \"x\"\n";
    for (file, name) in [("all/lonely.toml", "lonely"), ("all/dir/symposium.toml", "dir"), ("all/own/own.toml", "own")]
    {
        context.write(file, text);
        let document = crate::json(context.invoke(&["plugin", "validate", file, "--json"]));
        assert_eq!(document["items"][0]["name"], name, "{file}");
        let listed = crate::json(context.invoke(&["--source", "all", "plugin", "list", "--json"]));
        assert!(listed.to_string().contains(&format!("\"name\":\"{name}\"")), "{file}: {listed}");
    }
    let here = context.workspace().join("all/dir");
    let document = crate::json(context.invoke_in(&here, &["plugin", "validate", "symposium.toml", "--json"]));
    assert_eq!(document["items"][0]["name"], "dir");
}

/// A case in which nothing is expected passes, whether the hook is called or not.
#[test]
fn a_matcher_for_no_tool_is_named_beside_a_case_that_calls_no_hook() {
    let context = with_fixture(&["workspace0"]);
    context.write(
        "p/symposium.toml",
        "name = \"p\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\nmatcher = \"Shel\"\ncommand = \"true\"\n\
         [[hooks.tests]]\nname = \"the rest\"\ninput = { tool_name = \"Bash\", tool_input = { command = \"ls\" } }\n\
         decision = \"none\"\n",
    );
    let shown = context.invoke(&["hook", "test", "p"]).expect(1);
    assert!(shown.contains("matcher: no agent has a tool `Shel`; did you mean `Bash`?"), "{shown}");
}
