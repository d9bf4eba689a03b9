//! Finds invisible characters.
//!
//! Some are always reported. Joiners and variation selectors are judged by the visible characters around them: a run of
//! them is kept or removed as a whole, and its neighbours are never removed, so cleaning is idempotent.

use super::finding::{FindingKind, ScanFinding};
use super::ranges::{is_emoji, is_letter, is_variation_selector, takes_variation};

const ZWNJ: char = '\u{200c}';
const ZWJ: char = '\u{200d}';
const EMOJI_STYLE: char = '\u{fe0f}';
const KEYCAP: char = '\u{20e3}';
const BLACK_FLAG: char = '\u{1f3f4}';

/// The tags after the black flag in the flags of England, Scotland and Wales, with the end tag.
const FLAG_TAGS: [&str; 3] = [
    "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// Returns every blocking character of `text`, in order; neighbours of one kind are one finding.
pub(super) fn blocking(text: &str) -> Vec<ScanFinding> {
    let mut findings = FindingCollector(Vec::new());
    let mut before = None;
    let mut run: Vec<(usize, char)> = Vec::new();
    // Characters before this offset belong to a flag.
    let mut flag_end = 0;
    for (at, c) in text.char_indices() {
        if is_conditional(c) {
            run.push((at, c));
            continue;
        }
        if at >= flag_end
            && let Some(kind) = never_welcome(text, at, c)
        {
            findings.push(kind, at, c);
            continue;
        }
        judge(before, &run, Some(c), &mut findings);
        run.clear();
        before = Some(c);
        if c == BLACK_FLAG {
            flag_end = end_of_flag(text, at);
        }
    }
    judge(before, &run, None, &mut findings);
    findings.0.sort_by_key(|finding| finding.span.start);
    findings.0
}

struct FindingCollector(Vec<ScanFinding>);

impl FindingCollector {
    fn push(&mut self, kind: FindingKind, at: usize, c: char) {
        let end = at + c.len_utf8();
        match self.0.last_mut() {
            Some(last) if last.kind == kind && last.span.end == at => last.span.end = end,
            _ => self.0.push(ScanFinding::new(kind, at..end)),
        }
    }
}

fn is_conditional(c: char) -> bool {
    c == ZWNJ || c == ZWJ || is_variation_selector(c)
}

fn never_welcome(text: &str, at: usize, c: char) -> Option<FindingKind> {
    match c {
        '\t' | '\n' => None,
        '\r' if text.get(at + 1..).is_some_and(|rest| rest.starts_with('\n')) => None,
        '\u{feff}' => (at > 0).then_some(FindingKind::ByteOrderMark),
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Some(FindingKind::Control),
        '\u{200b}' | '\u{2060}'..='\u{2064}' => Some(FindingKind::ZeroWidth),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some(FindingKind::BidiControl),
        '\u{e0000}'..='\u{e007f}' => Some(FindingKind::TagCharacter),
        _ => None,
    }
}

fn end_of_flag(text: &str, at: usize) -> usize {
    let start = at + BLACK_FLAG.len_utf8();
    let rest = text.get(start..).unwrap_or_default();
    FLAG_TAGS.iter().find(|tags| rest.starts_with(**tags)).map_or(0, |tags| start + tags.len())
}

fn judge(before: Option<char>, run: &[(usize, char)], after: Option<char>, findings: &mut FindingCollector) {
    let emoji = |c: Option<char>| c.is_some_and(is_emoji);
    let letter = |c: Option<char>| c.is_some_and(is_letter);
    let welcome = match run {
        [] => true,
        [(_, ZWJ)] if emoji(before) && emoji(after) => true,
        [(_, ZWJ | ZWNJ)] => letter(before) || letter(after),
        [(_, EMOJI_STYLE)] if after == Some(KEYCAP) => matches!(before, Some('0'..='9' | '#' | '*')),
        [(_, selector)] => before.is_some_and(|base| takes_variation(base, *selector)),
        [(_, EMOJI_STYLE), (_, ZWJ)] => emoji(before) && emoji(after),
        _ => false,
    };
    if welcome {
        return;
    }
    for (at, c) in run {
        let kind = if is_variation_selector(*c) { FindingKind::VariationSelector } else { FindingKind::Joiner };
        findings.push(kind, *at, *c);
    }
}
