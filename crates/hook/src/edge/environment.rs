//! Every environment variable the hot path reads.
#![expect(clippy::disallowed_methods, reason = "the hot path does not link the crate that owns the environment")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use symposium_model::config::{DirectoryVariables, NamedDirectories};

/// `off` makes every hook neutral but the user's policies.
pub(crate) const SYMPOSIUM_HOOKS: &str = "SYMPOSIUM_HOOKS";
/// How many hooks of ours this one runs inside of.
pub(crate) const SYMPOSIUM_DEPTH: &str = "SYMPOSIUM_DEPTH";

/// Whether the person switched hooks off.
pub(crate) fn hooks_are_off() -> bool {
    std::env::var_os(SYMPOSIUM_HOOKS).is_some_and(|value| value.eq_ignore_ascii_case("off"))
}

/// How many hooks of ours this one runs inside of.
pub(crate) fn depth() -> u32 {
    let told = std::env::var_os(SYMPOSIUM_DEPTH);
    told.and_then(|depth| depth.to_str()?.trim().parse().ok()).unwrap_or_default()
}

/// Whether the person told us, or cargo, to stay off the network.
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

/// The user's home directory. What the call names goes before the variable.
pub(crate) fn home(named: &NamedDirectories) -> Option<PathBuf> {
    let told = || std::env::home_dir().filter(|home| home.is_absolute());
    named.user_home().map(Path::to_owned).or_else(told)
}

/// The directory the program was started in.
pub(crate) fn current_dir() -> Option<PathBuf> {
    std::env::current_dir().ok()
}

/// The program that is running.
pub(crate) fn current_program() -> Option<PathBuf> {
    std::env::current_exe().ok()
}

/// The variables that say where our own files are, but for the home directory.
const DIRECTORIES: [&str; 4] = ["SYMPOSIUM_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"];

/// Whether a variable says where our own files are.
pub(crate) fn names_directories() -> bool {
    DIRECTORIES.iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// What decides where our files are. What the call names goes before the variables.
pub(crate) fn directory_variables(named: NamedDirectories) -> DirectoryVariables {
    let [symposium_home, xdg_config, xdg_cache, xdg_data] = DIRECTORIES.map(std::env::var_os);
    DirectoryVariables { symposium_home, xdg_config, xdg_cache, xdg_data, home: home(&named), named }
}
