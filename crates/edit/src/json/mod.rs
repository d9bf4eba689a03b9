//! JSON settings, with or without comments.

mod insert;
mod insertion_point;
mod node;
mod parse;
mod remove;
mod tree;
mod update_value;
mod write;

pub(crate) use insert::insert;
pub(crate) use remove::remove;

use serde_json::Value;

use crate::error::EditError;

pub(crate) fn value(text: &str) -> Result<Option<Value>, EditError> {
    let doc = tree::JsonText::parse(text)?;
    Ok(doc.root.as_ref().map(|root| doc.value(root)))
}

#[cfg(test)]
mod parse_tests;
