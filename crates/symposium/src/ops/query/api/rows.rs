//! Items and crates as an answer shows them.

use std::collections::BTreeSet;

use symposium_api::{ApiItem, CrateIndex, are_features_on};
use symposium_io::api_cache::IndexFault;

use super::workspace::ApiWorkspace;

/// A crate that was looked into.
#[derive(Debug, Clone)]
pub(crate) struct ApiCrateRow {
    /// The name that code uses.
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) is_complete: bool,
    /// Says what is missing.
    pub(crate) reason: Option<String>,
    /// Packages of that name that are locked too, with their versions.
    pub(crate) others: Vec<String>,
}

/// A public item.
#[derive(Debug, Clone)]
pub(crate) struct ApiItemRow {
    /// The path with the name of the crate.
    pub(crate) path: String,
    pub(crate) kind: &'static str,
    pub(crate) signature: String,
    pub(crate) docs: String,
    pub(crate) deprecated: Option<String>,
    pub(crate) feature: Option<String>,
    pub(crate) is_enabled: bool,
    pub(crate) file: String,
    pub(crate) line: u32,
}

impl ApiCrateRow {
    pub(super) fn new(index: &CrateIndex, others: Vec<String>) -> Self {
        let reasons = &index.completeness.reasons;
        Self {
            name: index.name.clone(),
            version: index.package.version.clone(),
            is_complete: reasons.is_empty(),
            reason: (!reasons.is_empty()).then(|| reasons.join("; ")),
            others,
        }
    }

    /// The row of a crate that has no index; nothing for one without a library.
    pub(super) fn without_index(workspace: &ApiWorkspace<'_>, position: usize, fault: IndexFault) -> Option<Self> {
        let reason = match fault {
            IndexFault::MissingSource => "its source is not on this machine; `cargo fetch` brings it",
            IndexFault::NoLibrary => return None,
            IndexFault::Failed => "its source could not be read",
        };
        Some(Self {
            name: workspace.code_name(position),
            version: workspace.package(position)?.version.clone(),
            is_complete: false,
            reason: Some(reason.to_owned()),
            others: Vec::new(),
        })
    }
}

/// Turns items of one index into rows.
pub(super) struct RowMaker<'w> {
    workspace: &'w ApiWorkspace<'w>,
    index: &'w CrateIndex,
    position: usize,
    /// Features that the workspace asks for; nothing for a crate that it does not name.
    asked: Option<BTreeSet<String>>,
}

impl<'w> RowMaker<'w> {
    /// Makes rows of the package at a position.
    pub(super) fn new(workspace: &'w ApiWorkspace<'w>, index: &'w CrateIndex, position: usize) -> Self {
        let package = workspace.package(position);
        let asked = package.and_then(|package| package.asked.as_ref()).map(|asked| asked.iter().cloned().collect());
        Self { workspace, index, position, asked }
    }

    pub(super) fn make(&self, item: &ApiItem) -> ApiItemRow {
        let name = &self.index.name;
        ApiItemRow {
            path: if item.path.is_empty() { name.clone() } else { format!("{name}::{}", item.path) },
            kind: item.kind.word(),
            signature: item.signature.clone(),
            docs: item.docs.clone(),
            deprecated: item.deprecated.clone(),
            feature: item.feature.clone(),
            is_enabled: self.is_enabled(item),
            file: self.file(item),
            line: item.line,
        }
    }

    /// Says whether the workspace's manifests turn on what an item needs. The features of what a crate re-exports are
    /// those of the other crate.
    fn is_enabled(&self, item: &ApiItem) -> bool {
        match (&item.feature, &self.asked, item.origin) {
            (Some(feature), Some(asked), None) if !item.is_off => are_features_on(feature, asked),
            _ => !item.is_off,
        }
    }

    fn file(&self, item: &ApiItem) -> String {
        let origin = item.origin.and_then(|origin| self.index.origins.get(usize::from(origin)));
        let position = match origin {
            Some(package) => self.workspace.position_of(package, self.position),
            None => Some(self.position),
        };
        let directory = position.and_then(|position| self.workspace.package(position)?.directory.clone());
        match directory {
            Some(directory) if !item.file.is_empty() => directory.join(&item.file).display().to_string(),
            _ => item.file.clone(),
        }
    }
}
