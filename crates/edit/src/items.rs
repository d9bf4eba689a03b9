//! Insertion into and removal from a bracketed list, such that removing inserted items restores the old bytes.
//!
//! The list is an object, an array or an inline table: only the offsets of its brackets, items and commas matter.
//!
//! - New items follow everything else, including comments; a list with a trailing comma keeps one.
//! - In an empty list the new items stand right before the closing bracket, after the existing blanks, so that a
//!   removal can tell those blanks from inserted ones.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::splice::{TextSplice, merged, part};
use crate::trivia::{CommentStyle, ItemGap, line_indent, newline_before};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextLayout {
    pub(crate) newline: &'static str,
    pub(crate) unit: String,
    /// Between a comma or colon and the text that follows on the same line.
    pub(crate) space: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ItemFlow {
    Lines {
        indent: String,
    },
    /// On one line, with this between comma and item.
    Inline {
        gap: String,
    },
}

/// The surroundings of an empty list, which decide how its first item is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListSurroundings {
    Lines,
    OneLine,
}

#[derive(Debug, Clone)]
pub(crate) struct ListItems<'t> {
    pub(crate) text: &'t str,
    pub(crate) comments: CommentStyle,
    pub(crate) open: usize,
    pub(crate) close: usize,
    pub(crate) spans: Vec<Range<usize>>,
}

impl ListItems<'_> {
    fn gap_after(&self, from: usize) -> ItemGap {
        ItemGap::after(self.text, from, self.comments)
    }

    fn gap_before(&self, index: usize) -> ItemGap {
        let from =
            index.checked_sub(1).and_then(|previous| self.spans.get(previous)).map_or(self.open, |span| span.end);
        self.gap_after(from)
    }

    fn is_blank(&self, range: Range<usize>) -> bool {
        part(self.text, range).bytes().all(|byte| byte.is_ascii_whitespace())
    }

    pub(crate) fn has_comment(&self) -> bool {
        (0..=self.spans.len()).any(|index| self.gap_before(index).has_comment)
    }

    pub(crate) fn flow(&self, layout: &TextLayout, surroundings: ListSurroundings) -> ItemFlow {
        let inner_lines =
            || ItemFlow::Lines { indent: format!("{}{}", line_indent(self.text, self.open), layout.unit) };
        let inline = |gap: &str| ItemFlow::Inline { gap: gap.to_owned() };
        let Some(last) = self.spans.last() else {
            let has_lines = part(self.text, self.open..self.close).contains('\n');
            return if has_lines || surroundings == ListSurroundings::Lines {
                inner_lines()
            } else {
                inline(layout.space)
            };
        };
        let before = self.gap_before(self.spans.len() - 1);
        if part(self.text, before.range.clone()).contains('\n') {
            return ItemFlow::Lines { indent: line_indent(self.text, last.start).to_owned() };
        }
        if self.gap_after(last.end).anchor_is_line_comment {
            return inner_lines();
        }
        if before.comma.is_some() { inline(part(self.text, before.last_blank())) } else { inline(layout.space) }
    }

    /// Appends items, already written for `flow`.
    pub(crate) fn append(&self, new: &[String], flow: &ItemFlow, layout: &TextLayout) -> Vec<TextSplice> {
        if new.is_empty() {
            return Vec::new();
        }
        let between = match flow {
            ItemFlow::Lines { indent } => format!("{}{indent}", layout.newline),
            ItemFlow::Inline { gap } => gap.clone(),
        };
        let Some(last) = self.spans.last() else {
            let tail = part(self.text, self.gap_after(self.open).last_blank());
            let joined = new.join(&format!(",{between}"));
            return vec![TextSplice::insertion(
                self.close,
                match flow {
                    ItemFlow::Lines { .. } => {
                        format!("{between}{joined}{}{}", layout.newline, line_indent(self.text, self.open))
                    }
                    ItemFlow::Inline { .. } => format!("{joined}{tail}"),
                },
            )];
        };
        let gap = self.gap_after(last.end);
        if gap.comma.is_some() {
            let text = format!("{between}{},", new.join(&format!(",{between}")));
            return vec![TextSplice::insertion(gap.anchor, text)];
        }
        let text = format!("{between}{}", new.join(&format!(",{between}")));
        vec![TextSplice::insertion(last.end, ","), TextSplice::insertion(gap.anchor, text)]
    }

    /// Removes the items with these indices; comments around them stay.
    pub(crate) fn remove(&self, doomed: &BTreeSet<usize>, layout: &TextLayout) -> Vec<TextSplice> {
        let mut deletions = Vec::new();
        let mut line_comment_ends = BTreeSet::new();
        let last_kept = (0..self.spans.len()).rev().find(|index| !doomed.contains(index));
        for (index, span) in self.spans.iter().enumerate().filter(|(index, _)| doomed.contains(index)) {
            let before = self.gap_before(index);
            if before.anchor_is_line_comment {
                line_comment_ends.insert(before.anchor);
            }
            let blank = before.last_blank();
            // The first item of a list that becomes empty: the blanks before its insertion are kept.
            let start = if last_kept.is_none() && index == 0 { self.end_of_old_blank(&blank) } else { blank.start };
            deletions.push(start..span.end);
            let after = self.gap_after(span.end);
            if let Some(comma) = after.comma {
                let start = if self.is_blank(span.end..comma) { span.end } else { comma };
                deletions.push(start..comma + 1);
            }
            if last_kept.is_none() && index + 1 == self.spans.len() && !after.has_comment {
                deletions.push(after.last_blank());
            }
        }
        let ends_without_comma = self.spans.last().is_some_and(|last| self.gap_after(last.end).comma.is_none());
        let last_is_doomed = doomed.contains(&self.spans.len().wrapping_sub(1));
        if let Some(kept) = last_kept.and_then(|index| self.spans.get(index))
            && last_is_doomed
            && ends_without_comma
            && let Some(comma) = self.gap_after(kept.end).comma
        {
            deletions.push(comma..comma + 1);
        }
        merged(deletions)
            .into_iter()
            .map(|range| {
                let follows_line_comment = line_comment_ends.contains(&range.start);
                if follows_line_comment && !part(self.text, range.end..self.text.len()).starts_with(['\n', '\r']) {
                    return TextSplice::replacement(range, layout.newline);
                }
                TextSplice::deletion(range)
            })
            .collect()
    }

    /// Returns the end of the blanks that were in an empty list before its first item was inserted.
    fn end_of_old_blank(&self, blank: &Range<usize>) -> usize {
        let text = part(self.text, blank.clone());
        match text.rfind('\n') {
            Some(at) => newline_before(self.text, blank.start + at + 1).unwrap_or(blank.end).max(blank.start),
            None => blank.end,
        }
    }
}
