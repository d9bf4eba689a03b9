//! Crates: their names, the versions a workspace locks, and conditions on both.

mod atom;
mod name;

pub use atom::{AtomError, CrateAtom, VersionCondition};
pub use name::CrateName;
