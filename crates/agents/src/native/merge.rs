//! The merge of several answers in an agent's own JSON, by rules that hold for every agent that knows the key.

use serde_json::{Map, Value};
use symposium_model::hook::{HookDecision, HookOutput};

use crate::wire_format::{KnownKeys, UNIVERSAL};

/// The key of the object that belongs to one event.
const OWN: &str = "hookSpecificOutput";

/// The key of a decision about a tool, and the value that leaves the decision to the program which started the agent.
const DECISION: &str = "permissionDecision";
const DEFER: &str = "defer";

#[derive(Clone, Copy)]
enum MergeRule {
    /// A decision: the strictest counts, together with these keys.
    Strictest(&'static [&'static str]),
    /// `false` counts, together with these keys.
    FalseStays(&'static [&'static str]),
    Joined,
    KeyByKey,
    Tools,
    Own,
}

/// For every other key the later value counts.
const RULES: &[(&str, MergeRule)] = &[
    ("decision", MergeRule::Strictest(&["reason"])),
    (DECISION, MergeRule::Strictest(&["permissionDecisionReason"])),
    ("permission", MergeRule::Strictest(&["user_message", "agent_message"])),
    ("continue", MergeRule::FalseStays(&["stopReason"])),
    ("additionalContext", MergeRule::Joined),
    ("additional_context", MergeRule::Joined),
    ("systemMessage", MergeRule::Joined),
    ("llm_request", MergeRule::KeyByKey),
    ("llm_response", MergeRule::KeyByKey),
    ("output", MergeRule::KeyByKey),
    ("toolConfig", MergeRule::Tools),
    (OWN, MergeRule::Own),
];

const WORDS: &[&str] = &["decision", DECISION, "permission"];

const TEXTS: &[&str] = &[
    "reason",
    "permissionDecisionReason",
    "user_message",
    "agent_message",
    "stopReason",
    "additionalContext",
    "additional_context",
    "systemMessage",
    "followup_message",
    "message",
];

/// The keys of an answer before a tool that have a canonical form.
const UNDERSTOOD: &[&str] = &[
    "decision",
    "reason",
    "permissionDecision",
    "permissionDecisionReason",
    "permission",
    "user_message",
    "agent_message",
    "additionalContext",
    "additional_context",
    "updatedInput",
    "updated_input",
    "modifiedArgs",
    "tool_input",
    "deny",
    "args",
    "context",
];

pub(super) fn add(known: &mut Map<String, Value>, later: Map<String, Value>) {
    // A decision that loses does not contribute its reason.
    let mut left_out: Vec<&str> = Vec::new();
    for (key, rule) in RULES {
        let (Some(before), Some(now)) = (known.get(*key), later.get(*key)) else { continue };
        match rule {
            MergeRule::Strictest(with) if strictness(before) > strictness(now) => {
                left_out.extend(with.iter().chain([key]));
            }
            MergeRule::FalseStays(with) if *before == Value::Bool(false) => left_out.extend(with.iter().chain([key])),
            // The reason of the losing decision is removed with it.
            MergeRule::Strictest(with) if strictness(before) < strictness(now) => {
                for key in *with {
                    known.remove(*key);
                }
            }
            MergeRule::Strictest(_)
            | MergeRule::FalseStays(_)
            | MergeRule::Joined
            | MergeRule::KeyByKey
            | MergeRule::Tools
            | MergeRule::Own => {}
        }
    }
    let left_out: Vec<String> = left_out.into_iter().map(str::to_owned).collect();
    for (key, now) in later {
        if left_out.contains(&key) {
            continue;
        }
        let rule = RULES.iter().find(|(of, _)| *of == key).map(|(_, rule)| *rule);
        let Some(before) = known.get_mut(&key) else {
            known.insert(key, now);
            continue;
        };
        match (rule, before, now) {
            (Some(MergeRule::Joined), Value::String(before), Value::String(now)) => {
                if !before.trim().is_empty() && !now.trim().is_empty() {
                    before.push_str("\n\n");
                }
                before.push_str(&now);
            }
            (Some(MergeRule::KeyByKey), Value::Object(before), Value::Object(now)) => overlay(before, now),
            (Some(MergeRule::Tools), Value::Object(before), Value::Object(now)) => narrow(before, &now),
            (Some(MergeRule::Own), Value::Object(before), Value::Object(now)) => add(before, now),
            (_, before, now) => *before = now,
        }
    }
}

/// Replaces the value of every key by the later one; objects inside likewise, lists as a whole.
pub(super) fn overlay(known: &mut Map<String, Value>, later: Map<String, Value>) {
    for (key, now) in later {
        match (known.get_mut(&key), now) {
            (Some(Value::Object(before)), Value::Object(now)) => overlay(before, now),
            (_, now) => {
                known.insert(key, now);
            }
        }
    }
}

/// Merges two choices of tools: `NONE` beats `ANY` beats `AUTO`; the allowed names are united, and with `NONE` there
/// are none.
fn narrow(known: &mut Map<String, Value>, later: &Map<String, Value>) {
    let mode = |of: &Map<String, Value>| of.get("mode").and_then(Value::as_str).map(str::to_owned);
    let rank = |mode: &Option<String>| match mode.as_deref() {
        Some("NONE") => 3,
        Some("ANY") => 2,
        Some("AUTO") => 1,
        Some(_) | None => 0,
    };
    let (before, now) = (mode(known), mode(later));
    let narrower = if rank(&now) >= rank(&before) { now } else { before };
    let mut names: Vec<Value> = Vec::new();
    for of in [&*known, later] {
        let listed = of.get("allowedFunctionNames").and_then(Value::as_array);
        for name in listed.into_iter().flatten() {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    overlay(known, later.clone());
    if rank(&narrower) == 3 || names.is_empty() {
        known.remove("allowedFunctionNames");
    } else {
        known.insert("allowedFunctionNames".to_owned(), Value::Array(names));
    }
    if let Some(mode) = narrower {
        known.insert("mode".to_owned(), mode.into());
    }
}

/// The strictest is last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum DecisionRank {
    Nothing,
    Allow,
    Defer,
    Ask,
    Deny,
}

fn strictness(word: &Value) -> DecisionRank {
    match word.as_str().or_else(|| word.get("behavior")?.as_str()) {
        Some("deny" | "block") => DecisionRank::Deny,
        Some("ask") => DecisionRank::Ask,
        Some(DEFER) => DecisionRank::Defer,
        Some("allow" | "approve") => DecisionRank::Allow,
        Some(_) | None => DecisionRank::Nothing,
    }
}

/// Returns a deferral with its reason, when an answer holds one and nothing stricter.
pub(super) fn deferral(answer: &Map<String, Value>) -> Option<Map<String, Value>> {
    let own = answer.get(OWN)?.as_object().filter(|_| !refuses(answer))?;
    own.get(DECISION).filter(|word| strictness(word) == DecisionRank::Defer)?;
    let mut kept = own.clone();
    kept.retain(|key, _| [DECISION, "permissionDecisionReason", "hookEventName"].contains(&key.as_str()));
    Some(Map::from_iter([(OWN.to_owned(), Value::Object(kept))]))
}

/// Returns whether an answer is a refusal: no further handler is asked then.
pub(super) fn refuses(answer: &Map<String, Value>) -> bool {
    let here = |of: &Map<String, Value>| {
        WORDS.iter().filter_map(|key| of.get(*key)).any(|word| strictness(word) == DecisionRank::Deny)
    };
    here(answer) || answer.get(OWN).and_then(Value::as_object).is_some_and(here)
}

/// Returns whether an answer ends the session. The tool in question may still run before it ends, so the remaining
/// handlers are still asked.
pub(super) fn halts(answer: &Map<String, Value>) -> bool {
    answer.get("continue") == Some(&Value::Bool(false))
}

/// Returns whether an answer holds an `llm_response` that Gemini CLI ignores because there is no refusal.
pub(super) fn is_response_without_deny(event: &str, answer: &Map<String, Value>) -> bool {
    let has_response = answer.get(OWN).is_some_and(|own| own.get("llm_response").is_some());
    event == "BeforeModel" && has_response && !refuses(answer) && !halts(answer)
}

pub(super) fn summary(answer: &Map<String, Value>) -> HookOutput {
    let own = answer.get(OWN).and_then(Value::as_object);
    let levels = || [Some(answer), own].into_iter().flatten();
    let words = || levels().flat_map(|of| WORDS.iter().filter_map(|key| of.get(*key)));
    let decision = match words().map(strictness).max() {
        _ if refuses(answer) || halts(answer) => Some(HookDecision::Deny),
        Some(DecisionRank::Deny) => Some(HookDecision::Deny),
        Some(DecisionRank::Ask) => Some(HookDecision::Ask),
        Some(DecisionRank::Allow) => Some(HookDecision::Allow),
        Some(DecisionRank::Defer | DecisionRank::Nothing) | None => None,
    };
    let text = |keys: &[&str]| {
        let mut found = levels().flat_map(|of| keys.iter().filter_map(|key| of.get(*key)?.as_str()));
        found.next().map(str::to_owned)
    };
    HookOutput {
        decision,
        reason: text(&["reason", "permissionDecisionReason", "stopReason", "agent_message", "user_message"]),
        additional_context: text(&["additionalContext", "additional_context"]),
        ..HookOutput::default()
    }
}

pub(super) fn context_bytes(answer: &Map<String, Value>) -> usize {
    let own = answer.get(OWN).and_then(Value::as_object);
    let texts = [Some(answer), own]
        .into_iter()
        .flatten()
        .flat_map(|of| ["additionalContext", "additional_context"].into_iter().filter_map(|key| of.get(key)?.as_str()));
    texts.map(str::len).sum()
}

pub(super) fn for_each_text(answer: &mut Map<String, Value>, change: &dyn Fn(&mut String)) {
    for (key, value) in answer.iter_mut() {
        match value {
            Value::String(text) if TEXTS.contains(&key.as_str()) => change(text),
            Value::Object(inner) if key == OWN || key == "decision" => for_each_text(inner, change),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            }
        }
    }
}

/// Removes fields an agent would not accept: one field of the wrong type makes Claude Code discard everything. A field
/// that is `null` says no more than one that is missing.
pub(super) fn drop_unusable(answer: &mut Map<String, Value>) {
    answer.retain(|key, value| is_usable(key, value));
    if let Some(own) = answer.get_mut(OWN).and_then(Value::as_object_mut) {
        own.retain(|key, value| is_usable(key, value));
        if let Some(decision) = own.get_mut("decision").and_then(Value::as_object_mut) {
            decision.retain(|_, value| !value.is_null());
        }
    }
}

const SWITCHES: &[&str] = &["continue", "suppressOutput", "reloadSkills"];
const OBJECTS: &[&str] = &[OWN, "updatedInput", "updated_input", "modifiedArgs"];

fn is_usable(key: &str, value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(_) => !SWITCHES.contains(&key) && !OBJECTS.contains(&key),
        Value::Bool(_) => !TEXTS.contains(&key) && !OBJECTS.contains(&key),
        Value::Object(_) => !TEXTS.contains(&key) && !SWITCHES.contains(&key),
        Value::Number(_) | Value::Array(_) => ![TEXTS, SWITCHES, OBJECTS].iter().any(|known| known.contains(&key)),
    }
}

/// Removes the keys that an agent does not know, for one that discards a whole answer because of them, and returns
/// them.
pub(super) fn keep_known(answer: &mut Map<String, Value>, known: &KnownKeys) -> Vec<String> {
    let mut unknown = Vec::new();
    let mut keep = |of: &mut Map<String, Value>, keys: &[&[&str]]| {
        of.retain(|key, _| {
            let is_known = keys.iter().any(|keys| keys.contains(&key.as_str()));
            unknown.extend((!is_known).then(|| key.clone()));
            is_known
        });
    };
    keep(answer, &[UNIVERSAL, known.answer]);
    let own = answer.get_mut(OWN).and_then(Value::as_object_mut);
    let nothing_left = own.is_some_and(|own| {
        keep(own, &[known.own]);
        own.keys().all(|key| key == "hookEventName")
    });
    if nothing_left {
        answer.remove(OWN);
    }
    unknown
}

/// Names the event as the agent does: under another name the answer would have no effect.
pub(super) fn name_event(answer: &mut Map<String, Value>, event: &str) {
    let own = answer.get_mut(OWN).and_then(Value::as_object_mut);
    if let Some(name) = own.and_then(|own| own.get_mut("hookEventName")) {
        *name = event.into();
    }
}

pub(super) fn without_understood(mut answer: Map<String, Value>) -> Map<String, Value> {
    answer.retain(|key, _| !UNDERSTOOD.contains(&key.as_str()));
    let own = answer.get_mut(OWN).and_then(Value::as_object_mut);
    let nothing_left = own.is_some_and(|own| {
        own.retain(|key, _| !UNDERSTOOD.contains(&key.as_str()));
        own.keys().all(|key| key == "hookEventName")
    });
    if nothing_left {
        answer.remove(OWN);
    }
    answer
}
