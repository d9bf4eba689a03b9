//! Bad input is normal input: a clear line names the file, the rest still works, nothing hangs.

use std::os::unix::fs::{PermissionsExt, symlink};

use expect_test::expect;
use symposium_testkit::TestContext;

use crate::with_fixture;

/// The workspace's skills are still found, and the run told about the fault with this exit code.
#[track_caller]
fn still_works(context: &TestContext, code: i32, expected: expect_test::Expect) {
    let output = context.invoke(&["crate", "--list"]);
    assert_eq!(output.code, code, "{output:?}");
    assert!(output.stdout.contains("serde-basics"), "{}", output.stdout);
    expected.assert_eq(&output.stderr);
}

fn context() -> TestContext {
    with_fixture(&["plugins0", "workspace0"])
}

fn mkfifo(path: &std::path::Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn a_broken_lock_file() {
    let context = context();
    context.write("Cargo.lock", "<<<<<<< HEAD\n[[package]]\nname = \"serde\n");
    still_works(
        &context,
        3,
        expect![[r#"
            error: unresolved merge conflict
             --> $WORKSPACE/Cargo.lock:1:1
              |
            1 | <<<<<<< HEAD
              | ^^^^^^^
              |
              = help: resolve the conflict, or run `cargo generate-lockfile` to recreate the file

        "#]],
    );
}

/// In the middle of a merge no version is known, so nothing is installed, chosen or locked for another one.
#[test]
fn a_broken_lock_file_changes_nothing() {
    let context = with_fixture(&["workspace0"]);
    let cargo_lock = std::fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap();
    let manifest = std::fs::read_to_string(context.workspace().join("Cargo.toml")).unwrap();
    let rand = "\n[[package]]\nname = \"rand\"\nversion = \"0.9.5\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n";
    let cargo_lock = cargo_lock.replace(" \"serde\",\n", " \"rand\",\n \"serde\",\n") + rand;
    context.write("Cargo.toml", manifest.replace("[dependencies]\n", "[dependencies]\nrand = \">=0.8, <0.10\"\n"));
    context.write("Cargo.lock", &cargo_lock);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["sync", "--lock"]).expect(0);
    assert!(context.workspace().join(".claude/skills/rand-0-9").exists());
    context.settle();
    context.write("Cargo.lock", format!("<<<<<<< HEAD\n{cargo_lock}"));
    let ours = [".symposium", ".claude"].map(|directory| context.workspace().join(directory));
    let before = ours.clone().map(|directory| context.tree(&directory));
    let synced = context.invoke(&["sync"]);
    assert_eq!(synced.code, 3, "{synced:?}");
    let start = serde_json::json!({"session_id": "s", "source": "startup", "cwd": context.workspace()}).to_string();
    let told = context.invoke_hook("claude", "session-start", &start).expect(0);
    assert!(!told.contains("rand 0.8.0"), "{told}");
    assert_eq!(ours.map(|directory| context.tree(&directory)), before, "{synced:?}");
    let shown = context.invoke(&["crate", "rand"]);
    assert!(shown.stdout.contains("assumed, because Cargo.lock cannot be read"), "{shown:?}");
    context.write("Cargo.lock", &cargo_lock);
    context.settle();
    context.invoke(&["sync", "--check"]).expect(0);
}

#[test]
fn a_manifest_of_the_workspace_that_is_not_toml() {
    let context = context();
    context.write("Cargo.toml", "[package\n");
    still_works(
        &context,
        3,
        expect![[r#"
            error: not valid TOML: unclosed table, expected `]`
             --> $WORKSPACE/Cargo.toml:1:9
              |
            1 | [package
              |         ^
              |
              = help: correct the syntax here

        "#]],
    );
}

#[test]
fn a_configuration_that_is_not_toml_is_never_rewritten() {
    let context = context();
    context.write(".symposium/config.toml", "[skills\nserde = true\n");
    still_works(
        &context,
        3,
        expect![[r#"
            error: not valid TOML: unclosed table, expected `]`
             --> $WORKSPACE/.symposium/config.toml:1:8
              |
            1 | [skills
              |        ^
              |
              = help: correct the syntax here

            help: $WORKSPACE/.symposium/config.toml: fix the file; until then, its settings are unknown and Symposium does not write to it
        "#]],
    );
    let kept = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    assert_eq!(kept, "[skills\nserde = true\n");
}

#[test]
fn a_plugin_manifest_that_is_not_toml() {
    let context = context();
    context.write_config("plugins/broken/symposium.toml", "name = broken\n");
    still_works(
        &context,
        3,
        expect![[r#"
            error: $CONFIG_DIR/plugins/broken/symposium.toml:1:8: not valid TOML: string values must be quoted, expected literal string
            help: put text in double quotes
        "#]],
    );
}

#[test]
fn a_yaml_bomb_and_a_huge_skill_and_bytes_that_are_no_text() {
    let context = context();
    let mut bomb = String::from("---\nname: bomb\na0: &a0 [x,x,x,x,x,x,x,x,x]\n");
    for level in 1..9 {
        let inner = vec![format!("*a{}", level - 1); 9].join(",");
        bomb.push_str(&format!("a{level}: &a{level} [{inner}]\n"));
    }
    bomb.push_str("description: *a8\n---\nbody\n");
    context.write_config("plugins/bomb/SKILL.md", bomb);
    context.write_config("plugins/huge/SKILL.md", vec![b'x'; 50 * 1024 * 1024]);
    context.write_config("plugins/latin/SKILL.md", b"---\nname: latin\ndescription: caf\xe9\n---\n");
    still_works(
        &context,
        0,
        expect![[r#"
            warning: $CONFIG_DIR/plugins/bomb/SKILL.md:3:9: skipped this skill: the frontmatter is not read: anchors (`&x`) and aliases (`*x`) are not supported; write plain `key: value` lines; put a value that begins with `&` or `*` in quotes
            warning: $CONFIG_DIR/plugins/huge/SKILL.md: skipped this skill: larger than 2097152 bytes; replace it with a text file of reasonable size, or remove it
            warning: $CONFIG_DIR/plugins/latin/SKILL.md: skipped this skill: not UTF-8 at byte 32; replace it with a text file of reasonable size, or remove it
        "#]],
    );
}

#[test]
fn links_that_loop_or_lead_out_or_nowhere() {
    let context = context();
    let plugins = context.config_dir().join("plugins");
    symlink(&plugins, plugins.join("loop")).unwrap();
    symlink("/etc", plugins.join("out")).unwrap();
    symlink("nothing-here", plugins.join("nowhere")).unwrap();
    symlink("self", plugins.join("self")).unwrap();
    still_works(
        &context,
        0,
        expect![[r#"
            warning: $CONFIG_DIR/plugins/loop: skipped: a link back to the source itself
            warning: $CONFIG_DIR/plugins/nowhere: skipped: a broken link: no such file or directory
            warning: $CONFIG_DIR/plugins/out: skipped: a link to a place outside the source; copy its target into the source, or add it as a source
            warning: $CONFIG_DIR/plugins/self: skipped: a broken link: Too many levels of symbolic links (os error 40)
        "#]],
    );
}

/// Sixty directories, each with links to all the others.
#[test]
fn links_that_cross_each_other_do_not_multiply() {
    let context = context();
    let crossed = context.config_dir().join("plugins/crossed");
    for one in 0..60 {
        let directory = crossed.join(format!("d{one}"));
        std::fs::create_dir_all(&directory).unwrap();
        for other in (0..60).filter(|other| *other != one) {
            symlink(format!("../d{other}"), directory.join(format!("l{other}"))).unwrap();
        }
    }
    let grouped = context.config_dir().join("plugins/grouped");
    std::fs::create_dir(&grouped).unwrap();
    std::fs::write(grouped.join("symposium.toml"), "name = \"g\"\n[[skills]]\nsource.path = \"../crossed\"\n").unwrap();
    still_works(&context, 0, expect![[""]]);
}

#[test]
fn fifos_where_files_are_expected() {
    let context = context();
    mkfifo(&context.config_dir().join("plugins/pipe.toml"));
    std::fs::create_dir(context.config_dir().join("plugins/fifo")).unwrap();
    mkfifo(&context.config_dir().join("plugins/fifo/SKILL.md"));
    mkfifo(&context.workspace().join("Cargo.lock.fifo"));
    still_works(
        &context,
        0,
        expect![[r#"
            warning: $CONFIG_DIR/plugins/pipe.toml: skipped: neither a file nor a directory
            warning: $CONFIG_DIR/plugins/fifo/SKILL.md: skipped: neither a file nor a directory
        "#]],
    );
    std::fs::remove_file(context.workspace().join("Cargo.lock")).unwrap();
    mkfifo(&context.workspace().join("Cargo.lock"));
    let output = context.invoke(&["crate", "--list"]);
    assert_ne!(output.code, 101);
    assert!(output.stderr.contains("Cargo.lock"), "{}", output.stderr);
}

#[test]
fn a_configuration_that_is_a_fifo_or_a_directory() {
    let context = context();
    std::fs::create_dir(context.workspace().join(".symposium")).unwrap();
    mkfifo(&context.workspace().join(".symposium/config.toml"));
    let output = context.invoke(&["crate", "--list"]);
    assert!(output.stdout.contains("serde-basics"), "{output:?}");
    assert!(output.stderr.contains("config.toml: cannot read this configuration: not a regular file"), "{output:?}");
    let other = with_fixture(&["workspace0"]);
    std::fs::create_dir_all(other.config_dir().join("config.toml")).unwrap();
    let output = other.invoke(&["crate", "--list"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("config.toml"), "{}", output.stderr);
}

#[test]
fn directories_that_cannot_be_listed() {
    let context = context();
    let closed = context.config_dir().join("plugins/closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o000)).unwrap();
    let output = context.invoke(&["crate", "--list"]);
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o700)).unwrap();
    assert!(output.stdout.contains("serde-basics"), "{output:?}");
    // The superuser can list it all the same.
    assert!(output.stderr.is_empty() || output.stderr.contains("plugins/closed"), "{}", output.stderr);
}

#[test]
fn a_directory_that_is_gone_is_not_a_bug() {
    let context = context();
    let gone = context.root().join("gone");
    std::fs::create_dir(&gone).unwrap();
    let script = format!("cd {0} && rmdir {0} && exec \"$1\" crate --list", gone.display());
    let output = std::process::Command::new("sh")
        .args(["-c", &script, "sh", env!("CARGO_BIN_EXE_symposium")])
        .env("SYMPOSIUM_HOME", context.config_dir())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
}

#[test]
fn a_reader_that_goes_away_is_not_an_error() {
    let context = context();
    let script = "\"$1\" man | head -n 1 >/dev/null; exec \"$1\" start | head -c 10";
    let output = std::process::Command::new("bash")
        .args(["-o", "pipefail", "-c", script, "bash", env!("CARGO_BIN_EXE_symposium")])
        .current_dir(context.workspace())
        .env("SYMPOSIUM_HOME", context.config_dir())
        .output()
        .unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}
