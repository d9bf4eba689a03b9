//! Files that register us with agents, by what agents need and what is there.

use std::path::Path;

use symposium_agents::spec::OtherFiles;
use symposium_agents::{
    AgentPath, OsFamily, RegistrationInput, Scope, SymposiumProgram, alternatives, project_servers, registration, spec,
};
use symposium_io::fs;
use symposium_io::settings::MAX_SETTINGS;
use symposium_model::agent::AgentId;
use symposium_model::config::AgentSettings;
use symposium_model::hook::Event;
use symposium_model::sync::desired::{
    AgentRegistration, PluginServer, RegistrationRequest, RegistrationSelection, RegistrationTarget,
};
use symposium_model::sync::{DesiredFile, DesiredState, Ledger, LedgerRecord, ObservedText, WrittenContent, diff};

use super::compare::EDITOR;
use super::program_path;
use crate::ops::agent_paths::AgentRoots;
use crate::ops::cargo_shim;
use crate::ops::context::Context;
use crate::ops::import::read;

/// Adds the registration of every agent, in the scope its setting comes from.
pub(crate) fn registrations(context: &Context, ledger: &Ledger, servers: &[PluginServer], desired: &mut DesiredState) {
    let (program, warnings) = program_path::for_user(context);
    desired.program_warnings = warnings;
    let options = RegistrationSelection {
        workspace: context.root(),
        user_agents: context.user_agents(),
        project_agents: context.project_agents(),
        servers,
        own_servers: &|agent| read::read(context.roots(), agent).own_servers(ledger),
        title: |agent| spec(agent).title,
    };
    let of_user = existing(context.roots(), Scope::User, &options.user_agents, ledger);
    let agents = [options.project_agents.as_slice(), &options.guests()].concat();
    let of_project = existing(context.roots(), Scope::Project, &agents, ledger);
    for request in options.requests(&desired.handled, ledger) {
        let (program, existing) = match request.target {
            RegistrationTarget::User => (program.clone(), &of_user),
            RegistrationTarget::Guest => (program.clone(), &of_project),
            RegistrationTarget::Project => (SymposiumProgram::Bare, &of_project),
        };
        let switches = context.settings.agent_settings(request.target.scope());
        desired.add_registration(register(context, request, program, existing, switches));
    }
}

/// Returns the files of a registration.
pub(super) fn register(
    context: &Context,
    request: RegistrationRequest,
    program: SymposiumProgram,
    existing: &[AgentPath],
    switches: AgentSettings,
) -> AgentRegistration {
    let agent = request.agent;
    let scope = request.target.scope();
    // What is committed must not change with the machine of the user who commits it.
    let (os, workspace) = match scope {
        Scope::User => (program_path::os(), None),
        Scope::Project => (OsFamily::Posix, context.root().map(Path::to_owned)),
    };
    let input = RegistrationInput {
        existing: existing.to_vec(),
        switches,
        servers: request.servers.clone(),
        stop: request.events.iter().any(|event| event.event == Event::Stop.kebab()),
        native_events: request.events.iter().map(|event| event.event.clone()).collect(),
        shim: cargo_shim::directory(context).filter(|_| request.target == RegistrationTarget::User),
        ..RegistrationInput::new(program, os)
    };
    let registration = match request.target {
        RegistrationTarget::Guest => project_servers(agent, &input),
        RegistrationTarget::User | RegistrationTarget::Project => registration(agent, scope, &input),
    };
    let files = registration.files.into_iter().filter_map(|file| {
        let path = context.roots().resolve(file.place)?;
        let (content, starts_as) = (file.content, file.starts_as);
        Some(DesiredFile { path, workspace: workspace.clone(), agents: vec![agent], content, starts_as })
    });
    AgentRegistration {
        request,
        files: files.collect(),
        notes: registration.notes.into_iter().map(Into::into).collect(),
        warnings: registration.left_out,
    }
}

/// The files that decide where something is written: those that one of the agents needs anyway, and those that are
/// there. One that is there only because of us decides nothing.
pub(crate) fn existing(roots: AgentRoots<'_>, scope: Scope, agents: &[AgentId], ledger: &Ledger) -> Vec<AgentPath> {
    let needed = needed(scope, agents);
    let is_theirs =
        |place: AgentPath| roots.resolve(place).is_some_and(|path| fs::exists(&path) && !is_ours_alone(&path, ledger));
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
    agents.iter().filter_map(|agent| Some((*agent, spec(*agent).mcp.choice(scope)?.fixed()?))).collect()
}

/// Files of the project that an agent does not read because of one that another agent needs and that would not be there
/// without us.
pub(crate) fn hidden(roots: AgentRoots<'_>, agents: &[AgentId], ledger: &Ledger) -> Vec<String> {
    let needed = needed(Scope::Project, agents);
    let is_theirs = |path: &Path| fs::exists(path) && !is_ours_alone(path, ledger);
    let mut sentences = Vec::new();
    for reader in AgentId::ALL.map(spec) {
        let Some(choice) = reader.mcp.choice(Scope::Project) else { continue };
        for (number, place) in choice.existing.iter().enumerate() {
            let Some((agent, _)) = needed.iter().find(|(_, other)| other == place) else { continue };
            let Some(first) = roots.resolve(*place).filter(|path| !is_theirs(path)) else { continue };
            let later = choice.existing.iter().skip(number + 1).filter_map(|place| roots.resolve(*place));
            for unread in later.filter(|path| choice.others == OtherFiles::Hidden && is_theirs(path)) {
                let name = |path: &Path| {
                    let inside = roots.project.and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
                    inside.display().to_string()
                };
                sentences.push(format!(
                    "{} does not read `{}` if `{}` exists, which {} needs; move your servers to that file",
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
