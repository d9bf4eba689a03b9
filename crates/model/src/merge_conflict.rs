//! Finds the markers of an unresolved merge conflict.

use std::ops::Range;

const MARKERS: [&str; 4] = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"];

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
