//! Non-blocking transfer of a program's input and output, in whichever order the program reads and writes.

use std::os::fd::OwnedFd;
use std::process::Child;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, retry_on_intr};

use super::signals::SignalGuard;
use super::{STDERR_LIMIT, STDOUT_LIMIT};

/// The maximum number of bytes read after the exit: more than a pipe holds, but not unlimited.
const REST_LIMIT: usize = 2 << 20;

pub(super) struct ChildStreams<'a> {
    stdin: Option<OwnedFd>,
    input: &'a [u8],
    stdout: CapturedOutput,
    stderr: CapturedOutput,
}

impl<'a> ChildStreams<'a> {
    pub(super) fn take_from(child: &mut Child, input: &'a [u8]) -> Self {
        let mut streams = Self {
            stdin: ours(child.stdin.take()),
            input,
            stdout: CapturedOutput::new(ours(child.stdout.take()), STDOUT_LIMIT),
            stderr: CapturedOutput::new(ours(child.stderr.take()), STDERR_LIMIT),
        };
        streams.feed();
        streams
    }

    /// Waits for a pipe or a signal and serves the pipes. Returns true if a signal arrived.
    pub(super) fn serve(&mut self, signals: &SignalGuard, at_most: Duration) -> bool {
        let mut fds = Vec::with_capacity(4);
        fds.push(signals.woken());
        let wanted =
            [(&self.stdin, PollFlags::OUT), (&self.stdout.from, PollFlags::IN), (&self.stderr.from, PollFlags::IN)];
        fds.extend(wanted.into_iter().filter_map(|(fd, flags)| fd.as_ref().map(|fd| PollFd::new(fd, flags))));
        let polled = poll(&mut fds, Timespec::try_from(at_most).ok().as_ref());
        if polled == Ok(0) {
            return false;
        }
        if !matches!(polled, Ok(_) | Err(Errno::INTR)) {
            // The system is out of resources. The calls below fail the same way if there is nothing to do.
            std::thread::sleep(Duration::from_millis(1));
        }
        let mut ready = fds.iter().map(|fd| polled.is_err() || !fd.revents().is_empty());
        let mut next_is_ready = |exists: bool| exists && ready.next().unwrap_or(true);
        let woken = next_is_ready(true);
        let stdin = next_is_ready(self.stdin.is_some());
        let stdout = next_is_ready(self.stdout.from.is_some());
        let stderr = next_is_ready(self.stderr.from.is_some());
        if stdin {
            self.feed();
        }
        if stdout {
            self.stdout.read_chunk();
        }
        if stderr {
            self.stderr.read_chunk();
        }
        woken
    }

    /// Closes the pipes and returns the output: stdout, a flag that says whether stdout was cut, and stderr.
    pub(super) fn finish(mut self) -> (Vec<u8>, bool, Vec<u8>) {
        drop(self.stdin.take());
        self.stdout.read_rest();
        self.stderr.read_rest();
        (self.stdout.kept, self.stdout.cut, self.stderr.kept)
    }

    /// Writes what the pipe accepts. A program that does not read its input is no error.
    fn feed(&mut self) {
        while let Some(stdin) = &self.stdin
            && !self.input.is_empty()
        {
            match rustix::io::write(stdin, self.input) {
                Ok(written) => self.input = self.input.get(written..).unwrap_or_default(),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => break,
            }
        }
        self.stdin = None;
    }
}

struct CapturedOutput {
    from: Option<OwnedFd>,
    kept: Vec<u8>,
    limit: usize,
    cut: bool,
}

impl CapturedOutput {
    fn new(from: Option<OwnedFd>, limit: usize) -> Self {
        Self { from, kept: Vec::new(), limit, cut: false }
    }

    fn read_chunk(&mut self) -> usize {
        let Some(from) = &self.from else { return 0 };
        let mut bytes = [0; 16 << 10];
        match retry_on_intr(|| rustix::io::read(from, &mut bytes)) {
            Ok(0) => self.from = None,
            Ok(read) => {
                let fits = read.min(self.limit.saturating_sub(self.kept.len()));
                self.kept.extend_from_slice(bytes.get(..fits).unwrap_or_default());
                self.cut |= fits < read;
                return read;
            }
            Err(Errno::AGAIN) => {}
            Err(_) => self.from = None,
        }
        0
    }

    fn read_rest(&mut self) {
        let mut read = 0;
        while read < REST_LIMIT {
            match self.read_chunk() {
                0 => break,
                more => read += more,
            }
        }
    }
}

fn ours<P: Into<OwnedFd>>(pipe: Option<P>) -> Option<OwnedFd> {
    let fd = pipe?.into();
    rustix::io::ioctl_fionbio(&fd, true).ok()?;
    Some(fd)
}
