//! Portable implementation for systems other than Unix, with threads for the pipes. On Windows all processes that the
//! program started end with it, also when the hook process is ended; elsewhere only the program ends.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::{ChildEnd, ChildJob, ChildResult, STDERR_LIMIT, STDOUT_LIMIT, command, not_started};

const STEP: Duration = Duration::from_millis(1);
const REST: Duration = Duration::from_millis(50);

pub(super) fn run(job: &ChildJob<'_>) -> ChildResult {
    let start = Instant::now();
    let mut command = match command(job) {
        Ok(command) => command,
        Err(error) => return ChildResult::without_output(ChildEnd::NotStarted(error), start),
    };
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut started = match StartedChild::from(&mut command) {
        Ok(started) => started,
        Err(error) => return ChildResult::without_output(not_started(job, &error), start),
    };
    let child = &mut started.child;
    if let Some(mut stdin) = child.stdin.take() {
        let input = job.input.to_vec();
        std::thread::spawn(move || drop(stdin.write_all(&input)));
    }
    let stdout = child.stdout.take().map(|pipe| drain(pipe, STDOUT_LIMIT));
    let stderr = child.stderr.take().map(|pipe| drain(pipe, STDERR_LIMIT));
    let ended = loop {
        match started.child.try_wait() {
            Ok(Some(status)) => break status.code().map_or(ChildEnd::Signalled(0), ChildEnd::Exited),
            Ok(None) if Instant::now() < job.deadline => std::thread::sleep(STEP),
            Ok(None) | Err(_) => {
                started.end();
                break ChildEnd::DeadlineKilled;
            }
        }
    };
    let (stdout, stdout_cut) = arrived(stdout.as_ref(), STDOUT_LIMIT);
    let (stderr, _) = arrived(stderr.as_ref(), STDERR_LIMIT);
    ChildResult { ended, stdout, stderr, stdout_cut, took: start.elapsed() }
}

struct StartedChild {
    child: Child,
    /// Dropping it ends all processes in it.
    #[cfg(windows)]
    tree: Option<symposium_process_tree::ProcessTree>,
}

impl StartedChild {
    #[cfg(windows)]
    fn from(command: &mut Command) -> io::Result<Self> {
        symposium_process_tree::spawn(command).map(|(child, tree)| Self { child, tree })
    }

    #[cfg(not(windows))]
    fn from(command: &mut Command) -> io::Result<Self> {
        command.spawn().map(|child| Self { child })
    }

    fn end(&mut self) {
        #[cfg(windows)]
        let _ = self.tree.as_ref().map(symposium_process_tree::ProcessTree::end);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads to the end and sends the bytes, until one piece more than `limit` was sent.
fn drain(mut pipe: impl Read + Send + 'static, limit: usize) -> Receiver<Vec<u8>> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let mut bytes = vec![0; 16 << 10];
        let mut sent = 0;
        while let Ok(read @ 1..) = pipe.read(&mut bytes) {
            if sent <= limit {
                sent += read;
                let _ = send.send(bytes.get(..read).unwrap_or_default().to_vec());
            }
        }
    });
    receive
}

fn arrived(receive: Option<&Receiver<Vec<u8>>>, limit: usize) -> (Vec<u8>, bool) {
    let until = Instant::now() + REST;
    let mut kept = Vec::new();
    while let Some(receive) = receive
        && let Ok(bytes) = receive.recv_timeout(until.saturating_duration_since(Instant::now()))
    {
        kept.extend(bytes);
    }
    let cut = kept.len() > limit;
    kept.truncate(limit);
    (kept, cut)
}
