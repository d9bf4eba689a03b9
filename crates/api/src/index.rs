//! The index of a crate: its public items, and the other paths that lead to them.

use serde::{Deserialize, Serialize};

use crate::source::PackageId;

/// Changes whenever an index of before would be read wrongly.
pub const INDEX_VERSION: u32 = 3;

/// Lists the public items of one crate version.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrateIndex {
    #[serde(rename = "v")]
    pub format: u32,
    /// The name that code uses.
    pub name: String,
    pub package: PackageId,
    /// Each item once, under its shortest public path, sorted by path.
    pub items: Vec<ApiItem>,
    /// Public paths that lead to an item of the list, or to what is below it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<PathAlias>,
    /// Re-exports of something that is not known because features are off, such as an item of an optional dependency that
    /// is not locked. Their kinds are guesses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub off_names: Vec<ApiItem>,
    /// Rules of macros that other crates can call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub macros: Vec<MacroText>,
    /// Packages whose items are listed because this crate re-exports them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origins: Vec<PackageId>,
    pub completeness: IndexCompleteness,
}

/// Describes something that a user of the crate can name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiItem {
    /// The path without the crate; empty for the crate itself.
    #[serde(rename = "p")]
    pub path: String,
    #[serde(rename = "k")]
    pub kind: ItemKind,
    #[serde(rename = "s", default, skip_serializing_if = "String::is_empty")]
    pub signature: String,
    /// The first paragraph.
    #[serde(rename = "d", default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    #[serde(rename = "x", default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// Features that must be on, such as `fs and (net or rt)`.
    #[serde(rename = "f", default, skip_serializing_if = "Option::is_none")]
    pub feature: Option<String>,
    /// Says that the features that are on leave the item out.
    #[serde(rename = "o", default, skip_serializing_if = "is_false")]
    pub is_off: bool,
    /// Says that `#[doc(hidden)]` stands at it or above; such items only serve other crates' re-exports.
    #[serde(rename = "h", default, skip_serializing_if = "is_false")]
    pub is_hidden: bool,
    /// Says that `#[doc(hidden)]` stands at the item or its re-export itself.
    #[serde(rename = "hh", default, skip_serializing_if = "is_false")]
    pub hides_itself: bool,
    /// The file, from the directory of the package it is in.
    #[serde(rename = "w")]
    pub file: String,
    #[serde(rename = "l")]
    pub line: u32,
    /// The place in `origins` of the package it is defined in, if that is another.
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<u16>,
    /// For a module: the crate that it is as a whole.
    #[serde(rename = "r", default, skip_serializing_if = "Option::is_none")]
    pub whole_crate: Option<PackageId>,
    /// For a type alias: the type whose methods it has, if that is listed somewhere.
    #[serde(rename = "t", default, skip_serializing_if = "Option::is_none")]
    pub aliased: Option<AliasedType>,
    /// Traits that the crate implements for the type.
    #[serde(rename = "i", default, skip_serializing_if = "Vec::is_empty")]
    pub implements: Vec<String>,
}

impl ApiItem {
    /// The last part of the path.
    pub fn name(&self) -> &str {
        self.path.rsplit("::").next().unwrap_or_default()
    }

    /// The path without its last part; empty for what is at the root.
    pub fn parent(&self) -> &str {
        self.path.rsplit_once("::").map_or("", |(parent, _)| parent)
    }
}

/// Leads from a public path to the one under which the item is listed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PathAlias {
    #[serde(rename = "a")]
    pub alias: String,
    #[serde(rename = "p")]
    pub path: String,
    /// Says that `#[doc(hidden)]` stands at the re-export.
    #[serde(rename = "h", default, skip_serializing_if = "is_false")]
    pub is_hidden: bool,
}

/// Names the type that a type alias stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AliasedType {
    /// The package, if that is another.
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    pub package: Option<PackageId>,
    /// The path without the crate.
    #[serde(rename = "p")]
    pub path: String,
}

/// Keeps the rules of a `macro_rules!` macro as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MacroText {
    pub name: String,
    pub rules: String,
    /// The place in `origins` of the crate that `$crate` means, if that is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<u16>,
}

/// Names what an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    Module,
    Struct,
    Enum,
    Union,
    Variant,
    Field,
    Function,
    Method,
    Const,
    Static,
    Type,
    Trait,
    Macro,
    Derive,
    Attribute,
}

impl ItemKind {
    /// Says whether a path may go on behind an item of this kind.
    pub(crate) fn has_members(self) -> bool {
        matches!(
            self,
            Self::Module | Self::Struct | Self::Enum | Self::Union | Self::Variant | Self::Type | Self::Trait
        )
    }

    pub const ALL: [Self; 15] = [
        Self::Module,
        Self::Struct,
        Self::Enum,
        Self::Union,
        Self::Variant,
        Self::Field,
        Self::Function,
        Self::Method,
        Self::Const,
        Self::Static,
        Self::Type,
        Self::Trait,
        Self::Macro,
        Self::Derive,
        Self::Attribute,
    ];

    /// The word for it in the output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Module => "module",
            Self::Struct => "struct",
            Self::Enum => "enum",
            Self::Union => "union",
            Self::Variant => "variant",
            Self::Field => "field",
            Self::Function => "function",
            Self::Method => "method",
            Self::Const => "const",
            Self::Static => "static",
            Self::Type => "type",
            Self::Trait => "trait",
            Self::Macro => "macro",
            Self::Derive => "derive",
            Self::Attribute => "attribute",
        }
    }

    /// Says which names hide each other.
    pub(crate) fn namespace(self) -> NameSpace {
        match self {
            Self::Module | Self::Struct | Self::Enum | Self::Union | Self::Type | Self::Trait => NameSpace::Types,
            Self::Variant | Self::Field | Self::Function | Self::Method | Self::Const | Self::Static => {
                NameSpace::Values
            }
            Self::Macro | Self::Derive | Self::Attribute => NameSpace::Macros,
        }
    }
}

/// Separates names that can be the same without meaning the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum NameSpace {
    Types,
    Values,
    Macros,
}

/// Says whether everything was found, and if not, why.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexCompleteness {
    /// Empty for a complete index; at most 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
}

impl IndexCompleteness {
    pub fn is_complete(&self) -> bool {
        self.reasons.is_empty()
    }

    /// Adds a reason once.
    pub(crate) fn add(&mut self, reason: String) {
        const MOST_REASONS: usize = 20;
        if self.reasons.len() < MOST_REASONS && !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_false(value: &bool) -> bool {
    !value
}
