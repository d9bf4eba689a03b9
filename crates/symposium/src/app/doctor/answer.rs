//! Whether our own program answers an event as it should, and how long that takes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use symposium_io::{env, process};
use symposium_model::agent::AgentId;

use super::{Examination, Weight};
use crate::app::context::Context;

/// How long our own answer may take before something is wrong.
const ANSWER_LIMIT: Duration = Duration::from_secs(5);

/// Sends an event through our own program.
pub(super) fn answer(context: &Context, agent: AgentId, examination: &mut Examination) {
    let Some(program) = env::current_program() else { return };
    let directory = context.root().map_or_else(|| PathBuf::from("/"), Path::to_owned);
    let args = ["hook", agent.name(), "session-start"];
    match process::run(&program, &args, &directory, "{}", ANSWER_LIMIT) {
        Ok(Some(finished)) if finished.status.success() => examination.answered_in = Some(finished.took),
        Ok(Some(finished)) => {
            let message = format!("Our answer to a test event ended with {}", finished.status);
            examination.add(Weight::Error, message, "please report this with the command you ran");
        }
        Ok(None) => {
            let message = format!("Our answer to a test event took over {} seconds", ANSWER_LIMIT.as_secs());
            examination.add(Weight::Error, message, "please report this with the command you ran");
        }
        Err(error) => {
            let message = format!("A test event could not be sent: {error}");
            examination.add(Weight::Error, message, "check that the program is still where it was");
        }
    }
}
