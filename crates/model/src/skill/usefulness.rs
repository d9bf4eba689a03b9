//! Checks for the author of a SKILL.md if it can help an agent at all.

use std::ops::Range;

use super::block::{self, ParseMode};
use super::key::FrontmatterKey;
use crate::diagnostic::Diagnostic;

/// The beginning of the template's body: a skill that contains it was not filled in.
pub const TEMPLATE: &str = "Say here what an agent gets wrong about";

/// In characters; a shorter description does not say when to load the skill.
const SHORTEST_DESCRIPTION: usize = 16;

/// Longer bodies belong into files beside the skill, which an agent reads when it needs them.
const MOST_LINES: usize = 500;

/// Reports everything except the format that keeps a skill from helping an agent.
pub fn check_usefulness(path: &str, text: &str) -> Vec<Diagnostic> {
    let Some(block) = block::read(path, text, ParseMode::Liberal).0 else { return Vec::new() };
    let mut found = Vec::new();
    let mut warn = |span: Range<usize>, message: &str, help: &str| {
        found.push(Diagnostic::warning(path, message).at(text, span).help(help));
    };
    let description =
        block.entries.iter().find(|entry| FrontmatterKey::read(&entry.key) == Some(FrontmatterKey::Description));
    if let Some(entry) = description.filter(|entry| !entry.value.is_nothing()) {
        let text = entry.value.text();
        let text = text.trim();
        if text.chars().count() < SHORTEST_DESCRIPTION {
            let help = if text.to_ascii_lowercase().starts_with("use when") {
                "name the tasks in a few words"
            } else {
                "begin it with \"Use when\", and name the tasks"
            };
            let message = "The description does not say when to use the skill, so agents rarely load it";
            warn(entry.value.span.clone(), message, help);
        }
    }
    let body = text.get(block.body.clone()).unwrap_or_default();
    if let Some(at) = body.find(TEMPLATE) {
        let start = block.body.start + at;
        warn(
            start..start + TEMPLATE.len(),
            "This is still the text of the template",
            "describe the mistakes that agents make with the crate, and the correct way",
        );
    }
    let lines = body.lines().count();
    if lines > MOST_LINES {
        warn(
            block.opening,
            &format!("The skill has {lines} lines, and an agent reads all of them each time it loads the skill"),
            &format!("keep it below {MOST_LINES} lines, and move details into other files that it names"),
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_an_agent_nothing_is_pointed_out() {
        let said = |description: &str, body: &str| -> Vec<usize> {
            let text = format!("---\nname: a\ndescription: {description}\n---\n{body}");
            let found = check_usefulness("SKILL.md", &text);
            found.iter().map(|found| found.location.as_ref().unwrap().line).collect()
        };
        assert_eq!(said("stuff", "body"), [3]);
        assert_eq!(said("Does things", "body"), [3]);
        let help = |description: &str| {
            let found = check_usefulness("SKILL.md", &format!("---\nname: a\ndescription: {description}\n---\n"));
            found[0].help.clone().unwrap()
        };
        assert!(help("stuff").starts_with("begin it with"));
        assert_eq!(help("Use when fs1."), "name the tasks in a few words");
        assert_eq!(said("", "body"), [0; 0], "that it is missing is said elsewhere");
        assert_eq!(said("Use when parsing", "body"), [0; 0]);
        assert_eq!(said("Use when parsing", &format!("# A\n\n{TEMPLATE} `a`: …\n")), [7]);
        assert_eq!(said("Use when parsing", &"line\n".repeat(500)), [0; 0]);
        assert_eq!(said("Use when parsing", &"line\n".repeat(501)), [1]);
    }
}
