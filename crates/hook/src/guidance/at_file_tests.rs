//! Tables of tool calls and the guidance they bring, over real files.

use serde_json::json;
use symposium_model::hook::ToolResult;
use symposium_model::hook::guidance_plan::{GuidedCrate, GuidedPackage, SkillDigest, print_digests, print_packages};
use symposium_model::hook::hook_plan::SkillHolders;

use super::*;

struct World {
    root: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self { root: tempfile::tempdir().unwrap() };
        let krate = |code_name: &str, name: &str, skills: &[&str]| GuidedCrate {
            code_name: code_name.to_owned(),
            name: name.to_owned(),
            version: "1.2.3".to_owned(),
            skills: skills.iter().map(|skill| (*skill).to_owned()).collect(),
        };
        let crates = vec![
            krate("rand", "rand", &["rand-0-9"]),
            krate("json", "serde_json", &["serde-json", "json-extra"]),
            krate("time", "time", &["time"]),
        ];
        let directory = world.root.path().to_str().unwrap().to_owned();
        let digest = |skill: &str, text: String| SkillDigest { skill: skill.to_owned(), text };
        world.write("plans/guidance", print_packages(&[GuidedPackage { directory, crates }]));
        world.write(
            "plans/digests",
            print_digests(&[
                digest("rand-0-9", "`rng()` replaces `thread_rng()`.\nSecond line.".to_owned()),
                digest("serde-json", "x".repeat(1500)),
                digest("json-extra", "y".repeat(1500)),
                digest("time", "`now_local` fails with threads.".to_owned()),
            ]),
        );
        world
    }

    #[expect(clippy::disallowed_methods, reason = "a file of the test")]
    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn guided(
        &self,
        mode: EditGuidance,
        agent: Option<AgentId>,
        session: &SessionState,
        input: &HookInput,
    ) -> Option<FileAdvice> {
        let holders = SkillHolders { agents: vec![AgentId::Claude], lacking: Vec::new() };
        let plan = GuidancePlan { mode, holders };
        let plans = self.root.path().join("plans");
        let guide = FileGuide { plan: &plan, plans: &plans, workspace: self.root.path(), agent, session };
        guide.advise(input).or_else(|| guide.refuse(input))
    }

    fn after(&self, tool: &str, input: Value) -> HookInput {
        let result = ToolResult::default();
        self.event(|tool| EventDetail::PostToolUse(tool, result), tool, input)
    }

    fn before(&self, tool: &str, input: Value) -> HookInput {
        self.event(EventDetail::PreToolUse, tool, input)
    }

    fn event(&self, detail: impl FnOnce(ToolUse) -> EventDetail, name: &str, input: Value) -> HookInput {
        let Value::Object(input) = input else { panic!("an object") };
        let tool = ToolUse { name: name.to_owned(), input, native: None };
        let cwd = Some(self.root.path().to_str().unwrap().to_owned());
        HookInput { agent: None, session_id: None, cwd, sub_agent: None, detail: detail(tool) }
    }
}

fn skills(advice: Option<FileAdvice>) -> Vec<String> {
    advice.map(|advice| advice.skills).unwrap_or_default()
}

#[test]
fn digests_are_told_for_the_crates_a_file_names() {
    let world = World::new();
    world.write("src/a.rs", "use rand::Rng; fn f() { time::now() }");
    world.write("src/none.rs", "// rand::x\nfn main() {}");
    world.write("src/binary.rs", b"use rand::Rng;\xff\xfe");
    world.write("src/Cargo.txt", "use rand::Rng;");
    let none = SessionState::default();
    let told = |tool: &str, file: &str| {
        skills(world.guided(EditGuidance::Digest, None, &none, &world.after(tool, json!({"file_path": file}))))
    };
    assert_eq!(told("Read", "src/a.rs"), ["rand-0-9", "time"]);
    assert_eq!(told("Edit", "src/../src/a.rs"), ["rand-0-9", "time"]);
    assert_eq!(told("Write", world.root.path().join("src/a.rs").to_str().unwrap()), ["rand-0-9", "time"]);
    for (tool, file) in [
        ("Bash", "src/a.rs"),
        ("Read", "src/none.rs"),
        ("Read", "src/binary.rs"),
        ("Read", "src/Cargo.txt"),
        ("Read", "src/missing.rs"),
        ("Read", "src"),
        ("Read", "/elsewhere/a.rs"),
    ] {
        assert_eq!(told(tool, file), Vec::<String>::new(), "{tool} {file}");
    }
    let patch = json!({"patch": "x", "files": ["src/none.rs", "src/a.rs"]});
    assert_eq!(
        skills(world.guided(EditGuidance::Digest, None, &none, &world.after("Patch", patch))),
        ["rand-0-9", "time"]
    );
}

#[test]
fn each_is_told_once_and_not_when_it_was_loaded() {
    let world = World::new();
    world.write("src/a.rs", "use rand::Rng; use time::Date;");
    let read = world.after("Read", json!({"file_path": "src/a.rs"}));
    let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    for (session, expected) in [
        (SessionState { digests: names(&["rand-0-9"]), ..SessionState::default() }, vec!["time"]),
        (SessionState { skills: names(&["time"]), ..SessionState::default() }, vec!["rand-0-9"]),
        (SessionState { crates: names(&["rand", "time"]), ..SessionState::default() }, vec![]),
    ] {
        assert_eq!(skills(world.guided(EditGuidance::Digest, None, &session, &read)), expected);
    }
}

#[test]
fn the_text_names_version_and_the_way_to_the_rest() {
    let world = World::new();
    world.write("src/a.rs", "use rand::Rng;");
    let read = world.after("Read", json!({"file_path": "src/a.rs"}));
    let text = |agent| {
        let told = world.guided(EditGuidance::Digest, Some(agent), &SessionState::default(), &read);
        told.map(|advice| advice.text)
    };
    let digest = "rand 1.2.3: `rng()` replaces `thread_rng()`.\nSecond line.\n";
    assert_eq!(text(AgentId::Claude), Some(format!("{digest}The skill `rand-0-9` has the rest.")));
    assert_eq!(text(AgentId::Gemini), Some(format!("{digest}`symposium crate rand` prints the rest.")));
    assert_eq!(text(AgentId::Goose), None, "it shows no context");
    assert_eq!(text(AgentId::Kiro), None, "it shows no context");
}

#[test]
fn an_event_tells_as_much_as_fits() {
    let world = World::new();
    world.write("src/a.rs", "use json::Value; use rand::Rng;");
    let read = world.after("Read", json!({"file_path": "src/a.rs"}));
    let session = SessionState::default();
    assert_eq!(skills(world.guided(EditGuidance::Digest, None, &session, &read)), ["serde-json", "rand-0-9"]);
    assert_eq!(
        skills(world.guided(EditGuidance::Full, None, &session, &read)),
        ["serde-json", "json-extra", "rand-0-9"]
    );
    assert_eq!(world.guided(EditGuidance::Off, None, &session, &read), None);
}

#[test]
fn a_gate_refuses_new_text_that_names_a_crate_not_told_yet() {
    let world = World::new();
    let none = SessionState::default();
    let patch = "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-old\n+use rand::Rng;\n*** End Patch";
    for (tool, input, expected) in [
        ("Write", json!({"file_path": "src/a.rs", "content": "use rand::Rng;"}), vec!["rand-0-9"]),
        (
            "Edit",
            json!({"file_path": "src/a.rs", "old_string": "use rand::Rng;", "new_string": "use time::Date;"}),
            vec!["time"],
        ),
        ("Patch", json!({"patch": patch, "files": ["src/a.rs"]}), vec!["rand-0-9"]),
        ("Edit", json!({"file_path": "src/a.rs", "old_string": "a"}), vec![]),
        ("Read", json!({"file_path": "src/a.rs"}), vec![]),
        ("Write", json!({"content": "use rand::Rng;"}), vec![]),
    ] {
        let event = world.before(tool, input.clone());
        assert_eq!(skills(world.guided(EditGuidance::Gate, None, &none, &event)), expected, "{tool} {input}");
        assert_eq!(world.guided(EditGuidance::Gate, Some(AgentId::Goose), &none, &event), None);
        assert_eq!(world.guided(EditGuidance::Digest, None, &none, &event), None);
    }
}

#[test]
fn broken_plans_tell_nothing() {
    let world = World::new();
    world.write("src/a.rs", "use rand::Rng;");
    let read = world.after("Read", json!({"file_path": "src/a.rs"}));
    let session = SessionState::default();
    world.write("plans/digests", "");
    assert_eq!(world.guided(EditGuidance::Digest, None, &session, &read), None);
    world.write("plans/guidance", b"P \xff\n");
    assert_eq!(world.guided(EditGuidance::Digest, None, &session, &read), None);
}
