//! The input: one package, its features and dependencies, and its files.

use std::collections::{BTreeMap, BTreeSet};

/// Describes a package whose public items are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CrateInput {
    /// The name that code uses: underscores, and `[lib] name` if there is one.
    pub name: String,
    /// The name of the package.
    pub package: String,
    pub version: String,
    pub edition: CrateEdition,
    /// The root file of the library, from the package's directory, with `/`.
    pub lib_path: String,
    pub is_proc_macro: bool,
    pub enabled_features: BTreeSet<String>,
    /// The names that code uses for other crates.
    pub dependencies: BTreeMap<String, PackageId>,
    pub target: TargetFacts,
}

/// Names one version of a package.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct PackageId {
    pub name: String,
    pub version: String,
}

/// Says how paths in `use` declarations begin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CrateEdition {
    /// At the root of the crate.
    Rust2015,
    /// At names in scope, or at crates. All later editions do the same.
    #[default]
    Rust2018,
}

impl CrateEdition {
    /// Reads the key `edition` of a manifest; without one it is the first.
    pub fn from_manifest(edition: Option<&str>) -> Self {
        match edition {
            None | Some("2015") => Self::Rust2015,
            Some(_) => Self::Rust2018,
        }
    }
}

/// Lists what `cfg` asks of the platform and of build scripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetFacts {
    /// Names that are set without a value, such as `unix`.
    pub flags: BTreeSet<String>,
    /// Names and values, such as `target_os` and `linux`.
    pub values: BTreeSet<(String, String)>,
}

impl Default for TargetFacts {
    fn default() -> Self {
        Self::linux()
    }
}

impl TargetFacts {
    /// Describes 64-bit Linux.
    pub fn linux() -> Self {
        Self::with_values("unix", &[("target_os", "linux"), ("target_env", "gnu")])
    }

    /// Describes the platform this program was built for.
    pub fn host() -> Self {
        if cfg!(target_os = "macos") {
            Self::with_values("unix", &[("target_os", "macos"), ("target_vendor", "apple"), ("target_env", "")])
        } else if cfg!(windows) {
            Self::with_values("windows", &[("target_os", "windows"), ("target_env", "msvc")])
        } else {
            Self::linux()
        }
    }

    fn with_values(family: &str, platform: &[(&str, &str)]) -> Self {
        let arch = if cfg!(target_arch = "aarch64") { "aarch64" } else { "x86_64" };
        let always = [
            ("target_arch", arch),
            ("target_family", family),
            ("target_endian", "little"),
            ("target_pointer_width", "64"),
            ("target_has_atomic", "8"),
            ("target_has_atomic", "16"),
            ("target_has_atomic", "32"),
            ("target_has_atomic", "64"),
            ("target_has_atomic", "ptr"),
            ("target_feature", "sse"),
            ("target_feature", "sse2"),
            ("panic", "unwind"),
        ];
        let flags = [family, "debug_assertions", "panic", "target_has_atomic", "target_thread_local"];
        Self {
            flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
            values: platform
                .iter()
                .chain(&always)
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        }
    }
}

/// Hands out the files of a package.
pub trait SourceFiles {
    /// Reads a file by its path from the package's directory, with `/` and without `..`.
    fn read(&self, path: &str) -> SourceContent;
}

impl<F: Fn(&str) -> SourceContent> SourceFiles for F {
    fn read(&self, path: &str) -> SourceContent {
        self(path)
    }
}

/// Holds what reading a file gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceContent {
    Text(String),
    Missing,
    /// It is there, but too large, not UTF-8, or not readable; with the reason.
    Refused(String),
}

/// Bounds what one crate may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexLimits {
    pub file_bytes: usize,
    pub total_bytes: usize,
    pub files: usize,
    pub items: usize,
    /// Macro calls that are expanded.
    pub expansions: usize,
    /// Tokens that all expansions make together.
    pub expanded_tokens: usize,
    /// Tokens that are compared with the patterns of macros, those that do not fit included.
    pub matching_steps: usize,
}

impl Default for IndexLimits {
    fn default() -> Self {
        Self {
            file_bytes: 5 << 20,
            total_bytes: 64 << 20,
            files: 10_000,
            items: 200_000,
            expansions: 100_000,
            expanded_tokens: 8_000_000,
            matching_steps: 20_000_000,
        }
    }
}
