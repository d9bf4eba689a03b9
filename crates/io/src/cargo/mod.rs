//! Cargo workspaces on disk: their location, dependencies and sources. Cargo itself is never started.

mod caller_disk;
mod crate_files;
mod glob_walk;
mod libraries;
mod locate;
mod manifest_file;
mod members;
mod package_search;
mod read;
mod search_boundary;
mod sources;
mod workspace_root;

pub use crate_files::{CrateEntry, CrateFile, CrateFiles, ReadRefusal};
pub use libraries::LibrarySearch;
pub use locate::{FoundBy, LocatedWorkspace, WorkspaceSearch, locate, located_at};
pub use read::{WorkspaceCrates, read};
pub use search_boundary::{SearchBoundary, ignored_project};
pub use sources::{CrateSource, SourceFinder, SourceRoots, awaited_mark, find_source, is_written};
