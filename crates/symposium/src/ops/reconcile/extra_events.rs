//! Which events are registered besides the usual ones.

use std::path::Path;

use symposium_model::agent::AgentId;
use symposium_model::sync::{Ledger, RegisteredEvent};

/// The events to register with an agent in a workspace, or once for the user. What was registered once stays, in its old
/// order; what plugins handle now comes behind it.
pub(super) fn wanted(
    handled: &[(AgentId, String)],
    ledger: &Ledger,
    agent: AgentId,
    workspace: Option<&Path>,
) -> Vec<RegisteredEvent> {
    let mut words: Vec<&str> = ledger.events_of(agent, workspace).collect();
    for (_, word) in handled.iter().filter(|(of, _)| *of == agent) {
        if !words.contains(&word.as_str()) {
            words.push(word);
        }
    }
    let workspace = workspace.map(Path::to_owned);
    let event = |word: &str| RegisteredEvent { agent, workspace: workspace.clone(), event: word.to_owned() };
    words.into_iter().map(event).collect()
}
