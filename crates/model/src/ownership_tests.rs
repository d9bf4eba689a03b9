use serde_json::json;

use super::*;

#[test]
fn our_calls_are_recognised_through_our_guards_only() {
    for (command, expected) in [
        ("symposium hook claude pre-tool-use", Some("claude pre-tool-use")),
        ("/usr/local/bin/symposium hook claude pre-tool-use --project", Some("claude pre-tool-use")),
        ("cargo-agents hook codex PreToolUse", Some("codex PreToolUse")),
        ("cargo agents hook codex stop", Some("codex stop")),
        ("~/.cargo/bin/cargo agents hook codex stop", Some("codex stop")),
        ("'/opt/my tools/symposium' hook gemini session-start", Some("gemini session-start")),
        ("\"C:\\\\x\\\\symposium.exe\" hook copilot stop", Some("copilot stop")),
        (
            "command -v symposium >/dev/null 2>&1 || exit 0; exec symposium hook claude stop --project",
            Some("claude stop"),
        ),
        ("[ -x '/a b/symposium' ] || exit 0; exec '/a b/symposium' hook kiro stop --home '/h x'", Some("kiro stop")),
        ("[ -x '/it'\\''s/symposium' ] || exit 0; exec '/it'\\''s/symposium' hook kiro stop", Some("kiro stop")),
        ("'/a/symposium' hook kiro stop --home '/h (x) & $y; `z`'", Some("kiro stop")),
        ("$HOME/.cargo/bin/symposium hook kiro stop", Some("kiro stop")),
        ("\"C:\\x y\\symposium.exe\" hook kiro stop", Some("kiro stop")),
        ("\"C:\\x y\\symposium.exe\" hook kiro stop --home \"D:\\$a `b`\"", Some("kiro stop")),
        ("C:\\x\\.bin\\symposium.exe hook kiro stop", Some("kiro stop")),
        (
            "if (-not (Get-Command symposium -ErrorAction SilentlyContinue)) { exit 0 }; & symposium hook copilot stop",
            Some("copilot stop"),
        ),
        (
            "if (-not (Test-Path -LiteralPath 'C:\\x\\symposium.exe')) { exit 0 }; & 'C:\\x\\symposium.exe' hook copilot stop",
            Some("copilot stop"),
        ),
        // Any other wrapping was written by the user.
        ("if (-not (Test-Rain)) { exit 0 }; & symposium hook copilot stop", None),
        ("x;/usr/bin/symposium hook claude stop", None),
        ("symposium hook claude stop>log", None),
        ("symposium hook claude stop\nrm x", None),
        ("symposium hook claude stop --home $X", None),
        ("symposium hook claude $EVENT", None),
        ("env X=1 symposium hook claude stop", None),
        ("symposium hook claude stop | tee log", None),
        ("symposium hook claude stop && echo done", None),
        ("true || exit 0; exec symposium hook claude stop", None),
        ("timeout 5 symposium hook claude stop", None),
        ("symposium sync", None),
        ("symposium hook claude", None),
        ("my-symposium hook claude stop", None),
        ("cargo test", None),
        ("'unclosed symposium hook claude stop", None),
        ("", None),
    ] {
        let found = HookCall::parse(command).map(|call| format!("{} {}", call.agent, call.event));
        assert_eq!(found.as_deref(), expected, "{command}");
    }
}

#[test]
fn shares_of_handlers_and_groups() {
    let ours = json!({"type": "command", "command": "symposium hook claude stop"});
    let users = json!({"type": "command", "command": "./mine.sh"});
    let other_agent = json!({"command": "symposium hook codex stop"});
    let mark = Marker::HookOf(AgentId::Claude);
    for (entry, share) in [
        (ours.clone(), OwnedPart::All),
        (users.clone(), OwnedPart::Nothing),
        (other_agent, OwnedPart::Nothing),
        (json!({"bash": "symposium hook claude stop", "powershell": "x"}), OwnedPart::All),
        (json!({"matcher": "*", "hooks": [ours]}), OwnedPart::All),
        (json!({"matcher": "*", "hooks": [ours, users]}), OwnedPart::Part),
        (json!({"matcher": "*", "hooks": [users]}), OwnedPart::Nothing),
        (json!({"matcher": "*", "hooks": []}), OwnedPart::Nothing),
        (json!("symposium hook claude stop"), OwnedPart::Nothing),
        (json!(null), OwnedPart::Nothing),
    ] {
        assert_eq!(mark.share(&entry), share, "{entry}");
    }
}

#[test]
fn our_server_is_our_program_with_mcp() {
    for (entry, ours) in [
        (json!({"command": "symposium", "args": ["mcp"]}), true),
        (json!({"command": "/usr/bin/cargo-agents", "args": ["mcp", "--home", "/x"]}), true),
        (json!({"command": "cargo", "args": ["agents", "mcp"]}), true),
        (json!({"type": "local", "command": ["symposium", "mcp"]}), true),
        (json!({"command": "symposium", "args": ["serve"]}), false),
        (json!({"command": "node", "args": ["mcp"]}), false),
        (json!({"url": "http://localhost"}), false),
        (json!("symposium mcp"), false),
    ] {
        assert_eq!(Marker::OwnServer.share(&entry), whole(ours), "{entry}");
    }
    assert_eq!(Marker::Exactly(json!({"a": 1})).share(&json!({"a": 1})), OwnedPart::All);
    assert_eq!(Marker::Exactly(json!({"a": 1})).share(&json!({"a": 2})), OwnedPart::Nothing);
}

#[test]
fn a_program_of_another_name_is_known_by_the_record_alone() {
    let dev = json!({"command": "[ -x '/b/symposium-dev' ] || exit 0; exec '/b/symposium-dev' hook claude stop"});
    let server = json!({"command": "/b/symposium-dev", "args": ["mcp"]});
    let usual = json!({"command": "symposium hook claude stop"});
    let (hook, own) = (Marker::hook(AgentId::Claude, "/b/symposium-dev"), Marker::server("/b/symposium-dev"));
    assert_eq!(Marker::HookOf(AgentId::Claude).share(&dev), OwnedPart::Nothing);
    assert_eq!(Marker::OwnServer.share(&server), OwnedPart::Nothing);
    assert_eq!((hook.share(&dev), own.share(&server)), (OwnedPart::All, OwnedPart::All));
    assert_eq!(hook.share(&usual), OwnedPart::All, "the usual names are recognised all the same");
    assert_eq!(Marker::hook(AgentId::Codex, "/b/symposium-dev").share(&dev), OwnedPart::Nothing);
    assert_eq!(Marker::hook(AgentId::Claude, "/c/symposium-dev").share(&dev), OwnedPart::Nothing);
    let group = json!({"hooks": [dev, {"command": "mine"}]});
    assert_eq!(hook.share(&group), OwnedPart::Part);
    assert_eq!(Marker::hook(AgentId::Claude, "/b/symposium"), Marker::HookOf(AgentId::Claude));
    assert_eq!(Marker::server("C:\\x\\symposium.exe"), Marker::OwnServer);
}

#[test]
fn a_mark_takes_over_the_programs_an_entry_was_written_with() {
    let by = |programs: &[&str]| Marker::HookBy {
        agent: AgentId::Claude,
        programs: programs.iter().map(|program| (*program).to_owned()).collect(),
    };
    let usual = Marker::HookOf(AgentId::Claude);
    for (wanted, last, expected) in [
        (&usual, &usual, usual.clone()),
        (&usual, &by(&["/a"]), by(&["/a"])),
        (&by(&["/a"]), &usual, by(&["/a"])),
        (&by(&["/a"]), &by(&["/b", "/a"]), by(&["/a", "/b"])),
    ] {
        assert_eq!(wanted.or_by_programs_of(last), expected, "{wanted:?} {last:?}");
    }
    assert_eq!(Marker::OwnServer.or_by_programs_of(&Marker::server("/a")), Marker::server("/a"));
    let exactly = Marker::Exactly(json!(1));
    assert_eq!(exactly.or_by_programs_of(&usual), exactly);
}
