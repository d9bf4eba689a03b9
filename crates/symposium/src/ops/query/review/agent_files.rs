//! Files of agents in the repository: instructions, skills, settings and programs that an agent reads without Symposium.

use std::path::Path;

use symposium_agents::settings_layout::{LayerPath, SettingsFormat};
use symposium_agents::{AgentPath, spec};
use symposium_io::fs::{self, FileKind};
use symposium_io::git_tracking::{GitTracking, TrackedFiles};
use symposium_model::agent::AgentId;
use symposium_model::review::{ReviewItem, ReviewSection, find_commands};

use super::revision::RevisionView;
use crate::ops::import::read::read_file;

const MAX_FILE: u64 = 1024 * 1024;
const MAX_FILES: usize = 2_000;
const DEEPEST: usize = 8;

/// A directory that holds more than the files of agents.
const SHARED_DIRECTORY: &str = ".github";

/// Returns the files and directories of a project that agents read, relative to its root, without those inside others.
fn agent_places() -> Vec<String> {
    let mut paths: Vec<&str> = Vec::new();
    for agent in AgentId::ALL {
        let facts = spec(agent);
        paths.extend(facts.instructions.project);
        paths.push(facts.skills.project);
        paths.extend(facts.skills.also_in_project);
        let of_agent = |place: AgentPath| match place {
            AgentPath::Project(path) | AgentPath::GitRoot(path) => Some(path),
            AgentPath::Home(_) => None,
        };
        paths.extend(facts.hooks.iter().filter_map(|file| of_agent(file.project)));
        let servers = facts.mcp.project.iter().flat_map(|file| file.existing.iter().chain([&file.otherwise]));
        paths.extend(servers.filter_map(|at| of_agent(*at)));
        let layers = facts.holdings.layers.iter().map(|layer| layer.at);
        let of_plugins = facts.holdings.plugin_skills.iter().map(|(_, at)| *at);
        paths.extend(layers.chain(facts.holdings.programs.iter().copied()).chain(of_plugins).filter_map(
            |at| match at {
                LayerPath::Project(path) | LayerPath::GitRoot(path) => Some(path),
                LayerPath::Home(_) | LayerPath::MachineFolder { .. } | LayerPath::Machine { .. } => None,
            },
        ));
    }
    let mut places: Vec<String> = paths.into_iter().map(whole_place).collect();
    places.sort();
    places.dedup();
    places
}

/// Returns the directory of an agent that a file is in, or the file itself where it lies alone.
fn whole_place(path: &str) -> String {
    let fixed = path.split('*').next().unwrap_or(path);
    let parts: Vec<&str> = fixed.split('/').filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [first, second, _, ..] if *first == SHARED_DIRECTORY => format!("{first}/{second}"),
        [first, _, ..] if first.starts_with('.') && *first != SHARED_DIRECTORY => (*first).to_owned(),
        _ => parts.join("/"),
    }
}

impl RevisionView {
    /// Lists the files that git tracks, at the root of the workspace and at the top of the repository.
    pub(super) fn agent_files(&self) -> Vec<ReviewItem> {
        let mut found = Vec::new();
        for place in agent_places() {
            for base in [&self.root, &self.top] {
                collect(&base.join(&place), DEEPEST, &mut found);
            }
        }
        found.sort();
        found.dedup();
        let mut tracked = TrackedFiles::default();
        let is_reviewed =
            |path: &std::path::PathBuf| !self.is_working_tree || tracked.tracking(path) != GitTracking::Untracked;
        let found: Vec<std::path::PathBuf> = found.into_iter().filter(is_reviewed).collect();
        found.iter().filter_map(|path| self.agent_file(path)).collect()
    }

    fn agent_file(&self, path: &Path) -> Option<ReviewItem> {
        let shown = path.strip_prefix(&self.top).ok()?.display().to_string();
        let bytes = fs::read(path, MAX_FILE).ok()?;
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let notation = match extension {
            "json" | "jsonc" => Some(SettingsFormat::Json),
            "toml" => Some(SettingsFormat::Toml),
            "yaml" | "yml" => Some(SettingsFormat::Yaml),
            _ => None,
        };
        let section = match extension {
            "md" | "mdc" | "txt" | "" => ReviewSection::Told,
            _ => ReviewSection::Run,
        };
        let mut item = ReviewItem::new(section, "agent file", &shown).with_file(&shown, &bytes);
        match notation.map(|notation| read_file(path, &shown, notation)) {
            Some(Ok(Some((_, value)))) => {
                for found in find_commands(&value) {
                    item = item.with_detail(found.key, found.command);
                }
            }
            Some(Err(problem)) => item = item.with_detail("problem", problem.message),
            Some(Ok(None)) | None => {}
        }
        Some(item)
    }
}

/// Collects the files at a place; links are not followed.
fn collect(place: &Path, depth: usize, found: &mut Vec<std::path::PathBuf>) {
    if found.len() >= MAX_FILES || depth == 0 || fs::is_link(place) {
        return;
    }
    if fs::is_file(place) {
        found.push(place.to_owned());
        return;
    }
    for entry in fs::list(place).unwrap_or_default() {
        match entry.kind {
            FileKind::File | FileKind::Directory if entry.name != "node_modules" => {
                collect(&place.join(&entry.name), depth - 1, found);
            }
            FileKind::File | FileKind::Directory | FileKind::Link | FileKind::Other => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directories_of_agents_are_looked_at_as_a_whole() {
        for (path, place) in [
            (".claude/settings.json", ".claude"),
            (".claude/skills", ".claude"),
            (".mcp.json", ".mcp.json"),
            ("AGENTS.md", "AGENTS.md"),
            (".github/hooks/*.json", ".github/hooks"),
            (".github/mcp.json", ".github/mcp.json"),
            (".github/instructions/x.md", ".github/instructions"),
            (".opencode/plugins/*.js", ".opencode"),
        ] {
            assert_eq!(whole_place(path), place);
        }
        let places = agent_places();
        for place in [".claude", ".mcp.json", "AGENTS.md", "CLAUDE.md", ".agents", ".codex", ".cursor", ".gemini"] {
            assert!(places.iter().any(|known| known == place), "{place} {places:?}");
        }
        assert!(!places.iter().any(|place| place.is_empty() || place == ".github"), "{places:?}");
    }
}
