//! Questions to indexes: the outline of a crate, one item, or words.

mod exact;
mod outline;
mod query;
mod rank;
pub(crate) mod text;

pub use exact::{CrateLink, ItemReexport, ItemView, find_item, find_off_name, follow_link};
pub use outline::{OUTLINE_BYTES, print_outline};
pub use query::{MOST_QUERY, strip_code};
pub use rank::{MOST_HITS, SearchHit, SearchHits, search_words};

#[cfg(test)]
mod tests;
