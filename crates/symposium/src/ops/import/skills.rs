//! Skills an agent has, and programs of its own that nobody else can run.

use std::path::{Path, PathBuf};

use symposium_agents::import::SkippedEntry;
use symposium_agents::{GENERATED_MARK, Scope, spec};
use symposium_io::fs;
use symposium_io::source::{DirectoryTree, skill_files};
use symposium_model::agent::AgentId;
use symposium_model::sync::{Ledger, SkillFile};

use super::read::{FoundSettings, find};
use crate::ops::agent_paths::AgentRoots;

pub(crate) struct CarriedSkill {
    pub(crate) name: String,
    /// Where it was, for people.
    pub(crate) from: String,
    pub(crate) files: Vec<SkillFile>,
}

/// The skills of an agent in one scope. Those of the other scope are named.
pub(crate) fn skills(
    roots: AgentRoots<'_>,
    agent: AgentId,
    scope: Scope,
    ledger: &Ledger,
    holding: &FoundSettings,
    left_out: &mut Vec<SkippedEntry>,
) -> Vec<CarriedSkill> {
    let mut carried: Vec<CarriedSkill> = Vec::new();
    for (of, directory) in directories(roots, agent) {
        for name in names(&directory) {
            let path = directory.join(&name);
            let from = roots.shown(&path);
            let mut leave = |why: String| {
                left_out.push(SkippedEntry { what: format!("skill `{name}`"), why, file: roots.shown(&directory) });
            };
            // What we installed ourselves, or made of what is here already.
            if ledger.record(&path).is_some() {
                continue;
            }
            if let Some(why) = holding.plugin_is_off(ledger, &path) {
                leave(why);
                continue;
            }
            if of != scope {
                let (flag, whose) = match scope {
                    Scope::Global => (" --project", "it belongs to this project"),
                    Scope::Project => ("", "it belongs to your user settings"),
                };
                leave(format!("{whose}; run `symposium import --from {agent}{flag}` to import it"));
                continue;
            }
            if carried.iter().any(|known| known.name == name) {
                leave("another skill of that name was imported".to_owned());
                continue;
            }
            let files = DirectoryTree::open(&path).map_err(|error| error.kind.to_string());
            match files.and_then(|tree| skill_files(&tree, "")) {
                Ok(files) => carried.push(CarriedSkill { name, from, files }),
                Err(why) => leave(why),
            }
        }
    }
    carried
}

fn directories(roots: AgentRoots<'_>, agent: AgentId) -> Vec<(Scope, PathBuf)> {
    let facts = spec(agent);
    let mut directories = Vec::new();
    for directory in facts.skills.global {
        directories.extend(roots.home.map(|home| (Scope::Global, home.join(directory))));
    }
    for directory in std::iter::once(&facts.skills.project).chain(facts.skills.also_in_project) {
        directories.extend(roots.project.map(|root| (Scope::Project, root.join(directory))));
    }
    for (scope, at) in facts.holdings.plugin_skills {
        directories.extend(find(roots, agent, *at).into_iter().map(|directory| (*scope, directory)));
    }
    directories
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::list(directory).unwrap_or_default();
    let is_skill = |name: &String| !name.starts_with('.') && fs::is_file(&directory.join(name).join("SKILL.md"));
    entries.into_iter().map(|entry| entry.name).filter(is_skill).collect()
}

/// Programs in the agent's own language.
pub(crate) fn programs(roots: AgentRoots<'_>, agent: AgentId) -> Vec<SkippedEntry> {
    let title = spec(agent).title;
    let files = spec(agent).holdings.programs.iter().flat_map(|at| find(roots, agent, *at));
    let is_ours =
        |path: &PathBuf| fs::read_text(path, fs::MAX_SETTINGS).is_ok_and(|text| text.contains(GENERATED_MARK));
    let is_program = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "js" || kind == "ts");
    files
        .filter(|path| is_program(path) && fs::is_file(path) && !is_ours(path))
        .map(|path| SkippedEntry {
            what: format!("plugin `{}`", path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default()),
            why: format!("it is a module that only {title} can load"),
            file: roots.shown(&path),
        })
        .collect()
}
