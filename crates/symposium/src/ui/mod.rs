//! Talking to people and programs: text, JSON, diagnostics, errors, logs.

pub(crate) mod diagnostic;
pub(crate) mod error;
pub(crate) mod exit;
pub(crate) mod finding;
pub(crate) mod logging;
mod outbox;
pub(crate) mod palette;
pub(crate) mod printer;
pub(crate) mod progress;
pub(crate) mod prompt;
pub(crate) mod reply;
pub(crate) mod table;
pub(crate) mod text;
