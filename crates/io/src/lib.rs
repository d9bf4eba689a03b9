//! All side effects of Symposium's slow path: files, directories, processes, network, environment, clock.
//!
//! No function here makes a decision that depends on content; that is the job of `symposium-model`.

#![expect(clippy::disallowed_methods, reason = "this crate is the home of the calls the others may not make")]

pub mod api_cache;
pub mod cargo;
pub mod clock;
mod dir_handle;
pub mod env;
mod exchange;
pub mod file_lock;
pub mod fs;
mod fs_error;
pub mod git_history;
mod git_objects;
pub mod git_path;
mod git_repository;
pub mod git_revision;
pub mod git_tracking;
mod http;
pub mod installation;
mod parent_dirs;
pub mod parent_processes;
pub mod process;
mod proxy;
pub mod registry;
mod replace;
pub mod settings;
pub mod skill_directory;
pub mod source;
pub mod stale_temp;
pub mod state_file;
pub mod terminal;
mod unfinished_write;
pub mod write_blocker;
