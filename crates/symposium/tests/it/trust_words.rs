//! What somebody agreed to is what runs, wherever the agent happens to work.

use serde_json::json;
use symposium_testkit::TestContext;

use crate::crate_plugins::{machine, put, unpacked};
use crate::{git, with_fixture};

/// A project with a plugin of its own that has this command, and files of the same names where an agent may work.
fn project(command: &str) -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"own\"\npath = \"plugins\"\n");
    let manifest = format!("name = \"p\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = {command:?}\n");
    context.write("plugins/p/symposium.toml", &manifest);
    context.write("plugins/p/bin/i.sh", "touch \"$HOME/ran-granted\"\n");
    context.write("tools/t.sh", "touch \"$HOME/ran-granted\"\n");
    for other in ["sub/bin/i.sh", "sub/tools/t.sh", "bin/i.sh"] {
        context.write(other, "touch \"$HOME/ran-other\"; exit 2\n");
    }
    context
}

/// What ran when the agent works in a directory of the workspace.
fn ran_in(context: &TestContext, directory: &str) -> Vec<&'static str> {
    let cwd = context.workspace().join(directory);
    let event = json!({"session_id": "s", "transcript_path": "/t", "permission_mode": "default", "cwd": cwd,
        "tool_name": "Bash", "tool_input": {"command": "ls"}});
    // The first event may find no time to compile the plan.
    for _ in 0..3 {
        context.invoke_hook("claude", "pre-tool-use", &event.to_string()).expect(0);
    }
    let home = context.root().join("home");
    let mark = |name: &&str| std::fs::remove_file(home.join(format!("ran-{name}"))).is_ok();
    ["granted", "other"].into_iter().filter(mark).collect()
}

#[test]
fn a_file_of_the_plugin_is_run_wherever_the_agent_works() {
    for command in ["sh bin/i.sh", "sh ./bin/i.sh; true", "exec sh bin/i.sh", "sh tools/t.sh"] {
        let context = project(command);
        assert_eq!(ran_in(&context, "sub"), [""; 0], "{command}");
        context.invoke(&["trust", "--yes"]).expect(0);
        assert_eq!(ran_in(&context, "sub"), ["granted"], "{command}");
        assert_eq!(ran_in(&context, ""), ["granted"], "{command}");
    }
}

#[test]
fn what_cannot_be_told_is_not_run() {
    for command in ["bash -c 'sh bin/i.sh'", "cd bin && sh ./i.sh", "SCRIPT=bin/i.sh; sh \"$SCRIPT\""] {
        let context = project(command);
        context.invoke(&["trust", "--yes"]).expect(0);
        assert_eq!(ran_in(&context, "sub"), [""; 0], "{command}");
        let said = context.invoke(&["sync"]).stderr;
        assert!(said.contains("`p/h` is not run") && said.contains("a script in the plugin's directory"), "{said}");
    }
    // Of one's own plugins nothing has to be agreed to.
    let context = with_fixture(&["workspace0"]);
    let manifest = "name = \"p\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"cd bin && sh ./i.sh\"\n";
    context.write_config("plugins/p/symposium.toml", manifest);
    context.write_config("plugins/p/bin/i.sh", "touch \"$HOME/ran-granted\"\n");
    context.write("bin/i.sh", "touch \"$HOME/ran-other\"\n");
    assert_eq!(ran_in(&context, ""), ["other"]);
}

#[test]
fn servers_are_given_files_of_their_plugin_by_their_whole_path() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    let manifest =
        "name = \"p\"\n[[mcp_servers]]\nname = \"s\"\ncommand = \"node\"\nargs = [\"./srv.js\", \"--port\", \"1\"]\n";
    context.write_config("plugins/p/symposium.toml", manifest);
    context.write_config("plugins/p/srv.js", "\n");
    context.invoke(&["sync"]).expect(0);
    let written = std::fs::read_to_string(context.root().join("home/.claude.json")).unwrap();
    let whole = context.config_dir().join("plugins/p/srv.js");
    assert!(written.contains(&format!("{:?}", whole.display().to_string())), "{written}");
}

/// The servers of one plugin as Claude Code and Codex have them, and what was said.
fn registered(servers: &str) -> (TestContext, serde_json::Value, String, String) {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = [\"claude\", \"codex\", \"goose\"]\n");
    context.write_config("plugins/p/symposium.toml", format!("name = \"p\"\n{servers}"));
    context.write_config("plugins/p/data/x.json", "{}");
    context.write_config("plugins/p/bin/srv", "#!/bin/sh\n");
    context.invoke(&["sync"]).expect(0);
    let read = |file: &str| {
        let text = std::fs::read_to_string(context.root().join("home").join(file)).unwrap();
        context.normalize_paths(&text)
    };
    let (claude, codex) = (read(".claude.json"), read(".codex/config.toml"));
    let said = context.invoke(&["sync", "--json"]).stdout;
    (context, serde_json::from_str(&claude).unwrap(), codex, said)
}

#[test]
fn servers_find_their_plugin_wherever_they_name_it() {
    let server = "[[mcp_servers]]\nname = \"s\"\ncommand = \"${SYMPOSIUM_PLUGIN_DIR}/bin/srv\"\n\
                  args = [\"--root\", \"$SYMPOSIUM_PLUGIN_DIR/data\", \"--file=data/x.json\"]\n\
                  env = { DATA = \"data/x.json\", ALL = \"${SYMPOSIUM_PLUGIN_DIR}/data\", MODE = \"fast\", GONE = \"data/y.json\" }\n";
    let (_, claude, codex, _) = registered(server);
    let server = &claude["mcpServers"]["s"];
    let (plugin, data) = ("$CONFIG_DIR/plugins/p", "$CONFIG_DIR/plugins/p/data");
    assert_eq!(server["command"], json!(format!("{plugin}/bin/srv")));
    assert_eq!(server["args"], json!(["--root", data, format!("--file={data}/x.json")]));
    let env = json!({"DATA": format!("{data}/x.json"), "ALL": data, "MODE": "fast", "GONE": "data/y.json"});
    assert_eq!(server["env"], env);
    assert!(codex.contains(&format!("ALL = \"{data}\"")), "{codex}");
}

#[test]
fn an_agent_that_reads_no_references_is_not_given_them_as_values() {
    let server = |name: &str, rest: &str| format!("[[mcp_servers]]\nname = \"{name}\"\n{rest}\n");
    let servers = [
        server("same", "command = \"srv\"\nenv = { TOKEN = \"${TOKEN}\", MODE = \"a$b\" }"),
        server("other", "command = \"srv\"\nenv = { TOKEN = \"${MY_TOKEN}\" }"),
        server("argument", "command = \"srv\"\nargs = [\"--key=${KEY}\"]"),
        // A shell reads references itself.
        server("shell", "command = \"/bin/sh\"\nargs = [\"-ec\", \"exec cat ${HOME}/x\"]"),
        server("bearer", "url = \"https://h.example\"\nheaders = { Authorization = \"Bearer ${TOKEN}\" }"),
        server("inside", "url = \"https://h.example\"\nheaders = { X-Key = \"key ${KEY}\" }"),
    ];
    let (context, claude, codex, said) = registered(&servers.concat());
    for name in ["same", "other", "argument", "shell", "bearer", "inside"] {
        assert!(claude["mcpServers"][name].is_object(), "Claude Code reads references: {claude}");
    }
    let goose = context.root().join("home/.agents/plugins/symposium/.mcp.json");
    let goose: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(goose).unwrap()).unwrap();
    for (name, in_codex, in_goose) in [
        ("same", true, true),
        ("other", false, false),
        ("argument", false, false),
        ("shell", true, true),
        ("bearer", true, false),
        ("inside", false, false),
    ] {
        assert_eq!(codex.contains(&format!("[mcp_servers.{name}]")), in_codex, "{codex}");
        assert_eq!(goose["mcpServers"][name].is_object(), in_goose, "{goose}");
        for (title, is_there) in [("Codex CLI", in_codex), ("Goose", in_goose)] {
            let told = said.contains(&format!("{title} cannot use the MCP server `{name}`"));
            assert_eq!(told, !is_there, "{title} {name}: {said}");
        }
    }
    assert!(codex.contains("env_vars = [\"TOKEN\"]"), "{codex}");
    for written in [codex, goose.to_string()] {
        assert_eq!(written.matches("${").count(), 1, "{written}");
    }
}

#[test]
fn a_guard_that_changes_in_a_session_is_missed_aloud_and_once() {
    let context = project("sh bin/i.sh");
    context.invoke(&["trust", "--yes"]).expect(0);
    let raise = |event: &str| {
        let payload = json!({"session_id": "s", "transcript_path": "/t", "permission_mode": "default",
            "cwd": context.workspace(), "source": "startup", "prompt": "hello", "tool_name": "Bash",
            "tool_input": {"command": "ls"}, "tool_response": {}});
        context.invoke_hook("claude", event, &payload.to_string()).expect(0)
    };
    assert!(!raise("session-start").contains("p/h"));
    assert_eq!(ran_in(&context, ""), ["granted"]);
    std::thread::sleep(std::time::Duration::from_millis(50));
    context.write("plugins/p/bin/i.sh", "touch \"$HOME/ran-other\"\n");
    let events = ["pre-tool-use", "user-prompt-submit", "pre-tool-use", "post-tool-use", "user-prompt-submit"];
    let said: Vec<String> = events.into_iter().map(raise).collect();
    let told: Vec<&String> = said.iter().filter(|said| said.contains("`p/h`")).collect();
    assert!(
        told.len() == 1 && told.iter().all(|told| told.contains("changed after the user granted them")),
        "{said:?}"
    );
    let trail = std::fs::read_to_string(context.config_dir().join("logs/hooks.jsonl")).unwrap();
    assert_eq!(trail.matches("Changed since it was granted").count(), 1, "{trail}");
    // The next session says it where it begins, and nowhere else.
    let start = raise("session-start");
    assert!(start.contains("changed after the user granted them") && !start.contains("nobody agreed"), "{start}");
    assert!(!raise("user-prompt-submit").contains("p/h"));
}

#[test]
fn a_program_of_this_machine_in_a_file_of_the_project_is_said_when_it_is_written() {
    let context = machine();
    let widget = unpacked(&context, "widget-1.2.0");
    let server = |name: &str| format!("[[mcp_servers]]\nname = \"{name}\"\ncommand = \"./check.sh\"\n");
    put(&widget.join("SYMPOSIUM.toml"), &server("one"));
    put(&widget.join("check.sh"), "#!/bin/sh\n");
    git(context.workspace(), &["init", "-q"]);
    let said = |args: &[&str]| {
        let output = context.invoke(args);
        assert_eq!(output.code, 0, "{output:?}");
        let words = output.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        words.matches("`.mcp.json` contains a path of this machine (`").count()
    };
    assert_eq!(said(&["sync"]), 0);
    assert_eq!(said(&["on", "widget"]), 0);
    let granted = context.invoke(&["trust", "--yes"]);
    let words = granted.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = "widget-1.2.0/check.sh`); do not commit it: add it to `.git/info/exclude` or `.gitignore`";
    assert!(
        words.contains("`.mcp.json` contains a path of this machine (`") && words.contains(sentence),
        "{granted:?}"
    );
    assert_eq!(said(&["sync"]), 0, "it was said");
    std::fs::remove_file(context.workspace().join(".mcp.json")).unwrap();
    assert_eq!(said(&["off", "widget"]), 0);
    assert_eq!(said(&["on", "widget"]), 1, "it is written anew");
    // Without a repository there is nothing to commit.
    assert_eq!(said(&["off", "widget"]), 0);
    std::fs::remove_dir_all(context.workspace().join(".git")).unwrap();
    assert_eq!(said(&["on", "widget"]), 0);
}
