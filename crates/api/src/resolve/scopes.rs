//! The names of every module, and what a path means.

use std::collections::HashMap;

use super::foreign_table::ForeignTable;
use crate::cfg::FeatureGate;
use crate::index::{ApiItem, ItemKind, NameSpace};
use crate::source::CrateEdition;
use crate::standard::guess_kind;
use crate::tree::{CrateTree, DefinitionRole, ForeignCrates, NameReach};

/// Bounds the modules that one name is looked up in.
const MOST_INNER_GLOBS: usize = 64;

/// Something that a name can mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum NameTarget {
    Module(usize),
    Definition(usize),
    /// A variant: its enum, and its place there.
    Member(usize, usize),
    /// An item of another crate: the crate's number, and the item's place in its index.
    Foreign(usize, usize),
    ForeignRoot(usize),
    /// A path of the standard library, by its number.
    Standard(usize),
    /// Stands for something that an import that is off would bring, by the number of the import.
    Off(usize),
}

/// A meaning of a name in a module.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is true or not independently of the others")]
pub(super) struct NameBinding {
    pub(super) target: NameTarget,
    pub(super) reach: NameReach,
    /// The conditions of the imports on the way, without those of the item itself.
    pub(super) gate: FeatureGate,
    pub(super) is_hidden: bool,
    pub(super) is_glob: bool,
    pub(super) is_import: bool,
    pub(super) is_listed: bool,
}

pub(super) type ModuleScope = HashMap<String, Vec<NameBinding>>;

/// A private `use` of everything in a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InnerGlob {
    pub(super) module: usize,
    pub(super) gate: FeatureGate,
}

/// Looks up names.
pub(super) struct NameResolver<'a> {
    pub(super) edition: CrateEdition,
    pub(super) tree: &'a CrateTree,
    pub(super) foreign: ForeignCrates<'a>,
    pub(super) scopes: Vec<ModuleScope>,
    /// Modules all of whose names can be used in a module, and only there; they are looked up when they are needed.
    pub(super) inner_globs: Vec<Vec<InnerGlob>>,
    /// Says that not all imports were followed.
    pub(super) is_cut: bool,
    pub(super) standard: Vec<String>,
    /// For definitions that are type aliases, the types that they stand for.
    pub(super) aliased: HashMap<usize, NameTarget>,
    tables: HashMap<usize, ForeignTable>,
}

impl<'a> NameResolver<'a> {
    pub(super) fn new(edition: CrateEdition, tree: &'a CrateTree, foreign: ForeignCrates<'a>) -> Self {
        let mut scopes: Vec<ModuleScope> = Vec::new();
        for module in &tree.modules {
            let mut scope = ModuleScope::new();
            for entry in &module.names {
                let target = match tree.definitions.get(entry.definition).map(|definition| &definition.role) {
                    Some(DefinitionRole::Module(module)) => NameTarget::Module(*module),
                    _ => NameTarget::Definition(entry.definition),
                };
                scope.entry(entry.name.clone()).or_default().push(NameBinding {
                    target,
                    reach: entry.reach,
                    gate: FeatureGate::default(),
                    is_hidden: false,
                    is_glob: false,
                    is_import: false,
                    is_listed: entry.is_listed,
                });
            }
            scopes.push(scope);
        }
        let inner_globs = vec![Vec::new(); tree.modules.len()];
        let (standard, aliased, tables) = (Vec::new(), HashMap::new(), HashMap::new());
        Self { edition, tree, foreign, scopes, inner_globs, is_cut: false, standard, aliased, tables }
    }

    pub(super) fn foreign_item(&self, krate: usize, item: usize) -> Option<&'a ApiItem> {
        self.foreign.index(krate)?.items.get(item)
    }

    pub(super) fn kind(&self, target: NameTarget) -> ItemKind {
        match target {
            NameTarget::Module(_) | NameTarget::ForeignRoot(_) => ItemKind::Module,
            NameTarget::Definition(number) => self.tree.definitions.get(number).map_or(ItemKind::Module, |it| it.kind),
            NameTarget::Member(..) => ItemKind::Variant,
            NameTarget::Foreign(krate, item) => self.foreign_item(krate, item).map_or(ItemKind::Module, |it| it.kind),
            NameTarget::Standard(number) => self.standard.get(number).map_or(ItemKind::Module, |path| guess_kind(path)),
            // Most are macros; nothing depends on it but what else the name may mean.
            NameTarget::Off(_) => ItemKind::Macro,
        }
    }

    pub(super) fn is_on(&self, binding: &NameBinding) -> bool {
        binding.gate.is_on && self.is_target_on(binding.target)
    }

    /// Says whether the features that are on bring an item, wherever it is re-exported.
    pub(super) fn is_target_on(&self, target: NameTarget) -> bool {
        match target {
            NameTarget::Module(number) => self.tree.modules.get(number).is_none_or(|it| it.facts.gate.is_on),
            NameTarget::Definition(number) => self.tree.definitions.get(number).is_none_or(|it| it.facts.gate.is_on),
            NameTarget::Foreign(krate, item) => self.foreign_item(krate, item).is_none_or(|it| !it.is_off),
            NameTarget::Member(..) | NameTarget::ForeignRoot(_) | NameTarget::Standard(_) => true,
            NameTarget::Off(_) => false,
        }
    }

    /// The bindings of a name that count: what is on hides what is off, what is named hides what a glob brings.
    pub(super) fn select(&self, bindings: &[NameBinding]) -> Vec<NameBinding> {
        let mut kept = Vec::new();
        for space in [NameSpace::Types, NameSpace::Values, NameSpace::Macros] {
            let mut found: Vec<&NameBinding> =
                bindings.iter().filter(|binding| self.kind(binding.target).namespace() == space).collect();
            if found.iter().any(|binding| self.is_on(binding)) {
                found.retain(|binding| self.is_on(binding));
            }
            if found.iter().any(|binding| !binding.is_glob) {
                found.retain(|binding| !binding.is_glob);
            }
            kept.extend(found.into_iter().cloned());
        }
        kept
    }

    fn lookup(&self, module: usize, name: &str, from: usize) -> Vec<NameBinding> {
        let mut found = self.select(&self.bindings(module, name, &mut Vec::new()));
        found.retain(|binding| self.can_reach(binding.reach, from));
        found
    }

    /// Everything that a name means in a module, also through private globs, but not in a circle of them.
    fn bindings(&self, module: usize, name: &str, passed: &mut Vec<usize>) -> Vec<NameBinding> {
        let own = self.scopes.get(module).and_then(|scope| scope.get(name));
        let mut bindings = own.cloned().unwrap_or_default();
        let globs = self.inner_globs.get(module).map(Vec::as_slice).unwrap_or_default();
        passed.push(module);
        for glob in globs {
            if passed.contains(&glob.module) || passed.len() > MOST_INNER_GLOBS {
                continue;
            }
            for child in self.select(&self.bindings(glob.module, name, passed)) {
                if self.can_reach(child.reach, module) && self.is_in_glob(glob.module, &child) {
                    let gate = glob.gate.and(&child.gate);
                    let is_hidden = child.is_import && child.is_hidden;
                    let reach = NameReach::Within(module);
                    let (is_glob, is_import, is_listed) = (true, true, true);
                    bindings.push(NameBinding { reach, gate, is_hidden, is_glob, is_import, is_listed, ..child });
                }
            }
        }
        bindings
    }

    /// Says whether `use module::*` brings a name.
    pub(super) fn is_in_glob(&self, module: usize, child: &NameBinding) -> bool {
        let is_macro_of_root =
            module == 0 && self.kind(child.target).namespace() == NameSpace::Macros && !child.is_import;
        child.is_listed && !child.is_hidden && !is_macro_of_root
    }

    /// Says whether a name can be used in a module.
    pub(super) fn can_reach(&self, reach: NameReach, from: usize) -> bool {
        let NameReach::Within(limit) = reach else { return true };
        let mut module = Some(from);
        while let Some(number) = module {
            if number == limit {
                return true;
            }
            module = self.tree.modules.get(number).and_then(|node| node.parent);
        }
        false
    }

    fn nearest_module(&self, module: usize) -> usize {
        let mut module = module;
        while let Some(node) = self.tree.modules.get(module)
            && node.is_block
        {
            module = node.parent.unwrap_or(0);
        }
        module
    }

    fn parent(&self, module: usize) -> usize {
        self.tree.modules.get(module).and_then(|node| node.parent).map_or(0, |parent| self.nearest_module(parent))
    }

    /// Finds everything that a path means in a module.
    pub(super) fn resolve_path(
        &mut self,
        module: usize,
        path: &[String],
        is_use: bool,
        is_global: bool,
    ) -> Vec<NameBinding> {
        let Some((head, rest)) = path.split_first() else { return Vec::new() };
        if head.is_empty() {
            return self.resolve_path(module, rest, is_use, true);
        }
        let (mut found, mut rest) = self.resolve_head(module, head, rest, is_use, is_global);
        while let Some((name, after)) = rest.split_first() {
            rest = after;
            let mut next = Vec::new();
            for binding in &found {
                for child in self.children_named(binding.target, name, module) {
                    next.push(NameBinding { gate: binding.gate.and(&child.gate), is_hidden: child.is_hidden, ..child });
                }
            }
            found = next;
        }
        found
    }

    fn resolve_head<'p>(
        &mut self,
        module: usize,
        head: &str,
        rest: &'p [String],
        is_use: bool,
        is_global: bool,
    ) -> (Vec<NameBinding>, &'p [String]) {
        let home = self.nearest_module(module);
        match head {
            "crate" => return (vec![whole(NameTarget::Module(0))], rest),
            "self" | "super" => {
                let mut target = if head == "self" { home } else { self.parent(home) };
                let mut rest = rest;
                while let Some((next, after)) = rest.split_first()
                    && next == "super"
                {
                    target = self.parent(target);
                    rest = after;
                }
                return (vec![whole(NameTarget::Module(target))], rest);
            }
            _ => {}
        }
        let is_root = self.edition == CrateEdition::Rust2015 && (is_use || is_global);
        let mut found = Vec::new();
        if is_root {
            found = self.lookup(0, head, module);
        } else if !is_global {
            found = self.lookup_lexically(module, head);
        }
        if !rest.is_empty() {
            found.retain(|binding| self.has_children(binding.target));
        }
        if found.is_empty() {
            found = self.lookup_crate(head).into_iter().collect();
        }
        (found, rest)
    }

    fn lookup_lexically(&self, module: usize, name: &str) -> Vec<NameBinding> {
        let mut module = module;
        loop {
            let found = self.lookup(module, name, module);
            match self.tree.modules.get(module) {
                Some(node) if found.is_empty() && node.is_block => module = node.parent.unwrap_or(0),
                _ => return found,
            }
        }
    }

    fn lookup_crate(&mut self, name: &str) -> Option<NameBinding> {
        if let Some(number) = self.foreign.find_name(name) {
            return Some(whole(NameTarget::ForeignRoot(number)));
        }
        let declared = self.lookup(0, name, 0);
        let is_crate = |binding: &NameBinding| {
            matches!(binding.target, NameTarget::ForeignRoot(_) | NameTarget::Standard(_)) && binding.is_import
        };
        if let Some(found) = declared.into_iter().find(is_crate) {
            return Some(found);
        }
        matches!(name, "std" | "core" | "alloc" | "proc_macro" | "test").then(|| self.standard_path(name.to_owned()))
    }

    fn standard_path(&mut self, path: String) -> NameBinding {
        let number = match self.standard.iter().position(|known| *known == path) {
            Some(number) => number,
            None => {
                self.standard.push(path);
                self.standard.len() - 1
            }
        };
        whole(NameTarget::Standard(number))
    }

    fn has_children(&self, target: NameTarget) -> bool {
        matches!(target, NameTarget::ForeignRoot(_) | NameTarget::Standard(_))
            || matches!(self.kind(target), ItemKind::Module | ItemKind::Enum | ItemKind::Type)
    }

    pub(super) fn table(&mut self, krate: usize) -> &ForeignTable {
        let index = self.foreign.index(krate);
        self.tables.entry(krate).or_insert_with(|| index.map(ForeignTable::new).unwrap_or_default())
    }

    fn children_named(&mut self, target: NameTarget, name: &str, from: usize) -> Vec<NameBinding> {
        match target {
            NameTarget::Module(number) => self.lookup(number, name, from),
            NameTarget::Standard(number) => {
                let path = self.standard.get(number).cloned().unwrap_or_default();
                vec![self.standard_path(format!("{path}::{name}"))]
            }
            _ => self.children(target).into_iter().filter(|(known, _)| known == name).map(|(_, child)| child).collect(),
        }
    }

    /// Everything that can be named inside of something, from another module.
    pub(super) fn children(&mut self, target: NameTarget) -> Vec<(String, NameBinding)> {
        match target {
            NameTarget::Module(number) => {
                let Some(scope) = self.scopes.get(number) else { return Vec::new() };
                let mut children: Vec<(String, NameBinding)> = scope
                    .iter()
                    .flat_map(|(name, bindings)| {
                        self.select(bindings).into_iter().map(move |found| (name.clone(), found))
                    })
                    .collect();
                children.sort_by(|one, other| one.0.cmp(&other.0));
                children
            }
            NameTarget::Definition(number) => {
                let Some(definition) = self.tree.definitions.get(number) else { return Vec::new() };
                let members = definition.members.iter().enumerate();
                let variants = members.filter(|(_, member)| member.kind == ItemKind::Variant);
                variants.map(|(at, member)| (member.name.clone(), whole(NameTarget::Member(number, at)))).collect()
            }
            NameTarget::Foreign(krate, item) => {
                let Some(item) = self.foreign_item(krate, item) else { return Vec::new() };
                if let Some(package) = &item.whole_crate {
                    let number = self.foreign.number(package, &package.name);
                    return self.children(NameTarget::ForeignRoot(number));
                }
                match item.kind {
                    ItemKind::Module | ItemKind::Enum => self.foreign_children(krate, &item.path),
                    _ => Vec::new(),
                }
            }
            NameTarget::ForeignRoot(krate) => self.foreign_children(krate, ""),
            NameTarget::Member(..) | NameTarget::Standard(_) | NameTarget::Off(_) => Vec::new(),
        }
    }

    fn foreign_children(&mut self, krate: usize, path: &str) -> Vec<(String, NameBinding)> {
        let found = self.table(krate).children(path).to_vec();
        let mut children = Vec::new();
        for child in found {
            let target = match self.foreign_item(krate, child.item) {
                Some(item) if matches!(item.kind, ItemKind::Method | ItemKind::Field) => continue,
                Some(item) => match &item.whole_crate {
                    Some(package) => NameTarget::ForeignRoot(self.foreign.number(package, &package.name)),
                    None => NameTarget::Foreign(krate, child.item),
                },
                None => continue,
            };
            children.push((child.name, NameBinding { is_hidden: child.is_hidden, ..whole(target) }));
        }
        children
    }
}

/// A binding that depends on nothing.
pub(super) fn whole(target: NameTarget) -> NameBinding {
    NameBinding {
        target,
        reach: NameReach::Public,
        gate: FeatureGate::default(),
        is_hidden: false,
        is_glob: false,
        is_import: false,
        is_listed: true,
    }
}
