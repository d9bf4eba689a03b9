//! Runs another program within bounds: of time, of output, and of whatever else its starter watches.

use std::io::{self, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::group::Group;

/// Complaints beyond this are read and dropped.
const MAX_STDERR: usize = 64 * 1024;

/// How long output may take to arrive after its program has ended.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// How a program ended.
#[derive(Debug)]
pub(crate) enum Ended {
    /// By itself.
    Itself {
        /// How.
        status: ExitStatus,
        /// What it printed.
        stdout: Vec<u8>,
        /// What it complained about.
        stderr: String,
    },
    /// We ended it, with everything it started: time was up.
    TooSlow,
    /// We ended it: it printed more than allowed.
    TooMuch,
    /// We ended it: the watch said so.
    Stopped,
}

/// What a program may take.
pub(crate) struct Bounds<'b> {
    /// Until when it may run.
    pub(crate) deadline: Instant,
    /// How much it may print.
    pub(crate) output: usize,
    /// Looked at now and then; `false` ends the program.
    pub(crate) watch: &'b dyn Fn() -> bool,
}

/// Runs a program with this input. It gets a group of its own, which is ended as a whole.
pub(crate) fn run(command: &mut Command, input: Vec<u8>, bounds: &Bounds<'_>) -> io::Result<Ended> {
    let stdin = if input.is_empty() { Stdio::null() } else { Stdio::piped() };
    let mut group = Group::start(command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    let child = &mut group.child;
    if let Some(mut pipe) = child.stdin.take() {
        // It may end without reading; that is for its status to say.
        std::thread::spawn(move || {
            let _ = pipe.write_all(&input);
        });
    }
    let stdout = read_in_background(child.stdout.take(), bounds.output, Beyond::Tell);
    let stderr = read_in_background(child.stderr.take(), MAX_STDERR, Beyond::Drop);
    let mut printed = None;
    let mut looks = 0_u32;
    let status = loop {
        if let Some(status) = group.child.try_wait()? {
            break status;
        }
        let end = if Instant::now() >= bounds.deadline {
            Some(Ended::TooSlow)
        } else if matches!(printed, Some(Piped::Beyond)) {
            Some(Ended::TooMuch)
        } else if looks.is_multiple_of(20) && !(bounds.watch)() {
            Some(Ended::Stopped)
        } else {
            None
        };
        if let Some(end) = end {
            group.end()?;
            return Ok(end);
        }
        looks += 1;
        match stdout.recv_timeout(Duration::from_millis(5)) {
            Ok(read) => printed = Some(read),
            Err(_) if printed.is_some() => std::thread::sleep(Duration::from_millis(2)),
            Err(_) => {}
        }
    };
    let printed = match printed {
        Some(read) => Some(read),
        None => stdout.recv_timeout(LAST_WORDS).ok(),
    };
    let stdout = match printed {
        Some(Piped::Whole(bytes)) => bytes,
        Some(Piped::Beyond) => return Ok(Ended::TooMuch),
        // Something it left behind holds the pipe.
        None => return Ok(Ended::TooSlow),
    };
    let stderr = match stderr.recv_timeout(LAST_WORDS) {
        Ok(Piped::Whole(bytes)) => String::from_utf8_lossy(&bytes).into_owned(),
        Ok(Piped::Beyond) | Err(_) => String::new(),
    };
    Ok(Ended::Itself { status, stdout, stderr })
}

/// What came through a pipe.
enum Piped {
    Whole(Vec<u8>),
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

fn read_in_background(pipe: Option<impl Read + Send + 'static>, limit: usize, beyond: Beyond) -> Receiver<Piped> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let Some(mut pipe) = pipe else { return };
        let _ = (&mut pipe).take(limit as u64 + 1).read_to_end(&mut bytes);
        let is_beyond = bytes.len() > limit;
        if is_beyond && beyond == Beyond::Drop {
            bytes.truncate(limit);
            let _ = io::copy(&mut pipe, &mut io::sink());
        }
        let read = if is_beyond && beyond == Beyond::Tell { Piped::Beyond } else { Piped::Whole(bytes) };
        // Nobody waits any more when the program was ended.
        let _ = sender.send(read);
    });
    receiver
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, input: &[u8], time: Duration, output: usize) -> Ended {
        let deadline = Instant::now() + time;
        let mut command = Command::new("sh");
        let bounds = Bounds { deadline, output, watch: &|| true };
        run(command.args(["-c", script]), input.to_vec(), &bounds).unwrap()
    }

    #[test]
    fn output_and_status_of_what_ends_by_itself() {
        let Ended::Itself { status, stdout, stderr } =
            sh("cat; echo no >&2; exit 3", b"text", Duration::from_secs(20), 100)
        else {
            panic!("it ends by itself")
        };
        assert_eq!((status.code(), stdout.as_slice(), stderr.as_str()), (Some(3), &b"text"[..], "no\n"));
    }

    #[test]
    fn more_input_and_output_than_a_pipe_holds() {
        let input = vec![b'x'; 3 << 20];
        let Ended::Itself { stdout, .. } = sh("cat", &input, Duration::from_secs(20), 4 << 20) else {
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
        let bounds = Bounds { deadline: Instant::now() + Duration::from_secs(20), output: 10, watch: &|| false };
        let ended = run(Command::new("sleep").arg("60"), Vec::new(), &bounds).unwrap();
        assert!(matches!(ended, Ended::Stopped));
    }
}
