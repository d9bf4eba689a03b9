//! `symposium context`, and the warnings of `sync` and `doctor` about lists of skills that are too long.

use serde_json::Value;
use symposium_testkit::TestContext;

use crate::with_fixture;

/// A workspace with skills for serde whose descriptions have 250 characters.
fn world(agents: &str, skills: usize) -> TestContext {
    let context = with_fixture(&["workspace0"]);
    let defaults = "[defaults]\nbuiltin = false\nsymposium-recommendations = false\n";
    context.write_config("config.toml", format!("[agent]\nname = [{agents}]\n{defaults}"));
    for number in 0..skills {
        let name = format!("serde-number-{number:02}");
        let skill = format!("---\nname: {name}\ndescription: {}\ncrates: serde\n---\nB\n", "d".repeat(250));
        context.write_config(&format!("plugins/{name}/SKILL.md"), skill);
    }
    context
}

fn document(context: &TestContext, more: &[&str]) -> Value {
    let output = context.invoke(&[&["context", "--json"], more].concat()).expect(0);
    serde_json::from_str(&output).unwrap()
}

fn part(agent: &Value, what: &str) -> u64 {
    let parts = agent["parts"].as_array().unwrap();
    parts.iter().find(|part| part["what"] == what).unwrap()["bytes"].as_u64().unwrap()
}

#[test]
fn every_part_is_counted_for_each_agent() {
    let context = world("\"claude\", \"codex\", \"copilot\", \"gemini\", \"goose\"", 80);
    let document = document(&context, &[]);
    assert_eq!(document["version"], 1);
    let names: Vec<&str> =
        document["agents"].as_array().unwrap().iter().map(|agent| agent["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["claude", "copilot", "gemini", "codex", "goose"]);
    for (agent, listed, limit, over) in [
        ("claude", 80 * 270, Some(1800), true),
        ("codex", 80 * 306, Some(21760), true),
        ("copilot", 80 * 360, Some(15000), true),
        ("gemini", 80 * 450, None, false),
        ("goose", 80 * 275, None, false),
    ] {
        let agents = document["agents"].as_array().unwrap();
        let found = agents.iter().find(|found| found["name"] == agent).unwrap();
        assert_eq!(part(found, "skills"), listed, "{agent}");
        assert_eq!((found["limit"].as_u64(), found["over"].as_bool()), (limit, Some(over)), "{agent}");
        let sum: u64 = found["parts"].as_array().unwrap().iter().map(|part| part["bytes"].as_u64().unwrap()).sum();
        assert_eq!(found["bytes"].as_u64(), Some(sum), "{agent}");
        let index = part(found, "index");
        assert!(index > 100 && index < 500, "{agent}: one line about serde, {index}");
        assert_eq!(part(found, "MCP instructions") > 500, agent != "copilot", "{agent} shows instructions of servers");
        assert_eq!(part(found, "session text") > 500, agent != "goose", "{agent} takes text from hooks");
        let describes = !["claude", "codex"].contains(&agent);
        assert_eq!(part(found, "MCP tools") > 500, describes, "{agent} describes tools at once");
    }
}

#[test]
fn an_agent_can_be_named_and_the_text_shows_the_limit() {
    let context = world("\"claude\"", 3);
    let document = document(&context, &["--agent", "claude"]);
    assert_eq!((&document["agents"][0]["over"], part(&document["agents"][0], "skills")), (&Value::Bool(false), 810));
    let text = context.invoke(&["context", "--agent", "claude"]).expect(0);
    let line = text.lines().find(|line| line.contains("skills")).unwrap();
    assert_eq!(line, "  skills                 810 bytes     202 tokens   3 skills; limit 1800");
    let other = self::document(&context, &["--agent", "codex"]);
    assert_eq!(part(&other["agents"][0], "skills"), 0, "skills are installed for Claude Code alone");
}

#[test]
fn without_a_workspace_there_is_little_to_count() {
    let context = with_fixture(&[]);
    let text = context.invoke(&["context", "--agent", "gemini"]).expect(0);
    assert!(text.contains("  skills                   0 bytes       0 tokens   0 skills; no limit known"), "{text}");
}

#[test]
fn sync_and_doctor_warn_when_the_list_is_too_long() {
    let message = "80 skills for this workspace take 21600 bytes";
    let context = world("\"claude\"", 80);
    let first = context.invoke(&["sync"]);
    let said = first.stderr;
    assert!(said.contains(message) && said.contains("`skillListingBudgetFraction`"), "{said}");
    assert!(said.contains("`symposium off serde-number-00 serde-number-01"), "{said}");
    let again = context.invoke(&["sync"]);
    assert!(!again.stderr.contains(message), "it is said once");
    let found = context.invoke(&["doctor", "--agent", "claude"]);
    assert!(found.stdout.contains(message), "{}", found.stdout);
    let few = world("\"claude\"", 5);
    assert!(!few.invoke(&["sync"]).stderr.contains("skills for this workspace take"));
}
