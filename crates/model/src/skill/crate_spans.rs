//! Finds the positions of conditions in the frontmatter of a SKILL.md.

use std::ops::Range;

use super::block::{self, ParseMode};
use super::key::FrontmatterKey;
use super::yaml::{YamlEntry, YamlNode, YamlValue};
use crate::crates::{CrateName, MentionContext, mention};

/// Finds the crate in a condition. The same word elsewhere, such as in a comment, does not count.
pub fn crate_place(text: &str, name: &CrateName) -> Option<Range<usize>> {
    conditions(text).into_iter().find_map(|(kind, span)| {
        let found = mention(text.get(span.clone())?, kind, name)?;
        Some(span.start + found.start..span.start + found.end)
    })
}

pub(super) fn written_place(text: &str, written: &str) -> Option<Range<usize>> {
    conditions(text).into_iter().find_map(|(_, span)| {
        let start = span.start + text.get(span.clone())?.find(written)?;
        Some(start..start + written.len())
    })
}

fn conditions(text: &str) -> Vec<(MentionContext, Range<usize>)> {
    let mut found = Vec::new();
    if let (Some(block), _) = block::read("", text, ParseMode::Liberal) {
        in_entries(&block.entries, &mut found);
    }
    found.sort_by_key(|(_, span)| span.start);
    found
}

fn in_entries(entries: &[YamlEntry], found: &mut Vec<(MentionContext, Range<usize>)>) {
    for entry in entries {
        match (FrontmatterKey::read(&entry.key), &entry.value.value) {
            (Some(FrontmatterKey::Crates | FrontmatterKey::DependsOn), _) => {
                texts(&entry.value, MentionContext::Crates, found);
            }
            (Some(FrontmatterKey::Predicates), _) => texts(&entry.value, MentionContext::Predicates, found),
            (Some(FrontmatterKey::Metadata), YamlValue::Map(inner)) => in_entries(inner, found),
            (Some(_) | None, _) => {}
        }
    }
}

fn texts(node: &YamlNode, kind: MentionContext, found: &mut Vec<(MentionContext, Range<usize>)>) {
    match &node.value {
        YamlValue::Text { .. } => found.push((kind, node.span.clone())),
        YamlValue::List(items) => items.iter().for_each(|item| texts(item, kind, found)),
        YamlValue::Map(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_or_another_value_is_not_the_place() {
        let name = CrateName::parse("serde").unwrap();
        for (frontmatter, line, column) in [
            ("# serde\ndescription: for serde\ncrates: tokio, serde>=1", 4, 16),
            ("crates:\n  # serde\n  - tokio\n  - serde # serde", 5, 5),
            ("description: serde\nmetadata:\n  author: serde\n  crates: \"serde\"", 5, 12),
            ("predicates: env(serde), depends-on(serde)", 2, 36),
        ] {
            let text = format!("---\n{frontmatter}\n---\nserde\n");
            let place = crate_place(&text, &name).unwrap_or_else(|| panic!("nothing in {text}"));
            let location = crate::diagnostic::TextLocation::from_span(&text, place);
            assert_eq!((location.line, location.column), (line, column), "{text}");
            assert_eq!(location.excerpt.get(location.marked), Some("serde"));
        }
        assert_eq!(crate_place("---\nname: serde\n---\nserde\n", &name), None);
    }
}
