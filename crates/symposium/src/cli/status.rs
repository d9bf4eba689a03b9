//! `symposium status`: every extension, where it comes from, its state, and who has it.

mod table;

use serde::Serialize;
use symposium_model::agent::AgentId;

use crate::app::context::Context;
use crate::app::status::{Kind, Row, State, Status};
use crate::app::sync::missing::{Cause, Missing};
use crate::ui::exit::Exit;
use crate::ui::printer::Answer;

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
    let Status { rows, missing } = Status::of(context);
    match context.printer.answer {
        Answer::Json => {
            context.printer.json(&Document { version: 1, extensions: rows.iter().map(extension).collect() });
        }
        Answer::Human => {
            context.printer.text(&table::table(&rows));
            remarks(context, &rows, &missing);
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
fn remarks(context: &Context, rows: &[Row], missing: &[Missing]) {
    if context.root().is_none() {
        context.printer.note(
            "This directory is not part of a cargo workspace, so no skill applies; change to one with a Cargo.toml",
        );
    }
    if context.agents().is_empty() && rows.iter().any(|row| row.kind == Kind::Skill && row.state == State::On) {
        context.printer.note("No agent is configured, so no skill is installed; `symposium init` sets up yours");
    }
    say_what_sync_does(context, missing);
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

/// Skills that only wait for the next sync, all in one line.
fn say_what_sync_does(context: &Context, missing: &[Missing]) {
    for (cause, does) in [
        (Cause::NotYet, "not installed for every agent yet; `symposium sync` does it"),
        (Cause::Unrecorded, "there, but not recorded as installed; `symposium sync` does that"),
    ] {
        let mut names: Vec<&str> =
            missing.iter().filter(|missing| missing.cause == cause).map(|missing| missing.name.as_str()).collect();
        names.dedup();
        if let Some((first, others)) = names.split_first() {
            let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
            let verb = if others.is_empty() { "is" } else { "are" };
            context.printer.note(&format!("`{first}`{more} {verb} {does}"));
        }
    }
}
