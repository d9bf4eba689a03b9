//! Everything an agent sees of a hook, for every event and outcome, as a golden: `tests/golden/AGENT/answers.txt`.
//!
//! The facts behind the lines that are not obvious, as observed with the real programs (Kiro and Cursor: from their
//! source):
//!
//! - Claude: the event is named in every object (without it, or with a `null` anywhere, the whole answer is discarded);
//!   a changed input needs no `allow` and is complete (it replaces the whole); `deny` beside context keeps both; a
//!   prompt and the end of a turn are stopped with `decision: block`; after a tool the reason is context, since a block
//!   there only adds noise; a failed tool has an event of its own, and context reaches the model there too.
//! - Codex: `allow` alone, `ask`, and any unknown field void the answer, and a changed input without `allow` is
//!   ignored: so `allow` is only ever sent with a changed input, a rewrite alone is dropped and reported, and `ask` is
//!   a deny. A deny without a reason is ignored. After a tool a block would replace its output, so the reason is
//!   context.
//! - Copilot: everything is flat and exits 0 (any other code denies, without the reason); `modifiedArgs` replaces all
//!   arguments; `allow` skips the question to the user, so it is sent only when a plugin decided it; a prompt and the
//!   end of a turn are stopped with `decision: block`.
//! - Gemini: `{}` is neutral (with an empty stdout it would read stderr); a deny is JSON on stdout; `tool_input`
//!   replaces all arguments; `allow` skips nothing and is not sent; context before a tool is ignored, and after a tool
//!   that returned an error it is lost; `ask` ends or blocks a run, so it is a deny.
//! - Goose: exit 2 with stderr denies a tool, at the end of a turn only `decision: block` counts, and nothing else has
//!   any effect.
//! - Kiro: exit 2 with stderr denies a tool; plain text is context at the start and with a prompt, and nothing
//!   elsewhere.
//! - OpenCode: Symposium's own format; the bridge throws `deny`, replaces `args`, and appends `context`. A prompt could
//!   only be refused with an unhelpful error, so the reason is context.
//! - Qwen: the last `permissionDecision` of all hooks counts, so `allow` is never sent, and a deny stands in `continue`
//!   too; a changed input and context before a tool have no effect, context after a failed tool arrives.
//! - Cursor: anything but its own JSON blocks; a prompt is refused with `continue: false`; a follow-up message makes
//!   another turn.

use std::path::PathBuf;

use expect_test::expect_file;
use serde_json::{Map, Value, json};
use symposium_agents::wire::{UnsupportedEffect, lower_outcome};
use symposium_agents::{AgentEvent, dialect};
use symposium_model::agent::AgentId;
use symposium_model::hook::{EventDetail, HookDecision, HookInput, Outcome};

use crate::facts::{self, Seen};
use crate::recorded;

pub(crate) fn outcomes() -> Vec<(&'static str, Outcome)> {
    let says = |decision: HookDecision, reason: &str| Outcome {
        decision: Some(decision),
        reason: Some(reason.to_owned()),
        ..Outcome::default()
    };
    let context = Some("Use `cargo nextest`.".to_owned());
    let updated_input = Some(Map::from_iter([("command".to_owned(), json!("cargo nextest run"))]));
    vec![
        ("nothing", Outcome::default()),
        ("context", Outcome { context: context.clone(), ..Outcome::default() }),
        ("deny", says(HookDecision::Deny, "Not here.")),
        ("ask", says(HookDecision::Ask, "Really?")),
        ("allow", says(HookDecision::Allow, "Harmless.")),
        ("rewrite", Outcome { updated_input: updated_input.clone(), ..Outcome::default() }),
        ("allow+rewrite", Outcome { updated_input: updated_input.clone(), ..says(HookDecision::Allow, "Harmless.") }),
        ("deny+context", Outcome { context: context.clone(), ..says(HookDecision::Deny, "Not here.") }),
        ("deny+rewrite", Outcome { updated_input: updated_input.clone(), ..says(HookDecision::Deny, "Not here.") }),
        ("context+rewrite", Outcome { context: context.clone(), updated_input, ..Outcome::default() }),
        ("output", Outcome { updated_output: Some("Short.".to_owned()), ..Outcome::default() }),
        ("context+output", Outcome { context, updated_output: Some("Short.".to_owned()), ..Outcome::default() }),
    ]
}

pub(crate) fn situations(agent: AgentId) -> Vec<(String, AgentEvent, HookInput)> {
    let mut all = Vec::new();
    for event in recorded::events(dialect(agent)) {
        let name = dialect(agent).name_of(event).unwrap();
        let recorded = recorded::one(agent, event).unwrap_or_else(|| panic!("{agent} has no payload of {name}"));
        let input = recorded.input();
        let failed = match &input.detail {
            EventDetail::PostToolUse(tool, result) if dialect(agent).events.tool_failed.is_none() => {
                let result = symposium_model::hook::ToolResult { failed: true, ..result.clone() };
                Some(("the tool failed", EventDetail::PostToolUse(tool.clone(), result)))
            }
            EventDetail::Stop { last_assistant_message, .. } => {
                let last_assistant_message = last_assistant_message.clone();
                Some(("a hook's turn", EventDetail::Stop { stop_hook_active: true, last_assistant_message }))
            }
            _ => None,
        };
        all.push((name.to_owned(), event, input.clone()));
        if let Some((what, detail)) = failed {
            all.push((format!("{name} ({what})"), event, HookInput { detail, ..input }));
        }
    }
    all
}

#[test]
fn every_answer_is_as_the_agent_takes_it() {
    let goldens = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for agent in AgentId::ALL {
        let mut text = String::new();
        for (name, event, input) in situations(agent) {
            text.push_str(&format!("=== {name}\n"));
            for (outcome_name, outcome) in outcomes() {
                let (reply, losses) = lower_outcome(dialect(agent), event, &input, &outcome);
                let emission = dialect(agent).answer(event, &reply);
                let mut parts = Vec::new();
                match emission.stdout.chars().next() {
                    Some('{') => parts.push(format!("stdout {}", emission.stdout)),
                    Some(_) => parts.push(format!("stdout {:?}", emission.stdout)),
                    None => {}
                }
                if !emission.stderr.is_empty() {
                    parts.push(format!("stderr {:?}", emission.stderr));
                }
                if parts.is_empty() {
                    parts.push("silence".to_owned());
                }
                if emission.exit != 0 {
                    parts.push(format!("exit {}", emission.exit));
                }
                let seen = facts::seen(agent, event, &emission)
                    .unwrap_or_else(|fault| panic!("{agent} {name} {outcome_name}: {fault}: {emission:?}"));
                let effect = show(&seen);
                if !effect.is_empty() {
                    parts.push(format!("=> {effect}"));
                }
                parts.extend(losses.iter().map(|loss| format!("LOST: {}", loss.text())));
                text.push_str(&format!("{outcome_name}: {}\n", parts.join(" | ")));
            }
            text.push('\n');
        }
        expect_file![goldens.join(agent.name()).join("answers.txt")].assert_eq(&text);
    }
}

fn show(seen: &Seen) -> String {
    let mut effects = Vec::new();
    effects.extend(seen.blocked.iter().map(|_| "blocked"));
    effects.extend(seen.asked.then_some("asked"));
    effects.extend(seen.granted.then_some("granted"));
    effects.extend(seen.context.iter().map(|_| "context"));
    effects.extend(seen.input.iter().map(|_| "changed"));
    effects.extend(seen.output.iter().map(|_| "output"));
    effects.join(", ")
}

#[test]
fn what_was_decided_happens_or_is_named() {
    for agent in AgentId::ALL {
        for (name, event, input) in situations(agent) {
            for (outcome_name, outcome) in outcomes() {
                let (reply, losses) = lower_outcome(dialect(agent), event, &input, &outcome);
                let seen = facts::seen(agent, event, &dialect(agent).answer(event, &reply)).unwrap();
                let what = format!("{agent} {name} {outcome_name}: {seen:?} {losses:?}");
                if outcome.decision == Some(HookDecision::Deny) {
                    let told = seen.blocked.as_deref().or(seen.context.as_deref());
                    assert!(told.is_some_and(|told| told.contains("Not here.")) || !losses.is_empty(), "{what}");
                    assert_eq!(seen.input, None, "{what}");
                }
                if let Some(context) = &outcome.context {
                    let told = [&seen.context, &seen.output].into_iter().flatten();
                    let told = told.into_iter().any(|told| told.contains(context.as_str()));
                    assert!(told || !losses.is_empty(), "{what}");
                }
                let wants_output = outcome.updated_output.is_some() && !losses.contains(&UnsupportedEffect::Output);
                let replaced = seen.output.as_deref().is_some_and(|text| text.starts_with("Short."));
                assert_eq!((seen.output.is_some(), replaced), (wants_output, wants_output), "{what}");
                assert!(!seen.granted || outcome.decision == Some(HookDecision::Allow), "{what}");
                let wants_input = outcome.updated_input.is_some() && outcome.decision != Some(HookDecision::Deny);
                let lost = losses
                    .iter()
                    .any(|loss| matches!(loss, UnsupportedEffect::Rewrite | UnsupportedEffect::RewriteWithoutAllow));
                assert_eq!(seen.input.is_some(), wants_input && !lost, "{what}");
                if let Some(changed) = &seen.input {
                    // Complete, and only the command differs.
                    let native = input.tool().unwrap().native.clone().unwrap().input;
                    let mut expected = native.as_object().unwrap().clone();
                    expected.insert("command".to_owned(), json!("cargo nextest run"));
                    assert_eq!(Value::Object(changed.clone()), Value::Object(expected), "{what}");
                }
            }
        }
    }
}
