//! The record of the groups of files that events look at in turns.
#![expect(clippy::disallowed_methods, reason = "the hot path does not link the crate that owns files")]

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::disk;

/// Digits of a turn: each record replaces the one before with a single write of the same length.
const DIGITS: usize = 20;

/// An open file with the number of the next turn. Two events at once may take the same turn; none is left out.
#[derive(Debug)]
pub(crate) struct TurnRecord {
    file: File,
    next: Option<u64>,
}

impl TurnRecord {
    /// Opens the record, or makes one in an existing directory. `None` if it cannot be written.
    pub(crate) fn open(path: &Path) -> Option<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        disk::restrict_to_user(&mut options);
        let mut file = options.open(path).ok()?;
        let mut bytes = [0; DIGITS];
        let filled = file.read(&mut bytes).ok()?;
        let text = bytes.get(..filled).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let next = text.and_then(|text| text.parse().ok());
        Some(Self { file, next })
    }

    /// Returns whose turn it is among so many; `None` if the file does not say.
    pub(crate) fn turn_among(&self, count: usize) -> Option<usize> {
        usize::try_from(self.next?.checked_rem(u64::try_from(count).ok()?)?).ok()
    }

    /// Records that the turn was taken. Returns true if that worked.
    pub(crate) fn advance(mut self) -> bool {
        let next = self.next.map_or(0, |turn| turn.wrapping_add(1));
        let text = format!("{next:0DIGITS$}");
        let written = self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.write(text.as_bytes()));
        written.is_ok_and(|written| written == DIGITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_turn_comes_and_a_record_that_says_nothing_begins_again() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("turn");
        let take = || {
            let record = TurnRecord::open(&file)?;
            let turn = record.turn_among(3);
            record.advance().then_some(turn)
        };
        let turns: Vec<_> = (0..8).map(|_| take()).collect();
        let known = |turn| Some(Some(turn));
        assert_eq!(turns, [Some(None), known(0), known(1), known(2), known(0), known(1), known(2), known(0)]);
        std::fs::write(&file, "no number").unwrap();
        assert_eq!((take(), take()), (Some(None), known(0)));
        let most = TurnRecord { next: Some(u64::MAX), ..TurnRecord::open(&file).unwrap() };
        assert!(most.advance());
        assert_eq!(take(), known(0));
        assert_eq!(TurnRecord::open(&file).unwrap().turn_among(0), None);
        assert!(TurnRecord::open(&home.path().join("nowhere/turn")).is_none());
        assert!(TurnRecord::open(home.path()).is_none());
    }
}
