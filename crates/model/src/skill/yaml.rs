//! Parses a block of YAML into keys and values with their positions, within limits that no honest frontmatter reaches.
//!
//! The events of the parser are used directly: typed deserialization would turn `1.0` into a number and lose its
//! spelling, stop at a duplicate key, and know no positions.

use std::ops::Range;

use serde_saphyr::granit_parser::{ErrorKind, Event, Parser, ScalarStyle, Span, StrInput};

const MOST_NODES: usize = 512;

const DEEPEST: usize = 16;

/// A value with its position in bytes of the block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct YamlNode {
    pub(super) span: Range<usize>,
    pub(super) value: YamlValue,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum YamlValue {
    Text { text: String, style: TextStyle },
    List(Vec<YamlNode>),
    Map(Vec<YamlEntry>),
}

/// Quoting, which tells if a text could have been meant as another type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextStyle {
    Plain,
    Quoted,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct YamlEntry {
    pub(super) key: String,
    pub(super) key_span: Range<usize>,
    pub(super) value: YamlNode,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct YamlProblem {
    pub(super) kind: YamlProblemKind,
    /// In bytes of the block.
    pub(super) at: usize,
    pub(super) message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum YamlProblemKind {
    /// A slip of the author that [`repair`](super::repair) may fix.
    Syntax,
    Tab,
    /// Anchors, or an excessive size: no repair is tried.
    Limits,
}

impl YamlNode {
    /// Returns true for an empty value, including `key:`, `key: ~` and `key: null`.
    pub(super) fn is_nothing(&self) -> bool {
        match &self.value {
            YamlValue::Text { text, style: TextStyle::Plain } => {
                matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL")
            }
            YamlValue::Text { text, style: TextStyle::Quoted } => text.trim().is_empty(),
            YamlValue::List(items) => items.is_empty(),
            YamlValue::Map(entries) => entries.is_empty(),
        }
    }

    pub(super) fn text(&self) -> String {
        match &self.value {
            YamlValue::Text { text, .. } => text.clone(),
            YamlValue::List(items) => items.iter().map(Self::nested_text).collect::<Vec<_>>().join(", "),
            YamlValue::Map(entries) => {
                let pairs: Vec<String> =
                    entries.iter().map(|entry| format!("{}: {}", entry.key, entry.value.nested_text())).collect();
                pairs.join(", ")
            }
        }
    }

    fn nested_text(&self) -> String {
        match &self.value {
            YamlValue::Text { text, .. } => text.clone(),
            YamlValue::List(_) => format!("[{}]", self.text()),
            YamlValue::Map(_) => format!("{{{}}}", self.text()),
        }
    }

    pub(super) fn items(&self) -> Vec<String> {
        match &self.value {
            YamlValue::List(items) => items.iter().filter(|item| !item.is_nothing()).map(Self::text).collect(),
            YamlValue::Text { .. } | YamlValue::Map(_) if self.is_nothing() => Vec::new(),
            YamlValue::Text { .. } | YamlValue::Map(_) => vec![self.text()],
        }
    }
}

impl YamlEntry {
    pub(super) fn shifted(self, by: usize) -> Self {
        let key_span = self.key_span.start + by..self.key_span.end + by;
        Self { key: self.key, key_span, value: self.value.shifted(by) }
    }
}

impl YamlNode {
    fn shifted(self, by: usize) -> Self {
        let value = match self.value {
            YamlValue::Text { .. } => self.value,
            YamlValue::List(items) => YamlValue::List(items.into_iter().map(|item| item.shifted(by)).collect()),
            YamlValue::Map(entries) => YamlValue::Map(entries.into_iter().map(|entry| entry.shifted(by)).collect()),
        };
        Self { span: self.span.start + by..self.span.end + by, value }
    }
}

/// Parses a block whose top level must be a mapping; an empty block is an empty mapping.
pub(super) fn read(block: &str) -> Result<Vec<YamlEntry>, YamlProblem> {
    let mut reader = YamlReader { block, parser: Parser::new_from_str(block), nodes: 0 };
    let mut entries = Vec::new();
    let mut documents = 0;
    loop {
        let (event, span) = reader.next()?;
        match event {
            Event::StreamEnd => return Ok(entries),
            Event::StreamStart | Event::DocumentEnd => {}
            Event::DocumentStart(..) => {
                documents += 1;
                if documents > 1 {
                    return Err(syntax(&span, "there is a second document"));
                }
            }
            event => {
                let node = reader.node(event, &span, 0)?;
                match node.value {
                    YamlValue::Map(map) => entries = map,
                    YamlValue::Text { .. } if node.is_nothing() => {}
                    YamlValue::Text { .. } | YamlValue::List(_) => {
                        return Err(syntax(&span, "it does not consist of `key: value` lines"));
                    }
                }
            }
        }
    }
}

struct YamlReader<'t> {
    block: &'t str,
    parser: Parser<'t, StrInput<'t>>,
    nodes: usize,
}

impl<'t> YamlReader<'t> {
    fn next(&mut self) -> Result<(Event<'t>, Span), YamlProblem> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => {
                let start = error.marker().byte_offset().unwrap_or_default();
                let message = in_words(error.kind());
                Err(match self.tab_after(start).filter(|_| message.contains("tab")) {
                    Some(at) => {
                        let message = "a line is indented with a tab, which YAML does not allow".to_owned();
                        YamlProblem { kind: YamlProblemKind::Tab, at, message }
                    }
                    None => YamlProblem { kind: YamlProblemKind::Syntax, at: self.place(error.kind(), start), message },
                })
            }
            None => Err(YamlProblem { kind: YamlProblemKind::Syntax, at: 0, message: "it ends too early".to_owned() }),
        }
    }

    /// Finds the first tab that indents a line, from the line of `start` on: the parser reports the value before it.
    fn tab_after(&self, start: usize) -> Option<usize> {
        let from = self.block.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
        let mut at = from;
        for line in self.block.get(from..)?.split_inclusive('\n') {
            let indent = line.len() - line.trim_start().len();
            if let Some(tab) = line.get(..indent).and_then(|indent| indent.find('\t')) {
                return Some(at + tab);
            }
            at += line.len();
        }
        None
    }

    /// Returns the position of an error. The parser reports a forbidden character at the start of its value.
    fn place(&self, kind: &ErrorKind, start: usize) -> usize {
        let ErrorKind::UnexpectedCharacter { character } = kind else { return start };
        let value = self.block.get(start..).unwrap_or_default();
        start + value.find(*character).unwrap_or_default()
    }

    fn node(&mut self, event: Event<'t>, span: &Span, depth: usize) -> Result<YamlNode, YamlProblem> {
        self.nodes += 1;
        if self.nodes > MOST_NODES || depth > DEEPEST {
            return Err(limits(span, format!("it has more than {MOST_NODES} values or {DEEPEST} levels")));
        }
        if event.anchor_id().is_some() || event.is_alias() {
            return Err(limits(span, "anchors (`&x`) and aliases (`*x`) are not supported".to_owned()));
        }
        let mut whole = bytes(span);
        let value = match event {
            Event::Scalar(text, style, ..) => {
                let style = match style {
                    ScalarStyle::Plain => TextStyle::Plain,
                    ScalarStyle::SingleQuoted
                    | ScalarStyle::DoubleQuoted
                    | ScalarStyle::Literal
                    | ScalarStyle::Folded => TextStyle::Quoted,
                };
                YamlValue::Text { text: text.into_owned(), style }
            }
            Event::SequenceStart(..) => {
                let mut items = Vec::new();
                loop {
                    let (event, span) = self.next()?;
                    if matches!(event, Event::SequenceEnd) {
                        whole.end = bytes(&span).end.max(whole.end);
                        break YamlValue::List(items);
                    }
                    items.push(self.node(event, &span, depth + 1)?);
                }
            }
            Event::MappingStart(..) => {
                let mut entries = Vec::new();
                loop {
                    let (event, span) = self.next()?;
                    if matches!(event, Event::MappingEnd) {
                        whole.end = bytes(&span).end.max(whole.end);
                        break YamlValue::Map(entries);
                    }
                    let key = self.node(event, &span, depth + 1)?;
                    let (event, span) = self.next()?;
                    let value = self.node(event, &span, depth + 1)?;
                    entries.push(YamlEntry { key: key.text(), key_span: key.span, value });
                }
            }
            _ => return Err(syntax(span, "expected a value here")),
        };
        Ok(YamlNode { span: whole, value })
    }
}

/// Describes common slips in words that need no knowledge of YAML; the others in the parser's words.
fn in_words(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::MappingValueNotAllowed => "a value that is not in quotes contains `: `".to_owned(),
        ErrorKind::UnexpectedCharacter { character: '`' } => {
            "a value that is not in quotes begins with a backtick".to_owned()
        }
        ErrorKind::UnexpectedCharacter { character } if character.is_ascii_graphic() => {
            format!("a value that is not in quotes begins with `{character}`")
        }
        ErrorKind::UnexpectedCharacter { character } => {
            format!("it contains the character U+{:04X}, which YAML does not allow", u32::from(*character))
        }
        ErrorKind::UnknownAnchor => "a value that is not in quotes begins with `*`".to_owned(),
        ErrorKind::SimpleKeyExpected => "a line is neither `key: value` nor indented".to_owned(),
        ErrorKind::UnclosedQuotedScalar | ErrorKind::InvalidQuotedScalarIndent => "a quote is never closed".to_owned(),
        other => other.to_string(),
    }
}

fn bytes(span: &Span) -> Range<usize> {
    span.byte_range().unwrap_or_default()
}

fn syntax(span: &Span, message: &str) -> YamlProblem {
    YamlProblem { kind: YamlProblemKind::Syntax, at: bytes(span).start, message: message.to_owned() }
}

fn limits(span: &Span, message: String) -> YamlProblem {
    YamlProblem { kind: YamlProblemKind::Limits, at: bytes(span).start, message }
}

#[cfg(test)]
#[path = "yaml_tests.rs"]
mod tests;
