//! An agent that reads files, and the crates that the hook tells it about.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// A home in which every crate has a skill.
pub(super) struct ToldAgent<'a> {
    program: &'a Path,
    repository: &'a Path,
    home: tempfile::TempDir,
}

impl<'a> ToldAgent<'a> {
    pub(super) fn new(program: &'a Path, repository: &'a Path, crates: &BTreeSet<&str>) -> Result<Self, String> {
        let home = tempfile::tempdir().map_err(|error| error.to_string())?;
        let write = |path: PathBuf, text: String| {
            let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
            written.map_err(|error| format!("{}: {error}", path.display()))
        };
        let ours = home.path().join(".symposium");
        write(ours.join("config.toml"), "[defaults]\nbuiltin = false\nsymposium-recommendations = false\n".to_owned())?;
        for name in crates {
            let skill =
                format!("---\nname: about-{}\ndescription: D\ncrates: {name}\n---\nB\n", name.replace('_', "-"));
            write(ours.join("plugins").join(format!("about-{name}")).join("SKILL.md"), skill)?;
        }
        Ok(Self { program, repository, home })
    }

    /// Reads a file in a session of its own, until nothing more is told.
    pub(super) fn read_file(&self, file: &Path) -> BTreeSet<String> {
        let mut told = BTreeSet::new();
        loop {
            let context = self.tell(file);
            let before = told.len();
            for line in context.lines().filter(|line| line.ends_with(": D")) {
                told.extend(line.split(' ').next().map(str::to_owned));
            }
            if told.len() == before {
                return told;
            }
        }
    }

    fn tell(&self, file: &Path) -> String {
        let payload = json!({
            "session_id": file, "cwd": self.repository, "hook_event_name": "PostToolUse", "transcript_path": "/t",
            "tool_name": "Read", "tool_input": {"file_path": file}, "tool_response": {"type": "text"},
        });
        let mut command = Command::new(self.program);
        command.args(["hook", "claude", "post-tool-use"]).current_dir(self.repository);
        command.env_clear().env("HOME", self.home.path()).env("PATH", "/usr/bin:/bin");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else { return String::new() };
        if let Some(mut input) = child.stdin.take() {
            let _ = input.write_all(payload.to_string().as_bytes());
        }
        let answer = child.wait_with_output().map(|output| output.stdout).unwrap_or_default();
        let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
        let context = answer.pointer("/hookSpecificOutput/additionalContext").and_then(Value::as_str);
        context.unwrap_or_default().to_owned()
    }
}
