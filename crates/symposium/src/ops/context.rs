//! The context of a command: directories, workspace, settings.

mod loading;

use std::path::{Path, PathBuf};

use symposium_io::cargo::{self, LocatedWorkspace, SearchBoundary};
use symposium_io::fs;
use symposium_io::source::{GitCache, PluginIndexCache};
use symposium_model::agent::AgentId;
use symposium_model::authority::project::IgnoredProject;
use symposium_model::authority::{DefaultToggle, WorkspaceToggles};
use symposium_model::config::{
    self, AppDirectories, ConfigFile, EffectiveSettings, PROJECT_FILE, Scope, SettingOrigin, SettingValue, UserToggles,
};
use symposium_model::diagnostic::Diagnostic;

use super::agent_paths::AgentRoots;
use super::user_toggles;
use crate::logging::{self, LogDestination};
use crate::ops::lockfile_state::LockfileState;
use crate::run_report::{ReportLine, RunReport};

pub(crate) use self::loading::MAX_CONFIG;

#[derive(Debug, Clone, Default)]
pub(crate) struct CallOptions {
    /// Sources named on the command line.
    pub(crate) extra_sources: Vec<PathBuf>,
    pub(crate) audience: CallAudience,
    /// Whether the log also goes to standard error.
    pub(crate) shows_log: bool,
    /// Whether a line tells what goes on when something takes long.
    pub(crate) shows_progress: bool,
}

/// Whether the user reads the output of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum CallAudience {
    Person,
    #[default]
    Background,
}

impl CallAudience {
    pub(crate) fn is_person(self) -> bool {
        self == Self::Person
    }
}

/// The circumstances of one call. They do not change once they are loaded.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) options: CallOptions,
    pub(crate) directories: AppDirectories,
    pub(crate) home: Option<PathBuf>,
    pub(crate) workspace: Option<LocatedWorkspace>,
    pub(crate) boundary: SearchBoundary,
    pub(crate) settings: EffectiveSettings,
    user: ConfigFile,
    project: ConfigFile,
    pub(crate) own: UserToggles,
    pub(crate) own_text: Option<String>,
    /// Whether that file cannot be understood.
    pub(crate) own_is_broken: bool,
    /// Directories that look like a project here, and are ignored.
    ignored: Vec<IgnoredProject>,
    pub(crate) user_text: Option<String>,
    pub(crate) project_text: Option<String>,
    /// The project's configuration file, when there is one.
    pub(crate) project_config: Option<PathBuf>,
    /// Configuration files that cannot be understood, so that what they say is unknown.
    pub(crate) broken_configs: Vec<(Scope, PathBuf)>,
    /// The start of the call, in nanoseconds since 1970. A file that changed later may have been read before its
    /// change.
    pub(crate) started: i64,
    pub(crate) lock: LockfileState,
    /// Faults of the configuration and the lock.
    findings: Vec<Diagnostic>,
    /// Whether SYMPOSIUM_HOME does not count, because it is no absolute path.
    home_is_ignored: bool,
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
        let shows = self.options.shows_log;
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

    pub(crate) fn git_cache(&self) -> GitCache {
        GitCache::new(&self.directories.plugin_sources())
    }

    pub(crate) fn index_cache(&self) -> PluginIndexCache {
        PluginIndexCache::new(&self.directories.plugin_sources())
    }

    /// Returns the path of a configuration, even if there is no such file; `None` for a project's outside any.
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

    /// Returns the path of the user's own toggles for the workspace, even if there is no such file.
    pub(crate) fn own_file(&self) -> Option<PathBuf> {
        self.root().map(|root| user_toggles::path(&self.directories, root))
    }

    /// Returns the context as it is when the file with the user's own choices holds this text.
    pub(crate) fn with_own(self, text: &str) -> Self {
        Self { own: config::parse_choices("", text).choices, own_text: Some(text.to_owned()), ..self }
    }

    /// Returns the context as it is when a configuration file holds this text.
    pub(crate) fn with_config(self, scope: Scope, text: &str) -> Self {
        let parsed = config::parse("", text, scope).file;
        let text = Some(text.to_owned());
        match scope {
            Scope::User => Self {
                settings: EffectiveSettings::resolve(&parsed, &self.project),
                user: parsed,
                user_text: text,
                ..self
            },
            Scope::Project => Self {
                settings: EffectiveSettings::resolve(&self.user, &parsed),
                project: parsed,
                project_text: text,
                project_config: self.config_file(Scope::Project),
                ..self
            },
        }
    }

    /// Returns the context in which the project alone chooses the default sources, and the dependencies that skills of
    /// shared sources match through; `None` if the user's own choices change neither.
    pub(crate) fn project_only_context(&self) -> Option<Self> {
        let by_user = |setting: &SettingValue<bool>, value| {
            setting.value == value && matches!(setting.origin, SettingOrigin::User(_))
        };
        let EffectiveSettings { builtin, recommendations, workspace, transitive, user_transitive, .. } = &self.settings;
        let are_all_used = [builtin, recommendations, workspace].into_iter().all(|source| !by_user(source, false));
        if are_all_used && !by_user(transitive, true) {
            return None;
        }
        let user =
            ConfigFile { builtin: None, recommendations: None, workspace: None, transitive: None, ..self.user.clone() };
        // The user's own sources are in no file of the project, and stay as they are.
        let settings =
            EffectiveSettings { user_transitive: *user_transitive, ..EffectiveSettings::resolve(&user, &self.project) };
        Some(Self { settings, user, ..self.clone() })
    }

    /// Returns the context for work that no person follows.
    pub(crate) fn in_background(&self) -> Self {
        let options = CallOptions { audience: CallAudience::Background, ..self.options.clone() };
        Self { options, ..self.clone() }
    }

    /// Reports the faults of the configuration.
    pub(crate) fn report(&self, report: &mut RunReport) {
        report.add_logged(&self.findings);
        for ignored in &self.ignored {
            report.warning(ignored.to_string());
            report.push(ReportLine::Hint(ignored.help()));
        }
        for (_, path) in &self.broken_configs {
            let message = "fix the file; until then, its settings are unknown and Symposium does not write to it";
            report.push(ReportLine::Hint(format!("{}: {message}", path.display())));
        }
        if self.home_is_ignored {
            report.warning("SYMPOSIUM_HOME is not an absolute path, so it is ignored");
        }
    }

    /// Returns the settings and toggles of another project; `None` if its configuration is invalid.
    pub(crate) fn chosen_in(&self, root: &Path) -> Option<ChosenThere> {
        let (parsed, text) = match cargo::ignored_project(root, &self.boundary) {
            None => loading::read_config(&root.join(PROJECT_FILE), Scope::Project),
            Some(_) => Default::default(),
        };
        let settings = (!parsed.is_broken()).then(|| EffectiveSettings::resolve(&self.user, &parsed.file))?;
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

    /// Returns the project's configuration if it is invalid: nothing else says what is switched off there.
    pub(crate) fn unread_switches(&self) -> Option<&Path> {
        let project = self.project_config.as_deref();
        project.filter(|project| self.broken_configs.iter().any(|(_, broken)| broken == project))
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

    pub(crate) fn roots(&self) -> AgentRoots<'_> {
        AgentRoots { home: self.home.as_deref(), project: self.root() }
    }

    pub(crate) fn root(&self) -> Option<&Path> {
        self.workspace.as_ref().map(|workspace| workspace.root.as_path())
    }

    /// The root of the workspace, links resolved.
    pub(crate) fn canonical_root(&self) -> Option<PathBuf> {
        self.root().and_then(|root| fs::canonical(root).ok())
    }

    /// Warns of a project configuration in a directory without a manifest: it has no dependencies to match.
    pub(crate) fn missing_manifest(&self) -> Option<String> {
        let root = self.root().filter(|root| !fs::exists(&root.join("Cargo.toml")))?;
        Some(format!("There is no Cargo.toml in `{}`, the workspace found here", root.display()))
    }

    pub(crate) fn choices(&self) -> WorkspaceToggles<'_> {
        WorkspaceToggles {
            skills: &self.settings.skills,
            workflows: &self.settings.workflows,
            own: &self.own,
            unmentioned: unmentioned(&self.settings, self.project_config.is_some()),
        }
    }
}

pub(crate) struct ChosenThere {
    pub(crate) settings: EffectiveSettings,
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
fn unmentioned(settings: &EffectiveSettings, has_config: bool) -> DefaultToggle {
    let word = match settings.sync_default.origin {
        SettingOrigin::Project(_) => Scope::Project,
        SettingOrigin::User(_) | SettingOrigin::Default => Scope::User,
    };
    if has_config { DefaultToggle { on: settings.sync_default.value, word } } else { DefaultToggle::ON }
}
