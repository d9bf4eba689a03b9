//! A whole JSON text: its object, lookups in it, and its layout.

use std::borrow::Cow;

use serde_json::Value;

use super::node::{JsonNode, NodeKind, ObjectMember};
use super::parse::parse;
use crate::error::{EditError, EditErrorKind};
use crate::items::{ListItems, TextLayout};
use crate::splice::part;
use crate::trivia::{CommentStyle, line_indent, newline_of};

#[derive(Debug, Clone)]
pub(crate) struct JsonText<'t> {
    pub(crate) text: &'t str,
    /// The top-level object; `None` when the text holds nothing but blanks and comments.
    pub(crate) root: Option<JsonNode>,
    pub(crate) layout: TextLayout,
}

impl<'t> JsonText<'t> {
    pub(crate) fn parse(text: &'t str) -> Result<Self, EditError> {
        let root = parse(text)?;
        if let Some(node) = &root
            && !matches!(node.kind, NodeKind::Object(_))
        {
            return Err(EditError::new(
                EditErrorKind::Shape,
                text,
                node.span.start..node.span.start + 1,
                format!("Expected an object at the top of the file, found {}", article(text, node)),
                "make the file an object, `{ … }`, or move it and run the command again",
            ));
        }
        let layout = layout(text, root.as_ref());
        Ok(Self { text, root, layout })
    }

    pub(crate) fn value(&self, node: &JsonNode) -> Value {
        match &node.kind {
            NodeKind::Object(members) => {
                members.iter().map(|member| (self.name(member).into_owned(), self.value(&member.value))).collect()
            }
            NodeKind::Array(elements) => elements.iter().map(|element| self.value(element)).collect(),
            NodeKind::Scalar => {
                let written = part(self.text, node.span.clone());
                // A value that the number or string type cannot hold still equals itself.
                serde_json::from_str(written).unwrap_or_else(|_| Value::String(written.to_owned()))
            }
        }
    }

    pub(crate) fn name(&self, member: &ObjectMember) -> Cow<'t, str> {
        let inner = self.text.get(member.key.start + 1..member.key.end - 1).unwrap_or_default();
        if !inner.contains('\\') {
            return Cow::Borrowed(inner);
        }
        let written = part(self.text, member.key.clone());
        serde_json::from_str(written).map_or(Cow::Borrowed(inner), Cow::Owned)
    }

    /// Finds the member called `name`, with its index; an error when there are two.
    pub(crate) fn member<'n>(
        &self,
        members: &'n [ObjectMember],
        name: &str,
    ) -> Result<Option<(usize, &'n ObjectMember)>, EditError> {
        let mut found = members.iter().enumerate().filter(|(_, member)| self.name(member) == name);
        let first = found.next();
        match found.next() {
            None => Ok(first),
            Some((_, second)) => Err(EditError::new(
                EditErrorKind::DuplicateKey,
                self.text,
                second.key.clone(),
                format!("Duplicate key `{name}`"),
                "keep one of the two",
            )),
        }
    }

    pub(crate) fn items(&self, node: &JsonNode) -> ListItems<'t> {
        let spans = match &node.kind {
            NodeKind::Object(members) => members.iter().map(|member| member.key.start..member.value.span.end).collect(),
            NodeKind::Array(elements) => elements.iter().map(|element| element.span.clone()).collect(),
            NodeKind::Scalar => Vec::new(),
        };
        ListItems {
            text: self.text,
            comments: CommentStyle::Slashes,
            open: node.span.start + 1,
            close: node.span.end - 1,
            spans,
        }
    }

    pub(crate) fn wrong_shape(&self, path: &[String], expected: &str, found: &JsonNode) -> EditError {
        let name = path.join(".");
        EditError::new(
            EditErrorKind::Shape,
            self.text,
            found.span.clone(),
            format!("Expected {expected} in `{name}`, found {}", article(self.text, found)),
            format!("make `{name}` {expected}, or remove it"),
        )
    }
}

fn article(text: &str, node: &JsonNode) -> &'static str {
    match &node.kind {
        NodeKind::Object(_) => "an object",
        NodeKind::Array(_) => "an array",
        NodeKind::Scalar => match part(text, node.span.clone()).as_bytes().first() {
            Some(b'"') => "a string",
            Some(b't' | b'f') => "a boolean",
            Some(b'n') => "null",
            _ => "a number",
        },
    }
}

fn layout(text: &str, root: Option<&JsonNode>) -> TextLayout {
    let first = root.and_then(|root| match &root.kind {
        NodeKind::Object(members) => members.first(),
        NodeKind::Array(_) | NodeKind::Scalar => None,
    });
    let own_line = first
        .filter(|member| root.is_some_and(|root| part(text, root.span.start..member.key.start).contains('\n')))
        .map(|member| line_indent(text, member.key.start));
    let any_line = || {
        let mut lines =
            text.split('\n').map(|line| part(line, 0..line.len() - line.trim_start_matches([' ', '\t']).len()));
        lines.find(|indent| !indent.is_empty())
    };
    let unit = own_line.filter(|indent| !indent.is_empty()).or_else(any_line).unwrap_or("  ");
    let tight = first.is_some_and(|member| {
        let between = part(text, member.key.end..member.value.span.start);
        !between.ends_with([' ', '\t', '\n'])
    });
    TextLayout { newline: newline_of(text), unit: unit.to_owned(), space: if tight { "" } else { " " } }
}
