//! `symposium sync --vendor`: the locked sources in the project itself, and taking all of it back.

use std::path::Path;
use std::process::Command;

use symposium_testkit::TestContext;

use crate::plugin_sync::{cached, installed};
use crate::repository::Repository;
use crate::sync_lock::{clone_of, configure, git_source, lock_text, locked_project, project};

fn bytes_below(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let shown = path.strip_prefix(directory).unwrap().display().to_string();
                found.push((shown, std::fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_second_machine_without_a_network_gets_the_same_bytes() {
    let (context, repository) = locked_project();
    repository.skill("serde-tips", "serde", "second").write("serde-tips/run.sh", "#!/bin/sh\n");
    crate::set_mode(&repository.path.join("serde-tips/run.sh"), 0o755);
    repository.commit_at("2024-06-01T12:00:00Z");
    std::os::unix::fs::symlink("serde-tips", repository.path.join("alias")).unwrap();
    repository.commit_at("2024-06-02T12:00:00Z");
    let output = context.invoke(&["sync", "--vendor", "--update"]).expect(0);
    assert!(output.contains("vendored      .symposium/vendor/team\n"), "{output}");
    context.invoke(&["sync", "--vendor", "--check"]).expect(0);
    let mut other = clone_of(&context);
    other.set("SYMPOSIUM_OFFLINE", "1");
    std::fs::remove_dir_all(&repository.path).unwrap();
    let output = other.invoke(&["sync", "--frozen"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(cached(&other).is_empty());
    let skills = ".claude/skills";
    let installed = bytes_below(&other.workspace().join(skills));
    assert!(installed.iter().any(|(path, _)| path == "serde-tips/run.sh"));
    assert_eq!(installed, bytes_below(&context.workspace().join(skills)));
    assert_eq!(
        other.tree(&other.workspace().join(skills)),
        context.tree(&context.workspace().join(skills)),
        "modes too"
    );
    assert_eq!(other.invoke(&["sync", "--frozen", "--check"]).code, 0);
    assert!(other.invoke(&["plugin", "list"]).expect(0).contains(", vendored)"));
}

#[test]
fn what_is_vendored_needs_nobody_to_be_asked() {
    let (context, repository) = locked_project();
    context.invoke(&["sync", "--vendor"]).expect(0);
    let other = clone_of(&context);
    other.invoke(&["sync"]).expect(0);
    assert!(cached(&other).is_empty(), "the network was allowed, and not needed");
    repository.skill("serde-tips", "serde", "second").commit_at("2024-06-01T12:00:00Z");
    other.invoke(&["sync", "--update"]).expect(0);
    assert!(installed(&other, "serde-tips").unwrap().contains("second"));
}

#[test]
fn git_keeps_every_byte_of_what_is_vendored() {
    let (context, repository) = locked_project();
    repository.write("serde-tips/data.txt", "a\r\nb\n").commit_at("2024-06-01T12:00:00Z");
    context.invoke(&["sync", "--vendor", "--update"]).expect(0);
    let git = |directory: &Path, args: &[&str]| {
        let status = Command::new("git")
            .args(["-c", "core.autocrlf=true", "-c", "user.name=t", "-c", "user.email=t@example.com"])
            .args(args)
            .current_dir(directory)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .status()
            .unwrap();
        assert!(status.success(), "{args:?}");
    };
    git(context.workspace(), &["init", "--quiet"]);
    git(context.workspace(), &["add", ".symposium", "Cargo.toml", "Cargo.lock", "src"]);
    git(context.workspace(), &["commit", "--quiet", "-m", "all"]);
    let clone = context.root().join("clone");
    git(context.root(), &["clone", "--quiet", &context.workspace().display().to_string(), "clone"]);
    assert!(std::fs::read_to_string(clone.join(".symposium/symposium.lock")).unwrap().contains("\r\n"), "autocrlf");
    let output = context.invoke_in(&clone, &["sync", "--frozen"]);
    assert_eq!(output.code, 0, "{output:?}");
}

#[test]
fn what_is_vendored_is_kept_in_step_and_checked() {
    let (context, repository) = locked_project();
    context.invoke(&["sync", "--vendor"]).expect(0);
    let vendored = context.workspace().join(".symposium/vendor/team/serde-tips/SKILL.md");
    repository.skill("serde-tips", "serde", "second").commit_at("2024-06-01T12:00:00Z");
    context.invoke(&["sync", "--update"]).expect(0);
    assert!(std::fs::read_to_string(&vendored).unwrap().contains("second"));

    std::fs::write(&vendored, "edited").unwrap();
    let output = context.invoke(&["sync"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("the vendored copy does not match the lockfile"), "{output:?}");
    assert_eq!(std::fs::read_to_string(&vendored).unwrap(), "edited");
    assert!(installed(&context, "serde-tips").unwrap().contains("second"), "the cache has it too");
    std::fs::remove_dir_all(context.workspace().join(".symposium/vendor/team")).unwrap();
    context.invoke(&["sync"]).expect(0);
    assert!(std::fs::read_to_string(&vendored).unwrap().contains("second"));

    // A source that is gone is not kept.
    configure(&context, "");
    context.invoke(&["sync"]).expect(0);
    assert!(!context.workspace().join(".symposium/vendor/team").exists());
    assert!(!lock_text(&context).contains("team"));
}

#[test]
fn what_one_person_has_is_not_vendored() {
    let context = project("");
    let skill = |name: &str| format!("---\nname: {name}\ndescription: d\ncrates: serde\n---\nfirst\n");
    context.write("own/inside/SKILL.md", skill("inside"));
    context.write_config("far/outside/SKILL.md", skill("outside"));
    context.write(
        ".symposium/config.toml",
        "[defaults]\nbuiltin = false\n[[plugin-source]]\nname = \"own\"\npath = \"own\"\n",
    );
    context.write_config(
        "config.toml",
        "[agent]\nname = \"claude\"\n[defaults]\nsymposium-recommendations = false\n[[plugin-source]]\nname = \"Far Away\"\npath = \"far\"\n",
    );
    context.invoke(&["sync", "--vendor"]).expect(0);
    assert!(!context.workspace().join(".symposium/vendor").exists(), "{}", listing(&context));
    assert!(!lock_text(&context).contains("Far Away"), "{}", lock_text(&context));
    // What is the user's is what it is now.
    context.write_config("far/outside/SKILL.md", skill("outside").replace("first", "second"));
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "outside").unwrap().contains("second"));
}

fn listing(context: &TestContext) -> String {
    context.tree(context.workspace())
}

#[test]
fn all_of_it_is_taken_back() {
    let mut context = crate::with_fixture(&["workspace0"]);
    let repository = Repository::create(context.root().join("server/plugins"));
    repository.skill("serde-tips", "serde", "first").commit();
    context.set("SYMPOSIUM_OFFLINE", "0");
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n[defaults]\nsymposium-recommendations = false\n");
    context.write(".symposium/config.toml", git_source(&repository.served()));
    let before = listing(&context);
    context.invoke(&["sync", "--vendor"]).expect(0);
    assert!(context.workspace().join(".symposium/vendor/team").is_dir());
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(listing(&context), before);

    // What somebody edited is theirs.
    context.invoke(&["sync", "--vendor"]).expect(0);
    context.write(".symposium/symposium.lock", format!("# mine\n{}", lock_text(&context)));
    context.write(".symposium/vendor/team/serde-tips/SKILL.md", "mine");
    let output = context.invoke(&["uninstall", "--yes"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(output.stderr.matches("was edited after Symposium wrote it").count(), 2, "{output:?}");
    assert!(lock_text(&context).starts_with("# mine\n"));
    assert!(context.workspace().join(".symposium/vendor/team/serde-tips/SKILL.md").exists());
}

#[test]
fn what_came_with_the_project_stays_with_it() {
    let (context, _repository) = locked_project();
    context.invoke(&["sync", "--vendor"]).expect(0);
    let other = clone_of(&context);
    let before = listing(&other);
    other.invoke(&["sync"]).expect(0);
    other.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(listing(&other), before);
}
