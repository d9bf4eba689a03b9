//! Asks the handlers of an event that one agent alone has, in its own JSON.

use serde_json::Value;
use symposium_agents::native::{Merged, Said, chained};
use symposium_agents::wire::object;
use symposium_agents::{Dialect, Emission};
use symposium_model::hook::plan::Handler;
use symposium_model::hook::{Decision, Flow, Matcher, refusal_reason};

use crate::answer::clean;
use crate::budget::Budget;
use crate::launch::{self, Asked, Listener, Speech, Task};
use crate::matching;
use crate::trail::Entry;

/// An event of one agent alone.
#[derive(Clone, Copy)]
pub(crate) struct NativeEvent {
    pub(crate) dialect: &'static Dialect,
    pub(crate) name: &'static str,
}

/// What handlers say about an event; `None` is "nothing". Each sees what the ones before it changed.
pub(crate) fn heard(task: &Task<'_>, event: NativeEvent, all: &[Handler], entry: &mut Entry) -> Option<Merged> {
    let (mut payload, mended) = match object(task.raw) {
        Ok(read) => read,
        Err(error) => {
            let place = format!("line {}, column {}", error.line(), error.column());
            entry.note(format!("The event is not the JSON of an agent: {place}"));
            return None;
        }
    };
    let handlers = match event.dialect.matched_at(event.name, &payload) {
        Some(target) => {
            let matchers: Vec<&Matcher> = all.iter().map(|handler| &handler.matcher).collect();
            let answers = matching::meant(&matchers, &[target]);
            all.iter().zip(answers).filter_map(|(handler, is_meant)| is_meant.then_some(handler)).collect()
        }
        None => all.iter().collect::<Vec<&Handler>>(),
    };
    let budget = Budget::new(task.start, &handlers);
    let keys = event.dialect.wire.fields.cwd.iter();
    let cwd = keys.filter_map(|key| payload.get(*key)).find_map(Value::as_str).map(str::to_owned);
    let mut merged = Merged::default();
    // As it came in, until somebody changes it.
    let mut text = mended.map_or_else(|| task.raw.to_vec(), |mended| mended.text.into_bytes());
    for (position, handler) in handlers.iter().enumerate() {
        let until = budget.until(handler, handlers.get(position + 1..).unwrap_or_default());
        let Some(said) = ask(task, event, cwd.as_deref(), handler, &text, until, entry) else { continue };
        if let Said::Answer(answer) = &said
            && let Some(changed) = chained(event.name, &payload, answer)
        {
            payload = changed;
            text = serde_json::to_vec(&payload).unwrap_or(text);
            entry.rewritten = true;
        }
        if merged.absorb(named(said, handler)) == Flow::Stop {
            break;
        }
    }
    if merged.is_silent() {
        return None;
    }
    merged.clean(&clean);
    entry.decision = merged.refuses().then(|| Decision::Deny.name().to_owned());
    entry.context = merged.context_bytes();
    Some(merged)
}

/// What the agent is told of it.
pub(crate) fn told(event: NativeEvent, heard: Merged, entry: &mut Entry) -> Emission {
    let (emission, unheeded) = heard.emission(event.dialect, event.name);
    for unheeded in unheeded {
        entry.note(unheeded.text());
    }
    emission
}

fn ask(
    task: &Task<'_>,
    event: NativeEvent,
    cwd: Option<&str>,
    handler: &Handler,
    text: &[u8],
    until: std::time::Instant,
    entry: &mut Entry,
) -> Option<Said> {
    // Workflows of ours work on tools, not on the JSON of one agent.
    let run = launch::runnable(handler, entry)?;
    let finished = launch::start(task, Asked { handler, run, text, event: event.name, cwd, session: None }, until);
    let understand = |stdout: &str, code: i32| match Said::printed(event.dialect, event.name, stdout) {
        // What a program says when it fails is for its author.
        Some(Said::Text(_)) if code != 0 => None,
        said => said,
    };
    launch::judge(handler, &finished, &Listener { understand, refuse: refused }, entry)
}

/// A refusal always has a reason: some agents take one without for none.
pub(crate) fn named(said: Said, handler: &Handler) -> Said {
    match said {
        Said::Refused { reason, answer } => Said::Refused { reason: refusal_reason(&reason, &handler.title()), answer },
        said @ (Said::Answer(_) | Said::Text(_)) => said,
    }
}

/// A no by exit code, with the answer that was printed beside it.
pub(crate) fn refused(reason: String, stdout: &str) -> Said {
    Said::Refused { reason, answer: serde_json::from_str(stdout.trim()).unwrap_or_default() }
}

impl Speech for Said {
    fn decision(&self) -> Option<Decision> {
        self.refuses().then_some(Decision::Deny)
    }

    fn reason(&self) -> Option<String> {
        Said::reason(self)
    }
}
