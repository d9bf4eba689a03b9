//! Who hears what at the start of a session and at a prompt: the person, the model, or the log alone.

use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::with_fixture;

/// The answer to the start of a session, whatever the agent reads.
fn start(context: &TestContext, agent: &str) -> String {
    let event = json!({"session_id": "s", "transcript_path": "/t", "cwd": context.workspace(), "source": "startup"});
    context.invoke_hook(agent, "session-start", &event.to_string()).expect(0)
}

/// What the model is told at the start of a session of Claude.
fn model_text(context: &TestContext) -> String {
    let said: Value = serde_json::from_str(&start(context, "claude")).unwrap_or_default();
    said["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
}

const REQUIRED: &str = "required-version = \">=99\"\n";
const SOURCE: &str = "[[plugin-source]]\nname = \"tools\"\npath = \"tools\"\n";

/// A workspace with notes for people: the version is too old, a newer one is out, a hook waits for a yes.
fn with_notes() -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.write_config("sessions/newest-version", "9.9.9\n");
    context.write(".symposium/config.toml", format!("{REQUIRED}{SOURCE}"));
    let hook = "[[hooks]]\nname = \"check\"\nevent = \"PreToolUse\"\ncommand = \"./check.sh\"\n";
    context.write("tools/guard/symposium.toml", format!("name = \"guard\"\n{hook}"));
    context.write("tools/guard/check.sh", "#!/bin/sh\n");
    context
}

/// A workspace where nothing is set up, and where the version fits: else setting it up would be no advice.
fn without_set_up() -> TestContext {
    let context = with_notes();
    context.write(".symposium/config.toml", SOURCE);
    context
}

const NOTES: [&str; 3] = [
    "you have not granted them yet: `guard/check`",
    "This project requires Symposium >=99",
    "Symposium 9.9.9 is available",
];
const NOT_SET_UP: &str = "not set up in this workspace yet";

#[test]
fn notes_for_people_are_where_the_agent_shows_them_to_people() {
    for agent in ["claude", "codex", "gemini"] {
        for (context, notes) in [(with_notes(), &NOTES[..]), (without_set_up(), &[NOT_SET_UP])] {
            let said: Value = serde_json::from_str(&start(&context, agent)).unwrap();
            let person = said["systemMessage"].as_str().unwrap_or_default();
            let model = said["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default();
            for note in notes {
                assert!(person.contains(note), "{agent}, the person: {note}\n{person}");
                assert!(!model.contains(note), "{agent}, the model: {note}\n{model}");
            }
            assert!(!person.contains("Tell the user") && !person.contains("ell the user"), "{person}");
            assert!(model.contains("This is a Rust workspace"), "{agent}: {model}");
        }
    }
}

#[test]
fn a_missing_rtk_is_no_note_of_a_session() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let said = start(&context, "claude");
    assert!(!said.contains("rtk"), "{said}");
    let status = context.invoke(&["status"]).transcript();
    assert!(status.contains("off (rtk not found)"), "{status}");
}

#[test]
fn an_agent_that_shows_people_nothing_tells_the_model_nothing_of_it_either() {
    for agent in ["copilot", "cursor", "kiro", "opencode", "goose"] {
        for (context, notes) in [(with_notes(), &NOTES[..]), (without_set_up(), &[NOT_SET_UP])] {
            let said = start(&context, agent);
            for note in notes {
                assert!(!said.contains(note), "{agent}: {note}\n{said}");
            }
            let log = context.invoke(&["hook", "log"]).expect(0).replace('\n', " ");
            let log = log.split_whitespace().collect::<Vec<_>>().join(" ");
            for note in notes {
                assert!(log.contains(note), "{agent}, the log: {note}\n{log}");
            }
        }
    }
}

#[test]
fn status_says_what_an_agent_could_not_show() {
    let context = with_notes();
    let said = context.invoke(&["status"]).transcript();
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    for note in ["requires Symposium >=99", "`symposium trust`", "Symposium 9.9.9 is available", "off (rtk not found)"]
    {
        assert!(words.contains(note), "{note}\n{said}");
    }
}

#[test]
fn a_changed_grant_stays_a_rule_for_the_model_and_is_a_note_for_the_person() {
    let context = with_notes();
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"tools\"\npath = \"tools\"\n");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["trust", "--yes"]).expect(0);
    context.write("tools/guard/check.sh", "#!/bin/sh\nexit 0\n");
    let said: Value = serde_json::from_str(&start(&context, "claude")).unwrap();
    let model = said["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default();
    assert!(model.contains("never run it for them"), "{said}");
    assert!(said["systemMessage"].as_str().unwrap_or_default().contains("`guard/check`"), "{said}");
}

#[test]
fn the_text_of_a_session_carries_what_matters_most_by_itself() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let said = model_text(&context);
    for words in ["`Cargo.lock`", "`symposium crate NAME`", "`cargo add`", "`cargo clippy", "`symposium start`"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(said.len() < 2_000, "{} bytes", said.len());
}

/// A project that names Claude, and a colleague who uses Gemini.
fn with_a_project_for_claude() -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"gemini\"\n");
    context.write(".symposium/config.toml", "[agent]\nname = \"claude\"\n");
    context
}

#[test]
fn guidance_names_only_what_this_agent_has() {
    let context = with_a_project_for_claude();
    context.invoke(&["sync"]).expect(0);
    let ask = |agent: &str| {
        let event =
            json!({"session_id": "s", "transcript_path": "/t", "cwd": context.workspace(), "prompt": "use serde"});
        context.invoke_hook(agent, "user-prompt-submit", &event.to_string()).expect(0)
    };
    let (own, other) = (ask("claude"), ask("gemini"));
    assert!(own.contains("load the skill `serde`"), "{own}");
    assert!(!other.contains("load the skill") && other.contains("`symposium crate serde`"), "{other}");
    let (own, other) = (start(&context, "claude"), start(&context, "gemini"));
    assert!(own.contains("(skill serde)"), "{own}");
    assert!(!other.contains("(skill") && other.contains("- serde 1.0.219: "), "{other}");
}

#[test]
fn every_command_about_agents_says_which_of_the_users_are_not_served() {
    let context = with_a_project_for_claude();
    let note = "this project names `claude` in `[agent]`, so Gemini CLI gets no skills here";
    let init = ["init", "--yes", "--agent", "gemini"];
    for args in [&["sync"][..], &["sync"], &["status"], &["doctor"], &init] {
        let said = context.invoke(args).transcript();
        let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(note), "{args:?}: {said}");
        assert!(!words.contains("it has the skills"), "{args:?}: {said}");
    }
    let status: Value = serde_json::from_str(&context.invoke(&["status", "--json"]).expect(0)).unwrap();
    assert_eq!(status["not_served"], json!(["gemini"]));
    context.write(".symposium/config.toml", "[agent]\nname = [\"claude\", \"gemini\"]\n");
    let said = context.invoke(&["status"]).transcript();
    assert!(!said.contains("gets no skills"), "{said}");
}

#[test]
fn an_agent_without_session_ids_is_reminded_too() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[hooks]\nnudge-interval = 2\n");
    let ask = |text: &str| {
        let event = json!({"hook_event_name": "userPromptSubmit", "cwd": context.workspace(), "prompt": text});
        context.invoke_hook("kiro", "user-prompt-submit", &event.to_string()).expect(0)
    };
    let begin = || {
        let event = json!({"hook_event_name": "agentSpawn", "cwd": context.workspace()});
        context.invoke_hook("kiro", "session-start", &event.to_string()).expect(0)
    };
    begin();
    assert!(ask("use serde").contains("`symposium crate serde`"));
    assert_eq!(ask("use serde"), "", "too early");
    begin();
    assert!(ask("use serde").contains("`symposium crate serde`"), "another session");
}

#[test]
fn reminders_leave_out_skills_about_upgrades() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n[defaults]\nbuiltin = false\n");
    for name in ["serde-upgrade", "serde-now"] {
        let text = format!("---\nname: {name}\ndescription: d\ncrates: serde\n---\nx\n");
        context.write_config(&format!("plugins/{name}/SKILL.md"), text);
    }
    let event = json!({"session_id": "s", "transcript_path": "/t", "cwd": context.workspace(), "prompt": "use serde"});
    let said = context.invoke_hook("claude", "user-prompt-submit", &event.to_string()).expect(0);
    assert!(said.contains("serde") && !said.contains("serde-upgrade"), "{said}");
}

/// A public recommendation is mentioned once, to the agent it is for; what a project brings, in every session.
#[test]
fn pending_grants_are_named_to_their_agent_and_not_over_and_over() {
    let mut context = with_fixture(&["workspace0"]);
    context.set("SYMPOSIUM_OFFLINE", "0");
    context.write_config("config.toml", "[agent]\nname = [\"claude\", \"gemini\"]\n");
    let server = context.root().join("server");
    let stand_in = format!("[url \"file://{}/\"]\n\tinsteadOf = https://github.com/symposium-dev/\n", server.display());
    std::fs::write(context.root().join("home/.gitconfig"), stand_in).unwrap();
    let repository = crate::repository::Repository::create(server.join("recommendations"));
    let hook = "[[hooks]]\nname = \"h\"\nagent = \"claude\"\nevent = \"PreToolUse\"\ncommand = \"sh ./h.sh\"\n";
    repository.write("public/SYMPOSIUM.toml", format!("name = \"public\"\ncrates = [\"*\"]\n{hook}"));
    repository.write("public/h.sh", "true\n").commit();
    let manifest = "name = \"team\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"sh ./h.sh\"\n";
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"tools\"\npath = \"tools\"\n");
    context.write("tools/team/symposium.toml", manifest);
    context.write("tools/team/h.sh", "true\n");
    context.invoke(&["sync"]).expect(0);
    let named = |agent: &str| {
        let said: Value = serde_json::from_str(&start(&context, agent)).unwrap_or_default();
        let person = said["systemMessage"].as_str().unwrap_or_default().to_owned();
        let is_told = |name: &str| person.contains("not granted") && person.contains(name);
        (is_told("`public/h`"), is_told("`team/h`"))
    };
    assert_eq!(named("gemini"), (false, true), "it is for Claude");
    assert_eq!(named("claude"), (true, true));
    assert_eq!(named("claude"), (false, true), "once");
    // Its status is not hidden by that.
    let listed = context.invoke(&["hook", "list"]).expect(0);
    assert!(listed.lines().any(|line| line.contains("public") && line.contains("untrusted")), "{listed}");
    repository.write("public/h.sh", "false\n").commit();
    context.invoke(&["plugin", "sync"]).expect(0);
    context.settle();
    assert_eq!(named("claude"), (true, true), "other content");
    // After a no at the prompt, before any session with that content.
    repository.write("public/h.sh", "exit 0\n").commit();
    context.invoke(&["plugin", "sync"]).expect(0);
    context.invoke(&["sync"]).expect(0);
    if crate::init::has_script() {
        let through = crate::init::on_a_terminal("n\\r");
        let through: Vec<&str> = through.iter().map(String::as_str).collect();
        let refused = context.invoke_through(&through, &["trust"]);
        assert_eq!(refused.code, 1, "{refused:?}");
        assert_eq!(named("claude"), (false, true));
    }
}
