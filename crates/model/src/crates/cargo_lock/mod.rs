//! Parser of Cargo.lock: the packages, their versions and their dependencies.

mod document;
mod package;
mod scan;

pub use package::{CargoLock, LockedDependency, LockedPackage, PackageKey};

use crate::diagnostic::Diagnostic;
use crate::merge_conflict::conflict_marker;

/// The newest known format; later ones are read the same way, with a warning.
pub const NEWEST_FORMAT: u32 = 4;

/// Parses a Cargo.lock of any format; `path` is the file as shown to the user.
///
/// A file that is not understood completely gives an error and no data: half a lock would be wrong data.
pub fn parse_lock<'a>(path: &str, text: &'a str) -> Result<CargoLock<'a>, Box<Diagnostic>> {
    if let Some(lockfile) = scan::scan(text) {
        return Ok(lockfile);
    }
    let finding = |fault: document::CargoLockError| match conflict_marker(text) {
        Some(marker) => Diagnostic::error(path, "Unresolved merge conflict")
            .at(text, marker)
            .help("resolve the conflict, or run `cargo generate-lockfile` to recreate the file"),
        None => Diagnostic::error(path, format!("Not a Cargo.lock: {}", first_line(&fault.message)))
            .at(text, fault.span)
            .help("run `cargo generate-lockfile` to recreate the file"),
    };
    document::read(text).map_err(|fault| Box::new(finding(fault)))
}

fn first_line(message: &str) -> &str {
    message.lines().next().unwrap_or_default()
}

#[cfg(test)]
#[path = "lock_tests.rs"]
mod tests;
