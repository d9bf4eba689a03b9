//! Finds what a skill is compiled with: its line in `skill-test.toml`, its `crates`, or the crate that it is part of.

use std::path::{Path, PathBuf};

use symposium_io::fs;
use symposium_io::source::{DirectoryTree, package_name};
use symposium_model::crates::{CrateAtom, CrateName};
use symposium_model::diagnostic::Diagnostic;
use symposium_model::skill;
use symposium_model::skill_text::{DependencyLine, DependencySet, parse_dependency_sets};

use crate::ops::author::validate::own_plugins;

/// The file with features and companions, beside the skills or above them.
const DEPENDENCY_FILE: &str = "skill-test.toml";

const LARGEST_FILE: u64 = 1024 * 1024;

/// The dependencies of a skill, and what they are derived from.
#[derive(Debug, Default)]
pub(super) struct SkillCrates {
    pub(super) sets: Vec<DependencySet>,
    /// The crate that the skill is about.
    pub(super) main: Option<CrateName>,
}

/// Finds the sets of dependencies that a skill is tested with.
pub(super) fn find_dependencies(path: &str, text: &str, is_upgrade: bool) -> Result<SkillCrates, Box<Diagnostic>> {
    let file = fs::canonical(Path::new(path)).unwrap_or_else(|_| PathBuf::from(path));
    let mut atoms = read_atoms(path, text);
    if atoms.is_empty() {
        atoms = file.ancestors().skip(1).take(4).find_map(plugin_atoms).unwrap_or_default();
    }
    let main = atoms.iter().find_map(CrateAtom::name).cloned();
    let own = find_own_crate(&file, &atoms);
    for directory in file.ancestors().skip(1) {
        let list = directory.join(DEPENDENCY_FILE);
        let Ok(written) = fs::read_text(&list, LARGEST_FILE) else { continue };
        let mut sets = parse_dependency_sets(&list.display().to_string(), &written)?;
        let below = file.strip_prefix(directory).unwrap_or(&file);
        let key = below.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
        if let Some(mut sets) = sets.remove(&key) {
            let lead = main.as_ref().map(CrateName::as_str).unwrap_or_default();
            for set in &mut sets {
                // Without a dependency, the skill is about the standard library.
                if let Some(own) = own.as_ref().filter(|own| !set.lines.is_empty() && !own.is_in(set)) {
                    set.lines.insert(0, own.dependency());
                }
                set.lead_with(lead);
            }
            let main = own.map(|own| own.name).or(main);
            return Ok(SkillCrates { sets, main });
        }
        break;
    }
    let mut set = match (&main, is_upgrade) {
        // It is read at an old version, and about the newest.
        (Some(name), true) => {
            CrateAtom::parse(name.as_str()).map(|atom| DependencySet::from_atoms(&[&atom])).unwrap_or_default()
        }
        _ => DependencySet::from_atoms(&atoms.iter().collect::<Vec<_>>()),
    };
    let main = match own {
        Some(own) => {
            set.lines.retain(|line| !own.is_line(line));
            set.lines.insert(0, own.dependency());
            Some(own.name)
        }
        None => main,
    };
    Ok(SkillCrates { sets: vec![set], main })
}

/// The crate that a skill is part of.
struct SkillPackage {
    name: CrateName,
    directory: PathBuf,
}

impl SkillPackage {
    fn is_line(&self, line: &DependencyLine) -> bool {
        CrateName::parse(&line.name).as_ref() == Some(&self.name)
    }

    fn is_in(&self, set: &DependencySet) -> bool {
        set.lines.iter().any(|line| self.is_line(line))
    }

    fn dependency(&self) -> DependencyLine {
        DependencyLine::from_path(self.name.as_str(), &self.directory.display().to_string())
    }
}

/// Finds the crate around a skill, if the skill is about it.
fn find_own_crate(skill: &Path, atoms: &[CrateAtom]) -> Option<SkillPackage> {
    let directory = skill.ancestors().skip(1).find(|directory| fs::is_file(&directory.join("Cargo.toml")))?;
    let name = CrateName::parse(&package_name(&DirectoryTree::open(directory).ok()?, "")?)?;
    let is_meant = atoms.is_empty() || atoms.iter().any(|atom| atom.name() == Some(&name));
    is_meant.then(|| SkillPackage { name, directory: directory.to_owned() })
}

fn read_atoms(path: &str, text: &str) -> Vec<CrateAtom> {
    let document = skill::parse(path, "skill", text).document;
    let conditions = document.and_then(|document| skill::conditions(path, text, &document).ok());
    conditions.map(|conditions| conditions.crates).unwrap_or_default()
}

/// Reads the crates that the plugin in a directory is for.
fn plugin_atoms(directory: &Path) -> Option<Vec<CrateAtom>> {
    let names = fs::list(directory).unwrap_or_default();
    let manifest = names.iter().find(|entry| entry.name.eq_ignore_ascii_case("symposium.toml"))?;
    let (plugins, _) = own_plugins(&directory.join(&manifest.name)).ok()?;
    let plugin = plugins.into_iter().find_map(|own| own.loaded)?.plugin;
    Some(plugin.conditions.crates).filter(|atoms| !atoms.is_empty())
}
