//! `symposium status`: every extension, where it comes from, its state, and who has it.

mod table;

use serde::Serialize;
use symposium_io::{clock, terminal};
use symposium_model::agent::AgentId;
use symposium_model::config::Scope;

use self::table::PageForm;
use crate::ops::context::Context;
use crate::ops::query::extension_state::ExtensionState;
use crate::ops::query::status::{ExtensionRow, StatusReport, Subject};
use crate::ops::query::update;
use crate::ops::reconcile::missing_skills::{MissingCause, MissingSkill};
use crate::ops::required_version;
use crate::ops::resolve::{LedgerDetail, Resolution, ResolutionDetail};
use crate::ops::trust::TrustDetail;
use crate::ui::exit::CommandExit;
use crate::ui::printer::OutputFormat;

#[derive(Serialize)]
struct Document<'r> {
    version: u32,
    extensions: Vec<StatusRow<'r>>,
    /// The user's agents that get no skills here, because the project names others.
    not_served: Vec<&'static str>,
}

#[derive(Serialize)]
struct StatusRow<'r> {
    name: &'r str,
    kind: &'static str,
    #[serde(rename = "crate")]
    krate: Option<&'r str>,
    crate_version: Option<&'r str>,
    /// Whether the version is only assumed, since no `Cargo.lock` says it.
    assumed: bool,
    source: &'r str,
    state: &'static str,
    agents: Vec<&'static str>,
    used: Option<UseRow<'r>>,
    reason: &'r str,
    findings: &'r [String],
}

#[derive(Serialize)]
struct UseRow<'r> {
    count: u64,
    /// When that last was, in UTC.
    last: String,
    agent: &'r str,
}

pub(super) fn run(context: &Context) -> CommandExit {
    let detail = ResolutionDetail::RELEVANT.with_trust(TrustDetail::Everything).with_ledger(LedgerDetail::Restore);
    let resolution = Resolution::load(context, detail);
    resolution.report(context);
    let StatusReport { rows, missing } = StatusReport::new(context, &resolution);
    match context.printer.answer {
        OutputFormat::Json => {
            let extensions = rows.iter().map(extension).collect();
            let not_served = names(&context.unserved_agents());
            context.printer.json(&Document { version: 1, extensions, not_served });
        }
        OutputFormat::Human => {
            let form = PageForm { verbosity: context.printer.verbosity, columns: terminal::output_columns() };
            context.printer.text(&table::page(&rows, form));
            remarks(context, &rows, &missing);
        }
    }
    CommandExit::Ok
}

fn extension(row: &ExtensionRow) -> StatusRow<'_> {
    StatusRow {
        name: &row.name,
        kind: row.subject.word(),
        krate: row.krate.as_deref(),
        crate_version: row.crate_version.as_deref(),
        assumed: row.is_assumed,
        source: &row.source,
        state: row.report.state.word(),
        agents: names(&row.agents),
        used: row.used.as_ref().map(|used| UseRow {
            count: used.count,
            last: clock::timestamp(used.last),
            agent: &used.agent,
        }),
        reason: &row.report.reason,
        findings: &row.findings,
    }
}

fn names(agents: &[AgentId]) -> Vec<&'static str> {
    agents.iter().map(|agent| agent.name()).collect()
}

/// What a person should know besides.
fn remarks(context: &Context, rows: &[ExtensionRow], missing: &[MissingSkill]) {
    if context.root().is_none() {
        context.printer.note(
            "This directory is not part of a cargo workspace, so no skill applies; change to one with a Cargo.toml",
        );
    }
    if let Some(message) = required_version::unmet(context) {
        context.printer.warning(&format!("{message}; `symposium self-update` brings the newest version"));
    }
    if let Some(notice) = update::notice(context) {
        context.printer.note(&notice);
    }
    mention_missing_agents(context, rows);
    super::sync::mention_unserved_agents(context);
    say_what_sync_does(context, missing);
    for finding in rows.iter().flat_map(|row| &row.findings) {
        context.printer.warning(finding);
    }
    let candidates = rows.iter().filter(|row| row.report.state == ExtensionState::Candidate);
    let mut waiting: Vec<&str> = candidates.filter_map(|row| row.krate.as_deref()).collect();
    waiting.sort_unstable();
    waiting.dedup();
    for krate in waiting {
        context.printer.note(&format!(
            "`{krate}` brings extensions of its own, which nobody switched on; `symposium on {krate}` does"
        ));
    }
    let is_workflow = |row: &&ExtensionRow| matches!(row.subject, Subject::Workflow(_));
    for row in rows.iter().filter(is_workflow) {
        match row.report.state {
            ExtensionState::Untrusted | ExtensionState::Blocked => {
                context.printer.warning(&format!("Nothing of `{}` is run: {}", row.name, row.report.reason));
            }
            ExtensionState::On
            | ExtensionState::Off
            | ExtensionState::Candidate
            | ExtensionState::Drifted
            | ExtensionState::Orphaned
            | ExtensionState::Conflict => {}
        }
    }
}

/// Says so when there is no agent to install anything for. What a broken configuration says is unknown.
fn mention_missing_agents(context: &Context, rows: &[ExtensionRow]) {
    let is_known = context.knows_agents(Scope::User) && context.knows_agents(Scope::Project);
    if !is_known || !context.agents().is_empty() {
        return;
    }
    let is_installed = rows.iter().any(|row| !row.agents.is_empty());
    if is_installed {
        let message = "No agent is configured any more, so the next sync removes these skills";
        context.printer.note(&format!("{message}; `symposium init` sets up yours"));
    } else if rows.iter().any(|row| matches!(row.subject, Subject::Skill(_)) && row.report.state == ExtensionState::On)
    {
        context.printer.note("No agent is configured, so no skill is installed; `symposium init` sets up yours");
    }
}

/// Skills that only wait for the next sync, all in one line.
fn say_what_sync_does(context: &Context, missing: &[MissingSkill]) {
    for (cause, does) in [
        (MissingCause::NotYet, "not installed for every agent yet; `symposium sync` does it"),
        (MissingCause::Unrecorded, "there, but not recorded as installed; `symposium sync` does that"),
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
