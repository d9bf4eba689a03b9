//! Access to a remote repository: the commit that a reference denotes, and its files.

use std::time::Instant;

use symposium_model::config::GitAddress;
use symposium_model::lockfile::is_object_id;

use super::program::{GitRepository, REMOTE};
use crate::source::contents::{ContentRefusal, FetchedContents, MAX_BYTES, MAX_ENTRIES};
use crate::source::fetch_error::FetchError;

/// The local reference for a fetched commit.
const FETCHED: &str = "refs/symposium/fetched";

/// The present meaning of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RemoteTarget {
    /// The full reference or commit to fetch.
    pub(super) reference: String,
    /// The object id that the server advertises.
    pub(super) object: String,
    /// The wanted directory; empty for all.
    pub(super) directory: String,
}

pub(super) fn resolve(
    git: &GitRepository<'_>,
    address: &GitAddress,
    deadline: Instant,
) -> Result<RemoteTarget, FetchError> {
    let readings = address.readings();
    let mut candidates: Vec<(String, &str)> = Vec::new();
    for (name, directory) in &readings {
        if name == "HEAD" {
            candidates.push((name.clone(), directory));
        } else {
            candidates.push((format!("refs/heads/{name}"), directory));
            candidates.push((format!("refs/tags/{name}"), directory));
        }
    }
    let mut args = vec!["ls-remote", "--", REMOTE];
    args.extend(candidates.iter().map(|(reference, _)| reference.as_str()));
    let listed = git.run(&args, Vec::new(), deadline, 4 * 1024 * 1024).map_err(|error| match error {
        FetchError::TooSlow { .. } => FetchError::NoAnswer,
        FetchError::Refused(_) => FetchError::Git("its list of branches is incomplete".to_owned()),
        error => error,
    })?;
    let listed = String::from_utf8_lossy(&listed);
    let advertised = |wanted: &str| {
        let mut lines = listed.lines().filter_map(|line| line.split_once('\t'));
        lines.find(|(_, name)| *name == wanted).map(|(object, _)| object.to_owned())
    };
    for (reference, directory) in &candidates {
        if let Some(object) = advertised(reference).filter(|object| is_object_id(object)) {
            let (reference, directory) = (reference.clone(), (*directory).to_owned());
            return Ok(RemoteTarget { reference, object, directory });
        }
    }
    // A commit is not advertised, but can be asked for.
    match address.tree().split_first() {
        Some((commit, directory)) if is_object_id(commit) => {
            Ok(RemoteTarget { reference: commit.clone(), object: commit.clone(), directory: directory.join("/") })
        }
        Some(_) => Err(FetchError::NoSuchReference(address.tree().join("/"))),
        None => Err(FetchError::Empty),
    }
}

pub(super) fn reach(git: &GitRepository<'_>, deadline: Instant) -> Result<(), FetchError> {
    let asked = git.run(&["ls-remote", "--", REMOTE, "HEAD"], Vec::new(), deadline, 4 * 1024 * 1024);
    asked
        .map(|_| ())
        .map_err(|error| if matches!(error, FetchError::TooSlow { .. }) { FetchError::NoAnswer } else { error })
}

pub(super) fn fetch(git: &GitRepository<'_>, target: &RemoteTarget, deadline: Instant) -> Result<String, FetchError> {
    let refspec = format!("+{}:{FETCHED}", target.reference);
    let args = ["fetch", "--progress", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", REMOTE, &refspec];
    git.transfer(&args, deadline)?;
    let commit = format!("{FETCHED}^{{commit}}");
    let commit = git.run(&["rev-parse", "--verify", "--quiet", &commit], Vec::new(), deadline, 1024)?;
    let commit = String::from_utf8_lossy(&commit).trim().to_owned();
    if is_object_id(&commit) {
        Ok(commit)
    } else {
        Err(FetchError::Git("the fetched object is not a commit".to_owned()))
    }
}

/// Returns the commit time in seconds since 1970.
pub(super) fn commit_time(git: &GitRepository<'_>, commit: &str, deadline: Instant) -> Option<u64> {
    let text = git.run(&["cat-file", "commit", commit], Vec::new(), deadline, 1024 * 1024).ok()?;
    let text = String::from_utf8_lossy(&text);
    let committer = text.lines().take_while(|line| !line.is_empty()).find(|line| line.starts_with("committer "))?;
    committer.rsplit(' ').nth(1)?.parse().ok()
}

struct ListedFile {
    mode: String,
    object: String,
    path: String,
}

/// Reads the files of a commit from the repository itself: no checkout, no filters, no attributes.
pub(super) fn contents(
    git: &GitRepository<'_>,
    commit: &str,
    target: &RemoteTarget,
    deadline: Instant,
) -> Result<FetchedContents, FetchError> {
    let tree = format!("{commit}:{}", target.directory);
    let args = ["ls-tree", "-r", "-z", "-l", "--full-tree", &tree];
    // Enough for long paths; a tree made to explode is cut off.
    let listed = git.run(&args, Vec::new(), deadline, MAX_ENTRIES * 300).map_err(|error| match error {
        FetchError::Git(_) => FetchError::NoSuchDirectory(target.directory.clone()),
        error => error,
    })?;
    let mut contents = FetchedContents::default();
    let mut wanted = Vec::new();
    let mut total = 0;
    for line in listed.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
        let damaged = || FetchError::Refused(ContentRefusal::Damaged("its list of files cannot be read".to_owned()));
        let at = line.iter().position(|byte| *byte == b'\t').ok_or_else(damaged)?;
        let (facts, path) = line.split_at_checked(at).ok_or_else(damaged)?;
        let Some(path) = path.get(1..).and_then(|path| std::str::from_utf8(path).ok()) else {
            contents.note("A file with a name that is not UTF-8 is skipped".to_owned());
            continue;
        };
        let facts = String::from_utf8_lossy(facts);
        let facts: Vec<&str> = facts.split_whitespace().collect();
        let [mode, kind, object, size] = facts.as_slice() else { return Err(damaged()) };
        match *kind {
            "blob" => {}
            "commit" => {
                contents.note(format!("`{path}` is a submodule, which is not fetched"));
                continue;
            }
            _ => continue,
        }
        total += size.parse::<u64>().map_err(|_| damaged())?;
        if total > MAX_BYTES {
            return Err(ContentRefusal::TooLarge.into());
        }
        if wanted.len() == MAX_ENTRIES {
            return Err(ContentRefusal::TooManyFiles.into());
        }
        wanted.push(ListedFile { mode: (*mode).to_owned(), object: (*object).to_owned(), path: path.to_owned() });
    }
    if wanted.is_empty() {
        return Ok(contents);
    }
    let mut input: Vec<u8> = Vec::new();
    for file in &wanted {
        input.extend_from_slice(file.object.as_bytes());
        input.push(b'\n');
    }
    let room = usize::try_from(total).unwrap_or(usize::MAX) + wanted.len() * 128;
    let output = git.run(&["cat-file", "--batch", "--buffer"], input, deadline, room)?;
    let mut output = output.as_slice();
    for file in wanted {
        let bytes = next_object(&mut output)
            .ok_or_else(|| ContentRefusal::Damaged(format!("`{}` is not in the repository", file.path)))?
            .to_vec();
        match file.mode.as_str() {
            "120000" => match String::from_utf8(bytes) {
                Ok(target) => contents.add_link(&file.path, target)?,
                Err(_) => {
                    contents.note(format!("`{}` is a link to a name that is not UTF-8, and is skipped", file.path));
                }
            },
            mode => contents.add_file(&file.path, bytes, mode == "100755")?,
        }
    }
    Ok(contents)
}

/// Parses one object in the output of `cat-file --batch`: a line that ends in its size, its bytes, a newline.
fn next_object<'o>(output: &mut &'o [u8]) -> Option<&'o [u8]> {
    let end = output.iter().position(|byte| *byte == b'\n')?;
    let (line, rest) = output.split_at_checked(end)?;
    let size: usize = std::str::from_utf8(line).ok()?.rsplit(' ').next()?.parse().ok()?;
    let (bytes, rest) = rest.get(1..)?.split_at_checked(size)?;
    *output = rest.get(1..)?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_told_apart_by_their_sizes() {
        let mut output = &b"0f blob 4\na\nb\n\n1f blob 0\n\n2f missing\n"[..];
        assert_eq!(next_object(&mut output), Some(&b"a\nb\n"[..]));
        assert_eq!(next_object(&mut output), Some(&b""[..]));
        assert_eq!(next_object(&mut output), None);
        assert_eq!(next_object(&mut &b"0f blob 9\nshort\n"[..]), None);
    }

    #[test]
    fn object_ids() {
        assert!(is_object_id(&"0a".repeat(20)) && is_object_id(&"f".repeat(64)));
        assert!(!is_object_id("main") && !is_object_id(&"g".repeat(40)) && !is_object_id(&"-".repeat(40)));
    }
}
