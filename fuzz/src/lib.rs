//! Every parser and editor as a function of bytes: for any input it ends, and its invariants hold.
//!
//! The same functions are driven in three ways: over the checked-in corpus and some thousand mutations of it by the
//! tests, for minutes by this package's program, and by libFuzzer through the shell in `libfuzzer/`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a broken promise is told by panicking; nothing of this ships"
)]

mod corpus;
mod drive;
mod mutate;
mod random;
mod targets;

pub use corpus::seeds;
pub use drive::{Budget, Driven, drive};
pub use targets::{TARGETS, Target, find};
