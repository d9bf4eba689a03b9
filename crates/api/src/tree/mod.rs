//! A crate as its files say: modules, definitions, imports, `impl` blocks and macros, before any name is looked up.

mod calls;
mod declare;
mod files;
mod foreign;
mod import_index;
mod loader;
mod macro_index;
mod macro_use;
mod member_list;
mod members;
mod proc_macros;
mod read;

use std::rc::Rc;

pub(crate) use foreign::ForeignCrates;
pub use foreign::IndexLookup;
pub(crate) use loader::load_tree;

use crate::cfg::FeatureGate;
use crate::index::{IndexCompleteness, ItemKind};
use crate::macro_rules::MacroRules;

/// Everything that the files of a crate declare. The first module is the root.
#[derive(Debug, Default)]
pub(crate) struct CrateTree {
    pub(crate) modules: Vec<ModuleNode>,
    pub(crate) definitions: Vec<DefinitionNode>,
    pub(crate) imports: Vec<ImportNode>,
    pub(crate) impls: Vec<ImplBlock>,
    pub(crate) macros: Vec<MacroNode>,
    pub(crate) files: Vec<String>,
    pub(crate) completeness: IndexCompleteness,
}

#[derive(Debug)]
pub(crate) struct ModuleNode {
    /// Nothing for the root.
    pub(crate) parent: Option<usize>,
    /// Says that names that are not found here are looked up in the parent: the inside of `const _`.
    pub(crate) is_block: bool,
    pub(crate) names: Vec<NameEntry>,
    pub(crate) facts: ItemFacts,
}

/// A name that a module defines.
#[derive(Debug)]
pub(crate) struct NameEntry {
    pub(crate) name: String,
    pub(crate) definition: usize,
    pub(crate) reach: NameReach,
    /// False for macros that can be named here but belong to the root.
    pub(crate) is_listed: bool,
}

/// Says from where a name can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameReach {
    Public,
    /// In a module and below.
    Within(usize),
}

/// Holds what every item has.
#[derive(Debug, Clone, Default)]
pub(crate) struct ItemFacts {
    pub(crate) docs: String,
    pub(crate) deprecated: Option<String>,
    pub(crate) is_hidden: bool,
    pub(crate) gate: FeatureGate,
    pub(crate) file: usize,
    pub(crate) line: u32,
}

#[derive(Debug)]
pub(crate) struct DefinitionNode {
    pub(crate) kind: ItemKind,
    pub(crate) signature: String,
    pub(crate) facts: ItemFacts,
    pub(crate) members: Vec<MemberNode>,
    pub(crate) implements: Vec<String>,
    pub(crate) role: DefinitionRole,
}

impl DefinitionNode {
    /// A definition without parts.
    fn plain(kind: ItemKind, signature: String, facts: ItemFacts) -> Self {
        let role = DefinitionRole::Plain;
        Self { kind, signature, facts, members: Vec::new(), implements: Vec::new(), role }
    }
}

/// Says what else is known of a definition.
#[derive(Debug)]
pub(crate) enum DefinitionRole {
    Plain,
    Module(usize),
    /// A type alias: where it is written, and the path it leads to.
    Alias {
        module: usize,
        target: Vec<String>,
    },
    /// The place in the list of macros.
    Rules(usize),
}

/// A method, variant, field, or associated const or type.
#[derive(Debug, Clone)]
pub(crate) struct MemberNode {
    pub(crate) name: String,
    pub(crate) kind: ItemKind,
    pub(crate) signature: String,
    pub(crate) facts: ItemFacts,
}

/// One name that a `use` brings into a module.
#[derive(Debug)]
pub(crate) struct ImportNode {
    pub(crate) module: usize,
    pub(crate) path: Vec<String>,
    pub(crate) is_global: bool,
    pub(crate) name: ImportName,
    pub(crate) reach: NameReach,
    pub(crate) facts: ItemFacts,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ImportName {
    As(String),
    Glob,
}

#[derive(Debug)]
pub(crate) struct ImplBlock {
    pub(crate) module: usize,
    pub(crate) self_path: Vec<String>,
    pub(crate) trait_text: Option<String>,
    pub(crate) gate: FeatureGate,
    pub(crate) members: Vec<MemberNode>,
}

#[derive(Debug)]
pub(crate) struct MacroNode {
    pub(crate) name: String,
    pub(crate) rules: Option<Rc<MacroRules>>,
    /// The rules as text, for other crates; empty for a macro that stays in the crate.
    pub(crate) text: String,
}
