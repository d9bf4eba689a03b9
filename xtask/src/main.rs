//! Chores of this repository: `cargo xtask <chore>`.

fn main() {}
