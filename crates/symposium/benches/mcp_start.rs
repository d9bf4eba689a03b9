//! How long a client waits for the answer to `initialize`. Budget: 10 times a process that does nothing.
//!
//! Both are started in turn, so that a busy machine slows both down; the least of many runs says most.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark starts programs and prints what it measured"
)]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 300;
/// With this word the benchmark is the process that does nothing.
const NOTHING: &str = "do-nothing";
const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#;

fn main() {
    if std::env::args_os().nth(1).is_some_and(|word| word == NOTHING) {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let (mut nothing, mut server) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        nothing.push(start_and_end());
        server.push(until_answered(home.path()));
    }
    let (nothing, server) = (figures(nothing), figures(server));
    println!("a process that does nothing: least {:.2?}, median {:.2?}", nothing.0, nothing.1);
    println!("`symposium mcp` to its first answer: least {:.2?}, median {:.2?}", server.0, server.1);
    let ratio = |one: Duration, other: Duration| one.as_secs_f64() / other.as_secs_f64();
    println!("{:.1} times by the least, {:.1} by the median", ratio(server.0, nothing.0), ratio(server.1, nothing.1));
}

fn start_and_end() -> Duration {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg(NOTHING).stdin(Stdio::null()).stdout(Stdio::null());
    let begun = Instant::now();
    assert!(command.status().unwrap().success());
    begun.elapsed()
}

fn until_answered(home: &Path) -> Duration {
    let mut command = Command::new(env!("CARGO_BIN_EXE_symposium"));
    command.arg("mcp").env("SYMPOSIUM_HOME", home).stdin(Stdio::piped()).stdout(Stdio::piped());
    let begun = Instant::now();
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{HELLO}").unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let took = begun.elapsed();
    assert!(line.contains("protocolVersion"), "{line}");
    drop(input);
    assert!(child.wait().unwrap().success());
    took
}

/// The least and the median.
fn figures(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    (times.first().copied().unwrap_or_default(), median)
}
