//! Registrations: which agents get which servers and events, and the files of several agents together.

use std::path::Path;

use super::{DesiredFile, DesiredState};
use crate::agent::AgentId;
use crate::config::Scope;
use crate::edit::FileContent;
use crate::sync::ledger::{Ledger, RegisteredEvent};
use crate::transport::RegisteredServer;

/// An MCP server of a plugin that may be started.
#[derive(Debug, Clone)]
pub struct PluginServer {
    pub server: RegisteredServer,
    pub scope: ServerScope,
    /// Whether it was made of what an agent has itself.
    pub is_imported: bool,
    /// Whether only the user has it, so that it is in no file of a project.
    pub is_personal: bool,
}

/// Says in whose settings a plugin's server is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerScope {
    /// In every project: it may stand in the user's own settings.
    Everywhere,
    /// In this project: its conditions hold here, and the user's settings are shared by all projects.
    Here,
    /// In other projects: it stays in the user's own settings, though it is switched off here.
    Others,
}

impl PluginServer {
    /// Whether a registration of this kind has it. One that is the user's is in no file of a project.
    fn is_for(&self, target: RegistrationTarget) -> bool {
        match target {
            RegistrationTarget::User => self.scope != ServerScope::Here,
            RegistrationTarget::Guest => self.scope == ServerScope::Here,
            RegistrationTarget::Project => self.scope != ServerScope::Others && !self.is_personal,
        }
    }
}

/// Says in whose files an agent is registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegistrationTarget {
    User,
    /// In the project's, with servers alone: the agent is registered in the user's files.
    Guest,
    Project,
}

impl RegistrationTarget {
    pub fn scope(self) -> Scope {
        match self {
            Self::User => Scope::User,
            Self::Guest | Self::Project => Scope::Project,
        }
    }
}

/// A registration that is wanted.
#[derive(Debug)]
pub struct RegistrationRequest {
    pub agent: AgentId,
    pub target: RegistrationTarget,
    pub servers: Vec<RegisteredServer>,
    /// Events besides the usual ones.
    pub events: Vec<RegisteredEvent>,
    /// Sentences that come before those of this registration.
    pub warnings: Vec<String>,
}

impl RegistrationRequest {
    pub fn new(agent: AgentId, target: RegistrationTarget) -> Self {
        Self { agent, target, servers: Vec::new(), events: Vec::new(), warnings: Vec::new() }
    }
}

/// A registration as files, for one agent.
#[derive(Debug)]
pub struct AgentRegistration {
    pub request: RegistrationRequest,
    pub files: Vec<DesiredFile>,
    pub notes: Vec<String>,
    pub warnings: Vec<String>,
}

/// The agents and servers that are chosen.
pub struct RegistrationSelection<'r> {
    pub workspace: Option<&'r Path>,
    pub user_agents: Vec<AgentId>,
    pub project_agents: Vec<AgentId>,
    pub servers: &'r [PluginServer],
    /// Returns the names of the servers that an agent has itself.
    pub own_servers: &'r dyn Fn(AgentId) -> Vec<String>,
    pub title: fn(AgentId) -> &'static str,
}

impl RegistrationSelection<'_> {
    /// Returns the agents of the user that get servers through the project's files.
    pub fn guests(&self) -> Vec<AgentId> {
        let has_servers = self.servers.iter().any(|server| server.is_for(RegistrationTarget::Guest));
        let agents = self.user_agents.iter().filter(|agent| has_servers && !self.project_agents.contains(agent));
        agents.copied().collect()
    }

    /// Returns every registration that is wanted: the user's, then those of the project.
    pub fn requests(&self, handled: &[(AgentId, String)], ledger: &Ledger) -> Vec<RegistrationRequest> {
        let request = |agent: &AgentId, target: RegistrationTarget, workspace: Option<&Path>| {
            let servers = self.servers_for(*agent, target);
            let events = match target {
                RegistrationTarget::User | RegistrationTarget::Project => events(handled, ledger, *agent, workspace),
                RegistrationTarget::Guest => Vec::new(),
            };
            RegistrationRequest { servers, events, ..RegistrationRequest::new(*agent, target) }
        };
        let mut requests: Vec<RegistrationRequest> =
            self.user_agents.iter().map(|agent| request(agent, RegistrationTarget::User, None)).collect();
        if self.workspace.is_some() {
            let guests = self.guests();
            let guests = guests.iter().map(|agent| request(agent, RegistrationTarget::Guest, None));
            requests.extend(guests.filter(|request| !request.servers.is_empty()));
            let target = RegistrationTarget::Project;
            let first = requests.len();
            requests.extend(self.project_agents.iter().map(|agent| request(agent, target, self.workspace)));
            if let Some(first) = requests.get_mut(first) {
                first.warnings = self.left_out();
            }
        }
        requests
    }

    /// Returns the servers for a registration, without those that were imported from the agent and are still there.
    fn servers_for(&self, agent: AgentId, target: RegistrationTarget) -> Vec<RegisteredServer> {
        let servers: Vec<&PluginServer> = self.servers.iter().filter(|server| server.is_for(target)).collect();
        let is_any_imported = servers.iter().any(|server| server.is_imported);
        let own = if is_any_imported { (self.own_servers)(agent) } else { Vec::new() };
        let stays = |server: &&&PluginServer| !(server.is_imported && own.contains(&server.server.name));
        servers.iter().filter(stays).map(|server| server.server.clone()).collect()
    }

    /// Returns a sentence for each server of the user that agents of the project do not get.
    fn left_out(&self) -> Vec<String> {
        let is_only_here = |agent: &&AgentId| !self.user_agents.contains(agent);
        let agents: Vec<&AgentId> = self.project_agents.iter().filter(is_only_here).collect();
        let Some(first) = agents.first() else { return Vec::new() };
        let titles: Vec<&str> = agents.iter().map(|agent| (self.title)(**agent)).collect();
        let personal = self.servers.iter().filter(|server| server.scope != ServerScope::Others && server.is_personal);
        let sentence = |server: &PluginServer| {
            format!(
                "MCP server `{}` belongs to you, so it is not written into this project's files for {}; run \
                 `symposium init --user --agent {first}` to register it in your user settings",
                server.server.name,
                titles.join(", ")
            )
        };
        personal.map(sentence).collect()
    }
}

/// Returns the events to register with an agent. One that was registered once stays, in its old order: some agents trust
/// a registration by its text and position.
fn events(
    handled: &[(AgentId, String)],
    ledger: &Ledger,
    agent: AgentId,
    workspace: Option<&Path>,
) -> Vec<RegisteredEvent> {
    let mut words: Vec<&str> = ledger.events_of(agent, workspace).collect();
    for (_, word) in handled.iter().filter(|(of, _)| *of == agent) {
        if !words.contains(&word.as_str()) {
            words.push(word);
        }
    }
    let workspace = workspace.map(Path::to_owned);
    let event = |word: &str| RegisteredEvent { agent, workspace: workspace.clone(), event: word.to_owned() };
    words.into_iter().map(event).collect()
}

impl DesiredState {
    /// Adds a registration. A file that two agents share is written once.
    pub fn add_registration(&mut self, registration: AgentRegistration) {
        let AgentRegistration { request, files, notes, warnings } = registration;
        self.events.extend(request.events);
        for note in notes.into_iter().map(|note| (request.agent, note)) {
            // An agent in both scopes has most notes twice.
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        self.warnings.extend(request.warnings.into_iter().chain(warnings));
        for file in files {
            let Some(known) = self.files.iter_mut().find(|known| known.path == file.path) else {
                self.files.push(file);
                continue;
            };
            known.agents.push(request.agent);
            // A file of ours alone belongs to one agent.
            if let (FileContent::Entries { entries, .. }, FileContent::Entries { entries: more, .. }) =
                (&mut known.content, file.content)
            {
                for entry in more {
                    if !entries.contains(&entry) {
                        entries.push(entry);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "registrations_tests.rs"]
mod tests;
