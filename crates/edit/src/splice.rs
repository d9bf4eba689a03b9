//! Changes to a text by byte offsets.

use std::ops::Range;

/// A replacement of `range` by `text`; an empty range is an insertion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextSplice {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
}

impl TextSplice {
    pub(crate) fn insertion(at: usize, text: impl Into<String>) -> Self {
        Self { range: at..at, text: text.into() }
    }

    pub(crate) fn deletion(range: Range<usize>) -> Self {
        Self { range, text: String::new() }
    }

    pub(crate) fn replacement(range: Range<usize>, text: impl Into<String>) -> Self {
        Self { range, text: text.into() }
    }
}

pub(crate) fn part(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or_default()
}

/// Applies all splices at once. Insertions at one offset keep their order; a splice inside an earlier, larger one is
/// dropped.
pub(crate) fn apply(text: &str, mut splices: Vec<TextSplice>) -> String {
    // At one offset insertions come before a replacement of the text that follows.
    splices.sort_by_key(|splice| {
        (splice.range.start, std::cmp::Reverse(splice.range.is_empty()), std::cmp::Reverse(splice.range.end))
    });
    let mut result = String::with_capacity(text.len() + splices.iter().map(|splice| splice.text.len()).sum::<usize>());
    let mut done = 0;
    for splice in splices {
        if splice.range.start < done {
            continue;
        }
        result.push_str(part(text, done..splice.range.start));
        result.push_str(&splice.text);
        done = splice.range.end;
    }
    result.push_str(part(text, done..text.len()));
    result
}

pub(crate) fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.retain(|range| !range.is_empty());
    ranges.sort_by_key(|range| range.start);
    let mut result: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match result.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => result.push(range),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splices_apply_in_order_and_larger_ones_win() {
        let splices = vec![
            TextSplice::insertion(4, "y"),
            TextSplice::insertion(0, "<"),
            TextSplice::deletion(1..4),
            TextSplice::deletion(2..3),
            TextSplice::replacement(4..5, "E"),
            TextSplice::insertion(6, ">"),
            TextSplice::insertion(6, "!"),
        ];
        assert_eq!(apply("abcdef", splices), "<ayEf>!");
        assert_eq!(apply("", vec![TextSplice::insertion(0, "x")]), "x");
    }

    #[test]
    fn touching_ranges_become_one() {
        assert_eq!(merged(vec![4..6, 0..2, 2..3, 9..9, 5..8]), [0..3, 4..8]);
    }
}
