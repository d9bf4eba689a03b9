use symposium_model::hook::hook_plan::{LackedSkill, SkillAgents};

use super::*;

fn plan() -> NudgePlan {
    let known = |name: &str, skills: &[&str]| NudgeCrate {
        name: name.to_owned(),
        skills: skills.iter().map(|skill| (*skill).to_owned()).collect(),
    };
    let lacked = |skill: &str| LackedSkill { agent: AgentId::Claude, skill: skill.to_owned() };
    NudgePlan {
        interval: 3,
        crates: vec![
            known("tokio", &["tokio-basics", "tokio-tests"]),
            known("serde_json", &["serde-json"]),
            known("time", &["time"]),
        ],
        holders: SkillAgents { agents: vec![AgentId::Claude], lacking: vec![lacked("tokio-tests")] },
    }
}

fn named(prompt: &str, session: &SessionState) -> Vec<String> {
    for_prompt(prompt, &plan(), Some(AgentId::Claude), session)
        .map(|nudge| nudge.skills().cloned().collect())
        .unwrap_or_default()
}

#[test]
fn the_list_of_ordinary_words_is_sorted() {
    assert!(ORDINARY.is_sorted());
}

#[test]
fn a_mention_is_the_whole_word() {
    let new = SessionState::default();
    for (prompt, skills) in [
        ("Use tokio here", &["tokio-basics", "tokio-tests"][..]),
        ("Tokio, please.", &["tokio-basics", "tokio-tests"]),
        ("`tokio::spawn`", &["tokio-basics", "tokio-tests"]),
        ("tokio-util and tokiox", &[]),
        ("parse it with serde_json", &["serde-json"]),
        ("parse it with serde-json!", &["serde-json"]),
        ("serde", &[]),
        ("it takes a long time", &[]),
        ("time::OffsetDateTime", &["time"]),
        ("use the `time` crate", &["time"]),
        ("use the time crate", &["time"]),
        ("use the crate time", &["time"]),
        ("the crate. Time is short", &[]),
        ("time to look for a crate", &[]),
        ("the time, a crate", &[]),
        ("it takes time; `time` is long", &["time"]),
        ("-tokio- and --", &["tokio-basics", "tokio-tests"]),
        ("_tokio", &[]),
        ("a `b` time `c`", &[]),
        ("", &[]),
        ("ünïcödé tokio", &["tokio-basics", "tokio-tests"]),
    ] {
        assert_eq!(named(prompt, &new), skills, "{prompt}");
    }
}

#[test]
fn the_same_skill_waits_and_loaded_ones_are_silent() {
    let mut session = SessionState { prompts: 1, named: vec![("serde-json".to_owned(), 1)], ..SessionState::default() };
    assert!(named("serde_json", &session).is_empty());
    session.prompts = 2;
    assert!(named("serde_json", &session).is_empty());
    session.prompts = 3;
    assert_eq!(named("serde_json", &session), ["serde-json"]);
    session.skills.push("tokio-basics".to_owned());
    assert_eq!(named("tokio", &session), ["tokio-tests"]);
    session.crates.push("tokio".to_owned());
    assert!(named("tokio", &session).is_empty());
    let off = NudgePlan { interval: 0, ..plan() };
    assert_eq!(for_prompt("tokio", &off, None, &SessionState::default()), None);
}

/// A thousand times as many crates must not cost a thousand times as much.
#[test]
fn a_long_prompt_among_many_crates_costs_little() {
    let mut prompt = "some_words to-read and KRATE_17x ".repeat(20_000);
    prompt.push_str("`Krate-4711` `Krate-7`");
    let took = |crates: std::ops::Range<usize>, expected: &[&str]| {
        let known = |number| NudgeCrate { name: format!("krate_{number}"), skills: vec!["s".to_owned()] };
        let plan = NudgePlan { interval: 3, crates: crates.map(known).collect(), ..NudgePlan::default() };
        let started = std::time::Instant::now();
        let nudge = for_prompt(&prompt, &plan, None, &SessionState::default()).unwrap();
        let named: Vec<&str> = nudge.crates.iter().map(|krate| krate.name.as_str()).collect();
        assert_eq!(named, expected);
        started.elapsed()
    };
    let few = took(0..10, &["krate_7"]);
    let many = took(0..10_000, &["krate_7", "krate_4711"]);
    assert!(many < few * 10 + std::time::Duration::from_secs(1), "{few:?} became {many:?}");
}

#[test]
fn only_skills_that_the_agent_has_are_named() {
    let said =
        |agent| for_prompt("tokio and serde_json", &plan(), Some(agent), &SessionState::default()).unwrap().text();
    assert_eq!(
        said(AgentId::Claude),
        "Symposium has guidance for crates this prompt mentions: for `tokio` load the skill `tokio-basics` (or run \
         `symposium crate tokio`); for `serde_json` load the skill `serde-json` (or run `symposium crate serde_json`)."
    );
    assert_eq!(
        said(AgentId::Gemini),
        "Symposium has guidance for crates this prompt mentions: for `tokio` run `symposium crate tokio`; for \
         `serde_json` run `symposium crate serde_json`."
    );
}
