//! All the files of a source, links followed: what a lock pins, and what is copied into a project.

use symposium_model::sync::{Fingerprint, SkillFile, SkillTree};

use super::contents::{MAX_BYTES, MAX_ENTRIES};
use super::discover::{has_skill, manifests_of};
use super::tree::{Tree, TreeEntryKind, TreeError, join};

/// Deeper directories are not looked into.
const MAX_DEPTH: usize = 32;

/// Directories at the top of a source that hold no plugins.
const NO_PLUGINS: [&str; 2] = ["target", "node_modules"];

/// Reads every file of a source. `Err` says why that is too much, or what cannot be read.
pub fn whole_source(tree: &dyn Tree) -> Result<SkillTree, String> {
    let mut files = Vec::new();
    let mut left = MAX_BYTES;
    collect(tree, "", 0, Zone::Between, &mut left, &mut files)?;
    Ok(SkillTree::new(files))
}

/// What stands for every file of a source.
pub fn whole_fingerprint(tree: &dyn Tree) -> Result<Fingerprint, String> {
    whole_source(tree).map(|whole| whole.fingerprint())
}

/// Whether links to directories count: between plugins nobody follows them, because what they lead to is found at its
/// own place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zone {
    Between,
    Inside,
}

fn collect(
    tree: &dyn Tree,
    below: &str,
    depth: usize,
    zone: Zone,
    left: &mut u64,
    files: &mut Vec<SkillFile>,
) -> Result<(), String> {
    if depth > MAX_DEPTH {
        return Err(format!("`{below}` lies more than {MAX_DEPTH} directories deep"));
    }
    let listing = tree.list(below).map_err(|error| format!("`{below}`: {error}"))?;
    let is_something = has_skill(&listing.entries) || !manifests_of(below, &listing.entries).is_empty();
    let zone = if is_something { Zone::Inside } else { zone };
    for entry in listing.entries {
        let path = join(below, &entry.name);
        match entry.kind {
            TreeEntryKind::LinkedDirectory if zone == Zone::Between => {}
            TreeEntryKind::Directory | TreeEntryKind::LinkedDirectory => {
                let is_hidden = below.is_empty() && entry.name.starts_with('.');
                let is_foreign = below.is_empty() && NO_PLUGINS.contains(&entry.name.as_str());
                if entry.name != ".git" && !is_hidden && !is_foreign {
                    collect(tree, &path, depth + 1, zone, left, files)?;
                }
            }
            TreeEntryKind::File => {
                let (bytes, executable) = tree.read_file(&path, *left).map_err(|error| match error {
                    TreeError::Absent => format!("`{path}` is gone"),
                    TreeError::Unusable(reason) => format!("`{path}`: {reason}"),
                })?;
                *left -= bytes.len() as u64;
                files.push(SkillFile { path, bytes, executable });
                if files.len() > MAX_ENTRIES {
                    return Err(format!("it has more than {MAX_ENTRIES} files"));
                }
            }
        }
    }
    Ok(())
}
