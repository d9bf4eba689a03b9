//! Conversion of signals into bytes on a pipe while a program runs, so that one `poll` waits for everything.

use std::ffi::c_int;
use std::io::{self, PipeReader, PipeWriter};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, getpid, kill_process};

/// The signals that end this process. SIGCHLD is handled as well: it says that a program has exited.
const ENDING: [Signal; 3] = [Signal::TERM, Signal::INT, Signal::HUP];

/// The number of the last termination signal that arrived; 0 for none.
static ARRIVED: AtomicI32 = AtomicI32::new(0);
/// Never closed, since a signal handler may use it at any moment.
static PIPE: OnceLock<(PipeReader, PipeWriter)> = OnceLock::new();

/// A guard that catches the signals while it lives. Dropping it restores their previous actions and raises a caught
/// signal again.
pub(super) struct SignalGuard {
    before: [(c_int, usize); ENDING.len() + 1],
    woken: &'static PipeReader,
}

impl SignalGuard {
    /// Installs the signal handlers. A termination signal that was ignored stays ignored: the parent process wanted
    /// that.
    pub(super) fn hear() -> io::Result<Self> {
        if PIPE.get().is_none() {
            let (reader, writer) = io::pipe()?;
            rustix::io::ioctl_fionbio(&reader, true)?;
            rustix::io::ioctl_fionbio(&writer, true)?;
            let _ = PIPE.set((reader, writer));
        }
        let Some((woken, _)) = PIPE.get() else { return Err(io::ErrorKind::Other.into()) };
        ARRIVED.store(0, Ordering::SeqCst);
        system::unblock_all();
        let hear = |signal: Signal| {
            let before = system::handle(signal.as_raw(), system::handler(on_signal));
            if before == system::IGNORED && signal != Signal::CHILD {
                system::handle(signal.as_raw(), before);
            }
            (signal.as_raw(), before)
        };
        let [term, int, hup] = ENDING;
        Ok(Self { before: [hear(term), hear(int), hear(hup), hear(Signal::CHILD)], woken })
    }

    /// Restores the default action of the termination signals, which the parent process may have changed.
    #[cfg(test)]
    pub(in crate::edge) fn end_us() {
        for signal in ENDING {
            system::handle(signal.as_raw(), system::DEFAULT);
        }
    }

    pub(super) fn woken(&self) -> PollFd<'_> {
        PollFd::new(self.woken, PollFlags::IN)
    }

    /// Empties the pipe. State that is read afterwards is up to date, or another byte will follow.
    pub(super) fn clear(&self) {
        let mut bytes = [0; 64];
        while matches!(rustix::io::read(self.woken, &mut bytes), Ok(read) if read > 0) {}
    }

    pub(super) fn ending() -> Option<Signal> {
        Signal::from_named_raw(ARRIVED.load(Ordering::SeqCst))
    }

    /// Waits for the next signal; returns false when none arrives before `limit`.
    pub(super) fn wait(&self, limit: Instant) -> bool {
        let Some(left) = limit.checked_duration_since(Instant::now()) else { return false };
        let came = poll(&mut [self.woken()], Timespec::try_from(left).ok().as_ref());
        self.clear();
        !matches!(came, Ok(0))
    }
}

impl Drop for SignalGuard {
    fn drop(&mut self) {
        for (signal, before) in self.before {
            system::handle(signal, before);
        }
        // The signal now has the effect it would have had at once, after all started processes are gone.
        if let Some(signal) = Self::ending() {
            let _ = kill_process(getpid(), signal);
        }
    }
}

/// Does only what is safe in a signal handler: an atomic store, and a write that cannot block.
extern "C" fn on_signal(signal: c_int) {
    if signal != Signal::CHILD.as_raw() {
        ARRIVED.store(signal, Ordering::SeqCst);
    }
    if let Some((_, writer)) = PIPE.get() {
        let _ = rustix::io::write(writer, b"!");
    }
}

#[expect(unsafe_code, reason = "there is no safe interface to signal dispositions and masks")]
mod system {
    use std::ffi::c_int;
    use std::ptr;

    /// `SIG_DFL`
    #[cfg(test)]
    pub(super) const DEFAULT: usize = 0;

    /// `SIG_IGN`
    pub(super) const IGNORED: usize = 1;

    /// `SIG_SETMASK`
    const REPLACE: c_int = if cfg!(any(target_os = "linux", target_os = "android")) { 2 } else { 3 };

    /// At least as large as every `sigset_t`; all zeros is the empty set.
    type SignalSet = [u64; 16];

    unsafe extern "C" {
        fn signal(signal: c_int, handler: usize) -> usize;
        fn sigprocmask(how: c_int, set: *const SignalSet, before: *mut SignalSet) -> c_int;
    }

    pub(super) fn handler(function: extern "C" fn(c_int)) -> usize {
        function as *const () as usize
    }

    /// Sets the action of a signal and returns the previous one.
    pub(super) fn handle(number: c_int, handler: usize) -> usize {
        // SAFETY: `handler` is `on_signal`, which does only what a handler may do, or what an earlier call
        // returned, or the default.
        unsafe { signal(number, handler) }
    }

    /// Unblocks all signals, regardless of the inherited mask; the program that is started next inherits this.
    pub(super) fn unblock_all() {
        let none: SignalSet = [0; 16];
        // SAFETY: `none` outlives the call, is large enough to be read as any `sigset_t`, and nothing is written.
        unsafe { sigprocmask(REPLACE, &raw const none, ptr::null_mut()) };
    }
}
