//! Where the hot path touches the world.

pub(crate) mod child;
