//! Resolves the version of a crate that a question is about.

use semver::Version;
use symposium_io::cargo::WorkspaceCrates;
use symposium_model::crates::{CrateName, CrateSet, DependencyScope, VersionRequirement};

use crate::error::CliError;
use crate::ops::catalog;
use crate::ops::context::Context;
use crate::ops::fetch_report::FetchReport;
use crate::ops::resolve::{Resolution, ResolutionDetail, read_workspace};
use crate::run_report::RunReport;

/// Whether the versions are the workspace's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LockedVersions {
    AsItIs,
    /// One was named on the command line that is not locked.
    AsAsked,
    /// One was named on the command line, and is one of several, or that of an indirect dependency.
    AskedAndLocked,
    /// It is that of a package of the workspace on which no other depends.
    OwnPackage,
}

/// Resolves the extensions for a crate: at its locked versions, or as if it were locked at another one.
pub(crate) fn resolve_crate(
    context: &Context,
    name: &CrateName,
    version: Option<&str>,
    report: &mut RunReport,
) -> Result<(Resolution, LockedVersions), CliError> {
    let mut workspace = read_workspace(context);
    report.add(workspace.as_ref().map(|workspace| workspace.findings.as_slice()).unwrap_or_default());
    let known = workspace.as_ref().map(|workspace| &workspace.crates);
    let is_used = |set: &CrateSet| set.versions(name, catalog::scope(&context.settings)).next().is_some();
    let (assumed, locked) = match version {
        Some(written) => {
            let empty = CrateSet::empty();
            let known = known.unwrap_or(&empty);
            let locked = known.versions(name, DependencyScope::Transitive).map(|krate| krate.version.clone());
            let locked: Vec<Version> = locked.collect();
            let version = meant_version(written, &locked)?;
            match locked.as_slice() {
                [only] if *only == version && is_used(known) => (None, LockedVersions::AsItIs),
                all if all.contains(&version) => (Some(known.assuming(name, version)), LockedVersions::AskedAndLocked),
                _ => (Some(known.assuming(name, version)), LockedVersions::AsAsked),
            }
        }
        None => {
            let own = known.filter(|set| !is_used(set)).and_then(|set| set.using_member(name));
            let locked = if own.is_some() { LockedVersions::OwnPackage } else { LockedVersions::AsItIs };
            (own, locked)
        }
    };
    if let Some(crates) = assumed {
        let (cargo_root, editions) = workspace.map(|known| (known.cargo_root, known.editions)).unwrap_or_default();
        workspace = Some(WorkspaceCrates { cargo_root, crates, editions, findings: Vec::new() });
    }
    let resolution = Resolution::load_for(context, workspace, ResolutionDetail::asked(name), FetchReport::default());
    report.add_briefly(&resolution.diagnostics.sources);
    resolution.report_sources(report);
    Ok((resolution, locked))
}

/// Returns the version that a `--version` value stands for: the highest locked one that it allows, or else the lowest.
fn meant_version(written: &str, locked: &[Version]) -> Result<Version, CliError> {
    if let Ok(version) = Version::parse(written) {
        return Ok(version);
    }
    let refused = |why: String| {
        CliError::usage(format!("`{written}` is not a version{why}")).hint("pass a version such as `1.40` or `0.8.5`")
    };
    match VersionRequirement::parse(written) {
        Ok(requirement) if requirement.lowest() > Version::new(0, 0, 0) => {
            let allowed = locked.iter().filter(|version| requirement.allows(version)).max();
            Ok(allowed.cloned().unwrap_or_else(|| requirement.lowest()))
        }
        Ok(_) => Err(refused(String::new())),
        Err(error) => Err(refused(format!(": {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locked_version_is_meant_where_it_is_allowed() {
        let locked = ["0.8.5", "0.9.2", "0.9.5"].map(|version| Version::parse(version).unwrap());
        for (written, meant) in
            [("0.9", "0.9.5"), ("0.9.1", "0.9.1"), ("0.8", "0.8.5"), ("0.10", "0.10.0"), ("1", "1.0.0")]
        {
            assert_eq!(meant_version(written, &locked).unwrap().to_string(), meant, "{written}");
        }
        assert!(meant_version("x", &locked).is_err() && meant_version("*", &locked).is_err());
    }
}
