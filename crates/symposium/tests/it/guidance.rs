//! Guidance that reaches the model by itself: the index at session start, digests at the file, the gate.

use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::crate_plugins::{depends_on, put, unpacked};
use crate::with_fixture;

const SKILL: &str = "---\nname: serde-notes\ndescription: Notes on serde\ncrates: serde\ndigest: |\n  `rename_all` is case by case.\n  Second line.\n---\nBody of the notes.\n";

fn world() -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/serde-notes/SKILL.md", SKILL);
    context.write_config("config.toml", "[defaults]\nbuiltin = false\nsymposium-recommendations = false\n");
    context.write("src/lib.rs", "use serde::Serialize;\n");
    context
}

fn context_of(context: &TestContext, agent: &str, event: &str, payload: &Value) -> String {
    let output = context.invoke_hook(agent, event, &payload.to_string()).expect(0);
    let answer: Value = serde_json::from_str(&output).unwrap_or_default();
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
}

fn read(context: &TestContext, session: &str, more: &Value) -> Value {
    let file = context.workspace().join("src/lib.rs");
    let mut payload = json!({
        "session_id": session, "cwd": context.workspace(), "hook_event_name": "PostToolUse",
        "tool_name": "Read", "tool_input": {"file_path": file}, "tool_response": {"type": "text"},
    });
    for (key, value) in more.as_object().into_iter().flatten() {
        payload[key] = value.clone();
    }
    payload
}

#[test]
fn the_index_is_in_the_text_of_a_session() {
    let context = world();
    let start = |source: &str| json!({"session_id": "s", "cwd": context.workspace(), "source": source});
    let told = context_of(&context, "claude", "session-start", &start("startup"));
    assert!(told.contains("\n- serde 1.0.219: `rename_all` is case by case."), "{told}");
    let resumed = context_of(&context, "claude", "session-start", &start("resume"));
    assert!(!resumed.contains("rename_all"), "{resumed}");
    context.write_config("config.toml", "[guidance]\nindex-bytes = 0\n");
    let off = context_of(&context, "claude", "session-start", &start("startup"));
    assert!(off.contains("symposium start") && !off.contains("rename_all"), "{off}");
}

#[test]
fn a_digest_is_told_at_the_file_once_in_each_session_and_sub_agent() {
    let context = world();
    let told =
        |session: &str, more: Value| context_of(&context, "claude", "post-tool-use", &read(&context, session, &more));
    let digest = "serde 1.0.219: `rename_all` is case by case.\nSecond line.\n`symposium crate serde` prints the rest.";
    assert_eq!(told("s", json!({})), digest);
    assert_eq!(told("s", json!({})), "", "it was told");
    assert_eq!(told("other", json!({})), digest);
    assert_eq!(told("s", json!({"agent_id": "a1"})), digest, "a sub-agent has a context of its own");
    assert_eq!(told("s", json!({"agent_id": "a1"})), "");
    let cleared = json!({"session_id": "s", "cwd": context.workspace(), "source": "clear"});
    context_of(&context, "claude", "session-start", &cleared);
    assert_eq!(told("s", json!({})), digest, "the model forgot it");
}

#[test]
fn a_skill_that_was_loaded_is_not_told() {
    let context = world();
    let skill = json!({"tool_name": "Skill", "tool_input": {"skill": "serde-notes"}});
    assert_eq!(context_of(&context, "claude", "post-tool-use", &read(&context, "s", &skill)), "");
    assert_eq!(context_of(&context, "claude", "post-tool-use", &read(&context, "s", &json!({}))), "");
}

#[test]
fn other_files_and_settings_tell_nothing() {
    let context = world();
    let file = |path: &str| json!({"tool_input": {"file_path": context.workspace().join(path)}});
    context.write("src/other.rs", "// serde::X\nfn main() {}\n");
    context.write("notes.md", "use serde::Serialize;\n");
    for path in ["src/other.rs", "notes.md", "src/missing.rs", "src"] {
        assert_eq!(context_of(&context, "claude", "post-tool-use", &read(&context, "s", &file(path))), "", "{path}");
    }
    context.write_config("config.toml", "[guidance]\nat-edit = \"off\"\n");
    assert_eq!(context_of(&context, "claude", "post-tool-use", &read(&context, "s", &json!({}))), "");
}

#[test]
fn the_whole_text_is_told_where_the_user_wants_it() {
    let context = world();
    context.write_config("plugins/serde-notes/SKILL.md", SKILL.replace("digest:", "activation: always\ndigest:"));
    context.write_config("config.toml", "[guidance]\nat-edit = \"full\"\n");
    let told = context_of(&context, "claude", "post-tool-use", &read(&context, "s", &json!({})));
    assert!(told.contains("Body of the notes."), "{told}");
}

#[test]
fn a_gate_refuses_the_first_edit_and_lets_the_second_pass() {
    let context = world();
    context.write_config("config.toml", "[guidance]\nat-edit = \"gate\"\n");
    let edit = json!({
        "session_id": "s", "cwd": context.workspace(), "hook_event_name": "PreToolUse", "tool_name": "Edit",
        "tool_input": {"file_path": context.workspace().join("src/lib.rs"), "old_string": "x", "new_string": "serde::y()"},
    });
    let decision = |payload: &Value| {
        let output = context.invoke_hook("claude", "pre-tool-use", &payload.to_string()).expect(0);
        let answer: Value = serde_json::from_str(&output).unwrap_or_default();
        answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().map(str::to_owned)
    };
    let reason = decision(&edit).unwrap();
    assert!(reason.contains("rename_all") && reason.ends_with("Read this, then repeat the edit."), "{reason}");
    assert_eq!(decision(&edit), None, "the second attempt passes");
    let goose = json!({"event": "PreToolUse", "session_id": "g", "tool_name": "developer__text_editor", "tool_input": edit["tool_input"], "cwd": context.workspace()});
    let output = context.invoke_hook("goose", "pre-tool-use", &goose.to_string()).expect(0);
    assert!(!output.contains("block"), "{output}");
}

#[test]
fn a_new_sub_agent_gets_the_index() {
    let context = world();
    context.write_config(
        "config.toml",
        "[agent]\nname = [\"claude\", \"codex\", \"copilot\", \"gemini\"]\n[defaults]\nbuiltin = false\nsymposium-recommendations = false\n",
    );
    let answer = |agent: &str, event: &str| {
        let payload = json!({
            "session_id": "s", "cwd": context.workspace(), "agent_id": "a1", "agent_type": "general-purpose",
            "hook_event_name": event, "transcript_path": "/t",
        });
        let output = context.invoke_hook(agent, event, &payload.to_string()).expect(0);
        serde_json::from_str::<Value>(&output).unwrap_or_default()
    };
    let index = "The dependencies with guidance:\n- serde 1.0.219: `rename_all` is case by case.";
    let nested = json!({"hookSpecificOutput": {"hookEventName": "SubagentStart", "additionalContext": index}});
    assert_eq!(answer("claude", "SubagentStart"), nested);
    assert_eq!(answer("codex", "SubagentStart"), nested);
    assert_eq!(answer("copilot", "subagentStart"), json!({"additionalContext": index}));
    assert_eq!(answer("claude", "SubagentStop"), Value::Null);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n[guidance]\nindex-bytes = 0\n");
    assert_eq!(answer("claude", "SubagentStart"), Value::Null, "there is no index");
}

/// A skill for each of these crates, with its name as the digest.
fn skills_for(context: &TestContext, crates: &[&str]) {
    context.write_config("config.toml", "[defaults]\nbuiltin = false\nsymposium-recommendations = false\n");
    for krate in crates {
        let name: String = krate.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        let about = format!("name: about-{name}\ndescription: D\ncrates: {krate:?}\ndigest: Digest of {name}");
        let skill = format!("---\n{about}\n---\nB\n");
        context.write_config(&format!("plugins/about-{name}/SKILL.md"), skill);
    }
}

fn told_for(context: &TestContext, file: &str, text: &str) -> Vec<String> {
    context.write(file, text);
    let session = format!("{file}{text}");
    let edit = json!({"tool_name": "Edit", "tool_input": {"file_path": context.workspace().join(file)}});
    let told = context_of(context, "claude", "post-tool-use", &read(context, &session, &edit));
    told.lines().filter(|line| line.contains("Digest of")).map(str::to_owned).collect()
}

#[test]
fn a_crate_is_known_by_the_name_that_code_uses() {
    let context = with_fixture(&[]);
    depends_on(&context, &["renamed 1.0.0"]);
    let manifest = std::fs::read_to_string(context.workspace().join("Cargo.toml")).unwrap();
    context.write("Cargo.toml", format!("{manifest}md-5 = \"0.10\"\nplain-name = \"1\"\n"));
    let lock = std::fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap();
    let source = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    let more = "[[package]]\nname = \"md-5\"\nversion = \"0.10.6\"\nSOURCE\n\n[[package]]\nname = \"plain-name\"\nversion = \"1.0.0\"\nSOURCE\n";
    let lock = lock.replace("\"renamed 1.0.0\", ", "\"renamed 1.0.0\", \"md-5\", \"plain-name\"");
    context.write("Cargo.lock", format!("{lock}\n{}", more.replace("SOURCE", source)));
    let library = "[package]\nname = \"md-5\"\nversion = \"0.10.6\"\n\n[lib]\nname = \"md5\"\n";
    put(&unpacked(&context, "md-5-0.10.6").join("Cargo.toml"), library);
    skills_for(&context, &["md-5", "renamed", "plain-name"]);
    for (text, told) in [
        ("use md5::Digest;", vec!["md-5 0.10.6: Digest of md-5"]),
        ("use md_5::Digest;", vec![]),
        ("use dep0::x;", vec!["renamed 1.0.0: Digest of renamed"]),
        ("use renamed::x;", vec![]),
        ("plain_name::x();", vec!["plain-name 1.0.0: Digest of plain-name"]),
    ] {
        assert_eq!(told_for(&context, "src/lib.rs", text), told, "{text}");
    }
}

#[test]
fn of_two_versions_the_one_that_the_package_uses_counts() {
    let context = with_fixture(&["rand-twice"]);
    skills_for(&context, &["rand"]);
    let text = "use rand::Rng;\n";
    assert_eq!(told_for(&context, "app/src/lib.rs", text), ["rand 0.9.1: Digest of rand"]);
    assert_eq!(told_for(&context, "tool/src/main.rs", "use old_rand::Rng;\n"), ["rand 0.8.5: Digest of rand"]);
    assert_eq!(told_for(&context, "build.rs", text), Vec::<String>::new(), "no package has the file");
}

#[test]
fn a_project_refuses_no_edit_of_a_user_who_chose_otherwise() {
    let edit = |context: &TestContext| {
        let input =
            json!({"file_path": context.workspace().join("src/lib.rs"), "old_string": "x", "new_string": "serde::y()"});
        let payload = json!({"session_id": "s", "cwd": context.workspace(), "hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": input});
        context.invoke_hook("claude", "pre-tool-use", &payload.to_string()).expect(0)
    };
    let defaults = "[defaults]\nbuiltin = false\nsymposium-recommendations = false\n";
    for (user, project, refused) in [
        ("", "at-edit = \"gate\"", true),
        ("at-edit = \"digest\"", "at-edit = \"gate\"", false),
        ("at-edit = \"gate\"", "", true),
        ("at-edit = \"gate\"", "at-edit = \"digest\"", false),
    ] {
        let context = world();
        context.write_config("config.toml", format!("{defaults}[guidance]\n{user}\n"));
        context.write(".symposium/config.toml", format!("[guidance]\n{project}\n"));
        assert_eq!(edit(&context).contains("repeat the edit"), refused, "{user} {project}");
    }
}

#[test]
fn a_dependency_that_comes_into_a_manifest_is_told_at_its_lowest_version() {
    let context = with_fixture(&["rand-twice"]);
    skills_for(&context, &["rand", "added>=1.2", "moved<1.0"]);
    let edit = |file: &str, session: &str, new: &str| {
        let manifest = std::fs::read_to_string(context.workspace().join(file)).unwrap();
        let changed = if manifest.contains(new) {
            manifest
        } else {
            manifest.replace("[dependencies]\n", &format!("[dependencies]\n{new}\n"))
        };
        context.write(file, changed);
        let input = json!({"file_path": context.workspace().join(file), "old_string": "x", "new_string": new});
        let payload = read(&context, session, &json!({"tool_name": "Edit", "tool_input": input}));
        let told = context_of(&context, "claude", "post-tool-use", &payload);
        told.lines().filter(|line| line.contains("Digest of")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(edit("app/Cargo.toml", "a", "rand = \"0.9\""), ["rand 0.9.1: Digest of rand"], "it is locked");
    assert_eq!(edit("app/Cargo.toml", "a", "added = \"1.3\""), ["added 1.3.0: Digest of added"]);
    assert_eq!(edit("app/Cargo.toml", "a", "added = \"1.3\""), Vec::<String>::new(), "it was told");
    assert_eq!(edit("app/Cargo.toml", "a", "moved = \"1\""), Vec::<String>::new(), "no skill is for that version");
    assert_eq!(edit("app/Cargo.toml", "a", "[features]\nrand = []"), Vec::<String>::new(), "no dependency");
}

const ERROR: &str = "Exit code 101\nerror[E0432]: unresolved import `serde::Serialise`\n --> src/lib.rs:1:5\n  |\n1 | use serde::Serialise;\n  |     ^^^^^^^^^^^^^^^^ no `Serialise` in the root\n";

#[test]
fn an_error_of_the_compiler_brings_the_digest_once_for_each_name() {
    let context = world();
    let digest = "serde 1.0.219: `rename_all` is case by case.\nSecond line.\n`symposium crate serde` prints the rest.";
    let failed = |session: &str, output: &str| {
        let payload = json!({
            "session_id": session, "cwd": context.workspace(), "hook_event_name": "PostToolUseFailure",
            "tool_name": "Bash", "tool_input": {"command": "cargo check"}, "error": output,
        });
        context_of(&context, "claude", "post-tool-use-failure", &payload)
    };
    assert_eq!(failed("s", ERROR), digest);
    assert_eq!(failed("s", ERROR), "", "it was told");
    assert_eq!(failed("s", &ERROR.replace("Serialise", "Deserialise")), digest, "another name");
    assert_eq!(failed("other", ERROR), digest);
    assert_eq!(failed("s", &ERROR.replace("serde", "unknown_crate")), "");
    assert_eq!(failed("s", "Exit code 1\nno such file"), "");
    let codex = json!({
        "session_id": "c", "cwd": context.workspace(), "hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_input": {"command": "cargo check"}, "tool_response": ERROR,
    });
    assert_eq!(context_of(&context, "codex", "post-tool-use", &codex), digest);
    let read_later = context_of(&context, "claude", "post-tool-use", &read(&context, "s", &json!({})));
    assert_eq!(read_later, digest, "at a file it is told all the same");
}

/// The reason for which an edit is refused; empty if it is carried out.
fn refusal(context: &TestContext, session: &str, file: &str, old: &str, new: &str) -> String {
    let input = json!({"file_path": context.workspace().join(file), "old_string": old, "new_string": new});
    let payload = json!({
        "session_id": session, "cwd": context.workspace(), "hook_event_name": "PreToolUse", "tool_name": "Edit",
        "tool_input": input,
    });
    let output = context.invoke_hook("claude", "pre-tool-use", &payload.to_string()).expect(0);
    let answer: Value = serde_json::from_str(&output).unwrap_or_default();
    answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_gate_refuses_a_new_dependency_with_a_skill_once() {
    let context = with_fixture(&["rand-twice"]);
    skills_for(&context, &["rand", "added>=1.2", "moved<1.0"]);
    let defaults = "[defaults]\nbuiltin = false\nsymposium-recommendations = false\n";
    context.write_config("config.toml", format!("{defaults}[guidance]\nat-edit = \"gate\"\n"));
    let add = |session: &str, new: &str| {
        refusal(&context, session, "app/Cargo.toml", "[dependencies]", &format!("[dependencies]\n{new}"))
    };
    let before = std::fs::read_to_string(context.workspace().join("app/Cargo.toml")).unwrap();
    let reason = add("s", "added = \"1.3\"");
    assert!(reason.starts_with("added 1.3.0: Digest of added\n"), "{reason}");
    assert!(reason.ends_with("Read this, then repeat the edit."), "{reason}");
    assert_eq!(add("s", "added = \"1.3\""), "", "the second attempt passes");
    assert_eq!(add("t", "moved = \"1\""), "", "no skill is for that version");
    assert_eq!(add("t", "unknown = \"1\""), "");
    assert_eq!(add("t", "added = \"1.0\""), "", "no skill is for that version");
    assert!(add("t", "added = { version = \"1.2\", features = [\"x\"] }").contains("added 1.2.0: Digest of added"));
    let known = |session: &str, version: &str| {
        let new = format!("[dependencies]\nrand = \"{version}\"");
        let reason = refusal(&context, session, "tool/Cargo.toml", "[dependencies]", &new);
        reason.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(known("u", "0.9"), "rand 0.9.1: Digest of rand", "another package has it");
    assert_eq!(known("w", "0.7"), "rand 0.7.0: Digest of rand", "no package has it");
    assert_eq!(refusal(&context, "v", "app/Cargo.toml", "not there", "added = \"1.3\""), "", "the tool says that");
    let after = std::fs::read_to_string(context.workspace().join("app/Cargo.toml")).unwrap();
    assert_eq!(before, after);
    let alone = with_fixture(&["workspace0"]);
    skills_for(&alone, &["added"]);
    alone.write_config("config.toml", format!("{defaults}[guidance]\nat-edit = \"gate\"\n"));
    let first = refusal(&alone, "s", "Cargo.toml", "[dependencies]", "[dependencies]\nadded = \"1\"");
    assert!(first.contains("Digest of added"), "no other dependency has guidance: {first}");
}

#[test]
fn a_stale_plan_is_made_anew_before_anything_is_told() {
    let context = world();
    let told = |session: &str| context_of(&context, "claude", "post-tool-use", &read(&context, session, &json!({})));
    assert!(told("a").starts_with("serde 1.0.219: `rename_all`"));
    context.write_config("plugins/serde-notes/SKILL.md", SKILL.replace("case by case", "not for enums"));
    assert!(told("b").starts_with("serde 1.0.219: `rename_all` is not for enums"), "{}", told("c"));
    let lock = std::fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap();
    context.write("Cargo.lock", lock.replace("1.0.219", "1.0.228"));
    // A changed lockfile makes no tool wait; a session that starts follows it.
    assert!(told("d").starts_with("serde 1.0.219: "), "{}", told("e"));
    let start = json!({"session_id": "i", "cwd": context.workspace(), "source": "startup"});
    context_of(&context, "claude", "session-start", &start);
    assert!(told("i").starts_with("serde 1.0.228: "), "{}", told("j"));
    let manifest = std::fs::read_to_string(context.workspace().join("Cargo.toml")).unwrap();
    context.write("Cargo.toml", "[package\nname = ");
    context.write("Cargo.lock", "broken");
    told("f");
    context.write("Cargo.toml", manifest);
    context.write("Cargo.lock", lock);
    assert!(told("g").starts_with("serde 1.0.219: "), "{}", told("h"));
}

/// The files in which sessions of Claude Code are remembered.
fn session_files(context: &TestContext) -> Vec<std::path::PathBuf> {
    let files = std::fs::read_dir(context.config_dir().join("sessions")).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|file| file.file_name().unwrap().to_str().unwrap().starts_with("claude-")).collect()
}

#[test]
fn a_broken_session_file_is_no_reason_to_fail() {
    let context = world();
    let told = |session: &str| context_of(&context, "claude", "post-tool-use", &read(&context, session, &json!({})));
    assert_ne!(told("s"), "");
    let [file] = session_files(&context).try_into().unwrap();
    for bytes in [b"d\nd \n\xff\xfe\0".as_slice(), b"", b"d other\nd serde-n"] {
        std::fs::write(&file, bytes).unwrap();
        assert_ne!(told("s"), "", "what it remembers is not about the skill");
        // The first line after an unfinished one is lost.
        told("s");
        assert_eq!(told("s"), "", "it goes on to remember");
    }
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    told("s");
    assert_ne!(told("other"), "");
    context.write_config("config.toml", "[guidance]\nat-edit = \"gate\"\n");
    let edit = |session: &str| refusal(&context, session, "src/lib.rs", "x", "serde::y()");
    assert_eq!(edit("s"), "", "what cannot be recorded is not refused");
    assert_ne!(edit("new"), "");
    assert_eq!(edit("new"), "", "the second attempt passes");
}

#[test]
fn agents_that_write_a_session_at_once_lose_nothing() {
    let context = with_fixture(&[]);
    let names: Vec<String> = (0..8).map(|number| format!("dep-{number}")).collect();
    let crates: Vec<String> = names.iter().map(|name| format!("{name} 1.0.0")).collect();
    depends_on(&context, &crates.iter().map(String::as_str).collect::<Vec<_>>());
    skills_for(&context, &names.iter().map(String::as_str).collect::<Vec<_>>());
    let manifest = std::fs::read_to_string(context.workspace().join("Cargo.toml")).unwrap();
    let used: Vec<&str> = manifest.lines().filter_map(|line| line.split_once(" = {").map(|(key, _)| key)).collect();
    assert_eq!(used.len(), names.len(), "{manifest}");
    for (number, key) in used.iter().enumerate() {
        context.write(&format!("src/f{number}.rs"), format!("use {}::X;\n", key.trim().replace('-', "_")));
    }
    let event = |number: usize| {
        let file = context.workspace().join(format!("src/f{number}.rs"));
        context_of(
            &context,
            "claude",
            "post-tool-use",
            &read(&context, "s", &json!({"tool_input": {"file_path": file}})),
        )
    };
    event(0);
    let told: Vec<String> = std::thread::scope(|scope| {
        let runs: Vec<_> = (1..8).map(|number| scope.spawn(move || event(number))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert!(told.iter().all(|told| told.contains("Digest of dep-")), "{told:?}");
    for number in 0..8 {
        assert_eq!(event(number), "", "it was told");
    }
}

#[test]
fn a_digest_with_hidden_text_is_not_told_and_a_long_one_is_cut() {
    let long = (0..1000).map(|number| format!("Sentence {number}.")).collect::<Vec<_>>().join(" ");
    for (digest, expected) in [
        // A skill with hidden text is not used at all.
        ("\"Before\\u202Eafter\\u200B it.\"", ""),
        ("\"Red \\e[31mtext\\x07 here.\"", ""),
        (&*format!("\"{long}\""), "Sentence 0. Sentence 1."),
    ] {
        let context = world();
        let skill = format!("---\nname: serde-notes\ndescription: N\ncrates: serde\ndigest: {digest}\n---\nBody.\n");
        context.write_config("plugins/serde-notes/SKILL.md", skill);
        let told = context_of(&context, "claude", "post-tool-use", &read(&context, "s", &json!({})));
        let plain =
            |c: char| c == '\n' || !(c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'));
        assert!(told.chars().all(plain), "{told:?}");
        assert!(told.len() < 800, "{}", told.len());
        let start = json!({"session_id": "s", "cwd": context.workspace(), "source": "startup"});
        let index = context_of(&context, "claude", "session-start", &start);
        assert!(index.chars().all(plain) && index.len() < 4000, "{index:?}");
        assert!(told.contains(expected) && told.is_empty() == expected.is_empty(), "{told:?}");
    }
}
