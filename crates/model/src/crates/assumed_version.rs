//! Hypothetical variants of a workspace's crates: a crate at another version, or a member as a dependency.

use semver::Version;

use super::CrateName;
use super::origin::CrateOrigin;
use super::set::{CrateSet, DependencyKind, DirectUse, LockedCrate, VersionCertainty, WithNeeds};

impl CrateSet {
    /// Returns the same workspace with the crate as a direct dependency, at this version only.
    #[must_use]
    pub fn assuming(&self, name: &CrateName, version: Version) -> Self {
        let known = self.crates().iter().find(|krate| krate.name == *name);
        let origin = known.map_or(CrateOrigin::Registry { source: None }, |krate| krate.origin.clone());
        self.depending_on(name, version, VersionCertainty::Assumed, origin)
    }

    /// Returns the same workspace with one of its own packages as a direct dependency, as a user of that package has
    /// it; `None` when no package has the name.
    #[must_use]
    pub fn using_member(&self, name: &CrateName) -> Option<Self> {
        let member = self.members().iter().find(|member| member.name == *name)?;
        let origin = CrateOrigin::Path { directory: member.directory.clone() };
        Some(self.depending_on(name, member.version.clone(), VersionCertainty::Locked, origin))
    }

    fn depending_on(
        &self,
        name: &CrateName,
        version: Version,
        certainty: VersionCertainty,
        origin: CrateOrigin,
    ) -> Self {
        let (crates, mut members, lock) = self.clone().take_apart();
        let is_it = |krate: &LockedCrate| krate.name == *name;
        let mut uses: Vec<DirectUse> =
            crates.iter().filter(|(krate, _)| is_it(krate)).flat_map(|(krate, _)| krate.uses.clone()).collect();
        if uses.is_empty() {
            let member = members.first().map_or_else(String::new, |(member, _)| member.name.to_string());
            uses.push(DirectUse {
                member,
                kind: DependencyKind::Normal,
                target: None,
                optional: false,
                renamed: None,
                requirement: Some(version.to_string()),
            });
        }
        let only = LockedCrate { name: name.clone(), version, certainty, origin, uses };
        // The assumed version comes first and replaces every other version of the crate.
        let mut place_of = Vec::with_capacity(crates.len());
        let mut kept: Vec<WithNeeds<LockedCrate>> = vec![(only, Vec::new())];
        for (krate, needs) in crates {
            if is_it(&krate) {
                place_of.push(0);
            } else {
                place_of.push(kept.len());
                kept.push((krate, needs));
            }
        }
        let all_needs = kept.iter_mut().map(|(_, needs)| needs).chain(members.iter_mut().map(|(_, needs)| needs));
        for at in all_needs.flatten() {
            *at = place_of.get(*at).copied().unwrap_or(0);
        }
        if let Some((_, needs)) = members.first_mut() {
            needs.push(0);
        }
        Self::assemble(kept, members, lock)
    }
}

#[cfg(test)]
mod tests {
    use super::super::set::{CargoLockState, DependencyScope, WorkspaceMember};
    use super::*;

    #[test]
    fn the_assumed_version_takes_the_place_of_every_other() {
        let name = |text: &str| CrateName::parse(text).unwrap();
        let krate = |text: &str, version: Version| LockedCrate {
            name: name(text),
            version,
            certainty: VersionCertainty::Locked,
            origin: CrateOrigin::Registry { source: None },
            uses: Vec::new(),
        };
        let member = WorkspaceMember { name: name("demo"), version: Version::new(0, 1, 0), directory: None };
        let set = CrateSet::assemble(
            vec![
                (krate("a", Version::new(1, 0, 0)), vec![1]),
                (krate("rand", Version::new(0, 8, 5)), vec![]),
                (krate("rand", Version::new(0, 9, 1)), vec![]),
            ],
            vec![(member, vec![0, 2])],
            CargoLockState::Present,
        );
        let versions = |set: &CrateSet, crate_name| -> Vec<String> {
            set.versions(&name(crate_name), DependencyScope::Direct).map(|krate| krate.version.to_string()).collect()
        };
        let changed = set.assuming(&name("rand"), Version::new(0, 10, 0));
        assert_eq!(versions(&changed, "rand"), ["0.10.0"]);
        assert_eq!(changed.crates().len(), 2);
        assert_eq!(changed.path_to(&name("a"), &Version::new(1, 0, 0)).unwrap().len(), 2);

        let added = set.assuming(&name("hyper"), Version::new(1, 0, 0));
        assert_eq!(versions(&added, "hyper"), ["1.0.0"]);
        assert_eq!(added.crates().len(), 4);

        let own = set.using_member(&name("demo")).unwrap();
        assert_eq!(versions(&own, "demo"), ["0.1.0"]);
        assert_eq!(own.crates().len(), 4);
        assert!(set.using_member(&name("rand")).is_none(), "no package of the workspace");
        assert_eq!(versions(&CrateSet::empty().assuming(&name("x"), Version::new(1, 0, 0)), "x"), ["1.0.0"]);
    }
}
