//! The plans that `sync` compiles for the hook.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::with_fixture;

/// The directory of the workspace's plans, or else of those for work outside any.
fn plans(context: &TestContext) -> PathBuf {
    let plans = context.config_dir().join("cache/plans");
    let directories = std::fs::read_dir(&plans).unwrap().map(|entry| entry.unwrap().path());
    let (outside, mut here): (Vec<PathBuf>, Vec<PathBuf>) =
        directories.partition(|directory| directory.ends_with("outside"));
    assert!(here.len() <= 1, "{here:?}");
    here.pop().unwrap_or_else(|| outside[0].clone())
}

pub(crate) fn plan(context: &TestContext, event: &str) -> Value {
    let text = std::fs::read_to_string(plans(context).join(format!("{event}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// `plugin/hook` of every handler.
fn handlers(context: &TestContext, event: &str) -> Vec<String> {
    let plan = plan(context, event);
    let handlers = plan["handlers"].as_array().into_iter().flatten();
    handlers.map(|handler| format!("{}/{}", text(&handler["plugin"]), text(&handler["name"]))).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// The stamped paths of an event, made readable.
fn stamped(context: &TestContext, event: &str) -> Vec<String> {
    let plan = plan(context, event);
    plan["stamps"].as_array().unwrap().iter().map(|stamp| context.normalize_paths(text(&stamp["path"]))).collect()
}

/// Every file below a directory with what tells whether it was written again.
fn states(directory: &Path) -> BTreeMap<PathBuf, (SystemTime, Vec<u8>)> {
    let mut states = BTreeMap::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            states.extend(states_below(&path));
        } else {
            let modified = path.metadata().unwrap().modified().unwrap();
            let content = std::fs::read(&path).unwrap();
            states.insert(path, (modified, content));
        }
    }
    states
}

fn states_below(path: &Path) -> BTreeMap<PathBuf, (SystemTime, Vec<u8>)> {
    // Logs are written by every run; what is remembered of sources, once they are older than two seconds.
    if path.ends_with("logs") || path.ends_with("cache/index") { BTreeMap::new() } else { states(path) }
}

const GUARD: &str = "session-start-context = \"Mind the guard\"\n\
    [[hooks]]\nname = \"check\"\nevent = \"PreToolUse\"\nmatcher = \"Bash\"\norder = \"policy\"\ncommand = \"./check.sh --strict\"\ntimeout = 3\non-failure = \"block\"\n";

#[test]
fn every_event_has_its_plan_and_a_second_sync_rewrites_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/guard/symposium.toml", GUARD);
    context.write_config("plugins/guard/check.sh", "#!/bin/sh\n");
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "kiro"]).expect(0);
    let mut names: Vec<String> = std::fs::read_dir(plans(&context))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "claude-subagentstart.json",
            "digests",
            "guards",
            "guidance",
            "post-tool-use.json",
            "pre-tool-use.json",
            "session-start.json",
            "stop.json",
            "user-prompt-submit.json"
        ]
    );
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&plans(&context).join("stop.json")), 0o600);
    assert_eq!((mode(&plans(&context)), mode(&context.config_dir().join("cache"))), (0o700, 0o700));

    let before = plan(&context, "pre-tool-use");
    assert_eq!(before["workspace"], context.workspace().to_str().unwrap());
    assert_eq!(before["global"], json!(["claude"]), "Kiro's project file hides the user's");
    assert_eq!(before["registered"], json!(["claude", "kiro"]));
    assert_eq!((&before["auto_sync"], &before["servers"]), (&json!(true), &json!(["symposium"])));
    let guard = &before["handlers"][0];
    let script = context.config_dir().join("plugins/guard/check.sh");
    assert_eq!(guard["run"]["direct"], json!({ "program": script.to_str().unwrap(), "args": ["--strict"] }));
    assert_eq!((&guard["timeout"], &guard["on_failure"], guard.get("format")), (&json!(3), &json!("block"), None));
    assert_eq!(handlers(&context, "pre-tool-use"), ["guard/check", "deps/lookup", "rtk/shorten"]);
    let own = stamped(&context, "pre-tool-use").remove(2);
    assert!(own.starts_with("$CONFIG_DIR/workspaces/"), "the user's own choices: {own}");
    assert_eq!(
        stamped(&context, "pre-tool-use"),
        [
            "$CONFIG_DIR/config.toml",
            "$WORKSPACE/.symposium/config.toml",
            &own,
            "$CONFIG_DIR/plugins",
            "$CONFIG_DIR/plugins/guard/symposium.toml",
            "$CONFIG_DIR/plugins/guard/check.sh",
            "$WORKSPACE/Cargo.toml",
            "$ROOT/home/.claude/settings.json",
            "$ROOT/home/.kiro/agents/symposium.json",
        ]
    );
    let session = plan(&context, "session-start")["session"].clone();
    assert_eq!(session["texts"], json!(["Mind the guard"]));
    assert_eq!(session["skills"], json!(["serde", "tokio"]));
    assert_eq!((session.get("notices"), &session["rtk"]), (None, &json!(true)));
    assert_eq!(plan(&context, "user-prompt-submit")["nudges"]["interval"], 5);
    assert_eq!(handlers(&context, "post-tool-use"), ["cargo/output"], "autofmt is off at first");

    context.settle();
    let states_before = states(context.config_dir());
    context.invoke(&["sync"]).expect(0);
    assert!(states(context.config_dir()) == states_before, "a run with nothing to do rewrites none of our files");
}

#[test]
fn looking_compiles_nothing() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    for args in [
        &["sync", "--dry-run"][..],
        &["sync", "--check"],
        &["init", "--yes", "--dry-run"],
        &["off", "serde", "--dry-run"],
    ] {
        let _ = context.invoke(args);
        assert!(!context.config_dir().join("cache").exists(), "{args:?}");
    }
}

#[test]
fn toggles_decide_what_is_in_a_plan() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/guard/symposium.toml", GUARD);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["off", "guard/check"]).expect(0);
    assert_eq!(handlers(&context, "pre-tool-use"), ["deps/lookup", "rtk/shorten"]);
    assert_eq!(plan(&context, "session-start")["session"]["texts"], json!(["Mind the guard"]));
    context.invoke(&["off", "rtk", "guard"]).expect(0);
    context.invoke(&["on", "guard/check"]).expect(0);
    assert_eq!(handlers(&context, "pre-tool-use"), ["guard/check", "deps/lookup"], "the more exact choice decides");
    assert_eq!(plan(&context, "session-start")["session"].get("texts"), None);
    context.invoke(&["off", "--all"]).expect(0);
    assert_eq!(handlers(&context, "pre-tool-use"), [""; 0]);

    context.invoke(&["on", "autofmt"]).expect(0);
    let format = plan(&context, "post-tool-use")["handlers"][0]["run"]["autofmt"].clone();
    assert_eq!(format["editions"], json!([[context.workspace().to_str().unwrap(), "2024"]]));
    let config = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    assert!(config.contains("autofmt = true\n") && config.contains("rtk = false\n"), "{config}");
}

#[test]
fn executables_of_a_project_are_withheld_and_its_text_is_used() {
    let context = with_fixture(&["workspace0"]);
    let source = "[[plugin-source]]\nname = \"own\"\npath = \"tools\"\n";
    context.write(".symposium/config.toml", source);
    context.write("tools/guard/symposium.toml", GUARD);
    context.write("tools/guard/check.sh", "#!/bin/sh\n");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    // Commands that write would stop at it; hooks go on.
    context.write(".symposium/config.toml", format!("required-version = \">=99\"\n{source}"));
    for event in ["session-start", "pre-tool-use", "stop"] {
        context.invoke_hook("claude", event, "{}").expect(0);
    }
    assert_eq!(handlers(&context, "pre-tool-use"), ["deps/lookup", "rtk/shorten"]);
    assert_eq!(plan(&context, "pre-tool-use")["withheld"], json!(["guard/check"]));
    let session = plan(&context, "session-start")["session"].clone();
    assert_eq!(session["texts"], json!(["Mind the guard"]));
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        session["notes"],
        json!([format!(
            "This project requires Symposium >=99, but this is version {version}; run `symposium self-update` to update"
        ),])
    );
    assert_eq!(session["pending"][0]["title"], "`guard/check`");
    assert_eq!(session["rules"], Value::Null);
    assert!(stamped(&context, "stop").contains(&"$WORKSPACE/tools".to_owned()));
}

#[test]
fn what_conditions_ask_of_the_world_is_in_the_plan() {
    let mut context = with_fixture(&["workspace0"]);
    context.write_config(
        "plugins/guard/symposium.toml",
        "[[hooks]]\nname = \"a\"\nevent = \"PreToolUse\"\ncommand = \"a\"\npredicates = [\"env(GUARD=on)\", \"path_exists(src)\"]\n\
         [[hooks]]\nname = \"b\"\nevent = \"PreToolUse\"\ncommand = \"b\"\npredicates = [\"not(env(QUIET))\", \"path_exists(build.rs)\"]\n",
    );
    context.set("GUARD", "on");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    assert_eq!(handlers(&context, "pre-tool-use"), ["deps/lookup", "guard/a", "rtk/shorten"]);
    let plan = plan(&context, "stop");
    let variables = plan["variables"].as_array().unwrap();
    assert_eq!((text(&variables[0]["name"]), text(&variables[1]["name"])), ("GUARD", "QUIET"));
    assert!(variables[0]["hash"].is_u64() && variables[1].get("hash").is_none());
    assert!(!plan.to_string().contains("\"on\""), "only a hash of a value is kept");
    let workspace = context.workspace().to_str().unwrap();
    assert_eq!(
        plan["presences"],
        json!([
            { "path": format!("{workspace}/src"), "there": true },
            { "path": format!("{workspace}/build.rs"), "there": false },
        ])
    );
}

#[test]
fn a_manifest_that_is_broken_for_a_while_is_still_watched() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/guard/symposium.toml", GUARD.replace("name = \"check\"", "name = "));
    assert_eq!(context.invoke(&["init", "--yes", "--agent", "claude"]).code, 3);
    assert_eq!(handlers(&context, "pre-tool-use"), ["deps/lookup", "rtk/shorten"]);
    assert!(stamped(&context, "pre-tool-use").contains(&"$CONFIG_DIR/plugins/guard/symposium.toml".to_owned()));
}

#[test]
fn a_hook_that_cannot_be_run_is_named() {
    let context = with_fixture(&["workspace0"]);
    context.write_config(
        "plugins/odd/symposium.toml",
        "[[hooks]]\nname = \"out\"\nevent = \"Stop\"\ncommand = \"/bin/echo\"\n\
         [[installations]]\nname = \"tool\"\nsource = \"cargo\"\ncrate = \"tool\"\nexecutable = \"tool\"\n\
         [[hooks]]\nname = \"later\"\nevent = \"Stop\"\ncommand = \"tool\"\n\
         [[hooks]]\nname = \"script\"\nevent = \"Stop\"\nscript = \"run.sh\"\n",
    );
    let output = context.invoke(&["init", "--yes", "--agent", "claude"]);
    assert_eq!(output.code, 0, "{output:?}");
    for warning in [
        "hook `odd/out` is not run: it runs `/bin/echo`, which is outside the plugin's directory",
        "plugin `odd` needs the installation `tool`, which only the user may confirm: run `symposium sync --yes`",
    ] {
        assert!(output.stderr.contains(warning), "{}", output.stderr);
    }
    let stop = plan(&context, "stop");
    assert_eq!(stop["withheld"], json!(["odd/out", "odd/later"]));
    assert_eq!(stop["handlers"][0]["run"]["shell"]["line"], "sh \"$SYMPOSIUM_PLUGIN_DIR\"/run.sh");
}

#[test]
fn stop_and_native_events_are_registered_when_handled_and_then_stay() {
    let context = with_fixture(&["workspace0"]);
    context.write_config(
        "plugins/ends/symposium.toml",
        "[[hooks]]\nevent = \"Stop\"\ncommand = \"x\"\n[[hooks]]\nevent = \"gemini:BeforeModel\"\ncommand = \"x\"\n",
    );
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "gemini", "--agent", "copilot"]).expect(0);
    let home = context.root().join("home");
    let read = |file: &str| std::fs::read_to_string(home.join(file)).unwrap();
    let files = [".claude/settings.json", ".gemini/settings.json", ".copilot/hooks/symposium.json"];
    let registered = files.map(read);
    assert!(registered.iter().all(|text| text.contains(" stop")), "{registered:?}");
    assert!(registered[1].contains("hook gemini BeforeModel") && !registered[0].contains("BeforeModel"));
    assert_eq!(plan(&context, "gemini-beforemodel")["handlers"][0]["native"], "BeforeModel");

    std::fs::remove_dir_all(context.config_dir().join("plugins/ends")).unwrap();
    context.invoke(&["sync"]).expect(0);
    assert_eq!(files.map(read), registered, "some agents trust a registration by its text");
    assert_eq!(plan(&context, "gemini-beforemodel").get("handlers"), None, "it may still be called");
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);

    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert!(files.iter().all(|file| !home.join(file).exists()));
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    assert!(!read(".claude/settings.json").contains(" stop"), "uninstalling forgets it");
}

#[test]
fn names_of_servers_come_from_plugins_and_from_settings_with_comments() {
    let context = with_fixture(&["workspace0"]);
    let home = context.root().join("home");
    std::fs::create_dir_all(home.join(".gemini")).unwrap();
    std::fs::write(home.join(".gemini/settings.json"), "{ /* mine */ \"mcpServers\": { \"my_server\": {}, } }")
        .unwrap();
    context.write("opencode.json", "{ not json");
    context.write_config("plugins/tools/symposium.toml", "[[mcp_servers]]\nname = \"tool\"\ncommand = \"tool\"\n");
    let _ = context.invoke(&["init", "--yes", "--agent", "gemini", "--agent", "opencode"]);
    assert_eq!(plan(&context, "post-tool-use")["servers"], json!(["my_server", "symposium", "tool"]));
}

#[test]
fn rtk_stands_down_where_it_has_a_hook_of_its_own() {
    let context = with_fixture(&["workspace0"]);
    let home = context.root().join("home");
    std::fs::create_dir_all(home.join(".claude")).unwrap();
    std::fs::write(
        home.join(".claude/settings.json"),
        r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "rtk hook claude"}]}]}}"#,
    )
    .unwrap();
    context
        .write(".github/hooks/rtk-rewrite.json", "{\"hooks\": {\"preToolUse\": [{\"bash\": \"rtk hook copilot\"}]}}");
    context.write_config(
        "config.toml",
        "[agent]\nname = [\"claude\", \"copilot\", \"gemini\"]\n[rtk]\nexclude = [\"cargo tree\"]\n",
    );
    context.invoke(&["sync"]).expect(0);
    let rtk = plan(&context, "pre-tool-use")["handlers"][1].clone();
    assert_eq!(rtk["not_for"], json!(["claude", "copilot"]));
    assert_eq!(rtk["run"]["rtk"]["exclude"], json!(["cargo tree", "cargo"]));
}

#[test]
fn the_users_toolchain_is_the_one_rustup_says() {
    let mut context = with_fixture(&["workspace0"]);
    let rustup = context.root().join("rustup");
    std::fs::create_dir(&rustup).unwrap();
    std::fs::write(rustup.join("settings.toml"), "version = \"12\"\ndefault_toolchain = \"nightly\"\n").unwrap();
    context.set("RUSTUP_HOME", rustup.to_str().unwrap());
    context.write(".symposium/config.toml", "[workflows]\nautofmt = true\n");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    assert_eq!(plan(&context, "post-tool-use")["handlers"][0]["run"]["autofmt"]["toolchain"], "nightly");
    assert!(stamped(&context, "session-start").contains(&"$ROOT/rustup/settings.toml".to_owned()));
}

#[test]
fn plans_go_with_what_they_are_for() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.write_config("sessions/abc.json", "{}");
    let plans = plans(&context);
    context.invoke(&["uninstall", "--project", "--yes"]).expect(0);
    assert!(!plans.exists() && context.config_dir().join("sessions/abc.json").exists());
    context.invoke(&["sync"]).expect(0);
    assert!(plans.exists());
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(context.tree(context.config_dir()), "");
}

#[test]
fn what_is_known_of_a_deleted_workspace_goes_with_the_next_sync() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let own = plans(&context);
    let other = context.root().join("other");
    std::fs::create_dir_all(other.join("src")).unwrap();
    for file in ["Cargo.toml", "Cargo.lock"] {
        std::fs::copy(context.workspace().join(file), other.join(file)).unwrap();
    }
    context.invoke_in(&other, &["sync"]).expect(0);
    let all = || -> Vec<PathBuf> {
        let entries = std::fs::read_dir(context.config_dir().join("cache/plans")).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    };
    let gone = all().into_iter().find(|path| *path != own).unwrap();
    let sessions = context.config_dir().join("sessions");
    let remembered =
        |plans: &Path| sessions.join(format!("workspace-{}", plans.file_name().unwrap().to_str().unwrap()));
    let age = |path: &Path, days: u64| {
        let time = SystemTime::now() - std::time::Duration::from_secs(days * 24 * 3600);
        std::fs::create_dir_all(&sessions).unwrap();
        std::fs::write(path, "serde 1.0.0 serde\n").unwrap();
        std::fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
    };
    let (old, young) = (sessions.join("workspace-0123456789abcdef"), sessions.join("workspace-fedcba9876543210"));
    for (path, days) in [(remembered(&own), 400), (remembered(&gone), 1), (old.clone(), 91), (young.clone(), 80)] {
        age(&path, days);
    }
    context.invoke(&["sync"]).expect(0);
    assert!(gone.exists() && remembered(&gone).exists(), "its workspace is there");
    assert!(!old.exists() && young.exists(), "what belongs to no plan goes by age");
    std::fs::remove_dir_all(&other).unwrap();
    context.invoke(&["sync"]).expect(0);
    assert_eq!(all(), std::slice::from_ref(&own));
    assert!(!remembered(&gone).exists() && remembered(&own).exists() && young.exists());
}

#[test]
fn outside_any_workspace_there_is_a_plan_too() {
    let context = with_fixture(&[]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.invoke(&["sync"]).expect(0);
    assert!(plans(&context).ends_with("outside"));
    assert_eq!(handlers(&context, "pre-tool-use"), ["deps/lookup", "rtk/shorten"]);
}

#[test]
fn a_plan_that_cannot_be_written_is_something_that_could_not_be_done() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("cache", "in the way");
    let output = context.invoke(&["init", "--yes", "--agent", "claude"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("failed to write the hook plan"), "{}", output.stderr);
    assert!(context.workspace().join(".claude/skills/serde").exists(), "the rest is done");
}

/// A guard that denies every shell command.
const DENIES: &str = "#!/bin/sh\necho 'Not in this house' >&2\nexit 2\n";

#[test]
fn a_deny_holds_from_the_very_first_event_and_follows_every_change() {
    use std::os::unix::fs::PermissionsExt;
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/guard/symposium.toml", GUARD.replace("policy", "normal"));
    context.write_config("plugins/guard/check.sh", DENIES);
    let script = context.config_dir().join("plugins/guard/check.sh");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let payload = json!({
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "transcript_path": "/t",
        "cwd": context.workspace().to_str().unwrap(),
        "permission_mode": "default",
        "tool_name": "Bash",
        "tool_input": { "command": "ls" },
    });
    let before = context.tree(context.workspace());
    let denies = || {
        let output = context.invoke_hook("claude", "pre-tool-use", &payload.to_string());
        assert_eq!(output.code, 0, "{output:?}");
        output.stdout.contains("Not in this house")
    };
    assert!(denies(), "nobody ever ran `sync` here");
    assert_eq!(context.tree(context.workspace()), before, "a hook writes nothing into a project");
    let compiled = states(&plans(&context));
    assert!(denies());
    assert!(states(&plans(&context)) == compiled, "what holds is not compiled again");

    context.write_config("plugins/guard/symposium.toml", "");
    assert!(!denies(), "the manifest changed");
    context.write_config("plugins/guard/symposium.toml", GUARD);
    assert!(denies(), "and back");
    context.write(".symposium/config.toml", "[workflows]\nguard = false\n");
    assert!(denies(), "a project has no word on a policy of the user");
    context.write_config("plugins/guard/symposium.toml", GUARD.replace("policy", "normal"));
    assert!(!denies(), "on any other hook its choice counts at once");
}

#[test]
fn a_manifest_edited_in_place_counts_at_the_next_event_among_many() {
    let context = with_fixture(&["workspace0"]);
    let other = "[[hooks]]\nname = \"late\"\nevent = \"Stop\"\ncommand = \"true\"\n";
    for number in 0..40 {
        context.write_config(&format!("plugins/p{number:02}/symposium.toml"), other);
    }
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let event = crate::hook::shell("claude", &context, "ls").to_string();
    let call = || context.invoke_hook("claude", "pre-tool-use", &event).expect(0);
    context.settle();
    context.invoke(&["sync"]).expect(0);
    assert_eq!(call(), "");
    let before = plan(&context, "pre-tool-use");
    let folders = before["folders"].as_array().unwrap();
    assert_eq!(folders.len(), 1, "{folders:?}");
    assert_eq!(context.normalize_paths(text(&folders[0]["directory"])), "$CONFIG_DIR/plugins");
    assert_eq!(text(&folders[0]["files"]).split('|').filter(|file| file.ends_with("/symposium.toml")).count(), 40);
    let single = stamped(&context, "pre-tool-use");
    assert!(!single.iter().any(|path| path.contains("plugins/p")), "{single:?}");

    // The directory stays as it is: only the text changes.
    let guard = "[[hooks]]\nname = \"late\"\nevent = \"PreToolUse\"\nmatcher = \"Bash\"\norder = \"policy\"\ncommand = \"exit 2\"\n";
    context.settle();
    let manifest = context.config_dir().join("plugins/p17/symposium.toml");
    std::fs::write(&manifest, guard).unwrap();
    let answer = call();
    assert!(answer.contains("deny"), "{answer}");
    assert_eq!(handlers(&context, "pre-tool-use").first().map(String::as_str), Some("p17/late"));
    // So does one that is gone.
    context.settle();
    std::fs::remove_file(context.config_dir().join("plugins/p18/symposium.toml")).unwrap();
    let before = states(&plans(&context));
    call();
    assert_ne!(states(&plans(&context)), before);
}
