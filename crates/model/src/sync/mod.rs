//! The values that `sync` works with: the ledger of written files, and the files to write.

mod amendment;
mod ledger;
mod skill_diff;
mod toggle_update;
mod tree;
mod written_entry;

pub use crate::fingerprint::{Fingerprint, fingerprint};
pub use amendment::{Amendment, Hunk, hunks};
pub use ledger::{Ledger, LedgerRecord, RegisteredEvent, WrittenContent};
pub use skill_diff::text_changes;
pub use toggle_update::{Completeness, ToggleChange, reconcile};
pub use tree::{CommitPolicy, SkillFile, SkillTree};
pub use written_entry::WrittenEntry;
