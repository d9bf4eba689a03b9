//! What an agent runs from its own settings, so that what was imported from there is not run twice.

use symposium_model::hook::{Event, HookEvent, Matcher};

use super::entries::{HookEntry, entries};
use super::matcher::{self, Mapped};
use super::{Estate, cause, hooks, servers};
use crate::dialect;
use crate::dialect::AgentEvent;
use crate::holdings::{Holder, Matching, Settings, Shape};
use crate::spec;

/// A hook an agent runs from its own settings, or from another agent's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnHook {
    /// The file it stands in.
    pub file: String,
    /// What it is asked about.
    pub matcher: Matcher,
    event: AgentEvent,
    line: String,
}

impl OwnHook {
    /// Whether it is the hook that was made of a command `line` for `event`; for which tools is another question.
    pub fn is(&self, agent: symposium_model::agent::AgentId, event: &HookEvent, line: &str) -> bool {
        let same_event = match event {
            HookEvent::Canonical(event) => self.event == AgentEvent::Canonical(*event),
            HookEvent::Native { agent: of, event } => {
                *of == agent && dialect(agent).event_from(event) == Some(self.event)
            }
        };
        same_event && self.line == line.trim()
    }
}

/// Whether hooks with these matchers together are asked about everything that a hook with this matcher is asked about.
pub fn cover(own: &[&Matcher], matcher: &Matcher) -> bool {
    let any = |wanted: &dyn Fn(&Matcher) -> bool| own.iter().copied().any(wanted);
    any(&|own| *own == Matcher::All || own == matcher)
        || match matcher {
            Matcher::All | Matcher::Pattern(_) => false,
            Matcher::Exact(names) => names.iter().all(|name| any(&|own| own.matches(&[name]))),
        }
}

/// The hooks an agent runs from the settings it reads, whoever they are of.
pub fn own_hooks(estate: &Estate<'_>) -> Vec<OwnHook> {
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
    estate: &Estate<'_>,
    settings: &Settings<'_>,
    entry: HookEntry,
    servers: &std::collections::BTreeSet<String>,
) -> Option<OwnHook> {
    // What another agent wrote there means what it means to that one.
    let writer = match settings.layer.holder {
        Holder::Itself => estate.agent,
        Holder::Other(by) => by,
    };
    let line = entry.identity(spec(estate.agent).holdings)?;
    let event = dialect(estate.agent).event_from(&entry.event)?;
    let matcher = match event {
        AgentEvent::Canonical(Event::PreToolUse | Event::PostToolUse) => {
            let matching = match entry.shape {
                Shape::ByEvent => spec(writer).holdings.matching,
                Shape::Listed => Matching::Pattern,
            };
            match matcher::map(writer, matching, entry.matcher.as_deref(), servers) {
                Mapped::All => Matcher::All,
                Mapped::Only { matcher, .. } => Matcher::parse(&matcher),
                Mapped::Never(_) => return None,
            }
        }
        AgentEvent::Canonical(Event::SessionStart) => {
            let written = cause::cause(cause::causes(writer, &entry), &entry).ok()?;
            written.map_or(Matcher::All, |written| Matcher::parse(&written))
        }
        AgentEvent::Canonical(Event::UserPromptSubmit | Event::Stop) => Matcher::All,
        AgentEvent::ToolFailed | AgentEvent::Native(_) => Matcher::parse(entry.matcher.as_deref().unwrap_or_default()),
    };
    Some(OwnHook { file: entry.path, event, line, matcher })
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
            let theirs: Vec<Matcher> = theirs.iter().map(|matcher| Matcher::parse(matcher)).collect();
            let theirs: Vec<&Matcher> = theirs.iter().collect();
            assert_eq!(cover(&theirs, &Matcher::parse(matcher)), covered, "{theirs:?} {matcher}");
        }
    }
}
