//! Commits of a repository by the names that git gives them, and their files, without starting git: no hook, filter or
//! helper of the repository runs, and nothing is fetched.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use symposium_model::git_index::{GitPath, SubmoduleEntry};

use crate::git_objects::{ObjectId, ObjectKind};
use crate::git_repository::{EntryMode, GitTreeEntry, RepositoryReader, is_reference};
use crate::{fs, git_path};

/// The places where git looks for a short name, in its order.
const PLACES: [&str; 5] = ["refs/", "refs/tags/", "refs/heads/", "refs/remotes/", ""];
/// References beside those below `refs/`.
const SPECIAL: [&str; 5] = ["HEAD", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD"];
/// Shorter abbreviations of a commit are none.
const SHORTEST: usize = 4;
/// Commits that are looked through for a common ancestor.
const MOST_COMMITS: usize = 200_000;
/// The longest name of a file on any system, in bytes.
const LONGEST_NAME: usize = 255;
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

/// The size of the largest file of a commit that is read.
pub const MAX_FILE: u64 = crate::git_objects::MAX_OBJECT;

/// Names the files that are written empty, because only their existence counts. Those that a link leads to are not.
pub struct ExportScope<'e> {
    /// Their extensions.
    pub empty: &'e [&'e str],
    /// Everything beside and below a file of one of these names is written in full, as is everything in a directory
    /// whose name begins with a dot.
    pub markers: &'e [&'e str],
}

/// A link of a commit that leads out of its tree, or to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideLink {
    pub path: GitPath,
    pub target: GitPath,
}

/// The entries of a commit that was written, and those that are not as they were.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ExportedEntries {
    /// Files and links.
    pub paths: Vec<GitPath>,
    pub submodules: Vec<SubmoduleEntry>,
    /// They are written as links to an empty file outside.
    pub links: Vec<OutsideLink>,
    /// Files and directories whose names this system does not allow. They are not written.
    pub unwritable: Vec<GitPath>,
    /// The name of the object of each file, link, submodule and unwritable entry, which is another one for other content.
    pub objects: BTreeMap<GitPath, String>,
    empty: BTreeMap<PathBuf, EmptyFile>,
}

/// A file that was written empty.
#[derive(Debug, Clone, PartialEq, Eq)]
struct EmptyFile {
    id: ObjectId,
    is_executable: bool,
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

    /// Writes the files of a commit below a new directory. Names that no checkout would write are left out, files above
    /// [`MAX_FILE`] have no content but are larger too, and links that lead outside lead to an empty file beside the
    /// directory.
    pub fn write_files(
        &self,
        commit: &CommitId,
        into: &Path,
        scope: &ExportScope<'_>,
    ) -> Result<ExportedEntries, RevisionError> {
        let missing = || RevisionError::Missing(commit.short());
        let header = self.repository.commit(&commit.0).ok_or_else(missing)?;
        let entries = ExportedEntries::default();
        let mut export = ExportWalk { commit, scope, files: 0, bytes: 0, links: Vec::new(), entries };
        fs::create_private_dir(into)?;
        let into = &fs::canonical(into)?;
        self.write_tree(&header.tree, &ExportPlace { into, shown: &[], depth: 0, is_whole: false }, &mut export)?;
        self.write_links(into, &mut export)?;
        Ok(export.entries)
    }

    /// Writes the links. No file can be written through a link that is made last.
    fn write_links(&self, into: &Path, export: &mut ExportWalk<'_>) -> Result<(), RevisionError> {
        let outside = into.with_extension("outside");
        if !fs::exists(&outside) {
            fs::write_new(&outside, b"")?;
        }
        let mut made = Vec::new();
        for (path, link) in std::mem::take(&mut export.links) {
            if fs::exists(&path) || fs::is_link(&path) {
                continue;
            }
            match git_path::to_system(&link.target).filter(|target| cfg!(unix) && !target.as_os_str().is_empty()) {
                // An impossible target leads to nothing.
                Some(target) => match fs::make_link(target, &path) {
                    Ok(()) => made.push((path, link)),
                    Err(_) => {
                        fs::make_link(&outside, &path)?;
                        export.entries.links.push(link);
                    }
                },
                // As git does on a system where links need a permission.
                None => fs::write_new(&path, link.target.as_bytes())?,
            }
        }
        // Only now all targets exist, also through other links; none was followed yet.
        for (path, link) in made {
            match fs::canonical(&path) {
                Ok(real) if real.starts_with(into) => self.fill(&real, into, export)?,
                Ok(_) | Err(_) => {
                    fs::remove_file(&path)?;
                    fs::make_link(&outside, &path)?;
                    export.entries.links.push(link);
                }
            }
        }
        Ok(())
    }

    /// Writes the content of the files at or below a path that were written empty, but not of the whole tree.
    fn fill(&self, path: &Path, top: &Path, export: &mut ExportWalk<'_>) -> Result<(), RevisionError> {
        if path == top {
            return Ok(());
        }
        let below = export.entries.empty.keys().filter(|file| file.starts_with(path)).cloned().collect();
        let written = self.write_content(export.commit, &mut export.entries, below)?;
        export.bytes += written;
        if export.bytes > MOST_BYTES {
            return Err(RevisionError::TooLarge(export.commit.short()));
        }
        Ok(())
    }

    /// Writes the content of some of the files that were written empty, and returns its size.
    pub fn write_content(
        &self,
        commit: &CommitId,
        entries: &mut ExportedEntries,
        files: Vec<PathBuf>,
    ) -> Result<usize, RevisionError> {
        let mut size = 0;
        for path in files {
            let Some(EmptyFile { id, is_executable }) = entries.empty.remove(&path) else { continue };
            fs::remove_file(&path)?;
            size += self.write_blob(commit, &path, &id, is_executable)?;
        }
        Ok(size)
    }

    fn write_tree(
        &self,
        tree: &ObjectId,
        place: &ExportPlace<'_>,
        export: &mut ExportWalk<'_>,
    ) -> Result<(), RevisionError> {
        let missing = || RevisionError::Missing(export.commit.short());
        let entries = self.repository.entries(tree).ok_or_else(missing)?;
        let is_marker = |name: &[u8]| export.scope.markers.iter().any(|marker| name == marker.as_bytes());
        let is_whole = place.is_whole || entries.iter().any(|entry| is_marker(&entry.name));
        for entry in entries.iter().filter(|entry| is_plain_name(&entry.name)) {
            let separator: &[u8] = if place.shown.is_empty() { b"" } else { b"/" };
            let shown = [place.shown, separator, &entry.name].concat();
            export.files += 1;
            if export.files > MOST_FILES || export.bytes > MOST_BYTES || place.depth > DEEPEST {
                return Err(RevisionError::TooLarge(export.commit.short()));
            }
            let git_path = GitPath::new(shown.clone());
            let is_utf8 = std::str::from_utf8(&entry.name).is_ok();
            let name = git_path::to_system(&GitPath::new(entry.name.clone()));
            let name = name.filter(|_| entry.name.len() <= LONGEST_NAME);
            let Some(path) = name.map(|name| place.into.join(name)) else {
                export.entries.objects.insert(git_path.clone(), entry.id.text());
                export.entries.unwritable.push(git_path);
                continue;
            };
            if fs::exists(&path) {
                // A damaged tree names it twice.
                continue;
            }
            let place = ExportPlace { into: &path, shown: &shown, depth: place.depth, is_whole };
            if entry.mode != EntryMode::Directory {
                export.entries.objects.insert(git_path.clone(), entry.id.text());
            }
            match self.write_entry(entry, &place, export) {
                Err(RevisionError::Disk(_)) if !is_utf8 && !fs::exists(&path) => {
                    export.entries.objects.insert(git_path.clone(), entry.id.text());
                    export.entries.paths.retain(|path| *path != git_path);
                    export.entries.unwritable.push(git_path);
                }
                written => written?,
            }
        }
        Ok(())
    }

    /// Writes an entry at its place.
    fn write_entry(
        &self,
        entry: &GitTreeEntry,
        place: &ExportPlace<'_>,
        export: &mut ExportWalk<'_>,
    ) -> Result<(), RevisionError> {
        let path = GitPath::new(place.shown);
        match entry.mode {
            EntryMode::Directory => {
                fs::create_private_dir(place.into)?;
                let is_whole = place.is_whole || entry.name.starts_with(b".");
                self.write_tree(&entry.id, &ExportPlace { depth: place.depth + 1, is_whole, ..*place }, export)?;
            }
            EntryMode::File | EntryMode::Executable => {
                let is_executable = entry.mode == EntryMode::Executable;
                if !place.is_whole && export.scope.is_empty_file(place.into) {
                    fs::write_new(place.into, b"")?;
                    let file = EmptyFile { id: entry.id.clone(), is_executable };
                    export.entries.empty.insert(place.into.to_owned(), file);
                } else {
                    export.bytes += self.write_blob(export.commit, place.into, &entry.id, is_executable)?;
                }
                export.entries.paths.push(path);
            }
            EntryMode::Link => {
                let target = GitPath::new(self.read_blob(&entry.id, export.commit)?);
                export.links.push((place.into.to_owned(), OutsideLink { path: path.clone(), target }));
                export.entries.paths.push(path);
            }
            EntryMode::Submodule => {
                export.entries.submodules.push(SubmoduleEntry { path, commit: entry.id.text() });
            }
        }
        Ok(())
    }

    /// Writes a file and returns the size of its content.
    fn write_blob(
        &self,
        commit: &CommitId,
        path: &Path,
        id: &ObjectId,
        is_executable: bool,
    ) -> Result<usize, RevisionError> {
        match self.read_blob(id, commit) {
            Ok(bytes) if is_executable => fs::write_new_program(path, &bytes).map(|()| bytes.len()),
            Ok(bytes) => fs::write_new(path, &bytes).map(|()| bytes.len()),
            // It is too large, for any reader of the copy too.
            Err(_) if self.repository.objects.contains(id) => fs::write_new_blank(path, MAX_FILE + 1).map(|()| 0),
            Err(missing) => return Err(missing),
        }
        .map_err(RevisionError::from)
    }

    fn read_blob(&self, id: &ObjectId, commit: &CommitId) -> Result<Vec<u8>, RevisionError> {
        let blob = self.repository.objects.read(id).filter(|object| object.kind == ObjectKind::Blob);
        blob.map(|blob| blob.bytes).ok_or_else(|| RevisionError::Missing(commit.short()))
    }
}

impl ExportedEntries {
    /// Tells whether a file was written empty, although it may have content.
    pub fn is_empty_file(&self, path: &Path) -> bool {
        self.empty.contains_key(path)
    }
}

impl ExportScope<'_> {
    fn is_empty_file(&self, path: &Path) -> bool {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        self.empty.iter().any(|known| extension.eq_ignore_ascii_case(known))
    }
}

struct ExportWalk<'e> {
    commit: &'e CommitId,
    scope: &'e ExportScope<'e>,
    files: usize,
    bytes: usize,
    /// With the paths at which they are made.
    links: Vec<(PathBuf, OutsideLink)>,
    entries: ExportedEntries,
}

/// An entry of a commit, and where it is written.
#[derive(Clone, Copy)]
struct ExportPlace<'e> {
    into: &'e Path,
    /// As git stores it.
    shown: &'e [u8],
    depth: usize,
    is_whole: bool,
}

/// Tells whether a name of a tree is a file name on this system, and not the repository's own. Other systems than Windows
/// let files have names that drive a terminal, and agents read them.
fn is_plain_name(name: &[u8]) -> bool {
    let is_odd =
        |c: &u8| matches!(c, b'/' | 0) || (cfg!(windows) && (c.is_ascii_control() || matches!(c, b'\\' | b':')));
    !matches!(name, b"" | b"." | b"..") && !name.eq_ignore_ascii_case(b".git") && !name.iter().any(is_odd)
}

#[cfg(test)]
#[path = "git_revision_tests.rs"]
mod tests;
