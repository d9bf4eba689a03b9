use semver::Version;

use super::*;
use crate::catalog::{SkippedPlugin, SourceDiagnostics};
use crate::config::{SourceKind, SourceRank, SourceSpec};
use crate::diagnostic::Diagnostic;

/// A source that knows plugin `p` with skill `s`; what is wrong with it says whether it was read.
fn source(name: &str, findings: SourceDiagnostics) -> LoadedSource {
    let spec = SourceSpec::whole(name, SourceKind::Embedded, SourceRank::User);
    let passed_over = vec![SkippedPlugin::new("p.toml", "p", "s", None)];
    LoadedSource { passed_over, ..LoadedSource::without_plugins(spec, String::new(), findings) }
}

#[test]
fn what_an_unread_source_may_hold_is_not_gone() {
    let fault = || vec![Diagnostic::error("x", "broken")];
    let read = || source("read", SourceDiagnostics::default());
    let faulty = source("faulty", SourceDiagnostics { faults: fault(), ..SourceDiagnostics::default() });
    let awaiting = source("faulty", SourceDiagnostics { awaited: fault(), ..SourceDiagnostics::default() });
    let serde = CrateName::parse("serde").unwrap();
    let crates = CrateSet::empty().assuming(&serde, Version::new(1, 0, 0));
    let other = "other";
    for (sources, is_unread, gone) in [
        (vec![read()], false, "serde rand p other s:read other:read s:- other:- other:faulty"),
        (vec![read()], true, ""),
        // A crate that is no dependency, and what a source that was read knows, is gone all the same.
        (vec![read(), faulty], false, "rand p s:read other:read s:-"),
        (vec![read(), awaiting], false, "rand p s:read other:read s:-"),
    ] {
        let catalog = Catalog { sources };
        let guard = PruneGuard::new(is_unread, &catalog, Some(&crates));
        let mut found: Vec<String> = Vec::new();
        found.extend(["serde", "rand"].into_iter().filter(|name| guard.crate_is_gone(name)).map(str::to_owned));
        found.extend(["p", other].into_iter().filter(|name| guard.plugin_is_gone(name)).map(str::to_owned));
        for (skill, source) in [("s", "read"), (other, "read"), ("s", "-"), (other, "-"), (other, "faulty")] {
            if guard.skill_is_gone(skill, Some(source).filter(|source| *source != "-")) {
                found.push(format!("{skill}:{source}"));
            }
        }
        let expected: Vec<&str> = gone.split_whitespace().collect();
        assert_eq!(found, expected);
    }
}
