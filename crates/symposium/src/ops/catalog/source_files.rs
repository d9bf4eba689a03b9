//! The files of sources, wherever they lie: in the program, in a directory, in a copy, in a crate.

use std::path::Path;

use symposium_io::source::{DirectoryTree, EmbeddedFile, EmbeddedTree, SourceTree, unpack};
use symposium_model::catalog::{LoadedSkill, LoadedSource};
use symposium_model::config::{AppDirectories, SourceKind};

pub(crate) fn embedded() -> EmbeddedTree {
    let files = symposium_builtin::FILES.iter();
    EmbeddedTree::new(files.map(|file| EmbeddedFile { path: file.path, bytes: file.bytes }).collect())
}

/// Returns the directory of a source's files; `None` for embedded sources and repositories without a checkout.
pub(crate) fn root_of(source: &LoadedSource) -> Option<&Path> {
    match (&source.spec.kind, &source.copy) {
        (_, Some(copy)) => Some(&copy.directory),
        (SourceKind::UserPlugins(path) | SourceKind::Path(path), None) => Some(path),
        (SourceKind::Crate(place), None) => Some(&place.directory),
        (SourceKind::Workspace(places), None) => Some(&places.root),
        (SourceKind::Git { .. } | SourceKind::Index { .. } | SourceKind::Embedded, None) => None,
    }
}

/// The files of a source that was read, to read more of them.
pub(crate) fn tree_of(source: &LoadedSource) -> Option<Box<dyn SourceTree>> {
    if source.spec.kind == SourceKind::Embedded {
        return Some(Box::new(embedded()));
    }
    let tree = DirectoryTree::open(root_of(source)?).ok()?;
    Some(Box::new(tree))
}

pub(crate) fn tree_of_skill(source: &LoadedSource, skill: &LoadedSkill) -> Option<Box<dyn SourceTree>> {
    match &skill.elsewhere {
        Some(directory) => DirectoryTree::open(directory).ok().map(|tree| Box::new(tree) as Box<dyn SourceTree>),
        None => tree_of(source),
    }
}

/// Returns the path where an agent can read a file of a source. Embedded files are unpacked for that; if this fails,
/// the path inside the program is returned.
pub(crate) fn path_on_disk(directories: &AppDirectories, source: &LoadedSource, path: &str, shown: &str) -> String {
    if source.spec.kind != SourceKind::Embedded {
        return shown.to_owned();
    }
    let parent = directories.plugin_sources();
    match unpack(&embedded(), symposium_builtin::FINGERPRINT, &parent, path) {
        Ok(file) => file.display().to_string(),
        Err(error) => {
            tracing::warn!(%error, "the embedded source could not be written to disk");
            shown.to_owned()
        }
    }
}
