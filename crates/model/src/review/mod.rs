//! Compares two revisions of a workspace for a reviewer: texts for agents, programs that would run, and the sources of both.

mod agent_commands;
mod change;
mod item;
mod named_files;

pub use change::{
    DetailChange, FileChange, MAX_DIFFERENCE, NOT_REVIEWED, ReviewChange, ReviewFinding, compare_reviews,
};
pub use item::{ItemDetail, NamingWords, ReviewItem, ReviewSection, ReviewedFile};
pub use named_files::{PATTERN_SIGNS, SearchedText, command_forms, find_imports, matches_pattern, normal_path};
