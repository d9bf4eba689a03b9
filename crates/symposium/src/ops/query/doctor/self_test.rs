//! Whether our own program answers an event as it should, and how long that takes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use symposium_agents::{AgentEvent, neutral};
use symposium_io::env;
use symposium_io::process::{ProgramCall, ProgramResult};
use symposium_model::agent::AgentId;
use symposium_model::config::NamedDirectories;
use symposium_model::hook::Event;
use symposium_model::ownership::PROBE_OPTION;

use super::{AgentReport, FindingWeight};
use crate::ops::context::Context;

/// The time limit for an answer of Symposium.
const ANSWER_LIMIT: Duration = Duration::from_secs(5);

/// The event that is sent through.
const EVENT: Event = Event::SessionStart;

/// Sends an event through our own program. It loads the plan and answers, but starts no handler and writes nothing.
pub(super) fn answer(context: &Context, agent: AgentId, examination: &mut AgentReport) {
    let Some(program) = env::current_program() else { return };
    let directory = context.root().map_or_else(|| PathBuf::from("/"), Path::to_owned);
    let named = NamedDirectories::to_find(&context.directories, context.home.as_deref());
    let named: Vec<(&str, String)> =
        named.options().map(|(option, directory)| (option, directory.display().to_string())).collect();
    let options = named.iter().flat_map(|(option, directory)| [*option, directory.as_str()]);
    let args: Vec<&str> = ["hook", agent.name(), EVENT.kebab(), PROBE_OPTION].into_iter().chain(options).collect();
    let call = ProgramCall {
        program: &program,
        args: &args,
        directory: &directory,
        input: "{}",
        limit: ANSWER_LIMIT,
        variables: Vec::new(),
    };
    let report = "please report this with the command you ran";
    match call.run() {
        Ok(Some(finished)) => match fault(agent, &finished) {
            None => examination.answered_in = Some(finished.took),
            Some(fault) => examination.add(FindingWeight::Error, fault, report),
        },
        Ok(None) => {
            let message = format!("Symposium's answer to a test event took over {} seconds", ANSWER_LIMIT.as_secs());
            examination.add(FindingWeight::Error, message, report);
        }
        Err(error) => {
            let message = format!("A test event could not be sent: {error}");
            examination.add(FindingWeight::Error, message, "check that the program is still where it was");
        }
    }
}

/// Describes the fault of an answer that should have been neutral.
fn fault(agent: AgentId, finished: &ProgramResult) -> Option<String> {
    if !finished.status.success() {
        return Some(format!("Symposium's answer to a test event ended with {}", finished.status));
    }
    let wanted = neutral(agent, Some(AgentEvent::Canonical(EVENT)));
    if finished.stdout.trim_end() != wanted.stdout.trim_end() {
        let shown: String = finished.stdout.chars().take(80).collect();
        return Some(format!(
            "Symposium's answer to a test event should have been neutral, but was `{}`",
            shown.escape_debug()
        ));
    }
    (!finished.stderr.is_empty()).then(|| "Symposium answered a test event, but also wrote to stderr".to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    use super::*;

    #[test]
    fn only_the_neutral_answer_of_the_agent_is_right() {
        let check = |agent, code: i32, stdout: &str, stderr: &str, wanted: Option<&str>| {
            let status = ExitStatus::from_raw(code << 8);
            let finished =
                ProgramResult { status, stdout: stdout.to_owned(), stderr: stderr.to_owned(), took: Duration::ZERO };
            assert_eq!(fault(agent, &finished).as_deref(), wanted);
        };
        check(AgentId::Claude, 0, "", "", None);
        check(AgentId::Gemini, 0, "{}", "", None);
        check(AgentId::Gemini, 0, "{}\n", "", None);
        let other = "Symposium's answer to a test event should have been neutral, but was ``";
        check(AgentId::Gemini, 0, "", "", Some(other));
        let other = "Symposium's answer to a test event should have been neutral, but was `{}`";
        check(AgentId::Claude, 0, "{}", "", Some(other));
        check(AgentId::Claude, 0, "", "oh", Some("Symposium answered a test event, but also wrote to stderr"));
        check(AgentId::Claude, 2, "", "", Some("Symposium's answer to a test event ended with exit status: 2"));
    }
}
