//! `symposium search`: skills and plugins by words, and how to switch each on.

use serde::Serialize;
use symposium_model::search::SearchQuery;
use symposium_model::suggest::nearest;

use super::session::CliSession;
use super::state_text::add_state;
use crate::error::{CliError, CommandExit};
use crate::ops::query::extension_state::ExtensionState;
use crate::ops::query::search::{FoundExtension, SearchReport, search};
use crate::ui::printer::OutputFormat;
use crate::ui::response::CommandResponse;
use crate::ui::text::{StyledText, count_of};

#[derive(Serialize)]
struct SearchDocument<'d> {
    version: u32,
    query: &'d str,
    results: Vec<ResultRow<'d>>,
    /// The number of further results.
    more: usize,
}

#[derive(Serialize)]
struct ResultRow<'r> {
    name: &'r str,
    kind: &'static str,
    plugin: &'r str,
    source: &'r str,
    crates: &'r [String],
    description: &'r str,
    state: &'static str,
    /// Why that is its state, and how to switch it on.
    reason: &'r str,
}

pub(super) fn run(session: &mut CliSession, words: &[String]) -> Result<CommandExit, CliError> {
    let Some(query) = SearchQuery::parse(words) else {
        return Err(CliError::usage("A search needs a word").hint("name a crate, a skill, a plugin or a subject"));
    };
    let report = session.run(|context, report| search(context, &query, report));
    let written = words.join(" ");
    let is_empty = report.found.is_empty();
    if session.printer.answer == OutputFormat::Json {
        let results = report.found.iter().map(row).collect();
        session.printer.json(&SearchDocument { version: 1, query: &written, results, more: report.more });
        return Ok(if is_empty { CommandExit::No } else { CommandExit::Ok });
    }
    Ok(if is_empty { nothing_found(&written, &report) } else { page(&report) }.print(session.printer))
}

fn row(found: &FoundExtension) -> ResultRow<'_> {
    ResultRow {
        name: &found.name,
        kind: found.kind.word(),
        plugin: &found.plugin,
        source: &found.source,
        crates: &found.crates,
        description: &found.description,
        state: found.report.state.word(),
        reason: &found.report.reason,
    }
}

fn nothing_found(written: &str, report: &SearchReport) -> CommandResponse {
    let names: Vec<&str> = report.names.iter().map(String::as_str).collect();
    let response = CommandResponse::new(CommandExit::No).error(format!("No skill or plugin matches `{written}`"));
    let response = match nearest(written, &names) {
        Some(near) => response.hint(format!("did you mean `{near}`?")),
        None => response.hint("search for one word, such as the name of a crate, or run `symposium plugin list`"),
    };
    match report.unfetched.as_slice() {
        [] => response,
        names => response.hint(format!(
            "run `symposium plugin sync` to fetch {}, whose content is unknown",
            names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        )),
    }
}

fn page(report: &SearchReport) -> CommandResponse {
    let text = report.found.iter().fold(StyledText::default(), add_result);
    let text = match report.more {
        0 => text,
        more => text.dim(format!("And {}; add a word to see fewer.", count_of(more, "further result"))).end(),
    };
    CommandResponse::new(CommandExit::Ok).text(text)
}

fn add_result(text: StyledText, found: &FoundExtension) -> StyledText {
    let subject = match found.crates.as_slice() {
        [] => String::new(),
        [one] => format!(" for {one}"),
        [first, second] => format!(" for {first}, {second}"),
        [first, second, rest @ ..] => format!(" for {first}, {second} and {} more", rest.len()),
    };
    let kind = found.kind.word();
    let text = add_state(text.strong(&found.name).plain("  "), found.report.state, &found.report.shown());
    let text = text.dim(format!("  {kind}{subject}, from {}", found.source)).end();
    let text = if found.description.is_empty() { text } else { text.line(format!("    {}", found.description)) };
    if found.report.state == ExtensionState::On {
        return text;
    }
    text.line(format!("    {}", found.report.reason))
}
