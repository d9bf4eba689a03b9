//! `symposium import`.

use std::io::IsTerminal;

use serde::Serialize;
use symposium_agents::import::{MergeAction, SkippedEntry};
use symposium_agents::{Scope, spec};

use super::args::{GlobalArgs, ImportArgs};
use super::session::CliSession;
use crate::error::{CliError, CommandExit};
use crate::ops::agent_paths::AgentRoots;
use crate::ops::import::{self, HookMeaning, ImportReport, ImportedPart, PROJECT_PLUGINS};
use crate::ops::ledger_store;
use crate::ops::project_source::{SourceListing, name_source};
use crate::ui::printer::{OutputFormat, OutputPrinter, VerbosityLevel};
use crate::ui::prompt;
use crate::ui::text::{StyledText, count_of, pad, wrap};

/// The column at which long lines are wrapped.
const WIDTH: usize = 80;

#[derive(Serialize)]
struct Document<'i> {
    version: u32,
    from: &'static str,
    plugin: String,
    imported: Vec<ImportedRow<'i>>,
    left_out: Vec<LeftOutRow<'i>>,
    warnings: &'i [String],
}

#[derive(Serialize)]
struct ImportedRow<'i> {
    kind: &'static str,
    name: &'i str,
    from: &'i str,
    #[serde(skip_serializing_if = "Option::is_none")]
    was: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#as: Option<String>,
    state: &'static str,
    changes: &'i [String],
}

#[derive(Serialize)]
struct LeftOutRow<'i> {
    what: &'i str,
    why: &'i str,
    from: &'i str,
}

pub(super) fn run(args: &ImportArgs, global: &GlobalArgs, printer: OutputPrinter) -> Result<CommandExit, CliError> {
    let scope = if args.project { Scope::Project } else { Scope::User };
    let consent = confirm(args, scope, global, printer)?;
    let (mut session, _held) = if consent == ImportConsent::NotNeeded {
        (CliSession::logged(printer, global)?, None)
    } else {
        CliSession::locked(printer, global).map(|(session, lock)| (session, Some(lock)))?
    };
    let ledger = session.run(|context, report| ledger_store::read_restored(&context.directories, report));
    let import = import::gather(&session.context, args.from, scope, &ledger)?;
    let mut named = SourceListing::Already;
    if consent == ImportConsent::Given && import.changes_anything() {
        import::write(session.context.root(), &import)?;
        if scope == Scope::Project {
            named = session.run(name_source)?;
        }
    }
    match printer.answer {
        OutputFormat::Json => printer.json(&document(&import)),
        OutputFormat::Human => {
            printer.text(&report(session.context.roots(), &import, args.writing.dry_run));
            for warning in &import.warnings {
                printer.warning(warning);
            }
            if named == SourceListing::Now {
                printer.note(&format!("Added the source {PROJECT_PLUGINS} to .symposium/config.toml"));
            }
            advise(printer, &import, args.writing.dry_run);
        }
    }
    session.report(&import.broken);
    Ok(session.exit(CommandExit::Ok))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ImportConsent {
    Given,
    /// Nothing is to be written.
    NotNeeded,
}

/// Shows in a terminal what would be imported, and asks for a yes. Elsewhere only `--yes` is one.
fn confirm(
    args: &ImportArgs,
    scope: Scope,
    global: &GlobalArgs,
    printer: OutputPrinter,
) -> Result<ImportConsent, CliError> {
    if args.writing.dry_run {
        return Ok(ImportConsent::NotNeeded);
    }
    // The lock is not held during the prompt, so other runs do not wait for the user.
    let silent = OutputPrinter { verbosity: VerbosityLevel::Silent, ..printer };
    let mut session = CliSession::logged(silent, global)?;
    let ledger = session.run(|context, report| ledger_store::read_restored(&context.directories, report));
    let import = import::gather(&session.context, args.from, scope, &ledger)?;
    if !import.changes_anything() {
        return Ok(ImportConsent::NotNeeded);
    }
    if args.writing.yes {
        return Ok(ImportConsent::Given);
    }
    if !std::io::stdin().is_terminal() || printer.answer == OutputFormat::Json {
        let error = CliError::usage("Nothing was changed: `import` needs confirmation");
        return Err(error.hint("pass `--yes` to confirm, or `--dry-run` to show the changes"));
    }
    printer.text(&report(session.context.roots(), &import, true));
    match prompt::agree("Import this?") {
        Ok(true) => Ok(ImportConsent::Given),
        Ok(false) => Err(CliError::no("Nothing was changed")),
        Err(error) => Err(CliError::unanswered(&error)),
    }
}

fn document(import: &ImportReport) -> Document<'_> {
    let text = |meant: &Option<HookMeaning>| meant.as_ref().map(meaning);
    Document {
        version: 1,
        from: import.agent.name(),
        plugin: import.directory.display().to_string(),
        imported: import
            .rows
            .iter()
            .map(|row| ImportedRow {
                kind: row.kind,
                name: &row.name,
                from: &row.from,
                was: text(&row.was),
                r#as: text(&row.is),
                state: row.fate.word(),
                changes: &row.changes,
            })
            .collect(),
        left_out: import
            .left_out
            .iter()
            .map(|left| LeftOutRow { what: &left.what, why: &left.why, from: &left.file })
            .collect(),
        warnings: &import.warnings,
    }
}

fn meaning(meant: &HookMeaning) -> String {
    match &meant.matcher {
        Some(matcher) => format!("{} {matcher}", meant.event),
        None => meant.event.clone(),
    }
}

fn report(roots: AgentRoots<'_>, import: &ImportReport, dry_run: bool) -> StyledText {
    let title = spec(import.agent).title;
    let place = roots.shown(&import.directory);
    let mut text = StyledText::default();
    if import.rows.is_empty() {
        text = text.line(format!("There is nothing to import from {title} here."));
    } else {
        let counted: Vec<String> = [("hook", "hook"), ("server", "MCP server"), ("skill", "skill")]
            .into_iter()
            .map(|(kind, word)| (import.rows.iter().filter(|row| row.kind == kind).count(), word))
            .filter(|(number, _)| *number > 0)
            .map(|(number, word)| count_of(number, word))
            .collect();
        let verb = match (import.changes_anything(), dry_run) {
            (true, false) => "Imported",
            (true, true) => "Would import",
            (false, _) => "Nothing to do:",
        };
        let end = if import.changes_anything() { "into" } else { "already in" };
        text = text.line(format!("{verb} {} from {title} {end}", counted.join(", "))).line(place);
        text = rows(text, &import.rows);
    }
    left_out(text, &import.left_out)
}

/// The rows below the files they come from.
fn rows(mut text: StyledText, rows: &[ImportedPart]) -> StyledText {
    let mut files: Vec<&str> = Vec::new();
    for row in rows {
        let file = origin(row);
        if !files.contains(&file) {
            files.push(file);
        }
    }
    let longest = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or_default().min(28);
    for file in files {
        text = text.end().heading(file);
        for row in rows.iter().filter(|row| origin(row) == file) {
            let meant = row.is.as_ref().map(meaning).unwrap_or_default();
            let fate = match row.fate {
                MergeAction::New => String::new(),
                MergeAction::Unchanged => " (already there)".to_owned(),
                MergeAction::Updated => " (updated)".to_owned(),
                MergeAction::Kept => " (yours, kept)".to_owned(),
            };
            let line = format!("  {} {}  {meant}", pad(row.kind, 6), pad(&row.name, longest));
            text = text.plain(line.trim_end()).dim(fate).end();
            for change in &row.changes {
                text = wrapped(text, change, "           ");
            }
        }
    }
    text
}

/// The heading a row stands under: a skill's is the directory of skills.
fn origin(row: &ImportedPart) -> &str {
    match row.kind {
        "skill" => row.from.rsplit_once('/').map_or(row.from.as_str(), |(directory, _)| directory),
        _ => &row.from,
    }
}

/// Appends the entries that were left out, grouped by file.
fn left_out(mut text: StyledText, left: &[SkippedEntry]) -> StyledText {
    let mut files: Vec<&str> = Vec::new();
    for left in left {
        if !files.contains(&left.file.as_str()) {
            files.push(&left.file);
        }
    }
    for file in files {
        text = text.end().heading(format!("Not imported from {file}"));
        for left in left.iter().filter(|left| left.file == file) {
            text = text.line(format!("  {}", left.what));
            text = wrapped(text, &left.why, "      ");
        }
    }
    text
}

fn wrapped(mut text: StyledText, long: &str, indent: &str) -> StyledText {
    for line in wrap(long, WIDTH - indent.len()) {
        text = text.dim(format!("{indent}{line}")).end();
    }
    text
}

fn advise(printer: OutputPrinter, import: &ImportReport, dry_run: bool) {
    if import.rows.is_empty() || dry_run || !import.changes_anything() {
        return;
    }
    let title = spec(import.agent).title;
    let next = match import.scope {
        Scope::User => "Run `symposium sync` to install it for your agents",
        Scope::Project => {
            "Run `symposium trust` to grant its programs, then `symposium sync` to install it for your agents"
        }
    };
    printer.note(next);
    printer.note(&format!(
        "{title} keeps its original entries; the imported copies are skipped there until you remove the originals"
    ));
}
