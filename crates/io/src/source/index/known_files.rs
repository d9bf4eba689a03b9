//! The files of an index as the server last sent them, in one file of the cache.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::http::FileVersion;
use crate::{fs, state_file};

const FILE: &str = "files.jsonl";

const MAX_FILE: u64 = 64 * 1024 * 1024;

/// Files that are remembered: those of many workspaces.
const MOST: usize = 20_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KnownFile {
    pub(super) file: String,
    /// The time when the server was last asked, in seconds since 1970.
    pub(super) checked: u64,
    #[serde(flatten)]
    pub(super) version: FileVersion,
    /// The content; `None` if the server does not have the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
}

#[derive(Debug, Default)]
pub(super) struct KnownFiles(BTreeMap<String, KnownFile>);

impl KnownFiles {
    /// Reads the file. Lines that cannot be read cost a request each.
    pub(super) fn read(directory: &Path) -> Self {
        let text = fs::read_text_of_no_link(&directory.join(FILE), MAX_FILE).unwrap_or_default();
        let lines = text.lines().filter_map(|line| serde_json::from_str::<KnownFile>(line).ok());
        Self(lines.map(|known| (known.file.clone(), known)).collect())
    }

    pub(super) fn get(&self, file: &str) -> Option<&KnownFile> {
        self.0.get(file)
    }

    pub(super) fn add(&mut self, known: KnownFile) {
        self.0.insert(known.file.clone(), known);
    }

    /// Writes the file; of very many, the ones asked for most recently.
    pub(super) fn write(&self, directory: &Path) -> fs::FsResult<()> {
        let mut known: Vec<&KnownFile> = self.0.values().collect();
        if known.len() > MOST {
            known.sort_by_key(|known| std::cmp::Reverse(known.checked));
            known.truncate(MOST);
            known.sort_by(|a, b| a.file.cmp(&b.file));
        }
        let mut text = String::new();
        for known in known {
            // Serializing these types cannot fail.
            text.push_str(&serde_json::to_string(known).unwrap_or_default());
            text.push('\n');
        }
        state_file::keep(&directory.join(FILE), &text).map(|_| ())
    }
}
