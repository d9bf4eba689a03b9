//! The files of an index as the server last sent them, in one file of the cache.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::FRESH_FOR;
use crate::http::FileVersion;
use crate::{fs, state_file};

const FILE: &str = "files.jsonl";

const MAX_FILE: u64 = 64 * 1024 * 1024;

/// Files that are remembered: those of many workspaces.
const MOST: usize = 20_000;

/// Bytes of the files that are remembered, which is less than can be read again.
const MOST_BYTES: usize = 32 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KnownFile {
    pub(super) file: String,
    /// The time when the server was last asked, in seconds since 1970.
    pub(super) checked: u64,
    #[serde(flatten)]
    pub(super) version: FileVersion,
    /// The time when the server had it no longer; the content is that of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) missed: Option<u64>,
    /// The content; `None` if the server does not have the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
}

impl KnownFile {
    /// Returns the file as it was, if the server lost it only now: an index that is being copied to its server lacks files
    /// for a while. `None` if it stays away, or if there was none.
    pub(super) fn missed_at(&self, now: u64) -> Option<Self> {
        // After a clock that went back, the time is counted anew.
        let since = self.missed.filter(|since| *since <= now).unwrap_or(now);
        let is_new = now - since < FRESH_FOR.as_secs();
        (is_new && self.text.is_some()).then(|| Self { checked: now, missed: Some(since), ..self.clone() })
    }
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
        // Serializing these types cannot fail.
        let line = |known: &KnownFile| serde_json::to_string(known).unwrap_or_default();
        let mut lines: Vec<(&KnownFile, String)> = self.0.values().map(|known| (known, line(known))).collect();
        let bytes: usize = lines.iter().map(|(_, line)| line.len()).sum();
        if lines.len() > MOST || bytes > MOST_BYTES {
            lines.sort_by_key(|(known, _)| std::cmp::Reverse(known.checked));
            lines.truncate(MOST);
            let mut left = MOST_BYTES;
            lines.retain(|(_, line)| {
                let rest = left.checked_sub(line.len());
                left = rest.unwrap_or(left);
                rest.is_some()
            });
            lines.sort_by(|(a, _), (b, _)| a.file.cmp(&b.file));
        }
        let mut text = String::with_capacity(bytes + lines.len());
        for (_, line) in lines {
            text.push_str(&line);
            text.push('\n');
        }
        state_file::keep(&directory.join(FILE), &text).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_goes_back_takes_away_no_file() {
        let hours = |count: u64| count * 60 * 60;
        let version = FileVersion::default();
        let text = Some("x".to_owned());
        let known = KnownFile { file: "any".to_owned(), checked: 0, version, missed: Some(hours(10)), text };
        for (now, since) in [(hours(5), hours(5)), (hours(10), hours(10)), (hours(13), hours(10))] {
            assert_eq!(known.missed_at(now).and_then(|known| known.missed), Some(since));
        }
        assert_eq!(known.missed_at(hours(14)), None);
    }

    #[test]
    fn of_too_much_the_most_recent_files_are_kept() {
        let directory = tempfile::tempdir().unwrap();
        let mut files = KnownFiles::default();
        for number in 0..40 {
            let text = Some("x".repeat(1024 * 1024));
            let (file, version) = (format!("file{number:02}"), FileVersion::default());
            files.add(KnownFile { file, checked: number, version, missed: None, text });
        }
        files.write(directory.path()).unwrap();
        let kept = KnownFiles::read(directory.path());
        assert_eq!(kept.0.len(), 31);
        assert_eq!((kept.get("file08"), kept.get("file39").is_some()), (None, true));
    }
}
