//! What we wrote, and what should be written: the values `sync` works with.

mod amendment;
mod ledger;
mod moved;
mod reconcile;
mod tree;
mod written_entry;

pub use crate::fingerprint::{Fingerprint, fingerprint};
pub use amendment::{Amendment, Hunk, hunks};
pub use ledger::{Ledger, Record, RegisteredEvent, Written};
pub use moved::text_changes;
pub use reconcile::{Completeness, ToggleChange, reconcile};
pub use tree::{Commit, SkillFile, SkillTree};
pub use written_entry::WrittenEntry;
