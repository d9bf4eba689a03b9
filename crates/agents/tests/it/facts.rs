//! The effect of an answer by each agent's own rules: written from observations of the real programs, not from the code
//! under test.

use serde_json::{Map, Value};
use symposium_agents::{AgentEvent, HookAnswer, dialect};
use symposium_model::agent::AgentId;
use symposium_model::hook::Event;

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Seen {
    /// The reason why the tool or prompt is stopped, or why there is another turn.
    pub(crate) blocked: Option<String>,
    pub(crate) asked: bool,
    /// The tool runs without asking the user.
    pub(crate) granted: bool,
    pub(crate) context: Option<String>,
    pub(crate) input: Option<Map<String, Value>>,
    /// The text that the model reads in place of the tool's output.
    pub(crate) output: Option<String>,
}

/// Returns the effect of an answer; an error is an answer that the agent discards, or one that does harm.
pub(crate) fn seen(agent: AgentId, event: AgentEvent, emission: &HookAnswer) -> Result<Seen, String> {
    let canonical = event.canonical().ok_or("a native event")?;
    if emission.exit == 0 && !emission.stderr.is_empty() {
        return Err("something on stderr that is no reason".to_owned());
    }
    let own_name = dialect(agent).name_of(event).ok_or("no such event")?;
    match agent {
        AgentId::Claude => claude(canonical, own_name, emission),
        AgentId::Codex => codex(canonical, emission),
        AgentId::Copilot => copilot(canonical, emission),
        AgentId::Gemini => gemini(canonical, emission),
        AgentId::Goose => goose(canonical, emission),
        AgentId::Kiro => kiro(canonical, emission),
        AgentId::Cursor => cursor(canonical, emission),
        AgentId::OpenCode | AgentId::Kilo | AgentId::Cline | AgentId::Pi => bridged(agent, canonical, emission),
        AgentId::Qwen => qwen(canonical, emission),
        AgentId::Droid => droid(canonical, own_name, emission),
        AgentId::Crush => crush(emission),
        AgentId::Antigravity | AgentId::Agents => Err("it has no events".to_owned()),
    }
}

fn object(emission: &HookAnswer) -> Result<Map<String, Value>, String> {
    if emission.stdout.is_empty() {
        return Ok(Map::new());
    }
    serde_json::from_str(&emission.stdout).map_err(|error| format!("not one JSON object: {error}"))
}

fn only(object: &Map<String, Value>, known: &[&str]) -> Result<(), String> {
    match object.keys().find(|key| !known.contains(&key.as_str())) {
        Some(unknown) => Err(format!("unknown field `{unknown}`")),
        None => Ok(()),
    }
}

fn text(object: &Map<String, Value>, key: &str) -> Result<Option<String>, String> {
    match object.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(format!("`{key}` is {other}")),
    }
}

fn fields(object: &Map<String, Value>, key: &str) -> Result<Option<Map<String, Value>>, String> {
    match object.get(key) {
        None => Ok(None),
        Some(Value::Object(fields)) => Ok(Some(fields.clone())),
        Some(other) => Err(format!("`{key}` is {other}")),
    }
}

/// Returns whether a field of an object is null, at any depth; inside lists no effect is known.
fn has_null(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.values().any(|value| value.is_null() || has_null(value)),
        Value::Array(values) => values.iter().any(has_null),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

const SPECIFIC: [&str; 5] =
    ["hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"];

fn claude(event: Event, own_name: &str, emission: &HookAnswer) -> Result<Seen, String> {
    if emission.exit != 0 {
        return Err("we answer Claude with exit 0".to_owned());
    }
    let answer = object(emission)?;
    if has_null(&Value::Object(answer.clone())) {
        return Err("a null discards everything".to_owned());
    }
    only(&answer, &["decision", "reason", "hookSpecificOutput"])?;
    let own = fields(&answer, "hookSpecificOutput")?.unwrap_or_default();
    if answer.contains_key("hookSpecificOutput") && text(&own, "hookEventName")?.as_deref() != Some(own_name) {
        return Err("the event is not named".to_owned());
    }
    let mut seen = nested(event, &answer, &own)?;
    if event == Event::Stop {
        seen.context = None;
    }
    if let Some(replaced) = own.get("updatedToolOutput") {
        let is_bash = ["stdout", "stderr"].iter().all(|key| replaced.get(key).is_some_and(Value::is_string))
            && replaced.get("interrupted").is_some_and(Value::is_boolean);
        if own_name != "PostToolUse" || !is_bash {
            return Err("a replaced output of another shape is dropped, and after a failure any is".to_owned());
        }
        seen.output = replaced.get("stdout").and_then(Value::as_str).map(str::to_owned);
    }
    Ok(seen)
}

fn codex(event: Event, emission: &HookAnswer) -> Result<Seen, String> {
    if emission.exit != 0 {
        return Err("we answer Codex with exit 0".to_owned());
    }
    let answer = object(emission)?;
    only(&answer, &["decision", "reason", "hookSpecificOutput"])?;
    let own = fields(&answer, "hookSpecificOutput")?.unwrap_or_default();
    only(&own, &SPECIFIC)?;
    if answer.contains_key("hookSpecificOutput") && text(&own, "hookEventName")?.is_none() {
        return Err("the event is not named".to_owned());
    }
    let mut seen = nested(event, &answer, &own)?;
    if seen.asked {
        return Err("asking voids the answer".to_owned());
    }
    if seen.blocked.as_ref().is_some_and(|reason| reason.trim().is_empty()) {
        return Err("a deny without a reason runs the tool".to_owned());
    }
    match (std::mem::take(&mut seen.granted), seen.input.is_some()) {
        (true, false) => return Err("an allow without a changed input voids the answer".to_owned()),
        (false, true) => return Err("a changed input without an allow is ignored".to_owned()),
        (true, true) => seen.granted = true,
        (false, false) => {}
    }
    if event == Event::PostToolUse {
        // A block replaces the tool's output.
        seen.output = seen.blocked.take();
    }
    Ok(seen)
}

fn nested(event: Event, answer: &Map<String, Value>, own: &Map<String, Value>) -> Result<Seen, String> {
    let mut seen =
        Seen { context: text(own, "additionalContext")?, input: fields(own, "updatedInput")?, ..Seen::default() };
    let reason = text(own, "permissionDecisionReason")?;
    match text(own, "permissionDecision")?.as_deref() {
        None => {}
        Some(_) if event != Event::PreToolUse => return Err("a decision about no tool".to_owned()),
        Some("deny") => seen.blocked = Some(reason.unwrap_or_default()),
        Some("ask") => seen.asked = true,
        Some("allow") => seen.granted = true,
        Some(other) => return Err(format!("`{other}` is no decision")),
    }
    match text(answer, "decision")?.as_deref() {
        None => {}
        Some("block") if matches!(event, Event::PostToolUse | Event::UserPromptSubmit | Event::Stop) => {
            seen.blocked = Some(text(answer, "reason")?.unwrap_or_default());
        }
        Some(other) => return Err(format!("`decision: {other}` is not what we send at {event}")),
    }
    Ok(seen)
}

fn copilot(event: Event, emission: &HookAnswer) -> Result<Seen, String> {
    if emission.exit != 0 {
        return Err("any exit but 0 denies, and the reason is lost".to_owned());
    }
    let answer = object(emission)?;
    let mut seen = Seen { context: text(&answer, "additionalContext")?, ..Seen::default() };
    if event != Event::PreToolUse {
        only(&answer, &["decision", "reason", "additionalContext", "modifiedResult"])?;
        if let Some(result) = fields(&answer, "modifiedResult")? {
            only(&result, &["textResultForLlm", "resultType"])?;
            seen.output = text(&result, "textResultForLlm")?;
        }
        match text(&answer, "decision")?.as_deref() {
            None => {}
            Some("block") if event == Event::PostToolUse => return Err("a block replaces the result".to_owned()),
            Some("block") if event == Event::SessionStart => return Err("nothing to block".to_owned()),
            Some("block") => seen.blocked = Some(text(&answer, "reason")?.unwrap_or_default()),
            Some(other) => return Err(format!("`{other}` is ignored")),
        }
        return Ok(seen);
    }
    let beside = ["permissionDecision", "permissionDecisionReason", "modifiedArgs", "additionalContext"];
    only(&answer, &[beside.as_slice(), &["hookSpecificOutput"]].concat())?;
    seen.input = fields(&answer, "modifiedArgs")?;
    // Respected for events in Claude's spelling, and ignored for others: it must say the same, and never more.
    if let Some(own) = fields(&answer, "hookSpecificOutput")? {
        only(&own, &["hookEventName", "permissionDecision", "permissionDecisionReason"])?;
        let same =
            ["permissionDecision", "permissionDecisionReason"].iter().all(|key| own.get(*key) == answer.get(*key));
        if !same || own.get("permissionDecision") == Some(&Value::from("allow")) {
            return Err("the two forms differ, or the second grants something".to_owned());
        }
    }
    match text(&answer, "permissionDecision")?.as_deref() {
        None => {}
        Some("deny") => seen.blocked = Some(text(&answer, "permissionDecisionReason")?.unwrap_or_default()),
        Some("ask") => seen.asked = true,
        Some("allow") => seen.granted = true,
        Some(other) => return Err(format!("`{other}` is no decision")),
    }
    Ok(seen)
}

fn gemini(event: Event, emission: &HookAnswer) -> Result<Seen, String> {
    if emission.stdout.trim().is_empty() {
        return Err("with nothing on stdout it reads stderr".to_owned());
    }
    if emission.exit != 0 {
        return Err("any exit but 0 prints a warning".to_owned());
    }
    let answer = object(emission)?;
    only(&answer, &["decision", "reason", "hookSpecificOutput"])?;
    let own = fields(&answer, "hookSpecificOutput")?.unwrap_or_default();
    only(&own, &["hookEventName", "additionalContext", "tool_input"])?;
    let mut seen = Seen { input: fields(&own, "tool_input")?, ..Seen::default() };
    let context = text(&own, "additionalContext")?;
    match event {
        Event::PreToolUse | Event::Stop if context.is_some() => return Err("context is ignored here".to_owned()),
        Event::PreToolUse | Event::PostToolUse | Event::UserPromptSubmit | Event::SessionStart | Event::Stop => {
            seen.context = context;
        }
    }
    match text(&answer, "decision")?.as_deref() {
        None => {}
        Some("deny") if event == Event::PostToolUse => {
            if seen.context.is_some() {
                return Err("context beside a deny is lost".to_owned());
            }
            seen.output = text(&answer, "reason")?;
        }
        Some("deny") if event == Event::SessionStart => return Err("a deny is ignored".to_owned()),
        Some("deny" | "block") => seen.blocked = Some(text(&answer, "reason")?.unwrap_or_default()),
        Some(other) => return Err(format!("`{other}` ends or hangs a run, or means nothing")),
    }
    Ok(seen)
}

fn goose(event: Event, emission: &HookAnswer) -> Result<Seen, String> {
    let mut seen = Seen::default();
    match (event, emission.exit) {
        (Event::PreToolUse, 2) if !emission.stderr.trim().is_empty() => {
            seen.blocked = Some(emission.stderr.to_string());
        }
        (_, 0) => {}
        (_, exit) => return Err(format!("exit {exit} means nothing here")),
    }
    let answer = object(emission)?;
    match text(&answer, "decision")?.as_deref() {
        None if answer.is_empty() => {}
        Some("block") if event == Event::Stop => seen.blocked = text(&answer, "reason")?,
        other => return Err(format!("{other:?} is ignored")),
    }
    Ok(seen)
}

fn kiro(event: Event, emission: &HookAnswer) -> Result<Seen, String> {
    let mut seen = Seen::default();
    match (event, emission.exit) {
        (Event::PreToolUse, 2) => seen.blocked = Some(emission.stderr.to_string()),
        (_, 0) => {}
        (_, exit) => return Err(format!("exit {exit} is a warning to the person")),
    }
    if emission.stderr.len() > 10_240 {
        return Err("the reason is cut".to_owned());
    }
    if !emission.stdout.is_empty() {
        match event {
            Event::SessionStart | Event::UserPromptSubmit => seen.context = Some(emission.stdout.to_string()),
            Event::PreToolUse | Event::PostToolUse | Event::Stop => return Err("what is printed is dropped".to_owned()),
        }
    }
    Ok(seen)
}

fn cursor(event: Event, emission: &HookAnswer) -> Result<Seen, String> {
    if emission.exit != 0 {
        return Err("we answer Cursor with exit 0".to_owned());
    }
    let answer = object(emission)?;
    let known: &[&str] = match event {
        Event::PreToolUse => &["permission", "user_message", "agent_message", "updated_input", "additional_context"],
        Event::PostToolUse => &["additional_context"],
        Event::UserPromptSubmit => &["continue", "user_message", "additional_context"],
        Event::SessionStart => &["continue", "env", "additional_context"],
        Event::Stop => &["followup_message"],
    };
    only(&answer, known)?;
    let mut seen = Seen {
        context: text(&answer, "additional_context")?,
        input: fields(&answer, "updated_input")?,
        ..Seen::default()
    };
    let message = text(&answer, "agent_message")?.or(text(&answer, "user_message")?);
    match text(&answer, "permission")?.as_deref() {
        None => {}
        Some("deny") => seen.blocked = Some(message.clone().unwrap_or_default()),
        Some("ask") => seen.asked = true,
        Some("allow") => seen.granted = true,
        Some(other) => return Err(format!("`{other}` is no permission, so everything is blocked")),
    }
    match answer.get("continue") {
        None | Some(Value::Bool(true)) => {}
        Some(Value::Bool(false)) => seen.blocked = Some(message.unwrap_or_default()),
        Some(other) => return Err(format!("`continue` is {other}")),
    }
    if let Some(followup) = text(&answer, "followup_message")? {
        seen.blocked = Some(followup);
    }
    Ok(seen)
}

/// Our own bridges, and what their agents do with what they return.
fn bridged(agent: AgentId, event: Event, emission: &HookAnswer) -> Result<Seen, String> {
    let answer = object(emission)?;
    only(&answer, &["deny", "args", "context", "output"])?;
    let deny = text(&answer, "deny")?;
    match (agent, event) {
        (_, Event::PreToolUse) | (AgentId::Pi, Event::Stop) => {}
        _ if deny.is_some() => return Err("only a tool can be denied".to_owned()),
        _ => {}
    }
    if agent == AgentId::Cline && answer.contains_key("output") {
        return Err("it has no way to change an output".to_owned());
    }
    Ok(Seen {
        blocked: deny,
        context: text(&answer, "context")?,
        input: fields(&answer, "args")?,
        output: text(&answer, "output")?,
        ..Seen::default()
    })
}

/// By its documents.
fn droid(event: Event, own_name: &str, emission: &HookAnswer) -> Result<Seen, String> {
    if emission.exit != 0 {
        return Err("we answer droid with exit 0".to_owned());
    }
    let answer = object(emission)?;
    only(&answer, &["decision", "reason", "hookSpecificOutput"])?;
    let own = fields(&answer, "hookSpecificOutput")?.unwrap_or_default();
    only(&own, &SPECIFIC)?;
    if answer.contains_key("hookSpecificOutput") && text(&own, "hookEventName")?.as_deref() != Some(own_name) {
        return Err("the event is not named".to_owned());
    }
    let seen = nested(event, &answer, &own)?;
    if event == Event::PreToolUse && seen.context.is_some() {
        return Err("no context is promised before a tool".to_owned());
    }
    if seen.input.is_some() && !seen.granted {
        return Err("a changed input is promised with an allow".to_owned());
    }
    Ok(seen)
}

/// By its documents and its public source.
fn crush(emission: &HookAnswer) -> Result<Seen, String> {
    if emission.exit != 0 {
        return Err("we answer Crush with exit 0".to_owned());
    }
    let answer = object(emission)?;
    only(&answer, &["decision", "reason", "context", "updated_input"])?;
    let mut seen =
        Seen { context: text(&answer, "context")?, input: fields(&answer, "updated_input")?, ..Seen::default() };
    match text(&answer, "decision")?.as_deref() {
        None => {}
        Some("allow") => seen.granted = true,
        Some("deny") => seen.blocked = Some(text(&answer, "reason")?.unwrap_or_default()),
        Some(other) => return Err(format!("`{other}` is no opinion")),
    }
    Ok(seen)
}

fn qwen(event: Event, emission: &HookAnswer) -> Result<Seen, String> {
    if emission.exit != 0 {
        return Err("with exit 2 stdout is ignored, and any other code is a fault".to_owned());
    }
    let mut answer = object(emission)?;
    let stop = text(&answer, "stopReason")?;
    let holds = answer.remove("continue") == Some(Value::Bool(false));
    answer.remove("stopReason");
    only(&answer, &["decision", "reason", "hookSpecificOutput"])?;
    let own = fields(&answer, "hookSpecificOutput")?.unwrap_or_default();
    only(&own, &["hookEventName", "permissionDecision", "permissionDecisionReason", "additionalContext"])?;
    let seen = nested(event, &answer, &own)?;
    if event == Event::PreToolUse {
        if seen.context.is_some() {
            return Err("context before a tool is lost".to_owned());
        }
        if seen.granted || seen.asked {
            return Err("an allow undoes the deny of another hook, and nobody can be asked".to_owned());
        }
        if seen.blocked.is_some() && (!holds || stop != seen.blocked) {
            return Err("another hook's allow undoes this deny".to_owned());
        }
    } else if holds {
        return Err("only a deny of a tool needs to hold against other hooks".to_owned());
    }
    Ok(seen)
}
