//! `symposium doctor`.

use std::os::unix::fs::PermissionsExt;

use serde_json::Value;
use symposium_testkit::TestContext;

use crate::with_fixture;

/// A machine with stub programs for these agents, which say a version, and nothing else on PATH.
fn machine(agents: &[&str]) -> TestContext {
    let mut context = with_fixture(&["workspace0"]);
    let bin = context.root().join("bin");
    std::fs::create_dir(&bin).unwrap();
    for agent in agents {
        let program = bin.join(agent);
        std::fs::write(&program, "#!/bin/sh\necho '9.9.9 (stub)'\n").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:/usr/bin:/bin", bin.display());
    context.set("PATH", &path);
    context
}

/// The findings about an agent as `severity: message | fix`.
fn findings(context: &TestContext, agent: &str) -> (Value, Vec<String>) {
    let output = context.invoke(&["doctor", "--agent", agent, "--json"]);
    let document: Value = serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    let row = document["agents"][0].clone();
    let lines = row["findings"].as_array().unwrap().iter().map(|found| {
        let text = |key: &str| found[key].as_str().unwrap().to_owned();
        format!("{}: {} | {}", text("severity"), text("message"), text("fix"))
    });
    (row.clone(), lines.collect())
}

#[track_caller]
fn finds(context: &TestContext, agent: &str, words: &str, fix: &str) {
    let (_, lines) = findings(context, agent);
    assert!(lines.iter().any(|line| line.contains(words) && line.contains(fix)), "{words} | {fix} in {lines:#?}");
}

fn edit(context: &TestContext, path: &str, change: impl FnOnce(String) -> String) {
    let path = context.root().join("home").join(path);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, change(text)).unwrap();
}

#[test]
fn an_agent_that_is_set_up_is_installed_and_answered() {
    let context = machine(&["goose"]);
    context.invoke(&["init", "--yes", "--agent", "goose"]).expect(0);
    let (row, lines) = findings(&context, "goose");
    assert_eq!((row["installed"].clone(), row["version"].clone()), (true.into(), "9.9.9".into()));
    assert!(row["answered_in_ms"].as_f64().unwrap() > 0.0);
    assert_eq!(lines, Vec::<String>::new());
    let output = context.invoke(&["doctor"]);
    assert_eq!(output.code, 0);
    assert!(output.stdout.starts_with("Goose: installed, 9.9.9\n"), "{}", output.stdout);
}

#[test]
fn instruction_files_are_shown() {
    let context = machine(&["claude"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.write("CLAUDE.md", "# ours\n");
    let (row, _) = findings(&context, "claude");
    assert_eq!(row["instructions"], serde_json::json!(["$WORKSPACE/CLAUDE.md"]));
}

#[test]
fn instructions_that_another_file_hides_are_named() {
    let context = machine(&["claude", "opencode"]);
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "opencode"]).expect(0);
    let shown = |agent: &str| findings(&context, agent).0["instructions"].clone();
    let hidden = |agent: &str| findings(&context, agent).1.iter().any(|line| line.contains("does not read"));
    let (claude, agents) = ("$WORKSPACE/CLAUDE.md", "$WORKSPACE/AGENTS.md");
    context.write("AGENTS.md", "# all\n");
    assert!(!hidden("claude") && !hidden("opencode"));
    assert_eq!(shown("claude"), serde_json::json!([agents]));
    context.write("CLAUDE.md", "# ours\n");
    finds(&context, "claude", &format!("does not read {agents}, because {claude} exists"), "add `@AGENTS.md` to");
    assert_eq!(shown("claude"), serde_json::json!([claude]));
    finds(&context, "opencode", &format!("does not read {claude}, because {agents} exists"), "in that file");
    assert_eq!(shown("opencode"), serde_json::json!([agents]));
    // Either may be part of the other, or be it.
    context.write("CLAUDE.md", "See @./AGENTS.md first.\n");
    assert!(!hidden("claude"));
    assert_eq!(shown("claude"), serde_json::json!([claude, agents]));
    std::fs::remove_file(context.workspace().join("CLAUDE.md")).unwrap();
    std::os::unix::fs::symlink("AGENTS.md", context.workspace().join("CLAUDE.md")).unwrap();
    assert!(!hidden("claude") && !hidden("opencode"));
}

/// A program of this name, on the PATH of the terminal alone.
fn put_program(context: &TestContext, name: &str) {
    let program = context.root().join("bin").join(name);
    std::fs::write(&program, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn programs_that_only_a_terminal_finds() {
    let context = machine(&["claude"]);
    let hook = |name: &str, command: &str, more: &str| {
        format!("[[hooks]]\nname = \"{name}\"\nevent = \"PreToolUse\"\ncommand = \"{command}\"\n{more}")
    };
    let manifest = [
        "name = \"p\"\n".to_owned(),
        hook("far", "my-tool --check", ""),
        hook("piped", "A=1 my-tool < x | cat", ""),
        hook("near", "cat", ""),
        hook("inside", "./own.sh", ""),
        hook("builtin", "cd x && make", ""),
        hook("gone", "no-such-program", ""),
        hook("elsewhere", "codex-tool", "agent = \"codex\"\n"),
        "[[mcp_servers]]\nname = \"srv\"\ncommand = \"my-server\"\n".to_owned(),
    ];
    context.write_config("plugins/p/SYMPOSIUM.toml", manifest.concat());
    context.write_config("plugins/p/own.sh", "#!/bin/sh\n");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    for program in ["my-tool", "my-server", "codex-tool"] {
        put_program(&context, program);
    }
    let told = |context: &TestContext| -> Vec<String> {
        let lines = findings(context, "claude").1;
        lines.into_iter().filter(|line| line.contains("desktop") || line.contains("not on PATH |")).collect()
    };
    let missing = "warning: Hook `p/gone` calls `no-such-program`, which is not on PATH | \
                   install it in a directory on PATH, or switch off the plugin that calls it";
    let desktop = "warning: Claude Code started from a desktop searches for programs only in /usr/bin, /bin, and does not find \
                   `my-server` (MCP server `srv`), `my-tool` (hook `p/far`, hook `p/piped`) | \
                   start it from a terminal, or set a PATH that contains them";
    if cfg!(target_os = "linux") {
        assert_eq!(told(&context), [missing, desktop]);
    }
    // A project's registration calls us by name.
    context.invoke(&["init", "--yes", "--project", "--agent", "claude"]).expect(0);
    finds(&context, "claude", "The project's registration calls `symposium`, which is not on PATH", "install it");
    put_program(&context, "symposium");
    finds(&context, "claude", "`symposium` (the project's registration)", "`symposium init --user --agent claude`");
    assert_eq!(context.invoke(&["doctor"]).code, 0, "none of it is an error");
    context.invoke(&["off", "--yes", "p"]).expect(0);
    assert!(
        !told(&context).iter().any(|line| line.contains("my-") || line.contains("no-such")),
        "what is off calls nothing"
    );
}

#[test]
fn settings_that_an_agent_ignores_are_named_when_they_are_written_to() {
    let context = machine(&["claude", "gemini"]);
    let settings = context.root().join("home/.claude/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    std::fs::write(&settings, "{\n  // mine\n  \"model\": \"x\"\n}\n").unwrap();
    let gemini = context.root().join("home/.gemini/settings.json");
    std::fs::create_dir_all(gemini.parent().unwrap()).unwrap();
    std::fs::write(&gemini, "{\n  // fine there\n}\n").unwrap();
    let ignored = "Claude Code silently ignores the whole file $ROOT/home/.claude/settings.json because of a comment in \
                   line 2, so entries of Symposium have no effect there: remove the comment";
    let agents = ["init", "--yes", "--agent", "claude", "--agent", "gemini"];
    for args in [&agents[..], &["sync"], &["sync", "--check"]] {
        let output = context.invoke(args);
        assert_eq!((output.code, output.stderr.matches("ignores the whole").count()), (0, 1), "{args:?} {output:?}");
        assert!(output.stderr.contains(ignored), "{args:?} {output:?}");
    }
    let document: Value = serde_json::from_str(&context.invoke(&["sync", "--json"]).stdout).unwrap();
    assert_eq!(document["warnings"], serde_json::json!([ignored]));
    edit(&context, ".claude/settings.json", |text| text.replace("  // mine\n", ""));
    assert!(!context.invoke(&["sync"]).stderr.contains("ignores"));
}

#[test]
fn comments_in_claudes_settings() {
    let context = machine(&["claude"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    edit(&context, ".claude/settings.json", |text| text.replacen('{', "{\n// mine\n", 1));
    finds(&context, "claude", "ignores the whole file", "remove the comment");
    assert_eq!(context.invoke(&["doctor", "--agent", "claude"]).code, 1);
}

#[test]
fn a_missing_program_and_a_missing_registration() {
    let context = machine(&[]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    finds(&context, "claude", "Claude Code was not found: `claude` is not on PATH", "install it");
    std::fs::remove_file(context.root().join("home/.claude/settings.json")).unwrap();
    finds(&context, "claude", "Not registered: $ROOT/home/.claude/settings.json does not exist", "symposium sync");
    finds(&context, "codex", "Codex CLI is not configured", "symposium init --agent codex");
}

/// Goose and Kiro read one file of that name, and prefer the project's.
#[test]
fn a_file_of_a_clone_that_hides_the_persons_registration_is_named() {
    let context = machine(&[]);
    context.invoke(&["init", "--yes", "--agent", "goose", "--agent", "kiro"]).expect(0);
    let hides = |agent: &str| findings(&context, agent).1.iter().any(|line| line.contains("instead of your own"));
    assert!(!hides("goose") && !hides("kiro"));
    context.write(".agents/plugins/symposium/hooks/hooks.json", "{\"hooks\": {}}");
    context.write(".kiro/agents/symposium.json", "{\"name\": \"symposium\"}");
    finds(&context, "goose", "instead of your user registration", "remove it");
    finds(&context, "kiro", "instead of your user registration", "remove it");
}

#[test]
fn only_a_configured_agent_can_be_left_out_of_the_configuration() {
    let context = machine(&[]);
    let about_program = || -> Vec<String> {
        findings(&context, "claude").1.into_iter().filter(|line| line.contains("`claude` is not on PATH |")).collect()
    };
    let gone = "warning: Claude Code was not found: `claude` is not on PATH | install it";
    let used = "warning: Claude Code seems to be in use, because $ROOT/home/.claude exists, but `claude` is not on PATH | \
                add its directory to PATH";
    let out = ", or remove it from `[agent] name`";
    assert_eq!(about_program(), [gone]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    assert_eq!(about_program(), [format!("{gone}{out}")]);
    std::fs::create_dir(context.root().join("home/.claude/projects")).unwrap();
    assert_eq!(about_program(), [format!("{used}{out} if you no longer use it")]);
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(about_program(), [used]);
    // Everybody's agent in this project is left out there.
    context.invoke(&["init", "--project", "--yes", "--agent", "claude"]).expect(0);
    assert_eq!(about_program(), [format!("{used}{out} if you no longer use it")]);
}

#[test]
fn a_program_a_directory_and_nothing_are_told_apart() {
    let context = machine(&["goose"]);
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "goose"]).expect(0);
    let check = |found: &str, installed: bool, line: &str, agent: &str| {
        let (row, _) = findings(&context, agent);
        assert_eq!((row["found"].clone(), row["installed"].clone()), (found.into(), installed.into()), "{agent}");
        let shown = context.invoke(&["doctor", "--agent", agent]).stdout;
        assert_eq!(shown.lines().next(), Some(line));
    };
    check("program", true, "Goose: installed, 9.9.9", "goose");
    // `~/.claude` is there, but all that is in it is ours.
    check("nothing", false, "Claude Code: not found", "claude");
    std::fs::create_dir(context.root().join("home/.claude/projects")).unwrap();
    check("directory", false, "Claude Code: used (directory only, program not found on PATH)", "claude");
    finds(
        &context,
        "claude",
        "seems to be in use, because $ROOT/home/.claude exists, but `claude` is not on PATH",
        "add its directory to PATH",
    );
}

#[test]
fn a_variable_that_makes_an_agent_look_elsewhere() {
    for (agent, variable, usual) in [
        ("claude", "CLAUDE_CONFIG_DIR", "home/.claude"),
        ("codex", "CODEX_HOME", "home/.codex"),
        ("copilot", "COPILOT_HOME", "home/.copilot"),
        ("gemini", "GEMINI_CLI_HOME", "home"),
    ] {
        let mut context = machine(&[agent]);
        context.invoke(&["init", "--yes", "--agent", agent]).expect(0);
        let told = |context: &TestContext| findings(context, agent).1.iter().any(|line| line.contains(variable));
        let usual = context.root().join(usual).display().to_string();
        context.set(variable, &usual);
        assert!(!told(&context), "{agent}: the usual place");
        let other = context.root().join("other").display().to_string();
        context.set(variable, &other);
        assert!(told(&context), "{agent}");
        finds(&context, agent, "$ROOT/other", "init --project --agent");
    }
}

#[test]
fn a_stale_path() {
    let context = machine(&["claude"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let program = env!("CARGO_BIN_EXE_symposium");
    edit(&context, ".claude/settings.json", |text| text.replace(program, "/gone/symposium"));
    finds(&context, "claude", "calls `/gone/symposium`, which does not exist", "symposium sync");
    finds(&context, "claude", "missing or outdated", "symposium sync");
    context.invoke(&["sync"]).expect(0);
    assert!(!findings(&context, "claude").1.iter().any(|line| line.starts_with("error")));
}

/// What Codex records when the person trusts the handlers in its file, for these events: key and hash.
fn codex_record(context: &TestContext, events: &[(&str, &str)], change: impl Fn(String) -> String) -> String {
    let path = context.root().join("home/.codex/hooks.json");
    let hooks: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let record = events.iter().map(|(event, label)| {
        let command = hooks["hooks"][event][0]["hooks"][0]["command"].as_str().unwrap().to_owned();
        let handler = serde_json::json!({"async": false, "command": change(command), "timeout": 60, "type": "command"});
        let hashed = serde_json::json!({"event_name": label, "hooks": [handler]}).to_string();
        let hash = symposium_model::sync::fingerprint(hashed.as_bytes());
        format!("[hooks.state.\"{}:{label}:0:0\"]\ntrusted_hash = \"sha256:{}\"\n", path.display(), hash.as_str())
    });
    record.collect()
}

const CODEX_EVENTS: [(&str, &str); 4] = [
    ("SessionStart", "session_start"),
    ("UserPromptSubmit", "user_prompt_submit"),
    ("PreToolUse", "pre_tool_use"),
    ("PostToolUse", "post_tool_use"),
];

#[test]
fn codex_trust_is_told_handler_by_handler() {
    let context = machine(&["codex"]);
    context.invoke(&["init", "--yes", "--agent", "codex"]).expect(0);
    let config = context.root().join("home/.codex/config.toml");
    let before = std::fs::read_to_string(&config).unwrap();
    let as_it_is = |command: String| command;
    let record = |text: String| std::fs::write(&config, format!("{before}\n{text}")).unwrap();

    finds(
        &context,
        "codex",
        "hooks.json yet: PostToolUse, PreToolUse, SessionStart, UserPromptSubmit",
        "start it once",
    );
    record(codex_record(&context, &CODEX_EVENTS[..3], as_it_is));
    finds(&context, "codex", "does not trust the hooks in", "start it once");
    finds(&context, "codex", "hooks.json yet: PostToolUse |", "start it once");
    record(codex_record(&context, &CODEX_EVENTS, as_it_is));
    assert_eq!(findings(&context, "codex").1, Vec::<String>::new());

    let older = codex_record(&context, &CODEX_EVENTS[..1], |command| command.replace("exec", "run"));
    record(older + &codex_record(&context, &CODEX_EVENTS[1..], as_it_is));
    finds(&context, "codex", "an earlier version of the hooks in", "start it once");
    finds(&context, "codex", "hooks.json: SessionStart |", "start it once");

    record(codex_record(&context, &CODEX_EVENTS, as_it_is) + "enabled = false\n");
    finds(
        &context,
        "codex",
        "is configured not to run the hooks in",
        "remove `enabled = false` from their entries in .codex/config.toml",
    );
    finds(&context, "codex", "hooks.json: PostToolUse |", "`enabled = false`");
}

#[test]
fn a_project_that_codex_was_told_not_to_trust() {
    let context = machine(&["codex"]);
    context.invoke(&["init", "--yes", "--project", "--agent", "codex"]).expect(0);
    let distrusted = format!("[projects.\"{}\"]\ntrust_level = \"untrusted\"\n", context.workspace().display());
    std::fs::create_dir_all(context.root().join("home/.codex")).unwrap();
    std::fs::write(context.root().join("home/.codex/config.toml"), distrusted).unwrap();
    finds(&context, "codex", "is configured not to trust", "trust_level");
}

#[test]
fn an_agent_that_is_not_there_has_nothing_to_trust() {
    let context = machine(&[]);
    context.invoke(&["init", "--yes", "--agent", "gemini"]).expect(0);
    let (_, lines) = findings(&context, "gemini");
    assert!(lines.iter().any(|line| line.contains("was not found")), "{lines:#?}");
    assert!(!lines.iter().any(|line| line.contains("does not trust")), "{lines:#?}");
}

#[test]
fn an_untrusted_folder() {
    let context = machine(&["gemini"]);
    context.invoke(&["init", "--yes", "--agent", "gemini"]).expect(0);
    finds(&context, "gemini", "does not trust", "start it there once");
    let trusted = format!("{{\"{}\": \"TRUST_FOLDER\"}}", context.workspace().display());
    std::fs::write(context.root().join("home/.gemini/trustedFolders.json"), trusted).unwrap();
    assert!(!findings(&context, "gemini").1.iter().any(|line| line.contains("trust")));
}

#[test]
fn rtks_own_hook_and_a_duplicate_of_ours() {
    let context = machine(&["claude"]);
    let settings = context.root().join("home/.claude/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    let rtk = "{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"rtk hook claude\"}]}]}}";
    std::fs::write(&settings, rtk).unwrap();
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    finds(&context, "claude", "rtk has its own hook", "keep one of the two");
    edit(&context, ".claude/settings.json", |text| {
        let copy = "{\"hooks\": [{\"type\": \"command\", \"command\": \"symposium hook claude pre-tool-use\"}]}";
        text.replacen("\"PreToolUse\": [", &format!("\"PreToolUse\": [{copy}, "), 1)
    });
    finds(&context, "claude", "PreToolUse is registered 2 times", "symposium sync");
    context.invoke(&["sync"]).expect(0);
    assert!(!findings(&context, "claude").1.iter().any(|line| line.contains("times")));
    edit(&context, ".claude/settings.json", |text| {
        let copy = "{\"type\": \"command\", \"command\": \"symposium hook claude stop\"}";
        text.replacen("\"hooks\": {", &format!("\"hooks\": {{\"Stop\": [{{\"hooks\": [{copy}, {copy}]}}],"), 1)
    });
    finds(&context, "claude", "Stop is registered 2 times", "symposium sync");
}

#[test]
fn a_project_registration_from_a_subdirectory_without_the_program_on_path() {
    let context = machine(&["claude"]);
    context.invoke(&["init", "--yes", "--project", "--agent", "claude"]).expect(0);
    finds(&context, "claude", "calls `symposium`, which is not on PATH", "install it");
    let output = context.invoke_in(&context.workspace().join("src"), &["doctor", "--agent", "claude"]);
    assert!(output.stdout.contains("only if you start it in the workspace root"), "{}", output.stdout);
}

#[test]
fn comments_hide_neither_duplicates_nor_stale_paths_nor_trust() {
    let context = machine(&["gemini"]);
    context.invoke(&["init", "--yes", "--agent", "gemini"]).expect(0);
    edit(&context, ".gemini/settings.json", |text| {
        let copy = "{\"hooks\": [{\"type\": \"command\", \"command\": \"/gone/symposium hook gemini pre-tool-use\"}]}";
        let text = text.replacen("\"BeforeTool\": [", &format!("\"BeforeTool\": [/* mine */ {copy}, "), 1);
        format!("// my settings\n{text}")
    });
    finds(&context, "gemini", "BeforeTool is registered 2 times", "symposium sync");
    finds(&context, "gemini", "calls `/gone/symposium`, which does not exist", "symposium sync");
    let trusted = format!("{{ /* mine */ \"{}\": \"TRUST_FOLDER\" }}", context.workspace().display());
    std::fs::write(context.root().join("home/.gemini/trustedFolders.json"), trusted).unwrap();
    assert!(!findings(&context, "gemini").1.iter().any(|line| line.contains("trust")));
}

/// A machine with an OpenCode that notes its start and then does this.
fn with_opencode(then: &str) -> TestContext {
    let context = machine(&["opencode"]);
    context.invoke(&["init", "--yes", "--agent", "opencode"]).expect(0);
    let log = context.root().join("started");
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && exec echo 9.9.9\n\
         echo \"$* $HOME $XDG_CONFIG_HOME $OPENCODE_DISABLE_PROJECT_CONFIG $npm_config_userconfig\" > '{}'\n\
         cat \"$HOME\"/.config/opencode/plugins/*.js >> '{0}'\n{then}\n",
        log.display()
    );
    std::fs::write(context.root().join("bin/opencode"), script).unwrap();
    context
}

fn started(context: &TestContext) -> Option<String> {
    let log = context.root().join("started");
    let text = std::fs::read_to_string(&log).ok();
    let _ = std::fs::remove_file(log);
    text
}

const WAITS: &str = "loads no plugin before npm has installed `@opencode-ai/plugin` in $ROOT/home/.config/opencode:";

#[test]
fn opencodes_wait_is_told_from_its_directories() {
    let mut context = with_opencode("exit 0");
    let waits = |context: &TestContext, args: &[&str]| {
        let output = context.invoke(args);
        assert_eq!(output.code, 0, "{}", output.stdout);
        output.stdout.contains(WAITS) && output.stdout.contains("npm_config_fetch_retries=0")
    };
    assert!(waits(&context, &["doctor"]));
    assert!(waits(&context, &["doctor", "--agent", "opencode", "--offline"]));
    assert_eq!(started(&context), None, "only `--agent opencode` starts it");

    context.set("npm_config_fetch_retries", "0");
    assert!(!waits(&context, &["doctor"]));
    context.set("npm_config_fetch_retries", "2");
    assert!(waits(&context, &["doctor"]));

    let directory = context.root().join("home/.config/opencode");
    std::fs::create_dir(directory.join("node_modules")).unwrap();
    assert!(waits(&context, &["doctor"]));
    let lock = "{\"packages\": {\"\": {\"dependencies\": {\"@opencode-ai/plugin\": \"1.0.0\"}}}}";
    std::fs::write(directory.join("package-lock.json"), lock).unwrap();
    assert!(!waits(&context, &["doctor", "--agent", "opencode"]));
    assert_eq!(started(&context), None, "there is nothing to measure");
    std::fs::create_dir(context.root().join("home/.opencode")).unwrap();
    let output = context.invoke(&["doctor"]).stdout;
    assert!(output.contains("`@opencode-ai/plugin` in $ROOT/home/.opencode:"), "{output}");

    context.write_config("config.toml", "[agent]\nname = \"opencode\"\n[agents.opencode]\nhooks = false\n");
    assert!(!context.invoke(&["doctor"]).stdout.contains("npm"));
}

#[test]
fn opencodes_wait_is_measured_in_an_empty_home() {
    let context = with_opencode("sleep 0.2; echo symposium-probe-loaded");
    std::fs::write(context.root().join("home/.npmrc"), "").unwrap();
    let before = std::fs::read_dir(context.root().join("home/.config/opencode")).unwrap().count();
    let (row, lines) = findings(&context, "opencode");
    assert!(row["plugin_loaded_in_ms"].as_f64().unwrap() >= 200.0);
    assert_eq!(lines, Vec::<String>::new());
    let log = started(&context).unwrap();
    let first: Vec<&str> = log.lines().next().unwrap().split(' ').collect();
    let [debug, info, home, config, no_project, npm] = first[..] else { panic!("{log}") };
    assert_eq!((debug, info, no_project), ("debug", "info", "1"));
    assert_eq!(config, format!("{home}/.config"));
    assert!(!home.starts_with(context.root().join("home").to_str().unwrap()), "{home}");
    assert!(!std::path::Path::new(home).exists(), "the empty home is gone again");
    assert_eq!(npm, context.root().join("home/.npmrc").to_str().unwrap());
    assert!(log.contains("symposium-probe-loaded") && log.contains("process.exit(0)"), "{log}");
    assert_eq!(std::fs::read_dir(context.root().join("home/.config/opencode")).unwrap().count(), before);
}

#[test]
fn an_opencode_that_loads_no_plugin_cannot_be_measured() {
    let context = with_opencode("echo unknown command; exit 1");
    finds(&context, "opencode", "it could not be measured", "npm_config_fetch_retries=0");
}

#[test]
fn switched_off_hooks_are_found() {
    let context = machine(&["claude", "gemini", "codex", "goose"]);
    let all = ["--agent", "claude", "--agent", "gemini", "--agent", "codex", "--agent", "goose"];
    context.invoke(&[&["init", "--yes"][..], &all].concat()).expect(0);
    let off = |agent: &str| {
        let (_, lines) = findings(&context, agent);
        lines.into_iter().filter(|line| line.contains("does not run Symposium's hooks")).collect::<Vec<_>>()
    };
    for agent in ["claude", "gemini", "codex", "goose"] {
        assert_eq!(off(agent), Vec::<String>::new(), "{agent}");
    }
    edit(&context, ".claude/settings.json", |text| text.replacen('{', "{\"disableAllHooks\": true,", 1));
    edit(&context, ".gemini/settings.json", |text| text.replacen('{', "{\"hooksConfig\": {\"enabled\": false},", 1));
    edit(&context, ".codex/config.toml", |text| format!("{text}\n[features]\nhooks = false\n"));
    let goose = context.root().join("home/.config/goose/settings.json");
    std::fs::create_dir_all(goose.parent().unwrap()).unwrap();
    std::fs::write(goose, "{\"disabledPlugins\": [\"symposium\"]}").unwrap();
    for (agent, key) in [
        ("claude", "`disableAllHooks` in ~/.claude/settings.json"),
        ("gemini", "`hooksConfig.enabled` in ~/.gemini/settings.json"),
        ("codex", "`features.hooks` in ~/.codex/config.toml"),
        ("goose", "`disabledPlugins` in ~/.config/goose/settings.json"),
    ] {
        let found = off(agent);
        assert!(found.len() == 1 && found[0].contains(key), "{agent}: {found:#?}");
    }
    // A project may do it too.
    edit(&context, ".claude/settings.json", |text| text.replacen("{\"disableAllHooks\": true,", "{", 1));
    context.write(".claude/settings.json", "{\"disableAllHooks\": true}\n");
    assert!(off("claude")[0].contains("`disableAllHooks` in .claude/settings.json"));
}
