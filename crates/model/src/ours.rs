//! How an entry in somebody else's settings is recognised as ours, across versions and install paths.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::AgentId;

/// The names our program goes by.
const PROGRAMS: [&str; 2] = ["symposium", "cargo-agents"];

/// A call of our hook, taken from a command line in some settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookCall {
    /// The agent, as written.
    pub agent: String,
    /// The event, as written.
    pub event: String,
    /// The program, as written, without quotes.
    pub program: String,
}

impl HookCall {
    /// Understands a command line of ours, with or without one of our guards. Anything else wrapped around the call
    /// makes it the user's.
    pub fn parse(command: &str) -> Option<Self> {
        let mut words = words(without_guard(command.trim()))?.into_iter();
        let program = words.next()?;
        let name = program.rsplit(['/', '\\']).next().unwrap_or(&program);
        let name = name.strip_suffix(".exe").unwrap_or(name);
        let mut next = words.next()?;
        if name == "cargo" && next == "agents" {
            next = words.next()?;
        } else if !PROGRAMS.contains(&name) {
            return None;
        }
        if next != "hook" {
            return None;
        }
        let (agent, event) = (words.next()?, words.next()?);
        // What follows are options of the call; a shell operator would be the user's.
        let rest_is_plain = words.all(|word| !word.contains(['|', '&', ';', '<', '>', '$', '`', '(']));
        rest_is_plain.then_some(Self { agent, event, program })
    }
}

/// The command without the guard that lets a missing program pass: `… || exit 0; exec …`.
fn without_guard(command: &str) -> &str {
    let Some((guard, call)) = command.split_once("|| exit 0; exec ") else { return command };
    let guard = guard.trim();
    let is_ours = (guard.starts_with("[ -x ") && guard.ends_with(']'))
        || (guard.starts_with("command -v ") && guard.ends_with(">/dev/null 2>&1"));
    if is_ours { call } else { command }
}

/// Splits a simple command line into words, quotes removed; `None` when quotes do not match.
fn words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = command.chars();
    while let Some(character) = chars.next() {
        match character {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        end if end == character => break,
                        '\\' if character == '"' => word.push(chars.next()?),
                        inner => word.push(inner),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(chars.next()?),
            blank if blank.is_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

/// How much of an entry is ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    /// Nothing.
    Nothing,
    /// Some handlers of a group that also holds the user's.
    Part,
    /// All of it.
    All,
}

/// How to recognise an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// A handler that calls our hook for this agent, or a group of handlers that do.
    HookOf(AgentId),
    /// The MCP server that is our own program.
    OwnServer,
    /// An entry that is still exactly as we wrote it.
    Exactly(Value),
}

impl Mark {
    /// How much of `entry` is ours.
    pub fn share(&self, entry: &Value) -> Share {
        match self {
            Self::HookOf(agent) => share_of_hooks(entry, *agent),
            Self::OwnServer => whole(is_own_server(entry)),
            Self::Exactly(written) => whole(entry == written),
        }
    }

    /// Whether a single handler inside a group is ours.
    pub fn is_own_handler(&self, handler: &Value) -> bool {
        match self {
            Self::HookOf(agent) => calls_hook_of(handler, *agent),
            Self::OwnServer | Self::Exactly(_) => false,
        }
    }
}

fn whole(ours: bool) -> Share {
    if ours { Share::All } else { Share::Nothing }
}

/// A flat handler, or a group with a `hooks` array of handlers.
fn share_of_hooks(entry: &Value, agent: AgentId) -> Share {
    let Some(handlers) = entry.get("hooks").and_then(Value::as_array) else {
        return whole(calls_hook_of(entry, agent));
    };
    let ours = handlers.iter().filter(|handler| calls_hook_of(handler, agent)).count();
    match ours {
        0 => Share::Nothing,
        all if all == handlers.len() => Share::All,
        _ => Share::Part,
    }
}

fn calls_hook_of(handler: &Value, agent: AgentId) -> bool {
    // Copilot spells the command by shell.
    ["command", "bash", "powershell"]
        .iter()
        .filter_map(|key| handler.get(key)?.as_str())
        .filter_map(HookCall::parse)
        .any(|call| AgentId::parse(&call.agent) == Some(agent))
}

/// A command that ends in one of our names and has the argument `mcp`; as a string with `args`, or as one array.
fn is_own_server(entry: &Value) -> bool {
    let command = entry.get("command");
    let args = entry.get("args").and_then(Value::as_array).into_iter().flatten();
    let mut words: Vec<&str> = match command {
        Some(Value::String(program)) => vec![program],
        Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect(),
        _ => return false,
    };
    words.extend(args.filter_map(Value::as_str));
    let Some((program, args)) = words.split_first() else { return false };
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    match args {
        ["agents", "mcp", ..] => name == "cargo",
        ["mcp", ..] => PROGRAMS.contains(&name),
        _ => false,
    }
}

#[cfg(test)]
#[path = "ours_tests.rs"]
mod tests;
