//! Entries that only look like ours, or like a hook that was imported: none of them makes us silent.

use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::hook::with_guard;
use crate::hook_tools::before_tool;
use crate::import::write_home;
use crate::with_fixture;

fn write_project(context: &TestContext, path: &str, text: &str) {
    let path = context.workspace().join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// An event that a guest raises through the settings of Claude Code.
fn guest_event(agent: &str, context: &TestContext) -> String {
    let input = json!({"command": "deny by exit"});
    let event = match agent {
        "cursor" => before_tool("cursor", context, "Shell", &input),
        "copilot" => json!({"hook_event_name": "PreToolUse", "session_id": "s", "timestamp": "2026-01-01T00:00:00Z",
            "cwd": context.workspace(), "tool_name": "Bash", "tool_input": input}),
        _ => before_tool("gemini", context, "run_shell_command", &input),
    };
    event.to_string()
}

fn denies(context: &TestContext, agent: &str) -> bool {
    context.invoke_hook("claude", "pre-tool-use", &guest_event(agent, context)).stdout.contains("not this one")
}

/// The file of an agent's project registration, and the name it has for the event before a tool.
const GUESTS: [(&str, &str, &str); 3] = [
    ("cursor", ".cursor/hooks.json", "preToolUse"),
    ("copilot", ".github/hooks/symposium.json", "preToolUse"),
    ("gemini", ".gemini/settings.json", "BeforeTool"),
];

/// Texts of a clone that look like a registration, up to one that is one: nobody on this machine made it.
fn look_alikes(agent: &str, event: &str) -> Vec<Value> {
    let command = format!("symposium hook {agent} pre-tool-use --project");
    let handler = json!({"type": "command", "command": command, "bash": command, "timeout": 60});
    let group = json!([{"hooks": [handler]}]);
    vec![
        json!({"note": format!("hook {agent} is not used here"), "hooks": {}}),
        json!({"note": "Written by `symposium sync`", "hooks": {}}),
        json!({"version": 1, "hooks": {"stop": [handler]}}),
        json!({"version": 1, "hooks": {event: [{"type": "command", "command": format!("echo hook {agent} x")}]}}),
        json!({"version": 1, "hooks": {event: [handler]}}),
        json!({"version": 1, "hooks": {event: group}}),
    ]
}

#[test]
fn a_clones_look_alike_registration_silences_no_guest() {
    for (agent, file, event) in GUESTS {
        let context = with_guard();
        context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
        assert!(denies(&context, agent), "{agent}");
        write_project(&context, ".symposium/config.toml", &format!("[agent]\nname = [\"{agent}\"]\n"));
        for text in look_alikes(agent, event) {
            write_project(&context, file, &text.to_string());
            assert!(denies(&context, agent), "{agent}: {text}");
            let _ = context.invoke_hook("claude", "session-start", &json!({"cwd": context.workspace()}).to_string());
            assert!(denies(&context, agent), "{agent} after a session start: {text}");
        }
    }
}

/// A registration of ours counts as long as it is what we wrote: a later commit may change it.
#[test]
fn a_recorded_registration_counts_only_while_it_is_as_we_wrote_it() {
    for (agent, file, event) in GUESTS {
        let mut context = with_guard();
        context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
        context.invoke(&["init", "--yes", "--project", "--agent", agent]).expect(0);
        // Else what is changed below is put right in the background.
        let config = std::fs::read_to_string(context.config_dir().join("config.toml")).unwrap();
        context.write_config("config.toml", config.replacen("[agent]\n", "[agent]\nauto-sync = false\n", 1));
        assert!(denies(&context, agent), "{agent} does not find our program by its name");
        let folder = std::path::Path::new(env!("CARGO_BIN_EXE_symposium")).parent().unwrap();
        context.set("PATH", &format!("{}:/usr/bin:/bin", folder.display()));
        assert!(!denies(&context, agent), "{agent} calls us itself");
        let path = context.workspace().join(file);
        let ours: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let element = ours["hooks"][event][0].clone();
        type Change<'c> = (&'c str, &'c dyn Fn(&mut Value));
        let handler = |ours: &mut Value, key: &str, value: Value| {
            let place = if ours["hooks"][event][0].get("hooks").is_some() { "/0/hooks/0" } else { "/0" };
            ours["hooks"][event].pointer_mut(place).unwrap()[key] = value;
        };
        let changes: [Change<'_>; 7] = [
            ("another event", &|ours| {
                ours["hooks"]["stop"] = ours["hooks"][event].take();
                ours["hooks"].as_object_mut().unwrap().remove(event);
            }),
            ("another event in the command", &|ours| {
                let text = element.to_string().replace("pre-tool-use", "stop");
                ours["hooks"][event][0] = serde_json::from_str(&text).unwrap();
            }),
            ("a matcher", &|ours| ours["hooks"][event][0]["matcher"] = json!("never")),
            ("async", &|ours| handler(ours, "async", json!(true))),
            ("a condition", &|ours| handler(ours, "if", json!("Bash(never *)"))),
            ("another type", &|ours| handler(ours, "type", json!("prompt"))),
            ("no time", &|ours| {
                for key in ["timeout", "timeoutSec"] {
                    handler(ours, key, json!(1));
                }
            }),
        ];
        for (what, change) in changes {
            let mut changed = ours.clone();
            change(&mut changed);
            std::fs::write(&path, changed.to_string()).unwrap();
            assert!(denies(&context, agent), "{agent} with {what}: {changed}");
        }
    }
}

/// The same for what the person registered: a project's call stands aside only for one that is made.
#[test]
fn a_projects_call_answers_where_the_persons_own_does_not() {
    let context = with_guard();
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let event = before_tool("claude", &context, "Bash", &json!({"command": "deny by exit"})).to_string();
    let ask = || {
        let args = ["hook", "claude", "pre-tool-use", "--project"];
        context.invoke_in_with(context.workspace(), &args, event.as_bytes()).stdout
    };
    assert_eq!(ask(), "", "the person's own call answers");
    let path = context.root().join("home/.claude/settings.json");
    let ours: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let mut moved = ours.clone();
    moved["hooks"]["Stop"] = moved["hooks"]["PreToolUse"].take();
    moved["hooks"].as_object_mut().unwrap().remove("PreToolUse");
    let mut narrow = ours.clone();
    narrow["hooks"]["PreToolUse"][0]["matcher"] = json!("Write");
    let mut talk = json!({"note": "symposium hook claude pre-tool-use"});
    talk["hooks"] = json!({});
    for text in [moved, narrow, talk] {
        std::fs::write(&path, text.to_string()).unwrap();
        assert!(ask().contains("not this one"), "{text}");
    }
}

const LINE: &str = "grep -q forbidden && { echo 'imported says no' >&2; exit 2; } || exit 0";

/// An agent that `import` knows: the person's file, the project's, how its hooks are written, and its shell tool.
struct Importable {
    agent: &'static str,
    home: &'static str,
    project: Option<&'static str>,
    event: &'static str,
    grouped: bool,
    key: &'static str,
    tool: &'static str,
}

const IMPORTABLE: [Importable; 6] = [
    Importable {
        agent: "claude",
        home: ".claude/settings.json",
        project: Some(".claude/settings.json"),
        event: "PreToolUse",
        grouped: true,
        key: "command",
        tool: "Bash",
    },
    Importable {
        agent: "gemini",
        home: ".gemini/settings.json",
        project: Some(".gemini/settings.json"),
        event: "BeforeTool",
        grouped: true,
        key: "command",
        tool: "run_shell_command",
    },
    Importable {
        agent: "copilot",
        home: ".copilot/hooks/mine.json",
        project: Some(".github/hooks/theirs.json"),
        event: "preToolUse",
        grouped: false,
        key: "bash",
        tool: "bash",
    },
    Importable {
        agent: "cursor",
        home: ".cursor/hooks.json",
        project: Some(".cursor/hooks.json"),
        event: "preToolUse",
        grouped: false,
        key: "command",
        tool: "Shell",
    },
    Importable {
        agent: "goose",
        home: ".agents/plugins/mine/hooks/hooks.json",
        project: Some(".agents/plugins/theirs/hooks/hooks.json"),
        event: "PreToolUse",
        grouped: true,
        key: "command",
        tool: "shell",
    },
    Importable {
        agent: "kiro",
        home: ".kiro/agents/mine.json",
        project: Some(".kiro/agents/theirs.json"),
        event: "preToolUse",
        grouped: false,
        key: "command",
        tool: "execute_bash",
    },
];

impl Importable {
    fn settings(&self, extra: &Value, beside: &Value) -> String {
        let mut handler = json!({"type": "command", self.key: LINE});
        handler.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let entry = if self.grouped { json!({"hooks": [handler]}) } else { handler };
        let mut file = json!({"version": 1, "hooks": {self.event: [entry]}});
        file.as_object_mut().unwrap().extend(beside.as_object().unwrap().clone());
        file.to_string()
    }

    fn denies(&self, context: &TestContext) -> bool {
        let event = before_tool(self.agent, context, self.tool, &json!({"command": "forbidden"})).to_string();
        let output = context.invoke_hook(self.agent, "pre-tool-use", &event);
        format!("{}{}", output.stdout, output.stderr).contains("imported says no")
    }
}

/// What makes an entry another hook than the one that was imported.
fn differences() -> Vec<(Value, Value)> {
    let nothing = json!({});
    vec![
        (json!({"async": true}), nothing.clone()),
        (json!({"asyncRewake": true}), nothing.clone()),
        (json!({"if": "Bash(never *)"}), nothing.clone()),
        (json!({"once": true}), nothing.clone()),
        (json!({"type": "http"}), nothing.clone()),
        (json!({"type": "prompt"}), nothing.clone()),
        (json!({"shell": "powershell"}), nothing.clone()),
        (json!({"enabled": false}), nothing.clone()),
        (json!({"timeout": 0, "timeoutSec": 0, "timeout_ms": 0}), nothing.clone()),
        (json!({"timeout": 1, "timeoutSec": 1, "timeout_ms": 1}), nothing.clone()),
        (json!({"cache_ttl_seconds": 3600}), nothing.clone()),
        (json!({"sampled": 0.1}), nothing.clone()),
        (nothing, json!({"disableAllHooks": true})),
    ]
}

#[test]
fn an_imported_hook_gives_way_only_to_the_same_hook_outside_the_project() {
    for of in &IMPORTABLE {
        let context = with_fixture(&["workspace0"]);
        let plain = of.settings(&json!({}), &json!({}));
        write_home(&context, of.home, &plain);
        context.invoke(&["import", "--from", of.agent, "--yes"]).expect(0);
        assert!(!of.denies(&context), "{} runs it itself", of.agent);
        for (extra, beside) in differences() {
            let other = of.settings(&extra, &beside);
            write_home(&context, of.home, &other);
            assert!(of.denies(&context), "{}: {other}", of.agent);
        }
        write_home(&context, of.home, "{}");
        assert!(of.denies(&context), "{}: it is gone", of.agent);
        let Some(project) = of.project else { continue };
        write_project(&context, project, &plain);
        assert!(of.denies(&context), "{}: only the project has it", of.agent);
        for (extra, beside) in differences() {
            write_project(&context, project, &of.settings(&extra, &beside));
            assert!(of.denies(&context), "{}: {extra} {beside} in the project", of.agent);
        }
        write_home(&context, of.home, &plain);
        std::fs::remove_file(context.workspace().join(project)).unwrap();
        context.invoke(&["sync"]).expect(0);
        assert!(!of.denies(&context), "{} runs it itself again", of.agent);
    }
}

/// Cursor and Copilot read the project's settings of Claude Code: what a clone has there is not theirs either.
#[test]
fn a_lent_file_of_the_project_silences_no_imported_hook() {
    let [claude, _, copilot, cursor, ..] = &IMPORTABLE;
    for of in [copilot, cursor] {
        let context = with_fixture(&["workspace0"]);
        write_home(&context, claude.home, &claude.settings(&json!({}), &json!({})));
        context.invoke(&["import", "--from", "claude", "--yes"]).expect(0);
        std::fs::remove_file(context.root().join("home").join(claude.home)).unwrap();
        write_project(&context, ".claude/settings.json", &claude.settings(&json!({}), &json!({})));
        assert!(of.denies(&context), "{}", of.agent);
    }
}
