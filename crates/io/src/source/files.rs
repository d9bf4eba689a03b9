//! Collection of all files of a skill that is to be installed.

use symposium_model::sync::SkillFile;

use super::tree::{SourceTree, TreeEntryKind, join};
use super::walk::{SkillWalk, WalkLimits};

const MAX_FILES: usize = 1_000;

const MAX_BYTES: u64 = 64 * 1024 * 1024;

const MAX_DIRECTORIES: usize = 1_000;

const MAX_DEPTH: usize = 8;

/// Reads every file below a skill's directory. Links inside the source are copied as their targets.
pub fn skill_files(tree: &dyn SourceTree, directory: &str) -> Result<Vec<SkillFile>, String> {
    let mut walk = SkillWalk::new(WalkLimits { directories: MAX_DIRECTORIES, files: MAX_FILES, bytes: MAX_BYTES });
    collect(tree, directory, "", 0, &mut walk)?;
    Ok(walk.files)
}

fn collect(
    tree: &dyn SourceTree,
    directory: &str,
    below: &str,
    depth: usize,
    walk: &mut SkillWalk,
) -> Result<(), String> {
    walk.enter()?;
    let listing = tree.list(&join(directory, below)).map_err(|error| error.to_string())?;
    if let Some((name, reason)) = listing.left_out.first() {
        return Err(format!("`{}` is {reason}", join(below, name)));
    }
    for entry in listing.entries {
        let path = join(below, &entry.name);
        match entry.kind {
            TreeEntryKind::Directory | TreeEntryKind::LinkedDirectory if depth == MAX_DEPTH => {
                return Err(format!("`{path}` is more than {MAX_DEPTH} directories deep"));
            }
            TreeEntryKind::Directory | TreeEntryKind::LinkedDirectory => {
                collect(tree, directory, &path, depth + 1, walk)?;
            }
            TreeEntryKind::File => {
                walk.take(tree, &join(directory, &path), path)?;
                walk.count()?;
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
        let few = LayeredTree::new(3, 5);
        assert_eq!(skill_files(&few, "").map(|files| files.len()), Ok(1));
        let many = LayeredTree::new(6, 5);
        let refused = skill_files(&many, "").unwrap_err();
        assert!(refused.contains("more than 1000 directories"), "{refused}");
        assert!(many.listed.get() <= 1000, "{}", many.listed.get());
    }
}
