//! `symposium api`: public items of the crates that the workspace uses.

use serde::Serialize;
use symposium_model::guidance_provider::{ApiQuestion, ApiReach, ChangesFrom};

use super::args::ApiArgs;
use super::session::CliSession;
use crate::error::{CliError, CommandExit};
use crate::ops::query::api::{
    ApiAnswer, ApiChangeRow, ApiCrateRow, ApiItemRow, ApiReport, ItemReport, ReexportRow, answer,
};
use crate::ui::printer::OutputFormat;
use crate::ui::response::CommandResponse;
use crate::ui::text::StyledText;

/// The most bytes of an item with its members, and of a list of changes.
const MOST_TEXT: usize = 24 * 1024;
/// The most uses that are shown of one change.
const MOST_USES: usize = 20;

/// Reads the arguments as a question.
pub(super) fn question<'q>(query: &'q str, args: &'q ApiArgs) -> ApiQuestion<'q> {
    ApiQuestion {
        query,
        version: args.version.as_deref(),
        reach: if args.all { ApiReach::Everything } else { ApiReach::Direct },
        changes: args.changes.as_deref().map(ChangesFrom::parse),
    }
}

pub(super) fn run(session: &mut CliSession, args: &ApiArgs) -> Result<CommandExit, CliError> {
    let query = args.query.join(" ");
    let reply = reply(session, &question(&query, args))?;
    Ok(reply.print(session.printer))
}

/// The answer: as JSON it is printed here, and what remains is what is said beside it.
pub(super) fn reply(session: &mut CliSession, question: &ApiQuestion<'_>) -> Result<CommandResponse, CliError> {
    let answered = session.run(|context, report| answer(context, question, report))?;
    let response = CommandResponse::new(CommandExit::Ok);
    let response = match session.printer.answer {
        OutputFormat::Json => {
            session.printer.json(&document(question.query, &answered));
            response
        }
        OutputFormat::Human => response.text(text(&answered)),
    };
    Ok(answered.hints.iter().fold(response, CommandResponse::hint))
}

fn text(answered: &ApiReport) -> StyledText {
    let mut text = StyledText::default();
    for row in answered.crates.iter().filter(|row| !row.others.is_empty()) {
        text = text.line(format!("also locked: {}; `--version` chooses", row.others.join(", ")));
    }
    match &answered.answer {
        ApiAnswer::Outline { text: outline, .. } => text.block(outline.trim_end()),
        ApiAnswer::Items(items) => {
            for (number, item) in items.iter().enumerate() {
                text = item_text(if number > 0 { text.end() } else { text }, item);
            }
            incomplete_lines(text, &answered.crates)
        }
        ApiAnswer::Hits { items, more } => {
            for item in items {
                text = hit_lines(text, item);
            }
            if *more > 0 {
                text = text.line(format!("… {more} more; add words, or a path such as `crate::module`"));
            }
            incomplete_lines(text, &answered.crates)
        }
        ApiAnswer::Changes { name, from, to, changes } => {
            incomplete_lines(render_changes(text, name, from, to, changes), &answered.crates)
        }
    }
}

/// Says which crates are not known completely.
fn incomplete_lines(mut text: StyledText, crates: &[ApiCrateRow]) -> StyledText {
    for row in crates.iter().filter(|row| !row.is_complete) {
        let reason = row.reason.as_deref().unwrap_or_default();
        text = text.dim(format!("{} {} is incomplete: {reason}", row.name, row.version)).end();
    }
    text
}

fn item_text(text: StyledText, report: &ItemReport) -> StyledText {
    let item = &report.item;
    let mut text = text.heading(format!("{} ({}, {})", item.path, item.kind, report.home));
    if !item.signature.is_empty() {
        text = text.line(&item.signature);
    }
    if !item.docs.is_empty() {
        text = text.end().block(&item.docs).end();
    }
    if let Some(note) = &item.deprecated {
        text = text.line(format!("deprecated: {note}"));
    }
    if let Some(feature) = &item.feature {
        let state = if item.is_enabled { "on" } else { "off; turn it on in Cargo.toml" };
        text = text.line(format!("feature: {feature} ({state})"));
    }
    if let Some(home) = &report.defined_in {
        text = text.line(format!("re-exported from: {home}"));
    }
    if !report.other_paths.is_empty() {
        text = text.line(format!("also: {}", report.other_paths.join(", ")));
    }
    if !report.implements.is_empty() {
        text = text.line(format!("implements: {}", report.implements.join(", ")));
    }
    // Items of the standard library have no place here.
    if !item.file.is_empty() {
        text = text.line(format!("source: {}:{}", item.file, item.line));
    }
    let mut shown = 0;
    let mut kind = "";
    for (number, member) in sorted(&report.members).into_iter().enumerate() {
        let line = member_line(member);
        shown += line.len() + 1;
        if shown > MOST_TEXT {
            let left = report.members.len() - number;
            return text.line(format!("… {left} more; ask for one, such as `{}::NAME`", item.path));
        }
        if kind != member.kind {
            kind = member.kind;
            text = text.end().line(format!("{}:", heading_of(kind)));
        }
        text = text.line(line);
    }
    reexport_lines(text, &report.reexports, MOST_TEXT - shown)
}

/// Lists what a module re-exports, with where it is from.
fn reexport_lines(text: StyledText, reexports: &[ReexportRow], most: usize) -> StyledText {
    if reexports.is_empty() {
        return text;
    }
    let mut text = text.end().line("re-exports:");
    let mut shown = 0;
    for (number, found) in reexports.iter().enumerate() {
        let ReexportRow { name, item } = found;
        let line = format!("  {name} = {} ({}){}", item.path, item.kind, describe(item));
        shown += line.len() + 1;
        if shown > most {
            return text.line(format!("… {} more", reexports.len() - number));
        }
        text = text.line(line);
    }
    text
}

/// Orders members by kind, as a reader looks for them.
fn sorted(members: &[ApiItemRow]) -> Vec<&ApiItemRow> {
    const ORDER: [&str; 15] = [
        "field",
        "variant",
        "function",
        "method",
        "macro",
        "derive",
        "attribute",
        "struct",
        "enum",
        "union",
        "trait",
        "type",
        "const",
        "static",
        "module",
    ];
    let place = |item: &&ApiItemRow| ORDER.iter().position(|kind| *kind == item.kind);
    let mut sorted: Vec<&ApiItemRow> = members.iter().collect();
    sorted.sort_by_key(place);
    sorted
}

fn heading_of(kind: &str) -> String {
    match kind {
        "static" => "statics".to_owned(),
        "const" => "consts".to_owned(),
        other => format!("{other}s"),
    }
}

fn member_line(item: &ApiItemRow) -> String {
    let mut line = match item.kind {
        "module" | "macro" | "derive" | "attribute" => {
            format!("  {}", item.path.rsplit("::").next().unwrap_or_default())
        }
        _ => format!("  {}", item.signature.trim_start_matches("pub ")),
    };
    line.push_str(&describe(item));
    line
}

/// Says what a signature does not: missing features, a deprecation, and the first sentence of the documentation.
fn describe(item: &ApiItemRow) -> String {
    let sentence = item.docs.split_once(". ").map_or(item.docs.as_str(), |(first, _)| first);
    let sentence = sentence.trim_end_matches('.').replace('\n', " ");
    let sentence = if sentence.is_empty() { sentence } else { format!(" // {sentence}") };
    notes(item) + &sentence
}

/// The features that are missing, and a deprecation.
fn notes(item: &ApiItemRow) -> String {
    let feature = item.feature.as_ref().filter(|_| !item.is_enabled);
    let feature = feature.map(|feature| format!(" [needs feature {feature}]")).unwrap_or_default();
    let deprecated = if item.deprecated.is_some() { " [deprecated]" } else { "" };
    format!("{feature}{deprecated}")
}

fn hit_lines(text: StyledText, item: &ApiItemRow) -> StyledText {
    let text = text.strong(&item.path).plain(format!(" ({}){}", item.kind, notes(item))).end();
    let text = if item.kind == "module" { text } else { text.line(format!("  {}", item.signature)) };
    match item.docs.lines().next() {
        Some(first) => text.line(format!("  {first}")),
        None => text,
    }
}

fn render_changes(mut text: StyledText, name: &str, from: &str, to: &str, changes: &[ApiChangeRow]) -> StyledText {
    text = text.heading(format!("{name} {from} -> {to}"));
    if changes.is_empty() {
        return text.line("No public item was removed, added, deprecated or changed.");
    }
    // Methods and fields are found by their names alone, which other types may have too.
    let (maybe, used): (Vec<&ApiChangeRow>, Vec<&ApiChangeRow>) = (changes.iter())
        .filter(|change| !change.uses.is_empty())
        .partition(|change| matches!(change.kind, "method" | "field"));
    text = use_lines(text, "Still used in this workspace:", &used);
    text = use_lines(text, "May still be used in this workspace (the same name is used):", &maybe);
    let mut heading = "";
    let mut shown = 0;
    for (number, change) in changes.iter().enumerate() {
        let lines = change_lines(change);
        shown += lines.iter().map(String::len).sum::<usize>();
        if shown > MOST_TEXT {
            return text.line(format!("… {} more; `--json` has all", changes.len() - number));
        }
        if heading != change.change.word() {
            heading = change.change.word();
            text = text.end().line(format!("{heading}:"));
        }
        text = lines.into_iter().fold(text, StyledText::line);
    }
    text
}

fn use_lines(mut text: StyledText, title: &str, changes: &[&ApiChangeRow]) -> StyledText {
    if !changes.is_empty() {
        text = text.end().line(title);
    }
    for change in changes {
        text = text
            .strong(format!("  {}", change.path))
            .plain(format!(" ({}, {})", change.kind, change.change.word()))
            .end();
        for place in change.uses.iter().take(MOST_USES) {
            text = text.line(format!("    {}:{}", place.file, place.line));
        }
        if change.uses.len() > MOST_USES {
            text = text.line(format!("    … {} more", change.uses.len() - MOST_USES));
        }
    }
    text
}

fn change_lines(change: &ApiChangeRow) -> Vec<String> {
    let path = format!("  {} ({})", change.path, change.kind);
    match (&change.before, &change.after) {
        (Some(before), Some(after)) if change.change.word() == "changed" => {
            vec![path, format!("    before: {before}"), format!("    after:  {after}")]
        }
        (Some(_), Some(note)) => vec![format!("{path}: {note}")],
        _ => vec![path],
    }
}

#[derive(Serialize)]
struct Document<'d> {
    version: u32,
    query: &'d str,
    crates: Vec<CrateDocumentRow>,
    items: Vec<ItemDocumentRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<ChangeDocumentRow>>,
    more: usize,
}

#[derive(Serialize)]
struct CrateDocumentRow {
    name: String,
    version: String,
    complete: bool,
    reason: Option<String>,
}

#[derive(Serialize)]
struct ItemDocumentRow {
    path: String,
    kind: &'static str,
    signature: String,
    docs: String,
    deprecated: Option<String>,
    feature: Option<String>,
    enabled: bool,
    file: String,
    line: u32,
}

#[derive(Serialize)]
struct ChangeDocumentRow {
    path: String,
    kind: &'static str,
    change: &'static str,
    before: Option<String>,
    after: Option<String>,
    uses: Vec<UseDocumentRow>,
}

#[derive(Serialize)]
struct UseDocumentRow {
    file: String,
    line: usize,
}

fn document<'d>(query: &'d str, answered: &ApiReport) -> Document<'d> {
    let crates = answered.crates.iter().map(|row| CrateDocumentRow {
        name: row.name.clone(),
        version: row.version.clone(),
        complete: row.is_complete,
        reason: row.reason.clone(),
    });
    let (items, changes, more): (Vec<&ApiItemRow>, _, usize) = match &answered.answer {
        ApiAnswer::Outline { items, more, .. } | ApiAnswer::Hits { items, more } => {
            (items.iter().collect(), None, *more)
        }
        ApiAnswer::Items(reports) => {
            let items = reports.iter().flat_map(|report| {
                std::iter::once(&report.item)
                    .chain(&report.members)
                    .chain(report.reexports.iter().map(|found| &found.item))
            });
            (items.collect(), None, 0)
        }
        ApiAnswer::Changes { changes, .. } => (Vec::new(), Some(changes.iter().map(change_row).collect()), 0),
    };
    Document {
        version: 1,
        query,
        crates: crates.collect(),
        items: items.into_iter().map(item_row).collect(),
        changes,
        more,
    }
}

fn item_row(item: &ApiItemRow) -> ItemDocumentRow {
    ItemDocumentRow {
        path: item.path.clone(),
        kind: item.kind,
        signature: item.signature.clone(),
        docs: item.docs.clone(),
        deprecated: item.deprecated.clone(),
        feature: item.feature.clone(),
        enabled: item.is_enabled,
        file: item.file.clone(),
        line: item.line,
    }
}

fn change_row(change: &ApiChangeRow) -> ChangeDocumentRow {
    let uses = change.uses.iter().map(|place| UseDocumentRow { file: place.file.clone(), line: place.line });
    ChangeDocumentRow {
        path: change.path.clone(),
        kind: change.kind,
        change: change.change.word(),
        before: change.before.clone(),
        after: change.after.clone(),
        uses: uses.collect(),
    }
}
