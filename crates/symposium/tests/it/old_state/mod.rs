//! State that version 0.6.0 wrote: the present program reads it, updates it, and removes all of it.
//!
//! `tests/fixtures/state-0.6.0` holds three trees: `before` with files of a user and a project, `user` and `project` after
//! version 0.6.0 registered all agents in that scope, granted, locked, fetched and answered events. They were made by that
//! version (commit dbc1e5b) with `SYMPOSIUM_0_6_0=PROGRAM cargo test --package symposium --test it old_state -- --ignored`.

mod archive;

use std::path::Path;

use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::repository::Repository;
use crate::with_fixture;
use archive::{Tree, pack, read_tree, unpack};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/state-0.6.0");
const SCOPES: [&str; 2] = ["user", "project"];
const AGENTS: [&str; 8] = ["claude", "copilot", "gemini", "codex", "kiro", "opencode", "goose", "cursor"];
const EVENTS: [&str; 5] = ["session-start", "user-prompt-submit", "pre-tool-use", "post-tool-use", "stop"];

const SOURCES: [&str; 2] = ["mine", "team"];

const USER_CONFIG: &str = "[[plugin-source]]\nname = \"mine\"\ngit = \"https://plugins.example.com/mine\"\n\n\
     [defaults]\nsymposium-recommendations = false\n";
const PROJECT_CONFIG: &str = "[[plugin-source]]\nname = \"local\"\npath = \"tools\"\n\n[[plugin-source]]\nname = \"team\"\n\
     git = \"https://plugins.example.com/team\"\n";

/// One hook for each event, by the script beside it.
fn manifest(name: &str) -> String {
    if name == "loose" {
        let hook =
            "[[hooks]]\nname = \"PreToolUse\"\nevent = \"PreToolUse\"\ncommand = \"sh -c './run.sh PreToolUse'\"\n";
        return format!("name = \"{name}\"\n\n{hook}");
    }
    let events = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "claude:PreCompact"];
    let hooks = events
        .map(|event| format!("\n[[hooks]]\nname = \"{event}\"\nevent = \"{event}\"\ncommand = \"./run.sh {event}\"\n"));
    let server = "\n[[mcp_servers]]\nname = \"local-server\"\ncommand = \"./run.sh\"\nargs = [\"serve\"]\n";
    let server = if name == "guard" { server } else { "" };
    format!("name = \"{name}\"\nsession-start-context = \"Text of {name}.\"\n{}{server}", hooks.concat())
}

/// A script that refuses a tool when the command holds its own name, and says so at the start of a session.
fn script(name: &str) -> String {
    format!(
        "#!/bin/sh\ninput=$(cat)\ncase \"$1 $input\" in\n  PreToolUse*{name}-this*) echo 'refused by {name}' >&2; exit 2 ;;\n  \
         SessionStart*) echo 'handler of {name}' ;;\nesac\n"
    )
}

fn plugin(context: &TestContext, directory: &str, name: &str) {
    for (file, text, mode) in [("SYMPOSIUM.toml", manifest(name), 0o644), ("run.sh", script(name), 0o755)] {
        let path = context.root().join(directory).join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        crate::set_mode(&path, mode);
    }
}

/// The repositories that the sources name, each with one skill; `~/.gitconfig` says where they are.
fn repositories(context: &TestContext) -> [Repository; 2] {
    SOURCES.map(|name| {
        let repository = Repository::create(context.root().join("server").join(name));
        repository.skill(&format!("anyhow-{name}"), "anyhow", "first").commit();
        repository
    })
}

fn with_program(mut context: TestContext, program: &str) -> TestContext {
    let programs = context.root().join("bin");
    std::fs::create_dir_all(&programs).unwrap();
    std::os::unix::fs::symlink(program, programs.join("symposium")).unwrap();
    context.set("PATH", &format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display()));
    context
}

fn event(context: &TestContext, session: &str, command: &str) -> String {
    json!({"session_id": session, "transcript_path": "/t", "permission_mode": "default", "cwd": context.workspace(),
        "source": "startup", "prompt": "use anyhow", "tool_name": "Bash", "tool_input": {"command": command},
        "tool_response": {}})
    .to_string()
}

fn tree(context: &TestContext) -> Tree {
    let mut tree = read_tree(context.root(), &["home", "files"]);
    tree.retain(|path, _| std::path::Path::new(path).extension() != Some("log".as_ref()));
    tree
}

/// Writes the fixtures, with the old program.
#[test]
#[ignore = "needs version 0.6.0"]
fn make() {
    let old = std::env::var("SYMPOSIUM_0_6_0").expect("SYMPOSIUM_0_6_0 names the program");
    for scope in SCOPES {
        let workspace = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");
        let context = TestContext::with_fixture(&old, workspace, &["state-0.6.0/workspace"]);
        let mut context = with_program(context, &old);
        let foreign = Path::new(workspace).join("../foreign");
        for (from, to) in [("home", "home"), ("project", "files")] {
            let (from, to) = (foreign.join(from).join("."), context.root().join(to));
            assert!(std::process::Command::new("cp").arg("-r").args([from, to]).status().unwrap().success());
        }
        crate::set_mode(&context.root().join("home/.claude.json"), 0o600);
        let git = format!(
            "[url \"file://{}/server/\"]\n\tinsteadOf = https://plugins.example.com/\n",
            context.root().display()
        );
        std::fs::write(context.root().join("home/.gitconfig"), git).unwrap();
        context.write_config("config.toml", USER_CONFIG);
        context.write(".symposium/config.toml", PROJECT_CONFIG);
        plugin(&context, "home/.symposium/plugins/own", "own");
        for name in ["guard", "wide", "loose"] {
            plugin(&context, &format!("files/tools/{name}"), name);
        }
        context.write("tools/wide/unnamed.txt", "no command names this file\n");
        repositories(&context);
        let before = pack(context.root(), &tree(&context), &SOURCES);
        std::fs::write(Path::new(FIXTURES).join("before.txt"), before).unwrap();

        let mut init = vec!["init", "--yes"];
        init.extend(AGENTS.iter().flat_map(|agent| ["--agent", agent]));
        let last: &[&str] = if scope == "user" { &["sync", "--lock"] } else { &["sync", "--vendor"] };
        if scope == "project" {
            init.push("--project");
        }
        context.set("SYMPOSIUM_OFFLINE", "0");
        for args in [&init[..], &["trust", "--yes"], last, &["off", "rtk"], &["sync"]] {
            let output = context.invoke(args);
            println!("$ {}\n{}", args.join(" "), output.transcript());
            assert_eq!(output.code, 0);
        }
        context.set("SYMPOSIUM_OFFLINE", "1");
        for agent in AGENTS {
            for name in EVENTS {
                let output = context.invoke_hook(agent, name, &event(&context, "earlier", "guard-this"));
                println!("$ {agent} {name}\n{}", output.transcript());
            }
        }
        context.invoke_hook("claude", "pre-compact", &event(&context, "earlier", "ls")).expect(0);
        let home = context.root().join("home");
        for name in EVENTS {
            let payload = event(&context, "elsewhere", "ls")
                .replace(context.workspace().to_str().unwrap(), home.to_str().unwrap());
            context.invoke_in_with(&home, &["hook", "claude", name], payload.as_bytes()).expect(0);
        }
        for args in [&["status"][..], &["sync", "--check"]] {
            println!("$ {}\n{}", args.join(" "), context.invoke(args).transcript());
        }
        std::fs::write(
            Path::new(FIXTURES).join(format!("{scope}.txt")),
            pack(context.root(), &tree(&context), &SOURCES),
        )
        .unwrap();
    }
}

/// The user's and the project's files as version 0.6.0 left them, and as they were before it was installed.
fn with_state(scope: &str) -> (TestContext, Tree) {
    let context = with_fixture(&["state-0.6.0/workspace"]);
    let context = with_program(context, env!("CARGO_BIN_EXE_symposium"));
    let fixture = |name: &str| std::fs::read_to_string(Path::new(FIXTURES).join(name)).unwrap();
    unpack(context.root(), &fixture("before.txt"));
    let before = tree(&context);
    unpack(context.root(), &fixture(&format!("{scope}.txt")));
    repositories(&context);
    context.settle();
    (context, before)
}

/// Hands an event to the program as a registration of version 0.6.0 does, which names no directories.
fn raise(context: &TestContext, agent: &str, name: &str, payload: &str) -> String {
    context.invoke_in_with(context.workspace(), &["hook", agent, name], payload.as_bytes()).transcript()
}

/// The answer to a command, which `text` is awaited in: a busy machine may find no time to compile a plan at once.
#[track_caller]
fn answer_with(context: &TestContext, agent: &str, command: &str, text: &str) -> String {
    let mut answer = String::new();
    for _ in 0..5 {
        answer = raise(context, agent, "pre-tool-use", &event(context, "later", command));
        if answer.contains(text) {
            return answer;
        }
    }
    panic!("{agent}, {command}: {answer}")
}

#[track_caller]
fn assert_same(context: &TestContext, before: &Tree) {
    let after = tree(context);
    let differs: Vec<&String> =
        before.keys().chain(after.keys()).filter(|path| before.get(*path) != after.get(*path)).collect();
    assert!(differs.is_empty(), "not as before: {differs:?}");
}

/// What version 0.6.0 granted runs on, where the grant covered every file of the plugin. A grant that covers less is asked
/// about again, and a command that cannot be granted any more is named.
#[test]
fn grants_of_0_6_0_hold_or_are_asked_about_again() {
    for scope in SCOPES {
        let (context, _) = with_state(scope);
        let first = answer_with(&context, "claude", "own-this", "refused by own");
        assert!(first.contains("no longer runs these") && first.contains("`wide/PreToolUse`"), "{scope}: {first}");
        assert!(!first.contains("guard/"), "{scope}: {first}");
        // The payload is none that OpenCode would send.
        for agent in AGENTS.into_iter().filter(|agent| *agent != "opencode") {
            answer_with(&context, agent, "guard-this", "refused by guard");
        }
        for command in ["wide-this", "loose-this"] {
            let answer = raise(&context, "claude", "pre-tool-use", &event(&context, "later", command));
            assert!(!answer.contains("refused"), "{scope}: {answer}");
        }
        let shown = context.invoke(&["trust", "--show"]).expect(0);
        for line in ["guard of source local: on", "wide of source local: untrusted", "loose of source local: blocked"] {
            assert!(shown.contains(line), "{scope}: {shown}");
        }
        context.invoke(&["sync", "--update"]).expect(0);
        context.invoke(&["trust", "--yes"]).expect(0);
        answer_with(&context, "claude", "wide-this", "refused by wide");
        answer_with(&context, "claude", "guard-this", "refused by guard");
    }
}

#[test]
fn sessions_of_0_6_0_go_on() {
    let (context, _) = with_state("user");
    let prompt = |session: &str| raise(&context, "claude", "user-prompt-submit", &event(&context, session, ""));
    assert!(!prompt("earlier").contains("symposium crate anyhow"), "it was reminded of it before");
    assert!(prompt("later").contains("symposium crate anyhow"));
    let log: Value =
        serde_json::from_str(&context.invoke(&["hook", "log", "--json", "--limit", "99"]).expect(0)).unwrap();
    assert_eq!(log["broken"], 0, "{log}");
    let text = log.to_string();
    assert!(text.contains("guard/PreToolUse") && text.contains("PreCompact"), "{log}");
}

#[test]
fn sync_updates_the_state_of_0_6_0() {
    for scope in SCOPES {
        let (mut context, _) = with_state(scope);
        // The copies of version 0.6.0 are enough.
        std::fs::remove_dir_all(context.root().join("server")).unwrap();
        context.invoke(&["sync", "--check"]).expect(1);
        // The lockfile pins the skills of that version, which stay until the user updates it.
        let pinned = context.invoke(&["sync"]);
        assert!(pinned.code == 3 && pinned.stderr.contains("is locked at version 0.6.0 of Symposium"), "{pinned:?}");
        context.invoke(&["sync", "--update"]).expect(0);
        assert_eq!(context.invoke(&["sync", "--check"]).expect(0), "Everything is up to date.\n", "{scope}");
        assert_eq!(context.invoke(&["sync", "--locked", "--check"]).code, 0, "{scope}");
        let status: Value = serde_json::from_str(&context.invoke(&["status", "--json"]).expect(0)).unwrap();
        let rows = status["extensions"].as_array().unwrap();
        let state = |name: &str| rows.iter().find(|row| row["name"] == name).map(|row| row["state"].clone());
        for (name, expected) in [
            ("anyhow", "on"),
            ("anyhow-mine", "on"),
            ("anyhow-team", "on"),
            ("rtk", "off"),
            ("own", "on"),
            ("guard", "on"),
            ("wide", "untrusted"),
        ] {
            assert_eq!(state(name), Some(expected.into()), "{scope}, {name}: {status}");
        }
        // What only the user has is in no file of the project.
        let lock = std::fs::read_to_string(context.workspace().join(".symposium/symposium.lock")).unwrap();
        assert!(lock.contains("\"team\"") && !lock.contains("mine") && !lock.contains("user-plugins"), "{lock}");
        let vendored = context.workspace().join(".symposium/vendor");
        assert_eq!(vendored.join("team").exists(), scope == "project");
        assert!(!vendored.join("mine").exists() && !vendored.join("user-plugins").exists());

        let [_, team] = repositories(&context);
        team.skill("anyhow-team", "anyhow", "second").commit_at("2024-06-01T12:00:00Z");
        context.set("SYMPOSIUM_OFFLINE", "0");
        context.invoke(&["sync", "--update"]).expect(0);
        for skills in [".claude/skills", ".agents/skills", ".kiro/skills"] {
            let skill = context.workspace().join(skills).join("anyhow-team/SKILL.md");
            assert!(std::fs::read_to_string(&skill).unwrap().contains("second"), "{scope}, {skills}");
        }
    }
}

#[test]
fn uninstall_removes_everything_that_0_6_0_wrote() {
    for scope in SCOPES {
        let (context, before) = with_state(scope);
        context.invoke(&["uninstall", "--yes"]).expect(0);
        assert_same(&context, &before);
    }
}

#[test]
fn uninstall_removes_everything_after_an_update_from_0_6_0() {
    for scope in SCOPES {
        let (context, before) = with_state(scope);
        for agent in AGENTS {
            for name in EVENTS {
                raise(&context, agent, name, &event(&context, "later", "ls"));
            }
        }
        for args in [&["sync", "--update"][..], &["trust", "--yes"], &["sync"], &["uninstall", "--yes"]] {
            context.invoke(args).expect(0);
        }
        assert_same(&context, &before);
    }
}
