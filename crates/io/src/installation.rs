//! Installation of the programs that plugins need: a crate through cargo, a copy of a repository, or commands. It never
//! runs in a project's directory, so that no project influences it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use symposium_model::config::GitAddress;
use symposium_model::crates::CrateName;

use crate::process::ProgramCall;
use crate::source::{
    ByteCount, DirectoryAllowance, DirectoryTree, FetchError, FetchLimits, GitCache, SourceTree, TreeEntryKind,
    TreeError,
};
use crate::{env, file_lock, fs};

const FETCHING: Duration = Duration::from_mins(5);
const COMPILING: Duration = Duration::from_mins(30);
const COMMAND: Duration = Duration::from_mins(10);
const MAX_FILES: usize = 10_000;
const MAX_DIRECTORIES: usize = 10_000;
const MAX_DEPTH: usize = 32;
const MAX_FILE: u64 = 64 * 1024 * 1024;
const TOLD: usize = 3;

#[derive(Debug, thiserror::Error)]
pub enum InstallationError {
    /// The manifest asks for something impossible.
    #[error("{0}")]
    Written(String),
    #[error("the program `{0}` was not found; install it, and run the command again")]
    Missing(&'static str),
    #[error("`{0}` timed out")]
    TooSlow(String),
    #[error("`{program}` failed: {complaint}")]
    Failed { program: String, complaint: String },
    #[error("{0}")]
    Fetch(#[from] FetchError),
    #[error(transparent)]
    File(#[from] fs::FsError),
    #[error(transparent)]
    Busy(#[from] file_lock::LockError),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetworkAccess {
    Allowed,
    OffLimits,
}

#[derive(Debug, Clone)]
pub struct CargoCrate<'c> {
    pub package: &'c str,
    pub version: Option<&'c str>,
    /// The repository to install from, instead of the registry.
    pub git: Option<&'c str>,
}

/// Installs a crate's programs into `root`, or cargo's default location. They are downloaded if `cargo-binstall` exists
/// and finds them, else compiled.
pub fn install_crate(
    wanted: &CargoCrate<'_>,
    root: Option<&Path>,
    network: NetworkAccess,
) -> Result<(), InstallationError> {
    if CrateName::parse(wanted.package).is_none() {
        return Err(InstallationError::Written(format!(
            "`{}` is not a valid crate name",
            wanted.package.escape_debug()
        )));
    }
    if let Some(version) = wanted.version
        && let Err(error) = semver::VersionReq::parse(version)
    {
        return Err(InstallationError::Written(format!("version `{}`: {error}", version.escape_debug())));
    }
    let git = match wanted.git.map(GitAddress::parse) {
        None => None,
        Some(Ok(address)) if address.tree().is_empty() => Some(address),
        Some(Ok(_)) => {
            return Err(InstallationError::Written(
                "`git` is a directory of a repository; name the repository itself".to_owned(),
            ));
        }
        Some(Err(fault)) => return Err(InstallationError::Written(fault.message)),
    };
    let root = root.map(|root| root.display().to_string());
    let mut common: Vec<String> = Vec::new();
    common.extend(root.map(|root| format!("--root={root}")));
    common.extend(wanted.version.map(|version| format!("--version={version}")));
    let package = [String::from("--"), wanted.package.to_owned()];
    if let (None, NetworkAccess::Allowed, Some(binstall)) = (&git, network, find("cargo-binstall")) {
        let args =
            [vec!["--no-confirm".to_owned(), "--disable-telemetry".to_owned()], common.clone(), package.to_vec()];
        match run(&binstall, "cargo-binstall", &args.concat(), FETCHING) {
            Ok(()) => return Ok(()),
            Err(error) => tracing::warn!(%error, package = wanted.package, "no binary available; compiling it"),
        }
    }
    let cargo = find("cargo").ok_or(InstallationError::Missing("cargo"))?;
    let mut args = vec!["install".to_owned(), "--locked".to_owned(), "--color=never".to_owned()];
    args.extend(common);
    args.extend(git.map(|address| format!("--git={}", address.url())));
    args.extend((network == NetworkAccess::OffLimits).then(|| "--offline".to_owned()));
    args.extend(package);
    run(&cargo, "cargo install", &args, COMPILING)
}

fn find(name: &str) -> Option<PathBuf> {
    env::program_directories()
        .into_iter()
        .map(|directory| directory.join(name))
        .find(|program| fs::is_executable(program))
}

fn run(program: &Path, shown: &str, args: &[String], limit: Duration) -> Result<(), InstallationError> {
    let empty = fs::scratch_dir()?;
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let call = ProgramCall { program, args: &args, directory: empty.path(), input: "", limit, variables: Vec::new() };
    finish(&call, shown)
}

fn finish(call: &ProgramCall<'_>, shown: &str) -> Result<(), InstallationError> {
    let failed = |complaint: String| InstallationError::Failed { program: shown.to_owned(), complaint };
    match call.run() {
        Err(error) => Err(failed(error.to_string())),
        Ok(None) => Err(InstallationError::TooSlow(shown.to_owned())),
        Ok(Some(finished)) if finished.status.success() => Ok(()),
        Ok(Some(finished)) => Err(failed(complaint(&finished.stderr, &finished.status.to_string()))),
    }
}

/// Extracts the reason from error output: the lines from the first one that begins with `error`, else the last ones.
fn complaint(stderr: &str, otherwise: &str) -> String {
    let lines: Vec<&str> = stderr.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let begin = lines.iter().position(|line| line.starts_with("error")).unwrap_or(lines.len().saturating_sub(TOLD));
    let told: Vec<&str> = lines.into_iter().skip(begin).take(TOLD).collect();
    if told.is_empty() { otherwise.to_owned() } else { symposium_model::config::redact(&told.join("; ")).into_owned() }
}

/// Copies a repository, or a directory of it, into `directory`. Repositories are fetched into `cache`.
pub fn install_repository(
    url: &str,
    cache: &Path,
    directory: &Path,
    network: NetworkAccess,
) -> Result<(), InstallationError> {
    let address = GitAddress::parse(url).map_err(|fault| InstallationError::Written(fault.message))?;
    let cache = GitCache::new(cache);
    let copy = match network {
        NetworkAccess::Allowed => cache.fetch(&address, &FetchLimits::default(), &ByteCount::default())?.copy,
        NetworkAccess::OffLimits => cache.copy(&address).ok_or_else(|| {
            InstallationError::Written(format!(
                "`{}` is not on this machine, and Symposium is offline",
                address.shown()
            ))
        })?,
    };
    let tree = DirectoryTree::open(&copy.directory)?;
    copy_all(&tree, directory)
}

pub fn install_directory(from: &Path, directory: &Path) -> Result<(), InstallationError> {
    copy_all(&DirectoryTree::open(from)?, directory)
}

fn copy_all(tree: &dyn SourceTree, to: &Path) -> Result<(), InstallationError> {
    let mut copying = TreeCopy { tree, to, directories: DirectoryAllowance::new(MAX_DIRECTORIES), left: MAX_FILES };
    copying.directory("", 0)
}

struct TreeCopy<'c> {
    tree: &'c dyn SourceTree,
    to: &'c Path,
    directories: DirectoryAllowance,
    left: usize,
}

impl TreeCopy<'_> {
    fn directory(&mut self, path: &str, depth: usize) -> Result<(), InstallationError> {
        let unusable = |error: TreeError| InstallationError::Written(error.to_string());
        let has = |reason: String| InstallationError::Written(format!("it has {reason}; name a directory inside it"));
        self.directories.enter().map_err(has)?;
        if depth > MAX_DEPTH {
            let message = format!("`{path}` is more than {MAX_DEPTH} directories deep");
            return Err(InstallationError::Written(message));
        }
        for entry in self.tree.list(path).map_err(unusable)?.entries {
            let inner = if path.is_empty() { entry.name.clone() } else { format!("{path}/{}", entry.name) };
            match entry.kind {
                TreeEntryKind::Directory | TreeEntryKind::LinkedDirectory => self.directory(&inner, depth + 1)?,
                TreeEntryKind::File => {
                    let too_many = || has(format!("more than {MAX_FILES} files"));
                    self.left = self.left.checked_sub(1).ok_or_else(too_many)?;
                    let (bytes, executable) = self.tree.read_file(&inner, MAX_FILE).map_err(unusable)?;
                    let write = if executable { fs::write_new_program } else { fs::write_new };
                    write(&self.to.join(&inner), &bytes)?;
                }
            }
        }
        Ok(())
    }
}

pub fn run_command(line: &str, directory: &Path, variables: &[(String, String)]) -> Result<(), InstallationError> {
    let variables =
        variables.iter().map(|(name, value)| (name.as_str(), Some(OsString::from(value)))).collect::<Vec<_>>();
    let args = ["-c", line];
    let call =
        ProgramCall { program: Path::new("/bin/sh"), args: &args, directory, input: "", limit: COMMAND, variables };
    finish(&call, line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::layers::LayeredTree;

    #[test]
    fn links_that_lead_to_the_same_again_and_again_are_too_many() {
        let to = tempfile::tempdir().unwrap();
        let refusal = |tree: &LayeredTree| {
            let _ = fs::remove_file(&to.path().join("SKILL.md"));
            copy_all(tree, to.path()).err().map(|error| error.to_string())
        };
        assert_eq!(refusal(&LayeredTree::new(8, 2)), None);
        let many = LayeredTree::new(16, 2);
        assert!(refusal(&many).is_some_and(|refused| refused.contains("more than 10000 directories")));
        assert!(many.listed.get() <= 10_000, "{}", many.listed.get());
        let deep = LayeredTree::new(100, 1);
        assert!(refusal(&deep).is_some_and(|refused| refused.contains("more than 32 directories deep")));
    }
}
