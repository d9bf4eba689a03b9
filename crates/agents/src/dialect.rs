//! The dialect of an agent: its events, the abilities of its hooks and its neutral answer.
//!
//! The hot path needs nothing else of an agent. It is kept apart from [`AgentSpec`](crate::spec::AgentSpec) so that the
//! program which only answers events does not carry the rest.

use std::borrow::Cow;

use symposium_model::agent::AgentId;
use symposium_model::hook::Event;

use crate::caller::EventPeek;
use crate::wire_format::{HookAnswer, LoweredDecision, LoweredOutcome, NativeForm, WireFormat};

#[derive(Debug, Clone, Copy)]
pub struct AgentDialect {
    pub owner: DialectOwner,
    pub events: EventNames,
    pub aliases: &'static [(&'static str, Event)],
    /// Its native events, in its own spelling. An event that requires an answer is not listed, since a registered event
    /// stays registered.
    pub native: &'static [&'static str],
    /// Native events that are not offered, each with the reason.
    pub withheld: &'static [(&'static str, &'static str)],
    pub own: NativeForm,
    pub can: HookAbilities,
    pub message: MessageChannel,
    /// The longest context it shows whole, in bytes; `None` where no limit is known.
    pub context_limit: Option<usize>,
    /// The longest replaced output it shows whole, in bytes; `None` where no limit is known.
    pub output_limit: Option<usize>,
    pub project_variable: Option<&'static str>,
    pub neutral: NeutralAnswer,
    pub wire: WireFormat,
    /// The native event at which a sub-agent takes context before it begins.
    pub sub_agent_start: Option<&'static str>,
    /// Its model may repeat a call that a hook refused.
    pub repeats_refused: bool,
    /// Other agents that run the hooks in its settings.
    pub guests: &'static [CallerRule],
}

/// Another agent or program that runs the hooks in the settings file of the agent named on the command line.
#[derive(Debug)]
pub struct CallerRule {
    pub dialect: &'static AgentDialect,
    /// Tells the caller's events from those of the agent that owns the settings.
    pub raised: fn(&EventPeek<'_>) -> bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DialectOwner {
    Agent(AgentId),
    /// Another program, which runs the hooks in the settings of an agent.
    Program(&'static str),
}

impl DialectOwner {
    pub fn agent(self) -> Option<AgentId> {
        match self {
            Self::Agent(agent) => Some(agent),
            Self::Program(_) => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Agent(agent) => agent.name(),
            Self::Program(name) => name,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct EventNames {
    pub session_start: Option<&'static str>,
    pub user_prompt_submit: Option<&'static str>,
    pub pre_tool_use: Option<&'static str>,
    pub post_tool_use: Option<&'static str>,
    /// `None` where the agent raises `post_tool_use` for failures too.
    pub tool_failed: Option<&'static str>,
    pub stop: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentEvent {
    Canonical(Event),
    /// The failure twin of [`Event::PostToolUse`]: the same event, with `tool_failed` set.
    ToolFailed,
    Native(&'static str),
}

/// The failure twin on the command line. It has a name of its own because Copilot's payload does not name its event,
/// and it must never change because Codex's trust depends on the text of a command.
const TOOL_FAILED: &str = "post-tool-use-failure";

impl AgentEvent {
    /// Returns the word for it in a registered command: `hook AGENT WORD`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Canonical(event) => event.kebab(),
            Self::ToolFailed => TOOL_FAILED,
            Self::Native(name) => name,
        }
    }

    pub fn canonical(self) -> Option<Event> {
        match self {
            Self::Canonical(event) => Some(event),
            Self::ToolFailed => Some(Event::PostToolUse),
            Self::Native(_) => None,
        }
    }
}

impl EventNames {
    pub const NONE: Self = Self {
        session_start: None,
        user_prompt_submit: None,
        pre_tool_use: None,
        post_tool_use: None,
        tool_failed: None,
        stop: None,
    };

    /// Returns the agent's own name for a canonical event; `None` where it has no such event.
    pub fn native_name(&self, event: Event) -> Option<&'static str> {
        match event {
            Event::PreToolUse => self.pre_tool_use,
            Event::PostToolUse => self.post_tool_use,
            Event::UserPromptSubmit => self.user_prompt_submit,
            Event::SessionStart => self.session_start,
            Event::Stop => self.stop,
        }
    }
}

impl AgentDialect {
    /// Parses an event: canonical names and the agent's own, in any of the usual spellings (`pre-tool-use`,
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

    pub fn name_of(&self, event: AgentEvent) -> Option<&'static str> {
        match event {
            AgentEvent::Canonical(event) => self.events.native_name(event),
            AgentEvent::ToolFailed => self.events.tool_failed,
            AgentEvent::Native(name) => Some(name),
        }
    }

    pub fn why_withheld(&self, event: &str) -> Option<&'static str> {
        self.withheld.iter().find(|(name, _)| *name == event).map(|(_, why)| *why)
    }

    pub fn answer(&self, event: AgentEvent, reply: &LoweredOutcome<'_>) -> HookAnswer {
        if reply.is_neutral() { self.neutral(Some(event)) } else { (self.wire.write)(reply) }
    }

    /// Returns the answer that tells a new sub-agent something; `None` where the agent has no event for it.
    pub fn tell_sub_agent(&self, context: String) -> Option<HookAnswer> {
        let reply = LoweredOutcome {
            event: Event::SessionStart,
            native_event: self.sub_agent_start?,
            verdict: LoweredDecision::Nothing,
            context: Some(context),
            message: None,
            output: None,
            rewrite: None,
            reload_skills: false,
        };
        Some((self.wire.write)(&reply))
    }

    /// Returns whether Symposium gets any of its events.
    pub fn has_events(&self) -> bool {
        self.own_events().next().is_some()
    }

    pub fn own_events(&self) -> impl Iterator<Item = &'static str> {
        let translated = Event::ALL.into_iter().filter_map(|event| self.events.native_name(event));
        let aliases = self.aliases.iter().map(|(name, _)| *name);
        translated.chain(self.events.tool_failed).chain(aliases).chain(self.native.iter().copied())
    }

    /// Returns the answer that changes nothing. `None` is an event this version does not know.
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

/// Compares two spellings of an event, ignoring separators and letter case.
fn same_letters(one: &str, other: &str) -> bool {
    fn letters(text: &str) -> impl Iterator<Item = u8> {
        text.bytes().filter(|byte| !matches!(byte, b'-' | b'_')).map(|byte| byte.to_ascii_lowercase())
    }
    letters(one).eq(letters(other))
}

#[derive(Debug, Clone, Copy)]
pub struct NeutralAnswer {
    pub stdout: &'static str,
    /// Native events on which even that would change something.
    pub silent_on: &'static [&'static str],
}

impl NeutralAnswer {
    pub const SILENCE: Self = Self { stdout: "", silent_on: &[] };
}

/// The abilities of hooks at each event; `None` at an event that the agent does not have.
#[derive(Debug, Clone, Copy)]
pub struct HookAbilities {
    pub session_start: Option<EventAbilities>,
    pub user_prompt_submit: Option<EventAbilities>,
    pub pre_tool_use: Option<EventAbilities>,
    pub post_tool_use: Option<EventAbilities>,
    pub tool_failed: Option<EventAbilities>,
    pub stop: Option<EventAbilities>,
}

impl HookAbilities {
    pub const NONE: Self = Self {
        session_start: None,
        user_prompt_submit: None,
        pre_tool_use: None,
        post_tool_use: None,
        tool_failed: None,
        stop: None,
    };

    pub fn after_failure(&self) -> Option<&EventAbilities> {
        self.tool_failed.as_ref().or(self.post_tool_use.as_ref())
    }

    /// Returns whether context at an event reaches the model.
    pub fn tells(&self, event: Event) -> bool {
        self.at(event).is_some_and(|can| can.context == ContextEffect::Reaches)
    }

    pub fn at(&self, event: Event) -> Option<&EventAbilities> {
        match event {
            Event::PreToolUse => self.pre_tool_use.as_ref(),
            Event::PostToolUse => self.post_tool_use.as_ref(),
            Event::UserPromptSubmit => self.user_prompt_submit.as_ref(),
            Event::SessionStart => self.session_start.as_ref(),
            Event::Stop => self.stop.as_ref(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventAbilities {
    pub deny: DenyEffect,
    pub context: ContextEffect,
    pub rewrite: RewriteEffect,
    pub ask: AskEffect,
    pub output: OutputEffect,
}

impl EventAbilities {
    pub const ONLY_WATCH: Self = Self {
        deny: DenyEffect::TrailOnly,
        context: ContextEffect::Impossible,
        rewrite: RewriteEffect::Impossible,
        ask: AskEffect::Denies,
        output: OutputEffect::Impossible,
    };
    /// Context reaches the model; nothing can be stopped.
    pub const ONLY_TELL: Self = Self { context: ContextEffect::Reaches, ..Self::ONLY_WATCH };
    /// Context reaches the model, and so does the reason of a deny.
    pub const TELL_WHY: Self = Self { deny: DenyEffect::BecomesContext, ..Self::ONLY_TELL };
    /// Context reaches the model, and a deny stops the tool or prompt.
    pub const TELL_OR_BLOCK: Self = Self { deny: DenyEffect::Blocks, ..Self::ONLY_TELL };
    /// Context reaches the model, and a tool can be stopped, changed or left to the user's decision.
    pub const TELL_CHANGE_OR_ASK: Self =
        Self { rewrite: RewriteEffect::Works, ask: AskEffect::Works, ..Self::TELL_OR_BLOCK };
    pub const ANOTHER_TURN: Self = Self { deny: DenyEffect::AnotherTurn, ..Self::ONLY_WATCH };
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DenyEffect {
    Blocks,
    AnotherTurn,
    /// The reason reaches the model as context; nothing is stopped.
    BecomesContext,
    /// Only a line in the hook log.
    TrailOnly,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextEffect {
    Reaches,
    Impossible,
}

/// The way to show text to the user and not to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageChannel {
    Shown,
    Impossible,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RewriteEffect {
    Works,
    /// The allow must come from the plugin itself.
    NeedsAllow,
    Impossible,
}

/// The effect of a text that is to replace the output of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputEffect {
    Works,
    /// The model reads the text as an error, so it replaces only the output of a tool that failed.
    OfFailures,
    Impossible,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskEffect {
    Works,
    /// An agent that cannot ask from a hook denies instead.
    Denies,
}

#[cfg(test)]
#[path = "dialect_tests.rs"]
mod tests;
