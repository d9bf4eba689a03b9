//! What agents call on every event: the hot path.
//!
//! It reads the event and one small plan, and runs what the plan says; everything else was decided when the plan was
//! compiled. It fails open: whatever goes wrong in our own code ends as exit 0 with an answer the agent reads as "nothing
//! to say". Only a plugin's own deny blocks an agent.

mod answer;
mod args;
mod budget;
mod changed;
mod directories;
mod dispatch;
mod edge;
mod event;
mod launch;
mod loaded;
mod matching;
mod native;
mod newest;
mod nudge;
mod plan;
mod refresh;
mod root;
mod select;
mod session;
mod silence;
mod sources;
mod start;
mod surroundings;
mod trail;
mod trial;
mod usage;
mod workflow;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::Instant;

use symposium_agents::{Emission, neutral};

use crate::args::{Call, Caller};
use crate::edge::{environment, stdin};

pub use edge::stamp;
pub use refresh::{Compiled, Place, SlowPath};
pub use start::moved_crates;
pub use trail::{End, Entry, Output, Ran, files as trail_files};
pub use trial::{NativeTrial, Trial, TrialPlace, try_native, try_out};

const USAGE: &str = "\
Usage: symposium hook AGENT EVENT [--project] [--home DIR] [--cache DIR] [--logs DIR] [--user-home DIR]

Agents call this; the event comes as JSON on standard input.
AGENT is one of claude, copilot, gemini, codex, kiro, opencode, goose, cursor, or symposium for the canonical format.
EVENT is pre-tool-use, post-tool-use, user-prompt-submit, session-start or stop, or the agent's own spelling.
";

/// Answers one event. `args` are the words after `hook`: the agent, the event, and options.
pub fn run(args: &[OsString], slow: &SlowPath) -> ExitCode {
    let start = Instant::now();
    never_stand_in_the_way();
    let call = args::read(args);
    if args.first().is_some_and(|word| word == refresh::SYNCHRONIZE_WORD) {
        let place = Place { workspace: environment::current_dir(), ours: call.ours };
        refresh::synchronize_alone(slow, &place);
        return ExitCode::SUCCESS;
    }
    if matches!(call.caller, Caller::Unknown | Caller::UnknownEvent(_)) && std::io::stdin().is_terminal() {
        // Only a person types this into a terminal.
        let _ = std::io::stderr().write_all(USAGE.as_bytes());
        return ExitCode::from(2);
    }
    // An agent may block until its event was taken from the pipe, so it always is.
    let input = stdin::read();
    let emission = event::handle(&call, input, slow, start).unwrap_or_else(|| nothing_to_say(&call));
    let _ = std::io::stderr().write_all(emission.stderr.as_bytes());
    // Most agents take silence for an answer, and then nothing is made ready for one.
    if !emission.stdout.is_empty() {
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(emission.stdout.as_bytes()).and_then(|()| out.flush());
    }
    ExitCode::from(emission.exit)
}

/// The answer to an event we have nothing to say about.
fn nothing_to_say(call: &Call) -> Emission {
    match call.caller {
        Caller::Agent(agent, event) => neutral(agent, Some(event)),
        Caller::UnknownEvent(agent) => neutral(agent, None),
        Caller::Canonical(event) => answer::canonical_neutral(event),
        Caller::Unknown => Emission { stdout: "".into(), stderr: "".into(), exit: 0 },
    }
}

/// A panic is a bug of ours and must not block an agent: for some of them every exit code but 0 does.
fn never_stand_in_the_way() {
    std::panic::set_hook(Box::new(|_| {
        if std::thread::current().name() != Some("main") {
            // Whoever waits for this thread goes on without it.
            loop {
                std::thread::park();
            }
        }
        #[expect(
            clippy::exit,
            clippy::disallowed_methods,
            reason = "a panic must end as exit 0, also where it aborts"
        )]
        std::process::exit(0);
    }));
}

#[cfg(test)]
#[path = "panic_tests.rs"]
mod tests;
