//! Killed at any moment, or run many times at once: settings are the old ones or the new ones, never torn.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use symposium_testkit::TestContext;

use crate::with_fixture;

const FOREIGN: &str = "{\n  \"permissions\": { \"deny\": [\"Bash(rm *)\"] },\n  \"hooks\": { \"Stop\": [] }\n}\n";

fn start(context: &TestContext, args: &[&str]) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_symposium"))
        .args(args)
        .current_dir(context.workspace())
        .env_clear()
        .env("SYMPOSIUM_TEST_WITHOUT_ANCESTORS", "1")
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", context.root().join("home"))
        .env("SYMPOSIUM_HOME", context.config_dir())
        .env("SYMPOSIUM_OFFLINE", "1")
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

/// Thirty-two runs of ours while another program keeps rewriting the same settings, as agents do: it reads the file,
/// changes its own key, and renames a new file into place.
#[test]
fn another_program_rewriting_the_settings_loses_nothing_and_costs_us_nothing() {
    let context = with_fixture(&["workspace0"]);
    let settings = context.root().join("home/.claude/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    std::fs::write(&settings, FOREIGN).unwrap();
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    let done = AtomicBool::new(false);
    let rounds = std::thread::scope(|scope| {
        let foreign = scope.spawn(|| {
            let (mut rounds, mut glimpses) = (0_u64, 0);
            while !done.load(Ordering::Relaxed) {
                let seen = std::fs::read_to_string(&settings).unwrap();
                let mut value: serde_json::Value = serde_json::from_str(&seen).expect("never torn");
                let counted = value["counter"].as_u64().unwrap_or(0);
                // What it wrote last may be out of the file for a moment, while ours goes back; never for good.
                if counted != rounds {
                    glimpses += 1;
                    assert!(glimpses < 1000, "{rounds} was written, {counted} is there");
                    std::thread::sleep(Duration::from_millis(1));
                    continue;
                }
                glimpses = 0;
                value["counter"] = (rounds + 1).into();
                let aside = settings.with_extension("theirs");
                std::fs::write(&aside, serde_json::to_string_pretty(&value).unwrap()).unwrap();
                // It looks whether the file is still the one it read, as careful programs do.
                if std::fs::read_to_string(&settings).unwrap() == seen {
                    std::fs::rename(&aside, &settings).unwrap();
                    rounds += 1;
                }
                std::thread::sleep(Duration::from_millis(3));
            }
            rounds
        });
        let children: Vec<_> = (0..32).map(|_| start(&context, &["sync"])).collect();
        for mut child in children {
            assert_eq!(child.wait().unwrap().code(), Some(0));
        }
        done.store(true, Ordering::Relaxed);
        foreign.join().unwrap()
    });
    context.invoke(&["sync"]).expect(0);
    let value: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&settings).unwrap()).unwrap();
    assert_eq!(value["counter"].as_u64(), Some(rounds).filter(|rounds| *rounds > 0));
    assert_eq!(value["permissions"]["deny"][0], "Bash(rm *)");
    assert_eq!(value["hooks"]["PreToolUse"].as_array().unwrap().len(), 1);
}
