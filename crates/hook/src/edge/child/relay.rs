//! Execution of a program in this process's place: same directory, environment, input and signals.
//!
//! The hot path does not use this; `symposium cargo` does.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus};
use std::sync::mpsc;
use std::time::{Duration, Instant};

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

/// A program that ran, with everything it printed.
pub struct RelayResult {
    pub status: ExitStatus,
    /// Both streams, in the order of the writes.
    pub output: Vec<u8>,
    /// Dropped last: a signal that ended the program then ends this process too.
    #[cfg(unix)]
    _signals: Option<SignalGuard>,
}

/// Runs a program and collects its output. Signals that would end this process are passed on to the program.
pub fn run_relayed(program: &RelayedProgram<'_>) -> io::Result<RelayResult> {
    let mut command = program.command();
    let (mut reader, writer) = io::pipe()?;
    #[cfg(unix)]
    let signals = SignalGuard::hear().ok();
    command.stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn()?;
    // The command holds this process's ends of the pipe.
    drop(command);
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut piece = vec![0; 1 << 16];
        while let Ok(read @ 1..) = reader.read(&mut piece) {
            let bytes = piece.get(..read).unwrap_or_default().to_vec();
            if sender.send(bytes).is_err() {
                break;
            }
        }
    });
    #[cfg(unix)]
    let status = wait(&mut child, signals.as_ref())?;
    #[cfg(not(unix))]
    let status = wait(&mut child)?;
    let mut output = Vec::new();
    let deadline = Instant::now() + LAST_WORDS;
    while let Ok(bytes) = receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        output.extend(bytes);
    }
    Ok(RelayResult {
        status,
        output,
        #[cfg(unix)]
        _signals: signals,
    })
}

#[cfg(unix)]
fn wait(child: &mut Child, signals: Option<&SignalGuard>) -> io::Result<ExitStatus> {
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
        }
        signals.wait(Instant::now() + LOOK);
    }
}

#[cfg(not(unix))]
fn wait(child: &mut Child) -> io::Result<ExitStatus> {
    child.wait()
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

        if let Some(signal) = status.signal() {
            if let Some(signal) = Signal::from_named_raw(signal) {
                let _ = kill_process(getpid(), signal);
            }
            return ExitCode::from(u8::try_from(128 + signal).unwrap_or(u8::MAX));
        }
    }
    status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from)
}
