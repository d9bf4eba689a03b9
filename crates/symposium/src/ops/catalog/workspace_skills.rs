//! The workspace's own skills as a source: `.agents/skills` and `skills` of its root and its members.

use std::path::{Path, PathBuf};

use symposium_io::fs;
use symposium_io::source::{DirectoryTree, MAX_SKILL, SourceTree, load_workspace};
use symposium_model::catalog::{LoadedPlugin, LoadedSkill, LoadedSource, SourceDiagnostics};
use symposium_model::config::{SkillPlaces, SourceKind, SourceRank, SourceSpec};
use symposium_model::crates::CrateSet;
use symposium_model::skill::installed_text;
use symposium_model::sync::Ledger;

use super::crate_plugins::{has_manifest, is_read_already};
use super::tree_of_skill;
use crate::ops::context::Context;
use crate::ops::ledger_store;

/// The directory in which several agents look for the skills of a project.
const SHARED: &str = ".agents/skills";

/// The directory in which authors keep the skills of a crate.
const PUBLISHED: &str = "skills";

/// More places than this are not looked at when a session starts.
const MANY: usize = 64;

/// Reads the workspace's own skills; `None` outside any workspace, and where they are switched off.
pub(crate) fn workspace_source(
    context: &Context,
    crates: Option<&CrateSet>,
    known: &[LoadedSource],
) -> Option<LoadedSource> {
    let root = context.root().filter(|_| context.settings.workspace.value)?;
    let directories = directories(root, crates?, known);
    let is_bare = directories.is_empty();
    let places = SkillPlaces { root: root.to_owned(), directories };
    let name = if known.iter().any(|source| source.spec.name == "workspace") { "workspace-2" } else { "workspace" };
    let spec = SourceSpec::whole(name, SourceKind::Workspace(places), SourceRank::Project);
    if is_bare {
        let place = root.display().to_string();
        return Some(LoadedSource::without_plugins(spec, place, SourceDiagnostics::default()));
    }
    let tree = DirectoryTree::open(root).ok()?;
    let mut source = load_workspace(spec, &tree);
    if source.plugins.iter().any(is_where_installed) {
        let (ledger, _) = ledger_store::read(&context.directories);
        leave_out_installed(&ledger, root, &tree, known, &mut source);
    }
    Some(source)
}

/// Returns the places whose change a session start must notice.
pub(crate) fn watched_places(root: Option<&Path>, crates: Option<&CrateSet>) -> Vec<PathBuf> {
    let (Some(root), Some(crates)) = (root, crates) else { return Vec::new() };
    let places = bases(root, crates).into_iter().flat_map(|base| [base.join(SHARED), base.join(PUBLISHED)]);
    places.take(MANY).collect()
}

/// The root, and the members below it.
fn bases(root: &Path, crates: &CrateSet) -> Vec<PathBuf> {
    let members = crates.members().iter().filter_map(|member| member.directory.clone());
    let mut bases: Vec<PathBuf> = std::iter::once(root.to_owned()).chain(members).collect();
    bases.retain(|base| base.starts_with(root));
    bases.sort();
    bases.dedup();
    bases
}

fn directories(root: &Path, crates: &CrateSet, known: &[LoadedSource]) -> Vec<String> {
    let mut directories = Vec::new();
    for base in bases(root, crates) {
        let Some(relative) = base.strip_prefix(root).ok().and_then(Path::to_str) else { continue };
        let place = |name: &str| if relative.is_empty() { name.to_owned() } else { format!("{relative}/{name}") };
        if fs::exists(&base.join(SHARED)) {
            directories.push(place(SHARED));
        }
        // The manifest of a plugin says which skills belong to it, and under which conditions.
        let published = base.join(PUBLISHED);
        if fs::exists(&published) && !is_read_already(&published, known) && !has_manifest(&base) {
            directories.push(place(PUBLISHED));
        }
    }
    directories
}

/// Tells whether a skill lies where skills for agents are installed.
fn is_where_installed(loaded: &LoadedPlugin) -> bool {
    loaded.path.starts_with(&format!("{SHARED}/"))
}

/// Leaves out installed skills that have no mark, because the project commits them: those that are recorded, and those
/// that are as another source would be installed.
fn leave_out_installed(
    ledger: &Ledger,
    root: &Path,
    tree: &dyn SourceTree,
    known: &[LoadedSource],
    source: &mut LoadedSource,
) {
    source.plugins.retain(|loaded| {
        let place = Path::new(&loaded.path).parent().map(|directory| root.join(directory));
        let is_recorded = place.is_some_and(|place| ledger.record(&place).is_some());
        let is_copy = || loaded.skills.first().is_some_and(|skill| is_installed_copy(skill, tree, known));
        !is_where_installed(loaded) || !(is_recorded || is_copy())
    });
}

fn is_installed_copy(skill: &LoadedSkill, tree: &dyn SourceTree, known: &[LoadedSource]) -> bool {
    let name = &skill.document.name;
    let Ok(text) = tree.read_text(&skill.path, MAX_SKILL) else { return false };
    known.iter().any(|source| {
        let others = source.plugins.iter().flat_map(|loaded| &loaded.skills);
        others.filter(|other| other.document.name == *name).any(|other| {
            let original = tree_of_skill(source, other).and_then(|tree| tree.read_text(&other.path, MAX_SKILL).ok());
            let body = |original: &String| other.document.body_of(original).to_owned();
            original.is_some_and(|original| installed_text(&other.document, &body(&original), name) == text)
        })
    })
}
