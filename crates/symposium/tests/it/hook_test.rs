//! `symposium hook test`.

use std::os::unix::fs::PermissionsExt;

use expect_test::expect;
use serde_json::{Value, json};
use symposium_agents::dialect;
use symposium_model::agent::AgentId;
use symposium_testkit::TestContext;

use crate::{check, with_fixture};

/// Answers by what the command in the event says.
const GUARD: &str = r#"#!/bin/sh
event=$(cat)
case "$event" in
  *"rm -rf"*) echo "Not like this" >&2; exit 2 ;;
  *"git push"*) echo '{"PreToolUse": {"decision": "ask", "reason": "Really?"}}' ;;
  *"cargo test"*) echo '{"PreToolUse": {"updatedInput": {"command": "cargo nextest run"}}}' ;;
  *"cargo bench"*) echo '{"PreToolUse": {"decision": "allow", "updatedInput": {"command": "cargo bench --quiet"}}}' ;;
  *"cargo add"*) echo '{"PreToolUse": {"additionalContext": "Check the licence first"}}' ;;
  *"where"*) echo "{\"additionalContext\": \"$(pwd) $(ls | wc -l) $SYMPOSIUM_AGENT $SYMPOSIUM_EVENT\"}" ;;
esac
"#;

const HOOK: &str = r#"name = "guard"

[[hooks]]
name = "shell"
event = "PreToolUse"
matcher = "Bash"
command = "./guard.sh"
"#;

fn plugin(context: &TestContext, directory: &str, manifest: &str) {
    context.write(&format!("{directory}/symposium.toml"), manifest);
    let script = format!("{directory}/guard.sh");
    context.write(&script, GUARD);
    let script = context.workspace().join(script);
    std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn case(name: &str, command: &str, expected: &str) -> String {
    format!(
        "[[hooks.tests]]\nname = \"{name}\"\n\
         input = {{ tool_name = \"Bash\", tool_input = {{ command = \"{command}\" }} }}\n{expected}\n"
    )
}

/// One case for each thing a hook can say.
fn everything() -> String {
    HOOK.to_owned()
        + &case("refuses rm", "rm -rf /", "decision = \"deny\"\nreason = \"Not like\"")
        + &case("asks before a push", "git push", "decision = \"ask\"")
        + &case("rewrites tests", "cargo test", "decision = \"none\"\nrewrite = { command = \"cargo nextest run\" }")
        + &case(
            "allows benches",
            "cargo bench",
            "decision = \"allow\"\nrewrite = { command = \"cargo bench --quiet\" }",
        )
        + &case("adds context", "cargo add x", "context = \"licence\"")
        + &case("lets the rest alone", "ls", "decision = \"none\"")
        + "[[hooks.tests]]\nname = \"only the shell\"\ninput = { tool_name = \"Read\", tool_input = { file_path = \"rm -rf\" } }\ndecision = \"none\"\n"
}

#[test]
fn every_case_runs_with_every_agent() {
    let context = with_fixture(&["plugins0"]);
    plugin(&context, "guard", &everything());
    let output = context.invoke(&["hook", "test", "guard"]);
    assert!(output.stdout.lines().all(|line| line.chars().count() <= 80), "{}", output.stdout);
    check(
        output,
        expect![[r#"
            guard/shell at PreToolUse
            CASE                 ok  no  FAILED
            refuses rm           14  0   0
            asks before a push   4   10  0
                no: this agent cannot ask from a hook, so it is denied (gemini, codex, kiro,
                opencode, goose, qwen, kilo, cline, pi, crush)
            rewrites tests       9   5   0
                no: this agent takes a changed input only from a handler that allows it
                (codex, droid)
                no: this agent takes no changed input at this event (kiro, goose, qwen)
            allows benches       6   8   0
                no: this agent ignores `allow` (gemini, opencode, kilo, cline, pi)
                no: this agent takes no changed input at this event; this agent ignores
                `allow` (kiro, goose, qwen)
            adds context         9   5   0
                no: this agent takes no context at this event (gemini, kiro, goose, qwen,
                droid)
            lets the rest alone  14  0   0
            only the shell       14  0   0

            Portability
                shell at PreToolUse: no context on gemini, kiro, goose, qwen, droid; no
                changed input on kiro, goose, qwen; a changed input only with `allow` on
                codex, droid; `ask` denies on gemini, codex, kiro, opencode, goose, qwen,
                kilo, cline, pi, crush
                shell at PreToolUse: agents check the changed command, so a rule of the user
                for the original command, such as a deny for `git push`, no longer applies;
                append arguments, and put nothing before the command

            98 trials with 14 agents: 70 ok, 28 not possible, 0 failed
        "#]],
    );
}

#[test]
fn a_plugin_is_named_by_directory_manifest_or_name() {
    let context = with_fixture(&["plugins0"]);
    let manifest = HOOK.to_owned() + &case("refuses rm", "rm -rf /", "decision = \"deny\"");
    plugin(&context, "all/guard", &manifest);
    let agents = AgentId::ALL.into_iter().filter(|agent| dialect(*agent).has_events()).count();
    let ok = format!("{agents} trials with {agents} agents: {agents} ok, 0 not possible, 0 failed\n");
    for path in ["all", "all/guard", "all/guard/", "all/guard/symposium.toml"] {
        let shown = context.invoke(&["hook", "test", path]).expect(0);
        assert!(shown.ends_with(&ok), "{path}: {shown}");
    }
    let here = context.invoke_in(&context.workspace().join("all/guard"), &["hook", "test"]).expect(0);
    assert!(here.ends_with(&ok), "{here}");
    let by_name = context.invoke(&["hook", "test", "guard", "--source", "all"]).expect(0);
    assert!(by_name.ends_with(&ok), "{by_name}");
    let one = context.invoke(&["hook", "test", "all", "--agent", "claude-code", "--agent", "goose"]).expect(0);
    assert!(one.ends_with("2 trials with 2 agents: 2 ok, 0 not possible, 0 failed\n"), "{one}");
    check(
        context.invoke(&["hook", "test", "guardd", "--source", "all"]),
        expect![[r#"
            --- stderr
            error: there is no plugin `guardd` here or in any source
            help: did you mean `guard`?
            --- exit 1
        "#]],
    );
    check(
        context.invoke(&["hook", "test", "not/there"]),
        expect![[r#"
            --- stderr
            error: `not/there` does not exist
            help: check the path
            --- exit 2
        "#]],
    );
    check(
        context.invoke(&["hook", "test", "all", "--agent", "nobody"]),
        expect![[r#"
            --- stderr
            error: invalid value 'nobody' for '--agent <NAME>'
              [possible values: claude, copilot, gemini, codex, kiro, opencode, goose, cursor, qwen, kilo, cline, pi, droid, crush, antigravity, agents]

            For more information, try '--help'.
            --- exit 2
        "#]],
    );
}

#[test]
fn failures_say_what_was_expected_and_seen() {
    let context = with_fixture(&["plugins0"]);
    let manifest = HOOK.to_owned()
        + &case("wrong decision", "ls", "decision = \"deny\"")
        + &case("wrong rewrite", "cargo test", "rewrite = { command = \"cargo check\", timeout = 5 }")
        + &case("wrong reason", "rm -rf", "decision = \"deny\"\nreason = \"because\"")
        + "[[hooks]]\nname = \"gone\"\nevent = \"Stop\"\ncommand = \"./nowhere.sh\"\n[[hooks.tests]]\ndecision = \"none\"\n"
        + "[[hooks]]\nname = \"out\"\nevent = \"Stop\"\ncommand = \"../../x\"\n[[hooks.tests]]\ndecision = \"none\"\n"
        + "[[hooks]]\nname = \"untested\"\nevent = \"gemini:BeforeModel\"\ncommand = \"true\"\n";
    plugin(&context, "guard", &manifest);
    check(
        context.invoke(&["hook", "test", "guard", "--agent", "claude", "--agent", "goose"]),
        expect![[r#"
            guard/shell at PreToolUse
            CASE            claude  goose
            wrong decision  FAILED  FAILED
                FAILED: expected the decision `deny`, got `none` (claude, goose)
            wrong rewrite   FAILED  FAILED
                FAILED: expected `command` to become `cargo check`, got `cargo nextest run`;
                expected `timeout` to become `5`, got no change (claude, goose)
            wrong reason    FAILED  FAILED
                FAILED: expected a reason with `because`, got `Not like this` (claude,
                goose)

            guard/gone at Stop
            CASE    claude  goose
            case 1  FAILED  FAILED
                FAILED: the handler could not be started; guard/gone:
                `$WORKSPACE/guard/nowhere.sh` does not exist, or the program
                named in its first line does not (claude, goose)

            guard/out at Stop
            CASE    claude  goose
            case 1  FAILED  FAILED
                FAILED: the hook cannot be run: it runs `../../x`, which is outside the
                plugin's directory (claude, goose)

            guard/untested has no test cases to run

            Portability
                shell at PreToolUse: no changed input on goose
                shell at PreToolUse: agents check the changed command, so a rule of the user
                for the original command, such as a deny for `git push`, no longer applies;
                append arguments, and put nothing before the command

            10 trials with 2 agents: 0 ok, 0 not possible, 10 failed
            --- stderr
            error: hook `out` runs `../../x`, which is outside the plugin
              --> guard/symposium.toml:30:11
               |
            30 | command = "../../x"
               |           ^^^^^^^^^
               |
               = help: keep scripts in the plugin's directory

            error: hook `gone` runs `./nowhere.sh`, which does not exist
              --> guard/symposium.toml:24:11
               |
            24 | command = "./nowhere.sh"
               |           ^^^^^^^^^^^^^^
               |
               = help: create `guard/nowhere.sh`, or correct `command`

            --- exit 1
        "#]],
    );
}

#[test]
fn the_document_has_a_row_for_each_case_and_agent() {
    let context = with_fixture(&["plugins0"]);
    plugin(&context, "guard", &everything());
    let document = crate::json(context.invoke(&["hook", "test", "guard", "--json"]));
    let cases = document["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 7 * AgentId::ALL.into_iter().filter(|agent| dialect(*agent).has_events()).count());
    let of = |agent: &str, case: &str| -> Value {
        cases.iter().find(|row| row["agent"] == agent && row["case"] == case).unwrap().clone()
    };
    assert_eq!(
        of("kiro", "adds context"),
        json!({"plugin": "guard", "hook": "shell", "case": "adds context", "agent": "kiro", "outcome": "cannot",
            "detail": "this agent takes no context at this event"})
    );
    assert_eq!(of("claude", "refuses rm")["outcome"], "ok");
    assert_eq!(document["errors"], json!([]));
    assert_eq!(document["portability"][0]["hook"], "shell");
}

#[test]
fn handlers_run_in_an_empty_directory_of_their_own() {
    let context = with_fixture(&["plugins0"]);
    let manifest = HOOK.to_owned() + &case("where", "where", "context = \" 0 codex PreToolUse\"");
    plugin(&context, "guard", &manifest);
    assert_eq!(context.invoke(&["hook", "test", "guard", "--agent", "codex"]).code, 0);
    let before = context.tree(context.root());
    assert_eq!(context.invoke(&["hook", "test", "guard"]).code, 1, "the others are not codex");
    assert_eq!(before, context.tree(context.root()), "nothing is left, no trail either");
}

#[test]
fn a_fault_in_a_case_is_an_error_and_the_others_run() {
    let context = with_fixture(&["plugins0"]);
    let manifest =
        HOOK.to_owned() + &case("good", "rm -rf", "decision = \"deny\"") + &case("bad", "ls", "decision = \"no\"");
    plugin(&context, "guard", &manifest);
    check(
        context.invoke(&["hook", "test", "guard", "--agent", "claude"]),
        expect![[r#"
        guard/shell at PreToolUse
        CASE  claude
        good  ok

        1 trial with 1 agent: 1 ok, 0 not possible, 0 failed
        --- stderr
        error: `decision` cannot be `no`
          --> guard/symposium.toml:15:12
           |
        15 | decision = "no"
           |            ^^^^
           |
           = help: use deny, ask, allow, or none for no opinion

        --- exit 1
    "#]],
    );
}

#[test]
fn events_of_one_agent_and_formats_of_another() {
    let context = with_fixture(&["plugins0"]);
    let claude = r#"{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "no"}}"#;
    let manifest = format!(
        r#"name = "guard"
[[hooks]]
name = "foreign"
event = "PreToolUse"
matcher = "Bash"
format = "claude"
command = '''echo '{claude}' '''
[[hooks.tests]]
input = {{ tool_name = "Bash", tool_input = {{ command = "x" }} }}
decision = "deny"
[[hooks]]
name = "own"
event = "gemini:BeforeTool"
command = "echo no >&2; exit 2"
[[hooks.tests]]
input = {{ tool_name = "run_shell_command", tool_input = {{ command = "x" }} }}
decision = "deny"
[[hooks]]
name = "failed"
event = "PostToolUse"
command = '''grep -q '"tool_failed":true' && echo '{{"additionalContext": "again"}}' '''
[[hooks.tests]]
input = {{ tool_name = "Bash", tool_failed = true }}
context = "again"
[[hooks]]
name = "server"
event = "PreToolUse"
matcher = "mcp__my_db__drop_table"
command = "exit 2"
[[hooks.tests]]
input = {{ tool_name = "mcp__my_db__drop_table" }}
decision = "deny"
reason = "Blocked by guard/server"
[[hooks]]
name = "turn"
event = "Stop"
command = "echo more >&2; exit 2"
[[hooks.tests]]
decision = "deny"
"#
    );
    plugin(&context, "guard", &manifest);
    check(
        context.invoke(&["hook", "test", "guard"]),
        expect![[r#"
            guard/foreign at PreToolUse
            CASE    ok  no  FAILED
            case 1  14  0   0

            guard/own at gemini:BeforeTool
            CASE    ok  no  FAILED
            case 1  1   0   0

            guard/failed at PostToolUse
            CASE    ok  no  FAILED
            case 1  4   10  0
                no: this agent has no separate event for a failed tool (gemini, codex, kiro,
                opencode, kilo, cline, pi, droid)
                no: this agent takes no context at this event (goose)
                no: this agent does not have this event (crush)

            guard/server at PreToolUse
            CASE    ok  no  FAILED
            case 1  13  1   0
                no: this agent calls the tool `MCP:drop_table` (cursor)

            guard/turn at Stop
            CASE    ok  no  FAILED
            case 1  9   5   0
                no: nothing can be denied at this event (kiro)
                no: this agent does not have this event (opencode, kilo, cline, crush)

            Portability
                failed at PostToolUse: never runs on crush; no context on kiro, goose
                turn at Stop: never runs on opencode, kilo, cline, crush; a deny has no
                effect on kiro

            57 trials with 14 agents: 41 ok, 16 not possible, 0 failed
        "#]],
    );
}

#[test]
fn without_cases_it_says_how_to_write_them() {
    let context = with_fixture(&["plugins0"]);
    plugin(&context, "guard", HOOK);
    check(
        context.invoke(&["hook", "test", "guard", "--agent", "claude"]),
        expect![[r#"
            guard/shell has no test cases to run

            No hook has test cases
            --- stderr
            help: declare cases as `[[hooks.tests]]` below a hook: `input`, and `decision`, `reason`, `context`, `rewrite` or `output`
            --- exit 1
        "#]],
    );
    std::fs::create_dir(context.workspace().join("void")).unwrap();
    check(
        context.invoke(&["hook", "test", "void"]),
        expect![[r#"
            --- stderr
            error: there is no manifest in `void`
            help: give a manifest, a plugin's directory or a plugin's name
            --- exit 1
        "#]],
    );
}

#[test]
fn a_changed_output_is_tested_on_every_agent() {
    let context = with_fixture(&["workspace0"]);
    let manifest = r#"name = "brief"

[[hooks]]
name = "output"
event = "PostToolUse"
matcher = "Bash"
command = "echo '{\"updatedOutput\": \"two words\"}'"

[[hooks.tests]]
name = "shortens"
input = { tool_name = "Bash", tool_input = { command = "ls" }, output = "many words" }
output = "two words"
"#;
    context.write("brief/symposium.toml", manifest);
    check(
        context.invoke(&["hook", "test", "brief"]),
        expect![[r#"
            brief/output at PostToolUse
            CASE      ok  no  FAILED
            shortens  6   8   0
                no: this agent takes no changed output here (gemini, kiro, goose, cursor,
                qwen, cline, droid)
                no: this agent does not have this event (crush)

            Portability
                output at PostToolUse: never runs on crush; no changed output on kiro,
                goose, cursor, qwen, cline, droid; a changed output only of a tool that
                failed on gemini; a changed output only of a tool that succeeded on claude,
                copilot, opencode, kilo

            14 trials with 14 agents: 6 ok, 8 not possible, 0 failed
        "#]],
    );
    context.write("brief/symposium.toml", manifest.replace("output = \"two words\"", "output = \"three words\""));
    let said = context.invoke(&["hook", "test", "brief"]);
    assert_eq!(said.code, 1);
    assert!(said.stdout.contains("expected a changed output with `three words`, got `two words`"), "{}", said.stdout);
}

/// Cases that expect nothing are met by a hook that never ran.
#[test]
fn a_hook_that_no_case_calls_is_not_tested() {
    let context = with_fixture(&["workspace0"]);
    let idle = HOOK.replace("\"Bash\"", "\"Shel\"") + &case("lets it alone", "ls", "decision = \"none\"");
    plugin(&context, "idle", &idle);
    let shown = context.invoke(&["hook", "test", "idle"]);
    assert_eq!(shown.code, 1, "{shown:?}");
    assert!(shown.stderr.contains("no test case calls this hook, whose matcher is `Shel`"), "{shown:?}");
    assert!(shown.stderr.contains("guard/shell"), "{shown:?}");
    let document: Value = serde_json::from_str(&context.invoke(&["hook", "test", "idle", "--json"]).stdout).unwrap();
    assert!(document["errors"].to_string().contains("No test case calls this hook"), "{document}");
    // One case that calls it is enough: others may say where it keeps out.
    plugin(
        &context,
        "busy",
        &(idle.replace("Shel", "Bash|Shel") + &case("lets it alone", "ls", "decision = \"none\"")),
    );
    context.invoke(&["hook", "test", "busy"]).expect(0);
}
