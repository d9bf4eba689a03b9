//! `symposium init`.

use expect_test::expect;

use crate::crate_plugins::put;
use crate::{check, git, json, with_fixture};

#[test]
fn one_command_sets_up_user_and_project_and_a_second_changes_nothing() {
    let context = with_fixture(&["workspace0"]);
    check(
        context.invoke(&["init", "--yes", "--agent", "claude"]),
        expect![[r#"
            created       ~/.symposium/config.toml
            created       .symposium/config.toml
            created       ~/.claude/settings.json  for claude
            created       ~/.claude.json  for claude
            installed     .claude/skills/serde  for claude
            installed     .claude/skills/tokio  for claude
            --- stderr
            warning: agents will call `$SYMPOSIUM`, which is in a build directory; install the program in a permanent place

            2 of 2 direct dependencies have skills.

            Next
              start your agent in this directory, and ask for code that uses serde; it has the skills for your crates
              symposium status            list extensions, their sources and agents
              symposium doctor            check the setup of each agent
              symposium uninstall         remove everything that Symposium wrote
        "#]],
    );
    check(
        context.invoke(&["init", "--yes", "--agent", "claude"]),
        expect![[r#"
            Everything is up to date.
            --- stderr

            2 of 2 direct dependencies have skills.

            Next
              start your agent in this directory, and ask for code that uses serde; it has the skills for your crates
              symposium status            list extensions, their sources and agents
              symposium doctor            check the setup of each agent
              symposium uninstall         remove everything that Symposium wrote
        "#]],
    );
    assert_eq!(
        std::fs::read_to_string(context.config_dir().join("config.toml")).unwrap(),
        "[agent]\nname = \"claude\"\n"
    );
}

#[test]
fn our_own_files_are_for_the_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let context = with_fixture(&["workspace0"]);
    std::fs::remove_dir(context.config_dir()).unwrap();
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(context.config_dir()), 0o700);
    for file in ["config.toml", "ledger.json", "lock"] {
        assert_eq!(mode(&context.config_dir().join(file)), 0o600, "{file}");
    }
}

/// Whatever the umask, and from the first moment: nothing of ours may be seen by others in between.
#[test]
fn everything_of_ours_is_private_whatever_the_umask() {
    let context = with_fixture(&["workspace0"]);
    std::fs::remove_dir(context.config_dir()).unwrap();
    let through = ["sh", "-c", "umask 0; exec \"$@\"", "sh"];
    context.invoke_through(&through, &["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke_through(&through, &["crate", "serde"]).expect(0);
    context.invoke_through(&through, &["off", "serde"]).expect(0);
    let ours = context.tree(context.config_dir());
    assert!(ours.contains("ledger.json 600"), "{ours}");
    let open: Vec<&str> = ours.lines().filter(|line| !line.ends_with('/') && !line.ends_with(" 600")).collect();
    assert!(open.is_empty(), "{open:?}");
    for directory in ours.lines().filter(|line| line.ends_with('/')) {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(context.config_dir().join(directory)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "{directory}");
    }
}

#[test]
fn agents_written_as_entries_are_changed_where_they_are() {
    let context = with_fixture(&["workspace0"]);
    let before = "# mine\n[[agent]] # first\nname = \"claude\"\n\n# the other\n[[agent]]\nname = \"codex\"\n\n\
                  [logging]\nlevel = \"info\" # quiet\n";
    context.write_config("config.toml", before);
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "codex"]).expect(0);
    let config = || std::fs::read_to_string(context.config_dir().join("config.toml")).unwrap();
    assert_eq!(config(), before, "what says the same stays as it is");
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "goose", "--agent", "kiro", "--only"]).expect(0);
    expect![[r#"
        # mine
        [[agent]] # first
        name = "claude"

        # the other
        [[agent]]
        name = "goose"

        [[agent]]
        name = "kiro"

        [logging]
        level = "info" # quiet
    "#]]
    .assert_eq(&config());
    assert!(!context.root().join("home/.codex/hooks.json").exists(), "no longer chosen");
    context.invoke(&["init", "--yes", "--agent", "claude", "--only"]).expect(0);
    expect![[r#"
        # mine
        [[agent]] # first
        name = "claude"

        # the other

        [logging]
        level = "info" # quiet
    "#]]
    .assert_eq(&config());
}

#[test]
fn the_parts_can_be_had_alone() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--user", "--yes", "--agent", "codex"]).expect(0);
    assert!(context.root().join("home/.codex/hooks.json").exists());
    assert!(!context.workspace().join(".symposium").exists(), "the project is left alone");
    assert!(!context.workspace().join(".agents").exists(), "also by skills");
    let told = context.invoke(&["init", "--project", "--yes"]);
    assert!(told.stderr.contains("the project names no agents, so each user's own agents are used"), "{}", told.stderr);
    let project = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    assert!(!project.contains("[agent]"), "no override unless asked for: {project}");
    let told = context.invoke(&["init", "--project", "--yes", "--agent", "gemini"]).expect(0);
    assert_eq!(told.matches(".symposium/config.toml").count(), 1, "{told}");
    let project = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    assert!(project.contains("name = \"gemini\""), "{project}");
    assert!(context.workspace().join(".gemini/settings.json").exists());
    assert!(context.root().join("home/.codex/hooks.json").exists(), "the user's own registration stays");
}

#[test]
fn without_an_agent_and_without_a_person_it_says_what_to_pass() {
    let mut context = with_fixture(&["workspace0"]);
    context.set("PATH", "/nowhere");
    check(
        context.invoke(&["init"]),
        expect![[r#"
            --- stderr
            error: no agent was found on this machine, and there is no terminal for questions
            help: name one with `--agent`, or pass `--yes` to continue without an agent
            --- exit 2
        "#]],
    );
    check(
        context.invoke(&["init", "--dry-run"]),
        expect![[r#"
            --- stderr
            error: no agent was found on this machine, and a dry run does not ask questions
            help: name one with `--agent`, or pass `--yes` to continue without an agent
            --- exit 2
        "#]],
    );
    check(
        context.invoke(&["init", "--agent", "claud"]),
        expect![[r#"
            --- stderr
            error: invalid value 'claud' for '--agent <NAME>'
              [possible values: claude, copilot, gemini, codex, kiro, opencode, goose, cursor, qwen, kilo, cline, pi, droid, crush, antigravity, agents]

              help: a similar value exists: 'claude'

            For more information, try '--help'.
            --- exit 2
        "#]],
    );
    let output = context.invoke(&["init", "--yes"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.contains("no agent was found"), "{}", output.stderr);
    // Whoever runs `init` needs no hint to run it.
    assert!(!output.stderr.contains("`symposium init` sets up"), "{}", output.stderr);
}

#[test]
fn an_agent_that_is_used_here_is_found() {
    for (sign, title, file) in [
        (".codex", "Codex CLI", ".codex/hooks.json"),
        (".gemini/tmp", "Gemini CLI", ".gemini/settings.json"),
        (".factory", "Factory droid", ".factory/mcp.json"),
        (".config/crush", "Crush", ".config/crush/crush.json"),
        (".gemini/antigravity-cli", "Antigravity CLI", ".gemini/config/mcp_config.json"),
    ] {
        let mut context = with_fixture(&["workspace0"]);
        context.set("PATH", "/nowhere");
        std::fs::create_dir_all(context.root().join("home").join(sign)).unwrap();
        let output = context.invoke(&["init", "--yes"]);
        let found: Vec<&str> = output.stderr.lines().filter(|line| line.contains("found ")).collect();
        assert!(found.len() == 1 && found[0].contains(title) && !found[0].contains(','), "{output:?}");
        assert!(context.root().join("home").join(file).exists(), "{output:?}");
    }
}

#[test]
fn a_dry_run_writes_nothing() {
    let context = with_fixture(&["workspace0"]);
    let before = context.tree(context.root());
    let output = context.invoke(&["init", "--dry-run", "--agent", "claude"]);
    assert!(output.stdout.contains("would install"), "{output:?}");
    let after = context.tree(context.root());
    let changed: Vec<&str> = after.lines().filter(|line| !before.contains(line) && !line.contains("/logs")).collect();
    assert!(changed.is_empty(), "{changed:?}");
}

#[test]
fn json_lists_the_actions() {
    let context = with_fixture(&["workspace0"]);
    let document = json(context.invoke(&["init", "--yes", "--agent", "goose", "--json"]));
    let kinds: Vec<&str> =
        document["actions"].as_array().unwrap().iter().map(|action| action["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"write") && kinds.contains(&"install"), "{document}");
    let paths: Vec<&str> =
        document["actions"].as_array().unwrap().iter().map(|action| action["path"].as_str().unwrap()).collect();
    assert!(paths[0].ends_with("/config.toml") && paths[1].ends_with(".symposium/config.toml"), "{paths:?}");
    assert_eq!(document["actions"][2]["agent"], serde_json::json!(["goose"]));
}

#[test]
fn outside_a_workspace_only_the_user_is_set_up() {
    let context = with_fixture(&[]);
    let output = context.invoke(&["init", "--yes", "--agent", "claude"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.contains("not part of a cargo workspace"), "{}", output.stderr);
    assert!(output.stderr.contains("symposium uninstall --user  remove everything"), "{}", output.stderr);
    assert!(context.root().join("home/.claude/settings.json").exists());
    assert_eq!(context.invoke(&["init", "--project", "--yes"]).code, 3);
}

/// For `invoke_through`: a terminal, on which `keys` are pressed again and again until the program ends.
pub(crate) fn on_a_terminal(keys: &str) -> [String; 4] {
    on_a_terminal_of(0, keys)
}

/// The same on a terminal with this number of columns; 0 is a terminal that does not know its size.
///
/// The first key is pressed after a question is on the screen: it hides the cursor or shows a prompt. A Ctrl-C before that
/// would end the program as a signal, and not answer the question.
pub(crate) fn on_a_terminal_of(columns: usize, keys: &str) -> [String; 4] {
    let wait = "until [ -e $shown.ended ] || grep -qe '.?25l' -e '^> ' $shown; do sleep 0.1; done";
    let press = format!(
        "i=0; while [ $i -lt 100 ] && [ ! -e $shown.ended ]; do sleep 0.3; printf '{keys}'; i=$((i + 1)); done"
    );
    let run =
        format!("TERM=xterm script -qfec \"stty cols {columns}; $*\" $shown; code=$?; : >$shown.ended; exit $code");
    let line = format!(
        "shown=$(mktemp); ({wait}; {press}) 2>/dev/null | {{ {run}; }}; code=$?; rm -f $shown $shown.ended; exit $code"
    );
    ["sh".to_owned(), "-c".to_owned(), line, "sh".to_owned()]
}

/// Nobody is told that an agent knows what could not be written.
#[test]
fn a_failure_is_not_followed_by_a_success() {
    let context = with_fixture(&["workspace0"]);
    std::os::unix::fs::symlink(context.root(), context.workspace().join(".claude")).unwrap();
    let told = context.invoke(&["init", "--yes", "--agent", "claude"]);
    assert_eq!(told.code, 3);
    assert!(told.stderr.contains("symposium doctor") && !told.stderr.contains("it has the skills"), "{}", told.stderr);
}

/// Whether `on_a_terminal` works here.
pub(crate) fn has_script() -> bool {
    let version = std::process::Command::new("script").arg("--version").output();
    version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("util-linux"))
}

#[test]
fn a_dry_run_asks_nothing_on_a_terminal_either() {
    if !has_script() {
        return;
    }
    let context = with_fixture(&["workspace0"]);
    std::fs::create_dir_all(context.root().join("home/.codex")).unwrap();
    // Return: it would answer a question.
    let through = on_a_terminal("\\r");
    let through: Vec<&str> = through.iter().map(String::as_str).collect();
    let shown = context.invoke_through(&through, &["init", "--dry-run"]).stdout;
    assert!(
        shown.contains("found Codex CLI") && shown.contains("pass `--agent NAME --only` to select other agents"),
        "{shown}"
    );
    assert!(shown.contains("would install .agents/skills/tokio"), "{shown}");
    assert!(!shown.contains("Which agents"), "{shown}");
    let project = context.invoke_through(&through, &["init", "--project", "--dry-run"]).stdout;
    assert!(project.contains("the project names no agents") && !project.contains("does this project use"), "{project}");
}

#[test]
pub(crate) fn on_a_terminal_it_shows_what_it_would_do_and_asks() {
    if !has_script() {
        return;
    }
    let context = with_fixture(&["workspace0"]);
    let run = |keys: &str| {
        let through = on_a_terminal(keys);
        let through: Vec<&str> = through.iter().map(String::as_str).collect();
        context.invoke_through(&through, &["init", "--agent", "claude"])
    };
    let is_set_up = || context.config_dir().join("config.toml").exists();
    // Who was found is named once, before the question.
    let found = {
        let agent = context.root().join("home/.codex");
        std::fs::create_dir_all(&agent).unwrap();
        let through = on_a_terminal_of(100, "y\\r");
        let through: Vec<&str> = through.iter().map(String::as_str).collect();
        let shown = context.invoke_through(&through, &[]).stdout;
        context.invoke(&["uninstall", "--yes"]).expect(0);
        std::fs::remove_dir_all(agent).unwrap();
        shown
    };
    assert_eq!(found.matches("found Codex CLI").count(), 1, "{found}");
    assert!(found.contains("Done: created"), "{found}");
    // Control-D and Control-C.
    let left = run("\\004").stdout;
    assert!(left.contains("stopped; nothing was changed"), "{left}");
    let stopped = run("\\003").stdout;
    assert!(stopped.contains("create ~/.claude/settings.json, create ~/.claude.json, install 2 skills"), "{stopped}");
    assert!(stopped.contains("stopped; nothing was changed"), "{stopped}");
    assert!(!is_set_up());
    for choice in ["\n  y  yes\r\n", "\n  s  show every file and its text\r\n", "\nDo this?  (y, n, s or a; enter: y)"]
    {
        assert!(stopped.contains(choice), "{choice:?}: {stopped}");
    }
    assert!(
        stopped.contains("  a  also let Claude Code run `symposium start`, `crate` and `api` without\r\n"),
        "{stopped}"
    );
    // After a fetch, as after the plan: one line for each agent.
    let fetched = {
        let mut context = with_fixture(&["workspace0"]);
        let repository = context.root().join("repository");
        let skill = "---\nname: lent\ndescription: Use it.\ncrates: serde\n---\n\nx\n";
        put(&repository.join("lent/SKILL.md"), skill);
        git(&repository, &["init", "-q"]);
        git(&repository, &["add", "-A"]);
        git(&repository, &["commit", "-qm", "x"]);
        let sources = format!("[[plugin-source]]\nname = \"lending\"\ngit = \"file://{}\"\n", repository.display());
        let defaults = "[defaults]\nsymposium-recommendations = false\n";
        context.write_config("config.toml", format!("{defaults}{sources}"));
        context.set("SYMPOSIUM_OFFLINE", "0");
        let through = on_a_terminal_of(100, "\\r");
        let through: Vec<&str> = through.iter().map(String::as_str).collect();
        context.invoke_through(&through, &["init", "--agent", "claude"]).stdout
    };
    let done = "created ~/.claude/settings.json, created ~/.claude.json, installed 3 skills";
    assert!(fetched.contains("would fetch   lending") && fetched.contains(done), "{fetched}");
    // Return: the answer is yes unless one chooses otherwise.
    let done = run("\\r").stdout;
    assert!(done.contains("create ~/.symposium/config.toml, create .symposium/config.toml"), "{done}");
    assert!(done.contains("Do this?") && done.contains("Done: created 4, installed 2."), "{done}");
    assert!(is_set_up());
    let again = run("\\r").stdout;
    assert!(again.contains("Everything is up to date") && !again.contains("Do this?"), "{again}");
    let through = on_a_terminal("\\r");
    let through: Vec<&str> = through.iter().map(String::as_str).collect();
    let project = context.invoke_through(&through, &["init", "--project"]).stdout;
    assert!(project.contains("does this project use?"), "{project}");
}

#[test]
fn on_a_terminal_every_file_and_its_text_is_shown_before_the_yes() {
    if !has_script() {
        return;
    }
    let context = with_fixture(&["workspace0"]);
    let through = on_a_terminal("s\\rn\\r");
    let through: Vec<&str> = through.iter().map(String::as_str).collect();
    let shown = context.invoke_through(&through, &["init", "--agent", "claude,gemini"]).stdout;
    assert_eq!(shown.matches("    | name: tokio").count(), 1, "the text of a skill is shown once: {shown}");
    for part in [
        "would create  ~/.symposium/config.toml",
        "name = [\"claude\", \"gemini\"]",
        "hooks.SessionStart: {",
        " bytes), shown above",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!context.config_dir().join("config.toml").exists());
}

#[test]
fn on_a_terminal_the_program_alone_names_the_dependencies_and_offers_the_setup() {
    if !has_script() {
        return;
    }
    let context = with_fixture(&["workspace0"]);
    std::fs::create_dir_all(context.root().join("home/.claude")).unwrap();
    let run = |keys: &str| {
        let through = on_a_terminal(keys);
        let through: Vec<&str> = through.iter().map(String::as_str).collect();
        context.invoke_through(&through, &[]).stdout
    };
    let stopped = run("n\\r");
    assert!(stopped.contains("direct dependencies, skills for"), "{stopped}");
    assert!(stopped.contains("tokio 1.") && stopped.contains("Set up Claude Code for this project?"), "{stopped}");
    assert!(!context.config_dir().join("config.toml").exists());
    let done = run("\\r");
    assert!(done.contains("Done: created"), "{done}");
    let again = run("\\r");
    assert!(again.contains("Set up for Claude Code.") && !again.contains("Done:"), "{again}");
    // What is not set up in full is not called so.
    let config = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    std::fs::remove_dir_all(context.workspace().join(".claude/skills/tokio")).unwrap();
    let with = |lines: &str| {
        context.write(".symposium/config.toml", format!("{lines}{config}"));
        run("\\r")
    };
    for (lines, expected) in [
        ("", "Set up for Claude Code, but 1 skill is not installed yet. Run `symposium sync` to install it."),
        ("[skills\n", "`.symposium/config.toml` has an error, so its settings are unknown. Run `symposium status`"),
        ("required-version = \">=9\"\n", "This project requires Symposium >=9, but this is version"),
        (
            "[agent]\nname = \"gemini\"\n",
            "This project is set up for Gemini CLI, so Claude Code gets no skills here. Run `symposium init --project \
             --agent claude` to change that.",
        ),
    ] {
        let shown = with(lines);
        assert!(shown.contains(expected) && (lines.is_empty() || !shown.contains("Set up for")), "{lines} {shown}");
        assert!(!shown.contains("Done:"), "{shown}");
    }
    context.invoke(&["init", "--project", "--yes", "--agent", "claude"]).expect(0);
    assert!(run("\\r").contains("Set up for Gemini CLI and Claude Code. "));
    context.write("Cargo.toml", "[package\n");
    std::fs::remove_file(context.workspace().join("Cargo.lock")).unwrap();
    let broken = run("\\r");
    assert!(broken.contains("the dependencies could not be read") && !broken.contains("no dependencies"), "{broken}");
    // Without a terminal it is the short help.
    let help = context.invoke(&[]);
    assert!(help.code == 2 && help.stderr.contains("Usage: symposium"), "{help:?}");
}

/// The one question after the other, and then the plan: the answers are given as keys.
#[test]
fn on_a_terminal_the_agents_of_a_project_are_asked_for_only_with_its_flag() {
    if !has_script() {
        return;
    }
    let context = with_fixture(&["workspace0"]);
    std::fs::create_dir_all(context.root().join("home/.claude")).unwrap();
    let through = on_a_terminal("\\r");
    let through: Vec<&str> = through.iter().map(String::as_str).collect();
    let plain = context.invoke_through(&through, &["init"]).stdout;
    assert!(plain.contains("Which agents do you use?"), "{plain}");
    assert!(!plain.contains("Which agents does this project use?"), "{plain}");
    let shown = context.invoke_through(&through, &["init", "--user", "--project"]).stdout;
    let own = shown.find("Which agents do you use?").unwrap_or_else(|| panic!("{shown}"));
    assert!(shown.find("Which agents does this project use?") > Some(own), "{shown}");
    let config = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    assert!(!config.contains("[agent]"), "none is the usual answer: {config}");
}

#[test]
fn the_plan_goes_from_agent_to_agent_and_says_what_is_new() {
    let context = with_fixture(&["workspace0"]);
    let settings = context.root().join("home/.claude/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    std::fs::write(&settings, "{}\n").unwrap();
    let args = ["init", "--yes", "--agent", "claude,copilot,gemini,kiro"];
    let plan = context.invoke(&[&args[..], &["--dry-run"]].concat()).expect(0);
    let agents = |text: &str| {
        let mut groups: Vec<String> =
            text.lines().map(|line| line.split_once("  for ").map_or("", |parts| parts.1).to_owned()).collect();
        groups.dedup();
        groups
    };
    assert_eq!(agents(&plan), ["", "claude", "copilot", "gemini", "kiro", "copilot, gemini"], "{plan}");
    for line in [
        "would create  ~/.symposium/config.toml",
        "would create  .symposium/config.toml",
        "would edit    ~/.claude/settings.json  for claude",
        "would create  ~/.gemini/settings.json  for gemini",
    ] {
        assert!(plan.lines().any(|known| known.trim_end() == line), "{line}\n{plan}");
    }
    let done = context.invoke(&args).expect(0);
    assert_eq!(agents(&done), agents(&plan), "the same words as the plan");
    assert!(done.contains("edited        ~/.claude/settings.json"), "{done}");
    assert!(done.contains("created       ~/.gemini/settings.json"), "{done}");
    // A file that is there is edited, also when it was made by us.
    let more = context.invoke(&["init", "--yes", "--agent", "codex"]).expect(0);
    assert!(more.contains("edited        ~/.symposium/config.toml"), "{more}");
}

#[test]
fn the_offer_to_allow_its_commands_is_in_the_plan_and_goes_with_everything_else() {
    let context = with_fixture(&["workspace0"]);
    let claude = context.root().join("home/.claude/settings.json");
    let gemini = context.root().join("home/.gemini/settings.json");
    let before = "{\n  \"permissions\": {\n    \"allow\": [\"Bash(ls:*)\", \"Bash(symposium api:*)\"]\n  }\n}\n";
    std::fs::create_dir_all(claude.parent().unwrap()).unwrap();
    std::fs::write(&claude, before).unwrap();
    context.invoke(&["init", "--yes", "--agent", "claude,gemini"]).expect(0);
    assert!(!std::fs::read_to_string(&claude).unwrap().contains("mcp__symposium__*"), "no one asked for it");
    let shown = context.invoke(&["init", "--allow", "--dry-run"]).expect(0);
    assert!(shown.contains("would edit    ~/.claude/settings.json"), "{shown}");
    context.invoke(&["init", "--allow", "--yes"]).expect(0);
    let rules = |path: &std::path::Path, keys: [&str; 2]| {
        let settings: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        settings[keys[0]][keys[1]].clone()
    };
    let allowed = serde_json::json!([
        "Bash(ls:*)",
        "Bash(symposium api:*)",
        "Bash(symposium start:*)",
        "Bash(symposium crate:*)",
        "mcp__symposium__*"
    ]);
    assert_eq!(rules(&claude, ["permissions", "allow"]), allowed);
    assert_eq!(rules(&gemini, ["tools", "allowed"]).as_array().map(Vec::len), Some(3));
    assert!(context.invoke(&["init", "--allow", "--yes"]).expect(0).contains("Everything is up to date"));
    // The user takes it back.
    let config = context.config_dir().join("config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replace("allow-symposium = true", "allow-symposium = false")).unwrap();
    context.invoke(&["sync"]).expect(0);
    assert_eq!(rules(&claude, ["permissions", "allow"]), serde_json::json!(["Bash(ls:*)", "Bash(symposium api:*)"]));
    assert!(!std::fs::read_to_string(&gemini).unwrap().contains("symposium api"));
    context.invoke(&["init", "--allow", "--yes"]).expect(0);
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(std::fs::read_to_string(&claude).unwrap(), before);
    assert!(!gemini.exists());
}

#[test]
fn a_rule_that_the_user_removed_stays_removed() {
    let context = with_fixture(&["workspace0"]);
    let claude = context.root().join("home/.claude/settings.json");
    let gemini = context.root().join("home/.gemini/settings.json");
    let before = "{\n  \"permissions\": {\n    \"allow\": [\"Bash(ls:*)\"]\n  }\n}\n";
    std::fs::create_dir_all(claude.parent().unwrap()).unwrap();
    std::fs::write(&claude, before).unwrap();
    context.invoke(&["init", "--allow", "--yes", "--agent", "claude,gemini"]).expect(0);
    let edit = |path: &std::path::Path, change: &dyn Fn(&mut Vec<serde_json::Value>)| {
        let mut settings: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let keys = if path == claude { ["permissions", "allow"] } else { ["tools", "allowed"] };
        change(settings[keys[0]][keys[1]].as_array_mut().unwrap());
        std::fs::write(path, format!("{settings:#}\n")).unwrap();
    };
    edit(&claude, &|rules| rules.retain(|rule| rule != "Bash(symposium api:*)"));
    edit(&gemini, &|rules| rules.retain(|rule| !rule.as_str().unwrap().contains("symposium api")));
    let edited = [&claude, &gemini].map(|path| std::fs::read_to_string(path).unwrap());
    let are_as_edited = || [&claude, &gemini].map(|path| std::fs::read_to_string(path).unwrap()) == edited;
    let doctor = context.invoke(&["doctor", "--agent", "claude"]);
    assert!(!doctor.stdout.contains("missing or outdated"), "{}", doctor.stdout);
    let told = context.invoke(&["sync"]);
    assert_eq!(told.code, 0);
    assert!(are_as_edited(), "{told:?}");
    assert_eq!(told.stderr.matches("you removed the rule `Bash(symposium api:*)` from ").count(), 1, "{}", told.stderr);
    let advice = ", so Symposium does not write it again; run `symposium init --allow` to add it again\n";
    assert_eq!(told.stderr.matches(advice).count(), 2, "{}", told.stderr);
    // It is said once, and every run leaves the file alone.
    for args in [&["sync"][..], &["init", "--yes"], &["sync", "--check"]] {
        let again = context.invoke(args);
        assert!(again.code == 0 && !again.stderr.contains("you removed") && are_as_edited(), "{again:?}");
    }
    let doctor = context.invoke(&["doctor", "--agent", "claude"]);
    assert!(doctor.stdout.contains("you removed rules of Symposium from"), "{}", doctor.stdout);
    assert!(doctor.stdout.contains("run `symposium init --allow` to add them again"), "{}", doctor.stdout);
    // The user's own rule of the same text is the user's: it stays after uninstall.
    edit(&claude, &|rules| rules.push("Bash(symposium api:*)".into()));
    context.invoke(&["sync"]).expect(0);
    context.invoke(&["uninstall", "--yes"]).expect(0);
    let left: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&claude).unwrap()).unwrap();
    assert_eq!(left, serde_json::json!({"permissions": {"allow": ["Bash(ls:*)", "Bash(symposium api:*)"]}}));
    assert!(!gemini.exists());
}

#[test]
fn to_allow_once_more_gives_removed_rules_back() {
    let context = with_fixture(&["workspace0"]);
    let claude = context.root().join("home/.claude/settings.json");
    context.invoke(&["init", "--allow", "--yes", "--agent", "claude"]).expect(0);
    let whole = std::fs::read_to_string(&claude).unwrap();
    let removed = || {
        let text = whole.lines().filter(|line| !line.contains("symposium api")).collect::<Vec<_>>().join("\n");
        std::fs::write(&claude, format!("{text}\n")).unwrap();
        context.invoke(&["sync"]).expect(0);
        assert!(!std::fs::read_to_string(&claude).unwrap().contains("symposium api"));
    };
    let has_rule = || std::fs::read_to_string(&claude).unwrap().contains("Bash(symposium api:*)");
    removed();
    let plan = context.invoke(&["init", "--allow", "--dry-run"]).expect(0);
    assert!(plan.contains("would edit    ~/.claude/settings.json") && !has_rule(), "{plan}");
    context.invoke(&["init", "--allow", "--yes"]).expect(0);
    assert!(has_rule());
    assert!(context.invoke(&["sync"]).expect(0).contains("Everything is up to date") && has_rule());
    // So does the setting, once it was off.
    removed();
    let config = context.config_dir().join("config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replace("allow-symposium = true", "allow-symposium = false")).unwrap();
    context.invoke(&["sync"]).expect(0);
    std::fs::write(&config, text).unwrap();
    context.invoke(&["sync"]).expect(0);
    assert!(has_rule());
}

/// Without a record the rules are known by their text, as the hooks are by their form.
#[test]
fn without_a_record_the_rules_for_its_commands_go_too() {
    for lost in ["ledger.json", ""] {
        let context = with_fixture(&["workspace0"]);
        let claude = context.root().join("home/.claude/settings.json");
        let gemini = context.root().join("home/.gemini/settings.json");
        for (path, own) in [(&claude, "permissions\": {\"allow"), (&gemini, "tools\": {\"allowed")] {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, format!("{{\"{own}\": [\"Bash(ls:*)\", \"Bash(symposium:*)\"]}}}}\n")).unwrap();
        }
        let before = [&claude, &gemini].map(|path| std::fs::read_to_string(path).unwrap());
        context.invoke(&["init", "--allow", "--yes", "--agent", "claude,gemini"]).expect(0);
        let allowed = [&claude, &gemini].map(|path| std::fs::read_to_string(path).unwrap());
        assert!(allowed.iter().all(|text| text.contains("symposium api") && text.contains("symposium crate")));
        match lost {
            "" => std::fs::remove_dir_all(context.config_dir()).unwrap(),
            file => std::fs::remove_file(context.config_dir().join(file)).unwrap(),
        }
        let plan = context.invoke(&["uninstall", "--user", "--dry-run"]).expect(0);
        assert!(plan.contains("~/.claude/settings.json") && plan.contains("~/.gemini/settings.json"), "{plan}");
        context.invoke(&["uninstall", "--user", "--yes"]).expect(0);
        let after = [&claude, &gemini].map(|path| std::fs::read_to_string(path).unwrap());
        let value = |text: &String| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(after.each_ref().map(value), before.each_ref().map(value), "{lost}");
    }
}

#[test]
fn to_allow_its_commands_needs_an_agent_with_rules_for_them() {
    let context = with_fixture(&["workspace0"]);
    let warning = "warning: `--allow` has no effect: only Claude Code and Gemini CLI have rules for that";
    for (agent, is_warned) in [("codex", true), ("gemini", false)] {
        for last in ["--dry-run", "--yes"] {
            let told = context.invoke(&["init", "--allow", "--agent", agent, last]);
            assert_eq!((told.code, told.stderr.matches(warning).count()), (0, usize::from(is_warned)), "{told:?}");
        }
    }
}

#[test]
fn a_project_allows_nothing() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let config = context.workspace().join(".symposium/config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{text}\n[trust]\nallow-symposium = true\n")).unwrap();
    let told = context.invoke(&["sync"]);
    assert!(told.stderr.contains("`allow-symposium` has no effect in a project"), "{}", told.stderr);
    let settings = std::fs::read_to_string(context.root().join("home/.claude/settings.json")).unwrap();
    assert!(!settings.contains("mcp__symposium__*"), "{settings}");
}

#[test]
fn without_dependencies_the_next_steps_begin_with_the_agent_too() {
    let context = with_fixture(&[]);
    context.write("Cargo.toml", "[package]\nname = \"new\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    context.write("Cargo.lock", "version = 4\n\n[[package]]\nname = \"new\"\nversion = \"0.1.0\"\n");
    context.write("src/lib.rs", "");
    let output = context.invoke(&["init", "--yes", "--agent", "claude"]).stderr;
    let next = "This workspace has no dependencies yet, so there are no skills for it.\n\nNext\n  start your agent in this \
                directory; when there are dependencies, `symposium sync` installs the skills for them\n";
    assert!(output.contains(next), "{output}");
}
