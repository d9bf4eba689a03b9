//! A review as Markdown for a pull request. Everything that the change itself wrote stands in code, where it can neither
//! format the comment nor mention a person.

use symposium_model::review::{ReviewChange, ReviewSection};
use symposium_model::scan::{one_line, plain_lines};
use symposium_model::trust::ContentChangeKind;

use super::{finding_text, headline};
use crate::ops::query::review::ReviewReport;
use crate::ui::text::count_of;

/// Lines of a file, characters of a value, and bytes of a comment on GitHub.
const MAX_LINES: usize = 60;
const MAX_VALUE: usize = 500;
const MAX_COMMENT: usize = 60_000;

pub(super) fn write(report: &ReviewReport) -> String {
    let mut page = format!("### Symposium: {}\n", plain(&headline(report)));
    let of_change = |change: &ReviewChange| {
        let named = |finding| format!("{} {}: {}", change.kind, change.name, finding_text(finding));
        change.findings.iter().map(named).collect::<Vec<_>>()
    };
    let findings: Vec<String> = report.changes.iter().flat_map(of_change).collect();
    if !findings.is_empty() {
        page.push_str(&format!(
            "\n> [!WARNING]\n> {} in the new text and commands:\n",
            count_of(findings.len(), "warning")
        ));
        for finding in &findings {
            page.push_str(&format!("> - {}\n", code(finding)));
        }
    }
    for section in ReviewSection::ALL {
        let changes: Vec<&ReviewChange> = report.changes.iter().filter(|change| change.section == section).collect();
        if changes.is_empty() {
            continue;
        }
        page.push_str(&format!("\n#### {}\n\n", section.heading()));
        for (at, change) in changes.iter().enumerate() {
            let part = change_part(change);
            if page.len() + part.len() > MAX_COMMENT {
                let more = count_of(changes.len() - at, "more change");
                page.push_str(&format!("- {more}; run `symposium diff` to see all of them\n"));
                break;
            }
            page.push_str(&part);
        }
    }
    page
}

fn change_part(change: &ReviewChange) -> String {
    let mut part = format!("- **{}** {} {}", change.change.name(), change.kind, code(&change.name));
    if !change.note.is_empty() {
        part.push_str(&format!(" ({})", code(&change.note)));
    }
    part.push('\n');
    if change.change == ContentChangeKind::Removed {
        return part;
    }
    for detail in &change.details {
        let value = match (&detail.before, &detail.after) {
            (Some(before), Some(after)) => format!("{} → {}", code(before), code(after)),
            (None, Some(after)) => code(after),
            (Some(before), None) => format!("no longer {}", code(before)),
            (None, None) => continue,
        };
        part.push_str(&format!("  - {}: {value}\n", code(&detail.label)));
    }
    for file in &change.files {
        part.push_str(&format!("  - {} file {}\n", file.change.name(), code(&file.path)));
        if file.difference.is_empty() || file.change == ContentChangeKind::Removed {
            continue;
        }
        let shown: Vec<String> =
            file.difference.iter().take(MAX_LINES).map(|line| one_line(line).into_owned()).collect();
        let more = file.difference.len() - shown.len() + file.more;
        let fence = "`".repeat(longest_run(&shown.join("\n")).max(2) + 1);
        part.push_str(&format!("\n    {fence}diff\n"));
        for line in &shown {
            part.push_str(&format!("    {line}\n"));
        }
        if more > 0 {
            part.push_str(&format!("    … {}\n", count_of(more, "more line")));
        }
        part.push_str(&format!("    {fence}\n\n"));
    }
    part
}

/// Puts a value into a code span that it cannot end.
fn code(value: &str) -> String {
    let value = one_line(value.trim());
    let mut value: String = value.chars().take(MAX_VALUE).collect();
    if value.is_empty() {
        value.push(' ');
    }
    let ticks = "`".repeat(longest_run(&value) + 1);
    if ticks.len() == 1 { format!("`{value}`") } else { format!("{ticks} {value} {ticks}") }
}

/// Removes what Markdown would read in the names of revisions.
fn plain(text: &str) -> String {
    let is_mark = |c: char| matches!(c, '<' | '>' | '[' | ']' | '`' | '*' | '@' | '&' | '|' | '\n');
    plain_lines(text).chars().filter(|c| !is_mark(*c)).collect()
}

/// Returns the length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_value_leaves_its_code() {
        for (value, shown) in [
            ("a", "`a`"),
            ("", "` `"),
            ("a `b` c", "`` a `b` c ``"),
            ("``` @all", "```` ``` @all ````"),
            ("a\nb", "`a ⏎ b`"),
            ("a\u{202e}b", "`ab`"),
        ] {
            assert_eq!(code(value), shown);
        }
    }
}
