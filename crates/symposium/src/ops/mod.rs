//! The operations behind the commands. Each group uses only itself and the groups above it.

// Loads the call: directories, configuration, lockfile, agents.
pub(crate) mod agent_detection;
pub(crate) mod agent_paths;
pub(crate) mod cargo_run;
pub(crate) mod cargo_shim;
pub(crate) mod context;
pub(crate) mod environment;
pub(crate) mod fetch_report;
mod held_output;
pub(crate) mod ledger_store;
pub(crate) mod lockfile_state;
pub(crate) mod required_version;
pub(crate) mod rtk;
pub(crate) mod user_toggles;

// Fetches and reads sources.
pub(crate) mod catalog;
pub(crate) mod fetch;
pub(crate) mod fetch_index;
pub(crate) mod guidance;

// Decides which commands may run, and installs the programs they need.
pub(crate) mod installations;
pub(crate) mod trust;

// Resolves which extensions apply: the value that everything below works on.
pub(crate) mod resolve;

// Computes and applies changes: plugins, project files, agent settings, hook plans.
pub(crate) mod hook_plan;
pub(crate) mod import;
pub(crate) mod lockfile;
pub(crate) mod reconcile;
pub(crate) mod settings_lints;
pub(crate) mod skill_listing;
pub(crate) mod sync_messages;

// Runs the operations that change something, in order.
pub(crate) mod agent_config;
pub(crate) mod load;
pub(crate) mod project_source;
pub(crate) mod sync;
pub(crate) mod toggles;
pub(crate) mod uninstall;

// Answers questions, and checks plugins for their authors.
pub(crate) mod author;
pub(crate) mod query;
