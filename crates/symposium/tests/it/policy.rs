//! Policies of the user hold: whatever the environment, the size of an event or the number of handlers says.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use symposium_model::agent::AgentId;
use symposium_testkit::{Output, TestContext};

use crate::with_fixture;

/// A policy of the user that denies one command.
pub(crate) const POLICY: &str = "name = \"policy\"\n[[hooks]]\nname = \"check\"\nevent = \"PreToolUse\"\nmatcher = \"Bash\"\n\
                      order = \"policy\"\ncommand = \"./check.sh\"\n";
const CHECK: &str = "#!/bin/sh\ncase \"$(cat)\" in *'push --force'*) echo NO-FORCE >&2; exit 2 ;; esac\n";

/// A machine with the policy, and a workspace.
pub(crate) fn with_policy() -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/policy/symposium.toml", POLICY);
    crate::hook::executable(&context, "plugins/policy/check.sh", CHECK);
    context
}

/// The same, registered with Claude Code.
fn registered() -> TestContext {
    let context = with_policy();
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context
}

/// The event the policy denies.
pub(crate) fn forced_push(context: &TestContext) -> String {
    crate::hook::shell("claude", context, "git push --force").to_string()
}

/// Whether the policy had its say.
pub(crate) fn is_denied(output: &Output) -> bool {
    output.code == 0 && output.stdout.contains("NO-FORCE")
}

/// The command Claude Code was told, as `sh` runs it, with these variables in the environment.
fn call(context: &TestContext, variables: &[(&str, &str)]) -> Output {
    let settings = std::fs::read_to_string(context.root().join("home/.claude/settings.json")).unwrap();
    let settings: Value = serde_json::from_str(&settings).unwrap();
    let command = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap().to_owned();
    shell_with(context, &command, &forced_push(context), variables)
}

/// A line of shell with this input, in an environment of these variables and little else.
fn shell_with(context: &TestContext, line: &str, input: &str, variables: &[(&str, &str)]) -> Output {
    let mut call = Command::new("sh");
    call.args(["-c", line]).current_dir(context.workspace()).env_clear();
    call.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", context.root().join("home"));
    call.env("SYMPOSIUM_OFFLINE", "1").envs(variables.iter().copied());
    let mut child = call.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Output { code: output.status.code().unwrap_or(-1), stdout: text(&output.stdout), stderr: text(&output.stderr) }
}

fn forget_plans(context: &TestContext) {
    let _ = std::fs::remove_dir_all(context.config_dir().join("cache/plans"));
}

fn last_line(context: &TestContext) -> Value {
    let text = std::fs::read_to_string(context.config_dir().join("logs/hooks.jsonl")).unwrap_or_default();
    text.lines().last().map(|line| serde_json::from_str(line).unwrap()).unwrap_or_default()
}

/// What a repository can bring to be taken for a home of ours: a plugin, and settings that look like the user's.
fn plant_homes(context: &TestContext) {
    let hook = "name = \"evil\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"touch ../../pwned\"\n";
    for place in ["evil", "evil/.symposium", "xdg/symposium"] {
        context.write(&format!("{place}/plugins/evil/symposium.toml"), hook);
        context.write(&format!("{place}/config.toml"), "");
    }
    let entry = json!({"type": "command", "command": "symposium hook cursor pre-tool-use"});
    let settings = json!({"hooks": {"PreToolUse": [{"hooks": [entry]}]}}).to_string();
    for place in ["evil/.claude/settings.json", "evil/settings.json", "evil/.cursor/hooks.json"] {
        context.write(place, &settings);
    }
}

/// An agent hands its own environment to hooks, and a project has ways to add to that.
#[test]
fn no_variable_changes_which_configuration_counts() {
    let context = registered();
    plant_homes(&context);
    let inside = |place: &str| context.workspace().join(place).display().to_string();
    let through_proc = |place: &str| format!("/proc/self/cwd/{place}");
    let mut cases = Vec::new();
    for place in [inside("evil"), through_proc("evil")] {
        for name in [
            "SYMPOSIUM_HOME",
            "HOME",
            "CARGO_HOME",
            "RUSTUP_HOME",
            "CLAUDE_CONFIG_DIR",
            "CODEX_HOME",
            "COPILOT_HOME",
            "CLAUDE_PROJECT_DIR",
            "TMPDIR",
            "XDG_CACHE_HOME",
            "XDG_DATA_HOME",
            "XDG_STATE_HOME",
        ] {
            cases.push((name, place.clone()));
        }
    }
    for place in [inside("xdg"), through_proc("xdg")] {
        cases.push(("XDG_CONFIG_HOME", place.clone()));
        cases.push(("XDG_CACHE_HOME", place));
    }
    for (name, value) in [
        ("CLAUDE_PROJECT_DIR", "/"),
        ("CLAUDE_PROJECT_DIR", "/nowhere"),
        ("SYMPOSIUM_AGENT", "gemini"),
        ("SYMPOSIUM_EVENT", "Stop"),
        ("SYMPOSIUM_WORKSPACE", "/"),
        ("SYMPOSIUM_OFFLINE", "1"),
        ("HOME", ""),
        ("HOME", "/"),
    ] {
        cases.push((name, value.to_owned()));
    }
    for (name, value) in cases {
        for warm in [false, true] {
            if !warm {
                forget_plans(&context);
            }
            let with = call(&context, &[(name, &value)]);
            assert!(is_denied(&with), "{name}={value}, warm {warm}: {with:?}");
            let after = call(&context, &[]);
            assert!(is_denied(&after), "after {name}={value}, warm {warm}: {after:?}");
        }
        assert!(!context.workspace().join("pwned").exists(), "{name}={value} ran what the project brings");
    }
}

/// `~` in the user's configuration leads to the user's home, whatever `HOME` says where an agent runs.
#[test]
fn a_source_in_the_home_stays_there_whatever_the_variable_says() {
    for unusual in [false, true] {
        let mut context = with_policy();
        let home = context.root().join("home");
        let ours = if unusual { context.root().join("elsewhere/.symposium") } else { context.config_dir().to_owned() };
        let plugins = context.config_dir().join("plugins/policy");
        std::fs::create_dir_all(home.join("team")).unwrap();
        std::fs::rename(plugins, home.join("team/policy")).unwrap();
        std::fs::create_dir_all(&ours).unwrap();
        std::fs::write(ours.join("config.toml"), "[[plugin-source]]\nname = \"team\"\npath = \"~/team\"\n").unwrap();
        context.set("SYMPOSIUM_HOME", if unusual { ours.to_str().unwrap() } else { "" });
        let hook =
            "name = \"policy\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"touch ../../pwned\"\n";
        context.write("evil/team/policy/symposium.toml", hook);
        context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
        for evil in [context.workspace().join("evil").display().to_string(), "/proc/self/cwd/evil".to_owned()] {
            let _ = std::fs::remove_dir_all(ours.join("cache/plans"));
            for variables in [&[("HOME", evil.as_str())][..], &[]] {
                let output = call(&context, variables);
                assert!(is_denied(&output), "unusual {unusual}, {variables:?}: {output:?}");
                assert!(!context.workspace().join("pwned").exists(), "unusual {unusual}, {variables:?}");
            }
        }
    }
}

/// A call in a project's settings cannot name the user's directories: there the variables count, as far as they do not
/// lead into the project.
#[test]
fn a_home_in_the_project_is_no_home() {
    let context = registered();
    plant_homes(&context);
    let program = env!("CARGO_BIN_EXE_symposium");
    let line = format!("'{program}' hook claude pre-tool-use --project");
    let settings = context.root().join("home/.claude/settings.json");
    // The user's own registration would make this call one too many.
    std::fs::write(settings, "{}").unwrap();
    let inside = |place: &str| context.workspace().join(place).display().to_string();
    for (name, value) in [
        ("SYMPOSIUM_HOME", inside("evil")),
        ("SYMPOSIUM_HOME", "/proc/self/cwd/evil".to_owned()),
        ("XDG_CONFIG_HOME", inside("xdg")),
        ("XDG_CONFIG_HOME", "/proc/self/cwd/xdg".to_owned()),
        ("XDG_CACHE_HOME", inside("xdg")),
        ("HOME", inside("evil")),
        ("HOME", "/proc/self/cwd/evil".to_owned()),
    ] {
        forget_plans(&context);
        let with = shell_with(&context, &line, &forced_push(&context), &[(name, &value)]);
        assert!(!context.workspace().join("pwned").exists(), "{name}={value} ran what the project brings: {with:?}");
        // Without a home nothing is known of the user.
        assert!(is_denied(&with) || name == "HOME", "{name}={value}: {with:?}");
        assert!(is_denied(&shell_with(&context, &line, &forced_push(&context), &[])), "after {name}={value}");
    }
}

/// Another configuration that shares the cache has plans of its own.
#[test]
fn a_plan_holds_for_the_configuration_it_was_compiled_from() {
    let context = registered();
    let other = context.root().join("other");
    std::fs::create_dir_all(other.join("symposium")).unwrap();
    let program = env!("CARGO_BIN_EXE_symposium");
    let line = format!("'{program}' hook claude pre-tool-use");
    let other = other.display().to_string();
    for _ in 0..2 {
        forget_plans(&context);
        let with = shell_with(&context, &line, &forced_push(&context), &[("XDG_CONFIG_HOME", &other)]);
        assert_eq!((with.code, with.stdout.as_str()), (0, ""), "there is no policy in that configuration");
        assert!(is_denied(&call(&context, &[])));
        let with = shell_with(&context, &line, &forced_push(&context), &[("XDG_CONFIG_HOME", &other)]);
        assert_eq!((with.code, with.stdout.as_str()), (0, ""), "nor is there one now");
    }
}

#[test]
fn no_variable_silences_a_policy() {
    let context = registered();
    for (name, value, word) in [
        ("SYMPOSIUM_HOOKS", "off", "SYMPOSIUM_HOOKS"),
        ("SYMPOSIUM_HOOKS", "OFF", "SYMPOSIUM_HOOKS"),
        ("SYMPOSIUM_DEPTH", "8", "SYMPOSIUM_DEPTH"),
        ("SYMPOSIUM_DEPTH", "4294967295", "SYMPOSIUM_DEPTH"),
        ("SYMPOSIUM_DEPTH", "99999999999999999999", ""),
        ("SYMPOSIUM_HOOK_PROBE", "1", ""),
    ] {
        forget_plans(&context);
        for warm in [false, true] {
            let output = call(&context, &[(name, value)]);
            assert!(is_denied(&output), "{name}={value}, warm {warm}: {output:?}");
            let line = last_line(&context);
            assert!(line["notes"].to_string().contains(word), "{name}={value}: {line}");
        }
    }
    // What is not the user's policy is silent then.
    context.write_config(
        "plugins/policy/symposium.toml",
        POLICY.replace("order = \"policy\"\n", "").replace("name = \"policy\"", "name = \"other\""),
    );
    assert!(is_denied(&call(&context, &[])));
    for (name, value) in [("SYMPOSIUM_HOOKS", "off"), ("SYMPOSIUM_DEPTH", "8")] {
        let output = call(&context, &[(name, value)]);
        assert_eq!((output.code, output.stdout.as_str()), (0, ""), "{name}={value}");
        let line = last_line(&context);
        assert!(line["notes"].to_string().contains(name), "it is in the log: {line}");
    }
}

/// A policy that calls us itself must end, though nothing silences it.
#[test]
fn a_policy_inside_a_policy_ends() {
    let context = registered();
    let program = env!("CARGO_BIN_EXE_symposium");
    let home = context.config_dir().display();
    let script = format!("#!/bin/sh\nexec '{program}' hook symposium pre-tool-use --home '{home}'\n");
    crate::hook::executable(&context, "plugins/policy/check.sh", &script);
    let start = Instant::now();
    let output = call(&context, &[]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let text = std::fs::read_to_string(context.config_dir().join("logs/hooks.jsonl")).unwrap();
    assert!(text.contains("SYMPOSIUM_DEPTH"), "{text}");
    assert!(text.lines().count() < 30, "{} nested calls", text.lines().count());
}

/// Registrations of one person name our directories; those that are committed do not.
#[test]
fn registrations_of_a_person_name_the_home() {
    let context = with_policy();
    let agents = AgentId::names();
    let words = agents.iter().flat_map(|agent| ["--agent", agent]);
    let words: Vec<&str> = ["init", "--user", "--yes"].into_iter().chain(words).collect();
    context.invoke(&words).expect(0);
    let home = context.root().join("home");
    let named = files_naming(&home, "symposium");
    let with_hooks = AgentId::ALL.into_iter().filter(|agent| !symposium_agents::spec(*agent).hooks.is_empty());
    assert!(named.len() >= with_hooks.count(), "{named:?}");
    for file in &named {
        let text = std::fs::read_to_string(file).unwrap();
        for line in text.lines().filter(|line| line.contains(" hook ") && line.contains("exec ")) {
            assert!(line.contains("--home"), "{}: {line}", file.display());
        }
        assert!(text.contains("--home"), "{}:\n{text}", file.display());
    }
    context.invoke(&["doctor"]).expect(0);
    // An entry of an older version is brought up to date in its place, and taken away as if it were ours.
    let settings = home.join(".claude/settings.json");
    let text = std::fs::read_to_string(&settings).unwrap();
    let option = format!(" --home '{}'", context.config_dir().display());
    assert!(text.contains(&option), "{text}");
    std::fs::write(&settings, text.replace(&option, "")).unwrap();
    let old = context.invoke(&["doctor"]);
    assert!(old.stdout.contains("Claude") && old.code != 0, "{old:?}");
    context.invoke(&["sync"]).expect(0);
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), text);
    std::fs::write(&settings, text.replace(&option, "")).unwrap();
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert!(!settings.exists() || !std::fs::read_to_string(&settings).unwrap().contains("symposium"));
}

fn files_naming(directory: &Path, word: &str) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap().flatten() {
        let path = entry.path();
        if path.ends_with(".symposium") {
            continue;
        }
        if path.is_dir() {
            found.extend(files_naming(&path, word));
        } else if std::fs::read_to_string(&path).is_ok_and(|text| text.contains(word) && text.contains("hook")) {
            found.push(path);
        }
    }
    found
}

/// What an agent runs itself is not run twice. Which settings are the agent's is not for a variable to say that a project
/// may have set.
#[test]
fn no_variable_makes_an_imported_policy_leave_the_word_to_a_project() {
    let context = with_policy();
    std::fs::remove_dir_all(context.config_dir().join("plugins/policy")).unwrap();
    let command = "case \"$(cat)\" in *'push --force'*) echo NO-FORCE >&2; exit 2 ;; esac";
    let entry = json!({"matcher": "Bash", "hooks": [{"type": "command", "command": command}]});
    let settings = json!({"hooks": {"PreToolUse": [entry]}}).to_string();
    let own = context.root().join("home/.claude/settings.json");
    std::fs::create_dir_all(own.parent().unwrap()).unwrap();
    std::fs::write(&own, &settings).unwrap();
    context.invoke(&["import", "--from", "claude", "--yes"]).expect(0);
    std::fs::write(&own, "{}").unwrap();
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    assert!(is_denied(&call(&context, &[])), "it is the only one left");
    context.write("evil/settings.json", &settings);
    context.write("evil/.claude/settings.json", &settings);
    let inside = context.workspace().join("evil").display().to_string();
    for evil in [inside.as_str(), "/proc/self/cwd/evil"] {
        for name in ["CLAUDE_CONFIG_DIR", "HOME"] {
            forget_plans(&context);
            assert!(is_denied(&call(&context, &[(name, evil)])), "{name}={evil}");
            assert!(is_denied(&call(&context, &[])), "after {name}={evil}");
        }
    }
    // Elsewhere the variable counts, and for as long as it is set.
    let elsewhere = context.root().join("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    std::fs::write(elsewhere.join("settings.json"), &settings).unwrap();
    let elsewhere = elsewhere.display().to_string();
    assert!(!is_denied(&call(&context, &[("CLAUDE_CONFIG_DIR", &elsewhere)])), "Claude Code runs it itself");
    assert!(is_denied(&call(&context, &[])), "and not here");
}
