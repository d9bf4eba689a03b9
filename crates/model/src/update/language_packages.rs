//! Detects installations by the package managers of Node.js and Python, from the place of the program and their records.

use std::path::{Path, PathBuf};

use super::{InstallEvidence, InstallMethod};

/// The package at npm, where the plain name is another program.
pub const NPM_PACKAGE: &str = "@symposium-dev/symposium";

/// The package at PyPI, where the plain name is another program.
pub const PYPI_PACKAGE: &str = "symposium-dev";

/// The directory of that package's records, before the version.
pub const PYPI_RECORDS: &str = "symposium_dev-";

/// The files of an environment of Python that tell who keeps it.
pub const ENVIRONMENT_FILES: [&str; 3] = [UV_RECEIPT, PIPX_RECORD, VENV_SETTINGS];

const UV_RECEIPT: &str = "uv-receipt.toml";
const PIPX_RECORD: &str = "pipx_metadata.json";
const VENV_SETTINGS: &str = "pyvenv.cfg";

/// Returns the cache that a program is in, from which it may disappear at any time.
pub fn find_cache(program: &Path) -> Option<PackageCache> {
    let has_part = |found: fn(&str) -> bool| program.iter().filter_map(|part| part.to_str()).any(found);
    if outer_node_modules(program).is_some()
        && has_part(|part| matches!(part, "_npx" | "dlx") || part.starts_with("bunx-"))
    {
        return Some(PackageCache::Npx);
    }
    let is_uv = has_part(|part| part.starts_with("archive-v") || part.starts_with("environments-v"));
    is_uv.then_some(PackageCache::Uvx)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PackageCache {
    Npx,
    Uvx,
}

impl PackageCache {
    /// Returns the words that install the program in a permanent place.
    pub fn permanently(self) -> &'static [&'static str] {
        match self {
            Self::Npx => &["npm", "install", "--global", "@symposium-dev/symposium@latest"],
            Self::Uvx => &["uv", "tool", "install", PYPI_PACKAGE],
        }
    }
}

/// Returns the outermost `node_modules` around a program.
pub fn outer_node_modules(program: &Path) -> Option<&Path> {
    program.ancestors().filter(|above| above.file_name().is_some_and(|name| name == "node_modules")).last()
}

pub(super) fn of_node(evidence: InstallEvidence<'_>) -> Option<InstallMethod> {
    let beside = outer_node_modules(evidence.program)?.parent()?;
    if evidence.in_node_project {
        return Some(InstallMethod::NodeProject);
    }
    // Elsewhere than on Windows, npm has `lib` in between.
    let prefix = if beside.file_name().is_some_and(|name| name == "lib") { beside.parent()? } else { beside };
    Some(InstallMethod::Npm { prefix: prefix.to_owned() })
}

pub(super) fn of_python(evidence: InstallEvidence<'_>) -> Option<InstallMethod> {
    let bin = evidence.program.parent()?;
    let has_file = |name| evidence.environment_files.contains(&name);
    if has_file(UV_RECEIPT) {
        return Some(InstallMethod::UvTool);
    }
    if has_file(PIPX_RECORD) {
        return Some(InstallMethod::Pipx);
    }
    let installer = evidence.wheel_installer?.trim();
    let python = if cfg!(windows) { "python.exe" } else { "python" };
    let python = has_file(VENV_SETTINGS).then(|| bin.join(python));
    Some(if installer == "uv" { InstallMethod::UvPip { python } } else { InstallMethod::Pip { python } })
}

/// Returns the Python of an environment, or the one of the system.
pub(super) fn python_word(python: Option<&PathBuf>) -> Option<&str> {
    python.map_or(Some("python3"), |path| path.to_str())
}
