//! The slow side of a plan: from everything that is known about a workspace to the small files the hook reads.

mod command;
mod deserted;
mod formatting;
mod handlers;
pub(crate) mod hooks;
mod installed;
mod registered;
#[cfg(test)]
mod sample;
mod session;
mod stamps;
mod stand_down;
mod write;

use symposium_agents::{AgentEvent, dialect};
use symposium_io::cargo::WorkspaceCrates;
use symposium_io::{clock, env, fs};
use symposium_model::agent::AgentId;
use symposium_model::catalog::{Catalog, LoadedPlugin, Relevant, Source};
use symposium_model::config::{Directories, SourceKind};
use symposium_model::hook::Event;
use symposium_model::hook::plan::{self, Handler, Plan, Pointer, Presence, Run, Stamp, Variable};
use symposium_model::manifest::{Hook, Plugin};
use symposium_model::select::Selection;
use symposium_model::sync::Ledger;

use self::handlers::{Disk, Handlers, Leave, Workflows};
use self::hooks::Slot;
use self::stamps::Watched;
use super::context::Context;
use super::lock_file::lock_path;
use super::memory::Upkeep;
use super::named_words::Places;
use super::sync::ledger_file;
use super::sync::servers::plugin_servers;
use super::trust::{Trust, Waiting};
use super::{catalog, crate_plugins, guidance, installations};

pub(crate) use self::command::Finding;
pub(crate) use self::deserted::remove_deserted;
pub(crate) use self::write::{NotWritten, remove, write};

/// This program, as plans name it: its version, and what ships inside it.
pub(crate) const PROGRAM: u64 =
    plan::hash(env!("CARGO_PKG_VERSION").as_bytes()) ^ plan::hash(symposium_recommendations::FINGERPRINT.as_bytes());

/// Everything a plan is compiled from.
#[derive(Clone, Copy)]
pub(crate) struct Input<'i> {
    /// The call.
    pub(crate) context: &'i Context,
    /// What the sources hold.
    pub(crate) catalog: &'i Catalog,
    /// What of it applies.
    pub(crate) selection: &'i Selection,
    /// The workspace's crates; `None` outside any.
    pub(crate) crates: Option<&'i WorkspaceCrates>,
    /// What was written so far.
    pub(crate) ledger: &'i Ledger,
    /// Who may run what.
    pub(crate) trust: &'i Trust,
}

/// The plans of a workspace.
#[derive(Debug)]
pub(crate) struct Plans {
    /// The workspace; `None` outside any.
    pub(crate) workspace: Option<String>,
    /// Each with the name of its file.
    pub(crate) files: Vec<(String, Plan)>,
    /// What the person should know.
    pub(crate) warnings: Vec<String>,
    /// The hooks that wait for an installation, by title, each with what it waits for.
    pub(crate) unmade: Vec<(String, String)>,
}

impl Plans {
    /// The same for a workspace that goes by another path: whoever looks for them does not resolve links.
    pub(crate) fn known_as(mut self, workspace: String) -> Self {
        for (_, plan) in &mut self.files {
            plan.workspace = Some(workspace.clone());
        }
        Self { workspace: Some(workspace), ..self }
    }
}

impl Plans {
    /// The same when nothing was installed along with them: where that is wanted, somebody has to.
    pub(crate) fn without_installing(mut self) -> Self {
        for (_, plan) in &mut self.files {
            plan.behind = plan.auto_sync;
        }
        self
    }
}

/// What all plans of a workspace share.
struct Shared {
    plan: Plan,
    stamps: Watched<Stamp>,
    presences: Watched<Presence>,
    variables: Watched<Variable>,
}

/// Compiles the plans of every event.
pub(crate) fn compile(input: Input<'_>) -> Plans {
    let Input { context, catalog, selection, crates, ledger, trust } = input;
    let crate_set = crates.map(|workspace| &workspace.crates);
    let registered = registered::registered(context, ledger);
    let agents = agents_here(context, &registered.anywhere);
    let workflows = Workflows {
        rtk_exclude: context.settings.rtk_exclude.value.clone(),
        rtk_stands_down_for: registered::with_rtk_of_their_own(context, &agents),
        formatting: formatting::formatting(
            context.root(),
            crates.map(|workspace| workspace.editions.as_slice()).unwrap_or_default(),
            trust.granted_channel(),
        ),
    };
    let stand_down = stand_down::find(context, catalog, ledger);
    let (handlers, mut asked, plugin_servers) = catalog::with_facts(context, catalog, crate_set, |facts| {
        let hooks = hooks::active(catalog, selection, facts, &context.workflows());
        let given = |id| Leave::Given(trust.granted_files(id).to_vec());
        let leave = |id| match trust.waiting(id) {
            None => given(id),
            Some(waiting) => Leave::Withheld(waiting),
        };
        let installed = |at: Option<&std::path::Path>, one: &_| installations::made(&context.directories, at, one);
        let workspace_root = context.root().and_then(canonical);
        let owned = |plugin: &LoadedPlugin, hook: &Hook| stand_down.agents(plugin, hook);
        let disk = Disk {
            directory_of: &directory_of,
            workspace: workspace_root.as_deref(),
            canonical: &canonical,
            is_file: &fs::is_file,
            leave: &leave,
            installed: &installed,
            owned: &owned,
        };
        let handlers = handlers::sort(&hooks, &workflows, &disk);
        (handlers, stamps::asked(catalog, facts), plugin_servers(context, catalog, selection, facts, (trust, ledger)))
    });

    let mut servers = vec!["symposium".to_owned()];
    servers.extend(plugin_servers.permitted.iter().map(|server| server.name().to_owned()));
    servers.extend(registered::server_names(context, &agents));
    servers.sort();
    servers.dedup();
    let workspace = context.root().map(|root| root.display().to_string());
    let mut watched = watched_files(&input, &handlers);
    // Whoever calls us there decides who answers.
    let callers = registered::settings_files(context, &registered.anywhere);
    watched.always.extend(callers.iter().filter(|file| fs::exists(file)).filter_map(|file| stamps::taken(file)));
    watched.at_start.extend(registered::settings_files(context, &agents).iter().filter_map(|file| stamps::taken(file)));
    watched.always.extend(stand_down.decisive.iter().filter_map(|file| stamps::taken(file)));
    watched.at_start.extend(stand_down.others.iter().filter_map(|file| stamps::taken(file)));
    let shared = Shared {
        plan: Plan {
            version: plan::VERSION,
            program: PROGRAM,
            workspace: workspace.clone(),
            cargo_lock: crates.and_then(|workspace| cargo_lock(context, workspace)),
            stamps: Vec::new(),
            presences: Vec::new(),
            variables: Vec::new(),
            global: registered.globally,
            registered: registered.anywhere,
            servers: Vec::new(),
            handlers: Vec::new(),
            withheld: Vec::new(),
            changed: session::listed(&handlers.changed()),
            session: None,
            nudges: None,
            behind: false,
            auto_sync: context.settings.auto_sync.value && context.root().is_some_and(|root| ledger.has_run_in(root)),
        },
        stamps: watched,
        presences: asked.presences(context.root(), &env::program_directories()),
        variables: asked.variables(),
    };

    let waiting = |of| {
        let all = handlers.awaiting.iter().chain(&plugin_servers.awaiting);
        all.filter(|(waiting, _)| *waiting == of).map(|(_, title)| title.clone()).collect::<Vec<_>>()
    };
    let consent = session::Consent { unheard: waiting(Waiting::Unheard), changed: waiting(Waiting::Changed), trust };
    let rows = guidance::skills_by_crate(catalog, selection, crate_set, catalog::scope(context));
    let mut files = Vec::new();
    for event in Event::ALL {
        let mut plan = shared.of(Slot::Canonical(event), &handlers);
        match event {
            Event::PreToolUse | Event::PostToolUse => plan.servers.clone_from(&servers),
            Event::UserPromptSubmit => plan.nudges = Some(session::nudges(context, &rows, ledger)),
            Event::SessionStart => {
                let mut session = session::session(context, (catalog, selection), &rows, ledger, &consent);
                session.rtk = handlers.permitted.iter().any(|(_, handler)| matches!(handler.run, Run::Rtk { .. }));
                if crates.is_none_or(|workspace| workspace.cargo_root.is_none()) {
                    session.pointer = Pointer::Hidden;
                }
                plan.session = Some(session);
            }
            Event::Stop => {}
        }
        files.push((plan::file_name(event).to_owned(), plan));
    }
    for (agent, event) in native_events(&input, &handlers) {
        let mut plan = shared.of(Slot::Native(agent, event), &handlers);
        // The user's settings may call us about other events only.
        plan.global.retain(|of| *of != agent || ledger.events_of(agent, None).any(|known| known == event));
        files.push((plan::native_file_name(agent, event), plan));
    }
    Plans { workspace, files, warnings: handlers.warnings, unmade: handlers.unmade }
}

impl Shared {
    /// The plan of one event.
    fn of(&self, slot: Slot, handlers: &Handlers) -> Plan {
        let mut plan = self.plan.clone();
        plan.stamps.clone_from(&self.stamps.always);
        plan.presences.clone_from(&self.presences.always);
        plan.variables.clone_from(&self.variables.always);
        if slot == Slot::Canonical(Event::SessionStart) {
            plan.stamps.extend_from_slice(&self.stamps.at_start);
            plan.presences.extend_from_slice(&self.presences.at_start);
            plan.variables.extend_from_slice(&self.variables.at_start);
        }
        let of_slot = handlers.permitted.iter().filter(|(of, _)| *of == slot);
        plan.handlers = of_slot.map(|(_, handler)| handler.clone()).collect();
        let of_slot = handlers.withheld.iter().filter(|(of, _)| *of == slot);
        plan.withheld = of_slot.map(|(_, title)| title.clone()).collect();
        plan
    }
}

/// The agents whose settings matter: those that are chosen, and those that call us all the same.
fn agents_here(context: &Context, registered: &[AgentId]) -> Vec<AgentId> {
    let chosen = [context.user_agents(), context.project_agents()].concat();
    AgentId::ALL.into_iter().filter(|agent| chosen.contains(agent) || registered.contains(agent)).collect()
}

/// The events of single agents that may call us: those that are handled, and those that once were.
fn native_events(input: &Input<'_>, handlers: &Handlers) -> Vec<(AgentId, &'static str)> {
    let slots = handlers.permitted.iter().map(|(slot, _)| *slot).chain(handlers.withheld.iter().map(|(slot, _)| *slot));
    let mut events: Vec<(AgentId, &'static str)> = slots
        .filter_map(|slot| match slot {
            Slot::Native(agent, event) => Some((agent, event)),
            Slot::Canonical(_) => None,
        })
        .collect();
    let root = input.context.root();
    let here =
        input.ledger.events.iter().filter(|event| event.workspace.is_none() || event.workspace.as_deref() == root);
    events.extend(here.filter_map(|event| match dialect(event.agent).event_from(&event.event)? {
        AgentEvent::Native(name) => Some((event.agent, name)),
        AgentEvent::Canonical(_) | AgentEvent::ToolFailed => None,
    }));
    events.sort_unstable();
    events.dedup();
    events
}

/// Everything a plan was compiled from, as it is now.
fn watched_files(input: &Input<'_>, handlers: &Handlers) -> Watched<Stamp> {
    let Input { context, catalog, selection, crates, trust, .. } = *input;
    let mut files = stamps::plugin_files(catalog, selection, &handlers.files);
    // Dependencies change with Cargo.lock, which is looked at apart; the root's manifest has what is not in there.
    files.always.extend(context.root().map(|root| cargo_root(root, crates).join("Cargo.toml").into()));
    // What is fetched later, in the background or for another project, is found by the next session; so is what cargo
    // fetches, which may carry plugins.
    let unfetched = catalog.sources.iter().filter_map(|source| match &source.spec.kind {
        SourceKind::Git { address, .. } if source.copy.is_none() => Some(context.git_cache().record(address)),
        SourceKind::Git { .. }
        | SourceKind::Embedded
        | SourceKind::UserPlugins(_)
        | SourceKind::Path(_)
        | SourceKind::Crate(_) => None,
    });
    let awaited = crate_plugins::awaited(context, crates.map(|workspace| &workspace.crates));
    files.at_start.extend(unfetched.chain(awaited).map(stamps::File::from));
    let mut watched = stamps::taken_after_reading(files, context.started, clock::precisely());
    // These are as we read them, or as we just wrote them, unless somebody else wrote meanwhile.
    let of_user = Some((context.directories.config_file(), context.user_text()));
    let of_project = context.root().map(|root| (root.join(".symposium/config.toml"), context.project_text()));
    let configs = [of_user, of_project].into_iter().flatten();
    let configs = configs.filter_map(|(file, text)| stamps::taken_with(&file, text.as_deref()));
    watched.always.splice(..0, configs);
    // What a grant covers is looked at on every event: when it changed, whether it still fits is found out at once.
    for stamp in trust.all_granted_files() {
        watched.always.retain(|known| known.path != stamp.path);
        watched.always.push(stamp.clone());
    }
    watched.always.extend(trust.store_if_asked().cloned());
    // Which content of the sources counts may change with what others commit.
    watched.at_start.extend(context.root().and_then(|root| stamps::taken(&lock_path(root))));
    let formats = handlers.permitted.iter().any(|(_, handler)| matches!(handler.run, Run::Autofmt(_)));
    let toolchains = if formats { formatting::decisive(trust.granted_channel()) } else { Vec::new() };
    watched.at_start.extend(toolchains.iter().filter_map(|file| stamps::taken(file)));
    watched
}

fn cargo_lock(context: &Context, crates: &WorkspaceCrates) -> Option<Stamp> {
    let stamp = stamps::taken(&cargo_root(context.root()?, Some(crates)).join("Cargo.lock"))?;
    Some(stamps::doubted(stamp, context.started, clock::precisely()))
}

/// Cargo's own root, which may lie above the workspace.
fn cargo_root<'r>(root: &'r std::path::Path, crates: Option<&'r WorkspaceCrates>) -> &'r std::path::Path {
    crates.and_then(|workspace| workspace.cargo_root.as_deref()).unwrap_or(root)
}

/// What a session begins with besides where guidance is, for whoever is told nothing by a hook: texts of plugins, and what
/// the person should know.
pub(crate) fn start_texts(context: &Context) -> Vec<String> {
    let crates = context.workspace_crates();
    let crate_set = crates.as_ref().map(|workspace| &workspace.crates);
    let relevant = Relevant { crates: crate_set, asked: None };
    let catalog = catalog::read_relevant(context, &relevant, Upkeep::LeaveAlone);
    let selection = catalog::select_for(context, &catalog, crate_set);
    let (ledger, trust) = (ledger_file::read_silently(context), Trust::of(context, &catalog, &selection));
    let (catalog, selection, crates) = (&catalog, &selection, crates.as_ref());
    let plans = compile(Input { context, catalog, selection, crates, ledger: &ledger, trust: &trust });
    let said = plans.files.into_iter().find_map(|(_, plan)| plan.session);
    said.map(|said| [said.texts, said.notices].concat()).unwrap_or_default()
}

/// The handler of a hook its author wants to try, with the plan it belongs into. `Err` says why it cannot be run.
pub(crate) fn on_trial(
    plugin: &Plugin,
    hook: &Hook,
    directory: Option<&std::path::Path>,
    directories: Option<&Directories>,
) -> Result<(Slot, Handler), String> {
    let installed = |at: Option<&std::path::Path>, one: &_| installations::made(directories?, at, one);
    handlers::on_trial(plugin, hook, places_of(directory), &installed)
}

/// What a plugin's author should know about what a hook starts.
pub(crate) fn command_findings(hook: &Hook, directory: Option<&std::path::Path>) -> Vec<Finding> {
    command::findings(&hook.command, places_of(directory), &fs::is_executable)
}

fn places_of(plugin: Option<&std::path::Path>) -> Places<'_> {
    Places { plugin, workspace: None, canonical: &canonical, is_file: &fs::is_file }
}

/// The directory of a plugin, links resolved.
pub(crate) fn directory_of(source: &Source, loaded: &LoadedPlugin) -> Option<std::path::PathBuf> {
    let manifest = catalog::root_of(source)?.join(&loaded.path);
    canonical(manifest.parent()?)
}

fn canonical(path: &std::path::Path) -> Option<std::path::PathBuf> {
    fs::canonical(path).ok()
}
