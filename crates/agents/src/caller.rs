//! Identification of the agent that sent an event: several agents run the hooks in Claude's settings.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The few fields that are read from every event before the whole of it is parsed. One pass; only strings with escapes
/// are copied, everything else is skipped, and a value of the wrong type counts as absent.
#[derive(Debug, Default)]
pub struct EventPeek<'a> {
    pub cwd: Option<Cow<'a, str>>,
    cursor_version: KeyPresence,
    timestamp: KeyPresence,
    transcript_path: KeyPresence,
    permission_mode: KeyPresence,
    stop_reason: KeyPresence,
    tool_use_id: KeyPresence,
    camel_case_event: KeyPresence,
    event: Option<Cow<'a, str>>,
    source: Option<Cow<'a, str>>,
}

#[derive(Debug, Default, Clone, Copy)]
struct KeyPresence(bool);

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum PeekKey {
    Cwd,
    /// Goose's key for the working directory.
    WorkingDir,
    /// Cursor's key for the working directories.
    WorkspaceRoots,
    CursorVersion,
    Timestamp,
    TranscriptPath,
    PermissionMode,
    StopReason,
    ToolUseId,
    /// The spelling of older versions of VS Code.
    #[serde(rename = "hookEventName")]
    CamelCaseEvent,
    HookEventName,
    Source,
    #[serde(other)]
    Other,
}

impl<'de: 'a, 'a> Deserialize<'de> for EventPeek<'a> {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        value.deserialize_map(PeekVisitor)
    }
}

struct PeekVisitor;

impl<'de> Visitor<'de> for PeekVisitor {
    type Value = EventPeek<'de>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<EventPeek<'de>, A::Error> {
        let mut peek = EventPeek::default();
        let mut working_dir = None;
        let mut first_root = None;
        while let Some(key) = map.next_key()? {
            match key {
                PeekKey::Cwd => peek.cwd = map.next_value::<OptionalText<'de>>()?.0,
                PeekKey::HookEventName => peek.event = map.next_value::<OptionalText<'de>>()?.0,
                PeekKey::Source => peek.source = map.next_value::<OptionalText<'de>>()?.0,
                PeekKey::WorkingDir => working_dir = map.next_value::<OptionalText<'de>>()?.0,
                PeekKey::WorkspaceRoots => {
                    let roots = map.next_value::<serde_json::Value>()?;
                    first_root =
                        roots.get(0).and_then(serde_json::Value::as_str).map(|root| Cow::Owned(root.to_owned()));
                }
                key => {
                    map.next_value::<IgnoredAny>()?;
                    match key {
                        PeekKey::CursorVersion => peek.cursor_version = KeyPresence(true),
                        PeekKey::Timestamp => peek.timestamp = KeyPresence(true),
                        PeekKey::TranscriptPath => peek.transcript_path = KeyPresence(true),
                        PeekKey::PermissionMode => peek.permission_mode = KeyPresence(true),
                        PeekKey::StopReason => peek.stop_reason = KeyPresence(true),
                        PeekKey::ToolUseId => peek.tool_use_id = KeyPresence(true),
                        PeekKey::CamelCaseEvent => peek.camel_case_event = KeyPresence(true),
                        PeekKey::Cwd
                        | PeekKey::WorkingDir
                        | PeekKey::WorkspaceRoots
                        | PeekKey::HookEventName
                        | PeekKey::Source
                        | PeekKey::Other => {}
                    }
                }
            }
        }
        peek.cwd = peek.cwd.or(working_dir).or(first_root);
        Ok(peek)
    }
}

/// A string, borrowed where it has no escapes; a value of any other type reads as `None`.
struct OptionalText<'a>(Option<Cow<'a, str>>);

impl<'de: 'a, 'a> Deserialize<'de> for OptionalText<'a> {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        value.deserialize_any(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = OptionalText<'de>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("anything")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<OptionalText<'de>, E> {
        Ok(OptionalText(Some(Cow::Borrowed(text))))
    }

    fn visit_str<E>(self, text: &str) -> Result<OptionalText<'de>, E> {
        Ok(OptionalText(Some(Cow::Owned(text.to_owned()))))
    }

    fn visit_unit<E>(self) -> Result<OptionalText<'de>, E> {
        Ok(OptionalText(None))
    }

    fn visit_bool<E>(self, _: bool) -> Result<OptionalText<'de>, E> {
        Ok(OptionalText(None))
    }

    fn visit_i64<E>(self, _: i64) -> Result<OptionalText<'de>, E> {
        Ok(OptionalText(None))
    }

    fn visit_u64<E>(self, _: u64) -> Result<OptionalText<'de>, E> {
        Ok(OptionalText(None))
    }

    fn visit_f64<E>(self, _: f64) -> Result<OptionalText<'de>, E> {
        Ok(OptionalText(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<OptionalText<'de>, A::Error> {
        while values.next_element::<IgnoredAny>()?.is_some() {}
        Ok(OptionalText(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<OptionalText<'de>, A::Error> {
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(OptionalText(None))
    }
}

impl EventPeek<'_> {
    pub(crate) fn is_from_cursor(&self) -> bool {
        self.cursor_version.0
    }

    /// Returns true for events that only Copilot sends. It sends `transcript_path` only at the end of a turn, together
    /// with `stop_reason`.
    pub(crate) fn is_from_copilot(&self) -> bool {
        self.has_only_the_time() && (!self.transcript_path.0 || self.stop_reason.0) && !self.is_from_vscode()
    }

    /// Returns true for events that only Gemini sends. `events` are Gemini's event names; apart from the start of a
    /// session no other agent uses them.
    pub(crate) fn is_from_gemini(&self, mut events: impl Iterator<Item = &'static str>) -> bool {
        let is_own = events.any(|event| self.event.as_deref() == Some(event));
        self.has_only_the_time() && self.transcript_path.0 && is_own && !self.is_from_vscode()
    }

    /// Returns true for events that only VS Code sends. It sends `tool_use_id`, as Claude does and Copilot does not;
    /// where it sends `transcript_path`, the `source` of a session is always `new`.
    pub(crate) fn is_from_vscode(&self) -> bool {
        let numbered = self.tool_use_id.0;
        let begins = self.transcript_path.0 && self.source.as_deref() == Some("new");
        let told = self.transcript_path.0
            && !self.stop_reason.0
            && matches!(self.event.as_deref(), Some("UserPromptSubmit" | "Stop"));
        self.has_only_the_time() && (self.camel_case_event.0 || numbered || begins || told)
    }

    /// Tells Claude's events from others: Claude sends `permission_mode` with most events and `timestamp` with none.
    fn has_only_the_time(&self) -> bool {
        self.timestamp.0 && !self.permission_mode.0
    }
}
