//! The values `sync` works with: the ledger, the desired and the observed state, and the changes between them.

mod amendment;
mod change;
pub mod desired;
pub mod diff;
mod install_name;
mod intended;
mod ledger;
mod observed;
mod prune_guard;
mod scope;
mod text_changes;
mod toggle_update;
mod tree;
mod written_entry;

pub use crate::fingerprint::{ContentFingerprint, fingerprint};
pub use amendment::{FileAmendment, TextHunk, hunks};
pub use change::{ChangeSet, ChangeStep, PlannedChange, RemainingEntries, SyncNotice, UserEdits};
pub use desired::{DesiredFile, DesiredSkill, DesiredState, InstallPolicy, SkillSource};
pub use install_name::is_name_free;
pub use ledger::{Ledger, LedgerRecord, RegisteredEvent, WrittenContent};
pub use observed::{InstalledState, Observed, ObservedText, ReadFailure};
pub use prune_guard::PruneGuard;
pub use scope::SyncScope;
pub use text_changes::text_changes;
pub use toggle_update::{ToggleChange, ToggleUpdate, removed_choices, update_toggles};
pub use tree::{CommitPolicy, SkillFile, SkillTree, is_ignore_mark};
pub use written_entry::WrittenEntry;
