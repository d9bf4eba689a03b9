//! Execution of a program in this process's place: same directory, environment, input and signals.
//!
//! The hot path does not use this; `symposium cargo` does.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::Path;
#[cfg(unix)]
use std::process::Child;
use std::process::{Command, ExitCode, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;
#[cfg(unix)]
use std::time::Instant;

#[cfg(unix)]
use super::signals::SignalGuard;

/// A process that the program left behind may hold its output open; it is not waited for any longer than this.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A program to run, with its arguments.
pub struct RelayedProgram<'a> {
    pub file: &'a Path,
    pub args: &'a [OsString],
    /// Variables that are not to be the same for it.
    pub variables: &'a [(&'a str, OsString)],
}

impl RelayedProgram<'_> {
    fn command(&self) -> Command {
        let mut command = Command::new(self.file);
        command.args(self.args).envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// Receives the output of a program while it runs: both streams, in the order of the writes.
pub trait OutputReceiver: Send + 'static {
    fn receive(&mut self, bytes: &[u8]);

    /// Is called when a signal arrives that ends this process.
    fn interrupt(&mut self);
}

/// A program that ran, with the receiver of its output.
pub struct RelayResult<R> {
    pub status: ExitStatus,
    pub receiver: R,
    pub signals: HeldSignals,
}

/// Signals that arrived while a program ran. Dropped at the end: a signal that ended the program then ends this process too.
pub struct HeldSignals {
    #[cfg(unix)]
    _guard: Option<SignalGuard>,
}

/// Runs a program and hands its output to a receiver. Signals that would end this process are passed on to the program.
pub fn run_relayed<R: OutputReceiver>(program: &RelayedProgram<'_>, receiver: R) -> io::Result<RelayResult<R>> {
    let mut command = program.command();
    let (reader, writer) = io::pipe()?;
    #[cfg(unix)]
    let signals = SignalGuard::hear().ok();
    command.stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn()?;
    // The command holds this process's ends of the pipe.
    drop(command);
    let receiver = Arc::new(Mutex::new(Some(receiver)));
    let (sender, end) = mpsc::channel::<()>();
    let reading = Arc::clone(&receiver);
    std::thread::spawn(move || {
        read_all(reader, &reading);
        drop(sender);
    });
    #[cfg(unix)]
    let status = wait(&mut child, signals.as_ref(), || interrupt(&receiver))?;
    #[cfg(not(unix))]
    let status = child.wait()?;
    let _ = end.recv_timeout(LAST_WORDS);
    #[cfg(unix)]
    if SignalGuard::ending().is_some() {
        interrupt(&receiver);
    }
    let receiver = lock(&receiver).take().ok_or(io::ErrorKind::Other)?;
    let signals = HeldSignals {
        #[cfg(unix)]
        _guard: signals,
    };
    Ok(RelayResult { status, receiver, signals })
}

/// Reads to the end, or until the receiver is gone.
fn read_all<R: OutputReceiver>(mut reader: impl Read, receiver: &Mutex<Option<R>>) {
    let mut piece = vec![0; 1 << 16];
    while let Ok(read @ 1..) = reader.read(&mut piece) {
        let mut receiver = lock(receiver);
        let Some(receiver) = receiver.as_mut() else { return };
        receiver.receive(piece.get(..read).unwrap_or_default());
    }
}

#[cfg(unix)]
fn interrupt<R: OutputReceiver>(receiver: &Mutex<Option<R>>) {
    if let Some(receiver) = lock(receiver).as_mut() {
        receiver.interrupt();
    }
}

fn lock<R>(receiver: &Mutex<Option<R>>) -> MutexGuard<'_, Option<R>> {
    receiver.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
fn wait(child: &mut Child, signals: Option<&SignalGuard>, interrupt: impl Fn()) -> io::Result<ExitStatus> {
    use rustix::process::{Pid, kill_process};

    const LOOK: Duration = Duration::from_hours(1);
    let Some(signals) = signals else { return child.wait() };
    let mut passed_on = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        let arrived = SignalGuard::ending();
        if let Some(signal) = arrived.filter(|signal| passed_on != Some(*signal)) {
            let _ = kill_process(Pid::from_child(child), signal);
            passed_on = arrived;
            interrupt();
        }
        signals.wait(Instant::now() + LOOK);
    }
}

/// Becomes another program. Where that is not possible, runs it and returns its status.
pub fn hand_over(program: &RelayedProgram<'_>) -> io::Result<ExitStatus> {
    let mut command = program.command();
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        Err(command.exec())
    }
    #[cfg(not(unix))]
    command.status()
}

/// Ends this process as a program ended: by the same signal, or with the returned exit code.
pub fn end_as(status: ExitStatus) -> ExitCode {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;

        use rustix::process::{Signal, getpid, kill_process};

        if let Some(signal) = status.signal().and_then(Signal::from_named_raw) {
            let _ = kill_process(getpid(), signal);
        }
    }
    ExitCode::from(shell_code(status))
}

/// Returns the exit code with which a shell tells how a program ended.
pub fn shell_code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;

        if let Some(signal) = status.signal() {
            return u8::try_from(128 + signal).unwrap_or(u8::MAX);
        }
    }
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}
