//! Recognises entries that Symposium wrote into settings files, across versions and install paths.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::AgentId;
#[cfg(feature = "manifests")]
use crate::fingerprint::{ContentFingerprint, value_fingerprint};

const PROGRAMS: [&str; 2] = ["symposium", "cargo-agents"];

/// The option of a call that only tests the installation: it loads the plan and runs no handler.
pub const PROBE_OPTION: &str = "--probe";

/// The variable that tells a process started by a hook the directories of the project it was started for.
pub const UNATTENDED: &str = "SYMPOSIUM_UNATTENDED";

/// A call of Symposium's hook in a command line of some settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookCall {
    pub agent: String,
    pub event: String,
    /// The program as written, without quotes.
    pub program: String,
}

impl HookCall {
    /// Parses a command line that Symposium wrote, with or without one of its guards. Anything else around the call
    /// makes it the user's.
    pub fn parse(command: &str) -> Option<Self> {
        Self::parse_by(command, &[])
    }

    /// Parses like [`parse`](Self::parse); the program may also be one of these, exactly as written.
    fn parse_by(command: &str, programs: &[String]) -> Option<Self> {
        let mut words = words(without_guard(command.trim()))?.into_iter();
        let program = words.next()?.text;
        let name = name_of(&program);
        // A path may contain a variable; in the arguments only the user writes one.
        let mut words = words.map(|word| (word.expands == ShellExpansion::No).then_some(word.text));
        let mut next = words.next()??;
        if name == "cargo" && next == "agents" {
            next = words.next()??;
        } else if !has_our_name(&program) && !programs.contains(&program) {
            return None;
        }
        if next != "hook" {
            return None;
        }
        let (agent, event) = (words.next()??, words.next()??);
        // A call that only tests the installation answers nothing.
        words.all(|word| word.is_some_and(|word| word != PROBE_OPTION)).then_some(Self { agent, event, program })
    }
}

/// Occurs in every generated program, so that it is recognised when its record is lost.
pub const GENERATED_MARK: &str = "Written by `symposium sync`";

/// Returns true if a program has one of Symposium's names, in any directory. Under another name it is recognised only
/// by a record.
pub fn has_our_name(program: &str) -> bool {
    PROGRAMS.contains(&name_of(program))
}

fn name_of(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// Removes the guard that ignores a missing program: `… || exit 0; exec …`, in PowerShell `if (-not (…)) { exit 0 }; &
/// …`.
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

#[derive(Default)]
struct UnquotedWord {
    text: String,
    expands: ShellExpansion,
}

/// Tells if an unquoted `$` makes a shell replace a part of the word.
#[derive(Default, PartialEq, Eq)]
enum ShellExpansion {
    #[default]
    No,
    Yes,
}

/// Splits a simple command line into words; returns `None` for unbalanced quotes or a shell operator.
fn words(command: &str) -> Option<Vec<UnquotedWord>> {
    let mut words = Vec::new();
    let mut word: Option<UnquotedWord> = None;
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
                        // Symposium quotes for `cmd`, to which `$` means nothing, so it is not treated as an expansion.
                        inner => word.text.push(inner),
                    }
                }
            }
            // Before a letter it separates the parts of a Windows path; no shell needs an escaped letter.
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
                    word.expands = ShellExpansion::Yes;
                }
                word.text.push(other);
            }
        }
    }
    words.extend(word);
    Some(words)
}

/// The part of an entry that Symposium owns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnedPart {
    Nothing,
    /// Some handlers of a group that also has handlers of the user.
    Part,
    All,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Marker {
    /// A handler that calls Symposium's hook for this agent, or a group of such handlers.
    HookOf(AgentId),
    /// The same, also with programs under other names.
    HookBy { agent: AgentId, programs: Vec<String> },
    /// The MCP server of Symposium itself.
    OwnServer,
    /// The same, also with programs under other names, as written in the entry.
    ServerBy(Vec<String>),
    /// A block between marks, whatever is in it.
    Marked,
    /// An entry that is still exactly as Symposium wrote it.
    Exactly(Value),
    /// The same by the fingerprint of the value. The value may be secret, but its fingerprint can be recorded.
    #[cfg(feature = "manifests")]
    Untouched(ContentFingerprint),
}

impl Marker {
    /// Returns the marker of a handler in which `program` calls Symposium's hook for an agent.
    pub fn hook(agent: AgentId, program: &str) -> Self {
        if has_our_name(program) {
            Self::HookOf(agent)
        } else {
            Self::HookBy { agent, programs: vec![program.to_owned()] }
        }
    }

    /// Returns the marker of Symposium's MCP server, run by `program`.
    pub fn server(program: &str) -> Self {
        if has_our_name(program) { Self::OwnServer } else { Self::ServerBy(vec![program.to_owned()]) }
    }

    pub fn is_hook_of(&self, wanted: AgentId) -> bool {
        match self {
            Self::HookOf(agent) | Self::HookBy { agent, .. } => *agent == wanted,
            _ => false,
        }
    }

    /// Returns true if the marker recognises an entry only while it is unchanged.
    pub fn is_exact(&self) -> bool {
        match self {
            Self::Exactly(_) => true,
            #[cfg(feature = "manifests")]
            Self::Untouched(_) => true,
            Self::HookOf(_) | Self::HookBy { .. } | Self::OwnServer | Self::ServerBy(_) | Self::Marked => false,
        }
    }

    /// Replaces the value by its fingerprint.
    #[cfg(feature = "manifests")]
    #[must_use]
    pub fn without_value(self) -> Self {
        match self {
            Self::Exactly(value) => Self::Untouched(value_fingerprint(&value)),
            mark => mark,
        }
    }

    /// Adds the programs by which `last` recognised its entry.
    #[must_use]
    pub fn or_by_programs_of(&self, last: &Self) -> Self {
        let also = match last {
            Self::HookBy { programs, .. } | Self::ServerBy(programs) => programs.as_slice(),
            _ => &[],
        };
        let with = |own: &[String]| -> Vec<String> {
            own.iter().chain(also.iter().filter(|program| !own.contains(program))).cloned().collect()
        };
        match self {
            Self::HookOf(agent) if !also.is_empty() => Self::HookBy { agent: *agent, programs: with(&[]) },
            Self::HookBy { agent, programs } => Self::HookBy { agent: *agent, programs: with(programs) },
            Self::OwnServer if !also.is_empty() => Self::ServerBy(with(&[])),
            Self::ServerBy(programs) => Self::ServerBy(with(programs)),
            _ => self.clone(),
        }
    }

    pub fn share(&self, entry: &Value) -> OwnedPart {
        match self {
            Self::HookOf(agent) => share_of_hooks(entry, *agent, &[]),
            Self::HookBy { agent, programs } => share_of_hooks(entry, *agent, programs),
            Self::OwnServer => whole(is_own_server(entry, &[])),
            Self::ServerBy(programs) => whole(is_own_server(entry, programs)),
            Self::Marked => OwnedPart::All,
            Self::Exactly(written) => whole(entry == written),
            #[cfg(feature = "manifests")]
            Self::Untouched(written) => whole(value_fingerprint(entry) == *written),
        }
    }

    /// Returns true if Symposium wrote a single handler inside a group.
    pub fn is_own_handler(&self, handler: &Value) -> bool {
        match self {
            Self::HookOf(agent) => calls_hook_of(handler, *agent, &[]),
            Self::HookBy { agent, programs } => calls_hook_of(handler, *agent, programs),
            _ => false,
        }
    }
}

fn whole(ours: bool) -> OwnedPart {
    if ours { OwnedPart::All } else { OwnedPart::Nothing }
}

/// Judges a flat handler, or a group with a `hooks` array of handlers.
fn share_of_hooks(entry: &Value, agent: AgentId, programs: &[String]) -> OwnedPart {
    let Some(handlers) = entry.get("hooks").and_then(Value::as_array) else {
        return whole(calls_hook_of(entry, agent, programs));
    };
    let ours = handlers.iter().filter(|handler| calls_hook_of(handler, agent, programs)).count();
    match ours {
        0 => OwnedPart::Nothing,
        all if all == handlers.len() => OwnedPart::All,
        _ => OwnedPart::Part,
    }
}

fn calls_hook_of(handler: &Value, agent: AgentId, programs: &[String]) -> bool {
    // Copilot has one key per shell for the command.
    ["command", "bash", "powershell"]
        .iter()
        .filter_map(|key| handler.get(key)?.as_str())
        .filter_map(|command| HookCall::parse_by(command, programs))
        .any(|call| AgentId::parse(&call.agent) == Some(agent))
}

/// Returns true for a command that is one of Symposium's names or one of `programs`, with the argument `mcp`. The
/// command is a string with `args`, or one array.
fn is_own_server(entry: &Value, programs: &[String]) -> bool {
    let command = entry.get("command");
    let args = entry.get("args").and_then(Value::as_array).into_iter().flatten();
    let mut words: Vec<&str> = match command {
        Some(Value::String(program)) => vec![program],
        Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect(),
        _ => return false,
    };
    words.extend(args.filter_map(Value::as_str));
    let Some((program, args)) = words.split_first() else { return false };
    match args {
        ["agents", "mcp", ..] => name_of(program) == "cargo",
        ["mcp", ..] => has_our_name(program) || programs.iter().any(|known| known == program),
        _ => false,
    }
}

#[cfg(test)]
#[path = "ownership_tests.rs"]
mod tests;
