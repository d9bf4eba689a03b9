//! `symposium hook list`: every hook that could run here, whether it does, and how it last ended.

use serde::Serialize;

use super::session::CliSession;
use super::state_text::add_state;
use crate::error::CommandExit;
use crate::ops::hook_plan;
use crate::ops::query::extension_state::ExtensionState;
use crate::ops::query::hook_list::{self, LastRun, ListedHook};
use crate::ops::query::hook_log::{self, HookLog};
use crate::ops::resolve::ResolutionDetail;
use crate::ui::printer::OutputFormat;
use crate::ui::table;
use crate::ui::text::{StyledText, count_of, output_columns, time_text, timestamp, wrap};

/// The column that may be cut. The names of hooks are what `on` and `off` ask for.
const MATCHER: usize = 2;
/// Before what belongs to the hook above.
const INDENT: &str = "    ";

#[derive(Serialize)]
struct Document<'r> {
    version: u32,
    hooks: Vec<HookRow<'r>>,
}

#[derive(Serialize)]
struct HookRow<'r> {
    plugin: &'r str,
    name: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'r str>,
    event: &'r str,
    matcher: &'r str,
    source: &'r str,
    state: &'static str,
    reason: &'r str,
    last: Option<LastRow<'r>>,
}

#[derive(Serialize)]
struct LastRow<'r> {
    at: String,
    agent: &'r str,
    event: &'r str,
    end: &'r str,
    decision: Option<&'r str>,
    ms: u64,
}

pub(super) fn run(session: &mut CliSession) -> CommandExit {
    let resolution = session.resolve(ResolutionDetail::EVERYTHING);
    let CliSession { context, printer, .. } = &*session;
    let trail = hook_log::read(&context.directories.logs).unwrap_or_else(|error| {
        printer.warning(&format!("Cannot read the hook log: {error}"));
        HookLog::default()
    });
    let rows = hook_list::rows(context, &resolution, &trail);
    match printer.answer {
        OutputFormat::Json => {
            printer.json(&Document { version: 1, hooks: rows.iter().map(json_row).collect() });
        }
        OutputFormat::Human => printer.text(&page(&rows)),
    }
    if let Some(note) = hook_plan::unread_configuration(context) {
        printer.note(&note);
    }
    CommandExit::Ok
}

fn json_row(row: &ListedHook) -> HookRow<'_> {
    HookRow {
        plugin: &row.plugin,
        name: &row.name,
        description: row.description.as_deref(),
        event: &row.event,
        matcher: &row.matcher,
        source: &row.source,
        state: row.report.state.word(),
        reason: &row.report.reason,
        last: row.last.as_ref().map(|last| LastRow {
            at: timestamp(last.time / 1000),
            agent: &last.agent,
            event: &last.event,
            end: &last.ran.end,
            decision: last.ran.decision.as_deref(),
            ms: last.ran.ms,
        }),
    }
}

fn page(rows: &[ListedHook]) -> StyledText {
    if rows.is_empty() {
        return StyledText::default().line("No plugin here has a hook.");
    }
    let mut cells = vec![["HOOK", "EVENT", "MATCHER", "SOURCE", "STATE"].map(str::to_owned).to_vec()];
    cells.extend(rows.iter().map(|row| {
        let title = format!("{}/{}", row.plugin, row.name);
        vec![title, row.event.clone(), row.matcher.clone(), row.source.clone(), row.report.shown()]
    }));
    let columns = output_columns();
    let is_narrow = columns.is_some_and(|columns| columns < table::TABLE_WIDTH);
    let mut lines = table::padded(&cells, MATCHER, columns).into_iter();
    let heading = lines.next().unwrap_or_default().concat();
    let mut text = StyledText::default();
    if !is_narrow {
        text = text.heading(heading.trim_end());
    }
    for (mut line, row) in lines.zip(rows) {
        let state = line.pop().unwrap_or_default();
        if is_narrow {
            let title = format!("{}/{}", row.plugin, row.name);
            text = add_state(text.strong(title).plain(": "), row.report.state, state.trim_end()).end();
            let parts = [format!("{} {}", row.event, row.matcher), format!("source {}", row.source)];
            text = parts.iter().fold(text, |text, part| text.line(format!("  {part}")));
        } else {
            text = add_state(text.plain(line.concat()), row.report.state, state.trim_end()).end();
        }
        // The error about the file says why it is unknown, once for all.
        let is_said = row.report.state == ExtensionState::Unknown || row.report.reason.is_empty();
        let reason = (!is_said).then(|| row.report.reason.clone());
        for detail in row.description.clone().into_iter().chain(reason).chain(row.last.as_ref().map(last_run)) {
            for line in wrap(&detail, table::text_width() - INDENT.len()) {
                text = text.dim(format!("{INDENT}{line}")).end();
            }
        }
    }
    let running = rows.iter().filter(|row| row.report.state == ExtensionState::On).count();
    let unknown = rows.iter().filter(|row| row.report.state == ExtensionState::Unknown).count();
    let unknown = if unknown == 0 { String::new() } else { format!(", {unknown} unknown") };
    text.end().line(format!("{running} of {} on{unknown}", count_of(rows.len(), "hook")))
}

fn last_run(last: &LastRun) -> String {
    let end = &last.ran.end;
    let end = if end.parse::<i64>().is_ok() { format!("exit {end}") } else { end.clone() };
    let decision = last.ran.decision.as_ref().map(|decision| format!(", {decision}")).unwrap_or_default();
    let time = time_text(last.time / 1000);
    format!("last: {end}{decision}, {} ms, {time} UTC with {}", last.ran.ms, last.agent)
}
