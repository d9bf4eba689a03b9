//! One thread, one `poll`: feeds, drains, and waits for the end, the deadline, or a signal that ends us.

use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rustix::io::retry_on_intr;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::remains::{self, Strays};
use super::signals::Signals;
use super::streams::Streams;
use super::watch::{MARK, WATCHED_AFTER, Watch};
use super::{Ended, Finished, Job, command, not_started};
use crate::edge::clock;

/// Signals and orphans belong to the process, not to a thread.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

pub(super) fn run(job: &Job<'_>) -> Finished {
    let asked = Instant::now();
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let start = Instant::now();
    // Only tests run in parallel; what they wait for each other is not the program's time.
    let deadline = job.deadline + start.duration_since(asked);
    if start >= deadline {
        return Finished::without_output(Ended::DeadlineKilled, start);
    }
    let mut command = match command(job) {
        Ok(command) => command,
        Err(error) => return Finished::without_output(Ended::NotStarted(error), start),
    };
    let signals = match Signals::hear() {
        Ok(signals) => signals,
        Err(error) => return Finished::without_output(Ended::NotStarted(error), start),
    };
    let strays = Strays::claim();
    let stdin = if job.input.is_empty() { Stdio::null() } else { Stdio::piped() };
    let mark = format!("{}-{}", std::process::id(), clock::now());
    command.env(MARK, &mark);
    let spawned = command.process_group(0).stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => return Finished::without_output(not_started(job, &error), start),
    };
    let program = Pid::from_child(&child);
    let mut streams = Streams::of(&mut child, job.input);
    let mut watch = None;
    let ended = wait(program, &mut streams, || watch = Watch::over(program, &mark), &signals, deadline);
    let (stdout, stdout_cut, stderr) = streams.finish();
    remains::end(program, watch, &strays, &signals);
    Finished { ended, stdout, stderr, stdout_cut, took: start.elapsed() }
}

fn wait(
    program: Pid,
    streams: &mut Streams<'_>,
    mut watch: impl FnMut(),
    signals: &Signals,
    deadline: Instant,
) -> Ended {
    let mut watch_from = Some(Instant::now() + WATCHED_AFTER);
    loop {
        let now = Instant::now();
        let next = watch_from.map_or(deadline, |from| from.min(deadline));
        let woken = streams.serve(signals, next.saturating_duration_since(now));
        if woken {
            signals.clear();
            if Signals::ending().is_some() {
                // We end as well, as soon as nothing of it is left.
                return Ended::DeadlineKilled;
            }
        }
        let now = Instant::now();
        if (woken || now >= deadline)
            && let Some(ended) = ended(program)
        {
            return ended;
        }
        if now >= deadline {
            return Ended::DeadlineKilled;
        }
        if watch_from.is_some_and(|from| now >= from) {
            watch_from = None;
            watch();
        }
    }
}

/// How the program ended, if it has. It stays to be reaped.
fn ended(program: Pid) -> Option<Ended> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    match retry_on_intr(|| waitid(WaitId::Pid(program), options)) {
        Ok(status) => {
            let status = status?;
            let signalled = || status.terminating_signal().map(Ended::Signalled);
            status.exit_status().map(Ended::Exited).or_else(signalled)
        }
        // Somebody else has reaped it, and how it ended is lost.
        Err(_) => Some(Ended::DeadlineKilled),
    }
}
