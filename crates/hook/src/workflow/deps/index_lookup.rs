//! Access to what cargo keeps on disk: the index cache, the lockfile, and its configuration.

use std::path::{Path, PathBuf};
use std::time::Duration;

use semver::{Version, VersionReq};
use symposium_model::crates::dependency_check::IndexFreshness;
use symposium_model::crates::dependency_tables::ManifestTables;
use symposium_model::crates::registry_index::{RegistryEntry, index_cache_path, parse_index_cache};

use crate::edge::{disk, environment};

/// Bytes. A larger file is not read.
const LARGEST: u64 = 16 << 20;

/// Cargo asks the registry again when it needs to; what it heard within this time is taken for all there is.
const FRESH: Duration = Duration::from_hours(24);

/// The most names of crates that are looked at for one that is spelled alike.
const MOST_NAMES: usize = 50_000;

/// The directory names of the index of crates.io, the newer form first.
const CRATES_IO: [&str; 2] = ["index.crates.io-", "github.com-1ecc6299db9ec823"];

/// The cache of the registry crates.io, or of the one that the user's configuration puts in its place.
#[derive(Debug)]
pub(super) struct IndexCache {
    directories: Vec<PathBuf>,
}

/// A crate of the index cache.
#[derive(Debug)]
pub(super) struct IndexedCrate {
    entry: RegistryEntry,
    is_fresh: bool,
}

impl IndexedCrate {
    pub(super) fn entry(&self) -> &RegistryEntry {
        &self.entry
    }

    /// Tells whether something that is missing can have been published since. An old cache is as good as a new one for
    /// a requirement that no later version satisfies.
    pub(super) fn freshness(&self, requirement: Option<&str>) -> IndexFreshness {
        let is_next = requirement.is_some_and(|text| names_next_release(text, &self.entry));
        if (self.is_fresh && !is_next) || requirement.is_some_and(|text| is_settled(text, &self.entry)) {
            IndexFreshness::Current
        } else {
            IndexFreshness::Dated
        }
    }
}

/// Tells whether no version that is published after the newest known one can satisfy a requirement.
fn is_settled(requirement: &str, entry: &RegistryEntry) -> bool {
    let Ok(parsed) = VersionReq::parse(requirement) else { return false };
    let Some(newest) = entry.versions.iter().map(|known| &known.version).max() else { return false };
    let Version { major, minor, patch, .. } = *newest;
    let later =
        [Version::new(major, minor, patch + 1), Version::new(major, minor + 1, 0), Version::new(major + 1, 0, 0)];
    let names_later = parsed.comparators.iter().any(|part| {
        (part.major, part.minor.unwrap_or_default(), part.patch.unwrap_or_default()) > (major, minor, patch)
    });
    !names_later && !later.iter().any(|version| parsed.matches(version))
}

/// Tells whether a requirement names the patch or minor release after the newest known one: it may have come since the
/// cache was written.
fn names_next_release(requirement: &str, entry: &RegistryEntry) -> bool {
    let Ok(parsed) = VersionReq::parse(requirement) else { return false };
    let Some(newest) = entry.versions.iter().map(|known| &known.version).max() else { return false };
    parsed.comparators.iter().any(|part| {
        let (minor, patch) = (part.minor.unwrap_or_default(), part.patch.unwrap_or_default());
        let is_next = minor <= newest.minor + 1 && patch <= newest.patch + 1;
        part.major == newest.major && (minor, patch) > (newest.minor, newest.patch) && is_next
    })
}

impl IndexCache {
    /// Finds the cache. `configs` are the texts of cargo's configuration files that count.
    pub(super) fn find(cargo_home: &Path, configs: &[String]) -> Self {
        let index = cargo_home.join("registry/index");
        let is_replaced = configs.iter().any(|text| text.contains("replace-with"))
            || environment::variable("CARGO_SOURCE_CRATES_IO_REPLACE_WITH").is_some();
        let names = disk::names(&index, MOST_NAMES);
        let named = |prefix: &str| names.iter().any(|name| name.starts_with(prefix));
        let prefix = CRATES_IO.into_iter().find(|prefix| named(prefix));
        let counts = |name: &&String| is_replaced || prefix.is_some_and(|prefix| name.starts_with(prefix));
        let own = names.iter().filter(counts).map(|name| index.join(name).join(".cache")).collect();
        Self { directories: own }
    }

    /// Looks up a crate; `None` if cargo never asked for it, or if a file about it is not understood.
    pub(super) fn look_up(&self, package: &str) -> Option<IndexedCrate> {
        let mut found: Option<IndexedCrate> = None;
        for spelling in name_spellings(package) {
            let Some(path) = index_cache_path(&spelling) else { continue };
            for directory in &self.directories {
                let file = directory.join(&path);
                let Some(bytes) = disk::read(&file, LARGEST) else { continue };
                let entry = parse_index_cache(&bytes).ok()?;
                let is_fresh = disk::is_younger(&file, FRESH);
                match &mut found {
                    None => found = Some(IndexedCrate { entry, is_fresh }),
                    // Of two registries, one of which takes the place of the other, either may be asked.
                    Some(found) => {
                        found.entry.versions.extend(entry.versions);
                        found.entry.unread.extend(entry.unread);
                        found.is_fresh &= is_fresh;
                    }
                }
            }
        }
        found
    }

    /// Lists the crates in the cache.
    pub(super) fn names(&self) -> Vec<String> {
        let mut all = Vec::new();
        for directory in &self.directories {
            for first in disk::names(directory, MOST_NAMES) {
                for second in disk::names(&directory.join(&first), MOST_NAMES) {
                    let below = disk::names(&directory.join(&first).join(&second), MOST_NAMES);
                    all.extend(below);
                    if all.len() > MOST_NAMES {
                        return Vec::new();
                    }
                }
            }
        }
        all
    }
}

/// Cargo takes `-` and `_` in a name for one another and tries both.
fn name_spellings(package: &str) -> Vec<String> {
    let mut all = vec![package.to_owned()];
    for other in [package.replace('_', "-"), package.replace('-', "_")] {
        if !all.contains(&other) {
            all.push(other);
        }
    }
    all
}

/// Reads the versions of a crate that the workspace has from a registry.
pub(super) fn locked_versions(lockfile: &str, package: &str) -> Vec<Version> {
    let value = |block: &str, key: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""))?;
        line.strip_suffix('"').map(str::to_owned)
    };
    let blocks = lockfile.split("[[package]]").skip(1);
    let named = blocks.filter(|block| value(block, "name").as_deref() == Some(package));
    let from_registry = named.filter(|block| value(block, "source").is_some_and(|source| source.contains("registry")));
    from_registry.filter_map(|block| Version::parse(&value(block, "version")?).ok()).collect()
}

/// Tells whether a lockfile has a package of this name that comes from no registry: cargo prefers that one.
pub(super) fn is_local(lockfile: &str, package: &str) -> bool {
    let name = format!("name = \"{package}\"");
    let mut blocks = lockfile.split("[[package]]").skip(1);
    blocks.any(|block| {
        let source = block.lines().find(|line| line.starts_with("source = "));
        block.lines().any(|line| line == name) && !source.is_some_and(|source| source.contains("registry"))
    })
}

/// Tells whether cargo's configuration puts another registry in the place of crates.io for new dependencies.
pub(super) fn has_default_registry(configs: &[String]) -> bool {
    let names_default =
        |text: &String| text.contains("registry.default") || (text.contains("[registry]") && text.contains("default"));
    configs.iter().any(names_default) || environment::variable("CARGO_REGISTRY_DEFAULT").is_some()
}

/// Reads the text of a file that a user wrote.
pub(super) fn read_text(path: &Path) -> Option<String> {
    String::from_utf8(disk::read(path, LARGEST)?).ok()
}

/// Reads cargo's configuration files that count in a directory.
pub(super) fn read_configs(directory: &Path, cargo_home: &Path) -> Vec<String> {
    let above = directory.ancestors().map(|directory| directory.join(".cargo"));
    let places: Vec<PathBuf> = above.chain(std::iter::once(cargo_home.to_owned())).collect();
    let files = places.iter().flat_map(|place| ["config.toml", "config"].map(|name| place.join(name)));
    files.filter_map(|file| read_text(&file)).collect()
}

/// A manifest, and the one of the workspace it belongs to.
#[derive(Debug, Default)]
pub(super) struct ManifestPlace {
    pub(super) manifest: Option<ManifestTables>,
    pub(super) workspace: Option<ManifestTables>,
    pub(super) lockfile: String,
}

impl ManifestPlace {
    /// Reads the manifests above a directory; `text` is the content of the one in it, if it is about to change. `None`
    /// if one of them is not understood.
    pub(super) fn read(directory: &Path, text: Option<&str>) -> Option<Self> {
        let mut place = Self::default();
        for directory in directory.ancestors() {
            let here = if place.manifest.is_none() { text } else { None };
            let Some(text) = here.map(str::to_owned).or_else(|| read_text(&directory.join("Cargo.toml"))) else {
                continue;
            };
            let tables = ManifestTables::parse(&text)?;
            let is_root = text.lines().any(|line| {
                let line = line.trim_start();
                line.starts_with("[workspace") || line.starts_with("workspace.members")
            });
            let is_own = place.manifest.is_none();
            if place.manifest.is_none() {
                place.manifest = Some(tables.clone());
            }
            if is_root {
                place.workspace = Some(tables);
            }
            // A lockfile inside a workspace is a remnant: the one of the root counts.
            if is_own || is_root {
                place.lockfile = read_text(&directory.join("Cargo.lock")).unwrap_or(place.lockfile);
            }
            if is_root {
                break;
            }
        }
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_name() {
        for (name, expected) in
            [("serde", &["serde"][..]), ("serde_json", &["serde_json", "serde-json"]), ("a-b", &["a-b", "a_b"])]
        {
            assert_eq!(name_spellings(name), expected, "{name}");
        }
    }

    #[test]
    fn versions_in_a_lockfile() {
        let lockfile = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"registry+https://x\"\n\n\
                        [[package]]\nname = \"a\"\nversion = \"2.1.0\"\nsource = \"registry+https://x\"\ndependencies = [\n \"b\",\n]\n\n\
                        [[package]]\nname = \"b\"\nversion = \"0.1.0\"\n";
        let versions = |name| locked_versions(lockfile, name).iter().map(Version::to_string).collect::<Vec<_>>();
        assert_eq!(versions("a"), ["1.0.0", "2.1.0"]);
        assert!(versions("b").is_empty(), "it is a member of the workspace");
        assert!(versions("c").is_empty());
    }

    #[test]
    fn packages_that_are_no_registry_s() {
        let lockfile = "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"registry+x\"\n\n[[package]]\nname = \"b\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"c\"\nversion = \"0.1.0\"\nsource = \"git+x\"\n";
        for (name, expected) in [("a", false), ("b", true), ("c", true), ("d", false)] {
            assert_eq!(is_local(lockfile, name), expected, "{name}");
        }
    }

    #[test]
    fn some_requirements_no_later_version_satisfies() {
        let version = |text: &str| symposium_model::crates::registry_index::RegistryVersion {
            version: Version::parse(text).unwrap(),
            yanked: false,
            features: std::collections::BTreeMap::new(),
            dependencies: Vec::new(),
            rust_version: None,
        };
        let entry = RegistryEntry { versions: vec![version("0.9.0"), version("1.2.3")], unread: Vec::new() };
        for (requirement, expected) in [
            ("0.8", true),
            ("=1.2.0", true),
            ("<1", true),
            ("1", false),
            ("1.2", false),
            ("1.3", false),
            ("=1.2.4", false),
            ("=7.0.0", false),
            ("*", false),
            (">=0.1", false),
            ("what", false),
        ] {
            assert_eq!(is_settled(requirement, &entry), expected, "{requirement}");
        }
    }
}
