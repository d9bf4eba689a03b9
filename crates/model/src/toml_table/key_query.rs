//! What readers ask a file for: the one list of keys there is, from which the schemas are made.

/// One question of a reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyQuery {
    /// The table that was asked, by the keys that lead to it: `hooks[].tests[]`; empty for the top level.
    pub table: String,
    /// The key, or [`ANY_NAME`].
    pub key: &'static str,
    /// What it was asked to be.
    pub kind: ValueKind,
}

/// The key of tables whose keys are names.
pub const ANY_NAME: &str = "*";

/// What a value is asked to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueKind {
    Text,
    Truth,
    /// A whole number that is not negative.
    Number,
    /// A string, or an array of strings.
    Texts,
    Table,
    /// A string or a table.
    TextOrTable,
    /// An array of strings and tables, or a string.
    TextsOrTables,
    Tables,
    /// A table whose keys are not ours to judge.
    Object,
    Anything,
}
