//! A fresh home with a small project in it, in which Symposium and one agent are run.

#![expect(clippy::disallowed_methods, reason = "the harness makes and reads the homes it tests in")]

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::Outcome;
use crate::agents::{Act, Agent, Launch, Review, Scope, Session, Start};
use crate::model::{ModelServer, Shown, Turn};
use crate::process::{self, Ended, Program};
use crate::programs::Programs;

/// How long one agent may take. The slowest needs a hundredth of it on a quiet machine, half on one that is overrun.
const AGENT_LIMIT: Duration = Duration::from_mins(10);

/// How long one command of ours may take: it needs a tenth of a second, and much of this on a machine that is overrun.
const COMMAND_LIMIT: Duration = Duration::from_mins(2);

/// Takes steps with the hook engine of Cursor's SDK.
const ENGINE_DRIVER: &str = include_str!("cursor_engine.mjs");

/// A home, and what is run in it.
pub(crate) struct World<'a> {
    pub(crate) agent: &'a Agent,
    programs: &'a Programs,
    /// Whether what agents offer is written down instead of compared.
    pub(crate) records: bool,
    root: PathBuf,
    runs: Cell<usize>,
    /// Changes how the agent is started.
    start: Cell<fn(&mut Start)>,
}

/// One run of the agent.
pub(crate) struct Run {
    /// What the model was shown, request by request.
    pub(crate) shown: Vec<Shown>,
    pub(crate) ended: Ended,
}

/// What a path was at some moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Entry {
    Folder,
    File { mode: u32, bytes: Vec<u8> },
    Link(PathBuf),
}

/// Every path below the home, with what was there.
pub(crate) type Tree = BTreeMap<String, Entry>;

impl<'a> World<'a> {
    /// Makes the home: our program on its PATH, and a cargo project that depends on `widget` 1.2.3.
    pub(crate) fn new(agent: &'a Agent, programs: &'a Programs, root: PathBuf, records: bool) -> Outcome<Self> {
        let world = Self { agent, programs, records, root, runs: Cell::new(0), start: Cell::new(|_| {}) };
        for folder in ["output", "tmp", "home/.local/bin"] {
            make_folder(&world.root.join(folder))?;
        }
        programs.link_into(&world.root.join("home/.local/bin"))?;
        if let Some(name) = agent.kept {
            programs.share(agent, name, &world.home().join(".cache"))?;
        }
        for (path, text) in crate::fixture::PROJECT {
            world.put(path, text)?;
        }
        let git = world.run_program(Path::new("git"), &["init", "--quiet"], "project", &[], COMMAND_LIMIT)?;
        expect_success("git init", &git)?;
        Ok(world)
    }

    /// The version of the agent.
    pub(crate) fn version(&self) -> &str {
        self.programs.version_of(self.agent)
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// An absolute path in the home, as text.
    pub(crate) fn path(&self, below_home: &str) -> String {
        self.home().join(below_home).display().to_string()
    }

    /// Writes a file below the home.
    pub(crate) fn put(&self, below_home: &str, text: &str) -> Outcome<()> {
        let path = self.home().join(below_home);
        make_folder(path.parent().unwrap_or(&path))?;
        fs::write(&path, text).map_err(|error| format!("writing `{}`: {error}", path.display()))
    }

    /// Writes a program below the home.
    pub(crate) fn put_program(&self, below_home: &str, text: &str) -> Outcome<()> {
        self.put(below_home, text)?;
        let path = self.home().join(below_home);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
            .map_err(|error| format!("marking `{}`: {error}", path.display()))
    }

    /// Removes a file below the home.
    pub(crate) fn remove(&self, below_home: &str) -> Outcome<()> {
        let path = self.home().join(below_home);
        fs::remove_file(&path).map_err(|error| format!("removing `{}`: {error}", path.display()))
    }

    /// The text of a file below the home; empty when there is none.
    pub(crate) fn text(&self, below_home: &str) -> String {
        fs::read(self.home().join(below_home))
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default()
    }

    /// Runs our program in a directory below the home; anything but success is an error.
    pub(crate) fn symposium(&self, directory: &str, arguments: &[&str]) -> Outcome<Ended> {
        let ended = self.try_symposium(directory, arguments)?;
        expect_success(&format!("symposium {}", arguments.join(" ")), &ended)?;
        Ok(ended)
    }

    /// Runs our program in a directory below the home, however it ends.
    pub(crate) fn try_symposium(&self, directory: &str, arguments: &[&str]) -> Outcome<Ended> {
        self.run_program(Path::new("symposium"), arguments, directory, &[], COMMAND_LIMIT)
    }

    /// Runs a program on PATH in the project, however it ends.
    pub(crate) fn run_tool(&self, name: &str, arguments: &[&str]) -> Outcome<Ended> {
        self.run_program(Path::new(name), arguments, "project", &[], COMMAND_LIMIT)
    }

    /// Sets the agent up, as a person would.
    pub(crate) fn set_up(&self, scope: Scope) -> Outcome<Ended> {
        self.set_up_agents(scope, &[self.agent.name])
    }

    pub(crate) fn set_up_agents(&self, scope: Scope, agents: &[&str]) -> Outcome<Ended> {
        let mut arguments = match scope {
            Scope::User => vec!["init", "--yes"],
            Scope::Project => vec!["init", "--project", "--yes"],
        };
        for agent in agents {
            arguments.extend(["--agent", agent]);
        }
        self.symposium("project", &arguments)
    }

    /// From now on the agent is started with these changes.
    pub(crate) fn change_start(&self, change: fn(&mut Start)) {
        self.start.set(change);
    }

    /// Runs the agent in a directory below the home. Its model does these acts, one in each turn, and then ends.
    pub(crate) fn run_in(&self, directory: &str, prompt: &str, acts: &[Act]) -> Outcome<Run> {
        self.run_script(directory, prompt, self.turns(acts))
    }

    /// Runs the agent in a directory below the home, with a model that says exactly this, and then ends.
    pub(crate) fn run_script(&self, directory: &str, prompt: &str, script: Vec<Turn>) -> Outcome<Run> {
        self.launch(Review::Done, Session::New, directory, prompt, script, self.usual())
    }

    fn usual(&self) -> &'static str {
        self.agent.variants.first().copied().unwrap_or_default()
    }

    /// Runs the agent in the project, in one of its variants.
    pub(crate) fn run_variant(&self, variant: &'static str, prompt: &str, acts: &[Act]) -> Outcome<Run> {
        self.launch(Review::Done, Session::New, "project", prompt, self.turns(acts), variant)
    }

    fn turns(&self, acts: &[Act]) -> Vec<Turn> {
        acts.iter().map(|act| Turn::Call((self.agent.call)(act))).collect()
    }

    fn launch(
        &self,
        review: Review,
        session: Session,
        directory: &str,
        prompt: &str,
        script: Vec<Turn>,
        variant: &'static str,
    ) -> Outcome<Run> {
        let number = self.runs.get() + 1;
        let server = ModelServer::start(script, self.root.join(format!("requests-{number}")))
            .map_err(|error| format!("the scripted model did not start: {error}"))?;
        let start_directory = self.home().join(directory);
        let cache = self.programs.cache_of(self.agent);
        let launch = Launch {
            model: &server.url(),
            prompt,
            directory: &start_directory,
            project: &self.home().join("project"),
            cache: &cache,
            review,
            session,
            variant,
        };
        let mut start = (self.agent.launch)(&launch);
        self.start.get()(&mut start);
        let mut program = self.programs.program_of(self.agent);
        if let Some(node) = self.programs.node_of(self.agent) {
            start.arguments.insert(0, program.display().to_string());
            program = node;
        }
        let arguments: Vec<&str> = start.arguments.iter().map(String::as_str).collect();
        let ended = self.run_program(&program, &arguments, directory, &start.environment, AGENT_LIMIT)?;
        if ended.code.is_none() {
            return Err(format!("`{}` was killed after {} s", self.agent.name, AGENT_LIMIT.as_secs()));
        }
        Ok(Run { shown: server.shown(), ended })
    }

    /// Runs the agent in the project.
    pub(crate) fn run(&self, prompt: &str, acts: &[Act]) -> Outcome<Run> {
        self.run_in("project", prompt, acts)
    }

    /// The same, where nobody has reviewed the hooks in the agent's settings.
    pub(crate) fn run_unreviewed(&self, prompt: &str, acts: &[Act]) -> Outcome<Run> {
        self.launch(Review::Open, Session::New, "project", prompt, self.turns(acts), self.usual())
    }

    /// Goes on with the last conversation in the project.
    pub(crate) fn go_on(&self, prompt: &str) -> Outcome<Run> {
        self.launch(Review::Done, Session::Last, "project", prompt, Vec::new(), self.usual())
    }

    /// Has Cursor's hook engine take steps in the project; what it makes of each.
    pub(crate) fn drive_engine(&self, steps: &Value) -> Outcome<Vec<Value>> {
        let driver = self.root.join("drive.mjs");
        fs::write(&driver, ENGINE_DRIVER).map_err(|error| format!("writing `{}`: {error}", driver.display()))?;
        let modules = self.programs.program_of(self.agent).display().to_string();
        let (driver, steps) = (driver.display().to_string(), steps.to_string());
        let arguments = [driver.as_str(), &modules, &steps];
        let ended = self.run_program(Path::new("node"), &arguments, "project", &[], AGENT_LIMIT)?;
        expect_success("the hook engine", &ended)?;
        let answers = ended.stdout.trim_end().lines().last().unwrap_or_default();
        serde_json::from_str(answers).map_err(|error| format!("the hook engine says `{answers:.300}`: {error}"))
    }

    fn run_program(
        &self,
        program: &Path,
        arguments: &[&str],
        directory: &str,
        environment: &[(&'static str, String)],
        limit: Duration,
    ) -> Outcome<Ended> {
        let number = self.runs.get() + 1;
        self.runs.set(number);
        let home = self.home();
        let mut whole: Vec<(String, String)> = [
            ("HOME", home.display().to_string()),
            ("PATH", format!("{}:{}", home.join(".local/bin").display(), self.programs.path())),
            ("TERM", "dumb".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            ("TMPDIR", self.root.join("tmp").display().to_string()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        whole.extend(environment.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        let name = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let output = self.root.join("output").join(format!("{number:02}-{name}"));
        drop(fs::write(output.with_extension("command"), format!("{} {arguments:#?}\n", program.display())));
        let directory = self.home().join(directory);
        process::run(&Program {
            file: program,
            arguments: &arguments,
            environment: &whole,
            directory: &directory,
            limit,
            output,
        })
    }

    /// Everything below the home, but for the agents' unreadable corners.
    pub(crate) fn tree(&self) -> Outcome<Tree> {
        let mut tree = Tree::new();
        walk(&self.home(), "", &mut tree)?;
        Ok(tree)
    }

    /// Leaves a list of all files beside the other records.
    pub(crate) fn write_tree(&self) {
        let Ok(tree) = self.tree() else { return };
        let lines: Vec<&str> = tree.keys().map(String::as_str).collect();
        drop(fs::write(self.root.join("files.txt"), lines.join("\n") + "\n"));
    }
}

impl Run {
    /// What the model was shown first.
    pub(crate) fn first(&self) -> Outcome<&Shown> {
        self.shown.first().ok_or_else(|| self.silent())
    }

    /// What it was shown last.
    pub(crate) fn last(&self) -> Outcome<&Shown> {
        self.shown.last().ok_or_else(|| self.silent())
    }

    fn silent(&self) -> String {
        format!("the model was never asked; {}", said(&self.ended))
    }
}

fn make_folder(path: &Path) -> Outcome<()> {
    fs::create_dir_all(path).map_err(|error| format!("making `{}`: {error}", path.display()))
}

fn expect_success(what: &str, ended: &Ended) -> Outcome<()> {
    if ended.code == Some(0) { Ok(()) } else { Err(format!("`{what}` failed; {}", said(ended))) }
}

/// How a program ended, in one line.
fn said(ended: &Ended) -> String {
    let last = |text: &str| text.trim_end().lines().last().unwrap_or_default().chars().take(300).collect::<String>();
    format!("exit code {:?}, stdout ends `{}`, stderr ends `{}`", ended.code, last(&ended.stdout), last(&ended.stderr))
}

fn walk(folder: &Path, name: &str, tree: &mut Tree) -> Outcome<()> {
    let wrong = |error: std::io::Error| format!("reading `{}`: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let entry = entry.map_err(wrong)?;
        let below = format!("{name}{}", entry.file_name().to_string_lossy());
        let metadata = entry.metadata().map_err(wrong)?;
        let kind = metadata.file_type();
        if kind.is_dir() {
            tree.insert(format!("{below}/"), Entry::Folder);
            walk(&entry.path(), &format!("{below}/"), tree)?;
        } else if kind.is_symlink() {
            tree.insert(below, Entry::Link(fs::read_link(entry.path()).unwrap_or_default()));
        } else if kind.is_file() && metadata.len() < 4 * 1024 * 1024 {
            let bytes = fs::read(entry.path()).map_err(wrong)?;
            tree.insert(below, Entry::File { mode: metadata.mode() & 0o7777, bytes });
        }
    }
    Ok(())
}
