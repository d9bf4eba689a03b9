//! What a run covers, and whether it writes.

use crate::app::catalog::Upkeep;
use crate::app::locking::Demand;
use crate::app::sync::committed::CommittedFiles;
use crate::app::sync::locked::Vendoring;
use crate::app::sync::sweep::Sweep;

/// What a run covers and whether it writes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent<'e> {
    /// The toggles of the project.
    pub(crate) workspace: bool,
    /// What agents read.
    pub(crate) agent: bool,
    /// Whose files are kept in step: outside a workspace only the user's can be.
    pub(crate) sweep: Sweep,
    /// Whether anything is written.
    pub(crate) mode: Mode,
    /// Skills to put back even if they were edited.
    pub(crate) restore: &'e [String],
    /// What becomes of the lock.
    pub(crate) lock: Demand,
    /// What becomes of vendored sources.
    pub(crate) vendoring: Vendoring,
    /// How files are treated that the project commits.
    pub(crate) committed: CommittedFiles,
    /// How policy hooks are treated whose manifests are gone.
    pub(crate) gone_guards: GoneGuards,
}

impl Extent<'static> {
    /// Everything there is, as it is chosen.
    pub(crate) fn everything(mode: Mode) -> Self {
        Self {
            workspace: true,
            agent: true,
            sweep: Sweep::UserAndWorkspace,
            mode,
            restore: &[],
            lock: Demand::InStep,
            vendoring: Vendoring::InStep,
            committed: CommittedFiles::Written,
            gone_guards: GoneGuards::Kept,
        }
    }
}

/// How policy hooks are treated whose manifests are gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GoneGuards {
    /// They stay in force.
    Kept,
    /// A person is told, and they go.
    Released,
}

/// Whether anything is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// It is.
    Write,
    /// It is only shown.
    DryRun,
    /// It is only shown, and something to do is a no.
    Check,
}

impl Mode {
    /// Whether what is remembered of sources is brought up to date.
    pub(super) fn upkeep(self) -> Upkeep {
        match self {
            Self::Write => Upkeep::Renew,
            Self::DryRun | Self::Check => Upkeep::LeaveAlone,
        }
    }
}
