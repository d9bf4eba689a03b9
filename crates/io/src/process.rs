//! Runs another program to its end, within a time limit.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use super::group::Group;

/// What a program did.
#[derive(Debug)]
pub struct Finished {
    /// How it ended.
    pub status: ExitStatus,
    /// What it printed.
    pub stdout: String,
    /// What it complained about.
    pub stderr: String,
    /// How long it took.
    pub took: Duration,
}

/// A program to run to its end.
#[derive(Debug)]
pub struct Call<'a> {
    /// The program.
    pub program: &'a Path,
    /// Its arguments.
    pub args: &'a [&'a str],
    /// Where it is started.
    pub directory: &'a Path,
    /// What it can read.
    pub input: &'a str,
    /// How long it may take.
    pub limit: Duration,
    /// Variables set for it, or with `None` taken from it; it inherits the others.
    pub variables: Vec<(&'a str, Option<OsString>)>,
}

/// Runs a program in a directory with this input. `None` when it did not end in time; it is ended then.
pub fn run(
    program: &Path,
    args: &[&str],
    directory: &Path,
    input: &str,
    limit: Duration,
) -> io::Result<Option<Finished>> {
    Call { program, args, directory, input, limit, variables: Vec::new() }.run()
}

impl Call<'_> {
    /// Runs it. `None` when it did not end in time; it is ended then, with everything it started and left in its group.
    ///
    /// Its output goes through files of ours, so that no amount of it can block the program or us.
    pub fn run(&self) -> io::Result<Option<Finished>> {
        let scratch = tempfile::tempdir()?;
        let path = |name: &str| scratch.path().join(name);
        std::fs::write(path("in"), self.input)?;
        let mut command = Command::new(self.program);
        command.args(self.args).current_dir(self.directory);
        command.stdin(File::open(path("in"))?).stdout(File::create(path("out"))?).stderr(File::create(path("err"))?);
        for (name, value) in &self.variables {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let start = Instant::now();
        let mut group = Group::start(&mut command)?;
        let status = loop {
            if let Some(status) = group.child.try_wait()? {
                break status;
            }
            if start.elapsed() > self.limit {
                group.end()?;
                return Ok(None);
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        let took = start.elapsed();
        let text = |name: &str| std::fs::read(path(name)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Ok(Some(Finished { status, stdout: text("out")?, stderr: text("err")?, took }))
    }
}

/// Runs a program in an empty directory in front of the person, who sees what it says on the error stream and can
/// answer it.
pub fn run_in_sight(program: &str, args: &[String]) -> io::Result<ExitStatus> {
    // Nothing of a project may decide what it does.
    let empty = tempfile::tempdir()?;
    Command::new(program).args(args).current_dir(empty.path()).stdout(io::stderr()).status()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn call<'a>(args: &'a [&'a str], limit: Duration) -> Call<'a> {
        let (program, directory) = (Path::new("/bin/sh"), Path::new("/"));
        Call { program, args, directory, input: "", limit, variables: Vec::new() }
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
    fn what_takes_too_long_is_ended_with_what_it_started() {
        let directory = tempfile::tempdir().unwrap();
        let late = directory.path().join("late");
        let script = format!("(sleep 1; echo x > '{}') & sleep 60", late.display());
        assert!(call(&["-c", &script], Duration::from_millis(100)).run().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(1500));
        assert!(!late.exists(), "a child of the program went on");
    }
}
