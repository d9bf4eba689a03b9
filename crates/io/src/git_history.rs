//! Former contents of a file that git tracks, read from the repository without starting git.

use std::path::{Path, PathBuf};

use crate::fs;
use crate::git_objects::{GitObject, ObjectId, ObjectKind, ObjectStore};

/// Bytes. References and pointers are one line; a list of all references is longer.
const MAX_POINTER: u64 = 64 * 1024;
const MAX_REFERENCES: u64 = 64 * 1024 * 1024;
/// References that lead to others.
const MOST_LINKS: usize = 5;

/// Goes back from the present commit by first parents, and returns what `pick` makes of the first content for which it
/// makes anything.
pub fn past_versions_of<T>(file: &Path, most_commits: usize, mut pick: impl FnMut(&str) -> Option<T>) -> Option<T> {
    let file = fs::canonical(file).ok()?;
    let top = file.ancestors().skip(1).find(|directory| fs::exists(&directory.join(".git")))?;
    let parts: Vec<&str> = file.strip_prefix(top).ok()?.iter().map(|part| part.to_str()).collect::<Option<_>>()?;
    let repository = RepositoryReader::open(&top.join(".git"))?;
    let mut commit = Some(repository.head()?);
    let mut before = None;
    for _ in 0..most_commits {
        let object = repository.objects.read(&commit?)?;
        let header = CommitHeader::parse(&object)?;
        let blob = repository.find_blob(&header.tree, &parts);
        if blob.is_some() && blob != before {
            let content = blob.as_ref().and_then(|blob| repository.objects.read(blob));
            let text = content.and_then(|content| String::from_utf8(content.bytes).ok());
            if let Some(picked) = text.and_then(|text| pick(&text)) {
                return Some(picked);
            }
        }
        before = blob;
        commit = header.parent;
    }
    None
}

struct RepositoryReader {
    /// The directory of the work tree's own references.
    own: PathBuf,
    /// The directory that all work trees share.
    common: PathBuf,
    objects: ObjectStore,
}

impl RepositoryReader {
    fn open(git: &Path) -> Option<Self> {
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

    fn head(&self) -> Option<ObjectId> {
        let mut name = "HEAD".to_owned();
        for _ in 0..MOST_LINKS {
            let directory = if name == "HEAD" { &self.own } else { &self.common };
            let Ok(text) = fs::read_text(&directory.join(&name), MAX_POINTER) else {
                return self.packed_reference(&name);
            };
            match text.strip_prefix("ref:") {
                Some(next) if is_reference(next.trim()) => next.trim().clone_into(&mut name),
                Some(_) => return None,
                None => return ObjectId::parse(text.trim()),
            }
        }
        None
    }

    fn packed_reference(&self, name: &str) -> Option<ObjectId> {
        let text = fs::read_text(&self.common.join("packed-refs"), MAX_REFERENCES).ok()?;
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        lines.find(|(_, own)| *own == name).and_then(|(id, _)| ObjectId::parse(id))
    }

    fn find_blob(&self, tree: &ObjectId, parts: &[&str]) -> Option<ObjectId> {
        let mut id = tree.clone();
        for part in parts {
            let tree = self.objects.read(&id).filter(|object| object.kind == ObjectKind::Tree)?;
            id = entry_of(&tree.bytes, part)?;
        }
        Some(id)
    }
}

/// Says whether a name stays inside the repository.
fn is_reference(name: &str) -> bool {
    name.starts_with("refs/") && name.split('/').all(|part| !part.is_empty() && !part.starts_with('.'))
}

struct CommitHeader {
    tree: ObjectId,
    parent: Option<ObjectId>,
}

impl CommitHeader {
    fn parse(object: &GitObject) -> Option<Self> {
        let head = String::from_utf8_lossy(&object.bytes);
        let lines = head.lines().take_while(|line| !line.is_empty());
        let find = |key: &str| lines.clone().find_map(|line| ObjectId::parse(line.strip_prefix(key)?));
        (object.kind == ObjectKind::Commit).then_some(())?;
        Some(Self { tree: find("tree ")?, parent: find("parent ") })
    }
}

/// Finds an entry of a tree by its name.
fn entry_of(tree: &[u8], name: &str) -> Option<ObjectId> {
    let mut rest = tree;
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| *byte == 0)?;
        let (head, after) = rest.split_at_checked(end)?;
        let (id, after) = after.get(1..)?.split_first_chunk::<20>()?;
        let own = head.split(|byte| *byte == b' ').nth(1)?;
        if own == name.as_bytes() {
            return Some(ObjectId(*id));
        }
        rest = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn git(directory: &Path, args: &[&str]) {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"];
        let output = Command::new("git").current_dir(directory).args(identity).args(args).output().unwrap();
        assert!(output.status.success(), "{args:?} {}", String::from_utf8_lossy(&output.stderr));
    }

    #[test]
    fn former_contents_are_found_loose_and_packed() {
        let directory = tempfile::tempdir().unwrap();
        let top = &directory.path().join("repository");
        std::fs::create_dir_all(top.join("a/b")).unwrap();
        let file = top.join("a/b/Cargo.lock");
        git(top, &["init", "-q"]);
        let body: String = (0..2000).map(|line| format!("line {line}\n")).collect::<Vec<_>>().concat();
        for version in ["one", "two", "three"] {
            std::fs::write(&file, format!("{version}\n{body}")).unwrap();
            git(top, &["add", "."]);
            git(top, &["commit", "-qm", version]);
            std::fs::write(top.join("other"), version).unwrap();
            git(top, &["add", "."]);
            git(top, &["commit", "-qm", "other"]);
        }
        let all = |most: usize| {
            let mut found = Vec::new();
            past_versions_of(&file, most, |text| {
                assert!(text.ends_with("line 1999\n"));
                found.push(text.lines().next().unwrap_or_default().to_owned());
                None::<()>
            });
            found.join(" ")
        };
        assert_eq!(all(10), "three two one");
        assert_eq!(all(3), "three two");
        git(top, &["gc", "-q", "--aggressive"]);
        assert!(!top.join(".git/refs/heads/main").exists(), "references are packed too");
        assert_eq!(all(10), "three two one");
        git(top, &["worktree", "add", "-q", "../tree", "HEAD~3"]);
        let linked = top.parent().unwrap().join("tree");
        let found = past_versions_of(&linked.join("a/b/Cargo.lock"), 1, |text| text.lines().next().map(str::to_owned));
        assert_eq!(found.as_deref(), Some("two"));
        std::fs::remove_dir_all(linked).unwrap();
        std::fs::write(top.join(".git/HEAD"), "ref: ../../secret\n").unwrap();
        assert_eq!(all(10), "");
    }
}
