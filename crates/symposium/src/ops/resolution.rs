//! What a sync works from, read before anything is said about it: it may have to be read again.

use symposium_io::cargo::WorkspaceCrates;
use symposium_model::catalog::{Catalog, RelevantCrates};
use symposium_model::crates::CrateSet;

use super::catalog;
use super::catalog::CacheMode;
use super::context::Context;
use crate::ui::printer::Printer;

/// The workspace's crates, and what the sources hold.
pub(crate) struct WorkspaceReading {
    /// The crates; `None` outside any workspace.
    pub(crate) workspace: Option<WorkspaceCrates>,
    pub(crate) catalog: Catalog,
}

impl WorkspaceReading {
    pub(crate) fn load(context: &mut Context, upkeep: CacheMode) -> Self {
        let printer = std::mem::replace(&mut context.printer, Printer::silent());
        let workspace = context.workspace_crates();
        let crates = workspace.as_ref().map(|workspace| &workspace.crates);
        let catalog = catalog::read_relevant_silently(context, &RelevantCrates { crates, asked: None }, upkeep);
        context.printer = printer;
        Self { workspace, catalog }
    }

    pub(crate) fn crates(&self) -> Option<&CrateSet> {
        self.workspace.as_ref().map(|workspace| &workspace.crates)
    }

    /// Says what is wrong with what was read.
    pub(crate) fn report(&self, context: &Context) {
        let findings = self.workspace.as_ref().map(|workspace| workspace.findings.as_slice()).unwrap_or_default();
        context.printer.diagnostics(findings);
        let (_, problems) = catalog::specs(context);
        context.report_briefly(&problems);
        catalog::report(context, &self.catalog);
    }
}
