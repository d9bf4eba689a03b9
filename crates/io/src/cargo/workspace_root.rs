//! Search for the cargo workspace of a package, based on manifests alone.

use std::path::Path;

use symposium_model::crates::lexical_path;
use symposium_model::crates::resolve::ManifestFile;
use symposium_model::diagnostic::Diagnostic;

use super::manifest_file::{ManifestLookup, read_manifest};
use super::members::{WorkspaceMembers, gather};
use super::search_boundary::SearchBoundary;

/// Finds the workspace of the package: its own, the one it points to, the nearest one above that includes it, or the
/// package alone.
pub(super) fn find(own: ManifestFile, boundary: &SearchBoundary) -> WorkspaceMembers {
    if own.manifest.workspace.is_some() {
        return gather(own);
    }
    let pointer = own.manifest.package.as_ref().and_then(|package| package.workspace.clone());
    if let Some(pointer) = pointer {
        return pointed_to(own, &pointer);
    }
    for directory in boundary.own_upwards(&own.directory).iter().filter(|directory| **directory != own.directory) {
        if let Some(members) = including(&own, directory) {
            return members;
        }
    }
    gather(own)
}

fn pointed_to(own: ManifestFile, pointer: &str) -> WorkspaceMembers {
    let directory = lexical_path::normal(&own.directory.join(pointer));
    let mut findings = Vec::new();
    if let ManifestLookup::Read(root) = read_manifest(&directory, &mut findings)
        && root.manifest.workspace.is_some()
    {
        let mut members = gather(*root);
        members.findings.splice(..0, findings);
        return members;
    }
    let message = format!("`workspace = \"{pointer}\"` is not the root of a workspace");
    findings.push(Diagnostic::error(&own.path, message).help("set it to the directory of the root manifest"));
    let mut members = gather(own);
    members.findings.splice(..0, findings);
    members
}

fn including(own: &ManifestFile, directory: &Path) -> Option<WorkspaceMembers> {
    let mut findings = Vec::new();
    let ManifestLookup::Read(root) = read_manifest(directory, &mut findings) else { return None };
    let table = root.manifest.workspace.as_ref()?;
    if table.excludes(&root.directory, &own.directory) {
        return None;
    }
    let mut members = gather(*root);
    members.findings.splice(..0, findings);
    members.contains(&own.directory).then_some(members)
}
