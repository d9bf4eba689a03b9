//! Edits of Symposium's own configuration: the project's toggles, the agents and the sources.

use std::collections::BTreeSet;

use serde_json::Value as Json;
use toml_edit::{Array, Item, Value};

use crate::agent_tables::{self, same_agent, same_agents};
use crate::edit_text;
use crate::error::EditError;
use crate::items::{ListItems, ListSurroundings};
use crate::splice::{TextSplice, apply};
use crate::toml::{self, KeyAddition, NewPair, NewTable, TomlText, append_element, append_tables, without_lines};
use crate::trivia::CommentStyle;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToggleTable {
    Skills,
    Workflows,
}

impl ToggleTable {
    fn name(self) -> &'static str {
        match self {
            Self::Skills => "skills",
            Self::Workflows => "workflows",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToggleEdit {
    pub table: ToggleTable,
    pub key: String,
    pub change: ToggleAction,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToggleAction {
    /// Sets this value, whether the toggle is present or not.
    Set(bool),
    /// Sets this value if the toggle is not present.
    Add(bool),
    Remove,
}

/// Applies changes to the toggles of a project's configuration; new ones are inserted in alphabetical order.
///
/// The last of several changes to one toggle counts.
pub fn toggles(text: &str, edits: &[ToggleEdit]) -> Result<String, EditError> {
    let mut seen = BTreeSet::new();
    let mut edits: Vec<&ToggleEdit> = edits.iter().rev().filter(|edit| seen.insert((edit.table, &edit.key))).collect();
    edits.reverse();
    edit_text(text, |body| {
        let changed = apply(body, changes(&TomlText::parse(body)?, &edits)?);
        let doc = TomlText::parse(&changed).map_err(|_| EditError::unsafe_result(body))?;
        let result = apply(&changed, additions(&doc, &edits)?);
        TomlText::parse(&result).map_err(|_| EditError::unsafe_result(body))?;
        Ok(result)
    })
}

fn path_of(edit: &ToggleEdit) -> [String; 2] {
    [edit.table.name().to_owned(), edit.key.clone()]
}

fn changes(doc: &TomlText<'_>, edits: &[&ToggleEdit]) -> Result<Vec<TextSplice>, EditError> {
    let mut splices = Vec::new();
    let mut doomed: BTreeSet<[String; 2]> = BTreeSet::new();
    for edit in edits {
        let path = path_of(edit);
        let Some(item) = doc.item(&path)? else { continue };
        match (edit.change, item) {
            (ToggleAction::Add(_), _) => {}
            (ToggleAction::Set(on), Item::Value(Value::Boolean(present))) => {
                let span = item.span().filter(|_| *present.value() != on);
                splices.extend(span.map(|span| TextSplice::replacement(span, on.to_string())));
            }
            (ToggleAction::Remove, Item::Value(_)) => _ = doomed.insert(path),
            (ToggleAction::Set(_) | ToggleAction::Remove, _) => {
                return Err(doc.wrong_shape(&path, "`true` or `false`", item));
            }
        }
    }
    for table in [ToggleTable::Skills, ToggleTable::Workflows] {
        let holder = [table.name().to_owned()];
        if let Some(Item::Value(Value::InlineTable(inline))) = doc.item(&holder)? {
            let indices: BTreeSet<usize> = inline
                .iter()
                .enumerate()
                .filter(|(_, (key, _))| doomed.contains(&[table.name().to_owned(), (*key).to_owned()]))
                .map(|(index, _)| index)
                .collect();
            if !indices.is_empty() {
                splices.extend(doc.inline_items(&holder, inline)?.remove(&indices, &doc.layout));
            }
        }
    }
    splices.extend(without_lines(doc, |statement| {
        <&[String; 2]>::try_from(statement.path.as_slice()).is_ok_and(|path| doomed.contains(path))
    }));
    Ok(splices)
}

fn additions(doc: &TomlText<'_>, edits: &[&ToggleEdit]) -> Result<Vec<TextSplice>, EditError> {
    let mut splices = Vec::new();
    let mut tables = Vec::new();
    for table in [ToggleTable::Skills, ToggleTable::Workflows] {
        let mut pairs = Vec::new();
        for edit in edits.iter().filter(|edit| edit.table == table) {
            let (ToggleAction::Set(on) | ToggleAction::Add(on)) = edit.change else { continue };
            if doc.item(&path_of(edit))?.is_none() {
                let written = format!("{} = {on}", toml::key(&edit.key));
                pairs.push(NewPair { key: edit.key.clone(), written });
            }
        }
        pairs.sort();
        let path = [table.name().to_owned()];
        match doc.add_sorted(&path, &pairs)? {
            KeyAddition::Here(added) => splices.extend(added),
            KeyAddition::NeedsTable => {
                let pairs = pairs.into_iter().map(|pair| pair.written).collect();
                tables.push(NewTable { path: path.into(), pairs });
            }
        }
    }
    splices.extend(append_tables(doc, &tables));
    Ok(splices)
}

pub fn add_source(text: &str, name: &str, path: &str) -> Result<String, EditError> {
    edit_text(text, |body| {
        let pair = |key: &str, value: &str| format!("{key} = {}", toml::value(&Json::from(value)));
        let added = append_element(&TomlText::parse(body)?, "plugin-source", &[pair("name", name), pair("path", path)]);
        let result = apply(body, vec![added]);
        TomlText::parse(&result).map_err(|_| EditError::unsafe_result(body))?;
        Ok(result)
    })
}

/// Sets `[agent] name`: a string for one agent, an array for several. Present names keep their place, also where they
/// are written as `[[agent]]` entries.
pub fn set_agents(text: &str, names: &[&str]) -> Result<String, EditError> {
    edit_text(text, |body| with_agents(&TomlText::parse(body)?, names))
}

/// Adds agents to those in `[agent] name`, which may include names that this version does not know.
pub fn add_agents(text: &str, names: &[&str]) -> Result<String, EditError> {
    edit_text(text, |body| {
        let doc = TomlText::parse(body)?;
        let present = agent_names(&doc)?;
        let mut all: Vec<&str> = present.iter().map(String::as_str).collect();
        for name in names {
            if !all.iter().any(|known| same_agent(known, name)) {
                all.push(name);
            }
        }
        with_agents(&doc, &all)
    })
}

/// Sets `[trust] allow-symposium = true`.
pub fn allow_symposium(text: &str) -> Result<String, EditError> {
    edit_text(text, |body| {
        let doc = TomlText::parse(body)?;
        let table = ["trust".to_owned()];
        let path = ["trust".to_owned(), "allow-symposium".to_owned()];
        let splices = match doc.item(&path)? {
            Some(Item::Value(Value::Boolean(set))) if *set.value() => return Ok(body.to_owned()),
            Some(item) => vec![TextSplice::replacement(item.span().unwrap_or_default(), "true".to_owned())],
            None => {
                let pairs = vec!["allow-symposium = true".to_owned()];
                match doc.add(&table, &pairs)? {
                    KeyAddition::Here(splices) => splices,
                    KeyAddition::NeedsTable => {
                        append_tables(&doc, &[NewTable { path: table.into(), pairs }]).into_iter().collect()
                    }
                }
            }
        };
        let result = apply(body, splices);
        TomlText::parse(&result).map_err(|_| EditError::unsafe_result(body))?;
        Ok(result)
    })
}

fn with_agents(doc: &TomlText<'_>, names: &[&str]) -> Result<String, EditError> {
    let result = apply(doc.text, agents(doc, names)?);
    TomlText::parse(&result).map_err(|_| EditError::unsafe_result(doc.text))?;
    Ok(result)
}

fn agent_names(doc: &TomlText<'_>) -> Result<Vec<String>, EditError> {
    let names_in = |item: Option<&Item>| -> Vec<String> {
        match item.and_then(Item::as_value) {
            Some(Value::String(name)) => vec![name.value().clone()],
            Some(Value::Array(array)) => array.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        }
    };
    Ok(match doc.item(&["agent".to_owned()])? {
        Some(Item::ArrayOfTables(tables)) => tables.iter().flat_map(|table| names_in(table.get("name"))).collect(),
        Some(item) => item.as_table_like().map(|table| names_in(table.get("name"))).unwrap_or_default(),
        None => Vec::new(),
    })
}

fn agents(doc: &TomlText<'_>, names: &[&str]) -> Result<Vec<TextSplice>, EditError> {
    let table = ["agent".to_owned()];
    if let Some(Item::ArrayOfTables(tables)) = doc.item(&table)? {
        return agent_tables::changed(doc, tables, names);
    }
    let written = match names {
        [name] => Json::from(*name),
        several => several.iter().copied().collect(),
    };
    let path = ["agent".to_owned(), "name".to_owned()];
    match doc.item(&path)? {
        None => {
            let pairs = vec![format!("name = {}", toml::value(&written))];
            Ok(match doc.add(&table, &pairs)? {
                KeyAddition::Here(splices) => splices,
                KeyAddition::NeedsTable => {
                    append_tables(doc, &[NewTable { path: table.into(), pairs }]).into_iter().collect()
                }
            })
        }
        Some(item @ Item::Value(value)) => {
            let present: Vec<&str> = match value {
                Value::String(name) => vec![name.value()],
                Value::Array(array) => array.iter().filter_map(Value::as_str).collect(),
                _ => return Err(doc.wrong_shape(&path, "a string or an array of strings", item)),
            };
            if same_agents(&present, names) {
                return Ok(Vec::new());
            }
            if let Value::Array(array) = value {
                let items = array_items(doc, array);
                if names.len() != 1 || items.has_comment() {
                    return Ok(renamed(doc, &items, array, names));
                }
            }
            Ok(vec![TextSplice::replacement(item.span().unwrap_or_default(), toml::value(&written))])
        }
        Some(item) => Err(doc.wrong_shape(&path, "a string or an array of strings", item)),
    }
}

fn array_items<'t>(doc: &TomlText<'t>, array: &Array) -> ListItems<'t> {
    let span = array.span().unwrap_or_default();
    ListItems {
        text: doc.text,
        comments: CommentStyle::Hash,
        open: span.start + 1,
        close: span.end.saturating_sub(1),
        spans: array.iter().filter_map(Value::span).collect(),
    }
}

/// Removes and adds single names, so that comments inside the array stay.
fn renamed(doc: &TomlText<'_>, items: &ListItems<'_>, array: &Array, names: &[&str]) -> Vec<TextSplice> {
    let wanted =
        |value: &Value| value.as_str().is_some_and(|present| names.iter().any(|name| same_agent(present, name)));
    let gone: BTreeSet<usize> =
        array.iter().enumerate().filter(|(_, value)| !wanted(value)).map(|(index, _)| index).collect();
    let is_new = |name: &&&str| !array.iter().filter_map(Value::as_str).any(|present| same_agent(present, name));
    let new: Vec<String> = names.iter().filter(is_new).map(|name| toml::value(&Json::from(*name))).collect();
    if gone.is_empty() {
        let flow = items.flow(&doc.layout, ListSurroundings::OneLine);
        return items.append(&new, &flow, &doc.layout);
    }
    // A new name replaces a removed one; only the rest is removed or added.
    let replaced = gone.iter().zip(&new).filter_map(|(index, name)| {
        items.spans.get(*index).map(|span| TextSplice::replacement(span.clone(), name.clone()))
    });
    let mut splices: Vec<_> = replaced.collect();
    let left: BTreeSet<usize> = gone.iter().copied().skip(new.len()).collect();
    splices.extend(items.remove(&left, &doc.layout));
    let flow = items.flow(&doc.layout, ListSurroundings::OneLine);
    splices.extend(items.append(new.get(gone.len()..).unwrap_or_default(), &flow, &doc.layout));
    splices
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
