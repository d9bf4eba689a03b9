//! Every environment variable the hot path reads.
#![expect(clippy::disallowed_methods, reason = "the hot path does not link the crate that owns the environment")]

use std::ffi::OsString;
use std::path::PathBuf;

use symposium_model::config::{Directories, DirectoryVariables, NamedDirectories};
use symposium_model::hook::PROBE_VARIABLE;

use super::disk;

/// `off` makes every hook neutral.
const SYMPOSIUM_HOOKS: &str = "SYMPOSIUM_HOOKS";
/// How many hooks of ours this one runs inside of.
pub(crate) const SYMPOSIUM_DEPTH: &str = "SYMPOSIUM_DEPTH";

/// Whether the person switched hooks off.
pub(crate) fn hooks_are_off() -> bool {
    std::env::var_os(SYMPOSIUM_HOOKS).is_some_and(|value| value.eq_ignore_ascii_case("off"))
}

/// Whether this call only shows that it would work.
pub(crate) fn is_probe() -> bool {
    std::env::var_os(PROBE_VARIABLE).is_some()
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

/// Whether a program of our name is on PATH.
pub(crate) fn finds_us() -> bool {
    let name = format!("symposium{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).filter(|folder| folder.is_absolute()).any(|folder| disk::is_file(&folder.join(&name)))
}

/// A variable.
pub(crate) fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// The user's home directory.
pub(crate) fn home() -> Option<PathBuf> {
    std::env::home_dir().filter(|home| home.is_absolute())
}

/// The directory the program was started in.
pub(crate) fn current_dir() -> Option<PathBuf> {
    std::env::current_dir().ok()
}

/// The program that is running.
pub(crate) fn current_program() -> Option<PathBuf> {
    std::env::current_exe().ok()
}

/// Where our files are. What the call names goes before the variables.
pub(crate) fn directories(named: NamedDirectories) -> Option<Directories> {
    Directories::resolve(&DirectoryVariables {
        symposium_home: std::env::var_os("SYMPOSIUM_HOME"),
        xdg_config: std::env::var_os("XDG_CONFIG_HOME"),
        xdg_cache: std::env::var_os("XDG_CACHE_HOME"),
        xdg_data: std::env::var_os("XDG_DATA_HOME"),
        home: home(),
        named,
    })
}
