//! What a plugin's hooks ask of agents that these do not have, or do not do.

use symposium_agents::{dialect, limits, spec};
use symposium_model::agent::AgentId;
use symposium_model::diagnostic::{Diagnostic, Location};
use symposium_model::hook::HookEvent;
use symposium_model::manifest::{Hook, Plugin};
use symposium_model::nearest::nearest;

/// Something worth knowing about a hook that is no fault of it.
pub(crate) struct Note {
    /// The hook.
    pub(crate) hook: String,
    /// Where it stands.
    pub(crate) line: usize,
    /// What is so.
    pub(crate) message: String,
}

/// What each hook cannot count on everywhere.
pub(super) fn notes(text: &str, plugin: &Plugin) -> Vec<Note> {
    let notes = plugin.hooks.iter().filter_map(|hook| {
        let event = match &hook.event {
            HookEvent::Canonical(event) => *event,
            // It is the agent's own, and so is what can be done at it.
            HookEvent::Native { .. } => return None,
        };
        let agents = hook.agent.map_or_else(|| AgentId::ALL.to_vec(), |only| vec![only]);
        let limits: Vec<String> = limits(event, &agents)
            .into_iter()
            .map(|(limit, on)| {
                let on: Vec<&str> = on.into_iter().map(AgentId::name).collect();
                format!("{} on {}", limit.phrase(), on.join(", "))
            })
            .collect();
        let message = format!("Hook `{}` at {event}: {}", hook.name, limits.join("; "));
        let line = Location::of(text, hook.place.clone()).line;
        (!limits.is_empty()).then(|| Note { hook: hook.name.clone(), line, message })
    });
    notes.collect()
}

/// Hooks for an event of one agent that it does not have, in the manifest at `path`.
pub(super) fn faults(path: &str, text: &str, plugin: &Plugin) -> Vec<Diagnostic> {
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
    let own: Vec<&str> = dialect.own_events().collect();
    // Another spelling, or our name for it, says which one is meant.
    let meant = dialect.event_from(event).and_then(|found| dialect.name_of(found));
    let help = match meant.or_else(|| nearest(event, &own)) {
        Some(name) => format!("did you mean `{agent}:{name}`?"),
        None => format!("use one of {}", own.join(", ")),
    };
    let message = format!("{} has no hook event `{event}`", spec(agent).title);
    let found = Diagnostic::error(path, message).help(help);
    // The value stands behind the header of its hook.
    let rest = text.get(hook.place.start..).unwrap_or_default();
    match rest.find(&format!(":{event}")) {
        Some(at) => {
            let start = hook.place.start + at + 1;
            found.at(text, start..start + event.len())
        }
        None => found.at(text, hook.place.clone()),
    }
}
