//! Runs another program within bounds: of time, of output, and of whatever else its starter watches.

use std::io::{self, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::group::Group;

/// Complaints beyond this are read and dropped.
const MAX_STDERR: usize = 1024 * 1024;

/// How long output may take to arrive after its program has ended.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// How often a program is looked at while it says nothing.
const LOOK: Duration = Duration::from_millis(1);

/// How often its watch is asked.
const WATCH: Duration = Duration::from_millis(100);

/// How a program ended.
#[derive(Debug)]
pub(crate) enum Ended {
    /// By itself.
    Itself(Output),
    /// By itself, but something it left behind may still add to what it printed.
    Held(Output),
    /// We ended it, with everything it started: time was up.
    TooSlow,
    /// We ended it: it printed more than allowed.
    TooMuch,
    /// We ended it: the watch said so.
    Stopped,
}

/// What a program did.
#[derive(Debug)]
pub(crate) struct Output {
    /// How it ended.
    pub(crate) status: ExitStatus,
    /// What it printed.
    pub(crate) stdout: Vec<u8>,
    /// What it complained about.
    pub(crate) stderr: String,
    /// How long it took.
    pub(crate) took: Duration,
}

/// What a program may take.
pub(crate) struct Bounds<'b> {
    /// Until when it may run.
    pub(crate) deadline: Instant,
    /// How much it may print.
    pub(crate) output: usize,
    /// Asked now and then, with how many bytes the program has printed or complained; `false` ends the program.
    pub(crate) watch: &'b dyn Fn(u64) -> bool,
}

/// Runs a program with this input. It gets a group of its own, which is ended as a whole.
pub(crate) fn run(command: &mut Command, input: Vec<u8>, bounds: &Bounds<'_>) -> io::Result<Ended> {
    let stdin = if input.is_empty() { Stdio::null() } else { Stdio::piped() };
    let start = Instant::now();
    let mut group = Group::start(command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    if let Some(mut pipe) = group.child.stdin.take() {
        // It may end without reading; that is for its status to say.
        std::thread::spawn(move || {
            let _ = pipe.write_all(&input);
        });
    }
    let mut stdout = Piped::read(group.child.stdout.take(), bounds.output, Beyond::Tell);
    let mut stderr = Piped::read(group.child.stderr.take(), MAX_STDERR, Beyond::Drop);
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
            State::Open => stdout.wait(LOOK),
            State::Closed | State::Beyond => std::thread::sleep(LOOK),
        }
    };
    let took = start.elapsed();
    stdout.wait(LAST_WORDS);
    // Whatever holds one holds the other.
    stderr.wait(if stdout.state == State::Open { Duration::ZERO } else { LAST_WORDS });
    if stdout.state == State::Beyond {
        return Ok(Ended::TooMuch);
    }
    let ended = if stdout.state == State::Open { Ended::Held } else { Ended::Itself };
    let complaint = String::from_utf8_lossy(&stderr.taken()).into_owned();
    Ok(ended(Output { status, stdout: stdout.taken(), stderr: complaint, took }))
}

/// Why a program that runs has to be ended, if it has. `watched` is when its watch was asked last.
fn excess(bounds: &Bounds<'_>, stdout: &Piped, stderr: &Piped, watched: &mut Option<Instant>) -> Option<Ended> {
    let now = Instant::now();
    if now >= bounds.deadline {
        return Some(Ended::TooSlow);
    }
    if stdout.state == State::Beyond {
        return Some(Ended::TooMuch);
    }
    if watched.is_none_or(|last| now.duration_since(last) >= WATCH) {
        *watched = Some(now);
        return (!(bounds.watch)(stdout.length() + stderr.length())).then_some(Ended::Stopped);
    }
    None
}

/// What comes through a pipe, read in the background.
struct Piped {
    bytes: Arc<Mutex<Vec<u8>>>,
    end: Receiver<State>,
    state: State,
}

/// What is known of a pipe.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Somebody may still write to it.
    Open,
    /// Everything was read.
    Closed,
    /// There was more than allowed.
    Beyond,
}

/// What happens with bytes beyond the limit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beyond {
    /// Reading ends, and says so.
    Tell,
    /// They are read, so that the program can go on, and dropped.
    Drop,
}

impl Piped {
    fn read(pipe: Option<impl Read + Send + 'static>, limit: usize, beyond: Beyond) -> Self {
        let (sender, end) = channel();
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&bytes);
        std::thread::spawn(move || {
            let state = pipe.map_or(State::Closed, |pipe| collect(pipe, &shared, limit, beyond));
            // Nobody waits any more when the program was ended.
            let _ = sender.send(state);
        });
        Self { bytes, end, state: State::Open }
    }

    /// Waits until everything is there, but not for long.
    fn wait(&mut self, most: Duration) {
        if self.state == State::Open {
            match self.end.recv_timeout(most) {
                Ok(state) => self.state = state,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.state = State::Closed,
            }
        }
    }

    fn length(&self) -> u64 {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner).len() as u64
    }

    /// What came so far.
    fn taken(&self) -> Vec<u8> {
        std::mem::take(&mut self.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Reads to the end, or to the limit.
fn collect(mut pipe: impl Read, bytes: &Mutex<Vec<u8>>, limit: usize, beyond: Beyond) -> State {
    let mut chunk = vec![0; 64 * 1024];
    loop {
        let read = match pipe.read(&mut chunk) {
            Ok(0) => return State::Closed,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return State::Closed,
        };
        let mut bytes = bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let room = limit - bytes.len();
        bytes.extend_from_slice(chunk.get(..read.min(room)).unwrap_or_default());
        if read > room && beyond == Beyond::Tell {
            return State::Beyond;
        }
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, input: &[u8], time: Duration, output: usize) -> Ended {
        let deadline = Instant::now() + time;
        let mut command = Command::new("sh");
        let bounds = Bounds { deadline, output, watch: &|_| true };
        run(command.args(["-c", script]), input.to_vec(), &bounds).unwrap()
    }

    #[test]
    fn output_and_status_of_what_ends_by_itself() {
        let Ended::Itself(Output { status, stdout, stderr, .. }) =
            sh("cat; echo no >&2; exit 3", b"text", Duration::from_secs(20), 100)
        else {
            panic!("it ends by itself")
        };
        assert_eq!((status.code(), stdout.as_slice(), stderr.as_str()), (Some(3), &b"text"[..], "no\n"));
    }

    #[test]
    fn more_input_and_output_than_a_pipe_holds() {
        let input = vec![b'x'; 3 << 20];
        let Ended::Itself(Output { stdout, .. }) = sh("cat", &input, Duration::from_secs(20), 4 << 20) else {
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
        assert!(matches!(sh(&script, b"", Duration::from_millis(400), 100), Ended::TooSlow));
        assert!(start.elapsed() < Duration::from_secs(5));
        std::thread::sleep(Duration::from_millis(200));
        std::fs::remove_file(&alive).unwrap();
        std::thread::sleep(Duration::from_millis(300));
        assert!(!alive.exists(), "the child of the child is gone too");
    }

    #[test]
    fn endless_output_is_cut_off() {
        assert!(matches!(sh("yes", b"", Duration::from_secs(20), 1000), Ended::TooMuch));
        assert!(matches!(sh("yes >&2", b"", Duration::from_millis(300), 1000), Ended::TooSlow));
    }

    #[test]
    fn the_watch_can_end_it() {
        let bounds = Bounds { deadline: Instant::now() + Duration::from_secs(20), output: 10, watch: &|_| false };
        let ended = run(Command::new("sleep").arg("60"), Vec::new(), &bounds).unwrap();
        assert!(matches!(ended, Ended::Stopped));
    }
}
