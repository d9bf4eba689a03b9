//! Policy hooks whose manifest broke or vanished: they stay in force as they last were, until a person says otherwise.
//!
//! Beside the plans of a workspace a file says which policy hooks were in force, and how.

use std::path::{Path, PathBuf};

use symposium_hook::stamp;
use symposium_io::file_lock::FileLock;
use symposium_io::fs;
use symposium_model::authority::is_personal;
use symposium_model::catalog::{Catalog, LoadedPlugin, LoadedSource};
use symposium_model::config::{AppDirectories, TrustProjects};
use symposium_model::hook::hook_plan::{Handler, HandlerAction, PlanSlot, directory};
use symposium_model::hook::{HookOrder, OnFailure};
use symposium_model::scan;

use super::PlanSet;
use super::guard_record::{RecordedGuard, acquire_lock, read, recorded, write_all, write_everywhere};
use super::handlers::CompiledHandlers;
use super::hooks::ActiveHook;
use crate::ops::catalog::root_of;
use crate::ops::context::Context;
use crate::ops::resolve::Resolution;
use crate::ops::trust::{PendingCommand, PendingReason, TrustReport};

/// Limits the sentences that a model is told in the middle of a session.
const MAX_ENDED: usize = 5;

/// A policy hook that was in force, and whose manifest says nothing now.
#[derive(Debug, Clone)]
pub(crate) struct KeptGuard {
    pub(crate) guard: RecordedGuard,
    pub(crate) manifest: PathBuf,
    pub(crate) loss: ManifestLoss,
    pub(crate) standing: GuardStanding,
}

/// Whether a policy hook without its manifest still does its work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GuardStanding {
    /// It does, as it did.
    InForce,
    /// It may not run: something else of it is not as it was granted.
    Changed,
    /// It cannot run: this file is not there any more.
    ScriptGone(PathBuf),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ManifestLoss {
    /// It, or its source, cannot be read.
    Broken,
    /// It is not there any more.
    Gone,
    /// No configuration names its source any more.
    SourceGone,
}

/// A policy hook of the plans that are compiled, and the manifest that it comes from.
#[derive(Debug)]
struct GuardInForce {
    guard: RecordedGuard,
    manifest: PathBuf,
}

#[derive(Debug, Default)]
pub(crate) struct GuardSet {
    in_force: Vec<GuardInForce>,
    /// Recorded policy hooks that a valid manifest does not have any more.
    withdrawn: Vec<RecordedGuard>,
    pub(crate) kept: Vec<KeptGuard>,
}

impl KeptGuard {
    /// Says whether it is in force, and what changes that.
    pub(crate) fn sentence(&self) -> String {
        let Handler { plugin, .. } = &self.guard.handler;
        let (title, manifest) = (self.guard.handler.title(), self.manifest.display());
        match (&self.standing, self.loss) {
            (GuardStanding::ScriptGone(script), _) if self.blocks_without_script() => format!(
                "Policy hook `{title}` blocks every matching call, because its script is missing. Restore `{}`, or \
                 run `symposium off {plugin}`",
                script.display()
            ),
            (GuardStanding::ScriptGone(script), _) => format!(
                "Policy hook `{title}` is no longer active, because its script is missing. Restore `{}`, or run \
                 `symposium off {plugin}`",
                script.display()
            ),
            (GuardStanding::Changed, _) => format!(
                "Policy hook `{title}` is no longer active, because it changed after you granted it. Restore \
                 `{manifest}`, and run `symposium trust`"
            ),
            (GuardStanding::InForce, ManifestLoss::Broken) => format!(
                "Policy hook `{title}` stays active with its last content, because its manifest `{manifest}` cannot \
                 be read; run `symposium off {title}` to switch it off"
            ),
            (GuardStanding::InForce, ManifestLoss::SourceGone) => format!(
                "Policy hook `{title}` stays active with its last content, because no configuration names its source `{}` \
                 any more; run `symposium sync` or `symposium off {title}` in your own terminal to remove it",
                self.guard.source
            ),
            (GuardStanding::InForce, ManifestLoss::Gone) => format!(
                "Policy hook `{title}` stays active with its last content, because its manifest `{manifest}` is \
                 missing; run `symposium sync` or `symposium off {title}` in your own terminal to remove it"
            ),
        }
    }

    /// Whether it asks for a block where it cannot be started. One that was granted never runs without its script.
    fn blocks_without_script(&self) -> bool {
        self.guard.handler.on_failure == OnFailure::Block && !self.guard.handler.needs_grant()
    }
}

/// Adds the policy hooks to the handlers that were in force before, and whose manifests say nothing now.
pub(super) fn keep(
    context: &Context,
    resolution: &Resolution,
    hooks: &[ActiveHook<'_>],
    handlers: &mut CompiledHandlers,
) -> GuardSet {
    let mut in_force = in_force(hooks, &resolution.trust, handlers);
    // A source that is tried for one call keeps nothing in force after it.
    let is_tried = |manifest: &Path| context.options.extra_sources.iter().any(|extra| manifest.starts_with(extra));
    in_force.retain(|guard| !is_tried(&guard.manifest));
    let recorded = recorded(&context.directories, context.root());
    for GuardInForce { guard, .. } in &mut in_force {
        keep_scripts(guard, &recorded);
    }
    in_force.extend(find_withheld(&recorded, hooks, &in_force));
    let withdrawn = find_withdrawn(recorded, &resolution.catalog);
    let mut guards = GuardSet { in_force, withdrawn, kept: Vec::new() };
    let mut position = 0;
    for kept in kept_guards(context, resolution) {
        let is_known = guards.in_force.iter().any(|known| known.guard.is_same(&kept.guard));
        let Some(slot) = kept.guard.slot().filter(|_| !is_known) else { continue };
        handlers.manifests.push((slot, kept.manifest.clone()));
        let title = kept.guard.handler.title();
        let runs = match &kept.standing {
            GuardStanding::InForce => true,
            GuardStanding::ScriptGone(_) => kept.blocks_without_script(),
            GuardStanding::Changed => false,
        };
        if runs {
            // Policies come first.
            handlers.permitted.insert(position, (slot, kept.guard.handler.clone()));
            position += 1;
        }
        match &kept.standing {
            GuardStanding::InForce => handlers.warnings.push(kept.sentence()),
            GuardStanding::Changed => {
                let reason = PendingReason::Changed;
                handlers.withhold(slot, PendingCommand { reason, title, agent: None, plugin: None });
            }
            GuardStanding::ScriptGone(script) => {
                handlers.files.push((slot, script.clone()));
                handlers.warnings.push(kept.sentence());
                if !runs && handlers.ended.len() < MAX_ENDED {
                    handlers.ended.push(scan::one_line(&kept.sentence()).into_owned());
                }
            }
        }
        guards.in_force.push(GuardInForce { guard: kept.guard.clone(), manifest: kept.manifest.clone() });
        guards.kept.push(kept);
    }
    guards
}

/// Finds out whether a policy hook without its manifest still does its work.
fn standing(kept: &mut KeptGuard) -> GuardStanding {
    match (kept.guard.missing_script(), is_as_granted(kept)) {
        (Some(script), _) => GuardStanding::ScriptGone(script),
        (None, true) => GuardStanding::InForce,
        (None, false) => GuardStanding::Changed,
    }
}

/// Whether everything that was granted is as it was, but for the manifest, of which the entry is known.
fn is_as_granted(kept: &mut KeptGuard) -> bool {
    let granted = &mut kept.guard.handler.granted;
    granted.retain(|stamp| Path::new(&stamp.path) != kept.manifest);
    let known: Vec<PathBuf> = granted.iter().map(|stamp| PathBuf::from(&stamp.path)).collect();
    // Without the manifest its directory is another one; nothing may have come into it.
    for stamp in granted.iter_mut().filter(|stamp| Some(Path::new(&stamp.path)) == kept.manifest.parent()) {
        let is_known = |entry: &fs::DirectoryEntry| {
            let path = Path::new(&stamp.path).join(&entry.name);
            path == kept.manifest || known.contains(&path)
        };
        if fs::list(Path::new(&stamp.path)).is_ok_and(|entries| entries.iter().all(is_known)) {
            stamp.state = stamp::take(Path::new(&stamp.path));
        }
    }
    granted.iter().all(|granted| stamp::take(Path::new(&granted.path)) == granted.state)
}

/// The policy hooks that run, as they are to be recorded.
fn in_force(hooks: &[ActiveHook<'_>], trust: &TrustReport, handlers: &CompiledHandlers) -> Vec<GuardInForce> {
    let mut guards = Vec::new();
    for active in hooks.iter().filter(|active| active.hook.order == HookOrder::Policy) {
        let Some(slot) = active.target().map(|target| target.slot) else { continue };
        let title = active.title();
        let handler = handlers.permitted.iter().find(|(of, handler)| *of == slot && handler.title() == title);
        let (Some((_, handler)), Some(root)) = (handler, root_of(active.source)) else { continue };
        let (agent, event) = match slot {
            PlanSlot::Canonical(event) => (None, event.kebab().to_owned()),
            PlanSlot::Native(agent, event) => (Some(agent), event.to_owned()),
        };
        let guard = RecordedGuard {
            source: active.source.spec.name.clone(),
            path: active.loaded.path.clone(),
            personal: is_personal(active.source.spec.rank),
            granted_as: active.source.trust_rank().needs_grant().then(|| trust.granted_as(active.id)).flatten(),
            agent,
            event,
            handler: handler.clone(),
            conditional: active.is_conditional(),
            scripts: scripts(handler, &handlers.files),
        };
        guards.push(GuardInForce { guard, manifest: root.join(&active.loaded.path) });
    }
    guards
}

/// Picks those of all files that commands name which are the plugin's and which its command names.
fn scripts(handler: &Handler, files: &[(PlanSlot, PathBuf)]) -> Vec<String> {
    let own = files
        .iter()
        .map(|(_, file)| file)
        .filter(|file| !handler.directory.is_empty() && file.starts_with(&handler.directory));
    let own = own.filter(|file| is_named(handler, file)).filter(|file| fs::exists(file));
    own.filter_map(|file| file.to_str().map(str::to_owned)).collect()
}

/// Adds the scripts that were recorded before and that the command still names: they may just be disappearing.
fn keep_scripts(guard: &mut RecordedGuard, recorded: &[RecordedGuard]) {
    let earlier = recorded.iter().filter(|known| known.is_same(guard)).flat_map(|known| &known.scripts);
    let is_lost = |script: &&String| !guard.scripts.contains(script) && is_named(&guard.handler, Path::new(script));
    let lost: Vec<String> = earlier.filter(is_lost).cloned().collect();
    guard.scripts.extend(lost);
}

/// Whether the command of a hook has the name of a file in its words.
fn is_named(handler: &Handler, file: &Path) -> bool {
    let words: Vec<&String> = match &handler.run {
        HandlerAction::Direct { args, .. } => args.iter().collect(),
        HandlerAction::Shell { line, args } => std::iter::once(line).chain(args).collect(),
        HandlerAction::Rtk { .. }
        | HandlerAction::Autofmt(_)
        | HandlerAction::Cargo
        | HandlerAction::Deps
        | HandlerAction::Finish => Vec::new(),
    };
    let name = file.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| words.iter().any(|word| word.contains(name)))
}

/// Finds the recorded policy hooks whose manifests say nothing now, and that are switched on: they are kept.
pub(crate) fn kept_guards(context: &Context, resolution: &Resolution) -> Vec<KeptGuard> {
    let Resolution { catalog, trust, .. } = resolution;
    let choices = context.choices();
    let mut lost = Vec::new();
    for guard in recorded(&context.directories, context.root()) {
        // A project's source may have the name of one of the user's.
        let is_its = |source: &&LoadedSource| {
            source.spec.name == guard.source && is_personal(source.spec.rank) == guard.personal
        };
        let source = catalog.sources.iter().find(is_its);
        let is_granted = guard.granted_as.as_ref().is_none_or(|subject| {
            trust.grants.find(subject).is_some() && context.settings.trust_projects.value != TrustProjects::Never
        });
        let Handler { plugin, name, .. } = &guard.handler;
        let is_on = choices.hook(guard.bringer(source), plugin, name, HookOrder::Policy).is_on();
        let (manifest, loss) = match source.map(|source| (source, root_of(source))) {
            Some((source, Some(root))) => {
                let manifest = root.join(&guard.path);
                let loss = loss(source, &guard, &manifest);
                (manifest, loss)
            }
            // It was not fetched yet.
            Some((_, None)) => (guard.manifest(), Some(ManifestLoss::Broken)),
            None => (guard.manifest(), Some(ManifestLoss::SourceGone)),
        };
        if let Some(loss) = loss.filter(|_| is_granted && is_on) {
            let mut kept = KeptGuard { guard, manifest, loss, standing: GuardStanding::InForce };
            kept.standing = standing(&mut kept);
            lost.push(kept);
        }
    }
    lost
}

/// Picks the recorded policy hooks that are wanted and do not run now, because their grant does not cover what was read:
/// that may have been read while it was being removed. They stay on record, and count again when their manifest is gone.
fn find_withheld(recorded: &[RecordedGuard], hooks: &[ActiveHook<'_>], in_force: &[GuardInForce]) -> Vec<GuardInForce> {
    let is_wanted = |guard: &RecordedGuard| {
        let mut policies = hooks.iter().filter(|active| active.hook.order == HookOrder::Policy);
        policies.any(|active| {
            let slot = active.target().map(|target| target.slot);
            slot == guard.slot() && active.title() == guard.handler.title()
        })
    };
    let is_withheld = |guard: &&RecordedGuard| {
        guard.granted_as.is_some() && is_wanted(guard) && !in_force.iter().any(|known| known.guard.is_same(guard))
    };
    let withheld = recorded.iter().filter(is_withheld);
    withheld.map(|guard| GuardInForce { manifest: guard.manifest(), guard: guard.clone() }).collect()
}

/// Picks the recorded policy hooks that their valid manifests do not have any more.
fn find_withdrawn(recorded: Vec<RecordedGuard>, catalog: &Catalog) -> Vec<RecordedGuard> {
    let is_withdrawn = |guard: &RecordedGuard| {
        let sources = catalog.sources.iter();
        let mut its = sources
            .filter(|source| source.spec.name == guard.source && is_personal(source.spec.rank) == guard.personal);
        its.any(|source| {
            let has_hook = |read: &LoadedPlugin| read.plugin.hooks.iter().any(|hook| hook.name == guard.handler.name);
            let read = source.plugins.iter().find(|plugin| plugin.path == guard.path);
            read.is_some_and(|read| !has_hook(read)) && loss(source, guard, &guard.manifest()).is_none()
        })
    };
    recorded.into_iter().filter(is_withdrawn).collect()
}

/// Tells how the manifest of a policy hook was lost; `None` if it was read and is valid.
fn loss(source: &LoadedSource, guard: &RecordedGuard, manifest: &Path) -> Option<ManifestLoss> {
    let is_faulty = source.findings.faults.iter().any(|fault| manifest.starts_with(&fault.path));
    if source.passed_over.iter().any(|plugin| plugin.path() == guard.path) {
        return None;
    }
    match source.plugins.iter().find(|plugin| plugin.path == guard.path) {
        Some(read) if read.plugin.hooks.iter().any(|hook| hook.name == guard.handler.name) => None,
        // One that says something else on purpose counts; an empty one says nothing.
        Some(read) if !is_faulty && (read.plugin.has_workflow() || !read.skills.is_empty()) => None,
        Some(_) => Some(ManifestLoss::Broken),
        None if is_faulty || fs::exists(manifest) => Some(ManifestLoss::Broken),
        None => Some(ManifestLoss::Gone),
    }
}

/// Keeps releases and writers of plans apart, while there is anything to release. Without a lock they go on.
pub(super) fn lock(directories: &AppDirectories, plans: &PlanSet) -> Option<FileLock> {
    if plans.guards.in_force.is_empty() { None } else { acquire_lock(directories) }
}

/// Finds a policy hook of compiled plans that was released after they were compiled: its manifest is gone, and no record
/// names it.
pub(super) fn find_released<'a>(directories: &AppDirectories, plans: &'a PlanSet) -> Option<&'a Handler> {
    let GuardSet { in_force, kept, .. } = &plans.guards;
    let is_kept = |guard: &RecordedGuard| kept.iter().any(|kept| kept.guard.is_same(guard));
    let is_missing = |guard: &&GuardInForce| is_kept(&guard.guard) || !fs::exists(&guard.manifest);
    let mut missing = in_force.iter().filter(is_missing).peekable();
    missing.peek()?;
    let recorded = recorded(directories, plans.workspace.as_deref().map(Path::new));
    let released = missing.find(|missing| !recorded.iter().any(|known| known.is_same(&missing.guard)));
    released.map(|released| &released.guard.handler)
}

/// Records the policy hooks that are in force.
pub(super) fn write(directories: &AppDirectories, directory: &Path, plans: &PlanSet) -> fs::FsResult<()> {
    let in_force: Vec<RecordedGuard> = plans.guards.in_force.iter().map(|guard| guard.guard.clone()).collect();
    write_everywhere(directories, &in_force, &plans.guards.withdrawn)?;
    write_all(directories, directory, in_force)
}

/// Finds the policy hooks that plans keep although their manifests or sources are gone. A configuration that cannot be
/// read may name a source.
pub(crate) fn find_gone(are_configs_read: bool, plans: &PlanSet) -> Vec<KeptGuard> {
    let is_gone = |kept: &&KeptGuard| match kept.loss {
        ManifestLoss::Broken => false,
        ManifestLoss::Gone => true,
        ManifestLoss::SourceGone => are_configs_read,
    };
    plans.guards.kept.iter().filter(is_gone).cloned().collect()
}

/// Releases policy hooks in every workspace, and reports each in a sentence.
pub(crate) fn release(directories: &AppDirectories, root: Option<&Path>, gone: &[KeptGuard]) -> Vec<String> {
    let is_gone =
        |guard: &RecordedGuard| gone.iter().any(|kept| kept.guard.is_same(guard) && kept.guard.source == guard.source);
    let _held = acquire_lock(directories);
    let plans = directories.plans();
    let here = directory(&directories.cache, root.and_then(Path::to_str));
    for entry in fs::list(&plans).unwrap_or_default() {
        let directory = plans.join(&entry.name);
        let before = read(directories, &directory);
        // A project's own hook is over in that project alone.
        let ends = |guard: &RecordedGuard| is_gone(guard) && (guard.personal || directory == here);
        let left: Vec<RecordedGuard> = before.iter().filter(|guard| !ends(guard)).cloned().collect();
        let is_less = left != before;
        if is_less && write_all(directories, &directory, left).is_ok() && directory != here {
            remove_plans(&directory);
        }
    }
    let sentence = |kept: &KeptGuard| {
        let (title, manifest) = (kept.guard.handler.title(), kept.manifest.display());
        match &kept.standing {
            GuardStanding::InForce | GuardStanding::Changed if kept.loss == ManifestLoss::SourceGone => format!(
                "Policy hook `{title}` is no longer active, because no configuration names its source `{}`",
                kept.guard.source
            ),
            GuardStanding::InForce | GuardStanding::Changed => {
                format!("Policy hook `{title}` is no longer active, because its manifest `{manifest}` is missing")
            }
            // With that it is over, so that there is nothing left to switch off.
            GuardStanding::ScriptGone(script) => {
                format!(
                    "Policy hook `{title}` is no longer active, because its script `{}` is missing",
                    script.display()
                )
            }
        }
    };
    gone.iter().map(sentence).collect()
}

/// Removes plans, so that the next event compiles them anew.
fn remove_plans(directory: &Path) {
    for entry in fs::list(directory).unwrap_or_default() {
        if Path::new(&entry.name).extension().is_some_and(|extension| extension == "json") {
            let _ = fs::remove_file(&directory.join(&entry.name));
        }
    }
}
