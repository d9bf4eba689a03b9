//! `symposium sync --lock`, `--locked`, `--update`: what a project is pinned to.

use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

use expect_test::expect;
use symposium_testkit::TestContext;

use crate::plugin_sync::{age, cached, installed};
use crate::plugin_sync_bad::start;
use crate::repository::{Repository, git_server};
use crate::{check, json, with_fixture};

/// A project for Claude Code with these further lines of configuration, and permission to fetch.
pub(crate) fn project(config: &str) -> TestContext {
    let mut context = with_fixture(&["workspace0"]);
    context.set("SYMPOSIUM_OFFLINE", "0");
    configure(&context, config);
    context
}

pub(crate) fn configure(context: &TestContext, config: &str) {
    let text = format!(
        "self-contained = true\n\n[agent]\nname = \"claude\"\n\n[defaults]\nbuiltin = false\nuser-plugins = false\n\
         symposium-recommendations = false\n\n{config}"
    );
    context.write(".symposium/config.toml", text);
}

pub(crate) fn git_source(url: &str) -> String {
    format!("[[plugin-source]]\nname = \"team\"\ngit = \"{url}\"\n")
}

/// A project with a source in git, which has a skill for serde, and a lock.
pub(crate) fn locked_project() -> (TestContext, Repository) {
    let context = project("");
    let repository = Repository::create(context.root().join("server/plugins"));
    repository.skill("serde-tips", "serde", "first").commit();
    configure(&context, &git_source(&repository.served()));
    context.invoke(&["sync", "--lock"]).expect(0);
    (context, repository)
}

pub(crate) fn lock_text(context: &TestContext) -> String {
    std::fs::read_to_string(context.workspace().join(".symposium/symposium.lock")).unwrap()
}

/// Another machine with a clone of the project: nothing of ours in its home, nothing installed.
pub(crate) fn clone_of(context: &TestContext) -> TestContext {
    let mut other = with_fixture(&["workspace0"]);
    other.set("SYMPOSIUM_OFFLINE", "0");
    let committed = context.workspace().join(".symposium");
    let copied = Command::new("cp").arg("-r").arg(&committed).arg(other.workspace()).status().unwrap();
    assert!(copied.success());
    other
}

fn add_dependency(context: &TestContext, name: &str) {
    let manifest = std::fs::read_to_string(context.workspace().join("Cargo.toml")).unwrap();
    context.write("Cargo.toml", format!("{manifest}{name} = \"1\"\n"));
    let lock = std::fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap();
    let lock = lock.replace(" \"serde\",\n", &format!(" \"{name}\",\n \"serde\",\n"));
    let registry = "registry+https://github.com/rust-lang/crates.io-index";
    let package = format!("\n[[package]]\nname = \"{name}\"\nversion = \"1.2.3\"\nsource = \"{registry}\"\n");
    context.write("Cargo.lock", format!("{lock}{package}"));
}

#[test]
fn a_lock_is_made_when_it_is_asked_for_and_is_the_same_everywhere() {
    let context = project("");
    let repository = Repository::create(context.root().join("server/plugins"));
    let commit = repository.skill("serde-tips", "serde", "first").commit();
    configure(&context, &git_source(&repository.served()));
    context.invoke(&["sync"]).expect(0);
    assert!(!context.workspace().join(".symposium/symposium.lock").exists(), "nobody asked for it");
    let output = context.invoke(&["sync", "--lock"]).expect(0);
    assert!(output.starts_with("created       .symposium/symposium.lock\n"), "{output}");
    let text = lock_text(&context);
    let text = text.replace(&repository.served(), "URL").replace(&commit, "COMMIT");
    expect![[r##"
        # The sources and extensions of this project, to the byte. Commit this file; it is not meant to be edited by hand.
        # `symposium sync` keeps it up to date, and `symposium sync --update` moves it to what the sources hold now.
        version = 1

        [[source]]
        name = "team"
        kind = "git"
        url = "URL"
        commit = "COMMIT"
        tree = "54ece962fecf0b7aa7186eea2e6c16ae2a1672fef9898de70728f5ba1d7d7be7"

        [[extension]]
        name = "serde-tips"
        kind = "skill"
        source = "team"
        path = "serde-tips/SKILL.md"
        crates = ["serde 1.0.219"]
        sha256 = "14c222f9c4e05fc2fdd89dc2d8016c49f6e0b30d37b9214fcaab8585b4735a40"

        # end
    "##]].assert_eq(&text);
    assert_eq!(context.invoke(&["sync", "--locked", "--check"]).code, 0);
    assert_eq!(json(context.invoke(&["sync", "--json"]))["actions"].as_array().unwrap().len(), 0);

    // A clone on a machine without any agent, as in CI.
    let other = clone_of(&context);
    let config = std::fs::read_to_string(other.workspace().join(".symposium/config.toml")).unwrap();
    other.write(".symposium/config.toml", config.replace("[agent]\nname = \"claude\"\n", ""));
    let output = other.invoke(&["sync", "--locked"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(lock_text(&other), lock_text(&context));
    assert_eq!(other.invoke(&["sync", "--locked", "--check"]).code, 0);
}

#[test]
fn what_is_pinned_stays_until_somebody_moves_it() {
    let (context, repository) = locked_project();
    let before = lock_text(&context);
    repository.skill("serde-tips", "serde", "second").commit_at("2024-06-01T12:00:00Z");
    age(&context);
    let output = context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.contains("source `team` is locked at "), "{output:?}");
    assert!(output.stderr.contains("run `symposium sync --update` to update"), "{output:?}");
    assert_eq!(lock_text(&context), before);
    assert!(installed(&context, "serde-tips").unwrap().contains("first"));
    let list = context.invoke(&["plugin", "list"]).expect(0);
    assert!(list.contains(", locked at "), "{list}");
    // Every command sees the same content, and so do hooks.
    assert!(context.invoke(&["crate", "serde"]).expect(0).contains("serde-tips"));

    // What it would mean is shown without doing it.
    let shown = context.invoke(&["sync", "--update", "--dry-run"]).expect(0);
    for expected in
        ["would edit    .symposium/symposium.lock", "    ~ source `team` from ", "    - first\n    + second\n"]
    {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    assert_eq!(lock_text(&context), before);
    assert_eq!(context.invoke(&["sync", "--update", "--check"]).code, 1);

    let shown = context.invoke(&["sync", "--update"]).expect(0);
    assert!(shown.contains("edited        .symposium/symposium.lock") && shown.contains("+ second"), "{shown}");
    assert!(installed(&context, "serde-tips").unwrap().contains("second"));
    assert_ne!(lock_text(&context), before);
    check(
        context.invoke(&["sync", "--update"]),
        expect![[r#"
            Everything is up to date.
        "#]],
    );
}

#[test]
fn update_asks_sources_that_are_fresh() {
    let (context, repository) = locked_project();
    repository.skill("serde-tips", "serde", "second").commit_at("2024-06-01T12:00:00Z");
    let document = json(context.invoke(&["sync", "--update", "--json"]));
    assert!(installed(&context, "serde-tips").unwrap().contains("second"));
    let lock = document["lock"].as_array().unwrap();
    assert_eq!(lock[1], "~ skill `serde-tips` has new content", "{document}");
    let difference = document["actions"][1]["difference"].as_array().unwrap();
    assert!(difference.contains(&"+ second".into()), "{document}");
}

#[test]
fn entries_come_and_go_while_pins_stay() {
    let (context, repository) = locked_project();
    repository.skill("serde-tips", "serde", "first").skill("regex-tips", "regex", "r").commit();
    context.invoke(&["sync", "--update"]).expect(0);
    let pinned = lock_text(&context);
    repository.skill("regex-tips", "regex", "changed").commit_at("2024-06-01T12:00:00Z");
    context.invoke(&["plugin", "sync"]).expect(0);
    add_dependency(&context, "regex");
    let output = context.invoke(&["sync", "--locked"]);
    assert_eq!(output.code, 3, "{output:?}");
    let entry = "  + skill `regex-tips` of `team` for regex 1.2.3";
    assert!(output.stderr.lines().any(|line| line.starts_with(entry)), "each in its line: {output:?}");
    assert!(!output.stderr.contains('⏎'), "{output:?}");
    assert_eq!(lock_text(&context), pinned, "nothing is written");
    assert!(installed(&context, "regex-tips").is_none(), "nothing is written");
    assert_eq!(context.invoke(&["sync", "--check"]).code, 1);

    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "regex-tips").unwrap().contains("\nr\n"), "what is pinned, not what is new");
    let with_regex = lock_text(&context);
    assert!(with_regex.contains("crates = [\"regex 1.2.3\"]"), "{with_regex}");
    let commit = |text: &str| text.lines().find(|line| line.starts_with("commit = ")).unwrap().to_owned();
    assert_eq!(commit(&with_regex), commit(&pinned));

    let output = context.invoke(&["off", "regex"]).expect(0);
    assert!(output.contains("- skill `regex-tips`"), "{output}");
    assert_eq!(lock_text(&context), pinned);
}

#[test]
fn locked_needs_a_lock_and_frozen_no_network() {
    let context = project("");
    let output = context.invoke(&["sync", "--locked"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("there is no lock") && output.stderr.contains("sync --lock"), "{output:?}");
    for (args, code) in [(["sync", "--locked", "--update"], 2), (["sync", "--frozen", "--lock"], 2)] {
        assert_eq!(context.invoke(&args).code, code, "{args:?}");
    }
    let (context, _repository) = locked_project();
    let other = clone_of(&context);
    let output = other.invoke(&["sync", "--frozen"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("source `team` is locked at ") && output.stderr.contains("not on this machine"));
    assert!(cached(&other).is_empty(), "nobody was asked");
    assert_eq!(lock_text(&other), lock_text(&context));
    assert!(installed(&other, "serde-tips").is_none());
    other.invoke(&["sync", "--locked"]).expect(0);
    assert!(installed(&other, "serde-tips").is_some());
    assert_eq!(context.invoke(&["sync", "--frozen"]).code, 0);
}

#[test]
fn without_a_lock_update_says_so() {
    let context = project("");
    let output = context.invoke(&["sync", "--update"]);
    assert_eq!(output.code, 0);
    assert!(output.stderr.contains("there is no lockfile to update"), "{output:?}");
}

#[test]
fn a_clone_gets_the_pinned_commit_from_a_server_that_moved_on() {
    let context = project("");
    let server = context.root().join("server");
    let repository = Repository::create(server.join("plugins.git"));
    repository.skill("serde-tips", "serde", "first").commit();
    let port = git_server(&server);
    configure(&context, &git_source(&format!("git://127.0.0.1:{port}/plugins.git")));
    context.invoke(&["sync", "--lock"]).expect(0);
    repository.skill("serde-tips", "serde", "second").commit_at("2024-06-01T12:00:00Z");
    let other = clone_of(&context);
    let output = other.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.contains("source `team` is locked at"), "{output:?}");
    assert!(installed(&other, "serde-tips").unwrap().contains("first"));
    assert_eq!(lock_text(&other), lock_text(&context));
    // It is there now, with or without the server.
    other.invoke(&["sync", "--frozen"]).expect(0);
}

/// Takes everything a branch had out of its history.
/// The job in the book for continuous integration, on a new machine and after its source went on.
#[test]
fn the_steps_of_the_books_job_work_on_a_new_machine_and_leave_the_checkout_alone() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/teams.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, job) = page.split_once("name: Agents").unwrap();
    let steps =
        job.split("```").next().unwrap().lines().filter_map(|line| line.trim().strip_prefix("- run: symposium "));
    let steps: Vec<&str> = steps.filter(|step| step.contains("sync")).collect();
    assert!(steps.last().is_some_and(|step| step.ends_with("--check")), "{steps:?}");
    let (context, repository) = locked_project();
    repository.skill("serde-tips", "serde", "second").commit_at("2024-06-01T12:00:00Z");
    for (name, expected) in [("", 0), ("tokio = false\ntokio = true\n", 1)] {
        let other = clone_of(&context);
        let config = std::fs::read_to_string(other.workspace().join(".symposium/config.toml")).unwrap();
        other.write(".symposium/config.toml", config.replace("[skills]\n", &format!("[skills]\n{name}")));
        let before = other.tree(other.workspace());
        let codes: Vec<i32> = steps
            .iter()
            .map(|step| {
                let shown = other.invoke(&step.split(' ').collect::<Vec<_>>());
                println!("{step}: {shown:?}");
                shown.code
            })
            .collect();
        assert_eq!((codes.iter().max(), codes.last()), (Some(&expected), Some(&expected)), "{steps:?}");
        assert_eq!(other.tree(other.workspace()), before);
    }
}

fn rewrite(repository: &Repository, body: &str) {
    repository.git(&["checkout", "--quiet", "--orphan", "other"]);
    repository.skill("serde-tips", "serde", body).commit_at("2024-07-01T12:00:00Z");
    repository.git(&["branch", "--force", "main"]);
    repository.git(&["checkout", "--quiet", "main"]);
    repository.git(&["branch", "--delete", "--force", "other"]);
}

#[test]
fn a_pin_survives_a_rewritten_history_and_its_end_is_named() {
    let (context, repository) = locked_project();
    rewrite(&repository, "rewritten");
    age(&context);
    let output = context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(installed(&context, "serde-tips").unwrap().contains("first"));
    // No branch leads to it any more, but the server still has it.
    let other = clone_of(&context);
    other.invoke(&["sync"]).expect(0);
    assert!(installed(&other, "serde-tips").unwrap().contains("first"));

    repository.git(&["reflog", "expire", "--expire=now", "--all"]);
    repository.git(&["gc", "--quiet", "--prune=now"]);
    let third = clone_of(&context);
    let output = third.invoke(&["sync"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("but the repository no longer has that commit"), "{output:?}");
    assert!(output.stderr.contains("help: run `symposium sync --update` to pin the present commit"), "{output:?}");
    assert_eq!(lock_text(&third), lock_text(&context), "it is kept");
    assert!(installed(&third, "serde-tips").is_none());
    // Whoever has it keeps it.
    age(&context);
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "serde-tips").unwrap().contains("first"));
    third.invoke(&["sync", "--update"]).expect(0);
    assert!(installed(&third, "serde-tips").unwrap().contains("rewritten"));
}

#[test]
fn the_pinned_copy_outlives_all_that_come_after_it() {
    let (context, repository) = locked_project();
    let pinned = repository.git(&["rev-parse", "HEAD"]);
    for month in 6..10 {
        repository.skill("serde-tips", "serde", &format!("{month}")).commit_at(&format!("2024-0{month}-01T12:00:00Z"));
        context.invoke(&["plugin", "sync"]).expect(0);
    }
    let [directory] = cached(&context).try_into().unwrap();
    let copies = |directory: &Path| {
        let names =
            std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.len() == 40).collect::<Vec<_>>()
    };
    assert_eq!(copies(&directory).len(), 3, "the last two, and what is pinned");
    assert!(directory.join(&pinned).is_dir());
    context.invoke(&["sync", "--frozen"]).expect(0);
    // A lock that is gone holds nothing.
    std::fs::remove_file(context.workspace().join(".symposium/symposium.lock")).unwrap();
    repository.skill("serde-tips", "serde", "10").commit_at("2024-10-01T12:00:00Z");
    context.invoke(&["plugin", "sync"]).expect(0);
    assert!(!directory.join(&pinned).exists());
}

#[test]
fn the_same_pin_is_fetched_by_several_at_once_and_by_runs_that_are_killed() {
    let (context, repository) = locked_project();
    let pinned = repository.git(&["rev-parse", "HEAD"]);
    repository.skill("serde-tips", "serde", "second").commit_at("2024-06-01T12:00:00Z");
    let other = clone_of(&context);
    for round in 0_u64..8 {
        let mut child = start(&other, &["sync"]);
        std::thread::sleep(Duration::from_millis(round * 7_919 % 90));
        let _ = child.kill();
        child.wait().unwrap();
        for directory in cached(&other) {
            // What counts as a copy is whole.
            let known = directory.join(format!("{pinned}.json")).exists();
            assert!(!known || directory.join(&pinned).join("serde-tips/SKILL.md").exists(), "round {round}");
        }
    }
    let children: Vec<Child> = (0..4).map(|_| start(&other, &["sync"])).collect();
    for mut child in children {
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    assert!(installed(&other, "serde-tips").unwrap().contains("first"));
    assert_eq!(other.invoke(&["sync", "--frozen", "--check"]).code, 0);
    assert_eq!(lock_text(&other), lock_text(&context));
}

#[test]
fn another_address_is_another_source() {
    let (context, _repository) = locked_project();
    let other = Repository::create(context.root().join("server/others"));
    other.skill("serde-tips", "serde", "theirs").commit();
    configure(&context, &git_source(&other.served()));
    assert_eq!(context.invoke(&["sync", "--locked"]).code, 3);
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "serde-tips").unwrap().contains("theirs"));
    assert!(lock_text(&context).contains("server/others"));
}

#[test]
fn a_commit_that_changes_nothing_here_changes_nothing_here() {
    let (context, repository) = locked_project();
    repository.write("README.md", "hello").commit_at("2024-06-01T12:00:00Z");
    let output = context.invoke(&["sync", "--update"]).expect(0);
    assert!(output.starts_with("edited        .symposium/symposium.lock\n    ~ source `team` from "), "{output}");
    assert_eq!(output.lines().count(), 2, "{output}");
}

#[test]
fn a_source_for_one_call_is_in_no_lock() {
    let (context, _repository) = locked_project();
    let before = lock_text(&context);
    let text = "---\nname: mine\ndescription: d\ncrates: serde\n---\nmine\n";
    context.write_config("try/mine/SKILL.md", text);
    let extra = context.config_dir().join("try").display().to_string();
    context.invoke(&["sync", "--source", &extra]).expect(0);
    assert!(installed(&context, "mine").is_some());
    assert_eq!(lock_text(&context), before);
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "mine").is_none());
}

#[test]
fn a_session_start_leaves_the_lock_to_a_person() {
    let (context, repository) = locked_project();
    repository.skill("serde-tips", "serde", "second").commit_at("2024-06-01T12:00:00Z");
    context.invoke(&["plugin", "sync"]).expect(0);
    let cargo_lock = std::fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap();
    context.write("Cargo.lock", cargo_lock.replace("1.0.219", "1.0.220"));
    assert_eq!(context.invoke(&["sync", "--locked"]).code, 3);
    context.invoke_hook("claude", "session-start", "{}").expect(0);
    assert!(lock_text(&context).contains("serde 1.0.219"), "{}", lock_text(&context));
    assert!(installed(&context, "serde-tips").unwrap().contains("first"), "what is pinned");
    context.invoke(&["sync"]).expect(0);
    assert!(lock_text(&context).contains("serde 1.0.220"), "{}", lock_text(&context));
    assert_eq!(context.invoke(&["sync", "--locked", "--check"]).code, 0);
}

/// Whoever makes a lock for others is told what they cannot get.
#[test]
fn a_new_lock_tells_of_sources_that_others_lack() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.write(".symposium/config.toml", git_source("git://127.0.0.1:9/nowhere"));
    let told = context.invoke(&["sync", "--lock"]).stderr;
    assert!(told.contains("source `team` is not fetched yet, so the lockfile does not contain it"), "{told}");
    let later = context.invoke(&["sync"]).stderr;
    assert!(!later.contains("so the lockfile does not contain it"), "once is enough: {later}");
    let locked = context.invoke(&["sync", "--locked", "--check"]);
    assert_eq!(locked.code, 3, "{locked:?}");
    assert!(locked.stderr.contains("the lockfile does not contain source `team`"), "{locked:?}");
}

/// A repository may go back, and commits may be made in one second: what counts is where it leads now.
#[test]
fn a_source_that_went_back_is_told_of_and_taken_by_an_update() {
    let context = project("");
    let repository = Repository::create(context.root().join("server/plugins"));
    repository.skill("serde-tips", "serde", "first").commit();
    repository.skill("serde-tips", "serde", "second").commit();
    configure(&context, &git_source(&repository.served()));
    context.invoke(&["sync", "--lock"]).expect(0);
    repository.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    context.invoke(&["plugin", "sync"]).expect(0);
    let told = context.invoke(&["sync"]);
    assert!(told.stderr.contains("source `team` is locked at"), "{}", told.stderr);
    assert!(installed(&context, "serde-tips").unwrap().contains("second"), "it is locked");
    assert_eq!(context.invoke(&["sync", "--update", "--check"]).code, 1);
    context.invoke(&["sync", "--update"]).expect(0);
    assert!(installed(&context, "serde-tips").unwrap().contains("first"));
}

/// The workflow and the skill of the source have names that the program knows, too.
#[test]
fn a_source_that_cannot_be_fetched_loses_no_name_in_the_lock() {
    let context = project("");
    let repository = Repository::create(context.root().join("server/plugins"));
    let hook = "[[hooks]]\nname = \"shorten\"\nevent = \"PreToolUse\"\ncommand = \"true\"\n";
    repository
        .skill("serde", "serde", "ours")
        .write("rtk/symposium.toml", format!("name = \"rtk\"\n\n{hook}"))
        .commit();
    let config = git_source(&repository.served());
    let config = format!(
        "self-contained = true\n\n[agent]\nname = \"claude\"\n\n[defaults]\nbuiltin = true\nuser-plugins = false\nsymposium-recommendations = false\n\n{config}"
    );
    context.write(".symposium/config.toml", &config);
    context.invoke(&["sync", "--lock"]).expect(0);
    let lock = lock_text(&context);
    assert!(lock.contains("name = \"rtk\"") && lock.contains("source = \"team\""), "{lock}");
    let other = clone_of(&context);
    std::fs::remove_dir_all(&repository.path).unwrap();
    assert_eq!(other.invoke(&["sync"]).code, 3);
    assert_eq!(lock_text(&other), lock);
    assert_eq!(lock_text(&context), lock);
}

#[test]
fn an_extension_of_the_user_takes_no_place_in_the_lock() {
    let context = project("");
    let config = "[agent]\nname = \"claude\"\n\n[defaults]\nsymposium-recommendations = false\n";
    context.write(".symposium/config.toml", config);
    context.invoke(&["sync", "--lock"]).expect(0);
    let lock = lock_text(&context);
    assert!(lock.contains("name = \"serde\""), "{lock}");
    let skill = "---\nname: serde\ndescription: Mine.\ncrates: serde\n---\n\nMine.\n";
    context.write_config("plugins/serde/SKILL.md", skill);
    context.write_config(
        "plugins/rtk/symposium.toml",
        "name = \"rtk\"\n\n[[hooks]]\nname = \"x\"\nevent = \"Stop\"\ncommand = \"true\"\n",
    );
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "serde").unwrap().contains("Mine."));
    assert_eq!(lock_text(&context), lock);
    context.invoke(&["sync", "--locked", "--check"]).expect(0);
}

/// A user who does without a default source, or with more dependencies, does not decide that for the team.
#[test]
fn the_users_own_choices_change_no_file_of_the_project() {
    let context = with_fixture(&["workspace0"]);
    let cargo_lock = std::fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap();
    let package = "[[package]]\nname = \"bytes\"\nversion = \"1.10.1\"\n\
                   source = \"registry+https://github.com/rust-lang/crates.io-index\"\n\n[[package]]\nname = \"demo\"";
    let cargo_lock = cargo_lock
        .replace("[[package]]\nname = \"demo\"", package)
        .replace(" \"pin-project-lite\",", " \"bytes\",\n \"pin-project-lite\",");
    context.write("Cargo.lock", cargo_lock);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.invoke(&["sync", "--lock"]).expect(0);
    let read = |file: &str| std::fs::read_to_string(context.workspace().join(".symposium").join(file)).unwrap();
    let lock = || read("symposium.lock");
    assert!(lock().contains("name = \"tokio\""), "{}", lock());
    let chosen = read("config.toml").replace("tokio = true", "tokio = false # breaks our executor");
    assert!(chosen.contains("# breaks our executor"), "{chosen}");
    context.write(".symposium/config.toml", &chosen);
    context.settle();
    context.invoke(&["sync"]).expect(0);
    let before = lock();
    assert!(before.contains("name = \"builtin\"") && before.contains("name = \"serde\""), "{before}");
    for settings in [
        "[defaults]\nbuiltin = false",
        "[defaults]\nsymposium-recommendations = false",
        "[defaults]\nbuiltin = false\nuser-plugins = false",
        "[defaults]\nbuiltin = false\nsymposium-recommendations = false",
        "[matching]\ntransitive = true",
    ] {
        context.write_config("config.toml", format!("[agent]\nname = \"claude\"\n{settings}\n"));
        assert_eq!(context.invoke(&["sync", "--workspace", "--locked", "--check"]).code, 0, "{settings}");
        context.invoke(&["sync", "--workspace"]).expect(0);
        assert_eq!(read("config.toml"), chosen, "{settings}");
        assert_eq!(lock(), before, "{settings}");
    }
    // What the project says counts for all.
    let config = context.workspace().join(".symposium/config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{text}\n[defaults]\nbuiltin = false\n")).unwrap();
    context.settle();
    context.invoke(&["sync"]).expect(0);
    assert!(!lock().contains("name = \"serde\""), "{}", lock());
}

/// A source that cannot be read says nothing about the others: what leaves with a dependency leaves at once, so that
/// the lock does not depend on who removes the dependency.
#[test]
fn a_skill_of_a_source_that_was_read_leaves_while_another_source_is_missing() {
    let mut context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.invoke(&["sync", "--lock"]).expect(0);
    let own = context.workspace().join(".symposium");
    let read = |file: &str| std::fs::read_to_string(own.join(file)).unwrap();
    let lock = read("symposium.lock");
    let commit = "0123456789012345678901234567890123456789";
    let pin = format!(
        "[[source]]\nname = \"symposium-recommendations\"\nkind = \"git\"\n\
         url = \"https://github.com/symposium-dev/recommendations\"\ncommit = \"{commit}\"\ntree = \"{}\"\n\n",
        "e3b0c442".repeat(8)
    );
    let public = format!(
        "[[extension]]\nname = \"zzz\"\nkind = \"skill\"\nsource = \"symposium-recommendations\"\npath = \"zzz/SKILL.md\"\n\
         crates = [\"tokio 1.44.1\"]\nsha256 = \"{}\"\n\n# end",
        "e3b0c442".repeat(8)
    );
    let lock = lock.replacen("[[extension]]", &format!("{pin}[[extension]]"), 1).replace("# end", &public);
    context.write(".symposium/symposium.lock", lock);
    // It is no direct dependency any more, but still in Cargo.lock.
    let manifest = std::fs::read_to_string(context.workspace().join("Cargo.toml")).unwrap();
    let without: String = manifest.split_inclusive('\n').filter(|line| !line.starts_with("serde")).collect();
    context.write("Cargo.toml", without);
    context.settle();
    context.set("SYMPOSIUM_OFFLINE", "0");
    let nowhere = "[url \"file:///nowhere/\"]\n\tinsteadOf = https://github.com/\n";
    std::fs::write(context.root().join("home/.gitconfig"), nowhere).unwrap();
    let synced = context.invoke(&["sync"]);
    assert_eq!(synced.code, 3, "{synced:?}");
    assert!(synced.stderr.contains("that commit"), "{synced:?}");
    assert!(!read("symposium.lock").contains("name = \"serde\""), "{}", read("symposium.lock"));
    assert!(read("symposium.lock").contains(commit), "{}", read("symposium.lock"));
    assert!(!read("config.toml").contains("serde"), "{}", read("config.toml"));
}
