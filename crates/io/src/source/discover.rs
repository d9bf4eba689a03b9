//! Search for the manifests and stand-alone skills of a source by their names.

use std::path::Path;

use symposium_model::config::SourceRank;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::skill::SKILL_FILE;

use super::tree::{DirectoryListing, SourceTree, TreeEntry, TreeEntryKind, TreeError, TreeState, join};

const MAX_DEPTH: usize = 4;

/// Sources with 100 000 plugins exist; a directory with more is not one of plugins.
const MAX_DIRECTORIES: usize = 250_000;

const FOREIGN_TOML: [&str; 6] =
    ["Cargo.toml", "rust-toolchain.toml", "rustfmt.toml", "clippy.toml", "deny.toml", "skill-test.toml"];

const FOREIGN_DIRECTORIES: [&str; 2] = ["target", "node_modules"];

pub(super) const MAX_MANIFEST: u64 = 1024 * 1024;

#[derive(Debug, Default)]
pub(super) struct FoundFiles {
    /// Directories with a SKILL.md and no manifest above them.
    pub(super) skills: Vec<String>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The number of further plugins and skills that are accepted.
    room: usize,
    pub(super) is_cut: bool,
}

impl FoundFiles {
    /// Counts one more plugin or skill; returns false when the limit is reached, which is reported once.
    fn takes_one(&mut self, tree: &dyn SourceTree) -> bool {
        let room = self.room.checked_sub(1);
        if room.is_none() && !self.is_cut {
            self.is_cut = true;
            let message = format!("More than {MAX_IN_PROJECT} plugins and skills; the others are skipped");
            let help = "name a smaller directory, or name the source in your user config";
            self.diagnostics.push(Diagnostic::warning(tree.shown(""), message).help(help));
        }
        self.room = room.unwrap_or_default();
        room.is_some()
    }
}

#[derive(Debug)]
pub(super) struct FoundManifest {
    pub(super) path: String,
    pub(super) directory: String,
    /// True if the whole directory belongs to this plugin, so that skills below count only through its groups.
    pub(super) owns_directory: bool,
    /// The text and the state before that, if it was read during the search.
    pub(super) text: Option<(String, TreeState)>,
}

/// The limit for plugins and skills in a source of a project: it must not use up the time of the user's own hooks.
const MAX_IN_PROJECT: usize = 500;

pub(super) fn most_in(rank: SourceRank) -> usize {
    match rank {
        SourceRank::Project => MAX_IN_PROJECT,
        SourceRank::Builtin
        | SourceRank::Recommendations
        | SourceRank::Brought
        | SourceRank::Crate
        | SourceRank::User => usize::MAX,
    }
}

/// Searches a source. Each manifest is handed to `take` at once, because together their texts may need much memory.
pub(super) fn discover(tree: &dyn SourceTree, most: usize, take: &mut dyn FnMut(FoundManifest)) -> FoundFiles {
    let found = FoundFiles { room: most, ..FoundFiles::default() };
    let mut search = SourceSearch { tree, take, directories: 0, found };
    search.visit("", 0);
    search.found
}

struct SourceSearch<'s> {
    tree: &'s dyn SourceTree,
    take: &'s mut dyn FnMut(FoundManifest),
    /// The number of directories that were visited.
    directories: usize,
    found: FoundFiles,
}

impl SourceSearch<'_> {
    fn visit(&mut self, directory: &str, depth: usize) {
        let Self { tree, take, found, .. } = self;
        if found.is_cut {
            return;
        }
        self.directories += 1;
        if self.directories > MAX_DIRECTORIES {
            if self.directories == MAX_DIRECTORIES + 1 {
                found.diagnostics.push(too_many(*tree));
            }
            return;
        }
        if !directory.is_empty()
            && let Some(manifest) = usual_manifest(*tree, directory)
        {
            if found.takes_one(*tree) {
                take(manifest);
            }
            return;
        }
        let listing = match tree.list_plugins(directory) {
            Ok(listing) => listing,
            Err(error) => {
                found.diagnostics.push(unlistable(*tree, directory, &error));
                return;
            }
        };
        found.diagnostics.extend(left_out(*tree, directory, &listing));
        let own = manifests_of(directory, &listing.entries);
        let is_plugin = !directory.is_empty() && !own.is_empty();
        for manifest in own {
            if found.takes_one(*tree) {
                take(manifest);
            }
        }
        if is_plugin {
            return;
        }
        if has_skill(&listing.entries) {
            if found.takes_one(*tree) {
                found.skills.push(directory.to_owned());
            }
            return;
        }
        if depth == MAX_DEPTH {
            return;
        }
        // The target of a link inside the source is found at its own path.
        let real = listing.entries.iter().filter(|entry| entry.kind == TreeEntryKind::Directory);
        for entry in real.filter(|entry| is_ours(&entry.name)) {
            self.visit(&join(directory, &entry.name), depth + 1);
        }
    }
}

/// Reads a manifest under one of the two usual names, which saves listing the directory of every plugin. Other names
/// and errors are left to the listing, and so are all names where a file is also found in another letter case.
fn usual_manifest(tree: &dyn SourceTree, directory: &str) -> Option<FoundManifest> {
    if cfg!(any(windows, target_os = "macos")) {
        return None;
    }
    ["symposium.toml", "SYMPOSIUM.toml"].into_iter().find_map(|name| {
        let path = join(directory, name);
        let text = tree.read_text_with_state(&path, MAX_MANIFEST).ok()?;
        Some(FoundManifest { path, directory: directory.to_owned(), owns_directory: true, text: Some(text) })
    })
}

/// Finds the manifests of a directory. At the root of a source that is every toml file except those of other tools;
/// elsewhere `symposium.toml` in any letter case, or a file named like its directory.
pub(super) fn manifests_of(directory: &str, entries: &[TreeEntry]) -> Vec<FoundManifest> {
    let own_name = directory.rsplit('/').next().unwrap_or_default();
    let files = entries.iter().filter(|entry| entry.kind == TreeEntryKind::File).map(|entry| entry.name.as_str());
    let manifest = |name: &str, owns_directory| FoundManifest {
        path: join(directory, name),
        directory: directory.to_owned(),
        owns_directory,
        text: None,
    };
    if directory.is_empty() {
        let ours = files.filter(|name| is_toml(name) && !FOREIGN_TOML.contains(name));
        return ours.map(|name| manifest(name, is_symposium_toml(name))).collect();
    }
    let files: Vec<&str> = files.collect();
    let named_so = files.iter().find(|name| is_symposium_toml(name));
    let named_like_directory = files.iter().find(|name| is_manifest_of(own_name, name));
    named_so.or(named_like_directory).map(|name| manifest(name, true)).into_iter().collect()
}

pub fn is_manifest_of(directory: &str, file: &str) -> bool {
    is_symposium_toml(file) || (file.strip_suffix(".toml") == Some(directory) && !FOREIGN_TOML.contains(&file))
}

fn is_toml(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "toml") && !name.starts_with('.')
}

pub(super) fn is_symposium_toml(name: &str) -> bool {
    name.eq_ignore_ascii_case("symposium.toml")
}

pub(super) fn has_skill(entries: &[TreeEntry]) -> bool {
    entries.iter().any(|entry| entry.name == SKILL_FILE && entry.kind == TreeEntryKind::File)
}

fn is_ours(name: &str) -> bool {
    !name.starts_with('.') && !FOREIGN_DIRECTORIES.contains(&name)
}

pub(super) struct GroupSkill {
    pub(super) directory: String,
    pub(super) text: Result<String, TreeError>,
}

/// Reads the skills of a group: the group's own directory if it is a skill, else every skill below it.
///
/// A missing directory is `Absent`. The SKILL.md of each directory below is read at once, since there nearly always is
/// one: that saves a listing for every skill.
pub(super) fn group_skills(
    tree: &dyn SourceTree,
    directory: &str,
    limit: u64,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<GroupSkill>, TreeError> {
    let mut skills = Vec::new();
    let mut open = vec![(directory.to_owned(), 0)];
    let mut directories = 0;
    while let Some((directory, depth)) = open.pop() {
        directories += 1;
        if directories > MAX_DIRECTORIES {
            diagnostics.push(too_many(tree));
            break;
        }
        if depth > 0 || directory.is_empty() {
            match tree.read_text(&join(&directory, SKILL_FILE), limit) {
                Err(TreeError::Absent) => {}
                text => {
                    skills.push(GroupSkill { directory, text });
                    continue;
                }
            }
        }
        let listing = match tree.list(&directory) {
            Ok(listing) => listing,
            Err(TreeError::Absent) if depth == 0 => return Err(TreeError::Absent),
            Err(error) => {
                diagnostics.push(unlistable(tree, &directory, &error));
                continue;
            }
        };
        diagnostics.extend(left_out(tree, &directory, &listing));
        if has_skill(&listing.entries) {
            let text = tree.read_text(&join(&directory, SKILL_FILE), limit);
            skills.push(GroupSkill { directory, text });
        } else if depth < MAX_DEPTH {
            for entry in listing.entries.iter().filter(|entry| is_ours(&entry.name)) {
                let inner = join(&directory, &entry.name);
                match entry.kind {
                    TreeEntryKind::File => {}
                    TreeEntryKind::Directory => open.push((inner, depth + 1)),
                    // A skill may be shared through a link. Descending below it could go in circles.
                    TreeEntryKind::LinkedDirectory => match tree.read_text(&join(&inner, SKILL_FILE), limit) {
                        Err(TreeError::Absent) => {}
                        text => skills.push(GroupSkill { directory: inner, text }),
                    },
                }
            }
        }
    }
    skills.sort_by(|a, b| a.directory.cmp(&b.directory));
    Ok(skills)
}

fn too_many(tree: &dyn SourceTree) -> Diagnostic {
    let message = format!("More than {MAX_DIRECTORIES} directories; the others are skipped");
    Diagnostic::warning(tree.shown(""), message).help("name a directory that contains only plugins")
}

fn unlistable(tree: &dyn SourceTree, directory: &str, error: &TreeError) -> Diagnostic {
    let message = format!("Cannot list this directory: {error}");
    Diagnostic::warning(tree.shown(directory), message).help("make it readable, or remove it from the source")
}

fn left_out(tree: &dyn SourceTree, directory: &str, listing: &DirectoryListing) -> Vec<Diagnostic> {
    let visible = listing.left_out.iter().filter(|(name, _)| !name.starts_with('.'));
    visible
        .map(|(name, reason)| Diagnostic::warning(tree.shown(&join(directory, name)), format!("Skipped: {reason}")))
        .collect()
}
