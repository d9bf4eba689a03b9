//! Proc macros: which derives and attributes may make items that no source has.

use super::calls::MacroUse;
use super::loader::TreeLoader;
use super::{ImportName, ItemFacts};
use crate::attributes::ItemAttributes;
use crate::index::ItemKind;
use crate::standard::is_trait_name;

/// Derives of the compiler, and others that only implement a trait of another name.
const PLAIN_DERIVES: [&str; 16] = [
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
    "Serialize",
    "Serialize_repr",
    "SmartDefault",
    "ToPrimitive",
    "ZeroizeOnDrop",
];
/// Derives that make items, although there is a trait of their name.
const MAKING_DERIVES: [&str; 2] = ["Archive", "Message"];
/// Attributes that leave an item as it is, or only add what is not public.
const PLAIN_ATTRIBUTES: [&str; 11] = [
    "async_trait",
    "ctor",
    "derive_where",
    "educe",
    "enum_dispatch",
    "instrument",
    "main",
    "pin_project",
    "pinned_drop",
    "serde_as",
    "test",
];
/// Bounds how many different uses are looked up.
const MOST_USES: usize = 2_000;

/// A derive or an attribute of a public item.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ProcMacroUse {
    path: Vec<String>,
    sort: MacroUse,
    module: usize,
    /// The number of the crate whose macro made the item, if that is another.
    origin: Option<usize>,
}

impl TreeLoader<'_> {
    /// Remembers the derives and attributes of an item that others can see, until all imports are known.
    pub(super) fn note_proc_macros(
        &mut self,
        attributes: &ItemAttributes,
        facts: &ItemFacts,
        module: usize,
        origin: Option<usize>,
    ) {
        if !facts.gate.is_on || facts.is_hidden {
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
        uses.sort_by(|one, other| (&one.path, one.module).cmp(&(&other.path, other.module)));
        for used in uses {
            let Some(name) = used.path.last() else { continue };
            let found = self.find_macro(&used.path, used.module, used.origin, used.sort);
            let word = match used.sort {
                MacroUse::Derive => {
                    let derived = found.as_ref().map_or(name, |found| &found.name);
                    if is_plain_derive(derived)
                        || !MAKING_DERIVES.contains(&derived.as_str())
                            && self.has_trait(derived, found.as_ref().and_then(|found| found.home))
                    {
                        continue;
                    }
                    "derive"
                }
                // A name that is not found belongs to a derive.
                MacroUse::Attribute | MacroUse::Call if found.is_none() && used.path.len() == 1 => continue,
                MacroUse::Attribute | MacroUse::Call => "attribute",
            };
            self.tree.completeness.add(format!("items made by the {word} `{name}` may be missing"));
        }
    }

    /// Says whether there is a trait of the name of a derive, which then implements it: beside the derive, in this crate, or
    /// imported.
    fn has_trait(&mut self, name: &str, home: Option<usize>) -> bool {
        if home.is_some_and(|home| self.foreign.has_item(home, name, ItemKind::Trait)) {
            return true;
        }
        let is_own = |entry: &super::NameEntry| {
            let definition = self.tree.definitions.get(entry.definition);
            entry.name == name && definition.is_some_and(|definition| definition.kind == ItemKind::Trait)
        };
        if self.tree.modules.iter().flat_map(|module| &module.names).any(is_own) {
            return true;
        }
        let is_meant = |path: &[String], bound: &ImportName| {
            path.last().is_some_and(|last| last == name) || *bound == ImportName::Glob
        };
        let imports = self.tree.imports.iter().filter(|import| is_meant(&import.path, &import.name));
        let mut heads: Vec<String> = imports.filter_map(|import| import.path.first().cloned()).collect();
        heads.sort_unstable();
        heads.dedup();
        heads.iter().any(|head| {
            let number = self.foreign.find_name(head);
            number.is_some_and(|number| self.foreign.has_item(number, name, ItemKind::Trait))
        })
    }
}

fn is_plain_derive(name: &str) -> bool {
    !MAKING_DERIVES.contains(&name) && (PLAIN_DERIVES.contains(&name) || is_trait_name(name))
}
