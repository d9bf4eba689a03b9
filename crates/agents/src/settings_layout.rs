//! What people may already have in an agent: every file it takes hooks and MCP servers from, and how it reads them.

use serde_json::Value;
use symposium_model::agent::AgentId;

use crate::registration_input::Scope;

/// What people may already have in an agent.
#[derive(Debug)]
pub struct SettingsLayout {
    /// Every settings file it merges, in its own order.
    pub layers: &'static [SettingsLayer],
    /// Keys of a handler that hold its command; the first that is there counts.
    pub command_keys: &'static [&'static str],
    /// Keys of a handler that hold its time limit.
    pub timeouts: &'static [(&'static str, TimeUnit)],
    /// Seconds a handler without a limit has.
    pub default_timeout: u64,
    /// How it holds a matcher against the name of a tool.
    pub matching: MatcherSyntax,
    /// What it makes of the matcher `*`.
    pub star: StarMeaning,
    /// What it does with the matcher of a hook for prompts.
    pub prompt_matcher: PromptMatcher,
    /// The agent whose JSON hooks get that are registered under that agent's names of events.
    pub borrowed_events: Option<AgentId>,
    /// What the address of a server is that says nothing about its protocol.
    pub bare_url: BareUrl,
    /// Keys of a handler that change when or how it runs, each with the reason why that cannot be carried over.
    pub unportable: &'static [(&'static str, &'static str)],
    /// A key and value with which a handler says that its failure is a no.
    pub fails_closed: Option<(&'static str, &'static str)>,
    /// Variables it sets for its hooks besides the project's directory.
    pub variables: &'static [(&'static str, VariableMeaning)],
    /// Where it starts a command.
    pub starts_in: StartDirectory,
    /// Whether it puts their values into the text of a command, quoted, before a shell sees it.
    pub substitution: VariableSubstitution,
    /// Why a hook of these settings does not run, when somebody switched it off.
    pub hook_is_off: fn(&HookPlace<'_>, &[LoadedLayer<'_>]) -> Option<String>,
    /// Why a server of these settings is not started, when somebody switched it off.
    pub server_is_off: fn(&str, &[LoadedLayer<'_>]) -> Option<String>,
    /// Why nothing of a file, or below a directory of a plugin, counts, given its path.
    pub plugin_is_off: fn(&PluginPlace<'_>, &[LoadedLayer<'_>]) -> Option<String>,
    /// What it holds a matcher of a session's start or end, and the like, against the cause by.
    pub causes: CauseMatcher,
    /// Programs of its own kind, which no other agent can run.
    pub programs: &'static [LayerPath],
    /// Directories of skills inside its own plugins.
    pub plugin_skills: &'static [(Scope, LayerPath)],
}

#[derive(Debug)]
pub struct SettingsLayer {
    pub at: LayerPath,
    pub scope: Scope,
    pub holder: LayerOwner,
    pub notation: SettingsFormat,
    /// The keys that lead to hooks by event.
    pub hooks: Option<&'static [&'static str]>,
    /// The keys that lead to servers by name.
    pub servers: Option<&'static [&'static str]>,
    /// How hooks are written in it.
    pub shape: HookArrangement,
    /// What the agent does when a link leads to it.
    pub links: LinkHandling,
}

/// What an agent does about a link on the way from the project's root to a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkHandling {
    Followed,
    /// It does not read the file.
    Refused,
}

impl SettingsLayer {
    /// A JSON file with hooks and servers under the given keys.
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

    /// The same for a file of another agent, which this one reads too.
    pub(crate) const fn lent(self, by: AgentId) -> Self {
        Self { holder: LayerOwner::Other(by), ..self }
    }

    /// The same for a file that is not read through a link.
    pub(crate) const fn unlinked(self) -> Self {
        Self { links: LinkHandling::Refused, ..self }
    }

    /// The same in another notation.
    pub(crate) const fn written_in(self, notation: SettingsFormat) -> Self {
        Self { notation, ..self }
    }
}

/// Where a file is. A `*` stands for any name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayerPath {
    /// In the person's home directory.
    Home(&'static str),
    Project(&'static str),
    /// In the root of the git repository the workspace is in.
    GitRoot(&'static str),
    /// In a folder of the machine; a variable may name another folder.
    MachineFolder {
        /// On Linux and the like.
        path: &'static str,
        macos: &'static str,
        variable: &'static str,
        below: &'static str,
    },
    /// Of the machine; a variable may name another file.
    Machine {
        /// On Linux and the like.
        path: &'static str,
        macos: &'static str,
        variable: Option<&'static str>,
    },
}

/// Whose a settings file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayerOwner {
    /// The agent's own: its content is imported.
    Itself,
    /// Another agent's, which this one reads too: it only keeps imported hooks from running twice.
    Other(AgentId),
}

/// How a settings file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsFormat {
    /// JSON, with comments where the agent takes them.
    Json,
    Toml,
    Yaml,
}

/// How hooks are written in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookArrangement {
    /// `EVENT: [handler or group of handlers]`.
    ByEvent,
    /// A list of hooks, each with its `trigger` and `action`.
    Listed,
}

/// How an agent holds a matcher against the name of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatcherSyntax {
    /// Plain names are exact, anything else is a regular expression somewhere in the name: as we do.
    NamesOrPattern,
    /// A regular expression somewhere in the name.
    Pattern,
    /// A regular expression for the whole name.
    WholePattern,
    /// A name with `*` and `?`.
    Glob,
}

/// What an agent makes of the matcher `*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StarMeaning {
    All,
    /// A broken pattern: the hook never runs.
    Never,
}

/// How an agent holds the matcher of a lifecycle event against the cause of it, such as why a session starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CauseMatcher {
    /// Words, or a regular expression: as we do.
    NamesOrPattern,
    /// One word, which must be the cause; anything else never fires.
    Word,
    /// Not known, or not at all.
    Unknown,
}

/// What an agent does with the matcher of a hook for prompts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptMatcher {
    Ignored,
    /// It is held against the prompt.
    Prompt,
}

/// What the address of a server is that says nothing about its protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BareUrl {
    Http,
    Sse,
}

/// Whether an agent replaces its variables in the text of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariableSubstitution {
    /// The shell does, as anywhere.
    ByShell,
    /// The agent does, with a quoted value, whatever quotes are around it.
    Quoted,
}

/// Where an agent starts the command of a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartDirectory {
    /// Where it works, as it tells the hook.
    WorkingDirectory,
    /// In the root of the project, wherever it works.
    Project,
}

/// What a time limit is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeUnit {
    Seconds,
    Milliseconds,
}

/// What a variable tells a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariableMeaning {
    /// The directory the agent works in.
    WorkingDirectory,
    Session,
    /// The directory of the plugin the hook belongs to.
    Plugin,
    /// Something only that agent knows.
    OwnAffair,
}

/// A settings file that was read.
#[derive(Debug, Clone, Copy)]
pub struct LoadedLayer<'s> {
    pub layer: &'static SettingsLayer,
    pub path: &'s str,
    pub shown: &'s str,
    pub value: &'s Value,
}

impl LoadedLayer<'_> {
    /// The value under some keys; `{workspace}` among them stands for the workspace's path.
    pub fn at(&self, keys: &[&str], workspace: Option<&str>) -> Option<&Value> {
        keys.iter().try_fold(self.value, |value, key| match *key {
            WORKSPACE => value.get(workspace?),
            key => value.get(key),
        })
    }

    /// Whether there is `true` or `false` under some keys.
    pub(crate) fn says(&self, keys: &[&str], wanted: bool) -> bool {
        self.at(keys, None).and_then(Value::as_bool) == Some(wanted)
    }

    /// Whether a list of texts under some keys holds one.
    pub(crate) fn lists(&self, keys: &[&str], wanted: &str) -> bool {
        let list = self.at(keys, None).and_then(Value::as_array);
        list.into_iter().flatten().any(|item| item.as_str() == Some(wanted))
    }
}

/// Stands for the workspace's path among keys.
pub(crate) const WORKSPACE: &str = "{workspace}";

/// Where a hook stands in the settings.
#[derive(Debug, Clone, Copy)]
pub struct HookPlace<'h> {
    pub file: &'h str,
    pub event: &'h str,
    pub group: usize,
    /// Its place in the group.
    pub handler: usize,
    /// What people call it: its name, else its command.
    pub name: &'h str,
}

/// Where a file, or a directory of a plugin, is.
#[derive(Debug, Clone, Copy)]
pub struct PluginPlace<'p> {
    pub path: &'p str,
    pub workspace: Option<&'p str>,
}

/// Nobody can switch a plugin off.
pub(crate) fn plugin_stays_on(_: &PluginPlace<'_>, _: &[LoadedLayer<'_>]) -> Option<String> {
    None
}

/// Nobody can switch a hook off.
pub(crate) fn hook_stays_on(_: &HookPlace<'_>, _: &[LoadedLayer<'_>]) -> Option<String> {
    None
}

/// Nobody can switch a server off from elsewhere.
pub(crate) fn server_stays_on(_: &str, _: &[LoadedLayer<'_>]) -> Option<String> {
    None
}
