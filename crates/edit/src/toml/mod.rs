//! TOML settings: Symposium's tables among foreign ones.

mod doc;
mod insert;
mod lines;
mod remove;
mod write;

pub(crate) use doc::{StatementKind, TomlText};
pub(crate) use insert::insert;
pub(crate) use lines::{KeyAddition, NewPair, NewTable, append_element, append_tables, without_lines};
pub(crate) use remove::remove;
pub(crate) use write::{key, value};
