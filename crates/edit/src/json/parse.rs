//! A parser for JSON with comments and trailing commas, with precise errors for anything else.
//!
//! It is written by hand because of the inputs it must reject: other parsers for JSON with comments accept line breaks
//! inside strings, Unicode blanks and missing commas, and the agents do not.

use std::ops::Range;

use super::node::{JsonNode, NodeKind, ObjectMember};
use crate::error::{EditError, EditErrorKind};
use crate::splice::part;
use crate::trivia::{CommentStyle, TriviaPiece, piece};

/// Maximum nesting of arrays and objects; more is no settings file, and would exhaust the stack.
const MAX_DEPTH: usize = 256;

/// Parses the value of the text; `None` when there are only blanks and comments.
pub(super) fn parse(text: &str) -> Result<Option<JsonNode>, EditError> {
    let mut parser = JsonParser { text, at: 0 };
    parser.skip_trivia()?;
    if parser.peek().is_none() {
        return Ok(None);
    }
    let node = parser.value(0)?;
    parser.skip_trivia()?;
    if parser.peek().is_some() {
        return Err(parser.error(
            EditErrorKind::SeveralValues,
            parser.at..parser.at + 1,
            "Expected the end of the file after its closing bracket",
            "keep one object, and remove everything after it",
        ));
    }
    Ok(Some(node))
}

struct JsonParser<'t> {
    text: &'t str,
    at: usize,
}

impl JsonParser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn error(&self, kind: EditErrorKind, span: Range<usize>, message: impl Into<String>, help: &str) -> EditError {
        EditError::new(kind, self.text, span, message, help)
    }

    fn syntax(&self, span: Range<usize>, message: impl Into<String>) -> EditError {
        self.error(EditErrorKind::Syntax, span, message, "fix the file, then run the command again")
    }

    fn expected(&self, what: &str) -> EditError {
        let found = part(self.text, self.at..self.text.len()).chars().next();
        let message = match found {
            Some(control) if control.is_control() => format!("Expected {what}, found `{}`", control.escape_debug()),
            Some(found) => format!("Expected {what}, found `{found}`"),
            None => format!("Expected {what}, found the end of the file"),
        };
        self.syntax(self.at..self.at + found.map_or(0, char::len_utf8), message)
    }

    fn skip_trivia(&mut self) -> Result<(), EditError> {
        while let Some((piece, end)) = piece(self.text, self.at, CommentStyle::Slashes) {
            if piece == TriviaPiece::Unclosed {
                return Err(self.syntax(self.at..self.at + 2, "This comment has no end"));
            }
            self.at = end;
        }
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<JsonNode, EditError> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{' | b'[') if depth == MAX_DEPTH => {
                return Err(self.error(
                    EditErrorKind::TooDeep,
                    start..start + 1,
                    format!("More than {MAX_DEPTH} levels of objects and arrays"),
                    "reduce the nesting",
                ));
            }
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => {
                self.string()?;
                NodeKind::Scalar
            }
            Some(b'-' | b'0'..=b'9') => {
                self.number()?;
                NodeKind::Scalar
            }
            _ => {
                let rest = part(self.text, start..self.text.len());
                let word = ["true", "false", "null"].into_iter().find(|word| rest.starts_with(word));
                self.at += word.ok_or_else(|| self.expected("a value"))?.len();
                NodeKind::Scalar
            }
        };
        Ok(JsonNode { span: start..self.at, kind })
    }

    fn object(&mut self, depth: usize) -> Result<NodeKind, EditError> {
        let mut members = Vec::new();
        self.at += 1;
        loop {
            self.skip_trivia()?;
            match self.peek() {
                Some(b'}') => break,
                Some(b'"') => {}
                _ => return Err(self.expected("a key in double quotes or `}`")),
            }
            let start = self.at;
            self.string()?;
            let key = start..self.at;
            self.skip_trivia()?;
            if self.peek() != Some(b':') {
                return Err(self.expected("`:`"));
            }
            self.at += 1;
            self.skip_trivia()?;
            members.push(ObjectMember { key, value: self.value(depth + 1)? });
            self.skip_trivia()?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.expected("`,` or `}`")),
            }
        }
        self.at += 1;
        Ok(NodeKind::Object(members))
    }

    fn array(&mut self, depth: usize) -> Result<NodeKind, EditError> {
        let mut elements = Vec::new();
        self.at += 1;
        loop {
            self.skip_trivia()?;
            if self.peek() == Some(b']') {
                break;
            }
            elements.push(self.value(depth + 1)?);
            self.skip_trivia()?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.expected("`,` or `]`")),
            }
        }
        self.at += 1;
        Ok(NodeKind::Array(elements))
    }

    fn string(&mut self) -> Result<(), EditError> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.escape()?,
                Some(0x20..) => self.at += 1,
                Some(_) => return Err(self.expected("the end of the string or an escape such as `\\n`")),
                None => return Err(self.syntax(start..start + 1, "This string has no end")),
            }
        }
        self.at += 1;
        Ok(())
    }

    fn escape(&mut self) -> Result<(), EditError> {
        let rest = part(self.text, self.at + 1..self.text.len()).as_bytes();
        let len = match rest {
            [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 2,
            [b'u', a, b, c, d, ..] if [a, b, c, d].into_iter().all(u8::is_ascii_hexdigit) => 6,
            _ => return Err(self.syntax(self.at..self.at + 1, "This is not a valid JSON escape")),
        };
        self.at += len;
        Ok(())
    }

    fn number(&mut self) -> Result<(), EditError> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), EditError> {
        let count = part(self.text, self.at..self.text.len()).bytes().take_while(u8::is_ascii_digit).count();
        if count == 0 {
            return Err(self.expected("a digit"));
        }
        self.at += count;
        Ok(())
    }
}
