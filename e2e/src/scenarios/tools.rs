//! The tools an agent offers its model, and the one that takes a patch.

use super::hooks::{Handler, ensure_called, put_plugin};
use super::{Verdict, ensure};
use crate::Outcome;
use crate::agents::{Act, Scope};
use crate::tools::{Offered, collect, differences, record};
use crate::world::World;

/// What the agent offers, in every variant, is what was recorded. A test of `symposium-agents` compares that with its
/// tables, so that a new tool is looked at by somebody.
pub(super) fn recorded(world: &World) -> Outcome<Verdict> {
    let mut offered = Offered::new();
    for variant in world.agent.variants {
        let run = world.run_variant(variant, "What can you do?", &[])?;
        collect(&run.first()?.request, variant, &mut offered);
    }
    if world.records {
        record(world.agent.name, world.version(), &offered)?;
    }
    let differing = differences(world.agent.name, &offered)?;
    ensure(differing.is_empty(), || {
        format!(
            "{}; see what they do, then write them down with `--record-tools --scenario tools`",
            differing.join("; ")
        )
    })?;
    Ok(Verdict::Works)
}

/// A handler that matches `Edit|Write` denies a patch, and nothing is written.
pub(super) fn deny_patch(world: &World) -> Outcome<Verdict> {
    let answer = "{\"decision\": \"deny\", \"reason\": \"Nothing new here.\"}";
    let script = format!("printf '%s' '{{\"PreToolUse\": {answer}}}'\n");
    put_plugin(world, "", &[Handler { event: "PreToolUse".to_owned(), matcher: "Edit|Write", script }])?;
    world.set_up(Scope::User)?;
    let variant = world.agent.variants.iter().rfind(|variant| variant.starts_with("gpt-5"));
    let Some(variant) = variant else { return Ok(Verdict::Absent("no model gets a tool for patches".to_owned())) };
    let patch = "*** Begin Patch\n*** Add File: patched.txt\n+quince\n*** End Patch\n";
    let variant = if world.agent.name == "codex" { "gpt-5.5" } else { variant };
    let run = world.run_variant(variant, "Add a file", &[Act::Patch(patch)])?;
    ensure_called(world, &["PreToolUse"])?;
    ensure(world.text("project/patched.txt").is_empty(), || "the patch was applied".to_owned())?;
    ensure(run.last()?.answered("Nothing new here."), || "the model does not learn why".to_owned())?;
    Ok(Verdict::Works)
}
