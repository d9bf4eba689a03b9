//! `symposium diff`: what a change of the project means for agents.

mod markdown;
mod page;

use serde::Serialize;
use symposium_model::config::NamedDirectories;
use symposium_model::review::{DetailChange, FileChange, ReviewChange, ReviewFinding};
use symposium_model::scan::ScanSeverity;

use super::args::DiffArgs;
use super::session::CliSession;
use crate::error::{CliError, CommandExit};
use crate::ops::query::review::{ReviewReport, ReviewedRevision, review};
use crate::ui::printer::OutputFormat;

#[derive(Serialize)]
struct DiffDocument<'d> {
    version: u32,
    from: RevisionRow<'d>,
    to: RevisionRow<'d>,
    changes: Vec<ReviewChangeRow<'d>>,
}

#[derive(Serialize)]
struct RevisionRow<'d> {
    name: &'d str,
    commit: Option<&'d str>,
}

#[derive(Serialize)]
struct ReviewChangeRow<'d> {
    section: &'static str,
    kind: &'static str,
    name: &'d str,
    /// The name of the source that it comes from; empty for what is no part of a source.
    source: &'d str,
    change: &'static str,
    note: &'d str,
    details: Vec<DetailRow<'d>>,
    files: Vec<FileChangeRow<'d>>,
    findings: Vec<ReviewFindingRow<'d>>,
}

#[derive(Serialize)]
struct DetailRow<'d> {
    label: &'d str,
    before: Option<&'d str>,
    after: Option<&'d str>,
}

#[derive(Serialize)]
struct FileChangeRow<'d> {
    path: &'d str,
    change: &'static str,
    difference: &'d [String],
    /// Lines that are left out.
    more: usize,
    /// Whether the file has become executable, or is executable no longer.
    mode: Option<&'static str>,
}

#[derive(Serialize)]
struct ReviewFindingRow<'d> {
    place: &'d str,
    line: Option<usize>,
    what: &'static str,
    /// Whether Symposium keeps a skill with it from agents.
    blocking: bool,
}

pub(super) fn run(session: &mut CliSession, args: &DiffArgs) -> Result<CommandExit, CliError> {
    let Some(root) = session.context.root().map(std::path::Path::to_owned) else {
        let error = CliError::failed("This directory is not part of a cargo workspace, so there is nothing to compare");
        return Err(error.hint("run the command in a directory with a Cargo.toml, or name one with `-C DIR`"));
    };
    let directories = &session.context.directories;
    let ours = NamedDirectories {
        cache: Some(directories.cache.clone()),
        logs: Some(directories.logs.clone()),
        ..NamedDirectories::default()
    };
    let report = session.run(|_, report| review(&root, ours, args.revision.as_deref(), report))?;
    match session.printer.answer {
        OutputFormat::Json => session.printer.json(&document(&report)),
        OutputFormat::Human if args.markdown => {
            session.printer.raw(markdown::write(&report).as_bytes());
        }
        OutputFormat::Human => session.printer.text(&page::write(&report)),
    }
    Ok(CommandExit::Ok)
}

/// Names both sides in one line.
fn headline(report: &ReviewReport) -> String {
    let (before, after) = (report.before.shown(), report.after.shown());
    if report.changes.is_empty() {
        format!("Nothing changes for agents from {before} to {after}.")
    } else {
        format!("Changes for agents from {before} to {after}")
    }
}

fn finding_text(finding: &ReviewFinding) -> String {
    let place = match finding.line {
        Some(line) => format!("{}:{line}", finding.place),
        None => finding.place.clone(),
    };
    let hidden = match finding.severity {
        ScanSeverity::Blocking => ", which readers cannot see",
        ScanSeverity::Notice => "",
    };
    format!("{place} has {}{hidden}", finding.what)
}

fn document(report: &ReviewReport) -> DiffDocument<'_> {
    DiffDocument {
        version: 1,
        from: revision_row(&report.before),
        to: revision_row(&report.after),
        changes: report.changes.iter().map(change_row).collect(),
    }
}

fn revision_row(revision: &ReviewedRevision) -> RevisionRow<'_> {
    RevisionRow { name: &revision.name, commit: revision.commit.as_deref() }
}

fn change_row(change: &ReviewChange) -> ReviewChangeRow<'_> {
    ReviewChangeRow {
        section: change.section.name(),
        kind: change.kind,
        name: &change.name,
        source: &change.source,
        change: change.change.name(),
        note: &change.note,
        details: change.details.iter().map(detail_row).collect(),
        files: change.files.iter().map(file_row).collect(),
        findings: change.findings.iter().map(finding_row).collect(),
    }
}

fn detail_row(detail: &DetailChange) -> DetailRow<'_> {
    DetailRow { label: &detail.label, before: detail.before.as_deref(), after: detail.after.as_deref() }
}

fn file_row(file: &FileChange) -> FileChangeRow<'_> {
    FileChangeRow {
        path: &file.path,
        change: file.change.name(),
        difference: &file.difference,
        more: file.more,
        mode: file.mode,
    }
}

fn finding_row(finding: &ReviewFinding) -> ReviewFindingRow<'_> {
    let blocking = finding.severity == ScanSeverity::Blocking;
    ReviewFindingRow { place: &finding.place, line: finding.line, what: finding.what, blocking }
}
