//! Why something a plugin brings along is not there, at the place in the manifest that asks for it.

use std::ops::Range;

use symposium_model::catalog::{Catalog, PluginId, SourceDiagnostics};
use symposium_model::diagnostic::Diagnostic;

use crate::ops::catalog::source_files::tree_of;

/// Text of a manifest is read again up to this size, to show a place in it.
const MAX_MANIFEST: u64 = 1024 * 1024;

pub(super) struct DependencyProblem {
    pub(super) message: String,
    pub(super) help: String,
    pub(super) weight: ProblemWeight,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum ProblemWeight {
    Fault,
    /// It is not on this machine yet.
    Awaited,
    /// It is not for this workspace.
    Remark,
}

impl DependencyProblem {
    pub(super) fn fault(message: &str, help: &str) -> Self {
        Self { message: message.to_owned(), help: help.to_owned(), weight: ProblemWeight::Fault }
    }

    /// Nothing is missing that could be here.
    pub(super) fn remark(message: &str) -> Self {
        Self { message: message.to_owned(), help: String::new(), weight: ProblemWeight::Remark }
    }
}

/// A crate whose source cargo has not unpacked here.
pub(super) fn absent(title: &str) -> DependencyProblem {
    let message = format!("the source of crate {title} is not on this machine");
    DependencyProblem {
        message,
        help: "run `cargo fetch`, then `symposium sync`".to_owned(),
        weight: ProblemWeight::Awaited,
    }
}

/// Says what is missing, at the place in the manifest that asks for it.
pub(super) fn complain(
    catalog: &mut Catalog,
    plugin: PluginId,
    place: &Range<usize>,
    what: &str,
    complaint: DependencyProblem,
) {
    let Some((source, loaded)) = catalog.plugin(plugin) else { return };
    let text = tree_of(source).and_then(|tree| tree.read_text(&loaded.path, MAX_MANIFEST).ok()).unwrap_or_default();
    let mut found =
        Diagnostic::warning(loaded.shown.clone(), format!("{what}: {}", complaint.message)).at(&text, place.clone());
    if !complaint.help.is_empty() {
        found = found.help(complaint.help);
    }
    let mut findings = SourceDiagnostics::default();
    match complaint.weight {
        ProblemWeight::Fault => findings.faults.push(found),
        ProblemWeight::Awaited => findings.awaited.push(found),
        ProblemWeight::Remark => findings.remarks.push(found),
    }
    if let Some(source) = catalog.sources.get_mut(plugin.source) {
        source.findings.extend(findings);
    }
}
