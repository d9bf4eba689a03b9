//! Every environment variable Symposium reads, in one place.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use symposium_model::config::{DirectoryVariables, NamedDirectories};

/// Where cargo keeps its registry cache and git checkouts.
const CARGO_HOME: &str = "CARGO_HOME";
/// Whether cargo may use the network.
const CARGO_NET_OFFLINE: &str = "CARGO_NET_OFFLINE";
/// Where rustup keeps its settings.
const RUSTUP_HOME: &str = "RUSTUP_HOME";
/// Our directory, in place of `~/.symposium`.
const SYMPOSIUM_HOME: &str = "SYMPOSIUM_HOME";
/// The base of our configuration directory.
const XDG_CONFIG_HOME: &str = "XDG_CONFIG_HOME";
/// The base of our cache directory.
const XDG_CACHE_HOME: &str = "XDG_CACHE_HOME";
/// The base of our log directory.
const XDG_DATA_HOME: &str = "XDG_DATA_HOME";
/// Whether we may use the network: `1` or `true` is what `--offline` says for one call.
const SYMPOSIUM_OFFLINE: &str = "SYMPOSIUM_OFFLINE";
/// How git reaches others through ssh, when the user decided that by a variable.
const GIT_SSH: [&str; 2] = ["GIT_SSH", "GIT_SSH_COMMAND"];
/// What else of git's variables is about the user and the network, not about a repository that happens to be near.
const GIT_OF_THE_USER: [&str; 9] = [
    "GIT_SSH_VARIANT",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_EXEC_PATH",
    "GIT_PROXY_SSL_CAINFO",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_SSL_NO_VERIFY",
];
/// Where programs are looked for.
const PATH: &str = "PATH";

/// What decides where our files are.
pub fn directory_variables() -> DirectoryVariables {
    DirectoryVariables {
        symposium_home: std::env::var_os(SYMPOSIUM_HOME),
        xdg_config: std::env::var_os(XDG_CONFIG_HOME),
        xdg_cache: std::env::var_os(XDG_CACHE_HOME),
        xdg_data: std::env::var_os(XDG_DATA_HOME),
        home: home(),
        named: NamedDirectories::default(),
    }
}

/// Whether the user chose our directory.
pub fn symposium_home_is_set() -> bool {
    std::env::var_os(SYMPOSIUM_HOME).is_some_and(|home| PathBuf::from(home).is_absolute())
}

/// Whether `SYMPOSIUM_HOME` is set to something that cannot count.
pub fn symposium_home_is_ignored() -> bool {
    std::env::var_os(SYMPOSIUM_HOME).is_some_and(|home| !home.is_empty() && !PathBuf::from(home).is_absolute())
}

/// The user's home directory.
pub fn home() -> Option<PathBuf> {
    std::env::home_dir().filter(|home| home.is_absolute())
}

/// Cargo's directory: `CARGO_HOME`, else `~/.cargo`.
pub fn cargo_home() -> Option<PathBuf> {
    let set = std::env::var_os(CARGO_HOME).map(PathBuf::from).filter(|path| path.is_absolute());
    set.or_else(|| Some(home()?.join(".cargo")))
}

/// Rustup's directory: `RUSTUP_HOME`, else `~/.rustup`.
pub fn rustup_home() -> Option<PathBuf> {
    let set = std::env::var_os(RUSTUP_HOME).map(PathBuf::from).filter(|path| path.is_absolute());
    set.or_else(|| Some(home()?.join(".rustup")))
}

/// The directories in which programs are looked for.
pub fn program_directories() -> Vec<PathBuf> {
    std::env::var_os(PATH).map(|path| std::env::split_paths(&path).collect()).unwrap_or_default()
}

/// All variables with readable names and values: what `env(…)` conditions are tested against.
pub fn variables() -> BTreeMap<String, String> {
    let text = |value: OsString| value.into_string().ok();
    std::env::vars_os().filter_map(|(name, value)| Some((text(name)?, text(value)?))).collect()
}

/// Whether a variable is set to something that means yes.
pub fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty() && value != "0" && value != "false")
}

/// A directory another program takes from a variable.
pub fn directory(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// The program that is running, as it was found.
pub fn current_program() -> Option<PathBuf> {
    std::env::current_exe().ok()
}

/// The directory the program was started in.
pub fn current_dir() -> io::Result<PathBuf> {
    std::env::current_dir()
}

/// Whether the user told cargo to stay off the network.
pub fn cargo_is_offline() -> bool {
    std::env::var_os(CARGO_NET_OFFLINE).is_some_and(|value| value == "true" || value == "1")
}

/// Whether the user told us, or cargo, to stay off the network.
pub fn is_offline() -> bool {
    let told = std::env::var_os(SYMPOSIUM_OFFLINE).is_some_and(|value| value == "true" || value == "1");
    told || cargo_is_offline()
}

/// Whether the user decided by a variable how git uses ssh.
pub(crate) fn has_ssh_command() -> bool {
    GIT_SSH.iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// Git's variables that a run of ours must not hand on: a command started by a hook of git finds its repository in them,
/// and tracing would write credentials down.
pub(crate) fn git_variables() -> Vec<OsString> {
    let is_kept = |name: &str| GIT_SSH.contains(&name) || GIT_OF_THE_USER.contains(&name);
    let names = std::env::vars_os().map(|(name, _)| name);
    names.filter(|name| name.to_str().is_some_and(|name| name.starts_with("GIT_") && !is_kept(name))).collect()
}
