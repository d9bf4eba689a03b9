//! A reader of TOML tables, key by key, with a diagnostic for every irregularity.
//!
//! A derived `Deserialize` stops at the first wrong type and forgets unknown keys. Here an invalid entry never hides
//! its neighbours, and a misspelled key is reported with the nearest known one.

mod json;
mod key_query;
mod report;

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::merge_conflict::conflict_marker;
use crate::merged_toggles::{DoubledToggle, merge_toggles};
use crate::repeated_entry::{RepeatedEntry, TableHeader, repeated_entry};
use crate::suggest::advice;

pub use key_query::{ANY_NAME, KeyQuery, ValueKind};
pub use report::{ParseReport, SpannedValue};

/// The number of syntax errors reported in one file; further ones say nothing new.
const MAX_SYNTAX_ERRORS: usize = 8;

/// Lists of a configuration: a merge that keeps the lines of both sides writes a header that both sides added only once.
const MERGED_LISTS: [&str; 2] = ["[[plugin-source]]", "[[registry]]"];

/// Parses a whole file; `None` when it is not TOML, with the syntax errors reported.
pub fn parse<'t>(report: &mut ParseReport<'t>) -> Option<TomlTable<'t>> {
    let text = report.text();
    let (mut root, mut errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() && report.has_toggles() {
        merge(root.get_mut(), &mut errors, report);
    }
    if errors.is_empty() {
        let span = root.span();
        return Some(TomlTable::new(root.into_inner(), span, String::new(), String::new()));
    }
    if let Some(marker) = conflict_marker(text) {
        let help = "keep the lines that you want from both sides, and remove the conflict markers";
        report.error(marker, "Unresolved merge conflict", help);
        return None;
    }
    let joined = joined_entries(text, &errors);
    let mut said = None;
    for error in errors.iter().take(MAX_SYNTAX_ERRORS) {
        let span = error.span().unwrap_or(0..0);
        let Some(RepeatedEntry { key, lines: [first, second], list }) = repeated(text, error) else {
            report.error(span, format!("Not valid TOML: {}", error.message()), syntax_help(error.message()));
            continue;
        };
        if let Some(header) = list.filter(|header| joined.contains(header)) {
            // The other keys of the second entry say the same.
            if said.replace(header) != Some(header) {
                let message = format!("`{key}` is listed twice, in lines {first} and {second}");
                let TableHeader { text, .. } = header;
                let help = format!("a merge joined two `{text}` entries: put `{text}` before line {second}");
                report.error(span, message, help);
            }
            continue;
        }
        let message = format!("`{key}` is listed twice, in lines {first} and {second}");
        report.error(span, message, "delete one of the two lines");
    }
    None
}

/// Returns the headers below which a merge put two entries. Two entries differ in name, and the second begins after the
/// other lines of the first. Where only a value differs, there is one entry.
fn joined_entries<'t>(text: &'t str, errors: &[toml::de::Error]) -> Vec<TableHeader<'t>> {
    let names = errors.iter().filter_map(|error| repeated(text, error)).filter(|found| found.key == "name");
    let apart = names.filter(|RepeatedEntry { lines: [first, second], .. }| second - first > 1);
    apart.filter_map(|found| found.list).filter(|header| MERGED_LISTS.contains(&header.text)).collect()
}

/// Drops the errors about toggles that a merge left twice, and gives these their value. The parser keeps the first entry.
fn merge<'t>(root: &mut DeTable<'t>, errors: &mut Vec<toml::de::Error>, report: &mut ParseReport<'t>) {
    let text = report.text();
    let merged = merge_toggles(text);
    let line_of = |offset: usize| text.get(..offset).and_then(|above| above.rfind('\n')).map_or(0, |end| end + 1);
    errors.retain(|error| !error.span().is_some_and(|span| merged.repeated.contains(&line_of(span.start))));
    for DoubledToggle { table, key, on, place } in merged.contradictory {
        let toggles = root.get_mut(table).map(Spanned::get_mut);
        let mut parts = "";
        if let Some(DeValue::Table(toggles)) = toggles {
            if let Some(value) = toggles.get_mut(key) {
                *value.get_mut() = DeValue::Boolean(on);
            }
            let of_part = format!("{key}/");
            if toggles.keys().any(|other| other.get_ref().starts_with(&of_part)) {
                parts = ", except for its parts with toggles of their own";
            }
        }
        let (state, other) = if on { ("on", "off") } else { ("off", "on") };
        let message = format!("`{key}` is listed twice, as true and as false, so it is {state}{parts}");
        let help = format!("a sync keeps one line; run `symposium {other} {key}` to switch it {other}");
        report.warning(place, message, help);
    }
}

/// Returns the two lines of a duplicate key, if the error is about one.
fn repeated<'t>(text: &'t str, error: &toml::de::Error) -> Option<RepeatedEntry<'t>> {
    let span = error.span().filter(|_| error.message().contains("duplicate key"))?;
    repeated_entry(text, span.start)
}

fn syntax_help(message: &str) -> &'static str {
    if message.contains("duplicate key") {
        "keep one of the two"
    } else if message.contains("unquoted") || message.contains("string") || message.contains("quote") {
        "put text in double quotes"
    } else {
        "correct the syntax here"
    }
}

/// Most tables have fewer keys; room for these avoids that the list grows step by step.
const USUAL_KEYS: usize = 24;

/// One table, consumed key by key; the keys left at the end are unknown.
#[derive(Debug)]
pub struct TomlTable<'t> {
    entries: DeTable<'t>,
    span: Range<usize>,
    /// The table in messages: `` `[[hooks]]` ``, or empty for the top level.
    title: String,
    /// The path of the table in recorded queries: `hooks[].tests[]`.
    path: String,
    known: Vec<&'static str>,
}

impl<'t> TomlTable<'t> {
    fn new(entries: DeTable<'t>, span: Range<usize>, title: String, path: String) -> Self {
        Self { entries, span, title, path, known: Vec::with_capacity(USUAL_KEYS) }
    }

    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Returns the span of the key's value, without consuming it.
    pub fn place_of(&self, key: &str) -> Option<Range<usize>> {
        self.entries.get(key).map(Spanned::span)
    }

    pub fn is_table(&self, key: &str) -> bool {
        self.entries.get(key).is_some_and(|value| value.get_ref().is_table())
    }

    pub fn is_boolean(&self, key: &str) -> bool {
        self.entries.get(key).is_some_and(|value| value.get_ref().is_bool())
    }

    /// Tells whether a key that is not consumed yet passes a test.
    pub fn has_key(&self, test: impl Fn(&str) -> bool) -> bool {
        self.entries.keys().any(|key| test(key.get_ref()))
    }

    /// Returns the keys that are not consumed yet, in the order of the file.
    pub fn keys_left(&self) -> Vec<SpannedValue<String>> {
        let located =
            self.entries.keys().map(|key| SpannedValue { value: key.get_ref().to_string(), span: key.span() });
        let mut keys: Vec<_> = located.collect();
        keys.sort_by_key(|key| key.span.start);
        keys
    }

    /// Tells whether the key's value is a table or a list of tables, without consuming it.
    pub fn holds_tables(&self, key: &str) -> bool {
        self.entries.get(key).is_some_and(|value| match value.get_ref() {
            DeValue::Array(items) => items.iter().any(|item| item.get_ref().is_table()),
            other => other.is_table(),
        })
    }

    fn take(
        &mut self,
        key: &'static str,
        kind: ValueKind,
        report: &mut ParseReport<'_>,
    ) -> Option<Spanned<DeValue<'t>>> {
        report.asked(&self.path, key, kind);
        self.known.push(key);
        if self.entries.is_empty() { None } else { self.entries.remove(key) }
    }

    pub fn string(&mut self, key: &'static str, report: &mut ParseReport<'_>) -> Option<SpannedValue<String>> {
        let value = self.take(key, ValueKind::Text, report)?;
        self.expect_string(key, value, report)
    }

    fn expect_string(
        &self,
        key: &str,
        value: Spanned<DeValue<'t>>,
        report: &mut ParseReport<'_>,
    ) -> Option<SpannedValue<String>> {
        let span = value.span();
        match value.into_inner() {
            DeValue::String(text) => Some(SpannedValue { value: text.into_owned(), span }),
            other => {
                self.wrong_type(key, &other, span, "a string", "put it in double quotes", report);
                None
            }
        }
    }

    pub fn boolean(&mut self, key: &'static str, report: &mut ParseReport<'_>) -> Option<SpannedValue<bool>> {
        let value = self.take(key, ValueKind::Truth, report)?;
        let span = value.span();
        match value.into_inner() {
            DeValue::Boolean(value) => Some(SpannedValue { value, span }),
            other => {
                self.wrong_type(key, &other, span, "true or false", "write `true` or `false` without quotes", report);
                None
            }
        }
    }

    pub fn number(&mut self, key: &'static str, report: &mut ParseReport<'_>) -> Option<SpannedValue<u64>> {
        let value = self.take(key, ValueKind::Number, report)?;
        let span = value.span();
        match value.into_inner() {
            DeValue::Integer(digits) => match u64::from_str_radix(digits.as_str(), digits.radix()) {
                Ok(value) => Some(SpannedValue { value, span }),
                Err(_) => {
                    let message = format!("{} is out of range: `{digits}`", self.name_of(key));
                    report.error(span, message, "use a whole number of zero or more");
                    None
                }
            },
            other => {
                self.wrong_type(key, &other, span, "a whole number", "write digits without quotes", report);
                None
            }
        }
    }

    /// Reads a string or an array of strings. An element of another type is reported and left out.
    pub fn strings(
        &mut self,
        key: &'static str,
        report: &mut ParseReport<'_>,
    ) -> Option<SpannedValue<Vec<SpannedValue<String>>>> {
        let value = self.take(key, ValueKind::Texts, report)?;
        let span = value.span();
        let values = match value.into_inner() {
            DeValue::String(text) => vec![SpannedValue { value: text.into_owned(), span: span.clone() }],
            DeValue::Array(items) => {
                items.into_iter().filter_map(|item| self.expect_string(key, item, report)).collect()
            }
            other => {
                self.wrong_type(key, &other, span, "a string or an array of strings", "write `[\"…\"]`", report);
                return None;
            }
        };
        Some(SpannedValue { value: values, span })
    }

    pub fn table(&mut self, key: &'static str, report: &mut ParseReport<'_>) -> Option<TomlTable<'t>> {
        let value = self.take(key, ValueKind::Table, report)?;
        let span = value.span();
        match value.into_inner() {
            DeValue::Table(entries) => Some(self.inner(entries, span, key, report)),
            other => {
                let help = format!("write `[{key}]` on its own line and its keys below");
                self.wrong_type(key, &other, span, "a table", &help, report);
                None
            }
        }
    }

    pub fn string_or_table(&mut self, key: &'static str, report: &mut ParseReport<'_>) -> Option<StringOrTable<'t>> {
        let value = self.take(key, ValueKind::TextOrTable, report)?;
        let span = value.span();
        match value.into_inner() {
            DeValue::String(text) => Some(StringOrTable::String(SpannedValue { value: text.into_owned(), span })),
            DeValue::Table(entries) => Some(StringOrTable::Table(self.inner(entries, span, key, report))),
            other => {
                self.wrong_type(key, &other, span, "a string or a table", "put it in double quotes", report);
                None
            }
        }
    }

    /// Reads an array of strings and tables, or a single string.
    pub fn strings_or_tables(&mut self, key: &'static str, report: &mut ParseReport<'_>) -> Vec<StringOrTable<'t>> {
        let Some(value) = self.take(key, ValueKind::TextsOrTables, report) else { return Vec::new() };
        let span = value.span();
        let items = match value.into_inner() {
            DeValue::Array(items) => items.into_iter().collect(),
            single @ DeValue::String(_) => vec![Spanned::new(span, single)],
            other => {
                self.wrong_type(key, &other, span, "an array", "put it between `[` and `]`", report);
                return Vec::new();
            }
        };
        let mut found = Vec::new();
        for item in items {
            let span = item.span();
            match item.into_inner() {
                DeValue::String(text) => {
                    found.push(StringOrTable::String(SpannedValue { value: text.into_owned(), span }));
                }
                DeValue::Table(entries) => {
                    let path = report.item(&self.path, key);
                    found.push(StringOrTable::Table(TomlTable::new(entries, span, self.sub_title(key), path)));
                }
                other => {
                    self.wrong_type(key, &other, span, "a string or a table", "put it in quotes", report);
                }
            }
        }
        found
    }

    /// Reads an array of tables (`[[key]]`). A single `[key]` table counts as an array of one, with a warning.
    pub fn tables(&mut self, key: &'static str, report: &mut ParseReport<'_>) -> Vec<TomlTable<'t>> {
        self.tables_called(key, key, report)
    }

    /// Reads a list inside another one, whose header is `header`: `[[hooks.tests]]`.
    pub fn tables_called(
        &mut self,
        key: &'static str,
        header: &str,
        report: &mut ParseReport<'_>,
    ) -> Vec<TomlTable<'t>> {
        let Some(value) = self.take(key, ValueKind::Tables, report) else { return Vec::new() };
        let span = value.span();
        let title = format!("`[[{header}]]`");
        let help = || format!("write `[[{header}]]` and the entry's keys below it");
        match value.into_inner() {
            DeValue::Array(items) => {
                let mut tables = Vec::new();
                for item in items {
                    let span = item.span();
                    match item.into_inner() {
                        DeValue::Table(entries) => {
                            let path = report.item(&self.path, key);
                            tables.push(TomlTable::new(entries, span, title.clone(), path));
                        }
                        other => self.wrong_type(key, &other, span, "an array of tables", &help(), report),
                    }
                }
                tables
            }
            DeValue::Table(entries) => {
                let message = format!("`[{header}]` is read as one entry of a list");
                report.warning(span.clone(), message, format!("write `[[{header}]]`"));
                vec![TomlTable::new(entries, span, title, report.item(&self.path, key))]
            }
            other => {
                self.wrong_type(key, &other, span, "an array of tables", &help(), report);
                Vec::new()
            }
        }
    }

    /// Consumes a key that is permitted for other readers, with any value.
    pub fn remark(&mut self, key: &'static str, report: &mut ParseReport<'_>) {
        self.take(key, ValueKind::Anything, report);
    }

    /// Consumes a key that has no effect, and returns the span of its value.
    pub fn ignored(&mut self, key: &str) -> Option<Range<usize>> {
        self.entries.remove(key).map(|value| value.span())
    }

    /// Reads every remaining entry whose value is a boolean, in the order of the file: for tables whose keys are names.
    pub fn booleans(mut self, report: &mut ParseReport<'_>) -> Vec<(SpannedValue<String>, bool)> {
        report.asked(&self.path, key_query::ANY_NAME, ValueKind::Truth);
        let entries = std::mem::take(&mut self.entries);
        let mut found = Vec::new();
        for (key, value) in entries {
            let name = SpannedValue { span: key.span(), value: key.into_inner().into_owned() };
            let span = value.span();
            match value.into_inner() {
                DeValue::Boolean(value) => found.push((name, value)),
                other => {
                    let help = "write `true` or `false` without quotes";
                    self.wrong_type(&name.value, &other, span, "true or false", help, report);
                }
            }
        }
        found.sort_by_key(|(name, _)| name.span.start);
        found
    }

    /// Reads every remaining entry whose value is a string, in the order of the file: for tables whose keys are names.
    pub fn named_strings(mut self, report: &mut ParseReport<'_>) -> Vec<(String, SpannedValue<String>)> {
        report.asked(&self.path, key_query::ANY_NAME, ValueKind::Text);
        let entries = std::mem::take(&mut self.entries);
        let mut found = Vec::new();
        for (key, value) in entries {
            let name = key.into_inner().into_owned();
            if let Some(text) = self.expect_string(&name, value, report) {
                found.push((name, text));
            }
        }
        found.sort_by_key(|(_, text)| text.span.start);
        found
    }

    /// Warns about every key that was not read.
    pub fn finish(self, report: &mut ParseReport<'_>) {
        let mut unknown: Vec<_> = self.entries.iter().collect();
        unknown.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in unknown {
            let name = key.get_ref();
            let place = if self.title.is_empty() { String::new() } else { format!(" in {}", self.title) };
            let help = advice(name, &self.known, || {
                let mut known = self.known.clone();
                known.sort_unstable();
                known.dedup();
                report
                    .stray_toggle_help()
                    .filter(|_| value.get_ref().is_bool())
                    .map_or_else(|| format!("known here: {}", known.join(", ")), str::to_owned)
            });
            report.warning(key.span(), format!("Unknown key `{name}`{place}"), help);
        }
    }

    fn inner(&self, entries: DeTable<'t>, span: Range<usize>, key: &str, report: &ParseReport<'_>) -> TomlTable<'t> {
        TomlTable::new(entries, span, self.sub_title(key), report.below(&self.path, key))
    }

    fn sub_title(&self, key: &str) -> String {
        match self.title.trim_matches('`') {
            "" => format!("`[{key}]`"),
            outer => format!("`{key}` of `{outer}`"),
        }
    }

    fn name_of(&self, key: &str) -> String {
        if self.title.is_empty() { format!("`{key}`") } else { format!("`{key}` in {}", self.title) }
    }

    fn wrong_type(
        &self,
        key: &str,
        found: &DeValue<'_>,
        span: Range<usize>,
        wanted: &str,
        help: &str,
        report: &mut ParseReport<'_>,
    ) {
        let message = format!("{} must be {wanted}, not {}", self.name_of(key), type_of(found));
        report.error(span, message, help);
    }
}

#[derive(Debug)]
pub enum StringOrTable<'t> {
    String(SpannedValue<String>),
    Table(TomlTable<'t>),
}

fn type_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
