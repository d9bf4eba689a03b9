//! The `cargo` workflow through `symposium hook`, over recorded payloads, and `symposium cargo`.

use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use symposium_testkit::{Output, TestContext};

use crate::{FULL_DISK, bound_by_modes, set_mode, with_fixture};

/// Reads a recorded run of cargo.
fn recorded(name: &str) -> String {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../cargo-output/tests/corpus");
    std::fs::read_to_string(format!("{corpus}/{name}.out")).unwrap()
}

/// Reads a recorded payload of an agent, in the workspace of a test.
pub(crate) fn payload(context: &TestContext, file: &str) -> Value {
    let payloads = concat!(env!("CARGO_MANIFEST_DIR"), "/../agents/tests/payloads");
    let text = std::fs::read_to_string(format!("{payloads}/{file}")).unwrap();
    let place = context.workspace().display().to_string();
    serde_json::from_str(&text.replace("/home/user/project", &place)).unwrap()
}

fn answer(output: Output) -> Value {
    let text = output.expect(0);
    if text.trim().is_empty() { Value::Null } else { serde_json::from_str(&text).unwrap() }
}

fn claude(context: &TestContext, command: &str, stdout: &str) -> Value {
    let mut event = payload(context, "claude/PostToolUse.Bash.json");
    event["tool_input"]["command"] = command.into();
    event["tool_response"]["stdout"] = stdout.into();
    answer(context.invoke_hook("claude", "post-tool-use", &event.to_string()))
}

#[test]
fn claude_reads_less_of_a_run_that_succeeded() {
    let context = with_fixture(&["workspace0"]);
    let said = claude(&context, "cargo build 2>&1", &recorded("build-dependencies"));
    let expected = json!({"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": {
        "stdout": "cargo build: ok", "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false}}});
    assert_eq!(said, expected);
    let trail = std::fs::read_to_string(context.config_dir().join("logs/hooks.jsonl")).unwrap();
    assert!(trail.contains("\"name\":\"cargo/output\",\"end\":\"shortened\""), "{trail}");
    let noisy = recorded("build-dependencies");
    for command in [
        "cargo build -v",
        "cargo build --message-format=short",
        "cargo build | tail -3",
        "cargo build && cargo test",
        "sh -c 'cargo build'",
        "cargo run",
        "ls",
    ] {
        assert_eq!(claude(&context, command, &noisy), Value::Null, "{command}");
    }
    assert_eq!(claude(&context, "cargo build", "error: odd\n"), Value::Null, "nothing to be gained");
    let mut failed = payload(&context, "claude/PostToolUseFailure.Bash.json");
    failed["tool_input"]["command"] = "cargo test".into();
    failed["error"] = format!("Exit code 101\n{}", recorded("test-failing")).into();
    let said = answer(context.invoke_hook("claude", "post-tool-use-failure", &failed.to_string()));
    assert_eq!(said, Value::Null, "Claude Code takes no replacement there");
}

#[test]
fn the_whole_output_counts_where_the_agent_names_a_file_of_it() {
    let context = with_fixture(&["workspace0"]);
    let file = context.root().join("whole.txt");
    let noise = "   Compiling a v1.0.0\n".repeat(4000);
    std::fs::write(&file, format!("{noise}{}", recorded("clippy-mixed"))).unwrap();
    let mut event = payload(&context, "claude/PostToolUse.Bash.json");
    event["tool_input"]["command"] = "cargo clippy".into();
    event["tool_response"]["stdout"] = noise.get(..30_000).unwrap().into();
    event["tool_response"]["persistedOutputPath"] = file.to_str().unwrap().into();
    event["tool_response"]["persistedOutputSize"] = 80_000.into();
    let said = answer(context.invoke_hook("claude", "post-tool-use", &event.to_string()));
    let replaced = &said["hookSpecificOutput"]["updatedToolOutput"];
    assert!(replaced["stdout"].as_str().unwrap().contains("warning"), "{said}");
    assert!(!replaced["stdout"].as_str().unwrap().contains("Compiling"), "{said}");
    assert_eq!(replaced.get("persistedOutputPath"), None);
    std::fs::remove_file(&file).unwrap();
    let said = answer(context.invoke_hook("claude", "post-tool-use", &event.to_string()));
    assert_eq!(said, Value::Null, "a part of the output is not the output");
}

/// Sends the result of `cargo test` as an agent does, and returns the answer.
fn after_test(context: &TestContext, agent: &str, text: &str, exit: i32) -> Value {
    let command = "cd . && RUST_BACKTRACE=0 cargo test";
    let event = match agent {
        "codex" => {
            let mut event = payload(context, "codex/PostToolUse.Bash.json");
            event["tool_input"]["command"] = command.into();
            event["tool_response"] = text.into();
            event
        }
        "gemini" => {
            let mut event = payload(context, "gemini/AfterTool.run_shell_command.json");
            event["tool_input"]["command"] = command.into();
            let code = if exit == 0 { String::new() } else { format!("Exit Code: {exit}\n") };
            let text = text.trim_end();
            event["tool_response"]["llmContent"] =
                format!("<untrusted_context>\nOutput: {text}\n{code}Process Group PGID: 4242\n</untrusted_context>")
                    .into();
            event
        }
        "copilot" => {
            let mut event = payload(context, "copilot/postToolUse.json");
            event["toolArgs"]["command"] = command.into();
            event["toolResult"]["textResultForLlm"] =
                format!("{text}<shellId: 1 completed with exit code {exit}>").into();
            event
        }
        "opencode" => {
            let mut event = payload(context, "opencode-bridge/post-tool-use.bash.json");
            event["args"]["command"] = command.into();
            event["output"]["output"] = text.into();
            event["output"]["metadata"]["exit"] = exit.into();
            event
        }
        "goose" => {
            let file = if exit == 0 { "goose/PostToolUse.shell.json" } else { "goose/PostToolUseFailure.shell.json" };
            let mut event = payload(context, file);
            event["tool_input"]["command"] = command.into();
            event
        }
        "kiro" => {
            let mut event = payload(context, "kiro/postToolUse.execute_bash.json");
            event["tool_input"]["command"] = command.into();
            event["tool_response"]["result"] = json!([text]);
            event
        }
        "cursor" => {
            let mut event = payload(context, "cursor/postToolUse.Shell.json");
            event["tool_input"]["command"] = command.into();
            event["tool_output"] = json!({"exitCode": exit, "stdout": text}).to_string().into();
            event
        }
        other => panic!("{other}"),
    };
    answer(context.invoke_hook(agent, "post-tool-use", &event.to_string()))
}

#[test]
fn every_agent_gets_what_it_takes() {
    let context = with_fixture(&["workspace0"]);
    let passing = format!(
        "   Compiling demo v0.1.0 (/w)\n    Finished `test` profile [unoptimized] target(s) in 0.1s\n{}",
        recorded("test-healthy")
    );
    let failing = recorded("test-failing");
    let reason = |said: &Value| said["reason"].as_str().unwrap_or_default().to_owned();
    let is_failure =
        |text: &str| text.contains("panicked at") && text.contains("failed") && !text.contains("Compiling");

    let said = after_test(&context, "codex", &failing, 101);
    assert_eq!(said["decision"], "block", "{said}");
    assert!(is_failure(&reason(&said)), "{said}");
    let said = after_test(&context, "codex", &passing, 0);
    assert!(reason(&said).contains("passed") && !reason(&said).contains("Running"), "{said}");
    assert_eq!(after_test(&context, "codex", "   Compiling a v1.0.0\n", 0), Value::Null, "how did it end?");
    let cut = format!("{passing}…900 tokens truncated…{passing}");
    assert_eq!(after_test(&context, "codex", &cut, 0), Value::Null, "a part is missing");

    let said = after_test(&context, "gemini", &failing, 101);
    assert_eq!(said["decision"], "deny", "{said}");
    assert!(is_failure(&reason(&said)) && reason(&said).starts_with("<untrusted_context>\nOutput: "), "{said}");
    assert!(reason(&said).ends_with("\nExit Code: 101\nProcess Group PGID: 4242\n</untrusted_context>"), "{said}");
    assert_eq!(after_test(&context, "gemini", &passing, 0), json!({}), "it would be an error");

    for exit in [0, 101] {
        let text = if exit == 0 { &passing } else { &failing };
        let said = after_test(&context, "copilot", text, exit);
        let short = said["modifiedResult"]["textResultForLlm"].as_str().unwrap();
        assert!(short.len() < text.len() && !short.contains("Compiling"), "{said}");
        assert!(short.ends_with(&format!("\n<shellId: 1 completed with exit code {exit}>")), "{said}");
        assert_eq!(said["modifiedResult"]["resultType"], "success");
        let said = after_test(&context, "opencode", text, exit);
        assert!(said["output"].as_str().unwrap().len() < text.len(), "{said}");
        for agent in ["goose", "kiro", "cursor"] {
            assert_eq!(after_test(&context, agent, text, exit), Value::Null, "{agent}");
        }
    }
}

#[test]
fn it_is_a_workflow_like_others() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.invoke(&["sync"]).expect(0);
    let listed = context.invoke(&["hook", "list"]).expect(0);
    for hook in ["cargo/output", "deps/lookup", "finish/record", "finish/ask"] {
        let line = listed.lines().find(|line| line.starts_with(hook)).unwrap_or_else(|| panic!("{hook} in\n{listed}"));
        assert_eq!(line.contains(" off"), hook.starts_with("finish"), "{line}");
    }
    let status = context.invoke(&["status"]).expect(0);
    for plugin in ["cargo ", "deps ", "finish "] {
        assert!(status.lines().any(|line| line.starts_with(plugin)), "{plugin} in\n{status}");
    }
    assert!(context.invoke(&["why", "plugin", "finish"]).expect(0).contains("off"));
    let noisy = recorded("build-dependencies");
    assert_ne!(claude(&context, "cargo build", &noisy), Value::Null);
    context.invoke(&["off", "cargo"]).expect(0);
    assert_eq!(claude(&context, "cargo build", &noisy), Value::Null);
    context.invoke(&["on", "cargo"]).expect(0);
    assert_ne!(claude(&context, "cargo build", &noisy), Value::Null);
}

#[test]
fn a_plugin_replaces_an_output_too() {
    let context = with_fixture(&["workspace0"]);
    let manifest = "name = \"p\"\n[[hooks]]\nname = \"h\"\nevent = \"PostToolUse\"\ncommand = \"echo '{\\\"updatedOutput\\\": \\\"two words\\\"}'\"\n";
    context.write_config("plugins/p/SYMPOSIUM.toml", manifest);
    let said = claude(&context, "ls", "a\nb\nc\n");
    assert_eq!(said["hookSpecificOutput"]["updatedToolOutput"]["stdout"], "two words", "{said}");
    let mut event = payload(&context, "claude/PostToolUse.mcp.json");
    event["cwd"] = context.workspace().to_str().unwrap().into();
    let said = answer(context.invoke_hook("claude", "post-tool-use", &event.to_string()));
    assert_eq!(said["hookSpecificOutput"]["updatedToolOutput"], "two words", "{said}");
    let event = payload(&context, "claude/PostToolUse.Read.json");
    let said = answer(context.invoke_hook("claude", "post-tool-use", &event.to_string()));
    assert_eq!(said["hookSpecificOutput"]["updatedToolOutput"]["file"]["content"], "two words", "{said}");
    let event = payload(&context, "claude/PostToolUse.Write.json");
    let said = answer(context.invoke_hook("claude", "post-tool-use", &event.to_string()));
    assert_eq!(said, Value::Null, "no shape of it was ever taken");
    let trail = std::fs::read_to_string(context.config_dir().join("logs/hooks.jsonl")).unwrap();
    assert!(trail.contains("this agent takes no changed output here"), "{trail}");
    let by_hand = json!({"PostToolUse": {"tool_name": "Bash", "tool_input": {"command": "ls"}, "output": "a"}});
    let said = answer(context.invoke_hook("symposium", "post-tool-use", &by_hand.to_string()));
    assert_eq!(said, json!({"PostToolUse": {"updatedOutput": "two words"}}));
}

/// A directory with a `cargo` that is a script.
fn with_cargo(script: &str) -> TestContext {
    let mut context = with_fixture(&["workspace0"]);
    let bin = context.root().join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::write(bin.join("cargo"), format!("#!/bin/sh\n{script}")).unwrap();
    std::fs::set_permissions(bin.join("cargo"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    context.set("PATH", &path);
    context
}

/// The whole outputs in the cache, oldest first.
fn kept(context: &TestContext) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(context.config_dir().join("cache/cargo")) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

const NOISY: &str =
    "i=0; while [ $i -lt 100 ]; do echo \"   Compiling a$i v1.0.0\" >&2; i=$((i+1)); done\necho 'error: real' >&2\n";

#[test]
fn the_command_prints_the_short_form_and_keeps_the_whole() {
    let context = with_cargo(&format!("{NOISY}exit 101\n"));
    let output = context.invoke(&["cargo", "build", "--quiet", "-p", "demo"]);
    assert_eq!(output.code, 101);
    let (text, line) = output.stdout.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(text, "error: real");
    assert!(line.starts_with("[shortened by symposium; the whole output is in $CONFIG_DIR/cache/cargo/"), "{line}");
    let files = kept(&context);
    assert_eq!(files.len(), 1);
    assert_eq!(std::fs::metadata(&files[0]).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(std::fs::read_to_string(&files[0]).unwrap().contains("Compiling a99"));
    for _ in 0..22 {
        assert_eq!(context.invoke(&["cargo", "build"]).code, 101);
    }
    let newest = kept(&context);
    assert_eq!(newest.len(), 20);
    assert!(!newest.contains(&files[0]));
}

#[test]
fn the_command_is_cargo_in_everything_else() {
    let context = with_cargo("echo \"$PWD|$*|$ONE\"; cat; echo oops >&2; exit 7\n");
    let output = context.invoke_in_with(context.workspace(), &["cargo", "metadata", "--offline", "-q"], b"typed");
    assert_eq!((output.code, output.stdout.as_str()), (7, "$WORKSPACE|metadata --offline -q|\ntyped"));
    assert_eq!(output.stderr, "oops\n", "the streams of a command that is not understood stay apart");
    let json = context.invoke(&["cargo", "build", "--message-format=json"]);
    assert_eq!(json.stderr, "oops\n");
    let output = context.invoke_in_with(context.workspace(), &["-C", "src", "cargo", "test"], b"typed");
    assert_eq!(output.code, 7);
    assert!(output.stdout.starts_with("$WORKSPACE/src|test|\ntyped"), "{}", output.stdout);
    assert!(kept(&context).is_empty(), "nothing was left out");
    assert!(context.invoke(&["cargo", "--help"]).expect(0).contains("Usage: symposium cargo"));
    assert!(context.invoke(&["help", "cargo"]).expect(0).contains("Usage: symposium cargo"));
    assert_eq!(context.invoke(&["cargo"]).code, 2);
}

/// Starts `symposium cargo build` in a process of its own.
fn start_build(context: &TestContext) -> Child {
    Command::new(env!("CARGO_BIN_EXE_symposium"))
        .args(["cargo", "build"])
        .current_dir(context.workspace())
        .env("PATH", format!("{}:{}", context.root().join("bin").display(), std::env::var("PATH").unwrap()))
        .env("SYMPOSIUM_HOME", context.config_dir())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits for a file, and not forever.
const WAIT: &str = "i=0; while [ ! -e go ] && [ $i -lt 600 ]; do sleep 0.05; i=$((i+1)); done";

/// Waits for something that is sure to come, but not forever.
fn wait_until(what: &str, is_there: impl Fn() -> bool) {
    for _ in 0..6000 {
        if is_there() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("{what} did not come");
}

fn kill(signal: &str, process: &str) {
    assert!(Command::new("kill").args([signal, process.trim()]).status().unwrap().success());
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_default()
}

#[test]
fn signals_go_both_ways() {
    let killed = with_cargo("kill -9 $$\n");
    assert_eq!(killed.invoke(&["cargo", "build"]).code, -1, "it ends by a signal as cargo did");
    let context = with_cargo("trap 'echo caught; exit 9' TERM\necho ready > started\nwhile :; do sleep 0.05; done\n");
    let child = start_build(&context);
    wait_until("cargo", || context.workspace().join("started").exists());
    kill("-TERM", &child.id().to_string());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "caught\n");
    assert!(output.status.signal() == Some(15) || output.status.code() == Some(9), "{:?}", output.status);
}

/// The output of [`NOISY`].
fn noise() -> String {
    let lines = (0..100).map(|at| format!("   Compiling a{at} v1.0.0\n"));
    lines.chain(["error: real\n".to_owned()]).collect()
}

#[test]
fn a_killed_run_leaves_all_that_cargo_printed_in_the_cache() {
    let context = with_cargo(&format!("echo $$ > started\n{NOISY}{WAIT}\n"));
    let mut child = start_build(&context);
    let copy = || kept(&context).pop().map_or_else(String::new, |file| read(&file));
    wait_until("a copy of the output", || copy().ends_with("error: real\n"));
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    kill("-KILL", &read(&context.workspace().join("started")));
    assert_eq!(copy(), noise());
    let mode = std::fs::metadata(kept(&context).pop().unwrap()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_signal_prints_the_whole_output_before_cargo_has_ended() {
    for signal in ["-TERM", "-INT", "-HUP"] {
        let script = format!("trap '' TERM INT HUP\n{NOISY}echo > started\n{WAIT}\necho later; exit 101\n");
        let context = with_cargo(&script);
        let mut child = start_build(&context);
        wait_until("cargo", || context.workspace().join("started").exists());
        kill(signal, &child.id().to_string());
        let mut printed = vec![0; noise().len()];
        child.stdout.as_mut().unwrap().read_exact(&mut printed).unwrap();
        assert_eq!(String::from_utf8(printed).unwrap(), noise(), "{signal}");
        std::fs::write(context.workspace().join("go"), "").unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "later\n", "{signal}");
        assert!(output.status.signal().is_some(), "{signal}: {:?}", output.status);
        let copies = kept(&context);
        assert_eq!(read(&copies[0]), format!("{}later\n", noise()), "{signal}: it may not be read any more");
    }
}

#[test]
fn a_process_that_cargo_left_behind_is_not_waited_for() {
    let ticks = WAIT.replace("done", "echo tick; done");
    let context = with_cargo(&format!("({ticks}; echo > ended) &\n{NOISY}exit 101\n"));
    let output = context.invoke(&["cargo", "build"]);
    assert!(!context.workspace().join("ended").exists(), "it prints for half a minute");
    std::fs::write(context.workspace().join("go"), "").unwrap();
    assert_eq!(output.code, 101);
    assert!(output.stdout.contains("error: real") && !output.stdout.contains("Compiling"), "{}", output.stdout);
}

#[test]
fn an_output_without_end_is_passed_on_as_it_is() {
    // A little more than is held in memory, and after that cargo waits until it was read.
    const SIZE: usize = 17_000_003;
    let line = "   Compiling a v1.0.0";
    let script = format!("yes '{line}' | head -c {SIZE}\n{WAIT}\nprintf 'last \\377 word' >&2; exit 101\n");
    let context = with_cargo(&script);
    let mut child = start_build(&context);
    let mut printed = vec![0; SIZE];
    child.stdout.as_mut().unwrap().read_exact(&mut printed).unwrap();
    assert!(printed.chunks(line.len() + 1).all(|piece| format!("{line}\n").as_bytes().starts_with(piece)));
    std::fs::write(context.workspace().join("go"), "").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(101), b"last \xff word".as_slice()));
    assert!(kept(&context).is_empty(), "all of it was printed");
}

#[test]
fn without_a_cache_or_a_cargo() {
    let context = with_cargo(&format!("{NOISY}exit 101\n"));
    let output = context.invoke_through(&FULL_DISK, &["cargo", "build"]);
    assert_eq!((output.code, output.stdout.as_str()), (101, "error: real\n"));
    assert!(kept(&context).is_empty());
    let cache = context.config_dir().join("cache/cargo");
    std::fs::create_dir_all(&cache).unwrap();
    set_mode(&cache, 0o500);
    let output = context.invoke_through(bound_by_modes(&context), &["cargo", "build"]);
    set_mode(&cache, 0o700);
    assert_eq!((output.code, output.stdout.as_str()), (101, "error: real\n"));
    let mut context = with_fixture(&["workspace0"]);
    context.set("PATH", "/nonexistent");
    for args in [["cargo", "build"], ["cargo", "metadata"]] {
        let output = context.invoke(&args);
        assert_eq!(output.code, 3, "{args:?}");
        assert!(output.stderr.contains("error: failed to run `cargo`: it is not on PATH"), "{}", output.stderr);
    }
}
