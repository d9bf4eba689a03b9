//! The rewriting of a hook's command line, so that it means the same when Symposium starts it.

use std::ops::Range;

use crate::settings_layout::{SettingsLayout, VariableMeaning, VariableSubstitution};

/// Programs whose first argument is the script they run.
const INTERPRETERS: [&str; 13] =
    ["sh", "bash", "zsh", "dash", "ksh", "python", "python3", "node", "deno", "bun", "ruby", "perl", "env"];

/// Syntax outside quotes that `bash` understands and `sh` does not.
const BASHISMS: [&str; 14] =
    ["[[", "<<<", "<(", ">(", "$'", "&>", "|&", "+=", "=(", " == ", "pipefail", "source ", "function ", "shopt "];

/// The same inside `${…}`: modifications of a variable's value.
const CHANGED_VALUES: [&str; 3] = ["//", "^^", ",,"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum QuoteState {
    None,
    Double,
    Single,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum CommandPiece {
    Text(String),
    Variable { name: String, braced: bool, quoting: QuoteState },
}

fn pieces(line: &str) -> Vec<CommandPiece> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut quoting = QuoteState::None;
    let mut rest = line.chars();
    while let Some(character) = rest.next() {
        match (character, quoting) {
            ('\\', QuoteState::None | QuoteState::Double) => {
                text.push(character);
                text.extend(rest.next());
                continue;
            }
            ('\'', QuoteState::None) => quoting = QuoteState::Single,
            ('"', QuoteState::None) => quoting = QuoteState::Double,
            ('\'', QuoteState::Single) | ('"', QuoteState::Double) => quoting = QuoteState::None,
            ('$', _) => {
                if let Some((name, braced)) = variable(rest.as_str()) {
                    let length = name.chars().count() + if braced { 2 } else { 0 };
                    if !text.is_empty() {
                        pieces.push(CommandPiece::Text(std::mem::take(&mut text)));
                    }
                    pieces.push(CommandPiece::Variable { name, braced, quoting });
                    for _ in 0..length {
                        rest.next();
                    }
                    continue;
                }
            }
            _ => {}
        }
        text.push(character);
    }
    if !text.is_empty() {
        pieces.push(CommandPiece::Text(text));
    }
    pieces
}

/// Parses the variable after a `$`, and whether it stands in braces.
fn variable(rest: &str) -> Option<(String, bool)> {
    let braced = rest.strip_prefix('{');
    let name: String = braced.unwrap_or(rest).chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    let closed = braced.is_none_or(|inside| inside.strip_prefix(name.as_str()).is_some_and(|end| end.starts_with('}')));
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (starts && closed).then_some((name, braced.is_some()))
}

pub(super) struct RewrittenCommand {
    pub(super) line: String,
    pub(super) changes: Vec<String>,
    /// Variables that only its agent sets.
    pub(super) foreign: Vec<String>,
}

/// Rewrites a command line of an agent. `plugin` is the directory of the plugin the hook belongs to, if any.
pub(super) fn rewrite(
    line: &str,
    holdings: &SettingsLayout,
    project_variables: &[&str],
    plugin: Option<&str>,
) -> RewrittenCommand {
    let mut rewritten = RewrittenCommand { line: String::new(), changes: Vec::new(), foreign: Vec::new() };
    for piece in pieces(line) {
        let (name, braced, quoting) = match piece {
            CommandPiece::Text(text) => {
                rewritten.line.push_str(&text);
                continue;
            }
            CommandPiece::Variable { name, braced, quoting } => (name, braced, quoting),
        };
        let meaning = holdings.variables.iter().find(|(known, _)| *known == name).map(|(_, meaning)| *meaning);
        let is_project = project_variables.contains(&name.as_str());
        let substituted = holdings.substitution == VariableSubstitution::Quoted && (is_project || meaning.is_some());
        let as_written = if braced { format!("${{{name}}}") } else { format!("${name}") };
        // A value that the agent inserts is safe without quotes; one that a shell inserts is not.
        let around = quoting;
        let quoting = if substituted && !braced { quoting } else { QuoteState::Double };
        let note = |changes: &mut Vec<String>, change: String| {
            if !changes.contains(&change) {
                changes.push(change);
            }
        };
        let replaced = match meaning {
            Some(VariableMeaning::WorkingDirectory) => {
                note(&mut rewritten.changes, format!("`${name}` became `$PWD`"));
                "$PWD".to_owned()
            }
            Some(VariableMeaning::Plugin) if plugin.is_some() => {
                let directory = plugin.unwrap_or_default();
                note(&mut rewritten.changes, format!("`${name}` became `{directory}`"));
                rewritten.line.push_str(&if around == QuoteState::None {
                    quoted(directory)
                } else {
                    directory.to_owned()
                });
                continue;
            }
            Some(VariableMeaning::OwnAffair | VariableMeaning::Plugin) => {
                if !rewritten.foreign.contains(&name) {
                    rewritten.foreign.push(name);
                }
                as_written
            }
            // Every handler gets the session under that name.
            Some(VariableMeaning::Session) | None => as_written,
        };
        match quoting {
            QuoteState::Double => rewritten.line.push_str(&replaced),
            QuoteState::None => rewritten.line.push_str(&format!("\"{replaced}\"")),
            QuoteState::Single => rewritten.line.push_str(&format!("'\"{replaced}\"'")),
        }
    }
    if needs_bash(line) {
        rewritten.line = format!("bash -c {}", quoted(&rewritten.line));
        rewritten.changes.push("it runs in `bash`, because it uses bash syntax".to_owned());
    } else if starts_with_path(&rewritten.line) {
        // A first word with a `/` would be resolved relative to the plugin.
        rewritten.line = format!("env {}", rewritten.line);
    }
    rewritten
}

fn needs_bash(line: &str) -> bool {
    let (mut bare, mut expanded) = (String::new(), String::new());
    let mut quoting = QuoteState::None;
    let mut rest = line.chars();
    while let Some(character) = rest.next() {
        match (character, quoting) {
            ('\\', QuoteState::None | QuoteState::Double) => {
                rest.next();
            }
            // A string such as `$'…'` begins like this.
            ('\'', QuoteState::None) => {
                bare.push(character);
                quoting = QuoteState::Single;
            }
            ('"', QuoteState::None) => quoting = QuoteState::Double,
            ('\'', QuoteState::Single) | ('"', QuoteState::Double) => quoting = QuoteState::None,
            (_, QuoteState::None) => {
                bare.push(character);
                expanded.push(character);
            }
            (_, QuoteState::Double) => expanded.push(character),
            (_, QuoteState::Single) => {}
        }
    }
    let values = expanded.split("${").skip(1).filter_map(|value| value.split('}').next());
    let changes_value = |value: &str| value.starts_with('!') || CHANGED_VALUES.iter().any(|sign| value.contains(sign));
    BASHISMS.iter().any(|sign| bare.contains(sign)) || values.into_iter().any(changes_value)
}

fn starts_with_path(line: &str) -> bool {
    let Some(first) = program_words(line, &|_| None).into_iter().next().filter(|word| word.range.start == 0) else {
        return false;
    };
    let raw = line.get(first.range).unwrap_or_default();
    raw.contains('/') && !raw.contains(['$', '`', '=']) && !raw.starts_with('~')
}

pub(super) fn names_relative_path(line: &str) -> bool {
    let words = program_words(line, &|_| None).into_iter().filter_map(|word| word.text);
    words.into_iter().any(|word| word.contains('/') && !word.starts_with('/'))
}

pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandWord {
    pub range: Range<usize>,
    /// Its text with variables replaced; `None` when a value is unknown.
    pub text: Option<String>,
}

pub fn is_interpreter(program: &str) -> bool {
    INTERPRETERS.contains(&program.rsplit('/').next().unwrap_or_default())
}

/// Returns all words of a command line; those with variables have no text.
pub fn line_words(line: &str) -> Vec<CommandWord> {
    let words = split(line, &|_| None).into_iter().filter_map(|item| match item {
        CommandToken::Word(word) => Some(word),
        CommandToken::Operator => None,
    });
    words.collect()
}

/// Returns the words that name a program, or the script an interpreter runs. `value_of` returns the value of a
/// variable.
pub fn program_words(line: &str, value_of: &dyn Fn(&str) -> Option<String>) -> Vec<CommandWord> {
    let mut found = Vec::new();
    let mut expects = ExpectedWord::Program;
    for word in split(line, value_of) {
        let CommandToken::Word(word) = word else {
            expects = ExpectedWord::Program;
            continue;
        };
        let text = word.text.clone().unwrap_or_default();
        let is_assignment = text.split_once('=').is_some_and(|(name, _)| !name.is_empty() && !name.contains('/'));
        let program = text.rsplit('/').next().unwrap_or_default();
        match expects {
            ExpectedWord::Program if is_assignment => {}
            ExpectedWord::Program if INTERPRETERS.contains(&program) => {
                expects = ExpectedWord::Script;
                found.push(word);
            }
            ExpectedWord::Program => {
                expects = ExpectedWord::Nothing;
                found.push(word);
            }
            ExpectedWord::Script if text == "-c" => expects = ExpectedWord::Nothing,
            ExpectedWord::Script if text.starts_with('-') || is_assignment => {}
            ExpectedWord::Script => {
                expects = if INTERPRETERS.contains(&program) { ExpectedWord::Script } else { ExpectedWord::Nothing };
                found.push(word);
            }
            ExpectedWord::Nothing => {}
        }
    }
    found
}

#[derive(Clone, Copy)]
enum ExpectedWord {
    Program,
    Script,
    Nothing,
}

/// Returns all words of the first command, without quotes.
pub(super) fn first_words(line: &str) -> Vec<String> {
    let words =
        split(line, &|_| Some(String::new())).into_iter().take_while(|item| matches!(item, CommandToken::Word(_)));
    words
        .filter_map(|item| match item {
            CommandToken::Word(word) => word.text,
            CommandToken::Operator => None,
        })
        .flat_map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

enum CommandToken {
    Word(CommandWord),
    Operator,
}

fn split(line: &str, value_of: &dyn Fn(&str) -> Option<String>) -> Vec<CommandToken> {
    let mut items = Vec::new();
    let mut current: Option<CommandWord> = None;
    let mut quoting = QuoteState::None;
    let mut rest = line.char_indices().peekable();
    while let Some((at, character)) = rest.next() {
        if quoting == QuoteState::None && (character.is_whitespace() || "|&;<>()".contains(character)) {
            items.extend(current.take().map(CommandToken::Word));
            if !character.is_whitespace() || character == '\n' {
                items.push(CommandToken::Operator);
            }
            continue;
        }
        let word = current.get_or_insert(CommandWord { range: at..at, text: Some(String::new()) });
        let mut end = at + character.len_utf8();
        let mut add = |more: Option<String>| {
            word.text = word.text.take().zip(more).map(|(text, more)| text + &more);
        };
        match (character, quoting) {
            ('\'', QuoteState::None) => quoting = QuoteState::Single,
            ('"', QuoteState::None) => quoting = QuoteState::Double,
            ('\'', QuoteState::Single) | ('"', QuoteState::Double) => quoting = QuoteState::None,
            ('\\', QuoteState::None | QuoteState::Double) => {
                if let Some((next, escaped)) = rest.next() {
                    end = next + escaped.len_utf8();
                    add(Some(escaped.to_string()));
                }
            }
            ('`', QuoteState::None | QuoteState::Double) => add(None),
            ('~', QuoteState::None) if at == word.range.start => add(value_of("HOME")),
            ('$', QuoteState::None | QuoteState::Double) => match line.get(end..).and_then(variable) {
                Some((name, braced)) => {
                    let length = name.len() + if braced { 2 } else { 0 };
                    end += length;
                    while rest.peek().is_some_and(|(next, _)| *next < end) {
                        rest.next();
                    }
                    add(value_of(&name));
                }
                None => add(None),
            },
            _ => add(Some(character.to_string())),
        }
        word.range.end = end;
    }
    items.extend(current.map(CommandToken::Word));
    items
}

#[cfg(test)]
#[path = "command_tests.rs"]
mod tests;
