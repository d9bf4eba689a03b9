//! Fetches the sources that have to be fetched, all at once, so that a slow one delays nothing but itself.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use symposium_io::source::{ByteCount, FetchError, FetchLimits, FetchResult, GitCache, PinnedCommit, shown_size};
use symposium_io::{clock, fs};
use symposium_model::catalog::CopyChoice;
use symposium_model::config::{FetchTrigger, Settings, SourceKind, SourceRank, SourceSpec, is_due};
use symposium_model::sync::Fingerprint;
use symposium_model::update::SOURCES_FILE;

use super::catalog::pinned_source::CopyChooser;
use super::catalog::{self, plugin_deps};
use super::context::Context;
use super::resolve::Resolution;
use crate::error::CliError;
use crate::ops::fetch_report::{FetchOutcome, FetchReport, FurtherFetches, age, is_same_repository, went_back};
use crate::ops::lockfile_state::lock_path;
use crate::run_report::{ReportLine, RunReport};
use crate::ui::progress::Progress;

/// Fetches at the same time.
const WORKERS: usize = 8;

/// Returns the warnings about sources there is a copy of. The public recommendations were not asked for, so the reason
/// that they are missing is a detail.
pub(crate) fn warnings(cache: &GitCache, fetched: &FetchReport, report: &mut RunReport) -> Vec<String> {
    let mut warnings = Vec::new();
    for FetchOutcome { spec, result, .. } in &fetched.outcomes {
        let SourceKind::Git { address, .. } = &spec.kind else { continue };
        let name = &spec.name;
        let warning = match result {
            Ok(fetched) => went_back(name, fetched),
            Err(error) => match cache.copy(address) {
                Some(copy) => {
                    let age = age(copy.fetched);
                    let again = format!("run `symposium plugin sync {name}` to try again");
                    Some(format!("Failed to fetch source `{name}`: {error}; using the copy fetched {age}; {again}"))
                }
                None if spec.rank == SourceRank::Recommendations => Some(format!("source `{name}`: {error}")),
                // Whoever reads it says that it is missing.
                None => None,
            },
        };
        match (warning, spec.rank) {
            (Some(warning), SourceRank::Recommendations) => report.push(ReportLine::Detail(warning)),
            (warning, _) => warnings.extend(warning),
        }
    }
    warnings
}

/// Returns the note that the public recommendations could not be fetched just now and are not on this machine.
pub(crate) fn recommendations_note(context: &Context, fetched: &FetchReport) -> Option<String> {
    let (configured, _) = catalog::specs(context);
    let is_public = |spec: &SourceSpec| {
        configured.iter().any(|own| own.rank == SourceRank::Recommendations && is_same_repository(own, spec))
    };
    let lost = fetched.outcomes.iter().find(|FetchOutcome { spec, result, .. }| {
        let SourceKind::Git { address, .. } = &spec.kind else { return false };
        result.is_err() && is_public(spec) && context.git_cache().copy(address).is_none()
    })?;
    let instead = if context.settings.builtin.value { "; using built-in skills" } else { "" };
    let name = &lost.spec.name;
    Some(format!("Failed to fetch `{name}`{instead}; run `symposium plugin sync` to try again"))
}

/// Those sources of a call that are fetched now.
pub(crate) fn due(context: &Context, occasion: FetchTrigger) -> Vec<SourceSpec> {
    let (specs, _) = catalog::specs(context);
    let fetched = FetchReport::default();
    let chooser = CopyChooser::new(context, &fetched);
    specs.into_iter().filter(|spec| is_due_here(&chooser, spec, occasion)).collect()
}

/// The repositories that plugins name and that are fetched now. Nearly always there are none.
pub(crate) fn brought(context: &Context, resolution: &Resolution) -> Vec<SourceSpec> {
    let Resolution { catalog, fetched, .. } = resolution;
    let FurtherFetches::Allowed(occasion) = fetched.more else { return Vec::new() };
    let (configured, _) = catalog::specs(context);
    // How often a source is asked is for whoever configured it to say, and whoever was asked just now is not asked again.
    let is_settled =
        |spec: &SourceSpec| fetched.was_asked(spec) || configured.iter().any(|other| is_same_repository(other, spec));
    let chooser = CopyChooser::new(context, fetched);
    let named = plugin_deps::repositories(context, catalog, resolution.crates(), fetched).into_iter();
    named.filter(|spec| !is_settled(spec) && is_due_here(&chooser, spec, occasion)).collect()
}

fn is_due_here(chooser: &CopyChooser<'_>, spec: &SourceSpec, occasion: FetchTrigger) -> bool {
    let Some(address) = spec.kind.git_address() else { return false };
    let by_time = is_due(spec, chooser.cache.history(address), clock::now(), occasion);
    match (occasion, needed_for_lock(chooser, spec)) {
        (FetchTrigger::Command, Some(needed)) => {
            needed == SourceNeed::Fetched || (by_time && needed == SourceNeed::Followed)
        }
        (FetchTrigger::Command | FetchTrigger::Asked | FetchTrigger::Session, _) => by_time,
    }
}

/// The part of a source that a project which is locked to it needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SourceNeed {
    /// What is locked lies in the project, so nobody has to be asked.
    Nothing,
    /// What is locked is on this machine; whether the source has moved on is worth knowing.
    Followed,
    /// What is locked is not on this machine.
    Fetched,
}

/// What a project needs of a source; `None` when no lock says anything of it.
fn needed_for_lock(chooser: &CopyChooser<'_>, spec: &SourceSpec) -> Option<SourceNeed> {
    let SourceKind::Git { address, .. } = &spec.kind else { return None };
    chooser.git_pin(spec, address)?;
    Some(match chooser.choose(spec, address).copy {
        None => SourceNeed::Fetched,
        Some(copy) if copy.choice == CopyChoice::Vendored => SourceNeed::Nothing,
        Some(_) => SourceNeed::Followed,
    })
}

/// What came of following a source, and why what is locked could not be fetched.
type FollowResult = (Result<FetchResult, FetchError>, Option<FetchError>);

/// A commit that has to be fetched by its own name.
struct WantedCommit {
    commit: String,
    whole: Fingerprint,
    lock: PathBuf,
}

/// What a project is locked at, if it is not there.
fn wanted(chooser: &CopyChooser<'_>, spec: &SourceSpec) -> Option<WantedCommit> {
    let SourceKind::Git { address, .. } = &spec.kind else { return None };
    let pin = chooser.git_pin(spec, address);
    let pin = pin.filter(|_| needed_for_lock(chooser, spec) == Some(SourceNeed::Fetched))?;
    Some(WantedCommit { commit: pin.commit.to_owned(), whole: pin.tree.clone(), lock: lock_path(chooser.root?) })
}

/// Whether a source that the user or the project chose could not be fetched just now, and is not on this machine.
pub(crate) fn misses_source(context: &Context, fetched: &FetchReport) -> bool {
    let chooser = CopyChooser::new(context, fetched);
    let misses =
        |spec: &SourceSpec| spec.kind.git_address().is_some_and(|address| chooser.choose(spec, address).copy.is_none());
    fetched.failures().any(|outcome| misses(&outcome.spec))
}

/// How long a source may take. What a project says counts for its own sources.
fn patience_for(settings: &Settings, spec: &SourceSpec) -> FetchLimits {
    let seconds = match spec.rank {
        SourceRank::Project | SourceRank::Crate => settings.fetch_timeout.value,
        SourceRank::Builtin | SourceRank::Recommendations | SourceRank::Brought | SourceRank::User => {
            settings.user_fetch_timeout
        }
    };
    FetchLimits::lasting(Duration::from_secs(seconds))
}

struct Underway<'u> {
    name: &'u str,
    bytes: u64,
}

/// Names what is being fetched, with how much of it has come.
fn fetching<'u>(sources: impl Iterator<Item = Underway<'u>>) -> String {
    let shown = sources.map(|source| match source.bytes {
        0 => source.name.to_owned(),
        bytes => format!("{} ({})", source.name, shown_size(bytes)),
    });
    format!("fetching {}", shown.collect::<Vec<_>>().join(", "))
}

/// Fetches the sources that are old when a session starts.
pub(crate) fn fetch_for_session(context: &Context) -> Result<(), CliError> {
    // A hook that starts this every few hours must not do so more often because it fails.
    let sessions = context.directories.sessions();
    let noted = fs::create_private_dir(&sessions).and_then(|()| fs::replace(&sessions.join(SOURCES_FILE), b""));
    noted.map_err(|error| CliError::failed(format!("Failed to record the time of the fetch: {error}")))?;
    let due = due(context, FetchTrigger::Session);
    if !due.is_empty() {
        context.start_log();
        fetch(context, &due, &FetchReport::default());
    }
    Ok(())
}

/// Fetches sources, with a line for people when it takes long. Outcomes come in the order of the sources.
pub(crate) fn fetch(context: &Context, specs: &[SourceSpec], fetched: &FetchReport) -> Vec<FetchOutcome> {
    let (cache, settings) = (context.git_cache(), &context.settings);
    for spec in &catalog::specs(context).0 {
        if let SourceKind::Git { address, .. } = &spec.kind {
            cache.keep_held(address);
        }
    }
    let counts: Vec<ByteCount> = specs.iter().map(|_| ByteCount::default()).collect();
    let waiting = Mutex::new((0..specs.len()).collect::<Vec<_>>());
    let (sender, receiver) = channel();
    let mut results: Vec<Option<FollowResult>> = specs.iter().map(|_| None).collect();
    let chooser = CopyChooser::new(context, fetched);
    let wanted: Vec<Option<WantedCommit>> = specs.iter().map(|spec| wanted(&chooser, spec)).collect();
    std::thread::scope(|scope| {
        for _ in 0..specs.len().min(WORKERS) {
            let (sender, waiting, cache, wanted, counts) = (sender.clone(), &waiting, &cache, &wanted, &counts);
            scope.spawn(move || {
                loop {
                    let next = waiting.lock().ok().and_then(|mut waiting| waiting.pop());
                    let next = next.and_then(|at| Some((at, specs.get(at)?, counts.get(at)?)));
                    let Some((at, spec, count)) = next else { break };
                    let SourceKind::Git { address, .. } = &spec.kind else { continue };
                    let patience = patience_for(settings, spec);
                    let result = cache.fetch(address, &patience, count);
                    if let Err(error) = &result {
                        tracing::warn!(source = spec.name, %error, "not fetched");
                    }
                    // The address may have led there; then nothing more is fetched.
                    let pin = wanted.get(at).and_then(Option::as_ref);
                    let pin = pin.map(|pin| PinnedCommit { commit: &pin.commit, whole: &pin.whole, lock: &pin.lock });
                    let pin_failure = pin.and_then(|pin| match &result {
                        // Whoever did not answer once is not waited for again.
                        Err(FetchError::NoAnswer) => Some(FetchError::NoAnswer),
                        Ok(_) | Err(_) => cache.fetch_pinned(address, &pin, &patience, count).err(),
                    });
                    if let Some(error) = &pin_failure {
                        tracing::warn!(source = spec.name, %error, "failed to fetch a pinned commit");
                    }
                    // The other end lives as long as this scope.
                    let _ = sender.send((at, (result, pin_failure)));
                }
            });
        }
        drop(sender);
        let mut progress = Progress::new(context.options.shows_progress);
        let mut open: BTreeSet<usize> = (0..specs.len()).collect();
        loop {
            match receiver.recv_timeout(Duration::from_millis(200)) {
                Ok((at, result)) => {
                    open.remove(&at);
                    if let Some(place) = results.get_mut(at) {
                        *place = Some(result);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    let open = open.iter().filter_map(|at| Some((specs.get(*at)?, counts.get(*at)?)));
                    let open = open.map(|(spec, count)| Underway { name: &spec.name, bytes: count.get() });
                    progress.show(&fetching(open));
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    let outcomes = specs.iter().zip(results);
    let outcome = |(spec, result): (&SourceSpec, Option<_>)| {
        let (result, pin_failure) = result?;
        Some(FetchOutcome { spec: spec.clone(), result, pin_failure })
    };
    outcomes.filter_map(outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_come_is_shown_beside_its_source() {
        let underway = |name, bytes| Underway { name, bytes };
        let shown = fetching([underway("team", 1_250_000), underway("mine", 0)].into_iter());
        assert_eq!(shown, "fetching team (1.2 MB), mine");
    }
}
