//! The dependencies of a workspace, read from its manifests and its Cargo.lock without starting a process.

use std::path::{Path, PathBuf};

use symposium_model::crates::CrateSet;
use symposium_model::crates::cargo_lock::parse_lock;
use symposium_model::crates::resolve::{LockInput, ManifestFile, ReadCompleteness, WorkspaceInput, resolve};
use symposium_model::diagnostic::Diagnostic;

use super::manifest_file::{ManifestLookup, read_manifest, unreadable};
use super::members::WorkspaceMembers;
use super::search_boundary::SearchBoundary;
use super::workspace_root;
use crate::fs;

const LOCK_LIMIT: u64 = 16 * 1024 * 1024;

#[derive(Debug, Clone)]
pub struct WorkspaceCrates {
    /// Cargo's own workspace root, which may be a parent directory; `None` when there is no cargo workspace.
    pub cargo_root: Option<PathBuf>,
    pub crates: CrateSet,
    /// The directory and edition of every member.
    pub editions: Vec<(PathBuf, String)>,
    pub findings: Vec<Diagnostic>,
}

/// Reads the crates of the workspace in `root`.
///
/// If `root` is a member of a larger cargo workspace, the Cargo.lock of that one is used, with only the members below
/// `root`.
pub fn read(root: &Path, boundary: &SearchBoundary) -> WorkspaceCrates {
    let root = fs::canonical(root).unwrap_or_else(|_| root.to_owned());
    let mut findings = Vec::new();
    match read_manifest(&root, &mut findings) {
        ManifestLookup::Read(file) => {
            let mut members = workspace_root::find(*file, boundary);
            // The package's own manifest is read again as a member of a workspace above it.
            if members.root.directory == root {
                members.findings.splice(..0, findings);
            }
            from_manifests(&root, members)
        }
        ManifestLookup::Absent | ManifestLookup::Unusable => from_lock_alone(&root, findings),
    }
}

fn from_manifests(root: &Path, members: WorkspaceMembers) -> WorkspaceCrates {
    let WorkspaceMembers { root: cargo_root, files, mut neighbours, coverage, mut findings } = members;
    let (files, others): (Vec<ManifestFile>, Vec<ManifestFile>) =
        files.into_iter().partition(|file| file.directory.starts_with(root));
    neighbours.extend(others);
    let table = cargo_root.manifest.workspace.as_ref();
    let editions = files.iter().filter_map(|file| {
        let package = file.manifest.package.as_ref()?;
        Some((file.directory.clone(), package.edition.resolve(table).to_owned()))
    });
    let editions = editions.collect();
    let text = lock_text(&cargo_root.directory, &mut findings);
    if matches!(text, LockText::Absent) {
        let message = "`Cargo.lock` does not exist, so the lowest versions that the manifests allow are assumed";
        let path = cargo_root.directory.join("Cargo.lock").display().to_string();
        findings.push(Diagnostic::warning(path, message).help("run `cargo generate-lockfile`"));
    }
    let workspace = WorkspaceInput {
        root: &cargo_root.directory,
        table,
        members: &files,
        neighbours: &neighbours,
        coverage,
        lock: LockInput::Absent,
    };
    let crates = resolve_with(&text, workspace, &mut findings);
    WorkspaceCrates { cargo_root: Some(cargo_root.directory), crates, editions, findings }
}

/// Without a usable root manifest, Cargo.lock still distinguishes packages of the workspace from others.
fn from_lock_alone(root: &Path, mut findings: Vec<Diagnostic>) -> WorkspaceCrates {
    let text = lock_text(root, &mut findings);
    let is_cargo = !findings.is_empty() || !matches!(text, LockText::Absent);
    let workspace = WorkspaceInput {
        root,
        table: None,
        members: &[],
        neighbours: &[],
        coverage: ReadCompleteness::Partial,
        lock: LockInput::Absent,
    };
    let crates = resolve_with(&text, workspace, &mut findings);
    WorkspaceCrates { cargo_root: is_cargo.then(|| root.to_owned()), crates, editions: Vec::new(), findings }
}

enum LockText {
    Read { path: String, text: String },
    Absent,
    Unusable,
}

fn lock_text(directory: &Path, findings: &mut Vec<Diagnostic>) -> LockText {
    let file = directory.join("Cargo.lock");
    match fs::read_text_if_there(&file, LOCK_LIMIT) {
        Ok(Some(text)) => LockText::Read { path: file.display().to_string(), text },
        Ok(None) => LockText::Absent,
        Err(error) => {
            findings.push(unreadable(&error));
            LockText::Unusable
        }
    }
}

fn resolve_with(text: &LockText, workspace: WorkspaceInput<'_>, findings: &mut Vec<Diagnostic>) -> CrateSet {
    let parsed = match text {
        LockText::Read { path, text } => Some((path, parse_lock(path, text))),
        LockText::Absent | LockText::Unusable => None,
    };
    let lock = match (&parsed, text) {
        (Some((path, Ok(lockfile))), _) => LockInput::Present { path, lockfile },
        (Some((_, Err(finding))), _) => {
            findings.push(Diagnostic::clone(finding));
            LockInput::Broken
        }
        (None, LockText::Absent) => LockInput::Absent,
        (None, LockText::Read { .. } | LockText::Unusable) => LockInput::Broken,
    };
    let (crates, more) = resolve(&WorkspaceInput { lock, ..workspace });
    findings.extend(more);
    crates
}
