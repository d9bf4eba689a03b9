//! What happens to a user's files when things go wrong: faults are made for real, and counted.
//!
//! `SYMPOSIUM_TEST_KILLS=1000` makes this the long suite; every test then prints how many faults it injected and how many
//! were survived. A fault is survived when nothing panicked or hung, the user's files are whole, and nothing was written
//! anywhere but where we may write.

#![allow(clippy::print_stdout, reason = "the counts are for whoever runs the long suite")]

mod calls;
mod clock;
mod disk;
mod in_place;
mod kill;
mod looks;
mod swap;
mod together;
mod world;

pub(crate) use world::snapshot;

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::sync::Once;
use std::time::{Duration, Instant};

/// No run may take longer, however slow the machine. The background work that one of them is ends itself after a minute
/// and a half.
const LIMIT: Duration = Duration::from_mins(3);

/// How many faults of a kind: enough to notice a mistake on every run, or as many as asked for.
fn wanted(usually: usize) -> usize {
    asked().unwrap_or(usually)
}

fn asked() -> Option<usize> {
    std::env::var("SYMPOSIUM_TEST_KILLS").ok().and_then(|kills| kills.parse().ok())
}

/// Where random choices begin: at `SYMPOSIUM_TEST_SEED`; else the same place on every run, and in the long suite another.
fn seed() -> u64 {
    let told = std::env::var("SYMPOSIUM_TEST_SEED").ok().and_then(|seed| seed.parse().ok());
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let usual = if asked().is_some() { u64::from(now.subsec_nanos()) } else { 1 };
    let seed = told.unwrap_or(usual);
    println!("SYMPOSIUM_TEST_SEED={seed}");
    seed
}

/// Random numbers that come again with the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end.max(1)
    }
}

/// Says how many faults there were; they were survived, or the test would not have come here. One without faults shows
/// nothing.
#[track_caller]
fn report(kind: &str, injected: usize) {
    assert!(injected > 0, "{kind}: no fault was injected");
    println!("faults: {kind}: {injected} injected, {injected} survived");
}

/// Writes why a test failed at once, and past the capture of the test harness: its own report comes after all other
/// tests, and a long log may be cut.
fn tell_failures_early() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |found| {
            let text = found.to_string();
            // The reason begins the message; the whole files that may follow are in the report.
            let shown: String = text.chars().take(4_000).collect();
            let name = std::thread::current().name().unwrap_or_default().to_owned();
            let _ = writeln!(std::io::stderr(), "\nFAILED {name}: {shown}\n");
            usual(found);
        }));
    });
}

/// Waits for a program; one that hangs is ended, and a failure.
#[track_caller]
fn ends(mut child: Child, what: &str) -> ExitStatus {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            assert_ne!(status.code(), Some(101), "{what}: a panic");
            assert!(!matches!(status.signal(), Some(4 | 6 | 7 | 8 | 11)), "{what}: {status}");
            return status;
        }
        if started.elapsed() > LIMIT {
            let _ = child.kill();
            panic!("{what}: still running after {LIMIT:?}");
        }
        std::thread::sleep(Duration::from_micros(500));
    }
}

/// Whether `strace` is there and may be used: it makes the system calls of a program fail, one at a time. The long suite
/// is nothing without it.
#[track_caller]
pub(crate) fn can_trace() -> bool {
    let tried = std::process::Command::new("strace").args(["-o", "/dev/null", "true"]).status();
    let usable = tried.is_ok_and(|status| status.success());
    assert!(usable || asked().is_none(), "there is no strace that works here, and the long suite needs one");
    if !usable {
        println!("skipped: there is no strace that works here");
    }
    usable
}
