//! Indexes of plugins: the plugins of a source, findable by the crates that they need, so that a workspace asks only for
//! its own dependencies.

mod layout;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use semver::Version;
use serde::{Deserialize, Serialize};

use crate::catalog::LoadedPlugin;
use crate::conditions::ConditionSet;
use crate::config::redact;
use crate::crates::{CrateAtom, CrateName};
use crate::predicate::Predicate;
use crate::skill::SkillName;
use crate::sync::{ContentFingerprint, fingerprint};

pub use layout::{ANY_FILE, ARCHIVES, CONFIG_FILE, archive_file, crate_file, is_plain_path};

/// The version of the layout and of the lines; another one is not read.
pub const INDEX_FORMAT: u64 = 1;

/// Bytes of one file of an index.
pub const MAX_INDEX_FILE: u64 = 1024 * 1024;

/// Plugins in the file for any workspace: each of them reaches every user.
pub const MAX_ANYWHERE: usize = 1_000;

const MAX_LINE: usize = 16 * 1024;

/// Plugins of one index that a workspace gets.
pub const MAX_PLUGINS: usize = 5_000;

/// Bytes of the entries of these plugins.
const MAX_LISTED: usize = 4 * 1024 * 1024;

/// Bytes of one packed plugin.
pub const MAX_ARCHIVE: u64 = 8 * 1024 * 1024;

/// The file at the root of an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexConfig {
    pub format: u64,
    /// The place of archives: a path below the index, or the address of another server.
    pub archives: String,
}

impl IndexConfig {
    /// Parses the file. `Err` says why it cannot be used.
    pub fn parse(text: &str) -> Result<Self, String> {
        let config: Self =
            serde_json::from_str(text).map_err(|_| "it is not the `config.json` of an index".to_owned())?;
        if config.format != INDEX_FORMAT {
            return Err(format!("the index has format {}; this program supports format {INDEX_FORMAT}", config.format));
        }
        if !config.archives.contains("://") && !is_plain_path(config.archives.trim_end_matches('/')) {
            return Err("`archives` is neither a path below the index nor an address".to_owned());
        }
        // Everybody who reads the index would have them.
        if redact(&config.archives) != config.archives {
            return Err("`archives` has credentials or a query, which is not allowed".to_owned());
        }
        Ok(config)
    }
}

impl Default for IndexConfig {
    fn default() -> Self {
        Self { format: INDEX_FORMAT, archives: ARCHIVES.to_owned() }
    }
}

/// One version of a plugin, as an index and a lockfile name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedPlugin {
    pub name: String,
    pub version: Version,
    /// At least one must match, unless the list is empty.
    pub crates: Vec<CrateAtom>,
    pub sha256: ContentFingerprint,
    pub size: u64,
    /// The archive, relative to the place of archives.
    pub archive: String,
}

/// A line of an index.
#[derive(Serialize, Deserialize)]
struct WrittenLine {
    name: String,
    version: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    crates: Vec<String>,
    sha256: String,
    size: u64,
    archive: String,
}

impl PublishedPlugin {
    fn from_line(line: WrittenLine) -> Result<Self, String> {
        let WrittenLine { name, version, crates, sha256, size, archive } = line;
        if !is_plugin_name(&name) {
            return Err(format!("`{}` is not the name of a plugin", name.escape_debug()));
        }
        let of = |what: &str| format!("plugin `{name}` has {what}");
        let version = Version::parse(&version).map_err(|_| of("a version that is none"))?;
        let atoms: Result<Vec<CrateAtom>, _> = crates.iter().map(|text| CrateAtom::parse(text)).collect();
        let crates = atoms.map_err(|error| of(&format!("a condition that cannot be read: {}", error.message)))?;
        let sha256 =
            ContentFingerprint::parse(&sha256).ok_or_else(|| of("a hash that is not the 64 digits of a SHA-256"))?;
        if !is_plain_path(&archive) {
            return Err(of("an archive outside the place of archives"));
        }
        if size > MAX_ARCHIVE {
            return Err(of(&format!("an archive of more than {} MB", MAX_ARCHIVE / 1024 / 1024)));
        }
        Ok(Self { name, version, crates, sha256, size, archive })
    }

    /// Whether its conditions can hold in a workspace with these crates. The plugin itself decides later.
    pub fn can_apply(&self, crates: &[AskedCrate]) -> bool {
        let holds = |atom: &CrateAtom| match atom {
            CrateAtom::Any => true,
            CrateAtom::Crate { name, requirement } => {
                let start = crates.partition_point(|known| known.name < *name);
                let mut same = crates.iter().skip(start).take_while(|known| known.name == *name);
                requirement.is_any() && same.clone().next().is_some()
                    || same.any(|known| requirement.holds_for(&known.version))
            }
        };
        self.crates.is_empty() || self.crates.iter().any(holds)
    }

    /// Returns a line that only plugins with the same content have, wherever their archives are.
    fn content(&self) -> String {
        format!("{} {} {}\n", self.name, self.version, self.sha256.as_str())
    }

    /// Lists the files of an index that name it.
    pub fn files(&self) -> Vec<String> {
        let names: Option<Vec<&CrateName>> = self.crates.iter().map(CrateAtom::name).collect();
        match names {
            Some(names) if !names.is_empty() => {
                let mut files: Vec<String> = names.into_iter().map(crate_file).collect();
                files.sort();
                files.dedup();
                files
            }
            Some(_) | None => vec![ANY_FILE.to_owned()],
        }
    }
}

impl fmt::Display for PublishedPlugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = WrittenLine {
            name: self.name.clone(),
            version: self.version.to_string(),
            crates: self.crates.iter().map(ToString::to_string).collect(),
            sha256: self.sha256.as_str().to_owned(),
            size: self.size,
            archive: self.archive.clone(),
        };
        // Serializing these types cannot fail.
        f.write_str(&serde_json::to_string(&line).unwrap_or_default())
    }
}

impl Serialize for PublishedPlugin {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PublishedPlugin {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parse_line(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// Names become directories on every system.
pub fn is_plugin_name(name: &str) -> bool {
    SkillName::normalize(name).is_ok() && is_plain_path(name) && !name.contains('/')
}

pub fn parse_line(line: &str) -> Result<PublishedPlugin, String> {
    if line.len() > MAX_LINE {
        return Err(format!("it is longer than {} kB", MAX_LINE / 1024));
    }
    let line = serde_json::from_str(line).map_err(|_| "it is not the entry of a plugin".to_owned())?;
    PublishedPlugin::from_line(line)
}

/// Parses a file of an index. One line that cannot be read makes it unusable: the rest may be cut off too.
pub fn parse_file(file: &str, text: &str) -> Result<Vec<PublishedPlugin>, String> {
    if !text.is_empty() && !text.ends_with('\n') {
        return Err("the file is cut off".to_owned());
    }
    let mut plugins = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let at = |reason: String| format!("line {}: {reason}", number + 1);
        let plugin = parse_line(line).map_err(at)?;
        if !plugin.files().iter().any(|place| place == file) {
            return Err(at(format!("plugin `{}` is for other crates", plugin.name)));
        }
        plugins.push(plugin);
    }
    if file == ANY_FILE && plugins.len() > MAX_ANYWHERE {
        return Err(format!("it has more than {MAX_ANYWHERE} plugins"));
    }
    Ok(plugins)
}

/// A crate of a workspace, with its version.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct AskedCrate {
    pub name: CrateName,
    pub version: Version,
}

impl Serialize for AskedCrate {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{} {}", self.name, self.version))
    }
}

impl<'de> Deserialize<'de> for AskedCrate {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let parsed = text.split_once(' ').and_then(|(name, version)| {
            Some(Self { name: CrateName::parse(name)?, version: Version::parse(version).ok()? })
        });
        parsed.ok_or_else(|| serde::de::Error::custom("not a crate and a version"))
    }
}

/// Returns the name of a plugin's directory as systems see it that ignore the case of letters.
fn directory_of(plugin: &PublishedPlugin) -> String {
    plugin.name.to_ascii_lowercase()
}

/// Chooses the plugins that can apply, the highest version of each.
pub fn choose_plugins<'p>(
    plugins: impl IntoIterator<Item = &'p PublishedPlugin>,
    crates: &[AskedCrate],
) -> Vec<PublishedPlugin> {
    let mut chosen: BTreeMap<String, &PublishedPlugin> = BTreeMap::new();
    for plugin in plugins.into_iter().filter(|plugin| plugin.can_apply(crates)) {
        let best = chosen.entry(directory_of(plugin)).or_insert(plugin);
        if plugin.version > best.version {
            *best = plugin;
        }
    }
    chosen.into_values().cloned().collect()
}

/// Checks that one workspace can have all these plugins. `Err` says why not.
pub fn check_amount(plugins: &[PublishedPlugin]) -> Result<(), String> {
    if plugins.len() > MAX_PLUGINS {
        let count = plugins.len();
        return Err(format!("it has {count} plugins for the crates of one workspace, more than {MAX_PLUGINS}"));
    }
    let bytes: usize = plugins.iter().map(|plugin| plugin.to_string().len()).sum();
    if bytes > MAX_LISTED {
        let limit = MAX_LISTED / 1024 / 1024;
        return Err(format!("its entries for the crates of one workspace have more than {limit} MB"));
    }
    Ok(())
}

/// Chooses like a lockfile: a pinned plugin stays as it is while it can apply, also if the index has another one now.
pub fn keep_pinned(
    pinned: &[PublishedPlugin],
    chosen: Vec<PublishedPlugin>,
    crates: &[AskedCrate],
) -> Vec<PublishedPlugin> {
    let mut kept: BTreeMap<String, PublishedPlugin> =
        chosen.into_iter().map(|plugin| (directory_of(&plugin), plugin)).collect();
    for plugin in pinned.iter().filter(|plugin| plugin.can_apply(crates)) {
        kept.insert(directory_of(plugin), plugin.clone());
    }
    kept.into_values().collect()
}

/// Lists the names of plugins that are not among the wanted ones, or have other content.
pub fn list_others(plugins: &[PublishedPlugin], wanted: &[PublishedPlugin]) -> BTreeSet<String> {
    let contents: BTreeSet<String> = wanted.iter().map(PublishedPlugin::content).collect();
    let others = plugins.iter().filter(|plugin| !contents.contains(&plugin.content()));
    others.map(|plugin| plugin.name.clone()).collect()
}

/// Returns the identity of a set of plugins: that of their content.
pub fn identify_plugins(plugins: &[PublishedPlugin]) -> ContentFingerprint {
    let mut lines: Vec<String> = plugins.iter().map(PublishedPlugin::content).collect();
    lines.sort();
    fingerprint(lines.concat().as_bytes())
}

/// Returns the crates of which one has to be a dependency for any part of a plugin to apply; none if it may apply
/// without.
pub fn needed_atoms(loaded: &LoadedPlugin) -> Vec<CrateAtom> {
    let named = |conditions: &ConditionSet| -> Option<Vec<CrateAtom>> {
        // All predicates have to hold, so any of them will do.
        let mut required = conditions.predicates.iter().filter_map(|predicate| match predicate {
            Predicate::DependsOn(atom) => Some(vec![atom.clone()]),
            _ => None,
        });
        let atoms = if conditions.crates.is_empty() { required.next()? } else { conditions.crates.clone() };
        atoms.iter().all(|atom| atom.name().is_some()).then_some(atoms)
    };
    let plugin = &loaded.plugin;
    if let Some(atoms) = named(&plugin.conditions) {
        return atoms;
    }
    let is_only_skills = !plugin.has_workflow() && plugin.plugins.is_empty() && plugin.installations.is_empty();
    if !is_only_skills {
        return Vec::new();
    }
    // Then it applies only through its skills.
    let mut needed = Vec::new();
    for (at, group) in plugin.skills.iter().enumerate() {
        let mut skills = loaded.skills.iter().filter(|skill| skill.group == Some(at)).peekable();
        let of_group = named(&group.conditions);
        let atoms = match of_group {
            Some(atoms) => Some(atoms),
            None if skills.peek().is_none() => None,
            None => skills.map(|skill| named(&skill.conditions)).collect::<Option<Vec<_>>>().map(|all| all.concat()),
        };
        let Some(atoms) = atoms else { return Vec::new() };
        needed.extend(atoms);
    }
    let mut unique: Vec<CrateAtom> = Vec::new();
    for atom in needed {
        if !unique.contains(&atom) {
            unique.push(atom);
        }
    }
    unique
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
