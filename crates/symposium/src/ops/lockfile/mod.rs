//! Computes the lockfile of a project: the extensions in use, with their pinned content.

mod moved_skill;

use std::collections::BTreeMap;

use symposium_io::fs;
use symposium_io::source::{GitCopy, skill_files, whole_fingerprint};
use symposium_model::authority::{WorkspaceToggles, is_personal};
use symposium_model::catalog::{Catalog, CopyChoice, LoadedSource, SkillId};
use symposium_model::config::SourceKind;
use symposium_model::diagnostic::{Diagnostic, Severity};
use symposium_model::evaluate::FoundCrate;
use symposium_model::lockfile::{ExtensionKind, LockChange, LockedExtension, LockedSource, Lockfile, SourcePin};
use symposium_model::plugin_index::PublishedPlugin;
use symposium_model::select::{Selection, SkillState};
use symposium_model::sync::{SkillTree, fingerprint};

use self::moved_skill::earlier;
use super::catalog::pinned_source::{CopyChooser, content_at, content_of};
use super::catalog::{tree_of, tree_of_skill};
use super::context::Context;
use super::resolve::Resolution;
use crate::ops::fetch_report::short;
use crate::ops::lockfile_state::PinPolicy;
use crate::run_report::RunReport;

pub(crate) use self::moved_skill::MovedSkill;

/// A manifest larger than this was not read either.
const MAX_MANIFEST: u64 = 8 * 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum LockMode {
    /// An existing lockfile is updated.
    #[default]
    Update,
    /// A missing lockfile is created.
    Create,
    /// The lockfile must exist and be up to date.
    Locked,
}

/// Tells what could not be read of everything that a lockfile depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LockInputs {
    Complete,
    /// Sources, or something in them.
    WithoutSources,
    /// The workspace or a configuration: then nothing is known to be absent.
    Unknown,
}

impl LockInputs {
    pub(crate) fn from_report(report: &RunReport) -> Self {
        match (report.is_unread(), report.is_partial()) {
            (true, _) => Self::Unknown,
            (false, true) => Self::WithoutSources,
            (false, false) => Self::Complete,
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct LockDiff {
    pub(crate) lock: Lockfile,
    pub(crate) changes: Vec<LockChange>,
    /// Skills whose content is not what is locked: what is installed of them stays.
    pub(crate) held: Vec<SkillId>,
    /// Sources that have moved on.
    pub(crate) warnings: Vec<String>,
    pub(crate) faults: Vec<Diagnostic>,
    /// Skills whose content moves on, as far as what they were is at hand.
    pub(crate) moved: Vec<MovedSkill>,
    /// Whether something could not be read, so that nothing is removed for being absent.
    pub(crate) is_partial: bool,
}

/// The relation of a source to its pin.
enum SourceStanding {
    /// It is the user's own source or the workspace itself, which the lockfile does not pin.
    Personal,
    /// Its content is unknown.
    Unheard,
    /// It has no pin, its pins are released, or its pin is for another place.
    New(SourcePin),
    /// Its content is the pinned one.
    Same(SourcePin),
    /// Its content differs from the pinned one, which is unavailable.
    Moved { locked: SourcePin, now: SourcePin },
}

/// Finds out what the lock should say; `None` where there is none, and none is asked for. What may be in an input that
/// could not be read does not leave the lock for being absent.
pub(crate) fn outlook(
    context: &Context,
    resolution: &Resolution,
    demand: LockMode,
    inputs: LockInputs,
) -> Option<LockDiff> {
    let is_wanted = context.lock.lock().is_some() || demand != LockMode::Update;
    // What is tried for one call changes nothing for others.
    let is_tried = !context.options.extra_sources.is_empty();
    if context.root().is_none() || context.lock.is_broken() || !is_wanted || is_tried {
        return None;
    }
    let Some(shared) = context.project_only_context() else {
        return Some(compute_lock_diff(context, resolution, demand, inputs));
    };
    // A user who does without a default source, or with more dependencies, does not change the lock of the project.
    let whole = resolution.load_again(&shared);
    let outlook = compute_lock_diff(&shared, &whole, demand, inputs);
    let held = outlook.held.iter().filter_map(|id| same_skill(&whole.catalog, *id, resolution)).collect();
    Some(LockDiff { held, ..outlook })
}

/// Finds a skill of another catalog in a resolution.
fn same_skill(catalog: &Catalog, id: SkillId, resolution: &Resolution) -> Option<SkillId> {
    let name_of = |catalog: &'_ Catalog, id| {
        catalog.skill(id).map(|(source, skill)| (source.spec.name.clone(), skill.path.clone()))
    };
    let name = name_of(catalog, id)?;
    let mut ids = resolution.selection.skills.iter().map(|verdict| verdict.id);
    ids.find(|id| name_of(&resolution.catalog, *id).as_ref() == Some(&name))
}

fn compute_lock_diff(context: &Context, resolution: &Resolution, demand: LockMode, inputs: LockInputs) -> LockDiff {
    let Resolution { catalog, fetched, .. } = resolution;
    let is_partial = inputs != LockInputs::Complete;
    let empty = Lockfile::default();
    let known = context.lock.lock().unwrap_or(&empty);
    let mut outlook = LockDiff::default();
    let mut standings = Vec::new();
    for source in &catalog.sources {
        // What only the user has is in no lock of a project, and what lies beside the lock needs none.
        let is_shared = !is_personal(source.spec.rank) && !source.spec.kind.is_workspace();
        standings.push(if is_shared {
            standing(&CopyChooser::new(context, fetched), known, source, &mut outlook)
        } else {
            SourceStanding::Personal
        });
    }
    let mut rows = LockRows { known, extensions: Vec::new(), moved: BTreeMap::new(), edited: Vec::new() };
    // The user's own extensions take no place of others in the lock.
    let shared = resolution.select_shared(context);
    let selection = shared.as_ref().unwrap_or(&resolution.selection);
    skills(&CopyChooser::new(context, fetched), catalog, selection, &standings, &mut rows, &mut outlook);
    workflows(&context.choices(), catalog, selection, &standings, &mut rows);
    report(catalog, &standings, &rows, &mut outlook);
    // Extensions of a source that was not read are assumed to be still there.
    let unsure = |name: &str| {
        let source = catalog.sources.iter().position(|source| source.spec.name == name);
        let is_whole = |at: usize| {
            let faults = catalog.sources.get(at).is_some_and(|source| !source.findings.faults.is_empty());
            !faults && !matches!(standings.get(at), Some(SourceStanding::Unheard) | None)
        };
        let is_personal = source.is_some_and(|at| matches!(standings.get(at), Some(SourceStanding::Personal)));
        let may_be_there = source.map_or(is_partial, |at| inputs == LockInputs::Unknown || !is_whole(at));
        !is_personal && may_be_there
    };
    let is_listed = |rows: &[LockedExtension], old: &LockedExtension| {
        rows.iter().any(|row| row.kind == old.kind && row.name == old.name)
    };
    let mut extensions = std::mem::take(&mut rows.extensions);
    // An extension of a source that was not read is not replaced by one of the same name from another source.
    extensions.retain(|row| {
        let old = known.extension(row.kind, &row.name).filter(|old| old.source != row.source);
        !old.is_some_and(|old| unsure(&old.source))
    });
    let kept = known.extensions().iter().filter(|old| !is_listed(&extensions, old) && unsure(&old.source));
    let kept: Vec<LockedExtension> = kept.cloned().collect();
    extensions.extend(kept);
    let mut sources = Vec::new();
    for (source, standing) in catalog.sources.iter().zip(&standings) {
        let name = &source.spec.name;
        let pin = match standing {
            SourceStanding::Personal => continue,
            SourceStanding::Unheard => known.pin(name),
            SourceStanding::New(pin) | SourceStanding::Same(pin) | SourceStanding::Moved { locked: pin, .. } => {
                Some(pin)
            }
        };
        if demand == LockMode::Create && pin.is_none() {
            let message = format!("Source `{name}` is not fetched yet, so the lockfile does not contain it");
            outlook.warnings.push(message);
        }
        if let Some(pin) = pin {
            sources.push(LockedSource { name: name.clone(), pin: pin.clone() });
        }
    }
    let is_there = |name: &str| catalog.sources.iter().any(|source| source.spec.name == name);
    let gone = known.sources().iter().filter(|old| !is_there(&old.name) && is_partial);
    sources.extend(gone.cloned());
    extensions.retain(|extension| sources.iter().any(|source| source.name == extension.source));
    outlook.lock = Lockfile::new(sources, extensions);
    outlook.changes = known.changes_to(&outlook.lock);
    outlook.is_partial = is_partial || outlook.faults.iter().any(|found| found.severity == Severity::Error);
    outlook
}

fn standing(
    chooser: &CopyChooser<'_>,
    known: &Lockfile,
    source: &LoadedSource,
    outlook: &mut LockDiff,
) -> SourceStanding {
    let name = &source.spec.name;
    let locked = known.pin(name);
    let now = match content(chooser, source) {
        Ok(Some(now)) => now,
        Ok(None) => return SourceStanding::Unheard,
        Err(reason) => {
            let message = format!("Source `{name}` cannot be locked: {reason}");
            let found = Diagnostic::error(source.place.clone(), message);
            outlook.faults.push(found.help("name a directory that contains only plugins"));
            return SourceStanding::Unheard;
        }
    };
    if let (SourceKind::Git { address, .. }, Some(SourcePin::Git { commit, .. }), PinPolicy::Kept) =
        (&source.spec.kind, locked, chooser.fetched.pins)
    {
        let pinned = chooser.cache.copy_of(address, commit);
        let newest = chooser.cache.copy(address).filter(|newest| newest.commit != *commit);
        let came_later = |newest: &GitCopy| {
            chooser.fetched.was_fetched(name) || pinned.as_ref().is_some_and(|pinned| newest.came_after(pinned))
        };
        if let Some(newest) = newest.filter(came_later) {
            let (before, after) = (short(commit), short(&newest.commit));
            outlook.warnings.push(format!(
                "Source `{name}` is locked at {before}, but is now at {after}; run `symposium sync --update` to \
                 update"
            ));
        }
    }
    if let (SourceKind::Index { address, .. }, Some(SourcePin::Index { plugins, .. }), PinPolicy::Kept) =
        (&source.spec.kind, locked, chooser.fetched.pins)
    {
        let latest = chooser.indexes.record(address, chooser.root).map(|record| record.latest).unwrap_or_default();
        let moved = moved_plugins(plugins, &latest);
        if !moved.is_empty() {
            let moved: Vec<String> = moved.iter().map(|name| format!("`{name}`")).collect();
            let moved = moved.join(", ");
            outlook.warnings.push(format!(
                "Source `{name}` has other content than the lockfile for {moved}; run `symposium sync --update` to update"
            ));
        }
    }
    // An index of which a part is missing does not say that a plugin is gone.
    if matches!(now, SourcePin::Index { .. }) && !source.findings.faults.is_empty() && locked != Some(&now) {
        return SourceStanding::Unheard;
    }
    match locked {
        Some(locked) if *locked == now => SourceStanding::Same(now),
        Some(locked) if chooser.fetched.pins == PinPolicy::Kept && is_same_place(locked, &now) => {
            SourceStanding::Moved { locked: locked.clone(), now }
        }
        Some(_) | None => SourceStanding::New(now),
    }
}

fn is_same_place(locked: &SourcePin, now: &SourcePin) -> bool {
    match (locked, now) {
        (SourcePin::Builtin { .. }, SourcePin::Builtin { .. }) | (SourcePin::Path { .. }, SourcePin::Path { .. }) => {
            true
        }
        (SourcePin::Git { url, .. }, SourcePin::Git { url: other, .. }) => url == other,
        // Plugins come and go with the crates; those that stay are pinned.
        (SourcePin::Index { url, plugins, .. }, SourcePin::Index { url: other, plugins: now, .. }) => {
            url == other && !moved_plugins(plugins, now).is_empty()
        }
        (SourcePin::Builtin { .. } | SourcePin::Path { .. } | SourcePin::Git { .. } | SourcePin::Index { .. }, _) => {
            false
        }
    }
}

/// Lists the plugins of an index that are not what they were.
fn moved_plugins<'p>(before: &[PublishedPlugin], now: &'p [PublishedPlugin]) -> Vec<&'p str> {
    let before: BTreeMap<&str, &PublishedPlugin> = before.iter().map(|known| (known.name.as_str(), known)).collect();
    let moved =
        |plugin: &&PublishedPlugin| before.get(plugin.name.as_str()).is_some_and(|known| known.sha256 != plugin.sha256);
    now.iter().filter(moved).map(|plugin| plugin.name.as_str()).collect()
}

/// Returns a pin with the present content of a source; `None` for a source that is not there.
fn content(chooser: &CopyChooser<'_>, source: &LoadedSource) -> Result<Option<SourcePin>, String> {
    let vendored = source.copy.as_ref().is_some_and(|copy| copy.choice == CopyChoice::Vendored);
    if vendored {
        // It was compared with the lock when it was chosen.
        return Ok(chooser.lock.pin(&source.spec.name).cloned());
    }
    match &source.spec.kind {
        SourceKind::Embedded => Ok(Some(SourcePin::Builtin { version: env!("CARGO_PKG_VERSION").to_owned() })),
        SourceKind::Git { address, .. } => {
            let Some(copy) = &source.copy else { return Ok(None) };
            let kept = chooser.cache.copy_of(address, &copy.commit);
            let tree = kept
                .as_ref()
                .and_then(content_of)
                .ok_or("some of its files cannot be read, or there are too many files")?;
            Ok(Some(SourcePin::Git { url: address.shown().to_owned(), commit: copy.commit.clone(), tree }))
        }
        SourceKind::Index { address, .. } => {
            let Some(copy) = &source.copy else { return Ok(None) };
            let kept = chooser.indexes.copy_of(address, &copy.commit);
            let plugins = chooser.indexes.plugins_of(address, &copy.commit);
            let pin = kept.as_ref().and_then(content_of).zip(plugins);
            let (tree, plugins) = pin.ok_or("some of its files cannot be read, or there are too many files")?;
            Ok(Some(SourcePin::Index { url: address.shown().to_owned(), tree, plugins }))
        }
        // Cargo.lock says which version of a crate is used; the workspace has its own skills beside the lockfile.
        SourceKind::Crate(_) | SourceKind::Workspace(_) => Ok(None),
        SourceKind::UserPlugins(path) if fs::is_gone(path) => {
            Ok(Some(SourcePin::Path { tree: SkillTree::new(Vec::new()).fingerprint() }))
        }
        SourceKind::UserPlugins(_) | SourceKind::Path(_) => {
            // A directory that cannot be read at all.
            if source.plugins.is_empty() && source.passed_over.is_empty() && !source.findings.faults.is_empty() {
                return Ok(None);
            }
            match tree_of(source) {
                None => Ok(None),
                Some(tree) => whole_fingerprint(&*tree).map(|tree| Some(SourcePin::Path { tree })),
            }
        }
    }
}

struct LockRows<'l> {
    known: &'l Lockfile,
    extensions: Vec<LockedExtension>,
    /// The names of extensions whose new content is not used, by the position of their source.
    moved: BTreeMap<usize, Vec<String>>,
    /// Skills of which the lock says something that is not in their source, with that source.
    edited: Vec<(String, usize)>,
}

impl LockRows<'_> {
    fn known(&self, row: &LockedExtension) -> Option<&LockedExtension> {
        self.known.extension(row.kind, &row.name).filter(|old| old.source == row.source)
    }
}

fn skills(
    chooser: &CopyChooser<'_>,
    catalog: &Catalog,
    selection: &Selection,
    standings: &[SourceStanding],
    rows: &mut LockRows<'_>,
    outlook: &mut LockDiff,
) {
    for verdict in selection.skills.iter().filter(|verdict| verdict.state == SkillState::Applies) {
        let Some((source, skill)) = catalog.skill(verdict.id) else { continue };
        if is_personal(source.spec.rank) {
            continue;
        }
        let Some(at) = source_of(catalog, verdict.id) else { continue };
        let (Some(holder), Some(standing)) = (catalog.sources.get(at), standings.get(at)) else { continue };
        let directory = skill.path.rsplit_once('/').map_or("", |(directory, _)| directory);
        // What cannot be read is not installed either, and that is said.
        let Some(files) = tree_of_skill(source, skill).and_then(|tree| skill_files(&*tree, directory).ok()) else {
            continue;
        };
        let tree = SkillTree::new(files);
        let row = LockedExtension {
            name: skill.document.name.as_str().to_owned(),
            kind: ExtensionKind::Skill,
            source: holder.spec.name.clone(),
            path: skill.path.clone(),
            crates: matched(&verdict.crates),
            sha256: tree.fingerprint(),
        };
        let old = rows.known(&row).cloned();
        let is_same = old.as_ref().is_some_and(|old| old.sha256 == row.sha256);
        let is_free = matches!(standing, SourceStanding::New(_)) || chooser.fetched.pins == PinPolicy::Released;
        if let Some(old) = old.as_ref().filter(|_| is_free && !is_same)
            && let Some(before) = earlier(chooser, holder, old)
        {
            outlook.moved.push(MovedSkill { name: row.name.clone(), before, after: tree });
        }
        match standing {
            SourceStanding::Unheard | SourceStanding::Personal => {}
            SourceStanding::New(_) => rows.extensions.push(row),
            SourceStanding::Same(_) if is_same || old.is_none() || chooser.fetched.pins == PinPolicy::Released => {
                rows.extensions.push(row);
            }
            SourceStanding::Moved { .. } if is_same => rows.extensions.push(row),
            SourceStanding::Same(_) => {
                rows.edited.push((row.name.clone(), at));
                rows.extensions.extend(old);
                outlook.held.push(verdict.id);
            }
            SourceStanding::Moved { .. } => {
                rows.moved.entry(at).or_default().push(row.name.clone());
                rows.extensions.extend(old);
                outlook.held.push(verdict.id);
            }
        }
    }
}

/// The source a skill lies in, by its position: its plugin's, or a repository that its plugin names. Nothing for one that
/// lies in a crate: Cargo.lock says which version of that is used.
fn source_of(catalog: &Catalog, id: SkillId) -> Option<usize> {
    let (_, skill) = catalog.skill(id)?;
    let Some(elsewhere) = &skill.elsewhere else { return Some(id.plugin.source) };
    let is_there = |source: &LoadedSource| {
        source.spec.kind.git_address().is_some()
            && source.copy.as_ref().is_some_and(|copy| copy.directory == *elsewhere)
    };
    catalog.sources.iter().position(is_there)
}

/// Workflows are not installed, so none is held back: what they run needs a grant that is bound to its content.
fn workflows(
    choices: &WorkspaceToggles<'_>,
    catalog: &Catalog,
    selection: &Selection,
    standings: &[SourceStanding],
    rows: &mut LockRows<'_>,
) {
    for verdict in selection.plugins.iter().filter(|verdict| verdict.has_its_name()) {
        let Some((source, loaded)) = catalog.plugin(verdict.id) else { continue };
        let name = &loaded.plugin.name;
        if !loaded.plugin.has_workflow() || !choices.plugin(source.spec.bringer(), name).is_on() {
            continue;
        }
        let read = tree_of(source).and_then(|tree| tree.read_file(&loaded.path, MAX_MANIFEST).ok());
        let Some((manifest, _)) = read else { continue };
        let row = LockedExtension {
            name: name.clone(),
            kind: ExtensionKind::Workflow,
            source: source.spec.name.clone(),
            path: loaded.path.clone(),
            crates: matched(&verdict.verdict.matched),
            sha256: fingerprint(&manifest),
        };
        let old = rows.known(&row).cloned();
        match standings.get(verdict.id.source) {
            Some(SourceStanding::New(_) | SourceStanding::Same(_)) => rows.extensions.push(row),
            // What is not in the locked content is not in the lock.
            Some(SourceStanding::Moved { .. }) => {
                rows.extensions.extend(old.map(|old| if old.sha256 == row.sha256 { row } else { old }));
            }
            Some(SourceStanding::Unheard | SourceStanding::Personal) | None => {}
        }
    }
}

fn matched(crates: &[FoundCrate]) -> Vec<String> {
    crates.iter().map(|found| format!("{} {}", found.name, found.version)).collect()
}

/// Reports a checkout in the cache that differs from the fetched content.
fn damaged(source: &LoadedSource, standing: Option<&SourceStanding>) -> Option<Diagnostic> {
    let (Some(SourceStanding::Same(SourcePin::Git { tree, .. } | SourcePin::Index { tree, .. })), Some(copy)) =
        (standing, &source.copy)
    else {
        return None;
    };
    if content_at(&copy.directory).as_ref() == Some(tree) {
        return None;
    }
    let message = format!("The copy of source `{}` is damaged", source.spec.name);
    let help = "remove this directory, and run `symposium sync` to fetch it again";
    Some(Diagnostic::error(copy.directory.display().to_string(), message).help(help))
}

/// Says which sources have moved on, and what that means.
fn report(catalog: &Catalog, standings: &[SourceStanding], rows: &LockRows<'_>, outlook: &mut LockDiff) {
    let listed = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    for (at, (source, standing)) in catalog.sources.iter().zip(standings).enumerate() {
        let SourceStanding::Moved { locked, now } = standing else { continue };
        let name = &source.spec.name;
        let moved = match (locked, now) {
            (SourcePin::Builtin { version }, SourcePin::Builtin { version: now }) => {
                format!("Source `{name}` is locked at version {version} of Symposium, but this is version {now}")
            }
            _ => format!("The content of source `{name}` differs from the lockfile"),
        };
        let update = "run `symposium sync --update` to update the lockfile";
        match rows.moved.get(&at) {
            None => outlook.warnings.push(format!("{moved}; nothing that you use changed; {update}")),
            Some(names) => {
                let message = format!("{moved}; the installed {} is kept unchanged", listed(names));
                let help = match locked {
                    SourcePin::Builtin { version } => {
                        format!("{update}, or use Symposium {version}, which has the locked content")
                    }
                    SourcePin::Git { .. } | SourcePin::Path { .. } | SourcePin::Index { .. } => {
                        format!("{update}, or restore the locked content")
                    }
                };
                outlook.faults.push(Diagnostic::error(source.place.clone(), message).help(help));
            }
        }
    }
    for (skill, at) in &rows.edited {
        let Some(source) = catalog.sources.get(*at) else { continue };
        if let Some(found) = damaged(source, standings.get(*at)) {
            outlook.faults.push(found);
            continue;
        }
        let message =
            format!("Skill `{skill}` does not match the lockfile, but its source `{}` does", source.spec.name);
        let help = "the lockfile was edited: restore it from version control, or run `symposium sync --update`";
        outlook.faults.push(Diagnostic::error(source.place.clone(), message).help(help));
    }
}
