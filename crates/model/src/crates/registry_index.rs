//! Reads what cargo keeps on disk of a registry's index: `$CARGO_HOME/registry/index/*/.cache/se/rd/serde`.

use std::collections::BTreeMap;
use std::fmt;

use semver::Version;
use serde::Deserialize;

/// The form of the file that cargo has written since 1.69.
const CACHE_VERSION: u8 = 3;

/// The form of the lines in it that cargo has read since 1.60. A cargo that knows only the first one leaves out versions
/// whose features need the second, so that nothing could be said about what is missing.
const SCHEMA_VERSION: u32 = 2;

/// All versions of one crate that cargo knew when it last asked the registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryEntry {
    pub versions: Vec<RegistryVersion>,
    /// Versions that could not be understood; nothing is known about them but that they exist.
    pub unread: Vec<String>,
}

/// One published version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryVersion {
    pub version: Version,
    pub yanked: bool,
    pub features: BTreeMap<String, Vec<String>>,
    pub dependencies: Vec<RegistryDependency>,
    pub rust_version: Option<Version>,
}

/// A dependency of a published version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryDependency {
    /// The name that its features use.
    pub name: String,
    /// The crate's own name, when that is another one.
    pub package: Option<String>,
    pub requirement: String,
    pub optional: bool,
}

/// A file of cargo's index cache that cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexCacheError {
    /// The file has another form than the one known here.
    UnknownCache(u8),
    /// The lines have another form than the one known here.
    UnknownSchema(u32),
    /// The file ends too early, or holds no version.
    Torn,
}

impl fmt::Display for IndexCacheError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCache(version) => {
                write!(f, "version {version} of cargo's index cache is not supported, only version {CACHE_VERSION}")
            }
            Self::UnknownSchema(version) => {
                write!(f, "schema {version} of cargo's index cache is not supported, only schema {SCHEMA_VERSION}")
            }
            Self::Torn => f.write_str("the file of cargo's index cache is incomplete"),
        }
    }
}

impl std::error::Error for IndexCacheError {}

/// Reads one file of cargo's index cache.
///
/// The form: a byte for the form of the file, four bytes (little endian) for the form of the lines, the state of the index
/// it was made from, and for each version its number and a line of JSON; each of these ends with a zero byte.
pub fn parse_index_cache(bytes: &[u8]) -> Result<RegistryEntry, IndexCacheError> {
    let (cache_version, rest) = bytes.split_first().ok_or(IndexCacheError::Torn)?;
    if *cache_version != CACHE_VERSION {
        return Err(IndexCacheError::UnknownCache(*cache_version));
    }
    let (schema, rest) = rest.split_first_chunk::<4>().ok_or(IndexCacheError::Torn)?;
    let schema = u32::from_le_bytes(*schema);
    if schema != SCHEMA_VERSION {
        return Err(IndexCacheError::UnknownSchema(schema));
    }
    // Without the zero byte at the end the last part was cut.
    let rest = rest.strip_suffix(&[0]).ok_or(IndexCacheError::Torn)?;
    let mut parts = rest.split(|byte| *byte == 0);
    let _index_state = parts.next();
    let mut entry = RegistryEntry { versions: Vec::new(), unread: Vec::new() };
    while let Some(number) = parts.next() {
        let line = parts.next().ok_or(IndexCacheError::Torn)?;
        match read_version(number, line) {
            Some(version) => entry.versions.push(version),
            None => entry.unread.push(String::from_utf8_lossy(number).into_owned()),
        }
    }
    if entry.versions.is_empty() && entry.unread.is_empty() {
        return Err(IndexCacheError::Torn);
    }
    Ok(entry)
}

/// A line of the index, with the keys that are needed.
#[derive(Deserialize)]
struct IndexLine {
    vers: String,
    #[serde(default)]
    deps: Vec<IndexDependency>,
    #[serde(default)]
    features: BTreeMap<String, Vec<String>>,
    /// Features with newer syntax, apart so that older cargos do not see them.
    #[serde(default)]
    features2: Option<BTreeMap<String, Vec<String>>>,
    #[serde(default)]
    yanked: Option<bool>,
    #[serde(default)]
    rust_version: Option<String>,
    #[serde(default)]
    v: Option<u32>,
}

#[derive(Deserialize)]
struct IndexDependency {
    name: String,
    #[serde(default)]
    req: String,
    #[serde(default)]
    optional: bool,
    #[serde(default)]
    package: Option<String>,
}

fn read_version(number: &[u8], line: &[u8]) -> Option<RegistryVersion> {
    let line: IndexLine = serde_json::from_slice(line).ok()?;
    if line.v.unwrap_or(1) > SCHEMA_VERSION || line.vers.as_bytes() != number {
        return None;
    }
    let mut features = line.features;
    features.extend(line.features2.unwrap_or_default());
    let dependencies = line.deps.into_iter().map(|dependency| RegistryDependency {
        name: dependency.name,
        package: dependency.package,
        requirement: dependency.req,
        optional: dependency.optional,
    });
    Some(RegistryVersion {
        version: Version::parse(&line.vers).ok()?,
        yanked: line.yanked.unwrap_or(false),
        features,
        dependencies: dependencies.collect(),
        rust_version: line.rust_version.as_deref().and_then(parse_rust_version),
    })
}

impl RegistryVersion {
    /// Tells whether a dependency on this version can ask for a feature: a declared one, or one made by an optional
    /// dependency that no feature names as `dep:…`.
    pub fn has_feature(&self, feature: &str) -> bool {
        feature == "default"
            || self.features.contains_key(feature)
            || self.implied_features().any(|implied| implied == feature)
    }

    /// The names of all features.
    pub fn feature_names(&self) -> impl Iterator<Item = &str> {
        self.features.keys().map(String::as_str).chain(self.implied_features())
    }

    fn implied_features(&self) -> impl Iterator<Item = &str> {
        let optional = self.dependencies.iter().filter(|dependency| dependency.optional);
        optional.map(|dependency| dependency.name.as_str()).filter(|name| {
            let mut enabled = self.features.values().flatten();
            !enabled.any(|enabled| enabled.strip_prefix("dep:") == Some(name))
        })
    }
}

/// Reads a `rust-version`: two or three numbers.
pub fn parse_rust_version(text: &str) -> Option<Version> {
    let text = text.trim();
    match text.split('.').count() {
        1 => Version::parse(&format!("{text}.0.0")).ok(),
        2 => Version::parse(&format!("{text}.0")).ok(),
        _ => Version::parse(text).ok(),
    }
}

/// The file of a crate below `.cache`, as cargo names it: `3/l/log`, `se/rd/serde`.
pub fn index_cache_path(name: &str) -> Option<String> {
    let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if name.is_empty() || !name.bytes().all(is_usual) {
        return None;
    }
    let name = name.to_ascii_lowercase();
    Some(match name.len() {
        length @ (1 | 2) => format!("{length}/{name}"),
        3 => format!("3/{}/{name}", name.get(..1)?),
        _ => format!("{}/{}/{name}", name.get(..2)?, name.get(2..4)?),
    })
}

#[cfg(test)]
#[path = "registry_index_tests.rs"]
mod tests;
