//! Translation of an outcome into the bytes that the agent reads.

use std::borrow::Cow;
use std::time::Duration;

use serde_json::Value;
use symposium_agents::native::NativeAnswer;
use symposium_agents::wire::{LoweredDecision, UnsupportedEffect, lower_outcome};
use symposium_agents::{AgentDialect, AgentEvent, HookAnswer, MessageChannel};
use symposium_model::config::AppDirectories;
use symposium_model::hook::hook_plan::hash;
use symposium_model::hook::{Event, HookDecision, HookInput, Outcome, shortened};
use symposium_model::scan;

use crate::edge::disk::{self, RetentionRule};
use crate::hook_log::LogEntry;

/// Removes from an outcome the characters that a user cannot see but a model reads.
pub(crate) fn cleaned(mut outcome: Outcome) -> Outcome {
    let Outcome { context, message, reason, updated_output, .. } = &mut outcome;
    [context, message, reason, updated_output].into_iter().flatten().for_each(clean);
    outcome
}

pub(crate) fn clean(text: &mut String) {
    if let Cow::Owned(clean) = scan::plain_lines(text) {
        *text = clean;
    }
}

/// Renders the answer for one agent, with the effects that this agent does not support.
pub(crate) fn for_agent(
    dialect: &AgentDialect,
    event: AgentEvent,
    input: &HookInput,
    outcome: &Outcome,
    told: AnswerOptions<'_>,
) -> (HookAnswer, DeliveredAnswer, Vec<UnsupportedEffect>) {
    let (mut reply, losses) = lower_outcome(dialect, event, input, outcome);
    reply.reload_skills = told.skills_written && input.event() == Event::SessionStart;
    if let (Some(context), Some(limit)) = (&mut reply.context, dialect.context_limit)
        && context.len() > limit
    {
        *context = bounded(context, limit, told.directories);
    }
    let happened = DeliveredAnswer {
        decision: match &reply.verdict {
            LoweredDecision::Nothing => None,
            LoweredDecision::Allow(_) => Some(HookDecision::Allow),
            LoweredDecision::Ask(_) => Some(HookDecision::Ask),
            LoweredDecision::Block(_) => Some(HookDecision::Deny),
        },
        rewritten: reply.rewrite.is_some(),
    };
    (dialect.answer(event, &reply), happened, losses)
}

/// Lists the messages for the user that the agent cannot display. They are not meant for the model, so only the hook
/// log has them.
pub(crate) fn unshown<'o>(dialect: &AgentDialect, outcome: &'o Outcome) -> impl Iterator<Item = &'o str> {
    let message = match dialect.message {
        MessageChannel::Shown => None,
        MessageChannel::Impossible => outcome.message.as_deref(),
    };
    message.into_iter().flat_map(|message| message.split("\n\n"))
}

/// Describes the keys of handler output that have no effect on this agent.
pub(crate) fn unsaid(outcome: &Outcome) -> Option<String> {
    // Continuing is the default anyway.
    let goes_on = |key: &str, value: &Value| key == "continue" && *value == Value::Bool(true);
    let unsaid = outcome.other.iter().filter(|(key, value)| !goes_on(key, value));
    let keys: Vec<Cow<'_, str>> =
        unsaid.map(|(key, _)| scan::one_line(shortened(key, MAX_KEY))).take(MAX_KEYS).collect();
    (!keys.is_empty()).then(|| format!("These keys of a handler's output have no effect here: {}", keys.join(", ")))
}

/// Limits for the message about ineffective keys: bytes of one key, and number of keys.
const MAX_KEY: usize = 40;
const MAX_KEYS: usize = 8;

/// The effect that an agent was given, which may be less than the handlers asked for.
pub(crate) struct DeliveredAnswer {
    decision: Option<HookDecision>,
    rewritten: bool,
}

impl DeliveredAnswer {
    /// Writes the delivered decision to the hook log entry. `native` is the handler output in the agent's own JSON.
    pub(crate) fn describe(self, native: &NativeAnswer, entry: &mut LogEntry) {
        let happened = match self.decision {
            // Deferring is stricter than allowing, and only some agents know it.
            None | Some(HookDecision::Allow) if native.defers() => Some("defer".to_owned()),
            None | Some(HookDecision::Allow) if native.refuses() => Some(HookDecision::Deny.name().to_owned()),
            decision => decision.map(|decision| decision.name().to_owned()),
        };
        if entry.decision.is_some() && entry.decision != happened && entry.decision.as_deref() == Some("ask") {
            entry.note("A handler returned `ask`, which this agent does not support for this event");
        }
        entry.decision = happened;
        entry.rewritten = self.rewritten;
    }
}

/// Removes stored full texts of shortened contexts that are old or too many.
pub(crate) fn prune(directories: &AppDirectories) {
    let retention = RetentionRule { age: OLD_CONTEXT, kept: &[], most: MOST_CONTEXTS, is_counted: |_| true };
    disk::prune(&directories.contexts(), &retention);
}

const OLD_CONTEXT: Duration = Duration::from_hours(14 * 24);
/// A handler may produce a different text at every event.
const MOST_CONTEXTS: usize = 200;

pub(crate) fn with_native(
    dialect: &AgentDialect,
    event: AgentEvent,
    native: NativeAnswer,
    settled: HookAnswer,
    entry: &mut LogEntry,
) -> HookAnswer {
    if native.is_silent() {
        return settled;
    }
    let (emission, unheeded) = native.beside(dialect, dialect.name_of(event).unwrap_or_default(), settled);
    for unheeded in unheeded {
        entry.note(unheeded.text());
    }
    emission
}

#[derive(Clone, Copy)]
pub(crate) struct AnswerOptions<'a> {
    pub(crate) skills_written: bool,
    pub(crate) directories: &'a AppDirectories,
}

/// Renders the answer in Symposium's own format: always exactly one JSON object.
pub(crate) fn canonical(input: &HookInput, outcome: &Outcome) -> HookAnswer {
    let mut whole = outcome.clone();
    // The reader of a canonical answer takes `updated_input` for the complete tool input.
    if whole.updated_input.is_some() {
        whole.updated_input = input.tool().map(|tool| tool.input.clone());
    }
    one_line(&whole.to_json(input.event()))
}

pub(crate) fn canonical_neutral(event: Event) -> HookAnswer {
    one_line(&Outcome::default().to_json(event))
}

fn one_line(value: &Value) -> HookAnswer {
    HookAnswer { stdout: format!("{value}\n").into(), stderr: "".into(), exit: 0 }
}

/// Shortens a text to the length the agent shows in full, and appends the path of a file with the complete text.
fn bounded(text: &str, limit: usize, directories: &AppDirectories) -> String {
    let file = directories.contexts().join(format!("{:016x}.txt", hash(text.as_bytes())));
    let pointer = match disk::replace(&file, text.as_bytes()) {
        Ok(()) => format!("\n\n[Shortened. The full text is in {}]", file.display()),
        Err(_) => "\n\n[Shortened]".to_owned(),
    };
    let head = shortened(text, limit.saturating_sub(pointer.len()));
    format!("{head}{pointer}")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn long_texts_are_cut_and_kept_whole_on_disk() {
        let home = tempfile::tempdir().unwrap();
        let below =
            |home: &Path| AppDirectories { config: home.into(), cache: home.join("cache"), logs: home.join("logs") };
        let text = "é".repeat(6000);
        let shown = bounded(&text, 9_990, &below(home.path()));
        assert!(shown.len() <= 9_990 && shown.starts_with("éé"), "{}", shown.len());
        let file = shown.rsplit("is in ").next().unwrap().trim_end_matches(']');
        assert_eq!(disk::read(Path::new(file), 1 << 20).unwrap(), text.as_bytes());
        let nowhere = bounded(&text, 100, &below(Path::new("/proc/nowhere")));
        assert!(nowhere.len() <= 100 && nowhere.ends_with("[Shortened]"));
    }

    #[test]
    fn what_nobody_sees_is_taken_out() {
        let outcome = Outcome {
            context: Some("a\u{202e}b\u{1b}[31m".to_owned()),
            reason: Some("\u{e0041}no".to_owned()),
            ..Outcome::default()
        };
        let clean = cleaned(outcome);
        assert_eq!(clean.context.as_deref(), Some("ab[31m"));
        assert_eq!(clean.reason.as_deref(), Some("no"));
    }
}
