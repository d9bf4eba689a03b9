//! Plans as `sync` will compile them, until it does.
#![expect(clippy::indexing_slicing, reason = "the keys of a value that was just made")]

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use serde_json::{Value, json};

use super::home::Home;

fn stamp(path: &Path) -> Value {
    let state = fs::metadata(path).ok().map(|found| {
        json!({"size": found.size(), "modified": found.mtime() * 1_000_000_000 + found.mtime_nsec(), "inode": found.ino()})
    });
    match state {
        Some(state) => json!({"path": path, "state": state}),
        None => json!({"path": path}),
    }
}

/// Writes them.
pub(super) fn write(home: &Home) -> io::Result<()> {
    let project = home.project();
    let ours = home.directory.join(".symposium");
    let name = project.display().to_string();
    let hash = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let plans = ours.join("cache/plans").join(format!("{hash:016x}"));
    fs::create_dir_all(&plans)?;
    let mut stamps = vec![
        stamp(&ours.join("config.toml")),
        stamp(&project.join(".symposium/config.toml")),
        stamp(&ours.join("plugins")),
    ];
    for number in 0..2 {
        stamps.push(stamp(&ours.join(format!("plugins/plugin-{number:05}/symposium.toml"))));
    }
    for event in ["pre-tool-use", "post-tool-use", "user-prompt-submit", "stop"] {
        let mut plan = json!({
            "version": 1, "workspace": project, "cargo_lock": stamp(&project.join("Cargo.lock")), "stamps": stamps,
            "global": ["claude"], "registered": ["claude"], "auto_sync": true,
        });
        if event.ends_with("tool-use") {
            let handler = |number: usize| {
                json!({
                    "plugin": format!("plugin-{number:05}"), "name": "hook", "matcher": {"exact": ["WebFetch"]},
                    "run": {"direct": {"program": "true", "args": []}},
                    "directory": ours.join(format!("plugins/plugin-{number:05}")), "format": "symposium", "on_failure": "allow",
                })
            };
            plan["handlers"] = json!([handler(0), handler(1)]);
        }
        if event == "user-prompt-submit" {
            let crates: Vec<Value> = ["anyhow", "serde", "serde_json", "tokio", "tracing"]
                .map(|name| json!({"name": name, "skills": [name]}))
                .into();
            plan["nudges"] = json!({"interval": 5, "crates": crates});
        }
        fs::write(plans.join(format!("{event}.json")), plan.to_string())?;
    }
    Ok(())
}
