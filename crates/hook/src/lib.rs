//! What agents call on every event: the hot path.
//!
//! It fails open: whatever goes wrong in our own code ends as exit 0 with an answer the agent reads as "nothing to say".

pub mod edge;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use symposium_agents::{Emission, event_from, neutral};
use symposium_model::agent::AgentId;
use symposium_model::hook::Event;

const USAGE: &str = "\
Usage: symposium hook AGENT EVENT [--project] [--home DIR]

Agents call this; the event comes as JSON on standard input.
AGENT is one of claude, copilot, gemini, codex, kiro, opencode, goose, cursor, or symposium for the canonical format.
EVENT is pre-tool-use, post-tool-use, user-prompt-submit, session-start or stop, or the agent's own spelling.
";

/// Answers one event. `args` are the words after `hook`: the agent, the event, and options.
pub fn run(args: &[OsString]) -> ExitCode {
    never_stand_in_the_way();
    let word = |at: usize| args.get(at).and_then(|word| word.to_str()).unwrap_or_default();
    let answer = answer(word(0), word(1));
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        // Only a person types this into a terminal.
        if answer.is_none() {
            let _ = std::io::stderr().write_all(USAGE.as_bytes());
            return ExitCode::from(2);
        }
    } else {
        // An agent may block until its event was taken from the pipe.
        let _ = std::io::copy(&mut stdin.lock(), &mut std::io::sink());
    }
    let Some(answer) = answer else { return ExitCode::SUCCESS };
    let _ = std::io::stderr().write_all(answer.stderr.as_bytes());
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(answer.stdout.as_bytes()).and_then(|()| out.flush());
    ExitCode::from(answer.exit)
}

/// The answer to an event we have nothing to say about; `None` when we do not know who asks.
fn answer(agent: &str, event: &str) -> Option<Emission> {
    if agent == "symposium" {
        let event = Event::parse(event)?;
        return Some(Emission { stdout: format!("{{\"{event}\":{{}}}}\n").into(), stderr: "".into(), exit: 0 });
    }
    let agent = AgentId::parse(agent)?;
    Some(neutral(agent, event_from(agent, event)))
}

/// A panic is a bug of ours and must not block an agent: for some of them every exit code but 0 does.
fn never_stand_in_the_way() {
    std::panic::set_hook(Box::new(|_| {
        #[expect(
            clippy::exit,
            clippy::disallowed_methods,
            reason = "a panic must end as exit 0, also where it aborts"
        )]
        std::process::exit(0);
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_gets_its_neutral_answer() {
        for (agent, event, stdout) in [
            ("claude", "pre-tool-use", Some("")),
            ("claude", "PreToolUse", Some("")),
            ("copilot", "preToolUse", Some("")),
            ("gemini", "pre-tool-use", Some("{}")),
            ("gemini", "BeforeTool", Some("{}")),
            ("gemini", "BeforeToolSelection", Some("")),
            ("codex", "stop", Some("")),
            ("kiro", "agentSpawn", Some("")),
            ("goose", "session-start", Some("")),
            ("cursor", "preToolUse", Some("")),
            ("claude", "an-event-of-the-future", Some("")),
            ("symposium", "pre-tool-use", Some("{\"PreToolUse\":{}}")),
            ("symposium", "never", None),
            ("nobody", "pre-tool-use", None),
        ] {
            let given = answer(agent, event);
            assert_eq!(given.as_ref().map(|given| given.stdout.trim_end()), stdout, "{agent} {event}");
            assert!(given.is_none_or(|given| given.exit == 0 && given.stderr.is_empty()));
        }
    }
}
