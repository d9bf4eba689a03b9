//! Commits of a repository by the names that git gives them, and their files, without starting git: no hook, filter or
//! helper of the repository runs, and nothing is fetched.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use crate::fs;
use crate::git_objects::{ObjectId, ObjectKind};
use crate::git_repository::{EntryMode, RepositoryReader, is_reference};

/// The places where git looks for a short name, in its order.
const PLACES: [&str; 5] = ["refs/", "refs/tags/", "refs/heads/", "refs/remotes/", ""];
/// References beside those below `refs/`.
const SPECIAL: [&str; 5] = ["HEAD", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD"];
/// Shorter abbreviations of a commit are none.
const SHORTEST: usize = 4;
/// Commits that are looked through for a common ancestor.
const MOST_COMMITS: usize = 200_000;
/// Files of a commit, bytes of all of them, and directories in directories.
const MOST_FILES: usize = 200_000;
const MOST_BYTES: usize = 512 * 1024 * 1024;
const DEEPEST: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RevisionError {
    #[error("this directory is not in the work tree of a git repository")]
    NoRepository,
    #[error("`{0}` is no commit of this repository")]
    Unknown(String),
    #[error("`{0}` is the beginning of several commits")]
    Ambiguous(String),
    #[error("commit {0} is not in this clone")]
    Missing(String),
    #[error("this clone is shallow and ends at commit {0}")]
    Shallow(String),
    #[error("`{0}` and `{1}` have no common ancestor in this clone")]
    Unrelated(String, String),
    #[error("commit {0} has more than 200000 files, 512 MiB, or directories more than 64 deep")]
    TooLarge(String),
    #[error("{0}")]
    Disk(String),
}

impl From<fs::FsError> for RevisionError {
    fn from(error: fs::FsError) -> Self {
        Self::Disk(error.to_string())
    }
}

/// The name of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitId(ObjectId);

impl CommitId {
    pub fn text(&self) -> String {
        self.0.text()
    }

    pub fn short(&self) -> String {
        self.text().chars().take(7).collect()
    }
}

/// The part of a file that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrittenPart {
    Content,
    /// An empty file: only its existence counts.
    Presence,
}

/// A repository whose commits are read.
pub struct RevisionReader {
    repository: RepositoryReader,
    top: PathBuf,
}

impl RevisionReader {
    /// Opens the repository of a directory.
    pub fn open(directory: &Path) -> Result<Self, RevisionError> {
        let directory = fs::canonical(directory)?;
        let top = directory.ancestors().find(|parent| fs::exists(&parent.join(".git")));
        let top = top.ok_or(RevisionError::NoRepository)?.to_owned();
        let repository = RepositoryReader::open(&top.join(".git")).ok_or(RevisionError::NoRepository)?;
        Ok(Self { repository, top })
    }

    /// Returns the top of the work tree.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// Finds a commit: a branch, a tag, a commit or its beginning, with any number of `~N` and `^N` behind it.
    pub fn find(&self, name: &str) -> Result<CommitId, RevisionError> {
        let unknown = || RevisionError::Unknown(name.to_owned());
        let end = name.find(['~', '^']).unwrap_or(name.len());
        let (base, mut steps) = name.split_at_checked(end).ok_or_else(unknown)?;
        let found = self.find_base(base)?.ok_or_else(unknown)?;
        let mut commit =
            self.repository.peel(found.clone()).ok_or_else(|| match self.repository.objects.read(&found) {
                Some(_) => unknown(),
                None => RevisionError::Missing(CommitId(found).short()),
            })?;
        while let Some(step) = steps.chars().next() {
            let digits = steps.get(1..).unwrap_or_default();
            let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            let (number, rest) = digits.split_at_checked(length).ok_or_else(unknown)?;
            let number = if number.is_empty() { 1 } else { number.parse().map_err(|_| unknown())? };
            steps = rest;
            match step {
                '~' => {
                    for _ in 0..number {
                        commit = self.parent(&commit, 1)?.ok_or_else(unknown)?;
                    }
                }
                '^' if number == 0 => {}
                '^' => commit = self.parent(&commit, number)?.ok_or_else(unknown)?,
                _ => return Err(unknown()),
            }
        }
        Ok(CommitId(commit))
    }

    fn find_base(&self, name: &str) -> Result<Option<ObjectId>, RevisionError> {
        let name = if name.is_empty() || name == "@" { "HEAD" } else { name };
        if SPECIAL.contains(&name) {
            return Ok(self.repository.reference(name));
        }
        let is_digits = name.bytes().all(|byte| byte.is_ascii_hexdigit());
        let digits = name.to_ascii_lowercase();
        if let Some(whole) = ObjectId::parse(&digits) {
            return Ok(Some(whole));
        }
        let names = PLACES.iter().map(|place| format!("{place}{name}"));
        let names = names.chain([format!("refs/remotes/{name}/HEAD")]).filter(|name| is_reference(name));
        if let Some(found) = names.into_iter().find_map(|name| self.repository.reference(&name)) {
            return Ok(Some(found));
        }
        if !is_digits || name.len() < SHORTEST {
            return Ok(None);
        }
        let mut found = self.repository.objects.find_prefix(&digits);
        found.retain(|id| self.repository.objects.read(id).is_some_and(|object| object.kind == ObjectKind::Commit));
        match found.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(one.clone())),
            _ => Err(RevisionError::Ambiguous(name.to_owned())),
        }
    }

    /// Returns the first parent of a commit; `None` for one without.
    pub fn first_parent(&self, commit: &CommitId) -> Result<Option<CommitId>, RevisionError> {
        Ok(self.parent(&commit.0, 1)?.map(CommitId))
    }

    fn parent(&self, commit: &ObjectId, number: usize) -> Result<Option<ObjectId>, RevisionError> {
        let short = || CommitId(commit.clone()).short();
        let header = self.repository.commit(commit).ok_or_else(|| RevisionError::Missing(short()))?;
        let Some(parent) = header.parents.get(number.wrapping_sub(1)).cloned() else { return Ok(None) };
        match self.repository.commit(&parent) {
            Some(_) => Ok(Some(parent)),
            None if self.repository.is_shallow() => Err(RevisionError::Shallow(short())),
            None => Err(RevisionError::Missing(CommitId(parent).short())),
        }
    }

    /// Finds the nearest commit that two commits have in common.
    pub fn common_ancestor(&self, one: &CommitId, other: &CommitId) -> Result<CommitId, RevisionError> {
        let mut known = BTreeSet::new();
        self.walk(&one.0, |commit| {
            known.insert(commit.clone());
            known.len() < MOST_COMMITS
        });
        let mut found = None;
        let mut count = 0;
        self.walk(&other.0, |commit| {
            count += 1;
            found = known.contains(commit).then(|| commit.clone());
            found.is_none() && count < MOST_COMMITS
        });
        found.map(CommitId).ok_or_else(|| {
            if self.repository.is_shallow() {
                RevisionError::Shallow(other.short())
            } else {
                RevisionError::Unrelated(one.short(), other.short())
            }
        })
    }

    /// Goes through a commit and its ancestors, nearest first, until `visit` says no.
    fn walk(&self, start: &ObjectId, mut visit: impl FnMut(&ObjectId) -> bool) {
        let mut seen = BTreeSet::from([start.clone()]);
        let mut queue = VecDeque::from([start.clone()]);
        while let Some(commit) = queue.pop_front() {
            if !visit(&commit) {
                return;
            }
            let parents = self.repository.commit(&commit).map(|header| header.parents).unwrap_or_default();
            for parent in parents {
                if seen.insert(parent.clone()) {
                    queue.push_back(parent);
                }
            }
        }
    }

    /// Writes the files of a commit below a new directory, each as much as `part` says. Names that no checkout would
    /// write and links that lead outside are left out.
    pub fn write_files(
        &self,
        commit: &CommitId,
        into: &Path,
        part: &dyn Fn(&str) -> WrittenPart,
    ) -> Result<(), RevisionError> {
        let missing = || RevisionError::Missing(commit.short());
        let header = self.repository.commit(&commit.0).ok_or_else(missing)?;
        let mut export = ExportWalk { commit, part, files: 0, bytes: 0, links: Vec::new() };
        fs::create_private_dir(into)?;
        self.write_tree(&header.tree, into, "", &mut export, 0)?;
        // No file can be written through a link that is made last.
        for (path, target) in export.links {
            if !fs::exists(&path) && !fs::is_link(&path) {
                fs::make_link(&target, &path)?;
            }
        }
        Ok(())
    }

    fn write_tree(
        &self,
        tree: &ObjectId,
        into: &Path,
        shown: &str,
        export: &mut ExportWalk<'_>,
        depth: usize,
    ) -> Result<(), RevisionError> {
        let missing = || RevisionError::Missing(export.commit.short());
        let entries = self.repository.entries(tree).ok_or_else(missing)?;
        for entry in entries {
            let Some(name) = std::str::from_utf8(&entry.name).ok().filter(|name| is_plain_name(name)) else { continue };
            let path = into.join(name);
            let shown = if shown.is_empty() { name.to_owned() } else { format!("{shown}/{name}") };
            export.files += 1;
            if export.files > MOST_FILES || export.bytes > MOST_BYTES || depth > DEEPEST {
                return Err(RevisionError::TooLarge(export.commit.short()));
            }
            if fs::exists(&path) {
                // A damaged tree names it twice.
                continue;
            }
            match entry.mode {
                EntryMode::Directory => {
                    fs::create_private_dir(&path)?;
                    self.write_tree(&entry.id, &path, &shown, export, depth + 1)?;
                }
                EntryMode::File => fs::write_new(&path, &self.read_part(&entry.id, &shown, export)?)?,
                EntryMode::Executable => {
                    fs::write_new_program(&path, &self.read_part(&entry.id, &shown, export)?)?;
                }
                EntryMode::Link => {
                    let target = String::from_utf8(self.read_blob(&entry.id, export)?).unwrap_or_default();
                    if stays_inside(&shown, &target) {
                        export.links.push((path, target));
                    }
                }
                EntryMode::Submodule => {}
            }
        }
        Ok(())
    }

    fn read_part(&self, id: &ObjectId, shown: &str, export: &mut ExportWalk<'_>) -> Result<Vec<u8>, RevisionError> {
        let bytes = match (export.part)(shown) {
            WrittenPart::Content => self.read_blob(id, export)?,
            WrittenPart::Presence => Vec::new(),
        };
        export.bytes += bytes.len();
        Ok(bytes)
    }

    fn read_blob(&self, id: &ObjectId, export: &ExportWalk<'_>) -> Result<Vec<u8>, RevisionError> {
        let blob = self.repository.objects.read(id).filter(|object| object.kind == ObjectKind::Blob);
        blob.map(|blob| blob.bytes).ok_or_else(|| RevisionError::Missing(export.commit.short()))
    }
}

struct ExportWalk<'e> {
    commit: &'e CommitId,
    part: &'e dyn Fn(&str) -> WrittenPart,
    files: usize,
    bytes: usize,
    links: Vec<(PathBuf, String)>,
}

/// Tells whether a name of a tree is a plain file name on every system, and not the repository's own.
fn is_plain_name(name: &str) -> bool {
    let is_odd = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':');
    !matches!(name, "" | "." | "..") && !name.eq_ignore_ascii_case(".git") && !name.contains(is_odd)
}

/// Tells whether a link stays in the tree that it is in.
fn stays_inside(link: &str, target: &str) -> bool {
    let mut depth = link.matches('/').count();
    let is_plain = !target.is_empty() && !target.starts_with('/') && !target.contains(['\\', '\0']);
    is_plain
        && target.split('/').all(|part| match part {
            "" | "." => true,
            ".." => {
                depth = depth.wrapping_sub(1);
                depth != usize::MAX
            }
            _ => {
                depth += 1;
                true
            }
        })
}

#[cfg(test)]
#[path = "git_revision_tests.rs"]
mod tests;
