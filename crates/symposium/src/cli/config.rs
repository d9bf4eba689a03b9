//! `symposium config`: settings with their origin, where the files are, and what may stand in them.

use serde::Serialize;
use symposium_model::config::{
    AutoEnable, EffectiveSettings, Scope, SettingOrigin, SettingValue, SourceLocation, redact,
};
use symposium_model::schema::JsonSchema;

use super::args::ConfigCommand;
use super::session::CliSession;
use crate::error::CommandExit;
use crate::ops::context::Context;
use crate::ui::printer::OutputFormat;
use crate::ui::text::{StyledText, pad};

pub(super) fn run(session: &mut CliSession, command: &ConfigCommand) -> CommandExit {
    match command {
        ConfigCommand::Show { origin } => show(session, *origin),
        ConfigCommand::Path => paths(session),
        ConfigCommand::Schema { name } => {
            if let Some(schema) = JsonSchema::ALL.into_iter().find(|schema| schema.name() == name) {
                session.printer.raw(schema.text().as_bytes());
            }
        }
    }
    CommandExit::Ok
}

#[derive(Serialize)]
struct ShowDocument {
    version: u32,
    settings: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    key: String,
    value: serde_json::Value,
    origin: &'static str,
    path: Option<String>,
    line: Option<usize>,
}

fn show(session: &CliSession, with_origin: bool) {
    let rows = rows(&session.context);
    if session.printer.answer == OutputFormat::Json {
        session.printer.json(&ShowDocument { version: 1, settings: rows });
        return;
    }
    let lines: Vec<String> = rows.iter().map(|row| format!("{} = {}", row.key, row.value)).collect();
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let mut text = StyledText::default();
    for (row, line) in rows.iter().zip(lines) {
        if with_origin {
            let place = match (&row.path, row.line) {
                (Some(path), Some(line)) => format!("{path}:{line}"),
                (Some(path), None) => format!("{}: {path} is invalid", row.origin),
                (None, _) => row.origin.to_owned(),
            };
            text = text.plain(pad(&line, width)).dim(format!("  # {place}")).end();
        } else {
            text = text.line(line);
        }
    }
    session.printer.text(&text);
}

fn rows(context: &Context) -> Vec<Row> {
    let settings = &context.settings;
    let mut rows = Vec::new();
    let mut add = |key: &str, value: serde_json::Value, origin: SettingOrigin| {
        let user = || Some(context.directories.config_file().display().to_string());
        let project = || context.project_config.as_ref().map(|path| path.display().to_string());
        let broken = || context.broken_configs.first().map(|(_, path)| path.display().to_string());
        let (origin, path, line) = match origin {
            SettingOrigin::Default if context.broken_configs.is_empty() => ("default", None, None),
            // A file that cannot be understood may well have set it.
            SettingOrigin::Default => ("unknown", broken(), None),
            SettingOrigin::User(line) => ("user", user(), Some(line)),
            SettingOrigin::Project(line) => ("project", project(), Some(line)),
        };
        rows.push(Row { key: key.to_owned(), value, origin, path, line });
    };
    for (key, value, origin) in values(settings) {
        add(key, value, origin);
    }
    for source in &settings.sources {
        let key = format!("plugin-source.{}", source.value.name);
        let value = match &source.value.location {
            SourceLocation::Path(path) => serde_json::json!({ "path": path }),
            SourceLocation::Git { url, auto_update } => {
                serde_json::json!({ "git": redact(url), "auto-update": auto_update })
            }
            SourceLocation::Index { url, auto_update } => {
                serde_json::json!({ "index": redact(url), "auto-update": auto_update })
            }
        };
        add(&key, value, source.origin);
    }
    let toggles = [("skills", &settings.skills), ("workflows", &settings.workflows)];
    for (table, entries) in toggles {
        for toggle in entries {
            add(&format!("{table}.{}", toggle.key), toggle.on.into(), SettingOrigin::Project(toggle.line));
        }
    }
    let own = [("skills", &context.own.skills), ("workflows", &context.own.workflows)];
    for (table, toggle) in
        own.into_iter().flat_map(|(table, entries)| entries.iter().map(move |toggle| (table, toggle)))
    {
        rows.push(Row {
            key: format!("{table}.{}", toggle.key),
            value: toggle.on.into(),
            origin: "workspace",
            path: context.own_file().map(|path| path.display().to_string()),
            line: Some(toggle.line),
        });
    }
    rows
}

/// Every plain setting with its key in the file.
fn values(settings: &EffectiveSettings) -> Vec<(&'static str, serde_json::Value, SettingOrigin)> {
    fn entry<T>(
        key: &'static str,
        setting: &SettingValue<T>,
        value: impl FnOnce(&T) -> serde_json::Value,
    ) -> (&'static str, serde_json::Value, SettingOrigin) {
        (key, value(&setting.value), setting.origin)
    }
    let flag = |value: &bool| serde_json::Value::from(*value);
    let texts = |value: &Vec<String>| serde_json::Value::from(value.clone());
    vec![
        entry("agent.name", &settings.agents, |agents| agents.iter().map(|agent| agent.name()).collect()),
        entry("agent.sync-default", &settings.sync_default, flag),
        entry("agent.auto-sync", &settings.auto_sync, flag),
        entry("self-contained", &settings.self_contained, flag),
        entry("required-version", &settings.required_version, |version| version.clone().into()),
        entry("logging.level", &settings.log_level, |level| level.name().into()),
        entry("defaults.builtin", &settings.builtin, flag),
        entry("defaults.symposium-recommendations", &settings.recommendations, flag),
        entry("defaults.user-plugins", &settings.user_plugins, flag),
        entry("defaults.workspace", &settings.workspace, flag),
        entry("matching.transitive", &settings.transitive, flag),
        entry("fetch.timeout", &settings.fetch_timeout, |seconds| (*seconds).into()),
        entry("hooks.nudge-interval", &settings.nudge_interval, |interval| (*interval).into()),
        entry("guidance.index-bytes", &settings.guidance_index_bytes, |bytes| (*bytes).into()),
        entry("guidance.at-edit", &settings.guidance_at_edit, |mode| mode.name().into()),
        entry("install.commit", &settings.install_commit, flag),
        entry("install.agents-md", &settings.install_agents_md, flag),
        entry("update.notice", &settings.update_notice, flag),
        entry("usage.record", &settings.usage_record, flag),
        entry("rtk.exclude", &settings.rtk_exclude, texts),
        entry("cargo.shim", &settings.cargo_shim, flag),
        entry("agents.opencode.hooks", &settings.opencode_hooks, flag),
        entry("agents.kiro.standalone-hooks", &settings.kiro_standalone_hooks, flag),
        entry("trust.projects", &settings.trust_projects, |projects| projects.to_string().into()),
        entry("trust.allow-text", &settings.trust_allow_text, texts),
        entry("trust.directories", &settings.trust_directories, texts),
        entry("trust.allow-symposium", &settings.allow_symposium, flag),
        entry("plugins.auto-enable", &settings.auto_enable, |enable| match enable {
            AutoEnable::Off => false.into(),
            AutoEnable::All => true.into(),
            AutoEnable::Only(names) => names.clone().into(),
        }),
    ]
}

#[derive(Serialize)]
struct PathDocument {
    version: u32,
    user: String,
    project: Option<String>,
    config: String,
    cache: String,
    logs: String,
}

fn paths(session: &CliSession) {
    let shown = |path: &std::path::Path| path.display().to_string();
    let context = &session.context;
    let directories = &context.directories;
    let document = PathDocument {
        version: 1,
        user: shown(&directories.config_file()),
        project: context.config_file(Scope::Project).map(|file| shown(&file)),
        config: shown(&directories.config),
        cache: shown(&directories.cache),
        logs: shown(&directories.logs),
    };
    if session.printer.answer == OutputFormat::Json {
        session.printer.json(&document);
        return;
    }
    let project = document.project.unwrap_or_else(|| "none: this directory is not in a workspace".to_owned());
    let rows = [
        ("user config", document.user),
        ("project config", project),
        ("config directory", document.config),
        ("cache directory", document.cache),
        ("log directory", document.logs),
    ];
    let mut text = StyledText::default();
    for (label, path) in rows {
        text = text.dim(pad(label, 18)).line(path);
    }
    session.printer.text(&text);
}
