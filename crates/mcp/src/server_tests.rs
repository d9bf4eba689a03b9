use std::io::Cursor;
use std::path::PathBuf;

use expect_test::{Expect, expect};
use symposium_model::guidance_provider::{ApiQuestion, SourceQuestion};

use super::*;

struct Echo;

impl GuidanceProvider for Echo {
    fn start(&self) -> String {
        "started\n".to_owned()
    }

    fn list(&self) -> String {
        "listed\n".to_owned()
    }

    fn krate(&self, name: &str, version: Option<&str>) -> Result<String, String> {
        match name {
            "gone" => Err("`gone` is not a dependency\n".to_owned()),
            _ => Ok(format!("{name} {version:?}\n")),
        }
    }

    fn source(&self, question: &SourceQuestion<'_>, wanted: &dyn Fn() -> bool) -> Result<String, String> {
        Ok(format!("{question:?} {}\n", wanted()))
    }

    fn api(&self, question: &ApiQuestion<'_>) -> Result<String, String> {
        let ApiQuestion { query, version, reach, changes } = question;
        Ok(format!("{query} {version:?} {reach:?} {changes:?}\n"))
    }

    fn why(&self, name: &str) -> Result<String, String> {
        Ok(format!("because of {name}\n"))
    }

    fn instructions(&self, client: &str) -> String {
        format!("hello {client}")
    }

    fn work_in(&self, _: &[PathBuf]) {}
}

fn session(input: impl Into<Vec<u8>>) -> String {
    let mut output = Vec::new();
    serve(&Echo, Cursor::new(input.into()), &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

fn check(input: &str, expected: &Expect) {
    expected.assert_eq(&session(input));
}

fn call(params: &Value) -> Value {
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    serde_json::from_str(&session(request.to_string())).unwrap()
}

#[test]
fn each_tool_asks_its_question() {
    let table = [
        (json!({"name": "start"}), "started\n", false),
        (json!({"name": "api", "arguments": {"query": "a b"}}), "a b None Direct None\n", false),
        (
            json!({"name": "api", "arguments": {"query": "a", "changes": "1.0", "version": "2", "all": true}}),
            "a Some(\"2\") Everything Some(Version(\"1.0\"))\n",
            false,
        ),
        (
            json!({"name": "api", "arguments": {"query": "a", "changes": true, "all": "true"}}),
            "a None Everything Some(Previous)\n",
            false,
        ),
        (
            json!({"name": "api", "arguments": {"query": "a", "changes": false, "all": false}}),
            "a None Direct None\n",
            false,
        ),
        (json!({"name": "start", "arguments": {"invented": "x"}}), "started\n", false),
        (json!({"name": "list", "arguments": null}), "listed\n", false),
        (json!({"name": "crate", "arguments": {"name": "a"}}), "a None\n", false),
        (json!({"name": "crate", "arguments": {"name": "a", "version": null}}), "a None\n", false),
        (json!({"name": "crate", "arguments": {"name": "a", "version": " "}}), "a None\n", false),
        (
            json!({"name": "api", "arguments": {"query": "a", "version": "", "all": "false"}}),
            "a None Direct None\n",
            false,
        ),
        (json!({"name": "crate", "arguments": {"name": "a", "version": "1.2"}}), "a Some(\"1.2\")\n", false),
        (json!({"name": "crate", "arguments": {"name": "gone"}}), "`gone` is not a dependency\n", true),
        (
            json!({"name": "crate_source", "arguments": {"name": "a", "action": "read", "path": "b", "range": 7}}),
            "SourceQuestion { name: \"a\", version: None, action: Read, path: Some(\"b\"), query: None, \
             range: Some(\"7\"), cursor: None } true\n",
            false,
        ),
        (json!({"name": "why", "arguments": {"name": "a"}, "_meta": {"x": 1}}), "because of a\n", false),
    ];
    for (params, text, is_error) in table {
        let answer = call(&params);
        let expected = json!({"content": [{"type": "text", "text": text}], "isError": is_error});
        assert_eq!(answer["result"], expected, "{params}");
    }
}

#[test]
fn a_call_that_cannot_be_understood_is_refused_with_the_reason() {
    let table = [
        (json!({}), "`name` of the tool is missing"),
        (json!({"name": 1}), "`name` of the tool is not a string"),
        (json!({"name": "crates"}), "Unknown tool `crates`; did you mean `crate`?"),
        (
            json!({"name": "shell"}),
            "Unknown tool `shell`; there are `start`, `list`, `crate`, `crate_source`, `api`, `why`",
        ),
        (json!({"name": "crate", "arguments": []}), "`arguments` of tool `crate` is not an object"),
    ];
    for (params, message) in table {
        let answer = call(&params);
        assert_eq!(answer["error"], json!({"code": -32602, "message": message}), "{params}");
    }
}

#[test]
fn the_model_reads_what_is_wrong_with_its_arguments() {
    let table = [
        (
            json!({"name": "why"}),
            "Tool `why` needs the argument `name`: A crate, skill or plugin by name, or a file of a plugin source by \
             its path",
        ),
        (json!({"name": "crate", "arguments": {"name": 1}}), "The argument `name` of tool `crate` is not a string"),
        (
            json!({"name": "api", "arguments": {"query": "a", "all": "yes"}}),
            "The argument `all` of tool `api` is not a boolean",
        ),
        (
            json!({"name": "api", "arguments": {"query": "a", "all": 1}}),
            "The argument `all` of tool `api` is not a boolean",
        ),
        (
            json!({"name": "crate", "arguments": {"name": "a", "version": 1.4}}),
            "The argument `version` of tool `crate` is not a string",
        ),
        (
            json!({"name": "crate_source", "arguments": {"name": "a", "action": "fetch"}}),
            "`fetch` is not an action of tool `crate_source`; the actions are `list`, `read`, `search`, `examples`",
        ),
        (
            json!({"name": "crate_source", "arguments": {"name": "a", "action": "list", "offset": 1}}),
            "Tool `crate_source` has no argument `offset`; it takes `name`, `action`, `version`, `path`, `query`, \
             `range` and `cursor`",
        ),
        (
            json!({"name": "crate", "arguments": {"name": "a", "path": "/"}}),
            "Tool `crate` has no argument `path`; it takes `name` and `version`",
        ),
    ];
    for (params, message) in table {
        let answer = call(&params);
        let expected = json!({"content": [{"type": "text", "text": message}], "isError": true});
        assert_eq!(answer["result"], expected, "{params}");
    }
}

#[test]
fn the_session_begins_with_the_clients_version_if_we_know_it() {
    let table = [
        (json!({"protocolVersion": "2024-11-05"}), "2024-11-05", "hello "),
        (json!({"protocolVersion": "2025-03-26"}), "2025-03-26", "hello "),
        (json!({"protocolVersion": "2025-06-18", "clientInfo": {"name": "goose"}}), "2025-06-18", "hello goose"),
        (json!({"protocolVersion": "2025-11-25"}), "2025-11-25", "hello "),
        (json!({"protocolVersion": "2026-07-28"}), "2025-11-25", "hello "),
        (json!({"protocolVersion": 7, "clientInfo": "x"}), "2025-11-25", "hello "),
        (json!({}), "2025-11-25", "hello "),
    ];
    for (params, version, instructions) in table {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        let answer: Value = serde_json::from_str(&session(request.to_string())).unwrap();
        assert_eq!(answer["result"]["protocolVersion"], version, "{params}");
        assert_eq!(answer["result"]["instructions"], instructions, "{params}");
    }
}

#[test]
fn bad_lines_are_answered_and_harm_nobody_else() {
    check(
        concat!(
            "{\n",
            "\n",
            "  \r\n",
            "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n",
            "7\n",
            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"server/discover\"}\n",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":9}}\n",
            "{\"jsonrpc\":\"2.0\",\"id\":\"last, without a line break\",\"method\":\"ping\"}",
        ),
        &expect![[r#"
            {"error":{"code":-32700,"message":"This line is not JSON: EOF while parsing an object at line 1 column 1"},"id":null,"jsonrpc":"2.0"}
            {"id":1,"jsonrpc":"2.0","result":{}}
            {"error":{"code":-32600,"message":"A message is a JSON object"},"id":null,"jsonrpc":"2.0"}
            {"error":{"code":-32601,"message":"Method not found: `server/discover`"},"id":2,"jsonrpc":"2.0"}
            {"id":"last, without a line break","jsonrpc":"2.0","result":{}}
        "#]],
    );
    let deep = format!("{}\n", "[".repeat(100_000));
    assert!(session(deep).contains("-32700"), "no stack is deep enough");
    assert!(session(b"\"\xff\xfe\"\n").contains("-32700"), "not UTF-8");
    let long = format!("\"{}\"\n", "x".repeat(crate::frame::MAX_LINE));
    assert!(session(long).contains("-32600"), "too long");
}

#[test]
fn a_batch_is_answered_in_one_line_or_refused() {
    check(
        concat!(
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},7]"#,
            "\n",
            r#"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#,
            "\n[]\n",
        ),
        &expect![[r#"
            [{"id":1,"jsonrpc":"2.0","result":{}},{"error":{"code":-32600,"message":"A message is a JSON object"},"id":null,"jsonrpc":"2.0"}]
            {"error":{"code":-32600,"message":"A batch has at least one message"},"id":null,"jsonrpc":"2.0"}
        "#]],
    );
    assert!(session(json!(vec![0; 101]).to_string()).contains("at most 100 messages"));
}

#[test]
#[expect(clippy::too_many_lines, reason = "what is expected is long, not the code")]
fn the_tools_describe_themselves() {
    let mut text = serde_json::to_string_pretty(&tools::list()).unwrap();
    text.push('\n');
    expect![[r#"
        {
          "tools": [
            {
              "annotations": {
                "openWorldHint": false,
                "readOnlyHint": true
              },
              "description": "Rust guidance for this workspace and the skills that match its dependencies. Call it once, when work on Rust code begins.",
              "inputSchema": {
                "additionalProperties": false,
                "properties": {},
                "type": "object"
              },
              "name": "start"
            },
            {
              "annotations": {
                "openWorldHint": false,
                "readOnlyHint": true
              },
              "description": "The crates that this workspace depends on, with their locked versions and skills.",
              "inputSchema": {
                "additionalProperties": false,
                "properties": {},
                "type": "object"
              },
              "name": "list"
            },
            {
              "annotations": {
                "openWorldHint": false,
                "readOnlyHint": true
              },
              "description": "Information about one crate at its locked version: guidance for that version, further skills, and the paths of its source, documentation and examples on disk. Call it before you write or change code that uses the crate.",
              "inputSchema": {
                "additionalProperties": false,
                "properties": {
                  "name": {
                    "description": "The name of the crate in Cargo.toml, such as `serde`; `-` and `_` are equivalent",
                    "type": "string"
                  },
                  "version": {
                    "description": "The version, such as `1.40`; omit it to use the locked version",
                    "type": "string"
                  }
                },
                "required": [
                  "name"
                ],
                "type": "object"
              },
              "name": "crate"
            },
            {
              "annotations": {
                "openWorldHint": false,
                "readOnlyHint": true
              },
              "description": "Reads the source of one crate at its locked version from this machine: lists files, reads lines of a file, searches with a regular expression, or shows examples. Call it to see a signature or an example instead of guessing an API.",
              "inputSchema": {
                "additionalProperties": false,
                "properties": {
                  "action": {
                    "description": "`list` the files, `read` lines of the file at `path`, `search` for `query`, or show `examples`",
                    "enum": [
                      "list",
                      "read",
                      "search",
                      "examples"
                    ],
                    "type": "string"
                  },
                  "cursor": {
                    "description": "The cursor at the end of an incomplete result",
                    "type": "string"
                  },
                  "name": {
                    "description": "The name of the crate in Cargo.toml, such as `serde`; `-` and `_` are equivalent",
                    "type": "string"
                  },
                  "path": {
                    "description": "The file or directory of the crate to read or search, such as `src/lib.rs`",
                    "type": "string"
                  },
                  "query": {
                    "description": "A regular expression for each line, such as `pub fn spawn`, or `(?i)error` to ignore case; with `examples`, it selects the matching examples",
                    "type": "string"
                  },
                  "range": {
                    "description": "The lines to read, such as `120-180`; `120-` reads to the end",
                    "type": "string"
                  },
                  "version": {
                    "description": "The locked version, such as `0.8`, if the workspace has several versions of the crate",
                    "type": "string"
                  }
                },
                "required": [
                  "name",
                  "action"
                ],
                "type": "object"
              },
              "name": "crate_source"
            },
            {
              "annotations": {
                "openWorldHint": false,
                "readOnlyHint": true
              },
              "description": "Public items of the crates this workspace uses, at the versions it has locked: names, signatures, fields, variants, methods, features. Call it when you are not sure what something is called or takes, and after a dependency was updated.",
              "inputSchema": {
                "additionalProperties": false,
                "properties": {
                  "all": {
                    "description": "Search all locked crates, not only direct dependencies",
                    "type": "boolean"
                  },
                  "changes": {
                    "description": "With a crate: what changed in its items since this version, and where the workspace uses what was removed; an empty text is the version that was locked before",
                    "type": "string"
                  },
                  "query": {
                    "description": "A crate such as `tokio` (what it has), a path such as `tokio::sync::Semaphore` or `Semaphore::acquire` (that item whole), or words such as `spawn blocking` (what fits best)",
                    "type": "string"
                  },
                  "version": {
                    "description": "The locked version, such as `0.8`, if the workspace has several versions of the crate",
                    "type": "string"
                  }
                },
                "required": [
                  "query"
                ],
                "type": "object"
              },
              "name": "api"
            },
            {
              "annotations": {
                "openWorldHint": false,
                "readOnlyHint": true
              },
              "description": "Explains why a crate, skill or plugin applies to this workspace or not: every condition, the version it was compared with, and the dependency path. Call it when expected guidance is missing.",
              "inputSchema": {
                "additionalProperties": false,
                "properties": {
                  "name": {
                    "description": "A crate, skill or plugin by name, or a file of a plugin source by its path",
                    "type": "string"
                  }
                },
                "required": [
                  "name"
                ],
                "type": "object"
              },
              "name": "why"
            }
          ]
        }
    "#]].assert_eq(&text);
}

struct Gone(ErrorKind);

impl Write for Gone {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_client_that_is_gone_is_a_good_end_and_a_full_disk_is_not() {
    let ping = || Cursor::new(json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string());
    assert!(serve(&Echo, ping(), Gone(ErrorKind::BrokenPipe)).is_ok());
    assert_eq!(serve(&Echo, ping(), Gone(ErrorKind::StorageFull)).unwrap_err().kind(), ErrorKind::StorageFull);
}

/// Records the questions, and takes a while for every answer about source.
#[derive(Default)]
struct Recorder(std::cell::RefCell<Vec<String>>);

impl GuidanceProvider for Recorder {
    fn start(&self) -> String {
        format!("{:?}", self.0.borrow())
    }

    fn list(&self) -> String {
        String::new()
    }

    fn krate(&self, _: &str, _: Option<&str>) -> Result<String, String> {
        Ok(String::new())
    }

    fn source(&self, _: &SourceQuestion<'_>, wanted: &dyn Fn() -> bool) -> Result<String, String> {
        let end = Instant::now() + Duration::from_secs(20);
        while wanted() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok("late".to_owned())
    }

    fn api(&self, _: &ApiQuestion<'_>) -> Result<String, String> {
        Ok(String::new())
    }

    fn why(&self, _: &str) -> Result<String, String> {
        Ok(String::new())
    }

    fn instructions(&self, _: &str) -> String {
        String::new()
    }

    fn work_in(&self, roots: &[PathBuf]) {
        self.0.borrow_mut().extend(roots.iter().map(|root| root.display().to_string()));
    }
}

fn recorded(lines: &[Value]) -> Vec<Value> {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect::<Vec<_>>().concat();
    let mut output = Vec::new();
    serve(&Recorder::default(), Cursor::new(input), &mut output).unwrap();
    String::from_utf8(output).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn asking(id: &Value, tool: &str, arguments: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

#[test]
fn what_is_cancelled_ends_and_is_not_answered() {
    let search = json!({"name": "a", "action": "search", "query": "x"});
    let cancel =
        |id: Value| json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
    let begun = Instant::now();
    let answers = recorded(&[
        asking(&json!("running"), "crate_source", &search),
        asking(&json!(7), "start", &json!({})),
        asking(&json!(8), "start", &json!({})),
        cancel(json!(7)),
        cancel(json!("running")),
        cancel(json!("never asked")),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled"}),
        asking(&json!(7), "start", &json!({})),
    ]);
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&json!(8), &json!(7)], "an id that is used again is a new question");
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_client_that_offers_roots_is_asked_and_tools_wait_for_its_answer() {
    let hello = |capabilities: Value| {
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities});
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
    };
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let call = asking(&json!(1), "start", &json!({}));
    let ping = json!({"jsonrpc": "2.0", "id": 2, "method": "ping"});
    let roots = json!({"roots": [{"uri": "file:///a%20b"}, {"uri": "https://x"}]});
    let told = json!({"jsonrpc": "2.0", "id": "symposium-roots", "result": roots});
    let answers =
        recorded(&[hello(json!({"roots": {}})), initialized.clone(), call.clone(), ping.clone(), told.clone()]);
    assert_eq!(answers[1], json!({"jsonrpc": "2.0", "id": "symposium-roots", "method": "roots/list"}));
    assert_eq!(answers[2]["result"]["content"][0]["text"], r#"["/a b"]"#, "the answer came after the call");
    assert_eq!(answers[3]["id"], 2);
    assert_eq!(answers.len(), 4);

    let refused = json!({"jsonrpc": "2.0", "id": "symposium-roots", "error": {"code": -32601, "message": "no"}});
    let changed = json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"});
    let answers = recorded(&[hello(json!({"roots": {}})), initialized.clone(), refused, call.clone(), changed, told]);
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&json!(0), &json!("symposium-roots"), &json!(1), &json!("symposium-roots")]);

    // A client that offers no roots is not asked.
    let answers = recorded(&[hello(json!({})), initialized, call]);
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[1]["result"]["content"][0]["text"], "[]");
}
