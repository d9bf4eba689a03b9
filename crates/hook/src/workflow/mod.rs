//! The built-in workflows: what our own plugins do, inside the hook process.

pub(crate) mod autofmt;
pub(crate) mod rtk;
