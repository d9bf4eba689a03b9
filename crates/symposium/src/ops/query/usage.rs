//! Reads how often the skills of a workspace were loaded, as counted by the hook.

use std::path::Path;

use symposium_io::{clock, fs};
use symposium_model::config::AppDirectories;
use symposium_model::crates::CrateName;
use symposium_model::evaluate::FoundCrate;
use symposium_model::skill::{SkillActivation, SkillDocument};
use symposium_model::usage::{LoadCount, LoadKind, read_counts, workspace_number};

use crate::ops::fetch_report::describe_age;

/// A file beyond this is not ours.
const MAX_USAGE: u64 = 4 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SkillUse {
    pub(crate) count: u64,
    /// The time of the last use, in seconds since 1970.
    pub(crate) last: u64,
    pub(crate) agent: String,
}

impl SkillUse {
    /// Tells it in a column: `3x, 2 h ago`.
    pub(crate) fn brief(&self) -> String {
        let seconds = clock::now().saturating_sub(self.last);
        let ago = match seconds {
            0..60 => "just now".to_owned(),
            60..3_600 => format!("{} min ago", seconds / 60),
            3_600..86_400 => format!("{} h ago", seconds / 3_600),
            _ => format!("{} d ago", seconds / 86_400),
        };
        format!("{}x, {ago}", self.count)
    }

    /// Tells it in a sentence.
    pub(crate) fn sentence(&self) -> String {
        let times = if self.count == 1 { "once".to_owned() } else { format!("{} times", self.count) };
        format!("agents loaded it {times} here, last {} with {}", describe_age(self.last), self.agent)
    }
}

pub(crate) struct UsageCounts {
    counts: Vec<LoadCount>,
}

impl UsageCounts {
    /// Reads it; what cannot be read was not counted.
    pub(crate) fn read(directories: &AppDirectories, root: Option<&Path>) -> Self {
        let text = fs::read_text_if_there(&directories.usage_file(), MAX_USAGE).ok().flatten();
        let here = workspace_number(root);
        let mut counts = read_counts(&text.unwrap_or_default());
        counts.retain(|found| found.workspace == here);
        Self { counts }
    }

    /// Returns how often a skill was loaded: by its name, or because its crate was asked about, where that shows its text.
    pub(crate) fn of_skill(&self, skill: &SkillDocument, crates: &[FoundCrate]) -> Option<SkillUse> {
        let is_of = |found: &&LoadCount| match found.kind {
            LoadKind::Skill => found.name == skill.name.as_str(),
            LoadKind::Crate => {
                let asked = CrateName::parse(&found.name);
                skill.activation == SkillActivation::Always
                    && crates.iter().any(|own| Some(&own.name) == asked.as_ref())
            }
        };
        let loads: Vec<&LoadCount> = self.counts.iter().filter(is_of).collect();
        let latest = loads.iter().max_by_key(|found| found.last)?;
        let count = loads.iter().map(|found| found.count).sum();
        Some(SkillUse { count, last: latest.last, agent: latest.agent.clone() })
    }
}
