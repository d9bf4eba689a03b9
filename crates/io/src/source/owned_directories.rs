//! Which directories of a source belong to manifests, so that nothing in them stands alone.

use std::collections::HashSet;

use symposium_model::catalog::LoadedSkill;
use symposium_model::config::inside;
use symposium_model::manifest::{ClaimedDirectories, DefaultSkills, Plugin};

use super::discover::FoundManifest;
use super::tree::{SourceTree, join};

/// The directories that belong to manifests: no skill in them stands alone, whatever became of the manifest.
#[derive(Debug, Default)]
pub(super) struct OwnedDirectories {
    directories: HashSet<String>,
    /// Whether a manifest may have named any other directory besides.
    unknown: bool,
}

impl OwnedDirectories {
    /// Tells what belongs to one manifest. In a directory that is all its own nobody looks for skills anyway.
    pub(super) fn by(
        tree: &dyn SourceTree,
        found: &FoundManifest,
        claims: &ClaimedDirectories,
        plugin: Option<&Plugin>,
    ) -> Self {
        let mut owned = Self::default();
        let is_alone = found.owns_directory && !found.directory.is_empty();
        match claims {
            ClaimedDirectories::Unknown => owned.unknown = !is_alone,
            ClaimedDirectories::Known(paths) => {
                let directories = paths.iter().filter_map(|path| group_directory(tree, &found.directory, path));
                owned.directories.extend(directories.filter(|at| !(is_alone && is_below(at, &found.directory))));
            }
        }
        let owns_source = found.owns_directory && found.directory.is_empty();
        // A manifest that says nothing but its name may stand above a directory of plugins.
        let is_plugin = |plugin: &Plugin| plugin.has_content() || plugin.default_skills == DefaultSkills::Refused;
        if owns_source && plugin.is_none_or(is_plugin) {
            owned.directories.insert(String::new());
        }
        owned
    }

    /// Adds the directories of another manifest.
    pub(super) fn add(&mut self, other: Self) {
        self.directories.extend(other.directories);
        self.unknown |= other.unknown;
    }

    /// Adds directories that are known from earlier.
    pub(super) fn add_known(&mut self, directories: impl IntoIterator<Item = String>) {
        self.directories.extend(directories);
    }

    /// Whether a directory is one of them, or lies in one.
    pub(super) fn has(&self, directory: &str) -> bool {
        let above = directory.match_indices('/').filter_map(|(at, _)| directory.get(..at));
        !self.directories.is_empty()
            && ["", directory].into_iter().chain(above).any(|owner| self.directories.contains(owner))
    }

    /// Whether a skill stands alone. Where a manifest cannot be read, one without a condition of its own may be that
    /// manifest's, and would apply everywhere without it.
    pub(super) fn leaves_alone(&self, skill: &LoadedSkill) -> bool {
        !self.unknown || !skill.conditions.is_empty()
    }

    pub(super) fn directories(&self) -> Vec<&str> {
        let mut directories: Vec<&str> = self.directories.iter().map(String::as_str).collect();
        directories.sort_unstable();
        directories
    }
}

/// A group's directory; `None` when it does not lie in the source.
pub(super) fn group_directory(tree: &dyn SourceTree, base: &str, path: &str) -> Option<String> {
    if path.starts_with('/') || path.contains('\\') {
        return None;
    }
    let directory = inside(&join(base, path))?.to_str()?.to_owned();
    (!tree.leads_out(&directory)).then_some(directory)
}

/// Whether a directory is another one, or lies in it.
pub(super) fn is_below(directory: &str, owner: &str) -> bool {
    directory.strip_prefix(owner).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_belongs_to_the_groups_above_it() {
        let mut owned = OwnedDirectories::default();
        assert!(!owned.has("a"));
        owned.add_known(["a/skills".to_owned(), "b".to_owned()]);
        for (directory, expected) in [
            ("a/skills", true),
            ("a/skills/x/y", true),
            ("a/skillset", false),
            ("a", false),
            ("b/c", true),
            ("bc", false),
        ] {
            assert_eq!(owned.has(directory), expected, "{directory}");
        }
        owned.add_known([String::new()]);
        assert!(owned.has("anything"));
    }
}
