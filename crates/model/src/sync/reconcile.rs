//! The project's toggles after a look at what there is: choices stay, new names come, gone ones go.

use crate::config::Toggle;
use crate::crates::CrateName;

/// One change to a table of toggles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToggleChange {
    /// A name that was not there, with its first choice.
    Add {
        /// The name.
        key: String,
        /// The choice.
        on: bool,
    },
    /// A name that means nothing any more.
    Remove {
        /// The name.
        key: String,
    },
}

/// Whether everything was read, so that what was not found is really gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completeness {
    /// It was.
    Complete,
    /// Some source or manifest could not be read: nothing is removed because of that.
    Partial,
}

/// Compares the toggles of one table with the names that exist now.
///
/// A toggle `name/part` lives as long as its name.
pub fn reconcile(toggles: &[Toggle], names: &[String], default: bool, completeness: Completeness) -> Vec<ToggleChange> {
    let mut changes = Vec::new();
    let mut wanted: Vec<&String> = names.iter().collect();
    wanted.sort();
    wanted.dedup();
    for name in wanted {
        if !toggles.iter().any(|toggle| same(&toggle.key, name)) {
            changes.push(ToggleChange::Add { key: name.clone(), on: default });
        }
    }
    if completeness == Completeness::Complete {
        for toggle in toggles {
            let name = toggle.key.split_once('/').map_or(toggle.key.as_str(), |(name, _)| name);
            if name != "*" && !names.iter().any(|known| same(known, name)) {
                changes.push(ToggleChange::Remove { key: toggle.key.clone() });
            }
        }
    }
    changes
}

/// Crate names do not tell `-` from `_`, and plugins are rarely named to differ by that alone.
fn same(a: &str, b: &str) -> bool {
    a == b || CrateName::parse(a).is_some_and(|a| Some(a) == CrateName::parse(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(toggles: &[(&str, bool)], names: &[&str], completeness: Completeness, expected: &[&str]) {
        let toggles: Vec<Toggle> =
            toggles.iter().map(|(key, on)| Toggle { key: (*key).to_owned(), on: *on, line: 1 }).collect();
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let shown: Vec<String> = reconcile(&toggles, &names, true, completeness)
            .into_iter()
            .map(|change| match change {
                ToggleChange::Add { key, on } => format!("+{key}={on}"),
                ToggleChange::Remove { key } => format!("-{key}"),
            })
            .collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn choices_stay_new_names_come_gone_ones_go() {
        use Completeness::{Complete, Partial};
        check(&[], &["tokio", "serde", "serde"], Complete, &["+serde=true", "+tokio=true"]);
        check(&[("serde", false)], &["serde"], Complete, &[]);
        check(&[("serde_json", false)], &["serde-json"], Complete, &[]);
        check(&[("serde", false), ("rand", true)], &["serde"], Complete, &["-rand"]);
        check(&[("rand", true)], &[], Partial, &[]);
        check(&[("rand/rand-0-8", false), ("rand", true)], &["rand"], Complete, &[]);
        check(&[("rand/rand-0-8", false)], &["serde"], Complete, &["+serde=true", "-rand/rand-0-8"]);
        check(&[("*/rust", false)], &[], Complete, &[]);
    }
}
