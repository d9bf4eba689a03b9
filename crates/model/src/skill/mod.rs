//! Skills: parses SKILL.md files leniently, and renders them in a form that every agent accepts.

/// The file that makes a directory a skill.
pub const SKILL_FILE: &str = "SKILL.md";

mod compatibility;
mod digest;
mod document;
pub mod frontmatter;
mod installed_text;
mod name;
mod one_line;
mod scalar;

#[cfg(feature = "manifests")]
mod block;
#[cfg(feature = "manifests")]
mod check;
#[cfg(feature = "manifests")]
mod condition_text;
#[cfg(feature = "manifests")]
mod crate_spans;
#[cfg(feature = "manifests")]
mod key;
#[cfg(feature = "manifests")]
mod parse;
#[cfg(feature = "manifests")]
mod repair;
#[cfg(feature = "manifests")]
mod skill_conditions;
#[cfg(feature = "manifests")]
mod usefulness;
#[cfg(feature = "manifests")]
mod yaml;

pub use compatibility::SkillCompatibility;
pub use document::{LONGEST_DESCRIPTION, SkillActivation, SkillDocument};
pub use installed_text::installed_text;
pub use name::{NameProblem, SkillName};

#[cfg(feature = "manifests")]
pub use check::check;
#[cfg(feature = "manifests")]
pub use crate_spans::crate_place;
#[cfg(feature = "manifests")]
pub use parse::{ParsedSkill, parse};
#[cfg(feature = "manifests")]
pub use skill_conditions::conditions;
#[cfg(feature = "manifests")]
pub use usefulness::{TEMPLATE, check_usefulness};

#[cfg(test)]
#[cfg(feature = "manifests")]
mod wild_cases;
#[cfg(test)]
#[cfg(feature = "manifests")]
mod wild_tests;
