//! Sources: where plugins come from, read into one catalog.
//!
//! Every kind of source ends as a [`Tree`], a read-only view of files: the embedded one is a table in the program, a
//! path is a directory, and what is fetched becomes a directory in the cache first. Everything after that is the same
//! code for all of them.

mod allowance;
mod contents;
mod crate_plugin;
mod directory;
mod discover;
mod embedded;
mod fetch_error;
mod files;
mod git;
mod index;
#[cfg(test)]
pub(crate) mod layers;
mod load;
mod owned;
mod recorder;
mod relevant;
mod root_handle;
mod sign;
mod tarball;
mod transfer;
mod tree;
mod walk;
mod whole;

pub(crate) use allowance::Allowance;
pub use contents::Refusal;
pub use crate_plugin::{CrateSigns, crate_signs, crate_skill_directories, load_crate, load_own_crate, package_name};
pub use directory::DirectoryTree;
pub use discover::is_manifest_of;
pub use embedded::{EmbeddedFile, EmbeddedTree, unpack};
pub use fetch_error::{FetchError, Patience, shown_size};
pub use files::skill_files;
pub use git::{Arrival, Change, Fetched, GitCache, GitCopy, PinnedCommit, git_record};
pub use load::{Audience, MAX_SKILL, find_manifests, find_skills, load_group, load_plugin, load_source, plugin_skills};
pub use relevant::{Memory, load_relevant};
pub use tarball::paths as archive_paths;
pub use transfer::ByteCount;
pub use tree::{Listing, Tree, TreeEntry, TreeEntryKind, TreeError, TreeState};
pub use whole::{whole_fingerprint, whole_source};
