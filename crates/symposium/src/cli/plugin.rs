//! `symposium plugin`: show and validate; the others have files of their own.

use serde::Serialize;
use symposium_model::catalog::{Catalog, LoadedPlugin, LoadedSource, PluginKind};
use symposium_model::conditions::ConditionSet;
use symposium_model::config::redact;
use symposium_model::manifest::{CommandSpec, GroupSource, InstallationSource, ReferenceSource};
use symposium_model::select::PluginVerdict;
use symposium_model::suggest::advice;
use symposium_model::transport::ServerTransport;

use super::args::{GlobalArgs, PluginCommand};
use super::plugin_list::{ListExtent, list, shadow_of};
use super::report::{self, FailureBar};
use super::session::CliSession;
use super::{plugin_index, plugin_new, plugin_sync};
use crate::error::{CliError, CommandExit};
use crate::ops::author::validate;
use crate::ops::author::validate::CrateCheck;
use crate::ops::query::extension_state::ExtensionState;
use crate::ops::query::status::StatusReport;
use crate::ops::resolve::{Resolution, ResolutionDetail};
use crate::ui::diagnostic_row::DiagnosticRow;
use crate::ui::printer::{OutputFormat, OutputPrinter};
use crate::ui::text::StyledText;

pub(super) fn run(
    command: &PluginCommand,
    global: &GlobalArgs,
    printer: OutputPrinter,
) -> Result<CommandExit, CliError> {
    match command {
        PluginCommand::Sync { due: true, directories, .. } => {
            plugin_sync::fetch_due(directories.clone().into(), global)
        }
        PluginCommand::Sync { name, writing, .. } => plugin_sync::run(name.as_deref(), *writing, global, printer),
        PluginCommand::List { all } => {
            let extent = if *all { ListExtent::All } else { ListExtent::Applicable };
            CliSession::logged(printer, global).map(|session| session.answer(|session| list(session, extent)))
        }
        PluginCommand::Show { name } => {
            let mut session = CliSession::logged(printer, global)?;
            show(&mut session, name).map(|exit| session.exit(exit))
        }
        PluginCommand::Validate { paths, strict, check_crates } => {
            let check = match (check_crates, super::is_offline(global)) {
                (false, _) => CrateCheck::Skip,
                (true, false) => CrateCheck::Ask,
                (true, true) => CrateCheck::Offline,
            };
            let (items, empty) = report::check_each(paths, |path| validate::plugins(path, check))?;
            let nothing = empty.map(|path| format!("`{}` contains no manifest and no SKILL.md", path.display()));
            let hint = "pass a manifest, a plugin directory or a directory of plugins";
            report::items(&items, FailureBar::strict(*strict), printer, nothing.as_deref(), hint)
        }
        PluginCommand::New(args) => plugin_new::run(args, printer),
        PluginCommand::Index { path, out } => plugin_index::run(path, out, printer),
    }
}

#[derive(Serialize)]
struct PluginDocument {
    version: u32,
    plugins: Vec<PluginDetails>,
}

#[derive(Serialize)]
struct PluginDetails {
    name: String,
    source: String,
    path: String,
    state: &'static str,
    active: bool,
    /// The plugin of the same name that takes precedence.
    shadowed_by: Option<String>,
    conditions: Vec<String>,
    session_start_context: Option<String>,
    groups: Vec<PluginPart>,
    skills: Vec<PluginPart>,
    hooks: Vec<PluginPart>,
    mcp_servers: Vec<PluginPart>,
    installations: Vec<PluginPart>,
    plugins: Vec<PluginPart>,
    findings: Vec<DiagnosticRow>,
}

/// One part of a plugin: its name, what it is, and when it applies.
#[derive(Serialize)]
struct PluginPart {
    name: String,
    detail: String,
    conditions: Vec<String>,
}

fn show(session: &mut CliSession, name: &str) -> Result<CommandExit, CliError> {
    let resolution = session.resolve(ResolutionDetail::EVERYTHING);
    let CliSession { context, printer, report } = &*session;
    let status = StatusReport::new(context, &resolution, report);
    let Resolution { catalog, selection, .. } = &resolution;
    let plugins: Vec<PluginDetails> = catalog
        .plugins()
        .zip(&selection.plugins)
        .filter(|((_, loaded), _)| loaded.plugin.name == name)
        .map(|((source, loaded), verdict)| {
            let state = status.of_plugin(verdict.id).state;
            details(catalog, source, loaded, verdict, state)
        })
        .collect();
    if plugins.is_empty() {
        if printer.answer == OutputFormat::Json {
            printer.json(&PluginDocument { version: 1, plugins });
        }
        let known: Vec<&str> = catalog.plugins().map(|(_, loaded)| loaded.plugin.name.as_str()).collect();
        let help = advice(name, &known, || "run `symposium plugin list --all` to list all plugins".to_owned());
        return Err(CliError::no(format!("No source has a plugin `{name}`")).hint(help));
    }
    match printer.answer {
        OutputFormat::Json => printer.json(&PluginDocument { version: 1, plugins }),
        OutputFormat::Human => printer.text(&show_text(&plugins)),
    }
    Ok(CommandExit::Ok)
}

fn details(
    catalog: &Catalog,
    source: &LoadedSource,
    loaded: &LoadedPlugin,
    verdict: &PluginVerdict,
    state: ExtensionState,
) -> PluginDetails {
    let plugin = &loaded.plugin;
    let shadowed_by = shadow_of(catalog, verdict);
    // A skill on its own lends its conditions to its plugin; once is enough.
    let conditions = match loaded.kind {
        PluginKind::Manifest => texts(&plugin.conditions),
        PluginKind::StandAlone => Vec::new(),
    };
    let skills = loaded.skills.iter().map(|skill| PluginPart {
        name: skill.document.name.as_str().to_owned(),
        detail: skill.document.listed_description(),
        conditions: texts(&skill.conditions),
    });
    let groups = plugin.skills.iter().map(|group| {
        let (name, detail) = match &group.source {
            GroupSource::Path(path) => ("path", path.clone()),
            GroupSource::Git(url) => ("git", redact(url).into_owned()),
            GroupSource::Crate => ("crate", "in the crate's own source".to_owned()),
            GroupSource::CratePath(path) => ("crate", format!("in the crate's own source, at {path}")),
        };
        PluginPart { name: name.to_owned(), detail, conditions: texts(&group.conditions) }
    });
    let references = plugin.plugins.iter().map(|reference| {
        let (name, detail) = match &reference.source {
            ReferenceSource::Crate { name, version } => {
                ("crate", format!("{name} {}", version.as_deref().unwrap_or_default()).trim_end().to_owned())
            }
            ReferenceSource::Git(url) => ("git", redact(url).into_owned()),
            ReferenceSource::Path(path) => ("path", path.clone()),
        };
        PluginPart { name: name.to_owned(), detail, conditions: texts(&reference.conditions) }
    });
    let hooks = plugin.hooks.iter().map(|hook| PluginPart {
        name: hook.name.clone(),
        detail: {
            let detail = format!("{} on {} for {}", command_text(&hook.command), hook.event, hook.matcher);
            hook.description.iter().fold(detail, |detail, text| format!("{detail}: {text}"))
        },
        conditions: texts(&hook.conditions),
    });
    let servers = plugin.mcp_servers.iter().map(|server| PluginPart {
        name: server.name.clone(),
        detail: match &server.transport {
            ServerTransport::Stdio { command, args, .. } => {
                format!("{command} {}", args.join(" ")).trim_end().to_owned()
            }
            ServerTransport::Http { url, .. } | ServerTransport::Sse { url, .. } => url.clone(),
        },
        conditions: texts(&server.conditions),
    });
    let installations = plugin.installations.iter().map(|installation| PluginPart {
        name: installation.name.clone(),
        detail: match &installation.source {
            InstallationSource::None => "already on the machine".to_owned(),
            InstallationSource::Cargo { package, .. } => format!("crate {package}"),
            InstallationSource::GitHub { url } => url.clone(),
        },
        conditions: Vec::new(),
    });
    let mine = source.findings.all().filter(|found| found.path == loaded.shown);
    PluginDetails {
        name: plugin.name.clone(),
        source: source.spec.name.clone(),
        path: loaded.shown.clone(),
        state: state.word(),
        active: verdict.is_active(),
        conditions,
        session_start_context: plugin.session_start_context.clone(),
        shadowed_by,
        groups: groups.collect(),
        skills: skills.collect(),
        hooks: hooks.collect(),
        mcp_servers: servers.collect(),
        installations: installations.collect(),
        plugins: references.collect(),
        findings: mine.map(DiagnosticRow::from_diagnostic).collect(),
    }
}

fn texts(conditions: &ConditionSet) -> Vec<String> {
    let crates: Vec<String> = conditions.crates.iter().map(ToString::to_string).collect();
    let crates = (!crates.is_empty()).then(|| format!("crates: {}", crates.join(", ")));
    crates.into_iter().chain(conditions.predicates.iter().map(ToString::to_string)).collect()
}

fn command_text(command: &CommandSpec) -> String {
    match command {
        CommandSpec::Line { line, args } => format!("{line} {}", args.join(" ")).trim_end().to_owned(),
        CommandSpec::Installed { installation, args, .. } => {
            format!("{installation} {}", args.join(" ")).trim_end().to_owned()
        }
    }
}

fn show_text(plugins: &[PluginDetails]) -> StyledText {
    let mut text = StyledText::default();
    for plugin in plugins {
        text = text.strong(&plugin.name).line(format!(", {}, from source `{}`", plugin.state, plugin.source));
        text = text.line(format!("  {}", plugin.path));
        if let Some(winner) = &plugin.shadowed_by {
            text = text.line(format!("  not used: another plugin has the same name: {winner}"));
        }
        for condition in &plugin.conditions {
            text = text.line(format!("  condition: {condition}"));
        }
        if let Some(context) = &plugin.session_start_context {
            text = text.line(format!("  session start: {context}"));
        }
        let parts = [
            ("skills from", &plugin.groups),
            ("skill", &plugin.skills),
            ("hook", &plugin.hooks),
            ("MCP server", &plugin.mcp_servers),
            ("installation", &plugin.installations),
            ("plugin from", &plugin.plugins),
        ];
        for (what, entries) in parts {
            for entry in entries {
                text = text.plain(format!("  {what} ")).strong(&entry.name).line(format!(": {}", entry.detail));
                for condition in &entry.conditions {
                    text = text.line(format!("    condition: {condition}"));
                }
            }
        }
        for finding in &plugin.findings {
            text = text.line(format!("  {}", finding.line_text()));
        }
    }
    text
}
