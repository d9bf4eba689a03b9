//! The public items of the crates that the workspace uses, at their locked versions.

mod background;
mod changes;
mod lookup;
mod previous_version;
mod rows;
mod uses;
mod workspace;

use std::sync::Mutex;

use symposium_api::{CrateIndex, MOST_QUERY, print_outline, search_words, strip_code};
use symposium_hook::ItemQuery;
use symposium_model::crates::LockedCrate;
use symposium_model::guidance_provider::{ApiQuestion, ApiReach};
use symposium_model::suggest::nearest;

use self::lookup::ItemLookup;
use self::workspace::ApiWorkspace;
use crate::error::CliError;
use crate::ops::context::Context;
use crate::ops::resolve::{Resolution, read_workspace};
use crate::run_report::RunReport;
use crate::ui::progress::Progress;

pub(crate) use self::background::{index_direct, index_later};
pub(crate) use self::changes::ApiChangeRow;
pub(crate) use self::lookup::{ItemReport, ReexportRow};
pub(crate) use self::rows::{ApiCrateRow, ApiItemRow};

/// The most items that are named in place of one that does not exist.
const MOST_NEAREST: usize = 5;

/// The most bytes of the beginning of an outline.
const HEAD_BYTES: usize = 1024;

/// An answer about public items.
pub(crate) struct ApiReport {
    pub(crate) crates: Vec<ApiCrateRow>,
    pub(crate) answer: ApiAnswer,
    pub(crate) hints: Vec<String>,
}

pub(crate) enum ApiAnswer {
    Outline { text: String, items: Vec<ApiItemRow>, more: usize },
    Items(Vec<ItemReport>),
    Hits { items: Vec<ApiItemRow>, more: usize },
    Changes { name: String, from: String, to: String, changes: Vec<ApiChangeRow> },
}

/// Finds the paths of the public items whose names are nearest to one that a crate does not have.
pub(crate) fn nearest_items(context: &Context, query: &ItemQuery) -> Vec<String> {
    let Some(locked) = read_workspace(context) else { return Vec::new() };
    let Some(workspace) = ApiWorkspace::load(context, &locked) else { return Vec::new() };
    let store = workspace.open_store(&|_| {});
    let lookup = ItemLookup { workspace: &workspace, store: &store, reach: ApiReach::Direct };
    let Ok(Some(found)) = workspace.find_crate(&query.krate, Some(&query.version)) else { return Vec::new() };
    let Ok(index) = lookup.load(found.position) else { return Vec::new() };
    let index = CrateIndex { name: found.name, ..index };
    let hits = search_words(&[&index], &query.name).hits.into_iter().take(MOST_NEAREST);
    hits.map(|hit| hit.full_path()).collect()
}

/// Answers a question from the sources on this machine.
pub(crate) fn answer(
    context: &Context,
    question: &ApiQuestion<'_>,
    report: &mut RunReport,
) -> Result<ApiReport, CliError> {
    let query = question.query.trim();
    if query.is_empty() {
        return Err(CliError::usage("The query is empty")
            .hint("pass a crate, a path such as `tokio::spawn`, or words to search for"));
    }
    if query.len() > MOST_QUERY {
        return Err(CliError::usage(format!("The query has {} bytes, and at most {MOST_QUERY} are read", query.len()))
            .hint("pass a crate, a path such as `tokio::spawn`, or a few words"));
    }
    let query = strip_code(query);
    let query = query.as_str();
    let absent = || {
        CliError::no("This directory is not part of a cargo workspace").hint("change to a directory with a Cargo.toml")
    };
    let locked = read_workspace(context).ok_or_else(absent)?;
    report.add(&locked.findings);
    let workspace = ApiWorkspace::load(context, &locked).ok_or_else(absent)?;
    let progress = Mutex::new(Progress::new(context.options.shows_progress));
    let tell = |name: &str| {
        if let Ok(mut progress) = progress.lock() {
            progress.show(&format!("Reading the source of {name}"));
        }
    };
    let store = workspace.open_store(&tell);
    let versioned = split_version(query).filter(|_| question.version.is_none());
    let (query, version) = match &versioned {
        Some((query, version)) => (query.as_str(), Some(*version)),
        None => (query, question.version),
    };
    let lookup = ItemLookup { workspace: &workspace, store: &store, reach: question.reach };
    let krate = workspace.find_crate(query, version)?;
    match (question.changes, krate) {
        (Some(from), Some(found)) => changes::compare(&lookup, found, from, &tell),
        (Some(_), None) => {
            Err(CliError::usage(format!("`{query}` is not a dependency of this workspace, so it has no changes"))
                .hint(suggest_crate(&workspace, query).unwrap_or_else(|| "give the name of a dependency".to_owned())))
        }
        (None, Some(found)) => lookup.outline(found),
        (None, None) => {
            let hint = suggest_crate(&workspace, query);
            let answered = if query.contains(char::is_whitespace) {
                refuse_version(version)?;
                lookup.find_words(query)
            } else if query.contains("::") {
                lookup.find_path(query, version)
            } else {
                refuse_version(version)?;
                lookup.find_name(query)
            };
            match (answered, hint) {
                // The answer to a path is that item, and no guess.
                (Ok(report), Some(_)) if query.contains("::") => Ok(report),
                (Ok(mut report), Some(hint)) => {
                    report.hints.push(hint);
                    Ok(report)
                }
                (Err(error), Some(hint)) => Err(error.hint(hint)),
                (answered, None) => answered,
            }
        }
    }
}

/// Returns the beginning of a crate's outline if its index is in the cache; no source is read.
pub(crate) fn cached_head(context: &Context, resolution: &Resolution, krate: &LockedCrate) -> Option<String> {
    let locked = resolution.workspace.as_ref()?;
    let workspace = ApiWorkspace::load_cached(context, locked)?;
    let store = workspace.open_store(&|_| {});
    let position = locked.crates.crates().iter().position(|own| own == krate)?;
    let index = workspace.rename(store.load_cached(position)?.unpack(), position);
    Some(print_outline(&index, HEAD_BYTES))
}

/// Splits the version from `rand@0.8`, `rand@0.8::thread_rng` or `rand@0.8 words`.
fn split_version(query: &str) -> Option<(String, &str)> {
    let (name, rest) = query.split_once('@')?;
    let end = rest.find("::").or_else(|| rest.find(char::is_whitespace)).unwrap_or(rest.len());
    let (version, rest) = rest.split_at_checked(end)?;
    let is_version =
        version.starts_with(|first: char| first.is_ascii_digit()) && !version.contains(char::is_whitespace);
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace) && !name.contains("::");
    (is_version && is_name).then(|| (format!("{name}{rest}"), version))
}

fn refuse_version(version: Option<&str>) -> Result<(), CliError> {
    match version {
        None => Ok(()),
        Some(_) => Err(CliError::usage("`--version` chooses among the locked versions of a crate")
            .hint("give the name of a dependency, or a path that begins with it")),
    }
}

/// Suggests the crate that a single word was probably meant to be.
fn suggest_crate(workspace: &ApiWorkspace<'_>, query: &str) -> Option<String> {
    let head = query.split("::").next().unwrap_or_default();
    let names = workspace.crate_names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    if names.contains(&head) || query.contains(char::is_whitespace) {
        return None;
    }
    let found = nearest(head, &names)?;
    Some(format!("did you mean the crate `{found}`?"))
}
