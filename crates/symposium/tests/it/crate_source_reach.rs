//! What of the machine the source of a crate leads to: a cloned project names a dependency by a path, and nothing but
//! files of a package is read there, whatever the way.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde_json::json;
use symposium_testkit::TestContext;

use crate::mcp::Server;
use crate::with_fixture;

const PACKAGE: &str = "[package]\nname = \"billing\"\nversion = \"1.0.0\"\n";

/// Another project of the same user, with what such projects hold.
fn billing(context: &TestContext) -> PathBuf {
    let directory = context.root().join("work/billing");
    for (path, text) in [
        ("Cargo.toml", PACKAGE),
        ("README.md", "# Billing\n"),
        ("src/lib.rs", "pub fn bill() {}\n"),
        (".env", "STRIPE_KEY=TOPSECRET\n"),
        (".git/config", "url = https://user:TOPSECRET@example.org/x\n"),
        (".cargo/credentials.toml", "token = \"TOPSECRET\"\n"),
        ("src/.secrets.rs", "const KEY: &str = \"TOPSECRET\";\n"),
        ("secrets.toml", "key = \"TOPSECRET\"\n"),
        ("deploy/id_rsa", "TOPSECRET\n"),
        ("config/production.json", "{\"key\": \"TOPSECRET\"}\n"),
        ("dump.sql", "TOPSECRET\n"),
    ] {
        let path = directory.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    symlink("../.env", directory.join("src/link.rs")).unwrap();
    directory
}

const SECRETS: [&str; 9] = [
    ".env",
    ".git/config",
    ".cargo/credentials.toml",
    "src/.secrets.rs",
    "secrets.toml",
    "deploy/id_rsa",
    "config/production.json",
    "dump.sql",
    "src/link.rs",
];

/// The ways by which a project can name a directory outside it.
const WAYS: [&str; 6] = ["absolute", "parent", "link", "patch", "vendored link", "member link"];

/// A project that leads to the other one in this way.
fn clone(way: &str) -> TestContext {
    let context = with_fixture(&[]);
    let directory = billing(&context);
    context.write("src/lib.rs", "");
    let path = match way {
        "absolute" | "patch" => directory.display().to_string(),
        "parent" => "../work/billing".to_owned(),
        _ => "dep".to_owned(),
    };
    let dependency = match way {
        "patch" => format!("billing = \"1\"\n[patch.crates-io]\nbilling = {{ path = \"{path}\" }}\n"),
        "vendored link" => "billing = \"1\"\n".to_owned(),
        _ => format!("billing = {{ path = \"{path}\" }}\n"),
    };
    let members = if way == "member link" { "[workspace]\nmembers = [\"dep\"]\n" } else { "" };
    let package = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n";
    context.write("Cargo.toml", format!("{package}{members}[dependencies]\n{dependency}"));
    let source = match way {
        "vendored link" => "source = \"registry+https://github.com/rust-lang/crates.io-index\"\n",
        _ => "",
    };
    context.write(
        "Cargo.lock",
        format!(
            "version = 4\n[[package]]\nname = \"billing\"\nversion = \"1.0.0\"\n{source}\
             [[package]]\nname = \"demo\"\nversion = \"0.1.0\"\ndependencies = [\"billing\"]\n"
        ),
    );
    match way {
        "link" | "member link" => symlink(&directory, context.workspace().join("dep")).unwrap(),
        "vendored link" => {
            let config = "[source.crates-io]\nreplace-with = \"v\"\n[source.v]\ndirectory = \"vendor\"\n";
            context.write(".cargo/config.toml", config);
            fs::create_dir_all(context.workspace().join("vendor")).unwrap();
            symlink(&directory, context.workspace().join("vendor/billing")).unwrap();
        }
        _ => {}
    }
    context
}

#[test]
fn no_secret_of_another_project_is_read_whatever_the_way() {
    for way in WAYS {
        let context = clone(way);
        let mut server = Server::start(&context);
        server.initialize("test");
        for path in SECRETS {
            let (text, is_error) =
                server.call("crate_source", json!({"name": "billing", "action": "read", "path": path}));
            assert!(is_error && !text.contains("TOPSECRET"), "{way}, {path}: {text}");
            let output = context.invoke(&["crate", "billing", "--source", path]);
            assert!(output.code == 1 && output.stdout.is_empty(), "{way}, {path}: {output:?}");
        }
        for action in ["list", "examples"] {
            let (text, _) = server.call("crate_source", json!({"name": "billing", "action": action}));
            assert!(SECRETS.iter().all(|path| !text.contains(path)), "{way}, {action}: {text}");
        }
        let search = json!({"name": "billing", "action": "search", "query": "TOPSECRET"});
        let (text, _) = server.call("crate_source", search);
        assert!(!text.contains("STRIPE_KEY") && !text.contains("const KEY"), "{way}: {text}");
        server.end();
    }
}

#[test]
fn what_a_package_holds_is_read_where_the_manifest_names_the_place_and_no_link_does() {
    for way in WAYS {
        let context = clone(way);
        let read = context.invoke(&["crate", "billing", "--source", "src/lib.rs"]);
        if way.contains("link") {
            assert_eq!((read.code, read.stdout.as_str()), (1, ""), "{way}");
            let sentence =
                "error: the source of `billing` 1.0.0 is not read, because a link in the workspace leads outside\n";
            assert!(read.stderr.starts_with(sentence), "{way}: {}", read.stderr);
            continue;
        }
        assert!(read.expect(0).ends_with("    1  pub fn bill() {}\n"), "{way}");
        let listed = context.invoke(&["crate", "billing", "--source"]).expect(0);
        let files: Vec<&str> = listed.lines().skip_while(|line| !line.is_empty()).skip(1).collect();
        assert_eq!(files.len(), 3, "{way}: {listed}");
        let refused = context.invoke(&["crate", "billing", "--source", ".env"]);
        assert_eq!(
            refused.stderr,
            "error: `.env` of `billing` 1.0.0 is not read, because it is not part of the crate's source\n\
             help: hidden files are never read, and outside the workspace only Rust, Markdown and Cargo.toml\n",
            "{way}"
        );
    }
}

#[test]
fn hidden_files_are_not_read_in_the_workspace_and_in_packages_of_cargo_either() {
    let context = crate::crate_source::two_rands();
    let inner = "[[package]]\nname = \"inner\"\nversion = \"1.0.0\"\n";
    let with_inner = |file: &str, from: &str, to: &str| {
        let path = context.workspace().join(file);
        let text = fs::read_to_string(&path).unwrap().replace(from, to);
        context.write(file, text);
    };
    with_inner("Cargo.toml", "helper = \"2\"", "helper = \"2\"\ninner = { path = \"inner\" }");
    with_inner("Cargo.lock", "\"helper\",", "\"helper\", \"inner\",");
    with_inner("Cargo.lock", "[[package]]\nname = \"helper\"", &format!("{inner}[[package]]\nname = \"helper\""));
    context.write("inner/Cargo.toml", inner.replace("[[package]]", "[package]"));
    context.write("inner/src/lib.rs", "");
    for path in [".env", ".git/config", ".cargo/config.toml", "src/.hidden.rs"] {
        context.write(&format!("inner/{path}"), "TOPSECRET");
        crate::crate_source::in_cache(&context, "rand-0.9.1", path, b"TOPSECRET");
        for name in ["inner", "rand"] {
            let output = context.invoke(&["crate", name, "--source", path]);
            assert!(output.code == 1 && output.stderr.contains("is not part of the crate's source"), "{output:?}");
            let listed = context.invoke(&["crate", name, "--source"]).expect(0);
            assert!(!listed.contains(path), "{listed}");
        }
    }
    context.write("inner/data/other.json", "{}");
    assert!(context.invoke(&["crate", "inner", "--source", "data/other.json"]).expect(0).contains("{}"));
}
