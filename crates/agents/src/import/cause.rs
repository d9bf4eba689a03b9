//! Matchers of lifecycle events, which apply to the cause of an event, such as the reason why a session starts.

use symposium_model::agent::AgentId;
use symposium_model::hook::Matcher;

use super::entries::HookEntry;
use crate::settings_layout::CauseMatcher;
use crate::spec;

pub(super) fn causes(agent: AgentId, entry: &HookEntry) -> CauseMatcher {
    spec(entry.format(agent)).holdings.causes
}

pub(super) fn is_cause(key: &str) -> bool {
    matches!(key, "reason" | "trigger" | "source")
}

/// Returns the matcher for the cause of an event; an error when the agent never ran the hook.
pub(super) fn cause(causes: CauseMatcher, entry: &HookEntry) -> Result<Option<String>, String> {
    let written = entry.matcher.as_deref().map(str::trim).filter(|text| !matches!(*text, "" | "*"));
    let is_word = |text: &&str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match (written, causes) {
        (None, _) | (Some(".*"), CauseMatcher::NamesOrPattern | CauseMatcher::Unknown) => Ok(None),
        (Some(text), CauseMatcher::Word) if !is_word(&text) => {
            Err(format!("its matcher `{text}` is not a valid value for this event, so it never ran"))
        }
        (Some(text), _) => usable(text.to_owned()).map(Some),
    }
}

pub(super) fn usable(matcher: String) -> Result<String, String> {
    match Matcher::parse(&matcher).fault() {
        None => Ok(matcher),
        Some(fault) => Err(format!("its matcher is not a supported regular expression: {}", one_line(&fault))),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
