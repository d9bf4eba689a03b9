//! `symposium api`, and the tool `api`.

use std::collections::BTreeSet;
use std::fs;

use expect_test::expect;
use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::crate_source::in_cache;
use crate::mcp::Server;
use crate::{check, json as document, with_fixture};

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// A package in cargo's cache: its manifest below the name and version, and its files.
fn package(context: &TestContext, name: &str, version: &str, manifest: &str, files: &[(&str, &str)]) {
    let head = format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2021\"\n");
    let directory = format!("{name}-{version}");
    in_cache(context, &directory, "Cargo.toml", format!("{head}{manifest}").as_bytes());
    for (path, text) in files {
        in_cache(context, &directory, path, text.as_bytes());
    }
}

/// A Cargo.lock with `demo`, and packages of the registry with what they need.
fn lock(demo: &[&str], packages: &[(&str, &str, &[&str])]) -> String {
    let list = |names: &[&str]| {
        let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        quoted.join(", ")
    };
    let mut text =
        format!("version = 4\n[[package]]\nname = \"demo\"\nversion = \"0.1.0\"\ndependencies = [{}]\n", list(demo));
    for (name, version, needs) in packages {
        text.push_str(&format!(
            "[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \"{REGISTRY}\"\ndependencies = [{}]\n",
            list(needs)
        ));
    }
    text
}

/// Locks the workspace to another version of `rand`.
fn lock_rand(context: &TestContext, version: &str) {
    context.write("Cargo.toml", MANIFEST.replace("0.10", version));
    context.write("Cargo.lock", lock(&["rand", "tokio"], &PACKAGES).replace("0.10.0", version));
}

const MANIFEST: &str = "[package]
name = \"demo\"
version = \"0.1.0\"
edition = \"2021\"
[dependencies]
tokio = { version = \"1\", features = [\"full\"] }
chance = { package = \"rand\", version = \"0.10\" }
";
const PACKAGES: [(&str, &str, &[&str]); 3] =
    [("bytes-core", "1.0.0", &[]), ("rand", "0.10.0", &[]), ("tokio", "1.2.0", &["bytes-core"])];

const TOKIO: &str = "//! A runtime.
/// Spawns a task.
pub fn spawn() {}
pub mod sync {
    /// Counts permits.
    ///
    /// More about it.
    #[derive(Debug)]
    pub struct Semaphore { /// How many.
        pub permits: usize }
    impl Semaphore {
        /// Waits for a permit.
        pub async fn acquire(&self) -> Result<(), ()> { Ok(()) }
        #[deprecated(note = \"use `acquire`\")]
        pub fn wait(&self) {}
    }
}
#[cfg(feature = \"net\")]
pub mod net { pub struct TcpStream; }
#[cfg(feature = \"rt\")]
pub mod task { /// Runs code that blocks.
    pub fn spawn_blocking<F>(f: F) {} }
pub use bytes_core as bytes;
#[doc(hidden)]
pub mod private {}
";

/// A workspace with a made-up `tokio` that re-exports another crate, and a `rand` under another name.
fn workspace() -> TestContext {
    let context = with_fixture(&[]);
    lock_rand(&context, "0.10.0");
    context.write("src/lib.rs", "");
    package(
        &context,
        "tokio",
        "1.2.0",
        "[features]\nfull = [\"rt\"]\nrt = []\nnet = []\n[dependencies]\nbytes-core = \"1\"\n",
        &[("src/lib.rs", TOKIO)],
    );
    package(&context, "bytes-core", "1.0.0", "", &[("src/lib.rs", "/// Shared bytes.\npub struct Bytes;\n")]);
    let rand = "/// Returns the generator of the thread.\npub fn rng() -> ThreadRng { ThreadRng }\n\
                /// A generator local to a thread.\npub struct ThreadRng;\n";
    package(&context, "rand", "0.10.0", "", &[("src/lib.rs", rand)]);
    context
}

fn api(context: &TestContext, args: &[&str]) -> symposium_testkit::Output {
    context.invoke(&[&["api"], args].concat())
}

fn items(context: &TestContext, args: &[&str]) -> Value {
    let mut args = args.to_vec();
    args.push("--json");
    document(api(context, &args))
}

#[test]
fn a_crate_is_outlined() {
    let context = workspace();
    check(
        api(&context, &["tokio"]),
        expect![[r#"
            tokio 1.2.0: A runtime.

            tokio
              fn spawn() // Spawns a task
              mod bytes

            tokio::net [needs feature net]
              struct TcpStream [needs feature net]

            tokio::sync
              struct Semaphore // Counts permits
                acquire, permits, wait

            tokio::task
              fn spawn_blocking<F>(f: F) // Runs code that blocks

            `symposium api tokio::NAME` shows an item whole, `symposium api tokio WORDS` finds one.
        "#]],
    );
    let found = items(&context, &["tokio"]);
    assert_eq!(found["crates"], json!([{"name": "tokio", "version": "1.2.0", "complete": true, "reason": null}]));
    let paths: Vec<&str> = found["items"].as_array().unwrap().iter().filter_map(|item| item["path"].as_str()).collect();
    assert!(paths.contains(&"tokio::sync::Semaphore") && !paths.contains(&"tokio::private"), "{paths:?}");
}

#[test]
fn an_item_is_shown_whole() {
    let context = workspace();
    check(
        api(&context, &["tokio::sync::Semaphore"]),
        expect![[r#"
        tokio::sync::Semaphore (struct, tokio 1.2.0)
        pub struct Semaphore

        Counts permits.

        implements: Debug
        source: $ROOT/cargo-home/registry/src/index.crates.io-1949cf8c6b5b557f/tokio-1.2.0/src/lib.rs:9

        fields:
          permits: usize // How many

        methods:
          async fn acquire(&self) -> Result<(), ()> // Waits for a permit
          fn wait(&self) [deprecated]
    "#]],
    );
    for path in ["Semaphore", "sync::Semaphore", "::tokio::sync::Semaphore"] {
        let found = items(&context, &[path]);
        assert_eq!(found["items"][0]["path"], "tokio::sync::Semaphore", "{path}");
    }
    let found = items(&context, &["Semaphore::acquire"]);
    let item = &found["items"][0];
    assert_eq!(item["kind"], "method");
    assert_eq!(item["signature"], "pub async fn acquire(&self) -> Result<(), ()>");
    assert_eq!(item["docs"], "Waits for a permit.");
    assert!(item["file"].as_str().unwrap().ends_with("tokio-1.2.0/src/lib.rs") && item["line"].as_u64() > Some(10));
    // Through a crate that is re-exported as a whole.
    assert_eq!(items(&context, &["tokio::bytes::Bytes"])["items"][0]["path"], "tokio::bytes::Bytes");
}

#[test]
fn re_exports_and_type_aliases_are_followed() {
    let context = workspace();
    let root = "pub mod sync { /// Counts permits.\npub struct Semaphore; impl Semaphore { /// Waits.\npub fn wait(&self) {} } }\n\
                pub mod prelude { pub use crate::sync::Semaphore; pub use crate::sync::Semaphore as Permits; }\n\
                pub mod m { pub type Limit = crate::sync::Semaphore; pub use std::io::Result; }\n\
                #[cfg(feature = \"macros\")]\npub use tokio_macros::main;\n";
    package(&context, "tokio", "1.2.0", "[features]\nfull = []\nmacros = []\n", &[("src/lib.rs", root)]);
    check(
        api(&context, &["tokio::prelude"]),
        expect![[r#"
        tokio::prelude (module, tokio 1.2.0)
        pub mod prelude
        source: $ROOT/cargo-home/registry/src/index.crates.io-1949cf8c6b5b557f/tokio-1.2.0/src/lib.rs:4

        re-exports:
          Permits = tokio::sync::Semaphore (struct) // Counts permits
          Semaphore = tokio::sync::Semaphore (struct) // Counts permits
    "#]],
    );
    check(
        api(&context, &["tokio::m::Limit"]),
        expect![[r#"
        tokio::m::Limit (type, tokio 1.2.0)
        pub type Limit = crate::sync::Semaphore
        source: $ROOT/cargo-home/registry/src/index.crates.io-1949cf8c6b5b557f/tokio-1.2.0/src/lib.rs:5

        methods:
          fn wait(&self) // Waits
    "#]],
    );
    check(
        api(&context, &["tokio::m::Result"]),
        expect![[r#"
        tokio::m::Result (type, tokio 1.2.0)
        pub use std::io::Result
    "#]],
    );
    for path in ["tokio::m::Limit::wait", "Limit::wait"] {
        assert_eq!(items(&context, &[path])["items"][0]["path"], "tokio::sync::Semaphore::wait", "{path}");
    }
    let found = items(&context, &["tokio main"]);
    let last = found["items"].as_array().and_then(|items| items.last()).unwrap();
    assert_eq!(
        (&last["path"], &last["feature"], &last["enabled"]),
        (&json!("tokio::main"), &json!("macros"), &json!(false))
    );
}

#[test]
fn features_are_on_if_the_manifests_say_so() {
    let context = workspace();
    let state = |path: &str| {
        let found = items(&context, &[path]);
        (found["items"][0]["feature"].clone(), found["items"][0]["enabled"].clone())
    };
    assert_eq!(state("tokio::spawn"), (Value::Null, json!(true)));
    assert_eq!(state("tokio::task::spawn_blocking"), (json!("rt"), json!(true)), "`full` turns it on");
    assert_eq!(state("tokio::net::TcpStream"), (json!("net"), json!(false)));
    let manifest = fs::read_to_string(context.workspace().join("Cargo.toml")).unwrap();
    context.write("Cargo.toml", manifest.replace("\"full\"", "\"net\""));
    assert_eq!(state("tokio::task::spawn_blocking"), (json!("rt"), json!(false)));
    assert_eq!(state("tokio::net::TcpStream"), (json!("net"), json!(true)));
}

#[test]
fn an_item_of_an_optional_dependency_that_is_off_needs_its_feature() {
    let context = workspace();
    let manifest = "[features]\nfull = []\nrt = []\nmacros = [\"dep:tokio-macros\"]\n[dependencies]\n\
                    tokio-macros = { version = \"1\", optional = true }\nbytes-core = \"1\"\n";
    let root = "#[cfg(feature = \"macros\")]\npub use tokio_macros::main;\n#[cfg(all(feature = \"macros\", feature = \"rt\"))]\n\
                pub use tokio_macros::test_rt as test;\n";
    package(&context, "tokio", "1.2.0", manifest, &[("src/lib.rs", root)]);
    check(
        api(&context, &["tokio::main"]),
        expect![[r#"
            --- stderr
            error: `tokio::main` needs the feature `macros`, which is off
            help: turn it on in Cargo.toml; only then is the crate locked that has the item
            --- exit 1
        "#]],
    );
    let refused = api(&context, &["tokio::test"]);
    assert!(refused.stderr.contains("needs the features `macros and rt`, which are not all on"), "{refused:?}");
    assert!(api(&context, &["tokio::other"]).stderr.contains("has no public item `other`"));
}

#[test]
fn words_find_items_of_direct_dependencies() {
    let context = workspace();
    check(
        api(&context, &["spawn", "blocking"]),
        expect![[r#"
        tokio::task::spawn_blocking (function)
          pub fn spawn_blocking<F>(f: F)
          Runs code that blocks.
        tokio::spawn (function)
          pub fn spawn()
          Spawns a task.
    "#]],
    );
    // A name of an older version leads to that of today, under the name that the code has for the crate.
    let found = items(&context, &["thread_rng"]);
    let paths: Vec<&str> = found["items"].as_array().unwrap().iter().filter_map(|item| item["path"].as_str()).collect();
    assert!(paths.contains(&"chance::rng"), "{paths:?}");
    check(
        api(&context, &["shared", "bytes"]),
        expect![[r#"
        tokio::bytes (module)
    "#]],
    );
    assert_eq!(items(&context, &["shared bytes", "--all"])["items"][0]["path"], "bytes_core::Bytes");
}

#[test]
fn a_renamed_crate_has_the_name_of_the_code() {
    let context = workspace();
    for query in ["chance", "rand"] {
        let found = items(&context, &[query]);
        assert_eq!(
            (&found["crates"][0]["name"], &found["items"][0]["path"]),
            (&json!("chance"), &json!("chance::ThreadRng"))
        );
    }
    assert_eq!(items(&context, &["chance::rng"])["items"][0]["path"], "chance::rng");
    check(
        api(&context, &["tokoi"]),
        expect![[r#"
        --- stderr
        error: no item in the direct dependencies matches `tokoi`
        help: pass `--all` to search every crate in Cargo.lock
        help: did you mean the crate `tokio`?
        --- exit 1
    "#]],
    );
    check(
        api(&context, &["tokio::sync::Semafore"]),
        expect![[r#"
        --- stderr
        error: `tokio` 1.2.0 has no public item `sync::Semafore`; the nearest are:
          tokio::sync::Semaphore (struct)
          tokio::sync (module)
          tokio::sync::Semaphore::acquire (method)
          tokio::sync::Semaphore::wait (method)
          tokio::sync::Semaphore::permits (field)
        help: run `symposium api tokio` to list its items
        --- exit 1
    "#]],
    );
    check(
        api(&context, &["std::fs::read"]),
        expect![[r#"
        --- stderr
        error: `std::fs::read` is of the standard library, which is not a dependency
        help: only what Cargo.lock has is looked into
        --- exit 1
    "#]],
    );
}

#[test]
fn a_path_may_stand_in_code() {
    let context = workspace();
    for query in ["use tokio::sync::Semaphore;", "tokio::sync::Semaphore::<T>", "tokio :: sync::Semaphore::"] {
        assert_eq!(items(&context, &[query])["items"][0]["path"], "tokio::sync::Semaphore", "{query}");
    }
    assert_eq!(
        items(&context, &["<S as Semaphore>::acquire(1)"])["items"][0]["path"],
        "tokio::sync::Semaphore::acquire"
    );
    let refused = api(&context, &[&"a ".repeat(1_000)]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.starts_with("error: the query has 1999 bytes, and at most 1000 are read\n"), "{refused:?}");
}

#[test]
fn the_answer_to_a_path_has_no_guess_at_a_crate() {
    let context = workspace();
    // A type whose name is nearly that of a crate.
    package(&context, "bytes-core", "1.0.0", "", &[("src/lib.rs", "pub struct Toki; impl Toki { pub fn new() {} }\n")]);
    let told = api(&context, &["Toki::new", "--all"]);
    assert_eq!((told.code, told.stderr.as_str()), (0, ""), "{told:?}");
    assert!(told.stdout.starts_with("bytes_core::Toki::new (method, bytes-core 1.0.0)\n"), "{told:?}");
    let refused = api(&context, &["Toki::old", "--all"]);
    assert!(refused.stderr.contains("did you mean the crate `tokio`?"), "{refused:?}");
}

#[test]
fn of_two_versions_one_is_meant() {
    let context = crate::crate_source::two_rands();
    assert_eq!(items(&context, &["rand"])["items"][0]["path"], "rand::rng", "the direct dependency");
    assert_eq!(items(&context, &["rand", "--version", "0.8"])["items"][0]["path"], "rand::thread_rng");
    assert_eq!(items(&context, &["rand@0.8.5"])["items"][0]["path"], "rand::thread_rng");
    assert_eq!(items(&context, &["rand@0.8::thread_rng"])["items"][0]["path"], "rand::thread_rng");
    assert!(api(&context, &["rand@0.9::thread_rng"]).stderr.contains("`rand` 0.9.1 has no public item `thread_rng`"));
    check(
        api(&context, &["rand@0.8", "thread", "rng"]),
        expect![[r#"
        --- stderr
        error: `--version` chooses among the locked versions of a crate
        help: give the name of a dependency, or a path that begins with it
        --- exit 2
    "#]],
    );
    check(
        api(&context, &["rand", "--version", "0.7"]),
        expect![[r#"
        --- stderr
        error: `rand` is not locked at `0.7`
        help: Cargo.lock has `0.8.5` and `0.9.1`
        --- exit 1
    "#]],
    );
    check(
        api(&context, &["serde"]),
        expect![[r#"
        --- stderr
        error: the source of `serde` 1.0.219 is not on this machine
        help: `cargo fetch` brings the sources of everything in Cargo.lock
        --- exit 1
    "#]],
    );
}

#[test]
fn of_two_versions_the_name_in_code_decides() {
    let context = with_fixture(&[]);
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n[dependencies]\nrand = \"0.10\"\n\
                    rand08 = { package = \"rand\", version = \"0.8\" }\n";
    context.write("Cargo.toml", manifest);
    context.write("src/lib.rs", "");
    let packages: [(&str, &str, &[&str]); 2] = [("rand", "0.10.0", &[]), ("rand", "0.8.5", &[])];
    context.write("Cargo.lock", lock(&["rand 0.10.0", "rand 0.8.5"], &packages));
    package(&context, "rand", "0.10.0", "", &[("src/lib.rs", "pub fn rng() {}\n")]);
    package(&context, "rand", "0.8.5", "", &[("src/lib.rs", "pub fn thread_rng() {}\n")]);
    let refused = api(&context, &["rand::thread_rng"]);
    assert!(refused.stderr.contains("`rand` 0.10.0 has no public item `thread_rng`"), "{refused:?}");
    check(
        api(&context, &["rand"]),
        expect![[r#"
        also locked: rand 0.8.5 (`rand08` in code); `--version` chooses
        rand 0.10.0

        rand
          fn rng()

        `symposium api rand::NAME` shows an item whole, `symposium api rand WORDS` finds one.
    "#]],
    );
    let told = api(&context, &["rand08"]).expect(0);
    assert!(told.starts_with("also locked: rand 0.10.0 (`rand` in code); `--version` chooses\nrand 0.8.5\n"), "{told}");
    assert_eq!(items(&context, &["rand", "--version", "0.8"])["items"][0]["path"], "rand08::thread_rng");
    // Without a name of its own in code, the version has to be said.
    context.write(
        "Cargo.toml",
        manifest.replace("rand = \"0.10\"", "rand10 = { package = \"rand\", version = \"0.10\" }"),
    );
    check(
        api(&context, &["rand::rng"]),
        expect![[r#"
        --- stderr
        error: `rand` is locked at `0.8.5` and `0.10.0`
        help: pass one of these with `--version V`
        --- exit 2
    "#]],
    );
}

#[test]
fn a_path_dependency_is_read_again_when_it_changes() {
    let context = with_fixture(&[]);
    context.write(
        "Cargo.toml",
        "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n[dependencies]\nhelper-kit = { path = \"helper\" }\n",
    );
    context.write("src/lib.rs", "");
    context.write(
        "helper/Cargo.toml",
        "[package]\nname = \"helper-kit\"\nversion = \"2.0.0\"\n[lib]\nname = \"kit\"\npath = \"code/root.rs\"\n",
    );
    context.write("helper/code/root.rs", "pub mod part;");
    context.write("helper/code/part.rs", "pub fn one() {}");
    context.write(
        "Cargo.lock",
        "version = 4\n[[package]]\nname = \"demo\"\nversion = \"0.1.0\"\ndependencies = [\"helper-kit\"]\n\
         [[package]]\nname = \"helper-kit\"\nversion = \"2.0.0\"\n",
    );
    for query in ["helper-kit", "kit"] {
        let found = items(&context, &[query]);
        assert_eq!(
            (&found["crates"][0]["name"], &found["items"][1]["path"]),
            (&json!("kit"), &json!("kit::part::one"))
        );
    }
    context.write("helper/code/part.rs", "pub fn one() {}\npub fn two() {}");
    assert_eq!(items(&context, &["kit::part::two"])["items"][0]["kind"], "function");
}

#[test]
fn a_broken_file_leaves_the_rest() {
    let context = workspace();
    let large = format!("pub fn big() {{}}\n{}", "// x\n".repeat(1_100_000));
    package(
        &context,
        "rand",
        "0.10.0",
        "",
        &[
            (
                "src/lib.rs",
                "mod broken;\nmod large;\nmod gone;\npub fn rng() {}\ninclude!(concat!(env!(\"OUT_DIR\"), \"/x.rs\"));\n",
            ),
            ("src/broken.rs", "pub fn a( {"),
            ("src/large.rs", &large),
        ],
    );
    let found = items(&context, &["chance"]);
    assert_eq!(found["items"][0]["path"], "chance::rng");
    assert_eq!(found["crates"][0]["complete"], false);
    let reason = found["crates"][0]["reason"].as_str().unwrap();
    for part in ["`src/broken.rs`", "`src/large.rs`", "`gone`", "a build script"] {
        assert!(reason.contains(part), "{part}: {reason}");
    }
}

#[test]
fn git_and_patched_dependencies_are_read_where_cargo_has_them() {
    let context = with_fixture(&[]);
    let git = "git = \"https://example.org/kits\"";
    context.write(
        "Cargo.toml",
        format!(
            "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n[dependencies]\nwired = {{ {git} }}\npatched = \"1\"\n\
             program = \"1\"\n[patch.crates-io]\npatched = {{ path = \"own/patched\" }}\n"
        ),
    );
    context.write("src/lib.rs", "");
    let manifest = |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"1.0.0\"\n");
    context.write("own/patched/Cargo.toml", manifest("patched"));
    context.write("own/patched/src/lib.rs", "pub fn ours() {}");
    let checkout = context.root().join("cargo-home/git/checkouts/kits-aa11bb22/0123456/crates/wired");
    fs::create_dir_all(checkout.join("src")).unwrap();
    fs::write(checkout.join("Cargo.toml"), manifest("wired")).unwrap();
    fs::write(checkout.join("src/lib.rs"), "pub fn wire() {}").unwrap();
    // What crates.io has is not meant, and a program has nothing to name.
    package(&context, "patched", "1.0.0", "", &[("src/lib.rs", "pub fn theirs() {}")]);
    package(&context, "program", "1.0.0", "", &[("src/main.rs", "fn main() {}")]);
    let commit = "0123456789abcdef0123456789abcdef01234567";
    context.write(
        "Cargo.lock",
        lock(
            &["patched", "program", "wired"],
            &[("patched", "1.0.0", &[]), ("program", "1.0.0", &[]), ("wired", "1.0.0", &[])],
        )
        .replace(
            &format!("\"wired\"\nversion = \"1.0.0\"\nsource = \"{REGISTRY}\""),
            &format!("\"wired\"\nversion = \"1.0.0\"\nsource = \"git+https://example.org/kits#{commit}\""),
        )
        .replace(
            &format!("\"patched\"\nversion = \"1.0.0\"\nsource = \"{REGISTRY}\"\n"),
            "\"patched\"\nversion = \"1.0.0\"\n",
        ),
    );
    for (query, path) in [("wired", "wired::wire"), ("patched", "patched::ours")] {
        let found = items(&context, &[query]);
        let paths: Vec<&Value> = found["items"].as_array().unwrap().iter().map(|item| &item["path"]).collect();
        assert_eq!(paths, [path], "{query}");
    }
    check(
        api(&context, &["program"]),
        expect![[r#"
        --- stderr
        error: `program` 1.0.0 has no library, so it has no public items
        --- exit 1
    "#]],
    );
}

#[test]
fn one_version_from_several_places_is_told_apart_by_the_name_in_code() {
    let context = with_fixture(&[]);
    let url = "https://example.org/kits";
    context.write(
        "Cargo.toml",
        format!(
            "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n[dependencies]\n\
             gitdep = {{ git = \"{url}\", rev = \"1111111\" }}\n\
             gitdep2 = {{ package = \"gitdep\", git = \"{url}\", rev = \"2222222\" }}\n\
             gitdep3 = {{ package = \"gitdep\", version = \"1\" }}\nouter = \"1\"\n"
        ),
    );
    context.write("src/lib.rs", "");
    let git = |digit: &str| format!("git+{url}?rev={}#{}", digit.repeat(7), digit.repeat(40));
    let (first, second) = (git("1"), git("2"));
    let needs = [&first, &second, &REGISTRY.to_owned()].map(|source| format!("gitdep 1.0.0 ({source})"));
    let needs: Vec<&str> = needs.iter().map(String::as_str).chain(["outer"]).collect();
    let third = format!("gitdep 1.0.0 ({REGISTRY})");
    let mut text = lock(&needs, &[("gitdep", "1.0.0", &[]), ("outer", "1.0.0", &[&third])]);
    for source in [&first, &second] {
        text.push_str(&format!("[[package]]\nname = \"gitdep\"\nversion = \"1.0.0\"\nsource = \"{source}\"\n"));
    }
    context.write("Cargo.lock", text);
    for digit in ["1", "2"] {
        let checkout = context.root().join(format!("cargo-home/git/checkouts/kits-aa11bb22/{}", digit.repeat(7)));
        fs::create_dir_all(checkout.join("src")).unwrap();
        fs::write(checkout.join("Cargo.toml"), "[package]\nname = \"gitdep\"\nversion = \"1.0.0\"\n").unwrap();
        fs::write(checkout.join("src/lib.rs"), format!("pub struct V{digit};\npub fn shared() {{}}\n")).unwrap();
    }
    package(&context, "gitdep", "1.0.0", "", &[("src/lib.rs", "pub struct V3;\npub fn shared() {}\n")]);
    let outer = "pub use gitdep::V3;\npub use gitdep as whole;\n";
    package(&context, "outer", "1.0.0", "[dependencies]\ngitdep = \"1\"\n", &[("src/lib.rs", outer)]);
    for (query, directory) in [
        ("gitdep::V1", "1111111"),
        ("gitdep2::V2", "2222222"),
        ("gitdep3::V3", "gitdep-1.0.0"),
        ("gitdep::shared", "1111111"),
        ("gitdep2::shared", "2222222"),
        ("gitdep3::shared", "gitdep-1.0.0"),
        ("outer::V3", "gitdep-1.0.0"),
        ("outer::whole::shared", "gitdep-1.0.0"),
    ] {
        let found = items(&context, &[query]);
        assert_eq!(found["items"][0]["path"], query, "{found}");
        let file = found["items"][0]["file"].as_str().unwrap();
        assert!(file.ends_with(&format!("/{directory}/src/lib.rs")), "{query}: {file}");
    }
    // A bare name is found in each of them.
    let found = items(&context, &["shared"]);
    let paths: BTreeSet<&str> =
        found["items"].as_array().unwrap().iter().filter_map(|item| item["path"].as_str()).collect();
    assert_eq!(paths.into_iter().collect::<Vec<_>>(), ["gitdep2::shared", "gitdep3::shared", "gitdep::shared"]);
}

#[test]
fn a_torn_cache_is_made_again() {
    let context = workspace();
    let before = api(&context, &["tokio"]).expect(0);
    let cache = context.config_dir().join("cache/api");
    for content in ["", "{}\n", "not this", "{\"u\":[]}\nsymapi02 and more"] {
        let files = fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().path());
        let files: Vec<_> = files.collect();
        assert!(files.len() >= 3, "{files:?}");
        for file in &files {
            fs::write(file, content).unwrap();
        }
        assert_eq!(api(&context, &["tokio"]).expect(0), before, "{content}");
    }
    // As a killed run on a full disk leaves it.
    for file in fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().path()) {
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    }
    assert_eq!(api(&context, &["tokio"]).expect(0), before);
    // Without a place for the cache the answer is the same.
    fs::remove_dir_all(&cache).unwrap();
    fs::write(&cache, "").unwrap();
    assert_eq!(api(&context, &["tokio"]).expect(0), before);
}

#[test]
fn changes_show_what_the_workspace_still_uses() {
    let context = workspace();
    let old = "pub fn thread_rng() -> ThreadRng { ThreadRng }\npub struct ThreadRng;\npub fn rng(seed: u8) {}\n";
    package(&context, "rand", "0.8.5", "", &[("src/lib.rs", old)]);
    context.write("src/lib.rs", "use chance::ThreadRng;\nfn f() -> ThreadRng {\n    chance::thread_rng()\n}\n");
    check(
        api(&context, &["chance", "--changes", "0.8"]),
        expect![[r#"
        rand 0.8.5 -> 0.10.0

        Still used in this workspace:
          chance::thread_rng (function, removed)
            src/lib.rs:3

        removed:
          chance::thread_rng (function)

        changed:
          chance::rng (function)
            before: pub fn rng(seed: u8)
            after:  pub fn rng() -> ThreadRng
    "#]],
    );
    let found = items(&context, &["chance", "--changes", "0.8.5"]);
    assert_eq!(
        found["changes"],
        json!([
            {"path": "chance::thread_rng", "kind": "function", "change": "removed",
             "before": "pub fn thread_rng() -> ThreadRng", "after": null, "uses": [{"file": "src/lib.rs", "line": 3}]},
            {"path": "chance::rng", "kind": "function", "change": "changed", "before": "pub fn rng(seed: u8)",
             "after": "pub fn rng() -> ThreadRng", "uses": []},
        ])
    );
    check(
        api(&context, &["chance", "--changes"]),
        expect![[r#"
        --- stderr
        error: no commit and no earlier session had another version of `rand`, so say which is meant
        help: `symposium api rand --changes VERSION`; on this machine: `0.8.5`
        --- exit 2
    "#]],
    );
    check(
        api(&context, &["chance", "--changes", "0.9"]),
        expect![[r#"
        --- stderr
        error: the source of `rand` 0.9 is not on this machine
        help: on this machine: `0.8.5`
        --- exit 1
    "#]],
    );
    check(
        api(&context, &["nothing", "--changes"]),
        expect![[r#"
        --- stderr
        error: `nothing` is not a dependency of this workspace, so it has no changes
        help: give the name of a dependency
        --- exit 2
    "#]],
    );
}

#[test]
fn uses_of_another_version_are_no_uses_of_this_one() {
    let context = with_fixture(&[]);
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n[dependencies]\nrand = \"0.10\"\n\
                    rand8 = { package = \"rand\", version = \"0.8\" }\n";
    context.write("Cargo.toml", manifest);
    context.write(
        "src/lib.rs",
        "use rand::rng;\npub fn f() {\n    rng();\n    rand8::thread_rng();\n    rand::thread_rng();\n}\n",
    );
    let packages: [(&str, &str, &[&str]); 2] = [("rand", "0.10.0", &[]), ("rand", "0.8.5", &[])];
    context.write("Cargo.lock", lock(&["rand 0.10.0", "rand 0.8.5"], &packages));
    package(&context, "rand", "0.10.0", "", &[("src/lib.rs", "pub fn rng() {}\n")]);
    package(&context, "rand", "0.8.5", "", &[("src/lib.rs", "pub fn thread_rng() {}\n")]);
    let found = items(&context, &["rand", "--changes", "0.8.5"]);
    let removed = found["changes"].as_array().unwrap().iter().find(|change| change["change"] == "removed").unwrap();
    assert_eq!(removed["uses"], json!([{"file": "src/lib.rs", "line": 5}]));
}

#[test]
fn changes_begin_at_a_path_dependency() {
    let context = with_fixture(&[]);
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n[dependencies]\nrand = \"0.10\"\n\
                    own = { package = \"rand\", path = \"own\" }\n";
    context.write("Cargo.toml", manifest);
    context.write("src/lib.rs", "pub fn f() {\n    rand::thread_rng();\n}\n");
    context.write("own/Cargo.toml", "[package]\nname = \"rand\"\nversion = \"0.8.5\"\n");
    context.write("own/src/lib.rs", "pub fn thread_rng() {}\n");
    let locked = lock(&["rand 0.10.0", "rand 0.8.5"], &[("rand", "0.10.0", &[])]);
    context.write("Cargo.lock", locked + "[[package]]\nname = \"rand\"\nversion = \"0.8.5\"\n");
    package(&context, "rand", "0.10.0", "", &[("src/lib.rs", "pub fn rng() {}\n")]);
    check(
        api(&context, &["rand@0.10.0", "--changes", "0.8"]),
        expect![[r#"
            also locked: rand 0.8.5 (`own` in code); `--version` chooses
            rand 0.8.5 -> 0.10.0

            Still used in this workspace:
              rand::thread_rng (function, removed)
                src/lib.rs:2

            removed:
              rand::thread_rng (function)

            added:
              rand::rng (function)
        "#]],
    );
    check(
        api(&context, &["rand@0.10.0", "--changes", "0.9"]),
        expect![[r#"
        --- stderr
        error: the source of `rand` 0.9 is not on this machine
        help: on this machine: `0.8.5`
        --- exit 1
    "#]],
    );
    check(
        api(&context, &["rand@0.8.5", "--changes", "0.10.0"]),
        expect![[r#"
        also locked: rand 0.10.0 (`rand` in code); `--version` chooses
        rand 0.10.0 -> 0.8.5

        removed:
          own::rng (function)

        added:
          own::thread_rng (function)
    "#]],
    );
}

#[test]
fn removed_and_deprecated_items_are_told_apart() {
    let context = workspace();
    let rand = |functions: &str, methods: &str| {
        format!("pub use rng::Rng;\n{functions}pub mod rng {{\n    pub trait Rng {{\n{methods}    }}\n}}\n")
    };
    let old = rand("pub fn thread_rng() {}\n", "fn gen_range(&mut self) {}\n");
    let between = rand(
        "#[deprecated(note = \"renamed to `rng`\")] pub fn thread_rng() {}\npub fn rng() {}\n",
        "#[deprecated(since = \"0.9.0\")] fn gen_range(&mut self) {}\nfn random_range(&mut self) {}\n",
    );
    let new = rand("pub fn rng() {}\n", "fn random_range(&mut self) {}\n");
    for (version, text) in [("0.8.5", &old), ("0.9.2", &between), ("0.10.0", &new)] {
        package(&context, "rand", version, "", &[("src/lib.rs", text)]);
    }
    let code =
        "use chance::Rng;\nfn roll() -> u32 {\n    let mut rng = chance::thread_rng();\n    rng.gen_range(1..=6)\n}\n";
    context.write("src/lib.rs", code);
    let used = |version: &str| {
        lock_rand(&context, version);
        let found = items(&context, &["chance", "--changes", "0.8.5"]);
        let changes = found["changes"].as_array().unwrap().iter().filter(|change| change["uses"] != json!([]));
        let shown = changes.map(|change| format!("{} {} {}", change["path"], change["change"], change["uses"]));
        shown.collect::<Vec<_>>().join("\n").replace('"', "")
    };
    let listed = |change: &str| {
        format!(
            "chance::Rng::gen_range {change} [{{file:src/lib.rs,line:4}}]\n\
             chance::thread_rng {change} [{{file:src/lib.rs,line:3}}]"
        )
    };
    assert_eq!(used("0.10.0"), listed("removed"));
    assert_eq!(used("0.9.2"), listed("deprecated"));
    lock_rand(&context, "0.10.0");
    let told = api(&context, &["chance", "--changes", "0.8.5"]).expect(0);
    let (certain, possible) = told.split_once("May still be used in this workspace").expect("both parts");
    assert!(certain.contains("Still used in this workspace:\n  chance::thread_rng (function, removed)"), "{told}");
    assert!(possible.contains("  chance::Rng::gen_range (method, removed)\n    src/lib.rs:4"), "{told}");
}

#[test]
fn changes_begin_at_the_version_of_an_earlier_session() {
    let context = workspace();
    package(&context, "rand", "0.8.5", "", &[("src/lib.rs", "pub fn thread_rng() {}\n")]);
    lock_rand(&context, "0.8.5");
    api(&context, &["chance"]).expect(0);
    lock_rand(&context, "0.10.0");
    for _ in 0..2 {
        context.write("src/lib.rs", "");
        let found = items(&context, &["chance", "--changes"]);
        assert_eq!(found["changes"][0]["path"], "chance::thread_rng", "{found}");
    }
}

#[test]
fn changes_begin_at_the_version_of_an_earlier_commit() {
    let context = workspace();
    package(&context, "rand", "0.8.5", "", &[("src/lib.rs", "pub fn thread_rng() {}\n")]);
    let now = fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap();
    let git = |args: &[&str]| {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"];
        let mut command = std::process::Command::new("git");
        let output = command.current_dir(context.workspace()).args(identity).args(args).output().unwrap();
        assert!(output.status.success(), "{args:?} {}", String::from_utf8_lossy(&output.stderr));
    };
    git(&["init", "-q"]);
    context.write("Cargo.lock", now.replace("0.10.0", "0.8.5"));
    git(&["add", "."]);
    git(&["commit", "-qm", "old"]);
    context.write("Cargo.lock", now);
    let found = items(&context, &["chance", "--changes"]);
    assert_eq!(found["changes"][0]["path"], "chance::thread_rng");
    git(&["add", "."]);
    git(&["commit", "-qm", "new"]);
    assert_eq!(items(&context, &["chance", "--changes"])["changes"], found["changes"]);
}

#[test]
fn the_tool_answers_what_the_command_prints() {
    let context = workspace();
    package(&context, "rand", "0.8.5", "", &[("src/lib.rs", "pub fn thread_rng() {}\n")]);
    let mut server = Server::start(&context);
    server.initialize("test");
    let table: [(Value, &[&str]); 7] = [
        (json!({"query": "tokio"}), &["tokio"]),
        (json!({"query": "Semaphore::acquire"}), &["Semaphore::acquire"]),
        (json!({"query": "spawn blocking"}), &["spawn", "blocking"]),
        (json!({"query": "chance@0.10.0"}), &["chance", "--version", "0.10.0"]),
        (json!({"query": "chance", "version": "0.10"}), &["chance", "--version", "0.10.0"]),
        (json!({"query": "shared bytes", "all": true}), &["shared", "bytes", "--all"]),
        (json!({"query": "chance", "changes": "0.8.5"}), &["chance", "--changes", "0.8.5"]),
    ];
    for (arguments, args) in table {
        let (text, is_error) = server.call("api", arguments);
        let stdout = api(&context, args).expect(0);
        assert_eq!(context.normalize_paths(&text), stdout, "{args:?}");
        assert!(!is_error && !stdout.is_empty(), "{args:?}");
    }
    for (arguments, args) in [
        (json!({"query": "nothing-like-it"}), &["nothing-like-it"][..]),
        (json!({"query": "tokio::sync::Semafore"}), &["tokio::sync::Semafore"]),
        (json!({"query": "chance", "version": "7"}), &["chance", "--version", "7"]),
    ] {
        let (text, is_error) = server.call("api", arguments);
        let refused = api(&context, args);
        let told = |text: &str| text.to_lowercase().replace("error: ", "").replace("help: ", "").trim().to_owned();
        assert!(is_error && refused.code == 1, "{args:?}: {text}");
        assert_eq!(told(&text), told(&refused.stderr), "{args:?}");
    }
    server.end();
}

#[test]
fn a_crate_without_a_skill_shows_what_it_has() {
    let context = with_fixture(&[]);
    context.write("Cargo.toml", "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n[dependencies]\nplainkit = \"1\"\n");
    context.write("Cargo.lock", lock(&["plainkit"], &[("plainkit", "1.0.0", &[])]));
    package(&context, "plainkit", "1.0.0", "", &[("src/lib.rs", "pub mod part { pub fn one() {} }\n")]);
    let before = context.invoke(&["crate", "plainkit"]).expect(0);
    assert!(before.contains("ask `symposium api plainkit` for its items"), "{before}");
    assert!(!context.config_dir().join("cache/api").exists(), "nothing is made for it");
    api(&context, &["plainkit"]).expect(0);
    let after = context.invoke(&["crate", "plainkit"]).expect(0);
    assert!(after.contains("fn one()") && after.contains("`symposium api plainkit` shows more"), "{after}");
}

#[test]
fn uninstalling_removes_the_indexes() {
    let context = workspace();
    api(&context, &["tokio"]).expect(0);
    let indexes = context.config_dir().join("cache/api");
    assert!(indexes.exists());
    context.invoke(&["uninstall", "--user", "--yes"]).expect(0);
    assert!(!indexes.exists());
}

#[test]
fn two_processes_make_the_same_indexes_at_once() {
    let context = workspace();
    let answers: Vec<String> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(|| api(&context, &["spawn"]).expect(0))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert!(answers.iter().all(|answer| *answer == answers[0] && answer.contains("tokio::spawn")), "{answers:?}");
}

#[test]
fn a_sync_indexes_direct_dependencies_in_the_background() {
    let mut context = workspace();
    let cache = context.config_dir().join("cache/api");
    let names = || -> Vec<String> {
        let entries = fs::read_dir(&cache).into_iter().flatten();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    let is_there = |start: &str| names().iter().any(|name| name.starts_with(start));
    // Not where nobody will ask, and not where nothing happens by itself.
    context.invoke(&["sync"]).expect(0);
    context.set("CI", "");
    for args in [&["sync", "--check"][..], &["sync", "--dry-run"], &["sync", "--locked"]] {
        let _ = context.invoke(args);
    }
    context.write(".symposium/config.toml", "[agent]\nauto-sync = false\n");
    context.invoke(&["sync"]).expect(0);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(names(), Vec::<String>::new());
    context.write(".symposium/config.toml", "");
    context.invoke(&["sync"]).expect(0);
    let done = (0..600).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        is_there("indexed-")
    });
    assert!(done && is_there("tokio-1.2.0-") && is_there("rand-0.10.0-"), "{:?}", names());
    // Once for each Cargo.lock.
    for name in names().iter().filter(|name| name.starts_with("tokio")) {
        fs::remove_file(cache.join(name)).unwrap();
    }
    context.invoke(&["sync"]).expect(0);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(!is_there("tokio"), "{:?}", names());
    // The process itself, without waiting for it.
    context.write("Cargo.lock", fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap() + "\n");
    context.invoke(&["hook", "index"]).expect(0);
    assert!(is_there("tokio-1.2.0-"));
    // It stops if all was removed meanwhile, and brings nothing back.
    fs::remove_dir_all(&cache).unwrap();
    context.invoke(&["hook", "index"]).expect(0);
    assert!(!cache.exists());
    fs::create_dir(&cache).unwrap();
    context.invoke(&["hook", "index"]).expect(0);
    assert_eq!(names(), Vec::<String>::new(), "another process made the directory");
}

#[test]
fn a_source_that_cargo_fetches_later_is_found() {
    let context = crate::crate_source::two_rands();
    api(&context, &["serde"]).expect(1);
    package(&context, "serde", "1.0.219", "", &[("src/lib.rs", "pub trait Serialize {}\n")]);
    assert_eq!(items(&context, &["serde"])["items"][0]["path"], "serde::Serialize");
}

#[test]
fn macros_and_names_of_other_crates_are_followed() {
    let context = with_fixture(&[]);
    context.write("Cargo.toml", "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n[dependencies]\nouter = \"1\"\n");
    let packages: [(&str, &str, &[&str]); 2] = [("inner", "1.0.0", &[]), ("outer", "1.0.0", &["inner"])];
    context.write("Cargo.lock", lock(&["outer"], &packages));
    let inner = "#[macro_export] macro_rules! make { ($name:ident) => { pub struct $name; } }\npub fn help() {}\n";
    package(&context, "inner", "1.0.0", "", &[("src/lib.rs", inner)]);
    let outer = "kit::make!(Made);\npub use kit::help as assist;\n";
    let manifest = "[dependencies]\nkit = { package = \"inner\", version = \"1\" }\n";
    package(&context, "outer", "1.0.0", manifest, &[("src/lib.rs", outer)]);
    let found = items(&context, &["outer"]);
    let paths: Vec<&str> = found["items"].as_array().unwrap().iter().filter_map(|item| item["path"].as_str()).collect();
    assert_eq!(paths, ["outer::Made", "outer::assist"]);
    let file = items(&context, &["outer::assist"])["items"][0]["file"].as_str().unwrap().to_owned();
    assert!(file.ends_with("inner-1.0.0/src/lib.rs"), "{file}");
}

#[test]
fn an_error_of_the_compiler_brings_the_nearest_items() {
    let context = workspace();
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.settle();
    let failed = |name: &str| {
        let output = format!(
            "Exit code 101\nerror[E0425]: cannot find function `{name}` in crate `tokio`\n --> src/lib.rs:1:12\n  |\n\
             1 | fn f() {{ tokio::{name}() }}\n  |                 ^^^^^ not found in `tokio`\n"
        );
        let event = json!({
            "session_id": "s", "cwd": context.workspace(), "hook_event_name": "PostToolUseFailure",
            "tool_name": "Bash", "tool_input": {"command": "cargo check"}, "error": output,
        });
        context.invoke_hook("claude", "post-tool-use-failure", &event.to_string()).expect(0)
    };
    let told = failed("spawn_block");
    assert!(told.contains("Public items nearest to `spawn_block`: `tokio::"), "{told}");
    assert!(told.contains("`tokio::task::spawn_blocking`"), "{told}");
    assert!(!failed("spawn_block").contains("spawn_blocking"), "once");
}
