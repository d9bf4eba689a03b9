//! The facts about an agent that only registration needs: its files and directories, and how strictly it reads them.

use serde_json::Value;
use symposium_model::agent::AgentId;
use symposium_model::edit::EditFormat;

use crate::command::{CommandBuilder, ShellKind};
use crate::dialect::{AgentDialect, AgentEvent, EventNames};
use crate::permission::PermissionFile;
use crate::registration_input::{AgentPath, RegisteredServer, RegistrationInput, Scope};
use crate::settings_layout::SettingsLayout;

pub use crate::context_facts::{ContextFacts, ListingLimit, ToolListing};
pub use crate::prerequisites::{AgentTrust, FolderRecord, HandlerPlace, HookTrust, PackageWait, StartProbe};
pub use crate::servers::ReferenceSyntax;
pub use crate::settings_layout::TimeUnit;
pub use crate::settings_strictness::{SettingsReaction, SettingsStrictness};

#[derive(Debug, Clone, Copy)]
pub struct AgentSpec {
    pub id: AgentId,
    pub title: &'static str,
    pub evidence: SpecEvidence,
    pub programs: &'static [&'static str],
    /// Files and directories in the home directory that show that it is used.
    pub home_signs: &'static [&'static str],
    pub own_shell: ShellTraces,
    pub shell_path: ShellPathChannel,
    /// Variables that move its files away from where Symposium writes.
    pub moved_by: &'static [RelocationVariable],
    pub skills: SkillDirectories,
    pub context: ContextFacts,
    pub hooks: &'static [HookFile],
    /// Files besides those of `mcp` whose existence decides which file is written.
    pub decided_by: &'static [AgentPath],
    pub both_scopes: DoubleRegistration,
    pub mcp: McpFile,
    /// Instruction files it reads; only shown, never written.
    pub instructions: InstructionFiles,
    pub root_only: RootRequirement,
    pub trust: AgentTrust,
    pub waits_for: Option<&'static PackageWait>,
    pub notes: &'static [RegistrationNote],
    pub holdings: &'static SettingsLayout,
    /// Files in which the user says which shell commands it may run. Empty for agents that accept no changed tool
    /// input.
    pub permissions: &'static [PermissionFile],
    /// The rules by which it uses Symposium without asking; `None` where its settings have no such rules.
    pub allow: Option<&'static AllowRules>,
    pub dialect: &'static AgentDialect,
}

/// The rules in an agent's settings that allow Symposium's read-only commands and tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AllowRules {
    pub file: AgentPath,
    /// The keys that lead to the list.
    pub list: &'static [&'static str],
    pub rules: &'static [&'static str],
}

/// The traces that an agent leaves in the commands its model runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShellTraces {
    /// Variables it sets there and that no terminal of the user has.
    pub variables: &'static [&'static str],
    pub programs: &'static [&'static str],
    /// Substrings of the path of its program, or of the script that an interpreter runs.
    pub paths: &'static [&'static str],
}

/// The way to put a directory first on the PATH of an agent's shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShellPathChannel {
    Unknown,
    /// A hook at session start adds shell code to the file that this variable names.
    SessionFile(&'static str),
    /// The module by which it calls Symposium sets the variable.
    Module,
    /// A table of variables in the file with the MCP servers; the value does not refer to the PATH of the moment.
    Settings(&'static [&'static str]),
}

/// An environment variable that moves a directory of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RelocationVariable {
    pub variable: &'static str,
    /// The default directory, relative to the home directory; empty for the home directory itself.
    pub directory: &'static str,
    /// Files beside that directory which move into the new one too.
    pub along: &'static [&'static str],
}

/// The evidence for the facts about an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpecEvidence {
    /// The version of the real program that was run.
    Ran(&'static str),
    Documents,
}

#[derive(Debug, Clone, Copy)]
pub struct SkillDirectories {
    /// The directory Symposium installs into, relative to the workspace root.
    pub project: &'static str,
    pub also_in_project: &'static [&'static str],
    /// Directories in the home directory it reads; an installed skill must not collide with one there.
    pub global: &'static [&'static str],
    pub ignored: IgnoredFiles,
}

/// The behaviour of an agent's tools towards files that git ignores, as installed skills are by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IgnoredFiles {
    /// As far as is known.
    Opened,
    /// The tools take a line of `.gitignore` that begins with a blank for the one without it.
    Refused,
}

#[derive(Debug, Clone, Copy)]
pub struct HookFile {
    pub project: AgentPath,
    pub global: AgentPath,
    /// Returns whether the file is written at all.
    pub wanted: fn(&RegistrationInput) -> bool,
    pub events: &'static EventNames,
    pub native: &'static [&'static str],
    /// The keys that lead to the events.
    pub under: &'static [&'static str],
    /// The shell its commands run in on Windows; elsewhere it is a POSIX shell. Taken from documentation and reports.
    pub windows_shell: ShellKind,
    pub layout: HookLayout,
    pub strictness: SettingsStrictness,
}

impl HookFile {
    pub fn place(&self, scope: Scope) -> AgentPath {
        match scope {
            Scope::Project => self.project,
            Scope::User => self.global,
        }
    }

    /// Returns the name of an event in this file; `None` where the file cannot hold it.
    pub fn name_of(&self, event: AgentEvent) -> Option<&'static str> {
        match event {
            AgentEvent::Canonical(event) => self.events.native_name(event),
            AgentEvent::ToolFailed => self.events.tool_failed,
            AgentEvent::Native(name) => self.native.iter().copied().find(|known| *known == name),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub enum HookLayout {
    /// Symposium's entries at their events, after all foreign ones.
    Shared { handler: HandlerForm, starts_as: &'static str },
    /// A file that belongs to Symposium, with entries under `hooks.EVENT`.
    Own {
        handler: HandlerForm,
        /// Wraps the value of `hooks` into the rest of the file.
        frame: fn(&Value) -> Value,
    },
    /// A file that belongs to Symposium, in a format of its own.
    Written(fn(&RegisteredCalls<'_>) -> String),
}

#[derive(Debug)]
pub struct RegisteredCalls<'a> {
    pub caller: CommandBuilder<'a>,
    pub shell: ShellKind,
    pub events: Vec<(&'static str, AgentEvent)>,
    /// The directory to put first on the PATH of the agent's shell.
    pub shim: Option<&'a str>,
}

#[derive(Debug, Clone, Copy)]
pub struct HandlerForm {
    pub grouping: HandlerGrouping,
    /// Keys with a constant value.
    pub fixed: &'static [(&'static str, &'static str)],
    pub command: CommandKey,
    pub timeout_key: &'static str,
    pub timeout_unit: TimeUnit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandlerGrouping {
    /// `{"matcher": …, "hooks": [handler]}`. No matcher is written: every agent takes its absence for "all", while `*`
    /// or `.*` disables the entry on some.
    Groups,
    Flat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandKey {
    Command,
    /// `bash` and `powershell`, always both.
    ByShell,
}

/// The behaviour when both the project and the user registered Symposium.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DoubleRegistration {
    /// Both entries call Symposium, so the call with `--project` must answer neutrally.
    BothCall,
    /// The project's file hides the user's, so the call with `--project` is the only one and must do the work.
    ProjectHidesGlobal,
}

#[derive(Debug, Clone, Copy)]
pub struct McpFile {
    /// `None` where the agent reads no such file of a project.
    pub project: Option<FileChoice>,
    /// `None` where the agent reads no such file of a user.
    pub global: Option<FileChoice>,
    pub ownership: FileSharing,
    pub key: &'static str,
    pub format: EditFormat,
    /// The text of a new file.
    pub starts_as: &'static str,
    pub server: fn(&RegisteredServer) -> Value,
    pub references: ReferenceSyntax,
    pub sse: SseSupport,
    /// Keys of a server that belong to the user, also in entries of Symposium: an update keeps them.
    pub persons_keys: &'static [&'static str],
    pub strictness: SettingsStrictness,
}

impl McpFile {
    pub fn choice(&self, scope: Scope) -> Option<&FileChoice> {
        match scope {
            Scope::Project => self.project.as_ref(),
            Scope::User => self.global.as_ref(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SseSupport {
    Spoken,
    /// A server of that kind is skipped and reported.
    NotSpoken,
}

/// The file to write when an agent reads several.
#[derive(Debug, Clone, Copy)]
pub struct FileChoice {
    /// The first of these that exists is taken.
    pub existing: &'static [AgentPath],
    pub otherwise: AgentPath,
    pub others: OtherFiles,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherFiles {
    Read,
    /// The first file hides them.
    Hidden,
}

impl FileChoice {
    /// Returns a choice of two files of which the agent reads both: the first if it exists, else the second.
    pub const fn either(existing: &'static [AgentPath; 2]) -> Self {
        let [_, otherwise] = *existing;
        Self { existing, otherwise, others: OtherFiles::Read }
    }

    pub const fn only(place: AgentPath) -> Self {
        Self { existing: &[], otherwise: place, others: OtherFiles::Read }
    }

    /// Returns the file that is written whatever exists; `None` when there is a choice.
    pub fn fixed(&self) -> Option<AgentPath> {
        self.existing.is_empty().then_some(self.otherwise)
    }

    pub fn pick(&self, existing: &[AgentPath]) -> AgentPath {
        self.existing.iter().copied().find(|place| existing.contains(place)).unwrap_or(self.otherwise)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileSharing {
    Shared,
    Own,
}

/// Instruction files an agent reads. A `*` stands for any name.
#[derive(Debug, Clone, Copy)]
pub struct InstructionFiles {
    pub project: &'static [&'static str],
    pub global: &'static [&'static str],
    pub hidden: &'static [HiddenInstructions],
}

/// An instruction file that an agent reads only where another one is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HiddenInstructions {
    pub file: AgentPath,
    pub by: AgentPath,
    /// A text in that file which includes the hidden one all the same.
    pub brought_in_by: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootRequirement {
    Nothing,
    Registration,
    RegistrationAndSkills,
}

#[derive(Debug)]
pub struct RegistrationNote {
    /// `None` for both scopes.
    pub scope: Option<Scope>,
    pub when: fn(&RegistrationInput) -> bool,
    pub text: &'static str,
}

impl RegistrationNote {
    pub const fn for_scope(scope: Scope, text: &'static str) -> Self {
        Self { scope: Some(scope), when: always, text }
    }

    pub const fn both(text: &'static str) -> Self {
        Self { scope: None, when: always, text }
    }
}

pub(crate) fn always(_: &RegistrationInput) -> bool {
    true
}
