//! What the hot path asks of the world.

pub mod stamp;
