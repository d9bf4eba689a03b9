//! A block of lines between two marks, in a text of any kind, such as AGENTS.md.
//!
//! The marks are lines of their own. A new block stands at the end after an empty line, so that removing it restores
//! every byte, also the missing end of a last line.

use std::ops::Range;

use serde_json::Value;
use symposium_model::edit::{EditResult, EntryOutcome, EntryRemoval, SettingsEntry};

use crate::error::{EditError, EditErrorKind};
use crate::splice::{TextSplice, apply, part};

/// The beginning of the first mark; the rest of its line is a remark for readers.
const BEGIN: &str = "<!-- symposium:begin";
const BEGIN_LINE: &str = "<!-- symposium:begin (`symposium sync` writes this block; text outside of it stays) -->";
const END: &str = "<!-- symposium:end -->";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MarkKind {
    Begin,
    End,
}

/// A line that is a mark, without its end.
struct MarkLine {
    kind: MarkKind,
    range: Range<usize>,
}

/// Makes the block present once, with the text of the only entry; other blocks of Symposium are removed.
pub(crate) fn insert(text: &str, entries: &[SettingsEntry]) -> Result<EditResult, EditError> {
    let mut result = plan(text, entries)?;
    let again = plan(&result.text, entries)?;
    if again.text != result.text {
        return Err(EditError::unsafe_result(text));
    }
    result.changed = result.text != text;
    Ok(result)
}

fn plan(text: &str, entries: &[SettingsEntry]) -> Result<EditResult, EditError> {
    if text.ends_with('\r') {
        let (message, help) = ("The last line ends with a carriage return alone", "end it with a line feed");
        let end = text.len() - 1..text.len();
        return Err(EditError::new(EditErrorKind::Unsupported, text, end, message, help));
    }
    let blocks = blocks(text)?;
    let Some(Value::String(body)) = entries.first().map(|entry| &entry.value) else {
        return Ok(result(text.to_owned(), Vec::new()));
    };
    let block = render(body, line_end(text));
    let mut blocks = blocks.into_iter();
    let Some(first) = blocks.next() else {
        return Ok(result(format!("{text}{}", appended(text, &block)), vec![EntryOutcome::Inserted]));
    };
    let is_same = part(text, first.clone()) == block;
    let surplus: Vec<TextSplice> = blocks.map(|range| TextSplice::deletion(with_gap(text, range))).collect();
    let is_alone = surplus.is_empty();
    let splices = std::iter::once(TextSplice::replacement(first, block)).chain(surplus).collect();
    let outcome = if is_same && is_alone { EntryOutcome::Unchanged } else { EntryOutcome::Updated };
    Ok(result(apply(text, splices), vec![outcome]))
}

/// Removes every block, with the empty line before it.
pub(crate) fn remove(text: &str, removals: &[EntryRemoval]) -> Result<EditResult, EditError> {
    let blocks = blocks(text)?;
    let outcome = if blocks.is_empty() { EntryOutcome::Unchanged } else { EntryOutcome::Removed };
    let splices = blocks.into_iter().map(|range| TextSplice::deletion(with_gap(text, range))).collect();
    Ok(result(apply(text, splices), removals.iter().map(|_| outcome).collect()))
}

fn result(text: String, outcomes: Vec<EntryOutcome>) -> EditResult {
    EditResult { text, changed: false, outcomes, created: Vec::new() }
}

fn render(body: &str, end: &str) -> String {
    // A line of the text must not pass for a mark.
    let lines = body.lines().filter(|line| kind_of(line).is_none());
    std::iter::once(BEGIN_LINE).chain(lines).chain([END]).collect::<Vec<_>>().join(end)
}

/// Returns the block with what separates it from the text before. A last line without an end stays the only such line.
fn appended(text: &str, block: &str) -> String {
    let end = line_end(text);
    match (text.is_empty(), text.ends_with('\n')) {
        (true, _) => format!("{block}{end}"),
        (false, true) => format!("{end}{block}{end}"),
        (false, false) => format!("{end}{end}{block}"),
    }
}

/// Widens the range of a block to what was inserted with it.
fn with_gap(text: &str, block: Range<usize>) -> Range<usize> {
    let before = part(text, 0..block.start);
    let after = part(text, block.end..text.len());
    let one_less = |text: &str| without_end(text).map(str::len);
    match without_end_at_start(after) {
        Some(rest) => {
            // The line before is empty if another line ends right before its own end.
            let is_gap = without_end(before).is_some_and(|line| line.is_empty() || line.ends_with('\n'));
            let start = one_less(before).filter(|_| is_gap).unwrap_or(block.start);
            start..text.len() - rest.len()
        }
        None => {
            let start = without_end(before).and_then(without_end).map_or(block.start, str::len);
            start..block.end
        }
    }
}

fn without_end(text: &str) -> Option<&str> {
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n'))
}

fn without_end_at_start(text: &str) -> Option<&str> {
    text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n'))
}

fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if part(text, 0..at).ends_with('\r') => "\r\n",
        Some(_) | None => "\n",
    }
}

fn kind_of(line: &str) -> Option<MarkKind> {
    let line = line.trim();
    if line == END {
        return Some(MarkKind::End);
    }
    (line.starts_with(BEGIN) && line.ends_with("-->")).then_some(MarkKind::Begin)
}

fn marks(text: &str) -> Vec<MarkLine> {
    let mut at = 0;
    let mut marks = Vec::new();
    for line in text.split_inclusive('\n') {
        let bare = without_end(line).unwrap_or(line);
        if let Some(kind) = kind_of(bare) {
            marks.push(MarkLine { kind, range: at..at + bare.len() });
        }
        at += line.len();
    }
    marks
}

/// Finds the blocks: each mark of a beginning must be followed by one of an end.
fn blocks(text: &str) -> Result<Vec<Range<usize>>, EditError> {
    let marks = marks(text);
    let mut blocks = Vec::new();
    for pair in marks.chunks(2) {
        match pair {
            [begin, end] if begin.kind == MarkKind::Begin && end.kind == MarkKind::End => {
                blocks.push(begin.range.start..end.range.end);
            }
            [first, ..] => return Err(unpaired(text, first)),
            [] => {}
        }
    }
    Ok(blocks)
}

fn unpaired(text: &str, mark: &MarkLine) -> EditError {
    let message = match mark.kind {
        MarkKind::Begin => "The block of Symposium that begins here has no end of its own",
        MarkKind::End => "The block of Symposium that ends here has no beginning",
    };
    let help = "remove this line, or write `<!-- symposium:begin -->` and `<!-- symposium:end -->` around the block";
    EditError::new(EditErrorKind::Shape, text, mark.range.clone(), message, help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use symposium_model::edit::EntrySlot;
    use symposium_model::ownership::Marker;

    fn entry(body: &str) -> SettingsEntry {
        SettingsEntry {
            path: vec!["symposium".to_owned()],
            slot: EntrySlot::Key,
            value: Value::String(body.to_owned()),
            mark: Marker::Marked,
        }
    }

    fn inserted(text: &str, body: &str) -> String {
        insert(text, &[entry(body)]).unwrap().text
    }

    fn removed(text: &str) -> String {
        remove(text, &[EntryRemoval::from(&entry(""))]).unwrap().text
    }

    #[test]
    fn removing_restores_every_text() {
        for text in
            ["", "\n", "\n\n", "a", "a\n", "a\n\n", "a\n\n\n", "a\r\n", "a\r\nb", "\r\n", "a\n\nb", " ", "a\nb\r\n"]
        {
            let with = inserted(text, "one\ntwo");
            assert!(with.starts_with(text) && with.contains("two"), "{with:?}");
            assert_eq!(removed(&with), text, "{with:?}");
            assert_eq!(inserted(&with, "one\ntwo"), with);
            let updated = inserted(&with, "three");
            assert_eq!(updated, inserted(text, "three"));
            assert_eq!(removed(&updated), text);
        }
        assert_eq!(
            inserted("a\r\n", "b"),
            format!("a\r\n\r\n{BEGIN_LINE}\r\nb\r\n{END}\r\n"),
            "the ends of lines are those of the file"
        );
    }

    #[test]
    fn text_around_the_block_stays_whatever_the_user_did() {
        let block = format!("{BEGIN_LINE}\nold\n{END}");
        for (text, with, without) in [
            (format!("a\n\n{block}\n\nb\n"), "a\n\nBLOCK\n\nb\n", "a\n\nb\n"),
            (format!("{block}\nb"), "BLOCK\nb", "b"),
            (format!("a\n{block}\nb\n"), "a\nBLOCK\nb\n", "a\nb\n"),
            (format!("a\n\n{block}\nb\n\n{block}\n"), "a\n\nBLOCK\nb\n", "a\nb\n"),
            (format!("a\n\n  {BEGIN} mine -->\nx\n {END} \nb\n"), "a\n\nBLOCK\nb\n", "a\nb\n"),
        ] {
            let new = format!("{BEGIN_LINE}\nnew\n{END}");
            assert_eq!(inserted(&text, "new"), with.replace("BLOCK", &new), "{text:?}");
            assert_eq!(removed(&text), without, "{text:?}");
        }
    }

    #[test]
    fn marks_that_do_not_pair_are_an_error() {
        for text in [
            format!("a\n{BEGIN_LINE}\nb\n"),
            format!("{END}\n"),
            format!("{END}\n{BEGIN_LINE}\n"),
            format!("{BEGIN_LINE}\n{BEGIN_LINE}\n{END}\n{END}\n"),
            format!("{BEGIN_LINE}\n{END}\n{END}\n"),
        ] {
            assert!(insert(&text, &[entry("x")]).is_err(), "{text:?}");
            assert!(remove(&text, &[EntryRemoval::from(&entry(""))]).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_text_with_marks_in_it_makes_no_marks() {
        let with = inserted("a\n", &format!("x\n{END}\ny\n{BEGIN_LINE}"));
        assert_eq!(removed(&with), "a\n");
    }
}
