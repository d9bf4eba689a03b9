//! Names: what each `use` means, and under which public path every item can be reached.

mod ambiguity;
mod emit;
mod foreign_table;
mod head_name;
mod impls;
mod imports;
mod paths;
mod scopes;

use crate::index::CrateIndex;
use crate::source::CrateInput;
use crate::tree::{CrateTree, ForeignCrates};

/// Makes the index of a crate from its tree.
pub(crate) fn resolve_tree(source: &CrateInput, tree: &CrateTree, foreign: ForeignCrates<'_>) -> CrateIndex {
    let mut resolver = scopes::NameResolver::new(source.edition, tree, foreign);
    resolver.resolve_imports();
    resolver.follow_aliases();
    let members = resolver.attach_impls();
    let found = paths::find_public_paths(&mut resolver);
    emit::emit_index(source, &resolver, &members, &found)
}
