//! `symposium status`: every extension, where it comes from, its state, and who has it.

mod table;

use serde::Serialize;
use symposium_model::agent::AgentId;
use symposium_model::config::Scope;

use self::table::PageForm;
use super::session::CliSession;
use crate::error::CommandExit;
use crate::ops::cargo_shim::{self, ShimReport};
use crate::ops::query::extension_state::ExtensionState;
use crate::ops::query::status::{ExtensionRow, StatusReport, StatusSubject};
use crate::ops::query::update;
use crate::ops::reconcile::missing_skills::{MissingCause, MissingSkill};
use crate::ops::required_version;
use crate::ops::resolve::{LedgerDetail, ResolutionDetail};
use crate::ops::trust::TrustDetail;
use crate::ui::printer::{OutputFormat, OutputPrinter};
use crate::ui::text::{output_columns, timestamp};

#[derive(Serialize)]
struct Document<'r> {
    version: u32,
    extensions: Vec<StatusRow<'r>>,
    /// The user's agents that get no skills here, because the project names others.
    not_served: Vec<&'static str>,
    /// `null` without `[cargo] shim = true`.
    cargo_shim: Option<ShimRow>,
}

#[derive(Serialize)]
struct ShimRow {
    directory: Option<String>,
    agents: Vec<&'static str>,
    /// The reason for which it has no effect.
    reason: Option<String>,
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
    used: Option<SkillUseRow<'r>>,
    reason: &'r str,
    findings: &'r [String],
}

#[derive(Serialize)]
struct SkillUseRow<'r> {
    count: u64,
    /// The time of the last use, in UTC.
    last: String,
    agent: &'r str,
}

pub(super) fn run(session: &mut CliSession) -> CommandExit {
    let detail = ResolutionDetail::RELEVANT.with_trust(TrustDetail::Everything).with_ledger(LedgerDetail::Restore);
    let resolution = session.resolve(detail);
    let CliSession { context, printer, report } = &*session;
    let StatusReport { rows, missing } = StatusReport::new(context, &resolution, report);
    match printer.answer {
        OutputFormat::Json => {
            let extensions = rows.iter().map(extension).collect();
            let not_served = names(&context.unserved_agents());
            let cargo_shim = cargo_shim::report(context).map(shim);
            printer.json(&Document { version: 1, extensions, not_served, cargo_shim });
        }
        OutputFormat::Human => {
            let form = PageForm { verbosity: printer.verbosity, columns: output_columns() };
            printer.text(&table::page(&rows, form));
            remarks(session, &rows, &missing);
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
        used: row.used.as_ref().map(|used| SkillUseRow {
            count: used.count,
            last: timestamp(used.last),
            agent: &used.agent,
        }),
        reason: &row.report.reason,
        findings: &row.findings,
    }
}

fn shim(report: ShimReport) -> ShimRow {
    ShimRow { directory: report.directory, agents: names(&report.holders), reason: report.hindrance }
}

fn names(agents: &[AgentId]) -> Vec<&'static str> {
    agents.iter().map(|agent| agent.name()).collect()
}

fn remarks(session: &CliSession, rows: &[ExtensionRow], missing: &[MissingSkill]) {
    let CliSession { context, printer, .. } = session;
    if context.root().is_none() {
        printer.note(
            "This directory is not part of a cargo workspace, so no skill applies; change to a directory with a Cargo.toml",
        );
    }
    if let Some(message) = required_version::unmet(&context.settings) {
        printer.warning(&format!("{message}; run `symposium self-update` to update"));
    }
    if let Some(notice) = update::notice(&context.directories, &context.settings) {
        printer.note(&notice);
    }
    if let Some(notice) = cargo_shim::notice(context) {
        printer.note(&notice);
    }
    mention_missing_agents(session, rows);
    super::sync::mention_unserved_agents(session);
    say_what_sync_does(*printer, missing);
    for finding in rows.iter().flat_map(|row| &row.findings) {
        printer.warning(finding);
    }
    let candidates = rows.iter().filter(|row| row.report.state == ExtensionState::Candidate);
    let mut waiting: Vec<&str> = candidates.filter_map(|row| row.krate.as_deref()).collect();
    waiting.sort_unstable();
    waiting.dedup();
    for krate in waiting {
        printer.note(&format!(
            "`{krate}` ships extensions that are not switched on; run `symposium on {krate}` to switch them on"
        ));
    }
    let is_workflow = |row: &&ExtensionRow| matches!(row.subject, StatusSubject::Workflow(_));
    for row in rows.iter().filter(is_workflow) {
        match row.report.state {
            ExtensionState::Untrusted | ExtensionState::Blocked => {
                printer.warning(&format!("`{}` does not run: {}", row.name, row.report.reason));
            }
            ExtensionState::On
            | ExtensionState::Off
            | ExtensionState::Candidate
            | ExtensionState::Drifted
            | ExtensionState::Orphaned
            | ExtensionState::Conflict
            | ExtensionState::Unknown => {}
        }
    }
}

/// Says so when there is no agent to install anything for. What a broken configuration says is unknown.
fn mention_missing_agents(session: &CliSession, rows: &[ExtensionRow]) {
    let CliSession { context, printer, .. } = session;
    let is_known = context.knows_agents(Scope::User) && context.knows_agents(Scope::Project);
    if !is_known || !context.agents().is_empty() {
        return;
    }
    let is_installed = rows.iter().any(|row| !row.agents.is_empty());
    if is_installed {
        let message = "No agent is configured, so the next sync removes these skills";
        printer.note(&format!("{message}; run `symposium init` to set up your agents"));
    } else if rows
        .iter()
        .any(|row| matches!(row.subject, StatusSubject::Skill(_)) && row.report.state == ExtensionState::On)
    {
        printer.note("No agent is configured, so no skill is installed; run `symposium init` to set up your agents");
    }
}

/// Skills that only wait for the next sync, all in one line.
fn say_what_sync_does(printer: OutputPrinter, missing: &[MissingSkill]) {
    for (cause, does) in [
        (MissingCause::NotYet, "not installed for every agent; run `symposium sync`"),
        (MissingCause::Unrecorded, "on disk, but not recorded as installed; run `symposium sync`"),
    ] {
        let mut names: Vec<&str> =
            missing.iter().filter(|missing| missing.cause == cause).map(|missing| missing.name.as_str()).collect();
        names.dedup();
        if let Some((first, others)) = names.split_first() {
            let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
            let verb = if others.is_empty() { "is" } else { "are" };
            printer.note(&format!("`{first}`{more} {verb} {does}"));
        }
    }
}
