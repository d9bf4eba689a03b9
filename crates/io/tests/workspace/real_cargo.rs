//! Comparison of the dependencies that Symposium reads with those that cargo reports. Only tests start cargo; the
//! product never does.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use symposium_io::cargo::{SourceRoots, WorkspaceCrates, find_source};
use symposium_model::crates::{CrateName, DependencyKind, DependencyScope, VersionCertainty};

use crate::tree::{Tree, package, run};

/// A workspace with every kind of dependency, and a directory of vendored crates so that cargo needs no network.
fn workspace() -> Tree {
    let tree = Tree::new(&[
        (
            "ws/Cargo.toml",
            r#"
                [workspace]
                resolver = "2"
                members = ["crates/*", "apps/[ab]pp"]
                exclude = ["crates/excluded"]
                [workspace.package]
                version = "1.2.3"
                [workspace.dependencies]
                json = { package = "fake_json", version = "1.0" }
                lib-b = { path = "crates/lib-b" }
                [patch.crates-io]
                fake-patched = { path = "patched" }
            "#,
        ),
        (
            "ws/apps/app/Cargo.toml",
            &package(
                "app",
                r#"
                    [dependencies]
                    fake-rand = "0.9"
                    rand_old = { package = "fake-rand", version = "0.8" }
                    fake-log = { version = "0.4", optional = true }
                    lib-a = { path = "../../crates/lib-a", version = "0.1" }
                    lib-b.workspace = true
                    fake-patched = "1"
                    [dev-dependencies]
                    json = { workspace = true }
                    [build-dependencies]
                    fake-cc = ">=1, <2"
                    [target.'cfg(windows)'.dependencies]
                    fake-windows = "0.5"
                    [target.x86_64-unknown-linux-gnu.dev-dependencies]
                    fake-log = "0.4.1"
                "#,
            ),
        ),
        (
            "ws/crates/lib-a/Cargo.toml",
            &package("lib-a", "[dependencies]\nfake-rand = '0.8'\nouter = { path = '../../../outer' }"),
        ),
        (
            "ws/crates/lib-b/Cargo.toml",
            "[package]\nname = 'lib-b'\nedition = '2021'\nversion.workspace = true\n[dependencies]\ninner = { path = '../../inner' }",
        ),
        ("ws/crates/excluded/Cargo.toml", &package("excluded", "[dependencies]\nnever = '1'")),
        ("ws/inner/Cargo.toml", &package("inner", "")),
        ("ws/patched/Cargo.toml", "[package]\nname = 'fake-patched'\nversion = '1.5.0'\nedition = '2021'"),
        ("outer/Cargo.toml", &package("outer", "[dependencies]\nfake-deep = '2'")),
        ("ws/.cargo/config.toml", "[source.crates-io]\nreplace-with = 'v'\n[source.v]\ndirectory = 'vendor'\n"),
    ]);
    for member in ["apps/app", "crates/lib-a", "crates/lib-b", "crates/excluded", "inner", "patched", "../outer"] {
        tree.write(&format!("ws/{member}/src/lib.rs"), "");
    }
    tree.write("ws/apps/app/build.rs", "fn main() {}");
    for (name, version, dependencies) in [
        ("fake_json", "1.0.140", "fake-rand = '0.9.0'"),
        ("fake-rand", "0.8.5", "fake-core = '1'"),
        ("fake-rand", "0.9.1", "fake-core = '1'"),
        ("fake-core", "1.0.0", ""),
        ("fake-log", "0.4.27", ""),
        ("fake-cc", "1.2.0", ""),
        ("fake-windows", "0.5.0", ""),
        ("fake-deep", "2.0.0", "fake-core = { version = '1', optional = true }"),
    ] {
        let directory = format!("ws/vendor/{name}-{version}");
        let manifest = format!("[package]\nname = '{name}'\nversion = '{version}'\n[dependencies]\n{dependencies}\n");
        tree.write(&format!("{directory}/Cargo.toml"), manifest);
        tree.write(&format!("{directory}/src/lib.rs"), "");
        let checksum = format!("{{\"files\":{{}},\"package\":\"{}\"}}", "0".repeat(64));
        tree.write(&format!("{directory}/.cargo-checksum.json"), checksum);
    }
    tree
}

fn cargo(tree: &Tree, directory: &str, arguments: &[&str]) -> Vec<u8> {
    let program = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let home = tree.path("cargo-home");
    run(&tree.path(directory), &program, arguments, &[("CARGO_HOME", &home)]).expect("tests run under cargo")
}

fn metadata(tree: &Tree, directory: &str) -> Value {
    let arguments = ["metadata", "--offline", "--all-features", "--format-version", "1"];
    serde_json::from_slice(&cargo(tree, directory, &arguments)).unwrap()
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// `member needs name version kind target rename optional`, once for each direct dependency, as cargo sees it.
fn direct_by_cargo(metadata: &Value) -> BTreeSet<String> {
    let packages = array(&metadata["packages"]);
    let by_id = |id: &Value| packages.iter().find(|package| package["id"] == *id).unwrap();
    let mut found = BTreeSet::new();
    for id in array(&metadata["workspace_members"]) {
        let member = by_id(id);
        let node = array(&metadata["resolve"]["nodes"]).iter().find(|node| node["id"] == *id).unwrap();
        for dependency in array(&member["dependencies"]) {
            let called = dependency["rename"].as_str().unwrap_or(text(&dependency["name"])).replace('-', "_");
            let resolved = array(&node["deps"]).iter().find(|other| text(&other["name"]) == called).unwrap();
            let krate = by_id(&resolved["pkg"]);
            found.insert(format!(
                "{} needs {} {} {} {} {} {}",
                text(&member["name"]),
                text(&krate["name"]),
                text(&krate["version"]),
                dependency["kind"].as_str().unwrap_or("normal"),
                dependency["target"].as_str().unwrap_or("-"),
                dependency["rename"].as_str().unwrap_or("-"),
                dependency["optional"],
            ));
        }
    }
    found
}

fn direct_by_us(workspace: &WorkspaceCrates) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for krate in workspace.crates.crates() {
        for direct in &krate.uses {
            let kind = match direct.kind {
                DependencyKind::Normal => "normal",
                DependencyKind::Dev => "dev",
                DependencyKind::Build => "build",
            };
            found.insert(format!(
                "{} needs {} {} {kind} {} {} {}",
                direct.member,
                krate.name,
                krate.version,
                direct.target.as_deref().unwrap_or("-"),
                direct.renamed.as_deref().unwrap_or("-"),
                direct.optional,
            ));
        }
    }
    found
}

#[track_caller]
fn compare(tree: &Tree, directory: &str) {
    let metadata = metadata(tree, directory);
    let ours = tree.read(directory);
    assert!(ours.findings.is_empty(), "{:#?}", ours.findings);
    assert_eq!(direct_by_us(&ours), direct_by_cargo(&metadata));

    let packages = array(&metadata["packages"]);
    let by_cargo: BTreeSet<String> =
        packages.iter().map(|package| format!("{} {}", text(&package["name"]), text(&package["version"]))).collect();
    let crates = ours.crates.crates().iter().map(|krate| format!("{} {}", krate.name, krate.version));
    let members = ours.crates.members().iter().map(|member| format!("{} {}", member.name, member.version));
    assert_eq!(crates.chain(members).collect::<BTreeSet<_>>(), by_cargo);

    let members = array(&metadata["workspace_members"]);
    let is_member = |package: &&Value| members.contains(&package["id"]);
    let names: BTreeSet<&str> = packages.iter().filter(is_member).map(|package| text(&package["name"])).collect();
    let our_names: BTreeSet<&str> = ours.crates.members().iter().map(|member| member.name.as_str()).collect();
    assert_eq!(our_names, names);
    assert!(ours.crates.crates().iter().all(|krate| krate.certainty == VersionCertainty::Locked));
    let root = metadata["workspace_root"].as_str().map(Path::new);
    assert_eq!(ours.cargo_root.as_deref(), root);
}

#[test]
fn a_workspace_with_everything_reads_as_cargo_reads_it() {
    let tree = workspace();
    compare(&tree, "ws");
    let direct = direct_by_us(&tree.read("ws"));
    assert!(direct.contains("app needs fake-rand 0.8.5 normal - rand_old false"), "{direct:#?}");
    assert!(direct.contains("app needs fake-patched 1.5.0 normal - - false"), "{direct:#?}");

    let crates = tree.read("ws").crates;
    let name = CrateName::parse("fake-rand").unwrap();
    let roots = SourceRoots { cargo_home: None, workspace: &tree.path("ws") };
    let directories: Vec<_> = crates
        .versions(&name, DependencyScope::Direct)
        .map(|krate| find_source(krate, roots, &tree.boundary()).unwrap().directory)
        .collect();
    assert_eq!(directories, [tree.path("ws/vendor/fake-rand-0.8.5"), tree.path("ws/vendor/fake-rand-0.9.1")]);
}

#[test]
fn a_lone_package_and_a_nested_workspace_read_as_cargo_reads_them() {
    let tree = Tree::new(&[
        ("app/Cargo.toml", &package("app", "[dependencies]\nsub = { path = 'sub' }\nnested = { path = 'nested' }")),
        ("app/sub/Cargo.toml", &package("sub", "[dependencies]\ndeep = { path = 'deep' }")),
        ("app/sub/deep/Cargo.toml", &package("deep", "")),
        ("app/nested/Cargo.toml", &package("nested", "[dependencies]\ninner = { path = 'inner' }\n[workspace]")),
        ("app/nested/inner/Cargo.toml", &package("inner", "")),
    ]);
    for directory in ["", "/sub", "/sub/deep", "/nested", "/nested/inner"] {
        tree.write(&format!("app{directory}/src/lib.rs"), "");
    }
    compare(&tree, "app");
    compare(&tree, "app/nested");
}

#[test]
fn a_git_dependency_is_found_in_cargos_own_checkout() {
    let tree = Tree::new(&[
        ("repo/Cargo.toml", "[workspace]\nmembers = ['tool', 'other']"),
        ("repo/tool/Cargo.toml", &package("tool", "[dependencies]\nother = { path = '../other' }")),
        ("repo/tool/src/lib.rs", ""),
        ("repo/tool/README.md", "read me"),
        ("repo/other/Cargo.toml", &package("other", "")),
        ("repo/other/src/lib.rs", ""),
    ]);
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    let repository = tree.path("repo");
    let git =
        |arguments: &[&str]| run(&repository, "git", &[&identity[..], arguments].concat(), &[("HOME", &tree.root)]);
    if git(&["init", "-q"]).is_none() {
        return;
    }
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "first"]);
    let url = format!("file://{}", repository.display());
    tree.write("ws/Cargo.toml", package("app", &format!("[dependencies]\ntool = {{ git = '{url}' }}\n[workspace]")));
    tree.write("ws/src/lib.rs", "");
    cargo(&tree, "ws", &["fetch"]);
    compare(&tree, "ws");

    let crates = tree.read("ws").crates;
    let home = tree.path("cargo-home");
    let roots = SourceRoots { cargo_home: Some(&home), workspace: &tree.path("ws") };
    for (name, has_readme) in [("tool", true), ("other", false)] {
        let name = CrateName::parse(name).unwrap();
        let krate = crates.versions(&name, DependencyScope::Transitive).next().unwrap();
        let source = find_source(krate, roots, &tree.boundary()).unwrap();
        assert!(source.directory.starts_with(home.join("git/checkouts")) && source.directory.ends_with(name.as_str()));
        assert_eq!(source.readme.is_some(), has_readme);
    }
}
