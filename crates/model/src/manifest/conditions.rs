//! Reads the conditions of a manifest entry, whichever key its dialect uses for them.

use crate::conditions::Conditions;
use crate::crates::CrateAtom;
use crate::predicate::{self, Predicate};
use crate::toml_table::{Located, Report, Table};

/// The keys that ask for crates.
pub(super) const CRATE_KEYS: [&str; 4] = ["crates", "depends-on", "depends_on", "advice-for"];

/// The key that asks for more.
pub(super) const PREDICATES_KEY: &str = "predicates";

/// Reads `crates` (also spelled `depends-on`, `advice-for`, `where.crates`) and `predicates`.
///
/// A condition that cannot be read is an error: the caller must then drop the entry, since an entry without its
/// condition would apply everywhere.
pub(super) fn read(table: &mut Table<'_>, report: &mut Report<'_>) -> Conditions {
    let mut conditions = Conditions::default();
    for key in CRATE_KEYS {
        if let Some(values) = table.strings(key, report) {
            read_crates(key, values, &mut conditions, report);
        }
    }
    if let Some(values) = table.strings(PREDICATES_KEY, report) {
        read_predicates(values.value, &mut conditions, report);
    }
    if let Some(mut inner) = table.table("where", report) {
        for key in ["crates", "depends-on"] {
            if let Some(values) = inner.strings(key, report) {
                read_crates(key, values, &mut conditions, report);
            }
        }
        if let Some(values) = inner.strings(PREDICATES_KEY, report) {
            read_predicates(values.value, &mut conditions, report);
        }
        inner.finish(report);
    }
    conditions
}

fn read_crates(key: &str, values: Located<Vec<Located<String>>>, conditions: &mut Conditions, report: &mut Report<'_>) {
    if values.value.is_empty() {
        let help = "leave the key out, or name the crates it is for";
        report.warning(values.span, format!("`{key} = []` asks for nothing"), help);
    }
    for value in values.value {
        match CrateAtom::parse_list(&value.value) {
            Ok(atoms) => conditions.crates.extend(atoms),
            Err(error) => report.error(inside(&value, &error.span), error.message, error.help),
        }
    }
}

fn read_predicates(values: Vec<Located<String>>, conditions: &mut Conditions, report: &mut Report<'_>) {
    for value in values {
        match Predicate::parse(&value.value) {
            Ok(predicate) => {
                if let Some(name) = predicate.unsupported() {
                    let message = predicate::unsupported_message(name);
                    report.warning(value.span, message, predicate::unsupported_help(name));
                }
                conditions.predicates.push(predicate);
            }
            Err(error) => report.error(inside(&value, &error.span), error.message, error.help),
        }
    }
}

/// The place of a part of a string, given where the string stands. Exact for strings without escapes, which is what
/// people write; with escapes it points a little beside.
pub(super) fn inside(value: &Located<String>, part: &std::ops::Range<usize>) -> std::ops::Range<usize> {
    let quotes = (value.span.len().saturating_sub(value.value.len())) / 2;
    let start = (value.span.start + quotes + part.start).min(value.span.end);
    let end = (value.span.start + quotes + part.end).clamp(start, value.span.end);
    start..end
}
