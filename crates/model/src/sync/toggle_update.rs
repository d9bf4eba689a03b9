//! The project's toggles after a look at what there is: choices stay, new names come, gone ones go.

use crate::config::Toggle;
use crate::crates::CrateName;

/// One change to a table of toggles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToggleChange {
    /// A name that was not there, with its first choice.
    Add { key: String, on: bool },
    /// A name that means nothing any more.
    Remove { key: String },
}

/// Compares the toggles of one table with the names that exist now. `is_gone` says of a name that was not found whether
/// that means anything: what an unread source holds is not known.
///
/// A toggle `name/part` lives as long as its name.
pub fn reconcile(
    toggles: &[Toggle],
    names: &[String],
    default: bool,
    is_gone: impl Fn(&str) -> bool,
) -> Vec<ToggleChange> {
    let mut changes = Vec::new();
    let mut wanted: Vec<&String> = names.iter().collect();
    wanted.sort();
    wanted.dedup();
    for name in wanted {
        if !toggles.iter().any(|toggle| same(&toggle.key, name)) {
            changes.push(ToggleChange::Add { key: name.clone(), on: default });
        }
    }
    for toggle in toggles {
        let name = toggle.key.split_once('/').map_or(toggle.key.as_str(), |(name, _)| name);
        if name != "*" && !names.iter().any(|known| same(known, name)) && is_gone(name) {
            changes.push(ToggleChange::Remove { key: toggle.key.clone() });
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

    fn check(toggles: &[(&str, bool)], names: &[&str], is_gone: fn(&str) -> bool, expected: &[&str]) {
        let toggles: Vec<Toggle> =
            toggles.iter().map(|(key, on)| Toggle { key: (*key).to_owned(), on: *on, line: 1 }).collect();
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let shown: Vec<String> = reconcile(&toggles, &names, true, is_gone)
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
        check(&[], &["tokio", "serde", "serde"], |_| true, &["+serde=true", "+tokio=true"]);
        check(&[("serde", false)], &["serde"], |_| true, &[]);
        check(&[("serde_json", false)], &["serde-json"], |_| true, &[]);
        check(&[("serde", false), ("rand", true)], &["serde"], |_| true, &["-rand"]);
        check(&[("rand", true)], &[], |_| false, &[]);
        check(&[("rand", true), ("x", true)], &[], |name| name == "x", &["-x"]);
        check(&[("rand/rand-0-8", false), ("rand", true)], &["rand"], |_| true, &[]);
        check(&[("rand/rand-0-8", false)], &["serde"], |_| true, &["+serde=true", "-rand/rand-0-8"]);
        check(&[("*/rust", false)], &[], |_| true, &[]);
    }
}
