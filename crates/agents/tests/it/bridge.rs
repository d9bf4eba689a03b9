//! The bridges, run by node as their agents run them, against a stand-in for Symposium.

use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::{Expect, expect, expect_file};
use serde_json::{Value, json};
use symposium_agents::{OsFamily, RegistrationInput, Scope, SymposiumProgram, registration};
use symposium_model::agent::AgentId;
use symposium_model::edit::FileContent;

/// A stand-in: records its calls, and prints the answer of the case. `EVENT.2` has the answer to the second of all calls.
const STAND_IN: &str = r#"#!/bin/sh
here=$(dirname "$0")
{ printf '%s ' "$@"; cat; echo; } >> "$here/calls"
number=$(($(wc -l < "$here/calls")))
cat "$here/$3.$number.answer" 2>/dev/null || cat "$here/$3.answer" 2>/dev/null
exit "$(cat "$here/$3.exit" 2>/dev/null || echo 0)"
"#;

/// The output of the stand-in for an event, and its exit code.
pub(crate) struct Answer<'a>(pub(crate) &'a str, pub(crate) &'a str, pub(crate) u8);

/// Runs steps through the bridge; shows what OpenCode gets, then what the stand-in got. `None` without node.
fn run(program: SymposiumProgram, answers: &[Answer<'_>], native: &[&str], steps: &[Value]) -> Option<String> {
    run_as(AgentId::OpenCode, program, answers, native, steps)
}

pub(crate) fn run_as(
    agent: AgentId,
    program: SymposiumProgram,
    answers: &[Answer<'_>],
    native: &[&str],
    steps: &[Value],
) -> Option<String> {
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("Skipped: the OpenCode bridge needs `node` to be tested");
        return None;
    }
    let directory = tempfile::tempdir().unwrap();
    // A path that needs quoting everywhere.
    let bin = directory.path().join("it's a \"bin\" @PROGRAM@ $x");
    std::fs::create_dir(&bin).unwrap();
    write_executable(&bin.join("symposium"), STAND_IN);
    for Answer(event, stdout, exit) in answers {
        std::fs::write(bin.join(format!("{event}.answer")), stdout).unwrap();
        std::fs::write(bin.join(format!("{event}.exit")), exit.to_string()).unwrap();
    }
    let (scope, program) = match program {
        SymposiumProgram::Bare => (Scope::Project, SymposiumProgram::Bare),
        SymposiumProgram::Path { path, directories } => {
            (Scope::User, SymposiumProgram::Path { path: bin.join(path).to_str().unwrap().to_owned(), directories })
        }
    };
    let native_events = native.iter().map(|name| (*name).to_owned()).collect();
    let situation = RegistrationInput { native_events, ..RegistrationInput::new(program, OsFamily::Posix) };
    let files = registration(agent, scope, &situation).files;
    let FileContent::Whole(bridge) = &files[0].content else { panic!("the bridge is ours") };
    let bridge_path = directory.path().join("symposium.mjs");
    std::fs::write(&bridge_path, bridge).unwrap();
    let steps_path = directory.path().join("steps.json");
    std::fs::write(&steps_path, Value::from(steps.to_vec()).to_string()).unwrap();

    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(bin.clone()).chain(std::env::split_paths(&path))).unwrap();
    let output = Command::new("node")
        .arg(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/bridge_driver.mjs"))
        .arg(agent.name())
        .args([&bridge_path, &steps_path])
        .env("PATH", path)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");

    let results: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let results = results.iter().map(Value::to_string);
    let calls = std::fs::read_to_string(bin.join("calls")).unwrap_or_default();
    let lines: Vec<String> = results.chain(calls.lines().map(|line| format!("> {line}"))).collect();
    Some(lines.join("\n") + "\n")
}

fn check(answers: &[Answer<'_>], steps: &[Value], expected: &Expect) {
    if let Some(shown) = run(SymposiumProgram::Bare, answers, &[], steps) {
        expected.assert_eq(&shown);
    }
}

fn write_executable(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn recorded(name: &str) -> Value {
    recorded_by(AgentId::OpenCode, name)
}

fn recorded_by(agent: AgentId, name: &str) -> Value {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/payloads/{agent}/{name}.json"));
    let record: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    json!({"hook": record["hook"], "input": record["input"], "output": record["output_before_plugin"]})
}

fn before(call: &str) -> Value {
    let args = json!({"command": "ls", "description": "d"});
    json!({"hook": "tool.execute.before", "input": {"tool": "bash", "sessionID": "s", "callID": call}, "output": {"args": args}})
}

fn after(call: &str) -> Value {
    json!({"hook": "tool.execute.after", "input": {"tool": "bash", "sessionID": "s", "callID": call, "args": {}},
        "output": {"title": "t", "output": "done", "metadata": {"exit": 0}}})
}

fn chat(session: &str, text: &str) -> Value {
    let part = json!({"type": "text", "text": text, "id": "prt_1"});
    json!({"hook": "chat.message", "input": {"sessionID": session}, "output": {"message": {}, "parts": [part]}})
}

#[test]
fn a_deny_is_thrown_word_for_word() {
    check(
        &[Answer("pre-tool-use", r#"{"deny": "Not \"here\":\nuse cargo"}"#, 0)],
        &[recorded("tool.execute.before.bash")],
        &expect![[r#"
            {"args":{"command":"echo SPAWN FOO=$FOO","description":"d"},"hook":"tool.execute.before","thrown":"Not \"here\":\nuse cargo"}
            > hook opencode pre-tool-use --project {"event":"pre-tool-use","session_id":"ses_e1f68555bffeI3qAfilsMVChxp","cwd":"/home/user/project","tool":"bash","args":{"command":"echo SPAWN FOO=$FOO","description":"d"}}
        "#]],
    );
}

#[test]
fn arguments_are_changed_in_place() {
    check(
        &[Answer("pre-tool-use", r#"{"args": {"command": "cargo fmt", "timeout": 5}}"#, 0)],
        &[recorded("tool.execute.before.bash"), recorded("tool.execute.before.mcp")],
        &expect![[r#"
            {"args":{"command":"cargo fmt","timeout":5},"hook":"tool.execute.before"}
            {"args":{"command":"cargo fmt","timeout":5},"hook":"tool.execute.before"}
            > hook opencode pre-tool-use --project {"event":"pre-tool-use","session_id":"ses_e1f68555bffeI3qAfilsMVChxp","cwd":"/home/user/project","tool":"bash","args":{"command":"echo SPAWN FOO=$FOO","description":"d"}}
            > hook opencode pre-tool-use --project {"event":"pre-tool-use","session_id":"ses_e1f68555bffeI3qAfilsMVChxp","cwd":"/home/user/project","tool":"probe_echo","args":{"msg":"APPEND MCPMUT hello"}}
        "#]],
    );
}

#[test]
fn context_follows_the_result() {
    check(
        &[Answer("post-tool-use", r#"{"context": "Formatted."}"#, 0)],
        &[recorded("tool.execute.after.bash"), recorded("tool.execute.after.mcp")],
        &expect![[r#"
            {"hook":"tool.execute.after","output":"SPAWN FOO=bar-from-plugin\n\n\nFormatted."}
            {"hook":"tool.execute.after","output":[{"text":"MCP-ECHO:mutated-for-mcp","type":"text"},{"text":"Formatted.","type":"text"}]}
            > hook opencode post-tool-use --project {"event":"post-tool-use","session_id":"ses_e1f68555bffeI3qAfilsMVChxp","cwd":"/home/user/project","tool":"bash","args":{"command":"echo SPAWN FOO=$FOO","description":"d"},"output":{"metadata":{"exit":0,"output":"SPAWN FOO=bar-from-plugin\n","truncated":false},"output":"SPAWN FOO=bar-from-plugin\n","title":"echo SPAWN FOO=$FOO"}}
            > hook opencode post-tool-use --project {"event":"post-tool-use","session_id":"ses_e1f68555bffeI3qAfilsMVChxp","cwd":"/home/user/project","tool":"probe_echo","args":{"msg":"mutated-for-mcp"},"output":{"content":[{"text":"MCP-ECHO:mutated-for-mcp","type":"text"}]}}
        "#]],
    );
}

#[test]
fn a_replaced_output_takes_the_place_of_a_text() {
    check(
        &[Answer("post-tool-use", r#"{"output": "Short.", "context": "Formatted."}"#, 0)],
        &[recorded("tool.execute.after.bash"), recorded("tool.execute.after.mcp")],
        &expect![[r#"
            {"hook":"tool.execute.after","output":"Short.\n\nFormatted."}
            {"hook":"tool.execute.after","output":[{"text":"MCP-ECHO:mutated-for-mcp","type":"text"},{"text":"Formatted.","type":"text"}]}
            > hook opencode post-tool-use --project {"event":"post-tool-use","session_id":"ses_e1f68555bffeI3qAfilsMVChxp","cwd":"/home/user/project","tool":"bash","args":{"command":"echo SPAWN FOO=$FOO","description":"d"},"output":{"metadata":{"exit":0,"output":"SPAWN FOO=bar-from-plugin\n","truncated":false},"output":"SPAWN FOO=bar-from-plugin\n","title":"echo SPAWN FOO=$FOO"}}
            > hook opencode post-tool-use --project {"event":"post-tool-use","session_id":"ses_e1f68555bffeI3qAfilsMVChxp","cwd":"/home/user/project","tool":"probe_echo","args":{"msg":"mutated-for-mcp"},"output":{"content":[{"text":"MCP-ECHO:mutated-for-mcp","type":"text"}]}}
        "#]],
    );
}

#[test]
fn context_from_before_a_tool_waits_for_its_result_or_the_next_prompt() {
    check(
        &[
            Answer("pre-tool-use", r#"{"context": "Before."}"#, 0),
            Answer("post-tool-use", r#"{"deny": "Why not.", "context": "After."}"#, 0),
        ],
        &[before("one"), before("fails"), after("one"), chat("s", "go on"), chat("s", "and on")],
        &expect![[r#"
            {"args":{"command":"ls","description":"d"},"hook":"tool.execute.before"}
            {"args":{"command":"ls","description":"d"},"hook":"tool.execute.before"}
            {"hook":"tool.execute.after","output":"done\n\nBefore.\n\nWhy not.\n\nAfter."}
            {"hook":"chat.message","output":["go on\n\nBefore."]}
            {"hook":"chat.message","output":["and on"]}
            > hook opencode pre-tool-use --project {"event":"pre-tool-use","session_id":"s","cwd":"/home/user/project","tool":"bash","args":{"command":"ls","description":"d"}}
            > hook opencode pre-tool-use --project {"event":"pre-tool-use","session_id":"s","cwd":"/home/user/project","tool":"bash","args":{"command":"ls","description":"d"}}
            > hook opencode post-tool-use --project {"event":"post-tool-use","session_id":"s","cwd":"/home/user/project","tool":"bash","args":{},"output":{"metadata":{"exit":0},"output":"done","title":"t"}}
            > hook opencode session-start --project {"event":"session-start","session_id":"s","cwd":"/home/user/project"}
            > hook opencode user-prompt-submit --project {"event":"user-prompt-submit","session_id":"s","cwd":"/home/user/project","prompt":"go on"}
            > hook opencode user-prompt-submit --project {"event":"user-prompt-submit","session_id":"s","cwd":"/home/user/project","prompt":"and on"}
        "#]],
    );
}

#[test]
fn a_tool_that_fails_is_told_once_and_one_that_was_refused_is_not() {
    let told = |kind: &str, call: &str, status: &str| {
        let state = json!({"status": status, "input": {"command": "ls"}, "error": "No such file"});
        let part = json!({"type": kind, "tool": "bash", "callID": call, "sessionID": "s", "state": state});
        json!({"hook": "event", "input": {"event": {"type": "message.part.updated", "properties": {"part": part}}}})
    };
    check(
        &[Answer("post-tool-use", r#"{"context": "Too late."}"#, 0)],
        &[
            told("tool", "refused", "error"),
            before("fails"),
            told("tool", "fails", "running"),
            told("text", "fails", "error"),
            told("tool", "fails", "error"),
            told("tool", "fails", "error"),
            before("works"),
            after("works"),
            told("tool", "works", "error"),
        ],
        &expect![[r#"
            {"hook":"event"}
            {"args":{"command":"ls","description":"d"},"hook":"tool.execute.before"}
            {"hook":"event"}
            {"hook":"event"}
            {"hook":"event"}
            {"hook":"event"}
            {"args":{"command":"ls","description":"d"},"hook":"tool.execute.before"}
            {"hook":"tool.execute.after","output":"done\n\nToo late."}
            {"hook":"event"}
            > hook opencode pre-tool-use --project {"event":"pre-tool-use","session_id":"s","cwd":"/home/user/project","tool":"bash","args":{"command":"ls","description":"d"}}
            > hook opencode post-tool-use --project {"event":"post-tool-use","session_id":"s","cwd":"/home/user/project","tool":"bash","args":{"command":"ls"},"output":{"error":"No such file"}}
            > hook opencode pre-tool-use --project {"event":"pre-tool-use","session_id":"s","cwd":"/home/user/project","tool":"bash","args":{"command":"ls","description":"d"}}
            > hook opencode post-tool-use --project {"event":"post-tool-use","session_id":"s","cwd":"/home/user/project","tool":"bash","args":{},"output":{"metadata":{"exit":0},"output":"done","title":"t"}}
        "#]],
    );
}

#[test]
fn a_session_starts_with_its_first_prompt_and_a_sub_agent_has_none() {
    let child = json!({"hook": "event", "input": {"event": {"type": "session.created",
        "properties": {"info": {"id": "child", "parentID": "ses"}}}}});
    check(
        &[
            Answer("session-start", r#"{"context": "Welcome."}"#, 0),
            Answer("user-prompt-submit", r#"{"deny": "Refused.", "context": "Nudge."}"#, 0),
        ],
        &[
            recorded("event.session.created"),
            recorded("chat.message"),
            child,
            chat("child", "a task"),
            json!({"hook": "chat.message", "input": {"sessionID": "ses"}, "output": {"parts": [{"type": "file"}]}}),
            recorded("chat.message"),
        ],
        &expect![[r#"
            {"hook":"event"}
            {"hook":"chat.message","output":["\"please do the thing with tokio\"\n\nWelcome.\n\nRefused.\n\nNudge."]}
            {"hook":"event"}
            {"hook":"chat.message","output":["a task"]}
            {"hook":"chat.message","output":[null]}
            {"hook":"chat.message","output":["\"please do the thing with tokio\"\n\nRefused.\n\nNudge."]}
            > hook opencode session-start --project {"event":"session-start","session_id":"ses_e1f68555bffeI3qAfilsMVChxp","cwd":"/home/user/project"}
            > hook opencode user-prompt-submit --project {"event":"user-prompt-submit","session_id":"ses_e1f68555bffeI3qAfilsMVChxp","cwd":"/home/user/project","prompt":"\"please do the thing with tokio\""}
            > hook opencode user-prompt-submit --project {"event":"user-prompt-submit","session_id":"ses_e1f68555bffeI3qAfilsMVChxp","cwd":"/home/user/project","prompt":"\"please do the thing with tokio\""}
        "#]],
    );
}

#[test]
fn what_is_not_our_answer_means_nothing() {
    for (stdout, exit) in [
        ("", 0),
        ("{}", 0),
        ("", 2),
        ("", 1),
        ("Blocked", 2),
        ("[\"deny\"]", 0),
        ("null", 0),
        ("\"deny\"", 0),
        ("{\"deny\": true, \"args\": [1], \"context\": 5}", 0),
        ("log line\n{\"deny\": \"lost\"}", 0),
    ] {
        let answers = ["session-start", "user-prompt-submit", "pre-tool-use", "post-tool-use"]
            .map(|event| Answer(event, stdout, exit));
        let Some(shown) = run(SymposiumProgram::Bare, &answers, &[], &[chat("s", "hello"), before("c"), after("c")])
        else {
            return;
        };
        let results: Vec<&str> = shown.lines().take(3).collect();
        assert_eq!(
            results,
            [
                r#"{"hook":"chat.message","output":["hello"]}"#,
                r#"{"args":{"command":"ls","description":"d"},"hook":"tool.execute.before"}"#,
                r#"{"hook":"tool.execute.after","output":"done"}"#,
            ],
            "{stdout:?} with exit {exit}"
        );
        assert_eq!(shown.lines().filter(|line| line.starts_with("> ")).count(), 4, "{shown}");
    }
}

#[test]
fn our_answer_counts_whatever_the_exit_code() {
    check(
        &[Answer("pre-tool-use", r#"{"deny": "No."}"#, 2)],
        &[before("c")],
        &expect![[r#"
        {"args":{"command":"ls","description":"d"},"hook":"tool.execute.before","thrown":"No."}
        > hook opencode pre-tool-use --project {"event":"pre-tool-use","session_id":"s","cwd":"/home/user/project","tool":"bash","args":{"command":"ls","description":"d"}}
    "#]],
    );
}

#[test]
fn a_missing_program_is_harmless() {
    let path = SymposiumProgram::Path { path: "gone".to_owned(), directories: Vec::new() };
    if let Some(shown) = run(path, &[], &["session.idle"], &[chat("s", "hello"), before("c"), after("c")]) {
        expect![[r#"
            {"hook":"chat.message","output":["hello"]}
            {"args":{"command":"ls","description":"d"},"hook":"tool.execute.before"}
            {"hook":"tool.execute.after","output":"done"}
        "#]]
        .assert_eq(&shown);
    }
}

#[test]
fn a_path_and_a_native_event_arrive_as_they_are() {
    let path = SymposiumProgram::Path {
        path: "symposium".to_owned(),
        directories: vec!["--home".to_owned(), "/home/user/\"q\" \\ 'x' $y".to_owned()],
    };
    let idle = json!({"hook": "event", "input": {"event": {"type": "session.idle", "properties": {"sessionID": "s"}}}});
    let other = json!({"hook": "event", "input": {"event": {"type": "session.diff", "properties": {}}}});
    if let Some(shown) = run(path, &[], &["session.idle"], &[idle, other]) {
        expect![[r#"
            {"hook":"event"}
            {"hook":"event"}
            > hook opencode session.idle --home /home/user/"q" \ 'x' $y {"properties":{"sessionID":"s"},"type":"session.idle"}
        "#]].assert_eq(&shown);
    }
}

#[test]
fn a_function_that_is_handled_changes_what_it_is_given() {
    let answers = [
        Answer("chat.params", r#"{"output":{"temperature":0,"options":{"a":1}}}"#, 0),
        Answer("experimental.chat.system.transform", r#"{"output":{"system":["one","two"]}}"#, 0),
        Answer("experimental.text.complete", r#"{"output":{"text":"withheld"}}"#, 0),
        Answer("user-prompt-submit", r#"{"context":"Nudge."}"#, 0),
        Answer("chat.message", r#"{"output":{"message":{"tools":{"bash":false}},"parts":[]}}"#, 0),
        Answer("shell.env", "nothing to say", 0),
    ];
    let steps = [
        json!({"hook": "chat.params", "input": {"sessionID": "s"}, "output": {"temperature": 1, "topP": 1, "options": {"b": 2}}}),
        json!({"hook": "experimental.chat.system.transform", "input": {}, "output": {"system": ["zero"]}}),
        json!({"hook": "experimental.text.complete", "input": {}, "output": {"text": "secret"}}),
        json!({"hook": "shell.env", "input": {}, "output": {"env": {}}}),
        chat("s", "hello"),
    ];
    let native = [
        "chat.message",
        "chat.params",
        "shell.env",
        "experimental.chat.system.transform",
        "experimental.text.complete",
    ];
    if let Some(shown) = run(SymposiumProgram::Bare, &answers, &native, &steps) {
        expect![[r#"
            {"hook":"chat.params","output":{"options":{"a":1,"b":2},"temperature":0,"topP":1}}
            {"hook":"experimental.chat.system.transform","output":{"system":["one","two"]}}
            {"hook":"experimental.text.complete","output":{"text":"withheld"}}
            {"hook":"shell.env","output":{"env":{}}}
            {"hook":"chat.message","output":[]}
            > hook opencode chat.params --project {"event":"chat.params","cwd":"/home/user/project","input":{"sessionID":"s"},"output":{"options":{"b":2},"temperature":1,"topP":1}}
            > hook opencode experimental.chat.system.transform --project {"event":"experimental.chat.system.transform","cwd":"/home/user/project","input":{},"output":{"system":["zero"]}}
            > hook opencode experimental.text.complete --project {"event":"experimental.text.complete","cwd":"/home/user/project","input":{},"output":{"text":"secret"}}
            > hook opencode shell.env --project {"event":"shell.env","cwd":"/home/user/project","input":{},"output":{"env":{}}}
            > hook opencode session-start --project {"event":"session-start","session_id":"s","cwd":"/home/user/project"}
            > hook opencode user-prompt-submit --project {"event":"user-prompt-submit","session_id":"s","cwd":"/home/user/project","prompt":"hello"}
            > hook opencode chat.message --project {"event":"chat.message","cwd":"/home/user/project","input":{"sessionID":"s"},"output":{"message":{},"parts":[{"id":"prt_1","text":"hello\n\nNudge.","type":"text"}]}}
        "#]].assert_eq(&shown);
    }
}

/// Runs steps through the bridge of Cline or Pi.
pub(crate) fn check_as(agent: AgentId, answers: &[Answer<'_>], steps: &[Value], expected: &Expect) {
    if let Some(shown) = run_as(agent, SymposiumProgram::Bare, answers, &[], steps) {
        expected.assert_eq(&shown);
    }
}

#[test]
fn pi_gets_context_refusals_changes_and_outputs() {
    let edits = json!([{"oldText": "a", "newText": "b"}, {"oldText": "c", "newText": "d"}]);
    let edit = json!({"hook": "tool_call", "input": {"toolName": "edit", "toolCallId": "e", "input": {"path": "f", "edits": edits}}});
    check_as(
        AgentId::Pi,
        &[
            Answer("session-start", r#"{"context": "Welcome."}"#, 0),
            Answer("user-prompt-submit", r#"{"context": "Nudge."}"#, 0),
            Answer(
                "pre-tool-use",
                r#"{"args": {"path": "f", "oldText": "x", "newText": "y"}, "context": "Before."}"#,
                0,
            ),
            Answer("post-tool-use", r#"{"output": "Short.", "context": "After."}"#, 0),
        ],
        &[
            recorded_by(AgentId::Pi, "before_agent_start"),
            recorded_by(AgentId::Pi, "before_agent_start"),
            edit,
            recorded_by(AgentId::Pi, "tool_result.bash"),
        ],
        &expect![[r#"
            {"hook":"before_agent_start","returned":{"message":{"content":"Welcome.\n\nNudge.","customType":"symposium","display":false}}}
            {"hook":"before_agent_start","returned":{"message":{"content":"Nudge.","customType":"symposium","display":false}}}
            {"args":{"edits":[{"newText":"y","oldText":"x"},{"newText":"y","oldText":"x"}],"path":"f"},"hook":"tool_call"}
            {"hook":"tool_result","returned":{"content":[{"text":"Short.","type":"text"},{"text":"After.","type":"text"}]}}
            > hook pi session-start --project {"event":"session-start","session_id":"ses_1","cwd":"/home/user/project"}
            > hook pi user-prompt-submit --project {"event":"user-prompt-submit","session_id":"ses_1","cwd":"/home/user/project","prompt":"XFORM do it INPUT-XFORMED"}
            > hook pi user-prompt-submit --project {"event":"user-prompt-submit","session_id":"ses_1","cwd":"/home/user/project","prompt":"XFORM do it INPUT-XFORMED"}
            > hook pi pre-tool-use --project {"event":"pre-tool-use","session_id":"ses_1","cwd":"/home/user/project","tool":"edit","args":{"path":"f","newText":"b","oldText":"a"}}
            > hook pi pre-tool-use --project {"event":"pre-tool-use","session_id":"ses_1","cwd":"/home/user/project","tool":"edit","args":{"path":"f","newText":"d","oldText":"c"}}
            > hook pi post-tool-use --project {"event":"post-tool-use","session_id":"ses_1","cwd":"/home/user/project","tool":"bash","args":{"command":"echo hi >> ran.txt; echo OUT"},"output":{"content":[{"text":"OUT\n","type":"text"}],"structuredContent":{"exit_code":0,"output":"OUT\n","truncated":false,"wall_time_seconds":0},"isError":false}}
        "#]],
    );
    let answers = [Answer("pre-tool-use", r#"{"deny": "No."}"#, 0), Answer("stop", r#"{"deny": "Go on."}"#, 0)];
    let settle = || recorded_by(AgentId::Pi, "agent_before_settle");
    let input = json!({"hook": "input", "input": {"type": "input", "text": "hello"}});
    let steps = [recorded_by(AgentId::Pi, "tool_call.bash"), settle(), settle(), input];
    if let Some(shown) = run_as(AgentId::Pi, SymposiumProgram::Bare, &answers, &["stop", "input"], &steps) {
        expect![[r#"
            {"args":{"command":"echo hi >> ran.txt; echo OUT"},"hook":"tool_call","returned":{"block":true,"reason":"No."}}
            {"hook":"agent_before_settle","returned":{"continue":true,"entries":[{"content":"Go on.","customType":"symposium","display":false,"type":"custom_message"}]}}
            {"hook":"agent_before_settle","returned":{"continue":true,"entries":[{"content":"Go on.","customType":"symposium","display":false,"type":"custom_message"}]}}
            {"hook":"input"}
            > hook pi pre-tool-use --project {"event":"pre-tool-use","session_id":"ses_1","cwd":"/home/user/project","tool":"bash","args":{"command":"echo hi >> ran.txt; echo OUT"}}
            > hook pi stop --project {"event":"stop","session_id":"ses_1","cwd":"/home/user/project","stop_hook_active":false}
            > hook pi stop --project {"event":"stop","session_id":"ses_1","cwd":"/home/user/project","stop_hook_active":true}
            > hook pi input --project {"event":"input","session_id":"ses_1","cwd":"/home/user/project","input":{"text":"hello","type":"input"}}
        "#]].assert_eq(&shown);
    }
}

#[test]
fn what_is_not_our_answer_means_nothing_to_cline_and_pi() {
    for (agent, calls) in [
        (AgentId::Cline, ["beforeRun", "beforeTool.run_commands", "afterTool.run_commands"]),
        (AgentId::Pi, ["before_agent_start", "tool_call.bash", "tool_result.bash"]),
    ] {
        for stdout in ["", "{}", "null", "[1]", "{\"deny\": true, \"args\": [1], \"context\": 5}"] {
            let answers = ["session-start", "user-prompt-submit", "pre-tool-use", "post-tool-use"]
                .map(|event| Answer(event, stdout, 0));
            let steps = calls.map(|call| recorded_by(agent, call));
            let Some(shown) = run_as(agent, SymposiumProgram::Bare, &answers, &[], &steps) else { return };
            let results: Vec<&str> = shown.lines().take(3).collect();
            let has_effect =
                |line: &&str| line.contains("appendContext") || line.contains("message") || line.contains("content");
            assert!(!results.iter().any(has_effect), "{agent} {stdout:?}: {shown}");
            assert!(!shown.contains("thrown") && !shown.contains("skip") && !shown.contains("block"), "{shown}");
        }
    }
}

/// Stores the bridge's payload of every recorded call beside the payloads of the agents that need no bridge.
#[test]
fn what_the_bridge_sends_is_on_record() {
    for agent in [AgentId::OpenCode, AgentId::Kilo, AgentId::Cline, AgentId::Pi] {
        record_calls(agent);
    }
}

fn record_calls(agent: AgentId) {
    let calls: &[&str] = match agent {
        AgentId::Cline => &[
            "beforeRun",
            "beforeTool.run_commands",
            "beforeTool.read_files",
            "beforeTool.fetch_web_content",
            "beforeTool.search_codebase",
            "beforeTool.editor.create",
            "beforeTool.mcp",
            "beforeTool.skills",
            "afterTool.run_commands",
            "afterTool.editor.replace",
            "afterTool.mcp",
        ],
        AgentId::Pi => &[
            "before_agent_start",
            "tool_call.bash",
            "tool_call.read",
            "tool_call.write",
            "tool_call.edit",
            "tool_call.mcp",
            "tool_result.bash",
            "tool_result.edit",
            "tool_result.mcp",
            "agent_before_settle",
        ],
        _ => &[
            "chat.message",
            "tool.execute.before.bash",
            "tool.execute.before.mcp",
            "tool.execute.before.read",
            "tool.execute.before.write",
            "tool.execute.after.bash",
            "tool.execute.after.mcp",
            "tool.execute.after.write",
        ],
    };
    let steps: Vec<Value> = calls.iter().map(|call| recorded_by(agent, call)).collect();
    let stop: &[&str] = if agent == AgentId::Pi { &["stop"] } else { &[] };
    let Some(shown) = run_as(agent, SymposiumProgram::Bare, &[], stop, &steps) else { return };
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/payloads/{agent}-bridge"));
    let mut sent = 0;
    for line in shown.lines().filter_map(|line| line.strip_prefix(&format!("> hook {agent} "))) {
        let (_, message) = line.split_once(" --project ").unwrap();
        let message: Value = serde_json::from_str(message).unwrap();
        let text = |key: &str| message.get(key).and_then(Value::as_str);
        let event = text("event").unwrap();
        let name = text("tool").map_or(event.to_owned(), |tool| format!("{event}.{tool}"));
        expect_file![folder.join(format!("{name}.json"))].assert_eq(&format!("{message:#}\n"));
        sent += 1;
    }
    // A first prompt is two events.
    assert_eq!(sent, calls.len() + 1);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), sent, "nothing else is in that folder");
}
