//! Queries about a crate of crates.io through cargo.
//!
//! They run `cargo info` in an empty directory, so that the user's own proxies, credentials and mirrors apply, and no
//! project's configuration does.

use std::path::Path;
use std::time::Duration;

use crate::process::{self, ProgramResult};

const LIMIT: Duration = Duration::from_secs(20);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CrateExistence {
    Exists,
    Absent,
    Unknown(String),
    NoCargo,
}

pub fn crate_exists(name: &str) -> CrateExistence {
    match ask(name) {
        Ok(answer) => answer,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => CrateExistence::NoCargo,
        Err(error) => CrateExistence::Unknown(format!("failed to run cargo: {error}")),
    }
}

pub fn describe(name: &str) -> Result<String, String> {
    match info(name) {
        Err(error) => Err(format!("failed to run cargo: {error}")),
        Ok(None) => Err(format!("no answer within {} seconds", LIMIT.as_secs())),
        Ok(Some(finished)) if finished.status.success() => Ok(finished.stdout),
        Ok(Some(finished)) => Err(complaint(&finished.stderr)),
    }
}

fn info(name: &str) -> std::io::Result<Option<ProgramResult>> {
    let empty = tempfile::tempdir()?;
    let args = ["info", "--quiet", "--color", "never", "--registry", "crates-io", "--", name];
    process::run(Path::new("cargo"), &args, empty.path(), "", LIMIT)
}

fn complaint(stderr: &str) -> String {
    let first = stderr.lines().find(|line| !line.trim().is_empty()).unwrap_or("cargo gave no reason");
    first.trim_start_matches("error: ").to_owned()
}

fn ask(name: &str) -> std::io::Result<CrateExistence> {
    let Some(finished) = info(name)? else {
        return Ok(CrateExistence::Unknown(format!("no answer within {} seconds", LIMIT.as_secs())));
    };
    if finished.status.success() {
        return Ok(CrateExistence::Exists);
    }
    if finished.stderr.contains("could not find") {
        return Ok(CrateExistence::Absent);
    }
    Ok(CrateExistence::Unknown(complaint(&finished.stderr)))
}
