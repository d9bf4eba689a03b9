//! `use` declarations, name by name.

use syn::Token;
use syn::parse::ParseStream;

use super::heads::skip_to_semicolon;
use super::{ItemBody, UseLeaf, UseName};

/// Reads a declaration.
pub(super) fn parse_use(input: ParseStream<'_>) -> syn::Result<ItemBody> {
    input.parse::<Token![use]>()?;
    let is_global = input.parse::<Option<Token![::]>>()?.is_some();
    let tree: syn::UseTree = input.parse()?;
    skip_to_semicolon(input);
    let mut leaves = Vec::new();
    collect_leaves(&tree, &mut Vec::new(), is_global, &mut leaves);
    Ok(ItemBody::Use(leaves))
}

fn collect_leaves(tree: &syn::UseTree, path: &mut Vec<String>, is_global: bool, leaves: &mut Vec<UseLeaf>) {
    let mut leaf = |path: &[String], last: Option<&syn::Ident>, name: Option<String>| {
        let mut path = path.to_vec();
        path.extend(last.filter(|last| *last != "self").map(|last| syn::ext::IdentExt::unraw(last).to_string()));
        if path.is_empty() {
            path.extend(last.map(ToString::to_string));
        }
        let name = match name.or_else(|| path.last().cloned()) {
            Some(name) if name == "_" => UseName::Unnamed,
            Some(name) => UseName::As(name),
            None => return,
        };
        leaves.push(UseLeaf { path, is_global, name });
    };
    match tree {
        syn::UseTree::Path(inner) => {
            path.push(syn::ext::IdentExt::unraw(&inner.ident).to_string());
            collect_leaves(&inner.tree, path, is_global, leaves);
            path.pop();
        }
        syn::UseTree::Name(name) => leaf(path, Some(&name.ident), None),
        syn::UseTree::Rename(name) => {
            leaf(path, Some(&name.ident), Some(syn::ext::IdentExt::unraw(&name.rename).to_string()));
        }
        syn::UseTree::Glob(_) => leaves.push(UseLeaf { path: path.clone(), is_global, name: UseName::Glob }),
        syn::UseTree::Group(group) => {
            group.items.iter().for_each(|tree| collect_leaves(tree, path, is_global, leaves));
        }
    }
}
