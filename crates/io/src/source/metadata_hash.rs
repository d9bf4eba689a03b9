//! A hash over file metadata that shows if any of several files changed.

use std::fmt;

use super::tree::{SourceTree, TreeState};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct MetadataHash(u64);

impl MetadataHash {
    pub(super) fn with(self, state: TreeState) -> Self {
        match state {
            TreeState::Absent => self.mix(1),
            TreeState::Link => self.mix(2),
            TreeState::Known { size, modified, changed, inode } => {
                self.mix(3).mix(size).mix(modified.cast_unsigned()).mix(changed.cast_unsigned()).mix(inode)
            }
        }
    }

    /// Injective in each argument: with equal words, different hashes stay different, and vice versa.
    fn mix(self, word: u64) -> Self {
        Self((self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub(super) fn now<'p>(tree: &dyn SourceTree, paths: impl Iterator<Item = &'p str>) -> Self {
        paths.fold(Self::default(), |sign, path| sign.with(tree.state(path)))
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        u64::from_str_radix(text, 16).ok().map(Self)
    }
}

impl fmt::Display for MetadataHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_state_counts_and_so_does_the_order() {
        let known = |size, modified, changed, inode| TreeState::Known { size, modified, changed, inode };
        let states = [
            TreeState::Absent,
            TreeState::Link,
            known(0, 0, 0, 0),
            known(1, 0, 0, 0),
            known(0, 1, 0, 0),
            known(0, 0, 1, 0),
            known(0, 0, 0, 1),
        ];
        let mut signs: Vec<MetadataHash> = Vec::new();
        for one in states {
            for other in states {
                signs.push(MetadataHash::default().with(one).with(other));
            }
        }
        for (at, sign) in signs.iter().enumerate() {
            assert!(!signs[..at].contains(sign));
            assert_eq!(MetadataHash::parse(&sign.to_string()), Some(*sign));
        }
    }
}
