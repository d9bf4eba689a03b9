//! A review for a terminal.

use symposium_model::review::{DetailChange, FileChange, ReviewChange, ReviewSection};
use symposium_model::trust::ContentChangeKind;

use super::{finding_text, headline};
use crate::ops::query::review::ReviewReport;
use crate::ui::text::{StyledText, count_of};

/// Lines of a file that are shown.
const MAX_LINES: usize = 40;

pub(super) fn write(report: &ReviewReport) -> StyledText {
    let mut text = StyledText::default().strong(headline(report)).end();
    for section in ReviewSection::ALL {
        let changes: Vec<&ReviewChange> = report.changes.iter().filter(|change| change.section == section).collect();
        if changes.is_empty() {
            continue;
        }
        text = text.end().heading(section.heading());
        text = changes.into_iter().fold(text, add_change);
    }
    let warnings = report.changes.iter().map(|change| change.findings.len()).sum::<usize>();
    if warnings > 0 {
        text = text.end().warning(format!("{} in the new text and commands.", count_of(warnings, "warning"))).end();
    }
    text
}

fn add_change(text: StyledText, change: &ReviewChange) -> StyledText {
    let text = match change.change {
        ContentChangeKind::Added => text.good("  + "),
        ContentChangeKind::Removed => text.error("  - "),
        ContentChangeKind::Changed => text.action("  ~ "),
    };
    let mut text = text.plain(format!("{} ", change.kind)).strong(&change.name);
    if !change.note.is_empty() {
        text = text.dim(format!(" ({})", change.note));
    }
    text = text.end();
    if change.change != ContentChangeKind::Removed {
        text = change.details.iter().fold(text, add_detail);
        text = change.files.iter().fold(text, add_file);
    }
    for finding in &change.findings {
        text = text.plain("      ").warning("warning").line(format!(": {}", finding_text(finding)));
    }
    text
}

fn add_detail(text: StyledText, detail: &DetailChange) -> StyledText {
    match (&detail.before, &detail.after) {
        (None, Some(after)) if after.contains('\n') => {
            let text = text.line(format!("      {}:", detail.label));
            after.lines().fold(text, |text, line| text.plain("      | ").line(line))
        }
        (None, Some(after)) => text.line(format!("      {}: {after}", detail.label)),
        (Some(before), None) => text.line(format!("      {}: no longer {before}", detail.label)),
        (Some(before), Some(after)) if is_short(before) && is_short(after) => {
            text.line(format!("      {}: {before} -> {after}", detail.label))
        }
        (before, after) => {
            let mut text = text.line(format!("      {}", detail.label));
            for (sign, value) in [("-", before), ("+", after)] {
                for line in value.iter().flat_map(|value| value.lines()) {
                    text = text.plain("      | ").line(format!("{sign} {line}"));
                }
            }
            text
        }
    }
}

fn is_short(value: &str) -> bool {
    value.chars().count() <= 60 && !value.contains('\n')
}

fn add_file(mut text: StyledText, file: &FileChange) -> StyledText {
    if file.mode.is_none() || !file.difference.is_empty() {
        text = text.line(format!("      file {} {}", file.path, file.change.name()));
    }
    if let Some(mode) = file.mode {
        text = text.line(format!("      file {} {mode}", file.path));
    }
    if file.change == ContentChangeKind::Removed {
        return text;
    }
    for line in file.difference.iter().take(MAX_LINES) {
        text = text.plain("      | ").line(line);
    }
    let more = file.difference.len().saturating_sub(MAX_LINES) + file.more;
    if more > 0 {
        let hint = if file.more == 0 { "; `--json` shows them" } else { "" };
        text = text.line(format!("      … {}{hint}", count_of(more, "more line")));
    } else if file.difference.is_empty() && file.mode.is_none() {
        text = text.line("      (not text)");
    }
    text
}
