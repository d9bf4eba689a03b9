//! The form of an agent's JSON, as data: what each agent's file fills in, and what the translation reads.

use std::borrow::Cow;

use serde_json::{Map, Value};
use symposium_model::hook::{Event, HookOutput};

/// How one agent's JSON is read and written.
#[derive(Debug)]
pub struct WireFormat {
    /// Where it keeps what we translate.
    pub fields: FieldNames,
    /// Its tools that have a canonical name. Of several rows with one name the first is what a handler in its format is
    /// told of; the others are further tools that do the same.
    pub tools: &'static [ToolMapping],
    /// Its other tools, as far as they are known: they run no command and change no file of the person's, or what they
    /// do is done by tools that raise events of their own.
    pub harmless: &'static [&'static str],
    /// What it calls the tools of MCP servers.
    pub mcp: McpNames,
    pub write: fn(&LoweredOutcome<'_>) -> HookAnswer,
    /// Reads the answer of a handler that speaks its language; a rewritten input stays in the agent's own words.
    pub read: fn(Event, &mut Map<String, Value>) -> HookOutput,
    /// What its handlers mean when they allow something.
    pub allow: AllowMeaning,
    /// Events at which a handler's plain text counts as context.
    pub plain_text: &'static [Event],
}

/// What the handlers of an agent mean when they allow something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowMeaning {
    /// It goes on without asking the person.
    Grants,
    /// They do not mind; whoever would be asked is asked all the same.
    NoObjection,
}

/// Where an agent's JSON keeps what we translate. Of several names the first is the one it writes today.
#[derive(Debug)]
pub struct FieldNames {
    /// The name of the event.
    pub event: &'static str,
    pub session_id: &'static [&'static str],
    pub cwd: &'static [&'static str],
    pub tool_name: &'static [&'static str],
    /// What the tool is given.
    pub tool_input: &'static [&'static str],
    /// What the tool gave back.
    pub tool_response: &'static [&'static str],
    /// What it said when it failed, where that is told elsewhere.
    pub error: &'static [&'static str],
    /// Inside that, where the text is.
    pub output: &'static [&'static str],
    /// Inside that, what is only there when there is no such text.
    pub without_output: Option<&'static str>,
    /// Inside that, what tells that the tool failed.
    pub failed: fn(&Value) -> bool,
    pub prompt: &'static [&'static str],
    /// Marks around text of ours that the agent puts in front of the prompt.
    pub before_prompt: Option<(&'static str, &'static str)>,
    pub source: &'static [&'static str],
    /// Words for that which differ from Claude's.
    pub source_words: &'static [(&'static str, &'static str)],
    /// What is only there in a sub-agent.
    pub sub_agent: &'static [&'static str],
    /// Whether a hook sent it into this turn: `true`, or a number above 0.
    pub stop_hook_active: &'static [&'static str],
    pub stop_hook_active_is: fn(bool) -> Value,
    pub last_message: &'static [&'static str],
}

impl FieldNames {
    /// The names most agents took over from Claude Code, and nothing of what only some tell.
    pub(crate) const USUAL: Self = Self {
        event: "hook_event_name",
        session_id: &["session_id"],
        cwd: &["cwd"],
        tool_name: &["tool_name"],
        tool_input: &["tool_input"],
        tool_response: &["tool_response"],
        error: &[],
        output: &[],
        without_output: None,
        failed: |_| false,
        prompt: &["prompt"],
        before_prompt: None,
        source: &["source"],
        source_words: &[],
        sub_agent: &[],
        stop_hook_active: &["stop_hook_active"],
        stop_hook_active_is: Value::Bool,
        last_message: &[],
    };
}

/// A tool of an agent that has a canonical name.
#[derive(Debug)]
pub struct ToolMapping {
    pub canonical: &'static str,
    /// The agent's own names for it; the first is the one it uses today.
    pub native: &'static [&'static str],
    /// Keys of its input that are called otherwise: the canonical name, then the agent's.
    pub keys: &'static [(&'static str, &'static str)],
    /// A key and those of its values, or any text, that make it this tool, where the agent has one name for several.
    pub only_with: Option<(&'static str, &'static [&'static str])>,
    /// Other canonical names a matcher may mean it by, where the agent has no tool of that name.
    pub also: &'static [&'static str],
    /// How its input is read.
    pub input: ToolInput,
}

/// How the input of a tool is read.
#[derive(Debug, Clone, Copy)]
pub enum ToolInput {
    /// It is an object, whose keys are renamed.
    Keys,
    /// It is a text: the value of this canonical key.
    Text(&'static str),
    /// The value of this canonical key is put together from it, so that a handler cannot change it.
    Composed(&'static str, fn(&Map<String, Value>) -> Option<String>),
}

impl ToolMapping {
    /// A tool whose input has canonical keys.
    pub(crate) const fn same(canonical: &'static str, native: &'static [&'static str]) -> Self {
        Self::keyed(canonical, native, &[])
    }

    /// A tool whose input has keys of its own.
    pub(crate) const fn keyed(
        canonical: &'static str,
        native: &'static [&'static str],
        keys: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self { canonical, native, keys, only_with: None, also: &[], input: ToolInput::Keys }
    }

    /// A tool whose whole input is a text.
    pub(crate) const fn text(canonical: &'static str, native: &'static [&'static str], key: &'static str) -> Self {
        Self { input: ToolInput::Text(key), ..Self::same(canonical, native) }
    }

    /// The value of a canonical key is put together from what it is given.
    pub(crate) const fn composed(self, key: &'static str, compose: fn(&Map<String, Value>) -> Option<String>) -> Self {
        Self { input: ToolInput::Composed(key, compose), ..self }
    }

    /// A matcher may mean it by other names too.
    pub(crate) const fn also(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }

    /// It is this tool only when the key has one of the values, or any text when there are none.
    pub(crate) const fn only_with(self, key: &'static str, values: &'static [&'static str]) -> Self {
        Self { only_with: Some((key, values)), ..self }
    }

    /// Whether a call of the agent is one of this tool.
    pub(crate) fn is(&self, name: &str, input: &Value) -> bool {
        let marked = |(key, values): (&str, &[&str])| {
            let value = input.get(key).and_then(Value::as_str);
            value.is_some_and(|value| values.is_empty() || values.contains(&value))
        };
        let is_read = match self.input {
            ToolInput::Text(_) => input.is_string(),
            ToolInput::Keys | ToolInput::Composed(..) => true,
        };
        self.native.contains(&name) && is_read && self.only_with.is_none_or(marked)
    }
}

/// From the agent's name, the event and the servers that are known to server and tool.
type SplitName = fn(&str, &Map<String, Value>, &[String]) -> Option<(String, String)>;

/// What an agent calls the tools of MCP servers.
#[derive(Debug)]
pub struct McpNames {
    /// Server and tool in the agent's name; it may look into the event and at the servers that are known. `None` when it
    /// is no such tool or cannot be told.
    pub split: SplitName,
    /// The agent's name for them.
    pub join: fn(&str, &str) -> String,
}

/// What an agent is told.
#[derive(Debug, Clone, PartialEq)]
pub struct LoweredOutcome<'a> {
    pub event: Event,
    /// The agent's own name for it.
    pub native_event: &'a str,
    pub verdict: LoweredDecision,
    pub context: Option<String>,
    /// Text for the person, where the agent shows such.
    pub message: Option<String>,
    /// Everything the tool is given, in the agent's own words, when it was changed.
    pub rewrite: Option<Value>,
    /// Whether skills were written while the session starts.
    pub reload_skills: bool,
}

impl LoweredOutcome<'_> {
    pub fn is_neutral(&self) -> bool {
        self.verdict == LoweredDecision::Nothing
            && self.context.is_none()
            && self.message.is_none()
            && self.rewrite.is_none()
            && !self.reload_skills
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoweredDecision {
    /// What would have happened anyway.
    Nothing,
    /// It goes on without asking anybody: only a plugin says so, never we.
    Allow(Option<String>),
    Ask(Option<String>),
    /// It does not go on; or, at the end of a turn, there is another one.
    Block(String),
}

/// Everything an agent sees of a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookAnswer {
    pub stdout: Cow<'static, str>,
    pub stderr: Cow<'static, str>,
    pub exit: u8,
}

impl HookAnswer {
    pub(crate) fn json(fields: serde_json::Map<String, serde_json::Value>) -> Self {
        Self::text(serde_json::Value::Object(fields).to_string())
    }

    pub(crate) fn text(text: String) -> Self {
        Self { stdout: Cow::Owned(text), stderr: Cow::Borrowed(""), exit: 0 }
    }

    /// Exit code 2, with the reason on standard error.
    pub(crate) fn blocked(reason: &str) -> Self {
        Self { stdout: Cow::Borrowed(""), stderr: Cow::Owned(reason.to_owned()), exit: 2 }
    }
}

/// What is known about an agent's own events.
#[derive(Debug)]
pub struct NativeForm {
    /// What a matcher is held against: the event, and the key of its JSON. At other events a matcher has nothing to say.
    pub matched: &'static [(&'static str, &'static str)],
    /// What a matcher of a session's start is held against.
    pub session_start: StartMatcher,
    /// How a handler's exit code 2 is handed on.
    pub refusal: RefusalFormat,
    /// What becomes of text that is no JSON.
    pub plain_text: PlainText,
    /// Where it looks for the answer of a hook.
    pub answers_on: AnswerStream,
    /// Keys that void an answer before a tool.
    pub void: &'static [&'static str],
    /// What it makes of a handler that puts the decision about a tool off.
    pub defer: DeferSupport,
    /// What it knows in an answer to each event, where anything else voids the whole answer; nothing where it does not.
    pub known: &'static [KnownKeys],
}

/// What an agent makes of `"permissionDecision": "defer"`: whoever started it decides later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeferSupport {
    Known,
    /// It does not know the word, or throws the whole answer away for it.
    Unknown,
}

/// The keys an agent knows in an answer, besides [`UNIVERSAL`].
#[derive(Debug)]
pub struct KnownKeys {
    pub event: &'static str,
    pub answer: &'static [&'static str],
    /// Keys of what belongs to the event.
    pub own: &'static [&'static str],
}

/// Keys that an answer to any event may have.
pub(crate) const UNIVERSAL: &[&str] = &["continue", "stopReason", "suppressOutput", "systemMessage"];

/// What the matcher of a hook at a session's start is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartMatcher {
    Source,
    /// Nothing: the hook runs at every start.
    Ignored,
}

/// How a hook tells an agent that it refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalFormat {
    /// `{"decision": "deny", "reason": …}` on standard output.
    Json,
    /// Exit code 2 with the reason on standard error; standard output is read too.
    ExitCodeAndOutput,
    /// Exit code 2 with the reason on standard error, and nothing on standard output.
    ExitCode,
    /// The agent does not ask hooks.
    Unheard,
}

/// What an agent does with text that is no JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainText {
    /// It uses it, or passes it over.
    Harmless,
    /// It takes it for a refusal, or for nothing it knows: it is kept from it.
    Harmful,
    /// It shows it to the person, as it does a `systemMessage`.
    Message,
}

/// Where an agent looks for the answer of a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerStream {
    Stdout,
    /// On standard output, and on standard error when that is empty.
    StdoutElseStderr,
}

/// Stands for every event in [`NativeForm::matched`].
pub(crate) const EVERY: &str = "*";
