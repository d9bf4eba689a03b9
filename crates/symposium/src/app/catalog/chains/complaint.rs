//! Why something a plugin brings along is not there, at the place in the manifest that asks for it.

use std::ops::Range;

use symposium_model::catalog::{Catalog, Findings, PluginId};
use symposium_model::diagnostic::Diagnostic;

use crate::app::catalog::source_files::tree_of;

/// Text of a manifest is read again up to this size, to show a place in it.
const MAX_MANIFEST: u64 = 1024 * 1024;

/// Why something is not there.
pub(super) struct Complaint {
    /// What is wrong.
    pub(super) message: String,
    /// What to do about it.
    pub(super) help: String,
    /// How much it matters.
    pub(super) weight: Weight,
}

/// How much it matters that something is not there.
#[derive(Debug, Clone, Copy)]
pub(super) enum Weight {
    /// The manifest is wrong.
    Fault,
    /// It is not on this machine yet.
    Awaited,
    /// It is not for this workspace.
    Remark,
}

impl Complaint {
    /// Something is missing.
    pub(super) fn fault(message: &str, help: &str) -> Self {
        Self { message: message.to_owned(), help: help.to_owned(), weight: Weight::Fault }
    }

    /// Nothing is missing that could be here.
    pub(super) fn remark(message: &str) -> Self {
        Self { message: message.to_owned(), help: String::new(), weight: Weight::Remark }
    }
}

/// A crate whose source cargo has not unpacked here.
pub(super) fn absent(title: &str) -> Complaint {
    let message = format!("the source of crate {title} is not on this machine");
    Complaint {
        message,
        help: "`cargo fetch` brings it; then run `symposium sync`".to_owned(),
        weight: Weight::Awaited,
    }
}

/// Says what is missing, at the place in the manifest that asks for it.
pub(super) fn complain(
    catalog: &mut Catalog,
    (plugin, place): (PluginId, &Range<usize>),
    what: &str,
    complaint: Complaint,
) {
    let Some((source, loaded)) = catalog.plugin(plugin) else { return };
    let text = tree_of(source).and_then(|tree| tree.read_text(&loaded.path, MAX_MANIFEST).ok()).unwrap_or_default();
    let mut found =
        Diagnostic::warning(loaded.shown.clone(), format!("{what}: {}", complaint.message)).at(&text, place.clone());
    if !complaint.help.is_empty() {
        found = found.help(complaint.help);
    }
    let mut findings = Findings::default();
    match complaint.weight {
        Weight::Fault => findings.faults.push(found),
        Weight::Awaited => findings.awaited.push(found),
        Weight::Remark => findings.remarks.push(found),
    }
    if let Some(source) = catalog.sources.get_mut(plugin.source) {
        source.findings.extend(findings);
    }
}
