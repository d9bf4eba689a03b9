//! Handlers of plugins: are they called, and does what they answer reach the model?
//!
//! A handler that is not called is always an error. One whose answer the agent cannot use is absent, not half done.

use super::{Verdict, ensure, listed, with_others};
use crate::Outcome;
use crate::agents::{Act, Scope};
use crate::fixture::{SKILL, SKILL_DESCRIPTION};
use crate::model::Shown;
use crate::world::World;

/// Where handlers write their names, one line for each call.
pub(super) const LOG: &str = "handlers.log";

pub(super) const SHELL: Act = Act::Shell("echo quince > shell-ran.txt");
pub(super) const SHELL_FILE: &str = "project/shell-ran.txt";

/// A handler: its event, its matcher, and the last lines of its script.
pub(super) struct Handler {
    pub(super) event: String,
    pub(super) matcher: &'static str,
    pub(super) script: String,
}

/// A handler for shell commands that prints this answer.
pub(super) fn answering(event: &str, answer: &str) -> Handler {
    Handler { event: event.to_owned(), matcher: "Bash", script: format!("printf '%s' '{{\"{event}\": {answer}}}'\n") }
}

/// Adds a plugin of the user's own that applies to every project with `widget`.
pub(super) fn put_plugin(world: &World, extra: &str, handlers: &[Handler]) -> Outcome<()> {
    let mut manifest = format!("name = \"watcher\"\ncrates = [\"widget\"]\n{extra}\n");
    for (number, handler) in handlers.iter().enumerate() {
        let Handler { event, matcher, script } = handler;
        let matcher = if matcher.is_empty() { String::new() } else { format!("matcher = \"{matcher}\"\n") };
        manifest +=
            &format!("\n[[hooks]]\nname = \"h{number}\"\nevent = \"{event}\"\n{matcher}command = \"./h{number}.sh\"\n");
        // The input is read to its end, as a well-behaved handler does, and kept for whoever looks into a failure.
        let text = format!("#!/bin/sh\ncat > \"$HOME/last-{event}.json\"\necho {event} >> \"$HOME/{LOG}\"\n{script}");
        world.put_program(&format!(".symposium/plugins/watcher/h{number}.sh"), &text)?;
    }
    world.put(".symposium/plugins/watcher/SYMPOSIUM.toml", &manifest)
}

/// An error unless the handlers of these events were called, each once.
pub(super) fn ensure_called(world: &World, events: &[&str]) -> Outcome<()> {
    events.iter().try_for_each(|event| ensure_calls(world, event, 1))
}

fn ensure_calls(world: &World, event: &str, expected: usize) -> Outcome<()> {
    let calls = world.text(LOG).lines().filter(|line| *line == event).count();
    ensure(calls == expected, || format!("the handler of {event} was called {calls} times"))
}

/// Whether a word a handler gave is in these requests, and in none of them twice.
fn shown_once(shown: &[Shown], word: &str) -> Outcome<Verdict> {
    let counts: Vec<usize> = shown.iter().map(|shown| shown.count(word)).collect();
    match counts.iter().max() {
        None | Some(0) => Ok(Verdict::Absent("the handler is called, its context is in no request".to_owned())),
        Some(1) => Ok(Verdict::Works),
        Some(_) => Err(format!("the context was shown more than once: {counts:?} times in the requests")),
    }
}

/// The `session-start-context` of a plugin is in the first request.
pub(super) fn session_text(world: &World) -> Outcome<Verdict> {
    put_plugin(world, "session-start-context = \"The session word is rowan.\"", &[])?;
    world.set_up(Scope::User)?;
    let run = world.run("What can you do?", &[])?;
    Ok(match run.first()?.count("rowan") {
        0 => Verdict::Absent("the text is not in the first request".to_owned()),
        1 => Verdict::Works,
        more => return Err(format!("the text is in the first request {more} times")),
    })
}

/// What a handler says when a session starts is in the first request.
pub(super) fn session_context(world: &World) -> Outcome<Verdict> {
    context_of(world, "SessionStart", &[])
}

/// What a handler says to a prompt is in the first request.
pub(super) fn prompt_context(world: &World) -> Outcome<Verdict> {
    context_of(world, "UserPromptSubmit", &[])
}

/// What a handler says before a tool runs is shown with the result.
pub(super) fn pre_tool_context(world: &World) -> Outcome<Verdict> {
    let verdict = context_of(world, "PreToolUse", &[SHELL])?;
    ensure(world.text(SHELL_FILE).contains("quince"), || "the tool did not run".to_owned())?;
    Ok(verdict)
}

/// What a handler says after a tool ran is shown with the result.
pub(super) fn post_tool_context(world: &World) -> Outcome<Verdict> {
    context_of(world, "PostToolUse", &[SHELL])
}

/// A handler replaces what a command printed that succeeded.
pub(super) fn output_of_success(world: &World) -> Outcome<Verdict> {
    output_replaced(world, Act::Shell("printf 'qui%s\\n' nce"))
}

/// A handler replaces what a command printed that failed.
pub(super) fn output_of_failure(world: &World) -> Outcome<Verdict> {
    output_replaced(world, Act::Shell("printf 'qui%s\\n' nce; exit 3"))
}

/// The command does not contain the word that it prints.
fn output_replaced(world: &World, act: Act) -> Outcome<Verdict> {
    put_plugin(world, "", &[answering("PostToolUse", "{\"updatedOutput\": \"The word is medlar.\"}")])?;
    world.set_up(Scope::User)?;
    let run = world.run("Run something", &[act])?;
    run.first()?;
    ensure_called(world, &["PostToolUse"])?;
    let results = run.last()?.results.join("\n");
    match (results.contains("quince"), results.contains("medlar")) {
        (false, true) => Ok(Verdict::Works),
        (true, false) => Ok(Verdict::Absent("the model reads what the command printed".to_owned())),
        (true, true) => Err(format!("the model reads both: {results:.600}")),
        (false, false) => Err(format!("the model reads neither: {results:.600}")),
    }
}

fn context_of(world: &World, event: &str, acts: &[Act]) -> Outcome<Verdict> {
    put_plugin(world, "", &[answering(event, "{\"additionalContext\": \"The word is medlar.\"}")])?;
    world.set_up(Scope::User)?;
    let run = world.run("What can you do?", acts)?;
    let first = run.first()?;
    ensure_called(world, &[event])?;
    // Without a tool there is nothing to wait for.
    shown_once(if acts.is_empty() { std::slice::from_ref(first) } else { &run.shown }, "medlar")
}

/// A prompt that names a crate with a skill gets a line that names the skill.
pub(super) fn nudge(world: &World) -> Outcome<Verdict> {
    world.set_up(Scope::User)?;
    let without = world.run("What can you do?", &[])?.first()?.count(SKILL);
    let with = world.run("How do I paint with the `widget` crate?", &[])?.first()?.count(SKILL);
    Ok(if with > without {
        Verdict::Works
    } else {
        Verdict::Absent(format!("the skill is named {with} times, and {without} times without the crate in the prompt"))
    })
}

/// A handler that exits with 2 stops the tool, and the model reads why.
pub(super) fn deny_by_exit_code(world: &World) -> Outcome<Verdict> {
    let script = "echo 'Ask Quillfeather first' >&2\nexit 2\n".to_owned();
    denied(world, Handler { event: "PreToolUse".to_owned(), matcher: "Bash", script })
}

/// A handler that answers deny stops the tool, and the model reads why.
pub(super) fn deny_by_json(world: &World) -> Outcome<Verdict> {
    denied(world, answering("PreToolUse", "{\"decision\": \"deny\", \"reason\": \"Ask Quillfeather first\"}"))
}

fn denied(world: &World, handler: Handler) -> Outcome<Verdict> {
    put_plugin(world, "", &[handler])?;
    world.set_up(Scope::User)?;
    let run = world.run("Run something", &[SHELL])?;
    run.first()?;
    ensure_called(world, &["PreToolUse"])?;
    ensure(world.text(SHELL_FILE).is_empty(), || "the tool ran all the same".to_owned())?;
    let last = run.last()?;
    ensure(last.text.contains("Ask Quillfeather first"), || format!("the model reads {:.600?}", last.results))?;
    Ok(Verdict::Works)
}

/// A handler changes the command.
pub(super) fn rewrite(world: &World) -> Outcome<Verdict> {
    rewritten(world, "")
}

/// A handler changes the command and says that it may run.
pub(super) fn rewrite_and_allow(world: &World) -> Outcome<Verdict> {
    rewritten(world, "\"decision\": \"allow\", ")
}

fn rewritten(world: &World, decision: &str) -> Outcome<Verdict> {
    let answer = format!("{{{decision}\"updatedInput\": {{\"command\": \"echo bergamot > rewritten.txt\"}}}}");
    put_plugin(world, "", &[answering("PreToolUse", &answer)])?;
    world.set_up(Scope::User)?;
    let run = world.run("Run something", &[SHELL])?;
    run.first()?;
    ensure_called(world, &["PreToolUse"])?;
    let original = world.text(SHELL_FILE).contains("quince");
    let changed = world.text("project/rewritten.txt").contains("bergamot");
    match (original, changed) {
        (false, true) => Ok(Verdict::Works),
        (true, false) => Ok(Verdict::Absent("the command ran as the model wrote it".to_owned())),
        (true, true) => Err("both commands ran".to_owned()),
        (false, false) => Err(format!("no command ran; the model reads {:.600?}", run.last()?.results)),
    }
}

pub(super) const EVERY_EVENT: [&str; 4] = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"];

pub(super) fn put_silent_handlers(world: &World) -> Outcome<()> {
    put_plugin(
        world,
        "",
        &EVERY_EVENT.map(|event| Handler { event: event.to_owned(), matcher: "Bash", script: String::new() }),
    )
}

pub(super) fn once(world: &World) -> Outcome<Verdict> {
    called_once(world, &[Scope::User], "project")
}

pub(super) fn once_project(world: &World) -> Outcome<Verdict> {
    called_once(world, &[Scope::Project], "project")
}

pub(super) fn once_both(world: &World) -> Outcome<Verdict> {
    called_once(world, &[Scope::User, Scope::Project], "project")
}

/// Registered for the user, started below the project's root.
pub(super) fn from_subdirectory(world: &World) -> Outcome<Verdict> {
    called_once(world, &[Scope::User], "project/inner")
}

/// Registered in the project, started below its root: all handlers are called, or none.
pub(super) fn project_from_subdirectory(world: &World) -> Outcome<Verdict> {
    called_once(world, &[Scope::Project], "project/inner")
}

fn called_once(world: &World, scopes: &[Scope], directory: &str) -> Outcome<Verdict> {
    put_silent_handlers(world)?;
    for scope in scopes {
        world.set_up(*scope)?;
    }
    let run = world.run_in(directory, "Run something", &[SHELL])?;
    run.first()?;
    if world.text(LOG).is_empty() {
        return Ok(Verdict::Absent("no handler is called".to_owned()));
    }
    ensure_called(world, &EVERY_EVENT)?;
    Ok(Verdict::Works)
}

/// Claude Code and this agent (for Claude Code: Copilot CLI), both registered in the project: some read both files.
pub(super) fn once_beside_another_agent(world: &World) -> Outcome<Verdict> {
    put_silent_handlers(world)?;
    world.set_up_agents(Scope::Project, &with_others(world))?;
    world.run("Run something", &[SHELL])?.first()?;
    ensure_called(world, &EVERY_EVENT)?;
    Ok(Verdict::Works)
}

/// A tool that fails counts as a tool that ran: a command that says so, which many take for a success, and a file that is
/// not there.
pub(super) fn after_failure(world: &World) -> Outcome<Verdict> {
    let events = ["PreToolUse", "PostToolUse"];
    let handler = |event: &str| Handler { event: event.to_owned(), matcher: "Bash|Read", script: String::new() };
    put_plugin(world, "", &events.map(handler))?;
    world.set_up(Scope::User)?;
    let absent = world.path("project/absent.txt");
    world.run("Run something", &[Act::Shell("exit 3"), Act::Read(&absent)])?.first()?;
    events.iter().try_for_each(|event| ensure_calls(world, event, 2))?;
    Ok(Verdict::Works)
}

/// A matcher finds an MCP tool under one name with every agent.
pub(super) fn mcp_matcher(world: &World) -> Outcome<Verdict> {
    let handler =
        |event: &str| Handler { event: event.to_owned(), matcher: "mcp__symposium__list", script: String::new() };
    put_plugin(world, "", &[handler("PreToolUse"), handler("PostToolUse")])?;
    world.set_up(Scope::User)?;
    let run = world.run("Which crates are there?", &[Act::Mcp { server: "symposium", tool: "list" }, SHELL])?;
    ensure(run.last()?.answered(SKILL), || "our MCP server did not answer".to_owned())?;
    ensure_called(world, &["PreToolUse", "PostToolUse"])?;
    Ok(Verdict::Works)
}

/// Nobody has reviewed the hooks we registered: all handlers are called, or none, and nothing else changes.
pub(super) fn unreviewed(world: &World) -> Outcome<Verdict> {
    put_silent_handlers(world)?;
    world.set_up(Scope::User)?;
    let run = world.run_unreviewed("Run something", &[Act::Mcp { server: "symposium", tool: "list" }, SHELL])?;
    // Pi lists no skill that git ignores.
    let is_listed = listed(world, run.first()?, SKILL, SKILL_DESCRIPTION) > 0;
    ensure(is_listed || world.agent.name == "pi", || "the skill is not listed".to_owned())?;
    ensure(run.last()?.answered(SKILL), || "our MCP server did not answer".to_owned())?;
    ensure(world.text(SHELL_FILE).contains("quince"), || "the tool did not run".to_owned())?;
    ensure(run.ended.code == Some(0), || format!("the agent ended with {:?}", run.ended.code))?;
    if world.text(LOG).is_empty() {
        return Ok(Verdict::Absent("no handler is called, and the rest works".to_owned()));
    }
    ensure_called(world, &EVERY_EVENT)?;
    Ok(Verdict::Works)
}
