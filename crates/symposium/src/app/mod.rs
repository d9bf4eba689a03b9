//! What commands are made of: the context of a call, the catalog, guidance, explanations, checks.

pub(crate) mod catalog;
pub(crate) mod context;
pub(crate) mod crate_source;
pub(crate) mod deceptions;
pub(crate) mod detect;
pub(crate) mod doctor;
pub(crate) mod guidance;
pub(crate) mod hook_check;
pub(crate) mod hook_list;
pub(crate) mod hook_trial;
pub(crate) mod hook_verdict;
pub(crate) mod memory;
pub(crate) mod outcome;
pub(crate) mod plan;
pub(crate) mod refresh;
pub(crate) mod rtk;
pub(crate) mod scaffold;
pub(crate) mod session;
pub(crate) mod sync;
pub(crate) mod trail;
pub(crate) mod trust;
pub(crate) mod update;
pub(crate) mod validate;
pub(crate) mod why;
