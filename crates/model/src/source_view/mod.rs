//! Extracts the parts of a crate's source to show to an agent: lines of a file, matching lines, examples. Text in, text
//! out.

mod cursor;
mod examples;
mod lines;
mod search;

pub use cursor::SourceCursor;
pub use examples::{CodeBlock, ProseFormat, code_blocks};
pub use lines::{LineRange, SourceExcerpt, excerpt, shortened};
pub use search::{FileMatches, LineMatch, OutputBudget, SearchPattern, matching_lines};
