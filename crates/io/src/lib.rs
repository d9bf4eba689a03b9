//! Every side effect of Symposium's slow path: files, directories, environment, clock.
//!
//! No function here takes a decision that depends on content; that is `symposium-model`'s work.

#![expect(clippy::disallowed_methods, reason = "this crate is the home of the calls the others may not make")]

pub mod ancestors;
pub mod cargo;
pub mod clock;
pub mod env;
mod exchange;
pub mod fs;
mod fs_error;
mod http;
pub mod install;
pub mod installation;
pub mod leftovers;
pub mod lock;
pub mod obstacle;
mod parents;
mod pinned;
pub mod private;
pub mod process;
pub mod registry;
mod replace;
mod rest;
pub mod settings;
pub mod source;
pub mod terminal;
pub mod tracking;
