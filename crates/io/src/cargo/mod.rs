//! Cargo workspaces on disk: where they are, what they depend on, where the sources are. Cargo itself is never started.

mod boundary;
mod crate_files;
mod glob_walk;
mod ground;
mod locate;
mod manifest_file;
mod members;
mod package_search;
mod read;
mod sources;
mod workspace_root;

pub use boundary::{Boundary, ignored_project};
pub use crate_files::{CrateFile, CrateFiles, Place, Refused};
pub use locate::{FoundBy, Located, Sighting, locate, located_at};
pub use read::{WorkspaceCrates, read};
pub use sources::{CrateSource, SourceFinder, SourceRoots, find_source};
