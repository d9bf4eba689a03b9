//! A home and a workspace with everything in them that must not be lost, and what may become of it.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use symposium_testkit::TestContext;

use crate::with_fixture;

const CLAUDE: &str = "{\n  \"permissions\": { \"deny\": [\"Bash(rm *)\"] },\n  \"hooks\": { \"Stop\": [] },\n  \"n\": 12345678901234567890\n}\n";
const CODEX: &str = "model = \"o\" # mine\r\n\r\n[mcp_servers.docs]\r\ncommand = \"npx\"\r\n";
const GEMINI: &str = "{\n  // mine\n  \"ui\": { \"theme\": \"x\" },\n}\n";
pub(super) const PROJECT: &str = "# mine\n[agent]\nsync-default = true\n\n[skills]\ntokio = false # never here\n";
const OWN_SKILL: &str = "---\nname: mine\ndescription: d\n---\nmine\n";
const GUARD: &str =
    "name = \"guard\"\n[[hooks]]\nname = \"no\"\nevent = \"PreToolUse\"\nmatcher = \"Bash\"\ncommand = \"./no.sh\"\n";

/// The text of a skill, which may change from run to run.
const TAUGHT: &str = "---\nname: taught\ndescription: d\ncrates: serde\n---\nLesson 0.\n";

pub(super) const AGENTS: [&str; 8] = ["init", "--yes", "--agent", "claude", "--agent", "codex", "--agent", "gemini"];

/// Where something may be written; everything else must stay as it is.
const OURS: [&str; 14] = [
    "home/.symposium",
    "home/.claude",
    "home/.claude.json",
    "home/.codex",
    "home/.gemini",
    "home/.agents",
    "files/.symposium",
    "files/.claude",
    "files/.codex",
    "files/.gemini",
    "files/.agents",
    "files/.gitignore",
    "files/.mcp.json",
    "cargo-home",
];

/// Files of the user that we edit, with the marks no edit may remove.
const KEPT: [(&str, &[&str]); 5] = [
    ("home/.claude/settings.json", &["\"Bash(rm *)\"", "12345678901234567890"]),
    ("home/.codex/config.toml", &["model = \"o\" # mine\r\n", "[mcp_servers.docs]\r\n"]),
    ("home/.gemini/settings.json", &["  // mine\n", "\"theme\": \"x\" },\n"]),
    ("files/.symposium/config.toml", &["# mine\n", "tokio = false # never here\n"]),
    ("files/.claude/skills/mine/SKILL.md", &[OWN_SKILL]),
];

/// The world, and every state its files were seen in while nothing went wrong.
pub(super) struct World {
    pub(super) context: TestContext,
    /// The tree before we were ever called.
    before: BTreeMap<PathBuf, String>,
    /// For each file of the user that we edit, the texts it may have.
    texts: BTreeMap<&'static str, Vec<String>>,
    /// How often the skill changed.
    lesson: Cell<usize>,
}

impl World {
    pub(super) fn new() -> Self {
        super::tell_failures_early();
        let context = with_fixture(&["workspace0"]);
        let root = context.root().to_owned();
        let put = |path: &str, text: &str| {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        put("home/.claude/settings.json", CLAUDE);
        put("home/.codex/config.toml", CODEX);
        put("home/.gemini/settings.json", GEMINI);
        put("home/.bashrc", "alias x=y\n");
        put("home/Documents/notes.txt", "mine\n");
        put("elsewhere/secret", "mine\n");
        put("files/.symposium/config.toml", PROJECT);
        put("files/.claude/skills/mine/SKILL.md", OWN_SKILL);
        put("files/src/other.rs", "fn main() {}\n");
        put("home/.symposium/plugins/guard/SYMPOSIUM.toml", GUARD);
        put("home/.symposium/plugins/taught/SKILL.md", TAUGHT);
        crate::hook::executable(&context, "plugins/guard/no.sh", "#!/bin/sh\necho no >&2\nexit 2\n");
        let mut world = Self { before: snapshot(&root), context, texts: BTreeMap::new(), lesson: Cell::new(0) };
        world.learn();
        for args in [&AGENTS[..], &["off", "serde"], &["on", "serde"], &["uninstall", "--yes"]] {
            world.context.invoke(args).expect(0);
            world.learn();
        }
        world.is_as_before("at first");
        // A choice is written first, and then what else there is to choose.
        let choices = ["[skills]\nserde = true\n", "[skills]\nserde = false\n"];
        let choices = choices.map(|choice| PROJECT.replace("[skills]\n", choice));
        world.texts.entry("files/.symposium/config.toml").or_default().extend(choices);
        world.context.invoke(&AGENTS).expect(0);
        world
    }

    /// The states that are right are those seen while nothing goes wrong.
    fn learn(&mut self) {
        for (path, _) in KEPT {
            let text = std::fs::read_to_string(self.context.root().join(path)).unwrap();
            let known = self.texts.entry(path).or_default();
            if !known.contains(&text) {
                known.push(text);
            }
        }
    }

    /// The author of a skill publishes another text.
    pub(super) fn teaches_anew(&self) {
        self.lesson.set(self.lesson.get() + 1);
        self.teaches(&TAUGHT.replace("Lesson 0.", &self.lesson()));
    }

    /// What the skill says now.
    pub(super) fn lesson(&self) -> String {
        format!("Lesson {}.", self.lesson.get())
    }

    fn teaches(&self, text: &str) {
        std::fs::write(self.context.config_dir().join("plugins/taught/SKILL.md"), text).unwrap();
    }

    /// The text of the skill where an agent reads it.
    pub(super) fn taught(&self) -> String {
        std::fs::read_to_string(self.context.workspace().join(".claude/skills/taught/SKILL.md")).unwrap_or_default()
    }

    /// Starts the program as an agent or a person would.
    pub(super) fn start(&self, through: &[&str], args: &[&str]) -> Child {
        self.starter().start(through, args)
    }

    /// What starts the program, for several threads.
    pub(super) fn starter(&self) -> Starter {
        let context = &self.context;
        Starter {
            root: context.root().to_owned(),
            workspace: context.workspace().to_owned(),
            config_dir: context.config_dir().to_owned(),
            event: self.event(),
        }
    }

    /// An event that every agent's reader understands well enough.
    pub(super) fn event(&self) -> String {
        let cwd = self.context.workspace().display();
        format!(
            r#"{{"session_id":"s","transcript_path":"/t","permission_mode":"default","cwd":"{cwd}","source":"startup",
            "prompt":"use serde","tool_name":"Bash","tool_input":{{"command":"ls"}},"tool_response":{{}}}}"#
        )
    }

    /// Every file of the user is there, in a state it may be in, and nothing was written elsewhere.
    #[track_caller]
    pub(super) fn is_whole(&self, what: &str) {
        for (path, texts) in &self.texts {
            let text = std::fs::read_to_string(self.context.root().join(path));
            let text = text.unwrap_or_else(|error| panic!("{what}: {path} is lost: {error}"));
            assert!(texts.contains(&text), "{what}: {path} is none of {} known texts:\n{text}", texts.len());
        }
        self.nothing_elsewhere(what);
    }

    /// Like [`Self::is_whole`] where others write too: what the user wrote is still in each file, which is never torn.
    #[track_caller]
    pub(super) fn is_kept(&self, what: &str) {
        for (path, marks) in KEPT {
            let text = std::fs::read_to_string(self.context.root().join(path)).unwrap();
            for mark in marks {
                assert!(text.contains(mark), "{what}: {path} has lost {mark:?}:\n{text}");
            }
        }
        self.nothing_elsewhere(what);
    }

    #[track_caller]
    fn nothing_elsewhere(&self, what: &str) {
        let root = self.context.root();
        let changed: Vec<String> = differences(&self.before, &snapshot(root))
            .into_iter()
            .filter(|(path, _)| !OURS.iter().any(|ours| path.starts_with(ours)) && !is_unfinished_in_home(path))
            .map(|(path, how)| format!("{}: {how}", path.display()))
            .collect();
        assert!(changed.is_empty(), "{what}: something was written elsewhere: {changed:#?}");
    }

    /// Everything works again, no half-finished file of ours is left, and uninstalling gives every byte back.
    #[track_caller]
    pub(super) fn recovers(&self, what: &str) {
        self.teaches(TAUGHT);
        let set_up = self.context.invoke(&AGENTS);
        assert_eq!(set_up.code, 0, "{what}: {set_up:?}");
        let check = self.context.invoke(&["sync", "--check"]);
        assert_eq!(check.code, 0, "{what}: {check:?}");
        let denied = self.context.invoke_hook("claude", "pre-tool-use", &self.event());
        assert!(denied.stdout.contains("\"deny\""), "{what}: the guard's no is lost: {denied:?}");
        self.no_unfinished_files(what);
        self.context.invoke(&["uninstall", "--yes"]).expect(0);
        self.is_as_before(what);
        self.context.invoke(&AGENTS).expect(0);
    }

    /// No half-finished file of ours is left.
    #[track_caller]
    pub(super) fn no_unfinished_files(&self, what: &str) {
        // Plans and sessions are written without a lock, so what is left of those (`.keeping-…`, `….PID.tmp`) goes by age.
        let unfinished = [".symposium-", ".staging-"];
        let left: Vec<PathBuf> = snapshot(self.context.root())
            .into_keys()
            .filter(|path| {
                unfinished.iter().any(|part| path.file_name().is_some_and(|name| name.to_string_lossy().contains(part)))
            })
            .collect();
        assert_eq!(left, [] as [PathBuf; 0], "{what}: unfinished files are left");
    }

    /// Nothing tells that we were ever there.
    #[track_caller]
    fn is_as_before(&self, what: &str) {
        let changed: Vec<String> = differences(&self.before, &snapshot(self.context.root()))
            .into_iter()
            .map(|(path, how)| format!("{}: {how}", path.display()))
            .collect();
        assert!(changed.is_empty(), "{what}: uninstalling gives every byte back: {changed:#?}");
    }
}

/// Starts the program in a world.
pub(super) struct Starter {
    root: PathBuf,
    workspace: PathBuf,
    config_dir: PathBuf,
    event: String,
}

impl Starter {
    /// Starts the program as an agent or a person would.
    pub(super) fn start(&self, through: &[&str], args: &[&str]) -> Child {
        let program = env!("CARGO_BIN_EXE_symposium");
        let mut command = match through {
            [] => Command::new(program),
            [other, own @ ..] => {
                let mut command = Command::new(other);
                command.args(own).arg(program);
                command
            }
        };
        command.args(args).current_dir(&self.workspace).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", self.root.join("home"));
        command.env("SYMPOSIUM_HOME", &self.config_dir).env("SYMPOSIUM_OFFLINE", "1");
        command.env("CARGO_HOME", self.root.join("cargo-home"));
        // Nothing goes on in the background: it would write while a test looks. What it does has a test of its own.
        command.env("CI", "true");
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        if args.first() == Some(&"hook") {
            let _ = stdin.write_all(self.event.as_bytes());
        }
        child
    }
}

/// What differs between two trees.
fn differences(one: &BTreeMap<PathBuf, String>, other: &BTreeMap<PathBuf, String>) -> Vec<(PathBuf, String)> {
    let paths: std::collections::BTreeSet<&PathBuf> = one.keys().chain(other.keys()).collect();
    let changed = paths.into_iter().filter(|path| one.get(*path) != other.get(*path));
    changed.map(|path| (path.clone(), format!("{:?} became {:?}", one.get(path), other.get(path)))).collect()
}

/// A file that was to take the place of one of ours in the home directory itself; the next run sweeps it.
fn is_unfinished_in_home(path: &Path) -> bool {
    let name = path.strip_prefix("home").ok().and_then(Path::to_str);
    name.is_some_and(|name| name.starts_with(".symposium-") && !name.contains('/'))
}

/// Everything below a directory: files with mode and content, links with their target.
pub(crate) fn snapshot(root: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(&directory).into_iter().flatten().flatten() {
            let path = entry.path();
            let shown = path.strip_prefix(root).unwrap().to_owned();
            let Ok(metadata) = std::fs::symlink_metadata(&path) else { continue };
            if metadata.is_symlink() {
                found.insert(shown, format!("-> {}", std::fs::read_link(&path).unwrap_or_default().display()));
            } else if metadata.is_dir() {
                found.insert(shown, "directory".to_owned());
                open.push(path);
            } else {
                let content = std::fs::read(&path).unwrap_or_default();
                found.insert(shown, format!("{:o} {}", metadata.mode(), String::from_utf8_lossy(&content)));
            }
        }
    }
    found
}
