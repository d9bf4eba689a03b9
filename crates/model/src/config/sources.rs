//! The list of sources that apply, in order of precedence.

use std::path::{Component, Path, PathBuf};

use super::directories::AppDirectories;
use super::git_address::{AddressFault, GitAddress, GitProtocol};
use super::index_address::IndexAddress;
use super::settings::{EffectiveSettings, SettingOrigin, SettingValue, SourceEntry, SourceLocation};
use super::source_kind::SourceKind;

const RECOMMENDATIONS_URL: &str = "https://github.com/symposium-dev/recommendations";

/// The maximum number of sources in a project's configuration: a project must not slow down the user's own hooks.
pub const MAX_PROJECT_SOURCES: usize = 32;

/// The precedence of a source; of two extensions of one name the one of the higher rank wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceRank {
    Builtin,
    /// The public recommendations, and the dependencies of their plugins and of built-in plugins.
    Recommendations,
    /// A dependency of the user's plugins from another source: only the user has it, and its author is not the user.
    Brought,
    Crate,
    /// Named in the user's configuration.
    User,
    /// Named in the project's configuration, or on the command line.
    Project,
}

impl SourceRank {
    /// Tells whether a source of this rank may name a repository of this protocol. A cloned project must not make
    /// Symposium read private repositories of the machine.
    pub fn may_name_repository(self, protocol: GitProtocol) -> bool {
        match protocol {
            GitProtocol::File => self == Self::User,
            GitProtocol::Https | GitProtocol::HttpOfThisMachine | GitProtocol::Ssh | GitProtocol::Git => true,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceAuthority {
    pub rank: SourceRank,
    pub extent: SourceExtent,
}

impl SourceAuthority {
    pub fn whole(rank: SourceRank) -> Self {
        Self { rank, extent: SourceExtent::Whole }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceSpec {
    pub name: String,
    pub kind: SourceKind,
    pub rank: SourceRank,
    pub extent: SourceExtent,
}

impl SourceSpec {
    pub fn whole(name: impl Into<String>, kind: SourceKind, rank: SourceRank) -> Self {
        Self { name: name.into(), kind, rank, extent: SourceExtent::Whole }
    }

    pub fn bringer(&self) -> SourceAuthority {
        SourceAuthority { rank: self.rank, extent: self.extent }
    }
}

/// The part of a source that applies in a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceExtent {
    Whole,
    /// Only its policy hooks: it is the user's, and the project leaves it out.
    PolicyHooks,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceProblem {
    pub origin: SettingOrigin,
    pub message: String,
    pub help: String,
}

/// Lists the sources that apply, lowest rank first.
pub fn source_specs(
    settings: &EffectiveSettings,
    directories: &AppDirectories,
    home: Option<&Path>,
    project: Option<&Path>,
    extra: &[PathBuf],
) -> (Vec<SourceSpec>, Vec<SourceProblem>) {
    let mut specs = Vec::new();
    let mut problems = Vec::new();
    if settings.builtin.value {
        specs.push(SourceSpec::whole("builtin", SourceKind::Embedded, SourceRank::Builtin));
    }
    if settings.recommendations.value
        && let Ok(address) = GitAddress::parse(RECOMMENDATIONS_URL)
    {
        let kind = SourceKind::Git { address, auto_update: true };
        specs.push(SourceSpec::whole("symposium-recommendations", kind, SourceRank::Recommendations));
    }
    let user_plugins = match (settings.user_plugins.value, settings.user_plugins.origin) {
        (true, _) => Some(SourceExtent::Whole),
        (false, SettingOrigin::Project(_)) => Some(SourceExtent::PolicyHooks),
        (false, SettingOrigin::User(_) | SettingOrigin::Default) => None,
    };
    if let Some(extent) = user_plugins {
        let kind = SourceKind::UserPlugins(directories.user_plugins());
        specs.push(SourceSpec { extent, ..SourceSpec::whole("user-plugins", kind, SourceRank::User) });
    }
    let mut of_project = 0;
    let places = SourceResolver { home, project, config: &directories.config };
    let whole = settings.sources.iter().map(|source| (source, SourceExtent::Whole));
    let left_out = settings.left_out.iter().map(|source| (source, SourceExtent::PolicyHooks));
    for (source, extent) in whole.chain(left_out) {
        let name = &source.value.name;
        let problem = |message: String, help: String| SourceProblem { origin: source.origin, message, help };
        if matches!(source.origin, SettingOrigin::Project(_)) {
            of_project += 1;
            if of_project == MAX_PROJECT_SOURCES + 1 {
                let message =
                    format!("The project has more than {MAX_PROJECT_SOURCES} sources; the others are skipped");
                problems.push(problem(message, "put several plugins into one source".to_owned()));
            }
            if of_project > MAX_PROJECT_SOURCES {
                continue;
            }
        }
        // A source that the project leaves out does not occupy its name.
        if specs.iter().any(|earlier| earlier.name == *name && earlier.extent == extent) {
            let message = format!("Two sources are named `{name}`; this one is skipped");
            problems.push(problem(message, "rename one of them".to_owned()));
            continue;
        }
        match places.spec(source) {
            Ok(spec) => specs.push(SourceSpec { extent, ..spec }),
            Err((message, help)) => problems.push(problem(format!("Source `{name}` is skipped: {message}"), help)),
        }
    }
    for path in extra {
        let name = path.file_name().map_or_else(|| "source".into(), |name| name.to_string_lossy());
        // A duplicate name gets a number.
        let taken = |name: &str| specs.iter().any(|spec: &SourceSpec| spec.name == name);
        let mut candidates =
            std::iter::once(name.clone().into_owned()).chain((2..).map(|number| format!("{name}-{number}")));
        let name = candidates.find(|name| !taken(name)).unwrap_or_default();
        specs.push(SourceSpec::whole(name, SourceKind::Path(path.clone()), SourceRank::Project));
    }
    specs.sort_by_key(|spec| spec.rank);
    (specs, problems)
}

type PathFault = (String, String);

struct SourceResolver<'p> {
    home: Option<&'p Path>,
    project: Option<&'p Path>,
    config: &'p Path,
}

impl SourceResolver<'_> {
    fn spec(&self, source: &SettingValue<SourceEntry>) -> Result<SourceSpec, PathFault> {
        let rank = match source.origin {
            SettingOrigin::Project(_) => SourceRank::Project,
            SettingOrigin::User(_) | SettingOrigin::Default => SourceRank::User,
        };
        let kind = match (&source.value.location, rank) {
            (SourceLocation::Git { url, auto_update }, _) => {
                let address =
                    repository_address(url, rank).map_err(|AddressFault { message, help }| (message, help))?;
                let address = if *auto_update { address } else { address.held() };
                SourceKind::Git { address, auto_update: *auto_update }
            }
            (SourceLocation::Index { url, auto_update }, _) => {
                let address = index_address(url, rank).map_err(|AddressFault { message, help }| (message, help))?;
                SourceKind::Index { address, auto_update: *auto_update }
            }
            (SourceLocation::Path(path), SourceRank::Project) => SourceKind::Path(project_path(path, self.project)?),
            (SourceLocation::Path(path), _) => SourceKind::Path(user_path(path, self.home, self.config)?),
        };
        Ok(SourceSpec::whole(source.value.name.clone(), kind, rank))
    }
}

pub fn repository_address(written: &str, rank: SourceRank) -> Result<GitAddress, AddressFault> {
    let address = GitAddress::parse(written)?;
    let is_allowed = rank.may_name_repository(address.protocol());
    if is_allowed { Ok(address) } else { Err(private_place(address.shown(), "a repository")) }
}

fn index_address(written: &str, rank: SourceRank) -> Result<IndexAddress, AddressFault> {
    let address = IndexAddress::parse(written)?;
    let is_allowed = rank.may_name_repository(address.protocol());
    if is_allowed { Ok(address) } else { Err(private_place(address.shown(), "an index")) }
}

fn private_place(shown: &str, what: &str) -> AddressFault {
    AddressFault {
        message: format!("`{shown}` is {what} on this machine; only your user config may name it"),
        help:
            "add the source to your user config (`symposium config path`), or use an address that all users can reach"
                .to_owned(),
    }
}

/// Resolves a path in the user's configuration: `~` is the user's home; a relative path starts at the configuration
/// file.
fn user_path(written: &str, home: Option<&Path>, config: &Path) -> Result<PathBuf, PathFault> {
    let Some(rest) = written.strip_prefix('~') else { return Ok(config.join(written)) };
    if !rest.is_empty() && !rest.starts_with('/') {
        let message = format!("`{written}` names the home directory of another user");
        return Err((message, "write the full path".to_owned()));
    }
    match home {
        Some(home) => Ok(home.join(rest.trim_start_matches('/'))),
        None => Err((format!("`{written}` needs a home directory"), "set HOME, or write the full path".to_owned())),
    }
}

/// Resolves a path in a project's configuration. It must be inside the project: a clone must not make Symposium read
/// other directories.
fn project_path(written: &str, project: Option<&Path>) -> Result<PathBuf, PathFault> {
    let Some(project) = project else {
        return Err(("This directory is not in a project".to_owned(), "run the command inside the project".to_owned()));
    };
    match inside(written) {
        Some(relative) => Ok(project.join(relative)),
        None => Err((
            format!("`{written}` is outside the project"),
            "use a path relative to the project's root, or name the source in your user config".to_owned(),
        )),
    }
}

/// Normalizes `.` and `..`; `None` when the path is absolute or leaves its base.
pub fn inside(written: &str) -> Option<PathBuf> {
    let mut parts: Vec<&std::ffi::OsStr> = Vec::new();
    for component in Path::new(written).components() {
        match component {
            Component::Normal(part) => parts.push(part),
            Component::CurDir => {}
            Component::ParentDir => {
                parts.pop()?;
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_inside_their_base() {
        for (written, expected) in [
            ("skills", Some("skills")),
            ("./skills/", Some("skills")),
            (".", Some("")),
            ("a/../b", Some("b")),
            ("..", None),
            ("a/../../b", None),
            ("/etc", None),
        ] {
            assert_eq!(inside(written), expected.map(PathBuf::from), "{written}");
        }
    }

    #[test]
    fn user_paths_know_the_home() {
        let home = Some(Path::new("/h"));
        let config = Path::new("/h/.symposium");
        assert_eq!(user_path("~/p", home, config), Ok("/h/p".into()));
        assert_eq!(user_path("~", home, config), Ok("/h/".into()));
        assert_eq!(user_path("/abs", home, config), Ok("/abs".into()));
        assert_eq!(user_path("rel", home, config), Ok("/h/.symposium/rel".into()));
        assert!(user_path("~root/p", home, config).is_err());
        assert!(user_path("~/p", None, config).is_err());
    }
}
