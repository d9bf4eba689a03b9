//! One crate: our items against rustdoc's.

use std::collections::{BTreeMap, BTreeSet};

use symposium_api::{ApiItem, CrateIndex, ItemKind};

use super::signatures::are_same;
use super::truth::TrueItems;

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
    let mut theirs: BTreeMap<(String, ItemKind), bool> = BTreeMap::new();
    for item in &truth.items {
        known.extend(item.paths.iter().map(|path| (path.as_str(), item.kind)));
        let found = item.paths.iter().find_map(|path| ours.get(&(path.as_str(), item.kind)));
        // Several methods of one name, in blocks for different parameters, are one item of ours.
        let Some(shortest) = item.paths.iter().min_by_key(|path| path.matches("::").count()) else { continue };
        *theirs.entry((shortest.clone(), item.kind)).or_default() |= found.is_some();
        if let Some(found) = found {
            compare_details(found, item.signature.as_deref(), item.place.as_ref(), root, &mut result);
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
        let is_below = |opaque: &String| path.strip_prefix(opaque.as_str()).is_some_and(|rest| rest.starts_with("::"));
        if !known.contains(&(*path, *kind)) && !truth.opaque.iter().any(is_below) {
            count.unknown += 1;
            result.unknown.push(format!("{} {path}", kind.word()));
        }
    }
    result
}

fn compare_details(
    ours: &ApiItem,
    signature: Option<&str>,
    place: Option<&(String, u64)>,
    root: &str,
    result: &mut CrateComparison,
) {
    if let Some(signature) = signature {
        result.signatures += 1;
        if !are_same(&ours.signature, signature) {
            result
                .other_signatures
                .push(format!("{}\n      ours   {}\n      theirs {signature}", ours.path, ours.signature));
        }
    }
    if let Some((file, line)) = place
        && let Some(file) = file.strip_prefix(root)
        && ours.origin.is_none()
        && ours.kind != ItemKind::Module
    {
        result.places += 1;
        if ours.file != file || u64::from(ours.line) != *line {
            result.other_places.push(format!("{}: ours {}:{}, theirs {file}:{line}", ours.path, ours.file, ours.line));
        }
    }
}
