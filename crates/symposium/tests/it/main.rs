//! The program as people and agents run it: one file for each command.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::needless_pass_by_value,
    reason = "tests fail by panicking and set up their own files"
)]

mod agents;
mod agents_md;
mod api;
mod autofmt_toolchain;
mod bad_input;
mod book;
mod cargo;
mod cargo_shim;
mod claude_code_plugin;
mod config;
mod consent;
mod context;
mod crate_info;
mod crate_plugins;
mod crate_source;
mod crate_source_reach;
mod deps;
mod dialects;
mod diff;
mod directories;
mod doctor;
mod dropped_agents;
mod faults;
mod finish;
mod flags;
mod forks;
mod generated;
mod guard_ground;
mod guard_surroundings;
mod guidance;
mod hard_link;
mod heavy_project;
mod help;
mod hook;
mod hook_by_hand;
mod hook_checks;
mod hook_limits;
mod hook_list;
mod hook_log;
mod hook_native;
mod hook_notes;
mod hook_odd_json;
mod hook_own_format;
mod hook_rules;
mod hook_session;
mod hook_test;
mod hook_tools;
mod hook_workflows;
mod hostile;
mod hostile_corpus;
mod hostile_together;
mod import;
mod import_again;
mod import_bad;
mod init;
mod installations;
mod json_failures;
mod kept_guards;
mod ledger_broken;
mod line_breaks;
mod loaded;
mod logging;
mod look_alikes;
mod mcp;
mod mcp_bad;
mod memory;
mod model_api;
mod odd_files;
mod old_state;
mod others_directories;
mod own_shell;
mod plain_words;
mod plan;
mod plan_in_turns;
mod plugin_index;
mod plugin_index_bad;
mod plugin_index_lock;
mod plugin_index_server;
mod plugin_list;
mod plugin_new;
mod plugin_show;
mod plugin_sync;
mod plugin_sync_archive;
mod plugin_sync_bad;
mod plugin_validate;
mod policy;
mod policy_place;
mod recommendations;
mod repository;
mod schemas;
mod search;
mod secrets;
mod self_update;
mod session_files;
mod skill_check;
mod skill_groups;
mod skill_test;
mod sources_once;
mod stand_ins;
mod start;
mod state_words;
mod status;
mod sync;
mod sync_bad;
mod sync_brought;
mod sync_kill;
mod sync_lock;
mod sync_lock_bad;
mod sync_names;
mod sync_restore;
mod sync_shared;
mod sync_vendor;
mod team;
mod team_config;
mod toggle;
mod trust;
mod trust_locked;
mod trust_reach;
mod trust_shown;
mod trust_words;
mod two_at_once;
mod unasked;
mod uninstall;
mod uninstall_bad;
mod uninstall_config;
mod uninstall_tracked;
mod up_to_date;
mod usage;
mod whose_word;
mod why;
mod workspace_skills;

use expect_test::Expect;
use symposium_testkit::{Output, TestContext};

/// Composes fixtures of `tests/fixtures` into an isolated environment.
fn with_fixture(names: &[&str]) -> TestContext {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");
    TestContext::with_fixture(env!("CARGO_BIN_EXE_symposium"), fixtures, names)
}

/// Compares everything a run showed.
#[track_caller]
fn check(output: Output, expected: Expect) {
    expected.assert_eq(&output.transcript());
}

/// For [`TestContext::invoke_through`]: a user whom the modes of files bind. The superuser passes them, so gives that up.
fn bound_by_modes(context: &TestContext) -> &'static [&'static str] {
    use std::os::unix::fs::MetadataExt;
    match std::fs::metadata(context.root()).unwrap().uid() {
        0 => &["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"],
        _ => &["env"],
    }
}

/// For [`TestContext::invoke_through`]: no byte can be written to any file, as on a full disk.
const FULL_DISK: [&str; 4] = ["sh", "-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"];

/// Gives a file or directory a mode.
fn set_mode(path: &std::path::Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// Runs git in a directory, and returns what it printed.
#[track_caller]
fn git(directory: &std::path::Path, args: &[&str]) -> String {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"];
    let command = std::process::Command::new("git").current_dir(directory).args(identity).args(args).output();
    let output = command.unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "git {args:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

#[track_caller]
fn json(output: Output) -> serde_json::Value {
    assert_eq!(output.stderr, "", "JSON runs are quiet when all is well");
    serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error} in:\n{}", output.stdout))
}
