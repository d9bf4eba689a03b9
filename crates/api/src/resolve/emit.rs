//! The index, from everything that was found.

use std::collections::{BTreeMap, HashMap};

use super::foreign_table::has_members;
use super::head_name::with_public_name;
use super::impls::ImplAdditions;
use super::paths::{PublicPath, PublicPaths};
use super::scopes::{NameResolver, NameTarget};
use crate::cfg::FeatureGate;
use crate::index::{AliasedType, ApiItem, CrateIndex, INDEX_VERSION, ItemKind, MacroText, PathAlias};
use crate::source::{CrateInput, PackageId};
use crate::standard::guess_kind;
use crate::tree::{DefinitionNode, DefinitionRole, ItemFacts, MemberNode};

struct IndexEmitter<'a, 'r> {
    resolver: &'r NameResolver<'a>,
    paths: &'r PublicPaths,
    index: CrateIndex,
}

/// Lists everything that has a public path.
pub(super) fn emit_index(
    source: &CrateInput,
    resolver: &NameResolver<'_>,
    additions: &HashMap<usize, ImplAdditions<'_>>,
    paths: &PublicPaths,
) -> CrateIndex {
    let mut completeness = resolver.tree.completeness.clone();
    if resolver.is_cut {
        completeness.add("too many names are imported".to_owned());
    }
    let index = CrateIndex {
        format: INDEX_VERSION,
        name: source.name.clone(),
        package: PackageId { name: source.package.clone(), version: source.version.clone() },
        completeness,
        ..CrateIndex::default()
    };
    let mut emitter = IndexEmitter { resolver, paths, index };
    for (&target, found) in paths {
        let Some((best, others)) = found.split_first() else { continue };
        for other in others {
            let alias = PathAlias { alias: other.path.clone(), path: best.path.clone(), is_hidden: other.hides_itself };
            emitter.index.aliases.push(alias);
        }
        emitter.emit(target, best, additions);
    }
    emitter.finish()
}

impl IndexEmitter<'_, '_> {
    fn emit(&mut self, target: NameTarget, place: &PublicPath, additions: &HashMap<usize, ImplAdditions<'_>>) {
        match target {
            NameTarget::Module(number) => {
                let Some(module) = self.resolver.tree.modules.get(number) else { return };
                let signature = if number == 0 { String::new() } else { format!("pub mod {}", last(&place.path)) };
                let item = self.make_item(&place.path, ItemKind::Module, signature, &module.facts, place);
                self.index.items.push(item);
            }
            NameTarget::Definition(number) => {
                let Some(definition) = self.resolver.tree.definitions.get(number) else { return };
                self.emit_definition(number, definition, place, additions.get(&number));
            }
            NameTarget::Member(definition, member) => {
                let definition = self.resolver.tree.definitions.get(definition);
                if let Some(member) = definition.and_then(|it| it.members.get(member)) {
                    let signature = with_public_name(&member.signature, member.kind, last(&place.path));
                    let item = self.make_item(&place.path, member.kind, signature, &member.facts, place);
                    self.index.items.push(item);
                }
            }
            NameTarget::Foreign(krate, item) => self.emit_foreign(krate, item, place),
            NameTarget::ForeignRoot(krate) => self.emit_crate(krate, place),
            NameTarget::Standard(number) => self.emit_standard(number, place),
            NameTarget::Off(number) => self.emit_off_name(number, place),
        }
    }

    fn emit_definition(
        &mut self,
        number: usize,
        definition: &DefinitionNode,
        place: &PublicPath,
        addition: Option<&ImplAdditions<'_>>,
    ) {
        let facts = &definition.facts;
        let signature = with_public_name(&definition.signature, definition.kind, last(&place.path));
        let mut item = self.make_item(&place.path, definition.kind, signature, facts, place);
        item.aliased = self.resolver.aliased.get(&number).and_then(|target| self.find_listed(*target));
        item.implements.clone_from(&definition.implements);
        item.implements.extend(addition.iter().flat_map(|addition| addition.traits.iter().cloned()));
        self.index.items.push(item);
        if let DefinitionRole::Rules(number) = definition.role
            && let Some(rules) = self.resolver.tree.macros.get(number)
            && !rules.text.is_empty()
        {
            let (name, rules) = (rules.name.clone(), rules.text.clone());
            self.index.macros.push(MacroText { name, rules, origin: None });
        }
        let added = addition.iter().flat_map(|addition| addition.members.iter().copied());
        for member in definition.members.iter().chain(added) {
            self.emit_member(member, place);
        }
    }

    /// Finds where a type that an alias stands for is listed.
    fn find_listed(&self, target: NameTarget) -> Option<AliasedType> {
        if let NameTarget::Foreign(krate, number) = target {
            let (index, item) = (self.resolver.foreign.index(krate)?, self.resolver.foreign_item(krate, number)?);
            return Some(AliasedType { package: Some(index.package.clone()), path: item.path.clone() });
        }
        let place = self.paths.get(&target)?.first()?;
        Some(AliasedType { package: None, path: place.path.clone() })
    }

    fn emit_member(&mut self, member: &MemberNode, place: &PublicPath) {
        let path = format!("{}::{}", place.path, member.name);
        let mut item = self.make_item(&path, member.kind, member.signature.clone(), &member.facts, place);
        item.is_hidden |= member.facts.is_hidden;
        item.hides_itself = member.facts.is_hidden;
        self.index.items.push(item);
    }

    fn make_item(
        &self,
        path: &str,
        kind: ItemKind,
        signature: String,
        facts: &ItemFacts,
        place: &PublicPath,
    ) -> ApiItem {
        let gate = facts.gate.and(&place.gate);
        ApiItem {
            path: path.to_owned(),
            kind,
            signature,
            docs: facts.docs.clone(),
            deprecated: facts.deprecated.clone(),
            feature: gate.text(),
            is_off: !gate.is_on,
            is_hidden: place.is_hidden,
            hides_itself: place.hides_itself,
            file: self.resolver.tree.files.get(facts.file).cloned().unwrap_or_default(),
            line: facts.line,
            origin: None,
            whole_crate: None,
            aliased: None,
            implements: Vec::new(),
        }
    }

    fn origin(&mut self, package: &PackageId) -> Option<u16> {
        let number = match self.index.origins.iter().position(|known| known == package) {
            Some(number) => number,
            None => {
                self.index.origins.push(package.clone());
                self.index.origins.len() - 1
            }
        };
        u16::try_from(number).ok()
    }

    /// Lists an item of another crate under a path of this one, with its methods, fields and variants.
    fn emit_foreign(&mut self, krate: usize, number: usize, place: &PublicPath) {
        let Some(index) = self.resolver.foreign.index(krate) else { return };
        let Some(item) = index.items.get(number) else { return };
        self.copy_item(index, item, place.path.clone(), place);
        if item.kind == ItemKind::Macro
            && let Some(text) = index.macros.iter().find(|text| text.name == item.name())
        {
            let home = text.origin.and_then(|origin| index.origins.get(usize::from(origin))).unwrap_or(&index.package);
            let origin = self.origin(home);
            self.index.macros.push(MacroText { name: last(&place.path).to_owned(), rules: text.rules.clone(), origin });
        }
        if !has_members(item.kind) {
            return;
        }
        let prefix = format!("{}::", item.path);
        let first = index.items.partition_point(|member| member.path.as_str() < prefix.as_str());
        let members = index.items.iter().skip(first);
        for member in members.take_while(|member| member.path.starts_with(&prefix)) {
            if member.parent() == item.path {
                self.copy_item(index, member, format!("{}::{}", place.path, member.name()), place);
            }
        }
    }

    fn copy_item(&mut self, index: &CrateIndex, item: &ApiItem, path: String, place: &PublicPath) {
        let gate = FeatureGate::from_text(None, item.is_off).and(&place.gate);
        let home = item.origin.and_then(|origin| index.origins.get(usize::from(origin))).unwrap_or(&index.package);
        let origin = self.origin(home);
        let is_member = path != place.path;
        let home_of = |aliased: &AliasedType| AliasedType {
            package: Some(aliased.package.clone().unwrap_or_else(|| index.package.clone())),
            path: aliased.path.clone(),
        };
        let aliased = item.aliased.as_ref().map(home_of);
        let signature =
            if is_member { item.signature.clone() } else { with_public_name(&item.signature, item.kind, last(&path)) };
        self.index.items.push(ApiItem {
            path,
            signature,
            feature: gate.text(),
            is_off: !gate.is_on,
            is_hidden: place.is_hidden || (is_member && item.hides_itself),
            hides_itself: if is_member { item.hides_itself } else { place.hides_itself },
            origin,
            aliased,
            ..item.clone()
        });
    }

    /// Lists a crate that is re-exported as a whole.
    fn emit_crate(&mut self, krate: usize, place: &PublicPath) {
        let Some(known) = self.resolver.foreign.crates.get(krate) else { return };
        let docs = known.index.and_then(|index| index.items.first()).map(|root| root.docs.clone());
        let facts = ItemFacts { docs: docs.unwrap_or_default(), ..ItemFacts::default() };
        let mut item = self.make_item(&place.path, ItemKind::Module, format!("pub use {}", known.name), &facts, place);
        let origin = self.origin(&known.package);
        item.origin = origin;
        item.whole_crate = Some(known.package.clone());
        item.file = String::new();
        self.index.items.push(item);
    }

    fn emit_standard(&mut self, number: usize, place: &PublicPath) {
        let Some(path) = self.resolver.standard.get(number) else { return };
        let facts = ItemFacts::default();
        let mut item = self.make_item(&place.path, guess_kind(path), format!("pub use {path}"), &facts, place);
        item.file = String::new();
        self.index.items.push(item);
    }

    /// Lists what an import that is off would bring, as far as that is known.
    fn emit_off_name(&mut self, import: usize, place: &PublicPath) {
        let Some(import) = self.resolver.tree.imports.get(import).filter(|_| !place.is_hidden) else { return };
        let path = import.path.join("::");
        let signature = format!("pub use {path}");
        let mut item = self.make_item(&place.path, guess_kind(&path), signature, &import.facts, place);
        item.docs = String::new();
        if item.feature.is_some() {
            self.index.off_names.push(item);
        }
    }

    fn finish(mut self) -> CrateIndex {
        let mut best: BTreeMap<(String, ItemKind), ApiItem> = BTreeMap::new();
        for item in self.index.items {
            let key = (item.path.clone(), item.kind);
            let rank = |item: &ApiItem| (item.is_hidden, item.is_off);
            match best.get(&key) {
                Some(known) if rank(known) <= rank(&item) => {}
                _ => {
                    best.insert(key, item);
                }
            }
        }
        self.index
            .off_names
            .retain(|name| !ItemKind::ALL.iter().any(|kind| best.contains_key(&(name.path.clone(), *kind))));
        self.index.off_names.sort_by(|one, other| one.path.cmp(&other.path));
        self.index.off_names.dedup_by(|one, other| one.path == other.path);
        self.index.items = best.into_values().collect();
        self.index.aliases.sort();
        self.index.aliases.dedup();
        self.index.macros.sort_by(|one, other| one.name.cmp(&other.name));
        self.index.macros.dedup_by(|one, other| one.name == other.name);
        self.index
    }
}

fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or_default()
}
