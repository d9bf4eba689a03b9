//! The cache of sources, which makes loading an unchanged source cheap.

use std::path::{Path, PathBuf};

use symposium_io::source::{SourceMemory, SourceTree, load_relevant, load_source};
use symposium_io::state_file::keep;
use symposium_io::{clock, fs};
use symposium_model::catalog::{LoadedSource, RelevantCrates};
use symposium_model::config::{AppDirectories, SourceKind, SourceSpec};
use symposium_model::hook::hook_plan::hash;

/// A larger file is none of ours: 100 000 skills need a quarter of it.
pub(super) const MAX_INDEX: u64 = 128 * 1024 * 1024;

/// Whether what is remembered is brought up to date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CacheMode {
    /// The cache is renewed, by a command that writes anyway.
    Renew,
    /// It is used as far as it holds.
    LeaveAlone,
}

/// Reads what could apply of a source. Without a place to remember things, all of it is read.
pub(super) fn load(
    directories: &AppDirectories,
    spec: SourceSpec,
    tree: &dyn SourceTree,
    relevant: &RelevantCrates<'_>,
    upkeep: CacheMode,
) -> LoadedSource {
    let Some((file, about)) = place(directories, &spec, tree) else { return load_source(spec, tree) };
    let text = fs::read_text(&file, MAX_INDEX).unwrap_or_default();
    let memory = SourceMemory { text: &text, about: &about, now: clock::precisely() };
    let (source, renewed) = load_relevant(spec, tree, relevant, &memory);
    match (upkeep, renewed) {
        (CacheMode::Renew, Some(renewed)) => {
            if let Err(error) = keep(&file, &renewed) {
                tracing::warn!(%error, "failed to write the source cache");
            }
        }
        (CacheMode::Renew, None) | (CacheMode::LeaveAlone, _) => {}
    }
    source
}

/// The file for a source, and what it has to be about.
pub(super) fn place(
    directories: &AppDirectories,
    spec: &SourceSpec,
    tree: &dyn SourceTree,
) -> Option<(PathBuf, String)> {
    let directory = directories.index();
    let numbered = |path: &Path| directory.join(format!("{:016x}", hash(path.as_os_str().as_encoded_bytes())));
    let about = tree.shown("");
    let root = Path::new(&about);
    let file = match &spec.kind {
        SourceKind::Embedded => {
            return Some((directory.join("builtin"), format!("{about} {}", symposium_builtin::FINGERPRINT)));
        }
        SourceKind::UserPlugins(_) | SourceKind::Path(_) => numbered(root),
        // Every commit has a directory of its own, and takes the place of the one before.
        SourceKind::Git { .. } | SourceKind::Index { .. } => numbered(&root.parent()?.join(&spec.name)),
        // One manifest at most: nothing is saved.
        SourceKind::Crate(_) | SourceKind::Workspace(_) => return None,
    };
    // Of a name that is no text, not all is shown.
    let is_whole = !about.contains(|letter: char| letter.is_control() || letter == char::REPLACEMENT_CHARACTER);
    is_whole.then_some((file, about))
}
