//! Guidance that reaches the model at the moment it is needed.

mod at_error;
mod at_file;
mod crate_mentions;
mod file_call;
pub(crate) mod index;
mod manifest_keys;
mod rust_tokens;
mod rustc_errors;

pub(crate) use self::at_error::{ErrorGuide, has_error};
pub(crate) use self::at_file::{FileAdvice, FileGuide, names_guided_file};
