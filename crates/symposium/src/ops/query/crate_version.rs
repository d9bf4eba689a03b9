//! Resolves the version of a crate that a question is about.

use semver::Version;
use symposium_io::cargo::WorkspaceCrates;
use symposium_model::crates::{CrateName, CrateSet, VersionRequirement};

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
    /// One was named on the command line.
    AsAsked,
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
    let (assumed, locked) = match version {
        Some(written) => {
            let assumed = known.unwrap_or(&CrateSet::empty()).assuming(name, lowest(written)?);
            (Some(assumed), LockedVersions::AsAsked)
        }
        None => {
            let is_used = |set: &CrateSet| set.versions(name, catalog::scope(&context.settings)).next().is_some();
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

/// The version a `--version` value stands for.
fn lowest(written: &str) -> Result<Version, CliError> {
    if let Ok(version) = Version::parse(written) {
        return Ok(version);
    }
    let refused = |why: String| {
        CliError::usage(format!("`{written}` is not a version{why}")).hint("pass a version such as `1.40` or `0.8.5`")
    };
    match VersionRequirement::parse(written) {
        Ok(requirement) if requirement.lowest() > Version::new(0, 0, 0) => Ok(requirement.lowest()),
        Ok(_) => Err(refused(String::new())),
        Err(error) => Err(refused(format!(": {error}"))),
    }
}
