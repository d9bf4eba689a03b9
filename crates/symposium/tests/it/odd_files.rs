//! A pipe, a socket, a directory or a device where a file is looked for: nothing waits for it, and no policy is lost.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;
use symposium_testkit::TestContext;

use crate::policy::{forced_push, is_denied, with_policy};

/// No event takes longer, on a busy machine.
const LIMIT: Duration = Duration::from_secs(9);

const KINDS: [&str; 5] = ["fifo", "socket", "directory", "endless", "nowhere"];

/// Puts something that is no file in the place of one.
fn put(kind: &str, path: &Path) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    // What goes on in the background may write it anew in between.
    for _ in 0..20 {
        let _ = std::fs::remove_file(path);
        let _ = std::fs::remove_dir_all(path);
        let done = match kind {
            "fifo" => Command::new("mkfifo").arg(path).stderr(std::process::Stdio::null()).status().unwrap().success(),
            "socket" => std::os::unix::net::UnixListener::bind(path).is_ok(),
            "directory" => std::fs::create_dir(path).is_ok(),
            "endless" => std::os::unix::fs::symlink("/dev/zero", path).is_ok(),
            _ => std::os::unix::fs::symlink("/nowhere/at/all", path).is_ok(),
        };
        if done {
            return;
        }
    }
    panic!("no {kind} as {}", path.display());
}

fn events(context: &TestContext) -> [(&'static str, String); 4] {
    let cwd = context.workspace();
    [
        ("session-start", json!({"session_id": "s", "cwd": cwd, "source": "startup"}).to_string()),
        ("user-prompt-submit", json!({"session_id": "s", "cwd": cwd, "prompt": "use serde"}).to_string()),
        ("pre-tool-use", forced_push(context)),
        (
            "post-tool-use",
            json!({"session_id": "s", "cwd": cwd, "tool_name": "Bash", "tool_input": {"command": "symposium skill serde"},
                "tool_response": {}})
            .to_string(),
        ),
    ]
}

fn answers(context: &TestContext, what: &str) {
    for (event, payload) in events(context) {
        let start = Instant::now();
        let through = ["timeout", "60"];
        let output = run(context, &through, event, &payload);
        assert!(start.elapsed() < LIMIT, "{what}, {event}: {:?}", start.elapsed());
        assert_eq!(output.code, 0, "{what}, {event}: {output:?}");
        assert!(event != "pre-tool-use" || is_denied(&output), "{what}: {output:?}");
    }
}

fn run(context: &TestContext, through: &[&str], event: &str, payload: &str) -> symposium_testkit::Output {
    let file = context.root().join("event.json");
    std::fs::write(&file, payload).unwrap();
    let line = format!("exec \"$@\" hook claude {event} < '{}'", file.display());
    let mut words = through.to_vec();
    words.extend(["sh", "-c", &line, "sh"]);
    context.invoke_through(&words, &[])
}

/// Every file we read or write on an event, in our own directories.
#[test]
fn no_file_of_ours_need_be_one() {
    let context = with_policy();
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    answers(&context, "as it should be");
    let home = context.config_dir().to_owned();
    let mut files: Vec<PathBuf> = Vec::new();
    for directory in ["", "sessions", "logs", "cache", "cache/index"] {
        let entries = std::fs::read_dir(home.join(directory)).into_iter().flatten().flatten();
        files.extend(entries.map(|entry| entry.path()).filter(|path| path.is_file()));
    }
    for plans in std::fs::read_dir(home.join("cache/plans")).unwrap().flatten() {
        files.extend(std::fs::read_dir(plans.path()).unwrap().map(|entry| entry.unwrap().path()));
        files.push(plans.path().join("sync.lock"));
    }
    files.extend(
        ["trust.json", "sessions/newest-version", "sessions/sources-fetched", "sessions/told-rtk"]
            .map(|f| home.join(f)),
    );
    files.sort();
    files.dedup();
    assert!(files.iter().any(|file| file.ends_with("ledger.json")), "{files:?}");
    assert!(files.iter().any(|file| file.ends_with("session-start.json")), "{files:?}");
    for file in files {
        for kind in KINDS {
            let text = std::fs::read(&file).ok();
            put(kind, &file);
            answers(&context, &format!("{kind} as {}", file.display()));
            let _ = std::fs::remove_file(&file);
            let _ = std::fs::remove_dir_all(&file);
            if let Some(text) = text {
                std::fs::write(&file, text).unwrap();
            }
        }
    }
}

/// Every file of a project that we look at.
#[test]
fn no_file_of_a_project_need_be_one() {
    let context = with_policy();
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"own\"\npath = \"plugins\"\n");
    context.write(
        "plugins/one/symposium.toml",
        "name = \"one\"\n[[hooks]]\nname = \"h\"\nevent = \"Stop\"\ncommand = \"./h.sh\"\n",
    );
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    for file in [
        ".symposium/config.toml",
        ".symposium/symposium.lock",
        "symposium.lock",
        "Cargo.lock",
        "Cargo.toml",
        "plugins/one/symposium.toml",
        "plugins/one/h.sh",
        "plugins/one/skills/s/SKILL.md",
        "plugins/two/SKILL.md",
        "rust-toolchain.toml",
        ".claude/settings.json",
        ".claude/settings.local.json",
        ".mcp.json",
        ".gitignore",
        "rustfmt.toml",
        ".cargo/config.toml",
    ] {
        let path = context.workspace().join(file);
        for kind in KINDS {
            let text = std::fs::read(&path).ok();
            put(kind, &path);
            answers(&context, &format!("{kind} as {file}"));
            let _ = std::fs::remove_file(&path);
            let _ = std::fs::remove_dir_all(&path);
            if let Some(text) = text {
                std::fs::write(&path, text).unwrap();
            }
        }
    }
}
