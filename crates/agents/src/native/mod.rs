//! Native events: the subject of their matchers, and the merge of several answers in the agent's own JSON.

mod chain;
mod merge;

use std::borrow::Cow;

use serde_json::{Map, Value};
use symposium_model::hook::{Decision, Event, HandlerFlow, HookOutput};

use crate::dialect::Dialect;
use crate::wire::mended_value;
use crate::wire_format::{DeferSupport, EVERY, HookAnswer};

pub use crate::wire_format::{AnswerStream, NativeForm, PlainText, RefusalFormat, StartMatcher};
pub use chain::chained;

#[derive(Debug, Clone, PartialEq)]
pub enum NativeOutput {
    Answer(Map<String, Value>),
    Text(String),
    /// A refusal by exit code, with the answer that was printed all the same.
    Refused {
        reason: String,
        answer: Map<String, Value>,
    },
}

impl NativeOutput {
    /// Parses the output of a handler; `None` when it is empty, or must not reach the agent.
    pub fn printed(dialect: &Dialect, event: &str, stdout: &str) -> Option<Self> {
        let text = stdout.trim();
        match mended_value(text) {
            Ok(Value::Object(mut answer)) => {
                merge::drop_unusable(&mut answer);
                Some(Self::Answer(answer))
            }
            Ok(_) => None,
            Err(_) if text.is_empty() || dialect.own.plain_text == PlainText::Harmful => None,
            Err(_) if dialect.neutral.silent_on.contains(&event) => None,
            Err(_) => Some(Self::Text(text.to_owned())),
        }
    }

    pub fn reason(&self) -> Option<String> {
        match self {
            Self::Answer(answer) => merge::summary(answer).reason,
            Self::Text(_) => None,
            Self::Refused { reason, .. } => Some(reason.clone()),
        }
    }

    pub fn refuses(&self) -> bool {
        match self {
            Self::Answer(answer) => refuses(answer),
            Self::Text(_) => false,
            Self::Refused { .. } => true,
        }
    }
}

pub fn refuses(answer: &Map<String, Value>) -> bool {
    merge::refuses(answer)
}

/// The merged answers of all handlers of one event, in the agent's JSON.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NativeAnswer {
    answer: Map<String, Value>,
    texts: Vec<String>,
    refused: Option<String>,
    spoke: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IgnoredOutput {
    /// An `llm_response` without a refusal: the model is asked all the same.
    ResponseWithoutDeny,
    /// A refusal of something the agent does not let a hook refuse.
    Refusal,
    Text,
    Unknown(Vec<String>),
}

impl IgnoredOutput {
    pub fn text(self) -> Cow<'static, str> {
        match self {
            Self::ResponseWithoutDeny => {
                "A `llm_response` has an effect only with `\"decision\": \"deny\"`, so the model is still called".into()
            }
            Self::Refusal => "This agent does not let a hook deny this event, so the denial has no effect".into(),
            Self::Text => "Text next to a JSON answer is ignored".into(),
            Self::Unknown(keys) => format!(
                "This agent would reject the whole answer because of {}, so that part is removed",
                keys.join(", ")
            )
            .into(),
        }
    }
}

impl NativeAnswer {
    pub fn absorb(&mut self, said: NativeOutput) -> HandlerFlow {
        self.spoke += 1;
        let stops = said.refuses();
        match said {
            NativeOutput::Answer(answer) => merge::add(&mut self.answer, answer),
            NativeOutput::Text(text) => self.texts.push(text),
            NativeOutput::Refused { reason, answer } => {
                merge::add(&mut self.answer, answer);
                self.refused = Some(reason);
            }
        }
        if stops { HandlerFlow::Stop } else { HandlerFlow::Continue }
    }

    pub fn is_silent(&self) -> bool {
        self.spoke == 0
    }

    pub fn refuses(&self) -> bool {
        self.refused.is_some() || merge::refuses(&self.answer) || merge::halts(&self.answer)
    }

    /// Returns whether a handler deferred the decision and none refused.
    pub fn defers(&self) -> bool {
        merge::deferral(&self.answer).is_some()
    }

    pub fn summary(&self) -> HookOutput {
        let mut output = merge::summary(&self.answer);
        if let Some(reason) = &self.refused {
            output.decision = Some(Decision::Deny);
            output.reason = Some(reason.clone());
        }
        output
    }

    pub fn context_bytes(&self) -> usize {
        merge::context_bytes(&self.answer)
    }

    pub fn clean(&mut self, clean: &dyn Fn(&mut String)) {
        merge::for_each_text(&mut self.answer, clean);
        self.texts.iter_mut().for_each(clean);
        self.refused.iter_mut().for_each(clean);
    }

    /// Returns the answer to a native event, and the output in it that will have no effect.
    pub fn emission(mut self, dialect: &Dialect, event: &str) -> (HookAnswer, Vec<IgnoredOutput>) {
        let mut unheeded = Vec::new();
        if dialect.own.plain_text == PlainText::Message && !self.texts.is_empty() {
            let message = std::mem::take(&mut self.texts).join("\n");
            merge::add(&mut self.answer, Map::from_iter([("systemMessage".to_owned(), message.into())]));
        }
        if merge::is_response_without_deny(event, &self.answer) && self.refused.is_none() {
            unheeded.push(IgnoredOutput::ResponseWithoutDeny);
        }
        if !self.texts.is_empty() && !self.answer.is_empty() {
            unheeded.push(IgnoredOutput::Text);
        }
        let silent = dialect.neutral.silent_on.contains(&event);
        let mut emission = HookAnswer { stdout: "".into(), stderr: "".into(), exit: 0 };
        match (self.refused.take(), dialect.own.refusal) {
            (Some(_), RefusalFormat::Unheard) => unheeded.push(IgnoredOutput::Refusal),
            // Any output there changes the request.
            (Some(_), RefusalFormat::Json) if silent => unheeded.push(IgnoredOutput::Refusal),
            (Some(reason), RefusalFormat::Json) => {
                self.answer.insert("decision".to_owned(), "deny".into());
                self.answer.insert("reason".to_owned(), reason.into());
            }
            (Some(reason), RefusalFormat::ExitCodeAndOutput) => {
                (emission.stderr, emission.exit) = (reason.into(), 2);
            }
            (Some(reason), RefusalFormat::ExitCode) => {
                (emission.stderr, emission.exit) = (reason.into(), 2);
                return (emission, unheeded);
            }
            (None, _) => {}
        }
        merge::name_event(&mut self.answer, event);
        if let Some(known) = dialect.own.known.iter().find(|known| known.event == event || known.event == EVERY) {
            let unknown = merge::keep_known(&mut self.answer, known);
            unheeded.extend((!unknown.is_empty()).then_some(IgnoredOutput::Unknown(unknown)));
        }
        emission.stdout = if !self.answer.is_empty() {
            Value::Object(self.answer).to_string().into()
        } else if emission.exit == 0 && !self.texts.is_empty() {
            self.texts.join("\n").into()
        } else if silent || emission.exit != 0 {
            "".into()
        } else {
            dialect.neutral.stdout.into()
        };
        (emission, unheeded)
    }

    /// Merges the answer with `settled`, the one to the canonical handlers of the same event.
    pub fn beside(mut self, dialect: &Dialect, event: &str, settled: HookAnswer) -> (HookAnswer, Vec<IgnoredOutput>) {
        // A refusal by exit code leaves no room for anything else.
        if settled.exit != 0 {
            return (settled, Vec::new());
        }
        match serde_json::from_str(&settled.stdout) {
            Ok(Value::Object(answer)) => merge::add(&mut self.answer, answer),
            Ok(_) | Err(_) => self.texts.extend((!settled.stdout.is_empty()).then(|| settled.stdout.into_owned())),
        }
        self.emission(dialect, event)
    }
}

impl Dialect {
    /// Returns the answer of a handler in this agent's own JSON without the keys that have a canonical form and those
    /// that would void it.
    pub fn remainder(&self, event: Event, answer: Map<String, Value>) -> Map<String, Value> {
        // The one decision that only this agent knows.
        let deferral =
            merge::deferral(&answer).filter(|_| event == Event::PreToolUse && self.own.defer == DeferSupport::Known);
        let mut rest = merge::without_understood(answer);
        if event == Event::PreToolUse {
            rest.retain(|key, _| !self.own.void.contains(&key.as_str()));
        }
        if let Some(deferral) = deferral {
            merge::add(&mut rest, deferral);
        }
        rest
    }

    /// Returns the subject of a matcher at a native event; `None` where a matcher is ignored.
    pub fn matched_at<'p>(&self, event: &str, payload: &'p Map<String, Value>) -> Option<&'p str> {
        let (_, key) = self.own.matched.iter().find(|(of, _)| *of == event || *of == EVERY)?;
        payload.get(*key)?.as_str()
    }
}

#[cfg(test)]
#[expect(clippy::needless_pass_by_value, reason = "tables of JSON read better without references")]
#[path = "native_tests.rs"]
mod tests;
