//! Parses the frontmatter of a SKILL.md into entries and diagnostics.

use std::ops::Range;

use super::frontmatter::{FrontmatterPrefix, split};
use super::key::FrontmatterKey;
use super::repair::mend;
use super::yaml::{self, YamlEntry, YamlProblemKind};
use crate::diagnostic::{Diagnostic, Severity};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParseMode {
    /// For use: everything that can be understood is used.
    Liberal,
    /// For the author: everything that any agent stumbles over is an error.
    Strict,
}

/// The frontmatter, with all positions in bytes of the file.
#[derive(Debug)]
pub(super) struct FrontmatterBlock {
    pub(super) opening: Range<usize>,
    pub(super) body: Range<usize>,
    /// Each key once; the last of several wins.
    pub(super) entries: Vec<YamlEntry>,
}

pub(super) fn read(path: &str, text: &str, reading: ParseMode) -> (Option<FrontmatterBlock>, Vec<Diagnostic>) {
    let slip = match reading {
        ParseMode::Liberal => Severity::Warning,
        ParseMode::Strict => Severity::Error,
    };
    let say = |severity, span: Range<usize>, message: &str| {
        let diagnostic = match severity {
            Severity::Error => Diagnostic::error(path, message),
            Severity::Warning => Diagnostic::warning(path, message),
        };
        diagnostic.at(text, span)
    };
    let parts = match split(text) {
        Ok(parts) => parts,
        Err(error) => {
            let said = say(Severity::Error, error.span, error.problem.message()).help(error.problem.help());
            return (None, vec![said]);
        }
    };
    let mut diagnostics = Vec::new();
    match (parts.before, reading) {
        (FrontmatterPrefix::Nothing, _) | (FrontmatterPrefix::ByteOrderMark, ParseMode::Liberal) => {}
        (FrontmatterPrefix::ByteOrderMark, ParseMode::Strict) => diagnostics.push(
            say(Severity::Warning, 0..0, "The file begins with a byte order mark, so Codex and Gemini skip it")
                .help("save the file as UTF-8 without a byte order mark"),
        ),
        (FrontmatterPrefix::BlankLines, _) => diagnostics.push(
            say(slip, parts.opening.clone(), "The frontmatter is not at the start of the file")
                .help("remove the blank lines above `---`"),
        ),
    }

    let start = parts.yaml.start;
    let yaml = text.get(parts.yaml.clone()).unwrap_or_default();
    let entries = match yaml::read(yaml) {
        Ok(entries) => entries,
        Err(problem) => {
            let at = start + problem.at.min(yaml.trim_end().len());
            let message = format!("The frontmatter is not valid YAML: {}", problem.message);
            let mended = match problem.kind {
                YamlProblemKind::Limits => {
                    let message = format!("The frontmatter is not read: {}", problem.message);
                    let help = "write plain `key: value` lines; put a value that begins with `&` or `*` in quotes";
                    diagnostics.push(say(Severity::Error, at..at + 1, &message).help(help));
                    return (None, diagnostics);
                }
                YamlProblemKind::Syntax | YamlProblemKind::Tab => {
                    mend(yaml).filter(|mended| describes_something(&mended.entries))
                }
            };
            let Some(mended) = mended else {
                let help = match problem.kind {
                    YamlProblemKind::Tab => INDENT_HELP,
                    YamlProblemKind::Syntax | YamlProblemKind::Limits => {
                        "write one `key: value` per line, and put values with `: `, quotes or brackets in double quotes"
                    }
                };
                diagnostics.push(say(Severity::Error, at..at + 1, &message).help(help));
                return (None, diagnostics);
            };
            if problem.kind == YamlProblemKind::Tab {
                diagnostics.push(say(slip, at..at + 1, &message).help(INDENT_HELP));
            } else if mended.mends.is_empty() {
                diagnostics.push(say(slip, at..at + 1, &message).help("write one `key: value` per line"));
            } else {
                diagnostics.extend(mended.mends.into_iter().map(|found| {
                    let span = start + found.span.start..start + found.span.end;
                    say(slip, span, &found.message).help(found.help)
                }));
            }
            mended.entries
        }
    };

    let mut kept: Vec<YamlEntry> = Vec::new();
    for entry in entries {
        let entry = entry.shifted(start);
        if let Some(place) = kept.iter().position(|earlier| same_key(earlier, &entry)) {
            let message = format!("`{}` is written twice, and the last value is used", entry.key);
            let help = "remove one of them: Goose and Amp skip a skill with a key written twice";
            diagnostics.push(say(slip, entry.key_span.clone(), &message).help(help));
            kept.remove(place);
        }
        kept.push(entry);
    }
    (Some(FrontmatterBlock { opening: parts.opening, body: parts.body, entries: kept }), diagnostics)
}

const INDENT_HELP: &str = "indent the line with spaces";

/// Returns false for a repaired frontmatter without a description, which is not worth using.
fn describes_something(entries: &[YamlEntry]) -> bool {
    entries
        .iter()
        .any(|entry| FrontmatterKey::read(&entry.key) == Some(FrontmatterKey::Description) && !entry.value.is_nothing())
}

fn same_key(one: &YamlEntry, other: &YamlEntry) -> bool {
    one.key == other.key
        || FrontmatterKey::read(&one.key).is_some_and(|key| FrontmatterKey::read(&other.key) == Some(key))
}
