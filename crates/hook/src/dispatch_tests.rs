#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]

use std::path::Path;

use proptest::prelude::*;
use serde_json::json;
use symposium_model::agent::AgentId;
use symposium_model::hook::{NativeUse, OnFailure, ToolUse};

use super::*;
use crate::handler_environment::UserPlaces;

fn handler(name: &str, line: &str) -> Handler {
    Handler::new("p", name, HandlerAction::Shell { line: line.to_owned(), args: vec![] })
}

fn bash(command: &str) -> HookInput {
    let tool = ToolUse {
        name: "Bash".to_owned(),
        input: Map::from_iter([("command".to_owned(), json!(command))]),
        native: Some(NativeUse { name: "Bash".to_owned(), input: json!({"command": command, "description": "d"}) }),
    };
    HookInput {
        agent: Some(AgentId::Claude),
        session_id: Some("s".to_owned()),
        cwd: None,
        sub_agent: None,
        detail: EventDetail::PreToolUse(tool),
    }
}

fn ask_all(handlers: &[Handler], input: &mut HookInput, begun: Instant) -> (Outcome, LogEntry) {
    let mut entry = LogEntry::default();
    let raw = br#"{"tool_name":"Bash","tool_input":{"command":"ls","description":"d"},"other":1}"#;
    let task = EventContext::new(Some(AgentId::Claude), raw, None, None, begun, UserPlaces::default());
    let handlers: Vec<&Handler> = handlers.iter().collect();
    let outcome = run(&task, &handlers, DispatchFacts::default(), input, &mut entry).outcome;
    (outcome, entry)
}

fn said_by(line: &str) -> (Outcome, LogEntry) {
    ask_all(&[handler("h", line)], &mut bash("ls"), Instant::now())
}

#[test]
#[cfg_attr(windows, ignore = "the handlers are for a shell of Unix")]
fn exit_codes_and_output_mean_what_they_should() {
    let deny = Some(HookDecision::Deny);
    for (line, decision, reason, notes) in [
        ("true", None, None, 0),
        ("echo no >&2; exit 2", deny, Some("no"), 0),
        ("exit 2", deny, Some("Blocked by p/h"), 0),
        ("echo gone >&2; kill -9 $$", deny, Some("gone"), 0),
        ("exit 1", None, None, 0),
        (r#"echo '{"PreToolUse":{"decision":"deny","reason":"r"}}'; exit 1"#, deny, Some("r"), 0),
        (r#"echo '{"PreToolUse":{"decision":"deny","reason":"r"}}'"#, deny, Some("r"), 0),
        (r#"echo '{"decision":"block","reason":"r"}'"#, deny, Some("r"), 0),
        (r#"echo '{"PreToolUse":{"decision":"allow"}}'"#, Some(HookDecision::Allow), None, 0),
        ("echo hello", None, None, 1),
        ("echo '[1]'", None, None, 1),
        (r#"echo '{"what":1}'"#, None, None, 1),
        ("/nonexistent/program", None, None, 0),
    ] {
        let (outcome, entry) = said_by(line);
        assert_eq!((outcome.decision, outcome.reason.as_deref()), (decision, reason), "{line}");
        assert_eq!(entry.notes.len(), notes, "{line}: {:?}", entry.notes);
        assert_eq!(entry.handlers.len(), 1, "{line}");
    }
}

#[test]
#[cfg_attr(windows, ignore = "the handlers are for a shell of Unix")]
fn a_failure_is_what_the_handler_says_it_is() {
    let missing = HandlerAction::Direct { program: "/nonexistent/program".to_owned(), args: vec![] };
    for (on_failure, decision) in [(OnFailure::Allow, None), (OnFailure::Block, Some(HookDecision::Deny))] {
        for run in [
            missing.clone(),
            HandlerAction::Shell { line: "sleep 30".to_owned(), args: vec![] },
            HandlerAction::Shell { line: "exit 3".to_owned(), args: vec![] },
            HandlerAction::Shell { line: "echo nonsense".to_owned(), args: vec![] },
        ] {
            let failing = Handler { run: run.clone(), on_failure, timeout: Some(1), ..handler("h", "") };
            let (outcome, _) = ask_all(&[failing], &mut bash("ls"), Instant::now());
            assert_eq!(outcome.decision, decision, "{run:?}");
        }
    }
    let fine = Handler { on_failure: OnFailure::Block, ..handler("h", "true") };
    assert_eq!(ask_all(&[fine], &mut bash("ls"), Instant::now()).0, Outcome::default());
}

#[test]
#[cfg_attr(windows, ignore = "the handlers are for a shell of Unix")]
fn each_sees_what_the_one_before_made_of_it() {
    let rewrite = handler("a", r#"echo '{"updatedInput":{"command":"ls -a"}}'"#);
    let guard = handler("b", r#"grep -q '"command":"ls -a"' && { echo saw it >&2; exit 2; }; exit 0"#);
    let native = Handler {
        format: PayloadFormat::Agent(AgentId::Claude),
        ..handler(
            "c",
            r#"grep -q '"other":1.*"command":"ls -a","description":"d"' && { echo native >&2; exit 2; }; exit 0"#,
        )
    };
    let (outcome, _) = ask_all(&[rewrite.clone(), guard], &mut bash("ls"), Instant::now());
    assert_eq!(outcome.reason.as_deref(), Some("saw it"));
    let mut input = bash("ls");
    let (outcome, _) = ask_all(&[rewrite, native], &mut input, Instant::now());
    assert_eq!(outcome.reason.as_deref(), Some("native"));
    assert_eq!(input.tool().unwrap().input["command"], "ls -a");
}

#[test]
#[cfg_attr(windows, ignore = "the handlers are for a shell of Unix")]
fn a_handler_finds_where_it_is() {
    let named = Handler {
        directory: "/plugin".to_owned(),
        variables: vec![("EXTRA".to_owned(), "x".to_owned())],
        ..handler(
            "h",
            r#"echo "$SYMPOSIUM_PLUGIN_DIR $SYMPOSIUM_AGENT $SYMPOSIUM_EVENT $SYMPOSIUM_DEPTH $EXTRA" >&2; exit 2"#,
        )
    };
    let (outcome, _) = ask_all(&[named], &mut bash("ls"), Instant::now());
    assert_eq!(outcome.reason.as_deref(), Some("/plugin claude PreToolUse 1 x"));
}

/// The same with the shell of Windows, and what every handler is told there.
#[cfg(windows)]
#[test]
fn handlers_for_the_shell_of_windows_decide() {
    let deny = Some(HookDecision::Deny);
    for (line, decision, reason) in [
        ("exit 0", None, None),
        ("echo no>&2& exit 2", deny, Some("no")),
        ("exit 2", deny, Some("Blocked by p/h")),
        ("exit 1", None, None),
        (r#"echo {"decision":"block","reason":"r"}"#, deny, Some("r")),
        (r#"echo {"PreToolUse":{"decision":"allow"}}"#, Some(HookDecision::Allow), None),
        ("no-such-program", None, None),
        (
            "echo %SYMPOSIUM_PLUGIN_DIR% %SYMPOSIUM_AGENT% %SYMPOSIUM_EVENT%>&2& exit 2",
            deny,
            Some("C:\\p claude PreToolUse"),
        ),
    ] {
        let told = Handler { directory: "C:\\p".to_owned(), ..handler("h", line) };
        let (outcome, _) = ask_all(&[told], &mut bash("ls"), Instant::now());
        assert_eq!((outcome.decision, outcome.reason.as_deref()), (decision, reason), "{line}");
    }
    let missing = HandlerAction::Direct { program: "C:\\nonexistent\\program".to_owned(), args: vec![] };
    let endless = HandlerAction::Shell { line: "for /L %i in (0,0,1) do @rem".to_owned(), args: vec![] };
    for run in [missing, endless] {
        let failing = Handler { run: run.clone(), on_failure: OnFailure::Block, timeout: Some(1), ..handler("h", "") };
        let begun = Instant::now();
        let (outcome, _) = ask_all(&[failing], &mut bash("ls"), begun);
        assert_eq!(outcome.decision, deny, "{run:?}");
        assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{run:?}: {:?}", begun.elapsed());
    }
}

/// The behaviour of a generated handler.
#[derive(Debug, Clone)]
struct Behaviour {
    decision: Option<HookDecision>,
    rewrite: Option<u8>,
    context: bool,
    exit: u8,
    delay: [u8; 2],
}

impl Behaviour {
    fn answer(&self, position: usize) -> Value {
        let mut fields = Map::new();
        if let Some(decision) = self.decision {
            fields.insert("decision".to_owned(), decision.name().into());
            fields.insert("reason".to_owned(), format!("by {position}").into());
        }
        if let Some(letter) = self.rewrite {
            fields.insert("updatedInput".to_owned(), json!({"command": format!("c{letter}")}));
        }
        if self.context {
            fields.insert("additionalContext".to_owned(), format!("context {position}").into());
        }
        json!({"PreToolUse": fields})
    }

    fn line(&self, position: usize, run: usize) -> String {
        let wait = f64::from(self.delay[run]) / 1000.0;
        format!("sleep {wait}; echo '{}'; exit {}", self.answer(position), self.exit)
    }
}

fn behaviour() -> impl Strategy<Value = Behaviour> {
    let decision = prop_oneof![
        4 => Just(None),
        2 => Just(Some(HookDecision::Allow)),
        2 => Just(Some(HookDecision::Ask)),
        1 => Just(Some(HookDecision::Deny)),
    ];
    let exit = prop_oneof![6 => Just(0_u8), 1 => Just(1_u8), 1 => Just(2_u8)];
    (decision, proptest::option::of(0..3_u8), any::<bool>(), exit, [0..25_u8, 0..25_u8])
        .prop_map(|(decision, rewrite, context, exit, delay)| Behaviour { decision, rewrite, context, exit, delay })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    #[cfg_attr(windows, ignore = "the handlers are for a shell of Unix")]
    fn the_answer_depends_on_input_and_order_alone(all in proptest::collection::vec(behaviour(), 0..5)) {
        let answer = |run: usize| {
            let handlers: Vec<Handler> =
                all.iter().enumerate().map(|(at, one)| handler(&at.to_string(), &one.line(at, run))).collect();
            ask_all(&handlers, &mut bash("ls"), Instant::now()).0
        };
        let first = answer(0);
        prop_assert_eq!(&first, &answer(1));

        // Handlers run until one denies.
        let denies = |one: &Behaviour| one.exit == 2 || one.decision == Some(HookDecision::Deny);
        let asked: Vec<&Behaviour> = match all.iter().position(denies) {
            Some(last) => all.iter().take(last + 1).collect(),
            None => all.iter().collect(),
        };
        prop_assert_eq!(first.decision == Some(HookDecision::Deny), all.iter().any(denies));

        // A handler that allows has seen the last change, or made it.
        if first.decision == Some(HookDecision::Allow) {
            let last_change = asked.iter().rposition(|one| one.rewrite.is_some()).unwrap_or(0);
            let allowed = asked.iter().skip(last_change).any(|one| one.decision == Some(HookDecision::Allow));
            prop_assert!(allowed);
        }
    }
}

#[test]
#[cfg_attr(windows, ignore = "the handlers are for a shell of Unix")]
fn what_changed_since_it_was_granted_is_not_started() {
    let directory = tempfile::tempdir().unwrap();
    let (script, mark) = (directory.path().join("x.sh"), directory.path().join("ran"));
    std::fs::write(&script, "one").unwrap();
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    let stamps = vec![
        symposium_model::hook::hook_plan::PathStamp { path: path(&script), state: crate::edge::stamp::take(&script) },
        symposium_model::hook::hook_plan::PathStamp { path: path(&directory.path().join("later")), state: None },
    ];
    let granted = Handler { granted: stamps, ..handler("h", &format!("touch '{}'", mark.display())) };
    let ran = || {
        let (_, entry) = ask_all(std::slice::from_ref(&granted), &mut bash("ls"), Instant::now());
        let ran = mark.exists();
        let _ = std::fs::remove_file(&mark);
        assert_eq!(entry.notes.len(), usize::from(!ran), "{:?}", entry.notes);
        ran
    };
    assert!(ran());
    std::fs::write(directory.path().join("later"), "").unwrap();
    assert!(!ran(), "a file appeared that the command names");
    std::fs::remove_file(directory.path().join("later")).unwrap();
    assert!(ran());
    std::fs::write(&script, "other").unwrap();
    assert!(!ran());
}
