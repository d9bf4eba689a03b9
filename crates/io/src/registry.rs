//! Whether a crate exists, asked of the registry cargo is configured for.
//!
//! The question goes through `cargo info`, started in an empty directory: it uses the user's own proxies, credentials
//! and mirrors, and no project's configuration is near it.

use std::path::Path;
use std::time::Duration;

use crate::process;

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
    let args = ["info", "--quiet", "--color", "never", "--registry", "crates-io", "--", name];
    let Some(finished) = process::run(Path::new("cargo"), &args, empty.path(), "", LIMIT)? else {
        return Ok(Existence::Unknown(format!("no answer within {} seconds", LIMIT.as_secs())));
    };
    if finished.status.success() {
        return Ok(Existence::Exists);
    }
    if finished.stderr.contains("could not find") {
        return Ok(Existence::Absent);
    }
    let first = finished.stderr.lines().find(|line| !line.trim().is_empty()).unwrap_or("cargo gave no reason");
    Ok(Existence::Unknown(first.trim_start_matches("error: ").to_owned()))
}
