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
    let (no_servers, no_list) = ("{\"mcpServers\": []}", "{\"mcp\": []}");
    let files = [
        ("qwen", "home", ".qwen/settings.json", no_servers),
        ("qwen", "files", ".qwen/settings.json", "{\"hooks\": []}"),
        ("kilo", "home", ".config/kilo/kilo.json", no_list),
        ("kilo", "files", "kilo.json", no_list),
        ("cline", "home", ".cline/data/settings/cline_mcp_settings.json", no_servers),
        ("pi", "home", ".pi/agent/mcp.json", no_servers),
        ("pi", "files", ".pi/mcp.json", no_servers),
        ("droid", "home", ".factory/mcp.json", no_servers),
        ("droid", "home", ".factory/settings.json", "{\"hooks\": {\"Stop\": [], \"PreToolUse\": {}}}"),
        ("droid", "home", ".factory/hooks.json", "{\"PreToolUse\": {}}"),
        ("droid", "files", ".factory/hooks.json", "{\"PreToolUse\": \"x\"}"),
        ("droid", "home", ".factory/hooks/hooks.json", "{\"PreToolUse\": null}"),
        ("crush", "home", ".config/crush/crush.json", no_list),
        ("crush", "files", "crush.json", "{\"hooks\": []}"),
        ("antigravity", "home", ".gemini/config/mcp_config.json", no_servers),
        ("antigravity", "files", ".agents/mcp_config.json", no_servers),
        ("agents", "files", ".mcp.json", no_servers),
    ];
    std::thread::scope(|threads| {
        for (agent, scope, file, misshapen) in files {
            threads.spawn(move || survives(agent, scope, file, misshapen));
        }
    });
}

fn survives(agent: &str, scope: &str, file: &str, misshapen: &str) {
    let start = |text: &str| {
        let context = context(Start::Empty);
        let path = context.root().join(scope).join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        (context, path)
    };
    let whole = ["init", "--yes", "--agent", agent, "--project"];
    let init = if scope == "home" { &whole[..4] } else { &whole[..] };
    let both = [init, &["--agent", "codex"]].concat();
    let is_served = |context: &TestContext| context.root().join(scope).join(".codex/hooks.json").exists();
    for broken in ["{\"hooks\": ", "[]", misshapen, "{\"a\": 1} {\"b\": 2}"] {
        let (context, path) = start(broken);
        let output = context.invoke(&both);
        assert_eq!(output.code, 3, "{broken}: {output:?}");
        assert!(output.stderr.contains(file), "{}", output.stderr);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), broken);
        assert!(is_served(&context), "the other agent is served");
        context.invoke(&["uninstall", "--yes"]).expect(0);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), broken);
    }
    for odd in ["", "{}", "{ // mine\n  \"a\": 1 /* too */\n}\n", "\u{feff}{\r\n}\r\n"] {
        let (context, path) = start(odd);
        context.invoke(init).expect(0);
        let registered = std::fs::read_to_string(&path).unwrap();
        assert!(registered.contains("symposium"), "{registered}");
        context.invoke(init).expect(0);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), registered, "a second run changes nothing");
        context.invoke(&["uninstall", "--yes"]).expect(0);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), odd);
    }
    let (context, path) = start("{\"a\": 1}");
    let target = context.root().join(scope).join("linked.json");
    std::fs::rename(&path, &target).unwrap();
    std::os::unix::fs::symlink(&target, &path).unwrap();
    context.invoke(init).expect(0);
    assert!(path.is_symlink() && std::fs::read_to_string(&target).unwrap().contains("symposium"));
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert!(path.is_symlink());
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "{\"a\": 1}");

    // Where the directory is that of the project, nothing at all could be written.
    let Some((directory, name)) = file.rsplit_once('/') else { return };
    let (context, path) = start("{}");
    set_mode(path.parent().unwrap(), 0o500);
    let output = context.invoke_through(bound_by_modes(&context), &both);
    set_mode(path.parent().unwrap(), 0o700);
    // One message for the directory, with the names of the files.
    let says = |text: &str| output.stderr.contains(text);
    assert!(output.code == 3 && says(directory) && says(name), "{output:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "{}");
    assert!(is_served(&context), "the other agent is served");
}

/// The modules of later agents: a module of the user under that name is no module of ours, nor is one behind a link.
#[test]
fn a_module_that_is_not_ours_is_kept_and_named() {
    for (agent, scope, file) in [
        ("kilo", "home", ".config/kilo/plugins/symposium.js"),
        ("kilo", "files", ".kilo/plugins/symposium.js"),
        ("cline", "home", ".cline/plugins/symposium.js"),
        ("cline", "files", ".cline/plugins/symposium.js"),
        ("pi", "home", ".pi/agent/extensions/symposium.js"),
        ("pi", "files", ".pi/extensions/symposium.js"),
    ] {
        let whole = ["init", "--yes", "--agent", agent, "--project"];
        let init = if scope == "home" { &whole[..4] } else { &whole[..] };
        let theirs = "export default function mine() {}\n";
        for is_linked in [false, true] {
            let context = context(Start::Empty);
            let path = context.root().join(scope).join(file);
            let target = if is_linked { context.root().join("mine.js") } else { path.clone() };
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&target, theirs).unwrap();
            if is_linked {
                std::os::unix::fs::symlink(&target, &path).unwrap();
            }
            let output = context.invoke(init);
            assert!(output.code == 0 && output.stderr.contains(file), "{output:?}");
            assert!(output.stderr.contains("lacks the mark of Symposium, so it is kept"), "{output:?}");
            context.invoke(&["uninstall", "--yes"]).expect(0);
            assert!(std::fs::read_to_string(&path).unwrap() == theirs && path.is_symlink() == is_linked, "{file}");
        }
        let context = context(Start::Empty);
        let directory = context.root().join(scope).join(file.rsplit_once('/').unwrap().0);
        std::fs::create_dir_all(&directory).unwrap();
        set_mode(&directory, 0o500);
        let output = context.invoke_through(bound_by_modes(&context), &[init, &["--agent", "codex"]].concat());
        set_mode(&directory, 0o700);
        assert!(output.code == 3 && output.stderr.contains("symposium.js"), "{output:?}");
        assert!(context.root().join(scope).join(".codex/hooks.json").exists(), "the other agent is served");
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
    let hides = "runs no hooks in `settings.json` for the events in its `hooks.json`";
    let output = context.invoke(&["init", "--yes", "--agent", "droid"]);
    assert!(output.code == 0 && !output.stderr.contains(hides), "{output:?}");
    assert!(read("settings.json").contains("hook droid pre-tool-use") && !file("hooks.json").exists());
    let theirs = "{\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}]}";
    std::fs::write(file("hooks.json"), theirs).unwrap();
    let output = context.invoke(&["init", "--yes", "--agent", "droid"]);
    assert!(output.code == 0 && output.stderr.contains(hides), "{output:?}");
    assert!(!read("settings.json").contains("hook droid"), "{}", read("settings.json"));
    let hooks: serde_json::Value = serde_json::from_str(&read("hooks.json")).unwrap();
    assert_eq!(hooks["PreToolUse"].as_array().map(Vec::len), Some(2), "{hooks}");
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);
    let checked = context.invoke(&["doctor"]);
    assert!(checked.stdout.contains("supported by its documents, not run by us"), "{checked:?}");
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(read("hooks.json"), theirs);
}

/// A `hooks.json` that cannot be edited is none from which droid takes hooks: those in its settings count, and stay.
#[test]
fn hooks_of_droid_stay_until_the_file_that_hides_them_can_be_edited() {
    for scope in [None, Some("--project")] {
        for name in ["hooks.json", "hooks/hooks.json"] {
            let context = context(Start::Empty);
            let start = if scope.is_some() { context.workspace().to_owned() } else { context.root().join("home") };
            let file = |name: &str| start.join(".factory").join(name);
            let read = |name: &str| std::fs::read_to_string(file(name)).unwrap_or_default();
            let init: Vec<&str> = ["init", "--yes", "--agent", "droid"].into_iter().chain(scope).collect();
            context.invoke(&init).expect(0);
            let registered = read("settings.json");
            std::fs::create_dir_all(file(name).parent().unwrap()).unwrap();
            for broken in ["{\"PreToolUse\": ", "[]", "{\"PreToolUse\": {}}"] {
                std::fs::write(file(name), broken).unwrap();
                context.invoke(&["sync"]).expect(3);
                assert_eq!(read("settings.json"), registered, "{broken}");
                assert_eq!(read(name), broken);
            }
            std::fs::write(file(name), "{}").unwrap();
            context.invoke(&["sync"]).expect(0);
            assert!(!read("settings.json").contains("hook droid") && read(name).contains("hook droid"));
            context.invoke(&["uninstall", "--yes"]).expect(0);
            assert!(!file("settings.json").exists() && read(name) == "{}");
        }
    }
}

/// By the code of droid: the key stands among the events, and a file with a comma too many does not count.
#[test]
fn doctor_names_what_makes_droid_run_no_hooks() {
    for (name, text, finding) in [
        ("settings.json", "{\"hooks\": {\"hooksDisabled\": true}}", "`hooksDisabled` in ~/.factory/settings.json"),
        ("hooks.json", "{\"hooksDisabled\": true}", "`hooksDisabled` in ~/.factory/hooks.json"),
        ("hooks/hooks.json", "{\"hooksDisabled\": true}", "`hooksDisabled` in ~/.factory/hooks/hooks.json"),
        ("hooks.json", "{\"Stop\": [],}", "because of a trailing comma"),
    ] {
        let context = context(Start::Empty);
        let file = context.root().join("home/.factory").join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        context.invoke(&["init", "--yes", "--agent", "droid"]).expect(0);
        let checked = context.invoke(&["doctor"]);
        assert!(checked.stdout.contains(finding), "{name}: {}", checked.stdout);
        if name.starts_with("hooks/") {
            std::fs::write(context.root().join("home/.factory/hooks.json"), "{}").unwrap();
            context.invoke(&["sync"]).expect(0);
            let checked = context.invoke(&["doctor"]);
            assert!(!checked.stdout.contains("hooksDisabled"), "it is not read: {}", checked.stdout);
        }
    }
}

/// When droid writes hooks, it puts those of all its files at the top of `hooks.json`, and leaves the settings as they are.
#[test]
fn after_a_migration_of_droid_each_entry_is_there_once() {
    for (old, syncs) in
        [(None, false), (None, true), (Some("hooks/hooks.json"), false), (Some("hooks/hooks.json"), true)]
    {
        let context = context(Start::Empty);
        let file = |name: &str| context.root().join("home/.factory").join(name);
        let read = |name: &str| std::fs::read_to_string(file(name)).unwrap_or_default();
        let events = |text: &str| serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text).unwrap();
        let theirs = "{\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}]}";
        if let Some(old) = old {
            std::fs::create_dir_all(file("hooks")).unwrap();
            std::fs::write(file(old), theirs).unwrap();
        }
        context.invoke(&["init", "--yes", "--agent", "droid"]).expect(0);
        let written = read(old.unwrap_or("settings.json"));
        assert!(written.contains("hook droid pre-tool-use") && !file("hooks.json").exists(), "{written}");
        assert!(old.is_none() || !read("settings.json").contains("hook droid"), "it does not count there");

        let all = if old.is_some() { events(&written) } else { events(&events(&written)["hooks"].to_string()) };
        std::fs::write(file("hooks.json"), serde_json::to_string_pretty(&all).unwrap()).unwrap();
        if let Some(old) = old {
            std::fs::rename(file(old), file("hooks/hooks.migrated.json")).unwrap();
        }
        if syncs {
            context.invoke(&["sync"]).expect(0);
            let both = read("settings.json") + &read("hooks.json");
            for event in all.keys() {
                let own = events(&read("hooks.json"))[event].to_string().matches("hook droid").count();
                assert_eq!(own, 1, "{event}: {both}");
            }
            assert_eq!(both.matches("hook droid").count(), all.len(), "{both}");
            context.invoke(&["sync", "--check"]).expect(0);
        }
        context.invoke(&["uninstall", "--yes"]).expect(0);
        let rest = if old.is_some() { events(theirs) } else { events("{}") };
        let mut left = events(&read("hooks.json"));
        left.retain(|_, entries| entries.as_array().is_some_and(|entries| !entries.is_empty()));
        assert_eq!(left, rest, "{old:?} {syncs}");
        assert!(!read("settings.json").contains("hook droid"));
    }
}

/// Droid ignores events under a `hooks` key of its `hooks.json`. Entries of ours come there with a copy of the settings.
#[test]
fn the_hooks_file_of_droid_may_have_the_form_of_its_settings() {
    for scope in [None, Some("--project")] {
        let context = context(Start::Empty);
        let start = if scope.is_some() { context.workspace().to_owned() } else { context.root().join("home") };
        let file = |name: &str| start.join(".factory").join(name);
        let read = |name: &str| std::fs::read_to_string(file(name)).unwrap_or_default();
        let init: Vec<&str> = ["init", "--yes", "--agent", "droid"].into_iter().chain(scope).collect();

        let theirs = "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}]}}";
        std::fs::create_dir_all(file("")).unwrap();
        std::fs::write(file("hooks.json"), theirs).unwrap();
        context.invoke(&init).expect(0);
        let hooks: serde_json::Value = serde_json::from_str(&read("hooks.json")).unwrap();
        assert!(hooks["PreToolUse"].is_array() && !hooks["hooks"].to_string().contains("hook droid"), "{hooks}");
        context.invoke(&["uninstall", "--yes"]).expect(0);
        assert_eq!(read("hooks.json"), theirs);

        for (copied, rest) in [("{}\n", "{}"), (theirs, theirs)] {
            for syncs in [false, true] {
                std::fs::remove_file(file("hooks.json")).unwrap_or_default();
                std::fs::write(file("settings.json"), copied).unwrap();
                context.invoke(&init).expect(0);
                std::fs::copy(file("settings.json"), file("hooks.json")).unwrap();
                if syncs {
                    let checked = context.invoke(&["doctor"]);
                    assert!(checked.stdout.contains("hooks.json is missing or outdated"), "{checked:?}");
                    context.invoke(&["sync"]).expect(0);
                    let both = read("settings.json") + &read("hooks.json");
                    assert_eq!(both.matches("hook droid pre-tool-use").count(), 1, "{both}");
                    let hooks: serde_json::Value = serde_json::from_str(&read("hooks.json")).unwrap();
                    assert!(hooks["PreToolUse"].to_string().contains("hook droid"), "{hooks}");
                    context.invoke(&["sync", "--check"]).expect(0);
                }
                context.invoke(&["uninstall", "--yes"]).expect(0);
                assert_eq!(read("hooks.json").trim(), rest, "{syncs}");
                assert_eq!(read("settings.json"), copied);
            }
        }
    }
}

#[test]
fn a_note_about_an_agent_in_both_scopes_is_said_once() {
    let context = context(Start::Empty);
    context.invoke(&["init", "--yes", "--agent", "droid"]).expect(0);
    let output = context.invoke(&["init", "--yes", "--project", "--agent", "droid"]);
    for note in ["if one hook denies a tool", "follows its documentation and was not tested"] {
        assert_eq!(output.stderr.matches(note).count(), 1, "{output:?}");
    }
}

/// What `doctor` finds in a settings file, it finds where the events stand at the top too.
#[test]
fn doctor_looks_into_a_hooks_file_of_droid() {
    let context = context(Start::Empty);
    let file = context.root().join("home/.factory/hooks.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "{}").unwrap();
    context.invoke(&["init", "--yes", "--agent", "droid"]).expect(0);
    let mut hooks: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let mut gone = hooks["PreToolUse"][0].clone();
    gone["hooks"][0]["command"] = "/gone/symposium hook droid pre-tool-use".into();
    hooks["PreToolUse"].as_array_mut().unwrap().push(gone);
    std::fs::write(&file, hooks.to_string()).unwrap();
    let checked = context.invoke(&["doctor"]);
    for finding in ["PreToolUse is registered 2 times", "calls `/gone/symposium`, which does not exist"] {
        assert!(checked.stdout.contains(finding), "{}", checked.stdout);
    }
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
