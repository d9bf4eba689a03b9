//! `symposium uninstall` and files that git tracks: they are the team's.

use symposium_testkit::TestContext;

use crate::{git, with_fixture};

/// A project of a team that commits everything it can, set up by the one who uninstalls.
fn committed() -> TestContext {
    let context = with_fixture(&["workspace0"]);
    let all = "[agent]\nname = [\"claude\", \"copilot\"]\n\n[install]\ncommit = true\n";
    context.write(".symposium/config.toml", all);
    context.invoke(&["init", "--yes", "--agent", "gemini"]).expect(0);
    context.invoke(&["sync", "--lock"]).expect(0);
    git(context.workspace(), &["init", "-q"]);
    git(context.workspace(), &["add", "-A"]);
    git(context.workspace(), &["commit", "-qm", "x"]);
    context
}

#[test]
fn what_git_tracks_stays_and_is_named() {
    let context = committed();
    let expected = context.invoke(&["uninstall", "--dry-run"]);
    let shown = context.invoke(&["uninstall", "--yes"]);
    assert_eq!(shown.code, 0, "{shown:?}");
    assert_eq!(git(context.workspace(), &["status", "--short"]), "", "{shown:?}");
    for path in [
        ".symposium/config.toml",
        ".symposium/symposium.lock",
        ".claude/settings.json",
        ".mcp.json",
        ".claude/skills/serde",
        ".agents/skills/tokio",
        ".github/hooks/symposium.json",
    ] {
        let path = format!("$WORKSPACE/{path}");
        let said = format!("{path} is tracked by git and is kept; run `git rm -r {path}` to remove it");
        assert!(shown.stderr.contains(&said) && expected.stderr.contains(&said), "{path}: {shown:?}");
    }
    assert!(!context.config_dir().join("ledger.json").exists(), "the user's own part is gone");
    assert!(!context.root().join("home/.gemini/settings.json").exists());
    let again = context.invoke(&["uninstall", "--yes"]);
    assert!(again.stdout.contains("othing to uninstall"), "{again:?}");
}

#[test]
fn what_is_not_tracked_goes_as_ever() {
    let context = committed();
    git(context.workspace(), &["rm", "-rq", "--cached", ".claude", ".mcp.json", ".symposium/symposium.lock"]);
    let shown = context.invoke(&["uninstall", "--yes", "--project"]);
    assert_eq!(shown.code, 0, "{shown:?}");
    for gone in [".claude", ".mcp.json", ".symposium/symposium.lock"] {
        assert!(!context.workspace().join(gone).exists(), "{gone} {shown:?}");
    }
    assert!(context.workspace().join(".symposium/config.toml").exists());
    assert!(context.workspace().join(".agents/skills/serde/SKILL.md").exists());
}

/// Nothing is lost because a repository cannot be understood.
#[test]
fn what_git_may_track_stays_too() {
    let context = committed();
    context.write(".git/index", "no index");
    let shown = context.invoke(&["uninstall", "--yes"]);
    assert!(context.workspace().join(".symposium/config.toml").exists());
    assert!(shown.stderr.contains("the index of the git repository cannot be read, so git may track it"), "{shown:?}");
}
