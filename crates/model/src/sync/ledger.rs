//! The ledger: a record of everything Symposium wrote, so that it can be reverted.

mod record_index;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::amendment::FileAmendment;
use super::tree::SkillTree;
use super::written_entry::WrittenEntry;
use crate::agent::AgentId;
use crate::edit::EditFormat;
use crate::fingerprint::{ContentFingerprint, fingerprint};

use record_index::RecordIndex;

/// The version of the file's form; another one is not read.
const VERSION: u32 = 1;

/// Everything Symposium wrote outside its own directories.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    version: u32,
    /// The configuration directory that the ledger was written in. In a copy of that directory it is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<PathBuf>,
    /// One record for each file or directory.
    pub records: RecordIndex,
    /// Directories that Symposium created. They are removed when they are empty.
    #[serde(default)]
    pub directories: Vec<PathBuf>,
    /// Workspaces in which the user ran Symposium on this machine, even if nothing had to be written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synchronised: Vec<PathBuf>,
    /// Events that were registered because a plugin handled them. They stay registered when it does no longer: some
    /// agents trust a registration by its text and position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<RegisteredEvent>,
    /// Sentences that were said once in a workspace, and are not said again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    said: Vec<SaidSentence>,
}

/// Something that was said in a workspace; outside any without one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct SaidSentence {
    workspace: Option<PathBuf>,
    sentence: String,
}

impl Default for Ledger {
    fn default() -> Self {
        Self {
            version: VERSION,
            home: None,
            records: RecordIndex::default(),
            directories: Vec::new(),
            synchronised: Vec::new(),
            events: Vec::new(),
            said: Vec::new(),
        }
    }
}

/// An event that is registered with an agent besides the usual ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisteredEvent {
    pub agent: AgentId,
    /// The workspace it is registered for; `None` for what is written once for the user.
    pub workspace: Option<PathBuf>,
    /// The event, as the word of `hook AGENT EVENT`.
    pub event: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerRecord {
    pub path: PathBuf,
    /// The workspace it was written for; `None` for what is written once for the user.
    pub workspace: Option<PathBuf>,
    /// Further workspaces that want it: those of one repository share what is at its root.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_for: Vec<PathBuf>,
    /// The agents it is for.
    pub agents: Vec<AgentId>,
    /// The extension it belongs to; `None` for Symposium's own registration.
    pub extension: Option<String>,
    /// The source it came from, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    pub written: WrittenContent,
    /// In seconds since 1970.
    pub time: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WrittenContent {
    /// Entries in a file of others.
    Entries {
        format: EditFormat,
        entries: Vec<WrittenEntry>,
        /// Containers that were not there before.
        created: Vec<Vec<String>>,
        /// Set when the file itself did not exist before.
        new_file: bool,
        /// Rules of ours that the user deleted. They are not written again, and whatever is there now is the user's.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        removed_by_user: Vec<WrittenEntry>,
        /// Rules that are about to be written for the first time: that they are absent says nothing about the user.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unconfirmed: Vec<WrittenEntry>,
    },
    File {
        fingerprint: ContentFingerprint,
        /// The content it is about to get, while it is being replaced.
        #[serde(default)]
        next: Option<ContentFingerprint>,
    },
    Skill {
        fingerprint: ContentFingerprint,
        /// The content it is about to get, while it is being replaced.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<ContentFingerprint>,
    },
    /// Lines in a configuration file or lockfile of Symposium that the user, or an earlier program, wrote.
    Amended {
        /// The content without these lines.
        before: ContentFingerprint,
        /// The file as Symposium left it; two states while it is being written.
        states: Vec<FileAmendment>,
    },
}

impl LedgerRecord {
    /// Makes a record that belongs to no agent and no extension.
    pub(super) fn new(path: PathBuf, workspace: Option<PathBuf>, written: WrittenContent, time: u64) -> Self {
        Self { path, workspace, also_for: Vec::new(), agents: Vec::new(), extension: None, source: None, written, time }
    }

    /// The workspaces that want it; none for what is written once for the user.
    pub fn workspaces(&self) -> impl Iterator<Item = &Path> {
        self.workspace.iter().chain(&self.also_for).map(PathBuf::as_path)
    }

    /// Returns true if a workspace wants it.
    pub fn is_for(&self, workspace: Option<&Path>) -> bool {
        workspace.is_some_and(|workspace| self.workspaces().any(|known| known == workspace))
    }

    /// The same, wanted also by the workspaces that wanted the one it replaces.
    #[must_use]
    pub fn shared_with(mut self, replaced: &Self) -> Self {
        if self.workspace.is_some() {
            let mut all: Vec<PathBuf> = replaced.workspaces().map(Path::to_owned).collect();
            for workspace in self.workspace.take().into_iter().chain(std::mem::take(&mut self.also_for)) {
                if !all.contains(&workspace) {
                    all.push(workspace);
                }
            }
            self.set_workspaces(all);
        }
        self
    }

    /// Returns the same in the place of a known record: its time changes only with its content.
    #[must_use]
    pub fn renewing(self, known: Option<&Self>) -> Self {
        let Some(known) = known else { return self };
        let mut fresh = self.shared_with(known);
        let now = std::mem::replace(&mut fresh.time, known.time);
        if fresh != *known {
            fresh.time = now;
        }
        fresh
    }

    /// Puts the first at its place: versions that know only one workspace read that.
    fn set_workspaces(&mut self, workspaces: Vec<PathBuf>) {
        let mut workspaces = workspaces.into_iter();
        self.workspace = workspaces.next();
        self.also_for = workspaces.collect();
    }
}

impl WrittenContent {
    pub fn entries(&self) -> &[WrittenEntry] {
        if let Self::Entries { entries, .. } = self { entries } else { &[] }
    }

    /// The same, with every entry that was known before: until a file is written, what is in it may be either.
    #[must_use]
    pub fn or_still(self, known: &Self) -> Self {
        self.with_entries(known, |old, new| old == new)
    }

    /// Returns the same before it is written: the rules that are new are not confirmed yet.
    #[must_use]
    pub(super) fn before_write(mut self, known: Option<&Self>) -> Self {
        if let Self::Entries { entries, unconfirmed, .. } = &mut self {
            let is_confirmed = |entry: &&WrittenEntry| match known {
                Some(Self::Entries { entries, unconfirmed, .. }) => {
                    entries.contains(entry) && !unconfirmed.contains(entry)
                }
                Some(Self::File { .. } | Self::Skill { .. } | Self::Amended { .. }) | None => false,
            };
            *unconfirmed =
                entries.iter().filter(|entry| entry.is_list_item() && !is_confirmed(entry)).cloned().collect();
        }
        self
    }

    /// Adds the entries that were known at other positions and are not removed yet.
    #[must_use]
    pub fn beside(self, known: &Self) -> Self {
        self.with_entries(known, |old, new| old.path == new.path && old.slot == new.slot)
    }

    fn with_entries(mut self, known: &Self, is_replaced_by: fn(&WrittenEntry, &WrittenEntry) -> bool) -> Self {
        if let (Self::Entries { entries, .. }, Self::Entries { entries: old, .. }) = (&mut self, known) {
            let kept = old.iter().filter(|old| !entries.iter().any(|new| is_replaced_by(old, new)));
            let kept: Vec<WrittenEntry> = kept.cloned().collect();
            entries.extend(kept);
        }
        self
    }

    /// Returns the same with only these entries.
    #[must_use]
    pub(super) fn retaining(mut self, is_kept: impl Fn(&WrittenEntry) -> bool) -> Self {
        if let Self::Entries { entries, .. } = &mut self {
            entries.retain(is_kept);
        }
        self
    }

    /// A whole file with this content.
    pub fn file(text: &str) -> Self {
        Self::File { fingerprint: fingerprint(text.as_bytes()), next: None }
    }

    /// Returns true for a whole file whose content is what Symposium wrote or was about to write.
    pub fn is_file(&self, text: &str) -> bool {
        match self {
            Self::File { fingerprint: written, next } => {
                let found = fingerprint(text.as_bytes());
                *written == found || *next == Some(found)
            }
            Self::Entries { .. } | Self::Skill { .. } | Self::Amended { .. } => false,
        }
    }

    /// A skill directory with this content.
    pub fn skill(fingerprint: ContentFingerprint) -> Self {
        Self::Skill { fingerprint, next: None }
    }

    /// Returns true if a skill directory is as Symposium wrote it or was about to write it.
    pub fn is_skill(&self, tree: &SkillTree) -> bool {
        self.is_skill_of(&tree.fingerprint())
    }

    pub(super) fn is_skill_of(&self, found: &ContentFingerprint) -> bool {
        match self {
            Self::Skill { fingerprint, next } => fingerprint == found || next.as_ref() == Some(found),
            Self::Entries { .. } | Self::File { .. } | Self::Amended { .. } => false,
        }
    }

    /// Records that the skill directory, which now contains `found`, is being replaced: until that is done it may
    /// contain either. Content that is neither as Symposium wrote it nor as it was about to is the user's.
    #[must_use]
    pub fn or_next(self, found: Option<ContentFingerprint>, next: ContentFingerprint) -> Self {
        let found = found.filter(|found| self.is_skill_of(found));
        match self {
            Self::Skill { fingerprint, .. } => {
                Self::Skill { fingerprint: found.unwrap_or(fingerprint), next: Some(next) }
            }
            Self::Entries { .. } | Self::File { .. } | Self::Amended { .. } => self,
        }
    }
}

impl Ledger {
    pub fn has_said(&self, workspace: Option<&Path>, sentence: &str) -> bool {
        self.said.iter().any(|said| said.workspace.as_deref() == workspace && said.sentence == sentence)
    }

    /// Remembers what was said in a workspace, and forgets what is no longer so, and where there is none any more.
    pub fn say(&mut self, workspace: Option<&Path>, sentences: Vec<String>) {
        let known = |of: &Option<PathBuf>| of.as_ref().is_none_or(|of| self.synchronised.contains(of));
        let others = self.said.iter().filter(|said| said.workspace.as_deref() != workspace && known(&said.workspace));
        self.said = others.cloned().collect();
        self.add_said(workspace, sentences);
    }

    /// Remembers more that was said in a workspace.
    pub fn add_said(&mut self, workspace: Option<&Path>, sentences: Vec<String>) {
        let workspace = workspace.map(Path::to_owned);
        self.said.extend(sentences.into_iter().map(|sentence| SaidSentence { workspace: workspace.clone(), sentence }));
    }

    /// Forgets all that belongs to the home this ledger was copied from: what was written for the user, and everything
    /// in workspaces below the directory `original`.
    pub fn forget_original(&mut self, original: &Path) {
        let is_left = |workspace: &Path| !workspace.starts_with(original);
        self.synchronised.retain(|workspace| is_left(workspace));
        self.events.retain(|event| event.workspace.as_deref().is_some_and(is_left));
        self.records.retain_mut(|record| {
            let left: Vec<PathBuf> =
                record.workspaces().filter(|workspace| is_left(workspace)).map(Path::to_owned).collect();
            let is_any = !left.is_empty();
            record.set_workspaces(left);
            is_any
        });
        let Self { records, directories, .. } = self;
        directories.retain(|directory| records.iter().any(|record| record.path.starts_with(directory)));
    }

    /// Reads the file's text; `None` when it is not a ledger of this version.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str::<Self>(text).ok().filter(|ledger| ledger.version == VERSION)
    }

    /// Returns the same for a configuration directory.
    #[must_use]
    pub fn written_in(&self, home: &Path) -> Self {
        Self { home: Some(home.to_owned()), ..self.clone() }
    }

    /// The file's text. A path that is not UTF-8 cannot be written down.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }

    /// The record about a path.
    pub fn record(&self, path: &Path) -> Option<&LedgerRecord> {
        self.records.find(path)
    }

    /// Puts a record in the place of any other about that path. Workspaces that wanted it still do.
    pub fn put(&mut self, record: LedgerRecord) {
        match self.records.find_mut(&record.path) {
            Some(known) => *known = record.shared_with(known),
            None => self.records.push(record),
        }
    }

    /// A workspace no longer wants what is at a path, but others do.
    pub fn release(&mut self, path: &Path, workspace: &Path) {
        if let Some(known) = self.records.find_mut(path) {
            let others = known.workspaces().filter(|known| *known != workspace).map(Path::to_owned).collect();
            known.set_workspaces(others);
        }
    }

    /// Drops the record about a path.
    pub fn forget(&mut self, path: &Path) {
        self.records.remove(path);
    }

    /// Remembers directories that were made.
    pub fn made(&mut self, directories: Vec<PathBuf>) {
        for directory in directories {
            if !self.directories.contains(&directory) {
                self.directories.push(directory);
            }
        }
    }

    /// Records that the user ran Symposium in a workspace.
    pub fn ran_in(&mut self, workspace: &Path) {
        if !self.has_run_in(workspace) {
            self.synchronised.push(workspace.to_owned());
        }
    }

    /// Returns true if the user ran Symposium in a workspace. A ledger of an older version shows it by its records.
    pub fn has_run_in(&self, workspace: &Path) -> bool {
        self.synchronised.iter().any(|known| known == workspace) || self.workspaces().contains(&workspace)
    }

    /// Remembers an event that is registered.
    pub fn registered(&mut self, event: RegisteredEvent) {
        if !self.events.contains(&event) {
            self.events.push(event);
        }
    }

    /// The events registered with an agent in a workspace, or once for the user.
    pub fn events_of(&self, agent: AgentId, workspace: Option<&Path>) -> impl Iterator<Item = &str> {
        let of = move |event: &&RegisteredEvent| event.agent == agent && event.workspace.as_deref() == workspace;
        self.events.iter().filter(of).map(|event| event.event.as_str())
    }

    /// Drops events of registrations of which no record is left.
    pub fn forget_events_without_records(&mut self) {
        let records = &self.records;
        self.events.retain(|event| {
            let mut of_agent = records.iter().filter(|record| record.agents.contains(&event.agent));
            match &event.workspace {
                Some(workspace) => of_agent.any(|record| record.is_for(Some(workspace))),
                None => of_agent.any(|record| record.workspace.is_none()),
            }
        });
    }

    /// The workspaces anything was written for.
    pub fn workspaces(&self) -> Vec<&Path> {
        let mut found: Vec<&Path> = self.records.iter().flat_map(LedgerRecord::workspaces).collect();
        found.sort();
        found.dedup();
        found
    }
}

#[cfg(test)]
#[path = "ledger_tests.rs"]
mod tests;
