//! Files of agents in the repository: instructions, skills, settings and programs that an agent reads without Symposium.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use symposium_agents::settings_layout::{LayerPath, SettingsFormat};
use symposium_agents::{AgentPath, spec};
use symposium_io::fs::{self, FileKind, FsErrorKind};
use symposium_io::git_path::{self, GitPath};
use symposium_io::git_revision::{MAX_FILE, RevisionReader};
use symposium_io::git_tracking::TrackedFiles;
use symposium_model::agent::AgentId;
use symposium_model::git_index::SubmoduleEntry;
use symposium_model::review::{ReviewItem, ReviewSection, find_commands};
use symposium_model::sync::fingerprint;

use super::revision::RevisionView;
use crate::ops::import::read::read_file;

/// The largest file whose lines are shown, in bytes.
const MAX_SHOWN: usize = 1024 * 1024;
const MAX_FILES: usize = 5_000;
/// Entries of a work tree whose index cannot be read, and directories in directories.
const MAX_ENTRIES: usize = 200_000;
const DEEPEST: usize = 64;

const KIND: &str = "agent file";
/// Another one, so that no two files are taken for one: such names are shown with escapes.
const ODD_KIND: &str = "agent file not named in UTF-8";

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

/// A directory that holds more than the files of agents.
const SHARED_DIRECTORY: &str = ".github";

/// Returns the files and directories of a project that agents read, relative to its root, without those inside others,
/// in lower case.
fn agent_places() -> Vec<String> {
    let mut paths: Vec<&str> = OTHER_PLACES.to_vec();
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
        [first, second, _, ..] if *first == SHARED_DIRECTORY => format!("{first}/{second}"),
        [first, _, ..] if first.starts_with('.') && *first != SHARED_DIRECTORY => (*first).to_owned(),
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
fn is_of_agent(path: &str, places: &[String]) -> bool {
    let path = lower_case(path);
    places.iter().any(|place| {
        path.match_indices(place.as_str()).any(|(start, found)| {
            let before = path.get(..start).unwrap_or_default();
            let after = path.get(start + found.len()..).unwrap_or_default();
            (before.is_empty() || before.ends_with('/')) && (after.is_empty() || after.starts_with('/'))
        })
    })
}

impl RevisionView {
    /// Lists the files that git tracks, and what keeps others from a review: links, submodules and limits.
    pub(super) fn agent_files(&self) -> Vec<ReviewItem> {
        let places = agent_places();
        let paths = self.tracked_paths();
        let mut found: BTreeSet<&GitPath> = paths.iter().filter(|path| is_of_agent(&path.shown(), &places)).collect();
        for directory in self.linked_directories(&paths, &places) {
            found.extend(paths.iter().filter(|path| is_below(path, &directory)));
        }
        let mut items: Vec<ReviewItem> =
            found.iter().take(MAX_FILES).filter_map(|path| self.agent_file(path)).collect();
        items.extend(self.named_files(&items, &paths));
        let submodules = self.submodules(|path| is_of_agent(&path.shown(), &places));
        items.extend(submodules.iter().map(|submodule| {
            new_item(ReviewSection::Run, &submodule.path)
                .with_detail("submodule at", &submodule.commit)
                .with_detail("not reviewed", "its files are in another repository")
        }));
        let unwritable = self.exported.iter().flat_map(|exported| &exported.unwritable);
        items.extend(unwritable.filter(|path| is_of_agent(&path.shown(), &places)).map(|path| {
            new_item(ReviewSection::Run, path).with_detail("not reviewed", "this system does not allow its name")
        }));
        if found.len() > MAX_FILES {
            let rest = format!("{} files of agents beyond the first {MAX_FILES}", found.len() - MAX_FILES);
            items.push(ReviewItem::new(ReviewSection::Run, KIND, "(others)").with_detail("not reviewed", rest));
        }
        items
    }

    /// Lists the submodules at paths of interest.
    pub(super) fn submodules(&self, is_wanted: impl Fn(&GitPath) -> bool) -> Vec<SubmoduleEntry> {
        if let Some(exported) = &self.exported {
            return exported.submodules.iter().filter(|submodule| is_wanted(&submodule.path)).cloned().collect();
        }
        let tracked = TrackedFiles::default().submodules(&self.top).into_iter();
        let at_hand = |submodule: SubmoduleEntry| {
            let directory = self.on_disk(&submodule.path)?;
            if !fs::is_dir(&directory) || fs::is_link(&directory) {
                return None;
            }
            // One that is not checked out is as the index has it.
            let repository =
                fs::exists(&directory.join(".git")).then(|| RevisionReader::open(&directory).ok()).flatten();
            let commit = repository.and_then(|reader| reader.find("HEAD").ok()).map(|commit| commit.text());
            Some(SubmoduleEntry { commit: commit.unwrap_or(submodule.commit), ..submodule })
        };
        tracked.filter(|submodule| is_wanted(&submodule.path)).filter_map(at_hand).collect()
    }

    /// Lists the directories of the repository that links at the places of agents lead to, and links in these.
    fn linked_directories(&self, paths: &[GitPath], places: &[String]) -> BTreeSet<PathBuf> {
        let mut found: BTreeSet<PathBuf> = BTreeSet::new();
        let mut count = None;
        while count != Some(found.len()) {
            count = Some(found.len());
            for path in paths {
                let is_inside =
                    is_of_agent(&path.shown(), places) || found.iter().any(|directory| is_below(path, directory));
                let Some(link) = self.on_disk(path).filter(|link| is_inside && fs::is_link(link)) else { continue };
                let real = fs::canonical(&link).ok().filter(|real| fs::is_dir(real));
                let inside = real.as_ref().and_then(|real| real.strip_prefix(&self.top).ok());
                // Behind a link to the top, the whole repository is no directory of an agent.
                found.extend(inside.filter(|inside| !inside.as_os_str().is_empty()).map(Path::to_owned));
            }
        }
        found
    }

    /// Lists the files and links that git tracks; without an index that can be read, everything.
    fn tracked_paths(&self) -> Vec<GitPath> {
        let paths = match &self.exported {
            Some(exported) => Some(exported.paths.clone()),
            None => TrackedFiles::default().files(&self.top),
        };
        paths.unwrap_or_else(|| {
            let mut paths = Vec::new();
            list_below(&self.top, &PathBuf::new(), DEEPEST, &mut paths);
            paths
        })
    }

    pub(super) fn on_disk(&self, path: &GitPath) -> Option<PathBuf> {
        git_path::to_system(path).map(|path| self.top.join(path))
    }

    /// Returns the item of a path; `None` if the file was removed.
    pub(super) fn agent_file(&self, path: &GitPath) -> Option<ReviewItem> {
        let place = self.on_disk(path)?;
        if fs::is_link(&place) {
            return Some(self.agent_link(&place, path));
        }
        if !fs::is_file(&place) {
            return None;
        }
        Some(with_content(new_item(section_of(&place), path), &place, &path.shown()))
    }

    /// Lists the files of agents that were written empty.
    pub(super) fn empty_agent_files(&self) -> Vec<PathBuf> {
        let Some(exported) = &self.exported else { return Vec::new() };
        let items = self.agent_files();
        let names: BTreeSet<&str> = items.iter().map(|item| item.name.as_str()).collect();
        let paths = exported.paths.iter().filter(|path| names.contains(&*path.shown()));
        paths.filter_map(|path| self.on_disk(path)).filter(|path| exported.is_empty_file(path)).collect()
    }

    /// An agent follows a link, so the file that it leads to is reviewed with it.
    fn agent_link(&self, place: &Path, path: &GitPath) -> ReviewItem {
        let mut links = self.exported.iter().flat_map(|exported| &exported.links);
        let outside = links.find(|link| link.path == *path).map(|link| link.target.clone());
        let target = outside.or_else(|| fs::link_target_path(place).map(|target| git_path::from_system(&target)));
        let target = target.as_ref().map(GitPath::shown).unwrap_or_default();
        let item = new_item(section_of(place), path).with_detail("link to", target);
        let real = fs::canonical(place).ok();
        match real.as_ref().and_then(|real| Some((real, real.strip_prefix(&self.top).ok()?))) {
            Some((real, inside)) if fs::is_file(real) => {
                with_content(item, real, &git_path::from_system(inside).shown())
            }
            Some(_) => item,
            None => item.with_detail("not reviewed", "the link leads outside the repository, or to nothing"),
        }
    }
}

fn new_item(section: ReviewSection, path: &GitPath) -> ReviewItem {
    ReviewItem::new(section, if path.is_utf8() { KIND } else { ODD_KIND }, path.shown())
}

fn is_below(path: &GitPath, directory: &Path) -> bool {
    git_path::to_system(path).is_some_and(|path| path.starts_with(directory))
}

fn section_of(path: &Path) -> ReviewSection {
    match extension(path) {
        "md" | "mdc" | "txt" | "" => ReviewSection::Told,
        _ => ReviewSection::Run,
    }
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

fn too_large() -> String {
    format!("the file has more than {MAX_FILE} bytes")
}

/// Adds the lines of a file, and the commands in it if it has settings.
fn with_content(item: ReviewItem, path: &Path, shown: &str) -> ReviewItem {
    let mut item = match fs::read(path, MAX_FILE) {
        Ok(bytes) if bytes.len() <= MAX_SHOWN => item.with_file(shown, &bytes),
        Ok(bytes) => item
            .with_detail("not reviewed", format!("the file is too large to be shown: {} bytes", bytes.len()))
            .with_detail("sha256", fingerprint(&bytes).as_str()),
        Err(error) if matches!(error.kind, FsErrorKind::TooLarge { .. }) => {
            item.with_detail("not reviewed", too_large())
        }
        Err(error) => item.with_detail("not reviewed", format!("the file cannot be read: {}", error.kind)),
    };
    let notation = match extension(path) {
        "json" | "jsonc" => Some(SettingsFormat::Json),
        "toml" => Some(SettingsFormat::Toml),
        "yaml" | "yml" => Some(SettingsFormat::Yaml),
        _ => None,
    };
    match notation.map(|notation| read_file(path, shown, notation)) {
        Some(Ok(Some((_, value)))) => {
            for found in find_commands(&value) {
                item = item.with_detail(found.key, found.command);
            }
            item
        }
        Some(Err(problem)) => item.with_detail("problem", problem.message),
        Some(Ok(None)) | None => item,
    }
}

/// Lists the files and links below a directory; no link is followed.
fn list_below(top: &Path, below: &Path, depth: usize, paths: &mut Vec<GitPath>) {
    for (name, kind) in fs::list_every_name(&top.join(below)).unwrap_or_default() {
        if depth == 0 || paths.len() >= MAX_ENTRIES || name == ".git" {
            continue;
        }
        let path = below.join(name);
        match kind {
            FileKind::Directory => list_below(top, &path, depth - 1, paths),
            FileKind::File | FileKind::Link => paths.push(git_path::from_system(&path)),
            FileKind::Other => {}
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
            (".vscode", ".vscode"),
        ] {
            assert_eq!(whole_place(path), place);
        }
        let places = agent_places();
        for place in [".claude", ".mcp.json", "agents.md", "claude.md", ".agents", ".codex", ".cursor", ".gemini"] {
            assert!(places.iter().any(|known| known == place), "{place} {places:?}");
        }
        assert!(!places.iter().any(|place| place.is_empty() || place == ".github"), "{places:?}");
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
}
