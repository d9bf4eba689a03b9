use super::*;

const OK: RunOutcome = RunOutcome::Succeeded;
const BAD: RunOutcome = RunOutcome::Failed;
const UNCLEAR: RunOutcome = RunOutcome::Unclear;

const FINISHED: &str = "    Checking a v0.1.0\n    Finished `dev` profile [unoptimized] target(s) in 0.1s\n";
const PASSED: &str = "running 3 tests\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
const NO_TEST: &str = "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out\n";
const BROKEN: &str = "error[E0308]: mismatched types\n --> src/lib.rs:1:1\n\nerror: could not compile `a` (lib)\n";
const FAILING: &str = "test a ... FAILED\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored\n";
const NEXTEST: &str = "     Summary [   0.1s] 24 tests run: 24 passed, 1 skipped\n";
const NEXTEST_BAD: &str = "     Summary [   0.1s] 24 tests run: 20 passed, 4 failed, 1 skipped\n";
const NEXTEST_NONE: &str = "     Summary [   0.0s] 0 tests run: 0 passed, 3 skipped\nerror: no tests to run\n";

#[test]
fn a_run_succeeds_only_without_a_visible_error() {
    for (command, output, exit_code, expected) in [
        ("cargo check", "", Some(0), Some(OK)),
        ("cargo check", FINISHED, Some(0), Some(OK)),
        ("cargo check", BROKEN, Some(101), Some(BAD)),
        ("cargo check", "", Some(101), Some(BAD)),
        ("cargo check", "", None, Some(UNCLEAR)),
        ("cargo check", FINISHED, None, Some(OK)),
        ("cargo check", BROKEN, None, Some(BAD)),
        ("cd a && cargo clippy --all-targets", "", Some(0), Some(OK)),
        ("cargo fmt && cargo check && ls", "", Some(0), Some(OK)),
        // The exit code is another program's.
        ("cargo check 2>&1 | tail -5", BROKEN, Some(0), Some(BAD)),
        ("cargo check 2>&1 | tail -5", FINISHED, Some(0), Some(OK)),
        ("cargo check 2>&1 | tail -5", "warning: unused\n\ncargo check: ok\n", Some(0), Some(OK)),
        ("cargo check 2>&1 | grep -n E0", "12:error[E0308]: mismatched types", Some(0), Some(BAD)),
        ("cargo check 2>&1 | grep -c warning", "0", Some(0), Some(UNCLEAR)),
        ("cargo check || true", BROKEN, Some(0), Some(BAD)),
        ("cargo check || true", FINISHED, Some(0), Some(OK)),
        ("cargo check > /dev/null 2>&1 || true", "", Some(0), Some(UNCLEAR)),
        ("cargo check; echo done", "done", Some(0), Some(UNCLEAR)),
        ("cargo check; echo done", BROKEN, Some(0), Some(BAD)),
        ("ls; cargo check", "a\n", Some(0), Some(OK)),
        ("cargo check;", "", Some(0), Some(OK)),
        ("cargo check &", "", Some(0), Some(UNCLEAR)),
        ("ls || cargo check", "a\n", Some(0), Some(UNCLEAR)),
        ("if cargo check; then echo yes; fi", "", Some(0), Some(UNCLEAR)),
        ("! cargo check", BROKEN, Some(0), Some(BAD)),
        ("(cd a && cargo check)", "", Some(0), Some(UNCLEAR)),
        ("(cd a && cargo check)", FINISHED, Some(0), Some(OK)),
        ("cargo check || true", "bash: cargo: command not found\n", Some(0), Some(BAD)),
        ("cargo test 2>&1 | tail -3", PASSED, Some(0), Some(OK)),
        ("cargo test 2>&1 | head -3", PASSED, Some(0), Some(UNCLEAR)),
        ("cargo test 2>&1 | tail -3", FINISHED, Some(0), Some(UNCLEAR)),
        ("cargo test || true", FAILING, Some(0), Some(BAD)),
        ("cargo nextest run | cat", NEXTEST, Some(0), Some(OK)),
        ("cargo nextest run | cat", NEXTEST_BAD, Some(0), Some(BAD)),
        ("RUST_BACKTRACE=1 timeout 60 cargo +nightly t", PASSED, Some(0), Some(OK)),
        ("time cargo b", "", Some(0), Some(OK)),
        ("cargo check", "cargo check: ok\n", None, Some(OK)),
        ("cargo check", "\u{1b}[1m\u{1b}[91merror\u{1b}[0m: bad\n", Some(0), Some(BAD)),
        // No compiler was asked.
        ("ls", "", Some(0), None),
        ("cargo fmt", "", Some(0), None),
        ("cargo run", "", Some(0), None),
        ("cargo check --help", "", Some(0), None),
        ("cargo nextest list", "", Some(0), None),
        ("echo cargo check", "cargo check", Some(0), None),
        ("git commit -m 'cargo test'", "", Some(0), None),
        ("cat > x.sh <<EOF\ncargo test\nEOF", "", Some(0), None),
        ("# cargo test\nls", "", Some(0), None),
        ("cargo test 'a", "", Some(2), None),
    ] {
        let outcome = judge_run(command, output, exit_code).map(|verdict| verdict.outcome);
        assert_eq!(outcome, expected, "{command} with {exit_code:?} and {output:?}");
    }
}

#[test]
fn a_test_command_without_tests_is_noticed() {
    for (command, output, expected) in [
        ("cargo test", PASSED, TestPresence::SomeRan),
        ("cargo test nothing", NO_TEST, TestPresence::NoneRan),
        ("cargo test", &format!("{NO_TEST}{PASSED}{NO_TEST}"), TestPresence::SomeRan),
        // The end of an output may leave out the tests that ran.
        ("cargo test | tail -3", NO_TEST, TestPresence::Unclear),
        ("cargo test | tail -3", PASSED, TestPresence::SomeRan),
        ("cargo test > log", "", TestPresence::Unclear),
        ("cargo test", "0 tests ran; 3 filtered out\n", TestPresence::NoneRan),
        ("cargo nextest run", NEXTEST, TestPresence::SomeRan),
        ("cargo nextest run", NEXTEST_NONE, TestPresence::NoneRan),
        ("cargo test --no-run", FINISHED, TestPresence::NotAsked),
        ("cargo check", FINISHED, TestPresence::NotAsked),
        ("cargo check && cargo test", NO_TEST, TestPresence::NoneRan),
    ] {
        assert_eq!(judge_run(command, output, Some(0)).unwrap().tests, expected, "{command} with {output:?}");
    }
}
