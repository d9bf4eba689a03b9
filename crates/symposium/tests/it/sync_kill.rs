//! Killed at any moment, or run many times at once: settings are the old ones or the new ones, never torn.

use std::process::{Command, Stdio};
use std::time::Duration;

use symposium_testkit::TestContext;

use crate::with_fixture;

const FOREIGN: &str = "{\n  \"permissions\": { \"deny\": [\"Bash(rm *)\"] },\n  \"hooks\": { \"Stop\": [] }\n}\n";

fn start(context: &TestContext, args: &[&str]) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_symposium"))
        .args(args)
        .current_dir(context.workspace())
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", context.root().join("home"))
        .env("SYMPOSIUM_HOME", context.config_dir())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// How many kills: enough to notice a fault on every run; `SYMPOSIUM_TEST_KILLS` asks for more.
fn kills() -> u32 {
    std::env::var("SYMPOSIUM_TEST_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(60)
}

#[test]
fn killed_at_any_moment_the_settings_are_whole_and_the_next_run_repairs() {
    let context = with_fixture(&["workspace0"]);
    let settings = context.root().join("home/.claude/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    std::fs::write(&settings, FOREIGN).unwrap();
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "codex"]).expect(0);
    let registered = std::fs::read_to_string(&settings).unwrap();
    assert_ne!(registered, FOREIGN);
    for round in 0..kills() {
        let args: &[&str] =
            if round % 2 == 0 { &["uninstall", "--yes"] } else { &["init", "--yes", "--agent", "claude"] };
        let mut child = start(&context, args);
        // Different moments of a run that takes some tens of milliseconds; no randomness, so that a fault can be found.
        std::thread::sleep(Duration::from_micros(u64::from(round) * 7_919 % 40_000));
        let _ = child.kill();
        child.wait().unwrap();
        let text = std::fs::read_to_string(&settings).unwrap();
        assert!(text == FOREIGN || text == registered, "round {round}: {text}");
    }
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "codex"]).expect(0);
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), registered);
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), FOREIGN);
    let left = context.tree(context.workspace());
    assert!(![".claude", ".agents", ".symposium"].iter().any(|name| left.contains(name)), "{left}");
}

#[test]
fn many_at_once_end_as_one() {
    let context = with_fixture(&["workspace0"]);
    let settings = context.root().join("home/.claude/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    std::fs::write(&settings, FOREIGN).unwrap();
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    let children: Vec<_> = (0..32).map(|_| start(&context, &["sync"])).collect();
    for mut child in children {
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    let text = std::fs::read_to_string(&settings).unwrap();
    assert_eq!(text.matches("hook claude pre-tool-use").count(), 1, "{text}");
    assert!(text.contains("Bash(rm *)"));
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);
}
