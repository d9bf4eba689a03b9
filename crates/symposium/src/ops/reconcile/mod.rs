//! From what is configured to what is on disk: desired, observed, compared, applied, recorded.

pub(crate) mod apply;
mod apply_change;
pub(crate) mod committed_files;
pub(crate) mod compare;
pub(crate) mod lock_changes;
pub(crate) mod machine_programs;
pub(crate) mod missing_skills;
pub(crate) mod name_warnings;
pub(crate) mod observe;
pub(crate) mod program_path;
pub(crate) mod project_config;
pub(crate) mod registrations;
pub(crate) mod servers;
pub(crate) mod skill_content;
pub(crate) mod unrecorded_files;

pub(crate) use symposium_model::sync::{ChangeSet, ChangeStep, PlannedChange, SyncNotice, UserEdits};
