//! The hot path: the part of Symposium that agents call on every event.
//!
//! It reads the event and one small hook plan and runs the handlers in it; everything else was decided when the plan
//! was compiled. It fails open: any error in Symposium's own code ends as exit code 0 with the agent's neutral answer.
//! Only a deny of a plugin blocks an agent.

mod answer;
mod args;
mod background_fetch;
mod budget;
mod byte_search;
mod directories;
mod dispatch;
mod dry_run;
mod edge;
mod event;
mod event_input;
mod event_outcome;
mod guidance;
mod guide;
mod handler_environment;
mod hook_log;
mod hook_plan;
mod hook_switch;
mod launch;
mod matcher_eval;
mod native_events;
mod nudge;
mod plan_loader;
mod select;
mod session;
mod session_start;
mod skill_loads;
mod trust_notice;
mod update_check;
mod usage;
mod workflow;
mod workspace_root;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::Instant;

use symposium_agents::{HookAnswer, dialect, neutral};
use symposium_model::agent::AgentId;
use symposium_model::hook::Event;

use crate::args::{HookArguments, HookCaller};
use crate::edge::{environment, stdin};

pub use dry_run::{DryRun, NativeTrial, TrialPlace, try_native, try_out};
pub use edge::child::relay;
pub use edge::stamp;
pub use hook_log::{HandlerEnd, HandlerOutput, HandlerRun, LogEntry, files as trail_files};
pub use plan_loader::{CompiledPlans, GuidanceDraft, INDEX_LOCK, ItemQuery, SlowPath, SlowPathTarget, index_later};
pub use session_start::{guidance_index, moved_crates, session_text, shared_index};

/// Returns the help for a user who types this into a terminal.
fn usage() -> String {
    let agents =
        AgentId::ALL.into_iter().filter(|agent| dialect(*agent).events.native_name(Event::PreToolUse).is_some());
    let agents: Vec<&str> = agents.map(AgentId::name).collect();
    format!(
        "\
Usage: symposium hook AGENT EVENT [--project] [--home DIR] [--cache DIR] [--logs DIR] [--user-home DIR]

Agents call this; the event comes as JSON on standard input.
AGENT is one of {}, or symposium for the canonical format.
EVENT is one of {}, or the agent's own spelling.
",
        agents.join(", "),
        Event::ALL.map(Event::kebab).join(", ")
    )
}

/// Answers one event. `args` are the arguments after `hook`: the agent, the event and options.
pub fn run(args: &[OsString], slow: &SlowPath) -> ExitCode {
    let start = Instant::now();
    never_stand_in_the_way();
    let call = args::read(args);
    if let Some(word @ (plan_loader::SYNCHRONIZE_WORD | plan_loader::INDEX_WORD)) =
        args.first().and_then(|word| word.to_str())
    {
        let place = SlowPathTarget { workspace: environment::current_dir(), ours: call.ours };
        match word {
            plan_loader::INDEX_WORD => plan_loader::index_alone(slow, &place, plan_loader::INDEX_ALONE),
            _ => plan_loader::synchronize_alone(slow, &place),
        }
        return ExitCode::SUCCESS;
    }
    if matches!(call.caller, HookCaller::Unknown | HookCaller::UnknownEvent(_)) && std::io::stdin().is_terminal() {
        let _ = std::io::stderr().write_all(usage().as_bytes());
        return ExitCode::from(2);
    }
    // An agent may block until its event was read from the pipe, so it is always read.
    let input = stdin::read();
    let emission = event::handle(&call, input, slow, start).unwrap_or_else(|| nothing_to_say(&call));
    let _ = std::io::stderr().write_all(emission.stderr.as_bytes());
    // Most agents accept an empty answer; then standard output is not even locked.
    if !emission.stdout.is_empty() {
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(emission.stdout.as_bytes()).and_then(|()| out.flush());
    }
    ExitCode::from(emission.exit)
}

fn nothing_to_say(call: &HookArguments) -> HookAnswer {
    match call.caller {
        HookCaller::Agent(agent, event) => neutral(agent, Some(event)),
        HookCaller::UnknownEvent(agent) => neutral(agent, None),
        HookCaller::Canonical(event) => answer::canonical_neutral(event),
        HookCaller::Unknown => HookAnswer { stdout: "".into(), stderr: "".into(), exit: 0 },
    }
}

/// Turns a panic, which is a bug in Symposium, into exit code 0: for some agents every other exit code blocks.
fn never_stand_in_the_way() {
    std::panic::set_hook(Box::new(|_| {
        if std::thread::current().name() != Some("main") {
            // The code that waits for this thread goes on without it.
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
