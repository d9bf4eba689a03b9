//! The hook plan: one small file per event and workspace with everything the hook must know, compiled beforehand.
//!
//! The hook reads it, compares its stamps with the disk, and reads nothing else.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::event::Event;
pub use super::path_stamp::{FileState, FolderStamp, PathPresence, PathStamp, StateHash, VariableStamp};
use super::permission::CommandRule;
pub use super::plan_handler::{FormattingSettings, Handler, HandlerAction, HandlerIsolation};
pub use super::session_plan::{
    EditGuidance, GuidanceLine, GuidancePlan, GuidancePointer, LackedSkill, LockedVersion, NudgeCrate, NudgePlan,
    PendingGrant, SessionPlan, SkillAgents,
};
use crate::agent::AgentId;

/// The format version; must grow with every change of the contents. A plan of another version is recompiled.
pub const VERSION: u32 = 8;

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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<FolderStamp>,
    /// Very many files of plugins, in groups. A session start, a prompt and an event that names their directory look at all
    /// of them, and every other event at one group, in turns. What handlers of this plan need is in `stamps` and `folders` besides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<FolderStamp>,
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
            folders: Vec::new(),
            others: Vec::new(),
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

/// The prefix, among the session files, of files in which the hook remembers a workspace. The name of the workspace's
/// plan directory follows. They outlive sessions, so that changes between two sessions can be reported.
pub const REMEMBERED: &str = "workspace-";

/// The prefix, among the session files, of those that record that the user was asked for a grant. The content follows.
pub const ASKED: &str = "asked-";

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

/// The file, beside the plans, that says whose turn it is among [`HookPlan::others`].
pub const TURN: &str = "turn";

/// Tells whether an event follows an act of a person, who may just have edited a plugin.
pub fn is_begun_by_person(slot: PlanSlot) -> bool {
    match slot {
        PlanSlot::Canonical(Event::SessionStart | Event::UserPromptSubmit) => true,
        PlanSlot::Canonical(Event::PreToolUse | Event::PostToolUse | Event::Stop) | PlanSlot::Native(..) => false,
    }
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
