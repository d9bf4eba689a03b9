//! The layout of an agent's settings: every file it takes hooks and MCP servers from, and how it reads them.

use serde_json::Value;
use symposium_model::agent::AgentId;

use crate::registration_input::Scope;

/// The files from which an agent takes hooks and MCP servers, and the rules by which it reads them.
#[derive(Debug, Clone, Copy)]
pub struct SettingsLayout {
    pub layers: &'static [SettingsLayer],
    /// Keys of a handler that hold its command; the first one present counts.
    pub command_keys: &'static [&'static str],
    pub timeouts: &'static [(&'static str, TimeUnit)],
    /// Time limit of a handler without one, in seconds.
    pub default_timeout: u64,
    pub matching: MatcherSyntax,
    pub star: StarMeaning,
    pub prompt_matcher: PromptMatcher,
    /// The agent whose JSON a hook gets that is registered under that agent's event names.
    pub borrowed_events: Option<AgentId>,
    pub bare_url: BareUrl,
    /// Keys of a handler that change when or how it runs, each with the reason why it cannot be imported.
    pub unportable: &'static [(&'static str, &'static str)],
    /// A key and value by which a handler says that its failure is a deny.
    pub fails_closed: Option<(&'static str, &'static str)>,
    /// Variables it sets for its hooks besides the project's directory.
    pub variables: &'static [(&'static str, VariableMeaning)],
    pub starts_in: StartDirectory,
    pub substitution: VariableSubstitution,
    /// Returns the reason why a hook of these settings does not run, such as a setting that disables it.
    pub hook_is_off: fn(&HookPlace<'_>, &[LoadedLayer<'_>]) -> Option<String>,
    /// See `hook_is_off`, for a server.
    pub server_is_off: fn(&str, &[LoadedLayer<'_>]) -> Option<String>,
    /// See `hook_is_off`, for a file or a directory of a plugin.
    pub plugin_is_off: fn(&PluginPlace<'_>, &[LoadedLayer<'_>]) -> Option<String>,
    pub causes: CauseMatcher,
    /// Programs in its own plugin format, which no other agent can run.
    pub programs: &'static [LayerPath],
    pub plugin_skills: &'static [(Scope, LayerPath)],
}

#[derive(Debug)]
pub struct SettingsLayer {
    pub at: LayerPath,
    pub scope: Scope,
    pub holder: LayerOwner,
    pub notation: SettingsFormat,
    pub hooks: Option<&'static [&'static str]>,
    pub servers: Option<&'static [&'static str]>,
    pub shape: HookArrangement,
    pub links: LinkHandling,
}

/// The behaviour of an agent towards a link between the project's root and a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkHandling {
    Followed,
    Refused,
}

impl SettingsLayer {
    pub(crate) const fn json(
        scope: Scope,
        at: LayerPath,
        hooks: Option<&'static [&'static str]>,
        servers: Option<&'static [&'static str]>,
    ) -> Self {
        let (holder, notation) = (LayerOwner::Itself, SettingsFormat::Json);
        Self {
            at,
            scope,
            holder,
            notation,
            hooks,
            servers,
            shape: HookArrangement::ByEvent,
            links: LinkHandling::Followed,
        }
    }

    /// Returns a file in the home directory.
    pub(crate) const fn user(
        path: &'static str,
        hooks: Option<&'static [&'static str]>,
        servers: Option<&'static [&'static str]>,
    ) -> Self {
        Self::json(Scope::User, LayerPath::Home(path), hooks, servers)
    }

    /// Returns a file in the project.
    pub(crate) const fn project(
        path: &'static str,
        hooks: Option<&'static [&'static str]>,
        servers: Option<&'static [&'static str]>,
    ) -> Self {
        Self::json(Scope::Project, LayerPath::Project(path), hooks, servers)
    }

    /// Marks the file as one of another agent, which this one reads too.
    pub(crate) const fn lent(self, by: AgentId) -> Self {
        Self { holder: LayerOwner::Other(by), ..self }
    }

    /// Marks the file as one that is not read through a link.
    pub(crate) const fn unlinked(self) -> Self {
        Self { links: LinkHandling::Refused, ..self }
    }

    pub(crate) const fn written_in(self, notation: SettingsFormat) -> Self {
        Self { notation, ..self }
    }
}

/// The location of a file. A `*` stands for any name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayerPath {
    Home(&'static str),
    Project(&'static str),
    GitRoot(&'static str),
    /// In a folder of the machine; a variable may name another folder.
    MachineFolder {
        /// On Linux and other Unix systems.
        path: &'static str,
        macos: &'static str,
        variable: &'static str,
        below: &'static str,
    },
    /// A file of the machine; a variable may name another one.
    Machine {
        /// On Linux and other Unix systems.
        path: &'static str,
        macos: &'static str,
        variable: Option<&'static str>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayerOwner {
    /// The agent itself: the content is imported.
    Itself,
    /// Another agent, whose file this one reads too: it only keeps imported hooks from running twice.
    Other(AgentId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsFormat {
    /// With comments where the agent accepts them.
    Json,
    Toml,
    Yaml,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookArrangement {
    /// `EVENT: [handler or group of handlers]`.
    ByEvent,
    /// A list of hooks, each with its `trigger` and `action`.
    Listed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatcherSyntax {
    /// Plain names are exact, anything else is a regular expression that matches anywhere in the name. Symposium does
    /// the same.
    NamesOrPattern,
    /// A regular expression that matches anywhere in the name.
    Pattern,
    /// A regular expression for the whole name.
    WholePattern,
    /// A name with `*` and `?`.
    Glob,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StarMeaning {
    All,
    /// A broken pattern: the hook never runs.
    Never,
}

/// The comparison of the matcher of a lifecycle event with its cause, such as the reason why a session starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CauseMatcher {
    /// Words, or a regular expression. Symposium does the same.
    NamesOrPattern,
    /// One word, which must be the cause; a hook with any other matcher never runs.
    Word,
    /// Unknown, or no comparison at all.
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptMatcher {
    Ignored,
    Prompt,
}

/// The protocol of a server whose entry has an address and no type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BareUrl {
    Http,
    Sse,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariableSubstitution {
    ByShell,
    /// The agent does, with a quoted value, whatever quotes are around it.
    Quoted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartDirectory {
    WorkingDirectory,
    Project,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeUnit {
    Seconds,
    /// Seconds; from 1000 on, milliseconds.
    SecondsBelowThousand,
    Milliseconds,
}

/// Variables in which scripts that were written for one agent look for the session id.
pub const SESSION_VARIABLES: [&str; 5] =
    ["CLAUDE_SESSION_ID", "CLAUDE_CODE_SESSION_ID", "CRUSH_SESSION_ID", "GEMINI_SESSION_ID", "QWEN_CODE_SESSION_ID"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariableMeaning {
    WorkingDirectory,
    Session,
    Plugin,
    /// Something that only this agent can make use of.
    OwnAffair,
}

#[derive(Debug, Clone, Copy)]
pub struct LoadedLayer<'s> {
    pub layer: &'static SettingsLayer,
    pub path: &'s str,
    pub shown: &'s str,
    pub value: &'s Value,
}

impl LoadedLayer<'_> {
    /// Returns the value under some keys; `{workspace}` among them stands for the workspace's path.
    pub fn at(&self, keys: &[&str], workspace: Option<&str>) -> Option<&Value> {
        keys.iter().try_fold(self.value, |value, key| match *key {
            WORKSPACE => value.get(workspace?),
            key => value.get(key),
        })
    }

    pub(crate) fn says(&self, keys: &[&str], wanted: bool) -> bool {
        self.at(keys, None).and_then(Value::as_bool) == Some(wanted)
    }

    pub(crate) fn lists(&self, keys: &[&str], wanted: &str) -> bool {
        let list = self.at(keys, None).and_then(Value::as_array);
        list.into_iter().flatten().any(|item| item.as_str() == Some(wanted))
    }
}

/// Stands for the workspace's path among keys.
pub(crate) const WORKSPACE: &str = "{workspace}";

#[derive(Debug, Clone, Copy)]
pub struct HookPlace<'h> {
    pub file: &'h str,
    pub event: &'h str,
    pub group: usize,
    pub handler: usize,
    /// The name shown to the user: its name, else its command.
    pub name: &'h str,
}

#[derive(Debug, Clone, Copy)]
pub struct PluginPlace<'p> {
    pub path: &'p str,
    pub workspace: Option<&'p str>,
}

pub(crate) fn plugin_stays_on(_: &PluginPlace<'_>, _: &[LoadedLayer<'_>]) -> Option<String> {
    None
}

pub(crate) fn hook_stays_on(_: &HookPlace<'_>, _: &[LoadedLayer<'_>]) -> Option<String> {
    None
}

pub(crate) fn server_stays_on(_: &str, _: &[LoadedLayer<'_>]) -> Option<String> {
    None
}
