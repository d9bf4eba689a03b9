//! Declarations: names, imports and macros, put where they are declared.

use proc_macro2::TokenStream;

use super::loader::{CodePlace, TreeLoader};
use super::member_list::MemberList;
use super::{DefinitionNode, DefinitionRole, ImportName, ImportNode, ItemFacts, MacroNode, NameEntry, NameReach};
use crate::attributes::{ItemAttributes, ProcMacro};
use crate::index::ItemKind;
use crate::macro_rules::read_rules;
use crate::syntax::{ItemBody, SyntaxItem, SyntaxVisibility, UseLeaf, UseName};

impl TreeLoader<'_> {
    pub(super) fn read_reach(&self, visibility: &SyntaxVisibility, module: usize) -> NameReach {
        let up = |levels: usize| {
            let mut module = module;
            for _ in 0..levels {
                module = self.tree.modules.get(module).and_then(|node| node.parent).unwrap_or(0);
            }
            NameReach::Within(module)
        };
        match visibility {
            SyntaxVisibility::Public => NameReach::Public,
            SyntaxVisibility::Crate | SyntaxVisibility::In(_) => NameReach::Within(0),
            SyntaxVisibility::Super(levels) => up(*levels),
            SyntaxVisibility::Inherited => NameReach::Within(module),
        }
    }

    pub(super) fn define(&mut self, module: usize, name: &str, definition: DefinitionNode, reach: NameReach) {
        let number = self.tree.definitions.len();
        self.tree.definitions.push(definition);
        self.bind(module, name, number, reach, true);
    }

    fn bind(&mut self, module: usize, name: &str, definition: usize, reach: NameReach, is_listed: bool) {
        if let Some(node) = self.tree.modules.get_mut(module) {
            node.names.push(NameEntry { name: name.to_owned(), definition, reach, is_listed });
        }
    }

    pub(super) fn add_imports(&mut self, module: usize, leaves: Vec<UseLeaf>, facts: &ItemFacts, reach: NameReach) {
        for leaf in leaves {
            let name = match leaf.name {
                UseName::As(name) => ImportName::As(name),
                UseName::Glob => ImportName::Glob,
                UseName::Unnamed => continue,
            };
            let (path, is_global) = (leaf.path, leaf.is_global);
            self.add_import(ImportNode { module, path, is_global, name, reach, facts: facts.clone() });
        }
    }

    pub(super) fn add_extern_crate(
        &mut self,
        module: usize,
        krate: &str,
        name: Option<String>,
        attributes: &ItemAttributes,
        facts: &ItemFacts,
        reach: NameReach,
    ) {
        if attributes.is_macro_use
            && let Some(number) = self.foreign.find_name(krate)
        {
            self.macro_use.push(number);
        }
        let Some(name) = name else { return };
        let path = vec![if krate == "self" { "crate".to_owned() } else { krate.to_owned() }];
        let is_global = krate != "self";
        let name = ImportName::As(name);
        self.add_import(ImportNode { module, path, is_global, name, reach, facts: facts.clone() });
    }

    fn add_import(&mut self, import: ImportNode) {
        match &import.name {
            ImportName::As(name) => self.imports.add_name(import.module, name, self.tree.imports.len()),
            ImportName::Glob => {
                if let Some(krate) = import.path.first().and_then(|head| self.foreign.find_name(head)) {
                    self.imports.add_glob(import.module, krate);
                }
            }
        }
        self.tree.imports.push(import);
    }

    pub(super) fn add_rules(
        &mut self,
        module: usize,
        name: &str,
        rules: TokenStream,
        attributes: &ItemAttributes,
        facts: ItemFacts,
    ) {
        let is_exported = attributes.is_macro_export;
        let signature = if is_exported { print_rules(name, &rules) } else { String::new() };
        let text = if is_exported { rules.to_string() } else { String::new() };
        let number = self.tree.macros.len();
        self.tree.macros.push(MacroNode {
            name: name.to_owned(),
            rules: read_rules(rules).map(std::rc::Rc::new),
            text,
        });
        self.scope.push((name.to_owned(), number));
        self.macro_names.define(name, module, number);
        let role = DefinitionRole::Rules(number);
        let kind = ItemKind::Macro;
        let definition = DefinitionNode { kind, signature, facts, members: Vec::new(), implements: Vec::new(), role };
        if is_exported {
            self.define(0, name, definition, NameReach::Public);
            if module != 0 {
                let last = self.tree.definitions.len() - 1;
                self.bind(module, name, last, NameReach::Public, false);
            }
        } else {
            self.define(module, name, definition, NameReach::Within(0));
        }
    }

    /// Puts the items of a block `extern` into a module. Those that an attribute of diesel makes are all public.
    pub(super) fn load_foreign(&mut self, module: usize, abi: &str, members: TokenStream, place: &CodePlace) {
        let is_sql = abi == "SQL";
        let list = if is_sql { MemberList::Trait } else { MemberList::Foreign };
        for member in self.load_members(members, list, module, place) {
            let (kind, signature) = match member.kind {
                ItemKind::Method => (ItemKind::Function, format!("pub {}", member.signature)),
                ItemKind::Function => {
                    let signature = member.signature.replacen("fn ", &format!("extern \"{abi}\" fn "), 1);
                    (ItemKind::Function, signature)
                }
                kind => (kind, member.signature),
            };
            let definition = DefinitionNode::plain(kind, signature, member.facts);
            self.define(module, &member.name, definition, NameReach::Public);
        }
    }

    /// Makes macros known that are used before they are defined, which a `use` allows.
    pub(super) fn announce_macros(&mut self, module: usize, items: &[SyntaxItem]) {
        for item in items {
            if let ItemBody::Rules(rules) = &item.body
                && !self.macro_names.has(&item.name, module)
            {
                let (name, rules) = (item.name.clone(), read_rules(rules.clone()).map(std::rc::Rc::new));
                self.macro_names.define(&name, module, self.tree.macros.len());
                self.tree.macros.push(MacroNode { name, rules, text: String::new() });
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "all of them are parts of one item")]
    pub(super) fn load_named(
        &mut self,
        module: usize,
        name: &str,
        body: ItemBody,
        attributes: &ItemAttributes,
        facts: ItemFacts,
        reach: NameReach,
        place: &CodePlace,
    ) {
        let inner = CodePlace { gate: facts.gate.clone(), ..place.clone() };
        let mut members = |tokens, list| self.load_members(tokens, list, module, &inner);
        let mut role = DefinitionRole::Plain;
        let (kind, signature, members) = match body {
            ItemBody::Private(kind) => (kind, String::new(), Vec::new()),
            ItemBody::Plain { kind, signature } => (kind, signature, Vec::new()),
            ItemBody::Alias { signature, target } => {
                role = DefinitionRole::Alias { module, target };
                (ItemKind::Type, signature, Vec::new())
            }
            ItemBody::Struct { signature, fields, kind } => (kind, signature, members(fields, MemberList::Fields)),
            ItemBody::Enum { signature, variants } => {
                (ItemKind::Enum, signature, members(variants, MemberList::Variants))
            }
            ItemBody::Trait { signature, members: tokens } => {
                (ItemKind::Trait, signature, members(tokens, MemberList::Trait))
            }
            ItemBody::DeclMacro => (ItemKind::Macro, format!("pub macro {name}"), Vec::new()),
            _ => return,
        };
        if let Some(proc_macro) = &attributes.proc_macro {
            let (name, kind, signature) = match proc_macro {
                ProcMacro::Function => (name, ItemKind::Macro, format!("{name}!()")),
                ProcMacro::Attribute => (name, ItemKind::Attribute, format!("#[{name}]")),
                ProcMacro::Derive(derive) => (derive.as_str(), ItemKind::Derive, format!("#[derive({derive})]")),
            };
            return self.define(0, name, DefinitionNode::plain(kind, signature, facts), NameReach::Public);
        }
        let implements = attributes.derives.clone();
        self.define(module, name, DefinitionNode { kind, signature, facts, members, implements, role }, reach);
    }
}

/// Prints the patterns of a macro.
fn print_rules(name: &str, rules: &TokenStream) -> String {
    const MOST_CHARS: usize = 400;
    let mut patterns = String::new();
    let tokens: Vec<_> = rules.clone().into_iter().collect();
    for window in tokens.windows(2) {
        if let [proc_macro2::TokenTree::Group(group), proc_macro2::TokenTree::Punct(sign)] = window
            && sign.as_char() == '='
        {
            let pattern = crate::syntax::print::print_tokens(&group.stream());
            if patterns.len() + pattern.len() > MOST_CHARS {
                patterns.push_str(" …");
                break;
            }
            patterns.push_str(&format!(" ({pattern}) => {{ … }};"));
        }
    }
    format!("macro_rules! {name} {{{patterns} }}")
}
