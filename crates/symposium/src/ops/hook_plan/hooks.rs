//! Finds the hooks that apply in a workspace, and the events that they need.

use symposium_agents::{AgentEvent, dialect};
use symposium_model::agent::AgentId;
use symposium_model::authority::{OffReason, ToggleState, WorkspaceToggles, is_personal, is_user_policy};
use symposium_model::catalog::{Catalog, LoadedPlugin, LoadedSource, PluginId};
use symposium_model::crates::CargoLockState;
use symposium_model::evaluate::{ConditionFacts, may_hold};
use symposium_model::hook::hook_plan::PlanSlot;
use symposium_model::hook::{Event, HookEvent, HookOrder, PayloadFormat};
use symposium_model::manifest::Hook;
use symposium_model::select::{Selection, evaluate_for};

use crate::ops::resolve::Resolution;

/// A hook whose plugin is active, whose own conditions hold and which is not switched off.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ActiveHook<'c> {
    pub(crate) source: &'c LoadedSource,
    pub(crate) loaded: &'c LoadedPlugin,
    pub(crate) hook: &'c Hook,
    pub(crate) id: PluginId,
    pub(crate) position: usize,
}

/// The plan that a hook belongs to, and the properties that follow from the notation of its event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HookTarget {
    pub(crate) slot: PlanSlot,
    pub(crate) agent: Option<AgentId>,
    /// That agent's own event, when the manifest names it so.
    pub(crate) native: Option<String>,
    pub(crate) format: PayloadFormat,
}

impl ActiveHook<'_> {
    /// Returns true if it applies only to some workspaces.
    pub(crate) fn is_conditional(&self) -> bool {
        !(self.loaded.plugin.conditions.is_empty() && self.hook.conditions.is_empty())
    }

    pub(crate) fn title(&self) -> String {
        format!("{}/{}", self.loaded.plugin.name, self.hook.name)
    }

    /// Returns the sort key of hooks of one event. The user's policies come first, because other hooks could use up the
    /// time.
    pub(super) fn rank(&self) -> (HookOrder, bool, PluginId, usize) {
        (self.hook.order, !self.is_guard(), self.id, self.position)
    }

    /// Whether it is a policy of the user, which no project can change.
    pub(super) fn is_guard(&self) -> bool {
        is_user_policy(self.source.spec.rank, self.hook.order)
    }

    /// Returns the plan it belongs to; `None` for an event that its agent does not have.
    pub(crate) fn target(&self) -> Option<HookTarget> {
        target(self.hook)
    }
}

/// Returns the plan that a hook belongs to; `None` for an event that its agent does not have.
pub(super) fn target(hook: &Hook) -> Option<HookTarget> {
    if never_runs(hook).is_some() {
        return None;
    }
    let Hook { agent, format, .. } = *hook;
    match &hook.event {
        HookEvent::Canonical(event) => {
            Some(HookTarget { slot: PlanSlot::Canonical(*event), agent, native: None, format })
        }
        HookEvent::Native { agent: of, event } => {
            let slot = match dialect(*of).event_from(event)? {
                AgentEvent::Native(name) => PlanSlot::Native(*of, name),
                AgentEvent::Canonical(event) => PlanSlot::Canonical(event),
                AgentEvent::ToolFailed => PlanSlot::Canonical(Event::PostToolUse),
            };
            // It gets that agent's JSON as it is.
            let format = PayloadFormat::Agent(*of);
            Some(HookTarget { slot, agent: Some(*of), native: Some(event.clone()), format })
        }
    }
}

/// Returns the reason why a hook never runs: its agent lacks the event, or the event is not offered.
pub(crate) fn never_runs(hook: &Hook) -> Option<String> {
    let only = match &hook.event {
        HookEvent::Canonical(event) => hook.agent.filter(|agent| dialect(*agent).events.native_name(*event).is_none()),
        HookEvent::Native { agent: of, event } => {
            if let Some(why) = dialect(*of).why_withheld(event) {
                return Some(format!("`{}` is not supported: {why}", hook.event));
            }
            let raised = dialect(*of).event_from(event).and_then(|meant| dialect(*of).name_of(meant)).is_some();
            hook.agent.filter(|agent| agent != of).or((!raised).then_some(*of))
        }
    };
    only.map(|agent| format!("{agent} has no event `{}`", hook.event))
}

/// The hooks that count, in the order of the catalog.
pub(crate) fn active<'c>(
    catalog: &'c Catalog,
    selection: &Selection,
    facts: &ConditionFacts<'_>,
    choices: &WorkspaceToggles<'_>,
) -> Vec<ActiveHook<'c>> {
    with_switches(catalog, selection, facts, choices)
        .filter(|(_, switched)| switched.is_on())
        .map(|(hook, _)| hook)
        .collect()
}

/// The policies of the user that count but for the user's own word, in the order of the catalog.
pub(super) fn switched_off<'c>(
    catalog: &'c Catalog,
    selection: &Selection,
    facts: &ConditionFacts<'_>,
    choices: &WorkspaceToggles<'_>,
) -> Vec<ActiveHook<'c>> {
    with_switches(catalog, selection, facts, choices)
        .filter(|(hook, switched)| hook.is_guard() && *switched == ToggleState::Off(OffReason::User))
        .map(|(hook, _)| hook)
        .collect()
}

/// The titles of the user's own hooks that the project switches off, and that would count otherwise.
pub(super) fn silenced(
    catalog: &Catalog,
    selection: &Selection,
    facts: &ConditionFacts<'_>,
    choices: &WorkspaceToggles<'_>,
) -> Vec<String> {
    let all = with_switches(catalog, selection, facts, choices);
    let silenced = all.filter(|(hook, switched)| {
        is_personal(hook.source.spec.rank) && *switched == ToggleState::Off(OffReason::Project)
    });
    let mut titles: Vec<String> = silenced.map(|(hook, _)| hook.title()).collect();
    for verdict in &selection.plugins {
        // A source that the project leaves out gives its names to the project's plugins.
        let winner = verdict.gives_way_to().and_then(|id| catalog.plugin(id));
        let Some((source, loaded)) = catalog.plugin(verdict.id) else { continue };
        if is_personal(source.spec.rank) && winner.is_some_and(|(winner, _)| !is_personal(winner.spec.rank)) {
            titles.extend(loaded.plugin.hooks.iter().map(|hook| format!("{}/{}", loaded.plugin.name, hook.name)));
        }
    }
    titles
}

/// Every hook of an active plugin whose own conditions hold, and whether it is on.
fn with_switches<'c>(
    catalog: &'c Catalog,
    selection: &Selection,
    facts: &ConditionFacts<'_>,
    choices: &WorkspaceToggles<'_>,
) -> impl Iterator<Item = (ActiveHook<'c>, ToggleState)> {
    let active = selection.plugins.iter().filter(|verdict| verdict.is_active());
    active.filter_map(|verdict| Some((verdict.id, catalog.plugin(verdict.id)?))).flat_map(
        move |(id, (source, loaded))| {
            let plugin = &loaded.plugin;
            let hooks = plugin.hooks.iter().enumerate();
            let counts = move |hook: &Hook| evaluate_for(&hook.conditions, facts, source.spec.rank, hook.order).holds;
            hooks.filter(move |(_, hook)| counts(hook)).map(move |(position, hook)| {
                let switched = choices.hook(source.spec.bringer(), &plugin.name, &hook.name, hook.order);
                (ActiveHook { source, loaded, hook, id, position }, switched)
            })
        },
    )
}

/// The policies of the user that do not count here and may count in some workspace, in the order of the catalog.
pub(crate) fn unsure<'c>(
    catalog: &'c Catalog,
    selection: &Selection,
    facts: &ConditionFacts<'_>,
    choices: &WorkspaceToggles<'_>,
) -> Vec<ActiveHook<'c>> {
    let mut hooks = Vec::new();
    for verdict in selection.plugins.iter().filter(|verdict| !verdict.is_candidate()) {
        let Some((source, loaded)) = catalog.plugin(verdict.id) else { continue };
        let rank = source.spec.rank;
        for (position, hook) in loaded.plugin.hooks.iter().enumerate() {
            let active = ActiveHook { source, loaded, hook, id: verdict.id, position };
            let switched = choices.hook(source.spec.bringer(), &loaded.plugin.name, &hook.name, hook.order);
            let levels = [&loaded.plugin.conditions, &hook.conditions];
            let counts = verdict.is_active() && evaluate_for(&hook.conditions, facts, rank, hook.order).holds;
            if active.is_guard() && switched.is_on() && !counts && levels.iter().all(|level| may_hold(level, facts.env))
            {
                hooks.push(active);
            }
        }
    }
    hooks
}

/// The hooks that count, and those of which nothing can be known while Cargo.lock cannot be read.
pub(super) fn in_force<'c>(
    resolution: &'c Resolution,
    facts: &ConditionFacts<'_>,
    choices: &WorkspaceToggles<'_>,
) -> Vec<ActiveHook<'c>> {
    let mut hooks = active(&resolution.catalog, &resolution.selection, facts, choices);
    hooks.extend(of_unread_lock(resolution, facts, choices));
    hooks
}

/// The policies of the user that may count for locked versions that cannot be read: until then they do.
pub(crate) fn of_unread_lock<'c>(
    resolution: &'c Resolution,
    facts: &ConditionFacts<'_>,
    choices: &WorkspaceToggles<'_>,
) -> Vec<ActiveHook<'c>> {
    if resolution.crates().is_none_or(|crates| crates.lock() != CargoLockState::Broken) {
        return Vec::new();
    }
    unsure(&resolution.catalog, &resolution.selection, facts, choices)
}

/// The events that have to be registered for these hooks besides the usual ones, in words of `hook AGENT EVENT`.
pub(crate) fn extra_events(hooks: &[ActiveHook<'_>]) -> Vec<(AgentId, String)> {
    let mut events: Vec<(AgentId, String)> = Vec::new();
    for target in hooks.iter().filter_map(ActiveHook::target) {
        let wanted = match target.slot {
            PlanSlot::Canonical(Event::Stop) => {
                let agents = AgentId::ALL.into_iter().filter(|agent| target.agent.is_none_or(|only| only == *agent));
                agents.map(|agent| (agent, AgentEvent::Canonical(Event::Stop))).collect()
            }
            PlanSlot::Native(agent, name) => vec![(agent, AgentEvent::Native(name))],
            PlanSlot::Canonical(
                Event::PreToolUse | Event::PostToolUse | Event::UserPromptSubmit | Event::SessionStart,
            ) => Vec::new(),
        };
        for (agent, event) in wanted {
            let event = dialect(agent).name_of(event).map(|_| (agent, event.word().to_owned()));
            events.extend(event.filter(|event| !events.contains(event)));
        }
    }
    events
}
