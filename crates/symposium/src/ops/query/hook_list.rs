//! Every hook that could run here, and why it does or does not.

use std::path::Path;

use symposium_agents::{dialect, spec};
use symposium_hook::{HandlerEnd, HandlerRun, LogEntry};
use symposium_io::fs;
use symposium_model::agent::AgentId;
use symposium_model::authority::{OffReason, ToggleState};
use symposium_model::catalog::{LoadedPlugin, LoadedSource};
use symposium_model::evaluate::{ConditionFacts, Verdict};
use symposium_model::explain;
use symposium_model::hook::HookEvent;
use symposium_model::hook::hook_plan::HandlerAction;
use symposium_model::manifest::Hook;
use symposium_model::select::{PluginVerdict, evaluate_for};

use super::extension_state::ExtensionState::{Blocked, Candidate, Conflict, Off, On, Untrusted};
use super::extension_state::{ExtensionState, StateReport};
use super::hook_log::HookLog;
use crate::ops::catalog;
use crate::ops::context::Context;
use crate::ops::hook_plan::kept_guards::KeptGuard;
use crate::ops::hook_plan::{self, PlanSet};
use crate::ops::resolve::Resolution;
use crate::ops::rtk;
use crate::ops::trust::PendingReason;

#[derive(Debug)]
pub(crate) struct ListedHook {
    pub(crate) plugin: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) event: String,
    pub(crate) matcher: String,
    pub(crate) source: String,
    /// Its state, with the reason if it is not simply on.
    pub(crate) report: StateReport,
    pub(crate) last: Option<LastRun>,
}

#[derive(Debug)]
pub(crate) struct LastRun {
    /// In milliseconds since 1970.
    pub(crate) time: u64,
    pub(crate) agent: String,
    pub(crate) event: String,
    pub(crate) ran: HandlerRun,
}

/// Every hook of every source, in their order.
pub(crate) fn rows(context: &Context, resolution: &Resolution, trail: &HookLog) -> Vec<ListedHook> {
    let Resolution { catalog, selection, trust, .. } = resolution;
    let plans = hook_plan::compile(context, resolution);
    let unread = context.unread_switches();
    let mut rows = Vec::new();
    catalog::with_facts(context, catalog, resolution.crates(), |facts| {
        let of_unread_lock = hook_plan::hooks::of_unread_lock(resolution, facts, &context.choices());
        for verdict in &selection.plugins {
            let Some((source, loaded)) = catalog.plugin(verdict.id) else { continue };
            let winner = verdict.gives_way_to().and_then(|winner| catalog.plugin(winner));
            let winner = winner.map(|(_, winner)| winner.shown.as_str());
            let plugin = ListedPlugin { source, loaded, verdict, winner, waiting: trust.waiting(verdict.id) };
            for (position, hook) in loaded.plugin.hooks.iter().enumerate() {
                let last = last_run(context.root(), trail, &format!("{}/{}", loaded.plugin.name, hook.name));
                let mut report = state(context, &plugin, hook, facts, &plans, last.as_ref());
                // What is off here does not depend on a switch: its conditions do not hold.
                if let Some(file) = unread.filter(|_| report.state != Off && report.depends_on_switch()) {
                    report = StateReport::unknown(file);
                }
                if of_unread_lock.iter().any(|active| active.id == verdict.id && active.position == position) {
                    let reason = "Cargo.lock cannot be read, so its conditions are unknown; until then it runs";
                    report = StateReport::new(ExtensionState::Unknown, reason);
                }
                rows.push(ListedHook {
                    plugin: loaded.plugin.name.clone(),
                    name: hook.name.clone(),
                    description: hook.description.clone(),
                    event: hook.event.to_string(),
                    matcher: hook.matcher.to_string(),
                    source: source.spec.name.clone(),
                    report,
                    last,
                });
            }
        }
    });
    rows.extend(plans.guards.kept.iter().map(|kept| kept_row(context.root(), kept, trail)));
    rows
}

/// A policy hook that was in force, and has lost its manifest.
fn kept_row(root: Option<&Path>, kept: &KeptGuard, trail: &HookLog) -> ListedHook {
    let KeptGuard { guard, .. } = kept;
    ListedHook {
        plugin: guard.handler.plugin.clone(),
        name: guard.handler.name.clone(),
        description: None,
        event: guard.event_name(),
        matcher: guard.handler.matcher.to_string(),
        source: guard.source.clone(),
        report: StateReport::of_kept_guard(kept),
        last: last_run(root, trail, &guard.handler.title()),
    }
}

struct ListedPlugin<'c> {
    source: &'c LoadedSource,
    loaded: &'c LoadedPlugin,
    verdict: &'c PluginVerdict,
    /// The plugin of its name that is taken instead.
    winner: Option<&'c str>,
    waiting: Option<PendingReason>,
}

/// The first thing that keeps it from running.
fn state(
    context: &Context,
    plugin: &ListedPlugin<'_>,
    hook: &Hook,
    facts: &ConditionFacts<'_>,
    plans: &PlanSet,
    last: Option<&LastRun>,
) -> StateReport {
    let rank = plugin.source.spec.rank;
    let title = format!("{}/{}", plugin.loaded.plugin.name, hook.name);
    let name = &plugin.loaded.plugin.name;
    // What has lost its name cannot be switched by it.
    if let Some(winner) = plugin.winner.filter(|_| plugin.verdict.verdict.holds && !plugin.verdict.is_candidate()) {
        return StateReport::new(Conflict, format!("not used, because another plugin has the same name: {winner}"));
    }
    let (choices, by) = (context.choices(), plugin.source.spec.bringer());
    if let ToggleState::Off(reason) = choices.hook(by, name, &hook.name, hook.order)
        && context.unread_switches().is_none()
    {
        let switch = if choices.plugin(by, name).is_on() { &title } else { name };
        return StateReport::new(Off, why_off(reason, switch));
    }
    let own = evaluate_for(&hook.conditions, facts, rank, hook.order);
    for verdict in [&plugin.verdict.verdict, &own] {
        if !verdict.holds {
            return StateReport::new(Off, failed(verdict));
        }
    }
    if plugin.verdict.is_candidate() {
        let krate = plugin.source.krate().map_or(name.clone(), |place| place.name.to_string());
        let reason = format!("shipped by {krate} and not switched on; run `symposium on {krate}` to switch it on");
        return StateReport::new(Candidate, reason);
    }
    if let Some(reason) = hook_plan::never_runs(hook) {
        return StateReport::new(Blocked, format!("it never runs: {reason}"));
    }
    let agents = context.agents();
    let raises = |agent: &AgentId| match &hook.event {
        HookEvent::Canonical(event) => dialect(*agent).events.native_name(*event).is_some(),
        HookEvent::Native { .. } => true,
    };
    if !agents.is_empty() && !agents.iter().any(raises) {
        return StateReport::new(Off, format!("no agent here has the event `{}`", hook.event));
    }
    if let Some(only) = hook.only_agent().filter(|only| !agents.is_empty() && !agents.contains(only)) {
        let names: Vec<&str> = agents.iter().map(|agent| agent.name()).collect();
        return StateReport::new(Off, format!("it is for {only}, and the agents here are {}", names.join(", ")));
    }
    // Only of the plugin that is meant: names are its own.
    if plans.files.iter().any(|(_, plan)| plan.withheld.contains(&title)) {
        return withheld(plugin, plans, &title);
    }
    if let Some(report) = absent_program(plugin, hook, plans) {
        return report;
    }
    if let Some(trouble) = last.and_then(|last| trouble(&last.ran)) {
        return StateReport { state: On, cause: Some("failed"), reason: trouble };
    }
    let mut owners = owners(plugin, hook, plans);
    owners.retain(|owner| agents.is_empty() || agents.contains(owner));
    if owners.is_empty() {
        return StateReport::new(On, "");
    }
    let titles: Vec<&str> = owners.iter().map(|agent| spec(*agent).title).collect();
    let (verb, them) = if titles.len() == 1 {
        ("runs it from its own settings", "it")
    } else {
        ("run it from their own settings", "them")
    };
    let reason = format!("{} {verb}, so Symposium does not run it for {them}", titles.join(", "));
    // If all agents run the original, the hook is off until one of them no longer does.
    let waits = !agents.is_empty() && agents.iter().all(|agent| owners.contains(agent));
    StateReport::new(if waits { Off } else { On }, reason)
}

fn withheld(plugin: &ListedPlugin<'_>, plans: &PlanSet, title: &str) -> StateReport {
    if let Some((_, installation)) = plans.unmade.iter().find(|(unmade, _)| unmade == title) {
        let reason = format!("it needs the installation `{installation}`; run `symposium sync --yes` to install it");
        return StateReport::new(Blocked, reason);
    }
    let mark = format!("Hook `{title}` is not run: ");
    match plans.warnings.iter().find_map(|warning| warning.strip_prefix(&mark)) {
        Some(reason) => StateReport::new(Blocked, reason),
        None if plugin.waiting == Some(PendingReason::Never) => {
            let reason = "projects may not run programs: `[trust] projects = \"never\"` is set in your configuration";
            StateReport::new(Untrusted, reason)
        }
        None => StateReport::new(Untrusted, "its command is not granted; run `symposium trust` to review it"),
    }
}

fn absent_program(plugin: &ListedPlugin<'_>, hook: &Hook, plans: &PlanSet) -> Option<StateReport> {
    let mut all = plans.files.iter().flat_map(|(_, plan)| &plan.handlers);
    let handler = all.find(|handler| handler.plugin == plugin.loaded.plugin.name && handler.name == hook.name)?;
    let program = match &handler.run {
        HandlerAction::Direct { program, .. } => program,
        HandlerAction::Rtk { .. } => {
            let cause = Some(rtk::NOT_FOUND);
            return rtk::absence().map(|reason| StateReport { state: Off, cause, reason });
        }
        HandlerAction::Shell { .. }
        | HandlerAction::Autofmt(_)
        | HandlerAction::Cargo
        | HandlerAction::Deps
        | HandlerAction::Finish => return None,
    };
    let file = Path::new(program);
    if !file.is_absolute() {
        return None;
    }
    if !fs::exists(file) {
        return Some(StateReport::new(Blocked, format!("its command cannot be started: `{program}` does not exist")));
    }
    (cfg!(unix) && !fs::is_executable(file)).then(|| {
        let why = format!("`{program}` is not executable; run `chmod +x` on it");
        StateReport::new(Blocked, format!("its command cannot be started: {why}"))
    })
}

/// The agents that have what an imported hook was made of themselves.
fn owners(plugin: &ListedPlugin<'_>, hook: &Hook, plans: &PlanSet) -> Vec<AgentId> {
    let all = plans.files.iter().flat_map(|(_, plan)| &plan.handlers);
    let own = all.filter(|handler| handler.plugin == plugin.loaded.plugin.name && handler.name == hook.name);
    let own = own.filter(|_| plugin.loaded.plugin.imported_from.is_some());
    own.flat_map(|handler| handler.not_for.iter().copied()).collect()
}

/// Explains why a hook is off; `switch` is what has to be switched on.
fn why_off(by: OffReason, switch: &str) -> String {
    let reason = match by {
        OffReason::NotYetOn => "off by default",
        OffReason::Project => "switched off in `.symposium/config.toml`",
        OffReason::User => "you switched it off in this workspace",
    };
    format!("{reason}; run `symposium on {switch}` to switch it on")
}

fn failed(verdict: &Verdict) -> String {
    let reasons: Vec<String> = verdict.checks.iter().filter(|check| !check.holds).map(explain::sentence).collect();
    if reasons.is_empty() { "its conditions do not hold".to_owned() } else { reasons.join("; ") }
}

/// Describes the failure of a hook's last run. The exit codes 0 and 2 are answers.
fn trouble(ran: &HandlerRun) -> Option<String> {
    match ran.ended() {
        HandlerEnd::Killed => Some("it timed out".to_owned()),
        HandlerEnd::NotStarted => {
            Some("its command could not be started; run `symposium hook log` for the reason".to_owned())
        }
        HandlerEnd::Signal(signal) => Some(format!("it was ended by {signal}")),
        HandlerEnd::Exit(0 | 2) | HandlerEnd::Rewritten | HandlerEnd::Other => None,
        HandlerEnd::Exit(code) => Some(format!("it ended with exit code {code}")),
    }
}

/// The newest run of a hook in this workspace.
fn last_run(root: Option<&Path>, trail: &HookLog, title: &str) -> Option<LastRun> {
    let here = root.map(|root| root.display().to_string());
    let in_workspace = |entry: &&LogEntry| entry.workspace == here;
    trail.events.iter().rev().filter(in_workspace).find_map(|entry| {
        let ran = entry.handlers.iter().rev().find(|ran| ran.name == title)?;
        Some(LastRun { time: entry.time, agent: entry.agent.clone(), event: entry.event.clone(), ran: ran.clone() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ends_that_mean_nothing_are_trouble() {
        for (end, fine) in [
            ("0", true),
            ("2", true),
            ("rewritten", true),
            ("1", false),
            ("127", false),
            ("signal 9", false),
            ("killed", false),
            ("not started", false),
        ] {
            let ran = HandlerRun { end: end.to_owned(), ..HandlerRun::default() };
            assert_eq!(trouble(&ran).is_none(), fine, "{end}");
        }
    }
}
