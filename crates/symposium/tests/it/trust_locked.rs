//! Grants in projects that are locked to different content of one source.

use std::path::Path;

use symposium_testkit::TestContext;

use crate::repository::Repository;
use crate::{json, with_fixture};

const MANIFEST: &str = "name = \"guard\"\n\n[[hooks]]\nname = \"say\"\nevent = \"PreToolUse\"\ncommand = \"echo 1\"\n";

/// A machine whose public recommendations are a repository of its own.
fn machine() -> (TestContext, Repository) {
    let mut context = with_fixture(&["workspace0"]);
    context.set("SYMPOSIUM_OFFLINE", "0");
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n[defaults]\nbuiltin = false\n");
    let server = context.root().join("server");
    let stand_in = format!("[url \"file://{}/\"]\n\tinsteadOf = https://github.com/symposium-dev/\n", server.display());
    std::fs::write(context.root().join("home/.gitconfig"), stand_in).unwrap();
    let repository = Repository::create(server.join("recommendations"));
    repository.write("guard/symposium.toml", MANIFEST).commit();
    (context, repository)
}

fn another_project(context: &TestContext, name: &str) -> std::path::PathBuf {
    let other = context.root().join(name);
    std::fs::create_dir_all(other.join("src")).unwrap();
    for file in ["Cargo.toml", "Cargo.lock"] {
        std::fs::copy(context.workspace().join(file), other.join(file)).unwrap();
    }
    std::fs::write(other.join("src/lib.rs"), "").unwrap();
    other
}

#[track_caller]
fn state(context: &TestContext, project: &Path) -> String {
    let document = json(context.invoke_in(project, &["hook", "list", "--json"]));
    let hooks = document["hooks"].as_array().unwrap();
    hooks.iter().find(|hook| hook["plugin"] == "guard").unwrap()["state"].as_str().unwrap().to_owned()
}

#[test]
fn what_is_granted_for_one_locked_content_does_not_take_the_other_away() {
    let (context, repository) = machine();
    let (first, second) = (context.workspace().to_owned(), another_project(&context, "second"));
    context.invoke(&["sync", "--lock"]).expect(0);
    context.invoke(&["trust", "--yes"]).expect(0);
    assert_eq!(state(&context, &first), "on");
    context.invoke_in(&second, &["sync"]).expect(0);
    assert_eq!(state(&context, &second), "on", "a recommendation is agreed to once");

    repository.write("guard/symposium.toml", MANIFEST.replace('1', "2")).commit_at("2024-06-01T12:00:00Z");
    context.invoke(&["plugin", "sync"]).expect(0);
    context.invoke_in(&second, &["sync", "--lock"]).expect(0);
    assert_eq!(state(&context, &second), "untrusted", "it changed");
    assert_eq!(state(&context, &first), "on", "it is locked to what was granted");
    context.invoke_in(&second, &["trust", "--yes"]).expect(0);
    assert_eq!((state(&context, &first).as_str(), state(&context, &second).as_str()), ("on", "on"));

    // A third one, locked to the first content by somebody else, has to be looked at once, and changes nothing elsewhere.
    let third = another_project(&context, "third");
    std::fs::create_dir_all(third.join(".symposium")).unwrap();
    for file in ["config.toml", "symposium.lock"] {
        std::fs::copy(first.join(".symposium").join(file), third.join(".symposium").join(file)).unwrap();
    }
    context.invoke_in(&third, &["sync"]).expect(0);
    assert_eq!(state(&context, &third), "untrusted");
    context.invoke_in(&third, &["trust", "--yes"]).expect(0);
    for project in [&first, &second, &third] {
        assert_eq!(state(&context, project), "on", "{}", project.display());
    }
    // Withdrawn is withdrawn, by whichever grant it ran.
    context.invoke_in(&second, &["trust", "--revoke", "--yes"]).expect(0);
    assert_eq!(state(&context, &second), "untrusted");
    assert_eq!(state(&context, &first), "on");
    context.invoke_in(&first, &["trust", "--revoke", "--yes"]).expect(0);
    assert_eq!(state(&context, &first), "untrusted");
}
