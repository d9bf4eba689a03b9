//! What takes our lines out of a file that somebody else wrote, and puts back those we took.

use serde::{Deserialize, Serialize};

use super::written_entry::WrittenEntry;
use crate::fingerprint::{Fingerprint, fingerprint};
use crate::line_diff::{DiffLine, compared};

/// A file of the user's as we left it, with what gives the user's text back. It holds no line that is not ours, or that
/// we did not take out: what else is in the file is nobody's business.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amendment {
    /// What was in the file when we left it.
    pub fingerprint: Fingerprint,
    /// What gives the text back, from the top.
    pub hunks: Vec<Hunk>,
    /// The keys that are ours, for when the file was changed since.
    pub entries: Vec<WrittenEntry>,
    /// The tables that were made for them.
    pub created: Vec<Vec<String>>,
}

/// Lines of ours, and what was in their place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hunk {
    /// How many lines come before them.
    pub line: usize,
    pub ours: String,
    /// The user's, with their ends.
    pub theirs: String,
}

/// What leads from a text with lines of ours back to the one without.
pub fn hunks(ours: &str, theirs: &str) -> Vec<Hunk> {
    let lines = |text| str::split_inclusive(text, '\n').collect::<Vec<_>>();
    let mut hunks: Vec<Hunk> = Vec::new();
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
            hunks.push(Hunk { line: at, ours: String::new(), theirs: String::new() });
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

impl Amendment {
    /// The user's text, when the file is as we left it.
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

    /// The text without our lines when it was changed elsewhere since: each block of ours must be there once, whole and
    /// in its order.
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

/// Where a block of whole lines is, when it is at one place alone.
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

    fn amendment(ours: &str, theirs: &str) -> Amendment {
        let fingerprint = fingerprint(ours.as_bytes());
        Amendment { fingerprint, hunks: hunks(ours, theirs), entries: Vec::new(), created: Vec::new() }
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
        let expected = Hunk { line: 4, ours: "serde = false\ntokio = true\n".into(), theirs: "serde = true\n".into() };
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
