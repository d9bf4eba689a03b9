use std::fmt::Write;
use std::path::Path;

use expect_test::{Expect, expect};

use super::super::types::{DependencyDeclaration, DependencySource};
use super::*;

fn show(detail: &DependencyDetail) -> String {
    let place = match &detail.place {
        DependencySource::Registry => "registry",
        DependencySource::Path(path) => path,
        DependencySource::Git(source) => source,
    };
    let package = detail.package.as_ref().map(|package| format!("{package} ")).unwrap_or_default();
    format!("{package}{} from {place}", detail.requirement)
}

fn check(text: &str, expected: &Expect) {
    let mut shown = String::new();
    match parse_manifest("Cargo.toml", text) {
        Err(finding) => writeln!(shown, "{finding}").unwrap(),
        Ok((manifest, findings)) => {
            if let Some(PackageTable { name, version, workspace, .. }) = &manifest.package {
                writeln!(shown, "package {name} {version:?} {}", workspace.as_deref().unwrap_or("-")).unwrap();
            }
            for dependency in &manifest.dependencies {
                let declaration = match &dependency.declaration {
                    DependencyDeclaration::Own(detail) => show(detail),
                    DependencyDeclaration::Inherited => "inherited".to_owned(),
                };
                let optional = if dependency.optional { " optional" } else { "" };
                let target = dependency.target.as_ref().map(|target| format!(" on {target}")).unwrap_or_default();
                writeln!(shown, "{:?} {}{optional}{target}: {declaration}", dependency.kind, dependency.key).unwrap();
            }
            if let Some(workspace) = &manifest.workspace {
                let WorkspaceTable { members, exclude, default_members, version, dependencies, edition: _ } = workspace;
                let version = version.as_ref().map(ToString::to_string);
                writeln!(shown, "workspace {members:?} {exclude:?} {default_members:?} {version:?}").unwrap();
                for (key, detail) in dependencies {
                    writeln!(shown, "  {key}: {}", show(detail)).unwrap();
                }
            }
            if !manifest.patched_paths.is_empty() {
                writeln!(shown, "patched {:?}", manifest.patched_paths).unwrap();
            }
            for finding in findings {
                assert!(finding.help.is_some());
                writeln!(shown, "{finding}").unwrap();
            }
            if manifest.skipped > 0 {
                writeln!(shown, "skipped {}", manifest.skipped).unwrap();
            }
        }
    }
    expected.assert_eq(&shown);
}

#[test]
fn dependencies_of_every_kind_and_place() {
    check(
        r#"
            [package]
            name = "app"
            version = "0.1.0"
            edition = "2024"

            [dependencies]
            plain = "1.2"
            table = { version = ">=1, <2", optional = true, features = ["x"] }
            other = { package = "real-name", version = "3" }
            near = { path = "../near" }
            near-too = { path = "../near", version = "0.1" }
            far = { git = "https://example.com/far", rev = "abc" }
            far-branch = { git = "https://example.com/far", branch = "dev" }
            private = { version = "1", registry = "ours" }
            shared.workspace = true
            shared-optional = { workspace = true, optional = true }

            [dependencies.long]
            version = "0.3"

            [dev-dependencies]
            tests = "2"
            [build-dependencies]
            cc = "1"

            [target.'cfg(windows)'.dependencies]
            windows = "0.5"
            [target.x86_64-unknown-linux-gnu.dev_dependencies]
            libc = "0.2"
        "#,
        &expect![[r"
            package app Given(Version { major: 0, minor: 1, patch: 0 }) -
            Normal far: * from git+https://example.com/far?rev=abc
            Normal far-branch: * from git+https://example.com/far?branch=dev
            Normal long: 0.3 from registry
            Normal near: * from ../near
            Normal near-too: 0.1 from ../near
            Normal other: real-name 3 from registry
            Normal plain: 1.2 from registry
            Normal private: 1 from registry
            Normal shared: inherited
            Normal shared-optional optional: inherited
            Normal table optional: >=1, <2 from registry
            Dev tests: 2 from registry
            Build cc: 1 from registry
            Normal windows on cfg(windows): 0.5 from registry
            Dev libc on x86_64-unknown-linux-gnu: 0.2 from registry
        "]],
    );
}

#[test]
fn a_virtual_root_lists_members_and_what_they_inherit() {
    check(
        r#"
            [workspace]
            members = ["crates/*", "tool"]
            exclude = ["crates/old"]
            default-members = ["tool"]
            [workspace.package]
            version = "2.0.0"
            [workspace.dependencies]
            serde = "1.0"
            web = { package = "axum", version = "0.8" }
            core = { path = "crates/core" }
            [patch.crates-io]
            serde = { path = "vendored/serde" }
            rand = { git = "https://example.com/rand" }
            [replace]
            "libc:0.2.0" = { path = "libc" }
        "#,
        &expect![[r#"
            workspace ["crates/*", "tool"] ["crates/old"] ["tool"] Some("2.0.0")
              core: * from crates/core
              serde: 1.0 from registry
              web: axum 0.8 from registry
            patched ["vendored/serde", "libc"]
        "#]],
    );
}

#[test]
fn old_spellings_and_inherited_versions() {
    check(
        "[project]\nname = 'old'\nversion.workspace = true\nworkspace = '../..'\n[dev_dependencies]\na = '1'\n[build_dependencies]\nb = '1'\n",
        &expect![[r"
            package old Inherited ../..
            Dev a: 1 from registry
            Build b: 1 from registry
        "]],
    );
    check(
        "[package]\nname = \"no-version\"\r\n[dependencies]\r\na = \"*\"\r\n",
        &expect![[r"
        package no-version Missing -
        Normal a: * from registry
    "]],
    );
}

#[test]
fn one_odd_entry_does_not_lose_the_others() {
    check(
        r#"
            [package]
            name = "app"
            version = "one"
            [dependencies]
            number = 5
            list = ["1"]
            bad-req = "newest"
            bad-path = { path = 3 }
            "bad name" = "1"
            off = { workspace = false, version = "1" }
            good = "1"
            [target]
            windows = 1
            [workspace]
            members = ["a", 2]
            exclude = "b"
            [workspace.dependencies]
            odd = true
            fine = "1"
        "#,
        &expect![[r#"
            package app Missing -
            Normal bad-path: * from registry
            Normal bad-req: * from registry
            Normal good: 1 from registry
            Normal off: 1 from registry
            workspace ["a"] [] [] None
              fine: 1 from registry
            Cargo.toml:4:23: `version` is not a version
            Cargo.toml:6:22: The dependency `number` has to be a string or a table
            Cargo.toml:7:20: The dependency `list` has to be a string or a table
            Cargo.toml:8:23: `newest` is not a version requirement for `bad-req`: unexpected character 'n' while parsing major version number
            Cargo.toml:9:33: `path` of the dependency `bad-path` has to be a string
            Cargo.toml:10:26: `bad name` is not a valid crate name
            Cargo.toml:14:23: The target `windows` has to be a table
            Cargo.toml:16:29: An entry of `members` has to be a string
            Cargo.toml:17:23: `exclude` has to be a list of strings
            Cargo.toml:19:19: The dependency `odd` has to be a string or a table
            skipped 4
        "#]],
    );
    check(
        "dependencies = 3\ntarget = 4\npackage = 5\nworkspace = []\n",
        &expect![[r"
        Cargo.toml:1:16: `dependencies` has to be a table
        Cargo.toml:2:10: `target` has to be a table
        Cargo.toml:3:11: `package` has to be a table
        Cargo.toml:4:13: `workspace` has to be a table
        skipped 2
    "]],
    );
    check(
        "[package]\nversion = '1.0.0'\n[dependencies]\na = '1'\n",
        &expect![[r#"
            Normal a: 1 from registry
            Cargo.toml:1:1: The package has no `name`
        "#]],
    );
}

#[test]
fn excluded_directories_are_out_unless_listed() {
    let table = |text: &str| parse_manifest("Cargo.toml", text).unwrap().0.workspace.unwrap();
    let excludes = |text: &str, directory: &str| table(text).excludes(Path::new("/ws"), Path::new(directory));
    let some = "[workspace]\nmembers = ['old/kept', 'crates/*']\nexclude = ['old', 'crates/x']";
    assert!(excludes(some, "/ws/old/gone"));
    assert!(excludes(some, "/ws/crates/x"));
    assert!(!excludes(some, "/ws/old/kept"));
    assert!(!excludes(some, "/ws/older"));
    assert!(!excludes(some, "/elsewhere/old"));
    assert!(!excludes("[workspace]", "/ws/a"));
}

#[test]
fn a_file_full_of_odd_entries_is_read_in_time() {
    let entries: Vec<String> = (0..100_000).map(|number| format!("a{number} = 1\n")).collect();
    let (manifest, findings) = parse_manifest("Cargo.toml", &format!("[dependencies]\n{}", entries.concat())).unwrap();
    assert_eq!((manifest.skipped, findings.len()), (100_000, 51));
    assert_eq!(findings.last().unwrap().location, None, "the last one says that there is more");
}

#[test]
fn what_is_not_toml_is_an_error() {
    check(
        "[package\nname = 1",
        &expect![[r#"
            Cargo.toml:1:9: Not valid TOML: unclosed table, expected `]`
        "#]],
    );
    check(
        "<<<<<<< HEAD\n[package]\n",
        &expect![[r#"
            Cargo.toml:1:1: Unresolved merge conflict
        "#]],
    );
    check(
        &format!("a = {}", "[".repeat(100_000)),
        &expect![[r#"
            Cargo.toml:1:85: Not valid TOML: cannot recurse further; max recursion depth met
        "#]],
    );
}

#[test]
fn editions_are_given_inherited_or_the_first() {
    let root = parse_manifest("Cargo.toml", "[workspace]\n[workspace.package]\nedition = \"2024\"\n").unwrap().0;
    for (written, alone, inherited) in [
        ("edition = \"2021\"", "2021", "2021"),
        ("edition.workspace = true", "2015", "2024"),
        ("edition = { workspace = true }", "2015", "2024"),
        ("edition = 2021", "2015", "2015"),
        ("", "2015", "2015"),
    ] {
        let text = format!("[package]\nname = \"a\"\nversion = \"0.1.0\"\n{written}\n");
        let edition = parse_manifest("Cargo.toml", &text).unwrap().0.package.unwrap().edition;
        assert_eq!(edition.resolve(None), alone, "{written}");
        assert_eq!(edition.resolve(root.workspace.as_ref()), inherited, "{written}");
    }
}

#[test]
fn the_name_of_the_library_is_that_of_its_table() {
    for (manifest, name) in [
        ("[package]\nname = \"md-5\"\n\n[lib]\nname = \"md5\"\n", Some("md5")),
        ("\r\n[lib]\r\ncrate-type = [\r\n  \"rlib\",\r\n]\r\nname = \"c\"\r\n", Some("c")),
        ("lib = { name = \"d\" }\n", Some("d")),
        ("lib.name = \"e\"\n", Some("e")),
        ("[package]\nname = \"a\"\n", None),
        ("[lib]\nproc-macro = true\n\n[[bin]]\nname = \"f\"\n", None),
        ("[lib]\nname = \"\"\n", None),
        ("[lib]\nname = 1\n", None),
    ] {
        let found = parse_manifest("Cargo.toml", manifest).unwrap().0;
        assert_eq!(found.library.name.as_deref(), name, "{manifest}");
    }
}
