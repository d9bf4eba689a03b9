//! The direct dependencies of one member: declared in its manifest, with the version that Cargo.lock has.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use semver::Version;

use super::input::{LoadedPackage, WorkspaceInput};
use super::lock_index::LockIndex;
use super::stale::LockMismatches;
use crate::crates::cargo_lock::LockedPackage;
use crate::crates::cargo_manifest::{DependencyDetail, DependencySource, ManifestDependency, PathBase, SourceFit};
use crate::crates::lexical_path;
use crate::crates::origin::{CrateOrigin, GitSource};
use crate::crates::requirement::VersionRequirement;
use crate::crates::set::{DependencyKind, DirectUse};
use crate::diagnostic::Diagnostic;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DependencyTarget {
    /// The position of a package in Cargo.lock.
    Locked(usize),
    Assumed(AssumedCrate),
}

/// A crate that is declared in a manifest and missing in Cargo.lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AssumedCrate {
    pub(super) name: String,
    pub(super) version: Version,
    pub(super) origin: CrateOrigin,
    pub(super) member: Option<usize>,
}

pub(super) struct ResolveContext<'a> {
    pub(super) workspace: &'a WorkspaceInput<'a>,
    pub(super) index: &'a LockIndex<'a>,
    pub(super) members: &'a [LoadedPackage<'a>],
    pub(super) neighbours: &'a [LoadedPackage<'a>],
}

pub(super) fn dependencies(
    around: &ResolveContext<'_>,
    member: &LoadedPackage<'_>,
    entry: Option<usize>,
    stale: &mut LockMismatches,
    findings: &mut Vec<Diagnostic>,
) -> Vec<(DependencyTarget, DirectUse)> {
    let needs = entry.map(|entry| MemberNeeds::new(around.index, entry, stale));
    let mut found = Vec::new();
    let mut declared: HashMap<String, Vec<_>> = HashMap::new();
    for dependency in &member.file.manifest.dependencies {
        let (detail, base) = detail(around, member, dependency, findings);
        let name = detail.package.as_deref().unwrap_or(&dependency.key).to_owned();
        let target = match around.locked(needs.as_ref(), &name, &detail) {
            Some((at, MentionOrigin::ByMember)) => DependencyTarget::Locked(at),
            Some((at, MentionOrigin::ByOthers)) => {
                // A member that is missing altogether is reported once, not once for each dependency.
                if needs.is_some() {
                    stale.missing(&name, member.name.as_str());
                }
                DependencyTarget::Locked(at)
            }
            None => {
                if needs.is_some() {
                    stale.missing(&name, member.name.as_str());
                }
                DependencyTarget::Assumed(around.assumed(&name, &detail, base, &member.file.directory))
            }
        };
        found.push((target, direct_use(member, dependency, &name, &detail.requirement)));
        declared.entry(name).or_default().push((dependency, detail));
    }
    let reached: BTreeSet<usize> = found.iter().filter_map(|(target, _)| target.position()).collect();
    let needs = needs.map(|needs| needs.all).unwrap_or_default();
    for (at, package) in needs.into_iter().filter(|(at, _)| !reached.contains(at)) {
        let same_name = declared.get(package.name.as_ref());
        // Two requirements of one name can both allow the higher version; one of them still uses the lower one.
        let mut fitting =
            same_name.into_iter().flatten().filter(|(_, detail)| detail.requirement.allows(&package.version));
        if let Some((dependency, detail)) = fitting.next() {
            let direct_use = direct_use(member, dependency, &package.name, &detail.requirement);
            found.push((DependencyTarget::Locked(at), direct_use));
        } else if member.file.manifest.skipped > 0 {
            found.push((DependencyTarget::Locked(at), plain_use(member.name.as_str())));
        } else if same_name.is_none() {
            stale.gone(&package.name, member.name.as_str());
        }
    }
    found
}

struct MemberNeeds<'a> {
    all: Vec<(usize, &'a LockedPackage<'a>)>,
    by_name: HashMap<&'a str, Vec<(usize, &'a LockedPackage<'a>)>>,
}

impl<'a> MemberNeeds<'a> {
    fn new(index: &LockIndex<'a>, entry: usize, stale: &mut LockMismatches) -> Self {
        let positions = index.needs(entry, &mut stale.dangling).into_iter();
        let all: Vec<_> = positions.filter_map(|at| index.get(at).map(|package| (at, package))).collect();
        let mut by_name: HashMap<&str, Vec<_>> = HashMap::new();
        for (at, package) in &all {
            by_name.entry(&package.name).or_default().push((*at, *package));
        }
        Self { all, by_name }
    }
}

impl DependencyTarget {
    fn position(&self) -> Option<usize> {
        match self {
            Self::Locked(at) => Some(*at),
            Self::Assumed(_) => None,
        }
    }
}

/// Returns the value of a dependency; one that inherits a missing entry allows any version, after a diagnostic.
fn detail<'a>(
    around: &ResolveContext<'a>,
    member: &LoadedPackage<'_>,
    dependency: &'a ManifestDependency,
    findings: &mut Vec<Diagnostic>,
) -> (Cow<'a, DependencyDetail>, PathBase) {
    if let Some((detail, base)) = dependency.detail(around.workspace.table) {
        return (Cow::Borrowed(detail), base);
    }
    let key = &dependency.key;
    let message = format!("`{key}` is inherited, but the workspace root has no dependency of that name");
    let help = format!("add `{key}` to `[workspace.dependencies]` of the workspace root");
    findings.push(Diagnostic::error(&member.file.path, message).help(help));
    let anything = DependencyDetail {
        package: None,
        requirement: VersionRequirement::any(),
        place: DependencySource::Registry,
        features: Vec::new(),
        default_features: None,
    };
    (Cow::Owned(anything), PathBase::Manifest)
}

fn direct_use(
    member: &LoadedPackage<'_>,
    dependency: &ManifestDependency,
    name: &str,
    requirement: &VersionRequirement,
) -> DirectUse {
    DirectUse {
        member: member.name.to_string(),
        kind: dependency.kind,
        target: dependency.target.clone(),
        optional: dependency.optional,
        renamed: (dependency.key != name).then(|| dependency.key.clone()),
        requirement: Some(requirement.to_string()),
    }
}

/// Makes a use that is known from Cargo.lock only.
pub(super) fn plain_use(member: &str) -> DirectUse {
    DirectUse {
        member: member.to_owned(),
        kind: DependencyKind::Normal,
        target: None,
        optional: false,
        renamed: None,
        requirement: None,
    }
}

#[derive(Clone, Copy)]
enum MentionOrigin {
    ByMember,
    ByOthers,
}

impl ResolveContext<'_> {
    fn locked(
        &self,
        needs: Option<&MemberNeeds<'_>>,
        name: &str,
        detail: &DependencyDetail,
    ) -> Option<(usize, MentionOrigin)> {
        let own = needs.and_then(|needs| needs.by_name.get(name)).into_iter().flatten().copied();
        if let Some(at) = best(own, detail) {
            return Some((at, MentionOrigin::ByMember));
        }
        // Cargo prefers a version it has locked already over one it has not.
        let same_place =
            self.index.named(name).filter(|(_, package)| source_fit(&detail.place, package) > SourceFit::Other);
        best(same_place, detail).map(|at| (at, MentionOrigin::ByOthers))
    }

    fn assumed(&self, name: &str, detail: &DependencyDetail, base: PathBase, directory: &Path) -> AssumedCrate {
        let lowest = detail.requirement.lowest();
        let (version, origin, member) = match &detail.place {
            DependencySource::Registry => (lowest, CrateOrigin::Registry { source: None }, None),
            DependencySource::Git(source) => (lowest, CrateOrigin::Git(GitSource::new(source)), None),
            DependencySource::Path(path) => {
                let base = match base {
                    PathBase::Manifest => directory,
                    PathBase::WorkspaceRoot => self.workspace.root,
                };
                let directory = lexical_path::normal(&base.join(path));
                let here = |package: &&LoadedPackage<'_>| package.file.directory == directory;
                let member = self.members.iter().position(|package| here(&package));
                let package = member.and_then(|at| self.members.get(at));
                let package = package.or_else(|| self.neighbours.iter().find(here));
                let version = package.and_then(|package| package.version.clone()).unwrap_or(lowest);
                (version, CrateOrigin::Path { directory: Some(directory) }, member)
            }
        };
        AssumedCrate { name: name.to_owned(), version, origin, member }
    }
}

/// Picks the candidate that fits best: the same source first, then the highest version.
fn best<'a>(
    candidates: impl Iterator<Item = (usize, &'a LockedPackage<'a>)>,
    detail: &DependencyDetail,
) -> Option<usize> {
    let fitting = candidates.filter(|(_, package)| detail.requirement.allows(&package.version));
    let (at, _) = fitting.max_by_key(|(_, package)| (source_fit(&detail.place, package), &package.version))?;
    Some(at)
}

fn source_fit(place: &DependencySource, package: &LockedPackage<'_>) -> SourceFit {
    let origin = package.source.as_deref().map(CrateOrigin::of_lock_source);
    place.fit(origin.as_ref())
}
