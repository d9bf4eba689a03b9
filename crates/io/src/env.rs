//! All environment variables that the slow path reads.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use symposium_model::config::{DirectoryVariables, NamedDirectories};
use symposium_model::handler_environment::{ProjectGround, UserGround, loads_code};

use crate::fs;

const CARGO_HOME: &str = "CARGO_HOME";
const CARGO_NET_OFFLINE: &str = "CARGO_NET_OFFLINE";
const RUSTUP_HOME: &str = "RUSTUP_HOME";
/// Replaces `~/.symposium`.
const SYMPOSIUM_HOME: &str = "SYMPOSIUM_HOME";
const XDG_CONFIG_HOME: &str = "XDG_CONFIG_HOME";
const XDG_CACHE_HOME: &str = "XDG_CACHE_HOME";
const XDG_DATA_HOME: &str = "XDG_DATA_HOME";
/// `1` or `true` has the effect of `--offline`.
const SYMPOSIUM_OFFLINE: &str = "SYMPOSIUM_OFFLINE";
const GIT_SSH: [&str; 2] = ["GIT_SSH", "GIT_SSH_COMMAND"];
/// Other git variables that concern the user and the network, not a repository that happens to be near.
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
const PATH: &str = "PATH";
/// Set by a hook that starts this program; contains the directories of the project.
const UNATTENDED: &str = symposium_model::ownership::UNATTENDED;
const TOPS: [&str; 3] = [".git", "Cargo.lock", ".symposium/config.toml"];

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

pub fn symposium_home_is_set() -> bool {
    std::env::var_os(SYMPOSIUM_HOME).is_some_and(|home| PathBuf::from(home).is_absolute())
}

/// Returns true if `SYMPOSIUM_HOME` is set to a relative path, which is ignored.
pub fn symposium_home_is_ignored() -> bool {
    std::env::var_os(SYMPOSIUM_HOME).is_some_and(|home| !home.is_empty() && !PathBuf::from(home).is_absolute())
}

pub fn home() -> Option<PathBuf> {
    std::env::home_dir().filter(|home| home.is_absolute())
}

/// Returns `CARGO_HOME`, else `~/.cargo`.
pub fn cargo_home() -> Option<PathBuf> {
    let set = std::env::var_os(CARGO_HOME).map(PathBuf::from).filter(|path| path.is_absolute());
    set.or_else(|| Some(home()?.join(".cargo")))
}

/// Returns `RUSTUP_HOME`, else `~/.rustup`.
pub fn rustup_home() -> Option<PathBuf> {
    let set = std::env::var_os(RUSTUP_HOME).map(PathBuf::from).filter(|path| path.is_absolute());
    set.or_else(|| Some(home()?.join(".rustup")))
}

/// Returns the directories of PATH that do not belong to the project.
pub fn program_directories() -> Vec<PathBuf> {
    /// The last result with its inputs: a command asks many times.
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

/// Returns [`program_directories`] as a PATH for started programs; `None` when there is no PATH.
pub(crate) fn search_path() -> Option<OsString> {
    std::env::var_os(PATH).map(|_| std::env::join_paths(program_directories()).unwrap_or_default())
}

/// Lists the variables that started programs do not inherit if a hook, not a user, started this one: a project may have
/// set them.
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

/// Returns the directories of the project in or for which this program was started, up to the top of its repository or
/// workspace.
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

/// Returns all variables whose names and values are UTF-8; `env(…)` conditions are tested against them.
pub fn variables() -> BTreeMap<String, String> {
    let text = |value: OsString| value.into_string().ok();
    std::env::vars_os().filter_map(|(name, value)| Some((text(name)?, text(value)?))).collect()
}

/// Returns true unless the variable is unset, empty, `0` or `false`.
pub fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty() && value != "0" && value != "false")
}

/// Returns the value of a variable unless it is empty.
pub(crate) fn text(variable: &str) -> Option<String> {
    let value = std::env::var_os(variable)?.to_string_lossy().into_owned();
    Some(value).filter(|value| !value.trim().is_empty())
}

/// Returns the value of a variable if it is an absolute path.
pub fn directory(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}

pub fn current_program() -> Option<PathBuf> {
    std::env::current_exe().ok()
}

pub fn path() -> OsString {
    std::env::var_os(PATH).unwrap_or_default()
}

/// Returns [`program_directories`] without one of them as a value of PATH; `None` for one that is not UTF-8.
pub fn path_without(directory: &Path) -> Option<String> {
    let others = program_directories().into_iter().filter(|place| place != directory);
    std::env::join_paths(others).ok()?.into_string().ok().filter(|path| !path.is_empty())
}

/// A program that has the name of another one on PATH, as a shell finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamesakeProgram {
    pub file: PathBuf,
    /// The value of PATH without the directories in which this program has the name.
    pub path: OsString,
    /// The value of [`NAMESAKES`] for it.
    pub tried: OsString,
}

/// Tells a namesake, should it start this program again, that it is no other program: the process that started it, and
/// all files that were started so far.
pub const NAMESAKES: &str = "SYMPOSIUM_NAMESAKES";

/// Finds the program that a name leads to where this program does not have the name, and outside a directory.
pub fn find_namesake(name: &str, outside: Option<&Path>) -> Option<NamesakeProgram> {
    let own = std::env::current_exe().and_then(std::fs::canonicalize).ok();
    let called = std::env::args_os().next().map(PathBuf::from).filter(|called| called.ends_with(name));
    let called = called.as_deref().and_then(Path::parent).filter(|place| !place.as_os_str().is_empty());
    let mut tried = tried_namesakes();
    let path = std::env::var_os(PATH)?;
    let is_ours = |place: &PathBuf| {
        let is_own = || std::fs::canonicalize(place.join(name)).is_ok_and(|file| Some(file) == own);
        Some(place.as_path()) == outside || Some(place.as_path()) == called || is_own()
    };
    let places: Vec<PathBuf> = std::env::split_paths(&path).filter(|place| !is_ours(place)).collect();
    // An empty entry means the working directory.
    let files = places.iter().map(|place| Path::new(if place.as_os_str().is_empty() { "." } else { "" }).join(place));
    let mut files = files.map(|place| place.join(name)).filter(|file| !tried.contains(file));
    let file = files.find(|file| fs::is_file(file) && fs::is_executable(file))?;
    tried.push(file.clone());
    let process = PathBuf::from(std::process::id().to_string());
    let tried = std::env::join_paths(std::iter::once(process).chain(tried)).unwrap_or_default();
    Some(NamesakeProgram { file, path: std::env::join_paths(places).ok()?, tried })
}

/// Lists the namesakes that led back to this program; none if a program between them started it.
fn tried_namesakes() -> Vec<PathBuf> {
    let told = std::env::var_os(NAMESAKES).unwrap_or_default();
    let mut told = std::env::split_paths(&told);
    let process = told.next().and_then(|process| process.to_str()?.parse::<u32>().ok());
    #[cfg(unix)]
    let parent = std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    let parent = std::process::id();
    if process.is_some_and(|process| process == std::process::id() || process == parent) {
        told.collect()
    } else {
        Vec::new()
    }
}

pub fn current_dir() -> io::Result<PathBuf> {
    std::env::current_dir()
}

pub fn change_dir(directory: &Path) -> io::Result<()> {
    std::env::set_current_dir(directory)
}

pub fn cargo_is_offline() -> bool {
    std::env::var_os(CARGO_NET_OFFLINE).is_some_and(|value| value == "true" || value == "1")
}

pub fn is_offline() -> bool {
    let told = std::env::var_os(SYMPOSIUM_OFFLINE).is_some_and(|value| value == "true" || value == "1");
    told || cargo_is_offline()
}

pub(crate) fn has_ssh_command() -> bool {
    std::env::var_os(UNATTENDED).is_none()
        && GIT_SSH.iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// Lists git's variables that started programs must not inherit: a command started by a git hook would find the
/// repository in them, and tracing would write credentials to disk.
pub(crate) fn git_variables() -> Vec<OsString> {
    let is_kept = |name: &str| GIT_SSH.contains(&name) || GIT_OF_THE_USER.contains(&name);
    let names = std::env::vars_os().map(|(name, _)| name);
    names.filter(|name| name.to_str().is_some_and(|name| name.starts_with("GIT_") && !is_kept(name))).collect()
}
