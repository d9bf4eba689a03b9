//! `symposium hook log`.

use expect_test::expect;
use serde_json::json;

use crate::{check, with_fixture};

/// Two events of the rotated file and three of the newest, with lines nobody can read between them.
fn trail(context: &symposium_testkit::TestContext) {
    let line = |value: serde_json::Value| format!("{value}\n");
    let older = line(
        json!({"time": 1_700_000_000_000_u64, "agent": "claude", "event": "session-start", "context": 1, "ms": 3}),
    ) + "{\"time\": 17000\n"
        + &line(json!({"time": 1_700_000_001_500_u64, "agent": "codex", "event": "pre-tool-use", "tool": "Bash",
            "handlers": [{"name": "rtk/shorten", "end": "rewritten", "ms": 0}], "rewritten": true, "ms": 1,
            "workspace": "/w"}));
    let newer = line(json!({"time": 1_700_000_002_000_u64, "agent": "copilot", "event": "post-tool-use-failure",
            "tool": "mcp__a-server-with-a-long-name__and_a_tool", "ms": 9000, "decision": "deny",
            "handlers": [
                {"name": "guard/slow", "end": "killed", "ms": 8500},
                {"name": "guard/no-rm", "end": "2", "decision": "deny", "ms": 12},
            ],
            "notes": ["this agent takes no context at this event, and the note that says so goes on for longer than a line"]}))
        + "\u{1b}[31m not json\n"
        + &line(json!({"time": 1_700_000_003_000_u64, "agent": "unknown", "event": "unknown", "ms": 0,
            "notes": ["The command names no agent and event that this version of Symposium knows"]}));
    context.write_config("logs/hooks.1.jsonl", older);
    context.write_config("logs/hooks.jsonl", newer);
}

#[test]
fn the_trail_is_shown_newest_last() {
    let context = with_fixture(&["plugins0"]);
    trail(&context);
    let output = context.invoke(&["hook", "log"]);
    check(
        output,
        expect![[r#"
            TIME (UTC)           AGENT    EVENT                  TOOL                                        DECISION  MS
            2023-11-14 22:13:20  claude   session-start          -                                           -         3
                1 byte of context
            2023-11-14 22:13:21  codex    pre-tool-use           Bash                                        -         1
                rtk/shorten: rewritten, 0 ms
                the input was rewritten
            2023-11-14 22:13:22  copilot  post-tool-use-failure  mcp__a-server-with-a-long-name__and_a_tool  deny      9000
                guard/slow: killed, 8500 ms
                guard/no-rm: exit 2, deny, 12 ms
                note: this agent takes no context at this event, and the note that says so
                goes on for longer than a line
            2023-11-14 22:13:23  unknown  unknown                -                                           -         0
                note: The command names no agent and event that this version of Symposium
                knows

            4 events: 1 denied, 1 rewritten (1 with rtk)
            2 lines could not be read and are skipped
        "#]],
    );
    check(
        context.invoke(&["hook", "log", "--limit", "1", "-v"]),
        expect![[r#"
            TIME (UTC)           AGENT    EVENT    TOOL  DECISION  MS
            2023-11-14 22:13:23  unknown  unknown  -     -         0
                note: The command names no agent and event that this version of Symposium
                knows

            1 of 4 events shown; in total 1 denied, 1 rewritten (1 with rtk)
            2 lines could not be read and are skipped
        "#]],
    );
}

#[test]
fn the_document_has_the_same_events() {
    let context = with_fixture(&["plugins0"]);
    trail(&context);
    let document = crate::json(context.invoke(&["hook", "log", "--json", "--limit", "2"]));
    assert_eq!((&document["version"], &document["broken"]), (&json!(1), &json!(2)));
    let events = document["events"].as_array().unwrap();
    assert_eq!(events.len(), 2);
    assert_eq!(events[0]["at"], "2023-11-14T22:13:22Z");
    assert_eq!(events[0]["handlers"][1], json!({"name": "guard/no-rm", "end": "2", "decision": "deny", "ms": 12}));
    // Options may stand where people put them.
    let again = crate::json(context.invoke(&["--json", "hook", "log", "--limit=2"]));
    assert_eq!(document, again);
}

#[test]
fn an_empty_trail_says_so() {
    let context = with_fixture(&["plugins0"]);
    check(
        context.invoke(&["hook", "log"]),
        expect![[r#"
        The hook log is empty; hooks that do something are recorded in $CONFIG_DIR/logs/hooks.jsonl
    "#]],
    );
    let document = crate::json(context.invoke(&["hook", "log", "--json"]));
    assert_eq!(document, json!({"version": 1, "events": [], "broken": 0}));
    std::fs::create_dir_all(context.config_dir().join("logs/hooks.jsonl")).unwrap();
    check(
        context.invoke(&["hook", "log"]),
        expect![[r#"
            --- stderr
            error: cannot read the hook log `$CONFIG_DIR/logs/hooks.jsonl`: not a regular file
            help: make sure that it is a file that you own, or remove it
            --- exit 3
        "#]],
    );
}

#[test]
fn what_the_hook_writes_is_shown() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.invoke_hook("claude", "pre-tool-use", "not json").expect(0);
    let shown = context.invoke(&["hook", "log"]).expect(0);
    assert!(shown.contains("claude  pre-tool-use"), "{shown}");
    assert!(shown.contains("    note: The event is not the JSON of an agent"), "{shown}");
}

#[test]
fn words_for_people_go_to_people_and_the_rest_is_answered() {
    let context = with_fixture(&[]);
    check(
        context.invoke(&["hook", "-h"]),
        expect![[r#"
            List and test hooks, and show the hook log

            Usage: symposium hook [OPTIONS] <COMMAND>
                   symposium hook AGENT EVENT [--project] [--home DIR] [--cache DIR] [--logs DIR] [--user-home DIR]

            Commands:
              list  List all hooks, whether they run here, and the result of the last run
              log   Show the latest events in the hook log, newest last. Times are UTC
              test  Run the test cases of a plugin's hooks for every agent. Exits with 1 if one fails
              help  Print this message or the help of the given subcommand(s)

            Options:
              -h, --help  Print help (see more with '--help')

            Global options:
              -q, --quiet          Print only the result and errors
              -v, --verbose...     Print more details; `-vv` also prints the log of this run
              -C <DIR>             Run as if started in DIR
                  --json           Print the result as one JSON document on standard output
                  --offline        Do not use the network
                  --color <WHEN>   When to use colour: auto, always or never [default: auto]
                  --source <PATH>  Use another directory of plugins, for this command only
        "#]],
    );
    let help = context.invoke(&["hook", "--help"]).expect(0);
    assert!(help.contains("symposium hook AGENT EVENT [--project] [--home DIR]"), "{help}");
    assert_eq!(context.invoke(&["hook", "help"]).expect(0), help);
    let help = context.invoke(&["hook", "test", "--help"]).expect(0);
    assert!(help.contains("They need no grant for this"), "{help}");
    assert_eq!(context.invoke(&["hook", "log", "--limit", "many"]).code, 2);
    for line in
        [&["hook"][..], &["hook", "nobody"], &["hook", "claude", "never", "--what"], &["-q", "hook", "nobody", "-x"]]
    {
        let output = context.invoke(line);
        assert_eq!((output.code, output.stdout.as_str(), output.stderr.as_str()), (0, "", ""), "{line:?}");
    }
    let output = context.invoke(&["--offline", "hook", "symposium", "stop"]);
    assert_eq!((output.code, output.stdout.as_str()), (0, "{\"Stop\":{}}\n"));
}
