//! `symposium uninstall`.

use expect_test::expect;

use symposium_testkit::TestContext;

use crate::{check, with_fixture};

#[test]
fn it_asks_first_shows_what_it_would_do_and_does_it() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    check(
        context.invoke(&["uninstall"]),
        expect![[r#"
            --- stderr
            error: nothing was changed: `uninstall` needs confirmation
            help: pass `--yes` to confirm, or `--dry-run` to show the changes
            --- exit 2
        "#]],
    );
    check(
        context.invoke(&["uninstall", "--dry-run"]),
        expect![[r#"
        would remove  ~/.symposium/config.toml
        would remove  .symposium/config.toml
        would restore ~/.claude/settings.json  for claude
        would restore ~/.claude.json  for claude
        would remove  .claude/skills/serde  for claude
        would remove  .claude/skills/tokio  for claude
    "#]],
    );
    check(
        context.invoke(&["uninstall", "--yes"]),
        expect![[r#"
        removed       ~/.symposium/config.toml
        removed       .symposium/config.toml
        restored      ~/.claude/settings.json  for claude
        restored      ~/.claude.json  for claude
        removed       .claude/skills/serde  for claude
        removed       .claude/skills/tokio  for claude
    "#]],
    );
    check(
        context.invoke(&["uninstall", "--yes"]),
        expect![[r#"
            Nothing to uninstall: no files of Symposium were found here.
        "#]],
    );
}

#[test]
fn the_project_alone_leaves_the_user_set_up() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["uninstall", "--project", "--yes"]).expect(0);
    assert!(!context.workspace().join(".symposium").exists() && !context.workspace().join(".claude").exists());
    assert!(context.root().join("home/.claude/settings.json").exists());
    assert!(context.config_dir().join("config.toml").exists());
}

#[test]
fn other_workspaces_are_named_and_cleaned_on_request() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let other = context.root().join("other");
    std::fs::create_dir_all(other.join("src")).unwrap();
    for file in ["Cargo.toml", "Cargo.lock"] {
        std::fs::copy(context.workspace().join(file), other.join(file)).unwrap();
    }
    context.invoke_in(&other, &["sync"]).expect(0);
    assert!(other.join(".claude/skills/serde").exists());
    let output = context.invoke(&["uninstall", "--project", "--yes"]);
    assert!(output.stderr.contains("still set up in $ROOT/other"), "{output:?}");
    context.invoke(&["uninstall", "--all", "--yes"]).expect(0);
    assert!(!other.join(".claude").exists() && !other.join(".symposium").exists());
    assert_eq!(context.tree(context.config_dir()), "");
}

#[test]
fn only_what_is_ours_by_name_goes_from_a_directory_the_user_chose() {
    let context = with_fixture(&["workspace0"]);
    for file in ["cache/mine", "logs/mine.txt", "notes.md"] {
        context.write_config(file, "mine");
    }
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["crate", "serde"]).expect(0);
    context.invoke(&["uninstall", "--yes"]).expect(0);
    let left: Vec<String> = context.tree(context.config_dir()).lines().map(str::to_owned).collect();
    assert_eq!(left, ["cache/", "cache/mine 644", "logs/", "logs/mine.txt 644", "notes.md 644"]);
}

#[test]
fn its_own_files_are_named_and_asked_about_when_nothing_else_is_left() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("cache/api/serde", "x");
    let cached = context.config_dir().join("cache/api/serde");
    check(
        context.invoke(&["uninstall"]),
        expect![[r#"
            --- stderr
            error: nothing was changed: `uninstall` needs confirmation
            help: pass `--yes` to confirm, or `--dry-run` to show the changes
            --- exit 2
        "#]],
    );
    check(
        context.invoke(&["uninstall", "--dry-run"]),
        expect![[r#"
            Would remove Symposium's own files (caches and records) from ~/.symposium/cache. It has no other files here.
        "#]],
    );
    check(
        context.invoke(&["uninstall", "--project", "--yes"]),
        expect![[r#"
            Nothing to uninstall: no files of Symposium were found here.
        "#]],
    );
    assert!(cached.exists());
    check(
        context.invoke(&["uninstall", "--yes"]),
        expect![[r#"
            Removed Symposium's own files (caches and records) from ~/.symposium/cache. It has no other files here.
        "#]],
    );
    assert_eq!(context.tree(context.config_dir()), "");
    check(
        context.invoke(&["uninstall", "--yes"]),
        expect![[r#"
            Nothing to uninstall: no files of Symposium were found here.
        "#]],
    );
}

/// What was put aside, and what was too long to be told, is ours too.
#[test]
fn what_was_put_aside_and_what_was_too_long_goes_too() {
    let context = with_fixture(&["workspace0"]);
    let long = "#!/bin/sh\nprintf '{\"additionalContext\": \"'\nhead -c 30000 /dev/zero | tr '\\0' x\nprintf '\"}'\n";
    context.write_config(
        "plugins/long/symposium.toml",
        "[[hooks]]\nname = \"tell\"\nevent = \"UserPromptSubmit\"\ncommand = \"./tell.sh\"\n",
    );
    crate::hook::executable(&context, "plugins/long/tell.sh", long);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let event = serde_json::json!({"session_id": "s", "transcript_path": "/t", "cwd": context.workspace(),
        "permission_mode": "default", "hook_event_name": "UserPromptSubmit", "prompt": "hello"});
    let told = context.invoke_hook("claude", "user-prompt-submit", &event.to_string());
    assert!(told.stdout.contains("The full text is in $CONFIG_DIR/cache/contexts/"), "{told:?}");
    context.write_config("ledger.json", "{");
    let output = context.invoke(&["sync"]);
    assert!(output.stderr.contains("it is kept as $CONFIG_DIR/ledger.json.broken"), "{output:?}");
    std::fs::remove_dir_all(context.config_dir().join("plugins")).unwrap();
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(context.tree(context.config_dir()), "config.toml 600", "that we wrote it, nobody knows any more");
}

/// `symposium skill test` keeps what it compiled.
#[test]
fn what_skill_tests_compiled_goes_too() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.write_config("cache/skill-test/target/debug/libx.rlib", "");
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert!(!context.config_dir().join("cache/skill-test").exists());
}

#[test]
fn names_like_ours_are_not_ours() {
    let context = with_fixture(&["workspace0"]);
    let home = context.root().join("home");
    std::fs::create_dir_all(home.join(".symposium-backup")).unwrap();
    std::fs::write(home.join(".symposium-backup/x"), "mine").unwrap();
    std::fs::write(home.join(".symposium-todo.tmp"), "mine").unwrap();
    context.write(".claude/skills/.symposium-draft/SKILL.md", "mine");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["sync"]).expect(0);
    context.invoke(&["uninstall", "--yes"]).expect(0);
    for path in [
        home.join(".symposium-backup/x"),
        home.join(".symposium-todo.tmp"),
        context.workspace().join(".claude/skills/.symposium-draft/SKILL.md"),
    ] {
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine", "{}", path.display());
    }
}

#[test]
fn a_file_moved_behind_a_link_is_emptied_not_removed() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let settings = context.root().join("home/.claude/settings.json");
    let real = context.root().join("home/real.json");
    std::fs::rename(&settings, &real).unwrap();
    std::os::unix::fs::symlink(&real, &settings).unwrap();
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert!(settings.is_symlink() && real.exists());
    assert!(!std::fs::read_to_string(&real).unwrap().contains("symposium"));
}

#[test]
fn a_users_plugins_stay() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.write_config("plugins/mine/SKILL.md", "---\nname: mine\ndescription: d\n---\n");
    let output = context.invoke(&["uninstall", "--yes"]);
    assert!(output.stderr.contains("$CONFIG_DIR/plugins belongs to you and is kept"), "{output:?}");
    assert!(context.config_dir().join("plugins/mine/SKILL.md").exists());
    assert!(!context.config_dir().join("config.toml").exists());
}

#[test]
fn without_any_record_what_is_ours_is_still_found() {
    let context = with_fixture(&["workspace0"]);
    let settings = context.root().join("home/.claude/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    let foreign = "{\n  \"permissions\": {},\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n";
    std::fs::write(&settings, foreign).unwrap();
    let mut args = vec!["init", "--yes"];
    for agent in symposium_model::agent::AgentId::names() {
        args.extend(["--agent", agent]);
    }
    context.invoke(&args).expect(0);
    std::fs::remove_dir_all(context.config_dir()).unwrap();
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), foreign);
    let left = format!("{}\n{}", context.tree(&context.root().join("home")), context.tree(context.workspace()));
    assert!(!left.contains("symposium.js") && !left.contains("hooks/symposium.json"), "{left}");
    assert!(!left.contains("SKILL.md") && !left.contains("agents/symposium.json"), "{left}");
    let mentions = std::process::Command::new("grep")
        .args(["-rl", "hook claude\\|hook codex\\|hook gemini\\|hook cursor"])
        .arg(context.root().join("home"))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&mentions.stdout), "");
}

#[test]
fn a_deleted_workspace_is_forgotten() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let workspace = context.workspace().to_owned();
    let elsewhere = context.root().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::remove_dir_all(&workspace).unwrap();
    let output = context.invoke_in(&elsewhere, &["uninstall", "--yes"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(!output.stderr.contains("till set up in"), "{}", output.stderr);
    assert_eq!(context.tree(context.config_dir()), "");
}

/// The program under another name, in a machine of its own.
fn with_program_called(name: &str) -> (tempfile::TempDir, TestContext) {
    let bin = tempfile::tempdir().unwrap();
    let program = bin.path().join(name);
    std::fs::copy(env!("CARGO_BIN_EXE_symposium"), &program).unwrap();
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");
    let context = TestContext::with_fixture(program.to_str().unwrap(), fixtures, &["workspace0"]);
    (bin, context)
}

const OWN_SETTINGS: &str = "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \
                            \"mine\"}]}\n    ]\n  }\n}\n";

#[test]
fn what_a_program_of_another_name_wrote_is_taken_back() {
    let (_bin, context) = with_program_called("symposium-dev");
    let settings = context.root().join("home/.claude/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    std::fs::write(&settings, OWN_SETTINGS).unwrap();
    let output = context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "codex"]);
    assert!(output.stderr.contains("which is not named `symposium`"), "{output:?}");
    let written = std::fs::read_to_string(&settings).unwrap();
    assert!(written.contains("symposium-dev"), "{written}");
    context.invoke(&["sync"]).expect(0);
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), written, "a second sync appends nothing");
    let output = context.invoke(&["uninstall", "--yes"]);
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), OWN_SETTINGS, "{output:?}");
    for gone in [".claude.json", ".codex"] {
        assert!(!context.root().join("home").join(gone).exists(), "{gone} {output:?}");
    }
}

#[test]
fn a_program_that_is_renamed_replaces_what_it_wrote_under_its_old_name() {
    let (bin, dev) = with_program_called("symposium-dev");
    dev.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let settings = dev.root().join("home/.claude/settings.json");
    let before = std::fs::read_to_string(&settings).unwrap();
    let calls = |text: &str| text.matches("hook claude pre-tool-use").count();
    for program in ["symposium", "symposium-next", "symposium-dev"] {
        let path = bin.path().join(program);
        if !path.exists() {
            std::fs::copy(env!("CARGO_BIN_EXE_symposium"), &path).unwrap();
        }
        // The shell drops the program it is given and starts another.
        let start = format!("shift; exec '{}' \"$@\"", path.display());
        dev.invoke_through(&["sh", "-c", &start, "sh"], &["sync"]).expect(0);
        let now = std::fs::read_to_string(&settings).unwrap();
        assert_eq!(calls(&now), calls(&before), "{program}: {now}");
        assert!(now.contains(&format!("/{program}'")), "{program}: {now}");
    }
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), before);
    dev.invoke(&["uninstall", "--yes"]).expect(0);
    assert!(!settings.exists());
}

#[test]
fn nothing_is_said_to_be_restored_that_was_not() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let settings = context.root().join("home/.claude/settings.json");
    std::fs::write(&settings, OWN_SETTINGS).unwrap();
    let output = context.invoke(&["uninstall", "--yes"]);
    assert!(!output.stdout.contains(".claude/settings.json"), "{output:?}");
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), OWN_SETTINGS);
}

/// The ledger of a copy names the files of the original by their paths.
#[test]
fn a_copy_of_a_home_changes_nothing_in_the_original() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let original = context.root().join("home");
    let state = || {
        let text = |file: &str| std::fs::read_to_string(original.join(file)).unwrap();
        (context.tree(&original), text(".claude/settings.json"), text(".symposium/config.toml"))
    };
    let before = state();
    let copy = context.root().join("copy");
    assert!(std::process::Command::new("cp").arg("-r").args([&original, &copy]).status().unwrap().success());
    let home = format!("HOME={}", copy.display());
    let ours = format!("SYMPOSIUM_HOME={}/.symposium", copy.display());
    for command in [&["sync"][..], &["init", "--yes", "--agent", "gemini", "--only"], &["uninstall", "--yes", "--user"]]
    {
        let output = context.invoke_through(&["env", &home, &ours], command);
        assert_eq!(output.code, 0, "{output:?}");
        assert_eq!(state(), before, "{command:?}");
    }
}

/// A lookup that goes on in the background would write its result after everything was removed.
#[test]
fn what_runs_in_the_background_is_waited_for() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let home = context.config_dir().to_owned();
    let sessions = home.join("sessions");
    std::fs::create_dir_all(&sessions).unwrap();
    for name in ["newest-version.lock", "sources.lock"] {
        std::fs::create_dir_all(&sessions).unwrap();
        let lock = std::fs::File::create(sessions.join(name)).unwrap();
        lock.lock().unwrap();
        let (result, files) = (sessions.join("newest-version"), home.join("cache/update-lookup"));
        let background = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_secs(1));
            std::fs::create_dir_all(&files).unwrap();
            std::fs::write(files.join("package"), "x").unwrap();
            std::fs::create_dir_all(result.parent().unwrap()).unwrap();
            std::fs::write(result, "9.9.9").unwrap();
            drop(lock);
        });
        context.invoke(&["uninstall", "--yes"]).expect(0);
        background.join().unwrap();
        assert!(!sessions.exists() && !home.join("cache").exists(), "{name}: {}", context.tree(&home));
        context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    }
}
