//! What every command knows about the call: directories, workspace, settings.

mod loading;
mod reporting;

use std::cell::Cell;
use std::path::{Path, PathBuf};

use symposium_io::cargo::{self, LocatedWorkspace, SearchBoundary};
use symposium_io::fs;
use symposium_io::source::GitCache;
use symposium_model::agent::AgentId;
use symposium_model::authority::project::IgnoredProject;
use symposium_model::authority::{DefaultToggle, WorkspaceToggles};
use symposium_model::config::{
    self, AppDirectories, ConfigFile, PROJECT_FILE, Scope, SettingOrigin, Settings, UserToggles,
};

use super::missing_installation::MissingInstallation;
use super::user_toggles;
use crate::ops::fetch_report::FetchReport;
use crate::ops::lockfile_state::{LockfileState, PinPolicy};
use crate::ui::logging::{self, LogDestination};
use crate::ui::printer::{Printer, Verbosity};

pub(crate) use self::loading::MAX_CONFIG;

/// How much is said about what is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReportDetail {
    Each,
    /// How many there were: each was shown before it was agreed to.
    Counted,
}

/// The circumstances of one call.
pub(crate) struct Context {
    pub(crate) printer: Printer,
    pub(crate) directories: AppDirectories,
    pub(crate) home: Option<PathBuf>,
    /// The workspace the call is about.
    pub(crate) workspace: Option<LocatedWorkspace>,
    /// Where looking upwards for a workspace ends.
    pub(crate) boundary: SearchBoundary,
    pub(crate) settings: Settings,
    /// What the user's file says by itself.
    user: ConfigFile,
    /// What the project's file says by itself.
    project: ConfigFile,
    /// The user's own choices for the workspace.
    own: UserToggles,
    /// The text of the file with them.
    own_text: Option<String>,
    /// Whether that file cannot be understood.
    pub(crate) own_is_broken: bool,
    /// What would be a project here, and does not count.
    ignored: Vec<IgnoredProject>,
    /// The text of the user's file.
    user_text: Option<String>,
    /// The text of the project's file.
    project_text: Option<String>,
    /// The project's configuration file, when there is one.
    pub(crate) project_config: Option<PathBuf>,
    /// Sources named on the command line.
    pub(crate) extra_sources: Vec<PathBuf>,
    /// Configuration files that cannot be understood, so that what they say is unknown.
    pub(crate) broken_configs: Vec<(Scope, PathBuf)>,
    /// When this began, in nanoseconds since 1970: what changed later was perhaps read before it changed.
    pub(crate) started: i64,
    /// What happened to the sources before they are read.
    pub(crate) refreshed: FetchReport,
    /// Installations that the last sync found to be needed.
    pub(crate) unmade: Vec<MissingInstallation>,
    pub(crate) lock: LockfileState,
    /// Whether what it says of sources counts.
    pub(crate) pins: PinPolicy,
    /// How much is said about what is done.
    pub(crate) telling: ReportDetail,
    /// Whether something could not be done.
    partial: Cell<bool>,
    /// Whether a configuration, a manifest or a lock could not be read, so that nothing can be said to be gone.
    unread: Cell<bool>,
}

impl Context {
    /// Starts the log of a run that writes.
    pub(crate) fn start_log(&self) {
        self.log_to(true);
    }

    /// Starts the log of a run that only looks: where there is no directory for logs yet, none is made.
    pub(crate) fn start_log_if_there(&self) {
        self.log_to(false);
    }

    fn log_to(&self, makes_directory: bool) {
        let shows = self.printer.verbosity == Verbosity::WithLog;
        let destination = LogDestination { directory: &self.directories.logs, makes_directory, shows };
        logging::start(destination, self.settings.log_level.value);
        let root = self.root().map(|root| root.display().to_string());
        tracing::info!(version = env!("CARGO_PKG_VERSION"), workspace = root, "started");
        for (scope, text) in [(Scope::User, &self.user_text), (Scope::Project, &self.project_text)] {
            if let Some(path) = self.config_file(scope).filter(|_| text.is_some()) {
                tracing::debug!(path = %path.display(), broken = self.is_broken(scope), "read configuration");
            }
        }
        tracing::debug!(agents = ?self.agents(), default = self.choices().unmentioned.on, "resolved settings");
    }

    /// The agents the user chose for every project.
    pub(crate) fn user_agents(&self) -> Vec<AgentId> {
        self.user.agents.as_ref().map(|agents| agents.value.clone()).unwrap_or_default()
    }

    /// Whether the user chose agents, none among the choices.
    pub(crate) fn user_chose_agents(&self) -> bool {
        self.user.agents.is_some()
    }

    /// The agents the project chose for everybody.
    pub(crate) fn project_agents(&self) -> Vec<AgentId> {
        self.project.agents.as_ref().map(|agents| agents.value.clone()).unwrap_or_default()
    }

    /// Lists the user's agents that nothing is installed for here, because the project names others.
    pub(crate) fn unserved_agents(&self) -> Vec<AgentId> {
        let served = self.project_agents();
        let user = if served.is_empty() { Vec::new() } else { self.user_agents() };
        user.into_iter().filter(|agent| !served.contains(agent)).collect()
    }

    /// The agents that count here: the project's, else the user's.
    pub(crate) fn agents(&self) -> Vec<AgentId> {
        self.settings.agents.value.clone()
    }

    /// Where copies of sources lie.
    pub(crate) fn git_cache(&self) -> GitCache {
        GitCache::new(&self.directories.plugin_sources())
    }

    /// Where a configuration is, or would be; `None` for a project's outside any.
    pub(crate) fn config_file(&self, scope: Scope) -> Option<PathBuf> {
        match scope {
            Scope::User => Some(self.directories.config_file()),
            Scope::Project => {
                let root = self.root().filter(|_| self.ignored_project().is_none());
                root.map(|root| root.join(PROJECT_FILE))
            }
        }
    }

    /// The configuration directory of the workspace, when it does not count.
    pub(crate) fn ignored_project(&self) -> Option<PathBuf> {
        let own = self.root()?.join(PROJECT_FILE).parent()?.to_owned();
        self.ignored.iter().any(|ignored| ignored.path == own).then_some(own)
    }

    /// Where the user's own choices for the workspace are, or would be.
    pub(crate) fn own_file(&self) -> Option<PathBuf> {
        self.root().map(|root| user_toggles::path(&self.directories, root))
    }

    /// The user's own choices for the workspace.
    pub(crate) fn own(&self) -> &UserToggles {
        &self.own
    }

    /// The text of the user's own choices for the workspace, when there are any.
    pub(crate) fn own_text(&self) -> Option<String> {
        self.own_text.clone()
    }

    /// Goes on as if the file with the user's own choices held this text.
    pub(crate) fn assume_own(&mut self, text: &str) {
        self.own = config::parse_choices("", text).choices;
        self.own_text = Some(text.to_owned());
    }

    /// The text of the user's configuration, when there is one.
    pub(crate) fn user_text(&self) -> Option<String> {
        self.user_text.clone()
    }

    /// The text of the project's configuration, when there is one.
    pub(crate) fn project_text(&self) -> Option<String> {
        self.project_text.clone()
    }

    /// Goes on as if a configuration file held this text.
    pub(crate) fn assume(&mut self, scope: Scope, text: &str) {
        let parsed = config::parse("", text, scope).file;
        match scope {
            Scope::User => {
                self.user = parsed;
                self.user_text = Some(text.to_owned());
            }
            Scope::Project => {
                self.project = parsed;
                self.project_text = Some(text.to_owned());
                self.project_config = self.config_file(Scope::Project);
            }
        }
        self.settings = Settings::resolve(&self.user, &self.project);
    }

    /// What was chosen in another project; `None` when its configuration cannot be understood.
    pub(crate) fn chosen_in(&self, root: &Path) -> Option<ChosenThere> {
        let (parsed, text) = match cargo::ignored_project(root, &self.boundary) {
            None => loading::read_config(&root.join(PROJECT_FILE), Scope::Project),
            Some(_) => Default::default(),
        };
        let settings = (!parsed.is_broken()).then(|| Settings::resolve(&self.user, &parsed.file))?;
        let own = user_toggles::read(&self.directories, root).0.choices;
        let unmentioned = unmentioned(&settings, text.is_some());
        Some(ChosenThere { settings, own, unmentioned })
    }

    /// Whether it is known which agents are wanted in a scope; what is not known to be unwanted is not taken back.
    pub(crate) fn knows_agents(&self, scope: Scope) -> bool {
        let file = match scope {
            Scope::User => &self.user,
            Scope::Project => &self.project,
        };
        !file.has_unknown_agents && !self.is_broken(scope)
    }

    /// Whether a file of this scope cannot be understood, so that what it says is unknown.
    pub(crate) fn is_broken(&self, scope: Scope) -> bool {
        self.broken_configs.iter().any(|(broken, _)| *broken == scope)
    }

    /// Whether something could not be done so far.
    pub(crate) fn is_partial(&self) -> bool {
        self.partial.get()
    }

    /// The file and line a setting comes from, for messages.
    pub(crate) fn place_of(&self, origin: SettingOrigin) -> String {
        let user = self.directories.config_file();
        match (origin, &self.project_config) {
            (SettingOrigin::User(line), _) => format!("{}:{line}", user.display()),
            (SettingOrigin::Project(line), Some(project)) => format!("{}:{line}", project.display()),
            (SettingOrigin::Default | SettingOrigin::Project(_), _) => "default".to_owned(),
        }
    }

    /// A path as a person says it: relative to the workspace, or with `~`.
    pub(crate) fn shown(&self, path: &Path) -> String {
        if let Some(inside) = self.root().and_then(|root| path.strip_prefix(root).ok()) {
            return inside.display().to_string();
        }
        match self.home.as_ref().and_then(|home| path.strip_prefix(home).ok()) {
            Some(inside) => format!("~/{}", inside.display()),
            None => path.display().to_string(),
        }
    }

    /// The root of the workspace.
    pub(crate) fn root(&self) -> Option<&Path> {
        self.workspace.as_ref().map(|workspace| workspace.root.as_path())
    }

    /// A project configuration in a directory without a manifest has no dependencies to match.
    pub(crate) fn mention_missing_manifest(&self) {
        if let Some(root) = self.root().filter(|root| !fs::exists(&root.join("Cargo.toml"))) {
            self.printer.warning(&format!("There is no Cargo.toml in `{}`, the workspace found here", root.display()));
        }
    }

    /// Everything that was chosen here.
    pub(crate) fn choices(&self) -> WorkspaceToggles<'_> {
        WorkspaceToggles {
            skills: &self.settings.skills,
            workflows: &self.settings.workflows,
            own: &self.own,
            unmentioned: unmentioned(&self.settings, self.project_config.is_some()),
        }
    }
}

/// What was chosen in another project.
pub(crate) struct ChosenThere {
    pub(crate) settings: Settings,
    own: UserToggles,
    unmentioned: DefaultToggle,
}

impl ChosenThere {
    pub(crate) fn choices(&self) -> WorkspaceToggles<'_> {
        let Self { settings, own, unmentioned } = self;
        WorkspaceToggles { skills: &settings.skills, workflows: &settings.workflows, own, unmentioned: *unmentioned }
    }
}

/// The answer for an extension that no toggle names. Without a project configuration everything that matches is on.
fn unmentioned(settings: &Settings, has_config: bool) -> DefaultToggle {
    let word = match settings.sync_default.origin {
        SettingOrigin::Project(_) => Scope::Project,
        SettingOrigin::User(_) | SettingOrigin::Default => Scope::User,
    };
    if has_config { DefaultToggle { on: settings.sync_default.value, word } } else { DefaultToggle::ON }
}
