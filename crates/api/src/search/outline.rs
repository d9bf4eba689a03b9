//! The outline of a crate, as text within a bound.

use std::collections::BTreeMap;

use crate::index::{ApiItem, CrateIndex, ItemKind};

/// The most bytes of an outline.
pub const OUTLINE_BYTES: usize = 8 * 1024;

/// Says how much is shown of each item; what is too long is tried with less.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OutlineDetail {
    /// Signatures and the first sentence of the documentation.
    Full,
    Signatures,
    Names,
}

/// Prints the modules, types, traits, functions and macros of a crate. Modules near the root and items that are on go
/// first; what does not fit is counted.
pub fn print_outline(index: &CrateIndex, most_bytes: usize) -> String {
    let items: Vec<&ApiItem> = index.items.iter().filter(|item| is_outlined(item)).collect();
    let mut head = format!("{} {}", index.package.name, index.package.version);
    if let Some(docs) = index.items.iter().find(|item| item.path.is_empty() && !item.docs.is_empty()) {
        head.push_str(&format!(": {}", docs.docs));
    }
    head.push('\n');
    for reason in &index.completeness.reasons {
        head.push_str(&format!("incomplete: {reason}\n"));
    }
    let details = [OutlineDetail::Full, OutlineDetail::Signatures, OutlineDetail::Names];
    let mut text = String::new();
    for detail in details {
        text = print_modules(index, &items, detail);
        if head.len() + text.len() <= most_bytes {
            return head + &text;
        }
    }
    cut(&(head + &text), most_bytes, &index.name)
}

fn is_outlined(item: &ApiItem) -> bool {
    let is_part = matches!(item.kind, ItemKind::Method | ItemKind::Variant | ItemKind::Field);
    !item.is_hidden && !item.path.is_empty() && !is_part
}

fn print_modules(index: &CrateIndex, items: &[&ApiItem], detail: OutlineDetail) -> String {
    let modules: std::collections::BTreeSet<&str> =
        items.iter().filter(|item| item.kind == ItemKind::Module).map(|item| item.path.as_str()).collect();
    let mut groups: BTreeMap<(usize, &str), Vec<&ApiItem>> = BTreeMap::new();
    for item in items {
        let parent = item.parent();
        // Associated consts and types belong to their type.
        if parent.is_empty() || modules.contains(parent) {
            let depth = if parent.is_empty() { 0 } else { parent.matches("::").count() + 1 };
            groups.entry((depth, parent)).or_default().push(item);
        }
    }
    let mut text = String::new();
    for ((_, parent), group) in groups {
        let name = if parent.is_empty() { index.name.clone() } else { format!("{}::{parent}", index.name) };
        text.push_str(&format!("\n{name}\n"));
        match detail {
            OutlineDetail::Full | OutlineDetail::Signatures => {
                for item in group {
                    text.push_str(&print_line(item, detail));
                }
            }
            OutlineDetail::Names => text.push_str(&print_names(&group)),
        }
    }
    text
}

fn print_line(item: &ApiItem, detail: OutlineDetail) -> String {
    let mut line = match item.kind {
        ItemKind::Module => format!("  mod {}", item.name()),
        ItemKind::Macro => format!("  {}!", item.name()),
        _ => format!("  {}", item.signature.trim_start_matches("pub ")),
    };
    if let Some(feature) = item.feature.as_ref().filter(|_| item.is_off) {
        line.push_str(&format!(" [needs feature {feature}]"));
    }
    if item.deprecated.is_some() {
        line.push_str(" [deprecated]");
    }
    let sentence = item.docs.split_once(". ").map_or(item.docs.as_str(), |(first, _)| first).trim_end_matches('.');
    if detail == OutlineDetail::Full && !sentence.is_empty() {
        line.push_str(&format!(" // {sentence}"));
    }
    line.push('\n');
    line
}

fn print_names(group: &[&ApiItem]) -> String {
    let mut by_kind: BTreeMap<ItemKind, Vec<&str>> = BTreeMap::new();
    for item in group.iter().filter(|item| !item.is_off) {
        by_kind.entry(item.kind).or_default().push(item.name());
    }
    let lines = by_kind.iter().map(|(kind, names)| format!("  {}: {}", kind.word(), names.join(", ")));
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

fn cut(text: &str, most_bytes: usize, name: &str) -> String {
    let rest = format!("… ask for a module, such as `{name}::NAME`, or for words\n");
    let room = most_bytes.saturating_sub(rest.len() + 1);
    let mut end = room.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let kept = text.get(..end).unwrap_or_default();
    // At the end of a line, or of a name.
    let kept = kept.rfind(['\n', ',']).and_then(|end| kept.get(..end)).unwrap_or_default();
    format!("{kept}\n{rest}")
}
