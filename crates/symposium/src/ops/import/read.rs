//! The settings of an agent, every layer it merges, as they are on this machine.

use std::path::{Path, PathBuf};

use serde_json::Value;
use symposium_agents::import::{ImportInput, OwnHook, own_hooks, switched_off};
use symposium_agents::settings_layout::{
    LayerOwner, LayerPath, LinkHandling, LoadedLayer, PluginPlace, SettingsFormat, SettingsLayer,
};
use symposium_agents::{AgentPath, Scope, spec};
use symposium_io::{env, fs};
use symposium_model::agent::AgentId;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::edit::EditFormat;
use symposium_model::json_extensions::oddities;
use symposium_model::ownership::{HookCall, Marker, OwnedPart};
use symposium_model::sync::{Ledger, WrittenContent, WrittenEntry};
use symposium_model::yaml_value;

use crate::ops::agent_paths::AgentRoots;

/// More files than this are not looked for at one place.
const MAX_FILES: usize = 64;

struct SettingsFile {
    layer: &'static SettingsLayer,
    path: PathBuf,
    place: String,
    shown: String,
    value: Value,
    /// Whether the agent makes anything of it.
    heeded: bool,
}

pub(crate) struct FoundSettings {
    agent: AgentId,
    files: Vec<SettingsFile>,
    workspace: Option<String>,
    /// Files that cannot be understood.
    pub(crate) broken: Vec<Diagnostic>,
}

/// Reads everything of an agent.
pub(crate) fn read(roots: AgentRoots<'_>, agent: AgentId) -> FoundSettings {
    let workspace = roots.project.map(|root| root.display().to_string());
    let mut holding = FoundSettings { agent, files: Vec::new(), workspace, broken: Vec::new() };
    for layer in spec(agent).holdings.layers {
        for path in find(roots, agent, layer.at) {
            // Two places may be one, such as the roots of project and repository.
            let is_same = |known: &SettingsLayer| {
                (known.scope, known.hooks, known.servers) == (layer.scope, layer.hooks, layer.servers)
            };
            if holding.files.iter().any(|known| known.path == path && is_same(known.layer)) {
                continue;
            }
            let shown = roots.shown(&path);
            match read_file(&path, &shown, layer.notation) {
                Ok(Some((text, value))) => {
                    let place = path.display().to_string();
                    let heeded = !is_ignored(agent, layer, &text) && !is_behind_link(roots, layer, &path);
                    holding.files.push(SettingsFile { layer, path, place, shown, value, heeded });
                }
                Ok(None) => {}
                // One file may hold several layers.
                Err(found) if holding.broken.contains(&found) => {}
                Err(found) => holding.broken.push(*found),
            }
        }
    }
    holding
}

/// Whether the agent passes over the whole file because of how it is written.
fn is_ignored(agent: AgentId, layer: &SettingsLayer, text: &str) -> bool {
    // Whoever reads another's file is no less strict about it.
    let writer = match layer.holder {
        LayerOwner::Itself => agent,
        LayerOwner::Other(by) => by,
    };
    let is_it = |place: AgentPath| match (place, layer.at) {
        (AgentPath::Home(of), LayerPath::Home(at))
        | (AgentPath::Project(of) | AgentPath::GitRoot(of), LayerPath::Project(at) | LayerPath::GitRoot(at)) => {
            of == at
        }
        (AgentPath::Home(_) | AgentPath::Project(_) | AgentPath::GitRoot(_), _) => false,
    };
    let file = spec(writer).hooks.iter().find(|file| is_it(file.project) || is_it(file.global));
    layer.notation == SettingsFormat::Json && file.is_some_and(|file| file.strictness.voids(&oddities(text)))
}

/// Whether the agent does not read the file because a link in the project leads to it.
fn is_behind_link(roots: AgentRoots<'_>, layer: &SettingsLayer, path: &Path) -> bool {
    let Some(root) = roots.project.filter(|_| layer.links == LinkHandling::Refused) else { return false };
    let inside = |at: &&Path| at.starts_with(root) && *at != root;
    path.ancestors().take_while(inside).any(fs::is_link)
}

/// What a file says, and its text.
pub(crate) fn read_file(
    path: &Path,
    shown: &str,
    notation: SettingsFormat,
) -> Result<Option<(String, Value)>, Box<Diagnostic>> {
    let text = match fs::read_text_if_there(path, fs::MAX_SETTINGS) {
        Ok(Some(text)) => text,
        Ok(None) => return Ok(None),
        Err(error) => {
            let found = Diagnostic::error(shown, format!("Cannot read this file: {}", error.kind));
            return Err(Box::new(found.help("nothing is imported from it; make it a readable text file")));
        }
    };
    let format = match notation {
        SettingsFormat::Json => EditFormat::Json,
        SettingsFormat::Toml => EditFormat::Toml,
        SettingsFormat::Yaml => {
            let value = yaml_value::parse(&text).map_err(|error| {
                let found = Diagnostic::error(shown, format!("This file is not valid YAML: {error}"));
                Box::new(found.help("nothing is imported from it; fix it, and import again"))
            });
            return value.map(|value| Some((text, value)));
        }
    };
    let value = symposium_edit::value(&text, format).map_err(|error| Box::new(error.diagnostic(shown)))?;
    Ok(value.map(|value| (text, value)))
}

impl FoundSettings {
    /// Hands out what was found, for one scope.
    pub(crate) fn with_estate<R>(&self, ledger: &Ledger, scope: Scope, f: impl FnOnce(&ImportInput<'_>) -> R) -> R {
        self.with_files(ledger, scope, &|_| true, f)
    }

    fn with_files<R>(
        &self,
        ledger: &Ledger,
        scope: Scope,
        counts: &dyn Fn(&SettingsFile) -> bool,
        f: impl FnOnce(&ImportInput<'_>) -> R,
    ) -> R {
        let settings: Vec<LoadedLayer<'_>> = self
            .files
            .iter()
            .filter(|file| counts(file))
            .map(|file| LoadedLayer { layer: file.layer, path: &file.place, shown: &file.shown, value: &file.value })
            .collect();
        f(&ImportInput {
            agent: self.agent,
            settings: &settings,
            scope,
            workspace: self.workspace.as_deref(),
            is_our_handler: &|path, handler| is_our_handler(ledger, Path::new(path), handler),
            is_our_server: &|path, name, server| is_our_server(ledger, Path::new(path), name, server),
        })
    }

    /// The hooks it runs itself, also those it finds in another agent's file.
    pub(crate) fn own_hooks(&self, ledger: &Ledger) -> Vec<OwnHook> {
        self.with_files(ledger, Scope::Global, &|file| file.heeded, own_hooks)
    }

    /// Says why it does not run our hooks, when they are switched off.
    pub(crate) fn switched_off(&self, ledger: &Ledger) -> Vec<String> {
        self.with_files(ledger, Scope::Global, &|file| file.heeded, switched_off)
    }

    /// Why nothing below a path counts, when it is part of a plugin somebody switched off.
    pub(crate) fn plugin_is_off(&self, ledger: &Ledger, path: &Path) -> Option<String> {
        let path = path.display().to_string();
        let place = PluginPlace { path: &path, workspace: self.workspace.as_deref() };
        let is_off = spec(self.agent).holdings.plugin_is_off;
        self.with_estate(ledger, Scope::Global, |estate| is_off(&place, estate.settings))
    }

    pub(crate) fn own_servers(&self, ledger: &Ledger) -> Vec<String> {
        self.with_estate(ledger, Scope::Global, symposium_agents::import::server_names)
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|file| file.path.as_path())
    }
}

fn is_our_handler(ledger: &Ledger, path: &Path, handler: &Value) -> bool {
    let calls_us = ["command", "bash", "powershell"]
        .iter()
        .filter_map(|key| handler.get(key)?.as_str())
        .any(|command| HookCall::parse(command).is_some());
    calls_us
        || match written(ledger, path) {
            Some(WrittenContent::File { .. }) => true,
            Some(WrittenContent::Entries { entries, .. }) => {
                entries.iter().any(|entry| entry.mark().is_own_handler(handler))
            }
            Some(WrittenContent::Skill { .. } | WrittenContent::Amended { .. }) | None => false,
        }
}

fn is_our_server(ledger: &Ledger, path: &Path, name: &str, server: &Value) -> bool {
    let is_it = |entry: &WrittenEntry| {
        entry.path.last().is_some_and(|last| last == name) && entry.mark().share(server) == OwnedPart::All
    };
    Marker::OwnServer.share(server) == OwnedPart::All
        || match written(ledger, path) {
            Some(WrittenContent::File { .. }) => true,
            Some(WrittenContent::Entries { entries, .. }) => entries.iter().any(is_it),
            Some(WrittenContent::Skill { .. } | WrittenContent::Amended { .. }) | None => false,
        }
}

fn written<'l>(ledger: &'l Ledger, path: &Path) -> Option<&'l WrittenContent> {
    ledger.record(path).map(|record| &record.written)
}

/// The files at a place, where a variable may have the agent look elsewhere.
pub(crate) fn find(roots: AgentRoots<'_>, agent: AgentId, at: LayerPath) -> Vec<PathBuf> {
    let (base, pattern) = match at {
        LayerPath::Home(pattern) => moved(roots, agent, pattern).unwrap_or((roots.home.map(Path::to_owned), pattern)),
        LayerPath::Project(pattern) => (roots.project.map(Path::to_owned), pattern),
        LayerPath::GitRoot(pattern) => (roots.resolve(AgentPath::GitRoot("")), pattern),
        LayerPath::MachineFolder { path, macos, variable, below } => {
            let usual = if cfg!(target_os = "macos") { macos } else { path };
            (Some(named_by(roots, variable).unwrap_or_else(|| PathBuf::from(usual))), below)
        }
        LayerPath::Machine { path, macos, variable } => {
            let named = variable.and_then(|variable| named_by(roots, variable));
            let usual = if cfg!(target_os = "macos") { macos } else { path };
            return vec![named.unwrap_or_else(|| PathBuf::from(usual))];
        }
    };
    let Some(base) = base else { return Vec::new() };
    let mut found = vec![base];
    for segment in pattern.split('/') {
        found = match segment.split_once('*') {
            None => found.into_iter().map(|directory| directory.join(segment)).collect(),
            Some((start, end)) => found
                .into_iter()
                .flat_map(|directory| {
                    let entries = fs::list(&directory).unwrap_or_default();
                    let fits = |name: &String| name.starts_with(start) && name.ends_with(end) && !name.starts_with('.');
                    let names = entries.into_iter().map(|entry| entry.name).filter(fits).take(MAX_FILES);
                    names.map(|name| directory.join(name)).collect::<Vec<_>>()
                })
                .collect(),
        };
    }
    found
}

/// The directory a variable names in the place of one in the home directory, and what is looked for there.
fn moved(roots: AgentRoots<'_>, agent: AgentId, pattern: &'static str) -> Option<(Option<PathBuf>, &'static str)> {
    spec(agent).moved_by.iter().find_map(|moved| {
        let there = named_by(roots, moved.variable)?;
        if moved.along.contains(&pattern) {
            return Some((Some(there), pattern));
        }
        let below = pattern.strip_prefix(moved.directory)?;
        let below = if moved.directory.is_empty() { below } else { below.strip_prefix('/')? };
        Some((Some(there), below))
    })
}

/// The directory a variable names, unless it leads into the project: what stands there is not the user's.
fn named_by(roots: AgentRoots<'_>, variable: &str) -> Option<PathBuf> {
    let directory = env::directory(variable).filter(|directory| !directory.starts_with("/proc"))?;
    let root = roots.project.and_then(|root| fs::canonical(root).ok());
    let is_inside = |root: PathBuf| fs::canonical(&directory).is_ok_and(|found| found.starts_with(root));
    (!root.is_some_and(is_inside)).then_some(directory)
}
