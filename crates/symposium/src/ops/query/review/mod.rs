//! Compares two revisions of the workspace for a reviewer. Nothing is run, fetched or written but a temporary copy of a
//! revision's files.

mod agent_files;
mod agent_links;
mod agent_places;
mod items;
mod named_files;
mod range;
mod revision;
mod texts;
mod work_tree;

use std::path::Path;

use symposium_io::fs;
use symposium_io::git_revision::{CommitId, RevisionError, RevisionReader};
use symposium_model::config::NamedDirectories;
use symposium_model::review::{ReviewChange, compare_reviews};

use self::range::ReviewRange;
use self::revision::{RevisionCopies, RevisionView};
use crate::error::CliError;
use crate::run_report::RunReport;

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReviewedRevision {
    /// As it was asked for.
    pub(crate) name: String,
    /// `None` for the working tree, and for the nothing before the first commit.
    pub(crate) commit: Option<String>,
}

impl ReviewedRevision {
    fn at(name: &str, commit: &CommitId) -> Self {
        Self { name: name.to_owned(), commit: Some(commit.text()) }
    }

    fn without_commit(name: &str) -> Self {
        Self { name: name.to_owned(), commit: None }
    }

    /// Returns the name with the beginning of the commit.
    pub(crate) fn shown(&self) -> String {
        match &self.commit {
            Some(commit) if commit.starts_with(&self.name) => commit.chars().take(7).collect(),
            Some(commit) => format!("{} ({})", self.name, commit.chars().take(7).collect::<String>()),
            None => self.name.clone(),
        }
    }
}

#[derive(Debug)]
pub(crate) struct ReviewReport {
    pub(crate) before: ReviewedRevision,
    pub(crate) after: ReviewedRevision,
    pub(crate) changes: Vec<ReviewChange>,
}

/// Compares what was asked for. `asked` is a revision, two of them with `..` or `...` between, or nothing: then `HEAD`,
/// or its parent if nothing differs from `HEAD`.
pub(crate) fn review(
    root: &Path,
    ours: NamedDirectories,
    asked: Option<&str>,
    report: &mut RunReport,
) -> Result<ReviewReport, CliError> {
    let failed = |error: RevisionError| explain(&error, asked);
    let reader = RevisionReader::open(root).map_err(failed)?;
    let scratch = fs::scratch_dir().map_err(|error| CliError::failed(error.to_string()))?;
    let copies = RevisionCopies::new(&reader, root, scratch.path(), ours).map_err(failed)?;
    let range = ReviewRange::parse(asked);
    let start = reader.find(&range.from).map_err(failed)?;
    let (after, view) = match &range.to {
        Some(name) => {
            let commit = reader.find(name).map_err(failed)?;
            (ReviewedRevision::at(name, &commit), copies.view(&commit).map_err(failed)?)
        }
        None => (ReviewedRevision::without_commit("the working tree"), Some(copies.working_tree()?)),
    };
    if let Some(view) = &view {
        view.report(reader.top(), report);
    }
    let items = view.as_ref().map(RevisionView::items).unwrap_or_default();
    drop(view);
    let since = |commit: &CommitId| -> Result<Vec<ReviewChange>, CliError> {
        let view = copies.view(commit).map_err(failed)?;
        Ok(compare_reviews(&view.as_ref().map(RevisionView::items).unwrap_or_default(), &items))
    };
    if range.uses_common_ancestor {
        let end = reader.find(range.to.as_deref().unwrap_or("HEAD")).map_err(failed)?;
        let base = reader.common_ancestor(&start, &end).map_err(failed)?;
        let before = ReviewedRevision::at(&base.short(), &base);
        return Ok(ReviewReport { before, after, changes: since(&base)? });
    }
    let changes = since(&start)?;
    if !changes.is_empty() || asked.is_some() {
        return Ok(ReviewReport { before: ReviewedRevision::at(&range.from, &start), after, changes });
    }
    match reader.first_parent(&start).map_err(failed)? {
        Some(parent) => {
            let changes = since(&parent)?;
            Ok(ReviewReport { before: ReviewedRevision::at("HEAD^", &parent), after, changes })
        }
        None => {
            let before = ReviewedRevision::without_commit("nothing");
            Ok(ReviewReport { before, after, changes: compare_reviews(&[], &items) })
        }
    }
}

fn explain(error: &RevisionError, asked: Option<&str>) -> CliError {
    let message = format!("Cannot compare revisions: {error}");
    match error {
        RevisionError::NoRepository => CliError::failed(message).hint("run `symposium diff` in a clone of the project"),
        RevisionError::Unknown(name) if name == "HEAD" && asked.is_none() => CliError::failed(message)
            .hint("commit something first; repositories with SHA-256 names or reftables cannot be read"),
        RevisionError::Unknown(_) | RevisionError::Ambiguous(_) => CliError::usage(message)
            .hint("name a branch, a tag or a commit, with `~N` or `^N` behind it, or two of them as `A..B` or `A...B`"),
        RevisionError::Shallow(_) | RevisionError::Missing(_) | RevisionError::Unrelated(_, _) => CliError::failed(
            message,
        )
        .hint("fetch more of the history with `git fetch --deepen=50`, or clone with a larger `fetch-depth` in CI"),
        RevisionError::TooLarge(_) | RevisionError::Disk(_) => CliError::failed(message),
    }
}
