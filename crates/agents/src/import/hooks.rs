//! The conversion of an agent's hooks into hooks of a plugin.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use symposium_model::agent::AgentId;
use symposium_model::hook::{Event, OnFailure, command_line};

use super::cause::{cause, causes, is_cause, usable};
use super::command::{self, quoted};
use super::entries::{self, HookEntry, is_own, plugin_directory};
use super::matcher::{self, MappedMatcher};
use super::name::name_for;
use super::secret;
use super::{ConvertedHook, ImportInput, ImportOrigin, ImportResult, SkippedEntry};
use crate::dialect::AgentEvent;
use crate::registration_input::Scope;
use crate::settings_layout::{
    CauseMatcher, HookArrangement, HookPlace, MatcherSyntax, PluginPlace, PromptMatcher, SettingsLayout,
    StartDirectory, TimeUnit,
};
use crate::{dialect, spec};

/// The longest timeout a handler may have.
const MOST_SECONDS: u32 = 50;

/// Imports the hooks of the wanted scope; those of the other are skipped and reported.
pub(super) fn carry(estate: &ImportInput<'_>, servers: &BTreeSet<String>, carried: &mut ImportResult) {
    let mut seen: Vec<[Value; 5]> = Vec::new();
    for settings in estate.settings.iter().filter(|settings| is_own(settings)) {
        let found = entries::entries(estate, settings, &mut carried.left_out);
        for entry in found {
            let label = label(estate, &entry);
            if settings.layer.scope != estate.scope {
                carried.left_out.push(leave(&entry, label, elsewhere(estate)));
                continue;
            }
            let command = entry.identity(spec(estate.agent).holdings).unwrap_or_default();
            let setting = ["env", "cwd"].map(|key| entry.body.get(key).cloned());
            let [env, cwd] = setting;
            let key = [json!(entry.event), json!(command), json!(entry.matcher), json!(env), json!(cwd)];
            // Agents run the same hook of two layers once.
            if seen.contains(&key) {
                continue;
            }
            match convert(estate, &entry, servers, carried) {
                Ok(hook) => {
                    seen.push(key);
                    let twins = twins(estate.agent, &hook, &carried.hooks);
                    carried.hooks.push(hook);
                    carried.hooks.extend(twins);
                }
                Err(why) => carried.left_out.push(leave(&entry, label, why)),
            }
        }
    }
}

pub(super) fn elsewhere(estate: &ImportInput<'_>) -> String {
    let agent = estate.agent;
    match estate.scope {
        Scope::User => {
            format!("it belongs to this project; run `symposium import --from {agent} --project` to import it")
        }
        Scope::Project => {
            format!("it belongs to your user settings; run `symposium import --from {agent}` to import it")
        }
    }
}

fn leave(entry: &HookEntry, what: String, why: String) -> SkippedEntry {
    SkippedEntry { what, why, file: entry.file.clone() }
}

fn label(estate: &ImportInput<'_>, entry: &HookEntry) -> String {
    let named = entry.body.get("name").and_then(Value::as_str);
    let command = entry.command(spec(estate.agent).holdings.command_keys);
    let short = |text: &str| match text.char_indices().nth(48) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)),
        None => text.to_owned(),
    };
    let what = named.or(command).map(|text| format!(" `{}`", short(text))).unwrap_or_default();
    let matcher = entry.matcher.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let matcher = matcher.map(|text| format!(" for `{}`", short(text))).unwrap_or_default();
    format!("{} hook{what}{matcher}", entry.event)
}

/// Events that several agents raise and that carry no decision: a hook for one means the same on the others.
const SHARED: [&str; 2] = ["SessionEnd", "Notification"];

/// Returns the shared event a hook is for. A hook with a matcher has none, since a matcher contains words of one agent.
fn shared_event(agent: AgentId, event: AgentEvent, matcher: Option<&str>) -> Option<&'static str> {
    let is_it = |shared: &&str| dialect(agent).event_from(shared) == Some(event);
    SHARED.into_iter().find(is_it).filter(|_| matcher.is_none())
}

/// Creates the same hook for every other agent that raises its event, each under that agent's name for it.
fn twins(agent: AgentId, hook: &ConvertedHook, before: &[ConvertedHook]) -> Vec<ConvertedHook> {
    let event = dialect(agent).event_from(&hook.was.event);
    let shared = event.and_then(|event| shared_event(agent, event, hook.matcher.as_deref()));
    let Some(shared) = shared else { return Vec::new() };
    let mut twins: Vec<ConvertedHook> = Vec::new();
    for other in AgentId::ALL.into_iter().filter(|other| *other != agent) {
        let Some(AgentEvent::Native(event)) = dialect(other).event_from(shared) else { continue };
        let all = before.iter().chain([hook]).chain(&twins);
        let taken: Vec<String> = all.map(|hook| hook.name.clone()).collect();
        twins.push(ConvertedHook {
            name: name_for(Some(&format!("{}-{other}", hook.name)), "", event, &taken),
            event: format!("{other}:{event}"),
            twin_on: Some(other),
            changes: vec![format!("the same hook for {}, with that agent's own JSON", spec(other).title)],
            ..hook.clone()
        });
    }
    twins
}

fn convert(
    estate: &ImportInput<'_>,
    entry: &HookEntry,
    servers: &BTreeSet<String>,
    carried: &mut ImportResult,
) -> Result<ConvertedHook, String> {
    let agent = estate.agent;
    let title = spec(agent).title;
    let holdings = spec(agent).holdings;
    let Some(event) = dialect(agent).event_from(&entry.event) else {
        return Err(format!("the event `{}` of {title} is unknown", entry.event));
    };
    portable(agent, entry)?;
    let own_name = entry.body.get("name").and_then(Value::as_str);
    let line = entry.command(holdings.command_keys).ok_or_else(|| no_command(entry))?.to_owned();
    let whole = entry.whole_command(holdings.command_keys).unwrap_or_else(|| line.clone());
    if let Some(off) = why_off(estate, entry) {
        return Err(off);
    }
    // With a list of arguments the command is not a line for a shell.
    if let Some(fault) = command_line::fault(&line).filter(|_| entry.args().is_none()) {
        return Err(format!("its command is not a valid shell command: {fault}"));
    }
    let mut changes = Vec::new();
    let (event_text, format) = match event {
        AgentEvent::Canonical(event) => (event.name().to_owned(), Some(entry.format(agent))),
        AgentEvent::ToolFailed => (format!("{agent}:{}", entry.event), None),
        AgentEvent::Native(name) => (format!("{agent}:{name}"), None),
    };
    let matcher = map_matcher(estate, entry, event, servers, &mut changes, carried)?;
    match event {
        AgentEvent::Canonical(_) if event_text != entry.event => {
            changes.insert(0, format!("`{}` became `{event_text}`", entry.event));
        }
        AgentEvent::Canonical(_) => {}
        AgentEvent::ToolFailed | AgentEvent::Native(_) => {
            let is_shared = shared_event(agent, event, matcher.as_deref()).is_some();
            changes.extend((!is_shared).then(|| format!("it runs only for {title}, because this is a native event")));
        }
    }
    let taken: Vec<String> = carried.hooks.iter().map(|hook| hook.name.clone()).collect();
    let name = name_for(own_name, &whole, &entry.event, &taken);
    let (command, args) = command_of(estate, entry, &line, &name, &mut changes, carried);
    let timeout = timeout(agent, entry, &mut changes);
    let closed = fails_closed(holdings, entry);
    Ok(ConvertedHook {
        name,
        description: entry.body.get("description").and_then(Value::as_str).map(str::to_owned),
        event: event_text,
        twin_on: None,
        matcher,
        command,
        args,
        format,
        timeout,
        on_failure: if closed { OnFailure::Block } else { OnFailure::Allow },
        was: ImportOrigin {
            file: entry.file.clone(),
            event: entry.event.clone(),
            matcher: entry.matcher.clone(),
            command: entry.identity(holdings).unwrap_or(line),
        },
        changes,
    })
}

pub(super) fn fails_closed(holdings: &SettingsLayout, entry: &HookEntry) -> bool {
    holdings.fails_closed.is_some_and(|(key, value)| {
        entry.body.get(key).is_some_and(|found| found.as_str().map_or(found.to_string(), str::to_owned) == value)
    })
}

pub(super) fn why_off(estate: &ImportInput<'_>, entry: &HookEntry) -> Option<String> {
    let holdings = spec(estate.agent).holdings;
    let name = entry.body.get("name").and_then(Value::as_str).or_else(|| entry.command(holdings.command_keys));
    let place = HookPlace {
        file: &entry.path,
        event: &entry.event,
        group: entry.group,
        handler: entry.handler,
        name: name.unwrap_or_default(),
    };
    let plugin = PluginPlace { path: &entry.path, workspace: estate.workspace };
    (holdings.plugin_is_off)(&plugin, estate.settings).or_else(|| (holdings.hook_is_off)(&place, estate.settings))
}

fn no_command(entry: &HookEntry) -> String {
    if entry.body.contains_key("powershell") {
        return "it has a command for PowerShell only".to_owned();
    }
    "it has no command".to_owned()
}

fn portable(agent: AgentId, entry: &HookEntry) -> Result<(), String> {
    let title = spec(agent).title;
    let kind = entry.body.get("type").and_then(Value::as_str).unwrap_or("command");
    if kind != "command" {
        return Err(format!("only {title} supports hooks of type `{kind}`; only commands can be imported"));
    }
    if entry.body.get("enabled").and_then(Value::as_bool) == Some(false) {
        return Err("it is switched off".to_owned());
    }
    if entry.body.get("shell").and_then(Value::as_str) == Some("powershell") {
        return Err("it is written for PowerShell".to_owned());
    }
    let says_something =
        |value: &Value| !matches!(value, Value::Null | Value::Bool(false)) && value.as_u64() != Some(0);
    for (key, why) in spec(agent).holdings.unportable {
        if entry.body.get(*key).is_some_and(says_something) {
            return Err((*why).to_owned());
        }
    }
    Ok(())
}

/// Converts the matcher; a change of its meaning is added to `changes` or to the skipped entries.
fn map_matcher(
    estate: &ImportInput<'_>,
    entry: &HookEntry,
    event: AgentEvent,
    servers: &BTreeSet<String>,
    changes: &mut Vec<String>,
    carried: &mut ImportResult,
) -> Result<Option<String>, String> {
    let agent = estate.agent;
    let written = entry.matcher.as_deref().map(str::trim).filter(|text| !matches!(*text, "" | "*" | ".*"));
    let lost = |why: String| SkippedEntry {
        what: format!("matcher `{}` of the {} hook", written.unwrap_or_default(), entry.event),
        why,
        file: entry.file.clone(),
    };
    match event {
        AgentEvent::Canonical(Event::PreToolUse | Event::PostToolUse) => {
            let matching = match entry.shape {
                HookArrangement::ByEvent => spec(agent).holdings.matching,
                HookArrangement::Listed => MatcherSyntax::Pattern,
            };
            match matcher::map(agent, matching, entry.matcher.as_deref(), servers) {
                MappedMatcher::All => Ok(None),
                MappedMatcher::Never(why) => Err(why.to_owned()),
                MappedMatcher::Only { matcher, alone } => {
                    if Some(matcher.as_str()) != written {
                        changes.push(format!("matcher `{}` became `{matcher}`", written.unwrap_or_default()));
                    }
                    if !alone.is_empty() {
                        changes.push(format!("only {} has `{}`", spec(agent).title, alone.join("`, `")));
                    }
                    usable(matcher).map(Some)
                }
            }
        }
        // Matched against the source of the session, in Claude's words.
        AgentEvent::Canonical(Event::SessionStart) => match causes(agent, entry) {
            CauseMatcher::Unknown => {
                let left = written.map(|_| lost("the imported hook runs at every start of a session".to_owned()));
                carried.left_out.extend(left);
                Ok(None)
            }
            causes @ (CauseMatcher::NamesOrPattern | CauseMatcher::Word) => cause(causes, entry),
        },
        AgentEvent::Canonical(Event::UserPromptSubmit | Event::Stop) => {
            let left = written.filter(|_| spec(agent).holdings.prompt_matcher == PromptMatcher::Prompt);
            carried.left_out.extend(left.map(|_| lost("the imported hook runs at every prompt".to_owned())));
            Ok(None)
        }
        AgentEvent::Native(name) if dialect(agent).own.matched.iter().any(|(of, key)| *of == name && is_cause(key)) => {
            cause(causes(agent, entry), entry)
        }
        AgentEvent::ToolFailed | AgentEvent::Native(_) => Ok(written.map(str::to_owned)),
    }
}

fn command_of(
    estate: &ImportInput<'_>,
    entry: &HookEntry,
    line: &str,
    name: &str,
    changes: &mut Vec<String>,
    carried: &mut ImportResult,
) -> (String, Vec<String>) {
    let agent = estate.agent;
    let holdings = spec(agent).holdings;
    let projects: Vec<&str> = AgentId::ALL.into_iter().filter_map(|agent| dialect(agent).project_variable).collect();
    let plugin = plugin_directory(&entry.path);
    let args = entry.args();
    // With a list of arguments it is started without a shell.
    let whole = if args.is_some() { quoted(line) } else { line.to_owned() };
    let rewritten = command::rewrite(&whole, holdings, &projects, plugin);
    changes.extend(rewritten.changes);
    for variable in rewritten.foreign {
        carried.left_out.push(SkippedEntry {
            what: format!("`${variable}` in hook `{name}`"),
            why: format!("only {} sets it; the event is on standard input", spec(agent).title),
            file: entry.file.clone(),
        });
    }
    let mut command = rewritten.line;
    let directory = entry.body.get("cwd").and_then(Value::as_str);
    let project = dialect(agent).project_variable.filter(|_| holdings.starts_in == StartDirectory::Project);
    match (directory, project) {
        (Some(directory), Some(project)) if !directory.starts_with('/') => {
            command = format!("cd \"${project}\"/{} && {command}", quoted(directory));
        }
        (Some(directory), _) => command = format!("cd {} && {command}", quoted(directory)),
        (None, Some(project)) if command::names_relative_path(line) => {
            command = format!("cd \"${project}\" && {command}");
        }
        (None, _) => {}
    }
    let no_variables = Map::new();
    let variables = entry.body.get("env").and_then(Value::as_object).unwrap_or(&no_variables);
    for (key, value) in variables.iter().rev() {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if secret::is_secret(key, &text) || secret::is_in_address(&text) {
            carried.left_out.push(SkippedEntry {
                what: format!("the value of `{key}` for hook `{name}`"),
                why: format!("it looks like a secret; set `{key}` in your environment"),
                file: entry.file.clone(),
            });
        } else if is_variable(key) {
            command = format!("export {key}={}; {command}", quoted(&text));
        }
    }
    if secret::is_in_line(line) {
        changes.push("its command contains a possible secret, which is now in the plugin too".to_owned());
    }
    (command, args.unwrap_or_default())
}

fn is_variable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns the time limit that the agent would have used, capped at [`MOST_SECONDS`].
fn timeout(agent: AgentId, entry: &HookEntry, changes: &mut Vec<String>) -> u64 {
    let holdings = spec(agent).holdings;
    let Some((unit, number)) = written_limit(holdings, entry) else { return default_seconds(holdings) };
    let whole_seconds = whole_seconds(unit, number);
    let unit_text = match unit {
        TimeUnit::Seconds | TimeUnit::SecondsBelowThousand => "s",
        TimeUnit::Milliseconds => "ms",
    };
    let same = number.to_string() == whole_seconds.to_string();
    if unit != TimeUnit::Seconds || !same {
        changes.push(format!("timeout {number} {unit_text} became {whole_seconds} s"));
    }
    whole_seconds
}

/// Returns the time limit of a hook in its original unit.
pub(super) fn written_limit(holdings: &SettingsLayout, entry: &HookEntry) -> Option<(TimeUnit, f64)> {
    holdings.timeouts.iter().find_map(|(key, unit)| {
        let number = entry.body.get(*key)?.as_f64().filter(|number| *number > 0.0)?;
        let unit = match unit {
            TimeUnit::SecondsBelowThousand if number < 1000.0 => TimeUnit::Seconds,
            TimeUnit::SecondsBelowThousand => TimeUnit::Milliseconds,
            TimeUnit::Seconds | TimeUnit::Milliseconds => *unit,
        };
        Some((unit, number))
    })
}

/// Rounds a time limit up to whole seconds, at most [`MOST_SECONDS`].
pub(super) fn whole_seconds(unit: TimeUnit, number: f64) -> u64 {
    let seconds = match unit {
        TimeUnit::Seconds | TimeUnit::SecondsBelowThousand => number,
        TimeUnit::Milliseconds => number / 1000.0,
    };
    u64::from((1..MOST_SECONDS).find(|limit| seconds <= f64::from(*limit)).unwrap_or(MOST_SECONDS))
}

pub(super) fn default_seconds(holdings: &SettingsLayout) -> u64 {
    holdings.default_timeout.clamp(1, u64::from(MOST_SECONDS))
}

#[cfg(test)]
#[path = "hooks_tests.rs"]
mod tests;
