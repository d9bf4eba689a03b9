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
        let program = words.next()?.text;
        let name = program.rsplit(['/', '\\']).next().unwrap_or(&program);
        let name = name.strip_suffix(".exe").unwrap_or(name);
        // A path may hold a variable; a variable in what follows is the user's own.
        let mut words = words.map(|word| (word.expands == Expands::No).then_some(word.text));
        let mut next = words.next()??;
        if name == "cargo" && next == "agents" {
            next = words.next()??;
        } else if !PROGRAMS.contains(&name) {
            return None;
        }
        if next != "hook" {
            return None;
        }
        let (agent, event) = (words.next()??, words.next()??);
        words.all(|word| word.is_some()).then_some(Self { agent, event, program })
    }
}

/// The command without the guard that lets a missing program pass: `… || exit 0; exec …`, in PowerShell
/// `if (-not (…)) { exit 0 }; & …`.
fn without_guard(command: &str) -> &str {
    if let Some((guard, call)) = command.split_once("|| exit 0; exec ") {
        let guard = guard.trim();
        let is_ours = (guard.starts_with("[ -x ") && guard.ends_with(']'))
            || (guard.starts_with("command -v ") && guard.ends_with(">/dev/null 2>&1"));
        return if is_ours { call } else { command };
    }
    if let Some((guard, call)) = command.split_once(")) { exit 0 }; & ") {
        let is_ours = guard.starts_with("if (-not (Test-Path ") || guard.starts_with("if (-not (Get-Command ");
        return if is_ours { call } else { command };
    }
    command
}

/// One word of a command line, quotes removed.
#[derive(Default)]
struct Word {
    text: String,
    expands: Expands,
}

/// Whether an unquoted `$` has a shell put something else in the place of a word.
#[derive(Default, PartialEq, Eq)]
enum Expands {
    #[default]
    No,
    Yes,
}

/// Splits a simple command line into words; `None` when quotes do not match or a shell operator is in it.
fn words(command: &str) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut chars = command.chars().peekable();
    while let Some(character) = chars.next() {
        match character {
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        inner => word.text.push(inner),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '"' => break,
                        '\\' => word.text.push(chars.next_if(|c| "\"\\$`".contains(*c)).unwrap_or('\\')),
                        // Quoted by us for `cmd`, to which it means nothing; so not looked into.
                        inner => word.text.push(inner),
                    }
                }
            }
            // Before a letter it is the separator of a Windows path; no shell needs a letter escaped.
            '\\' => {
                let special = |c: &char| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '-'));
                let escaped = chars.next_if(special).unwrap_or('\\');
                word.get_or_insert_default().text.push(escaped);
            }
            '\n' | '|' | '&' | ';' | '<' | '>' | '(' | ')' | '`' => return None,
            blank if blank.is_whitespace() => words.extend(word.take()),
            other => {
                let word = word.get_or_insert_default();
                if other == '$' {
                    word.expands = Expands::Yes;
                }
                word.text.push(other);
            }
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
