//! Diagnostics about disagreements between Cargo.lock and the manifests.

use std::collections::BTreeSet;

use crate::crates::cargo_lock::NEWEST_FORMAT;
use crate::diagnostic::Diagnostic;

const NAMES_SHOWN: usize = 5;

#[derive(Debug, Default)]
pub(super) struct LockMismatches {
    /// Names that packages need and Cargo.lock does not have.
    pub(super) dangling: BTreeSet<String>,
    pub(super) members: BTreeSet<String>,
    pub(super) bad_names: BTreeSet<String>,
    missing: BTreeSet<String>,
    gone: BTreeSet<String>,
}

impl LockMismatches {
    /// Records a crate that the member needs and Cargo.lock does not have for it.
    pub(super) fn missing(&mut self, name: &str, member: &str) {
        self.missing.insert(format!("`{name}` of `{member}`"));
    }

    /// Records a crate that Cargo.lock has for the member, which no longer needs it.
    pub(super) fn gone(&mut self, name: &str, member: &str) {
        self.gone.insert(format!("`{name}` of `{member}`"));
    }

    pub(super) fn findings(self, path: &str, format: Option<u32>) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        let mut warn = |message: String, help: &str| findings.push(Diagnostic::warning(path, message).help(help));
        if let Some(format) = format.filter(|format| *format > NEWEST_FORMAT) {
            let message = format!("Format {format} is newer than the supported formats 1 to {NEWEST_FORMAT}");
            warn(message, "compare the result with `cargo tree`, and update Symposium");
        }
        let quoted = |names: BTreeSet<String>| names.into_iter().map(|name| format!("`{name}`")).collect();
        let mut parts = Vec::new();
        for (names, what, one, several) in [
            (quoted(self.members), "lacks", "workspace member", "workspace members"),
            (self.missing, "lacks", "dependency", "dependencies"),
            (self.gone, "still has", "dependency", "dependencies"),
        ] {
            match names.len() {
                0 => {}
                1 => parts.push(format!("it {what} the {one} {}", list(&names))),
                _ => parts.push(format!("it {what} the {several} {}", list(&names))),
            }
        }
        if !parts.is_empty() {
            let message = format!("Out of date: {}", parts.join(", "));
            warn(message, "run `cargo update --workspace` to update it");
        }
        if !self.dangling.is_empty() {
            let message = format!("Incomplete: packages need {}, which are missing", list(&quoted(self.dangling)));
            warn(message, "run `cargo generate-lockfile` to recreate the file");
        }
        if !self.bad_names.is_empty() {
            let names = quoted(self.bad_names);
            let message = match names.len() {
                1 => format!("{} is not a valid crate name and is skipped", list(&names)),
                _ => format!("{} are not valid crate names and are skipped", list(&names)),
            };
            warn(message, "run `cargo generate-lockfile` to recreate the file");
        }
        findings
    }
}

fn list(names: &BTreeSet<String>) -> String {
    let shown: Vec<&str> = names.iter().take(NAMES_SHOWN).map(String::as_str).collect();
    match (names.len().saturating_sub(NAMES_SHOWN), shown.split_last()) {
        (0, Some((last, rest))) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        (0, _) => shown.concat(),
        (more, _) => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(members: &[&str], bad_names: &[&str]) -> Vec<String> {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
        let stale =
            LockMismatches { members: names(members), bad_names: names(bad_names), ..LockMismatches::default() };
        stale.findings("Cargo.lock", None).into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn one_is_not_several() {
        for (members, message) in [
            (&["m1"][..], "Out of date: it lacks the workspace member `m1`"),
            (&["m1", "m2"], "Out of date: it lacks the workspace members `m1` and `m2`"),
            (&["inner", "m1", "m2"], "Out of date: it lacks the workspace members `inner`, `m1` and `m2`"),
            (
                &["a", "b", "c", "d", "e", "f", "g"],
                "Out of date: it lacks the workspace members `a`, `b`, `c`, `d`, `e` and 2 more",
            ),
        ] {
            assert_eq!(messages(members, &[]), [message]);
        }
        assert_eq!(messages(&[], &["!"]), ["`!` is not a valid crate name and is skipped"]);
        assert_eq!(messages(&[], &["!", "?"]), ["`!` and `?` are not valid crate names and are skipped"]);
    }
}
