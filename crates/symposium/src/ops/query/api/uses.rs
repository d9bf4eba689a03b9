//! Places in the workspace's own code that use items of a crate.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use symposium_api::{ApiChange, find_uses};
use symposium_io::cargo::CrateFiles;

use super::workspace::ApiWorkspace;

/// The most files and bytes that are looked through.
const MOST_FILES: usize = 20_000;
const MOST_BYTES: usize = 256 * 1024 * 1024;

/// A place in the workspace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ChangeUse {
    /// The file, from the workspace's root.
    pub(crate) file: String,
    pub(crate) line: usize,
}

/// Finds uses of changed items, by the path of the item.
pub(super) fn find_in_workspace(
    workspace: &ApiWorkspace<'_>,
    position: usize,
    changes: &[&ApiChange],
) -> BTreeMap<String, Vec<ChangeUse>> {
    let mut found: BTreeMap<String, Vec<ChangeUse>> = BTreeMap::new();
    let Some(krate) = workspace.locked.crates.crates().get(position) else { return found };
    let library = workspace.package(position).map(|package| package.code_name.clone()).unwrap_or_default();
    let members = workspace.locked.crates.members();
    let directories: Vec<&Path> = members.iter().filter_map(|member| member.directory.as_deref()).collect();
    let mut left = (MOST_FILES, MOST_BYTES);
    for own in members {
        let Some(directory) = own.directory.as_deref() else { continue };
        let uses = krate.uses.iter().filter(|use_of| use_of.member == own.name.as_str());
        let mut names: Vec<String> =
            uses.map(|use_of| use_of.renamed.as_deref().unwrap_or(&library).replace('-', "_")).collect();
        names.sort_unstable();
        names.dedup();
        let Ok(files) = CrateFiles::open(directory, workspace.roots()) else { continue };
        if names.is_empty() {
            continue;
        }
        for file in files.list().into_iter().filter(|file| file.path.strip_suffix(".rs").is_some()) {
            let path = directory.join(&file.path);
            if is_of_other(&path, directory, &directories) || left.0 == 0 {
                continue;
            }
            left.0 -= 1;
            let text = files.read(&file.path).unwrap_or_default();
            left.1 = left.1.saturating_sub(text.len());
            if left.1 == 0 {
                return found;
            }
            for name in &names {
                for place in find_uses(&text, name, changes) {
                    let file = shown(&path, workspace.root);
                    found.entry(place.path).or_default().push(ChangeUse { file, line: place.line });
                }
            }
        }
    }
    for places in found.values_mut() {
        places.sort();
        places.dedup();
    }
    found
}

/// Says whether a file is in the directory of another member inside this one.
fn is_of_other(path: &Path, own: &Path, members: &[&Path]) -> bool {
    members.iter().any(|other| *other != own && other.starts_with(own) && path.starts_with(other))
}

fn shown(path: &Path, root: &Path) -> String {
    let shown: PathBuf = path.strip_prefix(root).unwrap_or(path).to_owned();
    shown.display().to_string()
}
