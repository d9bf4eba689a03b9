//! The lockfile of a project, and its copies of sources.

use std::path::{Path, PathBuf};

use super::ChangeBuilder;
use crate::catalog::{Catalog, LoadedSource};
use crate::diagnostic::Diagnostic;
use crate::fingerprint::ContentFingerprint;
use crate::lockfile::{Lockfile, SourcePin, lock_path, vendor_directory, vendored};
use crate::sync::change::{ChangeStep, PlannedChange, UserEdits};
use crate::sync::ledger::{Ledger, LedgerRecord, WrittenContent};
use crate::sync::observed::InstalledState;
use crate::sync::tree::SkillTree;

/// Keeps a version control system from changing the ends of lines in vendored files.
const ATTRIBUTES: &str = "# Vendored sources are compared byte by byte with symposium.lock.\n* -text\n";

/// The sources of a project that are copied into it.
pub struct VendorOptions<'v> {
    pub root: &'v Path,
    pub catalog: &'v Catalog,
    /// The lockfile as it will be.
    pub lock: &'v Lockfile,
    /// The lockfile as it is.
    pub locked: Option<&'v Lockfile>,
    /// Whether copies go that no source has any more.
    pub prunes: bool,
    /// Reads all files of a source.
    pub load: &'v dyn Fn(&LoadedSource) -> Option<SkillTree>,
}

/// A source, the content it is pinned to, and the place of its copy.
pub struct VendoredSource<'v> {
    source: &'v LoadedSource,
    pinned: &'v ContentFingerprint,
    pub place: PathBuf,
}

impl<'v> VendorOptions<'v> {
    /// Returns the sources that are copied. What lies in the project already is not, nor what ships in the program; what
    /// is the user's alone is in no lockfile.
    pub fn sources(&self) -> Vec<VendoredSource<'v>> {
        let is_fetched = |source: &&LoadedSource| source.spec.kind.is_fetched();
        let vendored = |source: &'v LoadedSource| {
            let pinned = self.lock.pin(&source.spec.name).and_then(SourcePin::tree)?;
            Some(VendoredSource { source, pinned, place: vendored(self.root, &source.spec.name) })
        };
        self.catalog.sources.iter().filter(is_fetched).filter_map(vendored).collect()
    }

    pub fn attributes_file(&self) -> PathBuf {
        vendor_directory(self.root).join(".gitattributes")
    }

    /// Returns the records of copies that no source has any more.
    pub fn removable<'l>(&self, ledger: &'l Ledger) -> Vec<&'l LedgerRecord> {
        let mut wanted: Vec<PathBuf> = self.sources().into_iter().map(|vendored| vendored.place).collect();
        wanted.push(self.attributes_file());
        let is_removable = |record: &&LedgerRecord| {
            record.path.starts_with(vendor_directory(self.root)) && !wanted.contains(&record.path)
        };
        ledger.records.iter().filter(|_| self.prunes).filter(is_removable).collect()
    }

    fn change(&self, path: PathBuf, step: ChangeStep) -> PlannedChange {
        PlannedChange { path, agents: Vec::new(), extension: None, workspace: Some(self.root.to_owned()), step }
    }
}

impl ChangeBuilder<'_> {
    /// Compares the copies of sources with the lockfile as it will be.
    pub fn diff_vendored(&mut self, options: &VendorOptions<'_>) {
        let sources = options.sources();
        for vendored in &sources {
            self.diff_copy(vendored, options);
        }
        let attributes = options.attributes_file();
        if !sources.is_empty() && !self.observed.existing.contains(&attributes) {
            let step = ChangeStep::Write { text: ATTRIBUTES.to_owned(), expected: None };
            self.changes.actions.push(options.change(attributes, step));
        }
        for record in options.removable(self.ledger) {
            self.revert(record);
        }
    }

    fn diff_copy(&mut self, vendored: &VendoredSource<'_>, options: &VendorOptions<'_>) {
        let VendoredSource { source, pinned, place } = vendored;
        let observed = match self.observed.skill(place) {
            Ok(observed) => observed,
            Err(failure) => {
                let found = Diagnostic::error(place.display().to_string(), failure.reason);
                return self.skip(found.help("make it readable, or remove it"));
            }
        };
        let known = self.ledger.record(place);
        let found = match observed {
            InstalledState::Directory(found) => Some(found.fingerprint()),
            InstalledState::Absent | InstalledState::Other => None,
        };
        if found.as_ref() == Some(*pinned) {
            // One that came with the project is not ours to take away.
            let written = WrittenContent::skill((*pinned).clone());
            let record = LedgerRecord::new(place.clone(), Some(options.root.to_owned()), written, self.options.now);
            self.changes.settled.extend(known.map(|known| record.renewing(Some(known))));
            return;
        }
        let is_ours = known.zip(found.as_ref()).is_some_and(|(known, found)| known.written.is_skill_of(found));
        let is_locked = || found.as_ref() == options.locked.and_then(|lock| lock.pin(&source.spec.name)?.tree());
        if *observed != InstalledState::Absent && !is_ours && (found.is_none() || !is_locked()) {
            return self.keep_drifted(place);
        }
        // What cannot be read as it is locked is not copied; a diagnostic about it was made when it was looked for.
        if let Some(tree) = (options.load)(source).filter(|tree| tree.fingerprint() == **pinned) {
            let expected = observed.clone();
            let step = ChangeStep::Install { tree, expected, edits: UserEdits::None, source: None };
            self.changes.actions.push(options.change(place.clone(), step));
        }
    }

    /// Compares the text of the lockfile: `expected` is what is there.
    pub fn diff_lockfile(&mut self, options: &VendorOptions<'_>, expected: Option<String>) {
        let step = ChangeStep::Configure { text: options.lock.to_string(), expected };
        self.changes.actions.push(options.change(lock_path(options.root), step));
    }
}

#[cfg(test)]
#[path = "vendored_tests.rs"]
mod tests;
