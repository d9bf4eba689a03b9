//! Files become a tree: every item is put where it is declared, and calls of macros are expanded on the way.

use std::collections::{HashSet, VecDeque};

use proc_macro2::TokenStream;

use super::files::{FileCode, FilePlace};
use super::foreign::ForeignCrates;
use super::import_index::ImportIndex;
use super::macro_index::MacroIndex;
use super::macro_use::ProcMacroUse;
use super::member_list::MemberList;
use super::{CrateTree, DefinitionNode, DefinitionRole, ImplBlock, ItemFacts, ModuleNode, NameReach};
use crate::attributes::{ItemAttributes, read_attributes};
use crate::cfg::{CfgFacts, FeatureGate};
use crate::index::ItemKind;
use crate::macro_rules::ExpansionBudget;
use crate::source::{CrateInput, IndexLimits, SourceFiles};
use crate::syntax::{ItemBody, SyntaxItem, SyntaxVisibility, has_inner_items, parse_items};

/// Bounds modules inside modules.
const MOST_MODULE_DEPTH: usize = 64;

/// Says where code is: its file, the call that made it, and what it depends on.
#[derive(Debug, Clone, Default)]
pub(super) struct CodePlace {
    pub(super) files: FilePlace,
    /// The line of the call that made the code, as far out as that call is written in the file itself.
    pub(super) line: Option<u32>,
    pub(super) gate: FeatureGate,
    /// The number of the crate whose macro made the code, if that is another.
    pub(super) origin: Option<usize>,
    /// Counts calls inside each other.
    pub(super) depth: usize,
}

impl CodePlace {
    /// The place of what a call makes.
    pub(super) fn for_call(&self, gate: FeatureGate, line: u32) -> Self {
        Self { line: Some(line), gate, depth: self.depth + 1, ..self.clone() }
    }
}

/// The inside of a module: in a file of its own, or in the one that declares it.
enum ModuleCode {
    File(FileCode),
    Inside(TokenStream),
}

/// A call whose macro was not known when it was met.
struct PendingCall {
    path: Vec<String>,
    input: TokenStream,
    module: usize,
    place: CodePlace,
}

/// Builds a tree.
pub(super) struct TreeLoader<'a> {
    pub(super) tree: CrateTree,
    pub(super) files: &'a dyn SourceFiles,
    /// Says that only functions that are marked as proc macros can be used, which are written as such.
    pub(super) is_proc_macro: bool,
    pub(super) limits: IndexLimits,
    facts: CfgFacts,
    pub(super) foreign: ForeignCrates<'a>,
    pub(super) budget: ExpansionBudget,
    /// Macros that can be called by their name alone, the last one first.
    pub(super) scope: Vec<(String, usize)>,
    pub(super) macro_names: MacroIndex,
    pub(super) imports: ImportIndex,
    /// Crates that are declared with `#[macro_use]`.
    pub(super) macro_use: Vec<usize>,
    pending: Vec<PendingCall>,
    module_depth: usize,
    open_files: Vec<usize>,
    pub(super) bytes: usize,
    pub(super) items: usize,
    pub(super) proc_macro_uses: HashSet<ProcMacroUse>,
}

/// Reads all files of a crate that belong to its library.
pub(crate) fn load_tree<'a>(
    source: &CrateInput,
    files: &'a dyn SourceFiles,
    foreign: ForeignCrates<'a>,
    limits: IndexLimits,
) -> (CrateTree, ForeignCrates<'a>) {
    let mut loader = TreeLoader {
        tree: CrateTree::default(),
        files,
        is_proc_macro: source.is_proc_macro,
        limits,
        facts: CfgFacts { features: source.enabled_features.clone(), target: source.target.clone() },
        foreign,
        budget: ExpansionBudget {
            calls: limits.expansions,
            tokens: limits.expanded_tokens,
            steps: limits.matching_steps,
        },
        scope: Vec::new(),
        macro_names: MacroIndex::default(),
        imports: ImportIndex::default(),
        macro_use: Vec::new(),
        pending: Vec::new(),
        module_depth: 0,
        open_files: Vec::new(),
        bytes: 0,
        items: 0,
        proc_macro_uses: HashSet::new(),
    };
    loader.add_module(None, false, ItemFacts { line: 1, ..ItemFacts::default() });
    match loader.read_code(&source.lib_path) {
        Some(code) => {
            let place = CodePlace { files: FilePlace::for_root(code.file, &source.lib_path), ..CodePlace::default() };
            loader.load_root(code, &place);
        }
        None => loader.tree.completeness.add(format!("`{}` cannot be read", source.lib_path)),
    }
    loader.finish_pending();
    loader.report_proc_macros();
    if loader.budget.is_spent() {
        loader.tree.completeness.add("expanding macros took too long".to_owned());
    }
    (loader.tree, loader.foreign)
}

impl TreeLoader<'_> {
    fn load_root(&mut self, code: FileCode, place: &CodePlace) {
        self.open_files.push(place.files.file);
        self.load_code(0, code, place);
        self.open_files.pop();
    }

    /// Puts the items of a file into a module.
    fn load_code(&mut self, module: usize, code: FileCode, place: &CodePlace) {
        for piece in code.pieces {
            if self.items > self.limits.items {
                return;
            }
            if let Some(tokens) = self.parse_piece(&piece, code.file) {
                self.load_nested(module, tokens, place);
            }
        }
    }

    fn add_module(&mut self, parent: Option<usize>, is_block: bool, facts: ItemFacts) -> usize {
        self.tree.modules.push(ModuleNode { parent, is_block, names: Vec::new(), facts });
        self.tree.modules.len() - 1
    }

    /// Counts an item; false when there are too many.
    pub(super) fn count_item(&mut self) -> bool {
        self.items += 1;
        if self.items > self.limits.items {
            self.report_cut();
        }
        self.items <= self.limits.items
    }

    pub(super) fn report_cut(&mut self) {
        self.tree.completeness.add("too many items".to_owned());
    }

    /// Returns how many items are worth reading: one more than may be counted, so that it is said that there are too many.
    pub(super) fn most_items(&self) -> usize {
        self.limits.items.saturating_sub(self.items) + 1
    }

    pub(super) fn read_attributes(&self, attributes: &[TokenStream]) -> ItemAttributes {
        read_attributes(attributes, &self.facts)
    }

    /// Puts all items of a module into the tree, and those of calls in their place.
    fn load_module_items(&mut self, module: usize, tokens: TokenStream, place: &CodePlace) {
        let parsed = parse_items(tokens, self.most_items());
        self.report_faults(&parsed.faults, place);
        let inner = read_attributes(&parsed.inner_attributes, &self.facts);
        let Some(gate) = inner.gate.clone() else { return };
        if let Some(node) = self.tree.modules.get_mut(module) {
            if node.facts.docs.is_empty() {
                node.facts.docs = inner.docs.paragraph();
            }
            node.facts.is_hidden |= inner.is_hidden;
        }
        let place = CodePlace { gate: place.gate.and(&gate), ..place.clone() };
        self.announce_macros(module, &parsed.items);
        let mut queue: VecDeque<(SyntaxItem, CodePlace)> =
            parsed.items.into_iter().map(|item| (item, place.clone())).collect();
        while let Some((item, place)) = queue.pop_front() {
            if let Some((tokens, place)) = self.load_item(module, item, &place) {
                let parsed = parse_items(tokens, self.most_items());
                self.report_faults(&parsed.faults, &place);
                for item in parsed.items.into_iter().rev() {
                    queue.push_front((item, place.clone()));
                }
            }
        }
    }

    /// Says that a file has something that cannot be read.
    pub(super) fn report_faults(&mut self, faults: &[u32], place: &CodePlace) {
        if !faults.is_empty() && place.gate.is_on {
            let file = self.tree.files.get(place.files.file).cloned().unwrap_or_default();
            self.tree.completeness.add(format!("`{file}` has items that cannot be read"));
        }
    }

    /// Puts one item into the tree; gives back what a call makes.
    fn load_item(&mut self, module: usize, item: SyntaxItem, place: &CodePlace) -> Option<(TokenStream, CodePlace)> {
        let attributes = read_attributes(&item.attributes, &self.facts);
        let facts = make_facts(&attributes, item.line, place)?;
        if !self.count_item() {
            return None;
        }
        let reach = self.read_reach(&item.visibility, module);
        if is_seen(&item) {
            self.note_proc_macros(&attributes, &facts, module, place.origin);
        }
        self.load_inside(module, item.inside, &facts, place);
        match item.body {
            ItemBody::Module(content) => {
                self.load_module(module, &item.name, content, &attributes, facts, reach, place);
            }
            ItemBody::Use(leaves) => self.add_imports(module, leaves, &facts, reach),
            ItemBody::ExternCrate { krate, name } => {
                self.add_extern_crate(module, &krate, name, &attributes, &facts, reach);
            }
            ItemBody::Rules(rules) => self.add_rules(module, &item.name, rules, &attributes, facts),
            ItemBody::Impl { self_path, trait_text, members } => {
                let inner = CodePlace { gate: facts.gate.clone(), ..place.clone() };
                let mut members = match trait_text {
                    Some(_) if !has_inner_items(&members) => Vec::new(),
                    _ => self.load_members(members, MemberList::Type, module, &inner),
                };
                if trait_text.is_some() {
                    members.clear();
                }
                for member in &mut members {
                    member.facts.is_hidden |= facts.is_hidden;
                }
                self.tree.impls.push(ImplBlock { module, self_path, trait_text, gate: facts.gate, members });
            }
            ItemBody::Foreign { abi, members } => {
                let inner = CodePlace { gate: facts.gate, ..place.clone() };
                self.load_foreign(module, &abi, members, &inner);
            }
            ItemBody::Unnamed(tokens) => {
                let block = self.add_module(Some(module), true, facts.clone());
                let inner = CodePlace { gate: facts.gate, ..place.clone() };
                self.load_nested(block, tokens, &inner);
            }
            ItemBody::Call { path, input } => {
                let inner = place.for_call(facts.gate, facts.line);
                return self.load_call(module, path, input, inner);
            }
            body => self.load_named(module, &item.name, body, &attributes, facts, reach, place),
        }
        None
    }

    /// Puts the items of a function's body into a block. Everything else in it is passed over, calls of macros too.
    pub(super) fn load_inside(&mut self, module: usize, body: TokenStream, facts: &ItemFacts, place: &CodePlace) {
        if body.is_empty() {
            return;
        }
        if self.module_depth >= MOST_MODULE_DEPTH {
            self.report_module_depth();
            return;
        }
        self.module_depth += 1;
        let block = self.add_module(Some(module), true, facts.clone());
        let inner = CodePlace { gate: facts.gate.clone(), ..place.clone() };
        let scope = self.scope.len();
        for item in parse_items(body, self.most_items()).items {
            if !matches!(item.body, ItemBody::Call { .. } | ItemBody::Module(None)) {
                self.load_item(block, item, &inner);
            }
        }
        self.scope.truncate(scope);
        self.module_depth -= 1;
    }

    fn load_call(
        &mut self,
        module: usize,
        path: Vec<String>,
        input: TokenStream,
        place: CodePlace,
    ) -> Option<(TokenStream, CodePlace)> {
        match path.last().map(String::as_str) {
            Some("include") => return self.include_file(&input, &place),
            // What it declares are statics, written as such.
            Some("thread_local") => return Some((input, place)),
            _ => {}
        }
        let expanded = self.expand(&path, &input, module, &place);
        if expanded.is_none() {
            self.pending.push(PendingCall { path, input, module, place });
        }
        expanded
    }

    /// Expands the calls whose macros were not known before; what is left is guessed.
    fn finish_pending(&mut self) {
        loop {
            let pending = std::mem::take(&mut self.pending);
            if pending.is_empty() {
                return;
            }
            for call in pending {
                let expanded = self.expand(&call.path, &call.input, call.module, &call.place);
                let (tokens, place) = match expanded {
                    Some(expanded) => expanded,
                    None => match self.guess_call(&call.path, call.input, call.module, &call.place) {
                        Some(tokens) => (tokens, call.place),
                        None => continue,
                    },
                };
                let before = self.scope.len();
                self.load_nested(call.module, tokens, &place);
                self.scope.truncate(before);
            }
        }
    }

    fn report_module_depth(&mut self) {
        self.tree.completeness.add("modules are nested too deeply".to_owned());
    }

    fn load_nested(&mut self, module: usize, tokens: TokenStream, place: &CodePlace) {
        if self.module_depth >= MOST_MODULE_DEPTH {
            self.report_module_depth();
            return;
        }
        self.module_depth += 1;
        self.load_module_items(module, tokens, place);
        self.module_depth -= 1;
    }

    #[expect(clippy::too_many_arguments, reason = "all of them are parts of one item")]
    fn load_module(
        &mut self,
        parent: usize,
        name: &str,
        content: Option<TokenStream>,
        attributes: &ItemAttributes,
        facts: ItemFacts,
        reach: NameReach,
        place: &CodePlace,
    ) {
        let path = attributes.path.as_deref();
        let mut inner = CodePlace { gate: facts.gate.clone(), ..place.clone() };
        let code = match content {
            Some(tokens) => {
                inner.files = place.files.inside(name, path);
                Some(ModuleCode::Inside(tokens))
            }
            None => self.read_module_file(name, path, &mut inner).map(ModuleCode::File),
        };
        let module = self.add_module(Some(parent), false, facts.clone());
        let role = DefinitionRole::Module(module);
        let signature = format!("pub mod {name}");
        let kind = ItemKind::Module;
        let definition = DefinitionNode { kind, signature, facts, members: Vec::new(), implements: Vec::new(), role };
        self.define(parent, name, definition, reach);
        let Some(code) = code else { return };
        let scope = self.scope.len();
        let is_new_file = self.open_files.last() != Some(&inner.files.file);
        if is_new_file {
            self.open_files.push(inner.files.file);
        }
        match code {
            ModuleCode::File(code) => self.load_code(module, code, &inner),
            ModuleCode::Inside(tokens) => self.load_nested(module, tokens, &inner),
        }
        if is_new_file {
            self.open_files.pop();
        }
        if !attributes.is_macro_use {
            self.scope.truncate(scope);
        }
    }

    fn read_module_file(&mut self, name: &str, path: Option<&str>, place: &mut CodePlace) -> Option<FileCode> {
        for candidate in place.files.candidates(name, path) {
            let is_open = self.open_files.iter().any(|file| self.tree.files.get(*file) == Some(&candidate.path));
            if is_open {
                continue;
            }
            if let Some(code) = self.read_code(&candidate.path) {
                let root = FilePlace::for_root(code.file, &candidate.path);
                place.files = FilePlace { modules: candidate.modules, ..root };
                place.line = None;
                return Some(code);
            }
        }
        if place.gate.is_on {
            self.tree.completeness.add(format!("the file of the module `{name}` cannot be read"));
        }
        None
    }
}

/// Says whether a proc macro could make something public of an item.
fn is_seen(item: &SyntaxItem) -> bool {
    match &item.body {
        ItemBody::Impl { trait_text, .. } => trait_text.is_none(),
        ItemBody::Module(_) | ItemBody::Foreign { .. } => true,
        _ => item.visibility == SyntaxVisibility::Public,
    }
}

/// Reads what all items have; nothing for an item that is never there.
pub(super) fn make_facts(attributes: &ItemAttributes, line: u32, place: &CodePlace) -> Option<ItemFacts> {
    Some(ItemFacts {
        docs: attributes.docs.paragraph(),
        deprecated: attributes.deprecated.clone(),
        is_hidden: attributes.is_hidden,
        gate: place.gate.and(attributes.gate.as_ref()?),
        file: place.files.file,
        line: if line == 0 { place.line.unwrap_or(1) } else { line },
    })
}
