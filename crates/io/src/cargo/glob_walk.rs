//! A bounded walk that finds the directories matching a pattern of `[workspace] members`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use symposium_model::crates::lexical_path;
use symposium_model::crates::member_pattern::PatternSegment;
use symposium_model::diagnostic::Diagnostic;

use super::manifest_file::unreadable;
use crate::fs::{self, DirectoryEntry, FileKind};

const ENTRIES: usize = 100_000;

/// Directories that `**` never enters: they contain no members, but very many directories.
const SKIPPED: [&str; 2] = [".git", "target"];

#[derive(Default)]
pub(super) struct GlobWalk {
    pub(super) found: BTreeSet<PathBuf>,
    pub(super) findings: Vec<Diagnostic>,
    pub(super) cut: bool,
    seen: usize,
}

pub(super) fn walk(root: &Path, segments: &[PatternSegment]) -> GlobWalk {
    let mut walk = GlobWalk::default();
    walk.step(root, segments);
    walk
}

impl GlobWalk {
    fn step(&mut self, directory: &Path, segments: &[PatternSegment]) {
        let Some((segment, rest)) = segments.split_first() else {
            self.found.insert(directory.to_owned());
            return;
        };
        match segment {
            PatternSegment::Name(name) => {
                let next = lexical_path::normal(&directory.join(name));
                if fs::is_dir(&next) {
                    self.step(&next, rest);
                }
            }
            PatternSegment::Wild(wild) => {
                for entry in self.list(directory).into_iter().filter(|entry| wild.matches(&entry.name)) {
                    let next = directory.join(&entry.name);
                    // A single level cannot loop, so links to directories count as directories.
                    let is_directory = match entry.kind {
                        FileKind::Directory => true,
                        FileKind::Link => fs::is_dir(&next),
                        FileKind::File | FileKind::Other => false,
                    };
                    if is_directory {
                        self.step(&next, rest);
                    }
                }
            }
            PatternSegment::AnyDepth => {
                self.step(directory, rest);
                for entry in self.list(directory) {
                    if entry.kind == FileKind::Directory && !SKIPPED.contains(&entry.name.as_str()) {
                        self.step(&directory.join(&entry.name), segments);
                    }
                }
            }
        }
    }

    fn list(&mut self, directory: &Path) -> Vec<DirectoryEntry> {
        if self.cut {
            return Vec::new();
        }
        match fs::list(directory) {
            Ok(entries) => {
                self.seen += entries.len() + 1;
                self.cut = self.seen > ENTRIES;
                entries
            }
            Err(error) => {
                let finding = unreadable(&error);
                if !self.findings.contains(&finding) {
                    self.findings.push(finding);
                }
                Vec::new()
            }
        }
    }
}
