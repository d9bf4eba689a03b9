//! Paths that lead into a project. A guard must not take programs, settings or code from there, because they are not
//! the user's.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// The number of links after which a path counts as a cycle.
const MAX_LINKS: usize = 40;

/// Paths with a different meaning for every process.
const OF_PROCESSES: [&str; 2] = ["/proc", "/dev/fd"];

/// Directories of programs of the machine.
const OF_MACHINE: [&str; 8] =
    ["/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew", "/opt/local", "/nix"];

/// Directories of a user's programs, below the home directory.
const OF_USER: [&str; 22] = [
    ".asdf",
    ".bun/bin",
    ".cargo/bin",
    ".deno/bin",
    ".fnm",
    ".ghcup/bin",
    ".local/bin",
    ".local/share/fnm",
    ".local/share/mise",
    ".local/share/pnpm",
    ".local/share/uv",
    ".nix-profile",
    ".nodenv",
    ".npm-global",
    ".nvm",
    ".pyenv",
    ".rbenv",
    ".rustup",
    ".rye",
    ".sdkman",
    ".volta",
    "go/bin",
];

/// Suffixes of the names of variables that hold the path of a file or directory.
const ENDS_OF_PATHS: [&str; 13] = [
    "_HOME", "CONFIG", "CONF", "DIR", "DIRS", "_PATH", "_FILE", "_ROOT", "RC", "_ENV", "_BUNDLE", "_PREFIX", "LOADPATH",
];

/// Returns the target of a link; `None` for anything else.
pub type LinkLookup<'r> = &'r dyn Fn(&Path) -> Option<PathBuf>;

/// The directories of a project, links resolved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectGround {
    places: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct UserGround<'u> {
    pub home: Option<&'u Path>,
    pub config: Option<&'u Path>,
}

impl ProjectGround {
    /// Resolves the directories of a project. One that contains the user's home, configuration or programs is no
    /// project: an agent may work anywhere, and must not remove a guard's programs by that.
    pub fn new(places: impl IntoIterator<Item = PathBuf>, user: UserGround<'_>, read_link: LinkLookup<'_>) -> Self {
        let of_user = [user.home, user.config].into_iter().flatten().filter_map(|own| destination(own, read_link));
        let of_user: Vec<PathBuf> = of_user.collect();
        let of_homebrew = Path::new("/home").join("linuxbrew/.linuxbrew");
        let tools = OF_MACHINE.iter().map(PathBuf::from).chain([of_homebrew]);
        let home = user.home.and_then(|home| destination(home, read_link));
        let tools = tools.chain(home.iter().flat_map(|home| OF_USER.iter().map(|tools| home.join(tools))));
        let tools: Vec<PathBuf> = tools.collect();
        let is_project = |place: &PathBuf| {
            !of_user.iter().any(|own| own.starts_with(place))
                && !tools.iter().any(|tools| tools.starts_with(place) || place.starts_with(tools))
        };
        let places = places.into_iter().filter_map(|place| destination(&place, read_link)).filter(is_project);
        Self { places: places.collect() }
    }

    /// Tells whether a path leads into the project, or depends on the process.
    pub fn holds(&self, path: &Path, read_link: LinkLookup<'_>) -> bool {
        let found = destination(path, read_link);
        found.is_none_or(|found| self.places.iter().any(|place| found.starts_with(place)))
    }

    /// Returns the directories of a search path that are outside the project. Relative ones are dropped, because they
    /// depend on the working directory.
    pub fn program_directories(&self, path: &OsStr, read_link: LinkLookup<'_>) -> Vec<PathBuf> {
        let entries = std::env::split_paths(path).filter(|entry| entry.is_absolute());
        entries.filter(|entry| !self.holds(entry, read_link)).collect()
    }

    /// Tells whether a variable's value, or a part of it, leads into the project. A relative path starts at
    /// `directory`, and counts if it `exists`.
    pub fn is_named_by(
        &self,
        name: &str,
        value: &OsStr,
        directory: &Path,
        exists: &dyn Fn(&Path) -> bool,
        read_link: LinkLookup<'_>,
    ) -> bool {
        let leads = |part: &Path| {
            let is_path = || holds_path(name) || part.components().nth(1).is_some();
            let found = || directory.join(part);
            if part.is_absolute() {
                self.holds(part, read_link)
            } else {
                !part.as_os_str().is_empty() && is_path() && exists(&found()) && self.holds(&found(), read_link)
            }
        };
        if leads(Path::new(value)) || std::env::split_paths(value).any(|entry| leads(&entry)) {
            return true;
        }
        let text = value.to_string_lossy();
        text.split(|c: char| c.is_whitespace() || ":;,=\"'@".contains(c)).any(|part| {
            let absolute = part.find('/').and_then(|at| part.get(at..));
            leads(Path::new(part)) || absolute.is_some_and(|absolute| leads(Path::new(absolute)))
        })
    }
}

fn holds_path(name: &str) -> bool {
    name.starts_with("XDG_") || ENDS_OF_PATHS.iter().any(|end| name.ends_with(end))
}

/// Resolves every link of a path; `None` when the result depends on the process, or after too many links. A missing
/// path is taken as written.
pub fn destination(path: &Path, read_link: LinkLookup<'_>) -> Option<PathBuf> {
    let mut found = PathBuf::new();
    let mut rest: Vec<PathBuf> = Vec::new();
    push_reversed(&mut rest, path);
    let mut links = 0;
    while let Some(next) = rest.pop() {
        match next.components().next() {
            Some(Component::Prefix(_) | Component::RootDir) => found = found.join(&next),
            Some(Component::ParentDir) => {
                found.pop();
            }
            Some(Component::Normal(name)) => {
                let there = found.join(name);
                if OF_PROCESSES.iter().any(|of| there.starts_with(of)) {
                    return None;
                }
                match read_link(&there) {
                    Some(target) => {
                        links += 1;
                        if links > MAX_LINKS {
                            return None;
                        }
                        push_reversed(&mut rest, &target);
                    }
                    None => found = there,
                }
            }
            Some(Component::CurDir) | None => {}
        }
    }
    Some(found)
}

fn push_reversed(rest: &mut Vec<PathBuf>, path: &Path) {
    let parts: Vec<PathBuf> = path.components().map(|part| PathBuf::from(part.as_os_str())).collect();
    rest.extend(parts.into_iter().rev());
}

#[cfg(all(test, unix))]
#[path = "project_paths_tests.rs"]
mod tests;
