//! Registrations of every agent, as goldens, and their recognition; events and answers; the OpenCode bridge.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "tests read and write their own files and start node"
)]

mod answers;
#[cfg(unix)]
mod bridge;
#[cfg(unix)]
mod cline_bridge;
mod facts;
mod golden;
mod hostile;
mod llm;
mod payloads;
mod recognised;
mod recorded;
#[cfg(unix)]
mod shell;
mod situations;
mod tools;
mod translate;
mod vocabulary;
