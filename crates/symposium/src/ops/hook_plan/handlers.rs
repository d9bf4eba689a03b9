//! From hooks to handlers: what runs on which event, in which order, and what is not run.

use std::path::{Path, PathBuf};

use symposium_model::agent::AgentId;
use symposium_model::catalog::{LoadedPlugin, LoadedSource, PluginId};
use symposium_model::config::SourceRank;
use symposium_model::hook::HookOrder;
use symposium_model::hook::hook_plan::{
    FormattingSettings, Handler, HandlerAction, HandlerIsolation, PathStamp, PlanSlot,
};
use symposium_model::manifest::{CommandSpec, Hook, Installation, Plugin};
use symposium_model::trust::{GrantCoverage, REACH_REMEDY, ReachableFiles, UnknownReach, hook_reach};

use super::command::{self, BUILT_IN, ResolvedCommand};
use super::hooks::{self, ActiveHook, HookTarget};
use super::installed_tools::{self, InstalledTools, MissingTool};
use super::script_modules;
use crate::ops::installations::InstallationPaths;
use crate::ops::trust::command_paths::PathResolver;
use crate::ops::trust::{PendingCommand, PendingReason};

#[derive(Debug, Clone)]
pub(super) struct BuiltinWorkflows {
    /// Commands `rtk` leaves alone.
    pub(super) rtk_exclude: Vec<String>,
    /// Agents that call `rtk` by themselves.
    pub(super) rtk_disabled_for: Vec<AgentId>,
    pub(super) formatting: FormattingSettings,
}

pub(super) struct MachineLookup<'d> {
    /// The directory of a plugin, links resolved; `None` for one that is not on disk.
    pub(super) directory_of: &'d dyn Fn(&LoadedSource, &LoadedPlugin) -> Option<PathBuf>,
    pub(super) workspace: Option<&'d Path>,
    /// The path of something that exists, links resolved.
    pub(super) canonical: &'d dyn Fn(&Path) -> Option<PathBuf>,
    /// Whether something is a file.
    pub(super) is_file: &'d dyn Fn(&Path) -> bool,
    /// Whether a plugin may run what it brings.
    pub(super) leave: &'d dyn Fn(PluginId) -> RunPermission,
    /// Returns the reason why a hook that needs a grant cannot get one.
    pub(super) refusal: &'d dyn Fn(PluginId, &Hook) -> Option<String>,
    pub(super) coverage: &'d dyn Fn(&Path) -> GrantCoverage,
    /// Finds a finished installation of a plugin.
    pub(super) installed: InstallationLookup<'d>,
    /// The agents that have what a hook was made of themselves.
    pub(super) owned: &'d dyn Fn(&ActiveHook<'_>) -> Vec<AgentId>,
    /// The agents on which another plugin of its name does the work of a plugin.
    pub(super) replaced_on: &'d dyn Fn(PluginId) -> Vec<AgentId>,
}

/// Finds the finished installation of a plugin in a directory.
pub(super) type InstallationLookup<'d> = &'d dyn Fn(Option<&Path>, &Installation) -> Option<InstallationPaths>;

/// Whether a plugin may run what it brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RunPermission {
    /// It may, as long as these files are as they were; without any, in every case.
    Given(Vec<PathStamp>),
    /// It has no grant that covers its present content.
    Withheld(PendingReason),
}

#[derive(Debug, Default)]
pub(super) struct CompiledHandlers {
    /// Those that run, with their plans, in the order in which they run.
    pub(super) permitted: Vec<(PlanSlot, Handler)>,
    /// Policies of the user that may count in some workspace, or that the user switched off in this one, with their plans.
    pub(super) unsure: Vec<(PlanSlot, Handler)>,
    /// Those that do not, by title, with their plans.
    pub(super) withheld: Vec<(PlanSlot, String)>,
    /// Those of them that only lack a grant.
    pub(super) awaiting: Vec<PendingCommand>,
    /// Those of them that only wait for an installation, by title, each with what it waits for.
    pub(super) unmade: Vec<(String, String)>,
    /// The user's own that the project switches off, by title.
    pub(super) silenced: Vec<String>,
    /// Files of plugins that they name, with their plans.
    pub(super) files: Vec<(PlanSlot, PathBuf)>,
    /// The manifests of all of them, with their plans.
    pub(super) manifests: Vec<(PlanSlot, PathBuf)>,
    pub(super) warnings: Vec<String>,
    /// Sentences about policy hooks that do not run any more, because their scripts are gone.
    pub(super) ended: Vec<String>,
}

impl CompiledHandlers {
    /// Tells whether a handler that may run does this.
    pub(super) fn has_action(&self, wanted: impl Fn(&HandlerAction) -> bool) -> bool {
        self.permitted.iter().any(|(_, handler)| wanted(&handler.run))
    }

    /// Returns the titles of those that were granted and have changed since.
    pub(super) fn changed(&self) -> Vec<String> {
        let changed = self.awaiting.iter().filter(|pending| pending.reason == PendingReason::Changed);
        changed.map(|pending| pending.title.clone()).collect()
    }

    pub(super) fn withhold(&mut self, slot: PlanSlot, pending: PendingCommand) {
        self.withheld.push((slot, pending.title.clone()));
        if !self.awaiting.iter().any(|known| known.title == pending.title) {
            self.awaiting.push(pending);
        }
    }
}

pub(super) fn sort(
    hooks: &[ActiveHook<'_>],
    workflows: &BuiltinWorkflows,
    disk: &MachineLookup<'_>,
) -> CompiledHandlers {
    let mut hooks = hooks.to_vec();
    hooks.sort_by_key(ActiveHook::rank);
    let mut sorted = CompiledHandlers::default();
    for active in hooks {
        let title = active.title();
        let Some(target) = active.target() else {
            let reason = hooks::never_runs(active.hook).unwrap_or_default();
            sorted.warnings.push(format!("Hook `{title}` never runs: {reason}"));
            continue;
        };
        let manifest = super::manifest_of(active.source, active.loaded);
        sorted.manifests.extend(manifest.map(|manifest| (target.slot, manifest)));
        let directory = (disk.directory_of)(active.source, active.loaded);
        let leave = (disk.leave)(active.id);
        let pending =
            |reason| PendingCommand { reason, title: active.title(), agent: target.agent, plugin: Some(active.id) };
        let places = disk.places(&active, directory.as_deref());
        let installed = |installation: &Installation| (disk.installed)(directory.as_deref(), installation);
        let equipped = match (built_in(&active, workflows), (disk.refusal)(active.id, active.hook)) {
            (_, Some(reason)) => Err(MissingTool::Wrong(reason)),
            (Some(run), None) => run.map(|run| (ResolvedCommand::plain(run), InstalledTools::default())),
            (None, None) => equipped(&active.loaded.plugin, active.hook, places, &installed)
                .and_then(|(resolved, equipment)| Ok((is_what_was_shown(&active, resolved)?, equipment))),
        };
        let (resolved, equipment) = match (equipped, &leave) {
            (Ok(equipped), _) => equipped,
            // An installation without a grant is never made, so the missing grant is the reason to report.
            (Err(MissingTool::Unmade(_)), RunPermission::Withheld(waiting)) => {
                sorted.withhold(target.slot, pending(*waiting));
                continue;
            }
            (Err(lacking), _) => {
                match lacking {
                    MissingTool::Unmade(names) => sorted.unmade.push((title.clone(), names.join("`, `"))),
                    MissingTool::Wrong(reason) => sorted.warnings.push(format!("Hook `{title}` is not run: {reason}")),
                }
                sorted.withheld.push((target.slot, title));
                continue;
            }
        };
        let needs_grant = active.source.trust_rank().needs_grant();
        sorted.warnings.extend(loading_warning(&active));
        let modules = directory.as_deref().map(|directory| {
            if needs_grant {
                let coverage = (disk.coverage)(directory);
                script_modules::of_granted(directory, &resolved.files, coverage, &active.loaded.plugin, active.hook)
            } else {
                script_modules::of_plugin(directory, &resolved.files)
            }
        });
        sorted.files.extend(resolved.files.into_iter().map(|file| (target.slot, file)));
        let granted = match leave {
            RunPermission::Given(granted) => granted,
            RunPermission::Withheld(waiting) => {
                sorted.withhold(target.slot, pending(waiting));
                continue;
            }
        };
        let is_rtk = matches!(resolved.run, HandlerAction::Rtk { .. });
        let mut not_for = if is_rtk { workflows.rtk_disabled_for.clone() } else { (disk.owned)(&active) };
        not_for.extend((disk.replaced_on)(active.id));
        let slot = target.slot;
        let plugin = &active.loaded.plugin.name;
        let InstalledTools { path, variables, .. } = equipment;
        let plain = handler(plugin, active.hook, target, resolved.run, directory.as_deref());
        let isolation = if needs_grant { HandlerIsolation::Workspace } else { plain.isolation };
        // Imported hooks are separate hooks, not one hook in several languages.
        let apart = active.loaded.plugin.imported_from.is_some();
        let guard = active.is_guard();
        let modules = modules.unwrap_or_default();
        let handler = Handler { not_for, guard, apart, granted, path, modules, variables, isolation, ..plain };
        sorted.permitted.push((slot, handler));
    }
    sorted
}

impl MachineLookup<'_> {
    fn places<'p>(&'p self, active: &ActiveHook<'_>, plugin: Option<&'p Path>) -> PathResolver<'p> {
        let workspace = self.workspace.filter(|_| active.source.trust_rank().needs_grant());
        PathResolver { plugin, workspace, canonical: self.canonical, is_file: self.is_file }
    }
}

/// Rejects a command with a word that would be looked up in the agent's working directory, if it needs a grant: only
/// granted files may run.
fn is_what_was_shown(active: &ActiveHook<'_>, resolved: ResolvedCommand) -> Result<ResolvedCommand, MissingTool> {
    match resolved.loose.first() {
        Some(word) if active.source.trust_rank().needs_grant() => Err(MissingTool::Wrong(format!(
            "`{word}` would be resolved in the agent's working directory; write `$SYMPOSIUM_PLUGIN_DIR/{}` for the \
             plugin's file",
            word.trim_start_matches("./")
        ))),
        Some(_) | None => Ok(resolved),
    }
}

/// Warns about a policy hook into which a project can load code.
fn loading_warning(active: &ActiveHook<'_>) -> Option<String> {
    let plugin = &active.loaded.plugin;
    let reach = active.is_guard().then(|| hook_reach(plugin, active.hook, GrantCoverage::Whole))?;
    let ReachableFiles::Unknown(UnknownReach { reason, loads_there: true }) = reach else { return None };
    let title = active.title();
    Some(format!("Hook `{title}` may load code from the agent's working directory: {reason}; {REACH_REMEDY}"))
}

/// Returns the command of a hook, and the tools that it gets from installations.
fn equipped(
    plugin: &Plugin,
    hook: &Hook,
    places: PathResolver<'_>,
    installed: &dyn Fn(&Installation) -> Option<InstallationPaths>,
) -> Result<(ResolvedCommand, InstalledTools), MissingTool> {
    let mut equipment = installed_tools::equipment(plugin, hook, installed)?;
    let resolved = match equipment.run.take() {
        Some(run) => ResolvedCommand { files: std::mem::take(&mut equipment.files), ..command::in_place(run, places) },
        None => command::resolve(&hook.command, places).map_err(MissingTool::Wrong)?,
    };
    Ok((resolved, equipment))
}

/// The handler of a hook its author wants to try: whether it counts here, and who granted it, is not asked.
pub(super) fn on_trial(
    plugin: &Plugin,
    hook: &Hook,
    places: PathResolver<'_>,
    installed: InstallationLookup<'_>,
) -> Result<(PlanSlot, Handler), String> {
    let target = hooks::target(hook).ok_or_else(|| format!("there is no event `{}`", hook.event))?;
    let made = |installation: &Installation| installed(places.plugin, installation);
    let (resolved, equipment) = equipped(plugin, hook, places, &made).map_err(|lacking| match lacking {
        MissingTool::Wrong(reason) => reason,
        MissingTool::Unmade(names) => format!("the installation `{}` is not installed yet", names.join("`, `")),
    })?;
    let InstalledTools { path, variables, .. } = equipment;
    let slot = target.slot;
    let modules =
        places.plugin.map(|directory| script_modules::of_plugin(directory, &resolved.files)).unwrap_or_default();
    let plain = handler(&plugin.name, hook, target, resolved.run, places.plugin);
    Ok((slot, Handler { path, modules, variables, ..plain }))
}

fn handler(plugin: &str, hook: &Hook, target: HookTarget, run: HandlerAction, directory: Option<&Path>) -> Handler {
    Handler {
        matcher: hook.matcher.clone(),
        directory: directory.map(|directory| directory.display().to_string()).unwrap_or_default(),
        agent: target.agent,
        native: target.native,
        format: target.format,
        timeout: hook.timeout,
        on_failure: hook.on_failure,
        isolation: match hook.order {
            HookOrder::Policy => HandlerIsolation::Environment,
            HookOrder::Normal | HookOrder::Rewrite => HandlerIsolation::None,
        },
        ..Handler::new(plugin, &hook.name, run)
    }
}

/// The name of a workflow that is part of the program, when the hook names one and may.
fn built_in_name<'h>(active: &ActiveHook<'h>) -> Option<&'h str> {
    let CommandSpec::Line { line, .. } = &active.hook.command else { return None };
    line.trim().strip_prefix(BUILT_IN).filter(|_| active.source.spec.rank == SourceRank::Builtin)
}

pub(super) fn is_built_in(active: &ActiveHook<'_>, name: &str) -> bool {
    built_in_name(active) == Some(name)
}

fn built_in(active: &ActiveHook<'_>, workflows: &BuiltinWorkflows) -> Option<Result<HandlerAction, MissingTool>> {
    let name = built_in_name(active)?;
    Some(match name {
        "rtk" => Ok(HandlerAction::Rtk { exclude: workflows.rtk_exclude.clone() }),
        "autofmt" => Ok(HandlerAction::Autofmt(workflows.formatting.clone())),
        "cargo" => Ok(HandlerAction::Cargo),
        "deps" => Ok(HandlerAction::Deps),
        "finish" => Ok(HandlerAction::Finish),
        _ => Err(MissingTool::Wrong(format!("there is no built-in workflow `{name}`"))),
    })
}

#[cfg(test)]
#[path = "handlers_tests.rs"]
mod tests;
