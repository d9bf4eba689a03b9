//! Large output. Times are printed; what is tested is that hostile output does not take for ever.

use std::time::{Duration, Instant};

use symposium_cargo_output::shorten_output;

use crate::recorded::load_runs;

fn repeat_to(text: &str, bytes: usize) -> String {
    text.repeat(bytes / text.len().max(1) + 1)
}

fn measure(arguments: &[String], output: &str) -> Duration {
    let start = Instant::now();
    std::hint::black_box(shorten_output(arguments, output, Some(101)));
    start.elapsed()
}

#[test]
fn large_output_is_read_in_time() {
    let runs = load_runs();
    let hostile = [
        ("failures without end", "running 1 test\nfailures:\n\n---- a stdout ----\n".to_owned()),
        ("lists in lists", "running 1 test\nfailures:\n    a\n\ntest result: FAILED. 0 passed; 1 failed\n".to_owned()),
        ("lists that do not fit", "failures:\n    a\n\ntest result: FAILED. 0 passed; 1 failed\nrunning 1 test\ntest b ... FAILED\nfailures:\n\n".to_owned()),
        ("blank lines", "error: x\n\n\n\n\n\n\n\n\n".to_owned()),
        ("causes", "error: x\n\nCaused by:\n".to_owned()),
        ("open backtraces", "stack backtrace:\n   0: std::a\n".to_owned()),
        ("escapes", "\u{1b}[".to_owned()),
        ("links", "\u{1b}]8;;".to_owned()),
        ("one line", "x".to_owned()),
    ];
    let recorded = ["test-failing", "test-healthy", "many-clippy", "nextest-failing", "test-failing-backtrace"]
        .map(|name| (name, runs.iter().find(|run| run.name == name).unwrap().output.clone()));
    for (name, text) in recorded.into_iter().chain(hostile) {
        let is_nextest = name.starts_with("nextest");
        let arguments = if is_nextest { vec!["nextest".to_owned(), "run".to_owned()] } else { vec!["test".to_owned()] };
        let took = measure(&arguments, &repeat_to(&text, 1 << 20));
        println!("{name:24} 1 MiB {took:>12?}");
        // Work that grew with the square of the size would take minutes.
        assert!(took < Duration::from_secs(20), "{name}: {took:?}");
    }
}
