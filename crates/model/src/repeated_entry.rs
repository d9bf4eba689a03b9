//! Finds the two lines of a key that a TOML text has twice, as a merge that keeps the lines of both sides leaves it.

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatedEntry<'t> {
    pub key: &'t str,
    /// The two lines, from 1.
    pub lines: [usize; 2],
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
    let (key, _) = entry(line)?;
    let above: Vec<&str> = text.get(..start)?.lines().collect();
    let header = above.iter().rposition(|line| line.trim_start().starts_with('['));
    let first = (header.map_or(0, |header| header + 1)..above.len())
        .find(|index| above.get(*index).and_then(|line| entry(line)).is_some_and(|(known, _)| known == key))?;
    let header =
        header.and_then(|index| Some(TableHeader { text: without_comment(above.get(index)?), line: index + 1 }));
    Some(RepeatedEntry {
        key,
        lines: [first + 1, above.len() + 1],
        list: header.filter(|header| header.text.starts_with("[[")),
    })
}

/// Splits a line into its key, without quotes, and its value.
pub(crate) fn entry(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once('=')?;
    Some((key.trim().trim_matches(['"', '\'']), without_comment(value)))
}

pub(crate) fn without_comment(text: &str) -> &str {
    text.split('#').next().unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_key_that_is_there_twice() {
        let check =
            |text: &str, offset: usize| repeated_entry(text, offset).map(|found| (found.key.to_owned(), found.lines));
        let at_end = |text: &str| check(text, text.trim_end().rfind('\n').map_or(0, |end| end + 1));
        let found = |lines| Some(("rand".to_owned(), lines));
        for (text, expected) in [
            ("[defaults]\nrand = true\nserde = true\nrand = true\n", found([2, 4])),
            ("[agent] # ours\n\"rand\" = false # no\nrand=false", found([2, 3])),
            ("[defaults]\r\nrand = true\r\nrand = false\r\n", found([2, 3])),
            ("rand = true\nrand = true\n", found([1, 2])),
            ("[skills]\nrand = [\nrand = [\n", found([2, 3])),
            ("[skills]\nrand = true\n[workflows]\nrand = true\n", None),
            ("skills = { rand = true, rand = true }\n", None),
            ("[skills]\n[skills]\n", None),
        ] {
            assert_eq!(at_end(text), expected, "{text}");
        }
        assert_eq!(check("[skills]\n", 99), None);
    }
}
