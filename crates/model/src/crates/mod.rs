//! Crates: their names, the versions a workspace locks, and conditions on both.

mod name;

pub use name::CrateName;
