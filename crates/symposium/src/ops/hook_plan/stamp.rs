//! Collects the inputs of a plan, so that the hook notices when one of them changed.
//!
//! Every event checks the inputs that affect handlers. Inputs that affect only skills and texts, and those without a
//! limit on their number, are checked when a session starts: the cost of an event must not grow with the number of
//! plugins.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use symposium_hook::stamp;
use symposium_io::source::{git_record, index_record};
use symposium_io::{clock, fs};
use symposium_model::catalog::{Catalog, CopyChoice, LoadedSource};
use symposium_model::conditions::ConditionSet;
use symposium_model::config::SourceKind;
use symposium_model::evaluate::{ConditionFacts, evaluate};
use symposium_model::hook::hook_plan::{FileState, PathPresence, PathStamp, VariableStamp};
use symposium_model::predicate::Predicate;
use symposium_model::select::{Selection, owner};
use symposium_model::sync::{Ledger, LedgerRecord, WrittenContent};

use crate::ops::catalog::root_of;
use crate::ops::context::MAX_CONFIG;

/// Up to this many manifests of plugins that only bring skills are looked at on every event.
const FEW_SKILL_PLUGINS: usize = 8;

/// Up to this many files with faults, and answers to conditions of each kind, are looked at on every event.
const FEW: usize = 16;

/// Nothing beyond this many is looked at, even when a session starts.
const MANY: usize = 256;

/// Inputs of a plan, by the events that check them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WatchList<T> {
    pub(super) always: Vec<T>,
    /// Also checked when a session starts.
    pub(super) at_start: Vec<T>,
}

impl<T> Default for WatchList<T> {
    fn default() -> Self {
        Self { always: Vec::new(), at_start: Vec::new() }
    }
}

impl<T: PartialEq> WatchList<T> {
    fn add(&mut self, thing: T) {
        if !self.always.contains(&thing) {
            self.always.push(thing);
        }
    }

    fn add_at_start(&mut self, thing: T) {
        if self.at_start.len() < MANY && !self.always.contains(&thing) && !self.at_start.contains(&thing) {
            self.at_start.push(thing);
        }
    }

    fn add_while_few(&mut self, thing: T, few: usize) {
        if self.always.len() < few { self.add(thing) } else { self.add_at_start(thing) }
    }

    fn map<U: PartialEq>(self, mut f: impl FnMut(T) -> Option<U>) -> WatchList<U> {
        WatchList {
            always: self.always.into_iter().filter_map(&mut f).collect(),
            at_start: self.at_start.into_iter().filter_map(&mut f).collect(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StampedFile {
    pub(super) path: PathBuf,
    /// The state in which the file was found to be irrelevant; `None` if its present state has to be recorded.
    known: Option<FileState>,
}

impl From<PathBuf> for StampedFile {
    fn from(path: PathBuf) -> Self {
        Self { path, known: None }
    }
}

/// Returns the paths that change with a source: its directory, or for a copy the records that may name the one in use.
fn signs_of(source: &LoadedSource, root: Option<&Path>) -> Vec<PathBuf> {
    let parent = source.copy.as_ref().and_then(|copy| copy.directory.parent());
    match (&source.spec.kind, &source.copy) {
        // The lock says which copy counts, and is looked at when a session starts.
        (_, Some(copy)) if copy.choice != CopyChoice::Current => Vec::new(),
        (SourceKind::UserPlugins(path) | SourceKind::Path(path), _) => vec![path.clone()],
        (SourceKind::Crate(place), _) => vec![place.directory.clone()],
        (SourceKind::Git { address, .. }, _) => parent.map(|parent| git_record(parent, address)).into_iter().collect(),
        (SourceKind::Index { .. }, _) => parent.map(|parent| index_records(parent, root)).unwrap_or_default(),
        // The directories of a workspace are looked at when a session starts.
        (SourceKind::Workspace(_) | SourceKind::Embedded, _) => Vec::new(),
    }
}

/// Until an index was asked about a workspace, it has the plugins for work outside any.
fn index_records(parent: &Path, root: Option<&Path>) -> Vec<PathBuf> {
    let own = index_record(parent, root);
    if fs::exists(&own) { vec![own] } else { vec![own, index_record(parent, None)] }
}

/// A plugin's manifest, where it is a file.
fn manifest(source: &LoadedSource, path: &str) -> Option<PathBuf> {
    root_of(source).map(|root| root.join(path))
}

/// The files of plugins that decide what is in a plan; `scripts` are those its handlers name.
pub(super) fn plugin_files(
    root: Option<&Path>,
    catalog: &Catalog,
    selection: &Selection,
    scripts: &[PathBuf],
) -> WatchList<StampedFile> {
    let mut always: Vec<PathBuf> = catalog.sources.iter().flat_map(|source| signs_of(source, root)).collect();
    let mut skill_plugins = Vec::new();
    let mut inactive = Vec::new();
    for verdict in &selection.plugins {
        let Some((source, loaded)) = catalog.plugin(verdict.id) else { continue };
        match (verdict.is_active(), loaded.plugin.has_workflow()) {
            (true, true) => always.extend(manifest(source, &loaded.path)),
            (true, false) => skill_plugins.extend(manifest(source, &loaded.path)),
            (false, _) => inactive.push((verdict.id.source, loaded.path.as_str(), None)),
        }
    }
    for (at, source) in catalog.sources.iter().enumerate() {
        inactive.extend(source.passed_over.iter().map(|plugin| (at, plugin.path(), plugin.state)));
    }
    // The same order, and so the same few, whether all of them were read or not.
    inactive.sort_unstable_by_key(|(at, path, _)| (*at, *path));
    always.extend_from_slice(scripts);
    // The repair of a broken manifest must be noticed.
    let faults = catalog.sources.iter().flat_map(|source| &source.findings.faults);
    let mut faults = faults.map(|fault| PathBuf::from(&fault.path)).filter(|path| path.is_absolute());
    always.extend(faults.by_ref().take(FEW));
    let mut at_start: Vec<PathBuf> = faults.collect();
    let of_skills = if skill_plugins.len() <= FEW_SKILL_PLUGINS { &mut always } else { &mut at_start };
    of_skills.append(&mut skill_plugins);

    // Paths compare part by part, which is slow for so many; as texts they are as good.
    let mut seen: HashSet<OsString> = HashSet::new();
    let mut is_new = |file: &StampedFile| seen.insert(file.path.clone().into_os_string());
    let always = always.into_iter().map(StampedFile::from).filter(&mut is_new).collect();
    let inactive = inactive.into_iter().filter_map(|(at, path, known)| {
        let path = manifest(catalog.sources.get(at)?, path)?;
        Some(StampedFile { path, known })
    });
    let at_start = at_start.into_iter().map(StampedFile::from).chain(inactive);
    WatchList { always, at_start: at_start.filter(is_new).take(MANY).collect() }
}

/// The variables and paths that conditions ask for, as far as the answer could change a plan.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct WorldQuestions {
    pub(super) variables: WatchList<String>,
    /// Paths, as they are written.
    pub(super) paths: WatchList<String>,
}

/// Collects what conditions ask for.
pub(super) fn asked(catalog: &Catalog, facts: &ConditionFacts<'_>) -> WorldQuestions {
    let mut asked = WorldQuestions::default();
    for (source, loaded) in catalog.plugins() {
        let plugin = &loaded.plugin;
        // Where no crate matches, no other answer can make a difference.
        let crates = ConditionSet { crates: plugin.conditions.crates.clone(), predicates: Vec::new() };
        if !evaluate(&crates, facts, owner(source.spec.rank)).holds {
            continue;
        }
        let workflow = plugin.hooks.iter().map(|hook| &hook.conditions);
        let workflow = workflow.chain(plugin.mcp_servers.iter().map(|server| &server.conditions));
        let (often, seldom): (Vec<_>, Vec<_>) = if plugin.has_workflow() {
            let others = plugin.skills.iter().map(|group| &group.conditions);
            (workflow.chain([&plugin.conditions]).collect(), others.collect())
        } else {
            (Vec::new(), plugin.all_conditions().collect())
        };
        for conditions in often {
            asked.add(conditions, FEW);
        }
        for conditions in seldom.into_iter().chain(loaded.skills.iter().map(|skill| &skill.conditions)) {
            asked.add(conditions, 0);
        }
    }
    asked
}

impl WorldQuestions {
    fn add(&mut self, conditions: &ConditionSet, few: usize) {
        conditions.walk_predicates(|predicate| match predicate {
            Predicate::Env { name, .. } => self.variables.add_while_few(name.clone(), few),
            Predicate::PathExists(path) => self.paths.add_while_few(path.clone(), few),
            Predicate::DependsOn(_)
            | Predicate::WorkspaceMember
            | Predicate::Not(_)
            | Predicate::Any(_)
            | Predicate::All(_)
            | Predicate::Unsupported { .. } => {}
        });
    }

    pub(super) fn variables(&mut self) -> WatchList<VariableStamp> {
        let names = std::mem::take(&mut self.variables);
        names.map(|name| Some(VariableStamp { hash: stamp::take_variable(&name), name }))
    }

    /// Whether something is at each of the paths: in the workspace, or among the programs in `directories`.
    pub(super) fn presences(&mut self, root: Option<&Path>, directories: &[PathBuf]) -> WatchList<PathPresence> {
        let paths = std::mem::take(&mut self.paths);
        let mut watched = WatchList::default();
        let always = paths.always.iter().map(|path| (path, FEW));
        for (path, few) in always.chain(paths.at_start.iter().map(|path| (path, 0))) {
            let in_workspace = root.and_then(|root| presence(&root.join(path)));
            let there = |presence: &Option<PathPresence>| presence.as_ref().is_some_and(|presence| presence.there);
            let mut programs: Vec<PathPresence> = Vec::new();
            if !path.contains('/') && !there(&in_workspace) {
                programs.extend(directories.iter().filter_map(|directory| presence(&directory.join(path))));
            }
            match programs.iter().find(|program| program.there) {
                // One that is there answers for all: nothing more is asked.
                Some(program) => watched.add_while_few(program.clone(), few),
                None => {
                    if let Some(presence) = in_workspace {
                        watched.add_while_few(presence, few);
                    }
                    for program in programs {
                        watched.add_at_start(program);
                    }
                }
            }
        }
        watched
    }
}

impl WatchList<PathPresence> {
    /// Adds what was installed in a workspace: a session that starts without it has to have it restored.
    pub(super) fn with_installed(mut self, root: Option<&Path>, ledger: &Ledger) -> Self {
        // The project's own files are for a person to restore.
        let own = root.map(|root| root.join(".symposium"));
        let is_own = |record: &&LedgerRecord| own.as_ref().is_some_and(|own| record.path.starts_with(own));
        for record in ledger.records.iter().filter(|record| record.is_for(root) && !is_own(record)) {
            let file = match &record.written {
                WrittenContent::Skill { .. } => record.path.join("SKILL.md"),
                WrittenContent::Entries { .. } | WrittenContent::File { .. } | WrittenContent::Amended { .. } => {
                    record.path.clone()
                }
            };
            if let Some(presence) = presence(&file) {
                self.add_at_start(presence);
            }
        }
        self
    }
}

fn presence(path: &Path) -> Option<PathPresence> {
    Some(PathPresence { path: path.to_str()?.to_owned(), there: stamp::take(path).is_some() })
}

/// Files as they are. One that changed since `started` may have been read before that: its stamp fits nothing, so that
/// the next event compiles again.
pub(super) fn taken_after_reading(files: WatchList<StampedFile>, started: i64, now: i64) -> WatchList<PathStamp> {
    files.map(|StampedFile { path, known }| match known {
        Some(_) => Some(PathStamp { path: path.into_os_string().into_string().ok()?, state: known }),
        None => taken(&path).map(|stamp| doubted(stamp, started, now)),
    })
}

/// A stamp, unless the file changed in a span of time: then one that fits nothing. A file that was moved to its place has
/// the old time of its content.
pub(super) fn doubted(mut stamp: PathStamp, started: i64, now: i64) -> PathStamp {
    let is_within = |time: i64| time <= now && clock::may_be_since(started, time);
    let is_doubtful = |state: &&mut FileState| is_within(state.modified) || is_within(state.changed);
    if let Some(state) = stamp.state.as_mut().filter(is_doubtful) {
        state.modified = 0;
    }
    stamp
}

/// A file that said `text` when it was read, as it is; one that says something else now has a stamp that fits nothing.
pub(super) fn taken_with(path: &Path, text: Option<&str>) -> Option<PathStamp> {
    let mut stamp = taken(path)?;
    // What changes after the stamp was taken is noticed by it.
    if fs::read_text_if_there(path, MAX_CONFIG).ok().flatten().as_deref() != text {
        let nothing = FileState { size: 0, modified: 0, changed: 0, inode: 0 };
        stamp.state = Some(FileState { modified: 0, ..stamp.state.unwrap_or(nothing) });
    }
    Some(stamp)
}

/// A file as it is; `None` for one whose name cannot be written down.
pub(super) fn taken(path: &Path) -> Option<PathStamp> {
    Some(PathStamp { path: path.to_str()?.to_owned(), state: stamp::take(path) })
}

#[cfg(test)]
#[path = "stamps_tests.rs"]
mod tests;
