//! The slow side of a plan: from everything that is known about a workspace to the small files the hook reads.

mod command;
mod formatting;
mod gc;
mod guard_record;
mod guidance_files;
mod handlers;
pub(crate) mod hooks;
mod input_stamps;
mod inputs;
mod installed_tools;
pub(crate) mod kept_guards;
mod native_overrides;
mod permissions;
mod registrations;
mod script_modules;
mod session;
mod session_text;
mod stamp;
mod sub_agent_plans;
#[cfg(test)]
mod test_sources;
mod write;

use std::path::{Path, PathBuf};

use symposium_agents::{AgentEvent, dialect, spec};
use symposium_io::cargo::SearchBoundary;
use symposium_io::{env, fs};
use symposium_model::agent::AgentId;
use symposium_model::catalog::{LoadedPlugin, LoadedSource};
use symposium_model::config::AppDirectories;
use symposium_model::crates::DependencyScope;
use symposium_model::hook::Event;
use symposium_model::hook::hook_plan::{
    self, EditGuidance, GuidanceLine, GuidancePlan, GuidancePointer, Handler, HandlerAction, HookPlan, NudgePlan,
    PathPresence, PlanSlot, VariableStamp,
};
use symposium_model::manifest::{Hook, Plugin};
use symposium_model::scan;
use symposium_model::select::Selection;
use symposium_model::sync::Ledger;
use symposium_model::trust::CommandKind;

use self::guidance_files::{TellableSkills, TextLookup};
use self::handlers::{BuiltinWorkflows, CompiledHandlers, MachineLookup, RunPermission};
use self::hooks::ActiveHook;
use self::input_stamps::{EventFiles, InputStamps};
use self::inputs::SettingsReaders;
use self::kept_guards::GuardSet;
use self::native_overrides::NativeOverrides;
use self::registrations::{RegisteredAgents, RegistrationFiles};
use self::stamp::WatchList;
use self::sub_agent_plans::SubAgentPlans;
use super::agent_paths::AgentRoots;
use super::cargo_shim;
use super::catalog;
use super::catalog::crate_plugins::CrateShelf;
use super::context::Context;
use super::installations;
use super::reconcile::servers::{PluginServers, plugin_servers};
use super::resolve::Resolution;
use super::trust::{PendingReason, TrustReport};
use crate::ops::guidance::{self, CrateSkills};
use crate::ops::trust::command_paths::PathResolver;

pub(crate) use self::command::CommandFinding;
pub(crate) use self::gc::remove_deserted;
pub(crate) use self::guidance_files::GuidanceFile;
pub(crate) use self::hooks::never_runs;
pub(crate) use self::write::{NotWritten, remove, unread_configuration, write};

/// This program, as plans name it: its version, and what ships inside it.
pub(crate) const PROGRAM: u64 =
    hook_plan::hash(env!("CARGO_PKG_VERSION").as_bytes()) ^ hook_plan::hash(symposium_builtin::FINGERPRINT.as_bytes());

#[derive(Debug)]
pub(crate) struct PlanSet {
    /// The workspace; `None` outside any.
    pub(crate) workspace: Option<String>,
    /// Each with the name of its file.
    pub(crate) files: Vec<(String, HookPlan)>,
    pub(crate) warnings: Vec<String>,
    /// The hooks that wait for an installation, by title, each with what it waits for.
    pub(crate) unmade: Vec<(String, String)>,
    pub(crate) guards: GuardSet,
    /// The files for the guidance at a file.
    pub(crate) guidance: Vec<GuidanceFile>,
}

impl PlanSet {
    /// Sets the path of the workspace to the one that the hook uses, which does not resolve links.
    pub(crate) fn known_as(mut self, workspace: String) -> Self {
        for (_, plan) in &mut self.files {
            plan.workspace = Some(workspace.clone());
        }
        Self { workspace: Some(workspace), ..self }
    }

    /// Marks the plans as behind where automatic sync is on, because nothing was installed along with them.
    pub(crate) fn without_installing(mut self) -> Self {
        for (_, plan) in &mut self.files {
            plan.behind = plan.auto_sync;
        }
        self
    }
}

struct PlanTemplate {
    plan: HookPlan,
    stamps: InputStamps,
    presences: WatchList<PathPresence>,
    variables: WatchList<VariableStamp>,
    registrations: RegistrationFiles,
}

/// Compiles the plans of every event.
pub(crate) fn compile(context: &Context, resolution: &Resolution) -> PlanSet {
    let Resolution { workspace, catalog, selection, ledger, trust, .. } = resolution;
    let registrations = registrations::registrations(context.roots(), ledger);
    let registered = registrations.agents();
    let chosen = [context.user_agents(), context.project_agents()].concat();
    let is_here = |agent: &AgentId| chosen.contains(agent) || registered.contains(agent);
    // Their settings matter: they are chosen, or call us all the same.
    let agents: Vec<AgentId> = AgentId::ALL.into_iter().filter(is_here).collect();
    let overrides = native_overrides::find(context.roots(), catalog, ledger);
    let (handlers, guards, mut asked, plugin_servers) =
        catalog::with_facts(context, catalog, resolution.crates(), |facts| {
            let choices = context.choices();
            let hooks = hooks::in_force(resolution, facts, &choices);
            let mut handlers = sorted(context, resolution, &hooks, &agents, &overrides);
            let guards = kept_guards::keep(context, resolution, &hooks, &mut handlers);
            handlers.silenced = hooks::silenced(catalog, selection, facts, &choices);
            let unsure = match context.root() {
                Some(_) => hooks::switched_off(catalog, selection, facts, &choices),
                None => hooks::unsure(catalog, selection, facts, &choices),
            };
            if !unsure.is_empty() {
                let found = sorted(context, resolution, &unsure, &agents, &overrides);
                handlers.files.extend(found.files);
                handlers.manifests.extend(found.manifests);
                handlers.unsure = found.permitted;
            }
            let servers = plugin_servers(context, catalog, selection, facts, trust, ledger);
            (handlers, guards, stamp::asked(catalog, facts), servers)
        });
    if !overrides.is_empty() {
        // Where an agent keeps its settings may depend on a variable.
        let moved = AgentId::ALL.into_iter().flat_map(|agent| spec(agent).moved_by);
        asked.variables.always.extend(moved.map(|moved| moved.variable.to_owned()));
    }
    let permissions = permissions::read(context.roots(), &agents);
    let callers =
        SettingsReaders { registered: &registered, agents: &agents, overrides: &overrides, permissions: &permissions };
    let presences = asked.presences(context.root(), &env::program_directories());
    let shared = PlanTemplate {
        stamps: inputs::files(context, resolution, &handlers, &callers),
        presences: presences.with_installed(context.root(), ledger),
        variables: asked.variables(),
        plan: common(context, resolution, &handlers),
        registrations,
    };
    let servers = server_names(context.roots(), &plugin_servers, &agents);
    let consent = consent(&handlers, &plugin_servers, trust, &guards);
    let rows = guidance::skills_by_crate(resolution, catalog::scope(&context.settings));
    let nudges = session::nudges(&context.settings, context.root(), &rows, ledger);
    let CompiledGuidance { files: guidance, plan: guidance_plan, index } =
        compile_guidance(context, resolution, &rows, &nudges);
    let mut files = Vec::new();
    for event in Event::ALL {
        let mut plan = shared.for_slot(PlanSlot::Canonical(event), &handlers);
        match event {
            Event::PreToolUse => {
                plan.servers.clone_from(&servers);
                if plan.handlers.iter().any(permissions::may_rewrite) {
                    plan.rules.clone_from(&permissions.rules);
                }
                plan.guidance = guidance_plan.clone().filter(|guidance| guidance.mode == EditGuidance::Gate);
            }
            Event::PostToolUse => {
                plan.servers.clone_from(&servers);
                plan.guidance.clone_from(&guidance_plan);
            }
            Event::UserPromptSubmit => plan.nudges = Some(nudges.clone()),
            Event::SessionStart => {
                let mut session = session::session(context, resolution, &rows, &consent);
                session.rtk = handlers.has_action(|action| matches!(action, HandlerAction::Rtk { .. }));
                let shim =
                    cargo_shim::directory(context).filter(|_| handlers.has_action(|it| *it == HandlerAction::Cargo));
                session.shell_line = shim.as_ref().map(cargo_shim::shell_line);
                if workspace.as_ref().is_none_or(|workspace| workspace.cargo_root.is_none()) {
                    session.pointer = GuidancePointer::Hidden;
                }
                session.index_bytes =
                    usize::try_from(context.settings.guidance_index_bytes.value).unwrap_or(usize::MAX);
                session.index = guidance_files::within_budget(&index, session.index_bytes);
                plan.session = Some(session);
            }
            Event::Stop => {}
        }
        files.push((hook_plan::file_name(event).to_owned(), plan));
    }
    let sub_agents = SubAgentPlans::new(&agents, &files);
    for (agent, event) in native_events(context.root(), ledger, &handlers, &sub_agents.events) {
        let mut plan = shared.for_slot(PlanSlot::Native(agent, event), &handlers);
        plan.session = sub_agents.session(agent, event);
        files.push((hook_plan::native_file_name(agent, event), plan));
    }
    PlanSet {
        workspace: shared.plan.workspace,
        files,
        warnings: handlers.warnings,
        unmade: handlers.unmade,
        guards,
        guidance,
    }
}

/// The guidance that reaches an agent by itself.
struct CompiledGuidance {
    files: Vec<GuidanceFile>,
    plan: Option<GuidancePlan>,
    index: Vec<GuidanceLine>,
}

fn compile_guidance(
    context: &Context,
    resolution: &Resolution,
    rows: &[CrateSkills],
    nudges: &NudgePlan,
) -> CompiledGuidance {
    let Resolution { catalog, selection, ledger, .. } = resolution;
    let guided = rows.iter().filter(|row| row.version.is_some() && !row.skills.is_empty()).cloned();
    let rows: &[CrateSkills] = &guided.collect::<Vec<_>>();
    let installed_name = |skill: &str| session::installed_name(context.root(), ledger, skill);
    let skills = TellableSkills::new(catalog, selection, &installed_name);
    let mode = context.settings.guidance_at_edit.value;
    let body = |skill: &str| guidance::inline_body(resolution, skill);
    let crates = resolution.crates();
    let files = CrateShelf::new(context).with(|finder| {
        let lookup = TextLookup { body: &body, library: &|krate| finder.library_name(krate) };
        crates.map(|crates| guidance_files::files(crates, rows, &skills, mode, &lookup)).unwrap_or_default()
    });
    let index = crates.map(|crates| guidance_files::index(crates, rows, &skills)).unwrap_or_default();
    // A gate is also there for the first dependency with guidance.
    let is_wanted = !files.is_empty() || (mode == EditGuidance::Gate && crates.is_some());
    let plan = is_wanted.then(|| GuidancePlan { mode, holders: nudges.holders.clone() });
    CompiledGuidance { files, plan, index }
}

/// Returns one line for each direct dependency with a skill, those that most members use first.
pub(crate) fn index_lines(root: Option<&Path>, resolution: &Resolution, rows: &[CrateSkills]) -> Vec<GuidanceLine> {
    let Resolution { catalog, selection, ledger, .. } = resolution;
    let installed_name = |skill: &str| session::installed_name(root, ledger, skill);
    let skills = TellableSkills::new(catalog, selection, &installed_name);
    resolution.crates().map(|crates| guidance_files::index(crates, rows, &skills)).unwrap_or_default()
}

/// The same for a selection that is not the user's own, with the names that skills have everywhere.
pub(crate) fn shared_index_lines(resolution: &Resolution, selection: &Selection) -> Vec<GuidanceLine> {
    let rows = guidance::selected_by_crate(resolution, selection, DependencyScope::Direct);
    let own_name = |skill: &str| skill.to_owned();
    let skills = TellableSkills::new(&resolution.catalog, selection, &own_name);
    resolution.crates().map(|crates| guidance_files::index(crates, &rows, &skills)).unwrap_or_default()
}

/// The handlers of hooks that count here, in their order, with what this machine has to run them.
fn sorted(
    context: &Context,
    resolution: &Resolution,
    hooks: &[ActiveHook<'_>],
    agents: &[AgentId],
    overrides: &NativeOverrides,
) -> CompiledHandlers {
    let Resolution { workspace, catalog, selection, trust, .. } = resolution;
    let mut rtk_exclude = context.settings.rtk_exclude.value.clone();
    // The `cargo` workflow shortens the output of cargo, so the command stays as it is.
    rtk_exclude.extend(hooks.iter().any(|hook| handlers::is_built_in(hook, "cargo")).then(|| "cargo".to_owned()));
    let workflows = BuiltinWorkflows {
        rtk_exclude,
        rtk_disabled_for: registrations::with_rtk_of_their_own(context.roots(), agents),
        formatting: formatting::formatting(
            context.root(),
            workspace.as_ref().map(|workspace| workspace.editions.as_slice()).unwrap_or_default(),
            trust.granted_channel(),
        ),
    };
    let leave = |id| match trust.waiting(id) {
        None => RunPermission::Given(trust.granted_files(id).to_vec()),
        // How a plugin stands that is not active was not looked at.
        Some(_) if catalog.plugin(id).is_some_and(|(source, _)| !source.trust_rank().needs_grant()) => {
            RunPermission::Given(Vec::new())
        }
        Some(waiting) => RunPermission::Withheld(waiting),
    };
    let refusal = |id, hook: &Hook| trust.refusal(id, CommandKind::Hook, &hook.name).map(str::to_owned);
    let installed = |at: Option<&Path>, one: &_| installations::made(&context.directories, at, one);
    let replaced_on = |id| {
        let stand_in = selection.plugins.iter().find(|verdict| verdict.id == id && verdict.shadowed_by.is_some());
        let Some(stand_in) = stand_in else { return Vec::new() };
        AgentId::ALL.into_iter().filter(|agent| !stand_in.stands_in_on.contains(agent)).collect()
    };
    let workspace_root = context.root().and_then(canonical);
    let disk = MachineLookup {
        directory_of: &directory_of,
        workspace: workspace_root.as_deref(),
        canonical: &canonical,
        is_file: &fs::is_file,
        leave: &leave,
        refusal: &refusal,
        coverage: &|directory| super::trust::coverage(directory, workspace_root.as_deref()),
        installed: &installed,
        owned: &|active| overrides.agents(active.source.spec.rank, active.loaded, active.hook),
        replaced_on: &replaced_on,
    };
    handlers::sort(hooks, &workflows, &disk)
}

fn common(context: &Context, resolution: &Resolution, handlers: &CompiledHandlers) -> HookPlan {
    let Resolution { workspace, ledger, .. } = resolution;
    HookPlan {
        version: hook_plan::VERSION,
        program: PROGRAM,
        home: context.directories.config.to_string_lossy().into_owned(),
        workspace: context.root().map(|root| root.display().to_string()),
        cargo_lock: workspace
            .as_ref()
            .and_then(|workspace| inputs::cargo_lock(context.root()?, context.started, workspace)),
        stamps: Vec::new(),
        folders: Vec::new(),
        others: Vec::new(),
        presences: Vec::new(),
        variables: Vec::new(),
        global: Vec::new(),
        registered: Vec::new(),
        allowed: allowed(context.root(), &context.boundary),
        servers: Vec::new(),
        rules: Vec::new(),
        handlers: Vec::new(),
        unsure: Vec::new(),
        withheld: Vec::new(),
        changed: session::listed(&handlers.changed()),
        ended: handlers.ended.clone(),
        session: None,
        nudges: None,
        guidance: None,
        behind: false,
        forgets_usage: !context.settings.usage_record.value,
        auto_sync: context.settings.auto_sync.value && context.root().is_some_and(|root| ledger.has_run_in(root)),
    }
}

/// The directories that may belong to others: the hook asks for them before it knows which workspace it is about.
fn allowed(root: Option<&Path>, boundary: &SearchBoundary) -> Vec<String> {
    let allowed = if root.is_none() { boundary.allowed() } else { &[] };
    allowed.iter().filter_map(|directory| directory.to_str().map(str::to_owned)).collect()
}

/// The names of MCP servers that tools may have in their names.
fn server_names(roots: AgentRoots<'_>, of_plugins: &PluginServers, agents: &[AgentId]) -> Vec<String> {
    let mut names = vec!["symposium".to_owned()];
    names.extend(of_plugins.permitted.iter().map(|server| server.server.name.clone()));
    names.extend(registrations::server_names(roots, agents));
    names.sort();
    names.dedup();
    names
}

fn consent<'c>(
    handlers: &CompiledHandlers,
    servers: &PluginServers,
    trust: &'c TrustReport,
    guards: &'c GuardSet,
) -> session::ConsentNotes<'c> {
    let waiting = |of| handlers.awaiting.iter().chain(&servers.awaiting).filter(move |pending| pending.reason == of);
    session::ConsentNotes {
        unheard: waiting(PendingReason::Unheard).cloned().collect(),
        changed: waiting(PendingReason::Changed).map(|pending| pending.title.clone()).collect(),
        silenced: handlers.silenced.clone(),
        kept: &guards.kept,
        trust,
    }
}

impl PlanTemplate {
    fn for_slot(&self, slot: PlanSlot, handlers: &CompiledHandlers) -> HookPlan {
        let mut plan = self.plan.clone();
        let RegisteredAgents { globally, anywhere } = self.registrations.about(slot);
        plan.global = globally;
        plan.registered = anywhere;
        self.stamps.fill(&mut plan, &EventFiles::of_slot(slot, handlers));
        plan.presences.clone_from(&self.presences.always);
        plan.variables.clone_from(&self.variables.always);
        if slot == PlanSlot::Canonical(Event::SessionStart) {
            self.stamps.fill_start(&mut plan);
            plan.presences.extend_from_slice(&self.presences.at_start);
            plan.variables.extend_from_slice(&self.variables.at_start);
        }
        let of_slot = handlers.permitted.iter().filter(|(of, _)| *of == slot);
        plan.handlers = of_slot.map(|(_, handler)| handler.clone()).collect();
        let of_slot = handlers.unsure.iter().filter(|(of, _)| *of == slot);
        plan.unsure = of_slot.map(|(_, handler)| handler.clone()).collect();
        let of_slot = handlers.withheld.iter().filter(|(of, _)| *of == slot);
        plan.withheld = of_slot.map(|(_, title)| title.clone()).collect();
        plan
    }
}

/// The events of single agents that may call us: those that are handled, and those that once were.
fn native_events(
    root: Option<&Path>,
    ledger: &Ledger,
    handlers: &CompiledHandlers,
    sub_agent_events: &[(AgentId, &'static str)],
) -> Vec<(AgentId, &'static str)> {
    let slots = handlers.permitted.iter().chain(&handlers.unsure).map(|(slot, _)| *slot);
    let slots = slots.chain(handlers.withheld.iter().map(|(slot, _)| *slot));
    let mut events: Vec<(AgentId, &'static str)> = slots
        .filter_map(|slot| match slot {
            PlanSlot::Native(agent, event) => Some((agent, event)),
            PlanSlot::Canonical(_) => None,
        })
        .collect();
    let here = ledger.events.iter().filter(|event| event.workspace.is_none() || event.workspace.as_deref() == root);
    events.extend(here.filter_map(|event| match dialect(event.agent).event_from(&event.event)? {
        AgentEvent::Native(name) => Some((event.agent, name)),
        AgentEvent::Canonical(_) | AgentEvent::ToolFailed => None,
    }));
    events.extend(sub_agent_events);
    events.sort_unstable();
    events.dedup();
    events
}

/// Collects the texts of a session for an agent that takes no context from hooks: texts of plugins, the index, and rules
/// about decisions of the user.
pub(crate) fn start_texts(context: &Context, resolution: &Resolution, agent: AgentId) -> Vec<String> {
    let plans = compile(context, resolution);
    let Some(said) = plans.files.into_iter().find_map(|(_, plan)| plan.session) else { return Vec::new() };
    let sessions = context.directories.sessions();
    let moved = context.root().and_then(|root| symposium_hook::moved_crates(&sessions, root, &said.crates));
    let index = symposium_hook::guidance_index(agent, &said).map(|text| scan::plain_lines(&text).into_owned());
    [said.texts, index.into_iter().collect(), said.rules, moved.into_iter().collect()].concat()
}

/// The handler of a hook its author wants to try, with the plan it belongs into. `Err` says why it cannot be run.
pub(crate) fn on_trial(
    plugin: &Plugin,
    hook: &Hook,
    directory: Option<&Path>,
    directories: Option<&AppDirectories>,
) -> Result<(PlanSlot, Handler), String> {
    let installed = |at: Option<&Path>, one: &_| installations::made(directories?, at, one);
    handlers::on_trial(plugin, hook, places_of(directory), &installed)
}

/// Checks the command of a hook for mistakes of its author.
pub(crate) fn command_findings(hook: &Hook, directory: Option<&Path>) -> Vec<CommandFinding> {
    command::findings(&hook.command, places_of(directory), &fs::is_executable)
}

fn places_of(plugin: Option<&Path>) -> PathResolver<'_> {
    PathResolver { plugin, workspace: None, canonical: &canonical, is_file: &fs::is_file }
}

/// The directory of a plugin, links resolved.
pub(crate) fn directory_of(source: &LoadedSource, loaded: &LoadedPlugin) -> Option<PathBuf> {
    canonical(manifest_of(source, loaded)?.parent()?)
}

fn manifest_of(source: &LoadedSource, loaded: &LoadedPlugin) -> Option<PathBuf> {
    Some(catalog::root_of(source)?.join(&loaded.path))
}

fn canonical(path: &Path) -> Option<PathBuf> {
    fs::canonical(path).ok()
}
