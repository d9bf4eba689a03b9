//! Checks manifests and skills for their authors, more strictly than using them would.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use symposium_io::registry::{CrateExistence, crate_exists};
use symposium_io::source::{
    DirectoryTree, MAX_SKILL, SourceTree, TreeError, find_manifests, find_skills, is_manifest_of, plugin_skills,
};
use symposium_io::{env, fs};
use symposium_model::crates::CrateName;
use symposium_model::diagnostic::{Diagnostic, Severity};
use symposium_model::skill::SKILL_FILE;
use symposium_model::suggest::nearest;
use symposium_model::{manifest, scan, skill};

use super::hook_check::{self, HookNote};
use super::plugin_crate::{OwnPlugin, PluginCrate, crate_of, directory_name, directory_of, read_plugin};
use crate::error::CliError;

pub(crate) struct CheckedFile {
    pub(crate) path: String,
    /// The plugin's or skill's name, when it has one.
    pub(crate) name: Option<String>,
    pub(crate) findings: Vec<Diagnostic>,
    pub(crate) notes: Vec<HookNote>,
    kind: CheckedKind,
    /// Its text, to point into.
    pub(super) text: String,
    crates: Vec<CrateName>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CheckedKind {
    Manifest,
    Skill,
    /// Something that could not be looked at.
    Other,
}

impl CheckedFile {
    pub(crate) fn with_severity(&self, severity: Severity) -> impl Iterator<Item = &Diagnostic> {
        self.findings.iter().filter(move |found| found.severity == severity)
    }

    fn of_file(path: String, kind: CheckedKind, text: String) -> Self {
        Self { path, name: None, findings: Vec::new(), notes: Vec::new(), kind, text, crates: Vec::new() }
    }

    pub(super) fn left_out(finding: Diagnostic) -> Self {
        Self { findings: vec![finding.clone()], ..Self::of_file(finding.path, CheckedKind::Other, String::new()) }
    }
}

/// Whether to ask the registry about crates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CrateCheck {
    Skip,
    Ask,
    /// It was asked for, but the network is off limits.
    Offline,
}

/// Checks a manifest, a plugin directory, a SKILL.md or a whole source.
pub(crate) fn plugins(path: &Path, check: CrateCheck) -> Result<Vec<CheckedFile>, CliError> {
    let mut items = match open(path)? {
        CheckTarget::Skill(tree) => vec![skill_item(&tree, "")],
        CheckTarget::Manifest(tree, manifest) => plugin_items(&tree, &manifest),
        CheckTarget::Crate(own) => crate_items(&own),
        CheckTarget::Source(tree) => source_items(&tree),
    };
    note_repeated_names(&mut items);
    check_crates(&mut items, check);
    Ok(items)
}

/// Checks a SKILL.md, its directory, or every skill below a directory.
pub(crate) fn skills(path: &Path) -> Result<Vec<CheckedFile>, CliError> {
    let tree = match open(path)? {
        CheckTarget::Skill(tree) => return Ok(vec![skill_item(&tree, "")]),
        CheckTarget::Manifest(..) | CheckTarget::Crate(_) if fs::is_file(path) => {
            let error = CliError::usage(format!("`{}` is not a {SKILL_FILE}", path.display()));
            return Err(error.hint("a skill is a file SKILL.md in its own directory"));
        }
        CheckTarget::Manifest(..) | CheckTarget::Crate(_) | CheckTarget::Source(_) => {
            DirectoryTree::open(path).map_err(|error| unreadable(path, &error))?
        }
    };
    let (directories, left_out) = find_skills(&tree, "");
    let skills = directories.iter().map(|directory| skill_item(&tree, directory));
    Ok(skills.chain(left_out.into_iter().map(CheckedFile::left_out)).collect())
}

/// Reads the skills of a path, or another Markdown text.
pub(super) fn skill_texts(path: &Path) -> Result<Vec<CheckedFile>, CliError> {
    let is_skill = path.file_name().is_some_and(|name| name == SKILL_FILE);
    if is_skill || !fs::is_file(path) || path.extension().is_none_or(|extension| extension != "md") {
        return skills(path);
    }
    let text = fs::read_text(path, MAX_SKILL).map_err(|error| unreadable(path, &error))?;
    Ok(vec![CheckedFile::of_file(path.display().to_string(), CheckedKind::Other, text)])
}

/// The plugins a path stands for, each as its author reads it, and what was left out.
pub(crate) fn own_plugins(path: &Path) -> Result<(Vec<OwnPlugin>, Vec<Diagnostic>), CliError> {
    match open(path)? {
        CheckTarget::Manifest(tree, manifest) => Ok((vec![read_plugin(&tree, &manifest)], Vec::new())),
        CheckTarget::Crate(own) => Ok((own.manifest.is_some().then(|| own.read()).into_iter().collect(), Vec::new())),
        CheckTarget::Source(tree) => {
            let (manifests, left_out) = find_manifests(&tree);
            Ok((manifests.iter().map(|manifest| read_plugin(&tree, manifest)).collect(), left_out))
        }
        CheckTarget::Skill(_) => Ok((Vec::new(), Vec::new())),
    }
}

/// Whether a directory holds plugins. Every crate has a `src`, and so does most likely the current directory: what counts
/// is what is in it.
pub(crate) fn is_plugin_directory(path: &Path) -> bool {
    let Ok(tree) = DirectoryTree::open(path) else { return false };
    !find_manifests(&tree).0.is_empty() || !find_skills(&tree, "").0.is_empty()
}

enum CheckTarget {
    /// A skill, in the directory of the tree.
    Skill(DirectoryTree),
    /// A manifest of the tree.
    Manifest(DirectoryTree, String),
    /// A crate that carries a plugin.
    Crate(PluginCrate),
    Source(DirectoryTree),
}

fn unreadable(path: &Path, error: &fs::FsError) -> CliError {
    CliError::usage(format!("Cannot read `{}`: {}", path.display(), error.kind)).hint("check the path")
}

/// A plugin's own manifest is read from the directory above it, so that its groups may lie beside it, as in a source.
fn open(path: &Path) -> Result<CheckTarget, CliError> {
    let tree_at = |directory: &Path| DirectoryTree::open(directory).map_err(|error| unreadable(path, &error));
    if !fs::exists(path) {
        let error = CliError::usage(format!("`{}` does not exist", path.display()));
        return Err(error.hint("check the path"));
    }
    let is_file = !fs::is_dir(path);
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = match (is_file, parent) {
        (false, _) => path.to_owned(),
        (true, Some(parent)) => parent.to_owned(),
        (true, None) => PathBuf::from("."),
    };
    let name_of = |path: &Path| path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
    let file = if is_file { name_of(path) } else { None };
    if file.as_deref() == Some(SKILL_FILE) {
        return Ok(CheckTarget::Skill(tree_at(&directory)?));
    }
    if file.as_deref() == Some("Cargo.toml") {
        let own = PluginCrate::open(&directory).filter(|own| own.manifest.is_some());
        return own.map(CheckTarget::Crate).ok_or_else(|| {
            let error = CliError::usage(format!("`{}` has no `[package.metadata.symposium]`", path.display()));
            error.hint("name the manifest `symposium.toml`, or like its directory")
        });
    }
    let real = fs::canonical(&directory).map_err(|error| unreadable(path, &error))?;
    let own_name = name_of(&real).unwrap_or_default();
    let own_manifest = match &file {
        Some(file) => is_manifest_of(&own_name, file).then(|| file.clone()),
        None => {
            let names = fs::list(&directory).map_err(|error| unreadable(path, &error))?;
            names.into_iter().map(|entry| entry.name).find(|name| is_manifest_of(&own_name, name))
        }
    };
    if file.is_none()
        && let Some(own) = PluginCrate::open(&directory)
        && (own.manifest.is_some() || !holds_plugins(&own.tree))
    {
        return Ok(CheckTarget::Crate(own));
    }
    if file.is_none() && own_manifest.is_some() {
        // A repository of plugins may have a manifest of its own at its root.
        let tree = tree_at(&directory)?;
        if find_manifests(&tree).0.iter().any(|manifest| manifest.contains('/')) {
            return Ok(CheckTarget::Source(tree));
        }
    }
    match (own_manifest, file, directory.parent()) {
        (Some(manifest), _, Some(above)) if !above.as_os_str().is_empty() && name_of(&directory).is_some() => Ok(
            CheckTarget::Manifest(tree_at(above)?, format!("{}/{manifest}", name_of(&directory).unwrap_or_default())),
        ),
        (Some(manifest), _, _) if name_of(&directory).is_some() => {
            Ok(CheckTarget::Manifest(tree_at(Path::new("."))?, format!("{}/{manifest}", directory.display())))
        }
        (Some(manifest), _, _) | (None, Some(manifest), _) => Ok(CheckTarget::Manifest(tree_at(&directory)?, manifest)),
        (None, None, _) => Ok(CheckTarget::Source(tree_at(&directory)?)),
    }
}

/// Whether a directory has plugins below it. A `book/book.toml` may be anything.
fn holds_plugins(tree: &DirectoryTree) -> bool {
    find_manifests(tree).0.iter().any(|manifest| manifest.to_ascii_lowercase().ends_with("/symposium.toml"))
}

fn source_items(tree: &DirectoryTree) -> Vec<CheckedFile> {
    let (manifests, mut left_out) = find_manifests(tree);
    let mut items: Vec<CheckedFile> = manifests.iter().flat_map(|manifest| plugin_items(tree, manifest)).collect();
    let (directories, more) = find_skills(tree, "");
    left_out.extend(more);
    for directory in directories {
        let item = skill_item(tree, &directory);
        if items.iter().all(|known| known.path != item.path) {
            items.push(item);
        }
    }
    for finding in left_out {
        if items.iter().all(|known| known.path != finding.path) {
            items.push(CheckedFile::left_out(finding));
        }
    }
    items
}

/// The manifest, the skills of its groups, and skills of its directory that are in none of them.
fn plugin_items(tree: &DirectoryTree, manifest: &str) -> Vec<CheckedFile> {
    if let Some(own) = crate_of(tree, manifest) {
        return crate_items(&own);
    }
    let own = read_plugin(tree, manifest);
    let mut items = items_of(tree, manifest, &own);
    let directory = directory_of(manifest);
    let Some(item) = items.first() else { return items };
    // A group that cannot be used may be the one that leads there.
    if own.loaded.is_some() && !directory.is_empty() && item.with_severity(Severity::Error).next().is_none() {
        let manifest = item.path.clone();
        for stray in find_skills(tree, directory).0 {
            let mut stray = skill_item(tree, &stray);
            if items.iter().any(|known| known.path == stray.path) {
                continue;
            }
            let message = format!("No skill group of `{manifest}` includes this skill, so it is never used");
            let help = "add `[[skills]]` with a `source.path` to the manifest, or remove the skill";
            stray.findings.push(Diagnostic::warning(stray.path.clone(), message).help(help));
            items.push(stray);
        }
    }
    items
}

/// Checks the manifest and the skills of a crate.
fn crate_items(own: &PluginCrate) -> Vec<CheckedFile> {
    match &own.manifest {
        Some(manifest) => {
            let mut items = items_of(&own.tree, manifest, &own.read());
            note_foreign_conditions(&mut items, &own.name);
            items
        }
        None => find_skills(&own.tree, "skills").0.iter().map(|directory| skill_item(&own.tree, directory)).collect(),
    }
}

/// Warns when no condition of a crate's own plugin names it, and one names a crate that is written nearly like it.
fn note_foreign_conditions(items: &mut [CheckedFile], own: &str) {
    let named: Vec<CrateName> = items.iter().flat_map(|item| item.crates.clone()).collect();
    let misspelled = named.iter().find(|name| nearest(name.as_str(), &[own]).is_some());
    let is_named = CrateName::parse(own).is_none_or(|own| named.contains(&own));
    let (Some(misspelled), Some(item), false) = (misspelled, items.first_mut(), is_named) else { return };
    let message = format!("This plugin is part of crate `{own}`, but none of its conditions names that crate");
    let finding = Diagnostic::warning(item.path.clone(), message).help(format!("did you mean `{own}`?"));
    item.findings.push(match manifest::crate_place(&item.text, misspelled) {
        Some(place) => finding.at(&item.text, place),
        None => finding,
    });
}

/// A manifest and the skills of its groups.
fn items_of(tree: &DirectoryTree, manifest: &str, own: &OwnPlugin) -> Vec<CheckedFile> {
    // Skills get a stricter check of their own below.
    let findings = own.findings.all().filter(|found| !found.path.ends_with(SKILL_FILE)).cloned().collect();
    let text = tree.read_text(manifest, MAX_SKILL).unwrap_or_default();
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    let mut item = CheckedFile { findings, ..CheckedFile::of_file(tree.shown(manifest), CheckedKind::Manifest, text) };
    let Some(loaded) = &own.loaded else { return vec![item] };
    let atoms = loaded.plugin.all_conditions().flat_map(|conditions| conditions.crate_atoms());
    item.crates = atoms.filter_map(|atom| atom.name()).cloned().collect();
    item.name = Some(loaded.plugin.name.clone());
    item.notes = hook_check::notes(&item.text, &loaded.plugin, own.directory.as_deref());
    item.findings.extend(hook_check::faults(&item.path, &item.text, &loaded.plugin, own.directory.as_deref()));
    let grouped = plugin_skills(tree, manifest, &loaded.plugin);
    std::iter::once(item).chain(grouped.iter().map(|directory| skill_item(tree, directory))).collect()
}

fn skill_item(tree: &DirectoryTree, directory: &str) -> CheckedFile {
    let file = if directory.is_empty() { SKILL_FILE.to_owned() } else { format!("{directory}/{SKILL_FILE}") };
    let path = tree.shown(&file);
    let mut item = CheckedFile::of_file(path, CheckedKind::Skill, String::new());
    match tree.read_text(&file, MAX_SKILL) {
        Ok(text) => item.text = text,
        Err(error) => {
            item.findings.push(unreadable_skill(&item.path, &error));
            return item;
        }
    }
    let name = skill_directory_name(tree, directory);
    item.findings = skill::check(&item.path, &name, &item.text);
    item.findings.extend(skill::check_usefulness(&item.path, &item.text));
    let Some(document) = skill::parse(&item.path, &name, &item.text).document else {
        item.findings.extend(scan::scan(&item.text).iter().map(|found| scan_finding(&item.path, &item.text, found)));
        return item;
    };
    item.findings.extend(document.scan(&item.text).iter().map(|found| scan_finding(&item.path, &item.text, found)));
    match skill::conditions(&item.path, &item.text, &document) {
        Ok(conditions) => {
            let atoms = conditions.crate_atoms();
            item.crates = atoms.iter().filter_map(|atom| atom.name()).cloned().collect();
        }
        Err(errors) => item.findings.extend(errors),
    }
    item.name = Some(document.name.as_str().to_owned());
    item
}

fn unreadable_skill(path: &str, error: &TreeError) -> Diagnostic {
    let help = format!("make it a UTF-8 text file of at most {} MiB", MAX_SKILL / 1024 / 1024);
    Diagnostic::error(path, format!("Cannot read this skill: {error}")).help(help)
}

/// Converts a finding of the text scan into a diagnostic.
fn scan_finding(path: &str, text: &str, found: &scan::ScanFinding) -> Diagnostic {
    let message = format!("Found {}", found.kind.describe());
    let (finding, help) = match found.severity {
        scan::ScanSeverity::Blocking => {
            (Diagnostic::error(path, message), "remove them: Symposium does not install a skill with hidden text")
        }
        scan::ScanSeverity::Notice => (Diagnostic::warning(path, message), found.kind.advice()),
    };
    finding.at(text, found.span.clone()).help(help)
}

/// The name of a skill's directory, also when that is the one we stand in.
fn skill_directory_name(tree: &DirectoryTree, directory: &str) -> String {
    if let Some(name) = directory.rsplit('/').next().filter(|name| !name.is_empty()) {
        return name.to_owned();
    }
    directory_name(tree.root())
}

/// Notes skills or plugins of the same name: if both apply, only one is used.
fn note_repeated_names(items: &mut [CheckedFile]) {
    let mut first: BTreeMap<(CheckedKind, String), String> = BTreeMap::new();
    for item in items {
        let Some(name) = item.name.clone() else { continue };
        let what = if item.kind == CheckedKind::Skill { "skill" } else { "plugin" };
        match first.get(&(item.kind, name.clone())) {
            Some(earlier) => {
                let message = format!("Another {what} has the name `{name}` too: {earlier}");
                let help = "give each a unique name, unless only one of them can apply at a time";
                item.findings.push(Diagnostic::warning(item.path.clone(), message).help(help));
            }
            None => {
                first.insert((item.kind, name), item.path.clone());
            }
        }
    }
}

fn check_crates(items: &mut [CheckedFile], check: CrateCheck) {
    let offline = match check {
        CrateCheck::Skip => return,
        CrateCheck::Ask => env::cargo_is_offline(),
        CrateCheck::Offline => true,
    };
    let mut answers: BTreeMap<CrateName, CrateExistence> = BTreeMap::new();
    for item in items {
        let mut names = std::mem::take(&mut item.crates);
        names.sort();
        names.dedup();
        for name in names {
            let answer = answers.entry(name.clone()).or_insert_with(|| {
                if offline {
                    CrateExistence::Unknown("Symposium is offline".to_owned())
                } else {
                    crate_exists(name.as_str())
                }
            });
            let finding = match answer {
                CrateExistence::Exists => continue,
                CrateExistence::Absent => {
                    let message = format!("Crate `{name}` does not exist in the registry");
                    let help = "correct the name; for an unpublished crate, omit this check";
                    Diagnostic::error(item.path.clone(), message).help(help)
                }
                CrateExistence::Unknown(reason) => {
                    let message = format!("Crate `{name}` was not checked: {reason}");
                    Diagnostic::warning(item.path.clone(), message).help("repeat the check with network access")
                }
                CrateExistence::NoCargo => {
                    let message = format!("Crate `{name}` was not checked: `cargo` is not on PATH");
                    let help = "install Rust, or add cargo's directory to PATH, and repeat the check";
                    Diagnostic::warning(item.path.clone(), message).help(help)
                }
            };
            let place = match item.kind {
                CheckedKind::Manifest => manifest::crate_place(&item.text, &name),
                CheckedKind::Skill => skill::crate_place(&item.text, &name),
                CheckedKind::Other => None,
            };
            item.findings.push(match place {
                Some(place) => finding.at(&item.text, place),
                None => finding,
            });
        }
    }
}
