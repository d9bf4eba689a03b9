//! Tries a plugin's hooks: every case, in the words of every agent, through the hook's own path.

use std::path::Path;

use serde_json::{Map, Value};
use symposium_agents::wire::render;
use symposium_agents::{AgentDialect, AgentEvent, dialect};
use symposium_hook::{TrialPlace, try_native, try_out};
use symposium_io::fs;
use symposium_model::agent::AgentId;
use symposium_model::hook::hook_plan::{Handler, HookPlan};
use symposium_model::hook::{EventDetail, HookEvent, HookInput};
use symposium_model::manifest::{Hook, Plugin, TestCase, TestInput};

use super::hook_expect::{CaseExpectation, CaseVerdict, judge, judge_native};
use crate::ops::context::Context;
use crate::ops::hook_plan;

/// The session a case runs in, unless it names one.
const SESSION: &str = "hook-test";

#[derive(Debug)]
pub(crate) struct TriedCase {
    pub(crate) hook: String,
    pub(crate) case: String,
    pub(crate) agent: AgentId,
    pub(crate) verdict: CaseVerdict,
    /// Whether the hook was called: a case may expect that it is not.
    pub(crate) was_called: bool,
}

/// The result of one case with one agent.
struct TrialResult {
    verdict: CaseVerdict,
    was_called: bool,
}

impl From<CaseVerdict> for TrialResult {
    fn from(verdict: CaseVerdict) -> Self {
        Self { verdict, was_called: false }
    }
}

/// Tries every case of a plugin with those of the agents it is meant for. `directory` is the plugin's own.
pub(crate) fn try_plugin(plugin: &Plugin, directory: Option<&Path>, agents: &[AgentId]) -> Vec<TriedCase> {
    let mut tried = Vec::new();
    for hook in plugin.hooks.iter().filter(|hook| !hook.tests.is_empty()) {
        let directories = Context::directories_of_call().ok();
        let handler = hook_plan::on_trial(plugin, hook, directory, directories.as_ref()).map(|(_, handler)| handler);
        for case in &hook.tests {
            for agent in meant(hook, case, agents) {
                let TrialResult { verdict, was_called } = match &handler {
                    Ok(handler) => {
                        try_case(hook, handler, case, agent).unwrap_or_else(|reason| CaseVerdict::Failed(reason).into())
                    }
                    Err(reason) => CaseVerdict::Failed(format!("the hook cannot be run: {reason}")).into(),
                };
                tried.push(TriedCase { hook: hook.name.clone(), case: case.name.clone(), agent, verdict, was_called });
            }
        }
    }
    tried
}

fn meant(hook: &Hook, case: &TestCase, agents: &[AgentId]) -> Vec<AgentId> {
    let only_of_event = match &hook.event {
        HookEvent::Canonical(_) => None,
        HookEvent::Native { agent, .. } => Some(*agent),
    };
    let allows = |only: Option<AgentId>, agent: AgentId| only.is_none_or(|only| only == agent);
    let of_case = agents.iter().copied().filter(|agent| allows(case.agent, *agent));
    // A case for one agent is tried with it, so that its author hears when the hook is for another.
    let of_hook =
        |agent: &AgentId| case.agent.is_some() || (allows(hook.agent, *agent) && allows(only_of_event, *agent));
    of_case.filter(of_hook).collect()
}

fn try_case(hook: &Hook, handler: &Handler, case: &TestCase, agent: AgentId) -> Result<TrialResult, String> {
    let scratch = || {
        fs::scratch_dir().map_err(|error| format!("cannot create a temporary directory for the test: {}", error.kind))
    };
    let (workspace, state) = (scratch()?, scratch()?);
    // macOS hands out a link, and handlers compare paths.
    let workspace = fs::canonical(workspace.path()).map(|path| (path, workspace)).map_err(|error| error.to_string())?;
    let place = TrialPlace { workspace: &workspace.0, state: state.path() };
    let dialect = dialect(agent);
    let (event, payload) = match payload(hook, case, dialect, place.workspace) {
        Ok(native) => native,
        Err(verdict) => return Ok(verdict.into()),
    };
    let plan = HookPlan { servers: servers(case), ..HookPlan::from_handlers(vec![handler.clone()]) };
    let raw = payload.to_string().into_bytes();
    if let AgentEvent::Native(name) = event {
        let trial = try_native(&plan, agent, name, &raw, place);
        let verdict = judge_native(&case.expected, &trial);
        return Ok(TrialResult { verdict, was_called: !trial.handlers.is_empty() });
    }
    let trial = try_out(&plan, agent, event, &raw, place)?;
    let asked = match &case.input {
        TestInput::Canonical(input) => Some(input.as_ref()),
        TestInput::Native(_) => None,
    };
    let question = CaseExpectation { expected: &case.expected, asked, matcher: &hook.matcher };
    Ok(TrialResult { verdict: judge(question, agent, &trial), was_called: !trial.handlers.is_empty() })
}

/// The event of a case as the agent would raise it; `Err` when it never would.
fn payload(
    hook: &Hook,
    case: &TestCase,
    dialect: &'static AgentDialect,
    cwd: &Path,
) -> Result<(AgentEvent, Value), CaseVerdict> {
    let cwd = cwd.display().to_string();
    match (&case.input, &hook.event) {
        (TestInput::Canonical(input), _) => {
            let input = HookInput {
                cwd: Some(cwd),
                session_id: Some(input.session_id.clone().unwrap_or_else(|| SESSION.to_owned())),
                ..input.as_ref().clone()
            };
            let failed = matches!(&input.detail, EventDetail::PostToolUse(_, result) if result.failed);
            let event = match dialect.events.tool_failed {
                Some(_) if failed => AgentEvent::ToolFailed,
                Some(_) | None => AgentEvent::Canonical(input.event()),
            };
            match dialect.name_of(event) {
                Some(_) => Ok((event, render(dialect, event, &input))),
                None => Err(CaseVerdict::Cannot("this agent does not have this event".to_owned())),
            }
        }
        (TestInput::Native(fields), HookEvent::Native { agent, event }) if Some(*agent) == dialect.owner.agent() => {
            let Some(found) = dialect.event_from(event) else {
                return Err(CaseVerdict::Cannot("this agent does not have this event".to_owned()));
            };
            Ok((found, Value::Object(completed(fields, dialect, event, &cwd))))
        }
        (TestInput::Native(_), _) => Err(CaseVerdict::Failed(format!("the hook is only for `{}`", hook.event))),
    }
}

/// An agent's event with what every event of it has.
fn completed(fields: &Map<String, Value>, dialect: &AgentDialect, event: &str, cwd: &str) -> Map<String, Value> {
    let keys = &dialect.wire.fields;
    let usual = [(Some(&keys.event), event), (keys.session_id.first(), SESSION), (keys.cwd.first(), cwd)];
    let mut whole = fields.clone();
    for (key, value) in usual {
        if let Some(key) = key {
            whole.entry((*key).to_owned()).or_insert_with(|| value.into());
        }
    }
    whole
}

/// The MCP server a case names: agents that glue server and tool together are told apart by the servers that are known.
fn servers(case: &TestCase) -> Vec<String> {
    let tool = match &case.input {
        TestInput::Canonical(input) => input.tool().map(|tool| tool.name.as_str()),
        TestInput::Native(_) => None,
    };
    let server = tool.and_then(|name| name.strip_prefix("mcp__")).and_then(|rest| rest.split_once("__"));
    server.map(|(server, _)| server.to_owned()).into_iter().collect()
}
