//! A command line that cannot be understood: what clap says of it, in our words for advice, and pointers for words that
//! other programs use.

use std::borrow::Cow;
use std::ffi::OsString;

use anstream::ColorChoice;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};
use serde::Serialize;
use symposium_model::scan;

use crate::error::CommandExit;
use crate::ui::diagnostic_row::DiagnosticRow;
use crate::ui::printer::{OutputFormat, Printer, Verbosity};

/// Words of other programs, and what does the same here.
const POINTERS: [(&[&str], &str); 5] = [
    (
        &["update", "upgrade"],
        "`symposium sync` updates installed files, `symposium sync --update` also updates the lockfile, and \
         `symposium self-update` updates Symposium",
    ),
    (
        &["add", "enable"],
        "`symposium on NAME` switches an extension on, `symposium init --agent NAME` adds an agent, and \
         `[[plugin-source]]` in the configuration adds a source",
    ),
    (&["install", "setup"], "`symposium init` sets up your agents, and `symposium sync` installs the skills"),
    (
        &["remove", "rm", "disable", "delete"],
        "`symposium off NAME` switches an extension off, and `symposium uninstall` removes everything",
    ),
    (
        &["list", "ls", "show"],
        "`symposium status` lists extensions, `symposium crate --list` lists skills, and `symposium plugin list` \
         lists sources",
    ),
];

/// Shows what is wrong with the words of a command line, or what was asked for: help and the version.
pub(super) fn report(mut error: clap::Error, words: &[OsString], wants_document: bool) -> CommandExit {
    if !error.use_stderr() {
        let _ = error.print();
        return CommandExit::Ok;
    }
    point_to_ours(&mut error, words);
    let plain = error.render().to_string();
    let cleaned = cleaned(words, &plain);
    let shown = if cleaned == plain { error.render().ansi().to_string() } else { cleaned.clone() };
    let printer = Printer { verbosity: Verbosity::Normal, answer: OutputFormat::Human, color: ColorChoice::Auto };
    printer.complain(&in_our_words(&shown));
    if wants_document {
        document(&in_our_words(&cleaned));
    }
    CommandExit::Usage
}

/// Returns what clap says with each word of the command line in one line, and without characters that are not seen.
fn cleaned(words: &[OsString], said: &str) -> String {
    let mut text = said.to_owned();
    for word in words.iter().filter_map(|word| word.to_str()) {
        if let Cow::Owned(line) = scan::one_line(word) {
            text = text.replace(word, &line);
        }
    }
    scan::plain_lines(&text).into_owned()
}

/// Clap calls advice a tip; here it has one name everywhere.
fn in_our_words(text: &str) -> String {
    text.replace("tip:", "help:")
}

/// Replaces what clap guesses from the letters of a word by what the word means elsewhere.
fn point_to_ours(error: &mut clap::Error, words: &[OsString]) {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return };
    let first = words.iter().skip(1).find(|word| !word.as_encoded_bytes().starts_with(b"-"));
    if first.is_none_or(|first| first != word.as_str()) {
        return;
    }
    let known = POINTERS.iter().find(|(words, _)| words.contains(&word.as_str()));
    if let Some((_, pointer)) = known {
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(*pointer)]));
    }
}

fn document(text: &str) {
    #[derive(Serialize)]
    struct Document {
        version: u32,
        errors: [DiagnosticRow; 1],
    }
    let text = text.strip_prefix("error: ").unwrap_or(text).trim_end();
    let (message, help) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut row = DiagnosticRow::error(message);
    if !help.is_empty() {
        row.add_help(help.trim_start());
    }
    let printer = Printer { verbosity: Verbosity::Normal, answer: OutputFormat::Json, color: ColorChoice::Never };
    printer.json(&Document { version: 1, errors: [row] });
    printer.close();
}
