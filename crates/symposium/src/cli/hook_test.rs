//! `symposium hook test`: a plugin's cases with every agent, and what does not work on which.

use std::path::{Path, PathBuf};

use serde::Serialize;
use symposium_agents::dialect;
use symposium_model::agent::AgentId;
use symposium_model::diagnostic::{Diagnostic, Severity};
use symposium_model::manifest::{Hook, Plugin};
use symposium_model::skill::SKILL_FILE;
use symposium_model::suggest::advice;
use symposium_model::trust::CommandKind;

use super::args::GlobalArgs;
use super::session::CliSession;
use crate::error::{CliError, CommandExit};
use crate::ops::author::hook_check;
use crate::ops::author::hook_dry_run::{TriedCase, try_plugin};
use crate::ops::author::hook_expect::CaseVerdict;
use crate::ops::author::plugin_crate::OwnPlugin;
use crate::ops::author::tool_matcher;
use crate::ops::author::validate;
use crate::ops::catalog::root_of;
use crate::ops::environment::exists;
use crate::ops::hook_plan;
use crate::ops::resolve::ResolutionDetail;
use crate::ops::trust;
use crate::ui::diagnostic_row::DiagnosticRow;
use crate::ui::printer::{OutputFormat, OutputPrinter};
use crate::ui::table::{self, WIDTH};
use crate::ui::text::{StyledText, count_of, output_columns, wrap};

/// Before what belongs to the case above.
const INDENT: &str = "    ";

/// The words of [`word`].
const VERDICTS: [&str; 3] = ["ok", "no", "FAILED"];

/// The least room for the name of a case.
const CASE_WIDTH: usize = 11;

/// Whether plugins without any test case will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WithoutCases {
    Allowed,
    Refused,
}

#[derive(Default)]
struct TestedPlugins {
    /// The plugins, each with its directory.
    plugins: Vec<(Plugin, Option<PathBuf>)>,
    findings: Vec<Diagnostic>,
}

pub(super) fn run(
    plugin: Option<&Path>,
    agents: Vec<AgentId>,
    empty: WithoutCases,
    global: &GlobalArgs,
    printer: OutputPrinter,
) -> Result<CommandExit, CliError> {
    let with_events = || AgentId::ALL.into_iter().filter(|agent| dialect(*agent).has_events()).collect();
    let agents = if agents.is_empty() { with_events() } else { agents };
    let plugin = plugin.unwrap_or(Path::new("."));
    // A name with a separator in it is a path; any other may be either, and what is here is meant first.
    let is_name = plugin.components().count() == 1 && !exists(plugin);
    let mut asked = if is_name { by_name(plugin, global, printer)? } else { by_path(plugin)? };
    let results: Vec<Vec<TriedCase>> =
        asked.plugins.iter().map(|(plugin, directory)| try_plugin(plugin, directory.as_deref(), &agents)).collect();
    let uncalled: Vec<Diagnostic> =
        asked.plugins.iter().zip(&results).flat_map(|((plugin, _), tried)| uncalled_hooks(plugin, tried)).collect();
    asked.findings.extend(uncalled);
    let outcomes = || results.iter().flatten().map(|tried| &tried.verdict);
    let failed = outcomes().filter(|verdict| matches!(verdict, CaseVerdict::Failed(_))).count();
    let errors = asked.findings.iter().filter(|found| found.severity == Severity::Error).count();
    match printer.answer {
        OutputFormat::Json => printer.json(&document(&asked, &results, &agents)),
        OutputFormat::Human => {
            printer.diagnostics(&asked.findings);
            let mut text = StyledText::default();
            for ((plugin, _), tried) in asked.plugins.iter().zip(&results) {
                text = page(text, plugin, tried, &agents);
            }
            printer.text(&text.line(closing(&results, &agents)));
        }
    }
    let is_empty = results.iter().all(Vec::is_empty);
    if is_empty && errors == 0 {
        printer.hint("declare cases as `[[hooks.tests]]` below a hook: `input`, and `decision`, `reason`, `context`, `rewrite` or `output`");
    }
    let is_enough = !is_empty || empty == WithoutCases::Allowed;
    Ok(if failed == 0 && errors == 0 && is_enough { CommandExit::Ok } else { CommandExit::No })
}

/// Finds the hooks that no case called, though every case is met: such cases show nothing about them.
fn uncalled_hooks(plugin: &Plugin, tried: &[TriedCase]) -> Vec<Diagnostic> {
    let is_uncalled = |hook: &&Hook| {
        let of_hook = || tried.iter().filter(|tried| tried.hook == hook.name);
        let is_met = of_hook().any(|tried| tried.verdict == CaseVerdict::Met);
        is_met && !of_hook().any(|tried| tried.was_called || matches!(tried.verdict, CaseVerdict::Failed(_)))
    };
    let uncalled = plugin.hooks.iter().filter(is_uncalled);
    let report = |hook: &Hook| {
        let message = format!("No test case calls this hook, whose matcher is `{}`", hook.matcher);
        let help = "correct the matcher, or add a case whose tool it matches";
        Diagnostic::error(format!("{}/{}", plugin.name, hook.name), message).help(help)
    };
    uncalled.map(report).collect()
}

fn by_path(path: &Path) -> Result<TestedPlugins, CliError> {
    let (plugins, left_out) = validate::own_plugins(path)?;
    let mut asked = TestedPlugins { plugins: Vec::new(), findings: left_out };
    if plugins.is_empty() {
        let error = CliError::no(format!("There is no manifest in `{}`", path.display()));
        return Err(error.hint("give a manifest, a plugin's directory or a plugin's name"));
    }
    for OwnPlugin { loaded, findings, directory } in plugins {
        // Skills are not what is tried here.
        asked.findings.extend(findings.all().filter(|found| !found.path.ends_with(SKILL_FILE)).cloned());
        asked.plugins.extend(loaded.map(|loaded| (loaded.plugin, directory)));
    }
    Ok(asked)
}

fn by_name(name: &Path, global: &GlobalArgs, printer: OutputPrinter) -> Result<TestedPlugins, CliError> {
    let name = name.display().to_string();
    let mut session = CliSession::load(printer, global)?;
    let resolution = session.resolve_inputs(ResolutionDetail::SOURCES);
    let context = &session.context;
    let catalog = &resolution.catalog;
    let mut asked = TestedPlugins::default();
    for (source, loaded) in catalog.plugins().filter(|(_, loaded)| loaded.plugin.name == name) {
        // A directory on the command line is the person's own choice; what a configuration names is not.
        let is_chosen =
            root_of(source).is_some_and(|root| context.options.extra_sources.iter().any(|extra| extra == root));
        let standing = trust::standing_of(context, source, loaded);
        if !is_chosen && !standing.permission.is_given() {
            let error = CliError::no(format!("The commands of plugin `{name}` are not granted, so they are not tried"));
            return Err(
                error.hint("`symposium trust` shows it, and asks; or give the directory of a plugin of your own")
            );
        }
        asked.findings.extend(source.findings.all().filter(|found| found.path == loaded.shown).cloned());
        let mut plugin = loaded.plugin.clone();
        plugin.hooks.retain(|hook| is_chosen || standing.refusal(CommandKind::Hook, &hook.name).is_none());
        asked.plugins.push((plugin, hook_plan::directory_of(source, loaded)));
    }
    if asked.plugins.is_empty() {
        let known: Vec<&str> = catalog.plugins().map(|(_, loaded)| loaded.plugin.name.as_str()).collect();
        let help =
            advice(&name, &known, || "give a directory, or a name that `symposium plugin list` shows".to_owned());
        return Err(CliError::no(format!("There is no plugin `{name}` here or in any source")).hint(help));
    }
    Ok(asked)
}

#[derive(Serialize)]
struct Document {
    version: u32,
    cases: Vec<CaseRow>,
    portability: Vec<LimitRow>,
    errors: Vec<DiagnosticRow>,
}

#[derive(Serialize)]
struct CaseRow {
    plugin: String,
    hook: String,
    case: String,
    agent: &'static str,
    /// `ok`, `cannot` or `failed`.
    outcome: &'static str,
    detail: Option<String>,
}

#[derive(Serialize)]
struct LimitRow {
    plugin: String,
    hook: String,
    message: String,
}

fn document(asked: &TestedPlugins, results: &[Vec<TriedCase>], agents: &[AgentId]) -> Document {
    let mut cases = Vec::new();
    let mut portability = Vec::new();
    for ((plugin, _), tried) in asked.plugins.iter().zip(results) {
        cases.extend(tried.iter().map(|tried| {
            let (outcome, detail) = match &tried.verdict {
                CaseVerdict::Met => ("ok", None),
                CaseVerdict::Cannot(why) => ("cannot", Some(why.clone())),
                CaseVerdict::Failed(why) => ("failed", Some(why.clone())),
            };
            let (plugin, agent) = (plugin.name.clone(), tried.agent.name());
            CaseRow { plugin, hook: tried.hook.clone(), case: tried.case.clone(), agent, outcome, detail }
        }));
        for (hooks, message) in hook_check::remarks_together(plugin, agents) {
            portability.extend(hooks.into_iter().map(|hook| LimitRow {
                plugin: plugin.name.clone(),
                hook: hook.name.clone(),
                message: message.clone(),
            }));
        }
    }
    let errors = asked.findings.iter().filter(|found| found.severity == Severity::Error);
    Document { version: 1, cases, portability, errors: errors.map(DiagnosticRow::from_diagnostic).collect() }
}

fn page(mut text: StyledText, plugin: &Plugin, tried: &[TriedCase], agents: &[AgentId]) -> StyledText {
    for hook in &plugin.hooks {
        let title = format!("{}/{}", plugin.name, hook.name);
        let of_hook: Vec<&TriedCase> = tried.iter().filter(|tried| tried.hook == hook.name).collect();
        if of_hook.is_empty() {
            text = text.line(format!("{title} has no test cases to run")).end();
            continue;
        }
        text = text.heading(format!("{title} at {}", hook.event));
        for remark in tool_matcher::remarks(hook) {
            for line in
                wrap(&format!("matcher: {}; {}", remark.message, remark.help), table::text_width() - INDENT.len())
            {
                text = text.line(format!("{INDENT}{line}"));
            }
        }
        // Cases of one name are shown as one row each: they come in the order of the manifest.
        let mut rows: Vec<(&str, Vec<&TriedCase>)> = Vec::new();
        for one in of_hook {
            match rows.last_mut() {
                Some((case, row)) if *case == one.case && row.iter().all(|other| other.agent != one.agent) => {
                    row.push(one);
                }
                Some(_) | None => rows.push((&one.case, vec![one])),
            }
        }
        let mut lines = table::lines(&cells(&rows, agents), 0, output_columns()).into_iter();
        text = text.dim(lines.next().unwrap_or_default()).end();
        for (line, (_, row)) in lines.zip(&rows) {
            text = text.line(line);
            for (why, on) in reasons(row) {
                for line in wrap(&format!("{why} ({})", on.join(", ")), table::text_width() - INDENT.len()) {
                    text = text.line(format!("{INDENT}{line}"));
                }
            }
        }
        text = text.end();
    }
    let limits = hook_check::remarks_together(plugin, agents);
    if !limits.is_empty() {
        text = text.heading("Portability");
        for (hooks, message) in limits {
            let names: Vec<&str> = hooks.iter().map(|hook| hook.name.as_str()).collect();
            for line in wrap(&format!("{} at {message}", names.join(", ")), table::text_width() - INDENT.len()) {
                text = text.line(format!("{INDENT}{line}"));
            }
        }
        text = text.end();
    }
    text
}

/// Returns a column for each agent; for more agents than fit beside the cases, the numbers of them.
fn cells(rows: &[(&str, Vec<&TriedCase>)], agents: &[AgentId]) -> Vec<Vec<String>> {
    let width = agents.iter().map(|agent| agent.name().len() + 2).sum::<usize>();
    let heading: Vec<String> = if width + CASE_WIDTH <= WIDTH {
        agents.iter().map(ToString::to_string).collect()
    } else {
        VERDICTS.map(str::to_owned).to_vec()
    };
    let marks = |row: &[&TriedCase], column: &String| {
        let words = || row.iter().map(|one| (one.agent, word(&one.verdict)));
        match AgentId::parse(column) {
            Some(agent) => words().find(|(of, _)| *of == agent).map_or(String::new(), |(_, word)| word.to_owned()),
            None => words().filter(|(_, word)| word == column).count().to_string(),
        }
    };
    let first = std::iter::once("CASE".to_owned()).chain(heading.iter().cloned()).collect();
    let others = rows.iter().map(|(case, row)| {
        let marks = heading.iter().map(|column| marks(row, column));
        std::iter::once((*case).to_owned()).chain(marks).collect()
    });
    std::iter::once(first).chain(others).collect()
}

fn word(verdict: &CaseVerdict) -> &'static str {
    match verdict {
        CaseVerdict::Met => "ok",
        CaseVerdict::Cannot(_) => "no",
        CaseVerdict::Failed(_) => "FAILED",
    }
}

/// Returns the reasons why a case failed, each with its agents.
fn reasons(row: &[&TriedCase]) -> Vec<(String, Vec<&'static str>)> {
    let mut reasons: Vec<(String, Vec<&'static str>)> = Vec::new();
    for one in row {
        let why = match &one.verdict {
            CaseVerdict::Met => continue,
            CaseVerdict::Cannot(why) => format!("no: {why}"),
            CaseVerdict::Failed(why) => format!("FAILED: {why}"),
        };
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, on)) => on.push(one.agent.name()),
            None => reasons.push((why, vec![one.agent.name()])),
        }
    }
    reasons
}

fn closing(results: &[Vec<TriedCase>], agents: &[AgentId]) -> String {
    let count = |word_of: &str| results.iter().flatten().filter(|tried| word(&tried.verdict) == word_of).count();
    let all = results.iter().map(Vec::len).sum::<usize>();
    let with = count_of(agents.len(), "agent");
    if all == 0 {
        return "No hook has test cases".to_owned();
    }
    let (met, cannot, failed) = (count("ok"), count("no"), count("FAILED"));
    format!("{} with {with}: {met} ok, {cannot} not possible, {failed} failed", count_of(all, "trial"))
}
