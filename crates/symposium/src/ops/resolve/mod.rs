//! Resolves what applies in the workspace of a call: its crates, what the sources hold, what is selected of it, and what
//! of that may run. Nothing is printed here; every command works on a [`Resolution`].

mod select;

use symposium_io::cargo::{self, WorkspaceCrates};
use symposium_model::authority;
use symposium_model::catalog::{Catalog, PluginId};
use symposium_model::crates::{CrateName, CrateSet};
use symposium_model::diagnostic::Diagnostic;
use symposium_model::select::{Selection, SkillState};
use symposium_model::sync::Ledger;

use super::catalog::{self, CacheMode, SourceDetail};
use super::context::Context;
use super::fetch_report::FetchReport;
use super::installations::MissingInstallation;
use super::trust::{TrustDetail, TrustReport};
use super::{installations, ledger_store};
use crate::run_report::RunReport;

pub(crate) struct Resolution {
    /// The crates; `None` outside any workspace.
    pub(crate) workspace: Option<WorkspaceCrates>,
    pub(crate) catalog: Catalog,
    pub(crate) selection: Selection,
    pub(crate) trust: TrustReport,
    pub(crate) ledger: Ledger,
    pub(crate) fetched: FetchReport,
    pub(crate) diagnostics: ResolutionDiagnostics,
}

/// Faults that are part of no other value of a resolution.
#[derive(Debug, Default)]
pub(crate) struct ResolutionDiagnostics {
    /// About how sources are configured.
    pub(crate) sources: Vec<Diagnostic>,
    pub(crate) ledger: Vec<Diagnostic>,
}

/// The parts of a resolution that a command needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResolutionDetail<'d> {
    pub(crate) sources: SourceDetail<'d>,
    pub(crate) trust: TrustDetail,
    pub(crate) ledger: LedgerDetail,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LedgerDetail {
    /// It stays empty: the command reads it to write it, or has no use for it.
    Skip,
    Read,
    /// Files that a killed run left under another name are put back too.
    Restore,
}

impl ResolutionDetail<'static> {
    /// All of every source, what plugins would run, and the ledger.
    pub(crate) const EVERYTHING: Self =
        Self { sources: SourceDetail::All, trust: TrustDetail::Everything, ledger: LedgerDetail::Restore };

    /// Only the sources.
    pub(crate) const SOURCES: Self = Self { trust: TrustDetail::Skip, ledger: LedgerDetail::Skip, ..Self::EVERYTHING };

    /// The extensions that could apply to the crates of the workspace.
    pub(crate) const RELEVANT: Self = Self::relevant(CacheMode::LeaveAlone);

    /// The same, with the cache of sources kept up to date or not.
    pub(crate) const fn relevant(cache: CacheMode) -> Self {
        Self { sources: SourceDetail::Relevant { asked: None, cache }, ..Self::SOURCES }
    }
}

impl<'d> ResolutionDetail<'d> {
    /// The extensions that could apply to the crates of the workspace, or to one that need not be among them.
    pub(crate) fn asked(name: &'d CrateName) -> Self {
        let sources = SourceDetail::Relevant { asked: Some(name), cache: CacheMode::LeaveAlone };
        Self { sources, ..ResolutionDetail::SOURCES }
    }

    pub(crate) fn with_trust(self, trust: TrustDetail) -> Self {
        Self { trust, ..self }
    }

    pub(crate) fn with_ledger(self, ledger: LedgerDetail) -> Self {
        Self { ledger, ..self }
    }
}

impl Resolution {
    pub(crate) fn load(context: &Context, detail: ResolutionDetail<'_>) -> Self {
        Self::load_for(context, read_workspace(context), detail, FetchReport::default())
    }

    /// Resolves after sources were fetched.
    pub(crate) fn load_fetched(context: &Context, detail: ResolutionDetail<'_>, fetched: FetchReport) -> Self {
        Self::load_for(context, read_workspace(context), detail, fetched)
    }

    /// Resolves for these crates, which need not be those of the workspace.
    pub(crate) fn load_for(
        context: &Context,
        workspace: Option<WorkspaceCrates>,
        detail: ResolutionDetail<'_>,
        fetched: FetchReport,
    ) -> Self {
        let crates = workspace.as_ref().map(|workspace| &workspace.crates);
        let (catalog, sources) = catalog::read(context, crates, detail.sources, &fetched);
        let selection = select::select(context, &catalog, crates);
        let (ledger, fault) = match detail.ledger {
            LedgerDetail::Skip => (Ledger::default(), None),
            LedgerDetail::Read | LedgerDetail::Restore => ledger_store::read(&context.directories),
        };
        if detail.ledger == LedgerDetail::Restore {
            ledger_store::restore_files(&ledger);
        }
        let diagnostics = ResolutionDiagnostics { sources, ledger: fault.into_iter().collect() };
        let trust = TrustReport::default();
        let mut resolution = Self { workspace, catalog, selection, trust, ledger, fetched, diagnostics };
        resolution.load_trust(context, detail.trust);
        resolution
    }

    /// Finds out what may run.
    pub(crate) fn load_trust(&mut self, context: &Context, detail: TrustDetail) {
        self.trust = TrustReport::load(context, &self.catalog, &self.selection, detail);
    }

    /// Selects anew, after something was switched.
    pub(crate) fn select(&mut self, context: &Context) {
        self.selection = select::select(context, &self.catalog, self.crates());
    }

    /// Selects as in a home without extensions of the user's own; `None` if those take the place of no other.
    pub(crate) fn select_shared(&self, context: &Context) -> Option<Selection> {
        let is_personal = |id: PluginId| {
            let source = self.catalog.sources.get(id.source);
            source.is_some_and(|source| authority::is_personal(source.spec.rank))
        };
        let by_plugin = self.selection.plugins.iter().filter_map(|verdict| verdict.shadowed_by);
        let by_skill = self.selection.skills.iter().filter_map(|verdict| match verdict.state {
            SkillState::Shadowed(winner) => Some(winner.plugin),
            _ => None,
        });
        if !by_plugin.chain(by_skill).any(is_personal) {
            return None;
        }
        let mut shared = self.catalog.clone();
        for source in shared.sources.iter_mut().filter(|source| authority::is_personal(source.spec.rank)) {
            source.plugins.clear();
        }
        Some(select::select(context, &shared, self.crates()))
    }

    /// Resolves again for the same crates in another context, without fetching anything.
    pub(crate) fn load_again(&self, context: &Context) -> Self {
        let fetched = FetchReport { pins: self.fetched.pins, ..FetchReport::default() };
        let detail = ResolutionDetail { sources: SourceDetail::Known(&self.catalog), ..ResolutionDetail::SOURCES };
        Self::load_for(context, self.workspace.clone(), detail, fetched)
    }

    pub(crate) fn crates(&self) -> Option<&CrateSet> {
        self.workspace.as_ref().map(|workspace| &workspace.crates)
    }

    /// Lists the installations that permitted plugins need and that are not made.
    pub(crate) fn missing_installations(&self, context: &Context) -> Vec<MissingInstallation> {
        let Self { catalog, selection, trust, .. } = self;
        installations::unmade(&context.choices(), &context.directories, catalog, selection, trust)
    }

    /// Reports everything that could not be read, in the order of reading.
    pub(crate) fn report(&self, report: &mut RunReport) {
        self.report_inputs(report);
        self.report_sources(report);
        report.add_briefly(&self.diagnostics.ledger);
    }

    /// Reports faults of the workspace, and of how sources are configured.
    pub(crate) fn report_inputs(&self, report: &mut RunReport) {
        report.add(self.workspace.as_ref().map(|workspace| workspace.findings.as_slice()).unwrap_or_default());
        report.add_briefly(&self.diagnostics.sources);
    }

    /// Reports faults of the sources themselves.
    pub(crate) fn report_sources(&self, report: &mut RunReport) {
        for source in &self.catalog.sources {
            report.add_briefly(&source.findings.faults);
            report.add_briefly(&source.findings.awaited);
        }
    }
}

/// Reads the crates of the workspace; `None` outside any.
pub(crate) fn read_workspace(context: &Context) -> Option<WorkspaceCrates> {
    let workspace = cargo::read(context.root()?, &context.boundary);
    tracing::info!(crates = workspace.crates.crates().len(), lock = ?workspace.crates.lock(), "read workspace");
    Some(workspace)
}
