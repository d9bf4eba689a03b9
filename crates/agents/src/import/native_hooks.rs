//! The hooks an agent runs from its own settings, so that an imported hook is not run twice.

use serde_json::Value;
use symposium_model::agent::AgentId;
use symposium_model::hook::{Event, HookEvent, OnFailure, ToolMatcher};

use super::entries::{HookEntry, entries};
use super::matcher::{self, MappedMatcher};
use super::{ImportInput, cause, hooks, servers};
use crate::dialect;
use crate::dialect::AgentEvent;
use crate::registration_input::Scope;
use crate::settings_layout::{HookArrangement, LayerOwner, LoadedLayer, MatcherSyntax, SettingsLayout};
use crate::spec;

/// A hook an agent runs from its own settings, or from another agent's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnHook {
    pub file: String,
    pub matcher: ToolMatcher,
    pub scope: Scope,
    event: AgentEvent,
    line: String,
    /// Its time limit, capped at the longest that a handler can ask for.
    seconds: u64,
    on_failure: OnFailure,
}

#[derive(Debug, Clone, Copy)]
pub struct ImportedHook<'h> {
    pub event: &'h HookEvent,
    pub line: &'h str,
    pub timeout: Option<u64>,
    pub on_failure: OnFailure,
}

impl OwnHook {
    /// Returns whether `hook` was imported from it, and it denies wherever that would; matchers are not compared.
    pub fn is(&self, agent: AgentId, hook: &ImportedHook<'_>) -> bool {
        let same_event = match hook.event {
            HookEvent::Canonical(event) => self.event == AgentEvent::Canonical(*event),
            HookEvent::Native { agent: of, event } => {
                *of == agent && dialect(agent).event_from(event) == Some(self.event)
            }
        };
        let as_patient = hook.timeout.is_none_or(|seconds| self.seconds >= seconds);
        let as_strict = hook.on_failure == OnFailure::Allow || self.on_failure == OnFailure::Block;
        same_event && self.line == hook.line.trim() && as_patient && as_strict
    }
}

/// Returns the reasons why the agent does not run Symposium's hooks in its settings, each once.
pub fn switched_off(estate: &ImportInput<'_>) -> Vec<String> {
    let everybody = ImportInput { is_our_handler: &|_, _| false, ..*estate };
    let mut reasons: Vec<String> = Vec::new();
    for settings in estate.settings.iter().filter(|settings| settings.layer.holder == LayerOwner::Itself) {
        let all = entries(&everybody, settings, &mut Vec::new());
        let ours = all.iter().filter(|entry| (estate.is_our_handler)(&entry.path, &Value::Object(entry.body.clone())));
        for reason in ours.filter_map(|entry| hooks::why_off(estate, entry)) {
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
    }
    reasons
}

/// Returns whether hooks with these matchers together cover every call that a hook with this matcher covers.
pub fn cover(own: &[&ToolMatcher], matcher: &ToolMatcher) -> bool {
    let any = |wanted: &dyn Fn(&ToolMatcher) -> bool| own.iter().copied().any(wanted);
    any(&|own| *own == ToolMatcher::All || own == matcher)
        || match matcher {
            ToolMatcher::All | ToolMatcher::Pattern(_) => false,
            ToolMatcher::Exact(names) => names.iter().all(|name| any(&|own| own.matches(&[name]))),
        }
}

/// Returns the hooks an agent runs from the settings it reads, including other agents' files.
pub fn own_hooks(estate: &ImportInput<'_>) -> Vec<OwnHook> {
    // Several agents know the key; for one that does not, a hook that runs twice does no harm.
    if estate.settings.iter().any(|settings| settings.says(&["disableAllHooks"], true)) {
        return Vec::new();
    }
    let servers: std::collections::BTreeSet<String> = servers::names(estate).into_iter().collect();
    let mut found = Vec::new();
    for settings in estate.settings {
        for entry in entries(estate, settings, &mut Vec::new()) {
            if hooks::why_off(estate, &entry).is_none() {
                found.extend(own_hook(estate, settings, entry, &servers));
            }
        }
    }
    found
}

fn own_hook(
    estate: &ImportInput<'_>,
    settings: &LoadedLayer<'_>,
    entry: HookEntry,
    servers: &std::collections::BTreeSet<String>,
) -> Option<OwnHook> {
    // An entry in another agent's file follows that agent's rules.
    let writer = match settings.layer.holder {
        LayerOwner::Itself => estate.agent,
        LayerOwner::Other(by) => by,
    };
    let holdings = spec(writer).holdings;
    if !always_asks(holdings, &entry) {
        return None;
    }
    let line = entry.identity(spec(estate.agent).holdings)?;
    let seconds = seconds(holdings, &entry)?;
    let on_failure = if hooks::fails_closed(holdings, &entry) { OnFailure::Block } else { OnFailure::Allow };
    let event = dialect(estate.agent).event_from(&entry.event)?;
    let matcher = match event {
        AgentEvent::Canonical(Event::PreToolUse | Event::PostToolUse) => {
            let matching = match entry.shape {
                HookArrangement::ByEvent => spec(writer).holdings.matching,
                HookArrangement::Listed => MatcherSyntax::Pattern,
            };
            match matcher::map(writer, matching, entry.matcher.as_deref(), servers) {
                MappedMatcher::All => ToolMatcher::All,
                MappedMatcher::Only { matcher, .. } => ToolMatcher::parse(&matcher),
                MappedMatcher::Never(_) => return None,
            }
        }
        AgentEvent::Canonical(Event::SessionStart) => {
            let written = cause::cause(cause::causes(writer, &entry), &entry).ok()?;
            written.map_or(ToolMatcher::All, |written| ToolMatcher::parse(&written))
        }
        AgentEvent::Canonical(Event::UserPromptSubmit | Event::Stop) => ToolMatcher::All,
        AgentEvent::ToolFailed | AgentEvent::Native(_) => {
            ToolMatcher::parse(entry.matcher.as_deref().unwrap_or_default())
        }
    };
    let scope = settings.layer.scope;
    Some(OwnHook { file: entry.path, scope, event, line, matcher, seconds, on_failure })
}

/// Keys of a hook that change neither when it is called nor the effect of its answer.
const PLAIN_KEYS: &[&str] = &[
    "type",
    "name",
    "description",
    "comment",
    "statusMessage",
    "matcher",
    "args",
    "env",
    "cwd",
    "enabled",
    "powershell",
];

/// Returns whether the agent calls a hook every time and waits for its answer, as far as is known: an unknown key may
/// say otherwise.
fn always_asks(holdings: &SettingsLayout, entry: &HookEntry) -> bool {
    let says_nothing = |value: &Value| matches!(value, Value::Null | Value::Bool(false)) || value.as_u64() == Some(0);
    let is_plain = |key: &str, value: &Value| match key {
        "type" => value == "command",
        "enabled" => *value == Value::Bool(true),
        "shell" => value == "bash",
        key if holdings.timeouts.iter().any(|(timeout, _)| *timeout == key) => true,
        key if holdings.fails_closed.is_some_and(|(closed, _)| closed == key) => true,
        key => PLAIN_KEYS.contains(&key) || holdings.command_keys.contains(&key) || says_nothing(value),
    };
    entry.body.iter().all(|(key, value)| is_plain(key, value))
}

/// Returns the time limit of a hook in seconds, by the rules of imported ones; `None` when the value is not a time.
fn seconds(holdings: &SettingsLayout, entry: &HookEntry) -> Option<u64> {
    let mut limits = holdings.timeouts.iter().filter(|(key, _)| entry.body.contains_key(*key)).peekable();
    if limits.peek().is_none() {
        return Some(hooks::default_seconds(holdings));
    }
    hooks::written_limit(holdings, entry).map(|(unit, number)| hooks::whole_seconds(unit, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_hook_is_asked_about_may_be_several_of_the_agents() {
        for (theirs, matcher, covered) in [
            (&["Bash"][..], "Bash", true),
            (&["Bash"], "Bash|Write", false),
            (&["Bash", "Write|Edit"], "Bash|Write", true),
            (&["Bash"], "", false),
            (&[""], "Bash|Write", true),
            (&[""], "", true),
            (&["^(Bash|Write)$"], "Bash|Write", true),
            (&["^(Bash|Write)$"], "^(Bash|Write)$", true),
            (&["^Bash$"], "Bash.*", false),
            (&[], "Bash", false),
        ] {
            let theirs: Vec<ToolMatcher> = theirs.iter().map(|matcher| ToolMatcher::parse(matcher)).collect();
            let theirs: Vec<&ToolMatcher> = theirs.iter().collect();
            assert_eq!(cover(&theirs, &ToolMatcher::parse(matcher)), covered, "{theirs:?} {matcher}");
        }
    }
}
