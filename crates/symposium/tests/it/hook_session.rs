//! What `symposium hook` says and remembers over a session.

use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::with_fixture;

fn context_of(output: symposium_testkit::Output) -> String {
    let said = output.expect(0);
    if said.is_empty() {
        return String::new();
    }
    let said: Value = serde_json::from_str(&said).unwrap();
    said["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
}

fn start(context: &TestContext, session: &str, source: &str) -> String {
    let event = json!({"session_id": session, "transcript_path": "/t", "cwd": context.workspace(), "source": source});
    context_of(context.invoke_hook("claude", "session-start", &event.to_string()))
}

fn prompt(context: &TestContext, session: &str, text: &str) -> String {
    let event = json!({"session_id": session, "transcript_path": "/t", "permission_mode": "default", "cwd": context.workspace(), "prompt": text});
    context_of(context.invoke_hook("claude", "user-prompt-submit", &event.to_string()))
}

fn used(context: &TestContext, session: &str, tool: &str, input: Value) {
    let event = json!({"session_id": session, "transcript_path": "/t", "permission_mode": "default", "cwd": context.workspace(),
        "tool_name": tool, "tool_input": input, "tool_response": {}});
    assert_eq!(context.invoke_hook("claude", "post-tool-use", &event.to_string()).expect(0), "");
}

#[test]
fn a_session_starts_with_what_plugins_say_and_a_pointer() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.write_config(
        "plugins/team/SYMPOSIUM.toml",
        "name = \"team\"\nsession-start-context = \"Ask before you \\u202eforce-push.\"\n",
    );
    context.invoke(&["sync"]).expect(0);
    for source in ["startup", "clear", "compact"] {
        let said = start(&context, "s", source);
        assert!(said.contains("Ask before you force-push."), "{source}: {said}");
        assert!(said.contains("`symposium start`") && said.contains("(skill serde)"), "{source}: {said}");
    }
    assert_eq!(start(&context, "s", "resume"), "");
    let sub_agent = json!({"session_id": "s", "transcript_path": "/t", "cwd": context.workspace(), "source": "startup", "agent_id": "a"});
    assert_eq!(context_of(context.invoke_hook("claude", "session-start", &sub_agent.to_string())), "");
}

#[test]
fn outside_a_workspace_only_plugins_speak() {
    let context = with_fixture(&[]);
    context.write_config("plugins/team/SYMPOSIUM.toml", "name = \"team\"\nsession-start-context = \"Be kind.\"\n");
    assert_eq!(start(&context, "s", "startup"), "Be kind.");
}

#[test]
fn prompts_are_reminded_of_skills_until_they_are_loaded() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[hooks]\nnudge-interval = 2\n");
    assert_eq!(prompt(&context, "s", "hello"), "");
    let first = prompt(&context, "s", "Add serde to the struct");
    assert!(first.contains("`serde`") && first.contains("symposium crate serde"), "{first}");
    assert_eq!(prompt(&context, "s", "more serde"), "", "too early");
    assert_ne!(prompt(&context, "s", "more serde"), "", "after two further prompts");
    assert_ne!(prompt(&context, "other", "serde"), "", "another session");
    used(&context, "s", "Skill", json!({"skill": "serde"}));
    for _ in 0..3 {
        assert_eq!(prompt(&context, "s", "serde"), "", "it was loaded");
    }
    used(&context, "other", "Bash", json!({"command": "symposium crate serde"}));
    prompt(&context, "other", "x");
    assert_eq!(prompt(&context, "other", "serde"), "", "its crate was loaded");
}

#[test]
fn a_session_too_long_to_be_followed_is_reminded_of_nothing() {
    let context = with_fixture(&["workspace0"]);
    assert_ne!(prompt(&context, "s", "Add serde to the struct"), "");
    let sessions = std::fs::read_dir(context.config_dir().join("sessions")).unwrap();
    let remembered = |path: &std::path::PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with("claude-");
    let session = sessions.map(|entry| entry.unwrap().path()).find(remembered).unwrap();
    std::fs::write(&session, "p\n".repeat(1024 * 1024)).unwrap();
    let size = || session.metadata().unwrap().len();
    let before = size();
    assert_eq!(prompt(&context, "s", "more serde"), "");
    assert_eq!(size(), before, "nor does it grow");
    assert_ne!(prompt(&context, "other", "serde"), "");
}

#[test]
fn what_moved_in_the_lock_file_is_said_once() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.invoke(&["sync"]).expect(0);
    start(&context, "a", "startup");
    let lock = std::fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap();
    let version = lock.split("name = \"serde\"\nversion = \"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    context.write(
        "Cargo.lock",
        lock.replace(&format!("name = \"serde\"\nversion = \"{version}\""), "name = \"serde\"\nversion = \"1.0.999\""),
    );
    let said = start(&context, "b", "resume");
    assert!(said.contains(&format!("`serde` changed from {version} to 1.0.999")), "{said}");
    assert!(!start(&context, "c", "startup").contains("changed from"));
}

#[test]
fn a_crate_that_moves_to_where_another_skill_applies_is_named_with_it() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n[defaults]\nbuiltin = false\n");
    for (name, atom) in [("serde-old", "serde<1.0.500"), ("serde-new", "serde>=1.0.500")] {
        let text = format!("---\nname: {name}\ndescription: d\ncrates: \"{atom}\"\n---\nx\n");
        context.write_config(&format!("plugins/{name}/SKILL.md"), text);
    }
    context.invoke(&["sync"]).expect(0);
    start(&context, "a", "startup");
    let lock = std::fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap();
    context.write("Cargo.lock", lock.replace("1.0.219", "1.0.600"));
    let said = start(&context, "b", "startup");
    let line = "`serde` changed from 1.0.219 to 1.0.600, where skill `serde-new` applies instead of `serde-old`";
    assert!(said.lines().any(|said| said.contains(line)), "{said}");
    assert!(context.workspace().join(".claude/skills/serde-new/SKILL.md").exists());
    assert!(!context.workspace().join(".claude/skills/serde-old").exists());
    assert!(!start(&context, "c", "startup").contains("moved from"));
}

#[test]
fn a_session_start_installs_what_a_changed_lock_file_asks_for() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.invoke(&["sync"]).expect(0);
    let skill = context.workspace().join(".claude/skills/anyhow/SKILL.md");
    assert!(!skill.exists());
    let manifest = std::fs::read_to_string(context.workspace().join("Cargo.toml")).unwrap();
    context.write("Cargo.toml", manifest.replace("[dependencies]\n", "[dependencies]\nanyhow = \"1\"\n"));
    let lock = std::fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap();
    let own = lock.replace("dependencies = [\n", "dependencies = [\n \"anyhow\",\n");
    context.write("Cargo.lock", format!("{own}\n[[package]]\nname = \"anyhow\"\nversion = \"1.0.90\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\nchecksum = \"{}\"\n", "0".repeat(64)));
    let event = json!({"session_id": "s", "transcript_path": "/t", "cwd": context.workspace(), "source": "startup"});
    let said = context.invoke_hook("claude", "session-start", &event.to_string()).expect(0);
    assert!(skill.exists(), "{said}");
    assert!(said.contains("\"reloadSkills\":true"), "{said}");
    let again = context.invoke_hook("claude", "session-start", &event.to_string()).expect(0);
    assert!(!again.contains("reloadSkills"), "{again}");
}

#[test]
fn a_workspace_nobody_set_up_is_left_as_it_is() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    let before = context.tree(context.workspace());
    let event = json!({"session_id": "s", "transcript_path": "/t", "cwd": context.workspace(), "source": "startup"});
    let said = context.invoke_hook("claude", "session-start", &event.to_string()).expect(0);
    let said: Value = serde_json::from_str(&said).unwrap();
    assert!(said["systemMessage"].as_str().unwrap().contains("`symposium sync`"), "it is offered: {said}");
    assert_eq!(context.tree(context.workspace()), before);
}

#[test]
fn a_changed_lock_file_is_followed_without_making_a_tool_wait() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.invoke(&["sync"]).expect(0);
    let skill = context.workspace().join(".claude/skills/tokio/SKILL.md");
    assert!(skill.exists());
    let settings = context.root().join("home/.claude/settings.json");
    let registered = std::fs::read_to_string(&settings).unwrap();
    let lock = std::fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap();
    context
        .write("Cargo.lock", lock.replace("name = \"tokio\"", "name = \"tokia\"").replace(" \"tokio\"", " \"tokia\""));
    let manifest = std::fs::read_to_string(context.workspace().join("Cargo.toml")).unwrap();
    let event = json!({"session_id": "s", "transcript_path": "/t", "permission_mode": "default", "cwd": context.workspace(),
        "tool_name": "Bash", "tool_input": {"command": "ls"}});
    assert_eq!(context.invoke_hook("claude", "pre-tool-use", &event.to_string()).expect(0), "");
    let start = std::time::Instant::now();
    context.write(
        "Cargo.toml",
        manifest.split_inclusive('\n').filter(|line| !line.starts_with("tokio")).collect::<String>(),
    );
    // It works by itself; whoever asks again asks in vain while it does.
    while skill.exists() && start.elapsed() < std::time::Duration::from_mins(3) {
        context.invoke_hook("claude", "pre-tool-use", &event.to_string()).expect(0);
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert!(!skill.exists());
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), registered);
}

#[test]
fn nothing_is_said_about_rust_where_there_is_none() {
    let context = with_fixture(&["workspace0"]);
    let elsewhere = context.root().join("notes");
    std::fs::create_dir_all(elsewhere.join(".symposium")).unwrap();
    std::fs::write(elsewhere.join(".symposium/config.toml"), "").unwrap();
    let event = json!({"session_id": "s", "transcript_path": "/t", "cwd": elsewhere, "source": "startup"}).to_string();
    let said = |context: &TestContext| {
        context_of(context.invoke_in_with(&elsewhere, &["hook", "claude", "session-start"], event.as_bytes()))
    };
    assert!(!said(&context).contains("Rust workspace"), "{}", said(&context));
    std::fs::write(elsewhere.join("Cargo.toml"), "[package]\nname = \"n\"\nversion = \"0.1.0\"\n").unwrap();
    assert!(said(&context).contains("Rust workspace"), "{}", said(&context));
}
