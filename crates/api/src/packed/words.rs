//! Words of items, and which of them a question could mean.

use std::collections::{BTreeMap, BTreeSet};

use crate::index::{ApiItem, CrateIndex};
use crate::search::text::{closeness, is_like_text, split_words};

const MOST_WORD: usize = 40;

/// Lists the words of all items, each with the numbers of the items that have it.
pub(super) fn collect_words(index: &CrateIndex) -> BTreeMap<String, Vec<usize>> {
    let mut words: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, item) in index.items.iter().enumerate() {
        if item.is_hidden {
            continue;
        }
        for word in words_of(item) {
            words.entry(word).or_default().push(number);
        }
    }
    // Names that lead elsewhere can be asked for too.
    for alias in &index.aliases {
        for word in split_words(&alias.alias) {
            words.entry(word).or_default();
        }
    }
    words
}

fn words_of(item: &ApiItem) -> BTreeSet<String> {
    let mut words: BTreeSet<String> = split_words(&item.path).into_iter().collect();
    let (_, inputs) = item.signature.split_once('(').unwrap_or_default();
    for text in [item.docs.as_str(), inputs, item.deprecated.as_deref().unwrap_or_default()] {
        add_text_words(text, &mut words);
    }
    words.retain(|word| word.len() <= MOST_WORD);
    words
}

/// Adds the words of a text: they begin behind a sign, at a capital, and at the last of several capitals.
fn add_text_words(text: &str, words: &mut BTreeSet<String>) {
    for run in text.split(|letter: char| !letter.is_alphanumeric()).filter(|run| run.len() > 1) {
        let letters: Vec<char> = run.chars().collect();
        let mut word = String::new();
        for (at, letter) in letters.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| letters.get(at));
            let is_start = letter.is_uppercase()
                && (before.is_some_and(|before| !before.is_uppercase())
                    || letters.get(at + 1).is_some_and(|next| next.is_lowercase()));
            if is_start && !word.is_empty() {
                words.insert(std::mem::take(&mut word));
            }
            word.extend(letter.to_lowercase());
        }
        words.insert(word);
    }
}

/// Says whether a word of an item could answer a word of a question.
pub(super) fn could_answer(asked: &str, word: &str) -> bool {
    closeness(asked, word) > 0 || is_like_text(asked, word)
}
