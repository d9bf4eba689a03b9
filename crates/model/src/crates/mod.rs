//! Crates: their names, the versions a workspace locks, and conditions on both.

mod atom;
mod name;

pub use atom::{AtomError, CrateAtom, Requirement};
pub use name::CrateName;
