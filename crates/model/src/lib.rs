//! The vocabulary of Symposium and every decision it takes.
//!
//! Nothing here touches the world: no files, no environment, no clock, no printing. Each function goes from values to
//! values and is tested as a table.

pub mod crates;
pub mod diagnostic;
pub mod scan;
pub mod skill;
