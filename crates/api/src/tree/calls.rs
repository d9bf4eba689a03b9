//! Calls of macros where items or members could be: which macro is meant, and what it makes.

use std::rc::Rc;

use proc_macro2::{TokenStream, TokenTree};

use super::foreign::read_mark;
use super::loader::{CodePlace, TreeLoader};
use super::{ImportName, NameReach};
use crate::cfg::string_value;
use crate::macro_rules::{MacroRules, expand_call, is_paste, paste_names};
use crate::syntax::depth::check_depth;

/// Bounds calls inside what other calls made.
const MOST_EXPANSION_DEPTH: usize = 200;
/// Bounds how many renames of a macro are followed.
const MOST_RENAMES: usize = 8;

/// Macros of the standard library that make nothing public.
const SILENT: [&str; 12] = [
    "compile_error",
    "assert",
    "debug_assert",
    "const_assert",
    "println",
    "static_assertions",
    "unimplemented",
    "todo",
    "panic",
    "global_asm",
    "assert_impl_all",
    "assert_not_impl_any",
];

/// A macro that was found.
pub(super) struct FoundMacro {
    rules: Rc<MacroRules>,
    /// The number of the crate it is from, if that is another.
    home: Option<usize>,
}

impl TreeLoader<'_> {
    /// Expands a call. Nothing if its macro is not known (yet), or if it does not take this input.
    pub(super) fn expand(
        &mut self,
        path: &[String],
        input: &TokenStream,
        module: usize,
        place: &CodePlace,
    ) -> Option<(TokenStream, CodePlace)> {
        if place.depth >= MOST_EXPANSION_DEPTH {
            self.tree.completeness.add("calls of macros are nested too deeply".to_owned());
            return None;
        }
        let Some(found) = self.find_macro(path, module, place) else {
            let is_paste = path.last().is_some_and(|name| is_paste(name));
            return is_paste.then(|| (paste_names(input.clone()), place.clone()));
        };
        let crate_name = found.home.map_or_else(|| "crate".to_owned(), |home| self.foreign.mark(home));
        let tokens = check_depth(expand_call(&found.rules, input, &crate_name, &mut self.budget)?)?;
        Some((tokens, CodePlace { origin: found.home, ..place.clone() }))
    }

    /// Finds a macro by the path of a call.
    pub(super) fn find_macro(&mut self, path: &[String], module: usize, place: &CodePlace) -> Option<FoundMacro> {
        match path {
            [name] => self
                .find_in_scope(name)
                .or_else(|| self.find_imported(name, module, 0))
                .or_else(|| place.origin.and_then(|home| self.find_foreign(home, name)))
                .or_else(|| self.find_local(name))
                .or_else(|| self.find_used(name)),
            [head, .., name] => self.find_at_path(head, path.get(1..)?, name, module, 0),
            [] => None,
        }
    }

    fn find_at_path(
        &mut self,
        head: &str,
        rest: &[String],
        name: &str,
        module: usize,
        renames: usize,
    ) -> Option<FoundMacro> {
        if matches!(head, "crate" | "self" | "super") {
            return self.find_local(name).or_else(|| {
                let module = if head == "crate" { 0 } else { module };
                self.find_imported(name, module, renames)
            });
        }
        let head = match (head, rest) {
            ("", [head, ..]) => head.as_str(),
            _ => head,
        };
        if let Some(number) = self.foreign.find_name(head) {
            return self.find_foreign(number, name);
        }
        if read_mark(head).is_some() {
            return None;
        }
        // A crate under another name, or a module of this one.
        let renamed = self.tree.imports.iter().rev().find(|import| {
            import.name == ImportName::As(head.to_owned()) && (import.module == module || import.module == 0)
        });
        match renamed.map(|import| import.path.clone()) {
            Some(path) if renames < MOST_RENAMES => {
                let first = path.first()?.clone();
                if first == head {
                    self.find_local(name)
                } else {
                    self.find_at_path(&first, &path, name, module, renames + 1)
                }
            }
            _ => self.find_local(name),
        }
    }

    fn find_in_scope(&self, name: &str) -> Option<FoundMacro> {
        let found = self.scope.iter().rev().find(|(known, _)| known == name)?;
        self.local(found.1)
    }

    fn local(&self, number: usize) -> Option<FoundMacro> {
        let rules = self.tree.macros.get(number)?.rules.clone()?;
        Some(FoundMacro { rules, home: None })
    }

    /// Finds a macro of this crate by its name alone, wherever it is.
    fn find_local(&self, name: &str) -> Option<FoundMacro> {
        let number = *self.macro_names.get(name)?;
        self.local(number)
    }

    fn find_foreign(&mut self, number: usize, name: &str) -> Option<FoundMacro> {
        let (rules, home) = self.foreign.find_rules(number, name)?;
        Some(FoundMacro { rules, home: Some(home) })
    }

    /// Finds a macro that a `use` of the module brings in.
    fn find_imported(&mut self, name: &str, module: usize, renames: usize) -> Option<FoundMacro> {
        if renames > MOST_RENAMES {
            return None;
        }
        let mut module = Some(module);
        while let Some(number) = module {
            let in_module = self.tree.imports.iter().filter(|import| import.module == number);
            let named = in_module.clone().find(|import| import.name == ImportName::As(name.to_owned()));
            if let Some(path) = named.map(|import| import.path.clone())
                && let Some(last) = path.last()
                && (path.len() > 1 || last != name)
            {
                let head = path.first()?;
                return self.find_at_path(head, path.get(1..)?, last, number, renames + 1);
            }
            let globs: Vec<Vec<String>> =
                in_module.filter(|import| import.name == ImportName::Glob).map(|import| import.path.clone()).collect();
            for path in globs {
                if let Some(number) = path.first().and_then(|head| self.foreign.find_name(head))
                    && let Some(found) = self.find_foreign(number, name)
                {
                    return Some(found);
                }
            }
            let node = self.tree.modules.get(number)?;
            module = node.parent.filter(|_| node.is_block);
        }
        None
    }

    /// Finds a macro of a crate that is declared with `#[macro_use]`.
    fn find_used(&mut self, name: &str) -> Option<FoundMacro> {
        let numbers = self.macro_use.clone();
        numbers.into_iter().find_map(|number| self.find_foreign(number, name))
    }

    /// Takes what a call brings when its macro is not known: its input, if that is items; otherwise says so.
    pub(super) fn guess_call(&mut self, path: &[String], input: TokenStream, place: &CodePlace) -> Option<TokenStream> {
        let name = path.last().map(String::as_str).unwrap_or_default();
        if SILENT.contains(&name) || input.is_empty() {
            return None;
        }
        let parsed = crate::syntax::parse_items(input.clone(), self.most_items());
        if parsed.faults.is_empty() && !parsed.items.is_empty() {
            return Some(input);
        }
        self.report_call(path, place);
        None
    }

    pub(super) fn report_call(&mut self, path: &[String], place: &CodePlace) {
        let name = path.last().map(String::as_str).unwrap_or_default();
        if place.gate.is_on && !SILENT.contains(&name) {
            self.tree.completeness.add(format!("items made by the macro `{name}!` are missing"));
        }
    }

    /// Reads the file that `include!` names.
    pub(super) fn include_file(&mut self, input: &TokenStream, place: &CodePlace) -> Option<(TokenStream, CodePlace)> {
        let mut tokens = input.clone().into_iter();
        let path = match (tokens.next(), tokens.next()) {
            (Some(token @ (TokenTree::Literal(_) | TokenTree::Group(_))), None) => string_value(&token),
            _ => None,
        };
        let Some(path) = path else {
            self.tree.completeness.add("code that a build script writes is missing".to_owned());
            return None;
        };
        let path = place.files.included(&path)?;
        let code = self.read_code(&path)?;
        let tokens = code.pieces.iter().filter_map(|piece| self.parse_piece(piece, code.file)).collect();
        let mut inner = place.clone();
        inner.files.file = code.file;
        super::files::parent_of(&path).clone_into(&mut inner.files.directory);
        inner.line = None;
        Some((tokens, inner))
    }
}

impl NameReach {
    /// The narrower of two.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Public, other) => other,
            (this @ Self::Within(_), _) => this,
        }
    }
}
