//! The vocabulary of Symposium and every decision it takes.
//!
//! Nothing here touches the world: no files, no environment, no clock, no printing. Each function goes from values to
//! values and is tested as a table.

pub mod agent;
pub mod conditions;
pub mod config;
pub mod crates;
pub mod diagnostic;
pub mod hook;
#[cfg(feature = "manifests")]
pub mod manifest;
pub mod nearest;
pub mod predicate;
#[cfg(feature = "manifests")]
pub mod toml_table;
pub mod scan;
pub mod skill;
