//! Links the program at a fixed address on Linux: one that may be loaded anywhere begins with 34 000 relocations, which
//! take a third of the time of a hook.
#![expect(clippy::disallowed_methods, reason = "a build script asks cargo; it is no part of the program")]

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_target =
        |name: &str, wanted: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).is_ok_and(|it| it == wanted);
    if is_target("OS", "linux") && is_target("ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
