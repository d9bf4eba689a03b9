//! The set of crates a workspace depends on, with their versions and the paths from a member to each.

use std::collections::VecDeque;
use std::path::PathBuf;

use semver::Version;

use super::name::CrateName;
use super::origin::CrateOrigin;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VersionCertainty {
    Locked,
    /// Not in Cargo.lock: the lowest version the manifest allows, or the one a path dependency declares.
    Assumed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DependencyKind {
    Normal,
    Dev,
    Build,
}

/// A dependency that a workspace member declares itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectUse {
    pub member: String,
    /// `Normal` when the member's manifest could not be read.
    pub kind: DependencyKind,
    /// The `cfg(…)` or target triple it is limited to.
    pub target: Option<String>,
    pub optional: bool,
    /// The name the member uses for the crate, when it is not the crate's own.
    pub renamed: Option<String>,
    /// The version requirement as written, `*` when there is none; `None` when no manifest that was read declares the
    /// dependency.
    pub requirement: Option<String>,
}

/// A crate the workspace depends on, at one version; not necessarily in Cargo.lock (see `certainty`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedCrate {
    pub name: CrateName,
    pub version: Version,
    pub certainty: VersionCertainty,
    pub origin: CrateOrigin,
    /// The members that declare it; empty when it is needed only through other crates.
    pub uses: Vec<DirectUse>,
}

impl LockedCrate {
    pub fn is_direct(&self) -> bool {
        !self.uses.is_empty()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceMember {
    pub name: CrateName,
    /// 0.0.0 when its manifest has none, as in cargo.
    pub version: Version,
    /// The directory of its manifest, when that was read.
    pub directory: Option<PathBuf>,
}

/// The condition of the workspace's Cargo.lock; unless it is present, every version is assumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CargoLockState {
    Present,
    Absent,
    Broken,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DependencyScope {
    Direct,
    Transitive,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DependencyStep {
    pub name: CrateName,
    pub version: Version,
}

/// Every crate a workspace depends on, ordered by name, then version; and its members, ordered by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrateSet {
    crates: Vec<LockedCrate>,
    /// For each of `crates`, the positions of the crates it needs.
    needs: Vec<Vec<usize>>,
    members: Vec<WorkspaceMember>,
    member_needs: Vec<Vec<usize>>,
    lock: CargoLockState,
}

pub type WithNeeds<T> = (T, Vec<usize>);

impl CrateSet {
    pub fn empty() -> Self {
        Self::assemble(Vec::new(), Vec::new(), CargoLockState::Absent)
    }

    /// Sorts crates and members; the needs are positions in `crates` as given.
    pub fn assemble(
        crates: Vec<WithNeeds<LockedCrate>>,
        mut members: Vec<WithNeeds<WorkspaceMember>>,
        lock: CargoLockState,
    ) -> Self {
        let mut numbered: Vec<(usize, WithNeeds<LockedCrate>)> = crates.into_iter().enumerate().collect();
        numbered.sort_by(|(_, (a, _)), (_, (b, _))| {
            (&a.name, &a.version, &a.origin, a.name.as_str()).cmp(&(&b.name, &b.version, &b.origin, b.name.as_str()))
        });
        let mut moved_to = vec![usize::MAX; numbered.len()];
        for (now, (before, _)) in numbered.iter().enumerate() {
            if let Some(slot) = moved_to.get_mut(*before) {
                *slot = now;
            }
        }
        let renumber = |needs: Vec<usize>| -> Vec<usize> {
            let mut needs: Vec<usize> = needs.into_iter().filter_map(|before| moved_to.get(before).copied()).collect();
            needs.sort_unstable();
            needs.dedup();
            needs
        };
        members.sort_by(|(a, _), (b, _)| (&a.name, &a.version, &a.directory).cmp(&(&b.name, &b.version, &b.directory)));
        let (members, member_needs) = members.into_iter().map(|(member, needs)| (member, renumber(needs))).unzip();
        let (crates, needs) = numbered.into_iter().map(|(_, (krate, needs))| (krate, renumber(needs))).unzip();
        Self { crates, needs, members, member_needs, lock }
    }

    pub(super) fn take_apart(self) -> (Vec<WithNeeds<LockedCrate>>, Vec<WithNeeds<WorkspaceMember>>, CargoLockState) {
        let crates = self.crates.into_iter().zip(self.needs).collect();
        let members = self.members.into_iter().zip(self.member_needs).collect();
        (crates, members, self.lock)
    }

    pub fn crates(&self) -> &[LockedCrate] {
        &self.crates
    }

    /// Returns the positions in [`Self::crates`] of the crates that a crate needs.
    pub fn needs(&self, position: usize) -> &[usize] {
        self.needs.get(position).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the positions in [`Self::crates`] of the crates that a member needs, by its position in
    /// [`Self::members`].
    pub fn member_needs(&self, position: usize) -> &[usize] {
        self.member_needs.get(position).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the versions of the named crate within the scope, lowest first.
    pub fn versions(&self, name: &CrateName, scope: DependencyScope) -> impl Iterator<Item = &LockedCrate> {
        let start = self.crates.partition_point(|krate| krate.name < *name);
        let named = self.crates.iter().skip(start).take_while(move |krate| krate.name == *name);
        named.filter(move |krate| match scope {
            DependencyScope::Direct => krate.is_direct(),
            DependencyScope::Transitive => true,
        })
    }

    pub fn has(&self, name: &str) -> bool {
        self.crates.binary_search_by(|krate| krate.name.cmp_text(name)).is_ok()
    }

    pub fn members(&self) -> &[WorkspaceMember] {
        &self.members
    }

    pub fn is_member(&self, name: &CrateName) -> bool {
        self.members.binary_search_by(|member| member.name.cmp(name)).is_ok()
    }

    pub fn lock(&self) -> CargoLockState {
        self.lock
    }

    /// Returns the shortest path from a member to the crate, both included; `None` when the crate is not in the set.
    pub fn path_to(&self, name: &CrateName, version: &Version) -> Option<Vec<DependencyStep>> {
        let wanted =
            |at: usize| self.crates.get(at).is_some_and(|krate| krate.name == *name && krate.version == *version);
        /// The node from which a crate was first reached.
        #[derive(Clone, Copy)]
        enum VisitOrigin {
            Unvisited,
            Member(usize),
            Crate(usize),
        }
        let mut reached = vec![VisitOrigin::Unvisited; self.crates.len()];
        let mut queue = VecDeque::new();
        let mut visit = |at: usize, from: VisitOrigin, queue: &mut VecDeque<usize>| {
            if let Some(slot @ VisitOrigin::Unvisited) = reached.get_mut(at) {
                *slot = from;
                queue.push_back(at);
            }
        };
        for (member, needs) in self.member_needs.iter().enumerate() {
            for &at in needs {
                visit(at, VisitOrigin::Member(member), &mut queue);
            }
        }
        let mut found = None;
        while let Some(at) = queue.pop_front() {
            if wanted(at) {
                found = Some(at);
                break;
            }
            for &next in self.needs.get(at)? {
                visit(next, VisitOrigin::Crate(at), &mut queue);
            }
        }
        let mut at = found?;
        let mut path = Vec::new();
        loop {
            let krate = self.crates.get(at)?;
            path.push(DependencyStep { name: krate.name.clone(), version: krate.version.clone() });
            match reached.get(at)? {
                VisitOrigin::Unvisited => return None,
                VisitOrigin::Crate(before) => at = *before,
                VisitOrigin::Member(member) => {
                    let member = self.members.get(*member)?;
                    path.push(DependencyStep { name: member.name.clone(), version: member.version.clone() });
                    path.reverse();
                    return Some(path);
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "set_tests.rs"]
mod tests;
