//! Answers questions about the workspace, and changes nothing.

pub(crate) mod api;
pub(crate) mod context_cost;
pub(crate) mod crate_source;
pub(crate) mod crate_version;
pub(crate) mod doctor;
pub(crate) mod extension_state;
pub(crate) mod hook_list;
pub(crate) mod hook_log;
pub(crate) mod overview;
pub(crate) mod review;
pub(crate) mod search;
pub(crate) mod skill_audit;
pub(crate) mod status;
pub(crate) mod update;
pub(crate) mod usage;
pub(crate) mod why;
