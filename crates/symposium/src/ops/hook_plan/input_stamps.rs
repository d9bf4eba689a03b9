//! The stamps of a plan, arranged so that an event has little to look at.
//!
//! Files in sources are gathered by directory. Of very many files of plugins, most events look only at those that their
//! own handlers need and at one group of the others, in turns. Of files in fetched copies, which are not edited, an event
//! looks only at the first.

use std::collections::HashSet;
use std::path::Path;

use symposium_io::fs;
use symposium_model::catalog::{Catalog, CopyChoice, LoadedSource};
use symposium_model::config::SourceKind;
use symposium_model::hook::hook_plan::{FolderStamp, HookPlan, PathStamp, PlanSlot};
use symposium_model::select::Selection;

use super::handlers::CompiledHandlers;
use super::manifest_of;
use super::stamp::WatchList;
use crate::ops::catalog::root_of;

/// Up to this many files of plugins are all looked at on every event, and of more this many.
const AT_ONCE: usize = 64;

/// Files that belong together because of the events that need them.
pub(super) struct EventFiles {
    paths: HashSet<String>,
}

impl EventFiles {
    /// Collects the files of plugins that may add handlers to any event, or change them.
    pub(super) fn of_plugins(catalog: &Catalog, selection: &Selection, handlers: &CompiledHandlers) -> Self {
        let active = selection.plugins.iter().filter(|verdict| verdict.is_active());
        let active = active.filter_map(|verdict| catalog.plugin(verdict.id));
        let active = active.filter(|(_, loaded)| loaded.plugin.has_workflow());
        let manifests =
            active.filter_map(|(source, loaded)| manifest_of(source, loaded)?.into_os_string().into_string().ok());
        Self { paths: manifests.chain(named(handlers, |_| true)).collect() }
    }

    /// Collects the files that the handlers of one plan need.
    pub(super) fn of_slot(slot: PlanSlot, handlers: &CompiledHandlers) -> Self {
        Self { paths: named(handlers, |of| of == slot).collect() }
    }

    fn contains(&self, stamp: &PathStamp) -> bool {
        self.paths.contains(&stamp.path)
    }
}

/// Manifests, scripts and granted files of the handlers of some plans.
fn named(handlers: &CompiledHandlers, is_meant: impl Fn(PlanSlot) -> bool + Copy) -> impl Iterator<Item = String> {
    let files = handlers.files.iter().chain(&handlers.manifests).filter(move |(slot, _)| is_meant(*slot));
    let files = files.filter_map(|(_, file)| file.to_str().map(str::to_owned));
    let those = handlers.permitted.iter().chain(&handlers.unsure).filter(move |(slot, _)| is_meant(*slot));
    files.chain(those.flat_map(|(_, handler)| &handler.granted).map(|stamp| stamp.path.clone()))
}

/// Returns the directories of fetched copies, each with a `/` at the end. A vendored copy is the project's own.
fn copies_of(catalog: &Catalog) -> Vec<String> {
    let is_fetched = |source: &&LoadedSource| match source.spec.kind {
        SourceKind::Git { .. } | SourceKind::Index { .. } => {
            source.copy.as_ref().is_some_and(|copy| copy.choice == CopyChoice::Current)
        }
        SourceKind::UserPlugins(_)
        | SourceKind::Path(_)
        | SourceKind::Crate(_)
        | SourceKind::Workspace(_)
        | SourceKind::Embedded => false,
    };
    let copies = catalog.sources.iter().filter(is_fetched).filter_map(|source| source.copy.as_ref());
    let both = copies.flat_map(|copy| [Some(copy.directory.clone()), fs::canonical(&copy.directory).ok()]).flatten();
    both.filter_map(|directory| Some(format!("{}/", directory.to_str()?))).collect()
}

/// All stamps of a set of plans.
pub(super) struct InputStamps {
    single: WatchList<PathStamp>,
    folders: WatchList<FolderStamp>,
    /// The files in `others` and in fetched copies, of which every plan has its own ones besides.
    of_plugins: Vec<PathStamp>,
    others: Vec<FolderStamp>,
    roots: Vec<String>,
}

impl InputStamps {
    pub(super) fn gather(
        mut single: WatchList<PathStamp>,
        catalog: &Catalog,
        config: &Path,
        of_plugins: &EventFiles,
    ) -> Self {
        // The files beside the configuration are looked up by their names.
        let sources = catalog.sources.iter().filter_map(root_of).filter(|root| !config.starts_with(root));
        // Scripts are named by their real paths.
        let real = |root: &Path| fs::canonical(root).ok().filter(|real| real != root);
        let roots = sources.flat_map(|root| [Some(root.to_owned()), real(root)]).flatten();
        let roots: Vec<String> = roots.filter_map(|root| root.into_os_string().into_string().ok()).collect();

        // A stamp that fits nothing has to be noticed by the next event.
        let is_known = |stamp: &PathStamp| stamp.state.is_some_and(|state| state.modified != 0);
        // Nothing in a fetched copy changes; every event looks at the record that names the copy in use.
        let copies = copies_of(catalog);
        let is_copied = |stamp: &mut PathStamp| {
            is_known(stamp) && of_plugins.contains(stamp) && copies.iter().any(|copy| stamp.path.starts_with(copy))
        };
        let copied: Vec<PathStamp> = single.always.extract_if(.., is_copied).collect();
        let mut rest: Vec<PathStamp> = Vec::new();
        let mut others = Vec::new();
        if single.always.iter().filter(|stamp| of_plugins.contains(stamp)).count() > AT_ONCE {
            let is_other = |stamp: &mut PathStamp| is_known(stamp) && of_plugins.contains(stamp);
            rest.extend(single.always.extract_if(.., is_other));
        }
        let mut of_plugins = rest.clone();
        for root in &roots {
            others.extend(FolderStamp::take_groups(&mut rest, root, AT_ONCE));
        }
        // Of those that are in no group each counts for itself.
        let alone: HashSet<String> = rest.iter().map(|stamp| stamp.path.clone()).collect();
        of_plugins.retain(|stamp| !alone.contains(&stamp.path));
        single.always.append(&mut rest);
        of_plugins.extend_from_slice(&copied);
        single.at_start.extend(copied);

        let mut folders = WatchList::default();
        for root in &roots {
            folders.always.extend(FolderStamp::take_from(&mut single.always, root));
            folders.at_start.extend(FolderStamp::take_from(&mut single.at_start, root));
        }
        Self { single, folders, of_plugins, others, roots }
    }

    /// Gives a plan the stamps that its event looks at; `own` are the files that its handlers need.
    pub(super) fn fill(&self, plan: &mut HookPlan, own: &EventFiles) {
        let mut stamps: Vec<PathStamp> = self.of_plugins.iter().filter(|stamp| own.contains(stamp)).cloned().collect();
        let groups = self.roots.iter().filter_map(|root| FolderStamp::take_from(&mut stamps, root));
        plan.folders = groups.collect();
        plan.folders.extend_from_slice(&self.folders.always);
        plan.stamps.clone_from(&self.single.always);
        plan.stamps.append(&mut stamps);
        plan.others.clone_from(&self.others);
    }

    /// Adds what only a session start looks at.
    pub(super) fn fill_start(&self, plan: &mut HookPlan) {
        plan.stamps.extend_from_slice(&self.single.at_start);
        plan.folders.extend_from_slice(&self.folders.at_start);
    }
}
