//! A revision as the same code sees it that serves the working tree: its files are copied into a temporary directory.

use std::path::{Path, PathBuf};

use symposium_io::fs;
use symposium_io::git_revision::{CommitId, RevisionError, RevisionReader, WrittenPart};
use symposium_io::git_tracking::{GitTracking, TrackedFiles};
use symposium_model::config::NamedDirectories;

use crate::error::CliError;
use crate::ops::context::Context;
use crate::ops::resolve::{Resolution, ResolutionDetail};
use crate::ops::trust::TrustDetail;
use crate::run_report::RunReport;

/// Files whose content says nothing to an agent or to Symposium.
const BEYOND_REVIEW: [&str; 18] = [
    "rs", "png", "jpg", "jpeg", "gif", "webp", "ico", "svg", "woff", "woff2", "ttf", "otf", "pdf", "mp3", "mp4",
    "webm", "zip", "gz",
];
const MAX_LOCK: u64 = 64 * 1024 * 1024;

/// Makes temporary copies of revisions.
pub(super) struct RevisionCopies<'r> {
    reader: &'r RevisionReader,
    /// The root of the workspace, with links resolved.
    root: PathBuf,
    scratch: &'r Path,
    ours: NamedDirectories,
}

/// A revision, with everything that applies in it.
pub(super) struct RevisionView {
    pub(super) context: Context,
    pub(super) resolution: Resolution,
    /// The top of the repository, and the workspace in it.
    pub(super) top: PathBuf,
    pub(super) root: PathBuf,
    /// Whether files that git does not track are left out.
    pub(super) is_working_tree: bool,
}

impl<'r> RevisionCopies<'r> {
    /// `ours` are the directories of the call. Of these only the cache is used: a review is the same for everyone who
    /// has the same sources, whatever they configured, switched or granted.
    pub(super) fn new(
        reader: &'r RevisionReader,
        root: &Path,
        scratch: &'r Path,
        ours: NamedDirectories,
    ) -> Result<Self, RevisionError> {
        let home = scratch.join("home");
        fs::create_private_dir(&home)?;
        Ok(Self { reader, root: fs::canonical(root)?, scratch, ours: NamedDirectories { home: Some(home), ..ours } })
    }

    pub(super) fn working_tree(&self) -> Result<RevisionView, CliError> {
        self.load(self.reader.top().to_owned(), &self.root, true)
    }

    /// Copies a commit and returns it; `None` if the workspace is not in it.
    pub(super) fn view(&self, commit: &CommitId) -> Result<Option<RevisionView>, RevisionError> {
        let top = self.scratch.join(commit.text());
        if !fs::exists(&top) {
            self.reader.write_files(commit, &top, &part_of)?;
            // Nothing above it is looked at.
            fs::create_private_dir(&top.join(".git"))?;
        }
        let top = fs::canonical(&top)?;
        let below = self.root.strip_prefix(self.reader.top()).unwrap_or(Path::new(""));
        // Joining nothing would add a slash.
        let root = if below.as_os_str().is_empty() { top.clone() } else { top.join(below) };
        let is_workspace = [".symposium/config.toml", "Cargo.toml"].iter().any(|file| fs::is_file(&root.join(file)));
        if !is_workspace {
            return Ok(None);
        }
        self.take_over_lock(&root)?;
        self.load(top, &root, false).map(Some).map_err(|error| RevisionError::Disk(error.message))
    }

    /// A Cargo.lock that is not in git is that of every revision.
    fn take_over_lock(&self, root: &Path) -> Result<(), RevisionError> {
        let (own, copy) = (self.root.join("Cargo.lock"), root.join("Cargo.lock"));
        if !fs::exists(&copy) && TrackedFiles::default().tracking(&own) == GitTracking::Untracked && fs::is_file(&own) {
            fs::write_new(&copy, &fs::read(&own, MAX_LOCK)?)?;
        }
        Ok(())
    }

    fn load(&self, top: PathBuf, root: &Path, is_working_tree: bool) -> Result<RevisionView, CliError> {
        let context = Context::load_in_background(Some(root), self.ours.clone())?;
        let detail = ResolutionDetail::RELEVANT.with_trust(TrustDetail::Everything);
        let resolution = Resolution::load(&context, detail);
        Ok(RevisionView { context, resolution, top, root: root.to_owned(), is_working_tree })
    }
}

impl RevisionView {
    /// Reports what could not be read.
    pub(super) fn report(&self, report: &mut RunReport) {
        self.context.report(report);
        self.resolution.report(report);
    }

    /// Writes a text without the place where the revision lies.
    pub(super) fn without_place(&self, text: &str) -> String {
        let root = self.root.display().to_string();
        text.replace(&format!("{root}/"), "").replace(&root, ".")
    }
}

fn part_of(path: &str) -> WrittenPart {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let is_beyond = BEYOND_REVIEW.iter().any(|known| extension.eq_ignore_ascii_case(known));
    if is_beyond { WrittenPart::Presence } else { WrittenPart::Content }
}
