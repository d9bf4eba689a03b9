//! Logs of slow commands.

use crate::with_fixture;

fn logs(context: &symposium_testkit::TestContext) -> Vec<std::path::PathBuf> {
    let directory = context.config_dir().join("logs");
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn a_command_that_reads_sources_leaves_a_private_log_and_the_newest_stay() {
    use std::os::unix::fs::PermissionsExt;
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write_config("logs/notes.txt", "not ours");
    for number in 0..25 {
        context.write_config(&format!("logs/symposium-20200101-0000{number:02}-1.log"), "old");
    }
    context.invoke(&["crate", "--list"]).expect(0);
    let logs = logs(&context);
    assert_eq!(logs.iter().filter(|path| path.extension().unwrap() == "log").count(), 20);
    assert!(context.config_dir().join("logs/notes.txt").exists());
    let newest = logs.last().unwrap();
    assert_eq!(std::fs::metadata(newest).unwrap().permissions().mode() & 0o777, 0o600);
    let text = std::fs::read_to_string(newest).unwrap();
    assert!(text.contains("read source") && text.contains("user-plugins"), "{text}");
}

#[test]
fn hooks_and_quick_commands_write_no_log() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.invoke_hook("claude", "pre-tool-use", "{}").expect(0);
    context.invoke(&["config", "path"]).expect(0);
    context.invoke(&["--help"]).expect(0);
    assert!(logs(&context).is_empty());
}

#[test]
fn a_home_that_cannot_be_written_is_no_obstacle() {
    let mut context = with_fixture(&["workspace0"]);
    context.set("SYMPOSIUM_HOME", "/proc/symposium");
    let output = context.invoke(&["crate", "--list"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    assert!(output.stdout.contains("serde"));
    assert!(context.invoke(&["crate", "serde"]).expect(0).contains("# Skill `serde`"));
}

#[test]
fn the_level_is_a_setting() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write_config("config.toml", "[logging]\nlevel = \"error\"\n");
    std::fs::create_dir(context.config_dir().join("logs")).unwrap();
    context.invoke(&["crate", "--list"]).expect(0);
    assert_eq!(std::fs::read_to_string(logs(&context).last().unwrap()).unwrap(), "");
}

/// Each level adds something that answers a question: which skill was chosen and why, then which files were read.
#[test]
fn more_detailed_levels_say_more() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let log_at = |level: &str| {
        context.write_config("config.toml", format!("[agent]\nname = \"claude\"\n\n[logging]\nlevel = \"{level}\"\n"));
        let _ = std::fs::remove_dir_all(context.workspace().join(".claude"));
        context.invoke(&["sync"]).expect(0);
        std::fs::read_to_string(logs(&context).last().unwrap()).unwrap()
    };
    let (info, debug, trace) = (log_at("info"), log_at("debug"), log_at("trace"));
    assert!(!info.contains("DEBUG") && !debug.contains("TRACE"));
    for word in ["DEBUG", "config.toml", "skill=\"serde\"", "state="] {
        assert!(debug.contains(word), "{word}\n{debug}");
    }
    for word in ["TRACE", "Cargo.lock"] {
        assert!(trace.contains(word), "{word}\n{trace}");
    }
    assert!(trace.lines().count() > debug.lines().count() && debug.lines().count() > info.lines().count());
}
