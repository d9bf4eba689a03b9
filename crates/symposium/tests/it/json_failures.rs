//! `--json` when a command fails: still one document, and it says why.

use serde_json::Value;
use symposium_testkit::{Output, TestContext};

use crate::with_fixture;

/// The one document of a run, whatever else was said.
#[track_caller]
fn document(args: &[&str], output: &Output) -> Value {
    let document: Value = serde_json::from_str(&output.stdout)
        .unwrap_or_else(|error| panic!("{args:?}: {error} in:\n{}\n{}", output.stdout, output.stderr));
    assert_eq!(document["version"], 1, "{args:?}: {document}");
    document
}

/// Runs a command that fails, and gives back what its document says about that.
#[track_caller]
fn errors(context: &TestContext, args: &[&str], code: i32) -> Vec<Value> {
    let args = [args, &["--json"]].concat();
    let output = context.invoke(&args);
    let document = document(&args, &output);
    assert_eq!(output.code, code, "{args:?}:\n{}\n{}", output.stdout, output.stderr);
    let errors = document["errors"].as_array().cloned().unwrap_or_default();
    assert!(!errors.is_empty(), "{args:?} does not say why:\n{document:#}\n{}", output.stderr);
    for error in &errors {
        let message = error["message"].as_str().unwrap();
        // People read it after `error: `, in lower case.
        let (said, message) = (output.stderr.to_lowercase(), message.lines().next().unwrap().to_lowercase());
        assert!(said.contains(&message), "{message:?} in:\n{said}");
    }
    errors
}

#[test]
fn a_command_that_cannot_do_anything_says_why_in_its_document() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let found = errors(&context, &["plugin", "sync"], 3);
    assert_eq!(found[0]["message"], "Nothing was fetched, because Symposium is offline");
    assert_eq!(found[0]["help"], "remove `--offline`, or unset SYMPOSIUM_OFFLINE and CARGO_NET_OFFLINE");
    for (code, args) in [
        (1, &["plugin", "sync", "nowhere"][..]),
        (1, &["plugin", "show", "nowhere"]),
        (1, &["plugin", "validate", "src"]),
        (2, &["plugin", "validate", "nowhere"]),
        (2, &["plugin", "new", "not a name"]),
        (1, &["skill", "check", "src"]),
        (2, &["skill", "check", "nowhere"]),
        (2, &["crate", "not a name"]),
        (2, &["crate", "serde", "--version", "x"]),
        (1, &["why", "nowhere"]),
        (1, &["hook", "test", "nowhere"]),
        (2, &["hook", "test", "--agent", "nobody"]),
        (2, &["doctor", "--agent", "nobody"]),
        (2, &["trust", "nowhere"]),
        (2, &["init"]),
        (2, &["init", "--agent", "nobody"]),
        (1, &["on", "nowhere"]),
        (1, &["off", "nowhere"]),
        (2, &["import", "--from", "nobody"]),
        (3, &["sync", "--locked"]),
        (1, &["sync", "--restore", "nowhere"]),
        (3, &["self-update", "--check"]),
        (3, &["self-update", "--yes"]),
    ] {
        errors(&context, args, code);
    }
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    errors(&context, &["uninstall"], 2);
}

#[test]
fn a_broken_configuration_is_in_every_document() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write(".symposium/config.toml", "[skills\n");
    for (code, args) in [
        (3, &["status"][..]),
        (3, &["sync"]),
        (3, &["sync", "--dry-run"]),
        (3, &["start"]),
        (3, &["plugin", "list"]),
        (3, &["plugin", "show", "serde-plugin"]),
        (3, &["crate", "--list"]),
        (3, &["crate", "serde"]),
        (3, &["why", "serde"]),
        (3, &["hook", "list"]),
        (3, &["trust", "--show"]),
        (3, &["config", "show"]),
        (3, &["config", "path"]),
        (3, &["on", "serde"]),
        (3, &["off", "--all"]),
        (3, &["init", "--yes", "--agent", "claude"]),
        (3, &["uninstall", "--yes"]),
    ] {
        let found = errors(&context, args, code);
        assert_eq!(found[0]["path"], "$WORKSPACE/.symposium/config.toml", "{args:?}");
        assert_eq!(found[0]["line"], 1, "{args:?}");
    }
    // What is hinted at besides is not about the error.
    let found = errors(&context, &["sync", "--update"], 3);
    assert!(!found[0]["help"].as_str().unwrap_or_default().contains("--lock"), "{found:?}");
}

#[test]
fn without_a_home_there_is_still_a_document() {
    let context = with_fixture(&["workspace0"]);
    // Without the variable at all, the home would be that of whoever runs the test.
    let without = ["env", "-u", "SYMPOSIUM_HOME", "HOME=nowhere"];
    for args in [
        &["status"][..],
        &["sync"],
        &["init", "--yes"],
        &["start"],
        &["plugin", "list"],
        &["plugin", "sync"],
        &["plugin", "show", "x"],
        &["crate", "--list"],
        &["why", "x"],
        &["hook", "list"],
        &["hook", "log"],
        &["doctor"],
        &["trust"],
        &["config", "show"],
        &["on", "x"],
        &["import", "--from", "claude"],
        &["uninstall", "--yes"],
        &["self-update"],
    ] {
        let args = [args, &["--json"]].concat();
        let output = context.invoke_through(&without, &args);
        let found = &document(&args, &output)["errors"][0];
        assert_eq!(found["message"], "There is no home directory for the configuration", "{args:?}");
        assert_eq!(output.code, 3, "{args:?}");
    }
}

#[test]
fn a_wrong_command_line_has_a_document_too() {
    let context = with_fixture(&["workspace0"]);
    let found = errors(&context, &["status", "--jsonn"], 2);
    assert!(found[0]["message"].as_str().unwrap().starts_with("unexpected argument '--jsonn'"), "{found:?}");
    let output = context.invoke(&["status", "--jsonn"]);
    assert_eq!((output.code, output.stdout.as_str()), (2, ""), "nobody asked for a document");
}

#[test]
fn a_fault_of_a_source_that_costs_only_itself_is_in_the_document() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write_config("plugins/torn/symposium.toml", "name = \n");
    for args in [&["status"][..], &["sync"], &["hook", "list"], &["why", "serde"], &["crate", "--list"]] {
        let found = errors(&context, args, 3);
        assert_eq!(found[0]["path"], "$CONFIG_DIR/plugins/torn/symposium.toml", "{args:?}");
    }
}

#[test]
fn a_document_names_no_credentials() {
    let context = with_fixture(&["workspace0"]);
    context.write_config(
        "config.toml",
        "[[plugin-source]]\nname = \"x\"\ngit = \"https://me:hunter2@example.invalid/x y\"\n",
    );
    for args in [&["plugin", "sync", "--json"][..], &["status", "--json"], &["config", "show", "--json"]] {
        let output = context.invoke(args);
        assert!(!output.stdout.contains("hunter2"), "{args:?}: {}", output.stdout);
    }
}
