//! Trivia, the text between the values of a file: blanks, comments, and at most one comma.

use std::ops::Range;

use crate::splice::part;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommentStyle {
    /// `// …` and `/* … */`.
    Slashes,
    /// `# …`.
    Hash,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TriviaPiece {
    Blank,
    LineComment,
    BlockComment,
    Unclosed,
}

pub(crate) fn piece(text: &str, at: usize, comments: CommentStyle) -> Option<(TriviaPiece, usize)> {
    let rest = text.get(at..)?;
    let blank = rest.bytes().take_while(|byte| is_blank(*byte)).count();
    if blank > 0 {
        return Some((TriviaPiece::Blank, at + blank));
    }
    let line_start = match comments {
        CommentStyle::Slashes => "//",
        CommentStyle::Hash => "#",
    };
    if rest.starts_with(line_start) {
        let len = rest.bytes().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count();
        return Some((TriviaPiece::LineComment, at + len));
    }
    if comments == CommentStyle::Slashes && rest.starts_with("/*") {
        let inside = part(rest, 2..rest.len());
        return Some(match inside.find("*/") {
            Some(len) => (TriviaPiece::BlockComment, at + 2 + len + 2),
            None => (TriviaPiece::Unclosed, text.len()),
        });
    }
    None
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Everything between one value (or an opening bracket) and the next (or the closing bracket).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ItemGap {
    pub(crate) range: Range<usize>,
    pub(crate) comma: Option<usize>,
    /// The end of the last comment or of the comma, whichever comes later; else the start. Only blanks follow.
    pub(crate) anchor: usize,
    /// True when `anchor` ends a line comment, so that a line break must follow.
    pub(crate) anchor_is_line_comment: bool,
    pub(crate) has_comment: bool,
}

impl ItemGap {
    pub(crate) fn after(text: &str, from: usize, comments: CommentStyle) -> Self {
        let mut gap =
            Self { range: from..from, comma: None, anchor: from, anchor_is_line_comment: false, has_comment: false };
        loop {
            let at = gap.range.end;
            if let Some((piece, end)) = piece(text, at, comments) {
                gap.range.end = end;
                if piece != TriviaPiece::Blank {
                    gap.anchor = end;
                    gap.has_comment = true;
                    gap.anchor_is_line_comment = piece == TriviaPiece::LineComment;
                }
            } else if gap.comma.is_none() && text.as_bytes().get(at) == Some(&b',') {
                gap.comma = Some(at);
                gap.range.end = at + 1;
                gap.anchor = at + 1;
                gap.anchor_is_line_comment = false;
            } else {
                return gap;
            }
        }
    }

    pub(crate) fn last_blank(&self) -> Range<usize> {
        self.anchor..self.range.end
    }
}

pub(crate) fn line_start(text: &str, at: usize) -> usize {
    part(text, 0..at).rfind('\n').map_or(0, |newline| newline + 1)
}

/// Returns the end of the line that holds `at`, including its line break.
pub(crate) fn line_end(text: &str, at: usize) -> usize {
    part(text, at..text.len()).find('\n').map_or(text.len(), |newline| at + newline + 1)
}

/// Returns the blanks at the start of the line that holds `at`.
pub(crate) fn line_indent(text: &str, at: usize) -> &str {
    let start = line_start(text, at);
    let len = part(text, start..at).bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    part(text, start..start + len)
}

/// Returns the line break of the text: that of the first line.
///
/// A text with a lone carriage return gets both characters: an inserted line feed right after one would look like its
/// second half.
pub(crate) fn newline_of(text: &str) -> &'static str {
    let first_has_both = text.find('\n').is_some_and(|at| part(text, 0..at).ends_with('\r'));
    let has_lone_return = text.split('\r').skip(1).any(|rest| !rest.starts_with('\n'));
    if first_has_both || has_lone_return { "\r\n" } else { "\n" }
}

/// Returns the start of the line break that ends right before `at`.
pub(crate) fn newline_before(text: &str, at: usize) -> Option<usize> {
    let before = part(text, 0..at).strip_suffix('\n')?;
    Some(before.strip_suffix('\r').unwrap_or(before).len())
}

/// Returns the end of the line break that starts at `at`.
pub(crate) fn newline_after(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let len = if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
    (len > 0).then_some(at + len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_ends_at_the_next_value_and_is_anchored_at_its_last_comment_or_comma() {
        for (text, comments, comma, anchored, line_comment) in [
            (" , x", CommentStyle::Slashes, Some(1), " ,", false),
            (" /* a */ , // b\n ]", CommentStyle::Slashes, Some(9), " /* a */ , // b", true),
            ("// b\r\n , ]", CommentStyle::Slashes, Some(7), "// b\r\n ,", false),
            (" # c, d\n}", CommentStyle::Hash, None, " # c, d", true),
            ("# x]", CommentStyle::Slashes, None, "", false),
            (",,", CommentStyle::Slashes, Some(0), ",", false),
            ("", CommentStyle::Slashes, None, "", false),
        ] {
            let gap = ItemGap::after(text, 0, comments);
            assert_eq!(
                (gap.comma, part(text, 0..gap.anchor), gap.anchor_is_line_comment),
                (comma, anchored, line_comment),
                "{text:?}"
            );
        }
    }

    #[test]
    fn lines_and_their_breaks() {
        let text = "a\r\n\tb\n";
        assert_eq!(newline_of(text), "\r\n");
        assert_eq!(line_indent(text, 4), "\t");
        assert_eq!((line_start(text, 4), line_end(text, 4)), (3, 6));
        assert_eq!(
            (newline_before(text, 3), newline_before(text, 6), newline_before(text, 2)),
            (Some(1), Some(5), None)
        );
        assert_eq!((newline_after(text, 1), newline_after(text, 5), newline_after(text, 6)), (Some(3), Some(6), None));
    }
}
