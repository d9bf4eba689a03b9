//! A skill that moves on from what is locked, with what it was.

use symposium_io::source::{DirectoryTree, skill_files};
use symposium_model::catalog::LoadedSource;
use symposium_model::config::SourceKind;
use symposium_model::lockfile::{LockedExtension, SourcePin};
use symposium_model::plugin_index::identify_plugins;
use symposium_model::sync::SkillTree;

use crate::ops::catalog::pinned_source::CopyChooser;
use crate::ops::lockfile_state::vendored;

#[derive(Debug)]
pub(crate) struct MovedSkill {
    pub(crate) name: String,
    pub(crate) before: SkillTree,
    pub(crate) after: SkillTree,
}

/// A skill as the lock names it, when that is still at hand: vendored, or in the cache.
pub(super) fn earlier(chooser: &CopyChooser<'_>, source: &LoadedSource, old: &LockedExtension) -> Option<SkillTree> {
    let vendored = chooser.root.map(|root| vendored(root, &old.source));
    let cached = match (&source.spec.kind, chooser.lock.pin(&old.source)) {
        (SourceKind::Git { address, .. }, Some(SourcePin::Git { commit, .. })) => {
            chooser.cache.copy_of(address, commit)
        }
        (SourceKind::Index { address, .. }, Some(SourcePin::Index { plugins, .. })) => {
            chooser.indexes.copy_of(address, identify_plugins(plugins).as_str())
        }
        (_, Some(_) | None) => None,
    };
    let cached = cached.map(|copy| copy.directory);
    let directory = old.path.rsplit_once('/').map_or("", |(directory, _)| directory);
    vendored.into_iter().chain(cached).find_map(|copy| {
        let files = skill_files(&DirectoryTree::open(&copy).ok()?, directory).ok()?;
        Some(SkillTree::new(files)).filter(|tree| tree.fingerprint() == old.sha256)
    })
}
