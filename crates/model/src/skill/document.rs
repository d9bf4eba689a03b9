//! A SKILL.md that was read: what its frontmatter says, and where its body is.

use std::ops::Range;

use super::compatibility::SkillCompatibility;
use super::name::SkillName;
use super::one_line::one_line;
use crate::scan::{self, clean};

/// Characters of a description that every agent takes.
pub const LONGEST_DESCRIPTION: usize = 1024;

/// When a skill's body reaches the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SkillActivation {
    /// Whenever its crate is asked about.
    Always,
    /// Listed, and loaded when the agent wants it.
    #[default]
    Optional,
}

impl SkillActivation {
    /// Reads the value of the key `activation`.
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
    /// The name as it was written, if it was.
    pub written_name: Option<String>,
    /// The description as it was written; never empty.
    pub description: String,
    /// Crate atoms of `crates` and `depends-on`; any of them is enough. None: no condition.
    pub crates: Vec<String>,
    /// Predicates, all of which must hold.
    pub predicates: Vec<String>,
    /// When the body reaches the agent.
    pub activation: SkillActivation,
    /// Which agents it is for.
    pub compatibility: SkillCompatibility,
    pub license: Option<String>,
    /// Tools it may use, in the author's notation.
    pub allowed_tools: Option<String>,
    /// What `metadata` holds besides our own keys, with every value as text.
    pub metadata: Vec<(String, String)>,
    /// Top-level keys that nobody defined, with their values as text.
    pub other: Vec<(String, String)>,
    /// The body, in bytes of the text it was read from.
    pub body: Range<usize>,
}

impl SkillDocument {
    /// The description on one line, without characters nobody sees: for lists, terminals and agents.
    pub fn listed_description(&self) -> String {
        // Removing an unseen character can bring two blanks together, hence the second time.
        one_line(&clean(&one_line(&self.description)))
    }

    /// Everything the frontmatter says, decoded: escapes can hide from a look at the raw text what an agent will read.
    pub fn decoded_values(&self) -> impl Iterator<Item = &str> {
        let lists = self.crates.iter().chain(&self.predicates).map(String::as_str);
        let optional =
            [&self.written_name, &self.license, &self.allowed_tools].into_iter().flatten().map(String::as_str);
        let pairs = self.metadata.iter().chain(&self.other).flat_map(|(key, value)| [key.as_str(), value.as_str()]);
        std::iter::once(self.description.as_str()).chain(lists).chain(optional).chain(pairs)
    }

    /// What the scan finds in a skill's text, raw and decoded.
    pub fn scan(&self, text: &str) -> Vec<scan::ScanFinding> {
        let mut findings = scan::scan(text);
        for value in self.decoded_values() {
            // A place in the decoded value is none in the text; the frontmatter as a whole is meant.
            for found in scan::scan(value).into_iter().filter(|found| found.severity == scan::ScanSeverity::Blocking) {
                let known = |other: &scan::ScanFinding| other.kind == found.kind && other.span.start < self.body.start;
                if !findings.iter().any(known) {
                    findings.push(scan::ScanFinding { span: 0..self.body.start, ..found });
                }
            }
        }
        findings
    }

    /// The body, given the text this document was read from.
    pub fn body_of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.body.clone()).unwrap_or_default()
    }
}
