//! JSON settings, with or without comments.

mod fit;
mod insert;
mod node;
mod parse;
mod place;
mod remove;
mod tree;
mod write;

pub(crate) use insert::insert;
pub(crate) use remove::remove;

#[cfg(test)]
mod parse_tests;
