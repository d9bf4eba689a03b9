//! Who really raised an event: several agents run what stands in Claude's settings.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The little that every event is asked for before anything else is known to be needed. One pass, nothing copied that
/// has no escapes in it, everything else skipped; a value of the wrong type counts as absent.
#[derive(Debug, Default)]
pub struct Peek<'a> {
    /// The working directory.
    pub cwd: Option<Cow<'a, str>>,
    cursor_version: Seen,
    timestamp: Seen,
    transcript_path: Seen,
    permission_mode: Seen,
    stop_reason: Seen,
    tool_use_id: Seen,
    camel_case_event: Seen,
    event: Option<Cow<'a, str>>,
    source: Option<Cow<'a, str>>,
}

/// Whether a key is there, whatever its value.
#[derive(Debug, Default, Clone, Copy)]
struct Seen(bool);

/// The keys that are looked at.
#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Key {
    Cwd,
    /// The working directory with Goose.
    WorkingDir,
    /// The working directories with Cursor.
    WorkspaceRoots,
    CursorVersion,
    Timestamp,
    TranscriptPath,
    PermissionMode,
    StopReason,
    ToolUseId,
    /// The event, as VS Code once spelled the key.
    #[serde(rename = "hookEventName")]
    CamelCaseEvent,
    HookEventName,
    Source,
    #[serde(other)]
    Other,
}

impl<'de: 'a, 'a> Deserialize<'de> for Peek<'a> {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        value.deserialize_map(Look)
    }
}

struct Look;

impl<'de> Visitor<'de> for Look {
    type Value = Peek<'de>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Peek<'de>, A::Error> {
        let mut peek = Peek::default();
        let mut working_dir = None;
        let mut first_root = None;
        while let Some(key) = map.next_key()? {
            match key {
                Key::Cwd => peek.cwd = map.next_value::<Text<'de>>()?.0,
                Key::HookEventName => peek.event = map.next_value::<Text<'de>>()?.0,
                Key::Source => peek.source = map.next_value::<Text<'de>>()?.0,
                Key::WorkingDir => working_dir = map.next_value::<Text<'de>>()?.0,
                Key::WorkspaceRoots => {
                    let roots = map.next_value::<serde_json::Value>()?;
                    first_root =
                        roots.get(0).and_then(serde_json::Value::as_str).map(|root| Cow::Owned(root.to_owned()));
                }
                key => {
                    map.next_value::<IgnoredAny>()?;
                    match key {
                        Key::CursorVersion => peek.cursor_version = Seen(true),
                        Key::Timestamp => peek.timestamp = Seen(true),
                        Key::TranscriptPath => peek.transcript_path = Seen(true),
                        Key::PermissionMode => peek.permission_mode = Seen(true),
                        Key::StopReason => peek.stop_reason = Seen(true),
                        Key::ToolUseId => peek.tool_use_id = Seen(true),
                        Key::CamelCaseEvent => peek.camel_case_event = Seen(true),
                        Key::Cwd
                        | Key::WorkingDir
                        | Key::WorkspaceRoots
                        | Key::HookEventName
                        | Key::Source
                        | Key::Other => {}
                    }
                }
            }
        }
        peek.cwd = peek.cwd.or(working_dir).or(first_root);
        Ok(peek)
    }
}

/// A text, not copied where it need not be; anything else is none.
struct Text<'a>(Option<Cow<'a, str>>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        value.deserialize_any(AnyText)
    }
}

struct AnyText;

impl<'de> Visitor<'de> for AnyText {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("anything")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text(Some(Cow::Borrowed(text))))
    }

    fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text(Some(Cow::Owned(text.to_owned()))))
    }

    fn visit_unit<E>(self) -> Result<Text<'de>, E> {
        Ok(Text(None))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Text<'de>, E> {
        Ok(Text(None))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Text<'de>, E> {
        Ok(Text(None))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Text<'de>, E> {
        Ok(Text(None))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Text<'de>, E> {
        Ok(Text(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Text<'de>, A::Error> {
        while values.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Text(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Text<'de>, A::Error> {
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Text(None))
    }
}

impl Peek<'_> {
    /// Whether only Cursor sends it.
    pub(crate) fn is_from_cursor(&self) -> bool {
        self.cursor_version.0
    }

    /// Whether only Copilot sends it. It names its transcript at the end of a turn alone, and then why the turn ends.
    pub(crate) fn is_from_copilot(&self) -> bool {
        self.has_only_the_time() && (!self.transcript_path.0 || self.stop_reason.0) && !self.is_from_vscode()
    }

    /// Whether only Gemini sends it, whose names of events these are: but for the start of a session nobody else uses them.
    pub(crate) fn is_from_gemini(&self, mut events: impl Iterator<Item = &'static str>) -> bool {
        let is_own = events.any(|event| self.event.as_deref() == Some(event));
        self.has_only_the_time() && self.transcript_path.0 && is_own && !self.is_from_vscode()
    }

    /// Whether only VS Code sends it. It numbers the uses of a tool, as Claude does and Copilot does not; beside a
    /// transcript, a session of it is always new.
    pub(crate) fn is_from_vscode(&self) -> bool {
        let numbered = self.tool_use_id.0;
        let begins = self.transcript_path.0 && self.source.as_deref() == Some("new");
        let told = self.transcript_path.0
            && !self.stop_reason.0
            && matches!(self.event.as_deref(), Some("UserPromptSubmit" | "Stop"));
        self.has_only_the_time() && (self.camel_case_event.0 || numbered || begins || told)
    }

    /// Claude tells its mode with most events and the time with none.
    fn has_only_the_time(&self) -> bool {
        self.timestamp.0 && !self.permission_mode.0
    }
}
