//! `symposium plugin list`: every source, where it comes from, and what it holds.

use serde::Serialize;
use symposium_io::clock;
use symposium_model::catalog::{Catalog, CopyChoice, LoadedPlugin, Source};
use symposium_model::config::SourceKind;
use symposium_model::select::PluginVerdict;

use crate::app::catalog;
use crate::app::context::Context;
use crate::app::outcome::{age, short};
use crate::ui::exit::Exit;
use crate::ui::finding::Row;
use crate::ui::printer::Answer;
use crate::ui::text::{Text, pad};

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
    /// Of a source that has to be fetched: its address without credentials, the commit at hand, and when it was fetched.
    #[serde(flatten)]
    git: Option<GitRow>,
    plugins: Vec<PluginRow>,
    errors: Vec<Row>,
    warnings: Vec<Row>,
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
    fn of(source: &Source) -> Option<Self> {
        let SourceKind::Git { address, .. } = &source.spec.kind else { return None };
        let copy = source.copy.as_ref();
        let summary = match copy {
            None => "not fetched".to_owned(),
            Some(copy) => {
                let commit = short(&copy.commit);
                match copy.choice {
                    CopyChoice::Current => format!("{commit}, fetched {}", age(copy.fetched)),
                    CopyChoice::Earlier | CopyChoice::Pinned => {
                        format!("locked at {commit}, fetched {}", age(copy.fetched))
                    }
                    CopyChoice::Vendored => format!("locked at {commit}, vendored"),
                }
            }
        };
        Some(Self {
            url: address.shown().to_owned(),
            commit: copy.map(|copy| copy.commit.clone()),
            fetched: copy.filter(|copy| copy.choice != CopyChoice::Vendored).map(|copy| clock::timestamp(copy.fetched)),
            summary,
        })
    }
}

#[derive(Serialize)]
struct PluginRow {
    name: String,
    path: String,
    active: bool,
    /// Whether it is a dependency's, and waits for somebody to switch it on.
    candidate: bool,
    /// The plugin of the same name it gives way to.
    shadowed_by: Option<String>,
    skills: Vec<String>,
    hooks: Vec<String>,
    mcp_servers: Vec<String>,
}

/// Lists every source with its plugins.
pub(super) fn list(context: &Context) -> Exit {
    let crates = context.crates();
    let json = context.printer.answer == Answer::Json;
    // The document carries the faults itself.
    let catalog =
        if json { catalog::read_silently(context, crates.as_ref()) } else { catalog::read(context, crates.as_ref()) };
    catalog.sources.iter().for_each(|source| context.note(&source.findings.faults));
    let selection = catalog::select_for(context, &catalog, crates.as_ref());
    let mut verdicts = selection.plugins.iter();
    let mut sources = Vec::new();
    for source in &catalog.sources {
        // Verdicts come in the order of the catalog.
        let plugins =
            source.plugins.iter().zip(verdicts.by_ref()).map(|(plugin, verdict)| row(&catalog, plugin, verdict));
        sources.push(SourceRow {
            name: source.spec.name.clone(),
            kind: source.spec.kind.name(),
            path: match &source.copy {
                Some(copy) => copy.directory.display().to_string(),
                None => source.place.clone(),
            },
            git: GitRow::of(source),
            plugins: plugins.collect(),
            errors: source.findings.faults.iter().map(Row::of).collect(),
            warnings: source.findings.awaited.iter().chain(&source.findings.remarks).map(Row::of).collect(),
        });
    }
    if json {
        context.printer.json(&ListDocument { version: 1, sources });
    } else {
        context.printer.text(&list_text(&sources));
    }
    Exit::Ok
}

/// The plugin of the same name that is used instead.
pub(super) fn shadow_of(catalog: &Catalog, verdict: &PluginVerdict) -> Option<String> {
    catalog.plugin(verdict.shadowed_by?).map(|(_, winner)| winner.shown.clone())
}

fn row(catalog: &Catalog, loaded: &LoadedPlugin, verdict: &PluginVerdict) -> PluginRow {
    PluginRow {
        shadowed_by: shadow_of(catalog, verdict),
        name: loaded.plugin.name.clone(),
        path: loaded.shown.clone(),
        active: verdict.is_active(),
        candidate: verdict.verdict.holds && verdict.is_candidate(),
        skills: loaded.skills.iter().map(|skill| skill.document.name.as_str().to_owned()).collect(),
        hooks: loaded.plugin.hooks.iter().map(|hook| hook.name.clone()).collect(),
        mcp_servers: loaded.plugin.mcp_servers.iter().map(|server| server.name.clone()).collect(),
    }
}

/// What a plugin holds, in one line. A skill that stands alone is a plugin of its own name: that says it all.
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
    parts.extend(plugin.shadowed_by.as_ref().map(|winner| format!("gives way to {winner}")));
    parts.join("; ")
}

fn list_text(sources: &[SourceRow]) -> Text {
    let mut text = Text::default();
    let any_candidate = sources.iter().flat_map(|source| &source.plugins).any(|plugin| plugin.candidate);
    let state_width = if any_candidate { "candidate".len() } else { "inactive".len() };
    for source in sources {
        let place = match &source.git {
            Some(git) => format!("{}, {}", git.url, git.summary),
            None => source.path.clone(),
        };
        text = text.strong(&source.name).dim(format!(" ({}, {place})", source.kind)).end();
        let width = source.plugins.iter().map(|plugin| plugin.name.chars().count()).max().unwrap_or(0);
        let mut plugins: Vec<&PluginRow> = source.plugins.iter().collect();
        plugins.sort_by(|one, other| one.name.cmp(&other.name));
        for plugin in plugins {
            let state = match (plugin.active, plugin.candidate) {
                (true, _) => "active",
                (false, true) => "candidate",
                (false, false) => "inactive",
            };
            let state = pad(state, state_width);
            let line = format!("  {}  {state}  {}", pad(&plugin.name, width), contents(plugin));
            // What does nothing here stands back.
            text = if plugin.active { text.line(line.trim_end()) } else { text.dim(line.trim_end()).end() };
        }
        if source.plugins.is_empty() {
            let is_known = source.git.as_ref().is_none_or(|git| git.commit.is_some());
            text = text.line(if is_known { "  no plugins" } else { "  what it holds is not known yet" });
        }
    }
    text
}
