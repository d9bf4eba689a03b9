//! `symposium crate NAME --source`, `--search`, `--examples`, and the tool `crate_source`.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect;
use symposium_testkit::{Output, TestContext};

use crate::{check, json, with_fixture};

const LOCK: &str = r#"version = 4
[[package]]
name = "demo"
version = "0.1.0"
dependencies = ["rand 0.9.1", "helper", "serde"]
[[package]]
name = "helper"
version = "2.0.0"
source = "registry+https://github.com/rust-lang/crates.io-index"
dependencies = ["rand 0.8.5"]
[[package]]
name = "rand"
version = "0.8.5"
source = "registry+https://github.com/rust-lang/crates.io-index"
[[package]]
name = "rand"
version = "0.9.1"
source = "registry+https://github.com/rust-lang/crates.io-index"
[[package]]
name = "serde"
version = "1.0.219"
source = "registry+https://github.com/rust-lang/crates.io-index"
"#;

/// A workspace with two versions of `rand` in cargo's cache, and `serde` locked but not there.
pub(crate) fn two_rands() -> TestContext {
    let context = with_fixture(&[]);
    context.write(
        "Cargo.toml",
        "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n\
         [dependencies]\nrand = \"0.9\"\nhelper = \"2\"\nserde = \"1\"\n",
    );
    context.write("src/lib.rs", "");
    context.write("Cargo.lock", LOCK);
    for (version, function) in [("0.8.5", "thread_rng"), ("0.9.1", "rng")] {
        let file = |path: &str, text: &str| in_cache(&context, &format!("rand-{version}"), path, text.as_bytes());
        file("Cargo.toml", &format!("[package]\nname = \"rand\"\nversion = \"{version}\"\n"));
        file("README.md", "# Rand\n\n```toml\n[dependencies]\n```\n\n```rust\nuse rand::prelude::*;\n```\n");
        file(
            "src/lib.rs",
            &format!(
                "//! Random.\n\n/// A generator.\n///\n/// ```\n/// rand::{function}();\n/// ```\npub fn {function}() {{}}\n"
            ),
        );
        file("examples/dice.rs", &format!("fn main() {{\n    rand::{function}();\n}}\n"));
        file("logo.png", "\u{0}");
    }
    context
}

pub(crate) fn in_cache(context: &TestContext, package: &str, path: &str, bytes: &[u8]) -> PathBuf {
    let registry = context.root().join("cargo-home/registry/src/index.crates.io-1949cf8c6b5b557f");
    let directory = registry.join(package);
    let path = directory.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(directory.join(".cargo-ok"), "{\"v\":1}").unwrap();
    fs::write(&path, bytes).unwrap();
    path
}

fn ask(context: &TestContext, args: &[&str]) -> Output {
    context.invoke(&[&["crate", "rand"], args].concat())
}

#[test]
fn files_are_listed_and_read() {
    let context = two_rands();
    check(
        ask(&context, &["--source"]),
        expect![[r#"
            # rand 0.9.1: 5 files
            in $ROOT/cargo-home/registry/src/index.crates.io-1949cf8c6b5b557f/rand-0.9.1
            also locked: 0.8.5; pass a version to see it

            Cargo.toml (42 bytes)
            README.md (70 bytes)
            examples/dice.rs (31 bytes)
            logo.png (1 byte)
            src/lib.rs (83 bytes)
        "#]],
    );
    check(
        ask(&context, &["--source", "src/lib.rs", "--lines", "3-4"]),
        expect![[r#"
            # rand 0.9.1: src/lib.rs, lines 3-4 of 8
            in $ROOT/cargo-home/registry/src/index.crates.io-1949cf8c6b5b557f/rand-0.9.1
            also locked: 0.8.5; pass a version to see it

                3  /// A generator.
                4  ///
        "#]],
    );
}

#[test]
fn two_versions_are_kept_apart() {
    let context = two_rands();
    for (version, function) in
        [(None, "rng"), (Some("0.9"), "rng"), (Some("0.8"), "thread_rng"), (Some("0.8.5"), "thread_rng")]
    {
        let args = [&["--search", r"pub fn \w+"][..], &version.map_or(vec![], |version| vec!["--version", version])];
        let found = ask(&context, &args.concat()).expect(0);
        assert!(found.ends_with(&format!("src/lib.rs:8: pub fn {function}() {{}}\n")), "{version:?}: {found}");
        assert_eq!(found.matches("pub fn ").count(), 2, "once in the title, once found: {found}");
    }
    let output = ask(&context, &["--source", "--version", "0.7"]);
    assert_eq!((output.code, output.stdout.as_str()), (1, ""));
    assert_eq!(output.stderr, "error: `rand` is not locked at `0.7`\nhelp: Cargo.lock has `0.8.5` and `0.9.1`\n");
    // Where the workspace's own code uses both, nobody knows which is meant.
    context.write("Cargo.lock", LOCK.replace("\"rand 0.9.1\",", "\"rand 0.8.5\", \"rand 0.9.1\","));
    context.write(
        "Cargo.toml",
        "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n[dependencies]\n\
         rand = \"0.9\"\nold = { package = \"rand\", version = \"0.8\" }\nhelper = \"2\"\nserde = \"1\"\n",
    );
    let output = ask(&context, &["--source"]);
    assert_eq!(output.code, 2);
    assert_eq!(output.stderr, "error: `rand` is locked at `0.8.5` and `0.9.1`\nhelp: pass one of these versions\n");
}

#[test]
fn one_version_from_two_places_is_no_riddle() {
    let context = two_rands();
    let twin = "[[package]]\nname = \"rand\"\nversion = \"0.9.1\"\nsource = \"git+https://example.org/rand#0123456\"\n";
    let lock = LOCK.replace("\"rand 0.9.1\"", "\"rand 0.9.1 (registry+https://github.com/rust-lang/crates.io-index)\"");
    context.write("Cargo.lock", format!("{lock}{twin}"));
    for args in [&["--source"][..], &["--source", "--version", "0.9.1"]] {
        let output = ask(&context, args);
        assert!(output.code == 0 && output.stdout.contains("src/lib.rs ("), "{args:?}: {output:?}");
    }
}

#[test]
fn examples_are_files_and_code_in_documentation() {
    let context = two_rands();
    check(
        ask(&context, &["--examples", "--version", "0.8"]),
        expect![[r#"
            # rand 0.8.5: examples
            in $ROOT/cargo-home/registry/src/index.crates.io-1949cf8c6b5b557f/rand-0.8.5
            also locked: 0.9.1; pass a version to see it

            examples/dice.rs (38 bytes)

            README.md:8
            ```rust
            use rand::prelude::*;
            ```

            src/lib.rs:6
            ```rust
            rand::thread_rng();
            ```
        "#]],
    );
    let found = ask(&context, &["--examples", "--search", "prelude"]).expect(0);
    assert!(found.contains("README.md:8") && !found.contains("src/lib.rs") && !found.contains("dice"), "{found}");
}

#[test]
fn what_is_not_on_disk_is_named_with_the_command_that_brings_it() {
    let context = two_rands();
    let output = context.invoke(&["crate", "serde", "--source"]);
    assert_eq!((output.code, output.stdout.as_str()), (1, ""));
    assert_eq!(
        output.stderr,
        "error: the source of `serde` 1.0.219 is not on this machine\n\
         help: run `cargo fetch` to download the sources of all crates in Cargo.lock\n"
    );
    let output = context.invoke(&["crate", "rocket", "--examples"]);
    assert_eq!(output.code, 1);
    assert!(output.stderr.starts_with("error: `rocket` is not a dependency of this workspace\n"), "{}", output.stderr);
}

#[test]
fn nothing_outside_the_crate_is_read() {
    let context = two_rands();
    let root = in_cache(&context, "rand-0.9.1", "Cargo.toml", b"");
    let root = root.parent().unwrap();
    fs::write(root.parent().unwrap().join("secret.rs"), "pub fn secret() {}").unwrap();
    std::os::unix::fs::symlink("../../secret.rs", root.join("src/link.rs")).unwrap();
    std::os::unix::fs::symlink("../..", root.join("src/up")).unwrap();
    std::os::unix::fs::symlink("/", root.join("root")).unwrap();
    let others = root.parent().unwrap().join("rand-0.8.5/src/lib.rs");
    for path in [
        "../secret.rs",
        "src/../../secret.rs",
        "src/link.rs",
        "src/up/secret.rs",
        "src/up/rand-0.8.5/src/lib.rs",
        "root/etc/passwd",
        "/etc/passwd",
        others.to_str().unwrap(),
    ] {
        let output = ask(&context, &["--source", path]);
        assert_eq!((output.code, output.stdout.as_str()), (1, ""), "{path}");
        assert!(output.stderr.contains("is not in the directory of `rand` 0.9.1"), "{path}: {}", output.stderr);
    }
    let found = ask(&context, &["--search", "secret|thread_rng|root:"]).expect(0);
    assert!(found.contains(": no line matches"), "{found}");
    let listed = ask(&context, &["--source"]).expect(0);
    assert!(!listed.contains("secret") && !listed.contains("link.rs"), "{listed}");
}

#[test]
fn odd_files_and_patterns_are_answered_in_time() {
    let context = two_rands();
    let long = format!("{}\npub fn last() {{}}\n", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n".repeat(130_000));
    assert!(long.len() > 5 * 1024 * 1024);
    in_cache(&context, "rand-0.9.1", "src/large.rs", long.as_bytes());
    in_cache(&context, "rand-0.9.1", "src/wide.rs", "a".repeat(5 * 1024 * 1024).as_bytes());
    in_cache(&context, "rand-0.9.1", "src/hidden.rs", "let a = \"\u{202e}\u{1b}[31m\";\n".as_bytes());
    let refused = |args: &[&str], code: i32, beginning: &str| {
        let output = ask(&context, args);
        assert_eq!((output.code, output.stdout.as_str()), (code, ""), "{args:?}");
        assert!(output.stderr.starts_with(beginning), "{}", output.stderr);
    };
    refused(&["--source", "logo.png"], 1, "error: `logo.png` of `rand` 0.9.1 is not text\n");
    refused(&["--source", "src/none.rs"], 1, "error: `rand` 0.9.1 has no `src/none.rs`\n");
    refused(&["--source", "src/lib.rs", "--lines", "99"], 1, "error: `src/lib.rs` of `rand` 0.9.1 has 8 lines\n");
    refused(&["--source", "src/lib.rs", "--lines", "x"], 2, "error: `x` is not a range of lines\n");
    refused(&["--search", "fn a("], 2, "error: `fn a(` is not a valid pattern: ");
    refused(&["--search", "((a{99}){99}){99}"], 2, "error: `((a{99}){99}){99}` is not a valid pattern: ");
    refused(&["--search", "a", "--cursor", "no/such:1"], 2, "error: `no/such:1` is not a cursor for this call\n");
    let last = ask(&context, &["--source", "src/large.rs", "--lines", "130000-"]).expect(0);
    assert!(last.contains("130002  pub fn last() {}\n"), "{last}");
    let wide = ask(&context, &["--source", "src/wide.rs"]).expect(0);
    assert!(wide.len() < 2000 && wide.contains("more bytes]"), "{}", wide.len());
    let hidden = ask(&context, &["--source", "src/hidden.rs"]).expect(0);
    assert!(hidden.ends_with("    1  let a = \"[31m\";\n"), "{hidden}");
    let begun = std::time::Instant::now();
    ask(&context, &["--search", "(a+)+b$"]).expect(0);
    assert!(begun.elapsed().as_secs() < 120, "{:?}", begun.elapsed());
}

#[test]
fn pages_of_a_search_make_up_the_whole() {
    let context = two_rands();
    in_cache(&context, "rand-0.9.1", "src/many.rs", "pub fn f() {}\n".repeat(250).as_bytes());
    let mut lines = 0;
    let mut cursor = None;
    for _ in 0..5 {
        let mut args = vec!["--search", "pub fn", "--json"];
        args.extend(cursor.iter().flat_map(|cursor: &String| ["--cursor", cursor.as_str()]));
        let document = json(ask(&context, &args));
        lines += document["lines"].as_array().unwrap().len();
        cursor = document["cursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!((lines, cursor), (251, None));
}

#[test]
fn a_directory_of_plugins_is_still_a_source_of_them() {
    let context = two_rands();
    context.write(
        "mine/rand-mine/SYMPOSIUM.toml",
        "name = \"rand-mine\"\ncrates = [\"rand\"]\n[[skills]]\nsource.path = \"skills\"\n",
    );
    context.write("mine/rand-mine/skills/own/SKILL.md", "---\nname: own\ndescription: Mine.\n---\nText.\n");
    assert!(ask(&context, &["--source", "src"]).expect(0).contains("\nsrc/lib.rs ("), "ours has a `src` as well");
    for args in [&["crate", "rand", "--source", "mine"][..], &["--source", "mine", "crate", "rand"]] {
        let shown = context.invoke(args).expect(0);
        assert!(shown.contains("- own (for"), "{args:?}: {shown}");
    }
}

/// The cache of the machine that runs the tests: it holds what this workspace depends on.
fn own_cache() -> PathBuf {
    let set = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    set.unwrap_or_else(|| std::env::home_dir().unwrap().join(".cargo"))
}

#[test]
fn twenty_popular_crates_answer_from_their_locked_source() {
    let mut context = with_fixture(&[]);
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    context.set("CARGO_HOME", own_cache().to_str().unwrap());
    let lock = fs::read_to_string(repository.join("Cargo.lock")).unwrap();
    let table = [
        ("serde_json", "pub fn from_str"),
        ("serde_core", "pub fn custom|fn deserialize"),
        ("semver", "pub (const )?fn parse"),
        ("regex-lite", "pub fn is_match"),
        ("toml", "pub fn from_str"),
        ("toml_edit", "pub fn value"),
        ("clap_builder", "pub fn try_get_matches_from"),
        ("anstyle", "pub const fn new"),
        ("anstream", "pub fn auto"),
        ("tempfile", "pub fn tempdir"),
        ("memchr", "pub fn memchr"),
        ("bitflags", "pub fn parse|fn bits"),
        ("proc-macro2", "pub fn call_site"),
        ("quote", "fn to_tokens"),
        ("syn", "pub fn parse_str"),
        ("unicode-ident", "pub fn is_xid_start"),
        ("proptest", "pub fn any"),
        ("expect-test", "pub fn assert_eq"),
        ("tracing-core", "pub fn set_global_default"),
        ("flate2", "pub fn new"),
    ];
    for (name, function) in table {
        let mut packages =
            lock.split("[[package]]").filter(|package| package.contains(&format!("name = \"{name}\"\n")));
        let package = packages.next().unwrap_or_else(|| panic!("{name} is not locked any more"));
        let version = package.split("version = \"").nth(1).unwrap().split('"').next().unwrap();
        let run = |args: &[&str]| {
            let args = [&["crate", name, "--version", version], args].concat();
            context.invoke_in(repository, &args).expect(0)
        };
        // A busy machine may not get through a crate in the time an answer may take; it says how to go on then.
        let until = |args: &[&str], is_found: &dyn Fn(&str) -> bool| {
            let mut found = run(args);
            while !is_found(&found) {
                let cursor = found.rsplit_once("with the cursor `").and_then(|(_, cursor)| cursor.split_once('`'));
                let (cursor, _) = cursor.unwrap_or_else(|| panic!("{name}: {found}"));
                found = run(&[args, &["--cursor", cursor]].concat());
            }
            found
        };
        let found = until(&["--search", function], &|found| found.lines().any(|line| line.starts_with("src/")));
        assert!(found.starts_with(&format!("# {name} {version}: lines that match")), "{found}");
        assert!(found.contains(&format!("{name}-{version}\n")), "{found}");
        let first = found.lines().find(|line| line.starts_with("src/")).unwrap_or_else(|| panic!("{name}: {found}"));
        let (place, _) = first.split_once(": ").unwrap();
        let (path, line) = place.rsplit_once(':').unwrap();
        let shown = run(&["--source", path, "--lines", &format!("{line}-{line}")]);
        let (_, line) = shown.lines().last().unwrap().trim_start().split_once(' ').unwrap();
        assert!(first.ends_with(line.trim_start()), "{first} {line}");
        until(&["--examples"], &|examples| examples.contains("```rust") || examples.contains("examples/"));
    }
}
