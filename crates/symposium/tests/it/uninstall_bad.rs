//! `symposium uninstall` when something stands in the way, or is not where it was put.

use crate::{FULL_DISK, bound_by_modes, set_mode, with_fixture};

fn read(path: &std::path::Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Somebody copied what we wrote for one event to others.
#[test]
fn a_copy_of_ours_under_another_event_goes_too() {
    for (agent, file, from) in [
        ("claude", ".claude/settings.json", "PreToolUse"),
        ("gemini", ".gemini/settings.json", "BeforeTool"),
        ("cursor", ".cursor/hooks.json", "preToolUse"),
        ("codex", ".codex/hooks.json", "PreToolUse"),
    ] {
        for record in ["kept", "lost"] {
            let context = with_fixture(&["workspace0"]);
            let settings = context.root().join("home").join(file);
            std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
            std::fs::write(&settings, "{\"mine\": {\"hooks\": {}}}").unwrap();
            context.invoke(&["init", "--yes", "--agent", agent]).expect(0);
            let mut value = read(&settings);
            let copy = value["hooks"][from][0].clone();
            assert!(copy.is_object(), "{agent}: {value}");
            let own = serde_json::json!({ "command": "my-own", "matcher": "x" });
            value["hooks"]["Stop"] = serde_json::json!([copy.clone()]);
            value["hooks"]["Other"] = serde_json::json!([own, copy]);
            value["hooks"]["Empty"] = serde_json::json!([]);
            std::fs::write(&settings, serde_json::to_string_pretty(&value).unwrap()).unwrap();
            if record == "lost" {
                std::fs::remove_file(context.config_dir().join("ledger.json")).unwrap();
            }
            context.invoke(&["uninstall", "--yes"]).expect(0);
            let expected = serde_json::json!({ "mine": { "hooks": {} }, "hooks": { "Other": [own], "Empty": [] } });
            assert_eq!(read(&settings), expected, "{agent}, record {record}");
        }
    }
}

#[test]
fn on_a_full_disk_what_needs_no_space_is_done_and_shown() {
    let context = with_fixture(&["workspace0"]);
    let settings = context.root().join("home/.claude/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    std::fs::write(&settings, "{ \"mine\": 1 }").unwrap();
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let output = context.invoke_through(&FULL_DISK, &["uninstall", "--yes"]);
    assert_eq!(output.code, 3, "{output:?}");
    for done in ["removed       .claude/skills/serde", "removed       .symposium/config.toml"] {
        assert!(output.stdout.contains(done), "{output:?}");
    }
    assert!(!context.workspace().join(".claude").exists() && !context.workspace().join(".symposium").exists());
    assert!(output.stderr.contains("home/.claude/settings.json: skipped"), "{}", output.stderr);
    assert!(output.stderr.contains("ledger.json"), "what was done could not be recorded: {}", output.stderr);
    assert!(!output.stderr.contains(".symposium-"), "no file of ours is named: {}", output.stderr);
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), "{ \"mine\": 1 }");
    assert_eq!(context.tree(context.config_dir()), "");
}

#[test]
fn on_a_full_disk_a_registration_of_whole_files_goes_completely() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "goose"]).expect(0);
    let output = context.invoke_through(&FULL_DISK, &["uninstall", "--yes"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(context.tree(&context.root().join("home")), ".symposium/");
}

#[test]
fn what_stands_in_the_way_is_named_by_the_users_own_file() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let closed = [context.root().join("home/.claude"), context.workspace().join(".claude/skills")];
    for directory in &closed {
        set_mode(directory, 0o555);
    }
    let output = context.invoke_through(bound_by_modes(&context), &["uninstall", "--yes"]);
    for directory in &closed {
        set_mode(directory, 0o755);
    }
    assert_eq!(output.code, 3, "{output:?}");
    for file in ["home/.claude/settings.json", "/.claude/skills: ", "(serde, tokio)"] {
        let line = output.stderr.lines().find(|line| line.contains(file));
        assert!(line.is_some_and(|line| line.to_lowercase().contains("permission denied")), "{}", output.stderr);
    }
    assert!(!output.stderr.contains(".symposium-"), "{}", output.stderr);
    context.invoke(&["uninstall", "--yes"]).expect(0);
}

#[test]
fn directories_chosen_by_xdg_variables_go_when_they_hold_nothing_else() {
    let mut context = with_fixture(&["workspace0"]);
    let base = context.root().join("xdg");
    context.set("SYMPOSIUM_HOME", "");
    for name in ["config", "cache", "data"] {
        let directory = base.join(name);
        std::fs::create_dir_all(&directory).unwrap();
        context.set(&format!("XDG_{}_HOME", name.to_uppercase()), &directory.display().to_string());
    }
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["crate", "serde"]).expect(0);
    let made = context.tree(&base);
    for directory in ["config/symposium/", "cache/symposium/", "data/symposium/logs/"] {
        assert!(made.lines().any(|line| line == directory), "{made}");
    }
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(context.tree(&base), "cache/\nconfig/\ndata/");

    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    std::fs::write(base.join("data/symposium/notes.md"), "mine").unwrap();
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(context.tree(&base), "cache/\nconfig/\ndata/\ndata/symposium/\ndata/symposium/notes.md 644");
}

#[test]
fn an_empty_directory_that_cannot_go_yet_is_named_and_goes_later() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    set_mode(context.workspace(), 0o555);
    let output = context.invoke_through(bound_by_modes(&context), &["uninstall", "--yes"]);
    set_mode(context.workspace(), 0o755);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(
        output.stderr.contains("$WORKSPACE: failed to remove an empty directory (.symposium, .claude)"),
        "{}",
        output.stderr
    );
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert!(!context.workspace().join(".claude").exists());
}

/// Where a file or a broken link has the name of a directory, none was made, and there is none to remove.
#[test]
fn a_file_in_place_of_a_directory_is_kept_and_does_not_stop_uninstall() {
    for (agent, blocking, is_link) in
        [("cline", ".cline", false), ("pi", ".pi/agent", false), ("antigravity", ".gemini/config", true)]
    {
        let context = with_fixture(&["workspace0"]);
        let home = context.root().join("home");
        let blocking = home.join(blocking);
        std::fs::create_dir_all(blocking.parent().unwrap()).unwrap();
        if is_link {
            std::os::unix::fs::symlink(home.join("gone"), &blocking).unwrap();
        } else {
            std::fs::write(&blocking, "mine").unwrap();
        }
        let before = context.tree(&home);
        let output = context.invoke(&["init", "--yes", "--agent", agent]);
        assert_eq!(output.code, 3, "{output:?}");
        assert!(!output.stderr.contains("empty directory"), "{agent}: {}", output.stderr);
        context.invoke(&["uninstall", "--yes"]).expect(0);
        assert_eq!(context.tree(&home), before, "{agent}");
        assert_eq!(context.tree(context.config_dir()), "", "{agent}");
    }
}

/// What may not be read now was not edited: it is named, and taken back when it can be.
#[test]
fn a_skill_that_may_not_be_read_is_not_called_edited() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let skills = context.workspace().join(".claude/skills");
    for closed in [skills.join("serde/SKILL.md"), skills.join("serde")] {
        let usual = if closed.is_dir() { 0o755 } else { 0o644 };
        set_mode(&closed, 0o000);
        let output = context.invoke_through(bound_by_modes(&context), &["uninstall", "--yes"]);
        let status = context.invoke_through(bound_by_modes(&context), &["status"]);
        set_mode(&closed, usual);
        assert_eq!(output.code, 3, "{output:?}");
        assert!(!output.stderr.contains("edited") && output.stderr.contains("ermission denied"), "{output:?}");
        assert!(context.config_dir().join("ledger.json").exists(), "the record stays");
        assert!(!status.stdout.contains("drifted"), "{status:?}");
    }
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert!(!skills.exists());
    assert_eq!(context.tree(context.config_dir()), "");
}

/// Something in a skill that we would never have written is an edit, however large it is.
#[test]
fn a_huge_file_in_a_skill_is_the_users() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let huge = context.workspace().join(".claude/skills/serde/huge.bin");
    std::fs::File::create(&huge).unwrap().set_len(65 * 1024 * 1024).unwrap();
    let output = context.invoke(&["uninstall", "--yes"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.contains("edited") && huge.exists(), "{output:?}");
    assert_eq!(context.tree(context.config_dir()), "");
}
