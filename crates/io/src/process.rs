//! Execution of another program with a time limit.

pub(crate) mod bounded;
mod group;

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use self::bounded::{ProgramEnd, ProgramLimits};
use crate::env;

const MAX_STDOUT: usize = 64 * 1024 * 1024;

#[derive(Debug)]
pub struct ProgramResult {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
    pub took: Duration,
}

#[derive(Debug)]
pub struct ProgramCall<'a> {
    pub program: &'a Path,
    pub args: &'a [&'a str],
    pub directory: &'a Path,
    pub input: &'a str,
    pub limit: Duration,
    /// Variables to set, or with `None` to remove; the others are inherited.
    pub variables: Vec<(&'a str, Option<OsString>)>,
}

pub fn run(
    program: &Path,
    args: &[&str],
    directory: &Path,
    input: &str,
    limit: Duration,
) -> io::Result<Option<ProgramResult>> {
    ProgramCall { program, args, directory, input, limit, variables: Vec::new() }.run()
}

impl ProgramCall<'_> {
    /// Runs the program. `None` when it did not exit in time or printed too much; it is killed then, together with all
    /// processes in its group.
    pub fn run(&self) -> io::Result<Option<ProgramResult>> {
        let mut command = command(self.program);
        command.args(self.args).current_dir(self.directory);
        for (name, value) in &self.variables {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let bounds = ProgramLimits { deadline: Instant::now() + self.limit, output: MAX_STDOUT, watch: &|_| true };
        match bounded::run(&mut command, self.input.as_bytes().to_vec(), &bounds)? {
            // Processes that it left behind are not Symposium's concern.
            ProgramEnd::Itself(ended) | ProgramEnd::Held(ended) => Ok(Some(ProgramResult {
                status: ended.status,
                stdout: String::from_utf8_lossy(&ended.stdout).into_owned(),
                stderr: ended.stderr,
                took: ended.took,
            })),
            ProgramEnd::TooSlow | ProgramEnd::TooMuch | ProgramEnd::Stopped => Ok(None),
        }
    }
}

/// Lets other processes go first, where the system has such an order.
pub fn lower_priority() {
    #[cfg(unix)]
    let _ = rustix::process::nice(10);
}

/// Prepares a program to be started. A program of the project is never used, neither directly nor through PATH.
pub(crate) fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    for name in env::foreign_variables() {
        command.env_remove(name);
    }
    if let Some(path) = env::search_path() {
        command.env("PATH", path);
    }
    command
}

/// Runs a program in an empty directory, connected to the terminal, so that the user sees its error output and can
/// answer it.
pub fn run_in_sight(program: &str, args: &[String]) -> io::Result<ExitStatus> {
    // No project may influence the program.
    let empty = tempfile::tempdir()?;
    command(Path::new(program)).args(args).current_dir(empty.path()).stdout(io::stderr()).status()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn call<'a>(args: &'a [&'a str], limit: Duration) -> ProgramCall<'a> {
        let (program, directory) = (Path::new("/bin/sh"), Path::new("/"));
        ProgramCall { program, args, directory, input: "", limit, variables: Vec::new() }
    }

    #[test]
    fn variables_are_set_and_taken() {
        let mut call = call(&["-c", "echo \"$ONE-${PATH:-none}\"; exit 3"], Duration::from_secs(10));
        call.variables = vec![("ONE", Some("1".into())), ("PATH", None)];
        let finished = call.run().unwrap().unwrap();
        assert!(finished.stdout.starts_with("1-"), "{}", finished.stdout);
        assert_ne!(finished.stdout.trim(), format!("1-{}", std::env::var("PATH").unwrap()));
        assert_eq!(finished.status.code(), Some(3));
    }

    #[test]
    fn what_is_left_behind_takes_nothing_from_what_was_said() {
        let finished = call(&["-c", "sleep 60 & echo said"], Duration::from_secs(30)).run().unwrap().unwrap();
        assert_eq!((finished.stdout.as_str(), finished.status.code()), ("said\n", Some(0)));
        assert!(finished.took < Duration::from_secs(5), "{:?}", finished.took);
    }

    #[test]
    fn what_takes_too_long_is_ended_with_what_it_started() {
        let directory = tempfile::tempdir().unwrap();
        let late = directory.path().join("late");
        let script = format!("(sleep 1; echo x > '{}') & sleep 60", late.display());
        assert!(call(&["-c", &script], Duration::from_millis(100)).run().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(1500));
        assert!(!late.exists(), "a child of the program went on");
    }
}
