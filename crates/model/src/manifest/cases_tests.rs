use std::fmt::Write;

use expect_test::{Expect, expect};

use crate::agent::AgentId;
use crate::manifest::parse;

/// Returns the diagnostics about the cases of an otherwise valid hook, and the cases that remain.
fn check(event: &str, cases: &str, expected: &Expect) {
    let text = format!("name = \"p\"\n[[hooks]]\nname = \"a\"\nevent = \"{event}\"\ncommand = \"x\"\n{cases}\n");
    let parsed = parse("p.toml", &text, "fallback");
    let mut shown = String::new();
    for found in &parsed.diagnostics {
        writeln!(shown, "{}: {found} ({})", found.severity, found.help.as_deref().unwrap_or_default()).unwrap();
    }
    let plugin = parsed.plugin.unwrap();
    assert_eq!(plugin.hooks.len(), 1, "a fault in a test never takes the hook out of use");
    for case in &plugin.hooks[0].tests {
        let agent = case.agent.map(AgentId::name);
        writeln!(shown, "{} {agent:?} {:?}\n  {:?}", case.name, case.input, case.expected).unwrap();
    }
    expected.assert_eq(&shown);
}

#[test]
fn cases_are_read() {
    check(
        "PreToolUse",
        r#"
[[hooks.tests]]
name = "no rm"
agent = "codex"
input = { tool_name = "Bash", tool_input = { command = "rm -rf /" } }
decision = "deny"
reason = "no"
[[hooks.tests]]
input.tool_name = "Bash"
decision = "none"
context = "c"
rewrite = { command = "ls" }
"#,
        &expect![[r#"
            no rm Some("codex") Canonical(HookInput { agent: None, session_id: None, cwd: None, sub_agent: None, detail: PreToolUse(ToolUse { name: "Bash", input: {"command": String("rm -rf /")}, native: None }) })
              ExpectedOutcome { decision: Some(Is(Deny)), reason: Some("no"), context: None, rewrite: None }
            case 2 None Canonical(HookInput { agent: None, session_id: None, cwd: None, sub_agent: None, detail: PreToolUse(ToolUse { name: "Bash", input: {}, native: None }) })
              ExpectedOutcome { decision: Some(Nothing), reason: None, context: Some("c"), rewrite: Some({"command": String("ls")}) }
        "#]],
    );
    check(
        "gemini:BeforeModel",
        "[[hooks.tests]]\ninput = { llm_request = { model = \"x\" } }\ndecision = \"ask\"",
        &expect![[r#"
            case 1 None Native({"llm_request": Object {"model": String("x")}})
              ExpectedOutcome { decision: Some(Is(Ask)), reason: None, context: None, rewrite: None }
        "#]],
    );
    check(
        "SessionStart",
        "[[hooks.tests]]\ncontext = \"c\"",
        &expect![[r#"
            case 1 None Canonical(HookInput { agent: None, session_id: None, cwd: None, sub_agent: None, detail: SessionStart { source: None } })
              ExpectedOutcome { decision: None, reason: None, context: Some("c"), rewrite: None }
        "#]],
    );
}

#[test]
fn a_fault_costs_only_its_case() {
    check(
        "PreToolUse",
        r#"
[[hooks.tests]]
input = { tool_name = "Bash" }
decision = "block"
[[hooks.tests]]
input = { toolname = "Bash" }
decision = "deny"
[[hooks.tests]]
input = "Bash"
decision = "deny"
[[hooks.tests]]
input = { tool_name = "Bash", tool_input = "ls" }
reason = 5
[[hooks.tests]]
agent = "claud"
[[hooks.tests]]
input = { tool_name = "Bash", cwd = "/tmp", native = {} }
decisions = "deny"
"#,
        &expect![[r#"
            error: p.toml:9:12: `decision` cannot be `block` (use deny, ask, allow, or none for no opinion)
            warning: p.toml:11:9: PreToolUse has no field `toolname` (did you mean `tool_name`?)
            error: p.toml:11:9: This is not a valid PreToolUse: `tool_name` is missing (write `input = { tool_name = "Bash", tool_input = { command = "ls" } }`)
            error: p.toml:14:9: `input` in `[[hooks.tests]]` must be a table, not a string (write `input = { … }`)
            error: p.toml:17:9: This is not a valid PreToolUse: `tool_input` must be an object (write `input = { tool_name = "Bash", tool_input = { command = "ls" } }`)
            error: p.toml:18:10: `reason` in `[[hooks.tests]]` must be a string, not a number (put it in double quotes)
            error: p.toml:19:1: This is not a valid PreToolUse: `tool_name` is missing (write `input = { tool_name = "Bash", tool_input = { command = "ls" } }`)
            error: p.toml:20:9: Unknown agent `claud` (did you mean `claude`?)
            warning: p.toml:21:1: This case expects nothing, so it fails only if the hook cannot run (add `decision`, `reason`, `context` or `rewrite`)
            warning: p.toml:22:9: PreToolUse has no field `native` (known there: tool_name, tool_input, session_id, cwd)
            warning: p.toml:22:9: `cwd` of a case is not used (remove it; each case runs in its own empty directory)
            warning: p.toml:23:1: Unknown key `decisions` in `[[hooks.tests]]` (did you mean `decision`?)
            case 6 None Canonical(HookInput { agent: None, session_id: None, cwd: Some("/tmp"), sub_agent: None, detail: PreToolUse(ToolUse { name: "Bash", input: {}, native: None }) })
              ExpectedOutcome { decision: None, reason: None, context: None, rewrite: None }
        "#]],
    );
}

#[test]
fn the_list_must_be_one() {
    check(
        "Stop",
        "tests = 5",
        &expect![[r#"
        error: p.toml:6:9: `tests` in `[[hooks]]` must be an array of tables, not a number (write `[[hooks.tests]]` and the entry's keys below it)
    "#]],
    );
    check(
        "Stop",
        "tests = [\"x\", { decision = \"none\" }]",
        &expect![[r#"
            error: p.toml:6:10: `tests` in `[[hooks]]` must be an array of tables, not a string (write `[[hooks.tests]]` and the entry's keys below it)
            case 1 None Canonical(HookInput { agent: None, session_id: None, cwd: None, sub_agent: None, detail: Stop { stop_hook_active: false, last_assistant_message: None } })
              ExpectedOutcome { decision: Some(Nothing), reason: None, context: None, rewrite: None }
        "#]],
    );
    check(
        "Stop",
        "[hooks.tests]\ndecision = \"none\"",
        &expect![[r#"
            warning: p.toml:6:1: `[hooks.tests]` is read as one entry of a list (write `[[hooks.tests]]`)
            case 1 None Canonical(HookInput { agent: None, session_id: None, cwd: None, sub_agent: None, detail: Stop { stop_hook_active: false, last_assistant_message: None } })
              ExpectedOutcome { decision: Some(Nothing), reason: None, context: None, rewrite: None }
        "#]],
    );
}
