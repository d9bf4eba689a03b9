//! Agents that come from others, set their variables or read their files: beside those, each handler is called once, each
//! server is there once, and a deny holds.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::hook::executable;
use crate::hook_tools::before_tool;
use crate::with_fixture;

/// Writes a line for each call, and refuses one command.
const HANDLER: &str = "#!/bin/sh\necho called >> \"$HOME/calls\"\n\
                       if grep -q purge; then echo NO-PURGE >&2; exit 2; fi\n";

/// Commands of which the handler refuses the second.
const COMMANDS: [&str; 2] = ["ls", "purge"];

/// Chooses the agents for the user and in the project, with a plugin of the user that has a handler and a server.
fn chosen(agents: &[&str]) -> TestContext {
    let context = with_fixture(&["workspace0"]);
    let manifest = "name = \"watch\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"./h.sh\"\n\
                    [[mcp_servers]]\nname = \"docs\"\ncommand = \"true\"\n";
    context.write_config("plugins/watch/SYMPOSIUM.toml", manifest);
    executable(&context, "plugins/watch/h.sh", HANDLER);
    for scope in [None, Some("--project")] {
        let agents = agents.iter().flat_map(|agent| ["--agent", agent]);
        let args: Vec<&str> = ["init", "--yes"].into_iter().chain(scope).chain(agents).collect();
        context.invoke(&args).expect(0);
    }
    context
}

fn home(context: &TestContext) -> PathBuf {
    context.root().join("home")
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap_or_default()).unwrap_or_default()
}

/// The names of servers in files of which the agent reads each. It takes those of one name for one server.
fn servers<const N: usize>(files: &[PathBuf; N], key: &str) -> [String; N] {
    let names = |file: &PathBuf| read(file)[key].as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    files.each_ref().map(names)
}

/// Runs a command line of a settings file as an agent does, with these variables, and returns its answer.
fn run(context: &TestContext, line: &str, variables: &[&str], event: &Value) -> String {
    let programs = Path::new(env!("CARGO_BIN_EXE_symposium")).parent().unwrap();
    let mut call = Command::new("sh");
    call.args(["-c", line]).current_dir(context.workspace()).env_clear().env("HOME", home(context));
    call.env("PATH", format!("{}:/usr/bin:/bin", programs.display())).env("SYMPOSIUM_HOME", context.config_dir());
    call.envs(variables.iter().map(|name| (name, context.workspace()))).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut call = call.spawn().unwrap();
    let _ = call.stdin.take().unwrap().write_all(event.to_string().as_bytes());
    String::from_utf8(call.wait_with_output().unwrap().stdout).unwrap()
}

/// The command lines under an event of settings files, in the forms of Claude Code and of Copilot.
fn command_lines(files: &[PathBuf], event: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for file in files {
        for entry in read(file)["hooks"][event].as_array().into_iter().flatten() {
            let handlers = entry["hooks"].as_array().cloned().unwrap_or_else(|| vec![entry.clone()]);
            let line =
                |handler: &Value| ["command", "bash"].iter().find_map(|key| handler[key].as_str().map(str::to_owned));
            lines.extend(handlers.iter().filter_map(line));
        }
    }
    lines
}

/// Runs every entry for a command, as an agent that reads them all does. The handler is called once, and what it refuses
/// is refused in the one answer, whose form `reason` reads.
fn is_called_once(context: &TestContext, command: &str, answers: &[String], reason: impl Fn(&Value) -> Option<&str>) {
    assert_eq!(calls(context), 1, "{command}: {answers:?}");
    let reasons = answers.iter().filter_map(|answer| {
        let answer: Value = serde_json::from_str(answer).unwrap_or_default();
        reason(&answer).map(str::to_owned)
    });
    let expected: &[&str] = if command == "purge" { &["NO-PURGE"] } else { &[] };
    assert_eq!(reasons.collect::<Vec<_>>(), expected, "{command}: {answers:?}");
}

/// The reason of a refusal in Claude Code's form, which some agents share.
fn nested(answer: &Value) -> Option<&str> {
    let answer = &answer["hookSpecificOutput"];
    (answer["permissionDecision"] == "deny").then(|| answer["permissionDecisionReason"].as_str().unwrap())
}

/// The same, of answers that are not nested.
fn flat(answer: &Value) -> Option<&str> {
    (answer["permissionDecision"] == "deny").then(|| answer["permissionDecisionReason"].as_str().unwrap())
}

fn calls(context: &TestContext) -> usize {
    let log = home(context).join("calls");
    let count = std::fs::read_to_string(&log).unwrap_or_default().lines().count();
    let _ = std::fs::remove_file(log);
    count
}

/// Qwen Code sets the variables of Claude Code and of Gemini CLI for its hooks, and reads the project's `.mcp.json`.
#[test]
fn qwen_beside_claude_and_gemini_has_everything_once() {
    let context = chosen(&["claude", "gemini", "qwen"]);
    let variables = ["QWEN_PROJECT_DIR", "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR"];
    let at = |base: &Path| base.join(".qwen/settings.json");
    let files = [at(&home(&context)), at(context.workspace())];
    let lines = command_lines(&files, "PreToolUse");
    assert_eq!(lines.len(), 2, "one of the user and one of the project: {lines:?}");
    for command in COMMANDS {
        let event = before_tool("qwen", &context, "run_shell_command", &json!({"command": command}));
        let answers: Vec<String> = lines.iter().map(|line| run(&context, line, &variables, &event)).collect();
        is_called_once(&context, command, &answers, nested);
    }
    let files = [at(&home(&context)), at(context.workspace()), context.workspace().join(".mcp.json")];
    assert_eq!(servers(&files, "mcpServers"), ["docs symposium", "symposium", "symposium"]);
}

/// The modules in directories of which the agent loads each file.
fn modules(directories: &[PathBuf]) -> Vec<String> {
    let entries = directories.iter().flat_map(|directory| std::fs::read_dir(directory).into_iter().flatten());
    entries.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap()).collect()
}

/// One module is the user's and one the project's, and of their calls for a command one calls the handler.
fn modules_call_once(context: &TestContext, agent: &str, tool: &str, directories: &[PathBuf], variables: &[&str]) {
    let from_project: Vec<bool> = modules(directories).iter().map(|module| module.contains("\"--project\"")).collect();
    assert_eq!(from_project, [false, true], "{agent}: one of the user and one of the project");
    let home_option = format!("--home '{}'", context.config_dir().display());
    for command in COMMANDS {
        let event = json!({"event": "pre-tool-use", "session_id": "s", "cwd": context.workspace(), "tool": tool,
            "args": {"command": command}});
        let lines =
            [&*home_option, "--project"].map(|options| format!("symposium hook {agent} pre-tool-use {options}"));
        let answers = lines.map(|line| run(context, &line, variables, &event));
        is_called_once(context, command, &answers, |answer| answer["deny"].as_str());
    }
}

/// Kilo reads the project's `opencode.json`, and every module in directories of its own.
#[test]
fn kilo_beside_opencode_has_everything_once() {
    let context = chosen(&["opencode", "kilo"]);
    let (user, project) = (home(&context), context.workspace().to_owned());
    let bases = [user.join(".config/kilo"), user.join(".kilo"), project.join(".kilo"), project.join(".kilocode")];
    let directories: Vec<PathBuf> =
        bases.iter().flat_map(|base| ["plugin", "plugins"].map(|name| base.join(name))).collect();
    modules_call_once(&context, "kilo", "bash", &directories, &["OPENCODE", "KILO"]);
    let files = [user.join(".config/kilo/kilo.json"), project.join("kilo.json"), project.join("opencode.json")];
    assert_eq!(servers(&files, "mcp"), ["docs symposium", "symposium", "symposium"]);
    assert!(files.iter().all(|file| read(file)["plugin"].is_null()), "Kilo would load these modules too");
}

/// Cline and Pi load every module in directories of their own, and read the skills for many others.
#[test]
fn cline_and_pi_beside_others_have_everything_once() {
    let context = chosen(&["claude", "codex", "cline", "pi"]);
    let (user, project) = (home(&context), context.workspace().to_owned());
    let of_cline = [user.join(".cline/plugins"), user.join("Documents/Cline/Plugins"), project.join(".cline/plugins")];
    modules_call_once(&context, "cline", "run_commands", &of_cline, &[]);
    let of_pi = [user.join(".pi/agent/extensions"), project.join(".pi/extensions")];
    modules_call_once(&context, "pi", "bash", &of_pi, &[]);
    let file = user.join(".cline/data/settings/cline_mcp_settings.json");
    assert_eq!(servers(&[file], "mcpServers"), ["docs symposium"], "it has no file for those of a project");
    let files = [user.join(".pi/agent/mcp.json"), project.join(".pi/mcp.json")];
    assert_eq!(servers(&files, "mcpServers"), ["docs symposium", "symposium"]);
    let skills = [".agents/skills", ".cline/skills", ".clinerules/skills", ".pi/skills"];
    assert_eq!(skills.map(|skills| project.join(skills).join("serde").exists()), [true, false, false, false]);
}

/// Droid has Claude Code's form of hooks, in files of its own.
#[test]
fn droid_beside_claude_has_everything_once() {
    let context = chosen(&["claude", "droid"]);
    let bases = [home(&context).join(".factory"), context.workspace().join(".factory")];
    let lines = command_lines(&bases.each_ref().map(|base| base.join("settings.json")), "PreToolUse");
    assert_eq!(lines.len(), 2, "one of the user and one of the project: {lines:?}");
    for command in COMMANDS {
        let event = before_tool("droid", &context, "Execute", &json!({"command": command}));
        let run = |line: &String| run(&context, line, &["FACTORY_PROJECT_DIR"], &event);
        is_called_once(&context, command, &lines.iter().map(run).collect::<Vec<_>>(), nested);
    }
    let files = bases.map(|base| base.join("mcp.json"));
    assert_eq!(servers(&files, "mcpServers"), ["docs symposium", "symposium"]);
}

/// Copilot CLI runs the hooks in a project's `.claude/settings.json` too. VS Code runs the user's and the project's of
/// both, and since a project can switch one of them off in VS Code, none stands aside for the other there.
#[test]
fn what_reads_claudes_and_copilots_entries_is_told_apart() {
    let context = chosen(&["claude", "copilot"]);
    let claude = [home(&context).join(".claude/settings.json"), context.workspace().join(".claude/settings.json")];
    let own = [
        home(&context).join(".copilot/hooks/symposium.json"),
        context.workspace().join(".github/hooks/symposium.json"),
    ];
    let (theirs, ours) = (command_lines(&claude, "PreToolUse"), command_lines(&own, "preToolUse"));
    assert_eq!((theirs.len(), ours.len()), (2, 2), "{theirs:?} {ours:?}");

    let all = |lines: &[String], variable: &str, event: &Value| -> Vec<String> {
        lines.iter().map(|line| run(&context, line, &[variable], event)).collect()
    };
    for command in COMMANDS {
        let input = json!({"command": command});
        let event = before_tool("claude", &context, "Bash", &input);
        is_called_once(&context, command, &all(&theirs, "CLAUDE_PROJECT_DIR", &event), nested);

        let guest = json!({"hook_event_name": "PreToolUse", "session_id": "s", "timestamp": "2026-01-01T00:00:00Z",
            "cwd": context.workspace(), "tool_name": "Bash", "tool_input": input});
        let event = before_tool("copilot", &context, "bash", &input);
        let by_copilot = [all(&theirs, "CLAUDE_PROJECT_DIR", &guest), all(&ours, "COPILOT_PROJECT_DIR", &event)];
        is_called_once(&context, command, &by_copilot.concat(), flat);

        let event = json!({"timestamp": "2026-02-09T10:30:00.000Z", "cwd": context.workspace(), "session_id": "s",
            "hook_event_name": "PreToolUse", "transcript_path": "/t.json", "tool_use_id": "1",
            "tool_name": "run_in_terminal", "tool_input": input});
        for line in theirs.iter().chain(&ours) {
            is_called_once(&context, command, &[run(&context, line, &[], &event)], nested);
        }
    }
    let (user, shared) = (home(&context), context.workspace().join(".mcp.json"));
    for file in [user.join(".claude.json"), user.join(".copilot/mcp-config.json")] {
        assert_eq!(servers(&[file, shared.clone()], "mcpServers"), ["docs symposium", "symposium"]);
    }
}

/// Cursor runs the hooks in Claude Code's settings too, and sets its variable.
#[test]
fn cursor_beside_claude_has_everything_once() {
    let context = chosen(&["claude", "cursor"]);
    let (user, project) = (home(&context), context.workspace().to_owned());
    let claude = [user.join(".claude/settings.json"), project.join(".claude/settings.json")];
    let own = [user.join(".cursor/hooks.json"), project.join(".cursor/hooks.json")];
    let (theirs, ours) = (command_lines(&claude, "PreToolUse"), command_lines(&own, "preToolUse"));
    assert_eq!((theirs.len(), ours.len()), (2, 2), "{theirs:?} {ours:?}");
    for command in COMMANDS {
        let event = before_tool("cursor", &context, "Shell", &json!({"command": command}));
        let variables = ["CURSOR_PROJECT_DIR", "CLAUDE_PROJECT_DIR"];
        let lines = theirs.iter().chain(&ours);
        let answers: Vec<String> = lines.map(|line| run(&context, line, &variables, &event)).collect();
        is_called_once(&context, command, &answers, |answer| {
            (answer["permission"] == "deny").then(|| answer["agent_message"].as_str().unwrap())
        });
    }
    let files = [user.join(".cursor/mcp.json"), project.join(".cursor/mcp.json")];
    assert_eq!(servers(&files, "mcpServers"), ["docs symposium", "symposium"]);
}
