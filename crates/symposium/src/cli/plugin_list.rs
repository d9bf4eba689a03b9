//! `symposium plugin list`: every source, where it comes from, and what it holds.

use serde::Serialize;
use symposium_model::catalog::{Catalog, CopyChoice, LoadedPlugin, LoadedSkill, LoadedSource};
use symposium_model::config::SourceRank;
use symposium_model::select::PluginVerdict;

use super::session::CliSession;
use super::state_text::add_state;
use crate::error::CommandExit;
use crate::ops::fetch_report::{describe_age, short};
use crate::ops::query::extension_state::{ExtensionState, StateReport};
use crate::ops::query::status::StatusReport;
use crate::ops::resolve::{Resolution, ResolutionDetail};
use crate::ui::diagnostic_row::DiagnosticRow;
use crate::ui::printer::OutputFormat;
use crate::ui::table::TABLE_WIDTH;
use crate::ui::text::{StyledText, count_of, output_columns, pad, timestamp};

#[derive(Serialize)]
struct ListDocument {
    version: u32,
    sources: Vec<SourceRow>,
}

#[derive(Serialize)]
struct SourceRow {
    name: String,
    kind: &'static str,
    path: String,
    /// For a repository: its address without credentials, the commit of the checkout, and the time of the fetch.
    #[serde(flatten)]
    git: Option<GitRow>,
    #[serde(skip)]
    rank: SourceRank,
    plugins: Vec<PluginRow>,
    /// Plugins of other sources that have skills from here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    used_by: Vec<String>,
    errors: Vec<DiagnosticRow>,
    warnings: Vec<DiagnosticRow>,
}

#[derive(Serialize)]
struct GitRow {
    url: String,
    commit: Option<String>,
    fetched: Option<String>,
    #[serde(skip)]
    summary: String,
}

impl GitRow {
    fn from_source(source: &LoadedSource) -> Option<Self> {
        let url = source.spec.kind.shown_address()?.to_owned();
        let copy = source.copy.as_ref();
        let summary = match copy {
            None => "not fetched".to_owned(),
            Some(copy) => {
                let commit = short(&copy.commit);
                match copy.choice {
                    CopyChoice::Current => format!("{commit}, fetched {}", describe_age(copy.fetched)),
                    CopyChoice::Earlier | CopyChoice::Pinned => {
                        format!("locked at {commit}, fetched {}", describe_age(copy.fetched))
                    }
                    CopyChoice::Vendored => format!("locked at {commit}, vendored"),
                }
            }
        };
        Some(Self {
            url,
            commit: copy.map(|copy| copy.commit.clone()),
            fetched: copy.filter(|copy| copy.choice != CopyChoice::Vendored).map(|copy| timestamp(copy.fetched)),
            summary,
        })
    }
}

#[derive(Serialize)]
struct PluginRow {
    name: String,
    path: String,
    /// The state of the part that most needs the user's attention.
    state: &'static str,
    #[serde(skip)]
    report: StateReport,
    /// Whether anything of it could be used here.
    #[serde(skip)]
    applies: bool,
    active: bool,
    /// Whether it comes from a dependency and is not switched on.
    candidate: bool,
    /// The plugin of the same name that takes precedence.
    shadowed_by: Option<String>,
    skills: Vec<String>,
    hooks: Vec<String>,
    mcp_servers: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListExtent {
    Applicable,
    All,
}

/// Lists every source with its plugins.
pub(super) fn list(session: &mut CliSession, extent: ListExtent) -> CommandExit {
    let resolution = session.resolve_inputs(ResolutionDetail::EVERYTHING);
    match session.printer.answer {
        // The document carries the faults itself.
        OutputFormat::Json => {
            resolution.catalog.sources.iter().for_each(|source| session.report.count(&source.findings.faults));
        }
        OutputFormat::Human => resolution.report_sources(&mut session.report),
    }
    session.report_briefly(&resolution.diagnostics.ledger);
    let CliSession { context, printer, report } = &*session;
    let status = StatusReport::new(context, &resolution, report);
    let Resolution { catalog, selection, .. } = &resolution;
    let mut verdicts = selection.plugins.iter();
    let mut sources = Vec::new();
    for source in &catalog.sources {
        // Verdicts come in the order of the catalog.
        let plugins = source.plugins.iter().zip(verdicts.by_ref()).map(|(plugin, verdict)| {
            let (report, applies) = (status.of_plugin(verdict.id), status.has_part_of(verdict.id));
            PluginRow { applies, ..row(catalog, plugin, verdict, report) }
        });
        let plugins: Vec<PluginRow> = plugins.collect();
        if source.is_bare_workspace() {
            continue;
        }
        sources.push(SourceRow {
            name: source.spec.name.clone(),
            kind: source.spec.kind.name(),
            path: match &source.copy {
                Some(copy) => copy.directory.display().to_string(),
                None => source.place.clone(),
            },
            git: GitRow::from_source(source),
            rank: source.spec.rank,
            plugins,
            used_by: users(catalog, source),
            errors: source.findings.faults.iter().map(DiagnosticRow::from_diagnostic).collect(),
            warnings: source
                .findings
                .awaited
                .iter()
                .chain(&source.findings.remarks)
                .map(DiagnosticRow::from_diagnostic)
                .collect(),
        });
    }
    if printer.answer == OutputFormat::Json {
        printer.json(&ListDocument { version: 1, sources });
    } else {
        printer.text(&list_text(&sources, extent));
    }
    CommandExit::Ok
}

/// The plugins of other sources whose skills lie in a copy of this one.
fn users(catalog: &Catalog, source: &LoadedSource) -> Vec<String> {
    let Some(copy) = &source.copy else { return Vec::new() };
    let lies_here = |skill: &LoadedSkill| skill.elsewhere.as_ref().is_some_and(|at| at.starts_with(&copy.directory));
    let plugins = catalog.plugins().map(|(_, loaded)| loaded);
    let mut names: Vec<String> =
        plugins.filter(|loaded| loaded.skills.iter().any(lies_here)).map(|loaded| loaded.plugin.name.clone()).collect();
    names.dedup();
    names
}

/// The plugin of the same name that is used instead.
pub(super) fn shadow_of(catalog: &Catalog, verdict: &PluginVerdict) -> Option<String> {
    catalog.plugin(verdict.gives_way_to()?).map(|(_, winner)| winner.shown.clone())
}

fn row(catalog: &Catalog, loaded: &LoadedPlugin, verdict: &PluginVerdict, report: StateReport) -> PluginRow {
    // Several groups may lead to one file.
    let is_first = |at: usize, skill: &LoadedSkill| !loaded.skills.iter().take(at).any(|one| one.shown == skill.shown);
    let skills = loaded.skills.iter().enumerate().filter(|(at, skill)| is_first(*at, skill));
    PluginRow {
        state: report.state.word(),
        report,
        applies: false,
        shadowed_by: shadow_of(catalog, verdict),
        name: loaded.plugin.name.clone(),
        path: loaded.shown.clone(),
        active: verdict.is_active(),
        candidate: verdict.verdict.holds && verdict.is_candidate(),
        skills: skills.map(|(_, skill)| skill.document.name.as_str().to_owned()).collect(),
        hooks: loaded.plugin.hooks.iter().map(|hook| hook.name.clone()).collect(),
        mcp_servers: loaded.plugin.mcp_servers.iter().map(|server| server.name.clone()).collect(),
    }
}

/// Describes the content of a plugin in one line. A plugin with a single skill of its own name is only called a skill.
fn contents(plugin: &PluginRow) -> String {
    let mut parts: Vec<String> = Vec::new();
    let is_skill = matches!(plugin.skills.as_slice(), [only] if *only == plugin.name);
    if is_skill && plugin.hooks.is_empty() && plugin.mcp_servers.is_empty() {
        parts.push("skill".to_owned());
    } else {
        let all = [("skills", &plugin.skills), ("hooks", &plugin.hooks), ("MCP servers", &plugin.mcp_servers)];
        for (what, names) in all.into_iter().filter(|(_, names)| !names.is_empty()) {
            parts.push(format!("{what}: {}", names.join(", ")));
        }
    }
    parts.extend(plugin.shadowed_by.as_ref().map(|winner| format!("not used, in favour of {winner}")));
    parts.join("; ")
}

fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Shows the sources of the user first. What ships with Symposium or is recommended is for many crates; of it, only
/// what could be used here is shown, unless all is wanted.
fn list_text(sources: &[SourceRow], extent: ListExtent) -> StyledText {
    let mut text = StyledText::default();
    let is_shown = |source: &SourceRow, plugin: &PluginRow| {
        source.rank > SourceRank::Recommendations || plugin.applies || extent == ListExtent::All
    };
    let all = sources.iter().flat_map(|source| source.plugins.iter().filter(|plugin| is_shown(source, plugin)));
    let state_width = all.map(|plugin| plugin.report.shown().chars().count()).max().unwrap_or(0);
    let is_narrow = output_columns().is_some_and(|columns| columns < TABLE_WIDTH);
    let mut sources: Vec<&SourceRow> = sources.iter().collect();
    sources.sort_by_key(|source| source.rank <= SourceRank::Recommendations);
    for source in sources {
        let place = match &source.git {
            Some(git) => format!("{}, {}", git.url, git.summary),
            None => source.path.clone(),
        };
        text = text.strong(&source.name).dim(format!(" ({}, {place})", source.kind)).end();
        let mut plugins: Vec<&PluginRow> = source.plugins.iter().filter(|plugin| is_shown(source, plugin)).collect();
        let width = plugins.iter().map(|plugin| plugin.name.chars().count()).max().unwrap_or(0);
        let left_out = source.plugins.len() - plugins.len();
        plugins.sort_by(|one, other| one.name.cmp(&other.name));
        for plugin in &plugins {
            let (name, contents) = (pad(&plugin.name, width), contents(plugin));
            let mut state = plugin.report.shown();
            if !contents.is_empty() && !is_narrow {
                state = format!("{}  ", pad(&state, state_width));
            }
            // What does nothing here stands back.
            let is_used = plugin.report.state != ExtensionState::Off;
            let name = format!("  {name}  ");
            text = if is_used { text.plain(name) } else { text.dim(name) };
            text = add_state(text, plugin.report.state, &state);
            if is_narrow && !contents.is_empty() {
                text = text.end().plain("    ");
            }
            text = if is_used { text.plain(contents) } else { text.dim(contents) }.end();
        }
        if left_out > 0 {
            let plugins = if plugins.is_empty() { count_of(left_out, "plugin") } else { format!("{left_out} more") };
            let verb = if left_out == 1 { "does" } else { "do" };
            let all = "`symposium plugin list --all` lists all";
            text = text.dim(format!("  {plugins} {verb} not apply here; {all}")).end();
        }
        if source.plugins.is_empty() {
            let is_known = source.git.as_ref().is_none_or(|git| git.commit.is_some());
            text = match source.used_by.as_slice() {
                [] if is_known => text.line("  no plugins"),
                [] => text.line("  content unknown, because it was not fetched yet"),
                names => text.line(format!("  skills of plugin {}", listed(names))),
            };
        }
    }
    text
}
