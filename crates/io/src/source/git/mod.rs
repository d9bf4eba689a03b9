//! Git sources, fetched into the cache beside the current checkout, checked, and then made current.
//!
//! Each source has a directory in the cache, named by its address. It contains one directory for each commit, a small
//! record that names the current one, and a lock. The record is replaced atomically as the last step, so that a killed
//! run or several concurrent ones leave either the old checkout or the new one.

mod checkout;
mod checkout_info;
mod gc;
mod pinned_commit;
mod program;
mod record;
mod remote;
mod retention;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use symposium_model::config::{FetchHistory, GitAddress};

pub use self::checkout::{CheckoutOrigin, GitCopy, PinnedCommit};
pub(super) use self::checkout_info::{CheckoutInfo, VERSION};
use self::gc::sweep;
use self::program::GitRepository;
use self::record::CheckoutRecord;
pub use self::record::path as git_record;
use super::contents::{ContentRefusal, FetchedContents};
use super::fetch_error::{FetchError, FetchLimits};
use super::tarball::{self, ArchiveDownload};
use super::transfer::ByteCount;
use crate::file_lock::{self, LockError};
use crate::{clock, fs};

const HOLDING: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub struct FetchResult {
    pub copy: GitCopy,
    pub change: SourceChange,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceChange {
    First,
    None,
    ByAnother,
    /// The previous commit.
    From(String),
    /// The previous commit, which is newer: the repository was reset, or another server answered.
    BackFrom(String),
}

#[derive(Debug, Clone)]
pub struct GitCache {
    root: PathBuf,
}

impl GitCache {
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    fn directory(&self, address: &GitAddress) -> PathBuf {
        let hash = symposium_model::sync::fingerprint(address.shown().as_bytes());
        let hash: String = hash.as_str().chars().take(16).collect();
        self.root.join(format!("git-{hash}"))
    }

    /// Returns the path of the record that names the current checkout of a source; it need not exist.
    pub fn record(&self, address: &GitAddress) -> PathBuf {
        record::path(&self.directory(address), address)
    }

    /// Keeps the current checkout for a source that does not follow its repository, before a source that does follow it
    /// is fetched.
    pub fn keep_held(&self, address: &GitAddress) {
        let directory = self.directory(address);
        if !address.is_held() || record::has_own(&directory) {
            return;
        }
        let Some(known) = CheckoutRecord::read(&directory, address) else { return };
        let kept = match file_lock::acquire(&directory.join("lock"), HOLDING) {
            Ok(_held) => known.write(&directory, address).map_err(LockError::File),
            Err(error) => Err(error),
        };
        if let Err(error) = kept {
            tracing::warn!(%error, "cannot keep the copy of a source that does not follow");
        }
    }

    /// Returns the current checkout; `None` when there is none, or it differs from what was fetched.
    pub fn copy(&self, address: &GitAddress) -> Option<GitCopy> {
        let directory = self.directory(address);
        CheckoutRecord::read(&directory, address)?.copy(&directory)
    }

    /// Returns the checkout of one commit, regardless of whether the address leads to it now.
    pub fn copy_of(&self, address: &GitAddress, commit: &str) -> Option<GitCopy> {
        let directory = self.directory(address);
        match CheckoutRecord::read(&directory, address) {
            Some(record) if record.commit == commit => record.copy(&directory),
            _ => checkout_info::CheckoutInfo::read(&directory, commit)?.copy(&directory),
        }
    }

    /// Fetches one commit by its id, unless it is present. The current checkout stays the current one.
    pub fn fetch_pinned(
        &self,
        address: &GitAddress,
        pin: &PinnedCommit<'_>,
        patience: &FetchLimits,
        count: &ByteCount,
    ) -> Result<GitCopy, FetchError> {
        pinned_commit::fetch(&self.directory(address), address, pin, patience, count)
    }

    /// Records that a lockfile pins a commit, so that its checkout is kept. A lost record costs a fetch.
    pub fn hold(&self, address: &GitAddress, commit: &str, lock: &Path) {
        let directory = self.directory(address);
        if !fs::exists(&directory) || retention::is_held(&directory, lock, commit) {
            return;
        }
        let noted = match file_lock::acquire(&directory.join("lock"), HOLDING) {
            Ok(_held) => retention::hold(&directory, lock, commit).map_err(LockError::File),
            Err(error) => Err(error),
        };
        if let Err(error) = noted {
            tracing::warn!(%error, "cannot record the pins of a lockfile");
        }
    }

    pub fn history(&self, address: &GitAddress) -> FetchHistory {
        let fetched = self.copy(address).map(|copy| copy.fetched);
        FetchHistory { fetched, failed: record::read_failure(&self.directory(address)) }
    }

    pub fn fetch(
        &self,
        address: &GitAddress,
        patience: &FetchLimits,
        count: &ByteCount,
    ) -> Result<FetchResult, FetchError> {
        let start = Instant::now();
        let directory = self.directory(address);
        let fetched = fetch_into(&directory, address, patience, count, start);
        let kept = match &fetched {
            Ok(_) => record::forget_failure(&directory),
            Err(_) => record::write_failure(&directory, clock::now()),
        };
        if let Err(error) = kept {
            tracing::warn!(%error, "cannot record the time of a fetch");
        }
        fetched
    }
}

fn fetch_into(
    directory: &Path,
    address: &GitAddress,
    patience: &FetchLimits,
    count: &ByteCount,
    start: Instant,
) -> Result<FetchResult, FetchError> {
    let deadline = start + patience.whole;
    let seen = CheckoutRecord::read(directory, address).map(|record| record.serial);
    let _held = file_lock::acquire(&directory.join("lock"), patience.whole)?;
    let known = CheckoutRecord::read(directory, address);
    if let Some(known) = known.as_ref().filter(|known| Some(known.serial) != seen)
        && let Some(copy) = known.copy(directory)
    {
        return Ok(FetchResult { copy, change: SourceChange::ByAnother });
    }
    sweep(directory, address, known.as_ref());
    let staging = fs::staging_dir(directory)?;
    let repository = staging.path().join("repository");
    let git = GitRepository::create(&repository, address, patience, count)?;
    let answer = (Instant::now() + patience.answer).min(deadline);
    let arrived = match remote::resolve(&git, address, answer) {
        Ok(target) => {
            if let Some(known) = known.as_ref().filter(|known| known.is_of(&target))
                && let Some(copy) = known.verified(directory)
            {
                let record = known.checked_at(clock::now());
                record.write(directory, address)?;
                return Ok(FetchResult {
                    copy: GitCopy { fetched: record.fetched, ..copy },
                    change: SourceChange::None,
                });
            }
            FetchedCommit::through_git(&git, target, deadline)?
        }
        Err(FetchError::GitIsMissing) => {
            let unpacked = tarball::fetch(address, &ArchiveDownload { patience, deadline, count })?;
            FetchedCommit { commit: unpacked.commit, object: String::new(), time: None, contents: unpacked.contents }
        }
        Err(error) => return Err(error),
    };
    publish(directory, staging.path(), address, known.as_ref(), arrived)
}

struct FetchedCommit {
    commit: String,
    /// The object that the reference pointed to, for comparison at the next fetch.
    object: String,
    time: Option<u64>,
    contents: FetchedContents,
}

impl FetchedCommit {
    fn through_git(
        git: &GitRepository<'_>,
        target: remote::RemoteTarget,
        deadline: Instant,
    ) -> Result<Self, FetchError> {
        let commit = remote::fetch(git, &target, deadline)?;
        let contents = remote::contents(git, &commit, &target, deadline)?;
        let time = remote::commit_time(git, &commit, deadline);
        Ok(Self { commit, object: target.object, time, contents })
    }
}

/// Writes the fetched files beside the current checkout, moves them into place, and makes them current.
fn publish(
    directory: &Path,
    staging: &Path,
    address: &GitAddress,
    known: Option<&CheckoutRecord>,
    arrived: FetchedCommit,
) -> Result<FetchResult, FetchError> {
    let tree = staging.join("tree");
    fs::create_private_dir(&tree)?;
    let written = arrived.contents.write(&tree)?;
    let usable = known.and_then(|known| Some((known, known.copy(directory)?)));
    let change = match &usable {
        None => SourceChange::First,
        Some((known, _)) if known.commit == arrived.commit => SourceChange::None,
        Some((known, _)) if arrived.time.is_some() && arrived.time < known.time => {
            SourceChange::BackFrom(known.commit.clone())
        }
        Some((known, _)) => SourceChange::From(known.commit.clone()),
    };
    let entries = fs::count(&tree)?;
    let whole = pinned_commit::whole(&tree);
    fs::replace_dir(&tree, &directory.join(&arrived.commit))?;
    let record = CheckoutRecord::new(
        address,
        known,
        clock::now(),
        record::FetchFacts {
            commit: arrived.commit,
            object: arrived.object,
            time: arrived.time,
            tree: written.tree,
            whole,
            entries,
            notes: written.notes,
        },
    );
    record.to_checkout_info().write(directory)?;
    record.write(directory, address)?;
    sweep(directory, address, Some(&record));
    tracing::info!(source = address.shown(), commit = record.commit, "fetched");
    let Some(copy) = record.copy(directory) else {
        return Err(ContentRefusal::Damaged("the written copy could not be read".to_owned()).into());
    };
    Ok(FetchResult { copy, change })
}
