//! Words against items: which are meant.

use super::text::{closeness, mentions, split_question, split_words};
use crate::index::{ApiItem, CrateIndex, ItemKind};

/// The most items that an answer has.
pub const MOST_HITS: usize = 30;

/// An item that answers a question.
#[derive(Debug, Clone)]
pub struct SearchHit<'a> {
    pub index: &'a CrateIndex,
    pub item: &'a ApiItem,
    pub score: u32,
}

impl SearchHit<'_> {
    /// The path with the name of the crate.
    pub fn full_path(&self) -> String {
        full_path(self.index, self.item)
    }
}

/// The best items, and how many more there are.
#[derive(Debug, Clone, Default)]
pub struct SearchHits<'a> {
    pub hits: Vec<SearchHit<'a>>,
    pub more: usize,
}

/// The path of an item with the name of its crate.
pub(super) fn full_path(index: &CrateIndex, item: &ApiItem) -> String {
    if item.path.is_empty() { index.name.clone() } else { format!("{}::{}", index.name, item.path) }
}

/// Finds items by words, in all indexes, the best first.
pub fn search_words<'a>(indexes: &[&'a CrateIndex], question: &str) -> SearchHits<'a> {
    let asked = split_question(question);
    let joined = asked.concat();
    let mut found: Vec<SearchHit<'a>> = Vec::new();
    for index in indexes {
        let crate_words = split_words(&index.name);
        for item in index.items.iter().filter(|item| !item.is_hidden && !item.path.is_empty()) {
            let score = score_item(item, &asked, &joined, &crate_words);
            if score > 0 {
                found.push(SearchHit { index, item, score });
            }
        }
    }
    found.sort_by(|one, other| {
        let key = |hit: &SearchHit<'_>| (std::cmp::Reverse(hit.score), hit.item.path.len());
        key(one).cmp(&key(other)).then_with(|| one.item.path.cmp(&other.item.path))
    });
    remove_copies(&mut found);
    // What fits far worse than the best is noise.
    let least = found.first().map_or(0, |best| best.score / 4);
    found.retain(|hit| hit.score >= least);
    let more = found.len().saturating_sub(MOST_HITS);
    found.truncate(MOST_HITS);
    SearchHits { hits: found, more }
}

/// Keeps one of the items that are the same, re-exported by several crates: the one that is defined there.
fn remove_copies(found: &mut Vec<SearchHit<'_>>) {
    let place = |hit: &SearchHit<'_>| {
        let home = hit.item.origin.and_then(|origin| hit.index.origins.get(usize::from(origin)));
        let home = home.unwrap_or(&hit.index.package).clone();
        (home, hit.item.file.clone(), hit.item.line, hit.item.name().to_owned(), hit.item.kind)
    };
    let mut seen = std::collections::HashSet::new();
    found.retain(|hit| hit.item.file.is_empty() || seen.insert(place(hit)));
}

fn score_item(item: &ApiItem, asked: &[String], joined: &str, crate_words: &[String]) -> u32 {
    let name = item.name();
    let name_words = split_words(name);
    let parent_words = split_words(item.parent());
    let mut sum = 0;
    let mut in_name = 0;
    let mut answered: u32 = 0;
    for word in asked {
        let of_name = name_words.iter().map(|found| closeness(word, found)).max().unwrap_or(0);
        let of_parent = parent_words.iter().map(|found| closeness(word, found)).max().unwrap_or(0) / 2;
        let of_crate = if crate_words.contains(word) { 20 } else { 0 };
        let of_text = text_score(item, word);
        let best = of_name.max(of_parent).max(of_crate).max(of_text);
        in_name += u32::from(of_name > 0);
        answered += u32::from(best > 0);
        // What several places say counts a little more.
        sum += best + (of_parent + of_text).min(8) / 2;
    }
    let count = u32::try_from(asked.len()).unwrap_or(u32::MAX).max(1);
    if answered == 0 || answered * 2 < count {
        return 0;
    }
    let plain: String = name_words.concat();
    let mut score = sum * answered * 10 / (count * count);
    if plain == joined {
        score += 400;
    } else if super::text::distance(&plain, joined, 2) <= 2 && joined.len() > 5 {
        score += 200;
    } else if in_name == count {
        // The fewer other words a name has, the more it is what was asked for.
        let others = u32::try_from(name_words.len()).unwrap_or(u32::MAX).saturating_sub(count);
        score += 150_u32.saturating_sub(others * 40).max(20);
    }
    let percent = kind_weight(item.kind) * if item.is_off { 70 } else { 100 } / 100;
    let percent = percent * if item.deprecated.is_some() { 80 } else { 100 } / 100;
    let depth = u32::try_from(item.path.matches("::").count()).unwrap_or(u32::MAX);
    (score * percent / 100).saturating_sub(depth.min(6))
}

/// Looks for a word in what is said about an item.
fn text_score(item: &ApiItem, word: &str) -> u32 {
    let in_docs = if mentions(&item.docs, word) { 12 } else { 0 };
    let in_note = if item.deprecated.as_deref().is_some_and(|note| mentions(note, word)) { 10 } else { 0 };
    let in_signature = match item.signature.split_once("->") {
        Some((_, output)) if mentions(output, word) => 12,
        _ if mentions(&item.signature, word) => 6,
        _ => 0,
    };
    in_docs.max(in_note).max(in_signature)
}

fn kind_weight(kind: ItemKind) -> u32 {
    match kind {
        ItemKind::Function
        | ItemKind::Method
        | ItemKind::Struct
        | ItemKind::Trait
        | ItemKind::Macro
        | ItemKind::Enum
        | ItemKind::Derive
        | ItemKind::Attribute => 100,
        ItemKind::Module | ItemKind::Type | ItemKind::Union => 92,
        ItemKind::Const | ItemKind::Static | ItemKind::Variant => 85,
        ItemKind::Field => 75,
    }
}
