//! A temporary directory with files, and a short text for what is read from it.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use symposium_io::cargo::{SearchBoundary, WorkspaceCrates, read};
use symposium_model::crates::{CrateOrigin, DirectUse, VersionCertainty};

pub(crate) struct Tree {
    _directory: tempfile::TempDir,
    pub(crate) root: PathBuf,
}

impl Tree {
    /// Creates the files, given as path and text.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        // Windows would add a prefix that the program removes.
        let root = if cfg!(windows) { root.to_owned() } else { root.canonicalize().unwrap() };
        let tree = Self { _directory: directory, root };
        for (path, text) in files {
            tree.write(path, text);
        }
        tree
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let file = self.path(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, content).unwrap();
    }

    /// Uses the temporary directory itself as HOME, so nothing above it is ever read.
    pub(crate) fn boundary(&self) -> SearchBoundary {
        SearchBoundary::new(Some(&self.root), Some(&self.root.join(".symposium")))
    }

    pub(crate) fn read(&self, path: &str) -> WorkspaceCrates {
        read(&self.path(path), &self.boundary())
    }

    /// Describes the dependencies of the workspace in a directory, with `~` for the temporary directory.
    pub(crate) fn show(&self, path: &str) -> String {
        self.with_tilde(&show(&self.read(path)))
    }

    pub(crate) fn with_tilde(&self, text: &str) -> String {
        shown_below(text, &self.root)
    }
}

/// Writes `~` for the temporary directory, and every path as on Unix.
pub(crate) fn shown_below(text: &str, root: &Path) -> String {
    let shown = text.replace(&root.display().to_string(), "~");
    if cfg!(windows) { shown.replace('\\', "/") } else { shown }
}

pub(crate) fn show(workspace: &WorkspaceCrates) -> String {
    let set = &workspace.crates;
    let mut shown = format!("lock {:?}\n", set.lock());
    for member in set.members() {
        writeln!(shown, "member {} {}", member.name, member.version).unwrap();
    }
    for krate in set.crates() {
        let certainty = match krate.certainty {
            VersionCertainty::Locked => "",
            VersionCertainty::Assumed => " assumed",
        };
        writeln!(shown, "{} {}{certainty} {}", krate.name, krate.version, origin(&krate.origin)).unwrap();
        for DirectUse { member, kind, target, optional, renamed, requirement } in &krate.uses {
            let kind = format!("{kind:?}").to_lowercase();
            let requirement = requirement.as_deref().unwrap_or("unknown");
            let target = target.as_ref().map(|target| format!(" on {target}")).unwrap_or_default();
            let renamed = renamed.as_ref().map(|renamed| format!(" as {renamed}")).unwrap_or_default();
            let optional = if *optional { " optional" } else { "" };
            writeln!(shown, "  {member} {kind} {requirement}{target}{renamed}{optional}").unwrap();
        }
    }
    for finding in &workspace.findings {
        writeln!(shown, "{}: {finding}", finding.severity).unwrap();
        assert!(finding.help.is_some(), "every finding says what to do: {finding}");
    }
    shown
}

fn origin(origin: &CrateOrigin) -> String {
    match origin {
        CrateOrigin::Registry { .. } => "registry".to_owned(),
        CrateOrigin::Git(source) => source.as_str().to_owned(),
        CrateOrigin::Path { directory } => directory.as_deref().map_or("?", |path| path.to_str().unwrap()).to_owned(),
        CrateOrigin::Other { source } => source.clone(),
    }
}

pub(crate) fn package(name: &str, rest: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n{rest}")
}

/// The text of a Cargo.lock of the fourth format: `name version source: needs, needs` on each line, `-` for no source,
/// `@` for the central registry.
pub(crate) fn lock(short: &str) -> String {
    let mut text = "version = 4\n".to_owned();
    for line in short.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (package, needs) = line.split_once(": ").unwrap_or((line, ""));
        let parts: Vec<&str> = package.split(' ').collect();
        write!(text, "\n[[package]]\nname = \"{}\"\nversion = \"{}\"\n", parts[0], parts[1]).unwrap();
        match parts[2] {
            "-" => {}
            "@" => text.push_str("source = \"registry+https://github.com/rust-lang/crates.io-index\"\n"),
            source => writeln!(text, "source = \"{source}\"").unwrap(),
        }
        if !needs.is_empty() {
            text.push_str("dependencies = [\n");
            for need in needs.split(", ") {
                writeln!(text, " \"{need}\",").unwrap();
            }
            text.push_str("]\n");
        }
    }
    text
}

/// Runs a command in a directory; `None` when the program does not exist.
pub(crate) fn run(
    directory: &Path,
    program: &str,
    arguments: &[&str],
    environment: &[(&str, &Path)],
) -> Option<Vec<u8>> {
    let mut command = std::process::Command::new(program);
    command.args(arguments).current_dir(directory).envs(environment.iter().copied());
    // A git repository on this machine needs no network, but cargo asks none of them offline.
    command.env_remove("CARGO_NET_OFFLINE");
    let output = match command.output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        output => output.unwrap(),
    };
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?} in {}: {talk}", directory.display());
    Some(output.stdout)
}
