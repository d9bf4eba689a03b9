//! Tables of tool calls and the guidance they bring, over real files.

use serde_json::{Value, json};
use symposium_model::hook::guidance_plan::{GuidedCrate, GuidedPackage, SkillDigest, print_digests, print_packages};
use symposium_model::hook::hook_plan::SkillAgents;
use symposium_model::hook::{ToolResult, ToolUse};

use super::*;
use crate::plan_loader::GuidanceDraft;

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
        let holders = SkillAgents { agents: vec![AgentId::Claude], lacking: Vec::new() };
        let plan = GuidancePlan { mode, holders };
        let plans = self.root.path().join("plans");
        let guide = FileGuide { plan: &plan, plans: &plans, workspace: self.root.path(), agent, session };
        guide.advise(input).or_else(|| guide.refuse(input, &|_| None))
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
    world.write("src/b.rs", "use json::Value;");
    let read = world.after("Read", json!({"file_path": "src/b.rs"}));
    let loaded = SessionState { skills: names(&["serde-json"]), ..SessionState::default() };
    assert_eq!(
        skills(world.guided(EditGuidance::Digest, None, &loaded, &read)),
        ["json-extra"],
        "the other was loaded"
    );
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
    let event = world.before("Write", json!({"file_path": "src/a.rs", "content": "use json::X; use time::Y;"}));
    let first = world.guided(EditGuidance::Gate, None, &none, &event).unwrap();
    assert_eq!(first.skills, ["serde-json", "time"], "the other skill for json does not fit");
    let told = SessionState { digests: first.skills, told: first.refused, ..none };
    assert_eq!(world.guided(EditGuidance::Gate, None, &told, &event), None, "the second attempt passes");
}

#[test]
fn a_gate_looks_at_the_lines_that_come_into_each_file() {
    let world = World::new();
    let none = SessionState::default();
    world.write("src/shadowed.rs", "use std::time;\nmod rand;\n\nfn f() {}\n");
    world.write("src/plain.rs", "use time::Date;\n\nfn f() {}\n");
    world.write("src/binary.rs", b"use std::time;\xff\xfe");
    let patch = |body: &str| format!("*** Begin Patch\n{body}\n*** End Patch");
    let context = patch("*** Update File: src/a.rs\n@@\n use rand::Rng;\n-old\n+use time::Date;");
    let ends = patch(
        "*** Update File: src/lib.rs\n@@\n-old\n+use rand::Rng;\n*** Update File: a/src/lib.rs\n@@\n-old\n+time::now();",
    );
    let twice = patch("*** Update File: src/a.rs\n@@\n-a\n+rand::x();\n*** Update File: src/a.rs\n@@\n-b\n+time::x();");
    let edit = |file: &str, new: &str| json!({"file_path": file, "old_string": "x", "new_string": new});
    let absolute = world.root.path().join("a/src/lib.rs");
    for (tool, input, expected) in [
        ("Patch", json!({"patch": context, "files": ["src/a.rs"]}), vec!["time"]),
        ("Patch", json!({"patch": ends, "files": ["a/src/lib.rs"]}), vec!["time"]),
        ("Patch", json!({"patch": ends, "files": [absolute]}), vec!["time"]),
        ("Patch", json!({"patch": ends, "files": ["src/lib.rs"]}), vec!["rand-0-9"]),
        ("Patch", json!({"patch": ends, "files": ["./src/lib.rs"]}), vec!["rand-0-9"]),
        ("Patch", json!({"patch": twice, "files": ["src/a.rs"]}), vec!["rand-0-9", "time"]),
        ("Edit", edit("src/shadowed.rs", "time::Instant::now(); rand::x();"), vec![]),
        ("Edit", edit("src/shadowed.rs", "::time::now();"), vec!["time"]),
        ("Edit", edit("src/plain.rs", "time::now();"), vec!["time"]),
        ("Edit", edit("src/plain.rs", "f();"), vec![]),
        ("Edit", edit("src/binary.rs", "time::now();"), vec!["time"]),
        ("Write", json!({"file_path": "src/shadowed.rs", "content": "time::now();"}), vec!["time"]),
        (
            "Edit",
            json!({"file_path": "src/plain.rs", "edits": [
                {"old_string": "a", "new_string": "rand::x();"}, {"old_string": "b", "new_string": "time::y();"}, 7
            ]}),
            vec!["rand-0-9", "time"],
        ),
    ] {
        let event = world.before(tool, input.clone());
        assert_eq!(skills(world.guided(EditGuidance::Gate, None, &none, &event)), expected, "{tool} {input}");
    }
}

#[test]
fn only_requests_that_the_plan_does_not_fulfil_are_drafted_and_each_once() {
    let world = World::new();
    world.write("Cargo.toml", "[package]\nname = \"a\"\n\n[dependencies]\n");
    let digest = |skill: &str| SkillDigest { skill: skill.to_owned(), text: "New.".to_owned() };
    let directory = world.root.path().to_str().unwrap().to_owned();
    let krate = |name: &str, version: &str| GuidedCrate {
        code_name: name.to_owned(),
        name: name.to_owned(),
        version: version.to_owned(),
        skills: vec![format!("new-{name}")],
    };
    let crates = vec![krate("new", "2.0.0"), krate("rand", "3.0.0")];
    let draft = GuidanceDraft {
        guidance: print_packages(&[GuidedPackage { directory, crates }]),
        digests: print_digests(&[digest("new-new"), digest("new-rand")]),
    };
    let plan =
        GuidancePlan { mode: EditGuidance::Gate, holders: SkillAgents { agents: Vec::new(), lacking: Vec::new() } };
    let plans = world.root.path().join("plans");
    let run = |session: &SessionState, new: &str| {
        let drafted = std::cell::RefCell::new(Vec::new());
        let lookup = |new: &[CrateRequest]| {
            drafted.borrow_mut().extend(new.iter().map(|request| request.package.clone()));
            Some(draft.clone())
        };
        let input = json!({"file_path": "Cargo.toml", "old_string": "[dependencies]", "new_string": format!("[dependencies]\n{new}")});
        let event = world.before("Edit", input);
        let guide = FileGuide { plan: &plan, plans: &plans, workspace: world.root.path(), agent: None, session };
        let advice = guide.refuse(&event, &lookup);
        (drafted.into_inner(), advice)
    };
    for (new, drafted, expected) in [
        ("new = \"2\"", vec!["new"], vec!["new-new"]),
        ("new = \"2\"\nother_one = \"1\"", vec!["new", "other_one"], vec!["new-new"]),
        ("rand = \"1.2\"", vec![], vec!["rand-0-9"]),
        ("rand = \"3\"", vec!["rand"], vec!["new-rand"]),
        ("rand = \"4\"", vec!["rand"], vec![]),
        ("new = { workspace = true }", vec![], vec![]),
        ("rand.workspace = true", vec![], vec!["rand-0-9"]),
        ("new = { path = \"../new\", version = \"2\" }", vec![], vec![]),
        ("new = { git = \"https://example.org/new\" }", vec![], vec![]),
        ("new = { version = \"2\", registry = \"own\" }", vec![], vec![]),
    ] {
        let (asked, advice) = run(&SessionState::default(), new);
        assert_eq!(asked, drafted, "{new}");
        let refused = advice.as_ref().map(|advice| advice.refused.clone()).unwrap_or_default();
        assert_eq!(skills(advice), expected, "{new}");
        if !refused.is_empty() {
            let told = SessionState { told: refused, ..SessionState::default() };
            assert_eq!(run(&told, new), (Vec::new(), None), "the second attempt: {new}");
        }
    }
}

#[test]
fn a_gate_refuses_a_manifest_that_names_a_dependency_not_told_yet() {
    let world = World::new();
    let none = SessionState::default();
    world.write("Cargo.toml", "[package]\nname = \"a\"\n\n[dependencies]\ntime = \"1\"\n");
    let whole = "[package]\nname = \"a\"\n\n[dependencies]\ntime = \"1\"\nrand = \"1\"\n";
    let patch = "*** Begin Patch\n*** Update File: Cargo.toml\n@@\n time = \"1\"\n+rand = \"1\"\n*** End Patch";
    let edit = |old: &str, new: &str| json!({"file_path": "Cargo.toml", "old_string": old, "new_string": new});
    for (tool, input, expected) in [
        ("Write", json!({"file_path": "Cargo.toml", "content": whole}), vec!["time", "rand-0-9"]),
        ("Edit", edit("time = \"1\"", "json = { package = \"serde_json\", version = \"1\" }"), vec!["serde-json"]),
        ("Patch", json!({"patch": patch, "files": ["Cargo.toml"]}), vec!["rand-0-9"]),
        ("Edit", edit("[package]", "[package]\nrand = 1"), vec![]),
        ("Edit", edit("not there", "rand = \"1\""), vec![]),
        ("Edit", edit("[dependencies]", "[dependencies\nrand = \"1\""), vec![]),
        ("Edit", edit("time = \"1\"", "unknown = \"1\""), vec![]),
        ("Read", json!({"file_path": "Cargo.toml"}), vec![]),
        ("Bash", json!({"command": "cat Cargo.toml"}), vec![]),
    ] {
        let event = world.before(tool, input.clone());
        assert_eq!(skills(world.guided(EditGuidance::Gate, None, &none, &event)), expected, "{tool} {input}");
        assert_eq!(world.guided(EditGuidance::Digest, None, &none, &event), None);
        let told = world.guided(EditGuidance::Gate, None, &none, &event).map(|advice| advice.refused);
        let told = SessionState { told: told.unwrap_or_default(), ..none.clone() };
        assert_eq!(world.guided(EditGuidance::Gate, None, &told, &event), None, "the second attempt: {tool} {input}");
    }
}

#[test]
fn a_file_that_a_shell_command_prints_is_read() {
    let world = World::new();
    world.write("src/a.rs", "use rand::Rng;");
    let none = SessionState::default();
    for (command, is_told) in [
        ("cat src/a.rs", true),
        ("sed -n '1,200p' 'src/a.rs'", true),
        ("ls && /usr/bin/head -20 src/a.rs", true),
        ("nl -ba src/a.rs | sed -n 1,5p", true),
        ("rm src/a.rs", false),
        ("rustfmt src/a.rs | cat", false),
        ("cat", false),
        ("cat src/*.rs", false),
        ("cat src/missing.rs", false),
        ("cat src/a.rs; cd sub", true),
        ("cd sub && cat src/a.rs", false),
        ("(cd sub; cat src/a.rs)", false),
        ("ls; pushd sub; ls; cat src/a.rs", false),
        ("", false),
    ] {
        let event = world.after("Bash", json!({"command": command}));
        let told = skills(world.guided(EditGuidance::Digest, None, &none, &event));
        assert_eq!(!told.is_empty(), is_told, "{command}");
    }
}

#[test]
fn odd_calls_tell_nothing_and_stop_nothing() {
    let world = World::new();
    world.write("src/a.rs", "use rand::Rng;");
    let none = SessionState::default();
    for (tool, input) in [
        ("Read", json!({})),
        ("Read", json!({"file_path": null})),
        ("Edit", json!({"file_path": ["src/a.rs"]})),
        ("Edit", json!({"file_path": "", "old_string": 1, "new_string": {}})),
        ("Write", json!({"content": "use rand::Rng;"})),
        ("Read", json!({"file_path": "src/\u{0}.rs"})),
        ("Patch", json!({"patch": 7, "files": "src/a.rs"})),
        ("Patch", json!({"files": [1, null]})),
        ("Bash", json!({"command": ["cat", "src/a.rs"]})),
    ] {
        let after = world.after(tool, input.clone());
        assert_eq!(world.guided(EditGuidance::Digest, None, &none, &after), None, "{tool} {input}");
        let before = world.before(tool, input.clone());
        assert_eq!(world.guided(EditGuidance::Gate, None, &none, &before), None, "{tool} {input}");
    }
}

#[test]
fn of_a_patch_the_first_ten_files_are_looked_at() {
    let world = World::new();
    let names: Vec<String> = (0..12).map(|number| format!("src/f{number:02}.rs")).collect();
    for (number, name) in names.iter().enumerate() {
        world.write(
            name,
            match number {
                9 => "use rand::Rng;",
                10 => "use time::Date;",
                _ => "fn f() {}",
            },
        );
    }
    let event = world.after("Patch", json!({"patch": "x", "files": names}));
    assert_eq!(skills(world.guided(EditGuidance::Digest, None, &SessionState::default(), &event)), ["rand-0-9"]);
}

#[cfg(unix)]
#[test]
#[expect(clippy::disallowed_methods, reason = "odd files of the test")]
fn odd_files_tell_nothing() {
    let world = World::new();
    let at = |name: &str| world.root.path().join("src").join(name);
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::write(elsewhere.path().join("real.rs"), "use rand::Rng;").unwrap();
    world.write("src/real.rs", "use rand::Rng;");
    world.write("src/utf16.rs", b"\xff\xfeu\0s\0e\0");
    world.write("src/latin.rs", b"// caf\xe9\nuse rand::Rng;\n");
    world.write("src/binary.rs", [b"use rand::Rng;".as_slice(), &[0, 159, 146, 150]].concat());
    world.write("src/late.rs", format!("{}use rand::Rng;", "// x\n".repeat(60_000)));
    world.write("src/huge.rs", format!("use rand::Rng;\n{}", "// é\n".repeat(200_000)));
    world.write("src/closed.rs", "use rand::Rng;");
    std::fs::set_permissions(at("closed.rs"), std::os::unix::fs::PermissionsExt::from_mode(0o000)).unwrap();
    std::fs::create_dir(at("folder.rs")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe.rs"), 0o600.into()).unwrap();
    for (name, target) in [("dangling.rs", "nowhere.rs"), ("loop.rs", "loop.rs"), ("link.rs", "real.rs")] {
        std::os::unix::fs::symlink(target, at(name)).unwrap();
    }
    std::os::unix::fs::symlink(elsewhere.path().join("real.rs"), at("out.rs")).unwrap();
    let none = SessionState::default();
    for (name, is_told) in [
        ("real.rs", true),
        ("link.rs", true),
        // A link is read like any file that the agent reads; its crates are those of the package it is in.
        ("out.rs", true),
        ("huge.rs", true),
        // The superuser reads everything.
        ("closed.rs", std::fs::read(at("closed.rs")).is_ok()),
        ("utf16.rs", false),
        ("latin.rs", false),
        ("binary.rs", false),
        ("late.rs", false),
        ("folder.rs", false),
        ("pipe.rs", false),
        ("dangling.rs", false),
        ("loop.rs", false),
    ] {
        for tool in ["Read", "Edit"] {
            let event = world.after(tool, json!({"file_path": format!("src/{name}")}));
            let told = skills(world.guided(EditGuidance::Digest, None, &none, &event));
            assert_eq!(!told.is_empty(), is_told, "{tool} {name}");
        }
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
