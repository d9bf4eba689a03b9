//! The lists that members stand in, and how each is read.

use proc_macro2::TokenStream;

use crate::syntax::{MemberOwner, ParsedMembers, parse_members, parse_named_fields, parse_variants};

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
    /// Reads members, up to `most`.
    pub(super) fn parse(self, tokens: TokenStream, most: usize) -> ParsedMembers {
        match self {
            Self::Trait => parse_members(tokens, MemberOwner::Trait, most),
            Self::Type => parse_members(tokens, MemberOwner::Type, most),
            Self::Foreign => parse_members(tokens, MemberOwner::Foreign, most),
            Self::Fields => parse_named_fields(tokens, most),
            Self::Variants => parse_variants(tokens, most),
        }
    }
}
