//! Execution of one external program: it gets its input, its output and run time are limited, and all processes it
//! started end with it.
//!
//! Nothing else in the hot path starts a process. Only one program may run at a time: every process that is orphaned
//! meanwhile is taken for a descendant of the running program and ended with it.
#![expect(clippy::disallowed_methods, reason = "the one place of the hot path that starts a process")]

#[cfg(unix)]
mod descendants;
#[cfg(unix)]
mod parent_watch;
#[cfg(any(not(unix), test))]
mod portable;
pub mod relay;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod streams;
#[cfg(unix)]
mod unix;

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

#[cfg(unix)]
use symposium_model::handler_environment::destination;

#[cfg(unix)]
use super::disk;

/// The kept length of stdout in bytes; the rest is read and discarded.
pub(crate) const STDOUT_LIMIT: usize = 1 << 20;
pub(crate) const STDERR_LIMIT: usize = 64 << 10;

#[derive(Debug, Clone, Copy)]
pub(crate) struct ChildJob<'a> {
    pub(crate) run: ChildCommand<'a>,
    /// The working directory; `None` inherits the one of this process.
    pub(crate) directory: Option<&'a Path>,
    /// Variables removed from the inherited environment; `set` has those that are added.
    pub(crate) unset: &'a [OsString],
    pub(crate) set: &'a [(&'a str, &'a OsStr)],
    pub(crate) input: &'a [u8],
    pub(crate) deadline: Instant,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum ChildCommand<'a> {
    /// A bare name is looked up in those directories of the program's PATH that are the same for every process.
    Direct { program: &'a Path, args: &'a [String] },
    /// The arguments are appended to the line, each as one word.
    Shell { line: &'a str, args: &'a [String] },
}

#[derive(Debug)]
pub(crate) enum ChildEnd {
    Exited(i32),
    /// Ended by a signal that this process did not send.
    Signalled(i32),
    DeadlineKilled,
    NotStarted(io::Error),
}

#[derive(Debug)]
pub(crate) struct ChildResult {
    pub(crate) ended: ChildEnd,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) stdout_cut: bool,
    pub(crate) took: Duration,
}

impl ChildResult {
    pub(crate) fn without_output(ended: ChildEnd, start: Instant) -> Self {
        Self { ended, stdout: Vec::new(), stderr: Vec::new(), stdout_cut: false, took: start.elapsed() }
    }
}

/// Runs a program until it exits. Processes that it left in the background are not waited for but ended too.
///
/// On Unix everything in its process group is gone when this returns, on Linux also processes that left the group. The
/// same holds when this process receives SIGTERM, SIGINT or SIGHUP, after which it ends itself. If this process is
/// killed by SIGKILL, a watcher ends those processes, provided that the program ran longer than a moment. Exceptions:
/// processes that left the group on systems other than Linux; processes that left the group and cleared their
/// environment before a SIGKILL; processes of another user. On Windows everything the program started is gone in each
/// of these cases. On other systems only the program itself is ended.
pub(crate) fn run(job: &ChildJob<'_>) -> ChildResult {
    #[cfg(unix)]
    return unix::run(job);
    #[cfg(not(unix))]
    return portable::run(job);
}

fn command(job: &ChildJob<'_>) -> io::Result<Command> {
    let mut command = match job.run {
        ChildCommand::Direct { program, args } => {
            let mut command = Command::new(locate(program, job.set)?.as_ref());
            command.args(args);
            command
        }
        ChildCommand::Shell { line, args } => shell(line, args),
    };
    for name in job.unset {
        command.env_remove(name);
    }
    command.envs(job.set.iter().copied());
    if let Some(directory) = job.directory {
        command.current_dir(directory);
    }
    Ok(command)
}

#[cfg(not(windows))]
fn shell(line: &str, args: &[String]) -> Command {
    let mut command = Command::new("/bin/sh");
    if args.is_empty() {
        command.args(["-c", line]);
    } else {
        command.args(["-c", &format!("{line} \"$@\""), "sh"]).args(args);
    }
    command
}

#[cfg(windows)]
fn shell(line: &str, args: &[String]) -> Command {
    use std::os::windows::process::CommandExt;
    let mut command = Command::new("cmd");
    command.arg("/C").raw_arg(line).args(args);
    command
}

/// Returns true if a directory of PATH is the same for every process.
#[cfg(unix)]
fn is_fixed(directory: &Path) -> bool {
    directory.is_absolute() && destination(directory, &disk::read_link).is_some()
}

/// Finds a bare name on PATH. Entries that are relative or depend on the process are ignored: they would name programs
/// of the project.
#[cfg(unix)]
pub(crate) fn locate<'a>(program: &'a Path, set: &[(&str, &OsStr)]) -> io::Result<Cow<'a, Path>> {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;
    if program.as_os_str().as_bytes().contains(&b'/') {
        return Ok(Cow::Borrowed(program));
    }
    let path = match set.iter().rfind(|(name, _)| *name == "PATH") {
        Some((_, path)) => Some(Cow::Borrowed(*path)),
        None => std::env::var_os("PATH").map(Cow::Owned),
    };
    let path = path.unwrap_or(Cow::Borrowed(OsStr::new("/usr/local/bin:/usr/bin:/bin")));
    let mut found = None;
    for directory in std::env::split_paths(&path).filter(|directory| directory.is_absolute()) {
        let candidate = directory.join(program);
        let Ok(metadata) = std::fs::metadata(&candidate) else { continue };
        // Following links costs more than checking for a program that is mostly absent.
        if !is_fixed(&directory) {
            continue;
        }
        if metadata.is_file() && metadata.permissions().mode() & 0o111 != 0 {
            return Ok(Cow::Owned(candidate));
        }
        found = found.or(metadata.is_file().then_some(candidate));
    }
    Err(match found {
        Some(found) => {
            io::Error::new(io::ErrorKind::PermissionDenied, format!("`{}` is not executable", found.display()))
        }
        None => io::Error::new(io::ErrorKind::NotFound, format!("`{}` was not found in PATH", program.display())),
    })
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the system looks the name up itself, and says so when it starts it")]
pub(crate) fn locate<'a>(program: &'a Path, _set: &[(&str, &OsStr)]) -> io::Result<Cow<'a, Path>> {
    Ok(Cow::Borrowed(program))
}

/// Describes what could not be started: the system's own message names neither program nor directory.
fn not_started(job: &ChildJob<'_>, error: &io::Error) -> ChildEnd {
    if let Some(directory) = job.directory.filter(|directory| !directory.is_dir()) {
        let text = format!("the directory `{}` does not exist", directory.display());
        return ChildEnd::NotStarted(io::Error::new(io::ErrorKind::NotFound, text));
    }
    let ChildCommand::Direct { program, .. } = job.run else {
        return ChildEnd::NotStarted(io::Error::new(error.kind(), format!("the shell could not be started: {error}")));
    };
    let program = program.display();
    let text = match error.kind() {
        io::ErrorKind::NotFound => {
            format!("`{program}` does not exist, or the program named in its first line does not")
        }
        io::ErrorKind::PermissionDenied => format!("`{program}` is not executable"),
        _ if error.raw_os_error() == Some(NO_PROGRAM) => {
            format!("`{program}` is not a program; a script needs a first line like `#!/bin/sh`")
        }
        _ => format!("`{program}` could not be started: {error}"),
    };
    ChildEnd::NotStarted(io::Error::new(error.kind(), text))
}

/// `ENOEXEC`, the same number on every Unix.
const NO_PROGRAM: i32 = 8;

#[cfg(unix)]
#[cfg(test)]
#[path = "child_tests.rs"]
pub(crate) mod tests;
