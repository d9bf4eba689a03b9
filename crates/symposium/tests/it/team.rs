//! Two people, two agents, two clones of one project: what they commit merges, and neither undoes the other's.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::json;
use symposium_testkit::TestContext;

use crate::{git, with_fixture};

/// Dependencies by name, each with its locked version.
type Dependencies = BTreeMap<&'static str, &'static str>;

/// A change of one side to the dependencies in a round: a version adds or moves one, none removes it.
type Change = (&'static str, Option<&'static str>);

const ROUNDS: [(Change, Change); 10] = [
    (("anyhow", Some("1.0.98")), ("thiserror", Some("2.0.12"))),
    (("chrono", Some("0.4.41")), ("tracing", Some("0.1.41"))),
    (("insta", Some("1.43.1")), ("bytes", Some("1.10.1"))),
    (("anyhow", None), ("regex", Some("1.11.1"))),
    (("rand", Some("0.8.5")), ("chrono", None)),
    (("rand", Some("0.9.1")), ("tracing", None)),
    (("itertools", Some("0.14.0")), ("itertools", Some("0.14.0"))),
    (("criterion", Some("0.6.0")), ("thiserror", None)),
    (("insta", None), ("serde", Some("1.0.220"))),
    (("anyhow", Some("1.0.98")), ("tracing", Some("0.1.41"))),
];

/// A person with a machine and a clone.
struct Member {
    context: TestContext,
    clone: PathBuf,
    agent: &'static str,
}

impl Member {
    fn new(origin: &Path, agent: &'static str) -> Self {
        let context = with_fixture(&[]);
        let clone = context.root().join("clone");
        git(context.root(), &["clone", "-q", &origin.display().to_string(), "clone"]);
        context.invoke(&["init", "--user", "--yes", "--agent", agent]).expect(0);
        Self { context, clone, agent }
    }

    fn write(&self, dependencies: &Dependencies) {
        let put = |file: &str, text: String| std::fs::write(self.clone.join(file), text).unwrap();
        let lines: String =
            dependencies.iter().map(|(name, version)| [name, " = \"", version, "\"\n"].concat()).collect();
        let package = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        put("Cargo.toml", format!("{package}\n[dependencies]\n{lines}"));
        let names: String = dependencies.keys().map(|name| [" \"", name, "\",\n"].concat()).collect();
        let mut lock =
            format!("version = 4\n\n[[package]]\nname = \"demo\"\nversion = \"0.1.0\"\ndependencies = [\n{names}]\n");
        for (name, version) in dependencies {
            let source = "registry+https://github.com/rust-lang/crates.io-index";
            lock += &format!("\n[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \"{source}\"\n");
        }
        put("Cargo.lock", lock);
        self.context.settle();
    }

    fn sync(&self, args: &[&str]) -> String {
        self.context.invoke_in(&self.clone, &[&["sync"], args].concat()).expect(0)
    }

    fn start_session(&self) {
        let event = json!({"session_id": "s", "source": "startup", "cwd": self.clone}).to_string();
        let home = self.context.config_dir().display().to_string();
        let args = ["hook", self.agent, "session-start", "--home", &home];
        self.context.invoke_in_with(&self.clone, &args, event.as_bytes()).expect(0);
        self.context.settle();
    }

    fn commit(&self, message: &str) {
        git(&self.clone, &["add", "-A"]);
        git(&self.clone, &["commit", "-qm", message, "--allow-empty"]);
    }

    fn status(&self) -> String {
        git(&self.clone, &["status", "--porcelain"])
    }

    fn committed(&self) -> [String; 2] {
        let read = |file: &str| std::fs::read_to_string(self.clone.join(".symposium").join(file)).unwrap();
        [read("config.toml"), read("symposium.lock")]
    }

    /// Merges what the other side pushed, and returns the files that git could not merge.
    fn merge(&self) -> Vec<String> {
        git(&self.clone, &["fetch", "-q"]);
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
        let merge = ["merge", "-q", "--no-commit", "--no-ff", "origin/main"];
        let merged = std::process::Command::new("git").current_dir(&self.clone).args(identity).args(merge).output();
        let _ = merged.unwrap();
        let unmerged = git(&self.clone, &["diff", "--name-only", "--diff-filter=U"]);
        unmerged.lines().map(str::to_owned).collect()
    }

    /// Checks that everything is as it is committed.
    fn check(&self, round: &str) {
        self.start_session();
        assert_eq!(self.status(), "", "{round}: a session start of {} changed a file of the team", self.agent);
        let checked = self.context.invoke_in(&self.clone, &["sync", "--locked", "--check"]);
        assert_eq!(checked.code, 0, "{round} {}: {checked:?}", self.agent);
        let before = self.committed();
        self.sync(&[]);
        assert_eq!(self.committed(), before, "{round}: {} takes back what the other wrote", self.agent);
        assert_eq!(self.status(), "", "{round}: {}", self.agent);
    }
}

fn change(dependencies: &mut Dependencies, (name, version): Change) {
    match version {
        Some(version) => dependencies.insert(name, version),
        None => dependencies.remove(name),
    };
}

/// A project with a lock, on a server, and two who work on it. One has plugins of their own.
fn team() -> (TestContext, Member, Member, Dependencies) {
    let server = with_fixture(&[]);
    let origin = server.root().join("origin.git");
    git(server.root(), &["init", "-q", "--bare", "origin.git"]);
    let mut dependencies = Dependencies::new();
    for (name, version) in
        [("clap", "4.5.40"), ("futures", "0.3.31"), ("rayon", "1.10.0"), ("serde", "1.0.219"), ("tokio", "1.44.1")]
    {
        dependencies.insert(name, version);
    }
    let one = Member::new(&origin, "claude");
    let own = &one.context;
    own.write_config(
        "plugins/mine/symposium.toml",
        "name = \"mine\"\n[[skills]]\ncrates = [\"rand\", \"serde\"]\nsource.path = \"skills\"\n",
    );
    own.write_config(
        "plugins/mine/skills/private-notes/SKILL.md",
        "---\nname: private-notes\ndescription: d\n---\nx\n",
    );
    own.write_config(
        "plugins/habits.toml",
        "name = \"private-habits\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"true\"\n\
         [[mcp_servers]]\nname = \"private-server\"\ncommand = \"true\"\nargs = []\n",
    );
    git(&one.clone, &["checkout", "-q", "-b", "main"]);
    std::fs::create_dir(one.clone.join("src")).unwrap();
    std::fs::write(one.clone.join("src/lib.rs"), "").unwrap();
    one.write(&dependencies);
    one.sync(&["--lock"]);
    one.commit("Begin");
    git(&one.clone, &["push", "-q", "-u", "origin", "main"]);
    git(&server.root().join("origin.git"), &["symbolic-ref", "HEAD", "refs/heads/main"]);
    let other = Member::new(&origin, "gemini");
    other.sync(&[]);
    one.check("begin");
    other.check("begin");
    (server, one, other, dependencies)
}

/// Brings both branches together on the server and in both clones. Returns what git could not merge.
fn bring_together(one: &Member, other: &Member, dependencies: &Dependencies) -> Vec<String> {
    git(&other.clone, &["push", "-q", "origin", "main"]);
    let mut unmerged = one.merge();
    unmerged.retain(|file| !file.starts_with("Cargo."));
    if unmerged.is_empty() {
        one.write(dependencies);
        one.commit("Merge");
        git(&one.clone, &["push", "-q", "origin", "main"]);
        git(&other.clone, &["pull", "-q", "--ff-only"]);
    }
    unmerged
}

#[test]
fn ten_rounds_of_changes_and_merges() {
    let (_server, one, other, mut dependencies) = team();
    for (number, (first, second)) in ROUNDS.into_iter().enumerate() {
        let round = format!("round {}: {first:?} and {second:?}", number + 1);
        for (member, its) in [(&one, first), (&other, second)] {
            let mut here = dependencies.clone();
            change(&mut here, its);
            member.write(&here);
            member.start_session();
            let status = member.status();
            assert!(!status.contains(".symposium"), "{round}: a session start wrote for the team: {status}");
            member.sync(&[]);
            member.commit(&round);
        }
        change(&mut dependencies, first);
        change(&mut dependencies, second);
        assert_eq!(bring_together(&one, &other, &dependencies), Vec::<String>::new(), "{round}");
        one.check(&round);
        other.check(&round);
        assert_eq!(one.committed(), other.committed(), "{round}");
        for text in one.committed() {
            assert!(!text.contains("private") && !text.contains("mine"), "{round}: {text}");
        }
        println!("{round}: merged, `sync --locked --check` 0 for claude and 0 for gemini");
    }
    assert!(one.clone.join(".claude/skills/private-notes").exists(), "it is there for whoever has it");
    let files = git(&one.clone, &["log", "--name-only", "--format="]);
    assert!(!files.contains(".mcp.json") && !files.contains("skills"), "{files}");
}

/// The configuration keeps the lines of both sides; the lock is taken from one side, and brought up to date.
#[test]
fn neighbours_merge_in_the_configuration_and_conflict_in_the_lock_as_in_cargo_lock() {
    let (_server, one, other, mut dependencies) = team();
    for (member, its) in [(&one, ("hyper", Some("1.6.0"))), (&other, ("insta", Some("1.43.1")))] {
        let mut here = dependencies.clone();
        change(&mut here, its);
        change(&mut dependencies, its);
        if member.agent == "gemini" {
            here.remove("hyper");
        }
        member.write(&here);
        member.sync(&[]);
        member.commit("x");
    }
    let unmerged = bring_together(&one, &other, &dependencies);
    assert_eq!(unmerged, [".symposium/symposium.lock"]);
    one.write(&dependencies);
    let shown = one.context.invoke_in(&one.clone, &["sync"]);
    assert_eq!(shown.code, 3, "{shown:?}");
    assert_eq!(shown.stderr.matches("nresolved merge conflict").count(), 1, "{}", shown.stderr);
    assert_eq!(shown.stderr.matches("error: ").count(), 1, "{}", shown.stderr);
    git(&one.clone, &["checkout", "-q", "--ours", ".symposium/symposium.lock"]);
    one.context.settle();
    one.sync(&[]);
    one.commit("Merge");
    git(&one.clone, &["push", "-q", "origin", "main"]);
    git(&other.clone, &["pull", "-q", "--ff-only"]);
    one.check("neighbours");
    other.check("neighbours");
    let [config, lock] = one.committed();
    assert!(config.contains("hyper = true\ninsta = true\n") && lock.contains("hyper 1.6.0"), "{config}{lock}");
}
