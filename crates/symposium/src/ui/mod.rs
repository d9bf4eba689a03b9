//! Talking to people and programs: text, JSON, diagnostics, errors, logs.

pub(crate) mod diagnostic;
pub(crate) mod diagnostic_row;
pub(crate) mod exit;
mod json_document;
pub(crate) mod palette;
pub(crate) mod printer;
pub(crate) mod progress;
pub(crate) mod prompt;
mod question;
pub(crate) mod response;
pub(crate) mod table;
pub(crate) mod text;
