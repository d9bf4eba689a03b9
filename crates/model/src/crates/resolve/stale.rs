//! Where Cargo.lock and the manifests disagree, as findings.

use std::collections::BTreeSet;

use crate::crates::lock::NEWEST_FORMAT;
use crate::diagnostic::Diagnostic;

/// How many names a finding lists before it only counts.
const NAMES_SHOWN: usize = 5;

/// Disagreements collected on the way.
#[derive(Debug, Default)]
pub(super) struct Stale {
    /// Names that packages mention and Cargo.lock does not have.
    pub(super) dangling: BTreeSet<String>,
    /// Members Cargo.lock does not have.
    pub(super) members: BTreeSet<String>,
    /// Names in Cargo.lock that no crate can have.
    pub(super) bad_names: BTreeSet<String>,
    missing: BTreeSet<String>,
    gone: BTreeSet<String>,
}

impl Stale {
    /// The member needs a crate that Cargo.lock does not have for it.
    pub(super) fn missing(&mut self, name: &str, member: &str) {
        self.missing.insert(format!("`{name}` of `{member}`"));
    }

    /// Cargo.lock has a crate for the member that it no longer needs.
    pub(super) fn gone(&mut self, name: &str, member: &str) {
        self.gone.insert(format!("`{name}` of `{member}`"));
    }

    pub(super) fn findings(self, path: &str, format: Option<u32>) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        let mut warn = |message: String, help: &str| findings.push(Diagnostic::warning(path, message).help(help));
        if let Some(format) = format.filter(|format| *format > NEWEST_FORMAT) {
            let message = format!("Format {format} is newer than the formats 1 to {NEWEST_FORMAT} known here");
            warn(message, "check what is shown against `cargo tree`, and look for a newer symposium");
        }
        let quoted = |names: BTreeSet<String>| names.into_iter().map(|name| format!("`{name}`")).collect();
        let mut parts = Vec::new();
        for (names, what) in [
            (quoted(self.members), "lacks the workspace member"),
            (self.missing, "lacks the dependency"),
            (self.gone, "still has the dependency"),
        ] {
            if !names.is_empty() {
                parts.push(format!("it {what} {}", list(&names)));
            }
        }
        if !parts.is_empty() {
            let message = format!("Out of date: {}", parts.join(", "));
            warn(message, "run `cargo update --workspace` to bring it up to date");
        }
        if !self.dangling.is_empty() {
            let message = format!("Incomplete: packages need {}, which it does not have", list(&quoted(self.dangling)));
            warn(message, "run `cargo generate-lockfile` to write the file anew");
        }
        if !self.bad_names.is_empty() {
            let message = format!("{} cannot be the name of a crate and is left out", list(&quoted(self.bad_names)));
            warn(message, "run `cargo generate-lockfile` to write the file anew");
        }
        findings
    }
}

fn list(names: &BTreeSet<String>) -> String {
    let text = names.iter().take(NAMES_SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if let Some(more) = names.len().checked_sub(NAMES_SHOWN).filter(|more| *more > 0) {
        return format!("{text} and {more} more");
    }
    text
}
