//! Insertion of tables into TOML settings.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};
use symposium_model::edit::{EntrySlot, SettingsEntry};
use symposium_model::ownership::{Marker, OwnedPart};
use toml_edit::{InlineTable, Item, Value};

use super::doc::{TomlText, json};
use super::lines::{KeyAddition, NewTable, append_tables, without_lines};
use super::write;
use crate::error::{EditError, EditErrorKind};
use crate::order::in_reading_order;
use crate::splice::{TextSplice, apply};
use crate::{EditResult, EntryOutcome, SWITCHES, is_settled, share_of};

pub(crate) fn insert(text: &str, entries: &[SettingsEntry]) -> Result<EditResult, EditError> {
    let entries: Vec<SettingsEntry> = entries.iter().map(without_nulls).collect();
    let doc = TomlText::parse(text)?;
    let plan = plan(&doc, &entries)?;
    let mut splices = plan.splices;
    splices.extend(append_tables(&doc, &plan.tables));
    let result = apply(text, splices);
    if result != text {
        check(text, &result, &entries, &plan.outcomes)?;
    }
    Ok(EditResult { text: result, changed: false, outcomes: plan.outcomes, created: plan.created })
}

/// Checks that a second run finds nothing to do.
fn check(text: &str, result: &str, entries: &[SettingsEntry], outcomes: &[EntryOutcome]) -> Result<(), EditError> {
    let unsafe_result = |_| EditError::unsafe_result(text);
    let doc = TomlText::parse(result).map_err(unsafe_result)?;
    let again = plan(&doc, entries).map_err(unsafe_result)?;
    if is_settled(outcomes, &again.outcomes) { Ok(()) } else { Err(EditError::unsafe_result(text)) }
}

fn without_nulls(entry: &SettingsEntry) -> SettingsEntry {
    let mark = match &entry.mark {
        Marker::Exactly(written) => Marker::Exactly(write::without_nulls(written)),
        mark => mark.clone(),
    };
    SettingsEntry { value: write::without_nulls(&entry.value), mark, ..entry.clone() }
}

/// The treatment of keys that only the file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ExtraKeys {
    Stays,
    Goes,
}

#[derive(Default)]
struct InsertionPlan {
    splices: Vec<TextSplice>,
    tables: Vec<NewTable>,
    outcomes: Vec<EntryOutcome>,
    created: Vec<Vec<String>>,
    /// New pairs of inline tables, by their paths: inserted together, so that there is a comma between two new ones.
    inline: BTreeMap<Vec<String>, Vec<String>>,
}

fn plan(doc: &TomlText<'_>, entries: &[SettingsEntry]) -> Result<InsertionPlan, EditError> {
    let mut plan = InsertionPlan::default();
    for entry in entries {
        let (EntrySlot::Key, false) = (entry.slot, entry.path.is_empty()) else {
            return Err(EditError::new(
                EditErrorKind::Unsupported,
                doc.text,
                0..0,
                format!("Only keys can be added to a TOML file, and `{}` is not a key", entry.path.join(".")),
                "this is a bug in Symposium; please report it",
            ));
        };
        let outcome = match doc.item(&entry.path)? {
            None => {
                plan.add(doc, entry)?;
                EntryOutcome::Inserted
            }
            Some(item) => match share_of(entry, &json(item)) {
                OwnedPart::All => {
                    let before = (plan.splices.len(), plan.tables.len());
                    match (&entry.value, item) {
                        // A value that is exactly as Symposium wrote it holds no keys of the user.
                        (Json::Object(want), _) if entry.mark.is_exact() => {
                            plan.merge(doc, &entry.path, item, want, &[], ExtraKeys::Goes)?;
                        }
                        (Json::Object(want), _) => {
                            plan.merge(doc, &entry.path, item, want, &SWITCHES, ExtraKeys::Stays)?;
                        }
                        (want, _) if json(item) == *want => {}
                        (want, Item::Value(value)) if !value.is_inline_table() => {
                            let span = value.span().unwrap_or_default();
                            plan.splices.push(TextSplice::replacement(span, write::value(want)));
                        }
                        (_, item) => return Err(doc.wrong_shape(&entry.path, "a value", item)),
                    }
                    let changed = before != (plan.splices.len(), plan.tables.len());
                    if changed { EntryOutcome::Updated } else { EntryOutcome::Unchanged }
                }
                OwnedPart::Part | OwnedPart::Nothing => EntryOutcome::Foreign,
            },
        };
        plan.outcomes.push(outcome);
    }
    for (holder, pairs) in std::mem::take(&mut plan.inline) {
        plan.take(doc.add(&holder, &pairs)?, &holder, &[]);
    }
    Ok(plan)
}

impl InsertionPlan {
    fn add(&mut self, doc: &TomlText<'_>, entry: &SettingsEntry) -> Result<(), EditError> {
        let Some((name, holder)) = entry.path.split_last() else { return Ok(()) };
        for depth in 1..entry.path.len() {
            let path = entry.path.get(..depth).unwrap_or_default();
            if doc.item(path)?.is_none() && !self.created.iter().any(|created| created == path) {
                self.created.push(path.to_vec());
            }
        }
        match doc.item(holder)? {
            Some(Item::Value(Value::InlineTable(_))) => {
                self.inline.entry(holder.to_vec()).or_default().push(write::pair(name, &entry.value));
            }
            Some(item) if item.as_table_like().is_none() => return Err(doc.wrong_shape(holder, "a table", item)),
            Some(_) | None => match &entry.value {
                Json::Object(want) => {
                    let pairs = write::pairs(in_reading_order(want));
                    self.tables.push(NewTable { path: entry.path.clone(), pairs });
                }
                value => {
                    let pairs = [write::pair(name, value)];
                    // A table in an inline table has no section of its own.
                    if let Some((table, outer)) = holder.split_last()
                        && let Some(Item::Value(Value::InlineTable(_))) = doc.item(outer)?
                    {
                        let pair = format!("{} = {{ {} }}", write::key(table), pairs.join(", "));
                        self.inline.entry(outer.to_vec()).or_default().push(pair);
                        return Ok(());
                    }
                    self.take(doc.add(holder, &pairs)?, holder, &pairs);
                }
            },
        }
        Ok(())
    }

    fn take(&mut self, added: KeyAddition, path: &[String], pairs: &[String]) {
        match added {
            KeyAddition::Here(splices) => self.splices.extend(splices),
            KeyAddition::NeedsTable => self.tables.push(NewTable { path: path.to_vec(), pairs: pairs.to_vec() }),
        }
    }

    /// Gives the table every key of `want` except the present ones among `kept`.
    fn merge(
        &mut self,
        doc: &TomlText<'_>,
        path: &[String],
        item: &Item,
        want: &Map<String, Json>,
        kept: &[&str],
        surplus: ExtraKeys,
    ) -> Result<(), EditError> {
        let Some(table) = item.as_table_like() else { return Err(doc.wrong_shape(path, "a table", item)) };
        let gone: Vec<&str> = match surplus {
            ExtraKeys::Stays => Vec::new(),
            ExtraKeys::Goes => table.iter().map(|(name, _)| name).filter(|name| !want.contains_key(*name)).collect(),
        };
        match item {
            _ if gone.is_empty() => {}
            Item::Value(Value::InlineTable(inline)) => {
                let Some(span) = inline.span().filter(|_| !inline.is_dotted()) else {
                    let help = format!("write `{}` as a separate table", path.join("."));
                    return Err(doc.unsupported(path, Some(item), "dotted keys in an inline table", help));
                };
                self.splices.push(TextSplice::replacement(span, write::value(&Json::Object(want.clone()))));
                return Ok(());
            }
            _ => self.splices.extend(without_lines(doc, |statement| {
                let name = statement.path.get(path.len()).filter(|_| statement.path.starts_with(path));
                name.is_some_and(|name| gone.contains(&name.as_str()))
            })),
        }
        let mut missing = Vec::new();
        for (name, want) in in_reading_order(want) {
            let inner: Vec<String> = path.iter().chain([name]).cloned().collect();
            match (table.get(name), want) {
                (Some(_), _) if kept.contains(&name.as_str()) => {}
                (None, want) => missing.push((name, want)),
                (Some(item), Json::Object(want)) if item.is_table_like() => {
                    self.merge(doc, &inner, item, want, &[], surplus)?;
                }
                (Some(item), want) if json(item) == *want => {}
                (Some(Item::Value(value)), want) if !value.as_inline_table().is_some_and(InlineTable::is_dotted) => {
                    self.splices.push(TextSplice::replacement(value.span().unwrap_or_default(), write::value(want)));
                }
                (Some(item), _) => {
                    let help = format!("remove `{}` and run the command again", inner.join("."));
                    return Err(doc.unsupported(&inner, Some(item), "a table", help));
                }
            }
        }
        let pairs = write::pairs(missing);
        self.take(doc.add(path, &pairs)?, path, &pairs);
        Ok(())
    }
}
