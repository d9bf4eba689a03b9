//! Proc macros: which derives and attributes may make items that no source has.

use std::collections::HashSet;

use super::loader::TreeLoader;
use super::macro_use::{MacroUse, ProcMacroUse};
use super::{DefinitionRole, ImportNode, ItemFacts, NameReach};
use crate::attributes::ItemAttributes;
use crate::index::ItemKind;
use crate::standard::is_trait_name;

/// Derives of the compiler, and others that only implement a trait of another name.
const PLAIN_DERIVES: [&str; 17] = [
    "AsRefStr",
    "CoercePointee",
    "ConstParamTy",
    "Derivative",
    "Deserialize",
    "Deserialize_repr",
    "Educe",
    "EnumString",
    "FromPrimitive",
    "IntoPrimitive",
    "IntoStaticStr",
    "RefCastCustom",
    "Serialize",
    "Serialize_repr",
    "SmartDefault",
    "ToPrimitive",
    "ZeroizeOnDrop",
];
/// Derives that make items, although there is a trait of their name.
const MAKING_DERIVES: [&str; 2] = ["Archive", "Message"];
/// Attributes that leave an item as it is, or only add what is not public.
const PLAIN_ATTRIBUTES: [&str; 12] = [
    "async_trait",
    "ctor",
    "derive_where",
    "educe",
    "enum_dispatch",
    "instrument",
    "main",
    "pin_project",
    "pinned_drop",
    "ref_cast_custom",
    "serde_as",
    "test",
];
/// Bounds how many different uses are looked up.
const MOST_USES: usize = 2_000;

impl TreeLoader<'_> {
    /// Remembers the derives and attributes of an item that others can see, until all imports are known.
    pub(super) fn note_proc_macros(
        &mut self,
        attributes: &ItemAttributes,
        facts: &ItemFacts,
        module: usize,
        origin: Option<usize>,
    ) {
        if !facts.gate.is_on || facts.is_hidden || self.is_proc_macro {
            return;
        }
        let derives = attributes.derive_paths.iter().map(|path| (path, MacroUse::Derive));
        let others = attributes.other_paths.iter().map(|path| (path, MacroUse::Attribute));
        for (path, sort) in derives.chain(others) {
            let name = path.last().map(String::as_str).unwrap_or_default();
            let is_plain = match sort {
                MacroUse::Derive => is_plain_derive(name),
                MacroUse::Attribute | MacroUse::Call => {
                    PLAIN_ATTRIBUTES.contains(&name) || path.first().is_some_and(|head| head == "rustversion")
                }
            };
            if is_plain {
                continue;
            }
            if self.proc_macro_uses.len() >= MOST_USES {
                self.tree.completeness.add("there are too many derives and attributes".to_owned());
                return;
            }
            self.proc_macro_uses.insert(ProcMacroUse { path: path.clone(), sort, module, origin });
        }
    }

    /// Says which of them may make items.
    pub(super) fn report_proc_macros(&mut self) {
        let mut uses: Vec<ProcMacroUse> = std::mem::take(&mut self.proc_macro_uses).into_iter().collect();
        let (traits, globs) = (self.list_traits(), self.imports.all_glob_crates());
        let is_missing = |krate: &usize| self.foreign.index(*krate).is_none();
        let may_be_missing = globs.iter().chain(&self.macro_use).any(is_missing);
        uses.sort_by(|one, other| (&one.path, one.module).cmp(&(&other.path, other.module)));
        for used in uses {
            let Some(name) = used.path.last() else { continue };
            let found = self.find_macro(&used.path, used.module, used.origin, used.sort);
            let word = match used.sort {
                MacroUse::Derive => {
                    let derived = found.as_ref().map_or(name, |found| &found.name);
                    let home = found.as_ref().and_then(|found| found.home);
                    let has_trait =
                        |loader: &mut Self| traits.contains(derived) || loader.has_foreign_trait(derived, home, &globs);
                    let is_making = MAKING_DERIVES.contains(&derived.as_str());
                    if is_plain_derive(derived) || !is_making && has_trait(self) {
                        continue;
                    }
                    "derive"
                }
                // A name that is not found belongs to a derive, unless a crate that is not there may have it.
                MacroUse::Attribute | MacroUse::Call if found.is_none() && used.path.len() == 1 && !may_be_missing => {
                    continue;
                }
                MacroUse::Attribute | MacroUse::Call => "attribute",
            };
            self.tree.completeness.add(format!("items made by the {word} `{name}` may be missing"));
        }
    }

    /// Lists the names of the traits that this crate shows to others, which a derive of that name implements. A name
    /// counts as shown if it is public, or if a public import ends in it or in a module above it.
    fn list_traits(&self) -> HashSet<String> {
        let is_own = |import: &&ImportNode| {
            let head = import.path.first().map(String::as_str).unwrap_or_default();
            import.reach == NameReach::Public && !import.is_global && !self.foreign.has_name(head)
        };
        let own = self.tree.imports.iter().filter(is_own);
        let brought: HashSet<&str> = own.filter_map(|import| import.path.last().map(String::as_str)).collect();
        let mut traits = HashSet::new();
        // Modules, and whether they are shown.
        let mut waiting = vec![(0, true)];
        while let Some((module, is_open)) = waiting.pop() {
            for entry in self.tree.modules.get(module).into_iter().flat_map(|module| &module.names) {
                let is_shown = brought.contains(entry.name.as_str()) || is_open && entry.reach == NameReach::Public;
                let Some(definition) = self.tree.definitions.get(entry.definition) else { continue };
                match definition.role {
                    DefinitionRole::Module(inner) => waiting.push((inner, is_shown)),
                    _ if is_shown && definition.kind == ItemKind::Trait => {
                        traits.insert(entry.name.clone());
                    }
                    _ => {}
                }
            }
        }
        traits
    }

    /// Says whether there is a trait of the name of a derive elsewhere, which it then implements: beside the derive, or
    /// imported.
    fn has_foreign_trait(&mut self, name: &str, home: Option<usize>, globs: &[usize]) -> bool {
        let imports = self.imports.find_all(name).to_vec();
        let heads = imports.into_iter().filter_map(|import| self.import_path(import)?.into_iter().next());
        let heads: Vec<String> = heads.collect();
        let named: Vec<usize> = heads.iter().filter_map(|head| self.foreign.find_name(head)).collect();
        let mut crates = home.into_iter().chain(named).chain(globs.iter().copied());
        crates.any(|krate| self.foreign.has_item(krate, name, ItemKind::Trait))
    }
}

fn is_plain_derive(name: &str) -> bool {
    !MAKING_DERIVES.contains(&name) && (PLAIN_DERIVES.contains(&name) || is_trait_name(name))
}
