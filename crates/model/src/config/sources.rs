//! Which sources a call reads, in order of precedence.

use std::path::{Component, Path, PathBuf};

use semver::Version;

use super::directories::Directories;
use super::git_address::{AddressFault, GitAddress};
use super::settings::{Origin, Settings, SourceLocation};
use crate::crates::{Certainty, CrateName};

/// Where the public recommendations live.
const RECOMMENDATIONS_URL: &str = "https://github.com/symposium-dev/recommendations";

/// More sources than this are not read for a project: it must not cost the user's own hooks their time.
pub const MAX_PROJECT_SOURCES: usize = 32;

/// How specific a source is; of two extensions of one name the more specific wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceRank {
    /// Embedded in the program.
    Builtin,
    /// The public recommendations.
    Recommendations,
    /// A dependency's own plugin.
    Crate,
    /// Named in the user's configuration.
    User,
    /// Named in the project's configuration, or on the command line.
    Project,
}

impl SourceRank {
    /// Whether what its plugins run needs somebody's grant. What ships with the program and what the user named does not.
    pub fn needs_grant(self) -> bool {
        match self {
            Self::Builtin | Self::User => false,
            Self::Recommendations | Self::Crate | Self::Project => true,
        }
    }
}

/// One source to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceSpec {
    /// Its name in messages.
    pub name: String,
    /// Where its content is.
    pub kind: SourceKind,
    /// How specific it is.
    pub rank: SourceRank,
}

/// Where a source's content is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceKind {
    /// In the program itself.
    Embedded,
    /// The user's plugin directory, which need not exist.
    UserPlugins(PathBuf),
    /// A directory somebody named.
    Path(PathBuf),
    /// A git repository.
    Git {
        /// Its address.
        address: GitAddress,
        /// Whether it is refreshed on its own.
        auto_update: bool,
    },
    /// The source of a crate that carries a plugin of its own.
    Crate(CratePlace),
}

/// A crate that carries a plugin of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CratePlace {
    /// Its name.
    pub name: CrateName,
    /// The version in use.
    pub version: Version,
    /// How sure that version is.
    pub certainty: Certainty,
    /// The directory of its manifest.
    pub directory: PathBuf,
    /// The plugin that brings it along, so that nobody else has to switch it on.
    pub brought_by: Option<String>,
}

impl SourceKind {
    /// The word for it in output.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Embedded => "builtin",
            Self::UserPlugins(_) => "user-plugins",
            Self::Path(_) => "path",
            Self::Git { .. } => "git",
            Self::Crate(_) => "crate",
        }
    }
}

/// A source that cannot be used as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceProblem {
    /// Where it is written.
    pub origin: Origin,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

/// Lists the sources of a call, least specific first.
pub fn source_specs(
    settings: &Settings,
    directories: &Directories,
    home: Option<&Path>,
    project: Option<&Path>,
    extra: &[PathBuf],
) -> (Vec<SourceSpec>, Vec<SourceProblem>) {
    let mut specs = Vec::new();
    let mut problems = Vec::new();
    if settings.builtin.value {
        specs.push(SourceSpec { name: "builtin".to_owned(), kind: SourceKind::Embedded, rank: SourceRank::Builtin });
    }
    if settings.recommendations.value
        && let Ok(address) = GitAddress::parse(RECOMMENDATIONS_URL)
    {
        let kind = SourceKind::Git { address, auto_update: true };
        let name = "symposium-recommendations".to_owned();
        specs.push(SourceSpec { name, kind, rank: SourceRank::Recommendations });
    }
    if settings.user_plugins.value {
        let kind = SourceKind::UserPlugins(directories.user_plugins());
        specs.push(SourceSpec { name: "user-plugins".to_owned(), kind, rank: SourceRank::User });
    }
    let mut of_project = 0;
    for source in &settings.sources {
        if matches!(source.origin, Origin::Project(_)) {
            of_project += 1;
            if of_project == MAX_PROJECT_SOURCES + 1 {
                let message = format!("More than {MAX_PROJECT_SOURCES} sources in one project; the rest is left out");
                let help = "put several plugins into one source".to_owned();
                problems.push(SourceProblem { origin: source.origin, message, help });
            }
            if of_project > MAX_PROJECT_SOURCES {
                continue;
            }
        }
        let name = source.value.name.clone();
        let rank = match source.origin {
            Origin::Project(_) => SourceRank::Project,
            Origin::User(_) | Origin::Default => SourceRank::User,
        };
        if specs.iter().any(|earlier: &SourceSpec| earlier.name == name) {
            let message = format!("Two sources are called `{name}`; this one is left out");
            problems.push(SourceProblem { origin: source.origin, message, help: "rename one of them".to_owned() });
            continue;
        }
        let kind = match &source.value.location {
            SourceLocation::Git { url, auto_update } => match GitAddress::parse(url) {
                Ok(address) => Ok(SourceKind::Git { address, auto_update: *auto_update }),
                Err(AddressFault { message, help }) => Err((message, help)),
            },
            SourceLocation::Path(path) => match rank {
                SourceRank::Project => project_path(path, project),
                SourceRank::Builtin | SourceRank::Recommendations | SourceRank::Crate | SourceRank::User => {
                    user_path(path, home, &directories.config)
                }
            }
            .map(SourceKind::Path),
        };
        match kind {
            Ok(kind) => specs.push(SourceSpec { name, kind, rank }),
            Err((message, help)) => {
                let message = format!("Source `{name}` is left out: {message}");
                problems.push(SourceProblem { origin: source.origin, message, help });
            }
        }
    }
    for path in extra {
        let name = path.file_name().map_or_else(|| "source".into(), |name| name.to_string_lossy());
        // A name that is taken is told apart by a number.
        let taken = |name: &str| specs.iter().any(|spec: &SourceSpec| spec.name == name);
        let mut candidates =
            std::iter::once(name.clone().into_owned()).chain((2..).map(|number| format!("{name}-{number}")));
        let name = candidates.find(|name| !taken(name)).unwrap_or_default();
        specs.push(SourceSpec { name, kind: SourceKind::Path(path.clone()), rank: SourceRank::Project });
    }
    specs.sort_by_key(|spec| spec.rank);
    (specs, problems)
}

type PathFault = (String, String);

/// `~` is the user's home; a relative path starts at the configuration file.
fn user_path(written: &str, home: Option<&Path>, config: &Path) -> Result<PathBuf, PathFault> {
    let Some(rest) = written.strip_prefix('~') else { return Ok(config.join(written)) };
    if !rest.is_empty() && !rest.starts_with('/') {
        let message = format!("`{written}` names another user's home");
        return Err((message, "write the path in full".to_owned()));
    }
    match home {
        Some(home) => Ok(home.join(rest.trim_start_matches('/'))),
        None => Err((format!("`{written}` needs a home directory"), "set HOME, or write the path in full".to_owned())),
    }
}

/// A project's sources lie inside the project: a clone must not make us read elsewhere.
fn project_path(written: &str, project: Option<&Path>) -> Result<PathBuf, PathFault> {
    let Some(project) = project else {
        return Err(("There is no project here".to_owned(), "run it inside the project".to_owned()));
    };
    match inside(written) {
        Some(relative) => Ok(project.join(relative)),
        None => Err((
            format!("`{written}` lies outside the project"),
            "use a path relative to the project's root, or name the source in your user config".to_owned(),
        )),
    }
}

/// The path without `.` and `..`; `None` when it is absolute or leaves its base.
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
