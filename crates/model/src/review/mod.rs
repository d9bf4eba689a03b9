//! Compares two revisions of a workspace for a reviewer: what agents are told, what would run, and where both come from.

mod agent_commands;
mod change;
mod item;

pub use agent_commands::{SettingCommand, find_commands};
pub use change::{DetailChange, FileChange, MAX_DIFFERENCE, ReviewChange, ReviewFinding, compare_reviews};
pub use item::{ItemDetail, ReviewItem, ReviewSection, ReviewedFile};
