//! The body of a skill as its author wrote it: Rust blocks that must compile, and names that must exist.

mod blocks;
#[cfg(feature = "manifests")]
mod dependency_set;
mod mentions;
mod name_form;
mod prose;

pub use blocks::{BlockProblem, BlockUse, RustBlock, find_blocks};
#[cfg(feature = "manifests")]
pub use dependency_set::{DependencyLine, DependencySet, parse_dependency_sets};
pub use mentions::{MentionClaim, ProseMention, find_mentions};
pub use name_form::NameForm;
