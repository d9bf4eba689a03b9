//! The imports of a file: the names that they bring, and from which crate.

use std::collections::HashMap;

use crate::text_tokens::{TextToken, is_name};

/// Bounds groups inside groups of a declaration.
const MOST_DEPTH: usize = 64;

/// Says where a name is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameOrigin {
    /// The crate that is looked for.
    Crate,
    Elsewhere,
}

/// A group of a declaration, with what stands in front of it.
struct ImportGroup<'t> {
    origin: Option<NameOrigin>,
    owner: &'t str,
}

/// The names that `use` and `extern crate` bring into a file, wherever in it they are.
#[derive(Debug, Default)]
pub(crate) struct FileImports<'t> {
    names: HashMap<&'t str, NameOrigin>,
    /// The places of names in declarations.
    pub(crate) in_use: HashMap<usize, NameOrigin>,
    /// Says that everything of a module of the crate is brought.
    pub(crate) has_glob: bool,
}

impl<'t> FileImports<'t> {
    /// Reads all declarations. A name that is brought from several places counts as the crate's.
    pub(crate) fn read(tokens: &[TextToken<'t>], crate_name: &'t str) -> Self {
        let mut imports = Self::default();
        imports.names.insert(crate_name, NameOrigin::Crate);
        for name in ["std", "core", "alloc", "crate", "self", "super"] {
            imports.names.entry(name).or_insert(NameOrigin::Elsewhere);
        }
        // A declaration may stand before the one that renames the crate.
        for _ in 0..2 {
            let mut at = 0;
            while at < tokens.len() {
                at = imports.read_at(tokens, at).max(at + 1);
            }
        }
        imports
    }

    /// Returns where a name is from, if that is known.
    pub(crate) fn origin(&self, name: &str) -> Option<NameOrigin> {
        self.names.get(name).copied()
    }

    pub(crate) fn is_in_use(&self, at: usize) -> bool {
        self.in_use.contains_key(&at)
    }

    /// Reads a declaration, if one begins here, and returns the place behind it.
    fn read_at(&mut self, tokens: &[TextToken<'t>], at: usize) -> usize {
        let text = |at: usize| tokens.get(at).map(|token| token.text).unwrap_or_default();
        match (text(at), text(at + 1)) {
            // Not in `impl Trait + use<'a>`.
            ("use", next) if next != "<" => {
                let mut groups: Vec<ImportGroup<'t>> = Vec::new();
                let (mut origin, mut before) = (None, "");
                let mut at = at + 1;
                while at < tokens.len() {
                    match text(at) {
                        ";" => break,
                        "{" if groups.len() < MOST_DEPTH => groups.push(ImportGroup { origin, owner: before }),
                        "}" => origin = groups.pop().and_then(|group| group.origin),
                        "," => origin = groups.last().and_then(|group| group.origin),
                        "*" => self.has_glob |= origin == Some(NameOrigin::Crate),
                        "as" => {
                            self.bring(text(at + 1), origin);
                            at += 1;
                        }
                        name if is_name(name) => {
                            let own = origin.unwrap_or_else(|| self.origin(name).unwrap_or(NameOrigin::Elsewhere));
                            origin = Some(own);
                            self.in_use.insert(at, own);
                            let is_last = matches!(text(at + 1), "," | "}" | ";");
                            // `a::{self}` brings `a`.
                            let owner = groups.last().map_or("", |group| group.owner);
                            if is_last {
                                self.bring(if name == "self" { owner } else { name }, origin);
                            }
                            before = name;
                        }
                        ":" => {}
                        // Not a declaration.
                        _ => return at,
                    }
                    at += 1;
                }
                at
            }
            ("extern", "crate") => {
                let origin = self.origin(text(at + 2)).unwrap_or(NameOrigin::Elsewhere);
                let name = if text(at + 3) == "as" { text(at + 4) } else { text(at + 2) };
                self.bring(name, Some(origin));
                at + 3
            }
            _ => at,
        }
    }

    fn bring(&mut self, name: &'t str, origin: Option<NameOrigin>) {
        let origin = origin.unwrap_or(NameOrigin::Elsewhere);
        if self.names.get(name) != Some(&NameOrigin::Crate) && is_name(name) {
            self.names.insert(name, origin);
        }
    }
}
