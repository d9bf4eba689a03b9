//! The decision whether a source is due for a fetch.

use super::sources::{SourceRank, SourceSpec};

/// The age, in seconds, from which a checkout is refreshed.
const FRESH_FOR: u64 = 4 * 60 * 60;

/// The pause, in seconds, after the public recommendations could not be fetched.
const REST_AFTER_FAILURE: u64 = 15 * 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchTrigger {
    /// The user asked for fresh checkouts.
    Asked,
    Command,
    /// A session of an agent starts, without a request of the user.
    Session,
}

/// Times of earlier fetches, in seconds since 1970.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FetchHistory {
    /// The time the checkout was fetched or found to be up to date.
    pub fetched: Option<u64>,
    /// The time of the last failure, if it is later than `fetched`.
    pub failed: Option<u64>,
}

pub fn is_due(spec: &SourceSpec, history: FetchHistory, now: u64, occasion: FetchTrigger) -> bool {
    let Some(auto_update) = spec.kind.auto_update() else { return false };
    // A time in the future comes from a wrong clock and is ignored.
    let within = |time: Option<u64>, span: u64| time.is_some_and(|time| time <= now && now - time < span);
    match (occasion, spec.rank) {
        (FetchTrigger::Asked, _) => true,
        // A repository must not cause network requests by itself.
        (FetchTrigger::Session, SourceRank::Project) => false,
        (FetchTrigger::Session | FetchTrigger::Command, rank) => {
            let rests = rank == SourceRank::Recommendations && within(history.failed, REST_AFTER_FAILURE);
            match history.fetched {
                None => !rests,
                Some(_) => auto_update && !rests && !within(history.fetched, FRESH_FOR),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GitAddress, SourceKind};
    use super::*;

    #[test]
    fn fetched_when_missing_or_old_unless_told_otherwise() {
        use FetchTrigger::{Asked, Command, Session};
        use SourceRank::{Project, Recommendations, User};
        let hour = 60 * 60;
        let now = 100 * hour;
        let fetched = |ago: u64| FetchHistory { fetched: Some(now - ago * hour), failed: None };
        let never = FetchHistory::default();
        let failed = FetchHistory { fetched: None, failed: Some(now - 60) };
        let ahead = FetchHistory { fetched: Some(now + hour), failed: Some(now + hour) };
        for (rank, auto_update, history, occasion, expected) in [
            (User, true, never, Command, true),
            (User, false, never, Command, true),
            (User, true, fetched(3), Command, false),
            (User, true, fetched(4), Command, true),
            (User, false, fetched(40), Command, false),
            (User, false, fetched(0), Asked, true),
            (User, true, failed, Command, true),
            (User, true, ahead, Command, true),
            (User, true, fetched(5), Session, true),
            (Project, true, never, Command, true),
            (Project, true, never, Session, false),
            (Project, true, fetched(40), Session, false),
            (Recommendations, true, failed, Command, false),
            (Recommendations, true, failed, Asked, true),
            (Recommendations, true, ahead, Command, true),
        ] {
            let address = GitAddress::parse("https://h/r").unwrap();
            let spec = SourceSpec::whole("", SourceKind::Git { address, auto_update }, rank);
            assert_eq!(is_due(&spec, history, now, occasion), expected, "{rank:?} {history:?} {occasion:?}");
        }
    }
}
