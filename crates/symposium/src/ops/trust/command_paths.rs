//! Finds the words of a command that are files of its plugin. They are made absolute, so the agent's working directory
//! does not matter.
//!
//! A grant covers the files of the plugin that a command names. A relative word would be looked up in the directory of
//! the event, and the files there are not covered.

use std::path::{Path, PathBuf};

use symposium_agents::import::{is_interpreter, line_words, quoted};
use symposium_model::trust::is_everyday;

/// The forms in which a command refers to its plugin's directory.
const PLUGIN_DIRECTORY: [&str; 2] = ["$SYMPOSIUM_PLUGIN_DIR", "${SYMPOSIUM_PLUGIN_DIR}"];

/// Directories of every package, which a command works on.
pub(crate) const OF_PACKAGES: [&str; 5] = ["src", "tests", "examples", "benches", "target"];

#[derive(Clone, Copy)]
pub(crate) struct PathResolver<'p> {
    /// The plugin's directory, links resolved; `None` when it is not on disk.
    pub(crate) plugin: Option<&'p Path>,
    /// The workspace, links resolved, when the files that are granted may lie there too.
    pub(crate) workspace: Option<&'p Path>,
    /// The path of something that exists, links resolved.
    pub(crate) canonical: &'p dyn Fn(&Path) -> Option<PathBuf>,
    /// Whether something is a file.
    pub(crate) is_file: &'p dyn Fn(&Path) -> bool,
}

/// Words, with the files they name in place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct InPlace<T> {
    pub(crate) words: T,
    /// Words that look like files of the plugin, but are looked up in the agent's working directory.
    pub(crate) loose: Vec<String>,
}

/// Whether a word without a dot or a slash may be a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BareWord {
    /// It may: something in the command runs files that it is given.
    File,
    /// It is a word of its program.
    Word,
}

impl PathResolver<'_> {
    pub(crate) fn arguments(&self, program: &str, words: Vec<String>) -> InPlace<Vec<String>> {
        let bare = bare_behind(std::iter::once(program));
        let mut loose = Vec::new();
        let words = words.into_iter().map(|word| {
            self.in_place(&word, bare, &str::to_owned).unwrap_or_else(|| {
                loose.extend(self.loose(&word, bare));
                word
            })
        });
        InPlace { words: words.collect(), loose }
    }

    pub(crate) fn line(&self, line: &str) -> InPlace<String> {
        let mut changed = line.to_owned();
        let mut loose = Vec::new();
        // There everything is the plugin's.
        if goes_to_plugin(line) {
            return InPlace { words: changed, loose };
        }
        let words = line_words(line);
        let bare = bare_behind(words.iter().filter_map(|word| word.text.as_deref()));
        // From behind, so that what stands before keeps its place.
        for word in words.into_iter().rev() {
            match word.text.as_deref().and_then(|text| self.in_place(text, bare, &quoted)) {
                Some(found) => changed.replace_range(word.range, &found),
                None => loose.extend(self.loose(line.get(word.range).unwrap_or_default(), bare)),
            }
        }
        loose.reverse();
        InPlace { words: changed, loose }
    }

    /// A word that names a file, or that sets something to one, with the whole path of it.
    fn in_place(&self, word: &str, bare: BareWord, written: &dyn Fn(&str) -> String) -> Option<String> {
        let whole = |word: &str| self.file(word, bare).and_then(|file| file.to_str().map(written));
        whole(word).or_else(|| {
            let (name, value) = word.split_once('=').filter(|(name, _)| !name.contains(char::is_whitespace))?;
            Some(format!("{name}={}", whole(value)?))
        })
    }

    fn file(&self, word: &str, bare: BareWord) -> Option<PathBuf> {
        if !may_be_path(word, bare) || is_everyday(word) {
            return None;
        }
        let inside = |base: &Path| {
            let file = (self.canonical)(&base.join(word))?;
            (file.starts_with(base) && (self.is_file)(&file)).then_some(file)
        };
        [self.plugin, self.workspace].into_iter().flatten().find_map(inside)
    }

    /// Returns the parts of a word that could be a file or directory of the plugin.
    fn loose(&self, word: &str, bare: BareWord) -> Vec<String> {
        let Some(directory) = self.plugin else { return Vec::new() };
        if PLUGIN_DIRECTORY.iter().any(|variable| word.contains(variable)) {
            return Vec::new();
        }
        let apart = |c: char| c.is_whitespace() || "\"'|&;<>()=,:`\\".contains(c);
        // A text that is run as a whole is a command of its own.
        let bare = if word.split(apart).any(is_runner) { BareWord::File } else { bare };
        let is_plugins = |part: &&str| {
            let found = may_be_path(part, bare).then(|| (self.canonical)(&directory.join(part))).flatten();
            found.is_some_and(|found| found.starts_with(directory) && found != *directory)
        };
        let parts = word.split(apart).map(|part| part.trim_start_matches('@'));
        let parts = parts.filter(|part| !is_everyday(part) && !OF_PACKAGES.contains(&part.trim_end_matches('/')));
        parts.filter(is_plugins).map(str::to_owned).collect()
    }
}

fn may_be_path(word: &str, bare: BareWord) -> bool {
    let looks_like_one = word.contains(['/', '.']) || bare == BareWord::File;
    looks_like_one && !word.is_empty() && !word.contains('$') && !Path::new(word).is_absolute()
}

fn bare_behind<'w>(mut words: impl Iterator<Item = &'w str>) -> BareWord {
    if words.any(is_runner) { BareWord::File } else { BareWord::Word }
}

/// Whether what stands behind a word is run, or is where things are run.
fn is_runner(word: &str) -> bool {
    // These have words of their own behind them.
    let has_words = matches!(word.rsplit('/').next(), Some("env" | "deno" | "bun"));
    matches!(word, "cd" | "." | "source" | "exec") || (is_interpreter(word) && !has_words)
}

/// Whether a line first goes to its plugin's directory.
fn goes_to_plugin(line: &str) -> bool {
    let target = line.trim_start().strip_prefix("cd ").map(|rest| rest.trim_start_matches([' ', '"']));
    target.is_some_and(|target| PLUGIN_DIRECTORY.iter().any(|variable| target.starts_with(variable)))
}

#[cfg(test)]
#[path = "command_paths_tests.rs"]
mod tests;
