//! `symposium plugin sync`, and sources in git: fetched, kept, refreshed.

use std::path::{Path, PathBuf};

use expect_test::expect;
use symposium_testkit::TestContext;

use crate::repository::{Repository, git_server};
use crate::{check, json, with_fixture};

/// A machine with Claude Code configured, these sources, and permission to fetch.
pub(crate) fn machine(sources: &[(&str, &str)]) -> TestContext {
    let mut context = with_fixture(&["workspace0"]);
    configure(&context, &[], "");
    context.invoke(&["sync"]).expect(0);
    configure(&context, sources, "");
    context.set("SYMPOSIUM_OFFLINE", "0");
    context
}

pub(crate) fn configure(context: &TestContext, sources: &[(&str, &str)], extra: &str) {
    let mut config = "[agent]\nname = \"claude\"\n\n[defaults]\nbuiltin = false\n\
                      symposium-recommendations = false\n"
        .to_owned();
    for (name, url) in sources {
        config.push_str(&format!("\n[[plugin-source]]\nname = \"{name}\"\ngit = \"{url}\"\n{extra}"));
    }
    context.write_config("config.toml", config);
}

/// A repository with a skill for serde, and a machine that uses it.
fn with_source() -> (TestContext, Repository) {
    let context = machine(&[]);
    let repository = Repository::create(context.root().join("server/plugins"));
    repository.skill("serde-tips", "serde", "first").commit();
    configure(&context, &[("team", &repository.url())], "");
    (context, repository)
}

pub(crate) fn installed(context: &TestContext, skill: &str) -> Option<String> {
    std::fs::read_to_string(context.workspace().join(format!(".claude/skills/{skill}/SKILL.md"))).ok()
}

/// The directories of the cache that hold sources in git.
pub(crate) fn cached(context: &TestContext) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(context.config_dir().join("cache/plugin-sources")) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.file_name().unwrap().to_str().unwrap().starts_with("git-"));
    found.sort();
    found
}

fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Makes every copy look older than it is.
pub(crate) fn age(context: &TestContext) {
    for directory in cached(context) {
        let path = directory.join("current.json");
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let mut record: serde_json::Value = serde_json::from_str(&text).unwrap();
        record["fetched"] = (record["fetched"].as_u64().unwrap() - 5 * 60 * 60).into();
        std::fs::write(&path, record.to_string()).unwrap();
    }
}

#[test]
fn a_source_is_fetched_installed_and_listed() {
    let (context, repository) = with_source();
    let commit = repository.git(&["rev-parse", "HEAD"]);
    let output = context.invoke(&["sync"]);
    assert_eq!((output.code, output.stderr.contains("warning")), (0, false), "{output:?}");
    assert!(installed(&context, "serde-tips").unwrap().contains("first"));
    let list = context.invoke(&["plugin", "list"]).expect(0);
    let expected = format!(
        "team (git, {}, {}, fetched just now)",
        context.normalize_paths(&repository.url()),
        commit.get(..7).unwrap()
    );
    assert!(list.contains(&expected), "{list}");
    let document = json(context.invoke(&["plugin", "list", "--json"]));
    let source = &document["sources"][1];
    assert_eq!(source["commit"], commit.as_str());
    assert_eq!(source["url"], context.normalize_paths(&repository.url()).as_str());
    assert_eq!(source["plugins"][0]["skills"][0], "serde-tips");
    assert!(source["fetched"].as_str().unwrap().ends_with('Z'), "{source}");
    let [directory] = cached(&context).try_into().unwrap();
    assert_eq!(names(&directory), [commit.as_str(), &format!("{commit}.json"), "current.json", "lock"]);
    assert_eq!(names(&directory.join(&commit)), ["serde-tips"], "no repository, only its files");
    // It is fresh: nobody is asked again.
    std::fs::rename(&repository.path, context.root().join("moved")).unwrap();
    check(
        context.invoke(&["sync"]),
        expect![[r#"
            Everything is up to date.
        "#]],
    );
}

#[test]
fn what_changed_comes_when_it_is_asked_for_or_old() {
    let (context, repository) = with_source();
    context.invoke(&["sync"]).expect(0);
    repository.skill("serde-tips", "serde", "second").commit_at("2024-06-01T12:00:00Z");
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "serde-tips").unwrap().contains("first"), "four hours have not passed");
    let answer = context.invoke(&["plugin", "sync", "team"]).expect(0);
    assert!(answer.starts_with("team  updated    ") && answer.contains(" to "), "{answer}");
    assert!(installed(&context, "serde-tips").unwrap().contains("first"), "it is only fetched");
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "serde-tips").unwrap().contains("second"));
    assert!(context.invoke(&["plugin", "sync"]).expect(0).starts_with("team  unchanged"));

    repository.skill("serde-tips", "serde", "third").commit_at("2024-07-01T12:00:00Z");
    age(&context);
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "serde-tips").unwrap().contains("third"));
    let [directory] = cached(&context).try_into().unwrap();
    assert_eq!(
        names(&directory).len(),
        6,
        "the copy at hand, the one before, what is known of them, the record, the lock"
    );

    configure(&context, &[("team", &repository.url())], "auto-update = false\n");
    repository.skill("serde-tips", "serde", "fourth").commit_at("2024-08-01T12:00:00Z");
    age(&context);
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "serde-tips").unwrap().contains("third"), "it is never refreshed by itself");
    context.invoke(&["plugin", "sync"]).expect(0);
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "serde-tips").unwrap().contains("fourth"));
}

#[test]
fn a_rewritten_history_is_followed_and_going_back_is_said() {
    let (context, repository) = with_source();
    repository.skill("serde-tips", "serde", "second").commit_at("2024-06-01T12:00:00Z");
    context.invoke(&["sync"]).expect(0);
    repository.git(&["checkout", "--quiet", "--orphan", "other"]);
    repository.skill("serde-tips", "serde", "rewritten").commit_at("2024-05-20T12:00:00Z");
    repository.git(&["branch", "--force", "main"]);
    repository.git(&["checkout", "--quiet", "main"]);
    age(&context);
    let output = context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(output.stderr.matches("warning").count(), 1, "{output:?}");
    assert!(output.stderr.contains("source `team` moved from"), "{output:?}");
    assert!(installed(&context, "serde-tips").unwrap().contains("rewritten"));
}

#[test]
fn a_real_server_is_spoken_to() {
    let context = machine(&[]);
    let server = context.root().join("server");
    let repository = Repository::create(server.join("plugins.git"));
    repository.skill("serde-tips", "serde", "first").commit();
    let port = git_server(&server);
    configure(&context, &[("team", &format!("git://127.0.0.1:{port}/plugins.git"))], "");
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "serde-tips").unwrap().contains("first"));
    repository.skill("serde-tips", "serde", "second").commit_at("2024-06-01T12:00:00Z");
    context.invoke(&["plugin", "sync"]).expect(0);
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "serde-tips").unwrap().contains("second"));
}

#[test]
fn without_the_network_what_is_there_is_used() {
    let (context, repository) = with_source();
    for args in
        [&["sync", "--offline"][..], &["sync", "--check"], &["sync", "--dry-run"], &["status"], &["crate", "serde"]]
    {
        let output = context.invoke(args);
        assert!(
            output.stderr.contains("source `team` is not fetched yet; run `symposium plugin sync team`"),
            "{output:?}"
        );
        assert!(cached(&context).is_empty(), "{args:?} fetches nothing");
    }
    assert_eq!(context.invoke(&["sync", "--offline"]).code, 0);
    context.invoke_hook("claude", "session-start", "{}").expect(0);
    assert!(cached(&context).is_empty());
    let refused = context.invoke(&["plugin", "sync", "--offline"]);
    assert!(refused.code == 3 && refused.stderr.contains("--offline"), "{refused:?}");
    check(
        context.invoke(&["plugin", "sync", "--dry-run"]),
        expect![[r#"
            team  would fetch  file://$ROOT/server/plugins
        "#]],
    );
    context.invoke(&["sync"]).expect(0);
    std::fs::remove_dir_all(&repository.path).unwrap();
    age(&context);
    let output = context.invoke(&["sync", "--offline"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    assert!(installed(&context, "serde-tips").is_some());
}

#[test]
fn a_github_tree_is_narrowed_to_its_directory() {
    let context = machine(&[("ours", "https://github.com/o/r/tree/feature/x/some%20plugins/rust")]);
    let server = context.root().join("server");
    let repository = Repository::create(server.join("o/r"));
    repository.skill("outside", "serde", "x").commit();
    repository.git(&["checkout", "--quiet", "-b", "feature/x"]);
    repository.skill("some plugins/rust/inside", "serde", "x").commit();
    // Git itself leads the address to this machine.
    let stand_in = format!("[url \"file://{}/\"]\n\tinsteadOf = https://github.com/\n", server.display());
    std::fs::write(context.root().join("home/.gitconfig"), stand_in).unwrap();
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "inside").is_some() && installed(&context, "outside").is_none());
    let commit = repository.git(&["rev-parse", "HEAD"]);
    for (tree, skill) in [
        (format!("tree/{commit}/some%20plugins"), "inside"),
        ("tree/main".to_owned(), "outside"),
        ("tree/HEAD/some%20plugins".to_owned(), "inside"),
    ] {
        configure(&context, &[("ours", &format!("https://github.com/o/r/{tree}"))], "");
        context.invoke(&["plugin", "sync", "ours"]).expect(0);
        assert!(context.invoke(&["plugin", "list"]).expect(0).contains(skill), "{tree}");
    }
    for (tree, reason) in
        [("tree/gone/a", "`gone/a` does not begin with a branch, tag or commit"), ("tree/main/a", "no directory `a`")]
    {
        configure(&context, &[("ours", &format!("https://github.com/o/r/{tree}"))], "");
        let output = context.invoke(&["plugin", "sync", "ours"]);
        assert!(output.code == 3 && output.stderr.contains(reason), "{output:?}");
    }
}

#[test]
fn the_public_recommendations_are_there_without_being_asked_for() {
    let mut context = with_fixture(&["workspace0"]);
    context.set("SYMPOSIUM_OFFLINE", "0");
    let server = context.root().join("server");
    let stand_in = format!("[url \"file://{}/\"]\n\tinsteadOf = https://github.com/symposium-dev/\n", server.display());
    std::fs::write(context.root().join("home/.gitconfig"), stand_in).unwrap();
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    // Nobody is there: that is a note, and no failure.
    let output = context.invoke(&["sync"]);
    assert_eq!((output.code, output.stderr.matches("recommendations").count()), (0, 1), "{output:?}");
    let asked = context.invoke(&["plugin", "sync", "symposium-recommendations"]);
    assert!(asked.code == 3 && asked.stderr.contains("failed to fetch source"), "{asked:?}");
    let [directory] = cached(&context).try_into().unwrap();
    std::fs::remove_file(directory.join("failed")).unwrap();
    let curious = context.invoke(&["sync", "-v"]);
    assert_eq!(curious.stderr.matches("failed to fetch `symposium-recommendations`").count(), 1, "{curious:?}");
    // It rests for a while after a failure, so that nobody waits for it again and again.
    let again = context.invoke(&["sync", "-v"]);
    assert_eq!(again.stderr.matches("failed to fetch `symposium-recommendations`").count(), 0, "{again:?}");

    let repository = Repository::create(server.join("recommendations"));
    repository.skill("serde-tips", "serde", "first").commit();
    std::fs::remove_file(directory.join("failed")).unwrap();
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "serde-tips").is_some());
    // Lost with the cache, and out of reach: what is installed and chosen stays.
    context.invoke(&["off", "serde"]).expect(0);
    std::fs::remove_dir_all(context.config_dir().join("cache")).unwrap();
    std::fs::remove_dir_all(&server).unwrap();
    context.invoke(&["sync"]).expect(0);
    let config = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    assert!(config.contains("serde = false"), "{config}");
}

#[test]
fn recommendations_that_cannot_be_fetched_are_noted_once() {
    let note = "failed to fetch `symposium-recommendations`; using built-in skills; run `symposium plugin sync` to try \
                again";
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for first in [["init", "--yes", "--agent=claude"].as_slice(), &["sync"]] {
        let mut context = with_fixture(&["workspace0"]);
        let stand_in = "[url \"file:///no/such/place/\"]\n\tinsteadOf = https://github.com/symposium-dev/\n";
        std::fs::write(context.root().join("home/.gitconfig"), stand_in).unwrap();
        context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
        let offline = context.invoke(first);
        assert!(offline.code == 0 && !offline.stderr.contains("recommendations"), "{first:?}: {offline:?}");
        context.set("SYMPOSIUM_OFFLINE", "0");
        let said = context.invoke(first);
        assert!(said.code == 0 && words(&said.stderr).contains(note), "{first:?}: {said:?}");
        let again = context.invoke(&["sync", "-v"]);
        assert!(!again.stderr.contains("failed to fetch source"), "{first:?}: {again:?}");
        assert!(words(&again.stderr).contains("source `symposium-recommendations`: not fetched yet"), "{again:?}");
    }
}

#[test]
fn the_recommendations_can_be_switched_off() {
    let mut context = with_fixture(&["workspace0"]);
    context.set("SYMPOSIUM_OFFLINE", "0");
    // Whatever is asked of GitHub ends here.
    let stand_in = "[url \"file:///nowhere/\"]\n\tinsteadOf = https://github.com/\n";
    std::fs::write(context.root().join("home/.gitconfig"), stand_in).unwrap();
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n[defaults]\nsymposium-recommendations = false\n");
    context.invoke(&["sync"]).expect(0);
    assert!(cached(&context).is_empty());
    assert_eq!(context.invoke(&["plugin", "sync"]).expect(0), "No source needs to be fetched.\n");
}

#[test]
fn names_that_cannot_be_fetched_are_told_apart() {
    let (context, _repository) = with_source();
    check(
        context.invoke(&["plugin", "sync", "taem"]),
        expect![[r#"
            --- stderr
            error: unknown source `taem`
            help: did you mean `team`?
            --- exit 1
        "#]],
    );
    check(
        context.invoke(&["plugin", "sync", "user-plugins"]),
        expect![[r#"
            --- stderr
            error: source `user-plugins` is a directory and needs no fetching
            help: changes in it take effect immediately
            --- exit 1
        "#]],
    );
    let document = json(context.invoke(&["plugin", "sync", "--json"]));
    assert_eq!(document["sources"][0]["state"], "fetched");
    assert_eq!(document["sources"][0]["name"], "team");
}

#[test]
fn a_projects_sources_are_fetched_by_a_command() {
    let context = machine(&[]);
    let repository = Repository::create(context.root().join("server/plugins"));
    repository.skill("serde-tips", "serde", "first").commit();
    let config = format!("[[plugin-source]]\nname = \"theirs\"\ngit = \"{}\"\n", repository.served());
    context.write(".symposium/config.toml", config);
    context.invoke_hook("claude", "session-start", "{}").expect(0);
    assert!(cached(&context).is_empty());
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "serde-tips").is_some());
}

/// Waits for something that a process nobody waits for does.
fn soon(what: impl Fn() -> bool) -> bool {
    (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        what()
    })
}

#[test]
fn a_session_start_has_old_sources_fetched_in_the_background() {
    let (context, repository) = with_source();
    let theirs = Repository::create(context.root().join("server/theirs"));
    theirs.skill("their-tips", "serde", "x").commit();
    let config = format!("[[plugin-source]]\nname = \"theirs\"\ngit = \"{}\"\n", theirs.served());
    context.invoke(&["sync"]).expect(0);
    context.write(".symposium/config.toml", config);
    let commit = repository.skill("serde-tips", "serde", "second").commit_at("2024-06-01T12:00:00Z");
    age(&context);
    context.invoke_hook("claude", "session-start", "{}").expect(0);
    let current = || {
        let [directory] = cached(&context).try_into().unwrap();
        std::fs::read_to_string(directory.join("current.json")).unwrap()
    };
    assert!(soon(|| current().contains(&commit)), "{}", current());
    assert_eq!(cached(&context).len(), 1, "what a project names is not fetched for it");
    // The next session has it.
    context.invoke_hook("claude", "session-start", "{}").expect(0);
    assert!(installed(&context, "serde-tips").unwrap().contains("second"));
    // Not again before four hours have passed, though the copy looks old.
    repository.skill("serde-tips", "serde", "third").commit_at("2024-07-01T12:00:00Z");
    age(&context);
    context.invoke_hook("claude", "session-start", "{}").expect(0);
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(current().contains(&commit));
}

#[test]
fn what_is_fetched_after_the_last_sync_is_found_by_the_next_session() {
    let (mut context, _repository) = with_source();
    context.set("SYMPOSIUM_OFFLINE", "1");
    assert_eq!(context.invoke(&["sync"]).code, 0);
    context.invoke_hook("claude", "session-start", "{}").expect(0);
    assert_eq!(installed(&context, "serde-tips"), None);
    context.set("SYMPOSIUM_OFFLINE", "0");
    context.invoke_in(&context.root().join("home"), &["plugin", "sync"]).expect(0);
    context.set("SYMPOSIUM_OFFLINE", "1");
    context.invoke_hook("claude", "session-start", "{}").expect(0);
    assert!(installed(&context, "serde-tips").is_some());
}

#[test]
fn a_dead_source_is_told_by_the_exit_code_with_and_without_its_name() {
    let (context, repository) = with_source();
    configure(&context, &[("team", &repository.url()), ("dead", "file:///nowhere/dead")], "");
    let all = context.invoke(&["plugin", "sync"]);
    assert_eq!(all.code, 3, "{all:?}");
    assert!(all.stdout.contains("team  fetched"), "the others are fetched: {all:?}");
    assert_eq!(context.invoke(&["plugin", "sync", "dead"]).code, 3);
    assert_eq!(context.invoke(&["plugin", "sync", "team"]).code, 0);
}

/// A source that does not follow its repository has a copy of its own, whoever else names the same address.
#[test]
fn sources_with_one_address_do_not_move_each_other() {
    let (context, repository) = with_source();
    let url = repository.url();
    context.write_config(
        "config.toml",
        format!(
            "[agent]\nname = \"claude\"\n\n[defaults]\nbuiltin = false\nsymposium-recommendations = false\n\n\
             [[plugin-source]]\nname = \"team\"\ngit = \"{url}\"\n\n\
             [[plugin-source]]\nname = \"held\"\ngit = \"{url}\"\nauto-update = false\n\n\
             [[plugin-source]]\nname = \"twin\"\ngit = \"{url}\"\n"
        ),
    );
    let _ = context.invoke(&["sync"]);
    let commit_of = |name: &str| {
        let document = json(context.invoke(&["plugin", "list", "--json"]));
        let sources = document["sources"].as_array().unwrap().clone();
        sources.iter().find(|source| source["name"] == name).unwrap()["commit"].as_str().unwrap().to_owned()
    };
    let first = commit_of("held");
    repository.skill("serde-tips", "serde", "second").commit_at("2024-06-01T12:00:00Z");
    let shown = context.invoke(&["plugin", "sync", "team"]).expect(0);
    assert_eq!(commit_of("held"), first);
    assert_ne!(commit_of("team"), first);
    // One copy serves both of these, so both moved, and both are said to have.
    assert!(shown.contains("team  updated") && shown.contains("twin  updated"), "{shown}");
    let shown = context.invoke(&["plugin", "sync"]).expect(0);
    assert!(shown.contains("held  updated"), "{shown}");
}
