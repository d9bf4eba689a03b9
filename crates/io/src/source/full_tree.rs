//! Collection of all files of a source with links followed, as pinned by a lockfile and vendored into a project.

use symposium_model::sync::{ContentFingerprint, SkillTree};

use super::contents::{self, MAX_BYTES, MAX_DIRECTORIES, MAX_ENTRIES};
use super::discover::{has_skill, manifests_of};
use super::tree::{SourceTree, TreeEntryKind, join};
use super::walk::{SkillWalk, WalkLimits};

/// Each plugin of an index has a directory around what was fetched.
const MAX_DEPTH: usize = contents::MAX_DEPTH + 1;

const NO_PLUGINS: [&str; 2] = ["target", "node_modules"];

/// Reads every file of a source. `Err` says why it is too large, or which file cannot be read.
pub fn whole_source(tree: &dyn SourceTree) -> Result<SkillTree, String> {
    let mut walk = SkillWalk::new(WalkLimits { directories: MAX_DIRECTORIES, files: MAX_ENTRIES, bytes: MAX_BYTES });
    collect(tree, "", 0, LinkZone::Between, &mut walk)?;
    Ok(SkillTree::new(walk.files))
}

pub fn whole_fingerprint(tree: &dyn SourceTree) -> Result<ContentFingerprint, String> {
    whole_source(tree).map(|whole| whole.fingerprint())
}

/// The position of a directory relative to plugins. Between plugins, links to directories are not followed, because
/// their targets are found at their own paths.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LinkZone {
    Between,
    Inside,
}

fn collect(
    tree: &dyn SourceTree,
    below: &str,
    depth: usize,
    zone: LinkZone,
    walk: &mut SkillWalk,
) -> Result<(), String> {
    let it_has = |reason: String| format!("it has {reason}");
    walk.enter().map_err(it_has)?;
    if depth > MAX_DEPTH {
        return Err(format!("`{below}` is more than {MAX_DEPTH} directories deep"));
    }
    let listing = tree.list(below).map_err(|error| format!("`{below}`: {error}"))?;
    let is_something = has_skill(&listing.entries) || !manifests_of(below, &listing.entries).is_empty();
    let zone = if is_something { LinkZone::Inside } else { zone };
    for entry in listing.entries {
        let path = join(below, &entry.name);
        match entry.kind {
            TreeEntryKind::LinkedDirectory if zone == LinkZone::Between => {}
            TreeEntryKind::Directory | TreeEntryKind::LinkedDirectory => {
                let is_hidden = below.is_empty() && entry.name.starts_with('.');
                let is_foreign = below.is_empty() && NO_PLUGINS.contains(&entry.name.as_str());
                if entry.name != ".git" && !is_hidden && !is_foreign {
                    collect(tree, &path, depth + 1, zone, walk)?;
                }
            }
            TreeEntryKind::File => {
                walk.take(tree, &join(below, &entry.name), path)?;
                walk.count().map_err(it_has)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::layers::LayeredTree;
    use super::*;

    #[test]
    fn links_that_lead_to_the_same_again_and_again_are_too_many() {
        assert_eq!(whole_source(&LayeredTree::new(8, 2)).map(|whole| whole.files().len()), Ok(1));
        let many = LayeredTree::new(16, 2);
        let refused = whole_source(&many).unwrap_err();
        assert!(refused.contains("more than 20000 directories"), "{refused}");
        assert!(many.listed.get() <= 20_000, "{}", many.listed.get());
    }
}
