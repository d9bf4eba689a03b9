use serde_json::json;

use super::*;

fn output(value: &Value) -> HookOutput {
    let Value::Object(fields) = value.clone() else { panic!("an object") };
    HookOutput::from_json(Event::PreToolUse, fields).unwrap()
}

fn merged(answers: &[Value]) -> Value {
    let mut outcome = Outcome::default();
    for (position, answer) in answers.iter().enumerate() {
        if outcome.absorb(output(answer), &format!("p/h{position}")) == HandlerFlow::Stop {
            break;
        }
    }
    outcome.to_json(Event::PreToolUse).as_object_mut().unwrap().remove("PreToolUse").unwrap()
}

#[test]
fn the_strictest_decision_wins_and_deny_ends_it() {
    for (answers, expected) in [
        (vec![], json!({})),
        (vec![json!({"decision": "allow"})], json!({"decision": "allow"})),
        (
            vec![
                json!({"decision": "allow", "reason": "a"}),
                json!({"decision": "ask", "reason": "b"}),
                json!({"decision": "allow"}),
            ],
            json!({"decision": "ask", "reason": "b"}),
        ),
        (
            vec![
                json!({"decision": "deny", "reason": "no"}),
                json!({"decision": "allow", "additionalContext": "never asked"}),
            ],
            json!({"decision": "deny", "reason": "no"}),
        ),
        (vec![json!({"decision": "deny", "reason": " "})], json!({"decision": "deny", "reason": "Blocked by p/h0"})),
        (
            vec![json!({"additionalContext": "one\n"}), json!({"additionalContext": "two"})],
            json!({"additionalContext": "one\n\ntwo"}),
        ),
        (vec![json!({"reason": "", "x": 1, "y": 1}), json!({"reason": "", "x": 2})], json!({"x": 2, "y": 1})),
    ] {
        assert_eq!(merged(&answers), expected, "{answers:?}");
    }
}

#[test]
fn a_rewrite_never_widens_permission() {
    let allow = json!({"decision": "allow"});
    let rewrite = json!({"updatedInput": {"command": "b"}});
    let both = json!({"decision": "allow", "updatedInput": {"command": "b"}});
    let changed = json!({"updatedInput": {"command": "b"}});
    let allowed = json!({"decision": "allow", "updatedInput": {"command": "b"}});
    for (answers, expected) in [
        (vec![&allow, &rewrite], &changed),
        (vec![&rewrite, &allow], &allowed),
        (vec![&both], &allowed),
        (vec![&both, &rewrite], &changed),
    ] {
        let answers: Vec<Value> = answers.into_iter().cloned().collect();
        assert_eq!(merged(&answers), *expected, "{answers:?}");
    }
    let ask = json!({"decision": "ask", "reason": "sure?"});
    assert_eq!(merged(&[ask, rewrite.clone()])["decision"], "ask");
    let more = json!({"updatedInput": {"timeout": 1}});
    assert_eq!(merged(&[rewrite, more])["updatedInput"], json!({"command": "b", "timeout": 1}));
}

#[test]
fn long_reasons_are_cut_between_characters() {
    let reason = merged(&[json!({"decision": "deny", "reason": "é".repeat(5000)})])["reason"].clone();
    assert_eq!(reason.as_str().unwrap().len(), MAX_REASON);
    assert_eq!(shortened("aé", 2), "a");
    assert_eq!(shortened("aé", 9), "aé");
}
