//! All the files of a skill, for installing it.

use symposium_model::sync::SkillFile;

use super::tree::{Tree, TreeEntryKind, TreeError, join};

/// More files than this in one skill are not installed.
const MAX_FILES: usize = 1_000;

/// More bytes than this in one skill are not installed.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Deeper directories of a skill are not installed.
const MAX_DEPTH: usize = 8;

/// Reads every file below a skill's directory. Links inside the source are copied as what they stand for.
pub fn skill_files(tree: &dyn Tree, directory: &str) -> Result<Vec<SkillFile>, String> {
    let mut files = Vec::new();
    let mut left = MAX_BYTES;
    collect(tree, directory, "", 0, &mut left, &mut files)?;
    Ok(files)
}

fn collect(
    tree: &dyn Tree,
    directory: &str,
    below: &str,
    depth: usize,
    left: &mut u64,
    files: &mut Vec<SkillFile>,
) -> Result<(), String> {
    let listing = tree.list(&join(directory, below)).map_err(|error| error.to_string())?;
    if let Some((name, reason)) = listing.left_out.first() {
        return Err(format!("`{}` is {reason}", join(below, name)));
    }
    for entry in listing.entries {
        let path = join(below, &entry.name);
        match entry.kind {
            TreeEntryKind::Directory | TreeEntryKind::LinkedDirectory if depth == MAX_DEPTH => {
                return Err(format!("`{path}` lies more than {MAX_DEPTH} directories deep"));
            }
            TreeEntryKind::Directory | TreeEntryKind::LinkedDirectory => {
                collect(tree, directory, &path, depth + 1, left, files)?;
            }
            TreeEntryKind::File => {
                let (bytes, executable) =
                    tree.read_file(&join(directory, &path), *left).map_err(|error| match error {
                        TreeError::Absent => format!("`{path}` is gone"),
                        TreeError::Unusable(reason) => format!("`{path}`: {reason}"),
                    })?;
                *left -= bytes.len() as u64;
                files.push(SkillFile { path, bytes, executable });
                if files.len() > MAX_FILES {
                    return Err(format!("more than {MAX_FILES} files"));
                }
            }
        }
    }
    Ok(())
}
