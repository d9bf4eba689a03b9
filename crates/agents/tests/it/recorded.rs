//! The recorded payloads, with their agent and event.

use std::path::PathBuf;

use serde_json::{Map, Value};
use symposium_agents::wire::{EventPeek, decode, speaker};
use symposium_agents::{AgentDialect, AgentEvent, dialect, event_from};
use symposium_model::agent::AgentId;
use symposium_model::hook::{Event, EventDetail, HookInput};

/// A known server, so that names with a separator in them can be split.
pub(crate) const SERVERS: [&str; 1] = ["probe"];

pub(crate) struct Recorded {
    pub(crate) name: String,
    pub(crate) agent: AgentId,
    /// The agent whose settings it came through.
    pub(crate) host: AgentId,
    pub(crate) event: AgentEvent,
    pub(crate) text: String,
}

impl Recorded {
    pub(crate) fn payload(&self) -> Map<String, Value> {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// Decodes the canonical event as the program does.
    pub(crate) fn input(&self) -> HookInput {
        let peek: EventPeek<'_> = serde_json::from_str(&self.text).unwrap();
        let speaker = speaker(dialect(self.host), &peek);
        assert_eq!(speaker.owner.agent(), Some(self.agent), "{} through {}", self.name, self.host);
        let servers = SERVERS.map(str::to_owned);
        decode(speaker, self.event, self.payload(), &servers).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}

/// Returns every payload in the folders of one agent, in order. Those of agents that read Claude's settings come twice.
pub(crate) fn of(agent: AgentId) -> Vec<Recorded> {
    let own = [agent];
    let guest = [agent, AgentId::Claude];
    let folders: &[(&str, &[AgentId])] = match agent {
        AgentId::Copilot => &[("copilot", &own), ("copilot-pascal-case", &guest)],
        AgentId::Cursor => &[("cursor", &guest)],
        AgentId::Gemini => &[("gemini", &guest)],
        AgentId::OpenCode => &[("opencode-bridge", &own)],
        AgentId::Kilo => &[("kilo-bridge", &own)],
        AgentId::Cline => &[("cline-bridge", &own)],
        AgentId::Pi => &[("pi-bridge", &own)],
        AgentId::Antigravity | AgentId::Agents => &[],
        AgentId::Claude
        | AgentId::Codex
        | AgentId::Kiro
        | AgentId::Goose
        | AgentId::Qwen
        | AgentId::Droid
        | AgentId::Crush => &[(agent.name(), &own)],
    };
    let payloads = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/payloads");
    let mut all = Vec::new();
    for (folder, hosts) in folders {
        let mut files: Vec<String> = std::fs::read_dir(payloads.join(folder))
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        for (file, host) in files.iter().flat_map(|file| hosts.iter().map(move |host| (file, *host))) {
            let word = file.split('.').next().unwrap();
            let event = event_from(agent, word).unwrap_or_else(|| panic!("{folder}/{file}: no such event"));
            let text = std::fs::read_to_string(payloads.join(folder).join(file)).unwrap();
            all.push(Recorded { name: format!("{folder}/{file}"), agent, host, event, text });
        }
    }
    all
}

/// Returns a payload of an event: about a shell command where it is about a tool, of a turn the user began where one
/// ends.
pub(crate) fn one(agent: AgentId, event: AgentEvent) -> Option<Recorded> {
    let usual = |recorded: &Recorded| match recorded.input().detail {
        EventDetail::PreToolUse(tool) | EventDetail::PostToolUse(tool, _) => tool.name == "Bash",
        EventDetail::Stop { stop_hook_active, .. } => !stop_hook_active,
        EventDetail::UserPromptSubmit { .. } | EventDetail::SessionStart { .. } => true,
    };
    let all = || of(agent).into_iter().filter(|recorded| recorded.event == event && recorded.host == agent);
    all().find(usual).or_else(|| all().next())
}

pub(crate) fn events(dialect: &AgentDialect) -> Vec<AgentEvent> {
    let events = Event::ALL.map(AgentEvent::Canonical).into_iter().chain([AgentEvent::ToolFailed]);
    events.filter(|event| dialect.name_of(*event).is_some()).collect()
}
