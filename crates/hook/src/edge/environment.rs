//! All environment variables that the hot path reads.
#![expect(clippy::disallowed_methods, reason = "the hot path does not link the crate that owns the environment")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use symposium_model::config::{DirectoryVariables, NamedDirectories};

/// `off` disables every hook except the user's policies.
pub(crate) const SYMPOSIUM_HOOKS: &str = "SYMPOSIUM_HOOKS";
/// The number of Symposium hooks inside of which this process runs.
pub(crate) const SYMPOSIUM_DEPTH: &str = "SYMPOSIUM_DEPTH";

pub(crate) fn hooks_are_off() -> bool {
    std::env::var_os(SYMPOSIUM_HOOKS).is_some_and(|value| value.eq_ignore_ascii_case("off"))
}

pub(crate) fn depth() -> u32 {
    let told = std::env::var_os(SYMPOSIUM_DEPTH);
    told.and_then(|depth| depth.to_str()?.trim().parse().ok()).unwrap_or_default()
}

pub(crate) fn is_offline() -> bool {
    let told = |name: &str| std::env::var_os(name).is_some_and(|value| value == "1" || value == "true");
    told("SYMPOSIUM_OFFLINE") || told("CARGO_NET_OFFLINE")
}

pub(crate) fn variables() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os()
}

pub(crate) fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// Returns the user's home directory; the one named in the call takes precedence over the variable.
pub(crate) fn home(named: &NamedDirectories) -> Option<PathBuf> {
    let told = || std::env::home_dir().filter(|home| home.is_absolute());
    named.user_home().map(Path::to_owned).or_else(told)
}

pub(crate) fn current_dir() -> Option<PathBuf> {
    std::env::current_dir().ok()
}

pub(crate) fn current_program() -> Option<PathBuf> {
    std::env::current_exe().ok()
}

const DIRECTORIES: [&str; 4] = ["SYMPOSIUM_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"];

pub(crate) fn names_directories() -> bool {
    DIRECTORIES.iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// Collects the inputs that determine Symposium's directories; those named in the call take precedence over the
/// variables.
pub(crate) fn directory_variables(named: NamedDirectories) -> DirectoryVariables {
    let [symposium_home, xdg_config, xdg_cache, xdg_data] = DIRECTORIES.map(std::env::var_os);
    DirectoryVariables { symposium_home, xdg_config, xdg_cache, xdg_data, home: home(&named), named }
}
