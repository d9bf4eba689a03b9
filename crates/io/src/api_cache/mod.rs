//! The indexes of the public items of crates, made once for each version and kept in the cache.
//!
//! A file is named by everything that its index depends on and that is known without reading sources. It lists the rest:
//! the indexes that it was made with, and the stamps of files that can change. A file that is cut, foreign or stale is
//! made again; several processes may do that at once.

mod build;
mod graph_file;
mod indexed_stamp;
mod prune;
mod record;
mod store;

pub use graph_file::{cached_libraries, previous_version, read_libraries};
pub use indexed_stamp::{IndexedStamp, is_started, mark_start, revoke_start};
pub use prune::MOST_BYTES;
pub use store::{IndexFault, IndexStore, StoredIndex};
