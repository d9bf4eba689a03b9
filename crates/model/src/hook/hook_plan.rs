//! The plan: everything the hook must know about one event in one workspace, compiled beforehand into one small file.
//!
//! The hook reads it, compares its stamps with the disk, and reads nothing else.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::event::Event;
use super::handler::{OnFailure, PayloadFormat};
use super::matcher::Matcher;
use super::permission::CommandRule;
use crate::agent::AgentId;

/// Grows with every change of what is in a plan; a plan of another version is compiled anew.
pub const VERSION: u32 = 3;

/// What the hook knows about one event in one workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookPlan {
    /// The version of this format.
    pub version: u32,
    /// The program that compiled it: another one has other built-in plugins, and perhaps other rules.
    #[serde(default)]
    pub program: u64,
    /// The configuration directory it was compiled from; it holds for no other.
    #[serde(default)]
    pub home: String,
    /// The workspace; absent outside any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// The lock file it was compiled from: alone in being looked at apart, since a change of it needs no haste.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cargo_lock: Option<PathStamp>,
    /// Everything else it was compiled from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stamps: Vec<PathStamp>,
    /// Paths that conditions look for, where only their being there counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub presences: Vec<PathPresence>,
    /// Variables that conditions look at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<VariableStamp>,
    /// Agents that call us from the user's settings, so that a call from the project's is one too many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub global: Vec<AgentId>,
    /// Agents with a registration of their own here, so that what they read in another agent's file is one too many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub registered: Vec<AgentId>,
    /// Directories that may belong to others, as the user's own configuration says; in the plan for work outside any alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<String>,
    /// Names of MCP servers, to tell server from tool where an agent glues them together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub servers: Vec<String>,
    /// Rules of the user about shell commands, which no rewrite may get a command past.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<CommandRule>,
    /// The commands that answer the event, in the order in which they run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub handlers: Vec<Handler>,
    /// Policies of the user that are for some workspaces only. In the plan for work outside any they are asked where the
    /// plan of a workspace cannot be had, since whether they are for it is not known then. In the plan of a workspace they
    /// are those that the user switched off there, which are asked about what happens elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsure: Vec<Handler>,
    /// Handlers that are not run because nobody granted them: `plugin/hook`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<String>,
    /// What somebody granted and what has changed since, of every event: `plugin/hook`, in backquotes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// What is said at the start of a session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionPlan>,
    /// What a prompt may remind of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nudges: Option<NudgePlan>,
    /// Whether a change on disk may install skills: `auto-sync`, in a workspace that was synchronised before.
    #[serde(default)]
    pub auto_sync: bool,
    /// Whether it was compiled while an agent waited, so that what is installed may not be in step with it yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub behind: bool,
    /// Whether nobody counts which skills are loaded: `[usage] record = false`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forgets_usage: bool,
}

impl HookPlan {
    /// A plan of these handlers and nothing else, compiled from nothing.
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
            session: None,
            nudges: None,
            auto_sync: false,
            behind: false,
            forgets_usage: false,
        }
    }

    /// Keeps the policies of the user, and nothing else that would be done or said.
    pub fn keep_guards(&mut self) {
        self.handlers.retain(|handler| handler.guard);
        self.changed.clear();
        self.session = None;
        self.nudges = None;
    }

    /// Asks the policies that the user switched off in the workspace: the event happens elsewhere.
    pub fn ask_unsure(&mut self) {
        let mut handlers = std::mem::take(&mut self.unsure);
        let others = std::mem::take(&mut self.handlers);
        handlers.retain(|handler| !others.contains(handler));
        handlers.extend(others);
        self.handlers = handlers;
    }

    /// Takes out the handlers that somebody has to agree to.
    pub fn drop_granted(&mut self) {
        self.handlers.retain(|handler| !handler.needs_grant());
    }

    /// Makes of the plan for work outside any workspace one for a workspace whose own cannot be had: every policy of the
    /// user that may apply is asked, and whatever else `before`, an older plan of the workspace, says.
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

/// A file or directory as it was: the same function takes it at compile time and at every event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathStamp {
    /// Where.
    pub path: String,
    /// What was there; absent when nothing was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<FileState>,
}

/// What tells one state of a file from another. Written as four numbers without names: a plan has hundreds of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "(u64, i64, i64, u64)", from = "(u64, i64, i64, u64)")]
pub struct FileState {
    /// Bytes.
    pub size: u64,
    /// When it was changed, in nanoseconds since 1970.
    pub modified: i64,
    /// When anything about it was changed, which nobody can set back; in nanoseconds since 1970.
    pub changed: i64,
    /// Which file it is.
    pub inode: u64,
}

impl From<FileState> for (u64, i64, i64, u64) {
    fn from(FileState { size, modified, changed, inode }: FileState) -> Self {
        (size, modified, changed, inode)
    }
}

impl From<(u64, i64, i64, u64)> for FileState {
    fn from((size, modified, changed, inode): (u64, i64, i64, u64)) -> Self {
        Self { size, modified, changed, inode }
    }
}

/// Whether anything was at a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathPresence {
    /// Where.
    pub path: String,
    /// Whether something was there.
    pub there: bool,
}

/// A variable of the environment as it was. Its value may be a secret, so only a hash of it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariableStamp {
    /// Its name.
    pub name: String,
    /// The hash of its value; absent when it was not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<u64>,
}

/// A command that answers the event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handler {
    /// Its plugin.
    pub plugin: String,
    /// Its name in the plugin.
    pub name: String,
    /// Which tools it is meant for.
    pub matcher: Matcher,
    /// What is run.
    pub run: HandlerAction,
    /// The plugin's directory.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub directory: String,
    /// The one agent it is meant for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    /// Agents it leaves alone, because something of their own does the same there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_for: Vec<AgentId>,
    /// That agent's own event, when the manifest names it so. It runs on no other event, not even on a twin of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<String>,
    /// The JSON it speaks.
    pub format: PayloadFormat,
    /// Whether it is a policy of the user, which is asked whatever the environment says, and has time set apart.
    #[serde(default, skip_serializing_if = "is_false")]
    pub guard: bool,
    /// Whether it counts beside others of its plugin that speak another language; else one of them is enough.
    #[serde(default, skip_serializing_if = "is_false")]
    pub apart: bool,
    /// Seconds it may take, when it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<u64>,
    /// What its failure means.
    pub on_failure: OnFailure,
    /// Directories looked in before PATH.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
    /// Directories of its plugin in which an interpreter may look for modules, the nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<String>,
    /// Variables it gets besides the usual ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<(String, String)>,
    /// Files a grant covers, looked at again before it is started.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub granted: Vec<PathStamp>,
    /// How far it is kept apart from where the agent works.
    #[serde(default, skip_serializing_if = "HandlerIsolation::is_none")]
    pub isolation: HandlerIsolation,
}

/// How far a handler is kept apart from where the agent works, and from what is set there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HandlerIsolation {
    /// Not at all: it starts where the agent works, with the caller's environment.
    #[default]
    None,
    /// It gets no variable by which programs load code.
    Environment,
    /// Besides, it starts at the root of the workspace: what was agreed to is looked for there.
    Workspace,
}

impl HandlerIsolation {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
    fn is_none(&self) -> bool {
        *self == Self::None
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Handler {
    /// One that is asked about everything, in the canonical form, with nothing special about it.
    pub fn new(plugin: &str, name: &str, run: HandlerAction) -> Self {
        Self {
            plugin: plugin.to_owned(),
            name: name.to_owned(),
            matcher: Matcher::All,
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

    /// Whether somebody has to agree to it.
    pub fn needs_grant(&self) -> bool {
        !self.granted.is_empty() || self.isolation == HandlerIsolation::Workspace
    }

    /// How people call it.
    pub fn title(&self) -> String {
        format!("{}/{}", self.plugin, self.name)
    }
}

/// What a handler runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HandlerAction {
    /// A program, by its path or by a name to look up.
    Direct {
        /// The program.
        program: String,
        /// Its arguments.
        args: Vec<String>,
    },
    /// A line for the shell.
    Shell {
        /// The line.
        line: String,
        /// Words appended to it.
        args: Vec<String>,
    },
    /// The built-in workflow that shortens commands.
    Rtk {
        /// Commands it leaves alone.
        exclude: Vec<String>,
    },
    /// The built-in workflow that formats what was written.
    Autofmt(FormattingSettings),
}

/// How the workspace is formatted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormattingSettings {
    /// The editions of its packages: the directory of each, and its edition. The longest directory that holds a file counts.
    pub editions: Vec<(String, String)>,
    /// The toolchain: the user's default, where that is known; or an installed one that the project asks for, when a
    /// person agreed to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub toolchain: Option<String>,
}

/// What is said at the start of a session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SessionPlan {
    /// Texts of plugins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<String>,
    /// Skills that apply here, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skills: Vec<String>,
    /// Who has them.
    #[serde(default, skip_serializing_if = "SkillHolders::is_empty")]
    pub holders: SkillHolders,
    /// Locked versions of crates that some skill is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crates: Vec<LockedVersion>,
    /// Whether the line about Rust guidance is said.
    #[serde(default, skip_serializing_if = "GuidancePointer::is_shown")]
    pub pointer: GuidancePointer,
    /// Rules for the model about what only the person may decide.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// Notes for the person, which the model does not read: what awaits consent, that nothing is set up yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Whether the `rtk` workflow is on, so that a missing `rtk` is mentioned to the person.
    #[serde(default)]
    pub rtk: bool,
    /// Whether a newer version of the program is mentioned, and looked for once a day.
    #[serde(default)]
    pub update_notice: bool,
    /// Whether there are sources to be fetched now and then without being asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fetches: bool,
}

/// The line of a session's start that says where the guidance is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuidancePointer {
    /// It is said in a workspace.
    #[default]
    Shown,
    /// There is nothing of cargo in the workspace, or somebody switched everything off.
    Hidden,
}

impl GuidancePointer {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over like this")]
    fn is_shown(&self) -> bool {
        *self == Self::Shown
    }
}

/// A crate that some skill is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockedVersion {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The skills that apply to that version: the installed names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skills: Vec<String>,
}

/// What a prompt may remind of.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NudgePlan {
    /// After how many further prompts the same skill is named again; never when 0.
    pub interval: u32,
    /// The crates with skills.
    pub crates: Vec<NudgeCrate>,
    /// Who has these skills.
    #[serde(default, skip_serializing_if = "SkillHolders::is_empty")]
    pub holders: SkillHolders,
}

/// The agents that have skills here. Only to them a skill is named; others can run a command.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SkillHolders {
    /// Agents that have any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<AgentId>,
    /// Skills that one of them lacks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacking: Vec<LackedSkill>,
}

/// A skill that applies, and that an agent does not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LackedSkill {
    /// The agent.
    pub agent: AgentId,
    /// The name of the skill.
    pub skill: String,
}

impl SkillHolders {
    fn is_empty(&self) -> bool {
        self.agents.is_empty()
    }

    /// Whether an agent has a skill that applies; a caller that is no agent we know may.
    pub fn has(&self, agent: Option<AgentId>, skill: &str) -> bool {
        let lacks = |agent| self.lacking.iter().any(|lacked| lacked.agent == agent && lacked.skill == skill);
        agent.is_none_or(|agent| self.agents.contains(&agent) && !lacks(agent))
    }
}

/// A crate with skills.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NudgeCrate {
    /// Its name.
    pub name: String,
    /// Its skills: the installed names.
    pub skills: Vec<String>,
}

/// How the names of files begin, among those of sessions, in which the hook remembers a workspace. They go on with the name
/// of that workspace's directory of plans, and outlive every session: what changed is told by them.
pub const REMEMBERED: &str = "workspace-";

/// The rule for the model about what somebody granted and what has changed since, by names in backquotes; nothing of nothing.
pub fn changed_notice(names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| {
        format!(
            "Symposium no longer runs these, because they changed since somebody agreed to them: {}. Tell the user that \
             `symposium trust` shows what changed, and asks; never answer it for them",
            names.join(", ")
        )
    })
}

/// Where the plans of a workspace are.
pub fn directory(cache: &Path, workspace: Option<&str>) -> PathBuf {
    let name = match workspace {
        Some(workspace) => format!("{:016x}", hash(workspace.as_bytes())),
        None => "outside".to_owned(),
    };
    cache.join("plans").join(name)
}

/// The file in that directory for an event.
pub fn file_name(event: Event) -> &'static str {
    match event {
        Event::PreToolUse => "pre-tool-use.json",
        Event::PostToolUse => "post-tool-use.json",
        Event::UserPromptSubmit => "user-prompt-submit.json",
        Event::SessionStart => "session-start.json",
        Event::Stop => "stop.json",
    }
}

/// The file in that directory for an event of one agent alone, by the name its agent's dialect has for it.
pub fn native_file_name(agent: AgentId, event: &str) -> String {
    format!("{agent}-{}.json", event.to_ascii_lowercase())
}

/// A short name for something long: 64-bit FNV-1a. It keeps nothing secret and is not used where a collision would harm.
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
