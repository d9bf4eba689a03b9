//! Grants: the user's agreements that a plugin may run, as stored in the user's own directory.

use serde::{Deserialize, Serialize};

use super::content::GrantContent;
use crate::sync::ContentFingerprint;

const VERSION: u32 = 1;

/// The subject of a grant: one plugin at one place. Checkouts of a repository change their directory with every commit,
/// so a fetched source is identified by its address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrantSubject {
    /// The workspace, links resolved; absent when the grant is valid in every workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// The directory of the source with links resolved, or its address.
    pub source: String,
    /// The path of the plugin's manifest in the source.
    pub plugin: String,
}

/// The user's agreement that a plugin may run this content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    #[serde(flatten)]
    pub subject: GrantSubject,
    pub name: String,
    /// In seconds since 1970.
    pub granted: u64,
    pub content: GrantContent,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GrantSet {
    grants: Vec<Grant>,
}

#[derive(Serialize, Deserialize)]
struct GrantFile {
    version: u32,
    grants: Vec<Grant>,
}

impl GrantSet {
    /// Parses the file; returns `None` when it is not a grant file of this version.
    pub fn parse(text: &str) -> Option<Self> {
        let file: GrantFile = serde_json::from_str(text).ok()?;
        (file.version == VERSION).then_some(Self { grants: file.grants })
    }

    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        let mut text = serde_json::to_string_pretty(&GrantFile { version: VERSION, grants: self.grants.clone() })?;
        text.push('\n');
        Ok(text)
    }

    pub fn all(&self) -> &[Grant] {
        &self.grants
    }

    pub fn find(&self, subject: &GrantSubject) -> Option<&Grant> {
        self.grants.iter().find(|grant| grant.subject == *subject)
    }

    /// Returns the grants for other subjects with exactly this content.
    pub fn elsewhere<'g>(
        &'g self,
        content: &'g GrantContent,
        subject: &'g GrantSubject,
    ) -> impl Iterator<Item = &'g Grant> {
        self.grants.iter().filter(move |grant| grant.content == *content && grant.subject != *subject)
    }

    pub fn add(&mut self, grant: Grant) {
        self.grants.retain(|known| known.subject != grant.subject);
        self.grants.push(grant);
    }

    /// Removes and returns the grants that `is_meant` selects.
    pub fn withdraw(&mut self, is_meant: impl Fn(&Grant) -> bool) -> Vec<Grant> {
        let (gone, kept) = std::mem::take(&mut self.grants).into_iter().partition(|grant| is_meant(grant));
        self.grants = kept;
        gone
    }

    pub fn covers(&self, hash: &str) -> bool {
        let files = self.grants.iter().flat_map(|grant| grant.content.files());
        files.map(|file| &file.hash).map(ContentFingerprint::as_str).any(|known| known == hash)
    }
}

#[cfg(test)]
mod tests {
    use super::super::content::CoveredFile;
    use super::*;
    use crate::sync::fingerprint;

    fn grant(workspace: Option<&str>, text: &str) -> Grant {
        let subject = GrantSubject {
            workspace: workspace.map(str::to_owned),
            source: "/s".to_owned(),
            plugin: "p/SYMPOSIUM.toml".to_owned(),
        };
        let content = vec![CoveredFile { path: "m".to_owned(), hash: fingerprint(text.as_bytes()) }].into();
        Grant { subject, name: "p".to_owned(), granted: 7, content }
    }

    #[test]
    fn grants_are_kept_replaced_found_and_withdrawn() {
        let mut grants = GrantSet::default();
        grants.add(grant(Some("/a"), "one"));
        grants.add(grant(Some("/b"), "one"));
        grants.add(grant(Some("/a"), "two"));
        grants.add(grant(None, "two"));
        let text = grants.to_text().unwrap();
        assert_eq!(GrantSet::parse(&text), Some(grants.clone()));
        let here = grant(Some("/a"), "two");
        assert_eq!(grants.find(&here.subject), Some(&here));
        assert_eq!(grants.find(&grant(Some("/c"), "two").subject), None);
        let elsewhere: Vec<_> = grants.elsewhere(&here.content, &here.subject).collect();
        assert_eq!(elsewhere, [&grant(None, "two")]);
        assert!(grants.covers(fingerprint(b"one").as_str()) && !grants.covers(fingerprint(b"three").as_str()));
        assert_eq!(grants.withdraw(|grant| grant.subject.workspace.as_deref() == Some("/a")), [here]);
        assert_eq!(grants.all().len(), 2);
    }

    #[test]
    fn what_is_not_ours_is_not_read() {
        for text in ["", "{", "[]", "{}", r#"{"version":2,"grants":[]}"#, r#"{"version":1,"grants":[{"name":"x"}]}"#] {
            assert_eq!(GrantSet::parse(text), None, "{text}");
        }
        assert_eq!(GrantSet::parse(r#"{"version":1,"grants":[]}"#), Some(GrantSet::default()));
    }
}
