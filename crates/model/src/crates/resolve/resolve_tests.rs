use std::fmt::Write;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};

use super::*;
use crate::crates::cargo_lock::parse_lock;
use crate::crates::cargo_manifest::parse_manifest;

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// A workspace: the root's manifest, members and neighbours by directory, and Cargo.lock.
#[derive(Default)]
struct Case<'a> {
    root: &'a str,
    members: &'a [(&'a str, &'a str)],
    neighbours: &'a [(&'a str, &'a str)],
    unread: bool,
    lock: Option<&'a str>,
}

fn file(directory: &str, text: &str) -> ManifestFile {
    let path = format!("{directory}/Cargo.toml");
    let (manifest, _) = parse_manifest(&path, text).unwrap();
    ManifestFile { directory: PathBuf::from(directory), path, manifest }
}

impl Case<'_> {
    fn resolve(&self) -> (CrateSet, Vec<Diagnostic>) {
        let root = file("/ws", self.root);
        let mut members: Vec<ManifestFile> = self.members.iter().map(|(at, text)| file(at, text)).collect();
        members.push(root.clone());
        let neighbours: Vec<ManifestFile> = self.neighbours.iter().map(|(at, text)| file(at, text)).collect();
        let text = self.lock.map(lock_text);
        let lockfile = text.as_ref().map(|text| parse_lock("/ws/Cargo.lock", text).unwrap());
        resolve(&WorkspaceInput {
            root: Path::new("/ws"),
            table: root.manifest.workspace.as_ref(),
            members: &members,
            neighbours: &neighbours,
            coverage: if self.unread { ReadCompleteness::Partial } else { ReadCompleteness::Complete },
            lock: match &lockfile {
                Some(lockfile) => LockInput::Present { path: "/ws/Cargo.lock", lockfile },
                None => LockInput::Absent,
            },
        })
    }

    fn check(&self, expected: &Expect) {
        let (set, findings) = self.resolve();
        let mut shown = String::new();
        for krate in set.crates() {
            let origin = match &krate.origin {
                CrateOrigin::Registry { .. } => "registry".to_owned(),
                CrateOrigin::Git(source) => source.as_str().to_owned(),
                CrateOrigin::Path { directory: Some(directory) } => directory.display().to_string(),
                CrateOrigin::Path { directory: None } => "somewhere".to_owned(),
                CrateOrigin::Other { source } => source.clone(),
            };
            let certainty = match krate.certainty {
                VersionCertainty::Locked => "",
                VersionCertainty::Assumed => " assumed",
            };
            writeln!(shown, "{} {}{certainty} from {origin}", krate.name, krate.version).unwrap();
            for DirectUse { member, kind, target, optional, renamed, requirement } in &krate.uses {
                write!(shown, "  {kind:?} of {member}: {}", requirement.as_deref().unwrap_or("unknown")).unwrap();
                if let Some(target) = target {
                    write!(shown, " on {target}").unwrap();
                }
                if let Some(renamed) = renamed {
                    write!(shown, " as {renamed}").unwrap();
                }
                writeln!(shown, "{}", if *optional { " optional" } else { "" }).unwrap();
            }
        }
        let members: Vec<String> = set.members().iter().map(|m| format!("{} {}", m.name, m.version)).collect();
        writeln!(shown, "members: {}", members.join(", ")).unwrap();
        for finding in findings {
            writeln!(shown, "{finding}").unwrap();
        }
        expected.assert_eq(&shown);
    }
}

/// `name version source: needs, needs` on each line; `-` for no source, `@` for the registry.
fn lock_text(short: &str) -> String {
    let mut text = "version = 4\n".to_owned();
    for line in short.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (package, needs) = line.split_once(": ").unwrap_or((line.trim_end_matches(':'), ""));
        let parts: Vec<&str> = package.split(' ').collect();
        let [name, version, source] = parts.as_slice() else { panic!("{line}") };
        writeln!(text, "\n[[package]]\nname = \"{name}\"\nversion = \"{version}\"").unwrap();
        match *source {
            "-" => {}
            "@" => writeln!(text, "source = \"{REGISTRY}\"").unwrap(),
            source => writeln!(text, "source = \"{source}\"").unwrap(),
        }
        if !needs.is_empty() {
            let needs: Vec<String> = needs.split(", ").map(|need| format!(" \"{need}\",\n")).collect();
            writeln!(text, "dependencies = [\n{}]", needs.concat()).unwrap();
        }
    }
    text
}

#[test]
fn manifests_say_what_and_the_lock_says_which() {
    Case {
        root: r#"
            [package]
            name = "app"
            version = "0.1.0"
            [dependencies]
            serde = { version = "1", optional = true }
            web = { package = "axum", version = "0.8" }
            helper = { path = "helper" }
            outside = { path = "../outside" }
            tool = { git = "https://example.com/tool" }
            [dev-dependencies]
            serde = "1.0"
            [build-dependencies]
            cc = "1"
            [target.'cfg(unix)'.dependencies]
            libc = "0.2"
            [workspace]
        "#,
        members: &[("/ws/helper", "[package]\nname = 'helper'\nversion = '0.2.0'\n[dependencies]\nserde = '1'")],
        neighbours: &[("/outside", "[package]\nname = 'outside'\nversion = '3.0.0'")],
        lock: Some(
            "app 0.1.0 -: axum, cc, helper, libc, outside, serde, tool
             axum 0.8.4 @: serde, tower
             cc 1.2.0 @
             helper 0.2.0 -: serde
             libc 0.2.170 @
             orphan 1.0.0 @
             outside 3.0.0 -: deep
             deep 0.1.0 @
             serde 1.0.219 @
             tool 0.9.0 git+https://example.com/tool#abc
             tower 0.5.0 @",
        ),
        ..Case::default()
    }
    .check(&expect![[r"
        axum 0.8.4 from registry
          Normal of app: 0.8 as web
        cc 1.2.0 from registry
          Build of app: 1
        deep 0.1.0 from registry
        helper 0.2.0 from /ws/helper
          Normal of app: *
        libc 0.2.170 from registry
          Normal of app: 0.2 on cfg(unix)
        outside 3.0.0 from /outside
          Normal of app: *
        serde 1.0.219 from registry
          Normal of app: 1 optional
          Dev of app: 1.0
          Normal of helper: 1
        tool 0.9.0 from git+https://example.com/tool#abc
          Normal of app: *
        tower 0.5.0 from registry
        members: app 0.1.0, helper 0.2.0
    "]]);
}

#[test]
fn two_versions_of_one_crate_are_told_apart_by_requirement() {
    let case = Case {
        root: r#"
            [package]
            name = "app"
            version = "0.1.0"
            [dependencies]
            rand = "0.9"
            rand_old = { package = "rand", version = "0.8" }
            either = ">=1"
            either_old = { package = "either", version = ">=1, <3" }
        "#,
        lock: Some(
            "app 0.1.0 -: either 1.0.0, either 2.0.0, rand 0.8.5, rand 0.9.1
             either 1.0.0 @
             either 2.0.0 @
             rand 0.8.5 @
             rand 0.9.1 @",
        ),
        ..Case::default()
    };
    case.check(&expect![[r"
        either 1.0.0 from registry
          Normal of app: >=1
        either 2.0.0 from registry
          Normal of app: >=1
          Normal of app: >=1, <3 as either_old
        rand 0.8.5 from registry
          Normal of app: 0.8 as rand_old
        rand 0.9.1 from registry
          Normal of app: 0.9
        members: app 0.1.0
    "]]);
}

#[test]
fn members_inherit_and_depend_on_each_other() {
    Case {
        root: r#"
            [workspace]
            members = ["a", "b"]
            [workspace.package]
            version = "2.0.0"
            [workspace.dependencies]
            a = { path = "a" }
            ser = { package = "serde", version = "1.0.100" }
        "#,
        members: &[
            ("/ws/a", "[package]\nname = 'a'\nversion.workspace = true\n[dependencies]\nser.workspace = true"),
            (
                "/ws/b",
                "[package]\nname = 'b'\n[dependencies]\na = { workspace = true }\nno-such.workspace = true\nser = { workspace = true, optional = true }",
            ),
        ],
        lock: Some("a 2.0.0 -: serde\nb 0.0.0 -: a, serde\nserde 1.0.219 @"),
        ..Case::default()
    }
    .check(&expect![[r#"
        a 2.0.0 from /ws/a
          Normal of b: *
        no-such 0.0.0 assumed from registry
          Normal of b: *
        serde 1.0.219 from registry
          Normal of a: 1.0.100 as ser
          Normal of b: 1.0.100 as ser optional
        members: a 2.0.0, b 0.0.0
        /ws/b/Cargo.toml: `no-such` is inherited, but the workspace root has no dependency of that name
        /ws/Cargo.lock: Out of date: it lacks the dependency `no-such` of `b`
    "#]]);
}

#[test]
#[cfg_attr(windows, ignore = "the expected paths are those of Unix")]
fn without_a_lock_versions_are_assumed() {
    Case {
        root: "[workspace]\nmembers = ['a', 'b']\n[workspace.dependencies]\nserde = '1.0.100'",
        members: &[
            ("/ws/a", "[package]\nname = 'a'\nversion = '0.3.0'\n[dependencies]\nserde.workspace = true\nrand = '>0.8'"),
            (
                "/ws/b",
                "[package]\nname = 'b'\n[dependencies]\na = { path = '../a' }\nserde = '1.0.100'\nout = { path = '../../out' }\ngone = { path = '../gone', version = '4.1' }\ntool = { git = 'https://example.com/t' }",
            ),
        ],
        neighbours: &[("/out", "[package]\nname = 'out'\nversion = '7.0.0'")],
        ..Case::default()
    }
    .check(&expect![[r"
        a 0.3.0 assumed from /ws/a
          Normal of b: *
        gone 4.1.0 assumed from /ws/gone
          Normal of b: 4.1
        out 7.0.0 assumed from /out
          Normal of b: *
        rand 0.9.0 assumed from registry
          Normal of a: >0.8
        serde 1.0.100 assumed from registry
          Normal of a: 1.0.100
          Normal of b: 1.0.100
        tool 0.0.0 assumed from git+https://example.com/t
          Normal of b: *
        members: a 0.3.0, b 0.0.0
    "]]);
}

#[test]
fn a_stale_lock_is_used_as_far_as_it_goes() {
    Case {
        root: "[workspace]\nmembers = ['a', 'new']",
        members: &[
            (
                "/ws/a",
                "[package]\nname = 'a'\nversion = '0.4.0'\n[dependencies]\nserde = '1'\nrand = '0.9'\nadded = '2.1'",
            ),
            ("/ws/new", "[package]\nname = 'new'\nversion = '0.1.0'\n[dependencies]\nserde = '1'\nfresh = '3'"),
        ],
        lock: Some("a 0.3.0 -: rand, removed, serde\nrand 0.8.5 @\nremoved 1.0.0 @: lost\nserde 1.0.219 @: lost"),
        ..Case::default()
    }
    .check(&expect![[r#"
        added 2.1.0 assumed from registry
          Normal of a: 2.1
        fresh 3.0.0 assumed from registry
          Normal of new: 3
        rand 0.9.0 assumed from registry
          Normal of a: 0.9
        serde 1.0.219 from registry
          Normal of a: 1
          Normal of new: 1
        members: a 0.4.0, new 0.1.0
        /ws/Cargo.lock: Out of date: it lacks the workspace member `new`, it lacks the dependencies `added` of `a` and `rand` of `a`, it still has the dependency `removed` of `a`
        /ws/Cargo.lock: Incomplete: packages need `lost`, which are missing
    "#]]);
}

#[test]
fn patched_and_replaced_crates_keep_their_requirement() {
    Case {
        root: r#"
            [package]
            name = "app"
            version = "0.1.0"
            [dependencies]
            serde = "1"
            libc = "0.2"
            rand = "0.8"
            [patch.crates-io]
            serde = { path = "serde" }
            rand = { git = "https://example.com/rand" }
        "#,
        neighbours: &[("/ws/serde", "[package]\nname = 'serde'\nversion = '1.0.500'")],
        lock: Some(
            "app 0.1.0 -: libc 0.2.1 (registry+https://github.com/rust-lang/crates.io-index), rand, serde
             libc 0.2.1 @
             libc 0.2.1 git+https://example.com/libc#abc
             rand 0.8.9 git+https://example.com/rand#def
             serde 1.0.500 -",
        ),
        ..Case::default()
    }
    .check(&expect![[r"
        libc 0.2.1 from registry
          Normal of app: 0.2
        rand 0.8.9 from git+https://example.com/rand#def
          Normal of app: 0.8
        serde 1.0.500 from /ws/serde
          Normal of app: 1
        members: app 0.1.0
    "]]);
    let text = lock_text("app 0.1.0 -: libc 0.2.1 (old)\nlibc 0.2.1 old\nlibc 0.2.1 git+https://example.com/libc#abc");
    let text =
        text.replace("source = \"old\"", "source = \"old\"\nreplace = \"libc 0.2.1 (git+https://example.com/libc)\"");
    let lockfile = parse_lock("Cargo.lock", &text).unwrap();
    let index = LockIndex::new(&lockfile.packages);
    assert_eq!(index.needs(0, &mut std::collections::BTreeSet::new()), [2]);
}

#[test]
fn unread_manifests_leave_their_packages_to_the_lock() {
    Case {
        root: "[workspace]\nmembers = ['a', 'broken']",
        members: &[("/ws/a", "[package]\nname = 'a'\nversion = '0.1.0'\n[dependencies]\nserde = '1'\nodd = 5")],
        unread: true,
        lock: Some("a 0.1.0 -: odd, serde\nbroken 0.1.0 -: a, rand\nodd 1.0.0 @\nrand 0.8.5 @\nserde 1.0.219 @"),
        ..Case::default()
    }
    .check(&expect![[r#"
        a 0.1.0 from /ws/a
          Normal of broken: unknown
        odd 1.0.0 from registry
          Normal of a: unknown
        rand 0.8.5 from registry
          Normal of broken: unknown
        serde 1.0.219 from registry
          Normal of a: 1
        members: a 0.1.0, broken 0.1.0
    "#]]);
}

#[test]
fn names_nobody_can_have_and_newer_formats_are_said() {
    let text = lock_text("app 0.1.0 -: we?ird\nwe?ird 1.0.0 @").replace("version = 4", "version = 9");
    let lockfile = parse_lock("Cargo.lock", &text).unwrap();
    let workspace = WorkspaceInput {
        root: Path::new("/ws"),
        table: None,
        members: &[],
        neighbours: &[],
        coverage: ReadCompleteness::Partial,
        lock: LockInput::Present { path: "Cargo.lock", lockfile: &lockfile },
    };
    let (set, findings) = resolve(&workspace);
    assert!(set.crates().is_empty());
    assert_eq!(set.lock(), CargoLockState::Present);
    let shown: Vec<String> = findings.iter().map(ToString::to_string).collect();
    expect![[r#"
        Cargo.lock: Format 9 is newer than the supported formats 1 to 4
        Cargo.lock: `we?ird` is not a valid crate name and is skipped"#]]
    .assert_eq(&shown.join("\n"));
}
