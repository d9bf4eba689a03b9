//! Locks nobody can understand, sources that no longer hold what is locked, and locks that would have us run something.

use symposium_testkit::TestContext;

use crate::json;
use crate::plugin_sync::installed;
use crate::repository::Repository;
use crate::sync_lock::{clone_of, configure, git_source, lock_text, locked_project, project};

fn write_lock(context: &TestContext, text: &str) {
    context.write(".symposium/symposium.lock", text);
}

#[test]
fn a_lock_that_cannot_be_understood_is_named_and_left_alone() {
    let (context, repository) = locked_project();
    let sound = lock_text(&context);
    repository.skill("serde-tips", "serde", "second").commit_at("2024-06-01T12:00:00Z");
    context.invoke(&["plugin", "sync"]).expect(0);
    let half: String = sound.chars().take(sound.len() / 2).collect();
    for (text, says) in [
        (format!("<<<<<<< ours\n{sound}=======\n{sound}>>>>>>> theirs\n"), "symposium.lock:1:1"),
        (sound.replace("version = 1\n", "version = 7\n"), "The lockfile has version 7"),
        (half, "symposium.lock"),
        (sound.replace("# end\n", ""), "The file is truncated"),
        (sound.replace("kind = \"git\"", "kind = \"svn\""), "`svn` is not a kind of source"),
        (String::new(), "it has no `version`"),
        ("\u{0}\u{1}".to_owned(), "Not valid TOML"),
    ] {
        write_lock(&context, &text);
        for args in [&["sync"][..], &["sync", "--update"], &["sync", "--lock"], &["sync", "--locked"], &["on", "serde"]]
        {
            let output = context.invoke(args);
            assert_eq!(output.code, 3, "{args:?} {says}: {output:?}");
            let said = output.stderr.replace("$WORKSPACE/.symposium/", "").to_lowercase();
            assert!(
                said.contains(&says.to_lowercase())
                    || says.starts_with("symposium.lock:1") && said.contains("conflict"),
                "{said}"
            );
        }
        assert_eq!(lock_text(&context), text, "it is nobody's to write");
        assert!(installed(&context, "serde-tips").unwrap().contains("first"), "what is installed stays");
        // A session starts all the same.
        context.invoke_hook("claude", "session-start", "{}").expect(0);
        assert_eq!(lock_text(&context), text);
    }
    write_lock(&context, &sound);
    context.invoke(&["sync"]).expect(0);
}

#[test]
fn a_lock_that_is_no_file_is_left_alone() {
    let (context, _repository) = locked_project();
    let path = context.workspace().join(".symposium/symposium.lock");
    std::fs::rename(&path, context.root().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(context.root().join("elsewhere"), &path).unwrap();
    let output = context.invoke(&["sync"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("cannot read this lock"), "{output:?}");
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    assert_eq!(context.invoke(&["sync"]).code, 3);
}

#[test]
fn a_hash_that_was_edited_is_noticed() {
    let (context, _repository) = locked_project();
    let sound = lock_text(&context);
    let line = |key: &str| sound.lines().find(|line| line.starts_with(key)).unwrap().to_owned();
    for (key, says) in [
        ("tree", "does not match the lockfile: expected"),
        ("sha256", "skill `serde-tips` does not match the lockfile"),
    ] {
        let line = line(key);
        let edited = sound.replace(&line, &format!("{key} = \"{}\"", "0".repeat(64)));
        write_lock(&context, &edited);
        let output = context.invoke(&["sync"]);
        assert_eq!(output.code, 3, "{output:?}");
        assert!(output.stderr.contains(says), "{output:?}");
        if key == "tree" {
            // Both hashes are named, so that somebody can find out which is right.
            let real = line.split('"').nth(1).unwrap();
            assert!(output.stderr.contains(real) && output.stderr.contains(&"0".repeat(64)), "{output:?}");
        }
        assert_eq!(lock_text(&context), edited, "it is kept");
        assert!(installed(&context, "serde-tips").is_some(), "what is installed stays");
        context.invoke(&["sync", "--update"]).expect(0);
        assert_eq!(lock_text(&context), sound);
    }
}

#[test]
fn a_directory_that_moved_on_is_not_installed_until_somebody_says_so() {
    let context = project("[[plugin-source]]\nname = \"own\"\npath = \"own\"\n");
    let skill = |name: &str, body: &str| {
        let text = format!("---\nname: {name}\ndescription: About serde.\ncrates: serde\n---\n{body}\n");
        context.write(&format!("own/{name}/SKILL.md"), text);
    };
    skill("one", "first");
    skill("two", "first");
    context.invoke(&["sync", "--lock"]).expect(0);
    let before = lock_text(&context);
    skill("two", "second");
    skill("three", "first");
    for args in [&["sync"][..], &["sync", "--locked"], &["sync", "--frozen"]] {
        let output = context.invoke(args);
        assert_eq!(output.code, 3, "{output:?}");
        assert!(output.stderr.contains("the installed `three`, `two` is kept unchanged"), "{output:?}");
    }
    assert_eq!(lock_text(&context), before);
    assert!(installed(&context, "two").unwrap().contains("first"));
    assert!(installed(&context, "three").is_none());
    let output = context.invoke(&["sync", "--update"]).expect(0);
    assert!(output.contains("- first\n    + second"), "{output}");
    assert!(installed(&context, "two").unwrap().contains("second") && installed(&context, "three").is_some());
    context.invoke(&["sync", "--frozen"]).expect(0);

    // What nobody uses may change.
    context.write("own/README.md", "hello");
    let output = context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.contains("nothing that you use changed"), "{output:?}");
}

#[test]
fn a_program_of_another_version_says_so() {
    let context = project("");
    context
        .write(".symposium/config.toml", "[defaults]\nsymposium-recommendations = false\n[agent]\nname = \"claude\"\n");
    context.invoke(&["sync", "--lock"]).expect(0);
    let sound = lock_text(&context);
    let ours = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(sound.contains(&ours), "{sound}");
    let other = sound.replace(&ours, "version = \"0.0.1\"");
    write_lock(&context, &other);
    let output = context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.contains("locked at version 0.0.1 of Symposium"), "{output:?}");
    assert_eq!(lock_text(&context), other);
    // Were a skill another one in that version, only that version would have it.
    let block = sound.split("\n\n").find(|block| block.contains("name = \"serde\"")).unwrap();
    let hash = block.lines().find(|line| line.starts_with("sha256")).unwrap();
    write_lock(&context, &other.replace(hash, &format!("sha256 = \"{}\"", "0".repeat(64))));
    let output = context.invoke(&["sync"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("or use Symposium 0.0.1, which has the locked content"), "{output:?}");
}

#[test]
fn sources_of_one_person_are_in_no_lock() {
    let context = project("");
    let config = "[agent]\nname = \"claude\"\n[defaults]\nbuiltin = false\nsymposium-recommendations = false\n";
    context.write(".symposium/config.toml", config);
    context.invoke(&["sync", "--lock"]).expect(0);
    assert!(!lock_text(&context).contains("[[source]]"), "{}", lock_text(&context));
    context.write_config("plugins/mine/SKILL.md", "---\nname: mine\ndescription: d\ncrates: serde\n---\nx\n");
    context.invoke(&["sync"]).expect(0);
    assert!(!lock_text(&context).contains("[[source]]"), "{}", lock_text(&context));
    // A colleague does not have it, and needs nothing of it.
    let other = clone_of(&context);
    let output = other.invoke(&["sync", "--locked"]);
    assert_eq!(output.code, 0, "{output:?}");
}

#[test]
fn a_lock_does_not_choose_what_runs_without_a_grant() {
    // A source of the user's own runs its hooks, as it is: a project's lock chooses nothing of it.
    let mut context = crate::with_fixture(&["workspace0"]);
    context.set("SYMPOSIUM_OFFLINE", "0");
    let repository = Repository::create(context.root().join("server/plugins"));
    let hook = |command: &str| {
        format!("name = \"guard\"\n\n[[hooks]]\nname = \"say\"\nevent = \"PreToolUse\"\ncommand = \"{command}\"\n")
    };
    let good = repository.write("guard/symposium.toml", hook("true")).commit();
    repository.git(&["checkout", "--quiet", "-b", "evil"]);
    repository.write("guard/symposium.toml", hook("touch pwned")).commit_at("2024-04-01T12:00:00Z");
    let evil = repository.git(&["rev-parse", "HEAD"]);
    repository.git(&["checkout", "--quiet", "main"]);
    context.write_config(
        "config.toml",
        format!(
            "[agent]\nname = \"claude\"\n[defaults]\nbuiltin = false\nsymposium-recommendations = false\n{}",
            git_source(&repository.served())
        ),
    );
    context.invoke(&["sync", "--lock"]).expect(0);
    let payload = r#"{"tool_name":"Bash","tool_input":{"command":"ls"}}"#;
    let state = |context: &TestContext| {
        let document = json(context.invoke(&["hook", "list", "--json"]));
        document["hooks"][0]["state"].as_str().unwrap().to_owned()
    };
    assert_eq!(state(&context), "on");

    // The hostile clone knows what the commit holds.
    let attacker = project(&git_source(&repository.served()));
    repository.git(&["update-ref", "refs/heads/main", &evil]);
    attacker.invoke(&["sync", "--lock"]).expect(0);
    repository.git(&["update-ref", "refs/heads/main", &good]);
    let hostile = lock_text(&attacker);
    assert!(hostile.contains(&evil), "{hostile}");
    write_lock(&context, &hostile);
    let output = context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(state(&context), "on", "the user's own content");
    context.invoke_hook("claude", "pre-tool-use", payload).expect(0);
    assert!(!context.workspace().join("pwned").exists());

    // Neither does a vendored copy.
    attacker.invoke(&["sync", "--vendor"]).expect(0);
    let vendored = context.workspace().join(".symposium/vendor/team/guard");
    std::fs::create_dir_all(&vendored).unwrap();
    std::fs::write(vendored.join("symposium.toml"), hook("touch pwned")).unwrap();
    context.invoke(&["sync"]).expect(0);
    assert_eq!(state(&context), "on");
    context.invoke_hook("claude", "pre-tool-use", payload).expect(0);
    assert!(!context.workspace().join("pwned").exists());
}

#[test]
fn an_unreachable_server_is_told_from_a_commit_that_is_gone() {
    let (context, repository) = locked_project();
    let other = clone_of(&context);
    std::fs::rename(&repository.path, context.root().join("moved")).unwrap();
    let output = other.invoke(&["sync"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("but that commit could not be fetched"), "{output:?}");
    assert_eq!(lock_text(&other), lock_text(&context));
    configure(&other, "");
    other.invoke(&["sync"]).expect(0);
    assert!(!lock_text(&other).contains("team"), "what is no longer configured goes");
}

#[test]
fn a_damaged_copy_is_told_from_an_edited_lock() {
    let (context, _repository) = locked_project();
    let before = lock_text(&context);
    let [directory] = crate::plugin_sync::cached(&context).try_into().unwrap();
    let copies: Vec<_> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    let copy = copies.iter().find(|path| path.is_dir()).unwrap();
    std::fs::write(
        copy.join("serde-tips/SKILL.md"),
        "---\nname: serde-tips\ndescription: d\ncrates: serde\n---\nbad\n",
    )
    .unwrap();
    let output = context.invoke(&["sync"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("the copy of source `team` is damaged"), "{output:?}");
    assert!(installed(&context, "serde-tips").unwrap().contains("first"), "what is damaged is not installed");
    std::fs::remove_dir_all(copy).unwrap();
    context.invoke(&["sync"]).expect(0);
    assert_eq!(lock_text(&context), before);
}

#[test]
fn a_grant_outlives_a_commit_that_does_not_touch_it() {
    let context = project("");
    let repository = Repository::create(context.root().join("server/plugins"));
    repository.write(
        "guard/symposium.toml",
        "name = \"guard\"\n\n[[hooks]]\nname = \"say\"\nevent = \"PreToolUse\"\ncommand = \"true\"\n",
    );
    repository.commit();
    configure(&context, &git_source(&repository.served()));
    context.invoke(&["sync", "--lock"]).expect(0);
    context.invoke(&["trust", "--yes"]).expect(0);
    let state = || json(context.invoke(&["hook", "list", "--json"]))["hooks"][0]["state"].clone();
    assert_eq!(state(), "on");
    repository.write("README.md", "hello").commit_at("2024-06-01T12:00:00Z");
    let output = context.invoke(&["sync", "--update"]).expect(0);
    assert!(output.contains("~ source `team` from"), "{output}");
    assert_eq!(state(), "on");
}

#[test]
fn a_server_that_never_answers_is_waited_for_once() {
    let (context, repository) = locked_project();
    let other = clone_of(&context);
    let deaf = format!("git://127.0.0.1:{}/plugins", crate::repository::deaf_server());
    configure(&other, &git_source(&deaf));
    write_lock(&other, &lock_text(&context).replace(&repository.served(), &deaf));
    let begin = std::time::Instant::now();
    let output = other.invoke(&["sync"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("timed out"), "{output:?}");
    assert!(begin.elapsed() < std::time::Duration::from_secs(17), "{:?}", begin.elapsed());
}
