//! The outline of a crate, as text within a bound.

mod details;
mod entries;
mod line_text;
mod print;

use self::entries::{OutlineDetail, OutlineModule, collect_modules};
use self::line_text::{cut, shorten};
use self::print::print_modules;
use crate::index::CrateIndex;

/// The most bytes of an outline.
pub const OUTLINE_BYTES: usize = 8 * 1024;

/// The most bytes of the documentation and of the gaps at the top.
const MOST_HEAD: usize = 400;
/// The part of the room that names may take if not all fit, in percent; the rest is for signatures and sentences.
const NAME_PERCENT: usize = 75;
/// The most bytes that the names of one kind take in one module, if not all fit.
const NAME_BYTES: [usize; 8] = [usize::MAX, 3_000, 1_500, 700, 350, 180, 90, 45];
/// The root has so many times that.
const ROOT_SHARE: usize = 8;
/// Modules down to here are shown before others get names.
const NEAR_ROOT: usize = 1;
/// Room that an estimate leaves is used again.
const MOST_ROUNDS: usize = 4;

/// Prints the modules, types, traits, functions and macros of a crate. Names go first, those near the root before others;
/// then as many signatures and sentences as fit, and the names of members if there is room. What does not fit is counted.
pub fn print_outline(index: &CrateIndex, most_bytes: usize) -> String {
    let head = print_head(index, most_bytes);
    let room = most_bytes.saturating_sub(head.len());
    let mut modules = collect_modules(index);
    show_names(index, &mut modules, room);
    for _ in 0..MOST_ROUNDS {
        let left = room.saturating_sub(print_modules(index, &modules).len());
        if !show_details(&mut modules, left) {
            break;
        }
    }
    cut(&(head + &print_modules(index, &modules)), most_bytes)
}

fn print_head(index: &CrateIndex, most_bytes: usize) -> String {
    let most = MOST_HEAD.min(most_bytes / 4);
    let mut head = format!("{} {}", index.package.name, index.package.version);
    if let Some(root) = index.items.iter().find(|item| item.path.is_empty() && !item.docs.is_empty()) {
        head.push_str(&format!(": {}", shorten(&root.docs, most)));
    }
    let reasons = index.completeness.reasons.join("; ");
    if reasons.is_empty() { head + "\n" } else { format!("{head}\nincomplete: {}\n", shorten(&reasons, most)) }
}

/// Shows the names of all items, or the same share of those of each module, as far as there is room.
fn show_names(index: &CrateIndex, modules: &mut [OutlineModule<'_>], room: usize) {
    for module in &mut *modules {
        module.show_names(usize::MAX);
    }
    if print_modules(index, modules).len() <= room {
        return;
    }
    let room = room * NAME_PERCENT / 100;
    for most in NAME_BYTES {
        for module in &mut *modules {
            module.show_names(match module.depth {
                0 => most.saturating_mul(ROOT_SHARE),
                NEAR_ROOT => most,
                _ => 0,
            });
        }
        let size = print_modules(index, modules).len();
        if size <= room {
            return show_deep_names(modules, room - size, most);
        }
    }
    // Not even the first names of all modules fit.
    modules.iter_mut().filter(|module| module.depth > 0).for_each(|module| module.show_names(0));
}

/// Shows names of modules that are further from the root.
fn show_deep_names(modules: &mut [OutlineModule<'_>], room: usize, most: usize) {
    let mut left = room;
    for module in modules.iter_mut().filter(|module| module.depth > NEAR_ROOT) {
        module.show_names(most);
        match left.checked_sub(module.name_bytes()) {
            Some(rest) => left = rest,
            None => module.show_names(0),
        }
    }
}

/// Shows more of what is shown by name: sentences of the modules near the root, then items, those near the root first, and
/// of each module in turn its most useful one. Returns false if nothing more fits.
fn show_details(modules: &mut [OutlineModule<'_>], room: usize) -> bool {
    let mut left = room;
    for module in modules.iter_mut().filter(|module| module.depth <= NEAR_ROOT) {
        module.show_sentence(&mut left);
    }
    let deepest = modules.iter().map(|module| module.depth).max().unwrap_or(0);
    for detail in [OutlineDetail::Sentence, OutlineDetail::Signature, OutlineDetail::Members] {
        for depth in 0..=deepest {
            let mut level: Vec<&mut OutlineModule<'_>> =
                modules.iter_mut().filter(|module| module.depth == depth).collect();
            for module in &mut level {
                module.show_sentence(&mut left);
            }
            for rank in 0..level.iter().map(|module| module.entries.len()).max().unwrap_or(0) {
                for module in &mut level {
                    module.show_entry(rank, detail, &mut left);
                }
            }
        }
    }
    left < room
}
