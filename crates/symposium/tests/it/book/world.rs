//! A fresh home in which the blocks of a page are run, one after the other, as a reader would.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use symposium_testkit::TestContext;

use crate::{set_mode, with_fixture};

pub(super) struct World {
    context: TestContext,
    here: PathBuf,
    path: String,
}

impl World {
    pub(super) fn new(fixtures: &[String]) -> Self {
        let (agents, names): (Vec<&str>, Vec<&str>) =
            fixtures.iter().map(String::as_str).partition(|name| name.starts_with("agent:"));
        let context = with_fixture(&names);
        let bin = context.root().join("bin");
        fs::create_dir_all(&bin).unwrap();
        for program in [env!("CARGO_BIN_EXE_symposium"), env!("CARGO_BIN_EXE_cargo-agents")] {
            let name = Path::new(program).file_name().unwrap();
            if fs::hard_link(program, bin.join(name)).is_err() {
                fs::copy(program, bin.join(name)).unwrap();
            }
        }
        for agent in agents {
            let program = bin.join(agent.trim_start_matches("agent:"));
            fs::write(&program, "#!/bin/sh\necho 1.2.3\n").unwrap();
            set_mode(&program, 0o755);
        }
        // The toolchain's programs, but no agent of this machine.
        let cargo = PathBuf::from(env!("CARGO"));
        let path = format!("{}:{}:/usr/bin:/bin", bin.display(), cargo.parent().unwrap().display());
        // Who brings no workspace begins at home.
        let here = if names.is_empty() { context.root().join("home") } else { context.workspace().to_owned() };
        Self { context, here, path }
    }

    pub(super) fn write(&self, path: &str, text: &str) {
        let path = match path.strip_prefix("~/") {
            Some(below) => self.context.root().join("home").join(below),
            None => self.here.join(path),
        };
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        if text.starts_with("#!") {
            set_mode(&path, 0o755);
        }
    }

    /// Runs the commands of a block and compares what they print with what it shows.
    pub(super) fn console(&mut self, text: &str, exit: i32) -> Vec<String> {
        let mut faults = Vec::new();
        let steps = steps(text);
        if steps.is_empty() {
            faults.push("no line begins with `$ `".to_owned());
        }
        let last = steps.len().saturating_sub(1);
        for (index, (command, shown)) in steps.into_iter().enumerate() {
            if let Some(directory) = command.strip_prefix("cd ") {
                let target = directory.replace('~', &self.context.root().join("home").display().to_string());
                self.here = self.here.join(target).canonicalize().unwrap();
                continue;
            }
            let (code, printed) = self.run(&command);
            let wanted = if index == last { exit } else { 0 };
            if code != wanted {
                faults.push(format!("`{command}` ended with {code}, not {wanted}:\n{printed}"));
            } else if !shown.is_empty() && !fits(&shown, &printed) {
                faults.push(format!("`{command}` printed\n{printed}--- but the book shows\n{}", shown.join("\n")));
            }
        }
        faults
    }

    pub(super) fn script(&mut self, text: &str) -> Vec<String> {
        let (code, printed) = self.run(&format!("set -e\n{text}"));
        if code == 0 { Vec::new() } else { vec![format!("ended with {code}:\n{printed}")] }
    }

    /// Runs what a workflow of continuous integration runs, but for what it installs and fetches: there is no network.
    pub(super) fn workflow(&mut self, text: &str) -> Vec<String> {
        let commands = text.lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("run: "));
        let commands: Vec<&str> = commands
            .filter(|command| !command.starts_with("cargo install") && *command != "symposium plugin sync")
            .collect();
        if commands.is_empty() {
            return vec!["it runs nothing".to_owned()];
        }
        commands.into_iter().flat_map(|command| self.script(command)).collect()
    }

    pub(super) fn check_skill(&self, name: &str, text: &str) -> (i32, String) {
        let path = self.context.root().join("skills-of-the-book").join(name).join("SKILL.md");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        self.run(&format!("symposium skill check '{}'", path.display()))
    }

    pub(super) fn run(&self, command: &str) -> (i32, String) {
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .current_dir(&self.here)
            .env_clear()
            .env("SYMPOSIUM_TEST_WITHOUT_ANCESTORS", "1")
            .env("PATH", &self.path)
            .env("HOME", self.context.root().join("home"))
            .env("LANG", "C.UTF-8")
            .env("CARGO_HOME", self.context.root().join("cargo-home"))
            .env("CARGO_NET_OFFLINE", "true")
            .env("SYMPOSIUM_OFFLINE", "1")
            .envs(["RUSTUP_HOME", "RUSTUP_TOOLCHAIN"].iter().filter_map(|name| Some((name, std::env::var_os(name)?))))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        // As people see it: what lies at home and where they work.
        let home = self.context.root().join("home").display().to_string();
        let printed = printed.replace(&home, "~").replace(&self.here.display().to_string(), "$PWD");
        (output.status.code().unwrap_or(-1), printed)
    }
}

/// The commands of a block with the lines below each.
fn steps(text: &str) -> Vec<(String, Vec<String>)> {
    let mut steps: Vec<(String, Vec<String>)> = Vec::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            let command = command.split("  # ").next().unwrap_or(command).trim_end().to_owned();
            steps.push((command, Vec::new()));
        } else if let (Some(more), Some((command, shown))) = (line.strip_prefix("> "), steps.last_mut())
            && shown.is_empty()
        {
            command.push('\n');
            command.push_str(more);
        } else if let Some((_, shown)) = steps.last_mut() {
            shown.push(line.trim_end().to_owned());
        }
    }
    for (_, shown) in &mut steps {
        while shown.last().is_some_and(String::is_empty) {
            shown.pop();
        }
    }
    steps
}

/// Whether what was printed is what is shown, where `…` is any text and a line of it any lines.
fn fits(shown: &[String], printed: &str) -> bool {
    let lines: Vec<&str> = printed.trim_end().lines().map(str::trim_end).collect();
    fits_lines(shown, &lines)
}

fn fits_lines(shown: &[String], lines: &[&str]) -> bool {
    match (shown, lines) {
        ([], lines) => lines.is_empty(),
        ([any, rest @ ..], lines) if any == "…" => {
            (0..=lines.len()).any(|skipped| fits_lines(rest, &lines[skipped..]))
        }
        (_, []) => false,
        ([shown, rest @ ..], [line, lines @ ..]) => fits_line(shown, line) && fits_lines(rest, lines),
    }
}

fn fits_line(shown: &str, line: &str) -> bool {
    let mut parts = shown.split('…');
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

#[test]
fn what_is_left_out_fits_anything() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    for (shown, printed, expected) in [
        ("a\nb", "a\nb\n", true),
        ("a\n…", "a\nb\nc\n", true),
        ("…\nc", "a\nb\nc\n", true),
        ("a\n…\nd", "a\nb\nc\n", false),
        ("a … c", "a b b c\n", true),
        ("a … c", "a b\n", false),
        ("a", "a\nb\n", false),
        ("a", "b\n", false),
        ("x…y…z", "x1y2z\n", true),
    ] {
        assert_eq!(fits(&lines(shown), printed), expected, "{shown:?} {printed:?}");
    }
}

#[test]
fn a_block_is_commands_and_what_they_print() {
    let found = steps("$ one  # a remark\nout\n\n$ two \\\n>   three\n");
    assert_eq!(found[0], ("one".to_owned(), vec!["out".to_owned()]));
    assert_eq!(found[1], ("two \\\n  three".to_owned(), Vec::new()));
}
