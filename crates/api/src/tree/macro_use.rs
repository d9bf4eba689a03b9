//! Uses of macros: calls, derives and attributes.

use crate::index::ItemKind;

/// Says how a macro is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum MacroUse {
    Call,
    Derive,
    Attribute,
}

impl MacroUse {
    /// The kind of items that are called so.
    pub(super) fn kind(self) -> ItemKind {
        match self {
            Self::Call => ItemKind::Macro,
            Self::Derive => ItemKind::Derive,
            Self::Attribute => ItemKind::Attribute,
        }
    }
}

/// A derive or an attribute of a public item.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ProcMacroUse {
    pub(super) path: Vec<String>,
    pub(super) sort: MacroUse,
    pub(super) module: usize,
    /// The number of the crate whose macro made the item, if that is another.
    pub(super) origin: Option<usize>,
}
