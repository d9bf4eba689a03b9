//! Links in a pull request, and links that someone made in the place of a directory.

use std::os::unix::fs::symlink;

use symposium_testkit::TestContext;

use super::project;
use crate::git;

/// Commits what is not ignored.
fn commit_hostile(context: &TestContext) {
    git(context.workspace(), &["add", "-A"]);
    git(context.workspace(), &["commit", "-qm", "hostile"]);
}

#[test]
fn a_broken_file_behind_a_link_is_not_quoted() {
    let secret = "secret-of-this-machine";
    for (file, target) in [
        (".symposium/config.toml", "../.env.local"),
        ("Cargo.toml", ".env.local"),
        ("Cargo.lock", ".env.local"),
        ("symposium.lock", ".env.local"),
        ("plugins/policy/symposium.toml", "../../.env.local"),
        ("plugins/style/SKILL.md", "../../.env.local"),
    ] {
        let context = project();
        context.write(".gitignore", ".env.local\n");
        let place = context.workspace().join(file);
        let _ = std::fs::remove_file(&place);
        symlink(target, &place).unwrap();
        commit_hostile(&context);
        for text in
            [format!("TOKEN={secret}\n"), format!("\"{secret}\" = 1\n"), format!("self-contained = \"{secret}\"\n")]
        {
            context.write(".env.local", &text);
            for args in [&["diff", "HEAD^"][..], &["diff", "HEAD^", "--markdown"], &["diff", "HEAD^", "--json"]] {
                let transcript = context.invoke(args).transcript();
                assert!(!transcript.contains(secret), "{file} {args:?}\n{transcript}");
            }
        }
    }
    let context = project();
    context.write(".symposium/config.toml", "TOKEN=visible\n");
    let transcript = context.invoke(&["diff"]).transcript();
    assert!(transcript.contains("TOKEN=visible"), "{transcript}");
}
