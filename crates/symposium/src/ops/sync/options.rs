//! The options of a sync.

use symposium_model::sync::SyncScope;
use symposium_model::sync::diff::RemovedRulePolicy;

use crate::ops::catalog::CacheMode;
use crate::ops::lockfile::LockMode;
use crate::ops::reconcile::committed_files::CommittedFiles;
use crate::ops::reconcile::compare::RestoreOptions;
use crate::ops::reconcile::lock_changes::VendorMode;

#[derive(Debug, Clone, Copy)]
pub(crate) struct SyncOptions<'e> {
    pub(crate) workspace: bool,
    pub(crate) agent: bool,
    /// The files that are updated: outside a workspace only the user's can be.
    pub(crate) sweep: SyncScope,
    pub(crate) mode: WriteMode,
    pub(crate) restore: RestoreOptions<'e>,
    pub(crate) lock: LockMode,
    pub(crate) vendoring: VendorMode,
    pub(crate) committed: CommittedFiles,
    pub(crate) gone_guards: GoneGuards,
}

impl SyncOptions<'static> {
    /// Everything there is, as it is chosen.
    pub(crate) fn everything(mode: WriteMode) -> Self {
        Self {
            workspace: true,
            agent: true,
            sweep: SyncScope::UserAndWorkspace,
            mode,
            restore: RestoreOptions { skills: &[], rules: RemovedRulePolicy::StayRemoved },
            lock: LockMode::Update,
            vendoring: VendorMode::Update,
            committed: CommittedFiles::Written,
            gone_guards: GoneGuards::Kept,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GoneGuards {
    Kept,
    /// They end if a person runs the command, who is told.
    ReleasedByPerson,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteMode {
    Write,
    DryRun,
    /// It is only shown, and something to do is a no.
    Check,
}

impl WriteMode {
    /// Whether what is remembered of sources is brought up to date.
    pub(super) fn upkeep(self) -> CacheMode {
        match self {
            Self::Write => CacheMode::Renew,
            Self::DryRun | Self::Check => CacheMode::LeaveAlone,
        }
    }
}
