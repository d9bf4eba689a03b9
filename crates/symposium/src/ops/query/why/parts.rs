//! Hooks and MCP servers of plugins, and the entries that stand for them in settings files.

use symposium_io::settings::MAX_SETTINGS;
use symposium_io::{clock, fs};
use symposium_model::catalog::{LoadedPlugin, LoadedSource};
use symposium_model::manifest::McpServer;
use symposium_model::ownership::Marker;
use symposium_model::select::PluginVerdict;
use symposium_model::sync::{LedgerRecord, WrittenContent, WrittenEntry};

use super::{WhyAnswer, WhyInput, permission_line, sentences};
use crate::ops::hook_plan::kept_guards::kept_guards;
use crate::ops::query::extension_state::ExtensionState;
use crate::ops::query::hook_list::ListedHook;

/// The name of Symposium's own MCP server.
const OUR_SERVER: &str = "symposium";

/// Hooks by their own name, or as `plugin/hook`.
pub(super) fn about_hooks(evidence: &WhyInput<'_>, name: &str) -> Vec<WhyAnswer> {
    let (whole, part) = name.split_once('/').map_or((None, name), |(whole, part)| (Some(whole), part));
    let is_meant = |plugin: &str, hook: &str| hook == part && whole.is_none_or(|whole| whole == plugin);
    let mut plugins = evidence.resolution.catalog.plugins().map(|(_, loaded)| &loaded.plugin);
    let kept = kept_guards(evidence.context, evidence.resolution);
    // The plugin of a policy hook without a manifest is known by the hook alone.
    let is_kept = |plugin: &str, hook: &str| {
        let mut kept = kept.iter().map(|kept| &kept.guard.handler);
        kept.any(|kept| kept.plugin == plugin && kept.name == hook && (name == plugin || is_meant(plugin, hook)))
    };
    let has_meant = plugins.any(|plugin| plugin.hooks.iter().any(|hook| is_meant(&plugin.name, &hook.name)));
    // What hooks do is found out only when one is meant.
    if !has_meant && !kept.iter().any(|kept| is_kept(&kept.guard.handler.plugin, &kept.guard.handler.name)) {
        return Vec::new();
    }
    let is_asked = |row: &&ListedHook| is_meant(&row.plugin, &row.name) || is_kept(&row.plugin, &row.name);
    evidence.hooks().iter().filter(is_asked).map(about_hook).collect()
}

fn about_hook(row: &ListedHook) -> WhyAnswer {
    let title = format!("{}/{}", row.plugin, row.name);
    let reason = &row.report.reason;
    let mut reasons: Vec<String> = (!reason.is_empty()).then(|| reason.clone()).into_iter().collect();
    reasons.push(format!("it is for {}, with the matcher `{}`", row.event, row.matcher));
    reasons.extend(row.last.as_ref().map(|last| {
        let decision = last.ran.decision.as_ref().map(|decision| format!(" ({decision})")).unwrap_or_default();
        let time = clock::text(last.time / 1000);
        format!("it last ran at {time} UTC with {}; result: {}{decision}", last.agent, last.ran.end)
    }));
    reasons.push(format!("it belongs to plugin `{}` of source `{}`", row.plugin, row.source));
    if row.report.state == ExtensionState::On {
        reasons.push(format!("run `symposium off {title}` to switch it off"));
    }
    WhyAnswer { subject: format!("hook `{title}`"), verdict: row.report.shown(), reasons }
}

/// MCP servers by their name, as `plugin/server`, or by the entry that a settings file has for them.
pub(super) fn about_servers(evidence: &WhyInput<'_>, name: &str) -> Vec<WhyAnswer> {
    let is_meant = |plugin: &str, server: &str| {
        let in_plugin = name.split_once('/').is_some_and(|(whole, part)| whole == plugin && part == server);
        // `mcpServers.NAME`, as the entries of a file are shown.
        let is_entry = || recorded(evidence, server).any(|(_, entry)| entry.path.join(".") == name);
        name == server || in_plugin || is_entry()
    };
    let mut explanations = Vec::new();
    let own = places(evidence, OUR_SERVER);
    if is_meant(OUR_SERVER, OUR_SERVER) && !own.is_empty() {
        let subject = format!("MCP server `{OUR_SERVER}`");
        explanations.push(WhyAnswer { subject, verdict: "Symposium itself".to_owned(), reasons: own });
    }
    for verdict in &evidence.resolution.selection.plugins {
        let Some((source, loaded)) = evidence.resolution.catalog.plugin(verdict.id) else { continue };
        for server in &loaded.plugin.mcp_servers {
            if is_meant(&loaded.plugin.name, &server.name) {
                explanations.push(about_server(evidence, verdict, source, loaded, server));
            }
        }
    }
    explanations
}

fn about_server(
    evidence: &WhyInput<'_>,
    verdict: &PluginVerdict,
    source: &LoadedSource,
    loaded: &LoadedPlugin,
    server: &McpServer,
) -> WhyAnswer {
    let plugin = &loaded.plugin.name;
    let is_on = evidence.context.choices().plugin(source.spec.bringer(), plugin).is_on();
    let waiting = evidence.resolution.trust.standing(verdict.id).filter(|standing| !standing.permission.is_given());
    let places = places(evidence, &server.name);
    let whole = evidence.status.of_plugin(verdict.id).state;
    let (state, answer) = if whole == ExtensionState::Unknown {
        (whole, "the project's configuration is invalid")
    } else if !verdict.is_active() {
        (whole, "not registered, because its plugin is not used here")
    } else if !is_on {
        (ExtensionState::Off, "not registered, because its plugin is switched off")
    } else if waiting.is_some() {
        (whole, "not registered, because its plugin is not granted")
    } else if places.is_empty() {
        (ExtensionState::On, "not registered; run `symposium sync` to register it or to see the reason")
    } else {
        (ExtensionState::On, "registered")
    };
    let mut reasons = sentences(&verdict.verdict);
    reasons.extend(waiting.and_then(|standing| permission_line(&standing.permission)));
    if !is_on {
        reasons.push(format!("run `symposium on {plugin}` to switch it on"));
    }
    reasons.extend(places);
    reasons.push(format!("it belongs to plugin `{plugin}` of source `{}`: {}", source.spec.name, loaded.shown));
    if verdict.is_active() && is_on && waiting.is_none() {
        reasons
            .push(format!("run `symposium off {plugin}` to switch off the plugin's programs and remove this server"));
    }
    WhyAnswer {
        subject: format!("MCP server `{}`", server.name),
        verdict: format!("{}, {answer}", state.word()),
        reasons,
    }
}

/// The entries of ours for a server, with the files they are in.
fn recorded<'e>(
    evidence: &'e WhyInput<'_>,
    server: &'e str,
) -> impl Iterator<Item = (&'e LedgerRecord, &'e WrittenEntry)> {
    evidence.resolution.ledger.records.iter().flat_map(move |record| {
        record.written.entries().iter().filter(move |entry| is_server(entry, server)).map(move |entry| (record, entry))
    })
}

/// Describes the registrations of a server, one sentence each.
fn places(evidence: &WhyInput<'_>, server: &str) -> Vec<String> {
    let place = |(record, entry): (&LedgerRecord, &WrittenEntry)| {
        let agents: Vec<&str> = record.agents.iter().map(|agent| agent.name()).collect();
        format!("{} has it as {}, for {}", record.path.display(), entry.path.join("."), agents.join(", "))
    };
    let whole = evidence.resolution.ledger.records.iter().filter(|record| is_in_file(record, server)).map(|record| {
        let agents: Vec<&str> = record.agents.iter().map(|agent| agent.name()).collect();
        format!("{} has it, for {}", record.path.display(), agents.join(", "))
    });
    recorded(evidence, server).map(place).chain(whole).collect()
}

/// Whether a file that is ours as a whole, as some agents want it, has a server.
fn is_in_file(record: &LedgerRecord, server: &str) -> bool {
    let WrittenContent::File { .. } = record.written else { return false };
    let text = fs::read_text_if_there(&record.path, MAX_SETTINGS).ok().flatten();
    let file: Option<serde_json::Value> = text.and_then(|text| serde_json::from_str(&text).ok());
    file.is_some_and(|file| file.get("mcpServers").is_some_and(|servers| servers.get(server).is_some()))
}

/// Whether an entry stands for a server.
fn is_server(entry: &WrittenEntry, server: &str) -> bool {
    let is_named = entry.path.len() > 1 && entry.path.last().is_some_and(|name| name == server);
    match entry.mark() {
        Marker::HookOf(_) | Marker::HookBy { .. } | Marker::Marked => false,
        Marker::OwnServer | Marker::ServerBy(_) | Marker::Exactly(_) | Marker::Untouched(_) => is_named,
    }
}

/// Describes Symposium's entries in a file, with the extension that each belongs to.
pub(super) fn entry_lines(evidence: &WhyInput<'_>, entries: &[WrittenEntry]) -> Vec<String> {
    entries
        .iter()
        .map(|entry| format!("entry of Symposium: {}{}", entry.path.join("."), behind(evidence, entry)))
        .collect()
}

fn behind(evidence: &WhyInput<'_>, entry: &WrittenEntry) -> String {
    match entry.mark() {
        Marker::HookOf(_) | Marker::HookBy { .. } => ", for the hooks of every plugin".to_owned(),
        Marker::OwnServer | Marker::ServerBy(_) => ", Symposium's own MCP server".to_owned(),
        Marker::Marked => ", the block with the index of guidance".to_owned(),
        Marker::Exactly(_) | Marker::Untouched(_) => {
            let has = |loaded: &LoadedPlugin| loaded.plugin.mcp_servers.iter().any(|own| is_server(entry, &own.name));
            match evidence.resolution.catalog.plugins().find(|(_, loaded)| has(loaded)) {
                Some((source, loaded)) => {
                    let name = &loaded.plugin.name;
                    format!(", an MCP server of plugin `{name}` of source `{}`", source.spec.name)
                }
                None => String::new(),
            }
        }
    }
}
