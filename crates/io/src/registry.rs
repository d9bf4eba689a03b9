//! Whether a crate exists, asked of the registry cargo is configured for.
//!
//! The question goes through `cargo info`, started in an empty directory: it uses the user's own proxies, credentials
//! and mirrors, and no project's configuration is near it.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long one question may take.
const LIMIT: Duration = Duration::from_secs(20);

/// What the registry said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Existence {
    /// There is such a crate.
    Exists,
    /// There is none.
    Absent,
    /// Nobody could be asked; the reason.
    Unknown(String),
}

/// Asks whether a crate of that name exists.
pub fn crate_exists(name: &str) -> Existence {
    match ask(name) {
        Ok(answer) => answer,
        Err(error) => Existence::Unknown(format!("cargo could not be asked: {error}")),
    }
}

fn ask(name: &str) -> std::io::Result<Existence> {
    let empty = tempfile::tempdir()?;
    let errors = empty.path().join("stderr");
    let mut child = Command::new("cargo")
        .args(["info", "--quiet", "--color", "never", "--registry", "crates-io", "--", name])
        .current_dir(empty.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(&errors)?)
        .spawn()?;
    let deadline = Instant::now() + LIMIT;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if Instant::now() > deadline {
            child.kill()?;
            child.wait()?;
            return Ok(Existence::Unknown(format!("no answer within {} seconds", LIMIT.as_secs())));
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    if status.success() {
        return Ok(Existence::Exists);
    }
    let said = std::fs::read_to_string(&errors).unwrap_or_default();
    if said.contains("could not find") {
        return Ok(Existence::Absent);
    }
    let first = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("cargo gave no reason");
    Ok(Existence::Unknown(first.trim_start_matches("error: ").to_owned()))
}
