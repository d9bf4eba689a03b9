//! Whose toolchain `autofmt` uses: the user's own, or the project's once a person agreed to it.

use serde_json::json;
use symposium_testkit::TestContext;

use crate::{set_mode, with_fixture};

const STABLE: &str = "stable-x86_64-unknown-linux-gnu";
const ASKED_FOR: &str = "1.75.0-x86_64-unknown-linux-gnu";

/// A project with `autofmt` on, a rustup with two toolchains, and a `rustfmt` that writes down how it was started.
fn project() -> TestContext {
    let mut context = with_fixture(&["workspace0"]);
    let (bin, rustup) = (context.root().join("bin"), context.root().join("rustup"));
    std::fs::create_dir_all(&bin).unwrap();
    let seen = context.root().join("seen").display().to_string();
    std::fs::write(bin.join("rustfmt"), format!("#!/bin/sh\necho \"$RUSTUP_TOOLCHAIN in $PWD\" > {seen}\ncat\n"))
        .unwrap();
    set_mode(&bin.join("rustfmt"), 0o755);
    for name in [STABLE, ASKED_FOR, "1.76.0-x86_64-unknown-linux-gnu"] {
        std::fs::create_dir_all(rustup.join("toolchains").join(name).join("bin")).unwrap();
        std::fs::write(rustup.join("toolchains").join(name).join("bin/rustfmt"), "").unwrap();
    }
    std::fs::create_dir_all(rustup.join("toolchains/1.77.0-x86_64-unknown-linux-gnu/bin")).unwrap();
    std::fs::write(rustup.join("settings.toml"), format!("default_toolchain = \"{STABLE}\"\n")).unwrap();
    context.set("RUSTUP_HOME", rustup.to_str().unwrap());
    context.set("PATH", &format!("{}:{}", bin.display(), std::env::var("PATH").unwrap()));
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n[defaults]\nsymposium-recommendations = false\n");
    context.write("rust-toolchain.toml", "[toolchain]\nchannel = \"1.75.0\"\n");
    context.invoke(&["sync"]).expect(0);
    context.invoke(&["on", "autofmt"]).expect(0);
    context
}

/// The toolchain that formats after a write.
#[track_caller]
fn used(context: &TestContext) -> String {
    context.write("src/lib.rs", "fn a() {}\n");
    let event = json!({"session_id": "s", "transcript_path": "/t", "permission_mode": "default", "cwd": context.workspace(),
        "tool_name": "Write", "tool_input": {"file_path": context.workspace().join("src/lib.rs"), "content": "x"}, "tool_response": {}});
    let seen = context.root().join("seen");
    let _ = std::fs::remove_file(&seen);
    context.invoke_hook("claude", "post-tool-use", &event.to_string()).expect(0);
    let seen = std::fs::read_to_string(seen).unwrap();
    let (toolchain, place) = seen.trim().split_once(" in ").unwrap();
    assert!(!place.starts_with(context.workspace().to_str().unwrap()), "{place}");
    toolchain.to_owned()
}

#[test]
fn the_projects_toolchain_is_used_after_a_yes_and_while_it_is_what_was_agreed_to() {
    let context = project();
    assert_eq!(used(&context), STABLE);
    let shown = context.invoke(&["trust", "--show"]).expect(0);
    for expected in ["rust-toolchain.toml of source the project itself: untrusted", "toolchain 1.75.0", "sha256"] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    assert_eq!(context.invoke(&["trust"]).code, 2, "a grant needs confirmation");
    assert_eq!(used(&context), STABLE);
    let granted = context.invoke(&["trust", "--yes"]).expect(0);
    assert!(granted.contains("Granted with its present content: `rust-toolchain.toml`"), "{granted}");
    assert_eq!(used(&context), ASKED_FOR);

    context.write("rust-toolchain.toml", "[toolchain]\nchannel = \"1.76.0\"\n");
    assert_eq!(used(&context), STABLE, "it is not what was agreed to");
    let shown = context.invoke(&["trust", "--show"]).expect(0);
    assert!(shown.contains("- channel = \"1.75.0\"") && shown.contains("+ channel = \"1.76.0\""), "{shown}");
    context.write("rust-toolchain.toml", "[toolchain]\nchannel = \"1.75.0\"\n");
    assert_eq!(used(&context), ASKED_FOR);
    context.invoke(&["trust", "--revoke", "--yes"]).expect(0);
    assert_eq!(used(&context), STABLE);
}

#[test]
fn a_toolchain_that_is_not_installed_or_lies_at_a_path_is_never_used() {
    let context = project();
    // Not installed; installed without rustfmt; older form.
    for (text, expected) in [
        ("[toolchain]\nchannel = \"1.70.0\"\n", STABLE),
        ("[toolchain]\nchannel = \"1.77.0\"\n", STABLE),
        ("[toolchain]\nchannel = \"1.76.0\"\n", "1.76.0-x86_64-unknown-linux-gnu"),
    ] {
        context.write("rust-toolchain.toml", text);
        context.invoke(&["trust", "--yes"]).expect(0);
        assert_eq!(used(&context), expected, "{text}");
    }
    let evil = context.workspace().join("evil").display().to_string();
    context.write("rust-toolchain.toml", format!("[toolchain]\npath = \"{evil}\"\n"));
    let shown = context.invoke(&["trust", "--yes"]).expect(0);
    assert!(shown.contains("blocked") && shown.contains("by its path"), "{shown}");
    assert_eq!(used(&context), STABLE);
    context.write("rust-toolchain", "1.75.0\n");
    context.invoke(&["trust", "--yes"]).expect(0);
    assert_eq!(used(&context), ASKED_FOR, "rustup looks there first");
    let config = "[agent]\nname = \"claude\"\n[trust]\nprojects = \"never\"\n";
    context.write_config("config.toml", config);
    assert_eq!(used(&context), STABLE);
}

#[test]
fn where_nothing_is_formatted_nothing_is_asked() {
    let context = project();
    context.invoke(&["off", "autofmt"]).expect(0);
    assert_eq!(context.invoke(&["trust"]).expect(0), "No plugin here needs a grant.\n");
    std::fs::remove_file(context.workspace().join("rust-toolchain.toml")).unwrap();
    context.invoke(&["on", "autofmt"]).expect(0);
    assert_eq!(context.invoke(&["trust"]).expect(0), "No plugin here needs a grant.\n");
}
