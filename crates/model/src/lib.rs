//! The vocabulary of Symposium and every decision it takes.
//!
//! Nothing here touches the world: no files, no environment, no clock, no printing. Each function goes from values to
//! values and is tested as a table.

pub mod agent;
pub mod authority;
#[cfg(feature = "manifests")]
pub mod candidate;
#[cfg(feature = "manifests")]
pub mod catalog;
pub mod conditions;
pub mod config;
mod conflict;
pub mod crates;
pub mod diagnostic;
pub mod difference;
pub mod edit;
pub mod evaluate;
pub mod explain;
#[cfg(feature = "manifests")]
mod fingerprint;
#[cfg(feature = "manifests")]
pub mod git_index;
pub mod guidance;
pub mod hook;
#[cfg(feature = "manifests")]
pub mod lock;
#[cfg(feature = "manifests")]
pub mod manifest;
pub mod nearest;
pub mod oddities;
pub mod ours;
pub mod predicate;
pub mod reading;
pub mod scan;
#[cfg(feature = "manifests")]
pub mod schema;
#[cfg(feature = "manifests")]
pub mod select;
pub mod skill;
pub mod surroundings;
#[cfg(feature = "manifests")]
pub mod sync;
#[cfg(feature = "manifests")]
pub mod toml_table;
#[cfg(feature = "manifests")]
pub mod toolchain;
pub mod transport;
#[cfg(feature = "manifests")]
pub mod trust;
pub mod update;
pub mod usage;
#[cfg(feature = "manifests")]
pub mod yaml_value;
