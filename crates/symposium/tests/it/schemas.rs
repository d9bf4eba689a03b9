//! The schemas in `schemas/`: current, and true of what the readers take.

use std::path::{Path, PathBuf};

use expect_test::expect_file;
use serde_json::Value;
use symposium_model::config::{self, Scope};
use symposium_model::diagnostic::Severity;
use symposium_model::manifest;
use symposium_model::schema::Schema;
use symposium_testkit::schema_faults;

use crate::with_fixture;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_files_are_what_the_code_says() {
    for schema in Schema::ALL {
        expect_file![format!("../../../../schemas/{}.schema.json", schema.name())].assert_eq(&schema.text());
    }
    let known: Vec<String> = Schema::ALL.map(|schema| format!("{}.schema.json", schema.name())).into();
    for entry in std::fs::read_dir(repository().join("schemas")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(known.contains(&name) || name == "README.md", "schemas/{name} is the schema of nothing");
    }
}

#[test]
fn the_program_prints_them() {
    let context = with_fixture(&[]);
    for schema in Schema::ALL {
        assert_eq!(context.invoke(&["config", "schema", schema.name()]).expect(0), schema.text());
    }
    assert_eq!(context.invoke(&["config", "schema", "nothing"]).code, 2);
}

/// Every TOML file of a directory, and what our reader and the schema say about it.
fn toml_files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            toml_files(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "toml") && !path.ends_with("Cargo.toml") {
            found.push(path);
        }
    }
}

#[test]
fn every_manifest_and_configuration_of_ours_fits() {
    let mut files = Vec::new();
    for place in ["crates/symposium/tests/fixtures", "recommendations"] {
        toml_files(&repository().join(place), &mut files);
    }
    assert!(files.len() > 10, "{files:?}");
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let value: Value = toml::from_str(&text).unwrap();
        let (schema, findings) = if path.ends_with("config.toml") {
            (Schema::UserConfig, config::parse("config.toml", &text, Scope::User).diagnostics)
        } else {
            (Schema::Manifest, manifest::parse("symposium.toml", &text, "p").diagnostics)
        };
        let faults = schema_faults(&schema.document(), &value);
        // What the readers complain about need not fit: some fixtures are wrong on purpose.
        let is_odd = findings.iter().any(|found| {
            found.severity == Severity::Error
                || found.message.contains("Unknown key")
                || found.message.contains("is not supported")
        });
        assert_eq!(faults.is_empty(), !is_odd, "{}: {faults:?} {findings:?}", path.display());
    }
}

#[test]
fn a_new_plugin_names_its_schema_and_fits_it() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["plugin", "new", "tokio"]).expect(0);
    let text = std::fs::read_to_string(context.workspace().join("tokio/symposium.toml")).unwrap();
    assert!(text.starts_with("#:schema ./symposium.schema.json\n"), "{text}");
    let value: Value = toml::from_str(&text).unwrap();
    assert_eq!(schema_faults(&Schema::Manifest.document(), &value), [""; 0]);
}

/// Values of every type, to be put where a schema has a key.
const SAMPLES: [&str; 8] = [
    "\"text\"",
    "true",
    "3",
    "[\"text\"]",
    "{ some-name = true }",
    "{ some-name = \"text\" }",
    "[{ some-name = \"text\" }]",
    "[1]",
];

/// For every key of a schema and a value of every type: the reader reports a wrong type or an unknown key exactly when
/// the schema does.
fn compare(schema: Schema, read: &dyn Fn(&str) -> Vec<String>) {
    let document = schema.document();
    let Value::Object(properties) = &document["properties"] else { panic!("no properties") };
    let keys = properties.keys().map(String::as_str).chain(["nothing-we-know"]);
    let below = properties.iter().flat_map(|(table, inner)| {
        let keys = inner["properties"].as_object().into_iter().flat_map(|keys| keys.keys());
        keys.map(String::as_str).chain(["nothing-we-know"]).map(move |key| format!("{table}.{key}"))
    });
    for key in keys.map(str::to_owned).chain(below) {
        for sample in SAMPLES {
            let text = format!("{key} = {sample}\n");
            let value: Value = toml::from_str(&text).unwrap();
            let complaints = read(&text);
            let shape = complaints.iter().any(|said| {
                said.contains(" must be ") || said.contains("Unknown key") || said.contains("is read as one entry")
            });
            let faults = schema_faults(&document, &value);
            if shape {
                assert!(!faults.is_empty(), "{}: {value} fits, but {complaints:?}", schema.name());
            } else if complaints.is_empty() {
                assert_eq!(faults, [""; 0], "{}: {value} is read without a complaint", schema.name());
            }
        }
    }
}

#[test]
fn readers_and_schemas_agree_on_every_key_and_type() {
    let said = |findings: Vec<symposium_model::diagnostic::Diagnostic>| -> Vec<String> {
        findings.into_iter().map(|found| found.message).filter(|said| !said.contains("has no name; its")).collect()
    };
    compare(Schema::UserConfig, &|text| said(config::parse("c", text, Scope::User).diagnostics));
    compare(Schema::ProjectConfig, &|text| said(config::parse("c", text, Scope::Project).diagnostics));
    compare(Schema::Manifest, &|text| said(manifest::parse("m", text, "p").diagnostics));
}

#[test]
fn a_lock_fits_its_schema_and_what_does_not_fit_is_no_lock() {
    use symposium_model::lockfile::{ExtensionKind, LockedExtension, LockedSource, Lockfile, SourcePin, parse};
    use symposium_model::sync::fingerprint;
    let source = |name: &str, pin| LockedSource { name: name.to_owned(), pin };
    let tree = fingerprint(b"t");
    let extension = |name: &str, kind, crates: &[&str]| LockedExtension {
        name: name.to_owned(),
        kind,
        source: "team".to_owned(),
        path: "a/SKILL.md".to_owned(),
        crates: crates.iter().map(|found| (*found).to_owned()).collect(),
        sha256: fingerprint(b"x"),
    };
    let git = SourcePin::Git { url: "https://h/r".to_owned(), commit: "a".repeat(40), tree: tree.clone() };
    let lock = Lockfile::new(
        vec![
            source("builtin", SourcePin::Builtin { version: "0.1.0".to_owned() }),
            source("team", git),
            source("here", SourcePin::Path { tree }),
        ],
        vec![extension("a", ExtensionKind::Skill, &["serde 1.0.1"]), extension("w", ExtensionKind::Workflow, &[])],
    );
    let text = lock.to_string();
    let fits = |text: &str| {
        let value: Value = toml::from_str(text).unwrap();
        schema_faults(&Schema::Lock.document(), &value)
    };
    assert_eq!(fits(&text), [""; 0]);
    for (from, to) in [
        ("version = 1", "version = 2"),
        ("kind = \"path\"", "kind = \"http\""),
        ("kind = \"workflow\"", "kind = \"other\""),
        ("commit = \"aa", "commit = \"AA"),
        ("path = \"a/SKILL.md\"\n", ""),
        ("url = ", "colour = "),
        ("crates = [\"serde 1.0.1\"]", "crates = \"serde\"\nnews = 1"),
    ] {
        let changed = text.replace(from, to);
        assert_ne!(changed, text, "{from}");
        assert!(!fits(&changed).is_empty() && parse("l", &changed).is_err(), "{from} -> {to}");
    }
}
