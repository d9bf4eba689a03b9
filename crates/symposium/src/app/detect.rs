//! Which agents are used on this machine.

use std::path::Path;

use symposium_agents::spec;
use symposium_io::{env, fs};
use symposium_model::agent::AgentId;

/// The agents whose program is on PATH or whose files are in the home directory.
pub(crate) fn agents(home: Option<&Path>) -> Vec<AgentId> {
    let programs = env::program_directories();
    AgentId::ALL
        .into_iter()
        .filter(|agent| {
            let facts = spec(*agent);
            let on_path = |name: &&str| programs.iter().any(|directory| fs::is_file(&directory.join(name)));
            let at_home = |sign: &&str| home.is_some_and(|home| fs::exists(&home.join(sign)));
            facts.programs.iter().any(on_path) || facts.home_signs.iter().any(at_home)
        })
        .collect()
}
