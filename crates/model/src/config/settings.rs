//! What the configuration files say, and the one answer that follows for every setting.

use std::fmt;

use crate::agent::AgentId;

/// How many seconds a source may take to be fetched, unless somebody says otherwise.
const FETCH_TIMEOUT: u64 = 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The user's, for every project.
    User,
    /// The project's `.symposium/config.toml`.
    Project,
}

/// A value as somebody wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenValue<T> {
    pub value: T,
    /// The line it stands on.
    pub line: usize,
}

/// One configuration file; what it does not mention is absent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfigFile {
    /// `[agent] name`.
    pub agents: Option<WrittenValue<Vec<AgentId>>>,
    /// Whether `[agent] name` names agents nobody knows.
    pub has_unknown_agents: bool,
    /// `[agent] sync-default`.
    pub sync_default: Option<WrittenValue<bool>>,
    /// `[agent] auto-sync`.
    pub auto_sync: Option<WrittenValue<bool>>,
    /// `self-contained`, of a project.
    pub self_contained: Option<WrittenValue<bool>>,
    /// `required-version`, of a project.
    pub required_version: Option<WrittenValue<String>>,
    /// `[logging] level`.
    pub log_level: Option<WrittenValue<LogLevel>>,
    /// `[[plugin-source]]`.
    pub sources: Vec<WrittenValue<SourceEntry>>,
    /// `[defaults] builtin`.
    pub builtin: Option<WrittenValue<bool>>,
    /// `[defaults] symposium-recommendations`.
    pub recommendations: Option<WrittenValue<bool>>,
    /// `[defaults] user-plugins`.
    pub user_plugins: Option<WrittenValue<bool>>,
    /// `[matching] transitive`.
    pub transitive: Option<WrittenValue<bool>>,
    /// `[hooks] nudge-interval`.
    pub nudge_interval: Option<WrittenValue<u64>>,
    /// `[fetch] timeout`, in seconds.
    pub fetch_timeout: Option<WrittenValue<u64>>,
    /// `[install] commit`.
    pub install_commit: Option<WrittenValue<bool>>,
    /// `[update] notice`.
    pub update_notice: Option<WrittenValue<bool>>,
    /// `[usage] record`.
    pub usage_record: Option<WrittenValue<bool>>,
    /// `[rtk] exclude`.
    pub rtk_exclude: Option<WrittenValue<Vec<String>>>,
    /// `[agents.opencode] hooks`.
    pub opencode_hooks: Option<WrittenValue<bool>>,
    /// `[agents.kiro] standalone-hooks`.
    pub kiro_standalone_hooks: Option<WrittenValue<bool>>,
    /// `[trust] projects`, of the user; a project can only say never.
    pub trust_projects: Option<WrittenValue<TrustProjects>>,
    /// `[trust] allow-text`, of the user.
    pub trust_allow_text: Option<WrittenValue<Vec<String>>>,
    /// `[trust] directories`, of the user.
    pub trust_directories: Option<WrittenValue<Vec<String>>>,
    /// `[plugins] auto-enable`, of the user.
    pub auto_enable: Option<WrittenValue<AutoEnable>>,
    /// `[skills]` toggles, of a project.
    pub skills: Vec<Toggle>,
    /// `[workflows]` toggles, of a project.
    pub workflows: Vec<Toggle>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toggle {
    /// What it switches: a crate, `crate/skill`, a plugin or `plugin/hook`.
    pub key: String,
    pub on: bool,
    /// The line it stands on.
    pub line: usize,
}

/// The user's own choices for one workspace. They are about what only the user has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserToggles {
    /// `[skills]`.
    pub skills: Vec<Toggle>,
    /// `[workflows]`.
    pub workflows: Vec<Toggle>,
}

/// A `[[plugin-source]]` entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceEntry {
    pub name: String,
    pub location: SourceLocation,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceLocation {
    Path(String),
    Git {
        url: String,
        /// Whether it is refreshed on its own.
        auto_update: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    Trace,
    /// What a developer of Symposium wants to see.
    Debug,
    Info,
    Warn,
    Error,
}

impl LogLevel {
    /// Every level, most talkative first.
    pub const ALL: [Self; 5] = [Self::Trace, Self::Debug, Self::Info, Self::Warn, Self::Error];

    /// Its spelling in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Trace => "trace",
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

/// What happens with executables of a project nobody has reviewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrustProjects {
    Ask,
    Never,
}

/// Which candidates found in dependencies are switched on by themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AutoEnable {
    Off,
    All,
    Only(Vec<String>),
}

/// Where a setting's value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingOrigin {
    Default,
    /// A line of the user's file.
    User(usize),
    /// A line of the project's file.
    Project(usize),
}

/// A value and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting<T> {
    pub value: T,
    pub origin: SettingOrigin,
}

/// `[agents.*]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentSettings {
    pub opencode_hooks: bool,
    /// Whether Kiro gets a hook file of its own.
    pub kiro_standalone_hooks: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    pub agents: Setting<Vec<AgentId>>,
    /// Whether new extensions are on.
    pub sync_default: Setting<bool>,
    /// Whether hooks keep the workspace in step.
    pub auto_sync: Setting<bool>,
    /// Whether the user's sources are left out.
    pub self_contained: Setting<bool>,
    /// The version of Symposium the project asks for.
    pub required_version: Setting<Option<String>>,
    pub log_level: Setting<LogLevel>,
    /// Whether the embedded source is used.
    pub builtin: Setting<bool>,
    /// Whether the public recommendations are used.
    pub recommendations: Setting<bool>,
    /// Whether the user's plugin directory is used as a whole.
    pub user_plugins: Setting<bool>,
    /// Whether dependencies of dependencies count.
    pub transitive: Setting<bool>,
    /// Prompts between two nudges about one skill.
    pub nudge_interval: Setting<u64>,
    /// How many seconds a source of the project may take to be fetched.
    pub fetch_timeout: Setting<u64>,
    /// Whether installed skills are meant to be committed.
    pub install_commit: Setting<bool>,
    /// Whether a newer version is mentioned.
    pub update_notice: Setting<bool>,
    /// Whether it is counted which skills are loaded; either of the two can say that it is not.
    pub usage_record: Setting<bool>,
    /// Commands the rtk workflow leaves alone.
    pub rtk_exclude: Setting<Vec<String>>,
    /// Whether OpenCode gets hooks in this project.
    pub opencode_hooks: Setting<bool>,
    /// Whether Kiro gets a hook file of its own in this project.
    pub kiro_standalone_hooks: Setting<bool>,
    /// How agents are registered for every project.
    pub for_every_project: AgentSettings,
    /// What happens with executables of unknown projects.
    pub trust_projects: Setting<TrustProjects>,
    /// Skills whose text may contain what the scan blocks.
    pub trust_allow_text: Setting<Vec<String>>,
    /// Directories that may belong to others, with everything below.
    pub trust_directories: Setting<Vec<String>>,
    /// Which candidates are switched on by themselves.
    pub auto_enable: Setting<AutoEnable>,
    /// Further sources, with the file that names them.
    pub sources: Vec<Setting<SourceEntry>>,
    /// Sources of the user that the project leaves out; their policy hooks count all the same.
    pub left_out: Vec<Setting<SourceEntry>>,
    /// How many seconds any other source may take, by the user's own word.
    pub user_fetch_timeout: u64,
    /// Whether dependencies of dependencies count by the user's own word.
    pub user_transitive: bool,
    /// `[skills]` toggles of the project.
    pub skills: Vec<Toggle>,
    /// `[workflows]` toggles of the project.
    pub workflows: Vec<Toggle>,
}

impl Settings {
    /// How agents are registered in a scope: for every project by the user's word alone.
    pub fn agent_settings(&self, scope: Scope) -> AgentSettings {
        match scope {
            Scope::User => self.for_every_project,
            Scope::Project => AgentSettings {
                opencode_hooks: self.opencode_hooks.value,
                kiro_standalone_hooks: self.kiro_standalone_hooks.value,
            },
        }
    }

    /// The project decides, then the user, then the default; with the exceptions its comments name.
    pub fn resolve(user: &ConfigFile, project: &ConfigFile) -> Self {
        let self_contained = of_project(project.self_contained.as_ref(), false);
        let alone = self_contained.value;
        // Either side may switch a default source off; neither can force it on the other. Alone, the project decides.
        let default_source = |user: &Option<WrittenValue<bool>>, project: &Option<WrittenValue<bool>>| {
            let user = user.as_ref().filter(|_| !alone);
            match (user, project) {
                (Some(user), Some(project)) if !user.value && project.value => {
                    Setting { value: false, origin: SettingOrigin::User(user.line) }
                }
                _ => pick(user, project.as_ref(), true),
            }
        };
        let own: Vec<Setting<SourceEntry>> = user.sources.iter().map(user_setting).collect();
        let (mut sources, left_out) = if alone { (Vec::new(), own) } else { (own, Vec::new()) };
        sources.extend(project.sources.iter().map(project_setting));
        // What is the user's own, nobody can force on them.
        let user_plugins = match &user.user_plugins {
            Some(written) if !written.value => user_setting(written),
            _ => default_source(&user.user_plugins, &project.user_plugins),
        };
        Self {
            agents: pick(user.agents.as_ref(), project.agents.as_ref(), Vec::new()),
            sync_default: pick(user.sync_default.as_ref(), project.sync_default.as_ref(), true),
            auto_sync: pick(user.auto_sync.as_ref(), project.auto_sync.as_ref(), true),
            required_version: match &project.required_version {
                Some(written) => {
                    Setting { value: Some(written.value.clone()), origin: SettingOrigin::Project(written.line) }
                }
                None => Setting { value: None, origin: SettingOrigin::Default },
            },
            log_level: pick(user.log_level.as_ref(), project.log_level.as_ref(), LogLevel::Info),
            builtin: default_source(&user.builtin, &project.builtin),
            recommendations: default_source(&user.recommendations, &project.recommendations),
            user_plugins,
            transitive: pick(user.transitive.as_ref(), project.transitive.as_ref(), false),
            nudge_interval: pick(user.nudge_interval.as_ref(), project.nudge_interval.as_ref(), 5),
            fetch_timeout: shortest(user.fetch_timeout.as_ref(), project.fetch_timeout.as_ref(), FETCH_TIMEOUT),
            install_commit: pick(user.install_commit.as_ref(), project.install_commit.as_ref(), false),
            update_notice: pick(user.update_notice.as_ref(), project.update_notice.as_ref(), true),
            usage_record: match &user.usage_record {
                Some(written) if !written.value => user_setting(written),
                Some(_) | None => pick(user.usage_record.as_ref(), project.usage_record.as_ref(), true),
            },
            rtk_exclude: pick(user.rtk_exclude.as_ref(), project.rtk_exclude.as_ref(), Vec::new()),
            opencode_hooks: pick(user.opencode_hooks.as_ref(), project.opencode_hooks.as_ref(), true),
            kiro_standalone_hooks: pick(
                user.kiro_standalone_hooks.as_ref(),
                project.kiro_standalone_hooks.as_ref(),
                false,
            ),
            for_every_project: AgentSettings {
                opencode_hooks: of_user(user.opencode_hooks.as_ref(), true).value,
                kiro_standalone_hooks: of_user(user.kiro_standalone_hooks.as_ref(), false).value,
            },
            user_fetch_timeout: of_user(user.fetch_timeout.as_ref(), FETCH_TIMEOUT).value,
            user_transitive: of_user(user.transitive.as_ref(), false).value,
            // Trust is the user's alone: a repository can say that nothing of it runs, and has no other vote on itself.
            trust_projects: match (&user.trust_projects, &project.trust_projects) {
                (Some(WrittenValue { value: TrustProjects::Never, .. }), _) | (_, None) => {
                    of_user(user.trust_projects.as_ref(), TrustProjects::Ask)
                }
                (_, Some(written)) => match written.value {
                    TrustProjects::Never => project_setting(written),
                    TrustProjects::Ask => of_user(user.trust_projects.as_ref(), TrustProjects::Ask),
                },
            },
            trust_allow_text: of_user(user.trust_allow_text.as_ref(), Vec::new()),
            trust_directories: of_user(user.trust_directories.as_ref(), Vec::new()),
            auto_enable: of_user(user.auto_enable.as_ref(), AutoEnable::Off),
            self_contained,
            sources,
            left_out,
            skills: project.skills.clone(),
            workflows: project.workflows.clone(),
        }
    }
}

fn pick<T: Clone>(user: Option<&WrittenValue<T>>, project: Option<&WrittenValue<T>>, default: T) -> Setting<T> {
    match (project, user) {
        (Some(project), _) => project_setting(project),
        (None, Some(user)) => user_setting(user),
        (None, None) => Setting { value: default, origin: SettingOrigin::Default },
    }
}

/// What the user allows, or less if the project asks for less: no project makes anybody wait longer.
fn shortest(user: Option<&WrittenValue<u64>>, project: Option<&WrittenValue<u64>>, default: u64) -> Setting<u64> {
    let allowed = of_user(user, default);
    match project {
        Some(asked) if asked.value < allowed.value => project_setting(asked),
        Some(_) | None => allowed,
    }
}

fn of_user<T: Clone>(user: Option<&WrittenValue<T>>, default: T) -> Setting<T> {
    pick(user, None, default)
}

fn of_project<T: Clone>(project: Option<&WrittenValue<T>>, default: T) -> Setting<T> {
    pick(None, project, default)
}

fn user_setting<T: Clone>(written: &WrittenValue<T>) -> Setting<T> {
    Setting { value: written.value.clone(), origin: SettingOrigin::User(written.line) }
}

fn project_setting<T: Clone>(written: &WrittenValue<T>) -> Setting<T> {
    Setting { value: written.value.clone(), origin: SettingOrigin::Project(written.line) }
}

impl fmt::Display for LogLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for TrustProjects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ask => "ask",
            Self::Never => "never",
        })
    }
}
