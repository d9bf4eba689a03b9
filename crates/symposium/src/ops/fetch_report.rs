//! The results of fetching sources.

use symposium_io::clock;
use symposium_io::source::{FetchError, FetchResult, SourceChange};
use symposium_model::config::{FetchTrigger, SourceRank, SourceSpec};

use super::lockfile_state::PinPolicy;

#[derive(Debug)]
pub(crate) struct FetchOutcome {
    pub(crate) spec: SourceSpec,
    pub(crate) result: Result<FetchResult, FetchError>,
    /// The error if the pinned commit could not be fetched.
    pub(crate) pin_failure: Option<FetchError>,
}

/// The results of the fetches before a command read the sources.
#[derive(Debug, Default)]
pub(crate) struct FetchReport {
    pub(crate) outcomes: Vec<FetchOutcome>,
    /// Whether more may be fetched, when reading shows that more is needed.
    pub(crate) more: FetchPermission,
    /// Whether what the lock says of them counts.
    pub(crate) pins: PinPolicy,
}

/// Whether more may be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum FetchPermission {
    /// The person asked for a command that fetches.
    Allowed(FetchTrigger),
    /// The command does not fetch, or the network must not be used.
    #[default]
    Denied,
}

impl FetchReport {
    pub(crate) fn failure(&self, name: &str) -> Option<&FetchError> {
        self.outcome_for(name)?.result.as_ref().err()
    }

    /// Returns the error if the pinned commit of a source could not be fetched just now.
    pub(crate) fn pin_failure(&self, name: &str) -> Option<&FetchError> {
        self.outcome_for(name)?.pin_failure.as_ref()
    }

    /// Whether a source that the user or the project chose could not be fetched just now.
    pub(crate) fn has_failures(&self) -> bool {
        self.failures().next().is_some()
    }

    /// The sources that the user or the project chose and that could not be fetched just now.
    pub(crate) fn failures(&self) -> impl Iterator<Item = &FetchOutcome> {
        let is_chosen = |outcome: &&FetchOutcome| outcome.spec.rank != SourceRank::Recommendations;
        self.outcomes.iter().filter(is_chosen).filter(|outcome| outcome.result.is_err())
    }

    /// Whether a source was asked just now, and answered.
    pub(crate) fn was_fetched(&self, name: &str) -> bool {
        self.outcome_for(name).is_some_and(|outcome| outcome.result.is_ok())
    }

    /// Whether the repository of a source was asked just now, under whatever name.
    pub(crate) fn was_asked(&self, spec: &SourceSpec) -> bool {
        self.outcomes.iter().any(|outcome| is_same_repository(&outcome.spec, spec))
    }

    fn outcome_for(&self, name: &str) -> Option<&FetchOutcome> {
        self.outcomes.iter().find(|outcome| outcome.spec.name == name)
    }
}

/// Whether two sources share the copy of one repository.
pub(crate) fn is_same_repository(one: &SourceSpec, other: &SourceSpec) -> bool {
    let git = one.kind.git_address().zip(other.kind.git_address());
    let index = one.kind.index_address().zip(other.kind.index_address());
    git.is_some_and(|(address, other)| address.shown() == other.shown() && address.is_held() == other.is_held())
        || index.is_some_and(|(address, other)| address == other)
}

/// Finds the outcome that tells what happened to the copy of a source: another one that shares it may have been first to
/// fetch it.
pub(crate) fn moved_with<'o>(outcome: &'o FetchOutcome, all: &'o [FetchOutcome]) -> &'o FetchOutcome {
    let moved = |other: &&FetchOutcome| {
        let change = other.result.as_ref().map(|fetched| &fetched.change);
        matches!(change, Ok(SourceChange::First | SourceChange::From(_) | SourceChange::BackFrom(_)))
            && is_same_repository(&other.spec, &outcome.spec)
    };
    all.iter().find(moved).unwrap_or(outcome)
}

/// Returns the word for what a fetch changed, and the commit before it.
pub(crate) fn change_of(fetched: &FetchResult) -> (&'static str, Option<String>) {
    match &fetched.change {
        SourceChange::First => ("fetched", None),
        SourceChange::None | SourceChange::ByAnother => ("unchanged", None),
        SourceChange::From(before) | SourceChange::BackFrom(before) => ("updated", Some(before.clone())),
    }
}

/// A server that answers with less than it did before is worth a look.
pub(crate) fn went_back(name: &str, fetched: &FetchResult) -> Option<String> {
    match &fetched.change {
        SourceChange::BackFrom(before) => {
            let (before, now) = (short(before), short(&fetched.copy.commit));
            Some(format!("Source `{name}` moved from {before} back to {now}, which is older"))
        }
        SourceChange::First | SourceChange::None | SourceChange::ByAnother | SourceChange::From(_) => None,
    }
}

/// Says that a source could not be fetched, and why.
pub(crate) fn fetch_failure(name: &str, error: &FetchError) -> String {
    format!("Failed to fetch source `{name}`: {error}")
}

/// The first digits of a commit.
pub(crate) fn short(commit: &str) -> &str {
    commit.get(..7).unwrap_or(commit)
}

/// Describes the time since `time` in the largest unit that fits.
pub(crate) fn describe_age(time: u64) -> String {
    let seconds = clock::now().saturating_sub(time);
    let several = |count: u64, unit: &str| format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" });
    match seconds {
        0..60 => "just now".to_owned(),
        60..3_600 => several(seconds / 60, "minute"),
        3_600..86_400 => several(seconds / 3_600, "hour"),
        _ => several(seconds / 86_400, "day"),
    }
}
