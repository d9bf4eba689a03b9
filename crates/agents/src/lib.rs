//! The facts about each agent, as data, and the file contents that register Symposium with it.
//!
//! A fact about an agent (a path, an event's name, a unit of time) is written down once, in that agent's file. No other
//! code tells agents apart: it asks [`spec()`] or [`dialect()`]. A new agent is a file here, a variant of [`AgentId`],
//! its two lines below and a folder of goldens.
//!
//! This crate performs no input or output: [`registration`] returns the content of each file, and its callers write it.

mod agent_shell;
mod agents;
mod antigravity;
mod bridge;
mod caller;
mod claude;
mod cline;
mod codex;
mod command;
mod context_facts;
mod copilot;
mod crush;
mod cursor;
mod dialect;
mod droid;
mod gemini;
mod goose;
pub mod import;
mod kilo;
mod kiro;
pub mod native;
mod opencode;
pub mod permission;
mod pi;
mod portability;
mod prerequisites;
mod qwen;
mod register;
mod registration_check;
mod registration_input;
mod servers;
pub mod settings_layout;
mod settings_strictness;
mod shell_output;
pub mod spec;
mod usual;
mod vscode;
pub mod wire;
mod wire_format;

use std::path::Path;

use symposium_model::agent::AgentId;

use crate::spec::{HookFile, HookLayout, IgnoredFiles};

pub use agent_shell::{AncestorProcess, OutputStreams, is_plain_call, shell_owner};
pub use command::{CommandBuilder, ShellKind};
pub use dialect::{
    AgentDialect, AgentEvent, AskEffect, ContextEffect, DenyEffect, DialectOwner, EventAbilities, EventNames,
    HookAbilities, MessageChannel, NeutralAnswer, OutputEffect, RewriteEffect,
};
pub use portability::{PortabilityLimit, limits};
pub use register::{Registration, RegistrationFile};
pub use registration_check::is_called;
pub use registration_input::{
    AgentPath, AgentSettings, OsFamily, RegisteredServer, RegistrationInput, Scope, ShimDirectory, SymposiumProgram,
};
pub use shell_output::{OutputExtent, ShellOutput};
pub use spec::AgentSpec;
pub use symposium_model::ownership::GENERATED_MARK;
pub use wire_format::HookAnswer;

/// Returns all facts about an agent. The hot path asks [`dialect()`] instead.
pub fn spec(agent: AgentId) -> &'static AgentSpec {
    match agent {
        AgentId::Claude => &claude::SPEC,
        AgentId::Copilot => &copilot::SPEC,
        AgentId::Gemini => &gemini::SPEC,
        AgentId::Codex => &codex::SPEC,
        AgentId::Kiro => &kiro::SPEC,
        AgentId::OpenCode => &opencode::SPEC,
        AgentId::Goose => &goose::SPEC,
        AgentId::Cursor => &cursor::SPEC,
        AgentId::Qwen => &qwen::SPEC,
        AgentId::Kilo => &kilo::SPEC,
        AgentId::Cline => &cline::SPEC,
        AgentId::Pi => &pi::SPEC,
        AgentId::Droid => &droid::SPEC,
        AgentId::Crush => &crush::SPEC,
        AgentId::Antigravity => &antigravity::SPEC,
        AgentId::Agents => &agents::SPEC,
    }
}

pub fn dialect(agent: AgentId) -> &'static AgentDialect {
    match agent {
        AgentId::Claude => &claude::DIALECT,
        AgentId::Copilot => &copilot::DIALECT,
        AgentId::Gemini => &gemini::DIALECT,
        AgentId::Codex => &codex::DIALECT,
        AgentId::Kiro => &kiro::DIALECT,
        AgentId::OpenCode => &opencode::DIALECT,
        AgentId::Goose => &goose::DIALECT,
        AgentId::Cursor => &cursor::DIALECT,
        AgentId::Qwen => &qwen::DIALECT,
        AgentId::Kilo => &kilo::DIALECT,
        AgentId::Cline => &cline::DIALECT,
        AgentId::Pi => &pi::DIALECT,
        AgentId::Droid => &droid::DIALECT,
        AgentId::Crush => &crush::DIALECT,
        AgentId::Antigravity => &antigravity::DIALECT,
        AgentId::Agents => &agents::DIALECT,
    }
}

/// Returns whether a settings file holds nothing but the text of a new one, for any of the agents.
pub fn is_as_new(text: &str) -> bool {
    let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace() && *c != '\u{feff}').collect::<String>();
    let found = bare(text);
    let of_hooks = |file: &HookFile| match file.layout {
        HookLayout::Shared { starts_as, .. } => Some(starts_as),
        HookLayout::Own { .. } | HookLayout::Written(_) => None,
    };
    let starts = AgentId::ALL
        .into_iter()
        .map(spec)
        .flat_map(|agent| agent.hooks.iter().filter_map(of_hooks).chain(std::iter::once(agent.mcp.starts_as)));
    found.is_empty() || starts.into_iter().any(|start| bare(start) == found)
}

/// Returns whether an agent that looks for skills in this directory of a project refuses to open files that git
/// ignores.
pub fn refuses_ignored_skills(directory: &Path) -> bool {
    AgentId::ALL.into_iter().map(|agent| &spec(agent).skills).any(|skills| match skills.ignored {
        IgnoredFiles::Refused => Path::new(skills.project) == directory,
        IgnoredFiles::Opened => false,
    })
}

pub fn registration(agent: AgentId, scope: Scope, situation: &RegistrationInput) -> Registration {
    register::registration(spec(agent), scope, situation)
}

/// Returns the servers of plugins for the project's file of an agent that is registered for the user alone: the user's
/// own file is shared by all projects.
pub fn project_servers(agent: AgentId, situation: &RegistrationInput) -> Registration {
    register::project_servers(spec(agent), situation)
}

/// Returns the files whose existence decides which file is written. A caller looks for them once, for all agents, and
/// puts those that exist into [`RegistrationInput::existing`].
pub fn alternatives(scope: Scope) -> impl Iterator<Item = AgentPath> {
    let is_in_scope = move |place: &AgentPath| matches!(place, AgentPath::Home(_)) == (scope == Scope::User);
    AgentId::ALL.into_iter().map(spec).flat_map(move |agent| {
        let choice = agent.mcp.choice(scope).into_iter().flat_map(|choice| choice.existing);
        choice.chain(agent.decided_by.iter().filter(move |place| is_in_scope(place))).copied()
    })
}

pub fn event_from(agent: AgentId, text: &str) -> Option<AgentEvent> {
    dialect(agent).event_from(text)
}

/// Returns the answer of a hook that changes nothing. `None` is an event this version does not know.
pub fn neutral(agent: AgentId, event: Option<AgentEvent>) -> HookAnswer {
    dialect(agent).neutral(event)
}
