//! The tables.

use std::collections::BTreeMap;

use symposium_api::ItemKind;

use super::compare::{CrateComparison, MatchCount, share};
use super::options::CheckOptions;

/// Bounds of the whole.
const LEAST_FOUND: f64 = 97.0;
const MOST_UNKNOWN: f64 = 2.0;
const LEAST_SIGNATURES: f64 = 95.0;
const LEAST_ANSWERED: f64 = 95.0;
/// Bound of each crate, and of those whose items only a proc macro makes.
const LEAST_FOUND_EACH: f64 = 95.0;
const LEAST_FOUND_OF: [(&str, f64); 2] = [("crossterm", 85.0), ("diesel", 93.0)];
/// Bound of a quick check, whose crates have nothing that cannot be found.
const LEAST_FOUND_QUICK: f64 = 99.5;

/// Everything that was compared.
#[derive(Default)]
pub(super) struct CheckReport {
    crates: Vec<CrateComparison>,
    /// The number of questions, and of those without their answer.
    pub(super) questions: (usize, usize),
}

impl CheckReport {
    pub(super) fn add(&mut self, comparison: CrateComparison) {
        self.crates.push(comparison);
    }

    fn by_kind(&self) -> BTreeMap<ItemKind, MatchCount> {
        let mut kinds: BTreeMap<ItemKind, MatchCount> = BTreeMap::new();
        for (kind, count) in self.crates.iter().flat_map(|comparison| &comparison.kinds) {
            kinds.entry(*kind).or_default().add(*count);
        }
        kinds
    }

    /// Lists the bounds that are passed.
    pub(super) fn problems(&self, options: &CheckOptions) -> Vec<String> {
        let mut problems = Vec::new();
        let mut check = |what: &str, found: f64, least: f64| {
            if found < least {
                problems.push(format!("{what}: {found:.2} %, and at least {least:.1} % are needed"));
            }
        };
        let sum = total(&self.by_kind());
        let signatures = self.crates.iter().map(|it| it.signatures).sum::<usize>();
        let others = self.crates.iter().map(|it| it.other_signatures.len()).sum::<usize>();
        let (asked, failed) = self.questions;
        check("items found", sum.recall(), if options.is_quick { LEAST_FOUND_QUICK } else { LEAST_FOUND });
        check("items known to rustdoc", sum.precision(), 100.0 - MOST_UNKNOWN);
        check("equal signatures", share(signatures - others, signatures), LEAST_SIGNATURES);
        check("questions answered", share(asked - failed, asked), LEAST_ANSWERED);
        for comparison in &self.crates {
            let own = LEAST_FOUND_OF.iter().find(|(name, _)| comparison.name.split(' ').next() == Some(name));
            let least = own.map_or(LEAST_FOUND_EACH, |(_, least)| *least);
            check(&format!("items of {}", comparison.name), total(&comparison.kinds).recall(), least);
        }
        problems
    }

    pub(super) fn render(&self, options: &CheckOptions) -> String {
        let mut text = String::from(
            "crate                              theirs  found  recall   ours  wrong  signatures  places\n",
        );
        for comparison in &self.crates {
            let count = total(&comparison.kinds);
            text.push_str(&row(&comparison.name, count));
            let same = comparison.signatures - comparison.other_signatures.len();
            let placed = comparison.places - comparison.other_places.len();
            text.push_str(&format!(
                "   {:>6.1} %  {:>5.1} %",
                share(same, comparison.signatures),
                share(placed, comparison.places)
            ));
            text.push_str(if count.recall() < LEAST_FOUND_EACH { "  <\n" } else { "\n" });
            if options.has_kinds {
                for (kind, count) in &comparison.kinds {
                    text.push_str(&row(&format!("  {}", kind.word()), *count));
                    text.push('\n');
                }
            }
            if options.misses > 0 {
                text.push_str(&details(comparison, options.misses));
            }
        }
        text.push('\n');
        let kinds = self.by_kind();
        for (kind, count) in &kinds {
            text.push_str(&row(kind.word(), *count));
            text.push('\n');
        }
        text.push_str(&row("in sum, without fields", total(&kinds)));
        let sum = |count: fn(&CrateComparison) -> usize| self.crates.iter().map(count).sum::<usize>();
        let (signatures, others) = (sum(|it| it.signatures), sum(|it| it.other_signatures.len()));
        let (places, elsewhere) = (sum(|it| it.places), sum(|it| it.other_places.len()));
        text.push_str(&format!(
            "\nsignatures: {} of {signatures} ({:.2} %); places: {} of {places} ({:.2} %)",
            signatures - others,
            share(signatures - others, signatures),
            places - elsewhere,
            share(places - elsewhere, places)
        ));
        text
    }
}

/// Adds up the kinds that count; fields are parts of a signature.
fn total(kinds: &BTreeMap<ItemKind, MatchCount>) -> MatchCount {
    let mut sum = MatchCount::default();
    for (_, count) in kinds.iter().filter(|(kind, _)| **kind != ItemKind::Field) {
        sum.add(*count);
    }
    sum
}

fn row(name: &str, count: MatchCount) -> String {
    format!(
        "{name:<34} {:>6} {:>6} {:>5.1} % {:>6} {:>4.1} %",
        count.theirs,
        count.found,
        count.recall(),
        count.ours,
        100.0 - count.precision()
    )
}

fn details(comparison: &CrateComparison, most: usize) -> String {
    let mut text = String::new();
    let lists = [
        ("missing", &comparison.missing),
        ("not known to rustdoc", &comparison.unknown),
        ("other signature", &comparison.other_signatures),
        ("other place", &comparison.other_places),
        ("incomplete", &comparison.reasons),
    ];
    for (title, list) in lists {
        for entry in list.iter().take(most) {
            text.push_str(&format!("    {title}: {entry}\n"));
        }
    }
    text
}
