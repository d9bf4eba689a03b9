//! Checks manifests and skills for their authors, more strictly than using them would.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use symposium_io::registry::{Existence, crate_exists};
use symposium_io::source::{DirectoryTree, MAX_SKILL, Tree, find_manifests, find_skills, load_plugin, plugin_skills};
use symposium_io::{env, fs};
use symposium_model::diagnostic::{Diagnostic, Severity};
use symposium_model::{scan, skill};

use crate::ui::error::CliError;

/// One file that was checked.
pub(crate) struct Item {
    /// The file.
    pub(crate) path: String,
    /// The plugin's or skill's name, when it has one.
    pub(crate) name: Option<String>,
    /// What was found.
    pub(crate) findings: Vec<Diagnostic>,
    /// The crates it names, each with how it is written.
    crates: Vec<String>,
}

impl Item {
    /// The findings of one severity.
    pub(crate) fn of(&self, severity: Severity) -> impl Iterator<Item = &Diagnostic> {
        self.findings.iter().filter(move |found| found.severity == severity)
    }
}

/// Whether to ask the registry about crates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CrateCheck {
    /// Do not.
    Skip,
    /// Do.
    Ask,
    /// It was asked for, but the network is off limits.
    Offline,
}

/// Checks a manifest, a plugin directory, a SKILL.md or a whole source.
pub(crate) fn plugins(path: &Path, check: CrateCheck) -> Result<Vec<Item>, CliError> {
    let (tree, file) = open(path)?;
    let mut items = match file {
        Some(file) if file == "SKILL.md" => vec![skill_item(&tree, "")],
        Some(file) => plugin_items(&tree, &file),
        None => {
            let manifests = find_manifests(&tree);
            let mut items: Vec<Item> = manifests.iter().flat_map(|manifest| plugin_items(&tree, manifest)).collect();
            for directory in find_skills(&tree) {
                let item = skill_item(&tree, &directory);
                if items.iter().all(|known| known.path != item.path) {
                    items.push(item);
                }
            }
            items
        }
    };
    if items.is_empty() {
        let message = format!("There is no manifest and no SKILL.md in `{}`", path.display());
        return Err(CliError::no(message).hint("give a manifest, a plugin's directory or a directory of plugins"));
    }
    note_repeated_names(&mut items);
    check_crates(&mut items, check);
    Ok(items)
}

/// Checks a SKILL.md, its directory, or every skill below a directory.
pub(crate) fn skills(path: &Path) -> Result<Vec<Item>, CliError> {
    let (tree, file) = open(path)?;
    let items: Vec<Item> = match file {
        Some(file) if file == "SKILL.md" => vec![skill_item(&tree, "")],
        Some(file) => {
            let error = CliError::usage(format!("`{file}` is not a SKILL.md"));
            return Err(error.hint("skills are files called SKILL.md in a directory of their own"));
        }
        None => find_skills(&tree).iter().map(|directory| skill_item(&tree, directory)).collect(),
    };
    if items.is_empty() {
        let message = format!("There is no SKILL.md in `{}` or below it", path.display());
        return Err(CliError::no(message).hint("put each skill into a directory of its own, as `my-skill/SKILL.md`"));
    }
    Ok(items)
}

/// The directory to look at, and the file in it when one was named.
fn open(path: &Path) -> Result<(DirectoryTree, Option<String>), CliError> {
    let failed = |error: fs::FsError| {
        CliError::usage(format!("Cannot read `{}`: {}", path.display(), error.kind)).hint("check the path")
    };
    if fs::is_dir(path) {
        return Ok((DirectoryTree::open(path).map_err(failed)?, None));
    }
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
    if !fs::exists(path) {
        let error = CliError::usage(format!("There is nothing at `{}`", path.display()));
        return Err(error.hint("check the path"));
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.map_or_else(|| PathBuf::from("."), Path::to_owned);
    Ok((DirectoryTree::open(&parent).map_err(failed)?, Some(name)))
}

fn plugin_items(tree: &DirectoryTree, manifest: &str) -> Vec<Item> {
    let (plugin, findings) = load_plugin(tree, manifest);
    let path = tree.shown(manifest);
    // Skills get a stricter check of their own below.
    let of_manifest = findings.all().filter(|found| !found.path.ends_with("SKILL.md")).cloned().collect();
    let mut item = Item { path, name: None, findings: of_manifest, crates: Vec::new() };
    let mut items = Vec::new();
    if let Some(loaded) = plugin {
        let atoms = loaded.plugin.all_conditions().flat_map(|conditions| conditions.crate_atoms());
        item.crates = atoms.filter_map(|atom| atom.name()).map(ToString::to_string).collect();
        item.name = Some(loaded.plugin.name.clone());
        items.extend(plugin_skills(tree, manifest, &loaded.plugin).iter().map(|directory| skill_item(tree, directory)));
    }
    items.insert(0, item);
    items
}

fn skill_item(tree: &DirectoryTree, directory: &str) -> Item {
    let file = if directory.is_empty() { "SKILL.md".to_owned() } else { format!("{directory}/SKILL.md") };
    let path = tree.shown(&file);
    let text = match tree.read_text(&file, MAX_SKILL) {
        Ok(text) => text,
        Err(error) => {
            let found = Diagnostic::error(path.clone(), format!("Cannot read this skill: {error}"));
            let found = found.help("make it a UTF-8 text file of at most 2 MiB");
            return Item { path, name: None, findings: vec![found], crates: Vec::new() };
        }
    };
    let name = skill_directory_name(tree, directory);
    let mut findings = skill::check(&path, &name, &text);
    findings.extend(scan::scan(&text).into_iter().map(|found| scan_finding(&path, &text, &found)));
    let document = skill::parse(&path, &name, &text).document;
    let mut crates = Vec::new();
    if let Some(document) = &document {
        match skill::conditions(&path, &text, document) {
            Ok(conditions) => {
                let atoms = conditions.crate_atoms();
                crates = atoms.iter().filter_map(|atom| atom.name()).map(ToString::to_string).collect();
            }
            Err(errors) => findings.extend(errors),
        }
    }
    Item { name: document.map(|document| document.name.as_str().to_owned()), path, findings, crates }
}

/// What the scan of the text found, as a finding of the check.
fn scan_finding(path: &str, text: &str, found: &scan::Finding) -> Diagnostic {
    let message = format!("Found {}", found.kind.describe());
    let (finding, help) = match found.severity {
        scan::Severity::Blocking => {
            (Diagnostic::error(path, message), "remove them: agents do not get a skill with text nobody can see")
        }
        scan::Severity::Notice => (Diagnostic::warning(path, message), "say openly what is meant"),
    };
    finding.at(text, found.span.clone()).help(help)
}

/// The name of a skill's directory, also when that is the one we stand in.
fn skill_directory_name(tree: &DirectoryTree, directory: &str) -> String {
    if let Some(name) = directory.rsplit('/').next().filter(|name| !name.is_empty()) {
        return name.to_owned();
    }
    let root = fs::canonical(tree.root()).unwrap_or_else(|_| tree.root().to_owned());
    root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Of two skills or two plugins of one name only one is used.
fn note_repeated_names(items: &mut [Item]) {
    let mut first: BTreeMap<(bool, String), String> = BTreeMap::new();
    for item in items {
        let Some(name) = item.name.clone() else { continue };
        let is_skill = item.path.ends_with("SKILL.md");
        let what = if is_skill { "skill" } else { "plugin" };
        match first.get(&(is_skill, name.clone())) {
            Some(earlier) => {
                let message = format!("Another {what} is called `{name}` too: {earlier}");
                let help = "give each its own name, unless only one of them can apply at a time";
                item.findings.push(Diagnostic::warning(item.path.clone(), message).help(help));
            }
            None => {
                first.insert((is_skill, name), item.path.clone());
            }
        }
    }
}

fn check_crates(items: &mut [Item], check: CrateCheck) {
    let offline = match check {
        CrateCheck::Skip => return,
        CrateCheck::Ask => env::cargo_is_offline(),
        CrateCheck::Offline => true,
    };
    let mut answers: BTreeMap<String, Existence> = BTreeMap::new();
    for item in items {
        let mut names = std::mem::take(&mut item.crates);
        names.sort();
        names.dedup();
        for name in names {
            let answer = answers.entry(name.clone()).or_insert_with(|| {
                if offline { Existence::Unknown("the network is off limits".to_owned()) } else { crate_exists(&name) }
            });
            match answer {
                Existence::Exists => {}
                Existence::Absent => {
                    let message = format!("Crate `{name}` does not exist in the registry");
                    let help = "correct its name; a crate that is not published can stay, without this check";
                    item.findings.push(Diagnostic::error(item.path.clone(), message).help(help));
                }
                Existence::Unknown(reason) => {
                    let message = format!("Crate `{name}` was not looked up: {reason}");
                    let help = "run the check again with a network";
                    item.findings.push(Diagnostic::warning(item.path.clone(), message).help(help));
                }
            }
        }
    }
}
