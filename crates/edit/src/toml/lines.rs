//! Insertion and removal of whole lines and tables of a TOML text.
//!
//! A new table goes to the end of the file after one empty line, and a file without a final line break gets none. That
//! is how a removal knows which line breaks came with the table.

use std::collections::BTreeMap;
use std::ops::Range;

use toml_edit::{Item, Value};

use super::doc::{StatementKind, TomlStatement, TomlText};
use super::write;
use crate::error::EditError;
use crate::items::ListSurroundings;
use crate::splice::{TextSplice, merged, part};
use crate::trivia::{line_end, line_indent, line_start, newline_after, newline_before};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewTable {
    pub(crate) path: Vec<String>,
    /// `key = value`, each a line.
    pub(crate) pairs: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NewPair {
    pub(crate) key: String,
    pub(crate) written: String,
}

#[derive(Debug)]
pub(crate) enum KeyAddition {
    Here(Vec<TextSplice>),
    /// The table has no section of its own yet.
    NeedsTable,
}

impl TomlText<'_> {
    pub(crate) fn add(&self, path: &[String], pairs: &[String]) -> Result<KeyAddition, EditError> {
        if pairs.is_empty() {
            return Ok(KeyAddition::Here(Vec::new()));
        }
        let Some(item) = self.item(path)? else { return Ok(KeyAddition::NeedsTable) };
        match item {
            Item::Value(Value::InlineTable(table)) => {
                let items = self.inline_items(path, table)?;
                let flow = items.flow(&self.layout, ListSurroundings::OneLine);
                Ok(KeyAddition::Here(items.append(pairs, &flow, &self.layout)))
            }
            Item::Table(table) if table.is_dotted() => {
                let last = self.statements().iter().rfind(|statement| is_child(statement, path));
                let Some(last) = last else {
                    let help = format!("write it as a separate table, `[{}]`", write::path(path));
                    return Err(self.unsupported(path, Some(item), "dotted keys", help));
                };
                let prefix = part(self.text, line_start(self.text, last.head.start)..last.head.start);
                Ok(KeyAddition::Here(self.lines_at(line_end(self.text, last.end), prefix, pairs)))
            }
            Item::Table(table) if table.is_implicit() => Ok(KeyAddition::NeedsTable),
            Item::Table(_) => Ok(KeyAddition::Here(self.lines_in_section(path, pairs))),
            Item::None | Item::Value(_) | Item::ArrayOfTables(_) => Err(self.wrong_shape(path, "a table", item)),
        }
    }

    /// Adds pairs to the table at `path`. In a section of its own each goes before the first key that comes after it in
    /// the alphabet, so that two branches which add different keys rarely touch the same line.
    pub(crate) fn add_sorted(&self, path: &[String], pairs: &[NewPair]) -> Result<KeyAddition, EditError> {
        let mut pairs = pairs.to_vec();
        pairs.sort();
        let has_section =
            matches!(self.item(path)?, Some(Item::Table(table)) if !table.is_dotted() && !table.is_implicit());
        if !has_section {
            return self.add(path, &pairs.into_iter().map(|pair| pair.written).collect::<Vec<_>>());
        }
        let (mut before, mut last) = (BTreeMap::<usize, Vec<String>>::new(), Vec::new());
        for NewPair { key, written } in pairs {
            match self.line_after_smaller(path, &key) {
                Some(at) => before.entry(at).or_default().push(written),
                None => last.push(written),
            }
        }
        let indent = self.section_keys(path).first().map_or("", |first| line_indent(self.text, first.head.start));
        let mut splices: Vec<TextSplice> =
            before.into_iter().flat_map(|(at, pairs)| self.lines_at(at, indent, &pairs)).collect();
        if !last.is_empty() {
            splices.extend(self.lines_in_section(path, &last));
        }
        Ok(KeyAddition::Here(splices))
    }

    fn section_keys(&self, path: &[String]) -> Vec<&TomlStatement> {
        let is_header = |statement: &&TomlStatement| statement.kind == StatementKind::Header && statement.path == path;
        let section = self.statements().iter().skip_while(|statement| !is_header(statement)).skip(1);
        section.take_while(|statement| statement.kind == StatementKind::KeyValue).collect()
    }

    /// Returns the end of the line before the first key of a section that comes after `key`; `None` when there is no
    /// such key.
    fn line_after_smaller(&self, path: &[String], key: &str) -> Option<usize> {
        let keys = self.section_keys(path);
        let comes_after = |statement: &&TomlStatement| statement.path.last().is_some_and(|other| other.as_str() > key);
        let at = keys.iter().position(comes_after)?;
        let is_header = |statement: &&TomlStatement| statement.kind == StatementKind::Header && statement.path == path;
        let header = self.statements().iter().find(is_header);
        let previous = at.checked_sub(1).and_then(|at| keys.get(at).copied()).or(header)?;
        Some(line_end(self.text, previous.end))
    }

    fn lines_in_section(&self, path: &[String], pairs: &[String]) -> Vec<TextSplice> {
        let is_header = |statement: &TomlStatement| statement.kind == StatementKind::Header && statement.path == path;
        let mut section = self.statements().iter().skip_while(|statement| !is_header(statement));
        let Some(header) = section.next() else { return Vec::new() };
        let last = section.take_while(|statement| statement.kind == StatementKind::KeyValue).last();
        let indent = line_indent(self.text, last.unwrap_or(header).head.start);
        let mut at = line_end(self.text, last.unwrap_or(header).end);
        if last.is_none() {
            // Comments right below the header belong to it.
            while part(self.text, at..line_end(self.text, at)).trim_start().starts_with('#') {
                at = line_end(self.text, at);
            }
        }
        self.lines_at(at, indent, pairs)
    }

    fn lines_at(&self, at: usize, prefix: &str, pairs: &[String]) -> Vec<TextSplice> {
        let newline = self.layout.newline;
        let ends_a_line = part(self.text, 0..at).ends_with('\n');
        let line = |pair: &String| {
            if ends_a_line { format!("{prefix}{pair}{newline}") } else { format!("{newline}{prefix}{pair}") }
        };
        vec![TextSplice::insertion(at, pairs.iter().map(line).collect::<String>())]
    }
}

fn is_child(statement: &TomlStatement, path: &[String]) -> bool {
    statement.kind == StatementKind::KeyValue
        && statement.path.len() == path.len() + 1
        && statement.path.starts_with(path)
}

pub(crate) fn append_tables(doc: &TomlText<'_>, tables: &[NewTable]) -> Option<TextSplice> {
    if tables.is_empty() {
        return None;
    }
    let newline = doc.layout.newline;
    let written: Vec<String> = tables
        .iter()
        .map(|table| {
            let lines = table.pairs.iter().map(|pair| format!("{newline}{pair}"));
            format!("[{}]{}", write::path(&table.path), lines.collect::<String>())
        })
        .collect();
    Some(append(doc, &written.join(&format!("{newline}{newline}"))))
}

pub(crate) fn append_element(doc: &TomlText<'_>, name: &str, pairs: &[String]) -> TextSplice {
    let newline = doc.layout.newline;
    let lines = pairs.iter().map(|pair| format!("{newline}{pair}"));
    append(doc, &format!("[[{name}]]{}", lines.collect::<String>()))
}

fn append(doc: &TomlText<'_>, written: &str) -> TextSplice {
    let newline = doc.layout.newline;
    let text = if doc.text.is_empty() {
        format!("{written}{newline}")
    } else if doc.text.ends_with('\n') {
        format!("{newline}{written}{newline}")
    } else {
        format!("{newline}{newline}{written}")
    };
    TextSplice::insertion(doc.text.len(), text)
}

/// Removes the lines of these statements: a header with everything up to the last key of its section, or a key.
pub(crate) fn without_lines(doc: &TomlText<'_>, doomed: impl Fn(&TomlStatement) -> bool) -> Vec<TextSplice> {
    let mut sections: Vec<Range<usize>> = Vec::new();
    let mut keys: Vec<Range<usize>> = Vec::new();
    let mut section_is_doomed = false;
    for statement in doc.statements() {
        let lines = line_start(doc.text, statement.head.start)..line_end(doc.text, statement.end);
        match statement.kind {
            StatementKind::Header | StatementKind::ElementHeader => {
                section_is_doomed = doomed(statement);
                if section_is_doomed {
                    sections.push(lines);
                }
            }
            StatementKind::KeyValue if section_is_doomed => {
                if let Some(section) = sections.last_mut() {
                    section.end = lines.end;
                }
            }
            StatementKind::KeyValue if doomed(statement) => keys.push(lines),
            StatementKind::KeyValue => {}
        }
    }
    let mut deletions: Vec<_> = merged(keys).into_iter().map(|range| with_last_break(doc.text, range)).collect();
    deletions.extend(joined(doc.text, sections).into_iter().map(|run| with_empty_line(doc.text, run)));
    merged(deletions).into_iter().map(TextSplice::deletion).collect()
}

/// Joins sections with nothing but empty lines between them.
fn joined(text: &str, sections: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for section in sections {
        match runs.last_mut() {
            Some(run) if part(text, run.end..section.start).bytes().all(|byte| matches!(byte, b'\n' | b'\r')) => {
                run.end = section.end;
            }
            _ => runs.push(section),
        }
    }
    runs
}

/// Extends a range at the end of a file without a final line break by the break before it.
fn with_last_break(text: &str, range: Range<usize>) -> Range<usize> {
    if range.end == text.len() && !text.ends_with('\n') {
        newline_before(text, range.start).unwrap_or(range.start)..range.end
    } else {
        range
    }
}

/// Extends a run of tables by the empty line before it, or after it when the run is the first thing in the file.
fn with_empty_line(text: &str, run: Range<usize>) -> Range<usize> {
    let end = run.end;
    if run.start == 0 {
        return 0..newline_after(text, end).unwrap_or(end);
    }
    let run = with_last_break(text, run);
    let Some(start) = newline_before(text, run.start) else { return run };
    let line_before_is_empty = start == 0 || part(text, 0..start).ends_with('\n');
    let break_was_ours = end == text.len() && !text.ends_with('\n');
    if line_before_is_empty || break_was_ours { start..end } else { run }
}
