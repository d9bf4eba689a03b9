//! Runs another program within bounds: of time, of output, and of whatever else its starter watches.

use std::io::{self, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::group::ProcessGroup;

/// Complaints beyond this are read and dropped.
const MAX_STDERR: usize = 1024 * 1024;

/// How long output may take to arrive after its program has ended.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// How often a program is looked at while it says nothing.
const LOOK: Duration = Duration::from_millis(1);

/// How often its watch is asked.
const WATCH: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(crate) enum ProgramEnd {
    Itself(ProgramOutput),
    /// By itself, but something it left behind may still add to what it printed.
    Held(ProgramOutput),
    /// We ended it, with everything it started: time was up.
    TooSlow,
    /// We ended it: it printed more than allowed.
    TooMuch,
    /// We ended it: the watch said so.
    Stopped,
}

#[derive(Debug)]
pub(crate) struct ProgramOutput {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    pub(crate) took: Duration,
}

/// What a program may take.
pub(crate) struct ProgramLimits<'b> {
    /// Until when it may run.
    pub(crate) deadline: Instant,
    /// How much it may print.
    pub(crate) output: usize,
    /// Asked now and then, with how many bytes the program has printed or complained; `false` ends the program.
    pub(crate) watch: &'b dyn Fn(u64) -> bool,
}

/// Runs a program with this input. It gets a group of its own, which is ended as a whole.
pub(crate) fn run(command: &mut Command, input: Vec<u8>, bounds: &ProgramLimits<'_>) -> io::Result<ProgramEnd> {
    let stdin = if input.is_empty() { Stdio::null() } else { Stdio::piped() };
    let start = Instant::now();
    let mut group = ProcessGroup::start(command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    if let Some(mut pipe) = group.child.stdin.take() {
        // It may end without reading; that is for its status to say.
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
    // Whatever holds one holds the other.
    stderr.wait(if stdout.state == PipeState::Open { Duration::ZERO } else { LAST_WORDS });
    if stdout.state == PipeState::Beyond {
        return Ok(ProgramEnd::TooMuch);
    }
    let ended = if stdout.state == PipeState::Open { ProgramEnd::Held } else { ProgramEnd::Itself };
    let complaint = String::from_utf8_lossy(&stderr.taken()).into_owned();
    Ok(ended(ProgramOutput { status, stdout: stdout.taken(), stderr: complaint, took }))
}

/// Why a program that runs has to be ended, if it has. `watched` is when its watch was asked last.
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

/// What comes through a pipe, read in the background.
struct PipeReader {
    bytes: Arc<Mutex<Vec<u8>>>,
    end: Receiver<PipeState>,
    state: PipeState,
}

/// What is known of a pipe.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PipeState {
    /// Somebody may still write to it.
    Open,
    Closed,
    /// There was more than allowed.
    Beyond,
}

/// What happens with bytes beyond the limit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExcessPolicy {
    /// Reading ends, and says so.
    Tell,
    /// They are read, so that the program can go on, and dropped.
    Drop,
}

impl PipeReader {
    fn read(pipe: Option<impl Read + Send + 'static>, limit: usize, beyond: ExcessPolicy) -> Self {
        let (sender, end) = channel();
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&bytes);
        std::thread::spawn(move || {
            let state = pipe.map_or(PipeState::Closed, |pipe| collect(pipe, &shared, limit, beyond));
            // Nobody waits any more when the program was ended.
            let _ = sender.send(state);
        });
        Self { bytes, end, state: PipeState::Open }
    }

    /// Waits until everything is there, but not for long.
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

/// Reads to the end, or to the limit.
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
