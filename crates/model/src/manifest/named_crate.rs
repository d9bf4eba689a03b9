//! Search for the name of a crate in a manifest.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::conditions::{CRATE_KEYS, PREDICATES_KEY};
use crate::crates::{CrateName, MentionContext, mention};

/// Finds the first condition that names the crate. Other occurrences, such as in a comment, do not count.
pub fn crate_place(text: &str, name: &CrateName) -> Option<Range<usize>> {
    let (root, _) = DeTable::parse_recoverable(text);
    let mut places = Vec::new();
    in_table(text, root.get_ref(), name, &mut places);
    places.into_iter().min_by_key(|place| place.start)
}

fn in_table(text: &str, table: &DeTable<'_>, name: &CrateName, places: &mut Vec<Range<usize>>) {
    for (key, value) in table {
        let key = key.get_ref().as_ref();
        let kind = if key == PREDICATES_KEY {
            Some(MentionContext::Predicates)
        } else {
            CRATE_KEYS.contains(&key).then_some(MentionContext::Crates)
        };
        in_value(text, value, kind, name, places);
    }
}

fn in_value(
    text: &str,
    value: &Spanned<DeValue<'_>>,
    kind: Option<MentionContext>,
    name: &CrateName,
    places: &mut Vec<Range<usize>>,
) {
    match (value.get_ref(), kind) {
        (DeValue::String(_), Some(kind)) => {
            let span = value.span();
            let found = text.get(span.clone()).and_then(|written| mention(written, kind, name));
            places.extend(found.map(|found| span.start + found.start..span.start + found.end));
        }
        (DeValue::Array(items), kind) => items.iter().for_each(|item| in_value(text, item, kind, name, places)),
        (DeValue::Table(table), _) => in_table(text, table, name, places),
        (
            DeValue::String(_) | DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) | DeValue::Datetime(_),
            _,
        ) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_or_another_value_is_not_the_place() {
        let name = CrateName::parse("serde").unwrap();
        for (text, line, column) in [
            ("# for serde\nname = \"serde\"\ncrates = [\"serde>=1\"]\n", 3, 12),
            ("depends-on = 'serde' # serde\n", 1, 15),
            ("crates = [ # serde\n  \"tokio\",\n  \"my-serde\", \"serde\",\n]\n", 3, 16),
            ("[[hooks]]\ncommand = \"serde\"\npredicates = [\"env(serde)\", \"depends-on(serde)\"]\n", 3, 41),
            ("where.crates = [\"serde\"]\n", 1, 18),
            ("[[skills]]\nadvice-for = \"tokio, serde\"\n", 2, 22),
        ] {
            let place = crate_place(text, &name).unwrap_or_else(|| panic!("nothing in {text}"));
            let location = crate::diagnostic::TextLocation::from_span(text, place);
            assert_eq!((location.line, location.column), (line, column), "{text}");
            assert_eq!(location.excerpt.get(location.marked), Some("serde"));
        }
        assert_eq!(crate_place("# serde\nname = \"serde\"\n", &name), None);
    }
}
