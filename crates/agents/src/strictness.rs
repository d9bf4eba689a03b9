//! How strictly an agent reads a settings file.

use symposium_model::oddities::Oddities;

/// How strictly an agent reads a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strictness {
    /// A comment in JSON.
    pub comment: Reaction,
    /// A trailing comma in JSON.
    pub trailing_comma: Reaction,
    /// A byte order mark.
    pub byte_order_mark: Reaction,
    /// A file without content.
    pub empty: Reaction,
    /// A key at the top it does not know.
    pub unknown_key: Reaction,
}

impl Strictness {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self {
        comment: Reaction::Unknown,
        trailing_comma: Reaction::Unknown,
        byte_order_mark: Reaction::Unknown,
        empty: Reaction::Unknown,
        unknown_key: Reaction::Unknown,
    };

    /// Whether something odd makes the agent pass over the whole file.
    pub fn voids(&self, found: &Oddities) -> bool {
        let cases = [
            (found.comment.is_some(), self.comment),
            (found.trailing_comma.is_some(), self.trailing_comma),
            (found.byte_order_mark, self.byte_order_mark),
            (found.empty, self.empty),
        ];
        cases.into_iter().any(|(present, reaction)| present && reaction.voids())
    }
}

/// What an agent does about a flaw in a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    /// Nothing: it reads the file all the same.
    Accepts,
    /// It ignores the whole file without a word.
    IgnoresFile,
    /// It ignores the whole file and says so.
    RejectsFile,
    /// It does not start; this is its exit code.
    RefusesToStart(u8),
    /// Not known.
    Unknown,
}

impl Reaction {
    /// Whether nothing of the file counts then.
    pub fn voids(self) -> bool {
        match self {
            Self::IgnoresFile | Self::RejectsFile | Self::RefusesToStart(_) => true,
            Self::Accepts | Self::Unknown => false,
        }
    }
}
