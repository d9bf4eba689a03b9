//! Renders the SKILL.md to install: one form that satisfies every agent and the reference validator at once.
//!
//! `---` is at byte 0 and occurs nowhere else in the frontmatter, every value is one line of safely quoted YAML, and
//! only the six keys of the Agent Skills format are at the top level. Symposium's keys and unknown ones are under
//! `metadata`.

use super::document::{LONGEST_DESCRIPTION, SkillActivation, SkillDocument};
use super::name::SkillName;
use super::one_line::{cut, one_line};
use super::scalar::{nested_key, value};
use crate::scan::clean;

/// The limit of the Agent Skills format for `compatibility`, in characters.
pub(super) const LONGEST_COMPATIBILITY: usize = 500;

/// In characters. YAML parsers look for the colon after a key only within 1024 characters.
const LONGEST_KEY: usize = 200;

/// Returns the text to install for `document` under `name`, which is also its directory. The body is kept byte for
/// byte.
///
/// Parsing the result gives the same conditions, and rendering that again gives the same text.
pub fn installed_text(document: &SkillDocument, body: &str, name: &SkillName) -> String {
    let mut text = String::with_capacity(body.len() + 1024);
    text.push_str("---\n");
    push(&mut text, "name", name.as_str());
    push(&mut text, "description", &description(document));
    let optional = [
        ("license", document.license.as_deref().map(one_line)),
        ("compatibility", Some(cut(&document.compatibility.to_text(), LONGEST_COMPATIBILITY))),
        ("allowed-tools", document.allowed_tools.as_deref().map(one_line)),
    ];
    for (key, entry) in optional {
        if let Some(entry) = entry.filter(|entry| !entry.is_empty()) {
            push(&mut text, key, &entry);
        }
    }
    let metadata = metadata(document);
    if !metadata.is_empty() {
        text.push_str("metadata:\n");
        for (key, entry) in &metadata {
            text.push_str("  ");
            push(&mut text, &nested_key(key), entry);
        }
    }
    text.push_str("---\n");
    text.push_str(body);
    text
}

fn push(text: &mut String, key: &str, entry: &str) {
    text.push_str(key);
    text.push_str(": ");
    text.push_str(&value(entry));
    text.push('\n');
}

/// Returns one line of 1 to 1024 characters, without `---`, at which Goose and the reference validator cut.
fn description(document: &SkillDocument) -> String {
    let whole = without_fences(&document.listed_description());
    // Cutting can split a joined emoji.
    let cut = clean(&cut(&whole, LONGEST_DESCRIPTION)).into_owned();
    if cut.is_empty() { document.name.to_string() } else { cut }
}

fn without_fences(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut hyphens = 0;
    let flush = |kept: &mut String, hyphens: &mut usize| {
        match *hyphens {
            0..=2 => kept.extend(std::iter::repeat_n('-', *hyphens)),
            _ => kept.push('—'),
        }
        *hyphens = 0;
    };
    for c in text.chars() {
        if c == '-' {
            hyphens += 1;
            continue;
        }
        flush(&mut kept, &mut hyphens);
        kept.push(c);
    }
    flush(&mut kept, &mut hyphens);
    kept
}

/// Returns everything for `metadata`: Symposium's keys, the author's, and unknown top-level keys, each key once.
fn metadata(document: &SkillDocument) -> Vec<(String, String)> {
    let mut entries: Vec<(String, String)> = Vec::new();
    if !document.crates.is_empty() {
        add(&mut entries, "crates", &document.crates.join(", "));
    }
    if !document.predicates.is_empty() {
        add(&mut entries, "predicates", &document.predicates.join(", "));
    }
    match document.activation {
        SkillActivation::Always => add(&mut entries, "activation", "always"),
        SkillActivation::Optional => {}
    }
    if let Some(digest) = &document.digest {
        add(&mut entries, "digest", digest);
    }
    for (key, entry) in document.metadata.iter().chain(&document.other) {
        add(&mut entries, key, entry);
    }
    entries
}

fn add(entries: &mut Vec<(String, String)>, key: &str, entry: &str) {
    let wanted: String = one_line(key).chars().take(LONGEST_KEY).collect();
    let mut key = wanted.trim_end().to_owned();
    let mut count = 1;
    while entries.iter().any(|(taken, _)| *taken == key) {
        count += 1;
        key = format!("{}-{count}", wanted.trim_end());
    }
    entries.push((key, entry.to_owned()));
}

#[cfg(test)]
#[path = "installed_text_tests.rs"]
mod tests;
