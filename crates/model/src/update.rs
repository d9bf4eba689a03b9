//! The method by which Symposium was installed, and the command that updates it.

use std::fmt;
use std::path::{Path, PathBuf};

use semver::Version;
use serde::Deserialize;
use serde_json::{Map, Value};

mod language_packages;

pub use language_packages::{
    ENVIRONMENT_FILES, NPM_PACKAGE, PYPI_PACKAGE, PYPI_RECORDS, PackageCache, find_cache, outer_node_modules,
};
use language_packages::{of_node, of_python, python_word};

/// The name of Symposium's package in the registry.
pub const PACKAGE: &str = "symposium";

/// The versions of that package that are Symposium; earlier ones are another program of the same name.
const THIS_PROGRAM: &str = ">=0.6";

/// The file in `sessions/` with the newest known version; its age is that of the lookup.
pub const NEWEST_FILE: &str = "newest-version";

/// The file in `sessions/` whose age is that of the last fetch without a request.
pub const SOURCES_FILE: &str = "sources-fetched";

/// The files beside them that the background processes which write them hold locked.
pub const BACKGROUND_LOCKS: [&str; 2] = [NEWEST_LOCK, SOURCES_LOCK];
pub const NEWEST_LOCK: &str = "newest-version.lock";
pub const SOURCES_LOCK: &str = "sources.lock";

/// The files on disk that tell how Symposium was installed.
#[derive(Debug, Clone, Copy)]
pub struct InstallEvidence<'a> {
    /// The running program, links resolved.
    pub program: &'a Path,
    pub cargo_home: Option<&'a Path>,
    /// Cargo's record beside the directory of the program: `.crates2.json`.
    pub cargo_record: Option<&'a str>,
    /// Cargo-binstall's record: `binstall/crates-v1.json`.
    pub binstall_record: Option<&'a str>,
    /// The receipt of Symposium's installer script.
    pub receipt: Option<&'a str>,
    /// Whether a `package.json` is beside the outermost `node_modules` around the program.
    pub in_node_project: bool,
    /// Those of [`ENVIRONMENT_FILES`] that are in the directory above that of the program.
    pub environment_files: &'a [&'static str],
    /// The record of the program that unpacked the wheel: `INSTALLER`.
    pub wheel_installer: Option<&'a str>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstallMethod {
    Cargo {
        from: CodeOrigin,
        /// The directory given with `--root`.
        root: Option<PathBuf>,
    },
    Binstall,
    /// The installer script of a release.
    Script {
        owner: String,
        name: String,
    },
    Npm {
        prefix: PathBuf,
    },
    /// A package of a project, or of a package manager that keeps its global packages like a project.
    NodeProject,
    UvTool,
    Pipx,
    Pip {
        /// The Python of an environment of its own.
        python: Option<PathBuf>,
    },
    UvPip {
        python: Option<PathBuf>,
    },
    /// A program that runs packages without installing them.
    Cache(PackageCache),
    Homebrew,
    Nix,
    Snap,
    System,
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CodeOrigin {
    Registry,
    Git(String),
    Path(String),
}

#[derive(Deserialize)]
struct CargoRecord {
    installs: Map<String, Value>,
}

#[derive(Deserialize)]
struct InstallReceipt {
    install_prefix: PathBuf,
    source: ReceiptSource,
}

#[derive(Deserialize)]
struct ReceiptSource {
    owner: String,
    name: String,
}

impl InstallMethod {
    /// Detects the method. The path of the program comes before records, which outlive what they are about.
    pub fn tell(evidence: InstallEvidence<'_>) -> Self {
        let program = evidence.program;
        let is_below = |directory: &str| program.starts_with(directory);
        let has_part = |part: &str| program.iter().any(|own| own == part);
        if let Some(cache) = find_cache(program) {
            return Self::Cache(cache);
        }
        if let Some(found) = of_node(evidence).or_else(|| of_python(evidence)) {
            return found;
        }
        if has_part("Cellar") || has_part(".linuxbrew") || is_below("/opt/homebrew") {
            return Self::Homebrew;
        }
        if is_below("/nix/store") {
            return Self::Nix;
        }
        if is_below("/snap") {
            return Self::Snap;
        }
        if let Some(found) = evidence.receipt.and_then(|receipt| of_receipt(receipt, program)) {
            return found;
        }
        let home = evidence.cargo_home.filter(|home| program.starts_with(home.join("bin")));
        if home.is_some() && evidence.binstall_record.is_some_and(is_in_binstall) {
            return Self::Binstall;
        }
        let root = program.parent().and_then(Path::parent);
        if let Some(from) = evidence.cargo_record.and_then(|record| of_cargo(record, program)) {
            return Self::Cargo { from, root: root.filter(|_| home.is_none()).map(Path::to_owned) };
        }
        if home.is_some() {
            return Self::Cargo { from: CodeOrigin::Registry, root: None };
        }
        let is_system = ["/usr/bin", "/usr/sbin", "/bin", "/usr/lib", "/usr/libexec"].into_iter().any(is_below);
        if is_system { Self::System } else { Self::Unknown }
    }

    pub fn name(&self) -> &'static str {
        match self {
            Self::Cargo { .. } => "cargo",
            Self::Binstall => "cargo-binstall",
            Self::Script { .. } => "installer",
            Self::Npm { .. } => "npm",
            Self::NodeProject => "npm-project",
            Self::UvTool => "uv-tool",
            Self::Pipx => "pipx",
            Self::Pip { .. } => "pip",
            Self::UvPip { .. } => "uv-pip",
            Self::Cache(PackageCache::Npx) => "npx",
            Self::Cache(PackageCache::Uvx) => "uvx",
            Self::Homebrew => "homebrew",
            Self::Nix => "nix",
            Self::Snap => "snap",
            Self::System => "system",
            Self::Unknown => "unknown",
        }
    }

    /// Returns the method for a sentence after "installed with"; `None` when it is unknown.
    pub fn describe(&self) -> Option<&'static str> {
        match self {
            Self::Cargo { .. } => Some("`cargo install`"),
            Self::Binstall => Some("`cargo binstall`"),
            Self::Script { .. } => Some("the installer of a release"),
            Self::Npm { .. } => Some("npm"),
            Self::NodeProject => Some("the package manager of a Node.js project"),
            Self::UvTool => Some("`uv tool install`"),
            Self::Pipx => Some("pipx"),
            Self::Pip { .. } => Some("pip"),
            Self::UvPip { .. } => Some("`uv pip install`"),
            Self::Cache(PackageCache::Npx) => Some("`npx`, in its cache"),
            Self::Cache(PackageCache::Uvx) => Some("`uvx`, in its cache"),
            Self::Homebrew => Some("Homebrew"),
            Self::Nix => Some("Nix"),
            Self::Snap => Some("Snap"),
            Self::System => Some("the package manager of this system"),
            Self::Unknown => None,
        }
    }

    pub fn update(&self) -> Option<UpdateCommand> {
        let command = |words: &[&str]| Some(UpdateCommand::new(words));
        match self {
            Self::Cargo { from, root } => {
                let mut words = vec!["cargo", "install", "--locked", "--force"];
                match from {
                    CodeOrigin::Registry => words.extend([PACKAGE, "--version", THIS_PROGRAM]),
                    CodeOrigin::Git(address) => words.extend(["--git", address, PACKAGE]),
                    CodeOrigin::Path(path) => words.extend(["--path", path]),
                }
                match root {
                    None => command(&words),
                    Some(root) => {
                        let root = root.to_str()?;
                        words.extend(["--root", root]);
                        command(&words)
                    }
                }
            }
            Self::Binstall => command(&["cargo", "binstall", "--no-confirm", PACKAGE, "--version", THIS_PROGRAM]),
            Self::Script { owner, name } => {
                let address = format!("https://github.com/{owner}/{name}/releases/latest/download/{PACKAGE}-installer");
                if cfg!(windows) {
                    let line = format!("irm {address}.ps1 | iex");
                    return command(&["powershell", "-ExecutionPolicy", "Bypass", "-c", &line]);
                }
                let line = format!("curl --proto '=https' --tlsv1.2 -LsSf {address}.sh | sh");
                command(&["sh", "-c", &line])
            }
            Self::Npm { prefix } => {
                let newest = format!("{NPM_PACKAGE}@latest");
                command(&["npm", "install", "--global", "--prefix", prefix.to_str()?, &newest])
            }
            Self::UvTool => command(&["uv", "tool", "upgrade", PYPI_PACKAGE]),
            Self::Pipx => command(&["pipx", "upgrade", PYPI_PACKAGE]),
            Self::Pip { python } => {
                command(&[python_word(python.as_ref())?, "-m", "pip", "install", "--upgrade", PYPI_PACKAGE])
            }
            Self::UvPip { python } => {
                let python = python_word(python.as_ref())?;
                command(&["uv", "pip", "install", "--python", python, "--upgrade", PYPI_PACKAGE])
            }
            Self::Cache(cache) => command(cache.permanently()),
            Self::Homebrew => command(&["brew", "upgrade", PACKAGE]),
            Self::Nix => command(&["nix", "profile", "upgrade", PACKAGE]),
            Self::Snap => command(&["snap", "refresh", PACKAGE]),
            Self::NodeProject | Self::System | Self::Unknown => None,
        }
    }
}

fn of_receipt(receipt: &str, program: &Path) -> Option<InstallMethod> {
    let receipt: InstallReceipt = serde_json::from_str(receipt).ok()?;
    let is_plain = |word: &str| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    let ReceiptSource { owner, name } = receipt.source;
    // Both become part of a command.
    let usable = program.starts_with(&receipt.install_prefix) && is_plain(&owner) && is_plain(&name);
    usable.then_some(InstallMethod::Script { owner, name })
}

/// Searches cargo-binstall's record, which is one JSON document after the other.
fn is_in_binstall(record: &str) -> bool {
    let documents = serde_json::Deserializer::from_str(record).into_iter::<Value>();
    documents.map_while(Result::ok).any(|document| document.get("name").and_then(Value::as_str) == Some(PACKAGE))
}

/// Finds the package in cargo's record, whose keys are `NAME VERSION (SOURCE)`.
fn of_cargo(record: &str, program: &Path) -> Option<CodeOrigin> {
    let record: CargoRecord = serde_json::from_str(record).ok()?;
    let file = program.file_stem()?.to_str()?;
    let brings_us = |details: &Value| {
        let programs = details.get("bins").and_then(Value::as_array);
        programs.is_none_or(|names| names.iter().filter_map(Value::as_str).any(|name| name.starts_with(file)))
    };
    let (key, _) = record.installs.iter().find(|(key, details)| {
        key.strip_prefix(PACKAGE).is_some_and(|rest| rest.starts_with(' ')) && brings_us(details)
    })?;
    let (_, source) = key.split_once('(')?;
    let source = source.trim_end_matches(')');
    Some(match source.split_once('+') {
        Some(("git", address)) => CodeOrigin::Git(address.split(['?', '#']).next().unwrap_or_default().to_owned()),
        Some(("path", address)) => CodeOrigin::Path(address.strip_prefix("file://").unwrap_or(address).to_owned()),
        _ => CodeOrigin::Registry,
    })
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateCommand {
    pub words: Vec<String>,
}

impl UpdateCommand {
    fn new(words: &[&str]) -> Self {
        Self { words: words.iter().map(|word| (*word).to_owned()).collect() }
    }
}

impl fmt::Display for UpdateCommand {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, word) in self.words.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@+".contains(c);
            if word.chars().all(plain) {
                write!(formatter, "{space}{word}")?;
            } else {
                write!(formatter, "{space}\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))?;
            }
        }
        Ok(())
    }
}

/// Parses the newest version from the output of `cargo info`.
pub fn newest_in(printed: &str) -> Option<Version> {
    let rest = printed.lines().find_map(|line| line.strip_prefix("version:"))?;
    let latest = rest.split_once("(latest ").map_or(rest, |(_, latest)| latest);
    latest.split([' ', ')']).find(|word| !word.is_empty()).and_then(|word| Version::parse(word).ok())
}

/// Returns the notice for a session start if a newer version is known.
pub fn notice(ours: &str, newest: &str) -> Option<String> {
    let (ours, newest) = (Version::parse(ours).ok()?, Version::parse(newest.trim()).ok()?);
    (newest > ours)
        .then(|| format!("Symposium {newest} is available (this is {ours}); run `symposium self-update` to update"))
}

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;
