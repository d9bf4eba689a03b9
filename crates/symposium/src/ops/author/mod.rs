//! Scaffolds, checks and tries plugins for their authors.

pub(crate) mod hook_check;
pub(crate) mod hook_dry_run;
pub(crate) mod hook_expect;
pub(crate) mod new_plugin;
pub(crate) mod plugin_crate;
pub(crate) mod plugin_index;
pub(crate) mod scaffold;
pub(crate) mod skill_test;
pub(crate) mod tool_matcher;
pub(crate) mod validate;
