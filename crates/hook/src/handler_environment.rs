//! The environment of a started program: nothing that a project sets reaches a guard, a granted handler or a builtin
//! tool.

use std::env::{join_paths, split_paths};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use symposium_model::handler_environment::{ProjectGround, UserGround, loads_code};

use crate::edge::{disk, environment};

pub(crate) const HOME: &str = if cfg!(windows) { "USERPROFILE" } else { "HOME" };

/// System directories that are added to PATH if it lacks them.
const USUAL: &[&str] = if cfg!(unix) { &["/usr/local/bin", "/usr/bin", "/bin"] } else { &[] };

/// Stops Lua from loading modules from the working directory, which it does by default.
const LUA_INIT: &str = "for _, k in ipairs{'path', 'cpath'} do \
                        package[k] = (';' .. package[k]):gsub(';%.[^;]*', ''):gsub('^;+', '') end";

/// Stops git from running the file system monitor and the hooks of a repository in a mere query. A directory of a clone
/// that looks like a bare repository is not treated as one.
const UNMONITORED: [(&str, &str); 6] = [
    ("GIT_CONFIG_COUNT", "2"),
    ("GIT_CONFIG_KEY_0", "core.fsmonitor"),
    ("GIT_CONFIG_VALUE_0", "false"),
    ("GIT_CONFIG_KEY_1", "safe.bareRepository"),
    ("GIT_CONFIG_VALUE_1", "explicit"),
    ("GIT_OPTIONAL_LOCKS", "0"),
];

#[derive(Debug, Clone, Default)]
pub(crate) struct UserPlaces {
    pub(crate) home: Option<PathBuf>,
    pub(crate) config: Option<PathBuf>,
}

pub(crate) static UNKNOWN: UserPlaces = UserPlaces { home: None, config: None };

#[derive(Debug, Clone, Copy)]
pub(crate) struct EventPlaces<'a> {
    pub(crate) workspace: Option<&'a Path>,
    pub(crate) cwd: Option<&'a Path>,
    pub(crate) user: &'a UserPlaces,
}

impl EventPlaces<'_> {
    /// Returns the directories of the project: the workspace, the agent's working directory, and the repositories that
    /// contain them.
    fn ground(&self) -> ProjectGround {
        let here = if self.cwd.or(self.workspace).is_none() { environment::current_dir() } else { None };
        let starts: Vec<&Path> = [self.workspace, self.cwd, here.as_deref()].into_iter().flatten().collect();
        let repositories = starts.iter().filter_map(|start| {
            start.ancestors().find(|directory| disk::exists(&directory.join(".git"))).map(Path::to_owned)
        });
        let repositories: Vec<PathBuf> = repositories.collect();
        let places = starts.into_iter().map(Path::to_owned).chain(repositories);
        let user = UserGround { home: self.user.home.as_deref(), config: self.user.config.as_deref() };
        ProjectGround::new(places, user, &disk::read_link)
    }

    /// Returns true if PATH contains a program called `symposium` outside the project.
    pub(crate) fn finds_us(&self) -> bool {
        let name = format!("symposium{}", std::env::consts::EXE_SUFFIX);
        let path = environment::variable("PATH").unwrap_or_default();
        let directories = self.ground().program_directories(&path, &disk::read_link);
        directories.iter().any(|directory| disk::is_file(&directory.join(&name)))
    }
}

/// The difference between the environment of a started program and the one of this process.
#[derive(Debug, Default)]
pub(crate) struct HandlerEnvironment {
    pub(crate) unset: Vec<OsString>,
    pub(crate) set: Vec<(&'static str, OsString)>,
}

impl HandlerEnvironment {
    /// Builds the environment of a program that must not depend on the project. It is started in `directory`; the
    /// variables in `kept` stay unchanged.
    pub(crate) fn apart(places: &EventPlaces<'_>, directory: Option<&Path>, kept: &[&str]) -> Self {
        let ground = places.ground();
        let directory = directory.unwrap_or(Path::new("/"));
        let is_foreign = |name: &str, value: &OsStr| {
            let is_no_directory = || matches!(name, "TMPDIR" | "TEMP" | "TMP") && !disk::is_dir(Path::new(value));
            loads_code(name)
                || is_no_directory()
                || ground.is_named_by(name, value, directory, &disk::exists, &disk::read_link)
        };
        let mut unset = Vec::new();
        for (name, value) in environment::variables() {
            // A name that is not UTF-8 is no shell variable: it may be anything.
            let stays = name.to_str().is_some_and(|name| {
                kept.contains(&name) || matches!(name, "PATH" | "PWD") || !is_foreign(name, &value)
            });
            if !stays {
                unset.push(name);
            }
        }
        let path = environment::variable("PATH").unwrap_or_default();
        let mut directories = ground.program_directories(&path, &disk::read_link);
        for usual in USUAL.iter().map(PathBuf::from) {
            if !directories.contains(&usual) {
                directories.push(usual);
            }
        }
        let mut set = vec![("PATH", join_paths(directories).unwrap_or_default())];
        set.extend(UNMONITORED.map(|(name, value)| (name, OsString::from(value))));
        set.push(("LUA_INIT", LUA_INIT.into()));
        match &places.user.home {
            Some(home) => set.push((HOME, home.clone().into_os_string())),
            None => set.push(("PYTHONNOUSERSITE", "1".into())),
        }
        Self { unset, set }
    }

    pub(crate) fn path(&self) -> Option<OsString> {
        let own = self.set.iter().find(|(name, _)| *name == "PATH").map(|(_, path)| path.clone());
        own.or_else(|| environment::variable("PATH"))
    }

    pub(crate) fn variables(&self) -> impl Iterator<Item = (&str, &OsStr)> {
        self.set.iter().map(|(name, value)| (*name, value.as_os_str()))
    }
}

/// Prepends directories to a path list. A directory that such a list cannot contain, for example one with a `:`, is
/// skipped: it would be read as several.
pub(crate) fn with_first(first: &[String], rest: Option<&OsStr>) -> OsString {
    let first = first.iter().filter(|directory| join_paths([directory]).is_ok()).map(PathBuf::from);
    let rest = rest.filter(|rest| !rest.is_empty()).into_iter().flat_map(split_paths);
    join_paths(first.chain(rest)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(windows, ignore = "the expected paths are those of Unix")]
    fn a_directory_that_a_list_cannot_hold_is_left_out() {
        let first = ["/one", "/two:three", "/four"].map(str::to_owned);
        for (rest, wanted) in
            [(None, "/one:/four"), (Some(""), "/one:/four"), (Some("/bin:relative:"), "/one:/four:/bin:relative:")]
        {
            assert_eq!(with_first(&first, rest.map(OsStr::new)), wanted);
        }
    }
}
