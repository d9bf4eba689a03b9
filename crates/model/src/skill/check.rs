//! Checks a SKILL.md for its author against the Agent Skills format and Symposium's keys, each diagnostic with position
//! and help.

use std::ops::Range;

use super::block::{self, FrontmatterBlock, ParseMode};
use super::compatibility::SkillCompatibility;
use super::condition_text::{is_balanced, predicates};
use super::digest::LONGEST_DIGEST;
use super::document::{LONGEST_DESCRIPTION, SkillActivation};
use super::installed_text::LONGEST_COMPATIBILITY;
use super::key::{FrontmatterKey, nearest};
use super::name::SkillName;
use super::one_line::{cut, one_line};
use super::parse::{EMPTY_CRATES, EMPTY_CRATES_HELP};
use super::scalar;
use super::yaml::{TextStyle, YamlEntry, YamlNode, YamlValue};
use crate::diagnostic::{Diagnostic, Severity};
use crate::predicate::{Predicate, unsupported_help, unsupported_message};

/// A longer description takes the place of other skills in the list of an agent; in characters.
const USUAL_DESCRIPTION: usize = 250;

/// Returns all diagnostics about the `text` of the SKILL.md at `path`, whose directory is called `directory`.
pub fn check(path: &str, directory: &str, text: &str) -> Vec<Diagnostic> {
    let (block, diagnostics) = block::read(path, text, ParseMode::Strict);
    let mut checker = SkillChecker { path, text, diagnostics };
    if let Some(block) = block {
        checker.block(directory, &block);
    }
    checker.diagnostics
}

struct SkillChecker<'t> {
    path: &'t str,
    text: &'t str,
    diagnostics: Vec<Diagnostic>,
}

impl SkillChecker<'_> {
    fn block(&mut self, directory: &str, block: &FrontmatterBlock) {
        for required in [FrontmatterKey::Name, FrontmatterKey::Description] {
            if !block.entries.iter().any(|entry| entry.key == required.as_str() && !entry.value.is_nothing()) {
                let message = format!("The required key `{}` is missing or empty", required.as_str());
                let help = match required {
                    FrontmatterKey::Name => format!("add the line `name: {}`", suggested_name(directory)),
                    _ => "add a line `description: …` that says what the skill does and when to use it".to_owned(),
                };
                self.say(Severity::Error, &block.opening, message, help);
            }
        }
        for entry in &block.entries {
            match FrontmatterKey::ALL.into_iter().find(|key| key.as_str() == entry.key) {
                Some(key) if key.names_no_crate(&entry.value) => {
                    let (message, help) = (EMPTY_CRATES.to_owned(), EMPTY_CRATES_HELP.to_owned());
                    self.say(Severity::Warning, &entry.key_span, message, help);
                }
                Some(_) if entry.value.is_nothing() => {}
                Some(key) => self.entry(directory, key, entry),
                None => match FrontmatterKey::misspelled(&entry.key, &block.entries) {
                    Some(found) => self.say(Severity::Error, &entry.key_span, found.message, found.help),
                    None => self.unknown(entry),
                },
            }
        }
    }

    fn entry(&mut self, directory: &str, key: FrontmatterKey, entry: &YamlEntry) {
        let node = &entry.value;
        match key {
            FrontmatterKey::Name => self.name(directory, node),
            FrontmatterKey::Description => self.description(node),
            FrontmatterKey::License => self.needs_text(key, node),
            FrontmatterKey::AllowedTools => {
                if matches!(node.value, YamlValue::List(_)) {
                    let line = scalar::value(&one_line(&node.items().join(" "))).into_owned();
                    let message = "`allowed-tools` is a list, but the format requires a string".to_owned();
                    self.say(Severity::Warning, &node.span, message, format!("write `allowed-tools: {line}`"));
                }
            }
            FrontmatterKey::Compatibility => self.compatibility(node),
            FrontmatterKey::Metadata => self.metadata(node),
            FrontmatterKey::Crates | FrontmatterKey::DependsOn => self.crates(key, node),
            FrontmatterKey::Predicates => self.predicates(node),
            FrontmatterKey::Activation => self.activation(node),
            FrontmatterKey::Digest => self.digest(node),
        }
    }

    fn name(&mut self, directory: &str, node: &YamlNode) {
        let YamlValue::Text { text, style } = &node.value else {
            let help = format!("write `name: {}`", suggested_name(directory));
            self.say(Severity::Error, &node.span, "`name` is not a string".to_owned(), help);
            return;
        };
        let text = text.trim();
        if let Err(problem) = SkillName::parse(text) {
            let message = format!("`{}` is not a valid skill name: {problem}", cut(&one_line(text), 80));
            let help = match SkillName::normalize(text) {
                Ok(name) => format!("write `name: {name}`"),
                Err(_) => "use lower-case letters, digits and single hyphens, at most 64 characters".to_owned(),
            };
            self.say(Severity::Error, &node.span, message, help);
            return;
        }
        if *style == TextStyle::Plain && scalar::value(text) != text {
            let message = format!("YAML does not read the name `{text}` as a string, and Amp fails on it");
            self.say(Severity::Warning, &node.span, message, format!("write `name: \"{text}\"`"));
        }
        if text != directory {
            let message =
                format!("The name `{text}` differs from the directory `{directory}`, and Crush skips the skill");
            let help = format!("rename the directory to `{text}`; the installed directory has that name in any case");
            self.say(Severity::Warning, &node.span, message, help);
        }
    }

    fn description(&mut self, node: &YamlNode) {
        self.needs_text(FrontmatterKey::Description, node);
        let text = node.text();
        let length = text.trim().chars().count();
        if length > LONGEST_DESCRIPTION {
            let message = format!("The description has {length} characters; at most {LONGEST_DESCRIPTION} are allowed");
            let help = "describe what the skill does and when to use it, and move the rest to the body".to_owned();
            self.say(Severity::Error, &node.span, message, help);
        } else if length > USUAL_DESCRIPTION {
            let message =
                format!("The description has {length} characters, but agents show only a short part in their lists");
            let help = format!("use at most {USUAL_DESCRIPTION} characters, and move the rest to `digest` or the body");
            self.say(Severity::Warning, &node.span, message, help);
        }
        if self.is_cut_by_comment(node) {
            let message = "The description ends at ` #`, which starts a comment".to_owned();
            self.say(Severity::Warning, &node.span, message, "put the whole description in double quotes".to_owned());
        }
        if text.contains("---") {
            let message = "The description contains `---`, where Goose truncates it".to_owned();
            self.say(Severity::Warning, &node.span, message, "use `—` or `--` instead".to_owned());
        }
    }

    /// Returns true if a ` #` that was meant as text begins a comment: `Closes issue #12` loses its number, while a `#
    /// note` with a blank is a comment on purpose.
    fn is_cut_by_comment(&self, node: &YamlNode) -> bool {
        let rest = self.text.get(node.span.end..).unwrap_or_default();
        let note = rest.lines().next().unwrap_or_default().trim_start().strip_prefix('#');
        let plain = matches!(node.value, YamlValue::Text { style: TextStyle::Plain, .. });
        plain && note.is_some_and(|note| note.starts_with(|c: char| !c.is_whitespace()))
    }

    fn compatibility(&mut self, node: &YamlNode) {
        match &node.value {
            YamlValue::Text { text, .. } => {
                let length = text.trim().chars().count();
                if length > LONGEST_COMPATIBILITY {
                    let message =
                        format!("`compatibility` has {length} characters; at most {LONGEST_COMPATIBILITY} are allowed");
                    self.say(Severity::Error, &node.span, message, "move the details to the body".to_owned());
                }
            }
            YamlValue::List(_) => {
                let (compatibility, unknown) = SkillCompatibility::from_list(&node.items());
                let line = scalar::value(&compatibility.to_text()).into_owned();
                let message = match unknown.first() {
                    Some(item) => format!("`{}` in `compatibility` is not a known agent", cut(&one_line(item), 80)),
                    None => "`compatibility` is a list, but the format requires a string".to_owned(),
                };
                self.say(Severity::Warning, &node.span, message, format!("write `compatibility: {line}`"));
            }
            YamlValue::Map(_) => self.needs_text(FrontmatterKey::Compatibility, node),
        }
    }

    fn metadata(&mut self, node: &YamlNode) {
        let YamlValue::Map(entries) = &node.value else {
            let help = "write `metadata:` and below it indented `key: value` lines".to_owned();
            self.say(Severity::Warning, &node.span, "`metadata` is not a mapping".to_owned(), help);
            return;
        };
        for entry in entries {
            match FrontmatterKey::read(&entry.key).filter(|key| key.is_ours()) {
                Some(FrontmatterKey::Activation) => self.activation(&entry.value),
                Some(FrontmatterKey::Digest) => self.digest(&entry.value),
                Some(FrontmatterKey::Predicates) => self.predicates(&entry.value),
                Some(_) | None => {}
            }
            let is_text = match &entry.value.value {
                YamlValue::Text { style: TextStyle::Quoted, .. } => true,
                YamlValue::Text { text, style: TextStyle::Plain } => !reads_as_a_value(text),
                YamlValue::List(_) | YamlValue::Map(_) => false,
            };
            if !is_text {
                let line = cut(&scalar::value(&one_line(&entry.value.text())), 80);
                let line = if line.starts_with(['"', '\'']) { line } else { format!("\"{line}\"") };
                let message = format!("The value of `{}` under `metadata` is not a string", cut(&entry.key, 80));
                self.say(
                    Severity::Warning,
                    &entry.key_span,
                    message,
                    format!("write `{}: {line}`", cut(&entry.key, 80)),
                );
            }
        }
    }

    fn crates(&mut self, key: FrontmatterKey, node: &YamlNode) {
        if matches!(node.value, YamlValue::Map(_)) {
            let message = format!("`{}` is a mapping, which cannot name a crate", key.as_str());
            let help = "write `crates: serde, tokio>=1.40`, or a list of such items".to_owned();
            self.say(Severity::Error, &node.span, message, help);
        }
    }

    fn predicates(&mut self, node: &YamlNode) {
        let items = node.items();
        for item in predicates(items.iter().map(String::as_str)) {
            if !is_balanced(&item) {
                let message = format!("The parentheses of predicate `{}` do not match", cut(&item, 80));
                let help = "close every parenthesis, as in `not(env(CI))`".to_owned();
                self.say(Severity::Error, &node.span, message, help);
            } else if let Ok(predicate) = Predicate::parse(&item)
                && let Some(name) = predicate.unsupported()
            {
                let (message, help) = (unsupported_message(name), unsupported_help(name));
                self.say(Severity::Warning, &node.span, message, help);
            }
        }
    }

    fn digest(&mut self, node: &YamlNode) {
        self.needs_text(FrontmatterKey::Digest, node);
        let length = node.text().trim().len();
        if length > LONGEST_DIGEST {
            let message = format!("The digest has {length} bytes, and only the first {LONGEST_DIGEST} reach an agent");
            let help = "keep the most important facts, and move the rest to the body".to_owned();
            self.say(Severity::Warning, &node.span, message, help);
        }
        if node.text().contains(['<', '>']) {
            let message = "The digest contains `<` or `>`, which some agents show as `&lt;` and `&gt;`".to_owned();
            let help = "name the type without its parameters, and write `→` for an arrow".to_owned();
            self.say(Severity::Warning, &node.span, message, help);
        }
    }

    fn activation(&mut self, node: &YamlNode) {
        let text = node.text();
        if SkillActivation::parse(&text).is_none() {
            let message = format!("Unknown activation `{}`", cut(&one_line(&text), 80));
            let help = "write `activation: always` or `activation: optional`".to_owned();
            self.say(Severity::Error, &node.span, message, help);
        }
    }

    fn needs_text(&mut self, key: FrontmatterKey, node: &YamlNode) {
        match node.value {
            YamlValue::Text { .. } => {}
            YamlValue::List(_) | YamlValue::Map(_) => {
                let message = format!("`{}` is not a string", key.as_str());
                self.say(Severity::Error, &node.span, message, "put the value in double quotes".to_owned());
            }
        }
    }

    fn unknown(&mut self, entry: &YamlEntry) {
        let key = cut(&one_line(&entry.key), 80);
        let help = match FrontmatterKey::read(&entry.key).or_else(|| nearest(&entry.key)) {
            Some(known) => format!("did you mean `{}`?", known.as_str()),
            None => "move it under `metadata`: the reference validator accepts no other keys".to_owned(),
        };
        self.say(Severity::Warning, &entry.key_span, format!("Unknown key `{key}`"), help);
    }

    fn say(&mut self, severity: Severity, span: &Range<usize>, message: String, help: String) {
        let diagnostic = match severity {
            Severity::Error => Diagnostic::error(self.path, message),
            Severity::Warning => Diagnostic::warning(self.path, message),
        };
        self.diagnostics.push(diagnostic.at(self.text, span.clone()).help(help));
    }
}

fn suggested_name(directory: &str) -> String {
    SkillName::normalize(directory).map_or_else(|_| "my-skill".to_owned(), |name| name.to_string())
}

fn reads_as_a_value(text: &str) -> bool {
    let number = text.trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && (text.parse::<f64>().is_ok() || text.starts_with("0x") || text.starts_with("0o"));
    let word = ["true", "false", "null", "~", "", ".nan", ".inf"].contains(&text.to_ascii_lowercase().as_str());
    number || word
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
