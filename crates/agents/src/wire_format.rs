//! The format of an agent's JSON, as data: each agent's file fills it in, and the translation reads it.

use std::borrow::Cow;

use serde_json::{Map, Value};
use symposium_model::hook::{Event, HookOutput, NativeUse, ToolResult};

use crate::shell_output::ShellOutput;

#[derive(Debug, Clone, Copy)]
pub struct WireFormat {
    pub fields: FieldNames,
    /// Its tools that have a canonical name. A handler in the agent's format gets the first of several rows with one
    /// name; the others are further tools that do the same.
    pub tools: &'static [ToolMapping],
    /// Its other tools, as far as they are known: they run no command and change no file of the user, or do so through
    /// tools that raise events of their own.
    pub harmless: &'static [&'static str],
    pub mcp: McpNames,
    pub write: fn(&LoweredOutcome<'_>) -> HookAnswer,
    /// Reads the answer of a handler in the agent's format; a changed input keeps the agent's names.
    pub read: fn(Event, &mut Map<String, Value>) -> HookOutput,
    pub allow: AllowMeaning,
    /// Events at which a handler's plain text counts as context.
    pub plain_text: &'static [Event],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowMeaning {
    /// The tool runs without asking the user.
    Grants,
    /// The handler does not object; the agent still asks the user where it would have done so.
    NoObjection,
}

/// The keys of an agent's JSON that are translated. Of several names the first is the one it writes today.
#[derive(Debug, Clone, Copy)]
pub struct FieldNames {
    pub event: &'static str,
    pub session_id: &'static [&'static str],
    pub cwd: &'static [&'static str],
    pub tool_name: &'static [&'static str],
    pub tool_input: &'static [&'static str],
    pub tool_response: &'static [&'static str],
    /// The message of a failed tool, where it has a key of its own.
    pub error: &'static [&'static str],
    pub output: &'static [&'static str],
    /// A key of the response that is present only when there is no output text.
    pub without_output: Option<&'static str>,
    /// A key of the response with a copy of the whole file before an edit.
    pub file_copy: Option<&'static str>,
    pub failed: fn(&Value) -> bool,
    pub prompt: &'static [&'static str],
    /// The texts around context of Symposium that the agent puts in front of the prompt.
    pub before_prompt: Option<(&'static str, &'static str)>,
    /// A key that only a prompt of the user has, where the agent raises the event for other requests to its model too.
    pub users_prompt: Option<&'static str>,
    pub source: &'static [&'static str],
    /// Values of `source` that differ from Claude's, each with Claude's.
    pub source_words: &'static [(&'static str, &'static str)],
    /// Keys that are present only in a sub-agent.
    pub sub_agent: &'static [&'static str],
    /// Tells whether a hook started this turn: `true`, or a number above 0.
    pub stop_hook_active: &'static [&'static str],
    pub stop_hook_active_is: fn(bool) -> Value,
    pub last_message: &'static [&'static str],
    /// Reads the result of a shell command; `None` where the agent does not tell.
    pub shell_output: fn(&ToolResult) -> Option<ShellOutput<'_>>,
    /// Returns a replaced output in the form in which the agent takes it; `None` for a tool where it takes none.
    pub replaced_output: fn(&NativeUse, &ToolResult, &str) -> Option<Value>,
}

impl FieldNames {
    /// The names most agents took over from Claude Code, without the keys that only some have.
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
        file_copy: None,
        failed: |_| false,
        prompt: &["prompt"],
        before_prompt: None,
        users_prompt: None,
        source: &["source"],
        source_words: &[],
        sub_agent: &[],
        stop_hook_active: &["stop_hook_active"],
        stop_hook_active_is: Value::Bool,
        last_message: &[],
        shell_output: |result| result.output.as_deref().map(ShellOutput::plain),
        replaced_output: |_, _, _| None,
    };
}

#[derive(Debug, Clone, Copy)]
pub struct ToolMapping {
    pub canonical: &'static str,
    /// The agent's own names for it; the first is the one it uses today.
    pub native: &'static [&'static str],
    /// Keys of its input with another name: the canonical name, then the agent's.
    pub keys: &'static [(&'static str, &'static str)],
    /// A key and the values (any string where none are listed) that identify this tool, where the agent has one name
    /// for several.
    pub only_with: Option<(&'static str, &'static [&'static str])>,
    /// Other canonical names by which a matcher may mean it, where the agent has no tool of that name.
    pub also: &'static [&'static str],
    pub input: ToolInput,
}

#[derive(Debug, Clone, Copy)]
pub enum ToolInput {
    /// An object, whose keys are renamed.
    Keys,
    /// A string: the value of this canonical key.
    Text(&'static str),
    /// The value of this canonical key is composed from the input, so that a handler cannot change it.
    Composed(&'static str, fn(&Map<String, Value>) -> Option<String>),
}

impl ToolMapping {
    pub(crate) const fn same(canonical: &'static str, native: &'static [&'static str]) -> Self {
        Self::keyed(canonical, native, &[])
    }

    pub(crate) const fn keyed(
        canonical: &'static str,
        native: &'static [&'static str],
        keys: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self { canonical, native, keys, only_with: None, also: &[], input: ToolInput::Keys }
    }

    pub(crate) const fn text(canonical: &'static str, native: &'static [&'static str], key: &'static str) -> Self {
        Self { input: ToolInput::Text(key), ..Self::same(canonical, native) }
    }

    pub(crate) const fn composed(self, key: &'static str, compose: fn(&Map<String, Value>) -> Option<String>) -> Self {
        Self { input: ToolInput::Composed(key, compose), ..self }
    }

    pub(crate) const fn also(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }

    pub(crate) const fn only_with(self, key: &'static str, values: &'static [&'static str]) -> Self {
        Self { only_with: Some((key, values)), ..self }
    }

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

/// Splits the agent's name of a tool, given the event and the known servers, into server and tool.
type SplitName = fn(&str, &Map<String, Value>, &[String]) -> Option<(String, String)>;

#[derive(Debug, Clone, Copy)]
pub struct McpNames {
    /// Returns `None` when it is no such tool or cannot be split unambiguously.
    pub split: SplitName,
    pub join: fn(&str, &str) -> String,
}

/// An outcome lowered to what the agent supports at the event.
#[derive(Debug, Clone, PartialEq)]
pub struct LoweredOutcome<'a> {
    pub event: Event,
    pub native_event: &'a str,
    pub verdict: LoweredDecision,
    pub context: Option<String>,
    /// `None` where the agent cannot show it to the user.
    pub message: Option<String>,
    /// The complete changed input of the tool, in the agent's names.
    pub rewrite: Option<Value>,
    /// The text that replaces the tool's output, in the agent's form.
    pub output: Option<Value>,
    /// True when skills were written while the session starts.
    pub reload_skills: bool,
}

impl LoweredOutcome<'_> {
    pub fn is_neutral(&self) -> bool {
        self.verdict == LoweredDecision::Nothing
            && self.context.is_none()
            && self.message.is_none()
            && self.rewrite.is_none()
            && self.output.is_none()
            && !self.reload_skills
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoweredDecision {
    /// The agent proceeds as without hooks.
    Nothing,
    /// The tool runs without asking the user: only a plugin decides that, never Symposium.
    Allow(Option<String>),
    Ask(Option<String>),
    /// The tool or prompt is stopped; at the end of a turn, the model takes another one.
    Block(String),
}

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

    pub(crate) fn blocked(reason: &str) -> Self {
        Self { stdout: Cow::Borrowed(""), stderr: Cow::Owned(reason.to_owned()), exit: 2 }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct NativeForm {
    /// The event, and the key of its JSON that a matcher is compared with. At other events a matcher is ignored.
    pub matched: &'static [(&'static str, &'static str)],
    /// The value that a matcher is compared with at a session's start.
    pub session_start: StartMatcher,
    pub refusal: RefusalFormat,
    pub plain_text: PlainText,
    pub answers_on: AnswerStream,
    /// Keys that void an answer before a tool.
    pub void: &'static [&'static str],
    pub defer: DeferSupport,
    /// The keys it knows in an answer to each event, where any other key voids the whole answer; empty where unknown
    /// keys are harmless.
    pub known: &'static [KnownKeys],
}

/// Support for `"permissionDecision": "defer"`, which leaves the decision to the program that started the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeferSupport {
    Known,
    /// The agent ignores the value, or discards the whole answer because of it.
    Unknown,
}

/// The keys an agent knows in an answer, besides [`UNIVERSAL`].
#[derive(Debug)]
pub struct KnownKeys {
    pub event: &'static str,
    pub answer: &'static [&'static str],
    pub own: &'static [&'static str],
}

pub(crate) const UNIVERSAL: &[&str] = &["continue", "stopReason", "suppressOutput", "systemMessage"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartMatcher {
    Source,
    /// The hook runs at every start, whatever its matcher.
    Ignored,
}

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainText {
    /// The agent uses or ignores it.
    Harmless,
    /// The agent takes it for a refusal or an error, so it is not passed on.
    Harmful,
    /// The agent shows it to the user, as it does a `systemMessage`.
    Message,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerStream {
    Stdout,
    /// Standard output, or standard error when that is empty.
    StdoutElseStderr,
}

/// Stands for every event in [`NativeForm::matched`].
pub(crate) const EVERY: &str = "*";
