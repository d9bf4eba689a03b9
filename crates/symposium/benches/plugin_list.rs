//! What `symposium plugin list` costs with a source of 10 000 plugins. Budget: well under a second of CPU.
//!
//! Linux only: the CPU of the child is read from `/proc`, in ticks of 10 ms.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark writes its own source and prints what it measured"
)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const PLUGINS: usize = 10_000;
const RUNS: u32 = 5;

fn main() {
    let directory = tempfile::tempdir().unwrap();
    let source = directory.path().join("source");
    for number in 0..PLUGINS {
        write_plugin(&source, number);
    }
    for command in [&["plugin", "list"][..], &["crate", "--list"]] {
        measure(directory.path(), &source, command);
    }
}

fn write_plugin(source: &Path, number: usize) {
    let plugin = source.join(format!("plugin-{number:05}"));
    let skill = plugin.join("skills/basics");
    std::fs::create_dir_all(&skill).unwrap();
    let manifest = format!(
        "name = \"plugin-{number:05}\"\n\n[[skills]]\ncrates = [\"crate-{number}>=1.0\"]\nsource.path = \"skills\"\n\n\
         [[hooks]]\nname = \"check\"\nevent = \"PreToolUse\"\nmatcher = \"Bash\"\ncommand = \"true\"\n"
    );
    std::fs::write(plugin.join("symposium.toml"), manifest).unwrap();
    let body = "What to know about it, in some lines of text.\n".repeat(40);
    let text = format!("---\nname: skill-{number}\ndescription: Use when working with crate-{number}.\n---\n{body}");
    std::fs::write(skill.join("SKILL.md"), text).unwrap();
}

fn measure(home: &Path, source: &Path, command: &[&str]) {
    let (ticks, start) = (child_ticks(), Instant::now());
    for _ in 0..RUNS {
        let status = Command::new(env!("CARGO_BIN_EXE_symposium"))
            .arg("--source")
            .arg(source)
            .args(command)
            .current_dir(home)
            .env("SYMPOSIUM_HOME", home.join("symposium"))
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success());
    }
    let cpu = (child_ticks() - ticks) * 10 / u64::from(RUNS);
    let wall = start.elapsed() / RUNS;
    println!("{PLUGINS} plugins, `symposium {}`: {cpu} ms of CPU, {wall:.0?} of wall time", command.join(" "));
}

/// CPU ticks of all children that ended, user and system.
fn child_ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let after_name = stat.rsplit_once(')').unwrap().1;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    // Fields 16 and 17 of proc(5), counted from the state, which is field 3.
    fields.iter().skip(13).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum()
}
