//! From hooks to handlers: what runs on which event, in which order, and what is not run.

use std::path::{Path, PathBuf};

use symposium_model::agent::AgentId;
use symposium_model::catalog::{LoadedPlugin, Source};
use symposium_model::config::SourceRank;
use symposium_model::hook::plan::{Formatting, Handler, Run};
use symposium_model::manifest::{Command, Hook};

use super::command::{self, BUILT_IN, Resolved};
use super::hooks::{ActiveHook, Slot};

/// What the built-in workflows do here.
#[derive(Debug, Clone)]
pub(super) struct Workflows {
    /// Commands `rtk` leaves alone.
    pub(super) rtk_exclude: Vec<String>,
    /// Agents that call `rtk` by themselves.
    pub(super) rtk_stands_down_for: Vec<AgentId>,
    /// How the workspace is formatted.
    pub(super) formatting: Formatting,
}

/// What can be found out on this machine.
pub(super) struct Disk<'d> {
    /// The directory of a plugin, links resolved; `None` for one that is not on disk.
    pub(super) directory_of: &'d dyn Fn(&Source, &LoadedPlugin) -> Option<PathBuf>,
    /// The path of something that exists, links resolved.
    pub(super) canonical: &'d dyn Fn(&Path) -> Option<PathBuf>,
}

/// What becomes of all hooks.
#[derive(Debug, Default)]
pub(super) struct Handlers {
    /// Those that run, with their plans, in the order in which they run.
    pub(super) permitted: Vec<(Slot, Handler)>,
    /// Those that do not, by title, with their plans.
    pub(super) withheld: Vec<(Slot, String)>,
    /// Those of them that only wait for somebody to grant them, by title.
    pub(super) awaiting: Vec<String>,
    /// Files of plugins that they name.
    pub(super) files: Vec<PathBuf>,
    /// What the person should know.
    pub(super) warnings: Vec<String>,
}

/// Whether a hook may run: the one place that asks.
pub(super) fn permitted(source: &Source, _plugin: &LoadedPlugin, _hook: &Hook) -> bool {
    !source.spec.rank.needs_grant()
}

/// Sorts hooks into handlers.
pub(super) fn sort(hooks: &[ActiveHook<'_>], workflows: &Workflows, disk: &Disk<'_>) -> Handlers {
    let mut hooks = hooks.to_vec();
    hooks.sort_by_key(ActiveHook::rank);
    let mut sorted = Handlers::default();
    for active in hooks {
        let title = active.title();
        let Some(target) = active.target() else {
            let event = &active.hook.event;
            sorted.warnings.push(format!("Hook `{title}` never runs: there is no event `{event}`"));
            continue;
        };
        let directory = (disk.directory_of)(active.source, active.loaded);
        let resolved = match built_in(&active, workflows) {
            Some(run) => run.map(|run| Resolved { run, files: Vec::new() }),
            None => command::resolve(&active.hook.command, directory.as_deref(), disk.canonical),
        };
        let resolved = match resolved {
            Ok(resolved) => resolved,
            Err(reason) => {
                sorted.warnings.push(format!("Hook `{title}` is not run: {reason}"));
                sorted.withheld.push((target.slot, title));
                continue;
            }
        };
        sorted.files.extend(resolved.files);
        if !permitted(active.source, active.loaded, active.hook) {
            if !sorted.awaiting.contains(&title) {
                sorted.awaiting.push(title.clone());
            }
            sorted.withheld.push((target.slot, title));
            continue;
        }
        let not_for = match &resolved.run {
            Run::Rtk { .. } => workflows.rtk_stands_down_for.clone(),
            Run::Direct { .. } | Run::Shell { .. } | Run::Autofmt(_) => Vec::new(),
        };
        let handler = Handler {
            plugin: active.loaded.plugin.name.clone(),
            name: active.hook.name.clone(),
            matcher: active.hook.matcher.clone(),
            run: resolved.run,
            directory: directory.map(|directory| directory.display().to_string()).unwrap_or_default(),
            agent: target.agent,
            not_for,
            native: target.native,
            format: target.format,
            timeout: active.hook.timeout,
            on_failure: active.hook.on_failure,
            path: Vec::new(),
            variables: Vec::new(),
            granted: Vec::new(),
        };
        sorted.permitted.push((target.slot, handler));
    }
    sorted
}

/// A workflow that is part of the program, when the hook names one and may.
fn built_in(active: &ActiveHook<'_>, workflows: &Workflows) -> Option<Result<Run, String>> {
    let Command::Line { line, .. } = &active.hook.command else { return None };
    let name = line.trim().strip_prefix(BUILT_IN).filter(|_| active.source.spec.rank == SourceRank::Builtin)?;
    Some(match name {
        "rtk" => Ok(Run::Rtk { exclude: workflows.rtk_exclude.clone() }),
        "autofmt" => Ok(Run::Autofmt(workflows.formatting.clone())),
        _ => Err(format!("there is no built-in workflow `{name}`")),
    })
}

#[cfg(test)]
#[path = "handlers_tests.rs"]
mod tests;
