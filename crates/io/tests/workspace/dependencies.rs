//! Dependencies of a workspace.

use expect_test::expect;
use symposium_model::crates::{CrateName, DependencyScope};

use crate::tree::{Tree, lock, package};

#[test]
fn every_kind_of_dependency() {
    let manifest = package(
        "app",
        r#"
            [dependencies]
            serde_json = "1"
            ser = { package = "serde", version = "1", optional = true }
            near = { path = "near" }
            outside = { path = "../outside", version = "2" }
            tool = { git = "https://example.com/tool", branch = "main" }
            rand = "0.9"
            rand_old = { package = "rand", version = "0.8" }
            [dev-dependencies]
            proptest = "1"
            [build-dependencies]
            cc = "1"
            [target.'cfg(windows)'.dependencies]
            windows = "0.5"
            [patch.crates-io]
            proptest = { path = "patched" }
            [workspace]
        "#,
    );
    let tree = Tree::new(&[
        ("ws/Cargo.toml", &manifest),
        ("ws/near/Cargo.toml", &package("near", "[dependencies]\nrand = '0.8'")),
        ("ws/patched/Cargo.toml", "[package]\nname = 'proptest'\nversion = '1.9.9'"),
        ("outside/Cargo.toml", "[package]\nname = 'outside'\nversion.workspace = true"),
        ("Cargo.toml", "[workspace]\nmembers = ['outside']\npackage.version = '2.5.0'"),
        (
            "ws/Cargo.lock",
            &lock(
                "app 0.1.0 -: cc, near, outside, proptest, rand 0.8.5, rand 0.9.1, serde, serde_json, tool, windows
                 cc 1.2.0 @
                 itoa 1.0.0 @
                 near 0.1.0 -: rand 0.8.5
                 outside 2.5.0 -
                 proptest 1.9.9 -
                 rand 0.8.5 @
                 rand 0.9.1 @
                 serde 1.0.219 @
                 serde_json 1.0.140 @: itoa, serde
                 tool 0.3.0 git+https://example.com/tool?branch=main#0123456789abcdef0123456789abcdef01234567
                 windows 0.5.0 @",
            ),
        ),
    ]);
    expect![[r"
        lock Present
        member app 0.1.0
        member near 0.1.0
        cc 1.2.0 registry
          app build 1
        itoa 1.0.0 registry
        near 0.1.0 ~/ws/near
          app normal *
        outside 2.5.0 ~/outside
          app normal 2
        proptest 1.9.9 ~/ws/patched
          app dev 1
        rand 0.8.5 registry
          app normal 0.8 as rand_old
          near normal 0.8
        rand 0.9.1 registry
          app normal 0.9
        serde 1.0.219 registry
          app normal 1 as ser optional
        serde_json 1.0.140 registry
          app normal 1
        tool 0.3.0 git+https://example.com/tool?branch=main#0123456789abcdef0123456789abcdef01234567
          app normal *
        windows 0.5.0 registry
          app normal 0.5 on cfg(windows)
    "]]
    .assert_eq(&tree.show("ws"));

    let crates = tree.read("ws").crates;
    let name = CrateName::parse("serde-json").unwrap();
    assert_eq!(crates.versions(&name, DependencyScope::Direct).count(), 1, "`-` and `_` are the same");
    let itoa = CrateName::parse("itoa").unwrap();
    assert_eq!(crates.versions(&itoa, DependencyScope::Direct).count(), 0);
    let version = crates.versions(&itoa, DependencyScope::Transitive).next().unwrap().version.clone();
    let path: Vec<String> = crates.path_to(&itoa, &version).unwrap().iter().map(|step| step.name.to_string()).collect();
    assert_eq!(path, ["app", "serde_json", "itoa"]);
    assert!(crates.is_member(&CrateName::parse("near").unwrap()));
}

#[test]
fn a_virtual_workspace_with_inheritance_patterns_and_exclusions() {
    let tree = Tree::new(&[
        (
            "ws/Cargo.toml",
            r#"
                [workspace]
                members = ["crates/*", "tools/**/cli-?"]
                exclude = ["crates/old", "vendored"]
                [workspace.package]
                version = "3.0.0"
                [workspace.dependencies]
                serde = { version = "1.0.100", features = ["derive"] }
                b = { path = "crates/b" }
                vendored = { path = "vendored" }
            "#,
        ),
        ("ws/crates/a/Cargo.toml", &package("a", "[dependencies]\nserde.workspace = true\nb.workspace = true")),
        (
            "ws/crates/b/Cargo.toml",
            "[package]\nname = 'b'\nversion.workspace = true\n[dev-dependencies]\nvendored = { workspace = true }",
        ),
        ("ws/crates/old/Cargo.toml", &package("old", "[dependencies]\nancient = '0.1'")),
        ("ws/crates/nested/Cargo.toml", "[workspace]\nmembers = []"),
        ("ws/crates/no-package/notes.txt", ""),
        ("ws/tools/x/y/cli-1/Cargo.toml", &package("cli-1", "")),
        ("ws/tools/target/cli-2/Cargo.toml", &package("cli-2", "")),
        ("ws/vendored/Cargo.toml", &package("vendored", "[dependencies]\nlibc = '0.2'")),
        (
            "ws/Cargo.lock",
            &lock(
                "a 0.1.0 -: b, serde\nb 3.0.0 -: vendored\ncli-1 0.1.0 -\nserde 1.0.219 @\nvendored 0.1.0 -: libc
                 libc 0.2.170 @",
            ),
        ),
    ]);
    expect![[r#"
        lock Present
        member a 0.1.0
        member b 3.0.0
        member cli-1 0.1.0
        b 3.0.0 ~/ws/crates/b
          a normal *
        libc 0.2.170 registry
        serde 1.0.219 registry
          a normal 1.0.100
        vendored 0.1.0 ~/ws/vendored
          b dev *
        warning: ~/ws/crates/nested/Cargo.toml: This is a separate workspace, so it is not a member of `~/ws/Cargo.toml`
    "#]]
    .assert_eq(&tree.show("ws"));
}

#[test]
fn a_lone_package_has_its_path_dependencies_as_neighbours() {
    let tree = Tree::new(&[
        ("app/Cargo.toml", &package("app", "[dependencies]\nsub = { path = 'sub' }")),
        ("app/sub/Cargo.toml", &package("sub", "[dependencies]\nlibc = '0.2'\ndeep = { path = '../deep' }")),
        ("app/deep/Cargo.toml", &package("deep", "")),
        ("app/Cargo.lock", &lock("app 0.1.0 -: sub\ndeep 0.1.0 -\nlibc 0.2.170 @\nsub 0.1.0 -: deep, libc")),
    ]);
    expect![[r"
        lock Present
        member app 0.1.0
        deep 0.1.0 ~/app/deep
        libc 0.2.170 registry
        sub 0.1.0 ~/app/sub
          app normal *
    "]]
    .assert_eq(&tree.show("app"));
}

#[test]
fn a_project_inside_a_larger_workspace_has_its_own_members_and_the_common_lock() {
    let tree = Tree::new(&[
        ("ws/Cargo.toml", "[workspace]\nmembers = ['a', 'b']\ndependencies.serde = '1'"),
        ("ws/a/Cargo.toml", &package("a", "[dependencies]\nserde.workspace = true\nb = { path = '../b' }")),
        ("ws/a/.symposium/config.toml", ""),
        ("ws/b/Cargo.toml", &package("b", "[dependencies]\nrand = '0.9'")),
        ("ws/Cargo.lock", &lock("a 0.1.0 -: b, serde\nb 0.1.0 -: rand\nrand 0.9.1 @\nserde 1.0.219 @")),
        // Left over from before the package joined the workspace: cargo does not look at it.
        ("ws/a/Cargo.lock", &lock("a 0.1.0 -: serde\nserde 1.0.1 @")),
    ]);
    expect![[r"
        lock Present
        member a 0.1.0
        b 0.1.0 ~/ws/b
          a normal *
        rand 0.9.1 registry
        serde 1.0.219 registry
          a normal 1
    "]]
    .assert_eq(&tree.show("ws/a"));
    assert_eq!(tree.read("ws/a").cargo_root, Some(tree.path("ws")));
}

#[test]
fn without_a_lock_direct_dependencies_are_assumed() {
    let tree = Tree::new(&[
        ("ws/Cargo.toml", "[workspace]\nmembers = ['a', 'b']"),
        ("ws/a/Cargo.toml", &package("a", "[dependencies]\nserde = '1.0.100'\nrand = '>0.8, <0.10'\nany = '*'")),
        ("ws/b/Cargo.toml", &package("b", "[dependencies]\na = { path = '../a' }\nout = { path = '../../out' }")),
        ("out/Cargo.toml", "[package]\nname = 'out'\nversion = '4.2.0'\n[dependencies]\nunseen = '1'"),
    ]);
    expect![[r#"
        lock Absent
        member a 0.1.0
        member b 0.1.0
        a 0.1.0 assumed ~/ws/a
          b normal *
        any 0.0.0 assumed registry
          a normal *
        out 4.2.0 assumed ~/out
          b normal *
        rand 0.9.0 assumed registry
          a normal >0.8, <0.10
        serde 1.0.100 assumed registry
          a normal 1.0.100
        warning: ~/ws/Cargo.lock: `Cargo.lock` does not exist, so the lowest versions that the manifests allow are assumed
    "#]]
    .assert_eq(&tree.show("ws"));
}

#[test]
fn a_stale_lock_is_completed_from_the_manifests() {
    let tree = Tree::new(&[
        ("ws/Cargo.toml", &package("app", "[dependencies]\nserde = '1'\nnew-one = '2.3'")),
        ("ws/Cargo.lock", &lock("app 0.1.0 -: removed, serde\nremoved 1.0.0 @\nserde 1.0.219 @")),
    ]);
    expect![[r#"
        lock Present
        member app 0.1.0
        new-one 2.3.0 assumed registry
          app normal 2.3
        serde 1.0.219 registry
          app normal 1
        warning: ~/ws/Cargo.lock: Out of date: it lacks the dependency `new-one` of `app`, it still has the dependency `removed` of `app`
    "#]].assert_eq(&tree.show("ws"));
}

#[test]
fn old_lock_formats() {
    let registry = "registry+https://github.com/rust-lang/crates.io-index";
    let first = format!(
        "[root]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\n \"rand 0.8.5 ({registry})\",\n]\n\n\
         [[package]]\nname = \"rand\"\nversion = \"0.8.5\"\nsource = \"{registry}\"\n\n\
         [metadata]\n\"checksum rand 0.8.5 ({registry})\" = \"00ff\"\n"
    );
    let second = format!(
        "[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\n \"rand\",\n]\n\n\
         [[package]]\nname = \"rand\"\nversion = \"0.8.5\"\nsource = \"{registry}\"\nchecksum = \"00ff\"\n"
    );
    let third = format!("version = 3\n\n{second}");
    let tree = Tree::new(&[("app/Cargo.toml", &package("app", "[dependencies]\nrand = '0.8'"))]);
    let mut shown = Vec::new();
    for text in [first, second.clone(), third.clone(), third.replace('\n', "\r\n")] {
        tree.write("app/Cargo.lock", text);
        shown.push(tree.show("app"));
    }
    expect![[r"
        lock Present
        member app 0.1.0
        rand 0.8.5 registry
          app normal 0.8
    "]]
    .assert_eq(&shown[0]);
    assert!(shown.iter().all(|other| *other == shown[0]), "{shown:#?}");
}

#[test]
fn a_project_without_cargo_has_no_crates() {
    let tree = Tree::new(&[("docs/.symposium/config.toml", "")]);
    let workspace = tree.read("docs");
    assert!(workspace.cargo_root.is_none() && workspace.findings.is_empty());
    assert!(workspace.crates.crates().is_empty() && workspace.crates.members().is_empty());
}

#[test]
fn a_lock_without_a_manifest_still_tells_members_from_others() {
    let tree =
        Tree::new(&[("ws/Cargo.lock", &lock("app 0.1.0 -: serde\nserde 1.0.219 @: serde_core\nserde_core 1.0.219 @"))]);
    expect![[r#"
        lock Present
        member app 0.1.0
        serde 1.0.219 registry
          app normal unknown
        serde_core 1.0.219 registry
    "#]]
    .assert_eq(&tree.show("ws"));
}
