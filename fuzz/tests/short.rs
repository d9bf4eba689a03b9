//! Every target over its corpus and the same mutations of it on every run.

use symposium_fuzz::{Budget, TARGETS, drive, seeds};

/// Returns the number of mutations of each target: some seconds altogether. `SYMPOSIUM_TEST_FUZZ` asks for more.
fn executions() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "`symposium-io` is not for tests of others")]
    let asked = std::env::var("SYMPOSIUM_TEST_FUZZ");
    asked.ok().and_then(|count| count.parse().ok()).unwrap_or(300)
}

#[test]
fn no_input_breaks_a_promise() {
    // The stack size of the program.
    let run = || {
        let mut broken = Vec::new();
        for target in TARGETS {
            assert!(!seeds(target).is_empty(), "{} has nothing to start from", target.name);
            let driven = drive(target, 1, Budget::Executions(executions()));
            broken.extend(driven.broken.map(|input| (target.name, String::from_utf8_lossy(&input).into_owned())));
        }
        assert_eq!(broken, [], "targets, and the inputs that break them");
    };
    std::thread::Builder::new().stack_size(8 * 1024 * 1024).spawn(run).unwrap().join().unwrap();
}

#[test]
fn every_corpus_belongs_to_a_target() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    #[expect(clippy::disallowed_methods, reason = "`symposium-io` is not for tests of others")]
    for entry in std::fs::read_dir(corpus).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(symposium_fuzz::find(&name).is_some(), "`{name}` is no target");
    }
}
