//! The strictness with which an agent reads a settings file.

use symposium_model::json_extensions::JsonExtensions;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettingsStrictness {
    pub comment: SettingsReaction,
    pub trailing_comma: SettingsReaction,
    pub byte_order_mark: SettingsReaction,
    pub empty: SettingsReaction,
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

    /// Returns whether an extension of JSON in the file makes the agent ignore the whole file.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsReaction {
    Accepts,
    /// Without a message.
    IgnoresFile,
    /// With a message.
    RejectsFile,
    /// With this exit code.
    RefusesToStart(u8),
    Unknown,
}

impl SettingsReaction {
    pub fn voids(self) -> bool {
        match self {
            Self::IgnoresFile | Self::RejectsFile | Self::RefusesToStart(_) => true,
            Self::Accepts | Self::Unknown => false,
        }
    }
}
