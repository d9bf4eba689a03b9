//! Cline's bridge, run by node as Cline runs it: the calls of tools that take a list, in every form of that list.

use expect_test::expect;
use serde_json::{Value, json};
use symposium_agents::SymposiumProgram;
use symposium_model::agent::AgentId;

use crate::bridge::{Answer, check_as, run_as};

fn cline_call(hook: &str, tool: &str, input: &Value, output: &Value) -> Value {
    let call = json!({"toolCallId": "c1", "toolName": tool, "input": input});
    let snapshot = json!({"conversationId": "s", "messages": []});
    let result = json!({"output": output, "isError": false});
    json!({"hook": hook, "input": {"snapshot": snapshot, "toolCall": call, "input": input, "result": result}})
}

#[test]
fn each_item_of_a_list_is_an_event_of_its_own_for_cline() {
    let commands = json!({"commands": ["ls", "cat x"]});
    let files = json!({"files": [{"path": "a"}, {"path": "b", "start_line": 3}]});
    let printed = json!([{"result": "A", "success": true}, {"result": "B", "success": true}]);
    check_as(
        AgentId::Cline,
        &[
            Answer("pre-tool-use", r#"{"args": {"command": "changed", "path": "c"}, "context": "Before."}"#, 0),
            Answer("post-tool-use", r#"{"deny": "Why not.", "context": "After."}"#, 0),
        ],
        &[
            cline_call("beforeTool", "run_commands", &commands, &Value::Null),
            cline_call("beforeTool", "read_files", &files, &Value::Null),
            cline_call("beforeTool", "run_commands", &json!({"commands": []}), &Value::Null),
            cline_call("afterTool", "run_commands", &commands, &printed),
        ],
        &expect![[r#"
            {"hook":"beforeTool","returned":{"appendContext":"Before.\n\nBefore.","input":{"commands":["changed","changed"]}}}
            {"hook":"beforeTool","returned":{"appendContext":"Before.\n\nBefore.","input":{"files":[{"command":"changed","path":"c"},{"command":"changed","path":"c"}]}}}
            {"hook":"beforeTool","returned":{"appendContext":"Before.","input":{"commands":[]}}}
            {"hook":"afterTool","returned":{"appendContext":"Why not.\n\nAfter.\n\nWhy not.\n\nAfter."}}
            > hook cline pre-tool-use --project {"event":"pre-tool-use","session_id":"s","cwd":"/home/user/project","tool":"run_commands","args":{"command":"ls"}}
            > hook cline pre-tool-use --project {"event":"pre-tool-use","session_id":"s","cwd":"/home/user/project","tool":"run_commands","args":{"command":"cat x"}}
            > hook cline pre-tool-use --project {"event":"pre-tool-use","session_id":"s","cwd":"/home/user/project","tool":"read_files","args":{"path":"a"}}
            > hook cline pre-tool-use --project {"event":"pre-tool-use","session_id":"s","cwd":"/home/user/project","tool":"read_files","args":{"start_line":3,"path":"b"}}
            > hook cline pre-tool-use --project {"event":"pre-tool-use","session_id":"s","cwd":"/home/user/project","tool":"run_commands","args":{"command":"[]"}}
            > hook cline post-tool-use --project {"event":"post-tool-use","session_id":"s","cwd":"/home/user/project","tool":"run_commands","args":{"command":"ls"},"output":{"result":"A","success":true}}
            > hook cline post-tool-use --project {"event":"post-tool-use","session_id":"s","cwd":"/home/user/project","tool":"run_commands","args":{"command":"cat x"},"output":{"result":"B","success":true}}
        "#]],
    );
}

#[test]
fn what_is_refused_is_skipped_and_not_reported_as_done_by_cline() {
    let commands = json!({"commands": ["ls", "cat x"]});
    check_as(
        AgentId::Cline,
        &[Answer("pre-tool-use", r#"{"deny": "No."}"#, 0)],
        &[
            cline_call("beforeTool", "run_commands", &commands, &Value::Null),
            cline_call("afterTool", "run_commands", &commands, &json!({"error": "No."})),
        ],
        &expect![[r#"
            {"hook":"beforeTool","returned":{"reason":"No.","skip":true}}
            {"hook":"afterTool"}
            > hook cline pre-tool-use --project {"event":"pre-tool-use","session_id":"s","cwd":"/home/user/project","tool":"run_commands","args":{"command":"ls"}}
        "#]],
    );
}

#[test]
fn a_sub_agent_of_cline_has_no_prompt_and_a_session_starts_once() {
    let run = |text: &str| {
        let message = json!({"role": "user", "content": [{"type": "text", "text": text}]});
        json!({"hook": "beforeRun", "input": {"snapshot": {"conversationId": "s", "messages": [message]}}})
    };
    check_as(
        AgentId::Cline,
        &[
            Answer("session-start", r#"{"context": "Welcome."}"#, 0),
            Answer("user-prompt-submit", r#"{"deny": "Refused.", "context": "Nudge."}"#, 0),
        ],
        &[
            run("SUBTASK"),
            run("<user_input mode=\"act\">do the\nthing</user_input>"),
            run("<user_input mode=\"act\">go on</user_input>"),
            json!({"hook": "beforeRun", "input": {}}),
        ],
        &expect![[r#"
            {"hook":"beforeRun"}
            {"hook":"beforeRun","returned":{"appendContext":"Welcome.\n\nRefused.\n\nNudge."}}
            {"hook":"beforeRun","returned":{"appendContext":"Refused.\n\nNudge."}}
            {"hook":"beforeRun"}
            > hook cline session-start --project {"event":"session-start","session_id":"s","cwd":"/home/user/project"}
            > hook cline user-prompt-submit --project {"event":"user-prompt-submit","session_id":"s","cwd":"/home/user/project","prompt":"do the\nthing"}
            > hook cline user-prompt-submit --project {"event":"user-prompt-submit","session_id":"s","cwd":"/home/user/project","prompt":"go on"}
        "#]],
    );
}

/// Returns the arguments that the bridge asks about for the calls of a tool, and then what Cline gets back.
fn asked(tool: &str, answer: &str, inputs: &[Value]) -> Option<(String, String)> {
    let steps: Vec<Value> = inputs.iter().map(|input| cline_call("beforeTool", tool, input, &Value::Null)).collect();
    let answers = [Answer("pre-tool-use", answer, 0)];
    let shown = run_as(AgentId::Cline, SymposiumProgram::Bare, &answers, &[], &steps)?;
    let (sent, returned): (Vec<&str>, Vec<&str>) = shown.lines().partition(|line| line.starts_with("> "));
    let lines = |lines: Vec<&str>, key: &str| -> String {
        let values = lines.iter().map(|line| {
            let (_, fields) = line.split_once('{').unwrap();
            let value: Value = serde_json::from_str(&format!("{{{fields}")).unwrap();
            format!("{}\n", value[key])
        });
        values.collect()
    };
    Some((lines(sent, "args"), lines(returned, "returned")))
}

#[test]
fn commands_are_asked_about_in_every_form_that_cline_takes() {
    let inputs = [
        json!("a 1"),
        json!(["b 1", "b 2"]),
        json!({"command": "c 1"}),
        json!({"cmd": "d 1"}),
        json!({"commands": "e 1"}),
        json!({"script": "f 1"}),
        json!({"shell_command": "g 1"}),
        json!({"command": "h", "args": ["1", "it's $x", ""]}),
        json!({"commands": ["i 1", {"command": "i", "args": ["2"]}, {"command": "i 3"}]}),
        json!({"commands": {"command": "j", "args": ["1"]}}),
        json!([{"command": "k", "args": ["1"]}, {"command": "k", "args": ["2"]}]),
        json!({"command": ["l", "1; 2"]}),
        json!({"commands": [["m", "1"]]}),
        json!({"commands": null, "command": "n 1"}),
        json!({"commands": ["o 1"], "cmd": "o 2"}),
        json!({"command": "p", "args": "1 2"}),
        json!({"command": "q", "args": ["1", 2]}),
        json!({"cmd": "r", "args": ["1"]}),
        json!({"commands": "s", "args": ["1"]}),
        json!({"commands": ["t", "u"], "command": "v", "args": ["1"]}),
        json!({"command": "w", "args": []}),
    ];
    let Some((shown, _)) = asked("run_commands", "{}", &inputs) else { return };
    expect![[r#"
        {"command":"a 1"}
        {"command":"b 1"}
        {"command":"b 2"}
        {"command":"c 1"}
        {"command":"d 1"}
        {"command":"e 1"}
        {"command":"f 1"}
        {"command":"g 1"}
        {"command":"h 1 'it'\\''s $x' ''"}
        {"command":"i 1"}
        {"command":"i 2"}
        {"command":"i 3"}
        {"command":"j 1"}
        {"command":"k 1"}
        {"command":"k 2"}
        {"command":"l '1; 2'"}
        {"command":"m 1"}
        {"command":"n 1"}
        {"command":"o 1"}
        {"command":"o 2"}
        {"command":"p"}
        {"command":"q"}
        {"command":"r"}
        {"command":"s"}
        {"command":"t"}
        {"command":"u"}
        {"command":"v 1"}
        {"command":"w"}
    "#]]
    .assert_eq(&shown);
}

#[test]
fn a_changed_command_is_one_that_cline_runs_in_its_shell() {
    let inputs = [
        json!("a 1"),
        json!(["b 1", "b 2"]),
        json!({"command": "c 1"}),
        json!({"command": "h", "args": ["1"], "timeout": 5}),
        json!({"commands": "e 1"}),
        json!({"commands": ["i 1", {"command": "i", "args": ["2"]}], "credentials": ["x"]}),
        json!({"commands": {"command": "j", "args": ["1"]}}),
        json!([{"command": "k", "args": ["1"]}, {"command": "k", "args": ["2"]}]),
        json!({"commands": ["o 1"], "cmd": "o 2"}),
        json!({"command": "p 1", "cmd": "p 2"}),
        json!({"commands": []}),
        json!({"unknown": 1}),
    ];
    let answer = r#"{"args": {"command": "changed"}}"#;
    let Some((_, returned)) = asked("run_commands", answer, &inputs) else { return };
    expect![[r#"
        {"input":{"commands":["changed"]}}
        {"input":{"commands":["changed","changed"]}}
        {"input":{"commands":["changed"]}}
        {"input":{"commands":["changed"]}}
        {"input":{"commands":["changed"]}}
        {"input":{"commands":["changed","changed"],"credentials":["x"]}}
        {"input":{"commands":"changed"}}
        {"input":{"commands":["changed","changed"]}}
        {"input":{"commands":["changed"]}}
        {"input":{"commands":["changed"]}}
        {"input":{"commands":[]}}
        {"input":{"unknown":1}}
    "#]]
    .assert_eq(&returned);
    // What a hook leaves as it is stays as it was.
    let same = json!({"commands": [{"command": "i", "args": ["1"]}]});
    let (_, returned) = asked("run_commands", r#"{"args": {"command": "i 1"}}"#, &[same]).unwrap();
    expect![[r#"
        {"input":{"commands":[{"args":["1"],"command":"i"}]}}
    "#]]
    .assert_eq(&returned);
}

#[test]
fn the_lines_of_a_here_document_are_asked_about_as_the_one_command_that_cline_runs() {
    let inputs = [
        json!({"commands": ["sh <<'X'", "git push \\", "  --force", "X"]}),
        json!(["a", "cat <<-  \"E F\" > b", "c", "\t E F ", "d"]),
        json!({"commands": ["e <<Y", "f", {"command": "g"}, "Y"]}),
        json!({"commands": ["h <<< Z", "Z", "i << W", "j"]}),
        json!({"commands": ["k <<Q", "Q", "l <<Q", "m <<R", "R", "Q"]}),
    ];
    let Some((shown, _)) = asked("run_commands", "{}", &inputs) else { return };
    expect![[r#"
        {"command":"sh <<'X'\ngit push \\\n  --force\nX"}
        {"command":"a"}
        {"command":"cat <<-  \"E F\" > b\nc\n\t E F "}
        {"command":"d"}
        {"command":"e <<Y"}
        {"command":"f"}
        {"command":"g"}
        {"command":"Y"}
        {"command":"h <<< Z"}
        {"command":"Z"}
        {"command":"i << W"}
        {"command":"j"}
        {"command":"k <<Q\nQ"}
        {"command":"l <<Q\nm <<R\nR\nQ"}
    "#]]
    .assert_eq(&shown);
    let (_, returned) = asked("run_commands", r#"{"args": {"command": "changed"}}"#, &inputs).unwrap();
    expect![[r#"
        {"input":{"commands":["changed"]}}
        {"input":{"commands":["changed","changed","changed"]}}
        {"input":{"commands":["changed","changed","changed","changed"]}}
        {"input":{"commands":["changed","changed","changed","changed"]}}
        {"input":{"commands":["changed","changed"]}}
    "#]]
    .assert_eq(&returned);
    // Each joined command has an output of its own.
    let commands = json!({"commands": ["cat <<X", "a", "X", "ls"]});
    check_as(
        AgentId::Cline,
        &[],
        &[cline_call("afterTool", "run_commands", &commands, &json!(["A", "B"]))],
        &expect![[r#"
            {"hook":"afterTool"}
            > hook cline post-tool-use --project {"event":"post-tool-use","session_id":"s","cwd":"/home/user/project","tool":"run_commands","args":{"command":"cat <<X\na\nX"},"output":"A"}
            > hook cline post-tool-use --project {"event":"post-tool-use","session_id":"s","cwd":"/home/user/project","tool":"run_commands","args":{"command":"ls"},"output":"B"}
        "#]],
    );
}

#[test]
fn changed_commands_that_cline_would_join_are_refused() {
    let commands = json!({"commands": ["ls", "git push", "X", "cat <<Y", "Y"]});
    check_as(
        AgentId::Cline,
        &[Answer("pre-tool-use", "{}", 0), Answer("pre-tool-use.1", r#"{"args": {"command": "sh <<X"}}"#, 0)],
        &[
            cline_call("beforeTool", "run_commands", &commands, &Value::Null),
            cline_call("afterTool", "run_commands", &commands, &Value::Null),
        ],
        &expect![[r#"
            {"hook":"beforeTool","returned":{"reason":"A hook changed these commands, and Cline would run several of them as one. Run them one by one.","skip":true}}
            {"hook":"afterTool"}
            > hook cline pre-tool-use --project {"event":"pre-tool-use","session_id":"s","cwd":"/home/user/project","tool":"run_commands","args":{"command":"ls"}}
            > hook cline pre-tool-use --project {"event":"pre-tool-use","session_id":"s","cwd":"/home/user/project","tool":"run_commands","args":{"command":"git push"}}
            > hook cline pre-tool-use --project {"event":"pre-tool-use","session_id":"s","cwd":"/home/user/project","tool":"run_commands","args":{"command":"X"}}
            > hook cline pre-tool-use --project {"event":"pre-tool-use","session_id":"s","cwd":"/home/user/project","tool":"run_commands","args":{"command":"cat <<Y\nY"}}
        "#]],
    );
}

#[test]
fn files_are_asked_about_in_every_form_that_cline_takes() {
    let inputs = [
        json!("a"),
        json!(["b", {"path": "c", "start_line": 3}]),
        json!({"path": "d", "end_line": 4}),
        json!({"files": "e"}),
        json!({"files": {"path": "f"}}),
        json!({"files": ["g", {"path": "h"}]}),
        json!({"paths": ["i"]}),
        json!({"paths": "j"}),
        json!({"file_paths": ["k", "l"]}),
        json!({"file_paths": "m"}),
        json!({"file_path": "n"}),
        json!({"filePath": "o"}),
    ];
    let Some((shown, _)) = asked("read_files", "{}", &inputs) else { return };
    expect![[r#"
        {"path":"a"}
        {"path":"b"}
        {"path":"c","start_line":3}
        {"end_line":4,"path":"d"}
        {"path":"e"}
        {"path":"f"}
        {"path":"g"}
        {"path":"h"}
        {"path":"i"}
        {"path":"j"}
        {"path":"k"}
        {"path":"l"}
        {"path":"m"}
        {"path":"n"}
        {"path":"o"}
    "#]]
    .assert_eq(&shown);
    let (_, returned) = asked("read_files", r#"{"args": {"path": "changed"}}"#, &inputs).unwrap();
    expect![[r#"
        {"input":{"files":["changed"]}}
        {"input":{"files":["changed",{"path":"changed"}]}}
        {"input":{"path":"changed"}}
        {"input":{"path":"changed"}}
        {"input":{"files":{"path":"changed"}}}
        {"input":{"files":["changed",{"path":"changed"}]}}
        {"input":{"paths":["changed"]}}
        {"input":{"path":"changed"}}
        {"input":{"file_paths":["changed","changed"]}}
        {"input":{"path":"changed"}}
        {"input":{"path":"changed"}}
        {"input":{"path":"changed"}}
    "#]]
    .assert_eq(&returned);
}

#[test]
fn of_several_names_in_one_input_the_one_that_cline_uses_is_changed() {
    let commands = [
        json!({"cmd": "a 1", "command": "a 2", "commands": ["a 3", "a 4"], "timeout": 5}),
        json!({"cmd": "b 1", "command": "b 2", "args": ["3"]}),
        json!({"commands": [{"command": "c 1", "args": "2"}], "command": "c 3"}),
        json!({"commands": 5, "command": ["d", "1"], "cmd": "d 2", "script": "d 3"}),
        json!({"commands": [{"command": "e", "cmd": "e 1"}]}),
    ];
    let Some((shown, _)) = asked("run_commands", "{}", &commands) else { return };
    expect![[r#"
        {"command":"a 3"}
        {"command":"a 4"}
        {"command":"a 2","timeout":5}
        {"command":"a 1","timeout":5}
        {"command":"b 2 3"}
        {"command":"b 1"}
        {"command":"c 1"}
        {"command":"c 3"}
        {"command":"5"}
        {"command":"d 1"}
        {"command":"d 2"}
        {"command":"d 3"}
        {"command":"e"}
        {"command":"e 1"}
    "#]]
    .assert_eq(&shown);
    let (_, returned) = asked("run_commands", r#"{"args": {"command": "changed"}}"#, &commands).unwrap();
    expect![[r#"
        {"input":{"commands":["changed","changed"],"timeout":5}}
        {"input":{"commands":["changed"]}}
        {"input":{"commands":["changed"]}}
        {"input":{"commands":["changed"]}}
        {"input":{"commands":["changed"]}}
    "#]]
    .assert_eq(&returned);
    // The command that Cline uses stays as it was.
    let (_, returned) = asked("run_commands", r#"{"args": {"command": "b 2 3"}}"#, &commands[1..2]).unwrap();
    expect![[r#"
        {"input":{"args":["3"],"command":"b 2"}}
    "#]]
    .assert_eq(&returned);

    let files = [
        json!({"files": [{"path": "a", "start_line": 1}], "path": "b", "start_line": 2}),
        json!({"files": ["c"], "path": "d", "start_line": 3}),
        json!({"paths": ["e"], "file_paths": ["f"], "filePath": "g", "file_path": "h", "end_line": 4}),
        json!({"paths": ["i"], "file_paths": ["j"], "files": [{"file_path": "k"}]}),
        json!({"paths": ["l"], "file_paths": "m"}),
        json!([{"path": "n", "filePath": "o"}]),
    ];
    let (shown, _) = asked("read_files", "{}", &files).unwrap();
    expect![[r#"
        {"path":"b","start_line":2}
        {"path":"a","start_line":1}
        {"path":"d","start_line":3}
        {"path":"c"}
        {"end_line":4,"path":"h"}
        {"end_line":4,"path":"g"}
        {"path":"f"}
        {"path":"e"}
        {"path":"k"}
        {"path":"j"}
        {"path":"i"}
        {"path":"m"}
        {"path":"l"}
        {"path":"n"}
        {"path":"o"}
    "#]]
    .assert_eq(&shown);
    let answer = r#"{"args": {"path": "changed", "start_line": 9}}"#;
    let (_, returned) = asked("read_files", answer, &files).unwrap();
    expect![[r#"
        {"input":{"files":[{"path":"changed","start_line":9}],"start_line":2}}
        {"input":{"path":"changed","start_line":9}}
        {"input":{"path":"changed","start_line":9}}
        {"input":{"files":[{"path":"changed","start_line":9}]}}
        {"input":{"path":"changed","start_line":9}}
        {"input":{"files":[{"path":"changed","start_line":9}]}}
    "#]]
    .assert_eq(&returned);
}

#[test]
fn an_input_in_an_unknown_form_is_asked_about_as_a_whole() {
    let inputs = [
        json!({"commands": []}),
        json!({"run": "a"}),
        json!({}),
        json!(5),
        json!({"commands": [{"run": "b"}, "c"]}),
        Value::Null,
    ];
    for tool in ["run_commands", "read_files"] {
        let Some((_, returned)) = asked(tool, r#"{"deny": "No."}"#, &inputs) else { return };
        assert_eq!(returned.matches(r#""skip":true"#).count(), inputs.len(), "{returned}");
    }
    let Some((shown, _)) = asked("run_commands", "{}", &inputs) else { return };
    expect![[r#"
        {"command":"[]"}
        {"command":"{\"run\":\"a\"}"}
        {"command":"{}"}
        {"command":"5"}
        {"command":"{\"run\":\"b\"}"}
        {"command":"c"}
        {"command":"null"}
    "#]]
    .assert_eq(&shown);
}

#[test]
fn an_input_with_too_many_levels_is_refused() {
    let nest = |levels: usize, wrap: fn(Value) -> Value| (0..levels).fold(json!("x"), |inner, _| wrap(inner));
    // The test's own reader takes at most 128 levels.
    let inputs = [
        json!({"command": "ls", "commands": nest(100, |inner| json!([inner]))}),
        json!({"commands": ["ls"], "cmd": nest(100, |inner| json!({"cmd": inner}))}),
    ];
    let Some((sent, returned)) = asked("run_commands", "{}", &inputs) else { return };
    assert_eq!(sent, "");
    assert_eq!(returned.matches(r#""skip":true"#).count(), inputs.len(), "{returned}");
}

#[test]
fn a_patch_may_be_a_text_alone() {
    let patch = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n";
    let inputs = [json!(patch), json!({"input": patch})];
    let Some((shown, _)) = asked("apply_patch", "{}", &inputs) else { return };
    expect![[r#"
        "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n"
        {"input":"*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n"}
    "#]]
    .assert_eq(&shown);
    let answers = [r#"{"args": "changed"}"#, r#"{"args": {"input": "changed"}}"#];
    let returned: String = std::iter::zip(answers, &inputs)
        .map(|(answer, input)| asked("apply_patch", answer, std::slice::from_ref(input)).unwrap().1)
        .collect();
    expect![[r#"
        {"input":"changed"}
        {"input":{"input":"changed"}}
    "#]]
    .assert_eq(&returned);
}

#[test]
fn addresses_and_searches_are_asked_about_one_by_one() {
    let requests = [
        json!({"requests": [{"url": "http://a", "prompt": "p"}, {"url": "http://b", "prompt": "q"}]}),
        json!({"requests": {"url": "http://c", "prompt": "p"}}),
    ];
    let Some((shown, _)) = asked("fetch_web_content", "{}", &requests) else { return };
    expect![[r#"
        {"prompt":"p","url":"http://a"}
        {"prompt":"q","url":"http://b"}
        {"prompt":"p","url":"http://c"}
    "#]]
    .assert_eq(&shown);
    let answer = r#"{"args": {"url": "http://z", "prompt": "p"}}"#;
    let (_, returned) = asked("fetch_web_content", answer, &requests).unwrap();
    expect![[r#"
        {"input":{"requests":[{"prompt":"p","url":"http://z"},{"prompt":"p","url":"http://z"}]}}
        {"input":{"requests":{"prompt":"p","url":"http://z"}}}
    "#]]
    .assert_eq(&returned);
    let searches = [json!({"queries": ["a", "b"]}), json!(["c"]), json!("d"), json!({"queries": "e"})];
    let (shown, _) = asked("search_codebase", "{}", &searches).unwrap();
    expect![[r#"
        {"pattern":"a"}
        {"pattern":"b"}
        {"pattern":"c"}
        {"pattern":"d"}
        {"pattern":"e"}
    "#]]
    .assert_eq(&shown);
    let (_, returned) = asked("search_codebase", r#"{"args": {"pattern": "z"}}"#, &searches).unwrap();
    expect![[r#"
        {"input":{"queries":["z","z"]}}
        {"input":{"queries":["z"]}}
        {"input":{"queries":["z"]}}
        {"input":{"queries":["z"]}}
    "#]]
    .assert_eq(&returned);
}
