//! Parses a SKILL.md for use: everything that can be understood is used, and every guess is reported.

use std::ops::Range;

use super::block::{self, FrontmatterBlock, ParseMode};
use super::compatibility::SkillCompatibility;
use super::condition_text::{atoms, is_balanced, predicates};
use super::document::{LONGEST_DESCRIPTION, SkillActivation, SkillDocument};
use super::key::FrontmatterKey;
use super::name::SkillName;
use super::one_line::one_line;
use super::yaml::{YamlEntry, YamlNode, YamlValue};
use crate::agent::AgentId;
use crate::diagnostic::Diagnostic;

const GOOD_NAME: &str = "use lower-case letters, digits and single hyphens, at most 64 characters";

const ADD_NAME: &str = "add a line `name: …` of lower-case letters, digits and single hyphens, at most 64 characters";

pub(super) const EMPTY_CRATES: &str = "The list of crates is empty, so this skill applies nowhere";
pub(super) const EMPTY_CRATES_HELP: &str = "name its crates, or remove the key to apply to every workspace";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedSkill {
    /// `None` if the skill must be skipped, which the diagnostics explain.
    pub document: Option<SkillDocument>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses the `text` of the SKILL.md at `path`, whose directory is called `directory`.
///
/// The reason to skip the skill is an error; everything else is a warning. Neither affects any other skill.
pub fn parse(path: &str, directory: &str, text: &str) -> ParsedSkill {
    let (block, diagnostics) = block::read(path, text, ParseMode::Liberal);
    let mut reader = SkillReader { path, text, diagnostics };
    let document = block.and_then(|block| reader.document(directory, block));
    ParsedSkill { document, diagnostics: reader.diagnostics }
}

struct SkillReader<'t> {
    path: &'t str,
    text: &'t str,
    diagnostics: Vec<Diagnostic>,
}

/// The values collected from the top level and from `metadata`, before they are combined into a document.
#[derive(Default)]
struct SkillFields {
    name: Option<YamlNode>,
    description: Option<YamlNode>,
    license: Option<String>,
    allowed_tools: Option<String>,
    compatibility: SkillCompatibility,
    crates: Vec<String>,
    empty_crates: Option<Range<usize>>,
    predicates: Vec<String>,
    activation: Option<SkillActivation>,
    digest: Option<String>,
    metadata: Vec<(String, String)>,
    other: Vec<(String, String)>,
}

impl SkillFields {
    fn note_empty(&mut self, key: FrontmatterKey, entry: &YamlEntry) {
        if key.names_no_crate(&entry.value) {
            self.empty_crates = Some(entry.key_span.clone());
        }
    }
}

impl SkillReader<'_> {
    fn document(&mut self, directory: &str, block: FrontmatterBlock) -> Option<SkillDocument> {
        let mut fields = SkillFields::default();
        let usable = self.has_usable_conditions(&block.entries);
        for entry in block.entries {
            self.field(&mut fields, entry);
        }
        if let Some(place) = fields.empty_crates.filter(|_| fields.crates.is_empty()) {
            self.skip(&place, EMPTY_CRATES.to_owned(), EMPTY_CRATES_HELP);
            return None;
        }
        if !usable {
            return None;
        }
        let (name, written_name) = self.name(directory, fields.name, &block.opening)?;
        let description = self.description(fields.description, &block.opening)?;
        let document = SkillDocument {
            name,
            written_name,
            description,
            crates: atoms(fields.crates.iter().map(String::as_str)),
            predicates: predicates(fields.predicates.iter().map(String::as_str)),
            activation: fields.activation.unwrap_or_default(),
            digest: fields.digest,
            compatibility: fields.compatibility,
            license: fields.license,
            allowed_tools: fields.allowed_tools,
            metadata: fields.metadata,
            other: fields.other,
            body: block.body,
        };
        if document.listed_description().is_empty() {
            self.no_description(&block.opening);
            return None;
        }
        Some(document)
    }

    /// Reports every misspelled condition; returns false if there is one.
    fn has_usable_conditions(&mut self, entries: &[YamlEntry]) -> bool {
        let mut usable = true;
        for entry in entries {
            if let Some(found) = FrontmatterKey::misspelled(&entry.key, entries) {
                self.skip(&entry.key_span, found.message, &found.help);
                usable = false;
            }
        }
        usable
    }

    fn field(&mut self, fields: &mut SkillFields, entry: YamlEntry) {
        let Some(key) = FrontmatterKey::read(&entry.key) else {
            fields.other.push((one_line(&entry.key), entry.value.text()));
            return;
        };
        if entry.value.is_nothing() {
            fields.note_empty(key, &entry);
            return;
        }
        match key {
            FrontmatterKey::Name => fields.name = Some(entry.value),
            FrontmatterKey::Description => fields.description = Some(entry.value),
            FrontmatterKey::License => fields.license = non_empty(one_line(&entry.value.text())),
            FrontmatterKey::AllowedTools => fields.allowed_tools = non_empty(one_line(&entry.value.items().join(" "))),
            FrontmatterKey::Compatibility => fields.compatibility = self.compatibility(&entry.value),
            FrontmatterKey::Metadata => self.metadata(fields, entry),
            FrontmatterKey::Crates
            | FrontmatterKey::DependsOn
            | FrontmatterKey::Predicates
            | FrontmatterKey::Activation
            | FrontmatterKey::Digest => self.ours(fields, key, &entry),
        }
    }

    fn ours(&mut self, fields: &mut SkillFields, key: FrontmatterKey, entry: &YamlEntry) {
        match key {
            FrontmatterKey::Crates | FrontmatterKey::DependsOn => {
                if matches!(entry.value.value, YamlValue::Map(_)) {
                    let message = format!("`{}` is a mapping, which cannot name a crate", entry.key);
                    self.warn(&entry.key_span, message, "write `crates: serde, tokio>=1.40`, or a list of such items");
                }
                fields.crates.extend(entry.value.items());
            }
            FrontmatterKey::Predicates => {
                let items = entry.value.items();
                for item in predicates(items.iter().map(String::as_str)).iter().filter(|item| !is_balanced(item)) {
                    let message = format!("The parentheses of predicate `{item}` do not match");
                    self.warn(&entry.value.span, message, "close every parenthesis, as in `not(env(CI))`");
                }
                fields.predicates.extend(items);
            }
            FrontmatterKey::Activation => {
                let text = entry.value.text();
                let activation = SkillActivation::parse(&text);
                if activation.is_none() {
                    let message = format!("Unknown activation `{}`; using `optional`", one_line(&text));
                    self.warn(&entry.value.span, message, "write `activation: always` or `activation: optional`");
                }
                fields.activation = fields.activation.or(activation);
            }
            FrontmatterKey::Digest => {
                let text = entry.value.text();
                fields.digest = fields.digest.take().or_else(|| non_empty(text.trim().to_owned()));
            }
            FrontmatterKey::Name
            | FrontmatterKey::Description
            | FrontmatterKey::License
            | FrontmatterKey::Compatibility
            | FrontmatterKey::AllowedTools
            | FrontmatterKey::Metadata => {}
        }
    }

    fn metadata(&mut self, fields: &mut SkillFields, entry: YamlEntry) {
        let text = entry.value.text();
        let YamlValue::Map(entries) = entry.value.value else {
            let help = "write `metadata:` and below it indented `key: value` lines";
            self.warn(&entry.key_span, "`metadata` is not a mapping".to_owned(), help);
            fields.other.push((one_line(&entry.key), text));
            return;
        };
        for entry in entries {
            match FrontmatterKey::read(&entry.key).filter(|key| key.is_ours()) {
                Some(key) if entry.value.is_nothing() => fields.note_empty(key, &entry),
                Some(key) => self.ours(fields, key, &entry),
                None => {
                    let key = one_line(&entry.key);
                    fields.metadata.retain(|(earlier, _)| *earlier != key);
                    fields.metadata.push((key, entry.value.text()));
                }
            }
        }
    }

    fn compatibility(&mut self, node: &YamlNode) -> SkillCompatibility {
        let YamlValue::List(_) = node.value else { return SkillCompatibility::from_text(&node.text()) };
        let (compatibility, unknown) = SkillCompatibility::from_list(&node.items());
        if !unknown.is_empty() {
            let message = format!("`compatibility` names unknown agents: `{}`", one_line(&unknown.join("`, `")));
            let help = format!("known agents are {}", AgentId::names().join(", "));
            self.warn(&node.span, message, &help);
        }
        compatibility
    }

    fn name(
        &mut self,
        directory: &str,
        written: Option<YamlNode>,
        opening: &Range<usize>,
    ) -> Option<(SkillName, Option<String>)> {
        let given = written.filter(|node| matches!(node.value, YamlValue::Text { .. }));
        let (span, text) = match &given {
            Some(node) => (node.span.clone(), node.text().trim().to_owned()),
            None => (opening.clone(), directory.to_owned()),
        };
        match SkillName::normalize(&text) {
            Ok(name) => {
                if given.is_none() {
                    let message = format!("The skill has no name; using the directory name `{name}`");
                    self.warn(&span, message, &format!("add the line `name: {name}`"));
                }
                Some((name, given.map(|_| text)))
            }
            Err(problem) => {
                let (message, help) = match &given {
                    Some(_) => (format!("`{}` is not a valid skill name: {problem}", shown(&text)), GOOD_NAME),
                    None if text.is_empty() => {
                        ("The skill has no name, and is not in a directory with a usable name".to_owned(), ADD_NAME)
                    }
                    None => {
                        let why = format!("`{}` is not a valid name: {problem}", shown(&text));
                        (format!("The skill has no name, and its directory name {why}"), ADD_NAME)
                    }
                };
                self.skip(&span, message, help);
                None
            }
        }
    }

    fn description(&mut self, node: Option<YamlNode>, opening: &Range<usize>) -> Option<String> {
        let Some(node) = node else {
            self.no_description(opening);
            return None;
        };
        match node.value {
            YamlValue::Text { .. } => {}
            YamlValue::List(_) | YamlValue::Map(_) => {
                let help = "put the value in double quotes";
                self.warn(&node.span, "`description` is not a string, but is used as one".to_owned(), help);
            }
        }
        let text = node.text();
        let length = one_line(&text).chars().count();
        if length > LONGEST_DESCRIPTION {
            let message =
                format!("The description has {length} characters, but agents accept only {LONGEST_DESCRIPTION}");
            self.warn(&node.span, message, "shorten it: the installed copy is truncated");
        }
        Some(text)
    }

    fn no_description(&mut self, span: &Range<usize>) {
        let message = "The description is missing".to_owned();
        self.skip(span, message, "add a line `description: …` that says what it does and when to use it");
    }

    fn skip(&mut self, span: &Range<usize>, message: String, help: &str) {
        self.diagnostics.push(Diagnostic::error(self.path, message).at(self.text, span.clone()).help(help));
    }

    fn warn(&mut self, span: &Range<usize>, message: String, help: &str) {
        self.diagnostics.push(Diagnostic::warning(self.path, message).at(self.text, span.clone()).help(help));
    }
}

fn non_empty(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// Formats a text for a message: escaped, on one line, and no longer than a name may be.
fn shown(text: &str) -> String {
    super::one_line::cut(&text.escape_debug().to_string(), 64)
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
