//! The `deps` workflow, through `symposium hook` and cargo's index cache on disk.

use std::path::PathBuf;

use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::cargo::payload;
use crate::with_fixture;

/// A version of the index: its number, features, and more keys of its line.
type IndexVersion<'v> = (&'v str, &'v [&'v str], Value);

/// Writes the file of a crate as cargo does.
fn index(context: &TestContext, registry: &str, name: &str, versions: &[IndexVersion<'_>]) -> PathBuf {
    let mut bytes = vec![3];
    bytes.extend(2_u32.to_le_bytes());
    bytes.extend(b"etag: x\0");
    for (version, features, more) in versions {
        let features: serde_json::Map<String, Value> =
            features.iter().map(|feature| ((*feature).to_owned(), json!([]))).collect();
        let mut line =
            json!({"name": name, "vers": version, "deps": [], "cksum": "0", "features": features, "yanked": false});
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        bytes.extend(format!("{version}\0{line}\0").as_bytes());
    }
    let below = match name.len() {
        1 | 2 => format!("{}/{name}", name.len()),
        3 => format!("3/{}/{name}", name.get(..1).unwrap()),
        _ => format!("{}/{}/{name}", name.get(..2).unwrap(), name.get(2..4).unwrap()),
    };
    let file = context.root().join("cargo-home/registry/index").join(registry).join(".cache").join(below);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, bytes).unwrap();
    file
}

const CRATES_IO: &str = "index.crates.io-1949cf8c6b5b557f";

/// A workspace beside an index of a few crates.
fn with_index() -> TestContext {
    let context = with_fixture(&["workspace0"]);
    let plain = || json!({});
    let serde = ["default", "derive", "std", "rc", "alloc"];
    let optional = json!({"deps": [{"name": "tinyvec_dep", "req": "1", "optional": true, "default_features": true,
        "features": [], "target": null, "kind": "normal"}]});
    let yanked = || json!({"yanked": true});
    index(
        &context,
        CRATES_IO,
        "serde",
        &[("0.9.15", &["default"], plain()), ("1.0.200", &serde, plain()), ("1.0.219", &serde, plain())],
    );
    index(&context, CRATES_IO, "serde_json", &[("1.0.140", &["default", "std", "preserve_order"], plain())]);
    let tokio = ["default", "full", "rt", "rt-multi-thread", "macros", "net"];
    index(
        &context,
        CRATES_IO,
        "tokio",
        &[("0.2.25", &["default", "full"], plain()), ("1.44.1", &tokio, json!({"rust_version": "1.70"}))],
    );
    index(
        &context,
        CRATES_IO,
        "rand",
        &[("0.8.5", &["default", "small_rng"], plain()), ("0.9.1", &["default", "thread_rng"], plain())],
    );
    index(&context, CRATES_IO, "bad", &[("1.0.0", &[], yanked()), ("1.0.1", &[], yanked()), ("2.0.0", &[], plain())]);
    index(&context, CRATES_IO, "newrust", &[("1.0.0", &[], json!({"rust_version": "1.99"}))]);
    index(&context, CRATES_IO, "optional", &[("1.0.0", &[], optional)]);
    index(&context, CRATES_IO, "log", &[("0.4.27", &["std", "kv"], plain())]);
    index(&context, "private-0123456789abcdef", "inhouse", &[("1.0.0", &[], plain())]);
    let broken = index(&context, CRATES_IO, "broken", &[("1.0.0", &[], plain())]);
    std::fs::write(broken, b"\x09what").unwrap();
    context
}

const MANIFEST: &str = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\nrust-version = \"1.85\"\n\n[dependencies]\nserde = \"1.0\"\ntokio = { version = \"1.40\", features = [\"full\"] }\n";

fn pre(context: &TestContext, tool: &str, input: Value) -> Value {
    let mut event = payload(context, "claude/PreToolUse.Bash.json");
    event["tool_name"] = tool.into();
    event["tool_input"] = input;
    let text = context.invoke_hook("claude", "pre-tool-use", &event.to_string()).expect(0);
    if text.is_empty() {
        Value::Null
    } else {
        serde_json::from_str::<Value>(&text).unwrap()["hookSpecificOutput"].clone()
    }
}

/// Shows an answer in a few words: `deny: …`, `note: …` or nothing.
fn short(answer: &Value) -> String {
    let text = |key: &str| answer.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    match (text("permissionDecision").as_str(), text("additionalContext")) {
        ("deny", _) => format!("deny: {}", text("permissionDecisionReason")),
        (_, context) if !context.is_empty() => format!("note: {context}"),
        _ => String::new(),
    }
}

#[track_caller]
#[expect(clippy::print_stdout, reason = "`--nocapture` shows the verdicts")]
fn assert_verdict(said: &str, expected: &str, about: &str) {
    let fits = match expected.split_once(": ") {
        Some((kind, words)) => said.starts_with(kind) && said.contains(words),
        None => said == expected,
    };
    println!("{:70} {}", about.replace('\n', " "), if said.is_empty() { "-" } else { said });
    assert!(fits, "{about}\n  expected: {expected}\n  said:     {said}");
}

#[test]
fn cargo_add() {
    let context = with_index();
    context.write("Cargo.toml", MANIFEST);
    for (command, expected) in [
        // Nothing to say.
        ("cargo add serde", ""),
        ("cargo add serde --features derive", ""),
        ("cargo add serde@1 --features derive,rc", ""),
        ("cargo add serde_json --features preserve_order", ""),
        ("cargo add log --features std,kv", ""),
        ("cargo add optional --features tinyvec_dep", ""),
        ("cargo add tokio --features full --no-default-features", ""),
        ("cargo add --dev log", ""),
        ("cd src && cargo add log", ""),
        ("cargo add bad@2", ""),
        ("cargo add unheard-of-crate --features whatever", ""),
        ("cargo add unheard-of-crate@99", ""),
        ("cargo add inhouse --features nothing", ""),
        ("cargo add inhouse --registry private --features nothing", ""),
        ("cargo add serde --registry private --features nothing", ""),
        ("cargo add serde --git https://example.com/serde --features nothing", ""),
        ("cargo add --path ../serde --features nothing", ""),
        ("cargo add broken --features nothing", ""),
        ("cargo add log@0.4 --features std | tail -2", ""),
        ("cargo add log --features nothing | tail -2", ""),
        ("cargo add log --features nothing; true", ""),
        ("bash -c 'cargo add log --features nothing'", ""),
        ("cargo add log --features $FEATURES", ""),
        ("cargo add log --features nothing --config x", ""),
        ("cargo add --help", ""),
        ("cargo update", ""),
        ("echo cargo add log --features nothing", ""),
        ("cargo add tokio/x", ""),
        ("cargo add serde --features serde/derive", ""),
        // Denied.
        ("cargo add serde --features derived", "deny: did you mean `derive`?"),
        ("cargo add serde -F derived", "deny: the feature `derived`"),
        ("cargo add serde_json --features nope", "deny: `serde_json` 1.0.140 has no feature `nope`"),
        ("cargo add log --features nothing", "deny: `log` 0.4.27 has no feature `nothing`"),
        (
            "cargo add log@0.4 --features nothing 2>&1",
            "deny: no version of `log` that satisfies `0.4` has the feature `nothing`",
        ),
        ("cd src && cargo add log --features nothing", "deny: `nothing`"),
        ("CARGO_TERM_COLOR=never cargo add log --features nothing", "deny: `nothing`"),
        ("cargo +stable add log --features nothing", "deny: `nothing`"),
        ("cargo add log --features nothing --manifest-path Cargo.toml", "deny: `nothing`"),
        ("cargo add -p demo log --features nothing", "deny: `nothing`"),
        ("cargo add log@7", "deny: no version of `log` satisfies `7`"),
        ("cargo add log@7 serde", "deny: `log`"),
        ("cargo add serde log@=0.4.9", "deny: `log`"),
        ("cargo add bad@1", "deny: only yanked versions of `bad` satisfy `1`, such as 1.0.1"),
        ("cargo add bad@1.0.1", "deny: only yanked versions"),
        ("cargo add serde@latest", "deny: `latest` is not a version requirement"),
        ("cargo add rand@0.8 --features thread_rng", "deny: `thread_rng`"),
        ("cargo add tokio@1 --features rt-multithread", "deny: did you mean `rt-multi-thread`?"),
        ("cargo add serde tokio --features serde/derive,tokio/ful", "deny: did you mean `full`?"),
        // Told.
        ("cargo add rand@0.8", "note: `rand` 0.9.1 is out"),
        ("cargo add newrust", "note: needs Rust 1.99"),
        ("cargo add newrust@1", "note: but the workspace requires only 1.85"),
        ("cargo add serde@0.9", "note: the workspace already has `serde` 1.0.219"),
        ("cargo add serde_jsom", "note: did you mean `serde_json`?"),
        ("cargo add tokoi", "note: did you mean `tokio`?"),
        ("cargo add lg", ""),
    ] {
        assert_verdict(&short(&pre(&context, "Bash", json!({"command": command}))), expected, command);
    }
}

#[test]
fn changes_of_a_manifest() {
    let context = with_index();
    context.write("Cargo.toml", MANIFEST);
    let file = context.workspace().join("Cargo.toml");
    let file = file.to_str().unwrap();
    for (added, expected) in [
        ("log = \"0.4\"", ""),
        ("log = { version = \"0.4\", features = [\"std\"] }", ""),
        ("log = \"*\"", ""),
        ("unheard = \"9\"", ""),
        ("inhouse = { version = \"9\", registry = \"private\" }", ""),
        ("log = { git = \"https://example.com\", features = [\"nothing\"] }", ""),
        ("log = { path = \"../log\", version = \"9\" }", ""),
        ("log = { workspace = true }", ""),
        ("mylog = { package = \"log\", version = \"0.4\" }", ""),
        ("broken = \"9\"", ""),
        ("log = { version = \"0.4\", features = [\"nothing\"] ", ""),
        ("log = 7", ""),
        ("\n[features]\nextra = []", ""),
        ("\n[patch.crates-io]\nlog = { path = \"../log\" }\n\n[dev-dependencies]\nlog = \"9\"", ""),
        ("log = \"9\"", "deny: no version of `log` satisfies `9`"),
        ("mylog = { package = \"log\", version = \"9\" }", "deny: no version of `log` satisfies `9`"),
        ("log = { version = \"0.4\", features = [\"nothing\"] }", "deny: the feature `nothing`"),
        ("log = { version = \"0.4\", features = [\"kv\", \"stdd\"] }", "deny: did you mean `std`?"),
        ("bad = \"1\"", "deny: only yanked versions"),
        ("\n[dev-dependencies]\nlog = \"9\"", "deny: `9`"),
        ("\n[build-dependencies.log]\nversion = \"9\"", "deny: `9`"),
        ("\n[target.'cfg(unix)'.dependencies]\nlog = \"=0.4.1\"", "deny: `=0.4.1`"),
        ("\n[workspace.dependencies]\nlog = \"9\"", "deny: `9`"),
        (
            "\n[workspace.dependencies]\nlog = \"0.4\"\n\n[dev-dependencies]\nlog = { workspace = true, features = [\"nothing\"] }",
            "deny: `nothing`",
        ),
        ("log = \"latest\"", "deny: `latest` is not a version requirement"),
        ("rand = \"0.8\"", "note: `rand` 0.9.1 is out"),
        ("newrust = \"1\"", "note: 1.99"),
        ("serdee = \"1\"", "note: did you mean `serde`?"),
    ] {
        let new = format!("{MANIFEST}{added}\n");
        let written = pre(&context, "Write", json!({"file_path": file, "content": new}));
        assert_verdict(&short(&written), expected, &format!("write {added}"));
        let last = "tokio = { version = \"1.40\", features = [\"full\"] }\n";
        let edit = json!({"file_path": file, "old_string": last, "new_string": format!("{last}{added}\n")});
        assert_verdict(&short(&pre(&context, "Edit", edit)), expected, &format!("edit {added}"));
    }
    let same = pre(&context, "Write", json!({"file_path": file, "content": MANIFEST.replace("0.1.0", "0.2.0")}));
    assert_verdict(&short(&same), "", "no dependency changes");
    let removed = json!({"file_path": file, "old_string": "serde = \"1.0\"\n", "new_string": ""});
    assert_verdict(&short(&pre(&context, "Edit", removed)), "", "one less");
    let changed = json!({"file_path": file, "old_string": "\"1.40\"", "new_string": "\"1.90\""});
    assert_verdict(&short(&pre(&context, "Edit", changed)), "deny: no version of `tokio` satisfies `1.90`", "changed");
    let other = context.workspace().join("README.md");
    let other = json!({"file_path": other, "content": "[dependencies]\nlog = \"9\"\n"});
    assert_verdict(&short(&pre(&context, "Write", other)), "", "another file");
    context.write("Cargo.toml", format!("{MANIFEST}log = \"9\"\n"));
    let old = json!({"file_path": file, "content": format!("{MANIFEST}log = \"9\"\n# more\n")});
    assert_verdict(&short(&pre(&context, "Write", old)), "", "it was wrong before");
}

#[test]
fn what_is_old_or_comes_from_elsewhere_is_never_denied() {
    let context = with_index();
    context.write("Cargo.toml", MANIFEST);
    let add = |context: &TestContext, command: &str| short(&pre(context, "Bash", json!({"command": command})));
    let log = index(&context, CRATES_IO, "log", &[("0.4.27", &["std"], json!({}))]);
    let old = std::time::SystemTime::now() - std::time::Duration::from_hours(30 * 24);
    std::fs::File::options().write(true).open(&log).unwrap().set_modified(old).unwrap();
    assert_verdict(&add(&context, "cargo add log --features new"), "note: according to cargo's local index", "old");
    assert_verdict(&add(&context, "cargo add log@0.5"), "note: according to cargo's local index", "old");
    assert_verdict(&add(&context, "cargo add log@=0.3.1"), "deny: no version of `log`", "no later version is =0.3.1");
    context.write(".cargo/config.toml", "[patch.crates-io]\nserde = { path = \"../serde\" }\n");
    assert_verdict(&add(&context, "cargo add serde --features own"), "", "patched");
    assert_verdict(&add(&context, "cargo add rand@0.8 --features own"), "deny: own", "not patched");
    context.write(".cargo/config.toml", "[source.crates-io]\nreplace-with = \"mirror\"\n");
    index(&context, "mirror-0123456789abcdef", "rand", &[("0.8.9", &["own"], json!({}))]);
    assert_verdict(&add(&context, "cargo add rand@0.8 --features own"), "note: 0.9.1 is out", "the mirror has it");
    let bare = with_fixture(&["workspace0"]);
    assert_verdict(&add(&bare, "cargo add log@99"), "", "no index at all");
}

#[test]
fn members_follow_their_workspace() {
    let context = with_index();
    context.write("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n\n[workspace.package]\nrust-version = \"1.60\"\n\n[workspace.dependencies]\nlog = \"0.4\"\n");
    context.write("a/Cargo.toml", "[package]\nname = \"a\"\nrust-version.workspace = true\n\n[dependencies]\n");
    let file = context.workspace().join("a/Cargo.toml");
    let add = |line: &str| json!({"file_path": file, "old_string": "[dependencies]\n", "new_string": format!("[dependencies]\n{line}\n")});
    assert_verdict(&short(&pre(&context, "Edit", add("log.workspace = true"))), "", "inherited");
    let wrong = add("log = { workspace = true, features = [\"nothing\"] }");
    assert_verdict(
        &short(&pre(&context, "Edit", wrong)),
        "deny: no version of `log` that satisfies `0.4`",
        "inherited",
    );
    assert_verdict(&short(&pre(&context, "Edit", add("missing.workspace = true"))), "", "cargo says it");
    let said = short(&pre(&context, "Bash", json!({"command": "cd a && cargo add log --features nothing"})));
    assert_verdict(&said, "deny: nothing", "cargo add takes the entry of the workspace");
    let said = short(&pre(&context, "Bash", json!({"command": "cargo add -p a tokio@1"})));
    assert_verdict(&said, "note: but the workspace requires only 1.60", "the workspace's version of Rust");
}

#[test]
fn every_agent_is_refused_in_its_own_words() {
    let context = with_index();
    context.write("Cargo.toml", MANIFEST);
    let command = "cargo add log --features nothing";
    let reason = "`log` 0.4.27 has no feature `nothing`";
    for (agent, file, input) in [
        ("claude", "claude/PreToolUse.Bash.json", "/tool_input/command"),
        ("codex", "codex/PreToolUse.Bash.json", "/tool_input/command"),
        ("gemini", "gemini/BeforeTool.run_shell_command.json", "/tool_input/command"),
        ("copilot", "copilot/preToolUse.json", "/toolArgs/command"),
        ("opencode", "opencode-bridge/pre-tool-use.bash.json", "/args/command"),
        ("goose", "goose/PreToolUse.shell.json", "/tool_input/command"),
        ("cursor", "cursor/preToolUse.Shell.json", "/tool_input/command"),
        ("kiro", "kiro/preToolUse.execute_bash.json", "/tool_input/command"),
    ] {
        let mut event = payload(&context, file);
        *event.pointer_mut(input).unwrap_or_else(|| panic!("{file}")) = command.into();
        let output = context.invoke_hook(agent, "pre-tool-use", &event.to_string());
        let all = format!("{}{}", output.stdout, output.stderr);
        assert!(all.contains(reason), "{agent}: {all}");
        assert!(output.code == 2 || all.contains("deny") || all.contains("block"), "{agent}: {all}");
    }
    let mut patch = payload(&context, "codex/PreToolUse.apply_patch.json");
    patch["tool_input"]["command"] =
        "*** Begin Patch\n*** Update File: Cargo.toml\n@@\n serde = \"1.0\"\n+log = \"9\"\n*** End Patch\n".into();
    let said = context.invoke_hook("codex", "pre-tool-use", &patch.to_string()).expect(0);
    assert!(said.contains("no version of `log` satisfies `9`"), "{said}");
}

/// Cargo takes the crate from elsewhere, or another table counts: there is no opinion.
#[test]
fn what_cargo_may_take_from_elsewhere_is_not_refused() {
    let wrong = "cargo add log --features nothing";
    let said = |context: &TestContext, command: &str| short(&pre(context, "Bash", json!({"command": command})));
    let context = with_index();
    context.write("Cargo.toml", MANIFEST);
    assert_verdict(&said(&context, wrong), "deny: nothing", "the usual case");
    let member = "version = 4\n\n[[package]]\nname = \"log\"\nversion = \"0.1.0\"\n";
    context.write("Cargo.lock", member);
    assert_verdict(&said(&context, wrong), "", "a member of the workspace");
    std::fs::remove_file(context.workspace().join("Cargo.lock")).unwrap();
    context.write(".cargo/config.toml", "[registry]\ndefault = \"corp\"\n");
    assert_verdict(&said(&context, wrong), "", "another registry");
    std::fs::remove_file(context.workspace().join(".cargo/config.toml")).unwrap();
    assert_verdict(&said(&context, &format!("CARGO_REGISTRY_DEFAULT=corp {wrong}")), "", "for one call");
    let tables = format!("{MANIFEST}\n[dev-dependencies]\nlog = \"0.4\"\n\n[build-dependencies]\nlog = \"0.3\"\n");
    context.write("Cargo.toml", tables);
    assert_verdict(&said(&context, wrong), "", "two tables");
    // A lockfile in a member is a remnant.
    context.write("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n\n[patch.crates-io]\nlog = { path = \"log\" }\n");
    context.write("a/Cargo.toml", "[package]\nname = \"a\"\n");
    context.write("a/Cargo.lock", "version = 4\n");
    assert_verdict(&said(&context, &format!("cd a && {wrong}")), "", "a patch of the workspace");
}
