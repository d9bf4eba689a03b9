//! Passes the inputs of libFuzzer to the target that has this program's name.

#![no_main]

use std::sync::LazyLock;

use symposium_fuzz::{Target, find};

static TARGET: LazyLock<&Target> = LazyLock::new(|| find(env!("CARGO_BIN_NAME")).expect("a target of this name"));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (TARGET.run)(bytes));
