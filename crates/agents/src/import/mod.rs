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
mod own;
mod secret;
mod servers;

use std::collections::BTreeSet;

use serde_json::Value;
use symposium_model::agent::AgentId;
use symposium_model::hook::OnFailure;
use symposium_model::transport::Transport;

use crate::holdings::Settings;
use crate::situation::Scope;

pub use command::{Word, is_interpreter, line_words, program_words, quoted};
pub use entries::{HookEntry, entries};
pub use manifest::{Part, Skills, header, parts, server_id};
pub use merge::{Fate, Merged, merge};
pub use own::{ImportedHook, OwnHook, cover, own_hooks, switched_off};

/// What was found for one agent.
#[derive(Clone, Copy)]
pub struct Estate<'e> {
    /// The agent.
    pub agent: AgentId,
    /// Its settings, in the order in which it merges them.
    pub settings: &'e [Settings<'e>],
    /// Which of them are wanted.
    pub scope: Scope,
    /// The workspace's path.
    pub workspace: Option<&'e str>,
    /// Whether a handler in a file, by its path, is one of ours.
    pub is_our_handler: &'e dyn Fn(&str, &Value) -> bool,
    /// Whether a server in a file, by its path and name, is one of ours.
    pub is_our_server: &'e dyn Fn(&str, &str, &Value) -> bool,
}

/// What can be carried over, and what cannot.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// Hooks.
    pub hooks: Vec<CarriedHook>,
    /// MCP servers.
    pub servers: Vec<CarriedServer>,
    /// What is left out.
    pub left_out: Vec<LeftOut>,
}

/// A hook in our words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarriedHook {
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
    /// The command line.
    pub command: String,
    /// Words appended to it.
    pub args: Vec<String>,
    /// The agent whose JSON it speaks, unless the event says so already.
    pub format: Option<AgentId>,
    /// Seconds it may take.
    pub timeout: u64,
    /// What its failure means.
    pub on_failure: OnFailure,
    /// What it was.
    pub was: Was,
    /// What was changed about it, in words.
    pub changes: Vec<String>,
}

/// What something was in the agent's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Was {
    /// The file, for people.
    pub file: String,
    /// The event.
    pub event: String,
    /// The matcher.
    pub matcher: Option<String>,
    /// The command.
    pub command: String,
}

/// An MCP server in our words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarriedServer {
    /// Its name.
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
pub struct LeftOut {
    /// What.
    pub what: String,
    /// Why.
    pub why: String,
    /// The file it is in, for people.
    pub file: String,
}

/// Carries over what can be.
pub fn carry(estate: &Estate<'_>) -> Carried {
    let mut carried = Carried::default();
    let server_names: BTreeSet<String> = servers::names(estate).into_iter().collect();
    hooks::carry(estate, &server_names, &mut carried);
    servers::carry(estate, &mut carried);
    carried
}

/// The names of the servers people have in an agent, in either scope; ours are not theirs.
pub fn server_names(estate: &Estate<'_>) -> Vec<String> {
    servers::names(estate)
}
