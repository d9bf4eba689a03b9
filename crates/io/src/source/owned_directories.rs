//! The directories of a source that belong to manifests, so that no skill in them counts as a plugin of its own.

use std::collections::HashSet;
use std::ffi::OsStr;

use symposium_model::catalog::LoadedSkill;
use symposium_model::config::inside;
use symposium_model::manifest::{ClaimedDirectories, DefaultSkills, Plugin};

use super::discover::FoundManifest;
use super::tree::{SourceTree, join};

#[derive(Debug, Default)]
pub(super) struct OwnedDirectories {
    directories: HashSet<String>,
    /// True if an unreadable manifest may have named further directories.
    unknown: bool,
}

impl OwnedDirectories {
    /// Determines the directories of one manifest. A directory that belongs to it alone is not searched for skills
    /// anyway.
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
                let directories = paths.iter().filter_map(|path| named_directory(&found.directory, path));
                let others = directories.filter(|at| !(is_alone && is_below(at, &found.directory)));
                owned.directories.extend(others.filter(|at| !tree.leads_out(at)));
            }
        }
        let owns_source = found.owns_directory && found.directory.is_empty();
        // A manifest with nothing but a name may be above a directory of plugins.
        let is_plugin = |plugin: &Plugin| plugin.has_content() || plugin.default_skills == DefaultSkills::Refused;
        if owns_source && plugin.is_none_or(is_plugin) {
            owned.directories.insert(String::new());
        }
        owned
    }

    pub(super) fn add(&mut self, other: Self) {
        self.directories.extend(other.directories);
        self.unknown |= other.unknown;
    }

    pub(super) fn add_known(&mut self, directories: impl IntoIterator<Item = String>) {
        self.directories.extend(directories);
    }

    /// Returns true if a directory is one of them, or is below one.
    pub(super) fn has(&self, directory: &str) -> bool {
        let above = directory.match_indices('/').filter_map(|(at, _)| directory.get(..at));
        !self.directories.is_empty()
            && ["", directory].into_iter().chain(above).any(|owner| self.directories.contains(owner))
    }

    /// Returns true if a skill counts as a plugin of its own. If a manifest cannot be read, a skill without a condition
    /// may belong to it, and would apply everywhere without it.
    pub(super) fn leaves_alone(&self, skill: &LoadedSkill) -> bool {
        !self.unknown || !skill.conditions.is_empty()
    }

    pub(super) fn directories(&self) -> Vec<&str> {
        let mut directories: Vec<&str> = self.directories.iter().map(String::as_str).collect();
        directories.sort_unstable();
        directories
    }
}

/// Returns the directory of a group; `None` when it is not in the source.
pub(super) fn group_directory(tree: &dyn SourceTree, base: &str, path: &str) -> Option<String> {
    named_directory(base, path).filter(|directory| !tree.leads_out(directory))
}

/// Returns the directory that a path in a manifest names; `None` when the path leads out of the source.
fn named_directory(base: &str, path: &str) -> Option<String> {
    if path.starts_with('/') || path.contains('\\') {
        return None;
    }
    let named = inside(&join(base, path))?;
    // Paths in a source are written with `/` on every system.
    Some(named.iter().map(OsStr::to_str).collect::<Option<Vec<_>>>()?.join("/"))
}

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
