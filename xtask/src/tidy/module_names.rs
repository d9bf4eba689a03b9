//! Which module a path in the code leads to: `crate::a::B`, `super::c`, names brought in by `use`.

use std::collections::BTreeMap;

use super::module_tree::Module;
use super::rust_text::Token;

/// A path written somewhere in a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reference {
    /// Its parts, as written; a final `*` is left out.
    pub(super) parts: Vec<String>,
    /// Line number, from 1.
    pub(super) line: usize,
    /// What a `use` makes of it.
    brings: Brings,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Brings {
    /// Not a `use`.
    Nothing,
    Name(String),
    Everything,
}

/// The modules of a crate with the names that `use` brings into each.
pub(super) struct Names<'a> {
    modules: BTreeMap<&'a [String], (&'a Module, Vec<Reference>)>,
}

/// How many re-exports in a row are followed; more than anybody writes, and an end for circular ones.
const MAX_HOPS: usize = 8;

impl<'a> Names<'a> {
    /// Reads the names of all modules of one crate.
    pub(super) fn of(modules: &'a [Module]) -> Self {
        let named =
            modules.iter().map(|module| (module.path.as_slice(), (module, references(&module.tokens)))).collect();
        Self { modules: named }
    }

    /// Each module with the paths written in it.
    pub(super) fn references(&self) -> impl Iterator<Item = (&'a Module, &Reference)> {
        self.modules.values().flat_map(|(module, references)| references.iter().map(|reference| (*module, reference)))
    }

    /// The module that defines what `parts`, written in the module `from`, mean; none if that is outside the crate.
    pub(super) fn module_of(&self, from: &[String], parts: &[String]) -> Option<Vec<String>> {
        self.resolve(from, parts, MAX_HOPS)
    }

    fn resolve(&self, from: &[String], parts: &[String], hops: usize) -> Option<Vec<String>> {
        let (first, rest) = parts.split_first()?;
        let mut here = match first.as_str() {
            "crate" => Vec::new(),
            "self" => from.to_vec(),
            "super" => from.split_last()?.1.to_vec(),
            // In a bare path the first name must be known here; if not, it belongs to another crate.
            name => self.step(from, name, hops)?,
        };
        for part in rest {
            match part.as_str() {
                "self" => {}
                "super" => {
                    here.pop();
                }
                name => match self.step(&here, name, hops) {
                    Some(next) => here = next,
                    None => break,
                },
            }
        }
        Some(here)
    }

    /// The module that `name` leads to from `here`: a child module, or the home of an item brought in by `use`.
    fn step(&self, here: &[String], name: &str, hops: usize) -> Option<Vec<String>> {
        let mut child = here.to_vec();
        child.push(name.to_owned());
        if self.modules.contains_key(child.as_slice()) {
            return Some(child);
        }
        let hops = hops.checked_sub(1)?;
        let (module, references) = self.modules.get(here)?;
        if declares(module, name) {
            return Some(here.to_vec());
        }
        if let Some(used) = references.iter().find(|reference| reference.brings == Brings::Name(name.to_owned())) {
            return self.resolve(here, &used.parts, hops);
        }
        references
            .iter()
            .filter(|reference| reference.brings == Brings::Everything)
            .filter_map(|reference| self.resolve(here, &reference.parts, hops))
            .find_map(|used| self.step(&used, name, hops))
    }
}

fn declares(module: &Module, name: &str) -> bool {
    module.tokens.windows(2).any(|pair| match pair {
        [keyword, word] => {
            word.text == name
                && matches!(
                    keyword.text.as_str(),
                    "struct" | "enum" | "union" | "trait" | "type" | "fn" | "const" | "static"
                )
        }
        _ => false,
    })
}

/// The paths written in a module's code.
pub(super) fn references(tokens: &[Token]) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut rest = tokens;
    let mut before = "";
    while let Some((token, after)) = rest.split_first() {
        rest = after;
        // `use<'a>` in a type is not an import.
        if token.text == "use" && after.first().is_none_or(|next| next.text != "<") {
            rest = use_tree(after, &[], &mut found);
        } else if is_name(&token.text) && before != "::" && before != "." {
            let mut parts = vec![token.text.clone()];
            while let [colons, name, tail @ ..] = rest
                && colons.text == "::"
                && is_name(&name.text)
            {
                parts.push(name.text.clone());
                rest = tail;
            }
            if parts.len() > 1 {
                found.push(Reference { parts, line: token.line, brings: Brings::Nothing });
            }
        }
        before = &token.text;
    }
    found
}

/// Reads one branch of a `use` after `prefix`, adds what it brings, and returns the tokens behind it.
fn use_tree<'a>(tokens: &'a [Token], prefix: &[String], found: &mut Vec<Reference>) -> &'a [Token] {
    let mut parts = prefix.to_vec();
    let mut rest = tokens;
    loop {
        let Some((token, after)) = rest.split_first() else { return rest };
        rest = after;
        match token.text.as_str() {
            "::" => {}
            "*" => {
                found.push(Reference { parts, line: token.line, brings: Brings::Everything });
                return rest;
            }
            "{" => {
                while let Some(next) = rest.first() {
                    match next.text.as_str() {
                        "}" => return rest.get(1..).unwrap_or_default(),
                        "," => rest = rest.get(1..).unwrap_or_default(),
                        // Not Rust; stop rather than spin.
                        ";" => return rest,
                        _ => rest = use_tree(rest, &parts, found),
                    }
                }
                return rest;
            }
            name if is_name(name) => {
                if name != "self" || parts.is_empty() {
                    parts.push(name.to_owned());
                }
                if rest.first().is_some_and(|next| next.text == "::") {
                    continue;
                }
                let mut brought = parts.last().cloned().unwrap_or_default();
                if let [keyword, alias, tail @ ..] = rest
                    && keyword.text == "as"
                {
                    brought.clone_from(&alias.text);
                    rest = tail;
                }
                found.push(Reference { parts, line: token.line, brings: Brings::Name(brought) });
                return rest;
            }
            _ => return rest,
        }
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && !text.contains(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::super::module_tree::{Scope, modules};
    use super::super::source_file::files;
    use super::*;

    #[test]
    fn paths_are_read() {
        let code = "use a; use crate::b::{self, c::D, e as f, g::*}; pub(crate) use super::{h, i}; \
                    x.y(); crate::j::k(self::L::<T>::new()); fn f() -> impl T + use<'a> {} $crate::m!();";
        let modules = modules(&files(&[("src/lib.rs", code)]), "src/lib.rs", Scope::Shipped);
        let shown: Vec<String> = modules
            .iter()
            .flat_map(|module| references(&module.tokens))
            .map(|reference| {
                let brings = match reference.brings {
                    Brings::Nothing => String::new(),
                    Brings::Name(name) => format!(" as {name}"),
                    Brings::Everything => " as *".to_owned(),
                };
                reference.parts.join("::") + &brings
            })
            .collect();
        assert_eq!(
            shown,
            [
                "a as a",
                "crate::b as b",
                "crate::b::c::D as D",
                "crate::b::e as f",
                "crate::b::g as *",
                "super::h as h",
                "super::i as i",
                "crate::j::k",
                "self::L",
                "crate::m",
            ]
        );
    }

    #[test]
    fn paths_lead_to_modules() {
        let modules = modules(
            &files(&[
                ("src/lib.rs", "pub mod a; mod b; pub use b::Thing; pub use loops as again; pub use again as loops;"),
                ("src/a.rs", "mod inner; pub use super::b::*; use std::fmt; pub struct Own;"),
                ("src/a/inner.rs", "use super::*; use super::super::b as bee;"),
                ("src/b.rs", "pub mod deep; pub struct Thing; pub fn run() {}"),
                ("src/b/deep.rs", ""),
            ]),
            "src/lib.rs",
            Scope::Shipped,
        );
        let names = Names::of(&modules);
        for (from, path, expected) in [
            ("", "a::Own", Some("a")),
            ("", "crate::b::deep::x", Some("b::deep")),
            ("", "b::run", Some("b")),
            ("", "std::fs", None),
            ("a", "crate::Thing", Some("b")),
            ("a", "super::Thing", Some("b")),
            ("a", "self::Thing", Some("b")),
            ("a", "self::inner::X", Some("a::inner")),
            ("a", "fmt::Display", None),
            ("a", "crate::unknown", Some("")),
            ("a", "crate::again::X", Some("")),
            ("a::inner", "bee::Thing", Some("b")),
            ("a::inner", "deep::x", Some("b::deep")),
            ("a::inner", "super::run", Some("b")),
            ("a::inner", "super::Own", Some("a")),
            ("", "super::x", None),
        ] {
            let split = |path: &str| path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
            let (from_parts, parts): (Vec<String>, Vec<String>) = (split(from), split(path));
            let found = names.module_of(&from_parts, &parts).map(|module| module.join("::"));
            assert_eq!(found.as_deref(), expected, "{path} in `{from}`");
        }
    }
}
