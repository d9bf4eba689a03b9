//! Cursor's hook engine, driven step by step: what it makes of our registration and our answers.

use serde_json::{Value, json};

use super::hooks::{self, Handler, answering, ensure_called, put_plugin, put_silent_handlers};
use super::{Verdict, ensure};
use crate::Outcome;
use crate::agents::Scope;
use crate::world::World;

/// A row of the engine's own table: what the page calls it, and what finds out.
pub(crate) struct EngineScenario {
    pub(crate) name: &'static str,
    pub(crate) capability: &'static str,
    pub(crate) play: fn(&World) -> Outcome<Verdict>,
}

const fn row(name: &'static str, capability: &'static str, play: fn(&World) -> Outcome<Verdict>) -> EngineScenario {
    EngineScenario { name, capability, play }
}

pub(crate) const ENGINE_SCENARIOS: &[EngineScenario] = &[
    row("session", "Session text and context of a session-start handler are taken", session),
    row("prompt", "Context of a prompt handler is taken", prompt),
    row("deny-by-exit-code", "A handler's exit code 2 stops the tool, with the reason", deny_by_exit_code),
    row("deny-by-json", "A handler's deny stops the tool, with the reason", deny_by_json),
    row("rewrite", "A handler changes the command of a tool, and nothing else of its input", rewrite),
    row("pre-tool-context", "Context of a handler before a tool is taken", pre_tool_context),
    row("post-tool-context", "Context of a handler after a tool is taken", post_tool_context),
    row("neutral", "Handlers with nothing to say decide nothing", neutral),
    row("once-both", "Each handler is called once: both registrations", once_both),
    row(
        "once-beside-claude",
        "Each handler is called once: beside Claude Code, whose hook files it runs too",
        beside_claude,
    ),
    row("missing-binary", "With our program gone, nothing is decided", missing_binary),
    row("uninstall", "After `uninstall` no handler is called", uninstalled),
];

fn tool(extra: Value) -> Value {
    let mut payload = json!({
        "tool_name": "Shell", "tool_input": {"command": "ls", "working_directory": "/"}, "tool_use_id": "one",
    });
    if let (Some(all), Value::Object(extra)) = (payload.as_object_mut(), extra) {
        all.extend(extra);
    }
    payload
}

/// The four steps that have handlers, in the order of a session.
fn whole_session() -> Value {
    json!([
        ["sessionStart", {"is_background_agent": false, "composer_mode": "agent"}],
        ["beforeSubmitPrompt", {"prompt": "What can you do?", "attachments": []}],
        ["preToolUse", tool(json!({}))],
        ["postToolUse", tool(json!({"tool_output": "src", "duration": 3}))],
    ])
}

/// One step, answered by the engine.
fn step(world: &World, name: &str, payload: &Value) -> Outcome<Value> {
    let answers = world.drive_engine(&json!([[name, payload]]))?;
    Ok(answers.into_iter().next().unwrap_or_default())
}

fn text<'a>(answer: &'a Value, key: &str) -> &'a str {
    answer.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn context_of(world: &World, event: &str, name: &str, payload: &Value) -> Outcome<Verdict> {
    let said = answering(event, "{\"additionalContext\": \"The word is medlar.\"}");
    put_plugin(world, "session-start-context = \"The session word is rowan.\"", &[said])?;
    world.set_up(Scope::User)?;
    let answer = step(world, name, payload)?;
    ensure_called(world, &[event])?;
    let context = text(&answer, "additional_context");
    ensure(context.matches("medlar").count() == 1, || format!("the engine has {answer}"))?;
    ensure(context.contains("rowan") == (event == "SessionStart"), || format!("the engine has {answer}"))?;
    Ok(Verdict::Works)
}

fn session(world: &World) -> Outcome<Verdict> {
    context_of(world, "SessionStart", "sessionStart", &json!({"is_background_agent": false, "composer_mode": "agent"}))
}

fn prompt(world: &World) -> Outcome<Verdict> {
    context_of(world, "UserPromptSubmit", "beforeSubmitPrompt", &json!({"prompt": "Hello", "attachments": []}))
}

fn pre_tool_context(world: &World) -> Outcome<Verdict> {
    context_of(world, "PreToolUse", "preToolUse", &tool(json!({})))
}

fn post_tool_context(world: &World) -> Outcome<Verdict> {
    context_of(world, "PostToolUse", "postToolUse", &tool(json!({"tool_output": "src", "duration": 3})))
}

fn deny_by_exit_code(world: &World) -> Outcome<Verdict> {
    let script = "echo 'Ask Quillfeather first' >&2\nexit 2\n".to_owned();
    denied(world, Handler { event: "PreToolUse".to_owned(), matcher: "Bash", script })
}

fn deny_by_json(world: &World) -> Outcome<Verdict> {
    denied(world, answering("PreToolUse", "{\"decision\": \"deny\", \"reason\": \"Ask Quillfeather first\"}"))
}

fn denied(world: &World, handler: Handler) -> Outcome<Verdict> {
    put_plugin(world, "", &[handler])?;
    world.set_up(Scope::User)?;
    let answer = step(world, "preToolUse", &tool(json!({})))?;
    ensure_called(world, &["PreToolUse"])?;
    let stopped = text(&answer, "permission") == "deny" && text(&answer, "agent_message") == "Ask Quillfeather first";
    ensure(stopped, || format!("the engine has {answer}"))?;
    Ok(Verdict::Works)
}

fn rewrite(world: &World) -> Outcome<Verdict> {
    let handler = answering("PreToolUse", "{\"updatedInput\": {\"command\": \"echo bergamot\"}}");
    put_plugin(world, "", &[handler])?;
    world.set_up(Scope::User)?;
    let answer = step(world, "preToolUse", &tool(json!({})))?;
    let expected = json!({"command": "echo bergamot", "working_directory": "/"});
    ensure(answer.get("updated_input") == Some(&expected), || format!("the engine has {answer}"))?;
    ensure(text(&answer, "permission") != "deny", || format!("the engine has {answer}"))?;
    Ok(Verdict::Works)
}

fn neutral(world: &World) -> Outcome<Verdict> {
    put_silent_handlers(world)?;
    world.set_up(Scope::User)?;
    let answer = step(world, "preToolUse", &tool(json!({})))?;
    ensure_called(world, &["PreToolUse"])?;
    ensure(answer.get("permission").is_none(), || format!("the engine has {answer}"))?;
    Ok(Verdict::Works)
}

/// Its login shell forgets the PATH it was started with; project registrations find us through that shell's.
fn put_login_path(world: &World) -> Outcome<()> {
    world.put(".profile", "PATH=\"$HOME/.local/bin:$PATH\"\n")
}

fn once_both(world: &World) -> Outcome<Verdict> {
    put_silent_handlers(world)?;
    put_login_path(world)?;
    world.set_up(Scope::User)?;
    world.set_up(Scope::Project)?;
    world.drive_engine(&whole_session())?;
    ensure_called(world, &hooks::EVERY_EVENT)?;
    Ok(Verdict::Works)
}

/// The engine runs the hooks of Claude Code's files too, but only those of a file in which some entry has a matcher: so
/// the person has one, in either scope.
fn beside_claude(world: &World) -> Outcome<Verdict> {
    put_silent_handlers(world)?;
    put_login_path(world)?;
    let (log, agents) = ("claude.log", ["claude", "cursor"]);
    for (scope, folder) in [(Scope::User, ".claude"), (Scope::Project, "project/.claude")] {
        let command = format!("echo {scope:?} >> '{}'", world.path(log));
        let own = json!({"matcher": "Bash", "hooks": [{"type": "command", "command": command}]});
        world.put(&format!("{folder}/settings.json"), &format!("{:#}\n", json!({"hooks": {"PreToolUse": [own]}})))?;
        world.set_up_agents(scope, &agents)?;
    }
    world.drive_engine(&whole_session())?;
    let called = world.text(log);
    for scope in ["User", "Project"] {
        ensure(called.lines().filter(|line| *line == scope).count() == 1, || {
            format!("of the person's own hooks these were called: {called:?}")
        })?;
    }
    ensure_called(world, &hooks::EVERY_EVENT)?;
    Ok(Verdict::Works)
}

fn missing_binary(world: &World) -> Outcome<Verdict> {
    put_login_path(world)?;
    world.set_up(Scope::User)?;
    world.set_up(Scope::Project)?;
    world.remove(".local/bin/symposium")?;
    let answers = world.drive_engine(&whole_session())?;
    let decided = answers.iter().find(|answer| answer.get("permission").is_some() || answer.get("continue").is_some());
    ensure(decided.is_none(), || format!("the engine has {decided:?}"))?;
    Ok(Verdict::Works)
}

fn uninstalled(world: &World) -> Outcome<Verdict> {
    put_silent_handlers(world)?;
    put_login_path(world)?;
    world.set_up(Scope::User)?;
    world.set_up(Scope::Project)?;
    world.drive_engine(&whole_session())?;
    ensure_called(world, &hooks::EVERY_EVENT)?;
    let before = world.text(hooks::LOG);
    world.symposium("project", &["uninstall", "--yes"])?;
    world.drive_engine(&whole_session())?;
    ensure(world.text(hooks::LOG) == before, || "handlers are still called".to_owned())?;
    Ok(Verdict::Works)
}
