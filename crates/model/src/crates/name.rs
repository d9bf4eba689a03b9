//! Names of crates, compared as cargo does: `-` and `_` are the same.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A crate's name as written; `serde-json` and `serde_json` compare equal.
#[derive(Debug, Clone)]
pub struct CrateName(Box<str>);

impl CrateName {
    /// Parses a name that cargo accepts: a letter or `_`, then letters, digits, `-` and `_`, at most 64 bytes.
    pub fn parse(text: &str) -> Option<Self> {
        let is_first = |c: char| c.is_alphabetic() || c == '_';
        let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let is_letter = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        let well_formed = text.len() <= 64
            && text.starts_with(is_first)
            // The characters of nearly all names are checked without a Unicode table.
            && (text.bytes().all(is_usual) || text.chars().all(is_letter));
        well_formed.then(|| Self(text.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn folded(&self) -> impl Iterator<Item = u8> + '_ {
        fold(&self.0)
    }

    /// Returns true if a text is this name, without parsing it.
    pub fn is_written(&self, text: &str) -> bool {
        self.folded().eq(fold(text))
    }

    pub(super) fn cmp_text(&self, text: &str) -> Ordering {
        self.folded().cmp(fold(text))
    }
}

fn fold(text: &str) -> impl Iterator<Item = u8> + '_ {
    text.bytes().map(|byte| if byte == b'_' { b'-' } else { byte })
}

impl fmt::Display for CrateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PartialEq for CrateName {
    fn eq(&self, other: &Self) -> bool {
        self.folded().eq(other.folded())
    }
}

impl Eq for CrateName {}

impl PartialOrd for CrateName {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for CrateName {
    fn cmp(&self, other: &Self) -> Ordering {
        self.folded().cmp(other.folded())
    }
}

impl Hash for CrateName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for byte in self.folded() {
            state.write_u8(byte);
        }
        state.write_u8(0xff);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_cargo() {
        for good in ["serde", "serde_json", "tokio-util", "_x", "a1", "r2d2"] {
            assert!(CrateName::parse(good).is_some(), "{good}");
        }
        for bad in ["", "1a", "-a", "a b", "a/b", "../x", "a.b", "*", &"a".repeat(65)] {
            assert!(CrateName::parse(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn dash_and_underscore_are_the_same() {
        let name = |text| CrateName::parse(text).unwrap();
        assert_eq!(name("serde-json"), name("serde_json"));
        assert_ne!(name("serde-json"), name("serdejson"));
        assert_eq!(name("serde_json").to_string(), "serde_json");
        let set = std::collections::HashSet::from([name("a-b")]);
        assert!(set.contains(&name("a_b")));
    }
}
