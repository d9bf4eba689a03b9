//! Fetch of one commit by its id: the branch it was on may have moved on, or be gone.

use std::path::Path;
use std::time::Instant;

use symposium_model::config::GitAddress;
use symposium_model::sync::ContentFingerprint;

use super::checkout::{GitCopy, PinnedCommit};
use super::checkout_info::{CheckoutInfo, VERSION};
use super::program::GitRepository;
use super::remote::{self, RemoteTarget};
use super::retention;
use crate::source::contents::FetchedContents;
use crate::source::directory::DirectoryTree;
use crate::source::fetch_error::{FetchError, FetchLimits};
use crate::source::tarball::{self, ArchiveDownload};
use crate::source::transfer::ByteCount;
use crate::source::whole_fingerprint;
use crate::{clock, file_lock, fs};

pub(super) fn whole(directory: &Path) -> Option<ContentFingerprint> {
    whole_fingerprint(&DirectoryTree::open(directory).ok()?).ok()
}

pub(super) fn fetch(
    directory: &Path,
    address: &GitAddress,
    pin: &PinnedCommit<'_>,
    patience: &FetchLimits,
    count: &ByteCount,
) -> Result<GitCopy, FetchError> {
    let start = Instant::now();
    let deadline = start + patience.whole;
    let _held = file_lock::acquire(&directory.join("lock"), patience.whole)?;
    // The next fetch must not remove it.
    retention::hold(directory, pin.lock, pin.commit)?;
    let known = CheckoutInfo::read(directory, pin.commit);
    if let Some(copy) = known.as_ref().and_then(|kept| kept.copy(directory))
        && copy.whole.as_ref() == Some(pin.whole)
    {
        return Ok(copy);
    }
    let staging = fs::staging_dir(directory)?;
    let repository = staging.path().join("repository");
    let git = GitRepository::create(&repository, address, patience, count)?;
    let answer = (start + patience.answer).min(deadline);
    let mut directories: Vec<String> = Vec::new();
    for (_, inside) in address.readings() {
        if !directories.contains(&inside) {
            directories.push(inside);
        }
    }
    let (mut readings, time) = match remote::reach(&git, answer) {
        Ok(()) => through_git(&git, pin.commit, directories, deadline)?,
        Err(FetchError::GitIsMissing) => {
            (through_archives(address, pin.commit, &directories, &ArchiveDownload { patience, deadline, count })?, None)
        }
        Err(error) => return Err(error),
    };
    // The content tells which part of the address is a branch and which a directory.
    while let Some(contents) = readings.pop() {
        let tree = staging.path().join(format!("tree-{}", readings.len()));
        fs::create_private_dir(&tree)?;
        let written = contents.write(&tree)?;
        if whole(&tree).as_ref() != Some(pin.whole) {
            continue;
        }
        let kept = CheckoutInfo {
            version: VERSION,
            commit: pin.commit.to_owned(),
            time,
            fetched: clock::now(),
            tree: written.tree,
            whole: Some(pin.whole.clone()),
            entries: fs::count(&tree)?,
            notes: written.notes,
            followed: known.is_some_and(|known| known.followed),
        };
        fs::replace_dir(&tree, &directory.join(pin.commit))?;
        kept.write(directory)?;
        tracing::info!(source = address.shown(), commit = pin.commit, "fetched a pinned commit");
        return kept.copy(directory).ok_or_else(|| FetchError::OtherContent(short(pin.commit)));
    }
    Err(FetchError::OtherContent(short(pin.commit)))
}

/// Returns the contents of each of the directories in a commit, and the commit time.
fn through_git(
    git: &GitRepository<'_>,
    commit: &str,
    directories: Vec<String>,
    deadline: Instant,
) -> Result<(Vec<FetchedContents>, Option<u64>), FetchError> {
    let target = |directory| RemoteTarget { reference: commit.to_owned(), object: commit.to_owned(), directory };
    remote::fetch(git, &target(String::new()), deadline).map_err(|error| match error {
        FetchError::Git(reason) if is_refusal(&reason) => FetchError::CommitIsGone(short(commit)),
        error => error,
    })?;
    let mut found = Vec::new();
    for directory in directories {
        match remote::contents(git, commit, &target(directory), deadline) {
            Ok(contents) => found.push(contents),
            Err(FetchError::NoSuchDirectory(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok((found, remote::commit_time(git, commit, deadline)))
}

fn through_archives(
    address: &GitAddress,
    commit: &str,
    directories: &[String],
    download: &ArchiveDownload<'_>,
) -> Result<Vec<FetchedContents>, FetchError> {
    let mut found = Vec::new();
    for directory in directories {
        match tarball::fetch_commit(address, commit, directory, download) {
            Ok(unpacked) => found.push(unpacked.contents),
            Err(FetchError::NoSuchDirectory(_)) => {}
            Err(FetchError::NoSuchReference(_)) => return Err(FetchError::CommitIsGone(short(commit))),
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// Recognises the answer of a server that does not have a commit, or does not serve one that no branch contains.
fn is_refusal(reason: &str) -> bool {
    ["not our ref", "unadvertised object", "couldn't find remote ref", "bad object"]
        .iter()
        .any(|words| reason.contains(words))
}

fn short(commit: &str) -> String {
    commit.chars().take(7).collect()
}
