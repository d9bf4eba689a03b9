//! From what people have in one agent to a plugin of theirs: hooks, matchers, commands and MCP servers in our words,
//! with a reason for everything that cannot be carried over.
//!
//! Values in, values out: others read the settings, and write the plugin.

mod cause;
mod command;
mod entries;
mod hooks;
mod manifest;
mod matcher;
mod merge;
mod name;
mod native_hooks;
mod secret;
mod servers;

use std::collections::BTreeSet;

use serde_json::Value;
use symposium_model::agent::AgentId;
use symposium_model::hook::OnFailure;
use symposium_model::transport::Transport;

use crate::registration_input::Scope;
use crate::settings_layout::LoadedLayer;

pub use command::{CommandWord, is_interpreter, line_words, program_words, quoted};
pub use entries::{HookEntry, entries};
pub use manifest::{ManifestPart, SkillPresence, header, parts, server_id};
pub use merge::{MergeAction, MergedManifest, merge};
pub use native_hooks::{ImportedHook, OwnHook, cover, own_hooks, switched_off};

/// What was found for one agent.
#[derive(Clone, Copy)]
pub struct ImportInput<'e> {
    pub agent: AgentId,
    /// Its settings, in the order in which it merges them.
    pub settings: &'e [LoadedLayer<'e>],
    /// Which of them are wanted.
    pub scope: Scope,
    pub workspace: Option<&'e str>,
    /// Whether a handler in a file, by its path, is one of ours.
    pub is_our_handler: &'e dyn Fn(&str, &Value) -> bool,
    /// Whether a server in a file, by its path and name, is one of ours.
    pub is_our_server: &'e dyn Fn(&str, &str, &Value) -> bool,
}

/// What can be carried over, and what cannot.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ImportResult {
    pub hooks: Vec<ConvertedHook>,
    pub servers: Vec<ConvertedServer>,
    pub left_out: Vec<SkippedEntry>,
}

/// A hook in our words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConvertedHook {
    /// Its name in the plugin.
    pub name: String,
    /// What the agent's settings say about it.
    pub description: Option<String>,
    /// The event, as a manifest writes it.
    pub event: String,
    /// The other agent it is for, where the event has to be named for each.
    pub twin_on: Option<AgentId>,
    /// The matcher, as a manifest writes it; `None` for every tool.
    pub matcher: Option<String>,
    pub command: String,
    pub args: Vec<String>,
    /// The agent whose JSON it speaks, unless the event says so already.
    pub format: Option<AgentId>,
    pub timeout: u64,
    pub on_failure: OnFailure,
    pub was: ImportOrigin,
    /// What was changed about it, in words.
    pub changes: Vec<String>,
}

/// What something was in the agent's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportOrigin {
    pub file: String,
    pub event: String,
    pub matcher: Option<String>,
    pub command: String,
}

/// An MCP server in our words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConvertedServer {
    pub name: String,
    /// How it is reached; secrets are references to variables.
    pub transport: Transport,
    /// The file it comes from, for people.
    pub file: String,
    /// What was changed about it, in words.
    pub changes: Vec<String>,
}

/// Something that is not carried over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedEntry {
    pub what: String,
    pub why: String,
    /// The file it is in, for people.
    pub file: String,
}

/// Carries over what can be.
pub fn carry(estate: &ImportInput<'_>) -> ImportResult {
    let mut carried = ImportResult::default();
    let server_names: BTreeSet<String> = servers::names(estate).into_iter().collect();
    hooks::carry(estate, &server_names, &mut carried);
    servers::carry(estate, &mut carried);
    carried
}

/// The names of the servers people have in an agent, in either scope; ours are not theirs.
pub fn server_names(estate: &ImportInput<'_>) -> Vec<String> {
    servers::names(estate)
}
