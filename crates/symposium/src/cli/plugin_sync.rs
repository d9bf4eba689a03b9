//! `symposium plugin sync`: fresh copies of sources in git and of indexes, now.

use serde::Serialize;
use symposium_model::catalog::Catalog;
use symposium_model::config::{FetchTrigger, NamedDirectories, SourceSpec};
use symposium_model::suggest::advice;

use super::args::{GlobalArgs, WritingArgs};
use super::session::CliSession;
use crate::error::{CliError, CommandExit};
use crate::ops::context::Context;
use crate::ops::fetch_index::FetchMode;
use crate::ops::fetch_report::{
    FetchOutcome, FetchPermission, FetchReport, change_of, fetch_failure, is_same_repository, moved_with, short,
    went_back,
};
use crate::ops::resolve::{Resolution, ResolutionDetail};
use crate::ops::{catalog, fetch};
use crate::ui::printer::{OutputFormat, OutputPrinter};
use crate::ui::text::{StyledText, pad};

#[derive(Serialize)]
struct Document {
    version: u32,
    sources: Vec<Row>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    name: String,
    url: String,
    /// `fetched`, `updated`, `unchanged`, `failed`, or `would-fetch`.
    state: &'static str,
    commit: Option<String>,
    previous: Option<String>,
    error: Option<String>,
}

pub(super) fn run(
    name: Option<&str>,
    writing: WritingArgs,
    global: &GlobalArgs,
    printer: OutputPrinter,
) -> Result<CommandExit, CliError> {
    let mut session = CliSession::load(printer, global)?;
    let context = &session.context;
    if writing.dry_run || super::is_offline(global) {
        context.start_log_if_there();
    } else {
        context.start_log();
    }
    let (_, problems) = catalog::specs(context);
    session.report_briefly(&problems);
    let context = &session.context;
    let mut wanted = fetch::due(context, FetchTrigger::Asked);
    // What else is wrong here is not what was asked about.
    let fetched = FetchReport { more: FetchPermission::Allowed(FetchTrigger::Asked), ..FetchReport::default() };
    let resolution = Resolution::load_fetched(context, ResolutionDetail::RELEVANT, fetched);
    wanted.extend(fetch::brought(context, &resolution));
    if let Some(name) = name {
        let Some(named) = wanted.iter().find(|spec| spec.name == name).cloned() else {
            return Err(not_fetched(&resolution.catalog, name));
        };
        // Sources that share its checkout move with it.
        wanted.retain(|spec| spec.name == name || is_same_repository(spec, &named));
    }
    if super::is_offline(global) {
        let error = CliError::failed("Nothing was fetched, because Symposium is offline");
        return Err(error.hint("remove `--offline`, or unset SYMPOSIUM_OFFLINE and CARGO_NET_OFFLINE"));
    }
    if writing.dry_run {
        show(printer, wanted.iter().map(|spec| row(spec, "would-fetch")).collect(), Vec::new());
        return Ok(session.exit(CommandExit::Ok));
    }
    let outcomes = fetch::fetch(context, &wanted, &FetchReport::default(), FetchMode::following(FetchTrigger::Asked));
    let rows = outcomes.iter().map(|outcome| described(moved_with(outcome, &outcomes), &outcome.spec)).collect();
    let warnings = warnings(&outcomes);
    let failed = outcomes.iter().any(|outcome| outcome.result.is_err());
    show(printer, rows, warnings);
    Ok(session.exit(if failed { CommandExit::Partial } else { CommandExit::Ok }))
}

/// Fetches old sources in the background, at the start of a session. It asks and prints nothing.
pub(super) fn fetch_due(ours: NamedDirectories, global: &GlobalArgs) -> Result<CommandExit, CliError> {
    // Outside any project, so that no project decides what is fetched.
    let context = Context::load_in_background(None, ours)?;
    if super::is_offline(global) {
        return Ok(CommandExit::Ok);
    }
    fetch::fetch_for_session(&context).map(|()| CommandExit::Ok)
}

fn not_fetched(catalog: &Catalog, name: &str) -> CliError {
    let is_configured = |spec: &&SourceSpec| spec.kind.crate_place().is_none() && !spec.kind.is_workspace();
    let specs: Vec<&SourceSpec> = catalog.sources.iter().map(|source| &source.spec).filter(is_configured).collect();
    if specs.iter().any(|spec| spec.name == name) {
        let error = CliError::no(format!("Source `{name}` is a directory and needs no fetching"));
        return error.hint("changes in it take effect immediately");
    }
    let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
    let help = advice(name, &names, || "run `symposium plugin list` to list all sources".to_owned());
    CliError::no(format!("Unknown source `{name}`")).hint(help)
}

fn row(spec: &SourceSpec, state: &'static str) -> Row {
    let url = spec.kind.shown_address().unwrap_or_default().to_owned();
    Row { name: spec.name.clone(), url, state, commit: None, previous: None, error: None }
}

fn described(outcome: &FetchOutcome, spec: &SourceSpec) -> Row {
    match &outcome.result {
        Ok(fetched) => {
            let (state, previous) = change_of(fetched);
            Row { commit: Some(fetched.copy.commit.clone()), previous, ..row(spec, state) }
        }
        Err(error) => Row { error: Some(error.to_string()), ..row(spec, "failed") },
    }
}

fn warnings(outcomes: &[FetchOutcome]) -> Vec<String> {
    let mut warnings = Vec::new();
    for FetchOutcome { spec, result, .. } in outcomes {
        let name = &spec.name;
        match result {
            Ok(fetched) => {
                warnings.extend(went_back(name, fetched));
                warnings.extend(fetched.copy.notes.iter().map(|note| format!("Source `{name}`: {note}")));
            }
            Err(error) => warnings.push(format!("{}{}", fetch_failure(name, error), error.advice())),
        }
    }
    warnings
}

fn show(printer: OutputPrinter, rows: Vec<Row>, warnings: Vec<String>) {
    match printer.answer {
        OutputFormat::Json => printer.json(&Document { version: 1, sources: rows, warnings }),
        OutputFormat::Human => {
            let mut text = StyledText::default();
            if rows.is_empty() {
                text = text.line("No source needs to be fetched.");
            }
            let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
            for row in &rows {
                let commits = match (&row.previous, &row.commit) {
                    (Some(before), Some(now)) => format!("  {} to {}", short(before), short(now)),
                    (None, Some(now)) => format!("  {}", short(now)),
                    (_, None) => String::new(),
                };
                let state = row.state.replace('-', " ");
                text = text.strong(pad(&row.name, width)).plain(format!("  {}", pad(&state, 9))).plain(commits);
                text = text.dim(format!("  {}", row.url)).end();
            }
            printer.text(&text);
            for warning in &warnings {
                printer.warning(warning);
            }
        }
    }
}
