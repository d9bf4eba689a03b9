//! Every payload becomes a canonical event, as a golden: `tests/golden/AGENT/events.txt`.
//!
//! To check there: names and keys are canonical, nothing of the agent's input is missing under `native`, the text and
//! the failure of a result are found, sources are in Claude's words, a prompt holds only the user's text, and a payload
//! that comes through Claude's settings reads like one through the agent's own.

use std::path::PathBuf;

use expect_test::expect_file;
use symposium_agents::AgentEvent;
use symposium_model::agent::AgentId;

use crate::recorded::{self, Recorded};

#[test]
fn every_payload_becomes_a_canonical_event() {
    let goldens = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut seen = 0;
    for agent in AgentId::ALL {
        let mut text = String::new();
        for recorded in recorded::of(agent) {
            seen += 1;
            // A payload through another agent's settings reads the same.
            if recorded.host != agent {
                let own = Recorded { host: agent, text: recorded.text.clone(), name: String::new(), ..recorded };
                assert_eq!(recorded.input(), own.input(), "{} through {}", recorded.name, recorded.host);
                continue;
            }
            let input = recorded.input();
            assert_eq!(input.agent, Some(agent));
            assert_eq!(Some(input.event()), recorded.event.canonical());
            let mut marks = Vec::new();
            if recorded.event == AgentEvent::ToolFailed {
                marks.push("failure");
            }
            if input.sub_agent.is_some() {
                marks.push("sub-agent");
            }
            let marks = if marks.is_empty() { String::new() } else { format!(" ({})", marks.join(", ")) };
            text.push_str(&format!("=== {}{marks}\n{:#}\n\n", recorded.name, input.to_json()));
        }
        expect_file![goldens.join(agent.name()).join("events.txt")].assert_eq(&text);
    }
    assert!(seen > 150, "{seen}");
}

#[test]
fn the_agents_own_input_is_kept_whole() {
    for recorded in AgentId::ALL.into_iter().flat_map(recorded::of) {
        let input = recorded.input();
        let Some(native) = input.tool().and_then(|tool| tool.native.clone()) else { continue };
        let payload = recorded.payload();
        let sent = ["tool_input", "toolArgs", "args"].into_iter().find_map(|key| payload.get(key));
        assert_eq!(Some(&native.input), sent, "{}", recorded.name);
    }
}
