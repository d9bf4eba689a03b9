//! Removes Symposium's lines from a file that the user wrote, and restores the lines it replaced.

use serde::{Deserialize, Serialize};

use super::written_entry::WrittenEntry;
use crate::fingerprint::{ContentFingerprint, fingerprint};
use crate::line_diff::{DiffLine, compared};

/// A file of the user as Symposium left it, with the data that restores the user's text. It contains only lines that
/// Symposium wrote or replaced; the rest of the file is not recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileAmendment {
    /// The content of the file when Symposium left it.
    pub fingerprint: ContentFingerprint,
    /// The hunks that restore the text, from the top.
    pub hunks: Vec<TextHunk>,
    /// The keys that Symposium wrote, for a file that was changed since.
    pub entries: Vec<WrittenEntry>,
    /// The tables that were made for them.
    pub created: Vec<Vec<String>>,
}

/// Lines that Symposium wrote, and the lines they replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextHunk {
    /// The number of lines before them.
    pub line: usize,
    pub ours: String,
    /// The user's, with their ends.
    pub theirs: String,
}

/// Returns the hunks that lead from the text with Symposium's lines to the one without.
pub fn hunks(ours: &str, theirs: &str) -> Vec<TextHunk> {
    let lines = |text| str::split_inclusive(text, '\n').collect::<Vec<_>>();
    let mut hunks: Vec<TextHunk> = Vec::new();
    let mut at = 0;
    let mut open = false;
    for line in compared(&lines(ours), &lines(theirs)) {
        let (mine, other) = match line {
            DiffLine::Same(_) => {
                at += 1;
                open = false;
                continue;
            }
            DiffLine::Gone(mine) => (mine, ""),
            DiffLine::New(other) => ("", other),
        };
        if !open {
            hunks.push(TextHunk { line: at, ours: String::new(), theirs: String::new() });
            open = true;
        }
        if let Some(hunk) = hunks.last_mut() {
            hunk.ours.push_str(mine);
            hunk.theirs.push_str(other);
        }
        at += usize::from(!mine.is_empty());
    }
    hunks
}

impl FileAmendment {
    /// Returns the user's text, if the file is as Symposium left it.
    pub fn undone(&self, text: &str) -> Option<String> {
        if fingerprint(text.as_bytes()) != self.fingerprint {
            return None;
        }
        let mut result = String::with_capacity(text.len());
        let mut rest = text;
        let mut line = 0;
        for hunk in &self.hunks {
            let same: usize = rest.split_inclusive('\n').take(hunk.line.checked_sub(line)?).map(str::len).sum();
            let (before, from) = rest.split_at_checked(same)?;
            result.push_str(before);
            result.push_str(&hunk.theirs);
            rest = from.strip_prefix(hunk.ours.as_str())?;
            line = hunk.line + hunk.ours.split_inclusive('\n').count();
        }
        result.push_str(rest);
        Some(result)
    }

    /// Returns the text without Symposium's lines, if it was changed only elsewhere since: each block must occur once,
    /// whole and in order.
    pub fn undone_elsewhere(&self, text: &str) -> Option<String> {
        let mut result = String::with_capacity(text.len());
        let mut rest = text;
        for hunk in &self.hunks {
            let at = only_block(rest, &hunk.ours)?;
            let (before, from) = rest.split_at_checked(at)?;
            result.push_str(before);
            result.push_str(&hunk.theirs);
            rest = from.strip_prefix(hunk.ours.as_str())?;
        }
        result.push_str(rest);
        Some(result)
    }
}

/// Returns the position of a block of whole lines, if it occurs exactly once.
fn only_block(text: &str, block: &str) -> Option<usize> {
    let begins = |at: &usize| *at == 0 || text.get(..*at).is_some_and(|before| before.ends_with('\n'));
    let ends = |at: &usize| block.ends_with('\n') || at + block.len() == text.len();
    let mut places = text.match_indices(block).map(|(at, _)| at).filter(|at| begins(at) && ends(at));
    let place = places.next().filter(|_| !block.is_empty())?;
    places.next().is_none().then_some(place)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn amendment(ours: &str, theirs: &str) -> FileAmendment {
        let fingerprint = fingerprint(ours.as_bytes());
        FileAmendment { fingerprint, hunks: hunks(ours, theirs), entries: Vec::new(), created: Vec::new() }
    }

    #[test]
    fn the_users_text_comes_back_to_the_byte() {
        for (theirs, ours) in [
            ("", "a\n"),
            ("a", "a\n\n[skills]\nb = true\n"),
            ("a\r\nb\r\n", "a\r\nx\r\nb\r\ny\r\n"),
            ("a\nb\nc", "a\nc"),
            ("a\n", "a"),
            ("a\nb = true\n", "a\nb = false\n"),
            ("a\na\na\n", "a\n"),
            ("", ""),
        ] {
            let amendment = amendment(ours, theirs);
            assert_eq!(amendment.undone(ours).as_deref(), Some(theirs), "{ours:?}");
            assert_eq!(amendment.undone(&format!("{ours}x")), None);
        }
    }

    #[test]
    fn only_changed_lines_are_kept() {
        let theirs = "[[plugin-source]]\ngit = \"https://me:secret@h/r\"\n\n[skills]\nserde = true\n";
        let ours = theirs.replace("serde = true\n", "serde = false\ntokio = true\n");
        let hunks = hunks(&ours, theirs);
        let expected =
            TextHunk { line: 4, ours: "serde = false\ntokio = true\n".into(), theirs: "serde = true\n".into() };
        assert_eq!(hunks, [expected]);
    }

    #[test]
    fn lines_that_were_added_elsewhere_stay() {
        let amendment = amendment("a\nb\n\n[skills]\nx = true\n", "a\nb\n");
        let found = |text: &str| amendment.undone_elsewhere(text);
        assert_eq!(found("new\na\nB\n\n[skills]\nx = true\nmore\n").as_deref(), Some("new\na\nB\nmore\n"));
        assert_eq!(found("a\nb\n\n[skills]\nx = false\n"), None, "it is not as we left it");
        assert_eq!(found("\n[skills]\nx = true\n\n[skills]\nx = true\n"), None, "which of them is ours?");
        let removed = super::tests::amendment("a\n", "a\nb\n");
        assert_eq!(removed.undone_elsewhere("a\nc\n"), None, "nobody knows where it was");
    }

    proptest! {
        #[test]
        fn any_two_texts(ours in "([ab\r]{0,2}\n?){0,8}", theirs in "([ab\r]{0,2}\n?){0,8}") {
            prop_assert_eq!(amendment(&ours, &theirs).undone(&ours), Some(theirs));
        }
    }
}
