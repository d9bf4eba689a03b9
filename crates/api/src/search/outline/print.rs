//! The lines of an outline, module by module.

use std::collections::{BTreeMap, HashSet};

use super::entries::{OutlineDetail, OutlineEntry, OutlineModule};
use super::line_text::{first_sentence, print_notes, shorten};
use crate::index::{CrateIndex, ItemKind};

/// The most characters of a signature, and of the names of members.
const MOST_SIGNATURE: usize = 160;
const MOST_MEMBERS: usize = 240;

/// Prints all modules, and counts what is left out.
pub(super) fn print_modules(index: &CrateIndex, modules: &[OutlineModule<'_>]) -> String {
    let shown: HashSet<&str> = modules.iter().filter(|module| module.is_shown()).map(|module| module.path).collect();
    let mut text = String::new();
    let (mut left_modules, mut left_items) = (0, 0);
    for module in modules {
        if shown.contains(module.path) {
            print_module(index, module, &shown, &mut text);
        } else {
            left_modules += 1;
            left_items += module.entries.len();
        }
    }
    if left_modules > 0 {
        text.push_str(&format!("\n… {left_items} items in {left_modules} modules further down\n"));
    }
    text
}

fn print_module(index: &CrateIndex, module: &OutlineModule<'_>, shown: &HashSet<&str>, text: &mut String) {
    text.push('\n');
    text.push_str(&index.name);
    if !module.path.is_empty() {
        text.push_str("::");
        text.push_str(module.path);
    }
    text.push_str(&module.item.map(print_notes).unwrap_or_default());
    if module.has_sentence {
        text.push_str(" // ");
        text.push_str(&module.sentence);
    }
    text.push('\n');
    let mut names: BTreeMap<(bool, ItemKind), Vec<&str>> = BTreeMap::new();
    let mut left = 0;
    for entry in &module.entries {
        match entry.detail {
            // It has lines of its own.
            _ if entry.is_group && shown.contains(entry.item.path.as_str()) => {}
            OutlineDetail::Nothing => left += 1,
            OutlineDetail::Name => {
                names.entry((entry.item.is_off, entry.item.kind)).or_default().push(entry.item.name());
            }
            detail => text.push_str(&print_entry(entry, detail)),
        }
    }
    for ((is_off, kind), names) in names {
        let off = if is_off { " (off)" } else { "" };
        text.push_str(&format!("  {}{off}: {}\n", kind.word(), names.join(", ")));
    }
    if left > 0 {
        text.push_str(&format!("  … {left} more\n"));
    }
}

/// Prints the line of an item, and a second one for its members.
pub(super) fn print_entry(entry: &OutlineEntry<'_>, detail: OutlineDetail) -> String {
    let item = entry.item;
    let mut line = match item.kind {
        ItemKind::Module => format!("  mod {}", item.name()),
        ItemKind::Macro => format!("  {}!", item.name()),
        _ => {
            let signature = item.signature.trim_start_matches("pub ");
            let signature = signature.split_once(" where ").map_or(signature, |(head, _)| head);
            format!("  {}", shorten(signature, MOST_SIGNATURE))
        }
    };
    line.push_str(&print_notes(item));
    let sentence = first_sentence(item);
    if detail >= OutlineDetail::Sentence && !sentence.is_empty() {
        line.push_str(&format!(" // {sentence}"));
    }
    line.push('\n');
    if detail >= OutlineDetail::Members && !entry.members.is_empty() {
        line.push_str(&format!("    {}\n", shorten(&entry.members.join(", "), MOST_MEMBERS)));
    }
    line
}
