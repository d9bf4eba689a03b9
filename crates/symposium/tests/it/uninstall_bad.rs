//! `symposium uninstall` when something stands in the way, or is not where it was put.

use crate::{bound_by_modes, set_mode, with_fixture};

#[test]
fn what_stands_in_the_way_is_named_by_the_users_own_file() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let closed = [context.root().join("home/.claude"), context.workspace().join(".claude/skills")];
    closed.iter().for_each(|directory| set_mode(directory, 0o555));
    let output = context.invoke_through(bound_by_modes(&context), &["uninstall", "--yes"]);
    closed.iter().for_each(|directory| set_mode(directory, 0o755));
    assert_eq!(output.code, 3, "{output:?}");
    for file in ["home/.claude/settings.json", "/.claude/skills/serde", "/.claude/skills/tokio"] {
        let line = output.stderr.lines().find(|line| line.contains(file));
        assert!(line.is_some_and(|line| line.to_lowercase().contains("permission denied")), "{}", output.stderr);
    }
    assert!(!output.stderr.contains(".symposium-"), "{}", output.stderr);
    context.invoke(&["uninstall", "--yes"]).expect(0);
}
