//! The skills that a workspace has for its own contributors.

use std::collections::BTreeSet;

use symposium_model::catalog::{LoadedSource, SourceDiagnostics};
use symposium_model::config::{SkillPlaces, SourceKind, SourceSpec};
use symposium_model::diagnostic::Diagnostic;
use symposium_model::skill::SKILL_FILE;
use symposium_model::sync::is_ignore_mark;

use super::discover::manifests_of;
use super::load::{self, MAX_SKILL, read_skill, stand_alone};
use super::tree::{SourceTree, TreeEntryKind, join};

/// The limit for skills of a workspace, as for other sources of a project.
const MAX_OWN_SKILLS: usize = 500;

/// An ignore file that Symposium writes is shorter.
const MAX_MARK: u64 = 1024;

/// Loads each skill that is directly in one of the places. A directory that Symposium installed is none of them.
pub fn load_workspace(spec: SourceSpec, tree: &dyn SourceTree) -> LoadedSource {
    let SourceKind::Workspace(SkillPlaces { directories, .. }) = spec.kind.clone() else {
        return load::empty(spec, tree);
    };
    let mut source = load::empty(spec, tree);
    let found: BTreeSet<String> =
        directories.iter().flat_map(|directory| skill_directories(tree, directory, &mut source.findings)).collect();
    for (number, directory) in found.iter().enumerate() {
        if number == MAX_OWN_SKILLS {
            source.findings.is_cut = true;
            let message = format!("More than {MAX_OWN_SKILLS} skills in the workspace; the others are skipped");
            let found = Diagnostic::warning(tree.shown(""), message);
            source.findings.faults.push(found.help("set `[defaults] workspace = false` to use none of them"));
            break;
        }
        let text = tree.read_text(&join(directory, SKILL_FILE), MAX_SKILL);
        let (skill, findings) = read_skill(tree, directory, text, None);
        source.findings.extend(findings);
        source.plugins.extend(skill.map(stand_alone));
    }
    source
}

fn skill_directories(tree: &dyn SourceTree, parent: &str, findings: &mut SourceDiagnostics) -> Vec<String> {
    // A place that is a link elsewhere is not the workspace's own.
    if tree.leads_out(parent) {
        return Vec::new();
    }
    // A file of that name serves another purpose.
    let Ok(listing) = tree.list(parent) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in listing.entries.iter().filter(|entry| !entry.name.starts_with('.')) {
        let directory = join(parent, &entry.name);
        let is_directory = match entry.kind {
            TreeEntryKind::File => false,
            TreeEntryKind::Directory | TreeEntryKind::LinkedDirectory => true,
        };
        if !is_directory || !tree.exists(&join(&directory, SKILL_FILE)) {
            continue;
        }
        let mark = tree.read_text(&join(&directory, ".gitignore"), MAX_MARK).unwrap_or_default();
        if is_ignore_mark(&mark) {
            continue;
        }
        let entries = tree.list(&directory).map(|listing| listing.entries).unwrap_or_default();
        if let Some(manifest) = manifests_of(&directory, &entries).into_iter().next() {
            let message = "Skipped this skill: its directory is a plugin, and only skills of a workspace are used";
            let found = Diagnostic::warning(tree.shown(&manifest.path), message);
            findings.remarks.push(found.help("name the directory above as a `[[plugin-source]]` of the project"));
            continue;
        }
        found.push(directory);
    }
    found
}

#[cfg(test)]
#[path = "workspace_skills_tests.rs"]
mod tests;
