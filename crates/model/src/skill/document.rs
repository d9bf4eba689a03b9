//! A SKILL.md that was read: what its frontmatter says, and where its body is.

use std::ops::Range;

use super::compatibility::Compatibility;
use super::name::SkillName;
use super::one_line::one_line;
use crate::scan::clean;

/// Characters of a description that every agent takes.
pub const LONGEST_DESCRIPTION: usize = 1024;

/// When a skill's body reaches the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Activation {
    /// Whenever its crate is asked about.
    Always,
    /// Listed, and loaded when the agent wants it.
    #[default]
    Optional,
}

impl Activation {
    /// Reads the value of the key `activation`.
    pub fn parse(text: &str) -> Option<Self> {
        match text.trim().to_ascii_lowercase().as_str() {
            "always" => Some(Self::Always),
            "optional" => Some(Self::Optional),
            _ => None,
        }
    }
}

/// What a SKILL.md says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
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
    pub activation: Activation,
    /// Which agents it is for.
    pub compatibility: Compatibility,
    /// The licence.
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

impl Document {
    /// The description on one line, without characters nobody sees: for lists, terminals and agents.
    pub fn listed_description(&self) -> String {
        // Removing an unseen character can bring two blanks together, hence the second time.
        one_line(&clean(&one_line(&self.description)))
    }

    /// The body, given the text this document was read from.
    pub fn body_of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.body.clone()).unwrap_or_default()
    }
}
