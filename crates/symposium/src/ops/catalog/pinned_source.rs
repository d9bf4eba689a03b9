//! Chooses the checkout of a source for this project: the pinned one, or the current one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use symposium_io::fs;
use symposium_io::source::{
    CheckoutOrigin, DirectoryTree, FetchError, GitCache, GitCopy, PluginIndexCache, whole_fingerprint,
};
use symposium_model::authority::follows_lock;
use symposium_model::catalog::{CopyChoice, SourceCopy};
use symposium_model::config::{GitAddress, SourceRank, SourceSpec};
use symposium_model::diagnostic::Diagnostic;
use symposium_model::lockfile::SourcePin;
use symposium_model::sync::ContentFingerprint;

use crate::ops::context::Context;
use crate::ops::fetch_report::{FetchReport, short};
use crate::ops::lockfile_state::{LockfileState, PinPolicy, vendored};

/// The copy of a source in git that counts.
#[derive(Default)]
pub(crate) struct ChosenCheckout {
    /// The copy; `None` when it is not on this machine.
    pub(crate) copy: Option<SourceCopy>,
    pub(crate) notes: Vec<String>,
    pub(crate) faults: Vec<Diagnostic>,
    /// Content that was not asked for yet.
    pub(crate) awaited: Option<Diagnostic>,
    /// The directories of plugins in the copy that are not wanted.
    pub(crate) left_out: BTreeSet<String>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct GitPin<'p> {
    pub(crate) commit: &'p str,
    pub(crate) tree: &'p ContentFingerprint,
}

/// Chooses the copies of sources that count in a project.
pub(crate) struct CopyChooser<'c> {
    pub(crate) root: Option<&'c Path>,
    pub(crate) lock: &'c LockfileState,
    pub(crate) cache: GitCache,
    pub(crate) indexes: PluginIndexCache,
    pub(crate) fetched: &'c FetchReport,
}

impl<'c> CopyChooser<'c> {
    pub(crate) fn new(context: &'c Context, fetched: &'c FetchReport) -> Self {
        Self {
            root: context.root(),
            lock: &context.lock,
            cache: context.git_cache(),
            indexes: context.index_cache(),
            fetched,
        }
    }

    /// Returns why a source could not be fetched just now.
    pub(crate) fn failure(&self, name: &str) -> Option<&FetchError> {
        self.fetched.failure(name)
    }

    /// Returns the pin of a source; `None` if its address has changed since, or if the source is the user's own.
    pub(crate) fn git_pin(&self, spec: &SourceSpec, address: &GitAddress) -> Option<GitPin<'c>> {
        match self.lock.pin(&spec.name).filter(|_| follows_lock(spec.rank))? {
            SourcePin::Git { url, commit, tree } if url == address.shown() => Some(GitPin { commit, tree }),
            SourcePin::Git { .. } | SourcePin::Path { .. } | SourcePin::Builtin { .. } | SourcePin::Index { .. } => {
                None
            }
        }
    }

    /// Chooses the copy of a source in git.
    pub(crate) fn choose(&self, spec: &SourceSpec, address: &GitAddress) -> ChosenCheckout {
        let current = self.cache.copy(address);
        let Some(pin) = self.git_pin(spec, address) else { return choose_checkout(current, CopyChoice::Current) };
        match self.fetched.pins {
            PinPolicy::Kept => self.locked(spec, address, pin),
            PinPolicy::Released => {
                // What could not be asked for now must not take the project back.
                let pinned = self.locked(spec, address, pin);
                let known = self.cache.copy_of(address, pin.commit);
                let is_later = current.as_ref().zip(known).is_some_and(|(current, known)| current.came_after(&known));
                if self.fetched.was_fetched(&spec.name) || is_later || (pinned.copy.is_none() && current.is_some()) {
                    choose_checkout(current, CopyChoice::Current)
                } else {
                    pinned
                }
            }
        }
    }

    fn locked(&self, spec: &SourceSpec, address: &GitAddress, pin: GitPin<'_>) -> ChosenCheckout {
        let mut faults = Vec::new();
        if let Some(directory) = self.root.map(|root| vendored(root, &spec.name)).filter(|path| fs::exists(path)) {
            match vendored_fault(&directory, pin.tree) {
                None => {
                    let commit = pin.commit.to_owned();
                    let copy = SourceCopy { directory, commit, fetched: 0, choice: CopyChoice::Vendored };
                    return ChosenCheckout { copy: Some(copy), ..ChosenCheckout::default() };
                }
                Some(fault) => faults.push(fault),
            }
        }
        let Some(copy) = self.cache.copy_of(address, pin.commit) else {
            faults.extend(self.missing(spec, address, pin));
            return ChosenCheckout { faults, ..ChosenCheckout::default() };
        };
        let content = content_of(&copy);
        if content.as_ref() != Some(pin.tree) {
            let (commit, locked) = (short(pin.commit), pin.tree.as_str());
            let found = content.as_ref().map_or("unreadable", ContentFingerprint::as_str);
            let name = &spec.name;
            let message = format!(
                "Source `{name}`: the content of commit {commit} does not match the lockfile: expected {locked}, \
                 found {found}"
            );
            let found = Diagnostic::error(address.shown(), message);
            faults.push(found.help("restore the lockfile from version control, or run `symposium sync --update`"));
            return ChosenCheckout { faults, ..ChosenCheckout::default() };
        }
        let is_current = self.cache.copy(address).is_some_and(|current| current.commit == copy.commit);
        let choice = match (is_current, copy.arrival) {
            (true, _) => CopyChoice::Current,
            (false, CheckoutOrigin::Followed) => CopyChoice::Earlier,
            (false, CheckoutOrigin::AskedFor) => CopyChoice::Pinned,
        };
        ChosenCheckout { faults, ..choose_checkout(Some(copy), choice) }
    }

    /// Reports a pinned checkout that is not on this machine.
    fn missing(&self, spec: &SourceSpec, address: &GitAddress, pin: GitPin<'_>) -> Option<Diagnostic> {
        let (name, commit) = (&spec.name, short(pin.commit));
        let is_used = self.lock.lock().is_some_and(|lock| lock.extensions().iter().any(|used| used.source == *name));
        // The public recommendations are optional, so their absence is reported only if the lockfile uses them.
        if spec.rank == SourceRank::Recommendations && !is_used {
            return None;
        }
        let pinned = format!("Source `{name}` is locked at {commit}");
        let (message, help) = match self.fetched.pin_failure(name) {
            Some(FetchError::CommitIsGone(_)) => (
                format!("{pinned}, but the repository no longer has that commit; installed files are kept"),
                "run `symposium sync --update` to pin the present commit, or `symposium sync --vendor` on a machine \
                 that still has the commit",
            ),
            Some(error) => (
                format!("{pinned}, but that commit could not be fetched: {error}; installed files are kept"),
                "run `symposium sync` again later",
            ),
            None => (
                format!("{pinned}, but that commit is not on this machine; installed files are kept"),
                "run `symposium sync` with network access; `symposium sync --vendor` on a machine that has the commit \
                 avoids this for others",
            ),
        };
        Some(Diagnostic::error(address.shown(), message).help(help))
    }

    /// The vendored copy of a source that is a directory, when that directory does not hold what the lock says.
    pub(crate) fn vendored_directory(&self, spec: &SourceSpec, directory: &Path) -> Option<PathBuf> {
        let name = &spec.name;
        if self.fetched.pins == PinPolicy::Released || !follows_lock(spec.rank) {
            return None;
        }
        let Some(SourcePin::Path { tree }) = self.lock.pin(name) else { return None };
        let copy = self.root.map(|root| vendored(root, name)).filter(|path| fs::exists(path))?;
        (content_at(directory).as_ref() != Some(tree) && content_at(&copy).as_ref() == Some(tree)).then_some(copy)
    }
}

pub(super) fn choose_checkout(copy: Option<GitCopy>, choice: CopyChoice) -> ChosenCheckout {
    let Some(copy) = copy else { return ChosenCheckout::default() };
    let made = SourceCopy { directory: copy.directory, commit: copy.commit, fetched: copy.fetched, choice };
    ChosenCheckout { copy: Some(made), notes: copy.notes, ..ChosenCheckout::default() }
}

pub(crate) fn content_of(copy: &GitCopy) -> Option<ContentFingerprint> {
    copy.whole.clone().or_else(|| content_at(&copy.directory))
}

pub(crate) fn content_at(directory: &Path) -> Option<ContentFingerprint> {
    whole_fingerprint(&DirectoryTree::open(directory).ok()?).ok()
}

pub(super) fn vendored_fault(directory: &Path, tree: &ContentFingerprint) -> Option<Diagnostic> {
    if content_at(directory).as_ref() == Some(tree) {
        return None;
    }
    let found = Diagnostic::error(directory.display().to_string(), "The vendored copy does not match the lockfile");
    let help = "restore both from version control, or remove this directory and run `symposium sync --vendor`; check \
                that git does not ignore or convert these files";
    Some(found.help(help))
}
