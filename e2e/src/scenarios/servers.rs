//! Our MCP server: does the model learn of its tools, and is it answered?

use serde_json::json;

use super::{Verdict, ensure, offers};
use crate::Outcome;
use crate::agents::{Act, Scope};
use crate::fixture::{OTHER_SKILL, SKILL};
use crate::model::{ToolCall, Turn};
use crate::world::World;

/// The tool that lists the workspace's crates and skills.
const TOOL: Act = Act::Mcp { server: "symposium", tool: "list" };

pub(super) fn user_scope(world: &World) -> Outcome<Verdict> {
    world.set_up(Scope::User)?;
    called(world, "project")
}

pub(super) fn project_scope(world: &World) -> Outcome<Verdict> {
    world.set_up(Scope::Project)?;
    called(world, "project")
}

/// Registered for the user, started below the project's root: the answer is about the whole workspace.
pub(super) fn from_subdirectory(world: &World) -> Outcome<Verdict> {
    world.set_up(Scope::User)?;
    called(world, "project/inner")
}

/// Registered in the project, started below its root: the answer is about the whole workspace, or there is no server.
pub(super) fn project_from_subdirectory(world: &World) -> Outcome<Verdict> {
    world.set_up(Scope::Project)?;
    called(world, "project/inner")
}

/// Registered for the user while in one project, started in another that locks another version.
pub(super) fn other_workspace(world: &World) -> Outcome<Verdict> {
    for file in ["Cargo.toml", "Cargo.lock"] {
        let text = world.text(&format!("project/{file}"));
        let text = text.replace("widget = \"1\"", "widget = \"2\"").replace("1.2.3", "2.0.0");
        world.put(&format!("other/{file}"), &text)?;
    }
    world.put("other/src/lib.rs", "//! Another shop.\n")?;
    world.set_up(Scope::User)?;
    let run = world.run_in("other", "Which crates are there?", &[TOOL])?;
    let answer = run.last()?.results.last().cloned().unwrap_or_default();
    ensure(answer.contains(OTHER_SKILL) && !answer.contains(SKILL), || {
        format!("the tool did not answer for the project it was started in but: {answer:.300}")
    })?;
    Ok(Verdict::Works)
}

/// The tool `crate`, called below the project's root: it tells about the version that is locked, and nobody needs to be
/// pointed to that crate's skill any more.
pub(super) fn counts_as_loading(world: &World) -> Outcome<Verdict> {
    world.set_up(Scope::User)?;
    let call = (world.agent.call)(&Act::Mcp { server: "symposium", tool: "crate" });
    let script = vec![Turn::Call(ToolCall { arguments: json!({"name": "widget"}), ..call })];
    let run = world.run_script("project/inner", "What is the crate `widget` for?", script)?;
    let answer = run.last()?.results.last().cloned().unwrap_or_default();
    ensure(answer.contains("1.2.3") && answer.contains(SKILL), || format!("the tool answered: {answer:.300}"))?;
    let tree = world.tree()?;
    let sessions = tree.keys().filter(|path| path.starts_with(".symposium/sessions/"));
    let remembered = sessions.map(|path| world.text(path)).any(|text| text.lines().any(|line| line == "c widget"));
    ensure(remembered, || "the session does not remember that the crate was read about".to_owned())?;
    Ok(Verdict::Works)
}

fn called(world: &World, directory: &str) -> Outcome<Verdict> {
    let run = world.run_in(directory, "Which crates are there?", &[TOOL])?;
    if !offers(world, run.first()?, &TOOL) {
        return Ok(Verdict::Absent("the first request does not offer our tools".to_owned()));
    }
    let answer = run.last()?.results.last().cloned().unwrap_or_default();
    ensure(answer.contains(SKILL), || format!("the tool did not answer with our skill but: {answer:.300}"))?;
    Ok(Verdict::Works)
}
