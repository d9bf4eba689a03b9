//! The parts of the hot path that access the operating system.

pub(crate) mod ancestry;
pub(crate) mod child;
pub(crate) mod clock;
pub(crate) mod disk;
pub(crate) mod environment;
pub(crate) mod files;
pub mod stamp;
pub(crate) mod stdin;
pub(crate) mod turns;
