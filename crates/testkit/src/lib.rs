//! Isolated homes and workspaces for tests.
//!
//! A test composes fixtures into one temporary directory and runs the real program there, with nothing of the machine's
//! environment except what it needs to start.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test that cannot be set up must fail loudly"
)]

mod context;
mod fixture;
mod output;
mod schema;
mod tree;
mod web_server;

pub use context::TestContext;
pub use output::Output;
pub use schema::schema_faults;
pub use web_server::{ServerFault, WebServer};
