//! The differences between two revisions, item by item.

use super::item::{ItemDetail, ReviewItem, ReviewSection, ReviewedFile};
use crate::line_diff::difference;
use crate::scan::{ScanSeverity, scan};
use crate::trust::ContentChangeKind;

/// The label of the reason why something of an item is not shown.
pub const NOT_REVIEWED: &str = "not reviewed";
/// The longest difference of a file, in lines.
pub const MAX_DIFFERENCE: usize = 2_000;
/// The longest line of a difference that is shown whole, in characters.
const MAX_LINE: usize = 4_000;

/// An item that is not the same in both revisions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewChange {
    pub section: ReviewSection,
    pub kind: &'static str,
    pub name: String,
    pub source: String,
    pub change: ContentChangeKind,
    pub note: String,
    pub details: Vec<DetailChange>,
    pub files: Vec<FileChange>,
    /// Passages of the new texts that deserve a second look.
    pub findings: Vec<ReviewFinding>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetailChange {
    pub label: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    pub path: String,
    pub change: ContentChangeKind,
    /// Lines that begin with `- `, `+ ` or two blanks; empty for a file that is not text.
    pub difference: Vec<String>,
    /// The number of lines that are left out.
    pub more: usize,
    /// Says whether a file that is there already has become executable, or is executable no longer.
    pub mode: Option<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewFinding {
    /// A file, or the label of a detail.
    pub place: String,
    /// `None` for a detail, which has no lines.
    pub line: Option<usize>,
    pub what: &'static str,
    pub severity: ScanSeverity,
}

/// Lists everything that differs, in the order of the sections, then by kind and name.
pub fn compare_reviews(before: &[ReviewItem], after: &[ReviewItem]) -> Vec<ReviewChange> {
    // Of several items that look alike, those that are the same belong together.
    let mut old: Vec<&ReviewItem> = before.iter().collect();
    let mut take =
        |is_it: &dyn Fn(&ReviewItem) -> bool| old.iter().position(|item| is_it(item)).map(|at| old.remove(at));
    let is_new =
        |item: &&ReviewItem| take(&|old| old.is_version_of(item) && compare_items(Some(old), item).is_none()).is_none();
    let new: Vec<&ReviewItem> = after.iter().filter(is_new).collect();
    let mut changes: Vec<ReviewChange> =
        new.into_iter().filter_map(|item| compare_items(take(&|old| old.is_version_of(item)), item)).collect();
    changes.extend(old.into_iter().map(removed));
    changes.sort_by(|one, other| (one.section, one.kind, &one.name).cmp(&(other.section, other.kind, &other.name)));
    note_sources(&mut changes);
    changes
}

/// Adds the source to the note of changes that look alike without it.
fn note_sources(changes: &mut [ReviewChange]) {
    let is_alike = |one: &ReviewChange, other: &ReviewChange| (one.kind, &one.name) == (other.kind, &other.name);
    let is_doubtful = |change: &ReviewChange| changes.iter().filter(|other| is_alike(change, other)).count() > 1;
    let doubtful: Vec<bool> = changes.iter().map(|change| !change.source.is_empty() && is_doubtful(change)).collect();
    for (change, _) in changes.iter_mut().zip(doubtful).filter(|(_, is_doubtful)| *is_doubtful) {
        let source = format!("from {}", change.source);
        change.note = if change.note.is_empty() { source } else { format!("{}, {source}", change.note) };
    }
}

fn removed(item: &ReviewItem) -> ReviewChange {
    let details = item.details.iter().map(|detail| DetailChange {
        label: detail.label.clone(),
        before: Some(detail.value.clone()),
        after: None,
    });
    ReviewChange {
        section: item.section,
        kind: item.kind,
        name: item.name.clone(),
        source: item.source.clone(),
        change: ContentChangeKind::Removed,
        note: item.note.clone(),
        details: details.collect(),
        files: Vec::new(),
        findings: Vec::new(),
    }
}

fn compare_items(before: Option<&ReviewItem>, after: &ReviewItem) -> Option<ReviewChange> {
    let old_details = before.map(|item| item.details.as_slice()).unwrap_or_default();
    let old_files = before.map(|item| item.files.as_slice()).unwrap_or_default();
    let mut details = compare_details(old_details, &after.details);
    let files = compare_files(old_files, &after.files);
    let change = if before.is_some() { ContentChangeKind::Changed } else { ContentChangeKind::Added };
    if change == ContentChangeKind::Changed && details.is_empty() && files.is_empty() {
        return None;
    }
    // A change of what is not shown says so each time.
    let is_said = details.iter().any(|detail| detail.label == NOT_REVIEWED);
    let reason = after.details.iter().find(|detail| detail.label == NOT_REVIEWED && !is_said);
    details.extend(reason.map(|reason| DetailChange {
        label: reason.label.clone(),
        before: None,
        after: Some(reason.value.clone()),
    }));
    let new_details = details.iter().filter_map(|detail| Some((&detail.label, detail.after.as_ref()?)));
    // Of an item that was there before, the name is the same.
    let new_name = before.is_none().then_some(("its name", after.name.as_str()));
    let new_details = new_details.map(|(label, value)| (label.as_str(), value.as_str()));
    let new_values = new_name.into_iter().chain(new_details);
    let mut findings: Vec<ReviewFinding> =
        new_values.flat_map(|(label, value)| find_suspicious(label, value, |_| None)).collect();
    for file in after.files.iter().filter(|file| !old_files.contains(file)) {
        let text = file.text.as_deref().unwrap_or_default();
        let line = |start: usize| Some(text.get(..start).unwrap_or_default().matches('\n').count() + 1);
        findings.extend(find_suspicious(&file.path, text, line));
    }
    Some(ReviewChange {
        section: after.section,
        kind: after.kind,
        name: after.name.clone(),
        source: after.source.clone(),
        change,
        note: after.note.clone(),
        details,
        files,
        findings,
    })
}

/// Finds what deserves a second look, each kind once a line.
fn find_suspicious(place: &str, text: &str, line: impl Fn(usize) -> Option<usize>) -> Vec<ReviewFinding> {
    let mut found: Vec<ReviewFinding> = Vec::new();
    for finding in scan(text) {
        let (what, line) = (finding.kind.describe(), line(finding.span.start));
        if !found.iter().any(|known| (known.what, known.line) == (what, line)) {
            found.push(ReviewFinding { place: place.to_owned(), line, what, severity: finding.severity });
        }
    }
    found
}

fn compare_details(before: &[ItemDetail], after: &[ItemDetail]) -> Vec<DetailChange> {
    // Nothing hides behind another of its name.
    let value_in = |details: &[ItemDetail], label: &str| {
        let values = details.iter().filter(|detail| detail.label == label).map(|detail| detail.value.as_str());
        let values: Vec<&str> = values.collect();
        (!values.is_empty()).then(|| values.join(" and "))
    };
    let mut labels: Vec<String> = Vec::new();
    for detail in after.iter().chain(before) {
        if !labels.contains(&detail.label) {
            labels.push(detail.label.clone());
        }
    }
    let changes = labels.into_iter().map(|label| DetailChange {
        before: value_in(before, &label),
        after: value_in(after, &label),
        label,
    });
    changes.filter(|change| change.before != change.after).collect()
}

fn compare_files(before: &[ReviewedFile], after: &[ReviewedFile]) -> Vec<FileChange> {
    let mut changes = Vec::new();
    for file in after {
        let old = before.iter().find(|old| old.path == file.path);
        let mode = match (old.map(|old| old.is_executable), file.is_executable) {
            (Some(false), true) => Some("is now executable"),
            (Some(true), false) => Some("is no longer executable"),
            _ => None,
        };
        let change = match old {
            Some(old) if old == file => continue,
            Some(_) => ContentChangeKind::Changed,
            None => ContentChangeKind::Added,
        };
        // Of a file that was no text, all lines of the text are new.
        let former = old.and_then(|old| old.text.as_deref()).unwrap_or_default();
        changes.push(FileChange { mode, ..file_change(&file.path, change, former, file.text.as_deref()) });
    }
    for old in before.iter().filter(|old| !after.iter().any(|file| file.path == old.path)) {
        changes.push(file_change(&old.path, ContentChangeKind::Removed, "", None));
    }
    changes
}

fn file_change(path: &str, change: ContentChangeKind, before: &str, after: Option<&str>) -> FileChange {
    let mut lines = after.map(|after| difference(before, after)).unwrap_or_default();
    let more = lines.len().saturating_sub(MAX_DIFFERENCE);
    lines.truncate(MAX_DIFFERENCE);
    for line in &mut lines {
        if let Some((end, _)) = line.char_indices().nth(MAX_LINE) {
            let more = line.split_off(end).chars().count();
            line.push_str(&format!(" … {more} more characters"));
        }
    }
    FileChange { path: path.to_owned(), change, difference: lines, more, mode: None }
}

#[cfg(test)]
#[path = "change_tests.rs"]
mod tests;
