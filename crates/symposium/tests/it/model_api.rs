//! The worked example of the book's page on the stable model API, on payloads as Gemini CLI sends them.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::with_fixture;

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The plugin of the book, as a plugin of the user's.
fn with_example() -> TestContext {
    let context = with_fixture(&["workspace0"]);
    for entry in std::fs::read_dir(repository("book/examples/model-policy")).unwrap() {
        let entry = entry.unwrap();
        let path = context.config_dir().join("plugins/model-policy").join(entry.file_name());
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::copy(entry.path(), path).unwrap();
    }
    context
}

/// What Gemini CLI is told about an event it really raised, with another prompt or answer in it.
fn ask(context: &TestContext, event: &str, name: &str, change: impl FnOnce(&mut Value)) -> Value {
    let path = repository(&format!("crates/agents/tests/native/gemini/{name}.json"));
    let mut payload: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    payload["cwd"] = json!(context.workspace());
    change(&mut payload);
    let output = context.invoke_hook("gemini", event, &payload.to_string());
    assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{output:?}");
    if output.stdout.is_empty() { Value::Null } else { serde_json::from_str(&output.stdout).unwrap() }
}

fn prompt(text: &str) -> impl FnOnce(&mut Value) {
    move |payload: &mut Value| {
        let content = payload["llm_request"]["messages"][0]["content"].as_str().unwrap().replace("PROMPT-TEXT", text);
        payload["llm_request"]["messages"][0]["content"] = json!(content);
    }
}

#[test]
fn a_prompt_goes_to_another_model() {
    let context = with_example();
    let told = ask(&context, "BeforeModel", "BeforeModel", prompt("quick: what is a slice?"));
    // Gemini CLI drops what is not repeated of the configuration.
    let config = json!({"temperature": 0.2, "topP": 0.95, "topK": 64});
    let request = json!({"model": "gemini-2.5-flash", "config": config});
    assert_eq!(told["hookSpecificOutput"]["llm_request"], request, "{told}");
    assert_eq!(ask(&context, "BeforeModel", "BeforeModel", prompt("what is a slice?")), json!({}));
}

#[test]
fn the_model_is_not_asked_what_is_known() {
    let context = with_example();
    let told = ask(&context, "BeforeModel", "BeforeModel", prompt("Which license do we use?"));
    // The answer counts only together with the deny.
    assert_eq!(told["decision"], "deny");
    assert_eq!(told["hookSpecificOutput"]["llm_response"]["text"], "MIT or Apache-2.0");
}

#[test]
fn a_task_begins_with_fewer_tools() {
    let context = with_example();
    let ask = |text: &'static str| ask(&context, "BeforeToolSelection", "BeforeToolSelection", prompt(text));
    assert_eq!(ask("go on"), Value::Null, "even `{{}}` would change the request");
    let told = ask("review: src/lib.rs");
    let narrowed = json!({"mode": "ANY", "allowedFunctionNames": ["read_file", "grep_search", "glob"]});
    assert_eq!(told["hookSpecificOutput"]["toolConfig"], narrowed, "{told}");
    assert_eq!(ask("review: src/lib.rs"), Value::Null, "once, else the model could never come to an end");
}

#[test]
fn a_response_is_redacted() {
    let context = with_example();
    let told = ask(&context, "AfterModel", "AfterModel.final", |payload| {
        payload["llm_response"]["text"] = json!("use tok_abc123.");
        payload["llm_response"]["candidates"][0]["content"]["parts"][0] = json!("use tok_abc123.");
    });
    let response = &told["hookSpecificOutput"]["llm_response"];
    assert_eq!(response["candidates"][0]["content"]["parts"], json!(["use [redacted]."]), "{told}");
    assert_eq!(response["usageMetadata"]["totalTokenCount"], 15, "the rest stays");
    assert_eq!(ask(&context, "AfterModel", "AfterModel.final", |_| {}), json!({}));
}

#[test]
fn the_page_shows_the_plugin_that_is_tried() {
    let page = std::fs::read_to_string(repository("book/src/model-api.md")).unwrap();
    for file in ["SYMPOSIUM.toml", "route.sh", "answer.sh", "narrow.sh", "redact.sh"] {
        let text = std::fs::read_to_string(repository("book/examples/model-policy").join(file)).unwrap();
        assert!(page.contains(&text), "{file} is not in book/src/model-api.md as it is");
    }
    let example = repository("book/examples/model-policy");
    let context = with_fixture(&[]);
    let output = context.invoke(&["plugin", "validate", example.to_str().unwrap()]);
    assert!(output.stdout.contains("no problems found"), "{output:?}");
}
