//! Collection of the packages of a workspace: the members that its root lists, and path dependencies inside and outside
//! of it.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use symposium_model::crates::cargo_manifest::{PackageVersion, PathBase, WorkspaceTable};
use symposium_model::crates::lexical_path;
use symposium_model::crates::member_pattern::MemberPattern;
use symposium_model::crates::resolve::{ManifestFile, ReadCompleteness};
use symposium_model::diagnostic::Diagnostic;

use super::glob_walk;
use super::manifest_file::{ManifestLookup, read_manifest};
use crate::fs;

const MANIFESTS: usize = 5_000;

pub(super) struct WorkspaceMembers {
    pub(super) root: ManifestFile,
    /// The root's own package comes first.
    pub(super) files: Vec<ManifestFile>,
    /// Packages that are no members: path dependencies and patches elsewhere.
    pub(super) neighbours: Vec<ManifestFile>,
    pub(super) coverage: ReadCompleteness,
    pub(super) findings: Vec<Diagnostic>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MemberReason {
    Listed,
    Fitting,
    MemberDependency,
    /// A patch, or a package that is no member, refers to it.
    Elsewhere,
}

pub(super) fn gather(root: ManifestFile) -> WorkspaceMembers {
    let mut members = WorkspaceMembers {
        root,
        files: Vec::new(),
        neighbours: Vec::new(),
        coverage: ReadCompleteness::Complete,
        findings: Vec::new(),
    };
    let mut queue = VecDeque::new();
    let mut seen = BTreeSet::from([members.root.directory.clone()]);
    let root = members.root.clone();
    members.adopt(root.clone(), &mut queue);
    members.expand_listed(&root, &mut queue);
    for path in &root.manifest.patched_paths {
        queue.push_back((lexical_path::normal(&root.directory.join(path)), MemberReason::Elsewhere));
    }
    while let Some((directory, reason)) = queue.pop_front() {
        // Two paths of one directory, as a link makes them, are one package.
        let identity = fs::canonical(&directory).unwrap_or_else(|_| directory.clone());
        if !seen.insert(identity) {
            continue;
        }
        if seen.len() > MANIFESTS {
            let message = format!("This workspace has more than {MANIFESTS} manifests; the others are not read");
            let help = "check the patterns in `[workspace] members`";
            members.findings.push(Diagnostic::error(&root.path, message).help(help));
            members.coverage = ReadCompleteness::Partial;
            break;
        }
        members.visit(&directory, reason, &mut queue);
    }
    members
}

type MemberQueue = VecDeque<(PathBuf, MemberReason)>;

impl WorkspaceMembers {
    pub(super) fn contains(&self, directory: &Path) -> bool {
        self.files.iter().any(|file| file.directory == directory)
    }

    fn table(&self) -> Option<&WorkspaceTable> {
        self.root.manifest.workspace.as_ref()
    }

    fn expand_listed(&mut self, root: &ManifestFile, queue: &mut MemberQueue) {
        let patterns = root.manifest.workspace.as_ref().map(|table| table.members.as_slice()).unwrap_or_default();
        for text in patterns {
            match MemberPattern::parse(text) {
                Some(MemberPattern::Directory(path)) => {
                    queue.push_back((lexical_path::normal(&root.directory.join(path)), MemberReason::Listed));
                }
                Some(MemberPattern::Pattern(segments)) => {
                    let walk = glob_walk::walk(&root.directory, &segments);
                    if walk.found.is_empty() {
                        let message = format!("No directory matches the workspace members `{text}`");
                        self.findings.push(Diagnostic::warning(&root.path, message).help("check the pattern"));
                    }
                    if walk.cut {
                        let message = format!("The workspace members `{text}` match too many directories");
                        let help = "use a more specific pattern";
                        self.findings.push(Diagnostic::error(&root.path, message).help(help));
                        self.coverage = ReadCompleteness::Partial;
                    }
                    if !walk.findings.is_empty() {
                        self.coverage = ReadCompleteness::Partial;
                    }
                    self.findings.extend(walk.findings);
                    queue.extend(walk.found.into_iter().map(|directory| (directory, MemberReason::Fitting)));
                }
                None => {
                    let message = format!("`{text}` in `members` is not a pattern");
                    let help = "close every `[`, write `**` alone between slashes, and start below the root";
                    self.findings.push(Diagnostic::error(&root.path, message).help(help));
                    self.coverage = ReadCompleteness::Partial;
                }
            }
        }
    }

    fn visit(&mut self, directory: &Path, reason: MemberReason, queue: &mut MemberQueue) {
        let listed = matches!(reason, MemberReason::Listed | MemberReason::Fitting);
        let excluded = self.table().is_some_and(|table| table.excludes(&self.root.directory, directory));
        if listed && excluded {
            return;
        }
        let file = match read_manifest(directory, &mut self.findings) {
            ManifestLookup::Read(file) => *file,
            ManifestLookup::Absent => {
                self.missing(directory, reason);
                return;
            }
            ManifestLookup::Unusable => {
                if listed || directory.starts_with(&self.root.directory) {
                    self.coverage = ReadCompleteness::Partial;
                }
                return;
            }
        };
        if self.is_member(&file, reason) && !excluded {
            self.adopt(file, queue);
        } else {
            self.add_neighbour(file, queue);
        }
    }

    fn missing(&mut self, directory: &Path, reason: MemberReason) {
        let what = match reason {
            // A pattern may match directories that are no packages.
            MemberReason::Fitting => return,
            MemberReason::Listed => {
                self.coverage = ReadCompleteness::Partial;
                "workspace member"
            }
            MemberReason::MemberDependency | MemberReason::Elsewhere => "path dependency",
        };
        let message = format!("`Cargo.toml` is missing here, but this is a {what}");
        let help = format!("check the path in `{}` and the other manifests of the workspace", self.root.path);
        self.findings.push(Diagnostic::error(directory.display().to_string(), message).help(help));
    }

    fn is_member(&mut self, file: &ManifestFile, reason: MemberReason) -> bool {
        if self.table().is_none() {
            return false;
        }
        let own_root = file.manifest.workspace.is_some();
        let pointer = file.manifest.package.as_ref().and_then(|package| package.workspace.as_ref());
        let points_to = pointer.map(|path| lexical_path::normal(&file.directory.join(path)));
        let points_here = points_to.as_ref().is_some_and(|path| *path == self.root.directory);
        let points_elsewhere = points_to.is_some() && !points_here;
        match reason {
            MemberReason::Listed | MemberReason::Fitting if own_root => {
                let message = format!("This is a separate workspace, so it is not a member of `{}`", self.root.path);
                let help = "add it to `exclude` of the outer workspace, or remove its `[workspace]`";
                self.findings.push(Diagnostic::warning(&file.path, message).help(help));
                false
            }
            MemberReason::Listed | MemberReason::Fitting => true,
            MemberReason::MemberDependency => {
                let inside = file.directory.starts_with(&self.root.directory);
                !own_root && !points_elsewhere && (inside || points_here)
            }
            MemberReason::Elsewhere => false,
        }
    }

    fn adopt(&mut self, file: ManifestFile, queue: &mut MemberQueue) {
        // Only a workspace includes its path dependencies; those of a single package are neighbours.
        let reason = self.table().map_or(MemberReason::Elsewhere, |_| MemberReason::MemberDependency);
        for (base, path) in file.manifest.path_dependencies(self.table()) {
            let base = match base {
                PathBase::Manifest => &file.directory,
                PathBase::WorkspaceRoot => &self.root.directory,
            };
            queue.push_back((lexical_path::normal(&base.join(path)), reason));
        }
        if file.manifest.package.is_some() {
            self.files.push(file);
        }
    }

    fn add_neighbour(&mut self, mut file: ManifestFile, queue: &mut MemberQueue) {
        for (_, path) in file.manifest.path_dependencies(None) {
            queue.push_back((lexical_path::normal(&file.directory.join(path)), MemberReason::Elsewhere));
        }
        if let Some(package) = &mut file.manifest.package
            && package.version == PackageVersion::Inherited
        {
            package.version = inherited_version(&file.directory);
        }
        self.neighbours.push(file);
    }
}

fn inherited_version(directory: &Path) -> PackageVersion {
    for parent in directory.ancestors() {
        // Errors in other workspaces are not reported.
        if let ManifestLookup::Read(file) = read_manifest(parent, &mut Vec::new())
            && let Some(table) = file.manifest.workspace
        {
            return table.version.map_or(PackageVersion::Inherited, PackageVersion::Given);
        }
    }
    PackageVersion::Inherited
}
