//! Traces of a merge that nobody finished.

use std::ops::Range;

const MARKERS: [&str; 4] = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"];

/// The first marker that git left at the start of a line.
pub(crate) fn conflict_marker(text: &str) -> Option<Range<usize>> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(marker) = MARKERS.iter().find(|marker| line.starts_with(**marker)) {
            return Some(at..at + marker.len());
        }
        at += line.len();
    }
    None
}
