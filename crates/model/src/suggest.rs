//! Suggests the known word that a misspelled one was probably meant to be.

/// Bounds the work: no known word is nearly this long.
const MAX_LENGTH: usize = 64;

/// Returns the candidate closest to `word`, if it is close enough to be a typing error.
pub fn nearest<'c>(word: &str, candidates: &[&'c str]) -> Option<&'c str> {
    nearest_of(word, candidates.iter().copied())
}

/// Does the same with candidates from anywhere.
pub(crate) fn nearest_of<'c>(word: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let letters = LetterSet::new(word);
    let limit = (letters.length / 3).clamp(1, 3);
    candidates
        // Every key of every manifest comes here, and nearly none needs more than this.
        .filter(|candidate| letters.least_distance(&LetterSet::new(candidate)) <= limit)
        .map(|candidate| (distance(&fold(word), &fold(candidate)), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, candidate)| (*distance, *candidate))
        .map(|(_, candidate)| candidate)
}

/// Tells if two words are the same but for spellings such as `auto_sync` and `Auto-Sync`.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    fold_letters(one).eq(fold_letters(other))
}

/// The length of a word and its letters, each as a bit.
struct LetterSet {
    length: usize,
    letters: u32,
}

impl LetterSet {
    fn new(word: &str) -> Self {
        let add = |Self { length, letters }, letter| Self {
            length: length + 1,
            letters: letters | 1 << (u32::from(letter) % u32::BITS),
        };
        fold_letters(word).fold(Self { length: 0, letters: 0 }, add)
    }

    /// Returns a lower bound of the distance of two words: an edit adds a letter, removes one, or does both.
    fn least_distance(&self, other: &Self) -> usize {
        let changed = (self.letters ^ other.letters).count_ones().div_ceil(2);
        self.length.abs_diff(other.length).max(usize::try_from(changed).unwrap_or_default())
    }
}

/// Returns the help for an unknown word: the word that was probably meant, or else `otherwise`.
pub fn advice(word: &str, candidates: &[&str], otherwise: impl FnOnce() -> String) -> String {
    nearest(word, candidates).map_or_else(otherwise, |near| format!("did you mean `{near}`?"))
}

/// Unifies spellings such as `auto_sync` and `Auto-Sync`.
fn fold(word: &str) -> String {
    fold_letters(word).collect()
}

fn fold_letters(word: &str) -> impl Iterator<Item = char> {
    word.chars().take(MAX_LENGTH).map(|c| if c == '_' { '-' } else { c.to_ascii_lowercase() })
}

fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut two_back: Vec<usize> = Vec::new();
    let mut back: Vec<usize> = (0..=b.len()).collect();
    let mut previous_a = None;
    for (row, char_a) in a.chars().enumerate() {
        let mut current = Vec::with_capacity(b.len() + 1);
        current.push(row + 1);
        let mut previous_b = None;
        for (column, char_b) in b.iter().copied().enumerate() {
            let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX / 2);
            let mut best = (at(&back, column + 1) + 1).min(at(&current, column) + 1);
            best = best.min(at(&back, column) + usize::from(char_a != char_b));
            if previous_a == Some(char_b) && previous_b == Some(char_a) && column > 0 {
                best = best.min(at(&two_back, column - 1) + 1);
            }
            current.push(best);
            previous_b = Some(char_b);
        }
        two_back = std::mem::replace(&mut back, current);
        previous_a = Some(char_a);
    }
    back.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_bound_is_never_above_the_distance() {
        let words =
            ["", "a", "b", "ab", "ba", "abc", "crates", "carets", "crate", "creates", "where", "there", "skills"];
        for one in words {
            for other in words {
                let bound = LetterSet::new(one).least_distance(&LetterSet::new(other));
                assert!(bound <= distance(one, other), "{one} {other}: {bound}");
            }
        }
        assert!(is_same("Depends_On", "depends-on") && !is_same("depends-on", "depends"));
    }

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let known = ["auto-sync", "sync-default", "name", "skills", "hooks", "level"];
        for (word, wanted) in [
            ("auto_sync", Some("auto-sync")),
            ("autosync", Some("auto-sync")),
            ("nmae", Some("name")),
            ("skill", Some("skills")),
            ("hoks", Some("hooks")),
            ("Name", Some("name")),
            ("sync-defualt", Some("sync-default")),
            ("colour", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, &known), wanted, "{word}");
        }
    }
}
