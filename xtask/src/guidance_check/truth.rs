//! The crates that a file names, from its syntax tree.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Ident, ItemExternCrate, ItemMod, ItemUse, Macro, Meta, Path, UseTree};

/// Returns the packages that a file names.
pub(super) fn named_crates<'d>(file: &syn::File, dependencies: &'d BTreeMap<String, String>) -> BTreeSet<&'d str> {
    let mut visitor = NameVisitor::default();
    visitor.visit_file(file);
    let counts = |name: &&String| {
        visitor.global.contains(*name) || (visitor.heads.contains(*name) && !visitor.local.contains(*name))
    };
    dependencies.keys().filter(counts).filter_map(|name| dependencies.get(name)).map(String::as_str).collect()
}

#[derive(Default)]
struct NameVisitor {
    /// The first names of paths.
    heads: BTreeSet<String>,
    /// The same of paths that can only begin with a crate.
    global: BTreeSet<String>,
    /// Modules of the file, and names that a `use` brings in from elsewhere.
    local: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for NameVisitor {
    fn visit_path(&mut self, path: &'ast Path) {
        if path.segments.len() > 1
            && let Some(first) = path.segments.first()
        {
            self.add_head(&first.ident, path.leading_colon.is_some());
        }
        visit::visit_path(self, path);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.add_tree(&item.tree, item.leading_colon.is_some(), 0);
    }

    fn visit_item_extern_crate(&mut self, item: &'ast ItemExternCrate) {
        self.global.insert(plain(&item.ident));
        if let Some((_, alias)) = &item.rename {
            self.local.insert(plain(alias));
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.local.insert(plain(&item.ident));
        visit::visit_item_mod(self, item);
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        self.visit_path(&item.path);
        self.add_tokens(item.tokens.clone());
    }

    fn visit_meta(&mut self, meta: &'ast Meta) {
        visit::visit_meta(self, meta);
        if let Meta::List(list) = meta {
            self.add_tokens(list.tokens.clone());
        }
    }

    fn visit_token_stream(&mut self, tokens: &'ast TokenStream) {
        self.add_flat_tokens(tokens.clone());
    }
}

impl NameVisitor {
    fn add_head(&mut self, name: &Ident, is_global: bool) {
        self.heads.insert(plain(name));
        if is_global {
            self.global.insert(plain(name));
        }
    }

    /// Adds a `use`: its first name is a head, and the names that it brings in from deeper are local.
    fn add_tree(&mut self, tree: &UseTree, is_global: bool, depth: usize) {
        match tree {
            UseTree::Path(path) => {
                if depth == 0 {
                    self.add_head(&path.ident, is_global);
                }
                if let UseTree::Group(group) = &*path.tree
                    && depth > 0
                    && group.items.iter().any(|item| matches!(item, UseTree::Name(name) if name.ident == "self"))
                {
                    self.local.insert(plain(&path.ident));
                }
                self.add_tree(&path.tree, is_global, depth + 1);
            }
            UseTree::Name(name) if depth == 0 => self.add_head(&name.ident, is_global),
            UseTree::Name(name) => {
                self.local.insert(plain(&name.ident));
            }
            UseTree::Rename(rename) => {
                if depth == 0 {
                    self.add_head(&rename.ident, is_global);
                }
                self.local.insert(plain(&rename.rename));
            }
            UseTree::Glob(_) => {}
            UseTree::Group(group) => group.items.iter().for_each(|item| self.add_tree(item, is_global, depth)),
        }
    }

    /// Adds tokens, as items where they are some.
    fn add_tokens(&mut self, tokens: TokenStream) {
        match syn::parse2::<syn::File>(tokens.clone()) {
            Ok(file) => self.visit_parsed_file(&file),
            Err(_) => self.add_flat_tokens(tokens),
        }
    }

    /// Adds the paths in tokens that are not parsed: `name :: name`, unless something else leads to the first name.
    fn add_flat_tokens(&mut self, tokens: TokenStream) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let is_mark = |at: Option<usize>, mark: char| {
            at.and_then(|at| trees.get(at))
                .is_some_and(|tree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == mark))
        };
        let is_separator = |at: usize| is_mark(Some(at), ':') && is_mark(Some(at + 1), ':');
        for (at, tree) in trees.iter().enumerate() {
            match tree {
                TokenTree::Group(group) => self.add_tokens(group.stream()),
                TokenTree::Ident(name) if is_separator(at + 1) => {
                    let goes_on = matches!(trees.get(at + 3), Some(TokenTree::Ident(_)));
                    let is_field = ['.', '$', '#'].iter().any(|mark| is_mark(at.checked_sub(1), *mark))
                        && !is_mark(at.checked_sub(2), '.');
                    let is_led = at >= 2 && is_separator(at - 2);
                    let continues = is_led && at >= 3 && !begins_path(trees.get(at - 3));
                    if goes_on && !is_field && !continues {
                        self.add_head(name, is_led);
                    }
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    fn visit_parsed_file(&mut self, file: &syn::File) {
        let mut inner = Self::default();
        inner.visit_file(file);
        self.heads.extend(inner.heads);
        self.global.extend(inner.global);
        self.local.extend(inner.local);
    }
}

/// Tells whether `::` behind a token begins a path.
fn begins_path(tree: Option<&TokenTree>) -> bool {
    match tree {
        Some(TokenTree::Ident(word)) => {
            ["as", "in", "for", "return", "impl", "dyn", "mut", "use", "else"].iter().any(|keyword| word == keyword)
        }
        Some(TokenTree::Punct(punct)) => punct.as_char() != '>',
        Some(TokenTree::Group(_) | TokenTree::Literal(_)) => false,
        None => true,
    }
}

fn plain(name: &Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#").map(str::to_owned).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_are_found_by_syntax() {
        let dependencies: BTreeMap<String, String> =
            ["serde", "tokio", "rand", "time"].map(|name| (name.to_owned(), name.to_owned())).into();
        for (text, expected) in [
            ("use serde::X; fn f() { ::time::now() }", vec!["serde", "time"]),
            ("#[tokio::main] async fn f() {}", vec!["tokio"]),
            ("#[derive(serde::Serialize)] struct A;", vec!["serde"]),
            ("fn f() { vec![rand::random()]; }", vec!["rand"]),
            ("use std::time; fn f() { time::now() }", vec![]),
            ("mod rand; fn f() { rand::x() }", vec![]),
            ("/// serde::X\nfn f() { x.serde::<u8>() }", vec![]),
        ] {
            let file = syn::parse_file(text).unwrap();
            assert_eq!(named_crates(&file, &dependencies).into_iter().collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
