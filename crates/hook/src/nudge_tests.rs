use super::*;

fn plan() -> NudgePlan {
    let known = |name: &str, skills: &[&str]| NudgeCrate {
        name: name.to_owned(),
        skills: skills.iter().map(|skill| (*skill).to_owned()).collect(),
    };
    NudgePlan {
        interval: 3,
        crates: vec![
            known("tokio", &["tokio-basics", "tokio-tests"]),
            known("serde_json", &["serde-json"]),
            known("time", &["time"]),
        ],
    }
}

fn named(prompt: &str, session: &Session) -> Vec<String> {
    for_prompt(prompt, &plan(), session).map(|nudge| nudge.skills().cloned().collect()).unwrap_or_default()
}

#[test]
fn the_list_of_ordinary_words_is_sorted() {
    assert!(ORDINARY.is_sorted());
}

#[test]
fn a_mention_is_the_whole_word() {
    let new = Session::default();
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
    let mut session = Session { prompts: 1, named: vec![("serde-json".to_owned(), 1)], ..Session::default() };
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
    assert_eq!(for_prompt("tokio", &off, &Session::default()), None);
}

/// A thousand times as many crates must not cost a thousand times as much.
#[test]
fn a_long_prompt_among_many_crates_costs_little() {
    let mut prompt = "some_words to-read and KRATE_17x ".repeat(20_000);
    prompt.push_str("`Krate-4711` `Krate-7`");
    let took = |crates: std::ops::Range<usize>, expected: &[&str]| {
        let known = |number| NudgeCrate { name: format!("krate_{number}"), skills: vec!["s".to_owned()] };
        let plan = NudgePlan { interval: 3, crates: crates.map(known).collect() };
        let started = std::time::Instant::now();
        let nudge = for_prompt(&prompt, &plan, &Session::default()).unwrap();
        let named: Vec<&str> = nudge.crates.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(named, expected);
        started.elapsed()
    };
    let few = took(0..10, &["krate_7"]);
    let many = took(0..10_000, &["krate_7", "krate_4711"]);
    assert!(many < few * 10 + std::time::Duration::from_secs(1), "{few:?} became {many:?}");
}
