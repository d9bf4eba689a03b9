//! Reader of the event on standard input, with limits on size and waiting time.

use std::io::{self, Read};
use std::time::{Duration, Instant};

use serde::de::IgnoredAny;

const MAX_INPUT: usize = 16 * 1024 * 1024;
const LIMIT: Duration = Duration::from_secs(5);
/// Some agents never close the pipe: a complete event followed by silence of this length is taken for the whole input.
const QUIET: Duration = Duration::from_millis(200);

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RawEvent {
    Complete(Vec<u8>),
    /// Larger than [`MAX_INPUT`]; the input was read from the pipe and discarded.
    TooLarge,
    Unfinished,
}

/// Sizes of the read buffers. Most events fit into the small one, which is on the stack: allocating memory costs more
/// than reading.
const SMALL: usize = 8 * 1024;
const LARGE: usize = 64 * 1024;

pub(crate) fn read() -> RawEvent {
    read_from(UnbufferedStdin, wait_for_input)
}

/// Standard input without the buffer of the standard library, which is allocated before the first read.
struct UnbufferedStdin;

impl Read for UnbufferedStdin {
    #[cfg(unix)]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::read(rustix::stdio::stdin(), buffer)?)
    }

    #[cfg(not(unix))]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        io::stdin().lock().read(buffer)
    }
}

/// Reads to the end of `source`. `ready` waits at most the given time and returns true if there is something to read.
fn read_from(mut source: impl Read, ready: impl Fn(Duration) -> bool) -> RawEvent {
    let start = Instant::now();
    let mut event = Vec::new();
    let mut small = [0; SMALL];
    let mut large = Vec::new();
    let mut too_large = false;
    loop {
        let Some(left) = LIMIT.checked_sub(start.elapsed()).filter(|left| !left.is_zero()) else {
            return if too_large { RawEvent::TooLarge } else { finished(event) };
        };
        if !ready(left.min(QUIET)) {
            if !too_large && !event.is_empty() && is_complete(&event) {
                return RawEvent::Complete(event);
            }
            continue;
        }
        let chunk = if large.is_empty() { small.as_mut_slice() } else { large.as_mut_slice() };
        match source.read(chunk) {
            Ok(0) => return if too_large { RawEvent::TooLarge } else { RawEvent::Complete(event) },
            Ok(read) if event.len() + read > MAX_INPUT => {
                too_large = true;
                event = Vec::with_capacity(read);
            }
            Ok(_) if too_large => {}
            Ok(read) => {
                event.extend_from_slice(chunk.get(..read).unwrap_or_default());
                if read == SMALL {
                    large.resize(LARGE, 0);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return finished(event),
        }
    }
}

fn finished(event: Vec<u8>) -> RawEvent {
    if is_complete(&event) { RawEvent::Complete(event) } else { RawEvent::Unfinished }
}

fn is_complete(event: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(event).is_ok()
}

#[cfg(unix)]
fn wait_for_input(wait: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = rustix::stdio::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    let Ok(wait) = Timespec::try_from(wait) else { return true };
    match poll(&mut fds, Some(&wait)) {
        Ok(ready) => ready > 0,
        // A signal interrupted the wait; the caller asks again. Any other error is reported by `read`.
        Err(error) => error != rustix::io::Errno::INTR,
    }
}

#[cfg(not(unix))]
fn wait_for_input(_: Duration) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// Returns one piece at a time; an empty piece stands for a pause.
    struct Pieces(RefCell<Vec<Vec<u8>>>);

    impl Pieces {
        fn read_all(pieces: &[&[u8]], closes: bool) -> RawEvent {
            let given = Self(RefCell::new(pieces.iter().rev().map(|piece| piece.to_vec()).collect()));
            let ready = |_| !given.0.borrow().is_empty() || closes;
            read_from(&given, ready)
        }
    }

    impl Read for &Pieces {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some(mut piece) = self.0.borrow_mut().pop() else { return Ok(0) };
            let rest = piece.split_off(piece.len().min(buffer.len()));
            if !rest.is_empty() {
                self.0.borrow_mut().push(rest);
            }
            buffer[..piece.len()].copy_from_slice(&piece);
            Ok(piece.len())
        }
    }

    #[test]
    fn the_end_is_the_end_of_the_pipe_or_of_the_json() {
        assert_eq!(Pieces::read_all(&[b"{\"a\"", b":1}"], true), RawEvent::Complete(b"{\"a\":1}".to_vec()));
        assert_eq!(Pieces::read_all(&[b"{\"a\"", b":1}"], false), RawEvent::Complete(b"{\"a\":1}".to_vec()));
        assert_eq!(Pieces::read_all(&[], true), RawEvent::Complete(Vec::new()));
        assert_eq!(Pieces::read_all(&[b"{\"a\""], true), RawEvent::Complete(b"{\"a\"".to_vec()));
    }

    #[test]
    fn an_event_of_any_size_is_read_whole() {
        for size in [0, 1, SMALL - 1, SMALL, SMALL + 1, 3 * SMALL, LARGE, SMALL + 2 * LARGE + 1, MAX_INPUT] {
            let event: Vec<u8> = (0..size).map(|at| u8::try_from(at % 251).unwrap()).collect();
            assert!(Pieces::read_all(&[&event], true) == RawEvent::Complete(event), "{size}");
        }
    }

    #[test]
    fn too_much_is_taken_and_dropped() {
        let piece = vec![b' '; 64 * 1024];
        let pieces: Vec<&[u8]> = (0..300).map(|_| piece.as_slice()).collect();
        assert_eq!(Pieces::read_all(&pieces, true), RawEvent::TooLarge);
    }
}
