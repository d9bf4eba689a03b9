//! Finds the two lines of a key that a TOML text has twice, as a merge that keeps the lines of both sides leaves it.

use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatedEntry<'t> {
    pub key: &'t str,
    /// The two lines, from 1.
    pub lines: [usize; 2],
    /// The bytes of the second line, with its line break.
    pub second: Range<usize>,
    /// Whether it is a toggle: an entry of `[skills]` or `[workflows]`.
    pub is_toggle: bool,
    /// Whether both lines are `true`, or both `false`.
    pub is_same: bool,
    /// The header above the two, if it begins an entry of a list: `[[plugin-source]]`.
    pub list: Option<TableHeader<'t>>,
}

/// The header of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableHeader<'t> {
    pub text: &'t str,
    /// The line, from 1.
    pub line: usize,
}

/// Returns the two lines of the key at `offset`, which a parser calls a duplicate. `None` unless each entry has a line
/// of its own below one header.
pub fn repeated_entry(text: &str, offset: usize) -> Option<RepeatedEntry<'_>> {
    let before = text.get(..offset)?;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..)?.split_inclusive('\n').next()?;
    let (key, value) = entry(line)?;
    let above: Vec<&str> = text.get(..start)?.lines().collect();
    let header = above.iter().rposition(|line| line.trim_start().starts_with('['));
    let first = (header.map_or(0, |header| header + 1)..above.len())
        .find(|index| above.get(*index).and_then(|line| entry(line)).is_some_and(|(known, _)| known == key))?;
    let (_, first_value) = entry(above.get(first)?)?;
    let header =
        header.and_then(|index| Some(TableHeader { text: without_comment(above.get(index)?), line: index + 1 }));
    Some(RepeatedEntry {
        key,
        lines: [first + 1, above.len() + 1],
        second: start..start + line.len(),
        is_toggle: matches!(header.map(|header| header.text), Some("[skills]" | "[workflows]")),
        is_same: value == first_value && matches!(value, "true" | "false"),
        list: header.filter(|header| header.text.starts_with("[[")),
    })
}

/// Splits a line into its key, without quotes, and its value.
fn entry(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once('=')?;
    Some((key.trim().trim_matches(['"', '\'']), without_comment(value)))
}

fn without_comment(text: &str) -> &str {
    text.split('#').next().unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_key_that_is_there_twice() {
        let check = |text: &str, offset: usize| {
            repeated_entry(text, offset)
                .map(|found| (found.key.to_owned(), found.lines, found.is_toggle, found.is_same))
        };
        let at_end = |text: &str| check(text, text.trim_end().rfind('\n').map_or(0, |end| end + 1));
        let found = |lines, is_toggle, is_same| Some(("rand".to_owned(), lines, is_toggle, is_same));
        for (text, expected) in [
            ("[skills]\nrand = true\nserde = true\nrand = true\n", found([2, 4], true, true)),
            ("[workflows] # ours\n\"rand\" = false # no\nrand=false", found([2, 3], true, true)),
            ("[skills]\r\nrand = true\r\nrand = false\r\n", found([2, 3], true, false)),
            ("[defaults]\nrand = true\nrand = true\n", found([2, 3], false, true)),
            ("rand = true\nrand = true\n", found([1, 2], false, true)),
            ("[skills]\nrand = [\nrand = [\n", found([2, 3], true, false)),
            ("[skills]\nrand = true\n[workflows]\nrand = true\n", None),
            ("skills = { rand = true, rand = true }\n", None),
            ("[skills]\n[skills]\n", None),
        ] {
            assert_eq!(at_end(text), expected, "{text}");
        }
        assert_eq!(check("[skills]\n", 99), None);
        let text = "[skills]\nrand = true\nrand = true\nserde = true\n";
        assert_eq!(repeated_entry(text, 21).map(|found| found.second), Some(21..33));
    }
}
