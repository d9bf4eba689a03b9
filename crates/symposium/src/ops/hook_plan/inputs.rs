//! Everything a plan is compiled from, as it is now: what changes in it makes the plan stale.

use std::path::{Path, PathBuf};

use symposium_io::cargo::WorkspaceCrates;
use symposium_io::{clock, fs};
use symposium_model::agent::AgentId;
use symposium_model::config::{Scope, SourceKind};
use symposium_model::hook::hook_plan::{Handler, HandlerAction, PathStamp};

use super::formatting;
use super::handlers::CompiledHandlers;
use super::input_stamps::{EventFiles, InputStamps};
use super::native_overrides::NativeOverrides;
use super::permissions::{CommandPermissions, may_rewrite};
use super::registrations::settings_files;
use super::stamp::{self, WatchList};
use crate::ops::agent_paths::AgentRoots;
use crate::ops::catalog::{crate_plugins, workspace_skills};
use crate::ops::context::Context;
use crate::ops::lockfile_state::lock_path;
use crate::ops::resolve::Resolution;

/// The agents whose settings register Symposium or contain originals of imported hooks.
pub(super) struct SettingsReaders<'c> {
    pub(super) registered: &'c [AgentId],
    pub(super) agents: &'c [AgentId],
    pub(super) overrides: &'c NativeOverrides,
    pub(super) permissions: &'c CommandPermissions,
}

impl SettingsReaders<'_> {
    fn watch(&self, roots: AgentRoots<'_>, watched: &mut WatchList<PathStamp>) {
        // The registrations in these files decide which agents call Symposium.
        let callers = settings_files(roots, self.registered);
        watched.always.extend(callers.iter().filter(|file| fs::exists(file)).filter_map(|file| stamp::taken(file)));
        let at_start = settings_files(roots, self.agents);
        watched.at_start.extend(at_start.iter().filter_map(|file| stamp::taken(file)));
        watched.always.extend(self.overrides.decisive.iter().filter_map(|file| stamp::taken(file)));
        watched.at_start.extend(self.overrides.others.iter().filter_map(|file| stamp::taken(file)));
    }

    /// Watches the decisive files with permission rules on every event if the `rtk` workflow rewrites commands, and
    /// otherwise, like the other such files, at session start.
    fn watch_rules(&self, handlers: &CompiledHandlers, watched: &mut WatchList<PathStamp>) {
        let CommandPermissions { decisive, others, .. } = self.permissions;
        let is_rtk = |handler: &Handler| matches!(handler.run, HandlerAction::Rtk { .. }) && may_rewrite(handler);
        let rewrites = handlers.permitted.iter().any(|(_, handler)| is_rtk(handler));
        let at_once = if rewrites { &mut watched.always } else { &mut watched.at_start };
        let unknown = decisive.iter().filter_map(|file| stamp::taken(file));
        let unknown: Vec<PathStamp> =
            unknown.filter(|stamp| !at_once.iter().any(|known| known.path == stamp.path)).collect();
        at_once.extend(unknown);
        watched.at_start.extend(others.iter().filter_map(|file| stamp::taken(file)));
    }
}

/// Everything a plan was compiled from, as it is now.
pub(super) fn files(
    context: &Context,
    resolution: &Resolution,
    handlers: &CompiledHandlers,
    callers: &SettingsReaders<'_>,
) -> InputStamps {
    let Resolution { workspace, catalog, selection, trust, .. } = resolution;
    let named: Vec<PathBuf> = handlers.files.iter().chain(&handlers.manifests).map(|(_, file)| file.clone()).collect();
    let mut files = stamp::plugin_files(context.root(), catalog, selection, &named);
    // Dependencies change with Cargo.lock, which is looked at apart; the root's manifest has what is not in there.
    files.always.extend(context.root().map(|root| cargo_root(root, workspace.as_ref()).join("Cargo.toml").into()));
    // What is fetched later, in the background or for another project, is found by the next session; so is what cargo
    // fetches, which may carry plugins.
    let unfetched = catalog.sources.iter().filter(|source| source.copy.is_none());
    let unfetched = unfetched.filter_map(|source| match &source.spec.kind {
        SourceKind::Git { address, .. } => Some(context.git_cache().record(address)),
        SourceKind::Index { address, .. } => Some(context.index_cache().record_path(address, context.root())),
        SourceKind::Embedded
        | SourceKind::UserPlugins(_)
        | SourceKind::Path(_)
        | SourceKind::Crate(_)
        | SourceKind::Workspace(_) => None,
    });
    let awaited = crate_plugins::awaited(context, resolution.crates());
    let root = context.root().filter(|_| context.settings.workspace.value);
    let own = workspace_skills::watched_places(root, resolution.crates());
    files.at_start.extend(unfetched.chain(awaited).chain(own).map(stamp::StampedFile::from));
    let mut watched = stamp::taken_after_reading(files, context.started, clock::precisely());
    // These are as they were read or written, unless another program wrote them meanwhile.
    let of_user = Some((context.directories.config_file(), context.user_text.clone()));
    let of_project = context.config_file(Scope::Project).map(|file| (file, context.project_text.clone()));
    let own = context.own_file().map(|file| (file, context.own_text.clone()));
    let configs = [of_user, of_project, own].into_iter().flatten();
    let configs = configs.filter_map(|(file, text)| stamp::taken_with(&file, text.as_deref()));
    watched.always.splice(..0, configs);
    // A directory that does not count now may be given back to the user.
    watched.always.extend(context.ignored_project().and_then(|path| stamp::taken(&path)));
    // What a grant covers is looked at on every event: when it changed, whether it still fits is found out at once.
    for stamp in trust.all_granted_files() {
        watched.always.retain(|known| known.path != stamp.path);
        watched.always.push(stamp.clone());
    }
    watched.always.extend(trust.store_if_asked().cloned());
    // Which content of the sources counts may change with what others commit.
    watched.at_start.extend(context.root().and_then(|root| stamp::taken(&lock_path(root))));
    let formats = handlers.permitted.iter().any(|(_, handler)| matches!(handler.run, HandlerAction::Autofmt(_)));
    let toolchains = if formats { formatting::decisive(trust.granted_channel()) } else { Vec::new() };
    watched.at_start.extend(toolchains.iter().filter_map(|file| stamp::taken(file)));
    callers.watch(context.roots(), &mut watched);
    callers.watch_rules(handlers, &mut watched);
    let of_plugins = EventFiles::of_plugins(catalog, selection, handlers);
    InputStamps::gather(watched, catalog, &context.directories.config, &of_plugins)
}

/// The lock file of cargo, which is looked at apart.
pub(super) fn cargo_lock(root: &Path, started: i64, crates: &WorkspaceCrates) -> Option<PathStamp> {
    let stamp = stamp::taken(&cargo_root(root, Some(crates)).join("Cargo.lock"))?;
    Some(stamp::doubted(stamp, started, clock::precisely()))
}

/// Cargo's own root, which may lie above the workspace.
fn cargo_root<'r>(root: &'r Path, crates: Option<&'r WorkspaceCrates>) -> &'r Path {
    crates.and_then(|workspace| workspace.cargo_root.as_deref()).unwrap_or(root)
}
