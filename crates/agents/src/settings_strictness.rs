//! How strictly an agent reads a settings file.

use symposium_model::json_extensions::JsonExtensions;

/// How strictly an agent reads a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettingsStrictness {
    pub comment: SettingsReaction,
    /// A trailing comma in JSON.
    pub trailing_comma: SettingsReaction,
    pub byte_order_mark: SettingsReaction,
    pub empty: SettingsReaction,
    /// A key at the top it does not know.
    pub unknown_key: SettingsReaction,
}

impl SettingsStrictness {
    pub const UNKNOWN: Self = Self {
        comment: SettingsReaction::Unknown,
        trailing_comma: SettingsReaction::Unknown,
        byte_order_mark: SettingsReaction::Unknown,
        empty: SettingsReaction::Unknown,
        unknown_key: SettingsReaction::Unknown,
    };

    /// Whether something odd makes the agent pass over the whole file.
    pub fn voids(&self, found: &JsonExtensions) -> bool {
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
pub enum SettingsReaction {
    /// Nothing: it reads the file all the same.
    Accepts,
    /// It ignores the whole file without a word.
    IgnoresFile,
    /// It ignores the whole file and says so.
    RejectsFile,
    /// It does not start; this is its exit code.
    RefusesToStart(u8),
    Unknown,
}

impl SettingsReaction {
    /// Whether nothing of the file counts then.
    pub fn voids(self) -> bool {
        match self {
            Self::IgnoresFile | Self::RejectsFile | Self::RefusesToStart(_) => true,
            Self::Accepts | Self::Unknown => false,
        }
    }
}
