//! The features that an item needs, as text of an index.

use std::collections::BTreeSet;

/// Bounds parentheses inside each other.
const MOST_DEPTH: usize = 32;

/// Says whether features fulfil a condition such as `fs and (net or rt)`. Text that is no condition is not fulfilled.
pub fn are_features_on(condition: &str, features: &BTreeSet<String>) -> bool {
    let spaced = condition.replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let value = read_any(&mut words, features, 0);
    value == Some(true) && words.next().is_none()
}

type ConditionWords<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn read_any(words: &mut ConditionWords<'_>, features: &BTreeSet<String>, depth: usize) -> Option<bool> {
    let mut value = read_one(words, features, depth)?;
    while let Some(joint) = words.peek().copied().filter(|word| matches!(*word, "and" | "or")) {
        words.next();
        let other = read_one(words, features, depth)?;
        value = if joint == "and" { value && other } else { value || other };
    }
    Some(value)
}

fn read_one(words: &mut ConditionWords<'_>, features: &BTreeSet<String>, depth: usize) -> Option<bool> {
    match words.next()? {
        "(" if depth < MOST_DEPTH => {
            let value = read_any(words, features, depth + 1)?;
            (words.next() == Some(")")).then_some(value)
        }
        "(" | ")" | "and" | "or" => None,
        name => Some(features.contains(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read() {
        let features: BTreeSet<String> = ["fs", "rt"].map(str::to_owned).into_iter().collect();
        for (condition, expected) in [
            ("fs", true),
            ("net", false),
            ("fs and net", false),
            ("fs and (net or rt)", true),
            ("(net or rt) and fs", true),
            ("net or (fs and rt)", true),
            ("(fs", false),
            ("fs fs", false),
            ("", false),
        ] {
            assert_eq!(are_features_on(condition, &features), expected, "{condition}");
        }
        assert!(!are_features_on(&"(".repeat(10_000), &features));
    }
}
