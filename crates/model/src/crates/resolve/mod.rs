//! Resolution of a workspace's crates from its manifests and its Cargo.lock.

mod direct;
mod input;
mod lock_index;
mod stale;

pub use input::{LockInput, ManifestFile, ReadCompleteness, WorkspaceInput};

use std::collections::HashMap;

use semver::Version;

use self::direct::{AssumedCrate, DependencyTarget, ResolveContext};
use self::input::LoadedPackage;
use self::lock_index::LockIndex;
use self::stale::LockMismatches;
use crate::crates::name::CrateName;
use crate::crates::origin::CrateOrigin;
use crate::crates::set::{
    CargoLockState, CrateSet, DirectUse, LockedCrate, VersionCertainty, WithNeeds, WorkspaceMember,
};
use crate::diagnostic::Diagnostic;

/// Resolves a workspace.
///
/// The manifests decide on what the members depend, Cargo.lock on the versions and on the dependencies of those. A
/// version that Cargo.lock lacks is assumed; a package that the manifests no longer need is left out.
pub fn resolve(workspace: &WorkspaceInput<'_>) -> (CrateSet, Vec<Diagnostic>) {
    let packages = match workspace.lock {
        LockInput::Present { lockfile, .. } => lockfile.packages.as_slice(),
        LockInput::Absent | LockInput::Broken => &[],
    };
    let index = LockIndex::new(packages);
    let members = workspace.member_packages();
    let neighbours = workspace.neighbour_packages();
    let mut graph = CrateGraph::new(workspace, &index, &members, &neighbours);
    graph.connect_members();
    graph.adopt_members_of_lock();
    let set = graph.take_set();
    let CrateGraph { mut findings, stale, .. } = graph;
    if let LockInput::Present { path, lockfile } = workspace.lock {
        findings.extend(stale.findings(path, lockfile.format));
    }
    (set, findings)
}

/// A node of the dependency graph: the position of a package in Cargo.lock, or beyond those of an assumed crate.
type CrateNode = usize;

struct CrateGraph<'a> {
    around: ResolveContext<'a>,
    lock: CargoLockState,
    assumed: Vec<AssumedCrate>,
    assumed_named: HashMap<String, Vec<usize>>,
    /// For each package of Cargo.lock, its position in `members` if it is one.
    member_of: Vec<Option<usize>>,
    members: Vec<WorkspaceMember>,
    member_needs: Vec<Vec<CrateNode>>,
    uses: HashMap<CrateNode, Vec<DirectUse>>,
    stale: LockMismatches,
    findings: Vec<Diagnostic>,
}

impl<'a> CrateGraph<'a> {
    fn new(
        workspace: &'a WorkspaceInput<'a>,
        index: &'a LockIndex<'a>,
        members: &'a [LoadedPackage<'a>],
        neighbours: &'a [LoadedPackage<'a>],
    ) -> Self {
        Self {
            around: ResolveContext { workspace, index, members, neighbours },
            lock: match workspace.lock {
                LockInput::Present { .. } => CargoLockState::Present,
                LockInput::Absent => CargoLockState::Absent,
                LockInput::Broken => CargoLockState::Broken,
            },
            assumed: Vec::new(),
            assumed_named: HashMap::new(),
            member_of: vec![None; index.len()],
            members: Vec::new(),
            member_needs: Vec::new(),
            uses: HashMap::new(),
            stale: LockMismatches::default(),
            findings: Vec::new(),
        }
    }

    /// Adds the members whose manifests were read.
    fn connect_members(&mut self) {
        for (position, package) in self.around.members.iter().enumerate() {
            let entry = self.lock_entry(package);
            match entry.and_then(|entry| self.member_of.get_mut(entry)) {
                Some(slot) => *slot = Some(position),
                None => {
                    self.stale.members.insert(package.name.to_string());
                }
            }
            let found = direct::dependencies(&self.around, package, entry, &mut self.stale, &mut self.findings);
            let mut needs = Vec::new();
            for (target, direct_use) in found {
                let node = self.node(target);
                needs.push(node);
                let uses = self.uses.entry(node).or_default();
                if !uses.contains(&direct_use) {
                    uses.push(direct_use);
                }
            }
            let name = package.name.clone();
            let version = package.version.clone().unwrap_or(Version::new(0, 0, 0));
            self.members.push(WorkspaceMember { name, version, directory: Some(package.file.directory.clone()) });
            self.member_needs.push(needs);
        }
    }

    /// Finds the package of Cargo.lock that is this member, even when its version has changed since.
    fn lock_entry(&self, member: &LoadedPackage<'_>) -> Option<usize> {
        let own = || self.around.index.named(member.name.as_str()).filter(|(_, package)| package.source.is_none());
        let same = own().find(|(_, package)| member.version.as_ref() == Some(&package.version));
        same.or_else(|| own().next().filter(|_| own().count() == 1)).map(|(at, _)| at)
    }

    /// Adds packages of Cargo.lock that have no source and no manifest as members, when not every manifest could be
    /// read.
    fn adopt_members_of_lock(&mut self) {
        match self.around.workspace.coverage {
            ReadCompleteness::Complete => return,
            ReadCompleteness::Partial => {}
        }
        for (at, package) in self.around.index.iter() {
            let claimed = self.member_of.get(at).is_some_and(Option::is_some);
            if package.source.is_some() || claimed || self.directory_of(&package.name, &package.version).is_some() {
                continue;
            }
            let Some(name) = CrateName::parse(&package.name) else { continue };
            let needs = self.around.index.needs(at, &mut self.stale.dangling);
            for &node in &needs {
                self.uses.entry(node).or_default().push(direct::plain_use(&package.name));
            }
            if let Some(slot) = self.member_of.get_mut(at) {
                *slot = Some(self.members.len());
            }
            self.members.push(WorkspaceMember { name, version: package.version.clone(), directory: None });
            self.member_needs.push(needs);
        }
    }

    fn node(&mut self, target: DependencyTarget) -> CrateNode {
        match target {
            DependencyTarget::Locked(at) => at,
            DependencyTarget::Assumed(krate) => {
                let named = self.assumed_named.entry(krate.name.clone()).or_default();
                let same = |at: &&usize| self.assumed.get(**at) == Some(&krate);
                let position = named.iter().find(same).copied().unwrap_or(self.assumed.len());
                if position == self.assumed.len() {
                    named.push(position);
                    self.assumed.push(krate);
                }
                self.around.index.len() + position
            }
        }
    }

    /// Finds the directory of a package without a source, by the manifests that were read.
    fn directory_of(&self, name: &str, version: &Version) -> Option<&'a std::path::Path> {
        let all = self.around.members.iter().chain(self.around.neighbours);
        let mut named = all.filter(|package| package.name.as_str() == name);
        let fits = |package: &LoadedPackage<'_>| package.version.as_ref().is_none_or(|own| own == version);
        named.find(|package| fits(package)).map(|package| package.file.directory.as_path())
    }

    fn take_set(&mut self) -> CrateSet {
        let count = self.around.index.len() + self.assumed.len();
        let mut reached: Vec<Option<Vec<CrateNode>>> = vec![None; count];
        let mut waiting: Vec<CrateNode> = self.member_needs.iter().flatten().copied().collect();
        while let Some(node) = waiting.pop() {
            if !reached.get(node).is_some_and(Option::is_none) {
                continue;
            }
            let needs = self.needs(node);
            waiting.extend(&needs);
            if let Some(place) = reached.get_mut(node) {
                *place = Some(needs);
            }
        }
        // The order of Cargo.lock is nearly the final one, so that sorting takes no time.
        let mut place = vec![None; count];
        let mut crates: Vec<WithNeeds<LockedCrate>> = Vec::new();
        for (node, needs) in reached.into_iter().enumerate() {
            let Some((krate, needs)) = needs.and_then(|needs| Some((self.krate(node)?, needs))) else { continue };
            if let Some(place) = place.get_mut(node) {
                *place = Some(crates.len());
            }
            crates.push((krate, needs));
        }
        let renumber = |needs: Vec<CrateNode>| -> Vec<usize> {
            needs.into_iter().filter_map(|node| place.get(node).copied().flatten()).collect()
        };
        let crates = crates.into_iter().map(|(krate, needs)| (krate, renumber(needs))).collect();
        let members = std::mem::take(&mut self.members).into_iter();
        let members = members.zip(std::mem::take(&mut self.member_needs));
        CrateSet::assemble(crates, members.map(|(member, needs)| (member, renumber(needs))).collect(), self.lock)
    }

    fn needs(&mut self, node: CrateNode) -> Vec<CrateNode> {
        let member = match self.member_of.get(node) {
            Some(member) => *member,
            None => self.assumed_at(node).and_then(|krate| krate.member),
        };
        match member.and_then(|member| self.member_needs.get(member)) {
            Some(needs) => needs.clone(),
            None => self.around.index.needs(node, &mut self.stale.dangling),
        }
    }

    fn assumed_at(&self, node: CrateNode) -> Option<&AssumedCrate> {
        self.assumed.get(node.checked_sub(self.around.index.len())?)
    }

    fn krate(&mut self, node: CrateNode) -> Option<LockedCrate> {
        let mut uses = self.uses.remove(&node).unwrap_or_default();
        uses.sort_by(|a, b| {
            (&a.member, a.kind, &a.target, &a.renamed).cmp(&(&b.member, b.kind, &b.target, &b.renamed))
        });
        if let Some(AssumedCrate { name, version, origin, .. }) = self.assumed_at(node) {
            let (version, origin) = (version.clone(), origin.clone());
            return Some(LockedCrate {
                name: CrateName::parse(name)?,
                version,
                certainty: VersionCertainty::Assumed,
                origin,
                uses,
            });
        }
        let package = self.around.index.get(node)?;
        let Some(name) = CrateName::parse(&package.name) else {
            self.stale.bad_names.insert(package.name.to_string());
            return None;
        };
        let member = self.member_of.get(node).copied().flatten().and_then(|member| self.members.get(member));
        let version = member.map_or(&package.version, |member| &member.version).clone();
        let origin = match &package.source {
            Some(source) => CrateOrigin::of_lock_source(source),
            None => CrateOrigin::Path { directory: self.directory_of(&package.name, &version).map(ToOwned::to_owned) },
        };
        Some(LockedCrate { name, version, certainty: VersionCertainty::Locked, origin, uses })
    }
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
