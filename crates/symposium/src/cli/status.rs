//! `symposium status`: every extension, where it comes from, its state, and who has it.

use serde::Serialize;
use symposium_model::agent::AgentId;

use crate::app::context::Context;
use crate::app::status::{Kind, Row, State, rows};
use crate::ui::exit::Exit;
use crate::ui::printer::Answer;
use crate::ui::table::WIDTH;
use crate::ui::text::{Text, pad, wrap};

#[derive(Serialize)]
struct Document<'r> {
    version: u32,
    extensions: Vec<Extension<'r>>,
}

#[derive(Serialize)]
struct Extension<'r> {
    name: &'r str,
    kind: &'static str,
    #[serde(rename = "crate")]
    krate: Option<&'r str>,
    crate_version: Option<&'r str>,
    source: &'r str,
    state: &'static str,
    agents: Vec<&'static str>,
    reason: &'r str,
    findings: &'r [String],
}

/// Runs the command.
pub(super) fn run(context: &Context) -> Exit {
    let rows = rows(context);
    match context.printer.answer {
        Answer::Json => {
            context.printer.json(&Document { version: 1, extensions: rows.iter().map(extension).collect() });
        }
        Answer::Human => {
            context.printer.text(&table(&rows));
            remarks(context, &rows);
        }
    }
    Exit::Ok
}

fn extension(row: &Row) -> Extension<'_> {
    Extension {
        name: &row.name,
        kind: row.kind.word(),
        krate: row.krate.as_deref(),
        crate_version: row.crate_version.as_deref(),
        source: &row.source,
        state: row.state.word(),
        agents: names(&row.agents),
        reason: &row.reason,
        findings: &row.findings,
    }
}

fn names(agents: &[AgentId]) -> Vec<&'static str> {
    agents.iter().map(|agent| agent.name()).collect()
}

/// What a person should know besides.
fn remarks(context: &Context, rows: &[Row]) {
    if rows.iter().any(|row| row.agents.is_empty() && row.kind == Kind::Skill) && context.agents().is_empty() {
        context.printer.hint("no agent is configured, so no skill is installed; `symposium init` sets up yours");
    }
    for finding in rows.iter().flat_map(|row| &row.findings) {
        context.printer.warning(finding);
    }
    let candidates = rows.iter().filter(|row| row.state == State::Candidate);
    let mut waiting: Vec<&str> = candidates.filter_map(|row| row.krate.as_deref()).collect();
    waiting.sort_unstable();
    waiting.dedup();
    for krate in waiting {
        context.printer.note(&format!(
            "`{krate}` brings extensions of its own, which nobody switched on; `symposium on {krate}` does"
        ));
    }
    for row in rows.iter().filter(|row| row.state == State::Untrusted) {
        context.printer.warning(&format!("Nothing of `{}` is run: {}", row.name, row.reason));
    }
}

/// Before the reason of the state above.
const INDENT: &str = "    ";

/// The agents get at least this much of a line.
const NARROWEST: usize = 20;

fn table(rows: &[Row]) -> Text {
    if rows.is_empty() {
        return Text::default().line("No extension applies here.");
    }
    let header = ["EXTENSION", "CRATE", "SOURCE", "STATE", "AGENTS"].map(str::to_owned);
    let mut lines = vec![header];
    for row in rows {
        let krate = match (&row.krate, &row.crate_version) {
            (Some(krate), Some(version)) => format!("{krate} {version}"),
            _ => "-".to_owned(),
        };
        let agents = if row.agents.is_empty() { "-".to_owned() } else { names(&row.agents).join(", ") };
        lines.push([row.name.clone(), krate, row.source.clone(), row.state.word().to_owned(), agents]);
    }
    let width = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..4).map(width).collect();
    let before_agents: usize = widths.iter().map(|width| width + 2).sum();
    let mut text = Text::default();
    for (number, line) in lines.iter().enumerate() {
        let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{}  ", pad(cell, *width)));
        let mut joined: String = cells.collect();
        // Eight agents do not fit beside the rest; they go on below, in their column.
        let agents = line.last().map(String::as_str).unwrap_or_default();
        let agents = wrap(agents, WIDTH.saturating_sub(before_agents).max(NARROWEST));
        joined.push_str(&agents.join(&format!("\n{}", " ".repeat(before_agents))));
        text = if number == 0 { text.heading(joined.trim_end()) } else { text.line(joined.trim_end()) };
        let row = number.checked_sub(1).and_then(|number| rows.get(number));
        for line in row.filter(|row| row.is_odd).map(|row| wrap(&row.reason, WIDTH - INDENT.len())).unwrap_or_default()
        {
            text = text.dim(format!("{INDENT}{line}")).end();
        }
    }
    text
}
