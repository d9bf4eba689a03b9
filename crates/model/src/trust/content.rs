//! The content that a grant covers: the manifest of a plugin and every file its commands name, each with its hash.

use serde::{Deserialize, Serialize};

use crate::sync::{ContentFingerprint, fingerprint};

/// A file of a plugin at the time of the grant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CoveredFile {
    /// Relative to the plugin's directory, or to the workspace after `$SYMPOSIUM_WORKSPACE/`.
    pub path: String,
    pub hash: ContentFingerprint,
}

/// Everything a grant covers, sorted by path.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Vec<CoveredFile>", into = "Vec<CoveredFile>")]
pub struct GrantContent {
    files: Vec<CoveredFile>,
}

impl From<Vec<CoveredFile>> for GrantContent {
    fn from(mut files: Vec<CoveredFile>) -> Self {
        files.sort();
        files.dedup();
        Self { files }
    }
}

impl From<GrantContent> for Vec<CoveredFile> {
    fn from(content: GrantContent) -> Self {
        content.files
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentChangeKind {
    /// It did not exist, or no command named it.
    Added,
    /// It no longer exists, or no command names it any more.
    Removed,
    Changed,
}

impl ContentChangeKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentChange {
    pub path: String,
    pub kind: ContentChangeKind,
    /// The content at the time of the grant.
    pub before: Option<ContentFingerprint>,
}

impl GrantContent {
    pub fn files(&self) -> &[CoveredFile] {
        &self.files
    }

    /// Returns one fingerprint for all of it.
    pub fn fingerprint(&self) -> ContentFingerprint {
        let mut text = String::new();
        for file in &self.files {
            // The length comes first, so that a line end in a path cannot pass for the end of an entry.
            text.push_str(&format!("{} {} {}\n", file.path.len(), file.path, file.hash.as_str()));
        }
        fingerprint(text.as_bytes())
    }

    pub fn changes_since(&self, earlier: &Self) -> Vec<ContentChange> {
        let in_content = |content: &Self, path: &str| {
            content.files.iter().find(|file| file.path == path).map(|file| file.hash.clone())
        };
        let mut changes = Vec::new();
        for file in &self.files {
            let before = in_content(earlier, &file.path);
            let kind = match &before {
                None => ContentChangeKind::Added,
                Some(hash) if *hash == file.hash => continue,
                Some(_) => ContentChangeKind::Changed,
            };
            changes.push(ContentChange { path: file.path.clone(), kind, before });
        }
        for file in earlier.files.iter().filter(|file| in_content(self, &file.path).is_none()) {
            let before = Some(file.hash.clone());
            changes.push(ContentChange { path: file.path.clone(), kind: ContentChangeKind::Removed, before });
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(files: &[(&str, &str)]) -> GrantContent {
        let covered =
            |(path, text): &(&str, &str)| CoveredFile { path: (*path).to_owned(), hash: fingerprint(text.as_bytes()) };
        files.iter().map(covered).collect::<Vec<_>>().into()
    }

    #[test]
    fn every_byte_and_name_counts_and_the_order_does_not() {
        let whole = content(&[("a", "1"), ("b", "2")]);
        assert_eq!(whole.fingerprint(), content(&[("b", "2"), ("a", "1")]).fingerprint());
        for other in
            [&[("a", "1")][..], &[("a", "1"), ("b", "3")], &[("a", "1"), ("c", "2")], &[("a", "2"), ("b", "1")]]
        {
            assert_ne!(whole.fingerprint(), content(other).fingerprint(), "{other:?}");
        }
    }

    #[test]
    fn changes_say_what_became_of_each_file() {
        let earlier = content(&[("gone", "1"), ("other", "1"), ("same", "1")]);
        let now = content(&[("new", "1"), ("other", "2"), ("same", "1")]);
        let changes: Vec<_> =
            now.changes_since(&earlier).into_iter().map(|change| (change.path, change.kind.name())).collect();
        assert_eq!(
            changes,
            [("new".to_owned(), "added"), ("other".to_owned(), "changed"), ("gone".to_owned(), "removed")]
        );
        assert_eq!(earlier.changes_since(&earlier), []);
    }
}
