//! The program: `symposium`, also installed as `cargo-agents`.

fn main() {}
