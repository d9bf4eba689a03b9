//! Every environment variable Symposium reads, in one place.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use symposium_model::config::{DirectoryVariables, NamedDirectories};
use symposium_model::handler_environment::{ProjectGround, UserGround, loads_code};

use crate::fs;

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
/// Whether a hook started us, and for which directories.
const UNATTENDED: &str = symposium_model::ownership::UNATTENDED;
/// What lies at the top of a project.
const TOPS: [&str; 3] = [".git", "Cargo.lock", ".symposium/config.toml"];

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

/// The directories in which programs are looked for: those of PATH that are not the project's.
pub fn program_directories() -> Vec<PathBuf> {
    /// The last answer, and what it was an answer for: a command asks many times.
    static LAST: Mutex<Option<ProgramSearch>> = Mutex::new(None);
    let (path, start) = (std::env::var_os(PATH).unwrap_or_default(), current_dir().ok());
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = last.as_ref().filter(|known| known.path == path && known.start == start) {
        return known.directories.clone();
    }
    let directories = project_ground().program_directories(&path, &read_link);
    *last = Some(ProgramSearch { path, start, directories: directories.clone() });
    directories
}

struct ProgramSearch {
    path: OsString,
    start: Option<PathBuf>,
    directories: Vec<PathBuf>,
}

/// The same as programs that we start find them; nothing when there is no PATH.
pub(crate) fn search_path() -> Option<OsString> {
    std::env::var_os(PATH).map(|_| std::env::join_paths(program_directories()).unwrap_or_default())
}

/// The variables that programs which we start do not get when no person started us: a project may have set them.
pub(crate) fn foreign_variables() -> Vec<OsString> {
    if std::env::var_os(UNATTENDED).is_none() {
        return Vec::new();
    }
    let ground = project_ground();
    let here = current_dir().unwrap_or_default();
    let is_foreign = |name: &str, value: &OsStr| {
        loads_code(name) || (name != PATH && ground.is_named_by(name, value, &here, &fs::exists, &read_link))
    };
    let all = std::env::vars_os().filter(|(name, value)| name.to_str().is_none_or(|name| is_foreign(name, value)));
    all.map(|(name, _)| name).collect()
}

/// The project we are started in, or for: its directory, what holds it up to the top of its repository or workspace.
fn project_ground() -> ProjectGround {
    let told = std::env::var_os(UNATTENDED).unwrap_or_default();
    let mut places: Vec<PathBuf> = std::env::split_paths(&told).filter(|place| place.is_absolute()).collect();
    if let Ok(here) = current_dir() {
        let is_top = |place: &&Path| TOPS.iter().any(|name| fs::exists(&place.join(name)));
        places.extend(here.ancestors().find(is_top).map(Path::to_owned));
        places.push(here);
    }
    let home = home();
    let config = directory(SYMPOSIUM_HOME);
    ProjectGround::new(places, UserGround { home: home.as_deref(), config: config.as_deref() }, &read_link)
}

fn read_link(path: &Path) -> Option<PathBuf> {
    std::fs::read_link(path).ok()
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

/// Goes on as if the program had been started in `directory`.
pub fn change_dir(directory: &Path) -> io::Result<()> {
    std::env::set_current_dir(directory)
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
    std::env::var_os(UNATTENDED).is_none()
        && GIT_SSH.iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// Git's variables that a run of ours must not hand on: a command started by a hook of git finds its repository in them,
/// and tracing would write credentials down.
pub(crate) fn git_variables() -> Vec<OsString> {
    let is_kept = |name: &str| GIT_SSH.contains(&name) || GIT_OF_THE_USER.contains(&name);
    let names = std::env::vars_os().map(|(name, _)| name);
    names.filter(|name| name.to_str().is_some_and(|name| name.starts_with("GIT_") && !is_kept(name))).collect()
}
