//! Sources of plugins, loaded into one catalog.
//!
//! Every kind of source becomes a [`SourceTree`], a read-only view of files: the embedded one is a table in the
//! program, a path is a directory, and a fetched one becomes a directory in the cache first. The code after that is the
//! same for all of them.

mod cached_load;
mod contents;
mod crate_plugin;
mod directory;
mod discover;
mod embedded;
mod fetch_error;
mod files;
mod full_tree;
mod git;
mod index;
#[cfg(test)]
pub(crate) mod layers;
mod listing_recorder;
mod load;
mod metadata_hash;
mod owned_directories;
mod root_handle;
mod search_index;
mod source_cache;
mod tarball;
mod transfer;
mod tree;
mod walk;
mod walk_allowance;
mod workspace_skills;

pub use cached_load::{SourceMemory, load_relevant};
pub use contents::ContentRefusal;
pub use crate_plugin::{CrateSigns, crate_signs, crate_skill_directories, load_crate, load_own_crate, package_name};
pub use directory::DirectoryTree;
pub use discover::is_manifest_of;
pub use embedded::{EmbeddedFile, EmbeddedTree, unpack};
pub use fetch_error::{FetchError, FetchLimits, shown_size};
pub use files::skill_files;
pub use full_tree::{whole_fingerprint, whole_source};
pub use git::{CheckoutOrigin, FetchResult, GitCache, GitCopy, PinnedCommit, SourceChange, git_record};
pub use index::{IndexDemand, IndexWriter, PackedPlugin, PluginIndexCache, PluginIndexRecord, index_record};
pub use load::{
    MAX_SKILL, ReadAudience, find_manifests, find_skills, load_group, load_plugin, load_source, plugin_skills,
};
pub use search_index::{SearchIndex, SourceStability, load_places, parse_search_line, plugin_lines, search_index};
pub use tarball::paths as archive_paths;
pub use transfer::ByteCount;
pub use tree::{DirectoryListing, SourceTree, TreeEntry, TreeEntryKind, TreeError, TreeState};
pub(crate) use walk_allowance::DirectoryAllowance;
pub use workspace_skills::load_workspace;
