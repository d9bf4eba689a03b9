//! Tests of the crate as others use it, over recorded runs of cargo.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod any_input;
mod corpus;
mod recorded;
mod speed;
