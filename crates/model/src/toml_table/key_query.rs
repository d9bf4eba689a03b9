//! Records of the keys that parsers query: the only list of keys, from which the schemas are generated.

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyQuery {
    /// The path of the table, such as `hooks[].tests[]`; empty for the top level.
    pub table: String,
    /// The key, or [`ANY_NAME`].
    pub key: &'static str,
    pub kind: ValueKind,
}

/// The key of tables whose keys are names.
pub const ANY_NAME: &str = "*";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueKind {
    Text,
    Truth,
    /// A whole number that is not negative.
    Number,
    /// A string, or an array of strings.
    Texts,
    Table,
    TextOrTable,
    /// An array of strings and tables, or a string.
    TextsOrTables,
    Tables,
    /// A table with arbitrary keys.
    Object,
    Anything,
}
