//! Rust as it is written: items with their attributes, visibility and signature. Bodies are left alone.

pub(crate) mod depth;
mod early;
mod heads;
mod items;
mod members;
pub(crate) mod print;
mod signature;
pub(crate) mod trim;
mod uses;

use proc_macro2::TokenStream;

pub(crate) use heads::{has_inner_items, skip_visibility};
pub(crate) use items::{parse_items, skip_item};
pub(crate) use members::{MemberOwner, ParsedMembers, parse_members, parse_named_fields, parse_variants};

use crate::index::ItemKind;

/// An item as it is written.
#[derive(Debug, Clone)]
pub(crate) struct SyntaxItem {
    pub(crate) attributes: Vec<TokenStream>,
    pub(crate) visibility: SyntaxVisibility,
    /// The line on which it begins, after its attributes.
    pub(crate) line: u32,
    /// Empty for what has no name.
    pub(crate) name: String,
    pub(crate) body: ItemBody,
    /// The body of a function with items that can be seen from outside.
    pub(crate) inside: TokenStream,
}

/// Says who may use an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SyntaxVisibility {
    Public,
    /// `pub(crate)`, and `crate` before it was dropped.
    Crate,
    /// `pub(super)` and `pub(in super::…)`, by how many levels.
    Super(usize),
    /// `pub(in path)` from the root of the crate.
    In(Vec<String>),
    Inherited,
}

/// An item without what all items have.
#[derive(Debug, Clone)]
pub(crate) enum ItemBody {
    /// Something that is not public, of which only the name is kept.
    Private(ItemKind),
    /// A module, with its items if they are not in a file of their own.
    Module(Option<TokenStream>),
    /// Something with a name and a signature; kinds are told apart by `ItemKind`.
    Plain {
        kind: ItemKind,
        signature: String,
    },
    /// A type alias, with the path it leads to, if that is one.
    Alias {
        signature: String,
        target: Vec<String>,
    },
    Struct {
        signature: String,
        fields: TokenStream,
        kind: ItemKind,
    },
    Enum {
        signature: String,
        variants: TokenStream,
    },
    Trait {
        signature: String,
        members: TokenStream,
    },
    Impl {
        self_path: Vec<String>,
        trait_text: Option<String>,
        members: TokenStream,
    },
    /// A block `extern`, with the name of its ABI.
    Foreign {
        abi: String,
        members: TokenStream,
    },
    Use(Vec<UseLeaf>),
    ExternCrate {
        krate: String,
        name: Option<String>,
    },
    /// `macro_rules!`, with its rules.
    Rules(TokenStream),
    /// `macro`.
    DeclMacro,
    /// A call of a macro where an item could be.
    Call {
        path: Vec<String>,
        input: TokenStream,
    },
    /// `const _: T = { … };`, with what is between the braces.
    Unnamed(TokenStream),
}

/// One name that a `use` declaration brings in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UseLeaf {
    pub(crate) path: Vec<String>,
    pub(crate) is_global: bool,
    pub(crate) name: UseName,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum UseName {
    As(String),
    /// `as _`: methods of a trait without its name.
    Unnamed,
    Glob,
}

/// A part of a trait, an `impl` block, a struct or an enum.
#[derive(Debug, Clone)]
pub(crate) struct SyntaxMember {
    pub(crate) attributes: Vec<TokenStream>,
    pub(crate) is_public: bool,
    pub(crate) line: u32,
    pub(crate) name: String,
    pub(crate) body: MemberBody,
    /// The body of a function with items that can be seen from outside.
    pub(crate) inside: TokenStream,
}

#[derive(Debug, Clone)]
pub(crate) enum MemberBody {
    Plain { kind: ItemKind, signature: String },
    Call { path: Vec<String>, input: TokenStream },
}
