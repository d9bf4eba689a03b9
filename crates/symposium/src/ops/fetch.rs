//! Fetches the sources that have to be fetched, all at once, so that a slow one delays nothing but itself.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use symposium_io::source::{ByteCount, FetchError, FetchLimits, FetchResult, PinnedCommit, shown_size};
use symposium_io::{clock, fs};
use symposium_model::catalog::CopyChoice;
use symposium_model::config::{EffectiveSettings, FetchTrigger, IndexAddress, SourceRank, SourceSpec, is_due};
use symposium_model::plugin_index::AskedCrate;
use symposium_model::sync::ContentFingerprint;
use symposium_model::update::SOURCES_FILE;

use super::catalog::pinned_source::CopyChooser;
use super::catalog::{self, plugin_deps};
use super::context::Context;
use super::fetch_index::{self, FetchMode, IndexFetch};
use super::resolve::{Resolution, read_workspace};
use crate::error::CliError;
use crate::ops::fetch_report::{
    FetchOutcome, FetchPermission, FetchReport, describe_age, fetch_failure, is_same_repository, went_back,
};
use crate::ops::lockfile_state::lock_path;
use crate::run_report::{ReportLine, RunReport};
use crate::ui::progress::Progress;

/// Fetches at the same time.
const WORKERS: usize = 8;

/// Returns the warnings about sources there is a copy of. The public recommendations were not asked for, so the reason
/// that they are missing is a detail.
pub(crate) fn warnings(chooser: &CopyChooser<'_>, report: &mut RunReport) -> Vec<String> {
    let mut warnings = Vec::new();
    for FetchOutcome { spec, result, .. } in &chooser.fetched.outcomes {
        let name = &spec.name;
        if let Some(address) = spec.kind.index_address() {
            warnings.extend(index_warning(chooser, spec, address, result));
        }
        let Some(address) = spec.kind.git_address() else { continue };
        let warning = match result {
            Ok(fetched) => went_back(name, fetched),
            Err(error) => match chooser.cache.copy(address) {
                Some(copy) => {
                    let age = describe_age(copy.fetched);
                    let again = format!("run `symposium plugin sync {name}` to try again");
                    Some(format!("{}; using the copy fetched {age}; {again}", fetch_failure(name, error)))
                }
                None if spec.rank == SourceRank::Recommendations => Some(format!("source `{name}`: {error}")),
                // The code that loads the source reports that it is missing.
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

/// Returns the warning about an index there are plugins of. The code that loads them reports which are missing.
fn index_warning(
    chooser: &CopyChooser<'_>,
    spec: &SourceSpec,
    address: &IndexAddress,
    result: &Result<FetchResult, FetchError>,
) -> Option<String> {
    let error = match result {
        Ok(fetched) => return went_back(&spec.name, fetched),
        Err(FetchError::Partial(_)) => return None,
        Err(error) => error,
    };
    let age = describe_age(chooser.choose_plugins(spec, address).copy?.fetched);
    let (name, shown) = (&spec.name, address.shown());
    let again = format!("run `symposium plugin sync {name}` to try again");
    Some(format!("Failed to fetch source `{name}` from `{shown}`: {error}; using the plugins fetched {age}; {again}"))
}

/// Returns the note that the public recommendations could not be fetched just now and are not on this machine.
pub(crate) fn recommendations_note(context: &Context, fetched: &FetchReport) -> Option<String> {
    let (configured, _) = catalog::specs(context);
    let is_public = |spec: &SourceSpec| {
        configured.iter().any(|own| own.rank == SourceRank::Recommendations && is_same_repository(own, spec))
    };
    let lost = fetched.outcomes.iter().find(|FetchOutcome { spec, result, .. }| {
        let Some(address) = spec.kind.git_address() else { return false };
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
    let crates = fetch_index::asked_crates(&specs, || read_workspace(context));
    specs.into_iter().filter(|spec| is_due_here(&chooser, spec, &crates, occasion)).collect()
}

/// The repositories that plugins name and that are fetched now. Nearly always there are none.
pub(crate) fn brought(context: &Context, resolution: &Resolution) -> Vec<SourceSpec> {
    let Resolution { catalog, fetched, .. } = resolution;
    let FetchPermission::Allowed(occasion) = fetched.more else { return Vec::new() };
    let (configured, _) = catalog::specs(context);
    // A configured source is fetched as often as its own entry says, and a source that was just asked is not asked
    // again.
    let is_settled =
        |spec: &SourceSpec| fetched.was_asked(spec) || configured.iter().any(|other| is_same_repository(other, spec));
    let chooser = CopyChooser::new(context, fetched);
    let named = plugin_deps::repositories(context, catalog, resolution.crates(), fetched).into_iter();
    named.filter(|spec| !is_settled(spec) && is_due_here(&chooser, spec, &[], occasion)).collect()
}

fn is_due_here(chooser: &CopyChooser<'_>, spec: &SourceSpec, crates: &[AskedCrate], occasion: FetchTrigger) -> bool {
    if let Some(address) = spec.kind.index_address() {
        let is_settled = occasion == FetchTrigger::Command && fetch_index::is_vendored(chooser, spec, address);
        return !is_settled
            && is_due(spec, fetch_index::history(chooser, spec, address, crates), clock::now(), occasion);
    }
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
    /// The pinned content is vendored in the project, so the repository is not asked.
    Nothing,
    /// The pinned checkout is on this machine. The repository is asked whether there is a newer commit.
    Followed,
    /// The pinned checkout is not on this machine.
    Fetched,
}

/// Returns the part of a source that the lockfile requires; `None` if it does not pin the source.
fn needed_for_lock(chooser: &CopyChooser<'_>, spec: &SourceSpec) -> Option<SourceNeed> {
    let address = spec.kind.git_address()?;
    chooser.git_pin(spec, address)?;
    Some(match chooser.choose(spec, address).copy {
        None => SourceNeed::Fetched,
        Some(copy) if copy.choice == CopyChoice::Vendored => SourceNeed::Nothing,
        Some(_) => SourceNeed::Followed,
    })
}

/// The result of following a source, and the error if its pinned commit could not be fetched.
type FollowResult = (Result<FetchResult, FetchError>, Option<FetchError>);

/// A commit that has to be fetched by its own name.
struct WantedCommit {
    commit: String,
    whole: ContentFingerprint,
    lock: PathBuf,
}

/// Returns the pinned commit of a source if it is not on this machine.
fn wanted(chooser: &CopyChooser<'_>, spec: &SourceSpec) -> Option<WantedCommit> {
    let address = spec.kind.git_address()?;
    let pin = chooser.git_pin(spec, address);
    let pin = pin.filter(|_| needed_for_lock(chooser, spec) == Some(SourceNeed::Fetched))?;
    Some(WantedCommit { commit: pin.commit.to_owned(), whole: pin.tree.clone(), lock: lock_path(chooser.root?) })
}

/// Whether a source that the user or the project chose could not be fetched just now, and is not on this machine.
pub(crate) fn misses_source(context: &Context, fetched: &FetchReport) -> bool {
    let chooser = CopyChooser::new(context, fetched);
    let misses = |spec: &SourceSpec| {
        let index = |address| chooser.choose_plugins(spec, address).copy.is_none();
        spec.kind.git_address().is_some_and(|address| chooser.choose(spec, address).copy.is_none())
            || spec.kind.index_address().is_some_and(index)
    };
    fetched.failures().any(|outcome| misses(&outcome.spec))
}

/// Returns the time limit for fetching a source. A project's limit applies to its own sources.
fn patience_for(settings: &EffectiveSettings, spec: &SourceSpec) -> FetchLimits {
    let seconds = match spec.rank {
        SourceRank::Project | SourceRank::Crate => settings.fetch_timeout.value,
        SourceRank::Builtin | SourceRank::Recommendations | SourceRank::Brought | SourceRank::User => {
            settings.user_fetch_timeout
        }
    };
    FetchLimits::lasting(Duration::from_secs(seconds))
}

struct FetchProgress<'u> {
    name: &'u str,
    bytes: u64,
}

/// Names what is being fetched, with how much of it has come.
fn fetching<'u>(sources: impl Iterator<Item = FetchProgress<'u>>) -> String {
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
        fetch(context, &due, &FetchReport::default(), FetchMode::following(FetchTrigger::Session));
    }
    Ok(())
}

/// Fetches sources, and shows progress if it takes long. Outcomes are in the order of the sources.
pub(crate) fn fetch(
    context: &Context,
    specs: &[SourceSpec],
    fetched: &FetchReport,
    mode: FetchMode,
) -> Vec<FetchOutcome> {
    let (cache, settings) = (context.git_cache(), &context.settings);
    for spec in &catalog::specs(context).0 {
        if let Some(address) = spec.kind.git_address() {
            cache.keep_held(address);
        }
    }
    let counts: Vec<ByteCount> = specs.iter().map(|_| ByteCount::default()).collect();
    let waiting = Mutex::new((0..specs.len()).collect::<Vec<_>>());
    let (sender, receiver) = channel();
    let mut results: Vec<Option<FollowResult>> = specs.iter().map(|_| None).collect();
    let chooser = CopyChooser::new(context, fetched);
    let crates = fetch_index::asked_crates(specs, || read_workspace(context));
    let index = IndexFetch { chooser: &chooser, crates: &crates, mode };
    let wanted: Vec<Option<WantedCommit>> = specs.iter().map(|spec| wanted(&chooser, spec)).collect();
    std::thread::scope(|scope| {
        for _ in 0..specs.len().min(WORKERS) {
            let (sender, waiting, cache, wanted, counts) = (sender.clone(), &waiting, &cache, &wanted, &counts);
            let index = &index;
            scope.spawn(move || {
                loop {
                    let next = waiting.lock().ok().and_then(|mut waiting| waiting.pop());
                    let next = next.and_then(|at| Some((at, specs.get(at)?, counts.get(at)?)));
                    let Some((at, spec, count)) = next else { break };
                    let patience = patience_for(settings, spec);
                    if let Some(address) = spec.kind.index_address() {
                        let result = index.run(spec, address, &patience, count);
                        if let Err(error) = &result {
                            tracing::warn!(source = spec.name, %error, "not fetched");
                        }
                        // The other end lives as long as this scope.
                        let _ = sender.send((at, (result, None)));
                    }
                    let Some(address) = spec.kind.git_address() else { continue };
                    let result = cache.fetch(address, &patience, count);
                    if let Err(error) = &result {
                        tracing::warn!(source = spec.name, %error, "not fetched");
                    }
                    // The address may have led there; then nothing more is fetched.
                    let pin = wanted.get(at).and_then(Option::as_ref);
                    let pin = pin.map(|pin| PinnedCommit { commit: &pin.commit, whole: &pin.whole, lock: &pin.lock });
                    let pin_failure = pin.and_then(|pin| match &result {
                        // A server that did not answer is not asked a second time.
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
                    let open = open.map(|(spec, count)| FetchProgress { name: &spec.name, bytes: count.get() });
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
        let underway = |name, bytes| FetchProgress { name, bytes };
        let shown = fetching([underway("team", 1_250_000), underway("mine", 0)].into_iter());
        assert_eq!(shown, "fetching team (1.2 MB), mine");
    }
}
