//! `symposium mcp` and clients that do not do as they should.

use std::io::Write;

use serde_json::{Value, json};

use crate::crate_source::{in_cache, two_rands};
use crate::mcp::Server;
use crate::with_fixture;

#[test]
fn bad_frames_are_answered_and_the_server_stays() {
    let context = with_fixture(&["workspace0"]);
    let mut server = Server::start(&context);
    for (line, code) in [
        ("Content-Length: 52".to_owned(), -32700),
        ("{\"jsonrpc\":".to_owned(), -32700),
        ("[".repeat(200_000), -32700),
        ("[]".to_owned(), -32600),
        ("null".to_owned(), -32600),
        (format!("\"{}\"", "x".repeat(5 * 1024 * 1024)), -32600),
    ] {
        server.send(&line);
        let answer = server.receive();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(code)), "{answer}");
    }
    server.send(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"x"}]"#);
    let batch = server.receive();
    assert_eq!((&batch[0]["id"], &batch[1]["error"]["code"]), (&json!(1), &json!(-32601)), "{batch}");
    server.send("");
    assert_eq!(server.ask("ping", json!({}))["result"], json!({}));
    server.end();
}

#[test]
fn a_client_may_ask_everything_before_it_reads_anything() {
    let context = with_fixture(&["workspace0"]);
    let mut server = Server::start(&context);
    // More answers than a pipe holds, and more questions too.
    let filler = "x".repeat(200);
    for id in 0..1000 {
        let params = json!({"filler": filler});
        server.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/list", "params": params}).to_string());
    }
    for id in 0..1000 {
        assert_eq!(server.receive()["id"], id);
    }
    server.end();
}

#[test]
fn a_client_that_disappears_is_a_good_end() {
    let context = with_fixture(&["workspace0"]);
    let Server { mut child, mut input, output } = Server::start(&context);
    drop(output);
    let _ = writeln!(input, r#"{{"jsonrpc":"2.0","id":1,"method":"ping"}}"#);
    // The pipe to the server is still open.
    assert_eq!(child.wait().unwrap().code(), Some(0));
    drop(input);
}

#[test]
fn probing_before_initialize_is_answered_and_the_session_goes_on() {
    let context = with_fixture(&["workspace0"]);
    let mut server = Server::start(&context);
    let meta = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}});
    assert_eq!(server.ask("server/discover", meta)["error"]["code"], -32601);
    server.send(r#"{"jsonrpc":"2.0","method":"notifications/whatever"}"#);
    assert_eq!(server.initialize("copilot")["protocolVersion"], "2025-06-18");
    assert_eq!(server.ask("resources/list", json!({}))["error"]["code"], -32601);
    server.end();
}

#[test]
fn a_thousand_calls_in_flight_are_all_answered() {
    let context = two_rands();
    let mut server = Server::start(&context);
    server.initialize("test");
    let arguments = json!({"name": "rand", "action": "read", "path": "src/lib.rs"});
    for id in 0..1000 {
        let params = json!({"name": "crate_source", "arguments": arguments});
        server.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string());
    }
    let texts: Vec<Value> = (0..1000)
        .map(|id| {
            let answer = server.receive();
            assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(id), &json!(false)), "{answer}");
            answer["result"]["content"][0]["text"].clone()
        })
        .collect();
    assert!(texts.iter().all(|text| text == &texts[0]));
    server.end();
}

#[test]
fn a_call_that_is_cancelled_is_not_answered_and_the_next_one_is() {
    let context = two_rands();
    for number in 0..40 {
        let text = "a line that is searched for long\n".repeat(20_000);
        in_cache(&context, "rand-0.9.1", &format!("src/large{number}.rs"), text.as_bytes());
    }
    let mut server = Server::start(&context);
    server.initialize("test");
    let arguments = json!({"name": "rand", "action": "search", "query": "(a|b|c|d)*(long|longer)+x$"});
    let params = json!({"name": "crate_source", "arguments": arguments});
    server.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string());
    server.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}).to_string());
    for id in [1, 2] {
        let params = json!({"requestId": id, "reason": "changed my mind"});
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}).to_string());
    }
    assert_eq!(server.ask("ping", json!({}))["result"], json!({}), "nothing came before it");
    server.end();
}

#[test]
fn no_pattern_makes_anybody_wait_for_long() {
    let context = two_rands();
    let line = format!("// {}\n", "ab".repeat(4000));
    in_cache(&context, "rand-0.9.1", "src/large.rs", line.repeat(640).as_bytes());
    in_cache(&context, "rand-0.9.1", "examples/large.rs", line.repeat(640).as_bytes());
    let mut server = Server::start(&context);
    server.initialize("test");
    // As large as a pattern can be that is not refused, and as slow on this text.
    let pattern = format!("{}x", "(a|b|ab|ba)?".repeat(70));
    for action in ["search", "examples"] {
        let begun = std::time::Instant::now();
        let arguments = json!({"name": "rand", "action": action, "query": pattern});
        let (text, is_error) = server.call("crate_source", arguments);
        assert!(
            !is_error && text.contains("The search reached its time limit; the result is incomplete."),
            "{text:.300}"
        );
        // Three seconds, and time for the machine to be busy with something else.
        assert!(begun.elapsed() < std::time::Duration::from_mins(1), "{action}: {:?}", begun.elapsed());
    }
    server.end();
}

#[test]
fn bad_questions_about_source_are_answered_with_what_is_wrong() {
    let context = two_rands();
    in_cache(&context, "rand-0.9.1", "src/large.rs", "x".repeat(5 * 1024 * 1024).as_bytes());
    let mut server = Server::start(&context);
    server.initialize("test");
    for (rest, is_no, part) in [
        (
            json!({"action": "read", "path": "../rand-0.8.5/src/lib.rs"}),
            true,
            "is not in the directory of `rand` 0.9.1",
        ),
        (json!({"action": "read", "path": "/etc/passwd"}), true, "is not in the directory of"),
        (json!({"action": "read", "path": "logo.png"}), true, "is not text"),
        (json!({"action": "read"}), true, "The path of the file is missing"),
        (json!({"action": "read", "path": "src"}), false, "src/lib.rs ("),
        (json!({"action": "read", "path": "src/large.rs"}), false, "more bytes]"),
        (json!({"action": "search"}), true, "The search pattern is missing"),
        (json!({"action": "search", "query": "(x+x+)+y"}), false, "no line matches"),
        (json!({"action": "search", "query": "(((x{100}){100}){100})"}), true, "is not a valid pattern"),
        (json!({"action": "list", "version": "7"}), true, "Cargo.lock has `0.8.5` and `0.9.1`"),
    ] {
        let mut arguments = rest.clone();
        arguments["name"] = json!("rand");
        let (text, is_error) = server.call("crate_source", arguments);
        assert!(text.contains(part), "{rest}: {text:.300}");
        assert_eq!(is_error, is_no, "{rest}");
        assert!(text.len() < 100_000, "{rest}");
    }
    server.end();
}
