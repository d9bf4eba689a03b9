//! Files that several workspaces or agents share, and entries that stop being wanted.

use std::path::{Path, PathBuf};

use symposium_testkit::TestContext;

use crate::with_fixture;

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
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
    assert!(output.stderr.contains("symposium.json stays: $ROOT/repository/one uses it too"), "{output:?}");
    assert_eq!(context.invoke_in(&one, &["sync", "--check"]).expect(0), "Everything is in step; nothing to do.\n");
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
