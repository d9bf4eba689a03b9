//! Runs another program to its end, within a time limit.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

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

/// Runs a program in a directory with this input. `None` when it did not end in time; it is ended then.
///
/// Its output goes through files of ours, so that no amount of it can block the program or us.
pub fn run(
    program: &Path,
    args: &[&str],
    directory: &Path,
    input: &str,
    limit: Duration,
) -> io::Result<Option<Finished>> {
    let scratch = tempfile::tempdir()?;
    let path = |name: &str| scratch.path().join(name);
    std::fs::write(path("in"), input)?;
    let start = Instant::now();
    let mut child = Command::new(program)
        .args(args)
        .current_dir(directory)
        .stdin(File::open(path("in"))?)
        .stdout(File::create(path("out"))?)
        .stderr(File::create(path("err"))?)
        .spawn()?;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let took = start.elapsed();
    let text = |name: &str| std::fs::read(path(name)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(Some(Finished { status, stdout: text("out")?, stderr: text("err")?, took }))
}
