//! The hooks in an agent's settings, in any of the arrangements agents use.

use serde_json::{Map, Value, json};
use symposium_model::agent::AgentId;

use super::command::quoted;
use super::{ImportInput, SkippedEntry};
use crate::settings_layout::{HookArrangement, LayerOwner, LoadedLayer, SettingsLayout, VariableMeaning};
use crate::{dialect, spec};

/// A hook as it stands in a settings file.
#[derive(Debug, Clone, PartialEq)]
pub struct HookEntry {
    pub path: String,
    pub file: String,
    pub event: String,
    pub group: usize,
    pub handler: usize,
    /// The matcher of its group, or its own.
    pub matcher: Option<String>,
    pub shape: HookArrangement,
    pub body: Map<String, Value>,
}

impl HookEntry {
    /// Returns the agent whose JSON its handler uses: its own, or the agent whose name for the event it uses.
    pub(super) fn format(&self, agent: AgentId) -> AgentId {
        let lender = spec(agent).holdings.borrowed_events;
        lender.filter(|lender| dialect(*lender).own_events().any(|event| event == self.event)).unwrap_or(agent)
    }

    pub fn command(&self, keys: &[&str]) -> Option<&str> {
        keys.iter().find_map(|key| self.body.get(*key)?.as_str()).map(str::trim).filter(|line| !line.is_empty())
    }

    pub(super) fn args(&self) -> Option<Vec<String>> {
        let args = self.body.get("args")?.as_array()?;
        Some(args.iter().map(|arg| arg.as_str().map_or_else(|| arg.to_string(), str::to_owned)).collect())
    }

    pub(super) fn whole_command(&self, keys: &[&str]) -> Option<String> {
        let line = self.command(keys)?;
        let args = self.args().unwrap_or_default();
        Some(args.iter().fold(line.to_owned(), |line, arg| format!("{line} {}", quoted(arg))))
    }

    /// Returns the text that tells it from others of its event: its command line, preceded by the name of its plugin if
    /// the line refers to the plugin's directory. The directory itself may change with every version.
    pub(super) fn identity(&self, holdings: &SettingsLayout) -> Option<String> {
        let line = self.whole_command(holdings.command_keys)?;
        let mut variables = holdings.variables.iter().filter(|(_, meaning)| *meaning == VariableMeaning::Plugin);
        let is_about_place = variables.any(|(name, _)| line.contains(name));
        match plugin_directory(&self.path).filter(|_| is_about_place).and_then(plugin_name) {
            Some(plugin) => Some(format!("{plugin}: {line}")),
            None => Some(line),
        }
    }
}

/// Returns the hooks of one file. Entries that are not hooks are added to `odd`.
pub fn entries(estate: &ImportInput<'_>, settings: &LoadedLayer<'_>, odd: &mut Vec<SkippedEntry>) -> Vec<HookEntry> {
    let Some(hooks) = settings.layer.hooks.and_then(|keys| settings.at(keys, estate.workspace)) else {
        return Vec::new();
    };
    let by_event = match settings.layer.shape {
        HookArrangement::ByEvent => hooks.clone(),
        HookArrangement::Listed => by_event(hooks),
    };
    let mut found = Vec::new();
    // The manifest of a plugin may name a file, which is read anyway when it is the usual one.
    if hooks.as_str().is_some_and(|path| path.trim_start_matches("./") == "hooks/hooks.json") {
        return found;
    }
    let Some(events) = by_event.as_object() else {
        odd.push(left_out(settings, "`hooks`", "it is not a table of events"));
        return found;
    };
    for (event, groups) in events {
        // There may be other settings beside the events.
        let Some(groups) = groups.as_array() else {
            if spec(estate.agent).dialect.event_from(event).is_some() {
                odd.push(left_out(settings, &format!("`{event}`"), "it is not a list of hooks"));
            }
            continue;
        };
        for (number, group) in groups.iter().enumerate() {
            let matcher = group.get("matcher").and_then(Value::as_str).map(str::to_owned);
            let handlers = group.get("hooks").and_then(Value::as_array);
            let handlers: Vec<&Value> = handlers.map_or_else(|| vec![group], |handlers| handlers.iter().collect());
            for (handler, value) in handlers.into_iter().enumerate() {
                let Some(body) = value.as_object() else {
                    odd.push(left_out(settings, &format!("an entry of `{event}`"), "it is not a hook"));
                    continue;
                };
                if (estate.is_our_handler)(settings.path, value) {
                    continue;
                }
                found.push(HookEntry {
                    path: settings.path.to_owned(),
                    file: settings.shown.to_owned(),
                    event: event.clone(),
                    group: number,
                    handler,
                    matcher: matcher.clone(),
                    shape: settings.layer.shape,
                    body: body.clone(),
                });
            }
        }
    }
    found
}

pub(super) fn plugin_directory(path: &str) -> Option<&str> {
    const FILES: [&str; 4] =
        ["/hooks/hooks.json", "/.mcp.json", "/gemini-extension.json", "/.claude-plugin/plugin.json"];
    FILES.iter().find_map(|file| path.strip_suffix(file))
}

/// Returns the name of a plugin, without its version.
fn plugin_name(directory: &str) -> Option<&str> {
    match directory.split_once("/plugins/cache/") {
        Some((_, below)) => below.rsplit_once('/').map(|(name, _)| name),
        None => directory.rsplit('/').next(),
    }
}

pub(super) fn is_own(settings: &LoadedLayer<'_>) -> bool {
    settings.layer.holder == LayerOwner::Itself
}

fn by_event(list: &Value) -> Value {
    let mut events = Map::new();
    for hook in list.as_array().into_iter().flatten() {
        let Some(trigger) = hook.get("trigger").and_then(Value::as_str) else { continue };
        let mut body = hook.as_object().cloned().unwrap_or_default();
        if let Some(action) = body.remove("action") {
            body.extend(action.as_object().cloned().unwrap_or_default());
        }
        body.remove("trigger");
        let of_event = events.entry(trigger).or_insert_with(|| json!([]));
        if let Some(of_event) = of_event.as_array_mut() {
            of_event.push(Value::Object(body));
        }
    }
    Value::Object(events)
}

pub(super) fn left_out(settings: &LoadedLayer<'_>, what: &str, why: &str) -> SkippedEntry {
    SkippedEntry { what: what.to_owned(), why: why.to_owned(), file: settings.shown.to_owned() }
}
