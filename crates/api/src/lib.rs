//! The public items of a crate, read from its sources.
//!
//! [`build_index`] goes from the files of one crate version to its [`CrateIndex`]. Files and the indexes of other crates are
//! handed in.

mod attributes;
mod cfg;
mod changes;
mod feature_text;
mod file_imports;
mod index;
mod item_list;
mod macro_rules;
mod packed;
mod resolve;
mod search;
mod source;
mod standard;
mod syntax;
mod text_tokens;
mod tree;
mod uses;

pub use cfg::is_for_target;
pub use changes::{ApiChange, ChangeKind, compare_indexes};
pub use feature_text::are_features_on;
pub use index::{AliasedType, ApiItem, CrateIndex, INDEX_VERSION, IndexCompleteness, ItemKind, MacroText, PathAlias};
pub use item_list::holds_only_items;
pub use packed::{PackedIndex, pack_index};
pub use search::{
    CrateLink, ItemReexport, ItemView, MOST_HITS, MOST_QUERY, OUTLINE_BYTES, SearchHit, SearchHits, find_item,
    find_off_name, follow_link, print_outline, search_words, strip_code,
};
pub use source::{CrateEdition, CrateInput, IndexLimits, PackageId, SourceContent, SourceFiles, TargetFacts};
pub use tree::IndexLookup;
pub use uses::{NameUse, find_uses};

/// Reads a crate. Indexes of the crates it uses give it their macros and what it re-exports of them.
pub fn build_index(
    source: &CrateInput,
    files: &dyn SourceFiles,
    others: &dyn IndexLookup,
    limits: IndexLimits,
) -> CrateIndex {
    let foreign = tree::ForeignCrates::new(source, others);
    let (tree, foreign) = tree::load_tree(source, files, foreign, limits);
    let index = resolve::resolve_tree(source, &tree, foreign);
    // Positions of everything that was parsed are kept for the thread until this.
    proc_macro2::extra::invalidate_current_thread_spans();
    index
}

#[cfg(test)]
mod tests;
