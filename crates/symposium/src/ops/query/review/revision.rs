//! A revision as the same code sees it that serves the working tree: its files are copied into a temporary directory.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use symposium_io::fs;
use symposium_io::git_path::{self, GitPath};
use symposium_io::git_revision::{CommitId, ExportScope, ExportedEntries, RevisionError, RevisionReader};
use symposium_io::git_tracking::{GitTracking, TrackedFiles};
use symposium_model::config::NamedDirectories;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::git_index::SubmoduleEntry;

use super::work_tree::{tracked_paths, tracked_submodules};
use crate::error::CliError;
use crate::ops::context::Context;
use crate::ops::resolve::{Resolution, ResolutionDetail};
use crate::ops::trust::TrustDetail;
use crate::run_report::{ReportLine, RunReport};

/// Files whose content says nothing to an agent or to Symposium, except beside a skill or a plugin, or in the directory of
/// an agent.
const REVIEW_SCOPE: ExportScope<'_> = ExportScope {
    empty: &[
        "rs", "png", "jpg", "jpeg", "gif", "webp", "ico", "svg", "woff", "woff2", "ttf", "otf", "pdf", "mp3", "mp4",
        "webm", "zip", "gz",
    ],
    markers: &["SKILL.md", "symposium.toml", "SYMPOSIUM.toml"],
};
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
    /// The entries of the commit; none for the working tree.
    pub(super) exported: Option<ExportedEntries>,
    /// The files and links that git tracks, submodules, and the names of their objects.
    pub(super) paths: BTreeSet<GitPath>,
    pub(super) submodules: Vec<SubmoduleEntry>,
    pub(super) objects: BTreeMap<GitPath, String>,
    /// The fingerprint of all objects, which is made once.
    pub(super) whole: OnceCell<String>,
}

impl<'r> RevisionCopies<'r> {
    /// `ours` are the directories of the call. Of these only the cache is used: a review is the same for everyone who
    /// has the same sources, with any configuration, toggles and grants.
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
        self.load(self.reader.top().to_owned(), &self.root, None)
    }

    /// Copies a commit and returns it; `None` if the workspace is not in it.
    pub(super) fn view(&self, commit: &CommitId) -> Result<Option<RevisionView>, RevisionError> {
        let top = self.scratch.join(commit.text());
        if fs::exists(&top) {
            // A comparison of a commit with itself.
            fs::remove_tree(&top)?;
        }
        let mut exported = self.reader.write_files(commit, &top, &REVIEW_SCOPE)?;
        // Nothing above it is looked at.
        fs::create_private_dir(&top.join(".git"))?;
        let top = fs::canonical(&top)?;
        let below = self.root.strip_prefix(self.reader.top()).unwrap_or(Path::new(""));
        // Joining nothing would add a slash.
        let root = if below.as_os_str().is_empty() { top.clone() } else { top.join(below) };
        let is_workspace = [".symposium/config.toml", "Cargo.toml"].iter().any(|file| fs::is_file(&root.join(file)));
        if !is_workspace {
            return Ok(None);
        }
        self.take_over_lock(&root)?;
        let load = |exported: &ExportedEntries| {
            let view = self.load(top.clone(), &root, Some(exported.clone()));
            view.map_err(|error| RevisionError::Disk(error.message))
        };
        loop {
            let view = load(&exported)?;
            let mut needed = view.empty_covered_files();
            needed.extend(view.empty_agent_files());
            if needed.is_empty() {
                return Ok(Some(view));
            }
            // Commands and texts name files that say nothing elsewhere, and these name others.
            drop(view);
            self.reader.write_content(commit, &mut exported, needed)?;
        }
    }

    /// A Cargo.lock that is not in git is that of every revision.
    fn take_over_lock(&self, root: &Path) -> Result<(), RevisionError> {
        let (own, copy) = (self.root.join("Cargo.lock"), root.join("Cargo.lock"));
        if !fs::exists(&copy) && TrackedFiles::default().tracking(&own) == GitTracking::Untracked && fs::is_file(&own) {
            fs::write_new(&copy, &fs::read(&own, MAX_LOCK)?)?;
        }
        Ok(())
    }

    fn load(&self, top: PathBuf, root: &Path, exported: Option<ExportedEntries>) -> Result<RevisionView, CliError> {
        let context = Context::load_in_background(Some(root), self.ours.clone())?;
        let detail = ResolutionDetail::RELEVANT.with_trust(TrustDetail::Everything);
        let resolution = Resolution::load(&context, detail);
        let mut index = TrackedFiles::default();
        let (paths, submodules, objects) = match &exported {
            Some(entries) => (entries.paths.clone(), entries.submodules.clone(), entries.objects.clone()),
            None => (tracked_paths(&mut index, &top), tracked_submodules(&mut index, &top), index.objects(&top)),
        };
        let paths = paths.into_iter().collect();
        Ok(RevisionView {
            context,
            resolution,
            top,
            root: root.to_owned(),
            exported,
            paths,
            submodules,
            objects,
            whole: OnceCell::new(),
        })
    }
}

impl RevisionView {
    pub(super) fn on_disk(&self, path: &GitPath) -> Option<PathBuf> {
        git_path::to_system(path).map(|path| self.top.join(path))
    }

    /// Reports what could not be read, with paths of the work tree in place of those of the copy.
    pub(super) fn report(&self, work_tree: &Path, report: &mut RunReport) {
        let mut own = RunReport::default();
        self.context.report(&mut own);
        self.resolution.report(&mut own);
        report.count_all(&own);
        let (copy, work_tree) = (self.top.display().to_string(), work_tree.display().to_string());
        let moved = |text: String| text.replace(&copy, &work_tree);
        let moved_finding = |finding: Diagnostic| Diagnostic {
            path: moved(finding.path),
            message: moved(finding.message),
            help: finding.help.map(moved),
            ..finding
        };
        let mut unquoted = BTreeSet::new();
        for line in own.take_lines() {
            report.push(match line {
                ReportLine::Full(finding) | ReportLine::Brief(finding) if self.may_quote_secrets(&finding) => {
                    if !unquoted.insert(finding.path.clone()) {
                        continue;
                    }
                    ReportLine::Brief(moved_finding(without_quotes(finding)))
                }
                ReportLine::Full(finding) => ReportLine::Full(moved_finding(finding)),
                ReportLine::Brief(finding) => ReportLine::Brief(moved_finding(finding)),
                ReportLine::Warning(text) => ReportLine::Warning(moved(text)),
                ReportLine::Hint(text) => ReportLine::Hint(moved(text)),
                ReportLine::Detail(text) => ReportLine::Detail(moved(text)),
            });
        }
    }

    /// Writes a text without the place where the revision lies.
    pub(super) fn without_place(&self, text: &str) -> String {
        let root = self.root.display().to_string();
        text.replace(&format!("{root}/"), "").replace(&root, ".")
    }
}

/// Says nothing of a file but that it has a problem.
fn without_quotes(finding: Diagnostic) -> Diagnostic {
    let message = "There is a problem in this file, which is not quoted because git does not track it".to_owned();
    Diagnostic { location: None, message, help: Some("run `symposium status` to see it".to_owned()), ..finding }
}
