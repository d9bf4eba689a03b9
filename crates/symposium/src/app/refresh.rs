//! Fetches the sources that have to be fetched, all at once, so that a slow one delays nothing but itself.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use symposium_io::clock;
use symposium_io::source::{FetchError, Fetched, Patience, PinnedCommit};
use symposium_model::catalog::{Catalog, CopyChoice};
use symposium_model::config::{Occasion, SourceKind, SourceRank, SourceSpec, is_due};
use symposium_model::crates::CrateSet;
use symposium_model::sync::Fingerprint;

use super::catalog::pinned::{choose, git_pin};
use super::catalog::{self, chains};
use super::context::Context;
use super::lock_file::lock_path;
use super::outcome::{More, Outcome, age, is_same_repository, went_back};
use crate::ui::printer::Printer;
use crate::ui::progress::Progress;

/// Fetches at the same time.
const WORKERS: usize = 8;

/// What a person should know about sources there is a copy of. Nobody asked for the public recommendations, so what
/// becomes of them is for the curious.
pub(crate) fn warnings(context: &Context) -> Vec<String> {
    let mut warnings = Vec::new();
    for Outcome { spec, result, .. } in &context.refreshed.outcomes {
        let SourceKind::Git { address, .. } = &spec.kind else { continue };
        let name = &spec.name;
        let warning = match result {
            Ok(fetched) => went_back(name, fetched),
            Err(error) => match context.git_cache().copy(address) {
                Some(copy) => {
                    let age = age(copy.fetched);
                    let again = format!("`symposium plugin sync {name}` tries again");
                    Some(format!(
                        "Source `{name}` could not be fetched: {error}; the copy fetched {age} is used, and {again}"
                    ))
                }
                None if spec.rank == SourceRank::Recommendations => {
                    Some(format!("Source `{name}` could not be fetched: {error}"))
                }
                // Whoever reads it says that it is missing.
                None => None,
            },
        };
        match (warning, spec.rank) {
            (Some(warning), SourceRank::Recommendations) => context.printer.detail(&warning),
            (warning, _) => warnings.extend(warning),
        }
    }
    warnings
}

/// Those sources of a call that are fetched now.
pub(crate) fn due(context: &Context, occasion: Occasion) -> Vec<SourceSpec> {
    let (specs, _) = catalog::specs(context);
    specs.into_iter().filter(|spec| is_due_here(context, spec, occasion)).collect()
}

/// The repositories that plugins name and that are fetched now. Nearly always there are none.
pub(crate) fn brought(context: &Context, catalog: &Catalog, crates: Option<&CrateSet>) -> Vec<SourceSpec> {
    let More::Allowed(occasion) = context.refreshed.more else { return Vec::new() };
    let (configured, _) = catalog::specs(context);
    // How often a source is asked is for whoever configured it to say, and whoever was asked just now is not asked again.
    let is_settled = |spec: &SourceSpec| {
        context.refreshed.was_asked(spec) || configured.iter().any(|other| is_same_repository(other, spec))
    };
    let named = chains::repositories(context, catalog, crates).into_iter();
    named.filter(|spec| !is_settled(spec) && is_due_here(context, spec, occasion)).collect()
}

fn is_due_here(context: &Context, spec: &SourceSpec, occasion: Occasion) -> bool {
    match &spec.kind {
        SourceKind::Git { address, .. } => {
            let by_time = is_due(spec, context.git_cache().history(address), clock::now(), occasion);
            match (occasion, needed_for_lock(context, spec)) {
                (Occasion::Command, Some(needed)) => {
                    needed == Needed::Fetched || (by_time && needed == Needed::Followed)
                }
                (Occasion::Command | Occasion::Asked | Occasion::Session, _) => by_time,
            }
        }
        SourceKind::Embedded | SourceKind::UserPlugins(_) | SourceKind::Path(_) | SourceKind::Crate(_) => false,
    }
}

/// What a project needs of a source that it is locked to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needed {
    /// What is locked lies in the project, so nobody has to be asked.
    Nothing,
    /// What is locked is on this machine; whether the source has moved on is worth knowing.
    Followed,
    /// What is locked is not on this machine.
    Fetched,
}

/// What a project needs of a source; `None` when no lock says anything of it.
fn needed_for_lock(context: &Context, spec: &SourceSpec) -> Option<Needed> {
    let SourceKind::Git { address, .. } = &spec.kind else { return None };
    git_pin(context, spec, address)?;
    Some(match choose(context, spec, address).copy {
        None => Needed::Fetched,
        Some(copy) if copy.choice == CopyChoice::Vendored => Needed::Nothing,
        Some(_) => Needed::Followed,
    })
}

/// What came of following a source, and why what is locked could not be fetched.
type Answered = (Result<Fetched, FetchError>, Option<FetchError>);

/// A commit that has to be fetched by its own name.
struct Wanted {
    commit: String,
    whole: Fingerprint,
    lock: PathBuf,
}

/// What a project is locked at, if it is not there.
fn wanted(context: &Context, spec: &SourceSpec) -> Option<Wanted> {
    let SourceKind::Git { address, .. } = &spec.kind else { return None };
    let pin = git_pin(context, spec, address);
    let pin = pin.filter(|_| needed_for_lock(context, spec) == Some(Needed::Fetched))?;
    Some(Wanted { commit: pin.commit.to_owned(), whole: pin.tree.clone(), lock: lock_path(context.root()?) })
}

/// Fetches sources, with a line for people when it takes long. Outcomes come in the order of the sources.
pub(crate) fn fetch(context: &Context, specs: &[SourceSpec], printer: Printer) -> Vec<Outcome> {
    let cache = context.git_cache();
    let patience = Patience::default();
    let waiting = Mutex::new((0..specs.len()).collect::<Vec<_>>());
    let (sender, receiver) = channel();
    let mut results: Vec<Option<Answered>> = specs.iter().map(|_| None).collect();
    let wanted: Vec<Option<Wanted>> = specs.iter().map(|spec| wanted(context, spec)).collect();
    std::thread::scope(|scope| {
        for _ in 0..specs.len().min(WORKERS) {
            let (sender, waiting, cache, wanted) = (sender.clone(), &waiting, &cache, &wanted);
            scope.spawn(move || {
                loop {
                    let next = waiting.lock().ok().and_then(|mut waiting| waiting.pop());
                    let Some((at, spec)) = next.and_then(|at| Some((at, specs.get(at)?))) else { break };
                    let SourceKind::Git { address, .. } = &spec.kind else { continue };
                    let result = cache.fetch(address, &patience);
                    if let Err(error) = &result {
                        tracing::warn!(source = spec.name, %error, "not fetched");
                    }
                    // The address may have led there; then nothing more is fetched.
                    let pin = wanted.get(at).and_then(Option::as_ref);
                    let pin = pin.map(|pin| PinnedCommit { commit: &pin.commit, whole: &pin.whole, lock: &pin.lock });
                    let pin_failure = pin.and_then(|pin| match &result {
                        // Whoever did not answer once is not waited for again.
                        Err(FetchError::NoAnswer) => Some(FetchError::NoAnswer),
                        Ok(_) | Err(_) => cache.fetch_pinned(address, &pin, &patience).err(),
                    });
                    if let Some(error) = &pin_failure {
                        tracing::warn!(source = spec.name, %error, "what is locked was not fetched");
                    }
                    // The other end lives as long as this scope.
                    let _ = sender.send((at, (result, pin_failure)));
                }
            });
        }
        drop(sender);
        let mut progress = Progress::new(printer);
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
                    let names: Vec<&str> = open.iter().filter_map(|at| Some(specs.get(*at)?.name.as_str())).collect();
                    progress.show(&format!("fetching {}", names.join(", ")));
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    let outcomes = specs.iter().zip(results);
    let outcome = |(spec, result): (&SourceSpec, Option<_>)| {
        let (result, pin_failure) = result?;
        Some(Outcome { spec: spec.clone(), result, pin_failure })
    };
    outcomes.filter_map(outcome).collect()
}
