//! Location of a crate's source.

use symposium_io::cargo::{CrateSource, SourceRoots, find_source};
use symposium_model::crates::{CrateName, DependencyScope};

use crate::tree::{Tree, lock, package};

fn find(tree: &Tree, name: &str) -> Option<CrateSource> {
    let workspace = tree.read("ws");
    let name = CrateName::parse(name).unwrap();
    let krate = workspace.crates.versions(&name, DependencyScope::Transitive).next().unwrap();
    let cargo_home = tree.path("cargo-home");
    let roots = SourceRoots { cargo_home: Some(&cargo_home), workspace: &tree.path("ws") };
    find_source(krate, roots, &tree.boundary())
}

fn shown(tree: &Tree, name: &str) -> String {
    let Some(CrateSource { directory, readme, examples, docs }) = find(tree, name) else { return "nowhere".to_owned() };
    let mut parts = vec![directory.display().to_string()];
    for path in [readme, examples, docs].into_iter().flatten() {
        parts.push(path.strip_prefix(&directory).unwrap_or(&path).display().to_string());
    }
    tree.with_tilde(&parts.join(" "))
}

fn workspace() -> Tree {
    let manifest = package(
        "app",
        "[dependencies]\nserde = '1'\nrand = '0.9'\nprivate = '1'\nnear = { path = 'near' }\n\
         tool = { git = 'https://example.com/Some/Tools.git' }\nlost = '1'\n[workspace]",
    );
    Tree::new(&[
        ("ws/Cargo.toml", &manifest),
        ("ws/README.md", ""),
        ("ws/near/Cargo.toml", "[package]\nname = 'near'\nversion = '0.2.0'\nreadme = '../README.md'"),
        ("ws/near/docs/guide.md", ""),
        (
            "ws/Cargo.lock",
            &lock(
                "app 0.1.0 -: lost, near, private, rand, serde, tool
                 lost 1.0.0 @
                 near 0.2.0 -
                 private 1.0.0 sparse+https://registry.example.org:8080/index/
                 rand 0.9.1 @
                 serde 1.0.219 @
                 tool 0.3.0 git+https://example.com/Some/Tools.git#0123456789abcdef0123456789abcdef01234567",
            ),
        ),
    ])
}

#[test]
fn registries_are_told_apart() {
    let tree = workspace();
    for (registry, name) in [
        ("a-mirror-0000000000000000", "serde-1.0.219"),
        ("index.crates.io-0000000000000000", "serde-1.0.219"),
        ("index.crates.io-0000000000000000", "serde-1.0.1"),
        ("index.crates.io-0000000000000000", "private-1.0.0"),
        ("registry.example.org-0000000000000000", "private-1.0.0"),
        ("a-mirror-0000000000000000", "rand-0.9.1"),
    ] {
        tree.write(&format!("cargo-home/registry/src/{registry}/{name}/Cargo.toml"), "");
        tree.write(&format!("cargo-home/registry/src/{registry}/{name}/README.md"), "");
        tree.write(&format!("cargo-home/registry/src/{registry}/{name}/examples/a.rs"), "");
    }
    let sources = "~/cargo-home/registry/src";
    assert_eq!(
        shown(&tree, "serde"),
        format!("{sources}/index.crates.io-0000000000000000/serde-1.0.219 README.md examples")
    );
    assert_eq!(
        shown(&tree, "private"),
        format!("{sources}/registry.example.org-0000000000000000/private-1.0.0 README.md examples")
    );
    assert_eq!(shown(&tree, "rand"), format!("{sources}/a-mirror-0000000000000000/rand-0.9.1 README.md examples"));
    assert_eq!(shown(&tree, "lost"), "nowhere");
}

#[test]
#[cfg_attr(windows, ignore = "the expected paths are those of Unix")]
fn path_dependencies_are_where_they_are() {
    let tree = workspace();
    assert_eq!(shown(&tree, "near"), "~/ws/near ../README.md docs");
}

#[test]
fn a_git_package_is_searched_in_the_checkout_of_its_commit() {
    let tree = workspace();
    assert_eq!(shown(&tree, "tool"), "nowhere");
    let checkouts = "cargo-home/git/checkouts";
    let tool = "[package]\nname = 'tool'\nversion = '0.3.0'";
    tree.write(&format!("{checkouts}/tools-aaaa/9999999/tool/Cargo.toml"), tool);
    tree.write(&format!("{checkouts}/tools-aaaa/0123456/Cargo.toml"), "[workspace]\nmembers = ['crates/*']");
    tree.write(&format!("{checkouts}/tools-aaaa/0123456/crates/other/Cargo.toml"), package("other", ""));
    tree.write(&format!("{checkouts}/tools-aaaa/0123456/crates/old/Cargo.toml"), package("tool", ""));
    tree.write(&format!("{checkouts}/tools-aaaa/0123456/crates/tool/Cargo.toml"), tool);
    tree.write(&format!("{checkouts}/tools-aaaa/0123456/crates/tool/README.md"), "");
    assert_eq!(shown(&tree, "tool"), format!("~/{checkouts}/tools-aaaa/0123456/crates/tool README.md"));
}

#[test]
fn vendored_crates_come_first() {
    let tree = workspace();
    tree.write("cargo-home/registry/src/index.crates.io-0/serde-1.0.219/Cargo.toml", "");
    tree.write(
        "ws/.cargo/config.toml",
        "[source.crates-io]\nreplace-with = 'v'\n[source.v]\ndirectory = 'third-party'\n",
    );
    tree.write("ws/third-party/rand/Cargo.toml", "[package]\nname = 'rand'\nversion = '0.8.0'");
    tree.write("ws/third-party/rand-0.9.1/Cargo.toml", "[package]\nname = 'rand'\nversion = '0.9.1'");
    tree.write("ws/third-party/serde/Cargo.toml", "[package]\nname = 'serde'\nversion = '1.0.219'");
    assert_eq!(shown(&tree, "rand"), "~/ws/third-party/rand-0.9.1");
    assert_eq!(shown(&tree, "serde"), "~/ws/third-party/serde");
}

#[cfg(unix)]
#[test]
fn links_out_of_the_source_are_not_followed() {
    let tree = workspace();
    let directory = "cargo-home/registry/src/index.crates.io-0/serde-1.0.219";
    tree.write(&format!("{directory}/Cargo.toml"), "[package]\nname = 'serde'\nreadme = '../../../../../secret'");
    tree.write("secret", "");
    tree.write("secrets/x", "");
    std::os::unix::fs::symlink(tree.path("secret"), tree.path(&format!("{directory}/README.md"))).unwrap();
    std::os::unix::fs::symlink(tree.path("secrets"), tree.path(&format!("{directory}/examples"))).unwrap();
    assert_eq!(shown(&tree, "serde"), format!("~/{directory}"));
}
