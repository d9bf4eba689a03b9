//! The places in a repository that agents read without Symposium.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use symposium_agents::settings_layout::LayerPath;
use symposium_agents::{AgentPath, spec};
use symposium_io::git_path::{self, GitPath};
use symposium_model::agent::AgentId;

/// Places that agents read by their documents, beyond those that Symposium writes to or lists.
const OTHER_PLACES: [&str; 15] = [
    ".amazonq",
    ".claude-plugin",
    ".cursorrules",
    ".env",
    ".github/agents",
    ".github/chatmodes",
    ".github/copilot",
    ".github/lsp.json",
    ".github/plugin",
    ".github/prompts",
    ".kilocodemodes",
    ".vscode",
    "AGENTS.override.md",
    "CONTEXT.md",
    "CRUSH.local.md",
];

/// Directories that hold more than the files of agents.
const SHARED: [&str; 2] = [".github", ".symposium"];

/// The files by which Symposium itself knows plugins and a project.
const OWN_FILES: [&str; 2] = ["symposium.toml", ".symposium/config.toml"];
/// A file whose directory is a skill, and a directory beside which a plugin or a list of plugins for Claude Code lies.
const SKILL_FILE: &str = "skill.md";
const PLUGIN_MARK: &str = ".claude-plugin";
/// Lists of packages in a notation of settings.
const LOCKFILES: [&str; 3] = ["npm-shrinkwrap.json", "package-lock.json", "pnpm-lock.yaml"];
/// The directories of a plugin that is the repository itself, where not everything belongs to it.
const PLUGIN_PARTS: [&str; 5] = ["agents", "commands", "hooks", "output-styles", "skills"];

/// Returns the files and directories of a project that agents read, relative to its root, without those inside others,
/// in lower case.
pub(super) fn agent_places() -> Vec<String> {
    let mut paths: Vec<&str> = OTHER_PLACES.iter().chain(&OWN_FILES).copied().collect();
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
    let mut places: Vec<String> = paths.into_iter().map(|path| lower_case(&whole_place(path))).collect();
    places.sort();
    places.dedup();
    places
}

/// Returns the directory of an agent that a file is in, or the file itself where it lies alone.
fn whole_place(path: &str) -> String {
    let fixed = path.split('*').next().unwrap_or(path);
    let parts: Vec<&str> = fixed.split('/').filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [first, second, _, ..] if SHARED.contains(first) => format!("{first}/{second}"),
        [first, _, ..] if first.starts_with('.') && !SHARED.contains(first) => (*first).to_owned(),
        _ => parts.join("/"),
    }
}

/// Writes a path in lower case, with the letters that a system without a difference takes for others, such as `ſ`.
pub(super) fn lower_case(path: &str) -> String {
    if path.is_ascii() {
        return path.to_ascii_lowercase();
    }
    path.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

/// Tells whether a path is at or below a place of agents, in any directory: many agents read the files of the directory
/// that they work in. Case does not count, because it does not on macOS and Windows.
pub(super) fn is_of_agent(path: &str, places: &[String]) -> bool {
    let path = lower_case(path);
    places.iter().any(|place| {
        path.match_indices(place.as_str()).any(|(start, found)| {
            let before = path.get(..start).unwrap_or_default();
            let after = path.get(start + found.len()..).unwrap_or_default();
            (before.is_empty() || before.ends_with('/')) && (after.is_empty() || after.starts_with('/'))
        })
    })
}

/// Tells whether a path is a file of Symposium's own.
pub(super) fn is_own_file(path: &str) -> bool {
    is_of_agent(path, &OWN_FILES.map(str::to_owned))
}

/// Tells whether a path is the project's configuration.
pub(super) fn is_configuration(path: &str) -> bool {
    lower_case(path).ends_with("config.toml")
}

/// Tells whether a path is in a directory that describes a plugin or a list of plugins.
pub(super) fn is_plugin_mark(path: &str) -> bool {
    is_of_agent(path, &[PLUGIN_MARK.to_owned()])
}

/// Tells whether a path is a list of packages that a package manager wrote.
pub(super) fn is_lockfile(path: &GitPath) -> bool {
    let name = lower_case(path.shown().rsplit('/').next().unwrap_or_default());
    LOCKFILES.contains(&name.as_str())
}

/// Lists the directories of skills and of plugins for agents: everything in them may be read or run.
pub(super) fn marked_directories(paths: &BTreeSet<GitPath>) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for path in paths.iter().filter_map(git_path::to_system) {
        let name_of = |path: &Path| path.file_name().map(|name| lower_case(&name.to_string_lossy()));
        let is_mark = |path: &&Path| name_of(path).as_deref() == Some(PLUGIN_MARK);
        let skill = Some(path.as_path()).filter(|path| name_of(path).as_deref() == Some(SKILL_FILE));
        let marks = path.ancestors().skip(1).filter(is_mark).chain(skill);
        for directory in marks.filter_map(Path::parent) {
            if !directory.as_os_str().is_empty() {
                found.insert(directory.to_owned());
            } else if skill.is_none() {
                found.extend(PLUGIN_PARTS.map(PathBuf::from));
            }
        }
    }
    found
}

/// Tells whether a path is in one of the directories.
pub(super) fn is_inside(path: &GitPath, directories: &BTreeSet<PathBuf>) -> bool {
    git_path::to_system(path).is_some_and(|path| path.ancestors().skip(1).any(|above| directories.contains(above)))
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
            (".vscode", ".vscode"),
            (".symposium/config.toml", ".symposium/config.toml"),
        ] {
            assert_eq!(whole_place(path), place);
        }
        let places = agent_places();
        for place in [".claude", ".mcp.json", "agents.md", "claude.md", ".agents", ".codex", ".cursor", ".gemini"] {
            assert!(places.iter().any(|known| known == place), "{place} {places:?}");
        }
        assert!(!places.iter().any(|place| place.is_empty() || SHARED.contains(&place.as_str())), "{places:?}");
        assert!(!places.iter().any(|place| !place.contains('.')), "a place with an ordinary name: {places:?}");
    }

    #[test]
    fn files_of_agents_are_found_in_every_directory() {
        let places = [".claude".to_owned(), "agents.md".to_owned()];
        for (path, expected) in [
            ("AGENTS.md", true),
            (".claude/settings.json", true),
            ("a/b/AGENTS.md", true),
            ("a/agent\u{17f}.MD", true),
            (".Claude/settings.json", true),
            ("a/.claude/x", true),
            (".claude", true),
            ("MYAGENTS.md", false),
            ("a.claude/x", false),
            (".claude-x/y", false),
            ("x/AGENTS.md.txt", false),
        ] {
            assert_eq!(is_of_agent(path, &places), expected, "{path}");
        }
    }

    #[test]
    fn skills_and_plugins_are_looked_at_as_a_whole() {
        let marked = |paths: &[&str]| {
            let paths = paths.iter().map(|path| GitPath::new(*path)).collect();
            let found: Vec<String> = marked_directories(&paths).iter().map(|path| path.display().to_string()).collect();
            found.join(" ")
        };
        for (paths, expected) in [
            (&["src/lib.rs", "SKILL.md", "a/skill.txt"][..], ""),
            (&["a/b/SKILL.md", "a/b/x.py"], "a/b"),
            (&["market/.claude-plugin/marketplace.json", "market/p/hooks/hooks.json"], "market"),
            (&[".claude-plugin/plugin.json"], "agents commands hooks output-styles skills"),
        ] {
            assert_eq!(marked(paths), expected, "{paths:?}");
        }
    }
}
