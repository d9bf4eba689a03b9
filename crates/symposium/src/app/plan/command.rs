//! What a hook's command means on this machine: which program is started, and which files of the plugin it names.

use std::path::{Path, PathBuf};

use symposium_model::crates::lexical_path;
use symposium_model::hook::command_line::{Split, split};
use symposium_model::hook::plan::Run;
use symposium_model::manifest::Command;

/// The commands that are part of the program itself, in plugins that ship with it.
pub(super) const BUILT_IN: &str = "builtin:";

/// More files than this are not looked for in one command.
const MAX_NAMED: usize = 8;

/// How a command tells its plugin's directory from others.
const PLUGIN_DIRECTORY: [&str; 2] = ["$SYMPOSIUM_PLUGIN_DIR/", "${SYMPOSIUM_PLUGIN_DIR}/"];

/// A command that can be started.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Resolved {
    /// What is run.
    pub(super) run: Run,
    /// The files of the plugin it names.
    pub(super) files: Vec<PathBuf>,
}

/// Finds out what a command runs. `directory` is the plugin's own, links resolved; `canonical` resolves the links of
/// anything else that exists. `Err` says why it cannot be run.
pub(super) fn resolve(
    command: &Command,
    directory: Option<&Path>,
    canonical: &dyn Fn(&Path) -> Option<PathBuf>,
) -> Result<Resolved, String> {
    let (line, args) = match command {
        Command::Line { line, args } => (line.trim(), args),
        Command::Installed { installation, .. } => {
            return Err(format!("its program comes with the installation `{installation}`"));
        }
    };
    if line.starts_with(BUILT_IN) {
        return Err(format!("`{line}` is only for plugins that ship with Symposium"));
    }
    let plugin = Plugin { directory, canonical };
    let mut files = Vec::new();
    let run = match split(line) {
        Split::Words(words) if !words.first().is_some_and(|word| is_assignment(word)) => {
            let mut words = words.into_iter();
            let program = words.next().filter(|program| !program.is_empty()).ok_or("its command names no program")?;
            let program = if program.contains('/') {
                let file = plugin.own_file(&program)?;
                let path = text(&file)?;
                files.push(file);
                path
            } else {
                program
            };
            Run::Direct { program, args: words.chain(args.iter().cloned()).collect() }
        }
        Split::Words(_) | Split::Shell => {
            let line = match leading_path(line) {
                Some((word, rest)) => {
                    let file = plugin.own_file(word)?;
                    let path = text(&file)?.replace('\'', r"'\''");
                    files.push(file);
                    format!("'{path}'{rest}")
                }
                None => line.to_owned(),
            };
            Run::Shell { line, args: args.clone() }
        }
    };
    for file in plugin.named_files(line, args) {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    files.truncate(MAX_NAMED);
    Ok(Resolved { run, files })
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

struct Plugin<'p> {
    directory: Option<&'p Path>,
    canonical: &'p dyn Fn(&Path) -> Option<PathBuf>,
}

impl Plugin<'_> {
    /// A file of the plugin, links resolved. One that is missing stays in the plan: that it cannot be started is a
    /// failure like others, and its manifest says what that means.
    fn own_file(&self, word: &str) -> Result<PathBuf, String> {
        let directory = self.directory.ok_or_else(|| format!("it runs `{word}`, and its plugin is not on disk"))?;
        let path = directory.join(word);
        let file = (self.canonical)(&path).unwrap_or_else(|| lexical_path::normal(&path));
        if file.starts_with(directory) {
            Ok(file)
        } else {
            Err(format!("it runs `{word}`, which lies outside the plugin's directory"))
        }
    }

    /// Every file of the plugin that the words of a command name.
    fn named_files(&self, line: &str, args: &[String]) -> Vec<PathBuf> {
        let Some(directory) = self.directory else { return Vec::new() };
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
