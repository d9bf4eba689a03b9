//! A TOML text: its tree, and the span of every header and every key with its value.

use std::cell::OnceCell;
use std::ops::Range;

use serde_json::Value as Json;
use toml_edit::{Document, InlineTable, Item, Table, Value};

use crate::error::{EditError, EditErrorKind};
use crate::items::{ListItems, TextLayout};
use crate::trivia::{CommentStyle, newline_of};

#[derive(Debug)]
pub(crate) struct TomlText<'t> {
    pub(crate) text: &'t str,
    pub(crate) layout: TextLayout,
    document: Document<&'t str>,
    /// Computed on demand: only some edits need them, and a large file has many.
    statements: OnceCell<Vec<TomlStatement>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TomlStatement {
    pub(crate) kind: StatementKind,
    pub(crate) path: Vec<String>,
    /// The header, or the last part of the key.
    pub(crate) head: Range<usize>,
    /// The end of its last byte, before blanks and comments.
    pub(crate) end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatementKind {
    /// `[path]`
    Header,
    /// `[[path]]`
    ElementHeader,
    KeyValue,
}

impl<'t> TomlText<'t> {
    pub(crate) fn parse(text: &'t str) -> Result<Self, EditError> {
        let document = Document::parse(text).map_err(|error| syntax(text, &error))?;
        let layout = TextLayout { newline: newline_of(text), unit: "  ".to_owned(), space: " " };
        Ok(Self { text, layout, document, statements: OnceCell::new() })
    }

    pub(crate) fn json(&self) -> Json {
        json_table(self.document.as_table())
    }

    pub(crate) fn statements(&self) -> &[TomlStatement] {
        self.statements.get_or_init(|| {
            let mut statements = Vec::new();
            collect(self.document.as_table(), &mut Vec::new(), &mut statements);
            statements.sort_by_key(|statement| statement.head.start);
            statements
        })
    }

    /// Finds the item at `path`; an error when a step on the way is not a table.
    pub(crate) fn item(&self, path: &[String]) -> Result<Option<&Item>, EditError> {
        let mut item = self.document.as_item();
        for (depth, key) in path.iter().enumerate() {
            let Some(table) = item.as_table_like() else {
                return Err(self.wrong_shape(path.get(..depth).unwrap_or_default(), "a table", item));
            };
            match table.get(key) {
                Some(next) => item = next,
                None => return Ok(None),
            }
        }
        Ok(Some(item))
    }

    pub(crate) fn wrong_shape(&self, path: &[String], expected: &str, found: &Item) -> EditError {
        let name = path.join(".");
        let kind = found.type_name();
        let article = if kind.starts_with(['a', 'i']) { "an" } else { "a" };
        EditError::new(
            EditErrorKind::Shape,
            self.text,
            found.span().unwrap_or_default(),
            format!("Expected {expected} in `{name}`, found {article} {kind}"),
            format!("make `{name}` {expected}, or remove it"),
        )
    }

    /// Returns the error for valid TOML that only its author can edit.
    pub(crate) fn unsupported(&self, path: &[String], item: Option<&Item>, what: &str, help: String) -> EditError {
        let span = item.and_then(Item::span).unwrap_or_default();
        EditError::new(
            EditErrorKind::Unsupported,
            self.text,
            span,
            format!("`{}` is written as {what}, which Symposium does not edit", path.join(".")),
            help,
        )
    }

    pub(crate) fn inline_items(&self, path: &[String], table: &InlineTable) -> Result<ListItems<'t>, EditError> {
        let has_dots = |(_, value): (&str, &Value)| value.as_inline_table().is_some_and(InlineTable::is_dotted);
        let span = table.span().filter(|_| !table.is_dotted() && !table.iter().any(has_dots));
        let Some(span) = span else {
            let help = format!("write `{}` as a separate table, `[{0}]`", path.join("."));
            return Err(self.unsupported(path, None, "an inline table with dotted keys", help));
        };
        let spans = table.iter().filter_map(|(name, value)| {
            let key = table.key(name)?.span()?;
            Some(key.start..value.span()?.end)
        });
        Ok(ListItems {
            text: self.text,
            comments: CommentStyle::Hash,
            open: span.start + 1,
            close: span.end - 1,
            spans: spans.collect(),
        })
    }
}

fn collect(table: &Table, path: &mut Vec<String>, statements: &mut Vec<TomlStatement>) {
    for (name, item) in table {
        path.push(name.to_owned());
        let header = |kind, inner: &Table, path: &[String]| {
            let head = inner.span()?;
            Some(TomlStatement { kind, path: path.to_vec(), end: head.end, head })
        };
        match item {
            Item::None => {}
            Item::Value(value) => {
                if let (Some(head), Some(span)) = (table.key(name).and_then(toml_edit::Key::span), value.span()) {
                    let end = span.end;
                    statements.push(TomlStatement { kind: StatementKind::KeyValue, path: path.clone(), head, end });
                }
            }
            Item::Table(inner) => {
                if !inner.is_implicit() && !inner.is_dotted() {
                    statements.extend(header(StatementKind::Header, inner, path));
                }
                collect(inner, path, statements);
            }
            Item::ArrayOfTables(tables) => {
                for inner in tables {
                    statements.extend(header(StatementKind::ElementHeader, inner, path));
                    collect(inner, path, statements);
                }
            }
        }
        path.pop();
    }
}

fn syntax(text: &str, error: &toml_edit::TomlError) -> EditError {
    let message = error.message().lines().next().unwrap_or("this is not TOML");
    let (kind, message, help) = if message.contains("duplicate key") {
        (EditErrorKind::DuplicateKey, "Duplicate key or table".to_owned(), "keep one of the two")
    } else if message.contains("recurs") {
        (EditErrorKind::TooDeep, "Too many levels of arrays or tables".to_owned(), "reduce the nesting")
    } else {
        let mut letters = message.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        let sentence = first.into_iter().chain(letters).collect();
        (EditErrorKind::Syntax, sentence, "fix the file, then run the command again")
    };
    EditError::new(kind, text, error.span().unwrap_or_default(), message, help)
}

/// Converts a TOML item to JSON; dates become strings.
pub(super) fn json(item: &Item) -> Json {
    match item {
        Item::None => Json::Null,
        Item::Value(value) => json_value(value),
        Item::Table(table) => json_table(table),
        Item::ArrayOfTables(tables) => tables.iter().map(json_table).collect(),
    }
}

fn json_table(table: &Table) -> Json {
    table.iter().map(|(key, item)| (key.to_owned(), json(item))).collect()
}

fn json_value(value: &Value) -> Json {
    match value {
        Value::String(text) => Json::from(text.value().as_str()),
        Value::Integer(number) => Json::from(*number.value()),
        Value::Float(number) => Json::from(*number.value()),
        Value::Boolean(flag) => Json::from(*flag.value()),
        Value::Datetime(date) => Json::from(date.value().to_string()),
        Value::Array(values) => values.iter().map(json_value).collect(),
        Value::InlineTable(table) => table.iter().map(|(key, value)| (key.to_owned(), json_value(value))).collect(),
    }
}
