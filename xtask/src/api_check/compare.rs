//! One crate: our items against rustdoc's.

use std::collections::{BTreeMap, BTreeSet};

use symposium_api::{ApiItem, CrateIndex, ItemKind};

use super::signatures::are_same;
use super::truth::{TrueItem, TrueItems};

/// Counts of one kind, or of all.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MatchCount {
    pub(super) theirs: usize,
    pub(super) found: usize,
    pub(super) ours: usize,
    pub(super) unknown: usize,
}

impl MatchCount {
    pub(super) fn add(&mut self, other: Self) {
        self.theirs += other.theirs;
        self.found += other.found;
        self.ours += other.ours;
        self.unknown += other.unknown;
    }

    pub(super) fn recall(self) -> f64 {
        share(self.found, self.theirs)
    }

    pub(super) fn precision(self) -> f64 {
        share(self.ours - self.unknown, self.ours)
    }
}

/// The part of a whole in percent.
#[expect(clippy::cast_precision_loss, reason = "counts of items are small")]
pub(super) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 100.0 } else { part as f64 * 100.0 / whole as f64 }
}

/// The result for one crate.
pub(super) struct CrateComparison {
    pub(super) name: String,
    pub(super) kinds: BTreeMap<ItemKind, MatchCount>,
    pub(super) missing: Vec<String>,
    pub(super) unknown: Vec<String>,
    pub(super) signatures: usize,
    pub(super) other_signatures: Vec<String>,
    pub(super) places: usize,
    pub(super) other_places: Vec<String>,
    pub(super) reasons: Vec<String>,
}

/// Compares an index with what rustdoc says. `root` is the directory of the package.
pub(super) fn compare(index: &CrateIndex, truth: &TrueItems, root: &str) -> CrateComparison {
    let is_counted = |item: &&ApiItem| !item.is_hidden && !item.is_off && !item.path.is_empty();
    let ours: BTreeMap<(&str, ItemKind), &ApiItem> =
        index.items.iter().filter(is_counted).map(|item| ((item.path.as_str(), item.kind), item)).collect();
    let mut result = CrateComparison {
        name: format!("{} {}", index.package.name, index.package.version),
        kinds: BTreeMap::new(),
        missing: Vec::new(),
        unknown: Vec::new(),
        signatures: 0,
        other_signatures: Vec::new(),
        places: 0,
        other_places: Vec::new(),
        reasons: index.completeness.reasons.clone(),
    };
    let mut known: BTreeSet<(&str, ItemKind)> = BTreeSet::new();
    let mut matched: BTreeMap<(&str, ItemKind), Vec<&TrueItem>> = BTreeMap::new();
    let mut theirs: BTreeMap<(String, ItemKind), bool> = BTreeMap::new();
    for item in &truth.items {
        known.extend(item.paths.iter().map(|path| (path.as_str(), item.kind)));
        let found = item.paths.iter().find_map(|path| ours.get(&(path.as_str(), item.kind)));
        // Several methods of one name, in blocks for different parameters, are one item of ours.
        let Some(shortest) = item.paths.iter().min_by_key(|path| path.matches("::").count()) else { continue };
        *theirs.entry((shortest.clone(), item.kind)).or_default() |= found.is_some();
        if let Some(found) = found {
            matched.entry((found.path.as_str(), found.kind)).or_default().push(item);
        }
    }
    for (key, items) in matched {
        if let Some(item) = ours.get(&key) {
            compare_details(item, &items, root, &mut result);
        }
    }
    for ((path, kind), is_found) in theirs {
        let count = result.kinds.entry(kind).or_default();
        count.theirs += 1;
        count.found += usize::from(is_found);
        if !is_found {
            result.missing.push(format!("{} {path}", kind.word()));
        }
    }
    for (path, kind) in ours.keys() {
        let count = result.kinds.entry(*kind).or_default();
        count.ours += 1;
        let is_below = |opaque: &String| {
            path.strip_prefix(opaque.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        if !known.contains(&(*path, *kind)) && !truth.opaque.iter().any(is_below) {
            count.unknown += 1;
            result.unknown.push(format!("{} {path}", kind.word()));
        }
    }
    result
}

/// Compares one item of ours with those of rustdoc that it stands for: several if blocks for different parameters have
/// methods of one name, and then it must be one of them.
fn compare_details(ours: &ApiItem, theirs: &[&TrueItem], root: &str, result: &mut CrateComparison) {
    let signatures: Vec<&str> = theirs.iter().filter_map(|item| item.signature.as_deref()).collect();
    if let Some(first) = signatures.first() {
        result.signatures += 1;
        if !signatures.iter().any(|signature| are_same(&ours.signature, signature)) {
            let difference = format!("{}\n      ours   {}\n      theirs {first}", ours.path, ours.signature);
            result.other_signatures.push(difference);
        }
    }
    if ours.origin.is_some() || ours.kind == ItemKind::Module {
        return;
    }
    let places = theirs.iter().filter_map(|item| item.place.as_ref());
    let places: Vec<(&str, u64)> = places.filter_map(|(file, line)| Some((file.strip_prefix(root)?, *line))).collect();
    if let Some((file, line)) = places.first() {
        result.places += 1;
        // Below an attribute macro, rustdoc names the line of the attribute.
        if !places.contains(&(ours.file.as_str(), u64::from(ours.line))) && !is_declared_there(ours, root) {
            let difference = format!("{}: ours {}:{}, theirs {file}:{line}", ours.path, ours.file, ours.line);
            result.other_places.push(difference);
        }
    }
}

/// Says whether the line of an item in its source declares something public of its name.
fn is_declared_there(ours: &ApiItem, root: &str) -> bool {
    let text = std::fs::read_to_string(format!("{root}{}", ours.file)).unwrap_or_default();
    let line = usize::try_from(ours.line).ok().and_then(|line| text.lines().nth(line.checked_sub(1)?));
    let words = || line.unwrap_or_default().split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words().any(|word| word == "pub") && words().any(|word| word == ours.name())
}
