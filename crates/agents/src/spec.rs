//! What is known about an agent besides how it talks: where it looks for things, and how strictly it reads them.

use serde_json::Value;
use symposium_model::agent::AgentId;
use symposium_model::edit::EditFormat;

use crate::command::{CommandBuilder, ShellKind};
use crate::dialect::{AgentEvent, Dialect, EventNames};
use crate::permission::PermissionFile;
use crate::registration_input::{AgentPath, RegisteredServer, RegistrationInput, Scope};
use crate::settings_layout::SettingsLayout;

pub use crate::prerequisites::{AgentTrust, FolderRecord, HandlerPlace, HookTrust, PackageWait, StartProbe};
pub use crate::servers::ReferenceSyntax;
pub use crate::settings_layout::TimeUnit;
pub use crate::settings_strictness::{SettingsReaction, SettingsStrictness};

/// Everything known about one agent.
#[derive(Debug)]
pub struct AgentSpec {
    pub id: AgentId,
    pub title: &'static str,
    /// How we know what is written here.
    pub evidence: SpecEvidence,
    /// Programs on PATH that show it is installed.
    pub programs: &'static [&'static str],
    /// Files and directories in the home directory that show it is used.
    pub home_signs: &'static [&'static str],
    /// The traces it leaves in the commands its model runs.
    pub own_shell: ShellTraces,
    /// Variables that make it look for its own files somewhere else than we put ours.
    pub moved_by: &'static [RelocationVariable],
    /// Where it looks for skills.
    pub skills: SkillDirectories,
    /// The files that make it call us.
    pub hooks: &'static [HookFile],
    /// What happens when a project and its user both registered us.
    pub both_scopes: DoubleRegistration,
    /// Where it looks for MCP servers.
    pub mcp: McpFile,
    /// Instruction files it reads; shown to people, never written.
    pub instructions: InstructionFiles,
    /// What of a project it finds only when it is started in the workspace root.
    pub root_only: RootRequirement,
    /// Where it records what the person trusts.
    pub trust: AgentTrust,
    /// What it installs before it loads a plugin.
    pub waits_for: Option<&'static PackageWait>,
    /// What to tell people after registering.
    pub notes: &'static [RegistrationNote],
    /// What people may already have in it.
    pub holdings: &'static SettingsLayout,
    /// Where people say which shell commands it may run. Agents that take no changed input have none.
    pub permissions: &'static [PermissionFile],
    pub dialect: &'static Dialect,
}

/// The traces that an agent leaves in the commands its model runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShellTraces {
    /// Variables it sets there, and that no terminal of a person has.
    pub variables: &'static [&'static str],
    pub programs: &'static [&'static str],
    /// Pieces of the path of its program, or of the script that an interpreter runs.
    pub paths: &'static [&'static str],
}

/// A variable that moves a directory of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RelocationVariable {
    pub variable: &'static str,
    /// What it stands for, from the home directory; empty for the home directory itself.
    pub directory: &'static str,
    /// Files beside that directory which it moves into the new one.
    pub along: &'static [&'static str],
}

/// How we know what we know about an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpecEvidence {
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
    pub project: AgentPath,
    /// Where it is for one person.
    pub global: AgentPath,
    /// Whether it is written at all.
    pub wanted: fn(&RegistrationInput) -> bool,
    /// What it calls the events we translate.
    pub events: &'static EventNames,
    /// The agent's own events that can be registered in it.
    pub native: &'static [&'static str],
    /// The shell its commands run in on Windows; elsewhere it is a POSIX shell. Taken from documents and reports.
    pub windows_shell: ShellKind,
    pub layout: HookLayout,
    /// How strictly the agent reads it.
    pub strictness: SettingsStrictness,
}

impl HookFile {
    pub fn place(&self, scope: Scope) -> AgentPath {
        match scope {
            Scope::Project => self.project,
            Scope::Global => self.global,
        }
    }

    /// Its name for an event; `None` where it cannot hold it.
    pub fn name_of(&self, event: AgentEvent) -> Option<&'static str> {
        match event {
            AgentEvent::Canonical(event) => self.events.native_name(event),
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
        handler: HandlerForm,
        /// What the file holds before our entries when there is none.
        starts_as: &'static str,
    },
    /// A file of ours with entries under `hooks.EVENT`.
    Own {
        handler: HandlerForm,
        /// Puts the value of `hooks` into the rest of the file.
        frame: fn(&Value) -> Value,
    },
    /// A file of ours in a form of its own.
    Written(fn(&RegisteredCalls<'_>) -> String),
}

/// The calls a file must make.
#[derive(Debug)]
pub struct RegisteredCalls<'a> {
    pub caller: CommandBuilder<'a>,
    /// The shell the commands run in.
    pub shell: ShellKind,
    /// The events, each under the name it has in this file.
    pub events: Vec<(&'static str, AgentEvent)>,
}

/// How one handler is written.
#[derive(Debug)]
pub struct HandlerForm {
    /// Whether handlers stand in groups.
    pub grouping: HandlerGrouping,
    /// Keys with a fixed value.
    pub fixed: &'static [(&'static str, &'static str)],
    pub command: CommandKey,
    /// Where the time limit goes.
    pub timeout_key: &'static str,
    /// What it is counted in.
    pub timeout_unit: TimeUnit,
}

/// Whether handlers stand in groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandlerGrouping {
    /// `{"matcher": …, "hooks": [handler]}`. We write no matcher: every agent takes its absence for "all", while `*` or
    /// `.*` switches the entry off on some.
    Groups,
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
pub enum DoubleRegistration {
    /// Both call us, so the call with `--project` must answer neutrally.
    BothCall,
    /// The project's file hides the person's, so the call with `--project` is the only one and must do the work.
    ProjectHidesGlobal,
}

/// Where an agent looks for MCP servers.
#[derive(Debug)]
pub struct McpFile {
    /// Where they go in a project.
    pub project: FileChoice,
    /// Where they go for one person.
    pub global: FileChoice,
    /// Whether others write there too.
    pub ownership: FileSharing,
    /// The key that holds the servers by name.
    pub key: &'static str,
    /// How the file is written.
    pub format: EditFormat,
    /// How a server is written.
    pub server: fn(&RegisteredServer) -> Value,
    /// How a value is taken from the environment.
    pub references: ReferenceSyntax,
    /// Whether it can reach a server that speaks the older streaming protocol.
    pub sse: SseSupport,
    /// Keys of a server that are the person's to set, also on ours: they are kept when an entry is brought up to date.
    pub persons_keys: &'static [&'static str],
    /// How strictly the agent reads the file.
    pub strictness: SettingsStrictness,
}

impl McpFile {
    /// The files that come into question.
    pub fn choice(&self, scope: Scope) -> &FileChoice {
        match scope {
            Scope::Project => &self.project,
            Scope::Global => &self.global,
        }
    }
}

/// Whether an agent speaks the older streaming protocol of MCP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SseSupport {
    Spoken,
    /// It does not, so such a server is left out and named.
    NotSpoken,
}

/// Where something goes when an agent reads several files.
#[derive(Debug)]
pub struct FileChoice {
    /// The first of these that exists is taken.
    pub existing: &'static [AgentPath],
    pub otherwise: AgentPath,
    /// What the agent does with those after the first that exists.
    pub others: OtherFiles,
}

/// What an agent does with further files when it has found one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherFiles {
    Read,
    /// It does not look at them: the first hides them.
    Hidden,
}

impl FileChoice {
    pub const fn only(place: AgentPath) -> Self {
        Self { existing: &[], otherwise: place, others: OtherFiles::Read }
    }

    /// The file that is written whatever exists; `None` when there is a choice.
    pub fn fixed(&self) -> Option<AgentPath> {
        self.existing.is_empty().then_some(self.otherwise)
    }

    /// The file to write, given the files that exist.
    pub fn pick(&self, existing: &[AgentPath]) -> AgentPath {
        self.existing.iter().copied().find(|place| existing.contains(place)).unwrap_or(self.otherwise)
    }
}

/// Whether a file is ours alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileSharing {
    Shared,
    Own,
}

/// Instruction files an agent reads. A `*` stands for any name.
#[derive(Debug)]
pub struct InstructionFiles {
    pub project: &'static [&'static str],
    pub global: &'static [&'static str],
    /// Those of them that others hide.
    pub hidden: &'static [HiddenInstructions],
}

/// An instruction file that an agent reads only where another one is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HiddenInstructions {
    pub file: AgentPath,
    /// The one that hides it.
    pub by: AgentPath,
    /// What in that one brings the other in all the same.
    pub brought_in_by: Option<&'static str>,
}

/// What of a project an agent finds only when it is started in the workspace root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootRequirement {
    /// It finds everything from a subdirectory too.
    Nothing,
    Registration,
    /// The project's registration and skills.
    RegistrationAndSkills,
}

/// What to tell people after registering.
#[derive(Debug)]
pub struct RegistrationNote {
    /// In which scope; `None` for both.
    pub scope: Option<Scope>,
    pub when: fn(&RegistrationInput) -> bool,
    pub text: &'static str,
}

impl RegistrationNote {
    /// A note for one scope, always shown.
    pub const fn for_scope(scope: Scope, text: &'static str) -> Self {
        Self { scope: Some(scope), when: always, text }
    }

    /// A note for both scopes, always shown.
    pub const fn both(text: &'static str) -> Self {
        Self { scope: None, when: always, text }
    }
}

/// A file or note that does not depend on anything.
pub(crate) fn always(_: &RegistrationInput) -> bool {
    true
}
