//! The lockfile of a project, `symposium.lock`: the pinned content of each source, and the extensions in use.

mod change;
mod parse;
mod paths;
mod print;
mod vendor_name;

use crate::plugin_index::PublishedPlugin;
use crate::sync::ContentFingerprint;

pub use change::{LockChange, LockChangeKind};
pub use parse::{is_object_id, parse};
pub use paths::{VENDORED, is_of_lock, lock_path, vendor_directory, vendored};

/// The version of the file format; a later one is not read.
const VERSION: u64 = 1;

/// The last line: a file without it was cut off.
const END: &str = "# end";

/// The pins of a project. Entries are sorted: two lockfiles with the same entries are equal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lockfile {
    sources: Vec<LockedSource>,
    extensions: Vec<LockedExtension>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedSource {
    pub name: String,
    pub pin: SourcePin,
}

/// The identity of a source's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourcePin {
    Builtin {
        version: String,
    },
    Git {
        url: String,
        commit: String,
        /// The hash of every path, mode and byte of it.
        tree: ContentFingerprint,
    },
    Path {
        tree: ContentFingerprint,
    },
    Index {
        url: String,
        /// The hash of every path, mode and byte of the plugins.
        tree: ContentFingerprint,
        plugins: Vec<PublishedPlugin>,
    },
}

impl SourcePin {
    /// Returns the hash of every path, mode and byte; `None` for the built-in source.
    pub fn tree(&self) -> Option<&ContentFingerprint> {
        match self {
            Self::Git { tree, .. } | Self::Path { tree } | Self::Index { tree, .. } => Some(tree),
            Self::Builtin { .. } => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedExtension {
    pub name: String,
    pub kind: ExtensionKind,
    pub source: String,
    /// Its SKILL.md or manifest, relative to the source.
    pub path: String,
    /// The crates it matched, each as `name version`.
    pub crates: Vec<String>,
    pub sha256: ContentFingerprint,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExtensionKind {
    /// A skill, with all the files in its directory.
    Skill,
    /// The hooks, session context and MCP servers of a plugin, hashed by its manifest.
    Workflow,
}

impl ExtensionKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Skill => "skill",
            Self::Workflow => "workflow",
        }
    }
}

impl Lockfile {
    /// Sorts the entries. Of two with one name, the first counts.
    pub fn new(mut sources: Vec<LockedSource>, mut extensions: Vec<LockedExtension>) -> Self {
        sources.sort_by(|a, b| a.name.cmp(&b.name));
        sources.dedup_by(|a, b| a.name == b.name);
        for extension in &mut extensions {
            extension.crates.sort();
            extension.crates.dedup();
        }
        extensions.sort_by(|a, b| (&a.name, a.kind).cmp(&(&b.name, b.kind)));
        extensions.dedup_by(|a, b| a.name == b.name && a.kind == b.kind);
        Self { sources, extensions }
    }

    pub fn sources(&self) -> &[LockedSource] {
        &self.sources
    }

    pub fn extensions(&self) -> &[LockedExtension] {
        &self.extensions
    }

    pub fn pin(&self, source: &str) -> Option<&SourcePin> {
        let at = self.sources.binary_search_by(|known| known.name.as_str().cmp(source)).ok()?;
        self.sources.get(at).map(|known| &known.pin)
    }

    pub fn extension(&self, kind: ExtensionKind, name: &str) -> Option<&LockedExtension> {
        let order = |known: &LockedExtension| (known.name.as_str(), known.kind).cmp(&(name, kind));
        let at = self.extensions.binary_search_by(order).ok()?;
        self.extensions.get(at)
    }
}

#[cfg(test)]
#[path = "lock_tests.rs"]
mod tests;
