//! Crates: their names, the versions a workspace locks, and conditions on both.

mod assuming;
mod atom;
#[cfg(feature = "manifests")]
pub mod cargo_manifest;
#[cfg(feature = "manifests")]
pub mod lexical_path;
#[cfg(feature = "manifests")]
pub mod lock;
#[cfg(feature = "manifests")]
pub mod member_pattern;
#[cfg(feature = "manifests")]
mod mention;
mod name;
mod origin;
mod requirement;
#[cfg(feature = "manifests")]
pub mod resolve;
mod set;
#[cfg(feature = "manifests")]
pub mod vendor;

pub use atom::{AtomError, CrateAtom, VersionCondition};
#[cfg(feature = "manifests")]
#[cfg(feature = "manifests")]
pub use mention::{MentionIn, mention};
pub use name::CrateName;
pub use origin::{GitSource, Origin};
pub use requirement::Requirement;
pub use set::{Certainty, CrateSet, DependencyKind, DirectUse, LockState, LockedCrate, Member, Scope, Step, WithNeeds};
