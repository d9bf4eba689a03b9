//! The hook plan: one small file per event and workspace with everything the hook must know, compiled beforehand.
//!
//! The hook reads it, compares its stamps with the disk, and reads nothing else.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::event::Event;
use super::handler::{OnFailure, PayloadFormat};
use super::matcher::ToolMatcher;
use super::permission::CommandRule;
use crate::agent::AgentId;

/// The format version; must grow with every change of the contents. A plan of another version is recompiled.
pub const VERSION: u32 = 5;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookPlan {
    pub version: u32,
    /// Identifies the program that compiled the plan: another one has other built-in plugins, and perhaps other rules.
    #[serde(default)]
    pub program: u64,
    /// The configuration directory the plan was compiled from; it is valid for no other.
    #[serde(default)]
    pub home: String,
    /// Absent in the plan for work outside any workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// The `Cargo.lock` the plan was compiled from. Separate from `stamps`, since a change of it is not urgent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cargo_lock: Option<PathStamp>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stamps: Vec<PathStamp>,
    /// Paths in conditions that only check for existence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub presences: Vec<PathPresence>,
    /// Environment variables in conditions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<VariableStamp>,
    /// Agents registered in the user's settings, for which a call from the project's settings is a duplicate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub global: Vec<AgentId>,
    /// Agents with a registration here, for which a call they make because of another agent's file is a duplicate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub registered: Vec<AgentId>,
    /// Directories that may belong to other users according to the user's own configuration; set only in the plan for
    /// work outside any workspace.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<String>,
    /// MCP server names, to separate server from tool where an agent joins the two names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub servers: Vec<String>,
    /// The user's rules about shell commands, which no rewrite may get a command past.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<CommandRule>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub handlers: Vec<Handler>,
    /// Policies of the user that apply to some workspaces only. In the plan for work outside any workspace they run
    /// when the plan of a workspace is unavailable, since it is unknown then if they apply. In the plan of a workspace
    /// they are the ones the user switched off there; they run for events that happen elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsure: Vec<Handler>,
    /// Handlers that do not run because they are not granted: `plugin/hook`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<String>,
    /// Granted hooks of any event that changed since the grant: `plugin/hook`, in backquotes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// Sentences about policy hooks of any event that cannot run any more, because their scripts are gone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionPlan>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nudges: Option<NudgePlan>,
    /// The guidance for files that an agent reads and edits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guidance: Option<GuidancePlan>,
    /// `auto-sync` in a workspace that was synchronised before: a change on disk may install skills.
    #[serde(default)]
    pub auto_sync: bool,
    /// Set when the plan was compiled while an agent waited, so that installed files may not match it yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub behind: bool,
    /// `[usage] record = false`: skill loads are not counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forgets_usage: bool,
}

impl HookPlan {
    /// Returns a plan with only these handlers, without stamps.
    pub fn from_handlers(handlers: Vec<Handler>) -> Self {
        Self {
            version: VERSION,
            program: 0,
            home: String::new(),
            workspace: None,
            cargo_lock: None,
            stamps: Vec::new(),
            presences: Vec::new(),
            variables: Vec::new(),
            global: Vec::new(),
            registered: Vec::new(),
            allowed: Vec::new(),
            servers: Vec::new(),
            rules: Vec::new(),
            handlers,
            unsure: Vec::new(),
            withheld: Vec::new(),
            changed: Vec::new(),
            ended: Vec::new(),
            session: None,
            nudges: None,
            guidance: None,
            auto_sync: false,
            behind: false,
            forgets_usage: false,
        }
    }

    /// Returns the rule for the model about hooks that ran before and do no longer; `None` without any.
    pub fn lost_hooks_notice(&self) -> Option<String> {
        let ended = self.ended.iter().map(|sentence| format!("{sentence}. Tell the user; never do it for them"));
        let all: Vec<String> = changed_notice(&self.changed).into_iter().chain(ended).collect();
        (!all.is_empty()).then(|| all.join("\n"))
    }

    /// Removes everything that would run or be shown, except the policies of the user.
    pub fn keep_guards(&mut self) {
        self.handlers.retain(|handler| handler.guard);
        self.changed.clear();
        self.ended.clear();
        self.session = None;
        self.nudges = None;
        self.guidance = None;
    }

    /// Adds the policies that the user switched off in the workspace, for an event that happens elsewhere.
    pub fn ask_unsure(&mut self) {
        let mut handlers = std::mem::take(&mut self.unsure);
        let others = std::mem::take(&mut self.handlers);
        handlers.retain(|handler| !others.contains(handler));
        handlers.extend(others);
        self.handlers = handlers;
    }

    pub fn drop_granted(&mut self) {
        self.handlers.retain(|handler| !handler.needs_grant());
    }

    /// Turns the plan for work outside any workspace into one for a workspace whose own plan is unavailable: every
    /// policy of the user that may apply runs, and everything in `before`, an older plan of the workspace.
    #[must_use]
    pub fn in_place_of(mut self, before: Option<Self>) -> Self {
        let mut handlers = std::mem::take(&mut self.handlers);
        handlers.append(&mut self.unsure);
        let Some(before) = before else { return Self { handlers, ..self } };
        let earlier: Vec<Handler> = before.handlers.into_iter().filter(|known| !handlers.contains(known)).collect();
        handlers.extend(earlier);
        Self { handlers, global: self.global, registered: self.registered, ..before }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathStamp {
    pub path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<FileState>,
}

/// Metadata that tells one state of a file from another. Serialized as four numbers without keys: a plan has hundreds
/// of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "(u64, i64, i64, u64)", from = "(u64, i64, i64, u64)")]
pub struct FileState {
    /// In bytes.
    pub size: u64,
    /// The modification time in nanoseconds since 1970.
    pub modified: i64,
    /// The time of the last metadata change, which no program can set back; in nanoseconds since 1970.
    pub changed: i64,
    pub inode: u64,
}

impl From<FileState> for (u64, i64, i64, u64) {
    fn from(FileState { size, modified, changed, inode }: FileState) -> Self {
        (size, modified, changed, inode)
    }
}

impl From<(u64, i64, i64, u64)> for FileState {
    fn from(numbers: (u64, i64, i64, u64)) -> Self {
        let (size, modified, changed, inode) = numbers;
        Self { size, modified, changed, inode }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathPresence {
    pub path: String,
    pub there: bool,
}

/// The state of an environment variable at compile time. Its value may be a secret, so only a hash is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariableStamp {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<u64>,
}

/// A hook compiled for one event: the command or built-in workflow that answers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handler {
    pub plugin: String,
    pub name: String,
    pub matcher: ToolMatcher,
    pub run: HandlerAction,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub directory: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    /// Agents it is skipped on, because they have an entry of their own that does the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_for: Vec<AgentId>,
    /// That agent's native event, if the manifest names one. The handler runs on no other event, not even an equivalent
    /// one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub format: PayloadFormat,
    /// Set for a policy of the user: it runs regardless of the environment variables, and within its own time budget.
    #[serde(default, skip_serializing_if = "is_false")]
    pub guard: bool,
    /// Set if it runs besides handlers of its plugin with another format; otherwise one of them is enough.
    #[serde(default, skip_serializing_if = "is_false")]
    pub apart: bool,
    /// In seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub on_failure: OnFailure,
    /// Directories searched before `PATH`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
    /// Directories of the plugin from which an interpreter may load modules, the nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<String>,
    /// Environment variables in addition to the usual ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<(String, String)>,
    /// Files that the grant covers, compared again before each start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub granted: Vec<PathStamp>,
    #[serde(default, skip_serializing_if = "HandlerIsolation::is_none")]
    pub isolation: HandlerIsolation,
}

/// The separation of a handler from the agent's working directory and from the variables set there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HandlerIsolation {
    /// Starts in the agent's working directory, with the caller's environment.
    #[default]
    None,
    /// Removes the variables by which programs load code.
    Environment,
    /// Besides, starts at the root of the workspace, where the granted files are looked up.
    Workspace,
}

impl HandlerIsolation {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
    fn is_none(&self) -> bool {
        *self == Self::None
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Handler {
    /// Returns a handler for every tool, in the canonical format, with default settings.
    pub fn new(plugin: &str, name: &str, run: HandlerAction) -> Self {
        Self {
            plugin: plugin.to_owned(),
            name: name.to_owned(),
            matcher: ToolMatcher::All,
            run,
            directory: String::new(),
            agent: None,
            not_for: Vec::new(),
            native: None,
            format: PayloadFormat::Symposium,
            guard: false,
            apart: false,
            timeout: None,
            on_failure: OnFailure::Allow,
            path: Vec::new(),
            modules: Vec::new(),
            variables: Vec::new(),
            granted: Vec::new(),
            isolation: HandlerIsolation::None,
        }
    }

    pub fn needs_grant(&self) -> bool {
        !self.granted.is_empty() || self.isolation == HandlerIsolation::Workspace
    }

    /// Returns the name that users know: `plugin/hook`.
    pub fn title(&self) -> String {
        format!("{}/{}", self.plugin, self.name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HandlerAction {
    /// A program, by path or by a name to look up in `PATH`.
    Direct {
        program: String,
        args: Vec<String>,
    },
    /// A command line for the shell.
    Shell {
        line: String,
        args: Vec<String>,
    },
    /// The built-in workflow that shortens commands.
    Rtk {
        /// Commands that stay as they are.
        exclude: Vec<String>,
    },
    Autofmt(FormattingSettings),
    /// The built-in workflow that shortens the output of cargo.
    Cargo,
    /// The built-in workflow that looks up new dependencies in cargo's index cache.
    Deps,
    /// The built-in workflow that asks for a cargo run before the agent stops.
    Finish,
}

impl HandlerAction {
    /// Returns true for a workflow that runs inside the hook process.
    pub fn is_built_in(&self) -> bool {
        match self {
            Self::Direct { .. } | Self::Shell { .. } => false,
            Self::Rtk { .. } | Self::Autofmt(_) | Self::Cargo | Self::Deps | Self::Finish => true,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormattingSettings {
    /// The directory and edition of each package. The longest directory that contains a file counts.
    pub editions: Vec<(String, String)>,
    /// The user's default toolchain, if known; or an installed one that the project asks for and the user granted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub toolchain: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SessionPlan {
    /// Session texts of plugins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skills: Vec<String>,
    /// The direct dependencies with skills, those that most members use first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub index: Vec<GuidanceLine>,
    /// `[guidance] index-bytes`.
    #[serde(default)]
    pub index_bytes: usize,
    #[serde(default, skip_serializing_if = "SkillHolders::is_empty")]
    pub holders: SkillHolders,
    /// Locked versions of crates that have a skill.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crates: Vec<LockedVersion>,
    #[serde(default, skip_serializing_if = "GuidancePointer::is_shown")]
    pub pointer: GuidancePointer,
    /// Rules for the model about decisions that only the user may make.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// Notes for the user, which the model does not read, such as pending grants or a missing setup.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Set when the `rtk` workflow is on, so that a missing `rtk` is reported to the user.
    #[serde(default)]
    pub rtk: bool,
    /// Shell code for agents that take it at session start, to be read before each command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shell_line: Option<String>,
    /// Set when a newer version of the program is looked for once a day and reported.
    #[serde(default)]
    pub update_notice: bool,
    /// Set when there are sources to fetch in the background.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fetches: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuidancePointer {
    #[default]
    Shown,
    /// The workspace has no cargo package, or the user switched everything off.
    Hidden,
}

impl GuidancePointer {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over like this")]
    fn is_shown(&self) -> bool {
        *self == Self::Shown
    }
}

/// A locked crate that has a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockedVersion {
    pub name: String,
    pub version: String,
    /// The installed names of the skills for this version.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skills: Vec<String>,
}

/// The reminders of skills that a prompt may cause.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NudgePlan {
    /// The number of further prompts after which the same skill is named again; 0 for never.
    pub interval: u32,
    pub crates: Vec<NudgeCrate>,
    #[serde(default, skip_serializing_if = "SkillHolders::is_empty")]
    pub holders: SkillHolders,
}

/// A line of the index at session start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuidanceLine {
    pub name: String,
    pub version: String,
    /// The first line of the skill's digest.
    pub digest: String,
    /// The installed name of the skill.
    pub skill: String,
}

/// The guidance at a file. The crates and digests are in files of their own: most events need neither.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuidancePlan {
    pub mode: EditGuidance,
    #[serde(default, skip_serializing_if = "SkillHolders::is_empty")]
    pub holders: SkillHolders,
}

/// `[guidance] at-edit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EditGuidance {
    Off,
    #[default]
    Digest,
    /// The digest, and the text of skills that are always loaded.
    Full,
    /// The digest; and the first edit that names a crate not told yet is refused once.
    Gate,
}

impl EditGuidance {
    pub const ALL: [Self; 4] = [Self::Off, Self::Digest, Self::Full, Self::Gate];

    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Digest => "digest",
            Self::Full => "full",
            Self::Gate => "gate",
        }
    }
}

/// The agents that have skills installed here. A skill is named only to them; the others can run a command.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SkillHolders {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<AgentId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacking: Vec<LackedSkill>,
}

/// A skill that applies but is not installed for an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LackedSkill {
    pub agent: AgentId,
    pub skill: String,
}

impl SkillHolders {
    fn is_empty(&self) -> bool {
        self.agents.is_empty()
    }

    /// Returns true if the agent has the skill, or if the caller is no known agent, which may have it.
    pub fn has(&self, agent: Option<AgentId>, skill: &str) -> bool {
        let lacks = |agent| self.lacking.iter().any(|lacked| lacked.agent == agent && lacked.skill == skill);
        agent.is_none_or(|agent| self.agents.contains(&agent) && !lacks(agent))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NudgeCrate {
    pub name: String,
    pub skills: Vec<String>,
}

/// The prefix, among the session files, of files in which the hook remembers a workspace. The name of the workspace's
/// plan directory follows. They outlive sessions, so that changes between two sessions can be reported.
pub const REMEMBERED: &str = "workspace-";

/// Returns the rule for the model about granted hooks that changed since, given their names in backquotes; `None`
/// without names.
pub fn changed_notice(names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| {
        format!(
            "Symposium no longer runs these plugins, because they changed after the user granted them: {}. Tell the \
             user to run `symposium trust` to review the changes; never run it for them",
            names.join(", ")
        )
    })
}

pub fn directory(cache: &Path, workspace: Option<&str>) -> PathBuf {
    let name = match workspace {
        Some(workspace) => format!("{:016x}", hash(workspace.as_bytes())),
        None => "outside".to_owned(),
    };
    cache.join("plans").join(name)
}

/// The event that a plan is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanSlot {
    Canonical(Event),
    /// A native event, by its name in the agent's dialect.
    Native(AgentId, &'static str),
}

impl PlanSlot {
    pub fn file_name(self) -> String {
        match self {
            Self::Canonical(event) => file_name(event).to_owned(),
            Self::Native(agent, event) => native_file_name(agent, event),
        }
    }
}

pub fn file_name(event: Event) -> &'static str {
    match event {
        Event::PreToolUse => "pre-tool-use.json",
        Event::PostToolUse => "post-tool-use.json",
        Event::UserPromptSubmit => "user-prompt-submit.json",
        Event::SessionStart => "session-start.json",
        Event::Stop => "stop.json",
    }
}

/// Returns the name of the plan file of a native event, by its name in the agent's dialect.
pub fn native_file_name(agent: AgentId, event: &str) -> String {
    format!("{agent}-{}.json", event.to_ascii_lowercase())
}

/// Hashes with 64-bit FNV-1a. It keeps nothing secret; use it only where a collision does no harm.
pub const fn hash(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut rest = bytes;
    while let Some((byte, others)) = rest.split_first() {
        hash = (hash ^ *byte as u64).wrapping_mul(0x0100_0000_01b3);
        rest = others;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_plan_for_the_workspace_the_user_is_asked_and_what_was_known_before() {
        let handler =
            |name: &str| Handler::new("p", name, HandlerAction::Shell { line: name.to_owned(), args: Vec::new() });
        let names =
            |plan: &HookPlan| -> Vec<String> { plan.handlers.iter().map(|handler| handler.name.clone()).collect() };
        let own = HookPlan {
            unsure: vec![handler("b")],
            global: vec![AgentId::Claude],
            ..HookPlan::from_handlers(vec![handler("a")])
        };
        assert_eq!(names(&own.clone().in_place_of(None)), ["a", "b"]);
        let before = HookPlan {
            servers: vec!["s".to_owned()],
            registered: vec![AgentId::Cursor],
            ..HookPlan::from_handlers(vec![])
        };
        let before = HookPlan { handlers: vec![handler("c"), handler("a")], ..before };
        let joined = own.in_place_of(Some(before));
        assert_eq!(names(&joined), ["a", "b", "c"]);
        assert_eq!((joined.servers.len(), joined.registered.len(), joined.global.len()), (1, 0, 1));
    }

    #[test]
    fn an_empty_plan_is_small() {
        let text = r#"{"version":2,"program":0,"home":"","auto_sync":false}"#;
        let plan: HookPlan = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&plan).unwrap(), text);
    }

    #[test]
    fn workspaces_have_directories_of_their_own() {
        let cache = Path::new("/c");
        assert_eq!(directory(cache, None), Path::new("/c/plans/outside"));
        assert_eq!(directory(cache, Some("/w")), Path::new("/c/plans").join(format!("{:016x}", hash(b"/w"))));
        assert_ne!(hash(b"/w"), hash(b"/v"));
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(b"foobar"), 0x8594_4171_f739_67e8, "a published example");
        assert_eq!(native_file_name(AgentId::Gemini, "BeforeModel"), "gemini-beforemodel.json");
    }
}
