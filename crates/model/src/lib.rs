//! Pure data types and decisions of Symposium.
//!
//! Nothing here reads or writes files, the environment or the clock, or prints: each function maps values to values and
//! is tested with tables.

pub mod agent;
pub mod authority;
pub mod byte_search;
#[cfg(feature = "manifests")]
pub mod candidate;
#[cfg(feature = "manifests")]
pub mod catalog;
pub mod conditions;
pub mod config;
pub mod crates;
pub mod diagnostic;
pub mod edit;
pub mod evaluate;
pub mod explain;
#[cfg(feature = "manifests")]
mod fingerprint;
#[cfg(feature = "manifests")]
pub mod git_index;
pub mod guidance_provider;
pub mod handler_environment;
pub mod hook;
pub mod json_extensions;
pub mod line_diff;
#[cfg(feature = "manifests")]
pub mod lockfile;
#[cfg(feature = "manifests")]
pub mod manifest;
mod merge_conflict;
pub mod merged_toggles;
pub mod ownership;
#[cfg(feature = "manifests")]
pub mod plugin_index;
pub mod predicate;
pub mod repeated_entry;
#[cfg(feature = "manifests")]
pub mod review;
pub mod scan;
#[cfg(feature = "manifests")]
pub mod schema;
pub mod search;
#[cfg(feature = "manifests")]
pub mod select;
pub mod skill;
pub mod skill_text;
pub mod source_view;
pub mod suggest;
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
