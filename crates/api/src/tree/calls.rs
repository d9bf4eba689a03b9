//! Calls of macros where items or members could be: which macro is meant, and what it makes.

use std::rc::Rc;

use proc_macro2::{TokenStream, TokenTree};

use super::NameReach;
use super::foreign::read_mark;
use super::loader::{CodePlace, TreeLoader};
use super::macro_use::MacroUse;
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
    /// Nothing if what it makes cannot be known: it is a proc macro.
    rules: Option<Rc<MacroRules>>,
    /// The number of the crate it is from, if that is another.
    pub(super) home: Option<usize>,
    /// The name that it has there.
    pub(super) name: String,
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
        let found = self.find_macro(path, module, place.origin, MacroUse::Call);
        let Some((rules, home)) = found.and_then(|found| Some((found.rules?, found.home))) else {
            let is_paste = path.last().is_some_and(|name| is_paste(name));
            return is_paste.then(|| (paste_names(input.clone()), place.clone()));
        };
        let crate_name = home.map_or_else(|| "crate".to_owned(), |home| self.foreign.mark(home));
        let mut made = expand_call(&rules, input, &crate_name, &mut self.budget);
        if made.is_none() && home.is_none() {
            // Another macro of that name may be meant.
            let name = path.last().map(String::as_str).unwrap_or_default();
            let others = self.list_local(name, module).into_iter().filter_map(|number| self.local(number)?.rules);
            let others: Vec<_> = others.filter(|other| !Rc::ptr_eq(other, &rules)).collect();
            made = others.iter().find_map(|rules| expand_call(rules, input, &crate_name, &mut self.budget));
        }
        let tokens = check_depth(made?)?;
        Some((tokens, CodePlace { origin: home, ..place.clone() }))
    }

    /// Finds a macro by the path of a call. `origin` is the crate whose macro made the call.
    pub(super) fn find_macro(
        &mut self,
        path: &[String],
        module: usize,
        origin: Option<usize>,
        wanted: MacroUse,
    ) -> Option<FoundMacro> {
        match path {
            [name] => self
                .find_in_scope(name, wanted)
                .or_else(|| self.find_imported(name, module, 0, wanted))
                .or_else(|| origin.and_then(|home| self.find_foreign(home, name, wanted)))
                .or_else(|| self.find_local(name, module, wanted))
                .or_else(|| self.find_used(name, wanted)),
            [head, .., name] => self.find_at_path(head, path.get(1..)?, name, module, 0, wanted),
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
        wanted: MacroUse,
    ) -> Option<FoundMacro> {
        if matches!(head, "crate" | "self" | "super") {
            let module = if head == "crate" { 0 } else { module };
            let found = self.find_local(name, module, wanted);
            let found = found.or_else(|| self.find_imported(name, module, renames, wanted));
            // A crate that is named in this one.
            return match rest {
                [krate, _, ..] if found.is_none() && renames < MOST_RENAMES => {
                    self.find_at_path(krate, rest.get(1..)?, name, module, renames + 1, wanted)
                }
                _ => found,
            };
        }
        let head = match (head, rest) {
            ("", [head, ..]) => head.as_str(),
            _ => head,
        };
        if let Some(number) = self.foreign.find_name(head) {
            let found = self.find_foreign(number, name, wanted);
            // Of a crate without an index nothing is known.
            let is_unknown = wanted == MacroUse::Attribute && self.foreign.index(number).is_none();
            let unknown = || FoundMacro { rules: None, home: Some(number), name: name.to_owned() };
            return found.or_else(|| is_unknown.then(unknown));
        }
        if read_mark(head).is_some() {
            return None;
        }
        // A crate under another name, or a module of this one.
        let renamed = self.imports.find(module, head).or_else(|| self.imports.find(0, head));
        match renamed.and_then(|import| self.import_path(import)) {
            Some(path) if renames < MOST_RENAMES => {
                let first = path.first()?.clone();
                if first == head {
                    self.find_local(name, module, wanted)
                } else {
                    self.find_at_path(&first, &path, name, module, renames + 1, wanted)
                }
            }
            _ => self.find_local(name, module, wanted),
        }
    }

    fn find_in_scope(&self, name: &str, wanted: MacroUse) -> Option<FoundMacro> {
        if wanted != MacroUse::Call {
            return None;
        }
        let found = self.scope.iter().rev().find(|(known, _)| known == name)?;
        self.local(found.1)
    }

    fn local(&self, number: usize) -> Option<FoundMacro> {
        let rules = self.tree.macros.get(number)?.rules.clone()?;
        Some(FoundMacro { rules: Some(rules), home: None, name: String::new() })
    }

    /// Lists the macros of a name, the nearest to a module first.
    fn list_local(&self, name: &str, module: usize) -> Vec<usize> {
        let parent = |module: usize| self.tree.modules.get(module)?.parent;
        self.macro_names.list(
            name,
            &std::iter::successors(Some(module), |module| parent(*module)).collect::<Vec<_>>(),
            parent,
        )
    }

    /// Finds a macro of this crate by its name alone, wherever it is defined or re-exported.
    fn find_local(&mut self, name: &str, module: usize, wanted: MacroUse) -> Option<FoundMacro> {
        if wanted == MacroUse::Call
            && let Some(number) = self.list_local(name, module).first()
        {
            return self.local(*number);
        }
        let imports = self.imports.find_all(name).to_vec();
        imports.into_iter().find_map(|import| {
            let path = self.import_path(import)?;
            let number = self.foreign.find_name(path.first()?)?;
            self.find_foreign(number, path.last()?, wanted)
        })
    }

    pub(super) fn import_path(&self, import: usize) -> Option<Vec<String>> {
        self.tree.imports.get(import).map(|import| import.path.clone())
    }

    fn find_foreign(&mut self, number: usize, name: &str, wanted: MacroUse) -> Option<FoundMacro> {
        if wanted == MacroUse::Call
            && let Some((rules, home)) = self.foreign.find_rules(number, name)
        {
            return Some(FoundMacro { rules: Some(rules), home: Some(home), name: name.to_owned() });
        }
        let is_there = self.foreign.has_item(number, name, wanted.kind());
        is_there.then(|| FoundMacro { rules: None, home: Some(number), name: name.to_owned() })
    }

    /// Finds a macro that a `use` of the module brings in.
    fn find_imported(&mut self, name: &str, module: usize, renames: usize, wanted: MacroUse) -> Option<FoundMacro> {
        if renames > MOST_RENAMES {
            return None;
        }
        let mut module = Some(module);
        while let Some(number) = module {
            let named = self.imports.find(number, name);
            if let Some(path) = named.and_then(|import| self.import_path(import))
                && let Some(last) = path.last()
                && (path.len() > 1 || last != name)
            {
                let head = path.first()?;
                return self.find_at_path(head, path.get(1..)?, last, number, renames + 1, wanted);
            }
            for krate in self.imports.glob_crates(number).to_vec() {
                if let Some(found) = self.find_foreign(krate, name, wanted) {
                    return Some(found);
                }
            }
            let node = self.tree.modules.get(number)?;
            module = node.parent.filter(|_| node.is_block);
        }
        None
    }

    /// Finds a macro of a crate that is declared with `#[macro_use]`.
    fn find_used(&mut self, name: &str, wanted: MacroUse) -> Option<FoundMacro> {
        let numbers = self.macro_use.clone();
        numbers.into_iter().find_map(|number| self.find_foreign(number, name, wanted))
    }

    /// Takes what a call brings that cannot be expanded: its input, if that is items and the macro is not known. Says that
    /// it is a guess, or that items are missing.
    pub(super) fn guess_call(
        &mut self,
        path: &[String],
        input: TokenStream,
        module: usize,
        place: &CodePlace,
    ) -> Option<TokenStream> {
        let name = path.last().map(String::as_str).unwrap_or_default();
        if self.find_macro(path, module, place.origin, MacroUse::Call).is_some() {
            self.report_call(path, place);
            return None;
        }
        if SILENT.contains(&name) || input.is_empty() {
            return None;
        }
        let parsed = crate::syntax::parse_items(input.clone(), self.most_items());
        if parsed.faults.is_empty() && !parsed.items.is_empty() {
            if place.gate.is_on && !self.is_proc_macro {
                self.tree.completeness.add(format!("items made by the macro `{name}!` are guessed from its input"));
            }
            return Some(input);
        }
        self.report_call(path, place);
        None
    }

    pub(super) fn report_call(&mut self, path: &[String], place: &CodePlace) {
        let name = path.last().map(String::as_str).unwrap_or_default();
        if place.gate.is_on && !SILENT.contains(&name) && !self.is_proc_macro {
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
