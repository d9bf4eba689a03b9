use serde_json::{Map, Value, json};
use symposium_agents::wire::lower_outcome;
use symposium_agents::{AgentEvent, HookAnswer};
use symposium_hook::HandlerRun;
use symposium_model::hook::{NativeUse, Outcome, ToolUse};

use super::*;

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(object) = value else { panic!("an object") };
    object
}

/// A shell command with the agent's own name for the shell, and what came of it when a handler said `outcome`.
fn trial(agent: AgentId, native: &str, outcome: Outcome) -> DryRun {
    let fields = object(json!({"command": "ls"}));
    let native = Some(NativeUse { name: native.to_owned(), input: Value::Object(fields.clone()) });
    let tool = ToolUse { name: "Bash".to_owned(), input: fields, native };
    let detail = EventDetail::PreToolUse(tool);
    let input = HookInput { agent: Some(agent), session_id: None, cwd: None, sub_agent: None, detail };
    let event = AgentEvent::Canonical(Event::PreToolUse);
    let (reply, losses) = lower_outcome(dialect(agent), event, &input, &outcome);
    let emission = dialect(agent).answer(event, &reply);
    let ran = HandlerRun { name: "p/h".to_owned(), end: "0".to_owned(), decision: None, ms: 1 };
    DryRun { input, outcome, emission, losses, handlers: vec![ran], outputs: Vec::new(), notes: Vec::new() }
}

fn question<'q>(expected: &'q ExpectedOutcome, asked: Option<&'q HookInput>) -> CaseExpectation<'q> {
    CaseExpectation { expected, asked, matcher: &ToolMatcher::All }
}

fn expecting(decision: HookDecision) -> ExpectedOutcome {
    ExpectedOutcome { decision: Some(ExpectedDecision::Is(decision)), ..ExpectedOutcome::default() }
}

fn deciding(decision: HookDecision) -> Outcome {
    Outcome { decision: Some(decision), reason: Some("why".to_owned()), ..Outcome::default() }
}

#[test]
fn what_an_agent_cannot_do_is_no_failure() {
    let rewrite =
        || ExpectedOutcome { rewrite: Some(object(json!({"command": "ls -l"}))), ..ExpectedOutcome::default() };
    let rewriting = || Outcome { updated_input: Some(object(json!({"command": "ls -l"}))), ..Outcome::default() };
    let telling = || Outcome { context: Some("c".to_owned()), ..Outcome::default() };
    let told = || ExpectedOutcome { context: Some("c".to_owned()), ..ExpectedOutcome::default() };
    for (agent, native, expected, outcome, cannot) in [
        (AgentId::Claude, "Bash", expecting(HookDecision::Deny), deciding(HookDecision::Deny), None),
        (AgentId::Goose, "shell", expecting(HookDecision::Deny), deciding(HookDecision::Deny), None),
        (AgentId::Claude, "Bash", expecting(HookDecision::Ask), deciding(HookDecision::Ask), None),
        (AgentId::Kiro, "execute_bash", expecting(HookDecision::Ask), deciding(HookDecision::Ask), Some("cannot ask")),
        (AgentId::Claude, "Bash", expecting(HookDecision::Allow), deciding(HookDecision::Allow), None),
        (
            AgentId::Gemini,
            "run_shell_command",
            expecting(HookDecision::Allow),
            deciding(HookDecision::Allow),
            Some("ignores `allow`"),
        ),
        (AgentId::Claude, "Bash", rewrite(), rewriting(), None),
        (AgentId::Codex, "Bash", rewrite(), rewriting(), Some("only from a handler that allows")),
        (AgentId::Copilot, "bash", told(), telling(), None),
        (AgentId::Kiro, "execute_bash", told(), telling(), Some("no context")),
    ] {
        let verdict = judge(question(&expected, None), agent, &trial(agent, native, outcome));
        match (cannot, &verdict) {
            (None, CaseVerdict::Met) => {}
            (Some(why), CaseVerdict::Cannot(text)) if text.contains(why) => {}
            _ => panic!("{agent}: {verdict:?}"),
        }
    }
}

#[test]
fn what_was_not_said_is_a_failure() {
    let silent = trial(AgentId::Claude, "Bash", Outcome::default());
    let expected = expecting(HookDecision::Deny);
    let failed = |text: &str| CaseVerdict::Failed(text.to_owned());
    assert_eq!(
        judge(question(&expected, None), AgentId::Claude, &silent),
        failed("expected the decision `deny`, got `none`")
    );
    let uncalled = DryRun { handlers: Vec::new(), notes: vec!["n".to_owned()], ..silent.clone() };
    assert_eq!(
        judge(question(&expected, None), AgentId::Claude, &uncalled),
        failed("expected the decision `deny`, got `none`, and the hook was not called; n")
    );
    let nothing = ExpectedOutcome { decision: Some(ExpectedDecision::Nothing), ..ExpectedOutcome::default() };
    assert_eq!(judge(question(&nothing, None), AgentId::Claude, &uncalled), CaseVerdict::Met);
}

#[test]
fn a_handler_that_had_no_say_meets_nothing() {
    let nothing = ExpectedOutcome { decision: Some(ExpectedDecision::Nothing), ..ExpectedOutcome::default() };
    for (end, outcome, expected, met) in [
        ("0", Outcome::default(), &nothing, true),
        ("not started", Outcome::default(), &nothing, false),
        ("killed", Outcome::default(), &nothing, false),
        ("killed", deciding(HookDecision::Deny), &expecting(HookDecision::Deny), true),
        ("not started", deciding(HookDecision::Deny), &expecting(HookDecision::Deny), false),
    ] {
        let mut trial = trial(AgentId::Claude, "Bash", outcome);
        trial.handlers[0].end = end.to_owned();
        assert_eq!(judge(question(expected, None), AgentId::Claude, &trial) == CaseVerdict::Met, met, "{end}");
    }
}

#[test]
fn an_answer_without_the_deny_is_noticed() {
    let lost = DryRun {
        emission: HookAnswer { stdout: "{}".into(), stderr: "".into(), exit: 0 },
        ..trial(AgentId::Claude, "Bash", deciding(HookDecision::Deny))
    };
    let verdict = judge(question(&expecting(HookDecision::Deny), None), AgentId::Claude, &lost);
    let text = "the decision does not reach the agent, whose answer is `{}`";
    assert_eq!(verdict, CaseVerdict::Failed(text.to_owned()));
}
