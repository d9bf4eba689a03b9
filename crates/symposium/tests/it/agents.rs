//! Every agent, in both scopes, from an empty home and from one full of other people's settings: what is written, that
//! a second run writes nothing, and that uninstalling leaves no trace.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use symposium_model::agent::AgentId;
use symposium_testkit::TestContext;

use crate::{bound_by_modes, set_mode, with_fixture};

/// Path, mode and bytes of everything below a directory; directories have no bytes.
type Snapshot = BTreeMap<PathBuf, (u32, Option<Vec<u8>>)>;

fn snapshot(root: &Path) -> Snapshot {
    fn walk(root: &Path, directory: &Path, found: &mut Snapshot) {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let metadata = path.symlink_metadata().unwrap();
            let shown = path.strip_prefix(root).unwrap().to_owned();
            let mode = metadata.permissions().mode() & 0o7777;
            if metadata.is_dir() {
                found.insert(shown, (mode, None));
                walk(root, &path, found);
            } else {
                found.insert(shown, (mode, Some(std::fs::read(&path).unwrap())));
            }
        }
    }
    let mut found = Snapshot::new();
    walk(root, root, &mut found);
    found
}

/// The same without what is ours alone and changes with every run.
fn without_state(mut snapshot: Snapshot) -> Snapshot {
    snapshot.retain(|path, _| !path.starts_with("home/.symposium"));
    snapshot
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), &target).unwrap();
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    Empty,
    Foreign,
}

fn context(start: Start) -> TestContext {
    let context = with_fixture(&["workspace0"]);
    if start == Start::Foreign {
        let foreign = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign");
        copy(&foreign.join("home"), &context.root().join("home"));
        copy(&foreign.join("project"), context.workspace());
        let secret = context.root().join("home/.claude.json");
        std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
    context
}

/// What was written, as text: every file that is new or differs, with skills by name only.
fn written(context: &TestContext, before: &Snapshot) -> String {
    let mut text = String::new();
    for (path, (_, bytes)) in without_state(snapshot(context.root())) {
        let Some(bytes) = bytes else { continue };
        if before.get(&path).is_some_and(|(_, old)| old.as_ref() == Some(&bytes)) {
            continue;
        }
        let shown = path.display().to_string().replace("files/", "project/");
        let is_skill = shown.contains("/skills/");
        let content = String::from_utf8(bytes).unwrap();
        let content = context.normalize_paths(&content).replace('\r', "\u{240d}").replace('\t', "\u{2409}");
        text.push_str(&format!("=== {shown}\n"));
        if !is_skill {
            text.push_str(&content);
            if !content.ends_with('\n') {
                text.push_str("\u{2190} no newline\n");
            }
        }
    }
    text
}

fn round_trip(agent: &str, scope: &str, start: Start) {
    let context = context(start);
    let before = without_state(snapshot(context.root()));
    let args: &[&str] = match scope {
        "global" => &["init", "--yes", "--agent", agent],
        _ => &["init", "--yes", "--project", "--agent", agent],
    };
    let first = context.invoke(args);
    assert_eq!(first.code, 0, "{agent} {scope}: {first:?}");
    let name = match start {
        Start::Empty => "empty",
        Start::Foreign => "foreign",
    };
    let golden = format!("{}/tests/golden/{agent}-{scope}-{name}.txt", env!("CARGO_MANIFEST_DIR"));
    expect_file![golden].assert_eq(&written(&context, &before));

    let after_first = without_state(snapshot(context.root()));
    assert_eq!(context.invoke(args).code, 0);
    assert_eq!(context.invoke(&["sync"]).code, 0);
    assert!(without_state(snapshot(context.root())) == after_first, "{agent} {scope}: a second run writes nothing");
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0, "{agent} {scope}");

    let last = context.invoke(&["uninstall", "--yes"]);
    assert_eq!(last.code, 0, "{agent} {scope}: {last:?}");
    assert_eq!(context.tree(context.config_dir()), "", "nothing of ours is left in our own directory");
    let after = without_state(snapshot(context.root()));
    let differs: Vec<_> =
        before.keys().chain(after.keys()).filter(|path| before.get(*path) != after.get(*path)).collect();
    assert!(differs.is_empty(), "{agent} {scope} {name}: not as before: {differs:?}");
}

#[test]
fn every_agent_for_the_user_and_back() {
    for agent in AgentId::names() {
        round_trip(agent, "global", Start::Empty);
        round_trip(agent, "global", Start::Foreign);
    }
}

#[test]
fn every_agent_for_the_project_and_back() {
    for agent in AgentId::names() {
        round_trip(agent, "project", Start::Empty);
        round_trip(agent, "project", Start::Foreign);
    }
}

#[test]
fn all_agents_at_once_share_what_they_share() {
    let context = context(Start::Foreign);
    let before = snapshot(context.root());
    let mut args = vec!["init", "--yes"];
    for agent in AgentId::names() {
        args.extend(["--agent", agent]);
    }
    context.invoke(&args).expect(0);
    context.write_config("config.toml", "[agent]\nname = [\"codex\", \"claude\"]\n");
    context.invoke(&["sync"]).expect(0);
    let codex_and_claude = without_state(snapshot(context.root()));
    assert!(codex_and_claude.contains_key(Path::new("files/.agents/skills/serde/SKILL.md")), "shared with codex");
    assert!(!codex_and_claude.contains_key(Path::new("files/.kiro/skills")), "kiro's own is gone");
    for path in ["home/.gemini/settings.json", "home/.cursor/hooks.json", "home/.config/opencode/opencode.jsonc"] {
        assert_eq!(codex_and_claude.get(Path::new(path)), before.get(Path::new(path)), "{path}");
    }
    let last = context.invoke(&["uninstall", "--yes"]);
    assert_eq!(last.code, 0);
    assert!(last.stderr.contains("config.toml was edited"), "an edited configuration is kept and named: {last:?}");
    let mut after = snapshot(context.root());
    after.retain(|path, _| !path.starts_with("home/.symposium"));
    let mut expected = before.clone();
    expected.retain(|path, _| !path.starts_with("home/.symposium"));
    assert!(after == expected);
}

/// Every agent, for the user and in one project: a second `init` and a `sync` write nothing, and nothing is left.
#[test]
fn all_agents_in_both_scopes_come_and_go_without_a_trace() {
    let context = context(Start::Foreign);
    let before = without_state(snapshot(context.root()));
    let names = AgentId::names();
    let agents = || names.iter().flat_map(|agent| ["--agent", agent]);
    let user: Vec<&str> = ["init", "--yes"].into_iter().chain(agents()).collect();
    let project: Vec<&str> = ["init", "--yes", "--project"].into_iter().chain(agents()).collect();
    context.invoke(&user).expect(0);
    context.invoke(&project).expect(0);
    let registered = without_state(snapshot(context.root()));
    for args in [&user[..], &project, &["sync"], &["sync", "--check"]] {
        context.invoke(args).expect(0);
        assert!(without_state(snapshot(context.root())) == registered, "{args:?} writes nothing");
    }
    // None of the programs is here; each registration is asked all the same.
    let checked = context.invoke(&["doctor"]);
    let with_hooks = AgentId::ALL.into_iter().filter(|agent| !symposium_agents::spec(*agent).hooks.is_empty()).count();
    assert_eq!(checked.stdout.matches("a test event was answered").count(), with_hooks, "{}", checked.stdout);
    assert!(without_state(snapshot(context.root())) == registered, "`doctor` writes nothing");
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(context.tree(context.config_dir()), "");
    let after = without_state(snapshot(context.root()));
    let paths = before.keys().chain(after.keys());
    let differs: Vec<_> = paths.filter(|path| before.get(*path) != after.get(*path)).collect();
    assert!(differs.is_empty(), "not as before: {differs:?}");
}

/// Kilo reads the project's `opencode.json`, and Qwen Code its `.mcp.json`: what we write there and in their own files is
/// under the same names, which they take for one server.
#[test]
fn an_agent_that_reads_the_file_of_another_finds_each_server_once() {
    for (agents, files) in [
        (["opencode", "kilo"], [("opencode.json", "mcp"), ("kilo.json", "mcp")]),
        (["claude", "qwen"], [(".mcp.json", "mcpServers"), (".qwen/settings.json", "mcpServers")]),
    ] {
        let context = context(Start::Empty);
        context.invoke(&["init", "--yes", "--project", "--agent", agents[0], "--agent", agents[1]]).expect(0);
        for (file, key) in files {
            let text = std::fs::read_to_string(context.workspace().join(file)).unwrap();
            let settings: serde_json::Value = serde_json::from_str(&text).unwrap();
            let servers: Vec<&String> = settings[key].as_object().unwrap().keys().collect();
            assert_eq!(servers, ["symposium"], "{file}: {text}");
        }
        context.invoke(&["sync", "--check"]).expect(0);
    }
}

/// The settings of agents that came later: broken ones are left alone and named, odd ones come back to the byte.
#[test]
fn the_settings_of_later_agents_survive_whatever_is_in_them() {
    for (agent, file, key) in [
        ("qwen", ".qwen/settings.json", "mcpServers"),
        ("kilo", ".config/kilo/kilo.json", "mcp"),
        ("cline", ".cline/data/settings/cline_mcp_settings.json", "mcpServers"),
        ("pi", ".pi/agent/mcp.json", "mcpServers"),
        ("droid", ".factory/mcp.json", "mcpServers"),
        ("crush", ".config/crush/crush.json", "mcp"),
        ("antigravity", ".gemini/config/mcp_config.json", "mcpServers"),
    ] {
        let start = |text: &str| {
            let context = context(Start::Empty);
            let path = context.root().join("home").join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            (context, path)
        };
        for broken in ["{\"hooks\": ", "[]", &format!("{{\"{key}\": []}}"), "{\"a\": 1} {\"b\": 2}"] {
            let (context, path) = start(broken);
            let output = context.invoke(&["init", "--yes", "--agent", agent, "--agent", "codex"]);
            assert_eq!(output.code, 3, "{broken}: {output:?}");
            assert!(output.stderr.contains(file), "{}", output.stderr);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), broken);
            assert!(context.root().join("home/.codex/hooks.json").exists(), "the other agent is served");
        }
        for odd in ["", "{}", "{ // mine\n  \"a\": 1 /* too */\n}\n", "\u{feff}{\r\n}\r\n"] {
            let (context, path) = start(odd);
            context.invoke(&["init", "--yes", "--agent", agent]).expect(0);
            let registered = std::fs::read_to_string(&path).unwrap();
            assert!(registered.contains("symposium"), "{registered}");
            context.invoke(&["init", "--yes", "--agent", agent]).expect(0);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), registered, "a second run changes nothing");
            context.invoke(&["uninstall", "--yes"]).expect(0);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), odd);
        }
        let (context, path) = start("{\"a\": 1}");
        let target = context.root().join("home/linked.json");
        std::fs::rename(&path, &target).unwrap();
        std::os::unix::fs::symlink(&target, &path).unwrap();
        context.invoke(&["init", "--yes", "--agent", agent]).expect(0);
        assert!(path.is_symlink() && std::fs::read_to_string(&target).unwrap().contains("symposium"));
        context.invoke(&["uninstall", "--yes"]).expect(0);
        assert!(path.is_symlink());
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "{\"a\": 1}");
        let (context, path) = start("{}");
        set_mode(path.parent().unwrap(), 0o500);
        let arguments = ["init", "--yes", "--agent", agent, "--agent", "codex"];
        let output = context.invoke_through(bound_by_modes(&context), &arguments);
        set_mode(path.parent().unwrap(), 0o700);
        // One message for the directory, with the names of the files.
        let (directory, name) = file.rsplit_once('/').unwrap();
        let says = |text: &str| output.stderr.contains(text);
        assert!(output.code == 3 && says(directory) && says(name), "{output:?}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{}");
        assert!(context.root().join("home/.codex/hooks.json").exists(), "the other agent is served");
    }
}

#[test]
fn a_shared_place_is_written_once_and_goes_with_the_last_agent() {
    let context = context(Start::Empty);
    let before = without_state(snapshot(context.root()));
    let choose = |agents: &[&str]| {
        let chosen = agents.iter().flat_map(|agent| ["--agent", agent]);
        let args: Vec<&str> = ["init", "--yes", "--project", "--only"].into_iter().chain(chosen).collect();
        context.invoke(&args).expect(0);
        let servers = std::fs::read_to_string(context.workspace().join(".mcp.json")).unwrap_or_default();
        let skill = context.workspace().join(".agents/skills/serde/SKILL.md").exists();
        (servers.matches("\"symposium\": {").count(), skill)
    };
    assert_eq!(choose(&["claude", "copilot", "agents", "crush"]), (1, true));
    assert_eq!(choose(&["agents", "crush"]), (1, true), "other agents need both");
    assert_eq!(choose(&["crush"]), (0, true), "no agent is left that reads `.mcp.json`");
    assert_eq!(choose(&["droid"]), (0, false), "it has a directory of its own");
    assert!(!context.workspace().join(".agents").exists() && !context.workspace().join("crush.json").exists());
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert!(without_state(snapshot(context.root())) == before);
}

/// Where droid has a `hooks.json`, it takes no hooks from its settings, so it is used if it exists and never created.
#[test]
fn the_hooks_of_droid_follow_the_file_that_it_reads() {
    let context = context(Start::Empty);
    let file = |name: &str| context.root().join("home/.factory").join(name);
    let read = |name: &str| std::fs::read_to_string(file(name)).unwrap_or_default();
    context.invoke(&["init", "--yes", "--agent", "droid"]).expect(0);
    assert!(read("settings.json").contains("hook droid pre-tool-use") && !file("hooks.json").exists());
    let theirs = "{\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}]}";
    std::fs::write(file("hooks.json"), theirs).unwrap();
    context.invoke(&["sync"]).expect(0);
    assert!(!read("settings.json").contains("hook droid"), "{}", read("settings.json"));
    let hooks: serde_json::Value = serde_json::from_str(&read("hooks.json")).unwrap();
    assert_eq!(hooks["PreToolUse"].as_array().map(Vec::len), Some(2), "{hooks}");
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);
    let checked = context.invoke(&["doctor"]);
    assert!(checked.stdout.contains("supported by its documents, not run by us"), "{checked:?}");
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(read("hooks.json"), theirs);
}

/// A shell expands the values of Crush's servers, and nobody knows what Antigravity CLI does with a reference.
#[test]
fn a_server_that_an_agent_might_misread_is_left_out_and_named() {
    let context = context(Start::Empty);
    context.write_config(
        "plugins/tools/SYMPOSIUM.toml",
        "name = \"tools\"\n\n[[mcp_servers]]\nname = \"runs\"\ncommand = \"tool\"\nargs = [\"$(id)\"]\n\n\
         [[mcp_servers]]\nname = \"refers\"\ncommand = \"tool\"\nenv = { KEY = \"${KEY}\" }\n",
    );
    let output = context.invoke(&["init", "--yes", "--agent", "crush", "--agent", "antigravity"]);
    assert!(output.stderr.contains("Crush cannot use the MCP server `runs`"), "{output:?}");
    assert!(output.stderr.contains("Antigravity CLI cannot use the MCP server `refers`"), "{output:?}");
    let crush = std::fs::read_to_string(context.root().join("home/.config/crush/crush.json")).unwrap();
    assert!(!crush.contains("$(id)") && crush.contains("${KEY}"), "{crush}");
    let antigravity = std::fs::read_to_string(context.root().join("home/.gemini/config/mcp_config.json")).unwrap();
    assert!(antigravity.contains("$(id)") && !antigravity.contains("${KEY}"), "{antigravity}");
}
