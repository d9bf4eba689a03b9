//! Guidance that reaches the model at the moment it is needed: at the file it edits and at the error it reads.

mod crate_mentions;
mod rust_tokens;

#[allow(unused_imports, reason = "wired next")]
pub(crate) use self::crate_mentions::find_mentions;
