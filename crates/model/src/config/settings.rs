//! The contents of configuration files, and the settings that result from them.

use std::fmt;

use crate::agent::AgentId;
use crate::hook::hook_plan::EditGuidance;

/// The size of the index of skills at session start, in bytes.
pub const INDEX_BYTES: u64 = 2000;
/// The default time limit of a fetch, in seconds.
const FETCH_TIMEOUT: u64 = 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// For one user, in all projects.
    User,
    /// For all who work on a project; the files may be committed.
    Project,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenValue<T> {
    pub value: T,
    pub line: usize,
}

/// One configuration file; absent keys are `None`. Some keys count only in the user's file or only in a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfigFile {
    pub agents: Option<WrittenValue<Vec<AgentId>>>,
    pub has_unknown_agents: bool,
    pub sync_default: Option<WrittenValue<bool>>,
    pub auto_sync: Option<WrittenValue<bool>>,
    pub self_contained: Option<WrittenValue<bool>>,
    pub required_version: Option<WrittenValue<String>>,
    pub log_level: Option<WrittenValue<LogLevel>>,
    pub sources: Vec<WrittenValue<SourceEntry>>,
    pub builtin: Option<WrittenValue<bool>>,
    pub recommendations: Option<WrittenValue<bool>>,
    pub user_plugins: Option<WrittenValue<bool>>,
    pub workspace: Option<WrittenValue<bool>>,
    pub transitive: Option<WrittenValue<bool>>,
    pub nudge_interval: Option<WrittenValue<u64>>,
    pub guidance_index_bytes: Option<WrittenValue<u64>>,
    pub guidance_at_edit: Option<WrittenValue<EditGuidance>>,
    /// In seconds.
    pub fetch_timeout: Option<WrittenValue<u64>>,
    pub install_commit: Option<WrittenValue<bool>>,
    pub install_agents_md: Option<WrittenValue<bool>>,
    pub update_notice: Option<WrittenValue<bool>>,
    pub usage_record: Option<WrittenValue<bool>>,
    pub rtk_exclude: Option<WrittenValue<Vec<String>>>,
    pub cargo_shim: Option<WrittenValue<bool>>,
    pub opencode_hooks: Option<WrittenValue<bool>>,
    pub kiro_standalone_hooks: Option<WrittenValue<bool>>,
    /// A project can only say never.
    pub trust_projects: Option<WrittenValue<TrustProjects>>,
    pub trust_allow_text: Option<WrittenValue<Vec<String>>>,
    pub trust_directories: Option<WrittenValue<Vec<String>>>,
    pub allow_symposium: Option<WrittenValue<bool>>,
    pub auto_enable: Option<WrittenValue<AutoEnable>>,
    pub skills: Vec<Toggle>,
    pub workflows: Vec<Toggle>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toggle {
    /// A crate, `crate/skill`, a plugin or `plugin/hook`.
    pub key: String,
    pub on: bool,
    pub line: usize,
}

/// The user's own toggles for one workspace. They apply to extensions that only the user has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserToggles {
    pub skills: Vec<Toggle>,
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
    Git { url: String, auto_update: bool },
    Index { url: String, auto_update: bool },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    Trace,
    Debug,
    Info,
    Warn,
    Error,
}

impl LogLevel {
    pub const ALL: [Self; 5] = [Self::Trace, Self::Debug, Self::Info, Self::Warn, Self::Error];

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

/// The treatment of executables of a project that the user has not reviewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrustProjects {
    Ask,
    Never,
}

/// The candidates from dependencies that are enabled without a toggle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AutoEnable {
    Off,
    All,
    Only(Vec<String>),
}

/// The file, with its line, that a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingOrigin {
    Default,
    User(usize),
    Project(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingValue<T> {
    pub value: T,
    pub origin: SettingOrigin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentSettings {
    /// `[agents.opencode] hooks`.
    pub opencode_hooks: bool,
    /// `[agents.kiro] standalone-hooks`.
    pub kiro_standalone_hooks: bool,
    /// `[trust] allow-symposium`; only for registrations of the user.
    pub allow_symposium: bool,
}

impl Default for AgentSettings {
    fn default() -> Self {
        Self { opencode_hooks: true, kiro_standalone_hooks: false, allow_symposium: false }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectiveSettings {
    pub agents: SettingValue<Vec<AgentId>>,
    /// The state of new extensions.
    pub sync_default: SettingValue<bool>,
    /// Lets hooks keep the workspace up to date.
    pub auto_sync: SettingValue<bool>,
    /// Leaves the user's sources out.
    pub self_contained: SettingValue<bool>,
    pub required_version: SettingValue<Option<String>>,
    pub log_level: SettingValue<LogLevel>,
    pub builtin: SettingValue<bool>,
    pub recommendations: SettingValue<bool>,
    /// Enables the user's plugin directory as a whole.
    pub user_plugins: SettingValue<bool>,
    /// Installs the workspace's own skills for the agents that do not find them.
    pub workspace: SettingValue<bool>,
    pub transitive: SettingValue<bool>,
    /// The number of prompts between two nudges about one skill.
    pub nudge_interval: SettingValue<u64>,
    pub guidance_index_bytes: SettingValue<u64>,
    pub guidance_at_edit: SettingValue<EditGuidance>,
    /// The time limit of fetching a source of the project, in seconds.
    pub fetch_timeout: SettingValue<u64>,
    /// Leaves installed skills visible to git, to be committed; otherwise git ignores them.
    pub install_commit: SettingValue<bool>,
    /// Keeps a block with the index of guidance in the workspace's AGENTS.md.
    pub install_agents_md: SettingValue<bool>,
    pub update_notice: SettingValue<bool>,
    /// Counts which skills are loaded; the user and the project can each switch it off.
    pub usage_record: SettingValue<bool>,
    /// Commands that the rtk workflow does not rewrite.
    pub rtk_exclude: SettingValue<Vec<String>>,
    /// Puts a `cargo` of Symposium on the PATH of agents' shells; the user alone decides.
    pub cargo_shim: SettingValue<bool>,
    pub opencode_hooks: SettingValue<bool>,
    /// Gives Kiro a hook file of its own in this project.
    pub kiro_standalone_hooks: SettingValue<bool>,
    /// The settings of registrations for every project.
    pub for_every_project: AgentSettings,
    pub trust_projects: SettingValue<TrustProjects>,
    /// Skills whose text may contain what the scan blocks.
    pub trust_allow_text: SettingValue<Vec<String>>,
    /// Directories that may belong to another user, with everything below.
    pub trust_directories: SettingValue<Vec<String>>,
    /// Lets agents run Symposium's read-only commands without asking.
    pub allow_symposium: SettingValue<bool>,
    pub auto_enable: SettingValue<AutoEnable>,
    pub sources: Vec<SettingValue<SourceEntry>>,
    /// Sources of the user that the project leaves out; their policy hooks count all the same.
    pub left_out: Vec<SettingValue<SourceEntry>>,
    /// The time limit of fetching any other source, in seconds, by the user's file alone.
    pub user_fetch_timeout: u64,
    /// The value of `transitive` by the user's file alone.
    pub user_transitive: bool,
    pub skills: Vec<Toggle>,
    pub workflows: Vec<Toggle>,
}

impl EffectiveSettings {
    /// Returns the settings of registrations in a scope; those for every project follow the user's file alone.
    pub fn agent_settings(&self, scope: Scope) -> AgentSettings {
        match scope {
            Scope::User => self.for_every_project,
            Scope::Project => AgentSettings {
                opencode_hooks: self.opencode_hooks.value,
                kiro_standalone_hooks: self.kiro_standalone_hooks.value,
                allow_symposium: false,
            },
        }
    }

    /// Resolves every setting: the project decides, then the user, then the default; the code names the exceptions.
    pub fn resolve(user: &ConfigFile, project: &ConfigFile) -> Self {
        let self_contained = of_project(project.self_contained.as_ref(), false);
        let alone = self_contained.value;
        // Either file may disable a default source; neither can enable it against the other. A self-contained project
        // decides alone.
        let default_source = |user: &Option<WrittenValue<bool>>, project: &Option<WrittenValue<bool>>| {
            let user = user.as_ref().filter(|_| !alone);
            match (user, project) {
                (Some(user), Some(project)) if !user.value && project.value => {
                    SettingValue { value: false, origin: SettingOrigin::User(user.line) }
                }
                _ => pick(user, project.as_ref(), true),
            }
        };
        let own: Vec<SettingValue<SourceEntry>> = user.sources.iter().map(user_setting).collect();
        let (mut sources, left_out) = if alone { (Vec::new(), own) } else { (own, Vec::new()) };
        sources.extend(project.sources.iter().map(project_setting));
        // The project cannot enable the user's own plugins against the user.
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
                    SettingValue { value: Some(written.value.clone()), origin: SettingOrigin::Project(written.line) }
                }
                None => SettingValue { value: None, origin: SettingOrigin::Default },
            },
            log_level: pick(user.log_level.as_ref(), project.log_level.as_ref(), LogLevel::Info),
            builtin: default_source(&user.builtin, &project.builtin),
            recommendations: default_source(&user.recommendations, &project.recommendations),
            user_plugins,
            workspace: default_source(&user.workspace, &project.workspace),
            transitive: pick(user.transitive.as_ref(), project.transitive.as_ref(), false),
            nudge_interval: pick(user.nudge_interval.as_ref(), project.nudge_interval.as_ref(), 5),
            guidance_index_bytes: pick(
                user.guidance_index_bytes.as_ref(),
                project.guidance_index_bytes.as_ref(),
                INDEX_BYTES,
            ),
            guidance_at_edit: edit_guidance(user.guidance_at_edit.as_ref(), project.guidance_at_edit.as_ref()),
            fetch_timeout: shortest(user.fetch_timeout.as_ref(), project.fetch_timeout.as_ref(), FETCH_TIMEOUT),
            install_commit: pick(user.install_commit.as_ref(), project.install_commit.as_ref(), false),
            install_agents_md: pick(user.install_agents_md.as_ref(), project.install_agents_md.as_ref(), false),
            update_notice: pick(user.update_notice.as_ref(), project.update_notice.as_ref(), true),
            usage_record: match &user.usage_record {
                Some(written) if !written.value => user_setting(written),
                Some(_) | None => pick(user.usage_record.as_ref(), project.usage_record.as_ref(), true),
            },
            rtk_exclude: pick(user.rtk_exclude.as_ref(), project.rtk_exclude.as_ref(), Vec::new()),
            cargo_shim: of_user(user.cargo_shim.as_ref(), false),
            opencode_hooks: pick(user.opencode_hooks.as_ref(), project.opencode_hooks.as_ref(), true),
            kiro_standalone_hooks: pick(
                user.kiro_standalone_hooks.as_ref(),
                project.kiro_standalone_hooks.as_ref(),
                false,
            ),
            for_every_project: AgentSettings {
                opencode_hooks: of_user(user.opencode_hooks.as_ref(), true).value,
                kiro_standalone_hooks: of_user(user.kiro_standalone_hooks.as_ref(), false).value,
                allow_symposium: of_user(user.allow_symposium.as_ref(), false).value,
            },
            user_fetch_timeout: of_user(user.fetch_timeout.as_ref(), FETCH_TIMEOUT).value,
            user_transitive: of_user(user.transitive.as_ref(), false).value,
            // Trust is the user's alone: a repository can say that nothing of it runs, and decides nothing else about
            // itself.
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
            allow_symposium: of_user(user.allow_symposium.as_ref(), false),
            auto_enable: of_user(user.auto_enable.as_ref(), AutoEnable::Off),
            self_contained,
            sources,
            left_out,
            skills: project.skills.clone(),
            workflows: project.workflows.clone(),
        }
    }
}

fn pick<T: Clone>(user: Option<&WrittenValue<T>>, project: Option<&WrittenValue<T>>, default: T) -> SettingValue<T> {
    match (project, user) {
        (Some(project), _) => project_setting(project),
        (None, Some(user)) => user_setting(user),
        (None, None) => SettingValue { value: default, origin: SettingOrigin::Default },
    }
}

/// Returns the user's limit, or the project's if that is shorter: no project makes the user wait longer.
fn shortest(user: Option<&WrittenValue<u64>>, project: Option<&WrittenValue<u64>>, default: u64) -> SettingValue<u64> {
    let allowed = of_user(user, default);
    match project {
        Some(asked) if asked.value < allowed.value => project_setting(asked),
        Some(_) | None => allowed,
    }
}

/// Resolves `[guidance] at-edit`: a refused edit costs the user a tool call, so a project refuses none of a user who
/// chose otherwise.
fn edit_guidance(
    user: Option<&WrittenValue<EditGuidance>>,
    project: Option<&WrittenValue<EditGuidance>>,
) -> SettingValue<EditGuidance> {
    match (user, project) {
        (Some(user), Some(project)) if project.value == EditGuidance::Gate => user_setting(user),
        _ => pick(user, project, EditGuidance::default()),
    }
}

fn of_user<T: Clone>(user: Option<&WrittenValue<T>>, default: T) -> SettingValue<T> {
    pick(user, None, default)
}

fn of_project<T: Clone>(project: Option<&WrittenValue<T>>, default: T) -> SettingValue<T> {
    pick(None, project, default)
}

fn user_setting<T: Clone>(written: &WrittenValue<T>) -> SettingValue<T> {
    SettingValue { value: written.value.clone(), origin: SettingOrigin::User(written.line) }
}

fn project_setting<T: Clone>(written: &WrittenValue<T>) -> SettingValue<T> {
    SettingValue { value: written.value.clone(), origin: SettingOrigin::Project(written.line) }
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
