//! The project's configuration in a team: it merges, a conflict in it is said once, and what it demands counts.

use crate::with_fixture;

fn project(context: &symposium_testkit::TestContext) -> String {
    std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap()
}

/// Two branches that each add a dependency touch different lines.
#[test]
fn new_toggles_stand_where_the_alphabet_puts_them() {
    let context = with_fixture(&["workspace0"]);
    context.write(".symposium/config.toml", "[skills]\nserde = true\n");
    context.invoke(&["sync"]).expect(0);
    assert!(project(&context).contains("[skills]\nserde = true\ntokio = true\n"), "{}", project(&context));
    context.write(".symposium/config.toml", "# ours\n[skills]\n# async\ntokio = false\n\n[workflows]\nrtk = false\n");
    context.invoke(&["sync"]).expect(0);
    assert_eq!(
        project(&context),
        "# ours\n[skills]\nserde = true\n# async\ntokio = false\n\n[workflows]\nautofmt = false\nrtk = false\n"
    );
}

#[test]
fn a_merge_conflict_in_the_configuration_is_one_error() {
    let context = with_fixture(&["workspace0"]);
    context.write(
        ".symposium/config.toml",
        "[skills]\n<<<<<<< HEAD\nserde = true\n=======\ntokio = true\n>>>>>>> other\n",
    );
    let shown = context.invoke(&["sync"]);
    assert_eq!(shown.code, 3);
    assert_eq!(shown.stderr.matches("error: ").count(), 1, "{}", shown.stderr);
    assert!(shown.stderr.contains("nresolved merge conflict"), "{}", shown.stderr);
    assert!(shown.stderr.contains("keep the lines that you want from both sides"), "{}", shown.stderr);
    // So it is in a manifest and in the user's own file.
    context.write(".symposium/config.toml", "");
    context.write_config("config.toml", "<<<<<<< HEAD\n=======\n>>>>>>> other\n");
    let shown = context.invoke(&["status"]);
    assert_eq!(shown.stderr.matches("error: ").count(), 1, "{}", shown.stderr);
}

#[test]
fn a_version_that_a_project_requires_stops_what_would_write_to_it() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--user", "--yes", "--agent", "claude"]).expect(0);
    context.write(".symposium/config.toml", "required-version = \">=99\"\n");
    let before = context.tree(context.workspace());
    for args in [
        &["sync"][..],
        &["sync", "--check"],
        &["init", "--yes", "--agent", "claude"],
        &["init", "--project", "--yes"],
        &["off", "serde"],
        &["on", "serde"],
        &["off", "serde", "--dry-run"],
    ] {
        let shown = context.invoke(args);
        assert_eq!(shown.code, 3, "{args:?} {shown:?}");
        assert!(shown.stderr.contains(">=99") && shown.stderr.contains(env!("CARGO_PKG_VERSION")), "{}", shown.stderr);
        assert!(shown.stderr.contains("`symposium self-update`"), "{}", shown.stderr);
    }
    assert_eq!(context.tree(context.workspace()), before);
    let status = context.invoke(&["status"]);
    assert_eq!(status.code, 0);
    assert!(status.stderr.contains(">=99"), "{}", status.stderr);
    // The person's own part is none of the project's business, and hooks go on.
    context.invoke(&["init", "--user", "--yes", "--agent", "claude"]).expect(0);
    context.invoke_hook("claude", "session-start", "{}").expect(0);
}

/// What a file that cannot be read says is unknown, not the default.
#[test]
fn with_a_broken_configuration_of_the_user_no_toggles_are_made_up() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\nsync-default = false\n\n[logging\n");
    let shown = context.invoke(&["sync"]);
    assert_eq!(shown.code, 3);
    assert!(!context.workspace().join(".symposium/config.toml").exists(), "{shown:?}");
    context.write(".symposium/config.toml", "[skills]\nserde = true\n");
    let _ = context.invoke(&["sync"]);
    assert_eq!(project(&context), "[skills]\nserde = true\n");
}

#[test]
fn a_misspelled_agent_of_the_project_is_not_called_missing() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.write(".symposium/config.toml", "[agent]\nname = \"cluade\"\n");
    for args in [&["sync"][..], &["status"], &["off", "serde"]] {
        let shown = context.invoke(args);
        assert!(shown.stderr.contains("did you mean `claude`?"), "{args:?}: {}", shown.stderr);
        assert!(!shown.stderr.contains("o agent is configured"), "{args:?}: {}", shown.stderr);
    }
}
