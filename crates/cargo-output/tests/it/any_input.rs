//! Any bytes, and recorded runs that were cut, mixed or damaged.

use std::collections::HashSet;

use proptest::prelude::*;
use symposium_cargo_output::{judge_run, recognise_cargo_call, shorten_bytes, shorten_output};

use crate::recorded::load_runs;

/// Whether a line must never be lost, wherever it stands.
fn is_precious(line: &str) -> bool {
    let text = line.trim();
    let says_error = (line.starts_with("error") || line.starts_with("warning")) && !is_summary(line);
    says_error
        || text.starts_with("--> ")
        || text.starts_with("= note: ")
        || text.starts_with("= help: ")
        || text.contains(" panicked at ")
        || (text.contains('|') && text.contains('^'))
}

fn is_summary(line: &str) -> bool {
    [" generated ", "could not compile", "build failed, waiting", "to rerun pass"]
        .iter()
        .any(|part| line.contains(part))
}

fn without_count(line: &str) -> &str {
    line.strip_suffix(" times)").and_then(|rest| rest.rsplit_once(" (")).map_or(line, |(line, _)| line)
}

/// Checks that the short form is no longer, and holds every precious line.
fn check_precious(arguments: &[String], output: &str, about: &str) {
    for exit_code in [Some(0), Some(101), None] {
        let short = shorten_output(arguments, output, exit_code);
        assert!(short.len() <= output.len(), "{about}: longer");
        let kept: HashSet<&str> = short.lines().map(|line| without_count(line.trim())).collect();
        for line in output.lines().filter(|line| is_precious(line)) {
            assert!(kept.contains(without_count(line.trim())), "{about}: lost `{line}` in\n{short}");
        }
    }
}

#[test]
fn runs_that_were_cut_lose_nothing_more() {
    for run in load_runs().iter().filter(|run| !run.output.contains('\u{1b}') && run.output.len() < 20_000) {
        for step in 1..=23 {
            let at = run.output.len() * step / 24;
            let at = (at..=run.output.len()).find(|at| run.output.is_char_boundary(*at)).unwrap();
            let (head, tail) = run.output.split_at(at);
            check_precious(&run.arguments, head, &format!("{} up to {at}", run.name));
            check_precious(&run.arguments, tail, &format!("{} from {at}", run.name));
        }
    }
}

#[test]
fn runs_that_were_mixed_lose_nothing_more() {
    let runs = load_runs();
    let plain: Vec<_> = runs.iter().filter(|run| !run.output.contains('\u{1b}') && run.output.len() < 6_000).collect();
    for pair in plain.windows(2) {
        let (mut first, mut second) = (pair[0].output.lines(), pair[1].output.lines());
        let mut mixed = String::new();
        loop {
            let lines: Vec<&str> = first.by_ref().take(2).chain(second.by_ref().take(3)).collect();
            if lines.is_empty() {
                break;
            }
            mixed.push_str(&lines.join("\n"));
            mixed.push('\n');
        }
        check_precious(&pair[0].arguments, &mixed, &format!("{} and {}", pair[0].name, pair[1].name));
    }
}

#[test]
fn colours_make_no_difference() {
    let runs = load_runs();
    for name in ["test-failing", "mismatch-build"] {
        let coloured = runs.iter().find(|run| run.name == format!("{name}-coloured")).unwrap();
        assert!(coloured.output.contains('\u{1b}'));
        assert!(!coloured.shorten().contains('\u{1b}'));
    }
}

#[test]
fn bytes_that_are_not_text_pass_through_or_get_shorter() {
    let arguments = ["test"];
    let mut output = b"running 1 test\n\xff\xfe said the test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n".to_vec();
    let short = shorten_bytes(&arguments, &output, Some(0)).into_owned();
    assert!(String::from_utf8_lossy(&short).contains("said the test"));
    assert!(short.len() < output.len());
    output.truncate(20);
    assert_eq!(shorten_bytes(&["run"], &output, Some(0)).as_ref(), output.as_slice());
}

#[test]
fn results_of_a_program_that_a_test_started_are_no_totals() {
    let result = |passed: u32| {
        format!(
            "test result: ok. {passed} passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
        )
    };
    let inner = format!("\nrunning 7 tests\n\n{}", result(7));
    let output = format!("running 2 tests\ntest a ... ok\n{inner}test b ... ok\n\n{}", result(2));
    let short = shorten_output(&["test", "--", "--nocapture"], &output, Some(0));
    assert_eq!(short, format!("running 7 tests\n\n{}test result: ok. 2 passed; 0 failed\n", result(7)));
    // One after the other they are added up, also when one of them was killed.
    let output = format!("running 2 tests\n\n{}\nrunning 3 tests\n\n{}", result(2), result(3));
    assert_eq!(shorten_output(&["test"], &output, Some(0)), "test result: ok. 5 passed; 0 failed (2 suites)\n");
    let killed = format!(
        "     Running a.rs (target/debug/deps/a-0)\nrunning 9 tests\n     Running b.rs (target/debug/deps/b-0)\nrunning 3 tests\n\n{}",
        result(3)
    );
    assert_eq!(shorten_output(&["test"], &killed, Some(101)), "test result: ok. 3 passed; 0 failed\n");
    assert_eq!(shorten_output(&["test"], &killed, Some(0)), killed, "a test program has no result");
}

#[test]
fn warnings_do_not_hide_a_success() {
    let warning = "warning: unused variable: `x`\n --> src/lib.rs:1:1\n";
    let finished = "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.10s\n";
    let output = format!("    Checking a v0.1.0 (/a)\n{warning}\n{finished}");
    let short = shorten_output(&["check"], &output, Some(0)).into_owned();
    assert!(short.starts_with(warning) && short.ends_with("\ncargo check: ok\n"), "{short}");
    for code in [Some(101), None] {
        assert!(!shorten_output(&["check"], &output, code).contains(": ok"), "{code:?}");
    }
    assert!(!shorten_output(&["check"], &output.replace(finished, ""), Some(0)).contains(": ok"));
    let tested = format!(
        "{output}     Running a.rs (target/debug/deps/a-0)\n\nrunning 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
    );
    let short = shorten_output(&["test"], &tested, Some(0)).into_owned();
    assert!(short.ends_with("test result: ok. 1 passed; 0 failed\n"), "{short}");
}

#[test]
fn a_test_program_without_a_result_is_no_success() {
    let output = "    Finished `test` profile in 0.1s\n     Running a.rs (target/debug/deps/a-0)\n\nrunning 3 tests\ntest a ... ok\ntest b ... ok\n";
    for code in [Some(0), None] {
        assert_eq!(shorten_output(&["test"], output, code), output);
    }
}

#[test]
fn the_last_word_of_nextest_about_a_slow_test_stays() {
    let output = "        SLOW [> 60.000s] (1/1) a tests::d\n        FAIL [  61.000s] (1/1) a tests::d\n     Summary [  61.000s] 1 test run: 0 passed, 1 failed, 0 skipped\n        FAIL [  61.000s] (1/1) a tests::d\nerror: test run failed\n";
    let short = shorten_output(&["nextest", "run"], output, Some(100));
    assert!(short.contains("FAIL [  61.000s]") && short.contains("SLOW"), "{short}");
}

#[test]
fn streams_one_after_the_other_are_not_mixed_up() {
    let suite = |name: &str| {
        format!(
            "running 1 test\ntest {name} ... FAILED\n\nfailures:\n\n---- {name} stdout ----\nsaid {name}\n\n\nfailures:\n    {name}\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n"
        )
    };
    let errors = "     Running unittests src/lib.rs (target/debug/deps/one-0a)\nerror: test failed, to rerun pass `-p one --lib`\n     Running unittests src/lib.rs (target/debug/deps/two-0b)\nerror: test failed, to rerun pass `-p two --lib`\n";
    let output = format!("{}{}", suite("a"), suite("b"));
    let said = "---- a stdout ----\nsaid a\n---- b stdout ----\nsaid b\n";
    let total = "test result: FAILED. 0 passed; 2 failed (2 suites)\n";
    assert_eq!(shorten_output(&["test"], &format!("{output}{errors}"), Some(101)), format!("{said}{total}"));
    let short = shorten_output(&["test"], &format!("{errors}{output}"), Some(101)).into_owned();
    assert!(short.ends_with(&format!("{said}{total}")) && !short.contains("Running"), "{short}");
}

#[test]
fn a_start_behind_its_tests_is_theirs() {
    let start = "     Running unittests src/lib.rs (target/debug/deps/a-1)\n";
    let tests = "running 2 tests\n";
    let end = "test a ... ok\ntest b ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n";
    let usual = shorten_output(&["test"], &format!("{start}{tests}{end}"), Some(0)).into_owned();
    assert!(usual.contains("2 passed"), "{usual}");
    let swapped = format!("{tests}{start}{end}");
    assert_eq!(shorten_output(&["test"], &swapped, Some(0)), usual);
    let twice = format!("{start}{tests}{end}");
    let both = shorten_output(&["test"], &format!("{twice}{twice}"), Some(0)).into_owned();
    assert_eq!(shorten_output(&["test"], &format!("{swapped}{swapped}"), Some(0)), both);
    for unfinished in [format!("{start}{tests}{start}{tests}{end}"), format!("{tests}{start}{start}{tests}{end}")] {
        assert_eq!(shorten_output(&["test"], &unfinished, Some(0)), unfinished, "one has no result");
    }
}

#[test]
fn a_missing_subcommand_is_told_as_cargo_tells_it() {
    let missing = "error: no such command: `nextest`\n\nhelp: view all installed commands with `cargo --list`\nhelp: find a package to install `nextest` with `cargo search cargo-nextest`\n";
    assert_eq!(shorten_output(&["nextest", "run"], missing, Some(101)), missing);
}

#[test]
fn a_failure_that_says_nothing_stays_as_it_is() {
    let output = "   Compiling a v0.1.0 (/project)\n    Building [=>    ] 1/2: a\n";
    assert_eq!(shorten_output(&["build"], output, Some(137)), output);
    assert_eq!(shorten_output(&["build"], output, None), output);
    let finished = "   Compiling a v0.1.0 (/project)\n    Finished `dev` profile [unoptimized] target(s) in 0.1s\n";
    assert_eq!(shorten_output(&["build"], finished, Some(0)), "cargo build: ok\n");
    assert_eq!(shorten_output(&["build"], finished, Some(1)), finished);
    assert_eq!(shorten_output(&["build"], "", Some(0)), "");
}

/// Pieces of which cargo's output is made, so that made-up output meets every reader.
fn pieces() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("error[E0308]: mismatched types\n --> src/lib.rs:1:1\n  |\n1 | x\n  | ^ expected\n  |\n  = note: a\n          b\n\n".to_owned()),
        Just("warning: unused\n --> src/lib.rs:1:1\n".to_owned()),
        Just("running 2 tests\ntest a ... ok\ntest b ... FAILED\n".to_owned()),
        Just("\nfailures:\n\n---- b stdout ----\nthread 'b' panicked at src/lib.rs:1:1:\nno\n".to_owned()),
        Just("\nfailures:\n    b\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured\n".to_owned()),
        Just("        FAIL [   0.1s] a b\n  stdout ───\n\n    running 1 test\n".to_owned()),
        Just("stack backtrace:\n   0: std::x\n   1: mine\n             at ./src/lib.rs:1:1\n".to_owned()),
        Just("   Compiling a v0.1.0\r    Building [=> ] 1/2\u{1b}[0m\n".to_owned()),
        Just("error: could not compile `a` (lib) due to 1 previous error\n\nCaused by:\n".to_owned()),
        "[ -~]{0,30}\n",
        "\\PC{0,20}",
    ]
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..2000), code in any::<Option<i32>>()) {
        for arguments in [&["test"][..], &["nextest", "run"], &["check"], &[]] {
            prop_assert!(shorten_bytes(arguments, &bytes, code).len() <= bytes.len());
        }
    }

    #[test]
    fn made_up_output_keeps_what_matters(parts in proptest::collection::vec(pieces(), 0..30)) {
        let output = parts.concat();
        let arguments = vec!["test".to_owned()];
        prop_assert!(shorten_output(&arguments, &output, Some(101)).len() <= output.len());
        if !output.contains(['\u{1b}', '\r']) {
            check_precious(&arguments, &output, "made up");
        }
    }

    #[test]
    fn any_command_is_survived(command in "(cargo|cd|test|check|&&|\\|\\||[|;&<>()$`'\"\\\\# \n]|[a-z=+-]){0,20}", output in "\\PC{0,80}") {
        if let Some(call) = recognise_cargo_call(&command) {
            prop_assert!(!command.contains(['|', ';', '$', '`', '<', '(']) || command.contains(['\'', '"', '\\', '#']), "{command}");
            prop_assert!(!call.arguments.is_empty());
        }
        let _ = judge_run(&command, &output, None);
    }
}
