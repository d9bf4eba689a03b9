//! What is registered with every agent, as goldens; that it is recognised as ours; that the OpenCode bridge works.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "tests read and write their own files and start node"
)]

#[cfg(unix)]
mod bridge;
mod golden;
mod payloads;
mod recognised;
#[cfg(unix)]
mod shell;
mod situations;
