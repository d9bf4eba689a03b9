//! Parses a frontmatter that is not valid YAML line by line, as its author probably meant it.
//!
//! The block is split at the lines that begin with a key. Each piece is parsed as YAML again; only the piece with the
//! error becomes plain text. Ambiguous input (an open quote or bracket) is not guessed at.

use std::ops::Range;

use super::key::FrontmatterKey;
use super::one_line::one_line;
use super::scalar;
use super::yaml::{self, TextStyle, YamlEntry, YamlNode, YamlProblemKind, YamlValue};
use crate::scan::clean;

/// The same limit on keys as in valid YAML.
const MOST_PIECES: usize = 512;

/// Keys that may be glued to the value before them; more than a few are no slip of the author.
const MOST_GLUED: usize = 8;

/// In characters; a longer value is not repeated in advice.
const LONGEST_ADVICE: usize = 80;

/// The repaired entries, with positions in bytes of the block.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RepairedFrontmatter {
    pub(super) entries: Vec<YamlEntry>,
    pub(super) mends: Vec<RepairNote>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct RepairNote {
    pub(super) span: Range<usize>,
    pub(super) message: String,
    pub(super) help: String,
}

/// Parses the block line by line; returns `None` if that makes no sense either.
pub(super) fn mend(block: &str) -> Option<RepairedFrontmatter> {
    let mut mended = RepairedFrontmatter { entries: Vec::new(), mends: Vec::new() };
    let mut glued = 0;
    let pieces = pieces(block)?;
    let present: Vec<FrontmatterKey> = pieces.iter().filter_map(|piece| key_of(block.get(piece.clone())?)).collect();
    for piece in pieces {
        let mut rest = piece;
        loop {
            let text = block.get(rest.clone())?;
            let problem = match yaml::read(text) {
                Ok(entries) => {
                    mended.entries.extend(entries.into_iter().map(|entry| entry.shifted(rest.start)));
                    break;
                }
                Err(problem) if problem.kind == YamlProblemKind::Limits => return None,
                Err(problem) => problem,
            };
            let (head, tail) = match glued_key(text, &present) {
                Some((at, key)) if glued < MOST_GLUED => {
                    glued += 1;
                    let start = rest.start + at;
                    mended.mends.push(RepairNote {
                        span: start..start + key.len(),
                        message: format!("`{key}` follows the previous value without a line break"),
                        help: format!("start a new line before `{key}:`"),
                    });
                    (rest.start..start, Some(start..rest.end))
                }
                _ => (rest.clone(), None),
            };
            mended.read_head(block, head, problem.at, &problem.message)?;
            match tail {
                Some(tail) => rest = tail,
                None => break,
            }
        }
    }
    Some(mended)
}

impl RepairedFrontmatter {
    fn read_head(&mut self, block: &str, head: Range<usize>, at: usize, message: &str) -> Option<()> {
        let text = block.get(head.clone())?;
        if let Ok(entries) = yaml::read(text) {
            self.entries.extend(entries.into_iter().map(|entry| entry.shifted(head.start)));
            return Some(());
        }
        let (entry, help) = plain(text)?;
        let at = if at < text.trim_end().len() { at } else { entry.value.span.start };
        self.mends.push(RepairNote {
            span: head.start + at..head.start + at + 1,
            message: format!("The frontmatter is not valid YAML: {message}"),
            help,
        });
        self.entries.push(entry.shifted(head.start));
        Some(())
    }
}

fn pieces(block: &str) -> Option<Vec<Range<usize>>> {
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for line in block.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if split_key(line).is_some_and(|(key, _)| !key.starts_with([' ', '\t'])) {
            pieces.push(start..at);
        } else if let Some(last) = pieces.last_mut() {
            last.end = at;
        } else if !line.trim().is_empty() && !line.starts_with('#') {
            return None;
        }
    }
    (1..=MOST_PIECES).contains(&pieces.len()).then_some(pieces)
}

/// Splits `key: value`; keeps the blanks before the key.
fn split_key(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let word = key.trim();
    let is_word = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    (is_word && (value.is_empty() || value.starts_with(char::is_whitespace))).then_some((key, value))
}

fn key_of(piece: &str) -> Option<FrontmatterKey> {
    split_key(piece).and_then(|(key, _)| FrontmatterKey::read(key))
}

/// Finds a known key directly after a sentence, as in `Does things.license: MIT`. A key that also has its own line is
/// not glued anywhere: there it is a word like any other.
fn glued_key(text: &str, present: &[FrontmatterKey]) -> Option<(usize, &'static str)> {
    let keys = FrontmatterKey::ALL.iter().filter(|key| !present.contains(key)).map(|key| key.as_str());
    keys.chain(["version", "author"])
        .filter_map(|key| {
            let found = text.match_indices(key).find(|(at, _)| {
                let before = text.get(..*at).and_then(|before| before.chars().next_back());
                let after = text.get(at + key.len()..).unwrap_or_default();
                before.is_some_and(|c| ".!?;,)\"'".contains(c)) && after.starts_with(": ")
            });
            found.map(|(at, _)| (at, key))
        })
        .min()
}

/// Parses a piece as a key with plain text, and returns advice on how to write it.
fn plain(piece: &str) -> Option<(YamlEntry, String)> {
    let (first, more) = piece.split_once('\n').unwrap_or((piece, ""));
    let (key, value) = split_key(first)?;
    let key = key.trim();
    let more: Vec<&str> =
        more.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let start = first.len() - value.trim_start().len();
    let span = start..start + value.trim().len();
    let value = without_comment(value);
    let (value, help) = if value.is_empty() && FrontmatterKey::read(key) == Some(FrontmatterKey::Metadata) {
        let map = nested(&more, &span)?;
        (YamlValue::Map(map), format!("put the values under `{key}` in double quotes"))
    } else if value.is_empty() && !more.is_empty() && more.iter().all(|line| line.starts_with("- ")) {
        let items = more.iter().map(|line| text_node(line.trim_start_matches("- "), &span)).collect::<Option<_>>()?;
        (YamlValue::List(items), format!("put the items of `{key}` in double quotes"))
    } else {
        let text = whole_text(value, &more)?;
        let help = advice(key, &text);
        (YamlValue::Text { text, style: TextStyle::Quoted }, help)
    };
    Some((YamlEntry { key: key.to_owned(), key_span: 0..key.len(), value: YamlNode { span, value } }, help))
}

fn advice(key: &str, text: &str) -> String {
    // Advice must not make the author write invisible characters again.
    let line = one_line(&clean(text));
    if line.chars().count() > LONGEST_ADVICE {
        return format!("put the value of `{key}` on one line, in double quotes");
    }
    format!("write `{key}: {}`", scalar::value(&line))
}

/// Parses the `key: value` lines under `metadata`; a line without a key continues the value before it.
fn nested(lines: &[&str], span: &Range<usize>) -> Option<Vec<YamlEntry>> {
    let mut entries: Vec<YamlEntry> = Vec::new();
    for line in lines {
        match (split_key(line), entries.last_mut().map(|entry| &mut entry.value.value)) {
            (Some((key, value)), _) => {
                let value = text_node(without_comment(value), span)?;
                entries.push(YamlEntry { key: key.trim().to_owned(), key_span: span.clone(), value });
            }
            (None, Some(YamlValue::Text { text, .. })) => {
                text.push(' ');
                text.push_str(line);
            }
            (None, Some(YamlValue::List(_) | YamlValue::Map(_)) | None) => return None,
        }
    }
    Some(entries)
}

fn text_node(text: &str, span: &Range<usize>) -> Option<YamlNode> {
    let text = unquoted(text.trim())?;
    Some(YamlNode { span: span.clone(), value: YamlValue::Text { text, style: TextStyle::Quoted } })
}

fn whole_text(value: &str, more: &[&str]) -> Option<String> {
    let is_block = |mark: char| {
        value.strip_prefix(mark).is_some_and(|rest| rest.chars().all(|c| c == '-' || c == '+' || c.is_ascii_digit()))
    };
    if is_block('|') {
        return Some(more.join("\n"));
    }
    if is_block('>') {
        return Some(more.join(" "));
    }
    let mut text = value.to_owned();
    for line in more {
        text.push(' ');
        text.push_str(line);
    }
    unquoted(text.trim())
}

/// Removes a comment. It begins with a blank, `#` and a blank: `issue #12` is text.
fn without_comment(value: &str) -> &str {
    let value = value.trim();
    value.split_once(" # ").map_or(value, |(value, _)| value.trim_end())
}

/// Removes the quotes around a text; returns `None` if an opening quote or bracket is never closed.
fn unquoted(text: &str) -> Option<String> {
    for quote in ['"', '\''] {
        let Some(rest) = text.strip_prefix(quote) else { continue };
        return match rest.strip_suffix(quote) {
            Some(inner) if quote == '"' => Some(inner.replace("\\\"", "\"").replace("\\\\", "\\")),
            Some(inner) => Some(inner.replace("''", "'")),
            None => rest.contains(quote).then(|| text.to_owned()),
        };
    }
    for (opening, closing) in [('[', ']'), ('{', '}')] {
        if text.starts_with(opening) && text.matches(opening).count() != text.matches(closing).count() {
            return None;
        }
    }
    Some(text.to_owned())
}

#[cfg(test)]
#[path = "repair_tests.rs"]
mod tests;
