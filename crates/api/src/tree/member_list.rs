//! The lists that members stand in, and how each is read.

use proc_macro2::TokenStream;

use crate::syntax::{MemberOwner, SyntaxMember, parse_members, parse_named_fields, parse_variants};

/// Says where members are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MemberList {
    Trait,
    Type,
    Foreign,
    Fields,
    Variants,
}

impl MemberList {
    /// Reads members.
    pub(super) fn parse(self, tokens: TokenStream) -> Vec<SyntaxMember> {
        match self {
            Self::Trait => parse_members(tokens, MemberOwner::Trait),
            Self::Type => parse_members(tokens, MemberOwner::Type),
            Self::Foreign => parse_members(tokens, MemberOwner::Foreign),
            Self::Fields => parse_named_fields(tokens),
            Self::Variants => parse_variants(tokens),
        }
    }
}
