//! Finds the cargo commands of a shell script, and whether its exit code is theirs.

use crate::cargo_call::assigned_name;
use crate::script_token::{ScriptToken, ScriptWord, split_shell};

/// A cargo check, clippy, build or test in a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ScriptRun {
    pub(crate) is_test: bool,
    /// Whether the script can end with 0 only if this command did.
    pub(crate) decides_exit: bool,
    pub(crate) reader: OutputReader,
}

/// The reader of a command's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputReader {
    /// The caller, or a file.
    Direct,
    /// Another program, which shows what it likes.
    Pipe,
    /// A program that shows only the beginning.
    Beginning,
}

/// Words of the shell that may stand before a command, and that make it depend on others.
const KEYWORDS: [&str; 10] = ["if", "then", "else", "elif", "while", "until", "do", "!", "{", "for"];

/// Finds the runs of a script; none if it cannot be split.
pub(crate) fn find_script_runs(command: &str) -> Option<Vec<ScriptRun>> {
    let tokens = split_shell(command.trim())?;
    let commands = split_commands(&tokens);
    let has_structure = commands.iter().any(|command| command.is_structured);
    let mut runs = Vec::new();
    for (index, command) in commands.iter().enumerate() {
        let Some(is_test) = read_run(&command.words) else { continue };
        let after: Vec<&ScriptToken> = commands.iter().skip(index).filter_map(|command| command.end).collect();
        let before = commands.iter().take(index).filter_map(|command| command.end);
        let piped = commands.get(index + 1).filter(|_| after.first() == Some(&&ScriptToken::Pipe));
        let reader = match piped.and_then(|command| command.words.first()) {
            None => OutputReader::Direct,
            Some(program) if program.text == "head" => OutputReader::Beginning,
            Some(_) => OutputReader::Pipe,
        };
        let only_and = after.iter().all(|token| **token == ScriptToken::And);
        let is_certain = !before.into_iter().any(|token| *token == ScriptToken::Or);
        runs.push(ScriptRun { is_test, decides_exit: only_and && is_certain && !has_structure, reader });
    }
    Some(runs)
}

/// A command of a script, and the operator behind it.
struct ScriptCommand<'t> {
    words: Vec<&'t ScriptWord>,
    end: Option<&'t ScriptToken>,
    is_structured: bool,
}

fn split_commands(tokens: &[ScriptToken]) -> Vec<ScriptCommand<'_>> {
    let mut commands = Vec::new();
    let mut words: Vec<&ScriptWord> = Vec::new();
    let mut is_structured = false;
    for token in tokens {
        match token {
            ScriptToken::Word(word)
                if words.is_empty() && !word.is_quoted && KEYWORDS.contains(&word.text.as_str()) =>
            {
                is_structured = true;
            }
            ScriptToken::Word(word) if words.is_empty() && assigned_name(&word.text).is_some() => {}
            ScriptToken::Word(word) => words.push(word),
            ScriptToken::Redirect(_) => {}
            ScriptToken::Group => is_structured = true,
            ScriptToken::And | ScriptToken::Or | ScriptToken::Pipe | ScriptToken::Next | ScriptToken::Background => {
                if !words.is_empty() {
                    let words = std::mem::take(&mut words);
                    commands.push(ScriptCommand { words, end: Some(token), is_structured });
                    is_structured = false;
                }
            }
        }
    }
    if !words.is_empty() || is_structured {
        commands.push(ScriptCommand { words, end: None, is_structured });
    } else if let Some(last) = commands.last_mut().filter(|last| last.end == Some(&ScriptToken::Next)) {
        // A semicolon at the end changes nothing.
        last.end = None;
    }
    commands
}

/// Whether the words call cargo to check, build or test, and if so, whether to test.
fn read_run(words: &[&ScriptWord]) -> Option<bool> {
    let mut words = skip_wrappers(words).iter().map(|word| word.text.as_str());
    let program = words.next()?;
    if program != "cargo" && !program.ends_with("/cargo") {
        return None;
    }
    let arguments: Vec<&str> = words.skip_while(|word| word.starts_with('+')).collect();
    let own: Vec<&str> = arguments.iter().copied().take_while(|word| *word != "--").collect();
    if own.iter().any(|word| matches!(*word, "--help" | "-h" | "--version" | "-V" | "--list")) {
        return None;
    }
    let mut rest = own.iter().copied();
    let subcommand = loop {
        let word = rest.next()?;
        if matches!(word, "--color" | "--config" | "-C" | "-Z") {
            rest.next();
        } else if !word.starts_with('-') {
            break word;
        }
    };
    match subcommand {
        "check" | "c" | "clippy" | "build" | "b" => Some(false),
        "test" | "t" => Some(!own.contains(&"--no-run")),
        "nextest" => rest.next().filter(|word| matches!(*word, "run" | "r")).map(|_| !own.contains(&"--no-run")),
        _ => None,
    }
}

/// Skips programs that run the command behind them.
fn skip_wrappers<'t, 'w>(words: &'t [&'w ScriptWord]) -> &'t [&'w ScriptWord] {
    let mut rest = words;
    while let Some((first, after)) = rest.split_first() {
        let skipped = match first.text.as_str() {
            "time" | "command" | "exec" | "nice" => 0,
            "env" => after.iter().take_while(|word| assigned_name(&word.text).is_some()).count(),
            "timeout" => after.iter().take_while(|word| word.text.starts_with('-')).count() + 1,
            _ => return rest,
        };
        rest = after.get(skipped..).unwrap_or_default();
    }
    rest
}
