//! What should be on disk for the agents that are configured.

use std::path::{Path, PathBuf};

use symposium_agents::spec::OtherFiles;
use symposium_agents::{
    AgentPath, OsFamily, RegisteredServer, Registration, RegistrationInput, Scope, Switches, SymposiumProgram,
    alternatives, project_servers, refuses_ignored_skills, registration, spec,
};
use symposium_io::fs;
use symposium_io::settings::MAX_SETTINGS;
use symposium_io::source::{MAX_SKILL, skill_files};
use symposium_model::agent::AgentId;
use symposium_model::authority::is_personal;
use symposium_model::catalog::{Catalog, LoadedSkill, LoadedSource, SkillId};
use symposium_model::config;
use symposium_model::edit::FileContent;
use symposium_model::hook::Event;
use symposium_model::select::{Selection, SkillState};
use symposium_model::sync::{
    CommitPolicy, Ledger, LedgerRecord, ObservedText, RegisteredEvent, SkillFile, SkillSource, WrittenContent, diff,
};

use super::compare::EDITOR;
use super::native_entries::{has_skill, not_owned};
use super::servers::{PluginServer, ServerScope};
use super::{extra_events, program_path};
use crate::ops::catalog::tree_of_skill;
use crate::ops::context::Context;

pub(crate) use crate::ops::agent_paths::resolve;
pub(crate) use symposium_model::sync::{DesiredFile, DesiredSkill, DesiredState, InstallPolicy};

/// Files for every agent, in the scope its setting comes from.
pub(crate) fn registrations(context: &Context, ledger: &Ledger, servers: &[PluginServer], desired: &mut DesiredState) {
    let (program, warnings) = program_path::for_user(context);
    desired.program_warnings = warnings;
    let places = existing(context, Scope::Global, &context.user_agents(), ledger);
    for agent in context.user_agents() {
        let of_user = servers.iter().filter(|server| server.reach.is_for_user());
        let servers = not_owned(context, agent, ledger, of_user);
        let events = extra_events::wanted(&desired.handled, ledger, agent, None);
        desired.events.extend(events.iter().cloned());
        let more = PluginParts { servers, events };
        add_registration(context, (agent, Scope::Global), program.clone(), (more, &places), desired);
    }
    if let Some(root) = context.root() {
        let here: Vec<&PluginServer> = servers.iter().filter(|server| server.reach == ServerScope::Here).collect();
        let project_agents = context.project_agents();
        let mut guests = context.user_agents();
        guests.retain(|agent| !here.is_empty() && !project_agents.contains(agent));
        let places = existing(context, Scope::Project, &[project_agents.as_slice(), &guests].concat(), ledger);
        for agent in guests {
            let more =
                PluginParts { servers: not_owned(context, agent, ledger, here.iter().copied()), events: Vec::new() };
            if !more.servers.is_empty() {
                let situation = situation(context, Scope::Project, program.clone(), more, &places);
                add_files(context, (agent, Scope::Project), project_servers(agent, &situation), desired);
            }
        }
        desired.warnings.extend(left_out(context, servers));
        for agent in project_agents {
            let of_project = servers.iter().filter(|server| server.reach.is_for_project() && !server.personal);
            let servers = not_owned(context, agent, ledger, of_project);
            let events = extra_events::wanted(&desired.handled, ledger, agent, Some(root));
            desired.events.extend(events.iter().cloned());
            let more = PluginParts { servers, events };
            add_registration(context, (agent, Scope::Project), SymposiumProgram::Bare, (more, &places), desired);
        }
    }
}

/// What is said about servers of the user that agents of the project do not get: their files are everybody's.
fn left_out(context: &Context, servers: &[PluginServer]) -> Vec<String> {
    let mut agents = context.project_agents();
    agents.retain(|agent| !context.user_agents().contains(agent));
    let Some(first) = agents.first() else { return Vec::new() };
    let titles: Vec<&str> = agents.iter().map(|agent| spec(*agent).title).collect();
    let personal = servers.iter().filter(|server| server.reach.is_for_project() && server.personal);
    let sentence = |server: &PluginServer| {
        format!(
            "MCP server `{}` is yours, so it is not written into this project's files for {}; `symposium init --user \
             --agent {first}` has it in your own settings",
            server.name(),
            titles.join(", ")
        )
    };
    personal.map(sentence).collect()
}

/// The files that decide where something is written: those that one of the agents needs anyway, and those that are
/// there. One that is there only because of us decides nothing.
pub(crate) fn existing(context: &Context, scope: Scope, agents: &[AgentId], ledger: &Ledger) -> Vec<AgentPath> {
    let needed = needed(scope, agents);
    let is_theirs = |place: AgentPath| {
        resolve(context, place).is_some_and(|path| fs::exists(&path) && !is_ours_alone(&path, ledger))
    };
    alternatives(scope).filter(|place| needed.iter().any(|(_, other)| other == place) || is_theirs(*place)).collect()
}

/// Whether a file is there only because of us.
fn is_ours_alone(path: &Path, ledger: &Ledger) -> bool {
    let is_new = |record: &&LedgerRecord| matches!(record.written, WrittenContent::Entries { new_file: true, .. });
    let Some(record) = ledger.record(path).filter(is_new) else { return false };
    let Ok(Some(text)) = fs::read_text_if_there(path, MAX_SETTINGS) else { return false };
    diff::is_ours_alone(record, &ObservedText { text, is_link: fs::is_link(path) }, &EDITOR)
}

/// The files that agents need whatever exists.
fn needed(scope: Scope, agents: &[AgentId]) -> Vec<(AgentId, AgentPath)> {
    agents.iter().filter_map(|agent| Some((*agent, spec(*agent).mcp.choice(scope).fixed()?))).collect()
}

/// Files of the project that an agent does not read because of one that another agent needs and that would not be there
/// without us.
pub(crate) fn hidden(context: &Context, ledger: &Ledger) -> Vec<String> {
    let needed = needed(Scope::Project, &context.project_agents());
    let is_theirs = |path: &Path| fs::exists(path) && !is_ours_alone(path, ledger);
    let mut sentences = Vec::new();
    for reader in AgentId::ALL.map(spec) {
        let choice = reader.mcp.choice(Scope::Project);
        for (number, place) in choice.existing.iter().enumerate() {
            let Some((agent, _)) = needed.iter().find(|(_, other)| other == place) else { continue };
            let Some(first) = resolve(context, *place).filter(|path| !is_theirs(path)) else { continue };
            let later = choice.existing.iter().skip(number + 1).filter_map(|place| resolve(context, *place));
            for unread in later.filter(|path| choice.others == OtherFiles::Hidden && is_theirs(path)) {
                let name = |path: &Path| {
                    let inside = context.root().and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
                    inside.display().to_string()
                };
                sentences.push(format!(
                    "{} does not read `{}` while there is a `{}`, which {} needs; move your servers there",
                    reader.title,
                    name(&unread),
                    name(&first),
                    spec(*agent).title,
                ));
            }
        }
    }
    sentences
}

/// What a registration holds because of plugins.
#[derive(Debug, Default)]
pub(crate) struct PluginParts {
    servers: Vec<RegisteredServer>,
    /// Events besides the usual ones.
    events: Vec<RegisteredEvent>,
}

/// What registers us with one agent in one scope.
pub(crate) fn add_registration(
    context: &Context,
    (agent, scope): (AgentId, Scope),
    program: SymposiumProgram,
    (more, existing): (PluginParts, &[AgentPath]),
    desired: &mut DesiredState,
) {
    let situation = situation(context, scope, program, more, existing);
    add_files(context, (agent, scope), registration(agent, scope, &situation), desired);
}

fn situation(
    context: &Context,
    scope: Scope,
    program: SymposiumProgram,
    more: PluginParts,
    existing: &[AgentPath],
) -> RegistrationInput {
    let settings = context.settings.agent_settings(match scope {
        Scope::Project => config::Scope::Project,
        Scope::Global => config::Scope::User,
    });
    // What is committed must not change with whoever commits it.
    let os = match scope {
        Scope::Project => OsFamily::Posix,
        Scope::Global => program_path::os(),
    };
    RegistrationInput {
        existing: existing.to_vec(),
        switches: Switches {
            opencode_hooks: settings.opencode_hooks,
            kiro_standalone_hooks: settings.kiro_standalone_hooks,
        },
        servers: more.servers,
        stop: more.events.iter().any(|event| event.event == Event::Stop.kebab()),
        native_events: more.events.into_iter().map(|event| event.event).collect(),
        ..RegistrationInput::new(program, os)
    }
}

fn add_files(
    context: &Context,
    (agent, scope): (AgentId, Scope),
    registration: Registration,
    desired: &mut DesiredState,
) {
    desired.notes.extend(registration.notes.into_iter().map(|note| (agent, note.into_owned())));
    desired.warnings.extend(registration.left_out);
    for file in registration.files {
        let Some(path) = resolve(context, file.place) else { continue };
        let workspace = match scope {
            Scope::Project => context.root().map(Path::to_owned),
            Scope::Global => None,
        };
        // Two agents may share a file; it is written once.
        match desired.files.iter_mut().find(|known| known.path == path) {
            Some(known) => {
                known.agents.push(agent);
                merge(&mut known.content, file.content);
            }
            None => desired.files.push(DesiredFile {
                path,
                workspace,
                agents: vec![agent],
                content: file.content,
                starts_as: file.starts_as,
            }),
        }
    }
}

/// Adds the entries of another agent that reads the same file.
fn merge(known: &mut FileContent, other: FileContent) {
    match (known, other) {
        (FileContent::Entries { entries, .. }, FileContent::Entries { entries: more, .. }) => {
            for entry in more {
                if !entries.contains(&entry) {
                    entries.push(entry);
                }
            }
        }
        // A file of ours alone belongs to one agent.
        (FileContent::Whole(_) | FileContent::Entries { .. }, FileContent::Whole(_) | FileContent::Entries { .. }) => {}
    }
}

/// Skill directories for every skill that applies and every one of the agents that may have it.
pub(crate) fn skills(
    context: &Context,
    agents: &[AgentId],
    (catalog, selection): (&Catalog, &Selection),
    (ledger, held): (&Ledger, &[SkillId]),
    desired: &mut DesiredState,
) {
    let Some(root) = context.root() else { return };
    // What is the user's alone is not for the project's repository, whatever the project wants committed.
    let commit = |parent: &Path, rank| match context.settings.install_commit.value && !is_personal(rank) {
        true => CommitPolicy::Yes,
        false if parent.strip_prefix(root).is_ok_and(refuses_ignored_skills) => CommitPolicy::NoButOpened,
        false => CommitPolicy::No,
    };
    for verdict in &selection.skills {
        if let (SkillState::Blocked(kind), Some((_, skill))) = (verdict.state, catalog.skill(verdict.id)) {
            desired.warnings.push(format!("{}: not installed: its text has {}", skill.shown, kind.describe()));
        }
    }
    for verdict in selection.skills.iter().filter(|verdict| verdict.state == SkillState::Applies) {
        let Some((source, skill)) = catalog.skill(verdict.id) else { continue };
        let parents = parents(context, agents, (catalog, verdict.id), ledger);
        if parents.is_empty() {
            continue;
        }
        let name = &skill.document.name;
        let (files, text, hold) = match read(source, skill) {
            Ok((files, text)) if held.contains(&verdict.id) => (files, text, InstallPolicy::AsInstalled),
            Ok((files, text)) => (files, text, InstallPolicy::None),
            // What cannot be read now is not gone.
            Err(reason) => {
                let is_known = |(parent, _): &(PathBuf, _)| ledger.record(&parent.join(name.as_str())).is_some();
                let known = parents.iter().any(is_known);
                let outcome = if known { "what is installed of it stays as it is" } else { "not installed" };
                desired.warnings.push(format!("{}: {outcome}: {reason}", skill.shown));
                (Vec::new(), String::new(), InstallPolicy::AsInstalled)
            }
        };
        for (parent, agents) in parents {
            let content = SkillSource {
                files: files.clone(),
                document: skill.document.clone(),
                text: text.clone(),
                commit: commit(&parent, source.spec.rank),
            };
            desired.skills.push(DesiredSkill {
                user_directories: user_directories(context, &agents),
                parent,
                name: name.clone(),
                agents,
                source: content,
                brought_by: source.spec.name.clone(),
                hold,
            });
        }
    }
}

/// Returns the directories of the user in which agents look for skills.
fn user_directories(context: &Context, agents: &[AgentId]) -> Vec<PathBuf> {
    let Some(home) = &context.home else { return Vec::new() };
    agents.iter().flat_map(|agent| spec(*agent).skills.global).map(|directory| home.join(directory)).collect()
}

/// The directories a skill goes into, each with the agents that read it there.
pub(crate) fn parents(
    context: &Context,
    agents: &[AgentId],
    (catalog, id): (&Catalog, SkillId),
    ledger: &Ledger,
) -> Vec<(PathBuf, Vec<AgentId>)> {
    let mut parents: Vec<(PathBuf, Vec<AgentId>)> = Vec::new();
    let (Some(root), Some((_, skill))) = (context.root(), catalog.skill(id)) else { return parents };
    for agent in agents.iter().copied() {
        let owned = has_skill(context, agent, ledger, catalog, (id, skill));
        if owned || !skill.document.compatibility.allows(agent) {
            continue;
        }
        let parent = root.join(spec(agent).skills.project);
        match parents.iter_mut().find(|(known, _)| *known == parent) {
            Some((_, agents)) => agents.push(agent),
            None => parents.push((parent, vec![agent])),
        }
    }
    parents
}

type SkillContent = (Vec<SkillFile>, String);

fn read(source: &LoadedSource, skill: &LoadedSkill) -> Result<SkillContent, String> {
    let tree = tree_of_skill(source, skill).ok_or("its source is gone")?;
    let directory = skill.path.rsplit_once('/').map_or("", |(directory, _)| directory);
    let files = skill_files(&*tree, directory)?;
    let text = tree.read_text(&skill.path, MAX_SKILL).map_err(|error| error.to_string())?;
    Ok((files, text))
}
