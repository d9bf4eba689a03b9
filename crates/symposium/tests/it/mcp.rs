//! `symposium mcp`: raw JSON-RPC over pipes, as agents speak it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::crate_source::two_rands;
use crate::with_fixture;

/// A running server and both ends of its pipes.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) input: ChildStdin,
    pub(crate) output: BufReader<ChildStdout>,
}

impl Server {
    pub(crate) fn start(context: &TestContext) -> Self {
        Self::start_with(context, &["mcp"], |_| {})
    }

    pub(crate) fn start_with(context: &TestContext, args: &[&str], change: impl FnOnce(&mut Command)) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_symposium"));
        command
            .args(args)
            .current_dir(context.workspace())
            .env_clear()
            .env("SYMPOSIUM_TEST_WITHOUT_ANCESTORS", "1")
            .env("HOME", context.root().join("home"))
            .env("SYMPOSIUM_HOME", context.config_dir())
            .env("CARGO_HOME", context.root().join("cargo-home"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Nobody reads it: the server must not fill it.
            .stderr(Stdio::piped());
        change(&mut command);
        let mut child = command.spawn().expect("the program starts");
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output }
    }

    pub(crate) fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    pub(crate) fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error} in {line:?}"))
    }

    /// Asks and takes the very next answer, which must be the one to this question.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": method, "method": method, "params": params}).to_string());
        let answer = self.receive();
        assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(method)), "{answer}");
        answer
    }

    pub(crate) fn initialize(&mut self, client: &str) -> Value {
        self.initialize_with(client, "2025-06-18", json!({}))
    }

    pub(crate) fn initialize_with(&mut self, client: &str, version: &str, capabilities: Value) -> Value {
        let client = json!({"name": client, "version": "1"});
        let params = json!({"protocolVersion": version, "capabilities": capabilities, "clientInfo": client});
        let result = self.ask("initialize", params)["result"].take();
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        result
    }

    /// The text of a tool's answer and whether it is a no.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> (String, bool) {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        assert_eq!(result["content"].as_array().map(Vec::len), Some(1), "{answer}");
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {answer}"));
        (text.to_owned(), result["isError"].as_bool().unwrap())
    }

    /// Closes the pipe to the server: it must end well and have nothing more to say.
    pub(crate) fn end(self) {
        let Self { mut child, input, mut output } = self;
        drop(input);
        let mut rest = String::new();
        output.read_line(&mut rest).unwrap();
        assert_eq!(rest, "");
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn a_session_from_hello_to_the_end() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let mut server = Server::start(&context);
    let result = server.initialize("test");
    assert_eq!(result["protocolVersion"], "2025-06-18");
    assert_eq!(result["capabilities"], json!({"tools": {}}));
    assert_eq!(result["serverInfo"]["name"], "symposium");
    assert_eq!(result["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
    let instructions = result["instructions"].as_str().unwrap();
    assert!(instructions.contains("call `start`") && instructions.contains("call `crate`"), "{instructions}");
    assert_eq!(server.ask("ping", json!({}))["result"], json!({}));
    let tools = server.ask("tools/list", json!({}));
    let tools = tools["result"]["tools"].as_array().unwrap();
    let names: Vec<&Value> = tools.iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["start", "list", "crate", "crate_source", "why"]);
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(tool["description"].as_str().is_some_and(|text| text.len() > 40), "{tool}");
    }
    server.end();
}

#[test]
fn every_tool_answers_what_the_command_prints() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let mut server = Server::start(&context);
    server.initialize("test");
    let table: [(&str, Value, &[&str]); 6] = [
        ("start", json!({}), &["start"]),
        ("list", json!({}), &["crate", "--list"]),
        ("crate", json!({"name": "serde"}), &["crate", "serde"]),
        ("crate", json!({"name": "serde", "version": "0.9"}), &["crate", "serde", "--version", "0.9"]),
        ("why", json!({"name": "serde"}), &["why", "serde"]),
        ("why", json!({"name": "serde-basics"}), &["why", "serde-basics"]),
    ];
    for (tool, arguments, command) in table {
        let (text, is_error) = server.call(tool, arguments);
        let stdout = context.invoke(command).expect(0);
        assert!(!stdout.is_empty(), "{command:?}");
        assert_eq!(context.normalize_paths(&text), stdout, "{command:?}");
        assert!(!is_error, "{command:?}");
    }
    server.end();
}

#[test]
fn a_no_comes_with_its_reason() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let mut server = Server::start(&context);
    let table = [
        ("crate", json!({"name": "rocket"}), "`rocket` is not a dependency of this workspace\n"),
        ("crate", json!({"name": "../x"}), "`../x` is not a crate name\nhelp: pass a name such as `serde`\n"),
        ("crate", json!({"name": "serde", "version": "new"}), "`new` is not a version"),
        ("why", json!({"name": "serde-basic"}), "`serde-basic` is not a dependency of this workspace, and no skill"),
    ];
    for (tool, arguments, beginning) in table {
        let (text, is_error) = server.call(tool, arguments);
        assert!(text.starts_with(beginning), "{text}");
        assert!(is_error, "{text}");
    }
    for (tool, arguments, reason) in [
        ("crate", json!({"name": ["serde"]}), "`name` of tool `crate` is not a string"),
        ("crate_source", json!({}), "Tool `crate_source` needs the argument `name`"),
    ] {
        let (text, is_error) = server.call(tool, arguments);
        assert!(text.contains(reason) && is_error, "{text}");
    }
    let answer = server.ask("tools/call", json!({"name": "crate-source"}));
    let error = json!({"code": -32602, "message": "Unknown tool `crate-source`; did you mean `crate_source`?"});
    assert_eq!(answer["error"], error);
    server.end();
}

#[test]
fn an_empty_answer_is_not_one() {
    let context = with_fixture(&["plugins0"]);
    let mut server = Server::start(&context);
    let (text, is_error) = server.call("list", json!({}));
    assert_eq!(
        text,
        "This directory is not part of a cargo workspace\nhelp: run the command in a directory with a Cargo.toml\n"
    );
    assert!(!is_error);
    server.end();
}

#[test]
fn files_that_change_are_read_again() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let mut server = Server::start(&context);
    let (before, _) = server.call("list", json!({}));
    assert!(before.contains("- serde-basics:"), "{before}");
    context.write(".symposium/config.toml", "[skills]\n\"serde/serde-basics\" = false\n");
    let (after, _) = server.call("list", json!({}));
    assert!(after.contains("skill serde-basics is switched off"), "{after}");
    server.end();
}

#[test]
fn broken_sources_are_told_to_the_log_alone() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[sources.gone]\npath = \"/no/such/directory\"\nodd = 1\n");
    let mut server = Server::start(&context);
    let (text, is_error) = server.call("start", json!({}));
    assert!(text.starts_with("# ") && !is_error, "{text}");
    let mut stderr = server.child.stderr.take().unwrap();
    server.end();
    let mut said = String::new();
    std::io::Read::read_to_string(&mut stderr, &mut said).unwrap();
    assert_eq!(said, "");
    let logs: Vec<_> = std::fs::read_dir(context.config_dir().join("logs")).unwrap().collect();
    assert_eq!(logs.len(), 1);
}

#[test]
fn home_is_where_the_option_says() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let ours = context.config_dir().display().to_string();
    let elsewhere = context.root().join("elsewhere");
    let mut server = Server::start_with(&context, &["mcp", "--home", &ours], |command| {
        command.env("SYMPOSIUM_HOME", &elsewhere);
    });
    let (text, _) = server.call("list", json!({}));
    assert!(text.contains("- serde-basics:"), "{text}");
    server.end();
    assert!(!elsewhere.exists());
}

#[test]
fn without_a_home_there_is_still_a_server() {
    let context = with_fixture(&["workspace0"]);
    let mut server = Server::start_with(&context, &["mcp"], |command| {
        command.env("HOME", "relative").env_remove("SYMPOSIUM_HOME");
    });
    server.initialize("goose");
    let (text, _) = server.call("start", json!({}));
    assert!(text.starts_with("There is no home directory"), "{text}");
    server.end();
}

#[test]
fn goose_alone_gets_the_text_of_the_session() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let manifest = |name: &str, rest: &str| {
        context.write_config(&format!("plugins/{name}/SYMPOSIUM.toml"), format!("name = \"{name}\"\n{rest}\n"));
    };
    manifest("first", "session-start-context = \"Use\\u202E the first.\"");
    manifest("second", "session-start-context = \"Not here.\"\ndepends-on = [\"rocket\"]");
    manifest("third", "session-start-context = \"Switched off.\"");
    let sources = "[[plugin-source]]\nname = \"own\"\npath = \"plugins\"\n";
    context.write(".symposium/config.toml", format!("[workflows]\nthird = false\n{sources}"));
    let waiting = "name = \"w\"\n[[hooks]]\nname = \"h\"\nevent = \"Stop\"\ncommand = \"true\"\n";
    context.write("plugins/w/SYMPOSIUM.toml", waiting);
    for (client, told) in [("goose-cli", true), ("Goose", true), ("claude-code", false)] {
        let mut server = Server::start(&context);
        let result = server.initialize(client);
        let instructions = result["instructions"].as_str().unwrap();
        assert_eq!(instructions.contains("`symposium why`.\n\nUse the first.\n"), told, "{client}: {instructions}");
        // That is for the person, and these are read by the model alone.
        assert!(!instructions.contains("`w/h`"), "{client}: {instructions}");
        assert_eq!(instructions.ends_with("`symposium why`.\n"), !told, "{client}: {instructions}");
        server.end();
    }
}

#[test]
fn goose_hears_of_crates_that_moved_and_nobody_hears_it_twice() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = [\"goose\", \"claude\"]\n");
    context.invoke(&["sync"]).expect(0);
    let instructions = |client: &str| {
        let mut server = Server::start(&context);
        let text = server.initialize(client)["instructions"].as_str().unwrap().to_owned();
        server.end();
        text
    };
    // Goose raises the event too, and takes nothing from it.
    let start = |agent: &str| {
        let payload = json!({"session_id": "s", "event": "SessionStart", "cwd": context.workspace(),
            "hook_event_name": "SessionStart", "source": "startup", "transcript_path": "/t"});
        context.invoke_hook(agent, "session-start", &payload.to_string()).stdout
    };
    let move_to = |version: &str| {
        let lock = std::fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap();
        let (before, after) = lock.split_once("name = \"serde\"\nversion = \"").unwrap();
        let (_, rest) = after.split_once('"').unwrap();
        context.write("Cargo.lock", format!("{before}name = \"serde\"\nversion = \"{version}\"{rest}"));
    };
    assert!(!instructions("goose").contains("changed from"), "there is nothing to compare with");
    move_to("1.0.998");
    assert_eq!(start("goose"), "");
    let told = instructions("goose");
    assert!(told.contains("Cargo.lock changed since the last session") && told.contains("to 1.0.998"), "{told}");
    assert!(!instructions("goose").contains("changed from"), "it is said once");
    assert!(!start("claude").contains("changed from"), "in one workspace");
    move_to("1.0.999");
    assert!(!instructions("claude-code").contains("changed from"), "others hear it from the hook");
    let told = start("claude");
    assert!(told.contains("`serde` changed from 1.0.998 to 1.0.999"), "{told}");
}

#[test]
fn every_version_clients_send_is_spoken() {
    let context = with_fixture(&["workspace0"]);
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut server = Server::start(&context);
        assert_eq!(server.initialize_with("test", version, json!({}))["protocolVersion"], version);
        assert_eq!(server.ask("ping", json!({}))["result"], json!({}));
        assert_eq!(server.ask("tools/list", json!({}))["result"]["tools"].as_array().map(Vec::len), Some(5));
        let (text, is_error) = server.call("crate", json!({"name": "serde"}));
        assert!(text.starts_with("# serde 1.0.219\n") && !is_error, "{text}");
        assert_eq!(server.ask("prompts/list", json!({}))["error"]["code"], -32601);
        server.end();
    }
}

#[test]
fn the_source_of_a_crate_is_what_the_command_prints() {
    let context = two_rands();
    let mut server = Server::start(&context);
    server.initialize("test");
    let table: [(Value, &[&str]); 6] = [
        (json!({"action": "list"}), &["--source"]),
        (json!({"action": "list", "version": "0.8"}), &["--source", "--version", "0.8"]),
        (json!({"action": "read", "path": "src/lib.rs", "range": 2}), &["--source", "src/lib.rs", "--lines", "2"]),
        (json!({"action": "read", "path": "src/lib.rs", "range": "2-3"}), &["--path", "src/lib.rs", "--lines", "2-3"]),
        (json!({"action": "search", "query": "pub fn", "path": "src"}), &["--search", "pub fn", "--path", "src"]),
        (json!({"action": "examples", "query": "rng"}), &["--examples", "--search", "rng"]),
    ];
    for (mut arguments, options) in table {
        arguments["name"] = json!("rand");
        let (text, is_error) = server.call("crate_source", arguments);
        let stdout = context.invoke(&[&["crate", "rand"], options].concat()).expect(0);
        assert_eq!(context.normalize_paths(&text), stdout, "{options:?}");
        assert!(!is_error && !stdout.is_empty(), "{options:?}");
    }
    let (text, is_error) = server.call("crate_source", json!({"name": "serde", "action": "list"}));
    assert!(text.contains("`cargo fetch`") && is_error, "{text}");
    server.end();
}

#[test]
fn the_workspace_is_where_the_client_says() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let elsewhere = context.root().join("else where");
    std::fs::create_dir_all(&elsewhere).unwrap();
    let start = |context: &TestContext| {
        Server::start_with(context, &["mcp"], |command| {
            command.current_dir(&elsewhere);
        })
    };
    let address = |path: &std::path::Path| json!({"uri": format!("file://{}", path.display()).replace(' ', "%20")});
    let roots = json!([{"uri": "https://example.org"}, {"uri": "file:///no/such"}, address(context.workspace())]);
    let mut server = start(&context);
    server.initialize_with("test", "2025-11-25", json!({"roots": {"listChanged": true}}));
    let question = server.receive();
    assert_eq!(question["method"], "roots/list", "{question}");
    server.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": roots}}).to_string());
    let (text, _) = server.call("list", json!({}));
    assert!(text.contains("- serde-basics:"), "{text}");
    // It moves on.
    server.send(r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#);
    let question = server.receive();
    let roots = json!({"roots": [address(&elsewhere)]});
    server.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": roots}).to_string());
    let (text, _) = server.call("list", json!({}));
    assert!(text.contains("not part of a cargo workspace"), "{text}");
    // Of several the one with a workspace counts.
    server.send(r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#);
    let question = server.receive();
    let roots = json!({"roots": [address(&elsewhere), address(&context.workspace().join("src"))]});
    server.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": roots}).to_string());
    let (text, _) = server.call("list", json!({}));
    assert!(text.contains("- serde-basics:"), "{text}");
    server.end();
    // A client that offers roots and never says them is answered from where we are.
    let mut server = start(&context);
    server.initialize_with("test", "2025-11-25", json!({"roots": {}}));
    server.receive();
    let (text, _) = server.call("list", json!({}));
    assert!(text.contains("not part of a cargo workspace"), "{text}");
    server.end();
}
