//! The user's permission rules about shell commands, as far as a rewrite of a command must respect them.
//!
//! Agents judge a rewritten command in its rewritten form, so a rewrite can get a command past a rule. Matching is
//! generous: agents read their rules in different ways, and a command that is not rewritten loses nothing.

use serde::{Deserialize, Serialize};

use crate::agent::AgentId;

/// A rule of the user that allows, forbids or asks about shell commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandRule {
    pub agent: AgentId,
    /// The rule as it is in the settings.
    pub text: String,
    /// The parts of words a command must contain, in this order. An empty list matches every command.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<RulePiece>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RulePiece {
    Word(String),
    Start(String),
    Part(String),
}

const SEPARATORS: [char; 12] = [';', '&', '|', '(', ')', '{', '}', '<', '>', '`', '$', '='];

impl CommandRule {
    /// Parses a pattern for the beginning of a command, with the wildcards `*` and `?`. Returns `None` for one that
    /// concerns every command alike: no rewrite gets past it.
    pub fn parse(agent: AgentId, text: &str, pattern: &str) -> Option<Self> {
        // `git push:*` is the older form of `git push*`.
        let pattern = pattern.strip_suffix(":*").map_or_else(|| pattern.to_owned(), |start| format!("{start}*"));
        let is_wild = |c: char| matches!(c, '*' | '?');
        let mut pieces = Vec::new();
        for word in words(&pattern) {
            let Some((start, rest)) = word.split_once(is_wild) else {
                pieces.push(RulePiece::Word(word));
                continue;
            };
            pieces.extend((!start.is_empty()).then(|| RulePiece::Start(start.to_owned())));
            let parts = rest.split(is_wild).filter(|part| !part.is_empty());
            pieces.extend(parts.map(|part| RulePiece::Part(part.to_owned())));
        }
        (!pieces.is_empty()).then(|| Self { agent, text: text.to_owned(), pieces })
    }

    /// Returns a rule that may concern any command, because its text cannot be parsed.
    pub fn unknown(agent: AgentId, text: &str) -> Self {
        Self { agent, text: text.to_owned(), pieces: Vec::new() }
    }

    fn concerns(&self, words: &[String]) -> bool {
        let mut rest = words;
        self.pieces.iter().all(|piece| {
            // Two pieces may be in one word.
            let at = rest.iter().position(|word| piece.is_in(word));
            rest = at.and_then(|at| rest.get(at..)).unwrap_or_default();
            at.is_some()
        })
    }

    /// Returns true if the rule names only words that a rewrite added: such a rule was not written for this command.
    fn is_only_about_added(&self, original: &[String]) -> bool {
        !self.pieces.iter().any(|piece| original.iter().any(|word| piece.is_in(word)))
    }
}

impl RulePiece {
    fn is_in(&self, word: &str) -> bool {
        match self {
            Self::Word(wanted) => word == wanted || program_name(word) == program_name(wanted),
            Self::Start(start) => {
                word.starts_with(start.as_str()) || program_name(word).starts_with(program_name(start))
            }
            Self::Part(part) => word.contains(part.as_str()),
        }
    }
}

/// Returns the first rule that concerns a command; such a command must not be rewritten.
pub fn rule_about<'r>(rules: &'r [CommandRule], agent: Option<AgentId>, command: &str) -> Option<&'r CommandRule> {
    let words = words(command);
    of_agent(rules, agent).find(|rule| rule.concerns(&words))
}

/// Returns the first rule that a rewrite gets a command past: one about the original command, or one that was written
/// only for words the rewrite added, such as `rtk *`.
pub fn rule_passed_by<'r>(
    rules: &'r [CommandRule],
    agent: Option<AgentId>,
    original: &str,
    rewritten: &str,
) -> Option<&'r CommandRule> {
    if is_appended(original, rewritten) {
        return None;
    }
    let (before, after) = (words(original), words(rewritten));
    let mut of_agent = of_agent(rules, agent);
    of_agent.find(|rule| rule.concerns(&before) || (rule.concerns(&after) && rule.is_only_about_added(&before)))
}

/// Returns true if the rewrite only appends to the command: then every rule about it still applies.
pub fn is_appended(original: &str, rewritten: &str) -> bool {
    rewritten.strip_prefix(original).is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

fn of_agent(rules: &[CommandRule], agent: Option<AgentId>) -> impl Iterator<Item = &CommandRule> {
    rules.iter().filter(move |rule| agent.is_none_or(|agent| rule.agent == agent))
}

/// Returns the words of a command and of every command inside it, without quotes and escapes.
fn words(command: &str) -> Vec<String> {
    let is_gap = |c: char| c.is_whitespace() || SEPARATORS.contains(&c);
    let bare = |word: &str| word.chars().filter(|c| !matches!(c, '\'' | '"' | '\\')).collect::<String>();
    command.split(is_gap).map(bare).filter(|word| !word.is_empty()).collect()
}

fn program_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

#[cfg(test)]
#[path = "permission_tests.rs"]
mod tests;
