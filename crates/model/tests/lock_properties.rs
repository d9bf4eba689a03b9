//! Whatever the text, the reading of Cargo.lock does not panic and says the same as a plain TOML parser.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fmt::Write;

use proptest::prelude::*;
use semver::Version;
use symposium_model::crates::cargo_lock::{LockedDependency, parse_lock};
use toml::{Table, Value};

/// Name, version, source, needs (name, version, source) of a package.
type Package = (String, String, Option<String>, Vec<(String, Option<String>, Option<String>)>);

fn ours(text: &str) -> Option<Vec<Package>> {
    let lockfile = parse_lock("Cargo.lock", text).ok()?;
    let mention = |LockedDependency { name, which }: LockedDependency<'_>| {
        let (version, source) = which.map(|which| (which.version.to_string(), which.source)).unzip();
        (name.into_owned(), version, source.flatten().map(std::borrow::Cow::into_owned))
    };
    let packages = lockfile.packages.into_iter().map(|package| {
        let needs = package.dependencies.into_iter().map(mention).collect();
        let source = package.source.map(std::borrow::Cow::into_owned);
        (package.name.into_owned(), package.version.to_string(), source, needs)
    });
    Some(packages.collect())
}

/// The same through the `toml` crate's ordinary values, written independently of the product.
fn reference(text: &str) -> Option<Vec<Package>> {
    let document: Table = toml::from_str(text).ok()?;
    if let Some(format) = document.get("version") {
        u32::try_from(format.as_integer()?).ok()?;
    }
    let root = document.get("root").into_iter();
    let packages = document.get("package").map_or(Some(&[][..]), |value| value.as_array().map(Vec::as_slice))?;
    root.chain(packages).map(reference_package).collect()
}

fn reference_package(value: &Value) -> Option<Package> {
    let table = value.as_table()?;
    for key in ["checksum", "replace", "source"] {
        table.get(key).map_or(Some(""), Value::as_str)?;
    }
    if let Some(replace) = table.get("replace") {
        reference_mention(replace)?;
    }
    let name = table.get("name")?.as_str().filter(|name| !name.is_empty())?;
    let version = Version::parse(table.get("version")?.as_str()?).ok()?;
    let source = table.get("source").and_then(Value::as_str).map(str::to_owned);
    let needs = table.get("dependencies").map_or(Some(&[][..]), |value| value.as_array().map(Vec::as_slice))?;
    let needs = needs.iter().map(reference_mention).collect::<Option<_>>()?;
    Some((name.to_owned(), version.to_string(), source, needs))
}

fn reference_mention(value: &Value) -> Option<(String, Option<String>, Option<String>)> {
    let parts: Vec<&str> = value.as_str()?.splitn(3, ' ').collect();
    let version = |text: &str| Version::parse(text).ok().map(|version| version.to_string());
    let source = |text: &str| Some(text.strip_prefix('(')?.strip_suffix(')')?.to_owned());
    match *parts.as_slice() {
        [name] if !name.is_empty() => Some((name.to_owned(), None, None)),
        [name, own] if !name.is_empty() => Some((name.to_owned(), Some(version(own)?), None)),
        [name, own, from] if !name.is_empty() => Some((name.to_owned(), Some(version(own)?), Some(source(from)?))),
        _ => None,
    }
}

fn name() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9_-]{0,8}"
}

fn version() -> impl Strategy<Value = String> {
    prop_oneof!["[0-9]\\.[1-9][0-9]?\\.[0-9]", "[0-9]\\.[0-9]\\.[0-9]-(alpha|rc\\.1)", "1\\.0\\.0\\+[a-z]{3}"]
}

fn source() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("registry+https://github.com/rust-lang/crates.io-index".to_owned()),
        "sparse\\+https://[a-z]{3}\\.example/",
        "git\\+https://example\\.com/[a-z]{3}\\?branch=[a-z]{2}#[0-9a-f]{40}",
    ]
}

fn mention() -> impl Strategy<Value = String> {
    (name(), prop::option::of((version(), prop::option::of(source())))).prop_map(|(name, rest)| match rest {
        None => name,
        Some((version, None)) => format!("{name} {version}"),
        Some((version, Some(source))) => format!("{name} {version} ({source})"),
    })
}

fn section(header: &'static str) -> impl Strategy<Value = String> {
    let needs = prop::collection::vec(mention(), 0..5);
    (name(), version(), prop::option::of(source()), needs, any::<bool>()).prop_map(
        move |(name, version, source, needs, checksum)| {
            let mut text = format!("{header}\nname = \"{name}\"\nversion = \"{version}\"\n");
            if let Some(source) = source {
                writeln!(text, "source = \"{source}\"").unwrap();
            }
            if checksum {
                text.push_str("checksum = \"00ff\"\n");
            }
            if !needs.is_empty() {
                let lines: Vec<String> = needs.iter().map(|need| format!(" \"{need}\",\n")).collect();
                writeln!(text, "dependencies = [\n{}]", lines.concat()).unwrap();
            }
            text
        },
    )
}

/// A Cargo.lock as some cargo could have written it.
fn lockfile() -> impl Strategy<Value = String> {
    let head = prop_oneof![
        Just(String::new()),
        (3..5).prop_map(|format| format!("# This file is automatically @generated by Cargo.\nversion = {format}\n\n")),
        section("[root]").prop_map(|root| format!("{root}\n")),
    ];
    let packages = prop::collection::vec(section("[[package]]"), 0..6);
    let unused = prop::collection::vec(section("[[patch.unused]]"), 0..2);
    let metadata = prop::option::of(prop::collection::btree_set(name(), 0..4));
    (head, packages, unused, metadata, any::<bool>()).prop_map(
        |(head, packages, unused, metadata, carriage_returns)| {
            let sections: Vec<String> = packages.into_iter().chain(unused).collect();
            let mut text = format!("{head}{}", sections.join("\n"));
            if let Some(names) = metadata {
                text.push_str("\n[metadata]\n");
                for name in &names {
                    writeln!(text, "\"checksum {name} 1.0.0\" = \"00ff\"").unwrap();
                }
            }
            if carriage_returns { text.replace('\n', "\r\n") } else { text }
        },
    )
}

/// A Cargo.lock with one part of it removed, doubled or replaced.
fn damaged() -> impl Strategy<Value = String> {
    let junk = prop_oneof![
        Just(String::new()),
        Just("\n".to_owned()),
        Just("\"".to_owned()),
        Just("]\n".to_owned()),
        Just("[[package]]\n".to_owned()),
        Just("<<<<<<< HEAD\n".to_owned()),
        Just("name = \"twice\"\n".to_owned()),
        "[ -~\\n]{0,6}",
        "\\PC{0,3}",
    ];
    (lockfile(), any::<prop::sample::Index>(), 0..40_usize, junk, any::<bool>()).prop_map(
        |(text, at, length, junk, doubled)| {
            let chars: Vec<char> = text.chars().collect();
            let at = at.index(chars.len() + 1);
            let end = (at + length).min(chars.len());
            let piece =
                |range: std::ops::Range<usize>| chars.iter().take(range.end).skip(range.start).collect::<String>();
            let part = if doubled { piece(at..end).repeat(2) } else { String::new() };
            let (before, after) = (piece(0..at), piece(end..chars.len()));
            format!("{before}{part}{junk}{after}")
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_text_never_panics(text in "\\PC{0,200}|[\\[\\]a-z\" =\\n#,.0-9]{0,200}") {
        prop_assert_eq!(ours(&text), reference(&text));
    }

    #[test]
    fn what_cargo_writes_is_read_as_toml_reads_it(text in lockfile()) {
        let packages = ours(&text);
        prop_assert!(packages.is_some());
        prop_assert_eq!(packages, reference(&text));
    }

    #[test]
    fn damaged_files_are_never_read_differently(text in damaged()) {
        prop_assert_eq!(ours(&text), reference(&text));
    }
}
