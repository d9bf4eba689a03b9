//! Ends a program on Windows together with everything it started. On other systems this crate is empty: process groups
//! do the same.
#![cfg(windows)]

mod job;
mod spawn;
mod threads;

pub use job::ProcessTree;
pub use spawn::spawn;
