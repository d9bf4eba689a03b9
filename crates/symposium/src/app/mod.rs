//! What commands are made of: the context of a call, the catalog, guidance, explanations, checks.

pub(crate) mod catalog;
mod chains;
pub(crate) mod context;
mod crate_plugins;
pub(crate) mod crate_source;
pub(crate) mod deceptions;
pub(crate) mod detect;
pub(crate) mod doctor;
mod facts;
pub(crate) mod guidance;
pub(crate) mod hook_check;
pub(crate) mod hook_list;
pub(crate) mod hook_trial;
pub(crate) mod hook_verdict;
pub(crate) mod outcome;
pub(crate) mod plan;
pub(crate) mod refresh;
pub(crate) mod rtk;
pub(crate) mod scaffold;
pub(crate) mod session;
mod source_files;
pub(crate) mod sync;
pub(crate) mod trail;
pub(crate) mod trust;
pub(crate) mod update;
pub(crate) mod validate;
pub(crate) mod why;
