//! `symposium hook list`.

use expect_test::expect;
use serde_json::json;
use symposium_testkit::TestContext;

use crate::hook::executable;
use crate::hook_workflows::{RTK, with_rtk};
use crate::{check, json as document, with_fixture};

const PANEL: &str = r#"
name = "panel"

[[hooks]]
name = "fine"
event = "PreToolUse"
matcher = "Bash|Edit"
command = "true"

[[hooks]]
name = "silenced"
event = "PreToolUse"
command = "true"

[[hooks]]
name = "elsewhere"
event = "gemini:BeforeModel"
command = "true"

[[hooks]]
name = "unmatched"
event = "SessionStart"
crates = ["no-such-crate"]
command = "true"

[[hooks]]
name = "broken"
event = "UserPromptSubmit"
command = "./broken.sh"

[[hooks]]
name = "impossible"
event = "Stop"
command = "builtin:rtk"
"#;

/// One hook of each state.
fn with_panel() -> TestContext {
    let context = with_rtk(RTK);
    context.write_config("plugins/panel/SYMPOSIUM.toml", PANEL);
    executable(&context, "plugins/panel/broken.sh", "#!/bin/sh\nexit 7\n");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let config = context.workspace().join(".symposium/config.toml");
    let mut text = std::fs::read_to_string(&config).unwrap();
    text.push_str("\n[[plugin-source]]\nname = \"ours\"\npath = \"tools\"\n");
    std::fs::write(&config, text).unwrap();
    context.write(
        "tools/gate/SYMPOSIUM.toml",
        "[[hooks]]\nname = \"check\"\nevent = \"PreToolUse\"\ncommand = \"true\"\n",
    );
    context.invoke(&["off", "--yes", "panel/silenced"]).expect(0);
    context
}

#[test]
fn one_hook_of_each_state_is_explained() {
    let context = with_panel();
    let prompt = json!({"session_id": "s", "transcript_path": "/t", "permission_mode": "default",
        "cwd": context.workspace(), "prompt": "x"});
    context.invoke_hook("claude", "UserPromptSubmit", &prompt.to_string()).expect(0);
    let mut output = context.invoke(&["hook", "list"]);
    let times = |line: &str| match line.split_once("last: ") {
        Some((before, _)) => format!("{before}last: …"),
        None => line.to_owned(),
    };
    assert!(output.stdout.lines().all(|line| line.chars().count() <= 80), "{}", output.stdout);
    output.stdout = output.stdout.lines().map(|line| times(line) + "\n").collect();
    check(
        output,
        expect![[r#"
            HOOK              EVENT               MATCHER          SOURCE        STATE
            autofmt/format    PostToolUse         Write|Edit       builtin       off
                switched off in `.symposium/config.toml`; run `symposium on autofmt` to
                switch it on
            cargo/output      PostToolUse         Bash             builtin       on
            deps/lookup       PreToolUse          Bash|Write|Edit  builtin       on
            finish/record     PostToolUse         Bash|Write|Edit  builtin       off
                switched off in `.symposium/config.toml`; run `symposium on finish` to
                switch it on
            finish/ask        Stop                *                builtin       off
                switched off in `.symposium/config.toml`; run `symposium on finish` to
                switch it on
            rtk/shorten       PreToolUse          Bash             builtin       on
            panel/fine        PreToolUse          Bash|Edit        user-plugins  on
            panel/silenced    PreToolUse          *                user-plugins  off
                you switched it off in this workspace; run `symposium on panel/silenced` to
                switch it on
            panel/elsewhere   gemini:BeforeModel  *                user-plugins  off
                it is for gemini, and the agents here are claude
            panel/unmatched   SessionStart        *                user-plugins  off
                `no-such-crate` does not match: not a dependency of this workspace
            panel/broken      UserPromptSubmit    *                user-plugins  on (failed)
                it ended with exit code 7
                last: …
            panel/impossible  Stop                *                user-plugins  blocked
                `builtin:rtk` is only for plugins that ship with Symposium
            gate/check        PreToolUse          *                ours          untrusted
                its command is not granted; run `symposium trust` to review it

            5 of 13 hooks on
        "#]],
    );
    let found = document(context.invoke(&["hook", "list", "--json"]));
    let row = |name: &str| {
        let rows = found["hooks"].as_array().unwrap();
        rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name} in {found}")).clone()
    };
    for (name, state) in [
        ("fine", "on"),
        ("silenced", "off"),
        ("format", "off"),
        ("elsewhere", "off"),
        ("unmatched", "off"),
        ("broken", "on"),
        ("impossible", "blocked"),
        ("check", "untrusted"),
    ] {
        assert_eq!(row(name)["state"], state, "{name}");
    }
    let broken = row("broken");
    assert_eq!(broken["reason"], "it ended with exit code 7");
    assert_eq!((&broken["last"]["end"], &broken["last"]["agent"]), (&json!("7"), &json!("claude")));
    let fine = json!({"plugin": "panel", "name": "fine", "event": "PreToolUse", "matcher": "Bash|Edit",
        "source": "user-plugins", "state": "on", "reason": "", "last": null});
    assert_eq!(row("fine"), fine);
}

#[test]
fn a_hook_is_switched_by_its_name() {
    let context = with_panel();
    let state = || {
        let found = document(context.invoke(&["hook", "list", "--json"]));
        let rows = found["hooks"].as_array().unwrap().clone();
        rows.into_iter().find(|row| row["name"] == "silenced").unwrap()["state"].clone()
    };
    assert_eq!(state(), "off");
    context.invoke(&["on", "--yes", "panel/silenced"]).expect(0);
    assert_eq!(state(), "on");
}

#[test]
fn a_trail_that_cannot_be_read_costs_only_itself() {
    let context = with_panel();
    context.write_config("logs/hooks.jsonl/not-a-file", "");
    let output = context.invoke(&["hook", "list"]);
    assert_eq!(output.code, 0);
    assert!(output.stderr.contains("cannot read the hook log"), "{}", output.stderr);
    assert!(output.stdout.contains("panel/fine"), "{}", output.stdout);
}

#[test]
fn a_hook_on_an_event_no_agent_has_is_not_shown_as_on() {
    let context = with_fixture(&["workspace0"]);
    let hook = |name: &str, event: &str, more: &str| {
        format!("[[hooks]]\nname = \"{name}\"\nevent = \"{event}\"\ncommand = \"true\"\n{more}\n")
    };
    let hooks = [
        hook("model", "claude:BeforeModel", ""),
        hook("failed", "codex:PostToolUseFailure", ""),
        hook("end", "opencode:Stop", ""),
        hook("stop", "Stop", "agent = \"opencode\""),
        hook("other", "claude:PreCompact", "agent = \"codex\""),
        hook("any", "Stop", ""),
        hook("fine", "claude:PreCompact", ""),
    ];
    context.write_config("plugins/p/SYMPOSIUM.toml", hooks.concat());
    let agents = ["--agent", "claude", "--agent", "codex", "--agent", "opencode"];
    context.invoke(&[&["init", "--yes"][..], &agents].concat()).expect(0);
    let row = |name: &str| {
        let found = document(context.invoke(&["hook", "list", "--json"]));
        let row = found["hooks"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap();
        (row["state"].as_str().unwrap().to_owned(), row["reason"].as_str().unwrap().to_owned())
    };
    let status = || context.invoke(&["status"]).transcript();
    for (name, why) in [
        ("model", "claude has no event `claude:BeforeModel`"),
        ("failed", "codex has no event `codex:PostToolUseFailure`"),
        ("end", "opencode has no event `opencode:Stop`"),
        ("stop", "opencode has no event `Stop`"),
        ("other", "codex has no event `claude:PreCompact`"),
    ] {
        assert_eq!(row(name), ("blocked".to_owned(), format!("it never runs: {why}")));
        assert!(status().contains(&format!("hook `p/{name}` never runs: {why}")), "{}", status());
    }
    for name in ["any", "fine"] {
        assert_eq!(row(name), ("on".to_owned(), String::new()));
        assert!(!status().contains(&format!("p/{name}")));
    }
    let rows = document(context.invoke(&["status", "--json"]));
    let reason =
        rows["extensions"].as_array().unwrap().iter().find(|row| row["name"] == "p").unwrap()["reason"].clone();
    assert!(reason.as_str().unwrap().contains("Hook `p/model` never runs"), "{reason}");
    // What is switched off is not complained about.
    context.invoke(&["off", "--yes", "p/model"]).expect(0);
    assert!(!status().contains("p/model"));

    context.invoke(&["init", "--yes", "--agent", "opencode", "--only"]).expect(0);
    assert_eq!(row("any"), ("off".to_owned(), "no agent here has the event `Stop`".to_owned()));
}

#[test]
fn a_hook_whose_program_is_not_there_cannot_run() {
    let context = with_fixture(&["workspace0"]);
    let hook = |name: &str| format!("[[hooks]]\nname = \"{name}\"\nevent = \"Stop\"\ncommand = \"./{name}.sh\"\n");
    context.write_config("plugins/p/SYMPOSIUM.toml", hook("gone") + &hook("plain"));
    context.write_config("plugins/p/plain.sh", "#!/bin/sh\n");
    let found = document(context.invoke(&["hook", "list", "--json"]));
    let rows = found["hooks"].as_array().unwrap();
    let of = |name: &str| rows.iter().find(|row| row["name"] == name).unwrap();
    for (name, reason) in [
        ("gone", "`$CONFIG_DIR/plugins/p/gone.sh` does not exist"),
        ("plain", "`$CONFIG_DIR/plugins/p/plain.sh` is not executable; run `chmod +x` on it"),
    ] {
        assert_eq!(of(name)["state"], "blocked", "{found}");
        assert_eq!(of(name)["reason"], format!("its command cannot be started: {reason}"));
    }
}

#[test]
fn an_rtk_that_is_not_there_is_said_wherever_its_hook_is_shown() {
    let mut context = with_rtk(RTK);
    let row = |context: &TestContext, command: &[&str], list: &str, name: &str| {
        let found = document(context.invoke(command));
        let row = found[list].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap();
        (row["state"].as_str().unwrap().to_owned(), row["reason"].as_str().unwrap().to_owned())
    };
    let hook = |context: &TestContext| row(context, &["hook", "list", "--json"], "hooks", "shorten");
    let workflow = |context: &TestContext| row(context, &["status", "--json"], "extensions", "rtk");
    let on = |reason: &str| ("on".to_owned(), reason.to_owned());
    assert_eq!(hook(&context), on(""));
    assert_eq!(workflow(&context), on("its conditions hold"));
    assert!(context.invoke(&["why", "rtk/shorten"]).expect(0).contains(": on\n"));

    // A directory of that name is no program.
    let path = context.root().join("elsewhere");
    std::fs::create_dir_all(path.join("rtk")).unwrap();
    context.set("PATH", &path.display().to_string());
    let reason = "`rtk` is not on PATH; install it from github.com/rtk-ai/rtk to use the workflow";
    let off = ("off".to_owned(), reason.to_owned());
    assert_eq!((hook(&context), workflow(&context)), (off.clone(), off));
    for name in ["rtk/shorten", "rtk"] {
        let why = context.invoke(&["why", name]).expect(0);
        assert!(why.contains(": off (rtk not found)\n") && why.contains(&format!("  - {reason}\n")), "{why}");
    }
    for command in [&["status"][..], &["hook", "list"], &["plugin", "list"]] {
        let said = context.invoke(command).expect(0);
        let is_row = |line: &str| line.trim_start().starts_with("rtk") && line.contains("off (rtk not found)");
        assert!(said.lines().any(is_row), "{command:?}: {said}");
    }
    // What is switched off is not complained about.
    context.invoke(&["off", "--yes", "rtk"]).expect(0);
    assert_eq!(hook(&context).0, "off");
    assert!(!workflow(&context).1.contains("PATH"));
    assert!(!context.invoke(&["why", "rtk"]).expect(0).contains("PATH"));
}

#[test]
fn a_narrow_terminal_gets_a_list() {
    if !crate::init::has_script() {
        return;
    }
    let context = with_panel();
    let through = crate::init::on_a_terminal_of(40, "");
    let through: Vec<&str> = through.iter().map(String::as_str).collect();
    let shown = context.invoke_through(&through, &["hook", "list", "--color", "never"]).stdout.replace('\r', "");
    assert!(shown.contains("panel/fine: on\n  PreToolUse Bash|Edit\n  source user-plugins\n"), "{shown}");
    assert!(!shown.contains("MATCHER"), "{shown}");
    let shown = context.invoke_through(&through, &["plugin", "list", "--color", "never"]).stdout.replace('\r', "");
    assert!(shown.lines().all(|line| !line.ends_with(' ')), "{shown}");
}
