//! `init` asks before it writes or fetches, adds to what was chosen, and says what it means for the crates at hand.

use crate::plugin_sync::cached;
use crate::repository::Repository;
use crate::with_fixture;

/// Without a terminal there is nobody to ask: `--yes` is the answer, and nothing happens without it.
#[test]
fn without_a_terminal_and_without_a_yes_nothing_is_written() {
    let context = with_fixture(&["workspace0"]);
    std::fs::remove_dir(context.config_dir()).unwrap();
    let before = context.tree(context.root());
    for args in [
        &["init", "--agent", "claude"][..],
        &["init", "--user", "--agent", "claude"],
        &["init", "--json", "--agent", "claude"],
    ] {
        let shown = context.invoke(args);
        assert_eq!(shown.code, 2, "{shown:?}");
        let said = format!("{}{}", shown.stdout, shown.stderr);
        assert!(said.contains("`--yes`") && said.contains("`--dry-run`"), "{said}");
    }
    assert_eq!(context.tree(context.root()), before);
    // Where there is nothing to import, there is nothing to agree to.
    context.invoke(&["import", "--from", "claude"]).expect(0);
    write_claude_hook(&context);
    let before = context.tree(context.root());
    for args in [&["import", "--from", "claude"][..], &["import", "--from", "claude", "--json"]] {
        let shown = context.invoke(args);
        assert_eq!(shown.code, 2, "{shown:?}");
        let said = format!("{}{}", shown.stdout, shown.stderr);
        assert!(said.contains("`--yes`") && said.contains("`--dry-run`"), "{said}");
        assert_eq!(context.tree(context.root()), before, "{args:?}");
    }
    context.invoke(&["import", "--from", "claude", "--yes"]).expect(0);
    context.invoke(&["import", "--from", "claude"]).expect(0);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    // Where nothing is to be done there is nothing to agree to.
    context.invoke(&["init", "--agent", "claude"]).expect(0);
}

#[test]
fn looking_makes_no_directories() {
    let context = with_fixture(&["workspace0"]);
    std::fs::remove_dir(context.config_dir()).unwrap();
    let before = context.tree(context.root());
    for args in [
        &["init", "--dry-run", "--agent", "claude"][..],
        &["status"],
        &["sync", "--check"],
        &["sync", "--dry-run"],
        &["off", "serde", "--dry-run"],
        &["hook", "list"],
        &["plugin", "list"],
        &["why", "serde"],
        &["doctor"],
    ] {
        let _ = context.invoke(args);
        assert_eq!(context.tree(context.root()), before, "{args:?}");
    }
}

#[test]
fn nothing_is_fetched_before_the_yes() {
    if !crate::init::has_script() {
        return;
    }
    let mut context = with_fixture(&["workspace0"]);
    context.set("SYMPOSIUM_OFFLINE", "0");
    let repository = Repository::create(context.root().join("server/plugins"));
    repository.skill("serde-tips", "serde", "first").commit();
    context.write_config(
        "config.toml",
        format!(
            "[defaults]\nsymposium-recommendations = false\n\n[[plugin-source]]\nname = \"team\"\ngit = \"{}\"\n",
            repository.url()
        ),
    );
    let run = |keys: &str| {
        let through = crate::init::on_a_terminal(keys);
        let through: Vec<&str> = through.iter().map(String::as_str).collect();
        context.invoke_through(&through, &["init", "--agent", "claude"]).stdout
    };
    let before = context.tree(context.root());
    let stopped = run("\\003");
    assert!(stopped.contains("would fetch") && stopped.contains("team"), "{stopped}");
    assert_eq!(context.tree(context.root()), before, "nothing was written");
    let done = run("\\r");
    assert_eq!(cached(&context).len(), 1, "{done}");
    assert!(done.contains("serde-tips"), "what came with it is shown: {done}");
}

#[test]
fn an_agent_is_added_unless_only_it_is_wanted() {
    let context = with_fixture(&["workspace0"]);
    let config = || std::fs::read_to_string(context.config_dir().join("config.toml")).unwrap();
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["init", "--yes", "--agent", "gemini"]).expect(0);
    assert_eq!(config(), "[agent]\nname = [\"claude\", \"gemini\"]\n");
    assert!(context.workspace().join(".claude/skills/serde").exists());
    context.invoke(&["init", "--yes", "--agent", "gemini", "--only"]).expect(0);
    assert_eq!(config(), "[agent]\nname = \"gemini\"\n");
    assert!(!context.workspace().join(".claude/skills/serde").exists());
    assert_eq!(context.invoke(&["init", "--yes", "--only"]).code, 2, "it needs a name");
    // What we do not know may be served by a newer version: it stays.
    context.write_config("config.toml", "[agent]\nname = [\"gemini\", \"amp\"]\n");
    context.invoke(&["init", "--user", "--yes", "--agent", "codex"]).expect(0);
    assert_eq!(config(), "[agent]\nname = [\"gemini\", \"amp\", \"codex\"]\n");
    // A project's own choice grows the same way.
    context.invoke(&["init", "--project", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["init", "--project", "--yes", "--agent", "gemini"]).expect(0);
    let project = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    assert!(project.contains("name = [\"claude\", \"gemini\"]"), "{project}");
}

#[test]
fn the_choice_of_no_agent_is_remembered() {
    let context = with_fixture(&["workspace0"]);
    std::fs::create_dir_all(context.root().join("home/.codex")).unwrap();
    context.write_config("config.toml", "[agent]\nname = []\n");
    context.invoke(&["init", "--yes"]).expect(0);
    let config = std::fs::read_to_string(context.config_dir().join("config.toml")).unwrap();
    assert_eq!(config, "[agent]\nname = []\n");
    assert!(!context.root().join("home/.codex/hooks.json").exists());
    if crate::init::has_script() {
        let alone = with_fixture(&["workspace0"]);
        alone.write_config("config.toml", "[agent]\nname = []\n");
        let shown = answered(&alone, "\\r", &[]);
        assert!(shown.contains("Your configuration names no agent; run `symposium init --agent NAME`"), "{shown}");
        let through = crate::init::on_a_terminal("\\r");
        let through: Vec<&str> = through.iter().map(String::as_str).collect();
        let shown = context.invoke_through(&through, &["init"]).stdout;
        assert!(shown.contains("Which agents"), "{shown}");
        let config = std::fs::read_to_string(context.config_dir().join("config.toml")).unwrap();
        assert_eq!(config, "[agent]\nname = []\n", "nothing was selected beforehand: {shown}");
    }
}

#[test]
fn it_says_how_many_dependencies_have_skills_and_what_works_anyway() {
    let context = with_fixture(&["workspace0"]);
    let some = context.invoke(&["init", "--yes", "--agent", "claude"]).stderr;
    assert!(some.contains("2 of 2 direct dependencies have skills"), "{some}");
    context.write("Cargo.toml", "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n\n[dependencies]\nwinnow = \"1\"\n");
    std::fs::remove_file(context.workspace().join("Cargo.lock")).unwrap();
    let none = context.invoke(&["init", "--yes", "--agent", "claude"]).stderr;
    assert!(none.contains("0 of 1 direct dependency has skills"), "{none}");
    assert!(none.contains("symposium crate winnow") && !none.contains("it has the skills"), "{none}");
}

/// Asks `args` on a terminal, with these keys as the answer, and returns what is shown.
fn answered(context: &symposium_testkit::TestContext, keys: &str, args: &[&str]) -> String {
    let through = crate::init::on_a_terminal(keys);
    let through: Vec<&str> = through.iter().map(String::as_str).collect();
    context.invoke_through(&through, args).stdout
}

#[test]
fn on_a_terminal_uninstalling_lists_the_changes_before_it_asks() {
    if !crate::init::has_script() {
        return;
    }
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let shown = answered(&context, "n", &["uninstall"]);
    let (list, question) = (shown.find("would restore"), shown.find("Undo "));
    assert!(list.is_some() && list < question, "{shown}");
    assert!(context.workspace().join(".symposium/config.toml").exists(), "{shown}");
    let shown = answered(&context, "y", &["uninstall"]);
    assert!(shown.contains("Done: removed"), "{shown}");
    assert!(!context.workspace().join(".symposium").exists(), "{shown}");
}

/// Writes a hook of the user's own into the settings of Claude Code.
fn write_claude_hook(context: &symposium_testkit::TestContext) {
    let home = context.root().join("home/.claude");
    std::fs::create_dir_all(&home).unwrap();
    let hook = r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"true"}]}]}}"#;
    std::fs::write(home.join("settings.json"), hook).unwrap();
}

#[test]
fn on_a_terminal_an_import_is_shown_and_asked_for() {
    if !crate::init::has_script() {
        return;
    }
    let context = with_fixture(&["workspace0"]);
    write_claude_hook(&context);
    let plugin = context.config_dir().join("plugins/imported-claude");
    let shown = answered(&context, "n", &["import", "--from", "claude"]);
    assert!(shown.contains("Would import 1 hook") && shown.contains("Import this?"), "{shown}");
    assert!(!plugin.exists(), "{shown}");
    answered(&context, "y", &["import", "--from", "claude"]);
    assert!(plugin.exists());
}

/// Asks every question of a command on a terminal, with these keys as the answer to each; nothing may change.
fn check_every_question(keys: &str, said: &str) {
    if !crate::init::has_script() {
        return;
    }
    let context = with_fixture(&["workspace0"]);
    write_claude_hook(&context);
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"own\"\npath = \"tools\"\n");
    let manifest = "name = \"p\"\n[[hooks]]\nname = \"h\"\nevent = \"Stop\"\ncommand = \"true\"\n";
    context.write("tools/p/symposium.toml", manifest);
    context.invoke(&["init", "--yes", "--agent", "codex"]).expect(0);
    let through = crate::init::on_a_terminal(keys);
    let through: Vec<&str> = through.iter().map(String::as_str).collect();
    let before = context.tree(context.workspace());
    let check = |context: &symposium_testkit::TestContext, args: &[&str]| {
        let stopped = context.invoke_through(&through, args);
        assert!(stopped.stdout.to_lowercase().contains(said), "{args:?}: {}", stopped.stdout);
        assert_eq!(stopped.code, 1, "{args:?}: {}", stopped.stdout);
    };
    for args in [
        &["trust"][..],
        &["import", "--from", "claude"],
        &["uninstall"],
        &["init", "--agent", "claude"],
        &["init", "--user", "--agent", "claude"],
        &["init", "--project", "--agent", "claude"],
    ] {
        check(&context, args);
        assert_eq!(context.tree(context.workspace()), before, "{args:?}");
    }
    // The program alone offers to set up a project.
    let new = with_fixture(&["workspace0"]);
    write_claude_hook(&new);
    check(&new, &[]);
    assert!(!new.workspace().join(".symposium").exists());
}

#[test]
fn control_c_ends_every_question_in_the_same_way() {
    check_every_question("\\003", "stopped; nothing was changed");
}

#[test]
fn a_no_to_any_question_is_one_exit_code() {
    check_every_question("n\\r", "nothing was ");
}

#[test]
fn a_no_to_trust_is_remembered_by_the_content() {
    if !crate::init::has_script() {
        return;
    }
    let context = with_fixture(&["workspace0"]);
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"own\"\npath = \"tools\"\n");
    let manifest = "name = \"p\"\n[[hooks]]\nname = \"h\"\nevent = \"Stop\"\ncommand = \"sh ./x.sh\"\n";
    context.write("tools/p/symposium.toml", manifest);
    context.write("tools/p/x.sh", format!("echo {}\n", "error: no ".repeat(40)));
    let through = crate::init::on_a_terminal_of(60, "n\\r");
    let through: Vec<&str> = through.iter().map(String::as_str).collect();
    let shown = context.invoke_through(&through, &["trust"]).stdout;
    assert!(shown.contains("othing was granted"), "{shown}");
    // The long line is broken, and no part of a script can pass for a line of Symposium.
    let parts: Vec<&str> = shown.lines().filter(|line| line.contains("error: no")).collect();
    assert!(parts.len() > 5 && parts.iter().all(|line| line.trim_start().starts_with("| ")), "{shown}");
    assert!(parts.iter().all(|line| line.trim_end().chars().count() <= 60), "{shown}");
    let names = std::fs::read_dir(context.config_dir().join("sessions")).unwrap();
    let asked = names.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with("asked-"));
    assert_eq!(asked.count(), 1);
}
