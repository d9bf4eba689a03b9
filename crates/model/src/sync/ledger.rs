//! The record of everything we wrote, so that it can be taken back.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::fingerprint::{Fingerprint, fingerprint};
use crate::agent::AgentId;
use crate::edit::{Format, Slot};
use crate::ours::Mark;

/// The version of the file's form; another one is not read.
const VERSION: u32 = 1;

/// Everything we wrote outside our own directories.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    version: u32,
    /// One record for each file or directory.
    pub records: Vec<Record>,
    /// Directories that were not there before us. They go when they are empty.
    #[serde(default)]
    pub directories: Vec<PathBuf>,
    /// Workspaces in which somebody asked for us on this machine, whether or not anything had to be written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synchronised: Vec<PathBuf>,
    /// Events that were registered because a plugin handled them. They stay registered when it does no longer: some
    /// agents trust a registration by its text and position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<RegisteredEvent>,
}

impl Default for Ledger {
    fn default() -> Self {
        Self {
            version: VERSION,
            records: Vec::new(),
            directories: Vec::new(),
            synchronised: Vec::new(),
            events: Vec::new(),
        }
    }
}

/// An event that is registered with an agent besides the usual ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisteredEvent {
    /// The agent.
    pub agent: AgentId,
    /// The workspace it is registered for; `None` for what is written once for the user.
    pub workspace: Option<PathBuf>,
    /// The event, as the word of `hook AGENT EVENT`.
    pub event: String,
}

/// Something we wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The file or directory.
    pub path: PathBuf,
    /// The workspace it was written for; `None` for what is written once for the user.
    pub workspace: Option<PathBuf>,
    /// The agents it is for.
    pub agents: Vec<AgentId>,
    /// The extension it belongs to; `None` for what registers ourselves.
    pub extension: Option<String>,
    /// What was written.
    pub written: Written,
    /// When, in seconds since 1970.
    pub time: u64,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Written {
    /// Entries in a file of others.
    Entries {
        /// How the file is written.
        format: Format,
        /// The entries.
        entries: Vec<WrittenEntry>,
        /// Containers that were not there before.
        created: Vec<Vec<String>>,
        /// Whether the file itself was not there before.
        new_file: bool,
    },
    /// A whole file.
    File {
        /// What was in it.
        fingerprint: Fingerprint,
        /// What is about to be in it, while it is being replaced.
        #[serde(default)]
        next: Option<Fingerprint>,
    },
    /// A skill directory.
    Skill {
        /// What was in it.
        fingerprint: Fingerprint,
    },
}

/// An entry in a file of others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenEntry {
    /// The keys that lead to it.
    pub path: Vec<String>,
    /// What it is at their end.
    pub slot: Slot,
    /// How it is recognised.
    pub mark: Mark,
}

impl Written {
    /// A whole file with this content.
    pub fn file(text: &str) -> Self {
        Self::File { fingerprint: fingerprint(text.as_bytes()), next: None }
    }

    /// Whether a whole file with this content is as we wrote it, or as we were about to.
    pub fn is_file(&self, text: &str) -> bool {
        match self {
            Self::File { fingerprint: written, next } => {
                let found = fingerprint(text.as_bytes());
                *written == found || *next == Some(found)
            }
            Self::Entries { .. } | Self::Skill { .. } => false,
        }
    }
}

impl Ledger {
    /// Reads the file's text; `None` when it is not a ledger of this version.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str::<Self>(text).ok().filter(|ledger| ledger.version == VERSION)
    }

    /// The file's text. A path that is not UTF-8 cannot be written down.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }

    /// The record about a path.
    pub fn record(&self, path: &Path) -> Option<&Record> {
        self.records.iter().find(|record| record.path == path)
    }

    /// Puts a record in the place of any other about that path.
    pub fn put(&mut self, record: Record) {
        match self.records.iter_mut().find(|known| known.path == record.path) {
            Some(known) => *known = record,
            None => self.records.push(record),
        }
    }

    /// Drops the record about a path.
    pub fn forget(&mut self, path: &Path) {
        self.records.retain(|record| record.path != path);
    }

    /// Remembers directories that were made.
    pub fn made(&mut self, directories: Vec<PathBuf>) {
        for directory in directories {
            if !self.directories.contains(&directory) {
                self.directories.push(directory);
            }
        }
    }

    /// Remembers that somebody asked for us in a workspace.
    pub fn ran_in(&mut self, workspace: &Path) {
        if !self.has_run_in(workspace) {
            self.synchronised.push(workspace.to_owned());
        }
    }

    /// Whether somebody asked for us in a workspace. A ledger of an older version shows it by what it records.
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
            records.iter().any(|record| record.agents.contains(&event.agent) && record.workspace == event.workspace)
        });
    }

    /// The workspaces anything was written for.
    pub fn workspaces(&self) -> Vec<&Path> {
        let mut found: Vec<&Path> = self.records.iter().filter_map(|record| record.workspace.as_deref()).collect();
        found.sort();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(path: &str, workspace: Option<&str>) -> Record {
        Record {
            path: path.into(),
            workspace: workspace.map(PathBuf::from),
            agents: vec![AgentId::Claude],
            extension: None,
            written: Written::Entries {
                format: Format::Json,
                entries: vec![WrittenEntry {
                    path: vec!["hooks".to_owned(), "Stop".to_owned()],
                    slot: Slot::Element,
                    mark: Mark::HookOf(AgentId::Claude),
                }],
                created: vec![vec!["hooks".to_owned()]],
                new_file: true,
            },
            time: 7,
        }
    }

    #[test]
    fn a_ledger_reads_back_and_other_versions_do_not() {
        let mut ledger = Ledger::default();
        ledger.put(record("/a", Some("/w")));
        ledger.put(record("/b", None));
        let text = ledger.to_text().unwrap();
        assert_eq!(Ledger::parse(&text), Some(ledger.clone()));
        assert_eq!(Ledger::parse(&text.replace("\"version\": 1", "\"version\": 2")), None);
        assert_eq!(Ledger::parse("{"), None);
        assert_eq!(ledger.workspaces(), [Path::new("/w")]);
    }

    #[test]
    fn one_record_for_each_path() {
        let mut ledger = Ledger::default();
        ledger.put(record("/a", None));
        let written = Written::file("x");
        ledger.put(Record { written: written.clone(), ..record("/a", None) });
        assert_eq!(ledger.records.len(), 1);
        assert_eq!(ledger.record(Path::new("/a")).unwrap().written, written);
        ledger.forget(Path::new("/a"));
        assert_eq!(ledger, Ledger::default());
    }

    #[test]
    fn events_stay_as_long_as_their_registration() {
        let mut ledger = Ledger::default();
        let event = |agent, workspace: Option<&str>| RegisteredEvent {
            agent,
            workspace: workspace.map(PathBuf::from),
            event: "stop".to_owned(),
        };
        ledger.put(record("/a", None));
        for event in [
            event(AgentId::Claude, None),
            event(AgentId::Claude, None),
            event(AgentId::Claude, Some("/w")),
            event(AgentId::Codex, None),
        ] {
            ledger.registered(event);
        }
        assert_eq!(ledger.events.len(), 3);
        assert_eq!(ledger.events_of(AgentId::Claude, Some(Path::new("/w"))).collect::<Vec<_>>(), ["stop"]);
        assert_eq!(ledger.events_of(AgentId::Codex, Some(Path::new("/w"))).count(), 0);
        ledger.forget_events_without_records();
        assert_eq!(ledger.events, [event(AgentId::Claude, None)]);
    }

    #[test]
    fn a_workspace_is_known_by_being_named_or_written_to() {
        let mut ledger = Ledger::default();
        assert!(!ledger.has_run_in(Path::new("/w")));
        ledger.put(record("/a", Some("/w")));
        assert!(ledger.has_run_in(Path::new("/w")));
        ledger.ran_in(Path::new("/v"));
        ledger.ran_in(Path::new("/v"));
        assert_eq!(ledger.synchronised, [PathBuf::from("/v")]);
        assert_eq!(ledger.workspaces(), [Path::new("/w")]);
    }
}
