//! Words against items: which are meant.

use super::text::{QuestionWords, closeness, mentions, split_question, split_words};
use crate::index::{ApiItem, CrateIndex, ItemKind};

/// The most items that an answer has.
pub const MOST_HITS: usize = 30;
/// The most of them that are kept for items that are off.
const OFF_HITS: usize = 8;
/// The number of items that always come before those that are off.
const ON_FIRST: usize = 4;

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

/// Finds items by words, in all indexes, the best first; those that are off come after the others.
pub fn search_words<'a>(indexes: &[&'a CrateIndex], question: &str) -> SearchHits<'a> {
    let asked = split_question(question);
    let mut found: Vec<SearchHit<'a>> = Vec::new();
    for index in indexes {
        let question = CrateQuestion::new(index, &asked);
        let all = index.items.iter().chain(&index.off_names);
        for item in all.filter(|item| !item.is_hidden && !item.path.is_empty()) {
            let score = question.score(item);
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
    let count = found.len();
    let hits = put_off_behind(found);
    SearchHits { more: count - hits.len(), hits }
}

/// Moves items that are off behind the others; those that fit better than most only behind the first.
fn put_off_behind(found: Vec<SearchHit<'_>>) -> Vec<SearchHit<'_>> {
    let (mut hits, mut off): (Vec<SearchHit<'_>>, Vec<SearchHit<'_>>) =
        found.into_iter().partition(|hit| !hit.item.is_off);
    hits.truncate(MOST_HITS - off.len().min(OFF_HITS));
    off.truncate(MOST_HITS - hits.len());
    let place = hits.len().min(ON_FIRST);
    let next = hits.get(place).map_or(0, |hit| hit.score);
    let (better, others): (Vec<SearchHit<'_>>, Vec<SearchHit<'_>>) = off.into_iter().partition(|hit| hit.score > next);
    hits.splice(place..place, better);
    hits.extend(others);
    hits
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

/// A question as one crate sees it: words that name the crate choose it, and its items need not repeat them.
struct CrateQuestion<'q> {
    wanted: Vec<&'q str>,
    all: &'q [String],
    /// The question as a name would have it, with and without fillers.
    joined: [String; 2],
    crate_words: Vec<String>,
    is_named: bool,
}

impl<'q> CrateQuestion<'q> {
    fn new(index: &CrateIndex, question: &'q QuestionWords) -> Self {
        let crate_words = split_words(&index.name);
        let wanted: Vec<&str> = question.wanted.iter().map(String::as_str).collect();
        let is_named = crate_words.iter().all(|word| wanted.contains(&word.as_str()));
        let left: Vec<&str> = wanted
            .iter()
            .filter(|word| !is_named || !crate_words.iter().any(|known| known == *word))
            .copied()
            .collect();
        let wanted = if left.is_empty() { wanted } else { left };
        Self { joined: [wanted.concat(), question.all.concat()], wanted, all: &question.all, crate_words, is_named }
    }

    /// Says how well an item answers; 0 for not at all.
    fn score(&self, item: &ApiItem) -> u32 {
        let name_words = split_words(item.name());
        let parent_words = split_words(item.parent());
        let nearest =
            |asked: &str, words: &[String]| words.iter().map(|word| closeness(asked, word)).max().unwrap_or(0);
        let (mut sum, mut in_name, mut answered) = (0, 0, 0);
        for word in &self.wanted {
            let of_name = nearest(word, &name_words);
            let of_parent = nearest(word, &parent_words) / 2;
            let of_crate = if self.crate_words.iter().any(|known| known == word) { 20 } else { 0 };
            let of_kind = if item.kind.word() == *word { 20 } else { 0 };
            let of_text = text_score(item, word);
            let best = of_name.max(of_parent).max(of_crate).max(of_kind).max(of_text);
            in_name += u32::from(of_name > 0);
            answered += u32::from(best > 0);
            // What several places say counts a little more.
            sum += best + (of_parent + of_text).min(8) / 2;
        }
        let count = count(&self.wanted).max(1);
        if answered * 2 < count || answered == 0 {
            return 0;
        }
        let mut score = sum * answered * 10 / (count * count);
        score += self.name_score(&name_words, in_name, count);
        let percent = kind_weight(item.kind)
            * if item.is_off { 70 } else { 100 }
            * if item.deprecated.is_some() { 80 } else { 100 }
            * if self.is_named { 130 } else { 100 }
            / 1_000_000;
        let depth = u32::try_from(item.path.matches("::").count()).unwrap_or(u32::MAX);
        (score * percent / 100).saturating_sub(depth.min(6))
    }

    /// Says how far a name is what was asked for: all the words, and no others.
    fn name_score(&self, name_words: &[String], in_name: u32, count: u32) -> u32 {
        let plain = name_words.concat();
        if self.joined.contains(&plain) {
            return 400;
        }
        let most = if plain.len() < 8 { 1 } else { 2 };
        let is_near = |joined: &String| joined.len() > 4 && super::text::distance(&plain, joined, most) <= most;
        let near = if self.joined.iter().any(is_near) { 150 } else { 0 };
        let is_asked = |word: &&String| self.all.iter().any(|asked| closeness(asked, word) > 0);
        let fitting = u32::try_from(name_words.iter().filter(is_asked).count()).unwrap_or(u32::MAX);
        near + 200 * fitting * in_name / (u32::try_from(name_words.len()).unwrap_or(u32::MAX).max(1) * count)
    }
}

fn count(words: &[&str]) -> u32 {
    u32::try_from(words.len()).unwrap_or(u32::MAX)
}

/// Looks for a word in what is said about an item.
fn text_score(item: &ApiItem, word: &str) -> u32 {
    let in_docs = if mentions(&item.docs, word) { 16 } else { 0 };
    let in_note = if item.deprecated.as_deref().is_some_and(|note| mentions(note, word)) { 10 } else { 0 };
    // Bounds such as `Send` are on everything and say nothing.
    let signature = item.signature.split_once(" where ").map_or(item.signature.as_str(), |(head, _)| head);
    let inputs = signature.split_once('(').map_or("", |(_, inputs)| inputs);
    let in_signature = match inputs.split_once("->") {
        Some((_, output)) if mentions(output, word) => 12,
        _ if mentions(inputs, word) => 6,
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
