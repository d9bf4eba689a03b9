//! Origins of crates: a registry, a git repository, or a directory.

use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum CrateOrigin {
    Registry {
        /// The text of Cargo.lock, `registry+https://…` or `sparse+https://…`; `None` when only a manifest names the
        /// crate.
        source: Option<String>,
    },
    Git(GitSource),
    Path {
        /// The directory of its manifest; `None` when that manifest was not read.
        directory: Option<PathBuf>,
    },
    Other {
        source: String,
    },
}

impl CrateOrigin {
    pub fn of_lock_source(source: &str) -> Self {
        let kind = source.split_once('+').map_or("", |(kind, _)| kind);
        match kind {
            "git" => Self::Git(GitSource::new(source)),
            "registry" | "sparse" | "local-registry" | "directory" => {
                Self::Registry { source: Some(source.to_owned()) }
            }
            "path" => Self::Path { directory: None },
            _ => Self::Other { source: source.to_owned() },
        }
    }
}

/// A git source in cargo's notation: `git+URL?branch=NAME#REVISION`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct GitSource(String);

impl GitSource {
    pub fn new(source: impl Into<String>) -> Self {
        Self(source.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn url(&self) -> &str {
        let text = self.0.strip_prefix("git+").unwrap_or(&self.0);
        let text = text.split_once('#').map_or(text, |(before, _)| before);
        text.split_once('?').map_or(text, |(before, _)| before)
    }

    /// Returns the branch, tag or revision that is asked for, as `branch=NAME`.
    pub fn reference(&self) -> Option<&str> {
        let text = self.0.split_once('#').map_or(self.0.as_str(), |(before, _)| before);
        text.split_once('?').map(|(_, reference)| reference)
    }

    pub fn revision(&self) -> Option<&str> {
        self.0.split_once('#').map(|(_, revision)| revision).filter(|revision| !revision.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_git_source_has_a_url_and_a_revision() {
        for (text, url, reference, revision) in [
            (
                "git+https://example.com/a/b?branch=main#0a1b2c",
                "https://example.com/a/b",
                Some("branch=main"),
                Some("0a1b2c"),
            ),
            ("git+ssh://git@example.com/a.git#ff", "ssh://git@example.com/a.git", None, Some("ff")),
            ("git+https://example.com/a", "https://example.com/a", None, None),
            ("https://example.com/a#", "https://example.com/a", None, None),
        ] {
            let source = GitSource::new(text);
            assert_eq!((source.url(), source.reference(), source.revision()), (url, reference, revision), "{text}");
        }
    }

    #[test]
    fn the_word_before_the_plus_decides() {
        assert!(matches!(CrateOrigin::of_lock_source("registry+https://x"), CrateOrigin::Registry { .. }));
        assert!(matches!(CrateOrigin::of_lock_source("sparse+https://x"), CrateOrigin::Registry { .. }));
        assert!(matches!(CrateOrigin::of_lock_source("git+https://x#1"), CrateOrigin::Git(_)));
        assert!(matches!(CrateOrigin::of_lock_source("path+file:///x"), CrateOrigin::Path { directory: None }));
        assert!(matches!(CrateOrigin::of_lock_source("hg+https://x"), CrateOrigin::Other { .. }));
    }
}
