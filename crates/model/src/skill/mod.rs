//! Skills: reading SKILL.md files as liberally as the world needs, and writing them in a form every agent accepts.

/// The file that makes a directory a skill.
pub const SKILL_FILE: &str = "SKILL.md";

mod compatibility;
mod document;
pub mod frontmatter;
mod installed;
mod name;
mod one_line;
mod scalar;

#[cfg(feature = "manifests")]
mod block;
#[cfg(feature = "manifests")]
mod check;
#[cfg(feature = "manifests")]
mod conditions;
#[cfg(feature = "manifests")]
mod key;
#[cfg(feature = "manifests")]
mod mend;
#[cfg(feature = "manifests")]
mod parse;
#[cfg(feature = "manifests")]
mod places;
#[cfg(feature = "manifests")]
mod usefulness;
#[cfg(feature = "manifests")]
mod when;
#[cfg(feature = "manifests")]
mod yaml;

pub use compatibility::Compatibility;
pub use document::{Activation, Document, LONGEST_DESCRIPTION};
pub use installed::installed_text;
pub use name::{NameProblem, SkillName};

#[cfg(feature = "manifests")]
pub use check::check;
#[cfg(feature = "manifests")]
pub use parse::{Parsed, parse};
#[cfg(feature = "manifests")]
pub use places::crate_place;
#[cfg(feature = "manifests")]
pub use usefulness::{TEMPLATE, check_usefulness};
#[cfg(feature = "manifests")]
pub use when::conditions;

#[cfg(test)]
#[cfg(feature = "manifests")]
mod wild_cases;
#[cfg(test)]
#[cfg(feature = "manifests")]
mod wild_tests;
