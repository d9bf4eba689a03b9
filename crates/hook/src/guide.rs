//! Adds guidance to the outcome of an event, and records what was told.

use std::path::Path;

use symposium_model::config::AppDirectories;
use symposium_model::hook::hook_plan::{HookPlan, directory as plan_directory};
use symposium_model::hook::{EventDetail, HookDecision, HookInput, Outcome};

use crate::answer;
use crate::guidance::{ErrorGuide, FileAdvice, FileGuide};
use crate::launch::EventContext;
use crate::plan_loader::ItemQuery;
use crate::session::{self, SessionFact};

/// Adds the guidance at the file that an event is about, or refuses its first edit. `file` is that of the session.
pub(crate) fn guide_file(
    task: &EventContext<'_>,
    plan: &HookPlan,
    input: &HookInput,
    file: &Path,
    directories: &AppDirectories,
    outcome: &mut Outcome,
) {
    let (Some(guidance), Some(workspace)) = (&plan.guidance, task.workspace) else { return };
    let is_tool = matches!(input.detail, EventDetail::PreToolUse(_) | EventDetail::PostToolUse(..));
    if !is_tool || outcome.decision == Some(HookDecision::Deny) {
        return;
    }
    if !FileGuide::is_about(input) {
        return;
    }
    let Some(session) = session::read(file) else { return };
    let plans = plan_directory(&directories.cache, workspace.to_str());
    let guide = FileGuide { plan: guidance, plans: &plans, workspace, agent: task.agent, session: &session };
    let record = |advice: &FileAdvice| {
        let told = advice.skills.iter().cloned().map(SessionFact::Digest);
        let refused = advice.refused.iter().cloned().map(SessionFact::Told);
        session::remember(file, &told.chain(refused).collect::<Vec<_>>())
    };
    if let Some(advice) = guide.advise(input) {
        outcome.add_context(&advice.text);
        record(&advice);
    } else if let Some(advice) = guide.refuse(input, task.draft.unwrap_or(&|_| None)).filter(record) {
        // A refusal that is not recorded would be repeated at every attempt.
        outcome.decision = Some(HookDecision::Deny);
        outcome.reason = Some(advice.text);
    }
}

/// Adds the guidance at the errors in the output of a command.
pub(crate) fn guide_error(
    task: &EventContext<'_>,
    plan: &HookPlan,
    input: &HookInput,
    directories: &AppDirectories,
    nearest: &dyn Fn(&ItemQuery) -> Vec<String>,
    outcome: &mut Outcome,
) {
    let (Some(guidance), Some(workspace), Some(_)) = (&plan.guidance, task.workspace, ErrorGuide::output(input)) else {
        return;
    };
    let sessions = directories.config.join("sessions");
    let Some(file) = session::file_of(&sessions, task.agent, task.workspace, input) else { return };
    let Some(session) = session::read(&file) else { return };
    let plans = plan_directory(&directories.cache, workspace.to_str());
    let files = FileGuide { plan: guidance, plans: &plans, workspace, agent: task.agent, session: &session };
    let Some(mut advice) = (ErrorGuide { files, nearest }).advise(input) else { return };
    answer::clean(&mut advice.text);
    outcome.add_context(&advice.text);
    session::remember(&file, &advice.told.into_iter().map(SessionFact::Told).collect::<Vec<_>>());
}
