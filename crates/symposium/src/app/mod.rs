//! What commands are made of. Each group uses only itself and those above it.

// What a call knows before any source is read.
pub(crate) mod context;
pub(crate) mod detect;
pub(crate) mod extension_state;
pub(crate) mod lock_file;
pub(crate) mod outcome;
pub(crate) mod own_choices;
pub(crate) mod place;
pub(crate) mod required_version;
pub(crate) mod rtk;
pub(crate) mod unmade;
pub(crate) mod usage;

// What the sources hold, and what of it applies.
pub(crate) mod catalog;
pub(crate) mod guidance;
pub(crate) mod reading;
pub(crate) mod refresh;

// What plugins may run, and what that needs.
pub(crate) mod installations;
pub(crate) mod named_words;
pub(crate) mod stand_ins;
pub(crate) mod trust;

// What is written: as plugins, for the project, for agents, for the hook.
pub(crate) mod import;
pub(crate) mod locking;
pub(crate) mod plan;
pub(crate) mod strictness;
pub(crate) mod sync;

// In which order all that is done.
pub(crate) mod begin;
pub(crate) mod in_step;
pub(crate) mod switches;
pub(crate) mod uninstall;

// What is answered.
pub(crate) mod crate_source;
pub(crate) mod deceptions;
pub(crate) mod doctor;
pub(crate) mod hook_check;
pub(crate) mod hook_list;
pub(crate) mod hook_trial;
pub(crate) mod hook_verdict;
pub(crate) mod own_plugin;
pub(crate) mod scaffold;
pub(crate) mod status;
pub(crate) mod tool_matcher;
pub(crate) mod trail;
pub(crate) mod update;
pub(crate) mod validate;
pub(crate) mod why;
