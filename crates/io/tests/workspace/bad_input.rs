//! Files that are broken, huge, looping or not files at all: each is named, and the rest still works.

use std::path::Path;

use expect_test::expect;
use symposium_model::crates::CargoLockState;

#[cfg(unix)]
use crate::tree::run;
use crate::tree::{Tree, lock, package};

/// Two members of which `good` is fine, and a good lock.
fn workspace() -> Tree {
    Tree::new(&[
        ("ws/Cargo.toml", "[workspace]\nmembers = ['good', 'bad']"),
        ("ws/good/Cargo.toml", &package("good", "[dependencies]\nserde = '1'")),
        ("ws/bad/Cargo.toml", &package("bad", "[dependencies]\nrand = '0.9'")),
        ("ws/Cargo.lock", &lock("bad 0.1.0 -: rand\ngood 0.1.0 -: serde\nrand 0.9.1 @\nserde 1.0.219 @")),
    ])
}

#[test]
fn a_broken_member_manifest_leaves_the_rest_and_the_lock_speaks_for_it() {
    let tree = workspace();
    tree.write("ws/bad/Cargo.toml", "[package\nname =");
    expect![[r#"
        lock Present
        member bad 0.1.0
        member good 0.1.0
        rand 0.9.1 registry
          bad normal unknown
        serde 1.0.219 registry
          good normal 1
        error: ~/ws/bad/Cargo.toml:1:9: Not valid TOML: unclosed table, expected `]`
    "#]]
    .assert_eq(&tree.show("ws"));
    tree.write("ws/bad/Cargo.toml", b"[package]\nname = \"b\xff\"");
    expect!["error: ~/ws/bad/Cargo.toml: Cannot read this file: not UTF-8 at byte 19"]
        .assert_eq(tree.show("ws").lines().last().unwrap());
    tree.write("ws/bad/Cargo.toml", "#".repeat(2 * 1024 * 1024));
    expect!["error: ~/ws/bad/Cargo.toml: Cannot read this file: larger than 1048576 bytes"]
        .assert_eq(tree.show("ws").lines().last().unwrap());
}

#[test]
fn a_broken_root_manifest_leaves_the_lock() {
    let tree = workspace();
    tree.write("ws/Cargo.toml", "<<<<<<< HEAD\n[workspace]\n");
    expect![[r#"
        lock Present
        member bad 0.1.0
        member good 0.1.0
        rand 0.9.1 registry
          bad normal unknown
        serde 1.0.219 registry
          good normal unknown
        error: ~/ws/Cargo.toml:1:1: Unresolved merge conflict
    "#]]
    .assert_eq(&tree.show("ws"));
    std::fs::remove_file(tree.path("ws/Cargo.lock")).unwrap();
    let workspace = tree.read("ws");
    assert_eq!((workspace.crates.crates().len(), workspace.findings.len()), (0, 1));
    assert_eq!(workspace.cargo_root, Some(tree.path("ws")));
}

#[test]
fn a_broken_lock_leaves_the_manifests() {
    let tree = workspace();
    let good = std::fs::read_to_string(tree.path("ws/Cargo.lock")).unwrap();
    let conflicted = format!("{good}\n<<<<<<< HEAD\n=======\n>>>>>>> other\n");
    tree.write("ws/Cargo.lock", conflicted);
    expect![[r#"
        lock Broken
        member bad 0.1.0
        member good 0.1.0
        rand 0.9.0 assumed registry
          bad normal 0.9
        serde 1.0.0 assumed registry
          good normal 1
        error: ~/ws/Cargo.lock:27:1: Unresolved merge conflict
    "#]]
    .assert_eq(&tree.show("ws"));
    let truncated = good.get(..good.len() - 10).unwrap().as_bytes().to_vec();
    for content in [truncated, b"\xff\xfe".to_vec(), vec![b'#'; 17 * 1024 * 1024], vec![0; 4096]] {
        tree.write("ws/Cargo.lock", content);
        let workspace = tree.read("ws");
        assert_eq!(workspace.crates.lock(), CargoLockState::Broken);
        assert_eq!(workspace.crates.crates().len(), 2, "the manifests still count");
        let named: Vec<&Path> = workspace.findings.iter().map(|finding| Path::new(finding.path.as_str())).collect();
        assert_eq!(named, [tree.path("ws/Cargo.lock")]);
    }
}

#[test]
fn a_lock_cut_between_packages_is_said_to_be_incomplete() {
    let tree = workspace();
    tree.write("ws/Cargo.lock", lock("bad 0.1.0 -: rand\ngood 0.1.0 -: serde\nrand 0.9.1 @"));
    expect![[r#"
        lock Present
        member bad 0.1.0
        member good 0.1.0
        rand 0.9.1 registry
          bad normal 0.9
        serde 1.0.0 assumed registry
          good normal 1
        warning: ~/ws/Cargo.lock: Out of date: it lacks the dependency `serde` of `good`
        warning: ~/ws/Cargo.lock: Incomplete: packages need `serde`, which are missing
    "#]]
    .assert_eq(&tree.show("ws"));
}

#[test]
fn members_that_are_missing_or_no_patterns_are_named() {
    let tree = workspace();
    tree.write("ws/Cargo.toml", "[workspace]\nmembers = ['good', 'gone', 'no/*', 'x[', 7]");
    expect![[r#"
        lock Present
        member bad 0.1.0
        member good 0.1.0
        rand 0.9.1 registry
          bad normal unknown
        serde 1.0.219 registry
          good normal 1
        error: ~/ws/Cargo.toml:2:42: An entry of `members` has to be a string
        warning: ~/ws/Cargo.toml: No directory matches the workspace members `no/*`
        error: ~/ws/Cargo.toml: `x[` in `members` is not a pattern
        error: ~/ws/gone: `Cargo.toml` is missing here, but this is a workspace member
    "#]]
    .assert_eq(&tree.show("ws"));
}

#[cfg(unix)]
#[test]
fn fifos_do_not_block() {
    let tree = workspace();
    for file in ["ws/bad/Cargo.toml", "ws/Cargo.lock"] {
        std::fs::remove_file(tree.path(file)).unwrap();
        if run(&tree.root, "mkfifo", &[tree.path(file).to_str().unwrap()], &[]).is_none() {
            return;
        }
    }
    expect![[r#"
        lock Broken
        member good 0.1.0
        serde 1.0.0 assumed registry
          good normal 1
        error: ~/ws/bad/Cargo.toml: Cannot read this file: not a regular file
        error: ~/ws/Cargo.lock: Cannot read this file: not a regular file
    "#]]
    .assert_eq(&tree.show("ws"));
    let found = symposium_io::cargo::locate(&tree.path("ws/good"), &tree.boundary()).workspace.unwrap();
    assert_eq!(found.root, tree.path("ws"));
}

#[cfg(unix)]
#[test]
fn directories_and_dangling_links_in_place_of_files() {
    let tree = workspace();
    for file in ["ws/bad/Cargo.toml", "ws/Cargo.lock"] {
        std::fs::remove_file(tree.path(file)).unwrap();
    }
    std::fs::create_dir(tree.path("ws/bad/Cargo.toml")).unwrap();
    std::os::unix::fs::symlink("Cargo.lock", tree.path("ws/Cargo.lock")).unwrap();
    let workspace = tree.read("ws");
    assert_eq!(workspace.crates.lock(), CargoLockState::Broken, "a link to itself is no lock");
    assert_eq!(workspace.findings.len(), 2, "{:#?}", workspace.findings);
    assert_eq!(workspace.crates.crates().len(), 1);
}

#[cfg(unix)]
#[test]
fn link_loops_end() {
    let tree = workspace();
    tree.write("ws/Cargo.toml", "[workspace]\nmembers = ['**', '*/*']");
    std::os::unix::fs::symlink(tree.path("ws"), tree.path("ws/good/up")).unwrap();
    std::os::unix::fs::symlink("../good", tree.path("ws/good/self")).unwrap();
    std::os::unix::fs::symlink("around", tree.path("ws/around")).unwrap();
    expect![[r"
        lock Present
        member bad 0.1.0
        member good 0.1.0
        rand 0.9.1 registry
          bad normal 0.9
        serde 1.0.219 registry
          good normal 1
    "]]
    .assert_eq(&tree.show("ws"));
}

#[test]
fn path_dependencies_in_a_circle_end() {
    let tree = Tree::new(&[
        (
            "ws/Cargo.toml",
            &package("a", "[dependencies]\nb = { path = 'b' }\n[dev-dependencies]\na = { path = '.' }\n[workspace]"),
        ),
        ("ws/b/Cargo.toml", &package("b", "[dev-dependencies]\na = { path = '..' }\nc = { path = '../../c' }")),
        ("c/Cargo.toml", &package("c", "[dependencies]\nb = { path = '../ws/b' }")),
    ]);
    expect![[r#"
        lock Absent
        member a 0.1.0
        member b 0.1.0
        a 0.1.0 assumed ~/ws
          a dev *
          b dev *
        b 0.1.0 assumed ~/ws/b
          a normal *
        c 0.1.0 assumed ~/c
          b dev *
        warning: ~/ws/Cargo.lock: `Cargo.lock` does not exist, so the lowest versions that the manifests allow are assumed
    "#]]
    .assert_eq(&tree.show("ws"));
}

#[cfg(unix)]
#[test]
fn unreadable_directories_are_named() {
    use std::os::unix::fs::PermissionsExt;
    let tree = workspace();
    tree.write("ws/Cargo.toml", "[workspace]\nmembers = ['good', 'closed/*']");
    tree.write("ws/closed/x/Cargo.toml", package("x", ""));
    let closed = tree.path("ws/closed");
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o000)).unwrap();
    let is_closed = std::fs::read_dir(&closed).is_err();
    let workspace = tree.read("ws");
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert!(workspace.crates.crates().iter().any(|krate| krate.name.as_str() == "serde"));
    // Nothing is closed to root.
    if is_closed {
        assert!(workspace.findings.iter().any(|finding| finding.path == closed.to_str().unwrap()));
    }
}

#[test]
fn a_huge_workspace_is_read_all_the_same() {
    const CRATES: usize = 20_000;
    let manifest: Vec<String> = (0..CRATES).map(|at| format!("c{at} = '1'\n")).collect();
    let manifest = package("app", &format!("[dependencies]\n{}", manifest.concat()));
    let tree = Tree::new(&[("ws/Cargo.toml", &manifest)]);
    assert_eq!(tree.read("ws").crates.crates().len(), CRATES);
    let needs: Vec<String> = (0..CRATES).map(|at| format!("c{at}")).collect();
    let packages: Vec<String> = (0..CRATES).map(|at| format!("c{at} 1.0.{at} @\n")).collect();
    tree.write("ws/Cargo.lock", lock(&format!("app 0.1.0 -: {}\n{}", needs.join(", "), packages.concat())));
    let workspace = tree.read("ws");
    assert_eq!((workspace.crates.crates().len(), workspace.findings.len()), (CRATES, 0));
}
