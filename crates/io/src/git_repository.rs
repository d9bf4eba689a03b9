//! A git repository as it lies on disk: references, commits and trees, read without starting git. A repository can make
//! git run programs, through its configuration, hooks, attributes and remotes; reading files runs none.

use std::path::{Path, PathBuf};

use crate::fs;
use crate::git_objects::{GitObject, ObjectId, ObjectKind, ObjectStore};

/// Bytes. References and pointers are one line; a list of all references is longer.
const MAX_POINTER: u64 = 64 * 1024;
const MAX_REFERENCES: u64 = 64 * 1024 * 1024;
/// References that lead to others, and tags of tags.
const MOST_LINKS: usize = 5;

pub(crate) struct RepositoryReader {
    /// The directory of the work tree's own references.
    own: PathBuf,
    /// The directory that all work trees share.
    common: PathBuf,
    pub(crate) objects: ObjectStore,
}

impl RepositoryReader {
    pub(crate) fn open(git: &Path) -> Option<Self> {
        let own = if fs::is_dir(git) {
            git.to_owned()
        } else {
            let text = fs::read_text(git, MAX_POINTER).ok()?;
            git.parent()?.join(text.strip_prefix("gitdir:")?.trim())
        };
        let common = match fs::read_text(&own.join("commondir"), MAX_POINTER) {
            Ok(text) => own.join(text.trim()),
            Err(_) => own.clone(),
        };
        let objects = ObjectStore::open(&common.join("objects"));
        Some(Self { own, common, objects })
    }

    pub(crate) fn head(&self) -> Option<ObjectId> {
        self.reference("HEAD")
    }

    /// Follows a reference by its full name, such as `HEAD` or `refs/heads/main`.
    pub(crate) fn reference(&self, name: &str) -> Option<ObjectId> {
        let mut name = name.to_owned();
        for _ in 0..MOST_LINKS {
            let directory = if name.starts_with("refs/") { &self.common } else { &self.own };
            let Ok(text) = fs::read_text(&directory.join(&name), MAX_POINTER) else {
                return self.packed_reference(&name);
            };
            match text.strip_prefix("ref:") {
                Some(next) if is_reference(next.trim()) => next.trim().clone_into(&mut name),
                Some(_) => return None,
                // `FETCH_HEAD` goes on after the first word.
                None => return ObjectId::parse(text.split_whitespace().next()?),
            }
        }
        None
    }

    fn packed_reference(&self, name: &str) -> Option<ObjectId> {
        let text = fs::read_text(&self.common.join("packed-refs"), MAX_REFERENCES).ok()?;
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        lines.find(|(_, own)| *own == name).and_then(|(id, _)| ObjectId::parse(id))
    }

    /// Tells whether the history ends here because the clone has only a part of it.
    pub(crate) fn is_shallow(&self) -> bool {
        fs::exists(&self.common.join("shallow"))
    }

    pub(crate) fn commit(&self, id: &ObjectId) -> Option<CommitHeader> {
        CommitHeader::parse(&self.objects.read(id)?)
    }

    /// Follows tags to the commit that they name.
    pub(crate) fn peel(&self, id: ObjectId) -> Option<ObjectId> {
        let mut id = id;
        for _ in 0..MOST_LINKS {
            let object = self.objects.read(&id)?;
            match object.kind {
                ObjectKind::Commit => return Some(id),
                ObjectKind::Tag => id = header_ids(&object, "object ").into_iter().next()?,
                ObjectKind::Tree | ObjectKind::Blob => return None,
            }
        }
        None
    }

    pub(crate) fn find_blob(&self, tree: &ObjectId, parts: &[&str]) -> Option<ObjectId> {
        let mut id = tree.clone();
        for part in parts {
            id = self.entries(&id)?.into_iter().find(|entry| entry.name == part.as_bytes())?.id;
        }
        Some(id)
    }

    /// Lists a tree; `None` if it cannot be read.
    pub(crate) fn entries(&self, tree: &ObjectId) -> Option<Vec<GitTreeEntry>> {
        let tree = self.objects.read(tree).filter(|object| object.kind == ObjectKind::Tree)?;
        let mut entries = Vec::new();
        let mut rest = tree.bytes.as_slice();
        while !rest.is_empty() {
            let end = rest.iter().position(|byte| *byte == 0)?;
            let (head, after) = rest.split_at_checked(end)?;
            let (id, after) = after.get(1..)?.split_first_chunk::<20>()?;
            let blank = head.iter().position(|byte| *byte == b' ')?;
            let (mode, name) = (head.get(..blank)?, head.get(blank + 1..)?);
            entries.push(GitTreeEntry { mode: EntryMode::parse(mode), name: name.to_vec(), id: ObjectId(*id) });
            rest = after;
        }
        Some(entries)
    }
}

/// An entry of a tree.
pub(crate) struct GitTreeEntry {
    pub(crate) mode: EntryMode,
    pub(crate) name: Vec<u8>,
    pub(crate) id: ObjectId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryMode {
    Directory,
    File,
    Executable,
    Link,
    /// A commit of another repository.
    Submodule,
}

impl EntryMode {
    fn parse(mode: &[u8]) -> Self {
        match mode {
            b"40000" => Self::Directory,
            b"100755" => Self::Executable,
            b"120000" => Self::Link,
            b"160000" => Self::Submodule,
            _ => Self::File,
        }
    }
}

/// Says whether a name stays inside the repository.
pub(crate) fn is_reference(name: &str) -> bool {
    name.starts_with("refs/") && name.split('/').all(|part| !part.is_empty() && !part.starts_with('.'))
}

pub(crate) struct CommitHeader {
    pub(crate) tree: ObjectId,
    pub(crate) parents: Vec<ObjectId>,
}

impl CommitHeader {
    fn parse(object: &GitObject) -> Option<Self> {
        (object.kind == ObjectKind::Commit).then_some(())?;
        let tree = header_ids(object, "tree ").into_iter().next()?;
        Some(Self { tree, parents: header_ids(object, "parent ") })
    }
}

/// Returns the objects that a header names by a key.
fn header_ids(object: &GitObject, key: &str) -> Vec<ObjectId> {
    let text = String::from_utf8_lossy(&object.bytes);
    let lines = text.lines().take_while(|line| !line.is_empty());
    lines.filter_map(|line| ObjectId::parse(line.strip_prefix(key)?)).collect()
}
