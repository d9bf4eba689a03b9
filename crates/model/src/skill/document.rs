//! The parsed SKILL.md: the values of its frontmatter, and the position of its body.

use std::ops::Range;

use super::compatibility::SkillCompatibility;
use super::digest;
use super::name::SkillName;
use super::one_line::one_line;
use crate::scan::{self, clean};

/// The longest description that every agent accepts, in characters.
pub const LONGEST_DESCRIPTION: usize = 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SkillActivation {
    /// Included in every answer about its crate.
    Always,
    /// Listed, and loaded when the agent asks for it.
    #[default]
    Optional,
}

impl SkillActivation {
    pub fn parse(text: &str) -> Option<Self> {
        match text.trim().to_ascii_lowercase().as_str() {
            "always" => Some(Self::Always),
            "optional" => Some(Self::Optional),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillDocument {
    /// The name it is installed under.
    pub name: SkillName,
    pub written_name: Option<String>,
    /// The description as the file has it; never empty.
    pub description: String,
    /// Crate atoms of `crates` and `depends-on`; one match is enough. Empty: no condition.
    pub crates: Vec<String>,
    /// Predicates, all of which must hold.
    pub predicates: Vec<String>,
    pub activation: SkillActivation,
    /// The few lines that reach the model by themselves, as the file has them.
    pub digest: Option<String>,
    pub compatibility: SkillCompatibility,
    pub license: Option<String>,
    pub allowed_tools: Option<String>,
    /// The entries of `metadata` except Symposium's keys, with every value as text.
    pub metadata: Vec<(String, String)>,
    pub other: Vec<(String, String)>,
    /// The position of the body in bytes of the file.
    pub body: Range<usize>,
}

impl SkillDocument {
    /// Returns the description on one line, without invisible characters: for lists, terminals and agents.
    pub fn listed_description(&self) -> String {
        // Removing an invisible character can join two blanks, hence the second pass.
        one_line(&clean(&one_line(&self.description)))
    }

    /// Returns the text that reaches the model by itself: the digest, or the description where there is none.
    pub fn told_digest(&self) -> String {
        match &self.digest {
            Some(digest) => digest::shorten(&clean(digest)),
            None => self.listed_description(),
        }
    }

    /// Returns the first line of the text that reaches the model by itself.
    pub fn told_line(&self) -> String {
        match &self.digest {
            Some(digest) => clean(digest.trim_start().lines().next().unwrap_or_default()).trim().to_owned(),
            None => self.listed_description(),
        }
    }

    /// Returns every decoded value of the frontmatter: escapes can hide in the raw text what an agent will read.
    pub fn decoded_values(&self) -> impl Iterator<Item = &str> {
        let lists = self.crates.iter().chain(&self.predicates).map(String::as_str);
        let optional = [&self.written_name, &self.digest, &self.license, &self.allowed_tools]
            .into_iter()
            .flatten()
            .map(String::as_str);
        let pairs = self.metadata.iter().chain(&self.other).flat_map(|(key, value)| [key.as_str(), value.as_str()]);
        std::iter::once(self.description.as_str()).chain(lists).chain(optional).chain(pairs)
    }

    pub fn scan(&self, text: &str) -> Vec<scan::ScanFinding> {
        let mut findings = scan::scan(text);
        for value in self.decoded_values() {
            // A position in the decoded value is not one in the text, so the whole frontmatter is reported.
            for found in scan::scan(value).into_iter().filter(|found| found.severity == scan::ScanSeverity::Blocking) {
                let known = |other: &scan::ScanFinding| other.kind == found.kind && other.span.start < self.body.start;
                if !findings.iter().any(known) {
                    findings.push(scan::ScanFinding { span: 0..self.body.start, ..found });
                }
            }
        }
        findings
    }

    pub fn body_of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.body.clone()).unwrap_or_default()
    }
}
