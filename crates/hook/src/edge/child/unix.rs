//! Unix implementation: one thread and one `poll` that transfers data and waits for the exit, the deadline or a
//! termination signal.

use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rustix::io::retry_on_intr;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::descendants::{self, StrayProcesses};
use super::parent_watch::{MARK, ParentWatch, WATCHED_AFTER};
use super::signals::SignalGuard;
use super::streams::ChildStreams;
use super::{ChildEnd, ChildJob, ChildResult, command, not_started};
use crate::edge::clock;

/// Signals and orphans belong to the process, not to a thread.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

pub(super) fn run(job: &ChildJob<'_>) -> ChildResult {
    let asked = Instant::now();
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let start = Instant::now();
    // Only tests run in parallel; the time they wait for each other is not charged to the program.
    let deadline = job.deadline + start.duration_since(asked);
    if start >= deadline {
        return ChildResult::without_output(ChildEnd::DeadlineKilled, start);
    }
    let mut command = match command(job) {
        Ok(command) => command,
        Err(error) => return ChildResult::without_output(ChildEnd::NotStarted(error), start),
    };
    let signals = match SignalGuard::hear() {
        Ok(signals) => signals,
        Err(error) => return ChildResult::without_output(ChildEnd::NotStarted(error), start),
    };
    let strays = StrayProcesses::claim();
    let stdin = if job.input.is_empty() { Stdio::null() } else { Stdio::piped() };
    let mark = format!("{}-{}", std::process::id(), clock::now());
    command.env(MARK, &mark);
    let spawned = command.process_group(0).stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => return ChildResult::without_output(not_started(job, &error), start),
    };
    let program = Pid::from_child(&child);
    let mut streams = ChildStreams::take_from(&mut child, job.input);
    let mut watch = None;
    let ended = wait(program, &mut streams, || watch = ParentWatch::over(program, &mark), &signals, deadline);
    let (stdout, stdout_cut, stderr) = streams.finish();
    descendants::end(program, watch, &strays, &signals);
    ChildResult { ended, stdout, stderr, stdout_cut, took: start.elapsed() }
}

fn wait(
    program: Pid,
    streams: &mut ChildStreams<'_>,
    mut watch: impl FnMut(),
    signals: &SignalGuard,
    deadline: Instant,
) -> ChildEnd {
    let mut watch_from = Some(Instant::now() + WATCHED_AFTER);
    loop {
        let now = Instant::now();
        let next = watch_from.map_or(deadline, |from| from.min(deadline));
        let woken = streams.serve(signals, next.saturating_duration_since(now));
        if woken {
            signals.clear();
            if SignalGuard::ending().is_some() {
                // This process ends as well, after all processes of the program are gone.
                return ChildEnd::DeadlineKilled;
            }
        }
        let now = Instant::now();
        if (woken || now >= deadline)
            && let Some(ended) = ended(program)
        {
            return ended;
        }
        if now >= deadline {
            return ChildEnd::DeadlineKilled;
        }
        if watch_from.is_some_and(|from| now >= from) {
            watch_from = None;
            watch();
        }
    }
}

/// Returns how the program ended, if it has. It stays unreaped.
fn ended(program: Pid) -> Option<ChildEnd> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    match retry_on_intr(|| waitid(WaitId::Pid(program), options)) {
        Ok(status) => {
            let status = status?;
            let signalled = || status.terminating_signal().map(ChildEnd::Signalled);
            status.exit_status().map(ChildEnd::Exited).or_else(signalled)
        }
        // Another part of the process has reaped it, so its exit status is lost.
        Err(_) => Some(ChildEnd::DeadlineKilled),
    }
}
