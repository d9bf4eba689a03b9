//! Runs one program with a time limit so that nothing of it is left afterwards.
//!
//! Each program gets a process namespace of its own: when its first process ends, or is killed at the limit, the kernel
//! kills all the others in it, also those that left the process group.

#![expect(clippy::disallowed_methods, reason = "the harness starts the programs it is about")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Outcome;

pub(crate) struct Program<'a> {
    pub(crate) file: &'a Path,
    pub(crate) arguments: &'a [String],
    pub(crate) environment: &'a [(String, String)],
    pub(crate) directory: &'a Path,
    pub(crate) limit: Duration,
    /// Where its output goes: `<prefix>.stdout` and `<prefix>.stderr`.
    pub(crate) output: PathBuf,
}

#[derive(Debug)]
pub(crate) struct Ended {
    /// The exit code; none when it was killed.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the program to its end, or to its limit.
pub(crate) fn run(program: &Program) -> Outcome<Ended> {
    let (out_path, err_path) = (program.output.with_extension("stdout"), program.output.with_extension("stderr"));
    let file = |path: &Path| File::create(path).map_err(|error| format!("`{}`: {error}", path.display()));
    let started = Instant::now();
    let mut child = Command::new("unshare")
        .args(["--pid", "--mount-proc", "--fork", "--kill-child", "--", "sh", "-c", r#""$@"; exit $?"#, "sh"])
        .arg(program.file)
        .args(program.arguments)
        .env_clear()
        .envs(program.environment.iter().map(|(name, value)| (name, value)))
        .current_dir(program.directory)
        .stdin(Stdio::null())
        .stdout(file(&out_path)?)
        .stderr(file(&err_path)?)
        .spawn()
        .map_err(|error| format!("`unshare` did not start: {error}"))?;
    let code = loop {
        match child.try_wait().map_err(|error| format!("waiting for a child: {error}"))? {
            Some(status) => break status.code(),
            None if started.elapsed() > program.limit => {
                child.kill().and_then(|()| child.wait()).map_err(|error| format!("killing a child: {error}"))?;
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let read = |path: &Path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(Ended { code, stdout: read(&out_path).unwrap_or_default(), stderr: read(&err_path).unwrap_or_default() })
}
