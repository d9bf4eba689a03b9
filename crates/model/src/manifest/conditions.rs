//! Parser of the conditions of a manifest entry, in every dialect.

use crate::conditions::{ConditionSet, MisspelledCondition};
use crate::crates::CrateAtom;
use crate::predicate::{self, Predicate};
use crate::toml_table::{ParseReport, SpannedValue, TomlTable};

pub(super) const CRATE_KEYS: [&str; 4] = ["crates", "depends-on", "depends_on", "advice-for"];

pub(super) const PREDICATES_KEY: &str = "predicates";

const WHERE_KEY: &str = "where";

const ALL_KEYS: [&str; 6] = ["crates", "depends-on", "depends_on", "advice-for", PREDICATES_KEY, WHERE_KEY];

const WHERE_KEYS: [&str; 3] = ["crates", "depends-on", PREDICATES_KEY];

/// Parses `crates` (also spelled `depends-on`, `advice-for`, `where.crates`) and `predicates`.
///
/// An invalid condition is an error: the caller must then drop the entry, since an entry without its condition would
/// apply everywhere.
pub(super) fn read(table: &mut TomlTable<'_>, report: &mut ParseReport<'_>) -> ConditionSet {
    let mut conditions = ConditionSet::default();
    refuse_misspelled(table, &ALL_KEYS, report);
    let mut lists = 0_usize;
    for key in CRATE_KEYS {
        if let Some(values) = table.strings(key, report) {
            lists += 1;
            read_crates(key, values, &mut conditions, report);
        }
    }
    if let Some(values) = table.strings(PREDICATES_KEY, report) {
        read_predicates(values.value, &mut conditions, report);
    }
    if let Some(mut inner) = table.table(WHERE_KEY, report) {
        refuse_misspelled(&mut inner, &WHERE_KEYS, report);
        for key in ["crates", "depends-on"] {
            if let Some(values) = inner.strings(key, report) {
                lists += 1;
                read_crates(key, values, &mut conditions, report);
            }
        }
        if let Some(values) = inner.strings(PREDICATES_KEY, report) {
            read_predicates(values.value, &mut conditions, report);
        }
        inner.finish(report);
    }
    if lists > 0 && conditions.crates.is_empty() {
        conditions.predicates.push(Predicate::never());
    }
    conditions
}

/// Refuses conditions in the table that names the source of an entry: there they would mean nothing.
pub(super) fn refuse_in_source(source: &mut TomlTable<'_>, report: &mut ParseReport<'_>) {
    for key in source.keys_left() {
        if ALL_KEYS.contains(&key.value.as_str()) {
            source.ignored(&key.value);
            let message = format!("`{}` is no key of a source, so this entry is skipped", key.value);
            report.error(key.span, message, "write the condition beside the source: one level higher");
        }
    }
}

/// Keys that most manifests have. Comparing each with every condition would be a tenth of the work of a first `sync`.
const USUAL_KEYS: [&str; 9] =
    ["name", "skills", "source", "hooks", "event", "matcher", "command", "description", "version"];

/// Reports every misspelled condition as an error, and consumes its key.
fn refuse_misspelled(table: &mut TomlTable<'_>, keys: &[&str], report: &mut ParseReport<'_>) {
    let is_present = |table: &TomlTable<'_>, meant: &str| table.place_of(meant).is_some();
    let is_misspelled = |key: &str| {
        !keys.contains(&key)
            && !USUAL_KEYS.contains(&key)
            && MisspelledCondition::find(key, keys, |meant| is_present(table, meant)).is_some()
    };
    if !table.has_key(is_misspelled) {
        return;
    }
    for key in table.keys_left() {
        if keys.contains(&key.value.as_str()) {
            continue;
        }
        if let Some(found) = MisspelledCondition::find(&key.value, keys, |meant| is_present(table, meant)) {
            table.ignored(&key.value);
            report.error(key.span, found.message, found.help);
        }
    }
}

fn read_crates(
    key: &str,
    values: SpannedValue<Vec<SpannedValue<String>>>,
    conditions: &mut ConditionSet,
    report: &mut ParseReport<'_>,
) {
    if values.value.is_empty() {
        let help = "name its crates, or remove the key to apply to every workspace";
        report.warning(values.span, format!("`{key} = []` names no crate, so this applies nowhere"), help);
    }
    for value in values.value {
        match CrateAtom::parse_list(&value.value) {
            // Text of blanks and commas is a list without an item, but here each text is an item.
            Ok(atoms) if atoms.is_empty() => {
                let help = "write a crate name, or remove the text";
                report.error(value.span, format!("`{}` names no crate", value.value), help);
            }
            Ok(atoms) => conditions.crates.extend(atoms),
            Err(error) => report.error(inside(&value, &error.span), error.message, error.help),
        }
    }
}

fn read_predicates(values: Vec<SpannedValue<String>>, conditions: &mut ConditionSet, report: &mut ParseReport<'_>) {
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

/// Locates a part of a string in the file. Exact for strings without escapes, which are the usual ones; with escapes it
/// is off by a few bytes.
pub(super) fn inside(value: &SpannedValue<String>, part: &std::ops::Range<usize>) -> std::ops::Range<usize> {
    let quotes = (value.span.len().saturating_sub(value.value.len())) / 2;
    let start = (value.span.start + quotes + part.start).min(value.span.end);
    let end = (value.span.start + quotes + part.end).clamp(start, value.span.end);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::parse;

    const REST: [&str; 4] = [
        "[[skills]]\nsource.path = \"skills\"\n",
        "[[hooks]]\nname = \"h\"\nevent = \"Stop\"\ncommand = \"true\"\n",
        "[[mcp_servers]]\nname = \"m\"\ncommand = \"true\"\n",
        "[[plugins]]\nsource.cargo = \"x\"\n",
    ];

    fn errors(text: &str) -> Vec<String> {
        let found = parse("p.toml", text, "p").diagnostics.into_iter();
        found.filter(|found| found.severity == crate::diagnostic::Severity::Error).map(|e| e.to_string()).collect()
    }

    #[test]
    fn a_usual_key_is_no_misspelled_condition() {
        for key in USUAL_KEYS {
            assert_eq!(MisspelledCondition::find(key, &ALL_KEYS, |_| false), None, "{key}");
        }
        assert_eq!(ALL_KEYS[..CRATE_KEYS.len()], CRATE_KEYS);
    }

    #[test]
    fn a_misspelled_condition_makes_its_entry_unusable() {
        for line in [
            "crate = [\"serde\"]",
            "Crates = [\"serde\"]",
            "depend-on = \"x\"",
            "predicate = \"env(CI)\"",
            "wher.crates = \"serde\"",
            "where.crate = \"serde\"",
            "crates = [\"\"]",
            "crates = [\"serde\", \" ,\"]",
        ] {
            let top = format!("name = \"p\"\n{line}\n{}", REST.concat());
            assert_eq!(parse("p.toml", &top, "p").plugin, None, "{line}");
            assert_eq!(errors(&top).len(), 1, "{line}: {:?}", errors(&top));
            for entry in REST {
                let text = format!("name = \"p\"\n{entry}{line}\n");
                let plugin = parse("p.toml", &text, "p").plugin.unwrap();
                let left = (plugin.skills.len(), plugin.hooks.len(), plugin.mcp_servers.len(), plugin.plugins.len());
                assert_eq!(left, (0, 0, 0, 0), "{text}");
                assert_eq!(errors(&text).len(), 1, "{text}");
            }
        }
        assert_eq!(
            errors("name = \"p\"\ncrate = [\"serde\"]\n"),
            ["p.toml:2:1: Unknown key `crate` instead of the condition `crates`, so this entry is skipped"]
        );
    }

    #[test]
    fn a_condition_inside_the_source_of_a_group_makes_the_group_unusable() {
        let text = "name = \"p\"\n[[skills]]\nsource.path = \"skills\"\nsource.crates = [\"serde\"]\n";
        assert!(parse("p.toml", text, "p").plugin.unwrap().skills.is_empty());
        assert_eq!(errors(text), ["p.toml:4:8: `crates` is no key of a source, so this entry is skipped"]);
    }

    #[test]
    fn a_word_beside_the_condition_it_resembles_is_only_unknown() {
        for lines in ["crate = \"x\"\ncrates = [\"serde\"]", "created = \"2026\"", "[[predicate]]\nname = \"x\""] {
            assert_eq!(errors(&format!("name = \"p\"\n{lines}\n")), <[&str; 0]>::default(), "{lines}");
        }
    }

    #[test]
    fn an_empty_list_of_crates_never_holds() {
        let plugin = parse("p.toml", "name = \"p\"\ncrates = []\n", "p").plugin.unwrap();
        assert!(!crate::evaluate::may_hold(&plugin.conditions, &std::collections::BTreeMap::new()));
        let plugin = parse("p.toml", "name = \"p\"\ncrates = []\ndepends-on = \"serde\"\n", "p").plugin.unwrap();
        assert!(crate::evaluate::may_hold(&plugin.conditions, &std::collections::BTreeMap::new()));
    }
}
