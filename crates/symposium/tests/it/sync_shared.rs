//! Files that several workspaces or agents share, and entries that stop being wanted.

use std::path::{Path, PathBuf};

use symposium_testkit::TestContext;

use crate::{bound_by_modes, set_mode, with_fixture};

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

fn servers(path: &Path) -> serde_json::Value {
    serde_json::from_str::<serde_json::Value>(&text(path)).unwrap_or_default()["mcpServers"].clone()
}

/// One git repository with two workspaces that both use Copilot; the file they share is at the repository's root.
fn two_workspaces() -> (TestContext, [PathBuf; 2], PathBuf) {
    let context = with_fixture(&["workspace0"]);
    let repository = context.root().join("repository");
    std::fs::create_dir_all(repository.join(".git")).unwrap();
    let workspaces = ["one", "two"].map(|name| {
        let workspace = repository.join(name);
        std::fs::create_dir_all(workspace.join("src")).unwrap();
        for file in ["Cargo.toml", "Cargo.lock"] {
            std::fs::copy(context.workspace().join(file), workspace.join(file)).unwrap();
        }
        context.invoke_in(&workspace, &["init", "--project", "--yes", "--agent", "copilot"]).expect(0);
        workspace
    });
    let shared = repository.join(".github/hooks/symposium.json");
    assert!(shared.exists());
    (context, workspaces, shared)
}

#[test]
fn a_file_of_two_workspaces_goes_with_the_last_of_them() {
    let (context, [one, two], shared) = two_workspaces();
    for workspace in [&one, &two] {
        assert_eq!(context.invoke_in(workspace, &["sync", "--check"]).code, 0);
    }
    let output = context.invoke_in(&two, &["uninstall", "--project", "--yes"]);
    assert!(shared.exists(), "the first still needs it");
    assert!(output.stderr.contains("symposium.json is kept: $ROOT/repository/one uses it too"), "{output:?}");
    assert_eq!(context.invoke_in(&one, &["sync", "--check"]).expect(0), "Everything is up to date.\n");
    context.invoke_in(&one, &["uninstall", "--project", "--yes"]).expect(0);
    assert!(!shared.exists() && !shared.parent().unwrap().exists());
}

#[test]
fn an_agent_dropped_in_one_workspace_stays_in_the_other() {
    let (context, [one, two], shared) = two_workspaces();
    let config = text(&one.join(".symposium/config.toml")).replace("copilot", "claude");
    std::fs::write(one.join(".symposium/config.toml"), config).unwrap();
    context.invoke_in(&one, &["sync"]).expect(0);
    assert!(shared.exists(), "the second still needs it");
    assert_eq!(context.invoke_in(&one, &["sync", "--check"]).code, 0);
    assert_eq!(context.invoke_in(&two, &["sync", "--check"]).code, 0);
    let config = text(&two.join(".symposium/config.toml")).replace("copilot", "claude");
    std::fs::write(two.join(".symposium/config.toml"), config).unwrap();
    context.invoke_in(&two, &["sync"]).expect(0);
    assert!(!shared.exists());
}

#[test]
fn a_workspace_that_is_gone_needs_nothing() {
    let (context, [one, two], shared) = two_workspaces();
    std::fs::remove_dir_all(&one).unwrap();
    context.invoke_in(&two, &["uninstall", "--project", "--yes"]).expect(0);
    assert!(!shared.exists());

    let (context, [one, two], shared) = two_workspaces();
    std::fs::remove_dir_all(&one).unwrap();
    std::fs::remove_dir_all(&two).unwrap();
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert!(!shared.exists(), "what lies above a workspace does not go with it");
}

fn tool(context: &TestContext, name: &str, argument: &str) {
    let server = format!("[[mcp_servers]]\nname = \"{name}\"\ncommand = \"tool-mcp\"\nargs = [\"{argument}\"]\n");
    context.write_config("plugins/tools/symposium.toml", format!("name = \"tools\"\n{server}"));
}

/// A run that records what it will do and then cannot do it, as when it is killed there.
fn interrupted(context: &TestContext) {
    let home = context.root().join("home");
    set_mode(&home, 0o555);
    let output = context.invoke_through(bound_by_modes(context), &["sync"]);
    set_mode(&home, 0o755);
    assert_eq!(output.code, 3, "{output:?}");
}

#[test]
fn entries_nobody_wants_any_more_are_known_until_they_are_gone() {
    let context = with_fixture(&["workspace0"]);
    tool(&context, "tool", "--a");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let claude = context.root().join("home/.claude.json");
    tool(&context, "other", "--a");
    interrupted(&context);
    assert!(servers(&claude).get("tool").is_some() && servers(&claude).get("other").is_none(), "nothing was written");
    context.invoke(&["sync"]).expect(0);
    assert!(servers(&claude).get("tool").is_none() && servers(&claude).get("other").is_some(), "{}", text(&claude));
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);

    std::fs::remove_dir_all(context.config_dir().join("plugins")).unwrap();
    interrupted(&context);
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert!(!claude.exists(), "{}", text(&claude));
}

#[test]
fn an_entry_is_known_as_it_was_until_it_is_as_it_will_be() {
    let context = with_fixture(&["workspace0"]);
    tool(&context, "tool", "--a");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let claude = context.root().join("home/.claude.json");
    tool(&context, "tool", "--b");
    interrupted(&context);
    context.invoke(&["sync"]).expect(0);
    assert_eq!(servers(&claude)["tool"]["args"], serde_json::json!(["--b"]), "brought up to date all the same");

    tool(&context, "tool", "--c");
    interrupted(&context);
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert!(!claude.exists(), "{}", text(&claude));
}

const OWN: &str = "{\n  \"mcpServers\": {\n    \"mine\": { \"command\": \"my-server\" }\n  }\n}\n";

#[test]
fn servers_for_copilot_move_to_the_file_that_ours_would_hide() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--project", "--yes", "--agent", "copilot"]).expect(0);
    let (ours, theirs) = (context.workspace().join(".mcp.json"), context.workspace().join(".github/mcp.json"));
    assert!(ours.exists());
    context.write(".github/mcp.json", OWN);
    context.invoke(&["sync"]).expect(0);
    assert!(!ours.exists(), "it would hide the other");
    assert!(servers(&theirs).get("mine").is_some() && servers(&theirs).get("symposium").is_some());
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(text(&theirs), OWN);
}

#[test]
fn a_file_that_holds_the_users_own_servers_too_stays_in_use() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--project", "--yes", "--agent", "copilot"]).expect(0);
    let ours = context.workspace().join(".mcp.json");
    let edited =
        text(&ours).replacen("\"mcpServers\": {", "\"mcpServers\": {\n    \"mine\": { \"command\": \"x\" },", 1);
    std::fs::write(&ours, edited).unwrap();
    context.write(".github/mcp.json", OWN);
    context.invoke(&["sync"]).expect(0);
    assert!(servers(&ours).get("symposium").is_some() && servers(&ours).get("mine").is_some());
    assert_eq!(text(&context.workspace().join(".github/mcp.json")), OWN);
}

#[test]
fn a_file_another_agent_needs_stays_and_what_it_hides_is_said() {
    for agents in [["copilot", "claude"], ["claude", "copilot"]] {
        let context = with_fixture(&["workspace0"]);
        context.write(".github/mcp.json", OWN);
        let [first, second] = agents;
        let output = context.invoke(&["init", "--project", "--yes", "--agent", first, "--agent", second]);
        let sentence = "warning: GitHub Copilot CLI does not read `.github/mcp.json` if `.mcp.json` exists, which \
                        Claude Code needs; move your servers to that file";
        assert_eq!(output.stderr.matches(sentence).count(), 1, "{}", output.stderr);
        assert!(servers(&context.workspace().join(".mcp.json")).get("symposium").is_some());
        assert_eq!(text(&context.workspace().join(".github/mcp.json")), OWN, "where nobody would see it");
        assert_eq!(context.invoke(&["sync", "--check"]).code, 0, "{agents:?}");
        let output = context.invoke(&["sync"]);
        assert_eq!(output.stderr.matches(sentence).count(), 1, "{}", output.stderr);
    }
}

/// An entry that the user put in the place of ours is theirs, and nothing is restored.
#[test]
fn an_entry_that_the_user_replaced_is_kept_and_not_called_restored() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let file = context.root().join("home/.claude.json");
    let mut settings: serde_json::Value = serde_json::from_str(&text(&file)).unwrap();
    settings["mcpServers"]["symposium"] = serde_json::json!({"command": "mine"});
    std::fs::write(&file, settings.to_string()).unwrap();
    for _ in 0..2 {
        let synced = context.invoke(&["sync"]);
        assert!(synced.stderr.contains("belongs to you and is kept unchanged"), "{synced:?}");
        assert!(!synced.stdout.contains("restored"), "{synced:?}");
        assert_eq!(servers(&file)["symposium"]["command"], "mine");
    }
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(servers(&file)["symposium"]["command"], "mine");
}
