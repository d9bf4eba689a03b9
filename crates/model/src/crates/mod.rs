//! Crates: their names, the versions a workspace locks, and conditions on both.

mod assumed_version;
mod atom;
pub mod cargo_add;
#[cfg(feature = "manifests")]
pub mod cargo_lock;
#[cfg(feature = "manifests")]
pub mod cargo_manifest;
pub mod dependency_check;
pub mod dependency_tables;
#[cfg(feature = "manifests")]
pub mod features;
pub mod lexical_path;
#[cfg(feature = "manifests")]
pub mod library_graph;
#[cfg(feature = "manifests")]
#[cfg(feature = "manifests")]
pub mod member_pattern;
#[cfg(feature = "manifests")]
mod mention;
mod name;
mod origin;
pub mod registry_index;
mod requirement;
#[cfg(feature = "manifests")]
pub mod resolve;
mod set;
mod toml_leaves;
#[cfg(feature = "manifests")]
pub mod vendor;

pub use atom::{AtomError, CrateAtom, VersionCondition};
#[cfg(feature = "manifests")]
#[cfg(feature = "manifests")]
pub use mention::{MentionContext, mention};
pub use name::CrateName;
pub use origin::{CrateOrigin, GitSource};
pub use requirement::VersionRequirement;
pub use set::{
    CargoLockState, CrateSet, DependencyKind, DependencyScope, DependencyStep, DirectUse, LockedCrate,
    VersionCertainty, WithNeeds, WorkspaceMember,
};
