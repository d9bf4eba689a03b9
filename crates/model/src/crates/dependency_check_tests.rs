use std::collections::BTreeMap;

use super::*;
use crate::crates::cargo_add::parse_cargo_add;
use crate::crates::dependency_tables::{CrateRequest, ManifestTables, find_changed_requests, resolve_requests};
use crate::crates::registry_index::{parse_index_cache, parse_rust_version};

/// One line of the index for each version: number, mark (`y` for yanked), Rust version, features, optional dependencies.
type Published = (&'static str, &'static str, &'static str, &'static str, &'static str);

const CRATES: &[(&str, &[Published])] = &[
    (
        "serde",
        &[
            ("0.9.15", "", "", "derive std", ""),
            ("1.0.0", "", "", "derive rc std", ""),
            ("1.0.172", "y", "1.31", "derive rc std", ""),
            ("1.0.229", "", "1.56", "alloc derive rc std unstable", ""),
        ],
    ),
    (
        "tokio",
        &[
            ("0.2.25", "", "", "full rt-core rt-threaded", ""),
            ("1.0.0", "", "1.45", "full fs rt rt-multi-thread macros sync", ""),
            ("1.52.0", "", "1.71", "full fs io-util macros net process rt rt-multi-thread signal sync time", "tracing"),
        ],
    ),
    (
        "rand",
        &[
            ("0.8.5", "", "", "std small_rng", ""),
            ("0.9.2", "", "1.63", "std small_rng thread_rng", ""),
            ("0.10.3", "", "1.85", "std thread_rng", ""),
        ],
    ),
    ("yankable", &[("1.0.0", "y", "", "", ""), ("1.1.0", "y", "", "", ""), ("2.0.0", "", "", "", "")]),
    ("withdrawn", &[("0.1.0", "y", "", "", "")]),
    ("early", &[("0.5.0-rc.1", "", "", "", ""), ("0.5.0-rc.2", "", "", "", "")]),
    ("tiny", &[("0.0.3", "", "", "", ""), ("0.0.4", "", "", "", "")]),
    ("plain", &[("1.4.0", "", "1.95", "", "")]),
    ("serde_json", &[("1.0.154", "", "1.71", "preserve_order raw_value std", "")]),
    ("log", &[("0.4.35", "", "1.61", "kv std", "")]),
];

fn read_index() -> BTreeMap<&'static str, RegistryEntry> {
    let entry = |versions: &[Published]| {
        let mut bytes = b"\x03\x02\0\0\0state\0".to_vec();
        for (number, mark, rust, features, optional) in versions {
            let list = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
            let features: BTreeMap<String, Vec<String>> =
                list(features).into_iter().map(|name| (name, Vec::new())).collect();
            let optional: Vec<serde_json::Value> = list(optional)
                .iter()
                .map(|name| serde_json::json!({"name": name, "req": "^1", "optional": true}))
                .collect();
            let rust = (!rust.is_empty()).then_some(rust);
            let line = serde_json::json!({
                "vers": number, "deps": optional, "features": features, "yanked": *mark == "y", "rust_version": rust,
            });
            bytes.extend_from_slice(format!("{number}\0{line}\0").as_bytes());
        }
        parse_index_cache(&bytes).unwrap()
    };
    CRATES.iter().map(|(name, versions)| (*name, entry(versions))).collect()
}

struct Surroundings {
    rust_version: Option<&'static str>,
    locked: &'static [(&'static str, &'static str)],
    freshness: IndexFreshness,
}

const USUAL: Surroundings = Surroundings { rust_version: None, locked: &[], freshness: IndexFreshness::Current };

/// Shows what is said about requests: `-`, `note …` or `deny …`.
fn judge(requests: &[CrateRequest], surroundings: &Surroundings) -> String {
    let index = read_index();
    let names: Vec<&str> = index.keys().copied().collect();
    let rust_version = surroundings.rust_version.and_then(parse_rust_version);
    let mut said = Vec::new();
    for request in requests {
        let locked = surroundings.locked.iter().filter(|(name, _)| *name == request.package);
        let locked: Vec<Version> = locked.map(|(_, version)| Version::parse(version).unwrap()).collect();
        let question = DependencyQuestion {
            package: &request.package,
            requirement: request.requirement.as_deref(),
            features: &request.features,
            entry: index.get(request.package.as_str()),
            freshness: surroundings.freshness,
            rust_version: rust_version.as_ref(),
            locked: &locked,
            names: &names,
        };
        said.push(match check_dependency(&question) {
            DependencyVerdict::Silent => continue,
            DependencyVerdict::Noted(notes) => format!("note {}", notes.join("; ")),
            DependencyVerdict::Denied { reason, correction } => format!("deny {reason}; {correction}"),
        });
    }
    if said.is_empty() { "-".to_owned() } else { said.join(" / ") }
}

fn judge_add(words: &str, surroundings: &Surroundings) -> String {
    let words: Vec<&str> = words.split_whitespace().collect();
    parse_cargo_add(&words)
        .map_or("?".to_owned(), |requests| judge(&resolve_requests(requests, None, None), surroundings))
}

fn judge_edit(old: &str, new: &str, surroundings: &Surroundings) -> String {
    let workspace =
        ManifestTables::parse("[workspace.dependencies]\ntokio = \"1\"\nrand = \"0.8\"\nnear = { path = \"near\" }\n");
    let changed = find_changed_requests(Some(old), new);
    changed.map_or("?".to_owned(), |changed| judge(&resolve_requests(changed, None, workspace.as_ref()), surroundings))
}

fn check_said(said: &str, expected: &str, about: &str) {
    let fits = if matches!(expected, "-" | "?") { said == expected } else { said.starts_with(expected) };
    assert!(fits, "{about}\n  said:     {said}\n  expected: {expected}");
}

#[test]
fn calls_of_cargo_add() {
    for (words, expected) in [
        ("add serde", "-"),
        ("add serde --features derive", "-"),
        ("add serde -F derive,rc", "-"),
        ("add serde@1 --features derive", "-"),
        ("add serde@1.0.229", "-"),
        ("add serde@^1.0", "-"),
        ("add serde@1.0.172", "-"),
        (
            "add serde --features drive",
            "deny `serde` 1.0.229 has no feature `drive`; did you mean `derive`? `serde` 1.0.229 has: alloc, derive, rc",
        ),
        ("add serde --features json", "deny `serde` 1.0.229 has no feature `json`; `serde` 1.0.229 has: "),
        (
            "add serde@1 --features derives,wings",
            "deny no version of `serde` that satisfies `1` has the features `derives`, `wings`",
        ),
        ("add serde@2", "deny no version of `serde` satisfies `2`; the newest version is 1.0.229: `serde = \"1.0\"`"),
        ("add serde@1.5", "deny no version of `serde` satisfies `1.5`"),
        ("add serde@=1.0.230", "deny no version of `serde` satisfies `=1.0.230`"),
        ("add serde@latest", "deny `latest` is not a version requirement for `serde`"),
        ("add serde@=1.0.172", "deny only yanked versions of `serde` satisfy `=1.0.172`, such as 1.0.172"),
        ("add serde@0.9", "note `serde` 1.0.229 is out; `0.9` stays at 0.9.15"),
        ("add serde@=0.9.15", "-"),
        ("add serde@<1", "-"),
        ("add serde@>=0.9", "-"),
        ("add serde@*", "-"),
        ("add tokio --features full", "-"),
        ("add tokio --features rt-threaded", "deny `tokio` 1.52.0 has no feature `rt-threaded`"),
        ("add tokio@0.2 --features rt-threaded", "note `tokio` 1.52.0 is out"),
        (
            "add tokio --features rt_multi_thread",
            "deny `tokio` 1.52.0 has no feature `rt_multi_thread`; did you mean `rt-multi-thread`?",
        ),
        ("add tokio --features tracing", "-"),
        ("add tokio --features default", "-"),
        (
            "add tokio@1 --features multi-thread",
            "deny no version of `tokio` that satisfies `1` has the feature `multi-thread`",
        ),
        ("add tokio --features dep:tracing", "-"),
        ("add serde tokio --features serde/derive,tokio/asynch", "deny `tokio` 1.52.0 has no feature `asynch`"),
        // An older compiler gets 0.9, which has it.
        ("add rand --features small_rng", "-"),
        ("add rand --features small_rngs", "deny `rand` 0.10.3 has no feature `small_rngs`"),
        ("add rand@0.8", "note `rand` 0.10.3 is out; `0.8` stays at 0.8.5"),
        (
            "add rand@0.10 --features small_rng",
            "deny no version of `rand` that satisfies `0.10` has the feature `small_rng`",
        ),
        ("add rand@>=0.9 --features small_rng", "-"),
        (
            "add yankable@1",
            "deny only yanked versions of `yankable` satisfy `1`, such as 1.1.0; the newest version is 2.0.0",
        ),
        ("add yankable", "-"),
        (
            "add withdrawn@0.1",
            "deny only yanked versions of `withdrawn` satisfy `0.1`, such as 0.1.0; use another crate",
        ),
        ("add withdrawn", "-"),
        (
            "add early@0.5",
            "deny no version of `early` satisfies `0.5`; the newest version is 0.5.0-rc.2: `early = \"=0.5.0-rc.2\"`",
        ),
        ("add early@0.5.0-rc.1", "-"),
        ("add early", "-"),
        ("add tiny@0.0.3", "note `tiny` 0.0.4 is out"),
        (
            "add tiny@0.0.5",
            "deny no version of `tiny` satisfies `0.0.5`; the newest version is 0.0.4: `tiny = \"0.0.4\"`",
        ),
        ("add plain --features any", "deny `plain` 1.4.0 has no feature `any`; `plain` 1.4.0 has no features"),
        ("add sered", "note `sered` is not in cargo's local index; did you mean `serde`?"),
        ("add serd", "note `serd` is not in cargo's local index; did you mean `serde`?"),
        ("add tokyo", "note `tokyo` is not in cargo's local index; did you mean `tokio`?"),
        ("add serde-json", "note `serde-json` is not in cargo's local index; did you mean `serde_json`?"),
        ("add lag", "-"),
        ("add unheard-of --features anything", "-"),
        ("add serde --path ../serde --features wings", "-"),
        ("add serde --git https://example.com/serde --features wings", "-"),
        ("add serde --registry ours --features wings", "-"),
        ("add ./serde", "-"),
        ("add --help", "?"),
    ] {
        check_said(&judge_add(words, &USUAL), expected, words);
    }
}

#[test]
fn edits_of_a_manifest() {
    let old = "[package]\nname = \"a\"\n\n[dependencies]\nserde = \"1\"\nwrong = \"99\"\n";
    for (added, expected) in [
        ("log = \"0.4\"\n", "-"),
        ("log = \"0.5\"\n", "deny no version of `log` satisfies `0.5`"),
        ("log = { version = \"0.4\", features = [\"kv\"] }\n", "-"),
        (
            "log = { version = \"0.4\", features = [\"serde\"] }\n",
            "deny no version of `log` that satisfies `0.4` has the feature `serde`",
        ),
        (
            "log = { version = \"0.4\", features = [\n  \"kv\",\n  \"stdd\", # oops\n] }\n",
            "deny no version of `log` that satisfies `0.4` has the feature `stdd`; did you mean `std`?",
        ),
        ("log.version = \"0.9\"\n", "deny no version of `log` satisfies `0.9`"),
        ("logging = { package = \"log\", version = \"3\" }\n", "deny no version of `log` satisfies `3`"),
        ("tokio = { workspace = true, features = [\"rt\"] }\n", "-"),
        (
            "tokio = { workspace = true, features = [\"rt-core\"] }\n",
            "deny no version of `tokio` that satisfies `1` has the feature `rt-core`",
        ),
        ("rand.workspace = true\n", "note `rand` 0.10.3 is out; `0.8` stays at 0.8.5"),
        ("near = { workspace = true, features = [\"x\"] }\n", "-"),
        ("absent.workspace = true\n", "-"),
        ("log = { path = \"../log\", version = \"7\" }\n", "-"),
        ("log = { git = \"https://example.com/log\", version = \"7\" }\n", "-"),
        ("log = { version = \"7\", registry = \"ours\" }\n", "-"),
        ("\n[dev-dependencies]\nlog = \"7\"\n", "deny no version of `log` satisfies `7`"),
        ("\n[build-dependencies]\nlog = \"7\"\n", "deny no version of `log` satisfies `7`"),
        ("\n[target.'cfg(unix)'.dependencies]\nlog = \"7\"\n", "deny no version of `log` satisfies `7`"),
        ("\n[workspace.dependencies]\nlog = \"7\"\n", "deny no version of `log` satisfies `7`"),
        ("\n[dependencies.log]\nversion = \"7\"\n", "deny no version of `log` satisfies `7`"),
        ("\n[patch.crates-io]\nlog = { path = \"log\" }\n[dev-dependencies]\nlog = \"7\"\n", "-"),
        ("\n[features]\nlog = \"7\"\n", "-"),
        ("\n[profile.dev]\nopt-level = 1\n", "-"),
        ("log = 7\n", "-"),
        ("log = \"7\n", "?"),
        (
            "log = \"0.4\"\nrand = \"0.7\"\n",
            "deny no version of `rand` satisfies `0.7`; the newest version is 0.10.3: `rand = \"0.10\"`",
        ),
        ("tokoi = \"1\"\n", "note `tokoi` is not in cargo's local index; did you mean `tokio`?"),
        ("log = { version = \"0.4\", optional = true, default-features = false }\n", "-"),
        ("log = \">=0.4, <0.5\"\n", "-"),
        ("log = \"*\"\n", "-"),
        ("log = { workspace = false, version = \"7\" }\n", "deny no version of `log` satisfies `7`"),
    ] {
        check_said(&judge_edit(old, &format!("{old}{added}"), &USUAL), expected, added);
    }
    // What was wrong before and is not touched is not this edit's business.
    check_said(&judge_edit(old, &old.replace("name = \"a\"", "name = \"b\""), &USUAL), "-", "another key");
    check_said(
        &judge_edit(old, &old.replace("serde = \"1\"", "serde = \"1.9\""), &USUAL),
        "deny no version of `serde` satisfies `1.9`",
        "changed",
    );
    check_said(&judge_edit(old, &old.replace("serde = \"1\"\n", ""), &USUAL), "-", "removed");
}

#[test]
fn the_workspace_counts() {
    let with = |rust_version, locked| Surroundings { rust_version, locked, freshness: IndexFreshness::Current };
    for (words, surroundings, expected) in [
        (
            "add plain",
            with(Some("1.80"), &[]),
            "note every version of `plain` that could be chosen needs Rust 1.95.0 or newer, but the workspace requires only 1.80.0",
        ),
        ("add plain@1", with(Some("1.80"), &[]), "note every version of `plain` that satisfies `1` needs Rust 1.95.0"),
        ("add plain@1", with(Some("1.95"), &[]), "-"),
        ("add tokio@1", with(Some("1.60"), &[]), "-"),
        ("add rand", with(Some("1.70"), &[]), "-"),
        ("add rand --features small_rng", with(Some("1.70"), &[]), "-"),
        ("add rand --features small_rng", with(Some("1.90"), &[]), "deny `rand` 0.10.3 has no feature `small_rng`"),
        (
            "add rand@0.9",
            with(None, &[("rand", "0.8.5")]),
            "note `rand` 0.10.3 is out; `0.9` stays at 0.9.2; the workspace already has `rand` 0.8.5",
        ),
        (
            "add rand",
            with(None, &[("rand", "0.8.5")]),
            "note the workspace already has `rand` 0.8.5; this adds another version of it",
        ),
        ("add serde@1", with(None, &[("serde", "1.0.0")]), "-"),
        ("add serde@1", with(None, &[("serde", "0.9.15"), ("serde", "1.0.0")]), "-"),
        // A locked version is there, whatever the cache knows.
        ("add serde@=1.0.172", with(None, &[("serde", "1.0.172")]), "-"),
        ("add serde@2", with(None, &[("serde", "2.0.1")]), "-"),
    ] {
        check_said(&judge_add(words, &surroundings), expected, words);
    }
}

#[test]
fn an_old_cache_denies_nothing_that_may_have_come_since() {
    let dated = Surroundings { freshness: IndexFreshness::Dated, ..USUAL };
    for (words, expected) in [
        (
            "add serde@2",
            "note no version of `serde` satisfies `2` (according to cargo's local index, which may be old); the newest version is 1.0.229",
        ),
        (
            "add serde@1 --features wings",
            "note no version of `serde` that satisfies `1` has the feature `wings` (according to cargo",
        ),
        ("add yankable@1", "note only yanked versions of `yankable` satisfy `1`"),
        ("add serde@latest", "deny `latest` is not a version requirement"),
        ("add serde", "-"),
    ] {
        check_said(&judge_add(words, &dated), expected, words);
    }
}

#[test]
fn versions_that_are_not_understood_are_given_the_benefit_of_the_doubt() {
    let index = read_index();
    let mut entry = index["log"].clone();
    entry.unread = vec!["0.5.0".to_owned()];
    let features = vec!["wings".to_owned()];
    let ask = |requirement, features| {
        check_dependency(&DependencyQuestion {
            package: "log",
            requirement,
            features,
            entry: Some(&entry),
            freshness: IndexFreshness::Current,
            rust_version: None,
            locked: &[],
            names: &[],
        })
    };
    assert_eq!(ask(Some("0.5"), &features), DependencyVerdict::Silent);
    assert_eq!(ask(Some(">=0.4"), &features), DependencyVerdict::Silent);
    assert!(matches!(ask(Some("0.6"), &[]), DependencyVerdict::Denied { .. }));
    assert!(matches!(ask(Some("0.4"), &features), DependencyVerdict::Denied { .. }));
}

#[test]
fn one_letter_apart() {
    for (one, other, apart) in [
        ("serde", "sered", true),
        ("serde", "serd", true),
        ("serde", "serdee", true),
        ("serde", "zerde", true),
        ("serde", "serde", false),
        ("serde", "sreed", false),
        ("ab", "ba", true),
        ("", "a", true),
        ("", "", false),
        ("abc", "a", false),
    ] {
        assert_eq!(is_one_letter_apart(one, other), apart, "{one} {other}");
        assert_eq!(is_one_letter_apart(other, one), apart, "{other} {one}");
    }
}
