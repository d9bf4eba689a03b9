//! The project's configuration in a team: it merges, a conflict in it is said once, and what it demands counts.

use crate::{bound_by_modes, git, set_mode, with_fixture};

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
        "# ours\n[skills]\nserde = true\n# async\ntokio = false\n\n[workflows]\nautofmt = false\ncargo = true\ndeps = true\nfinish = false\nrtk = false\n"
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
    let start = serde_json::json!({"session_id": "s", "source": "startup", "cwd": context.workspace()}).to_string();
    let told = context.invoke_hook("claude", "session-start", &start).expect(0);
    assert!(told.contains("`symposium self-update` to update"), "{told}");
    assert!(!told.contains("`symposium sync`"), "it would be refused: {told}");
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

/// Git keeps the lines of both sides of a configuration that Symposium created.
#[test]
fn a_new_configuration_in_a_repository_brings_the_rule_that_merges_it() {
    let rule = |context: &symposium_testkit::TestContext| {
        std::fs::read_to_string(context.workspace().join(".symposium/.gitattributes")).ok()
    };
    let in_git = || {
        let context = with_fixture(&["workspace0"]);
        git(context.workspace(), &["init", "-q"]);
        context
    };
    for args in
        [&["sync"][..], &["init", "--yes", "--agent", "claude"], &["init", "--project", "--yes", "--agent=claude"]]
    {
        let context = in_git();
        assert!(context.invoke(&[args, &["--dry-run"]].concat()).stdout.contains(".symposium/.gitattributes"));
        assert_eq!(rule(&context), None, "{args:?}");
        let shown = context.invoke(args);
        assert_eq!(shown.code, 0, "{args:?} {shown:?}");
        assert!(shown.stdout.contains(".symposium/.gitattributes"), "{args:?} {shown:?}");
        assert!(rule(&context).unwrap().ends_with("\nconfig.toml merge=union\n"), "{args:?}");
        let attribute = git(context.workspace(), &["check-attr", "merge", ".symposium/config.toml"]);
        assert!(attribute.contains("merge: union"), "{attribute}");
        // It stays with the configuration, and is never made again.
        context.invoke(&["sync"]).expect(0);
        assert!(rule(&context).is_some(), "{args:?}");
        std::fs::remove_file(context.workspace().join(".symposium/.gitattributes")).unwrap();
        context.invoke(&["sync"]).expect(0);
        context.invoke(args).expect(0);
        assert_eq!(rule(&context), None, "{args:?}");
    }
    let removed = in_git();
    removed.invoke(&["sync"]).expect(0);
    removed.invoke(&["uninstall", "--yes"]).expect(0);
    assert!(!removed.workspace().join(".symposium").exists());
    let tracked = in_git();
    tracked.invoke(&["sync"]).expect(0);
    git(tracked.workspace(), &["add", "-A"]);
    let shown = tracked.invoke(&["uninstall", "--yes"]);
    assert!(shown.stderr.contains(".symposium/.gitattributes is tracked by git and is kept"), "{shown:?}");
    assert!(rule(&tracked).is_some() && tracked.workspace().join(".symposium/config.toml").exists());
    // A file of the user, a configuration that is there, a project without git and a session start: nothing is written.
    let own = in_git();
    own.write(".symposium/.gitattributes", "* text\n");
    own.invoke(&["sync"]).expect(0);
    assert_eq!(rule(&own).as_deref(), Some("* text\n"));
    let there = in_git();
    there.write(".symposium/config.toml", "");
    there.invoke(&["sync"]).expect(0);
    assert_eq!(rule(&there), None);
    let plain = with_fixture(&["workspace0"]);
    plain.invoke(&["sync"]).expect(0);
    assert_eq!(rule(&plain), None);
    let session = in_git();
    session.invoke(&["init", "--user", "--yes", "--agent", "claude"]).expect(0);
    session.invoke_hook("claude", "session-start", "{}").expect(0);
    assert!(!session.workspace().join(".symposium").exists());
}

/// As git leaves it with that rule; every reader takes the same value, before and after `sync` keeps one line.
#[test]
fn a_skill_that_a_merge_left_twice_is_off_and_a_workflow_on() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["off", "tokio"]).expect(0);
    context.invoke(&["sync", "--lock"]).expect(0);
    let rest = "\n[workflows]\nautofmt = false\ncargo = false\ncargo = true\ndeps = true\nfinish = false\nrtk = true\n";
    let doubled = format!("[skills]\nserde = true\ntokio = true\nserde = true\ntokio = false # slow\n{rest}");
    let session = |is_doubled: bool| {
        let start = serde_json::json!({"session_id": "s", "source": "startup", "cwd": context.workspace()}).to_string();
        let told = context.invoke_hook("claude", "session-start", &start);
        assert_eq!(told.code, 0, "{told:?}");
        let told: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
        let (context, message) = (told["hookSpecificOutput"].to_string(), told["systemMessage"].to_string());
        assert!(context.contains("serde") && !context.contains("tokio"), "{context}");
        let said = "as true and as false: `tokio` is off, `cargo` is on; run `symposium sync`";
        assert_eq!(message.contains(said), is_doubled, "{message}");
    };
    let readers = || {
        let state = |args: &[&str], name: &str, word: &str| {
            let shown = context.invoke(args);
            let line = shown.stdout.lines().find(|line| line.split(' ').any(|word| word.contains(name)));
            assert!(line.is_some_and(|line| line.contains(word)), "{args:?} {name} {shown:?}");
            assert_eq!(shown.code, 0, "{shown:?}");
        };
        state(&["status"], "tokio", " off ");
        state(&["status"], "serde", " on ");
        state(&["hook", "list"], "cargo/", " on");
        let why = context.invoke(&["why", "tokio"]);
        assert!(why.stdout.contains("skill `tokio`: off"), "{why:?}");
    };
    context.write(".symposium/config.toml", &doubled);
    session(true);
    readers();
    assert_eq!(project(&context), doubled, "a session start rewrites no committed file");
    for args in [&["sync", "--check"][..], &["sync", "--locked", "--check"]] {
        assert_eq!(context.invoke(args).code, 1, "{args:?}: there is something to write");
        assert_eq!(project(&context), doubled);
    }
    let shown = context.invoke(&["sync"]);
    assert_eq!(shown.code, 0, "{shown:?}");
    for (name, state, other) in [("tokio", "off", "on"), ("cargo", "on", "off")] {
        let said = format!("`{name}` is listed twice, as true and as false, so it is {state}");
        assert_eq!(shown.stderr.matches(&said).count(), 1, "{}", shown.stderr);
        assert!(shown.stderr.contains(&format!("`symposium {other} {name}` to switch it {other}")), "{}", shown.stderr);
    }
    assert!(!shown.stderr.contains("`serde`") && !shown.stderr.contains("error"), "{}", shown.stderr);
    let merged = format!("[skills]\nserde = true\ntokio = false # slow\n{}", rest.replace("cargo = false\n", ""));
    assert_eq!(project(&context), merged);
    context.invoke(&["sync", "--check"]).expect(0);
    context.invoke(&["sync", "--locked", "--check"]).expect(0);
    assert_eq!(context.invoke(&["sync"]).stderr, "", "it is said until one line is left");
    session(false);
    readers();
    // The other commands that write keep one line too.
    for (args, tokio) in [(["off", "serde"], "false"), (["on", "tokio"], "true"), (["off", "tokio"], "false")] {
        context.write(".symposium/config.toml", &doubled);
        context.invoke(&args).expect(0);
        let text = project(&context);
        assert!(text.contains(&format!("tokio = {tokio} # slow\n")), "{args:?} {text}");
        assert_eq!((text.matches("tokio").count(), text.matches("cargo").count()), (1, 1), "{args:?} {text}");
    }
    context.write(
        ".symposium/config.toml",
        "[skills]\nserde = true\n\n[workflows]\nrtk = true\n\n[skills]\ntokio = false\n",
    );
    context.invoke(&["sync"]).expect(0);
    assert!(
        project(&context).starts_with("[skills]\nserde = true\ntokio = false\n\n[workflows]\n"),
        "{}",
        project(&context)
    );
}

/// Only toggles are merged; everything else is one error.
#[test]
fn another_key_that_a_merge_left_twice_is_one_error() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let text = "[skills]\ntokio = false\ntokio = true\n[defaults]\nbuiltin = true\nbuiltin = true\n";
    context.write(".symposium/config.toml", text);
    for args in [&["sync"][..], &["off", "serde"]] {
        let shown = context.invoke(args);
        assert_eq!(shown.code, 3, "{args:?} {shown:?}");
        let said = "`builtin` is listed twice, in lines 5 and 6";
        assert_eq!(shown.stderr.matches(said).count(), 1, "{}", shown.stderr);
        assert_eq!(shown.stderr.matches("error: ").count(), if args[0] == "off" { 2 } else { 1 }, "{}", shown.stderr);
        assert!(shown.stderr.contains("help: delete one of the two lines"), "{}", shown.stderr);
        assert_eq!(project(&context), text);
    }
    context.invoke_hook("claude", "session-start", "{}").expect(0);
}

#[test]
fn a_misspelt_toggle_that_is_off_is_not_removed_without_a_word() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let config = project(&context).replace("[skills]\n", "[skills]\ntokoi = false\nSerde = false\ngone = true\n");
    context.write(".symposium/config.toml", config);
    let shown = context.invoke(&["sync"]);
    assert_eq!(shown.code, 0, "{shown:?}");
    for (key, near) in [("tokoi", "tokio"), ("Serde", "serde")] {
        let said = format!(
            "removed `{key} = false` from `.symposium/config.toml`: nothing here has that name; did you mean `{near}`?"
        );
        assert_eq!(shown.stderr.matches(&said).count(), 1, "{shown:?}");
    }
    assert!(!shown.stderr.contains("gone"), "{shown:?}");
    assert_eq!(context.invoke(&["sync"]).stderr, "");
    context.write(".symposium/config.toml", "[skills]\nelsewhere = false\n");
    let shown = context.invoke(&["sync"]);
    assert!(
        shown
            .stderr
            .ends_with("nothing here has that name now; if it comes back, it is on until you switch it off again\n"),
        "{shown:?}"
    );
}

/// An entry whose crate is gone goes too, and `sync` says what that means.
#[test]
fn a_choice_goes_with_its_dependency_and_that_is_said() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["off", "tokio"]).expect(0);
    let files = ["Cargo.toml", "Cargo.lock"]
        .map(|file| (file, std::fs::read_to_string(context.workspace().join(file)).unwrap()));
    for (file, text) in &files {
        let without: Vec<&str> = text.split("\n\n").filter(|part| !part.contains("name = \"tokio\"")).collect();
        let kept = |line: &&str| !line.starts_with("tokio =") && line.trim() != "\"tokio\",";
        let without = without.join("\n\n");
        context.write(file, without.lines().filter(kept).collect::<Vec<_>>().join("\n") + "\n");
    }
    for args in [&["sync", "--dry-run"][..], &["sync"]] {
        let shown = context.invoke(args);
        let said = "removed `tokio = false` from `.symposium/config.toml`: nothing here has that name now; if it comes back, it is on until you switch it off again";
        assert_eq!(shown.stderr.matches(said).count(), 1, "{args:?}: {shown:?}");
    }
    assert!(!project(&context).contains("tokio"), "{}", project(&context));
    for (file, text) in &files {
        context.write(file, text);
    }
    context.invoke(&["sync"]).expect(0);
    assert!(project(&context).contains("tokio = true"), "{}", project(&context));
}

/// One failure of one directory is one error, and what would follow from the choice is not tried.
#[cfg(unix)]
#[test]
fn a_choice_that_cannot_be_written_is_one_error() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--user", "--yes", "--agent", "claude"]).expect(0);
    git(context.workspace(), &["init", "-q"]);
    set_mode(context.workspace(), 0o555);
    for args in [["off", "serde"], ["on", "autofmt"]] {
        let shown = context.invoke_through(bound_by_modes(&context), &args);
        set_mode(context.workspace(), 0o755);
        assert!(!context.workspace().join(".symposium").exists());
        set_mode(context.workspace(), 0o555);
        assert_eq!(shown.code, 3, "{args:?}: {shown:?}");
        assert_eq!(shown.stderr.matches("error: ").count(), 1, "{args:?}: {}", shown.stderr);
        assert!(
            shown.stderr.contains("cannot write $WORKSPACE/.symposium/config.toml: Permission denied"),
            "{}",
            shown.stderr
        );
        assert!(!shown.stderr.contains("warning"), "{}", shown.stderr);
    }
    set_mode(context.workspace(), 0o755);
}

/// Both sides switch a skill, one of them back on: git keeps both lines, it is off, and `sync` says how to switch it on.
#[test]
fn an_on_that_a_merge_undoes_is_named_by_sync() {
    let context = with_fixture(&["workspace0"]);
    let root = context.workspace().to_owned();
    git(&root, &["init", "-q"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["off", "tokio"]).expect(0);
    let commit = || {
        git(&root, &["add", "-A"]);
        git(&root, &["commit", "-qm", "x"]);
    };
    commit();
    git(&root, &["checkout", "-q", "-b", "other"]);
    context.invoke(&["off", "serde"]).expect(0);
    commit();
    git(&root, &["checkout", "-q", "main"]);
    context.settle();
    context.invoke(&["on", "tokio"]).expect(0);
    commit();
    git(&root, &["merge", "-q", "-m", "x", "other"]);
    let merged = project(&context);
    assert!(merged.contains("tokio = true") && merged.contains("tokio = false"), "{merged}");
    context.settle();
    let shown = context.invoke(&["sync"]);
    assert_eq!(shown.code, 0, "{shown:?}");
    let said = "`tokio` is listed twice, as true and as false, so it is off";
    assert_eq!(shown.stderr.matches(said).count(), 1, "{}", shown.stderr);
    assert!(shown.stderr.contains("run `symposium on tokio` to switch it on"), "{}", shown.stderr);
    assert!(project(&context).contains("tokio = false") && !project(&context).contains("tokio = true"));
}
