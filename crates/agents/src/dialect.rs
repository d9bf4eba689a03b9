//! How an agent talks: its events, what its hooks can do, and what it takes for "nothing to say".
//!
//! This is all of an agent that the hot path needs. It is kept apart from [`AgentSpec`](crate::spec::AgentSpec) so that
//! the program which only answers events does not carry the rest.

use std::borrow::Cow;

use symposium_model::agent::AgentId;
use symposium_model::hook::Event;

use crate::caller::EventPeek;
use crate::wire_format::{HookAnswer, LoweredOutcome, NativeForm, WireFormat};

#[derive(Debug)]
pub struct Dialect {
    pub owner: DialectOwner,
    /// What it calls the events we translate.
    pub events: EventNames,
    /// Other names it has for the events we translate.
    pub aliases: &'static [(&'static str, Event)],
    /// Its other events, in its own spelling. A registered event stays registered, so an event the agent cannot do
    /// without an answer to is not listed.
    pub native: &'static [&'static str],
    /// Its events that are not offered, each with the reason.
    pub withheld: &'static [(&'static str, &'static str)],
    /// What is known about those.
    pub own: NativeForm,
    /// What a hook of its can do at each event.
    pub can: HookAbilities,
    /// Where text for the person goes.
    pub message: MessageChannel,
    /// The longest context it shows whole, in bytes; `None` where no limit is known.
    pub context_limit: Option<usize>,
    /// The variable in which it tells a hook its project directory.
    pub project_variable: Option<&'static str>,
    /// What it takes for "nothing to say".
    pub neutral: NeutralAnswer,
    /// How its JSON is read and written.
    pub wire: WireFormat,
    /// Other agents that run what stands in its settings.
    pub guests: &'static [CallerRule],
}

/// Another agent or program that runs what stands in the settings file of the one named on the command line.
#[derive(Debug)]
pub struct CallerRule {
    pub dialect: &'static Dialect,
    /// What tells its events from the host's.
    pub raised: fn(&EventPeek<'_>) -> bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DialectOwner {
    /// An agent we register with.
    Agent(AgentId),
    /// Another program, which runs what stands in the settings of an agent.
    Program(&'static str),
}

impl DialectOwner {
    /// The agent, if it is one.
    pub fn agent(self) -> Option<AgentId> {
        match self {
            Self::Agent(agent) => Some(agent),
            Self::Program(_) => None,
        }
    }

    /// Its name in logs and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agent(agent) => agent.name(),
            Self::Program(name) => name,
        }
    }
}

/// What an agent calls the events we translate.
#[derive(Debug)]
pub struct EventNames {
    /// A session begins or goes on.
    pub session_start: &'static str,
    /// The person sent a prompt.
    pub user_prompt_submit: &'static str,
    /// Before a tool is used.
    pub pre_tool_use: &'static str,
    /// After a tool was used.
    pub post_tool_use: &'static str,
    /// After a tool failed, where the agent tells that apart.
    pub tool_failed: Option<&'static str>,
    /// The agent wants to end its turn.
    pub stop: Option<&'static str>,
}

/// An event as one agent means it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentEvent {
    /// An event every agent is translated to.
    Canonical(Event),
    /// The failure twin of [`Event::PostToolUse`]: the same event, with `tool_failed` set.
    ToolFailed,
    /// An event of that agent alone, in its own spelling.
    Native(&'static str),
}

/// The failure twin on the command line. It has a word of its own because Copilot's payload does not name its event, and
/// it never changes because Codex's trust hangs on the text of a command.
const TOOL_FAILED: &str = "post-tool-use-failure";

impl AgentEvent {
    /// The word for it in a registered command: `hook AGENT WORD`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Canonical(event) => event.kebab(),
            Self::ToolFailed => TOOL_FAILED,
            Self::Native(name) => name,
        }
    }

    /// The canonical event it is handled as.
    pub fn canonical(self) -> Option<Event> {
        match self {
            Self::Canonical(event) => Some(event),
            Self::ToolFailed => Some(Event::PostToolUse),
            Self::Native(_) => None,
        }
    }
}

impl EventNames {
    /// The agent's own name for an event we translate; `None` where it has no such event.
    pub fn native_name(&self, event: Event) -> Option<&'static str> {
        match event {
            Event::PreToolUse => Some(self.pre_tool_use),
            Event::PostToolUse => Some(self.post_tool_use),
            Event::UserPromptSubmit => Some(self.user_prompt_submit),
            Event::SessionStart => Some(self.session_start),
            Event::Stop => self.stop,
        }
    }
}

impl Dialect {
    /// The event a word stands for: canonical names, and the agent's own, in any of the usual spellings (`pre-tool-use`,
    /// `preToolUse`, `PreToolUse`, `pre_tool_use`).
    pub fn event_from(&self, text: &str) -> Option<AgentEvent> {
        let own = |event: &Event| self.events.native_name(*event).is_some_and(|name| same_letters(name, text));
        if let Some(event) = Event::ALL.into_iter().find(|event| same_letters(event.name(), text) || own(event)) {
            return Some(AgentEvent::Canonical(event));
        }
        if same_letters(TOOL_FAILED, text) || self.events.tool_failed.is_some_and(|name| same_letters(name, text)) {
            return Some(AgentEvent::ToolFailed);
        }
        let alias = self.aliases.iter().find(|(name, _)| same_letters(name, text));
        let alias = alias.map(|(_, event)| AgentEvent::Canonical(*event));
        alias.or_else(|| self.native.iter().find(|name| same_letters(name, text)).map(|name| AgentEvent::Native(name)))
    }

    /// The agent's own name for an event; `None` where it has no such event.
    pub fn name_of(&self, event: AgentEvent) -> Option<&'static str> {
        match event {
            AgentEvent::Canonical(event) => self.events.native_name(event),
            AgentEvent::ToolFailed => self.events.tool_failed,
            AgentEvent::Native(name) => Some(name),
        }
    }

    /// Why one of its events is not offered.
    pub fn why_withheld(&self, event: &str) -> Option<&'static str> {
        self.withheld.iter().find(|(name, _)| *name == event).map(|(_, why)| *why)
    }

    /// The answer to an event.
    pub fn answer(&self, event: AgentEvent, reply: &LoweredOutcome<'_>) -> HookAnswer {
        if reply.is_neutral() { self.neutral(Some(event)) } else { (self.wire.write)(reply) }
    }

    /// Every event it has, in its own spelling.
    pub fn own_events(&self) -> impl Iterator<Item = &'static str> {
        let translated = Event::ALL.into_iter().filter_map(|event| self.events.native_name(event));
        let aliases = self.aliases.iter().map(|(name, _)| *name);
        translated.chain(self.events.tool_failed).chain(aliases).chain(self.native.iter().copied())
    }

    /// The answer that changes nothing. `None` is an event this version does not know.
    pub fn neutral(&self, event: Option<AgentEvent>) -> HookAnswer {
        let silent = match event {
            Some(AgentEvent::Native(name)) => self.neutral.silent_on.contains(&name),
            Some(AgentEvent::Canonical(_) | AgentEvent::ToolFailed) => false,
            None => true,
        };
        let stdout = if silent { "" } else { self.neutral.stdout };
        HookAnswer { stdout: Cow::Borrowed(stdout), stderr: Cow::Borrowed(""), exit: 0 }
    }
}

/// Whether two spellings of an event have the same letters; separators and letter case aside.
fn same_letters(one: &str, other: &str) -> bool {
    fn letters(text: &str) -> impl Iterator<Item = u8> {
        text.bytes().filter(|byte| !matches!(byte, b'-' | b'_')).map(|byte| byte.to_ascii_lowercase())
    }
    letters(one).eq(letters(other))
}

/// What an agent takes for "nothing to say".
#[derive(Debug)]
pub struct NeutralAnswer {
    pub stdout: &'static str,
    /// Events of its own on which even that would change something.
    pub silent_on: &'static [&'static str],
}

impl NeutralAnswer {
    pub const SILENCE: Self = Self { stdout: "", silent_on: &[] };
}

/// What an agent's hooks can do at each event.
#[derive(Debug)]
pub struct HookAbilities {
    pub session_start: EventAbilities,
    /// When the person sent a prompt.
    pub user_prompt_submit: EventAbilities,
    pub pre_tool_use: EventAbilities,
    pub post_tool_use: EventAbilities,
    /// After a tool that failed, where that differs.
    pub tool_failed: Option<EventAbilities>,
    /// At the end of a turn, where the agent has that event.
    pub stop: Option<EventAbilities>,
}

impl HookAbilities {
    /// What is possible after a tool that failed.
    pub fn after_failure(&self) -> Option<&EventAbilities> {
        self.tool_failed.as_ref().or(Some(&self.post_tool_use))
    }

    /// What is possible at an event; `None` where the agent has no such event.
    pub fn at(&self, event: Event) -> Option<&EventAbilities> {
        match event {
            Event::PreToolUse => Some(&self.pre_tool_use),
            Event::PostToolUse => Some(&self.post_tool_use),
            Event::UserPromptSubmit => Some(&self.user_prompt_submit),
            Event::SessionStart => Some(&self.session_start),
            Event::Stop => self.stop.as_ref(),
        }
    }
}

/// What a hook can do at one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventAbilities {
    /// What becomes of a deny.
    pub deny: DenyEffect,
    /// What becomes of context for the model.
    pub context: ContextEffect,
    /// What becomes of a changed tool input.
    pub rewrite: RewriteEffect,
    /// What becomes of a wish to ask the person.
    pub ask: AskEffect,
}

impl EventAbilities {
    pub const ONLY_WATCH: Self = Self {
        deny: DenyEffect::TrailOnly,
        context: ContextEffect::Impossible,
        rewrite: RewriteEffect::Impossible,
        ask: AskEffect::Denies,
    };
    /// Context reaches the model; nothing can be stopped.
    pub const ONLY_TELL: Self = Self { context: ContextEffect::Reaches, ..Self::ONLY_WATCH };
    /// Context reaches the model, and so does the reason of a deny.
    pub const TELL_WHY: Self = Self { deny: DenyEffect::BecomesContext, ..Self::ONLY_TELL };
    /// Context reaches the model, and a deny stops what was to happen.
    pub const TELL_OR_BLOCK: Self = Self { deny: DenyEffect::Blocks, ..Self::ONLY_TELL };
    /// A deny sends the model into another turn.
    pub const ANOTHER_TURN: Self = Self { deny: DenyEffect::AnotherTurn, ..Self::ONLY_WATCH };
}

/// What becomes of a deny.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DenyEffect {
    /// What was to happen does not: the tool is not run, the prompt is refused.
    Blocks,
    /// The model takes another turn, with the reason.
    AnotherTurn,
    /// The reason reaches the model as context; nothing is stopped.
    BecomesContext,
    /// A line in the trail.
    TrailOnly,
}

/// What becomes of context for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextEffect {
    Reaches,
    /// The agent has no way to take it.
    Impossible,
}

/// Tells whether an agent has a place for text that the person reads and the model does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageChannel {
    /// The agent shows it to the person, and not to the model.
    Shown,
    /// The agent has no place for it.
    Impossible,
}

/// What becomes of a changed tool input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RewriteEffect {
    /// The tool runs with it.
    Works,
    /// Only together with an allow, which must be the plugin's own.
    NeedsAllow,
    /// The agent has no way to take it.
    Impossible,
}

/// What becomes of a wish to ask the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskEffect {
    Works,
    /// The agent cannot ask from a hook: it is treated as a deny.
    Denies,
}

#[cfg(test)]
#[path = "dialect_tests.rs"]
mod tests;
