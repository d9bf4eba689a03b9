//! A program on Windows, ended together with everything it started. On other systems there is nothing in here: process
//! groups do the same.
#![cfg(windows)]

mod job;
mod spawn;
mod threads;

pub use job::Tree;
pub use spawn::spawn;
