//! Makes one toggle of two, where a merge kept the lines of both sides.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::repeated_entry::{entry, without_comment};

/// A merge switches no skill on that one side had off, and ends no guard that one side had on: the commands of a workflow
/// need a grant in any case.
const TABLES: [ToggleHeader; 2] = [
    ToggleHeader { text: "[skills]", table: "skills", winner: false },
    ToggleHeader { text: "[workflows]", table: "workflows", winner: true },
];

struct ToggleHeader {
    text: &'static str,
    table: &'static str,
    /// The value of a toggle that one line has on and another off.
    winner: bool,
}

/// A text in which each toggle, and each table of toggles, is there once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedToggles<'t> {
    pub text: Cow<'t, str>,
    /// Toggles that one line has on and another off.
    pub contradictory: Vec<DoubledToggle<'t>>,
    /// The offsets of those lines in the old text whose toggle or header is above them already.
    pub repeated: BTreeSet<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoubledToggle<'t> {
    /// `skills` or `workflows`
    pub table: &'static str,
    pub key: &'t str,
    /// The value that counts.
    pub on: bool,
    /// The bytes of the first line that contradicts one above.
    pub place: Range<usize>,
}

/// Merges the toggles of a configuration. A table with anything but toggles, comments and blank lines stays as it is.
pub fn merge_toggles(text: &str) -> MergedToggles<'_> {
    let lines = config_lines(text);
    let mut merged = MergedToggles { text: Cow::Borrowed(text), contradictory: Vec::new(), repeated: BTreeSet::new() };
    // A line of a string over several lines may look like a header.
    if text.contains("\"\"\"") || text.contains("'''") {
        return merged;
    }
    let mut order = LineOrder::default();
    for header in TABLES {
        let inside = || lines.iter().enumerate().filter(|(_, line)| line.header == header.text);
        if inside().all(|(_, line)| line.content != LineContent::Other) {
            let places: Vec<usize> = inside().map(|(at, _)| at).collect();
            order.move_sections(&lines, &places, &mut merged.repeated);
            let toggles = inside().filter_map(|(at, line)| Some((at, line, line.toggle()?)));
            let mut kept: BTreeMap<&str, KeptToggle> = BTreeMap::new();
            for (at, line, (key, on)) in toggles {
                let Some(first) = kept.get_mut(key) else {
                    kept.insert(key, KeptToggle { at, on, is_contradicted: false });
                    continue;
                };
                merged.repeated.insert(line.start);
                if on != first.on && !std::mem::replace(&mut first.is_contradicted, true) {
                    let place = line.start..line.start + line.text.trim_end().len();
                    merged.contradictory.push(DoubledToggle { table: header.table, key, on: header.winner, place });
                }
                let wins = on != first.on && on == header.winner;
                order.dropped.insert(if wins { std::mem::replace(&mut first.at, at) } else { at });
                first.on = if wins { on } else { first.on };
            }
        }
    }
    if !merged.repeated.is_empty() {
        merged.text = Cow::Owned(order.write(&lines));
    }
    merged
}

/// The line of a toggle that stays.
struct KeptToggle {
    at: usize,
    on: bool,
    is_contradicted: bool,
}

struct ConfigLine<'t> {
    /// With its line break.
    text: &'t str,
    start: usize,
    /// The header on this line, or else the nearest above.
    header: &'t str,
    content: LineContent<'t>,
}

impl<'t> ConfigLine<'t> {
    fn toggle(&self) -> Option<(&'t str, bool)> {
        match self.content {
            LineContent::Toggle { key, on } => Some((key, on)),
            LineContent::Header | LineContent::Blank | LineContent::Comment | LineContent::Other => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineContent<'t> {
    Header,
    Toggle { key: &'t str, on: bool },
    Blank,
    Comment,
    Other,
}

fn config_lines(text: &str) -> Vec<ConfigLine<'_>> {
    let (mut start, mut header) = (0, "");
    let mut lines = Vec::new();
    for text in text.split_inclusive('\n') {
        let content = content_of(text.trim());
        if content == LineContent::Header {
            header = without_comment(text);
        }
        lines.push(ConfigLine { text, start, header, content });
        start += text.len();
    }
    lines
}

fn content_of(line: &str) -> LineContent<'_> {
    match line.bytes().next() {
        None => LineContent::Blank,
        Some(b'#') => LineContent::Comment,
        Some(b'[') => LineContent::Header,
        Some(_) => toggle(line).map_or(LineContent::Other, |(key, on)| LineContent::Toggle { key, on }),
    }
}

/// Reads a toggle whose key is a single word, or in quotes.
fn toggle(line: &str) -> Option<(&str, bool)> {
    let (key, value) = entry(line)?;
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let is_key = match line.len() - line.trim_start_matches(['"', '\'']).len() {
        0 => line.starts_with(key) && key.chars().all(is_plain),
        1 => !key.contains(['"', '\'', '\\']),
        _ => false,
    };
    let on = value.parse().ok()?;
    (is_key && !key.is_empty()).then_some((key, on))
}

/// The lines that leave their place; all others stay.
#[derive(Default)]
struct LineOrder {
    dropped: BTreeSet<usize>,
    /// Lines that go below another, by that one.
    moved: BTreeMap<usize, Vec<usize>>,
}

impl LineOrder {
    /// Moves the toggles below a repeated header to the end of the toggles below the first.
    fn move_sections(&mut self, lines: &[ConfigLine<'_>], inside: &[usize], repeated: &mut BTreeSet<usize>) {
        let is = |at: usize, content| lines.get(at).is_some_and(|line: &ConfigLine<'_>| line.content == content);
        let sections: Vec<&[usize]> = inside.chunk_by(|_, at| !is(*at, LineContent::Header)).collect();
        let toggles = |section: &[usize]| {
            let is_toggle = |at: &usize| lines.get(*at).is_some_and(|line| line.toggle().is_some());
            section.iter().rposition(is_toggle).unwrap_or_default()
        };
        let Some((first, others)) = sections.split_first() else { return };
        let Some(end) = first.get(toggles(first)) else { return };
        for section in others {
            let Some((header, below)) = section.get(..=toggles(section)).and_then(<[usize]>::split_first) else {
                continue;
            };
            repeated.extend(lines.get(*header).map(|line| line.start));
            let blanks = (0..*header).rev().take_while(|at| is(*at, LineContent::Blank));
            self.dropped.extend(blanks.chain([*header]));
            self.moved.entry(*end).or_default().extend(below);
        }
    }

    fn write(&self, lines: &[ConfigLine<'_>]) -> String {
        let is_moved: BTreeSet<usize> = self.moved.values().flatten().copied().collect();
        let mut text = String::new();
        for at in (0..lines.len()).filter(|at| !is_moved.contains(at)) {
            let moved = self.moved.get(&at).into_iter().flatten().copied();
            for at in [at].into_iter().chain(moved).filter(|at| !self.dropped.contains(at)) {
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push('\n');
                }
                text.push_str(lines.get(at).map_or("", |line| line.text));
            }
        }
        text
    }
}

#[cfg(test)]
#[path = "merged_toggles_tests.rs"]
mod tests;
