//! The embedded source, checked with the program's own commands, as its authors do.

use crate::{json, with_fixture};

#[test]
fn the_embedded_source_passes_its_own_checks() {
    let context = with_fixture(&["plugins0"]);
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../recommendations");
    assert_eq!(context.invoke(&["skill", "check", source, "--json"]).code, 0);
    let document = json(context.invoke(&["plugin", "validate", source, "--json"]));
    for item in document["items"].as_array().unwrap() {
        assert_eq!(item["errors"], serde_json::json!([]), "{}", item["path"]);
        assert_eq!(item["warnings"], serde_json::json!([]), "{}", item["path"]);
    }
}

#[test]
fn every_skill_was_tested_as_it_is_now() {
    let context = with_fixture(&[]);
    let repository = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let record = ["--record", "xtask/verified-skills.txt", "--check", "--json"];
    let texts = ["skill", "test", "recommendations", "recommendations/start.md"];
    let document = json(context.invoke_in(repository, &[texts.as_slice(), &record].concat()));
    let items = document["items"].as_array().unwrap();
    let changed = items.iter().filter(|item| item["errors"] != serde_json::json!([]));
    let changed: Vec<&str> = changed.map(|item| item["path"].as_str().unwrap()).collect();
    assert_eq!(changed, [""; 0], "changed since they were tested: run `cargo xtask skills`");
}

/// Sentences that were false, and sound right enough to be written again. No tool can look up what they say.
const REFUTED: [(&str, &str); 12] = [
    ("axum/axum-upgrade", "`!Sync` future"),
    ("clap", ".map(Duration::from_secs_f64)"),
    ("hyper/hyper-0-14", "marks what 1.x removed"),
    ("hyper/hyper-upgrade", "most of the work"),
    ("insta", "writes accepted snapshots"),
    ("itertools", "(`iterate`, `unfold`)"),
    ("reqwest/reqwest-upgrade", "fail at the first request"),
    ("serde", "a bound on every type parameter"),
    ("serde-json", "or a `String` field"),
    ("sqlx/sqlx-0-8", "turn on WAL, foreign keys"),
    ("sqlx/sqlx-0-9", "each connection has its own database"),
    ("sqlx/sqlx-0-9", "turn on WAL, foreign keys"),
];

#[test]
fn no_refuted_sentence_comes_back() {
    let text = |skill: &str| {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../recommendations");
        let text = std::fs::read_to_string(format!("{root}/{skill}/SKILL.md")).unwrap();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for (skill, sentence) in REFUTED {
        assert!(!text(skill).to_lowercase().contains(&sentence.to_lowercase()), "{skill}: {sentence}");
    }
    // With `biased`, a busy channel above a timer starves it.
    let tokio = text("tokio");
    assert!(tokio.find("= flush.tick() =>") < tokio.find("= jobs.recv() =>"), "the timer comes first");
}

#[test]
fn every_promised_crate_has_a_skill() {
    let context = with_fixture(&[]);
    for name in [
        "serde",
        "serde_json",
        "tokio",
        "anyhow",
        "thiserror",
        "clap",
        "tracing",
        "reqwest",
        "axum",
        "sqlx",
        "rayon",
        "regex",
        "rand",
        "chrono",
        "itertools",
        "hyper",
        "bytes",
        "futures",
        "proptest",
        "criterion",
        "insta",
        "nom",
        "bincode",
        "syn",
        "bitflags",
        "base64",
        "quick-xml",
        "toml",
        "ureq",
        "time",
        "jiff",
        "jsonwebtoken",
        "ratatui",
        "tonic",
        "prost",
        "opentelemetry",
        "rustls",
        "bevy",
        "pyo3",
        "sha2",
        "aes-gcm",
        "ed25519-dalek",
        "diesel",
        "sea-orm",
        "redis",
        "tower",
        "tower-http",
        "schemars",
        "utoipa",
        "config",
        "rmcp",
        "aws-config",
        "aws-sdk-s3",
        "egui",
        "eframe",
        "wgpu",
        "winit",
        "polars",
        "leptos",
        "dioxus",
        "esp-hal",
        "embassy-executor",
        "defmt",
        "tauri",
    ] {
        let output = context.invoke(&["crate", name, "--json"]);
        let document: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
        assert!(!document["skills"].as_array().unwrap().is_empty(), "no skill for {name}");
    }
}
