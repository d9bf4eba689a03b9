//! A person's home directory to measure in: a project, plugins, and Symposium set up by itself.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::cases::Case;

/// Plugins that apply to the project; all others are for crates it does not use.
const ACTIVE: usize = 2;

/// Crates of the project that Symposium knows something about, so that prompts are looked at.
const KNOWN: [(&str, &str); 5] =
    [("anyhow", "1.0.99"), ("serde", "1.0.219"), ("serde_json", "1.0.140"), ("tokio", "1.47.0"), ("tracing", "0.1.41")];

/// Crates of the project besides those.
const PACKAGES: usize = 120;

/// A home directory.
pub(super) struct Home {
    /// Where it is.
    pub(super) directory: PathBuf,
    /// How many plugins the person has.
    pub(super) plugins: usize,
    events: PathBuf,
}

impl Home {
    /// Makes the directory below `base` and sets Symposium up in it by running `program`.
    pub(super) fn create(base: &Path, plugins: usize, program: &Path) -> Result<Self, String> {
        // Names of one length, so that paths cost the same.
        let directory = base.join(format!("home-{plugins:05}"));
        let home = Self { events: directory.join("events"), directory, plugins };
        home.write().map_err(|error| format!("`{}`: {error}", home.directory.display()))?;
        for args in [&["init", "--yes", "--agent", "claude"][..], &["sync"]] {
            let run = home.command(program).args(args).env("SYMPOSIUM_OFFLINE", "1").stdin(Stdio::null()).output();
            let run = run.map_err(|error| format!("`{}` does not start: {error}", program.display()))?;
            if !run.status.success() {
                let said = String::from_utf8_lossy(&run.stderr);
                return Err(format!("`symposium {}` failed with {plugins} plugins: {said}", args.join(" ")));
            }
        }
        Ok(home)
    }

    fn write(&self) -> io::Result<()> {
        let project = self.project();
        fs::create_dir_all(project.join("src"))?;
        fs::create_dir_all(self.directory.join(".claude"))?;
        fs::create_dir_all(&self.events)?;
        fs::write(project.join("src/lib.rs"), "")?;
        fs::write(project.join("Cargo.toml"), manifest())?;
        fs::write(project.join("Cargo.lock"), lock())?;
        let plugins = self.directory.join(".symposium/plugins");
        for number in 0..self.plugins {
            write_plugin(&plugins, number)?;
        }
        Ok(())
    }

    /// The project.
    pub(super) fn project(&self) -> PathBuf {
        self.directory.join("project")
    }

    /// Writes what comes in at each case into files.
    pub(super) fn write_events(&self, repository: &Path, cases: &[Case]) -> Result<(), String> {
        for case in cases {
            let input = case.input(repository, &self.project().display().to_string())?;
            fs::write(self.event(case), input).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// The file with what comes in at a case.
    pub(super) fn event(&self, case: &Case) -> PathBuf {
        self.events.join(format!("{}.json", case.title().replace(' ', "-")))
    }

    /// A program that will run as an agent of this person would run it: in the project, with an environment that is the
    /// same everywhere.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.project()).env_clear().envs(environment(&self.project()));
        command.env("HOME", &self.directory);
        command
    }

    /// Runs a hook as the agent of a case would, with `program` as its first words.
    pub(super) fn hook(&self, program: &[&Path], case: &Case) -> Result<Output, String> {
        let (first, rest) = program.split_first().ok_or("there is no program to run")?;
        let input = fs::File::open(self.event(case)).map_err(|error| error.to_string())?;
        let mut command = self.command(first);
        command.args(rest).args(["hook", case.agent, case.event]).stdin(input);
        command.output().map_err(|error| format!("`{}` does not start: {error}", first.display()))
    }
}

/// The variables of an agent's children, except for the home directory. Their number is a usual one.
pub(super) fn environment(project: &Path) -> Vec<(String, String)> {
    let filling = (0..32).map(|number| (format!("VARIABLE_{number:02}"), "the value of a variable".to_owned()));
    let directories = ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "COPILOT_PROJECT_DIR", "CURSOR_PROJECT_DIR"];
    let directories = directories.map(|name| (name.to_owned(), project.display().to_string()));
    // As long as paths of developers are: every entry is a place where a program may be looked for.
    let path = "/opt/node/bin:/opt/cargo/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    let usual = [("PATH", path), ("LANG", "C.UTF-8"), ("TERM", "dumb")];
    let usual = usual.map(|(name, value)| (name.to_owned(), value.to_owned()));
    filling.chain(directories).chain(usual).collect()
}

fn manifest() -> String {
    let dependencies = KNOWN.map(|(name, version)| format!("{name} = \"{version}\"\n")).concat();
    format!("[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}")
}

fn lock() -> String {
    let known = KNOWN.map(|(name, version)| (name.to_owned(), version));
    let others = (0..PACKAGES).map(|number| (format!("used-{number:03}"), "1.2.3"));
    let packages: Vec<(String, &str)> = known.into_iter().chain(others).collect();
    let dependencies: Vec<String> = packages.iter().map(|(name, _)| format!(" \"{name}\",\n")).collect();
    let entries: Vec<String> = packages
        .iter()
        .map(|(name, version)| {
            format!(
                "\n[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n\
                 source = \"registry+https://github.com/rust-lang/crates.io-index\"\n"
            )
        })
        .collect();
    format!(
        "version = 4\n\n[[package]]\nname = \"demo\"\nversion = \"0.1.0\"\ndependencies = [\n{}]\n{}",
        dependencies.concat(),
        entries.concat()
    )
}

/// The first plugins apply here and have a hook on a tool nobody uses. Of the rest, for crates the project does not
/// have, most bring a skill and every fifth a hook.
fn write_plugin(plugins: &Path, number: usize) -> io::Result<()> {
    let name = format!("plugin-{number:05}");
    let plugin = plugins.join(&name);
    let (condition, has_hook) = if number < ACTIVE {
        ("*".to_owned(), true)
    } else {
        (format!("absent-{number}>=1"), number.is_multiple_of(5))
    };
    let mut manifest = format!("name = \"{name}\"\ncrates = [\"{condition}\"]\n");
    if has_hook {
        for event in ["PreToolUse", "PostToolUse"] {
            manifest += &format!(
                "\n[[hooks]]\nname = \"{}\"\nevent = \"{event}\"\nmatcher = \"WebFetch\"\ncommand = \"true\"\n",
                event.to_lowercase()
            );
        }
    } else {
        manifest += "\n[[skills]]\nsource.path = \"skills\"\n";
        let skill = plugin.join("skills").join(format!("about-{number}"));
        fs::create_dir_all(&skill)?;
        let front = format!("name: about-{number}\ndescription: Use when working with absent-{number}.");
        fs::write(skill.join("SKILL.md"), format!("---\n{front}\n---\nWhat to know about it.\n"))?;
    }
    fs::create_dir_all(&plugin)?;
    fs::write(plugin.join("symposium.toml"), manifest)
}
