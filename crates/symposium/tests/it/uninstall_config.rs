//! `symposium uninstall` and a configuration that was there before us: it is given back as it was.

use symposium_testkit::TestContext;

use crate::with_fixture;

const PROJECT: &str = "# ours, by hand\r\n[matching]\r\ntransitive = false # mine\r\n\r\n[skills]\r\ntokio = false\r\n";
const USER: &str = "# mine\n[hooks]\nnudge-interval = 3\n\n[[plugin-source]]\nname = \"secret\"\ngit = \"https://me:hush@127.0.0.1:1/r\"\nauto-update = false";

fn with_configs(project: &str, user: &str) -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write(".symposium/config.toml", project);
    context.write_config("config.toml", user);
    context
}

fn project(context: &TestContext) -> String {
    std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap()
}

fn user(context: &TestContext) -> String {
    std::fs::read_to_string(context.config_dir().join("config.toml")).unwrap()
}

#[test]
fn every_byte_comes_back_whatever_was_switched() {
    for start in [PROJECT, "", "# only a comment", "skills = { tokio = false }\n", "\u{feff}[skills]\n\n\n# end\n"] {
        let context = with_configs(start, USER);
        // The source of the user's is not to be had.
        assert!(matches!(context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "codex"]).code, 0 | 3));
        assert_ne!(project(&context), start);
        assert_ne!(user(&context), USER);
        for args in [&["off", "serde"][..], &["on", "tokio"], &["off", "--all"], &["on", "autofmt"], &["sync"]] {
            assert!(matches!(context.invoke(args).code, 0 | 3), "{args:?}");
        }
        let ledger = std::fs::read_to_string(context.config_dir().join("ledger.json")).unwrap();
        assert!(!ledger.contains("hush"), "{ledger}");
        let output = context.invoke(&["uninstall", "--yes"]).expect(0);
        assert!(output.contains("restored      .symposium/config.toml"), "{output}");
        assert_eq!(project(&context), start, "{output}");
        assert_eq!(user(&context), USER, "{output}");
        let again = context.invoke(&["uninstall", "--yes"]).expect(0);
        assert!(again.contains("othing to uninstall"), "{again}");
    }
}

#[test]
fn a_toggle_whose_crate_is_gone_comes_back_in_its_place() {
    let start = "[skills]\ntokio = false # never here\nserde = true\n";
    let context = with_configs(start, "");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    for (file, gone) in [("Cargo.toml", "tokio"), ("Cargo.lock", "tokio")] {
        let text = std::fs::read_to_string(context.workspace().join(file)).unwrap();
        let kept: String = match file {
            "Cargo.toml" => text.split_inclusive('\n').filter(|line| !line.starts_with(gone)).collect(),
            _ => text.replace("name = \"tokio\"", "name = \"tokia\"").replace(" \"tokio\"", " \"tokia\""),
        };
        context.write(file, kept);
    }
    context.invoke(&["sync"]).expect(0);
    assert!(!project(&context).contains("tokio"), "{}", project(&context));
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(project(&context), start);
}

#[test]
fn what_the_person_wrote_since_stays_and_is_named() {
    let start = "# mine\n[matching]\ntransitive = false\n";
    for (edit, left) in [
        // Elsewhere: our lines go whole.
        (("# mine\n", "# mine\n# and more\n"), "# mine\n# and more\n[matching]\ntransitive = false\n"),
        // Another value: that line is the person's now.
        (("serde = true", "serde = false"), "# mine\n[matching]\ntransitive = false\n\n[skills]\nserde = false\n"),
    ] {
        let context = with_configs(start, "");
        context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
        let text = project(&context);
        assert!(text.contains(edit.0), "{text}");
        context.write(".symposium/config.toml", text.replace(edit.0, edit.1));
        // A later run adds nothing to what is the person's.
        context.invoke(&["sync"]).expect(0);
        let output = context.invoke(&["uninstall", "--yes"]);
        let result = project(&context);
        let plain = |text: &str| text.replace("\n[workflows]\n", "");
        assert_eq!(plain(&result), left, "{output:?}");
        assert!(output.stderr.contains(".symposium/config.toml was edited after"), "{output:?}");
    }
}

#[test]
fn changes_of_both_sides_in_turn_are_told_apart() {
    let context = with_configs("# mine\n", "");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.write(".symposium/config.toml", format!("# also mine\n{}", project(&context)));
    context.invoke(&["off", "serde"]).expect(0);
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(project(&context), "# also mine\n# mine\n");
}

#[test]
fn who_takes_it_back_by_hand_is_not_bothered() {
    let context = with_configs("# mine\n", "");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.write(".symposium/config.toml", "# mine\n");
    let output = context.invoke(&["uninstall", "--yes"]);
    assert!(!output.transcript().contains(".symposium/config.toml was edited"), "{output:?}");
    assert_eq!(project(&context), "# mine\n");
}

#[test]
fn a_lock_that_came_with_the_project_is_given_back() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["sync", "--lock"]).expect(0);
    let path = context.workspace().join(".symposium/symposium.lock");
    let lock = std::fs::read_to_string(&path).unwrap();
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert!(!path.exists());
    // Somebody else's, with one entry less.
    let blocks: Vec<&str> = lock.split("\n[[extension]]\n").collect();
    let older = format!("{}\n\n# end\n", blocks[..blocks.len() - 1].join("\n[[extension]]\n").trim_end());
    context.write(".symposium/symposium.lock", &older);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    assert_ne!(std::fs::read_to_string(&path).unwrap(), older);
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), older);
}

#[test]
fn a_record_that_is_behind_takes_back_key_by_key() {
    let context = with_configs(PROJECT, "");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let ledger = context.config_dir().join("ledger.json");
    let behind = std::fs::read_to_string(&ledger).unwrap();
    context.invoke(&["off", "serde"]).expect(0);
    std::fs::write(&ledger, behind).unwrap();
    context.invoke(&["uninstall", "--yes"]).expect(0);
    let text = project(&context);
    assert!(text.contains("serde = false\r\ntokio = false\r\n") && !text.contains("rtk"), "{text}");
}

/// Every moment at which `on` and `off` can be killed, and what uninstalling makes of it, is tried by the tests of
/// faults; this one shows that the record names both texts while the file is written.
#[test]
fn the_record_is_there_before_the_file() {
    let context = with_configs("# mine\n", "");
    let ledger = context.config_dir().join("ledger.json");
    let config = context.workspace().join(".symposium/config.toml");
    // A directory that cannot be written: the record is, the file is not.
    let directory = config.parent().unwrap();
    let through = crate::bound_by_modes(&context);
    crate::set_mode(directory, 0o555);
    let output = context.invoke_through(through, &["sync"]);
    crate::set_mode(directory, 0o755);
    assert_eq!(output.code, 3, "{output:?}");
    assert_eq!(project(&context), "# mine\n");
    assert!(std::fs::read_to_string(&ledger).unwrap().contains("\"amended\""));
    let output = context.invoke_through(through, &["uninstall", "--yes"]);
    assert!(!output.transcript().contains("config.toml was edited"), "{output:?}");
    assert_eq!(project(&context), "# mine\n");
}

#[test]
fn a_configuration_that_cannot_be_read_now_is_given_back_later() {
    let context = with_configs("# mine\n", "");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let config = context.workspace().join(".symposium/config.toml");
    let through = crate::bound_by_modes(&context);
    crate::set_mode(&config, 0);
    for args in [&["off", "serde"][..], &["on", "serde"]] {
        let output = context.invoke_through(through, args);
        assert_eq!(output.code, 3, "{output:?}");
        assert!(output.stderr.contains("cannot be read, so no toggle was changed"), "{output:?}");
    }
    for args in [&["sync"][..], &["uninstall", "--yes"], &["init", "--yes", "--agent", "claude"]] {
        assert_eq!(context.invoke_through(through, args).code, 3, "{args:?}");
    }
    crate::set_mode(&config, 0o644);
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(project(&context), "# mine\n");
}
