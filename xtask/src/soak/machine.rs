//! The simulated machine: one home, one workspace, four agents, a plugin; and what happens to it between events.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

const SETTINGS: &str = "{\n  \"permissions\": { \"deny\": [\"Bash(rm *)\"] }\n}\n";
const MANIFEST: &str =
    "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n\n[dependencies]\nserde = \"1\"\ntokio = \"1\"\n";
const PLUGIN: &str = r#"name = "watch"
session-start-context = "Hello."

[[hooks]]
name = "look"
event = "PreToolUse"
matcher = "Probe"
command = "./look.sh"

[[hooks]]
name = "no"
event = "PreToolUse"
matcher = "Bash"
command = "./no.sh"
"#;

/// A machine that is forgotten when the value goes.
pub(super) struct Machine {
    root: tempfile::TempDir,
    program: PathBuf,
}

impl Machine {
    pub(super) fn new(program: &Path) -> Result<Self, String> {
        let root = tempfile::tempdir().map_err(|error| error.to_string())?;
        let machine = Self { root, program: program.to_owned() };
        machine.put("home/.claude/settings.json", SETTINGS)?;
        machine.put("workspace/Cargo.toml", MANIFEST)?;
        machine.put("workspace/src/lib.rs", "")?;
        machine.lock(0)?;
        machine.put("home/.symposium/plugins/watch/SYMPOSIUM.toml", PLUGIN)?;
        // The hook is the parent of its handler; what it used at most stands in its status.
        machine.script("look.sh", "#!/bin/sh\nread -r x\ngrep VmHWM /proc/$PPID/status >\"$HOME/memory\"\n")?;
        machine.script("no.sh", "#!/bin/sh\nread -r x\nexit 0\n")?;
        let agents = ["claude", "gemini", "codex", "copilot"];
        let args: Vec<&str> =
            ["init", "--yes"].into_iter().chain(agents.iter().flat_map(|name| ["--agent", *name])).collect();
        machine.must(&args)?;
        Ok(machine)
    }

    /// A path of the machine.
    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    fn put(&self, path: &str, text: &str) -> Result<(), String> {
        let path = self.path(path);
        let parent = path.parent().unwrap_or(&path);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, text))
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    fn script(&self, name: &str, text: &str) -> Result<(), String> {
        use std::os::unix::fs::PermissionsExt;
        let path = format!("home/.symposium/plugins/watch/{name}");
        self.put(&path, text)?;
        fs::set_permissions(self.path(&path), fs::Permissions::from_mode(0o755)).map_err(|error| error.to_string())
    }

    /// Dependencies as they are in this round: a version moves, and a crate comes and goes.
    fn lock(&self, round: usize) -> Result<(), String> {
        let package = |name: &str, version: &str| {
            format!(
                "[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n\
                 source = \"registry+https://github.com/rust-lang/crates.io-index\"\n\n"
            )
        };
        let tokio = if round.is_multiple_of(2) { package("tokio", "1.44.1") } else { String::new() };
        let needs = if round.is_multiple_of(2) { "\n \"serde\",\n \"tokio\",\n" } else { "\n \"serde\",\n" };
        let own = format!("[[package]]\nname = \"demo\"\nversion = \"0.1.0\"\ndependencies = [{needs}]\n\n");
        let text = format!("version = 4\n\n{own}{}{tokio}", package("serde", &format!("1.0.{}", 200 + round % 2)));
        self.put("workspace/Cargo.lock", &text)
    }

    /// The program, not started yet.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(args).current_dir(self.path("workspace")).env_clear().env("PATH", "/usr/bin:/bin");
        command.env("HOME", self.path("home")).env("SYMPOSIUM_OFFLINE", "1");
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Starts the program with something on its standard input.
    pub(super) fn start(&self, args: &[&str], input: &str) -> Result<Child, String> {
        let mut child = self.command(args).spawn().map_err(|error| format!("{}: {error}", self.program.display()))?;
        if let Some(mut stdin) = child.stdin.take() {
            // It may end without reading.
            let _ = stdin.write_all(input.as_bytes());
        }
        Ok(child)
    }

    fn must(&self, args: &[&str]) -> Result<(), String> {
        let status = self.start(args, "")?.wait().map_err(|error| error.to_string())?;
        if status.success() { Ok(()) } else { Err(format!("`symposium {}` ended with {status}", args.join(" "))) }
    }

    /// What happens between events: dependencies change, somebody syncs, something is killed. How many were.
    pub(super) fn chores(&self, round: usize) -> Result<usize, String> {
        self.lock(round)?;
        let mut kills = 0;
        for (turn, args) in [&["sync"][..], &["hook", "claude", "session-start"], &["off", "serde"]].iter().enumerate()
        {
            let mut child = self.start(args, "{\"cwd\":\"/\"}")?;
            let moment = (round * 7_919 + turn * 1_237) % 9_000;
            std::thread::sleep(Duration::from_micros(u64::try_from(moment).unwrap_or(0)));
            let _ = child.kill();
            let status = child.wait().map_err(|error| error.to_string())?;
            kills += usize::from(status.code().is_none());
        }
        self.must(&["on", "serde"])?;
        self.must(&["sync"])?;
        Ok(kills)
    }

    /// How many files of ours there are, and how many bytes.
    pub(super) fn kept(&self) -> (usize, u64) {
        let mut open = vec![self.path("home/.symposium"), self.path("workspace"), self.path("home/.claude")];
        let (mut files, mut bytes) = (0, 0);
        while let Some(directory) = open.pop() {
            for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
                match entry.metadata() {
                    Ok(found) if found.is_dir() => open.push(entry.path()),
                    Ok(found) => {
                        files += 1;
                        bytes += found.len();
                    }
                    Err(_) => {}
                }
            }
        }
        (files, bytes)
    }

    /// What a hook used at most, in KiB: told by its own handler.
    pub(super) fn memory(&self) -> Result<u64, String> {
        let event = super::payload::about("claude", "Probe", "probe", &self.path("workspace"));
        let _ = self.start(&["hook", "claude", "pre-tool-use"], &event)?.wait();
        let text = fs::read_to_string(self.path("home/memory")).map_err(|error| format!("no handler ran: {error}"))?;
        let number = text.split_whitespace().nth(1).and_then(|number| number.parse().ok());
        number.ok_or_else(|| format!("not a status: {text}"))
    }

    /// Makes everything of a session three days older.
    pub(super) fn let_days_pass(&self) -> Result<(), String> {
        for entry in fs::read_dir(self.path("home/.symposium/sessions")).into_iter().flatten().flatten() {
            let older = entry.metadata().and_then(|found| found.modified()).unwrap_or_else(|_| SystemTime::now());
            let older = older - Duration::from_hours(72);
            let aged = fs::File::options().append(true).open(entry.path()).and_then(|file| file.set_modified(older));
            aged.map_err(|error| format!("{}: {error}", entry.path().display()))?;
        }
        Ok(())
    }

    /// Everything can be taken back.
    pub(super) fn is_sound(&self) -> Result<(), String> {
        self.must(&["sync", "--check"])?;
        self.must(&["uninstall", "--yes"])?;
        let settings =
            fs::read_to_string(self.path("home/.claude/settings.json")).map_err(|error| error.to_string())?;
        if settings != SETTINGS {
            return Err(format!("the settings are not as before: {settings}"));
        }
        let left: Vec<_> = [".claude", ".agents", ".gemini"]
            .iter()
            .map(|name| self.path("workspace").join(name))
            .filter(|path| path.exists())
            .collect();
        if left.is_empty() { Ok(()) } else { Err(format!("left behind: {left:?}")) }
    }
}
