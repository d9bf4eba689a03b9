//! "Everything is up to date." is said where it is true, and other sentences that used to say too much.

use crate::plugin_sync::{configure, machine};
use crate::with_fixture;

const UP_TO_DATE: &str = "Everything is up to date.\n";

#[test]
fn it_is_said_where_it_is_true() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    assert_eq!(context.invoke(&["sync"]).expect(0), UP_TO_DATE);
    assert_eq!(context.invoke(&["sync", "--check"]).expect(0), UP_TO_DATE);
    let elsewhere = context.root().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let outside = context.invoke_in(&elsewhere, &["sync"]);
    assert!(!outside.stdout.contains(UP_TO_DATE.trim()), "{outside:?}");
    assert!(outside.stderr.contains("not part of a cargo workspace"), "{outside:?}");
}

#[test]
fn it_is_not_said_of_sources_that_could_not_be_fetched() {
    let context = machine(&[]);
    configure(&context, &[("team", "file:///nowhere/team")], "");
    let shown = context.invoke(&["sync"]);
    assert!(!shown.stdout.contains(UP_TO_DATE.trim()), "{shown:?}");
    assert!(
        shown.stdout.contains("everything that could be read is up to date")
            || shown.stdout.contains("Everything that could be read is up to date"),
        "{shown:?}"
    );
}

#[test]
fn nothing_to_vendor_is_said() {
    let context = with_fixture(&["workspace0"]);
    context.write_config(
        "config.toml",
        "[agent]\nname = \"claude\"\n\n[defaults]\nsymposium-recommendations = false\nuser-plugins = false\n",
    );
    let first = context.invoke(&["sync", "--vendor"]);
    assert!(
        first.stderr.contains("no source needs to be vendored")
            || first.stderr.contains("No source needs to be vendored"),
        "{first:?}"
    );
}

#[test]
fn without_agents_no_table_names_any() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.write_config("config.toml", "[agent\nname = \"claude\"\n");
    let status = context.invoke(&["status"]);
    assert!(status.stdout.contains("claude"), "{status:?}");
    assert!(
        !status.stderr.contains("No agent is configured") && !status.stderr.contains("no agent is configured"),
        "{status:?}"
    );
    let doctor = context.invoke(&["doctor", "--agent", "claude"]);
    assert!(!doctor.stdout.contains("symposium init --agent claude"), "{doctor:?}");
    assert!(doctor.stdout.contains("config.toml is invalid"), "{doctor:?}");
}

#[test]
fn after_an_uninstall_status_says_what_is_so() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["uninstall", "--user", "--yes"]).expect(0);
    let status = context.invoke(&["status"]);
    let has_claude = status.stdout.contains("claude");
    let says_none = status.stderr.contains("no skill is installed");
    assert!(has_claude != says_none, "{status:?}");
}

#[test]
fn a_file_that_is_not_ours_is_not_missing() {
    let context = with_fixture(&["workspace0"]);
    let shown = context.invoke(&["why", "Cargo.toml"]);
    assert_eq!(shown.code, 1);
    let said = shown.stderr.to_lowercase();
    assert!(said.contains("`cargo.toml` was not written by symposium") && !said.contains("has that name"), "{said}");
    let shown = context.invoke(&["why", "file", "Cargo.toml"]).stderr.to_lowercase();
    assert!(shown.contains("was not written by symposium"), "{shown}");
}

#[test]
fn an_assumed_version_is_called_one() {
    let context = with_fixture(&["workspace0"]);
    std::fs::remove_file(context.workspace().join("Cargo.lock")).unwrap();
    let shown = context.invoke(&["status"]).expect(0);
    assert!(shown.contains("serde 1.0.0 (assumed)"), "{shown}");
    let document = context.invoke(&["status", "--json"]).expect(0);
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["extensions"][0]["assumed"], true, "{document}");
}

#[test]
fn how_it_was_installed_is_said_in_plain_words() {
    let context = with_fixture(&["workspace0"]);
    let shown = context.invoke(&["self-update", "--dry-run"]).expect(0);
    assert!(!shown.contains("trace") && shown.contains("installation method is unknown"), "{shown}");
}
