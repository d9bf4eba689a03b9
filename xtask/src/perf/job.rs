//! What a program is asked to do: its words, its input, and where it runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// One call of a program.
#[derive(Debug, Clone)]
pub(super) struct Job {
    /// How it is called in tables.
    pub(super) title: String,
    pub(super) home: PathBuf,
    pub(super) directory: PathBuf,
    /// The file for standard input.
    pub(super) input: PathBuf,
    /// The words after the program.
    pub(super) args: Vec<String>,
}

impl Job {
    /// The call, with `program` as its first words.
    pub(super) fn command(&self, program: &[&Path]) -> Result<Command, String> {
        let (first, rest) = program.split_first().ok_or("there is no program to run")?;
        let input = fs::File::open(&self.input).map_err(|error| format!("`{}`: {error}", self.input.display()))?;
        let mut command = Command::new(first);
        command.args(rest).args(&self.args).current_dir(&self.directory).stdin(input);
        command.env_clear().envs(environment(&self.directory)).env("HOME", &self.home);
        Ok(command)
    }

    /// Runs it and waits for its end.
    pub(super) fn run(&self, program: &[&Path]) -> Result<Output, String> {
        let about = |error: std::io::Error| format!("`{}` does not start: {error}", self.title);
        self.command(program)?.stdout(Stdio::piped()).stderr(Stdio::piped()).output().map_err(about)
    }

    /// Its line in the meter's list, for a program.
    pub(super) fn line(&self, program: &Path) -> String {
        let places = [&self.home, &self.directory, &self.input].map(|path| path.display().to_string());
        let words = places.into_iter().chain([program.display().to_string()]).chain(self.args.iter().cloned());
        words.collect::<Vec<_>>().join("\t") + "\n"
    }
}

/// The variables of an agent's children, except for the home directory. Their number is a usual one.
fn environment(project: &Path) -> Vec<(String, String)> {
    let filling = (0..32).map(|number| (format!("VARIABLE_{number:02}"), "the value of a variable".to_owned()));
    let directories = ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "COPILOT_PROJECT_DIR", "CURSOR_PROJECT_DIR"];
    let directories = directories.map(|name| (name.to_owned(), project.display().to_string()));
    // As long as paths of developers are: every entry is a place where a program may be looked for.
    let path = "/opt/node/bin:/opt/cargo/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    // Nothing is indexed in the background while something is measured.
    let usual = [("PATH", path), ("LANG", "C.UTF-8"), ("TERM", "dumb"), ("CI", "true")];
    let usual = usual.map(|(name, value)| (name.to_owned(), value.to_owned()));
    filling.chain(directories).chain(usual).collect()
}
