//! `symposium import`.

use serde::Serialize;
use symposium_agents::import::{Fate, LeftOut};
use symposium_agents::{Scope, spec};
use symposium_edit::add_source;
use symposium_model::config::{PROJECT_FILE, Scope as ConfigScope, SourceKind, source_specs};

use super::args::{Global, ImportArgs};
use crate::app::begin;
use crate::app::context::Context;
use crate::app::import::{self, Import, Meant, PROJECT_PLUGINS, Row};
use crate::app::in_step;
use crate::app::sync::ledger_file;
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::printer::{Answer, Printer};
use crate::ui::text::{Text, count_of, pad, wrap};

/// What the source of a project's plugins is called.
const SOURCE: &str = "project-plugins";

/// Where long lines are broken.
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

/// Runs the command.
pub(super) fn run(args: &ImportArgs, global: &Global, printer: Printer) -> Result<Exit, CliError> {
    let scope = if args.project { Scope::Project } else { Scope::Global };
    let (mut context, _held) = if args.writing.dry_run {
        (super::logged(printer, global)?, None)
    } else {
        begin::locked(printer, &global.source).map(|(context, lock)| (context, Some(lock)))?
    };
    let ledger = ledger_file::read(&context);
    let import = import::gather(&context, args.from, scope, &ledger)?;
    let mut named = Named::Already;
    if !args.writing.dry_run && import.changes_anything() {
        import::write(&context, &import)?;
        if scope == Scope::Project {
            named = name_source(&mut context)?;
        }
    }
    match printer.answer {
        Answer::Json => printer.json(&document(&import)),
        Answer::Human => {
            printer.text(&report(&context, &import, args.writing.dry_run));
            for warning in &import.warnings {
                printer.warning(warning);
            }
            if named == Named::Now {
                printer.note(&format!("{PROJECT_PLUGINS} is a source in .symposium/config.toml now"));
            }
            advise(&context, &import, args.writing.dry_run);
        }
    }
    context.report(&import.broken);
    Ok(context.closing(Exit::Ok))
}

/// Whether the project's configuration names its plugins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    /// It did, or nothing had to be named.
    Already,
    /// It was made to.
    Now,
}

/// Makes the project's plugins a source of its configuration, unless they are one.
fn name_source(context: &mut Context) -> Result<Named, CliError> {
    let Some(root) = context.root().map(std::path::Path::to_owned) else { return Ok(Named::Already) };
    let plugins = root.join(PROJECT_PLUGINS);
    let is_named = |context: &Context| {
        let home = context.home.as_deref();
        let (specs, _) = source_specs(&context.settings, &context.directories, home, Some(&root), &[]);
        specs.iter().any(|spec| matches!(&spec.kind, SourceKind::Path(path) if *path == plugins))
    };
    if is_named(context) {
        return Ok(Named::Already);
    }
    let table = format!("[[plugin-source]]\nname = \"{SOURCE}\"\npath = \"{PROJECT_PLUGINS}\"\n");
    let current = context.project_text();
    let table = table.lines();
    let hint = "add these lines to .symposium/config.toml yourself";
    if context.is_broken(ConfigScope::Project) {
        let error = CliError::failed("The project's configuration cannot be understood, so this is not written to it:");
        return Err(error.list(table).hint(hint));
    }
    let path = root.join(PROJECT_FILE);
    let text = add_source(current.as_deref().unwrap_or_default(), SOURCE, PROJECT_PLUGINS)
        .map_err(|error| CliError::because(error.diagnostic(path.display().to_string())))?;
    let action = in_step::configuring(context, ConfigScope::Project, &text);
    context.assume(ConfigScope::Project, &text);
    if !is_named(context) {
        let error =
            CliError::failed("The project's configuration has its sources in another form, so this is missing:");
        return Err(error.list(table).hint(hint));
    }
    if let Some(action) = action {
        in_step::write(context, action)?;
    }
    Ok(Named::Now)
}

fn document(import: &Import) -> Document<'_> {
    let text = |meant: &Option<Meant>| meant.as_ref().map(meaning);
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

fn meaning(meant: &Meant) -> String {
    match &meant.matcher {
        Some(matcher) => format!("{} {matcher}", meant.event),
        None => meant.event.clone(),
    }
}

fn report(context: &Context, import: &Import, dry_run: bool) -> Text {
    let title = spec(import.agent).title;
    let place = import::place(context, &import.directory);
    let mut text = Text::default();
    if import.rows.is_empty() {
        text = text.line(format!("Nothing of {title} can be imported here."));
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
fn rows(mut text: Text, rows: &[Row]) -> Text {
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
                Fate::New => String::new(),
                Fate::Unchanged => " (already there)".to_owned(),
                Fate::Updated => " (updated)".to_owned(),
                Fate::Kept => " (yours, kept)".to_owned(),
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
fn origin(row: &Row) -> &str {
    match row.kind {
        "skill" => row.from.rsplit_once('/').map_or(row.from.as_str(), |(directory, _)| directory),
        _ => &row.from,
    }
}

/// What is left out, below the files it is in.
fn left_out(mut text: Text, left: &[LeftOut]) -> Text {
    let mut files: Vec<&str> = Vec::new();
    for left in left {
        if !files.contains(&left.file.as_str()) {
            files.push(&left.file);
        }
    }
    for file in files {
        text = text.end().heading(format!("Left out of {file}"));
        for left in left.iter().filter(|left| left.file == file) {
            text = text.line(format!("  {}", left.what));
            text = wrapped(text, &left.why, "      ");
        }
    }
    text
}

fn wrapped(mut text: Text, long: &str, indent: &str) -> Text {
    for line in wrap(long, WIDTH - indent.len()) {
        text = text.dim(format!("{indent}{line}")).end();
    }
    text
}

/// What to do next.
fn advise(context: &Context, import: &Import, dry_run: bool) {
    if import.rows.is_empty() || dry_run || !import.changes_anything() {
        return;
    }
    let title = spec(import.agent).title;
    let next = match import.scope {
        Scope::Global => "`symposium sync` brings it to your agents",
        Scope::Project => "`symposium trust` allows what it runs, and `symposium sync` brings it to your agents",
    };
    context.printer.note(next);
    context
        .printer
        .note(&format!("{title} keeps its own entries; the copies of them do not run there until you remove those"));
}
