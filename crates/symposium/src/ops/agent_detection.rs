//! Detects the agents that are used on this machine.

use std::path::{Path, PathBuf};

use symposium_agents::{AgentSpec, spec};
use symposium_io::{env, fs};
use symposium_model::agent::AgentId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AgentPresence {
    Program(PathBuf),
    /// Only files of its own in the home directory: it may be on another machine's PATH, in an editor, or gone.
    Directory(PathBuf),
    Nowhere,
}

/// The agents whose program is on PATH or whose files are in the home directory.
pub(crate) fn agents(home: Option<&Path>) -> Vec<AgentId> {
    let used = |agent: &AgentId| presence(spec(*agent), home, &[]) != AgentPresence::Nowhere;
    AgentId::ALL.into_iter().filter(used).collect()
}

/// Finds the evidence that an agent is used. A directory is no evidence if it only leads to one of `ours`.
pub(crate) fn presence(facts: &AgentSpec, home: Option<&Path>, ours: &[&Path]) -> AgentPresence {
    let directories = env::program_directories();
    let mut programs = facts.programs.iter().flat_map(|name| directories.iter().map(move |at| at.join(name)));
    if let Some(program) = programs.find(|path| fs::is_file(path) && fs::is_executable(path)) {
        return AgentPresence::Program(program);
    }
    let mut signs = home.into_iter().flat_map(|home| facts.home_signs.iter().map(|sign| home.join(sign)));
    signs.find(|sign| is_of_others(sign, ours)).map_or(AgentPresence::Nowhere, AgentPresence::Directory)
}

/// Whether there is something that we did not put there.
fn is_of_others(sign: &Path, ours: &[&Path]) -> bool {
    let leads_to_ours = |path: &Path| ours.iter().any(|own| own.starts_with(path));
    if !leads_to_ours(sign) {
        return fs::exists(sign);
    }
    let entries = fs::list(sign).unwrap_or_default();
    entries.into_iter().any(|entry| !leads_to_ours(&sign.join(entry.name)))
}
