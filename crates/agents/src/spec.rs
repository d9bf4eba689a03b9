//! What is known about an agent besides how it talks: where it looks for things, and how strictly it reads them.

use serde_json::Value;
use symposium_model::agent::AgentId;
use symposium_model::edit::Format;

use crate::command::{Caller, Shell};
use crate::dialect::{AgentEvent, Dialect, EventNames};
use crate::holdings::Holdings;
use crate::permission::PermissionFile;
use crate::situation::{McpServer, Place, Scope, Situation};

pub use crate::holdings::TimeUnit;
pub use crate::obstacle::{FolderRecord, HandlerPlace, HookTrust, PackageWait, StartProbe, Trust};
pub use crate::servers::References;
pub use crate::strictness::{Reaction, Strictness};

/// Everything known about one agent.
#[derive(Debug)]
pub struct AgentSpec {
    /// The agent.
    pub id: AgentId,
    /// Its name for people.
    pub title: &'static str,
    /// How we know what is written here.
    pub evidence: Evidence,
    /// Programs on PATH that show it is installed.
    pub programs: &'static [&'static str],
    /// Files and directories in the home directory that show it is used.
    pub home_signs: &'static [&'static str],
    /// The traces it leaves in the commands its model runs.
    pub own_shell: OwnShell,
    /// Variables that make it look for its own files somewhere else than we put ours.
    pub moved_by: &'static [MovedBy],
    /// Where it looks for skills.
    pub skills: SkillDirectories,
    /// The files that make it call us.
    pub hooks: &'static [HookFile],
    /// What happens when a project and its user both registered us.
    pub both_scopes: BothScopes,
    /// Where it looks for MCP servers.
    pub mcp: McpFile,
    /// Instruction files it reads; shown to people, never written.
    pub instructions: Instructions,
    /// What of a project it finds only when it is started in the workspace root.
    pub root_only: RootOnly,
    /// Where it records what the person trusts.
    pub trust: Trust,
    /// What it installs before it loads a plugin.
    pub waits_for: Option<&'static PackageWait>,
    /// What to tell people after registering.
    pub notes: &'static [Note],
    /// What people may already have in it.
    pub holdings: &'static Holdings,
    /// Where people say which shell commands it may run. Agents that take no changed input have none.
    pub permissions: &'static [PermissionFile],
    /// How it talks.
    pub dialect: &'static Dialect,
}

/// The traces that an agent leaves in the commands its model runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnShell {
    /// Variables it sets there, and that no terminal of a person has.
    pub variables: &'static [&'static str],
    /// Names of its program.
    pub programs: &'static [&'static str],
    /// Pieces of the path of its program, or of the script that an interpreter runs.
    pub paths: &'static [&'static str],
}

/// A variable that moves a directory of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MovedBy {
    /// The variable.
    pub variable: &'static str,
    /// What it stands for, from the home directory; empty for the home directory itself.
    pub directory: &'static str,
    /// Files beside that directory which it moves into the new one.
    pub along: &'static [&'static str],
}

/// How we know what we know about an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// The real program, of this version, was run.
    Ran(&'static str),
    /// Its documents and source only.
    Documents,
}

/// Where an agent looks for skills.
#[derive(Debug)]
pub struct SkillDirectories {
    /// Where ours go, from the workspace root.
    pub project: &'static str,
    /// Other directories of a project it reads.
    pub also_in_project: &'static [&'static str],
    /// Directories in the home directory it reads: places not to collide with.
    pub global: &'static [&'static str],
    /// What its tools make of files that git ignores, as installed skills are by default.
    pub ignored: IgnoredFiles,
}

/// What the tools of an agent make of files that git ignores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IgnoredFiles {
    /// They open them, as far as is known.
    Opened,
    /// They refuse them; but they take a line of `.gitignore` that begins with a blank for the one without it.
    Refused,
}

/// A file that makes an agent call us.
#[derive(Debug)]
pub struct HookFile {
    /// Where it is in a project.
    pub project: Place,
    /// Where it is for one person.
    pub global: Place,
    /// Whether it is written at all.
    pub wanted: fn(&Situation) -> bool,
    /// What it calls the events we translate.
    pub events: &'static EventNames,
    /// The agent's own events that can be registered in it.
    pub native: &'static [&'static str],
    /// The shell its commands run in on Windows; elsewhere it is a POSIX shell. Taken from documents and reports.
    pub windows_shell: Shell,
    /// How it is written.
    pub layout: HookLayout,
    /// How strictly the agent reads it.
    pub strictness: Strictness,
}

impl HookFile {
    /// Where it is.
    pub fn place(&self, scope: Scope) -> Place {
        match scope {
            Scope::Project => self.project,
            Scope::Global => self.global,
        }
    }

    /// Its name for an event; `None` where it cannot hold it.
    pub fn name_of(&self, event: AgentEvent) -> Option<&'static str> {
        match event {
            AgentEvent::Canonical(event) => self.events.of(event),
            AgentEvent::ToolFailed => self.events.tool_failed,
            AgentEvent::Native(name) => self.native.iter().copied().find(|known| *known == name),
        }
    }
}

/// How a file with hooks is written.
#[derive(Debug)]
pub enum HookLayout {
    /// Entries of ours under `hooks.EVENT`, behind everybody else's.
    Shared {
        /// How an entry looks.
        handler: HandlerForm,
        /// What the file holds before our entries when there is none.
        starts_as: &'static str,
    },
    /// A file of ours with entries under `hooks.EVENT`.
    Own {
        /// How an entry looks.
        handler: HandlerForm,
        /// Puts the value of `hooks` into the rest of the file.
        frame: fn(&Value) -> Value,
    },
    /// A file of ours in a form of its own.
    Written(fn(&Calls<'_>) -> String),
}

/// The calls a file must make.
#[derive(Debug)]
pub struct Calls<'a> {
    /// Who calls.
    pub caller: Caller<'a>,
    /// The shell the commands run in.
    pub shell: Shell,
    /// The events, each under the name it has in this file.
    pub events: Vec<(&'static str, AgentEvent)>,
}

/// How one handler is written.
#[derive(Debug)]
pub struct HandlerForm {
    /// Whether handlers stand in groups.
    pub grouping: Grouping,
    /// Keys with a fixed value.
    pub fixed: &'static [(&'static str, &'static str)],
    /// Where the command goes.
    pub command: CommandKey,
    /// Where the time limit goes.
    pub timeout_key: &'static str,
    /// What it is counted in.
    pub timeout_unit: TimeUnit,
}

/// Whether handlers stand in groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// `{"matcher": …, "hooks": [handler]}`. We write no matcher: every agent takes its absence for "all", while `*` or
    /// `.*` switches the entry off on some.
    Groups,
    /// Each handler by itself.
    Flat,
}

/// Where a handler's command goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandKey {
    /// Under `command`, for the shell of the machine.
    Command,
    /// Under `bash` and `powershell`, both always.
    ByShell,
}

/// What happens when a project and its user both registered us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BothScopes {
    /// Both call us, so the call with `--project` must answer neutrally.
    BothCall,
    /// The project's file hides the person's, so the call with `--project` is the only one and must do the work.
    ProjectHidesGlobal,
}

/// Where an agent looks for MCP servers.
#[derive(Debug)]
pub struct McpFile {
    /// Where they go in a project.
    pub project: Choice,
    /// Where they go for one person.
    pub global: Choice,
    /// Whether others write there too.
    pub ownership: Ownership,
    /// The key that holds the servers by name.
    pub key: &'static str,
    /// How the file is written.
    pub format: Format,
    /// How a server is written.
    pub server: fn(&McpServer) -> Value,
    /// How a value is taken from the environment.
    pub references: References,
    /// Whether it can reach a server that speaks the older streaming protocol.
    pub sse: Sse,
    /// Keys of a server that are the person's to set, also on ours: they are kept when an entry is brought up to date.
    pub persons_keys: &'static [&'static str],
    /// How strictly the agent reads the file.
    pub strictness: Strictness,
}

impl McpFile {
    /// The files that come into question.
    pub fn choice(&self, scope: Scope) -> &Choice {
        match scope {
            Scope::Project => &self.project,
            Scope::Global => &self.global,
        }
    }
}

/// Whether an agent speaks the older streaming protocol of MCP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sse {
    /// It does.
    Spoken,
    /// It does not, so such a server is left out and named.
    NotSpoken,
}

/// Where something goes when an agent reads several files.
#[derive(Debug)]
pub struct Choice {
    /// The first of these that exists is taken.
    pub existing: &'static [Place],
    /// Else this one.
    pub otherwise: Place,
    /// What the agent does with those after the first that exists.
    pub others: Others,
}

/// What an agent does with further files when it has found one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// It reads them too.
    Read,
    /// It does not look at them: the first hides them.
    Hidden,
}

impl Choice {
    /// One file, without alternatives.
    pub const fn only(place: Place) -> Self {
        Self { existing: &[], otherwise: place, others: Others::Read }
    }

    /// The file that is written whatever exists; `None` when there is a choice.
    pub fn fixed(&self) -> Option<Place> {
        self.existing.is_empty().then_some(self.otherwise)
    }

    /// The file to write, given the files that exist.
    pub fn pick(&self, existing: &[Place]) -> Place {
        self.existing.iter().copied().find(|place| existing.contains(place)).unwrap_or(self.otherwise)
    }
}

/// Whether a file is ours alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ownership {
    /// Others write there too.
    Shared,
    /// It is ours.
    Own,
}

/// Instruction files an agent reads. A `*` stands for any name.
#[derive(Debug)]
pub struct Instructions {
    /// In a project.
    pub project: &'static [&'static str],
    /// In the home directory.
    pub global: &'static [&'static str],
    /// Those of them that others hide.
    pub hidden: &'static [HiddenInstructions],
}

/// An instruction file that an agent reads only where another one is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HiddenInstructions {
    /// The file.
    pub file: Place,
    /// The one that hides it.
    pub by: Place,
    /// What in that one brings the other in all the same.
    pub brought_in_by: Option<&'static str>,
}

/// What of a project an agent finds only when it is started in the workspace root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootOnly {
    /// It finds everything from a subdirectory too.
    Nothing,
    /// The project's registration.
    Registration,
    /// The project's registration and skills.
    RegistrationAndSkills,
}

/// What to tell people after registering.
#[derive(Debug)]
pub struct Note {
    /// In which scope; `None` for both.
    pub scope: Option<Scope>,
    /// In which situation.
    pub when: fn(&Situation) -> bool,
    /// The sentence.
    pub text: &'static str,
}

impl Note {
    /// A note for one scope, always shown.
    pub const fn of(scope: Scope, text: &'static str) -> Self {
        Self { scope: Some(scope), when: always, text }
    }

    /// A note for both scopes, always shown.
    pub const fn both(text: &'static str) -> Self {
        Self { scope: None, when: always, text }
    }
}

/// A file or note that does not depend on anything.
pub(crate) fn always(_: &Situation) -> bool {
    true
}
