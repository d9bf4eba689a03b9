//! The conversion of a user's settings in one agent into a plugin: hooks, matchers, commands and MCP servers in
//! canonical form, with a reason for everything that is skipped.
//!
//! This module performs no input or output: its callers read the settings and write the plugin.

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
use symposium_model::transport::ServerTransport;

use crate::registration_input::Scope;
use crate::settings_layout::LoadedLayer;

pub use command::{CommandWord, is_interpreter, line_words, program_words, quoted};
pub use entries::{HookEntry, entries};
pub use manifest::{ManifestPart, SkillPresence, header, parts, server_id};
pub use merge::{MergeAction, MergedManifest, merge};
pub use native_hooks::{ImportedHook, OwnHook, cover, own_hooks, switched_off};

#[derive(Clone, Copy)]
pub struct ImportInput<'e> {
    pub agent: AgentId,
    /// Its settings, in the order in which it merges them.
    pub settings: &'e [LoadedLayer<'e>],
    pub scope: Scope,
    pub workspace: Option<&'e str>,
    pub is_our_handler: &'e dyn Fn(&str, &Value) -> bool,
    pub is_our_server: &'e dyn Fn(&str, &str, &Value) -> bool,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct ImportResult {
    pub hooks: Vec<ConvertedHook>,
    pub servers: Vec<ConvertedServer>,
    pub left_out: Vec<SkippedEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConvertedHook {
    pub name: String,
    pub description: Option<String>,
    /// The event, in the notation of a manifest.
    pub event: String,
    /// The other agent it is for, where the event has to be named for each.
    pub twin_on: Option<AgentId>,
    /// The matcher, in the notation of a manifest; `None` for every tool.
    pub matcher: Option<String>,
    pub command: String,
    pub args: Vec<String>,
    /// The agent whose JSON it reads and writes, unless the event implies it.
    pub format: Option<AgentId>,
    pub timeout: u64,
    pub on_failure: OnFailure,
    pub was: ImportOrigin,
    pub changes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportOrigin {
    pub file: String,
    pub event: String,
    pub matcher: Option<String>,
    pub command: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConvertedServer {
    pub name: String,
    /// Secrets are references to variables.
    pub transport: ServerTransport,
    pub file: String,
    pub changes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedEntry {
    pub what: String,
    pub why: String,
    pub file: String,
}

pub fn carry(estate: &ImportInput<'_>) -> ImportResult {
    let mut carried = ImportResult::default();
    let server_names: BTreeSet<String> = servers::names(estate).into_iter().collect();
    hooks::carry(estate, &server_names, &mut carried);
    servers::carry(estate, &mut carried);
    carried
}

/// Returns the names of the user's servers in an agent, in either scope, without Symposium's.
pub fn server_names(estate: &ImportInput<'_>) -> Vec<String> {
    servers::names(estate)
}
