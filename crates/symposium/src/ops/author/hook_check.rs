//! Checks a plugin's hooks for features that agents lack.

use std::ops::Range;
use std::path::Path;

use symposium_agents::{PortabilityLimit, dialect, limits, spec};
use symposium_io::fs;
use symposium_model::agent::AgentId;
use symposium_model::diagnostic::{Diagnostic, Severity, TextLocation};
use symposium_model::hook::{Event, HookDecision, HookEvent, HookOrder, is_appended};
use symposium_model::manifest::{ExpectedDecision, ExpectedOutcome, Hook, McpServer, Plugin, TestCase, TestInput};
use symposium_model::suggest::nearest;
use symposium_model::transport::ServerTransport;
use symposium_model::trust::{GrantCoverage, REACH_REMEDY, ReachableFiles, UnknownReach, hook_reach};

use super::tool_matcher::{self, MatcherRemark};
use crate::ops::hook_plan::{self, CommandFinding};
use crate::ops::trust;

/// Something worth knowing about a hook that is no fault of it.
pub(crate) struct HookNote {
    pub(crate) hook: String,
    pub(crate) line: usize,
    pub(crate) message: String,
}

/// Lists the limits of hooks on some agents, once for all hooks that share one.
pub(crate) fn notes(text: &str, plugin: &Plugin, directory: Option<&Path>) -> Vec<HookNote> {
    let together = remarks_together(plugin, &AgentId::ALL).into_iter().filter_map(|(hooks, remark)| {
        let names: Vec<String> = hooks.iter().map(|hook| format!("`{}`", hook.name)).collect();
        let (first, word) = (hooks.first()?, if hooks.len() == 1 { "Hook" } else { "Hooks" });
        let message = format!("{word} {} at {remark}", names.join(", "));
        Some(HookNote {
            hook: first.name.clone(),
            line: TextLocation::from_span(text, first.place.clone()).line,
            message,
        })
    });
    together.chain(untold(text, plugin, directory)).collect()
}

/// Returns the remarks about hooks with these agents, each with all hooks that it applies to.
pub(crate) fn remarks_together<'p>(plugin: &'p Plugin, agents: &[AgentId]) -> Vec<(Vec<&'p Hook>, String)> {
    let mut together: Vec<(Vec<&Hook>, String)> = Vec::new();
    for hook in &plugin.hooks {
        for remark in remarks(hook, agents) {
            match together.iter_mut().find(|(_, known)| *known == remark) {
                Some((hooks, _)) => hooks.push(hook),
                None => together.push((vec![hook], remark)),
            }
        }
    }
    together
}

/// Returns the remarks about a hook with these agents, each preceded by its event.
fn remarks(hook: &Hook, agents: &[AgentId]) -> Vec<String> {
    let rewrite = changes_commands(hook).then(|| {
        format!(
            "{}: agents check the changed command, so a rule of the user for the original command, such as a deny for \
             `git push`, no longer applies; append arguments, and put nothing before the command",
            hook.event
        )
    });
    limits_of(hook, agents).into_iter().chain(rewrite).collect()
}

/// Whether a hook says that it puts another command in the place of one.
fn changes_commands(hook: &Hook) -> bool {
    let is_before_tools = matches!(hook.event, HookEvent::Canonical(Event::PreToolUse));
    let replaces = |case: &TestCase| {
        let TestInput::Canonical(input) = &case.input else { return false };
        let original = input.tool().and_then(|tool| tool.input.get("command")?.as_str());
        let changed = case.expected.rewrite.as_ref().and_then(|fields| fields.get("command")?.as_str());
        matches!((original, changed), (Some(original), Some(changed)) if !is_appended(original, changed))
    };
    is_before_tools && (hook.order == HookOrder::Rewrite || hook.tests.iter().any(replaces))
}

/// Describes the features that some of these agents lack for a hook, preceded by its event.
fn limits_of(hook: &Hook, agents: &[AgentId]) -> Option<String> {
    let event = match &hook.event {
        HookEvent::Canonical(event) => *event,
        // It is the agent's own, and so is what can be done at it.
        HookEvent::Native { .. } => return None,
    };
    let meant = agents.iter().copied().filter(|agent| hook.agent.is_none_or(|only| only == *agent));
    let limits: Vec<String> = limits(event, &meant.collect::<Vec<_>>())
        .into_iter()
        .filter(|(limit, _)| concerns(*limit, hook))
        .map(|(limit, on)| {
            let on: Vec<&str> = on.into_iter().map(AgentId::name).collect();
            format!("{} on {}", limit.phrase(), on.join(", "))
        })
        .collect();
    (!limits.is_empty()).then(|| format!("{event}: {}", limits.join("; ")))
}

/// Whether a limit is about something the hook does. Its test cases say what that is; without any it may do everything.
fn concerns(limit: PortabilityLimit, hook: &Hook) -> bool {
    let expects = |what: fn(&ExpectedOutcome) -> bool| {
        hook.tests.is_empty() || hook.tests.iter().any(|case| what(&case.expected))
    };
    match limit {
        PortabilityLimit::NoEvent => true,
        PortabilityLimit::DenyIsContext | PortabilityLimit::DenyIsLost => {
            expects(|case| case.decision == Some(DENY) || case.reason.is_some())
        }
        PortabilityLimit::NoContext => expects(|case| case.context.is_some()),
        PortabilityLimit::NoRewrite | PortabilityLimit::RewriteNeedsAllow => expects(|case| case.rewrite.is_some()),
        PortabilityLimit::AskDenies => expects(|case| case.decision == Some(ASK)),
        // Few hooks replace an output, so a hook without test cases is not said to.
        PortabilityLimit::NoOutput | PortabilityLimit::OutputOfFailures | PortabilityLimit::OutputOfSuccesses => {
            hook.tests.iter().any(|case| case.expected.output.is_some())
        }
    }
}

const DENY: ExpectedDecision = ExpectedDecision::Is(HookDecision::Deny);
const ASK: ExpectedDecision = ExpectedDecision::Is(HookDecision::Ask);

/// Hooks that are never run, or not as they look, in the manifest at `path` of a plugin in `directory`.
pub(crate) fn faults(path: &str, text: &str, plugin: &Plugin, directory: Option<&Path>) -> Vec<Diagnostic> {
    let mut faults = unknown_events(path, text, plugin);
    for hook in &plugin.hooks {
        faults.extend(tool_matcher::remarks(hook).into_iter().map(|MatcherRemark { word, message, help }| {
            let found = Diagnostic::warning(path, format!("Hook `{}`: {message}", hook.name)).help(help);
            pointing_at(found, text, &hook.places.matcher, &word)
        }));
        for CommandFinding { severity, message, help, word } in hook_plan::command_findings(hook, directory) {
            let message = format!("Hook `{}` {message}", hook.name);
            let found = match severity {
                Severity::Error => Diagnostic::error(path, message),
                Severity::Warning => Diagnostic::warning(path, message),
            };
            faults.push(pointing_at(found.help(help), text, &hook.places.command, &word));
        }
    }
    faults.extend(loading(path, text, plugin, directory));
    faults.extend(plugin.mcp_servers.iter().filter_map(|server| unusable_server(path, text, server, directory?)));
    faults
}

/// Warns about hooks that may load code from the agent's working directory. Such a hook cannot be granted either.
fn loading(path: &str, text: &str, plugin: &Plugin, directory: Option<&Path>) -> Vec<Diagnostic> {
    let loading = plugin.hooks.iter().filter_map(|hook| match hook_reach(plugin, hook, coverage(directory)) {
        ReachableFiles::Unknown(UnknownReach { reason, loads_there: true }) => {
            let message = format!("Hook `{}` may load code from the agent's working directory: {reason}", hook.name);
            Some(Diagnostic::warning(path, message).help(REACH_REMEDY).at(text, hook.place.clone()))
        }
        ReachableFiles::Unknown(_) | ReachableFiles::Files(_) => None,
    });
    loading.collect()
}

/// Notes other hooks that cannot be granted. They run only in the user's own plugins.
fn untold(text: &str, plugin: &Plugin, directory: Option<&Path>) -> Vec<HookNote> {
    let untold = plugin.hooks.iter().filter_map(|hook| match hook_reach(plugin, hook, coverage(directory)) {
        ReachableFiles::Unknown(UnknownReach { reason, loads_there: false }) => {
            let name = &hook.name;
            let message = format!(
                "Hook `{name}` runs from a user's own plugin, but not from a shared one: {reason}; {REACH_REMEDY}"
            );
            Some(HookNote { hook: name.clone(), line: TextLocation::from_span(text, hook.place.clone()).line, message })
        }
        ReachableFiles::Unknown(_) | ReachableFiles::Files(_) => None,
    });
    untold.collect()
}

fn coverage(directory: Option<&Path>) -> GrantCoverage {
    directory.map_or(GrantCoverage::Whole, |directory| trust::coverage(directory, None))
}

/// A server that is a file of the plugin, and is not there or cannot be started.
fn unusable_server(path: &str, text: &str, server: &McpServer, directory: &Path) -> Option<Diagnostic> {
    let ServerTransport::Stdio { command, .. } = &server.transport else { return None };
    let is_own = command.contains('/') && !command.starts_with('/') && !command.contains(['$', '~']);
    let file = is_own.then(|| directory.join(command))?;
    let (why, help) = if !fs::exists(&file) {
        ("does not exist", "create the file, or correct `command`".to_owned())
    } else if cfg!(unix) && !fs::is_executable(&file) {
        ("is not executable", format!("run `chmod +x` on it, or write `command = \"sh\"` and `args = [\"{command}\"]`"))
    } else {
        return None;
    };
    let message = format!("MCP server `{}` runs `{command}`, which {why}", server.name);
    let found = Diagnostic::error(path, message).help(help);
    // The manifest does not keep the place of the value.
    let quoted = format!("\"{command}\"");
    Some(match text.find(&quoted) {
        Some(at) => found.at(text, at..at + quoted.len()),
        None => found,
    })
}

/// Points at a word of a value, or at the value.
fn pointing_at(found: Diagnostic, text: &str, value: &Range<usize>, word: &str) -> Diagnostic {
    let written = text.get(value.clone()).unwrap_or_default();
    match written.find(word).filter(|_| !word.is_empty()) {
        Some(at) => found.at(text, value.start + at..value.start + at + word.len()),
        None => found.at(text, value.clone()),
    }
}

/// Hooks for an event of one agent that it does not have.
fn unknown_events(path: &str, text: &str, plugin: &Plugin) -> Vec<Diagnostic> {
    let unknown = plugin.hooks.iter().filter_map(|hook| match &hook.event {
        HookEvent::Canonical(_) => None,
        HookEvent::Native { agent, event } => {
            let known = dialect(*agent).own_events().any(|own| own == event);
            (!known).then(|| unknown_event(path, text, hook, *agent, event))
        }
    });
    unknown.collect()
}

fn unknown_event(path: &str, text: &str, hook: &Hook, agent: AgentId, event: &str) -> Diagnostic {
    let dialect = dialect(agent);
    if let Some(why) = dialect.why_withheld(event) {
        let message = format!("`{agent}:{event}` is not supported: {why}");
        let help = format!("write it into the settings of {}", spec(agent).title);
        return pointing_at(Diagnostic::error(path, message).help(help), text, &hook.places.event, event);
    }
    let own: Vec<&str> = dialect.own_events().collect();
    // Another spelling, or our name for it, says which one is meant.
    let meant = dialect.event_from(event).and_then(|found| dialect.name_of(found));
    let help = match meant.or_else(|| nearest(event, &own)) {
        Some(name) => format!("did you mean `{agent}:{name}`?"),
        None => format!("use one of {}", own.join(", ")),
    };
    let message = format!("{} has no hook event `{event}`", spec(agent).title);
    let found = Diagnostic::error(path, message).help(help);
    pointing_at(found, text, &hook.places.event, event)
}
