//! Real cargo workspaces in temporary directories: where they are found and what is read from them.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests build their own directories and fail by panicking"
)]

mod bad_input;
mod dependencies;
mod locate;
mod real_cargo;
mod sources;
mod tree;
