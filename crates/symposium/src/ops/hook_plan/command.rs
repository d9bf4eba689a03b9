//! Resolves a hook's command on this machine: the program that is started, and the files of the plugin that it names.

use std::path::{Path, PathBuf};

use symposium_model::crates::lexical_path;
use symposium_model::diagnostic::Severity;
use symposium_model::hook::command_line::{SplitCommand, split};
use symposium_model::hook::hook_plan::HandlerAction;
use symposium_model::manifest::CommandSpec;

use crate::ops::trust::command_paths::{InPlace, PathResolver};

/// The commands that are part of the program itself, in plugins that ship with it.
pub(super) const BUILT_IN: &str = "builtin:";

/// More files than this are not looked for in one command.
const MAX_NAMED: usize = 8;

/// The prefixes by which a command refers to its plugin's directory.
const PLUGIN_DIRECTORY: [&str; 2] = ["$SYMPOSIUM_PLUGIN_DIR/", "${SYMPOSIUM_PLUGIN_DIR}/"];

#[derive(Debug, PartialEq, Eq)]
pub(super) struct ResolvedCommand {
    pub(super) run: HandlerAction,
    pub(super) files: Vec<PathBuf>,
    /// The file it starts, when that is one of the plugin's.
    pub(super) program: Option<PathBuf>,
    /// Words that look like files of the plugin, but are looked up in the agent's working directory.
    pub(super) loose: Vec<String>,
}

impl ResolvedCommand {
    /// One that names no file of a plugin.
    pub(super) fn plain(run: HandlerAction) -> Self {
        Self { run, files: Vec::new(), program: None, loose: Vec::new() }
    }
}

/// The program of an installation, with the files of the plugin it is given in place.
pub(super) fn in_place(run: HandlerAction, places: PathResolver<'_>) -> ResolvedCommand {
    let HandlerAction::Direct { program, args } = run else { return ResolvedCommand::plain(run) };
    let InPlace { words: args, loose } = places.arguments(&program, args);
    ResolvedCommand { loose, ..ResolvedCommand::plain(HandlerAction::Direct { program, args }) }
}

/// Finds out what a command runs. `Err` says why it cannot be run.
pub(super) fn resolve(command: &CommandSpec, places: PathResolver<'_>) -> Result<ResolvedCommand, String> {
    let (line, args) = match command {
        CommandSpec::Line { line, args } => (line.trim(), args),
        CommandSpec::Installed { installation, .. } => {
            return Err(format!("its program comes with the installation `{installation}`"));
        }
    };
    if line.starts_with(BUILT_IN) {
        return Err(format!("`{line}` is only for plugins that ship with Symposium"));
    }
    let mut program_file = None;
    let (run, loose) = match split(line) {
        SplitCommand::Words(words) if !words.first().is_some_and(|word| is_assignment(word)) => {
            let mut words = words.into_iter();
            let program = words.next().filter(|program| !program.is_empty()).ok_or("its command names no program")?;
            let program = if program.contains('/') {
                let file = places.own_file(&program)?;
                let path = text(&file)?;
                program_file = Some(file);
                path
            } else {
                program
            };
            let InPlace { words: args, loose } =
                places.arguments(&program, words.chain(args.iter().cloned()).collect());
            (HandlerAction::Direct { program, args }, loose)
        }
        SplitCommand::Words(_) | SplitCommand::Shell => {
            let line = match leading_path(line) {
                Some((word, rest)) => {
                    let file = places.own_file(word)?;
                    let path = text(&file)?.replace('\'', r"'\''");
                    program_file = Some(file);
                    format!("'{path}'{rest}")
                }
                None => line.to_owned(),
            };
            let InPlace { words: line, mut loose } = places.line(&line);
            let InPlace { words: args, loose: more } = places.arguments("", args.clone());
            loose.extend(more);
            (HandlerAction::Shell { line, args }, loose)
        }
    };
    let mut files: Vec<PathBuf> = program_file.clone().into_iter().collect();
    for file in places.named_files(line, args) {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    files.truncate(MAX_NAMED);
    Ok(ResolvedCommand { run, files, program: program_file, loose })
}

/// Something about a command that its author should know.
pub(crate) struct CommandFinding {
    /// Whether it is never run because of it.
    pub(crate) severity: Severity,
    /// The predicate of a sentence whose subject is the hook.
    pub(crate) message: String,
    pub(crate) help: String,
    pub(crate) word: String,
}

/// Checks a command for mistakes of its author.
pub(super) fn findings(
    command: &CommandSpec,
    places: PathResolver<'_>,
    is_executable: &dyn Fn(&Path) -> bool,
) -> Vec<CommandFinding> {
    let CommandSpec::Line { line, .. } = command else { return Vec::new() };
    let line = line.trim();
    if line.starts_with(BUILT_IN) {
        return Vec::new();
    }
    let first = line.split_whitespace().next().unwrap_or_default().to_owned();
    let finding =
        |severity, message: String, help: String| CommandFinding { severity, message, help, word: first.clone() };
    let resolved = match resolve(command, places) {
        Ok(resolved) => resolved,
        Err(reason) => {
            let help = "move the program into the plugin's directory, or name a program on PATH without a `/`";
            return vec![finding(Severity::Error, format!("never runs: {reason}"), help.to_owned())];
        }
    };
    let mut found = Vec::new();
    // A missing file is reported when the manifest is read.
    let program = resolved.program.filter(|program| (places.is_file)(program) && !is_executable(program));
    found.extend(program.map(|_| {
        let message = format!("never runs: `{first}` is not executable");
        finding(Severity::Error, message, format!("run `chmod +x` on it, or write `sh {first}`"))
    }));
    found.extend(resolved.loose.into_iter().map(|word| CommandFinding {
        severity: Severity::Warning,
        message: format!(
            "names `{word}`, which is resolved in the agent's working directory and not in the plugin's directory"
        ),
        help: format!("write `$SYMPOSIUM_PLUGIN_DIR/{}`", word.trim_start_matches("./")),
        word,
    }));
    found
}

fn text(path: &Path) -> Result<String, String> {
    path.to_str().map(str::to_owned).ok_or_else(|| format!("`{}` is not UTF-8", path.display()))
}

/// `NAME=value` before the program is the shell's to understand.
fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name);
    name.is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// The first word of a shell's line and what follows it, when the word is a plain path.
fn leading_path(line: &str) -> Option<(&str, &str)> {
    let quoted = line.chars().next().filter(|c| matches!(c, '"' | '\''));
    let (word, rest, special) = match quoted {
        Some(quote) => {
            let (word, rest) = line.get(1..)?.split_once(quote)?;
            // A word may go on behind its closing quote.
            let ends = rest.is_empty() || rest.starts_with([' ', '\t']);
            ends.then_some((word, rest, if quote == '"' { "$`\\" } else { "" }))?
        }
        None => {
            let end = line.find(|c: char| " \t\n|&;<>()".contains(c)).unwrap_or(line.len());
            let (word, rest) = line.split_at(end);
            (word, rest, "$`~*?'\"\\")
        }
    };
    let plain = !word.contains(|c: char| special.contains(c)) && !is_assignment(word);
    (plain && word.contains('/')).then_some((word, rest))
}

impl PathResolver<'_> {
    /// A file of the plugin, links resolved. One that is missing stays in the plan: that it cannot be started is a
    /// failure like others, and its manifest says what that means.
    fn own_file(&self, word: &str) -> Result<PathBuf, String> {
        let directory = self.plugin.ok_or_else(|| format!("it runs `{word}`, and its plugin is not on disk"))?;
        let path = directory.join(word);
        let file = (self.canonical)(&path).unwrap_or_else(|| lexical_path::normal(&path));
        if file.starts_with(directory) {
            Ok(file)
        } else {
            Err(format!("it runs `{word}`, which is outside the plugin's directory"))
        }
    }

    /// Every file of the plugin that the words of a command name.
    fn named_files(&self, line: &str, args: &[String]) -> Vec<PathBuf> {
        let Some(directory) = self.plugin else { return Vec::new() };
        // Quotes around the variable alone are as good as around the whole path.
        let line: String = line.chars().filter(|c| !matches!(c, '"' | '\'')).collect();
        let words =
            line.split(|c: char| c.is_whitespace() || "|&;<>()=".contains(c)).chain(args.iter().map(String::as_str));
        let mut files = Vec::new();
        for word in words.filter(|word| !word.is_empty()) {
            let word = PLUGIN_DIRECTORY.iter().find_map(|prefix| word.strip_prefix(prefix)).unwrap_or(word);
            let file = (self.canonical)(&directory.join(word));
            files.extend(file.filter(|file| file.starts_with(directory) && *file != directory));
        }
        files
    }
}

#[cfg(test)]
#[path = "command_tests.rs"]
mod tests;
