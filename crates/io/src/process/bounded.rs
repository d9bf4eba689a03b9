//! Execution of another program with limits on time, output, and any other condition that the caller watches.

use std::io::{self, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::group::ProcessGroup;

/// Bytes. Further error output is read and dropped.
const MAX_STDERR: usize = 1024 * 1024;

const LAST_WORDS: Duration = Duration::from_secs(2);

const LOOK: Duration = Duration::from_millis(1);

const WATCH: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(crate) enum ProgramEnd {
    Itself(ProgramOutput),
    /// It exited, but a process it left behind may still add to its output.
    Held(ProgramOutput),
    TooSlow,
    TooMuch,
    Stopped,
}

#[derive(Debug)]
pub(crate) struct ProgramOutput {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    pub(crate) took: Duration,
}

pub(crate) struct ProgramLimits<'b> {
    pub(crate) deadline: Instant,
    /// Maximum length of stdout in bytes.
    pub(crate) output: usize,
    /// Called regularly with the number of bytes printed so far to both streams; `false` kills the program.
    pub(crate) watch: &'b dyn Fn(u64) -> bool,
}

/// Runs a program in a process group of its own, which is killed as a whole.
pub(crate) fn run(command: &mut Command, input: Vec<u8>, bounds: &ProgramLimits<'_>) -> io::Result<ProgramEnd> {
    let stdin = if input.is_empty() { Stdio::null() } else { Stdio::piped() };
    let start = Instant::now();
    let mut group = ProcessGroup::start(command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    if let Some(mut pipe) = group.child.stdin.take() {
        // The program may exit without reading its input; its status shows if that matters.
        std::thread::spawn(move || {
            let _ = pipe.write_all(&input);
        });
    }
    let mut stdout = PipeReader::read(group.child.stdout.take(), bounds.output, ExcessPolicy::Tell);
    let mut stderr = PipeReader::read(group.child.stderr.take(), MAX_STDERR, ExcessPolicy::Drop);
    let mut watched = None;
    let status = loop {
        if let Some(status) = group.child.try_wait()? {
            break status;
        }
        if let Some(end) = excess(bounds, &stdout, &stderr, &mut watched) {
            group.end()?;
            return Ok(end);
        }
        match stdout.state {
            PipeState::Open => stdout.wait(LOOK),
            PipeState::Closed | PipeState::Beyond => std::thread::sleep(LOOK),
        }
    };
    let took = start.elapsed();
    stdout.wait(LAST_WORDS);
    // A process that holds one stream open holds the other one too.
    stderr.wait(if stdout.state == PipeState::Open { Duration::ZERO } else { LAST_WORDS });
    if stdout.state == PipeState::Beyond {
        return Ok(ProgramEnd::TooMuch);
    }
    let ended = if stdout.state == PipeState::Open { ProgramEnd::Held } else { ProgramEnd::Itself };
    let complaint = String::from_utf8_lossy(&stderr.taken()).into_owned();
    Ok(ended(ProgramOutput { status, stdout: stdout.taken(), stderr: complaint, took }))
}

/// Returns the reason to kill the running program, if any. `watched` is the time of the last call of the watch
/// function.
fn excess(
    bounds: &ProgramLimits<'_>,
    stdout: &PipeReader,
    stderr: &PipeReader,
    watched: &mut Option<Instant>,
) -> Option<ProgramEnd> {
    let now = Instant::now();
    if now >= bounds.deadline {
        return Some(ProgramEnd::TooSlow);
    }
    if stdout.state == PipeState::Beyond {
        return Some(ProgramEnd::TooMuch);
    }
    if watched.is_none_or(|last| now.duration_since(last) >= WATCH) {
        *watched = Some(now);
        return (!(bounds.watch)(stdout.length() + stderr.length())).then_some(ProgramEnd::Stopped);
    }
    None
}

struct PipeReader {
    bytes: Arc<Mutex<Vec<u8>>>,
    end: Receiver<PipeState>,
    state: PipeState,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PipeState {
    Open,
    Closed,
    Beyond,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ExcessPolicy {
    /// Reading ends with [`PipeState::Beyond`].
    Tell,
    /// They are read, so that the program can continue, and discarded.
    Drop,
}

impl PipeReader {
    fn read(pipe: Option<impl Read + Send + 'static>, limit: usize, beyond: ExcessPolicy) -> Self {
        let (sender, end) = channel();
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&bytes);
        std::thread::spawn(move || {
            let state = pipe.map_or(PipeState::Closed, |pipe| collect(pipe, &shared, limit, beyond));
            // If the program was killed, the receiver is gone.
            let _ = sender.send(state);
        });
        Self { bytes, end, state: PipeState::Open }
    }

    fn wait(&mut self, most: Duration) {
        if self.state == PipeState::Open {
            match self.end.recv_timeout(most) {
                Ok(state) => self.state = state,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.state = PipeState::Closed,
            }
        }
    }

    fn length(&self) -> u64 {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner).len() as u64
    }

    fn taken(&self) -> Vec<u8> {
        std::mem::take(&mut self.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn collect(mut pipe: impl Read, bytes: &Mutex<Vec<u8>>, limit: usize, beyond: ExcessPolicy) -> PipeState {
    let mut chunk = vec![0; 64 * 1024];
    loop {
        let read = match pipe.read(&mut chunk) {
            Ok(0) => return PipeState::Closed,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return PipeState::Closed,
        };
        let mut bytes = bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let room = limit - bytes.len();
        bytes.extend_from_slice(chunk.get(..read.min(room)).unwrap_or_default());
        if read > room && beyond == ExcessPolicy::Tell {
            return PipeState::Beyond;
        }
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, input: &[u8], time: Duration, output: usize) -> ProgramEnd {
        let deadline = Instant::now() + time;
        let mut command = Command::new("sh");
        let bounds = ProgramLimits { deadline, output, watch: &|_| true };
        run(command.args(["-c", script]), input.to_vec(), &bounds).unwrap()
    }

    #[test]
    fn output_and_status_of_what_ends_by_itself() {
        let ProgramEnd::Itself(ProgramOutput { status, stdout, stderr, .. }) =
            sh("cat; echo no >&2; exit 3", b"text", Duration::from_secs(20), 100)
        else {
            panic!("it ends by itself")
        };
        assert_eq!((status.code(), stdout.as_slice(), stderr.as_str()), (Some(3), &b"text"[..], "no\n"));
    }

    #[test]
    fn more_input_and_output_than_a_pipe_holds() {
        let input = vec![b'x'; 3 << 20];
        let ProgramEnd::Itself(ProgramOutput { stdout, .. }) = sh("cat", &input, Duration::from_secs(20), 4 << 20)
        else {
            panic!("it ends by itself")
        };
        assert!(stdout == input);
    }

    #[test]
    fn what_takes_too_long_ends_with_all_it_started() {
        let directory = tempfile::tempdir().unwrap();
        let alive = directory.path().join("alive");
        let script = format!("(while :; do date > {}; sleep 0.05; done) & sleep 60", alive.display());
        let start = Instant::now();
        assert!(matches!(sh(&script, b"", Duration::from_millis(400), 100), ProgramEnd::TooSlow));
        assert!(start.elapsed() < Duration::from_secs(5));
        std::thread::sleep(Duration::from_millis(200));
        std::fs::remove_file(&alive).unwrap();
        std::thread::sleep(Duration::from_millis(300));
        assert!(!alive.exists(), "the child of the child is gone too");
    }

    #[test]
    fn endless_output_is_cut_off() {
        assert!(matches!(sh("yes", b"", Duration::from_secs(20), 1000), ProgramEnd::TooMuch));
        assert!(matches!(sh("yes >&2", b"", Duration::from_millis(300), 1000), ProgramEnd::TooSlow));
    }

    #[test]
    fn the_watch_can_end_it() {
        let bounds =
            ProgramLimits { deadline: Instant::now() + Duration::from_secs(20), output: 10, watch: &|_| false };
        let ended = run(Command::new("sleep").arg("60"), Vec::new(), &bounds).unwrap();
        assert!(matches!(ended, ProgramEnd::Stopped));
    }
}
