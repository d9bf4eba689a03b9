//! `symposium hook log`: prints the hook log.

use serde::Serialize;
use symposium_hook::{HandlerRun, LogEntry, trail_files};

use crate::error::{CliError, CommandExit};
use crate::ops::context::Context;
use crate::ops::query::hook_log::{self, HookLog};
use crate::ui::printer::{OutputFormat, OutputPrinter, VerbosityLevel};
use crate::ui::table;
use crate::ui::text::{StyledText, count_of, output_columns, time_text, timestamp, wrap};

/// The column with the tool: of all names, those of MCP tools have no end.
const TOOL: usize = 3;
/// Before what belongs to the event above.
const INDENT: &str = "    ";

#[derive(Serialize)]
struct Document<'t> {
    version: u32,
    events: Vec<Row<'t>>,
    /// Lines that could not be read.
    broken: usize,
}

#[derive(Serialize)]
struct Row<'t> {
    at: String,
    #[serde(flatten)]
    entry: &'t LogEntry,
}

pub(super) fn run(limit: usize, printer: OutputPrinter) -> Result<CommandExit, CliError> {
    let logs = Context::directories_of_call()?.logs;
    let trail = hook_log::read(&logs).map_err(|error| {
        CliError::failed(format!("Cannot read the hook log `{}`: {}", error.path.display(), error.kind))
            .hint("make sure that it is a file that you own, or remove it")
    })?;
    let first = trail.events.len().saturating_sub(limit);
    let shown = trail.events.get(first..).unwrap_or_default();
    match printer.answer {
        OutputFormat::Json => {
            let events = shown.iter().map(|entry| Row { at: timestamp(entry.time / 1000), entry });
            printer.json(&Document { version: 1, events: events.collect(), broken: trail.broken });
        }
        OutputFormat::Human if trail.events.is_empty() => {
            let [_, newest] = trail_files();
            let text = format!(
                "The hook log is empty; hooks that do something are recorded in {}",
                logs.join(newest).display()
            );
            printer.text(&broken(&trail).into_iter().fold(StyledText::default().line(text), StyledText::line));
        }
        OutputFormat::Human => printer.text(&page(&trail, shown, printer.verbosity)),
    }
    Ok(CommandExit::Ok)
}

fn page(trail: &HookLog, shown: &[LogEntry], verbosity: VerbosityLevel) -> StyledText {
    let heading = ["TIME (UTC)", "AGENT", "EVENT", "TOOL", "DECISION", "MS"].map(str::to_owned).to_vec();
    let mut rows = vec![heading];
    rows.extend(shown.iter().map(|event| {
        let or_dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let time = time_text(event.time / 1000);
        let (agent, name) = (event.agent.clone(), event.event.clone());
        vec![time, agent, name, or_dash(&event.tool), or_dash(&event.decision), event.ms.to_string()]
    }));
    let mut lines = table::lines(&rows, TOOL, output_columns()).into_iter();
    let mut text = StyledText::default().heading(lines.next().unwrap_or_default());
    for (line, event) in lines.zip(shown) {
        text = text.line(line);
        for detail in details(event, verbosity) {
            for line in wrap(&detail, table::text_width() - INDENT.len()) {
                text = text.dim(format!("{INDENT}{line}")).end();
            }
        }
    }
    broken(trail).into_iter().fold(text.end().line(closing(trail, shown.len())), StyledText::line)
}

fn details(event: &LogEntry, verbosity: VerbosityLevel) -> Vec<String> {
    let mut details: Vec<String> = event.handlers.iter().map(ended).collect();
    if event.rewritten {
        details.push("the input was rewritten".to_owned());
    }
    if event.context > 0 {
        details.push(format!("{} of context", count_of(event.context, "byte")));
    }
    details.extend(event.notes.iter().map(|note| format!("note: {note}")));
    if verbosity >= VerbosityLevel::Verbose {
        details.extend(event.workspace.iter().map(|workspace| format!("in {workspace}")));
    }
    details
}

fn ended(handler: &HandlerRun) -> String {
    let HandlerRun { name, end, decision, ms } = handler;
    let end = if end.parse::<i64>().is_ok() { format!("exit {end}") } else { end.clone() };
    let decision = decision.as_ref().map(|decision| format!(", {decision}")).unwrap_or_default();
    format!("{name}: {end}{decision}, {ms} ms")
}

fn closing(trail: &HookLog, shown: usize) -> String {
    let all = trail.events.len();
    let events =
        if shown < all { format!("{shown} of {all} events shown; in total") } else { count_of(all, "event") + ":" };
    let (rewritten, by_rtk) = trail.rewrites();
    format!("{events} {} denied, {rewritten} rewritten ({by_rtk} with rtk)", trail.denied())
}

fn broken(trail: &HookLog) -> Option<String> {
    match trail.broken {
        0 => None,
        broken => Some(format!(
            "{} could not be read and {} skipped",
            count_of(broken, "line"),
            if broken == 1 { "is" } else { "are" }
        )),
    }
}
