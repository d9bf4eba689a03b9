//! Agents written as `[[agent]] name = "…"`, one entry for each.

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::Value as Json;
use symposium_model::agent::AgentId;
use toml_edit::{ArrayOfTables, Item, Table, Value};

use crate::error::EditError;
use crate::splice::{TextSplice, part};
use crate::toml::{self, StatementKind, TomlText, without_lines};
use crate::trivia::line_end;

struct AgentEntry<'d> {
    head: Range<usize>,
    names: Vec<&'d str>,
    value: Option<Range<usize>>,
}

/// Makes the entries name these agents: a new agent replaces a removed one, and only the rest is removed or added.
pub(crate) fn changed(
    doc: &TomlText<'_>,
    tables: &ArrayOfTables,
    names: &[&str],
) -> Result<Vec<TextSplice>, EditError> {
    let entries: Vec<AgentEntry<'_>> = tables.iter().map(|table| entry(doc, table)).collect::<Result<_, _>>()?;
    let present: Vec<&str> = entries.iter().flat_map(|entry| entry.names.iter().copied()).collect();
    if same_agents(&present, names) {
        return Ok(Vec::new());
    }
    let is_in = |list: &[&str], name: &str| list.iter().any(|other| same_agent(other, name));
    let mut new = names.iter().copied().filter(|name| !is_in(&present, name));
    let mut seen: Vec<&str> = Vec::new();
    let mut splices = Vec::new();
    let mut doomed: BTreeSet<usize> = BTreeSet::new();
    for entry in &entries {
        let Some(value) = &entry.value else { continue };
        let mut kept: Vec<&str> = Vec::new();
        for name in &entry.names {
            if is_in(names, name) && !is_in(&seen, name) {
                seen.push(name);
                kept.push(name);
            }
        }
        if kept.len() == entry.names.len() && !kept.is_empty() {
            continue;
        }
        if kept.is_empty() {
            kept.extend(new.next());
        }
        match kept.as_slice() {
            // One entry stays to say that there is no agent.
            [] if names.is_empty() && splices.is_empty() => splices.push(TextSplice::replacement(value.clone(), "[]")),
            [] => _ = doomed.insert(entry.head.start),
            [name] => splices.push(TextSplice::replacement(value.clone(), toml::value(&Json::from(*name)))),
            several => {
                let written: Json = several.iter().copied().collect();
                splices.push(TextSplice::replacement(value.clone(), toml::value(&written)));
            }
        }
    }
    splices.extend(without_lines(doc, |statement| {
        statement.kind == StatementKind::ElementHeader && doomed.contains(&statement.head.start)
    }));
    splices.extend(entries.last().and_then(|last| added(doc, last, new)));
    Ok(splices)
}

fn entry<'d>(doc: &TomlText<'_>, table: &'d Table) -> Result<AgentEntry<'d>, EditError> {
    if let Some((key, item)) = table.iter().find(|(_, item)| matches!(item, Item::Table(_) | Item::ArrayOfTables(_))) {
        let help = format!("remove `agent.{key}`, which has no effect, or write `[agent]` once");
        return Err(doc.unsupported(&["agent".to_owned()], Some(item), "entries with tables in them", help));
    }
    let name = table.get("name");
    let names = match name {
        Some(Item::Value(Value::String(name))) => vec![name.value().as_str()],
        Some(Item::Value(Value::Array(names))) => names.iter().filter_map(Value::as_str).collect(),
        Some(item) => {
            let path = ["agent".to_owned(), "name".to_owned()];
            return Err(doc.wrong_shape(&path, "a string or an array of strings", item));
        }
        None => Vec::new(),
    };
    Ok(AgentEntry { head: table.span().unwrap_or_default(), names, value: name.and_then(Item::span) })
}

fn added<'n>(doc: &TomlText<'_>, last: &AgentEntry<'_>, new: impl Iterator<Item = &'n str>) -> Option<TextSplice> {
    let newline = doc.layout.newline;
    let mut section = doc.statements().iter().skip_while(|statement| statement.head.start < last.head.start);
    let header = section.next()?;
    let end = section.take_while(|statement| statement.kind == StatementKind::KeyValue).last().unwrap_or(header).end;
    let at = line_end(doc.text, end);
    let ends_a_line = part(doc.text, 0..at).ends_with('\n');
    let written: String = new
        .map(|name| {
            let entry = format!("[[agent]]{newline}name = {}", toml::value(&Json::from(name)));
            if ends_a_line { format!("{newline}{entry}{newline}") } else { format!("{newline}{newline}{entry}") }
        })
        .collect();
    (!written.is_empty()).then(|| TextSplice::insertion(at, written))
}

pub(crate) fn same_agents(a: &[&str], b: &[&str]) -> bool {
    a.len() == b.len() && a.iter().all(|a| b.iter().any(|b| same_agent(a, b)))
}

pub(crate) fn same_agent(a: &str, b: &str) -> bool {
    a == b || AgentId::parse(a).is_some_and(|agent| AgentId::parse(b) == Some(agent))
}
