//! The workspace of a directory.

use std::path::Path;

use symposium_io::cargo::{FoundBy, SearchBoundary, locate};

use crate::tree::{Tree, lock, package};

#[track_caller]
fn check(tree: &Tree, start: &str, expected: Option<(&str, FoundBy)>) {
    let found = locate(&tree.path(start), &tree.boundary()).workspace;
    let found = found.map(|found| (tree.with_tilde(&found.root.display().to_string()), found.found_by));
    let expected = expected.map(|(root, found_by)| (format!("~/{root}"), found_by));
    assert_eq!(found, expected, "from {start}");
}

#[test]
fn the_nearest_project_config_wins_then_the_nearest_lock_then_the_manifests() {
    let tree = Tree::new(&[
        ("with-config/.symposium/config.toml", ""),
        ("with-config/app/Cargo.toml", &package("app", "")),
        ("with-config/app/Cargo.lock", &lock("")),
        ("with-config/app/src/lib.rs", ""),
        ("locked/Cargo.toml", &package("locked", "")),
        ("locked/Cargo.lock", &lock("")),
        ("locked/src/deep/er/x.rs", ""),
        ("bare/Cargo.toml", "[workspace]\nmembers = ['crates/*']"),
        ("bare/crates/a/Cargo.toml", &package("a", "")),
        ("bare/crates/a/src/lib.rs", ""),
        ("nothing/x", ""),
    ]);
    check(&tree, "with-config/app/src", Some(("with-config", FoundBy::ProjectConfig)));
    check(&tree, "with-config", Some(("with-config", FoundBy::ProjectConfig)));
    check(&tree, "locked/src/deep/er", Some(("locked", FoundBy::Lock)));
    check(&tree, "bare/crates/a/src", Some(("bare", FoundBy::Manifest)));
    check(&tree, "bare", Some(("bare", FoundBy::Manifest)));
    check(&tree, "nothing", None);
    check(&tree, "locked/no/longer/there", Some(("locked", FoundBy::Lock)));
}

#[test]
fn manifests_say_who_belongs_to_whom() {
    let tree = Tree::new(&[
        (
            "ws/Cargo.toml",
            "[workspace]\nmembers = ['listed', 'glob-[ab]', 'any/**', 'taker']\nexclude = ['out', 'any/but']",
        ),
        ("ws/listed/Cargo.toml", &package("listed", "")),
        ("ws/glob-a/Cargo.toml", &package("glob-a", "")),
        ("ws/glob-c/Cargo.toml", &package("glob-c", "")),
        ("ws/any/x/y/z/Cargo.toml", &package("deep", "")),
        ("ws/any/but/Cargo.toml", &package("but", "")),
        ("ws/out/Cargo.toml", &package("out", "")),
        ("ws/nested/Cargo.toml", "[workspace]\nmembers = ['inner']"),
        ("ws/nested/inner/Cargo.toml", &package("inner", "")),
        ("ws/taker/Cargo.toml", &package("taker", "[dependencies]\ntaken = { path = '../taken' }")),
        ("ws/taken/Cargo.toml", &package("taken", "")),
        ("pointing/Cargo.toml", "[package]\nname = 'pointing'\nworkspace = '../ws'"),
        ("lost/Cargo.toml", "[package]\nname = 'lost'\nworkspace = '../nowhere'"),
    ]);
    for member in ["listed", "glob-a", "any/x/y/z", "taker", "taken"] {
        check(&tree, &format!("ws/{member}"), Some(("ws", FoundBy::Manifest)));
    }
    check(&tree, "ws/out", Some(("ws/out", FoundBy::Manifest)));
    check(&tree, "ws/any/but", Some(("ws/any/but", FoundBy::Manifest)));
    check(&tree, "ws/glob-c", Some(("ws/glob-c", FoundBy::Manifest)));
    check(&tree, "ws/nested/inner", Some(("ws/nested", FoundBy::Manifest)));
    check(&tree, "pointing", Some(("ws", FoundBy::Manifest)));
    check(&tree, "lost", Some(("lost", FoundBy::Manifest)));
}

#[test]
fn home_and_the_user_directory_are_never_a_project() {
    let tree = Tree::new(&[
        (".symposium/config.toml", ""),
        ("Cargo.lock", &lock("")),
        ("Cargo.toml", &package("home", "")),
        ("sub/dir/x", ""),
        ("other/.symposium/config.toml", ""),
        ("other/sub/x", ""),
    ]);
    check(&tree, "", None);
    check(&tree, "sub/dir", None);
    check(&tree, ".symposium", None);

    // The user directory can be elsewhere: then its parent is skipped, and the walk goes on.
    let elsewhere = SearchBoundary::new(Some(Path::new("/no/such/home")), Some(&tree.path("other/.symposium")));
    let found = locate(&tree.path("other/sub"), &elsewhere).workspace.unwrap();
    assert_eq!((found.root, found.found_by), (tree.root.clone(), FoundBy::ProjectConfig));
}

#[cfg(unix)]
#[test]
fn links_are_resolved_before_the_walk() {
    let tree = Tree::new(&[("real/Cargo.lock", &lock("")), ("real/src/x", ""), ("elsewhere/x", "")]);
    std::os::unix::fs::symlink(tree.path("real/src"), tree.path("elsewhere/link")).unwrap();
    check(&tree, "elsewhere/link", Some(("real", FoundBy::Lock)));
    std::os::unix::fs::symlink(&tree.root, tree.path("elsewhere/home")).unwrap();
    let linked_home = SearchBoundary::new(Some(&tree.path("elsewhere/home")), None);
    tree.write("Cargo.lock", lock(""));
    assert_eq!(locate(&tree.path("elsewhere"), &linked_home).workspace, None);
}
